/* dx_json_mend - a JSON text, whole or mended, as one that a strict parser takes; inner part of
 * dx_json. The grammar is checked here, so that the parser behind has nothing left to refuse. */
#ifndef DX_JSON_MEND_H
#define DX_JSON_MEND_H

#include "dx_buf.h"
#include "dx_err.h"
#include "dx_str.h"

#include <stdbool.h>
#include <stddef.h>

/* A number that a double would not hold exactly, or that is no integer, becomes a string of its own
 * digits behind one of these bytes. UTF-8 has neither, and strings come out as UTF-8, so no string
 * of the document starts with one. */
#define DX_JSON_INT_MARK    "\xff"
#define DX_JSON_REAL_MARK   "\xfe"
#define DX_JSON_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Appends to damage what was mended (lenient only, but for broken characters). The caller frees out
 * in any case. */
DX_MUST_CHECK dx_status dx_json_mend(dx_buf *out, dx_buf *damage, dx_slice text, bool lenient,
                                     dx_err *err);

/* Bytes at the head of p that a JSON string holds as they are: ASCII but quotes, backslashes and
 * controls. */
size_t dx_json_plain(const char *p, size_t n);

#endif

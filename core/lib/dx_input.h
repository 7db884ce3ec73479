/* dx_input - anything as a stream of bytes or lines: a plain file, gzip (several members), zstd
 * (several frames), standard input, or bytes in memory. What it is, is seen from its first bytes,
 * not its name. A UTF-8 byte order mark at its head is not given, but counts in offsets. */
#ifndef DX_INPUT_H
#define DX_INPUT_H

#include "dx_buf.h"
#include "dx_err.h"
#include "dx_str.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct dx_input dx_input;

/* path "-" is standard input. The caller closes. DX_E_IO: cannot be opened, or is a folder or a
 * device; a terminal and /dev/null are fine. */
DX_MUST_CHECK dx_status dx_input_open(dx_input **out, const char *path, dx_err *err);
/* Over bytes that the caller keeps alive (they may be compressed). name is copied, for messages. */
DX_MUST_CHECK dx_status dx_input_open_bytes(dx_input **out, dx_slice bytes, const char *name,
                                            dx_err *err);
/* The same, over text that is not compressed: lines are given where they lie, and there is no
 * fingerprint. */
DX_MUST_CHECK dx_status dx_input_open_text(dx_input **out, dx_slice text, const char *name,
                                           dx_err *err);
void dx_input_close(dx_input *in); /* NULL is fine */

/* The first bytes after decompression, without consuming them: at most 64 KiB, borrowed until the
 * next call on `in`. */
DX_MUST_CHECK dx_status dx_input_peek(dx_input *in, dx_slice *head, dx_err *err);

/* The next line without its end ("\n" or "\r\n"), borrowed until the next call. DX_ROW, DX_DONE, or
 * an error (a damaged compressed stream: the lines before the damage have been given). A line
 * longer than max_line bytes comes cut, with *cut true, and the rest of it is skipped. The last
 * line may lack its end. *offset is the line's first byte, counted after decompression. */
DX_MUST_CHECK dx_status dx_input_line(dx_input *in, size_t max_line, dx_slice *line,
                                      uint64_t *offset, bool *cut, dx_err *err);

/* At least `want` bytes of what comes next, less only where the input ends before; borrowed until
 * the next call on `in`. Nothing is consumed. */
dx_slice dx_input_ahead(dx_input *in, size_t want);
/* Consumes n bytes of it: what follows is a line's beginning. */
void dx_input_pass(dx_input *in, size_t n);

/* All that is left, appended to out. DX_E_LIMIT when it is more than max bytes (out then has max).
 * A damaged compressed stream gives its error, out has what came before. */
DX_MUST_CHECK dx_status dx_input_slurp(dx_input *in, size_t max, dx_buf *out, dx_err *err);

/* What comes next stands at this offset: of text that is a part of something. */
void dx_input_set_offset(dx_input *in, uint64_t offset);
uint64_t dx_input_bytes_read(const dx_input *in); /* given so far, after decompression */
/* A 64-bit hash of all bytes of the source as it lies on disk or came in, once it has been read to
 * its end (or to an error): the fingerprint by which an import knows that it has seen this content.
 * The same bytes give the same from a file, a pipe and memory; it is not dx_hash. */
uint64_t dx_input_fingerprint(const dx_input *in);
/* Saves the time for it, from now on: it is 0 then. */
void dx_input_unhashed(dx_input *in);

#endif

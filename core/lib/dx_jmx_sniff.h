/* dx_jmx_sniff - what a text that should be a /jmx document looks like; inner part of dx_jmx. */
#ifndef DX_JMX_SNIFF_H
#define DX_JMX_SNIFF_H

#include "dx_err.h"
#include "dx_str.h"

#include <stdbool.h>

/* text without a byte-order mark and blanks around it. */
dx_slice dx_jmx_head(dx_slice text);
/* Beans pasted without the document around them: {"name" : "domain:key=value". */
bool dx_jmx_bare(dx_slice text);
/* DX_E_PARSE that says what the text is instead, and what to do. name: for the message, NULL is
 * fine; why: the decoder's own message, NULL: the text is JSON. */
DX_MUST_CHECK dx_status dx_jmx_refuse(dx_slice text, const char *name, const char *why,
                                      dx_err *err);

#endif

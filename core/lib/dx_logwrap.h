/* dx_logwrap - what Docker, a Kubernetes runtime (CRI), journald or syslog write before a
 * container's or service's own line. They cut long lines into pieces; whoever reads a stream joins
 * them. */
#ifndef DX_LOGWRAP_H
#define DX_LOGWRAP_H

#include "dx_buf.h"
#include "dx_str.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum dx_wrap_kind { DX_WRAP_DOCKER, DX_WRAP_CRI, DX_WRAP_SYSLOG } dx_wrap_kind;

typedef struct dx_logwrap {
    dx_wrap_kind kind;
    int64_t local_ms; /* the wrapper's stamp as if it were UTC; DX_TIME_NONE: none, or no year */
    bool has_zone;
    int64_t offset_ms;
    bool to_stderr; /* pieces of stdout and stderr may come in turns */
    bool partial;   /* the line goes on in the next piece of its stream */
    dx_slice body;  /* the line itself, borrowed; of Docker still with JSON's escapes */
} dx_logwrap;

/* By its first bytes, so that a line of a log without wrappers costs no call. */
static inline bool dx_logwrap_may_be(dx_slice line) {
    if (line.n < 16)
        return false;
    char c = line.p[0];
    if (dx_is_digit(c))
        return line.p[10] == 'T' && line.n > 19 && line.p[19] != ',';
    return c == '{' || c == '<' || (c >= 'A' && c <= 'Z') || (c == '[' && line.p[1] == 'p');
}
bool dx_logwrap_read_some(dx_slice line, dx_logwrap *out); /* of a line that may have one */
/* False: the line has none of these; then *out is untouched. */
static inline bool dx_logwrap_read(dx_slice line, dx_logwrap *out) {
    return dx_logwrap_may_be(line) && dx_logwrap_read_some(line, out);
}
/* Appends body without JSON's escapes; an escape that is none stays as it is. */
void dx_logwrap_unescape(dx_slice body, dx_buf *out);

#endif

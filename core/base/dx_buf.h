/* dx_buf - a growing run of bytes that it owns. Once an append has failed the buffer stays failed
 * (append does nothing), so that a writer checks once, at the end, with dx_buf_ok. */
#ifndef DX_BUF_H
#define DX_BUF_H

#include "dx_err.h"
#include "dx_str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct dx_buf {
    char *p;            /* NUL-terminated when not NULL */
    size_t n, cap, max; /* max 0: no bound */
    bool failed;
} dx_buf;

void dx_buf_init(dx_buf *b, size_t max_bytes);
void dx_buf_done(dx_buf *b);  /* frees; the buffer may be used again after dx_buf_init */
void dx_buf_clear(dx_buf *b); /* empty again, memory kept, failure forgotten */
bool dx_buf_reserve(dx_buf *b, size_t more); /* room for `more` bytes after n */
/* n bytes more, which are the caller's to fill; NULL: the buffer has failed. */
static inline char *dx_buf_extend(dx_buf *b, size_t n) {
    bool fits = n < b->cap - b->n && !b->failed && (b->max == 0 || n <= b->max - b->n);
    if (!fits && !dx_buf_reserve(b, n))
        return NULL;
    char *p = b->p + b->n;
    b->n += n;
    b->p[b->n] = '\0';
    return p;
}
static inline void dx_buf_add(dx_buf *b, const void *p, size_t n) {
    char *to = n == 0 ? NULL : dx_buf_extend(b, n);
    if (to != NULL)
        memcpy(to, p, n);
}
void dx_buf_adds(dx_buf *b, const char *s);
static inline void dx_buf_addc(dx_buf *b, char c) {
    dx_buf_add(b, &c, 1);
}
void dx_buf_addf(dx_buf *b, const char *fmt, ...) DX_PRINTF(2, 3);
void dx_buf_add_int(dx_buf *b, int64_t v);
/* A finite number in the shorter of 15 and 17 digits that reads back as the same; "." is its
 * decimal point, whatever the locale. 2.0 is "2". */
void dx_buf_add_real(dx_buf *b, double v);
bool dx_buf_ok(const dx_buf *b);
dx_slice dx_buf_slice(const dx_buf *b); /* borrowed: valid until the next change */

#endif

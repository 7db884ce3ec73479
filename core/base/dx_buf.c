/* dx_buf.c - see dx_buf.h. */
#include "dx_buf.h"
#include "dx_mem.h"

#include <locale.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dx_buf_init(dx_buf *b, size_t max_bytes) {
    *b = (dx_buf){.max = max_bytes};
}

void dx_buf_done(dx_buf *b) {
    free(b->p);
    dx_buf_init(b, b->max);
}

void dx_buf_clear(dx_buf *b) {
    b->n = 0;
    b->failed = false;
    if (b->p != NULL)
        b->p[0] = '\0';
}

bool dx_buf_reserve(dx_buf *b, size_t more) {
    if (b->failed)
        return false;
    if (more >= SIZE_MAX - b->n || (b->max != 0 && (more > b->max || b->n > b->max - more))) {
        b->failed = true;
        return false;
    }
    void *p = b->p;
    if (!dx_grow(&p, &b->cap, b->n + more + 1, 1)) {
        b->failed = true;
        return false;
    }
    b->p = p;
    b->p[b->n] = '\0';
    return true;
}

void dx_buf_adds(dx_buf *b, const char *s) {
    dx_buf_add(b, s, strlen(s));
}

void dx_buf_addf(dx_buf *b, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0 || !dx_buf_reserve(b, (size_t)n)) {
        b->failed = true;
        return;
    }
    va_start(ap, fmt);
    vsnprintf(b->p + b->n, (size_t)n + 1, fmt, ap);
    va_end(ap);
    b->n += (size_t)n;
}

void dx_buf_add_int(dx_buf *b, int64_t v) {
    char room[20];
    dx_slice digits = dx_int_text(room, v);
    dx_buf_add(b, digits.p, digits.n);
}

/* v = n / 1000000 in at most 15 digits: the same as the long way gives, only sooner. */
static bool add_millionths(dx_buf *b, double v) {
    char text[7] = {'.'};
    size_t digits = sizeof text;
    if (!(v >= 0.001 && v < 1e9))
        return false;
    int64_t n = (int64_t)(v * 1e6 + 0.5), rest = n % 1000000;
    if ((double)n / 1e6 != v)
        return false;
    for (size_t i = digits; --i > 0; rest /= 10)
        text[i] = (char)('0' + rest % 10);
    while (digits > 1 && text[digits - 1] == '0')
        digits--;
    dx_buf_add_int(b, n / 1000000);
    dx_buf_add(b, text, digits == 1 ? 0 : digits);
    return true;
}

void dx_buf_add_real(dx_buf *b, double v) {
    char text[40];
    if (add_millionths(b, v))
        return;
    snprintf(text, sizeof text, "%.15g", v);
    if (strtod(text, NULL) != v)
        snprintf(text, sizeof text, "%.17g", v);
    char *point = strchr(text, localeconv()->decimal_point[0]);
    if (point != NULL)
        *point = '.';
    dx_buf_adds(b, text);
}

bool dx_buf_ok(const dx_buf *b) {
    return !b->failed;
}

dx_slice dx_buf_slice(const dx_buf *b) {
    return dx_sn(b->p, b->n);
}

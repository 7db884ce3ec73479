/* dx_str - slices: borrowed runs of bytes, never NUL-terminated, never owned.
 * Numbers are read without the locale, so that "0.5" means one half on every machine. */
#ifndef DX_STR_H
#define DX_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct dx_slice {
    const char *p; /* may be NULL when n is 0 */
    size_t n;
} dx_slice;

/* ASCII's digits and letters, whatever the locale. */
static inline bool dx_is_digit(char c) {
    return c >= '0' && c <= '9';
}
static inline bool dx_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* What scanners do for every word of a log stands here, so that it costs no call and the length of
 * a constant is known to the compiler. */

/* A slice over a C string (NULL gives the empty slice). */
static inline dx_slice dx_s(const char *s) {
    return (dx_slice){s, s == NULL ? 0 : strlen(s)};
}
static inline dx_slice dx_sn(const char *p, size_t n) {
    return (dx_slice){p, n};
}
/* s from byte `from` on, and up to byte `to` (not in it); both are clamped to s. */
static inline dx_slice dx_slice_sub(dx_slice s, size_t from, size_t to) {
    to = to > s.n ? s.n : to;
    from = from > to ? to : from;
    return (dx_slice){s.p == NULL ? NULL : s.p + from, to - from};
}

bool dx_str_eq(const char *a, const char *b); /* both non-NULL and the same bytes */
/* So that the length of a text in the source is known where it is compared. */
#define DX_ALWAYS_INLINE __attribute__((always_inline)) static inline
bool dx_same_long(const char *a, const char *b, size_t n); /* the same, of long ones */
/* Whether n bytes are the same: of short ones without a call. */
DX_ALWAYS_INLINE bool dx_same_bytes(const char *a, const char *b, size_t n) {
    uint64_t x, y;
    uint32_t head[2], tail[2];
    if (n > 64)
        return dx_same_long(a, b, n);
    if (n < sizeof *head)
        return n == 0 || (a[0] == b[0] && a[n / 2] == b[n / 2] && a[n - 1] == b[n - 1]);
    if (n < sizeof x) {
        memcpy(head, a, sizeof *head);
        memcpy(head + 1, b, sizeof *head);
        memcpy(tail, a + n - sizeof *tail, sizeof *tail);
        memcpy(tail + 1, b + n - sizeof *tail, sizeof *tail);
        return head[0] == head[1] && tail[0] == tail[1];
    }
    for (size_t i = 0; i + sizeof x < n; i += sizeof x) {
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        if (x != y)
            return false;
    }
    memcpy(&x, a + n - sizeof x, sizeof x);
    memcpy(&y, b + n - sizeof y, sizeof y);
    return x == y;
}
static inline bool dx_slice_eq(dx_slice a, dx_slice b) {
    return a.n == b.n && dx_same_bytes(a.p, b.p, a.n);
}
DX_ALWAYS_INLINE bool dx_slice_is(dx_slice a, const char *s) {
    return dx_slice_eq(a, dx_s(s));
}
DX_ALWAYS_INLINE bool dx_slice_starts(dx_slice a, const char *prefix) {
    size_t n = strlen(prefix);
    return a.n >= n && dx_same_bytes(a.p, prefix, n);
}
DX_ALWAYS_INLINE bool dx_slice_ends(dx_slice a, const char *suffix) {
    size_t n = strlen(suffix);
    return a.n >= n && (n == 0 || dx_same_bytes(a.p + a.n - n, suffix, n));
}
/* Offset of the first / last occurrence at or after `from`, or -1. */
ptrdiff_t dx_slice_find_n(dx_slice a, const char *needle, size_t n, size_t from);
ptrdiff_t dx_slice_rfind_n(dx_slice a, const char *needle, size_t n);
static inline ptrdiff_t dx_slice_find(dx_slice a, const char *needle, size_t from) {
    return dx_slice_find_n(a, needle, strlen(needle), from);
}
ptrdiff_t dx_slice_rfind_char(dx_slice a, char c);
static inline ptrdiff_t dx_slice_find_char(dx_slice a, char c, size_t from) {
    const char *hit = from >= a.n ? NULL : (const char *)memchr(a.p + from, c, a.n - from);
    return hit == NULL ? -1 : hit - a.p;
}
/* Without blanks, tabs, CR and LF at both ends, which most slices are already. */
dx_slice dx_slice_trim_ends(dx_slice a);
static inline dx_slice dx_slice_trim(dx_slice a) {
    bool trimmed = a.n > 0 && (unsigned char)a.p[0] > ' ' && (unsigned char)a.p[a.n - 1] > ' ';
    return trimmed ? a : dx_slice_trim_ends(a);
}

/* The whole slice must be one number (digits, for i64 an optional '-' before them; no blanks).
 * False: not a number, or out of range; then *out is untouched. */
bool dx_slice_i64(dx_slice a, int64_t *out);
bool dx_slice_u64(dx_slice a, uint64_t *out);
/* A decimal number of up to 63 bytes with optional fraction and exponent (too large a one is
 * infinite), also NaN, Infinity, -Infinity. */
bool dx_slice_f64(dx_slice a, double *out);
/* Digits at the head of a: fills *out, returns how many bytes they took (0: none, or too large). */
size_t dx_slice_lead_u64(dx_slice a, uint64_t *out);

/* The decimal digits of v, with '-' before them where it is negative; they end at room + 20. */
dx_slice dx_int_text(char room[20], int64_t v);

/* 64 bits of the bytes and seed, the same on every machine: for hash tables and content
 * fingerprints, not for secrets. */
uint64_t dx_hash(const void *p, size_t n, uint64_t seed);

/* The same of bytes that come in pieces: where they are cut does not matter, but the result is not
 * that of dx_hash. Begins as {0}. */
#define DX_HASH_LANES 4
typedef struct dx_hasher {
    uint64_t lane[DX_HASH_LANES], n;
    unsigned char rest[8 * DX_HASH_LANES];
} dx_hasher;
void dx_hasher_add(dx_hasher *h, const void *p, size_t n);
uint64_t dx_hasher_end(const dx_hasher *h);

#endif

/* dx_bytes - looking for bytes in long runs of them, many at a time where the machine can. */
#ifndef DX_BYTES_H
#define DX_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>

/* At which of the 16 places from p on a stands, and b `apart` bytes behind it: one bit for each. */
static inline unsigned dx_pairs_at(const char *p, char a, char b, size_t apart) {
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i w = _mm_loadu_si128((const __m128i *)(const void *)(p + apart));
    return (unsigned)_mm_movemask_epi8(
        _mm_and_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(a)), _mm_cmpeq_epi8(w, _mm_set1_epi8(b))));
}

/* Which of 16 bytes are in [low, low + span]: all ones in their place. */
static inline __m128i dx_bytes_within(__m128i v, char low, char span) {
    __m128i above = _mm_sub_epi8(v, _mm_set1_epi8(low));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8(span)), above);
}
#endif

/* The first place in [p, end) that has a, and b `apart` bytes behind it, or end; so many bytes can
 * be read behind end, too. */
static inline const char *dx_find_pair(const char *p, const char *end, char a, char b,
                                       size_t apart) {
#ifdef __SSE2__
    for (; end - p >= 16; p += 16) {
        unsigned hits = dx_pairs_at(p, a, b, apart);
        if (hits != 0)
            return p + __builtin_ctz(hits);
    }
#endif
    while (p < end && (*p != a || p[apart] != b))
        p++;
    return p;
}

/* The digits at p, of which eight bytes can be read: how many there are of these eight, and their
 * value. */
static inline unsigned dx_eight_digits(const char *p, uint64_t *value) {
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t zeros = UINT64_C(0x3030303030303030), tops = UINT64_C(0x8080808080808080);
    uint64_t v;
    memcpy(&v, p, sizeof v);
    v ^= zeros; /* a digit is its value, all else is ten or more */
    uint64_t others = ((v & ~tops) + UINT64_C(0x7676767676767676)) | v;
    unsigned n = (others & tops) == 0 ? 8 : (unsigned)__builtin_ctzll(others & tops) / 8;
    if (n == 0) {
        *value = 0;
        return 0;
    }
    v <<= 8 * (8 - n); /* noughts before them */
    v = (v * 10 + (v >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    v = (v * 100 + (v >> 16)) & UINT64_C(0x0000ffff0000ffff);
    *value = (v * 10000 + (v >> 32)) & UINT64_C(0xffffffff);
    return n;
#else
    unsigned n = 0;
    uint64_t v = 0;
    for (; n < 8 && p[n] >= '0' && p[n] <= '9'; n++)
        v = v * 10 + (uint64_t)(p[n] - '0');
    *value = v;
    return n;
#endif
}

/* The digits that [p, end) begins with, of which 24 or fewer count: how many there are, and their
 * value, which is right for up to 19. */
static inline size_t dx_lead_digits(const char *p, const char *end, uint64_t *value) {
    static const uint64_t powers[] = {1,      10,      100,      1000,     10000,
                                      100000, 1000000, 10000000, 100000000};
    uint64_t v = 0, eight;
    size_t n = 0, more = 8;
    while (more == 8 && n < 24 && end - p >= (ptrdiff_t)n + 8) {
        more = dx_eight_digits(p + n, &eight);
        v = v * powers[more] + eight;
        n += more;
    }
    for (; more == 8 && n < 24 && p + n < end && p[n] >= '0' && p[n] <= '9'; n++)
        v = v * 10 + (uint64_t)(p[n] - '0');
    *value = v;
    return n;
}

/* Whether 16 bytes are digits and letters from a to f. */
static inline bool dx_hex16(const char *p) {
#ifdef __SSE2__
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i is = _mm_or_si128(dx_bytes_within(v, '0', 9), dx_bytes_within(v, 'a', 5));
    return _mm_movemask_epi8(is) == 0xffff;
#else
    bool good = true;
    for (size_t i = 0; good && i < 16; i++) {
        unsigned char c = (unsigned char)p[i];
        good = (unsigned char)(c - '0') < 10 || (unsigned char)(c - 'a') < 6;
    }
    return good;
#endif
}

/* The first a or b in [p, end), or end. */
static inline const char *dx_find_either(const char *p, const char *end, char a, char b) {
#ifdef __SSE2__
    const __m128i as = _mm_set1_epi8(a), bs = _mm_set1_epi8(b);
    for (; end - p >= 16; p += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        int hits = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(v, as), _mm_cmpeq_epi8(v, bs)));
        if (hits != 0)
            return p + __builtin_ctz((unsigned)hits);
    }
#endif
    while (p < end && *p != a && *p != b)
        p++;
    return p;
}

#endif

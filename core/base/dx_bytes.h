/* dx_bytes - looking for bytes in long runs of them, many at a time where the machine can. */
#ifndef DX_BYTES_H
#define DX_BYTES_H

#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

/* dx_str.c - see dx_str.h. */
#define _GNU_SOURCE /* memrchr */
#include "dx_str.h"
#include "dx_bytes.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool dx_str_eq(const char *a, const char *b) {
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

bool dx_same_long(const char *a, const char *b, size_t n) {
    return memcmp(a, b, n) == 0;
}

/* ---- texts: where the first and the last byte of one stand, which both together are rare, all of
 * it is compared */

#ifdef __SSE2__
/* The first of some places behind p, one bit each, where all of the text stands, or NULL. */
static const char *first_whole(const char *p, unsigned places, const char *text, size_t n) {
    for (; places != 0; places &= places - 1) {
        const char *at = p + __builtin_ctz(places);
        if (dx_same_bytes(at, text, n))
            return at;
    }
    return NULL;
}

static const char *last_whole(const char *p, unsigned places, const char *text, size_t n) {
    while (places != 0) {
        unsigned high = 31 - (unsigned)__builtin_clz(places);
        if (dx_same_bytes(p + high, text, n))
            return p + high;
        places ^= 1u << high;
    }
    return NULL;
}
#endif

/* In [p, last], at or before which the text has room. */
static const char *find_bytes(const char *p, const char *last, const char *text, size_t n) {
#ifdef __SSE2__
    if (last - p >= 15) {
        const char *tail = last - 15, *hit = NULL; /* tail: sees again what was no hit */
        for (; p < tail && hit == NULL; p += 16) {
            unsigned places = dx_pairs_at(p, text[0], text[n - 1], n - 1);
            hit = places == 0 ? NULL : first_whole(p, places, text, n);
        }
        return hit != NULL
                   ? hit
                   : first_whole(tail, dx_pairs_at(tail, text[0], text[n - 1], n - 1), text, n);
    }
#endif
    for (; p <= last; p++)
        if (*p == *text && dx_same_bytes(p, text, n))
            return p;
    return NULL;
}

ptrdiff_t dx_slice_find_n(dx_slice a, const char *needle, size_t n, size_t from) {
    if (from > a.n || n > a.n - from)
        return -1;
    if (n == 0)
        return (ptrdiff_t)from;
    const char *hit = find_bytes(a.p + from, a.p + (a.n - n), needle, n);
    return hit == NULL ? -1 : hit - a.p;
}

ptrdiff_t dx_slice_rfind_n(dx_slice a, const char *needle, size_t n) {
    if (n == 0 || n > a.n)
        return n == 0 ? (ptrdiff_t)a.n : -1;
    size_t places = a.n - n + 1;
#ifdef __SSE2__
    for (; places >= 16; places -= 16) {
        const char *block = a.p + places - 16;
        unsigned hits = dx_pairs_at(block, needle[0], needle[n - 1], n - 1);
        const char *hit = hits == 0 ? NULL : last_whole(block, hits, needle, n);
        if (hit != NULL)
            return hit - a.p;
    }
#endif
    while (places-- > 0)
        if (a.p[places] == *needle && dx_same_bytes(a.p + places, needle, n))
            return (ptrdiff_t)places;
    return -1;
}

ptrdiff_t dx_slice_rfind_char(dx_slice a, char c) {
    const char *hit = a.n == 0 ? NULL : memrchr(a.p, c, a.n);
    return hit == NULL ? -1 : hit - a.p;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

dx_slice dx_slice_trim_ends(dx_slice a) {
    while (a.n > 0 && is_blank(a.p[0]))
        a.p++, a.n--;
    while (a.n > 0 && is_blank(a.p[a.n - 1]))
        a.n--;
    return a;
}

size_t dx_slice_lead_u64(dx_slice a, uint64_t *out) {
    const size_t fits = 19; /* so many digits always do */
    uint64_t v;
    size_t i = a.n < 8 ? 8 : dx_eight_digits(a.p, &v);
    if (i == 8) /* or more; most numbers end before */
        i = dx_lead_digits(a.p, a.p + a.n, &v);
    if (i > fits) {
        dx_lead_digits(a.p, a.p + fits, &v);
        for (i = fits; i < a.n && a.p[i] >= '0' && a.p[i] <= '9'; i++) {
            uint64_t digit = (uint64_t)(a.p[i] - '0');
            if (v > (UINT64_MAX - digit) / 10)
                return 0;
            v = v * 10 + digit;
        }
    }
    if (i > 0)
        *out = v;
    return i;
}

dx_slice dx_int_text(char room[20], int64_t v) {
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    char *at = room + 20;
    uint64_t rest = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    for (; rest >= 100; rest /= 100)
        memcpy(at -= 2, pairs + rest % 100 * 2, 2);
    if (rest >= 10)
        memcpy(at -= 2, pairs + rest * 2, 2);
    else
        *--at = (char)('0' + rest);
    if (v < 0)
        *--at = '-';
    return dx_sn(at, (size_t)(room + 20 - at));
}

bool dx_slice_u64(dx_slice a, uint64_t *out) {
    uint64_t v;
    if (a.n == 0 || dx_slice_lead_u64(a, &v) != a.n)
        return false;
    *out = v;
    return true;
}

bool dx_slice_i64(dx_slice a, int64_t *out) {
    bool negative = a.n > 0 && a.p[0] == '-';
    uint64_t v;
    if (!dx_slice_u64(dx_slice_sub(a, negative ? 1 : 0, a.n), &v))
        return false;
    uint64_t limit = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    if (v > limit)
        return false;
    *out = negative ? (int64_t)(0 - v) : (int64_t)v;
    return true;
}

static bool looks_decimal(dx_slice a) {
    size_t i = 0, digits = 0;
    if (i < a.n && (a.p[i] == '-' || a.p[i] == '+'))
        i++;
    for (; i < a.n && a.p[i] >= '0' && a.p[i] <= '9'; i++)
        digits++;
    if (i < a.n && a.p[i] == '.')
        for (i++; i < a.n && a.p[i] >= '0' && a.p[i] <= '9'; i++)
            digits++;
    if (digits == 0)
        return false;
    if (i < a.n && (a.p[i] == 'e' || a.p[i] == 'E')) {
        i++;
        if (i < a.n && (a.p[i] == '-' || a.p[i] == '+'))
            i++;
        if (i == a.n)
            return false;
        while (i < a.n && a.p[i] >= '0' && a.p[i] <= '9')
            i++;
    }
    return i == a.n;
}

bool dx_slice_f64(dx_slice a, double *out) {
    if (dx_slice_is(a, "NaN"))
        return *out = NAN, true;
    if (dx_slice_is(a, "Infinity"))
        return *out = INFINITY, true;
    if (dx_slice_is(a, "-Infinity"))
        return *out = -INFINITY, true;
    char text[64];
    if (a.n == 0 || a.n >= sizeof text || !looks_decimal(a))
        return false;
    memcpy(text, a.p, a.n);
    text[a.n] = '\0';
    /* strtod follows the locale's decimal point; put that one in */
    char *dot = strchr(text, '.');
    if (dot != NULL)
        *dot = localeconv()->decimal_point[0];
    char *end;
    double v = strtod(text, &end);
    if (end != text + a.n)
        return false;
    *out = v;
    return true;
}

/* ---- hash: words of eight bytes, in four lanes so that no multiplication waits for another */

#define LANES DX_HASH_LANES
#define BLOCK (8 * LANES)
#define ODD   UINT64_C(0x9e3779b97f4a7c15)

/* Little endian on every machine; compilers make one load of it. */
static uint64_t word_at(const unsigned char *b) {
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24
           | (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48
           | (uint64_t)b[7] << 56;
}

/* No two words give the same for one h, and no two h for one word. */
static uint64_t mix(uint64_t h, uint64_t word) {
    h = (h ^ word) * ODD;
    return h ^ h >> 32;
}

/* Takes all whole blocks of [b, b + n) into the lanes; returns how many bytes they are. */
static size_t mix_blocks(uint64_t lane[LANES], const unsigned char *b, size_t n) {
    size_t done = 0;
    for (; n - done >= BLOCK; done += BLOCK)
        for (size_t i = 0; i < LANES; i++)
            lane[i] = mix(lane[i], word_at(b + done + 8 * i));
    return done;
}

uint64_t dx_hash(const void *p, size_t n, uint64_t seed) {
    const unsigned char *b = p;
    uint64_t h = mix(mix(ODD, seed), n), rest = 0;
    if (n >= BLOCK) {
        uint64_t lane[LANES] = {h, h + 1, h + 2, h + 3};
        size_t done = mix_blocks(lane, b, n);
        b += done, n -= done;
        for (size_t i = 0; i < LANES; i++)
            h = mix(h, lane[i]);
    }
    for (; n >= 8; b += 8, n -= 8)
        h = mix(h, word_at(b));
    for (size_t i = 0; i < n; i++)
        rest |= (uint64_t)b[i] << 8 * i;
    return mix(mix(h, rest), 0);
}

void dx_hasher_add(dx_hasher *h, const void *p, size_t n) {
    const unsigned char *b = p;
    size_t held = h->n % BLOCK, more = held == 0 ? 0 : BLOCK - held;
    h->n += n;
    if (more > n)
        more = n;
    if (more > 0)
        memcpy(h->rest + held, b, more);
    if (held > 0 && held + more == BLOCK)
        mix_blocks(h->lane, h->rest, BLOCK);
    if (more == n)
        return;
    size_t done = more + mix_blocks(h->lane, b + more, n - more);
    if (done < n)
        memcpy(h->rest, b + done, n - done);
}

uint64_t dx_hasher_end(const dx_hasher *h) {
    uint64_t all = dx_hash(h->rest, h->n % BLOCK, h->n);
    for (size_t i = 0; i < LANES; i++)
        all = mix(all, h->lane[i] + i);
    return mix(all, 0);
}

/* test_bytes.c - what is done many bytes at a time gives what a loop over single bytes does, for
 * texts of every length, up to their last byte. */
#include "dx_bytes.h"
#include "dx_str.h"
#include "tap.h"

#include <stdlib.h>

static uint32_t next_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* n random letters of a few on the heap, so that a sanitizer sees a read beyond their end. */
static char *letters(const char *few, size_t n, uint32_t *state) {
    char *p = malloc(n == 0 ? 1 : n);
    size_t kinds = strlen(few);
    if (p == NULL)
        abort();
    for (size_t i = 0; i < n; i++)
        p[i] = few[next_random(state) % kinds];
    return p;
}

static void test_same(void) {
    uint32_t state = 7;
    size_t wrong = 0;
    for (size_t n = 0; n < 100; n++) {
        char *a = letters("ab", n, &state), *b = letters("ab", n, &state);
        memcpy(b, a, n);
        wrong += !dx_same_bytes(a, b, n);
        for (size_t i = 0; i < n; i++) {
            b[i] ^= 1;
            wrong += dx_same_bytes(a, b, n);
            b[i] ^= 1;
        }
        free(a);
        free(b);
    }
    is_int((int64_t)wrong, 0, "bytes are the same where each of them is");
}

static void test_digits(void) {
    uint32_t state = 11;
    size_t wrong = 0;
    for (size_t round = 0; round < 20000; round++) {
        size_t n = next_random(&state) % 30, want = 0;
        char *p = letters(round % 2 == 0 ? "0123456789" : "09/:,\"\x80\xb0", n, &state);
        if (n > 0 && round % 3 == 0)
            p[next_random(&state) % n] = ',';
        uint64_t v = 0, got = 0;
        for (; want < n && want < 24 && p[want] >= '0' && p[want] <= '9'; want++)
            v = v * 10 + (uint64_t)(p[want] - '0');
        wrong += dx_lead_digits(p, p + n, &got) != want || (want <= 19 && got != v);
        free(p);
    }
    is_int((int64_t)wrong, 0, "the digits at the head of a text, and their value");
}

static void test_hex(void) {
    size_t wrong = 0;
    for (int c = 0; c < 256; c++)
        for (size_t at = 0; at < 16; at++) {
            char text[16];
            memcpy(text, "0123456789abcdef", sizeof text);
            text[at] = (char)c;
            bool want = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
            wrong += dx_hex16(text) != want;
        }
    is_int((int64_t)wrong, 0, "sixteen hex digits, each byte in each place");
}

static void test_either(void) {
    uint32_t state = 3;
    size_t wrong = 0;
    for (size_t n = 0; n < 80; n++) {
        char *p = letters("xxxxxxxxxxxxxxxxxxxxxxxx\"\\", n, &state);
        const char *want = p;
        while (want < p + n && *want != '"' && *want != '\\')
            want++;
        wrong += dx_find_either(p, p + n, '"', '\\') != want;
        free(p);
    }
    is_int((int64_t)wrong, 0, "the first of two letters");
}

static ptrdiff_t find_slowly(dx_slice s, const char *needle, size_t from) {
    size_t n = strlen(needle);
    for (size_t i = from; i + n <= s.n; i++)
        if (memcmp(s.p + i, needle, n) == 0)
            return (ptrdiff_t)i;
    return -1;
}

static ptrdiff_t rfind_slowly(dx_slice s, const char *needle) {
    for (size_t i = s.n + 1; i-- > 0;)
        if (find_slowly(s, needle, i) == (ptrdiff_t)i)
            return (ptrdiff_t)i;
    return -1;
}

static void test_find(void) {
    static const char *const needles[] = {"a",      "ab",       "aba",
                                          ", row=", "abababab", "bbbbbbbbbbbbbbbbbb"};
    uint32_t state = 5;
    size_t wrong = 0, found = 0;
    for (size_t round = 0; round < 20000; round++) {
        size_t n = next_random(&state) % 90, from = next_random(&state) % (n + 2);
        const char *needle = needles[round % (sizeof needles / sizeof *needles)];
        char *p = letters("aabb,", n, &state);
        size_t len = strlen(needle);
        if (round % 4 == 0 && n >= len)
            memcpy(p + next_random(&state) % (n - len + 1), needle, len);
        dx_slice s = {p, n};
        ptrdiff_t want = n == 0 || from > n ? -1 : find_slowly(s, needle, from);
        wrong += dx_slice_find(s, needle, from) != want;
        wrong += dx_slice_rfind_n(s, needle, len) != rfind_slowly(s, needle);
        found += want >= 0;
        free(p);
    }
    is_int((int64_t)wrong, 0, "where a text stands in another");
    ok(found > 5000, "it often does");
}

int main(void) {
    test_same();
    test_digits();
    test_hex();
    test_either();
    test_find();
    return done();
}

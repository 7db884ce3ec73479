/* Storey 0: errors, slices, buffers, memory, maps, instants. */
#include "dx_buf.h"
#include "dx_err.h"
#include "dx_map.h"
#include "dx_mem.h"
#include "dx_set.h"
#include "dx_time.h"
#include "tap.h"

#include <locale.h>
#include <stdlib.h>

static void test_err(void) {
    dx_err err = {0};
    is_int(dx_fail(&err, DX_E_IO, "%s: no", "a.log"), DX_E_IO, "dx_fail returns its code");
    is_str(err.msg, "a.log: no", "and formats the message");
    dx_err_prefix(&err, "line %d", 7);
    is_str(err.msg, "line 7: a.log: no", "a prefix goes before it");
    char big[2000];
    memset(big, 'x', sizeof big);
    big[sizeof big - 1] = '\0';
    is_int(dx_fail(&err, DX_E_PARSE, "%s", big), DX_E_PARSE, "a long message");
    ok(strlen(err.msg) == sizeof err.msg - 1 && dx_slice_ends(dx_s(err.msg), "..."),
       "is cut and says so");
    is_int(dx_fail(NULL, DX_E_IO, "x"), DX_E_IO, "no dx_err is fine");
}

static void test_numbers(void) {
    int64_t i = 5;
    uint64_t u;
    double d;
    ok(dx_slice_i64(dx_s("-9223372036854775808"), &i) && i == INT64_MIN, "the smallest integer");
    ok(dx_slice_i64(dx_s("9223372036854775807"), &i) && i == INT64_MAX, "the largest integer");
    ok(!dx_slice_i64(dx_s("9223372036854775808"), &i) && i == INT64_MAX, "one more is refused");
    ok(!dx_slice_i64(dx_s(""), &i) && !dx_slice_i64(dx_s("-"), &i) && !dx_slice_i64(dx_s("1 "), &i),
       "empty, a sign alone, and a blank are no integers");
    ok(dx_slice_u64(dx_s("18446744073709551615"), &u) && u == UINT64_MAX, "the largest unsigned");
    ok(!dx_slice_u64(dx_s("18446744073709551616"), &u), "one more is refused");
    ok(dx_slice_f64(dx_s("2.55E-40"), &d) && d > 0 && d < 1e-39, "a subnormal-ish exponent");
    ok(dx_slice_f64(dx_s("NaN"), &d) && isnan(d), "NaN");
    ok(dx_slice_f64(dx_s("-Infinity"), &d) && isinf(d) && d < 0, "-Infinity");
    ok(!dx_slice_f64(dx_s("0x10"), &d) && !dx_slice_f64(dx_s("1e"), &d)
           && !dx_slice_f64(dx_s("."), &d),
       "hex, a bare exponent and a dot are no numbers");
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") != NULL) {
        ok(dx_slice_f64(dx_s("0.5"), &d) && d == 0.5, "a decimal point in a locale of commas");
        setlocale(LC_NUMERIC, "C");
    }
}

static void test_slices(void) {
    dx_slice s = dx_s("abcabc");
    is_int(dx_slice_find(s, "ca", 0), 2, "find");
    is_int(dx_slice_find(s, "ab", 1), 3, "find from an offset");
    is_int(dx_slice_find(s, "zz", 0), -1, "find nothing");
    is_int(dx_slice_rfind_char(s, 'b'), 4, "last of a character");
    is_slice(dx_slice_sub(s, 4, 99), "bc", "sub is clamped");
    is_int((int64_t)dx_slice_sub(s, 9, 2).n, 0, "sub of nothing is empty");
    is_slice(dx_slice_trim(dx_s(" \tx y\r\n")), "x y", "trim");
    ok(dx_slice_starts(s, "abc") && dx_slice_ends(s, "bc") && !dx_slice_starts(dx_s("a"), "ab"),
       "ends");
    is_int(dx_slice_find((dx_slice){NULL, 0}, "x", 0), -1, "an empty slice has nothing");
}

static void real(double v, const char *text) {
    dx_buf b;
    dx_buf_init(&b, 0);
    dx_buf_add_real(&b, v);
    is_slice(dx_buf_slice(&b), text, text);
    dx_buf_done(&b);
}

/* As printf and strtod say it: the shorter of 15 and 17 digits. */
static bool as_printed(double v) {
    char text[40];
    dx_buf b;
    snprintf(text, sizeof text, "%.15g", v);
    if (strtod(text, NULL) != v)
        snprintf(text, sizeof text, "%.17g", v);
    dx_buf_init(&b, 0);
    dx_buf_add_real(&b, v);
    bool same = dx_slice_is(dx_buf_slice(&b), text);
    if (!same)
        printf("# %s, not %s\n", b.p, text);
    dx_buf_done(&b);
    return same;
}

static void test_reals(void) {
    bool all = true;
    for (int i = 0; i < 20000; i++)
        all = all && as_printed(i / 1000.0) && as_printed(i * 7.77) && as_printed(-i / 8.0)
              && as_printed(i / 1e6) && as_printed(i * 33333.0001);
    ok(all, "numbers of a few digits");
    const double edges[] = {0.0009, 0.001, 0.0019999999999999998, 99999999999.999, 1e11,
                            1e15,   1e300, 123456789012.125,      5e-324,          -0.0};
    const double millionths[] = {90.1235, 0.0012345, 999999999.999999, 1000000.00000001, 1e9};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        ok(as_printed(edges[i]), "%g", edges[i]);
    for (size_t i = 0; i < sizeof millionths / sizeof *millionths; i++)
        ok(as_printed(millionths[i]), "%.15g", millionths[i]);
}

static void integer(int64_t v, const char *text) {
    dx_buf b;
    dx_buf_init(&b, 0);
    dx_buf_add_int(&b, v);
    is_slice(dx_buf_slice(&b), text, text);
    dx_buf_done(&b);
}

static void test_set(void) {
    dx_set s = {0};
    bool all = !dx_set_has(&s, 0) && !dx_set_has(&s, 7);
    for (uint64_t i = 0; i < 5000; i++)
        all = all && !dx_set_has(&s, i * 1024) && dx_set_add(&s, i * 1024);
    ok(all && s.count == 5000, "5,000 numbers that share their low bits go in, 0 too");
    for (uint64_t i = 0; i < 5000; i++)
        all = all && dx_set_has(&s, i * 1024) && !dx_set_has(&s, i * 1024 + 1);
    ok(all, "and are in it, and no other");
    ok(dx_set_add(&s, 0) && dx_set_add(&s, 1024) && s.count == 5000, "twice is once");
    dx_set_done(&s);
    ok(!dx_set_has(&s, 0) && !dx_set_has(&s, 1024), "empty again");
}

static void test_buf(void) {
    dx_buf b;
    integer(0, "0");
    integer(-7, "-7");
    integer(1234567890, "1234567890");
    integer(INT64_MAX, "9223372036854775807");
    integer(INT64_MIN, "-9223372036854775808");
    real(0.1, "0.1");
    real(0.1 + 0.2, "0.30000000000000004");
    real(-2, "-2");
    real(1e300, "1e+300");
    dx_buf_init(&b, 10);
    dx_buf_addf(&b, "%d-%s", 12, "ab");
    is_slice(dx_buf_slice(&b), "12-ab", "formatted");
    dx_buf_adds(&b, "123456");
    ok(!dx_buf_ok(&b), "over its bound it fails");
    dx_buf_addc(&b, 'x');
    is_slice(dx_buf_slice(&b), "12-ab", "and keeps what it had");
    dx_buf_clear(&b);
    dx_buf_add(&b, "a\0b", 3);
    ok(dx_buf_ok(&b) && b.n == 3 && memcmp(b.p, "a\0b", 4) == 0, "NUL bytes are bytes");
    dx_buf_done(&b);
}

static void test_mem(void) {
    ok(dx_calloc(SIZE_MAX / 2, 3) == NULL, "an overflowing product is no memory");
    dx_arena *a = dx_arena_new(100000);
    char *one = dx_arena_dup(a, dx_s("one"));
    ok(one != NULL && strcmp(one, "one") == 0, "an arena copies");
    ok(dx_arena_alloc(a, 99000) != NULL && dx_arena_alloc(a, 99000) == NULL, "and keeps its bound");
    ok(dx_arena_alloc(a, SIZE_MAX) == NULL, "a hostile size is refused");
    dx_arena_reset(a);
    ok(dx_arena_used(a) == 0 && dx_arena_alloc(a, 99000) != NULL, "reset gives it all back");
    dx_arena_free(a);
    void *p = NULL;
    size_t cap = 0;
    ok(dx_grow(&p, &cap, 9, 8) && cap >= 9 && !dx_grow(&p, &cap, SIZE_MAX / 4, 8),
       "grow is checked");
    free(p);
}

static void test_map(void) {
    dx_map *m = dx_map_new();
    char key[16];
    bool all = true;
    for (int i = 0; i < 5000; i++) {
        int n = snprintf(key, sizeof key, "k%d", i);
        all = all && dx_map_put(m, dx_sn(key, (size_t)n), (uint64_t)i);
    }
    ok(all && dx_map_count(m) == 5000, "5,000 keys go in");
    uint64_t v = 0;
    for (int i = 0; i < 5000; i++) {
        int n = snprintf(key, sizeof key, "k%d", i);
        all = all && dx_map_get(m, dx_sn(key, (size_t)n), &v) && v == (uint64_t)i;
    }
    ok(all && !dx_map_get(m, dx_s("k5000"), &v), "and are found, and no other");
    ok(dx_map_put(m, dx_s("k7"), 70) && dx_map_get(m, dx_s("k7"), &v) && v == 70
           && dx_map_count(m) == 5000,
       "a key put twice is replaced");
    size_t at = 0;
    dx_slice k;
    ok(dx_map_each(m, &at, &k, &v) && dx_slice_is(k, "k0"), "the walk goes in order of arrival");
    dx_map_free(m);
}

static void test_time(void) {
    dx_civil c;
    int64_t ms;
    char out[DX_TIME_LEN];
    is_int((int64_t)dx_civil_read(dx_s("2024-05-01 02:03:04,567 INFO"), &c), 23, "a log4j stamp");
    is_int(dx_time_from_civil(&c, 0), 1714528984567, "its instant in UTC");
    is_int((int64_t)dx_civil_read(dx_s("2024-05-01T02:03:04.567891Z"), &c), 26,
           "nine digits of fraction");
    is_int(c.ms, 567, "are cut to milliseconds");
    is_int((int64_t)dx_civil_read(dx_s("2024-02-30 00:00:00"), &c), 0, "30 February is no day");
    is_int((int64_t)dx_civil_read(dx_s("2023-02-29 00:00:00"), &c), 0, "nor is 29 February 2023");
    is_int((int64_t)dx_civil_read(dx_s("2024-05-01T10:00"), &c), 16, "a stamp without seconds");
    ok(dx_time_read(dx_s("2024-05-01T02:03:04.567+05:30"), &ms) && ms == 1714528984567 - 19800000,
       "zone");
    ok(!dx_time_read(dx_s("2024-05-01T02:03:04"), &ms), "no zone: no instant");
    dx_time_write(out, 1714528984567, 0);
    is_str(out, "2024-05-01T02:03:04.567Z", "written in UTC");
    dx_time_write(out, 1714528984567, -16200000);
    is_str(out, "2024-04-30T21:33:04.567-04:30", "written with an offset");
    dx_time_write(out, -1, 0);
    is_str(out, "1969-12-31T23:59:59.999Z", "an instant before 1970 is not 1970");
    dx_time_write(out, INT64_MIN, -64800000);
    is_str(out, "0001-01-01T06:00:00.000-18:00", "one before all years is the first day's");
    dx_time_write(out, INT64_MAX, 64800000);
    is_str(out, "9999-12-31T17:59:59.999+18:00", "and one behind them the last day's");
    is_int(dx_time_weekday(1714528984567, 0), 3, "1 May 2024 was a Wednesday");
    bool round = true;
    for (int64_t t = 0; t < 4102444800000; t += 86399999 * 13) {
        dx_time_to_civil(t, 0, &c);
        round = round && dx_civil_ok(&c) && dx_time_from_civil(&c, 0) == t;
    }
    ok(round, "instants of 130 years go there and back");
}

/* Each byte and the length count, and so does the seed. */
static void test_hash(void) {
    char text[100];
    memset(text, 'a', sizeof text);
    size_t same = 0;
    for (size_t n = 0; n < sizeof text; n++) {
        uint64_t whole = dx_hash(text, n, 0);
        same += whole == dx_hash(text, n + 1, 0) || whole == dx_hash(text, n, 1);
        for (size_t i = 0; i < n; i++) {
            text[i] = 'b';
            same += whole == dx_hash(text, n, 0);
            text[i] = 'a';
        }
    }
    is_int((int64_t)same, 0, "no two hashes of near texts are the same");
    is_int((int64_t)dx_hash("0123456789abcdef0123456789abcdef01", 34, 7),
           INT64_C(-7689908310354880864), "a hash is the same on every machine");
}

static uint64_t hash_in_pieces(const char *p, size_t n, size_t piece) {
    dx_hasher h = {.n = 0};
    for (size_t at = 0; at < n; at += piece)
        dx_hasher_add(&h, p + at, n - at < piece ? n - at : piece);
    return dx_hasher_end(&h);
}

static void test_hasher(void) {
    char text[200];
    size_t differ = 0, same = 0;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * 37);
    for (size_t n = 1; n < sizeof text; n++) {
        uint64_t whole = hash_in_pieces(text, n, n);
        for (size_t piece = 1; piece < n; piece++)
            differ += hash_in_pieces(text, n, piece) != whole;
        same += hash_in_pieces(text, n + 1, n + 1) == whole;
        text[n / 2] ^= 1;
        same += hash_in_pieces(text, n, n) == whole;
        text[n / 2] ^= 1;
    }
    is_int((int64_t)differ, 0, "bytes in pieces have one hash, wherever they are cut");
    is_int((int64_t)same, 0, "other bytes have another");
}

int main(void) {
    test_err();
    test_numbers();
    test_slices();
    test_buf();
    test_reals();
    test_mem();
    test_map();
    test_set();
    test_hash();
    test_hasher();
    test_time();
    return done();
}

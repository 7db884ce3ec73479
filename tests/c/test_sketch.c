/* dx_pack and dx_sketch: bytes that read back, an error that stays within its bound, and a sketch
 * that does not know how it came to be. */
#include "dx_sketch.h"
#include "tap.h"

static void test_pack(void) {
    const uint64_t numbers[] = {0, 1, 127, 128, 16383, 16384, UINT64_MAX / 2, UINT64_MAX};
    const int64_t signed_ones[] = {0, -1, 1, -64, 64, INT64_MIN, INT64_MAX};
    dx_buf b;
    dx_buf_init(&b, 0);
    for (size_t i = 0; i < 8; i++)
        dx_pack_u64(&b, numbers[i]);
    for (size_t i = 0; i < 7; i++)
        dx_pack_i64(&b, signed_ones[i]);
    dx_pack_text(&b, dx_s("text"));
    dx_pack_text(&b, dx_s(""));
    dx_unpack in = {dx_buf_slice(&b), false};
    for (size_t i = 0; i < 8; i++)
        ok(dx_unpack_u64(&in) == numbers[i], "unsigned %zu", i);
    for (size_t i = 0; i < 7; i++)
        is_int(dx_unpack_i64(&in), signed_ones[i], "signed");
    is_slice(dx_unpack_text(&in), "text", "a text");
    is_slice(dx_unpack_text(&in), "", "an empty one");
    ok(!in.failed && in.rest.n == 0, "and nothing is left");
    is_int(dx_unpack_u64(&in), 0, "nothing reads as 0");
    ok(in.failed, "but is a failure");
    dx_buf_done(&b);
}

static void test_refused(void) {
    static const char *const wrong[] = {"\x80", "\x81\x80\x80\x80\x80\x80\x80\x80\x80\x02",
                                        "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
                                        "\x05"
                                        "abcd"};
    for (size_t i = 0; i < 4; i++) {
        dx_unpack in = {dx_s(wrong[i]), false};
        dx_unpack_text(&in);
        ok(in.failed, "wrong bytes %zu", i);
    }
    dx_unpack padded = {dx_sn("\x81\x00", 2), false};
    dx_unpack_u64(&padded);
    ok(padded.failed, "a number that is written longer than it must be");
    dx_unpack large = {dx_s("\x09"), false};
    dx_unpack_upto(&large, 8);
    ok(large.failed, "a number above its bound");
}

static void test_buckets(void) {
    bool rises = true, close = true, own = true;
    size_t before = 0;
    for (int64_t v = 0; v < 3000000; v += 1 + v / 1000) {
        size_t b = dx_sketch_bucket(v);
        int64_t apart = dx_sketch_middle(b) - v;
        rises = rises && b >= before;
        close = close && (apart < 0 ? -apart : apart) * 128 <= v;
        own = own && dx_sketch_bucket(dx_sketch_middle(b)) == b;
        before = b;
    }
    ok(rises, "a larger number is in no lower bucket");
    ok(close, "the middle is within 1/128");
    ok(own, "and in its own bucket");
    is_int(dx_sketch_bucket(INT64_MAX), DX_SKETCH_BUCKETS - 1, "the largest number, the last one");
    is_int(dx_sketch_bucket(-5), 0, "a negative one, the first");
    for (int64_t v = 0; v < 128; v++)
        if (dx_sketch_middle(dx_sketch_bucket(v)) != v)
            ok(false, "%d is not exact", (int)v);
    for (size_t b = 0; b < DX_SKETCH_BUCKETS; b++)
        if (dx_sketch_bucket(dx_sketch_middle(b)) != b)
            ok(false, "bucket %zu has its middle elsewhere", b);
}

/* Numbers over all magnitudes, the same at each call. */
static int64_t number(uint64_t i) {
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    return (int64_t)(x >> (1 + x % 60));
}

static void write(const dx_sketch *s, dx_buf *b) {
    dx_buf_init(b, 0);
    dx_sketch_write(s, b);
}

static void test_merge(void) {
    enum { N = 5000, PARTS = 7 };
    dx_sketch *whole = dx_sketch_new(), *parts[PARTS], *sum = dx_sketch_new();
    bool good = true;
    dx_buf a, b;
    for (size_t p = 0; p < PARTS; p++)
        parts[p] = dx_sketch_new();
    for (uint64_t i = 0; i < N; i++) {
        good = good && dx_sketch_add(whole, number(i));
        good = good && dx_sketch_add(parts[i % PARTS], number(N - 1 - i));
    }
    for (size_t p = PARTS; p-- > 0;)
        good = good && dx_sketch_merge(sum, parts[p]);
    ok(good, "added and merged");
    write(whole, &a);
    write(sum, &b);
    ok(dx_slice_eq(dx_buf_slice(&a), dx_buf_slice(&b)), "parts are the whole, bit for bit");
    dx_unpack in = {dx_buf_slice(&a), false};
    dx_sketch *back = dx_sketch_read(&in);
    ok(back != NULL && dx_sketch_count(back) == N && in.rest.n == 0, "and read back");
    bool same = back != NULL;
    for (uint64_t r = 1; same && r <= N; r += 97)
        same = dx_sketch_rank(back, r) == dx_sketch_rank(whole, r);
    ok(same, "with the same ranks");
    for (size_t n = 0; n < a.n; n++) {
        dx_unpack cut = {dx_sn(a.p, n), false};
        dx_sketch *none = dx_sketch_read(&cut);
        if (none != NULL)
            ok(false, "cut to %zu bytes it is read", n);
        dx_sketch_free(none);
    }
    for (size_t p = 0; p < PARTS; p++)
        dx_sketch_free(parts[p]);
    dx_sketch_free(back);
    dx_sketch_free(sum);
    dx_sketch_free(whole);
    dx_buf_done(&a);
    dx_buf_done(&b);
}

/* The numbers that hurt most: those at the edges of buckets. */
static void test_error(void) {
    bool close = true;
    for (unsigned shift = 1; shift < 56; shift++) {
        dx_sketch *s = dx_sketch_new();
        int64_t low = (int64_t)1 << (shift + 6), high = low + ((int64_t)1 << shift) - 1;
        bool good = dx_sketch_add(s, low) && dx_sketch_add(s, high);
        for (uint64_t rank = 1; rank <= 2; rank++) {
            int64_t want = rank == 1 ? low : high, apart = dx_sketch_rank(s, rank) - want;
            close = close && good && (apart < 0 ? -apart : apart) <= want / 100;
        }
        dx_sketch_free(s);
    }
    ok(close, "within one per cent at both ends of a bucket");
}

int main(void) {
    test_pack();
    test_refused();
    test_buckets();
    test_merge();
    test_error();
    return done();
}

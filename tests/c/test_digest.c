/* dx_digest: groups, exact quantiles, and an order that does not depend on that of the calls. */
#include "dx_digest.h"
#include "dx_slowlog.h"
#include "tap.h"

static void add(dx_digest *d, const char *key, int64_t proc, int64_t queue, int64_t bytes,
                int64_t start, int64_t ref) {
    dx_err err;
    dx_digest_call c = {proc, queue, bytes, start, ref};
    if (dx_digest_add(d, dx_s(key), &c, &err) != DX_OK)
        ok(false, "add: %s", err.msg);
}

static void test_groups(void) {
    dx_err err;
    dx_digest *d = dx_digest_new();
    add(d, "small", 5, 0, 10, 700, 1);
    add(d, "big", 100, DX_UNKNOWN, 16, 500, 2);
    add(d, "big", 300, 7, DX_UNKNOWN, DX_TIME_NONE, 3);
    add(d, "big", 300, 9, 20, 400, 4);
    add(d, "", DX_UNKNOWN, DX_UNKNOWN, DX_UNKNOWN, DX_TIME_NONE, 5);
    is_int(dx_digest_count(d), 0, "no groups before the end");
    is_int(dx_digest_finish(d, &err), DX_OK, "finish");
    is_int(dx_digest_count(d), 3, "three keys, one of them empty");
    const dx_digest_group *g = dx_digest_at(d, 0);
    is_slice(g->key, "big", "the heaviest first");
    is_int(g->calls, 3, "its calls");
    is_int(g->proc_ms.sum, 700, "their time");
    is_int(g->queue_ms.n, 2, "an unknown queue time is no zero");
    is_int(g->queue_ms.p50, 7, "the lower of two is their median");
    is_int(g->response_bytes.n, 2, "nor are unknown bytes");
    is_int(g->worst_ref, 3, "the first of the longest");
    ok(g->first_ms == 400 && g->last_ms == 500, "from the first to the last start");
    g = dx_digest_at(d, 2);
    ok(g->calls == 1 && g->proc_ms.n == 0 && g->proc_ms.max == 0, "a call that told nothing");
    ok(g->first_ms == DX_TIME_NONE && g->worst_ref == 5, "not even when");
    ok(dx_digest_at(d, 3) == NULL, "no fourth");
    dx_digest_call c = {0};
    is_int(dx_digest_add(d, dx_s("x"), &c, &err), DX_E_USAGE, "no adding after the end");
    is_int(dx_digest_finish(d, &err), DX_E_USAGE, "and one end only");
    dx_digest_free(d);
    dx_digest_free(NULL);
}

/* nearest rank by hand: the ceil(q*n)-th smallest of 1..n is that number itself */
static void test_quantiles(void) {
    const struct {
        int64_t n, p50, p95;
    } rows[] = {{1, 1, 1},    {2, 1, 2},    {3, 2, 3},     {10, 5, 10},  {19, 10, 19},
                {20, 10, 19}, {21, 11, 20}, {100, 50, 95}, {101, 51, 96}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        dx_err err;
        dx_digest *d = dx_digest_new();
        for (int64_t i = 0; i < rows[r].n; i++) /* a scattered order: 11 is prime to every n */
            add(d, "k", (i * 11) % rows[r].n + 1, 0, 0, 0, i);
        ok(dx_digest_finish(d, &err) == DX_OK, "n = %d", (int)rows[r].n);
        const dx_spread *s = &dx_digest_at(d, 0)->proc_ms;
        is_int(s->p50, rows[r].p50, "p50");
        is_int(s->p95, rows[r].p95, "p95");
        is_int(s->max, rows[r].n, "max");
        is_int(s->sum, rows[r].n * (rows[r].n + 1) / 2, "sum");
        dx_digest_free(d);
    }
}

static void test_order_and_limits(void) {
    dx_err err;
    dx_digest *d = dx_digest_new();
    add(d, "b", 1, 0, INT64_MAX, 0, 1);
    add(d, "a", 1, 0, INT64_MAX, 0, 2);
    add(d, "ab", 1, 0, 1, 0, 3);
    add(d, "a", 0, 0, INT64_MAX, 0, 4);
    is_int(dx_digest_finish(d, &err), DX_OK, "finish");
    is_slice(dx_digest_at(d, 0)->key, "a", "equals go by key");
    is_slice(dx_digest_at(d, 1)->key, "ab", "a shorter one first");
    is_slice(dx_digest_at(d, 2)->key, "b", "then the rest");
    is_int(dx_digest_at(d, 0)->response_bytes.sum, INT64_MAX, "a sum that stays at its limit");
    dx_digest_free(d);
    d = dx_digest_new();
    ok(dx_digest_finish(d, &err) == DX_OK && dx_digest_count(d) == 0, "nothing added");
    dx_digest_free(d);
    d = dx_digest_new();
    char key[32];
    for (int i = 0; i < 20000; i++) {
        snprintf(key, sizeof key, "t%d", i % 5000);
        add(d, key, i, i, i, i, i);
    }
    ok(dx_digest_finish(d, &err) == DX_OK && dx_digest_count(d) == 5000, "five thousand groups");
    is_slice(dx_digest_at(d, 0)->key, "t4999", "the heaviest of many");
    is_int(dx_digest_at(d, 0)->proc_ms.p50, 9999, "with its own numbers");
    dx_digest_free(d);
}

/* --- merging, files, many groups */

static uint64_t scatter(uint64_t i) {
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    return x ^ x >> 31;
}

/* The i-th of calls of `groups` groups, with a note; the first group has most of them. */
static void add_nth(dx_digest *d, uint64_t i, uint64_t groups) {
    dx_err err;
    char key[32], note[32];
    uint64_t x = scatter(i);
    int64_t ms = (int64_t)(x % 100000), start = (int64_t)(x % 2000) * 1800000;
    dx_digest_call c = {ms, x % 7 == 0 ? DX_UNKNOWN : ms / 3, (int64_t)(x >> 24), start, 0};
    snprintf(key, sizeof key, "group-%d", x % 3 == 0 ? 0 : (int)(x / 8 % groups));
    snprintf(note, sizeof note, "line %d", (int)i);
    bool good = dx_digest_add(d, dx_s(key), &c, &err) == DX_OK;
    if (good && dx_digest_wants_note(d))
        good = dx_digest_note(d, dx_s(note), &err) == DX_OK;
    if (!good)
        ok(false, "add: %s", err.msg);
}

static void finished(dx_digest *d, dx_buf *out) {
    dx_err err;
    ok(dx_digest_finish(d, &err) == DX_OK, "finish");
    dx_buf_init(out, 0);
    dx_digest_write(d, out);
    ok(dx_buf_ok(out), "written");
}

static void read_into(dx_digest *to, dx_slice bytes) {
    dx_err err;
    dx_unpack in = {bytes, false};
    dx_digest *part;
    dx_status st = dx_digest_read(&part, &in, &err);
    ok(st == DX_OK && in.rest.n == 0, "read back whole");
    if (st != DX_OK)
        return;
    ok(dx_digest_merge(to, part, &err) == DX_OK, "and merged");
    dx_digest_free(part);
}

static void test_parts(void) {
    enum { N = 60000, GROUPS = 500, PARTS = 3 };
    dx_digest *whole = dx_digest_new(), *sum = dx_digest_new();
    dx_buf want, got, part;
    for (uint64_t i = 0; i < N; i++)
        add_nth(whole, i, GROUPS);
    for (uint64_t p = 0; p < PARTS; p++) {
        dx_digest *d = dx_digest_new();
        for (uint64_t i = N; i-- > 0;)
            if (scatter(i) / 64 % PARTS == p)
                add_nth(d, i, GROUPS);
        finished(d, &part);
        read_into(sum, dx_buf_slice(&part));
        dx_digest_free(d);
        dx_buf_done(&part);
    }
    finished(whole, &want);
    finished(sum, &got);
    ok(dx_slice_eq(dx_buf_slice(&want), dx_buf_slice(&got)), "parts are the whole, bit for bit");
    const dx_digest_group *g = dx_digest_at(sum, 0);
    ok(g->calls > DX_DIGEST_EXACT && !g->proc_ms.exact, "a group that became a sketch");
    ok(g->proc_ms.p95 > 94000 && g->proc_ms.p95 < 96000, "tells its 95th within one per cent");
    ok(g->missed_calls == 0 && dx_digest_others(sum) == NULL, "nothing is missing");
    ok(g->hours->n == 500 && g->hours->shift == 3, "a thousand hours are told by twos");
    bool timed = true;
    for (size_t i = 0; i < dx_digest_count(sum); i++) {
        uint64_t calls = 0;
        for (size_t k = 0; k < dx_digest_at(sum, i)->hours->n; k++)
            calls += dx_digest_at(sum, i)->hours->spans[k].n;
        timed = timed && calls == dx_digest_at(sum, i)->calls;
    }
    ok(timed, "each call of each group is in one");
    ok(dx_slice_starts(g->note, "line "), "and the longest call is noted");
    for (size_t n = 0; n < got.n; n += 1 + n / 50) {
        dx_unpack in = {dx_sn(got.p, n), false};
        dx_digest *none;
        dx_err err;
        if (dx_digest_read(&none, &in, &err) != DX_E_PARSE)
            ok(false, "cut to %zu bytes it is read", n);
    }
    dx_digest_free(whole);
    dx_digest_free(sum);
    dx_buf_done(&want);
    dx_buf_done(&got);
}

/* Bytes of any kind are refused, or are a digest; they do no harm. */
static void test_mangled(void) {
    dx_digest *d = dx_digest_new();
    dx_buf b;
    size_t refused = 0;
    for (uint64_t i = 0; i < 300; i++)
        add_nth(d, i, 20);
    finished(d, &b);
    for (size_t i = 0; i < 4 * b.n; i++) {
        dx_digest *other = NULL, *sum = dx_digest_new();
        dx_err err;
        char kept = b.p[i / 4];
        b.p[i / 4] = (char)(kept ^ (char)(1 << (2 * (i % 4) + 1)));
        dx_unpack in = {dx_buf_slice(&b), false};
        if (dx_digest_read(&other, &in, &err) == DX_OK) {
            if (dx_digest_merge(sum, other, &err) != DX_OK || dx_digest_finish(sum, &err) != DX_OK)
                ok(false, "mangled: %s", err.msg);
        } else {
            refused++;
        }
        b.p[i / 4] = kept;
        dx_digest_free(other);
        dx_digest_free(sum);
    }
    ok(refused > b.n / 4, "mangled bytes are refused");
    dx_digest_free(d);
    dx_buf_done(&b);
}

/* A file may say that it has more calls than there can be: the sum of two is refused, and what was
 * merged before is as good as it was. */
static void test_lies(void) {
    dx_digest *sum = dx_digest_new(), *part = NULL, *again = NULL;
    dx_buf b, out;
    dx_err err;
    dx_buf_init(&b, 0);
    dx_pack_u64(&b, UINT64_C(1) << 56); /* missed calls and ms of every key */
    dx_pack_i64(&b, 3);
    dx_pack_u64(&b, 0); /* no others */
    dx_pack_u64(&b, 1);
    dx_pack_text(&b, dx_s("key"));
    dx_pack_u64(&b, (UINT64_C(1) << 55) + 1);
    for (int i = 0; i < 4; i++) /* missed calls and ms, first and last */
        dx_pack_i64(&b, i < 2 ? 0 : 5);
    for (int i = 0; i < 5; i++) /* no note, numbers, hours */
        dx_pack_u64(&b, 0);
    dx_unpack in = {dx_buf_slice(&b), false};
    ok(dx_digest_read(&part, &in, &err) == DX_OK && in.rest.n == 0, "a digest of 2^55 calls");
    ok(dx_digest_merge(sum, part, &err) == DX_OK, "once");
    is_int(dx_digest_merge(sum, part, &err), DX_E_LIMIT, "and not twice");
    finished(sum, &out);
    dx_unpack back = {dx_buf_slice(&out), false};
    ok(dx_digest_read(&again, &back, &err) == DX_OK, "what was written can be read");
    dx_digest_free(sum);
    dx_digest_free(part);
    dx_digest_free(again);
    dx_buf_done(&b);
    dx_buf_done(&out);
}

static void add_heavy(dx_digest *d, int n) {
    char key[32];
    for (int i = 0; i < n; i++) {
        snprintf(key, sizeof key, "heavy %d", i % 10);
        add(d, key, 1000, 1, 1, i, i);
    }
}

static void test_many(void) {
    enum { LIGHT = 150000, HEAVY = 5000 };
    dx_digest *d = dx_digest_new(), *sum = dx_digest_new();
    dx_buf b;
    dx_err err;
    char key[32];
    for (int i = 0; i < LIGHT; i++) {
        snprintf(key, sizeof key, "light %d", i);
        add(d, key, 1, 1, 1, i, i);
        if (i % 30 == 0)
            add_heavy(d, 1);
    }
    finished(d, &b);
    uint64_t calls = dx_digest_others(d)->calls;
    int64_t ms = dx_digest_others(d)->proc_ms.sum;
    for (size_t i = 0; i < dx_digest_count(d); i++) {
        calls += dx_digest_at(d, i)->calls;
        ms += dx_digest_at(d, i)->proc_ms.sum;
    }
    is_int(dx_digest_count(d), DX_DIGEST_GROUPS, "so many groups are kept");
    is_int(calls, LIGHT + HEAVY, "all calls are counted");
    is_int(ms, LIGHT + 1000 * HEAVY, "with all their time");
    is_slice(dx_digest_at(d, 0)->key, "heavy 0", "the heavy one is kept");
    is_int(dx_digest_at(d, 0)->calls, HEAVY, "with all of its calls");
    is_int(dx_digest_at(d, 0)->missed_calls, 0, "which is known");
    const dx_digest_group *last = dx_digest_at(d, DX_DIGEST_GROUPS - 1);
    ok(last->missed_calls > 0 && last->missed_calls < 10, "and a late one may lack a few");
    read_into(sum, dx_buf_slice(&b));
    read_into(sum, dx_buf_slice(&b));
    is_int(dx_digest_finish(sum, &err), DX_OK, "twice the same");
    is_int(dx_digest_at(sum, 0)->calls, 2 * HEAVY, "counts twice");
    is_int(dx_digest_at(sum, 0)->missed_calls, 0, "and the heavy one lacks nothing yet");
    is_int(dx_digest_others(sum)->calls, 2 * dx_digest_others(d)->calls, "nor do the others");
    dx_digest_free(d);
    dx_digest_free(sum);
    dx_buf_done(&b);
}

int main(void) {
    test_groups();
    test_quantiles();
    test_order_and_limits();
    test_parts();
    test_mangled();
    test_lies();
    test_many();
    return done();
}

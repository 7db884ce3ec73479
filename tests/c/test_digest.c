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

int main(void) {
    test_groups();
    test_quantiles();
    test_order_and_limits();
    return done();
}

/* dx_delta: what a pair of samples says, and when it says nothing. */
#include "dx_delta.h"
#include "tap.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Qualities as one letter a pair: o(k) r(eset) R(estart) c(ached) g(ap) m(oved) u(nknown) */
static const char letters[] = "orRcgmu";

static void expect(const char *what, const dx_point *p, size_t n, const dx_delta_opts *o,
                   const char *want, double total) {
    dx_delta out[16];
    char got[17] = {0};
    double sum = 0;
    dx_err err;
    is_int(dx_delta_run(p, n, o, out, &err), DX_OK, what);
    for (size_t i = 0; i + 1 < n; i++) {
        got[i] = letters[out[i].quality];
        sum += out[i].delta;
        ok(out[i].from_ms == p[i].t_ms && out[i].to_ms == p[i + 1].t_ms, "%s: ends of pair %zu",
           what, i);
    }
    is_str(got, want, what);
    is_real(sum, total, 1e-9, what);
}

static void test_plain(void) {
    const dx_point up[] = {{0, 10}, {11000, 12}, {22000, 12}, {33000, 20.5}};
    expect("a rising counter", up, COUNT(up), NULL, "ooo", 10.5);
    expect("one point", up, 1, NULL, "", 0);
    expect("no point", NULL, 0, NULL, "", 0);
    const dx_point fall[] = {{0, 100}, {11000, 110}, {22000, 3}, {33000, 9}};
    expect("a fall is a reset", fall, COUNT(fall), NULL, "oro", 16);
    dx_delta_opts sum = {.region_sum = 1};
    expect("a sum over regions that fell", fall, COUNT(fall), &sum, "omo", 16);
}

static void test_starts(void) {
    const dx_point p[] = {{0, 100}, {11000, 110}, {22000, 500}, {33000, 520}};
    const int64_t inside[] = {-5, 15000}, edge[] = {11000}, both[] = {12000, 13000, 33000};
    dx_delta_opts o = {.starts = inside, .nstarts = COUNT(inside)};
    expect("a restart hides behind a rise", p, COUNT(p), &o, "oRo", 30);
    o = (dx_delta_opts){.starts = edge, .nstarts = COUNT(edge)};
    expect("a start at a point belongs to the pair that ends there", p, COUNT(p), &o, "Roo", 410);
    o = (dx_delta_opts){.starts = both, .nstarts = COUNT(both)};
    expect("two starts in one pair, one in another", p, COUNT(p), &o, "oRR", 10);
    o.region_sum = 1;
    const dx_point fell[] = {{0, 100}, {20000, 1}};
    expect("a restart is said before a fall", fell, COUNT(fell), &o, "R", 0);
}

static void test_steps(void) {
    const dx_point twice[] = {{0, 1}, {900, 1}, {60000, 5}, {60800, 5}, {120000, 9}, {290000, 40}};
    expect("dumps taken twice in a second", twice, COUNT(twice), NULL, "cocoo", 39);
    dx_delta_opts o = {.gap_factor = 2};
    expect("a hole keeps its delta", twice, COUNT(twice), &o, "cocog", 39);
    o = (dx_delta_opts){.min_step_ms = 500};
    const dx_point fine[] = {{0, 1}, {900, 2}, {1000, 3}, {1900, 4}, {6000, 9}};
    expect("a finer step on demand", fine, COUNT(fine), &o, "ocog", 7);
    const dx_point two[] = {{0, 1}, {10000, 2}, {100000, 3}};
    expect("of two steps none is usual", two, COUNT(two), NULL, "oo", 2);
    const dx_point same[] = {{5, 1}, {5, 2}};
    expect("the same instant", same, COUNT(same), NULL, "c", 0);
    const dx_point fell[] = {{0, 9}, {100, 2}};
    expect("a fall is a reset however close", fell, COUNT(fell), NULL, "r", 0);
    const dx_point ends[] = {{INT64_MIN, 1}, {INT64_MAX, 2}};
    expect("the ends of time", ends, COUNT(ends), NULL, "o", 1);
}

static void test_odd(void) {
    const dx_point nan[] = {{0, 1}, {11000, NAN}, {22000, 3}, {33000, INFINITY}, {44000, 9}};
    expect("no number, nothing said", nan, COUNT(nan), NULL, "uuuu", 0);
    const dx_point huge[] = {{0, -1.7e308}, {11000, 1.7e308}};
    expect("a difference that is no number", huge, COUNT(huge), NULL, "u", 0);
    const dx_point back[] = {{5, 1}, {4, 2}};
    const int64_t down[] = {9, 3};
    dx_delta out[2];
    dx_err err;
    is_int(dx_delta_run(back, 2, NULL, out, &err), DX_E_USAGE, "times that descend");
    dx_delta_opts o = {.starts = down, .nstarts = 2};
    is_int(dx_delta_run(huge, 2, &o, out, &err), DX_E_USAGE, "starts that descend");
    o = (dx_delta_opts){.min_step_ms = -1};
    is_int(dx_delta_run(huge, 2, &o, out, &err), DX_E_USAGE, "a negative step");
    o = (dx_delta_opts){.gap_factor = NAN};
    is_int(dx_delta_run(huge, 2, &o, out, &err), DX_E_USAGE, "a factor that is no number");
    is_str(dx_quality_name(DX_Q_RESTART), "restart", "a name");
    is_str(dx_quality_name(DX_Q_UNKNOWN), "unknown", "the last name");
}

int main(void) {
    test_plain();
    test_starts();
    test_steps();
    test_odd();
    return done();
}

/* test_gclog_mangle.c - GC logs cut at each byte, with each byte replaced, and long lines of one
 * token: no error, never a read outside (under the sanitizers), never more than linear work. */
#include "gclog_seen.h"

#include <time.h>

static const char *const mangled[] = {
    T0 "[GC (Allocation Failure) " T0
       "[ParNew (promotion failed): 81920K->81920K(92160K), 0.5 secs]" T0 "[CMS" T0
       "[CMS-concurrent-mark: 9.643/9.647 secs] [Times: user=20.10 sys=0.41, real=9.65 "
       "secs]\n (concurrent mode failure): 900000K->500000K(900000K), 12.7 secs] "
       "980000K->500000K(1048576K), [Metaspace: 20480K->20480K(1069056K)], 13.25 secs] [Times: "
       "user=13.90 sys=0.31, real=13.25 secs]\n",
    T0 "[GC pause (G1 Evacuation Pause) (mixed) (to-space exhausted), 1.8 secs]\n"
       "      [Evacuation Failure: 1312.3 ms]\n   [Eden: 512.0M(512.0M)->0.0B(400.0M) Heap: "
       "1000.0M(1024.0M)->990,5M(1024.0M)]\n [Times: user=9.12 sys=0.80]\n" T0
       "Total time for which application threads were stopped: 1,5000000 seconds\n",
    U0
    "[gc,start    ] GC(7) Pause Young (Normal) (G1 Evacuation Pause)\n" U1
    "[gc] GC(7) To-space exhausted\n" U1
    "[gc] GC(7) Pause Young (Mixed) (x) (Evacuation Failure: Pinned) 900M->700M(1024M) 31.2ms\n" U1
    "[gc,cpu      ] GC(7) User=0.40s Sys=0.01s Real=0.03s\n"
    "[1930367167890ms][9ms] Allocation Stall (a (b)) 7.8ms\n"
    "[1.0s][safepoint] Safepoint \"X\", Total: 2142839 ns\n",
};

/* A copy without a byte to spare, so that the sanitizer sees a read behind it. */
static void feed_copy(const char *bytes, size_t n) {
    char *copy = malloc(n > 0 ? n : 1);
    dx_gclog *g = fresh();
    if (copy == NULL)
        exit(1);
    memcpy(copy, bytes, n);
    used = 0;
    if (!feed(g, dx_sn(copy, n)))
        ok(false, "an error for mangled lines: %s", err.msg);
    dx_gclog_free(g);
    free(copy);
}

static void test_mangled(void) {
    static const char marks[] = {'\0', '[', ']', '(', ')', '9', '\n', ' ', '\xff', '-', 'K'};
    for (size_t m = 0; m < sizeof mangled / sizeof *mangled; m++) {
        size_t n = strlen(mangled[m]);
        for (size_t i = 0; i <= n; i++) {
            feed_copy(mangled[m], i);
            feed_copy(mangled[m] + i, n - i);
        }
        char *text = malloc(n);
        if (text == NULL)
            exit(1);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < sizeof marks; k++) {
                memcpy(text, mangled[m], n);
                text[i] = marks[k];
                feed_copy(text, n);
            }
        free(text);
    }
    ok(true, "cut at each byte, with each byte replaced");
}

static void test_linear(void) {
    static const char *const unit[] = {"[",    "(",    "]",      "[GC (", "9",
                                       "9K->", "[1s]", "Heap: ", "GC("};
    const size_t n = 1u << 20;
    clock_t start = clock();
    char *text = malloc(n);
    if (text == NULL)
        exit(1);
    for (size_t u = 0; u < sizeof unit / sizeof *unit; u++) {
        static const char head[] = T0 "[GC ";
        for (size_t i = 0; i < n; i++)
            text[i] = unit[u][i % strlen(unit[u])];
        feed_copy(text, n);
        memcpy(text, head, sizeof head - 1);
        feed_copy(text, n);
    }
    free(text);
    ok((double)(clock() - start) / CLOCKS_PER_SEC < 20,
       "long lines cost no more than their length");
}

int main(void) {
    test_mangled();
    test_linear();
    return done();
}

/* test_logscan_skim.c - who wants calls alone gets the calls that a whole scan finds, at the same
 * lines and bytes, whatever lies between them and wherever a block or a window ends. */
#include "dx_logscan.h"
#include "tap.h"

#include <stdlib.h>

static const char *const pieces[] = {
    "2024-05-01 10:00:00,123 INFO  [main] regionserver.HRegionServer: STOPPED\n",
    "2024-05-01 10:00:01,5 INFO too short a stamp\n",
    "\tat org.apache.hadoop.hbase.too.ToolRunner.run(ToolRunner.java:70)\n",
    "\n",
    "\r\n",
    "2024-05-01 10:00:02,124 WARN  [h=1] ipc.RpcServer: (responseTooSlow): "
    "{\"starttimems\":1714557602000,\"method\":\"Get\",\"processingtimems\":124,"
    "\"client\":\"10.0.0.1:50\",\"queuetimems\":0}\r\n",
    "2024-05-01 10:00:03,124 WARN  [h=2] ipc.RpcServer: (responsetoolarge): "
    "{\"starttimems\":1714557603000,\"method\":\"Scan\",\"processingtimems\":7,"
    "\"client\":\"10.0.0.2:50\",\"queuetimems\":0}\n",
    /* broken over lines, its prefix alone on the first */
    "2024-05-01 10:00:04,124 WARN  [h=3] ipc.RpcServer: \n(operationTooSlow):\n"
    "{\"method\":\"Multi\",\n\"processingtimems\":12\n34,\n\"client\":\"a:1\",\n"
    "\"queuetimems\":0}\nbehind it\n",
    "2024-05-01 10:00:05,124 WARN  [h=4] ipc.RpcServer: (responseTooSlow): {\"method\":\"Get\",\n",
    "2024-05-01 10:00:06,124 INFO  [RS] regionserver.HRegionServer: Serving as "
    "rs7.example,16020,1714557000123, RpcServer on rs7.example/10.0.0.7:16020, sessionid=0x1\n",
    "2024-05-01 10:00:07,124 INFO  [main] util.VersionInfo: HBase 2.5.8\n",
    "the RegionTooBusyException, too much, Too\n",
    "(responseTooSlow)",
    "T",
    "2024-05-01 10:00:08,124 INFO  [c] regionserver.HStore: Started a big compaction, too\n",
};
#define PIECES (sizeof pieces / sizeof *pieces)

/* A call that the layout left without its head: its message ends, and has 1000 bytes. */
static void add_headless(dx_buf *log, unsigned pad) {
    static const char end[] =
        "\",\"processingtimems\":77,\"client\":\"10.9.9.9:1\",\"queuetimems\":3,\"class\":\"H\"}\n";
    dx_buf_adds(log, "2024-05-01 10:00:09,124 WARN  [h=5] ipc.RpcServer: ");
    for (size_t i = 0; i < 1000 + pad - sizeof end + 2; i++)
        dx_buf_addc(log, (char)('a' + i % 26));
    dx_buf_adds(log, end);
}

typedef struct found {
    dx_buf text;
    dx_coverage cov;
} found;

static dx_status on_call(void *arg, const dx_call *c, const dx_where *w, dx_err *err) {
    (void)err;
    dx_buf_addf(arg, "%" PRIu64 "@%" PRIu64 " %.*s %" PRId64 " %" PRId64 "\n", w->line, w->offset,
                (int)c->method.n, c->method.p, c->proc_ms, w->local_ms);
    return DX_OK;
}

static dx_status on_skip(void *arg, const char *reason, dx_slice sample, const dx_where *w,
                         dx_err *err) {
    (void)sample, (void)err;
    if (strstr(reason, "slow") != NULL || strstr(reason, "tag") != NULL)
        dx_buf_addf(arg, "%" PRIu64 " %s\n", w->line, reason);
    return DX_OK;
}

static found scan(dx_slice log, bool only_calls, bool copied) {
    found f;
    dx_input *in = NULL;
    dx_err err = {.msg = ""};
    dx_buf_init(&f.text, 0);
    const dx_sink sink = {
        .arg = &f.text, .call = on_call, .skip = on_skip, .only_calls = only_calls};
    dx_status st = copied ? dx_input_open_bytes(&in, log, "log", &err)
                          : dx_input_open_text(&in, log, "log", &err);
    if (st == DX_OK)
        st = dx_logscan(in, DX_LOG_PLAIN, &sink, &f.cov, &err);
    dx_input_close(in);
    if (st != DX_OK)
        dx_buf_addf(&f.text, "failed: %s\n", err.msg);
    return f;
}

static unsigned next(unsigned *seed) {
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 16 & 0x7fff;
}

/* Lines of no call in between: none, some, or more than a window holds. */
static void add_filler(dx_buf *log, unsigned *seed) {
    unsigned n = next(seed) % 16 == 0 ? next(seed) % 2000 : next(seed) % 12;
    for (unsigned i = 0; i < n; i++) {
        dx_buf_addf(log, "2024-05-01 10:00:%02u,%03u INFO  [t] a.B: ", i % 60, i % 1000);
        for (unsigned k = next(seed) % 90; k > 0; k--)
            dx_buf_addc(log, (char)('a' + k % 20));
        dx_buf_addc(log, '\n');
    }
}

static void make(dx_buf *log, unsigned seed) {
    unsigned n = 5 + next(&seed) % 40;
    dx_buf_init(log, 0);
    for (unsigned i = 0; i < n; i++) {
        add_filler(log, &seed);
        unsigned which = next(&seed) % (PIECES + 1);
        if (which == PIECES)
            add_headless(log, next(&seed) % 70);
        else
            dx_buf_adds(log, pieces[which]);
    }
    if (seed % 3 == 0 && log->n > 0)
        log->n--; /* no line end at the end */
}

static bool same(const found *whole, const found *calls) {
    return dx_slice_eq(dx_buf_slice(&whole->text), dx_buf_slice(&calls->text))
           && whole->cov.lines == calls->cov.lines && whole->cov.bytes == calls->cov.bytes
           && whole->cov.calls == calls->cov.calls
           && dx_str_eq(whole->cov.server, calls->cov.server)
           && dx_str_eq(whole->cov.version, calls->cov.version);
}

static void test_random(void) {
    size_t calls = 0, bad = 0;
    for (unsigned seed = 1; seed <= 600 && bad == 0; seed++) {
        dx_buf log;
        make(&log, seed);
        found whole = scan(dx_buf_slice(&log), false, seed % 2 == 0);
        found few = scan(dx_buf_slice(&log), true, seed % 2 == 0);
        calls += whole.cov.calls;
        if (!same(&whole, &few)) {
            bad = seed;
            printf("# %" PRIu64 " and %" PRIu64 " lines, calls\n# %.*s# against\n# %.*s",
                   whole.cov.lines, few.cov.lines, (int)whole.text.n, whole.text.p, (int)few.text.n,
                   few.text.p);
        }
        dx_buf_done(&whole.text);
        dx_buf_done(&few.text);
        dx_buf_done(&log);
    }
    ok(calls > 3000, "%zu calls", calls);
    is_int((int64_t)bad, 0, "the same calls and lines in every log (else its seed)");
}

/* A call behind so many bytes of lines without one. */
static void test_every_place(void) {
    size_t bad = 0;
    for (size_t before = 0; before < 400; before++) {
        dx_buf log;
        dx_buf_init(&log, 0);
        for (size_t i = 0; i < before; i++)
            dx_buf_addc(&log, i % 61 == 60 ? '\n' : 'x');
        dx_buf_addc(&log, '\n');
        dx_buf_adds(&log, pieces[before % 2 == 0 ? 5 : 6]);
        found whole = scan(dx_buf_slice(&log), false, true);
        found few = scan(dx_buf_slice(&log), true, true);
        bad += !same(&whole, &few) || few.cov.calls != 1;
        dx_buf_done(&whole.text);
        dx_buf_done(&few.text);
        dx_buf_done(&log);
    }
    is_int((int64_t)bad, 0, "a call is found at every distance from a block");
}

static void test_coverage(void) {
    static const char log[] = "nothing\n2024-05-01 09:00:00,000 INFO  [a] b.C: first\n\tat x\n"
                              "2024-05-01 09:30:00,000 INFO  [a] b.C: last\n\tat y\n";
    found f = scan(dx_s(log), true, false);
    is_int(f.cov.head.local_ms, INT64_C(1714554000000), "the first stamp");
    is_int(f.cov.tail.local_ms, INT64_C(1714555800000), "the last stamp");
    is_int((int64_t)f.cov.lines, 5, "all lines");
    is_int((int64_t)f.cov.records, 0, "no records but calls");
    dx_coverage_settle(&f.cov);
    is_int(f.cov.last_local_ms, INT64_C(1714555800000), "which count at the end");
    dx_buf_done(&f.text);
    f = scan(dx_s(""), true, false);
    ok(f.cov.lines == 0 && f.cov.head.local_ms == DX_TIME_NONE, "an empty log");
    dx_buf_done(&f.text);
}

int main(void) {
    test_random();
    test_every_place();
    test_coverage();
    return done();
}

/* test_calls_pieces.c - a rotated log in dx_calls: pieces that begin within a record give the calls
 * of the whole, with any number of threads. */
#define _XOPEN_SOURCE 700 /* mkdtemp, P_tmpdir */
#include "dx_calls.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

#define PIECES 3
#define CALLS  25000 /* more than a unit in each piece */

typedef struct pieces {
    char folder[256], paths[PIECES][288];
    dx_calls_file files[PIECES];
} pieces;

/* A call over several lines, some with a stack trace behind. */
static void call(dx_buf *b, int i) {
    dx_buf_addf(b,
                "2026-11-30 %02d:%02d:%02d,000 WARN  [h=%d] ipc.RpcServer: (responseTooSlow): "
                "{\"call\":\"Scan(x)\",\n\"starttimems\":%lld,\"responsesize\":%d,\n"
                "\"method\":\"Scan\",\"processingtimems\":%d,\"client\":\"10.0.0.%d:4%04d\",\n"
                "\"queuetimems\":%d,\"class\":\"HRegionServer\"}\n",
                i / 3600 % 24, i / 60 % 60, i % 60, i % 7, 1796068800000LL + i, i, i % 977, i % 40,
                i % 9999, i % 13);
    if (i % 5 == 0)
        dx_buf_adds(b, "java.io.IOException: x\n\tat a.b.C.d(C.java:1)\n");
}

static dx_buf whole_log(void) {
    dx_buf b;
    dx_buf_init(&b, 0);
    for (int i = 0; i < CALLS; i++)
        call(&b, i);
    return b;
}

/* The first line end at or behind a place. */
static size_t line_at(dx_slice log, size_t at) {
    ptrdiff_t end = dx_slice_find_char(log, '\n', at);
    return end < 0 ? log.n : (size_t)end + 1;
}

/* Cut at equal parts, and so many lines behind: within a record or between two. */
static void write_pieces(pieces *p, dx_slice log, size_t lines) {
    size_t from = 0;
    for (size_t i = 0; i < PIECES; i++) {
        size_t to = i + 1 == PIECES ? log.n : line_at(log, log.n / PIECES * (i + 1));
        for (size_t k = 0; k < lines + i && to < log.n; k++)
            to = line_at(log, to);
        FILE *f = fopen(p->paths[i], "wb");
        bool good = f != NULL && fwrite(log.p + from, 1, to - from, f) == to - from;
        if (f == NULL || fclose(f) != 0 || !good)
            ok(false, "cannot write %s", p->paths[i]);
        from = to;
    }
}

static uint64_t calls_in_two(pieces *p, dx_slice log, size_t cut) {
    static const char *const by[] = {"method"};
    const dx_calls_opts opts = {
        .by = by, .n = 1, .from_ms = DX_TIME_NONE, .to_ms = DX_TIME_NONE, .threads = 1};
    const dx_slice parts[] = {dx_slice_sub(log, 0, cut), dx_slice_sub(log, cut, log.n)};
    dx_calls *c = NULL;
    dx_err err;
    for (size_t i = 0; i < 2; i++) {
        FILE *f = fopen(p->paths[i], "wb");
        if (f == NULL || fwrite(parts[i].p, 1, parts[i].n, f) != parts[i].n || fclose(f) != 0)
            ok(false, "cannot write %s", p->paths[i]);
        p->files[i] = (dx_calls_file){.path = p->paths[i], .name = p->paths[i], .goes_on = i > 0};
    }
    if (dx_calls_new(&c, &opts, &err) != DX_OK || dx_calls_read(c, p->files, 2, &err) != DX_OK)
        ok(false, "not read: %s", err.msg);
    dx_calls_free(c);
    for (size_t i = 0; i < 2; i++)
        dx_calls_file_done(&p->files[i]);
    return p->files[0].cov.calls + p->files[1].cov.calls;
}

/* Rotation cuts the line of a call, with a tag or without its head. */
static void test_cut_line(pieces *p) {
#define INFO "2026-11-30 20:00:00,000 INFO  [main] regionserver.HRegion: nothing of ours\n"
#define HEAD "2026-11-30 20:00:01,000 WARN  [h=1] ipc.RpcServer: "
    static const char tail[] = "\"processingtimems\":77,\"client\":\"10.0.0.1:1\","
                               "\"queuetimems\":3,\"class\":\"H\"}\n";
    for (int headless = 0; headless < 2; headless++) {
        dx_buf log;
        size_t bad = 0;
        dx_buf_init(&log, 0);
        dx_buf_adds(&log, INFO INFO INFO INFO);
        size_t from = log.n;
        dx_buf_adds(&log, headless ? HEAD : HEAD "(responseTooSlow): {\"method\":\"Get\",");
        for (size_t i = 0; headless && i < 1000 - sizeof tail; i++)
            dx_buf_addc(&log, i + 2 == 1000 - sizeof tail ? '"' : 'x');
        if (headless)
            dx_buf_addc(&log, ',');
        dx_buf_adds(&log, tail);
        size_t to = log.n;
        dx_buf_adds(&log, INFO INFO);
        for (size_t cut = from + sizeof HEAD - 1; cut <= to; cut++)
            bad += calls_in_two(p, dx_buf_slice(&log), cut) != 1;
        is_int((int64_t)bad, 0, headless ? "a call without its head, cut anywhere" : "a call, cut");
        dx_buf_done(&log);
    }
}

static void read_with(pieces *p, unsigned threads, uint64_t lines, dx_buf *out) {
    static const char *const by[] = {"method", "client"};
    const dx_calls_opts opts = {
        .by = by, .n = 2, .from_ms = DX_TIME_NONE, .to_ms = DX_TIME_NONE, .threads = threads};
    dx_calls *c = NULL;
    dx_err err;
    uint64_t all = 0, calls = 0, skipped = 0;
    dx_buf_init(out, 0);
    for (size_t i = 0; i < PIECES; i++)
        p->files[i] = (dx_calls_file){.path = p->paths[i], .name = p->paths[i], .goes_on = i > 0};
    if (dx_calls_new(&c, &opts, &err) != DX_OK || dx_calls_read(c, p->files, PIECES, &err) != DX_OK
        || dx_calls_write(c, dx_s(""), out, &err) != DX_OK)
        ok(false, "not read: %s", err.msg);
    for (size_t i = 0; i < PIECES; i++) {
        all += p->files[i].cov.lines;
        calls += p->files[i].cov.calls;
        skipped += p->files[i].cov.skipped;
    }
    is_int(calls, CALLS, "all calls");
    is_int(skipped, 0, "none of them cut");
    is_int(all, lines, "each line is of one piece");
    dx_calls_free(c);
    for (size_t i = 0; i < PIECES; i++)
        dx_calls_file_done(&p->files[i]);
}

static void test_cuts(pieces *p) {
    dx_buf log = whole_log(), one, many;
    uint64_t lines = 0;
    for (size_t i = 0; i < log.n; i++)
        lines += log.p[i] == '\n';
    for (size_t at = 0; at < 4; at++) {
        write_pieces(p, dx_buf_slice(&log), at);
        read_with(p, 1, lines, &one);
        read_with(p, 3, lines, &many);
        ok(dx_slice_eq(dx_buf_slice(&one), dx_buf_slice(&many)), "threads change nothing");
        dx_buf_done(&one);
        dx_buf_done(&many);
    }
    dx_buf_done(&log);
}

int main(void) {
    pieces p = {.folder = ""};
    const char *tmp = getenv("TMPDIR");
    snprintf(p.folder, sizeof p.folder, "%.200s/hbdx-pieces-XXXXXX", tmp == NULL ? P_tmpdir : tmp);
    ok(mkdtemp(p.folder) != NULL, "a folder");
    for (size_t i = 0; i < PIECES; i++)
        snprintf(p.paths[i], sizeof p.paths[i], "%s/%zu", p.folder, i);
    test_cuts(&p);
    test_cut_line(&p);
    for (size_t i = 0; i < PIECES; i++)
        unlink(p.paths[i]);
    rmdir(p.folder);
    return done();
}

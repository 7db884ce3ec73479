/* test_logscan_seam.c - a rotated log: its pieces give the records of the whole, wherever the log
 * was cut, and each line is one piece's. */
#define _XOPEN_SOURCE 700 /* mkdtemp, P_tmpdir */
#include "dx_logscan.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

#define P(s) "2024-05-01 10:00:" s ",000 "
#define E32  "0123456789abcdef0123456789abcdef"
#define BODY                                                                                       \
    "{\"call\":\"Get(x$GetRequest)\",\"starttimems\":\"1714550400000\",\"responsesize\":\"12\","   \
    "\"method\":\"Get\",\"param\":\"region= t1,a,1." E32 "., row=}{\\\"x\",\"processingtimems\":"  \
    "7,\"client\":\"10.0.0.1:50\",\"queuetimems\":0,\"class\":\"HRegionServer\"}"
#define FLUSH                                                                                      \
    "INFO  [f.0] regionserver.HRegion: Finished flush of dataSize ~4 MB/4194304, heapSize ~4 "     \
    "MB/4194304, currentSize=0 B/0 for " E32 " in 12ms, sequenceid=3, compaction requested=false"
#define BUSY                                                                                       \
    "WARN  [h=2] regionserver.HRegion: Region is too busy due to exceeding memstore size limit."   \
    "\norg.apache.hadoop.hbase.RegionTooBusyException: Over memstore limit=8.0 M, regionName=" E32 \
    ", server=rs1,16020,1714550400500\n\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)\n"

static const char plain_log[] = "Mon May  1 10:00:00 UTC 2024 Starting regionserver on rs1\n" P(
    "00") "INFO  [main] util.VersionInfo: HBase 2.5.8\n" P("01") "INFO  [main] "
                                                                 "regionserver.HRegionServer: "
                                                                 "Serving as "
                                                                 "rs1,16020,1714550400500, "
                                                                 "RpcServer"
                                                                 " on rs1/10.0.0.9:16020, "
                                                                 "sessionid=0x1\n" P(
                                                                     "02") "WARN  [h=1] "
                                                                           "ipc.RpcServer: "
                                                                           "(responseTooSlow):"
                                                                           " " BODY
                                                                           "\n\tat "
                                                                           "a.B.c(B.java:1)\n" P(
                                                                               "03") FLUSH
    "\n" P("04") BUSY P("04")
        BUSY P("05") "INFO  [q] c.a.Dao: returned=60 scanned=42000 filtered=41940 rpcs=2\r\n" P(
            "06") "WARN  [j] util.JvmPauseMonitor: Detected pause in JVM or host machine (eg "
                  "GC): pause of approximately 2345ms\nGC pool 'ParNew' had collection(s): "
                  "count=2 time=310ms\n" P(
                      "07") "WARN [t] ipc.RpcServer - (responseTooLarge):\n{\"method\":\"Get\",\n"
                            "\"processingtimems\":12\n34,\n\"client\":\"a:1\",\n\"queuetimems\":0}"
                            "\nbehind\n" P(
                                "10") "INFO  [x] mapreduce.Job: Counters\n\tROWS_SCANNED=700\n"
                                      "\tRPC_CALLS=8\n" P("11") FLUSH "\n";

#define DOCKER(text)                                                                               \
    "{\"log\":\"" text "\",\"stream\":\"stdout\",\"time\":\"2024-05-01T08:00:05.1Z\"}\n"
#define CRI(piece, text) "2024-05-01T08:00:05.123Z stdout " piece " " text "\n"
static const char docker_log[] = DOCKER(P("01") FLUSH "\\n")
    DOCKER(P("02") "WARN [t] ipc.RpcServer: (responseTooLarge): {\\\"processingtimems\\\""
                   ":5,") DOCKER("\\\"method\\\":\\\"Get\\\"}\\n") DOCKER(P("03") FLUSH "\\n");
static const char cri_log[] =
    CRI("P", P("03") "INFO  [q] c.a.Dao: returned=60 sca") CRI("P", "nned=42000 filtered=")
        CRI("F", "41940") CRI("F", P("04") FLUSH) CRI("F", P("05") FLUSH);

/* --- what a scan tells, without the place */

typedef struct seen {
    dx_buf text;
    uint64_t lines, records, out_of_order;
} seen;

static dx_status on_call(void *arg, const dx_call *c, const dx_where *w, dx_err *err) {
    seen *s = arg;
    (void)err;
    dx_buf_addf(&s->text, "call %.*s %" PRId64 " %" PRId64 " %" PRIx64 "\n", (int)c->method.n,
                c->method.p, c->proc_ms, w->local_ms, w->record_hash);
    return DX_OK;
}

static dx_status on_event(void *arg, const dx_event *e, const dx_where *w, dx_err *err) {
    seen *s = arg;
    (void)err;
    dx_buf_addf(&s->text, "event %s %.*s %" PRId64 " %" PRIx64, dx_event_kind_of(e->id)->name,
                (int)e->encoded.n, e->encoded.n == 0 ? "" : e->encoded.p, w->local_ms,
                w->record_hash);
    for (size_t i = 0; i < e->n; i++)
        dx_buf_addf(&s->text, " %s=%" PRId64, e->fields[i].name, e->fields[i].i);
    dx_buf_addc(&s->text, '\n');
    return DX_OK;
}

static dx_status on_scan(void *arg, const dx_scan *f, const dx_where *w, dx_err *err) {
    seen *s = arg;
    (void)err, (void)w;
    dx_buf_addf(&s->text, "scan %" PRId64 " %" PRId64 "\n", f->scanned, f->rpcs);
    return DX_OK;
}

static dx_status on_skip(void *arg, const char *reason, dx_slice sample, const dx_where *w,
                         dx_err *err) {
    seen *s = arg;
    (void)err, (void)sample, (void)w;
    dx_buf_addf(&s->text, "skip %s\n", reason);
    return DX_OK;
}

#define PIECES 4
typedef struct set {
    char folder[256], paths[PIECES][288];
    const char *names[PIECES];
} set;

static void scan_piece(const set *of, size_t i, size_t n, uint64_t *taken, int64_t *last,
                       seen *out) {
    const dx_sink sink = {
        .arg = out, .call = on_call, .event = on_event, .scan = on_scan, .skip = on_skip};
    dx_log_seam seam = {.skip = taken[i],
                        .before_local_ms = *last,
                        .next = &of->names[i + 1],
                        .n = n - i - 1,
                        .taken = &taken[i + 1]};
    dx_coverage cov;
    dx_input *in = NULL;
    dx_err err;
    if (dx_input_open(&in, of->names[i], &err) != DX_OK
        || dx_logscan_piece(in, &seam, &sink, &cov, &err) != DX_OK)
        ok(false, "a piece is not read: %s", err.msg);
    dx_input_close(in);
    *last = cov.end_local_ms;
    out->lines += cov.lines;
    out->records += cov.records;
    out->out_of_order += cov.out_of_order;
}

/* The log cut before these bytes, n - 1 of them. */
static seen scan_set(const set *of, dx_slice log, const size_t *cuts, size_t n) {
    uint64_t taken[PIECES + 1] = {0};
    int64_t last = DX_TIME_NONE;
    seen out = {.lines = 0};
    dx_buf_init(&out.text, 0);
    for (size_t i = 0; i < n; i++) {
        dx_slice piece = dx_slice_sub(log, i == 0 ? 0 : cuts[i - 1], i + 1 == n ? log.n : cuts[i]);
        FILE *f = fopen(of->names[i], "wb");
        if (f == NULL || fwrite(piece.p, 1, piece.n, f) != piece.n)
            ok(false, "cannot write %s", of->names[i]);
        if (f != NULL)
            fclose(f);
    }
    for (size_t i = 0; i < n; i++)
        scan_piece(of, i, n, taken, &last, &out);
    return out;
}

static bool same(const set *of, dx_slice log, const size_t *cuts, size_t n, const seen *whole) {
    seen got = scan_set(of, log, cuts, n);
    bool text = dx_slice_eq(dx_buf_slice(&got.text), dx_buf_slice(&whole->text));
    bool good = text && got.lines == whole->lines && got.records == whole->records
                && got.out_of_order == whole->out_of_order;
    if (!good)
        printf("# cut at %zu: %.*s\n", cuts[0], (int)got.text.n, got.text.p);
    dx_buf_done(&got.text);
    return good;
}

static size_t lines_of(dx_slice log, size_t *starts, size_t max) {
    size_t n = 0;
    for (size_t i = 0; i + 1 < log.n && n < max; i++)
        if (log.p[i] == '\n')
            starts[n++] = i + 1;
    return n;
}

static void check(const set *of, const char *text, const char *what) {
    dx_slice log = dx_s(text);
    size_t starts[64], n = lines_of(log, starts, 64), bad = 0;
    seen whole = scan_set(of, log, NULL, 1);
    ok(whole.text.n > 0, "%s is read", what);
    for (size_t i = 0; i < n; i++)
        bad += !same(of, log, &starts[i], 2, &whole);
    is_int(bad, 0, "cut in two at any line: the same records");
    bad = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        const size_t cuts[] = {starts[i], starts[i + 1], log.n};
        bad += !same(of, log, cuts, 4, &whole);
    }
    is_int(bad, 0, "a line as a piece of its own, and an empty piece behind: the same records");
    dx_buf_done(&whole.text);
}

/* Tools that split by bytes cut within lines; what comes next begins no record. */
static void test_bytes(const set *of) {
    static const char text[] = P("03") FLUSH "\n" P("04") "INFO  [a] b.C: x\n";
    dx_slice log = dx_s(text);
    seen whole = scan_set(of, log, NULL, 1);
    size_t bad = 0, first = (size_t)dx_slice_find_char(log, '\n', 0);
    for (size_t at = strlen(P("03") "INFO  [f.0]"); at <= first; at++) {
        seen got = scan_set(of, log, &at, 2);
        bad += at < first && got.text.n != whole.text.n;
        dx_buf_done(&got.text);
    }
    is_int(bad, 0, "cut within a line: it is mended");
    dx_buf_done(&whole.text);
}

int main(void) {
    set of = {.folder = ""};
    const char *tmp = getenv("TMPDIR");
    snprintf(of.folder, sizeof of.folder, "%.200s/hbdx-seam-XXXXXX", tmp == NULL ? P_tmpdir : tmp);
    ok(mkdtemp(of.folder) != NULL, "a folder");
    for (size_t i = 0; i < PIECES; i++) {
        snprintf(of.paths[i], sizeof of.paths[i], "%s/%zu", of.folder, i);
        of.names[i] = of.paths[i];
    }
    check(&of, plain_log, "a log");
    check(&of, docker_log, "a container's log");
    check(&of, cri_log, "a log in pieces of lines");
    test_bytes(&of);
    for (size_t i = 0; i < PIECES; i++)
        unlink(of.paths[i]);
    rmdir(of.folder);
    return done();
}

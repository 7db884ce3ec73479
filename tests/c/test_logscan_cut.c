/* test_logscan_cut.c - a log that is cut in two, at any byte: its parts tell what the whole tells,
 * but for the record that the cut goes through. */
#include "dx_logscan.h"
#include "tap.h"

#include <stdlib.h>

#define P(s) "2024-05-01 10:00:" s ",000 "
#define E32  "0123456789abcdef0123456789abcdef"
#define BODY                                                                                       \
    "{\"call\":\"Get(x$GetRequest)\",\"starttimems\":\"1714550400000\",\"responsesize\":\"12\","   \
    "\"method\":\"Get\",\"param\":\"region= t1,a,1." E32 "., row=}{\\\"x\",\"processingtimems\":"  \
    "7,\"client\":\"10.0.0.1:50\",\"queuetimems\":0,\"class\":\"HRegionServer\"}"
#define CALL "WARN  [h=1] ipc.RpcServer: (responseTooSlow): " BODY
#define FLUSH                                                                                      \
    "INFO  [f.0] regionserver.HRegion: Finished flush of dataSize ~4 MB/4194304, heapSize ~4 "     \
    "MB/4194304, currentSize=0 B/0 for " E32 " in 12ms, sequenceid=3, compaction requested=false"

/* Each text is a record with all that belongs to it. One that is not whole stands at the end: half
 * a stamp behind it would be taken for more of it. */
static const char *const log_records[] = {
    "Mon May  1 10:00:00 UTC 2024 Starting regionserver on rs1\n",
    P("00") "INFO  [main] util.VersionInfo: HBase 2.5.8\n",
    P("01") "INFO  [main] regionserver.HRegionServer: Serving as rs1,16020,1714550400500, "
            "RpcServer "
            "on rs1/10.0.0.9:16020, sessionid=0x1\n",
    P("02") CALL "\n\tat a.B.c(B.java:1)\nCaused by: java.io.IOException: (responseTooFast): x\n",
    P("03") FLUSH "\n",
    P("04") "WARN  [h=2] regionserver.HRegion: Region is too busy due to exceeding memstore size "
            "limit.\norg.apache.hadoop.hbase.RegionTooBusyException: Over memstore limit=8.0 M, "
            "regionName=" E32 ", server=rs1,16020,1714550400500\n\tat a.B.c(B.java:1)\n\n",
    P("05") "INFO  [q] c.a.Dao: returned=60 scanned=42000 filtered=41940 rpcs=2\r\n",
    P("06") "WARN  [j] util.JvmPauseMonitor: Detected pause in JVM or host machine (eg GC): pause "
            "of approximately 2345ms\nGC pool 'ParNew' had collection(s): count=2 time=310ms\n",
    P("07") "WARN [t] ipc.RpcServer - (responseTooLarge):\n{\"method\":\"Get\",\n"
            "\"processingtimems\":12\n34,\n\"client\":\"a:1\",\n\"queuetimems\":0}\nbehind\n",
    P("09") "INFO  [x] a.B: nothing\nreturned=5 scanned=60 rpcs=1\n",
    P("10") "INFO  [x] mapreduce.Job: Counters\n\tROWS_SCANNED=700\n\tRPC_CALLS=8\n",
    "ipc.RpcServer: (responseTooSlow): " BODY "\n",
    P("11") "WARN  [s] HStore: Completed compaction of three files\n",
    P("12") "WARN  [h=3] ipc.RpcServer: (responseTooLarge): {\"method\":\"Scan\",\"call\":\"S",
};

#define DOCKER(stream, text)                                                                       \
    "{\"log\":\"" text "\\n\",\"stream\":\"" stream "\",\"time\":\"2024-05-01T08:00:05.1Z\"}\n"
#define CRI(piece, text) "2024-05-01T08:00:05.123Z stdout " piece " " text "\n"
static const char *const wrapped_records[] = {
    DOCKER("stdout", P("01") FLUSH),
    CRI("F", P("02") FLUSH),
    CRI("P", P("03") "INFO  [q] c.a.Dao: returned=60 sca") "2024-05-01T08:00:05.2Z stderr F " P(
        "03") FLUSH "\n" CRI("F", "nned=42000 filtered=41940"),
    CRI("F", P("04") CALL),
    "May 01 10:00:05 rs1 hbase[71]: " P("05") FLUSH "\n",
    DOCKER("stderr", P("06") "WARN [t] ipc.RpcServer: (responseTooLarge): {\\\"processingtimems\\\""
                             ":5,\\\"method\\\":\\\"Get\\\"}"),
};

#define RING(proc)                                                                                 \
    "{\n  \"startTime\": 1714550400000,\n  \"processingTime\": " proc ",\n  \"methodName\": "      \
    "\"Get\",\n  \"param\": \"region= t1,}{,1." E32 "., row=a\"\n},\n"
static const char *const ring_records[] = {
    "Retrieved SlowLog Responses from 2 RegionServers\n",
    "[\n",
    RING("5"),
    RING("6"),
    "{\n  \"startTime\": 17145504\n",
    RING("7"),
    "]\nTook 0.1 seconds\n",
};

#define CELL(row, name, value)                                                                     \
    " \\x00\\x0" row "        column=info:" name                                                   \
    ", timestamp=2024-05-01T10:00:02.000, value=" value "\n"
/* Wrapped where the terminal ends: no line is wider. */
#define WIDE(row, name, value, more) CELL(row, name, value) "                 " more "\n"
#define ROW(row, proc)                                                                             \
    CELL(row, "method_name", "Get")                                                                \
    WIDE(row, "param", "region= t1,a,1." E32 "., ro", "w=b")                                       \
    CELL(row, "processing_time", proc) CELL(row, "start_time", "5")
static const char *const table_records[] = {
    "ROW                  COLUMN+CELL\n",
    ROW("1", "11"),
    ROW("2", "12"),
    ROW("3", "13"),
    "3 row(s)\n",
};

#define SEEN_MAX 64
typedef struct thing {
    uint64_t offset, line, hash; /* hash: of all that was told */
} thing;

typedef struct seen {
    thing things[SEEN_MAX];
    size_t n;
    dx_coverage cov;
} seen;

static uint64_t hash_text(uint64_t h, dx_slice s) {
    return dx_hash(s.p, s.n, h + s.n);
}

static uint64_t hash_number(uint64_t h, int64_t v) {
    return dx_hash(&v, sizeof v, h);
}

static dx_status add(seen *s, const dx_where *w, uint64_t h) {
    h = hash_text(hash_number(h, w->local_ms), w->thread);
    if (s->n < SEEN_MAX)
        s->things[s->n++] = (thing){w->offset, w->line, hash_number(h, (int64_t)w->record_hash)};
    return DX_OK;
}

static dx_status on_call(void *arg, const dx_call *c, const dx_where *w, dx_err *err) {
    (void)err;
    uint64_t h = hash_number(hash_number(hash_text(1, c->method), c->proc_ms), c->start_ms);
    return add(arg, w, hash_text(hash_text(h, c->region), c->row));
}

static dx_status on_event(void *arg, const dx_event *e, const dx_where *w, dx_err *err) {
    (void)err;
    uint64_t h = hash_text(hash_text(e->id, e->encoded), e->server);
    for (size_t i = 0; i < e->n; i++)
        h = e->fields[i].type == DX_FIELD_TEXT ? hash_text(h, e->fields[i].s)
                                               : hash_number(h, e->fields[i].i);
    return add(arg, w, h);
}

static dx_status on_scan(void *arg, const dx_scan *f, const dx_where *w, dx_err *err) {
    (void)err;
    return add(arg, w, hash_number(hash_number(2, f->scanned), f->rpcs));
}

static dx_status on_skip(void *arg, const char *reason, dx_slice sample, const dx_where *w,
                         dx_err *err) {
    (void)err;
    return add(arg, w, hash_text(hash_text(3, dx_s(reason)), sample));
}

static seen scan(dx_slice text, dx_log_form form) {
    seen s = {.n = 0};
    dx_sink sink = {
        .arg = &s, .call = on_call, .event = on_event, .scan = on_scan, .skip = on_skip};
    dx_input *in = NULL;
    dx_err err;
    if (dx_input_open_bytes(&in, text, "log", &err) != DX_OK
        || dx_logscan(in, form, &sink, &s.cov, &err) != DX_OK)
        ok(false, "a part is not read: %s", err.msg);
    dx_input_close(in);
    return s;
}

/* Appends what stands in [from, to) of the whole, told by a part that begins at byte `at`. */
static void take(seen *out, const seen *part, uint64_t at, uint64_t lines, uint64_t from,
                 uint64_t to) {
    for (size_t i = 0; i < part->n; i++) {
        thing t = part->things[i];
        t.offset += at;
        t.line += lines;
        if (t.offset >= from && t.offset < to && out->n < SEEN_MAX)
            out->things[out->n++] = t;
    }
}

static bool same(const seen *a, const seen *b) {
    bool good = a->n == b->n;
    for (size_t i = 0; good && i < a->n; i++)
        good = a->things[i].offset == b->things[i].offset && a->things[i].line == b->things[i].line
               && a->things[i].hash == b->things[i].hash;
    return good;
}

static bool same_counts(const dx_coverage *whole, const dx_coverage *a, const dx_coverage *b) {
    return whole->bytes == a->bytes + b->bytes && whole->lines == a->lines + b->lines
           && whole->records == a->records + b->records && whole->calls == a->calls + b->calls
           && whole->events == a->events + b->events && whole->scans == a->scans + b->scans
           && whole->skipped == a->skipped + b->skipped;
}

/* The record that begins at `from` and ends before `to` is left out where the cut is within it. */
static bool cut_at(dx_slice log, dx_log_form form, const seen *whole, size_t at, uint64_t from,
                   uint64_t to) {
    seen a = scan(dx_slice_sub(log, 0, at), form), b = scan(dx_slice_sub(log, at, log.n), form);
    seen want = {.n = 0}, got = {.n = 0};
    uint64_t lines = 0;
    for (size_t i = 0; i < at; i++)
        lines += log.p[i] == '\n';
    if (at == from)
        to = from;
    take(&want, whole, 0, 0, 0, from);
    take(&want, whole, 0, 0, to, log.n);
    take(&got, &a, 0, 0, 0, from);
    take(&got, &b, at, lines, to, log.n);
    return same(&want, &got) && (at != from || same_counts(&whole->cov, &a.cov, &b.cov));
}

/* blind: of a record's first bytes, those in which a cut is not tried. */
static void check(const char *const *records, size_t n, dx_log_form form, size_t things,
                  size_t blind, const char *what) {
    dx_buf log;
    size_t starts[32], wrong = 0, inside = 0;
    dx_buf_init(&log, 0);
    for (size_t i = 0; i < n; i++) {
        starts[i] = log.n;
        dx_buf_adds(&log, records[i]);
    }
    starts[n] = log.n;
    seen whole = scan(dx_buf_slice(&log), form);
    is_int(whole.n, things, what);
    for (size_t i = 0; i < n; i++)
        for (size_t at = starts[i]; at < starts[i + 1]; at++)
            if ((at == starts[i] || at > starts[i] + blind)
                && !cut_at(dx_buf_slice(&log), form, &whole, at, starts[i], starts[i + 1])) {
                *(at == starts[i] ? &wrong : &inside) += 1;
                printf("# cut at byte %zu, %zu of record %zu\n", at, at - starts[i], i);
            }
    is_int(wrong, 0, "cut where a record begins: all of it");
    is_int(inside, 0, "cut at any other byte: all but the record that is cut");
    dx_buf_done(&log);
}

#define CHECK(records, form, things, blind)                                                        \
    check(records, sizeof(records) / sizeof *(records), form, things, blind, #records)

int main(void) {
    CHECK(log_records, DX_LOG_PLAIN, 13, 0);
    CHECK(wrapped_records, DX_LOG_PLAIN, 7, 0);
    CHECK(ring_records, DX_LOG_RING, 4, 0);
    /* a key and blanks without "column=" are how the cell before goes on where it is wrapped */
    CHECK(table_records, DX_LOG_TABLE, 3, 24);
    return done();
}

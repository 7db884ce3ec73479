/* GC logs into a case: what is taken for one, the event of a pause, copies, and the time of a log
 * that has no wall clock. */
#include "casefile_help.h"
#include "dx_ingest.h"

static dx_casefile *c;
static dx_ingest_report report;
static dx_err err;

static void feed(const char *text, const char *server) {
    dx_ingest_opts opts = {.name = "gc.log", .t_ms = DX_TIME_NONE, .server = server};
    dx_input *in = NULL;
    dx_status st = dx_input_open_bytes(&in, dx_s(text), opts.name, &err);
    if (st == DX_OK)
        st = dx_ingest(c, in, &opts, &report, &err);
    dx_input_close(in);
    ok(st == DX_OK, "taken%s%s", st == DX_OK ? "" : ": ", st == DX_OK ? "" : err.msg);
}

/* 2024-05-01 12:00:00 UTC */
#define NOON INT64_C(1714564800000)

static const char old_text[] =
    "OpenJDK 64-Bit Server VM (25.402-b06) for linux-amd64 JRE (1.8.0_402-b06)\n"
    "2024-05-01T14:00:00.000+0200: 12.500: [GC pause (G1 Evacuation Pause) (mixed) (to-space "
    "exhausted), 1.8000000 secs]\n"
    "      [Evacuation Failure: 1312.3 ms]\n"
    "   [Eden: 5M(5M)->0B(4M) Heap: 1000.0M(1024.0M)->512.0M(1024.0M)]\n"
    " [Times: user=9.12 sys=0.80, real=1.80 secs]\n"
    "2024-05-01T14:00:09.000+0200: 21.500: [GC concurrent-mark-end, 2.0012345 secs]\n";

static const char unified_text[] =
    "[0.003s][info][gc] Using G1\n"
    "[10.031s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 8M->3M(160M) 31.0ms\n"
    "[20.040s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 8M->3M(160M) x\n";

static void test_event(void) {
    c = fresh();
    feed(old_text, "rs-1,16020");
    is_str(report.kind, "gc", "its kind");
    is_int(report.log.events, 1, "a pause");
    is_int(report.log.lines, 6, "lines");
    is_int(report.first_ms, NOON, "from its first stamp");
    is_int(report.last_ms, NOON + 9000, "to its last");
    is_int(report.offset_ms, 7200000, "its zone");
    is_number(c, "SELECT t_ms FROM event WHERE kind = 'gc_pause'", NOON, "when it began");
    is_number(c, "SELECT line FROM event", 2, "where it stands");
    is_text(c, "SELECT substr(fields, 1, 112) FROM event",
            "{\"pause_ms\":1800,\"gc_kind\":\"mixed\",\"collector\":\"G1\","
            "\"cause\":\"G1 Evacuation Pause\",\"failure\":\"evacuation failure\"",
            "its fields");
    is_text(c, "SELECT substr(fields, 113) FROM event",
            ",\"heap_before_bytes\":1048576000,\"heap_after_bytes\":536870912,"
            "\"heap_total_bytes\":1073741824,\"evacuation_failure_ms\":1312.3,"
            "\"user_ms\":9120,\"sys_ms\":800}",
            "numbers; what is not told is absent");
    is_text(c, "SELECT name FROM server JOIN event ON server.id = server_id", "rs-1,16020",
            "its server");
    feed(old_text, "rs-1,16020");
    ok(report.duplicate, "the same log again");
    char longer[2 * sizeof old_text];
    snprintf(longer, sizeof longer, "%s%s", old_text,
             "2024-05-01T14:00:10.000+0200: 22.500: [GC cleanup 9M->8M(16M), 0.0300000 secs]\n");
    feed(longer, "rs-1,16020");
    is_number(c, "SELECT count(*) FROM event", 2, "the log has grown by one pause");
    feed(longer, "rs-2,16020");
    dx_casefile_close(c);
}

static void test_uptime(void) {
    c = fresh();
    feed(unified_text, NULL);
    is_str(report.kind, "gc", "unified logging");
    is_str(report.offset_origin, "uptime", "it counts from the JVM's start");
    is_int(report.first_ms, DX_TIME_NONE, "it has no time");
    is_int(report.log.skipped, 1, "a pause without a duration is told");
    is_number(c, "SELECT t_ms FROM event", -1, "the pause has no time, either");
    is_number(c, "SELECT local_ms FROM event", 10000, "but its uptime");
    ok(dx_casefile_set_start(c, report.source, NOON, "JMX", &err) == DX_OK, "the start is told");
    is_number(c, "SELECT t_ms FROM event", NOON + 10000, "the pause has a time");
    is_number(c, "SELECT first_ms FROM source", NOON + 10000, "the source, too");
    is_text(c, "SELECT offset_origin FROM source", "JMX", "and tells from where");
    ok(dx_casefile_set_start(c, report.source, -1, "x", &err) == DX_E_RANGE, "no moment");
    ok(dx_casefile_set_start(c, 99, NOON, "x", &err) == DX_E_NOTFOUND, "no source");
    dx_casefile_close(c);
}

static void kind_is(const char *text, const char *kind, const char *what) {
    c = fresh();
    feed(text, NULL);
    is_str(report.kind, kind, what);
    dx_casefile_close(c);
}

#define LOG "2024-05-01 12:00:00,000 INFO  [main] a.B: starts\n"

static void test_kind(void) {
    kind_is("CommandLine flags: -XX:+PrintGC\n", "gc", "a head alone");
    kind_is(LOG LOG "[0.003s][info][gc] Using G1\n", "log", "a log with a line of a collector");
    kind_is(LOG "[0.003s][info][gc] Using G1\n[0.004s][info][gc] GC(0) Pause Remark 1ms\n", "log",
            "more of a collector's lines, which the reader of logs takes, too");
    kind_is(LOG "GC pool 'ParNew' had collection(s): count=1 time=48250ms\n", "log",
            "the monitor's words");
}

/* More pauses than the head has, then a record: a stream is not looked at as a whole before. */
static void test_mixed(void) {
    enum { PAUSES = 1500 };
    char *text = malloc(PAUSES * 100 + sizeof LOG);
    size_t n = 0;
    if (text == NULL)
        abort();
    for (int i = 0; i < PAUSES; i++)
        n += (size_t)sprintf(text + n,
                             "[%d.031s][info][gc] GC(%d) Pause Remark 8M->3M(160M) 1.0ms\n", i, i);
    strcpy(text + n, LOG);
    c = fresh();
    feed(text, NULL);
    is_str(report.kind, "gc", "a stream that begins with pauses");
    is_int(report.log.events, PAUSES, "gives them");
    is_int(report.log.skipped, 1, "and counts the record that it does not read");
    is_number(c, "SELECT line FROM skipped", PAUSES + 1, "where the first stands");
    dx_casefile_close(c);
    free(text);
}

int main(void) {
    test_event();
    test_mixed();
    test_uptime();
    test_kind();
    return done();
}

/* test_logscan_gc.c - a collector's lines amid a log's records: each pause comes out, no record is
 * broken by them, and what is told of a region by a line that is no event is handed on. */
#include "logscan_seen.h"

#define BUSY                                                                                       \
    P("10:00:00,101")                                                                              \
    "WARN  [h=1] regionserver.HRegion: Region is too busy due to exceeding memstore size limit.\n"
#define WHY                                                                                        \
    "org.apache.hadoop.hbase.RegionTooBusyException: Over memstore limit=8.0 M, regionName=" E32   \
    ", server=rs1,16020,1714550400500\n"
#define FRAME "\tat a.B.c(B.java:1)\n"
#define INFO  P("10:00:30,000") "INFO  [x] a.B: a line\n"
#define AT    "1714557600101 " /* of BUSY */

static void test_unified(void) {
    dx_coverage cov = check(
        BUSY "[605.487s][info][gc          ] GC(8) Pause Young (Normal) (G1 Evacuation "
             "Pause) 11M->9M(16M) 31.234ms\n" WHY
             "[605.488s][info][gc,cpu      ] GC(8) User=0.22s Sys=0.01s Real=0.03s\n" FRAME INFO
             "[2024-05-01T10:00:31.000+0000][640.0s][info][gc] GC(9) Pause Full (System.gc()) "
             "11M->9M(16M) 500.0ms\n[641.0s][info][gc] GC(10) Concurrent Mark Cycle 31.0ms\n",
        DX_LOG_PLAIN,
        "1 " AT "event region_too_busy " E32 " h=1\n"
        "2 1714557600070 event gc_pause  \n"
        "7 1714557630500 event gc_pause  \n",
        "unified lines break no record; one without a wall clock ended at its neighbour's time");
    is_int(cov.records, 6, "they count as records");
    is_int(cov.foreign, 0, "and not as foreign lines");
}

static void test_old(void) {
    check(
        P("10:00:12,000") "INFO  [x] a.B: a line\n"
                          "2024-05-01T10:00:12.468+0000: 8123.456: [GC pause (G1 Evacuation Pause) "
                          "(young), 0.0187 "
                          "secs]\n   [Parallel Time: 15.1 ms, GC Workers: 8]\n" BUSY WHY
                          "   [Eden: 1.0M(1.0M)->0.0B(9.0M) Survivors: 6.0M->9.0M Heap: "
                          "9.2G(16.0G)->8.1G(16.0G)]\n"
                          " [Times: user=0.12 sys=0.00, real=0.02 secs] \n" FRAME INFO
                          "2024-05-01T10:00:31.000+0000: 8142.0: [GC (Allocation Failure) [ParNew "
                          "(promotion "
                          "failed): 9K->9K(9K), 0.5 secs]2024-05-01T10:00:31.500+0000: 8142.5: [CMS"
                          "2024-05-01T10:00:32.000+0000: 8143.0: [CMS-concurrent-mark: 9.6/9.6 "
                          "secs] [Times: "
                          "user=9.9 sys=0.1, real=9.6 secs]\n"
                          " (concurrent mode failure): 15K->9K(16K), 2.5 secs] 16K->9K(17K), 3.0 "
                          "secs] [Times: "
                          "user=3.9 sys=0.3, real=3.0 secs] \n" INFO,
        DX_LOG_PLAIN,
        "4 " AT "event region_too_busy " E32 " h=1\n"
        "2 1714557612468 event gc_pause  \n"
        "10 1714557631000 event gc_pause  \n",
        "records of JDK 8 over several lines, with others between them");
}

static void test_neighbours(void) {
    check(P("10:00:00,000") "INFO  [x] a.B: a line\n   [not a detail: nothing is held]\n"
                            "[brackets, but no collector]\n(parentheses)\n, and a comma\n" BUSY,
          DX_LOG_PLAIN, "6 " AT "event region_too_busy  h=1\n",
          "ordinary lines stay what they are");
    check("[1.2s][info][gc] GC(0) Pause Remark 1M->1M(2M) 5.0ms\n" INFO, DX_LOG_PLAIN,
          "1 ? event gc_pause  \n", "no time where nothing tells it");
    check(" [Times: user=9.12 sys=0.80, real=1.80 secs]\n[Full GC (System.gc()) 1M->1M(2M), 1.5 "
          "secs]\n" INFO,
          DX_LOG_PLAIN, "2 ? event gc_pause  \n", "nor behind the rest of a record before it");
    check(P("10:00:00,000") "WARN  [t] ipc.RpcServer: (responseTooSlow): {\"method\":\"Get\",\n"
                            "[1.2s][info][gc] GC(0) Pause Remark 1M->1M(2M) 5.0ms\n"
                            "\"processingtimems\":5}\n",
          DX_LOG_PLAIN, "1 1714557600000 call Get  5 S\n2 1714557599995 event gc_pause  \n",
          "a slow call that is broken over lines goes on behind them");
}

#define GET(ms) "ipc.RpcServer: (responseTooSlow): {\"method\":\"Get\",\"processingtimems\":" ms "}"

static void test_joined(void) {
    const char *want = "1 1714557600000 call Get  5 S\n1 1714557600000 call Get  6 S\n"
                       "1 1714557600000 call Get  7 S\n";
    check(P("10:00:00,000") "WARN  [t] " GET("5") P("10:00:00,001") "WARN  [t] " GET("6")
              GET("7") "\n",
          DX_LOG_PLAIN, want, "calls behind each other, where line ends were lost");
    check(P("10:00:00,000") "WARN  [t] ipc.RpcServer: (responseTooSlow): {\"method\":\"Get\","
                            "\"param\":\"(responseTooSlow): {}\",\"processingtimems\":5}\n",
          DX_LOG_PLAIN, "1 1714557600000 call Get  5 S\n", "a tag within a call is none");
}

static void test_wrapped(void) {
    check("{\"log\":\"[5.2s][info][gc] GC(0) Pause Remark 1M-\\u003e1M(2M) 5.0ms\\n\",\"stream\":"
          "\"stdout\",\"time\":\"2024-05-01T10:00:00Z\"}\n",
          DX_LOG_PLAIN, "1 1714557599995 event gc_pause  \n", "in Docker's wrapper, at its time");
    check("2024-05-01T10:00:00Z stdout F [5.2s][info][gc] GC(0) Pause Remark 1M->1M(2M) 5.0ms\n",
          DX_LOG_PLAIN, "1 1714557599995 event gc_pause  \n", "in that of CRI");
    check("May 01 10:00:05 rs1 hbase[71]: 2024-05-01T10:00:00.000+0000: 8.5: [GC remark, 0.019 "
          "secs]\n",
          DX_LOG_PLAIN, "1 1714557600000 event gc_pause  \n", "in journald's");
}

/* ---- regions */

static dx_status on_region(void *arg, dx_slice encoded, dx_slice name, dx_slice table,
                           dx_err *err) {
    seen *s = arg;
    (void)err;
    dx_buf_addf(&s->text, "%.*s|%.*s|%.*s\n", (int)encoded.n, encoded.p, (int)name.n,
                name.n == 0 ? "" : name.p, (int)table.n, table.p);
    return DX_OK;
}

static void told(const char *line, const char *want) {
    seen s = {.refuse = DX_OK};
    dx_sink sink = {.arg = &s, .region = on_region};
    dx_input *in = NULL;
    dx_buf_init(&s.text, 0);
    ok(dx_input_open_bytes(&in, dx_s(line), "log", &s.err) == DX_OK
           && dx_logscan(in, DX_LOG_PLAIN, &sink, &s.cov, &s.err) == DX_OK,
       "%.60s", line + 24);
    is_slice(dx_buf_slice(&s.text), want, "tells a region");
    dx_input_close(in);
    done_with(&s);
}

#define LINE(logger, text) P("10:00:00,000") "INFO  [x] " logger ": " text "\n"

static void test_regions(void) {
    told(LINE("regionserver.HRegion", "Starting compaction of d in t1,a,7." E32 "."),
         E32 "|t1,a,7." E32 ".|t1\n");
    told(LINE("handler.AssignRegionHandler", "Open ns:t1,,7." E32 "."),
         E32 "|ns:t1,,7." E32 ".|ns:t1\n");
    told(LINE("regionserver.HStore", "Added hdfs://n:8020/hbase/data/default/t1/" E32
                                     "/d/ff, entries=1, sequenceid=2, filesize=3.0 M"),
         E32 "||t1\n");
    told(LINE("regionserver.DefaultStoreFlusher",
              "Flushed memstore data size=1.0 MB at sequenceid=8 (bloomFilter=true), "
              "to=hdfs://n:8020/hbase/data/ns/t1/" E32 "/.tmp/d/ff"),
         E32 "||ns:t1\n");
    told(LINE("regionserver.HStore",
              "Starting compaction of [hdfs://n/hbase/data/ns/t1/" E32
              "/d/aa, hdfs://n/hbase/data/ns/t1/" E32 "/d/bb] into tmpdir=x, totalSize=3.0 M"),
         E32 "||ns:t1\n");
    told(LINE("regionserver.HStore", "Added file:/x/t1/" E32 "/d/ff, entries=1"), "");
}

/* ---- exceptions without a record */

static void test_pasted(void) {
    check("java.lang.OutOfMemoryError: Java heap space\nDumping heap to /x ...\n#\n"
          "# java.lang.OutOfMemoryError: Java heap space\n# -XX:OnOutOfMemoryError=\"kill\"\n",
          DX_LOG_PLAIN, "1 ? event out_of_memory  \n", "the JVM's last words are one event");
    check("# java.lang.OutOfMemoryError: Java heap space\n", DX_LOG_PLAIN,
          "1 ? event out_of_memory  \n", "of which the first may be lost");
    check("a.b.LeaseException: lease '7' does not exist\n\tat a.B.c(B.java:1)\nCaused by: "
          "java.io.IOException: x\nother text\na.b.LeaseException: lease '8' does not exist\n",
          DX_LOG_PLAIN, "1 ? event exception  \n5 ? event exception  \n",
          "a trace belongs to its exception");
    check("Flushing t1,,7." E32 ".   RUNNING (since 5hrs, 7mins, 35sec ago)   Flushing d: x\n",
          DX_LOG_PLAIN, "1 ? event task " E32 " \n", "a task that was copied");
}

int main(void) {
    test_unified();
    test_old();
    test_neighbours();
    test_joined();
    test_wrapped();
    test_regions();
    test_pasted();
    return done();
}

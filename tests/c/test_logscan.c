/* test_logscan.c - what comes out of logs: calls, events, scans, skips and the log's zone. */
#include "logscan_seen.h"

#define BODY(proc)                                                                                 \
    "{\"call\":\"Get(o.a.GetRequest)\",\"starttimems\":\"1714550400000\",\"responsesize\":\"12\"," \
    "\"method\":\"Get\",\"param\":\"region= t1,a,1.0123456789abcdef0123456789abcdef., "            \
    "row=}{\\\"x\","                                                                               \
    "\"processingtimems\":" proc ",\"client\":\"10.0.0.1:50\",\"queuetimems\":0,"                  \
    "\"class\":\"HRegionServer\"}"
#define SLOW(hms, proc) P(hms) "WARN  [h=1] ipc.RpcServer: (responseTooSlow): " BODY(proc) "\n"
#define FLUSHED(hms)                                                                               \
    P(hms)                                                                                         \
    "INFO  [f.0] regionserver.HRegion: Finished flush of dataSize ~4 MB/4194304, heapSize "        \
    "~4 MB/4194304, currentSize=0 B/0 for " E32 " in 12ms, sequenceid=3, compaction "              \
    "requested=false\n"

static const char LOG[] =
    "Mon May  1 10:00:00 UTC 2024 Starting regionserver on rs1\n"
    "core file size          (blocks, -c) 0\n" P(
        "10:00:00,000") "INFO  [main] util.VersionInfo: "
                        "HBase 2.5.8\n" P(
                            "10:00:01,000") "INFO  [main] "
                                            "regionserver."
                                            "HRegionServer"
                                            ": Serving as "
                                            "rs1,16020,"
                                            "1714550400500"
                                            ", "
                                            "RpcServer on "
                                            "rs1/"
                                            "10.0.0.9:"
                                            "16020, "
                                            "sessionid="
                                            "0x1\n" SLOW(
                                                "10:00:02,"
                                                "000",
                                                "2000") "\tat a.B.c(B.java:1)\n"
                                                        "C"
                                                        "a"
                                                        "u"
                                                        "s"
                                                        "e"
                                                        "d"
                                                        " "
                                                        "b"
                                                        "y"
                                                        ":"
                                                        " "
                                                        "j"
                                                        "a"
                                                        "v"
                                                        "a"
                                                        "."
                                                        "i"
                                                        "o"
                                                        "."
                                                        "I"
                                                        "O"
                                                        "E"
                                                        "x"
                                                        "c"
                                                        "e"
                                                        "p"
                                                        "t"
                                                        "i"
                                                        "o"
                                                        "n"
                                                        ":"
                                                        " "
                                                        "("
                                                        "r"
                                                        "e"
                                                        "s"
                                                        "p"
                                                        "o"
                                                        "n"
                                                        "s"
                                                        "e"
                                                        "T"
                                                        "o"
                                                        "o"
                                                        "F"
                                                        "a"
                                                        "s"
                                                        "t"
                                                        ")"
                                                        ":"
                                                        " "
                                                        "x"
                                                        "\n" FLUSHED("10:00:03,000") P(
                                                            "10:00:04,000") "WARN  [h=2] "
                                                                            "regionserver."
                                                                            "HRegion: Region "
                                                                            "is too busy due "
                                                                            "to exceeding "
                                                                            "memstore "
                                                                            "size limit.\n"
                                                                            "org.apache.hadoop."
                                                                            "hbase."
                                                                            "RegionTooBusyExcep"
                                                                            "tion: Over "
                                                                            "memstore "
                                                                            "limit=8.0 M, "
                                                                            "regionName=" E32 ", "
                                                                            "server=rs1,16020,"
                                                                            "1714550400500\n"
                                                                            "\tat "
                                                                            "a.B.c(B.java:1)\n"
                                                                            "\n" P(
                                                                                "10:00:05,"
                                                                                "000") "INFO"
                                                                                       "  "
                                                                                       "[q-"
                                                                                       "1] "
                                                                                       "c.a."
                                                                                       "Dao:"
                                                                                       " ret"
                                                                                       "urne"
                                                                                       "d="
                                                                                       "60 "
                                                                                       "scan"
                                                                                       "ned="
                                                                                       "4200"
                                                                                       "0 "
                                                                                       "filt"
                                                                                       "ered"
                                                                                       "=419"
                                                                                       "40 "
                                                                                       "rpcs"
                                                                                       "=2"
                                                                                       "\n" P(
                                                                                           "10"
                                                                                           ":0"
                                                                                           "0:"
                                                                                           "06"
                                                                                           ",0"
                                                                                           "0"
                                                                                           "0") "IN"
                                                                                                "FO"
                                                                                                "  "
                                                                                                "[x"
                                                                                                "] "
                                                                                                "a."
                                                                                                "B:"
                                                                                                " n"
                                                                                                "ot"
                                                                                                "hi"
                                                                                                "ng"
                                                                                                "\n" P("10:00:07,000") "WARN  [h=3] ipc.RpcServer: (responseTooLarge): {\"method\":\"Scan\",\"call\":\"S\n" P(
                                                                                                    "10:"
                                                                                                    "00:"
                                                                                                    "08,"
                                                                                                    "000") "INFO  [x] a.B: nothing\n";

static const char LOG_SEEN[] = "3 1714557600000 event server_version  main\n"
                               "4 1714557601000 event server_started  main\n"
                               "5 1714557602000 call Get t1 2000 S\n"
                               "8 1714557603000 event flush_finished " E32 " f.0\n"
                               "9 1714557604000 event region_too_busy " E32 " h=2\n"
                               "13 1714557605000 scan 60 42000 2 \n"
                               "15 1714557607000 skip slow-call JSON is cut (1)\n";

static void test_log(void) {
    dx_coverage c = check(LOG, DX_LOG_PLAIN, LOG_SEEN, "a log");
    is_int(c.bytes, strlen(LOG), "bytes");
    is_int(c.lines, 16, "lines");
    is_int(c.records, 9, "records");
    is_int(c.calls, 1, "calls");
    is_int(c.events, 4, "events");
    is_int(c.scans, 1, "scans");
    is_int(c.skipped, 1, "skipped");
    is_int(c.continuations, 5, "continuations");
    is_int(c.foreign, 2, "lines of no record");
    is_int(c.first_local_ms, 1714557600000, "first stamp");
    is_int(c.last_local_ms, 1714557608000, "last stamp");
    is_str(c.server, "rs1,16020,1714550400500", "server");
    is_str(c.version, "2.5.8", "version");
    ok(c.offset_inferred && c.offset_ms == 7200000 && c.offset_votes == 1 && c.offset_against == 0,
       "its clock is two hours east of UTC");
}

/* A tag with what stands around it, in all the ways that were seen. */
static void test_calls(void) {
    check("ipc.RpcServer: (responseTooSlow): " BODY("7") "\n", DX_LOG_PLAIN,
          "1 ? call Get t1 7 S\n", "a line without stamp and level");
    check("copied by hand (responseTooSlow): " BODY("7") " and more\nfoo\n"
                                                         "again (responseTooSlow): " BODY("8") "\n",
          DX_LOG_PLAIN, "1 ? call Get t1 7 S\n3 ? call Get t1 8 S\n", "prose around it");
    check(P("10:00:00,000") "WARN [t] ipc.RpcServer - (responseTooSlow):\n"
                            "{\"method\":\"Get\",\n\"processingtimems\":12\n34,\n\"starttimems\":"
                            "1714550400000,\n"
                            "\"param\":\"region= t1,a,1.0123456789abc\ndef0123456789abcdef., "
                            "row=a\"}\n"
                            "behind\n" FLUSHED("10:00:01,000"),
          DX_LOG_PLAIN,
          "1 1714557600000 call Get t1 1234 S\n9 1714557601000 event flush_finished " E32 " f.0\n",
          "JSON broken over lines, also within a number and a string");
    check(P("10:00:00,000") "WARN [t] ipc.RpcServer: (responseTooSlow): {\"method\":\"G\n" P(
              "10:00:01,000") "WARN [t] ipc.RpcServer: (responseTooSlow): " BODY("9") "\n",
          DX_LOG_PLAIN,
          "1 1714557600000 skip slow-call JSON is cut (1)\n2 1714557601000 call Get t1 9 S\n",
          "the next record ends a broken one");
    check("May 1, 10:00:00.000 AM\tWARN\tipc.RpcServer\t\n(responseTooSlow): " BODY("7") "\n",
          DX_LOG_PLAIN, "1 ? call Get t1 7 S\n", "a message on the line behind its prefix");
    check(P("10:00:00,000") "WARN [t] ipc.RpcServer: (responseTooSlow): nonsense\n", DX_LOG_PLAIN,
          "1 1714557600000 skip slow call not understood (1)\n", "a tag and no object");
    check("\tat (responseTooSlow): " BODY("7") "\n", DX_LOG_PLAIN, "",
          "a stack frame is never a call");
}

#define BUSY                                                                                       \
    "RegionTooBusyException: Over memstore limit=8.0M, "                                           \
    "regionName=0123456789abcdef0123456789abcdef, server=rs1,16020,1714550400500\n"

/* What people paste of a client: no stamp, no logger. */
static void test_exceptions(void) {
    static const char first[] = "1 ? event region_too_busy " E32 " \n";
    check("Caused by: x.Retries: Failed 7 actions: a.b." BUSY "\tat a.b.C.d(C.java:1)\n"
          "Caused by: a.b." BUSY,
          DX_LOG_PLAIN, first, "an exception and its cause are one");
    check("a.b." BUSY "a.b." BUSY, DX_LOG_PLAIN,
          "1 ? event region_too_busy " E32 " \n2 ? event region_too_busy " E32 " \n",
          "two are two");
    check("a RegionTooBusyException: is what a client gets\n", DX_LOG_PLAIN, "", "prose is none");
    check(P("10:00:00,000") "WARN  [x] a.B: put failed\na.b." BUSY, DX_LOG_PLAIN,
          "1 1714557600000 event region_too_busy " E32 " x\n", "behind a record it is that one's");
}

static void test_headless(void) {
    dx_buf b, name;
    dx_buf_init(&b, 0);
    dx_buf_init(&name, 0);
    for (int i = 0; i < 900; i++)
        dx_buf_addc(&name, 'q');
    dx_buf_adds(&b, P("10:00:00,000") "WARN  [h=1] ipc.RpcServer: ");
    dx_buf_add(&b, name.p, name.n);
    dx_buf_adds(&b,
                "., row=a\",\"processingtimems\":77,\"client\":\"10.0.0.1:50\",\"queuetimems\":0,"
                "\"class\":\"HRegionServer\"}\n");
    check(b.p, DX_LOG_PLAIN, "1 1714557600000 call   77 ?\n", "a message that lost its head");
    dx_buf_done(&b);
    dx_buf_done(&name);
}

static void test_rest(void) {
    check(P("10:00:00,000") "WARN  [J] util.JvmPauseMonitor: Detected pause in JVM or host machine "
                            "(eg "
                            "GC): pause of approximately 12000ms\n"
                            "GC pool 'ParNew' had collection(s): count=1 time=11900ms\n",
          DX_LOG_PLAIN, "1 1714557600000 event pause  J\n", "a pause at the end of a log");
    check(
        P("10:00:00,000") "INFO  [main] a.Job: Counters:\n\t\tRPC_CALLS=12\n\t\tROWS_SCANNED=100\n"
                          "\t\tREGIONS_SCANNED=1\n\tMap input records=5\n" FLUSHED("10:00:01,000"),
        DX_LOG_PLAIN,
        "2 1714557600000 scan ? 100 12 \n6 1714557601000 event flush_finished " E32 " f.0\n",
        "counters, one a line, are one scan");
    check("ROWS_SCANNED=2\nRPC_CALLS=3", DX_LOG_PLAIN, "1 ? scan ? 2 3 \n", "also at the end");
    check("x {ROWS_SCANNED=2, RPC_CALLS=3}\n", DX_LOG_PLAIN, "1 ? scan ? 2 3 \n",
          "or in a bare line");
    check(P("10:00:00,000") "INFO  [x] regionserver.HRegion: Finished flush of a new wording\n",
          DX_LOG_PLAIN, "1 1714557600000 skip event line not understood (1)\n",
          "a line that drifted away is told");
}

/* ---- zone */

static dx_coverage zone_of(const char *log) {
    seen s = scan_text(log, DX_LOG_PLAIN);
    done_with(&s);
    return s.cov;
}

static void test_zone(void) {
    dx_coverage c = zone_of(SLOW("10:00:02,000", "2000") SLOW("10:00:05,000", "5000")
                                SLOW("14:30:03,000", "1000"));
    ok(c.offset_inferred && c.offset_ms == 7200000 && c.offset_votes == 2 && c.offset_against == 1,
       "two against one");
    c = zone_of(
        "2024-06-01 03:45:02,000 WARN [h] ipc.RpcServer: (responseTooSlow): " BODY("1") "\n");
    ok(!c.offset_inferred && c.offset_against == 1,
       "a line that was copied a month later votes against");
    c = zone_of(SLOW("10:07:02,000", "2000"));
    ok(!c.offset_inferred && c.offset_against == 1, "as does a clock that is no quarter off");
    c = zone_of(SLOW("13:45:03,500", "2000"));
    ok(c.offset_inferred && c.offset_ms == 20700000, "Nepal, a second late");
    c = zone_of(P("03:01:00,000") "INFO  [main] regionserver.HRegionServer: Serving as "
                                  "rs1,16020,1714550400500, RpcServer on rs1/10.0.0.9:16020\n");
    ok(c.offset_inferred && c.offset_ms == -18000000 && c.offset_votes == 1, "a start code alone");
    c = zone_of(P("03:14:00,000") "INFO  [main] regionserver.HRegionServer: Serving as "
                                  "rs1,16020,1714550400500, RpcServer on rs1/10.0.0.9:16020\n");
    ok(!c.offset_inferred, "written too late to tell");
    c = zone_of(P("10:00:00,000") "INFO [x] a.B: m\n");
    ok(!c.offset_inferred && c.offset_votes == 0 && c.offset_against == 0, "nothing to tell it by");
    c = zone_of("2024-05-01T10:00:00.000+02:00 INFO  [x] a.B: m\n");
    ok(c.offset_inferred && c.offset_ms == 7200000, "a stamp with its zone tells itself");
}

/* ---- containers */

#define TIME(s) "\",\"time\":\"2024-05-01T08:00:0" s "Z\"}\n"

static void test_wrapped(void) {
    dx_coverage c =
        check("{\"log\":\"" P("10:00:01,000") "WARN [h] ipc.RpcServer: (responseTooSlow): "
                                              "{\\\"method\\\":"
                                              "\\\"Get\",\"stream\":\"stderr" TIME(
                                                  "1") "{\"log\":\"noise\\n\",\"stream\":"
                                                       "\"stdout" TIME("1") "{\"log\":\"\\\","
                                                                            "\\\"processingtimems\\"
                                                                            "\":5,"
                                                                            "\\\"starttimems\\\":"
                                                                            "1714550400995}\\n\","
                                                                            "\"stream\":"
                                                                            "\"stderr" TIME(
                                                                                "1") "{\"log\":"
                                                                                     "\"\\tat "
                                                                                     "a.B.c(B.java:"
                                                                                     "1)\\n\","
                                                                                     "\"stream\":"
                                                                                     "\"stder"
                                                                                     "r" TIME("1"),
              DX_LOG_PLAIN, "1 1714557601000 call Get  5 S\n",
              "Docker's pieces, with stdout between them");
    ok(c.offset_inferred && c.offset_ms == 7200000 && c.offset_votes == 1,
       "the call tells the zone");
    is_int(c.continuations, 2, "the second piece and the frame are continuations");
    c = check("2024-05-01T10:00:01Z stdout F " P("13:00:01,000") "INFO [x] a.B: m\n", DX_LOG_PLAIN,
              "", "no call");
    ok(c.offset_inferred && c.offset_ms == 10800000, "both stamps tell the zone");
    check("2024-05-01T10:00:01.5+02:00 stdout P WARN [h] ipc.RpcServer: (responseTooSlow): "
          "{\"method\":\"Get\",\"proc\n"
          "2024-05-01T10:00:01.6+02:00 stdout F essingtimems\":5,\"starttimems\":1714550401495}\n",
          DX_LOG_PLAIN, "1 1714557601500 call Get  5 S\n",
          "Kubernetes' pieces, at their own stamp");
    check("2024-05-01T10:00:01.5Z stdout P WARN [h] ipc.RpcServer: (responseTooSlow): " BODY(
              "5") "\n",
          DX_LOG_PLAIN, "1 1714557601500 call Get t1 5 S\n", "a last piece that never came");
    check(
        "May  1 08:00:01 rs1 hbase[7]: " P(
            "10:00:01,000") "WARN  [J] util.JvmPauseMonitor: Detected "
                            "pause in JVM or host machine (eg GC): pause of approximately 12000ms\n"
                            "May  1 08:00:01 rs1 hbase[7]: GC pool 'ParNew' had collection(s): "
                            "count=1 time=11900ms\n",
        DX_LOG_PLAIN, "1 1714557601000 event pause  J\n", "journald");
}

/* ---- robustness */

static void test_refusal(void) {
    seen s = scan_with(dx_s(LOG), DX_LOG_PLAIN, DX_E_DB);
    is_int(s.status, DX_E_DB, "a sink's refusal ends the scan");
    ok(dx_slice_find_char(dx_buf_slice(&s.text), '\n', 0) == (ptrdiff_t)s.text.n - 1, "at once");
    done_with(&s);
    dx_sink none = {0};
    dx_input *in = NULL;
    ok(dx_input_open_bytes(&in, dx_s(LOG), "x", NULL) == DX_OK
           && dx_logscan(in, DX_LOG_PLAIN, &none, &s.cov, NULL) == DX_OK && s.cov.calls == 1,
       "a sink that wants nothing");
    dx_input_close(in);
}

/* The log cut in two at a record's start gives in both parts what the whole gives. */
static void test_two_parts(void) {
    size_t records = 0;
    for (const char *cut = LOG; (cut = strstr(cut, "\n2024")) != NULL; records++) {
        cut++;
        seen a = scan_with(dx_sn(LOG, (size_t)(cut - LOG)), DX_LOG_PLAIN, DX_OK);
        seen b = scan_with(dx_s(cut), DX_LOG_PLAIN, DX_OK);
        ok(a.cov.calls + b.cov.calls == 1 && a.cov.events + b.cov.events == 4
               && a.cov.scans + b.cov.scans == 1 && a.cov.skipped + b.cov.skipped == 1
               && a.cov.records + b.cov.records == 9 && a.cov.lines + b.cov.lines == 16,
           "cut before record %zu", records);
        done_with(&a);
        done_with(&b);
    }
    is_int(records, 9, "at all nine");
}

/* two lines of scan metrics, by gzip -n */
static const char GZ[] = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x33\x32\x30\x32\xd1\x35\x30\xd5"
                         "\x35\x30\x54\x30\x34\xb0\x32\x00\x21\x1d\x03\x03\x03\x05\x4f\x3f\x37\x7f"
                         "\x05\x85\xe8\x8a\x58\x85\x44\x3d\x27\x2b\x85\xa2\xd4\x92\xd2\xa2\xbc\xd4"
                         "\x14\x5b\x33\x03\x85\xe2\xe4\xc4\x3c\x10\xd3\xc4\x08\xa4\xb0\xa8\x20\xb9"
                         "\xd8\xd6\x88\xcb\x08\xc3\x1c\x43\xfc\xe6\x18\x62\x33\xc7\x98\x0b\x00\x73"
                         "\x53\x66\x60\x90\x00\x00\x00";

static void test_damage(void) {
    seen s = scan_with(dx_sn(GZ, sizeof GZ - 1), DX_LOG_PLAIN, DX_OK);
    ok(s.status == DX_OK && s.cov.scans == 2, "a packed log");
    done_with(&s);
    s = scan_with(dx_sn(GZ, sizeof GZ - 5), DX_LOG_PLAIN, DX_OK);
    ok(s.status == DX_E_PARSE && s.cov.scans == 2 && strstr(s.err.msg, "breaks off") != NULL,
       "a cut one gives all that is in it, then its damage");
    done_with(&s);
}

int main(void) {
    test_log();
    test_calls();
    test_exceptions();
    test_headless();
    test_rest();
    test_zone();
    test_wrapped();
    test_refusal();
    test_damage();
    test_two_parts();
    test_mangled(LOG, DX_LOG_PLAIN, "a log");
    return done();
}

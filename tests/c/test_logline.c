/* test_logline.c - every prefix layout and wrapper, and lines that only look like one. */
#include "dx_logline.h"
#include "dx_logwrap.h"
#include "tap.h"

#include <stdlib.h>

#define NO_STAMP NULL

static const struct {
    const char *line, *stamp, *level, *thread, *logger, *message;
} KNOWN[] = {
    /* stock layouts, 0.94 to 3.0 */
    {"2013-04-26 18:13:20,123 WARN org.apache.hadoop.ipc.HBaseServer: (x",
     "2013-04-26T18:13:20.123Z", "WARN", "", "org.apache.hadoop.ipc.HBaseServer", "(x"},
    {"2016-03-01 10:00:00,123 INFO  [MemStoreFlusher.0] regionserver.HRegion: Flushing: all",
     "2016-03-01T10:00:00.123Z", "INFO", "MemStoreFlusher.0", "regionserver.HRegion",
     "Flushing: all"},
    {"2024-05-01T10:00:00,123 DEBUG [t] a.B: m", "2024-05-01T10:00:00.123Z", "DEBUG", "t", "a.B",
     "m"},
    {"2024-05-01T10:00:00,123 INFO  [main {}] a.B: m", "2024-05-01T10:00:00.123Z", "INFO", "main",
     "a.B", "m"},
    {"2024-05-01T10:00:00,123 INFO  [main {trace_id=0af7, span_id=b7}] a.B: m",
     "2024-05-01T10:00:00.123Z", "INFO", "main", "a.B", "m"},
    {"16/04/13 12:46:19 INFO client.AsyncProcess: #4", "2016-04-13T12:46:19.000Z", "INFO", "",
     "client.AsyncProcess", "#4"},
    {"2024-05-01 10:00:00,123 INFO  [main] server.ZooKeeperServer: ", "2024-05-01T10:00:00.123Z",
     "INFO", "main", "server.ZooKeeperServer", ""},
    {"2024-05-01 10:00:00,123 INFO  [main] server.ZooKeeperServer:", "2024-05-01T10:00:00.123Z",
     "INFO", "main", "server.ZooKeeperServer", ""},
    /* threads of all sorts */
    {"2024-05-01 10:00:00,123 WARN  [RpcServer.default.FPBQ.Fifo.handler=29,queue=2,port=16020] "
     "ipc.RpcServer: (responseTooSlow): {}",
     "2024-05-01T10:00:00.123Z", "WARN",
     "RpcServer.default.FPBQ.Fifo.handler=29,queue=2,port=16020", "ipc.RpcServer",
     "(responseTooSlow): {}"},
    {"2024-05-01 10:00:00,123 WARN  [ResponseProcessor for block BP-1-10.0.0.1-15:blk_1_2] "
     "hdfs.DFSClient: Bad [a] b: c",
     "2024-05-01T10:00:00.123Z", "WARN", "ResponseProcessor for block BP-1-10.0.0.1-15:blk_1_2",
     "hdfs.DFSClient", "Bad [a] b: c"},
    {"2024-05-01 10:00:00,123 WARN  [QuorumPeer[myid=1] (a) of [x] y] q.Peer: m",
     "2024-05-01T10:00:00.123Z", "WARN", "QuorumPeer[myid=1] (a) of [x] y", "q.Peer", "m"},
    {"2024-05-01 10:00:00,123 WARN  [RS:0;h:16020-longCompactions-0] o.a.h.h.r.HStore - m - n",
     "2024-05-01T10:00:00.123Z", "WARN", "RS:0;h:16020-longCompactions-0", "o.a.h.h.r.HStore",
     "m - n"},
    {"2024-05-01 10:00:00,123 WARN  [nobody] says a word", "2024-05-01T10:00:00.123Z", "WARN",
     "nobody", "", "says a word"},
    /* other orders */
    {"2015-12-15 02:45:44,551 | WARN  | B.handler=3,queue=0 | (responseTooSlow): {\"a\":\"| b\"} | "
     "org.apache.hadoop.hbase.ipc.RpcServer.logResponse(RpcServer.java:2)",
     "2015-12-15T02:45:44.551Z", "WARN", "B.handler=3,queue=0",
     "org.apache.hadoop.hbase.ipc.RpcServer", "(responseTooSlow): {\"a\":\"| b\"}"},
    {"2015-12-15 02:45:44,551 | INFO  | main | half a | record", "2015-12-15T02:45:44.551Z", "INFO",
     "main", "", "half a | record"},
    {"2017-11-13 15:43:34.205 [htable-pool1-t1] INFO  o.a.h.c.AsyncProcess - #3, failed=2ops",
     "2017-11-13T15:43:34.205Z", "INFO", "htable-pool1-t1", "o.a.h.c.AsyncProcess",
     "#3, failed=2ops"},
    {"2018-03-13 14:47:46,926 [myid:1] - INFO  [Quorum[myid=1]/0.0.0.0:2181:ZooKeeperServer@588] - "
     "m",
     "2018-03-13T14:47:46.926Z", "INFO", "Quorum[myid=1]/0.0.0.0:2181", "ZooKeeperServer", "m"},
    {"2018-03-13 14:47:46,926 - WARN  [main:NIOServerCnxn@357] - m", "2018-03-13T14:47:46.926Z",
     "WARN", "main", "NIOServerCnxn", "m"},
    {"2024-05-01 10:00:00.123  INFO 4711 --- [ scheduling-1] c.e.Dao  : returned=60",
     "2024-05-01T10:00:00.123Z", "INFO", "scheduling-1", "c.e.Dao", "returned=60"},
    {"2012-09-04 12:00:00,123 INFO  [main] util.Foo(123): m", "2012-09-04T12:00:00.123Z", "INFO",
     "main", "util.Foo", "m"},
    {"2012-09-04 12:00:00,123 INFO  ipc.Server (Server.java:run(123)) - m",
     "2012-09-04T12:00:00.123Z", "INFO", "", "ipc.Server", "m"},
    {"[2024-05-01 10:00:00,123] ERROR [main] a.B: m", "2024-05-01T10:00:00.123Z", "ERROR", "main",
     "a.B", "m"},
    {"2024-05-01 10:00:00,123 started", "2024-05-01T10:00:00.123Z", "", "", "", "started"},
    {"2024-05-01 10:00:00,123", "2024-05-01T10:00:00.123Z", "", "", "", ""},
    /* no stamp at all */
    {"WARN org.apache.hadoop.ipc.HBaseServer- (responseTooSlow): {", NO_STAMP, "WARN", "",
     "org.apache.hadoop.ipc.HBaseServer", "(responseTooSlow): {"},
    {"WARN [,queue=15,port=60020] ipc.RpcServer - (responseTooSlow): {", NO_STAMP, "WARN",
     ",queue=15,port=60020", "ipc.RpcServer", "(responseTooSlow): {"},
    {"ipc.RpcServer: (responseTooSlow): {", NO_STAMP, "", "", "ipc.RpcServer",
     "(responseTooSlow): {"},
    {"org.apache.hadoop.hbase.util.Sleeper - We slept 4ms", NO_STAMP, "", "",
     "org.apache.hadoop.hbase.util.Sleeper", "We slept 4ms"},
    {"Feb 22, 12:01:46.498 PM\tWARN\to.a.h.Split\t", NO_STAMP, "WARN", "", "o.a.h.Split", ""},
    /* wrappers: the stamp inside counts */
    {"2024-05-01T10:00:00.123456789Z stderr F 2024-05-01 12:00:00,120 INFO  [t] a.B: m",
     "2024-05-01T12:00:00.120Z", "INFO", "t", "a.B", "m"},
    {"May 01 10:00:00 rs1 hbase[1234]: 2024-05-01 12:00:00,120 INFO  [t] a.B: m",
     "2024-05-01T12:00:00.120Z", "INFO", "t", "a.B", "m"},
    {"May  1 10:00:00 rs1 hbase: 2024-05-01 12:00:00,120 INFO  [t] a.B: m",
     "2024-05-01T12:00:00.120Z", "INFO", "t", "a.B", "m"},
    {"<14>May  1 10:00:00 rs1 hbase[1]: 2024-05-01 12:00:00,120 INFO  [t] a.B: m",
     "2024-05-01T12:00:00.120Z", "INFO", "t", "a.B", "m"},
    {"2024-05-01T10:00:00.1+00:00 rs1 hbase[1]: 2024-05-01 12:00:00,120 INFO  [t] a.B: m",
     "2024-05-01T12:00:00.120Z", "INFO", "t", "a.B", "m"},
    {"<14>1 2024-05-01T10:00:00Z rs1 hbase 12 - [x a=\"b\\]\"][y] 2024-05-01 12:00:00,120 INFO "
     "a.B: m",
     "2024-05-01T12:00:00.120Z", "INFO", "", "a.B", "m"},
    {"{\"log\":\"2024-05-01 12:00:00,120 INFO  [t] a.B: m\\n\",\"stream\":\"stderr\",\"time\":"
     "\"2024-05-01T10:00:00.1Z\"}",
     "2024-05-01T12:00:00.120Z", "INFO", "t", "a.B", "m"},
    /* and the wrapper's, where there is none inside */
    {"2024-05-01T10:00:00.123456789Z stdout F WARN [t] a.B: m", "2024-05-01T10:00:00.123Z", "WARN",
     "t", "a.B", "m"},
    {"<14>1 - rs1 hbase - - - WARN [t] a.B: m", NO_STAMP, "WARN", "t", "a.B", "m"},
};

static void test_known(void) {
    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++) {
        dx_logline l;
        int64_t want = DX_TIME_NONE;
        if (KNOWN[i].stamp != NO_STAMP)
            dx_time_read(dx_s(KNOWN[i].stamp), &want);
        ok(dx_logline_read(dx_s(KNOWN[i].line), &l), "%s", KNOWN[i].line);
        is_int(l.local_ms, want, "stamp");
        is_slice(l.level, KNOWN[i].level, "level");
        is_slice(l.thread, KNOWN[i].thread, "thread");
        is_slice(l.logger, KNOWN[i].logger, "logger");
        is_slice(l.message, KNOWN[i].message, "message");
    }
}

static void test_unknown(void) {
    static const char *lines[] = {
        "",
        "\tat org.apache.hadoop.hbase.regionserver.HRegion.checkResources(HRegion.java:1)",
        "    at a.B.c(B.java:1)",
        "Caused by: java.io.IOException: no",
        "java.lang.OutOfMemoryError: Java heap space",
        "org.apache.hadoop.hbase.RegionTooBusyException: Over memstore limit=8.0 M, regionName=a",
        "org.apache.hadoop.ipc.RemoteException(java.io.IOException): no: no",
        "a.b.C: three parts",
        "GC pool 'ParNew' had collection(s): count=1 time=48ms",
        "Mon Nov 30 21:39:13 UTC 2026 Starting regionserver on rs1",
        "core file size          (blocks, -c) 0",
        "ERROR: something of the shell: no",
        "INFO is a word here",
        "WARNING: an illegal access",
        "2024-13-01 10:00:00,123 INFO  [t] a.B: m",
        "{\"a\":1,\"log\":\"x\"}",
        "1) stdout F x",
        "[1, 2, 3]",
        "# hs_err",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        dx_logline l;
        ok(!dx_logline_read(dx_s(lines[i]), &l), "no prefix: %s", lines[i]);
        ok(dx_slice_is(l.message, lines[i]) && l.local_ms == DX_TIME_NONE && l.logger.n == 0
               && l.level.n == 0 && l.thread.n == 0,
           "all of it is the message");
    }
}

static void test_zone(void) {
    dx_logline l;
    ok(dx_logline_read(dx_s("2024-05-01T10:00:00.123+0530 INFO  [t] a.B: m"), &l) && l.has_zone
           && l.offset_ms == 19800000 && dx_slice_is(l.logger, "a.B"),
       "a stamp with its zone");
    ok(dx_logline_read(dx_s("2024-05-01T10:00:00Z stdout F WARN [t] a.B: m"), &l) && l.has_zone
           && l.offset_ms == 0,
       "a wrapper's stamp has one");
    ok(dx_logline_read(dx_s("2024-05-01T10:00:00Z stdout F 2024-05-01 12:00:00 WARN a.B: m"), &l)
           && !l.has_zone,
       "the stamp inside has none");
    ok(!dx_logline_read(dx_s("2024-05-01T10:00:00Z stdout F \tat a.B"), &l) && l.has_zone
           && dx_slice_is(l.message, "\tat a.B"),
       "a wrapped stack frame is no record, but has its wrapper's stamp");
}

typedef struct wrapped {
    const char *line;
    bool partial, to_stderr;
    const char *body;
} wrapped;

static void test_wrapped(void) {
    static const wrapped rows[] = {
        {"2024-05-01T10:00:00.123456789Z stdout P half", true, false, "half"},
        {"2024-05-01T10:00:00.123456789Z stderr F ", false, true, ""},
        {"2024-05-01T10:00:00.123456789Z stderr F", false, true, ""},
        {"2024-05-01T10:00:00.1+02:00 stdout P:x:y a  b", true, false, "a  b"},
        {"{\"log\":\"a \\\"b\\\" "
         "\\\\n\",\"stream\":\"stdout\",\"time\":\"2024-05-01T10:00:00.1Z\"}",
         true, false, "a \\\"b\\\" \\\\n"},
        {"{\"log\":\"a\\r\\n\",\"stream\":\"stderr\",\"time\":\"2024-05-01T10:00:00.1Z\"}", false,
         true, "a"},
        {"{\"log\":\"cut off here\\n\",\"str", false, false, "cut off here"},
        {"{\"stream\":\"stderr\",\"log\":\"its \\\"stream\\\": "
         "x\\n\",\"time\":\"2024-05-01T10:00:00.1Z\"}",
         false, true, "its \\\"stream\\\": x"},
        {"2024-05-01T10:00:00.123456789Z WARN a.B: as kubectl shows it", false, false,
         "WARN a.B: as kubectl shows it"},
        {"[pod/hbase-rs-0/hbase] WARN a.B: with its pod", false, false, "WARN a.B: with its pod"},
        {"Nov 16 18:02:08.411000 rs1 hbase[123]: precise", false, false, "precise"},
        {"Nov 16 18:02:08 RSA hbase[123]: a host in capitals", false, false, "a host in capitals"},
        {"2024-05-01T10:00:00+00:00 HBASE hbase[1]: the same", false, false, "the same"},
        {"{ \"log\": \"written anew\\n\", \"stream\" : \"stderr\", \"time\": \"x\"}", false, true,
         "written anew"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        dx_logwrap w = {0};
        ok(dx_logwrap_read(dx_s(rows[i].line), &w), "wrapped: %s", rows[i].line);
        ok(w.partial == rows[i].partial && w.to_stderr == rows[i].to_stderr, "its flags");
        is_slice(w.body, rows[i].body, "its body");
    }
    static const char *none[] = {"2024-05-01T10:00:00.123Z WARN a.B: m",
                                 "2024-05-01T10:00:00.123+0000: 1.234: [GC (Allocation Failure)",
                                 "2024-05-01T10:00:00.123Z stdin F this is none",
                                 "2024-05-01T10:00:00.123+02:00 WARN hbase: a level, no host",
                                 "Nov 16 18:02:08.x rs1 hbase[123]: m",
                                 "[pod/hbase-rs-0/hbase]",
                                 "{\"other\":1,\"log\":\"x\"}",
                                 "2024-05-01T10:00:00.123Z stdout X this is none",
                                 "{\"log\":\"no end of the string\\\"",
                                 "<999>May  1 10:00:00 rs1 hbase[1]: m",
                                 "<14>1 2024-05-01T10:00:00Z rs1 hbase 12 - [x 2024-05-01"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        dx_logwrap w;
        ok(!dx_logwrap_read(dx_s(none[i]), &w), "not wrapped: %s", none[i]);
    }
}

static void test_unescape(void) {
    static const struct {
        const char *in, *out;
    } rows[] = {{"a\\tb\\\\n\\\"\\/", "a\tb\\n\"/"},
                {"\\u003d\\u00e9\\u20ac", "=\xc3\xa9\xe2\x82\xac"},
                {"\\ud83d\\ude00", "\xf0\x9f\x98\x80"},
                {"\\ud83dx", "\xef\xbf\xbdx"},
                {"\\q \\u12 \\", "\\q \\u12 \\"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        dx_buf b;
        dx_buf_init(&b, 0);
        dx_logwrap_unescape(dx_s(rows[i].in), &b);
        is_slice(dx_buf_slice(&b), rows[i].out, rows[i].in);
        dx_buf_done(&b);
    }
}

/* ---- lines in a row */

static bool same_part(dx_slice a, dx_slice b) {
    return a.n == b.n && (a.n == 0 || a.p == b.p);
}

static bool same_line(const dx_logline *a, const dx_logline *b) {
    return a->local_ms == b->local_ms && a->has_zone == b->has_zone && a->offset_ms == b->offset_ms
           && same_part(a->level, b->level) && same_part(a->thread, b->thread)
           && same_part(a->logger, b->logger) && same_part(a->message, b->message);
}

/* Whether the line, in memory of just its size, is the same to who remembers and who does not. */
static bool told_alike(const char *text, size_t n, dx_logline_memo *memo) {
    char *copy = malloc(n + 1);
    memcpy(copy, text, n);
    char *exact = n == 0 ? copy : realloc(copy, n);
    dx_logline alone, next;
    bool known = dx_logline_read_bare(dx_sn(exact, n), &alone);
    bool same =
        dx_logline_read_next(dx_sn(exact, n), memo, &next) == known && same_line(&alone, &next);
    free(exact);
    return same;
}

static const char *const stamps[] = {
    "2026-11-30 20:10:07,024 ",   "2026-11-30 20:10:59.999 ",
    "2026-11-30 20:10:07,025 ",   "2026-11-30 20:11:00,000 ",
    "2026-11-30T20:10:07,024 ",   "2026-11-30 20:10:60,000 ",
    "2026-11-30 20:10:61,000 ",   "2026-11-30 20:10:07,02 ",
    "2026-11-30 20:10:07,024\t",  "2026-11-30 20:10:07,024+0100 ",
    "2026-13-30 20:10:07,024 ",   "26/11/30 20:10:07 ",
    "[2026-11-30 20:10:07,024] ", "2026/11/30 20:10:07,024 ",
    "2026-11-30 20:10 ",          "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0:07,024 ",
};
static const char *const heads[] = {
    "INFO  [t] a.BcDefghi: ",
    "INFO  [t] a.BcDefghj: ",
    "INFO  [u] a.BcDefghi: ",
    "WARN  [t] a.BcDefghi: ",
    "INFO [tt] a.BcDefghi: ",
    "ERROR [t] a.BcDefghi: ",
    "INFO a.BcDefghi: ",
    "INFO  a.BcDefghi: ",
    "INFO  [a] Foo (x] yy.Zabcdefg: ",
    "INFO  [a] b] yy.Zabcdefg: ",
    "INFO  [main {}] a.BcDefghi: ",
    "INFO  [  main] a.BcDefghi: ",
    "INFO  [] a.BcDefghi: ",
    "INFO  [t: uvwxyzabc] a.BcDefghi: ",
    "INFO  [t] a.BcDefghi - ",
    "INFO  [t] a.BcDefghi(12): ",
    "INFO  [t] a.BcDefghi  : ",
    "INFO  [t]   a.BcDefghi: ",
    "INFO  [t] a: ",
    "INFO 12 --- [t] a.BcDefghi: ",
    "INFORM [t] a.BcDefghi: ",
    "| INFO | t | ",
    "- INFO  [t] a.BcDefghi: ",
    "[t] INFO a.BcDefghi - ",
    "INFO  [regionserver/rs07.example.internal/10.1.0.27:16020-longCompactions-1796068900123] "
    "regionserver.HRegion: ",
    "INFO  [regionserver/rs07:16020-shortCompactions-0] regionserver.CompactSplit: ",
};
static const char *const tails[] = {"", "m", "m) : x] a.b: c", "[t] xy.Zabcdefg: z", ")"};

/* What is remembered of lines before changes nothing of a line. */
static void test_next(void) {
    dx_logline_memo memo = {.known = false};
    size_t differ = 0;
    uint64_t seed = 1;
    for (size_t k = 0; k < 100000; k++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        const char *stamp = stamps[(seed >> 33) % (sizeof stamps / sizeof stamps[0])];
        const char *head = heads[(seed >> 43) % (sizeof heads / sizeof heads[0])];
        const char *tail = tails[(seed >> 53) % (sizeof tails / sizeof tails[0])];
        size_t n = stamp[0] == '\0' ? 24 : strlen(stamp), cut = seed >> 62 == 0 ? k % 50 : 0;
        char line[300];
        memcpy(line, stamp, n);
        n += (size_t)snprintf(line + n, sizeof line - n, "%s%s", head, tail);
        differ += !told_alike(line, n - (cut < n ? cut : 0), &memo);
    }
    is_int((int64_t)differ, 0, "lines in any order are told as each alone");
    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++)
        differ += !told_alike(KNOWN[i].line, strlen(KNOWN[i].line), &memo);
    is_int((int64_t)differ, 0, "lines of all layouts, too");
}

/* Cut at every byte, in memory of just that size, so that a look beyond it is seen. */
static void test_cut(void) {
    size_t seen = 0;
    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++)
        for (size_t n = 0; n < strlen(KNOWN[i].line); n++) {
            char *copy = malloc(n == 0 ? 1 : n);
            dx_logline l;
            memcpy(copy, KNOWN[i].line, n);
            seen += dx_logline_read(dx_sn(copy, n), &l);
            free(copy);
        }
    ok(seen > 0, "every line cut at every byte");
}

int main(void) {
    test_known();
    test_unknown();
    test_zone();
    test_wrapped();
    test_unescape();
    test_next();
    test_cut();
    return done();
}

/* One source after the other into a case: what it is taken for, what comes out, what a second sight
 * of the same adds, and what its stamps mean. */
#include "casefile_help.h"
#include "dx_ingest.h"

static dx_casefile *c;
static dx_ingest_report report;
static dx_err err;

static const dx_ingest_opts plain = {.name = "x", .t_ms = DX_TIME_NONE};

static dx_status feed_bytes(dx_slice bytes, dx_ingest_opts opts) {
    dx_input *in = NULL;
    dx_status st = dx_input_open_bytes(&in, bytes, opts.name, &err);
    if (st == DX_OK)
        st = dx_ingest(c, in, &opts, &report, &err);
    dx_input_close(in);
    return st;
}

static void feed(const char *text, dx_ingest_opts opts) {
    dx_status st = feed_bytes(dx_s(text), opts);
    ok(st == DX_OK, "taken%s%s", st == DX_OK ? "" : ": ", st == DX_OK ? "" : err.msg);
}

/* 2024-05-01 12:00:00 UTC is 1714564800000; the log's clock shows 14:00. */
#define NOON INT64_C(1714564800000)
#define SLOW(stamp, start, proc)                                                                   \
    "2024-05-01 " stamp " WARN  [RpcServer.default.FPBQ.Fifo.handler=7] ipc.RpcServer: "           \
    "(responseTooSlow): {\"call\":\"Scan(x)\",\"starttimems\":\"" start "\",\"responsesize\":"     \
    "\"16\",\"method\":\"Scan\",\"param\":\"scanner_id: 12 number_of_rows: 100\","                 \
    "\"processingtimems\":" proc ",\"client\":\"10.0.0.7:4711\",\"queuetimems\":5,"                \
    "\"class\":\"HRegionServer\"}\n"
#define E1 "0123456789abcdef0123456789abcdef"
#define DELAYED(stamp)                                                                             \
    "2024-05-01 " stamp " WARN  [MemStoreFlusher.0] regionserver.MemStoreFlusher: " E1             \
    " has too many store files(5); delaying flush up to 90000 ms\n"
#define SERVING                                                                                    \
    "2024-05-01 14:00:00,000 INFO  [main] regionserver.HRegionServer: Serving as "                 \
    "rs-1,16020,1714564799000, RpcServer on rs-1/10.0.0.1:16020, sessionid=0x1\n"

#define RING(start)                                                                                \
    "{\n  \"startTime\": " start ",\n  \"processingTime\": 300,\n  \"queueTime\": 5,\n"            \
    "  \"responseSize\": 16,\n  \"clientAddress\": \"10.0.0.7:4711\",\n"                           \
    "  \"serverClass\": \"HRegionServer\",\n  \"methodName\": \"Scan\",\n"                         \
    "  \"callDetails\": \"Scan(x)\",\n  \"param\": \"scanner_id: 12 number_of_rows: 100\",\n"      \
    "  \"userName\": \"etl\"\n}"

static const char log_text[] =
    SERVING SLOW("14:00:00,305", "1714564800000", "300") DELAYED("14:00:01,000");

static void test_log(void) {
    c = fresh();
    feed(log_text, plain);
    is_str(report.kind, "log", "a log");
    is_int(report.log.calls, 1, "its call");
    is_int(report.new_calls, 1, "a new one");
    is_str(report.server, "rs-1,16020", "its server");
    is_str(report.offset_origin, "slow calls", "its zone, from the call");
    is_int(report.offset_ms, 7200000, "two hours");
    is_int(report.first_ms, NOON, "from");
    is_int(report.last_ms, NOON + 1000, "to");
    is_number(c, "SELECT t_ms FROM event WHERE kind = 'flush_delayed'", NOON + 1000,
              "its events are in UTC");
    is_number(c, "SELECT start_ms FROM call", NOON, "so is its call");
    is_number(c,
              "SELECT count(*) FROM call JOIN server ON server.id = server_id "
              "WHERE server.name = 'rs-1,16020'",
              1, "which knows its server");
    is_number(c,
              "SELECT json_extract(fields, '$.store_files') FROM event "
              "WHERE kind = 'flush_delayed'",
              5, "fields");
    is_number(c, "SELECT first_ms FROM source", NOON, "the source's span");
    is_number(c, "SELECT understood FROM source", 3, "what was understood");
    dx_casefile_close(c);
}

static void test_twice(void) {
    c = fresh();
    feed(log_text, plain);
    int64_t id = report.source;
    feed(log_text, (dx_ingest_opts){.name = "other name", .t_ms = DX_TIME_NONE});
    ok(report.duplicate, "the same content again");
    is_int(report.source, id, "is the source that was");
    is_number(c, "SELECT count(*) FROM source", 1, "nothing was added");
    is_number(c, "SELECT count(*) FROM event", 2, "no event, either");
    char longer[2 * sizeof log_text];
    snprintf(longer, sizeof longer, "%s%s%s", log_text,
             SLOW("14:00:09,305", "1714564809000", "300"), DELAYED("14:00:10,000"));
    feed(longer, plain);
    ok(!report.duplicate, "the log has grown");
    is_int(report.log.calls, 2, "two calls in it");
    is_int(report.new_calls, 1, "one is new");
    is_number(c, "SELECT count(*) FROM call", 2, "two in the case");
    is_number(c, "SELECT count(*) FROM event WHERE kind = 'flush_delayed'", 2, "two events");
    dx_casefile_close(c);
}

static void test_log_and_ring(void) {
    static const char ring[] = "hbase:001:0> get_slowlog_responses '*'\n"
                               "Retrieved SlowLog Responses from RegionServers\n[\n" RING(
                                   "1714564800000") ",\n" RING("1714564700000") "\n]\n";
    for (int first = 0; first < 2; first++) {
        c = fresh();
        feed(first == 0 ? log_text : ring, plain);
        feed(first == 0 ? ring : log_text, plain);
        is_number(c, "SELECT count(*) FROM call", 2, "one call is in both");
        is_number(c, "SELECT count(*) FROM call WHERE in_log = 1 AND in_dump = 1 AND user = 'etl'",
                  1, "and has what both tell");
        is_number(c,
                  "SELECT count(*) FROM call JOIN server ON server.id = server_id "
                  "WHERE in_log = 1",
                  1, "and its server");
        is_text(c, "SELECT kind FROM source WHERE records = 2", "ring", "the dump is one");
        is_number(c, "SELECT offset_ms FROM source WHERE kind = 'ring'", -1, "it has no zone");
        is_number(c, "SELECT first_ms FROM source WHERE kind = 'ring'", NOON - 100000, "but times");
        dx_casefile_close(c);
    }
}

static void test_table(void) {
    static const char text[] =
        "hbase:001:0> scan 'hbase:slowlog'\n"
        "ROW                 COLUMN+CELL\n"
        " \\x01\\x02           column=info:call_details, timestamp=2024-05-01T12:00:01.000, "
        "value=Scan(x)\n"
        " \\x01\\x02           column=info:client_address, timestamp=2024-05-01T12:00:01.000, "
        "value=10.0.0.7:4711\n"
        " \\x01\\x02           column=info:method_name, timestamp=2024-05-01T12:00:01.000, "
        "value=Scan\n"
        " \\x01\\x02           column=info:processing_time, timestamp=2024-05-01T12:00:01.000, "
        "value=300\n"
        " \\x01\\x02           column=info:queue_time, timestamp=2024-05-01T12:00:01.000, value=5\n"
        " \\x01\\x02           column=info:response_size, timestamp=2024-05-01T12:00:01.000, "
        "value=16\n"
        " \\x01\\x02           column=info:start_time, timestamp=2024-05-01T12:00:01.000, "
        "value=1714564800000\n"
        "1 row(s)\n";
    c = fresh();
    feed(log_text, plain);
    feed(text, plain);
    is_str(report.kind, "slowlog-table", "the slow-log table");
    is_int(report.log.calls, 1, "its call");
    is_int(report.new_calls, 0, "is the log's");
    dx_casefile_close(c);
}

static void test_zone_given(void) {
    dx_zone *z = NULL;
    ok(dx_zone_open(&z, "+03:00", &err) == DX_OK, "a zone");
    c = fresh();
    feed(DELAYED("14:00:01,000"),
         (dx_ingest_opts){.name = "x", .t_ms = DX_TIME_NONE, .zone = z, .server = "hint"});
    is_str(report.offset_origin, "--log-tz", "the zone that was given");
    is_int(report.offset_ms, 10800000, "three hours");
    is_number(c, "SELECT t_ms FROM event", NOON - 3600000 + 1000, "its stamps");
    is_str(report.server, "hint", "whose it is, as told");
    is_str(report.damage, "", "nothing to say");
    feed(log_text, (dx_ingest_opts){.name = "x", .t_ms = DX_TIME_NONE, .zone = z});
    ok(strstr(report.damage, "+03:00") != NULL && strstr(report.damage, "+02:00") != NULL,
       "slow calls know better: %s", report.damage);
    is_int(report.offset_ms, 10800000, "what was given stands");
    dx_zone_free(z);
    dx_casefile_close(c);
}

/* The hour that comes twice: 02:30 before and after the clock went back. */
static void test_clock_back(void) {
    static const char text[] = "2024-10-27 02:30:00,000 FATAL [main] regionserver.HRegionServer: "
                               "ABORTING region server rs-1,1,1: a\n"
                               "2024-10-27 02:50:00,000 FATAL [main] regionserver.HRegionServer: "
                               "ABORTING region server rs-1,1,1: b\n"
                               "2024-10-27 02:10:00,000 FATAL [main] regionserver.HRegionServer: "
                               "ABORTING region server rs-1,1,1: c\n";
    dx_zone *z = NULL;
    if (dx_zone_open(&z, "Europe/Berlin", &err) != DX_OK) {
        ok(true, "the clock goes back # SKIP no zoneinfo on this machine");
        return;
    }
    c = fresh();
    feed(text, (dx_ingest_opts){.name = "x", .t_ms = DX_TIME_NONE, .zone = z});
    is_number(c, "SELECT count(*) FROM event", 3, "three events");
    is_number(c, "SELECT max(t_ms) - min(t_ms) FROM event", 40 * 60000, "over forty minutes");
    is_number(c, "SELECT t_ms FROM event WHERE line = 3", 1729991400000, "in the second hour");
    dx_zone_free(z);
    dx_casefile_close(c);
}

static void test_zone_unknown(void) {
    c = fresh();
    feed(DELAYED("14:00:01,000"), plain);
    is_str(report.offset_origin, "unknown", "nothing tells the zone");
    is_number(c, "SELECT t_ms FROM event", NOON + 7201000, "read as UTC until someone does");
    ok(dx_casefile_set_offset(c, report.source, 7200000, "other logs", &err) == DX_OK, "said");
    is_number(c, "SELECT t_ms FROM event", NOON + 1000, "moved");
    is_number(c, "SELECT first_ms FROM source", NOON + 1000, "with its span");
    ok(dx_casefile_set_offset(c, 99, 0, "x", &err) == DX_E_NOTFOUND, "no such source: %s", err.msg);
    feed("2024-05-01T14:00:01,000+02:00 FATAL [main] regionserver.HRegionServer: ABORTING region "
         "server rs-1,1,1: x\n",
         plain);
    is_str(report.offset_origin, "line", "lines that name their zone");
    is_number(c, "SELECT t_ms FROM event WHERE source_id = 2", NOON + 1000, "are exact");
    is_int(report.first_ms, NOON + 1000, "and so is the span");
    dx_casefile_close(c);
}

static const char dump[] =
    "{\"beans\":[{\"name\":\"Hadoop:service=HBase,name=RegionServer,sub=Server\","
    "\"tag.serverName\":\"rs-1,16020,1714564799000\",\"blockCacheHitCount\":5},"
    "{\"name\":\"Hadoop:service=HBase,name=RegionServer,sub=Regions\","
    "\"Namespace_shop_table_orders_region_" E1 "_metric_storeCount\":2}]}";

static void test_dumps(void) {
    c = fresh();
    feed(dump, (dx_ingest_opts){.name = "x", .t_ms = NOON, .t_origin = "file name"});
    is_str(report.kind, "jmx", "a dump");
    is_int(report.samples, 2, "two numbers");
    is_str(report.server, "rs-1,16020", "its server");
    is_int(report.first_ms, NOON, "its instant");
    is_text(c, "SELECT t_origin FROM snapshot", "file name", "and who told it");
    feed(dump, (dx_ingest_opts){.name = "y", .t_ms = NOON + 10000, .t_origin = "file name"});
    ok(report.duplicate, "the same bytes are the same dump, whatever its file's name");
    static const char timed[] =
        "{\"beans\":[{\"name\":\"java.lang:type=Runtime\",\"StartTime\":1714564000000,"
        "\"Uptime\":5000}]}";
    feed(timed, (dx_ingest_opts){.name = "z", .t_ms = NOON, .server = "hint"});
    is_int(report.first_ms, 1714564005000, "its own clock goes before a file's name");
    is_text(c, "SELECT t_origin FROM snapshot WHERE id = 2", "document", "and is said to");
    is_str(report.server, "hint", "whose it is, as told");
    feed("{\"beans\":[{\"name\":\"a:b=c\",\"d\":1}]}", plain);
    ok(strstr(report.damage, "when it was taken") != NULL, "no clock: %s", report.damage);
    is_number(c, "SELECT count(*) FROM snapshot", 2, "then it is not used");
    feed("{\"beans\":[{\"name\":\"a:b=c\",\"d\":1},{\"name\":\"a:b=",
         (dx_ingest_opts){.name = "cut", .t_ms = NOON});
    ok(report.samples == 1 && report.damage[0] != '\0', "a cut dump: %s", report.damage);
    is_text(c, "SELECT kind FROM source WHERE name = 'cut' AND damage IS NOT NULL", "jmx",
            "is filed");
    dx_casefile_close(c);
}

/* Encoded names in the log, explained by a dump that comes later. */
static void test_regions_later(void) {
    c = fresh();
    feed("2024-05-01 14:00:01,000 INFO  [MemStoreFlusher.0] regionserver.HRegion: Flushing " E1
         " 1/1 column families, dataSize=4 MB heapSize=5 MB\n",
         plain);
    is_number(c, "SELECT count(encoded) FROM event", 1, "an event with an encoded name");
    is_number(c, "SELECT count(table_name) FROM event", 0, "whose table is not known");
    feed(dump, (dx_ingest_opts){.name = "x", .t_ms = NOON});
    is_text(c, "SELECT table_name FROM event", "shop:orders", "the dump explains it");
    dx_casefile_close(c);
}

static void test_conf(void) {
    c = fresh();
    feed("<?xml version=\"1.0\"?>\n<configuration>\n<property><name>a</name><value>1</value>"
         "</property>\n<property><name>a</name><value>2</value></property>\n</configuration>\n",
         (dx_ingest_opts){.name = "hbase-site.xml", .t_ms = DX_TIME_NONE, .server = "rs-1,16020"});
    is_str(report.kind, "conf", "a configuration");
    is_int(report.settings, 2, "both occurrences");
    is_text(c, "SELECT value FROM setting ORDER BY id DESC LIMIT 1", "2", "in their order");
    is_number(c, "SELECT count(server_id) FROM setting", 2, "whose they are");
    dx_casefile_close(c);
}

static void test_scans(void) {
    c = fresh();
    feed("2024-05-01 14:00:01,000 [worker-3] INFO app.Query - last hour of iot:events returned=60 "
         "scanned=42000 filtered=41940\n",
         plain);
    is_str(report.kind, "log", "an application's log");
    is_int(report.log.scans, 1, "its scan");
    is_number(c, "SELECT scanned / returned FROM scan", 700, "its numbers");
    feed("scanned=42000 returned=60 filtered=41940\n", plain);
    is_str(report.kind, "log", "a log without stamps");
    is_int(report.log.scans, 1, "its scan");
    dx_casefile_close(c);
}

/* Notes of an incident hold both; the output of a shell begins with a few lines of a log. */
static void test_log_or_ring(void) {
    static const char record[] = "{\"startTime\": 1714557600000, \"processingTime\": 7}\n";
    static const char line[] = "2024-05-01 12:00:00,000 INFO  [main] a.B: starts\n";
    dx_buf text;
    dx_buf_init(&text, 0);
    c = fresh();
    for (int i = 1; i <= 30; i++) {
        dx_buf_clear(&text);
        for (int k = 0; k < i; k++)
            dx_buf_adds(&text, line);
        dx_buf_adds(&text, record);
        feed(text.p, plain);
        if (i == 5 || i == 30)
            is_str(report.kind, i == 5 ? "ring" : "log", "what there is more of");
    }
    feed("2024-05-02 12:00:00,000 WARN [h] ipc.RpcServer: (responseTooSlow): "
         "{\"method\":\"Get\",\"processingtimems\":5,\"starttimems\":1714557600000}\n",
         plain);
    ok(strstr(report.damage, "wrong clock") != NULL, "a line of another day: %s", report.damage);
    dx_buf_done(&text);
    dx_casefile_close(c);
}

static void unknown(dx_slice bytes, bool binary, const char *word) {
    dx_status st = feed_bytes(bytes, plain);
    ok(st == DX_OK && strcmp(report.kind, "unknown") == 0 && report.binary == binary
           && strstr(report.damage, word) != NULL,
       "unknown: \"%s\" (%s)", report.damage, st == DX_OK ? report.kind : err.msg);
}

static void test_unknown(void) {
    static const unsigned char noise[] = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 3, 0, 62, 0};
    c = fresh();
    unknown(dx_s(""), false, "empty");
    unknown(dx_s("a recipe for soup\n"), false, "");
    unknown(dx_s("RegionTooBusyException: has two causes\n"), false, "");
    unknown(dx_s("2024-05-01T12:00:00.000+0000: 1.5: [x, 0.1 secs]\n"), false, "");
    unknown(dx_s("{\"a\": 1}"), false, "");
    unknown(dx_s("<!DOCTYPE html><html><body>login</body></html>"), false, "HTML");
    unknown(dx_sn((const char *)noise, sizeof noise), true, "");
    unknown(dx_sn("SQLite format 3\0\x10\0\2\2\0\0\0\0\0\0\0\0", 28), true, "case");
    unknown(dx_sn("\xff\xfe"
                  "2\0"
                  "0\0"
                  "2\0"
                  "4\0",
                  10),
            true, "UTF-16");
    unknown(dx_sn("\x1f\x8b\x08\0\0\0\0\0\0\3garbage", 17), false, "");
    unknown(dx_sn("PK\3\4aaaaaaaaaaaaaaaa", 20), false, "archive");
    is_number(c, "SELECT count(*) FROM source WHERE kind = 'unknown'", 11, "they are filed");
    feed("a recipe for soup\n", plain);
    ok(report.duplicate, "and known again");
    dx_casefile_close(c);
}

/* A log that was truncated under its writer begins with a run of NULs. */
static void test_nuls(void) {
    enum { N = 70000 };
    static char text[N + sizeof log_text];
    memset(text, 0, N);
    text[N - 1] = '\n';
    memcpy(text + N, log_text, sizeof log_text);
    c = fresh();
    ok(feed_bytes(dx_sn(text, N + sizeof log_text - 1), plain) == DX_OK, "taken");
    is_str(report.kind, "log", "a log behind NULs");
    is_int(report.log.calls, 1, "its call");
    dx_casefile_close(c);
}

/* Whatever is cut off, there is an answer, and all pieces together tell no more than the whole. */
static void test_cut_anywhere(void) {
    static const char *const texts[] = {
        log_text, dump,
        "Retrieved SlowLog Responses from RegionServers\n[\n" RING("1714564800000") "]\n"};
    static const int calls[] = {1, 0, 1};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        size_t bad = 0, n = strlen(texts[t]);
        c = fresh();
        for (size_t cut = 0; cut <= n; cut++)
            bad += feed_bytes(dx_sn(texts[t], cut), (dx_ingest_opts){.name = "x", .t_ms = NOON})
                   != DX_OK;
        is_int(bad, 0, "every cut gives an answer");
        is_number(c, "SELECT count(*) FROM call", calls[t], "and no call twice");
        is_number(c,
                  "SELECT ifnull(max(value), 5) FROM sample WHERE series_id = "
                  "(SELECT id FROM series WHERE name = 'blockCacheHitCount')",
                  5, "nor a number that is not there");
        dx_casefile_close(c);
    }
}

/* An error in the middle leaves the case as it was. */
static bool stop_later(void *arg) {
    return ++*(int *)arg > 2;
}

static void test_all_or_nothing(void) {
    static char text[400000];
    size_t n = 0;
    int looks = 0;
    for (int i = 0; i < 800; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s",
                              SLOW("14:00:00,305", "1714564800000", "300"));
    c = fresh();
    feed(log_text, plain);
    dx_casefile_on_progress(c, stop_later, &looks);
    dx_status st = feed_bytes(dx_sn(text, n), plain);
    ok(st == DX_E_LIMIT, "stopped in the middle: %s", dx_status_name(st));
    dx_casefile_on_progress(c, NULL, NULL);
    is_number(c, "SELECT count(*) FROM source", 1, "as if it had never been");
    is_number(c, "SELECT count(*) FROM call", 1, "no call of it");
    ok(feed_bytes(dx_sn(text, n), plain) == DX_OK, "and it can be read again");
    is_number(c, "SELECT count(*) FROM call", 800, "whole: identical lines of one log are calls");
    dx_casefile_close(c);
}

/* Lines that give the case nothing to do ask too. */
static void test_stopped(void) {
    static char text[60000];
    int looks = 0;
    size_t n = 0;
    n += (size_t)snprintf(text, sizeof text, "%s", log_text);
    while (n + 4 < sizeof text)
        n += (size_t)snprintf(text + n, sizeof text - n, "...\n");
    c = fresh();
    dx_casefile_on_progress(c, stop_later, &looks);
    ok(feed_bytes(dx_sn(text, n), plain) == DX_E_LIMIT && looks == 3, "stopped: %s", err.msg);
    dx_casefile_on_progress(c, NULL, NULL);
    is_number(c, "SELECT count(*) FROM source", 0, "and nothing is kept");
    dx_casefile_close(c);
}

int main(void) {
    test_stopped();
    test_log();
    test_twice();
    test_log_and_ring();
    test_table();
    test_zone_given();
    test_clock_back();
    test_zone_unknown();
    test_dumps();
    test_regions_later();
    test_conf();
    test_scans();
    test_log_or_ring();
    test_unknown();
    test_nuls();
    test_cut_anywhere();
    test_all_or_nothing();
    return done();
}

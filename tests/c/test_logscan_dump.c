/* test_logscan_dump.c - slow calls that a shell printed: the ring buffer, and scan 'hbase:slowlog'.
 */
#include "logscan_seen.h"

/* ---- ring buffer */

#define OBJECT(method, proc)                                                                       \
    "{\n  \"startTime\": 1714550400000,\n  \"processingTime\": " proc ",\n  \"queueTime\": 0,\n"   \
    "  \"responseSize\": 2,\n  \"clientAddress\": \"10.0.0.1:50\",\n  \"serverClass\": "           \
    "\"HRegionServer\",\n"                                                                         \
    "  \"methodName\": \"" method "\",\n  \"callDetails\": \"x }{ y\",\n"                          \
    "  \"param\": \"region\\u003d t1,a,1." E32 "., row\\u003d \\\"{\",\n  \"userName\": \"u\"\n}"

#define START "\"startTime\":1714550400000,"

static void test_ring(void) {
    dx_coverage c = check(
        "hbase:001:0> get_slowlog_responses '*'\n" P(
            "10:00:00,000") "WARN  [main] util.NativeCodeLoader: no {native} library\n"
                            "Retrieved SlowLog Responses from RegionServers\n" OBJECT(
                                "Get",
                                "5") "\n" OBJECT("Mutate",
                                                 "6") "\n"
                                                      "Took 0.1234 seconds\n"
                                                      "hbase:002:0> get_largelog_responses '*'\n"
                                                      "Retrieved LargeLog Responses from "
                                                      "RegionServers\n" OBJECT(
                                                          "Get", "7") "\n\nTook 0.1 seconds\n",
        DX_LOG_RING, "4 ? call Get t1 5 S\n16 ? call Mutate t1 6 S\n31 ? call Get t1 7 L\n",
        "two dumps with all that a shell prints");
    is_int(c.records, 3, "three records");
    check("[\n" OBJECT("Get", "5") ",\n" OBJECT("Get", "6") "\n]\n", DX_LOG_RING,
          "2 ? call Get t1 5 ?\n14 ? call Get t1 6 ?\n", "an array, of no kind that was told");
    check("[{" START "\"methodName\":\"Get\",\"processingTime\":5},{" START
          "\"methodName\":\"Put\",\"processingTime\":6}, {\n" START
          "\"methodName\":\"Scan\",\"processingTime\":7}]\n",
          DX_LOG_RING, "1 ? call Get  5 ?\n1 ? call Put  6 ?\n1 ? call Scan  7 ?\n",
          "objects on one line, and over the next");
    check("{\n  \"startTime\": 1714550400000,\n  \"param\": \"regi\n" OBJECT(
              "Get", "5") "\n"
                          "{\n  \"startTime\": 1714550400000,\nRetrieved LargeLog Responses from "
                          "RegionServers\n"
                          "{\n  \"start",
          DX_LOG_RING,
          "1 ? skip ring-buffer record is cut (1)\n4 ? call Get t1 5 ?\n"
          "16 ? skip ring-buffer record is cut (1)\n19 ? skip ring-buffer record is cut (1)\n",
          "records that break off");
    check("{\n" START
          "  \"methodName\": \"Get\",\n" P("10:00:00,000") "WARN  [main] a.B: to {stderr}\n"
                                                           "  \"processingTime\": 5\n}\n",
          DX_LOG_RING, "1 ? call Get  5 ?\n", "a log line in the midst of a record");
    check("{\"a\": }\n", DX_LOG_RING, "1 ? skip ring-buffer record not understood (1)\n",
          "no JSON");
    check("", DX_LOG_RING, "", "nothing");
}

/* ---- scan 'hbase:slowlog' */

#define CELL(key, name, value)                                                                     \
    " " key " column=info:" name ", timestamp=2024-05-01T10:00, value=" value "\n"
#define ROW(key, method, proc)                                                                     \
    CELL(key, "client_address", "10.0.0.1:50")                                                     \
    CELL(key, "method_name", method)                                                               \
    CELL(key, "param", "region= t1,a,1." E32 "., row= column=info:x")                              \
    CELL(key, "processing_time", proc)                                                             \
    CELL(key, "queue_time", "0")                                                                   \
    CELL(key, "region_name", "t1,a,1." E32 ".")                                                    \
    CELL(key, "start_time", "1714550400000") CELL(key, "type", "LARGE_LOG")

/* 60 columns; the key takes 10 and goes on in the second line; a blank at an end was lost */
static const char WRAPPED[] = "ROW        COLUMN+CELL                                      \n"
                              " \\x024\\xC1 column=info:method_name, timestamp=2024-05-01T10:\n"
                              " \\x03x     00, value=Scan\n"
                              " \\x024\\xC1 column=info:param, timestamp=2024-05-01T10:00, va\n"
                              " \\x03x     lue=region { type: REGION_NAME value: \"t1,,1."
                              "\n"
                              "           0123456789abcdef0123456789abcdef.\" } scan { max_v\n"
                              "           ersions: 1 cache_blocks: false } number_of_rows:\n"
                              "           7 close_scanner: false\n"
                              " \\x024\\xC1 column=info:processing_time, timestamp=2024-05-01\n"
                              " \\x03x     T10:00, value=9\n"
                              " \\x024\\xC1 column=info:start_time, timestamp=2024-05-01T10:0\n"
                              " \\x03x     0, value=1714550400000\n"
                              "1 row(s)\n"
                              "Took 0.0321 seconds\n";

static int64_t rows_told;
static dx_status on_row(void *arg, const dx_call *c, const dx_where *w, dx_err *err) {
    (void)arg, (void)w, (void)err;
    rows_told = c->number_of_rows;
    return DX_OK;
}

static void test_table(void) {
    dx_coverage c =
        check("ROW  COLUMN+CELL\n" ROW("\\x02 a\"", "Get", "5")
                  ROW("\\x02b", "Put", "6") "2 row(s)\nTook 0.0321 seconds\n",
              DX_LOG_TABLE, "2 ? call Get t1 5 L\n10 ? call Put t1 6 L\n", "two rows in a file");
    is_int(c.records, 2, "two records");
    check(WRAPPED, DX_LOG_TABLE, "2 ? call Scan t1 9 ?\n", "a row as a terminal wraps it");
    dx_input *in = NULL;
    dx_sink sink = {.call = on_row};
    ok(dx_input_open_bytes(&in, dx_s(WRAPPED), "x", NULL) == DX_OK
           && dx_logscan(in, DX_LOG_TABLE, &sink, &c, NULL) == DX_OK,
       "again");
    is_int(rows_told, 7, "the lost blank is back");
    dx_input_close(in);
    check(CELL("k", "type", "ALL") " k column=info:par", DX_LOG_TABLE,
          "2 ? skip slow-log cell is cut (1)\n1 ? skip slow-log row not understood (1)\n",
          "a cut table");
}

static void test_refusal(void) {
    seen s = scan_with(dx_s(OBJECT("Get", "5") "\n" OBJECT("Get", "5")), DX_LOG_RING, DX_E_DB);
    ok(s.status == DX_E_DB && s.cov.calls == 1, "a sink's refusal ends the scan of a dump");
    done_with(&s);
    s = scan_with(dx_s(ROW("a", "Get", "5") ROW("b", "Get", "5")), DX_LOG_TABLE, DX_E_DB);
    ok(s.status == DX_E_DB && s.cov.calls == 1, "and of a table");
    done_with(&s);
}

int main(void) {
    test_ring();
    test_table();
    test_refusal();
    test_mangled(OBJECT("Get", "5") "\n" OBJECT("Get", "5"), DX_LOG_RING, "a dump");
    test_mangled(WRAPPED, DX_LOG_TABLE, "a table");
    return done();
}

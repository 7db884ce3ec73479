/* test_slowlog_scan.c - scans as protobuf prints them, the ring buffer's records, and rows of
 * hbase:slowlog. */
#include "dx_slowlog.h"
#include "slowlog_text.h"
#include "tap.h"

static dx_arena *arena;
static dx_err err;

#define HEX "5f2a9c0d71e84b3695cafe1234567890"
#define TAIL                                                                                       \
    " } number_of_rows: 250 close_scanner: false client_handles_partials: true "                   \
    "track_scan_metrics: false renew: false limit_of_rows: 40"

/* The call whose param is text; in it, ~ is a backslash of protobuf's, and ' a quote. */
static dx_call scan(const char *text) {
    dx_call c = {.start_ms = -7};
    dx_slowlog_cell cells[] = {{dx_s("start_time"), dx_s("5")},
                               {dx_s("processing_time"), dx_s("6")},
                               {dx_s("param"), kept(arena, text)}};
    if (!ok(dx_slowlog_row(cells, 3, arena, &c, &err) == DX_OK, "reads %.40s", text))
        printf("# %s\n", err.msg);
    return c;
}

static void test_open(void) {
    dx_call c =
        scan("region { type: REGION_NAME value: 'crm:tickets,k~000~377,1612345678901." HEX
             ".' } scan { column { family: 'd' qualifier: 'name' } column { family: 'm~001' "
             "} attribute { name: '_isolationlevel_' value: '~000' } attribute { name: "
             "'_operation.attributes.id' value: 'job ~303~251' } start_row: "
             "'k~000~'~~~n~351z' stop_row: 'k~t' filter { name: "
             "'org.apache.hadoop.hbase.filter.PageFilter' serialized_filter: '~b~005' } "
             "time_range { from: 0 to: 9223372036854775807 } max_versions: 3 cache_blocks: "
             "false batch_size: 10 max_result_size: 2097152 small: true reversed: true "
             "caching: 250 include_stop_row: true readType: PREAD" TAIL);
    is_slice(c.table, "crm:tickets", "table with its namespace");
    is_slice(c.region, "crm:tickets,k\\x00\\xFF,1612345678901." HEX ".",
             "the region in \\xHH form");
    is_slice(c.encoded, HEX, "its encoded name");
    is_slice(c.families, "d,m\\x01", "families");
    is_slice(c.operation_id, "job \xC3\xA9", "the operation's id");
    is_slice(c.start_row, "k\\x00\"\\x5C\\x0A\\xE9z", "the start row in \\xHH form");
    is_slice(c.stop_row, "k\\x09", "the stop row");
    ok(c.has_start_row == DX_YES && c.has_stop_row == DX_YES && c.full_range == DX_NO, "a range");
    is_slice(c.filters, "PageFilter", "the filter's simple name");
    is_int(c.max_versions, 3, "versions");
    ok(c.cache_blocks == DX_NO && c.small == DX_YES && c.reversed == DX_YES, "flags");
    is_int(c.batch, 10, "batch");
    is_int(c.max_result_bytes, 2097152, "result size");
    is_int(c.caching, 250, "caching");
    is_int(c.number_of_rows, 250, "rows of the request");
    is_int(c.limit_rows, 40, "limit");
    ok(!c.param_cut, "nothing is cut");
}

static void test_range(void) {
    dx_call c =
        scan("region { type: REGION_NAME value: 't,,1." HEX ".' } scan { time_range { from: "
             "0 to: 5 } max_versions: 1" TAIL);
    ok(c.has_start_row == DX_NO && c.has_stop_row == DX_NO && c.full_range == DX_YES,
       "a whole text without rows: the whole table");
    ok(c.cache_blocks == DX_TRI_UNKNOWN, "a default is not assumed");
    ok(c.small == DX_NO && c.reversed == DX_NO, "flags that print only when true");
    c = scan("scan { start_row: 'a' max_versions: 1" TAIL);
    ok(c.has_start_row == DX_YES && c.has_stop_row == DX_NO && c.full_range == DX_NO,
       "open to the end is no full range");
    c = scan("scan { 25 { 1: 'x' 2: 0x10 } } 11: 100");
    ok(c.full_range == DX_YES, "numbers for names of a newer client");
    c = scan("region { type: ENCODED_REGION_NAME value: '" HEX "' } scan { } number_of_rows: 5");
    is_slice(c.table, "", "an encoded name tells no table");
    is_slice(c.encoded, HEX, "but itself");
}

static void test_cuts(void) {
    dx_call c = scan("scan { column { family: 'd' } start_row: <TRUNCATED>");
    ok(c.has_start_row == DX_YES && c.start_row.n == 0, "a start row whose bytes are cut");
    ok(c.has_stop_row == DX_TRI_UNKNOWN && c.full_range == DX_NO, "the stop row is unknown");
    is_slice(c.families, "d", "families before the cut");
    c = scan("scan { column { family: 'd <TRUNCATED>");
    ok(c.has_start_row == DX_TRI_UNKNOWN && c.families.n == 0, "cut before the range");
    c = scan("scan { attribute { name: 'x' value: <TRUNCATED>");
    ok(c.has_start_row == DX_TRI_UNKNOWN && c.full_range == DX_TRI_UNKNOWN, "cut in an attribute");
    c = scan("scan { stop_row: 'zz~0<TRUNCATED>");
    ok(c.has_start_row == DX_NO && c.has_stop_row == DX_YES, "a stop row says: no start row");
    is_slice(c.stop_row, "", "half a row is none");
    c = scan("scan { column { family: 'd' } filt <TRUNCATED>");
    ok(c.has_start_row == DX_TRI_UNKNOWN, "half a name says nothing");
    c = scan("scan { column { family: 'd' } filter { name: 'org.apache.hadoop.hbase.filter.Page "
             "<TRUNCATED>");
    ok(c.full_range == DX_YES && c.filters.n == 0, "half a class is none");
    c = scan("scan { max_versions: 1 cache_blocks: tr <TRUNCATED>");
    ok(c.cache_blocks == DX_TRI_UNKNOWN, "half a word is none");
    is_int(c.max_versions, 1, "whole ones are taken");
    c = scan("scan { caching: 10 <TRUNCATED>");
    is_int(c.caching, DX_UNKNOWN, "a number that touches the cut may be longer");
    c = scan("scan { caching: 10  <TRUNCATED>");
    is_int(c.caching, 10, "a blank before the marker's ends it");
    c = scan("scan { caching: 10");
    ok(c.param_cut, "an open brace is a cut without a marker");
    c = scan("region { type: REGION_NAME value: 't~001");
    ok(c.param_cut && c.table.n == 0, "so is an open quote");
    c = scan(
        "region { type: REGION_NAME value: 'hbase:meta,,1' } scan { start_row: 'a' } }}} x: {");
    is_slice(c.encoded, "1588230740", "braces too many do no harm");
}

static void test_filters(void) {
    dx_call c =
        scan("scan { filter { name: 'org.apache.hadoop.hbase.filter.FilterList' "
             "serialized_filter: '~b~001~022A~n,org.apache.hadoop.hbase.filter.RowFilter~022"
             "~n4org.apache.hadoop.hbase.filter.RegexStringComparator~022~035~022A~n,"
             "org.apache.hadoop.hbase.filter.RowFilter~022~000com.example.Hidden~022' } }");
    is_slice(c.filters, "FilterList,RowFilter,RegexStringComparator", "nested names, each once");
    c = scan("scan { filter { name: 'com.example.audit.Deep$Prune' serialized_filter: '' } }");
    is_slice(c.filters, "Prune", "a filter of one's own");
    c = scan("scan { filter { name: 'org.apache.hadoop.hbase.filter.FilterList' serialized_filter: "
             "'~norg.apache.hadoop.hbase.filter.RowFilter~022~norg.apache.hadoop.hbase.filter.Pa"
             " <TRUNCATED>");
    is_slice(c.filters, "FilterList,RowFilter", "the name at the cut is left out");
    c = scan("scan { attribute { name: 'com.example.XFilter' value: 'YFilter' } }");
    is_slice(c.filters, "", "attributes are no filters");
}

/* A cell without a value has no bytes at all, not even a place. */
static void test_empty_cell(void) {
    dx_call c = {.start_ms = -7};
    dx_slowlog_cell cells[] = {{dx_s("start_time"), dx_s("5")},
                               {dx_s("processing_time"), dx_s("6")},
                               {dx_s("queue_time"), {NULL, 0}},
                               {dx_s("param"), {NULL, 0}}};
    ok(dx_slowlog_row(cells, 4, arena, &c, &err) == DX_OK, "a row with empty cells");
    is_int(c.queue_ms, DX_UNKNOWN, "which tell nothing");
}

static dx_status ring_status(const char *text, dx_tri large, dx_call *c) {
    return dx_slowlog_ring(kept(arena, text), large, arena, c, &err);
}

static dx_call ring(const char *text, dx_tri large) {
    dx_call c = {.start_ms = -7};
    if (!ok(ring_status(text, large, &c) == DX_OK, "reads %.40s", text))
        printf("# %s\n", err.msg);
    return c;
}

static void test_ring(void) {
    dx_call c =
        ring("{\n  'startTime': 1714557600555,\n  'processingTime': 11001,\n  'queueTime': "
             "0,\n  'responseSize': 8,\n  'blockBytesScanned': 3,\n  'fsReadTime': 4,\n  "
             "'clientAddress': '2001:db8:0:0:0:0:0:5:41234',\n  'serverClass': "
             "'HRegionServer',\n  'methodName': 'Mutate',\n  'callDetails': 'Mutate(x)',\n  "
             "'param': 'region~u003d crm:tickets,,1." HEX "., row~u003d k~u00271',\n  "
             "'userName': 'svc',\n  'multiGetsCount': 5,\n  'multiMutationsCount': 6,\n  "
             "'multiServiceCalls': 7,\n  'connectionAttributes': {\n    'startTime': '1'\n  "
             "}\n}",
             DX_NO);
    ok(c.form == DX_CALL_RING && c.slow == DX_YES && c.large == DX_TRI_UNKNOWN, "a slow one");
    is_int(c.start_ms, 1714557600555, "start, not that of a nested object");
    is_int(c.proc_ms, 11001, "processing");
    ok(c.queue_ms == 0 && c.response_bytes == 8 && c.block_bytes == 3 && c.fs_read_ms == 4,
       "sizes");
    is_slice(c.client_address, "2001:db8:0:0:0:0:0:5", "address");
    is_slice(c.method, "Mutate", "method");
    is_slice(c.user, "svc", "user");
    is_slice(c.row, "k'1", "here the row has a blank before it");
    ok(c.multi_gets == 5 && c.multi_mutations == 6 && c.multi_service_calls == 7, "counts");

    c = ring("{'startTime':1,'processingTime':2,'param':'region= crm:tickets,,1." HEX ".'}",
             DX_YES);
    ok(c.large == DX_YES && c.slow == DX_TRI_UNKNOWN, "a large one");
    is_slice(c.table, "crm:tickets", "old releases print only the region of a mutation");
    c = ring("{'startTime':1,'processingTime':2,'param':'region= t,,1." HEX
             "., for 423 action(s)'}",
             DX_TRI_UNKNOWN);
    is_int(c.actions, 423, "a batch without its first row");
    ok(c.slow == DX_TRI_UNKNOWN && c.large == DX_TRI_UNKNOWN, "a dump of an unknown kind");
    c = ring("{'startTime':1,'processingTime':2,'param':'type= PUT, row= k~~x00'}", DX_NO);
    is_slice(c.row, "k\\x00", "a mutation alone has a row and no region");
}

static void test_ring_scan(void) {
    dx_call c = ring("{'startTime':1,'processingTime':2,'scan':{'startRow':'~~x00{','stopRow':'',"
                     "'families':{'d':['ALL']},'caching':-1,'limit':9,'maxResultSize':2097152,"
                     "'cacheBlocks':true,'reversed':false,'filter':'SingleColumnValueFilter (d, v, "
                     "EQUAL, PrefixFilter)','id':'job','timeRange':[0,9223372036854775807],"
                     "'scan':{'caching':3}}}",
                     DX_NO);
    is_slice(c.start_row, "\\x00{", "the scan's payload");
    ok(c.has_stop_row == DX_NO && c.full_range == DX_NO, "an empty stop row is none");
    is_int(c.caching, DX_UNKNOWN, "-1 is not set; a scan has no scan in it");
    ok(c.limit_rows == 9 && c.max_result_bytes == 2097152, "limits");
    ok(c.cache_blocks == DX_YES && c.reversed == DX_NO, "flags");
    is_slice(c.operation_id, "job", "id");
    ok(dx_slice_starts(c.filters, "SingleColumnValueFilter"), "filter");
    c = ring(
        "{'startTime':9,'processingTime':2,'scan':{'caching':3,'processingTime':5,'startTime':1,"
        "'methodName':'X','table':'zz','clientAddress':'1.1.1.1:1','scan':{'caching':4}}}",
        DX_NO);
    ok(c.proc_ms == 2 && c.start_ms == 9 && c.caching == 3
           && c.method.n + c.table.n + c.client.n == 0,
       "what stands in a scan is the scan's");
}

static void test_ring_errors(void) {
    dx_call c = {.start_ms = -7};
    ok(ring_status("  {'startTime': 1, 'param': 'regi", DX_NO, &c) == DX_E_PARSE, "a cut record");
    ok(strstr(err.msg, "byte 33: expected the quote") != NULL, "names its byte");
    ok(ring_status("{'startTime': 1}", DX_NO, &c) == DX_E_PARSE, "a record without a time");
    ok(strstr(err.msg, "no processing time") != NULL, "says so");
    ok(ring_status("", DX_NO, &c) == DX_E_PARSE, "nothing");
    is_int(c.start_ms, -7, "the call is left as it was");
}

static void test_table(void) {
    char param[] =
        "region { type: REGION_NAME value: \"t,k\\x5C000,1." HEX ".\" } scan { start_row: "
        "\"k\\x5C\\x5C\\x5C\\x22\" } number_of_rows: 5";
    dx_slowlog_cell cells[] = {{dx_s("info:start_time"), dx_s("1714557480000")},
                               {dx_s("processing_time"), dx_s("12346")},
                               {dx_s("queue_time"), dx_s("3")},
                               {dx_s("response_size"), dx_s("1048576")},
                               {dx_s("block_bytes_scanned"), dx_s("7")},
                               {dx_s("fs_read_time"), dx_s("8")},
                               {dx_s("client_address"), dx_s("10.1.0.5:52344")},
                               {dx_s("server_class"), dx_s("HRegionServer")},
                               {dx_s("method_name"), dx_s("Scan")},
                               {dx_s("username"), dx_s("svc\\xC3\\xA9\\xzz")},
                               {dx_s("type"), dx_s("LARGE_LOG")},
                               {dx_s("param"), dx_s(param)}};
    dx_call c;
    ok(dx_slowlog_row(cells, sizeof cells / sizeof *cells, arena, &c, &err) == DX_OK, "a row");
    ok(c.form == DX_CALL_TABLE && c.large == DX_YES && c.slow == DX_NO, "its type tells both");
    is_int(c.start_ms, 1714557480000, "start");
    ok(c.proc_ms == 12346 && c.queue_ms == 3 && c.response_bytes == 1048576, "times and size");
    ok(c.block_bytes == 7 && c.fs_read_ms == 8, "what was read");
    is_slice(c.user, "svc\xC3\xA9\\xzz", "\\xHH is undone, other text is not");
    is_slice(c.region, "t,k\\x00,1." HEX ".", "then octal");
    is_slice(c.start_row, "k\\x5C\"", "and protobuf's escapes");

    dx_slowlog_cell next[] = {{dx_s("start_time"), dx_s("1")},
                              {dx_s("processing_time"), dx_s("2")},
                              {dx_s("type"), dx_s("ALL")},
                              {dx_s("region_name"), dx_s("t,k\\x5Cx00,1." HEX ".")},
                              {dx_s("param"), dx_s("region= t,k\\x5Cx00,1." HEX "., row= a")}};
    ok(dx_slowlog_row(next, 5, arena, &c, &err) == DX_OK, "a get");
    ok(c.slow == DX_YES && c.large == DX_YES, "ALL is both");
    is_slice(c.region, "t,k\\x00,1." HEX ".", "region_name");
    is_slice(c.row, "a", "row");
    next[4].qualifier = dx_s("other");
    ok(dx_slowlog_row(next, 5, arena, &c, &err) == DX_OK, "without param");
    is_slice(c.table, "t", "region_name alone tells the table");
    ok(dx_slowlog_row(next, 1, arena, &c, &err) == DX_E_PARSE, "a row without a time");
    ok(dx_slowlog_row(NULL, 0, arena, &c, &err) == DX_E_PARSE, "no cells");
}

int main(void) {
    arena = dx_arena_new(1 << 20);
    if (arena == NULL)
        return 1;
    test_open();
    test_empty_cell();
    test_range();
    test_cuts();
    test_filters();
    test_ring();
    test_ring_scan();
    test_ring_errors();
    test_table();
    dx_arena_free(arena);
    return done();
}

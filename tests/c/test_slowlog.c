/* test_slowlog.c - slow calls as log lines of every generation of HBase, and the ways in which they
 * arrive damaged. */
#include "dx_slowlog.h"
#include "slowlog_text.h"
#include "tap.h"

static dx_arena *arena;
static dx_err err;

#define HEX    "5f2a9c0d71e84b3695cafe1234567890"
#define REGION "crm:tickets,k~~x00~~x1F,1612345678901." HEX "."

static dx_status status_of(const char *line, dx_call *c) {
    return dx_slowlog_log(kept(arena, line), arena, c, &err);
}

static dx_call call(const char *line) {
    dx_call c = {.start_ms = -7};
    if (!ok(status_of(line, &c) == DX_OK, "reads %.40s", line))
        printf("# %s\n", err.msg);
    return c;
}

static void test_tags(void) {
    dx_call c;
    is_int(dx_slowlog_tag(dx_s("ipc.RpcServer: (responseTooSlow): {}")), 15, "a tag in a line");
    is_int(dx_slowlog_tag(dx_s("x (a) (operationTooLarge): {")), 6, "brackets before the tag");
    is_int(dx_slowlog_tag(dx_s("(responseTooLarge & TooSlow): {}")), 0, "the combined tag");
    is_int(dx_slowlog_tag(dx_s("Flushed (responseToo")), -1, "half a tag is none");
    is_int(dx_slowlog_tag(dx_s("(responseTooQuick): {}")), -1, "another word is none");
    is_int(dx_slowlog_tag(dx_sn(NULL, 0)), -1, "nothing has no tag");
    c = call("(responseTooSlow): {'processingtimems':1}");
    ok(c.slow == DX_YES && c.large == DX_TRI_UNKNOWN, "TooSlow says nothing about the size");
    c = call("(responseTooLarge): {'processingtimems':1}");
    ok(c.slow == DX_TRI_UNKNOWN && c.large == DX_YES, "TooLarge says nothing about the time");
    c = call("(responseTooLarge & TooSlow): {'processingtimems':1}");
    ok(c.slow == DX_YES && c.large == DX_YES, "the combined tag says both");
    c = call("(responseTooLarge ~u0026 TooSlow): {'processingtimems':1}");
    ok(c.slow == DX_YES && c.large == DX_YES, "also with its ampersand escaped");
    c = call("(operationtoolarge) - {'processingtimems':1}");
    ok(c.large == DX_YES, "a tag in small letters, a dash instead of a colon");
}

static size_t extent(const char *line) {
    char *text = quoted(line);
    size_t n = dx_slowlog_extent(dx_s(text), 0);
    free(text);
    return n;
}

static void test_extent(void) {
    const char *plain = "(responseTooSlow): {'p':'a } ~' b','o':{'x':[1,{}]}}";
    is_int(extent(plain), strlen(plain), "braces in strings do not count");
    is_int(extent("(responseTooSlow): {'p':'a'} | RpcServer.log(RpcServer.java:1) }"), 28,
           "text after the object is not part of it");
    is_int(extent("(responseTooSlow):"), 0, "the object may begin on the next line");
    is_int(extent("(responseTooSlow): {'p':'a ~'}"), 0, "an open string is not closed");
    is_int(extent("(responseTooSlow): {'p':1"), 0, "nor is an open object");
    is_int(extent("(responseTooSlow) is logged"), 17, "no object: the tag alone");
    is_int(extent("(responseTooSlow):\n{'p':\n'a'\n}\nnext"), 30, "over lines");
    const char *once = "(responseTooSlow): {~'p~':~'a ~~~' } ~'}";
    is_int(extent(once), strlen(once), "quotes escaped once");
    const char *ends = "(responseTooSlow): {~'p~':~'a ~~~~~'}";
    is_int(extent(ends), strlen(ends), "a string that ends in a backslash, escaped once");
    const char *twice = "(responseTooSlow): {~~~'p~~~':~~~'a } ~~~'}";
    is_int(extent(twice), strlen(twice), "quotes escaped twice");
    is_int(extent("(responseTooSlow): {~'p~':1'}"), 0, "the text around it ends before the object");
}

static void test_092_and_094(void) {
    dx_call c =
        call("(operationTooSlow): {'starttimems':1367000000123,'method':'get',"
             "'processingtimems':21419,'totalColumns':1,'queuetimems':7,"
             "'families':{'d':['ALL'],'e':['q']},'maxVersions':3,'responsesize':16516,"
             "'client':'10.1.0.5:50384','cacheBlocks':false,'row':'u~~x00~~x07',"
             "'class':'HRegionServer','table':'meter','timeRange':[0,9223372036854775807]}");
    is_slice(c.table, "meter", "0.94: the table has its key");
    is_slice(c.row, "u\\x00\\x07", "and the row");
    is_slice(c.families, "d,e", "families are the keys of a map");
    is_int(c.max_versions, 3, "versions");
    ok(c.cache_blocks == DX_NO, "cacheBlocks");
    ok(c.full_range == DX_TRI_UNKNOWN, "a get has no range");

    c = call("(operationTooSlow): {'method':'openScanner','startRow':'','stopRow':'','batch':-1,"
             "'caching':500,'filter':'FilterList AND (2/2): [PrefixFilter ab, PageFilter 9]',"
             "'processingtimems':9,'table':'meter','client':'host-a/10.1.0.6:4242'}");
    ok(c.has_start_row == DX_NO && c.full_range == DX_YES, "empty rows: the whole table");
    is_slice(c.filters, "FilterList,PrefixFilter,PageFilter", "filters from their own words");
    is_int(c.batch, DX_UNKNOWN, "a negative batch is not set");
    is_slice(c.client_address, "10.1.0.6", "a host before the address");

    c = call("(operationTooSlow): {'tables':{'meter':{'puts':[{'totalColumns':2,'families':"
             "{'d':[{'qualifier':'a','vlen':9}]},'row':'r1:0'},{'row':'r2'}],'families':['d']}},"
             "'processingtimems':956,'totalPuts':2,'method':'multiPut'}");
    is_slice(c.table, "meter", "a single table of a batch");
    is_slice(c.row, "r1:0", "its first row");
    is_slice(c.families, "d", "its families");
    is_int(c.actions, 2, "its puts");
    c = call("(operationTooSlow): {'tables':{'a':{},'b':{}},'processingtimems':9}");
    is_slice(c.table, "", "of two tables none is named");

    c = call("(responseTooSlow): {'processingtimems':15, 'call':'next(-4511083441284510291, 1000), "
             "rpc version=1, client version=29, methodsFingerPrint=-5', 'method':'next'}");
    ok(c.has_scanner && c.scanner_id == 13935660632425041325u, "a signed scanner is the same bits");
    is_int(c.number_of_rows, 1000, "rows of next()");
    c = call("(responseTooSlow): {'processingtimems':15,'responsesize':0,'queuetimems':42081,"
             "'call':'multi(org.example.MultiAction@78), rpc version=1','method':'multi'}");
    is_int(c.response_bytes, 0, "a size of zero is told");
    is_slice(c.table, "", "a multi of 0.94 names no table");
    ok(!c.has_scanner, "and no scanner");
}

static void test_numbers(void) {
    dx_call c = call("(responseTooSlow): {'call':'Scan(org.example.ClientProtos$ScanRequest)',"
                     "'starttimems':1456826400123,'responsesize':77,'method':'Scan',"
                     "'processingtimems':12345,'client':'10.1.0.5:52344','queuetimems':0,"
                     "'class':'HRegionServer'}");
    is_int(c.start_ms, 1456826400123, "numbers without quotes");
    is_int(c.queue_ms, 0, "a queue time of zero is told");
    is_int(c.block_bytes, DX_UNKNOWN, "what is not told is unknown");
    is_slice(c.table, "", "without param there is no table");
    c = call("(responseTooSlow): {'class':'HMaster','fsreadtime':'12','blockbytesscanned':'99',"
             "'queuetimems':3,'client':'10.1.0.5:1','processingtimems':'5','responsesize':'8',"
             "'starttimems':'1456826400124','call':'Multi(x$MultiRequest)','new.key':[1,{'a':2}]}");
    is_int(c.start_ms, 1456826400124, "numbers in quotes, keys in any order");
    is_int(c.proc_ms, 5, "a quoted processing time");
    is_int(c.fs_read_ms, 12, "read time");
    is_int(c.block_bytes, 99, "scanned bytes");
    is_slice(c.method, "Multi", "the method from the call where its key is absent");
    is_slice(c.server_class, "HMaster", "the class");
    c = call("(responseTooSlow): {'processingtimems':4,'queuetimems':-1,'responsesize':1.5,"
             "'starttimems':99999999999999999999}");
    is_int(c.queue_ms, DX_UNKNOWN, "a negative time is not told");
    is_int(c.response_bytes, DX_UNKNOWN, "nor half a byte");
    is_int(c.start_ms, DX_UNKNOWN, "nor what exceeds 64 bits");
}

static void test_param_region(void) {
    dx_call c = call("(responseTooSlow): {'processingtimems':4,'param':'region~u003d " REGION
                     ", row~u003dk~~x00~~x22~u0027~' ~~x5C'}");
    is_slice(c.table, "crm:tickets", "a namespace is kept");
    is_slice(c.region, "crm:tickets,k\\x00\\x1F,1612345678901." HEX ".", "the region as printed");
    is_slice(c.encoded, HEX, "its encoded name");
    is_slice(c.row, "k\\x00\\x22'\" \\x5C", "the row, escapes for HTML undone");
    c = call("(responseTooSlow): {'processingtimems':4,'param':'region= events,eu, row=7 "
             "{~'x~'},1700000000123." HEX "., row=eu, row=7 {~'x~'}'}");
    is_slice(c.table, "events", "a start key that looks like more param");
    is_slice(c.row, "eu, row=7 {\"x\"}", "and a row of the same");
    c = call("(responseTooSlow): {'processingtimems':4,'param':'region= t,a.5, row=b,1." HEX
             "., for 3 action(s) and 1st row key=z, for 1'}");
    is_slice(c.region, "t,a.5, row=b,1." HEX ".", "digits after a dot are no encoded name");
    is_int(c.actions, 3, "new text counts actions");
    is_slice(c.row, "z, for 1", "first row of a batch");
    c = call("(responseTooSlow): {'processingtimems':4,'multi.gets':1,'multi.mutations':2,"
             "'multi.servicecalls':0,'param':'region= " REGION
             ", for 1 actions and 1st row key=k1'}");
    is_int(c.actions, DX_UNKNOWN, "old text counts regions, not actions");
    ok(c.multi_gets == 1 && c.multi_mutations == 2 && c.multi_service_calls == 0, "multi.*");
    is_slice(c.row, "k1", "its first row");
    c = call("(responseTooSlow): {'processingtimems':4,'multi.service_calls':6,'param':'region= "
             "hbase:meta,,1, row=crm:tickets,,1612345678901." HEX ".'}");
    is_slice(c.table, "hbase:meta", "meta has no encoded name in param");
    is_slice(c.encoded, "1588230740", "though we know it");
    is_slice(c.row, "crm:tickets,,1612345678901." HEX ".", "a row that is a region");
    is_int(c.multi_service_calls, 6, "the other spelling");
    c = call("(responseTooSlow): {'processingtimems':4,'param':'region= " HEX ", row=a'}");
    is_slice(c.table, "", "an encoded name tells no table");
    is_slice(c.encoded, HEX, "but itself");
}

static void test_row_blank(void) {
    dx_call c =
        call("(responseTooSlow): {'processingtimems':4,'param':'region= " REGION ", row= k'}");
    is_slice(c.row, " k", "a blank before a row of a log line is the row's own");
}

static void test_param_cut(void) {
    dx_call c = call("(responseTooSlow): {'processingtimems':4,'param':'region= crm:tickets,k~~x0"
                     " ~u003cTRUNCATED~u003e'}");
    ok(c.param_cut, "the marker, escaped for HTML");
    is_slice(c.table, "crm:tickets", "the table stands before the cut");
    is_slice(c.region, "", "the region does not");
    c = call("(responseTooSlow): {'processingtimems':4,'param':'region= crm:tick <TRUNCATED>'}");
    is_slice(c.table, "", "half a table is none");
    c = call("(responseTooSlow): {'processingtimems':4,'param':'region= " REGION
             ", for 4<TRUNCATED>'}");
    is_slice(c.encoded, HEX, "a marker without its blank");
    is_int(c.actions, DX_UNKNOWN, "half a number is none");
    c = call("(responseTooSlow): {'processingtimems':4,'param':'region= " REGION
             ", row=k~~x0 <TRUNCATED>'}");
    is_slice(c.row, "", "half a row is none");
    is_slice(c.table, "crm:tickets", "its table is whole");
}

static void test_param_others(void) {
    static const char *const without[] = {
        "TODO: class org.example.shaded.ClientProtos$BulkLoadHFileRequest",
        "class org.example.ClientProtos$BulkLoadHFileRequest",
        "coprocessorService= Aggregate, Service:getMax",
        "server host_name: ~'rs,1~' port: 16020 start_code: 17 load { numberOfRequests: 8 }",
        "port: 26020 server_start_code: 17",
        "null",
        "",
    };
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        char line[256];
        snprintf(line, sizeof line, "(responseTooSlow): {'processingtimems':4,'param':'%s'}",
                 without[i]);
        dx_call c = call(line);
        ok(c.table.n == 0 && c.region.n == 0 && !c.has_scanner && !c.param_cut, "no table in: %s",
           without[i]);
    }
}

static void test_details(void) {
    dx_call c =
        call("(responseTooSlow): {'processingtimems':4,'scandetails':'table: crm:tickets "
             "region: " REGION " operation_id: null','param':'scanner_id: 12613782349229064192"
             " number_of_rows: 1000 close_scanner: fal <TRUNCATED>'}");
    is_slice(c.table, "crm:tickets", "the table of a next, from scandetails");
    is_slice(c.encoded, HEX, "and the region");
    is_slice(c.operation_id, "", "no operation id is no id");
    ok(c.has_scanner && c.scanner_id == 12613782349229064192u, "an unsigned scanner id");
    is_int(c.number_of_rows, 1000, "rows of a next");
    ok(c.has_start_row == DX_TRI_UNKNOWN && c.full_range == DX_TRI_UNKNOWN,
       "a next does not tell the range");
    c = call(
        "(responseTooSlow): {'processingtimems':4,'scandetails':'table: t region: t,a region: b "
        "operation_id: c,1." HEX ". operation_id: night job operation_id: 2'}");
    is_slice(c.region, "t,a region: b operation_id: c,1." HEX ".", "a start key full of words");
    is_slice(c.operation_id, "night job operation_id: 2", "an id with blanks");
    c = call("(responseTooSlow): {'processingtimems':4,'scandetails':'table: hbase:meta region: "
             "hbase:meta,,1.1588230740','param':'scanner_id: 5 number_of_rows: 0 close_scanner: "
             "true'}");
    is_slice(c.encoded, "1588230740", "meta's name has no dot at its end");
    is_int(c.number_of_rows, 0, "a close asks for no row");
    c = call("(responseTooSlow): {'processingtimems':4,'param':'scanner_id: 1261 <TRUNCATED>'}");
    ok(!c.has_scanner, "half a scanner id is none");
}

static void test_client(void) {
    static const char *const client[][2] = {
        {"10.1.0.5:52344", "10.1.0.5"},
        {"2001:db8:0:0:0:0:0:5:41234", "2001:db8:0:0:0:0:0:5"},
        {"fe80:0:0:0:0:0:0:1%eth0:41234", "fe80:0:0:0:0:0:0:1"},
        {"[::1]:7", "::1"},
        {"/10.1.0.5:52344", "10.1.0.5"},
        {"worker-7:52344", "worker-7"},
        {"xxx.xxx", "xxx.xxx"},
        {"a:b", "a:b"},
        {":80", ""},
    };
    for (size_t i = 0; i < sizeof client / sizeof *client; i++) {
        char line[256];
        snprintf(line, sizeof line, "(responseTooSlow): {'processingtimems':4,'client':'%s'}",
                 client[i][0]);
        dx_call c = call(line);
        is_slice(c.client, client[i][0], "the client as told");
        is_slice(c.client_address, client[i][1], "its address");
    }
}

static void test_lines(void) {
    dx_call c = call("(responseTooSlow):\n{'method':'Sc\nan',\r\n'processingtimems':\n28646,\n"
                     "'param':'region { type: REGION_NAME value: ~'t1,~~000~~215~~f)o~~~~~~0\n24"
                     "~~302<TRUNCATED>',\n'client':'10.1.0.5:1'\n}\nat nothing");
    is_int(c.proc_ms, 28646, "an object over several lines");
    is_slice(c.method, "Scan", "a line break inside of a string is not its own");
    is_slice(c.table, "t1", "cut inside of an escape and of an open quote");
    ok(c.param_cut, "and said to be cut");
    c = call("(responseTooSlow): {'processingtimems':4,'client':'10.1.0.5:1'} | logResponse(R:5)}");
    is_slice(c.client_address, "10.1.0.5", "text after the object");
    c = call("(responseTooSlow): {~'processingtimems~':4,~'param~':~'region= t,~~~~x00,1." HEX
             "., row=a~~~'b~',~'client~':~'10.1.0.5:1~'}~n','stream':'stderr'}");
    is_slice(c.region, "t,\\x00,1." HEX ".", "an object escaped once more");
    is_slice(c.row, "a\"b", "with a quote in its row");
    c = call("(responseTooSlow): {~~~'processingtimems~~~':4,~~~'method~~~':~~~'Get~~~'}");
    is_slice(c.method, "Get", "escaped twice");
    c = call("(responseTooSlow): {'processingtimems':4,'queuetimems':1,'param':'region { type: "
             "REGION_NAME value: 't,~000,1." HEX ".' } scan { start_row: 'a' } number_of_rows: 7',"
             "'client':'10.1.0.5:1','class':'HRegionServer'}");
    is_slice(c.table, "t", "inner quotes that lost their backslash");
    is_slice(c.start_row, "a", "with a row");
    is_int(c.number_of_rows, 7, "up to its end");
    is_slice(c.client_address, "10.1.0.5", "and the keys behind");
    c = call("(responseTooSlow): {'processingtimems':4,'method':'~u0047~u00e9~ud83d~ude00~ud800'}");
    is_slice(c.method, "G\xC3\xA9\xF0\x9F\x98\x80\xEF\xBF\xBD", "escapes beyond ASCII");
}

static void test_errors(void) {
    static const char *const bad[][2] = {
        {"", "byte 0: expected a tag"},
        {"(responseTooSlow): none", "byte 19: expected '{'"},
        {"(responseTooSlow): {}", "expected a number \"processingtimems\""},
        {"(responseTooSlow): {'processingtimems':'soon'}", "expected a number"},
        {"(responseTooSlow): {'processingtimems' 5}", "byte 39: expected ':' after a key"},
        {"(responseTooSlow): {'processingtimems':5 'a':1}", "byte 41: expected ',' or '}'"},
        {"(responseTooSlow): {'processingtimems':5,}", "byte 41: expected a key in quotes"},
        {"(responseTooSlow): {'a':}", "byte 24: expected a value"},
        {"(responseTooSlow): {'a':'b", "byte 26: expected the quote that ends a string, but the "
                                       "text is cut here"},
        {"(responseTooSlow): {'a':{'b':[1,2}", "expected the bracket"},
        {"(responseTooSlow): {'processingtimems':4,'queuetimems':1,'client':'a:1','o':{'x':1}",
         "expected ',' or '}' after a value, but the text is cut here"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dx_call c = {.start_ms = -7};
        dx_status st = status_of(bad[i][0], &c);
        if (!ok(st == DX_E_PARSE && strstr(err.msg, bad[i][1]) != NULL, "says: %s", bad[i][1]))
            printf("# %d %s\n", st, err.msg);
        is_int(c.start_ms, -7, "and leaves the call as it was");
    }
}

static void test_headless(void) {
    static const char *const tail =
        "Protos$ScanRequest)','starttimems':'1714557600123',"
        "'responsesize':'10','method':'Scan','param':'scanner_id: 5 "
        "number_of_rows: 10 close_scanner: false','processingtimems':12,"
        "'client':'10.1.0.5:1','queuetimems':3,'class':'HRegionServer',"
        "'scandetails':'table: t region: t,~~x00~',1." HEX ".'}";
    char *text = quoted(tail);
    dx_call c;
    ok(dx_slowlog_headless(dx_s(text), arena, &c, &err) == DX_OK, "a message without its head");
    ok(c.slow == DX_TRI_UNKNOWN && c.large == DX_TRI_UNKNOWN, "its tag is lost");
    is_int(c.start_ms, 1714557600123, "the start");
    ok(c.has_scanner && !c.param_cut, "param is whole");
    is_slice(c.region, "t,\\x00\",1." HEX ".", "the region");
    const char *late = strstr(text, "close_scanner");
    ok(dx_slowlog_headless(dx_s(late), arena, &c, &err) == DX_OK, "cut inside of param");
    ok(c.start_ms == DX_UNKNOWN && c.param_cut && !c.has_scanner, "what was before is unknown");
    is_int(c.proc_ms, 12, "what is behind is known");
    is_slice(c.method, "Scan", "scandetails stand for scans only");
    late = strstr(text, "class\":");
    ok(dx_slowlog_headless(dx_s(late), arena, &c, &err) == DX_E_NOTFOUND,
       "without client and time it is no call");
    ok(dx_slowlog_headless(dx_sn(text, strlen(text) - 1), arena, &c, &err) == DX_E_NOTFOUND,
       "nor without its end");
    ok(dx_slowlog_headless(dx_sn(NULL, 0), arena, &c, &err) == DX_E_NOTFOUND, "nor is nothing");
    free(text);
}

int main(void) {
    arena = dx_arena_new(1 << 20);
    if (arena == NULL)
        return 1;
    test_tags();
    test_extent();
    test_092_and_094();
    test_numbers();
    test_param_region();
    test_row_blank();
    test_param_cut();
    test_param_others();
    test_details();
    test_client();
    test_lines();
    test_errors();
    test_headless();
    dx_arena_free(arena);
    return done();
}

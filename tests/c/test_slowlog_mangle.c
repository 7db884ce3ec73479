/* test_slowlog_mangle.c - slow calls cut at each byte, with each byte replaced, and soups of their
 * tokens: an answer or an error, never a read outside (under the sanitizers), never a wrong
 * "whole", and never more than linear work. */
#include "dx_slowlog.h"
#include "slowlog_text.h"
#include "tap.h"

#include <time.h>

static dx_arena *arena;
static dx_err err;

#define HEX "5f2a9c0d71e84b3695cafe1234567890"

static const char *const lines[] = {
    "(responseTooSlow): "
    "{'call':'Scan(a$ScanRequest)','starttimems':'1714557600123','method':'Scan',"
    "'param':'region { type: REGION_NAME value: ~'t,k~~000~~377,1." HEX ".~' } scan { column { "
    "family: ~'d~' } start_row: ~'a~~~~~~'~' stop_row: ~'b~' filter { name: "
    "~'org.apache.hadoop.hbase.filter.FilterList~' serialized_filter: "
    "~'~~norg.apache.hadoop.hbase.filter.RowFilter~~022~' } caching: 5 } number_of_rows: 7 "
    "<TRUNCATED>','processingtimems':1,'client':'10.1.0.5:1','queuetimems':2,'class':'H',"
    "'scandetails':'table: t region: t,k~~x00,1." HEX ". operation_id: null'}",
    "(responseTooLarge & TooSlow): {'starttimems':1,'processingtimems':2,'queuetimems':3,'call':"
    "'Multi(x)','multi.gets':0,'param':'region~u003d t,~~x00~u0027,1." HEX
    "., for 4 action(s) and 1st row key~u003dq~~x07','client':'fe80:0:0:0:0:0:0:1%eth0:4','class':"
    "'HRegionServer','multi.mutations':4}",
    "(operationTooSlow): {'tables':{'t':{'puts':[{'totalColumns':1,'families':{'f':[{'vlen':9}]},"
    "'row':'r:0'}],'families':['f','g']}},'processingtimems':956,'client':'10.1.0.6:3','call':"
    "'next(-45, 10), rpc','method':'next','filter':'SkipFilter RowFilter (x)','totalPuts':1}",
    "(responseTooSlow): {~'processingtimems~':4,~'param~':~'region= t,~~~~x00,1." HEX
    "., row=a~~~'b~',~'client~':~'10.1.0.5:1~',~'queuetimems~':1}~n','stream':'stderr'}",
    "(responseTooSlow):\n{'processingtimems':\n4,'queuetimems':1,'param':'region { value: "
    "'t,,1." HEX ".' } scan { start_row: 'a' }','client':'10.1.0.5:1','class':'H'} | a(B:1)",
    "{\n  'startTime': 1,\n  'processingTime': 2,\n  'param': 'scanner_id: 12613782349229064192 "
    "number_of_rows: 5',\n  'scan': {\n    'startRow': '~~x00{',\n    'families': {\n      'd': [\n"
    "        'ALL'\n      ]\n    },\n    'limit': -1\n  }\n}",
};
#define LINES (sizeof lines / sizeof *lines)

static unsigned touched; /* so that the reads are not optimised away */

static void touch(dx_slice s) {
    for (size_t i = 0; i < s.n; i++)
        touched += (unsigned char)s.p[i];
}

static void touch_call(const dx_call *c) {
    const dx_slice all[] = {c->method,       c->client,      c->client_address, c->user,
                            c->table,        c->region,      c->encoded,        c->row,
                            c->start_row,    c->stop_row,    c->filters,        c->families,
                            c->operation_id, c->server_class};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        touch(all[i]);
}

static bool known(dx_status st) {
    return st == DX_OK || st == DX_E_PARSE || st == DX_E_NOTFOUND || st == DX_E_LIMIT;
}

/* Gives n bytes to all that read text. Returns what dx_slowlog_log says; *sane becomes false when
 * anything is out of its contract. */
static dx_status feed(const char *bytes, size_t n, bool *sane) {
    char *text = exact(bytes, n);
    dx_slice s = {text, n};
    dx_call c = {.start_ms = -7};
    dx_arena_reset(arena);
    ptrdiff_t tag = dx_slowlog_tag(s);
    size_t extent = tag < 0 ? 0 : dx_slowlog_extent(s, (size_t)tag);
    *sane &= tag < (ptrdiff_t)n && extent <= n;
    dx_status st = dx_slowlog_headless(s, arena, &c, &err);
    *sane &= known(st);
    if (st == DX_OK)
        touch_call(&c);
    st = dx_slowlog_ring(s, DX_NO, arena, &c, &err);
    *sane &= known(st);
    dx_slowlog_cell cells[] = {
        {dx_s("start_time"), dx_s("1")}, {dx_s("processing_time"), dx_s("1")}, {dx_s("param"), s}};
    *sane &= known(dx_slowlog_row(cells, 3, arena, &c, &err));
    touch_call(&c);
    st = dx_slowlog_log(s, arena, &c, &err);
    *sane &= known(st);
    if (st == DX_OK)
        touch_call(&c);
    free(text);
    return st;
}

static void test_cut(const char *line) {
    char *text = quoted(line);
    size_t n = strlen(text), whole = dx_slowlog_extent(dx_s(text), 0);
    bool sane = true, closed = true;
    for (size_t cut = 0; cut <= n; cut++)
        if (feed(text, cut, &sane) == DX_OK && cut < whole)
            closed = false;
    ok(sane, "cut at each byte: %.30s", line);
    ok(closed, "no cut text passes for a whole one");
    free(text);
}

static void test_flip(const char *line) {
    static const char with[] = "\"\\{}, :\n\xFF%<0";
    char *text = quoted(line);
    size_t n = strlen(text);
    bool sane = true;
    for (size_t at = 0; at < n; at++) {
        char was = text[at];
        for (size_t i = 0; i < sizeof with; i++) { /* with its NUL */
            text[at] = with[i];
            feed(text, n, &sane);
        }
        text[at] = was;
    }
    ok(sane, "each byte replaced: %.30s", line);
    free(text);
}

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void test_soup(uint32_t rounds) {
    static const char *const tokens[] = {"(responseTooSlow): {",
                                         "'param':'",
                                         "'scandetails':'table: t region: ",
                                         "region { ",
                                         "region= t,a",
                                         "type: X value: ~'",
                                         "scan { ",
                                         "start_row: ",
                                         "}",
                                         "{",
                                         "'",
                                         "~",
                                         "~'",
                                         " <TRUNCATED>",
                                         "'processingtimems':",
                                         "12",
                                         ",",
                                         "filter { name: ~'a.bFilter~' ",
                                         "serialized_filter: ~'org.apache.hadoop.hbase.filter.A",
                                         "'families':{",
                                         "'tables':{",
                                         "[",
                                         "]",
                                         "'row':'",
                                         ", row=",
                                         "." HEX ".",
                                         ", for 3 action(s)",
                                         " operation_id: ",
                                         "~u00",
                                         "~ud83d",
                                         "~x5C",
                                         "'scan':{",
                                         "'client':'a:1'",
                                         "'queuetimems':1",
                                         "~~~'",
                                         "\n"};
    uint32_t state = 7;
    bool sane = true;
    for (uint32_t round = 0; round < rounds; round++) {
        char text[512] = "";
        size_t parts = next_random(&state) % 14, n = 0;
        for (size_t i = 0; i < parts; i++) {
            const char *t = i == 0 && round % 2 == 0
                                ? tokens[0]
                                : tokens[next_random(&state) % (sizeof tokens / sizeof *tokens)];
            if (n + strlen(t) < sizeof text)
                n += (size_t)snprintf(text + n, sizeof text - n, "%s", t);
        }
        char *bytes = quoted(text);
        feed(bytes, n, &sane);
        free(bytes);
    }
    ok(sane, "%u soups of tokens", rounds);
}

/* head, then unit over and over to `size` bytes, then tail: seconds for all that reads it. */
static double seconds_for(const char *head, const char *unit, const char *tail, size_t size) {
    char *h = quoted(head), *u = quoted(unit), *t = quoted(tail), *text = malloc(size);
    size_t n = strlen(h), step = strlen(u);
    bool sane = true;
    if (text == NULL)
        abort();
    memcpy(text, h, n);
    for (; n + step + strlen(t) < size; n += step)
        memcpy(text + n, u, step);
    memcpy(text + n, t, strlen(t));
    clock_t from = clock();
    feed(text, n + strlen(t), &sane);
    double took = (double)(clock() - from) / CLOCKS_PER_SEC;
    ok(sane, "one megabyte of %.30s", unit);
    free(text);
    free(h);
    free(u);
    free(t);
    return took;
}

static void test_linear(void) {
    static const char *const shapes[][3] = {
        {"(responseTooSlow): {'param':'", "~~", ""},
        {"(responseTooSlow): {'param':'", "~'", "'}"},
        {"(responseTooSlow): {", "'a' : ", "}"},
        {"(responseTooSlow): {'processingtimems':1", ",'a b", "'}"},
        {"(responseTooSlow): {'a':", "[", ""},
        {"(responseTooSlow): {'tables':", "{'t':", "}"},
        {"(responseTooSlow): {'scan':", "{'scan':", "}"},
        {"(responseTooSlow): {", "'tables':{'t':{'p':[{'q':1}]}},", "'processingtimems':1}"},
        {"(responseTooSlow): {'processingtimems':1,'param':'region= t", ", row=1.5", "'}"},
        {"(responseTooSlow): {'processingtimems':1,'param':'region= t", ", for 1." HEX, "'}"},
        {"(responseTooSlow): {'processingtimems':1,'param':'region { ", "a { ", "'}"},
        {"(responseTooSlow): {'processingtimems':1,'param':'scan { filter { serialized_filter: ~'",
         "org.apache.hadoop.hbase.filter.", "'}"},
        {"(responseTooSlow): {'processingtimems':1,'scandetails':'table: t region: ",
         " operation_id: ", "'}"},
        {"(responseTooSlow): {~'a~':~'", "~~~~~~~~~~", "'}"},
        {"(responseTooSlow): {'processingtimems':1,'client':'", "a/:%", "'}"},
        {"", "(responseTooSlo", ""},
        {"", "                    '", "}"},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        double took = seconds_for(shapes[i][0], shapes[i][1], shapes[i][2], 1 << 20);
        ok(took < 3, "is read in linear time (%.3f s)", took);
    }
}

static void test_bound(void) {
    dx_arena *small = dx_arena_new(512);
    dx_call c = {.start_ms = -7};
    char *text = quoted(lines[0]);
    ok(small != NULL && dx_slowlog_log(dx_s(text), small, &c, &err) == DX_E_LIMIT,
       "an arena that is too small is said");
    is_int(c.start_ms, -7, "and the call left as it was");
    ok(small != NULL && dx_arena_used(small) <= 512, "the bound is kept");
    dx_arena_free(small);
    free(text);
}

/* Whatever the bound cuts off, it is never taken for a fault of the line. */
static void test_bounds(void) {
    for (size_t i = 0; i < 5; i++) {
        char *text = quoted(lines[i]);
        size_t wrong = 0;
        for (size_t bytes = 1; bytes < 1000; bytes += 7) {
            dx_arena *small = dx_arena_new(bytes);
            dx_call c;
            dx_status st = dx_slowlog_log(dx_s(text), small, &c, &err);
            wrong += st != DX_OK && st != DX_E_LIMIT;
            dx_arena_free(small);
        }
        is_int(wrong, 0, "any bound gives the call, or says that it is too small");
        free(text);
    }
}

int main(void) {
    arena = dx_arena_new(1 << 26);
    if (arena == NULL)
        return 1;
    for (size_t i = 0; i < LINES; i++) {
        test_cut(lines[i]);
        test_flip(lines[i]);
    }
    test_soup(20000);
    test_linear();
    test_bound();
    test_bounds();
    dx_arena_free(arena);
    return done();
}

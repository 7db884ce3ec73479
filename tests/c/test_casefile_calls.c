/* What is the same call: in a log, in a copy of it, in dumps of the ring buffer. */
#include "casefile_help.h"

static dx_casefile *c;

static bool add(int64_t source, const dx_call *call, dx_where where) {
    dx_err err = {0};
    bool added = false;
    dx_status st = dx_casefile_add_call(c, source, 0, call, &where, &added, &err);
    if (st != DX_OK)
        ok(false, "a call is taken: %s", err.msg);
    return added;
}

static void facts(int64_t source, const char *server) {
    dx_source_facts f = {.first_ms = DX_TIME_NONE, .last_ms = DX_TIME_NONE};
    dx_err err = {0};
    if (server != NULL && dx_casefile_server(c, dx_s(server), &f.server, &err) != DX_OK)
        ok(false, "server: %s", err.msg);
    ok(dx_casefile_source_facts(c, source, &f, &err) == DX_OK, "facts %s", err.msg);
}

#define CALLS "SELECT count(*) FROM call"

/* Two records of one text within one log are two calls; a copy of the log has the same two. */
static void test_copies(void) {
    c = fresh();
    dx_call call = scan_call(DX_CALL_LOG, 1000, 5);
    int64_t a = new_source(c, "a.log", "log");
    ok(add(a, &call, at_line(1, 1300, 77)), "first");
    ok(add(a, &call, at_line(2, 1300, 77)), "the same text again: another call");
    int64_t b = new_source(c, "copy.log", "log");
    ok(!add(b, &call, at_line(1, 1300, 77)), "a copy's first is known");
    ok(!add(b, &call, at_line(2, 1300, 77)), "and its second");
    ok(add(b, &call, at_line(3, 1300, 77)), "a third is new: the copy had grown");
    call.start_ms = 2000;
    ok(add(b, &call, at_line(4, 2300, 78)), "a later line, too");
    is_number(c, CALLS, 4, "four in all");
    is_number(c, "SELECT count(*) FROM call WHERE key = (SELECT key FROM call WHERE id = 1)", 3,
              "three share a key");
    is_number(c, "SELECT group_concat(occ, '') + 0 FROM call WHERE start_ms = 1000", 123,
              "and are numbered");
    dx_casefile_close(c);
}

/* Different text, same key: two calls of one connection in the same millisecond. */
static void test_same_key(void) {
    c = fresh();
    dx_call call = scan_call(DX_CALL_LOG, 1000, 5);
    int64_t log = new_source(c, "a.log", "log");
    call.proc_ms = 300;
    ok(add(log, &call, at_line(1, 1300, 1)), "one of 300 ms");
    call.proc_ms = 301;
    ok(add(log, &call, at_line(2, 1301, 2)), "one of 301 ms");
    dx_call ring = scan_call(DX_CALL_RING, 1000, 5);
    ring.user = dx_s("etl");
    int64_t dump = new_source(c, "ring.txt", "ring");
    ok(!add(dump, &ring, at_line(1, DX_TIME_NONE, 11)), "the dump's first is one of them");
    ok(!add(dump, &ring, at_line(2, DX_TIME_NONE, 12)), "its second is the other");
    ok(add(dump, &ring, at_line(3, DX_TIME_NONE, 13)), "its third is in no log");
    int64_t later = new_source(c, "later.txt", "ring");
    for (uint64_t i = 1; i <= 3; i++)
        ok(!add(later, &ring, at_line(i, DX_TIME_NONE, 20 + i)), "a second dump adds nothing");
    is_number(c, CALLS, 3, "three in all");
    is_number(c, "SELECT count(*) FROM call WHERE in_log = 1 AND in_dump = 1", 2, "two in both");
    is_number(c, "SELECT count(*) FROM call WHERE user = 'etl'", 3, "the dump told their user");
    dx_casefile_close(c);
}

/* The same, dump first: log records take the dump's rows. */
static void test_dump_first(void) {
    c = fresh();
    dx_call ring = scan_call(DX_CALL_RING, 1000, 5), call = scan_call(DX_CALL_LOG, 1000, 5);
    int64_t dump = new_source(c, "ring.txt", "ring");
    ok(add(dump, &ring, at_line(1, DX_TIME_NONE, 11)), "the dump's call");
    int64_t log = new_source(c, "a.log", "log");
    ok(!add(log, &call, at_line(1, 1300, 1)), "the log has it, too");
    ok(add(log, &call, at_line(2, 1300, 1)), "and another of the same text");
    int64_t copy = new_source(c, "copy.log", "log");
    ok(!add(copy, &call, at_line(1, 1300, 1)), "a copy adds nothing");
    ok(!add(copy, &call, at_line(2, 1300, 1)), "indeed");
    is_number(c, CALLS, 2, "two in all");
    is_text(c, "SELECT form FROM call WHERE id = 1", "ring",
            "its place is where it was seen first");
    is_number(c, "SELECT count(told_source) FROM call", 0, "a log's param tells no more");
    is_number(c, "SELECT in_log + in_dump FROM call WHERE id = 1", 2, "it is in both");
    facts(copy, "rs-1,16020,99");
    is_number(c, "SELECT count(server_id) FROM call", 2,
              "who knows the server tells all its calls");
    dx_casefile_close(c);
}

/* A call that is slow and large stands in both lists of a ring buffer; one file may have both. */
static void test_two_lists(void) {
    c = fresh();
    dx_call ring = scan_call(DX_CALL_RING, 1000, 5);
    int64_t dump = new_source(c, "both.txt", "ring");
    ring.slow = DX_YES;
    ok(add(dump, &ring, at_line(1, DX_TIME_NONE, 11)), "the slow list has it");
    ring.slow = DX_TRI_UNKNOWN;
    ring.large = DX_YES;
    ok(!add(dump, &ring, at_line(9, DX_TIME_NONE, 11)), "the large list of the same file, too");
    is_number(c, "SELECT slow + large FROM call", 2, "it is both");
    dx_casefile_close(c);
}

/* What the kept row learns. */
static void test_merging(void) {
    c = fresh();
    dx_call call = scan_call(DX_CALL_LOG, 1000, 5);
    call.param_cut = true;
    call.slow = DX_YES;
    call.large = DX_NO;
    call.region = dx_s("shop:orders,row-");
    call.table = dx_s("shop:orders");
    call.cache_blocks = DX_TRI_UNKNOWN;
    int64_t log = new_source(c, "a.log", "log");
    dx_where where = at_line(7, 1300, 1);
    where.thread = dx_s("RpcServer.handler=1");
    add(log, &call, where);
    is_number(c, "SELECT response_bytes FROM call", 16, "told by the log");
    is_number(c, "SELECT fs_read_ms FROM call", -1, "what is not told is NULL");
    is_number(c, "SELECT cache_blocks FROM call", -1, "and so is a truth");
    is_number(c, "SELECT large FROM call", 0, "false is told");
    dx_call ring = scan_call(DX_CALL_RING, 1000, 5);
    ring.region = dx_s("shop:orders,row-17,1700000000000.0123456789abcdef0123456789abcdef.");
    ring.encoded = dx_s("0123456789abcdef0123456789abcdef");
    ring.table = dx_s("shop:orders");
    ring.user = dx_s("etl");
    ring.filters = dx_s("FilterList,RowFilter");
    ring.cache_blocks = DX_NO;
    ring.has_stop_row = DX_NO;
    ring.has_scanner = true;
    ring.scanner_id = UINT64_MAX;
    ring.caching = 500;
    ring.proc_ms = 999;
    ring.large = DX_YES;
    int64_t dump = new_source(c, "ring.txt", "ring");
    add(dump, &ring, at_line(1, DX_TIME_NONE, 2));
    is_number(c, "SELECT count(*) FROM call", 1, "one call");
    is_text(c, "SELECT region FROM call",
            "shop:orders,row-17,1700000000000.0123456789abcdef0123456789abcdef.",
            "an uncut param wins over a cut one");
    is_number(c, "SELECT param_cut FROM call", 0, "the call's param is whole now");
    is_text(c, "SELECT filters FROM call", "FilterList,RowFilter", "filters are new");
    is_number(c, "SELECT cache_blocks FROM call", 0, "so is a truth");
    is_text(c, "SELECT scanner_id FROM call", "18446744073709551615", "64 bits, unsigned");
    is_number(c, "SELECT proc_ms FROM call", 300, "what the log told stays");
    is_number(c, "SELECT slow + large FROM call", 2, "slow by one and large by the other");
    is_number(c, "SELECT line FROM call", 7, "its place stays");
    is_number(c, "SELECT told_source FROM call", dump, "and where its param is whole is known");
    is_number(c, "SELECT told_line FROM call", 1, "with its line");
    int64_t copy = new_source(c, "later.txt", "ring");
    add(copy, &ring, at_line(4, DX_TIME_NONE, 3));
    is_number(c, "SELECT told_source FROM call", dump, "another dump tells no more");
    is_text(c, "SELECT thread FROM call", "RpcServer.handler=1", "its thread, too");
    is_text(c, "SELECT table_name FROM region WHERE encoded LIKE '0123%'", "shop:orders",
            "its region was learnt");
    dx_casefile_close(c);
}

/* Records that tell too little to be known again are kept apart. */
static void test_little_told(void) {
    c = fresh();
    dx_call call = dx_call_blank(DX_CALL_LOG);
    call.method = dx_s("next");
    int64_t log = new_source(c, "old.log", "log");
    ok(add(log, &call, at_line(1, 1, 1)), "one");
    ok(add(log, &call, at_line(2, 2, 2)), "another");
    dx_call ring = dx_call_blank(DX_CALL_RING);
    ring.method = dx_s("next");
    int64_t dump = new_source(c, "ring.txt", "ring");
    ok(add(dump, &ring, at_line(1, DX_TIME_NONE, 5)),
       "a dump's call without a start is no known one");
    ok(add(log, &call, at_line(3, 2, 0)), "a record without a hash");
    ok(add(log, &call, at_line(4, 2, 0)), "and one more");
    is_number(c, CALLS, 5, "five");
    dx_casefile_close(c);
}

/* The numbering holds whatever order sources come in. */
static void test_orders(void) {
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const int copies[3] = {2, 3, 1}; /* of one key in: log, dump, dump */
    for (size_t o = 0; o < 6; o++) {
        c = fresh();
        for (int k = 0; k < 3; k++) {
            int which = orders[o][k];
            dx_call call = scan_call(which == 0 ? DX_CALL_LOG : DX_CALL_RING, 1000, 5);
            int64_t source = new_source(c, "x", "x");
            for (int i = 0; i < copies[which]; i++)
                add(source, &call, at_line((uint64_t)i, 1300, (uint64_t)(which * 100 + i + 1)));
        }
        is_number(c, CALLS, 3, "the most that one of them has");
        is_number(c, "SELECT max(occ) FROM call", 3, "numbered without a hole");
        is_number(c, "SELECT sum(in_log) FROM call", 2, "two of them are in the log");
        dx_casefile_close(c);
    }
}

int main(void) {
    test_copies();
    test_same_key();
    test_dump_first();
    test_two_lists();
    test_merging();
    test_little_told();
    test_orders();
    return done();
}

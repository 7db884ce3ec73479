/* dx_slowlog_end.c - what follows from the members of a record, once all of them are read. */
#include "dx_slowlog_int.h"

static bool all_digits(dx_slice s) {
    uint64_t v;
    return s.n > 0 && s.n <= 5 && dx_slice_u64(s, &v);
}

/* "10.0.0.5:52344", "2001:db8:0:0:0:0:0:5:41234", "fe80:...:1%eth0:41234", "host/10.0.0.5:1" */
static dx_slice address_of(dx_slice client) {
    ptrdiff_t slash = dx_slice_rfind_char(client, '/');
    dx_slice a = dx_slice_sub(client, (size_t)(slash + 1), client.n);
    ptrdiff_t colon = dx_slice_rfind_char(a, ':');
    if (colon >= 0 && all_digits(dx_slice_sub(a, (size_t)colon + 1, a.n)))
        a.n = (size_t)colon;
    if (a.n >= 2 && a.p[0] == '[' && a.p[a.n - 1] == ']')
        a = dx_slice_sub(a, 1, a.n - 1);
    ptrdiff_t scope = dx_slice_find_char(a, '%', 0);
    if (scope >= 0)
        a.n = (size_t)scope;
    return a;
}

/* 0.94: "next(-4511083441284510291, 1000), rpc version=1, ...": the id is signed there, and
 * unsigned in param; both are the same 64 bits. */
static void scanner_of_call(slow_rec *r, dx_slice call) {
    if (!dx_slice_starts(call, "next(") && !dx_slice_starts(call, "close("))
        return;
    size_t at = (size_t)dx_slice_find_char(call, '(', 0) + 1;
    ptrdiff_t close = dx_slice_find_char(call, ')', at);
    if (close < 0)
        return;
    dx_slice args = dx_slice_sub(call, at, (size_t)close);
    ptrdiff_t comma = dx_slice_find_char(args, ',', 0);
    int64_t id;
    if (!dx_slice_i64(dx_slice_sub(args, 0, comma < 0 ? args.n : (size_t)comma), &id))
        return;
    r->c.has_scanner = true;
    r->c.scanner_id = (uint64_t)id;
    uint64_t rows;
    dx_slice rest = dx_slice_trim(dx_slice_sub(args, (size_t)(comma + 1), args.n));
    if (comma >= 0 && dx_slice_u64(rest, &rows) && rows <= INT64_MAX)
        r->c.number_of_rows = (int64_t)rows;
}

/* "Scan(org.apache...$ScanRequest)": the method, where no key tells it. */
static void read_call(slow_rec *r) {
    dx_slice raw = r->call.raw;
    if (r->call.kind != SLOW_STRING)
        return;
    ptrdiff_t paren = dx_slice_find_char(raw, '(', 0);
    if (r->c.method.n == 0 && paren > 0) {
        slow_value name = r->call;
        name.raw.n = (size_t)paren;
        r->c.method = slow_text(r, name);
    }
    scanner_of_call(r, raw);
}

/* hbase:slowlog tells by its type which limits a call broke. */
static void read_kind(slow_rec *r) {
    bool slow = dx_slice_is(r->kind.raw, "SLOW_LOG"), large = dx_slice_is(r->kind.raw, "LARGE_LOG");
    bool both = dx_slice_is(r->kind.raw, "ALL");
    if (!slow && !large && !both)
        return;
    r->c.slow = slow || both ? DX_YES : DX_NO;
    r->c.large = large || both ? DX_YES : DX_NO;
}

static void read_range(dx_call *c) {
    if (c->has_start_row == DX_YES || c->has_stop_row == DX_YES)
        c->full_range = DX_NO;
    else if (c->has_start_row == DX_NO && c->has_stop_row == DX_NO)
        c->full_range = DX_YES;
}

/* HBase of every version works these out as an int of ms, which is 24.8 days: a larger one was not
 * written by it, and would be most of any sum. */
static int64_t int_of_ms(int64_t ms) {
    return ms > INT32_MAX ? DX_UNKNOWN : ms;
}

dx_status slow_end(slow_rec *r, dx_call *out, dx_err *err) {
    r->c.proc_ms = int_of_ms(r->c.proc_ms);
    r->c.queue_ms = int_of_ms(r->c.queue_ms);
    r->c.client_address = address_of(r->c.client);
    read_call(r);
    read_kind(r);
    if (r->details.kind == SLOW_STRING)
        slow_details(r, slow_text(r, r->details));
    if (r->param.kind == SLOW_STRING)
        slow_param(r, slow_text(r, r->param));
    if (r->region_name.kind == SLOW_STRING)
        slow_region(r, slow_text(r, r->region_name));
    read_range(&r->c);
    if (r->no_memory)
        return dx_fail(err, DX_E_LIMIT,
                       "slow call: its texts do not fit into the memory given for one record");
    *out = r->c;
    return DX_OK;
}

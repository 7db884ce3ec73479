/* dx_slowlog_rec.c - from the members of a record to a dx_call. One table holds the vocabulary of
 * every form: log lines (lower case), the ring buffer (camel case), hbase:slowlog (underscores) and
 * the operations of 0.92 and 0.94. The names do not clash, so any form may use any of them. */
#include "dx_slowlog_int.h"

#include <stddef.h>
#include <string.h>

typedef enum field_kind {
    INT,      /* number, bare or quoted; a negative one means "not set" */
    INSTANT,  /* milliseconds since 1970; what no calendar has is not told */
    TRI,      /* true or false */
    TEXT,     /* string */
    LATER,    /* kept raw for slow_end */
    START,    /* startRow: empty means that there is none */
    STOP,     /* stopRow */
    FAMILIES, /* {"cf": ...} or ["cf"] */
    FILTER,   /* Filter.toString */
    TABLES,   /* {"table": {"puts": [{"row": ...}], "families": [...]}} */
    SCAN      /* Scan.toMap */
} field_kind;

typedef struct field {
    const char *name;
    uint8_t n;
    uint8_t kind;
    uint16_t offset;
} field;

_Static_assert(sizeof(slow_rec) <= UINT16_MAX, "an offset fits into a field");

#define FIELD(name, kind, member)                                                                  \
    { name, sizeof name - 1, kind, offsetof(slow_rec, member) }
#define PLAIN(name, kind)                                                                          \
    { name, sizeof name - 1, kind, 0 }

static const field fields[] = {
    /* log lines, 0.92 to 3.x */
    FIELD("call", LATER, call),
    FIELD("starttimems", INSTANT, c.start_ms),
    FIELD("responsesize", INT, c.response_bytes),
    FIELD("method", TEXT, c.method),
    FIELD("param", LATER, param),
    FIELD("processingtimems", INT, c.proc_ms),
    FIELD("client", TEXT, c.client),
    FIELD("queuetimems", INT, c.queue_ms),
    FIELD("class", TEXT, c.server_class),
    FIELD("scandetails", LATER, details),
    FIELD("blockbytesscanned", INT, c.block_bytes),
    FIELD("fsreadtime", INT, c.fs_read_ms),
    FIELD("multi.gets", INT, c.multi_gets),
    FIELD("multi.mutations", INT, c.multi_mutations),
    FIELD("multi.servicecalls", INT, c.multi_service_calls),
    FIELD("multi.service_calls", INT, c.multi_service_calls),
    /* ring buffer */
    FIELD("startTime", INSTANT, c.start_ms),
    FIELD("processingTime", INT, c.proc_ms),
    FIELD("queueTime", INT, c.queue_ms),
    FIELD("responseSize", INT, c.response_bytes),
    FIELD("blockBytesScanned", INT, c.block_bytes),
    FIELD("fsReadTime", INT, c.fs_read_ms),
    FIELD("clientAddress", TEXT, c.client),
    FIELD("serverClass", TEXT, c.server_class),
    FIELD("methodName", TEXT, c.method),
    FIELD("callDetails", LATER, call),
    FIELD("userName", TEXT, c.user),
    FIELD("multiGetsCount", INT, c.multi_gets),
    FIELD("multiMutationsCount", INT, c.multi_mutations),
    FIELD("multiServiceCalls", INT, c.multi_service_calls),
    FIELD("regionName", LATER, region_name),
    FIELD("type", LATER, kind),
    PLAIN("scan", SCAN),
    /* hbase:slowlog */
    FIELD("start_time", INSTANT, c.start_ms),
    FIELD("processing_time", INT, c.proc_ms),
    FIELD("queue_time", INT, c.queue_ms),
    FIELD("response_size", INT, c.response_bytes),
    FIELD("block_bytes_scanned", INT, c.block_bytes),
    FIELD("fs_read_time", INT, c.fs_read_ms),
    FIELD("client_address", TEXT, c.client),
    FIELD("server_class", TEXT, c.server_class),
    FIELD("method_name", TEXT, c.method),
    FIELD("call_details", LATER, call),
    FIELD("username", TEXT, c.user),
    FIELD("region_name", LATER, region_name),
    /* Operation.toMap of 0.92 and 0.94, and Scan.toMap of the ring buffer's "scan" */
    FIELD("table", TEXT, c.table),
    FIELD("row", TEXT, c.row),
    FIELD("id", TEXT, c.operation_id),
    FIELD("maxVersions", INT, c.max_versions),
    FIELD("cacheBlocks", TRI, c.cache_blocks),
    FIELD("batch", INT, c.batch),
    FIELD("caching", INT, c.caching),
    FIELD("limit", INT, c.limit_rows),
    FIELD("maxResultSize", INT, c.max_result_bytes),
    FIELD("reversed", TRI, c.reversed),
    FIELD("totalPuts", INT, c.actions),
    PLAIN("startRow", START),
    PLAIN("stopRow", STOP),
    PLAIN("families", FAMILIES),
    PLAIN("filter", FILTER),
    PLAIN("tables", TABLES),
};

static const field *field_of(dx_slice key) {
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].n == key.n && memcmp(fields[i].name, key.p, key.n) == 0)
            return &fields[i];
    return NULL;
}

dx_call dx_call_blank(dx_call_form form) {
    return (dx_call){
        .form = form,
        .slow = DX_TRI_UNKNOWN,
        .large = DX_TRI_UNKNOWN,
        .start_ms = DX_TIME_NONE,
        .proc_ms = DX_UNKNOWN,
        .queue_ms = DX_UNKNOWN,
        .response_bytes = DX_UNKNOWN,
        .block_bytes = DX_UNKNOWN,
        .fs_read_ms = DX_UNKNOWN,
        .has_start_row = DX_TRI_UNKNOWN,
        .has_stop_row = DX_TRI_UNKNOWN,
        .caching = DX_UNKNOWN,
        .batch = DX_UNKNOWN,
        .limit_rows = DX_UNKNOWN,
        .max_result_bytes = DX_UNKNOWN,
        .max_versions = DX_UNKNOWN,
        .number_of_rows = DX_UNKNOWN,
        .cache_blocks = DX_TRI_UNKNOWN,
        .small = DX_TRI_UNKNOWN,
        .reversed = DX_TRI_UNKNOWN,
        .full_range = DX_TRI_UNKNOWN,
        .actions = DX_UNKNOWN,
        .multi_gets = DX_UNKNOWN,
        .multi_mutations = DX_UNKNOWN,
        .multi_service_calls = DX_UNKNOWN,
    };
}

void slow_begin(slow_rec *r, dx_arena *arena, dx_call_form form) {
    *r = (slow_rec){.c = dx_call_blank(form), .arena = arena};
}

static void assign_int(int64_t *to, slow_value v) {
    int64_t n;
    if ((v.kind == SLOW_WORD || v.kind == SLOW_STRING) && dx_slice_i64(v.raw, &n) && n >= 0)
        *to = n;
}

/* The last day of the year 9999 has no local time everywhere. */
static void assign_instant(int64_t *to, slow_value v) {
    int64_t ms = DX_UNKNOWN;
    assign_int(&ms, v);
    if (ms < INT64_C(253402214400000))
        *to = ms;
}

static void assign_tri(dx_tri *to, slow_value v) {
    if (dx_slice_is(v.raw, "true"))
        *to = DX_YES;
    else if (dx_slice_is(v.raw, "false"))
        *to = DX_NO;
}

static void assign_bound(slow_rec *r, dx_slice *row, dx_tri *has, slow_value v) {
    if (v.kind != SLOW_STRING)
        return;
    *row = slow_text(r, v);
    *has = row->n > 0 ? DX_YES : DX_NO;
}

#define FAMILIES_MAX 32

static void assign_families(slow_rec *r, slow_value v) {
    dx_slice names[FAMILIES_MAX], key;
    slow_value inner;
    slow_json j;
    size_t n = 0;
    slow_json_open(&j, v.raw, v.kind == SLOW_OBJECT ? '{' : '[');
    if (v.kind == SLOW_OBJECT)
        while (n < FAMILIES_MAX && slow_json_member(&j, &key, &inner))
            names[n++] = slow_text(r, (slow_value){SLOW_STRING, true, key});
    else
        while (n < FAMILIES_MAX && slow_json_element(&j, &inner))
            if (inner.kind == SLOW_STRING)
                names[n++] = slow_text(r, inner);
    r->c.families = slow_join(r, names, n);
}

/* {"puts":[{..., "row":"x"}, ...], "families":["f"]}: the first row, and the families */
static void assign_operations(slow_rec *r, slow_value v) {
    slow_json j, list, one;
    slow_value inner, item, member;
    dx_slice key;
    slow_json_open(&j, v.raw, '{');
    while (slow_json_member(&j, &key, &inner)) {
        if (dx_slice_is(key, "families"))
            assign_families(r, inner);
        if (inner.kind != SLOW_ARRAY || r->c.row.n > 0)
            continue;
        slow_json_open(&list, inner.raw, '[');
        if (!slow_json_element(&list, &item) || item.kind != SLOW_OBJECT)
            continue;
        slow_json_open(&one, item.raw, '{');
        while (slow_json_member(&one, &key, &member))
            if (dx_slice_is(key, "row"))
                r->c.row = slow_text(r, member);
    }
}

/* With more than one table none is named: the call belongs to all of them. */
static void assign_tables(slow_rec *r, slow_value v) {
    slow_json j;
    slow_value inner, only = {SLOW_NONE, false, {NULL, 0}};
    dx_slice key, name = {NULL, 0};
    size_t n = 0;
    slow_json_open(&j, v.raw, '{');
    for (; slow_json_member(&j, &key, &inner); n++) {
        name = key;
        only = inner;
    }
    if (n != 1)
        return;
    r->c.table = slow_text(r, (slow_value){SLOW_STRING, true, name});
    assign_operations(r, only);
}

static void assign_scan(slow_rec *r, slow_value v) {
    slow_json j;
    if (v.kind != SLOW_OBJECT || r->nested)
        return;
    r->nested = true;
    slow_object(r, &j, v.raw);
    r->nested = false;
}

void slow_assign(slow_rec *r, dx_slice key, slow_value v) {
    const field *f = field_of(key);
    if (f == NULL)
        return;
    void *to = (char *)r + f->offset;
    switch ((field_kind)f->kind) {
    case INT: assign_int(to, v); break;
    case INSTANT: assign_instant(to, v); break;
    case TRI: assign_tri(to, v); break;
    case TEXT:
        if (v.kind == SLOW_STRING)
            *(dx_slice *)to = slow_text(r, v);
        break;
    case LATER: *(slow_value *)to = v; break;
    case START: assign_bound(r, &r->c.start_row, &r->c.has_start_row, v); break;
    case STOP: assign_bound(r, &r->c.stop_row, &r->c.has_stop_row, v); break;
    case FAMILIES: assign_families(r, v); break;
    case FILTER: slow_filter_text(r, slow_text(r, v)); break;
    case TABLES: assign_tables(r, v); break;
    case SCAN: assign_scan(r, v); break;
    }
}

bool slow_object(slow_rec *r, slow_json *j, dx_slice object) {
    dx_slice key;
    slow_value v;
    slow_json_open(j, object, '{');
    while (slow_json_member(j, &key, &v))
        slow_assign(r, key, v);
    return j->want == NULL;
}

dx_status slow_fail_json(const slow_json *j, size_t offset, dx_err *err) {
    return dx_fail(err, DX_E_PARSE, "slow call: byte %zu: expected %s%s",
                   offset + (size_t)(j->at - j->begin), j->want,
                   j->at == j->end ? ", but the text is cut here" : "");
}

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

dx_status slow_end(slow_rec *r, dx_call *out, dx_err *err) {
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

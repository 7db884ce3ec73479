/* dx_slowlog_rec.c - from the members of a record to a dx_call. One table holds the vocabulary of
 * every form: log lines (lower case), the ring buffer (camel case), hbase:slowlog (underscores) and
 * the operations of 0.92 and 0.94. The names do not clash, so any form may use any of them. */
#include "dx_bytes.h"
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
    const char *text; /* the name as a key: in quotes, with the colon behind it; NULL ends a list */
    uint8_t n, kind;  /* n: of the name */
    uint16_t offset;
} field;

_Static_assert(sizeof(slow_rec) <= UINT16_MAX, "an offset fits into a field");

#define DIGITS 18 /* so many always fit into a number */

/* A name with its length, which is that of its list. */
#define KEY(name, n) ("\"" name "\":") + 0 * sizeof(char[sizeof(name) - 1 == (n) ? 1 : -1])
#define FIELD(n, name, kind, member)                                                               \
    { KEY(name, n), n, kind, offsetof(slow_rec, member) }
#define PLAIN(n, name, kind)                                                                       \
    { KEY(name, n), n, kind, 0 }
#define END                                                                                        \
    { NULL, 0, INT, 0 }

/* By the length of their names: "startTime" is of the ring buffer, "start_time" of hbase:slowlog,
 * "maxVersions" and the like of Operation.toMap in 0.92 and 0.94 and of the ring buffer's "scan".
 */
static const field of_2[] = {
    FIELD(2, "id", TEXT, c.operation_id),
    END,
};
static const field of_3[] = {
    FIELD(3, "row", TEXT, c.row),
    END,
};
static const field of_4[] = {
    FIELD(4, "call", LATER, call),
    FIELD(4, "type", LATER, kind),
    PLAIN(4, "scan", SCAN),
    END,
};
static const field of_5[] = {
    FIELD(5, "param", LATER, param),      FIELD(5, "class", TEXT, c.server_class),
    FIELD(5, "table", TEXT, c.table),     FIELD(5, "batch", INT, c.batch),
    FIELD(5, "limit", INT, c.limit_rows), END,
};
static const field of_6[] = {
    FIELD(6, "method", TEXT, c.method),
    FIELD(6, "client", TEXT, c.client),
    PLAIN(6, "filter", FILTER),
    PLAIN(6, "tables", TABLES),
    END,
};
static const field of_7[] = {
    FIELD(7, "caching", INT, c.caching),
    PLAIN(7, "stopRow", STOP),
    END,
};
static const field of_8[] = {
    FIELD(8, "userName", TEXT, c.user),    FIELD(8, "username", TEXT, c.user),
    FIELD(8, "reversed", TRI, c.reversed), PLAIN(8, "startRow", START),
    PLAIN(8, "families", FAMILIES),        END,
};
static const field of_9[] = {
    FIELD(9, "startTime", INSTANT, c.start_ms),
    FIELD(9, "queueTime", INT, c.queue_ms),
    FIELD(9, "totalPuts", INT, c.actions),
    END,
};
static const field of_10[] = {
    FIELD(10, "fsreadtime", INT, c.fs_read_ms),  FIELD(10, "multi.gets", INT, c.multi_gets),
    FIELD(10, "fsReadTime", INT, c.fs_read_ms),  FIELD(10, "methodName", TEXT, c.method),
    FIELD(10, "regionName", LATER, region_name), FIELD(10, "start_time", INSTANT, c.start_ms),
    FIELD(10, "queue_time", INT, c.queue_ms),    END,
};
static const field of_11[] = {
    FIELD(11, "starttimems", INSTANT, c.start_ms), FIELD(11, "queuetimems", INT, c.queue_ms),
    FIELD(11, "scandetails", LATER, details),      FIELD(11, "serverClass", TEXT, c.server_class),
    FIELD(11, "callDetails", LATER, call),         FIELD(11, "method_name", TEXT, c.method),
    FIELD(11, "region_name", LATER, region_name),  FIELD(11, "maxVersions", INT, c.max_versions),
    FIELD(11, "cacheBlocks", TRI, c.cache_blocks), END,
};
static const field of_12[] = {
    FIELD(12, "responsesize", INT, c.response_bytes),
    FIELD(12, "responseSize", INT, c.response_bytes),
    FIELD(12, "fs_read_time", INT, c.fs_read_ms),
    FIELD(12, "server_class", TEXT, c.server_class),
    FIELD(12, "call_details", LATER, call),
    END,
};
static const field of_13[] = {
    FIELD(13, "clientAddress", TEXT, c.client),
    FIELD(13, "response_size", INT, c.response_bytes),
    FIELD(13, "maxResultSize", INT, c.max_result_bytes),
    END,
};
static const field of_14[] = {
    FIELD(14, "processingTime", INT, c.proc_ms),
    FIELD(14, "multiGetsCount", INT, c.multi_gets),
    FIELD(14, "client_address", TEXT, c.client),
    END,
};
static const field of_15[] = {
    FIELD(15, "multi.mutations", INT, c.multi_mutations),
    FIELD(15, "processing_time", INT, c.proc_ms),
    END,
};
static const field of_16[] = {
    FIELD(16, "processingtimems", INT, c.proc_ms),
    END,
};
static const field of_17[] = {
    FIELD(17, "blockbytesscanned", INT, c.block_bytes),
    FIELD(17, "blockBytesScanned", INT, c.block_bytes),
    FIELD(17, "multiServiceCalls", INT, c.multi_service_calls),
    END,
};
static const field of_18[] = {
    FIELD(18, "multi.servicecalls", INT, c.multi_service_calls),
    END,
};
static const field of_19[] = {
    FIELD(19, "multi.service_calls", INT, c.multi_service_calls),
    FIELD(19, "multiMutationsCount", INT, c.multi_mutations),
    FIELD(19, "block_bytes_scanned", INT, c.block_bytes),
    END,
};
static const field *const of_length[] = {
    [2] = of_2,   [3] = of_3,   [4] = of_4,   [5] = of_5,   [6] = of_6,   [7] = of_7,
    [8] = of_8,   [9] = of_9,   [10] = of_10, [11] = of_11, [12] = of_12, [13] = of_13,
    [14] = of_14, [15] = of_15, [16] = of_16, [17] = of_17, [18] = of_18, [19] = of_19,
};

static const field *field_of(dx_slice key) {
    const field *f = key.n < sizeof of_length / sizeof *of_length ? of_length[key.n] : NULL;
    for (; f != NULL && f->text != NULL; f++)
        if (f->text[1] == key.p[0] && dx_same_bytes(f->text + 1, key.p, key.n))
            return f;
    return NULL;
}

static const dx_call blank = {
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

dx_call dx_call_blank(dx_call_form form) {
    dx_call c = blank;
    c.form = form;
    return c;
}

void slow_begin(slow_rec *r, dx_arena *arena, dx_call_form form) {
    const slow_value none = {SLOW_NONE, false, {NULL, 0}};
    r->c = blank;
    r->c.form = form;
    r->arena = arena;
    r->memo = NULL;
    r->no_memory = r->nested = false;
    r->param = r->details = r->call = r->kind = r->region_name = none;
}

static void assign_int(int64_t *to, slow_value v) {
    int64_t n;
    if ((v.kind == SLOW_WORD || v.kind == SLOW_STRING) && dx_slice_i64(v.raw, &n) && n >= 0)
        *to = n;
}

/* The last day of the year 9999 has no local time everywhere. */
static void set_instant(int64_t *to, int64_t ms) {
    if (ms < INT64_C(253402214400000))
        *to = ms;
}

static void assign_instant(int64_t *to, slow_value v) {
    int64_t ms = DX_UNKNOWN;
    assign_int(&ms, v);
    set_instant(to, ms);
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

/* Whether Scan.toMap has it: nothing else in "scan" is the call's own. */
static bool of_scan(const field *f) {
    switch ((field_kind)f->kind) {
    case INT:
        return f->offset >= offsetof(slow_rec, c.caching)
               && f->offset <= offsetof(slow_rec, c.max_versions);
    case TEXT: return f->offset == offsetof(slow_rec, c.operation_id);
    case TRI:
    case START:
    case STOP:
    case FAMILIES:
    case FILTER: return true;
    default: return false;
    }
}

static void assign(slow_rec *r, const field *f, slow_value v) {
    void *to = (char *)r + f->offset;
    if (r->nested && !of_scan(f))
        return;
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

void slow_assign(slow_rec *r, dx_slice key, slow_value v) {
    const field *f = field_of(key);
    if (f != NULL)
        assign(r, f, v);
}

/* A member that is a number, bare or in quotes, at p: where it ends, or NULL for all else. */
static const char *take_number(const char *p, const char *end, int64_t *to) {
    uint64_t number;
    bool quoted = *p == '"';
    p += quoted;
    size_t n = dx_lead_digits(p, end, &number);
    p += n;
    if (n == 0 || n > DIGITS || p == end || (quoted ? *p != '"' : *p != ',' && *p != '}'))
        return NULL;
    *to = (int64_t)number;
    return p + quoted;
}

/* The same of a string. */
static const char *take_string(const char *p, const char *end, slow_value *v) {
    if (*p++ != '"')
        return NULL;
    const char *close = dx_find_either(p, end, '"', '\\');
    bool escaped = close < end && *close == '\\';
    if (escaped)
        close = p + slow_json_quote((dx_slice){p, (size_t)(end - p)});
    *v = (slow_value){SLOW_STRING, escaped, {p, (size_t)(close - p)}};
    return close == end ? NULL : close + 1;
}

/* Takes the member whose key is expected here, where it is written as HBase does. False: it is
 * something else, and nothing was read. */
static inline bool take_expected(slow_rec *r, slow_json *j, const field *f) {
    const char *p = j->at + j->later;
    bool is_number = f->kind == INT || f->kind == INSTANT;
    void *to = (char *)r + f->offset;
    slow_value v;
    int64_t number;
    if (j->end - j->at < (ptrdiff_t)f->n + 8 || (j->later && *j->at != ',')
        || !dx_same_bytes(p, f->text, f->n + 3u))
        return false;
    p += f->n + 3u;
    p = is_number ? take_number(p, j->end, &number) : take_string(p, j->end, &v);
    if (p == NULL)
        return false;
    j->at = p;
    j->later = true;
    if (f->kind == INT)
        *(int64_t *)to = number;
    else if (f->kind == INSTANT)
        set_instant(to, number);
    else if (f->kind == LATER)
        *(slow_value *)to = v;
    else if (f->kind == TEXT && !v.escaped)
        *(dx_slice *)to = v.raw;
    else
        assign(r, f, v);
    return true;
}

/* The two keys that came last behind f, the later one first; two fields may share a place. */
static const void **keys_behind(dx_slowlog_memo *memo, const field *f) {
    return memo->keys[f == NULL ? 0 : (uintptr_t)f / sizeof *f % DX_SLOWLOG_KEYS];
}

static const field *take_one_of(slow_rec *r, slow_json *j, const void *keys[2]) {
    if (j->want != NULL || j->broken)
        return NULL;
    for (size_t i = 0; i < 2 && keys[i] != NULL; i++) {
        const field *f = keys[i];
        if (!take_expected(r, j, f))
            continue;
        keys[i] = keys[0];
        keys[0] = f;
        return f;
    }
    return NULL;
}

bool slow_object(slow_rec *r, slow_json *j, dx_slice object) {
    dx_slowlog_memo *memo = r->nested ? NULL : r->memo;
    const field *f = NULL, *next = NULL;
    dx_slice key;
    slow_value v;
    slow_json_open(j, object, '{');
    for (;; f = next) {
        const void **keys = memo == NULL ? NULL : keys_behind(memo, f);
        if (keys != NULL && (next = take_one_of(r, j, keys)) != NULL)
            continue;
        if (!slow_json_member(j, &key, &v))
            break;
        next = field_of(key);
        if (next == NULL)
            continue;
        assign(r, next, v);
        if (keys != NULL) {
            keys[1] = keys[0];
            keys[0] = next;
        }
    }
    return j->want == NULL;
}

dx_status slow_fail_json(const slow_json *j, size_t offset, dx_err *err) {
    return dx_fail(err, DX_E_PARSE, "slow call: byte %zu: expected %s%s",
                   offset + (size_t)(j->at - j->begin), j->want,
                   j->at == j->end ? ", but the text is cut here" : "");
}

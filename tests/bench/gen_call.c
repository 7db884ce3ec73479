/* gen_call.c - slow and large calls in the words of each generation: which keys there are, whether
 * numbers are quoted, what is escaped, what is cut. */
#include "gen.h"

#include <string.h>

typedef enum kind { SCAN_OPEN, SCAN_NEXT, MULTI, GET, MUTATE, EXEC, BULK_LOAD } kind;

typedef struct call {
    kind kind;
    uint64_t client;
    int64_t proc, queue, bytes, actions;
    const char *row;
} call;

typedef struct habits {
    bool param, cut, details_next, details_open, multi, quoted, html, both, wide, operation;
} habits;

static habits habits_of(gen_era era) {
    static const habits of[ERAS] = {
        [E098] = {.param = true},
        [E12] = {.param = false},
        [E14] = {true, true, true, .multi = true, .quoted = true, .html = true},
        [E17] = {true, true, true, true, true, true, .both = true},
        [E20] = {true, true, true},
        [E21C] = {true, true, true},
        [E23] = {true, true, true, true, true, true, true, true},
        [E24] = {true, true, true, true, true, true, false, true},
        [E25] = {true, true, true, true, true, true, false, true, false, true},
        [E26] = {true, true, true, true, true, true, false, true, true, true},
        [E30] = {true, true, true, true, true, true, false, true, true, true},
    };
    return of[era];
}

/* ---- the request as text */

static void put_open(gen *g, gen_text *t) {
    text_put(t, "region { type: REGION_NAME value: \"");
    gen_region_name(g->region, true, t);
    gen_template(g,
                 "\" } scan { column { family: \"%F\" } start_row: \"user%n[1000,9999]\" "
                 "stop_row: \"userz\" filter { name: \"org.apache.hadoop.hbase.filter."
                 "PrefixFilter\" serialized_filter: \"\\n\\006user%n[10,99]\" } time_range "
                 "{ from: 0 to: 9223372036854775807 } max_versions: 1 cache_blocks: true "
                 "max_result_size: 2097152 caching: 1000 } number_of_rows: 1000 "
                 "close_scanner: false client_handles_partials: true "
                 "client_handles_heartbeats: true track_scan_metrics: false",
                 t);
}

static void put_next(gen *g, gen_text *t) {
    text_put(t, "scanner_id: ");
    text_u64(t, gen_random(g));
    gen_template(g,
                 " number_of_rows: %n[100,2000] close_scanner: false next_call_seq: %n[1,400] "
                 "client_handles_partials: true client_handles_heartbeats: true "
                 "track_scan_metrics: false renew: false",
                 t);
}

static void put_param(gen *g, const call *c, gen_text *t) {
    if (c->kind == SCAN_OPEN) {
        put_open(g, t);
    } else if (c->kind == SCAN_NEXT) {
        put_next(g, t);
    } else if (c->kind == EXEC) {
        text_put(t, "coprocessorService= ServerCachingService:addServerCache");
    } else if (c->kind == BULK_LOAD) {
        text_put(t, "TODO: class org.apache.hadoop.hbase.shaded.protobuf.generated."
                    "ClientProtos$BulkLoadHFileRequest");
    } else {
        text_put(t, "region= ");
        gen_region_name(g->region, false, t);
        if (c->kind == MULTI) {
            text_put(t, ", for ");
            text_i64(t, c->actions);
            text_put(t,
                     g->era == E098 ? " actions and 1st row key=" : " action(s) and 1st row key=");
        } else {
            text_put(t, ", row=");
        }
        text_put(t, c->row);
    }
}

/* ---- JSON */

static void put_json(gen_text *t, const char *s, size_t n, bool html) {
    static const char hex[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        char c = s[i];
        if (c == '"' || c == '\\') {
            text_bytes(t, (const char[]){'\\', c}, 2);
        } else if (html && memchr("<>&='", c, 5) != NULL) {
            text_put(t, "\\u00");
            text_bytes(t, (const char[]){hex[c >> 4], hex[c & 15]}, 2);
        } else {
            text_char(t, c);
        }
    }
}

static void put_key(gen_text *t, const char *key) {
    if (t->p[t->n - 1] != '{')
        text_char(t, ',');
    text_char(t, '"');
    text_put(t, key);
    text_put(t, "\":");
}

static void put_text(gen_text *t, const char *key, const gen_text *value, bool html) {
    put_key(t, key);
    text_char(t, '"');
    put_json(t, value->p, value->n, html);
    text_char(t, '"');
}

static void put_word(gen_text *t, const char *key, const char *value) {
    put_key(t, key);
    text_char(t, '"');
    text_put(t, value);
    text_char(t, '"');
}

static void put_number(gen_text *t, const char *key, int64_t value, bool quoted) {
    put_key(t, key);
    if (quoted)
        text_char(t, '"');
    text_i64(t, value);
    if (quoted)
        text_char(t, '"');
}

/* ---- the log's JSON since 0.96 */

#define NAME(method, request)                                                                      \
    { method, method "(org.apache.hadoop.hbase.%sprotobuf.generated.ClientProtos$" request ")" }
static const char *const names[][2] = {
    [SCAN_OPEN] = NAME("Scan", "ScanRequest"),
    [SCAN_NEXT] = NAME("Scan", "ScanRequest"),
    [MULTI] = NAME("Multi", "MultiRequest"),
    [GET] = NAME("Get", "GetRequest"),
    [MUTATE] = NAME("Mutate", "MutateRequest"),
    [EXEC] = NAME("ExecService", "CoprocessorServiceRequest"),
    [BULK_LOAD] = NAME("BulkLoadHFile", "BulkLoadHFileRequest"),
};

static void put_call_name(gen *g, const call *c, gen_text *t) {
    const char *name = names[c->kind][1], *hole = strstr(name, "%s");
    put_key(t, "call");
    text_char(t, '"');
    text_bytes(t, name, (size_t)(hole - name));
    text_put(t, g->era >= E20 ? "shaded." : "");
    text_put(t, hole + 2);
    text_char(t, '"');
}

static void put_cut_param(gen *g, const call *c, habits h, gen_text *t) {
    gen_text param;
    param.n = 0;
    put_param(g, c, &param);
    if (h.cut && param.n > 150) {
        param.n = 150;
        text_put(&param, " <TRUNCATED>");
    }
    if (h.param)
        put_text(t, "param", &param, h.html);
}

static void put_client(const call *c, gen_text *t) {
    put_key(t, "client");
    text_char(t, '"');
    gen_address(c->client, t);
    text_char(t, ':');
    text_u64(t, 32768 + c->client * 2654435761u % 28000);
    text_char(t, '"');
}

static void put_details(gen *g, const call *c, habits h, gen_text *t) {
    gen_text s;
    if (!(c->kind == SCAN_OPEN ? h.details_open : c->kind == SCAN_NEXT && h.details_next))
        return;
    s.n = 0;
    text_put(&s, "table: ");
    text_put(&s, gen_table(g->region->table));
    text_put(&s, " region: ");
    gen_region_name(g->region, false, &s);
    if (h.operation && c->kind == SCAN_NEXT)
        text_put(&s, " operation_id: null");
    put_text(t, "scandetails", &s, h.html);
}

/* The order of a Java HashMap with these keys; with more than twelve it is another one. */
static void put_object(gen *g, const call *c, habits h, gen_text *t) {
    bool multi = h.multi && c->kind == MULTI;
    int64_t start = g->now - c->proc;
    const char *services = g->era >= E25 ? "multi.service_calls" : "multi.servicecalls";
    put_call_name(g, c, t);
    if (multi)
        put_number(t, "multi.gets", 0, false);
    put_number(t, "starttimems", start, h.quoted);
    put_number(t, "responsesize", c->bytes, h.quoted);
    put_word(t, "method", names[c->kind][0]);
    put_cut_param(g, c, h, t);
    put_number(t, "processingtimems", c->proc, false);
    if (h.wide) {
        put_number(t, "blockbytesscanned", c->bytes, true);
        put_number(t, "fsreadtime", c->proc / 3, true);
    }
    put_client(c, t);
    put_number(t, "queuetimems", c->queue, false);
    if (multi)
        put_number(t, services, 0, false);
    put_word(t, "class", "HRegionServer");
    put_details(g, c, h, t);
    if (multi)
        put_number(t, "multi.mutations", c->actions, false);
}

static void put_wide_multi(gen *g, const call *c, habits h, gen_text *t) {
    put_number(t, "starttimems", g->now - c->proc, true);
    put_word(t, "method", "Multi");
    put_number(t, "processingtimems", c->proc, false);
    put_number(t, "fsreadtime", c->proc / 3, true);
    put_number(t, "queuetimems", c->queue, false);
    put_call_name(g, c, t);
    put_number(t, "multi.gets", 0, false);
    put_number(t, "responsesize", c->bytes, true);
    put_cut_param(g, c, h, t);
    put_number(t, "blockbytesscanned", c->bytes, true);
    put_client(c, t);
    put_number(t, "multi.service_calls", 0, false);
    put_word(t, "class", "HRegionServer");
    put_number(t, "multi.mutations", c->actions, false);
}

/* ---- 0.94: operations tell their table, other calls are Java's toString() */

static const char *const old_methods[] = {
    [SCAN_OPEN] = "openScanner",
    [SCAN_NEXT] = "next",
    [MULTI] = "multi",
    [GET] = "get",
    [MUTATE] = "put",
    [EXEC] = "exec",
    [BULK_LOAD] = "bulkLoadHFiles",
};

static bool is_operation(const call *c) {
    return c->kind == SCAN_OPEN || c->kind == GET || c->kind == MUTATE;
}

static void put_old_shape(gen *g, const call *c, gen_text *t) {
    static const char range[] = ",\"maxVersions\":1,\"cacheBlocks\":true,\"totalColumns\":1,"
                                "\"timeRange\":[0,9223372036854775807],"
                                "\"families\":{\"%F\":[\"ALL\"]}";
    put_word(t, "table", gen_table(g->region->table));
    if (c->kind == SCAN_OPEN)
        gen_template(g,
                     ",\"startRow\":\"user%n[1000,9999]\",\"stopRow\":\"userz\",\"batch\":-1,"
                     "\"caching\":1000",
                     t);
    else
        put_word(t, "row", c->row);
    gen_template(g,
                 c->kind == MUTATE ? ",\"totalColumns\":1,\"families\":{\"%F\":[{\"qualifier\":"
                                     "\"q1\",\"timestamp\":%m,\"vlen\":%n[10,900]}]}"
                                   : range,
                 t);
}

static void put_old(gen *g, const call *c, gen_text *t) {
    if (!is_operation(c)) {
        put_key(t, "call");
        text_char(t, '"');
        text_put(t, old_methods[c->kind]);
        gen_template(g,
                     c->kind == SCAN_NEXT ? "(%i, 1000)"
                                          : "(org.apache.hadoop.hbase.client.MultiAction@"
                                            "%n[10000000,99999999])",
                     t);
        text_put(t, ", rpc version=1, client version=29, methodsFingerPrint=1891768260\"");
    }
    put_number(t, "starttimems", g->now - c->proc, false);
    put_number(t, "responsesize", c->bytes, false);
    put_word(t, "method", old_methods[c->kind]);
    put_number(t, "processingtimems", c->proc, false);
    put_client(c, t);
    put_number(t, "queuetimems", c->queue, false);
    if (is_operation(c))
        put_old_shape(g, c, t);
    put_word(t, "class", "HRegionServer");
}

/* ---- calls */

/* A group is a table, a client and a method: the same number gives the same. */
static call some_call(gen *g, uint64_t group, char *row) {
    static const kind kinds[16] = {SCAN_NEXT, MULTI, GET,       MULTI, SCAN_NEXT, MULTI,
                                   MUTATE,    GET,   SCAN_OPEN, MULTI, SCAN_NEXT, MULTI,
                                   GET,       MULTI, SCAN_NEXT, MULTI};
    call c = {.kind = kinds[group * 2654435761u >> 7 & 15], .client = group / TABLES, .row = row};
    gen_text t;
    t.n = 0;
    if (group % 1009 == 1008)
        c.kind = EXEC;
    else if (group % 2003 == 2002)
        c.kind = BULK_LOAD;
    bool large = gen_below(g, 10) == 0;
    bool slow = !large || gen_below(g, 4) == 0;
    int64_t most = gen_below(g, 20) == 0 ? 120000 : 30000;
    c.proc = slow ? gen_between(g, 10001, most) : gen_between(g, 20, 9999);
    c.bytes = large ? gen_between(g, 104857601, 400000000) : gen_between(g, 2, 5000000);
    c.queue = gen_below(g, 3) == 0 ? gen_between(g, 1, 20000) : 0;
    c.actions = gen_between(g, 1, 900);
    g->region = &g->regions[group % TABLES + TABLES * gen_below(g, REGIONS / TABLES)];
    gen_template(g, "user%n[1000,9999]/%n[100000,999999]", &t);
    memcpy(row, t.p, t.n);
    row[t.n] = '\0';
    return c;
}

static const char *tag_of(const gen *g, const call *c, habits h) {
    bool slow = c->proc > 10000, large = c->bytes > 104857600;
    if (g->era == E094 && is_operation(c))
        return large ? "(operationTooLarge): {" : "(operationTooSlow): {";
    if (slow && large && h.both)
        return "(responseTooLarge & TooSlow): {";
    return large ? "(responseTooLarge): {" : "(responseTooSlow): {";
}

static bool tells_table(const gen *g, const call *c, habits h) {
    switch (c->kind) {
    case EXEC:
    case BULK_LOAD: return false;
    case SCAN_NEXT: return h.details_next;
    case MULTI: return h.param;
    default: return h.param || g->era == E094;
    }
}

static uint64_t key_of(const gen *g, const call *c, habits h) {
    const char *method = g->era == E094 ? old_methods[c->kind] : names[c->kind][0];
    uint64_t table = tells_table(g, c, h) ? g->region->table + 1 : 0, key = 14695981039346656037u;
    gen_text client;
    client.n = 0;
    gen_address(c->client, &client);
    for (size_t i = 0; i < client.n; i++)
        key = (key ^ (unsigned char)client.p[i]) * 1099511628211u;
    for (; *method != '\0'; method++)
        key = (key ^ (unsigned char)*method) * 1099511628211u;
    return (key ^ table) * 1099511628211u;
}

uint64_t gen_call(gen *g, uint64_t group, const char **logger) {
    char row[64];
    habits h = habits_of(g->era);
    call c = some_call(g, group, row);
    gen_text *t = &g->message;
    t->n = 0;
    *logger = g->era == E094 ? "ipc.HBaseServer" : "ipc.RpcServer";
    text_put(t, tag_of(g, &c, h));
    if (g->era == E094)
        put_old(g, &c, t);
    else if (h.wide && c.kind == MULTI)
        put_wide_multi(g, &c, h, t);
    else
        put_object(g, &c, h, t);
    text_char(t, '}');
    return key_of(g, &c, h);
}

/* dx_casefile_digest.c - see dx_casefile_digest.h. A key of several columns becomes one run of
 * bytes, each part with its type and length before it, so that no two keys are confused. */
#include "dx_casefile_digest.h"
#include "dx_buf.h"

#include <inttypes.h>
#include <string.h>

/* What may be grouped by. Row keys are left out on purpose: they would tear every group apart. */
static const struct key {
    const char *name, *sql;
} keys[] = {
    {"table", "ifnull(table_name, near_table)"},
    {"method", "method"},
    {"client", "client_address"},
    {"client_port", "client"},
    {"user", "user"},
    {"server", "(SELECT name FROM server WHERE id = server_id)"},
    {"server_class", "server_class"},
    {"source", "(SELECT name FROM source WHERE id = source_id)"},
    {"region", "region"},
    {"encoded", "encoded"},
    {"family", "families"},
    {"filters", "filters"},
    {"caching", "caching"},
    {"batch", "batch"},
    {"cache_blocks", "cache_blocks"},
    {"has_start_row", "has_start_row"},
    {"has_stop_row", "has_stop_row"},
    {"full_range", "full_range"},
    {"small", "small"},
    {"reversed", "reversed"},
    {"operation_id", "operation_id"},
    {"thread", "thread"},
    {"form", "form"},
    {"slow", "slow"},
    {"large", "large"},
    {"param_cut", "param_cut"},
    {"minute", "clock_ms / 60000 % 60"},
    {"hour", "clock_ms / 3600000 % 24"},
    {"clock_hour", "clock_ms / 3600000"},
    {"day", "strftime('%Y-%m-%d', clock_ms / 1000, 'unixepoch')"},
};
#define KEYS (sizeof keys / sizeof *keys)

const char *dx_casefile_group_name(size_t i) {
    return i < KEYS ? keys[i].name : NULL;
}

/* --- keys as bytes --- */

static void add_part(dx_buf *out, const dx_value *v) {
    uint64_t n = v->s.n;
    dx_buf_addc(out, (char)v->type);
    switch (v->type) {
    case DX_V_NULL: break;
    case DX_V_INT: dx_buf_add(out, &v->i, sizeof v->i); break;
    case DX_V_REAL: dx_buf_add(out, &v->d, sizeof v->d); break;
    case DX_V_TEXT:
    case DX_V_BLOB:
        dx_buf_add(out, &n, sizeof n);
        dx_buf_add(out, v->s.p, v->s.n);
        break;
    }
}

/* Takes the first part off key; false: there is none. */
static bool take_part(dx_slice *key, dx_value *v) {
    *v = (dx_value){.type = DX_V_NULL};
    if (key->n == 0)
        return false;
    size_t n = 1;
    uint64_t length = 0;
    v->type = (dx_value_type)key->p[0];
    if (v->type == DX_V_INT) {
        memcpy(&v->i, key->p + 1, sizeof v->i);
        n += sizeof v->i;
    } else if (v->type == DX_V_REAL) {
        memcpy(&v->d, key->p + 1, sizeof v->d);
        n += sizeof v->d;
    } else if (v->type != DX_V_NULL) {
        memcpy(&length, key->p + 1, sizeof length);
        n += sizeof length;
        v->s = dx_slice_sub(*key, n, n + (size_t)length);
        n += (size_t)length;
    }
    *key = dx_slice_sub(*key, n, key->n);
    return true;
}

dx_value dx_casefile_group_key(dx_slice key, size_t i) {
    dx_value v = {.type = DX_V_NULL};
    for (size_t k = 0; k <= i; k++)
        if (!take_part(&key, &v))
            return (dx_value){.type = DX_V_NULL};
    return v;
}

/* --- grouping --- */

static const char *sql_of(const char *name) {
    for (size_t i = 0; i < KEYS; i++)
        if (dx_str_eq(keys[i].name, name))
            return keys[i].sql;
    return NULL;
}

/* For a call that does not tell its table. */
#define NEAR_TABLES                                                                                \
    " LEFT JOIN (SELECT scanner_id AS near_scanner, table_name AS near_table FROM scanner)"        \
    " ON near_scanner = scanner_id AND table_name IS NULL"

static bool asks_tables(const dx_grouping *g) {
    for (size_t i = 0; i < g->n; i++)
        if (dx_str_eq(g->by[i], "table"))
            return true;
    return false;
}

/* A call ran from its start on for its processing time, one that took no time for a moment. */
DX_MUST_CHECK static dx_status write_sql(dx_buf *out, const dx_grouping *g, dx_err *err) {
    if (g->n > DX_GROUP_KEYS)
        return dx_fail(err, DX_E_USAGE, "calls can be grouped by %d keys at most", DX_GROUP_KEYS);
    dx_buf_adds(out, "SELECT id, proc_ms, queue_ms, response_bytes, start_ms");
    for (size_t i = 0; i < g->n; i++) {
        const char *sql = sql_of(g->by[i]);
        if (sql == NULL)
            return dx_fail(err, DX_E_USAGE, "calls cannot be grouped by \"%s\"", g->by[i]);
        dx_buf_addf(out, ", %s", sql);
    }
    dx_buf_addf(out, " FROM (SELECT *, start_ms + %" PRId64 " AS clock_ms FROM call)",
                g->offset_ms);
    if (asks_tables(g))
        dx_buf_adds(out, NEAR_TABLES);
    dx_buf_adds(out, " WHERE 1");
    if (g->from_ms != DX_TIME_NONE)
        dx_buf_addf(out, " AND start_ms + max(ifnull(proc_ms, 0), 1) > %" PRId64, g->from_ms);
    if (g->to_ms != DX_TIME_NONE)
        dx_buf_addf(out, " AND start_ms < %" PRId64, g->to_ms);
    if (g->where != NULL)
        dx_buf_addf(out, " AND (%s\n)", g->where);
    return dx_buf_ok(out) ? DX_OK : dx_fail(err, DX_E_NOMEM, "no memory for a query");
}

static int64_t number(const dx_cursor *cur, int column) {
    dx_value v = dx_cursor_value(cur, column);
    return v.type == DX_V_INT ? v.i : DX_UNKNOWN;
}

DX_MUST_CHECK static dx_status add_row(dx_digest *d, const dx_cursor *cur, dx_buf *key,
                                       dx_grouped *total, dx_err *err) {
    dx_digest_call call = {.proc_ms = number(cur, 1),
                           .queue_ms = number(cur, 2),
                           .response_bytes = number(cur, 3),
                           .start_ms = number(cur, 4),
                           .ref = number(cur, 0)};
    dx_buf_clear(key);
    for (int i = 5; i < dx_cursor_columns(cur); i++) {
        dx_value part = dx_cursor_value(cur, i);
        add_part(key, &part);
    }
    if (!dx_buf_ok(key))
        return dx_fail(err, DX_E_NOMEM, "no memory for a group's key");
    total->calls++;
    total->proc_told += call.proc_ms != DX_UNKNOWN;
    if (call.proc_ms != DX_UNKNOWN
        && __builtin_add_overflow(total->proc_ms, call.proc_ms, &total->proc_ms))
        total->proc_ms = INT64_MAX;
    return dx_digest_add(d, dx_buf_slice(key), &call, err);
}

DX_MUST_CHECK static dx_status add_all(dx_digest *d, dx_casefile *c, const char *sql,
                                       dx_grouped *total, dx_err *err) {
    dx_cursor *cur;
    dx_buf key;
    dx_status st = dx_cursor_open(&cur, c, sql, NULL, 0, err);
    if (st != DX_OK)
        return st;
    dx_buf_init(&key, 0);
    while ((st = dx_cursor_next(cur, err)) == DX_ROW)
        if ((st = add_row(d, cur, &key, total, err)) != DX_OK)
            break;
    dx_buf_done(&key);
    dx_cursor_close(cur);
    return st == DX_DONE ? dx_digest_finish(d, err) : st;
}

dx_status dx_casefile_digest(dx_digest **out, dx_casefile *c, const dx_grouping *g,
                             dx_grouped *total, dx_err *err) {
    dx_buf sql;
    *total = (dx_grouped){0};
    dx_digest *d = dx_digest_new();
    if (d == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory for a digest");
    dx_buf_init(&sql, 0);
    dx_status st = write_sql(&sql, g, err);
    if (st == DX_OK)
        st = add_all(d, c, sql.p, total, err);
    dx_buf_done(&sql);
    if (st == DX_OK)
        *out = d;
    else
        dx_digest_free(d);
    return st;
}

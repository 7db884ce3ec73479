/* dx_casefile_write.c - the writers of servers, scans and settings. Events, which come in
 * numbers, calls and JMX dumps, which are merged, have files of their own. */
#include "dx_casefile_int.h"
#include "dx_server.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- servers --- */

dx_status dx_casefile_server(dx_casefile *c, dx_slice name, int64_t *id, dx_err *err) {
    static const char look[] = "SELECT id FROM server WHERE name = ?";
    static const char add[] = "INSERT INTO server(name, host, port) VALUES(?, ?, ?)";
    dx_server_name parts = {.address = name, .port = DX_UNKNOWN}; /* a hint is no name of HBase */
    bool found;
    dx_stmt *s;
    if (name.n == 0)
        return dx_fail(err, DX_E_USAGE, "a server needs a name");
    dx_server_read(name, &parts);
    dx_status st = dx_stmt_cached(&s, c, look, err);
    if (st != DX_OK)
        return st;
    dx_stmt_text(s, parts.address);
    if ((st = dx_stmt_one(s, id, &found, err)) != DX_OK || found)
        return st;
    if ((st = dx_stmt_cached(&s, c, add, err)) != DX_OK)
        return st;
    dx_stmt_text(s, parts.address);
    dx_stmt_text(s, parts.host);
    dx_stmt_num(s, parts.port);
    if ((st = dx_stmt_run(s, err)) == DX_OK)
        *id = dx_case_last_id(c);
    return st;
}

dx_status dx_casefile_server_name(dx_casefile *c, int64_t id, char out[256], dx_err *err) {
    static const char sql[] = "SELECT name FROM server WHERE id = ?";
    dx_stmt *s;
    out[0] = '\0';
    dx_status st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_int(s, id);
    while ((st = dx_stmt_step(s, err)) == DX_ROW) {
        dx_slice name = dx_stmt_column(s, 0).s;
        snprintf(out, 256, "%.*s", (int)name.n, name.p);
    }
    return st == DX_DONE ? DX_OK : st;
}

/* --- scans, settings --- */

static void put_where(dx_stmt *s, const dx_where *where, int64_t t_ms) {
    dx_stmt_num(s, where->line == 0 ? DX_UNKNOWN : (int64_t)where->line);
    dx_stmt_num(s, t_ms);
    dx_stmt_num(s, where->has_zone ? DX_TIME_NONE : where->local_ms);
}

/* The same numbers may be logged again and again: only a stamp makes a line known again. */
static uint64_t scan_hash(const dx_where *where) {
    char stamp[24];
    if (where->local_ms == DX_TIME_NONE || where->record_hash == 0)
        return 0;
    snprintf(stamp, sizeof stamp, "%" PRId64, where->local_ms);
    return dx_hash(stamp, strlen(stamp), where->record_hash);
}

dx_status dx_casefile_add_scan(dx_casefile *c, int64_t source, int64_t t_ms, const dx_scan *scan,
                               const dx_where *where, dx_err *err) {
    static const char sql[] =
        "INSERT INTO scan(source_id, line, t_ms, local_ms, returned, scanned, filtered, regions, "
        "rpcs, retries, bytes, remote_bytes, between_nexts_ms, took_ms, table_name, label, "
        "record_hash) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    const int64_t numbers[] = {
        scan->returned, scan->scanned, scan->filtered,     scan->regions,          scan->rpcs,
        scan->retries,  scan->bytes,   scan->remote_bytes, scan->between_nexts_ms, scan->took_ms};
    dx_stmt *s;
    dx_status st = dx_case_enter(c, source, err);
    if (st == DX_OK)
        st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_int(s, source);
    put_where(s, where, t_ms);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        dx_stmt_num(s, numbers[i]);
    dx_stmt_text(s, scan->table);
    dx_stmt_text(s, dx_s(scan->label));
    dx_stmt_hash(s, scan_hash(where));
    return dx_stmt_run(s, err);
}

dx_status dx_casefile_add_setting(dx_casefile *c, int64_t source, int64_t server,
                                  const dx_property *p, dx_err *err) {
    static const char sql[] = "INSERT INTO setting(source_id, server_id, name, value, resource, "
                              "is_final, line) VALUES(?, ?, ?, ?, ?, ?, ?)";
    dx_stmt *s;
    dx_status st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_int(s, source);
    dx_stmt_id(s, server);
    dx_stmt_string(s, p->name);
    dx_stmt_string(s, p->value);
    dx_stmt_text(s, dx_s(p->resource));
    dx_stmt_int(s, p->is_final);
    dx_stmt_num(s, p->line == 0 ? DX_UNKNOWN : (int64_t)p->line);
    return dx_stmt_run(s, err);
}

/* dx_casefile_source.c - sources, and what can only be settled when one has been read: whose its
 * rows are, which of its events another source has told already, the tables of regions that were
 * learnt on the way. */
#include "dx_casefile_int.h"

#define MAX_OFFSET_MS (26 * 3600 * 1000) /* no clock on earth is further from UTC */

/* --- sources --- */

dx_status dx_casefile_find_source(dx_casefile *c, uint64_t fingerprint, uint64_t bytes, int64_t *id,
                                  dx_err *err) {
    static const char sql[] = "SELECT id FROM source WHERE fingerprint = ? AND bytes = ? "
                              "ORDER BY id LIMIT 1";
    return dx_case_number(c, sql, (int64_t[]){dx_bits(fingerprint), dx_bits(bytes)}, 2, id, err);
}

dx_status dx_casefile_add_source(dx_casefile *c, const char *name, const char *kind, int64_t *id,
                                 dx_err *err) {
    static const char sql[] = "INSERT INTO source(name, kind) VALUES(?, ?)";
    dx_stmt *s;
    dx_status st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_string(s, name);
    dx_stmt_string(s, kind);
    if ((st = dx_stmt_run(s, err)) == DX_OK)
        *id = dx_case_last_id(c);
    return st;
}

dx_status dx_casefile_skip(dx_casefile *c, int64_t source, const char *reason, uint64_t count,
                           dx_slice sample, uint64_t line, dx_err *err) {
    static const char sql[] = "INSERT INTO skipped(source_id, reason, count, line, sample) "
                              "VALUES(?, ?, ?, ?, ?) ON CONFLICT(source_id, reason) "
                              "DO UPDATE SET count = count + excluded.count";
    dx_stmt *s;
    dx_status st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_int(s, source);
    dx_stmt_string(s, reason);
    dx_stmt_u64(s, count);
    dx_stmt_num(s, line == 0 ? DX_UNKNOWN : (int64_t)line);
    dx_stmt_text(s, sample);
    return dx_stmt_run(s, err);
}

/* --- settling --- */

/* Events of the source under way that do not know their server, and calls of other sources that it
 * has, too. Its own calls are the source's. */
DX_MUST_CHECK static dx_status give_server(dx_casefile *c, int64_t server, dx_err *err) {
    static const char events[] =
        "UPDATE event_run SET server_id = ?1 WHERE first_id >= ?2 AND server_id IS NULL";
    static const char one[] =
        "UPDATE call_row SET server_id = ?1 WHERE id = ?2 AND server_id IS NULL "
        "AND (SELECT server_id FROM source WHERE source.id = source_id) IS NULL";
    dx_status st = dx_case_run(c, events, (int64_t[]){server, c->first_event}, 2, err);
    for (size_t i = 0; i < c->nmerged && st == DX_OK; i++)
        st = dx_case_run(c, one, (int64_t[]){server, c->merged[i]}, 2, err);
    return st;
}

/* A record that stands in two sources (a copy, or the same log grown longer) is one record; one
 * that stands twice in one source is two. So of each record as many are kept as the source that
 * has it most often has. The same text of two servers is two records. */
DX_MUST_CHECK static dx_status drop_repeats(dx_casefile *c, int64_t follows, dx_err *err) {
    static const char scans[] =
        "DELETE FROM scan WHERE id IN (SELECT id FROM ("
        "SELECT e.id AS id, e.record_hash AS h, "
        "row_number() OVER (PARTITION BY e.record_hash ORDER BY e.id) AS n "
        "FROM scan e WHERE e.id >= ?1 AND EXISTS "
        "(SELECT 1 FROM scan o WHERE o.record_hash = e.record_hash AND o.id < ?1 "
        "AND o.source_id <> ?2)) "
        "WHERE n <= (SELECT count(*) FROM scan o WHERE o.record_hash = h AND o.id < ?1 "
        "AND o.source_id <> ?2))";
    dx_status st = dx_case_drop_events(c, follows, err);
    if (st == DX_OK && c->first_scan > 1)
        st = dx_case_run(c, scans, (int64_t[]){c->first_scan, follows}, 2, err);
    return st;
}

/* Tables of events and calls that name their region only by its encoded name. */
DX_MUST_CHECK static dx_status fill_tables(dx_casefile *c, dx_err *err) {
    static const char events[] = "UPDATE event_place SET table_name = r.table_name FROM region r "
                                 "WHERE event_place.encoded = r.encoded "
                                 "AND event_place.table_name IS NULL AND r.table_name IS NOT NULL";
    static const char calls[] = "UPDATE call_row SET table_name = r.table_name FROM region r "
                                "WHERE call_row.encoded = r.encoded "
                                "AND call_row.table_name IS NULL AND r.table_name IS NOT NULL";
    dx_status st = dx_case_run(c, events, NULL, 0, err);
    return st == DX_OK ? dx_case_run(c, calls, NULL, 0, err) : st;
}

DX_MUST_CHECK static dx_status settle(dx_casefile *c, int64_t source, const dx_source_facts *f,
                                      dx_err *err) {
    bool added = c->source == source;
    dx_status st = dx_case_flush(c, err);
    if (st == DX_OK && added && f->server != 0)
        st = give_server(c, f->server, err);
    if (added && st == DX_OK)
        st = drop_repeats(c, f->follows, err);
    if (st == DX_OK && (added || c->region_learnt))
        st = fill_tables(c, err);
    if (st == DX_OK)
        c->region_learnt = false;
    return st;
}

dx_status dx_casefile_source_facts(dx_casefile *c, int64_t source, const dx_source_facts *f,
                                   dx_err *err) {
    static const char sql[] =
        "UPDATE source SET fingerprint = ?, bytes = ?, lines = ?, records = ?, understood = ?, "
        "skipped = ?, first_ms = ?, last_ms = ?, offset_ms = ?, offset_origin = ?, server_id = ?, "
        "version = ?, damage = ?, kind = ifnull(?, kind), coverage = ? WHERE id = ?";
    static const char version[] = "UPDATE server SET version = ? WHERE id = ?";
    const uint64_t counts[] = {f->bytes, f->lines, f->records, f->understood, f->skipped};
    dx_stmt *s;
    dx_status st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_u64(s, f->fingerprint);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        dx_stmt_u64(s, counts[i]);
    dx_stmt_num(s, f->first_ms);
    dx_stmt_num(s, f->last_ms);
    dx_stmt_num(s, f->offset_origin == NULL ? DX_UNKNOWN : f->offset_ms);
    dx_stmt_string(s, f->offset_origin);
    dx_stmt_id(s, f->server);
    dx_stmt_text(s, dx_s(f->version));
    dx_stmt_text(s, dx_s(f->damage));
    dx_stmt_string(s, f->kind);
    dx_stmt_string(s, f->coverage);
    dx_stmt_int(s, source);
    if ((st = dx_stmt_run(s, err)) != DX_OK)
        return st;
    if (f->server != 0 && f->version != NULL && f->version[0] != '\0') {
        if ((st = dx_stmt_cached(&s, c, version, err)) != DX_OK)
            return st;
        dx_stmt_string(s, f->version);
        dx_stmt_int(s, f->server);
        if ((st = dx_stmt_run(s, err)) != DX_OK)
            return st;
    }
    return settle(c, source, f, err);
}

/* --- second thoughts --- */

/* Runs change in the batch that is open, or in one of its own. */
DX_MUST_CHECK static dx_status in_batch(dx_casefile *c,
                                        dx_status (*change)(dx_casefile *, void *, dx_err *),
                                        void *arg, dx_err *err) {
    bool own = !c->batch;
    dx_status st = own ? dx_casefile_begin(c, err) : DX_OK;
    if (st != DX_OK)
        return st;
    st = dx_case_flush(c, err);
    if (st == DX_OK)
        st = change(c, arg, err);
    if (own && st == DX_OK)
        st = dx_casefile_commit(c, err);
    if (own && st != DX_OK)
        dx_casefile_rollback(c);
    return st;
}

/* After a change of the source's own row. */
DX_MUST_CHECK static dx_status must_exist(dx_casefile *c, int64_t source, dx_err *err) {
    if (dx_case_changes(c) > 0)
        return DX_OK;
    return dx_fail(err, DX_E_NOTFOUND, "the case has no source %lld", (long long)source);
}

typedef struct change {
    int64_t source, offset_ms;
    const char *origin;
    dx_slice server;
} change;

static dx_status change_offset(dx_casefile *c, void *arg, dx_err *err) {
    static const char rows[] =
        "UPDATE event_row SET offset_ms = NULL WHERE offset_ms IS NOT NULL AND id BETWEEN "
        "(SELECT min(first_id) FROM event_run WHERE source_id = ?2 AND own_clocks) AND "
        "(SELECT max(last_id) FROM event_run WHERE source_id = ?2 AND own_clocks)";
    static const char events[] = "UPDATE event_run SET offset_ms = ?1, own_clocks = 0 "
                                 "WHERE source_id = ?2 AND NOT zoned";
    static const char scans[] = "UPDATE scan SET t_ms = local_ms - ?1 "
                                "WHERE source_id = ?2 AND local_ms IS NOT NULL";
    static const char span[] =
        "UPDATE source SET first_ms = first_ms + offset_ms - ?1, "
        "last_ms = last_ms + offset_ms - ?1 "
        "WHERE id = ?2 AND offset_ms IS NOT NULL AND offset_origin <> 'line'";
    static const char sql[] = "UPDATE source SET offset_ms = ?, offset_origin = ? WHERE id = ?";
    const change *what = arg;
    const int64_t numbers[] = {what->offset_ms, what->source};
    dx_stmt *s;
    dx_status st = dx_case_run(c, rows, numbers, 2, err);
    if (st == DX_OK)
        st = dx_case_run(c, events, numbers, 2, err);
    if (st == DX_OK)
        st = dx_case_run(c, scans, numbers, 2, err);
    if (st == DX_OK)
        st = dx_case_run(c, span, numbers, 2, err);
    if (st == DX_OK)
        st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_int(s, what->offset_ms);
    dx_stmt_string(s, what->origin);
    dx_stmt_int(s, what->source);
    st = dx_stmt_run(s, err);
    return st == DX_OK ? must_exist(c, what->source, err) : st;
}

dx_status dx_casefile_set_offset(dx_casefile *c, int64_t source, int64_t offset_ms,
                                 const char *origin, dx_err *err) {
    if (offset_ms < -MAX_OFFSET_MS || offset_ms > MAX_OFFSET_MS)
        return dx_fail(err, DX_E_RANGE, "an offset of %lld ms is no time zone's",
                       (long long)offset_ms);
    change what = {.source = source, .offset_ms = offset_ms, .origin = origin};
    return in_batch(c, change_offset, &what, err);
}

static dx_status change_start(dx_casefile *c, void *arg, dx_err *err) {
    static const char span[] =
        "UPDATE source SET first_ms = (SELECT min(t_ms) FROM event WHERE source_id = ?1), "
        "last_ms = (SELECT max(t_ms) FROM event WHERE source_id = ?1) WHERE id = ?1";
    const change *what = arg;
    dx_status st = change_offset(c, arg, err);
    return st == DX_OK ? dx_case_run(c, span, &what->source, 1, err) : st;
}

dx_status dx_casefile_set_start(dx_casefile *c, int64_t source, int64_t start_ms,
                                const char *origin, dx_err *err) {
    const int64_t far = INT64_C(1) << 52;
    if (start_ms < 0 || start_ms > far)
        return dx_fail(err, DX_E_RANGE, "%lld is no moment at which a JVM started",
                       (long long)start_ms);
    change what = {.source = source, .offset_ms = -start_ms, .origin = origin};
    return in_batch(c, change_start, &what, err);
}

static dx_status change_server(dx_casefile *c, void *arg, dx_err *err) {
    static const char *const owners[] = {
        "UPDATE event_run SET server_id = ?1 WHERE source_id = ?2",
        "UPDATE call_row SET server_id = NULL WHERE source_id = ?2 AND server_id IS NOT NULL",
        "UPDATE setting SET server_id = ?1 WHERE source_id = ?2",
        "UPDATE source SET server_id = ?1 WHERE id = ?2",
    };
    const change *what = arg;
    int64_t server;
    dx_status st = dx_casefile_server(c, what->server, &server, err);
    if (st == DX_OK)
        st = dx_case_move_snapshots(c, what->source, server, err);
    for (size_t i = 0; i < sizeof owners / sizeof *owners && st == DX_OK; i++)
        st = dx_case_run(c, owners[i], (int64_t[]){server, what->source}, 2, err);
    return st == DX_OK ? must_exist(c, what->source, err) : st;
}

dx_status dx_casefile_set_server(dx_casefile *c, int64_t source, dx_slice server, dx_err *err) {
    change what = {.source = source, .server = server};
    return in_batch(c, change_server, &what, err);
}

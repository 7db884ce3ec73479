/* dx_casefile_known.c - have we seen this before? Most of what is imported is new. So the hashes of
 * what a case has are held in a set, and only a row whose hash is in it is looked for in earnest,
 * by an index that is made at that moment, once for ever. A set may have too much in it (rows that
 * went again): it says "perhaps", the index says what is. */
#include "dx_casefile_int.h"

#define MAX_KNOWN 2000000 /* hashes in a set, about 32 MB; of more the index is asked */

/* Is index `name` in the file? */
DX_MUST_CHECK static dx_status look(dx_casefile *c, dx_known *k, const char *name, dx_err *err) {
    static const char sql[] = "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?";
    int64_t one;
    dx_stmt *s;
    dx_status st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_string(s, name);
    st = dx_stmt_one(s, &one, &k->indexed, err);
    k->looked = st == DX_OK;
    return st;
}

/* Adds the hashes, all columns of sql, of the rows from k->next on. DX_E_LIMIT: they are many. */
DX_MUST_CHECK static dx_status load(dx_casefile *c, dx_known *k, const char *sql, dx_err *err) {
    dx_stmt *s;
    dx_status st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_int(s, k->next);
    while ((st = dx_stmt_step(s, err)) == DX_ROW)
        for (int i = 0; i < dx_stmt_columns(s); i++) {
            dx_value v = dx_stmt_column(s, i);
            if (v.type == DX_V_INT && !dx_set_add(&k->set, (uint64_t)v.i))
                return dx_fail(err, DX_E_NOMEM, "no memory for the records of a case");
        }
    return st == DX_DONE ? DX_OK : st;
}

DX_MUST_CHECK static dx_status make_index(dx_casefile *c, dx_known *k, const char *sql,
                                          dx_err *err) {
    dx_status st = k->indexed ? DX_OK : dx_case_exec(c, sql, err);
    if (st != DX_OK)
        return st;
    dx_set_done(&k->set);
    k->next = 0;
    k->indexed = true;
    return DX_OK;
}

dx_status dx_case_index_calls(dx_casefile *c, dx_err *err) {
    return make_index(c, &c->known_calls,
                      "CREATE INDEX IF NOT EXISTS call_key ON call_row(key, occ); "
                      "CREATE INDEX IF NOT EXISTS call_record ON call_row(record_hash) "
                      "WHERE record_hash IS NOT NULL",
                      err);
}

dx_status dx_case_index_events(dx_casefile *c, dx_err *err) {
    return make_index(c, &c->known_events,
                      "CREATE INDEX IF NOT EXISTS event_record ON event_row(record_hash)", err);
}

dx_status dx_case_known_calls(dx_casefile *c, dx_err *err) {
    static const char sql[] = "SELECT key, record_hash FROM call_row WHERE id >= ?";
    dx_known *k = &c->known_calls;
    dx_status st = k->looked ? DX_OK : look(c, k, "call_record", err);
    if (st == DX_OK && !k->indexed && k->next < c->first_call) {
        st = load(c, k, sql, err);
        k->next = st == DX_OK ? c->first_call : 0;
    }
    return st == DX_OK && k->set.count > MAX_KNOWN ? dx_case_index_calls(c, err) : st;
}

dx_status dx_case_known_events(dx_casefile *c, dx_err *err) {
    static const char sql[] = "SELECT record_hash FROM event_row WHERE id >= ?";
    dx_known *k = &c->known_events;
    dx_status st = k->looked ? DX_OK : look(c, k, "event_record", err);
    if (st == DX_OK && !k->indexed && k->next < c->first_event) {
        st = load(c, k, sql, err);
        k->next = st == DX_OK ? c->first_event : 0;
    }
    return st == DX_OK && k->set.count > MAX_KNOWN ? dx_case_index_events(c, err) : st;
}

/* dx_casefile_current.c - what is kept while a source is read: from which rows on it has added, and
 * how often it has had a call. */
#include "dx_casefile_int.h"
#include "dx_mem.h"

#include <stdlib.h>

DX_MUST_CHECK static dx_status next_id(dx_casefile *c, const char *sql, int64_t *id, dx_err *err) {
    dx_status st = dx_case_number(c, sql, NULL, 0, id, err);
    ++*id;
    return st;
}

dx_status dx_case_turn_to(dx_casefile *c, int64_t source, dx_err *err) {
    static const char calls[] = "SELECT max(id) FROM call_row";
    static const char events[] = "SELECT max(id) FROM event_row";
    static const char scans[] = "SELECT max(id) FROM scan";
    dx_set_done(&c->seen);
    dx_map_free(c->again);
    c->again = NULL;
    c->source = 0;
    c->nmerged = 0;
    c->repeats = false;
    dx_status st = next_id(c, calls, &c->first_call, err);
    if (st == DX_OK)
        st = next_id(c, events, &c->first_event, err);
    if (st == DX_OK)
        st = next_id(c, scans, &c->first_scan, err);
    if (st == DX_OK)
        c->source = source;
    return st;
}

/* Most come once. */
dx_status dx_case_nth(dx_casefile *c, uint64_t hash, int64_t *n, dx_err *err) {
    dx_slice key = dx_sn((const char *)&hash, sizeof hash);
    uint64_t more = 0;
    bool first = !dx_set_has(&c->seen, hash), kept;
    if (first)
        kept = dx_set_add(&c->seen, hash);
    else if ((kept = c->again != NULL || (c->again = dx_map_new()) != NULL)) {
        dx_map_get(c->again, key, &more);
        kept = dx_map_put(c->again, key, ++more);
    }
    *n = (int64_t)more + 1;
    return kept ? DX_OK : dx_fail(err, DX_E_NOMEM, "no memory for the records of a source");
}

dx_status dx_case_note_merged(dx_casefile *c, int64_t call, dx_err *err) {
    void *p = c->merged;
    if (!dx_grow(&p, &c->merged_cap, c->nmerged + 1, sizeof *c->merged))
        return dx_fail(err, DX_E_NOMEM, "no memory for the records of a source");
    c->merged = p;
    c->merged[c->nmerged++] = call;
    return DX_OK;
}

/* dx_casefile_clock.c - rows of a source whose clock was changed while it was written. Of a stamp
 * in an hour that comes twice the order of lines decides: those before the line at which stamps
 * step back are of the first, but for threads that wrote a little late. */
#include "dx_casefile_int.h"

/* A line that belongs before the step is no older when it comes late. */
#define LATE_MS "60000"

#define PARAMS 13

static void params(const dx_clock_change *ch, int64_t source, int64_t out[PARAMS]) {
    const int64_t v[PARAMS] = {
        ch->before_ms,   ch->after_ms,     ch->at_ms,         ch->after_line,  ch->until_line,
        ch->step_line,   ch->step_from_ms, ch->from_local_ms, ch->to_local_ms, ch->known_from_ms,
        ch->known_to_ms, source,           ch->late_line};
    for (size_t i = 0; i < PARAMS; i++)
        out[i] = v[i];
}

#define ROWS                                                                                       \
    " WHERE source_id = ?12 AND local_ms IS NOT NULL AND line > ?4 AND local_ms >= ?8 "            \
    "AND local_ms < ?9"
#define OFFSET(stamp)                                                                              \
    " CASE WHEN ?6 > 0 AND (line < ?6 OR (line < ?13 AND " stamp " > ?7 - " LATE_MS ")) THEN ?1 "  \
    "WHEN ?6 > 0 OR line >= ?5 THEN ?2 "                                                           \
    "WHEN " stamp " - ?1 < ?3 THEN ?1 ELSE ?2 END"
#define OPEN ROWS " AND ?6 = 0 AND line < ?5 AND ?13 >= 0"

/* Rows that both clocks may have shown. */
DX_MUST_CHECK static dx_status count_doubtful(dx_casefile *c, bool sure, const int64_t *v,
                                              uint64_t *n, dx_err *err) {
    static const char *const twice[] = {
        "SELECT count(*) FROM event" OPEN " AND local_ms - ?1 < ?3 AND local_ms - ?2 >= ?3",
        "SELECT count(*) FROM scan" OPEN " AND local_ms - ?1 < ?3 AND local_ms - ?2 >= ?3"};
    static const char *const between[] = {
        "SELECT count(*) FROM event" OPEN " AND local_ms - ?1 > ?10 AND local_ms - ?2 < ?11",
        "SELECT count(*) FROM scan" OPEN " AND local_ms - ?1 > ?10 AND local_ms - ?2 < ?11"};
    dx_status st = DX_OK;
    int64_t more = 0;
    for (size_t i = 0; i < 2 && st == DX_OK; i++) {
        st = dx_case_number(c, sure ? twice[i] : between[i], v, PARAMS, &more, err);
        *n += st == DX_OK ? (uint64_t)more : 0;
    }
    return st;
}

dx_status dx_casefile_change_clock(dx_casefile *c, int64_t source, const dx_clock_change *change,
                                   uint64_t *doubtful, dx_err *err) {
    static const char events[] = "UPDATE event_row SET offset_ms =" OFFSET(
        "stamp_ms") " WHERE id IN (SELECT id FROM event" ROWS ")";
    static const char runs[] = "UPDATE event_run SET own_clocks = 1 WHERE source_id = ?1";
    static const char scans[] = "UPDATE scan SET t_ms = local_ms -" OFFSET("local_ms") ROWS;
    int64_t v[PARAMS];
    params(change, source, v);
    *doubtful = 0;
    dx_status st = dx_case_flush(c, err);
    if (st == DX_OK)
        st = count_doubtful(c, change->sure, v, doubtful, err);
    if (st == DX_OK)
        st = dx_case_run(c, events, v, PARAMS, err);
    if (st == DX_OK)
        st = dx_case_run(c, runs, &source, 1, err);
    return st == DX_OK ? dx_case_run(c, scans, v, PARAMS, err) : st;
}

dx_status dx_casefile_stamped(dx_casefile *c, int64_t source, int64_t from_local_ms,
                              int64_t to_local_ms, uint64_t *n, dx_err *err) {
    static const char sql[] =
        "SELECT (SELECT count(*) FROM event WHERE source_id = ?1 AND local_ms >= ?2 AND "
        "local_ms < ?3) + (SELECT count(*) FROM scan WHERE source_id = ?1 AND local_ms >= ?2 AND "
        "local_ms < ?3)";
    int64_t found = 0;
    dx_status st = dx_case_flush(c, err);
    if (st == DX_OK)
        st =
            dx_case_number(c, sql, (int64_t[]){source, from_local_ms, to_local_ms}, 3, &found, err);
    *n = st == DX_OK ? (uint64_t)found : 0;
    return st;
}

dx_status dx_casefile_set_span(dx_casefile *c, int64_t source, const dx_source_facts *facts,
                               dx_err *err) {
    static const char sql[] = "UPDATE source SET first_ms = ?, last_ms = ?, offset_ms = ?, "
                              "offset_origin = ?, coverage = ? WHERE id = ?";
    dx_stmt *s;
    dx_status st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_num(s, facts->first_ms);
    dx_stmt_num(s, facts->last_ms);
    dx_stmt_int(s, facts->offset_ms);
    dx_stmt_string(s, facts->offset_origin);
    dx_stmt_string(s, facts->coverage);
    dx_stmt_int(s, source);
    return dx_stmt_run(s, err);
}

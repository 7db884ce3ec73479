/* dx_casefile_event.c - events, which are most of a log's rows. Some thousand of them are held and
 * sorted by what all of a kind have in common, then written in runs: what they share is told once a
 * run, and what they say of where they are goes into lists of places and threads. */
#include "dx_casefile_int.h"
#include "dx_mem.h"

#include <stdlib.h>
#include <string.h>

#define HELD       8192              /* rows that are held before they are written */
#define HELD_BYTES (2 * 1024 * 1024) /* of their fields */
#define RUNS       64                /* of them at a time */
#define AHEAD      16                /* rows are fetched so many before they are bound */

typedef struct run {
    dx_event_id kind;
    int64_t server;    /* 0: not known */
    int64_t offset_ms; /* DX_UNKNOWN: not known */
    bool zoned;
    int64_t min_stamp_ms, max_stamp_ms; /* DX_UNKNOWN: none of its rows has one */
    size_t n, at;                       /* its rows: how many, where they begin in the order */
} run;

/* Small, for there is more of it than a core's own cache holds. */
typedef struct held {
    int64_t line, stamp_ms, place, thread; /* ids; 0: none */
    uint64_t hash;
    uint32_t fields, fields_n; /* where in text */
} held;

struct dx_runs {
    held rows[HELD];
    uint8_t run_of[HELD]; /* rows */
    uint16_t order[HELD];
    run runs[RUNS];
    size_t n, nruns;
    size_t last[DX_EV_COUNT]; /* the run where an event of that kind went last */
    dx_buf text;
};

/* --- memory --- */

void dx_case_forget_events(dx_casefile *c) {
    if (c->runs != NULL)
        dx_buf_done(&c->runs->text);
    free(c->runs);
    c->runs = NULL;
}

DX_MUST_CHECK static dx_status no_memory(dx_err *err) {
    return dx_fail(err, DX_E_NOMEM, "no memory for events");
}

/* --- writing --- */

/* One statement for many rows costs half of what one for each does. */
#define ROW       "(?, ?, ?, ?, ?, ?)"
#define ROWS_8    ROW "," ROW "," ROW "," ROW "," ROW "," ROW "," ROW "," ROW
#define ROWS_32   ROWS_8 "," ROWS_8 "," ROWS_8 "," ROWS_8
#define INTO_ROWS "INSERT INTO event_row(line, stamp_ms, place_id, thread_id, fields, record_hash) "

static const struct insert {
    size_t rows;
    const char *sql;
} inserts[] = {{64, INTO_ROWS "VALUES" ROWS_32 "," ROWS_32},
               {8, INTO_ROWS "VALUES" ROWS_8},
               {1, INTO_ROWS "VALUES" ROW}};

static dx_slice fields_of(const dx_runs *r, const held *h) {
    return dx_slice_sub(dx_buf_slice(&r->text), h->fields, (size_t)h->fields + h->fields_n);
}

/* Rows of a run lie apart. Its text is looked at once all rows of a statement are bound. */
static void fetch(const dx_runs *r, size_t at) {
    dx_slice fields = fields_of(r, &r->rows[r->order[at]]);
    if (fields.n > 0) {
        __builtin_prefetch(fields.p);
        __builtin_prefetch(fields.p + fields.n - 1);
    }
    if (at + AHEAD < r->n)
        __builtin_prefetch(&r->rows[r->order[at + AHEAD]]);
}

static void bind_row(dx_stmt *s, const dx_runs *r, const held *h) {
    dx_stmt_num(s, h->line);
    dx_stmt_num(s, h->stamp_ms);
    dx_stmt_id(s, h->place);
    dx_stmt_id(s, h->thread);
    dx_stmt_text(s, fields_of(r, h));
    dx_stmt_hash(s, h->hash);
}

DX_MUST_CHECK static dx_status write_together(dx_casefile *c, const struct insert *as, size_t at,
                                              dx_err *err) {
    const dx_runs *r = c->runs;
    dx_stmt *s;
    dx_status st = dx_stmt_cached(&s, c, as->sql, err);
    if (st != DX_OK)
        return st;
    for (size_t i = 0; i < as->rows; i++) {
        fetch(r, at + i);
        bind_row(s, r, &r->rows[r->order[at + i]]);
    }
    return dx_stmt_run(s, err);
}

/* The n rows from order[at] on. */
DX_MUST_CHECK static dx_status write_rows(dx_casefile *c, size_t at, size_t n, dx_err *err) {
    const struct insert *as = inserts;
    while (n > 0) {
        while (as->rows > n)
            as++;
        dx_status st = write_together(c, as, at, err);
        if (st != DX_OK)
            return st;
        at += as->rows;
        n -= as->rows;
    }
    return DX_OK;
}

DX_MUST_CHECK static dx_status write_run(dx_casefile *c, const run *r, int64_t first, int64_t last,
                                         dx_err *err) {
    static const char sql[] = "INSERT INTO event_run(first_id, last_id, kind, source_id, "
                              "server_id, zoned, offset_ms, min_stamp_ms, max_stamp_ms) "
                              "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)";
    dx_stmt *s;
    dx_status st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_int(s, first);
    dx_stmt_int(s, last);
    dx_stmt_string(s, dx_event_kind_of(r->kind)->name);
    dx_stmt_int(s, c->source);
    dx_stmt_id(s, r->server);
    dx_stmt_int(s, r->zoned);
    dx_stmt_num(s, r->offset_ms);
    dx_stmt_num(s, r->min_stamp_ms);
    dx_stmt_num(s, r->max_stamp_ms);
    return dx_stmt_run(s, err);
}

/* Rows by their runs, in each as they came. */
static void sort_rows(dx_runs *r) {
    size_t at = 0;
    for (size_t i = 0; i < r->nruns; i++) {
        r->runs[i].at = at;
        at += r->runs[i].n;
    }
    for (size_t i = 0; i < r->n; i++)
        r->order[r->runs[r->run_of[i]].at++] = (uint16_t)i;
}

/* SQLite gives ids one after the other, unless the largest there can be has been used. */
DX_MUST_CHECK static dx_status write_all(dx_casefile *c, dx_err *err) {
    static const char sql[] = "SELECT max(id) FROM event_row";
    const dx_runs *r = c->runs;
    int64_t last;
    size_t at = 0;
    sort_rows(c->runs);
    dx_status st = dx_case_number(c, sql, NULL, 0, &last, err);
    for (size_t i = 0; i < r->nruns && st == DX_OK; i++) {
        int64_t first = last + 1;
        if ((st = write_rows(c, at, r->runs[i].n, err)) != DX_OK)
            return st;
        at += r->runs[i].n;
        last = dx_case_last_id(c);
        if (last - first != (int64_t)r->runs[i].n - 1)
            return dx_fail(err, DX_E_DB, "%s: damaged (no ids are left for events)",
                           dx_case_name(c));
        st = write_run(c, &r->runs[i], first, last, err);
    }
    return st;
}

dx_status dx_case_flush(dx_casefile *c, dx_err *err) {
    dx_runs *r = c->runs;
    if (r == NULL || r->n == 0)
        return DX_OK;
    dx_status st = write_all(c, err);
    r->n = r->nruns = 0;
    dx_buf_clear(&r->text);
    return st;
}

/* --- taking --- */

/* Its stamp as in the line, and how UTC is made of it. */
static run clock_of(int64_t t_ms, const dx_where *where, int64_t *stamp_ms) {
    if (where->has_zone || where->local_ms == DX_TIME_NONE) {
        *stamp_ms = t_ms;
        return (run){.zoned = true, .offset_ms = 0};
    }
    *stamp_ms = where->local_ms;
    return (run){.offset_ms = t_ms == DX_TIME_NONE ? DX_UNKNOWN : where->local_ms - t_ms};
}

static bool same_run(const run *a, const run *b) {
    return a->kind == b->kind && a->server == b->server && a->zoned == b->zoned
           && a->offset_ms == b->offset_ms;
}

/* The run that such an event goes to; RUNS: there is none, and no room for one. */
static size_t run_for(dx_runs *r, const run *like) {
    size_t i = r->last[like->kind];
    if (i < r->nruns && same_run(&r->runs[i], like))
        return i;
    for (i = 0; i < r->nruns && !same_run(&r->runs[i], like); i++)
        continue;
    if (i == r->nruns && r->nruns < RUNS)
        r->runs[r->nruns++] = *like;
    return i;
}

static void count(run *r, int64_t stamp_ms) {
    r->n++;
    if (stamp_ms == DX_TIME_NONE)
        return;
    if (r->min_stamp_ms == DX_UNKNOWN || stamp_ms < r->min_stamp_ms)
        r->min_stamp_ms = stamp_ms;
    if (r->max_stamp_ms == DX_UNKNOWN || stamp_ms > r->max_stamp_ms)
        r->max_stamp_ms = stamp_ms;
}

DX_MUST_CHECK static dx_status hold(dx_casefile *c, held *h, const run *like, const dx_event *e,
                                    dx_err *err) {
    dx_runs *r = c->runs;
    dx_status st = DX_OK;
    size_t to = run_for(r, like);
    if (to == RUNS && (st = dx_case_flush(c, err)) == DX_OK)
        to = run_for(r, like);
    if (st != DX_OK)
        return st;
    h->fields = (uint32_t)r->text.n;
    dx_case_fields(&r->text, e);
    if (!dx_buf_ok(&r->text))
        return no_memory(err);
    h->fields_n = (uint32_t)(r->text.n - h->fields);
    count(&r->runs[to], h->stamp_ms);
    r->last[like->kind] = to;
    r->run_of[r->n] = (uint8_t)to;
    r->rows[r->n++] = *h;
    return r->n == HELD || r->text.n >= HELD_BYTES ? dx_case_flush(c, err) : DX_OK;
}

dx_status dx_case_enter(dx_casefile *c, int64_t source, dx_err *err) {
    if (c->source == source)
        return DX_OK;
    dx_status st = dx_case_flush(c, err); /* its events are of the source before */
    return st == DX_OK ? dx_case_turn_to(c, source, err) : st;
}

/* Before the first event of a source: what earlier ones have told and named. */
DX_MUST_CHECK static dx_status make_ready(dx_casefile *c, int64_t source, dx_err *err) {
    bool turned = c->source != source;
    if (c->runs == NULL && (c->runs = dx_calloc(1, sizeof *c->runs)) == NULL)
        return no_memory(err);
    dx_status st = dx_case_enter(c, source, err);
    if (st == DX_OK && (turned || !c->known_events.looked) && c->first_event > 1)
        st = dx_case_known_events(c, err);
    return st == DX_OK && (turned || c->lists == NULL) ? dx_case_open_lists(c, err) : st;
}

dx_status dx_casefile_add_event(dx_casefile *c, int64_t source, int64_t server, int64_t t_ms,
                                const dx_event *e, const dx_where *where, dx_err *err) {
    held h = {.line = where->line == 0 ? DX_UNKNOWN : (int64_t)where->line,
              .hash = where->record_hash};
    if (e->id <= DX_EV_NONE || e->id >= DX_EV_COUNT)
        return dx_fail(err, DX_E_USAGE, "an event without a kind");
    dx_status st = make_ready(c, source, err);
    if (st == DX_OK)
        st = dx_case_list(c, e, where->thread, &h.place, &h.thread, err);
    if (st != DX_OK)
        return st;
    c->repeats = c->repeats || (h.hash != 0 && dx_set_has(&c->known_events.set, h.hash));
    run like = clock_of(t_ms, where, &h.stamp_ms);
    like.min_stamp_ms = like.max_stamp_ms = DX_UNKNOWN;
    like.kind = e->id;
    like.server = server;
    return hold(c, &h, &like, e, err);
}

/* --- events that were told already --- */

/* The run of row x, on the right of a join. */
#define RUN_OF(r, x)                                                                               \
    "event_run " r " ON " r ".first_id = (SELECT max(first_id) FROM event_run "                    \
    "WHERE first_id <= " x ".id) "

dx_status dx_case_drop_events(dx_casefile *c, int64_t follows, dx_err *err) {
    static const char rows[] =
        "DELETE FROM event_row WHERE id IN (SELECT id FROM ("
        "SELECT e.id AS id, e.record_hash AS h, r.kind AS k, r.server_id AS v, "
        "row_number() OVER (PARTITION BY e.record_hash, r.kind ORDER BY e.id) AS n "
        "FROM event_row e CROSS JOIN " RUN_OF(
            "r",
            "e") "WHERE e.id >= ?1 AND EXISTS "
                 "(SELECT 1 FROM event_row o WHERE o.record_hash = e.record_hash AND o.id < ?1)) "
                 "WHERE n <= (SELECT count(*) FROM event_row o CROSS JOIN " RUN_OF(
                     "q", "o") "WHERE o.record_hash = h AND o.id < ?1 AND q.source_id <> ?2 AND "
                               "q.kind = k "
                               "AND (q.server_id = v OR q.server_id IS NULL OR v IS NULL)))";
    /* ids of rows that went may be given again: no run may still claim them */
    static const char empty[] = "DELETE FROM event_run WHERE first_id >= ?1 AND NOT EXISTS "
                                "(SELECT 1 FROM event_row WHERE id BETWEEN first_id AND last_id)";
    static const char shorter[] = "UPDATE event_run SET (last_id, min_stamp_ms, max_stamp_ms) = "
                                  "(SELECT max(id), min(stamp_ms), max(stamp_ms) FROM event_row "
                                  "WHERE id BETWEEN first_id AND last_id) WHERE first_id >= ?1";
    if (c->first_event == 1 || !(c->known_events.indexed || c->repeats))
        return DX_OK;
    dx_status st = dx_case_index_events(c, err);
    if (st == DX_OK)
        st = dx_case_run(c, rows, (int64_t[]){c->first_event, follows}, 2, err);
    if (st == DX_OK && dx_case_changes(c) > 0)
        st = dx_case_run(c, empty, &c->first_event, 1, err);
    return st == DX_OK ? dx_case_run(c, shorter, &c->first_event, 1, err) : st;
}

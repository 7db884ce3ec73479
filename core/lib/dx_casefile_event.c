/* dx_casefile_event.c - events, which are most of a log's rows. Some thousand of them are held and
 * sorted by what all of a kind have in common, then written in runs: what they share is told once a
 * run, and what they say of where they are goes into lists of places and threads. */
#include "dx_casefile_int.h"
#include "dx_json.h"
#include "dx_mem.h"
#include "dx_region.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HELD       4096          /* rows that are held before they are written */
#define HELD_BYTES (1024 * 1024) /* of their fields */
#define RUNS       64            /* of them at a time */
#define MAX_LISTED 100000        /* places and threads remembered; then they are told again */
#define MAX_FIELD  8192          /* bytes of a text: all fields of an event fit into one value */

typedef struct run {
    dx_event_id kind;
    int64_t server;    /* 0: not known */
    int64_t offset_ms; /* DX_UNKNOWN: not known */
    bool zoned;
    int64_t min_stamp_ms, max_stamp_ms; /* DX_UNKNOWN: none of its rows has one */
    size_t n, at;                       /* its rows: how many, where they begin in the order */
} run;

typedef struct held {
    int64_t line, stamp_ms, place, thread; /* ids; 0: none */
    uint64_t hash;
    size_t fields, fields_n; /* where in text */
    size_t run;
} held;

struct dx_runs {
    held rows[HELD];
    size_t order[HELD];
    run runs[RUNS];
    size_t n, nruns;
    size_t last[DX_EV_COUNT]; /* the run where an event of that kind went last */
    dx_buf text, key;
    dx_map *places, *threads; /* id in their tables */
};

/* --- an event as it is stored --- */

/* {"name": or ,"name": - names are ours and need no escapes. */
static void add_name(dx_buf *out, const char *name, bool first) {
    size_t n = strlen(name);
    if (!dx_buf_reserve(out, n + 4))
        return;
    char *to = out->p + out->n;
    to[0] = first ? '{' : ',';
    to[1] = '"';
    memcpy(to + 2, name, n);
    memcpy(to + 2 + n, "\":", 3);
    out->n += n + 4;
}

static void add_field(dx_buf *out, const dx_field *f, bool first) {
    if (f->type == DX_FIELD_REAL && !isfinite(f->d))
        return;
    add_name(out, f->name, first);
    if (f->type == DX_FIELD_INT)
        dx_buf_add_int(out, f->i);
    else if (f->type == DX_FIELD_REAL)
        dx_buf_add_real(out, f->d);
    else
        dx_json_quote(out, dx_slice_sub(f->s, 0, MAX_FIELD));
}

/* The event's fields as a JSON object, nothing when there are none. */
static void write_fields(dx_buf *out, const dx_event *e) {
    size_t start = out->n;
    for (size_t i = 0; i < e->n && i < DX_EVENT_FIELDS; i++)
        add_field(out, &e->fields[i], out->n == start);
    if (e->server.n > 0)
        add_field(out, &(dx_field){.name = "server", .type = DX_FIELD_TEXT, .s = e->server},
                  out->n == start);
    if (out->n > start)
        dx_buf_addc(out, '}');
}

dx_status dx_casefile_event_of(dx_case_event *out, const dx_event *e, dx_buf *fields, dx_err *err) {
    if (e->id <= DX_EV_NONE || e->id >= DX_EV_COUNT)
        return dx_fail(err, DX_E_USAGE, "an event without a kind");
    *out = (dx_case_event){.id = e->id,
                           .region = e->region,
                           .encoded = e->encoded,
                           .table = e->table,
                           .family = e->family};
    dx_buf_clear(fields);
    write_fields(fields, e);
    out->fields = dx_buf_slice(fields);
    return dx_buf_ok(fields) ? DX_OK : dx_fail(err, DX_E_NOMEM, "no memory for an event's fields");
}

/* --- memory --- */

static void free_runs(dx_runs *r) {
    if (r == NULL)
        return;
    dx_map_free(r->places);
    dx_map_free(r->threads);
    dx_buf_done(&r->text);
    dx_buf_done(&r->key);
    free(r);
}

void dx_case_forget_events(dx_casefile *c) {
    free_runs(c->runs);
    c->runs = NULL;
}

static bool list_anew(dx_map **list) {
    dx_map_free(*list);
    return (*list = dx_map_new()) != NULL;
}

static bool make_runs(dx_casefile *c) {
    dx_runs *r = dx_calloc(1, sizeof *r);
    if (r == NULL)
        return false;
    dx_buf_init(&r->text, 0);
    dx_buf_init(&r->key, 0);
    if (!list_anew(&r->places) || !list_anew(&r->threads)) {
        free_runs(r);
        return false;
    }
    c->runs = r;
    return true;
}

DX_MUST_CHECK static dx_status no_memory(dx_err *err) {
    return dx_fail(err, DX_E_NOMEM, "no memory for events");
}

/* --- places and threads --- */

DX_MUST_CHECK static dx_status remember(dx_map **list, dx_slice key, int64_t id, dx_err *err) {
    bool fresh = dx_map_count(*list) < MAX_LISTED || list_anew(list);
    return fresh && dx_map_put(*list, key, (uint64_t)id) ? DX_OK : no_memory(err);
}

/* The four names as one run of bytes, each with its length before it. */
static void write_key(dx_buf *key, const dx_case_event *e) {
    const dx_slice parts[] = {e->region, e->encoded, e->table, e->family};
    dx_buf_clear(key);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        dx_buf_add(key, &parts[i].n, sizeof parts[i].n);
        dx_buf_add(key, parts[i].p, parts[i].n);
    }
}

DX_MUST_CHECK static dx_status add_place(dx_casefile *c, const dx_case_event *e, int64_t *id,
                                         dx_err *err) {
    static const char sql[] =
        "INSERT INTO event_place(region, encoded, table_name, family) VALUES(?, ?, ?, ?)";
    dx_slice table = {NULL, 0}, encoded = {NULL, 0};
    dx_stmt *s;
    if (e->region.n > 0 && !dx_region_split(e->region, &table, &encoded))
        table = encoded = dx_sn(NULL, 0);
    table = e->table.n > 0 ? e->table : table;
    encoded = e->encoded.n > 0 ? e->encoded : encoded;
    dx_status st = dx_casefile_learn_region(c, encoded, e->region, table, err);
    if (st == DX_OK)
        st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_text(s, e->region);
    dx_stmt_text(s, encoded);
    dx_stmt_text(s, table);
    dx_stmt_text(s, e->family);
    if ((st = dx_stmt_run(s, err)) == DX_OK)
        *id = dx_case_last_id(c);
    return st;
}

DX_MUST_CHECK static dx_status place_of(dx_casefile *c, const dx_case_event *e, int64_t *id,
                                        dx_err *err) {
    dx_runs *r = c->runs;
    uint64_t known;
    *id = 0;
    if (e->region.n + e->encoded.n + e->table.n + e->family.n == 0)
        return DX_OK;
    write_key(&r->key, e);
    if (!dx_buf_ok(&r->key))
        return no_memory(err);
    if (dx_map_get(r->places, dx_buf_slice(&r->key), &known)) {
        *id = (int64_t)known;
        return DX_OK;
    }
    dx_status st = add_place(c, e, id, err);
    return st == DX_OK ? remember(&r->places, dx_buf_slice(&r->key), *id, err) : st;
}

DX_MUST_CHECK static dx_status thread_of(dx_casefile *c, dx_slice name, int64_t *id, dx_err *err) {
    static const char sql[] = "INSERT INTO event_thread(name) VALUES(?)";
    dx_runs *r = c->runs;
    uint64_t known;
    dx_stmt *s;
    *id = 0;
    if (name.n == 0)
        return DX_OK;
    if (dx_map_get(r->threads, name, &known)) {
        *id = (int64_t)known;
        return DX_OK;
    }
    dx_status st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_text(s, name);
    if ((st = dx_stmt_run(s, err)) != DX_OK)
        return st;
    *id = dx_case_last_id(c);
    return remember(&r->threads, name, *id, err);
}

/* --- writing --- */

/* One statement for many rows costs half of what one for each does. */
#define ROW       "(?, ?, ?, ?, ?, ?)"
#define ROWS_4    ROW ", " ROW ", " ROW ", " ROW
#define ROWS_16   ROWS_4 ", " ROWS_4 ", " ROWS_4 ", " ROWS_4
#define TOGETHER  32
#define INTO_ROWS "INSERT INTO event_row(line, stamp_ms, place_id, thread_id, fields, record_hash) "

static void bind_row(dx_stmt *s, const dx_runs *r, const held *h) {
    dx_stmt_num(s, h->line);
    dx_stmt_num(s, h->stamp_ms);
    dx_stmt_id(s, h->place);
    dx_stmt_id(s, h->thread);
    dx_stmt_text(s, dx_slice_sub(dx_buf_slice(&r->text), h->fields, h->fields + h->fields_n));
    dx_stmt_hash(s, h->hash);
}

/* The n rows from order[at] on. */
DX_MUST_CHECK static dx_status write_rows(dx_casefile *c, size_t at, size_t n, dx_err *err) {
    static const char many[] = INTO_ROWS "VALUES" ROWS_16 ", " ROWS_16;
    static const char one[] = INTO_ROWS "VALUES" ROW;
    const dx_runs *r = c->runs;
    for (size_t done = 0, step; done < n; done += step) {
        dx_stmt *s;
        step = n - done >= TOGETHER ? TOGETHER : 1;
        dx_status st = dx_stmt_cached(&s, c, step == TOGETHER ? many : one, err);
        if (st != DX_OK)
            return st;
        for (size_t i = 0; i < step; i++)
            bind_row(s, r, &r->rows[r->order[at + done + i]]);
        if ((st = dx_stmt_run(s, err)) != DX_OK)
            return st;
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
        r->order[r->runs[r->rows[i].run].at++] = i;
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

DX_MUST_CHECK static dx_status hold(dx_casefile *c, held *h, const run *like, dx_slice fields,
                                    dx_err *err) {
    dx_runs *r = c->runs;
    dx_status st = DX_OK;
    h->run = run_for(r, like);
    if (h->run == RUNS && (st = dx_case_flush(c, err)) == DX_OK)
        h->run = run_for(r, like);
    if (st != DX_OK)
        return st;
    h->fields = r->text.n;
    h->fields_n = fields.n;
    dx_buf_add(&r->text, fields.p, fields.n);
    if (!dx_buf_ok(&r->text))
        return no_memory(err);
    count(&r->runs[h->run], h->stamp_ms);
    r->last[like->kind] = h->run;
    r->rows[r->n++] = *h;
    return r->n == HELD || r->text.n >= HELD_BYTES ? dx_case_flush(c, err) : DX_OK;
}

/* Before the first event of a source: what earlier ones have told. */
DX_MUST_CHECK static dx_status make_ready(dx_casefile *c, int64_t source, dx_err *err) {
    bool turned = c->source != source;
    if (c->runs == NULL && !make_runs(c))
        return no_memory(err);
    dx_status st = dx_case_turn_to(c, source, err);
    if (st == DX_OK && (turned || !c->known_events.looked) && c->first_event > 1)
        st = dx_case_known_events(c, err);
    return st;
}

dx_status dx_casefile_put_event(dx_casefile *c, int64_t source, int64_t server, int64_t t_ms,
                                const dx_case_event *e, const dx_where *where, dx_err *err) {
    held h = {.line = where->line == 0 ? DX_UNKNOWN : (int64_t)where->line,
              .hash = where->record_hash};
    dx_status st = make_ready(c, source, err);
    if (st == DX_OK)
        st = place_of(c, e, &h.place, err);
    if (st == DX_OK)
        st = thread_of(c, where->thread, &h.thread, err);
    if (st != DX_OK)
        return st;
    c->repeats = c->repeats || (h.hash != 0 && dx_set_has(&c->known_events.set, h.hash));
    run like = clock_of(t_ms, where, &h.stamp_ms);
    like.min_stamp_ms = like.max_stamp_ms = DX_UNKNOWN;
    like.kind = e->id;
    like.server = server;
    return hold(c, &h, &like, e->fields, err);
}

dx_status dx_casefile_add_event(dx_casefile *c, int64_t source, int64_t server, int64_t t_ms,
                                const dx_event *event, const dx_where *where, dx_err *err) {
    dx_case_event e;
    dx_buf fields;
    dx_buf_init(&fields, 0);
    dx_status st = dx_casefile_event_of(&e, event, &fields, err);
    if (st == DX_OK)
        st = dx_casefile_put_event(c, source, server, t_ms, &e, where, err);
    dx_buf_done(&fields);
    return st;
}

/* --- events that were told already --- */

/* The run of row x, on the right of a join. */
#define RUN_OF(r, x)                                                                               \
    "event_run " r " ON " r ".first_id = (SELECT max(first_id) FROM event_run "                    \
    "WHERE first_id <= " x ".id) "

dx_status dx_case_drop_events(dx_casefile *c, dx_err *err) {
    static const char rows[] =
        "DELETE FROM event_row WHERE id IN (SELECT id FROM ("
        "SELECT e.id AS id, e.record_hash AS h, r.kind AS k, r.server_id AS v, "
        "row_number() OVER (PARTITION BY e.record_hash, r.kind ORDER BY e.id) AS n "
        "FROM event_row e CROSS JOIN " RUN_OF(
            "r",
            "e") "WHERE e.id >= ?1 AND EXISTS "
                 "(SELECT 1 FROM event_row o WHERE o.record_hash = e.record_hash AND o.id < ?1)) "
                 "WHERE n <= (SELECT count(*) FROM event_row o CROSS JOIN " RUN_OF(
                     "q", "o") "WHERE o.record_hash = h AND o.id < ?1 AND q.kind = k "
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
        st = dx_case_run(c, rows, &c->first_event, 1, err);
    if (st == DX_OK && dx_case_changes(c) > 0)
        st = dx_case_run(c, empty, &c->first_event, 1, err);
    return st == DX_OK ? dx_case_run(c, shorter, &c->first_event, 1, err) : st;
}

/* dx_casefile_list.c - the places and threads that events name, each told once to the case and from
 * then on by its number. Numbers are given here, so that who makes an event need not wait for who
 * writes it. */
#include "dx_casefile_int.h"
#include "dx_json.h"
#include "dx_mem.h"
#include "dx_region.h"

#include <math.h>
#include <stdlib.h>

#define MAX_LISTED 32768 /* of each remembered; then they are told again */
#define MAX_FIELD  8192  /* bytes of a text: all fields of an event fit into one value */

struct dx_case_lists {
    dx_map *places, *threads; /* numbers */
    int64_t last_place, last_thread;
    dx_buf key;
};

/* --- memory --- */

static bool list_anew(dx_map **list) {
    dx_map_free(*list);
    return (*list = dx_map_new()) != NULL;
}

static void free_lists(dx_case_lists *l) {
    if (l == NULL)
        return;
    dx_map_free(l->places);
    dx_map_free(l->threads);
    dx_buf_done(&l->key);
    free(l);
}

void dx_case_forget_lists(dx_casefile *c) {
    free_lists(c->lists);
    c->lists = NULL;
}

DX_MUST_CHECK static dx_status no_memory(dx_err *err) {
    return dx_fail(err, DX_E_NOMEM, "no memory for the places of events");
}

DX_MUST_CHECK static dx_status make_lists(dx_casefile *c, int64_t place, int64_t thread,
                                          dx_err *err) {
    dx_case_lists *l = dx_calloc(1, sizeof *l);
    if (l == NULL)
        return no_memory(err);
    dx_buf_init(&l->key, 0);
    l->last_place = place;
    l->last_thread = thread;
    if (list_anew(&l->places) && list_anew(&l->threads)) {
        c->lists = l;
        return DX_OK;
    }
    free_lists(l);
    return no_memory(err);
}

/* Another process may have written since. */
dx_status dx_casefile_lists(dx_case_lists **out, dx_casefile *c, dx_err *err) {
    static const char places[] = "SELECT max(id) FROM event_place";
    static const char threads[] = "SELECT max(id) FROM event_thread";
    int64_t place, thread;
    dx_status st = dx_case_number(c, places, NULL, 0, &place, err);
    if (st == DX_OK)
        st = dx_case_number(c, threads, NULL, 0, &thread, err);
    if (st == DX_OK && (place == INT64_MAX || thread == INT64_MAX))
        return dx_fail(err, DX_E_DB, "%s: damaged (no ids are left for places)", dx_case_name(c));
    if (st == DX_OK && c->lists != NULL
        && (c->lists->last_place != place || c->lists->last_thread != thread))
        dx_case_forget_lists(c);
    if (st == DX_OK && c->lists == NULL)
        st = make_lists(c, place, thread, err);
    *out = c->lists;
    return st;
}

/* --- an event as it is stored --- */

/* {"name": or ,"name": - names are ours and need no escapes. */
static void add_name(dx_buf *out, const char *name, bool first) {
    dx_slice s = dx_s(name);
    if (!dx_buf_reserve(out, s.n + 4))
        return;
    dx_buf_add(out, first ? "{\"" : ",\"", 2);
    dx_buf_add(out, s.p, s.n);
    dx_buf_add(out, "\":", 2);
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
    dx_buf_clear(out);
    for (size_t i = 0; i < e->n && i < DX_EVENT_FIELDS; i++)
        add_field(out, &e->fields[i], out->n == 0);
    if (e->server.n > 0)
        add_field(out, &(dx_field){.name = "server", .type = DX_FIELD_TEXT, .s = e->server},
                  out->n == 0);
    if (out->n > 0)
        dx_buf_addc(out, '}');
}

/* The number of key; *fresh: it has just been given. */
DX_MUST_CHECK static dx_status number_of(dx_map **list, int64_t *last, dx_slice key,
                                         int64_t *number, bool *fresh, dx_err *err) {
    uint64_t known;
    *fresh = !dx_map_get(*list, key, &known);
    if (!*fresh) {
        *number = (int64_t)known;
        return DX_OK;
    }
    if ((dx_map_count(*list) >= MAX_LISTED && !list_anew(list))
        || !dx_map_put(*list, key, (uint64_t)*last + 1))
        return no_memory(err);
    *number = ++*last;
    return DX_OK;
}

/* The four names as one run of bytes, each with its length before it. */
static dx_slice place_key(dx_buf *key, const dx_event *e) {
    const dx_slice parts[] = {e->region, e->encoded, e->table, e->family};
    dx_buf_clear(key);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        dx_buf_add(key, &parts[i].n, sizeof parts[i].n);
        dx_buf_add(key, parts[i].p, parts[i].n);
    }
    return dx_buf_slice(key);
}

static void tell_place(dx_case_event *out, const dx_event *e) {
    dx_slice table, encoded;
    out->region = e->region;
    out->encoded = e->encoded;
    out->table = e->table;
    out->family = e->family;
    if (e->region.n == 0 || !dx_region_split(e->region, &table, &encoded))
        return;
    if (e->table.n == 0)
        out->table = table;
    if (e->encoded.n == 0)
        out->encoded = encoded;
}

dx_status dx_casefile_event_of(dx_case_event *out, dx_case_lists *lists, const dx_event *e,
                               dx_slice thread, dx_buf *fields, dx_err *err) {
    dx_case_lists *l = lists;
    dx_status st = DX_OK;
    if (e->id <= DX_EV_NONE || e->id >= DX_EV_COUNT)
        return dx_fail(err, DX_E_USAGE, "an event without a kind");
    *out = (dx_case_event){.id = e->id};
    if (e->region.n + e->encoded.n + e->table.n + e->family.n > 0)
        st = number_of(&l->places, &l->last_place, place_key(&l->key, e), &out->place,
                       &out->new_place, err);
    if (st == DX_OK && thread.n > 0)
        st = number_of(&l->threads, &l->last_thread, thread, &out->thread, &out->new_thread, err);
    if (st != DX_OK)
        return st;
    if (out->new_place)
        tell_place(out, e);
    if (out->new_thread)
        out->thread_name = thread;
    write_fields(fields, e);
    out->fields = dx_buf_slice(fields);
    return dx_buf_ok(fields) && dx_buf_ok(&l->key) ? DX_OK : no_memory(err);
}

/* --- writing --- */

DX_MUST_CHECK static dx_status add_place(dx_casefile *c, const dx_case_event *e, dx_err *err) {
    static const char sql[] = "INSERT INTO event_place(id, region, encoded, table_name, family) "
                              "VALUES(?, ?, ?, ?, ?)";
    dx_stmt *s;
    dx_status st = dx_casefile_learn_region(c, e->encoded, e->region, e->table, err);
    if (st == DX_OK)
        st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_int(s, e->place);
    dx_stmt_text(s, e->region);
    dx_stmt_text(s, e->encoded);
    dx_stmt_text(s, e->table);
    dx_stmt_text(s, e->family);
    return dx_stmt_run(s, err);
}

DX_MUST_CHECK static dx_status add_thread(dx_casefile *c, const dx_case_event *e, dx_err *err) {
    static const char sql[] = "INSERT INTO event_thread(id, name) VALUES(?, ?)";
    dx_stmt *s;
    dx_status st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_int(s, e->thread);
    dx_stmt_text(s, e->thread_name);
    return dx_stmt_run(s, err);
}

dx_status dx_case_list(dx_casefile *c, const dx_case_event *e, dx_err *err) {
    dx_status st = e->new_place ? add_place(c, e, err) : DX_OK;
    return st == DX_OK && e->new_thread ? add_thread(c, e, err) : st;
}

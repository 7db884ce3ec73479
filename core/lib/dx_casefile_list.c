/* dx_casefile_list.c - an event as it is stored: the place and the thread that it names, each told
 * once to the case and from then on by its number, and its fields. */
#include "dx_casefile_int.h"
#include "dx_json.h"
#include "dx_mem.h"
#include "dx_region.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LISTED 32768 /* of each remembered; then they are told again */
#define MAX_FIELD  8192  /* bytes of a text: all fields of an event fit into one value */
#define INT_ROOM   20    /* bytes of a whole number */

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

dx_status dx_case_open_lists(dx_casefile *c, dx_err *err) {
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
    return st == DX_OK && c->lists == NULL ? make_lists(c, place, thread, err) : st;
}

/* --- places and threads --- */

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

static bool has_room(dx_buf *out, size_t n) {
    return (!out->failed && n < out->cap - out->n) || dx_buf_reserve(out, n);
}

/* The four names as one run of bytes, behind their lengths; empty: no memory. */
static dx_slice place_key(dx_buf *key, const dx_event *e) {
    const dx_slice parts[] = {e->region, e->encoded, e->table, e->family};
    const size_t lengths[] = {e->region.n, e->encoded.n, e->table.n, e->family.n};
    dx_buf_clear(key);
    if (!has_room(key, sizeof lengths + lengths[0] + lengths[1] + lengths[2] + lengths[3]))
        return dx_sn(NULL, 0);
    memcpy(key->p, lengths, sizeof lengths);
    key->n = sizeof lengths;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].n > 0) {
            memcpy(key->p + key->n, parts[i].p, parts[i].n);
            key->n += parts[i].n;
        }
    return dx_sn(key->p, key->n);
}

DX_MUST_CHECK static dx_status add_place(dx_casefile *c, int64_t id, const dx_event *e,
                                         dx_err *err) {
    static const char sql[] = "INSERT INTO event_place(id, region, encoded, table_name, family) "
                              "VALUES(?, ?, ?, ?, ?)";
    dx_slice table = e->table, encoded = e->encoded, told_table, told_encoded;
    dx_stmt *s;
    if (e->region.n > 0 && dx_region_split(e->region, &told_table, &told_encoded)) {
        table = table.n == 0 ? told_table : table;
        encoded = encoded.n == 0 ? told_encoded : encoded;
    }
    dx_status st = dx_casefile_learn_region(c, encoded, e->region, table, err);
    if (st == DX_OK)
        st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_int(s, id);
    dx_stmt_text(s, e->region);
    dx_stmt_text(s, encoded);
    dx_stmt_text(s, table);
    dx_stmt_text(s, e->family);
    return dx_stmt_run(s, err);
}

DX_MUST_CHECK static dx_status add_thread(dx_casefile *c, int64_t id, dx_slice name, dx_err *err) {
    static const char sql[] = "INSERT INTO event_thread(id, name) VALUES(?, ?)";
    dx_stmt *s;
    dx_status st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_int(s, id);
    dx_stmt_text(s, name);
    return dx_stmt_run(s, err);
}

DX_MUST_CHECK static dx_status list_place(dx_casefile *c, const dx_event *e, int64_t *id,
                                          dx_err *err) {
    dx_case_lists *l = c->lists;
    dx_slice key = place_key(&l->key, e);
    bool fresh;
    if (key.n == 0)
        return no_memory(err);
    dx_status st = number_of(&l->places, &l->last_place, key, id, &fresh, err);
    return st == DX_OK && fresh ? add_place(c, *id, e, err) : st;
}

DX_MUST_CHECK static dx_status list_thread(dx_casefile *c, dx_slice name, int64_t *id,
                                           dx_err *err) {
    dx_case_lists *l = c->lists;
    bool fresh;
    dx_status st = number_of(&l->threads, &l->last_thread, name, id, &fresh, err);
    return st == DX_OK && fresh ? add_thread(c, *id, name, err) : st;
}

dx_status dx_case_list(dx_casefile *c, const dx_event *e, dx_slice thread, int64_t *place_id,
                       int64_t *thread_id, dx_err *err) {
    dx_status st = DX_OK;
    *place_id = *thread_id = 0;
    if (e->region.n + e->encoded.n + e->table.n + e->family.n > 0)
        st = list_place(c, e, place_id, err);
    return st == DX_OK && thread.n > 0 ? list_thread(c, thread, thread_id, err) : st;
}

/* --- fields --- */

/* {"name": or ,"name": - names are ours and need no escapes. Leaves room for a whole number. */
static bool add_name(dx_buf *out, const char *name, bool first) {
    size_t n = strlen(name);
    if (!has_room(out, n + 4 + INT_ROOM))
        return false;
    char *to = out->p + out->n;
    to[0] = first ? '{' : ',';
    to[1] = '"';
    memcpy(to + 2, name, n);
    memcpy(to + 2 + n, "\":", 2);
    out->n += n + 4;
    return true;
}

static void add_field(dx_buf *out, const dx_field *f, bool first) {
    char room[INT_ROOM];
    if ((f->type == DX_FIELD_REAL && !isfinite(f->d)) || !add_name(out, f->name, first))
        return;
    if (f->type == DX_FIELD_INT) {
        dx_slice digits = dx_int_text(room, f->i);
        memcpy(out->p + out->n, digits.p, digits.n);
        out->n += digits.n;
    } else if (f->type == DX_FIELD_REAL) {
        dx_buf_add_real(out, f->d);
    } else {
        dx_json_quote(out, dx_slice_sub(f->s, 0, MAX_FIELD));
    }
}

void dx_case_fields(dx_buf *out, const dx_event *e) {
    const dx_field server = {.name = "server", .type = DX_FIELD_TEXT, .s = e->server};
    size_t from = out->n;
    for (size_t i = 0; i < e->n && i < DX_EVENT_FIELDS; i++)
        add_field(out, &e->fields[i], out->n == from);
    if (e->server.n > 0)
        add_field(out, &server, out->n == from);
    if (out->n > from)
        dx_buf_addc(out, '}');
}

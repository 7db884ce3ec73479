/* dx_ingest_store.c - see dx_ingest_store.h. Records are copied into boxes, which go round: the
 * scanning thread fills one, the writing thread empties those that are full. */
#include "dx_ingest_store.h"
#include "dx_mem.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BOXES     4
#define BOX_ITEMS 1024
#define BOX_BYTES (384 * 1024) /* full from here on */
#define BOX_ROOM  (512 * 1024) /* what it has as one piece, for good: boxes stay in the cache */

typedef enum what { CALL, EVENT, REGION, SCAN, SKIP } what;

typedef struct told_region {
    dx_slice encoded, name, table;
} told_region;

/* What an event is stored by. Its texts stand behind its fields: the names of where it is, its
 * server, its thread, then those of the fields. A log's lines are not as long as 32 bits count. */
enum { REGION_NAME, ENCODED, TABLE, FAMILY, SERVER, THREAD, NAMES };
typedef struct told_field {
    const char *name;
    dx_field_type type;
    union {
        int64_t i;
        double d;
        size_t n;
    };
} told_field;
typedef struct told_event {
    int64_t t_ms, local_ms;
    uint64_t line, record_hash;
    uint32_t names[NAMES]; /* their lengths */
    uint8_t id, n;
    bool has_zone;
    told_field fields[];
} told_event;

typedef struct told_call {
    dx_call call;
    dx_where where;
} told_call;

typedef struct told_scan {
    dx_scan scan;
    dx_where where;
    int64_t t_ms;
} told_scan;

typedef struct told_skip {
    const char *reason;
    dx_slice sample;
    uint64_t line;
} told_skip;

typedef struct item {
    what what;
    const void *record; /* told_... */
} item;

typedef struct box {
    item items[BOX_ITEMS];
    size_t n;
    dx_arena *mem;
} box;

struct dx_ingest_store {
    dx_casefile *c;
    int64_t source;
    box boxes[BOXES];

    bool threaded, alone; /* the writer runs; it could not be started */
    bool refused;         /* the writer has failed: nothing more is taken */
    pthread_t writer;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    /* all below: with the lock, while the writer runs */
    size_t filled, emptied; /* boxes, of all times */
    bool ended;
    dx_status status; /* of the writer: the first that was not DX_OK */
    dx_err err;
    uint64_t new_calls; /* the writer's alone */
};

DX_MUST_CHECK static dx_status no_memory(dx_err *err) {
    return dx_fail(err, DX_E_NOMEM, "no memory for the records of a log");
}

/* --- copying --- */

static box *at_hand(dx_ingest_store *s) {
    return &s->boxes[s->filled % BOXES];
}

/* Makes the slices the box's own: one piece of memory for all of them. */
static bool keep(box *b, dx_slice *const *slices, size_t n) {
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += slices[i]->n;
    char *to = bytes == 0 ? NULL : dx_arena_alloc(b->mem, bytes);
    if (bytes > 0 && to == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (slices[i]->n > 0)
            memcpy(to, slices[i]->p, slices[i]->n);
        slices[i]->p = to;
        to = slices[i]->n > 0 ? to + slices[i]->n : to;
    }
    return true;
}
#define KEEP(b, ...)                                                                               \
    keep(b, (dx_slice *const[]){__VA_ARGS__},                                                      \
         sizeof((dx_slice *const[]){__VA_ARGS__}) / sizeof(dx_slice *))

static const void *copy_call(box *b, const dx_call *call, const dx_where *where) {
    told_call *k = dx_arena_alloc(b->mem, sizeof *k);
    if (k == NULL)
        return NULL;
    dx_call *c = &k->call;
    *c = *call;
    k->where = *where;
    bool kept = KEEP(b, &c->method, &c->client, &c->client_address, &c->user, &c->server_class,
                     &c->table, &c->region, &c->encoded, &c->row, &c->start_row, &c->stop_row,
                     &c->filters, &c->families, &c->operation_id, &k->where.thread);
    return kept ? k : NULL;
}

static told_field told_field_of(const dx_field *f) {
    told_field k = {.name = f->name, .type = f->type};
    if (f->type == DX_FIELD_INT)
        k.i = f->i;
    else if (f->type == DX_FIELD_REAL)
        k.d = f->d;
    else
        k.n = f->s.n;
    return k;
}

static char *put(char *to, dx_slice text) {
    if (text.n > 0)
        memcpy(to, text.p, text.n);
    return to + text.n;
}

static const void *copy_event(box *b, int64_t t_ms, const dx_event *e, const dx_where *where) {
    const dx_slice names[NAMES] = {e->region, e->encoded, e->table,
                                   e->family, e->server,  where->thread};
    size_t n = e->n < DX_EVENT_FIELDS ? e->n : DX_EVENT_FIELDS, bytes = n * sizeof(told_field);
    for (size_t i = 0; i < NAMES; i++)
        bytes += names[i].n;
    for (size_t i = 0; i < n; i++)
        bytes += e->fields[i].type == DX_FIELD_TEXT ? e->fields[i].s.n : 0;
    told_event *k = dx_arena_alloc(b->mem, sizeof *k + bytes);
    if (k == NULL)
        return NULL;
    k->t_ms = t_ms;
    k->local_ms = where->local_ms;
    k->has_zone = where->has_zone;
    k->line = where->line;
    k->record_hash = where->record_hash;
    k->id = (uint8_t)e->id;
    k->n = (uint8_t)n;
    char *to = (char *)&k->fields[n];
    for (size_t i = 0; i < NAMES; i++) {
        k->names[i] = (uint32_t)names[i].n;
        to = put(to, names[i]);
    }
    for (size_t i = 0; i < n; i++) {
        k->fields[i] = told_field_of(&e->fields[i]);
        to = e->fields[i].type == DX_FIELD_TEXT ? put(to, e->fields[i].s) : to;
    }
    return k;
}

static const void *copy_scan(box *b, const dx_scan *scan, int64_t t_ms, const dx_where *where) {
    told_scan *k = dx_arena_alloc(b->mem, sizeof *k);
    if (k == NULL)
        return NULL;
    *k = (told_scan){.scan = *scan, .where = *where, .t_ms = t_ms};
    return KEEP(b, &k->scan.table, &k->where.thread) ? k : NULL;
}

static const void *copy_region(box *b, const told_region *region) {
    told_region *k = dx_arena_alloc(b->mem, sizeof *k);
    if (k == NULL)
        return NULL;
    *k = *region;
    return KEEP(b, &k->encoded, &k->name, &k->table) ? k : NULL;
}

static const void *copy_skip(box *b, const told_skip *skip) {
    told_skip *k = dx_arena_alloc(b->mem, sizeof *k);
    if (k == NULL)
        return NULL;
    *k = *skip;
    return KEEP(b, &k->sample) ? k : NULL;
}

/* --- writing --- */

DX_MUST_CHECK static dx_status write_call(dx_ingest_store *s, const told_call *k, dx_err *err) {
    bool added;
    dx_status st = dx_casefile_add_call(s->c, s->source, 0, &k->call, &k->where, &added, err);
    s->new_calls += st == DX_OK && added;
    return st;
}

static dx_slice take(const char **from, size_t n) {
    *from += n;
    return dx_sn(*from - n, n);
}

static dx_field field_of(const told_field *k, const char **texts) {
    dx_field f = {.name = k->name, .type = k->type};
    if (k->type == DX_FIELD_INT)
        f.i = k->i;
    else if (k->type == DX_FIELD_REAL)
        f.d = k->d;
    else
        f.s = take(texts, k->n);
    return f;
}

DX_MUST_CHECK static dx_status write_event(dx_ingest_store *s, const told_event *k, dx_err *err) {
    dx_where where = {.line = k->line,
                      .local_ms = k->local_ms,
                      .has_zone = k->has_zone,
                      .record_hash = k->record_hash};
    const char *texts = (const char *)&k->fields[k->n];
    dx_event e; /* what it has room for beyond its fields is left as it is */
    e.id = (dx_event_id)k->id;
    e.region = take(&texts, k->names[REGION_NAME]);
    e.encoded = take(&texts, k->names[ENCODED]);
    e.table = take(&texts, k->names[TABLE]);
    e.family = take(&texts, k->names[FAMILY]);
    e.server = take(&texts, k->names[SERVER]);
    where.thread = take(&texts, k->names[THREAD]);
    e.path_space = e.path_table = dx_sn(NULL, 0);
    e.n = k->n;
    for (size_t i = 0; i < k->n; i++)
        e.fields[i] = field_of(&k->fields[i], &texts);
    return dx_casefile_add_event(s->c, s->source, 0, k->t_ms, &e, &where, err);
}

DX_MUST_CHECK static dx_status write_region(dx_ingest_store *s, const told_region *r, dx_err *err) {
    return dx_casefile_learn_region(s->c, r->encoded, r->name, r->table, err);
}

DX_MUST_CHECK static dx_status write_scan(dx_ingest_store *s, const told_scan *k, dx_err *err) {
    return dx_casefile_add_scan(s->c, s->source, k->t_ms, &k->scan, &k->where, err);
}

DX_MUST_CHECK static dx_status write_skip(dx_ingest_store *s, const told_skip *k, dx_err *err) {
    return dx_casefile_skip(s->c, s->source, k->reason, 1, k->sample, k->line, err);
}

DX_MUST_CHECK static dx_status write_item(dx_ingest_store *s, const item *i, dx_err *err) {
    switch (i->what) {
    case CALL: return write_call(s, i->record, err);
    case EVENT: return write_event(s, i->record, err);
    case REGION: return write_region(s, i->record, err);
    case SCAN: return write_scan(s, i->record, err);
    case SKIP: return write_skip(s, i->record, err);
    }
    return DX_OK;
}

static bool make_room(box *b) {
    bool made = dx_arena_alloc(b->mem, BOX_ROOM) != NULL;
    dx_arena_reset(b->mem); /* keeps that block */
    return made;
}

DX_MUST_CHECK static dx_status empty_box(dx_ingest_store *s, box *b, dx_err *err) {
    bool burst = dx_arena_used(b->mem) > BOX_ROOM;
    dx_status st = DX_OK;
    for (size_t i = 0; i < b->n && st == DX_OK; i++)
        st = write_item(s, &b->items[i], err);
    b->n = 0;
    dx_arena_reset(b->mem);
    return !burst || make_room(b) || st != DX_OK ? st : no_memory(err);
}

/* The next full box; NULL: no more come, or one of them failed. */
static box *wait_for_box(dx_ingest_store *s) {
    pthread_mutex_lock(&s->lock);
    while (s->emptied == s->filled && !s->ended)
        pthread_cond_wait(&s->moved, &s->lock);
    bool none = s->emptied == s->filled || s->status != DX_OK;
    pthread_mutex_unlock(&s->lock);
    return none ? NULL : &s->boxes[s->emptied % BOXES];
}

static void *write_boxes(void *arg) {
    dx_ingest_store *s = arg;
    box *b;
    while ((b = wait_for_box(s)) != NULL) {
        dx_err err;
        dx_status st = empty_box(s, b, &err);
        pthread_mutex_lock(&s->lock);
        s->emptied++;
        if ((s->status = st) != DX_OK)
            s->err = err;
        pthread_cond_signal(&s->moved);
        pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

/* --- handing over --- */

static void start_writer(dx_ingest_store *s) {
    dx_casefile_lend(s->c, true);
    s->threaded = pthread_create(&s->writer, NULL, write_boxes, s) == 0;
    s->alone = !s->threaded;
    if (s->alone)
        dx_casefile_lend(s->c, false);
}

/* What the writer has failed of, or DX_OK. After it has been seen to fail, or has ended. */
DX_MUST_CHECK static dx_status failure(const dx_ingest_store *s, dx_err *err) {
    if (s->status != DX_OK && err != NULL)
        *err = s->err;
    return s->status;
}

/* Gives the box at hand to the writer and waits until another is empty. */
DX_MUST_CHECK static dx_status hand_over(dx_ingest_store *s, dx_err *err) {
    if (!s->threaded && !s->alone)
        start_writer(s);
    if (s->alone)
        return empty_box(s, at_hand(s), err);
    pthread_mutex_lock(&s->lock);
    s->filled++;
    pthread_cond_signal(&s->moved);
    while (s->filled - s->emptied == BOXES && s->status == DX_OK)
        pthread_cond_wait(&s->moved, &s->lock);
    dx_status st = s->status;
    pthread_mutex_unlock(&s->lock);
    s->refused = st != DX_OK;
    return s->refused ? failure(s, err) : DX_OK;
}

/* Files what lies in the box; NULL: there was no memory for it. */
DX_MUST_CHECK static dx_status file_item(dx_ingest_store *s, what kind, const void *record,
                                         dx_err *err) {
    box *b = at_hand(s);
    if (s->refused)
        return failure(s, err);
    if (record == NULL)
        return no_memory(err);
    b->items[b->n++] = (item){kind, record};
    return b->n == BOX_ITEMS || dx_arena_used(b->mem) >= BOX_BYTES ? hand_over(s, err) : DX_OK;
}

dx_status dx_ingest_store_call(dx_ingest_store *s, const dx_call *call, const dx_where *where,
                               dx_err *err) {
    return file_item(s, CALL, copy_call(at_hand(s), call, where), err);
}

dx_status dx_ingest_store_event(dx_ingest_store *s, int64_t t_ms, const dx_event *event,
                                const dx_where *where, dx_err *err) {
    return file_item(s, EVENT, copy_event(at_hand(s), t_ms, event, where), err);
}

dx_status dx_ingest_store_region(dx_ingest_store *s, dx_slice encoded, dx_slice name,
                                 dx_slice table, dx_err *err) {
    const told_region region = {encoded, name, table};
    return file_item(s, REGION, copy_region(at_hand(s), &region), err);
}

dx_status dx_ingest_store_scan(dx_ingest_store *s, int64_t t_ms, const dx_scan *scan,
                               const dx_where *where, dx_err *err) {
    return file_item(s, SCAN, copy_scan(at_hand(s), scan, t_ms, where), err);
}

dx_status dx_ingest_store_skip(dx_ingest_store *s, const char *reason, dx_slice sample,
                               const dx_where *where, dx_err *err) {
    const told_skip skip = {.reason = reason, .sample = sample, .line = where->line};
    return file_item(s, SKIP, copy_skip(at_hand(s), &skip), err);
}

/* --- */

static void free_store(dx_ingest_store *s) {
    for (size_t i = 0; i < BOXES; i++)
        dx_arena_free(s->boxes[i].mem);
    free(s);
}

dx_status dx_ingest_store_new(dx_ingest_store **out, dx_casefile *c, int64_t source, dx_err *err) {
    dx_ingest_store *s = dx_calloc(1, sizeof *s);
    if (s == NULL)
        return no_memory(err);
    s->c = c;
    s->source = source;
    dx_status st = DX_OK;
    for (size_t i = 0; i < BOXES && st == DX_OK; i++)
        if ((s->boxes[i].mem = dx_arena_new(0)) == NULL || !make_room(&s->boxes[i]))
            st = no_memory(err);
    if (st != DX_OK) {
        free_store(s);
        return st;
    }
    pthread_mutex_init(&s->lock, NULL); /* with no attributes both cannot fail */
    pthread_cond_init(&s->moved, NULL);
    *out = s;
    return DX_OK;
}

/* Waits until the writer has emptied the boxes that it was given. */
static void stop_writer(dx_ingest_store *s) {
    pthread_mutex_lock(&s->lock);
    s->ended = true;
    pthread_cond_signal(&s->moved);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->writer, NULL);
    dx_casefile_lend(s->c, false);
}

dx_status dx_ingest_store_end(dx_ingest_store *s, uint64_t *new_calls, dx_err *err) {
    if (s == NULL)
        return DX_OK;
    if (s->threaded)
        stop_writer(s);
    dx_status st = failure(s, err);
    if (st == DX_OK) /* the last box is written here */
        st = empty_box(s, at_hand(s), err);
    *new_calls += s->new_calls;
    pthread_cond_destroy(&s->moved);
    pthread_mutex_destroy(&s->lock);
    free_store(s);
    return st;
}

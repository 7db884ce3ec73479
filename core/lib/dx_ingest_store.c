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

/* An event, no longer than its fields. */
typedef struct told_event {
    dx_event_id id;
    dx_slice region, encoded, table, family, server;
    size_t n;
    dx_field fields[];
} told_event;

typedef struct item {
    what what;
    int64_t t_ms;
    const void *record; /* dx_call, told_event, told_region, dx_scan; NULL for a skip */
    dx_where where;
    const char *reason;
    dx_slice sample;
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

static void *copy_of(box *b, const void *record, size_t n) {
    void *copy = dx_arena_alloc(b->mem, n);
    if (copy != NULL)
        memcpy(copy, record, n);
    return copy;
}

static const void *copy_call(box *b, const dx_call *call) {
    dx_call *k = copy_of(b, call, sizeof *call);
    bool kept = k != NULL
                && KEEP(b, &k->method, &k->client, &k->client_address, &k->user, &k->server_class,
                        &k->table, &k->region, &k->encoded, &k->row, &k->start_row, &k->stop_row,
                        &k->filters, &k->families, &k->operation_id);
    return kept ? k : NULL;
}

static const void *copy_event(box *b, const dx_event *event) {
    size_t n = event->n < DX_EVENT_FIELDS ? event->n : DX_EVENT_FIELDS;
    told_event *k = dx_arena_alloc(b->mem, sizeof *k + n * sizeof *k->fields);
    if (k == NULL)
        return NULL;
    k->id = event->id;
    k->region = event->region;
    k->encoded = event->encoded;
    k->table = event->table;
    k->family = event->family;
    k->server = event->server;
    k->n = n;
    memcpy(k->fields, event->fields, n * sizeof *k->fields);
    dx_slice *texts[5 + DX_EVENT_FIELDS] = {&k->region, &k->encoded, &k->table, &k->family,
                                            &k->server};
    size_t ntexts = 5;
    for (size_t i = 0; i < n; i++)
        if (k->fields[i].type == DX_FIELD_TEXT)
            texts[ntexts++] = &k->fields[i].s;
    return keep(b, texts, ntexts) ? k : NULL;
}

static const void *copy_scan(box *b, const dx_scan *scan) {
    dx_scan *k = copy_of(b, scan, sizeof *scan);
    return k != NULL && KEEP(b, &k->table) ? k : NULL;
}

static const void *copy_region(box *b, const told_region *region) {
    told_region *k = copy_of(b, region, sizeof *region);
    return k != NULL && KEEP(b, &k->encoded, &k->name, &k->table) ? k : NULL;
}

/* --- writing --- */

DX_MUST_CHECK static dx_status write_region(dx_ingest_store *s, const told_region *r, dx_err *err) {
    return dx_casefile_learn_region(s->c, r->encoded, r->name, r->table, err);
}

DX_MUST_CHECK static dx_status write_event(dx_ingest_store *s, const item *i, dx_err *err) {
    const told_event *k = i->record;
    dx_event e;
    e.id = k->id;
    e.region = k->region;
    e.encoded = k->encoded;
    e.table = k->table;
    e.family = k->family;
    e.server = k->server;
    e.path_space = e.path_table = dx_sn(NULL, 0);
    e.n = k->n;
    memcpy(e.fields, k->fields, k->n * sizeof *k->fields);
    return dx_casefile_add_event(s->c, s->source, 0, i->t_ms, &e, &i->where, err);
}

DX_MUST_CHECK static dx_status write_item(dx_ingest_store *s, const item *i, dx_err *err) {
    bool added;
    dx_status st = DX_OK;
    switch (i->what) {
    case CALL:
        st = dx_casefile_add_call(s->c, s->source, 0, i->record, &i->where, &added, err);
        s->new_calls += st == DX_OK && added;
        break;
    case EVENT: st = write_event(s, i, err); break;
    case REGION: st = write_region(s, i->record, err); break;
    case SCAN:
        st = dx_casefile_add_scan(s->c, s->source, i->t_ms, i->record, &i->where, err);
        break;
    case SKIP:
        st = dx_casefile_skip(s->c, s->source, i->reason, 1, i->sample, i->where.line, err);
        break;
    }
    return st;
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

/* Files an item whose record lies in the box; record NULL: there was no memory for it. */
DX_MUST_CHECK static dx_status file_item(dx_ingest_store *s, const item *i, bool copied,
                                         dx_err *err) {
    box *b = at_hand(s);
    if (s->refused)
        return failure(s, err);
    item *to = &b->items[b->n];
    *to = *i;
    if (!copied || !KEEP(b, &to->where.thread, &to->sample))
        return no_memory(err);
    b->n++;
    return b->n == BOX_ITEMS || dx_arena_used(b->mem) >= BOX_BYTES ? hand_over(s, err) : DX_OK;
}

dx_status dx_ingest_store_call(dx_ingest_store *s, const dx_call *call, const dx_where *where,
                               dx_err *err) {
    item i = {.what = CALL, .where = *where, .record = copy_call(at_hand(s), call)};
    return file_item(s, &i, i.record != NULL, err);
}

dx_status dx_ingest_store_event(dx_ingest_store *s, int64_t t_ms, const dx_event *event,
                                const dx_where *where, dx_err *err) {
    item i = {
        .what = EVENT, .t_ms = t_ms, .where = *where, .record = copy_event(at_hand(s), event)};
    return file_item(s, &i, i.record != NULL, err);
}

dx_status dx_ingest_store_region(dx_ingest_store *s, dx_slice encoded, dx_slice name,
                                 dx_slice table, dx_err *err) {
    const told_region region = {encoded, name, table};
    item i = {.what = REGION, .record = copy_region(at_hand(s), &region)};
    return file_item(s, &i, i.record != NULL, err);
}

dx_status dx_ingest_store_scan(dx_ingest_store *s, int64_t t_ms, const dx_scan *scan,
                               const dx_where *where, dx_err *err) {
    item i = {.what = SCAN, .t_ms = t_ms, .where = *where, .record = copy_scan(at_hand(s), scan)};
    return file_item(s, &i, i.record != NULL, err);
}

dx_status dx_ingest_store_skip(dx_ingest_store *s, const char *reason, dx_slice sample,
                               const dx_where *where, dx_err *err) {
    item i = {.what = SKIP, .where = *where, .reason = reason, .sample = sample};
    return file_item(s, &i, true, err);
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

/* dx_calls_same.c - what is the same call. Of log records two tables of hashes are kept, half of
 * what may lie between a call and its copy in each: when the newer is full, the older is dropped.
 */
#include "dx_calls_int.h"
#include "dx_mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct record {
    uint64_t hash;   /* 0: empty */
    uint32_t source; /* that had it last */
    uint16_t most;   /* appearances in the source that has most of them */
    uint16_t now;    /* in that source */
} record;

typedef struct records {
    record *v;
    size_t n, cap; /* cap: a power of two */
} records;

typedef struct kept { /* a dump's call */
    calls_seen seen;
    dx_call *call; /* the same as in seen */
} kept;

struct calls_same {
    records young, old;
    bool forgot;
    dx_map *dumps; /* key and number of a dump's call -> its index */
    dx_map *nth;   /* how many of a key there were in the dump in work, or in all logs */
    size_t source; /* of that dump */
    bool logs;     /* they have begun */
    kept *calls;
    size_t n, cap;
    dx_arena *texts;
};

calls_same *calls_same_new(void) {
    calls_same *s = dx_calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->dumps = dx_map_new();
    s->nth = dx_map_new();
    s->texts = dx_arena_new(0);
    if (s->dumps != NULL && s->nth != NULL && s->texts != NULL)
        return s;
    calls_same_free(s);
    return NULL;
}

void calls_same_free(calls_same *s) {
    if (s == NULL)
        return;
    free(s->young.v);
    free(s->old.v);
    free(s->calls);
    dx_map_free(s->dumps);
    dx_map_free(s->nth);
    dx_arena_free(s->texts);
    free(s);
}

bool calls_same_forgot(const calls_same *s) {
    return s->forgot;
}

const calls_seen *calls_same_at(const calls_same *s, size_t i) {
    return i < s->n ? &s->calls[i].seen : NULL;
}

static dx_status no_memory(dx_err *err) {
    return dx_fail(err, DX_E_NOMEM, "no memory to know calls again");
}

/* --- records of logs */

/* Where hash stands, or would; NULL: there is no table. */
static record *find(const records *r, uint64_t hash) {
    if (r->cap == 0)
        return NULL;
    size_t mask = r->cap - 1, at = (size_t)hash & mask;
    while (r->v[at].hash != 0 && r->v[at].hash != hash)
        at = (at + 1) & mask;
    return &r->v[at];
}

static bool grow(records *r) {
    records to = {.cap = r->cap == 0 ? 1024 : r->cap * 2, .n = r->n};
    if ((r->n + 1) * 2 <= r->cap)
        return true;
    to.v = dx_calloc(to.cap, sizeof *to.v);
    if (to.v == NULL)
        return false;
    for (size_t i = 0; i < r->cap; i++)
        if (r->v[i].hash != 0)
            *find(&to, r->v[i].hash) = r->v[i];
    free(r->v);
    *r = to;
    return true;
}

/* The record of that hash, made when it is new; NULL: no memory. */
static record *record_of(calls_same *s, uint64_t hash) {
    const record *young = find(&s->young, hash), *old = find(&s->old, hash);
    record is = {.hash = hash, .source = UINT32_MAX};
    if (young != NULL && young->hash != 0)
        return find(&s->young, hash);
    if (old != NULL && old->hash != 0)
        is = *old;
    if (s->young.n >= DX_CALLS_APART / 2) {
        s->forgot = s->forgot || s->old.n > 0;
        free(s->old.v);
        s->old = s->young;
        s->young = (records){.n = 0};
    }
    if (!grow(&s->young))
        return NULL;
    record *r = find(&s->young, hash);
    *r = is;
    s->young.n++;
    return r;
}

/* Whether this appearance is one more than any source before has. */
static bool is_new(record *r, size_t source) {
    if (r->source != (uint32_t)source)
        r->now = 0;
    r->source = (uint32_t)source;
    if (r->now == UINT16_MAX)
        return true;
    if (++r->now <= r->most)
        return false;
    r->most = r->now;
    return true;
}

/* --- keys across logs and dumps */

static uint64_t add_number(uint64_t hash, int64_t v) {
    return dx_hash(&v, sizeof v, hash);
}

uint64_t calls_same_key(const dx_call *call, uint64_t record_hash) {
    uint64_t h = add_number(0, call->start_ms);
    h = dx_hash(call->client.p, call->client.n, h);
    h = dx_hash(",", 1, h);
    h = dx_hash(call->method.p, call->method.n, h);
    h = add_number(h, call->queue_ms);
    h = add_number(h, call->response_bytes);
    if (call->start_ms == DX_TIME_NONE || call->client.n == 0)
        h = add_number(h, (int64_t)(record_hash >> 1)); /* too little: its text, too */
    return h;
}

/* A dump's own count of a key. Slow and large calls are two lists of the ring buffer: a call that
 * is both stands once in each. */
static uint64_t count_key(const dx_call *call, uint64_t key) {
    const char list[2] = {(char)('1' + call->slow), (char)('1' + call->large)};
    return call->form == DX_CALL_RING ? dx_hash(list, sizeof list, key) : key;
}

/* How many of a key there were with this one; 0: no memory. */
static uint64_t count(calls_same *s, uint64_t key) {
    dx_slice bytes = dx_sn((const char *)&key, sizeof key);
    uint64_t n = 0;
    dx_map_get(s->nth, bytes, &n);
    return dx_map_put(s->nth, bytes, n + 1) ? n + 1 : 0;
}

static bool dump_call(const calls_same *s, uint64_t key, uint64_t n, uint64_t *at) {
    const uint64_t name[2] = {key, n};
    return dx_map_get(s->dumps, dx_sn((const char *)name, sizeof name), at);
}

bool calls_same_has(const calls_same *s, uint64_t same) {
    uint64_t at;
    return dump_call(s, same, 1, &at);
}

/* --- one call that is told twice */

static void fill(dx_slice *to, dx_slice more, bool wins) {
    if (more.n > 0 && (to->n == 0 || wins))
        *to = more;
}

static void fill_number(int64_t *to, int64_t more, bool wins) {
    if (more != DX_UNKNOWN && (*to == DX_UNKNOWN || wins))
        *to = more;
}

static void fill_tri(dx_tri *to, dx_tri more, bool wins) {
    if (more != DX_TRI_UNKNOWN && (*to == DX_TRI_UNKNOWN || wins))
        *to = more;
}

/* What param tells: from one that was not cut, where there is one. */
static void merge_param(dx_call *to, const dx_call *more) {
    bool wins = to->param_cut && !more->param_cut;
    fill(&to->table, more->table, wins);
    fill(&to->region, more->region, wins);
    fill(&to->encoded, more->encoded, wins);
    fill(&to->filters, more->filters, wins);
    fill(&to->families, more->families, wins);
    fill_tri(&to->has_start_row, more->has_start_row, wins);
    fill_tri(&to->has_stop_row, more->has_stop_row, wins);
    fill_tri(&to->full_range, more->full_range, wins);
    fill_tri(&to->cache_blocks, more->cache_blocks, wins);
    fill_number(&to->caching, more->caching, wins);
    fill_number(&to->batch, more->batch, wins);
    fill_number(&to->actions, more->actions, wins);
    to->param_cut = to->param_cut && more->param_cut;
}

static void merge_call(dx_call *to, const dx_call *more) {
    merge_param(to, more);
    fill_number(&to->start_ms, more->start_ms, false);
    fill_number(&to->proc_ms, more->proc_ms, false);
    fill_number(&to->queue_ms, more->queue_ms, false);
    fill_number(&to->response_bytes, more->response_bytes, false);
    fill(&to->method, more->method, false);
    fill(&to->client, more->client, false);
    fill(&to->client_address, more->client_address, false);
    fill(&to->user, more->user, false);
    fill(&to->server_class, more->server_class, false);
}

static bool copy_text(dx_arena *a, dx_slice *s) {
    char *p = s->n == 0 ? NULL : dx_arena_dup(a, *s);
    bool good = s->n == 0 || p != NULL;
    s->p = p;
    return good;
}

dx_call *calls_copy(dx_arena *a, const dx_call *call) {
    dx_call *c = dx_arena_alloc(a, sizeof *c);
    if (c == NULL)
        return NULL;
    *c = *call;
    dx_slice *const texts[] = {&c->method,       &c->client,      &c->client_address, &c->user,
                               &c->server_class, &c->table,       &c->region,         &c->encoded,
                               &c->row,          &c->start_row,   &c->stop_row,       &c->filters,
                               &c->families,     &c->operation_id};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!copy_text(a, texts[i]))
            return NULL;
    return c;
}

/* What sources tell differently is as the first of them tells it. */
static dx_status tell_more(calls_same *s, kept *is, const calls_seen *seen, dx_err *err) {
    dx_call *more = calls_copy(s->texts, seen->call);
    if (more == NULL)
        return no_memory(err);
    if (seen->source >= is->seen.source) {
        merge_call(is->call, more);
        return DX_OK;
    }
    merge_call(more, is->call);
    is->seen.call = is->call = more;
    is->seen.source = seen->source;
    is->seen.line = seen->line;
    return DX_OK;
}

dx_status calls_same_dump(calls_same *s, const calls_seen *seen, bool *added, dx_err *err) {
    uint64_t at;
    if (s->source != seen->source) {
        dx_map_free(s->nth);
        s->nth = dx_map_new();
        s->source = seen->source;
    }
    uint64_t n = s->nth == NULL ? 0 : count(s, count_key(seen->call, seen->same));
    if (n == 0)
        return no_memory(err);
    *added = !dump_call(s, seen->same, n, &at);
    if (!*added)
        return tell_more(s, &s->calls[at], seen, err);
    const uint64_t name[2] = {seen->same, n};
    void *p = s->calls;
    if (!dx_grow(&p, &s->cap, s->n + 1, sizeof *s->calls))
        return no_memory(err);
    s->calls = p;
    kept *k = &s->calls[s->n];
    *k = (kept){.seen = *seen, .call = calls_copy(s->texts, seen->call)};
    k->seen.call = k->call;
    if (k->call == NULL || !dx_map_put(s->dumps, dx_sn((const char *)name, sizeof name), s->n))
        return no_memory(err);
    s->n++;
    return DX_OK;
}

/* The n-th of a key in all logs together is the n-th of each dump. */
static dx_status match_dump(calls_same *s, const calls_seen *seen, bool *added, dx_err *err) {
    uint64_t at, n = count(s, seen->same);
    if (n == 0)
        return no_memory(err);
    *added = !dump_call(s, seen->same, n, &at);
    return *added ? DX_OK : tell_more(s, &s->calls[at], seen, err);
}

dx_status calls_same_log(calls_same *s, const calls_seen *seen, bool copies, bool *added,
                         dx_err *err) {
    *added = true;
    if (!s->logs) { /* from here on all logs are counted together */
        dx_map_free(s->nth);
        s->nth = dx_map_new();
        s->logs = s->nth != NULL;
        if (!s->logs)
            return no_memory(err);
    }
    if (copies) {
        record *r = record_of(s, seen->record_hash == 0 ? 1 : seen->record_hash);
        if (r == NULL)
            return no_memory(err);
        *added = is_new(r, seen->source);
    }
    if (!*added || s->n == 0 || !calls_same_has(s, seen->same))
        return DX_OK;
    return match_dump(s, seen, added, err);
}

/* dx_digest.c - keeps every number of a group (24 bytes a call) and sorts at the end: quantiles are
 * those of the calls, not of a sketch. */
#include "dx_digest.h"
#include "dx_map.h"
#include "dx_mem.h"

#include <stdlib.h>
#include <string.h>

typedef struct numbers {
    int64_t *v;
    size_t n, cap;
} numbers;

typedef struct group {
    dx_digest_group out;
    numbers proc, queue, bytes;
    int64_t worst_ms; /* DX_UNKNOWN: no call told its time */
} group;

struct dx_digest {
    dx_map *index; /* key -> index in groups */
    group *groups;
    size_t n, cap;
    bool finished;
};

dx_digest *dx_digest_new(void) {
    dx_digest *d = dx_calloc(1, sizeof *d);
    if (d == NULL)
        return NULL;
    d->index = dx_map_new();
    if (d->index == NULL) {
        free(d);
        return NULL;
    }
    return d;
}

void dx_digest_free(dx_digest *d) {
    if (d == NULL)
        return;
    for (size_t i = 0; i < d->n; i++) {
        free(d->groups[i].proc.v);
        free(d->groups[i].queue.v);
        free(d->groups[i].bytes.v);
    }
    free(d->groups);
    dx_map_free(d->index);
    free(d);
}

static bool keep(numbers *s, int64_t v) {
    if (v == DX_UNKNOWN)
        return true;
    void *p = s->v;
    if (!dx_grow(&p, &s->cap, s->n + 1, sizeof *s->v))
        return false;
    s->v = p;
    s->v[s->n++] = v;
    return true;
}

/* The group of key, made when it is new; NULL: no memory. */
static group *group_of(dx_digest *d, dx_slice key) {
    uint64_t at;
    if (dx_map_get(d->index, key, &at))
        return &d->groups[at];
    void *p = d->groups;
    if (!dx_grow(&p, &d->cap, d->n + 1, sizeof *d->groups))
        return NULL;
    d->groups = p;
    if (!dx_map_put(d->index, key, d->n))
        return NULL;
    group *g = &d->groups[d->n++];
    *g =
        (group){.out = {.first_ms = DX_TIME_NONE, .last_ms = DX_TIME_NONE}, .worst_ms = DX_UNKNOWN};
    return g;
}

static void note_time(dx_digest_group *g, int64_t ms) {
    if (ms == DX_TIME_NONE)
        return;
    if (g->first_ms == DX_TIME_NONE || ms < g->first_ms)
        g->first_ms = ms;
    if (g->last_ms == DX_TIME_NONE || ms > g->last_ms)
        g->last_ms = ms;
}

dx_status dx_digest_add(dx_digest *d, dx_slice key, const dx_digest_call *call, dx_err *err) {
    if (d->finished)
        return dx_fail(err, DX_E_USAGE, "digest: a call was added after finish");
    group *g = group_of(d, key);
    if (g == NULL || !keep(&g->proc, call->proc_ms) || !keep(&g->queue, call->queue_ms)
        || !keep(&g->bytes, call->response_bytes))
        return dx_fail(err, DX_E_NOMEM, "digest: no memory for another call");
    /* DX_UNKNOWN is the smallest number, so a told time always wins */
    if (g->out.calls == 0 || call->proc_ms > g->worst_ms) {
        g->worst_ms = call->proc_ms;
        g->out.worst_ref = call->ref;
    }
    g->out.calls++;
    note_time(&g->out, call->start_ms);
    return DX_OK;
}

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static int64_t add(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? (b > 0 ? INT64_MAX : INT64_MIN) : sum;
}

/* The ceil(percent/100 * n)-th smallest of sorted, non-empty numbers. */
static int64_t rank(const numbers *s, size_t percent) {
    return s->v[(s->n * percent + 99) / 100 - 1];
}

static dx_spread spread(numbers *s) {
    if (s->n == 0)
        return (dx_spread){0};
    qsort(s->v, s->n, sizeof *s->v, by_value);
    dx_spread out = {.n = s->n, .p50 = rank(s, 50), .p95 = rank(s, 95), .max = s->v[s->n - 1]};
    for (size_t i = 0; i < s->n; i++)
        out.sum = add(out.sum, s->v[i]);
    return out;
}

static int by_weight(const void *a, const void *b) {
    const dx_digest_group *x = &((const group *)a)->out, *y = &((const group *)b)->out;
    if (x->proc_ms.sum != y->proc_ms.sum)
        return x->proc_ms.sum > y->proc_ms.sum ? -1 : 1;
    size_t n = x->key.n < y->key.n ? x->key.n : y->key.n;
    int c = n == 0 ? 0 : memcmp(x->key.p, y->key.p, n);
    return c != 0 ? c : (x->key.n > y->key.n) - (x->key.n < y->key.n);
}

dx_status dx_digest_finish(dx_digest *d, dx_err *err) {
    if (d->finished)
        return dx_fail(err, DX_E_USAGE, "digest: finished twice");
    size_t at = 0;
    dx_slice key;
    uint64_t i;
    while (dx_map_each(d->index, &at, &key, &i)) {
        group *g = &d->groups[i];
        g->out.key = key;
        g->out.proc_ms = spread(&g->proc);
        g->out.queue_ms = spread(&g->queue);
        g->out.response_bytes = spread(&g->bytes);
    }
    if (d->n > 1)
        qsort(d->groups, d->n, sizeof *d->groups, by_weight);
    d->finished = true;
    return DX_OK;
}

size_t dx_digest_count(const dx_digest *d) {
    return d->finished ? d->n : 0;
}

const dx_digest_group *dx_digest_at(const dx_digest *d, size_t i) {
    return i < dx_digest_count(d) ? &d->groups[i].out : NULL;
}

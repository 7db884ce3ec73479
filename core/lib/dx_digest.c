/* dx_digest.c - the groups and their index. Twice as many groups as are kept may be there; then the
 * lighter half goes to the others, and what went sets the error of every key that comes (again)
 * later: a key that is not here has lost no more than the heaviest group that ever went. */
#include "dx_digest_int.h"
#include "dx_mem.h"

#include <stdlib.h>
#include <string.h>

#define ROOM  (2 * (size_t)DX_DIGEST_GROUPS)
#define SLOTS 256 /* to begin with */

struct dx_digest {
    digest_group *groups;
    size_t n, cap;
    uint32_t *slots; /* 1 + index of a group; 0: empty */
    size_t nslots;   /* a power of two */
    digest_group others;
    uint64_t missed_calls; /* of a key that is not here */
    int64_t missed_ms;
    digest_group *last; /* of the call that was added last */
    int64_t last_ms;
    bool finished;
};

dx_digest *dx_digest_new(void) {
    dx_digest *d = dx_calloc(1, sizeof *d);
    if (d == NULL)
        return NULL;
    d->nslots = SLOTS;
    d->slots = dx_calloc(d->nslots, sizeof *d->slots);
    if (d->slots == NULL) {
        free(d);
        return NULL;
    }
    digest_group_init(&d->others, (dx_slice){NULL, 0}, 0);
    return d;
}

void dx_digest_free(dx_digest *d) {
    if (d == NULL)
        return;
    for (size_t i = 0; i < d->n; i++)
        digest_group_done(&d->groups[i]);
    digest_group_done(&d->others);
    free(d->groups);
    free(d->slots);
    free(d);
}

/* --- the index */

/* Eight bytes at a time; for this table only. */
static uint64_t hash_of(dx_slice key) {
    uint64_t h = key.n * UINT64_C(0x9e3779b97f4a7c15), word;
    for (size_t i = 0; i < key.n; i += sizeof word) {
        size_t n = key.n - i < sizeof word ? key.n - i : sizeof word;
        word = 0;
        memcpy(&word, key.p + i, n);
        h = (h ^ word) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    return h;
}

static size_t slot_of(const dx_digest *d, dx_slice key, uint64_t hash) {
    size_t mask = d->nslots - 1, at = (size_t)hash & mask;
    for (; d->slots[at] != 0; at = (at + 1) & mask) {
        const digest_group *g = &d->groups[d->slots[at] - 1];
        if (g->hash == hash && dx_slice_eq(g->out.key, key))
            break;
    }
    return at;
}

static void index_all(dx_digest *d) {
    memset(d->slots, 0, d->nslots * sizeof *d->slots);
    for (size_t i = 0; i < d->n; i++) {
        size_t at = (size_t)d->groups[i].hash & (d->nslots - 1);
        while (d->slots[at] != 0)
            at = (at + 1) & (d->nslots - 1);
        d->slots[at] = (uint32_t)i + 1;
    }
}

static bool grow_index(dx_digest *d) {
    if ((d->n + 1) * 2 <= d->nslots)
        return true;
    uint32_t *slots = dx_calloc(d->nslots * 2, sizeof *slots);
    if (slots == NULL)
        return false;
    free(d->slots);
    d->slots = slots;
    d->nslots *= 2;
    index_all(d);
    return true;
}

/* --- which groups are kept */

typedef struct weight {
    int64_t ms; /* processing time of the group as far as it can be, and a millisecond a call */
    digest_group *g;
} weight;

static int by_key(dx_slice x, dx_slice y) {
    size_t n = x.n < y.n ? x.n : y.n;
    int c = n == 0 ? 0 : memcmp(x.p, y.p, n);
    return c != 0 ? c : (x.n > y.n) - (x.n < y.n);
}

static int heaviest(const void *a, const void *b) {
    const weight *x = a, *y = b;
    if (x->ms != y->ms)
        return x->ms > y->ms ? -1 : 1;
    return by_key(x->g->out.key, y->g->out.key);
}

static weight weight_of(digest_group *g) {
    int64_t ms = digest_add(g->of[DIGEST_PROC].sum, g->out.missed_ms);
    return (weight){digest_add(ms, (int64_t)(g->out.calls + g->out.missed_calls)), g};
}

/* The group goes to the others; its place is then empty: it has no calls. */
static bool give_up(dx_digest *d, digest_group *g) {
    uint64_t calls = digest_add_calls(g->out.calls, g->out.missed_calls);
    int64_t ms = digest_add(g->of[DIGEST_PROC].sum, g->out.missed_ms);
    d->missed_calls = calls > d->missed_calls ? calls : d->missed_calls;
    d->missed_ms = ms > d->missed_ms ? ms : d->missed_ms;
    if (!digest_group_merge(&d->others, g))
        return false;
    digest_group_done(g);
    g->out.calls = 0;
    return true;
}

static void close_gaps(dx_digest *d) {
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++)
        if (d->groups[i].out.calls > 0)
            d->groups[n++] = d->groups[i];
    d->n = n;
    d->last = NULL;
    index_all(d);
}

/* Keeps the DX_DIGEST_GROUPS heaviest groups. */
static bool prune(dx_digest *d) {
    if (d->n <= DX_DIGEST_GROUPS)
        return true;
    weight *w = dx_calloc(d->n, sizeof *w);
    bool good = w != NULL;
    for (size_t i = 0; good && i < d->n; i++)
        w[i] = weight_of(&d->groups[i]);
    if (good)
        qsort(w, d->n, sizeof *w, heaviest);
    for (size_t i = DX_DIGEST_GROUPS; good && i < d->n; i++)
        good = give_up(d, w[i].g);
    free(w);
    close_gaps(d);
    return good;
}

/* --- adding */

/* A new group, at the free slot of key. */
static digest_group *new_group(dx_digest *d, dx_slice key, uint64_t hash) {
    if ((d->n == ROOM && !prune(d)) || !grow_index(d))
        return NULL;
    void *p = d->groups;
    char *copy = malloc(key.n + 1);
    if (copy == NULL || !dx_grow(&p, &d->cap, d->n + 1, sizeof *d->groups)) {
        free(copy);
        return NULL;
    }
    d->groups = p;
    if (key.n > 0)
        memcpy(copy, key.p, key.n);
    digest_group *g = &d->groups[d->n++];
    digest_group_init(g, dx_sn(copy, key.n), hash);
    g->out.missed_calls = d->missed_calls;
    g->out.missed_ms = d->missed_ms;
    d->slots[slot_of(d, key, hash)] = (uint32_t)d->n;
    return g;
}

/* The group of key, made when it is new; NULL: no memory. */
static digest_group *group_of(dx_digest *d, dx_slice key) {
    uint64_t hash = hash_of(key);
    size_t at = d->slots[slot_of(d, key, hash)];
    return at != 0 ? &d->groups[at - 1] : new_group(d, key, hash);
}

static dx_status no_memory(dx_err *err) {
    return dx_fail(err, DX_E_NOMEM, "digest: no memory for another call");
}

dx_status dx_digest_add(dx_digest *d, dx_slice key, const dx_digest_call *call, dx_err *err) {
    if (d->finished)
        return dx_fail(err, DX_E_USAGE, "digest: a call was added after finish");
    d->last = group_of(d, key);
    if (d->last == NULL || !digest_group_add(d->last, call))
        return no_memory(err);
    d->last_ms = call->proc_ms;
    return DX_OK;
}

bool dx_digest_wants_note(const dx_digest *d) {
    return d->last != NULL && d->last_ms == d->last->worst_ms;
}

dx_status dx_digest_note(dx_digest *d, dx_slice note, dx_err *err) {
    if (!dx_digest_wants_note(d))
        return dx_fail(err, DX_E_USAGE, "digest: that call is not the longest of its group");
    return digest_group_note(d->last, note) ? DX_OK : no_memory(err);
}

/* --- merging */

/* What is missing of a key may be missing in both. */
static dx_status merge_group(dx_digest *into, const dx_digest *from, const digest_group *g,
                             dx_slice key, dx_err *err) {
    digest_group *to = group_of(into, key);
    if (to == NULL)
        return no_memory(err);
    if (to->raised) { /* for a key that from has not; but it has it */
        to->raised = false;
        to->out.missed_calls -= from->missed_calls;
        to->out.missed_ms -= from->missed_ms;
    }
    return digest_group_merge(to, g) ? DX_OK : no_memory(err);
}

static void may_lack(dx_digest *d, const dx_digest *from) {
    for (size_t i = 0; i < d->n; i++) {
        digest_group *g = &d->groups[i];
        g->raised = true;
        g->out.missed_calls = digest_add_calls(g->out.missed_calls, from->missed_calls);
        g->out.missed_ms = digest_add(g->out.missed_ms, from->missed_ms);
    }
}

dx_status dx_digest_merge_as(dx_digest *into, const dx_digest *from,
                             dx_slice (*rename)(void *arg, dx_slice key), void *arg, dx_err *err) {
    dx_status st = DX_OK;
    if (into->finished)
        return dx_fail(err, DX_E_USAGE, "digest: merged into after finish");
    into->last = NULL;
    may_lack(into, from);
    for (size_t i = 0; i < from->n && st == DX_OK; i++) {
        const digest_group *g = &from->groups[i];
        st = merge_group(into, from, g, rename == NULL ? g->out.key : rename(arg, g->out.key), err);
    }
    if (st == DX_OK && from->others.out.calls > 0
        && !digest_group_merge(&into->others, &from->others))
        st = no_memory(err);
    into->missed_calls = digest_add_calls(into->missed_calls, from->missed_calls);
    into->missed_ms = digest_add(into->missed_ms, from->missed_ms);
    return st;
}

/* Up to a little over DIGEST_CALLS_MAX. */
static uint64_t calls_of(const dx_digest *d) {
    uint64_t calls = d->others.out.calls;
    for (size_t i = 0; i < d->n && calls <= DIGEST_CALLS_MAX; i++)
        calls += d->groups[i].out.calls;
    return calls;
}

dx_status dx_digest_merge(dx_digest *into, const dx_digest *from, dx_err *err) {
    if (calls_of(into) + calls_of(from) > DIGEST_CALLS_MAX)
        return dx_fail(err, DX_E_LIMIT, "digest: more calls than can be counted");
    return dx_digest_merge_as(into, from, NULL, NULL, err);
}

bool dx_digest_each_key(const dx_digest *d, bool (*good)(const void *arg, dx_slice key),
                        const void *arg) {
    for (size_t i = 0; i < d->n; i++)
        if (!good(arg, d->groups[i].out.key))
            return false;
    return true;
}

dx_status dx_digest_trim(dx_digest *d, dx_err *err) {
    if (!prune(d))
        return no_memory(err);
    size_t cap = d->n + d->n / 8 + 1;
    digest_group *less = cap < d->cap ? realloc(d->groups, cap * sizeof *less) : NULL;
    if (less != NULL) {
        d->groups = less;
        d->cap = cap;
        d->last = NULL;
    }
    return DX_OK;
}

/* --- the end */

static int by_weight(const void *a, const void *b) {
    const dx_digest_group *x = &((const digest_group *)a)->out;
    const dx_digest_group *y = &((const digest_group *)b)->out;
    if (x->proc_ms.sum != y->proc_ms.sum)
        return x->proc_ms.sum > y->proc_ms.sum ? -1 : 1;
    return by_key(x->key, y->key);
}

dx_status dx_digest_finish(dx_digest *d, dx_err *err) {
    if (d->finished)
        return dx_fail(err, DX_E_USAGE, "digest: finished twice");
    if (!prune(d))
        return no_memory(err);
    for (size_t i = 0; i < d->n; i++)
        digest_group_finish(&d->groups[i]);
    d->others.out.missed_calls = 0; /* nothing of theirs is anywhere else */
    d->others.out.missed_ms = 0;
    digest_group_finish(&d->others);
    if (d->n > 1)
        qsort(d->groups, d->n, sizeof *d->groups, by_weight);
    for (size_t i = 0; i < d->n; i++) /* where they stay */
        d->groups[i].out.hours = &d->groups[i].hours;
    d->others.out.hours = &d->others.hours;
    d->last = NULL;
    d->finished = true;
    return DX_OK;
}

size_t dx_digest_count(const dx_digest *d) {
    return d->finished ? d->n : 0;
}

const dx_digest_group *dx_digest_at(const dx_digest *d, size_t i) {
    return i < dx_digest_count(d) ? &d->groups[i].out : NULL;
}

const dx_digest_group *dx_digest_others(const dx_digest *d) {
    return d->finished && d->others.out.calls > 0 ? &d->others.out : NULL;
}

/* --- as bytes */

void dx_digest_write(const dx_digest *d, dx_buf *out) {
    dx_pack_u64(out, d->missed_calls);
    dx_pack_i64(out, d->missed_ms);
    dx_pack_u64(out, d->others.out.calls > 0);
    if (d->others.out.calls > 0)
        digest_group_write(&d->others, out);
    dx_pack_u64(out, d->n);
    for (size_t i = 0; i < d->n; i++) {
        dx_pack_text(out, d->groups[i].out.key);
        digest_group_write(&d->groups[i], out);
    }
}

/* False: in->failed, or no memory. */
static bool read_groups(dx_digest *d, dx_unpack *in) {
    uint64_t n = dx_unpack_upto(in, DX_DIGEST_GROUPS);
    for (uint64_t i = 0; i < n && !in->failed; i++) {
        dx_slice key = dx_unpack_text(in);
        digest_group *g = in->failed ? NULL : group_of(d, key);
        if (g == NULL)
            return false;
        in->failed = g->out.calls > 0; /* the same key twice */
        if (in->failed || !digest_group_read(g, in))
            return false;
    }
    return !in->failed;
}

static bool read_digest(dx_digest *d, dx_unpack *in) {
    d->missed_calls = dx_unpack_upto(in, DIGEST_CALLS_MAX);
    d->missed_ms = dx_unpack_i64(in);
    in->failed = in->failed || d->missed_ms < 0;
    if (dx_unpack_upto(in, 1) == 1 && !digest_group_read(&d->others, in))
        return false;
    if (in->failed || !read_groups(d, in))
        return false;
    in->failed = calls_of(d) > DIGEST_CALLS_MAX;
    return !in->failed;
}

dx_status dx_digest_read(dx_digest **out, dx_unpack *in, dx_err *err) {
    dx_digest *d = dx_digest_new();
    if (d != NULL && read_digest(d, in)) {
        *out = d;
        return DX_OK;
    }
    dx_digest_free(d);
    return in->failed ? dx_fail(err, DX_E_PARSE, "digest: its bytes are no digest")
                      : no_memory(err);
}

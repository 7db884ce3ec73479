/* dx_digest_group.c - the numbers of one group. A single number needs no memory of its own: most
 * groups of a digest with very many have one call. */
#include "dx_digest_int.h"
#include "dx_mem.h"

#include <stdlib.h>
#include <string.h>

int64_t digest_add(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? (b > 0 ? INT64_MAX : INT64_MIN) : sum;
}

uint64_t digest_add_calls(uint64_t a, uint64_t b) {
    return a > DIGEST_CALLS_MAX - b ? DIGEST_CALLS_MAX : a + b;
}

/* --- numbers */

static const int64_t *values(const digest_numbers *s) {
    return s->v == NULL ? &s->one : s->v;
}

static bool to_sketch(digest_numbers *s) {
    dx_sketch *sketch = dx_sketch_new();
    bool good = sketch != NULL;
    for (uint64_t i = 0; good && i < s->n; i++)
        good = dx_sketch_add(sketch, values(s)[i]);
    if (!good) {
        dx_sketch_free(sketch);
        return false;
    }
    free(s->v);
    s->v = NULL;
    s->cap = 0;
    s->one = 0;
    s->sketch = sketch;
    return true;
}

/* Room for so many numbers in all, of which there are two or more. */
static bool reserve(digest_numbers *s, uint64_t n) {
    void *p = s->v;
    if (!dx_grow(&p, &s->cap, (size_t)n, sizeof *s->v))
        return false;
    s->v = p;
    if (s->n == 1)
        s->v[0] = s->one;
    return true;
}

static bool store(digest_numbers *s, int64_t v) {
    if (s->sketch == NULL && s->n == DX_DIGEST_EXACT && !to_sketch(s))
        return false;
    if (s->sketch != NULL)
        return dx_sketch_add(s->sketch, v);
    if (s->n == 0) {
        s->one = v;
        return true;
    }
    if (s->n >= s->cap && !reserve(s, s->n + 1))
        return false;
    s->v[s->n] = v;
    return true;
}

static bool keep(digest_numbers *s, int64_t v) {
    if (v == DX_UNKNOWN)
        return true;
    if (!store(s, v))
        return false;
    s->max = s->n == 0 || v > s->max ? v : s->max;
    s->sum = digest_add(s->sum, v);
    s->n++;
    return true;
}

static void take_totals(digest_numbers *into, const digest_numbers *from) {
    into->max = into->n == 0 || from->max > into->max ? from->max : into->max;
    into->sum = digest_add(into->sum, from->sum);
    into->n += from->n;
}

static bool merge_sketch(digest_numbers *into, const digest_numbers *from) {
    if (into->sketch == NULL && !to_sketch(into))
        return false;
    if (!dx_sketch_merge(into->sketch, from->sketch))
        return false;
    take_totals(into, from);
    return true;
}

/* All of them behind each other, where they stay numbers. */
static bool append(digest_numbers *into, const digest_numbers *from) {
    if (into->n + from->n == 1)
        into->one = values(from)[0];
    else if (!reserve(into, into->n + from->n))
        return false;
    else
        memcpy(into->v + into->n, values(from), (size_t)from->n * sizeof *into->v);
    take_totals(into, from);
    return true;
}

static bool merge_numbers(digest_numbers *into, const digest_numbers *from) {
    if (from->sketch != NULL)
        return merge_sketch(into, from);
    if (from->n == 0)
        return true;
    if (into->sketch == NULL && into->n + from->n <= DX_DIGEST_EXACT)
        return append(into, from);
    for (uint64_t i = 0; i < from->n; i++)
        if (!keep(into, values(from)[i]))
            return false;
    return true;
}

static void swap(int64_t *a, int64_t *b) {
    int64_t t = *a;
    *a = *b;
    *b = t;
}

/* Puts the middle of three first, where Hoare's partition looks for it. */
static void pick_middle(int64_t *v, size_t n) {
    int64_t *a = v, *b = v + n / 2, *c = v + n - 1;
    if (*a > *b)
        swap(a, b);
    if (*b > *c)
        swap(b, c);
    if (*a < *b)
        swap(a, b);
}

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void sort(int64_t *v, size_t n) {
    qsort(v, n, sizeof *v, by_value);
}

#define ROUNDS 100 /* more are needed for numbers that somebody made to need them */

/* Moves the numbers of [from, to) so that the k-th of all, counted from 0, stands in its place,
 * none larger before it and none smaller behind it. */
static void select_place(int64_t *v, size_t from, size_t to, size_t k) {
    for (int round = 0; to - from > 1; round++) {
        if (round == ROUNDS) {
            sort(v + from, to - from);
            return;
        }
        pick_middle(v + from, to - from);
        int64_t pivot = v[from];
        size_t i = from, j = to - 1;
        for (;;) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i >= j)
                break;
            swap(&v[i++], &v[j--]);
        }
        if (k <= j)
            to = j + 1;
        else
            from = j + 1;
    }
}

/* ceil(percent/100 * n) */
static uint64_t place_of(uint64_t n, uint64_t percent) {
    return n / 100 * percent + (n % 100 * percent + 99) / 100;
}

static int64_t rank(const digest_numbers *s, uint64_t percent) {
    uint64_t r = place_of(s->n, percent);
    if (s->sketch == NULL)
        return values(s)[r - 1];
    int64_t v = dx_sketch_rank(s->sketch, r);
    return v < s->max ? v : s->max;
}

static dx_spread spread(digest_numbers *s) {
    if (s->n == 0)
        return (dx_spread){.exact = true};
    if (s->v != NULL) {
        size_t n = (size_t)s->n, half = (size_t)place_of(s->n, 50) - 1;
        select_place(s->v, 0, n, half);
        if (half + 1 < n)
            select_place(s->v, half + 1, n, (size_t)place_of(s->n, 95) - 1);
    }
    return (dx_spread){.n = s->n,
                       .sum = s->sum,
                       .p50 = rank(s, 50),
                       .p95 = rank(s, 95),
                       .max = s->max,
                       .exact = s->sketch == NULL};
}

/* --- the group */

void digest_group_init(digest_group *g, dx_slice key, uint64_t hash) {
    *g = (digest_group){.out = {.key = key,
                                .first_ms = DX_TIME_NONE,
                                .last_ms = DX_TIME_NONE,
                                .worst_ref = DX_UNKNOWN},
                        .hash = hash,
                        .worst_ms = DX_UNKNOWN};
}

void digest_group_done(digest_group *g) {
    for (size_t i = 0; i < DIGEST_FIELDS; i++) {
        free(g->of[i].v);
        dx_sketch_free(g->of[i].sketch);
    }
    dx_tally_done(&g->hours);
    free((char *)g->out.key.p);
    free((char *)g->out.note.p);
}

static void note_time(dx_digest_group *g, int64_t ms) {
    if (ms == DX_TIME_NONE)
        return;
    if (g->first_ms == DX_TIME_NONE || ms < g->first_ms)
        g->first_ms = ms;
    if (g->last_ms == DX_TIME_NONE || ms > g->last_ms)
        g->last_ms = ms;
}

bool digest_group_add(digest_group *g, const dx_digest_call *call) {
    if (!keep(&g->of[DIGEST_PROC], call->proc_ms) || !keep(&g->of[DIGEST_QUEUE], call->queue_ms)
        || !keep(&g->of[DIGEST_BYTES], call->response_bytes)
        || (call->start_ms != DX_TIME_NONE && !dx_tally_add(&g->hours, call->start_ms)))
        return false;
    /* DX_UNKNOWN is the smallest number, so a told time always wins */
    if (g->out.calls == 0 || call->proc_ms > g->worst_ms) {
        g->worst_ms = call->proc_ms;
        g->out.worst_ref = call->ref;
        g->out.note.n = 0; /* of a call that is the longest no more */
    }
    g->out.calls++;
    note_time(&g->out, call->start_ms);
    return true;
}

static bool smaller(dx_slice a, dx_slice b) {
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n == 0 ? 0 : memcmp(a.p, b.p, n);
    return c < 0 || (c == 0 && a.n < b.n);
}

bool digest_group_note(digest_group *g, dx_slice note) {
    if (note.n == 0 || (g->out.note.n > 0 && !smaller(note, g->out.note)))
        return true;
    char *copy = realloc((char *)g->out.note.p, note.n);
    if (copy == NULL)
        return false;
    memcpy(copy, note.p, note.n);
    g->out.note = dx_sn(copy, note.n);
    return true;
}

bool digest_group_merge(digest_group *into, const digest_group *from) {
    for (size_t i = 0; i < DIGEST_FIELDS; i++)
        if (!merge_numbers(&into->of[i], &from->of[i]))
            return false;
    if (!dx_tally_merge(&into->hours, &from->hours))
        return false;
    if (into->out.calls == 0 || from->worst_ms > into->worst_ms) {
        into->worst_ms = from->worst_ms;
        into->out.note.n = 0;
    }
    into->out.worst_ref = DX_UNKNOWN;
    into->out.calls += from->out.calls;
    into->out.parts++;
    into->out.missed_calls = digest_add_calls(into->out.missed_calls, from->out.missed_calls);
    into->out.missed_ms = digest_add(into->out.missed_ms, from->out.missed_ms);
    note_time(&into->out, from->out.first_ms);
    note_time(&into->out, from->out.last_ms);
    return from->worst_ms < into->worst_ms || digest_group_note(into, from->out.note);
}

void digest_group_finish(digest_group *g) {
    g->out.proc_ms = spread(&g->of[DIGEST_PROC]);
    g->out.queue_ms = spread(&g->of[DIGEST_QUEUE]);
    g->out.response_bytes = spread(&g->of[DIGEST_BYTES]);
}

/* --- as bytes. What follows from the numbers is not written, so that it cannot be wrong. */

static void write_numbers(const digest_numbers *s, dx_buf *out) {
    int64_t before = 0;
    dx_pack_u64(out, s->n);
    if (s->sketch != NULL) {
        dx_pack_i64(out, s->sum);
        dx_pack_i64(out, s->max);
        dx_sketch_write(s->sketch, out);
        return;
    }
    if (s->v != NULL) /* their order is nobody's but this file's */
        sort(s->v, (size_t)s->n);
    for (uint64_t i = 0; i < s->n; i++) {
        dx_pack_u64(out, (uint64_t)values(s)[i] - (uint64_t)before);
        before = values(s)[i];
    }
}

/* A sketch whose count, sum and largest number are its own. */
static bool read_sketch(digest_numbers *s, uint64_t n, dx_unpack *in) {
    s->sum = dx_unpack_i64(in);
    s->max = dx_unpack_i64(in);
    s->sketch = dx_sketch_read(in);
    s->n = n;
    if (s->sketch == NULL)
        return false;
    bool good = dx_sketch_count(s->sketch) == n && s->max >= 0 && s->sum >= s->max
                && dx_sketch_rank(s->sketch, n) == dx_sketch_middle(dx_sketch_bucket(s->max));
    in->failed = in->failed || !good;
    return good;
}

static bool read_numbers(digest_numbers *s, dx_unpack *in) {
    uint64_t n = dx_unpack_u64(in), v = 0;
    if (n > DX_DIGEST_EXACT)
        return read_sketch(s, n, in);
    for (uint64_t i = 0; i < n && !in->failed; i++) {
        uint64_t step = dx_unpack_u64(in);
        in->failed = in->failed || (i > 0 && step > (uint64_t)INT64_MAX);
        v += step;
        in->failed = in->failed || (int64_t)v == DX_UNKNOWN || (i > 0 && (int64_t)v < s->max);
        if (!in->failed && !keep(s, (int64_t)v))
            return false;
    }
    return !in->failed;
}

void digest_group_write(const digest_group *g, dx_buf *out) {
    dx_pack_u64(out, g->out.calls);
    dx_pack_u64(out, g->out.missed_calls);
    dx_pack_i64(out, g->out.missed_ms);
    dx_pack_i64(out, g->out.first_ms);
    dx_pack_i64(out, g->out.last_ms);
    dx_pack_text(out, g->out.note);
    for (size_t i = 0; i < DIGEST_FIELDS; i++)
        write_numbers(&g->of[i], out);
    dx_tally_write(&g->hours, out);
}

bool digest_group_read(digest_group *g, dx_unpack *in) {
    g->out.calls = dx_unpack_upto(in, DIGEST_CALLS_MAX);
    g->out.missed_calls = dx_unpack_upto(in, DIGEST_CALLS_MAX);
    g->out.missed_ms = dx_unpack_i64(in);
    g->out.first_ms = dx_unpack_i64(in);
    g->out.last_ms = dx_unpack_i64(in);
    dx_slice note = dx_unpack_text(in);
    for (size_t i = 0; i < DIGEST_FIELDS; i++) {
        if (in->failed || !read_numbers(&g->of[i], in))
            return false;
        in->failed = in->failed || g->of[i].n > g->out.calls;
    }
    const digest_numbers *proc = &g->of[DIGEST_PROC];
    g->worst_ms = proc->n == 0 ? DX_UNKNOWN : proc->max;
    in->failed = in->failed || g->out.calls == 0 || g->out.missed_ms < 0
                 || (g->out.first_ms == DX_TIME_NONE) != (g->out.last_ms == DX_TIME_NONE)
                 || g->out.first_ms > g->out.last_ms;
    return !in->failed && dx_tally_read(&g->hours, in) && digest_group_note(g, note);
}

/* dx_calls_run.c - the logs over threads. A log is cut into units where a record surely begins; a
 * thread takes the next unit of the first log that nobody is reading, parses it, and leaves what it
 * found. That is taken over strictly in order, by whoever finds the next unit ready. A log that
 * cannot be cut, and the end of each, is parsed while it is read. */
#include "dx_calls_int.h"
#include "dx_logline.h"
#include "dx_logwrap.h"
#include "dx_mem.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define UNIT_BYTES (2u << 20)  /* of text */
#define AHEAD_MAX  (12u << 20) /* bytes of what was found, and is not taken over yet */

typedef struct found_list {
    calls_found *v;
    size_t n, cap;
    dx_buf text; /* of keys and told; in v their pointers are offsets until the end */
    dx_arena *calls;
} found_list;

typedef struct unit {
    struct unit *next; /* of its source, ascending */
    uint64_t number;
    bool last; /* of its source */
    dx_calls_file file;
    calls_regions regions;
    found_list found;
    uint64_t fingerprint, bytes; /* of the source, in its last unit */
} unit;

typedef struct source {
    size_t file; /* of the dx_calls */
    dx_input *in;
    bool busy, ended;
    uint64_t handed, taken; /* units */
    unit *ready;
} source;

typedef struct run {
    dx_calls *c;
    source *sources; /* the logs */
    size_t n, head;  /* all before head have been taken over */
    pthread_mutex_t lock;
    pthread_cond_t moved;
    bool taking;
    size_t ahead; /* bytes that wait */
    atomic_bool stopped;
    dx_status status; /* why all end; DX_OK */
    dx_err err;
} run;

/* --- what a thread has found */

static dx_status no_memory(dx_err *err) {
    return dx_fail(err, DX_E_NOMEM, "no memory for what is found in a log");
}

static unit *new_unit(void) {
    unit *u = dx_calloc(1, sizeof *u);
    if (u == NULL)
        return NULL;
    calls_file_begin(&u->file);
    dx_buf_init(&u->found.text, 0);
    u->found.calls = dx_arena_new(0);
    return u;
}

static void free_unit(unit *u) {
    if (u == NULL)
        return;
    dx_calls_file_done(&u->file);
    calls_regions_done(&u->regions);
    dx_buf_done(&u->found.text);
    dx_arena_free(u->found.calls);
    free(u->found.v);
    free(u);
}

static size_t weight(const unit *u) {
    return sizeof *u + u->found.cap * sizeof *u->found.v + u->found.text.cap;
}

typedef struct worker {
    run *r;
    unit *u;
    bool asks; /* the caller's thread: it asks whether to stop */
} worker;

static dx_status leave(void *arg, const calls_found *found, dx_err *err) {
    found_list *l = &((worker *)arg)->u->found;
    void *p = l->v;
    if (!dx_grow(&p, &l->cap, l->n + 1, sizeof *l->v))
        return no_memory(err);
    l->v = p;
    calls_found *f = &l->v[l->n++];
    *f = *found;
    f->whole = NULL;
    dx_buf_add(&l->text, found->key.p, found->key.n);
    size_t at = l->text.n;
    calls_told(found->whole, &l->text);
    f->told.n = l->text.n - at;
    if (found->seen.call != NULL && l->calls != NULL)
        f->seen.call = calls_copy(l->calls, found->seen.call);
    bool good = dx_buf_ok(&l->text) && (found->seen.call == NULL || (l->calls && f->seen.call));
    return good ? DX_OK : no_memory(err);
}

static bool stopped(void *arg) {
    const worker *w = arg;
    const dx_calls_opts *o = &w->r->c->opts;
    if (w->asks && o->stop != NULL && o->stop(o->stop_arg))
        atomic_store(&w->r->stopped, true);
    return atomic_load(&w->r->stopped);
}

/* --- cutting */

/* A line with a level or a logger of its own, and no wrapper before it, ends all that was before
 * it. */
static bool begins_record(dx_slice line) {
    dx_logwrap wrap;
    dx_logline l;
    return !dx_logwrap_read(line, &wrap) && dx_logline_read(line, &l)
           && (l.level.n > 0 || l.logger.n > 0);
}

/* The last place in text where a record begins; 0: there is none but its beginning. */
static size_t cut_of(dx_slice text) {
    ptrdiff_t end = dx_slice_rfind_char(text, '\n');
    while (end > 0) {
        ptrdiff_t before = dx_slice_rfind_char(dx_slice_sub(text, 0, (size_t)end), '\n');
        dx_slice line = dx_slice_sub(text, (size_t)(before + 1), (size_t)end);
        if (line.n > 0 && line.p[line.n - 1] == '\r')
            line.n--;
        if (before >= 0 && begins_record(line))
            return (size_t)(before + 1);
        end = before;
    }
    return 0;
}

/* A unit's own copy of text, for the source is read on while it is parsed; NULL: no memory. */
static char *take_text(dx_input *in, size_t n) {
    char *copy = malloc(n);
    if (copy == NULL)
        return NULL;
    memcpy(copy, dx_input_ahead(in, n).p, n);
    dx_input_pass(in, n);
    return copy;
}

/* --- parsing */

DX_MUST_CHECK static dx_status parse(worker *w, size_t at, dx_input *in, dx_log_seam *seam,
                                     dx_err *err) {
    calls_scan s = {.c = w->r->c,
                    .file = &w->u->file,
                    .source = w->r->sources[at].file,
                    .regions = &w->u->regions,
                    .seam = seam,
                    .take = leave,
                    .stop = stopped,
                    .arg = w};
    if (!calls_regions_open(&w->u->regions))
        return no_memory(err);
    return calls_scan_log(&s, in, err);
}

DX_MUST_CHECK static dx_status parse_text(worker *w, size_t at, char *text, size_t n, dx_err *err) {
    dx_input *in = NULL;
    dx_status st = dx_input_open_text(&in, dx_sn(text, n), "a part of a log", err);
    if (st == DX_OK)
        st = parse(w, at, in, NULL, err);
    dx_input_close(in);
    free(text);
    return st;
}

static void release(run *r, source *s, bool ended) {
    pthread_mutex_lock(&r->lock);
    s->busy = false;
    s->ended = ended;
    pthread_cond_broadcast(&r->moved);
    pthread_mutex_unlock(&r->lock);
}

/* Lines that the piece before has had. */
static void pass_lines(dx_input *in, uint64_t n) {
    for (; n > 0; n--) {
        dx_slice text = dx_input_ahead(in, UNIT_BYTES);
        ptrdiff_t end = dx_slice_find_char(text, '\n', 0);
        dx_input_pass(in, end < 0 ? text.n : (size_t)end + 1);
    }
}

/* What is left of a source, in one piece. */
DX_MUST_CHECK static dx_status parse_rest(worker *w, size_t at, dx_err *err) {
    source *s = &w->r->sources[at];
    calls_seam seam;
    dx_log_seam *m = calls_seam_begin(&seam, w->r->c, s->file, 0);
    dx_status st = parse(w, at, s->in, m, err);
    calls_seam_end(&seam, w->r->c, s->file);
    w->u->last = true;
    w->u->fingerprint = calls_fingerprint(w->r->c, s->file, s->in);
    w->u->bytes = dx_input_bytes_read(s->in);
    dx_input_close(s->in);
    s->in = NULL;
    release(w->r, s, true);
    return st;
}

/* The next unit of a source that this thread has for itself until it is released. */
DX_MUST_CHECK static dx_status read_unit(worker *w, size_t at, dx_err *err) {
    run *r = w->r;
    source *s = &r->sources[at];
    if (s->in == NULL) {
        dx_status st = calls_open(r->c, s->file, &s->in, err);
        if (st != DX_OK) {
            s->in = NULL;
            w->u->last = true;
            release(r, s, true);
            return calls_forgive(&w->u->file, st, err);
        }
    }
    if (w->u->number == 0 && r->c->files[s->file].skip > 0)
        pass_lines(s->in, r->c->files[s->file].skip);
    dx_slice text = dx_input_ahead(s->in, UNIT_BYTES);
    size_t n = text.n < UNIT_BYTES ? 0 : cut_of(text);
    if (n == 0)
        return parse_rest(w, at, err);
    char *copy = take_text(s->in, n);
    release(r, s, false);
    return copy == NULL ? no_memory(err) : parse_text(w, at, copy, n, err);
}

/* --- taking over */

DX_MUST_CHECK static dx_status take_calls(dx_calls *c, const unit *u, uint64_t lines, dx_err *err) {
    dx_slice text = dx_buf_slice(&u->found.text);
    dx_status st = DX_OK;
    size_t at = 0;
    for (size_t i = 0; i < u->found.n && st == DX_OK; i++) {
        calls_found f = u->found.v[i];
        f.seen.line += lines;
        f.key = dx_slice_sub(text, at, at + f.key.n);
        f.told = dx_slice_sub(text, at + f.key.n, at + f.key.n + f.told.n);
        at += f.key.n + f.told.n;
        st = calls_take(c, &f, err);
    }
    return st;
}

DX_MUST_CHECK static dx_status learn(dx_calls *c, const unit *u, dx_err *err) {
    size_t at = 0;
    dx_slice encoded;
    uint64_t table;
    while (u->regions.of != NULL && dx_map_each(u->regions.of, &at, &encoded, &table))
        if (!calls_learn(&c->regions, encoded, u->regions.names[table]))
            return no_memory(err);
    return DX_OK;
}

DX_MUST_CHECK static dx_status take_over(dx_calls *c, size_t file, const unit *u, dx_err *err) {
    dx_calls_file *f = &c->files[file];
    if (u->number == 0) {
        f->cov.bytes = 0; /* those of its head */
        f->cov.lines = f->cov.continuations = f->skip;
    }
    dx_status st = take_calls(c, u, f->cov.lines, err);
    if (st == DX_OK)
        st = calls_file_merge(f, &u->file, err);
    if (st == DX_OK)
        st = learn(c, u, err);
    if (u->last) {
        f->cov.bytes = u->bytes;
        f->fingerprint = u->fingerprint;
    }
    return st;
}

static void fail(run *r, dx_status st, const dx_err *err) {
    if (r->status == DX_OK) {
        r->status = st;
        r->err = *err;
    }
    atomic_store(&r->stopped, true);
    pthread_cond_broadcast(&r->moved);
}

/* The unit that comes next, when it is ready. With the lock. */
static unit *next_ready(run *r) {
    source *s = &r->sources[r->head];
    unit *u = r->head < r->n ? s->ready : NULL;
    if (u == NULL || u->number != s->taken)
        return NULL;
    s->ready = u->next;
    r->ahead -= weight(u);
    return u;
}

/* Takes over all that is ready, unless another thread does. With the lock. */
static void take_ready(run *r) {
    unit *u;
    if (r->taking)
        return;
    r->taking = true;
    while (r->status == DX_OK && (u = next_ready(r)) != NULL) {
        dx_err err;
        size_t at = r->head;
        pthread_mutex_unlock(&r->lock);
        dx_status st = take_over(r->c, r->sources[at].file, u, &err);
        bool last = u->last;
        free_unit(u);
        pthread_mutex_lock(&r->lock);
        r->sources[at].taken++;
        r->head += last;
        if (st != DX_OK)
            fail(r, st, &err);
        pthread_cond_broadcast(&r->moved);
    }
    r->taking = false;
}

static void put_ready(run *r, size_t at, unit *u) {
    unit **to = &r->sources[at].ready;
    while (*to != NULL && (*to)->number < u->number)
        to = &(*to)->next;
    u->next = *to;
    *to = u;
    r->ahead += weight(u);
    take_ready(r);
}

/* --- threads */

/* The first source with something left that nobody reads; r->n: none for now. With the lock. */
static size_t next_source(const run *r, bool *any) {
    *any = false;
    for (size_t i = r->head; i < r->n; i++) {
        const source *s = &r->sources[i];
        *any = *any || !s->ended;
        bool waits = i > 0 && r->c->files[s->file].goes_on && !r->sources[i - 1].ended;
        if (!s->ended && !s->busy && !waits && (i == r->head || r->ahead < AHEAD_MAX))
            return i;
    }
    return r->n;
}

/* One unit from its text to the list of those that are ready. */
static void one_unit(worker *w, size_t at, uint64_t number) {
    run *r = w->r;
    dx_err err;
    dx_status st = DX_OK;
    w->u = new_unit();
    if (w->u == NULL) {
        release(r, &r->sources[at], true);
        st = no_memory(&err);
    } else {
        w->u->number = number;
        st = read_unit(w, at, &err);
    }
    pthread_mutex_lock(&r->lock);
    if (st == DX_OK) {
        put_ready(r, at, w->u);
    } else {
        free_unit(w->u);
        fail(r, st, &err);
    }
    pthread_mutex_unlock(&r->lock);
}

static void *work(void *arg) {
    worker *w = arg;
    run *r = w->r;
    bool any = true;
    pthread_mutex_lock(&r->lock);
    while (r->status == DX_OK) {
        size_t at = next_source(r, &any);
        if (!any)
            break;
        if (at == r->n) {
            pthread_cond_wait(&r->moved, &r->lock);
            continue;
        }
        source *s = &r->sources[at];
        s->busy = true;
        uint64_t number = s->handed++;
        pthread_mutex_unlock(&r->lock);
        one_unit(w, at, number);
        pthread_mutex_lock(&r->lock);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static void run_threads(run *r, unsigned n) {
    pthread_t threads[DX_CALLS_THREADS];
    worker workers[DX_CALLS_THREADS + 1] = {{.r = r, .asks = true}};
    unsigned started = 0;
    while (started + 1 < n && started < DX_CALLS_THREADS) {
        workers[started + 1].r = r;
        if (pthread_create(&threads[started], NULL, work, &workers[started + 1]) != 0)
            break; /* fewer do as well */
        started++;
    }
    work(&workers[0]);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}

/* --- */

static bool is_log(const dx_calls_file *f) {
    return f->kind == DX_SOURCE_LOG && f->status == DX_OK && !f->duplicate;
}

static void free_run(run *r) {
    for (size_t i = 0; r->sources != NULL && i < r->n; i++) {
        while (r->sources[i].ready != NULL) {
            unit *u = r->sources[i].ready;
            r->sources[i].ready = u->next;
            free_unit(u);
        }
        dx_input_close(r->sources[i].in);
    }
    free(r->sources);
}

DX_MUST_CHECK static dx_status over_threads(dx_calls *c, dx_input **inputs, dx_err *err) {
    run r = {.c = c, .sources = dx_calloc(c->n, sizeof *r.sources)};
    if (r.sources == NULL)
        return no_memory(err);
    for (size_t i = 0; i < c->n; i++) {
        if (!is_log(&c->files[i]))
            continue;
        r.sources[r.n++] = (source){.file = i, .in = inputs[i]};
        inputs[i] = NULL;
    }
    pthread_mutex_init(&r.lock, NULL); /* with no attributes both cannot fail */
    pthread_cond_init(&r.moved, NULL);
    run_threads(&r, c->opts.threads);
    pthread_cond_destroy(&r.moved);
    pthread_mutex_destroy(&r.lock);
    free_run(&r);
    if (r.status != DX_OK && err != NULL)
        *err = r.err;
    return r.status;
}

/* --- without threads: a call goes into the digest from where it is parsed */

static dx_status take(void *arg, const calls_found *found, dx_err *err) {
    return calls_take(arg, found, err);
}

static bool stop_asked(void *arg) {
    const dx_calls_opts *o = &((dx_calls *)arg)->opts;
    return o->stop != NULL && o->stop(o->stop_arg);
}

DX_MUST_CHECK static dx_status one_log(dx_calls *c, size_t at, dx_input **in, dx_err *err) {
    dx_calls_file *f = &c->files[at];
    calls_seam seam;
    calls_scan s = {.c = c,
                    .file = f,
                    .source = at,
                    .regions = &c->regions,
                    .seam = calls_seam_begin(&seam, c, at, f->skip),
                    .take = take,
                    .stop = stop_asked,
                    .arg = c};
    dx_status st = *in == NULL ? calls_open(c, at, in, err) : DX_OK;
    if (st != DX_OK) {
        *in = NULL;
        return calls_forgive(f, st, err);
    }
    st = calls_scan_log(&s, *in, err);
    calls_seam_end(&seam, c, at);
    f->fingerprint = calls_fingerprint(c, at, *in);
    dx_input_close(*in);
    *in = NULL;
    return st;
}

dx_status calls_run(dx_calls *c, dx_input **inputs, dx_err *err) {
    dx_status st = DX_OK;
    if (c->opts.threads > 1 && c->logs > 0)
        return over_threads(c, inputs, err);
    for (size_t i = 0; i < c->n && st == DX_OK; i++)
        if (is_log(&c->files[i]))
            st = one_log(c, i, &inputs[i], err);
    return st;
}

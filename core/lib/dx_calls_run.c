/* dx_calls_run.c - all logs through the parser: each where it is read, or cut into parts over
 * several threads, whose calls are kept until their turn comes. */
#include "dx_calls_int.h"
#include "dx_logparts.h"
#include "dx_mem.h"

#include <stdlib.h>

#define LINE_BYTES (1u << 20)
#define AHEAD_MAX  (12u << 20) /* bytes of what was found, and is not taken over yet */

_Static_assert(DX_CALLS_THREADS <= DX_LOGPARTS_THREADS, "so many can run");

typedef struct found_list {
    calls_found *v;
    size_t n, cap;
    dx_buf text; /* of keys and told; in v their pointers are offsets until the end */
    dx_arena *calls;
} found_list;

typedef struct unit { /* what was found in a part of a log */
    dx_calls_file file;
    calls_regions regions;
    found_list found;
    uint64_t fingerprint, bytes; /* of the log, in its last part */
} unit;

typedef struct run {
    dx_calls *c;
    dx_input **inputs; /* of the files */
    size_t *files;     /* of the logs */
    dx_logparts *parts;
} run;

/* --- what a thread has found */

static dx_status no_memory(dx_err *err) {
    return dx_fail(err, DX_E_NOMEM, "no memory for what is found in a log");
}

static void *begin(void *arg, size_t log) {
    (void)arg, (void)log;
    unit *u = dx_calloc(1, sizeof *u);
    if (u == NULL)
        return NULL;
    calls_file_begin(&u->file);
    dx_buf_init(&u->found.text, 0);
    u->found.calls = dx_arena_new(0);
    return u;
}

static void end(void *part) {
    unit *u = part;
    dx_calls_file_done(&u->file);
    calls_regions_done(&u->regions);
    dx_buf_done(&u->found.text);
    dx_arena_free(u->found.calls);
    free(u->found.v);
    free(u);
}

static size_t weigh(const void *part) {
    const unit *u = part;
    return sizeof *u + u->found.cap * sizeof *u->found.v + u->found.text.cap;
}

typedef struct leaving {
    run *r;
    found_list *list;
} leaving;

static dx_status leave(void *arg, const calls_found *found, dx_err *err) {
    found_list *l = ((leaving *)arg)->list;
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
    dx_buf_add(&l->text, found->table.p, found->table.n);
    if (found->seen.call != NULL && l->calls != NULL)
        f->seen.call = calls_copy(l->calls, found->seen.call);
    bool good = dx_buf_ok(&l->text) && (found->seen.call == NULL || (l->calls && f->seen.call));
    return good ? DX_OK : no_memory(err);
}

static bool stopped(void *arg) {
    return dx_logparts_stopped(((leaving *)arg)->r->parts);
}

/* --- parsing */

/* Lines that the piece before has had. */
static void pass_lines(dx_input *in, uint64_t n) {
    for (; n > 0; n--) {
        dx_slice text = dx_input_ahead(in, LINE_BYTES);
        ptrdiff_t line = dx_slice_find_char(text, '\n', 0);
        dx_input_pass(in, line < 0 ? text.n : (size_t)line + 1);
    }
}

static dx_status open_log(void *arg, size_t log, void *part, dx_input **in, dx_err *err) {
    run *r = arg;
    size_t file = r->files[log];
    dx_status st = DX_OK;
    *in = r->inputs[file];
    r->inputs[file] = NULL;
    if (*in == NULL)
        st = calls_open(r->c, file, in, err);
    if (st != DX_OK) {
        *in = NULL;
        return calls_forgive(&((unit *)part)->file, st, err);
    }
    pass_lines(*in, r->c->files[file].skip);
    return DX_OK;
}

DX_MUST_CHECK static dx_status parse(run *r, size_t file, unit *u, dx_input *in, dx_log_seam *seam,
                                     dx_err *err) {
    leaving to = {r, &u->found};
    calls_scan s = {.c = r->c,
                    .file = &u->file,
                    .source = file,
                    .regions = &u->regions,
                    .seam = seam,
                    .take = leave,
                    .stop = stopped,
                    .arg = &to};
    if (!calls_regions_open(&u->regions))
        return no_memory(err);
    return calls_scan_log(&s, in, err);
}

static dx_status scan(void *arg, size_t log, void *part, dx_input *in, bool rest, dx_err *err) {
    run *r = arg;
    unit *u = part;
    size_t file = r->files[log];
    calls_seam seam;
    if (!rest)
        return parse(r, file, u, in, NULL, err);
    dx_status st = parse(r, file, u, in, calls_seam_begin(&seam, r->c, file, 0), err);
    calls_seam_end(&seam, r->c, file);
    u->fingerprint = calls_fingerprint(r->c, file, in);
    u->bytes = dx_input_bytes_read(in);
    return st;
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
        f.table = dx_slice_sub(text, at, at + f.table.n);
        at += f.table.n;
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

static dx_status take_over(void *arg, size_t log, void *part, bool first, bool last, dx_err *err) {
    run *r = arg;
    const unit *u = part;
    dx_calls_file *f = &r->c->files[r->files[log]];
    if (first) {
        f->cov.bytes = 0; /* those of its head */
        f->cov.lines = f->cov.continuations = f->skip;
    }
    dx_status st = take_calls(r->c, u, f->cov.lines, err);
    if (st == DX_OK)
        st = calls_file_merge(f, &u->file, err);
    if (st == DX_OK)
        st = learn(r->c, u, err);
    if (last) {
        f->cov.bytes = u->bytes;
        f->fingerprint = u->fingerprint;
    }
    return st;
}

/* --- */

static bool is_log(const dx_calls_file *f) {
    return f->kind == DX_SOURCE_LOG && f->status == DX_OK && !f->duplicate;
}

static bool goes_on(void *arg, size_t log) {
    const run *r = arg;
    return r->c->files[r->files[log]].goes_on;
}

static bool asked_to_stop(void *arg) {
    const dx_calls_opts *o = &((run *)arg)->c->opts;
    return o->stop != NULL && o->stop(o->stop_arg);
}

DX_MUST_CHECK static dx_status over_threads(dx_calls *c, dx_input **inputs, dx_err *err) {
    run r = {.c = c, .inputs = inputs, .files = dx_calloc(c->n, sizeof *r.files)};
    dx_logparts_job job = {.arg = &r,
                           .threads = c->opts.threads,
                           .ahead_max = AHEAD_MAX,
                           .waits = goes_on,
                           .begin = begin,
                           .open = open_log,
                           .scan = scan,
                           .weigh = weigh,
                           .take = take_over,
                           .end = end,
                           .stop = asked_to_stop};
    if (r.files == NULL)
        return no_memory(err);
    for (size_t i = 0; i < c->n; i++)
        if (is_log(&c->files[i]))
            r.files[job.n++] = i;
    dx_status st = dx_logparts_run(&job, &r.parts, err);
    free(r.files);
    return st;
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

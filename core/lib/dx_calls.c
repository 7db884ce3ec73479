/* dx_calls.c - see dx_calls.h: which sources are what, then dumps, then logs, then names. */
#define _POSIX_C_SOURCE 200809L /* stat */
#include "dx_calls_int.h"
#include "dx_logline.h"
#include "dx_logwrap.h"
#include "dx_mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- */

dx_status dx_calls_new(dx_calls **out, const dx_calls_opts *opts, dx_err *err) {
    dx_calls *c = dx_calloc(1, sizeof *c);
    if (c == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory for a digest of calls");
    c->opts = *opts;
    dx_buf_init(&c->note, 0);
    dx_buf_init(&c->named, 0);
    dx_status st = calls_by_read(&c->by, opts->by, opts->n, err);
    if (st == DX_OK
        && ((c->digest = dx_digest_new()) == NULL || (c->same = calls_same_new()) == NULL
            || !calls_regions_open(&c->regions) || !calls_scanners_open(&c->scanners)))
        st = dx_fail(err, DX_E_NOMEM, "no memory for a digest of calls");
    if (st == DX_OK)
        *out = c;
    else
        dx_calls_free(c);
    return st;
}

void dx_calls_free(dx_calls *c) {
    if (c == NULL)
        return;
    dx_digest_free(c->digest);
    calls_same_free(c->same);
    calls_regions_done(&c->regions);
    calls_scanners_done(&c->scanners);
    dx_buf_done(&c->note);
    dx_buf_done(&c->named);
    free(c);
}

bool dx_calls_forgot(const dx_calls *c) {
    return calls_same_forgot(c->same);
}

/* --- which is what */

static void refuse(dx_calls_file *f, dx_status st, const dx_err *err) {
    f->status = st;
    snprintf(f->message, sizeof f->message, "%s", err->msg);
}

/* What can be read once: standard input, a pipe that is named. */
static bool is_stream(const char *path) {
    struct stat st;
    return dx_str_eq(path, "-")
           || (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

/* How its lines begin. */
static void look_at_lines(dx_calls_file *f, dx_slice head) {
    dx_logwrap w;
    dx_logline l;
    for (size_t from = 0; from < head.n && !(f->wrapped && f->prefixed);) {
        ptrdiff_t end = dx_slice_find_char(head, '\n', from);
        size_t to = end < 0 ? head.n : (size_t)end;
        dx_slice line = dx_slice_sub(head, from, to);
        f->wrapped = f->wrapped || dx_logwrap_read(line, &w);
        f->prefixed =
            f->prefixed || (dx_logline_read(line, &l) && (l.level.n > 0 || l.logger.n > 0));
        from = to + 1;
    }
}

/* Opens a file and looks at its head. A stream stays open. */
DX_MUST_CHECK static dx_status look(dx_calls_file *f, dx_input **in, dx_err *err) {
    dx_slice head = {NULL, 0};
    bool stream = is_stream(f->path);
    calls_file_begin(f);
    f->kind = DX_SOURCE_UNKNOWN;
    dx_status st = dx_input_open(in, f->path, err);
    if (st != DX_OK) {
        *in = NULL;
        refuse(f, st, err);
        return st == DX_E_NOMEM ? st : DX_OK;
    }
    st = dx_input_peek(*in, &head, err);
    if (st == DX_OK) {
        f->kind = dx_ingest_sniff_file(stream ? NULL : f->path, head, &f->binary, &f->hint);
        if (f->kind == DX_SOURCE_UNKNOWN && f->goes_on && !f->binary)
            f->kind = DX_SOURCE_LOG; /* a long record has its end there */
        if (f->kind == DX_SOURCE_GC && stream)
            f->kind = DX_SOURCE_LOG; /* it is read once: by the reader that takes both */
        f->cov.bytes = head.n;
        if (f->kind == DX_SOURCE_LOG)
            look_at_lines(f, head);
        f->fingerprint = dx_hash(head.p, head.n, 0); /* of one that is not read on */
    } else {
        refuse(f, st, err);
    }
    if (stream)
        return DX_OK;
    dx_input_close(*in);
    *in = NULL;
    return DX_OK;
}

/* --- the same content twice: files of one size are looked at as a whole */

/* The size of a regular file, or 0. */
static uint64_t size_of(const char *path) {
    struct stat st;
    bool regular = !is_stream(path) && stat(path, &st) == 0;
    return regular && st.st_size > 0 ? (uint64_t)st.st_size : 0;
}

static bool same_bytes(const char *a, const char *b) {
    char x[16384], y[16384];
    FILE *f = fopen(a, "rb"), *g = fopen(b, "rb");
    bool same = f != NULL && g != NULL;
    size_t n = sizeof x;
    while (same && n > 0) {
        n = fread(x, 1, sizeof x, f);
        same = n == fread(y, 1, sizeof y, g) && memcmp(x, y, n) == 0;
    }
    same = same && !ferror(f) && !ferror(g);
    if (f != NULL)
        fclose(f);
    if (g != NULL)
        fclose(g);
    return same;
}

typedef struct sized {
    uint64_t size;
    size_t file;
} sized;

static int by_size(const void *a, const void *b) {
    const sized *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return x->file < y->file ? -1 : 1;
}

static void find_original(dx_calls_file *files, const sized *all, size_t i) {
    dx_calls_file *f = &files[all[i].file];
    for (size_t k = i; k-- > 0 && all[k].size == all[i].size && !f->duplicate;) {
        const dx_calls_file *before = &files[all[k].file];
        f->duplicate = !before->duplicate && before->fingerprint == f->fingerprint /* of the head */
                       && same_bytes(before->path, f->path);
        f->original = all[k].file;
    }
}

static bool is_read(const dx_calls_file *f) {
    return f->status == DX_OK && !f->duplicate
           && (f->kind == DX_SOURCE_LOG || f->kind == DX_SOURCE_RING || f->kind == DX_SOURCE_TABLE);
}

DX_MUST_CHECK static dx_status find_duplicates(dx_calls *c, dx_err *err) {
    sized *all = dx_calloc(c->n, sizeof *all);
    if (all == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory for %zu sources", c->n);
    for (size_t i = 0; i < c->n; i++) {
        dx_calls_file *f = &c->files[i];
        all[i] = (sized){is_read(f) ? size_of(f->path) : 0, i};
        f->again = all[i].size > 0;
    }
    qsort(all, c->n, sizeof *all, by_size);
    for (size_t i = 1; i < c->n; i++)
        if (all[i].size > 0)
            find_original(c->files, all, i);
    free(all);
    return DX_OK;
}

/* --- regions that only calls named */

static bool is_known(const void *arg, dx_slice key) {
    const dx_calls *c = arg;
    return calls_key_resolved(&c->by, &c->regions, key);
}

/* Calls may name their region by its encoded name alone, and lines that were leapt over may tell
 * its table: then the logs are read once more, for that. */
DX_MUST_CHECK static dx_status learn_regions(dx_calls *c, dx_err *err) {
    dx_status st = DX_OK;
    if (dx_digest_each_key(c->digest, is_known, c))
        return DX_OK;
    for (size_t i = 0; i < c->n && st == DX_OK; i++)
        if (is_read(&c->files[i]) && c->files[i].kind == DX_SOURCE_LOG && calls_alone(&c->files[i]))
            st = calls_learn_log(c, i, err);
    return st;
}

/* --- reading */

DX_MUST_CHECK static dx_status read_dumps(dx_calls *c, dx_input **inputs, dx_err *err) {
    dx_status st = DX_OK;
    for (size_t i = 0; i < c->n && st == DX_OK; i++) {
        dx_calls_file *f = &c->files[i];
        if (!is_read(f) || f->kind == DX_SOURCE_LOG)
            continue;
        st = inputs[i] == NULL ? dx_input_open(&inputs[i], f->path, err) : DX_OK;
        if (st == DX_OK) {
            st = calls_scan_dump(c, i, inputs[i], err);
            f->fingerprint = dx_input_fingerprint(inputs[i]);
        }
        st = calls_forgive(f, st, err);
        dx_input_close(inputs[i]);
        inputs[i] = NULL;
    }
    return st;
}

DX_MUST_CHECK static dx_status read_all(dx_calls *c, dx_input **inputs, dx_err *err) {
    dx_status st = DX_OK;
    for (size_t i = 0; i < c->n && st == DX_OK; i++)
        st = look(&c->files[i], &inputs[i], err);
    if (st == DX_OK)
        st = find_duplicates(c, err);
    for (size_t i = 0; i < c->n; i++)
        c->logs += is_read(&c->files[i]) && c->files[i].kind == DX_SOURCE_LOG;
    if (st == DX_OK)
        st = read_dumps(c, inputs, err);
    if (st == DX_OK)
        st = calls_run(c, inputs, err);
    for (size_t i = 0; i < c->n; i++)
        if (c->files[i].kind == DX_SOURCE_LOG && calls_alone(&c->files[i]))
            dx_coverage_settle(&c->files[i].cov);
    if (st == DX_OK)
        st = calls_take_kept(c, err);
    if (st == DX_OK)
        st = learn_regions(c, err);
    return st == DX_OK ? dx_digest_trim(c->digest, err) : st;
}

dx_status dx_calls_read(dx_calls *c, dx_calls_file *files, size_t n, dx_err *err) {
    dx_err own;
    err = err == NULL ? &own : err;
    if (c->files != NULL)
        return dx_fail(err, DX_E_USAGE, "calls are read once");
    dx_input **inputs = dx_calloc(n, sizeof *inputs);
    if (inputs == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory for %zu sources", n);
    c->files = files;
    c->n = n;
    dx_status st = read_all(c, inputs, err);
    for (size_t i = 0; i < n; i++)
        dx_input_close(inputs[i]);
    free(inputs);
    return st;
}

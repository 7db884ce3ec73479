/* dx_calls_live.c - see dx_calls_live.h. */
#include "dx_calls_live.h"
#include "dx_calls_int.h"
#include "dx_follow_log.h"
#include "dx_mem.h"

#include <stdlib.h>
#include <string.h>

struct dx_calls_live {
    calls_scan scan;
    dx_sink sink;
    dx_follow_log *log;
};

void dx_calls_set_files(dx_calls *c, dx_calls_file *files, size_t n) {
    c->files = files;
    c->n = n;
}

static dx_status take(void *arg, const calls_found *found, dx_err *err) {
    return calls_take(arg, found, err);
}

/* Every followed file is a source of its own, whatever it has in common with another. */
static uint64_t name_hash(const char *path) {
    return dx_hash(path, strlen(path), 0);
}

dx_status dx_calls_live_open(dx_calls_live **out, dx_calls *c, size_t file,
                             const dx_follow_opts *opts, dx_err *err) {
    dx_calls_file *f = &c->files[file];
    dx_calls_live *l = dx_calloc(1, sizeof *l);
    if (l == NULL)
        return dx_fail(err, DX_E_NOMEM, "%s: no memory to follow it", f->path);
    calls_file_begin(f);
    f->kind = DX_SOURCE_LOG;
    f->fingerprint = name_hash(f->path);
    l->scan = (calls_scan){.c = c, .source = file, .regions = &c->regions, .take = take, .arg = c};
    dx_buf_init(&l->scan.key, 0);
    calls_sink(&l->scan, &l->sink);
    l->sink.stop = NULL; /* who follows looks between two steps */
    dx_status st = dx_follow_log_open(&l->log, f->path, opts, &l->sink, err);
    if (st == DX_OK)
        *out = l;
    else
        dx_calls_live_close(l);
    return st;
}

void dx_calls_live_close(dx_calls_live *l) {
    if (l == NULL)
        return;
    dx_follow_log_close(l->log);
    dx_buf_done(&l->scan.key);
    free(l);
}

/* The files may have moved since the last step. */
static dx_calls_file *file_of(dx_calls_live *l) {
    return l->scan.file = &l->scan.c->files[l->scan.source];
}

dx_status dx_calls_live_step(dx_calls_live *l, int64_t now_ms, dx_follow_news *news, dx_err *err) {
    dx_calls_file *f = file_of(l);
    dx_status st = dx_follow_log_step(l->log, now_ms, news, err);
    if (st != DX_OK || (news->what != DX_FOLLOW_NOTHING && news->what != DX_FOLLOW_END))
        return st;
    dx_follow_log_coverage(l->log, &f->cov);
    return dx_digest_trim(l->scan.c->digest, err);
}

dx_status dx_calls_live_stop(dx_calls_live *l, dx_err *err) {
    dx_calls_file *f = file_of(l);
    dx_status st = dx_follow_log_stop(l->log, err);
    dx_follow_log_coverage(l->log, &f->cov);
    return st == DX_OK ? dx_digest_trim(l->scan.c->digest, err) : st;
}

/* dx_follow_log.c - see dx_follow_log.h. */
#include "dx_follow_log.h"
#include "dx_follow_gc.h"
#include "dx_mem.h"

#include <stdlib.h>

struct dx_follow_log {
    dx_follow *file;
    const dx_sink *sink;
    dx_logscan_live *scan; /* of the open file; NULL: nothing has come of it, or it is gc's */
    dx_follow_gc *gc;      /* the same of a log of the collector */
    dx_coverage now;       /* of it */
    uint64_t before;       /* its lines that were only counted */
    dx_coverage past;      /* of the files before it */
    int64_t text_ms;       /* when the last text came */
    bool kept;             /* a record may be kept back */
};

dx_status dx_follow_log_open(dx_follow_log **out, const char *path, const dx_follow_opts *opts,
                             const dx_sink *sink, dx_err *err) {
    dx_follow_log *l = dx_calloc(1, sizeof *l);
    if (l == NULL)
        return dx_fail(err, DX_E_NOMEM, "%s: no memory to follow it", path);
    l->sink = sink;
    l->past.first_local_ms = l->past.last_local_ms = DX_TIME_NONE;
    dx_status st = dx_follow_open(&l->file, path, opts, err);
    if (st != DX_OK) {
        free(l);
        return st;
    }
    *out = l;
    return DX_OK;
}

void dx_follow_log_close(dx_follow_log *l) {
    if (l == NULL)
        return;
    dx_logscan_live_free(l->scan);
    dx_follow_gc_free(l->gc);
    dx_follow_close(l->file);
    free(l);
}

void dx_follow_log_coverage(const dx_follow_log *l, dx_coverage *out) {
    *out = l->past;
    if (l->scan == NULL && l->gc == NULL)
        return;
    dx_coverage now = l->now;
    now.lines -= l->before;
    dx_coverage_merge(out, &now);
}

bool dx_follow_log_is_gc(const dx_follow_log *l) {
    return dx_follow_is_gc(l->file);
}

/* What the first text is read by: before it comes a new file does not tell what it is. */
DX_MUST_CHECK static dx_status begin(dx_follow_log *l, dx_err *err) {
    if (l->scan != NULL || l->gc != NULL)
        return DX_OK;
    return dx_follow_is_gc(l->file)
               ? dx_follow_gc_new(&l->gc, l->sink, l->before, &l->now, err)
               : dx_logscan_live_new(&l->scan, l->sink, l->before, &l->now, err);
}

/* The open file is done with. */
DX_MUST_CHECK static dx_status end(dx_follow_log *l, dx_err *err) {
    if (l->scan == NULL && l->gc == NULL)
        return DX_OK;
    dx_status st =
        l->gc != NULL ? dx_follow_gc_flush(l->gc, err) : dx_logscan_live_end(l->scan, err);
    dx_coverage all;
    dx_follow_log_coverage(l, &all);
    l->past = all;
    dx_logscan_live_free(l->scan);
    dx_follow_gc_free(l->gc);
    l->scan = NULL;
    l->gc = NULL;
    l->kept = false;
    return st;
}

/* What began as a log of the collector has a program's records. */
DX_MUST_CHECK static dx_status go_on_as_log(dx_follow_log *l, dx_err *err) {
    uint64_t lines = l->now.lines;
    dx_status st = end(l, err);
    l->before = lines;
    return st == DX_OK ? dx_logscan_live_new(&l->scan, l->sink, lines, &l->now, err) : st;
}

DX_MUST_CHECK static dx_status feed(dx_follow_log *l, const dx_follow_news *news, dx_err *err) {
    size_t used = 0;
    dx_status st = begin(l, err);
    if (st == DX_OK && l->gc != NULL) {
        st = dx_follow_gc_feed(l->gc, news->text, news->offset, &used, err);
        if (st == DX_OK && used < news->text.n)
            st = go_on_as_log(l, err);
    }
    l->kept = true;
    if (st != DX_OK || used == news->text.n)
        return st;
    return dx_logscan_live_feed(l->scan, dx_slice_sub(news->text, used, news->text.n),
                                news->offset + used, err);
}

DX_MUST_CHECK static dx_status flush_if_quiet(dx_follow_log *l, int64_t now_ms, dx_err *err) {
    if (!l->kept || now_ms - l->text_ms < DX_FOLLOW_QUIET_MS)
        return DX_OK;
    l->kept = false;
    return l->gc != NULL ? dx_follow_gc_flush(l->gc, err) : dx_logscan_live_flush(l->scan, err);
}

dx_status dx_follow_log_step(dx_follow_log *l, int64_t now_ms, dx_follow_news *news, dx_err *err) {
    dx_status st = dx_follow_next(l->file, now_ms, news, err);
    if (st != DX_OK)
        return st;
    switch (news->what) {
    case DX_FOLLOW_BEGIN: l->before = news->lines; break;
    case DX_FOLLOW_TEXT: l->text_ms = now_ms; return feed(l, news, err);
    case DX_FOLLOW_END:
    case DX_FOLLOW_REFUSED: return end(l, err);
    case DX_FOLLOW_NOTHING:
    case DX_FOLLOW_ABSENT: return flush_if_quiet(l, now_ms, err);
    case DX_FOLLOW_MORE: break;
    }
    return DX_OK;
}

dx_status dx_follow_log_stop(dx_follow_log *l, dx_err *err) {
    dx_follow_news news;
    dx_status st;
    dx_follow_stop(l->file);
    do
        st = dx_follow_log_step(l, l->text_ms, &news, err);
    while (st == DX_OK && news.what != DX_FOLLOW_NOTHING);
    return st;
}

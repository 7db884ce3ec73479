/* dx_follow_gc.c - see dx_follow_gc.h. */
#include "dx_follow_gc.h"
#include "dx_events_gc.h"
#include "dx_gclog.h"
#include "dx_ingest_sniff.h"
#include "dx_mem.h"

#include <stdlib.h>

struct dx_follow_gc {
    dx_gclog *log;
    const dx_sink *sink;
    dx_coverage *cov;
};

static dx_status on_pause(void *arg, const dx_pause *p, dx_err *err) {
    const dx_follow_gc *g = arg;
    const dx_where where = {.line = p->line,
                            .offset = p->offset,
                            .local_ms = p->start_ms,
                            .has_zone = p->start_ms != DX_TIME_NONE,
                            .thread = p->thread,
                            .record_hash = p->hash};
    dx_event event;
    dx_event_of_pause(p, &event);
    return g->sink->event == NULL ? DX_OK : g->sink->event(g->sink->arg, &event, &where, err);
}

static dx_status on_skip(void *arg, const char *reason, dx_slice sample, uint64_t line,
                         dx_err *err) {
    const dx_follow_gc *g = arg;
    const dx_where where = {.line = line, .local_ms = DX_TIME_NONE};
    return g->sink->skip == NULL ? DX_OK : g->sink->skip(g->sink->arg, reason, sample, &where, err);
}

dx_status dx_follow_gc_new(dx_follow_gc **out, const dx_sink *sink, uint64_t lines,
                           dx_coverage *cov, dx_err *err) {
    dx_follow_gc *g = dx_calloc(1, sizeof *g);
    if (g == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory to follow a log of the collector");
    const dx_gclog_sink own = {.arg = g, .pause = on_pause, .skip = on_skip};
    g->sink = sink;
    g->cov = cov;
    *cov = dx_coverage_blank();
    cov->lines = lines;
    dx_status st = dx_gclog_new(&g->log, &own, err);
    if (st != DX_OK) {
        free(g);
        return st;
    }
    *out = g;
    return DX_OK;
}

void dx_follow_gc_free(dx_follow_gc *g) {
    if (g == NULL)
        return;
    dx_gclog_free(g->log);
    free(g);
}

static void count(dx_follow_gc *g) {
    const dx_gclog_facts *facts = dx_gclog_so_far(g->log);
    g->cov->records = facts->records;
    g->cov->events = g->cov->kinds[DX_EV_GC_PAUSE] = facts->pauses;
    g->cov->skipped = facts->skipped;
    g->cov->first_local_ms = facts->first_ms;
    g->cov->last_local_ms = facts->last_ms;
}

dx_status dx_follow_gc_feed(dx_follow_gc *g, dx_slice text, uint64_t offset, size_t *used,
                            dx_err *err) {
    dx_status st = DX_OK;
    size_t at = 0;
    while (at < text.n && st == DX_OK) {
        ptrdiff_t nl = dx_slice_find_char(text, '\n', at);
        size_t end = nl < 0 ? text.n : (size_t)nl;
        bool cr = end > at && text.p[end - 1] == '\r';
        dx_slice line = dx_slice_sub(text, at, cr ? end - 1 : end);
        if (dx_ingest_sniff_record(line))
            break;
        st = dx_gclog_line(g->log, line, ++g->cov->lines, offset + at, err);
        at = nl < 0 ? end : end + 1;
    }
    g->cov->bytes += at;
    *used = at;
    count(g);
    return st;
}

dx_status dx_follow_gc_flush(dx_follow_gc *g, dx_err *err) {
    dx_status st = dx_gclog_end(g->log, err);
    count(g);
    return st;
}

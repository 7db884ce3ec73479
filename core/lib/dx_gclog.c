/* dx_gclog.c - see dx_gclog.h: which form a line has. The forms are in dx_gclog_old.c and
 * dx_gclog_unified.c; they stand on dx_gclog_hold.c, and that on dx_gclog_text.c. */
#include "dx_gclog_int.h"

#include <stdlib.h>

const char *dx_pause_kind_name(dx_pause_kind kind) {
    static const char *const names[] = {"unknown", "young",   "mixed",    "initial mark",
                                        "remark",  "cleanup", "full",     "degenerated",
                                        "phase",   "stall",   "safepoint"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : names[0];
}

dx_status dx_gclog_new(dx_gclog **out, const dx_gclog_sink *sink, dx_err *err) {
    dx_gclog *g = calloc(1, sizeof *g);
    if (g == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory to read a GC log");
    g->sink = *sink;
    g->facts.first_ms = g->facts.last_ms = DX_TIME_NONE;
    g->facts.first_up_ms = g->facts.last_up_ms = DX_UNKNOWN;
    g->loose = g->start = GCLOG_NO_STAMP;
    *out = g;
    return DX_OK;
}

void dx_gclog_free(dx_gclog *g) {
    free(g);
}

bool dx_gclog_waits(const dx_gclog *g) {
    return g->state != GCLOG_NONE;
}

const dx_gclog_facts *dx_gclog_so_far(const dx_gclog *g) {
    return &g->facts;
}

/* A line of unified logging, with what its prefix takes; "GC(12) ..." has it even where no
 * decorator was asked for. */
static bool is_unified(dx_slice line, gclog_stamp *stamp, size_t *prefix) {
    bool gc;
    *prefix = gclog_prefix(line, stamp, &gc);
    return *prefix > 0 || gclog_unified_head(line);
}

static dx_status take(dx_gclog *g, gclog_at *at) {
    size_t n;
    if (is_unified(at->line, &at->stamp, &n)) {
        dx_status st = g->state == GCLOG_OPEN ? gclog_flush(g) : DX_OK;
        gclog_clock(g, &at->stamp);
        return st == DX_OK ? gclog_unified(g, at, dx_slice_sub(at->line, n, at->line.n)) : st;
    }
    n = gclog_stamp_read(at->line, &at->stamp);
    gclog_clock(g, &at->stamp);
    return gclog_old(g, at, dx_slice_sub(at->line, n, at->line.n));
}

dx_status dx_gclog_line(dx_gclog *g, dx_slice line, uint64_t number, uint64_t offset, dx_err *err) {
    dx_err own;
    gclog_at at = {.line = line, .number = number, .offset = offset};
    g->err = err == NULL ? &own : err;
    return take(g, &at);
}

dx_status dx_gclog_end(dx_gclog *g, dx_err *err) {
    dx_err own;
    g->err = err == NULL ? &own : err;
    return gclog_flush(g);
}

bool dx_gclog_is(dx_slice line) {
    gclog_stamp stamp;
    bool gc;
    size_t n = gclog_prefix(line, &stamp, &gc);
    if (n > 0 || gclog_unified_head(line))
        return gc || gclog_unified_head(dx_slice_sub(line, n, line.n));
    n = gclog_stamp_read(line, &stamp);
    dx_slice text = dx_slice_sub(line, n, line.n);
    return gclog_old_head(text) || gclog_is_stopped(text)
           || dx_slice_starts(line, "CommandLine flags: ");
}

/* dx_gclog_hold.c - the one record that is held until no more can be told of it, and the clock. */
#include "dx_gclog_int.h"

#include <math.h>
#include <string.h>

#define NEAR_MS 10 /* stamps have whole milliseconds, and are taken a little later */

/* --- the clock */

static void widen(int64_t *first, int64_t *last, int64_t none, int64_t t) {
    if (*first == none || t < *first)
        *first = t;
    if (*last == none || t > *last)
        *last = t;
}

void gclog_clock(dx_gclog *g, gclog_stamp *stamp) {
    bool up = stamp->up_ms != DX_UNKNOWN;
    if (stamp->has_zone) {
        g->facts.has_zone = true;
        g->facts.zone_ms = stamp->zone_ms;
    }
    if (up && stamp->wall_ms != DX_TIME_NONE) {
        g->base_ms = stamp->wall_ms - stamp->up_ms;
        g->has_base = true;
    } else if (up && g->has_base) {
        stamp->wall_ms = g->base_ms + stamp->up_ms;
    }
    if (stamp->wall_ms != DX_TIME_NONE)
        widen(&g->facts.first_ms, &g->facts.last_ms, DX_TIME_NONE, stamp->wall_ms);
    if (up)
        widen(&g->facts.first_up_ms, &g->facts.last_up_ms, DX_UNKNOWN, stamp->up_ms);
}

gclog_stamp gclog_before(const gclog_stamp *end, double ms) {
    gclog_stamp start = *end;
    int64_t back = ms < 1e15 ? llround(ms) : 0;
    if (start.wall_ms != DX_TIME_NONE)
        start.wall_ms -= back;
    if (start.up_ms != DX_UNKNOWN)
        start.up_ms = start.up_ms > back ? start.up_ms - back : 0;
    return start;
}

/* --- the record */

static dx_slice copied(char to[GCLOG_NAME], dx_slice text) {
    text = dx_slice_sub(text, 0, GCLOG_NAME);
    if (text.n > 0)
        memcpy(to, text.p, text.n);
    return dx_sn(to, text.n);
}

void gclog_cause(dx_gclog *g, dx_slice text) {
    g->pause.cause = copied(g->cause, dx_slice_trim(text));
}

void gclog_thread(dx_gclog *g, dx_slice text) {
    g->pause.thread = copied(g->thread, dx_slice_trim(text));
}

void gclog_collector(dx_gclog *g, const char *name) {
    g->pause.collector = name;
    g->collector = name;
}

void gclog_put_heap(dx_gclog *g, const gclog_heap *heap) {
    g->pause.heap_before = heap->before;
    g->pause.heap_after = heap->after;
    g->pause.heap_total = heap->total;
}

static void processor(dx_slice text, const char *key, double *ms) {
    ptrdiff_t at = dx_slice_find(text, key, 0);
    double v;
    if (at >= 0 && gclog_number(dx_slice_sub(text, (size_t)at + strlen(key), text.n), &v) > 0)
        *ms = v * 1000;
}

void gclog_cpu(dx_gclog *g, dx_slice text) {
    processor(text, "ser=", &g->pause.user_ms);
    processor(text, "ys=", &g->pause.sys_ms);
}

dx_status gclog_flush(dx_gclog *g) {
    dx_pause *p = &g->pause;
    if (g->state == GCLOG_NONE)
        return DX_OK;
    g->state = GCLOG_NONE;
    g->depth = 0;
    g->id = 0;
    g->facts.pauses++;
    return g->sink.pause == NULL ? DX_OK : g->sink.pause(g->sink.arg, p, g->err);
}

dx_status gclog_begin(dx_gclog *g, dx_pause_kind kind, const gclog_at *at,
                      const gclog_stamp *start) {
    dx_status st = gclog_flush(g);
    bool stamped = start->wall_ms != DX_TIME_NONE || start->up_ms != DX_UNKNOWN;
    g->pause = (dx_pause){.kind = kind,
                          .start_ms = start->wall_ms,
                          .up_ms = start->up_ms,
                          .took_ms = NAN,
                          .stopped_ms = NAN,
                          .heap_before = DX_UNKNOWN,
                          .heap_after = DX_UNKNOWN,
                          .heap_total = DX_UNKNOWN,
                          .evacuation_failure_ms = NAN,
                          .user_ms = NAN,
                          .sys_ms = NAN,
                          .line = at->number,
                          .offset = at->offset};
    if (stamped)
        g->pause.hash = dx_hash(at->line.p, at->line.n, 0);
    g->state = GCLOG_HELD;
    return st;
}

dx_status gclog_skip(dx_gclog *g, const char *reason, const gclog_at *at) {
    g->facts.skipped++;
    if (g->sink.skip == NULL)
        return DX_OK;
    return g->sink.skip(g->sink.arg, reason, dx_slice_sub(at->line, 0, 200), at->number, g->err);
}

/* --- safepoints */

/* From one start to the other; 0 where they have no clock in common. */
static double apart_ms(const dx_pause *p, const gclog_stamp *start) {
    if (p->up_ms != DX_UNKNOWN && start->up_ms != DX_UNKNOWN)
        return (double)p->up_ms - (double)start->up_ms;
    if (p->start_ms != DX_TIME_NONE && start->wall_ms != DX_TIME_NONE)
        return (double)p->start_ms - (double)start->wall_ms;
    return 0;
}

static bool within(double after, double took_ms, double total_ms) {
    return after >= -NEAR_MS && after + took_ms <= total_ms + NEAR_MS;
}

/* The collection that is held lies within the safepoint. */
static bool around_held(const dx_gclog *g, const gclog_stamp *start, double total_ms) {
    const dx_pause *p = &g->pause;
    if (g->state != GCLOG_HELD || p->kind == DX_PAUSE_SAFEPOINT || p->kind == DX_PAUSE_STALL)
        return false;
    return within(apart_ms(p, start), isnan(p->took_ms) ? 0 : p->took_ms, total_ms);
}

double gclog_take_safepoint(dx_gclog *g, const gclog_stamp *start, double took_ms) {
    const dx_pause *p = &g->pause;
    if (g->state != GCLOG_HELD || p->kind != DX_PAUSE_SAFEPOINT
        || !within(-apart_ms(p, start), took_ms, p->took_ms))
        return NAN;
    g->state = GCLOG_NONE;
    return p->took_ms;
}

dx_status gclog_safepoint(dx_gclog *g, const gclog_at *at, double total_ms, dx_slice operation) {
    gclog_stamp start = gclog_before(&at->stamp, total_ms);
    if (around_held(g, &start, total_ms)) {
        g->pause.stopped_ms = total_ms;
        return gclog_flush(g);
    }
    dx_status st = gclog_begin(g, DX_PAUSE_SAFEPOINT, at, &start);
    g->pause.took_ms = g->pause.stopped_ms = total_ms;
    gclog_cause(g, operation);
    return st;
}

static const char stopped[] = "Total time for which application threads were stopped: ";

bool gclog_is_stopped(dx_slice text) {
    return dx_slice_starts(text, stopped);
}

dx_status gclog_stopped(dx_gclog *g, const gclog_at *at, dx_slice text) {
    double s;
    if (gclog_number(dx_slice_sub(text, sizeof stopped - 1, text.n), &s) == 0)
        return gclog_skip(g, "safepoint without a duration", at);
    return gclog_safepoint(g, at, s * 1000, dx_s(""));
}

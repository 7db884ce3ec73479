/* dx_logscan_gc.c - a collector's lines amid a log's own: a JVM without a file for them writes them
 * to its standard output, which a daemon's .out file and a container's log share with the records.
 * A line whose stamp has no wall clock has the time of what stands around it, as the line was
 * written when the pause ended. */
#include "dx_events_gc.h"
#include "dx_logscan_int.h"
#include "dx_mem.h"

#include <math.h>
#include <stdlib.h>

#define KEPT 16 /* a record is told a few lines after the one that it begins with */

struct logscan_gc {
    logscan *s;
    dx_gclog *g;
    dx_where last[KEPT]; /* of the last lines that may begin a record: a ring */
    size_t next;
};

/* Where the line with that number stands, at the time of what is around it. */
static dx_where where_of(const struct logscan_gc *gc, const dx_pause *p) {
    for (size_t i = 0; i < KEPT; i++)
        if (gc->last[i].line == p->line)
            return gc->last[i];
    dx_where lost = {.line = p->line, .offset = p->offset, .local_ms = DX_TIME_NONE};
    return lost;
}

static dx_status on_pause(void *arg, const dx_pause *p, dx_err *err) {
    struct logscan_gc *gc = arg;
    dx_where where = where_of(gc, p);
    dx_event event;
    (void)err;
    where.thread = p->thread;
    where.record_hash = gc->s->sink->unhashed ? 0 : p->hash;
    if (p->start_ms != DX_TIME_NONE) {
        where.local_ms = p->start_ms;
        where.has_zone = true;
        where.offset_ms = 0;
    } else if (where.local_ms != DX_TIME_NONE && p->took_ms > 0 && p->took_ms < 1e12) {
        where.local_ms -= llround(p->took_ms);
    }
    dx_event_of_pause(p, &event);
    return logscan_event(gc->s, &event, &where);
}

static dx_status on_skip(void *arg, const char *reason, dx_slice sample, uint64_t line,
                         dx_err *err) {
    struct logscan_gc *gc = arg;
    dx_where where = {.line = line, .local_ms = DX_TIME_NONE};
    (void)err;
    return logscan_skip(gc->s, reason, sample, &where);
}

DX_MUST_CHECK static dx_status begin(struct logscan_gc **gc, logscan *s) {
    struct logscan_gc *new = dx_calloc(1, sizeof *new);
    if (new == NULL)
        return dx_fail(s->err, DX_E_NOMEM, "no memory for the pauses of a log");
    new->s = s;
    const dx_gclog_sink sink = {.arg = new, .pause = on_pause, .skip = on_skip};
    dx_status st = dx_gclog_new(&new->g, &sink, s->err);
    if (st == DX_OK)
        *gc = new;
    else
        free(new);
    return st;
}

void logscan_gc_free(struct logscan_gc *gc) {
    if (gc == NULL)
        return;
    dx_gclog_free(gc->g);
    free(gc);
}

/* "   [Times: user=0.12 ...]", " (concurrent mode failure): ...", ", 0.28 secs]" */
static bool is_detail(dx_slice line) {
    size_t blanks = 0;
    while (blanks < line.n && line.p[blanks] == ' ')
        blanks++;
    if (blanks == line.n)
        return false;
    char c = line.p[blanks];
    return (blanks > 0 && (c == '[' || c == '(')) || dx_slice_starts(line, ", ");
}

logscan_gc_part logscan_gc_look(const struct logscan_gc *gc, dx_slice line) {
    if (line.n == 0)
        return LOGSCAN_GC_NOT;
    char c = line.p[0];
    if (c == '[' || dx_is_digit(c) || c == 'G' || c == 'T' || c == 'C')
        return dx_gclog_is(line) ? LOGSCAN_GC_LINE : LOGSCAN_GC_NOT;
    bool goes_on = gc != NULL && (c == ' ' || c == ',') && dx_gclog_waits(gc->g);
    if (goes_on && is_detail(line))
        return LOGSCAN_GC_DETAIL;
    return c == ' ' && dx_gclog_is(line) ? LOGSCAN_GC_LINE : LOGSCAN_GC_NOT;
}

dx_status logscan_gc_take(struct logscan_gc **gc, logscan *s, dx_slice line, dx_where where,
                          const dx_where *near) {
    dx_status st = *gc == NULL ? begin(gc, s) : DX_OK;
    if (st != DX_OK)
        return st;
    if (where.local_ms == DX_TIME_NONE && near != NULL) {
        where.local_ms = near->local_ms;
        where.has_zone = near->has_zone;
        where.offset_ms = near->offset_ms;
    }
    (*gc)->last[(*gc)->next++ % KEPT] = where;
    return dx_gclog_line((*gc)->g, line, where.line, where.offset, s->err);
}

dx_status logscan_gc_end(struct logscan_gc *gc) {
    return gc == NULL ? DX_OK : dx_gclog_end(gc->g, gc->s->err);
}

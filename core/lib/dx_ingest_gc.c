/* dx_ingest_gc.c - see dx_ingest_gc.h. */
#include "dx_ingest_gc.h"

#include <math.h>

#define LINE_MAX_BYTES (1u << 20) /* no line of such a log is longer */
#define ASK_EACH       4096       /* lines between two questions whether to go on */

typedef struct gc_reading {
    dx_casefile *c;
    int64_t source;
    bool *refused;
} gc_reading;

/* --- a pause as an event */

static dx_field *field(dx_event *e, const char *name, dx_field_type type) {
    dx_field *f = &e->fields[e->n++];
    f->name = name;
    f->type = type;
    return f;
}

static void put_int(dx_event *e, const char *name, int64_t v) {
    if (v != DX_UNKNOWN)
        field(e, name, DX_FIELD_INT)->i = v;
}

static void put_real(dx_event *e, const char *name, double v) {
    if (!isnan(v))
        field(e, name, DX_FIELD_REAL)->d = round(v * 1000) / 1000;
}

static void put_text(dx_event *e, const char *name, dx_slice s) {
    if (s.n > 0)
        field(e, name, DX_FIELD_TEXT)->s = s;
}

_Static_assert(DX_EVENT_FIELDS >= 12, "room for the fields of a pause");

static void fill(dx_event *e, const dx_pause *p) {
    put_real(e, "pause_ms", p->took_ms);
    put_text(e, "gc_kind", dx_s(dx_pause_kind_name(p->kind)));
    put_text(e, "collector", dx_s(p->collector));
    put_text(e, "cause", p->cause);
    put_text(e, "failure", dx_s(p->failure));
    put_int(e, "heap_before_bytes", p->heap_before);
    put_int(e, "heap_after_bytes", p->heap_after);
    put_int(e, "heap_total_bytes", p->heap_total);
    put_real(e, "evacuation_failure_ms", p->evacuation_failure_ms);
    put_real(e, "stopped_ms", p->stopped_ms);
    put_real(e, "user_ms", p->user_ms);
    put_real(e, "sys_ms", p->sys_ms);
}

static dx_status on_pause(void *arg, const dx_pause *p, dx_err *err) {
    gc_reading *r = arg;
    dx_event e = {.id = DX_EV_GC_PAUSE};
    bool wall = p->start_ms != DX_TIME_NONE;
    int64_t up = p->up_ms == DX_UNKNOWN ? DX_TIME_NONE : p->up_ms;
    dx_where where = {.line = p->line,
                      .offset = p->offset,
                      .local_ms = wall ? p->start_ms : up,
                      .has_zone = wall,
                      .thread = p->thread,
                      .record_hash = p->hash};
    fill(&e, p);
    dx_status st = dx_casefile_add_event(r->c, r->source, 0, p->start_ms, &e, &where, err);
    *r->refused = *r->refused || st != DX_OK;
    return st;
}

static dx_status on_skip(void *arg, const char *reason, dx_slice sample, uint64_t line,
                         dx_err *err) {
    gc_reading *r = arg;
    dx_status st = dx_casefile_skip(r->c, r->source, reason, 1, sample, line, err);
    *r->refused = *r->refused || st != DX_OK;
    return st;
}

/* --- the log */

DX_MUST_CHECK static dx_status all_lines(dx_gclog *g, gc_reading *r, dx_input *in, dx_coverage *cov,
                                         dx_err *err) {
    dx_slice line;
    uint64_t offset;
    bool cut;
    dx_status st;
    while ((st = dx_input_line(in, LINE_MAX_BYTES, &line, &offset, &cut, err)) == DX_ROW) {
        if ((st = dx_gclog_line(g, line, ++cov->lines, offset, err)) != DX_OK)
            return st;
        if (cov->lines % ASK_EACH == 0 && dx_casefile_stopped(r->c)) {
            *r->refused = true;
            return dx_fail(err, DX_E_LIMIT, "stopped while a log was read");
        }
    }
    dx_err own; /* a broken stream gives what came before it, then its error */
    dx_status ended = dx_gclog_end(g, &own);
    if (ended != DX_OK)
        *err = own;
    return ended != DX_OK || st == DX_DONE ? ended : st;
}

dx_status dx_ingest_gc(dx_casefile *c, int64_t source, dx_input *in, dx_coverage *cov,
                       dx_gclog_facts *facts, bool *refused, dx_err *err) {
    gc_reading r = {.c = c, .source = source, .refused = refused};
    const dx_gclog_sink sink = {.arg = &r, .pause = on_pause, .skip = on_skip};
    dx_gclog *g = NULL;
    *cov = dx_coverage_blank();
    dx_status st = dx_gclog_new(&g, &sink, err);
    if (st != DX_OK)
        return st;
    st = all_lines(g, &r, in, cov, err);
    *facts = *dx_gclog_so_far(g);
    dx_gclog_free(g);
    cov->bytes = dx_input_bytes_read(in);
    cov->records = facts->records;
    cov->events = facts->pauses;
    cov->skipped = facts->skipped;
    return st;
}

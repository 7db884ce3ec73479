/* dx_ingest_gc.c - see dx_ingest_gc.h. */
#include "dx_ingest_gc.h"
#include "dx_events_gc.h"
#include "dx_ingest_sniff.h"

#define LINE_MAX_BYTES (1u << 20) /* no line of such a log is longer */
#define SAMPLE_MAX     200
#define ASK_EACH       4096 /* lines between two questions whether to go on */

typedef struct gc_reading {
    dx_casefile *c;
    int64_t source;
    bool *refused;
    uint64_t records; /* of a program */
} gc_reading;

/* --- a pause as an event */

static dx_status on_pause(void *arg, const dx_pause *p, dx_err *err) {
    gc_reading *r = arg;
    dx_event e;
    bool wall = p->start_ms != DX_TIME_NONE;
    int64_t up = p->up_ms == DX_UNKNOWN ? DX_TIME_NONE : p->up_ms;
    dx_where where = {.line = p->line,
                      .offset = p->offset,
                      .local_ms = wall ? p->start_ms : up,
                      .has_zone = wall,
                      .thread = p->thread,
                      .record_hash = p->hash};
    dx_event_of_pause(p, &e);
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

/* Of a stream: a file that has such records is read as a log. */
static dx_status pass_record(gc_reading *r, dx_slice record, uint64_t line, dx_err *err) {
    r->records++;
    return on_skip(r, "record of a program amid a collector's; save it to a file to have it read",
                   dx_slice_sub(record, 0, SAMPLE_MAX), line, err);
}

/* --- the log */

DX_MUST_CHECK static dx_status all_lines(dx_gclog *g, gc_reading *r, dx_input *in, dx_coverage *cov,
                                         dx_err *err) {
    dx_slice line;
    uint64_t offset;
    bool cut;
    dx_status st;
    while ((st = dx_input_line(in, LINE_MAX_BYTES, &line, &offset, &cut, err)) == DX_ROW) {
        cov->lines++;
        st = dx_ingest_sniff_record(line) ? pass_record(r, line, cov->lines, err)
                                          : dx_gclog_line(g, line, cov->lines, offset, err);
        if (st != DX_OK)
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
    cov->skipped = facts->skipped + r.records;
    return st;
}

/* dx_logscan_sink.c - what all forms stand on: the lines of the input, the sink and its counts. */
#include "dx_logscan_int.h"

#include <string.h>

#define STOP_LINES 4096 /* between two looks at the stop function: some ms */

/* ---- lines */

static dx_status next_line(logscan *s, logscan_line *line) {
    bool cut;
    dx_status st = dx_input_line(s->in, LOGSCAN_LINE_MAX, &line->text, &line->offset, &cut, s->err);
    if (st != DX_ROW)
        return st;
    line->number = ++s->cov->lines;
    if (s->seam != NULL && (st = logscan_seam_mend(s, &line->text, line->offset)) != DX_OK)
        return st;
    if (!cut)
        return DX_ROW;
    dx_where where = {.line = line->number, .offset = line->offset, .local_ms = DX_TIME_NONE};
    st = logscan_skip(s, LOGSCAN_TOO_LONG, line->text, &where);
    return st == DX_OK ? DX_ROW : st;
}

static bool stopped(const logscan *s) {
    return s->cov->lines % STOP_LINES == 0 && s->sink->stop != NULL && s->sink->stop(s->sink->arg);
}

/* The next line, and what becomes of it. DX_DONE, an error of the input: there is none. */
static dx_status one_line(logscan *s, const logscan_form *f, bool *taken) {
    logscan_line line;
    dx_status st = DX_OK;
    *taken = true;
    if (f->idle != NULL && dx_input_bytes_read(s->in) >= s->awake)
        st = f->idle(f->form);
    if (st != DX_OK)
        return st;
    st = next_line(s, &line);
    *taken = st == DX_ROW;
    if (st != DX_ROW)
        return st;
    return stopped(s) ? dx_fail(s->err, DX_E_LIMIT, "the scan was stopped")
                      : f->take(f->form, &line);
}

dx_status logscan_lines(logscan *s, const logscan_form *f) {
    dx_status st;
    bool taken;
    do
        st = one_line(s, f, &taken);
    while (st == DX_OK);
    if (taken)
        return st;
    dx_status ended = st;
    s->whole = ended == DX_DONE;
    dx_err damage = *s->err; /* what came before it counts, and may fail in its own way */
    if ((st = f->finish(f->form)) != DX_OK || ended == DX_DONE)
        return st;
    *s->err = damage;
    return ended;
}

/* ---- sink */

/* When a call ended; DX_TIME_NONE where its numbers are none or make no sense. */
static int64_t end_of(const dx_call *call) {
    const int64_t far = INT64_C(1) << 60;
    bool told =
        call->start_ms >= 0 && call->start_ms < far && call->proc_ms >= 0 && call->proc_ms < far;
    return told ? call->start_ms + call->proc_ms : DX_TIME_NONE;
}

static dx_status give_call(logscan *s, const dx_call *call, const dx_where *where) {
    s->cov->calls++;
    if (s->sink->only_calls) {
        logscan_note_line(s->cov, where->local_ms, where->line);
        if (where->has_zone && where->local_ms != DX_TIME_NONE)
            logscan_vote(&s->calls, where->local_ms, where->local_ms - where->offset_ms);
    }
    if (!where->has_zone && where->local_ms != DX_TIME_NONE && end_of(call) != DX_TIME_NONE)
        logscan_vote_call(&s->calls, s->cov, where, end_of(call));
    return s->sink->call == NULL ? DX_OK : s->sink->call(s->sink->arg, call, where, s->err);
}

static void keep(char *to, size_t cap, dx_slice text) {
    if (text.n == 0 || text.n >= cap)
        return;
    memcpy(to, text.p, text.n);
    to[text.n] = '\0';
}

static void learn(logscan *s, const dx_event *event, const dx_where *where) {
    if (event->id == DX_EV_SERVER_STARTED && event->server.n > 0) {
        keep(s->cov->server, sizeof s->cov->server, event->server);
        if (!where->has_zone && where->local_ms != DX_TIME_NONE)
            logscan_vote_start(&s->stand_ins, where->local_ms, event->server);
    }
    if (event->id != DX_EV_SERVER_VERSION)
        return;
    for (size_t i = 0; i < event->n; i++)
        if (event->fields[i].type == DX_FIELD_TEXT && dx_str_eq(event->fields[i].name, "version"))
            keep(s->cov->version, sizeof s->cov->version, event->fields[i].s);
}

dx_status logscan_event(logscan *s, const dx_event *event, const dx_where *where) {
    learn(s, event, where);
    if (s->sink->only_calls)
        return DX_OK;
    s->cov->events++;
    s->cov->kinds[event->id]++;
    return s->sink->event == NULL ? DX_OK : s->sink->event(s->sink->arg, event, where, s->err);
}

#define TABLE_MAX 512 /* bytes of "namespace:table" */

/* A path tells "default/t1" or "ns1/t1" apart. */
static dx_status give_table(logscan *s, const dx_event *told) {
    char name[TABLE_MAX];
    dx_slice space = told->path_space, table = told->path_table;
    if (dx_slice_is(space, "default"))
        return s->sink->region(s->sink->arg, told->encoded, dx_s(""), table, s->err);
    if (space.n == 0 || space.n + 1 + table.n > sizeof name)
        return DX_OK;
    memcpy(name, space.p, space.n);
    name[space.n] = ':';
    memcpy(name + space.n + 1, table.p, table.n);
    return s->sink->region(s->sink->arg, told->encoded, dx_s(""),
                           dx_sn(name, space.n + 1 + table.n), s->err);
}

dx_status logscan_region(logscan *s, const dx_event *told) {
    if (s->sink->region == NULL || told->encoded.n == 0)
        return DX_OK;
    if (told->id == DX_EV_NONE && told->region.n > 0)
        return s->sink->region(s->sink->arg, told->encoded, told->region, told->table, s->err);
    return told->path_table.n > 0 ? give_table(s, told) : DX_OK;
}

dx_status logscan_scan(logscan *s, const dx_scan *found, const dx_where *where) {
    if (s->sink->only_calls)
        return DX_OK;
    s->cov->scans++;
    return s->sink->scan == NULL ? DX_OK : s->sink->scan(s->sink->arg, found, where, s->err);
}

dx_status logscan_skip(logscan *s, const char *reason, dx_slice sample, const dx_where *where) {
    s->cov->skipped++;
    if (s->sink->skip == NULL)
        return DX_OK;
    return s->sink->skip(s->sink->arg, reason, dx_slice_sub(sample, 0, LOGSCAN_SAMPLE_MAX), where,
                         s->err);
}

dx_status logscan_decoded(logscan *s, dx_status decoded, const dx_call *call, const char *reason,
                          dx_slice text, const dx_where *where) {
    switch (decoded) {
    case DX_OK: return give_call(s, call, where);
    case DX_E_PARSE:
    case DX_E_LIMIT:
    case DX_E_RANGE:
    case DX_E_NOTFOUND: return logscan_skip(s, reason, text, where);
    default: return decoded;
    }
}

dx_status logscan_call(logscan *s, dx_slice text, const dx_where *where) {
    const char *reason =
        dx_slowlog_extent(text, 0) == 0 ? "slow-call JSON is cut" : "slow call not understood";
    dx_call call;
    dx_err why;
    dx_arena_reset(s->arena);
    dx_status st = dx_slowlog_log(text, s->arena, &call, &why);
    if (st == DX_E_NOMEM)
        *s->err = why;
    return logscan_decoded(s, st, &call, reason, text, where);
}

dx_status logscan_calls_behind(logscan *s, dx_slice text, dx_where where) {
    dx_status st = DX_OK;
    for (ptrdiff_t at; st == DX_OK && (at = dx_slowlog_tag(text)) >= 0;) {
        text = dx_slice_sub(text, (size_t)at, text.n);
        where.record_hash = s->sink->unhashed ? 0 : dx_hash(text.p, text.n, 0);
        st = logscan_call(s, text, &where);
        size_t n = dx_slowlog_extent(text, 0); /* 0: it has no end */
        text = dx_slice_sub(text, n == 0 ? text.n : n, text.n);
    }
    return st;
}

/* ---- coverage */

void logscan_cover(logscan *s, const dx_logline *l, uint64_t line, bool of_gc) {
    dx_coverage *cov = s->cov;
    if (s->sink->only_calls) {
        if (l->local_ms == DX_TIME_NONE)
            return;
        cov->tail = (dx_line_stamp){l->local_ms, l->has_zone, l->offset_ms};
        if (cov->head.local_ms == DX_TIME_NONE)
            cov->head = cov->tail;
        return;
    }
    if (!of_gc)
        *(l->level.n > 0 || l->logger.n > 0 ? &cov->records : &cov->foreign) += 1;
    logscan_note_line(cov, l->local_ms, line);
    if (l->has_zone)
        logscan_vote(&s->calls, l->local_ms, l->local_ms - l->offset_ms);
}

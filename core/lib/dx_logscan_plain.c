/* dx_logscan_plain.c - a log: physical lines are taken out of their wrappers and joined into
 * records. A record is kept in one buffer until the next one begins, and then handed over: first as
 * a slow call, then as an event, then as scan metrics. */
#include "dx_logline.h"
#include "dx_logscan_int.h"
#include "dx_logwrap.h"
#include "dx_mem.h"

#include <stdlib.h>

#define REST_MAX     65536u         /* bytes of continuation lines that are kept for events */
#define BROKEN_MAX   (1024u * 1024) /* bytes, and lines, that an unclosed slow call may take up */
#define BROKEN_LINES 200
#define LAYOUT_CUT   990 /* stock layouts keep the last 1000 characters of a message */

typedef struct span {
    size_t at, n;
} span;

typedef struct record {
    bool open;
    bool prefixed;             /* has a level or a logger: lines behind it belong to it */
    bool pasted;               /* an exception without them: its trace does */
    bool waits;                /* for the rest of a slow call's JSON */
    bool has_call;             /* a tag stands at `tag` */
    bool is_read;              /* and the call is in the plain's `call` */
    dx_buf text;               /* its lines; first those that make its message */
    size_t head;               /* bytes of these */
    size_t lines, tag, call_n; /* call_n: bytes of a call that is read, from its tag */
    span level, thread, logger, message;
    logscan_json json;
    dx_where where;
} record;

/* Pieces of one line of a container, until its last comes. */
typedef struct pieces {
    dx_buf text;
    dx_logwrap first;
    uint64_t number, offset;
    size_t n;
} pieces;

typedef struct logscan_plain {
    logscan *s;
    record rec;
    dx_slowlog_memo memo;
    dx_logline_memo minute;
    dx_event_reader *events;
    dx_call call;      /* of rec, borrowed from its text and the arena */
    pieces streams[2]; /* stdout, stderr */
    logscan_counters counters;
    struct logscan_gc *gc;
} plain;

static span span_of(dx_slice line, dx_slice part) {
    return part.n == 0 ? (span){0, 0} : (span){(size_t)(part.p - line.p), part.n};
}

static dx_slice slice_of(const record *r, span s) {
    return dx_sn(r->text.p + s.at, s.n);
}

/* ---- handing over */

static dx_status give_call(plain *p, dx_where *where) {
    const record *r = &p->rec;
    dx_slice text = dx_slice_sub(dx_buf_slice(&r->text), r->tag, r->text.n);
    dx_status st = r->is_read ? logscan_decoded(p->s, DX_OK, &p->call, NULL, text, where)
                              : logscan_call(p->s, text, where);
    size_t n = r->is_read ? r->call_n : dx_slowlog_extent(text, 0); /* 0: it has no end */
    return st != DX_OK || n == 0
               ? st
               : logscan_calls_behind(p->s, dx_slice_sub(text, n, text.n), *where);
}

static bool may_be_headless(const dx_logline *l) {
    return l->message.n >= LAYOUT_CUT && dx_slice_is(l->level, "WARN")
           && dx_slice_ends(l->logger, "RpcServer")
           && dx_slice_ends(dx_slice_trim(l->message), "}");
}

/* DX_E_NOTFOUND: it is something else. */
static dx_status give_headless(plain *p, const dx_logline *l, dx_where *where) {
    dx_call call;
    dx_err why;
    dx_arena_reset(p->s->arena);
    dx_status st = dx_slowlog_headless(l->message, p->s->arena, &call, &why);
    if (st == DX_E_NOMEM)
        *p->s->err = why;
    if (st == DX_E_NOTFOUND)
        return st;
    return logscan_decoded(p->s, st, &call, "slow call without its head not understood", l->message,
                           where);
}

static uint64_t hash_of(const plain *p, size_t n) {
    return p->s->sink->unhashed ? 0 : dx_hash(p->rec.text.p, n, 0);
}

/* A cheap look before the dear one. */
static bool has_pairs(dx_slice text) {
    return dx_slice_find_char(text, '=', 0) >= 0;
}

/* Whose the log is, which matters also to who wants calls alone. */
static bool tells_server(const dx_logline *l) {
    return dx_slice_starts(l->message, "Serving as ") || dx_slice_ends(l->logger, "VersionInfo");
}

static dx_status give_other(plain *p, const dx_logline *l, dx_where *where) {
    record *r = &p->rec;
    if (p->s->sink->only_calls && !tells_server(l))
        return DX_OK;
    dx_slice rest = dx_slice_sub(dx_buf_slice(&r->text), r->head, r->text.n);
    dx_event event;
    dx_scan found;
    dx_event_verdict verdict = dx_event_reader_judge(p->events, l, rest, &event);
    bool is_event = verdict == DX_EVENT_READ;
    bool is_scan = !is_event && has_pairs(l->message) && dx_scanlog_read(l->message, &found);
    bool drifts = verdict == DX_EVENT_DRIFTS && !p->s->sink->only_calls;
    dx_status st = logscan_region(p->s, &event);
    if (st != DX_OK || (!is_event && !is_scan && !drifts))
        return st;
    where->record_hash = hash_of(p, r->head);
    if (is_event)
        return logscan_event(p->s, &event, where);
    if (is_scan)
        return logscan_scan(p->s, &found, where);
    return logscan_skip(p->s, "event line not understood", l->message, where);
}

static dx_status finish(plain *p) {
    record *r = &p->rec;
    if (!r->open)
        return DX_OK;
    r->open = false;
    dx_logline l = {r->where.local_ms,      r->where.has_zone,      r->where.offset_ms,
                    slice_of(r, r->level),  slice_of(r, r->thread), slice_of(r, r->logger),
                    slice_of(r, r->message)};
    dx_where where = r->where;
    where.thread = slice_of(r, r->thread); /* not of l: a load behind two stores would wait */
    if (r->has_call || may_be_headless(&l)) {
        where.record_hash = hash_of(p, r->has_call ? r->text.n : r->head);
        dx_status st = r->has_call ? give_call(p, &where) : give_headless(p, &l, &where);
        if (st != DX_E_NOTFOUND)
            return st;
    }
    return give_other(p, &l, &where);
}

/* ---- building a record */

static dx_status memory(plain *p, const dx_buf *b) {
    if (dx_buf_ok(b))
        return DX_OK;
    return dx_fail(p->s->err, DX_E_NOMEM, "no memory for a record of %zu bytes", b->n);
}

/* From here on the record is a slow call, whole or to be gone on with. */
static void find_call(plain *p, size_t from) {
    record *r = &p->rec;
    dx_slice text = dx_buf_slice(&r->text);
    ptrdiff_t tag = dx_slowlog_tag(dx_slice_sub(text, from, text.n));
    r->has_call = tag >= 0;
    r->is_read = false;
    if (!r->has_call)
        return;
    r->tag = from + (size_t)tag;
    dx_arena_reset(p->s->arena);
    r->is_read = dx_slowlog_quick(dx_slice_sub(text, r->tag, text.n), &p->memo, p->s->arena,
                                  &p->call, &r->call_n);
    r->waits = !r->is_read && dx_slowlog_extent(text, r->tag) == 0;
    if (r->waits)
        logscan_json_walk(&r->json, dx_slice_sub(text, r->tag, text.n));
}

static dx_status start(plain *p, dx_slice line, const dx_logline *l, const dx_where *where) {
    record *r = &p->rec;
    r->open = true;
    r->prefixed = l->level.n > 0 || l->logger.n > 0;
    r->pasted = r->waits = r->has_call = r->is_read = false;
    r->lines = 1;
    r->json = (logscan_json){0};
    r->where = *where;
    dx_buf_clear(&r->text);
    dx_buf_add(&r->text, line.p, line.n);
    r->head = r->text.n;
    r->level = span_of(line, l->level);
    r->thread = span_of(line, l->thread);
    r->logger = span_of(line, l->logger);
    r->message = span_of(line, l->message);
    dx_status st = memory(p, &r->text);
    if (st == DX_OK)
        find_call(p, r->message.at);
    return st;
}

/* A prefix whose message begins on the next line. */
static dx_status take_message(plain *p, dx_slice line) {
    record *r = &p->rec;
    dx_buf_addc(&r->text, '\n');
    r->message = (span){r->text.n, line.n};
    dx_buf_add(&r->text, line.p, line.n);
    r->head = r->text.n;
    dx_status st = memory(p, &r->text);
    if (st == DX_OK)
        find_call(p, r->message.at);
    return st;
}

/* One more line of a slow call whose object is not closed. */
static dx_status take_broken(plain *p, dx_slice line) {
    record *r = &p->rec;
    if (r->lines > BROKEN_LINES || r->text.n - r->head + line.n > BROKEN_MAX) {
        r->waits = false;
        return DX_OK;
    }
    logscan_json_glue(&r->json, &r->text, line);
    dx_buf_add(&r->text, line.p, line.n);
    logscan_json_walk(&r->json, line);
    if (dx_slice_find_char(line, '}', 0) >= 0)
        r->waits = dx_slowlog_extent(dx_buf_slice(&r->text), r->tag) == 0;
    return memory(p, &r->text);
}

static dx_status take_rest(plain *p, dx_slice line) {
    record *r = &p->rec;
    if (r->has_call || r->text.n - r->head + line.n >= REST_MAX)
        return DX_OK;
    dx_buf_addc(&r->text, '\n');
    dx_buf_add(&r->text, line.p, line.n);
    return memory(p, &r->text);
}

/* ---- lines */

/* Scan metrics in a line without a prefix: a record of its own, at its neighbour's time. */
static dx_status try_scan(plain *p, dx_slice line, dx_where where, bool *taken) {
    dx_slice trimmed = dx_slice_trim(line);
    dx_scan found;
    if (p->rec.open && p->rec.prefixed) {
        where.local_ms = p->rec.where.local_ms;
        where.has_zone = p->rec.where.has_zone;
        where.offset_ms = p->rec.where.offset_ms;
    }
    *taken = logscan_is_counter(trimmed);
    if (*taken)
        return logscan_counters_add(p->s, &p->counters, trimmed, &where);
    dx_status st = logscan_counters_end(p->s, &p->counters);
    if (st != DX_OK || !has_pairs(line) || !dx_scanlog_read(line, &found))
        return st;
    *taken = true;
    where.record_hash = p->s->sink->unhashed ? 0 : dx_hash(line.p, line.n, 0);
    return logscan_scan(p->s, &found, &where);
}

/* A line that belongs to the record before it, or to none. */
static dx_status bare_line(plain *p, dx_slice line, const dx_where *where) {
    record *r = &p->rec;
    bool follows = r->open && (r->prefixed || r->waits || (r->pasted && logscan_is_of_trace(line))),
         frame = logscan_is_frame(line), taken = false;
    bool adopts = follows && r->message.n == 0 && r->lines == 1 && !frame;
    dx_status st = DX_OK;
    r->lines++;
    if (follows && (r->waits || adopts)) {
        p->s->cov->continuations++;
        return r->waits ? take_broken(p, line) : take_message(p, line);
    }
    if (!frame)
        st = try_scan(p, line, *where, &taken);
    *(follows || taken ? &p->s->cov->continuations : &p->s->cov->foreign) += 1;
    return st == DX_OK && follows && !taken ? take_rest(p, line) : st;
}

static dx_status start_record(plain *p, dx_slice line, const dx_logline *l, const dx_where *where) {
    dx_status st = finish(p);
    if (st == DX_OK)
        st = logscan_counters_end(p->s, &p->counters);
    return st == DX_OK ? start(p, line, l, where) : st;
}

static bool begins_call(const plain *p, dx_slice line) {
    const record *r = &p->rec;
    bool adopted = r->open && r->prefixed && r->message.n == 0 && r->lines == 1;
    return !adopted && dx_slowlog_tag(line) >= 0;
}

/* A pasted exception; the causes behind it say the same again, and so does the JVM's last word. */
static bool begins_exception(const plain *p, dx_slice line) {
    bool goes_on = p->rec.open
                   && (p->rec.prefixed || dx_slice_starts(line, "Caused by: ")
                       || (p->rec.pasted && dx_slice_starts(line, "# ")));
    return !goes_on && dx_event_exception(line);
}

/* A line of the collector's. */
static dx_status take_gc(plain *p, dx_slice line, logscan_gc_part part, dx_where where) {
    *(part == LOGSCAN_GC_LINE ? &p->s->cov->records : &p->s->cov->continuations) += 1;
    return logscan_gc_take(&p->gc, p->s, line, where, p->rec.lines > 0 ? &p->rec.where : NULL);
}

/* Whether a line without a level and a logger is the collector's. A slow call is worth more; but
 * where the rest of one is waited for, a whole line of the collector's is no part of it. */
static logscan_gc_part look_for_gc(const plain *p, dx_slice line) {
    const record *r = &p->rec;
    bool waits = r->open && r->waits, headed = r->open && r->message.n == 0 && r->lines == 1;
    logscan_gc_part part =
        p->s->sink->only_calls && !waits && !headed ? LOGSCAN_GC_NOT : logscan_gc_look(p->gc, line);
    if (part == LOGSCAN_GC_NOT || (waits && part == LOGSCAN_GC_DETAIL) || dx_slowlog_tag(line) >= 0)
        return LOGSCAN_GC_NOT;
    return part;
}

/* One line of the log itself. wrap: what stood before it, or NULL. */
static dx_status take_line(plain *p, dx_slice line, uint64_t number, uint64_t offset,
                           const dx_logwrap *wrap) {
    dx_logline l;
    bool known =
        wrap == NULL ? dx_logline_read_next(line, &p->minute, &l) : dx_logline_read(line, &l);
    if (wrap != NULL && wrap->has_zone && wrap->local_ms != DX_TIME_NONE) {
        if (l.local_ms == DX_TIME_NONE) {
            l.local_ms = wrap->local_ms;
            l.has_zone = true;
            l.offset_ms = wrap->offset_ms;
        } else if (!l.has_zone && !p->s->sink->only_calls) {
            logscan_vote(&p->s->stand_ins, l.local_ms, wrap->local_ms - wrap->offset_ms);
        }
    }
    dx_where where = {.line = number,
                      .offset = offset,
                      .local_ms = l.local_ms,
                      .has_zone = l.has_zone,
                      .offset_ms = l.offset_ms};
    bool ours = known && (l.level.n > 0 || l.logger.n > 0);
    logscan_gc_part part = ours ? LOGSCAN_GC_NOT : look_for_gc(p, line);
    if (known)
        logscan_cover(p->s, &l, number, part != LOGSCAN_GC_NOT);
    if (part != LOGSCAN_GC_NOT)
        return p->s->sink->only_calls ? DX_OK : take_gc(p, line, part, where);
    if (known)
        return start_record(p, line, &l, &where);
    if (logscan_is_frame(line) || (!begins_call(p, line) && !begins_exception(p, line)))
        return bare_line(p, line, &where);
    p->s->cov->records++;
    dx_status st = start_record(p, line, &l, &where);
    p->rec.pasted = !p->rec.has_call;
    return st;
}

/* ---- wrappers */

static dx_status take_piece(plain *p, const logscan_line *line, const dx_logwrap *w) {
    pieces *c = &p->streams[w->to_stderr];
    if (c->n++ == 0) {
        c->first = *w;
        c->number = line->number;
        c->offset = line->offset;
    } else {
        p->s->cov->continuations++;
    }
    if (w->kind == DX_WRAP_DOCKER)
        dx_logwrap_unescape(w->body, &c->text);
    else
        dx_buf_add(&c->text, w->body.p, w->body.n);
    if (w->partial)
        return DX_OK;
    dx_status st = DX_OK;
    if (!dx_buf_ok(&c->text)) {
        dx_where where = {.line = c->number, .offset = c->offset, .local_ms = DX_TIME_NONE};
        st = logscan_skip(p->s, LOGSCAN_TOO_LONG, dx_buf_slice(&c->text), &where);
    }
    if (st == DX_OK)
        st = take_line(p, dx_buf_slice(&c->text), c->number, c->offset, &c->first);
    dx_buf_clear(&c->text);
    c->n = 0;
    return st;
}

/* The line that a cut log left without its last piece. */
static dx_status finish_pieces(plain *p) {
    dx_status st = DX_OK;
    for (size_t i = 0; i < 2 && st == DX_OK; i++) {
        pieces *c = &p->streams[i];
        if (c->n > 0)
            st = take_line(p, dx_buf_slice(&c->text), c->number, c->offset, &c->first);
        c->n = 0;
    }
    return st;
}

static dx_status plain_line(void *form, const logscan_line *line) {
    dx_logwrap w;
    return dx_logwrap_read(line->text, &w)
               ? take_piece(form, line, &w)
               : take_line(form, line->text, line->number, line->offset, NULL);
}

/* Unless what is open goes on in the next line, it is closed here, and lines without a slow call
 * are leapt over. */
static dx_status plain_idle(void *form) {
    plain *p = form;
    record *r = &p->rec;
    if (p->streams[0].n > 0 || p->streams[1].n > 0
        || (r->open && (r->waits || (r->message.n == 0 && r->lines == 1))))
        return DX_OK;
    dx_status st = finish(p);
    return st == DX_OK ? logscan_skim(p->s) : st;
}

dx_status logscan_plain_flush(plain *p) {
    dx_status st = finish(p);
    if (st == DX_OK)
        st = logscan_counters_end(p->s, &p->counters);
    return st == DX_OK ? logscan_gc_end(p->gc) : st;
}

dx_status logscan_plain_end(plain *p) {
    dx_status st = finish_pieces(p);
    return st == DX_OK ? logscan_plain_flush(p) : st;
}

/* Whether the next piece's line goes on with what is open here, and begins nothing. */
static bool goes_on(void *form, dx_slice line) {
    plain *p = form;
    dx_logwrap w;
    dx_logline l;
    bool wrapped = dx_logwrap_read(line, &w);
    if (wrapped && p->streams[w.to_stderr].n > 0)
        return true;
    line = wrapped ? w.body : line;
    logscan_gc_part part = logscan_gc_look(p->gc, line);
    if (part != LOGSCAN_GC_NOT)
        return part == LOGSCAN_GC_DETAIL;
    return (p->rec.open || p->counters.text.n > 0) && !dx_logline_read(line, &l)
           && (logscan_is_frame(line) || (!begins_call(p, line) && !begins_exception(p, line)));
}

static dx_status plain_end(void *form) {
    plain *p = form;
    dx_status st = logscan_seam_read(p->s, p, goes_on, plain_line);
    return st == DX_OK ? logscan_plain_end(p) : st;
}

plain *logscan_plain_new(logscan *s) {
    plain *p = dx_calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->s = s;
    p->events = dx_event_reader_new();
    if (p->events == NULL) {
        free(p);
        return NULL;
    }
    p->rec.where.local_ms = DX_TIME_NONE; /* of lines before the first record */
    dx_buf_init(&p->rec.text, 0);         /* bounded by what is added */
    dx_buf_init(&p->counters.text, 0);
    for (size_t i = 0; i < 2; i++)
        dx_buf_init(&p->streams[i].text, LOGSCAN_LINE_MAX);
    return p;
}

void logscan_plain_free(plain *p) {
    if (p == NULL)
        return;
    dx_buf_done(&p->rec.text);
    dx_buf_done(&p->counters.text);
    logscan_gc_free(p->gc);
    dx_event_reader_free(p->events);
    for (size_t i = 0; i < 2; i++)
        dx_buf_done(&p->streams[i].text);
    free(p);
}

dx_status logscan_plain(logscan *s) {
    plain *p = logscan_plain_new(s);
    if (p == NULL)
        return dx_fail(s->err, DX_E_NOMEM, "no memory to scan a log");
    const logscan_form form = {p, plain_line, plain_end, s->sink->only_calls ? plain_idle : NULL};
    dx_status st = logscan_lines(s, &form);
    logscan_plain_free(p);
    return st;
}

/* ---- a log that grows */

static dx_status keep_back(void *form) {
    (void)form;
    return DX_OK;
}

dx_status logscan_plain_feed(plain *p) {
    const logscan_form form = {p, plain_line, keep_back, NULL};
    return logscan_lines(p->s, &form);
}

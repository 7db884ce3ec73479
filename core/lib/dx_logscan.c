/* dx_logscan.c - what all forms share: lines and counts, the sink, JSON in pieces, and the vote on
 * the log's zone. */
#include "dx_logscan_int.h"

#include <string.h>

#define MINUTE_MS  INT64_C(60000)
#define QUARTER_MS (15 * MINUTE_MS)
#define MIDDLE     (LOGSCAN_OFFSETS / 2) /* the place of offset 0 */

dx_status logscan_next(logscan *s, logscan_line *line) {
    bool cut;
    dx_status st = dx_input_line(s->in, LOGSCAN_LINE_MAX, &line->text, &line->offset, &cut, s->err);
    if (st != DX_ROW)
        return st;
    line->number = ++s->cov->lines;
    if (!cut)
        return DX_ROW;
    dx_where where = {.line = line->number, .offset = line->offset, .local_ms = DX_TIME_NONE};
    st = logscan_skip(s, LOGSCAN_TOO_LONG, line->text, &where);
    return st == DX_OK ? DX_ROW : st;
}

/* ---- zone */

static int64_t round_down(int64_t ms, int64_t to) {
    int64_t rest = ms % to;
    return ms - rest - (rest < 0 ? to : 0);
}

/* The place of an offset among the votes, or -1. */
static ptrdiff_t place(int64_t offset_ms) {
    int64_t at = offset_ms / QUARTER_MS + MIDDLE;
    return at >= 0 && at < LOGSCAN_OFFSETS ? (ptrdiff_t)at : -1;
}

/* A slow call's line is written when the call ends, so both clocks are milliseconds apart in one
 * process; two minutes leave room for a pause in between. A line that was copied or edited is off
 * by days. */
void logscan_vote(logscan_votes *votes, int64_t local_ms, int64_t utc_ms) {
    int64_t apart = local_ms - utc_ms, offset = round_down(apart + QUARTER_MS / 2, QUARTER_MS);
    ptrdiff_t at = place(offset);
    if (at < 0 || apart - offset > 2 * MINUTE_MS || offset - apart > 2 * MINUTE_MS)
        votes->against++;
    else
        votes->of[at]++;
}

/* A server's start code, written to its log up to ten minutes later. */
static void vote_start(logscan_votes *votes, int64_t local_ms, dx_slice server) {
    ptrdiff_t comma = dx_slice_rfind_char(server, ',');
    int64_t code;
    if (comma < 0 || !dx_slice_i64(dx_slice_sub(server, (size_t)comma + 1, server.n), &code)
        || code < INT64_C(1000000000000) || code > INT64_C(9999999999999))
        return;
    int64_t apart = local_ms - code, offset = round_down(apart, QUARTER_MS);
    ptrdiff_t at = place(offset);
    if (at >= 0 && apart - offset <= 10 * MINUTE_MS)
        votes->of[at]++;
}

static void count_votes(dx_coverage *cov, const logscan_votes *votes) {
    size_t best = 0;
    uint64_t all = 0;
    for (size_t i = 0; i < LOGSCAN_OFFSETS; i++) {
        all += votes->of[i];
        if (votes->of[i] > votes->of[best])
            best = i;
    }
    cov->offset_votes = votes->of[best];
    cov->offset_against += votes->against + all - votes->of[best];
    cov->offset_inferred = cov->offset_votes > cov->offset_against;
    if (cov->offset_inferred)
        cov->offset_ms = ((int64_t)best - MIDDLE) * QUARTER_MS;
}

static void infer_offset(logscan *s) {
    count_votes(s->cov, &s->calls);
    if (s->cov->offset_votes == 0)
        count_votes(s->cov, &s->stand_ins);
}

/* ---- sink */

/* When a call ended; DX_TIME_NONE where its numbers are none or make no sense. */
static int64_t end_of(const dx_call *call) {
    const int64_t far = INT64_C(1) << 60;
    bool told =
        call->start_ms >= 0 && call->start_ms < far && call->proc_ms >= 0 && call->proc_ms < far;
    return told ? call->start_ms + call->proc_ms : DX_TIME_NONE;
}

dx_status logscan_call(logscan *s, const dx_call *call, const dx_where *where) {
    s->cov->calls++;
    if (!where->has_zone && where->local_ms != DX_TIME_NONE && end_of(call) != DX_TIME_NONE)
        logscan_vote(&s->calls, where->local_ms, end_of(call));
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
            vote_start(&s->stand_ins, where->local_ms, event->server);
    }
    if (event->id != DX_EV_SERVER_VERSION)
        return;
    for (size_t i = 0; i < event->n; i++)
        if (event->fields[i].type == DX_FIELD_TEXT && dx_str_eq(event->fields[i].name, "version"))
            keep(s->cov->version, sizeof s->cov->version, event->fields[i].s);
}

dx_status logscan_event(logscan *s, const dx_event *event, const dx_where *where) {
    s->cov->events++;
    learn(s, event, where);
    return s->sink->event == NULL ? DX_OK : s->sink->event(s->sink->arg, event, where, s->err);
}

dx_status logscan_scan(logscan *s, const dx_scan *found, const dx_where *where) {
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
    case DX_OK: return logscan_call(s, call, where);
    case DX_E_PARSE:
    case DX_E_LIMIT:
    case DX_E_RANGE:
    case DX_E_NOTFOUND: return logscan_skip(s, reason, text, where);
    default: return decoded;
    }
}

/* ---- JSON in pieces */

size_t logscan_json_walk(logscan_json *j, dx_slice piece) {
    for (size_t i = 0; i < piece.n; i++) {
        char c = piece.p[i];
        if (j->in_string) {
            if (j->escaped)
                j->escaped = false;
            else if (c == '\\')
                j->escaped = true;
            else if (c == '"')
                j->in_string = false;
        } else if (c == '"') {
            j->in_string = true;
        } else if (c == '{') {
            j->depth++;
        } else if (c == '}' && j->depth > 0 && --j->depth == 0) {
            return i + 1;
        }
    }
    return piece.n;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

void logscan_json_glue(const logscan_json *j, dx_buf *text, dx_slice piece) {
    bool in_number =
        text->n > 0 && piece.n > 0 && is_digit(text->p[text->n - 1]) && is_digit(piece.p[0]);
    if (!j->in_string && !in_number)
        dx_buf_addc(text, '\n');
}

/* ---- */

dx_status dx_logscan(dx_input *in, dx_log_form form, const dx_sink *sink, dx_coverage *cov,
                     dx_err *err) {
    dx_err own;
    *cov = (dx_coverage){.first_local_ms = DX_TIME_NONE, .last_local_ms = DX_TIME_NONE};
    logscan s = {.in = in, .sink = sink, .cov = cov, .err = err == NULL ? &own : err};
    s.arena = dx_arena_new(0);
    if (s.arena == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory to scan a log");
    dx_status st = form == DX_LOG_RING    ? logscan_ring(&s)
                   : form == DX_LOG_TABLE ? logscan_table(&s)
                                          : logscan_plain(&s);
    cov->bytes = dx_input_bytes_read(in);
    infer_offset(&s);
    dx_arena_free(s.arena);
    return st;
}

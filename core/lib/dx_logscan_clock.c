/* dx_logscan_clock.c - the vote on a log's zone: each moment that is told by both clocks counts for
 * the quarter of an hour that they are apart. */
#include "dx_logscan_int.h"
#include "dx_server.h"

#include <string.h>

#define MINUTE_MS  INT64_C(60000)
#define QUARTER_MS (15 * MINUTE_MS)
#define MIDDLE     (LOGSCAN_OFFSETS / 2) /* the place of offset 0 */

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
bool logscan_vote(logscan_votes *votes, int64_t local_ms, int64_t utc_ms) {
    int64_t apart = local_ms - utc_ms, offset = round_down(apart + QUARTER_MS / 2, QUARTER_MS);
    ptrdiff_t at = place(offset);
    bool good = at >= 0 && apart - offset <= 2 * MINUTE_MS && offset - apart <= 2 * MINUTE_MS;
    *(good ? &votes->of[at] : &votes->against) += 1;
    return good;
}

/* Adds a run behind those that there are; the same offset goes on. */
static void add_run(dx_coverage *cov, const dx_zone_run *run) {
    dx_zone_run *last =
        cov->nruns > 0 && cov->nruns <= DX_ZONE_RUNS ? &cov->runs[cov->nruns - 1] : NULL;
    if (last != NULL && last->offset_ms == run->offset_ms) {
        last->votes += run->votes;
        last->last_line = run->last_line;
        last->last_ms = run->last_ms;
    } else if (cov->nruns < DX_ZONE_RUNS) {
        cov->runs[cov->nruns++] = *run;
    } else {
        cov->nruns = DX_ZONE_RUNS + 1;
    }
}

void logscan_vote_call(logscan_votes *votes, dx_coverage *cov, const dx_where *where,
                       int64_t end_ms) {
    if (!logscan_vote(votes, where->local_ms, end_ms))
        return;
    int64_t offset = round_down(where->local_ms - end_ms + QUARTER_MS / 2, QUARTER_MS);
    const dx_zone_run run = {offset, 1, where->line, where->line, end_ms, end_ms};
    add_run(cov, &run);
}

/* A server's start code, written to its log up to ten minutes later. */
void logscan_vote_start(logscan_votes *votes, int64_t local_ms, dx_slice server) {
    dx_server_name name;
    if (!dx_server_read(server, &name) || name.start_code < INT64_C(1000000000000)
        || name.start_code > INT64_C(9999999999999))
        return;
    int64_t apart = local_ms - name.start_code, offset = round_down(apart, QUARTER_MS);
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

/* Puts clocks are changed by: never by more, and not by the minutes that make another run. */
static bool is_change(const dx_zone_run *a, const dx_zone_run *b) {
    int64_t by = b->offset_ms - a->offset_ms;
    return by >= -2 * 4 * QUARTER_MS && by <= 2 * 4 * QUARTER_MS;
}

size_t dx_coverage_offsets(const dx_coverage *cov, dx_zone_run out[DX_ZONE_RUNS]) {
    size_t n = 0;
    if (cov->nruns > DX_ZONE_RUNS)
        return 0;
    for (size_t i = 0; i < cov->nruns; i++) {
        const dx_zone_run *run = &cov->runs[i];
        bool stray = n > 0 && i + 1 < cov->nruns && run->votes == 1
                     && out[n - 1].offset_ms == cov->runs[i + 1].offset_ms;
        if (stray)
            continue;
        if (n > 0 && !is_change(&out[n - 1], run))
            return 0;
        if (n > 0 && out[n - 1].offset_ms == run->offset_ms) {
            out[n - 1].votes += run->votes;
            out[n - 1].last_line = run->last_line;
            out[n - 1].last_ms = run->last_ms;
        } else {
            out[n++] = *run;
        }
    }
    return n;
}

/* The clocks were changed: what looks like votes against each other is none. */
static void infer_change(dx_coverage *cov) {
    dx_zone_run runs[DX_ZONE_RUNS];
    uint64_t votes = 0, all = cov->offset_votes + cov->offset_against;
    size_t n = dx_coverage_offsets(cov, runs);
    for (size_t i = 0; i < n; i++)
        votes += runs[i].votes;
    if (n < 2 || votes <= all - votes)
        return;
    cov->offset_inferred = true;
    cov->offset_ms = runs[n - 1].offset_ms;
    cov->offset_votes = votes;
    cov->offset_against = all - votes;
}

void logscan_infer(dx_coverage *cov, const logscan_votes *calls, const logscan_votes *stand_ins) {
    count_votes(cov, calls);
    if (cov->offset_votes == 0)
        count_votes(cov, stand_ins);
    infer_change(cov);
}

/* --- lines out of order */

void logscan_step_back(dx_coverage *cov, int64_t local_ms, uint64_t line) {
    int64_t by = cov->end_local_ms - local_ms;
    if (by < DX_STEP_BACK_MS) {
        cov->out_of_order++;
        if (by > cov->out_of_order_ms)
            cov->out_of_order_ms = by;
        return;
    }
    if (cov->nsteps < DX_STEPS_BACK)
        cov->steps[cov->nsteps] = (dx_step_back){line, cov->end_local_ms, local_ms};
    cov->nsteps++;
}

/* --- parts of one log */

static void add_votes(logscan_votes *into, const logscan_votes *part) {
    for (size_t i = 0; i < LOGSCAN_OFFSETS; i++)
        into->of[i] += part->of[i];
    into->against += part->against;
}

void logscan_note_stamp(dx_coverage *into, int64_t ms) {
    if (ms == DX_TIME_NONE)
        return;
    if (into->first_local_ms == DX_TIME_NONE || ms < into->first_local_ms)
        into->first_local_ms = ms;
    if (into->last_local_ms == DX_TIME_NONE || ms > into->last_local_ms)
        into->last_local_ms = ms;
}

void logscan_note_line(dx_coverage *cov, int64_t local_ms, uint64_t line) {
    if (local_ms == DX_TIME_NONE)
        return;
    if (local_ms < cov->end_local_ms) /* DX_TIME_NONE is before all */
        logscan_step_back(cov, local_ms, line);
    cov->end_local_ms = local_ms;
    if (cov->begin_local_ms == DX_TIME_NONE) {
        cov->begin_local_ms = local_ms;
        cov->begin_line = line;
    }
    logscan_note_stamp(cov, local_ms);
}

dx_coverage dx_coverage_blank(void) {
    return (dx_coverage){.first_local_ms = DX_TIME_NONE,
                         .last_local_ms = DX_TIME_NONE,
                         .begin_local_ms = DX_TIME_NONE,
                         .end_local_ms = DX_TIME_NONE,
                         .head.local_ms = DX_TIME_NONE,
                         .tail.local_ms = DX_TIME_NONE};
}

static void infer_anew(dx_coverage *cov) {
    cov->offset_inferred = false;
    cov->offset_ms = 0;
    cov->offset_votes = cov->offset_against = 0;
    logscan_infer(cov, &cov->calls_told, &cov->stand_ins);
}

static void settle_stamp(dx_coverage *cov, const dx_line_stamp *s) {
    logscan_note_stamp(cov, s->local_ms);
    if (s->has_zone)
        logscan_vote(&cov->calls_told, s->local_ms, s->local_ms - s->offset_ms);
}

void dx_coverage_settle(dx_coverage *cov) {
    settle_stamp(cov, &cov->head);
    settle_stamp(cov, &cov->tail);
    if (cov->head.local_ms != DX_TIME_NONE) {
        cov->begin_local_ms = cov->head.local_ms;
        cov->end_local_ms = cov->tail.local_ms;
    }
    infer_anew(cov);
}

/* What hangs on the order of lines; into->lines come before those of part. */
static void merge_order(dx_coverage *into, const dx_coverage *part) {
    if (part->begin_local_ms != DX_TIME_NONE) {
        if (part->begin_local_ms < into->end_local_ms)
            logscan_step_back(into, part->begin_local_ms, into->lines + part->begin_line);
        if (into->begin_local_ms == DX_TIME_NONE) {
            into->begin_local_ms = part->begin_local_ms;
            into->begin_line = into->lines + part->begin_line;
        }
        into->end_local_ms = part->end_local_ms;
    }
    into->out_of_order += part->out_of_order;
    if (part->out_of_order_ms > into->out_of_order_ms)
        into->out_of_order_ms = part->out_of_order_ms;
    for (size_t i = 0; i < part->nsteps && i < DX_STEPS_BACK; i++) {
        if (into->nsteps + i >= DX_STEPS_BACK)
            break;
        into->steps[into->nsteps + i] = part->steps[i];
        into->steps[into->nsteps + i].line += into->lines;
    }
    into->nsteps += part->nsteps;
    for (size_t i = 0; i < part->nruns && i < DX_ZONE_RUNS; i++) {
        dx_zone_run run = part->runs[i];
        run.first_line += into->lines;
        run.last_line += into->lines;
        add_run(into, &run);
    }
    if (part->nruns > DX_ZONE_RUNS)
        into->nruns = DX_ZONE_RUNS + 1;
}

void dx_coverage_merge(dx_coverage *into, const dx_coverage *part) {
    merge_order(into, part);
    for (size_t i = 0; i < DX_EV_COUNT; i++)
        into->kinds[i] += part->kinds[i];
    into->bytes += part->bytes;
    into->lines += part->lines;
    into->records += part->records;
    into->calls += part->calls;
    into->events += part->events;
    into->scans += part->scans;
    into->skipped += part->skipped;
    into->continuations += part->continuations;
    into->foreign += part->foreign;
    logscan_note_stamp(into, part->first_local_ms);
    logscan_note_stamp(into, part->last_local_ms);
    add_votes(&into->calls_told, &part->calls_told);
    add_votes(&into->stand_ins, &part->stand_ins);
    if (into->head.local_ms == DX_TIME_NONE)
        into->head = part->head;
    if (part->tail.local_ms != DX_TIME_NONE)
        into->tail = part->tail;
    infer_anew(into);
    if (part->server[0] != '\0')
        memcpy(into->server, part->server, sizeof into->server);
    if (part->version[0] != '\0')
        memcpy(into->version, part->version, sizeof into->version);
}

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
void logscan_vote(logscan_votes *votes, int64_t local_ms, int64_t utc_ms) {
    int64_t apart = local_ms - utc_ms, offset = round_down(apart + QUARTER_MS / 2, QUARTER_MS);
    ptrdiff_t at = place(offset);
    if (at < 0 || apart - offset > 2 * MINUTE_MS || offset - apart > 2 * MINUTE_MS)
        votes->against++;
    else
        votes->of[at]++;
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

void logscan_infer(dx_coverage *cov, const logscan_votes *calls, const logscan_votes *stand_ins) {
    count_votes(cov, calls);
    if (cov->offset_votes == 0)
        count_votes(cov, stand_ins);
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

dx_coverage dx_coverage_blank(void) {
    return (dx_coverage){.first_local_ms = DX_TIME_NONE,
                         .last_local_ms = DX_TIME_NONE,
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
    infer_anew(cov);
}

void dx_coverage_merge(dx_coverage *into, const dx_coverage *part) {
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

/* dx_ingest_clock.c - see dx_ingest_clock.h. */
#include "dx_ingest_clock.h"
#include "dx_time.h"

#include <stdio.h>

#define MINUTE_MS INT64_C(60000)
#define HOUR_MS   (60 * MINUTE_MS)
#define DAY_MS    (24 * HOUR_MS)

/* --- as the calls tell */

/* A local stamp, and a line, that no log has. */
#define NO_LOCAL (INT64_MAX / 2)
#define NO_LINE  (INT64_MAX / 2)

/* How usual it is that clocks are changed then: on Sundays, at 01:00 UTC, or at 02:00 or 03:00 by
 * the clock that is changed. 0: an hour like any other. */
static int usual(int64_t at_ms, int64_t before_ms) {
    dx_civil utc, local;
    dx_time_to_civil(at_ms, 0, &utc);
    dx_time_to_civil(at_ms, before_ms, &local);
    if (dx_time_weekday(at_ms, before_ms) != 0)
        return 0;
    bool europe = utc.hour == 1 && utc.minute == 0 && before_ms >= 0 && before_ms <= 3 * HOUR_MS;
    return europe ? 3 : local.hour == 2 ? 2 : local.hour == 3 ? 1 : 0;
}

static int64_t round_up(int64_t ms, int64_t to) {
    int64_t rest = ms % to;
    return rest == 0 ? ms : ms - rest + (rest < 0 ? 0 : to);
}

/* The most usual moment in (from, to] for a change; *sure: there is no other that is as good. */
static int64_t guess_moment(int64_t from_ms, int64_t to_ms, int64_t before_ms, bool *sure) {
    int64_t best = to_ms, first = round_up(from_ms + 1, HOUR_MS / 2);
    int grade = -1;
    size_t as_good = 0;
    for (int64_t t = first, i = 0; t <= to_ms && i < 2 * 24 * 400; t += HOUR_MS / 2, i++) {
        int g = usual(t, before_ms) * 2 + (t % HOUR_MS == 0);
        as_good = g > grade ? 1 : as_good + (g == grade);
        if (g > grade) {
            grade = g;
            best = t;
        }
    }
    *sure = as_good <= 1;
    return best;
}

/* The step back between two lines by which the clock was put back. */
static const dx_step_back *step_of(const dx_coverage *cov, const dx_clock_change *ch) {
    for (size_t i = 0; i < cov->nsteps && i < DX_STEPS_BACK; i++) {
        const dx_step_back *s = &cov->steps[i];
        int64_t back = s->from_local_ms - s->to_local_ms, by = ch->before_ms - ch->after_ms;
        if ((int64_t)s->line > ch->after_line && (int64_t)s->line <= ch->until_line
            && back <= by + MINUTE_MS && s->from_local_ms >= ch->from_local_ms
            && s->to_local_ms < ch->to_local_ms)
            return s;
    }
    return NULL;
}

/* A line that comes late steps forward, and what follows it back again. */
static int64_t late_line(const dx_coverage *cov, const dx_step_back *s) {
    int64_t late = 0;
    for (size_t i = 0; i < cov->nsteps && i < DX_STEPS_BACK; i++) {
        const dx_step_back *t = &cov->steps[i];
        if (t->line > s->line && t->from_local_ms > s->from_local_ms - MINUTE_MS
            && t->to_local_ms < s->to_local_ms + 10 * MINUTE_MS)
            late = (int64_t)t->line;
    }
    return late;
}

static void take_step(const dx_coverage *cov, dx_clock_change *ch, const dx_step_back *s) {
    ch->step_line = (int64_t)s->line;
    ch->step_from_ms = s->from_local_ms;
    ch->late_line = late_line(cov, s);
    if (s->from_local_ms - ch->before_ms > ch->known_from_ms)
        ch->known_from_ms = s->from_local_ms - ch->before_ms;
    if (s->to_local_ms - ch->after_ms < ch->known_to_ms)
        ch->known_to_ms = s->to_local_ms - ch->after_ms;
}

/* All calls are of one clock; a step back by an hour at a usual time, before or behind all of them,
 * tells of another. */
static void infer_by_step(const dx_coverage *cov, const dx_zone_run *run, dx_ingest_clock *clock) {
    for (size_t i = 0; i < cov->nsteps && i < DX_STEPS_BACK && clock->n == 0; i++) {
        const dx_step_back *s = &cov->steps[i];
        bool behind = s->line > run->last_line;
        int64_t before = run->offset_ms + (behind ? 0 : HOUR_MS), after = before - HOUR_MS;
        int64_t at = round_up(s->from_local_ms - before, HOUR_MS);
        if ((!behind && s->line > run->first_line) || usual(at, before) == 0
            || at - HOUR_MS > s->from_local_ms - before || at > s->to_local_ms - after + MINUTE_MS)
            continue;
        dx_clock_change *ch = &clock->changes[clock->n++];
        *ch = (dx_clock_change){.before_ms = before,
                                .after_ms = after,
                                .at_ms = at,
                                .until_line = NO_LINE,
                                .from_local_ms = -NO_LOCAL,
                                .to_local_ms = NO_LOCAL,
                                .known_from_ms = at,
                                .known_to_ms = at,
                                .sure = true};
        take_step(cov, ch, s);
        clock->begin_offset_ms = before;
        clock->end_offset_ms = after;
    }
}

void dx_ingest_clock_infer(const dx_coverage *cov, dx_ingest_clock *clock) {
    dx_zone_run runs[DX_ZONE_RUNS];
    size_t n = dx_coverage_offsets(cov, runs);
    *clock = (dx_ingest_clock){.n = 0};
    if (n > 0) {
        clock->begin_offset_ms = runs[0].offset_ms;
        clock->end_offset_ms = runs[n - 1].offset_ms;
    }
    for (size_t i = 0; i + 1 < n; i++) {
        const dx_zone_run *a = &runs[i], *b = &runs[i + 1];
        dx_clock_change *ch = &clock->changes[clock->n++];
        *ch = (dx_clock_change){.before_ms = a->offset_ms,
                                .after_ms = b->offset_ms,
                                .after_line = (int64_t)a->last_line,
                                .until_line = (int64_t)b->first_line,
                                .from_local_ms = -NO_LOCAL,
                                .to_local_ms = NO_LOCAL,
                                .known_from_ms = a->last_ms,
                                .known_to_ms = b->first_ms};
        const dx_step_back *s = b->offset_ms < a->offset_ms ? step_of(cov, ch) : NULL;
        if (s != NULL)
            take_step(cov, ch, s);
        ch->at_ms = guess_moment(ch->known_from_ms, ch->known_to_ms, ch->before_ms, &ch->sure);
        ch->sure = ch->sure || s != NULL;
    }
    if (n == 1)
        infer_by_step(cov, &runs[0], clock);
}

dx_status dx_ingest_clock_place(dx_casefile *c, int64_t source, const char *origin,
                                dx_ingest_clock *clock, dx_err *err) {
    dx_status st =
        clock->n == 0 ? DX_OK
                      : dx_casefile_set_offset(c, source, clock->changes[0].before_ms, origin, err);
    for (size_t i = 0; i < clock->n && st == DX_OK; i++) {
        uint64_t doubtful = 0;
        st = dx_casefile_change_clock(c, source, &clock->changes[i], &doubtful, err);
        clock->doubtful += doubtful;
    }
    return st;
}

/* Whether a line is behind a change, as dx_casefile_change_clock says it. */
static bool is_behind(const dx_clock_change *ch, int64_t line, int64_t local_ms) {
    if (line <= ch->after_line)
        return false;
    if (ch->step_line > 0)
        return line >= ch->step_line
               && !(line < ch->late_line && local_ms > ch->step_from_ms - MINUTE_MS);
    return line >= ch->until_line || local_ms - ch->before_ms >= ch->at_ms;
}

static int64_t offset_at(const dx_ingest_clock *clock, int64_t line, int64_t local_ms) {
    int64_t offset = clock->changes[0].before_ms;
    for (size_t i = 0; i < clock->n; i++)
        if (is_behind(&clock->changes[i], line, local_ms))
            offset = clock->changes[i].after_ms;
    return offset;
}

static int64_t less(int64_t line, uint64_t base, int64_t least) {
    int64_t left = line >= NO_LINE ? line : line - (int64_t)base;
    return left < least ? least : left;
}

void dx_ingest_clock_part(const dx_ingest_clock *whole, uint64_t base, const dx_coverage *part,
                          dx_ingest_clock *out) {
    *out = *whole;
    out->doubtful = out->missing = 0;
    for (size_t i = 0; i < out->n; i++) {
        dx_clock_change *ch = &out->changes[i];
        ch->after_line = less(ch->after_line, base, 0);
        ch->until_line = less(ch->until_line, base, 1);
        ch->step_line = ch->step_line == 0 ? 0 : less(ch->step_line, base, 1);
        ch->late_line = less(ch->late_line, base, 0);
    }
    if (out->n == 0 || part->begin_local_ms == DX_TIME_NONE)
        return;
    out->begin_offset_ms = offset_at(out, (int64_t)part->begin_line, part->begin_local_ms);
    out->end_offset_ms = offset_at(out, (int64_t)part->lines, part->end_local_ms);
}

/* --- as a zone tells */

/* What the calls around a change say of the lines before and after it. */
static void ask_calls(const dx_coverage *cov, dx_clock_change *ch) {
    for (size_t i = 0; i < cov->nruns && i < DX_ZONE_RUNS; i++) {
        const dx_zone_run *run = &cov->runs[i];
        if (run->offset_ms == ch->before_ms && run->last_ms < ch->at_ms)
            ch->after_line = (int64_t)run->last_line;
        if (run->offset_ms == ch->after_ms && run->first_ms >= ch->at_ms
            && (int64_t)run->first_line < ch->until_line)
            ch->until_line = (int64_t)run->first_line;
    }
}

/* Without a step back: the stamps in the hour that comes twice are of one of both. */
static void ask_order(const dx_coverage *cov, int64_t before_ms, dx_clock_change *ch) {
    bool goes_on = cov->end_local_ms >= ch->to_local_ms;
    bool begins = cov->begin_local_ms < ch->from_local_ms;
    if (before_ms != DX_TIME_NONE && !goes_on)
        ch->step_line = NO_LINE; /* it is the first still */
    else if (!begins && goes_on && before_ms == DX_TIME_NONE)
        ch->until_line = 1;
    else if (begins && !goes_on)
        ch->step_line = NO_LINE;
}

DX_MUST_CHECK static dx_status place(dx_casefile *c, int64_t source, const dx_coverage *cov,
                                     int64_t before_ms, dx_clock_change *ch, dx_ingest_clock *clock,
                                     dx_err *err) {
    uint64_t doubtful = 0;
    dx_clock_change first = *ch;
    const dx_step_back *s = step_of(cov, ch);
    if (s != NULL) {
        take_step(cov, ch, s);
    } else {
        ask_calls(cov, ch);
        if (before_ms != DX_TIME_NONE && before_ms >= ch->at_ms)
            ch->until_line = 1; /* the second had begun before this piece */
        else if (ch->after_line == 0 && ch->until_line == NO_LINE)
            ask_order(cov, before_ms, ch);
    }
    first.step_line = NO_LINE; /* all are of the first; then some of the second */
    dx_status st = dx_casefile_change_clock(c, source, &first, &doubtful, err);
    if (st == DX_OK)
        st = dx_casefile_change_clock(c, source, ch, &doubtful, err);
    clock->doubtful += doubtful;
    return st;
}

/* What a change in an hour that comes twice makes of the offsets at both ends of the log. */
static void take_ends(const dx_coverage *cov, const dx_clock_change *ch, dx_ingest_clock *clock) {
    bool second = ch->step_line != NO_LINE && (ch->step_line > 0 || ch->until_line != NO_LINE);
    if (cov->begin_local_ms >= ch->from_local_ms && cov->begin_local_ms < ch->to_local_ms)
        clock->begin_offset_ms = ch->until_line == 1 ? ch->after_ms : ch->before_ms;
    if (cov->end_local_ms >= ch->from_local_ms && cov->end_local_ms < ch->to_local_ms)
        clock->end_offset_ms = second ? ch->after_ms : ch->before_ms;
}

/* One change of the zone, at ch->at_ms. */
DX_MUST_CHECK static dx_status take_change(dx_casefile *c, int64_t source, const dx_coverage *cov,
                                           int64_t before_ms, dx_clock_change *ch,
                                           dx_ingest_clock *clock, dx_err *err) {
    int64_t from = ch->at_ms + ch->before_ms, to = ch->at_ms + ch->after_ms;
    dx_status st = DX_OK;
    uint64_t rows = 0;
    ch->from_local_ms = from < to ? from : to;
    ch->to_local_ms = from < to ? to : from;
    bool touched = cov->last_local_ms >= ch->from_local_ms && cov->first_local_ms < ch->to_local_ms;
    if (touched && from < to) {
        st = dx_casefile_stamped(c, source, from, to, &rows, err);
        clock->missing += rows;
    } else if (touched) {
        st = place(c, source, cov, before_ms, ch, clock, err);
        take_ends(cov, ch, clock);
    }
    bool within = cov->first_local_ms - ch->before_ms < ch->at_ms
                  && cov->last_local_ms - ch->after_ms >= ch->at_ms
                  && clock->begin_offset_ms != clock->end_offset_ms;
    if (within && clock->n < DX_ZONE_RUNS)
        clock->changes[clock->n++] = *ch;
    return st;
}

DX_MUST_CHECK static dx_status place_all(dx_casefile *c, int64_t source, const dx_clock_change *ch,
                                         dx_err *err) {
    dx_clock_change all = *ch;
    uint64_t doubtful;
    all.from_local_ms = -NO_LOCAL;
    all.to_local_ms = NO_LOCAL;
    return dx_casefile_change_clock(c, source, &all, &doubtful, err);
}

dx_status dx_ingest_clock_zone(dx_casefile *c, int64_t source, const dx_zone *zone,
                               const dx_coverage *cov, int64_t before_ms, dx_ingest_rows rows,
                               dx_ingest_clock *clock, dx_err *err) {
    dx_status st = DX_OK;
    *clock = (dx_ingest_clock){.n = 0};
    if (cov->first_local_ms == DX_TIME_NONE)
        return DX_OK;
    int64_t at = cov->first_local_ms - DAY_MS, until = cov->last_local_ms + DAY_MS;
    clock->begin_offset_ms =
        cov->begin_local_ms - dx_zone_utc(zone, cov->begin_local_ms, before_ms);
    clock->end_offset_ms = cov->end_local_ms - dx_zone_utc(zone, cov->end_local_ms, before_ms);
    if (rows == DX_ROWS_LOCAL)
        st = dx_casefile_set_offset(c, source, dx_zone_offset(zone, at), "zone", err);
    while (st == DX_OK && dx_zone_change(zone, at, until, &at)) {
        dx_clock_change ch = {.before_ms = dx_zone_offset(zone, at - 1),
                              .after_ms = dx_zone_offset(zone, at),
                              .at_ms = at,
                              .until_line = NO_LINE,
                              .known_from_ms = at,
                              .known_to_ms = at,
                              .sure = true};
        if (rows == DX_ROWS_LOCAL)
            st = place_all(c, source, &ch, err);
        if (st == DX_OK)
            st = take_change(c, source, cov, before_ms, &ch, clock, err);
    }
    return st;
}

void dx_ingest_clock_span(const dx_ingest_clock *clock, const dx_coverage *cov, int64_t *first_ms,
                          int64_t *last_ms, int64_t *end_ms) {
    if (cov->first_local_ms == DX_TIME_NONE)
        return;
    /* behind a change the latest stamp may be one from before it */
    int64_t last = clock->n > 0 ? cov->end_local_ms : cov->last_local_ms;
    *first_ms = cov->first_local_ms - clock->begin_offset_ms;
    *last_ms = last - clock->end_offset_ms;
    *end_ms = cov->end_local_ms - clock->end_offset_ms;
}

static void say_offset(char out[16], int64_t offset_ms) {
    unsigned minutes = (unsigned)((offset_ms < 0 ? -offset_ms : offset_ms) / 60000) % 6000;
    snprintf(out, 16, "%c%02u:%02u", offset_ms < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

bool dx_ingest_clock_disagrees(const dx_coverage *cov, const dx_ingest_clock *clock,
                               char text[128]) {
    char given[16], told[16];
    if (!cov->offset_inferred || cov->offset_ms == clock->end_offset_ms
        || cov->offset_ms == clock->begin_offset_ms)
        return false;
    say_offset(given, clock->end_offset_ms);
    say_offset(told, cov->offset_ms);
    snprintf(text, 128, "its stamps were read as %s, but its slow calls say %s", given, told);
    return true;
}

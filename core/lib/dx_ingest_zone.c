/* dx_ingest_zone.c - logs whose clock is known only when others have been read. */
#include "dx_ingest.h"
#include "dx_ingest_facts.h"

DX_MUST_CHECK static dx_status set_facts(dx_casefile *c, int64_t source, const char *origin,
                                         const dx_coverage *cov, const dx_ingest_clock *clock,
                                         dx_err *err) {
    dx_buf coverage;
    dx_buf_init(&coverage, 0);
    dx_ingest_facts_write(cov, clock, &coverage);
    dx_source_facts facts = {.first_ms = DX_TIME_NONE,
                             .last_ms = DX_TIME_NONE,
                             .offset_ms = clock->end_offset_ms,
                             .offset_origin = origin,
                             .coverage = coverage.p};
    int64_t end;
    dx_ingest_clock_span(clock, cov, &facts.first_ms, &facts.last_ms, &end);
    dx_status st = dx_buf_ok(&coverage)
                       ? dx_casefile_set_span(c, source, &facts, err)
                       : dx_fail(err, DX_E_NOMEM, "no memory for what a source has");
    dx_buf_done(&coverage);
    return st;
}

dx_status dx_ingest_set_zone(dx_casefile *c, int64_t source, const dx_zone *zone,
                             const char *origin, const dx_coverage *cov, dx_ingest_clock *clock,
                             dx_err *err) {
    dx_status st = dx_casefile_begin(c, err);
    if (st != DX_OK)
        return st;
    st = dx_ingest_clock_zone(c, source, zone, cov, DX_TIME_NONE, DX_ROWS_LOCAL, clock, err);
    if (st == DX_OK && cov->first_local_ms != DX_TIME_NONE)
        st = set_facts(c, source, origin, cov, clock, err);
    if (st == DX_OK)
        st = dx_casefile_commit(c, err);
    if (st != DX_OK)
        dx_casefile_rollback(c);
    return st;
}

/* --- a rotated log */

/* Keeps those changes that part the piece, for the reports. */
static void keep_within(dx_ingest_clock *clock, const dx_coverage *cov) {
    dx_ingest_clock all = *clock;
    clock->n = 0;
    for (size_t i = 0; i < all.n; i++) {
        const dx_clock_change *ch = &all.changes[i];
        if (cov->first_local_ms - ch->before_ms < ch->at_ms
            && cov->end_local_ms - ch->after_ms >= ch->at_ms
            && all.begin_offset_ms != all.end_offset_ms)
            clock->changes[clock->n++] = *ch;
    }
}

DX_MUST_CHECK static dx_status place_piece(dx_casefile *c, dx_ingest_piece *p,
                                           const dx_ingest_clock *whole, uint64_t base,
                                           dx_err *err) {
    dx_ingest_clock_part(whole, base, p->cov, &p->clock);
    dx_status st = dx_ingest_clock_place(c, p->source, p->origin, &p->clock, err);
    keep_within(&p->clock, p->cov);
    if (st == DX_OK && p->cov->first_local_ms != DX_TIME_NONE)
        st = set_facts(c, p->source, p->origin, p->cov, &p->clock, err);
    return st;
}

DX_MUST_CHECK static dx_status place_pieces(dx_casefile *c, dx_ingest_piece *pieces, size_t n,
                                            const dx_ingest_clock *whole, dx_err *err) {
    uint64_t base = 0;
    dx_status st = dx_casefile_begin(c, err);
    if (st != DX_OK)
        return st;
    for (size_t i = 0; i < n && st == DX_OK; i++) {
        st = place_piece(c, &pieces[i], whole, base, err);
        base += pieces[i].cov->lines;
    }
    if (st == DX_OK)
        st = dx_casefile_commit(c, err);
    if (st != DX_OK)
        dx_casefile_rollback(c);
    return st;
}

dx_status dx_ingest_join(dx_casefile *c, dx_ingest_piece *pieces, size_t n, bool *changed,
                         dx_err *err) {
    dx_coverage all = dx_coverage_blank();
    dx_ingest_clock whole;
    for (size_t i = 0; i < n; i++)
        dx_coverage_merge(&all, pieces[i].cov);
    dx_ingest_clock_infer(&all, &whole);
    *changed = all.offset_inferred && whole.n > 0;
    return *changed ? place_pieces(c, pieces, n, &whole, err) : DX_OK;
}

/* dx_ingest_zone.c - a log whose zone is known only when all others have been read. */
#include "dx_ingest.h"
#include "dx_ingest_facts.h"

DX_MUST_CHECK static dx_status set_facts(dx_casefile *c, int64_t source, const char *origin,
                                         const dx_coverage *cov, const dx_ingest_clock *clock,
                                         dx_err *err) {
    dx_buf coverage;
    dx_buf_init(&coverage, 0);
    dx_ingest_facts_write(cov, clock, &coverage);
    int64_t last = clock->n > 0 ? cov->end_local_ms : cov->last_local_ms;
    const dx_source_facts facts = {.first_ms = cov->first_local_ms - clock->begin_offset_ms,
                                   .last_ms = last - clock->end_offset_ms,
                                   .offset_ms = clock->end_offset_ms,
                                   .offset_origin = origin,
                                   .coverage = coverage.p};
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

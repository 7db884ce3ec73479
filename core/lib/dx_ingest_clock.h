/* dx_ingest_clock - the clock of a log that was changed while the log was written: where, as its
 * calls or a zone tell, and which of both clocks a stamp is of. */
#ifndef DX_INGEST_CLOCK_H
#define DX_INGEST_CLOCK_H

#include "dx_casefile.h"
#include "dx_logscan.h"
#include "dx_zone.h"

typedef struct dx_ingest_clock {
    size_t n;
    dx_clock_change changes[DX_ZONE_RUNS]; /* oldest first */
    uint64_t doubtful;                     /* rows that may as well be of the other clock */
    uint64_t missing;                      /* rows with stamps that the zone leaves out */
    int64_t begin_offset_ms, end_offset_ms;
} dx_ingest_clock;

/* The changes that the calls of a log show. */
void dx_ingest_clock_infer(const dx_coverage *cov, dx_ingest_clock *clock);
/* Places the source's rows by them; the rows have their local stamps still. */
DX_MUST_CHECK dx_status dx_ingest_clock_place(dx_casefile *c, int64_t source, const char *origin,
                                              dx_ingest_clock *clock, dx_err *err);
/* The clock of a part of the log: `base` lines come before it. */
void dx_ingest_clock_part(const dx_ingest_clock *whole, uint64_t base, const dx_coverage *part,
                          dx_ingest_clock *out);
/* Where the rows of a source stand before they are placed by a zone. */
typedef enum dx_ingest_rows {
    DX_ROWS_LOCAL, /* at their local stamps */
    DX_ROWS_PLACED /* by the zone already, but for hours that come twice */
} dx_ingest_rows;
/* The changes of a zone that are within the log; its rows are placed by them. before_ms: the last
 * instant of the log's piece before this, or DX_TIME_NONE. */
DX_MUST_CHECK dx_status dx_ingest_clock_zone(dx_casefile *c, int64_t source, const dx_zone *zone,
                                             const dx_coverage *cov, int64_t before_ms,
                                             dx_ingest_rows rows, dx_ingest_clock *clock,
                                             dx_err *err);
/* The first and last instant of a log, and that of its last line that has a stamp. Where it has no
 * stamps, all are left as they are. */
void dx_ingest_clock_span(const dx_ingest_clock *clock, const dx_coverage *cov, int64_t *first_ms,
                          int64_t *last_ms, int64_t *end_ms);
/* Whether the calls of a log say that its clock is another than the zone that was given; in words.
 */
bool dx_ingest_clock_disagrees(const dx_coverage *cov, const dx_ingest_clock *clock,
                               char text[128]);

#endif

/* dx_ingest_facts - what is known of a source's lines, as JSON for its row in a case. */
#ifndef DX_INGEST_FACTS_H
#define DX_INGEST_FACTS_H

#include "dx_ingest_clock.h"
#include "dx_jmx.h"

/* Appends an object of whole numbers: calls, scans, continuations, foreign, out_of_order,
 * out_of_order_ms, steps_back, offset_votes, offset_against, doubtful, missing where they are not
 * zero; events by kind; offsets: [{offset_ms, until_ms}, ...] where clocks were changed. Look at
 * dx_buf_ok(out). */
void dx_ingest_facts_write(const dx_coverage *cov, const dx_ingest_clock *clock, dx_buf *out);

/* How many numbers a document of beans has. */
uint64_t dx_ingest_samples(const dx_jmx *doc);

#endif

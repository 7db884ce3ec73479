/* dx_ingest_store - what the scan of a log gives, on its way into a case. A second thread writes,
 * once there is enough to be worth one: it is the only one that touches the case between the first
 * record and dx_ingest_store_end, and writes in the order in which it is given, so that the case
 * does not depend on it. What waits is bounded: who scans faster than is written waits. */
#ifndef DX_INGEST_STORE_H
#define DX_INGEST_STORE_H

#include "dx_casefile.h"

typedef struct dx_ingest_store dx_ingest_store;

/* For one source, in a batch of c that is open. Ends with dx_ingest_store_end. */
DX_MUST_CHECK dx_status dx_ingest_store_new(dx_ingest_store **out, dx_casefile *c, int64_t source,
                                            dx_err *err);
/* What they are given is copied. An error may be that of an earlier record. */
DX_MUST_CHECK dx_status dx_ingest_store_call(dx_ingest_store *s, const dx_call *call,
                                             const dx_where *where, dx_err *err);
DX_MUST_CHECK dx_status dx_ingest_store_event(dx_ingest_store *s, int64_t t_ms,
                                              const dx_event *event, const dx_where *where,
                                              dx_err *err);
DX_MUST_CHECK dx_status dx_ingest_store_scan(dx_ingest_store *s, int64_t t_ms, const dx_scan *scan,
                                             const dx_where *where, dx_err *err);
DX_MUST_CHECK dx_status dx_ingest_store_region(dx_ingest_store *s, dx_slice encoded, dx_slice name,
                                               dx_slice table, dx_err *err);
/* reason: a constant */
DX_MUST_CHECK dx_status dx_ingest_store_skip(dx_ingest_store *s, const char *reason,
                                             dx_slice sample, const dx_where *where, dx_err *err);
/* Writes all that was given, unless something of it has failed, and frees s (NULL is fine). Adds to
 * *new_calls the calls that were not known. */
DX_MUST_CHECK dx_status dx_ingest_store_end(dx_ingest_store *s, uint64_t *new_calls, dx_err *err);

#endif

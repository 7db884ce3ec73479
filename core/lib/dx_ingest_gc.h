/* dx_ingest_gc - a log of the garbage collector -> events of a case, kind gc_pause. */
#ifndef DX_INGEST_GC_H
#define DX_INGEST_GC_H

#include "dx_casefile.h"
#include "dx_gclog.h"
#include "dx_input.h"

/* Reads `in` to its end. Pauses of a log without a wall clock have no time yet; their local stamp
 * is that since the JVM's start (dx_casefile_set_start). cov counts lines, records, pauses as
 * events, and skips; it and facts are filled even when an error ends it. *refused: the error is the
 * case's, not the log's. */
DX_MUST_CHECK dx_status dx_ingest_gc(dx_casefile *c, int64_t source, dx_input *in, dx_coverage *cov,
                                     dx_gclog_facts *facts, bool *refused, dx_err *err);

#endif

/* dx_follow_gc - a collector's log that is being written: its pauses go to a sink as events, as a
 * reading of the whole log would tell them. */
#ifndef DX_FOLLOW_GC_H
#define DX_FOLLOW_GC_H

#include "dx_logscan.h"

typedef struct dx_follow_gc dx_follow_gc;

/* sink, what it points to and cov are borrowed; cov begins blank. lines: before what comes. */
DX_MUST_CHECK dx_status dx_follow_gc_new(dx_follow_gc **out, const dx_sink *sink, uint64_t lines,
                                         dx_coverage *cov, dx_err *err);
void dx_follow_gc_free(dx_follow_gc *g); /* NULL is fine */
/* Whole lines; offset: of the first byte. *used: the bytes that were taken, less than all where a
 * record of a program stands: it is a log, whose reader takes both. */
DX_MUST_CHECK dx_status dx_follow_gc_feed(dx_follow_gc *g, dx_slice text, uint64_t offset,
                                          size_t *used, dx_err *err);
/* Hands over the record that the next lines might add to. */
DX_MUST_CHECK dx_status dx_follow_gc_flush(dx_follow_gc *g, dx_err *err);

#endif

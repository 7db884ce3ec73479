/* dx_tally - how many of something fell into each hour, in bounded memory. Where more than 256
 * hours have any, hours are joined to twos, fours, ... until no more are left. A tally depends on
 * nothing but the times in it. */
#ifndef DX_TALLY_H
#define DX_TALLY_H

#include "dx_pack.h"

#define DX_TALLY_MAX     512
#define DX_TALLY_UNIT_MS INT64_C(900000)

typedef struct dx_tally_span {
    int64_t at; /* from at * 2^shift quarters of an hour since 1970 on */
    uint64_t n;
} dx_tally_span;

typedef struct dx_tally {
    dx_tally_span *spans; /* ascending, none empty */
    size_t n, cap;
    unsigned shift; /* a span is 2^shift quarters long */
} dx_tally;         /* all zero: empty */

void dx_tally_done(dx_tally *t);
/* False: no memory. */
DX_MUST_CHECK bool dx_tally_add(dx_tally *t, int64_t ms);
DX_MUST_CHECK bool dx_tally_merge(dx_tally *into, const dx_tally *from);
void dx_tally_write(const dx_tally *t, dx_buf *out);
/* Into an empty one. False: in->failed, or no memory. */
DX_MUST_CHECK bool dx_tally_read(dx_tally *t, dx_unpack *in);

#endif

/* dx_digest - calls grouped by a key; counts, sums, maxima and exact quantiles (nearest rank) per
 * group. */
#ifndef DX_DIGEST_H
#define DX_DIGEST_H

#include "dx_err.h"
#include "dx_known.h"
#include "dx_str.h"
#include "dx_time.h"

#include <stddef.h>
#include <stdint.h>

typedef struct dx_digest dx_digest;

typedef struct dx_digest_call {
    int64_t proc_ms, queue_ms, response_bytes; /* DX_UNKNOWN: not told; counts in no quantile */
    int64_t start_ms;                          /* DX_TIME_NONE: not told */
    int64_t ref; /* the caller's id of the call: worst_ref gives it back */
} dx_digest_call;

typedef struct dx_spread {
    uint64_t n;                 /* how many told it */
    int64_t sum, p50, p95, max; /* nearest rank: the ceil(q*n)-th smallest; all 0 when n is 0; a sum
                                   too large for 64 bits stays at the largest number */
} dx_spread;

typedef struct dx_digest_group {
    dx_slice key; /* borrowed from the digest */
    uint64_t calls;
    dx_spread proc_ms, queue_ms, response_bytes;
    int64_t first_ms, last_ms; /* DX_TIME_NONE: no call told its start */
    int64_t worst_ref; /* the call of the longest processing time (the first of equals; the first
                          call when none told its time) */
} dx_digest_group;

dx_digest *dx_digest_new(void);    /* NULL: no memory */
void dx_digest_free(dx_digest *d); /* NULL is fine */
/* Copies key when it is new. DX_E_NOMEM; DX_E_USAGE: after finish. */
DX_MUST_CHECK dx_status dx_digest_add(dx_digest *d, dx_slice key, const dx_digest_call *call,
                                      dx_err *err);
/* Ends the adding; groups come out by total processing time, largest first (equals: by key). */
DX_MUST_CHECK dx_status dx_digest_finish(dx_digest *d, dx_err *err);
size_t dx_digest_count(const dx_digest *d); /* groups; 0 before finish */
/* Borrowed from the digest; NULL: there are not so many. */
const dx_digest_group *dx_digest_at(const dx_digest *d, size_t i);

#endif

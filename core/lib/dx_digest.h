/* dx_digest - calls grouped by a key. Counts, sums and maxima are exact. Quantiles are exact
 * (nearest rank) in a group with up to DX_DIGEST_EXACT numbers, and within 1/128 beyond
 * (dx_sketch). Up to DX_DIGEST_GROUPS groups a digest depends on nothing but the calls in it, not
 * on their order nor on the parts that it was merged from. With more groups than that memory stays
 * bounded: the heavy ones are kept, the rest is one group, the others, and the totals stay exact.
 */
#ifndef DX_DIGEST_H
#define DX_DIGEST_H

#include "dx_buf.h"
#include "dx_err.h"
#include "dx_known.h"
#include "dx_pack.h"
#include "dx_str.h"
#include "dx_tally.h"
#include "dx_time.h"

#include <stddef.h>
#include <stdint.h>

#define DX_DIGEST_EXACT  16384 /* numbers of a field of a group that are kept: 128 KiB */
#define DX_DIGEST_GROUPS 20000 /* groups that are kept */

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
    bool exact;                 /* p50 and p95 are; else within 1/128 */
} dx_spread;

typedef struct dx_digest_group {
    dx_slice key; /* borrowed from the digest */
    uint64_t calls;
    dx_spread proc_ms, queue_ms, response_bytes;
    int64_t first_ms, last_ms; /* DX_TIME_NONE: no call told its start */
    const dx_tally *hours;     /* of the starts that were told */
    int64_t worst_ref;         /* the call of the longest processing time (the first of equals; the
                                  first call when none told its time); DX_UNKNOWN after a merge */
    dx_slice note;             /* as dx_digest_note set it for that call; empty: it was not */
    uint64_t parts;            /* groups that were merged into this one; 0: none were */
    uint64_t missed_calls; /* at most so many of its calls, and so much of their time, may have */
    int64_t missed_ms;     /* gone to the others; 0 up to DX_DIGEST_GROUPS groups */
} dx_digest_group;

dx_digest *dx_digest_new(void);    /* NULL: no memory */
void dx_digest_free(dx_digest *d); /* NULL is fine */
/* Copies key when it is new. DX_E_NOMEM; DX_E_USAGE: after finish. */
DX_MUST_CHECK dx_status dx_digest_add(dx_digest *d, dx_slice key, const dx_digest_call *call,
                                      dx_err *err);
/* Whether the call that was added last is the longest of its group, or as long as it. */
bool dx_digest_wants_note(const dx_digest *d);
/* What is to be known about that call; copied. Of equally long calls the one with the smaller note
 * stays. */
DX_MUST_CHECK dx_status dx_digest_note(dx_digest *d, dx_slice note, dx_err *err);
/* Adds all of from, whose notes count and whose refs do not. DX_E_NOMEM; DX_E_USAGE: into is
 * finished; DX_E_LIMIT: both have more calls than can be counted (2^56). from is not changed. */
DX_MUST_CHECK dx_status dx_digest_merge(dx_digest *into, const dx_digest *from, dx_err *err);
/* The same with other keys: rename gives the key that a group goes by from now on, borrowed until
 * its next call. Groups of one name become one. */
DX_MUST_CHECK dx_status dx_digest_merge_as(dx_digest *into, const dx_digest *from,
                                           dx_slice (*rename)(void *arg, dx_slice key), void *arg,
                                           dx_err *err);
/* Gives memory back: of more groups than are kept the lighter ones go to the others. DX_E_NOMEM. */
DX_MUST_CHECK dx_status dx_digest_trim(dx_digest *d, dx_err *err);
/* Whether `good` says so of all keys. */
bool dx_digest_each_key(const dx_digest *d, bool (*good)(const void *arg, dx_slice key),
                        const void *arg);
/* Ends the adding; groups come out by total processing time, largest first (equals: by key). */
DX_MUST_CHECK dx_status dx_digest_finish(dx_digest *d, dx_err *err);
size_t dx_digest_count(const dx_digest *d); /* groups; 0 before finish */
/* Borrowed from the digest; NULL: there are not so many. */
const dx_digest_group *dx_digest_at(const dx_digest *d, size_t i);
/* All that is in no group; its key is empty. NULL: nothing is, or before finish. */
const dx_digest_group *dx_digest_others(const dx_digest *d);

/* A finished digest as bytes: the same calls give the same bytes. Look at dx_buf_ok(out). */
void dx_digest_write(const dx_digest *d, dx_buf *out);
/* What dx_digest_write wrote, not finished. DX_E_PARSE: it is none; DX_E_NOMEM. */
DX_MUST_CHECK dx_status dx_digest_read(dx_digest **out, dx_unpack *in, dx_err *err);

#endif

/* dx_casefile_digest - the calls of a case, grouped by what the caller asks for. */
#ifndef DX_CASEFILE_DIGEST_H
#define DX_CASEFILE_DIGEST_H

#include "dx_casefile.h"
#include "dx_digest.h"

#define DX_GROUP_KEYS 16 /* at most so many in one grouping */

typedef struct dx_grouping {
    const char *const *by; /* as dx_casefile_group_name lists them */
    size_t n;
    int64_t from_ms, to_ms; /* calls that ran in [from, to); DX_TIME_NONE: no such bound */
    int64_t offset_ms;      /* "hour", "day" are those of a clock so far east of UTC */
    const char *where;      /* SQL over the columns of call, or NULL */
} dx_grouping;

typedef struct dx_grouped {
    uint64_t calls, proc_told; /* all that were grouped; those of them that tell proc_ms */
    int64_t proc_ms;           /* sum over the latter; one too large stays at the largest number */
} dx_grouped;

/* The i-th name to group by: "table", "method", "client", "hour" (of the day), "clock_hour" (since
 * 1970), ...; NULL: there are no more. */
const char *dx_casefile_group_name(size_t i);
/* DX_E_USAGE: a name that is no key, too many of them, or where is no SQL. The caller frees *out;
 * its keys are read with dx_casefile_group_key. worst_ref is call.id. */
DX_MUST_CHECK dx_status dx_casefile_digest(dx_digest **out, dx_casefile *c, const dx_grouping *g,
                                           dx_grouped *total, dx_err *err);
/* The i-th part of a group's key, i < g->n; text is borrowed from key. DX_V_NULL: not told. */
dx_value dx_casefile_group_key(dx_slice key, size_t i);

#endif

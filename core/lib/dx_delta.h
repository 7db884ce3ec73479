/* dx_delta - pairs of samples of a counter -> what it grew by, and whether that can be believed.
 * Why it cannot is decided here once, so that no playbook takes a restart for a rate. Pure. */
#ifndef DX_DELTA_H
#define DX_DELTA_H

#include "dx_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum dx_quality {
    DX_Q_OK,      /* grew by `delta` in [from, to]                                               */
    DX_Q_RESET,   /* it fell although the process is the same: a counter that restarted at 0     */
    DX_Q_RESTART, /* the process started between the two samples                                 */
    DX_Q_CACHED,  /* too close together: the metrics system (10 s) may have answered from its cache
                   */
    DX_Q_GAP,     /* much longer than this series' usual step: a hole                            */
    DX_Q_MOVED,   /* a sum over online regions fell: regions left                                */
    DX_Q_UNKNOWN  /* one of both is no finite number: nothing can be said                        */
} dx_quality;
const char *dx_quality_name(dx_quality q); /* "ok", "reset", ... */

typedef struct dx_point {
    int64_t t_ms;
    double v;
} dx_point;

typedef struct dx_delta {
    int64_t from_ms, to_ms;
    double delta; /* what it grew by; 0 unless quality is OK or GAP */
    dx_quality quality;
} dx_delta;

typedef struct dx_delta_opts {
    const int64_t *starts; /* instants at which the process (re)started, ascending */
    size_t nstarts;
    bool region_sum;     /* a sum over online regions: a fall is MOVED, not RESET */
    int64_t min_step_ms; /* closer pairs are CACHED; 0: 5000 */
    double gap_factor;   /* a step over this multiple of the median step is a GAP; 0: 3 */
} dx_delta_opts;

/* p ascending in time, n points -> n - 1 deltas (0 for n < 2) in out, which has room for them.
 * opts NULL: no starts, defaults. What is said of a pair [a, b] is the first of these that holds:
 * a start in (a, b]: RESTART; not finite: UNKNOWN; it fell: RESET or MOVED; closer than
 * min_step_ms: CACHED; further than gap_factor * median: GAP; else OK. The median is that of the
 * steps that are not CACHED, the mean of the middle two for an even number. DX_E_USAGE: times or
 * starts descend, or an option is negative. */
DX_MUST_CHECK dx_status dx_delta_run(const dx_point *p, size_t n, const dx_delta_opts *opts,
                                     dx_delta *out, dx_err *err);

#endif

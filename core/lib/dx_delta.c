/* dx_delta.c - see dx_delta.h. */
#include "dx_delta.h"
#include "dx_mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define MIN_STEP_MS 5000
#define GAP_FACTOR  3.0

const char *dx_quality_name(dx_quality q) {
    switch (q) {
    case DX_Q_OK: return "ok";
    case DX_Q_RESET: return "reset";
    case DX_Q_RESTART: return "restart";
    case DX_Q_CACHED: return "cached";
    case DX_Q_GAP: return "gap";
    case DX_Q_MOVED: return "moved";
    case DX_Q_UNKNOWN: return "unknown";
    }
    return "unknown";
}

/* p ascends, so the difference fits even between the ends of time */
static uint64_t step_of(const dx_point *p) {
    return (uint64_t)p[1].t_ms - (uint64_t)p[0].t_ms;
}

static dx_status check(const dx_point *p, size_t n, const dx_delta_opts *o, dx_err *err) {
    if (o->min_step_ms < 0 || !(o->gap_factor >= 0))
        return dx_fail(err, DX_E_USAGE, "delta: min_step_ms and gap_factor must not be negative");
    for (size_t i = 1; i < n; i++)
        if (p[i].t_ms < p[i - 1].t_ms)
            return dx_fail(err, DX_E_USAGE,
                           "delta: points must ascend in time; point %zu (%" PRId64
                           " ms) is before the one ahead of it",
                           i + 1, p[i].t_ms);
    for (size_t i = 1; i < o->nstarts; i++)
        if (o->starts[i] < o->starts[i - 1])
            return dx_fail(err, DX_E_USAGE, "delta: starts must ascend; start %zu does not", i + 1);
    return DX_OK;
}

static int by_size(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The median of the steps of at least min_step; 0 when there is none. */
static dx_status usual_step(const dx_point *p, size_t n, uint64_t min_step, double *out,
                            dx_err *err) {
    uint64_t *steps = dx_calloc(n - 1, sizeof *steps);
    if (steps == NULL)
        return dx_fail(err, DX_E_NOMEM, "delta: no memory for %zu steps", n - 1);
    size_t k = 0;
    for (size_t i = 0; i + 1 < n; i++)
        if (step_of(p + i) >= min_step)
            steps[k++] = step_of(p + i);
    qsort(steps, k, sizeof *steps, by_size);
    *out = k == 0 ? 0 : ((double)steps[(k - 1) / 2] + (double)steps[k / 2]) / 2;
    free(steps);
    return DX_OK;
}

static dx_quality judge(const dx_point *p, bool restarted, const dx_delta_opts *o, double usual) {
    if (restarted)
        return DX_Q_RESTART;
    if (!isfinite(p[0].v) || !isfinite(p[1].v) || !isfinite(p[1].v - p[0].v))
        return DX_Q_UNKNOWN;
    if (p[1].v < p[0].v)
        return o->region_sum ? DX_Q_MOVED : DX_Q_RESET;
    if (step_of(p) < (uint64_t)o->min_step_ms)
        return DX_Q_CACHED;
    return usual > 0 && (double)step_of(p) > o->gap_factor * usual ? DX_Q_GAP : DX_Q_OK;
}

dx_status dx_delta_run(const dx_point *p, size_t n, const dx_delta_opts *opts, dx_delta *out,
                       dx_err *err) {
    dx_delta_opts o = opts == NULL ? (dx_delta_opts){0} : *opts;
    dx_status st = check(p, n, &o, err);
    if (st != DX_OK || n < 2)
        return st;
    if (o.min_step_ms == 0)
        o.min_step_ms = MIN_STEP_MS;
    if (o.gap_factor == 0)
        o.gap_factor = GAP_FACTOR;
    double usual = 0;
    if ((st = usual_step(p, n, (uint64_t)o.min_step_ms, &usual, err)) != DX_OK)
        return st;
    size_t next = 0; /* the first start after the pair's first point */
    for (size_t i = 0; i + 1 < n; i++) {
        while (next < o.nstarts && o.starts[next] <= p[i].t_ms)
            next++;
        bool restarted = next < o.nstarts && o.starts[next] <= p[i + 1].t_ms;
        dx_quality q = judge(p + i, restarted, &o, usual);
        bool known = q == DX_Q_OK || q == DX_Q_GAP;
        out[i] = (dx_delta){p[i].t_ms, p[i + 1].t_ms, known ? p[i + 1].v - p[i].v : 0, q};
    }
    return DX_OK;
}

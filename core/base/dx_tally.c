/* dx_tally.c - see dx_tally.h. Times come nearly in order, so the last span is looked at first. */
#include "dx_tally.h"
#include "dx_mem.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SHIFT 42 /* all of 64 bits of milliseconds */

void dx_tally_done(dx_tally *t) {
    free(t->spans);
    *t = (dx_tally){0};
}

/* at / 2^shift, rounded down. */
static int64_t halve(int64_t at, unsigned shift) {
    return at < 0 ? -((-at - 1) >> shift) - 1 : at >> shift;
}

static int64_t unit_of(int64_t ms) {
    return ms / DX_TALLY_UNIT_MS - (ms % DX_TALLY_UNIT_MS < 0);
}

static void widen(dx_tally *t, unsigned by) {
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        dx_tally_span s = {halve(t->spans[i].at, by), t->spans[i].n};
        if (n > 0 && t->spans[n - 1].at == s.at)
            t->spans[n - 1].n += s.n;
        else
            t->spans[n++] = s;
    }
    t->n = n;
    t->shift += by;
}

/* The first span at or after at. */
static size_t place(const dx_tally *t, int64_t at) {
    size_t low = 0, high = t->n;
    if (t->n > 0 && t->spans[t->n - 1].at <= at)
        return t->spans[t->n - 1].at == at ? t->n - 1 : t->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->spans[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool add(dx_tally *t, int64_t unit, uint64_t times) {
    for (;; widen(t, 1)) {
        int64_t at = halve(unit, t->shift);
        size_t i = place(t, at);
        if (i < t->n && t->spans[i].at == at) {
            t->spans[i].n += times;
            return true;
        }
        if (t->n == DX_TALLY_MAX)
            continue;
        void *p = t->spans;
        if (!dx_grow(&p, &t->cap, t->n + 1, sizeof *t->spans))
            return false;
        t->spans = p;
        memmove(t->spans + i + 1, t->spans + i, (t->n - i) * sizeof *t->spans);
        t->spans[i] = (dx_tally_span){at, times};
        t->n++;
        return true;
    }
}

bool dx_tally_add(dx_tally *t, int64_t ms) {
    return add(t, unit_of(ms), 1);
}

bool dx_tally_merge(dx_tally *into, const dx_tally *from) {
    if (into->shift < from->shift)
        widen(into, from->shift - into->shift);
    for (size_t i = 0; i < from->n; i++)
        if (!add(into, from->spans[i].at * ((int64_t)1 << from->shift), from->spans[i].n))
            return false;
    return true;
}

void dx_tally_write(const dx_tally *t, dx_buf *out) {
    int64_t before = 0;
    dx_pack_u64(out, t->n);
    if (t->n > 0)
        dx_pack_u64(out, t->shift);
    for (size_t i = 0; i < t->n; i++) {
        dx_pack_i64(out, t->spans[i].at - before);
        dx_pack_u64(out, t->spans[i].n);
        before = t->spans[i].at;
    }
}

/* Units of 64 bits of milliseconds. */
static bool is_unit(int64_t unit) {
    return unit >= unit_of(INT64_MIN) && unit <= unit_of(INT64_MAX);
}

bool dx_tally_read(dx_tally *t, dx_unpack *in) {
    uint64_t n = dx_unpack_upto(in, DX_TALLY_MAX);
    unsigned shift = n == 0 ? 0 : (unsigned)dx_unpack_upto(in, MAX_SHIFT);
    int64_t at = 0;
    for (uint64_t i = 0; i < n && !in->failed; i++) {
        int64_t step = dx_unpack_i64(in);
        uint64_t times = dx_unpack_u64(in);
        bool sane = is_unit(step) && is_unit(at + step) && times > 0 && (i == 0 || step > 0);
        at += sane ? step : 0;
        in->failed =
            in->failed || !sane || !is_unit(at * ((int64_t)1 << (shift > 20 ? 20 : shift)));
        t->shift = 0;
        if (!in->failed && !add(t, at, times))
            return false;
    }
    t->shift = shift;
    return !in->failed;
}

/* dx_sketch.c - see dx_sketch.h. Buckets come in runs of 64, one for each power of two, made when a
 * number first falls into them. */
#include "dx_sketch.h"
#include "dx_mem.h"

#include <stdlib.h>

#define BITS 6 /* 64 buckets for each power of two */
#define RUN  ((size_t)1 << BITS)
#define RUNS (DX_SKETCH_BUCKETS / RUN)

struct dx_sketch {
    uint64_t n;
    uint64_t *runs[RUNS];
};

size_t dx_sketch_bucket(int64_t v) {
    uint64_t u = v < 0 ? 0 : (uint64_t)v;
    if (u < RUN)
        return (size_t)u;
    unsigned shift = 63 - BITS - (unsigned)__builtin_clzll(u);
    return (size_t)shift * RUN + (size_t)(u >> shift);
}

int64_t dx_sketch_middle(size_t bucket) {
    if (bucket < 2 * RUN)
        return (int64_t)bucket;
    size_t shift = bucket / RUN - 1;
    uint64_t lowest = (uint64_t)(bucket - shift * RUN) << shift;
    return (int64_t)(lowest + (((uint64_t)1 << shift) >> 1));
}

dx_sketch *dx_sketch_new(void) {
    return dx_calloc(1, sizeof(dx_sketch));
}

void dx_sketch_free(dx_sketch *s) {
    for (size_t i = 0; s != NULL && i < RUNS; i++)
        free(s->runs[i]);
    free(s);
}

static bool add(dx_sketch *s, size_t bucket, uint64_t times) {
    uint64_t **run = &s->runs[bucket / RUN];
    if (*run == NULL && (*run = dx_calloc(RUN, sizeof **run)) == NULL)
        return false;
    (*run)[bucket % RUN] += times;
    s->n += times;
    return true;
}

bool dx_sketch_add(dx_sketch *s, int64_t v) {
    return add(s, dx_sketch_bucket(v), 1);
}

static uint64_t in_bucket(const dx_sketch *s, size_t bucket) {
    const uint64_t *run = s->runs[bucket / RUN];
    return run == NULL ? 0 : run[bucket % RUN];
}

bool dx_sketch_merge(dx_sketch *into, const dx_sketch *from) {
    for (size_t i = 0; i < DX_SKETCH_BUCKETS; i++) {
        uint64_t n = in_bucket(from, i);
        if (n > 0 && !add(into, i, n))
            return false;
    }
    return true;
}

uint64_t dx_sketch_count(const dx_sketch *s) {
    return s->n;
}

int64_t dx_sketch_rank(const dx_sketch *s, uint64_t rank) {
    uint64_t seen = 0;
    size_t last = 0;
    for (size_t i = 0; i < DX_SKETCH_BUCKETS && seen < rank; i++) {
        uint64_t n = in_bucket(s, i);
        seen += n;
        last = n > 0 ? i : last;
    }
    return dx_sketch_middle(last);
}

void dx_sketch_write(const dx_sketch *s, dx_buf *out) {
    size_t used = 0, before = 0;
    for (size_t i = 0; i < DX_SKETCH_BUCKETS; i++)
        used += in_bucket(s, i) > 0;
    dx_pack_u64(out, used);
    for (size_t i = 0; i < DX_SKETCH_BUCKETS; i++) {
        uint64_t n = in_bucket(s, i);
        if (n == 0)
            continue;
        dx_pack_u64(out, i - before);
        dx_pack_u64(out, n);
        before = i;
    }
}

dx_sketch *dx_sketch_read(dx_unpack *in) {
    dx_sketch *s = dx_sketch_new();
    uint64_t used = dx_unpack_upto(in, DX_SKETCH_BUCKETS), bucket = 0;
    bool good = s != NULL;
    for (uint64_t i = 0; good && i < used; i++) {
        uint64_t step = dx_unpack_upto(in, DX_SKETCH_BUCKETS - 1 - bucket);
        uint64_t n = dx_unpack_u64(in);
        bucket += step;
        in->failed = in->failed || n == 0 || (step == 0 && i > 0) || n > UINT64_MAX - s->n;
        good = !in->failed && add(s, (size_t)bucket, n);
    }
    if (good && !in->failed)
        return s;
    dx_sketch_free(s);
    return NULL;
}

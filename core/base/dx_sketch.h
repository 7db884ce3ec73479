/* dx_sketch - how numbers are spread, in bounded memory (30 KiB at most). Each power of two is cut
 * into 64 equal buckets: numbers below 128 are exact, a larger one is told within 1/128 of itself
 * (0.79 %). A sketch depends on nothing but the numbers in it: not on their order, nor on the parts
 * that it was merged from. */
#ifndef DX_SKETCH_H
#define DX_SKETCH_H

#include "dx_pack.h"

#define DX_SKETCH_BUCKETS 3712 /* up to 2^63 - 1 */

typedef struct dx_sketch dx_sketch;

dx_sketch *dx_sketch_new(void);    /* NULL: no memory */
void dx_sketch_free(dx_sketch *s); /* NULL is fine */
/* A negative number counts as 0. False: no memory, then nothing has changed. */
DX_MUST_CHECK bool dx_sketch_add(dx_sketch *s, int64_t v);
/* False: no memory; into then has some of from. */
DX_MUST_CHECK bool dx_sketch_merge(dx_sketch *into, const dx_sketch *from);
uint64_t dx_sketch_count(const dx_sketch *s);
/* The rank-th smallest, 1 <= rank <= count, within 1/128 of it: the middle of its bucket. */
int64_t dx_sketch_rank(const dx_sketch *s, uint64_t rank);

/* The same numbers give the same bytes. */
void dx_sketch_write(const dx_sketch *s, dx_buf *out);
/* What dx_sketch_write wrote; NULL: in->failed, or no memory. */
dx_sketch *dx_sketch_read(dx_unpack *in);

/* The bucket of a number, and the middle of a bucket. */
size_t dx_sketch_bucket(int64_t v);
int64_t dx_sketch_middle(size_t bucket);

#endif

/* dx_pack - numbers and texts as compact bytes: 7 bits a byte, the same on every machine. Reading
 * trusts nothing: a reader that has met a wrong byte stays failed and gives zeros, so that it is
 * looked at once, at the end. */
#ifndef DX_PACK_H
#define DX_PACK_H

#include "dx_buf.h"

void dx_pack_u64(dx_buf *out, uint64_t v);  /* 1 to 10 bytes */
void dx_pack_i64(dx_buf *out, int64_t v);   /* small absolute values are short */
void dx_pack_text(dx_buf *out, dx_slice s); /* its length, then its bytes */

typedef struct dx_unpack {
    dx_slice rest;
    bool failed;
} dx_unpack;

uint64_t dx_unpack_u64(dx_unpack *in);
int64_t dx_unpack_i64(dx_unpack *in);
dx_slice dx_unpack_text(dx_unpack *in); /* borrowed from what is read */
/* A number of at most max; more fails. */
uint64_t dx_unpack_upto(dx_unpack *in, uint64_t max);

#endif

/* dx_pack.c - see dx_pack.h. Numbers as in LEB128, the lowest seven bits first; one way to write
 * each, so that equal values are equal bytes. */
#include "dx_pack.h"

void dx_pack_u64(dx_buf *out, uint64_t v) {
    char bytes[10];
    size_t n = 0;
    if (v < 0x80) {
        dx_buf_addc(out, (char)v);
        return;
    }
    for (; v >= 0x80; v >>= 7)
        bytes[n++] = (char)(v | 0x80);
    bytes[n++] = (char)v;
    dx_buf_add(out, bytes, n);
}

void dx_pack_i64(dx_buf *out, int64_t v) {
    uint64_t u = (uint64_t)v << 1;
    dx_pack_u64(out, v < 0 ? ~u : u);
}

void dx_pack_text(dx_buf *out, dx_slice s) {
    char *to = s.n > 0 && s.n < 0x80 ? dx_buf_extend(out, 1 + s.n) : NULL;
    if (to == NULL) {
        dx_pack_u64(out, s.n);
        dx_buf_add(out, s.p, s.n);
        return;
    }
    *to = (char)s.n; /* nearly always: in one go */
    memcpy(to + 1, s.p, s.n);
}

uint64_t dx_unpack_u64(dx_unpack *in) {
    uint64_t v = 0;
    for (size_t i = 0; i < in->rest.n && i < 10; i++) {
        uint64_t byte = (unsigned char)in->rest.p[i];
        v |= (byte & 0x7f) << (7 * i);
        if (byte >= 0x80)
            continue;
        if ((byte == 0 && i > 0) || (i == 9 && byte > 1))
            break;
        in->rest = dx_slice_sub(in->rest, i + 1, in->rest.n);
        return v;
    }
    in->failed = true;
    in->rest.n = 0;
    return 0;
}

int64_t dx_unpack_i64(dx_unpack *in) {
    uint64_t u = dx_unpack_u64(in);
    uint64_t half = u >> 1;
    return u & 1 ? -(int64_t)half - 1 : (int64_t)half;
}

uint64_t dx_unpack_upto(dx_unpack *in, uint64_t max) {
    uint64_t v = dx_unpack_u64(in);
    if (v <= max)
        return v;
    in->failed = true;
    in->rest.n = 0;
    return 0;
}

dx_slice dx_unpack_text(dx_unpack *in) {
    uint64_t n = dx_unpack_upto(in, in->rest.n);
    if (n > in->rest.n) { /* the length's own bytes are gone from rest */
        in->failed = true;
        n = in->rest.n;
    }
    dx_slice s = dx_slice_sub(in->rest, 0, (size_t)n);
    in->rest = dx_slice_sub(in->rest, (size_t)n, in->rest.n);
    return s;
}

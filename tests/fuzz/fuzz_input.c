/* fuzz_input.c - plain, gzip and zstd as lines and as a whole, from memory and in small blocks. The
 * first byte of an input is the longest line, the second the size of a block. */
#include "fuzz.h"

#define ENOUGH (1u << 20) /* of what a small input may unpack to */

const size_t fuzz_stretch = 1u << 19;

typedef struct seen {
    uint64_t lines, cuts, hash;
    dx_status status;
} seen;

static seen lines(dx_input *in, size_t max_line) {
    seen s = {0};
    dx_slice line = {NULL, 0};
    uint64_t offset = 0, before = 0;
    bool cut;
    dx_err err;
    while ((s.status = dx_input_line(in, max_line, &line, &offset, &cut, &err)) == DX_ROW) {
        fuzz_touch(line);
        fuzz_check(line.n <= max_line && offset >= before);
        before = offset + line.n;
        s.hash = dx_hash(line.p, line.n, dx_hash(&offset, sizeof offset, s.hash));
        s.lines++;
        s.cuts += cut;
        if (before > ENOUGH)
            break;
    }
    return s;
}

static void whole(dx_slice bytes, size_t max) {
    dx_input *in;
    dx_slice head;
    dx_buf out;
    dx_err err;
    fuzz_check(dx_input_open_bytes(&in, bytes, "bytes", &err) == DX_OK);
    if (dx_input_peek(in, &head, &err) == DX_OK)
        fuzz_touch(head);
    dx_buf_init(&out, 0);
    dx_status st = dx_input_slurp(in, max, &out, &err);
    fuzz_check(out.n <= max && (st != DX_E_LIMIT || out.n == max));
    fuzz_touch(dx_buf_slice(&out));
    dx_buf_done(&out);
    dx_input_close(in);
}

void fuzz_one(dx_slice bytes) {
    size_t max_line = fuzz_byte(&bytes), block = fuzz_byte(&bytes);
    dx_input *in;
    dx_err err;
    whole(bytes, max_line == 0 ? ENOUGH : max_line * 16);
    fuzz_check(dx_input_open_bytes(&in, bytes, "bytes", &err) == DX_OK);
    seen a = lines(in, max_line);
    uint64_t print = dx_input_fingerprint(in);
    dx_input_close(in);
    if (!fuzz_pipe(&in, bytes, block))
        return;
    seen b = lines(in, max_line);
    fuzz_check(a.lines == b.lines && a.cuts == b.cuts && a.hash == b.hash && a.status == b.status);
    fuzz_check(a.status == DX_ROW || print == dx_input_fingerprint(in));
    dx_input_close(in);
}

/* fuzz_slowlog.c - slow calls as log lines: tag, extent, the whole record, one without its head. */
#include "fuzz.h"

const size_t fuzz_stretch = 1u << 19;

static dx_status call(dx_slice text, size_t memory, bool whole) {
    dx_arena *arena = dx_arena_new(memory);
    dx_call c = {.start_ms = -7};
    dx_err err;
    fuzz_check(arena != NULL);
    dx_status st =
        whole ? dx_slowlog_log(text, arena, &c, &err) : dx_slowlog_headless(text, arena, &c, &err);
    fuzz_check(st == DX_OK || st == DX_E_PARSE || st == DX_E_LIMIT
               || (!whole && st == DX_E_NOTFOUND));
    if (st == DX_OK)
        fuzz_call(&c);
    else
        fuzz_check(c.start_ms == -7);
    dx_arena_free(arena);
    return st;
}

void fuzz_one(dx_slice in) {
    ptrdiff_t tag = dx_slowlog_tag(in);
    fuzz_check(tag < (ptrdiff_t)in.n);
    size_t at = tag < 0 ? 0 : (size_t)tag;
    if (tag >= 0)
        fuzz_check(dx_slowlog_extent(in, at) <= in.n - at);
    dx_slice text = dx_slice_sub(in, at, in.n);
    dx_status st = call(text, 0, true), tight = call(text, 512, true);
    fuzz_check(st == tight || tight == DX_E_LIMIT);
    call(in, 0, false);
}

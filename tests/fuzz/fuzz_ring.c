/* fuzz_ring.c - one record of the ring buffer's shell output. */
#include "fuzz.h"

const size_t fuzz_stretch = 1u << 19;

static dx_status call(dx_slice text, size_t memory) {
    dx_arena *arena = dx_arena_new(memory);
    dx_call c = {.start_ms = -7};
    dx_err err;
    fuzz_check(arena != NULL);
    dx_status st = dx_slowlog_ring(text, DX_TRI_UNKNOWN, arena, &c, &err);
    fuzz_check(st == DX_OK || st == DX_E_PARSE || st == DX_E_LIMIT);
    if (st == DX_OK)
        fuzz_call(&c);
    dx_arena_free(arena);
    return st;
}

void fuzz_one(dx_slice in) {
    dx_status st = call(in, 0), tight = call(in, 512);
    fuzz_check(st == tight || tight == DX_E_LIMIT);
}

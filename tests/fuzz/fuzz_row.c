/* fuzz_row.c - a row of hbase:slowlog. Each line of an input is a cell: name=value. */
#include "fuzz.h"

#define CELLS 64

const size_t fuzz_stretch = 1u << 19;

void fuzz_one(dx_slice in) {
    dx_slowlog_cell cells[CELLS];
    size_t n = 0;
    for (; in.n > 0 && n < CELLS; n++) {
        dx_slice line = fuzz_take(&in, '\n');
        cells[n].qualifier = fuzz_take(&line, '=');
        cells[n].value = line;
    }
    dx_arena *arena = dx_arena_new(0);
    dx_call c = {.start_ms = -7};
    dx_err err;
    fuzz_check(arena != NULL);
    dx_status st = dx_slowlog_row(cells, n, arena, &c, &err);
    fuzz_check(st == DX_OK || st == DX_E_PARSE || st == DX_E_LIMIT);
    if (st == DX_OK)
        fuzz_call(&c);
    dx_arena_free(arena);
}

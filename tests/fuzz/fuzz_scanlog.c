/* fuzz_scanlog.c - scan metrics as applications log them. */
#include "dx_scanlog.h"
#include "fuzz.h"

const size_t fuzz_stretch = 1u << 19;

void fuzz_one(dx_slice in) {
    dx_scan s;
    if (!dx_scanlog_read(in, &s))
        return;
    fuzz_part(s.table, in);
    fuzz_touch_string(s.label);
    fuzz_check(s.returned >= 0 || s.returned == DX_UNKNOWN);
    fuzz_check(s.scanned >= 0 || s.scanned == DX_UNKNOWN);
    fuzz_check(s.rpcs >= 0 || s.rpcs == DX_UNKNOWN);
}

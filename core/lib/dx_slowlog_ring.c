/* dx_slowlog_ring.c - records of the ring buffer (get_slowlog_responses, get_largelog_responses)
 * and rows of hbase:slowlog. */
#include "dx_escape.h"
#include "dx_slowlog_int.h"

#include <string.h>

static dx_status check_told(const slow_rec *r, const char *what, dx_err *err) {
    if (r->c.start_ms != DX_UNKNOWN && r->c.proc_ms != DX_UNKNOWN)
        return DX_OK;
    return dx_fail(err, DX_E_PARSE, "slow call: %s has no %s that is a number", what,
                   r->c.start_ms == DX_UNKNOWN ? "start time" : "processing time");
}

dx_status dx_slowlog_ring(dx_slice object, dx_tri large, dx_arena *arena, dx_call *out,
                          dx_err *err) {
    slow_rec r;
    slow_json j;
    dx_slice text = dx_slice_trim(object);
    slow_begin(&r, arena, DX_CALL_RING);
    /* being in one dump says nothing about the other */
    if (large == DX_YES)
        r.c.large = DX_YES;
    else if (large == DX_NO)
        r.c.slow = DX_YES;
    if (!slow_object(&r, &j, text))
        return slow_fail_json(&j, text.n == 0 ? 0 : (size_t)(text.p - object.p), err);
    dx_status st = check_told(&r, "the record", err);
    return st == DX_OK ? slow_end(&r, out, err) : st;
}

/* The shell prints a stored text by Bytes.toStringBinary: undo its \xHH. */
static dx_slice undo_hex(slow_rec *r, dx_slice v) {
    char *out = v.n == 0 ? NULL : slow_alloc(r, v.n);
    size_t n = 0;
    if (out == NULL)
        return dx_sn(NULL, 0);
    for (size_t i = 0; i < v.n; i++) {
        bool escape = v.p[i] == '\\' && v.n - i >= 4 && v.p[i + 1] == 'x';
        int high = escape ? dx_hex_digit(v.p[i + 2]) : -1,
            low = escape ? dx_hex_digit(v.p[i + 3]) : -1;
        if (high >= 0 && low >= 0) {
            out[n++] = (char)(high * 16 + low);
            i += 3;
        } else {
            out[n++] = v.p[i];
        }
    }
    return dx_sn(out, n);
}

dx_status dx_slowlog_row(const dx_slowlog_cell *cells, size_t n, dx_arena *arena, dx_call *out,
                         dx_err *err) {
    slow_rec r;
    slow_begin(&r, arena, DX_CALL_TABLE);
    for (size_t i = 0; i < n; i++) {
        dx_slice key = cells[i].qualifier;
        if (dx_slice_starts(key, "info:"))
            key = dx_slice_sub(key, 5, key.n);
        slow_assign(&r, key, (slow_value){SLOW_STRING, false, undo_hex(&r, cells[i].value)});
    }
    if (r.no_memory)
        return slow_end(&r, out, err);
    dx_status st = check_told(&r, "the row", err);
    return st == DX_OK ? slow_end(&r, out, err) : st;
}

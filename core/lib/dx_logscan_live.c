/* dx_logscan_live.c - the scan of a log that grows: the state that a whole scan has on its stack,
 * kept. */
#include "dx_logscan_int.h"
#include "dx_mem.h"

#include <stdlib.h>

struct dx_logscan_live {
    logscan s;
    dx_sink sink;
    struct logscan_plain *form;
    uint64_t bytes; /* fed so far */
};

dx_status dx_logscan_live_new(dx_logscan_live **out, const dx_sink *sink, uint64_t lines_before,
                              dx_coverage *cov, dx_err *err) {
    dx_logscan_live *l = dx_calloc(1, sizeof *l);
    if (l == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory to scan a log");
    *cov = dx_coverage_blank();
    cov->lines = lines_before;
    l->sink = *sink;
    l->s = (logscan){.sink = &l->sink, .cov = cov, .arena = dx_arena_new(0)};
    l->form = logscan_plain_new(&l->s);
    if (l->s.arena == NULL || l->form == NULL) {
        dx_logscan_live_free(l);
        return dx_fail(err, DX_E_NOMEM, "no memory to scan a log");
    }
    *out = l;
    return DX_OK;
}

void dx_logscan_live_free(dx_logscan_live *l) {
    if (l == NULL)
        return;
    logscan_plain_free(l->form);
    dx_arena_free(l->s.arena);
    free(l);
}

/* Brings the coverage up to date. */
static void settle(dx_logscan_live *l) {
    dx_coverage *cov = l->s.cov;
    cov->bytes = l->bytes;
    cov->calls_told = l->s.calls;
    cov->stand_ins = l->s.stand_ins;
    cov->offset_inferred = false;
    cov->offset_ms = 0;
    cov->offset_votes = cov->offset_against = 0;
    logscan_infer(cov, &l->s.calls, &l->s.stand_ins);
}

dx_status dx_logscan_live_feed(dx_logscan_live *l, dx_slice text, uint64_t offset, dx_err *err) {
    dx_err own;
    dx_status st = dx_input_open_text(&l->s.in, text, "a piece of a log", err);
    if (st != DX_OK)
        return st;
    dx_input_set_offset(l->s.in, offset);
    l->s.err = err == NULL ? &own : err;
    st = logscan_plain_feed(l->form);
    dx_input_close(l->s.in);
    l->s.in = NULL;
    l->bytes += text.n;
    settle(l);
    return st;
}

DX_MUST_CHECK static dx_status hand_over(dx_logscan_live *l,
                                         dx_status (*how)(struct logscan_plain *), dx_err *err) {
    dx_err own;
    l->s.err = err == NULL ? &own : err;
    dx_status st = how(l->form);
    settle(l);
    return st;
}

dx_status dx_logscan_live_flush(dx_logscan_live *l, dx_err *err) {
    return hand_over(l, logscan_plain_flush, err);
}

dx_status dx_logscan_live_end(dx_logscan_live *l, dx_err *err) {
    return hand_over(l, logscan_plain_end, err);
}

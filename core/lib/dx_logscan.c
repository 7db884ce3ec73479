/* dx_logscan.c - see dx_logscan.h: one scan, from an empty coverage to a full one. The forms are in
 * dx_logscan_plain.c and dx_logscan_dump.c; they stand on dx_logscan_sink.c, and that on
 * dx_logscan_clock.c. */
#include "dx_logscan_int.h"

dx_status dx_logscan(dx_input *in, dx_log_form form, const dx_sink *sink, dx_coverage *cov,
                     dx_err *err) {
    dx_err own;
    *cov = dx_coverage_blank();
    logscan s = {.in = in, .sink = sink, .cov = cov, .err = err == NULL ? &own : err};
    s.arena = dx_arena_new(0);
    if (s.arena == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory to scan a log");
    dx_status st = form == DX_LOG_RING    ? logscan_ring(&s)
                   : form == DX_LOG_TABLE ? logscan_table(&s)
                                          : logscan_plain(&s);
    cov->bytes = dx_input_bytes_read(in);
    if (sink->only_calls && form == DX_LOG_PLAIN) { /* the lines around them do not count */
        cov->records = cov->calls + cov->skipped;
        cov->continuations = cov->foreign = 0;
    }
    cov->calls_told = s.calls;
    cov->stand_ins = s.stand_ins;
    logscan_infer(cov, &s.calls, &s.stand_ins);
    dx_arena_free(s.arena);
    return st;
}

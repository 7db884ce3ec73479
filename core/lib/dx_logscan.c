/* dx_logscan.c - see dx_logscan.h: one scan, from an empty coverage to a full one. The forms are in
 * dx_logscan_plain.c and dx_logscan_dump.c; they stand on dx_logscan_sink.c, and that on
 * dx_logscan_clock.c. */
#include "dx_logscan_int.h"

DX_MUST_CHECK static dx_status scan_form(logscan *s, dx_log_form form) {
    dx_status st = s->seam == NULL ? DX_OK : logscan_seam_skip(s);
    if (st != DX_OK)
        return st == DX_DONE ? DX_OK : st;
    return form == DX_LOG_RING    ? logscan_ring(s)
           : form == DX_LOG_TABLE ? logscan_table(s)
                                  : logscan_plain(s);
}

DX_MUST_CHECK static dx_status scan(dx_input *in, dx_log_form form, dx_log_seam *seam,
                                    const dx_sink *sink, dx_coverage *cov, dx_err *err) {
    dx_err own;
    *cov = dx_coverage_blank();
    if (seam != NULL)
        cov->end_local_ms = seam->before_local_ms;
    logscan s = {.in = in, .sink = sink, .cov = cov, .err = err == NULL ? &own : err, .seam = seam};
    s.arena = dx_arena_new(0);
    if (s.arena == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory to scan a log");
    dx_buf_init(&s.half, 0);
    dx_status st = scan_form(&s, form);
    cov->bytes = dx_input_bytes_read(in);
    if (sink->only_calls && form == DX_LOG_PLAIN) { /* the lines around them do not count */
        cov->records = cov->calls + cov->skipped;
        cov->continuations = cov->foreign = 0;
    }
    cov->calls_told = s.calls;
    cov->stand_ins = s.stand_ins;
    logscan_infer(cov, &s.calls, &s.stand_ins);
    dx_arena_free(s.arena);
    dx_buf_done(&s.half);
    return st;
}

dx_status dx_logscan(dx_input *in, dx_log_form form, const dx_sink *sink, dx_coverage *cov,
                     dx_err *err) {
    return scan(in, form, NULL, sink, cov, err);
}

dx_status dx_logscan_piece(dx_input *in, dx_log_seam *seam, const dx_sink *sink, dx_coverage *cov,
                           dx_err *err) {
    return scan(in, DX_LOG_PLAIN, seam, sink, cov, err);
}

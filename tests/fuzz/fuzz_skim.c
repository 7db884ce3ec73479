/* fuzz_skim.c - a log for its calls alone: the same calls as a scan of all of it finds, at the same
 * places, and the same lines, server and version. Logs of containers are left out: they are never
 * leapt through. */
#include "dx_logscan.h"
#include "dx_logwrap.h"
#include "fuzz.h"

const size_t fuzz_stretch = 1u << 19;

static dx_status on_call(void *arg, const dx_call *c, const dx_where *where, dx_err *err) {
    uint64_t *hash = arg;
    (void)err;
    fuzz_call(c);
    *hash = dx_hash(c->method.p, c->method.n, *hash);
    *hash = dx_hash(&c->proc_ms, sizeof c->proc_ms, *hash);
    *hash = dx_hash(&where->line, sizeof where->line, *hash);
    *hash = dx_hash(&where->offset, sizeof where->offset, *hash);
    *hash = dx_hash(&where->local_ms, sizeof where->local_ms, *hash);
    return DX_OK;
}

static uint64_t scan(dx_slice in, bool only_calls, dx_coverage *cov) {
    uint64_t hash = 0;
    const dx_sink sink = {.arg = &hash, .call = on_call, .only_calls = only_calls};
    dx_input *input;
    dx_err err;
    fuzz_check(dx_input_open_text(&input, in, "log", &err) == DX_OK);
    fuzz_check(dx_logscan(input, DX_LOG_PLAIN, &sink, cov, &err) == DX_OK);
    dx_input_close(input);
    return hash;
}

static bool is_wrapped(dx_slice in) {
    dx_logwrap w;
    while (in.n > 0)
        if (dx_logwrap_read(fuzz_take(&in, '\n'), &w))
            return true;
    return false;
}

void fuzz_one(dx_slice in) {
    dx_coverage whole, calls;
    if (is_wrapped(in))
        return;
    uint64_t all = scan(in, false, &whole), alone = scan(in, true, &calls);
    fuzz_check(all == alone && whole.calls == calls.calls);
    fuzz_check(whole.lines == calls.lines && whole.bytes == calls.bytes);
    fuzz_check(dx_str_eq(whole.server, calls.server) && dx_str_eq(whole.version, calls.version));
}

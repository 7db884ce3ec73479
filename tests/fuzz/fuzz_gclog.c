/* fuzz_gclog.c - pauses out of the JVM's logs, line by line. */
#include "dx_gclog.h"
#include "fuzz.h"

const size_t fuzz_stretch = 1u << 19;

static dx_status on_pause(void *arg, const dx_pause *p, dx_err *err) {
    uint64_t *pauses = arg;
    (void)err;
    ++*pauses;
    fuzz_touch_string(dx_pause_kind_name(p->kind));
    fuzz_touch_string(p->collector);
    fuzz_touch_string(p->failure);
    fuzz_touch(p->cause);
    fuzz_touch(p->thread);
    fuzz_check(!(p->took_ms < 0) && !(p->stopped_ms < 0));
    fuzz_check(p->heap_before >= 0 || p->heap_before == DX_UNKNOWN);
    fuzz_check(p->heap_after >= 0 || p->heap_after == DX_UNKNOWN);
    return DX_OK;
}

static dx_status on_skip(void *arg, const char *reason, dx_slice sample, uint64_t line,
                         dx_err *err) {
    (void)arg, (void)err;
    fuzz_touch_string(reason);
    fuzz_touch(sample);
    fuzz_check(line > 0);
    return DX_OK;
}

void fuzz_one(dx_slice in) {
    uint64_t pauses = 0, number = 0;
    dx_gclog_sink sink = {.arg = &pauses, .pause = on_pause, .skip = on_skip};
    dx_gclog *g;
    dx_err err;
    const char *begin = in.p;
    fuzz_check(dx_gclog_new(&g, &sink, &err) == DX_OK);
    while (in.n > 0) {
        uint64_t offset = (uint64_t)(in.p - begin);
        dx_slice line = fuzz_take(&in, '\n');
        dx_gclog_is(line);
        fuzz_check(dx_gclog_line(g, line, ++number, offset, &err) == DX_OK);
    }
    fuzz_check(dx_gclog_end(g, &err) == DX_OK);
    fuzz_check(dx_gclog_so_far(g)->pauses == pauses);
    dx_gclog_free(g);
}

/* fuzz_logscan.c - a whole log, or a shell's output, in the form FUZZ_FORM. The first byte of an
 * input is the size of the blocks in which it comes a second time: it must tell the same. */
#include "dx_logscan.h"
#include "fuzz.h"

const size_t fuzz_stretch = 1u << 19;

typedef struct seen {
    uint64_t hash, calls, events, scans, skips;
} seen;

static void note(seen *s, char what, dx_slice text, const dx_where *where) {
    fuzz_touch(text);
    fuzz_touch(where->thread);
    fuzz_check(where->line > 0);
    s->hash = dx_hash(&what, 1, s->hash);
    s->hash = dx_hash(text.p, text.n, s->hash);
    s->hash = dx_hash(&where->line, sizeof where->line, s->hash);
    s->hash = dx_hash(&where->offset, sizeof where->offset, s->hash);
    s->hash = dx_hash(&where->local_ms, sizeof where->local_ms, s->hash);
    s->hash = dx_hash(&where->record_hash, sizeof where->record_hash, s->hash);
}

static dx_status on_call(void *arg, const dx_call *c, const dx_where *where, dx_err *err) {
    seen *s = arg;
    (void)err;
    fuzz_call(c);
    s->calls++;
    note(s, 'c', c->method, where);
    return DX_OK;
}

static dx_status on_event(void *arg, const dx_event *e, const dx_where *where, dx_err *err) {
    seen *s = arg;
    (void)err;
    fuzz_check(dx_event_kind_of(e->id) != NULL);
    s->events++;
    note(s, (char)e->id, e->region, where);
    return DX_OK;
}

static dx_status on_scan(void *arg, const dx_scan *f, const dx_where *where, dx_err *err) {
    seen *s = arg;
    (void)err;
    s->scans++;
    note(s, 's', f->table, where);
    return DX_OK;
}

static dx_status on_skip(void *arg, const char *reason, dx_slice sample, const dx_where *where,
                         dx_err *err) {
    seen *s = arg;
    (void)err;
    fuzz_touch_string(reason);
    fuzz_check(sample.n <= 200);
    s->skips++;
    note(s, 'x', sample, where);
    return DX_OK;
}

static seen scan(dx_input *in) {
    seen s = {0};
    dx_sink sink = {
        .arg = &s, .call = on_call, .event = on_event, .scan = on_scan, .skip = on_skip};
    dx_coverage cov;
    dx_err err;
    dx_status st = dx_logscan(in, FUZZ_FORM, &sink, &cov, &err);
    fuzz_check(st == DX_OK || st == DX_E_PARSE);
    fuzz_check(cov.calls == s.calls && cov.events == s.events && cov.scans == s.scans
               && cov.skipped == s.skips);
    fuzz_touch_string(cov.server);
    fuzz_touch_string(cov.version);
    dx_input_close(in);
    return s;
}

void fuzz_one(dx_slice in) {
    size_t block = fuzz_byte(&in);
    dx_input *input;
    dx_err err;
    fuzz_check(dx_input_open_bytes(&input, in, "log", &err) == DX_OK);
    seen whole = scan(input);
    if (fuzz_pipe(&input, in, block))
        fuzz_check(scan(input).hash == whole.hash);
}

/* logscan_seen.h - a scan's outcome as text: one line for each thing that the sink gets. */
#ifndef LOGSCAN_SEEN_H
#define LOGSCAN_SEEN_H

#include "dx_logscan.h"
#include "tap.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct seen {
    dx_buf text;
    dx_coverage cov;
    dx_status status, refuse; /* refuse: what the sink answers */
    dx_err err;
} seen;

static void number(dx_buf *b, int64_t v) {
    if (v == DX_UNKNOWN)
        dx_buf_adds(b, "? ");
    else
        dx_buf_addf(b, "%" PRId64 " ", v);
}

static void place(dx_buf *b, const dx_where *w) {
    dx_buf_addf(b, "%" PRIu64 " ", w->line);
    number(b, w->local_ms);
}

static dx_status on_call(void *arg, const dx_call *c, const dx_where *w, dx_err *err) {
    seen *s = arg;
    (void)err;
    place(&s->text, w);
    dx_buf_addf(&s->text, "call %.*s %.*s ", (int)c->method.n, c->method.p, (int)c->table.n,
                c->table.p);
    number(&s->text, c->proc_ms);
    dx_buf_addc(&s->text, c->large == DX_YES ? 'L' : c->slow == DX_YES ? 'S' : '?');
    dx_buf_addc(&s->text, '\n');
    return s->refuse;
}

static dx_status on_event(void *arg, const dx_event *e, const dx_where *w, dx_err *err) {
    seen *s = arg;
    (void)err;
    place(&s->text, w);
    dx_buf_addf(&s->text, "event %s %.*s %.*s\n", dx_event_kind_of(e->id)->name, (int)e->encoded.n,
                e->encoded.p, (int)w->thread.n, w->thread.p);
    return s->refuse;
}

static dx_status on_scan(void *arg, const dx_scan *f, const dx_where *w, dx_err *err) {
    seen *s = arg;
    (void)err;
    place(&s->text, w);
    dx_buf_adds(&s->text, "scan ");
    number(&s->text, f->returned);
    number(&s->text, f->scanned);
    number(&s->text, f->rpcs);
    dx_buf_addc(&s->text, '\n');
    return s->refuse;
}

static dx_status on_skip(void *arg, const char *reason, dx_slice sample, const dx_where *w,
                         dx_err *err) {
    seen *s = arg;
    (void)err;
    place(&s->text, w);
    dx_buf_addf(&s->text, "skip %s (%d)\n", reason, sample.n <= 200);
    return s->refuse;
}

static seen scan_with(dx_slice log, dx_log_form form, dx_status refuse) {
    seen s = {.refuse = refuse};
    dx_sink sink = {
        .arg = &s, .call = on_call, .event = on_event, .scan = on_scan, .skip = on_skip};
    dx_input *in = NULL;
    dx_buf_init(&s.text, 0);
    s.status = dx_input_open_bytes(&in, log, "log", &s.err);
    if (s.status == DX_OK)
        s.status = dx_logscan(in, form, &sink, &s.cov, &s.err);
    dx_input_close(in);
    return s;
}

static void done_with(seen *s) {
    dx_buf_done(&s->text);
}

static seen scan_text(const char *log, dx_log_form form) {
    return scan_with(dx_s(log), form, DX_OK);
}

__attribute__((unused)) static dx_coverage check(const char *log, dx_log_form form,
                                                 const char *want, const char *what) {
    seen s = scan_text(log, form);
    ok(s.status == DX_OK, "%s is read", what);
    is_slice(dx_buf_slice(&s.text), want, what);
    done_with(&s);
    return s.cov;
}

#define P(hms) "2024-05-01 " hms " "
#define E32    "0123456789abcdef0123456789abcdef"

__attribute__((unused)) static void test_mangled(const char *text, dx_log_form form,
                                                 const char *what) {
    size_t n = strlen(text), bad = 0;
    unsigned seed = 7;
    for (size_t i = 0; i < 2 * n; i++) {
        size_t keep = i < n ? i : n;
        char *copy = malloc(n + 1);
        memcpy(copy, text, n);
        if (i >= n) {
            for (int k = 0; k < 3; k++) {
                seed = seed * 1103515245u + 12345u;
                copy[(seed >> 8) % n] = (char)(seed >> 24);
            }
        }
        seen s = scan_with(dx_sn(copy, keep), form, DX_OK);
        bad += s.status != DX_OK;
        done_with(&s);
        free(copy);
    }
    ok(bad == 0, "%s cut at every byte, and mangled, is read to its end", what);
}

#endif

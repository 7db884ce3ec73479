/* gclog_seen.h - what the tests of GC logs share: pauses as lines of text, and the lines of a text
 * fed one after the other. */
#ifndef GCLOG_SEEN_H
#define GCLOG_SEEN_H

#include "dx_gclog.h"
#include "dx_time.h"
#include "tap.h"

#include <stdlib.h>

static char seen[8192];
static size_t used;

static void put(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(seen + used, sizeof seen - used, fmt, ap);
    va_end(ap);
    used += n < 0 ? 0 : (size_t)n;
    used = used < sizeof seen ? used : sizeof seen - 1;
}

static void put_text(const char *name, dx_slice s) {
    if (s.n > 0)
        put(" %s=%.*s", name, (int)s.n, s.p);
}

static void put_real(const char *name, double v) {
    if (!isnan(v))
        put(" %s=%.7g", name, v);
}

/* Sizes in KiB, so that they can be read. */
static void put_kb(const char *name, int64_t v) {
    if (v != DX_UNKNOWN)
        put(" %s=%" PRId64 "K", name, v / 1024);
}

static dx_status on_pause(void *arg, const dx_pause *p, dx_err *err) {
    (void)arg, (void)err;
    put("%s", dx_pause_kind_name(p->kind));
    if (p->start_ms != DX_TIME_NONE)
        put(" at=%" PRId64, p->start_ms);
    if (p->up_ms != DX_UNKNOWN)
        put(" up=%" PRId64, p->up_ms);
    put_real("took", p->took_ms);
    put_real("stopped", p->stopped_ms);
    put_text("by", dx_s(p->collector));
    put_text("cause", p->cause);
    put_text("thread", p->thread);
    put_text("failure", dx_s(p->failure));
    put_kb("before", p->heap_before);
    put_kb("after", p->heap_after);
    put_kb("total", p->heap_total);
    put_real("evacuation", p->evacuation_failure_ms);
    put_real("user", p->user_ms);
    put_real("sys", p->sys_ms);
    put("\n");
    return DX_OK;
}

static dx_status on_skip(void *arg, const char *reason, dx_slice sample, uint64_t line,
                         dx_err *err) {
    (void)arg, (void)sample, (void)line, (void)err;
    put("skip %s\n", reason);
    return DX_OK;
}

static const dx_gclog_sink sink = {.pause = on_pause, .skip = on_skip};
static dx_err err;

static dx_gclog *fresh(void) {
    dx_gclog *g = NULL;
    if (dx_gclog_new(&g, &sink, &err) != DX_OK) {
        printf("Bail out! %s\n", err.msg);
        exit(1);
    }
    return g;
}

/* All lines of a text; false: an error. */
static bool feed(dx_gclog *g, dx_slice text) {
    uint64_t number = 0;
    size_t at = 0;
    while (at < text.n) {
        ptrdiff_t end = dx_slice_find_char(text, '\n', at);
        size_t to = end < 0 ? text.n : (size_t)end;
        if (dx_gclog_line(g, dx_slice_sub(text, at, to), ++number, at, &err) != DX_OK)
            return false;
        at = to + 1;
    }
    return dx_gclog_end(g, &err) == DX_OK;
}

static dx_gclog_facts facts;

__attribute__((unused)) static void gives(const char *text, const char *want, const char *what) {
    dx_gclog *g = fresh();
    used = 0;
    seen[0] = '\0';
    bool fine = feed(g, dx_s(text));
    facts = *dx_gclog_so_far(g);
    dx_gclog_free(g);
    ok(fine && strcmp(seen, want) == 0, "%s", what);
    if (strcmp(seen, want) != 0)
        printf("# got:\n%s# want:\n%s", seen, want);
}

/* 2031-03-04T05:06:07.890Z */
#define T0  "2031-03-04T05:06:07.890+0000: 512.250: "
#define AT0 " at=1930367167890 up=512250"

/* The same moment of unified logging, and the end of a pause of 31.234 ms. */
#define U0 "[2031-03-04T05:06:07.890+0000][512.250s][info]"
#define U1 "[2031-03-04T05:06:07.921+0000][512.281s][info]"

#endif

/* dx_gclog_old.c - logs of JDK 8 and 7. A record is what stands between its first bracket and the
 * one that closes it, over as many lines as that takes: a concurrent thread's entry in the midst of
 * it is just one more bracket. Its duration is the number before the last bracket; the whole heap
 * is what stands in the outermost. */
#include "dx_gclog_int.h"

#include <math.h>

#define MAX_LINES 500 /* of an open record: more, and its end is lost */

/* --- heads */

static bool is_concurrent(dx_slice text) {
    return dx_slice_starts(text, "[GC concurrent") || dx_slice_starts(text, "[CMS-concurrent");
}

/* "[GC ", "[GC--", "[GC[", "[GC2014-...", "[Full GC": but not the lines of details. */
static bool is_head(dx_slice text) {
    if (dx_slice_starts(text, "[Full GC"))
        return true;
    return dx_slice_starts(text, "[GC") && !is_concurrent(text)
           && !dx_slice_starts(text, "[GC Worker") && !dx_slice_starts(text, "[GC ref-proc")
           && !dx_slice_starts(text, "[GC Termination");
}

bool gclog_old_head(dx_slice text) {
    return is_head(text) || is_concurrent(text);
}

/* --- what brackets and parentheses say */

typedef struct word {
    const char *text;
    dx_pause_kind kind; /* UNKNOWN: it says nothing of it */
    const char *collector, *failure;
} word;

static const char promotion[] = "promotion failed", mode[] = "concurrent mode failure",
                  evacuation[] = "evacuation failure";

/* The head of what a bracket opens. */
static const word opened[] = {
    {"GC pause", DX_PAUSE_YOUNG, "G1", NULL},
    {"GC remark", DX_PAUSE_REMARK, "G1", NULL},
    {"GC cleanup", DX_PAUSE_CLEANUP, "G1", NULL},
    {"GC--", DX_PAUSE_UNKNOWN, NULL, promotion},
    {"ParNew", DX_PAUSE_UNKNOWN, "ParNew", NULL},
    {"DefNew", DX_PAUSE_UNKNOWN, "Serial", NULL},
    {"Tenured", DX_PAUSE_FULL, "Serial", NULL},
    {"PSYoungGen", DX_PAUSE_UNKNOWN, "Parallel", NULL},
    {"ParOldGen", DX_PAUSE_FULL, "Parallel", NULL},
    {"PSOldGen", DX_PAUSE_FULL, "Parallel", NULL},
    {"1 CMS-initial-mark", DX_PAUSE_INITIAL_MARK, "CMS", NULL},
    {"1 CMS-remark", DX_PAUSE_REMARK, "CMS", NULL},
    {"YG occupancy", DX_PAUSE_REMARK, "CMS", NULL},
    {NULL, DX_PAUSE_UNKNOWN, NULL, NULL},
};

/* What stands between parentheses, as a whole. */
static const word said[] = {
    {"young", DX_PAUSE_YOUNG, NULL, NULL},
    {"mixed", DX_PAUSE_MIXED, NULL, NULL},
    {"initial-mark", DX_PAUSE_INITIAL_MARK, NULL, NULL},
    {"to-space exhausted", DX_PAUSE_UNKNOWN, NULL, evacuation},
    {"to-space overflow", DX_PAUSE_UNKNOWN, NULL, evacuation},
    {"promotion failed", DX_PAUSE_UNKNOWN, NULL, promotion},
    {"concurrent mode failure", DX_PAUSE_FULL, "CMS", mode},
    {"concurrent mode interrupted", DX_PAUSE_FULL, "CMS", NULL},
    {NULL, DX_PAUSE_UNKNOWN, NULL, NULL},
};

static void take_word(dx_gclog *g, const word *w) {
    if (w->kind != DX_PAUSE_UNKNOWN)
        g->pause.kind = w->kind;
    if (w->collector != NULL)
        gclog_collector(g, w->collector);
    if (w->failure != NULL)
        g->pause.failure = w->failure;
}

/* "[CMS: ", "[CMS (concurrent mode failure): ", "[CMS2024-05-01...", "[CMS" at the end of a line:
 * the old generation is collected; but "[CMS Perm : " and "[CMS-concurrent-mark: ". */
static bool is_cms(dx_slice s) {
    if (!dx_slice_starts(s, "CMS"))
        return false;
    s = dx_slice_sub(s, 3, s.n);
    return s.n == 0 || s.p[0] == ':' || (s.p[0] >= '0' && s.p[0] <= '9')
           || dx_slice_starts(s, " (concurrent") || dx_slice_starts(s, " CMS: abort");
}

static void on_open(dx_gclog *g, dx_slice s) {
    static const word cms = {"CMS", DX_PAUSE_FULL, "CMS", NULL};
    if (is_cms(s)) {
        take_word(g, &cms);
        return;
    }
    for (const word *w = opened; w->text != NULL; w++)
        if (dx_slice_starts(s, w->text)) {
            take_word(g, w);
            return;
        }
}

static void on_parens(dx_gclog *g, dx_slice inside) {
    for (const word *w = said; w->text != NULL; w++)
        if (dx_slice_is(inside, w->text)) {
            take_word(g, w);
            return;
        }
    if (!g->header || g->depth != 1 || g->pause.cause.n > 0)
        return;
    gclog_cause(g, inside);
    if (dx_slice_is(inside, "CMS Initial Mark"))
        take_word(g, &(word){"", DX_PAUSE_INITIAL_MARK, "CMS", NULL});
    else if (dx_slice_is(inside, "CMS Final Remark"))
        take_word(g, &(word){"", DX_PAUSE_REMARK, "CMS", NULL});
}

/* --- details of a record whose duration is known */

static void details(dx_gclog *g, dx_slice s) {
    gclog_heap heap;
    double ms;
    ptrdiff_t at;
    s = dx_slice_trim(s);
    if (dx_slice_starts(s, "[Times: ")) {
        gclog_cpu(g, s);
    } else if (dx_slice_starts(s, "[Eden: ")) {
        if ((at = dx_slice_find(s, "Heap: ", 0)) >= 0
            && gclog_heap_read(dx_slice_sub(s, (size_t)at + 6, s.n), &heap) > 0)
            gclog_put_heap(g, &heap);
    } else if (dx_slice_starts(s, "[Evacuation Failure: ")) {
        if (gclog_number(dx_slice_sub(s, 21, s.n), &ms) > 0)
            g->pause.evacuation_failure_ms = ms;
    }
}

/* --- the record */

static bool starts_token(dx_slice s, size_t i) {
    return i == 0 || s.p[i - 1] == ' ' || s.p[i - 1] == ']';
}

/* What stands at i of an open record; returns the bytes that it takes, 1 at least. */
static size_t step(dx_gclog *g, dx_slice s, size_t i) {
    dx_slice rest = dx_slice_sub(s, i, s.n), inside;
    gclog_heap heap;
    size_t n = 0;
    char c = s.p[i];
    if (c == '[' && !dx_slice_starts(rest, "[0x")) { /* those are addresses of a heap */
        g->depth++;
        if (i >= 2 && s.p[i - 1] == '-' && s.p[i - 2] == '-') /* "--[PSYoungGen" */
            g->pause.failure = promotion;
        on_open(g, dx_slice_sub(rest, 1, rest.n));
    } else if (c == ']') {
        g->depth -= g->depth > 0;
    } else if (c == '(') {
        n = gclog_parens(rest, &inside);
        if (n > 0)
            on_parens(g, inside);
    } else if (c >= '0' && c <= '9' && g->depth == 1 && starts_token(s, i)) {
        n = gclog_heap_read(rest, &heap);
        if (n > 0)
            gclog_put_heap(g, &heap);
    }
    return n > 0 ? n : 1;
}

/* The outermost bracket closed behind text. */
DX_MUST_CHECK static dx_status closed(dx_gclog *g, const gclog_at *at, dx_slice text,
                                      dx_slice rest) {
    double ms;
    g->loose = GCLOG_NO_STAMP;
    if (!gclog_tail_ms(text, &ms)) {
        g->state = GCLOG_NONE;
        return gclog_skip(g, "GC record without a duration", at);
    }
    g->pause.took_ms = ms;
    if (g->pause.collector == NULL)
        g->pause.collector = g->collector;
    g->state = GCLOG_HELD;
    details(g, rest);
    return DX_OK;
}

DX_MUST_CHECK static dx_status scan(dx_gclog *g, const gclog_at *at, dx_slice s) {
    for (size_t i = 0; i < s.n;) {
        bool bracket = s.p[i] == ']' && g->depth > 0;
        i += step(g, s, i);
        if (bracket && g->depth == 0)
            return closed(g, at, dx_slice_sub(s, 0, i - 1), dx_slice_sub(s, i, s.n));
    }
    g->header = false;
    return DX_OK;
}

DX_MUST_CHECK static dx_status open_record(dx_gclog *g, const gclog_at *at, dx_slice text) {
    bool full = dx_slice_starts(text, "[Full GC");
    dx_status st = gclog_begin(g, full ? DX_PAUSE_FULL : DX_PAUSE_YOUNG, at, &at->stamp);
    if (st != DX_OK)
        return st;
    g->state = GCLOG_OPEN;
    g->depth = g->lines = 0;
    g->header = true;
    return scan(g, at, text);
}

/* ", 0.0498 secs]" of a record whose head is lost: a pause all the same. It began about when the
 * lines between told their first stamp. */
static bool is_orphan(dx_slice text, double *ms) {
    ptrdiff_t end = dx_slice_find_char(dx_slice_sub(text, 0, 40), ']', 0);
    return end > 0 && dx_slice_starts(text, ", ")
           && dx_slice_find(dx_slice_sub(text, 0, (size_t)end), " secs", 0) >= 0
           && gclog_tail_ms(dx_slice_sub(text, 0, (size_t)end), ms);
}

DX_MUST_CHECK static dx_status orphan(dx_gclog *g, const gclog_at *at, double ms) {
    dx_status st = gclog_begin(g, DX_PAUSE_UNKNOWN, at, &g->loose);
    g->pause.took_ms = ms;
    if (g->pause.hash != 0) /* its line says nothing of when */
        g->pause.hash = dx_hash(&g->loose.up_ms, sizeof g->loose.up_ms, g->pause.hash);
    g->pause.collector = g->collector;
    g->loose = GCLOG_NO_STAMP;
    return st;
}

static void note_loose(dx_gclog *g, const gclog_stamp *stamp) {
    if (g->loose.wall_ms == DX_TIME_NONE && g->loose.up_ms == DX_UNKNOWN)
        g->loose = *stamp;
}

dx_status gclog_old(dx_gclog *g, const gclog_at *at, dx_slice text) {
    double ms;
    if (gclog_is_stopped(text)) {
        g->facts.records++;
        return gclog_stopped(g, at, text);
    }
    if (is_head(text)) {
        g->facts.records++;
        return open_record(g, at, text);
    }
    if (is_concurrent(text))
        g->facts.records++;
    else
        note_loose(g, &at->stamp);
    if (g->state == GCLOG_OPEN) {
        dx_status st = scan(g, at, text);
        if (st == DX_OK && g->state == GCLOG_OPEN && ++g->lines > MAX_LINES)
            st = gclog_flush(g);
        return st;
    }
    if (is_orphan(text, &ms))
        return orphan(g, at, ms);
    if (g->state == GCLOG_HELD)
        details(g, text);
    return DX_OK;
}

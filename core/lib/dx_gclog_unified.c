/* dx_gclog_unified.c - unified logging, JDK 9 on: one line that says it all ends a pause. A pause
 * starts where its "gc,start" line stood, or its duration before its end. */
#include "dx_gclog_int.h"

#include <string.h>

/* --- heads */

/* "GC(12) " -> 13 in *id: 0 is none. */
static size_t id_read(dx_slice s, uint64_t *id) {
    uint64_t n;
    if (!dx_slice_starts(s, "GC("))
        return 0;
    size_t digits = dx_slice_lead_u64(dx_slice_sub(s, 3, s.n), &n);
    if (digits == 0 || n == UINT64_MAX || digits + 4 > s.n || s.p[digits + 3] != ')')
        return 0;
    *id = n + 1;
    return digits + 4;
}

bool gclog_unified_head(dx_slice text) {
    uint64_t id;
    return id_read(text, &id) > 0;
}

/* The generations of ZGC: "y: ", "Y: ", "O: ", "o: ". */
static dx_slice without_generation(dx_slice s) {
    if (s.n < 3 || s.p[1] != ':' || s.p[2] != ' ')
        return s;
    char c = s.p[0];
    return c == 'y' || c == 'Y' || c == 'O' || c == 'o' ? dx_slice_sub(s, 3, s.n) : s;
}

/* --- collectors */

typedef struct name {
    const char *head, *collector;
} name;

static const name uses[] = {
    {"Using G1", "G1"},
    {"Using Parallel", "Parallel"},
    {"Using Serial", "Serial"},
    {"Using The Z Garbage Collector", "ZGC"},
    {"Initializing The Z Garbage Collector", "ZGC"},
    {"Using Shenandoah", "Shenandoah"},
    {"Using Concurrent Mark Sweep", "CMS"},
    {NULL, NULL},
};

/* Lines of collections that only one collector writes. */
static const name own[] = {
    {"Eden regions: ", "G1"},      {"PSYoungGen: ", "Parallel"},
    {"DefNew: ", "Serial"},        {"ParNew: ", "CMS"},
    {"Garbage Collection", "ZGC"}, {"Minor Collection", "ZGC"},
    {"Major Collection", "ZGC"},   {NULL, NULL},
};

static void learn(dx_gclog *g, const name *names, dx_slice text) {
    for (; names->head != NULL; names++)
        if (dx_slice_starts(text, names->head)) {
            g->collector = names->collector;
            return;
        }
}

/* --- pauses */

static const struct step {
    const char *head;
    dx_pause_kind kind;
    const char *collector; /* where only one has it */
} steps[] = {
    {"Young", DX_PAUSE_YOUNG, NULL},
    {"Mixed", DX_PAUSE_MIXED, "G1"},
    {"Full", DX_PAUSE_FULL, NULL},
    {"Initial Mark", DX_PAUSE_INITIAL_MARK, NULL},
    {"Init Mark", DX_PAUSE_INITIAL_MARK, "Shenandoah"},
    {"Mark Start", DX_PAUSE_INITIAL_MARK, "ZGC"},
    {"Remark", DX_PAUSE_REMARK, NULL},
    {"Final Mark", DX_PAUSE_REMARK, "Shenandoah"},
    {"Mark End", DX_PAUSE_REMARK, "ZGC"},
    {"Cleanup", DX_PAUSE_CLEANUP, "G1"},
    {"Degenerated GC", DX_PAUSE_DEGENERATED, "Shenandoah"},
    {"Relocate Start", DX_PAUSE_PHASE, "ZGC"},
    {"", DX_PAUSE_PHASE, NULL},
};

static const struct step *step_of(dx_slice text) {
    const struct step *s = steps;
    while (!dx_slice_starts(text, s->head))
        s++;
    return s;
}

static bool is_normal(dx_slice s) {
    return dx_slice_is(s, "Normal") || dx_slice_is(s, "Prepare Mixed")
           || dx_slice_is(s, "Concurrent End");
}

/* "(Normal)", "(Mixed)", "(G1 Evacuation Pause)", "(Evacuation Failure: Pinned)": a region that is
 * pinned was not out of room. */
static void on_parens(dx_gclog *g, dx_slice inside) {
    bool young = g->pause.kind == DX_PAUSE_YOUNG;
    if (dx_slice_starts(inside, "Evacuation Failure")) {
        if (!dx_slice_ends(inside, ": Pinned"))
            g->pause.failure = "evacuation failure";
    } else if (young && dx_slice_is(inside, "Mixed")) {
        g->pause.kind = DX_PAUSE_MIXED;
    } else if (young && dx_slice_starts(inside, "Concurrent Start")) {
        g->pause.kind = DX_PAUSE_INITIAL_MARK;
    } else if (young && is_normal(inside)) {
        gclog_collector(g, "G1");
    } else if (g->pause.cause.n == 0) {
        gclog_cause(g, inside);
        if (dx_slice_starts(inside, "G1 "))
            gclog_collector(g, "G1");
    }
}

/* Parentheses and the heap in what stands behind the name of the pause. */
static void read_rest(dx_gclog *g, dx_slice s) {
    dx_slice inside;
    gclog_heap heap;
    for (size_t i = 0; i < s.n;) {
        dx_slice rest = dx_slice_sub(s, i, s.n);
        size_t n = 0;
        if (s.p[i] == '(' && (n = gclog_parens(rest, &inside)) > 0) {
            on_parens(g, inside);
        } else if (i > 0 && s.p[i - 1] == ' ' && (n = gclog_heap_read(rest, &heap)) > 0) {
            gclog_put_heap(g, &heap);
        }
        i += n > 0 ? n : 1;
    }
}

/* The words of text up to a parenthesis or a number. */
static dx_slice words(dx_slice text) {
    size_t n = 0;
    while (n < text.n && text.p[n] != '(' && !(text.p[n] >= '0' && text.p[n] <= '9'))
        n++;
    return dx_slice_trim(dx_slice_sub(text, 0, n));
}

/* text: behind "Pause ". */
DX_MUST_CHECK static dx_status pause_ended(dx_gclog *g, const gclog_at *at, uint64_t id,
                                           dx_slice text, double ms) {
    const struct step *step = step_of(text);
    bool told =
        g->start_id == id && (g->start.wall_ms != DX_TIME_NONE || g->start.up_ms != DX_UNKNOWN);
    gclog_stamp start = told ? g->start : gclog_before(&at->stamp, ms);
    double stopped_ms = gclog_take_safepoint(g, &start, ms);
    dx_status st = gclog_begin(g, step->kind, at, &start);
    if (st != DX_OK)
        return st;
    g->id = id;
    g->pause.took_ms = ms;
    g->pause.stopped_ms = stopped_ms;
    if (g->exhausted_id == id)
        g->pause.failure = "evacuation failure";
    if (step->kind == DX_PAUSE_PHASE)
        gclog_cause(g, words(text));
    if (step->collector != NULL)
        gclog_collector(g, step->collector);
    read_rest(g, dx_slice_sub(text, strlen(step->head), text.n));
    if (g->pause.collector == NULL)
        g->pause.collector = g->collector;
    g->start_id = g->exhausted_id = 0;
    return DX_OK;
}

DX_MUST_CHECK static dx_status on_pause(dx_gclog *g, const gclog_at *at, uint64_t id,
                                        dx_slice text) {
    double ms;
    if (gclog_tail_ms(text, &ms))
        return pause_ended(g, at, id, text, ms);
    if (dx_slice_find(text, "->", 0) >= 0)
        return gclog_skip(g, "GC pause without a duration", at);
    g->start_id = id;
    g->start = at->stamp;
    return DX_OK;
}

/* "Allocation Stall (worker) 7.828ms": text behind its two words. */
DX_MUST_CHECK static dx_status stall(dx_gclog *g, const gclog_at *at, const char *what,
                                     dx_slice text) {
    double ms;
    ptrdiff_t close = dx_slice_rfind_char(text, ')');
    if (close < 1 || !gclog_tail_ms(text, &ms))
        return gclog_skip(g, "stall without a duration", at);
    gclog_stamp start = gclog_before(&at->stamp, ms);
    dx_status st = gclog_begin(g, DX_PAUSE_STALL, at, &start);
    g->pause.took_ms = ms;
    gclog_collector(g, "ZGC");
    gclog_cause(g, dx_s(what));
    gclog_thread(g, dx_slice_sub(text, 1, (size_t)close));
    return st;
}

/* Safepoint "G1CollectForAllocation", Time since last: 508247 ns, ..., Total: 2142839 ns */
DX_MUST_CHECK static dx_status safepoint(dx_gclog *g, const gclog_at *at, dx_slice text) {
    ptrdiff_t total = dx_slice_find(text, "Total: ", 0);
    ptrdiff_t quote = dx_slice_find_char(text, '"', 0);
    double ns;
    if (total < 0 || quote < 0
        || gclog_number(dx_slice_sub(text, (size_t)total + 7, text.n), &ns) == 0)
        return gclog_skip(g, "safepoint without a duration", at);
    return gclog_safepoint(g, at, ns / 1e6, dx_slice_sub(text, 0, (size_t)quote));
}

/* --- lines */

static dx_slice behind(dx_slice text, const char *head) {
    return dx_slice_sub(text, strlen(head), text.n);
}

DX_MUST_CHECK static dx_status of_collection(dx_gclog *g, const gclog_at *at, uint64_t id,
                                             dx_slice text) {
    text = without_generation(text);
    if (dx_slice_starts(text, "Pause "))
        return on_pause(g, at, id, behind(text, "Pause "));
    if (dx_slice_starts(text, "To-space exhausted"))
        g->exhausted_id = id;
    else if (dx_slice_starts(text, "User=") && g->state == GCLOG_HELD && g->id == id)
        gclog_cpu(g, text);
    else
        learn(g, own, text);
    return DX_OK;
}

dx_status gclog_unified(dx_gclog *g, const gclog_at *at, dx_slice text) {
    static const char *const stalls[] = {"Allocation Stall", "Relocation Stall"};
    uint64_t id = 0;
    dx_slice rest = dx_slice_trim(dx_slice_sub(text, id_read(text, &id), text.n));
    g->facts.records++;
    for (size_t i = 0; i < sizeof stalls / sizeof *stalls; i++)
        if (dx_slice_starts(rest, stalls[i]) && rest.n > 18 && rest.p[17] == '(')
            return stall(g, at, stalls[i], dx_slice_sub(rest, 17, rest.n));
    if (id > 0)
        return of_collection(g, at, id, rest);
    if (dx_slice_starts(rest, "Safepoint \""))
        return safepoint(g, at, behind(rest, "Safepoint \""));
    if (gclog_is_stopped(rest))
        return gclog_stopped(g, at, rest);
    learn(g, uses, rest);
    return DX_OK;
}

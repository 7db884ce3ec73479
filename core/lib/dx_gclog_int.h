/* dx_gclog_int - private to the dx_gclog family, from the ground up: texts (_text), the record that
 * is held and the clock (_hold), the two forms (_old, _unified), and dx_gclog.c, which tells them
 * apart. */
#ifndef DX_GCLOG_INT_H
#define DX_GCLOG_INT_H

#include "dx_gclog.h"
#include "dx_time.h"

#define GCLOG_NAME 64 /* bytes kept of a cause or a thread's name */

/* --- dx_gclog_text.c: each reads at the head of s and returns the bytes used, 0: it is not there.
 */

/* Digits with a '.' or a ',' in them: the JVM's locale decides. */
size_t gclog_number(dx_slice s, double *v);
/* The number and its unit that s ends with, as ms: "0.03 secs", "1.5ms", "0.023s". False: none. */
bool gclog_tail_ms(dx_slice s, double *ms);

typedef struct gclog_heap {
    int64_t before, after, total; /* bytes, DX_UNKNOWN */
} gclog_heap;

/* "5143M->4304M(16384M)", "9.2G(16.0G)->8.1G(16.0G)", or "3362336K(16672384K)", which is what is
 * used and the total. */
size_t gclog_heap_read(dx_slice s, gclog_heap *heap);

typedef struct gclog_stamp {
    int64_t wall_ms, up_ms; /* DX_TIME_NONE, DX_UNKNOWN */
    bool has_zone;
    int64_t zone_ms;
} gclog_stamp;

#define GCLOG_NO_STAMP ((gclog_stamp){.wall_ms = DX_TIME_NONE, .up_ms = DX_UNKNOWN})

/* JDK 8: "2024-05-01T10:00:12.468+0000: 8123.456: ", either part alone, blanks before it. */
size_t gclog_stamp_read(dx_slice s, gclog_stamp *stamp);
/* Unified logging: "[2024-05-01T10:17:52.821+0000][0.003s][info][gc,start    ] ". *gc: its tags are
 * a collector's, or safepoint. */
size_t gclog_prefix(dx_slice s, gclog_stamp *stamp, bool *gc);
/* Text up to the ')' that closes the '(' which s begins with; 0: none does. */
size_t gclog_parens(dx_slice s, dx_slice *inside);

/* --- dx_gclog_hold.c */

typedef enum gclog_state {
    GCLOG_NONE,
    GCLOG_OPEN, /* JDK 8: brackets are open, its duration is to come */
    GCLOG_HELD  /* its duration is known, lines that add to it may come */
} gclog_state;

typedef struct gclog_at {
    dx_slice line;
    uint64_t number, offset;
    gclog_stamp stamp;
} gclog_at;

struct dx_gclog {
    dx_gclog_sink sink;
    dx_gclog_facts facts;
    dx_err *err;           /* of the call under way; never NULL */
    const char *collector; /* the last that was told */
    bool has_base;
    int64_t base_ms; /* the JVM's start, from a line with both clocks */

    gclog_state state;
    dx_pause pause; /* the record that is open or held; its texts are the two below */
    char cause[GCLOG_NAME], thread[GCLOG_NAME];

    /* JDK 8 */
    unsigned depth, lines; /* open brackets; lines since the record began */
    bool header;           /* still in the line that it began with */
    gclog_stamp loose;     /* first stamp behind the last record that belongs to none */

    /* unified */
    uint64_t id, start_id, exhausted_id; /* of GC(n), and 1 more: 0 is none */
    gclog_stamp start;                   /* of the line that began start_id */
};

/* Notes the stamp, and fills in its wall clock where an earlier line told both. */
void gclog_clock(dx_gclog *g, gclog_stamp *stamp);
/* Gives what is held or open, then makes an empty record of that kind that starts at `stamp`. */
DX_MUST_CHECK dx_status gclog_begin(dx_gclog *g, dx_pause_kind kind, const gclog_at *at,
                                    const gclog_stamp *start);
DX_MUST_CHECK dx_status gclog_flush(dx_gclog *g);
DX_MUST_CHECK dx_status gclog_skip(dx_gclog *g, const char *reason, const gclog_at *at);
void gclog_cause(dx_gclog *g, dx_slice text);
void gclog_thread(dx_gclog *g, dx_slice text);
void gclog_collector(dx_gclog *g, const char *name);
void gclog_put_heap(dx_gclog *g, const gclog_heap *heap);
/* "user=0.40 sys=0.01, real=0.03", "User=0.40s Sys=0.01s Real=0.03s" */
void gclog_cpu(dx_gclog *g, dx_slice text);
gclog_stamp gclog_before(const gclog_stamp *end, double ms);
/* A safepoint that ended at the line: around the collection that is held, or a pause of its own. */
DX_MUST_CHECK dx_status gclog_safepoint(dx_gclog *g, const gclog_at *at, double total_ms,
                                        dx_slice operation);
/* The safepoint that is held, where a collection lies within it whose line comes later: it is no
 * pause of its own then. NaN: there is none. */
double gclog_take_safepoint(dx_gclog *g, const gclog_stamp *start, double took_ms);
/* "Total time for which application threads were stopped: 0.0131 seconds, ..." */
bool gclog_is_stopped(dx_slice text);
DX_MUST_CHECK dx_status gclog_stopped(dx_gclog *g, const gclog_at *at, dx_slice text);

/* --- the forms */

/* text: the line without its stamp. */
DX_MUST_CHECK dx_status gclog_old(dx_gclog *g, const gclog_at *at, dx_slice text);
bool gclog_old_head(dx_slice text); /* the head of a record of JDK 8, a concurrent one's too */
/* text: the line without its prefix. */
DX_MUST_CHECK dx_status gclog_unified(dx_gclog *g, const gclog_at *at, dx_slice text);
bool gclog_unified_head(dx_slice text); /* "GC(12) ": has an id */

#endif

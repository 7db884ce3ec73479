/* dx_gclog - pauses out of the JVM's garbage-collection logs: those of JDK 8 (and 7), whose records
 * span lines and may be cut through by a concurrent thread's line, and unified logging (JDK 9 on),
 * whose lines end with what they tell. A machine that is fed one line after the other and holds one
 * record at most. What runs beside the program (concurrent phases) is no pause. */
#ifndef DX_GCLOG_H
#define DX_GCLOG_H

#include "dx_err.h"
#include "dx_known.h"
#include "dx_str.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum dx_pause_kind {
    DX_PAUSE_UNKNOWN,      /* a duration whose head is lost */
    DX_PAUSE_YOUNG,        /* of the young generation; G1's "prepare mixed" too */
    DX_PAUSE_MIXED,        /* G1: young and some old regions */
    DX_PAUSE_INITIAL_MARK, /* begins a concurrent cycle; G1's is a young collection as well */
    DX_PAUSE_REMARK,       /* ends the marking: remark, final mark, mark end */
    DX_PAUSE_CLEANUP,
    DX_PAUSE_FULL,
    DX_PAUSE_DEGENERATED, /* Shenandoah: a concurrent cycle that ran out of memory */
    DX_PAUSE_PHASE,       /* another step of a concurrent cycle; cause names it */
    DX_PAUSE_STALL,       /* ZGC: one thread waited for memory; all others ran */
    DX_PAUSE_SAFEPOINT    /* all threads stood still for something other than a logged collection */
} dx_pause_kind;

/* What is not told is DX_UNKNOWN, DX_TIME_NONE, NaN, NULL or empty. Slices are borrowed for the
 * time of the call. */
typedef struct dx_pause {
    dx_pause_kind kind;
    int64_t start_ms;  /* its start, UTC; DX_TIME_NONE: the log has no wall clock */
    int64_t up_ms;     /* its start, since the start of the JVM */
    double took_ms;    /* not capped: hours are a finding. NaN: the record is cut before it */
    double stopped_ms; /* of the safepoint around it: took_ms, and the time to stop all threads */
    const char *collector; /* ParNew, CMS, Serial, Parallel, G1, ZGC, Shenandoah */
    const char *failure;   /* evacuation failure, promotion failed, concurrent mode failure */
    dx_slice cause;        /* "G1 Evacuation Pause", "System.gc()"; of a safepoint its operation */
    dx_slice thread;       /* of a stall */
    int64_t heap_before, heap_after, heap_total; /* bytes as printed: exact, or to the log's digits;
                                                    total is what is committed, not the maximum */
    double evacuation_failure_ms; /* of took_ms, in the repair of a failed evacuation */
    double user_ms, sys_ms;       /* processor time */
    uint64_t line, offset;        /* of the line that the record begins with; of unified logging, of
                                     the one that ends it */
    uint64_t hash;                /* of that line; 0: it has no stamp */
} dx_pause;

/* "young", "initial mark", "safepoint", ... */
const char *dx_pause_kind_name(dx_pause_kind kind);

typedef struct dx_gclog_sink {
    void *arg;
    /* In the order of the log; a return other than DX_OK ends the reading with that error. */
    dx_status (*pause)(void *arg, const dx_pause *pause, dx_err *err);
    /* A line that should have told a pause and does not; reason is a constant phrase. */
    dx_status (*skip)(void *arg, const char *reason, dx_slice sample, uint64_t line, dx_err *err);
} dx_gclog_sink;

typedef struct dx_gclog_facts {
    uint64_t records; /* lines that begin a record, or have the prefix of unified logging */
    uint64_t pauses, skipped;
    int64_t first_ms, last_ms;       /* UTC, of all stamps; DX_TIME_NONE: no wall clock */
    int64_t first_up_ms, last_up_ms; /* since the JVM's start; DX_UNKNOWN: none */
    bool has_zone;
    int64_t zone_ms; /* the last that a stamp named, east of UTC */
} dx_gclog_facts;

typedef struct dx_gclog dx_gclog;

DX_MUST_CHECK dx_status dx_gclog_new(dx_gclog **out, const dx_gclog_sink *sink, dx_err *err);
void dx_gclog_free(dx_gclog *g); /* NULL is fine */
/* The next line, without its end: any bytes, of any length. number is 1-based. */
DX_MUST_CHECK dx_status dx_gclog_line(dx_gclog *g, dx_slice line, uint64_t number, uint64_t offset,
                                      dx_err *err);
/* After the last line: gives the record that is still held. */
DX_MUST_CHECK dx_status dx_gclog_end(dx_gclog *g, dx_err *err);
/* A record is held that the next lines may add to. */
bool dx_gclog_waits(const dx_gclog *g);
const dx_gclog_facts *dx_gclog_so_far(const dx_gclog *g);

/* A line that only such a log has. */
bool dx_gclog_is(dx_slice line);

#endif

/* dx_logscan - one pass over a log, or over a shell's output of slow calls: physical lines are
 * joined into records (stack traces, JSON broken over lines), each is handed to slowlog, events or
 * scanlog, and what comes out is given to a sink. Holds no more than one record. */
#ifndef DX_LOGSCAN_H
#define DX_LOGSCAN_H

#include "dx_events.h"
#include "dx_input.h"
#include "dx_scanlog.h"
#include "dx_slowlog.h"

typedef struct dx_where {
    uint64_t line;    /* 1-based, of the record's first physical line */
    uint64_t offset;  /* its first byte */
    int64_t local_ms; /* the record's stamp as if it were UTC; DX_TIME_NONE: none */
    bool has_zone;    /* the line names its zone: local_ms - offset_ms is UTC */
    int64_t offset_ms;
    dx_slice thread;
    uint64_t record_hash; /* of the record's whole text: tells a copied line from a second call */
} dx_where;

/* Any of the functions may be NULL. A return other than DX_OK stops the scan with that error. All
 * that is handed over is borrowed for the time of the call. */
typedef struct dx_sink {
    void *arg;
    dx_status (*call)(void *arg, const dx_call *call, const dx_where *where, dx_err *err);
    dx_status (*event)(void *arg, const dx_event *event, const dx_where *where, dx_err *err);
    /* What a line that is no event tells of a region: its name (empty: not told) and its table. */
    dx_status (*region)(void *arg, dx_slice encoded, dx_slice name, dx_slice table, dx_err *err);
    dx_status (*scan)(void *arg, const dx_scan *scan, const dx_where *where, dx_err *err);
    /* A line or record that should have been understood and was not; reason is a constant phrase
     * such as "slow-call JSON is cut", sample at most 200 bytes of it. */
    dx_status (*skip)(void *arg, const char *reason, dx_slice sample, const dx_where *where,
                      dx_err *err);
    /* Asked every few thousand lines; true ends the scan with DX_E_LIMIT. */
    bool (*stop)(void *arg);
    bool unhashed;   /* nobody looks at record_hash: it is 0 */
    bool only_calls; /* of a plain log nothing else is wanted: lines that can be no slow call are
                        leapt over. The coverage then has bytes, lines, calls and what was skipped
                        of them, server and version; records are some; first and last stamp may miss
                        lines that are out of order. */
} dx_sink;

/* Offsets from -14 h to +14 h by quarters of an hour. */
#define DX_ZONE_OFFSETS 113

/* Moments that were told by both clocks, by how far these are apart. */
typedef struct dx_zone_votes {
    uint64_t of[DX_ZONE_OFFSETS], against;
} dx_zone_votes;

typedef struct dx_line_stamp {
    int64_t local_ms; /* DX_TIME_NONE: none */
    bool has_zone;
    int64_t offset_ms;
} dx_line_stamp;

/* Calls in a row whose stamps are as far from UTC. */
typedef struct dx_zone_run {
    int64_t offset_ms;
    uint64_t votes, first_line, last_line;
    int64_t first_ms, last_ms; /* of the first and the last, UTC */
} dx_zone_run;

/* A stamp that is far before that of the line above it: clocks were put back, or an old line was
 * copied. */
typedef struct dx_step_back {
    uint64_t line; /* of the lower stamp */
    int64_t from_local_ms, to_local_ms;
} dx_step_back;

#define DX_STEP_BACK_MS INT64_C(1200000) /* threads that write late are never so late */
#define DX_ZONE_RUNS    8
#define DX_STEPS_BACK   8

typedef struct dx_coverage {
    uint64_t bytes, lines, records; /* records: lines with a prefix that we know */
    uint64_t calls, events, scans, skipped;
    uint64_t continuations;                /* lines that belong to a record before them */
    uint64_t foreign;                      /* lines that belong to none: banners, other programs */
    uint64_t kinds[DX_EV_COUNT];           /* events by dx_event_id */
    int64_t first_local_ms, last_local_ms; /* earliest, latest; DX_TIME_NONE: no stamp seen */
    dx_line_stamp head, tail; /* of a scan for calls alone: the first and last line with a stamp */
    int64_t begin_local_ms, end_local_ms; /* of the first and of the last line that has one */
    uint64_t begin_line;
    uint64_t out_of_order;   /* lines with a stamp before that of the line above */
    int64_t out_of_order_ms; /* the most of these; DX_STEP_BACK_MS and more are steps */
    uint64_t nsteps;         /* all of them; the first are kept */
    dx_step_back steps[DX_STEPS_BACK];
    size_t nruns; /* DX_ZONE_RUNS + 1: too many to be kept */
    dx_zone_run runs[DX_ZONE_RUNS];
    /* the zone of the log, found from records that carry both clocks: slow calls and stamps with a
     * zone; where none tells, start codes and the stamps of containers. True: more votes for
     * offset_ms than against it, or the clocks were changed and offset_ms is the last. */
    bool offset_inferred;
    int64_t offset_ms; /* rounded to 15 minutes */
    uint64_t offset_votes, offset_against;
    dx_zone_votes calls_told; /* of calls, and of stamps that have their zone */
    dx_zone_votes stand_ins;  /* of start codes and wrappers: count where no call tells */
    char server[256];         /* "host,port,startcode" of the last "Serving as", or empty */
    char version[32];         /* "2.5.8" of the last VersionInfo line, or empty */
} dx_coverage;

/* Of which nothing has been read. */
dx_coverage dx_coverage_blank(void);
/* Adds what was found in the next part of the same log; into begins as a blank one. */
void dx_coverage_merge(dx_coverage *into, const dx_coverage *part);
/* Once all parts of a log have been scanned for calls alone: its head and tail count, too. */
void dx_coverage_settle(dx_coverage *cov);
/* The offsets of a log whose clocks were changed while it was written, oldest first, a stray call
 * left out. Returns how many, at most DX_ZONE_RUNS; 0 or 1: they were not changed. */
size_t dx_coverage_offsets(const dx_coverage *cov, dx_zone_run out[DX_ZONE_RUNS]);

typedef enum dx_log_form {
    DX_LOG_PLAIN, /* a log file */
    DX_LOG_RING,  /* output of get_slowlog_responses / get_largelog_responses */
    DX_LOG_TABLE  /* output of scan 'hbase:slowlog' */
} dx_log_form;

/* What the pieces of a rotated log have to know of each other. */
typedef struct dx_log_seam {
    uint64_t skip;           /* lines at its head that the piece before has had */
    int64_t before_local_ms; /* the last stamp of the piece before; DX_TIME_NONE: none */
    const char *const *next; /* paths of the pieces behind it, borrowed */
    size_t n;
    uint64_t *taken; /* of each of them: lines at its head that belong to this piece */
} dx_log_seam;

/* Reads `in` to its end. cov is filled even when an error stops the scan. A damaged input gives all
 * that came before the damage, then its error. */
DX_MUST_CHECK dx_status dx_logscan(dx_input *in, dx_log_form form, const dx_sink *sink,
                                   dx_coverage *cov, dx_err *err);
/* The same of a piece of a rotated DX_LOG_PLAIN: its last record goes on in the pieces behind it,
 * up to where the next record begins. */
DX_MUST_CHECK dx_status dx_logscan_piece(dx_input *in, dx_log_seam *seam, const dx_sink *sink,
                                         dx_coverage *cov, dx_err *err);

/* --- a log that is still being written: the same scan of a DX_LOG_PLAIN, with its state kept
 * between the pieces of text that it is fed */

typedef struct dx_logscan_live dx_logscan_live;

/* sink and what it points to, and cov, are borrowed until the end. cov is begun anew, and is true
 * after every call; lines_before: of the log before the first piece, by which lines are numbered
 * (cov->lines counts them, too). The caller frees. */
DX_MUST_CHECK dx_status dx_logscan_live_new(dx_logscan_live **out, const dx_sink *sink,
                                            uint64_t lines_before, dx_coverage *cov, dx_err *err);
/* Whole lines, the last with its line end, unless no more of it is to come; offset: of the first
 * byte in the log. The last record is kept back, for more lines may belong to it. */
DX_MUST_CHECK dx_status dx_logscan_live_feed(dx_logscan_live *s, dx_slice text, uint64_t offset,
                                             dx_err *err);
/* Hands over the record that is kept back: nothing has come for a while. Lines of it that come
 * later belong to no record. A line of a container whose pieces have not all come is kept on. */
DX_MUST_CHECK dx_status dx_logscan_live_flush(dx_logscan_live *s, dx_err *err);
/* The log has ended: hands over all that was kept back. Nothing may be fed after it. */
DX_MUST_CHECK dx_status dx_logscan_live_end(dx_logscan_live *s, dx_err *err);
void dx_logscan_live_free(dx_logscan_live *s); /* NULL is fine */

#endif

/* dx_logscan_int.h - what the three forms of a scan share, from the ground up. Only for the
 * dx_logscan*.c files. */
#ifndef DX_LOGSCAN_INT_H
#define DX_LOGSCAN_INT_H

#include "dx_logline.h"
#include "dx_logscan.h"

#define LOGSCAN_LINE_MAX   (64u << 20) /* a longer line is cut, and said to be */
#define LOGSCAN_SAMPLE_MAX 200

#define LOGSCAN_TOO_LONG "line is longer than 64 MiB, and was cut"

#define LOGSCAN_OFFSETS DX_ZONE_OFFSETS

typedef dx_zone_votes logscan_votes;

/* --- dx_logscan_clock.c */

/* One moment told by the log's clock and in UTC. False: they are apart as no zone is. */
bool logscan_vote(logscan_votes *votes, int64_t local_ms, int64_t utc_ms);
/* The same of a call, whose place in the log counts. */
void logscan_vote_call(logscan_votes *votes, dx_coverage *cov, const dx_where *where,
                       int64_t end_ms);
/* A stamp before that of the line above it. */
void logscan_step_back(dx_coverage *cov, int64_t local_ms, uint64_t line);
/* The same of a server's start: "host,port,startcode". */
void logscan_vote_start(logscan_votes *votes, int64_t local_ms, dx_slice server);
/* Sets the offset of cov and its votes. stand_ins count where no call tells. */
void logscan_infer(dx_coverage *cov, const logscan_votes *calls, const logscan_votes *stand_ins);

typedef struct logscan {
    dx_input *in;
    const dx_sink *sink;
    dx_coverage *cov;
    dx_err *err;             /* never NULL */
    dx_arena *arena;         /* of the record in work */
    logscan_votes calls;     /* and of stamps that have their zone */
    logscan_votes stand_ins; /* of start codes and wrappers: count where no call tells */
    uint64_t awake;          /* where only calls are wanted: lines before this offset are taken */
    unsigned short_leaps;    /* one after the other, up to here */
    dx_log_seam *seam;       /* NULL: the log is in one piece */
    dx_buf half;             /* a line that goes on in the next piece */
    bool whole;              /* the input has ended, and is not damaged */
} logscan;

typedef struct logscan_line {
    dx_slice text;
    uint64_t number, offset;
} logscan_line;

/* A stamp into the first and last of cov. */
void logscan_note_stamp(dx_coverage *cov, int64_t local_ms);
/* The same, in the order of lines. */
void logscan_note_line(dx_coverage *cov, int64_t local_ms, uint64_t line);

/* --- dx_logscan_skim.c */

/* Leaps over lines of which none can be a slow call or tell whose the log is. Lines before s->awake
 * are to be taken then. */
DX_MUST_CHECK dx_status logscan_skim(logscan *s);

/* --- dx_logscan_sink.c */

/* Hands every line to take, then calls finish: also when the input is damaged, whose error comes
 * back then. An error of take or finish ends the scan at once. A line is borrowed for its call.
 * idle: is called before a line behind s->awake, and may leap over some; NULL: none is. */
typedef struct logscan_form {
    void *form;
    dx_status (*take)(void *form, const logscan_line *line);
    dx_status (*finish)(void *form);
    dx_status (*idle)(void *form);
} logscan_form;
dx_status logscan_lines(logscan *s, const logscan_form *f);

/* --- dx_logscan_seam.c: where a rotated log goes on */

/* Passes lines that the piece before has had. */
dx_status logscan_seam_skip(logscan *s);
/* A line that was just read: where the piece breaks off in it, its rest comes from the next one. */
dx_status logscan_seam_mend(logscan *s, dx_slice *text, uint64_t offset);
/* Gives lines of the pieces behind to take, as long as goes_on says that they belong to what is
 * open. Nothing where there are no pieces, or this one is damaged. */
dx_status logscan_seam_read(logscan *s, void *form, bool (*goes_on)(void *, dx_slice),
                            dx_status (*take)(void *, const logscan_line *));

/* Hand over to the sink, and count. */
dx_status logscan_event(logscan *s, const dx_event *event, const dx_where *where);
/* The name of a region that the line tells, be it an event or not: what an event does not tell by
 * itself. */
dx_status logscan_region(logscan *s, const dx_event *told);
dx_status logscan_scan(logscan *s, const dx_scan *found, const dx_where *where);
dx_status logscan_skip(logscan *s, const char *reason, dx_slice sample, const dx_where *where);
/* What a decoder said: a call, a skip (with reason), or an error that ends the scan. */
dx_status logscan_decoded(logscan *s, dx_status decoded, const dx_call *call, const char *reason,
                          dx_slice text, const dx_where *where);

/* A slow call, or why it is none: text begins at its tag. */
dx_status logscan_call(logscan *s, dx_slice text, const dx_where *where);
/* The same of those in what stands behind a call: a line end was lost between two records. */
dx_status logscan_calls_behind(logscan *s, dx_slice text, dx_where where);

/* What a coverage says of a line with a prefix. of_gc: it is counted elsewhere. */
void logscan_cover(logscan *s, const dx_logline *l, uint64_t line, bool of_gc);
/* --- dx_logscan_text.c */

/* A frame of a stack trace. */
bool logscan_is_frame(dx_slice line);
/* The same, or what stands between such frames. */
bool logscan_is_of_trace(dx_slice line);

/* How deep in JSON a text is that comes in pieces. */
typedef struct logscan_json {
    size_t depth;
    bool in_string, escaped;
} logscan_json;

/* Bytes of piece up to where depth comes back to 0, or all of it. */
size_t logscan_json_walk(logscan_json *j, dx_slice piece);
/* What joins two pieces of broken text: nothing where a terminal or a collector cut in the middle
 * of a string or a number, else a line end. */
void logscan_json_glue(const logscan_json *j, dx_buf *text, dx_slice piece);

/* --- dx_logscan_counters.c */

typedef struct logscan_counters {
    dx_buf text; /* whoever keeps it inits and frees it */
    dx_where at; /* of the first line */
} logscan_counters;

/* "RPC_CALLS=1001", and nothing else. */
bool logscan_is_counter(dx_slice line);
dx_status logscan_counters_add(logscan *s, logscan_counters *c, dx_slice line,
                               const dx_where *where);
dx_status logscan_counters_end(logscan *s, logscan_counters *c); /* gives them, if there are any */

/* --- dx_logscan_gc.c */

/* A collector's lines amid a log: NULL until the first of them. */
struct logscan_gc;

typedef enum logscan_gc_part {
    LOGSCAN_GC_NOT,
    LOGSCAN_GC_LINE,
    LOGSCAN_GC_DETAIL /* one more line of the record that is held */
} logscan_gc_part;

/* For a line without a level and a logger. */
logscan_gc_part logscan_gc_look(const struct logscan_gc *gc, dx_slice line);
/* near: what stands before it, whose time counts where the line has none; NULL: nothing does. */
dx_status logscan_gc_take(struct logscan_gc **gc, logscan *s, dx_slice line, dx_where where,
                          const dx_where *near);
dx_status logscan_gc_end(struct logscan_gc *gc); /* gives what is held; NULL is fine */
void logscan_gc_free(struct logscan_gc *gc);

/* --- dx_logscan_plain.c, dx_logscan_dump.c */

/* A log in the making, for the pieces of one that grows. NULL: no memory. s is borrowed. */
struct logscan_plain *logscan_plain_new(logscan *s);
void logscan_plain_free(struct logscan_plain *p);       /* NULL is fine */
dx_status logscan_plain_feed(struct logscan_plain *p);  /* the input of s, to its end */
dx_status logscan_plain_flush(struct logscan_plain *p); /* the record that is kept back */
dx_status logscan_plain_end(struct logscan_plain *p);   /* and what else is */

/* The forms. Each reads to the input's end, and returns DX_OK or why it stopped. */
dx_status logscan_plain(logscan *s);
dx_status logscan_ring(logscan *s);
dx_status logscan_table(logscan *s);

#endif

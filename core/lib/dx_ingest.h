/* dx_ingest - one source -> rows of a case. Recognises by content what it is given: a RegionServer
 * or client log, a log of the garbage collector, a /jmx dump, hbase-site.xml or /conf, shell output
 * of slow calls, a hbase:slowlog scan. */
#ifndef DX_INGEST_H
#define DX_INGEST_H

#include "dx_calls.h"
#include "dx_casefile.h"
#include "dx_ingest_clock.h"
#include "dx_input.h"
#include "dx_zone.h"

typedef struct dx_ingest_opts {
    const char *name;     /* as the user should see it, "rs-1/jmx/0200.json"; not NULL */
    const char *path;     /* a file that may be looked at as a whole before; NULL: there is none */
    const char *server;   /* whose it is, when its content does not tell; NULL: unknown */
    int64_t t_ms;         /* instant of a dump without its own clock; DX_TIME_NONE: none */
    const char *t_origin; /* where t_ms is from: "file name", "mtime", "request"; NULL: none */
    const dx_zone *zone;  /* zone of stamps without one; NULL: inferred */
    dx_log_seam *seam;    /* of a piece of a rotated log; NULL: it is none, nor are these two */
    int64_t before_ms;    /* the last instant of the piece before it; DX_TIME_NONE: none */
    int64_t follows;      /* the piece before it, a source; 0: none */
} dx_ingest_opts;

typedef struct dx_ingest_report {
    int64_t source;     /* id; of the earlier import when duplicate */
    const char *kind;   /* "log", "jmx", "conf", "ring", "slowlog-table", "gc", "unknown" */
    bool duplicate;     /* this content is in the case already: nothing was added */
    bool binary;        /* kind "unknown" because it is no text */
    dx_coverage log;    /* for logs and shell outputs; its bytes for all */
    uint64_t new_calls; /* of log.calls those that no earlier source had */
    uint64_t samples, settings;
    int64_t first_ms, last_ms; /* UTC; DX_TIME_NONE: none */
    dx_ingest_clock clock;     /* where it was changed */
    int64_t end_ms;            /* the instant of its last line that has one, by its zone */
    int64_t offset_ms;         /* of its local stamps, 0 while unknown; of the last */
    const char *offset_origin; /* as in dx_source_facts */
    char server[256];          /* "host,port" it was filed under, or empty */
    char damage[512];          /* what was damaged, or why it was not read; or empty */
} dx_ingest_report;

/* All or nothing: an error leaves the case as it was. A source that is not understood at all is
 * DX_OK with kind "unknown": it is filed as a source, with nothing in it. */
DX_MUST_CHECK dx_status dx_ingest(dx_casefile *c, dx_input *in, const dx_ingest_opts *opts,
                                  dx_ingest_report *report, dx_err *err);
/* Gives a log its zone after it was read: rows, span, offset and coverage. cov: of its report. All
 * or nothing. */
DX_MUST_CHECK dx_status dx_ingest_set_zone(dx_casefile *c, int64_t source, const dx_zone *zone,
                                           const char *origin, const dx_coverage *cov,
                                           dx_ingest_clock *clock, dx_err *err);
/* A piece of a rotated log that was read. */
typedef struct dx_ingest_piece {
    int64_t source;
    const dx_coverage *cov; /* of its report */
    const char *origin;     /* of its offset */
    dx_ingest_clock clock;  /* out */
} dx_ingest_piece;
/* Looks at the clocks of all pieces as at that of one log, oldest first: where they were changed,
 * all pieces are placed anew. *changed false: they were not, and nothing is done. All or nothing.
 */
DX_MUST_CHECK dx_status dx_ingest_join(dx_casefile *c, dx_ingest_piece *pieces, size_t n,
                                       bool *changed, dx_err *err);
/* Files a log or a dump that dx_calls has read: all that is known of it but its calls, events and
 * scans. DX_E_IO: it could not be opened. */
DX_MUST_CHECK dx_status dx_ingest_found(dx_casefile *c, const dx_calls_file *f,
                                        const dx_ingest_opts *opts, dx_ingest_report *report,
                                        dx_err *err);

#endif

/* dx_events - one log record -> one typed event. Which lines make which kind is one table of data
 * (dx_event_kinds); the matching looks at the logger first, so that most lines cost a few bytes. */
#ifndef DX_EVENTS_H
#define DX_EVENTS_H

#include "dx_logline.h"
#include "dx_str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum dx_event_id {
    DX_EV_NONE = 0,
    DX_EV_FLUSH_REQUESTED,
    DX_EV_FLUSH_STARTED,
    DX_EV_FLUSH_FINISHED,
    DX_EV_FLUSH_DELAYED,
    DX_EV_FLUSH_PRESSURE,
    DX_EV_UPDATES_BLOCKED,
    DX_EV_UPDATES_UNBLOCKED,
    DX_EV_REGION_TOO_BUSY,
    DX_EV_COMPACTION_STARTED,
    DX_EV_COMPACTION_FINISHED,
    DX_EV_COMPACTION_REQUEST_FINISHED,
    DX_EV_COMPACTION_FAILED,
    DX_EV_COMPACTION_THROTTLED,
    DX_EV_WAL_ROLLED,
    DX_EV_WAL_TOO_MANY,
    DX_EV_WAL_SLOW_SYNC,
    DX_EV_PAUSE,
    DX_EV_SLEPT,
    DX_EV_ZK_EXPIRED,
    DX_EV_ABORT,
    DX_EV_REGION_OPENED,
    DX_EV_REGION_CLOSED,
    DX_EV_SERVER_STARTED,
    DX_EV_SERVER_VERSION,
    DX_EV_HEAP_LIMITS,
    DX_EV_CALL_QUEUES,
    DX_EV_CACHE_STATS,
    DX_EV_SCANNER_EXPIRED,
    DX_EV_FLUSH_WAITED,
    DX_EV_FLUSH_FAILED,
    DX_EV_CALL_DROPPED,
    DX_EV_FLUSH_IMPOSSIBLE,
    DX_EV_COMPACTION_REQUESTED,
    DX_EV_COMPACTION_SELECTED,
    DX_EV_COMPACTION_PROGRESS,
    DX_EV_COMPACTION_LIMITS,
    DX_EV_BULK_LOADED,
    DX_EV_BULK_LOAD_SPLIT,
    DX_EV_REGION_MOVED,
    DX_EV_REGION_SPLIT,
    DX_EV_REGION_MERGED,
    DX_EV_BALANCER_RAN,
    DX_EV_WAL_ROLL_REQUESTED,
    DX_EV_WAL_SLOW_APPEND,
    DX_EV_WAL_SLOW_DATANODE,
    DX_EV_WAL_FAILED,
    DX_EV_WAL_LIMITS,
    DX_EV_HDFS_SLOW,
    DX_EV_HDFS_FAILED,
    DX_EV_HEDGED_READ,
    DX_EV_HEDGED_POOL_FULL,
    DX_EV_ZK_SILENT,
    DX_EV_ZK_SESSION_ENDED,
    DX_EV_HEAP_OCCUPANCY,
    DX_EV_JVM,
    DX_EV_CACHE_LIMITS,
    DX_EV_CACHE_FAILED,
    DX_EV_SCANNER_MISSING,
    DX_EV_LARGE_BATCH,
    DX_EV_CLIENT_GONE,
    DX_EV_CALL_QUEUE_FULL,
    DX_EV_OUT_OF_MEMORY,
    DX_EV_EXCEPTION,
    DX_EV_TASK,
    DX_EV_GC_PAUSE, /* made of a GC log, by dx_ingest_gc */
    DX_EV_COUNT
} dx_event_id;

typedef enum dx_field_type { DX_FIELD_INT, DX_FIELD_REAL, DX_FIELD_TEXT } dx_field_type;
typedef struct dx_field {
    const char *name; /* unit in the name: "took_ms", "file_bytes", "store_files" */
    dx_field_type type;
    int64_t i;
    double d;
    dx_slice s;
} dx_field;

#define DX_EVENT_FIELDS 12
typedef struct dx_event {
    dx_event_id id;
    dx_slice region;                 /* full name, when the line has it */
    dx_slice encoded;                /* encoded name, when the line has it or the full name does */
    dx_slice table, family;          /* when the line tells */
    dx_slice server;                 /* "host,port,startcode", when the line tells */
    dx_slice path_space, path_table; /* namespace and table of `encoded`, when a path tells them */
    dx_field fields[DX_EVENT_FIELDS];
    size_t n;
} dx_event;

typedef struct dx_event_kind {
    dx_event_id id;
    const char *name;    /* "flush_delayed": as SQL, JSON and Lua see it */
    const char *meaning; /* one sentence for `explain` */
    const char *fields;  /* names, comma-separated */
} dx_event_kind;

/* All kinds, DX_EV_COUNT - 1 of them, in the order of their ids. */
const dx_event_kind *dx_event_kinds(size_t *n);
const dx_event_kind *dx_event_kind_of(dx_event_id id); /* NULL: there is none */

typedef enum dx_event_verdict {
    DX_EVENT_NOTHING, /* nothing of ours, or known to be of no interest */
    DX_EVENT_READ,
    DX_EVENT_DRIFTS /* looks like one of ours (flush, compaction, ...) by its logger and first
                       words, but none of the templates knows it: for the drift alarm */
} dx_event_verdict;

/* Of a record that is no slow call. rest: the record's continuation lines (may be empty): pauses
 * and exceptions say more there. READ: out is an event; its slices are borrowed from line and rest,
 * names of fields are constants. NOTHING: out has no kind, but may have the places that the line
 * names (region, encoded, path_table). What the line does not tell has no field: an absent field is
 * never zero. */
dx_event_verdict dx_event_judge(const dx_logline *line, dx_slice rest, dx_event *out);
bool dx_event_read(const dx_logline *line, dx_slice rest, dx_event *out); /* whether it is READ */

/* For many lines: it remembers what it has seen of loggers and keeps templates ready, which only
 * saves time. A scan has one for itself. */
typedef struct dx_event_reader dx_event_reader;
dx_event_reader *dx_event_reader_new(void);    /* NULL: no memory. The caller frees. */
void dx_event_reader_free(dx_event_reader *r); /* NULL is fine */
/* What dx_event_judge says. */
dx_event_verdict dx_event_reader_judge(dx_event_reader *r, const dx_logline *line, dx_slice rest,
                                       dx_event *out);

/* A line without a stamp or a logger that tells something of its own, as people paste them and as
 * Java prints them: an exception ("…Exception: Above memstore limit, regionName=…"), memory that
 * ran out, a task. As a message, dx_event_read reads it. */
bool dx_event_exception(dx_slice line);

#endif

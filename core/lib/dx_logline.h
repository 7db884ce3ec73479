/* dx_logline - the prefix of one physical log line: stamp, level, thread, logger; the rest is the
 * message. Knows the layouts of hbase-logs reference, section 7: stock log4j 1 and log4j2 ('T'),
 * Cloudera (no thread), FusionInsight (pipes), 0.94, two-digit years of consoles, and the wrappers
 * of Docker (JSON), Kubernetes (CRI), journald and syslog. */
#ifndef DX_LOGLINE_H
#define DX_LOGLINE_H

#include "dx_str.h"
#include "dx_time.h"

#include <stdbool.h>

typedef struct dx_logline {
    int64_t local_ms; /* the stamp as if it were UTC; DX_TIME_NONE: the line has none */
    bool has_zone;    /* the line itself names its zone; then offset_ms is it */
    int64_t offset_ms;
    dx_slice level, thread, logger,
        message; /* borrowed from the line; empty where the layout has none */
} dx_logline;

/* A line that has only a stamp is known too; its level is empty. A wrapper (dx_logwrap.h) is looked
 * through: the stamp of the line inside it counts, and the wrapper's where that has none. Docker's
 * line keeps JSON's escapes here. False: the line has no prefix that we know (a continuation, a
 * banner, another program's line); then *out has only message = the line, and a wrapper's stamp. */
bool dx_logline_read(dx_slice line, dx_logline *out);
/* The same of a line that has no wrapper, or has lost it. */
bool dx_logline_read_bare(dx_slice line, dx_logline *out);

/* What lines in a row share: the minute, and "LEVEL [thread] logger: ", which comes again and
 * again. Only saves time. All zero at first; a scan has one for itself. */
#define DX_LOGLINE_HEADS 256
typedef struct dx_logline_head {
    unsigned char n; /* 0: none is kept here */
    unsigned char level_n, thread_at, thread_n, logger_at, logger_n;
    char text[98];
} dx_logline_head;
typedef struct dx_logline_memo {
    bool known;
    char minute[16]; /* "2026-11-30 20:10" */
    int64_t minute_ms;
    dx_logline_head heads[DX_LOGLINE_HEADS];
} dx_logline_memo;
/* What dx_logline_read_bare says. */
bool dx_logline_read_next(dx_slice line, dx_logline_memo *memo, dx_logline *out);

#endif

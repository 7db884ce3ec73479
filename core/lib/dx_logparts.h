/* dx_logparts - logs over threads. A log is cut into parts where a record surely begins; a thread
 * takes the next part of the first log that nobody is reading, scans it, and leaves what it found.
 * That is taken over strictly in order, by whoever finds the next part ready, so that nothing but
 * the time it takes depends on the number of threads. A log that cannot be cut, and the end of
 * each, is scanned while it is read. */
#ifndef DX_LOGPARTS_H
#define DX_LOGPARTS_H

#include "dx_err.h"
#include "dx_input.h"

#include <stdbool.h>
#include <stddef.h>

#define DX_LOGPARTS_THREADS 64 /* at most */

/* What is done with the logs 0 to n - 1. An error of any of these ends all. A part is whatever
 * begin makes. open and scan run in any thread, those of one part never at once; take and stop run
 * one at a time. */
typedef struct dx_logparts_job {
    void *arg;
    size_t n;
    unsigned threads; /* with the caller's */
    size_t ahead_max; /* bytes, by weigh, of what was found and is not taken over yet: about */
    /* A log that is not begun before the one before it has been read to its end; NULL: none is. */
    bool (*waits)(void *arg, size_t log);
    void *(*begin)(void *arg, size_t log); /* NULL: no memory */
    /* The input of a log, which is closed for it; part: its first. *in NULL: there is none. */
    dx_status (*open)(void *arg, size_t log, void *part, dx_input **in, dx_err *err);
    /* rest: `in` is the log's own input; else a text of whole records */
    dx_status (*scan)(void *arg, size_t log, void *part, dx_input *in, bool rest, dx_err *err);
    size_t (*weigh)(const void *part);
    dx_status (*take)(void *arg, size_t log, void *part, bool first, bool last, dx_err *err);
    void (*end)(void *part);
    bool (*stop)(void *arg); /* asked by the caller's thread, before a part; NULL: none */
} dx_logparts_job;

typedef struct dx_logparts dx_logparts;

/* Whether the job has ended early, or the caller asks for it: for scans to look at. Asks stop only
 * in the caller's thread. */
bool dx_logparts_stopped(dx_logparts *p);

/* Runs it all. run is told to `started` before anything else, for dx_logparts_stopped; NULL: nobody
 * asks. DX_E_LIMIT: stopped. */
DX_MUST_CHECK dx_status dx_logparts_run(const dx_logparts_job *job, dx_logparts **started,
                                        dx_err *err);

#endif

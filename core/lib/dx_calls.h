/* dx_calls - slow calls of several logs and dumps -> one digest, without a case in between. Nothing
 * of a log is kept but its groups; a dump's calls are kept whole, for a log may tell more of them.
 * What is the same call is decided as in a case (dx_casefile_call.c): across logs and dumps by its
 * key, where dumps come first; in copies of a log by the record's text. Copies are known as long as
 * no more than DX_CALLS_APART calls lie between a call and its copy; a single log needs, and has,
 * no such memory.
 * Threads change nothing but the time it takes: what they find is taken over in the order of the
 * sources and of their lines. */
#ifndef DX_CALLS_H
#define DX_CALLS_H

#include "dx_digest.h"
#include "dx_ingest_sniff.h"
#include "dx_logscan.h"

#define DX_CALLS_APART   1000000
#define DX_CALLS_KEYS    12 /* at most so many in one grouping */
#define DX_CALLS_THREADS 64 /* at most */

typedef struct dx_calls_skip {
    const char *reason; /* a constant */
    uint64_t count, line;
    char sample[200]; /* of the first */
    size_t sample_n;
} dx_calls_skip;

/* A source: what to read, then what was found in it. */
typedef struct dx_calls_file {
    const char *path, *name; /* "-": standard input; as people see it. Borrowed all along. */
    const char *server;      /* whose it is; NULL: as its content tells */
    bool goes_on;            /* it is a log that goes on with the last record of the one before */
    dx_source_kind kind;     /* only logs and dumps of calls are read */
    bool binary;
    const char *hint;  /* as of dx_ingest_sniff */
    bool again;        /* it can be read a second time: a regular file */
    bool wrapped;      /* the lines at its head came through a container or a syslog */
    bool prefixed;     /* a line at its head has a level or a logger */
    bool duplicate;    /* has the content of an earlier one, and was not read */
    size_t original;   /* which */
    dx_status status;  /* why it could not be opened, or its reading broke off; DX_OK */
    char message[512]; /* the same in words */
    uint64_t fingerprint;
    uint64_t skip;      /* lines at its head that belong to the one before */
    dx_coverage cov;    /* as of dx_sink's only_calls for a log that is again and not wrapped */
    uint64_t new_calls; /* of cov.calls those that no earlier source had */
    bool local, zoned;  /* records without and with their zone were seen */
    bool both_clocks;   /* a call told its start beside a local stamp */
    int64_t first_call, last_call; /* starts; DX_TIME_NONE */
    dx_calls_skip *skips;
    size_t nskips, skips_cap;
} dx_calls_file;

typedef struct dx_calls_opts {
    const char *const *by; /* as dx_calls_group_name lists them; borrowed */
    size_t n;
    int64_t from_ms, to_ms; /* calls that ran in [from, to); DX_TIME_NONE: no such bound */
    unsigned threads;       /* 0, 1: the caller's alone */
    bool identify;          /* fingerprints are wanted of files, too; else only of what was piped */
    bool (*stop)(void *arg); /* asked every few ms, by the caller's thread; NULL: none */
    void *stop_arg;
} dx_calls_opts;

typedef struct dx_calls dx_calls;

/* The i-th name to group by: "table", "method", "client", ...; NULL: there are no more. */
const char *dx_calls_group_name(size_t i);

/* DX_E_USAGE: a name that is no key, or too many of them. The caller frees. */
DX_MUST_CHECK dx_status dx_calls_new(dx_calls **out, const dx_calls_opts *opts, dx_err *err);
void dx_calls_free(dx_calls *c); /* NULL is fine */
/* Reads all files, once for a dx_calls; they stay until it is freed. A file that cannot be read
 * says so in its status and harms no other; an error is one of memory, or DX_E_LIMIT: stopped. */
DX_MUST_CHECK dx_status dx_calls_read(dx_calls *c, dx_calls_file *files, size_t n, dx_err *err);
void dx_calls_file_done(dx_calls_file *f); /* frees what reading put into it */
/* The place of a name in opts->by; false: it is not there. */
bool dx_calls_part_of(const dx_calls *c, const char *name, size_t *part);
/* What was read, by some of the names that it was read by: parts are their places in opts->by.
 * Regions, servers and hours get their names. offset_ms: hours are those of a clock so far east of
 * UTC, to 15 minutes. The digest is finished; the caller frees it. */
DX_MUST_CHECK dx_status dx_calls_digest(const dx_calls *c, const size_t *parts, size_t n,
                                        int64_t offset_ms, dx_digest **out, dx_err *err);
/* The digest by all names as a file: versioned, with a check sum, the same bytes for the same
 * calls. meta: anything of the caller's. Look at dx_buf_ok(out). */
DX_MUST_CHECK dx_status dx_calls_write(const dx_calls *c, dx_slice meta, dx_buf *out, dx_err *err);
/* Whether bytes begin as such a file does, of this or of another version. */
bool dx_calls_is_digest(dx_slice head);
/* Adds such a file's calls, after the reading. *meta is borrowed from bytes. DX_E_PARSE: it is no
 * such file, or damaged; DX_E_USAGE: it is by other names. */
DX_MUST_CHECK dx_status dx_calls_merge(dx_calls *c, dx_slice bytes, dx_slice *meta, dx_err *err);
/* Some calls were further apart than copies are known. */
bool dx_calls_forgot(const dx_calls *c);

/* The i-th part of a group's key. */
typedef struct dx_calls_part {
    enum { DX_PART_UNKNOWN, DX_PART_TEXT, DX_PART_NUMBER } type;
    dx_slice text; /* borrowed from the key */
    int64_t number;
} dx_calls_part;
dx_calls_part dx_calls_key_part(dx_slice key, size_t i);

/* A group's note: where its longest call stands, and what it was. Texts are borrowed from the note;
 * empty, DX_UNKNOWN: not told. */
typedef struct dx_calls_note {
    dx_slice source; /* its name */
    uint64_t line;   /* 0: unknown */
    dx_slice user, table, filters;
    int64_t start_ms, proc_ms, queue_ms, response_bytes, caching, actions;
    dx_tri has_start_row, has_stop_row, cache_blocks;
    bool param_cut;
} dx_calls_note;
/* False: it is none. */
bool dx_calls_note_read(dx_slice note, dx_calls_note *out);

#endif

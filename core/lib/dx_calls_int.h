/* dx_calls_int.h - what the dx_calls*.c files share, from the ground up. */
#ifndef DX_CALLS_INT_H
#define DX_CALLS_INT_H

#include "dx_calls.h"
#include "dx_map.h"

/* --- dx_calls_key.c: groups, and what is said of a call */

/* Tables of regions, as calls and events tell them. */
typedef struct calls_regions {
    dx_map *of;    /* encoded name -> index of names */
    dx_map *index; /* table -> the same */
    dx_arena *names_of;
    dx_slice *names;
    size_t n, cap;
    char last[256][32]; /* encoded names that were learnt lately */
} calls_regions;

DX_MUST_CHECK bool calls_regions_open(calls_regions *r);
void calls_regions_done(calls_regions *r);
/* False: no memory. What is not told teaches nothing. */
DX_MUST_CHECK bool calls_learn(calls_regions *r, dx_slice encoded, dx_slice table);
/* Empty: nobody has told it. */
dx_slice calls_table_of(const calls_regions *r, dx_slice encoded);

typedef struct calls_by {
    unsigned char of[DX_CALLS_KEYS];
    size_t n;
} calls_by;

DX_MUST_CHECK dx_status calls_by_read(calls_by *by, const char *const *names, size_t n,
                                      dx_err *err);
/* Appends the key of a call; parts that are known at the end only stand for themselves. */
void calls_key(const calls_by *by, const dx_call *call, size_t source, dx_buf *out);
/* The same key, with a table where it has none and is grouped by it. */
void calls_key_name(const calls_by *by, dx_slice key, dx_slice table, dx_buf *out);
/* What some parts of a key come to at the end. */
typedef struct calls_names {
    const calls_regions *regions;
    const dx_calls_file *files;
    bool hours_open; /* hours stay what they are until a zone is known */
    int64_t offset_ms;
} calls_names;
/* Whether the tables of all regions in a key are known. */
bool calls_key_resolved(const calls_by *by, const calls_regions *regions, dx_slice key);
void calls_key_settle(dx_slice key, const size_t *parts, size_t n, const calls_names *names,
                      dx_buf *out);
/* Whether a key has as many parts as by, and none of a source; by: a calls_by. */
bool calls_key_good(const void *by, dx_slice key);
/* A note is a place and what is told of the call behind each other. */
void calls_note(const char *source, uint64_t line, dx_buf *out);
void calls_told(const dx_call *call, dx_buf *out);

/* --- dx_calls_scanner.c: the tables of scanners */

/* A scanner's later calls may not tell its table, which an earlier one did: HBase leaves it out
 * once the scanner is closed. They come soon, so that only the last some ten thousand are known. */
typedef struct calls_scanners {
    calls_regions young, old; /* by the id's bytes; when young is full, old is dropped */
} calls_scanners;

DX_MUST_CHECK bool calls_scanners_open(calls_scanners *s);
void calls_scanners_done(calls_scanners *s);
/* False: no memory. */
DX_MUST_CHECK bool calls_scanners_learn(calls_scanners *s, uint64_t id, dx_slice table);
dx_slice calls_scanners_table(const calls_scanners *s, uint64_t id); /* empty: not known */

/* --- dx_calls_same.c: what is the same call */

typedef struct calls_same calls_same;

typedef struct calls_seen { /* a call on its way into the digest */
    const dx_call *call;
    uint64_t line, record_hash, same; /* same: of its key */
    size_t source;
} calls_seen;

calls_same *calls_same_new(void); /* NULL: no memory */
void calls_same_free(calls_same *s);
uint64_t calls_same_key(const dx_call *call, uint64_t record_hash);
/* A call of a dump: is kept, or told more of. *added: it is new. */
DX_MUST_CHECK dx_status calls_same_dump(calls_same *s, const calls_seen *seen, bool *added,
                                        dx_err *err);
/* Whether a dump has a call of that key. May be asked by many threads at once. */
bool calls_same_has(const calls_same *s, uint64_t same);
/* A call of a log. *added: it is new, and is to be counted; a dump's call is only told more of.
 * call may be NULL where calls_same_has says no. copies: there are other logs. */
DX_MUST_CHECK dx_status calls_same_log(calls_same *s, const calls_seen *seen, bool copies,
                                       bool *added, dx_err *err);
bool calls_same_forgot(const calls_same *s);
/* A call with its texts in the arena; NULL: no memory. */
dx_call *calls_copy(dx_arena *a, const dx_call *call);
/* The calls of the dumps, in their order; NULL: there are no more. */
const calls_seen *calls_same_at(const calls_same *s, size_t i);

/* --- dx_calls_take.c: what parsers find, and what becomes of it */

struct dx_calls {
    dx_calls_opts opts;
    calls_by by;
    calls_same *same;
    calls_regions regions;
    calls_scanners scanners;
    dx_digest *digest;
    dx_buf note, named; /* of the call in work: its note, and its key with a table */
    dx_calls_file *files;
    size_t n, logs; /* files; logs among them */
};

typedef struct calls_found { /* a call of a log */
    dx_digest_call numbers;
    calls_seen seen; /* its call only where a dump may have it, too */
    dx_slice key;
    bool has_scanner;
    uint64_t scanner;
    dx_slice table;       /* that the scanner is told to be of */
    const dx_call *whole; /* as long as it is being parsed; then told stands for it */
    dx_slice told;
} calls_found;

/* A source, or a part of it, on its way through a parser. */
typedef struct calls_scan {
    dx_calls *c;
    dx_calls_file *file; /* what is found in this part */
    size_t source;
    calls_regions *regions;
    dx_log_seam *seam; /* NULL: there is none */
    dx_buf key;        /* of the call in work */
    dx_status (*take)(void *arg, const calls_found *found, dx_err *err);
    bool (*stop)(void *arg);
    void *arg;
} calls_scan;

/* The sink by which a parser brings calls to s->take; its key is the caller's to begin and end. */
void calls_sink(calls_scan *s, dx_sink *out);
/* Whether all but its calls is leapt over in a log: what that would have told of regions can be
 * read again, and no wrapper's clock would be missed. */
static inline bool calls_alone(const dx_calls_file *f) {
    return f->again && !f->wrapped;
}
/* Runs a log through the parser. */
DX_MUST_CHECK dx_status calls_scan_log(calls_scan *s, dx_input *in, dx_err *err);
/* Reads a log for nothing but tables of regions. */
DX_MUST_CHECK dx_status calls_learn_log(dx_calls *c, size_t source, dx_err *err);
/* The input of a log; what is not wanted of it is left out. DX_E_IO: it cannot be opened. */
DX_MUST_CHECK dx_status calls_open(const dx_calls *c, size_t source, dx_input **in, dx_err *err);
/* A source's fingerprint, once it has been read. */
uint64_t calls_fingerprint(const dx_calls *c, size_t source, const dx_input *in);
/* The same of a dump, whose calls are kept. */
DX_MUST_CHECK dx_status calls_scan_dump(dx_calls *c, size_t source, dx_input *in, dx_err *err);
/* The pieces of a rotated log behind a source. */
#define CALLS_NEXT 64
typedef struct calls_seam {
    dx_log_seam seam;
    const char *next[CALLS_NEXT];
    uint64_t taken[CALLS_NEXT];
} calls_seam;
/* skip: lines that its head has to pass. NULL: it has no part in a seam. */
dx_log_seam *calls_seam_begin(calls_seam *m, const dx_calls *c, size_t source, uint64_t skip);
/* Tells the pieces behind it what it has had of them. */
void calls_seam_end(const calls_seam *m, dx_calls *c, size_t source);
/* A call of a log into the digest, unless it is known. Calls come in order. */
DX_MUST_CHECK dx_status calls_take(dx_calls *c, const calls_found *found, dx_err *err);
/* The kept calls into the digest, after all logs. */
DX_MUST_CHECK dx_status calls_take_kept(dx_calls *c, dx_err *err);
/* A file in which nothing has been found yet. */
void calls_file_begin(dx_calls_file *f);
/* Adds what was found in the next part of a file, but for its bytes. */
DX_MUST_CHECK dx_status calls_file_merge(dx_calls_file *into, const dx_calls_file *part,
                                         dx_err *err);
/* Where a source broke off is its own matter; what is not its fault ends all reading. */
DX_MUST_CHECK dx_status calls_forgive(dx_calls_file *f, dx_status st, dx_err *err);

/* --- dx_calls_run.c: several threads over the logs */

/* inputs: one of each file, or NULL where it is yet to be opened. */
DX_MUST_CHECK dx_status calls_run(dx_calls *c, dx_input **inputs, dx_err *err);

#endif

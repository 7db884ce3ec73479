/* dx_casefile_int - private to the dx_casefile family: one SQLite connection with its cached
 * statements. dx_casefile.c fills it in; the others see no sqlite3.h. From the ground up:
 * connection and statements, the source under way, what may be known already (_known), cursors
 * (_read), opening (_open), servers and regions (_write), what events name (_list), events
 * (_event), calls (_call) and dumps (_jmx), and sources (_source), which know them all. */
#ifndef DX_CASEFILE_INT_H
#define DX_CASEFILE_INT_H

#include "dx_casefile.h"
#include "dx_map.h"
#include "dx_set.h"

struct sqlite3;
struct sqlite3_stmt;

#define DX_CASE_STMTS  96
#define DX_CASE_PARAMS 384 /* of a statement: so many are kept account of */

typedef struct dx_stmt {
    dx_casefile *c;
    const char *sql; /* of a cached one: its identity */
    struct sqlite3_stmt *st;
    int bound, before; /* parameters so far, and the most of a run before */
    bool failed, guarded;
    uint64_t values[DX_CASE_PARAMS / 64]; /* a bit each: it was bound to something */
} dx_stmt;

/* Which hashes a case has, as long as asking a set is cheaper than an index that every row would
 * have to enter. Once one of them comes again, or they are many, the index is made and asked. */
typedef struct dx_known {
    dx_set set;
    int64_t next; /* rows before this one are in the set */
    bool indexed, looked;
} dx_known;

typedef struct dx_runs dx_runs;             /* events that are not in the file yet */
typedef struct dx_case_lists dx_case_lists; /* places and threads that events have named */

struct dx_casefile {
    struct sqlite3 *db;
    char *path; /* NULL: in memory */
    bool readonly, batch;
    int guard; /* above 0: SQL of a stranger is being compiled or run */
    dx_stmt stmts[DX_CASE_STMTS];
    size_t nstmts;
    dx_cursor *cursors; /* open ones, so that close can end them */
    bool (*stop)(void *arg);
    void *stop_arg;

    dx_map *series;     /* 16-byte hash of server, bean, name, labels -> id */
    dx_map *regions;    /* encoded names whose table the case knows */
    bool region_learnt; /* since tables were last filled in */
    dx_known known_calls, known_events;
    int64_t committed_calls, committed_events; /* their next when the batch began */
    dx_runs *runs;
    dx_case_lists *lists;

    /* the source under way: rows that it adds have ids from these on */
    int64_t source, first_call, first_event, first_scan;
    dx_set seen;     /* hashes of calls that this source has had */
    dx_map *again;   /* those that it has had again: how often; NULL: none */
    int64_t *merged; /* calls of earlier sources without a server that it has, too */
    size_t nmerged, merged_cap;
    bool repeats; /* one of its events may stand in an earlier source */
};

/* --- the connection (dx_casefile.c) --- */
const char *dx_case_name(const dx_casefile *c); /* for messages */
/* Opens c->path, which must exist (NULL: in memory), anew. */
DX_MUST_CHECK dx_status dx_case_connect(dx_casefile *c, bool write, dx_err *err);
void dx_case_disconnect(dx_casefile *c);
/* The last error was: a write was cut off, and only a writer can undo it. */
bool dx_case_cut_off(const dx_casefile *c);
bool dx_case_in_transaction(const dx_casefile *c);
DX_MUST_CHECK dx_status dx_case_exec(dx_casefile *c, const char *sql, dx_err *err);
void dx_case_cache(dx_casefile *c); /* of the size for one who writes */
DX_MUST_CHECK dx_status dx_case_copy(dx_casefile *to, dx_casefile *from, dx_err *err);

/* --- statements (dx_casefile.c) --- */
/* The cached statement of sql (a static text, told apart by its address), ready to be bound. */
DX_MUST_CHECK dx_status dx_stmt_cached(dx_stmt **out, dx_casefile *c, const char *sql, dx_err *err);
/* A stranger's SELECT: one statement, read-only, no pragma but those that look. dx_stmt_free. */
DX_MUST_CHECK dx_status dx_stmt_guarded(dx_stmt **out, dx_casefile *c, const char *sql,
                                        dx_err *err);
void dx_stmt_free(dx_stmt *s); /* NULL is fine */

/* Each binds the next parameter. Text is borrowed until the statement has been run, and cut after
 * 1 MiB: no name is longer, but what a hostile source says may be. */
void dx_stmt_int(dx_stmt *s, int64_t v);
void dx_stmt_num(dx_stmt *s, int64_t v);   /* DX_UNKNOWN, DX_TIME_NONE: NULL */
int64_t dx_bits(uint64_t v);               /* its 64 bits, as SQLite shows them: signed */
void dx_stmt_u64(dx_stmt *s, uint64_t v);  /* dx_bits */
void dx_stmt_hash(dx_stmt *s, uint64_t v); /* the same, 0: NULL */
void dx_stmt_id(dx_stmt *s, int64_t id);   /* 0: NULL */
void dx_stmt_tri(dx_stmt *s, dx_tri v);
void dx_stmt_real(dx_stmt *s, double v);           /* NaN: NULL */
void dx_stmt_text(dx_stmt *s, dx_slice v);         /* empty: NULL */
void dx_stmt_string(dx_stmt *s, const char *v);    /* NULL: NULL; empty stays empty */
void dx_stmt_value(dx_stmt *s, const dx_value *v); /* copied */

/* DX_E_USAGE: a stranger gave too few or too many; DX_E_LIMIT: one is too large. */
DX_MUST_CHECK dx_status dx_stmt_all_bound(dx_stmt *s, dx_err *err);
/* DX_ROW, DX_DONE or an error; after the latter two it is ready to be bound anew. */
DX_MUST_CHECK dx_status dx_stmt_step(dx_stmt *s, dx_err *err);
DX_MUST_CHECK dx_status dx_stmt_run(dx_stmt *s, dx_err *err); /* to its end; rows are dropped */
/* First column of the first row; *found false: there is none, or NULL. */
DX_MUST_CHECK dx_status dx_stmt_one(dx_stmt *s, int64_t *v, bool *found, dx_err *err);
/* Both for a statement of whole numbers alone, bound in their order. */
DX_MUST_CHECK dx_status dx_case_run(dx_casefile *c, const char *sql, const int64_t *v, size_t n,
                                    dx_err *err);
/* First column of the first row; 0: there is none, or NULL. */
DX_MUST_CHECK dx_status dx_case_number(dx_casefile *c, const char *sql, const int64_t *v, size_t n,
                                       int64_t *out, dx_err *err);
int dx_stmt_columns(const dx_stmt *s);
const char *dx_stmt_name(const dx_stmt *s, int column);
dx_value dx_stmt_column(const dx_stmt *s, int column); /* borrowed until the next step */
int64_t dx_case_last_id(const dx_casefile *c);
int64_t dx_case_changes(const dx_casefile *c); /* rows that the last statement changed */

/* --- the source under way (dx_casefile_current.c) --- */
/* How often the source under way has had this hash, this time included. */
DX_MUST_CHECK dx_status dx_case_nth(dx_casefile *c, uint64_t hash, int64_t *n, dx_err *err);
/* Makes source the one under way; no events are held. */
DX_MUST_CHECK dx_status dx_case_turn_to(dx_casefile *c, int64_t source, dx_err *err);
/* A call that lacks a server is also in the source under way. */
DX_MUST_CHECK dx_status dx_case_note_merged(dx_casefile *c, int64_t call, dx_err *err);

/* --- what may be known already (dx_casefile_known.c) --- */
/* Is ready to be asked about all rows before the source under way, of calls and events each. */
DX_MUST_CHECK dx_status dx_case_known_calls(dx_casefile *c, dx_err *err);
DX_MUST_CHECK dx_status dx_case_known_events(dx_casefile *c, dx_err *err);
/* Makes the indexes by which known rows are found, when they are not there. */
DX_MUST_CHECK dx_status dx_case_index_calls(dx_casefile *c, dx_err *err);
DX_MUST_CHECK dx_status dx_case_index_events(dx_casefile *c, dx_err *err);

/* --- regions (dx_casefile_region.c) --- */
/* Nothing is to be learnt of that region any more, or it has no encoded name. */
bool dx_case_region_told(const dx_casefile *c, dx_slice encoded);

/* --- places and threads (dx_casefile_list.c) --- */
/* Is ready for the events of a source: another process may have written since. */
DX_MUST_CHECK dx_status dx_case_open_lists(dx_casefile *c, dx_err *err);
/* The numbers of the place and of the thread that an event names, 0: none. Writes those that it is
 * the first to name. */
DX_MUST_CHECK dx_status dx_case_list(dx_casefile *c, const dx_event *e, dx_slice thread,
                                     int64_t *place_id, int64_t *thread_id, dx_err *err);
/* Appends an event's fields as a JSON object, nothing when there are none. Look at dx_buf_ok. */
void dx_case_fields(dx_buf *out, const dx_event *e);
void dx_case_forget_lists(dx_casefile *c);

/* --- events (dx_casefile_event.c) --- */
/* Makes source the one under way, when it is not. */
DX_MUST_CHECK dx_status dx_case_enter(dx_casefile *c, int64_t source, dx_err *err);
/* Writes the events that are held; before anyone looks at them. */
DX_MUST_CHECK dx_status dx_case_flush(dx_casefile *c, dx_err *err);
/* Drops those that are held. */
void dx_case_forget_events(dx_casefile *c);
/* Events of the source under way that an earlier one, but for `follows`, has told go. */
DX_MUST_CHECK dx_status dx_case_drop_events(dx_casefile *c, int64_t follows, dx_err *err);

/* --- dx_casefile_jmx.c, dx_casefile_read.c --- */
/* The snapshots of a source, with their samples, are another server's. */
DX_MUST_CHECK dx_status dx_case_move_snapshots(dx_casefile *c, int64_t source, int64_t server,
                                               dx_err *err);
void dx_cursor_orphan(dx_cursor *cur); /* its case closes */

#endif

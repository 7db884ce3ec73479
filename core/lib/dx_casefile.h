/* dx_casefile - a case: everything gathered on one incident, in one SQLite file or in memory. The
 * schema is documented where it is made, in dx_casefile_schema.c. The only user of sqlite3. */
#ifndef DX_CASEFILE_H
#define DX_CASEFILE_H

#include "dx_buf.h"
#include "dx_conf.h"
#include "dx_err.h"
#include "dx_events.h"
#include "dx_jmx.h"
#include "dx_logscan.h"
#include "dx_scanlog.h"
#include "dx_slowlog.h"

#include <stdbool.h>
#include <stdint.h>

#define DX_CASE_SCHEMA_VERSION 3

typedef struct dx_casefile dx_casefile;

/* path NULL: in memory. create false: the file must exist and is opened for reading only. A file of
 * a newer schema, or of another program, is DX_E_DB with the reason. The caller closes. */
DX_MUST_CHECK dx_status dx_casefile_open(dx_casefile **out, const char *path, bool create,
                                         dx_err *err);
void dx_casefile_close(dx_casefile *c); /* NULL is fine; an open batch is rolled back */
/* Copies the whole case into a new file (mode 0600; must not exist yet). */
DX_MUST_CHECK dx_status dx_casefile_save(dx_casefile *c, const char *path, dx_err *err);
/* A copy of the whole case in memory. The caller closes. */
DX_MUST_CHECK dx_status dx_casefile_copy(dx_casefile **out, dx_casefile *c, dx_err *err);
/* The schema as SQL text with its comments, for documentation. */
const char *dx_casefile_schema(void);

/* Writers stand between begin and commit; rollback undoes all since begin. */
DX_MUST_CHECK dx_status dx_casefile_begin(dx_casefile *c, dx_err *err);
DX_MUST_CHECK dx_status dx_casefile_commit(dx_casefile *c, dx_err *err);
void dx_casefile_rollback(dx_casefile *c);

/* The id of the source with this fingerprint and size, or 0. */
DX_MUST_CHECK dx_status dx_casefile_find_source(dx_casefile *c, uint64_t fingerprint,
                                                uint64_t bytes, int64_t *id, dx_err *err);
DX_MUST_CHECK dx_status dx_casefile_add_source(dx_casefile *c, const char *name, const char *kind,
                                               int64_t *id, dx_err *err);
/* What is known once a source has been read. server 0: none. */
typedef struct dx_source_facts {
    const char *kind; /* NULL: as it was filed */
    uint64_t fingerprint, bytes, lines, records, understood, skipped;
    int64_t first_ms, last_ms; /* UTC; DX_TIME_NONE: none */
    int64_t offset_ms;         /* of its local stamps */
    const char
        *offset_origin; /* "line", "--log-tz", "slow calls", "start code", "unknown", or NULL */
    int64_t server;
    const char *version, *damage; /* NULL or "": none */
    const char *coverage;         /* JSON, or NULL */
    int64_t follows; /* the source whose last line comes before its first, in one log; 0: none */
} dx_source_facts;
/* Ends a source: its rows without a server get this one; events and scans that an earlier source
 * has told already go (the same text twice in one source, or in it and the one that it follows, is
 * two, of two servers also); events and
 * calls with an encoded region name get their table where any source has explained it. Rows are
 * added one source after the other, never turn about. */
DX_MUST_CHECK dx_status dx_casefile_source_facts(dx_casefile *c, int64_t source,
                                                 const dx_source_facts *facts, dx_err *err);
/* Counts `count` skipped pieces of a source; keeps the first sample and line of each reason. */
DX_MUST_CHECK dx_status dx_casefile_skip(dx_casefile *c, int64_t source, const char *reason,
                                         uint64_t count, dx_slice sample, uint64_t line,
                                         dx_err *err);

/* The server of that name; made when it is new. "host,port,startcode" is split: the server's name
 * is "host,port". */
DX_MUST_CHECK dx_status dx_casefile_server(dx_casefile *c, dx_slice name, int64_t *id, dx_err *err);
/* The name of a server, cut to fit; empty: there is none with that id. */
DX_MUST_CHECK dx_status dx_casefile_server_name(dx_casefile *c, int64_t id, char out[256],
                                                dx_err *err);

/* One JMX dump: all numeric samples, the tags that matter as labels. A second snapshot of a server
 * at the same instant adds only what is new. */
DX_MUST_CHECK dx_status dx_casefile_add_jmx(dx_casefile *c, int64_t source, int64_t server,
                                            int64_t t_ms, const char *t_origin, const dx_jmx *doc,
                                            dx_err *err);
/* A call that is known already (the same log line of another source, or the same call in a log and
 * a dump) is merged: *added false, what it tells anew is kept. See dx_casefile_call.c for "same".
 */
DX_MUST_CHECK dx_status dx_casefile_add_call(dx_casefile *c, int64_t source, int64_t server,
                                             const dx_call *call, const dx_where *where,
                                             bool *added, dx_err *err);
DX_MUST_CHECK dx_status dx_casefile_add_event(dx_casefile *c, int64_t source, int64_t server,
                                              int64_t t_ms, const dx_event *event,
                                              const dx_where *where, dx_err *err);
DX_MUST_CHECK dx_status dx_casefile_add_scan(dx_casefile *c, int64_t source, int64_t t_ms,
                                             const dx_scan *scan, const dx_where *where,
                                             dx_err *err);
DX_MUST_CHECK dx_status dx_casefile_add_setting(dx_casefile *c, int64_t source, int64_t server,
                                                const dx_property *p, dx_err *err);
/* Learns that an encoded region name is this region of this table. */
DX_MUST_CHECK dx_status dx_casefile_learn_region(dx_casefile *c, dx_slice encoded, dx_slice region,
                                                 dx_slice table, dx_err *err);

/* Moves the stamps of a source's events and scans to another offset of its local clock. */
DX_MUST_CHECK dx_status dx_casefile_set_offset(dx_casefile *c, int64_t source, int64_t offset_ms,
                                               const char *origin, dx_err *err);
/* A change of a source's clock, as its lines show it. */
typedef struct dx_clock_change {
    int64_t before_ms, after_ms; /* offsets */
    int64_t at_ms;               /* when, UTC */
    int64_t after_line;          /* up to it the clock is known to be the old one */
    int64_t until_line;          /* from it on it is known to be the new one; far away: never */
    int64_t step_line;           /* at which stamps step back; 0: it is not seen */
    int64_t step_from_ms;        /* local, of the line above that */
    int64_t late_line;           /* up to it lines of the old clock came late; 0: none did */
    int64_t from_local_ms, to_local_ms; /* only rows with stamps in [from, to) */
    int64_t known_from_ms, known_to_ms; /* the change is between these, UTC */
    bool sure;                          /* at_ms is no guess */
} dx_clock_change;
/* Places a source's events and scans by it, those from the line after_line on. *doubtful: rows that
 * may as well be of the other clock. */
DX_MUST_CHECK dx_status dx_casefile_change_clock(dx_casefile *c, int64_t source,
                                                 const dx_clock_change *change, uint64_t *doubtful,
                                                 dx_err *err);
/* What a source's row says of its time; its rows are left where they are. */
DX_MUST_CHECK dx_status dx_casefile_set_span(dx_casefile *c, int64_t source,
                                             const dx_source_facts *facts, dx_err *err);
/* Events and scans of a source with stamps in [from, to). */
DX_MUST_CHECK dx_status dx_casefile_stamped(dx_casefile *c, int64_t source, int64_t from_local_ms,
                                            int64_t to_local_ms, uint64_t *n, dx_err *err);
/* Places the events of a source that counts from a JVM's start (offset_origin "uptime"). */
DX_MUST_CHECK dx_status dx_casefile_set_start(dx_casefile *c, int64_t source, int64_t start_ms,
                                              const char *origin, dx_err *err);
/* Says whose a source and all that came from it are. */
DX_MUST_CHECK dx_status dx_casefile_set_server(dx_casefile *c, int64_t source, dx_slice server,
                                               dx_err *err);

/* Called all along a query, about every millisecond; true ends it with DX_E_LIMIT. NULL: none. */
void dx_casefile_on_progress(dx_casefile *c, bool (*stop)(void *arg), void *arg);
/* Until it is taken back another thread has the case for itself: that function, which is this
 * thread's, is not called. */
void dx_casefile_lend(dx_casefile *c, bool away);
/* Asks that function, for work between queries. */
bool dx_casefile_stopped(const dx_casefile *c);

/* Reading: any one SELECT. DX_E_USAGE: the SQL is wrong, would write, or looks outside of the case.
 * A cursor outlives its case as an ended one. */
typedef struct dx_cursor dx_cursor;
typedef enum dx_value_type { DX_V_NULL, DX_V_INT, DX_V_REAL, DX_V_TEXT, DX_V_BLOB } dx_value_type;
typedef struct dx_value {
    dx_value_type type;
    int64_t i;
    double d;
    dx_slice s; /* TEXT, BLOB: copied by bind; of a column borrowed until the next step */
} dx_value;
DX_MUST_CHECK dx_status dx_cursor_open(dx_cursor **out, dx_casefile *c, const char *sql,
                                       const dx_value *binds, size_t n, dx_err *err);
void dx_cursor_close(dx_cursor *cur);
DX_MUST_CHECK dx_status dx_cursor_next(dx_cursor *cur,
                                       dx_err *err); /* DX_ROW, DX_DONE or an error */
int dx_cursor_columns(const dx_cursor *cur);
const char *dx_cursor_name(const dx_cursor *cur, int column);
dx_value dx_cursor_value(const dx_cursor *cur, int column);

#endif

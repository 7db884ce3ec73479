/* dx_casefile.c - the SQLite connection of a case and its statements: the only place that knows
 * sqlite3.h. What is opened, written and read through them is in dx_casefile_*.c. */
#include "dx_casefile_int.h"
#include "dx_mem.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VALUE_BYTES (64 * 1024 * 1024) /* of one text, or of a row in the making */
#define MAX_TEXT        (1024 * 1024)      /* of a text from a source; a longer one is cut */
#define BUSY_MS         2000
#define CACHE_OF_WRITER "PRAGMA cache_size = -65536" /* KiB */
#define CACHE_LENT      "PRAGMA cache_size = -16384"
#define STOP_OPS        20000 /* SQLite's steps between two looks at the stop function: < 1 ms */

/* --- errors --- */

const char *dx_case_name(const dx_casefile *c) {
    return c->path == NULL ? "the case in memory" : c->path;
}

static dx_status status_of(int rc) {
    switch (rc & 0xff) {
    case SQLITE_NOMEM: return DX_E_NOMEM;
    case SQLITE_TOOBIG: return DX_E_LIMIT;
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN: return DX_E_IO;
    default: return DX_E_DB;
    }
}

DX_MUST_CHECK static dx_status fail_db(dx_casefile *c, dx_err *err) {
    int rc = sqlite3_extended_errcode(c->db);
    const char *name = dx_case_name(c), *said = sqlite3_errmsg(c->db);
    switch (rc & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return dx_fail(err, DX_E_DB, "%s: another process is writing to it; try again", name);
    case SQLITE_READONLY:
        return dx_fail(err, DX_E_USAGE, "%s: it can only be read (%s)", name, said);
    case SQLITE_AUTH:
        return dx_fail(err, DX_E_USAGE, "SQL: only one SELECT that reads can be run (%s)", said);
    case SQLITE_INTERRUPT: return dx_fail(err, DX_E_LIMIT, "SQL: the query was stopped");
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return dx_fail(err, DX_E_DB, "%s: damaged (%s); import its sources again", name, said);
    default: return dx_fail(err, status_of(rc), "%s: %s", name, said);
    }
}

dx_status dx_case_exec(dx_casefile *c, const char *sql, dx_err *err) {
    return sqlite3_exec(c->db, sql, NULL, NULL, NULL) == SQLITE_OK ? DX_OK : fail_db(c, err);
}

/* --- what a stranger's SQL may do --- */

static int authorize(void *arg, int action, const char *a, const char *b, const char *schema,
                     const char *inside) {
    const dx_casefile *c = arg;
    (void)schema, (void)inside;
    if (c->guard == 0)
        return SQLITE_OK;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION: return dx_str_eq(b, "load_extension") ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA: return dx_str_eq(a, "table_info") ? SQLITE_OK : SQLITE_DENY;
    default: return SQLITE_DENY;
    }
}

bool dx_casefile_stopped(const dx_casefile *c) {
    return c->stop != NULL && c->stop(c->stop_arg);
}

static int on_progress(void *arg) {
    return dx_casefile_stopped(arg);
}

static void ask_on_progress(dx_casefile *c, bool ask) {
    sqlite3_progress_handler(c->db, STOP_OPS, ask && c->stop != NULL ? on_progress : NULL, c);
}

/* A small cache has the writer write as it goes; what is left for the end, nobody scans beside. */
void dx_casefile_lend(dx_casefile *c, bool away) {
    ask_on_progress(c, !away);
    sqlite3_exec(c->db, away ? CACHE_LENT : CACHE_OF_WRITER, NULL, NULL, NULL);
}

void dx_casefile_on_progress(dx_casefile *c, bool (*stop)(void *arg), void *arg) {
    c->stop = stop;
    c->stop_arg = arg;
    ask_on_progress(c, true);
}

/* --- the connection --- */

/* A relative path gets "./", so that no name means something else to SQLite (":memory:",
 * "file:..."). */
static char *name_for_sqlite(const char *path) {
    if (path == NULL)
        return sqlite3_mprintf(":memory:");
    return sqlite3_mprintf("%s%s", path[0] == '/' ? "" : "./", path);
}

dx_status dx_case_connect(dx_casefile *c, bool write, dx_err *err) {
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
                | (write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
    char *name = name_for_sqlite(c->path);
    if (name == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory to open %s", dx_case_name(c));
    dx_case_disconnect(c);
    int rc = sqlite3_open_v2(name, &c->db, flags, NULL);
    sqlite3_free(name);
    if (c->db == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory to open %s", dx_case_name(c));
    if (rc != SQLITE_OK)
        return fail_db(c, err);
    sqlite3_busy_timeout(c->db, BUSY_MS);
    sqlite3_db_config(c->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(c->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(c->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_limit(c->db, SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES);
    sqlite3_limit(c->db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_set_authorizer(c->db, authorize, c);
    /* evidence stays out of /tmp; a file that is there keeps its pages */
    return dx_case_exec(c, "PRAGMA temp_store = MEMORY; PRAGMA page_size = 16384", err);
}

void dx_case_disconnect(dx_casefile *c) {
    for (size_t i = 0; i < c->nstmts; i++)
        sqlite3_finalize(c->stmts[i].st);
    c->nstmts = 0;
    sqlite3_close(c->db);
    c->db = NULL;
}

bool dx_case_cut_off(const dx_casefile *c) {
    return sqlite3_extended_errcode(c->db) == SQLITE_READONLY_ROLLBACK;
}

bool dx_case_in_transaction(const dx_casefile *c) {
    return !sqlite3_get_autocommit(c->db);
}

void dx_case_cache(dx_casefile *c) {
    sqlite3_exec(c->db, CACHE_OF_WRITER, NULL, NULL, NULL); /* no harm if it stays small */
}

/* A copy in memory must have the pages of its original. */
DX_MUST_CHECK static dx_status same_pages(dx_casefile *to, dx_casefile *from, dx_err *err) {
    char sql[48];
    int64_t bytes;
    dx_status st = dx_case_number(from, "PRAGMA page_size", NULL, 0, &bytes, err);
    snprintf(sql, sizeof sql, "PRAGMA page_size = %d", st == DX_OK ? (int)bytes : 0);
    return st == DX_OK ? dx_case_exec(to, sql, err) : st;
}

dx_status dx_case_copy(dx_casefile *to, dx_casefile *from, dx_err *err) {
    dx_status st = same_pages(to, from, err);
    if (st != DX_OK)
        return st;
    sqlite3_backup *copy = sqlite3_backup_init(to->db, "main", from->db, "main");
    if (copy == NULL)
        return fail_db(to, err);
    int rc = sqlite3_backup_step(copy, -1);
    if (sqlite3_backup_finish(copy) != SQLITE_OK)
        return fail_db(to, err);
    if (rc == SQLITE_DONE)
        return DX_OK;
    return dx_fail(err, DX_E_DB, "%s: it is being written to; try again", dx_case_name(from));
}

/* --- statements --- */

/* What was bound stays, until it is bound anew: to clear all of it each time takes longer. */
static void rewind_stmt(dx_stmt *s) {
    sqlite3_reset(s->st);
    if (s->before < s->bound)
        s->before = s->bound;
    s->bound = 0;
    s->failed = false;
}

dx_status dx_stmt_cached(dx_stmt **out, dx_casefile *c, const char *sql, dx_err *err) {
    for (size_t i = 0; i < c->nstmts; i++)
        if (c->stmts[i].sql == sql) {
            *out = &c->stmts[i];
            rewind_stmt(*out);
            return DX_OK;
        }
    if (c->nstmts == DX_CASE_STMTS)
        return dx_fail(err, DX_E_BUG, "more statements than DX_CASE_STMTS");
    dx_stmt *s = &c->stmts[c->nstmts];
    *s = (dx_stmt){.c = c, .sql = sql};
    if (sqlite3_prepare_v3(c->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s->st, NULL) != SQLITE_OK)
        return fail_db(c, err);
    c->nstmts++;
    *out = s;
    return DX_OK;
}

/* True when nothing but blanks and comments stands in sql. */
static bool nothing_in(dx_casefile *c, const char *sql) {
    sqlite3_stmt *more = NULL;
    int rc = sqlite3_prepare_v2(c->db, sql, -1, &more, NULL);
    bool nothing = rc == SQLITE_OK && more == NULL;
    sqlite3_finalize(more);
    return nothing;
}

DX_MUST_CHECK static dx_status prepare_guarded(dx_stmt *s, const char *sql, dx_err *err) {
    dx_casefile *c = s->c;
    const char *rest = NULL;
    if (sqlite3_prepare_v2(c->db, sql, -1, &s->st, &rest) != SQLITE_OK) {
        int rc = sqlite3_errcode(c->db) & 0xff;
        if (rc == SQLITE_ERROR || rc == SQLITE_TOOBIG)
            return dx_fail(err, DX_E_USAGE, "SQL: %s", sqlite3_errmsg(c->db));
        return fail_db(c, err);
    }
    if (s->st == NULL)
        return dx_fail(err, DX_E_USAGE, "SQL: there is no statement in it");
    if (!nothing_in(c, rest))
        return dx_fail(err, DX_E_USAGE, "SQL: only one statement can be run at a time");
    if (!sqlite3_stmt_readonly(s->st))
        return dx_fail(err, DX_E_USAGE, "SQL: only one SELECT that reads can be run");
    return DX_OK;
}

dx_status dx_stmt_guarded(dx_stmt **out, dx_casefile *c, const char *sql, dx_err *err) {
    dx_stmt *s = dx_calloc(1, sizeof *s);
    if (s == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory for a query");
    *s = (dx_stmt){.c = c, .guarded = true};
    c->guard++;
    dx_status st = prepare_guarded(s, sql, err);
    c->guard--;
    if (st == DX_OK)
        *out = s;
    else
        dx_stmt_free(s);
    return st;
}

void dx_stmt_free(dx_stmt *s) {
    if (s == NULL)
        return;
    sqlite3_finalize(s->st);
    free(s);
}

static void took(dx_stmt *s, int rc) {
    if (rc != SQLITE_OK)
        s->failed = true;
}

/* The parameter that comes next, for a value. */
static int next_param(dx_stmt *s) {
    int at = s->bound++;
    if (at < DX_CASE_PARAMS)
        s->values[at / 64] |= UINT64_C(1) << at % 64;
    return at + 1;
}

void dx_stmt_int(dx_stmt *s, int64_t v) {
    took(s, sqlite3_bind_int64(s->st, next_param(s), v));
}

static void bind_null(dx_stmt *s) {
    int at = s->bound++;
    uint64_t bit = UINT64_C(1) << at % 64;
    bool tracked = at < DX_CASE_PARAMS;
    if (tracked && (s->values[at / 64] & bit) == 0)
        return; /* as every parameter is in the beginning */
    if (tracked)
        s->values[at / 64] &= ~bit;
    took(s, sqlite3_bind_null(s->st, at + 1));
}

void dx_stmt_num(dx_stmt *s, int64_t v) {
    if (v == DX_UNKNOWN)
        bind_null(s);
    else
        dx_stmt_int(s, v);
}

int64_t dx_bits(uint64_t v) {
    int64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

void dx_stmt_u64(dx_stmt *s, uint64_t v) {
    dx_stmt_int(s, dx_bits(v));
}

void dx_stmt_hash(dx_stmt *s, uint64_t v) {
    if (v == 0)
        bind_null(s);
    else
        dx_stmt_u64(s, v);
}

void dx_stmt_id(dx_stmt *s, int64_t id) {
    dx_stmt_num(s, id == 0 ? DX_UNKNOWN : id);
}

void dx_stmt_tri(dx_stmt *s, dx_tri v) {
    dx_stmt_num(s, v == DX_TRI_UNKNOWN ? DX_UNKNOWN : v == DX_YES);
}

void dx_stmt_real(dx_stmt *s, double v) {
    if (isnan(v))
        bind_null(s);
    else
        took(s, sqlite3_bind_double(s->st, next_param(s), v));
}

static void bind_text(dx_stmt *s, const char *p, size_t n) {
    int cut = n > MAX_TEXT ? MAX_TEXT : (int)n;
    took(s, sqlite3_bind_text(s->st, next_param(s), p, cut, SQLITE_STATIC));
}

void dx_stmt_text(dx_stmt *s, dx_slice v) {
    if (v.n == 0)
        bind_null(s);
    else
        bind_text(s, v.p, v.n);
}

void dx_stmt_string(dx_stmt *s, const char *v) {
    if (v == NULL)
        bind_null(s);
    else
        bind_text(s, v, strlen(v));
}

void dx_stmt_value(dx_stmt *s, const dx_value *v) {
    const char *p = v->s.p == NULL ? "" : v->s.p;
    switch (v->type) {
    case DX_V_NULL: bind_null(s); break;
    case DX_V_INT: dx_stmt_int(s, v->i); break;
    case DX_V_REAL: took(s, sqlite3_bind_double(s->st, next_param(s), v->d)); break;
    case DX_V_TEXT:
        took(s,
             sqlite3_bind_text64(s->st, next_param(s), p, v->s.n, SQLITE_TRANSIENT, SQLITE_UTF8));
        break;
    case DX_V_BLOB:
        took(s, sqlite3_bind_blob64(s->st, next_param(s), p, v->s.n, SQLITE_TRANSIENT));
        break;
    }
}

dx_status dx_stmt_all_bound(dx_stmt *s, dx_err *err) {
    int n = sqlite3_bind_parameter_count(s->st), bound = s->bound;
    if (s->guarded && bound != n)
        return dx_fail(err, DX_E_USAGE, "SQL: it has %d parameters, %d were given", n, bound);
    if (!s->failed)
        return DX_OK;
    rewind_stmt(s);
    return dx_fail(err, DX_E_LIMIT, "%s: a value is too large for a case", dx_case_name(s->c));
}

dx_status dx_stmt_step(dx_stmt *s, dx_err *err) {
    while (s->bound < s->before)
        bind_null(s);
    dx_status st = s->failed ? dx_stmt_all_bound(s, err) : DX_OK;
    if (st != DX_OK)
        return st;
    s->c->guard += s->guarded;
    int rc = sqlite3_step(s->st);
    s->c->guard -= s->guarded;
    if (rc == SQLITE_ROW)
        return DX_ROW;
    st = rc == SQLITE_DONE ? DX_DONE : fail_db(s->c, err);
    rewind_stmt(s);
    return st;
}

dx_status dx_stmt_run(dx_stmt *s, dx_err *err) {
    dx_status st;
    while ((st = dx_stmt_step(s, err)) == DX_ROW)
        continue;
    return st == DX_DONE ? DX_OK : st;
}

dx_status dx_stmt_one(dx_stmt *s, int64_t *v, bool *found, dx_err *err) {
    dx_status st = dx_stmt_step(s, err);
    *found = st == DX_ROW && sqlite3_column_type(s->st, 0) != SQLITE_NULL;
    if (*found)
        *v = sqlite3_column_int64(s->st, 0);
    if (st == DX_ROW)
        rewind_stmt(s);
    return st == DX_ROW || st == DX_DONE ? DX_OK : st;
}

static dx_status bind_numbers(dx_stmt **s, dx_casefile *c, const char *sql, const int64_t *v,
                              size_t n, dx_err *err) {
    dx_status st = dx_stmt_cached(s, c, sql, err);
    for (size_t i = 0; st == DX_OK && i < n; i++)
        dx_stmt_int(*s, v[i]);
    return st;
}

dx_status dx_case_run(dx_casefile *c, const char *sql, const int64_t *v, size_t n, dx_err *err) {
    dx_stmt *s;
    dx_status st = bind_numbers(&s, c, sql, v, n, err);
    return st == DX_OK ? dx_stmt_run(s, err) : st;
}

dx_status dx_case_number(dx_casefile *c, const char *sql, const int64_t *v, size_t n, int64_t *out,
                         dx_err *err) {
    bool found;
    dx_stmt *s;
    *out = 0;
    dx_status st = bind_numbers(&s, c, sql, v, n, err);
    return st == DX_OK ? dx_stmt_one(s, out, &found, err) : st;
}

int dx_stmt_columns(const dx_stmt *s) {
    return sqlite3_column_count(s->st);
}

const char *dx_stmt_name(const dx_stmt *s, int column) {
    const char *name = sqlite3_column_name(s->st, column);
    return name == NULL ? "" : name;
}

dx_value dx_stmt_column(const dx_stmt *s, int column) {
    dx_value v = {.type = DX_V_NULL};
    switch (sqlite3_column_type(s->st, column)) {
    case SQLITE_INTEGER:
        v.type = DX_V_INT;
        v.i = sqlite3_column_int64(s->st, column);
        break;
    case SQLITE_FLOAT:
        v.type = DX_V_REAL;
        v.d = sqlite3_column_double(s->st, column);
        break;
    case SQLITE_TEXT:
    case SQLITE_BLOB:
        v.type = sqlite3_column_type(s->st, column) == SQLITE_TEXT ? DX_V_TEXT : DX_V_BLOB;
        v.s.p = sqlite3_column_blob(s->st, column);
        v.s.n = (size_t)sqlite3_column_bytes(s->st, column);
        break;
    default: break;
    }
    return v;
}

int64_t dx_case_last_id(const dx_casefile *c) {
    return sqlite3_last_insert_rowid(c->db);
}

int64_t dx_case_changes(const dx_casefile *c) {
    return sqlite3_changes(c->db);
}

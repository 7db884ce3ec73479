/* dx_casefile_open.c - opening a case and being sure that it is one; transactions; copies. */
#define _GNU_SOURCE /* O_CLOEXEC, strdup */
#include "dx_casefile_int.h"
#include "dx_mem.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION_ID 1751278712 /* "hbdx" */

/* --- whose file is it? --- */

/* The tables, whose they are and the schema's number, in one transaction. */
DX_MUST_CHECK static dx_status make_schema(dx_casefile *c, dx_err *err) {
    dx_buf sql;
    dx_buf_init(&sql, 0);
    dx_buf_addf(&sql, "BEGIN IMMEDIATE; %s PRAGMA application_id = %d; PRAGMA user_version = %d;",
                dx_casefile_schema(), APPLICATION_ID, DX_CASE_SCHEMA_VERSION);
    dx_buf_addf(&sql, "INSERT INTO meta VALUES('schema_version', '%d'); COMMIT;",
                DX_CASE_SCHEMA_VERSION);
    dx_status st = dx_buf_ok(&sql) ? dx_case_exec(c, sql.p, err)
                                   : dx_fail(err, DX_E_NOMEM, "no memory for a case");
    dx_buf_done(&sql);
    return st;
}

/* Every object of our schema is in c just as we make it. What else is there is not ours to judge,
 * but for triggers, which would act when we write. */
DX_MUST_CHECK static dx_status check_objects(dx_casefile *c, dx_casefile *model, dx_err *err) {
    static const char ours[] = "SELECT type || ' ' || name, sql FROM sqlite_schema "
                               "WHERE sql IS NOT NULL";
    static const char same[] = "SELECT 1 FROM sqlite_schema WHERE type || ' ' || name = ? "
                               "AND sql = ?";
    static const char triggers[] = "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'";
    dx_stmt *list, *look;
    int64_t n;
    dx_status st = dx_case_number(c, triggers, NULL, 0, &n, err);
    if (st == DX_OK && n > 0)
        return dx_fail(err, DX_E_DB, "%s: it has triggers, which no case has; not opened", c->path);
    if (st == DX_OK)
        st = dx_stmt_cached(&list, model, ours, err);
    if (st == DX_OK)
        st = dx_stmt_cached(&look, c, same, err);
    if (st != DX_OK)
        return st;
    while ((st = dx_stmt_step(list, err)) == DX_ROW) {
        bool found = false;
        dx_slice object = dx_stmt_column(list, 0).s;
        dx_stmt_text(look, object);
        dx_stmt_text(look, dx_stmt_column(list, 1).s);
        if ((st = dx_stmt_one(look, &n, &found, err)) != DX_OK)
            return st;
        if (!found)
            return dx_fail(err, DX_E_DB, "%s: its %.*s is not that of schema %d; import again",
                           c->path, (int)object.n, object.p, DX_CASE_SCHEMA_VERSION);
    }
    return st == DX_DONE ? DX_OK : st;
}

DX_MUST_CHECK static dx_status check_schema(dx_casefile *c, dx_err *err) {
    dx_casefile *model;
    dx_status st = dx_casefile_open(&model, NULL, true, err);
    if (st != DX_OK)
        return st;
    st = check_objects(c, model, err);
    dx_casefile_close(model);
    return st;
}

/* Is the opened file a case that we can read? An empty one becomes a case when it may. */
DX_MUST_CHECK static dx_status check_identity(dx_casefile *c, dx_err *err) {
    int64_t owner, version = 0, objects = 0;
    dx_status st = dx_case_number(c, "PRAGMA application_id", NULL, 0, &owner, err);
    if (st == DX_OK)
        st = dx_case_number(c, "PRAGMA user_version", NULL, 0, &version, err);
    if (st == DX_OK)
        st = dx_case_number(c, "SELECT count(*) FROM sqlite_schema", NULL, 0, &objects, err);
    if (st != DX_OK)
        return st;
    if (objects == 0 && owner == 0 && version == 0) {
        if (!c->readonly)
            return make_schema(c, err);
        return dx_fail(err, DX_E_DB, "%s: it is empty (was an import into it cut off?)", c->path);
    }
    if (owner != APPLICATION_ID)
        return dx_fail(err, DX_E_DB, "%s: an SQLite file, but not a case of hbdx", c->path);
    if (version != DX_CASE_SCHEMA_VERSION)
        return dx_fail(err, DX_E_DB, "%s: of schema %" PRId64 ", this hbdx knows %d: %s", c->path,
                       version, DX_CASE_SCHEMA_VERSION,
                       version > DX_CASE_SCHEMA_VERSION ? "take a newer hbdx" : "import again");
    return check_schema(c, err);
}

/* --- files --- */

/* Looks at the file as a file first: SQLite's own words for these mistakes are dark. */
DX_MUST_CHECK static dx_status check_file(const char *path, bool may_be_empty, dx_err *err) {
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    struct stat info;
    dx_status st = DX_OK;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return dx_fail(err, DX_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
    bool regular = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    ssize_t n = regular ? read(fd, head, sizeof head) : -1;
    if (!regular)
        st = dx_fail(err, DX_E_IO, "%s: not a regular file", path);
    else if (n < 0)
        st = dx_fail(err, DX_E_IO, "%s: cannot be read: %s", path, strerror(errno));
    else if (n == 0 && !may_be_empty)
        st = dx_fail(err, DX_E_DB, "%s: it is empty", path);
    else if (n > 0 && (n < (ssize_t)sizeof head || memcmp(head, magic, sizeof head) != 0))
        st = dx_fail(err, DX_E_DB, "%s: not a case: it is no SQLite file", path);
    close(fd);
    return st;
}

/* Makes a file that only we may read, whatever the umask. *there: something has the name. */
DX_MUST_CHECK static dx_status create_file(const char *path, bool *there, dx_err *err) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    *there = fd < 0 && errno == EEXIST;
    if (fd < 0)
        return dx_fail(err, DX_E_IO, "%s: cannot be created: %s", path, strerror(errno));
    close(fd);
    return DX_OK;
}

/* --- opening --- */

/* An import that was killed leaves a journal, which a writer has to play back before anyone reads.
 */
DX_MUST_CHECK static dx_status open_for_reading(dx_casefile *c, dx_err *err) {
    static const char touch[] = "SELECT 1 FROM sqlite_schema";
    dx_err why;
    dx_status st = dx_case_connect(c, false, err);
    if (st != DX_OK || (st = dx_case_exec(c, touch, err)) == DX_OK || !dx_case_cut_off(c))
        return st;
    st = dx_case_connect(c, true, &why);
    if (st == DX_OK)
        st = dx_case_exec(c, touch, &why);
    if (st != DX_OK)
        return dx_fail(err, DX_E_IO, "%s: a write to it was cut off; undoing that failed: %s",
                       c->path, why.msg);
    return dx_case_connect(c, false, err);
}

/* Whether a case can be written to, before a long import begins: what its file or folder forbids
 * shows at the first page that is written. */
DX_MUST_CHECK static dx_status try_to_write(dx_casefile *c, dx_err *err) {
    char sql[96];
    snprintf(sql, sizeof sql, "BEGIN IMMEDIATE; PRAGMA user_version = %d; ROLLBACK",
             DX_CASE_SCHEMA_VERSION);
    dx_status st = dx_case_exec(c, sql, err);
    if (st != DX_E_USAGE)
        return st;
    return dx_fail(err, DX_E_IO, "%s: cannot be written to: the file or its folder is read-only",
                   c->path);
}

/* A new file holds nothing that could not be imported again, so its writes are not forced to the
 * disk one by one; what was there before is worth the time. Either way a process that is killed
 * leaves a journal, by which the unfinished batch is undone. */
DX_MUST_CHECK static dx_status open_for_writing(dx_casefile *c, dx_err *err) {
    bool there;
    dx_status st = create_file(c->path, &there, err);
    if (there)
        st = check_file(c->path, true, err);
    if (st == DX_OK)
        st = dx_case_connect(c, true, err);
    if (st == DX_OK)
        st = dx_case_exec(c, there ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = OFF",
                          err);
    if (st == DX_OK)
        st = dx_case_exec(c, "PRAGMA journal_mode = DELETE", err);
    if (st == DX_OK)
        dx_case_cache(c);
    if (st == DX_OK)
        st = check_identity(c, err);
    return st == DX_OK && there ? try_to_write(c, err) : st;
}

DX_MUST_CHECK static dx_status open_in(dx_casefile *c, bool create, dx_err *err) {
    dx_status st;
    if (c->path == NULL) {
        st = dx_case_connect(c, true, err);
        return st == DX_OK ? make_schema(c, err) : st;
    }
    if (create)
        return open_for_writing(c, err);
    c->readonly = true;
    st = check_file(c->path, false, err);
    if (st == DX_OK)
        st = open_for_reading(c, err);
    return st == DX_OK ? check_identity(c, err) : st;
}

/* A case that is not connected yet. */
DX_MUST_CHECK static dx_status new_case(dx_casefile **out, const char *path, dx_err *err) {
    dx_casefile *c = dx_calloc(1, sizeof *c);
    if (c == NULL || (path != NULL && (c->path = strdup(path)) == NULL)) {
        free(c);
        return dx_fail(err, DX_E_NOMEM, "no memory for a case");
    }
    *out = c;
    return DX_OK;
}

/* Table-valued functions come to be at their first use, by a "CREATE TABLE" that a stranger's query
 * is not allowed; so they are used here first. */
DX_MUST_CHECK static dx_status wake_functions(dx_casefile *c, dx_err *err) {
    return dx_case_exec(
        c, "SELECT 1 FROM json_each('[]'), json_tree('[]'), pragma_table_info('meta')", err);
}

dx_status dx_casefile_open(dx_casefile **out, const char *path, bool create, dx_err *err) {
    dx_casefile *c = NULL;
    if (path == NULL ? !create : path[0] == '\0')
        return dx_fail(err, DX_E_USAGE, "a case is opened by the name of its file");
    dx_status st = new_case(&c, path, err);
    if (st == DX_OK)
        st = open_in(c, create, err);
    if (st == DX_OK)
        st = wake_functions(c, err);
    if (st == DX_OK)
        *out = c;
    else
        dx_casefile_close(c);
    return st;
}

/* All that is cached of the content. */
static void forget(dx_casefile *c) {
    dx_map_free(c->series);
    dx_map_free(c->regions);
    dx_map_free(c->again);
    dx_set_done(&c->seen);
    dx_case_forget_events(c);
    dx_case_forget_lists(c);
    c->series = c->regions = c->again = NULL;
    c->source = 0;
    c->nmerged = 0;
    c->repeats = false;
}

void dx_casefile_close(dx_casefile *c) {
    if (c == NULL)
        return;
    while (c->cursors != NULL)
        dx_cursor_orphan(c->cursors);
    dx_case_disconnect(c);
    forget(c);
    dx_set_done(&c->known_calls.set);
    dx_set_done(&c->known_events.set);
    free(c->merged);
    free(c->path);
    free(c);
}

/* --- transactions --- */

dx_status dx_casefile_begin(dx_casefile *c, dx_err *err) {
    if (c->batch)
        return dx_fail(err, DX_E_USAGE, "%s: a batch is open already", dx_case_name(c));
    if (c->readonly)
        return dx_fail(err, DX_E_USAGE, "%s: it was opened for reading only", dx_case_name(c));
    dx_status st = dx_case_exec(c, "BEGIN IMMEDIATE", err);
    c->batch = st == DX_OK;
    c->committed_calls = c->known_calls.next;
    c->committed_events = c->known_events.next;
    c->known_calls.looked = c->known_events.looked = false; /* others may have made an index */
    return st;
}

dx_status dx_casefile_commit(dx_casefile *c, dx_err *err) {
    if (!c->batch)
        return dx_fail(err, DX_E_USAGE, "%s: no batch is open", dx_case_name(c));
    dx_status st = dx_case_flush(c, err);
    if (st == DX_OK)
        st = dx_case_exec(c, "COMMIT", err);
    c->batch = st != DX_OK;
    return st;
}

void dx_casefile_rollback(dx_casefile *c) {
    dx_err unused;
    if (c->batch && dx_case_in_transaction(c) && dx_case_exec(c, "ROLLBACK", &unused) != DX_OK)
        c->readonly = true; /* nothing half may ever be committed */
    c->batch = false;
    forget(c);
    /* what the sets have too much does no harm */
    if (c->known_calls.next > c->committed_calls)
        c->known_calls.next = c->committed_calls;
    if (c->known_events.next > c->committed_events)
        c->known_events.next = c->committed_events;
}

/* --- copies --- */

/* path NULL: in memory; else a file that exists and is empty. *out may be set on an error too. */
DX_MUST_CHECK static dx_status copy_to(dx_casefile **out, dx_casefile *c, const char *path,
                                       dx_err *err) {
    dx_status st = new_case(out, path, err);
    if (st == DX_OK)
        st = dx_case_connect(*out, true, err);
    return st == DX_OK ? dx_case_copy(*out, c, err) : st;
}

dx_status dx_casefile_copy(dx_casefile **out, dx_casefile *c, dx_err *err) {
    dx_casefile *to = NULL;
    if (c->batch)
        return dx_fail(err, DX_E_USAGE, "%s: cannot be copied amid a batch", dx_case_name(c));
    dx_status st = copy_to(&to, c, NULL, err);
    if (st == DX_OK)
        st = wake_functions(to, err);
    if (st == DX_OK)
        *out = to;
    else
        dx_casefile_close(to);
    return st;
}

dx_status dx_casefile_save(dx_casefile *c, const char *path, dx_err *err) {
    bool there;
    dx_casefile *to = NULL;
    if (c->batch)
        return dx_fail(err, DX_E_USAGE, "%s: cannot be saved amid a batch", dx_case_name(c));
    dx_status st = create_file(path, &there, err);
    if (st != DX_OK)
        return st;
    st = copy_to(&to, c, path, err);
    dx_casefile_close(to);
    if (st != DX_OK)
        unlink(path);
    return st;
}

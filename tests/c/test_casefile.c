/* The file under a case: what is opened, what is refused, what strangers' SQL may do, saving. */
#define _GNU_SOURCE
#include "casefile_help.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Only here, to make what no case has; sqlite3.h is dx_casefile.c's alone. */
struct sqlite3;
int sqlite3_open(const char *name, struct sqlite3 **db);
int sqlite3_exec(struct sqlite3 *db, const char *sql, void *callback, void *arg, char **message);
int sqlite3_close(struct sqlite3 *db);

static char folder[320];

static const char *path_of(const char *name) {
    static char path[8][sizeof folder + 64];
    static int turn;
    char *p = path[turn++ % 8];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

static void write_file(const char *name, const char *bytes, size_t n) {
    FILE *f = fopen(path_of(name), "wb");
    if (f == NULL || fwrite(bytes, 1, n, f) != n)
        printf("Bail out! cannot write %s\n", name);
    if (f != NULL)
        fclose(f);
}

/* Opening must fail with that status and a message that says why. */
static void refuses(const char *name, bool create, dx_status want, const char *word) {
    dx_casefile *c = NULL;
    dx_err err = {0};
    dx_status st = dx_casefile_open(&c, path_of(name), create, &err);
    ok(st == want && strstr(err.msg, word) != NULL, "%s is refused: %s", name, err.msg);
    if (st == DX_OK)
        dx_casefile_close(c);
}

static dx_casefile *must_open(const char *name, bool create) {
    dx_casefile *c = NULL;
    dx_err err = {0};
    ok(dx_casefile_open(&c, path_of(name), create, &err) == DX_OK, "%s opens %s", name, err.msg);
    if (c == NULL)
        exit(1);
    return c;
}

static void test_new_file(void) {
    struct stat info;
    dx_err err;
    mode_t old = umask(0);
    dx_casefile *c = must_open("new.case", true);
    umask(old);
    ok(stat(path_of("new.case"), &info) == 0 && (info.st_mode & 0777) == 0600,
       "a new case is readable by its owner only");
    is_number(c, "SELECT value + 0 FROM meta WHERE key = 'schema_version'", DX_CASE_SCHEMA_VERSION,
              "it knows its schema");
    new_source(c, "a.log", "log");
    dx_casefile_close(c);
    c = must_open("new.case", false);
    is_number(c, "SELECT count(*) FROM source", 1, "what was written is there again");
    ok(dx_casefile_begin(c, &err) == DX_E_USAGE, "a case that was opened for reading: %s", err.msg);
    int64_t id;
    ok(dx_casefile_add_source(c, "b", "log", &id, &err) == DX_E_USAGE, "no writing: %s", err.msg);
    dx_casefile_close(c);
    c = must_open("new.case", true);
    new_source(c, "b.log", "log");
    dx_casefile_close(c);
    c = must_open("new.case", false);
    is_number(c, "SELECT count(*) FROM source", 2, "an existing case can be added to");
    dx_casefile_close(c);
}

static void test_refusals(void) {
    refuses("none.case", false, DX_E_IO, "No such file");
    refuses("none/x.case", true, DX_E_IO, "cannot be created");
    write_file("empty.case", "", 0);
    refuses("empty.case", false, DX_E_DB, "empty");
    write_file("log.case", "2026-11-30 21:48:55,123 INFO", 28);
    refuses("log.case", false, DX_E_DB, "no SQLite file");
    refuses("log.case", true, DX_E_DB, "no SQLite file");
    refuses(".", false, DX_E_IO, "not a regular file");
    char garbage[4096] = "SQLite format 3";
    memset(garbage + 16, 0x5a, sizeof garbage - 16);
    write_file("garbage.case", garbage, sizeof garbage);
    refuses("garbage.case", false, DX_E_DB, "garbage.case");
    dx_casefile *c = NULL;
    dx_err err;
    ok(dx_casefile_open(&c, "", true, &err) == DX_E_USAGE, "no name: %s", err.msg);
    ok(dx_casefile_open(&c, NULL, false, &err) == DX_E_USAGE, "no name to read: %s", err.msg);
}

static void test_empty_becomes_case(void) {
    write_file("touched.case", "", 0);
    dx_casefile *c = must_open("touched.case", true);
    is_number(c, "SELECT count(*) FROM call", 0, "an empty file becomes a case when written to");
    dx_casefile_close(c);
}

/* What another program does to a case. */
static void change(const char *name, const char *sql) {
    struct sqlite3 *db = NULL;
    ok(sqlite3_open(path_of(name), &db) == 0 && sqlite3_exec(db, sql, NULL, NULL, NULL) == 0,
       "changed by %s", sql);
    sqlite3_close(db);
}

static void test_changed(void) {
    dx_casefile_close(must_open("changed.case", true));
    change("changed.case", "CREATE VIEW mine AS SELECT count(*) AS n FROM call");
    dx_casefile *c = must_open("changed.case", true);
    is_number(c, "SELECT n FROM mine", 0, "a view of the user's own does no harm");
    dx_casefile_close(c);
    change("changed.case", "CREATE TRIGGER t AFTER INSERT ON source BEGIN DELETE FROM source; END");
    refuses("changed.case", true, DX_E_DB, "triggers");
    refuses("changed.case", false, DX_E_DB, "triggers");
    dx_casefile_close(must_open("dropped.case", true));
    change("dropped.case", "DROP TABLE scan");
    refuses("dropped.case", true, DX_E_DB, "scan");
    dx_casefile_close(must_open("view.case", true));
    change("view.case", "DROP TABLE meta; CREATE VIEW meta AS SELECT 1 AS key, 2 AS value");
    refuses("view.case", false, DX_E_DB, "table meta");
}

/* Bytes 60..63 of the file are user_version, 68..71 application_id. */
static void patch(const char *name, long at, unsigned char value) {
    FILE *f = fopen(path_of(name), "r+b");
    if (f == NULL)
        return;
    fseek(f, at, SEEK_SET);
    fputc(value, f);
    fclose(f);
}

static void test_strangers(void) {
    dx_casefile_close(must_open("newer.case", true));
    patch("newer.case", 63, 99);
    refuses("newer.case", false, DX_E_DB, "schema 99");
    refuses("newer.case", true, DX_E_DB, "newer hbdx");
    dx_casefile_close(must_open("foreign.case", true));
    patch("foreign.case", 71, 1);
    refuses("foreign.case", false, DX_E_DB, "not a case of hbdx");
    /* a table renamed in the schema page: the text is changed in place */
    dx_casefile_close(must_open("bent.case", true));
    FILE *f = fopen(path_of("bent.case"), "r+b");
    static char page[1 << 20];
    size_t n = f == NULL ? 0 : fread(page, 1, sizeof page, f);
    char *hit = memmem(page, n, "value TEXT", 10);
    ok(hit != NULL, "the schema's text is in the file");
    if (hit != NULL) {
        fseek(f, hit - page, SEEK_SET);
        fputs("valve", f);
    }
    if (f != NULL)
        fclose(f);
    refuses("bent.case", false, DX_E_DB, "not that of schema");
}

static void test_readonly_sql(void) {
    static const char *const bad[] = {
        "DELETE FROM source",
        "INSERT INTO meta VALUES('a', 'b')",
        "UPDATE source SET name = ''",
        "DROP TABLE call",
        "CREATE TEMP TABLE x(a)",
        "CREATE VIEW x AS SELECT 1",
        "ATTACH ':memory:' AS other",
        "DETACH main",
        "PRAGMA user_version = 7",
        "PRAGMA journal_mode = WAL",
        "PRAGMA writable_schema = 1",
        "BEGIN",
        "COMMIT",
        "SAVEPOINT a",
        "VACUUM",
        "VACUUM INTO 'x'",
        "REINDEX",
        "ANALYZE",
        "SELECT load_extension('x')",
        "SELECT 1; DELETE FROM source",
        "SELECT 1; SELECT 2",
        "SELECT * FROM pragma_user_version(7)",
        "EXPLAIN DELETE FROM source",
        "WITH x AS (SELECT 1) DELETE FROM source",
        "INSERT INTO meta VALUES('c', 'd') RETURNING key",
        "",
        " -- nothing",
        "SELEKT 1",
        "SELECT nope FROM call",
        "SELECT \"nope\" FROM call",
        "SELECT ?",
    };
    dx_casefile *c = fresh();
    new_source(c, "a.log", "log");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dx_cursor *cur = NULL;
        dx_err err = {0};
        dx_status st = dx_cursor_open(&cur, c, bad[i], NULL, 0, &err);
        if (st == DX_OK)
            st = dx_cursor_next(cur, &err);
        ok(st == DX_E_USAGE, "refused: \"%s\": %s", bad[i], err.msg);
        dx_cursor_close(cur);
    }
    is_number(c, "SELECT count(*) FROM source", 1, "nothing was changed");
    is_number(c, "SELECT 1; -- a remark ", 1, "a remark behind the statement is fine");
    is_number(c,
              "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9) "
              "SELECT sum(i) FROM n",
              45, "recursion may read");
    is_number(c, "SELECT count(*) FROM pragma_table_info('skipped')", 5, "columns may be listed");
    is_number(c, "SELECT sum(value) FROM json_each('[20, 22]')", 42, "JSON may be taken apart");
    ok(number_in(c, "EXPLAIN QUERY PLAN SELECT * FROM call") != FAILED, "a plan may be seen");
    int64_t id;
    dx_err err;
    ok(dx_casefile_add_source(c, "b.log", "log", &id, &err) == DX_OK, "the case itself may write");
    dx_casefile_close(c);
}

static bool stop_now(void *arg) {
    return ++*(int *)arg > 3;
}

static void test_stop(void) {
    static const char endless[] = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                                  "SELECT count(*) FROM n";
    dx_casefile *c = fresh();
    dx_cursor *cur = NULL;
    dx_err err = {0};
    int looks = 0;
    dx_casefile_on_progress(c, stop_now, &looks);
    ok(dx_cursor_open(&cur, c, endless, NULL, 0, &err) == DX_OK, "an endless query is compiled");
    ok(dx_cursor_next(cur, &err) == DX_E_LIMIT && looks > 3, "and stopped: %s", err.msg);
    ok(dx_cursor_next(cur, &err) == DX_DONE, "it has ended");
    dx_cursor_close(cur);
    dx_casefile_on_progress(c, NULL, NULL);
    is_number(c, "SELECT 5", 5, "the case still answers");
    dx_casefile_close(c);
}

static void test_values(void) {
    const dx_value binds[] = {{.type = DX_V_INT, .i = INT64_MAX},
                              {.type = DX_V_REAL, .d = 0.5},
                              {.type = DX_V_TEXT, .s = {"a\0b", 3}},
                              {.type = DX_V_BLOB, .s = {"\xff", 1}},
                              {.type = DX_V_NULL}};
    dx_casefile *c = fresh();
    dx_cursor *cur = NULL;
    dx_err err = {0};
    ok(dx_cursor_open(&cur, c, "SELECT ? AS big, ?, ?, ?, ?", binds, 5, &err) == DX_OK, "binds");
    ok(dx_cursor_next(cur, &err) == DX_ROW, "one row");
    is_int(dx_cursor_columns(cur), 5, "five columns");
    is_str(dx_cursor_name(cur, 0), "big", "their names");
    is_int(dx_cursor_value(cur, 0).i, INT64_MAX, "64 bits come back exactly");
    is_real(dx_cursor_value(cur, 1).d, 0.5, 0, "a real");
    is_int(dx_cursor_value(cur, 2).s.n, 3, "a text with a NUL in it");
    ok(dx_cursor_value(cur, 3).type == DX_V_BLOB, "a blob");
    ok(dx_cursor_value(cur, 4).type == DX_V_NULL, "NULL");
    ok(dx_cursor_next(cur, &err) == DX_DONE && dx_cursor_next(cur, &err) == DX_DONE, "and an end");
    dx_cursor_close(cur);
    ok(dx_cursor_open(&cur, c, "SELECT ?", binds, 2, &err) == DX_E_USAGE, "too many: %s", err.msg);
    dx_casefile_close(c);
}

static void test_close_order(void) {
    dx_casefile *c = fresh();
    dx_cursor *a = NULL, *b = NULL;
    dx_err err = {0};
    ok(dx_cursor_open(&a, c, "SELECT 1 UNION SELECT 2", NULL, 0, &err) == DX_OK, "first cursor");
    ok(dx_cursor_open(&b, c, "SELECT 3", NULL, 0, &err) == DX_OK, "second cursor");
    ok(dx_cursor_next(a, &err) == DX_ROW, "it runs");
    dx_casefile_close(c);
    ok(dx_cursor_next(a, &err) == DX_E_USAGE, "its case is gone: %s", err.msg);
    is_int(dx_cursor_columns(a), 0, "no columns any more");
    dx_cursor_close(a);
    dx_cursor_close(b);
}

static void test_batches(void) {
    dx_casefile *c = fresh();
    dx_err err;
    int64_t id;
    ok(dx_casefile_commit(c, &err) == DX_E_USAGE, "no batch to commit: %s", err.msg);
    ok(dx_casefile_begin(c, &err) == DX_OK && dx_casefile_begin(c, &err) == DX_E_USAGE,
       "one batch at a time: %s", err.msg);
    ok(dx_casefile_add_source(c, "a", "log", &id, &err) == DX_OK, "a source in it");
    dx_casefile_rollback(c);
    is_number(c, "SELECT count(*) FROM source", 0, "rolled back");
    dx_casefile_rollback(c);
    ok(dx_casefile_begin(c, &err) == DX_OK, "another batch");
    ok(dx_casefile_save(c, path_of("amid.case"), &err) == DX_E_USAGE, "no saving: %s", err.msg);
    ok(dx_casefile_commit(c, &err) == DX_OK, "committed");
    dx_casefile_close(c);
}

static void test_save(void) {
    struct stat info;
    dx_err err = {0};
    dx_casefile *c = fresh();
    new_source(c, "a.log", "log");
    ok(dx_casefile_save(c, path_of("saved.case"), &err) == DX_OK, "saved %s", err.msg);
    ok(dx_casefile_save(c, path_of("saved.case"), &err) == DX_E_IO, "not over another: %s",
       err.msg);
    ok(dx_casefile_save(c, path_of("no/saved.case"), &err) == DX_E_IO, "nowhere: %s", err.msg);
    dx_casefile_close(c);
    ok(stat(path_of("saved.case"), &info) == 0 && (info.st_mode & 0777) == 0600,
       "the copy is readable by its owner only");
    c = must_open("saved.case", false);
    is_number(c, "SELECT count(*) FROM source", 1, "the copy is whole");
    dx_casefile_close(c);
}

/* A process that dies amid a batch leaves the case as it was before. */
static void test_killed(void) {
    dx_casefile *c = must_open("killed.case", true);
    new_source(c, "a.log", "log");
    dx_casefile_close(c);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dx_err err;
        int64_t id;
        if (dx_casefile_open(&c, path_of("killed.case"), true, &err) != DX_OK
            || dx_casefile_begin(c, &err) != DX_OK)
            _exit(1);
        for (int i = 0; i < 200000; i++) /* more than the cache holds: pages reach the file */
            if (dx_casefile_add_source(c,
                                       "a rather long name so that the pages of the file fill up"
                                       " soon, and SQLite has to write them out early; it has "
                                       "to be longer than the sixty-four megabytes of cache, and"
                                       " so it goes on for a while with nothing to say at all, "
                                       "then comes to its end, a good deal later than it should"
                                       " have, but not late enough for those who count bytes.",
                                       "log", &id, &err)
                != DX_OK)
                _exit(2);
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ok(WIFSIGNALED(status), "the writer was killed");
    ok(access(path_of("killed.case-journal"), F_OK) == 0, "and left its journal");
    c = must_open("killed.case", false);
    is_number(c, "SELECT count(*) FROM source", 1, "its batch is undone");
    dx_casefile_close(c);
}

/* As somebody who may not write: root may always, so a child becomes nobody. 0: the file is refused
 * for that, 1: it is not, 2: this cannot be tried. */
static int opened_by_nobody(const char *name) {
    dx_casefile *c;
    dx_err err;
    pid_t child = fork();
    if (child == 0) {
        if ((geteuid() == 0 && setuid(65534) != 0) || access(path_of(name), R_OK) != 0)
            _exit(2);
        if (dx_casefile_open(&c, path_of(name), true, &err) == DX_E_IO
            && strstr(err.msg, "cannot be written to") != NULL)
            _exit(0);
        _exit(1);
    }
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* Said when it is opened, and not for each thing that is to be written. */
static void test_no_writing(void) {
    static const struct {
        mode_t folder, file;
        const char *what;
    } modes[] = {{0777, 0444, "a file that may only be read is refused at once"},
                 {0555, 0666, "and one in a folder that may only be read"}};
    dx_casefile_close(must_open("kept.case", true));
    fflush(stdout);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        bool set =
            chmod(folder, modes[i].folder) == 0 && chmod(path_of("kept.case"), modes[i].file) == 0;
        int got = opened_by_nobody("kept.case");
        if (got == 2)
            printf("# a folder above %s is closed to others\n", folder);
        ok(set && got != 1, "%s", modes[i].what);
    }
    chmod(folder, 0700);
}

int main(void) {
    const char *tmp = getenv("TMPDIR");
    int n = snprintf(folder, sizeof folder, "%s/hbdx-case-XXXXXX", tmp == NULL ? P_tmpdir : tmp);
    if (n < 0 || (size_t)n >= sizeof folder || mkdtemp(folder) == NULL) {
        printf("Bail out! no folder can be made below %s\n", tmp == NULL ? P_tmpdir : tmp);
        return 1;
    }
    test_new_file();
    test_refusals();
    test_empty_becomes_case();
    test_strangers();
    test_changed();
    test_readonly_sql();
    test_stop();
    test_values();
    test_close_order();
    test_batches();
    test_save();
    test_killed();
    test_no_writing();
    char command[sizeof folder + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        printf("# %s is left\n", folder);
    return done();
}

/* What a scan gives on its way into a case, over a second thread. */
#define _GNU_SOURCE /* mkstemp */
#include "casefile_help.h"
#include "dx_ingest_store.h"

#include <unistd.h>

static dx_casefile *c;
static dx_err err;

static void put(dx_ingest_store *s, uint64_t i, dx_status *st) {
    char text[32];
    dx_where w = at_line(i + 1, (int64_t)i, i + 1);
    snprintf(text, sizeof text, "thread %u", (unsigned)(i % 7));
    w.thread = dx_s(text);
    if (i % 10 == 0) {
        dx_call call = scan_call(DX_CALL_LOG, (int64_t)i, 5);
        *st = dx_ingest_store_call(s, &call, &w, &err);
    } else if (i % 10 == 1) {
        dx_scan scan = {.returned = (int64_t)i, .table = dx_s("t")};
        *st = dx_ingest_store_scan(s, (int64_t)i, &scan, &w, &err);
    } else if (i % 10 == 2) {
        *st = dx_ingest_store_skip(s, "for no reason", dx_s(text), &w, &err);
    } else {
        dx_event e = {.id = DX_EV_PAUSE, .table = dx_s(text), .n = 1};
        e.fields[0] = (dx_field){.name = "n", .type = DX_FIELD_INT, .i = (int64_t)i};
        *st = dx_ingest_store_event(s, (int64_t)i, &e, &w, &err);
    }
    memset(text, 'x', sizeof text); /* all that is given is copied */
}

/* n records of all kinds, one box of which or many. */
static void test_all(uint64_t n) {
    dx_ingest_store *s = NULL;
    dx_status st = DX_OK;
    uint64_t fresh_calls = 5;
    int64_t tenth = (int64_t)n / 10;
    c = fresh();
    int64_t a = new_source(c, "a.log", "log");
    ok(dx_casefile_begin(c, &err) == DX_OK && dx_ingest_store_new(&s, c, a, &err) == DX_OK,
       "a store for %u records", (unsigned)n);
    for (uint64_t i = 0; i < n && st == DX_OK; i++)
        put(s, i, &st);
    is_int(st, DX_OK, "takes them");
    ok(dx_ingest_store_end(s, &fresh_calls, &err) == DX_OK, "and has written them at the end");
    ok(dx_casefile_commit(c, &err) == DX_OK, "the batch is kept");
    is_int((int64_t)fresh_calls, tenth + 5, "new calls are counted");
    is_number(c, "SELECT count(*) FROM call", tenth, "calls");
    is_number(c, "SELECT count(*) FROM scan WHERE table_name = 't' AND returned = t_ms", tenth,
              "scans");
    is_number(c, "SELECT count FROM skipped", tenth, "skips");
    is_text(c, "SELECT sample FROM skipped", "thread 2", "with the first sample");
    is_number(c,
              "SELECT count(*) FROM event WHERE json_extract(fields, '$.n') = line - 1 "
              "AND thread = 'thread ' || ((line - 1) % 7) AND table_name = thread",
              7 * tenth, "events, each as it was given");
    is_number(c,
              "SELECT group_concat(id, '') = group_concat(line, '') FROM (SELECT id, "
              "row_number() OVER (ORDER BY line) AS line FROM event ORDER BY id)",
              1, "in their order");
    dx_casefile_close(c);
}

/* An error of the writer comes back to who scans, whenever, and again at the end. */
static void test_refused(uint64_t n) {
    const char *tmp = getenv("TMPDIR");
    char path[256];
    snprintf(path, sizeof path, "%s/hbdx-store-XXXXXX", tmp == NULL ? "/tmp" : tmp);
    int fd = mkstemp(path);
    dx_ingest_store *s = NULL;
    dx_status st = DX_OK;
    uint64_t calls = 0, taken = 0;
    ok(fd >= 0 && close(fd) == 0 && dx_casefile_open(&c, path, true, &err) == DX_OK, "a case");
    dx_casefile_close(c);
    ok(dx_casefile_open(&c, path, false, &err) == DX_OK, "to be read only");
    ok(dx_ingest_store_new(&s, c, 1, &err) == DX_OK, "a store for %u records", (unsigned)n);
    for (; taken < n && st == DX_OK; taken++)
        put(s, taken, &st);
    ok(taken == n ? st == DX_OK : st == DX_E_USAGE, "%u were taken", (unsigned)taken);
    if (st != DX_OK) {
        ok(taken <= 6 * 1024, "no more than wait in the boxes");
        put(s, 1, &st);
        is_int(st, DX_E_USAGE, "nothing more is taken");
    }
    err = (dx_err){0};
    is_int(dx_ingest_store_end(s, &calls, &err), DX_E_USAGE, "the end says it");
    ok(strstr(err.msg, "only be read") != NULL, "%s", err.msg);
    is_int((int64_t)calls, 0, "no call was written");
    dx_casefile_close(c);
    unlink(path);
}

int main(void) {
    test_all(20);
    test_all(1020);
    test_all(1030);
    test_all(50000);
    test_refused(20);
    test_refused(50000);
    ok(dx_ingest_store_end(NULL, NULL, &err) == DX_OK, "the end of none");
    return done();
}

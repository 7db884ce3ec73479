/* Events as they are stored: in runs of one kind, told apart from those that are known already. */
#include "casefile_help.h"

static dx_casefile *c;
static dx_err err;

static void add(int64_t source, dx_event_id id, const char *region, dx_where where) {
    dx_event e = {.id = id, .region = dx_s(region)};
    int64_t t = where.has_zone ? where.local_ms - where.offset_ms : where.local_ms;
    if (dx_casefile_add_event(c, source, 0, t, &e, &where, &err) != DX_OK)
        ok(false, "event: %s", err.msg);
}

static void end_source(int64_t source) {
    dx_source_facts f = {.first_ms = 1, .last_ms = 2, .offset_origin = "unknown"};
    ok(dx_casefile_source_facts(c, source, &f, &err) == DX_OK, "source %d ends", (int)source);
}

static int64_t kinds(void) {
    return DX_EV_COUNT - 1;
}

/* More rows than are held at a time, of more kinds and clocks than there is room for. */
static void test_many(void) {
    const int64_t n = 8500;
    c = fresh();
    int64_t a = new_source(c, "a.log", "log");
    for (int64_t i = 0; i < n; i++) {
        dx_where w = at_line((uint64_t)i + 1, 1000000 + i, (uint64_t)i + 1);
        w.has_zone = i % 3 == 0;
        w.offset_ms = i % 5 * 3600000;
        add(a, (dx_event_id)(DX_EV_NONE + 1 + i % kinds()), NULL, w);
    }
    is_number(c, "SELECT count(*) FROM event", n, "all are seen before the source ends");
    end_source(a);
    is_number(c, "SELECT count(*) FROM event", n, "and after");
    is_number(c, "SELECT count(DISTINCT line) FROM event", n, "each once");
    is_number(c, "SELECT count(*) FROM event WHERE local_ms IS NULL", (n + 2) / 3,
              "a third tells its zone");
    is_number(c,
              "SELECT count(*) FROM event WHERE local_ms IS NULL AND t_ms <> 999999 + line - "
              "(line - 1) % 5 * 3600000",
              0, "by which it is UTC");
    is_number(c, "SELECT count(*) FROM event WHERE local_ms <> 999999 + line", 0, "the others not");
    is_number(c, "SELECT count(DISTINCT kind) FROM event", kinds(), "all kinds");
    is_number(c, "SELECT max(n) - min(n) FROM (SELECT count(*) AS n FROM event GROUP BY kind)",
              n % kinds() != 0, "as often as they came");
    is_number(c,
              "SELECT count(*) FROM event e JOIN event_run r ON e.id BETWEEN first_id AND last_id "
              "WHERE coalesce(e.local_ms, e.t_ms) NOT BETWEEN min_stamp_ms AND max_stamp_ms",
              0, "runs know the first and last of their stamps");
    is_number(c,
              "SELECT count(*) FROM event_run r JOIN event_run q "
              "ON q.first_id > r.first_id AND q.first_id <= r.last_id",
              0, "and share no row");
    dx_casefile_close(c);
}

static void test_places(void) {
    c = fresh();
    int64_t a = new_source(c, "a.log", "log");
    for (uint64_t i = 0; i < 100; i++) {
        dx_where w = at_line(i + 1, 5, i + 1);
        w.thread = dx_s(i % 2 == 0 ? "even" : "odd");
        add(a, DX_EV_ABORT, i % 4 == 0 ? "t,a,1.0123456789abcdef0123456789abcdef." : NULL, w);
    }
    end_source(a);
    is_number(c, "SELECT count(*) FROM event_place", 1, "a place is told once");
    is_number(c, "SELECT count(*) FROM event_thread", 2, "so is a thread");
    is_number(c, "SELECT count(*) FROM event WHERE table_name = 't' AND encoded LIKE '0123%'", 25,
              "its table and encoded name are read off its name");
    is_number(c, "SELECT count(*) FROM event WHERE thread = 'odd' AND region IS NULL", 50,
              "each row has its own");
    dx_casefile_close(c);
}

/* More places than are remembered: they are told again. */
static void test_hostile_places(void) {
    char name[64];
    c = fresh();
    int64_t a = new_source(c, "a.log", "log");
    for (uint64_t i = 0; i < 32800; i++) {
        snprintf(name, sizeof name, "t,%u,1.0123456789abcdef0123456789abcdef.", (unsigned)i);
        add(a, DX_EV_ABORT, name, at_line(i + 1, 5, i + 1));
    }
    add(a, DX_EV_ABORT, "t,0,1.0123456789abcdef0123456789abcdef.", at_line(32801, 5, 7));
    end_source(a);
    is_number(c, "SELECT count(DISTINCT region) FROM event", 32800, "each has its place");
    is_number(c, "SELECT count(*) FROM event WHERE region LIKE 't,0,%'", 2, "one has it twice");
    dx_casefile_close(c);
}

#define RECORDS                                                                                    \
    "SELECT count(*) FROM sqlite_schema WHERE name IN ('event_record', 'call_key', 'call_record')"

/* Rows that went leave no run behind that would claim the rows after them. */
static void test_ids_given_again(void) {
    c = fresh();
    int64_t a = new_source(c, "a.log", "log");
    add(a, DX_EV_ABORT, NULL, at_line(1, 100, 1));
    add(a, DX_EV_PAUSE, NULL, at_line(2, 200, 2));
    end_source(a);
    int64_t b = new_source(c, "b.log", "log");
    add(b, DX_EV_ABORT, NULL, at_line(1, 300, 3));
    end_source(b);
    is_number(c, RECORDS, 0, "new records need no index");
    int64_t d = new_source(c, "a-longer.log", "log");
    add(d, DX_EV_SLEPT, NULL, at_line(9, 50, 9));
    add(d, DX_EV_ABORT, NULL, at_line(1, 100, 1));
    add(d, DX_EV_PAUSE, NULL, at_line(3, 150, 4));
    add(d, DX_EV_PAUSE, NULL, at_line(2, 200, 2));
    end_source(d);
    is_number(c, RECORDS, 1, "known ones do");
    is_number(c, "SELECT count(*) FROM event", 5, "they are dropped");
    is_number(c, "SELECT max_stamp_ms FROM event_run WHERE kind = 'pause' AND source_id = 3", 150,
              "and their runs know it");
    int64_t e = new_source(c, "e.log", "log");
    add(e, DX_EV_ABORT, NULL, at_line(1, 500, 5));
    add(e, DX_EV_ABORT, NULL, at_line(2, 600, 6));
    end_source(e);
    is_number(c, "SELECT count(*) FROM event", 7, "what comes then is seen once");
    is_number(c, "SELECT count(*) FROM event WHERE source_id = 4 AND kind = 'abort'", 2,
              "as what it is");
    dx_casefile_close(c);
}

static bool begin(void) {
    return dx_casefile_begin(c, &err) == DX_OK;
}

/* Sets and lists outlive a rollback only as far as they are true. */
static void test_undone(void) {
    const char *region = "t,a,1.0123456789abcdef0123456789abcdef.";
    c = fresh();
    ok(begin(), "a batch");
    int64_t a = new_source(c, "a.log", "log");
    add(a, DX_EV_ABORT, NULL, at_line(1, 100, 1));
    end_source(a);
    ok(dx_casefile_commit(c, &err) == DX_OK && begin(), "and another");
    int64_t b = new_source(c, "b.log", "log");
    add(b, DX_EV_ABORT, region, at_line(1, 200, 2));
    add(b, DX_EV_ABORT, region, at_line(1, 100, 1));
    end_source(b);
    is_number(c, RECORDS, 1, "a known record makes the index");
    dx_casefile_rollback(c);
    is_number(c, RECORDS, 0, "which is undone");
    ok(begin(), "once more");
    b = new_source(c, "b.log", "log");
    add(b, DX_EV_ABORT, region, at_line(1, 200, 2));
    add(b, DX_EV_ABORT, region, at_line(1, 100, 1));
    end_source(b);
    ok(dx_casefile_commit(c, &err) == DX_OK, "kept");
    is_number(c, "SELECT count(*) FROM event", 2, "the known one is known again");
    is_number(c, "SELECT count(*) FROM event WHERE table_name = 't'", 1, "the place is told again");
    ok(begin(), "events that were not written");
    int64_t d = new_source(c, "d.log", "log");
    add(d, DX_EV_ABORT, NULL, at_line(1, 300, 3));
    dx_casefile_rollback(c);
    is_number(c, "SELECT count(*) FROM event", 2, "never are");
    dx_casefile_close(c);
}

/* A call is told apart by its key and its record before there is an index, and after. */
static void test_known_calls(void) {
    bool added;
    dx_where w = at_line(1, 1000, 11);
    dx_call first = scan_call(DX_CALL_LOG, 1000, 5), second = scan_call(DX_CALL_LOG, 2000, 5);
    c = fresh();
    int64_t a = new_source(c, "a.log", "log");
    ok(dx_casefile_add_call(c, a, 0, &first, &w, &added, &err) == DX_OK && added, "new");
    w = at_line(2, 2000, 12);
    ok(dx_casefile_add_call(c, a, 0, &second, &w, &added, &err) == DX_OK && added, "new");
    end_source(a);
    is_number(c, RECORDS, 0, "new calls need no index");
    int64_t b = new_source(c, "ring", "ring");
    dx_call same = scan_call(DX_CALL_RING, 2000, 5), other = scan_call(DX_CALL_RING, 3000, 5);
    w = at_line(1, DX_TIME_NONE, 0);
    ok(dx_casefile_add_call(c, b, 0, &other, &w, &added, &err) == DX_OK && added, "new");
    is_number(c, RECORDS, 0, "none yet");
    ok(dx_casefile_add_call(c, b, 0, &same, &w, &added, &err) == DX_OK && !added, "known");
    is_number(c, RECORDS, 2, "a known one does");
    ok(dx_casefile_add_call(c, b, 0, &first, &w, &added, &err) == DX_OK && added,
       "a second time in the same words is another");
    is_number(c, "SELECT max(occ) FROM call WHERE start_ms = 1000", 2, "the second of its key");
    end_source(b);
    ok(dx_casefile_set_server(c, a, dx_s("rs-1,1"), &err) == DX_OK, "a server for the log");
    is_number(c, "SELECT count(*) FROM call WHERE server_id = 1", 2, "is that of its calls");
    ok(dx_casefile_set_server(c, a, dx_s("rs-2,1"), &err) == DX_OK, "another one");
    is_number(c, "SELECT count(*) FROM call WHERE server_id = 2", 2, "takes them over");
    dx_casefile_close(c);
}

int main(void) {
    test_many();
    test_places();
    test_hostile_places();
    test_ids_given_again();
    test_undone();
    test_known_calls();
    return done();
}

/* test_ingest_clock.c - logs of a night in which clocks are changed. Each line tells in sequenceid
 * which second it is in truth, and so does the case, wherever the lines tell it, too. */
#include "casefile_help.h"
#include "dx_ingest.h"
#include "dx_time.h"

#include <inttypes.h>

#define MINUTE INT64_C(60000)
#define HOUR   (60 * MINUTE)
/* 2026-10-25 01:00 UTC: 03:00 becomes 02:00 in Berlin; 2026-03-29 01:00 UTC: 02:00 becomes 03:00 */
#define AUTUMN INT64_C(1792890000000)
#define SPRING INT64_C(1774746000000)

#define E32 "0123456789abcdef0123456789abcdef"

typedef struct night {
    int64_t at; /* the change */
    bool autumn;
    dx_buf text;
} night;

static void stamp(night *n, int64_t utc) {
    bool summer = (utc < n->at) == n->autumn;
    char s[DX_TIME_LEN];
    dx_time_write(s, utc + (summer ? 2 : 1) * HOUR, 0);
    dx_buf_addf(&n->text, "%.10s %.8s,%.3s ", s, s + 11, s + 20);
}

static void flush(night *n, int64_t utc) {
    stamp(n, utc);
    dx_buf_addf(&n->text,
                "INFO  [f.0] regionserver.HRegion: Finished flush of dataSize ~4 MB/4194304, "
                "heapSize ~4 MB/4194304, currentSize=0 B/0 for " E32 " in 12ms, sequenceid=%" PRId64
                ", compaction requested=false\n",
                utc / 1000);
}

static void call(night *n, int64_t utc) {
    stamp(n, utc + 7);
    dx_buf_addf(
        &n->text,
        "WARN  [h=1] ipc.RpcServer: (responseTooSlow): {\"call\":\"Get(x)\",\"starttimems\":"
        "%" PRId64 ",\"responsesize\":12,\"method\":\"Get\",\"processingtimems\":7,"
        "\"client\":\"10.0.0.1:50\",\"queuetimems\":0,\"class\":\"HRegionServer\"}\n",
        utc);
}

/* A flush every five minutes from `from` to `to`, minutes from the change. */
static void flushes(night *n, int from, int to) {
    for (int64_t m = from; m < to; m += 5)
        flush(n, n->at + m * MINUTE);
}

static night begin(int64_t at) {
    night n = {.at = at, .autumn = at == AUTUMN};
    dx_buf_init(&n.text, 0);
    return n;
}

static dx_casefile *c;
static dx_ingest_report report;

/* Reads the log, and frees it; how many of its rows stand where they were not written. */
static int64_t wrong(night *n, const dx_zone *zone, dx_log_seam *seam, int64_t before_ms) {
    const dx_ingest_opts opts = {
        .name = "log", .t_ms = DX_TIME_NONE, .zone = zone, .seam = seam, .before_ms = before_ms};
    dx_input *in = NULL;
    dx_err err;
    c = fresh();
    bool good = dx_input_open_bytes(&in, dx_buf_slice(&n->text), "log", &err) == DX_OK
                && dx_ingest(c, in, &opts, &report, &err) == DX_OK;
    dx_input_close(in);
    dx_buf_done(&n->text);
    if (!good)
        ok(false, "not read: %s", err.msg);
    return number_in(c, "SELECT count(*) FROM event WHERE kind = 'flush_finished' AND "
                        "t_ms / 1000 <> json_extract(fields, '$.sequence_id')");
}

static void done_with(void) {
    dx_casefile_close(c);
}

/* --- as calls tell */

static void test_step(void) {
    night n = begin(AUTUMN);
    call(&n, n.at - 100 * MINUTE);
    flushes(&n, -95, 0);
    flush(&n, n.at + 1);
    flush(&n, n.at - 10); /* a thread that was late */
    flush(&n, n.at + 20);
    flushes(&n, 5, 100);
    call(&n, n.at + 100 * MINUTE);
    is_int(wrong(&n, NULL, NULL, 0), 0, "the line at which stamps step back parts both hours");
    is_int(report.clock.n, 1, "one change");
    is_int(report.clock.changes[0].at_ms, AUTUMN, "at the full hour");
    is_int(report.clock.doubtful, 0, "and nothing is in doubt");
    is_int(report.offset_ms, HOUR, "the offset is the last");
    is_int(report.log.offset_votes, 2, "of both calls");
    is_int(report.first_ms, AUTUMN - 100 * MINUTE + 7, "the first instant");
    is_int(report.last_ms, AUTUMN + 100 * MINUTE + 7, "the last");
    is_text(c, "SELECT json_extract(coverage, '$.offsets') FROM source",
            "[{\"offset_ms\":7200000,\"until_ms\":1792890000000},{\"offset_ms\":3600000}]",
            "all of it is in the case");
    done_with();
}

static void test_calls_around(void) {
    night n = begin(AUTUMN);
    flushes(&n, -95, -50);
    call(&n, n.at - 50 * MINUTE);
    call(&n, n.at + 15 * MINUTE); /* no line of the hour between */
    flushes(&n, 15, 100);
    is_int(wrong(&n, NULL, NULL, 0), 0, "calls part both hours where stamps do not step back");
    is_int(report.clock.doubtful, 0, "and nothing is in doubt");
    done_with();
    n = begin(AUTUMN);
    call(&n, n.at - 90 * MINUTE);
    flushes(&n, -90, -50);
    flushes(&n, 15, 100);
    call(&n, n.at + 100 * MINUTE);
    ok(wrong(&n, NULL, NULL, 0) > 0, "where neither tells it cannot be known");
    is_int(report.clock.doubtful, 2 + 9, "and it is said of how many");
    done_with();
}

static void test_one_side(void) {
    night n = begin(AUTUMN);
    call(&n, n.at - 90 * MINUTE);
    flushes(&n, -90, 100);
    is_int(wrong(&n, NULL, NULL, 0), 0, "a step back at the usual time tells the new offset");
    done_with();
    n = begin(AUTUMN);
    flushes(&n, -90, 100);
    call(&n, n.at + 100 * MINUTE);
    is_int(wrong(&n, NULL, NULL, 0), 0, "or the old one");
    done_with();
    n = begin(AUTUMN + 24 * HOUR);
    n.autumn = true;
    call(&n, n.at - 90 * MINUTE);
    flushes(&n, -90, 100);
    ok(wrong(&n, NULL, NULL, 0) > 0, "but not at another");
    is_int(report.clock.n, 0, "that is no change that is known of");
    done_with();
}

static void test_spring(void) {
    night n = begin(SPRING);
    call(&n, n.at - 90 * MINUTE);
    flushes(&n, -90, 100);
    call(&n, n.at + 100 * MINUTE);
    is_int(wrong(&n, NULL, NULL, 0), 0, "in spring the usual moment is taken");
    is_int(report.clock.changes[0].at_ms, SPRING, "the full hour of that Sunday");
    is_int(report.offset_ms, 2 * HOUR, "the offset is the last");
    done_with();
}

static void test_stray(void) {
    night n = begin(AUTUMN - 14 * 24 * HOUR), other = begin(AUTUMN);
    n.autumn = true;
    for (int i = 0; i < 5; i++)
        call(&n, n.at - 300 * MINUTE + i * MINUTE);
    other.at = 0; /* one hour off */
    call(&other, n.at - 290 * MINUTE);
    dx_buf_add(&n.text, other.text.p, other.text.n);
    dx_buf_done(&other.text);
    for (int i = 0; i < 5; i++)
        call(&n, n.at - 280 * MINUTE + i * MINUTE);
    flushes(&n, -270, -200);
    is_int(wrong(&n, NULL, NULL, 0), 0, "a stray call is no change");
    is_int(report.clock.n, 0, "none at all");
    is_int(report.log.offset_against, 1, "it is one against");
    done_with();
}

/* --- as a zone tells */

static void test_zone_autumn(const dx_zone *berlin) {
    night n = begin(AUTUMN);
    flushes(&n, -95, 0);
    flush(&n, n.at + 1);
    flush(&n, n.at - 10);
    flush(&n, n.at + 20);
    flushes(&n, 5, 100);
    is_int(wrong(&n, berlin, NULL, 0), 0, "by the zone: the step back parts both hours");
    is_int(report.offset_ms, HOUR, "the offset is the last");
    done_with();
    n = begin(AUTUMN);
    flushes(&n, 10, 200);
    is_int(wrong(&n, berlin, NULL, 0), 0, "a log that begins in the second hour and goes on");
    is_int(report.first_ms, AUTUMN + 10 * MINUTE, "its first instant");
    done_with();
    n = begin(AUTUMN);
    flushes(&n, -100, -10);
    is_int(wrong(&n, berlin, NULL, 0), 0, "one that ends in the first");
    is_int(report.last_ms, AUTUMN - 15 * MINUTE, "its last instant");
    is_int(report.offset_ms, 2 * HOUR, "the clock was not changed yet");
    done_with();
    n = begin(AUTUMN);
    flushes(&n, -100, -40);
    flushes(&n, 30, 100);
    wrong(&n, berlin, NULL, 0);
    is_int(report.clock.doubtful, 4 + 6, "a silence over the change leaves stamps in doubt");
    done_with();
}

static void test_zone_calls(const dx_zone *berlin) {
    night n = begin(AUTUMN);
    flushes(&n, -100, -40);
    call(&n, n.at - 40 * MINUTE);
    call(&n, n.at + 25 * MINUTE);
    flushes(&n, 30, 100);
    is_int(wrong(&n, berlin, NULL, 0), 0, "which calls take away");
    is_int(report.clock.doubtful, 0, "all of it");
    done_with();
}

static void test_zone_spring(const dx_zone *berlin) {
    night n = begin(SPRING);
    flushes(&n, -60, 60);
    is_int(wrong(&n, berlin, NULL, 0), 0, "in spring nothing is in doubt");
    is_int(report.clock.missing, 0, "and no stamp lies in the hour that is left out");
    done_with();
    n = begin(SPRING);
    n.autumn = true; /* a clock that is put back where it is put forward */
    flushes(&n, -60, 0);
    flushes(&n, 30, 60);
    wrong(&n, berlin, NULL, 0);
    ok(report.clock.missing > 0, "stamps in that hour are counted");
    is_int(number_in(c, "SELECT count(*) FROM event WHERE t_ms < 1774742400000 - 3600000"), 0,
           "and stand beside the others");
    done_with();
}

/* Pieces of a rotated log: what comes before this one says which hour it is. */
static void test_zone_seam(const dx_zone *berlin) {
    night n = begin(AUTUMN);
    dx_log_seam seam = {.before_local_ms = AUTUMN + 5 * MINUTE + HOUR};
    flushes(&n, 10, 40);
    is_int(wrong(&n, berlin, &seam, AUTUMN + 5 * MINUTE), 0, "a piece within the second hour");
    is_int(report.end_ms, AUTUMN + 35 * MINUTE, "its end");
    done_with();
    n = begin(AUTUMN);
    seam.before_local_ms = AUTUMN - 45 * MINUTE + 2 * HOUR;
    flushes(&n, -40, -10);
    is_int(wrong(&n, berlin, &seam, AUTUMN - 45 * MINUTE), 0, "one within the first");
    done_with();
    n = begin(AUTUMN);
    seam.before_local_ms = AUTUMN - 5 * MINUTE + 2 * HOUR;
    flushes(&n, 0, 40);
    is_int(wrong(&n, berlin, &seam, AUTUMN - 5 * MINUTE), 0,
           "and one that the change comes before");
    done_with();
}

/* --- a log whose zone is known at the end */

static void test_set_zone(const dx_zone *berlin) {
    night n = begin(AUTUMN);
    dx_ingest_clock clock;
    dx_err err;
    flushes(&n, -100, 100);
    ok(wrong(&n, NULL, NULL, 0) > 0, "a log that does not tell its zone");
    ok(dx_ingest_set_zone(c, report.source, berlin, "guess", &report.log, &clock, &err) == DX_OK,
       "is given one");
    is_number(c,
              "SELECT count(*) FROM event WHERE t_ms / 1000 <> json_extract(fields, "
              "'$.sequence_id')",
              0, "its rows are moved");
    is_number(c, "SELECT first_ms FROM source", AUTUMN - 100 * MINUTE, "and its first instant");
    is_number(c, "SELECT last_ms FROM source", AUTUMN + 95 * MINUTE, "and its last");
    is_number(c, "SELECT offset_ms FROM source", HOUR, "and its offset");
    done_with();
}

int main(void) {
    dx_zone *berlin = NULL;
    dx_err err;
    test_step();
    test_calls_around();
    test_one_side();
    test_spring();
    test_stray();
    if (dx_zone_open(&berlin, "Europe/Berlin", &err) == DX_OK) {
        test_zone_autumn(berlin);
        test_zone_calls(berlin);
        test_zone_spring(berlin);
        test_zone_seam(berlin);
        test_set_zone(berlin);
    } else {
        printf("# no zoneinfo: %s\n", err.msg);
    }
    dx_zone_free(berlin);
    return done();
}

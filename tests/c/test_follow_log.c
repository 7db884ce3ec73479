/* test_follow_log.c - a log that is followed: records are handed over when they are whole, and
 * lines are those of the file that is open. The clock is ours. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "dx_follow_log.h"
#include "logscan_seen.h"

#include <unistd.h>

#define FLUSH(hms)                                                                                 \
    P(hms)                                                                                         \
    "INFO  [f.0] regionserver.HRegion: Finished flush of dataSize ~4 MB/4194304, heapSize ~4 "     \
    "MB/4194304, currentSize=0 B/0 for " E32 " in 12ms, sequenceid=3, compaction requested=false"  \
    "\n"
#define ONE_FLUSH(line, ms) line " " ms " event flush_finished " E32 " f.0\n"

typedef struct world {
    char dir[200], log[256], old[256];
    seen s;
    dx_sink sink;
    dx_follow_log *l;
    int64_t now;
} world;

static void append(const char *path, const char *text) {
    FILE *f = fopen(path, "a");
    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
        printf("Bail out! cannot write %s\n", path);
}

static void begin(world *w, uint64_t last) {
    const char *tmp = getenv("TMPDIR");
    *w = (world){.now = 5000000, .s = {.refuse = DX_OK}};
    snprintf(w->dir, sizeof w->dir, "%.150s/follow-XXXXXX", tmp == NULL ? "/tmp" : tmp);
    if (mkdtemp(w->dir) == NULL)
        printf("Bail out! no folder for the test\n");
    snprintf(w->log, sizeof w->log, "%s/rs.log", w->dir);
    snprintf(w->old, sizeof w->old, "%s/rs.log.1", w->dir);
    dx_buf_init(&w->s.text, 0);
    w->sink = (dx_sink){
        .arg = &w->s, .call = on_call, .event = on_event, .scan = on_scan, .skip = on_skip};
    if (dx_follow_log_open(&w->l, w->log, &(dx_follow_opts){.last = last}, &w->sink, &w->s.err)
        != DX_OK)
        printf("Bail out! %s\n", w->s.err.msg);
}

static void finish(world *w) {
    dx_follow_log_close(w->l);
    remove(w->log);
    remove(w->old);
    rmdir(w->dir);
    done_with(&w->s);
}

/* What the sink has got since it was asked last. */
static void now_seen(world *w, const char *want, const char *what) {
    dx_follow_news news;
    do
        w->s.status = dx_follow_log_step(w->l, w->now, &news, &w->s.err);
    while (w->s.status == DX_OK && news.what != DX_FOLLOW_NOTHING);
    ok(w->s.status == DX_OK, "%s: read", what);
    is_slice(dx_buf_slice(&w->s.text), want, what);
    dx_buf_clear(&w->s.text);
}

static void test_quiet(void) {
    world w;
    begin(&w, DX_FOLLOW_ALL);
    append(w.log, FLUSH("10:00:01,000"));
    now_seen(&w, "", "a last record may go on");
    w.now += DX_FOLLOW_QUIET_MS - 1;
    now_seen(&w, "", "for a while");
    w.now += 1;
    now_seen(&w, ONE_FLUSH("1", "1714557601000"), "then it is whole");
    w.now += 60000;
    now_seen(&w, "", "once");
    append(w.log, FLUSH("10:00:02,000") FLUSH("10:00:03,000"));
    now_seen(&w, ONE_FLUSH("2", "1714557602000"), "the next record ends the one before at once");
    append(w.log, P("10:00:04,000") "WARN [t] ipc.RpcServer - (responseTooLarge):\n");
    now_seen(&w, ONE_FLUSH("3", "1714557603000"), "a record over several lines begins");
    w.now += DX_FOLLOW_QUIET_MS - 1;
    append(w.log, "{\"method\":\"Get\",\n");
    now_seen(&w, "", "goes on");
    w.now += DX_FOLLOW_QUIET_MS - 1;
    append(w.log, "\"processingtimems\":12,\"client\":\"a:1\",\"queuetimems\":0}\n");
    now_seen(&w, "", "each line makes it wait again");
    w.now += DX_FOLLOW_QUIET_MS;
    now_seen(&w, "4 1714557604000 call Get  12 L\n", "and comes whole");
    append(w.log, FLUSH("10:00:05,000") P("10:00:06,000"));
    now_seen(&w, "", "half a line behind a record");
    w.now += DX_FOLLOW_QUIET_MS;
    now_seen(&w, ONE_FLUSH("7", "1714557605000"), "does not hold it back");
    finish(&w);
}

static void test_rotation(void) {
    world w;
    dx_coverage cov;
    begin(&w, DX_FOLLOW_ALL);
    append(w.log, FLUSH("10:00:01,000") FLUSH("10:00:02,000"));
    now_seen(&w, ONE_FLUSH("1", "1714557601000"), "the first file");
    rename(w.log, w.old);
    append(w.old, FLUSH("10:00:03,000"));
    append(w.log, FLUSH("10:00:04,000") FLUSH("10:00:05,000"));
    now_seen(&w, ONE_FLUSH("2", "1714557602000"), "renamed");
    w.now += DX_FOLLOW_GRACE_MS;
    now_seen(&w, ONE_FLUSH("3", "1714557603000") ONE_FLUSH("1", "1714557604000"),
             "its last record comes before those of the new file, whose lines count from 1");
    FILE *f = fopen(w.log, "w");
    fclose(f);
    append(w.log, FLUSH("10:00:06,000"));
    now_seen(&w, ONE_FLUSH("2", "1714557605000"), "truncated");
    ok(dx_follow_log_stop(w.l, &w.s.err) == DX_OK, "stopped");
    is_slice(dx_buf_slice(&w.s.text), ONE_FLUSH("1", "1714557606000"), "the last record comes");
    dx_follow_log_coverage(w.l, &cov);
    is_int(cov.lines, 6, "lines of all files");
    is_int(cov.events, 6, "events of all files");
    ok(cov.first_local_ms == INT64_C(1714557601000) && cov.last_local_ms == INT64_C(1714557606000),
       "the time of all files");
    finish(&w);
}

static void test_last(void) {
    world w;
    dx_coverage cov;
    begin(&w, 20);
    append(w.log, FLUSH("10:00:01,000") "\nthe last line is long\n");
    now_seen(&w, "", "only the end of what is there");
    append(w.log, FLUSH("10:00:02,000"));
    ok(dx_follow_log_stop(w.l, &w.s.err) == DX_OK, "stopped");
    dx_follow_log_coverage(w.l, &cov);
    is_int(cov.lines, 0, "what was passed over is not covered");
    finish(&w);
    begin(&w, 20);
    append(w.log, FLUSH("10:00:01,000") "\nthe last line is long\n");
    now_seen(&w, "", "only the end of what is there");
    append(w.log, FLUSH("10:00:02,000"));
    now_seen(&w, "", "and what comes");
    w.now += DX_FOLLOW_QUIET_MS;
    now_seen(&w, ONE_FLUSH("4", "1714557602000"), "with its line in the file");
    dx_follow_log_coverage(w.l, &cov);
    is_int(cov.lines, 1, "what was passed over is not covered");
    finish(&w);
}

static void test_refusing_sink(void) {
    world w;
    dx_follow_news news = {.what = DX_FOLLOW_MORE};
    dx_status st = DX_OK;
    begin(&w, DX_FOLLOW_ALL);
    w.s.refuse = DX_E_NOMEM;
    append(w.log, FLUSH("10:00:01,000") FLUSH("10:00:02,000"));
    while (st == DX_OK && news.what != DX_FOLLOW_NOTHING)
        st = dx_follow_log_step(w.l, w.now, &news, &w.s.err);
    ok(st == DX_E_NOMEM, "an error of the sink ends it");
    finish(&w);
    dx_follow_log_close(NULL);
}

int main(void) {
    test_quiet();
    test_rotation();
    test_last();
    test_refusing_sink();
    return done();
}

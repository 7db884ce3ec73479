/* test_logscan_live.c - the scan of a log that grows tells what the scan of the whole tells, in
 * whatever pieces its lines come. */
#include "logscan_seen.h"

#define CALL                                                                                       \
    "(responseTooSlow): {\"starttimems\":1714550400000,\"method\":\"Get\",\"processingtimems\":7," \
    "\"client\":\"10.0.0.1:50\",\"queuetimems\":0}"
#define FLUSH                                                                                      \
    "INFO  [f.0] regionserver.HRegion: Finished flush of dataSize ~4 MB/4194304, heapSize ~4 "     \
    "MB/4194304, currentSize=0 B/0 for " E32 " in 12ms, sequenceid=3, compaction requested=false"

static const char whole[] =
    "Mon May  1 10:00:00 UTC 2024 Starting regionserver on rs1\n" P("10:00:01,000") FLUSH
    "\n" P("10:00:02,000") "WARN  [h=1] ipc.RpcServer: " CALL "\n\tat a.B.c(B.java:1)\n" P(
        "10:00:03,"
        "000") "WARN [t] ipc.RpcServer - "
               "(responseTooLarge):\n{\"method\":\"Get\",\n\"processingtimems\":"
               "12\n34,\n\"client\":\"a:1\",\n\"queuetimems\":0}\nbehind\n" P("10:00:05,000") FLUSH
    "\r\n\nreturned=5 scanned=60 rpcs=1\n" P("10:00:06,000") "INFO  [x] a.B: end\n";

static void begin(seen *s, dx_logscan_live **live, uint64_t lines_before) {
    const dx_sink sink = {
        .arg = s, .call = on_call, .event = on_event, .scan = on_scan, .skip = on_skip};
    *s = (seen){.refuse = DX_OK};
    dx_buf_init(&s->text, 0);
    s->status = dx_logscan_live_new(live, &sink, lines_before, &s->cov, &s->err);
}

static void feed(seen *s, dx_logscan_live *live, const char *text, uint64_t offset) {
    if (s->status == DX_OK)
        s->status = dx_logscan_live_feed(live, dx_s(text), offset, &s->err);
}

/* Feeds whole, `lines` lines at a time. */
static seen in_pieces(size_t lines) {
    seen s;
    dx_logscan_live *live = NULL;
    dx_slice text = dx_s(whole);
    begin(&s, &live, 0);
    for (size_t at = 0; at < text.n && s.status == DX_OK;) {
        size_t end = at;
        for (size_t i = 0; i < lines && end < text.n; i++)
            end = (size_t)dx_slice_find_char(text, '\n', end) + 1;
        s.status = dx_logscan_live_feed(live, dx_slice_sub(text, at, end), at, &s.err);
        at = end;
    }
    if (s.status == DX_OK)
        s.status = dx_logscan_live_end(live, &s.err);
    dx_logscan_live_free(live);
    return s;
}

static void test_pieces(void) {
    seen all = scan_text(whole, DX_LOG_PLAIN);
    dx_buf_addc(&all.text, '\0');
    for (size_t lines = 1; lines < 6; lines++) {
        seen s = in_pieces(lines);
        ok(s.status == DX_OK, "pieces of %zu lines are read", lines);
        is_slice(dx_buf_slice(&s.text), all.text.p, "and tell the same");
        is_int(s.cov.lines, all.cov.lines, "lines");
        is_int(s.cov.bytes, all.cov.bytes, "bytes");
        is_int(s.cov.records, all.cov.records, "records");
        is_int(s.cov.continuations, all.cov.continuations, "continuations");
        ok(s.cov.offset_inferred == all.cov.offset_inferred && s.cov.offset_ms == all.cov.offset_ms
               && s.cov.offset_votes == all.cov.offset_votes
               && s.cov.offset_against == all.cov.offset_against,
           "the clock");
        done_with(&s);
    }
    done_with(&all);
}

static void test_flush(void) {
    seen s;
    dx_logscan_live *live = NULL;
    begin(&s, &live, 41);
    feed(&s, live, P("10:00:01,000") FLUSH "\n", 7000);
    is_int(s.text.n, 0, "a record is kept back while more of it may come");
    ok(dx_logscan_live_flush(live, &s.err) == DX_OK, "flushed");
    is_slice(dx_buf_slice(&s.text), "42 1714557601000 event flush_finished " E32 " f.0\n",
             "then it is handed over, with its line");
    ok(dx_logscan_live_flush(live, &s.err) == DX_OK && s.cov.events == 1, "once");
    feed(&s, live, "\tat a.B.c(B.java:1)\n", 7200);
    is_int(s.cov.foreign, 1, "what comes later belongs to no record");
    feed(&s, live, P("10:00:02,000") FLUSH, 7220);
    ok(s.status == DX_OK && dx_logscan_live_end(live, &s.err) == DX_OK, "ended");
    is_int(s.cov.events, 2, "a last line without its end counts");
    is_int(s.cov.lines, 44, "lines are numbered on");
    dx_logscan_live_free(live);
    done_with(&s);
}

static void test_container(void) {
    static const char half[] = "2024-05-01T08:00:05.1Z stdout P " P("10:00:05,000") "INFO [f.0] \n";
    static const char rest[] =
        "2024-05-01T08:00:05.1Z stdout F regionserver.HRegion: Finished flush of dataSize ~4 "
        "MB/4194304, heapSize ~4 MB/4194304, currentSize=0 B/0 for " E32
        " in 12ms, sequenceid=3, compaction requested=false\n";
    seen s;
    dx_logscan_live *live = NULL;
    begin(&s, &live, 0);
    feed(&s, live, half, 0);
    ok(dx_logscan_live_flush(live, &s.err) == DX_OK, "quiet between the pieces of a line");
    feed(&s, live, rest, sizeof half - 1);
    ok(dx_logscan_live_end(live, &s.err) == DX_OK && s.status == DX_OK, "read");
    is_int(s.cov.events, 1, "does not cut it");
    done_with(&s);
    dx_logscan_live_free(live);
}

static dx_status note_offset(void *arg, const dx_event *e, const dx_where *w, dx_err *err) {
    (void)e, (void)err;
    *(uint64_t *)arg = w->offset;
    return DX_OK;
}

static void test_offset(void) {
    uint64_t offset = 0;
    const dx_sink sink = {.arg = &offset, .event = note_offset};
    dx_logscan_live *live = NULL;
    dx_coverage cov;
    dx_err err;
    ok(dx_logscan_live_new(&live, &sink, 0, &cov, &err) == DX_OK
           && dx_logscan_live_feed(live, dx_s("a\n" P("10:00:01,000") FLUSH "\n"), 5000, &err)
                  == DX_OK
           && dx_logscan_live_end(live, &err) == DX_OK,
       "read");
    is_int(offset, 5002, "a record's offset is that in the log");
    dx_logscan_live_free(live);
    dx_logscan_live_free(NULL);
}

int main(void) {
    test_pieces();
    test_flush();
    test_container();
    test_offset();
    return done();
}

/* dx_calls: the same digest with any number of threads, copies counted once, a dump's calls and
 * their log lines as one, and digests of parts that add up. */
#define _XOPEN_SOURCE 700 /* mkdtemp, P_tmpdir */
#include "dx_calls.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

#define FILES 6

typedef struct logs {
    char folder[256], paths[FILES][288];
    dx_calls_file files[FILES];
    size_t n;
} logs;

static FILE *new_file(logs *l) {
    char *path = l->paths[l->n];
    snprintf(path, sizeof l->paths[0], "%s/%zu", l->folder, l->n);
    l->files[l->n] = (dx_calls_file){.path = path, .name = path};
    l->n++;
    FILE *f = fopen(path, "w");
    if (f == NULL)
        ok(false, "cannot write %s", path);
    return f;
}

static void begin(logs *l) {
    *l = (logs){.n = 0};
    const char *tmp = getenv("TMPDIR");
    snprintf(l->folder, sizeof l->folder, "%.200s/hbdx-calls-XXXXXX", tmp == NULL ? P_tmpdir : tmp);
    ok(mkdtemp(l->folder) != NULL, "a folder");
}

static void end(logs *l) {
    for (size_t i = 0; i < l->n; i++)
        unlink(l->paths[i]);
    rmdir(l->folder);
}

/* 2026-11-30 20:00:00,000 UTC and a quarter of a second for each i */
#define START INT64_C(1796068800000)

static void stamp(FILE *f, uint64_t i, const char *level, const char *logger) {
    uint64_t ms = i * 250, s = ms / 1000;
    fprintf(f, "2026-11-%02d %02d:%02d:%02d,%03d %s  [thread-%d] %s: ", (int)(30 - s / 86400 % 2),
            (int)(s / 3600 % 24), (int)(s / 60 % 60), (int)(s % 60), (int)(ms % 1000), level,
            (int)(i % 7), logger);
}

/* The i-th call, with what makes it hard to cut: some objects go over several lines. */
static void call(FILE *f, uint64_t i) {
    stamp(f, i, "WARN", "ipc.RpcServer");
    fprintf(f,
            "(responseTooSlow): {\"call\":\"Scan(x)\",%s\"starttimems\":%lld,\"responsesize\":%d,"
            "\"method\":\"Scan\",\"processingtimems\":%d,\"client\":\"10.0.0.%d:4%04d\","
            "\"queuetimems\":%d,\"class\":\"HRegionServer\"}\n",
            i % 11 == 0 ? "\n" : "", (long long)(START + (int64_t)i * 250), (int)(i % 977),
            (int)(1000 + i * 7919 % 5000), (int)(i % 40), (int)(i % 9999), (int)(i % 13));
}

static void write_log(FILE *f, uint64_t from, uint64_t to) {
    for (uint64_t i = from; i < to; i++) {
        if (i % 3 == 0)
            call(f, i);
        stamp(f, i, "INFO", "regionserver.HRegion");
        fprintf(f, "something else (%d)\n", (int)i);
        if (i % 50 == 0)
            fprintf(f, "java.io.IOException: x\n\tat a.b.C.d(C.java:%d)\n", (int)i);
    }
    fclose(f);
}

static const char *const by[] = {"table", "method", "client", "source", "hour"};

/* Reads all files, and writes what was found; the caller frees out. */
static dx_calls *read_all(logs *l, size_t from, size_t n, unsigned threads, dx_buf *out) {
    const dx_calls_opts opts = {
        .by = by, .n = 5, .from_ms = DX_TIME_NONE, .to_ms = DX_TIME_NONE, .threads = threads};
    dx_calls *c = NULL;
    dx_err err;
    dx_buf_init(out, 0);
    bool good = dx_calls_new(&c, &opts, &err) == DX_OK
                && dx_calls_read(c, l->files + from, n, &err) == DX_OK
                && dx_calls_write(c, dx_s("meta"), out, &err) == DX_OK;
    ok(good, "read with %u threads%s%s", threads, good ? "" : ": ", good ? "" : err.msg);
    return c;
}

static void forget(logs *l, dx_calls *c) {
    dx_calls_free(c);
    for (size_t i = 0; i < l->n; i++)
        dx_calls_file_done(&l->files[i]);
}

static uint64_t count(const dx_calls *c) {
    dx_digest *d;
    dx_err err;
    uint64_t calls = 0;
    if (dx_calls_digest(c, NULL, 0, 0, &d, &err) != DX_OK)
        return 0;
    for (size_t i = 0; i < dx_digest_count(d); i++)
        calls += dx_digest_at(d, i)->calls;
    dx_digest_free(d);
    return calls;
}

static void test_threads(void) {
    logs l;
    dx_buf one, many;
    begin(&l);
    write_log(new_file(&l), 0, 90000); /* some units long */
    write_log(new_file(&l), 90000, 90300);
    write_log(new_file(&l), 90300, 150000);
    dx_calls *c = read_all(&l, 0, 3, 1, &one);
    dx_coverage alone = l.files[0].cov;
    is_int(count(c), 50000, "all calls");
    is_int(alone.skipped, 0, "of all of them the object is whole");
    forget(&l, c);
    for (unsigned threads = 2; threads <= 5; threads++) {
        c = read_all(&l, 0, 3, threads, &many);
        ok(dx_slice_eq(dx_buf_slice(&one), dx_buf_slice(&many)), "the same, bit for bit");
        ok(memcmp(&l.files[0].cov, &alone, sizeof alone) == 0, "and so is its coverage");
        forget(&l, c);
        dx_buf_done(&many);
    }
    dx_buf_done(&one);
    end(&l);
}

static void test_copies(void) {
    logs l;
    dx_buf out;
    begin(&l);
    write_log(new_file(&l), 0, 3000);
    write_log(new_file(&l), 1500, 4500); /* has half of it, too */
    write_log(new_file(&l), 0, 3000);    /* the first once more */
    FILE *f = new_file(&l);              /* two calls of one text are two calls */
    call(f, 9003);
    call(f, 9003);
    fclose(f);
    f = new_file(&l); /* and one of them in a copy is none more */
    call(f, 9003);
    fclose(f);
    for (unsigned threads = 1; threads <= 2; threads++) {
        dx_calls *c = read_all(&l, 0, 5, threads, &out);
        is_int(count(c), 1500 + 2, "each call once");
        ok(l.files[2].duplicate && l.files[2].original == 0, "a file twice is seen at once");
        is_int(l.files[0].new_calls, 1000, "the first has all of its calls");
        is_int(l.files[1].new_calls, 500, "the second those that are new");
        ok(!dx_calls_forgot(c), "nothing was forgotten");
        forget(&l, c);
        dx_buf_done(&out);
    }
    end(&l);
}

static void dumped(FILE *f, uint64_t i, const char *table) {
    fprintf(f,
            "  {\n    \"startTime\": %lld,\n    \"processingTime\": %d,\n    \"queueTime\": %d,\n"
            "    \"responseSize\": %d,\n    \"clientAddress\": \"10.0.0.%d:4%04d\",\n"
            "    \"methodName\": \"Scan\",\n    \"regionName\": \"%s,,1700000000000."
            "0123456789abcdef0123456789abcdef.\",\n    \"userName\": \"u\"\n  },\n",
            (long long)(START + (int64_t)i * 250), (int)(1000 + i * 7919 % 5000), (int)(i % 13),
            (int)(i % 977), (int)(i % 40), (int)(i % 9999), table);
}

static void test_dumps(void) {
    const size_t by_table = 0;
    logs l;
    dx_buf out;
    dx_digest *d;
    dx_err err;
    begin(&l);
    write_log(new_file(&l), 0, 300);
    FILE *f = new_file(&l);
    fprintf(f, "Retrieved SlowLog Responses from RegionServers\n[\n");
    dumped(f, 3, "t"); /* is in the log */
    dumped(f, 4, "t"); /* is not */
    fprintf(f, "]\n");
    fclose(f);
    for (unsigned threads = 1; threads <= 2; threads++) {
        dx_calls *c = read_all(&l, 0, 2, threads, &out);
        ok(l.files[1].kind == DX_SOURCE_RING, "a dump of the ring buffer");
        is_int(count(c), 101, "a call in both is one");
        ok(dx_calls_digest(c, &by_table, 1, 0, &d, &err) == DX_OK, "by table");
        const dx_digest_group *g = dx_digest_at(d, 1);
        dx_calls_note note = {.line = 0};
        is_slice(dx_calls_key_part(g->key, 0).text, "t", "the dump tells the table of both");
        is_int(g->calls, 2, "of the one in the log, too");
        ok(dx_calls_note_read(g->note, &note) && note.start_ms == START + 3 * 250
               && dx_slice_is(note.user, "u"),
           "and its longest call is known");
        dx_digest_free(d);
        forget(&l, c);
        dx_buf_done(&out);
    }
    end(&l);
}

static void test_files(void) {
    logs l;
    dx_buf whole, parts[2], sum;
    dx_slice meta;
    dx_err err;
    begin(&l);
    write_log(new_file(&l), 0, 3000);
    write_log(new_file(&l), 3000, 9000);
    forget(&l, read_all(&l, 0, 2, 1, &whole));
    for (size_t i = 0; i < 2; i++)
        forget(&l, read_all(&l, i, 1, 1, &parts[i]));
    dx_calls *c = read_all(&l, 0, 0, 1, &sum);
    dx_buf_clear(&sum);
    for (size_t i = 2; i-- > 0;)
        ok(dx_calls_merge(c, dx_buf_slice(&parts[i]), &meta, &err) == DX_OK
               && dx_slice_is(meta, "meta"),
           "merged, with what was written beside it");
    ok(dx_calls_write(c, dx_s("meta"), &sum, &err) == DX_OK, "and written");
    ok(dx_slice_eq(dx_buf_slice(&whole), dx_buf_slice(&sum)), "parts are the whole, bit for bit");
    size_t taken = 0;
    for (size_t i = 0; i < whole.n; i += 1 + i / 20) {
        whole.p[i] ^= 0x10;
        taken += dx_calls_merge(c, dx_buf_slice(&whole), &meta, &err) == DX_OK;
        whole.p[i] ^= 0x10;
        taken += dx_calls_merge(c, dx_sn(whole.p, i), &meta, &err) == DX_OK;
    }
    is_int(taken, 0, "a damaged file is refused");
    forget(&l, c);
    const dx_calls_opts other = {.by = by, .n = 2, .from_ms = DX_TIME_NONE, .to_ms = DX_TIME_NONE};
    ok(dx_calls_new(&c, &other, &err) == DX_OK, "grouped by less");
    is_int(dx_calls_merge(c, dx_buf_slice(&whole), &meta, &err), DX_E_USAGE, "it is not merged");
    dx_calls_free(c);
    dx_buf_done(&whole);
    dx_buf_done(&parts[0]);
    dx_buf_done(&parts[1]);
    dx_buf_done(&sum);
    end(&l);
}

static bool stop_now(void *arg) {
    ++*(int *)arg;
    return true;
}

static void test_trouble(void) {
    logs l;
    dx_calls *c;
    dx_err err;
    int asked = 0;
    begin(&l);
    fclose(new_file(&l)); /* empty */
    write_log(new_file(&l), 0, 30000);
    l.files[l.n++] = (dx_calls_file){.path = "/nonexistent/x", .name = "x"};
    for (unsigned threads = 1; threads <= 2; threads++) {
        dx_calls_opts opts = {.by = by,
                              .n = 1,
                              .from_ms = START + 5000 * 250,
                              .to_ms = START + 6000 * 250,
                              .threads = threads};
        ok(dx_calls_new(&c, &opts, &err) == DX_OK, "new");
        ok(dx_calls_read(c, l.files, 3, &err) == DX_OK, "a file that is not there harms nobody");
        ok(l.files[2].status == DX_E_IO && l.files[2].message[0] != '\0', "but says so");
        ok(l.files[0].kind == DX_SOURCE_UNKNOWN, "an empty one is nothing");
        ok(count(c) >= 333 && count(c) <= 343, "calls of a time");
        forget(&l, c);
        opts.stop = stop_now;
        opts.stop_arg = &asked;
        ok(dx_calls_new(&c, &opts, &err) == DX_OK, "new");
        is_int(dx_calls_read(c, l.files, 3, &err), DX_E_LIMIT, "stopped");
        forget(&l, c);
    }
    ok(asked >= 2, "when asked");
    const char *const wrong[] = {"tabel"};
    const dx_calls_opts opts = {.by = wrong, .n = 1};
    is_int(dx_calls_new(&c, &opts, &err), DX_E_USAGE, "a name that is no key");
    l.n = 2;
    end(&l);
}

/* The i-th call of a scanner, which tells its table or not. */
static void scan_call(FILE *f, uint64_t i, uint64_t scanner, const char *details) {
    stamp(f, i, "WARN", "ipc.RpcServer");
    fprintf(f,
            "(responseTooSlow): {\"starttimems\":%lld,\"method\":\"Scan\",\"param\":\"scanner_id: "
            "%llu number_of_rows: 100\",\"processingtimems\":5,\"client\":\"10.0.0.1:4000\","
            "\"queuetimems\":0%s}\n",
            (long long)(START + (int64_t)i * 250), (unsigned long long)scanner, details);
}

#define DETAILS ",\"scandetails\":\"table: ns:t region: ns:t,,1.0123456789abcdef0123456789abcdef.\""

/* Calls whose table is ns:t, and all; --from leaves calls out, but not what they tell. */
static void count_scans(logs *l, unsigned threads, int64_t from_ms, uint64_t *named,
                        uint64_t *all) {
    const dx_calls_opts opts = {
        .by = by, .n = 5, .from_ms = from_ms, .to_ms = DX_TIME_NONE, .threads = threads};
    const size_t parts[] = {0};
    dx_calls *c = NULL;
    dx_digest *d = NULL;
    dx_err err;
    *named = *all = 0;
    bool good = dx_calls_new(&c, &opts, &err) == DX_OK
                && dx_calls_read(c, l->files, l->n, &err) == DX_OK
                && dx_calls_digest(c, parts, 1, 0, &d, &err) == DX_OK;
    ok(good, "read with %u threads", threads);
    for (size_t i = 0; good && i < dx_digest_count(d); i++) {
        const dx_digest_group *g = dx_digest_at(d, i);
        *all += g->calls;
        *named += dx_slice_is(dx_calls_key_part(g->key, 0).text, "ns:t") ? g->calls : 0;
    }
    dx_digest_free(d);
    forget(l, c);
}

static void test_scanners(void) {
    enum { SCANNERS = 9000 };
    logs l;
    begin(&l);
    FILE *f = new_file(&l);
    for (uint64_t i = 0; i < SCANNERS;
         i++) { /* the last tells no table, and the next is unheard of */
        scan_call(f, 3 * i, UINT64_C(12770306947168620354) + i, DETAILS);
        scan_call(f, 3 * i + 1, UINT64_C(12770306947168620354) + i, "");
        scan_call(f, 3 * i + 2, i, "");
    }
    fclose(f);
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        uint64_t named, all;
        count_scans(&l, threads, DX_TIME_NONE, &named, &all);
        is_int((int64_t)all, 3 * SCANNERS, "all calls");
        is_int((int64_t)named, 2 * SCANNERS,
               "a scanner's last call has the table of the one before");
        count_scans(&l, threads, START + (3 * SCANNERS - 2) * 250, &named, &all);
        is_int((int64_t)all, 2, "the last two");
        is_int((int64_t)named, 1, "one is named by a call before that time");
    }
    end(&l);
}

int main(void) {
    test_scanners();
    test_threads();
    test_copies();
    test_dumps();
    test_files();
    test_trouble();
    return done();
}

/* test_calls_live.c - calls of logs that are followed come into the digest as they do from logs
 * that are read. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "dx_calls_live.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

#define CALL(start, proc)                                                                          \
    "2026-03-02 10:00:01,000 WARN  [h=1] ipc.RpcServer: (responseTooSlow): {\"call\":\"Get(x)\","  \
    "\"starttimems\":" #start                                                                      \
    ",\"responsesize\":12,\"method\":\"Get\",\"processingtimems\":" #proc                          \
    ",\"client\":\"10.0.0.1:50\",\"queuetimems\":0,\"class\":\"HRegionServer\"}\n"

enum { FILES = 2 };

typedef struct world {
    char dir[200], paths[FILES][256];
    dx_calls *c;
    dx_calls_file *files;
    dx_calls_live *live[FILES];
    int64_t now;
    dx_err err;
} world;

static void append(const char *path, const char *text) {
    FILE *f = fopen(path, "a");
    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
        printf("Bail out! cannot write %s\n", path);
}

static void begin(world *w) {
    static const char *const by[] = {"method", "server"};
    const char *tmp = getenv("TMPDIR");
    const dx_calls_opts opts = {.by = by, .n = 2, .from_ms = 1772445000000, .to_ms = DX_TIME_NONE};
    *w = (world){.now = 1000000};
    snprintf(w->dir, sizeof w->dir, "%.150s/live-XXXXXX", tmp == NULL ? "/tmp" : tmp);
    if (mkdtemp(w->dir) == NULL)
        printf("Bail out! no folder for the test\n");
    for (int i = 0; i < FILES; i++)
        snprintf(w->paths[i], sizeof w->paths[i], "%s/%d.log", w->dir, i);
    ok(dx_calls_new(&w->c, &opts, &w->err) == DX_OK, "begun");
}

/* One more file, in an array that lies elsewhere than before. */
static void follow(world *w, size_t i) {
    dx_calls_file *more = calloc(i + 1, sizeof *more);
    if (i > 0)
        memcpy(more, w->files, i * sizeof *more);
    free(w->files);
    w->files = more;
    more[i] = (dx_calls_file){.path = w->paths[i], .name = w->paths[i], .server = i ? "b" : "a"};
    dx_calls_set_files(w->c, more, i + 1);
    const dx_follow_opts opts = {.last = DX_FOLLOW_ALL};
    ok(dx_calls_live_open(&w->live[i], w->c, i, &opts, &w->err) == DX_OK, "followed");
}

static void step(world *w, size_t i) {
    dx_follow_news news;
    dx_status st;
    do
        st = dx_calls_live_step(w->live[i], w->now, &news, &w->err);
    while (st == DX_OK && news.what != DX_FOLLOW_NOTHING);
    ok(st == DX_OK, "stepped");
}

/* Groups, and the calls of the first. */
static void digest(const world *w, size_t groups, uint64_t calls, int64_t proc_ms) {
    const size_t parts[] = {0, 1};
    dx_digest *d = NULL;
    dx_err err;
    ok(dx_calls_digest(w->c, parts, 2, 0, &d, &err) == DX_OK, "digested");
    is_int(dx_digest_count(d), groups, "groups");
    if (groups > 0) {
        is_int(dx_digest_at(d, 0)->calls, calls, "calls of the first");
        is_int(dx_digest_at(d, 0)->proc_ms.sum, proc_ms, "their time");
    }
    dx_digest_free(d);
}

static void test_two(void) {
    world w;
    begin(&w);
    digest(&w, 0, 0, 0);
    append(w.paths[0], CALL(1772445600000, 10) CALL(1772445600000, 20) CALL(1772440000000, 5));
    follow(&w, 0);
    step(&w, 0);
    digest(&w, 1, 2, 30);
    append(w.paths[1], CALL(1772445600000, 100));
    follow(&w, 1);
    step(&w, 1);
    step(&w, 0);
    digest(&w, 1, 2, 30);
    w.now += 10000;
    step(&w, 1);
    digest(&w, 2, 1, 100);
    append(w.paths[0], CALL(1772445600001, 200));
    ok(dx_calls_live_stop(w.live[1], &w.err) == DX_OK, "stopped");
    step(&w, 0);
    ok(dx_calls_live_stop(w.live[0], &w.err) == DX_OK, "stopped");
    digest(&w, 2, 3, 230);
    is_int(w.files[0].cov.calls, 4, "calls of a file, also those of another time");
    is_int(w.files[0].cov.lines, 4, "its lines");
    is_int(w.files[1].cov.calls, 1, "calls of the other");
    for (int i = 0; i < FILES; i++) {
        dx_calls_live_close(w.live[i]);
        dx_calls_file_done(&w.files[i]);
        remove(w.paths[i]);
    }
    dx_calls_live_close(NULL);
    dx_calls_free(w.c);
    free(w.files);
    rmdir(w.dir);
}

int main(void) {
    test_two();
    return done();
}

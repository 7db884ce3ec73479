/* test_follow.c - files that are written, renamed, truncated and removed while they are followed.
 * The clock is ours. */
#define _XOPEN_SOURCE 700 /* mkdtemp, truncate */
#include "dx_buf.h"
#include "dx_follow.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct world {
    char dir[200], log[256], old[256];
    dx_follow *f;
    int64_t now;
    dx_err err;
} world;

static void write_as(const char *path, const char *mode, const void *p, size_t n) {
    FILE *f = fopen(path, mode);
    if (f == NULL || fwrite(p, 1, n, f) != n || fclose(f) != 0)
        printf("Bail out! cannot write %s\n", path);
}

static void append(const char *path, const char *text) {
    write_as(path, "a", text, strlen(text));
}

static void put(const char *path, const char *text) {
    write_as(path, "w", text, strlen(text));
}

static world begin(const char *there, dx_follow_opts opts) {
    const char *tmp = getenv("TMPDIR");
    world w = {.now = 1000000};
    snprintf(w.dir, sizeof w.dir, "%.150s/follow-XXXXXX", tmp == NULL ? "/tmp" : tmp);
    if (mkdtemp(w.dir) == NULL)
        printf("Bail out! no folder for the test\n");
    snprintf(w.log, sizeof w.log, "%s/rs.log", w.dir);
    snprintf(w.old, sizeof w.old, "%s/rs.log.1", w.dir);
    if (there != NULL)
        put(w.log, there);
    if (dx_follow_open(&w.f, w.log, &opts, &w.err) != DX_OK)
        printf("Bail out! %s\n", w.err.msg);
    return w;
}

static world begin_all(const char *there) {
    return begin(there, (dx_follow_opts){.last = DX_FOLLOW_ALL});
}

static void finish(world *w) {
    dx_follow_close(w->f);
    remove(w->log);
    remove(w->old);
    rmdir(w->dir);
}

static void add_text(dx_buf *out, dx_slice text) {
    for (size_t i = 0; i < text.n; i++)
        dx_buf_addc(out, text.p[i] == '\n' ? '/' : text.p[i]);
}

/* All news up to NOTHING, as words. */
static void gather(world *w, dx_buf *out) {
    dx_follow_news n;
    do {
        if (dx_follow_next(w->f, w->now, &n, &w->err) != DX_OK) {
            dx_buf_addf(out, "error: %s ", w->err.msg);
            break;
        }
        switch (n.what) {
        case DX_FOLLOW_BEGIN:
            dx_buf_addf(out, "begin %" PRIu64 " %" PRIu64 " ", n.offset, n.lines);
            break;
        case DX_FOLLOW_TEXT:
            dx_buf_addf(out, "%" PRIu64 ":", n.offset);
            add_text(out, n.text);
            dx_buf_addc(out, ' ');
            break;
        case DX_FOLLOW_END: dx_buf_addf(out, "end(%s) ", n.reason); break;
        case DX_FOLLOW_ABSENT: dx_buf_addf(out, "absent(%s) ", n.reason); break;
        case DX_FOLLOW_REFUSED: dx_buf_addf(out, "refused(%s) ", n.reason); break;
        case DX_FOLLOW_NOTHING:
        case DX_FOLLOW_MORE: break;
        }
    } while (n.what != DX_FOLLOW_NOTHING);
}

#define news(w, want, what)                                                                        \
    do {                                                                                           \
        dx_buf got_;                                                                               \
        dx_buf_init(&got_, 0);                                                                     \
        gather(w, &got_);                                                                          \
        is_slice(dx_buf_slice(&got_), want, what);                                                 \
        dx_buf_done(&got_);                                                                        \
    } while (0)

static void test_growing(void) {
    world w = begin_all("one\ntwo\n");
    news(&w, "begin 0 0 0:one/two/ ", "what is there comes first");
    news(&w, "", "then nothing");
    append(w.log, "three\nfo");
    news(&w, "8:three/ ", "a line comes when it is whole");
    append(w.log, "u");
    news(&w, "", "half a line is waited for");
    w.now += 60000;
    news(&w, "", "however long");
    append(w.log, "r\nfive\n");
    news(&w, "14:four/five/ ", "and comes from its beginning");
    append(w.log, "si");
    news(&w, "", "half a line");
    dx_follow_stop(w.f);
    news(&w, "24:si end(stopped) ", "comes as it is at the end");
    append(w.log, "x\n");
    news(&w, "", "behind which nothing comes");
    finish(&w);
}

static void test_last(void) {
    world w = begin("one\ntwo\nthree\nfour\n", (dx_follow_opts){.last = 8});
    news(&w, "begin 14 3 14:four/ ", "lines before the last bytes are counted only");
    finish(&w);
    w = begin("one\ntwo\nthree\nfour\n", (dx_follow_opts){.last = 5});
    news(&w, "begin 14 3 14:four/ ", "where the last bytes begin with a line, it is one of them");
    finish(&w);
    w = begin("one\ntwo\nthree\nfour\n", (dx_follow_opts){.last = 0});
    news(&w, "begin 19 4 ", "none of what is there");
    append(w.log, "five\n");
    news(&w, "19:five/ ", "but what comes");
    finish(&w);
    w = begin("one\ntwo\nthr", (dx_follow_opts){.last = 0});
    news(&w, "begin 8 2 ", "a half line that is there");
    append(w.log, "ee\n");
    news(&w, "8:three/ ", "is not lost");
    finish(&w);
    w = begin("one\n", (dx_follow_opts){.last = 100});
    news(&w, "begin 0 0 0:one/ ", "a small file comes whole");
    finish(&w);
}

static void test_rename(void) {
    world w = begin_all("one\n");
    news(&w, "begin 0 0 0:one/ ", "the first file");
    append(w.log, "two\n");
    rename(w.log, w.old);
    put(w.log, "new\n");
    append(w.old, "three\nha");
    news(&w, "4:two/three/ ", "the renamed file is read on");
    w.now += DX_FOLLOW_GRACE_MS - 1;
    append(w.old, "lf\n");
    news(&w, "14:half/ ", "while its writer has it open");
    w.now += DX_FOLLOW_GRACE_MS - 1;
    news(&w, "", "it was quiet for less than the grace");
    w.now += 1;
    news(&w, "end(renamed) begin 0 0 0:new/ ", "then the new one is");
    append(w.log, "newer\n");
    news(&w, "4:newer/ ", "and goes on");
    finish(&w);
}

static void test_half_line_renamed(void) {
    world w = begin_all("one\nla");
    news(&w, "begin 0 0 0:one/ ", "a half line");
    rename(w.log, w.old);
    put(w.log, "new\n");
    news(&w, "", "renamed");
    w.now += DX_FOLLOW_GRACE_MS;
    news(&w, "4:la end(renamed) begin 0 0 0:new/ ", "it comes before the new file");
    finish(&w);
}

static void test_truncate(void) {
    world w = begin_all("one\ntwo\nha");
    news(&w, "begin 0 0 0:one/two/ ", "before");
    put(w.log, "a\n");
    news(&w, "8:ha end(truncated) begin 0 0 0:a/ ", "a file that shrinks begins anew");
    put(w.log, "b is the first line now\nand more than was there\n");
    news(&w, "end(truncated) begin 0 0 0:b is the first line now/and more than was there/ ",
         "also where it has grown beyond the old end, by its first bytes");
    finish(&w);
}

static void test_truncate_to_nothing(void) {
    world w = begin_all("one\ntwo\n");
    news(&w, "begin 0 0 0:one/two/ ", "before");
    ok(truncate(w.log, 0) == 0, "truncated");
    news(&w, "end(truncated) begin 0 0 ", "empty");
    append(w.log, "new\n");
    news(&w, "0:new/ ", "and filled again");
    put(w.log, "other\n");
    news(&w, "end(truncated) begin 0 0 0:other/ ", "the first bytes are those of the new content");
    finish(&w);
}

/* A writer that does not append goes on at its old place, and leaves a hole before it. */
static void test_hole(void) {
    static const char nuls[300000] = {0};
    world w = begin_all("one\ntwo\n");
    news(&w, "begin 0 0 0:one/two/ ", "before");
    write_as(w.log, "w", nuls, sizeof nuls);
    append(w.log, "three\n");
    news(&w, "end(truncated) begin 0 0 300000:three/ ", "a hole is no line");
    append(w.log, "four\n");
    news(&w, "300006:four/ ", "and what comes stands where it stands");
    finish(&w);
}

static void test_absent(void) {
    world w = begin_all(NULL);
    news(&w, "absent(No such file or directory) ", "a file that is not there is waited for");
    news(&w, "", "and that is said once");
    put(w.log, "one\n");
    news(&w, "begin 0 0 0:one/ ", "it comes");
    rename(w.log, w.old);
    news(&w, "absent(No such file or directory) ", "it goes");
    append(w.old, "two\n");
    w.now += 60000;
    news(&w, "4:two/ ", "its writer has it open still");
    put(w.log, "new\n");
    news(&w, "", "it comes back");
    w.now += DX_FOLLOW_GRACE_MS;
    news(&w, "end(renamed) begin 0 0 0:new/ ", "as another one");
    remove(w.log);
    news(&w, "absent(No such file or directory) ", "gone again, said again");
    rename(w.old, w.log);
    news(&w, "", "the old one is back under its name");
    w.now += DX_FOLLOW_GRACE_MS;
    news(&w, "end(renamed) begin 0 0 0:one/two/ ", "and is another one than the last");
    finish(&w);
}

static void test_absent_comes_whole(void) {
    world w = begin(NULL, (dx_follow_opts){.last = 0});
    news(&w, "absent(No such file or directory) ", "absent at the start");
    put(w.log, "one\ntwo\n");
    news(&w, "begin 0 0 0:one/two/ ", "all of a file that comes later is new");
    finish(&w);
}

static void test_refused(void) {
    static const struct {
        const char *head, *why;
    } rows[] = {
        {"\x1f\x8b\x08\x01", "refused(it is compressed, and does not grow line by line) "},
        {"{\"beans\":[{\"name\":\"java.lang:type=Memory\"}]}", "refused(it is a /jmx dump) "},
        {"\x01\x02\x03\x04\x05\x06", "refused(it is no text) "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        world w = begin_all(rows[i].head);
        news(&w, rows[i].why, rows[i].why);
        append(w.log, "more\n");
        news(&w, "", "for good");
        finish(&w);
        w = begin_all("");
        news(&w, "begin 0 0 ", "empty at first");
        append(w.log, rows[i].head);
        news(&w, rows[i].why, rows[i].why);
        finish(&w);
    }
    world w = begin_all(NULL);
    ok(mkdir(w.log, 0700) == 0, "a folder");
    news(&w, "refused(it is no regular file) ", "is none to follow");
    rmdir(w.log);
    finish(&w);
}

static void test_long_line(void) {
    world w = begin("0123456789", (dx_follow_opts){.last = DX_FOLLOW_ALL, .line_max = 8});
    news(&w, "begin 0 0 0:0123456789 ", "a line that is too long comes as far as it is there");
    append(w.log, "more");
    news(&w, "", "its rest is left out");
    append(w.log, "end\nshort\n");
    news(&w, "18:short/ ", "up to its end");
    finish(&w);
}

static void test_many_blocks(void) {
    enum { LINES = 100000 };
    world w = begin_all(NULL);
    FILE *f = fopen(w.log, "w");
    for (int i = 0; i < LINES; i++)
        fprintf(f, "line %d\n", i);
    fclose(f);
    dx_follow_news n = {.what = DX_FOLLOW_MORE};
    uint64_t lines = 0, next = 0, bad = 0;
    while (n.what != DX_FOLLOW_NOTHING && dx_follow_next(w.f, w.now, &n, &w.err) == DX_OK) {
        if (n.what != DX_FOLLOW_TEXT)
            continue;
        bad += n.offset != next || !dx_slice_ends(n.text, "\n");
        next = n.offset + n.text.n;
        for (size_t i = 0; i < n.text.n; i++)
            lines += n.text.p[i] == '\n';
    }
    is_int(lines, LINES, "all lines of a large file come");
    is_int(bad, 0, "in whole lines, none left out");
    finish(&w);
    w = begin(NULL, (dx_follow_opts){.last = 0});
    dx_follow_close(NULL);
    finish(&w);
}

int main(void) {
    test_growing();
    test_last();
    test_rename();
    test_half_line_renamed();
    test_truncate();
    test_truncate_to_nothing();
    test_hole();
    test_absent();
    test_absent_comes_whole();
    test_refused();
    test_long_line();
    test_many_blocks();
    return done();
}

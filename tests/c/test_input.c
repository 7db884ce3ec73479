/* test_input.c - the same lines from a file, from memory, gzipped, and cut at every byte. */
#define _XOPEN_SOURCE 700 /* setenv, mkdtemp, P_tmpdir */
#include "dx_input.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

/* "first line\nsecond " and "line\nthird\n", packed by gzip -n and zstd --check */
static const char GZ_1[] =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\xcb\x2c\x2a\x2e\x51\xc8\xc9"
    "\xcc\x4b\xe5\x2a\x4e\x4d\xce\xcf\x4b\x51\x00\x00\x4d\x8a\xa6\x9d\x12"
    "\x00\x00\x00";
static const char GZ_2[] =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\xc9\xcc\x4b\xe5\x2a\xc9\xc8"
    "\x2c\x4a\xe1\x02\x00\x5f\x01\x8f\x7d\x0b\x00\x00\x00";
static const char ZST_1[] = "\x28\xb5\x2f\xfd\x04\x58\x91\x00\x00"
                            "first line\x0asecond \x5b\xcb\x2d\x31";
static const char ZST_2[] = "\x28\xb5\x2f\xfd\x04\x58\x59\x00\x00"
                            "line\x0athird\x0a\x49\xf0\x86\x40";
static const char SKIPPABLE[] = "\x50\x2a\x4d\x18\x03\x00\x00\x00xyz";

static char folder[512];

static const char *in_folder(const char *name) {
    static char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static const char *file_of(dx_slice bytes) {
    const char *path = in_folder("file");
    FILE *f = fopen(path, "wb");
    fwrite(bytes.p, 1, bytes.n, f);
    fclose(f);
    return path;
}

/* All lines, each followed by '|' ('+' when it was cut); then the name of the status at the end. */
static dx_status lines_of(dx_input *in, size_t max_line, dx_buf *out, dx_err *err) {
    dx_slice line;
    uint64_t offset;
    bool cut;
    dx_status s;
    while ((s = dx_input_line(in, max_line, &line, &offset, &cut, err)) == DX_ROW) {
        dx_buf_add(out, line.p, line.n);
        dx_buf_addc(out, cut ? '+' : '|');
    }
    return s;
}

typedef struct outcome {
    dx_status status;
    dx_buf text;
    uint64_t fingerprint, bytes;
    dx_err err;
} outcome;

static outcome read_bytes(dx_slice bytes, size_t max_line, bool file) {
    outcome o = {0};
    dx_input *in = NULL;
    dx_buf_init(&o.text, 0);
    o.status = file ? dx_input_open(&in, file_of(bytes), &o.err)
                    : dx_input_open_bytes(&in, bytes, "bytes", &o.err);
    if (o.status == DX_OK)
        o.status = lines_of(in, max_line, &o.text, &o.err);
    if (in != NULL) {
        o.fingerprint = dx_input_fingerprint(in);
        o.bytes = dx_input_bytes_read(in);
    }
    dx_input_close(in);
    return o;
}

static void is_lines(dx_slice bytes, const char *want, const char *what) {
    for (int file = 0; file < 2; file++) {
        outcome o = read_bytes(bytes, 100, file);
        if (!ok(o.status == DX_DONE, "%s ends well (%s)", what, file ? "file" : "memory"))
            printf("# %s\n", o.err.msg);
        is_slice(dx_buf_slice(&o.text), want, what);
        dx_buf_done(&o.text);
    }
}

static dx_slice joined(dx_buf *b, const char *p1, size_t n1, const char *p2, size_t n2) {
    dx_buf_clear(b);
    dx_buf_add(b, p1, n1);
    dx_buf_add(b, p2, n2);
    return dx_buf_slice(b);
}

static void test_lines(void) {
    is_lines(dx_s(""), "", "an empty file");
    is_lines(dx_s("\n"), "|", "one empty line");
    is_lines(dx_s("a\nb\n"), "a|b|", "two lines");
    is_lines(dx_s("a\r\nb\r\n\r\n"), "a|b||", "CRLF");
    is_lines(dx_s("a\rb\n"), "a\rb|", "a CR within a line stays");
    is_lines(dx_s("a\nhalf"), "a|half|", "half a last line");
    is_lines(dx_s("a\nhalf\r"), "a|half|", "half a line end");
    is_lines(dx_s("\xef\xbb\xbfhead\n\xef\xbb\xbfx\n"), "head|\xef\xbb\xbfx|",
             "a byte order mark only at the head");
    dx_buf b;
    dx_buf_init(&b, 0);
    outcome o = read_bytes(joined(&b, "a\0b\n\0\n", 6, "", 0), 100, true);
    ok(o.text.n == 6 && memcmp(o.text.p, "a\0b|\0|", 6) == 0, "NUL bytes are bytes");
    dx_buf_done(&o.text);
    dx_buf_done(&b);
}

static void test_cut(void) {
    static const struct {
        const char *text, *want;
    } rows[] = {{"12345\nx\n", "12345|x|"},
                {"12345\r\nx\n", "12345|x|"},
                {"123456\nx\n", "12345+x|"},
                {"123456\r\nx\n", "12345+x|"},
                {"1234567\nx\n", "12345+x|"},
                {"12345678901234567890\nx\n", "12345+x|"},
                {"12345678901234567890", "12345+"},
                {"1234567", "12345+"},
                {"12345\r", "12345|"},
                {"123456", "12345+"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        outcome o = read_bytes(dx_s(rows[i].text), 5, true);
        is_slice(dx_buf_slice(&o.text), rows[i].want, "lines of at most five bytes");
        is_int(o.bytes, strlen(rows[i].text), "all bytes are counted");
        dx_buf_done(&o.text);
    }
}

static void test_long_lines(void) {
    dx_buf b, want;
    dx_buf_init(&b, 0);
    dx_buf_init(&want, 0);
    for (size_t i = 0; i < 40; i++) { /* lines around and over the blocks that are read */
        for (size_t k = 0; k < i * 40000; k++)
            dx_buf_addc(&b, (char)('a' + (i + k) % 26));
        dx_buf_addc(&b, '\n');
    }
    dx_buf_add(&want, b.p, b.n);
    for (size_t i = 0; i < want.n; i++)
        if (want.p[i] == '\n')
            want.p[i] = '|';
    outcome file = read_bytes(dx_buf_slice(&b), 1u << 24, true);
    outcome memory = read_bytes(dx_buf_slice(&b), 1u << 24, false);
    ok(dx_slice_eq(dx_buf_slice(&file.text), dx_buf_slice(&want)), "31 MB of long lines, file");
    ok(dx_slice_eq(dx_buf_slice(&memory.text), dx_buf_slice(&want)), "and memory");
    ok(file.fingerprint == memory.fingerprint, "with the same fingerprint");
    dx_buf_done(&file.text);
    dx_buf_done(&memory.text);
    file = read_bytes(dx_buf_slice(&b), 1000000, true);
    size_t lost = 0; /* lines of 1,040,000 bytes and more lose what is over 1,000,000 */
    for (size_t i = 26; i < 40; i++)
        lost += i * 40000 - 1000000;
    is_int(file.text.n, want.n - lost, "a long line loses only its own tail");
    dx_buf_done(&file.text);
    dx_buf_done(&b);
    dx_buf_done(&want);
}

static void test_offsets(void) {
    dx_input *in = NULL;
    dx_slice line, head;
    uint64_t offset = 99;
    bool cut;
    ok(dx_input_open_bytes(&in,
                           dx_s("\xef\xbb\xbf"
                                "ab\r\nlonger\nc"),
                           "x", NULL)
           == DX_OK,
       "opens");
    ok(dx_input_peek(in, &head, NULL) == DX_OK && dx_slice_is(head, "ab\r\nlonger\nc"), "peek");
    dx_status s = dx_input_line(in, 3, &line, &offset, &cut, NULL);
    ok(s == DX_ROW && offset == 3 && !cut, "the first line begins after the mark");
    s = dx_input_line(in, 3, &line, &offset, &cut, NULL);
    ok(s == DX_ROW && offset == 7 && cut && dx_slice_is(line, "lon"), "the second, cut");
    s = dx_input_line(in, 3, &line, &offset, &cut, NULL);
    ok(s == DX_ROW && offset == 14 && !cut, "the third begins behind all of the second");
    is_int(dx_input_line(in, 3, &line, &offset, &cut, NULL), DX_DONE, "and that was it");
    is_int(dx_input_line(in, 3, &line, &offset, &cut, NULL), DX_DONE, "for ever");
    dx_input_close(in);
}

static void test_packed(void) {
    dx_buf b;
    dx_buf_init(&b, 0);
    const size_t g1 = sizeof GZ_1 - 1, g2 = sizeof GZ_2 - 1, z1 = sizeof ZST_1 - 1,
                 z2 = sizeof ZST_2 - 1;
    is_lines(dx_sn(GZ_2, g2), "line|third|", "gzip");
    is_lines(joined(&b, GZ_1, g1, GZ_2, g2), "first line|second line|third|", "two gzip members");
    is_lines(joined(&b, GZ_2, g2, "\0\0\0\0", 4), "line|third|", "zeros pad a gzip file");
    is_lines(joined(&b, ZST_1, z1, ZST_2, z2), "first line|second line|third|", "two zstd frames");
    is_lines(joined(&b, SKIPPABLE, sizeof SKIPPABLE - 1, ZST_2, z2), "line|third|",
             "a skippable frame");
    outcome o = read_bytes(joined(&b, GZ_2, g2, "tail", 4), 100, true);
    ok(o.status == DX_E_PARSE && dx_slice_is(dx_buf_slice(&o.text), "line|third|"),
       "bytes behind a gzip file are damage, after its lines");
    dx_buf_done(&o.text);
    dx_buf_done(&b);
}

/* Cut at every byte, and with every byte changed: whole lines first, then an error; no crash. */
static void test_damage(const char *name, const char *p1, size_t n1, const char *p2, size_t n2) {
    const char *whole = "first line|second line|third|";
    dx_buf b;
    dx_buf_init(&b, 0);
    joined(&b, p1, n1, p2, n2);
    size_t silent = 0, wrong = 0, named = 0;
    for (size_t n = 6; n < b.n; n++) {
        outcome o = read_bytes(dx_sn(b.p, n), 100, false);
        if (o.status == DX_DONE && n != n1)
            silent++;
        if (o.status == DX_E_PARSE && strstr(o.err.msg, "bytes:") == o.err.msg)
            named++;
        if (o.text.n > 0 && memcmp(o.text.p, whole, o.text.n - 1) != 0)
            wrong++;
        dx_buf_done(&o.text);
    }
    ok(silent == 0, "%s cut at any byte but between members is damage", name);
    ok(wrong == 0, "%s: what comes before the cut is right", name);
    ok(named == b.n - 7, "%s: and the message names the source", name);
    for (size_t i = 0; i < b.n; i++) {
        b.p[i] ^= 0x55;
        outcome o = read_bytes(dx_buf_slice(&b), 100, true);
        ok(o.status == DX_DONE || o.status == DX_E_PARSE || o.status == DX_E_NOMEM,
           "%s with byte %zu changed", name, i);
        dx_buf_done(&o.text);
        b.p[i] ^= 0x55;
    }
    dx_buf_done(&b);
}

/* The decoder would take a small frame whole, and say nothing of it when its end is wrong. */
static void test_zstd_end(void) {
    dx_buf b;
    dx_buf_init(&b, 0);
    joined(&b, ZST_1, sizeof ZST_1 - 1, ZST_2, sizeof ZST_2 - 1);
    b.p[b.n - 1] ^= 1; /* of the checksum */
    for (int file = 0; file < 2; file++) {
        outcome o = read_bytes(dx_buf_slice(&b), 100, file);
        is_int(o.status, DX_E_PARSE, "a zstd file whose end is wrong is damaged");
        is_slice(dx_buf_slice(&o.text), "first line|second line|third|", "and gives its lines");
        dx_buf_done(&o.text);
    }
    dx_buf_done(&b);
}

static void test_slurp(void) {
    dx_input *in = NULL;
    dx_buf b;
    dx_buf_init(&b, 0);
    dx_buf_adds(&b, "has ");
    ok(dx_input_open(&in, file_of(dx_s("0123456789")), NULL) == DX_OK, "a file");
    is_int(dx_input_slurp(in, 10, &b, NULL), DX_OK, "all of ten bytes");
    is_slice(dx_buf_slice(&b), "has 0123456789", "is appended");
    dx_input_close(in);
    in = NULL;
    dx_buf_clear(&b);
    ok(dx_input_open(&in, in_folder("file"), NULL) == DX_OK, "again");
    is_int(dx_input_slurp(in, 9, &b, NULL), DX_E_LIMIT, "more than nine bytes");
    is_slice(dx_buf_slice(&b), "012345678", "gives nine");
    dx_input_close(in);
    in = NULL;
    dx_buf_clear(&b);
    ok(dx_input_open_bytes(&in, dx_sn(GZ_1, sizeof GZ_1 - 5), "cut", NULL) == DX_OK, "a cut gzip");
    is_int(dx_input_slurp(in, 1000, &b, NULL), DX_E_PARSE, "is damaged");
    is_slice(dx_buf_slice(&b), "first line\nsecond ", "and gives what came before");
    dx_input_close(in);
    dx_buf_done(&b);
}

static uint64_t fingerprint(dx_slice bytes) {
    outcome o = read_bytes(bytes, 100, false);
    dx_buf_done(&o.text);
    return o.fingerprint;
}

static void test_fingerprint(void) {
    ok(fingerprint(dx_s("a\n")) != fingerprint(dx_s("b\n")), "other bytes, another fingerprint");
    ok(fingerprint(dx_sn("a\0", 2)) != fingerprint(dx_sn("a", 1)), "a NUL at the end counts");
    ok(fingerprint(dx_s("")) != fingerprint(dx_sn("\0\0\0\0\0\0\0\0", 8)), "as do eight");
    ok(fingerprint(dx_s("abcdefgh12345678")) != fingerprint(dx_s("12345678abcdefgh")), "and order");
    ok(fingerprint(dx_sn(GZ_1, sizeof GZ_1 - 1)) != fingerprint(dx_s("first line\nsecond ")),
       "it is of the packed bytes");
    dx_buf b;
    dx_buf_init(&b, 0);
    joined(&b, GZ_1, sizeof GZ_1 - 1, "junk and more junk", 18);
    uint64_t one = fingerprint(dx_buf_slice(&b));
    b.p[b.n - 1] = '!';
    ok(one != fingerprint(dx_buf_slice(&b)), "also of what lies behind the damage");
    outcome o = read_bytes(dx_buf_slice(&b), 100, true);
    ok(o.fingerprint == fingerprint(dx_buf_slice(&b)), "from a file as from memory");
    dx_buf_done(&o.text);
    dx_buf_done(&b);
}

static void test_refused(void) {
    dx_input *in = NULL;
    dx_err err = {0};
    is_int(dx_input_open(&in, folder, &err), DX_E_IO, "a folder");
    ok(in == NULL && strstr(err.msg, "folder") != NULL, "is told to be one");
    is_int(dx_input_open(&in, in_folder("none"), &err), DX_E_IO, "a file that is not there");
    static const char *archives[] = {"PK\003\004rest",
                                     "\375"
                                     "7zXZ"
                                     "rest",
                                     "BZh9rest"};
    for (size_t i = 0; i < 3; i++) {
        outcome o = read_bytes(dx_s(archives[i]), 100, true);
        ok(o.status == DX_E_PARSE && strstr(o.err.msg, "unpack") != NULL, "%s", o.err.msg);
        dx_buf_done(&o.text);
    }
}

/* A device without an end is no source; what a user pipes or types is. */
static void test_devices(void) {
    dx_input *in = NULL;
    dx_err err = {0};
    dx_slice line;
    uint64_t offset;
    bool cut;
    ok(dx_input_open(&in, "/dev/zero", &err) == DX_E_IO
           && strstr(err.msg, "/dev/zero: is a character device") != NULL,
       "refused: %s", err.msg);
    ok(dx_input_open(&in, "/dev/null", &err) == DX_OK
           && dx_input_line(in, 100, &line, &offset, &cut, &err) == DX_DONE,
       "/dev/null is an empty file");
    dx_input_close(in);
    int ends[2];
    char name[40];
    if (!ok(pipe(ends) == 0 && write(ends[1], "one\n", 4) == 4, "a pipe"))
        return;
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    ok(dx_input_open(&in, name, &err) == DX_OK
           && dx_input_line(in, 100, &line, &offset, &cut, &err) == DX_ROW,
       "is read by its name");
    is_slice(line, "one", "its line");
    dx_input_close(in);
    close(ends[0]);
}

static void test_shrinking(void) {
    dx_buf b;
    dx_buf_init(&b, 0);
    for (size_t i = 0; i < 400000; i++)
        dx_buf_adds(&b, "a line\n");
    const char *path = file_of(dx_buf_slice(&b));
    dx_input *in = NULL;
    dx_slice line;
    uint64_t offset, lines = 1;
    bool cut;
    ok(dx_input_open(&in, path, NULL) == DX_OK
           && dx_input_line(in, 100, &line, &offset, &cut, NULL) == DX_ROW,
       "a file of 2.8 MB");
    ok(truncate(path, 10) == 0, "is truncated while it is read");
    while (dx_input_line(in, 100, &line, &offset, &cut, NULL) == DX_ROW)
        lines++;
    ok(lines > 1 && lines < 400000, "and ends early, without a signal");
    dx_input_close(in);
    dx_buf_done(&b);
}

int main(void) {
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/input-XXXXXX", tmp == NULL ? P_tmpdir : tmp);
    if (!ok(mkdtemp(folder) != NULL, "a folder"))
        return done();
    test_lines();
    test_cut();
    test_long_lines();
    test_offsets();
    test_packed();
    test_damage("gzip", GZ_1, sizeof GZ_1 - 1, GZ_2, sizeof GZ_2 - 1);
    test_damage("zstd", ZST_1, sizeof ZST_1 - 1, ZST_2, sizeof ZST_2 - 1);
    test_zstd_end();
    test_slurp();
    test_fingerprint();
    test_refused();
    test_devices();
    test_shrinking();
    remove(in_folder("file"));
    rmdir(folder);
    return done();
}

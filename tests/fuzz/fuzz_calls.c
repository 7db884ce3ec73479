/* fuzz_calls.c - logs and dumps of slow calls into one digest. The first byte says how: bit 0, by
 * other names; bit 1, of a part of the time; bits 2 and 3, with threads, which must change nothing
 * and take long. The rest is two sources, one to the first byte 0x1e and one behind it. */
#define _GNU_SOURCE /* mkstemp, ftruncate, P_tmpdir */
#include "fuzz_digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SOURCES = 2 };

const size_t fuzz_stretch = 1u << 17;

static char path[SOURCES][300];
static int fd[SOURCES];

static void remove_files(void) {
    for (size_t i = 0; i < SOURCES; i++)
        unlink(path[i]);
}

static void make_files(void) {
    const char *tmp = getenv("TMPDIR");
    if (path[0][0] != '\0')
        return;
    for (size_t i = 0; i < SOURCES; i++) {
        snprintf(path[i], sizeof path[i], "%s/hbdx-calls-XXXXXX", tmp == NULL ? P_tmpdir : tmp);
        fd[i] = mkstemp(path[i]);
        fuzz_check(fd[i] >= 0);
    }
    atexit(remove_files);
}

static void fill(size_t i, dx_slice bytes) {
    fuzz_check(ftruncate(fd[i], 0) == 0);
    fuzz_check(bytes.n == 0 || pwrite(fd[i], bytes.p, bytes.n, 0) == (ssize_t)bytes.n);
}

static dx_calls *read_files(const dx_calls_opts *opts, dx_calls_file files[SOURCES]) {
    dx_calls *c;
    dx_err err;
    for (size_t i = 0; i < SOURCES; i++)
        files[i] = (dx_calls_file){.path = path[i], .name = i == 0 ? "rs-1/log" : "rs-2/log"};
    fuzz_check(dx_calls_new(&c, opts, &err) == DX_OK);
    fuzz_check(dx_calls_read(c, files, SOURCES, &err) == DX_OK);
    return c;
}

static void forget(dx_calls *c, dx_calls_file files[SOURCES]) {
    dx_calls_free(c);
    for (size_t i = 0; i < SOURCES; i++)
        dx_calls_file_done(&files[i]);
}

static void look(const dx_calls_file *f) {
    fuzz_touch_string(f->hint);
    fuzz_touch_string(f->message);
    fuzz_check(f->new_calls <= f->cov.calls);
    for (size_t i = 0; i < f->nskips; i++) {
        fuzz_touch_string(f->skips[i].reason);
        fuzz_check(f->skips[i].count > 0 && f->skips[i].sample_n <= sizeof f->skips[i].sample);
    }
}

static void same_with_threads(const dx_calls *c, dx_calls_opts opts, const dx_calls_file *alone) {
    dx_calls_file files[SOURCES];
    dx_buf one, many;
    dx_err err;
    opts.threads = 3;
    dx_calls *other = read_files(&opts, files);
    dx_buf_init(&one, 0);
    dx_buf_init(&many, 0);
    fuzz_check(dx_calls_write(c, dx_s(""), &one, &err) == DX_OK);
    fuzz_check(dx_calls_write(other, dx_s(""), &many, &err) == DX_OK);
    fuzz_check(dx_slice_eq(dx_buf_slice(&one), dx_buf_slice(&many)));
    for (size_t i = 0; i < SOURCES; i++)
        fuzz_check(files[i].new_calls == alone[i].new_calls
                   && files[i].cov.skipped == alone[i].cov.skipped
                   && files[i].nskips == alone[i].nskips);
    forget(other, files);
    dx_buf_done(&one);
    dx_buf_done(&many);
}

void fuzz_one(dx_slice in) {
    static const char *const usual[] = {"table",         "method",       "client",
                                        "filters",       "caching",      "cache_blocks",
                                        "has_start_row", "has_stop_row", "full_range"};
    static const char *const other[] = {"user",    "server", "server_class", "source", "region",
                                        "encoded", "family", "client_port",  "batch",  "hour"};
    dx_calls_file files[SOURCES];
    unsigned how = fuzz_byte(&in);
    dx_calls_opts opts = {.by = how & 1 ? other : usual,
                          .n =
                              how & 1 ? sizeof other / sizeof *other : sizeof usual / sizeof *usual,
                          .from_ms = how & 2 ? INT64_C(1714557600000) : DX_TIME_NONE,
                          .to_ms = how & 2 ? INT64_C(1714557601000) : DX_TIME_NONE};
    make_files();
    fill(0, fuzz_take(&in, '\x1e'));
    fill(1, in);
    dx_calls *c = read_files(&opts, files);
    uint64_t calls = 0;
    for (size_t i = 0; i < SOURCES; i++) {
        look(&files[i]);
        calls += files[i].new_calls;
    }
    uint64_t kept = fuzz_calls_kept(c, &opts);
    fuzz_check(how & 2 ? kept <= calls : kept == calls);
    if ((how & 12) == 12)
        same_with_threads(c, opts, files);
    forget(c, files);
}

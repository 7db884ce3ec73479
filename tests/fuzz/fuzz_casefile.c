/* fuzz_casefile.c - a case file that was mangled. An input is a list of changes to a good one: two
 * bytes of place, a count of bytes, and these; a count of 255 cuts the file there. The place is in
 * units of 8 bytes, so that all of it can be reached. */
#define _GNU_SOURCE /* mkstemp, P_tmpdir */
#include "dx_buf.h"
#include "dx_casefile_digest.h"
#include "dx_fs.h"
#include "fuzz_case.h"

#include <string.h>
#include <unistd.h>

const size_t fuzz_stretch = 0;

static char good_path[300], path[300];
static dx_buf good; /* the whole file */

static void name_file(char out[300]) {
    const char *tmp = getenv("TMPDIR");
    snprintf(out, 300, "%s/hbdx-case-XXXXXX", tmp == NULL ? P_tmpdir : tmp);
    int fd = mkstemp(out);
    fuzz_check(fd >= 0);
    close(fd);
}

static void remove_files(void) {
    unlink(path);
}

static void make_good(void) {
    dx_casefile *c;
    dx_err err;
    if (good.n > 0)
        return;
    name_file(good_path);
    name_file(path);
    unlink(good_path);
    fuzz_check(dx_casefile_open(&c, NULL, true, &err) == DX_OK);
    fuzz_fill(c);
    fuzz_check(dx_casefile_save(c, good_path, &err) == DX_OK);
    dx_casefile_close(c);
    dx_buf_init(&good, 0);
    fuzz_check(dx_fs_read(&good, good_path, 1u << 24, &err) == DX_OK);
    unlink(good_path);
    atexit(remove_files);
}

static size_t mangle(char *bytes, dx_slice in) {
    size_t n = good.n;
    memcpy(bytes, good.p, n);
    while (in.n > 0) {
        size_t at = fuzz_byte(&in);
        at = (at << 8 | fuzz_byte(&in)) * 8 % good.n;
        size_t count = fuzz_byte(&in);
        if (count == 255) {
            n = at < n ? at : n;
            continue;
        }
        for (size_t i = 0; i < count && in.n > 0 && at + i < good.n; i++)
            bytes[at + i] = (char)fuzz_byte(&in);
    }
    return n;
}

static void ask(dx_casefile *c) {
    static const char *const queries[] = {
        "SELECT * FROM call ORDER BY start_ms",
        "SELECT * FROM event",
        "SELECT * FROM scan",
        "SELECT * FROM setting",
        "SELECT s.bean, s.name, p.t_ms, p.value FROM series s JOIN sample p ON p.series_id = s.id",
        "SELECT * FROM source LEFT JOIN server ON server.id = source.server_id",
        "SELECT * FROM region, meta, label, skipped",
    };
    const char *by[] = {"table", "client"};
    dx_grouping g = {.by = by, .n = 2, .from_ms = DX_TIME_NONE, .to_ms = DX_TIME_NONE};
    dx_grouped total;
    dx_digest *d;
    dx_err err;
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        fuzz_query(c, queries[i]);
    if (dx_casefile_digest(&d, c, &g, &total, &err) == DX_OK)
        dx_digest_free(d);
}

/* One more source, with an event and a call that the case may have. */
static dx_status add_more(dx_casefile *c, dx_err *err) {
    int64_t id;
    bool added;
    dx_source_facts facts = {.first_ms = 1, .last_ms = 2};
    dx_where where = {.line = 1, .local_ms = 5, .record_hash = 7};
    dx_event e = {.id = DX_EV_PAUSE, .region = dx_s("t,,1.0123456789abcdef0123456789abcdef.")};
    dx_call call = dx_call_blank(DX_CALL_LOG);
    dx_status st = dx_casefile_add_source(c, "more", "log", &id, err);
    if (st == DX_OK)
        st = dx_casefile_add_event(c, id, 0, 5, &e, &where, err);
    if (st == DX_OK)
        st = dx_casefile_add_call(c, id, 0, &call, &where, &added, err);
    return st == DX_OK ? dx_casefile_source_facts(c, id, &facts, err) : st;
}

void fuzz_one(dx_slice in) {
    dx_casefile *c;
    dx_err err;
    make_good();
    char *bytes = malloc(good.n);
    FILE *f = fopen(path, "wb");
    fuzz_check(bytes != NULL && f != NULL);
    fwrite(bytes, 1, mangle(bytes, in), f);
    fclose(f);
    free(bytes);
    if (dx_casefile_open(&c, path, false, &err) == DX_OK) {
        ask(c);
        dx_casefile_close(c);
    }
    if (dx_casefile_open(&c, path, true, &err) == DX_OK) {
        if (dx_casefile_begin(c, &err) == DX_OK) {
            if (add_more(c, &err) != DX_OK || dx_casefile_commit(c, &err) != DX_OK)
                dx_casefile_rollback(c);
        }
        dx_casefile_close(c);
    }
}

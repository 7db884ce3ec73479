/* fuzz_merge.c - a digest of slow calls that somebody saved. An input is such a file; its check sum
 * is made good, or no change would come further than that. It is also read as it is. */
#include "fuzz_digest.h"

#include <string.h>

#define MARK "hbdx slow calls 1\n"

enum { SUM = 8 };

const size_t fuzz_stretch = 1u << 18;

/* The names that it is grouped by, as far as they are names of ours. */
static size_t names_of(dx_slice body, const char *by[DX_CALLS_KEYS]) {
    dx_unpack in = {body, false};
    size_t n = 0;
    dx_unpack_text(&in);
    for (uint64_t i = dx_unpack_upto(&in, DX_CALLS_KEYS); i > 0; i--) {
        dx_slice name = dx_unpack_text(&in);
        for (size_t k = 0; dx_calls_group_name(k) != NULL; k++)
            if (dx_slice_is(name, dx_calls_group_name(k)))
                by[n++] = dx_calls_group_name(k);
    }
    return n;
}

/* Merges twice; true: it was taken. */
static void merge(const dx_calls_opts *opts, dx_slice file) {
    dx_calls *c;
    dx_slice meta = {NULL, 0};
    dx_err err;
    fuzz_check(dx_calls_new(&c, opts, &err) == DX_OK);
    fuzz_check(dx_calls_read(c, NULL, 0, &err) == DX_OK);
    dx_status st = dx_calls_merge(c, file, &meta, &err);
    fuzz_check(st == DX_OK || st == DX_E_PARSE || st == DX_E_USAGE);
    if (st == DX_OK) {
        fuzz_part(meta, file);
        uint64_t calls = fuzz_calls_kept(c, opts);
        st = dx_calls_merge(c, file, &meta, &err);
        fuzz_check(st == DX_OK || st == DX_E_LIMIT); /* more calls than can be counted */
        fuzz_check(fuzz_calls_kept(c, opts) == (st == DX_OK ? 2 * calls : calls));
    } else {
        fuzz_check(fuzz_groups(c, 0) == 0);
    }
    dx_calls_free(c);
}

void fuzz_one(dx_slice in) {
    const char *by[DX_CALLS_KEYS];
    const size_t head = strlen(MARK) + SUM;
    dx_slice body = dx_slice_starts(in, MARK) ? dx_slice_sub(in, head, in.n) : in;
    dx_calls_opts opts = {
        .by = by, .n = names_of(body, by), .from_ms = DX_TIME_NONE, .to_ms = DX_TIME_NONE};
    uint64_t sum = dx_hash(body.p, body.n, 0);
    dx_buf file;
    merge(&opts, in);
    dx_buf_init(&file, 0);
    dx_buf_adds(&file, MARK);
    for (int i = 0; i < SUM; i++)
        dx_buf_addc(&file, (char)(sum >> (8 * i)));
    dx_buf_add(&file, body.p, body.n);
    fuzz_check(dx_buf_ok(&file));
    merge(&opts, dx_buf_slice(&file));
    dx_buf_done(&file);
}

/* dx_ingest_head.c - see dx_ingest_head.h. */
#include "dx_ingest_head.h"
#include "dx_input.h"
#include "dx_logline.h"
#include "dx_logwrap.h"
#include "dx_time.h"

#include <string.h>

#define BLOCK 65536u

/* The stamp of a line; DX_TIME_NONE: it has none. *record: it begins one. */
static int64_t stamp_of(dx_slice line, bool *record) {
    dx_logwrap w;
    dx_logline l;
    bool wrapped = dx_logwrap_read(line, &w);
    *record = dx_logline_read(wrapped ? w.body : line, &l);
    if (*record && l.local_ms != DX_TIME_NONE)
        return l.has_zone ? l.local_ms - l.offset_ms : l.local_ms;
    return wrapped && w.has_zone && w.local_ms != DX_TIME_NONE ? w.local_ms - w.offset_ms
                                                               : DX_TIME_NONE;
}

static void first_stamp(dx_slice head, dx_ingest_head *out) {
    bool record;
    for (size_t at = 0; at < head.n && out->stamp_ms == DX_TIME_NONE;) {
        ptrdiff_t end = dx_slice_find_char(head, '\n', at);
        size_t to = end < 0 ? head.n : (size_t)end;
        out->stamp_ms = stamp_of(dx_slice_sub(head, at, to), &record);
        if (at == 0)
            out->goes_on = !record;
        at = to + 1;
    }
}

dx_status dx_ingest_head_read(const char *path, dx_ingest_head *out, dx_err *err) {
    dx_input *in = NULL;
    dx_slice head;
    const char *hint;
    bool binary;
    *out = (dx_ingest_head){.kind = DX_SOURCE_UNKNOWN, .stamp_ms = DX_TIME_NONE};
    dx_status st = dx_input_open(&in, path, err);
    if (st == DX_OK)
        st = dx_input_peek(in, &head, err);
    if (st == DX_OK) {
        out->kind = dx_ingest_sniff_file(path, head, &binary, &hint);
        first_stamp(head, out);
        out->goes_on = out->goes_on && !binary;
    }
    dx_input_close(in);
    return st;
}

/* Passes what both have in common, to the end of the second. */
static bool same_text(dx_input *in, dx_input *part) {
    uint64_t read = 0;
    for (;;) {
        dx_slice a = dx_input_ahead(in, BLOCK), b = dx_input_ahead(part, BLOCK);
        size_t n = a.n < b.n ? a.n : b.n;
        if (b.n == 0)
            return read > 0;
        if (n == 0 || memcmp(a.p, b.p, n) != 0)
            return false;
        dx_input_pass(in, n);
        dx_input_pass(part, n);
        read += n;
    }
}

/* Whether it ended well. */
static bool ends(dx_input *in) {
    dx_slice line;
    uint64_t offset;
    bool cut;
    dx_err own;
    return dx_input_line(in, 1, &line, &offset, &cut, &own) == DX_DONE;
}

bool dx_ingest_head_same(const char *path, const char *part) {
    dx_input *in = NULL, *other = NULL;
    dx_err own;
    bool same = dx_input_open(&in, path, &own) == DX_OK
                && dx_input_open(&other, part, &own) == DX_OK && same_text(in, other)
                && ends(other);
    dx_input_close(in);
    dx_input_close(other);
    return same;
}

/* fuzz_words.c - the small readers: numbers with units, names of servers and regions, escapes, text
 * for a terminal. */
#include "dx_escape.h"
#include "dx_region.h"
#include "dx_server.h"
#include "dx_text.h"
#include "dx_units.h"
#include "fuzz.h"

#include <string.h>

const size_t fuzz_stretch = 1u << 19;

static void numbers(dx_slice in) {
    int64_t v = -1;
    uint64_t u;
    double d;
    fuzz_check(!dx_size_read(in, &v) || v >= 0);
    fuzz_check(!dx_throughput_read(in, &v) || v >= 0);
    fuzz_check(!dx_duration_read(in, &v) || v >= 0);
    fuzz_check(dx_grouped_lead(in, &v) <= in.n);
    fuzz_check(dx_slice_lead_u64(in, &u) <= in.n);
    dx_slice_i64(in, &v);
    dx_slice_u64(in, &u);
    dx_slice_f64(in, &d);
}

static void names(dx_slice in) {
    dx_server_name server;
    dx_slice table, encoded;
    if (dx_server_read(in, &server)) {
        fuzz_part(server.host, in);
        fuzz_part(server.address, in);
        fuzz_check(server.port >= 0 && server.port <= 65535);
    }
    if (dx_region_split(in, &table, &encoded)) {
        fuzz_part(table, in);
        fuzz_touch(encoded); /* meta's is a constant */
    }
    fuzz_touch(dx_region_tail(in));
    dx_region_encoded(in);
}

/* What is safe for a terminal stays as it is when it is made safe again, but for its backslashes.
 */
static void text(dx_slice in) {
    dx_buf safe;
    dx_buf_init(&safe, 0);
    dx_text_escape(&safe, in);
    fuzz_check(dx_buf_ok(&safe) && safe.n <= in.n * 4);
    dx_slice left = dx_buf_slice(&safe);
    while (left.n > 0) {
        uint32_t point;
        size_t n = dx_text_decode(left, &point);
        fuzz_check(n > 0 && dx_text_harmless(point));
        left = dx_slice_sub(left, n, left.n);
    }
    fuzz_check(dx_text_width(in) <= in.n * 2);
    dx_buf_done(&safe);
}

void fuzz_one(dx_slice in) {
    char out[DX_ESCAPE_ROOM];
    size_t n;
    numbers(in);
    names(in);
    text(in);
    if (in.n > 0 && in.p[0] == '\\') {
        size_t took = dx_escape_read(in, out, &n);
        fuzz_check(took > 0 && took <= in.n && n <= took && n <= sizeof out);
    }
}

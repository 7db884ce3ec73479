/* fuzz.c - the door of libFuzzer, and the helpers of the targets. An input is given to its target
 * as it is; one in a few thousand (which ones depends on its bytes alone) is also given blown up.
 */
#define _GNU_SOURCE /* pipe2, O_DIRECT */
#include "fuzz.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define STRETCH_ONE_IN  2048
#define STRETCH_SECONDS 2.0 /* of processor time; what is linear takes a tenth at most */
#define PIPE_BLOCKS     15  /* a pipe holds 16 packets */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

void fuzz_require(bool good, const char *promise, const char *file, int line) {
    if (good)
        return;
    fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, promise);
    abort();
}

void fuzz_touch(dx_slice s) {
    static volatile unsigned char sink;
    unsigned char all = 0;
    for (size_t i = 0; i < s.n; i++)
        all ^= (unsigned char)s.p[i];
    sink = all;
    (void)sink;
}

void fuzz_touch_string(const char *s) {
    if (s != NULL)
        fuzz_touch(dx_sn(s, strlen(s)));
}

void fuzz_part(dx_slice part, dx_slice whole) {
    if (part.n == 0)
        return;
    fuzz_check(whole.n > 0 && part.p >= whole.p && part.n <= whole.n);
    fuzz_check((size_t)(part.p - whole.p) <= whole.n - part.n);
    fuzz_touch(part);
}

void fuzz_call(const dx_call *c) {
    const dx_slice texts[] = {
        c->method,   c->client,       c->client_address, c->user,     c->table,
        c->region,   c->server_class, c->encoded,        c->row,      c->filters,
        c->families, c->operation_id, c->start_row,      c->stop_row,
    };
    const int64_t numbers[] = {
        c->start_ms,    c->proc_ms,          c->queue_ms,        c->response_bytes,
        c->block_bytes, c->fs_read_ms,       c->caching,         c->batch,
        c->limit_rows,  c->max_result_bytes, c->max_versions,    c->number_of_rows,
        c->actions,     c->multi_gets,       c->multi_mutations, c->multi_service_calls,
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        fuzz_touch(texts[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fuzz_check(numbers[i] >= 0 || numbers[i] == DX_UNKNOWN);
}

dx_slice fuzz_take(dx_slice *s, char c) {
    ptrdiff_t at = dx_slice_find_char(*s, c, 0);
    dx_slice head = dx_slice_sub(*s, 0, at < 0 ? s->n : (size_t)at);
    *s = dx_slice_sub(*s, at < 0 ? s->n : (size_t)at + 1, s->n);
    return head;
}

unsigned fuzz_byte(dx_slice *s) {
    if (s->n == 0)
        return 0;
    unsigned char c = (unsigned char)s->p[0];
    *s = dx_slice_sub(*s, 1, s->n);
    return c;
}

bool fuzz_pipe(dx_input **out, dx_slice bytes, size_t block) {
    int ends[2];
    char path[64];
    dx_err err;
    if (block == 0 || bytes.n / block >= PIPE_BLOCKS || pipe2(ends, O_DIRECT | O_CLOEXEC) != 0)
        return false;
    bool good = true;
    for (size_t at = 0; good && at < bytes.n; at += block) {
        size_t n = bytes.n - at < block ? bytes.n - at : block;
        good = write(ends[1], bytes.p + at, n) == (ssize_t)n;
    }
    close(ends[1]);
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    good = good && dx_input_open(out, path, &err) == DX_OK;
    close(ends[0]);
    return good;
}

/* in[0, a) once, in[a, b) over and over, in[b, n) once. */
static void run_stretched(dx_slice in, uint64_t h) {
    size_t a = h / STRETCH_ONE_IN % in.n, b = a + 1 + h / 7919 % (in.n - a), used = a;
    char *out = malloc(fuzz_stretch);
    if (out == NULL || in.n > fuzz_stretch / 4) {
        free(out);
        return;
    }
    memcpy(out, in.p, a);
    for (; used + (b - a) + (in.n - b) <= fuzz_stretch; used += b - a)
        memcpy(out + used, in.p + a, b - a);
    memcpy(out + used, in.p + b, in.n - b);
    clock_t start = clock();
    fuzz_one(dx_sn(out, used + in.n - b));
    fuzz_check((double)(clock() - start) / CLOCKS_PER_SEC < STRETCH_SECONDS);
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    dx_slice in = dx_sn((const char *)data, n);
    uint64_t h = dx_hash(data, n, 0);
    fuzz_one(in);
    if (fuzz_stretch > 0 && n > 0 && h % STRETCH_ONE_IN == 0)
        run_stretched(in, h);
    return 0;
}

/* scan_logs - one pass over a log that counts what the scanner finds and keeps nothing of it: what
 * reading costs without what is done with it. Prints as gen_logs --counts does. */
#include "dx_logscan.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct counts {
    uint64_t events[DX_EV_COUNT];
} counts;

static dx_status on_event(void *arg, const dx_event *event, const dx_where *where, dx_err *err) {
    counts *c = arg;
    (void)where, (void)err;
    c->events[event->id]++;
    return DX_OK;
}

static dx_status on_skip(void *arg, const char *reason, dx_slice sample, const dx_where *where,
                         dx_err *err) {
    (void)arg, (void)err;
    fprintf(stderr, "line %" PRIu64 ": %s: %.*s\n", where->line, reason, (int)sample.n, sample.p);
    return DX_OK;
}

static void print(const counts *c, const dx_coverage *cov) {
    printf("bytes\t%" PRIu64 "\nlines\t%" PRIu64 "\nrecords\t%" PRIu64 "\ncalls\t%" PRIu64
           "\nscans\t%" PRIu64 "\nskipped\t%" PRIu64 "\nforeign\t%" PRIu64 "\n",
           cov->bytes, cov->lines, cov->records, cov->calls, cov->scans, cov->skipped,
           cov->foreign);
    for (dx_event_id id = DX_EV_NONE + 1; id < DX_EV_COUNT; id++)
        if (c->events[id] > 0)
            printf("event %s\t%" PRIu64 "\n", dx_event_kind_of(id)->name, c->events[id]);
}

int main(int argc, char **argv) {
    counts c = {.events = {0}};
    const dx_sink sink = {.arg = &c, .event = on_event, .skip = on_skip, .unhashed = true};
    dx_coverage cov;
    dx_input *in = NULL;
    dx_err err;
    if (argc != 2) {
        fputs("usage: scan_logs LOG\n", stderr);
        return 2;
    }
    dx_status st = dx_input_open(&in, argv[1], &err);
    if (st == DX_OK)
        dx_input_unhashed(in);
    if (st == DX_OK)
        st = dx_logscan(in, DX_LOG_PLAIN, &sink, &cov, &err);
    if (st == DX_OK)
        print(&c, &cov);
    else
        fprintf(stderr, "scan_logs: %s\n", err.msg);
    dx_input_close(in);
    return st == DX_OK ? 0 : 1;
}

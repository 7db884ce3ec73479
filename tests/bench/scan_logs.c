/* scan_logs - one pass over a log, by one thread or more, that counts what the scanner finds and
 * keeps nothing of it: what reading costs without what is done with it. Prints as gen_logs --counts
 * does. */
#include "dx_logparts.h"
#include "dx_logscan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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

typedef struct part {
    counts c;
    dx_coverage cov;
} part;

typedef struct job {
    const char *path;
    part all;
} job;

static void *begin(void *arg, size_t log) {
    (void)arg, (void)log;
    part *p = calloc(1, sizeof *p);
    if (p != NULL)
        p->cov = dx_coverage_blank();
    return p;
}

static dx_status open_log(void *arg, size_t log, void *of, dx_input **in, dx_err *err) {
    (void)log, (void)of;
    dx_status st = dx_input_open(in, ((job *)arg)->path, err);
    if (st == DX_OK)
        dx_input_unhashed(*in);
    return st;
}

static dx_status scan(void *arg, size_t log, void *of, dx_input *in, bool rest, dx_err *err) {
    (void)arg, (void)log, (void)rest;
    part *p = of;
    const dx_sink sink = {.arg = &p->c, .event = on_event, .skip = on_skip, .unhashed = true};
    return dx_logscan(in, DX_LOG_PLAIN, &sink, &p->cov, err);
}

static size_t weigh(const void *of) {
    (void)of;
    return sizeof(part);
}

static dx_status take(void *arg, size_t log, void *of, bool first, bool last, dx_err *err) {
    (void)log, (void)first, (void)err;
    part *all = &((job *)arg)->all;
    const part *p = of;
    for (size_t i = 0; i < DX_EV_COUNT; i++)
        all->c.events[i] += p->c.events[i];
    dx_coverage_merge(&all->cov, &p->cov);
    if (last)
        all->cov.bytes = p->cov.bytes; /* of the whole log: it was read to its end */
    return DX_OK;
}

/* Without parts. */
static dx_status scan_alone(job *j, dx_err *err) {
    dx_input *in = NULL;
    dx_status st = open_log(j, 0, NULL, &in, err);
    if (st == DX_OK)
        st = scan(j, 0, &j->all, in, true, err);
    dx_input_close(in);
    return st;
}

int main(int argc, char **argv) {
    job all = {.path = argc == 3 ? argv[2] : "", .all.cov = dx_coverage_blank()};
    const dx_logparts_job parts = {.arg = &all,
                                   .n = 1,
                                   .threads = argc == 3 ? (unsigned)strtoul(argv[1], NULL, 10) : 0,
                                   .ahead_max = SIZE_MAX,
                                   .begin = begin,
                                   .open = open_log,
                                   .scan = scan,
                                   .weigh = weigh,
                                   .take = take,
                                   .end = free};
    dx_err err;
    if (parts.threads == 0) {
        fputs("usage: scan_logs THREADS LOG\n", stderr);
        return 2;
    }
    dx_status st =
        parts.threads == 1 ? scan_alone(&all, &err) : dx_logparts_run(&parts, NULL, &err);
    if (st != DX_OK) {
        fprintf(stderr, "scan_logs: %s\n", err.msg);
        return 1;
    }
    print(&all.all.c, &all.all.cov);
    return 0;
}

/* gen_logs - writes a log of a RegionServer that never was, as large as is asked for: chapters of
 * all generations behind each other, each in its own words and layout. The same options give the
 * same bytes on every machine. Only for benchmarks and tests. */
#define _POSIX_C_SOURCE                                                                            \
    200809L /* the format of I/O does not matter; for stdio with large files                       \
             */
#include "gen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK (1u << 20)

static const char usage[] =
    "usage: gen_logs [OPTION...] >LOG\n"
    "  --seed N         another seed gives another log (1)\n"
    "  --size N[K|M|G]  bytes, of 1000 (1M)\n"
    "  --slow-share P   percent of the lines that are slow calls (5)\n"
    "  --slow-only      nothing but slow calls\n"
    "  --groups N       tables by clients that slow calls come from (2000)\n"
    "  --calls N        end after so many slow calls, whatever the size\n"
    "  --era N          only the N-th generation (0 is 0.94, 11 is 3.0)\n"
    "  --counts         write no log, but what is in it: a name, a tab and a number a line\n";

typedef struct options {
    uint64_t seed, size, groups, calls;
    double share;
    int era;
    bool slow_only, counts;
} options;

/* Distinct keys of calls. */
typedef struct keys {
    uint64_t *slot;
    size_t cap, n;
} keys;

typedef struct log_state {
    gen g;
    options o;
    uint64_t bytes, lines, records, calls, in_chapter, chapter_bytes;
    uint64_t row_counts[256];
    size_t scenes[256], scene_n; /* first rows of the era's scenes */
    uint64_t weights;
    keys keys;
    gen_text line;
    char *out;
    size_t out_n;
} log_state;

static void die(const char *what) {
    fprintf(stderr, "gen_logs: %s\n", what);
    exit(2);
}

/* ---- output */

static void flush_out(log_state *s) {
    if (!s->o.counts && fwrite(s->out, 1, s->out_n, stdout) != s->out_n)
        die("cannot write");
    s->out_n = 0;
}

static void put_out(log_state *s, const char *p, size_t n) {
    if (s->out_n + n > BLOCK)
        flush_out(s);
    memcpy(s->out + s->out_n, p, n);
    s->out_n += n;
    s->bytes += n;
}

/* Writes g.message as a record: its first line is cut as the era's layout does, and lines behind it
 * are written as they are. */
static void put_record(log_state *s, char level, char role, const char *logger) {
    gen_text *m = &s->g.message;
    const char *end = memchr(m->p, '\n', m->n);
    size_t head = end == NULL ? m->n : (size_t)(end - m->p), max = gen_message_max(s->g.era);
    size_t cut = head > max ? head - max : 0;
    s->line.n = 0;
    gen_prefix(&s->g, level, role, logger, &s->line);
    put_out(s, s->line.p, s->line.n);
    put_out(s, m->p + cut, m->n - cut);
    put_out(s, "\n", 1);
    s->records++;
    s->lines++;
    for (size_t i = head; i < m->n; i++)
        s->lines += m->p[i] == '\n';
}

/* ---- slow calls */

static void note_key(keys *k, uint64_t key) {
    key += key == 0;
    if (2 * (k->n + 1) > k->cap) {
        keys more = {calloc(k->cap == 0 ? 1024 : 2 * k->cap, sizeof *more.slot),
                     k->cap == 0 ? 1024 : 2 * k->cap, 0};
        if (more.slot == NULL)
            die("no memory");
        for (size_t i = 0; i < k->cap; i++)
            if (k->slot[i] != 0)
                note_key(&more, k->slot[i]);
        free(k->slot);
        *k = more;
    }
    size_t at = (size_t)((key ^ key >> 29) & (k->cap - 1));
    while (k->slot[at] != 0 && k->slot[at] != key)
        at = (at + 1) & (k->cap - 1);
    k->n += k->slot[at] == 0;
    k->slot[at] = key;
}

/* Each group once, in a shuffled order; from then on the first ones more often than the last. */
static uint64_t next_group(log_state *s) {
    uint64_t n = s->o.groups;
    if (s->calls < n)
        return s->calls * (n % 7919 == 0 ? 7907 : 7919) % n;
    uint64_t most = 1 + gen_below(&s->g, n);
    return gen_below(&s->g, most);
}

static void put_call(log_state *s) {
    const char *logger;
    uint64_t key = gen_call(&s->g, next_group(s), &logger);
    note_key(&s->keys, key);
    s->calls++;
    put_record(s, 'W', 'h', logger);
}

/* ---- the other lines */

static bool in_era(const log_state *s, size_t row) {
    return (gen_rows[row].eras >> s->g.era & 1) != 0;
}

static void begin_chapter(log_state *s, gen_era era) {
    s->g.era = era;
    s->in_chapter = 0;
    s->scene_n = s->weights = 0;
    for (size_t i = 0; i < gen_row_count; i++)
        if (in_era(s, i) && gen_rows[i].weight > 0) {
            s->scenes[s->scene_n++] = i;
            s->weights += gen_rows[i].weight;
        }
}

/* The rows of a scene that belong to other eras are stepped over. */
static void put_scene(log_state *s) {
    uint64_t at = gen_below(&s->g, s->weights);
    size_t scene = 0;
    while (at >= gen_rows[s->scenes[scene]].weight)
        at -= gen_rows[s->scenes[scene++]].weight;
    s->g.region = &s->g.regions[gen_below(&s->g, REGIONS)];
    s->g.thread = (unsigned)gen_below(&s->g, 1000);
    size_t row = s->scenes[scene],
           end = scene + 1 < s->scene_n ? s->scenes[scene + 1] : gen_row_count;
    for (; row < end; row++) {
        const gen_row *r = &gen_rows[row];
        if (!in_era(s, row))
            continue;
        s->row_counts[row]++;
        s->g.message.n = 0;
        gen_template(&s->g, r->text, &s->g.message);
        put_record(s, r->level, r->role, r->logger);
        s->g.now += gen_between(&s->g, 0, 40);
    }
}

static bool wants_call(log_state *s) {
    return s->o.slow_only
           || ((double)s->calls < s->o.share / 100 * (double)s->lines && gen_below(&s->g, 2) == 0);
}

static void write_log(log_state *s) {
    while (s->bytes < s->o.size && s->calls < s->o.calls) {
        uint64_t before = s->bytes;
        if (s->in_chapter >= s->chapter_bytes && s->o.era < 0)
            begin_chapter(s, (s->g.era + 1) % ERAS);
        s->g.now += gen_between(&s->g, 0, 60);
        if (wants_call(s))
            put_call(s);
        else
            put_scene(s);
        s->in_chapter += s->bytes - before;
    }
    flush_out(s);
}

static void print_counts(const log_state *s) {
    printf("bytes\t%" PRIu64 "\nlines\t%" PRIu64 "\nrecords\t%" PRIu64 "\ncalls\t%" PRIu64
           "\ngroups\t%zu\n",
           s->bytes, s->lines, s->records, s->calls, s->keys.n);
    for (size_t i = 0; i < gen_row_count; i++) {
        const char *kind = gen_rows[i].kind;
        uint64_t n = 0;
        bool told = kind == NULL;
        for (size_t j = 0; j < gen_row_count && !told; j++)
            if (gen_rows[j].kind != NULL && strcmp(gen_rows[j].kind, kind) == 0) {
                told = j < i;
                n += s->row_counts[j];
            }
        if (!told && n > 0)
            printf("event %s\t%" PRIu64 "\n", kind, n);
    }
}

/* ---- options */

static uint64_t number(const char *s) {
    char *end;
    uint64_t n = s == NULL || *s < '0' || *s > '9' ? 0 : strtoull(s, &end, 10), unit = 1;
    if (n == 0 && (s == NULL || strcmp(s, "0") != 0))
        die("a number is missing");
    for (const char *u = s == NULL ? "" : end; *u != '\0'; u++)
        unit *= *u == 'K' ? 1000 : *u == 'M' ? 1000000 : *u == 'G' ? 1000000000 : 0;
    if (unit == 0)
        die("a number ends in something else than K, M or G");
    return n * unit;
}

static options read_options(char **argv) {
    options o = {
        .seed = 1, .size = 1000000, .groups = 2000, .calls = UINT64_MAX, .share = 5, .era = -1};
    for (char **a = argv + 1; *a != NULL; a++) {
        if (strcmp(*a, "--slow-only") == 0)
            o.slow_only = true;
        else if (strcmp(*a, "--counts") == 0)
            o.counts = true;
        else if (strcmp(*a, "--seed") == 0)
            o.seed = number(*++a);
        else if (strcmp(*a, "--size") == 0)
            o.size = number(*++a);
        else if (strcmp(*a, "--groups") == 0)
            o.groups = number(*++a);
        else if (strcmp(*a, "--calls") == 0)
            o.calls = number(*++a);
        else if (strcmp(*a, "--slow-share") == 0)
            o.share = (double)number(*++a);
        else if (strcmp(*a, "--era") == 0)
            o.era = (int)number(*++a);
        else
            fputs(usage, stderr), exit(2);
        if (*a == NULL)
            die("a number is missing");
    }
    if (o.groups == 0 || o.era >= ERAS)
        die("--groups takes 1 and more, --era 0 to 11");
    return o;
}

int main(int argc, char **argv) {
    static log_state s;
    (void)argc;
    s.o = read_options(argv);
    s.out = malloc(BLOCK + TEXT_MAX);
    if (s.out == NULL)
        die("no memory");
    gen_init(&s.g, s.o.seed);
    uint64_t part = s.o.size / 25; /* each era twice, and often enough in a large log */
    s.chapter_bytes = part < 4000000 ? part : 4000000;
    begin_chapter(&s, s.o.era < 0 ? E094 : (gen_era)s.o.era);
    write_log(&s);
    if (s.o.counts)
        print_counts(&s);
    free(s.keys.slot);
    free(s.out);
    return fflush(stdout) == 0 ? 0 : 2;
}

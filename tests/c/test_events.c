/* dx_events: each template in each of its versions, the traps, and what a damaged line does. The
 * lines are in events_*.h. */
#include "dx_events_match.h"
#include "events_flush.h"
#include "events_more.h"
#include "events_server.h"
#include "tap.h"

#include <stdlib.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
static const struct {
    const row *rows;
    size_t n;
} subjects[] = {{flush, COUNT(flush)},   {blocked, COUNT(blocked)}, {store, COUNT(store)},
                {server, COUNT(server)}, {moves, COUNT(moves)},     {below, COUNT(below)},
                {others, COUNT(others)}};

/* ---- the harness ---- */

static void put(char *out, size_t cap, const char *name, dx_slice v) {
    size_t n = strlen(out);
    if (v.n > 0)
        snprintf(out + n, cap - n, " %s=%.*s", name, (int)v.n, v.p);
}

static void text_of(const dx_event *e, char *out, size_t cap) {
    snprintf(out, cap, "%s", dx_event_kind_of(e->id)->name);
    put(out, cap, "R", e->region);
    put(out, cap, "E", e->encoded);
    put(out, cap, "T", e->table);
    put(out, cap, "F", e->family);
    put(out, cap, "S", e->server);
    for (size_t i = 0; i < e->n; i++) {
        const dx_field *f = &e->fields[i];
        size_t n = strlen(out);
        if (f->type == DX_FIELD_TEXT)
            snprintf(out + n, cap - n, " %s=%.*s", f->name, (int)f->s.n, f->s.n == 0 ? "" : f->s.p);
        else if (f->type == DX_FIELD_REAL)
            snprintf(out + n, cap - n, " %s=%.1f", f->name, f->d);
        else
            snprintf(out + n, cap - n, " %s=%" PRId64, f->name, f->i);
    }
}

static dx_logline line_of(const char *logger, dx_slice message) {
    return (dx_logline){.logger = dx_s(logger), .message = message};
}

/* A field that the kind's documentation does not name. */
static const char *undocumented(const dx_event *e) {
    const dx_event_kind *k = dx_event_kind_of(e->id);
    for (size_t i = 0; i < e->n; i++) {
        const char *hit = strstr(k->fields, e->fields[i].name);
        size_t n = strlen(e->fields[i].name);
        while (hit != NULL
               && !((hit == k->fields || hit[-1] == ',') && strchr(",", hit[n]) != NULL))
            hit = strstr(hit + 1, e->fields[i].name);
        if (hit == NULL)
            return e->fields[i].name;
    }
    return NULL;
}

static bool seen[DX_EV_COUNT];

static void check_row(const row *r) {
    char got[2000] = "";
    dx_event e;
    dx_logline line = line_of(r->logger, dx_s(r->message));
    bool is = dx_event_read(&line, dx_s(r->rest), &e);
    ok(is == (r->want != NULL), "%s: %.60s", r->logger, r->message);
    if (!is)
        return;
    seen[e.id] = true;
    text_of(&e, got, sizeof got);
    is_str(got, r->want == NULL ? "" : r->want, "its kind, places and fields");
    const char *name = undocumented(&e);
    ok(name == NULL, "all fields are documented, also %s", name == NULL ? "the last" : name);
}

static void test_rows(void) {
    for (size_t s = 0; s < COUNT(subjects); s++)
        for (size_t i = 0; i < subjects[s].n; i++)
            check_row(&subjects[s].rows[i]);
}

static void test_kinds(void) {
    size_t n;
    const dx_event_kind *k = dx_event_kinds(&n);
    seen[DX_EV_GC_PAUSE] = true; /* no record of a log: test_ingest_gc.c */
    is_int(n, DX_EV_COUNT - 1, "a row for each kind");
    for (size_t i = 0; i < n; i++)
        ok(k[i].id == i + 1 && dx_event_kind_of(k[i].id) == &k[i] && seen[k[i].id],
           "%s: in the order of ids, and tested", k[i].name);
    ok(dx_event_kind_of(DX_EV_NONE) == NULL && dx_event_kind_of(DX_EV_COUNT) == NULL,
       "no kind outside of the table");
}

/* Every pattern has a name for each capture that takes one, and no more than a row has room for. */
static void test_table(void) {
    size_t n;
    const dx_event_logger *all = dx_event_loggers(&n);
    for (size_t i = 0; i < n; i++) {
        ok(i == 0 || strcmp(all[i - 1].name, all[i].name) < 0, "%s: in its order", all[i].name);
        for (const dx_event_row *r = all[i].rows; r->pattern != NULL; r++) {
            size_t takes = 0, names = 0;
            for (const char *p = r->pattern; (p = strchr(p, '%')) != NULL; p++)
                takes += strchr("igyhvoObpdt", p[1]) != NULL;
            while (names < COUNT(r->names) && r->names[names] != NULL)
                names++;
            dx_event_step steps[DX_EVENT_STEPS];
            size_t n_steps = dx_event_take_apart(r->pattern, r->names, steps);
            ok(takes == names && names < COUNT(r->names) && n_steps < DX_EVENT_STEPS, "%s: %.50s",
               all[i].name, r->pattern);
        }
    }
}

static bool drifts(const char *logger, const char *message) {
    dx_logline line = line_of(logger, dx_s(message));
    dx_event e;
    return dx_event_judge(&line, dx_s(""), &e) == DX_EVENT_DRIFTS;
}

static void test_drift(void) {
    dx_logline odd = {.local_ms = DX_TIME_NONE, .logger = dx_sn("x.HRegion\0\0", 11)};
    dx_event none;
    ok(!dx_event_read(&odd, dx_s(""), &none), "a logger's name goes on behind a zero byte");
    ok(drifts("regionserver.HRegion", "Finished flush for " E1 " (64 MB) after 3 s"),
       "a flush in new words");
    ok(drifts("HStore", "Completed compaction of three files"), "a compaction in new words");
    ok(drifts("HStore", "Starting compaction of 3 file(s) in d of acme:bi"), "a line that was cut");
    ok(drifts("MemStoreFlusher", "Region 7 has too many store files"), "a delay in new words");
    ok(drifts("wal.AbstractFSWAL", "Slow sync: 3 s"), "a sync in new words");
    ok(drifts("ipc.RpcServer", "(responseTooOdd): {}"), "a slow call that nobody took");
    ok(!drifts("HRegion", "Opened " E1 "; next sequenceid=2"), "a line that we leave out");
    ok(!drifts("HRegion", "Flushing Column Family: d"), "one that begins like one of ours");
    ok(!drifts("HRegion", "Closed master:store,,1." E1 "."), "one that was turned down");
    ok(!drifts("HStore", "Completed removal of 3 unnecessary (expired) file(s) in d"), "another");
    ok(!drifts("com.acme.App", "Finished flush"), "another program's line");
    ok(!drifts("", "Finished flush"), "a line without a logger");
    ok(!drifts("HRegion", ""), "an empty message");
}

/* "%.1000m" leaves the last 1000 characters: names and no numbers. */
static void test_cut_list(void) {
    char m[1100] = "";
    while (strlen(m) < 1000)
        strcat(m, E1 "[d],");
    dx_logline line = line_of("wal.AbstractFSWAL", dx_sn(m + strlen(m) - 1001, 1000));
    dx_event e;
    ok(dx_event_read(&line, dx_s(""), &e) && e.id == DX_EV_WAL_TOO_MANY, "a list without its head");
    ok(e.n == 1 && dx_str_eq(e.fields[0].name, "targets"), "tells no count");
    line.message.n--;
    ok(!dx_event_read(&line, dx_s(""), &e), "a list of another length is none");
}

static void test_region_threads(void) {
    dx_event e;
    dx_logline line = line_of("HRegion", dx_s("Closed " R1));
    line.thread = dx_s("RS_CLOSE_REGION-regionserver/rs7:16020-0");
    ok(dx_event_read(&line, dx_s(""), &e), "a region leaves");
    line.thread = dx_s("RegionOpenAndInit-acme:bills-pool-0");
    ok(dx_event_judge(&line, dx_s(""), &e) == DX_EVENT_NOTHING, "a region is only made");
}

/* ---- damage ---- */

static bool same_slice(dx_slice a, dx_slice b) {
    return a.n == b.n && (a.n == 0 || a.p == b.p);
}

static bool same_event(const dx_event *a, const dx_event *b) {
    bool same = a->id == b->id && a->n == b->n && same_slice(a->region, b->region)
                && same_slice(a->encoded, b->encoded) && same_slice(a->table, b->table)
                && same_slice(a->family, b->family) && same_slice(a->server, b->server)
                && same_slice(a->path_space, b->path_space)
                && same_slice(a->path_table, b->path_table);
    for (size_t i = 0; same && i < a->n; i++) {
        const dx_field *f = &a->fields[i], *g = &b->fields[i];
        same = f->name == g->name && f->type == g->type
               && (f->type == DX_FIELD_INT    ? f->i == g->i
                   : f->type == DX_FIELD_REAL ? f->d == g->d
                                              : dx_slice_eq(f->s, g->s));
    }
    return same;
}

typedef struct tally {
    size_t known, differ; /* differ: the reader, which remembers, says something else */
    dx_event_reader *reader;
} tally;

static void read_copy(tally *t, const char *logger, const char *m, size_t n, const char *rest) {
    char *copy = malloc(n + 1), *tail = malloc(strlen(rest) + 1), text[4000];
    memcpy(copy, m, n);
    memcpy(tail, rest, strlen(rest));
    dx_logline line = line_of(logger, dx_sn(n == 0 ? NULL : copy, n));
    dx_event e, again;
    dx_event_verdict verdict = dx_event_judge(&line, dx_sn(tail, strlen(rest)), &e);
    if (verdict == DX_EVENT_READ)
        text_of(&e, text, sizeof text); /* touches all that was borrowed */
    t->differ +=
        dx_event_reader_judge(t->reader, &line, dx_sn(tail, strlen(rest)), &again) != verdict
        || !same_event(&e, &again);
    free(copy);
    free(tail);
    t->known += verdict != DX_EVENT_NOTHING;
}

static void mangle(const row *r, tally *t) {
    static const char odd[] = {'\0', ' ', '9', ',', '.', '%', '\xFF', '#', '-'};
    char m[1200];
    size_t n = strlen(r->message);
    for (size_t cut = 0; cut <= n; cut++) {
        read_copy(t, r->logger, r->message, cut, r->rest);
        read_copy(t, r->logger, r->message + cut, n - cut, r->rest);
    }
    for (size_t i = 0; i < n * sizeof odd; i++) {
        memcpy(m, r->message, n);
        m[i % n] = odd[i / n];
        read_copy(t, r->logger, m, n, r->rest);
    }
    for (size_t i = 0; i < n; i++) { /* a byte more, a byte less */
        memcpy(m, r->message, i);
        m[i] = r->message[i];
        memcpy(m + i + 1, r->message + i, n - i);
        read_copy(t, r->logger, m, n + 1, r->rest);
        memmove(m + i, r->message + i + 1, n - i - 1);
        read_copy(t, r->logger, m, n - 1, r->rest);
    }
    for (size_t cut = 0; cut < strlen(r->rest); cut++)
        read_copy(t, r->logger, r->message, n, r->rest + cut);
}

static void test_mangled(void) {
    tally t = {.reader = dx_event_reader_new()};
    for (size_t s = 0; s < COUNT(subjects); s++)
        for (size_t i = 0; i < subjects[s].n; i++)
            mangle(&subjects[s].rows[i], &t);
    ok(t.known > 10000, "damaged lines are read within their bounds");
    is_int((int64_t)t.differ, 0, "and the same by who remembers loggers and templates");
    dx_event_reader_free(t.reader);
}

/* All rows in turns, under names that fall on each other's place, and are longer than is kept. */
static void test_reader(void) {
    dx_event_reader *reader = dx_event_reader_new();
    size_t differ = 0, read = 0;
    for (size_t k = 0; k < 20000; k++) {
        const size_t s = k % COUNT(subjects);
        const row *r = &subjects[s].rows[k * 31 % subjects[s].n];
        char name[300] = "";
        snprintf(name, sizeof name, "%.*s%zu.%s%s", (int)(k % 5 * 30),
                 "org.apache.hadoop.hbase.regionserver.of.a.package.that.is.far.down.in.others."
                 "so.that.its.name.goes.on.and.on.",
                 k % 300, r->logger, k % 11 == 0 ? "$1" : "");
        dx_logline line = line_of(k % 3 == 0 ? r->logger : name, dx_s(r->message));
        dx_event a, b;
        dx_event_verdict v = dx_event_judge(&line, dx_s(r->rest), &a);
        differ +=
            dx_event_reader_judge(reader, &line, dx_s(r->rest), &b) != v || !same_event(&a, &b);
        read += v == DX_EVENT_READ;
    }
    ok(read > 10000 && differ == 0, "lines in turns are told as each alone");
    dx_event_reader_free(reader);
}

/* Long lines made to repeat the words that the reader looks for. */
static void test_long(void) {
    static const char *const rows[][3] = {
        {"HRegion", "Finished memstore flush of ~1/1, currentsize=1 for region ", " in 5ms, "},
        {"MemStoreFlusher", "Flush of region ", " due to global heap pressure"},
        {"HStore", "Completed compaction of 1 file(s) in d of ", " into (size="},
        {"PressureAwareThroughputController", "", "#d# average throughput is "},
        {"CompactSplit", "Compaction failed", "egionName="},
    };
    size_t n = 1 << 20;
    char *m = malloc(n);
    for (size_t r = 0; r < COUNT(rows); r++) {
        size_t at = strlen(rows[r][1]), step = strlen(rows[r][2]);
        memcpy(m, rows[r][1], at);
        for (; at + step <= n; at += step)
            memcpy(m + at, rows[r][2], step);
        dx_logline line = line_of(rows[r][0], dx_sn(m, at));
        dx_event e;
        bool is = dx_event_read(&line, dx_s(""), &e);
        ok(!is || e.n <= DX_EVENT_FIELDS, "a megabyte of \"%s\"", rows[r][2]);
    }
    free(m);
}

int main(void) {
    test_rows();
    test_kinds();
    test_table();
    test_drift();
    test_cut_list();
    test_region_threads();
    test_mangled();
    test_reader();
    test_long();
    return done();
}

/* dx_ingest.c - see dx_ingest.h. A log is read once: its events are filed under their local stamps,
 * and when the end has told the zone, all of them are moved at once. */
#include "dx_ingest.h"
#include "dx_ingest_facts.h"
#include "dx_ingest_gc.h"
#include "dx_ingest_sniff.h"
#include "dx_ingest_store.h"

#include <stdio.h>
#include <string.h>

#define MAX_DOCUMENT (256u << 20) /* bytes of a dump or a configuration */

typedef struct ingest {
    dx_casefile *c;
    const dx_ingest_opts *opts;
    dx_ingest_report *report;
    dx_source_facts facts;
    dx_ingest_store *store; /* while a log is scanned */
    int64_t prev_ms;        /* the last instant by opts->zone */
    bool zoned, local;      /* records that name their zone, records that do not, were seen */
    bool goes_on;           /* its head belongs to the piece before it */
    bool both_clocks;       /* a call told its start beside a local stamp */
    bool prefixed;          /* a line with a level or a logger was seen that nobody counted */
    bool failed;            /* the case refused something: not the source's fault */
    int64_t first_call, last_call; /* starts of calls */
} ingest;

static int64_t before(const dx_ingest_opts *opts) {
    return opts->seam == NULL ? DX_TIME_NONE : opts->before_ms;
}

/* --- what a log gives --- */

static int64_t instant(ingest *in, const dx_where *where) {
    if (where->local_ms == DX_TIME_NONE)
        return DX_TIME_NONE;
    if (where->has_zone) {
        in->zoned = true;
        return where->local_ms - where->offset_ms;
    }
    in->local = true;
    if (in->opts->zone == NULL)
        return where->local_ms;
    in->prev_ms = dx_zone_utc(in->opts->zone, where->local_ms, in->prev_ms);
    return in->prev_ms;
}

static dx_status noted(ingest *in, dx_status st) {
    in->failed = in->failed || st != DX_OK;
    return st;
}

/* A call that tells when it ended, and so which of two hours with the same stamps it is. */
static void note_end(ingest *in, const dx_call *call, const dx_where *where) {
    const int64_t near = 120000, far = INT64_C(1) << 60; /* numbers that make no sense */
    if (in->opts->zone == NULL || where->has_zone || where->local_ms == DX_TIME_NONE
        || call->start_ms < 0 || call->proc_ms < 0 || call->proc_ms >= far)
        return;
    int64_t end = call->start_ms + call->proc_ms;
    int64_t off = where->local_ms - end - dx_zone_offset(in->opts->zone, end);
    if (off > -near && off < near)
        in->prev_ms = end;
}

static void note_start(ingest *in, int64_t start_ms, const dx_where *where) {
    if (start_ms == DX_TIME_NONE)
        return;
    if (in->first_call == DX_TIME_NONE || start_ms < in->first_call)
        in->first_call = start_ms;
    if (in->last_call == DX_TIME_NONE || start_ms > in->last_call)
        in->last_call = start_ms;
    if (where->local_ms != DX_TIME_NONE && !where->has_zone)
        in->both_clocks = true;
}

static dx_status on_call(void *arg, const dx_call *call, const dx_where *where, dx_err *err) {
    ingest *in = arg;
    instant(in, where);
    note_end(in, call, where);
    note_start(in, call->start_ms, where);
    return noted(in, dx_ingest_store_call(in->store, call, where, err));
}

static dx_status on_event(void *arg, const dx_event *event, const dx_where *where, dx_err *err) {
    ingest *in = arg;
    return noted(in, dx_ingest_store_event(in->store, instant(in, where), event, where, err));
}

static dx_status on_region(void *arg, dx_slice id, dx_slice name, dx_slice table, dx_err *err) {
    ingest *in = arg;
    return noted(in, dx_ingest_store_region(in->store, id, name, table, err));
}

static dx_status on_scan(void *arg, const dx_scan *scan, const dx_where *where, dx_err *err) {
    ingest *in = arg;
    return noted(in, dx_ingest_store_scan(in->store, instant(in, where), scan, where, err));
}

static dx_status on_skip(void *arg, const char *reason, dx_slice sample, const dx_where *where,
                         dx_err *err) {
    ingest *in = arg;
    return noted(in, dx_ingest_store_skip(in->store, reason, sample, where, err));
}

static bool on_stop(void *arg) {
    ingest *in = arg;
    bool stop = dx_casefile_stopped(in->c);
    in->failed = in->failed || stop;
    return stop;
}

/* --- damage --- */

static void damaged(ingest *in, const char *what) {
    char *to = in->report->damage;
    if (to[0] == '\0')
        snprintf(to, sizeof in->report->damage, "%s", what);
}

/* A source that breaks off gives what came before; only what is not its fault ends the import. */
DX_MUST_CHECK static dx_status forgive(ingest *in, dx_status st, dx_err *err) {
    if (st == DX_OK || in->failed || st == DX_E_NOMEM || st == DX_E_BUG)
        return st;
    damaged(in, err->msg);
    return DX_OK;
}

/* --- whose it is --- */

DX_MUST_CHECK static dx_status file_under(ingest *in, const char *told, dx_err *err) {
    const char *name = told[0] != '\0' ? told : in->opts->server;
    if (name == NULL || name[0] == '\0')
        return DX_OK;
    dx_status st = dx_casefile_server(in->c, dx_s(name), &in->facts.server, err);
    return st == DX_OK ? dx_casefile_server_name(in->c, in->facts.server, in->report->server, err)
                       : st;
}

/* --- the clock of a log --- */

/* The zone that was given stands, even against the log's own records; but it is said. */
static void check_zone(ingest *in) {
    char text[128];
    if (in->both_clocks && dx_ingest_clock_disagrees(&in->report->log, &in->report->clock, text))
        damaged(in, text);
}

DX_MUST_CHECK static dx_status settle_given(ingest *in, dx_err *err) {
    dx_ingest_report *r = in->report;
    in->facts.offset_origin = "--log-tz";
    dx_status st = dx_ingest_clock_zone(in->c, r->source, in->opts->zone, &r->log, before(in->opts),
                                        DX_ROWS_PLACED, &r->clock, err);
    in->facts.offset_ms = r->clock.end_offset_ms;
    check_zone(in);
    return st;
}

DX_MUST_CHECK static dx_status settle_clock(ingest *in, dx_err *err) {
    dx_ingest_report *r = in->report;
    const dx_coverage *cov = &r->log;
    dx_source_facts *f = &in->facts;
    bool has_local = in->local || (!in->zoned && !cov->offset_inferred);
    if (in->opts->zone != NULL && has_local)
        return settle_given(in, err);
    f->offset_origin = !cov->offset_inferred     ? "unknown"
                       : in->both_clocks         ? "slow calls"
                       : in->zoned || !in->local ? "line"
                                                 : "start code";
    f->offset_ms = cov->offset_inferred ? cov->offset_ms : 0;
    r->clock.begin_offset_ms = r->clock.end_offset_ms = f->offset_ms;
    if (!cov->offset_inferred && cov->offset_against > 0)
        damaged(in, "its slow calls ended at other times than their lines say: copied lines, or a "
                    "wrong clock");
    if (cov->offset_inferred && in->both_clocks && in->local)
        dx_ingest_clock_infer(cov, &r->clock);
    if (r->clock.n > 0) {
        f->offset_ms = r->clock.end_offset_ms;
        return dx_ingest_clock_place(in->c, r->source, f->offset_origin, &r->clock, err);
    }
    r->clock.begin_offset_ms = r->clock.end_offset_ms = f->offset_ms;
    if (f->offset_ms == 0 || !in->local)
        return DX_OK;
    return dx_casefile_set_offset(in->c, r->source, f->offset_ms, f->offset_origin, err);
}

static void settle_span(ingest *in) {
    dx_ingest_report *r = in->report;
    in->facts.first_ms = in->first_call;
    in->facts.last_ms = in->last_call;
    dx_ingest_clock_span(&r->clock, &r->log, &in->facts.first_ms, &in->facts.last_ms, &r->end_ms);
}

/* --- kinds --- */

/* Files a log or a dump of calls by its coverage. */
DX_MUST_CHECK static dx_status settle_log(ingest *in, dx_log_form form, dx_err *err) {
    const dx_coverage *cov = &in->report->log;
    dx_source_facts *f = &in->facts;
    dx_status st = file_under(in, cov->server, err);
    if (st == DX_OK && form == DX_LOG_PLAIN)
        st = settle_clock(in, err);
    settle_span(in);
    f->lines = cov->lines;
    f->records = cov->records;
    f->understood = cov->calls + cov->events + cov->scans;
    f->skipped = cov->skipped;
    f->version = cov->version;
    /* a copy of the piece before it begins earlier */
    const dx_log_seam *seam = in->opts->seam;
    if (seam != NULL && cov->first_local_ms >= seam->before_local_ms)
        f->follows = in->opts->follows;
    if (f->records == 0 && f->understood == 0 && f->skipped == 0 && form == DX_LOG_PLAIN
        && !in->prefixed && !in->goes_on)
        in->report->kind = f->kind = dx_source_kind_name(DX_SOURCE_UNKNOWN); /* stamps alone */
    return st;
}

/* Returns once all is written. */
DX_MUST_CHECK static dx_status scan_log(ingest *in, dx_input *input, dx_log_form form,
                                        dx_err *err) {
    const dx_sink sink = {.arg = in,
                          .call = on_call,
                          .event = on_event,
                          .region = on_region,
                          .scan = on_scan,
                          .skip = on_skip,
                          .stop = on_stop};
    dx_coverage *cov = &in->report->log;
    dx_log_seam *seam = form == DX_LOG_PLAIN ? in->opts->seam : NULL;
    dx_err why;
    dx_status st = dx_ingest_store_new(&in->store, in->c, in->report->source, err);
    if (st != DX_OK)
        return noted(in, st);
    st = seam == NULL ? dx_logscan(input, form, &sink, cov, err)
                      : dx_logscan_piece(input, seam, &sink, cov, err);
    dx_status stored = dx_ingest_store_end(in->store, &in->report->new_calls, &why);
    if (stored == DX_OK || in->failed)
        return st;
    *err = why;
    return noted(in, stored);
}

DX_MUST_CHECK static dx_status read_log(ingest *in, dx_input *input, dx_log_form form,
                                        dx_err *err) {
    dx_status st = forgive(in, scan_log(in, input, form, err), err);
    return st == DX_OK ? settle_log(in, form, err) : st;
}

/* Its stamps name their zone, or count from the JVM's start, which others may tell. */
DX_MUST_CHECK static dx_status read_gc(ingest *in, dx_input *input, dx_err *err) {
    dx_coverage *cov = &in->report->log;
    dx_source_facts *f = &in->facts;
    dx_gclog_facts gc = {.first_ms = DX_TIME_NONE, .last_ms = DX_TIME_NONE};
    dx_status st = dx_ingest_gc(in->c, in->report->source, input, cov, &gc, &in->failed, err);
    st = forgive(in, st, err);
    if (st == DX_OK)
        st = file_under(in, "", err);
    f->lines = cov->lines;
    f->records = cov->records;
    f->understood = cov->events;
    f->skipped = cov->skipped;
    f->first_ms = gc.first_ms;
    f->last_ms = gc.last_ms;
    f->offset_ms = gc.zone_ms;
    f->offset_origin = gc.has_zone || gc.first_ms != DX_TIME_NONE ? "line" : "uptime";
    return st;
}

DX_MUST_CHECK static dx_status slurp(ingest *in, dx_input *input, dx_buf *text, dx_err *err) {
    dx_buf_init(text, MAX_DOCUMENT);
    return forgive(in, dx_input_slurp(input, MAX_DOCUMENT, text, err), err);
}

DX_MUST_CHECK static dx_status file_jmx(ingest *in, const dx_jmx *doc, dx_err *err) {
    bool master;
    char name[256] = "";
    dx_slice told = dx_jmx_server(doc, &master);
    int64_t own = dx_jmx_time(doc), t = own == DX_TIME_NONE ? in->opts->t_ms : own;
    if (told.n < sizeof name && told.n > 0)
        memcpy(name, told.p, told.n);
    dx_status st = file_under(in, name, err);
    if (st != DX_OK)
        return st;
    in->report->samples = in->facts.understood = dx_ingest_samples(doc);
    in->facts.records = dx_jmx_beans(doc);
    in->facts.first_ms = in->facts.last_ms = t;
    if (dx_jmx_damage(doc) != NULL)
        damaged(in, dx_jmx_damage(doc));
    if (t == DX_TIME_NONE) {
        damaged(in, "it does not say when it was taken, and nobody else does: not used");
        return DX_OK;
    }
    return dx_casefile_add_jmx(in->c, in->report->source, in->facts.server, t,
                               own == DX_TIME_NONE ? in->opts->t_origin : "document", doc, err);
}

DX_MUST_CHECK static dx_status read_jmx(ingest *in, dx_input *input, dx_err *err) {
    dx_buf text;
    dx_jmx *doc = NULL;
    dx_status st = slurp(in, input, &text, err);
    if (st == DX_OK)
        st = forgive(in, dx_jmx_read(&doc, dx_buf_slice(&text), in->opts->name, err), err);
    if (doc != NULL && st == DX_OK)
        st = file_jmx(in, doc, err);
    dx_jmx_free(doc);
    dx_buf_done(&text);
    return st;
}

DX_MUST_CHECK static dx_status file_conf(ingest *in, const dx_conf *conf, dx_err *err) {
    dx_status st = file_under(in, "", err);
    for (size_t i = 0; i < dx_conf_count(conf) && st == DX_OK; i++)
        st = dx_casefile_add_setting(in->c, in->report->source, in->facts.server,
                                     dx_conf_at(conf, i), err);
    in->report->settings = in->facts.understood = in->facts.records = dx_conf_count(conf);
    if (dx_conf_damage(conf) != NULL)
        damaged(in, dx_conf_damage(conf));
    return st;
}

DX_MUST_CHECK static dx_status read_conf(ingest *in, dx_input *input, dx_err *err) {
    dx_buf text;
    dx_conf *conf = NULL;
    dx_status st = slurp(in, input, &text, err);
    if (st == DX_OK)
        st = forgive(in, dx_conf_read(&conf, dx_buf_slice(&text), in->opts->name, err), err);
    if (conf != NULL && st == DX_OK)
        st = file_conf(in, conf, err);
    dx_conf_free(conf);
    dx_buf_done(&text);
    return st;
}

DX_MUST_CHECK static dx_status read_as(ingest *in, dx_input *input, dx_source_kind kind,
                                       dx_err *err) {
    switch (kind) {
    case DX_SOURCE_LOG: return read_log(in, input, DX_LOG_PLAIN, err);
    case DX_SOURCE_RING: return read_log(in, input, DX_LOG_RING, err);
    case DX_SOURCE_TABLE: return read_log(in, input, DX_LOG_TABLE, err);
    case DX_SOURCE_JMX: return read_jmx(in, input, err);
    case DX_SOURCE_CONF: return read_conf(in, input, err);
    case DX_SOURCE_GC: return read_gc(in, input, err);
    case DX_SOURCE_UNKNOWN: break;
    }
    return file_under(in, "", err);
}

/* --- */

/* Nobody reads an unknown source to its end; its head stands for it. */
static void content_of(ingest *in, const dx_input *input, dx_source_kind kind, uint64_t head_hash,
                       size_t head_n) {
    bool read = kind != DX_SOURCE_UNKNOWN || head_n == 0; /* broken from the first byte on */
    in->facts.fingerprint = read ? dx_input_fingerprint(input) : head_hash;
    in->facts.bytes = read ? dx_input_bytes_read(input) : head_n;
    in->report->log.bytes = in->facts.bytes;
}

/* What is known of a source that has been read. */
DX_MUST_CHECK static dx_status settle(ingest *in, dx_err *err) {
    dx_ingest_report *r = in->report;
    int64_t earlier;
    dx_status st =
        dx_casefile_find_source(in->c, in->facts.fingerprint, in->facts.bytes, &earlier, err);
    r->duplicate = earlier != 0;
    if (r->duplicate)
        r->source = earlier;
    dx_buf coverage;
    dx_buf_init(&coverage, 0);
    if (in->facts.lines > 0)
        dx_ingest_facts_write(&r->log, &r->clock, &coverage);
    if (st == DX_OK && !dx_buf_ok(&coverage))
        st = dx_fail(err, DX_E_NOMEM, "no memory for what a source has");
    in->facts.coverage = coverage.n > 0 ? coverage.p : NULL;
    in->facts.damage = r->damage;
    if (st == DX_OK && !r->duplicate)
        st = dx_casefile_source_facts(in->c, r->source, &in->facts, err);
    dx_buf_done(&coverage);
    in->facts.coverage = NULL;
    r->offset_origin = in->facts.offset_origin;
    r->offset_ms = in->facts.offset_ms;
    r->first_ms = in->facts.first_ms;
    r->last_ms = in->facts.last_ms;
    return st;
}

DX_MUST_CHECK static dx_status ingest_in(ingest *in, dx_input *input, dx_err *err) {
    dx_slice head = {NULL, 0};
    const char *hint;
    dx_status st = dx_input_peek(input, &head, err);
    if (st == DX_E_PARSE)
        st = forgive(in, st, err);
    if (st != DX_OK)
        return st;
    dx_source_kind kind = dx_ingest_sniff_file(in->opts->path, head, &in->report->binary, &hint);
    if (kind == DX_SOURCE_UNKNOWN && in->goes_on && !in->report->binary)
        kind = DX_SOURCE_LOG;
    uint64_t hash = dx_hash(head.p, head.n, 0);
    size_t head_n = head.n;
    if (kind == DX_SOURCE_UNKNOWN && hint != NULL)
        damaged(in, hint);
    in->report->kind = dx_source_kind_name(kind);
    st = dx_casefile_add_source(in->c, in->opts->name, in->report->kind, &in->report->source, err);
    if (st == DX_OK)
        st = read_as(in, input, kind, err);
    if (st != DX_OK)
        return st;
    content_of(in, input, kind, hash, head_n);
    return settle(in, err);
}
static ingest begin(dx_casefile *c, const dx_ingest_opts *opts, dx_ingest_report *report) {
    memset(report, 0, sizeof *report);
    report->kind = "unknown";
    report->log = dx_coverage_blank();
    report->first_ms = report->last_ms = report->end_ms = DX_TIME_NONE;
    return (ingest){.c = c,
                    .opts = opts,
                    .report = report,
                    .facts = {.first_ms = DX_TIME_NONE, .last_ms = DX_TIME_NONE},
                    .goes_on = opts->seam != NULL && opts->seam->skip > 0,
                    .prev_ms = before(opts),
                    .first_call = DX_TIME_NONE,
                    .last_call = DX_TIME_NONE};
}

DX_MUST_CHECK static dx_status end(const ingest *in, dx_status st, dx_err *err) {
    if (st == DX_OK && !in->report->duplicate)
        st = dx_casefile_commit(in->c, err);
    if (st != DX_OK || in->report->duplicate)
        dx_casefile_rollback(in->c);
    return st;
}

dx_status dx_ingest(dx_casefile *c, dx_input *input, const dx_ingest_opts *opts,
                    dx_ingest_report *report, dx_err *err) {
    dx_err own;
    ingest in = begin(c, opts, report);
    err = err == NULL ? &own : err;
    dx_status st = dx_casefile_begin(c, err);
    return st == DX_OK ? end(&in, ingest_in(&in, input, err), err) : st;
}

/* --- a source that dx_calls has read */

DX_MUST_CHECK static dx_status file_found(ingest *in, const dx_calls_file *f, dx_err *err) {
    dx_log_form form = f->kind == DX_SOURCE_RING    ? DX_LOG_RING
                       : f->kind == DX_SOURCE_TABLE ? DX_LOG_TABLE
                                                    : DX_LOG_PLAIN;
    dx_status st =
        dx_casefile_add_source(in->c, in->opts->name, in->report->kind, &in->report->source, err);
    for (size_t i = 0; i < f->nskips && st == DX_OK; i++) {
        const dx_calls_skip *s = &f->skips[i];
        st = dx_casefile_skip(in->c, in->report->source, s->reason, s->count,
                              dx_sn(s->sample, s->sample_n), s->line, err);
    }
    return st == DX_OK ? settle_log(in, form, err) : st;
}

dx_status dx_ingest_found(dx_casefile *c, const dx_calls_file *f, const dx_ingest_opts *opts,
                          dx_ingest_report *report, dx_err *err) {
    dx_err own;
    ingest in = begin(c, opts, report);
    err = err == NULL ? &own : err;
    if (f->status == DX_E_IO && f->cov.bytes == 0)
        return dx_fail(err, f->status, "%s", f->message);
    report->kind = dx_source_kind_name(f->kind);
    report->log = f->cov;
    report->new_calls = f->new_calls;
    in.local = f->local;
    in.zoned = f->zoned;
    in.both_clocks = f->both_clocks;
    in.prefixed = f->prefixed;
    in.first_call = f->first_call;
    in.last_call = f->last_call;
    if (f->status != DX_OK)
        damaged(&in, f->message);
    dx_status st = dx_casefile_begin(c, err);
    if (st != DX_OK)
        return st;
    st = file_found(&in, f, err);
    in.facts.fingerprint = f->fingerprint;
    in.facts.bytes = f->cov.bytes;
    return end(&in, st == DX_OK ? settle(&in, err) : st, err);
}

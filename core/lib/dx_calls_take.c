/* dx_calls_take.c - the sink of the parsers, and the way of a call into the digest. */
#include "dx_calls_int.h"
#include "dx_mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dx_status no_memory(dx_err *err) {
    return dx_fail(err, DX_E_NOMEM, "no memory for the calls of a log");
}

/* --- into the digest */

/* A call ran from its start on for its processing time, one that took no time for a moment. */
static bool in_time(const dx_calls_opts *o, int64_t start_ms, int64_t proc_ms) {
    if (o->from_ms == DX_TIME_NONE && o->to_ms == DX_TIME_NONE)
        return true;
    int64_t ran = proc_ms < 1 ? 1 : proc_ms;
    if (start_ms == DX_TIME_NONE || (o->to_ms != DX_TIME_NONE && start_ms >= o->to_ms))
        return false;
    return o->from_ms == DX_TIME_NONE || start_ms >= o->from_ms || start_ms > o->from_ms - ran;
}

/* A call's key, with the table that an earlier call of its scanner told. False: no memory. */
static bool named_key(dx_calls *c, const calls_found *f, dx_slice *key) {
    bool asks = f->has_scanner && f->table.n == 0;
    dx_slice table = asks ? calls_scanners_table(&c->scanners, f->scanner) : f->table;
    *key = f->key;
    if (!asks || table.n == 0)
        return true;
    dx_buf_clear(&c->named);
    calls_key_name(&c->by, f->key, table, &c->named);
    *key = dx_buf_slice(&c->named);
    return dx_buf_ok(&c->named);
}

DX_MUST_CHECK static dx_status count(dx_calls *c, const calls_found *f, dx_err *err) {
    dx_slice key;
    if (!named_key(c, f, &key))
        return no_memory(err);
    if (!in_time(&c->opts, f->numbers.start_ms, f->numbers.proc_ms))
        return DX_OK;
    dx_status st = dx_digest_add(c->digest, key, &f->numbers, err);
    if (st != DX_OK || !dx_digest_wants_note(c->digest))
        return st;
    dx_buf_clear(&c->note);
    calls_note(c->files[f->seen.source].name, f->seen.line, &c->note);
    if (f->whole != NULL)
        calls_told(f->whole, &c->note);
    else
        dx_buf_add(&c->note, f->told.p, f->told.n);
    return dx_buf_ok(&c->note) ? dx_digest_note(c->digest, dx_buf_slice(&c->note), err)
                               : no_memory(err);
}

dx_status calls_take(dx_calls *c, const calls_found *found, dx_err *err) {
    bool added;
    if (found->table.n > 0 && !calls_scanners_learn(&c->scanners, found->scanner, found->table))
        return no_memory(err);
    dx_status st = calls_same_log(c->same, &found->seen, c->logs > 1, &added, err);
    if (st != DX_OK || !added)
        return st;
    c->files[found->seen.source].new_calls++;
    return count(c, found, err);
}

static dx_digest_call numbers_of(const dx_call *call) {
    return (dx_digest_call){call->proc_ms, call->queue_ms, call->response_bytes, call->start_ms, 0};
}

/* What is counted of a call; its key stands in `key`. False: no memory. */
static bool describe(const dx_calls *c, const dx_call *call, dx_buf *key, calls_found *found) {
    dx_buf_clear(key);
    calls_key(&c->by, call, found->seen.source, key);
    found->numbers = numbers_of(call);
    found->has_scanner = call->has_scanner;
    found->scanner = call->scanner_id;
    found->table = call->has_scanner ? call->table : dx_sn(NULL, 0);
    found->key = dx_buf_slice(key);
    found->whole = call;
    return dx_buf_ok(key);
}

dx_status calls_take_kept(dx_calls *c, dx_err *err) {
    dx_status st = DX_OK;
    const calls_seen *seen;
    dx_buf key;
    dx_buf_init(&key, 0);
    for (size_t i = 0; st == DX_OK && (seen = calls_same_at(c->same, i)) != NULL; i++) {
        calls_found found = {.seen = *seen};
        st = describe(c, seen->call, &key, &found) ? count(c, &found, err) : no_memory(err);
    }
    dx_buf_done(&key);
    return st;
}

/* --- what a file says besides its calls */

void calls_file_begin(dx_calls_file *f) {
    f->status = DX_OK;
    f->message[0] = '\0';
    f->cov = dx_coverage_blank();
    f->first_call = f->last_call = DX_TIME_NONE;
    f->new_calls = 0;
    f->local = f->zoned = f->both_clocks = false;
    f->skips = NULL;
    f->nskips = f->skips_cap = 0;
}

void dx_calls_file_done(dx_calls_file *f) {
    free(f->skips);
    f->skips = NULL;
    f->nskips = f->skips_cap = 0;
}

DX_MUST_CHECK static dx_status skip(dx_calls_file *f, const dx_calls_skip *more, dx_err *err) {
    void *p = f->skips;
    for (size_t i = 0; i < f->nskips; i++) {
        if (!dx_str_eq(f->skips[i].reason, more->reason))
            continue;
        f->skips[i].count += more->count;
        return DX_OK;
    }
    if (!dx_grow(&p, &f->skips_cap, f->nskips + 1, sizeof *f->skips))
        return no_memory(err);
    f->skips = p;
    f->skips[f->nskips++] = *more;
    return DX_OK;
}

static void note_start(dx_calls_file *f, int64_t start_ms) {
    if (start_ms == DX_TIME_NONE)
        return;
    if (f->first_call == DX_TIME_NONE || start_ms < f->first_call)
        f->first_call = start_ms;
    if (f->last_call == DX_TIME_NONE || start_ms > f->last_call)
        f->last_call = start_ms;
}

dx_status calls_file_merge(dx_calls_file *into, const dx_calls_file *part, dx_err *err) {
    uint64_t lines = into->cov.lines;
    dx_status st = DX_OK;
    dx_coverage_merge(&into->cov, &part->cov);
    note_start(into, part->first_call);
    note_start(into, part->last_call);
    into->local = into->local || part->local;
    into->zoned = into->zoned || part->zoned;
    into->both_clocks = into->both_clocks || part->both_clocks;
    if (part->status != DX_OK) {
        into->status = part->status;
        memcpy(into->message, part->message, sizeof into->message);
    }
    for (size_t i = 0; i < part->nskips && st == DX_OK; i++) {
        dx_calls_skip more = part->skips[i];
        more.line += more.line == 0 ? 0 : lines;
        st = skip(into, &more, err);
    }
    return st;
}

dx_status calls_forgive(dx_calls_file *f, dx_status st, dx_err *err) {
    if (st == DX_OK || st == DX_E_NOMEM || st == DX_E_BUG || st == DX_E_LIMIT)
        return st;
    f->status = st;
    snprintf(f->message, sizeof f->message, "%s", err->msg);
    return DX_OK;
}

/* --- the sink */

static void note_clock(dx_calls_file *f, const dx_where *where) {
    if (where->local_ms == DX_TIME_NONE)
        return;
    *(where->has_zone ? &f->zoned : &f->local) = true;
}

static void note_call(dx_calls_file *f, const dx_call *call, const dx_where *where) {
    note_clock(f, where);
    note_start(f, call->start_ms);
    if (call->start_ms != DX_TIME_NONE && where->local_ms != DX_TIME_NONE && !where->has_zone)
        f->both_clocks = true;
}

static dx_status on_call(void *arg, const dx_call *call, const dx_where *where, dx_err *err) {
    calls_scan *s = arg;
    note_call(s->file, call, where);
    calls_found found = {
        .seen = {.line = where->line, .record_hash = where->record_hash, .source = s->source}};
    if (calls_same_at(s->c->same, 0) != NULL) {
        found.seen.same = calls_same_key(call, where->record_hash);
        found.seen.call = calls_same_has(s->c->same, found.seen.same) ? call : NULL;
    }
    if (!calls_learn(s->regions, call->encoded, call->table)
        || !describe(s->c, call, &s->key, &found))
        return no_memory(err);
    return s->take(s->arg, &found, err);
}

static dx_status on_event(void *arg, const dx_event *event, const dx_where *where, dx_err *err) {
    calls_scan *s = arg;
    note_clock(s->file, where);
    return calls_learn(s->regions, event->encoded, event->table) ? DX_OK : no_memory(err);
}

static dx_status on_region(void *arg, dx_slice encoded, dx_slice name, dx_slice table,
                           dx_err *err) {
    (void)name;
    return calls_learn(((calls_scan *)arg)->regions, encoded, table) ? DX_OK : no_memory(err);
}

static dx_status on_scan(void *arg, const dx_scan *scan, const dx_where *where, dx_err *err) {
    calls_scan *s = arg;
    (void)scan, (void)err;
    note_clock(s->file, where);
    return DX_OK;
}

static dx_status on_skip(void *arg, const char *reason, dx_slice sample, const dx_where *where,
                         dx_err *err) {
    calls_scan *s = arg;
    dx_calls_skip one = {.reason = reason, .count = 1, .line = where->line, .sample_n = sample.n};
    if (one.sample_n > sizeof one.sample)
        one.sample_n = sizeof one.sample;
    if (one.sample_n > 0)
        memcpy(one.sample, sample.p, one.sample_n);
    return skip(s->file, &one, err);
}

static bool on_stop(void *arg) {
    calls_scan *s = arg;
    return s->stop != NULL && s->stop(s->arg);
}

void calls_sink(calls_scan *s, dx_sink *out) {
    *out = (dx_sink){.arg = s,
                     .call = on_call,
                     .event = on_event,
                     .region = on_region,
                     .scan = on_scan,
                     .skip = on_skip,
                     .stop = on_stop};
}

DX_MUST_CHECK static dx_status scan(calls_scan *s, dx_input *in, dx_log_form form, dx_err *err) {
    dx_sink sink;
    calls_sink(s, &sink);
    sink.unhashed = s->c->logs <= 1 && calls_same_at(s->c->same, 0) == NULL;
    sink.only_calls = calls_alone(&s->c->files[s->source]);
    dx_buf_init(&s->key, 0);
    dx_status st = s->seam == NULL ? dx_logscan(in, form, &sink, &s->file->cov, err)
                                   : dx_logscan_piece(in, s->seam, &sink, &s->file->cov, err);
    dx_buf_done(&s->key);
    return calls_forgive(s->file, st, err);
}

dx_status calls_scan_log(calls_scan *s, dx_input *in, dx_err *err) {
    return scan(s, in, DX_LOG_PLAIN, err);
}

/* --- a log's input */

dx_status calls_open(const dx_calls *c, size_t source, dx_input **in, dx_err *err) {
    const dx_calls_file *f = &c->files[source];
    dx_status st = dx_input_open(in, f->path, err);
    if (st == DX_OK && f->again && !c->opts.identify)
        dx_input_unhashed(*in);
    return st;
}

uint64_t calls_fingerprint(const dx_calls *c, size_t source, const dx_input *in) {
    const dx_calls_file *f = &c->files[source];
    return f->again && !c->opts.identify ? dx_hash(f->path, strlen(f->path), 1)
                                         : dx_input_fingerprint(in);
}

/* --- tables of regions */

static dx_status learn_of_call(void *arg, const dx_call *call, const dx_where *where, dx_err *err) {
    (void)where;
    return on_region(arg, call->encoded, call->region, call->table, err);
}

static dx_status learn_of_event(void *arg, const dx_event *event, const dx_where *where,
                                dx_err *err) {
    (void)where;
    return on_region(arg, event->encoded, event->region, event->table, err);
}

dx_status calls_learn_log(dx_calls *c, size_t source, dx_err *err) {
    calls_scan s = {.c = c, .source = source, .regions = &c->regions};
    const dx_sink sink = {.arg = &s,
                          .call = learn_of_call,
                          .event = learn_of_event,
                          .region = on_region,
                          .unhashed = true};
    dx_coverage cov;
    dx_input *in = NULL;
    dx_err own; /* what is wrong with the log has been said before */
    dx_status st = calls_open(c, source, &in, &own);
    if (st == DX_OK) {
        st = dx_logscan(in, DX_LOG_PLAIN, &sink, &cov, &own);
        dx_input_close(in);
    }
    return st == DX_E_NOMEM ? no_memory(err) : DX_OK;
}

/* --- a rotated log */

dx_log_seam *calls_seam_begin(calls_seam *m, const dx_calls *c, size_t source, uint64_t skip) {
    *m = (calls_seam){.seam = {.skip = skip, .before_local_ms = DX_TIME_NONE}};
    for (size_t i = source + 1; i < c->n && c->files[i].goes_on && m->seam.n < CALLS_NEXT; i++)
        m->next[m->seam.n++] = c->files[i].path;
    m->seam.next = m->next;
    m->seam.taken = m->taken;
    return m->seam.n > 0 || skip > 0 ? &m->seam : NULL;
}

void calls_seam_end(const calls_seam *m, dx_calls *c, size_t source) {
    for (size_t i = 0; i < m->seam.n; i++)
        c->files[source + 1 + i].skip += m->taken[i];
}

/* --- dumps */

static dx_status keep(void *arg, const calls_found *found, dx_err *err) {
    calls_scan *s = arg;
    bool added;
    dx_status st = calls_same_dump(s->c->same, &found->seen, &added, err);
    if (st == DX_OK && added)
        s->file->new_calls++;
    return st;
}

static dx_status on_dump_call(void *arg, const dx_call *call, const dx_where *where, dx_err *err) {
    calls_scan *s = arg;
    note_call(s->file, call, where);
    const calls_found found = {.seen = {.call = call,
                                        .line = where->line,
                                        .record_hash = where->record_hash,
                                        .same = calls_same_key(call, where->record_hash),
                                        .source = s->source}};
    bool learnt = calls_learn(s->regions, call->encoded, call->table)
                  && (!call->has_scanner
                      || calls_scanners_learn(&s->c->scanners, call->scanner_id, call->table));
    return learnt ? keep(s, &found, err) : no_memory(err);
}

static bool dump_stop(void *arg) {
    const calls_scan *s = arg;
    return s->c->opts.stop != NULL && s->c->opts.stop(s->c->opts.stop_arg);
}

dx_status calls_scan_dump(dx_calls *c, size_t source, dx_input *in, dx_err *err) {
    calls_scan s = {.c = c, .file = &c->files[source], .source = source, .regions = &c->regions};
    const dx_sink sink = {.arg = &s, .call = on_dump_call, .skip = on_skip, .stop = dump_stop};
    dx_log_form form = s.file->kind == DX_SOURCE_RING ? DX_LOG_RING : DX_LOG_TABLE;
    return calls_forgive(s.file, dx_logscan(in, form, &sink, &s.file->cov, err), err);
}

/* test_corpus.c - lines as each version of HBase writes them, in its layout, with what must come
 * out of them beside them: tests/c/corpus/NAME.txt has three lines for each, the line of the log,
 * the kind
 * ("call", or the event's name) and the fields; '#' begins a comment. All are invented. */
#include "dx_fs.h"
#include "dx_logscan.h"
#include "tap.h"

#include <stdlib.h>

#define FOLDER "tests/c/corpus"

typedef struct seen {
    size_t n; /* things that were told */
    const char *kind;
    dx_buf fields;
} seen;

static void put_text(seen *s, const char *name, dx_slice v) {
    if (v.n == 0)
        return;
    dx_buf_addf(&s->fields, "%s%s=", s->fields.n == 0 ? "" : " ", name);
    dx_buf_add(&s->fields, v.p, v.n);
}

static void put_number(seen *s, const char *name, int64_t v) {
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, v);
    if (v != DX_UNKNOWN)
        put_text(s, name, dx_s(text));
}

static void put_real(seen *s, const char *name, double v) {
    char text[32];
    snprintf(text, sizeof text, "%.10g", v);
    put_text(s, name, dx_s(text));
}

static void put_tri(seen *s, const char *name, dx_tri v) {
    put_number(s, name, v == DX_TRI_UNKNOWN ? DX_UNKNOWN : v);
}

static void put_place(seen *s, const dx_where *w) {
    char stamp[DX_TIME_LEN];
    s->n++;
    dx_buf_clear(&s->fields);
    if (w->local_ms != DX_TIME_NONE) {
        dx_time_write(stamp, w->local_ms, 0);
        put_text(s, "at", dx_sn(stamp, 23));
    }
    put_text(s, "thread", w->thread);
}

static void put_scan(seen *s, const dx_call *c) {
    put_text(s, "start_row", c->start_row);
    put_text(s, "stop_row", c->stop_row);
    put_tri(s, "full_range", c->full_range);
    put_text(s, "filters", c->filters);
    put_text(s, "families", c->families);
    put_number(s, "caching", c->caching);
    put_number(s, "number_of_rows", c->number_of_rows);
    put_number(s, "max_result_bytes", c->max_result_bytes);
    put_number(s, "max_versions", c->max_versions);
    put_tri(s, "cache_blocks", c->cache_blocks);
    put_text(s, "operation_id", c->operation_id);
}

static dx_status on_call(void *arg, const dx_call *c, const dx_where *w, dx_err *err) {
    seen *s = arg;
    (void)err;
    put_place(s, w);
    s->kind = "call";
    put_tri(s, "slow", c->slow);
    put_tri(s, "large", c->large);
    put_text(s, "method", c->method);
    put_number(s, "start_ms", c->start_ms);
    put_number(s, "proc_ms", c->proc_ms);
    put_number(s, "queue_ms", c->queue_ms);
    put_number(s, "response_bytes", c->response_bytes);
    put_number(s, "block_bytes", c->block_bytes);
    put_number(s, "fs_read_ms", c->fs_read_ms);
    put_text(s, "client", c->client_address);
    put_text(s, "table", c->table);
    put_text(s, "encoded", c->encoded);
    put_text(s, "row", c->row);
    if (c->has_scanner)
        put_text(s, "scanner", dx_s("yes"));
    put_scan(s, c);
    put_number(s, "actions", c->actions);
    put_number(s, "multi_gets", c->multi_gets);
    put_number(s, "multi_mutations", c->multi_mutations);
    if (c->param_cut)
        put_text(s, "param", dx_s("cut"));
    return DX_OK;
}

static dx_status on_event(void *arg, const dx_event *e, const dx_where *w, dx_err *err) {
    seen *s = arg;
    (void)err;
    put_place(s, w);
    s->kind = dx_event_kind_of(e->id)->name;
    put_text(s, "region", e->region);
    put_text(s, "encoded", e->encoded);
    put_text(s, "table", e->table);
    put_text(s, "family", e->family);
    put_text(s, "server", e->server);
    for (size_t i = 0; i < e->n; i++) {
        const dx_field *f = &e->fields[i];
        if (f->type == DX_FIELD_TEXT)
            put_text(s, f->name, f->s);
        else if (f->type == DX_FIELD_REAL)
            put_real(s, f->name, f->d);
        else
            put_number(s, f->name, f->i);
    }
    return DX_OK;
}

static dx_status on_skip(void *arg, const char *reason, dx_slice sample, const dx_where *w,
                         dx_err *err) {
    seen *s = arg;
    (void)err, (void)sample;
    put_place(s, w);
    s->kind = reason;
    return DX_OK;
}

/* A record of several lines is one line here, with a sign for the ends of lines. */
static void with_line_ends(dx_slice line, dx_buf *out) {
    static const char sign[] = "\xe2\x90\xa4";
    ptrdiff_t at;
    while ((at = dx_slice_find(line, sign, 0)) >= 0) {
        dx_buf_add(out, line.p, (size_t)at);
        dx_buf_addc(out, '\n');
        line = dx_slice_sub(line, (size_t)at + sizeof sign - 1, line.n);
    }
    dx_buf_add(out, line.p, line.n);
}

static void check(dx_slice line, dx_slice kind, dx_slice fields, const char *where, size_t number) {
    seen s = {.kind = "nothing"};
    dx_sink sink = {.arg = &s, .call = on_call, .event = on_event, .skip = on_skip};
    dx_coverage cov;
    dx_input *in = NULL;
    dx_err err = {0};
    dx_buf text;
    dx_buf_init(&text, 0);
    with_line_ends(line, &text);
    dx_buf_init(&s.fields, 0);
    dx_status st = dx_input_open_bytes(&in, dx_buf_slice(&text), where, &err);
    if (st == DX_OK)
        st = dx_logscan(in, DX_LOG_PLAIN, &sink, &cov, &err);
    dx_input_close(in);
    bool good = st == DX_OK && s.n == 1 && dx_slice_is(kind, s.kind)
                && dx_slice_eq(dx_buf_slice(&s.fields), fields);
    if (!ok(good, "%s:%zu is a %.*s", where, number, (int)kind.n, kind.p))
        printf("# %zu things, the last:\n# %s\n# %.*s\n", s.n, s.kind, (int)s.fields.n,
               s.fields.n == 0 ? "" : s.fields.p);
    dx_buf_done(&s.fields);
    dx_buf_done(&text);
}

static dx_slice next_line(dx_slice *text, size_t *number) {
    ptrdiff_t end = dx_slice_find_char(*text, '\n', 0);
    dx_slice line = dx_slice_sub(*text, 0, end < 0 ? text->n : (size_t)end);
    *text = dx_slice_sub(*text, line.n + 1, text->n);
    ++*number;
    return line;
}

static void check_file(const char *name) {
    char path[300];
    dx_buf file;
    dx_err err = {0};
    size_t number = 0;
    snprintf(path, sizeof path, FOLDER "/%s", name);
    dx_buf_init(&file, 0);
    if (!ok(dx_fs_read(&file, path, 1u << 20, &err) == DX_OK, "%s %s", path, err.msg))
        return;
    for (dx_slice text = dx_buf_slice(&file); text.n > 0;) {
        dx_slice line = next_line(&text, &number);
        if (line.n == 0 || line.p[0] == '#')
            continue;
        size_t at = number;
        dx_slice kind = next_line(&text, &number), fields = next_line(&text, &number);
        check(line, kind, fields, name, at);
    }
    dx_buf_done(&file);
}

int main(void) {
    dx_listing files = {0};
    dx_err err = {0};
    if (ok(dx_fs_list(&files, FOLDER, &err) == DX_OK && files.n > 0, "a corpus %s", err.msg))
        for (size_t i = 0; i < files.n; i++)
            check_file(files.entries[i].name);
    dx_listing_done(&files);
    return done();
}

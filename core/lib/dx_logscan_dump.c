/* dx_logscan_dump.c - slow calls that a shell printed: JSON objects of the ring buffer among
 * prompts and noise, and rows of scan 'hbase:slowlog', which a terminal wraps at its width. */
#include "dx_logline.h"
#include "dx_logscan_int.h"

#include <string.h>

#define RECORD_MAX (16u << 20)
#define CELLS_MAX  32
#define PAD_MAX    4 /* blanks that a copied line may have lost at its end */

static dx_slice from(dx_slice s, size_t n) {
    return dx_slice_sub(s, n, s.n);
}

/* ---- ring buffer */

typedef struct ring {
    logscan *s;
    dx_tri large; /* by the banner or the command before */
    dx_buf text;  /* of the object in work */
    logscan_json json;
    dx_where where;
} ring;

static dx_status end_object(ring *r) {
    dx_slice text = dx_buf_slice(&r->text);
    dx_call call;
    dx_err why;
    dx_status st = DX_E_LIMIT;
    r->json = (logscan_json){0};
    r->where.record_hash = dx_hash(text.p, text.n, 0);
    dx_arena_reset(r->s->arena);
    if (dx_buf_ok(&r->text))
        st = dx_slowlog_ring(text, r->large, r->s->arena, &call, &why);
    if (st == DX_E_NOMEM)
        *r->s->err = why;
    const char *reason =
        st == DX_E_LIMIT ? "ring-buffer record is too large" : "ring-buffer record not understood";
    r->s->cov->records++;
    return logscan_decoded(r->s, st, &call, reason, text, &r->where);
}

static dx_status cut_object(ring *r) {
    r->json = (logscan_json){0};
    return logscan_skip(r->s, "ring-buffer record is cut", dx_buf_slice(&r->text), &r->where);
}

/* Notes what kind of dump follows. */
static bool read_banner(ring *r, dx_slice line) {
    if (dx_slice_find(line, "LargeLog Responses", 0) >= 0
        || dx_slice_find(line, "get_largelog_responses", 0) >= 0)
        r->large = DX_YES;
    else if (dx_slice_find(line, "SlowLog Responses", 0) >= 0
             || dx_slice_find(line, "get_slowlog_responses", 0) >= 0)
        r->large = DX_NO;
    else
        return false;
    return true;
}

/* Where an object begins in text outside of any, or -1: '{' after nothing but blanks, '[' and ',',
 * and before a key or the line's end. Noise may have braces too. */
static ptrdiff_t object_at(dx_slice text) {
    size_t i = 0;
    while (i < text.n && text.p[i] != '\0' && strchr(" \t[,", text.p[i]) != NULL)
        i++;
    if (i == text.n || text.p[i] != '{')
        return -1;
    dx_slice next = dx_slice_trim(from(text, i + 1));
    return next.n == 0 || next.p[0] == '"' || next.p[0] == '}' ? (ptrdiff_t)i : -1;
}

/* Text behind or between objects; more than one may begin and end in it. */
static dx_status outside(ring *r, dx_slice text, const logscan_line *line) {
    dx_status st = DX_OK;
    ptrdiff_t at;
    while (st == DX_OK && (at = object_at(text)) >= 0) {
        text = from(text, (size_t)at);
        r->where = (dx_where){.line = line->number,
                              .offset = line->offset + (size_t)(text.p - line->text.p),
                              .local_ms = DX_TIME_NONE};
        size_t n = logscan_json_walk(&r->json, text);
        dx_buf_clear(&r->text);
        dx_buf_add(&r->text, text.p, n);
        text = from(text, n);
        if (r->json.depth == 0)
            st = end_object(r);
    }
    return st;
}

/* A line that cannot be within an object: the one in work has broken off. */
static bool breaks_object(const ring *r, dx_slice line) {
    static const char *const heads[] = {"Retrieved ", "hbase(main):", "Took "};
    if (dx_slice_is(line, "{") || (dx_slice_is(line, "[") && !r->json.in_string))
        return true;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        if (dx_slice_starts(line, heads[i]))
            return true;
    return dx_slice_starts(line, "hbase:") && line.n > 6 && line.p[6] >= '0' && line.p[6] <= '9';
}

/* A line of a log between those of an object. */
static bool is_noise(const ring *r, dx_slice line) {
    dx_logline l;
    return !r->json.in_string && dx_logline_read(line, &l) && l.level.n > 0;
}

static dx_status inside(ring *r, const logscan_line *line) {
    logscan_json_glue(&r->json, &r->text, line->text);
    size_t n = logscan_json_walk(&r->json, line->text);
    dx_buf_add(&r->text, line->text.p, n);
    if (r->json.depth > 0)
        return DX_OK;
    dx_status st = end_object(r);
    return st == DX_OK ? outside(r, from(line->text, n), line) : st;
}

static bool is_punctuation(dx_slice line) {
    for (size_t i = 0; i < line.n; i++)
        if (line.p[i] == '\0' || strchr(" \t[],", line.p[i]) == NULL)
            return false;
    return true;
}

static dx_status ring_line(void *form, const logscan_line *line) {
    ring *r = form;
    if (r->json.depth > 0 && breaks_object(r, line->text)) {
        dx_status st = cut_object(r);
        if (st != DX_OK)
            return st;
    }
    if (r->json.depth > 0 && !is_noise(r, line->text))
        return inside(r, line);
    if (r->json.depth == 0 && object_at(line->text) >= 0)
        return outside(r, line->text, line);
    if (!read_banner(r, line->text) && !is_punctuation(line->text))
        r->s->cov->foreign++;
    return DX_OK;
}

static dx_status ring_end(void *form) {
    ring *r = form;
    return r->json.depth > 0 ? cut_object(r) : DX_OK;
}

dx_status logscan_ring(logscan *s) {
    ring r = {.s = s, .large = DX_TRI_UNKNOWN};
    dx_buf_init(&r.text, RECORD_MAX);
    dx_status st = logscan_lines(s, &(logscan_form){&r, ring_line, ring_end, NULL});
    dx_buf_done(&r.text);
    return st;
}

/* ---- scan 'hbase:slowlog' */

typedef struct cell {
    size_t qualifier, qualifier_n, value, value_n; /* in the row's text */
} cell;

typedef struct table {
    logscan *s;
    dx_buf key, text; /* of the cell in work: its row's key, and all from "column=" on */
    size_t column;    /* where "column=" stands in its line */
    bool open;
    size_t line_n, width; /* of the line before, and of the longest one */
    dx_where at;
    dx_buf row_key, row; /* the cells of a row, behind each other */
    cell cells[CELLS_MAX];
    size_t n;
    dx_where where;
} table;

static dx_status end_row(table *t) {
    dx_slowlog_cell cells[CELLS_MAX];
    dx_slice row = dx_buf_slice(&t->row);
    dx_call call;
    dx_err why;
    if (t->n == 0)
        return DX_OK;
    for (size_t i = 0; i < t->n; i++) {
        const cell *c = &t->cells[i];
        cells[i].qualifier = dx_slice_sub(row, c->qualifier, c->qualifier + c->qualifier_n);
        cells[i].value = dx_slice_sub(row, c->value, c->value + c->value_n);
    }
    t->where.record_hash = dx_hash(row.p, row.n, 0);
    dx_arena_reset(t->s->arena);
    dx_status st = DX_E_LIMIT;
    if (dx_buf_ok(&t->row) && dx_buf_ok(&t->text))
        st = dx_slowlog_row(cells, t->n, t->s->arena, &call, &why);
    if (st == DX_E_NOMEM)
        *t->s->err = why;
    t->n = 0;
    dx_buf_clear(&t->row);
    t->s->cov->records++;
    return logscan_decoded(t->s, st, &call, "slow-log row not understood", row, &t->where);
}

/* "column=info:name, timestamp=..., value=..." -> its name and value. */
static bool split_cell(dx_slice text, dx_slice *qualifier, dx_slice *value) {
    static const char head[] = "column=info:", mark[] = ", value=";
    ptrdiff_t comma = dx_slice_find_char(text, ',', 0);
    ptrdiff_t at = comma < 0 ? -1 : dx_slice_find(text, mark, (size_t)comma);
    if (at < 0 || !dx_slice_starts(text, head))
        return false;
    *qualifier = dx_slice_sub(text, strlen(head), (size_t)comma);
    *value = from(text, (size_t)at + strlen(mark));
    return true;
}

static dx_status end_cell(table *t) {
    dx_slice qualifier, value, key = dx_slice_trim(dx_buf_slice(&t->key));
    dx_status st = DX_OK;
    if (!t->open)
        return DX_OK;
    t->open = false;
    if (!split_cell(dx_buf_slice(&t->text), &qualifier, &value))
        return logscan_skip(t->s, "slow-log cell is cut", dx_buf_slice(&t->text), &t->at);
    if (t->n > 0 && !dx_slice_eq(key, dx_buf_slice(&t->row_key)))
        st = end_row(t);
    if (t->n == 0) {
        dx_buf_clear(&t->row_key);
        dx_buf_add(&t->row_key, key.p, key.n);
        t->where = t->at;
    }
    if (t->n < CELLS_MAX) {
        size_t at = t->row.n;
        t->cells[t->n++] = (cell){at, qualifier.n, at + qualifier.n, value.n};
        dx_buf_add(&t->row, qualifier.p, qualifier.n);
        dx_buf_add(&t->row, value.p, value.n);
    }
    return st;
}

static bool blank(dx_slice s) {
    return dx_slice_trim(s).n == 0;
}

static dx_status begin_cell(table *t, const logscan_line *line, size_t column) {
    dx_status st = end_cell(t);
    dx_buf_clear(&t->key);
    dx_buf_clear(&t->text);
    dx_buf_add(&t->key, line->text.p, column);
    dx_buf_add(&t->text, line->text.p + column, line->text.n - column);
    t->column = column;
    t->open = true;
    t->at = (dx_where){.line = line->number, .offset = line->offset, .local_ms = DX_TIME_NONE};
    return st;
}

/* One more line of a wrapped cell: joined without anything, but for blanks that stood at the end of
 * the line before and were lost when it was copied. The key's column may go on too. */
static void add_to_cell(table *t, dx_slice line) {
    dx_slice key = dx_slice_trim(dx_slice_sub(line, 0, t->column));
    for (size_t lost = t->width - t->line_n; lost > 0 && lost <= PAD_MAX; lost--)
        dx_buf_addc(&t->text, ' ');
    dx_slice before = dx_slice_trim(dx_buf_slice(&t->key));
    t->key.n = before.n == 0 ? 0 : (size_t)(before.p + before.n - t->key.p);
    dx_buf_add(&t->key, key.p, key.n);
    dx_buf_add(&t->text, line.p + t->column, line.n - t->column);
}

static dx_status table_line(void *form, const logscan_line *line) {
    table *t = form;
    dx_slice text = line->text;
    bool wide = t->open && text.n > t->column && text.p[0] == ' ' && text.p[t->column - 1] == ' ';
    dx_status st = DX_OK;
    ptrdiff_t column = dx_slice_find(text, " column=", 0) + 1;
    if (text.n > t->width)
        t->width = text.n;
    if (wide && blank(dx_slice_sub(text, 0, t->column))) {
        add_to_cell(t, text);
    } else if (column > 1 && text.p[0] == ' ' && !blank(dx_slice_sub(text, 0, (size_t)column))) {
        st = begin_cell(t, line, (size_t)column);
    } else if (wide) {
        add_to_cell(t, text);
    } else {
        t->s->cov->foreign++;
        st = end_cell(t);
    }
    t->line_n = text.n;
    return st;
}

static dx_status table_end(void *form) {
    dx_status st = end_cell(form);
    return st == DX_OK ? end_row(form) : st;
}

dx_status logscan_table(logscan *s) {
    table t = {.s = s};
    dx_buf *const buffers[] = {&t.key, &t.text, &t.row_key, &t.row};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        dx_buf_init(buffers[i], RECORD_MAX);
    dx_status st = logscan_lines(s, &(logscan_form){&t, table_line, table_end, NULL});
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        dx_buf_done(buffers[i]);
    return st;
}

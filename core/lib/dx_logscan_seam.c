/* dx_logscan_seam.c - where a rotated log goes on: the last record of a piece may have lines at the
 * head of the next one. These are read with the record, and the next piece passes them. */
#include "dx_logline.h"
#include "dx_logscan_int.h"
#include "dx_logwrap.h"

#define SEAM_MAX (2u << 20) /* bytes; more is no record */

dx_status logscan_seam_skip(logscan *s) {
    dx_slice line;
    uint64_t offset;
    bool cut;
    dx_status st = DX_ROW;
    for (uint64_t i = 0; i < s->seam->skip && st == DX_ROW; i++) {
        st = dx_input_line(s->in, LOGSCAN_LINE_MAX, &line, &offset, &cut, s->err);
        s->cov->lines += st == DX_ROW;
        s->cov->continuations += st == DX_ROW;
    }
    return st == DX_ROW ? DX_OK : st;
}

/* The next line; false: there is none, or none that ends within SEAM_MAX. n: bytes with its end. */
static bool look(dx_input *in, dx_slice *line, size_t *n) {
    for (size_t want = 4096; want <= SEAM_MAX; want *= 8) {
        dx_slice text = dx_input_ahead(in, want);
        ptrdiff_t end = dx_slice_find_char(text, '\n', 0);
        if (end < 0 && text.n >= want)
            continue;
        *n = end < 0 ? text.n : (size_t)end + 1;
        *line = dx_slice_sub(text, 0, end < 0 ? text.n : (size_t)end);
        if (line->n > 0 && line->p[line->n - 1] == '\r')
            line->n--;
        return text.n > 0;
    }
    return false;
}

/* ---- a line that is cut */

/* A line that is no rest of another. "server.HRegion: x" may be one. */
static bool begins(dx_slice line) {
    dx_logwrap w;
    dx_logline l;
    return line.n == 0 || logscan_is_of_trace(line) || dx_logwrap_read(line, &w)
           || (dx_logline_read(line, &l) && (l.level.n > 0 || l.local_ms != DX_TIME_NONE));
}

dx_status logscan_seam_mend(logscan *s, dx_slice *text, uint64_t offset) {
    dx_slice rest;
    dx_input *in;
    dx_err own;
    size_t n;
    bool whole = offset + text->n != dx_input_bytes_read(s->in);
    if (whole || s->seam->n == 0 || dx_input_open(&in, s->seam->next[0], &own) != DX_OK)
        return DX_OK;
    if (look(in, &rest, &n) && !begins(rest)) {
        dx_buf_clear(&s->half);
        dx_buf_add(&s->half, text->p, text->n);
        dx_buf_add(&s->half, rest.p, rest.n);
        *text = dx_buf_slice(&s->half);
        s->seam->taken[0] = 1;
    }
    dx_input_close(in);
    return dx_buf_ok(&s->half) ? DX_OK : dx_fail(s->err, DX_E_NOMEM, "no memory for a line");
}

/* ---- lines that follow */

typedef struct seam {
    void *form;
    bool (*goes_on)(void *, dx_slice);
    dx_status (*take)(void *, const logscan_line *);
    size_t bytes;
    bool ended; /* a record begins */
} seam;

static dx_status read_piece(logscan *s, seam *m, dx_input *in, uint64_t *taken) {
    logscan_line line = {.number = s->cov->lines, .offset = dx_input_bytes_read(s->in)};
    dx_status st = DX_OK;
    size_t n;
    for (uint64_t i = 0; i < *taken && look(in, &line.text, &n); i++)
        dx_input_pass(in, n);
    while (st == DX_OK && look(in, &line.text, &n)) {
        m->bytes += n;
        m->ended = m->bytes > SEAM_MAX || !m->goes_on(m->form, line.text);
        if (m->ended)
            return DX_OK;
        st = m->take(m->form, &line);
        dx_input_pass(in, n);
        ++*taken;
    }
    return st;
}

dx_status logscan_seam_read(logscan *s, void *form, bool (*goes_on)(void *, dx_slice),
                            dx_status (*take)(void *, const logscan_line *)) {
    seam m = {.form = form, .goes_on = goes_on, .take = take};
    uint64_t continuations = s->cov->continuations, foreign = s->cov->foreign;
    dx_status st = DX_OK;
    if (s->seam == NULL || !s->whole)
        return DX_OK;
    for (size_t i = 0; i < s->seam->n && st == DX_OK && !m.ended; i++) {
        dx_input *in;
        dx_err own;
        if (dx_input_open(&in, s->seam->next[i], &own) != DX_OK)
            break; /* whoever reads that piece says why */
        st = read_piece(s, &m, in, &s->seam->taken[i]);
        dx_input_close(in);
    }
    s->cov->continuations = continuations; /* they are the next piece's lines */
    s->cov->foreign = foreign;
    return st;
}

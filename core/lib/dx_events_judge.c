/* dx_events_judge.c - which rows a line is tried against: by its logger, and by the first bytes of
 * its message, which of a logger's rows leave one or two. */
#include "dx_events_match.h"
#include "dx_mem.h"

#include <stdlib.h>
#include <string.h>

/* "regionserver.HRegion", "o.a.h.h.regionserver.HRegion", "HRegion$1" -> "HRegion" */
static dx_slice last_name(dx_slice logger) {
    ptrdiff_t dot = dx_slice_rfind_char(logger, '.');
    dx_slice name = dx_slice_sub(logger, (size_t)(dot + 1), logger.n);
    ptrdiff_t inner = dx_slice_find_char(name, '$', 0);
    return inner < 0 ? name : dx_slice_sub(name, 0, (size_t)inner);
}

/* As strcmp of the two; names differ in their first letters. */
static int compare(dx_slice name, const char *other) {
    for (size_t i = 0; i < name.n; i++) {
        int by = (unsigned char)name.p[i] - (unsigned char)other[i];
        if (by != 0 || other[i] == '\0')
            return by != 0 ? by : 1;
    }
    return other[name.n] == '\0' ? 0 : -1;
}

static const dx_event_logger *logger_of(dx_slice logger) {
    size_t from = 0, to;
    const dx_event_logger *all = dx_event_loggers(&to);
    dx_slice name = last_name(logger);
    while (name.n > 0 && from < to) {
        size_t mid = from + (to - from) / 2;
        int by = compare(name, all[mid].name);
        if (by == 0)
            return &all[mid];
        if (by > 0)
            from = mid + 1;
        else
            to = mid;
    }
    return NULL;
}

/* ---- a logger's rows, made ready for many lines ---- */

#define ROWS_MAX 64 /* bits of a word */
#define HEADS    32

typedef struct ready_row {
    const dx_event_row *row;
    const dx_event_step *steps;
} ready_row;

typedef struct ready {
    uint64_t of_head[HEADS]; /* the rows that a message of such a head may be of, one bit each */
    ready_row row[ROWS_MAX];
    dx_event_step steps[];
} ready;

/* The place of a head among HEADS, by its first two bytes. */
static size_t place_of(uint64_t head) {
    const unsigned char *b = (const unsigned char *)&head;
    return (b[0] * 5u ^ b[1]) % HEADS;
}

static void make_ready(ready *r, size_t i, const dx_event_row *row, const dx_event_step *steps) {
    r->row[i] = (ready_row){row, steps};
    for (size_t place = 0; place < HEADS; place++)
        if (steps->lit_n < 2 || place == place_of(steps->head))
            r->of_head[place] |= UINT64_C(1) << i;
}

/* NULL: no memory, or more rows than there are bits. */
static ready *ready_new(const dx_event_row *rows) {
    dx_event_step room[DX_EVENT_STEPS];
    size_t n = 0, steps = 0;
    for (; rows[n].pattern != NULL; n++)
        steps += dx_event_take_apart(rows[n].pattern, rows[n].names, room);
    ready *r = n > ROWS_MAX ? NULL : dx_calloc(1, sizeof *r + steps * sizeof *room);
    if (r == NULL)
        return NULL;
    dx_event_step *next = r->steps;
    for (size_t i = 0; i < n; i++) {
        size_t taken = dx_event_take_apart(rows[i].pattern, rows[i].names, room);
        memcpy(next, room, taken * sizeof *room);
        make_ready(r, i, &rows[i], next);
        next += taken;
    }
    return r;
}

/* ---- loggers that were seen before ---- */

#define SEEN     256 /* names; one that falls on the place of another takes it */
#define SEEN_MIN 8u
#define SEEN_MAX 104u

typedef struct seen_name {
    char text[SEEN_MAX];
    size_t n;
    const dx_event_logger *logger; /* NULL: none of ours */
    const ready *ready;            /* NULL: its rows are as they are in the table */
} seen_name;

struct dx_event_reader {
    ready **of; /* of each logger, once it has been seen */
    size_t n;
    seen_name seen[SEEN];
    seen_name other; /* of a length that is not kept */
};

dx_event_reader *dx_event_reader_new(void) {
    dx_event_reader *r = dx_calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    dx_event_loggers(&r->n);
    r->of = dx_calloc(r->n, sizeof *r->of);
    if (r->of != NULL)
        return r;
    free(r);
    return NULL;
}

void dx_event_reader_free(dx_event_reader *r) {
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->n; i++)
        free(r->of[i]);
    free(r->of);
    free(r);
}

static void look_up(dx_event_reader *r, dx_slice logger, seen_name *out) {
    size_t n;
    const dx_event_logger *l = logger_of(logger), *all = dx_event_loggers(&n);
    out->logger = l;
    out->ready = NULL;
    if (l == NULL)
        return;
    ready **of = &r->of[l - all];
    if (*of == NULL)
        *of = ready_new(l->rows);
    out->ready = *of;
}

static const seen_name *see(dx_event_reader *r, dx_slice logger) {
    if (logger.n < SEEN_MIN || logger.n > SEEN_MAX) {
        look_up(r, logger, &r->other);
        return &r->other;
    }
    uint64_t end = dx_event_head(logger.p + logger.n - SEEN_MIN, SEEN_MIN);
    seen_name *s = &r->seen[(end + logger.n) * UINT64_C(0x9e3779b97f4a7c15) >> 56];
    if (s->n == logger.n && dx_same_bytes(s->text, logger.p, logger.n))
        return s;
    memcpy(s->text, logger.p, logger.n);
    s->n = logger.n;
    look_up(r, logger, s);
    return s;
}
_Static_assert(SEEN == 256, "eight bits of a product");

/* ---- one line ---- */

/* An event that tells nothing; values of fields that it has not are nobody's. */
static void blank(dx_event *e) {
    const dx_slice none = {NULL, 0};
    e->id = DX_EV_NONE;
    e->region = e->encoded = e->table = e->family = e->server = none;
    e->path_space = e->path_table = none;
    e->n = 0;
}

/* What a row whose pattern the message has makes of it; on false, out is blank again. */
static bool take_row(const dx_event_row *r, const dx_logline *line, dx_slice rest, dx_event *out) {
    out->id = r->id;
    if (r->key != NULL)
        dx_event_text(out, r->key, dx_s(r->value));
    if (r->more == NULL || r->more(line, rest, out))
        return true;
    blank(out);
    return false;
}

/* The row of this line, with its values in out; NULL: none knows it. */
static const dx_event_row *row_of(const dx_event_logger *l, const dx_logline *line, dx_slice rest,
                                  dx_event *out) {
    blank(out);
    for (const dx_event_row *r = l->rows; r->pattern != NULL; r++)
        if (dx_event_match(r->pattern, r->names, line->message, out)
            && take_row(r, line, rest, out))
            return r;
    return NULL;
}

/* The same by rows that were made ready. */
static const dx_event_row *ready_row_of(const ready *rows, const dx_logline *line, dx_slice rest,
                                        dx_event *out) {
    uint64_t head = dx_event_head(line->message.p, line->message.n);
    blank(out);
    for (uint64_t left = rows->of_head[place_of(head)]; left != 0; left &= left - 1) {
        const ready_row *r = &rows->row[__builtin_ctzll(left)];
        if (!dx_event_begins(r->steps, line->message))
            continue;
        if (!dx_event_walk(r->steps, line->message, out))
            blank(out);
        else if (take_row(r->row, line, rest, out))
            return r->row;
    }
    return NULL;
}

/* Whether the message begins with one of the words. */
static bool begins_with(dx_slice message, const char *words) {
    while (*words != '\0') {
        size_t n = strcspn(words, "|");
        if (message.n >= n && memcmp(message.p, words, n) == 0)
            return true;
        words += n + (words[n] == '|');
    }
    return false;
}

/* l, r: its logger and the row that knows it, or NULL. */
static dx_event_verdict verdict_of(const dx_event_logger *l, const dx_event_row *r,
                                   const dx_logline *line, dx_slice rest, dx_event *out) {
    if (r != NULL)
        return r->id != DX_EV_NONE ? DX_EVENT_READ : DX_EVENT_NOTHING;
    if (l != NULL && l->words != NULL && begins_with(line->message, l->words))
        return DX_EVENT_DRIFTS;
    if (dx_event_fault(line, rest, l != NULL, out))
        return DX_EVENT_READ;
    blank(out);
    return DX_EVENT_NOTHING;
}

dx_event_verdict dx_event_reader_judge(dx_event_reader *reader, const dx_logline *line,
                                       dx_slice rest, dx_event *out) {
    const seen_name *s = see(reader, line->logger);
    const dx_event_row *r = s->logger == NULL  ? NULL
                            : s->ready == NULL ? row_of(s->logger, line, rest, out)
                                               : ready_row_of(s->ready, line, rest, out);
    return verdict_of(s->logger, r, line, rest, out);
}

dx_event_verdict dx_event_judge(const dx_logline *line, dx_slice rest, dx_event *out) {
    const dx_event_logger *l = logger_of(line->logger);
    const dx_event_row *r = l == NULL ? NULL : row_of(l, line, rest, out);
    return verdict_of(l, r, line, rest, out);
}

bool dx_event_read(const dx_logline *line, dx_slice rest, dx_event *out) {
    return dx_event_judge(line, rest, out) == DX_EVENT_READ;
}

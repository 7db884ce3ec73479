/* dx_events_match.c - see dx_events_match.h. One walk along pattern and text; only a region name
 * is tried at several ends, from the right and at most MAX_ENDS times. */
#include "dx_events_match.h"
#include "dx_escape.h"
#include "dx_region.h"
#include "dx_server.h"
#include "dx_units.h"

#include <string.h>

#define MAX_TEXT 1000
#define MAX_ENDS 64

/* ---- fields ---- */

static dx_field *new_field(dx_event *out, const char *name, dx_field_type type) {
    if (name == NULL || out->n == DX_EVENT_FIELDS)
        return NULL;
    dx_field *f = &out->fields[out->n++];
    *f = (dx_field){.name = name, .type = type};
    return f;
}

void dx_event_int(dx_event *out, const char *name, int64_t v) {
    dx_field *f = new_field(out, name, DX_FIELD_INT);
    if (f != NULL)
        f->i = v;
}

void dx_event_text(dx_event *out, const char *name, dx_slice v) {
    dx_field *f = new_field(out, name, DX_FIELD_TEXT);
    if (f != NULL)
        f->s = dx_slice_sub(v, 0, MAX_TEXT);
}

dx_slice dx_event_first_line(dx_slice s) {
    s = dx_slice_trim(s);
    ptrdiff_t end = dx_slice_find_char(s, '\n', 0);
    return dx_slice_trim(end < 0 ? s : dx_slice_sub(s, 0, (size_t)end));
}

/* All but the values of fields, which stay as they are until others take their place. */
typedef struct mark {
    dx_slice region, encoded, table, family, server;
    size_t n;
} mark;

static mark mark_of(const dx_event *e) {
    return (mark){e->region, e->encoded, e->table, e->family, e->server, e->n};
}

static void go_back(dx_event *e, const mark *to) {
    e->region = to->region;
    e->encoded = to->encoded;
    e->table = to->table;
    e->family = to->family;
    e->server = to->server;
    e->n = to->n;
}

bool dx_event_reason(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)line;
    dx_slice reason = dx_event_first_line(rest);
    if (reason.n > 0)
        dx_event_text(out, "reason", reason);
    return true;
}

/* ---- places ---- */

static bool is_server(dx_slice s) {
    dx_server_name name;
    return dx_server_read(s, &name) && name.start_code != DX_UNKNOWN;
}

static bool set_region(dx_event *out, dx_slice s) {
    dx_slice table, encoded;
    if (dx_region_encoded(s)) {
        out->encoded = s;
        return true;
    }
    if (!dx_region_split(s, &table, &encoded))
        return false;
    out->region = s;
    out->table = table;
    if (encoded.n > 0)
        out->encoded = encoded;
    return true;
}

static void set_family(dx_event *out, dx_slice s) {
    ptrdiff_t slash = dx_slice_rfind_char(s, '/');
    dx_slice encoded = dx_slice_sub(s, 0, slash < 0 ? 0 : (size_t)slash);
    if (slash >= 0 && dx_region_encoded(encoded)) {
        if (out->encoded.n == 0)
            out->encoded = encoded;
        s = dx_slice_sub(s, (size_t)slash + 1, s.n);
    }
    out->family = s;
}

/* Splits the last part off s at '#'; false: there is no '#'. */
static bool last_part(dx_slice *s, dx_slice *part) {
    ptrdiff_t hash = dx_slice_rfind_char(*s, '#');
    if (hash < 0)
        return false;
    *part = dx_slice_sub(*s, (size_t)hash + 1, s->n);
    *s = dx_slice_sub(*s, 0, (size_t)hash);
    return true;
}

/* "region#family#compaction#17", and before 1.3 "region#family#17" */
static bool set_throttle(dx_event *out, dx_slice s) {
    dx_slice number, what, family;
    if (!last_part(&s, &number) || !last_part(&s, &what))
        return false;
    bool told = dx_slice_is(what, "compaction") || dx_slice_is(what, "flush");
    if (!told)
        family = what;
    else if (!last_part(&s, &family))
        return false;
    if (!set_region(out, s))
        return false;
    set_family(out, family);
    dx_event_text(out, "operation", told ? what : dx_s("compaction"));
    return true;
}

/* ---- captures ---- */

static dx_slice behind(dx_slice s, size_t n) {
    return n == 0 ? s : (dx_slice){s.p + n, s.n - n};
}

static size_t run(dx_slice s, bool (*is)(char)) {
    size_t n = 0;
    while (n < s.n && is(s.p[n]))
        n++;
    return n;
}

static bool is_hex(char c) {
    return dx_hex_digit(c) >= 0;
}

static bool is_alnum(char c) {
    return dx_is_letter(c) || dx_is_digit(c);
}

static bool is_version_char(char c) {
    return is_alnum(c) || c == '.' || c == '-' || c == '_' || c == '+';
}

static size_t take_int(dx_slice s, const char *name, dx_event *out) {
    uint64_t v = 0;
    size_t minus = s.n > 0 && s.p[0] == '-', n = dx_slice_lead_u64(behind(s, minus), &v);
    if (n == 0 || v > (uint64_t)INT64_MAX + minus)
        return 0;
    dx_event_int(out, name, minus ? (int64_t)(0 - v) : (int64_t)v);
    return minus + n;
}

static size_t take_bool(dx_slice s, const char *name, dx_event *out) {
    bool yes = dx_slice_starts(s, "true");
    if (!yes && !dx_slice_starts(s, "false"))
        return 0;
    dx_event_int(out, name, yes);
    return yes ? 4 : 5;
}

static size_t take_word(dx_slice s, size_t n, const char *name, dx_event *out) {
    dx_event_text(out, name, dx_slice_sub(s, 0, n));
    return n;
}

static size_t take_encoded(dx_slice s, dx_event *out) {
    const dx_slice usual = dx_slice_sub(s, 0, 32);
    bool ends = s.n <= 32 || !is_alnum(s.p[32]);
    dx_slice e = ends && dx_region_encoded(usual) ? usual : dx_slice_sub(s, 0, run(s, is_alnum));
    if (!dx_region_encoded(e))
        return 0;
    out->encoded = e;
    return e.n;
}

/* A capture that ends by its own form. Returns the bytes it took; 0: it is not there. */
static size_t take(char type, dx_slice s, const char *name, dx_event *out) {
    int64_t v;
    size_t n;
    switch (type) {
    case 'i': return take_int(s, name, out);
    case 'y': return take_bool(s, name, out);
    case 'E': return take_encoded(s, out);
    case 'h':
        n = dx_slice_starts(s, "0x") ? 2 : 0;
        return take_word(s, n + run(dx_slice_sub(s, n, s.n), is_hex), name, out);
    case 'v':
        return run(s, dx_is_digit) == 0 ? 0 : take_word(s, run(s, is_version_char), name, out);
    case 'g':
        n = dx_grouped_lead(s, &v);
        if (n > 0)
            dx_event_int(out, name, v);
        return n;
    default: return 0;
    }
}

/* "9.1 G", or "9.1 G (8.0 G, 1.1 G)" */
static bool read_size(dx_slice s, int64_t *v) {
    if (dx_size_read(s, v))
        return true;
    ptrdiff_t list = dx_slice_find(s, " (", 0);
    return list > 0 && dx_size_read(dx_slice_sub(s, 0, (size_t)list), v);
}

/* The longest head of s that is a size: where nothing else says where it ends. */
static dx_slice size_head(dx_slice s) {
    int64_t v;
    for (size_t n = s.n < 24 ? s.n : 24; n > 0; n--)
        if (dx_size_read(dx_slice_sub(s, 0, n), &v))
            return dx_slice_sub(s, 0, n);
    return s;
}

/* A capture whose text is known. False: it is not of that type. */
static bool store(char type, dx_slice s, const char *name, dx_event *out) {
    int64_t v;
    switch (type) {
    case 'b':
    case 'd':
        if (!(type == 'b' ? read_size(s, &v) : dx_duration_read(s, &v)))
            return false;
        dx_event_int(out, name, v);
        return true;
    case 'p':
        if (dx_throughput_read(s, &v))
            dx_event_int(out, name, v);
        return true;
    case 't': dx_event_text(out, name, dx_slice_trim(s)); return true;
    case 'F': set_family(out, s); return true;
    case 'S':
        if (is_server(s))
            out->server = s;
        return true;
    case 'R': return set_region(out, dx_slice_trim(s));
    case 'N': return set_throttle(out, s);
    default: return type == '_';
    }
}

/* ---- the walk ---- */

static bool walk_behind(const dx_event_step *step, dx_slice s, dx_event *out);

static void walk_optional(const dx_event_step *step, dx_slice *s, dx_event *out) {
    bool there = step->choice_n <= s->n && dx_same_bytes(s->p, step->choice, step->choice_n);
    if (there || step->type == 'o')
        dx_event_int(out, step->name, there);
    if (there)
        *s = behind(*s, step->choice_n);
}

/* A capture of that type up to the next step's literal, the first one: moves *s behind it. */
static bool walk_bounded(char type, const dx_event_step *step, dx_slice *s, dx_event *out) {
    const dx_event_step *next = step + 1;
    size_t end = s->n;
    if (next->lit_n > 0) {
        ptrdiff_t hit = dx_slice_find_n(*s, next->lit, next->lit_n, 0);
        if (hit < 0)
            return false;
        end = (size_t)hit;
    }
    dx_slice text = {s->p, end};
    *s = behind(*s, end + next->lit_n);
    if (type == '_')
        return true;
    if (next->lit_n == 0 && type == 'b')
        text = size_head(text);
    return store(type, text, step->name, out);
}

/* A region name or a throttle's name, and all that follows. */
static bool walk_from_right(const dx_event_step *step, dx_slice s, dx_event *out) {
    const dx_event_step *next = step + 1;
    size_t lit = next->lit_n, end = s.n - lit;
    if (lit == 0 && next->capture == DX_CAPTURE_NONE)
        return store(step->type, s, NULL, out);
    const mark before = mark_of(out);
    for (int ends = 0; ends < MAX_ENDS && lit <= s.n; ends++) {
        if (lit > 0) {
            ptrdiff_t hit = dx_slice_rfind_n((dx_slice){s.p, end + lit}, next->lit, lit);
            if (hit < 0)
                break;
            end = (size_t)hit;
        }
        if (store(step->type, (dx_slice){s.p, end}, NULL, out)
            && walk_behind(next, behind(s, end + lit), out))
            return true;
        go_back(out, &before);
        if (end == 0)
            break;
        end--;
    }
    /* a log whose names were made unreadable still tells what happened */
    return step->type == 'R' && walk_bounded('_', step, &s, out) && walk_behind(next, s, out);
}

/* From behind the step's literal on. */
static bool walk_behind(const dx_event_step *step, dx_slice s, dx_event *out) {
    for (;; step++) {
        size_t n;
        switch (step->capture) {
        case DX_CAPTURE_NONE: return true;
        case DX_CAPTURE_FROM_RIGHT: return walk_from_right(step, s, out);
        case DX_CAPTURE_BOUNDED:
            if (!walk_bounded(step->type, step, &s, out))
                return false;
            continue; /* its end was the next literal */
        case DX_CAPTURE_BLANK: s = behind(s, s.n > 0 && s.p[0] == ' '); break;
        case DX_CAPTURE_OPTIONAL: walk_optional(step, &s, out); break;
        case DX_CAPTURE_SELF_ENDING:
            n = take(step->type, s, step->name, out);
            if (n == 0)
                return false;
            s = behind(s, n);
            break;
        }
        if (!dx_event_begins(step + 1, s))
            return false;
        s = behind(s, step[1].lit_n);
    }
}

bool dx_event_walk(const dx_event_step *steps, dx_slice text, dx_event *out) {
    return walk_behind(steps, behind(text, steps->lit_n), out);
}

bool dx_event_match(const char *pattern, const char *const *names, dx_slice text, dx_event *out) {
    dx_event_step steps[DX_EVENT_STEPS];
    if (*pattern != '%' && *pattern != '\0' && (text.n == 0 || *pattern != text.p[0]))
        return false; /* most rows end here */
    const mark before = mark_of(out);
    dx_event_take_apart(pattern, names, steps);
    if (dx_event_begins(steps, text) && dx_event_walk(steps, text, out))
        return true;
    go_back(out, &before);
    return false;
}

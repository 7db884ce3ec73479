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
    int64_t v;
    size_t minus = s.n > 0 && s.p[0] == '-';
    size_t n = minus + run(dx_slice_sub(s, minus, s.n), dx_is_digit);
    if (!dx_slice_i64(dx_slice_sub(s, 0, n), &v))
        return 0;
    dx_event_int(out, name, v);
    return n;
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
    dx_slice e = dx_slice_sub(s, 0, run(s, is_alnum));
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
    ptrdiff_t list = dx_slice_find(s, " (", 0);
    return dx_size_read(s, v) || (list > 0 && dx_size_read(dx_slice_sub(s, 0, (size_t)list), v));
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

static bool named(char type) {
    switch (type) {
    case 'i':
    case 'g':
    case 'y':
    case 'h':
    case 'v':
    case 'o':
    case 'O':
    case 'b':
    case 'p':
    case 'd':
    case 't': return true;
    default: return false;
    }
}

/* ---- the walk ---- */

static bool walk(dx_slice p, const char *const *names, dx_slice s, dx_event *out);

static dx_slice behind(dx_slice s, size_t n) {
    return (dx_slice){s.p + n, s.n - n};
}

/* Bytes of the literal that a pattern begins with. */
static size_t literal_length(dx_slice p) {
    const char *hit = p.n == 0 ? NULL : memchr(p.p, '%', p.n);
    return hit == NULL ? p.n : (size_t)(hit - p.p);
}

static bool literal_at(dx_slice s, size_t at, const char *lit, size_t n) {
    return at <= s.n && n <= s.n - at && (n == 0 || memcmp(s.p + at, lit, n) == 0);
}

/* "[text]" behind %o or %O: moves *p past it. */
static void walk_optional(char type, dx_slice *p, const char *name, dx_slice *s, dx_event *out) {
    size_t lit = (size_t)dx_slice_find_char(*p, ']', 0) - 1;
    bool there = literal_at(*s, 0, p->p + 1, lit);
    if (there || type == 'o')
        dx_event_int(out, name, there);
    if (there)
        *s = behind(*s, lit);
    *p = behind(*p, lit + 2);
}

/* A capture up to the next literal, the first one: moves *s to that literal. */
static bool walk_bounded(char type, dx_slice p, const char *name, dx_slice *s, dx_event *out) {
    size_t lit = literal_length(p), end = s->n;
    if (lit > 0) {
        const char *hit = s->n == 0 ? NULL : s->p;
        while (hit != NULL && !literal_at(*s, (size_t)(hit - s->p), p.p, lit)) {
            size_t at = (size_t)(hit - s->p) + 1;
            hit = at < s->n ? memchr(s->p + at, *p.p, s->n - at) : NULL;
        }
        if (hit == NULL)
            return false;
        end = (size_t)(hit - s->p);
    }
    dx_slice text = dx_slice_sub(*s, 0, end);
    if (lit == 0 && type == 'b')
        text = size_head(text);
    *s = dx_slice_sub(*s, end, s->n);
    return store(type, text, name, out);
}

/* The last place at or before *at where the literal stands: moves *at there. */
static bool last_literal(dx_slice s, const char *lit, size_t n, size_t *at) {
    if (n == 0)
        return true;
    if (s.n < n)
        return false;
    for (size_t to = *at < s.n - n ? *at : s.n - n;; to--) {
        ptrdiff_t hit = dx_slice_rfind_char(dx_slice_sub(s, 0, to + 1), *lit);
        if (hit < 0)
            return false;
        to = (size_t)hit;
        if (memcmp(s.p + to, lit, n) == 0) {
            *at = to;
            return true;
        }
        if (to == 0)
            return false;
    }
}

/* A region name or a throttle's name, and all that follows. */
static bool walk_from_right(char type, dx_slice p, const char *const *names, dx_slice s,
                            dx_event *out) {
    size_t lit = literal_length(p);
    if (p.n == 0)
        return store(type, s, NULL, out);
    const mark before = mark_of(out);
    size_t end = s.n;
    for (int ends = 0; ends < MAX_ENDS && last_literal(s, p.p, lit, &end); ends++) {
        if (store(type, dx_slice_sub(s, 0, end), NULL, out)
            && walk(behind(p, lit), names, dx_slice_sub(s, end + lit, s.n), out))
            return true;
        go_back(out, &before);
        if (end == 0)
            break;
        end--;
    }
    /* a log whose names were made unreadable still tells what happened */
    return type == 'R' && walk_bounded('_', p, NULL, &s, out) && walk(p, names, s, out);
}

/* What a capture is by its letter. */
typedef enum capture { SELF_ENDING, BOUNDED, FROM_RIGHT, BLANK, OPTIONAL } capture;

static capture capture_of(char type) {
    switch (type) {
    case 'R':
    case 'N': return FROM_RIGHT;
    case '~': return BLANK;
    case 'o':
    case 'O': return OPTIONAL;
    case 'i':
    case 'g':
    case 'y':
    case 'E':
    case 'h':
    case 'v': return SELF_ENDING;
    default: return BOUNDED;
    }
}

/* Moves *p and *s behind the literal that *p begins with; false: s begins otherwise. */
static bool walk_literal(dx_slice *p, dx_slice *s) {
    size_t lit = literal_length(*p);
    if (lit > s->n || !dx_same_bytes(s->p, p->p, lit))
        return false;
    *p = behind(*p, lit);
    *s = s->n == 0 ? *s : behind(*s, lit);
    return true;
}

static bool walk(dx_slice p, const char *const *names, dx_slice s, dx_event *out) {
    while (walk_literal(&p, &s)) {
        if (p.n == 0)
            return true;
        char type = p.p[1];
        p = behind(p, 2);
        const char *name = named(type) ? *names++ : NULL;
        size_t n;
        switch (capture_of(type)) {
        case FROM_RIGHT: return walk_from_right(type, p, names, s, out);
        case BLANK: s = dx_slice_sub(s, s.n > 0 && s.p[0] == ' ', s.n); break;
        case OPTIONAL: walk_optional(type, &p, name, &s, out); break;
        case SELF_ENDING:
            n = take(type, s, name, out);
            if (n == 0)
                return false;
            s = behind(s, n);
            break;
        case BOUNDED:
            if (!walk_bounded(type, p, name, &s, out))
                return false;
            break;
        }
    }
    return false;
}

bool dx_event_match(const char *pattern, const char *const *names, dx_slice text, dx_event *out) {
    if (*pattern != '%' && *pattern != '\0'
        && (text.n == 0 || *pattern != text.p[0]
            || (pattern[1] != '%' && pattern[1] != '\0'
                && (text.n == 1 || pattern[1] != text.p[1]))))
        return false; /* most rows end here */
    const mark before = mark_of(out);
    if (walk(dx_s(pattern), names, text, out))
        return true;
    go_back(out, &before);
    return false;
}

/* dx_slowlog_scan.c - a ScanRequest as protobuf prints it: "region { ... } scan { ... }
 * number_of_rows: 100", or "scanner_id: ..." for what follows an open. Read in one pass that knows
 * in which message it is; unknown fields, also numbered ones of newer clients, are stepped over. Of
 * a cut text, what touches the cut is not taken, and a field is known to be absent only where one
 * that prints later has been seen. */
#include "dx_slowlog_int.h"

#include <stddef.h>
#include <string.h>

#define CLASSES 16 /* at most so many distinct filter classes are told */

typedef struct class_list {
    dx_slice v[CLASSES];
    size_t n;
} class_list;

/* The byte that stands at p, escaped or not; returns what follows it. An escape that protobuf does
 * not know is a backslash. */
static const char *text_byte(const char *p, const char *end, unsigned char *byte) {
    static const char from[] = "abfnrtv\\'\"", to[] = "\a\b\f\n\r\t\v\\'\"";
    *byte = (unsigned char)*p++;
    if (*byte != '\\' || p == end)
        return p;
    const char *hit = memchr(from, *p, sizeof from - 1);
    if (hit != NULL) {
        *byte = (unsigned char)to[hit - from];
        return p + 1;
    }
    unsigned code = 0;
    int digits = 0;
    while (digits < 3 && p + digits < end && p[digits] >= '0' && p[digits] <= '7')
        code = code * 8 + (unsigned)(p[digits++] - '0');
    if (digits > 0)
        *byte = (unsigned char)code;
    return p + digits;
}

/* Writes raw in HBase's printable form, to nowhere when out is NULL; returns the length. */
static size_t print_binary(char *out, dx_slice raw) {
    static const char hex[] = "0123456789ABCDEF";
    const char *p = raw.p, *end = raw.p + raw.n;
    size_t n = 0;
    while (p < end) {
        unsigned char b;
        p = text_byte(p, end, &b);
        if (b >= 0x20 && b < 0x7F && b != '\\') {
            if (out != NULL)
                out[n] = (char)b;
            n++;
            continue;
        }
        if (out != NULL)
            memcpy(out + n, (const char[]){'\\', 'x', hex[b >> 4], hex[b & 15]}, 4);
        n += 4;
    }
    return n;
}

/* Whether a text stands for itself: it has no escape, and nothing that needs one. */
static bool is_printed(dx_slice raw) {
    size_t odd = 0;
    for (size_t i = 0; i < raw.n; i++)
        odd += (unsigned char)(raw.p[i] - 0x20) >= 0x5F || raw.p[i] == '\\';
    return odd == 0;
}

/* The bytes of a quoted text in \xHH form. */
static dx_slice binary(slow_rec *r, dx_slice raw) {
    if (is_printed(raw))
        return raw;
    size_t n = raw.n == 0 ? 0 : print_binary(NULL, raw);
    char *p = n == 0 ? NULL : slow_alloc(r, n);
    if (p == NULL)
        return dx_sn(NULL, 0);
    print_binary(p, raw);
    return dx_sn(p, n);
}

/* The bytes of a quoted text as they are. */
static dx_slice plain(slow_rec *r, dx_slice raw) {
    char *out = raw.n == 0 ? NULL : slow_alloc(r, raw.n);
    size_t n = 0;
    if (out == NULL)
        return dx_sn(NULL, 0);
    const char *p = raw.p, *end = raw.p + raw.n;
    while (p < end) {
        unsigned char b;
        p = text_byte(p, end, &b);
        out[n++] = (char)b;
    }
    return dx_sn(out, n);
}

static bool in_name(char c) {
    return (unsigned char)((c | 0x20) - 'a') < 26 || (unsigned char)(c - '0') < 10 || c == '_';
}

static bool in_class(char c) {
    return in_name(c) || c == '.' || c == '$';
}

/* Adds the simple name of a class, once. */
static void add_class(class_list *names, dx_slice class_name) {
    size_t from = class_name.n;
    while (from > 0 && in_name(class_name.p[from - 1]))
        from--;
    dx_slice simple = dx_slice_sub(class_name, from, class_name.n);
    if (simple.n == 0 || names->n == CLASSES)
        return;
    for (size_t i = 0; i < names->n; i++)
        if (dx_slice_eq(names->v[i], simple))
            return;
    names->v[names->n++] = simple;
}

/* Filters inside of filters: their class names stand as plain text among escaped bytes. whole: s
 * ends where the field ends, else a name that touches the end may be cut. */
static void add_nested(class_list *names, dx_slice s, bool whole) {
    static const char package[] = "org.apache.hadoop.hbase.filter.";
    ptrdiff_t at = 0;
    while (names->n < CLASSES && (at = dx_slice_find(s, package, (size_t)at)) >= 0) {
        size_t end = (size_t)at + sizeof package - 1;
        while (end < s.n && in_class(s.p[end]))
            end++;
        if (end < s.n || whole)
            add_class(names, dx_slice_sub(s, (size_t)at, end));
        at = (ptrdiff_t)end;
    }
}

void slow_filter_text(slow_rec *r, dx_slice text) {
    class_list names = {.n = 0};
    size_t at = 0;
    while (at < text.n) {
        size_t from = at;
        while (at < text.n && in_name(text.p[at]))
            at++;
        dx_slice word = dx_slice_sub(text, from, at);
        bool named = word.n > 0 && word.p[0] >= 'A' && word.p[0] <= 'Z';
        if (named
            && (from == 0 || dx_slice_ends(word, "Filter") || dx_slice_is(word, "FilterList")))
            add_class(&names, word);
        at += at == from;
    }
    r->c.filters = slow_join(r, names.v, names.n);
}

typedef enum place { TOP, REGION, SCAN, COLUMN, ATTRIBUTE, FILTER, OTHER } place;

#define PLACES   8
#define FAMILIES 32

typedef struct proto {
    slow_rec *r;
    const char *p, *end;
    place path[PLACES];
    size_t depth; /* of the message that p is in; path holds the first PLACES */
    class_list filters;
    dx_slice families[FAMILIES];
    size_t n_families;
    dx_slice attribute; /* the name of the attribute p is in */
} proto;

typedef struct scalar {
    dx_slice raw; /* a quoted text without its quotes */
    bool whole;   /* not touched by a cut */
    bool in_quotes;
} scalar;

static place here(const proto *t) {
    return t->depth < PLACES ? t->path[t->depth] : OTHER;
}

static place inside(place outer, dx_slice name) {
    static const struct {
        place outer;
        const char *name;
        place inner;
    } messages[] = {{TOP, "region", REGION},
                    {TOP, "scan", SCAN},
                    {SCAN, "column", COLUMN},
                    {SCAN, "attribute", ATTRIBUTE},
                    {SCAN, "filter", FILTER}};
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        if (messages[i].outer == outer && dx_slice_is(name, messages[i].name))
            return messages[i].inner;
    return OTHER;
}

/* Fields print in the order of their numbers, columns and attributes first, then start_row, then
 * stop_row: one that stands later says that an earlier one is absent. */
static void pass(proto *t, dx_slice name) {
    dx_call *c = &t->r->c;
    if (here(t) != SCAN || dx_slice_is(name, "column") || dx_slice_is(name, "attribute")
        || dx_slice_is(name, "start_row"))
        return;
    if (c->has_start_row == DX_TRI_UNKNOWN)
        c->has_start_row = DX_NO;
    if (c->has_stop_row == DX_TRI_UNKNOWN) /* stop_row sets its own after this */
        c->has_stop_row = DX_NO;
}

static void leave(proto *t) {
    dx_call *c = &t->r->c;
    if (here(t) == SCAN) {
        pass(t, dx_s("}"));
        if (c->small == DX_TRI_UNKNOWN) /* printed only where they are true */
            c->small = DX_NO;
        if (c->reversed == DX_TRI_UNKNOWN)
            c->reversed = DX_NO;
    }
    if (t->depth > 0)
        t->depth--;
}

static void enter(proto *t, dx_slice name) {
    pass(t, name);
    place inner = inside(here(t), name);
    t->depth++;
    if (t->depth < PLACES)
        t->path[t->depth] = inner;
    t->attribute = dx_sn(NULL, 0);
}

static void put_int(int64_t *to, const scalar *v) {
    int64_t n;
    if (v->whole && dx_slice_i64(v->raw, &n) && n >= 0)
        *to = n;
}

static void put_tri(dx_tri *to, const scalar *v) {
    if (v->whole && dx_slice_is(v->raw, "true"))
        *to = DX_YES;
    else if (v->whole && dx_slice_is(v->raw, "false"))
        *to = DX_NO;
}

/* A row that is printed is not empty, also where its bytes are cut. */
static void put_row(proto *t, dx_slice *row, dx_tri *has, const scalar *v) {
    *has = v->whole && v->raw.n == 0 ? DX_NO : DX_YES;
    if (v->whole)
        *row = binary(t->r, v->raw);
}

static void put_region(proto *t, const scalar *v) {
    if (!v->in_quotes)
        return;
    dx_slice name = binary(t->r, v->raw);
    if (v->whole)
        slow_region(t->r, name);
    else
        slow_table(t->r, name);
}

static void put_scanner(slow_rec *r, const scalar *v) {
    uint64_t id;
    int64_t negative;
    if (!v->whole)
        return;
    if (dx_slice_u64(v->raw, &id))
        r->c.scanner_id = id;
    else if (dx_slice_i64(v->raw, &negative))
        r->c.scanner_id = (uint64_t)negative;
    else
        return;
    r->c.has_scanner = true;
}

typedef enum field_kind {
    INT,
    TRI,
    START,
    STOP,
    SCANNER,
    REGION_NAME,
    FAMILY,
    ATTRIBUTE_NAME,
    ATTRIBUTE_VALUE,
    CLASS,
    NESTED
} field_kind;

typedef struct field {
    const char *name; /* NULL ends a list */
    field_kind kind;
    size_t offset;
} field;

#define NUMBER(name, kind, member)                                                                 \
    { name, kind, offsetof(dx_call, member) }
#define PLAIN(name, kind)                                                                          \
    { name, kind, 0 }
#define END                                                                                        \
    { NULL, INT, 0 }

static const field of_top[] = {
    PLAIN("scanner_id", SCANNER),
    NUMBER("number_of_rows", INT, number_of_rows),
    NUMBER("limit_of_rows", INT, limit_rows),
    END,
};
static const field of_region[] = {PLAIN("value", REGION_NAME), END};
static const field of_scan[] = {
    PLAIN("start_row", START),
    PLAIN("stop_row", STOP),
    NUMBER("max_versions", INT, max_versions),
    NUMBER("cache_blocks", TRI, cache_blocks),
    NUMBER("batch_size", INT, batch),
    NUMBER("max_result_size", INT, max_result_bytes),
    NUMBER("small", TRI, small),
    NUMBER("reversed", TRI, reversed),
    NUMBER("caching", INT, caching),
    END,
};
static const field of_column[] = {PLAIN("family", FAMILY), END};
static const field of_attribute[] = {PLAIN("name", ATTRIBUTE_NAME), PLAIN("value", ATTRIBUTE_VALUE),
                                     END};
static const field of_filter[] = {PLAIN("name", CLASS), PLAIN("serialized_filter", NESTED), END};
static const field of_other[] = {END};
static const field *const of_place[] = {
    [TOP] = of_top,       [REGION] = of_region,       [SCAN] = of_scan,   [COLUMN] = of_column,
    [FILTER] = of_filter, [ATTRIBUTE] = of_attribute, [OTHER] = of_other,
};

static void put(proto *t, const field *f, const scalar *v) {
    slow_rec *r = t->r;
    void *to = (char *)&r->c + f->offset;
    switch (f->kind) {
    case INT: put_int(to, v); break;
    case TRI: put_tri(to, v); break;
    case START: put_row(t, &r->c.start_row, &r->c.has_start_row, v); break;
    case STOP: put_row(t, &r->c.stop_row, &r->c.has_stop_row, v); break;
    case SCANNER: put_scanner(r, v); break;
    case REGION_NAME: put_region(t, v); break;
    case FAMILY:
        if (v->whole && t->n_families < FAMILIES)
            t->families[t->n_families++] = binary(r, v->raw);
        break;
    case ATTRIBUTE_NAME: t->attribute = v->raw; break;
    case ATTRIBUTE_VALUE:
        if (v->whole && dx_slice_is(t->attribute, "_operation.attributes.id")
            && r->c.operation_id.n == 0)
            r->c.operation_id = plain(r, v->raw);
        break;
    case CLASS:
        if (v->whole)
            add_class(&t->filters, v->raw);
        break;
    case NESTED: add_nested(&t->filters, v->raw, v->whole); break;
    }
}

static void assign(proto *t, dx_slice name, const scalar *v) {
    pass(t, name);
    for (const field *f = of_place[here(t)]; f->name != NULL; f++)
        if (*f->name == *name.p && dx_slice_is(name, f->name)) {
            put(t, f, v);
            return;
        }
}

static void skip_blanks(proto *t) {
    const char *p = t->p;
    while (p < t->end && (*p == ' ' || *p == '\n' || *p == '\t'))
        p++;
    t->p = p;
}

static scalar read_scalar(proto *t) {
    scalar v = {{t->p, 0}, true, false};
    if (t->p < t->end && *t->p == '"') {
        dx_slice rest = {t->p + 1, (size_t)(t->end - t->p) - 1};
        size_t n = slow_json_quote(rest);
        v = (scalar){{rest.p, n}, n < rest.n, true};
        t->p = rest.p + n + v.whole;
        t->r->c.param_cut |= !v.whole; /* a quote is open: it is cut, with a marker or without */
        return v;
    }
    const char *p = t->p;
    while (p < t->end && *p != ' ' && *p != '}' && *p != '\n')
        p++;
    t->p = p;
    v.raw.n = (size_t)(t->p - v.raw.p);
    v.whole = t->p < t->end || !t->r->c.param_cut;
    return v;
}

static void read_field(proto *t) {
    const char *from = t->p, *p = from;
    while (p < t->end && in_name(*p))
        p++;
    t->p = p;
    dx_slice name = {from, (size_t)(p - from)};
    if (name.n == 0) {
        t->p++;
        return;
    }
    skip_blanks(t);
    bool colon = t->p < t->end && *t->p == ':';
    if (colon) {
        t->p++;
        skip_blanks(t);
    }
    if (t->p < t->end && *t->p == '{') {
        t->p++;
        enter(t, name);
    } else if (colon) {
        scalar v = read_scalar(t);
        assign(t, name, &v);
    }
}

void slow_scan_text(slow_rec *r, dx_slice s) {
    proto t = {.r = r, .p = s.p, .end = s.p + s.n, .path = {TOP}};
    for (skip_blanks(&t); t.p < t.end; skip_blanks(&t)) {
        if (*t.p == '}') {
            t.p++;
            leave(&t);
        } else {
            read_field(&t);
        }
    }
    r->c.param_cut |= t.depth > 0;
    if (t.filters.n > 0)
        r->c.filters = slow_join(r, t.filters.v, t.filters.n);
    if (t.n_families > 0)
        r->c.families = slow_join(r, t.families, t.n_families);
}

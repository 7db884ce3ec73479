/* dx_slowlog.c - slow calls in a log: the tag, where its object ends, and the object itself, also
 * when a collector has escaped it once more, has taken escapes away, or a layout has cut its head
 * off. See dx_slowlog.h. */
#include "dx_slowlog_int.h"

#include <string.h>

typedef struct tag {
    const char *text;
    dx_tri slow, large;
} tag;

/* 0.92 and 0.94 have the "operation" ones, 1.7 and 2.3+ the combined one; a collector that escapes
 * for HTML spells its ampersand out */
static const tag tags[] = {
    {"(responseTooSlow)", DX_YES, DX_TRI_UNKNOWN},
    {"(responseTooLarge)", DX_TRI_UNKNOWN, DX_YES},
    {"(responseTooLarge & TooSlow)", DX_YES, DX_YES},
    {"(responseTooLarge \\u0026 TooSlow)", DX_YES, DX_YES},
    {"(operationTooSlow)", DX_YES, DX_TRI_UNKNOWN},
    {"(operationTooLarge)", DX_TRI_UNKNOWN, DX_YES},
};

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* Letters of either case: some collectors lower them. */
static bool starts_with(dx_slice s, const char *prefix) {
    size_t i = 0;
    for (; prefix[i] != '\0'; i++)
        if (i == s.n || lower(s.p[i]) != lower(prefix[i]))
            return false;
    return true;
}

static const tag *tag_at(dx_slice s) {
    if (dx_slice_starts(s, "(responseTooSlow)")) /* nearly all of them */
        return &tags[0];
    if (s.n < 2 || s.p[0] != '(' || (lower(s.p[1]) != 'r' && lower(s.p[1]) != 'o'))
        return NULL;
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (starts_with(s, tags[i].text))
            return &tags[i];
    return NULL;
}

ptrdiff_t dx_slowlog_tag(dx_slice message) {
    ptrdiff_t at = -1;
    while ((at = dx_slice_find_char(message, '(', (size_t)(at + 1))) >= 0)
        if (tag_at(dx_slice_sub(message, (size_t)at, message.n)) != NULL)
            return at;
    return -1;
}

/* Where the object's '{' stands after a tag that ends at `at`, or where it should stand. */
static size_t brace_after(dx_slice text, size_t at) {
    for (; at < text.n; at++) {
        char c = text.p[at];
        if (c != ':' && c != ' ' && c != '-' && c != '\t' && c != '\r' && c != '\n')
            break;
    }
    return at;
}

static bool is_brace(dx_slice text, size_t at) {
    return at < text.n && text.p[at] == '{';
}

#define LEVELS 3

/* How many times the quotes of the object at '{' are escaped: {\"call\":... is 1, a copy of a copy
 * has three backslashes and is 2. */
static int level_of(dx_slice object) {
    size_t i = 1, slashes = 0;
    while (i < object.n && (object.p[i] == ' ' || object.p[i] == '\n' || object.p[i] == '\r'))
        i++;
    while (i < object.n && slashes < 8 && object.p[i] == '\\')
        i++, slashes++;
    if (i == object.n || object.p[i] != '"')
        return 0;
    for (int level = 1; level <= LEVELS; level++)
        if (slashes + 1 == (size_t)1 << level)
            return level;
    return 0;
}

typedef enum quote_kind { QUOTE, QUOTE_INNER, QUOTE_OUTER } quote_kind;

/* What a '"' after `slashes` backslashes is in a text that is escaped `level` times: a quote of the
 * object, one inside of its strings, or the end of the string around the object. */
static quote_kind quote_of(size_t slashes, int level) {
    for (; level > 0; level--) {
        if (slashes % 2 == 0)
            return QUOTE_OUTER;
        slashes = (slashes - 1) / 2;
    }
    return slashes % 2 == 0 ? QUOTE : QUOTE_INNER;
}

/* Bytes from '{' to its '}' in one pass; 0: it is not closed. */
static size_t balanced(dx_slice object, int level) {
    size_t depth = 0, from = 0;
    bool in_string = false;
    for (size_t i = 0; i < object.n; i++) {
        if (in_string) {
            ptrdiff_t quote = dx_slice_find_char(object, '"', i);
            if (quote < 0)
                return 0;
            i = (size_t)quote;
        }
        char c = object.p[i];
        if (c == '"') {
            size_t slashes = 0;
            while (i - slashes > from && object.p[i - slashes - 1] == '\\')
                slashes++;
            quote_kind kind = quote_of(slashes, level);
            if (kind == QUOTE_OUTER)
                return 0;
            in_string ^= kind == QUOTE;
            from = i + 1;
        } else if (c == '{') {
            depth++;
        } else if (c == '}' && --depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

size_t dx_slowlog_extent(dx_slice text, size_t at) {
    dx_slice from = dx_slice_sub(text, at, text.n);
    const tag *t = tag_at(from);
    if (t == NULL)
        return 0;
    size_t head = strlen(t->text), brace = brace_after(from, head);
    if (brace == from.n)
        return 0;
    if (!is_brace(from, brace))
        return head;
    dx_slice object = dx_slice_sub(from, brace, from.n);
    size_t n = balanced(object, level_of(object));
    return n == 0 ? 0 : brace + n;
}

/* Takes `level` escapings off object; it ends where the string around it ends. */
static void peel(slow_rec *r, dx_slice *object, int level) {
    if (level == 0)
        return;
    char *p = slow_alloc(r, object->n);
    if (p == NULL)
        return;
    memcpy(p, object->p, object->n);
    *object = dx_sn(p, object->n);
    for (; level > 0; level--) {
        object->n = slow_json_quote(*object);
        object->n = slow_json_unescape(p, *object);
    }
}

static bool in_key(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.'
           || c == '_';
}

/* The key whose opening quote is at `at`: "key" and a colon, after a comma, a brace or the start of
 * text. Returns where its value begins, or 0. */
static size_t key_at(dx_slice text, size_t at, dx_slice *key) {
    size_t before = at, i = at + 1;
    while (before > 0 && (text.p[before - 1] == ' ' || text.p[before - 1] == '\n'))
        before--;
    if (before > 0 && text.p[before - 1] != ',' && text.p[before - 1] != '{')
        return 0;
    while (i < text.n && i - at < 32 && in_key(text.p[i]))
        i++;
    *key = dx_slice_sub(text, at + 1, i);
    if (key->n == 0 || i == text.n || text.p[i] != '"')
        return 0;
    do
        i++;
    while (i < text.n && text.p[i] == ' ');
    return i < text.n && text.p[i] == ':' ? i + 1 : 0;
}

/* The next key at or after *at; *at moves to its quote. */
static size_t next_key(dx_slice text, size_t *at, dx_slice *key) {
    for (; *at < text.n; ++*at) {
        *at += slow_json_quote(dx_slice_sub(text, *at, text.n));
        size_t value = *at < text.n ? key_at(text, *at, key) : 0;
        if (value != 0)
            return value;
    }
    return 0;
}

/* A value with what separates it from the next key. */
static slow_value picked_value(dx_slice s, bool last) {
    slow_value v = {SLOW_WORD, true, dx_slice_trim(s)};
    if (v.raw.n > 0 && v.raw.p[v.raw.n - 1] == (last ? '}' : ','))
        v.raw.n--;
    v.raw = dx_slice_trim(v.raw);
    if (v.raw.n == 0)
        v.kind = SLOW_NONE;
    else if (v.raw.p[0] == '{' || v.raw.p[0] == '[')
        v.kind = v.raw.p[0] == '{' ? SLOW_OBJECT : SLOW_ARRAY;
    if (v.kind != SLOW_WORD || v.raw.p[0] != '"')
        return v;
    v.kind = v.raw.n > 1 && v.raw.p[v.raw.n - 1] == '"' ? SLOW_STRING : SLOW_NONE;
    v.raw = dx_slice_sub(v.raw, 1, v.raw.n - 1);
    return v;
}

/* Reads a text that is no JSON by its keys alone: each value goes to where the next key begins, so
 * that neither a lost head nor quotes without their backslash do harm. text ends with its '}'.
 * False: its end is not whole. */
static bool pick(slow_rec *r, dx_slice text) {
    dx_slice key, next;
    size_t at = 0, value = next_key(text, &at, &key);
    slow_value v = {SLOW_NONE, false, {NULL, 0}};
    while (value != 0) {
        size_t follow;
        at = value;
        follow = next_key(text, &at, &next);
        v = picked_value(dx_slice_sub(text, value, follow == 0 ? text.n : at), follow == 0);
        slow_assign(r, key, v);
        key = next;
        value = follow;
    }
    return v.kind != SLOW_NONE;
}

/* Text up to and with its last '}'. */
static dx_slice to_brace(dx_slice text) {
    return dx_slice_sub(text, 0, (size_t)(dx_slice_rfind_char(text, '}') + 1));
}

/* Strictly as JSON; where that stops before the text's end, by keys. With a full arena nothing that
 * was read counts: that is DX_OK here, and slow_end says it. */
static dx_status read_object(slow_rec *r, dx_slice object, size_t offset, dx_err *err) {
    slow_json j;
    dx_tri slow = r->c.slow, large = r->c.large;
    if (r->no_memory || slow_object(r, &j, object) || r->no_memory)
        return DX_OK;
    if (j.at < j.end) {
        slow_begin(r, r->arena, DX_CALL_LOG);
        r->c.slow = slow;
        r->c.large = large;
        bool whole = pick(r, to_brace(object)) && r->c.queue_ms != DX_UNKNOWN;
        if (r->no_memory || (whole && r->c.client.n > 0))
            return DX_OK;
    }
    return slow_fail_json(&j, offset, err);
}

bool dx_slowlog_quick(dx_slice line, dx_slowlog_memo *memo, dx_arena *arena, dx_call *out,
                      size_t *used) {
    slow_rec r;
    slow_json j;
    dx_err err;
    const tag *t = tag_at(line);
    size_t brace = t == NULL ? 0 : brace_after(line, strlen(t->text));
    if (t == NULL || !is_brace(line, brace))
        return false;
    dx_slice object = dx_slice_sub(line, brace, line.n);
    if (level_of(object) != 0)
        return false;
    slow_begin(&r, arena, DX_CALL_LOG);
    r.memo = memo;
    r.c.slow = t->slow;
    r.c.large = t->large;
    bool whole = slow_object(&r, &j, object);
    *used = (size_t)(j.at - line.p);
    return whole && r.c.proc_ms != DX_UNKNOWN && slow_end(&r, out, &err) == DX_OK;
}

dx_status dx_slowlog_log(dx_slice text, dx_arena *arena, dx_call *out, dx_err *err) {
    slow_rec r;
    const tag *t = tag_at(text);
    if (t == NULL)
        return dx_fail(err, DX_E_PARSE,
                       "slow call: byte 0: expected a tag such as \"(responseTooSlow)\"");
    size_t brace = brace_after(text, strlen(t->text));
    if (!is_brace(text, brace))
        return dx_fail(err, DX_E_PARSE, "slow call: byte %zu: expected '{' after the tag", brace);
    slow_begin(&r, arena, DX_CALL_LOG);
    r.c.slow = t->slow;
    r.c.large = t->large;
    dx_slice object = dx_slice_sub(text, brace, text.n);
    peel(&r, &object, level_of(object));
    dx_status st = read_object(&r, object, brace, err);
    if (st != DX_OK)
        return st;
    if (r.c.proc_ms == DX_UNKNOWN && !r.no_memory)
        return dx_fail(err, DX_E_PARSE,
                       "slow call: byte %zu: expected a number \"processingtimems\" in the object",
                       brace);
    return slow_end(&r, out, err);
}

dx_status dx_slowlog_headless(dx_slice text, dx_arena *arena, dx_call *out, dx_err *err) {
    slow_rec r;
    dx_slice t = dx_slice_trim(text);
    slow_begin(&r, arena, DX_CALL_LOG);
    bool whole = dx_slice_ends(t, "}") && pick(&r, t);
    bool timed = r.c.proc_ms != DX_UNKNOWN || r.c.queue_ms != DX_UNKNOWN;
    if (!r.no_memory && (!whole || !timed || r.c.client.n == 0))
        return dx_fail(err, DX_E_NOTFOUND,
                       "no slow call: its end has no client and time, or is not whole");
    if (r.c.method.n == 0 && r.call.kind == SLOW_NONE) {
        /* only these two write such keys */
        bool multi = r.c.multi_gets != DX_UNKNOWN || r.c.multi_mutations != DX_UNKNOWN;
        r.c.method = dx_s(r.details.kind == SLOW_STRING ? "Scan" : multi ? "Multi" : NULL);
    }
    r.c.param_cut = r.param.kind != SLOW_STRING;
    return slow_end(&r, out, err);
}

/* dx_slowlog_json.c - a pull reader of JSON for records of slow calls: no tree, no recursion, no
 * copy. Nested values are stepped over by counting brackets; who wants one opens it again. */
#include "dx_bytes.h"
#include "dx_escape.h"
#include "dx_slowlog_int.h"

#include <string.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void blanks(slow_json *j) {
    while (j->at < j->end && is_blank(*j->at))
        j->at++;
}

static bool wanted(slow_json *j, const char *what) {
    j->want = what;
    return false;
}

static bool take(slow_json *j, char c, const char *what) {
    blanks(j);
    if (j->at == j->end || *j->at != c)
        return wanted(j, what);
    j->at++;
    return true;
}

static inline const char *string_stop(const char *p, const char *end) {
    return dx_find_either(p, end, '"', '\\');
}

size_t slow_json_quote(dx_slice s) {
    if (s.n == 0)
        return 0;
    const char *p = s.p, *end = s.p + s.n;
    while ((p = string_stop(p, end)) < end && *p == '\\')
        p = end - p > 1 ? p + 2 : end;
    return (size_t)(p - s.p);
}

static bool string(slow_json *j, slow_value *v) {
    dx_slice rest = {j->at + 1, (size_t)(j->end - j->at) - 1};
    const char *p = string_stop(rest.p, j->end);
    bool escaped = j->broken || (p < j->end && *p == '\\');
    if (p < j->end && *p == '\\')
        p = rest.p + slow_json_quote(rest);
    if (p == j->end) {
        j->at = p;
        return wanted(j, "the quote that ends a string");
    }
    *v = (slow_value){SLOW_STRING, escaped, {rest.p, (size_t)(p - rest.p)}};
    j->at = p + 1;
    return true;
}

static bool nested(slow_json *j, slow_value *v) {
    const char *from = j->at;
    slow_value inner;
    size_t depth = 0;
    while (j->at < j->end) {
        char c = *j->at;
        if (c == '"') {
            if (!string(j, &inner))
                return false;
            continue;
        }
        j->at++;
        if (c == '{' || c == '[')
            depth++;
        else if ((c == '}' || c == ']') && --depth == 0) {
            *v = (slow_value){.kind = *from == '{' ? SLOW_OBJECT : SLOW_ARRAY,
                              .raw = {from, (size_t)(j->at - from)}};
            return true;
        }
    }
    return wanted(j, "the bracket that ends a nested value");
}

static bool in_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-'
           || c == '+' || c == '.';
}

static bool value(slow_json *j, slow_value *v) {
    blanks(j);
    const char *from = j->at;
    if (from < j->end && *from == '"')
        return string(j, v);
    if (from < j->end && (*from == '{' || *from == '['))
        return nested(j, v);
    while (j->at < j->end && in_word(*j->at))
        j->at++;
    *v = (slow_value){.kind = SLOW_WORD, .raw = {from, (size_t)(j->at - from)}};
    return j->at > from || wanted(j, "a value");
}

void slow_json_open(slow_json *j, dx_slice text, char bracket) {
    *j = (slow_json){.begin = text.p, .at = text.p, .end = text.p};
    if (text.n == 0 || *text.p != bracket) {
        wanted(j, bracket == '{' ? "'{'" : "'['");
        return;
    }
    j->end = text.p + text.n;
    j->at++;
    j->broken = memchr(text.p, '\n', text.n) != NULL || memchr(text.p, '\r', text.n) != NULL;
}

/* True when another member or element stands here, after its comma. */
static bool another(slow_json *j, char closer, const char *what) {
    if (j->want != NULL)
        return false;
    blanks(j);
    if (j->at < j->end && *j->at == closer) {
        j->at++;
        return false;
    }
    if (j->later && !take(j, ',', what))
        return false;
    j->later = true;
    blanks(j);
    return true;
}

bool slow_json_member(slow_json *j, dx_slice *key, slow_value *v) {
    slow_value name;
    if (!another(j, '}', "',' or '}' after a value"))
        return false;
    if (j->at == j->end || *j->at != '"')
        return wanted(j, "a key in quotes");
    if (!string(j, &name) || !take(j, ':', "':' after a key") || !value(j, v))
        return false;
    *key = name.raw;
    return true;
}

bool slow_json_element(slow_json *j, slow_value *v) {
    return another(j, ']', "',' or ']' after a value") && value(j, v);
}

/* Bytes without the line breaks among them, in place. */
static size_t drop_breaks(char *p, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (p[i] != '\n' && p[i] != '\r')
            p[kept++] = p[i];
    return kept;
}

size_t slow_json_unescape(char *out, dx_slice raw) {
    const char *p = raw.p, *end = raw.p + raw.n;
    size_t n = 0;
    while (p < end) {
        const char *hit = memchr(p, '\\', (size_t)(end - p)), *slash = hit == NULL ? end : hit;
        char text[DX_ESCAPE_ROOM];
        size_t len = (size_t)(slash - p);
        memmove(out + n, p, len); /* out may be raw.p */
        n += memchr(out + n, '\n', len) == NULL && memchr(out + n, '\r', len) == NULL
                 ? len
                 : drop_breaks(out + n, len);
        p = slash;
        if (p == end)
            break;
        p += dx_escape_read((dx_slice){p, (size_t)(end - p)}, text, &len);
        memcpy(out + n, text, len); /* raw is read up to p already */
        n += len;
    }
    return n;
}

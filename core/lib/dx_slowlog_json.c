/* dx_slowlog_json.c - a pull reader of JSON for records of slow calls: no tree, no recursion, no
 * copy. Nested values are stepped over by counting brackets; who wants one opens it again. */
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

/* The first '"' or '\' in [p, end), or end; eight bytes a step. */
static const char *string_stop(const char *p, const char *end) {
    const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
    while (end - p >= 8) {
        uint64_t w;
        memcpy(&w, p, sizeof w);
        uint64_t quote = w ^ (ones * '"'), slash = w ^ (ones * '\\');
        if ((((quote - ones) & ~quote) | ((slash - ones) & ~slash)) & highs)
            break;
        p += 8;
    }
    while (p < end && *p != '"' && *p != '\\')
        p++;
    return p;
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

int slow_hex(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The code of "\uXXXX" at p, or -1. */
static int32_t unicode(const char *p, const char *end) {
    int32_t code = 0;
    if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
        return -1;
    for (int i = 2; i < 6; i++) {
        int digit = slow_hex(p[i]);
        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    return code;
}

static char *put_utf8(char *out, int32_t code) {
    if (code < 0x80) {
        *out++ = (char)code;
        return out;
    }
    if (code < 0x800) {
        *out++ = (char)(0xC0 | (code >> 6));
    } else {
        if (code < 0x10000) {
            *out++ = (char)(0xE0 | (code >> 12));
        } else {
            *out++ = (char)(0xF0 | (code >> 18));
            *out++ = (char)(0x80 | ((code >> 12) & 0x3F));
        }
        *out++ = (char)(0x80 | ((code >> 6) & 0x3F));
    }
    *out++ = (char)(0x80 | (code & 0x3F));
    return out;
}

/* "\uXXXX" or a pair of them at p; a half of a pair alone becomes U+FFFD. */
static const char *put_unicode(const char *p, const char *end, char **out) {
    int32_t code = unicode(p, end);
    if (code < 0) {
        *(*out)++ = *p;
        return p + 1;
    }
    p += 6;
    if (code >= 0xD800 && code < 0xDC00) {
        int32_t low = unicode(p, end);
        if (low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            p += 6;
        }
    }
    *out = put_utf8(*out, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
    return p;
}

/* The escape at p, put to *out; returns what follows it. */
static const char *put_escape(const char *p, const char *end, char **out) {
    static const char from[] = "\\\"/bfnrt", to[] = "\\\"/\b\f\n\r\t";
    if (end - p > 1) {
        if (p[1] == 'u')
            return put_unicode(p, end, out);
        const char *hit = memchr(from, p[1], sizeof from - 1);
        if (hit != NULL) {
            *(*out)++ = to[hit - from];
            return p + 2;
        }
    }
    *(*out)++ = *p;
    return p + 1;
}

size_t slow_json_unescape(char *out, dx_slice raw) {
    if (raw.n == 0)
        return 0;
    const char *p = raw.p, *end = raw.p + raw.n;
    char *o = out;
    while (p < end) {
        if (*p == '\\')
            p = put_escape(p, end, &o);
        else if (*p == '\n' || *p == '\r')
            p++;
        else
            *o++ = *p++;
    }
    return (size_t)(o - out);
}

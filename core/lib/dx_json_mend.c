/* dx_json_mend.c - walks the text once with a state machine and a stack of open brackets. What must
 * change is kept as edits: a run of bytes without one is copied in one piece. */
#include "dx_json_mend.h"
#include "dx_escape.h"
#include "dx_text.h"

#include <stdint.h>
#include <string.h>

#define EXACT_DIGITS 15   /* every integer of so many digits is exact in a double */
#define NESTING      1000 /* CJSON_NESTING_LIMIT of cJSON as distributions build it */

/* What a lenient reading has mended. */
typedef enum mend {
    CUT,
    BROKEN,
    TAIL,
    NOT_FINITE,
    ODD_NUMBER,
    LAST_COMMA,
    NO_COMMA,
    BAD_CHAR,
    CONTROL,
    BAD_ESCAPE,
    MENDS
} mend;

static const char *const mend_text[MENDS] = {
    [CUT] = "cut off",
    [BROKEN] = "unreadable from here on",
    [TAIL] = "text after the document, left out",
    [NOT_FINITE] = "bare NaN or Infinity",
    [ODD_NUMBER] = "number that is not JSON",
    [LAST_COMMA] = "trailing comma",
    [NO_COMMA] = "missing comma",
    [BAD_CHAR] = "character that is not UTF-8",
    [CONTROL] = "bare control character in a string",
    [BAD_ESCAPE] = "unknown escape in a string",
};

typedef struct reader {
    const char *p;
    size_t n, i;
    bool lenient;
    dx_buf out;  /* the edited text up to `from` */
    size_t from; /* all of p before it is in out, or dropped */
    bool edited;
    char open[NESTING]; /* the brackets around i */
    size_t depth;
    size_t good_i, good_out, good_from; /* where the last whole value ended */
    size_t count[MENDS], first[MENDS];
    const char *why; /* it stopped; NULL: the text ended */
} reader;

typedef enum state { VALUE, FIRST, ITEM, NEXT, COMMA, END, STOP } state;

static state stop(reader *r, const char *why) {
    r->why = why;
    return STOP;
}

static state no_state(reader *r, const char *why) {
    return r->i == r->n ? stop(r, NULL) : stop(r, why);
}

/* False: the reading is strict. */
static bool mended(reader *r, mend what, size_t at) {
    if (r->count[what]++ == 0)
        r->first[what] = at;
    return r->lenient;
}

static void flush(reader *r, size_t to) {
    if (to > r->from)
        dx_buf_add(&r->out, r->p + r->from, to - r->from);
    r->from = to;
}

/* Puts text in the place of n bytes at `at`. */
static void edit(reader *r, size_t at, size_t n, const char *text) {
    if (!r->edited)
        dx_buf_reserve(&r->out, r->n + r->n / 16 + 64);
    r->edited = true;
    flush(r, at);
    dx_buf_adds(&r->out, text);
    r->from = at + n;
}

static void good(reader *r) {
    r->good_i = r->i;
    r->good_out = r->out.n;
    r->good_from = r->from;
}

/* Eight bytes at a time; a word in doubt is left to the loop. */
size_t dx_json_plain(const char *p, size_t n) {
    const uint64_t ones = 0x0101010101010101u;
    size_t i = 0;
    for (; n - i >= 8; i += 8) {
        uint64_t w;
        memcpy(&w, p + i, sizeof w);
        uint64_t quote = w ^ (ones * '"'), slash = w ^ (ones * '\\');
        uint64_t hit = ((quote - ones) & ~quote) | ((slash - ones) & ~slash);
        if (((hit | (w - ones * 0x20) | w) & (ones * 0x80)) != 0)
            break;
    }
    while (i < n && (unsigned char)p[i] >= 0x20 && (unsigned char)p[i] < 0x80 && p[i] != '"'
           && p[i] != '\\')
        i++;
    return i;
}

/* The four digits of a \u escape at offset i, or -1. */
static long hex4(const reader *r, size_t i) {
    long v = 0;
    if (r->n - i < 6 || r->p[i] != '\\' || r->p[i + 1] != 'u')
        return -1;
    for (size_t k = i + 2; k < i + 6; k++) {
        int digit = dx_hex_digit(r->p[k]);
        if (digit < 0)
            return -1;
        v = v * 16 + digit;
    }
    return v;
}

/* \u0000 and half of a surrogate pair become U+FFFD: a C string and UTF-8 cannot hold them. */
static void unicode(reader *r, long code) {
    long next = hex4(r, r->i + 6);
    if (code >= 0xd800 && code <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) {
        r->i += 12;
        return;
    }
    if (code == 0 || (code >= 0xd800 && code <= 0xdfff))
        edit(r, r->i, 6, "\\ufffd");
    r->i += 6;
}

static bool escape(reader *r) {
    char c = r->n - r->i < 2 ? 'u' : r->p[r->i + 1];
    if (c == 'u' && r->n - r->i < 6) {
        r->i = r->n;
        return stop(r, NULL) != STOP;
    }
    long code = c == 'u' ? hex4(r, r->i) : -1;
    if (code >= 0) {
        unicode(r, code);
        return true;
    }
    if (c != '\0' && strchr("\"\\/bfnrt", c) != NULL) {
        r->i += 2;
        return true;
    }
    if (!mended(r, BAD_ESCAPE, r->i))
        return stop(r, "an unknown escape in a string") != STOP;
    edit(r, r->i, 1, "\\\\");
    r->i++;
    return true;
}

static bool control(reader *r) {
    if (!mended(r, CONTROL, r->i))
        return stop(r, "a bare control character in a string") != STOP;
    if (r->p[r->i] == '\0')
        edit(r, r->i, 1, DX_JSON_REPLACEMENT);
    r->i++;
    return true;
}

static void wide(reader *r) {
    uint32_t point;
    size_t len = dx_text_decode(dx_sn(r->p + r->i, r->n - r->i), &point);
    if (len == 0) {
        mended(r, BAD_CHAR, r->i);
        edit(r, r->i, 1, DX_JSON_REPLACEMENT);
        len = 1;
    }
    r->i += len;
}

static bool string(reader *r) {
    r->i++;
    for (;;) {
        r->i += dx_json_plain(r->p + r->i, r->n - r->i);
        if (r->i == r->n)
            return stop(r, NULL) != STOP;
        unsigned char c = (unsigned char)r->p[r->i];
        if (c == '"') {
            r->i++;
            return true;
        }
        if (c >= 0x80)
            wide(r);
        else if (!(c == '\\' ? escape(r) : control(r)))
            return false;
    }
}

static size_t digits(dx_slice t, size_t i) {
    size_t n = 0;
    while (i + n < t.n && t.p[i + n] >= '0' && t.p[i + n] <= '9')
        n++;
    return n;
}

/* Whether t is a number by JSON's grammar, and whether it is an integer. */
static bool is_number(dx_slice t, bool *integer) {
    size_t i = t.n > 0 && t.p[0] == '-' ? 1 : 0, n = digits(t, i);
    if (n == 0 || (n > 1 && t.p[i] == '0'))
        return false;
    i += n;
    *integer = i == t.n;
    if (i < t.n && t.p[i] == '.') {
        n = digits(t, i + 1);
        if (n == 0)
            return false;
        i += n + 1;
    }
    if (i < t.n && (t.p[i] == 'e' || t.p[i] == 'E')) {
        i++;
        if (i < t.n && (t.p[i] == '+' || t.p[i] == '-'))
            i++;
        n = digits(t, i);
        if (n == 0)
            return false;
        i += n;
    }
    return i == t.n;
}

/* Puts the number at `at` into a string of its own behind a mark. */
static void mark(reader *r, size_t at, size_t n, const char *with) {
    edit(r, at, 0, "\"");
    dx_buf_adds(&r->out, with);
    edit(r, at + n, 0, "\"");
}

static bool number(reader *r, dx_slice t, size_t at) {
    bool integer = false, json = is_number(t, &integer);
    int64_t i;
    double d;
    if (json && integer && t.n <= EXACT_DIGITS)
        return true;
    if (json && integer && dx_slice_i64(t, &i)) {
        mark(r, at, t.n, DX_JSON_INT_MARK);
        return true;
    }
    bool known = dx_slice_f64(t, &d); /* also NaN, Infinity, 007, .5 */
    if (!json && !(known && mended(r, d - d == 0 ? ODD_NUMBER : NOT_FINITE, at)))
        return false;
    if (known)
        mark(r, at, t.n, DX_JSON_REAL_MARK);
    else if (mended(r, ODD_NUMBER, at))
        edit(r, at, t.n, "null"); /* longer than any machine prints: unknown, not zero */
    return known || r->lenient;
}

static bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-'
           || c == '+' || c == '.' || c == '_';
}

/* A number or one of the three words. One that touches the end may be cut: within brackets it is
 * not whole. */
static bool literal(reader *r) {
    size_t at = r->i;
    while (r->i < r->n && is_word(r->p[r->i]))
        r->i++;
    dx_slice t = dx_sn(r->p + at, r->i - at);
    if (r->i == r->n && (r->depth > 0 || t.n == 0))
        return stop(r, NULL) != STOP;
    if (dx_slice_is(t, "true") || dx_slice_is(t, "false") || dx_slice_is(t, "null"))
        return true;
    if (t.n > 0 && number(r, t, at))
        return true;
    r->i = at;
    return stop(r, "no value") != STOP;
}

static void skip_blanks(reader *r) {
    while (r->i < r->n
           && (r->p[r->i] == ' ' || r->p[r->i] == '\n' || r->p[r->i] == '\r' || r->p[r->i] == '\t'))
        r->i++;
}

static state on_value(reader *r) {
    char c = r->i < r->n ? r->p[r->i] : '\0';
    if (c == '{' || c == '[') {
        if (r->depth == NESTING)
            return stop(r, "brackets nested too deep");
        r->open[r->depth++] = c;
        r->i++;
        good(r);
        return FIRST;
    }
    if (!(c == '"' ? string(r) : literal(r)))
        return STOP;
    good(r);
    return NEXT;
}

static bool at_close(const reader *r) {
    return r->i < r->n && r->p[r->i] == (r->open[r->depth - 1] == '{' ? '}' : ']');
}

static state close_bracket(reader *r) {
    r->depth--;
    r->i++;
    good(r);
    return NEXT;
}

static state on_item(reader *r) {
    if (r->open[r->depth - 1] == '[')
        return VALUE;
    if (r->i == r->n || r->p[r->i] != '"')
        return no_state(r, "no name of a member");
    if (!string(r))
        return STOP;
    skip_blanks(r);
    if (r->i == r->n || r->p[r->i] != ':')
        return no_state(r, "no colon");
    r->i++;
    return VALUE;
}

static state on_next(reader *r) {
    if (r->depth == 0)
        return END;
    if (at_close(r))
        return close_bracket(r);
    if (r->i == r->n)
        return stop(r, NULL);
    if (r->p[r->i] == ',') {
        r->i++;
        return COMMA;
    }
    if (r->p[r->i] != '"' && r->p[r->i] != '{')
        return stop(r, "neither comma nor closing bracket");
    if (!mended(r, NO_COMMA, r->i))
        return stop(r, "a comma is missing");
    edit(r, r->i, 0, ",");
    return ITEM;
}

/* After a comma; the bytes from the last whole value to here are the comma and blanks. */
static state on_comma(reader *r) {
    if (!at_close(r))
        return ITEM;
    if (!mended(r, LAST_COMMA, r->good_i))
        return stop(r, "a comma before a closing bracket");
    edit(r, r->good_i, r->i - r->good_i, "");
    return close_bracket(r);
}

/* Reads one value from i on. */
static state read_value(reader *r) {
    state s = VALUE;
    while (s != END && s != STOP) {
        if (s != NEXT || r->depth > 0)
            skip_blanks(r);
        switch (s) {
        case VALUE: s = on_value(r); break;
        case FIRST: s = at_close(r) ? close_bracket(r) : ITEM; break;
        case ITEM: s = on_item(r); break;
        case NEXT: s = on_next(r); break;
        case COMMA: s = on_comma(r); break;
        case END:
        case STOP: break;
        }
    }
    return s;
}

static void skip_mark(reader *r) {
    if (dx_slice_starts(dx_sn(r->p + r->i, r->n - r->i), "\xef\xbb\xbf"))
        r->i += 3;
    skip_blanks(r);
}

/* "name(" of JSONP. Words that are values have no bracket behind them. */
static bool skip_call(reader *r) {
    size_t i = r->i;
    while (i < r->n && is_word(r->p[i]))
        i++;
    if (!r->lenient || i == r->i || i == r->n || r->p[i] != '(')
        return false;
    r->i = i + 1;
    return true;
}

/* What may stand after the value. */
static bool read_tail(reader *r, bool call) {
    size_t end = r->i;
    flush(r, end);
    skip_blanks(r);
    while (call && r->i < r->n && (r->p[r->i] == ')' || r->p[r->i] == ';'))
        r->i++;
    skip_blanks(r);
    if (r->i < r->n && !mended(r, TAIL, r->i))
        return stop(r, "text after the document") != STOP;
    return true;
}

/* Back to the last whole value, and closes what is open. */
static bool close_all(reader *r) {
    if (r->depth == 0 || !r->lenient || (r->why != NULL && r->depth == NESTING))
        return false;
    mended(r, r->why == NULL ? CUT : BROKEN, r->i);
    r->out.n = r->good_out;
    r->from = r->good_from;
    flush(r, r->good_i);
    while (r->depth > 0)
        dx_buf_addc(&r->out, r->open[--r->depth] == '{' ? '}' : ']');
    return true;
}

static bool read_document(reader *r) {
    skip_mark(r);
    bool call = skip_call(r);
    skip_blanks(r);
    r->from = r->i;
    return read_value(r) == END ? read_tail(r, call) : close_all(r);
}

static void tell_mends(dx_buf *out, const reader *r) {
    for (int k = 0; k < MENDS; k++) {
        if (r->count[k] == 0)
            continue;
        if (out->n > 0)
            dx_buf_adds(out, "; ");
        dx_buf_addf(out, "%s at byte %zu", mend_text[k], r->first[k]);
        if (k == BROKEN)
            dx_buf_addf(out, " (%s)", r->why);
        if (r->count[k] > 1)
            dx_buf_addf(out, " and %zu more", r->count[k] - 1);
    }
}

dx_status dx_json_mend(dx_buf *out, dx_buf *damage, dx_slice text, bool lenient, dx_err *err) {
    reader r = {.p = text.p, .n = text.n, .lenient = lenient};
    dx_buf_init(&r.out, 0);
    if (!read_document(&r)) {
        dx_buf_done(&r.out);
        return dx_fail(err, DX_E_PARSE, "JSON: %s at byte %zu",
                       r.why == NULL ? "it ends too early" : r.why, r.i);
    }
    tell_mends(damage, &r);
    *out = r.out;
    if (!dx_buf_ok(out) || !dx_buf_ok(damage))
        return dx_fail(err, DX_E_NOMEM, "JSON: no memory for %zu bytes", text.n);
    return DX_OK;
}

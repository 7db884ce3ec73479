/* dx_pattern.c - see dx_pattern.h. A pattern is a straight line of items, so a capture needs no
 * undo when the matcher backtracks: whoever passes its opening again sets it again. Only a repeated
 * item branches, and only there the matcher calls itself. */
#include "dx_pattern.h"

#include <stdint.h>
#include <string.h>

enum { CNTRL = 1, SPACE = 2, PUNCT = 4, DIGIT = 8, UPPER = 16, LOWER = 32, HEX = 64, ZERO = 128 };

/* clang-format off */
#define C CNTRL
#define T (CNTRL | SPACE)
#define S SPACE
#define P PUNCT
#define D (DIGIT | HEX)
#define X (UPPER | HEX)
#define U UPPER
#define x (LOWER | HEX)
#define l LOWER
static const unsigned char ascii[256] = {
    C | ZERO, C, C, C, C, C, C, C, C, T, T, T, T, T, C, C,
    C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,
    S, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
    D, D, D, D, D, D, D, D, D, D, P, P, P, P, P, P,
    P, X, X, X, X, X, X, U, U, U, U, U, U, U, U, U,
    U, U, U, U, U, U, U, U, U, U, U, P, P, P, P, P,
    P, x, x, x, x, x, x, l, l, l, l, l, l, l, l, l,
    l, l, l, l, l, l, l, l, l, l, l, P, P, P, P, C,
};
#undef C
#undef T
#undef S
#undef P
#undef D
#undef X
#undef U
#undef x
#undef l
/* clang-format on */

typedef enum kind {
    CHAR,
    ANY,
    CLASS,
    SET,
    FRONTIER,
    OPEN,
    CLOSE,
    POSITION,
    BACK,
    BALANCE,
    LAST,
    END
} kind;

typedef struct set {
    uint32_t bits[8];
    unsigned char classes; /* of ascii[], beside bits */
    bool negated;
} set;

typedef struct item {
    const set *set; /* SET, FRONTIER */
    unsigned char kind;
    unsigned char repeat;  /* '*', '+', '-', '?', or 0: once */
    unsigned char c, d;    /* CHAR: c; BALANCE: c opens, d closes; CLASS: d: negated */
    unsigned char classes; /* CLASS */
    unsigned char capture; /* OPEN, CLOSE, POSITION, BACK */
} item;

struct dx_pattern {
    dx_slice text;
    bool anchored;
    size_t nitems, nsets, ncaptures;
    item *items;
    set *sets;
};

size_t dx_pattern_size(size_t length) {
    return sizeof(dx_pattern) + (length + 1) * sizeof(item) + (length / 3 + 1) * sizeof(set);
}

bool dx_pattern_anchored(const dx_pattern *p) {
    return p->anchored;
}

bool dx_pattern_plain(dx_slice text) {
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] != '\0' && strchr("^$*+?.([%-", text.p[i]) != NULL)
            return false;
    return true;
}

/* The classes that a letter stands for; 0: it is no class. *negated: it is a capital. */
static unsigned char classes_of(unsigned char letter, bool *negated) {
    *negated = (ascii[letter] & UPPER) != 0;
    switch (*negated ? letter + ('a' - 'A') : letter) {
    case 'a': return UPPER | LOWER;
    case 'c': return CNTRL;
    case 'd': return DIGIT;
    case 'g': return UPPER | LOWER | DIGIT | PUNCT;
    case 'l': return LOWER;
    case 'p': return PUNCT;
    case 's': return SPACE;
    case 'u': return UPPER;
    case 'w': return UPPER | LOWER | DIGIT;
    case 'x': return HEX;
    case 'z': return ZERO; /* of Lua 5.1, still known to 5.4 */
    default: return 0;
    }
}

static void set_add(set *s, unsigned from, unsigned to) {
    for (unsigned c = from; c <= to; c++)
        s->bits[c / 32] |= UINT32_C(1) << c % 32;
}

static void set_add_letter(set *s, unsigned char letter) {
    bool negated;
    unsigned char classes = classes_of(letter, &negated);
    if (classes == 0)
        set_add(s, letter, letter);
    else if (!negated)
        s->classes |= classes;
    else
        for (unsigned c = 0; c < 256; c++)
            if ((ascii[c] & classes) == 0)
                set_add(s, c, c);
}

static bool set_has(const set *s, unsigned char c) {
    bool in = (s->bits[c / 32] >> c % 32 & 1) != 0 || (ascii[c] & s->classes) != 0;
    return in != s->negated;
}

/* ---- reading ---- */

typedef struct reader {
    dx_pattern *p;
    const unsigned char *s;
    size_t n, at;
    unsigned char open[DX_PATTERN_CAPTURES]; /* captures not closed yet, the innermost last */
    size_t nopen;
    bool closed[DX_PATTERN_CAPTURES];
    dx_err *err;
} reader;

/* Offset of the ']' that ends the set whose '[' is just before `from`; n: there is none. */
static size_t set_end(const reader *r, size_t from) {
    size_t i = from;
    if (i < r->n && r->s[i] == '^')
        i++;
    do { /* the first character is a member even when it is ']' */
        if (i >= r->n)
            return r->n;
        i += r->s[i] == '%' ? 2 : 1;
    } while (i < r->n && r->s[i] != ']');
    return i < r->n ? i : r->n;
}

/* Reads the set after '['. */
static dx_status read_set(reader *r, const set **out) {
    size_t end = set_end(r, r->at), i = r->at;
    if (end >= r->n)
        return dx_fail(r->err, DX_E_USAGE, "malformed pattern (missing ']')");
    set *s = &r->p->sets[r->p->nsets++];
    memset(s, 0, sizeof *s);
    if (r->s[i] == '^') {
        s->negated = true;
        i++;
    }
    while (i < end) {
        if (r->s[i] == '%' && i + 1 < end) {
            set_add_letter(s, r->s[i + 1]);
            i += 2;
        } else if (i + 2 < end && r->s[i + 1] == '-') {
            set_add(s, r->s[i], r->s[i + 2]);
            i += 3;
        } else {
            set_add(s, r->s[i], r->s[i]);
            i++;
        }
    }
    r->at = end + 1;
    *out = s;
    return DX_OK;
}

static dx_status read_open(reader *r, item *it) {
    if (r->p->ncaptures == DX_PATTERN_CAPTURES)
        return dx_fail(r->err, DX_E_USAGE, "too many captures");
    it->capture = (unsigned char)r->p->ncaptures++;
    it->kind = OPEN;
    if (r->at < r->n && r->s[r->at] == ')') {
        it->kind = POSITION;
        r->closed[it->capture] = true;
        r->at++;
    } else {
        r->open[r->nopen++] = it->capture;
    }
    return DX_OK;
}

static dx_status read_close(reader *r, item *it) {
    if (r->nopen == 0)
        return dx_fail(r->err, DX_E_USAGE, "invalid pattern capture");
    it->kind = CLOSE;
    it->capture = r->open[--r->nopen];
    r->closed[it->capture] = true;
    return DX_OK;
}

static dx_status read_back(reader *r, item *it, unsigned char digit) {
    unsigned index = (unsigned)digit - '1';
    if (digit == '0' || index >= r->p->ncaptures || !r->closed[index])
        return dx_fail(r->err, DX_E_USAGE, "invalid capture index %%%c in pattern", digit);
    it->kind = BACK;
    it->capture = (unsigned char)index;
    return DX_OK;
}

static dx_status read_balance(reader *r, item *it) {
    if (r->n - r->at < 2)
        return dx_fail(r->err, DX_E_USAGE, "malformed pattern (missing arguments to '%%b')");
    it->kind = BALANCE;
    it->c = r->s[r->at];
    it->d = r->s[r->at + 1];
    r->at += 2;
    return DX_OK;
}

static dx_status read_frontier(reader *r, item *it) {
    if (r->at >= r->n || r->s[r->at] != '[')
        return dx_fail(r->err, DX_E_USAGE, "missing '[' after '%%f' in pattern");
    r->at++;
    it->kind = FRONTIER;
    return read_set(r, &it->set);
}

/* What follows '%'. */
static dx_status read_escape(reader *r, item *it) {
    bool negated;
    if (r->at >= r->n)
        return dx_fail(r->err, DX_E_USAGE, "malformed pattern (ends with '%%')");
    unsigned char c = r->s[r->at++];
    if (c == 'b')
        return read_balance(r, it);
    if (c == 'f')
        return read_frontier(r, it);
    if (c >= '0' && c <= '9')
        return read_back(r, it, c);
    it->classes = classes_of(c, &negated);
    it->kind = it->classes == 0 ? CHAR : CLASS;
    it->c = c;
    it->d = negated;
    return DX_OK;
}

static dx_status read_item(reader *r, item *it) {
    unsigned char c = r->s[r->at++];
    switch (c) {
    case '(': return read_open(r, it);
    case ')': return read_close(r, it);
    case '%': return read_escape(r, it);
    case '[': it->kind = SET; return read_set(r, &it->set);
    case '.': it->kind = ANY; return DX_OK;
    default:
        it->kind = c == '$' && r->at == r->n ? LAST : CHAR;
        it->c = c;
        return DX_OK;
    }
}

static void read_repeat(reader *r, item *it) {
    if (it->kind > SET || r->at >= r->n || r->s[r->at] == '\0')
        return;
    if (strchr("*+-?", r->s[r->at]) != NULL)
        it->repeat = r->s[r->at++];
}

dx_status dx_pattern_read(dx_pattern *p, dx_slice text, bool anchored, dx_err *err) {
    reader r = {.p = p, .s = (const unsigned char *)text.p, .n = text.n, .err = err};
    memset(p, 0, sizeof *p);
    p->text = text;
    p->items = (item *)(p + 1);
    p->sets = (set *)(p->items + text.n + 1);
    p->anchored = anchored && text.n > 0 && text.p[0] == '^';
    r.at = p->anchored ? 1 : 0;
    while (r.at < r.n) {
        item *it = &p->items[p->nitems++];
        memset(it, 0, sizeof *it);
        dx_status st = read_item(&r, it);
        if (st != DX_OK)
            return st;
        read_repeat(&r, it);
    }
    if (r.nopen > 0)
        return dx_fail(err, DX_E_USAGE, "unfinished capture");
    memset(&p->items[p->nitems], 0, sizeof(item));
    p->items[p->nitems].kind = END;
    return DX_OK;
}

/* ---- matching ---- */

enum { NO = -1, STOPPED = -2 };

typedef struct matcher {
    const unsigned char *s;
    size_t n;
    unsigned depth;
    bool deep; /* stopped because of depth */
    dx_patience *patience;
    dx_match *out;
} matcher;

static bool tick(matcher *m, size_t steps) {
    dx_patience *p = m->patience;
    if (steps < p->left) {
        p->left -= steps;
        return true;
    }
    p->left = DX_PATTERN_STEPS;
    return p->go_on == NULL || p->go_on(p->ud);
}

/* Does the character at `at` belong to a CHAR, ANY, CLASS or SET? */
static bool single(const matcher *m, const item *it, size_t at) {
    if (at >= m->n)
        return false;
    unsigned char c = m->s[at];
    switch (it->kind) {
    case CHAR: return c == it->c;
    case ANY: return true;
    case CLASS: return ((ascii[c] & it->classes) != 0) != (it->d != 0);
    default: return set_has(it->set, c);
    }
}

static bool frontier(const matcher *m, const item *it, size_t at) {
    unsigned char before = at == 0 ? '\0' : m->s[at - 1], after = at < m->n ? m->s[at] : '\0';
    return !set_has(it->set, before) && set_has(it->set, after);
}

/* The end of what a BALANCE takes, or NO. */
static ptrdiff_t balance(matcher *m, const item *it, size_t at) {
    size_t nested = 1, i = at;
    if (at >= m->n || m->s[at] != it->c)
        return NO;
    while (++i < m->n) {
        if (m->s[i] == it->d && --nested == 0)
            return tick(m, i - at) ? (ptrdiff_t)i + 1 : STOPPED;
        if (m->s[i] == it->c && it->c != it->d)
            nested++;
    }
    return tick(m, i - at) ? NO : STOPPED;
}

static ptrdiff_t back(matcher *m, const item *it, size_t at) {
    const dx_capture *c = &m->out->captures[it->capture];
    size_t n = c->to - c->from;
    if (c->position || n > m->n - at || memcmp(m->s + c->from, m->s + at, n) != 0)
        return tick(m, n / 8) ? NO : STOPPED;
    return (ptrdiff_t)(at + n);
}

static void note(matcher *m, const item *it, size_t at) {
    dx_capture *c = &m->out->captures[it->capture];
    c->position = it->kind == POSITION;
    if (it->kind == CLOSE)
        c->to = at;
    else
        c->from = c->to = at;
}

static ptrdiff_t walk(matcher *m, const item *it, size_t at);

/* walk, one level deeper. */
static ptrdiff_t descend(matcher *m, const item *it, size_t at) {
    if (it->kind == CHAR && it->repeat == 0 && (at >= m->n || m->s[at] != it->c))
        return NO; /* most branches end here */
    if (m->depth == DX_PATTERN_DEPTH) {
        m->deep = true;
        return STOPPED;
    }
    m->depth++;
    ptrdiff_t end = walk(m, it, at);
    m->depth--;
    return end;
}

/* As many as possible, then fewer. */
static ptrdiff_t longest(matcher *m, const item *it, size_t at) {
    size_t most = it->repeat == '?' ? 1 : SIZE_MAX, least = it->repeat == '+' ? 1 : 0, n = 0;
    while (n < most && single(m, it, at + n))
        n++;
    if (!tick(m, n))
        return STOPPED;
    if (n < least)
        return NO;
    for (;; n--) {
        ptrdiff_t end = descend(m, it + 1, at + n);
        if (end != NO || n == least)
            return end;
        if (!tick(m, 1))
            return STOPPED;
    }
}

/* As few as possible, then more. */
static ptrdiff_t shortest(matcher *m, const item *it, size_t at) {
    for (;; at++) {
        ptrdiff_t end = descend(m, it + 1, at);
        if (end != NO)
            return end;
        if (!single(m, it, at))
            return NO;
        if (!tick(m, 1))
            return STOPPED;
    }
}

/* Where an item that does not repeat ends, when it stands at `at`; else NO or STOPPED. */
static ptrdiff_t once(matcher *m, const item *it, size_t at) {
    switch (it->kind) {
    case OPEN:
    case CLOSE:
    case POSITION: note(m, it, at); return (ptrdiff_t)at;
    case LAST: return at == m->n ? (ptrdiff_t)at : NO;
    case FRONTIER: return frontier(m, it, at) ? (ptrdiff_t)at : NO;
    case BACK: return back(m, it, at);
    case BALANCE: return balance(m, it, at);
    default: return single(m, it, at) ? (ptrdiff_t)at + 1 : NO;
    }
}

/* The end of a match of all items from it on, or NO or STOPPED. */
static ptrdiff_t walk(matcher *m, const item *it, size_t at) {
    const item *first = it;
    for (; it->kind != END; it++) {
        if (it->repeat == '-')
            return shortest(m, it, at);
        if (it->repeat != 0)
            return longest(m, it, at);
        ptrdiff_t end = once(m, it, at);
        if (end < 0)
            return tick(m, (size_t)(it - first)) ? end : STOPPED;
        at = (size_t)end;
    }
    return (ptrdiff_t)at;
}

static dx_status outcome(const matcher *m, size_t from, ptrdiff_t end, dx_err *err) {
    if (end == NO)
        return DX_DONE;
    if (end == STOPPED)
        return dx_fail(err, DX_E_LIMIT, m->deep ? "pattern too complex" : "interrupted");
    m->out->from = from;
    m->out->to = (size_t)end;
    return DX_ROW;
}

static matcher start(const dx_pattern *p, dx_slice subject, dx_patience *patience, dx_match *out) {
    matcher m = {.s = (const unsigned char *)(subject.n == 0 ? "" : subject.p), .n = subject.n};
    m.patience = patience;
    m.out = out;
    out->n = p->ncaptures;
    return m;
}

dx_status dx_pattern_at(const dx_pattern *p, dx_slice subject, size_t at, dx_patience *patience,
                        dx_match *out, dx_err *err) {
    matcher m = start(p, subject, patience, out);
    ptrdiff_t end = tick(&m, 1) ? walk(&m, p->items, at) : STOPPED;
    return outcome(&m, at, end, err);
}

/* The next place where a match may begin; n + 1: there is none. */
static size_t candidate(const matcher *m, const item *first, size_t at) {
    if (first->kind != CHAR || first->repeat == '*' || first->repeat == '?' || first->repeat == '-')
        return at;
    const void *hit = at < m->n ? memchr(m->s + at, first->c, m->n - at) : NULL;
    return hit == NULL ? m->n + 1 : (size_t)((const unsigned char *)hit - m->s);
}

dx_status dx_pattern_find(const dx_pattern *p, dx_slice subject, size_t at, dx_patience *patience,
                          dx_match *out, dx_err *err) {
    if (p->anchored)
        return dx_pattern_at(p, subject, at, patience, out, err);
    matcher m = start(p, subject, patience, out);
    ptrdiff_t end = NO;
    while (end == NO && (at = candidate(&m, p->items, at)) <= m.n) {
        end = tick(&m, 1) ? walk(&m, p->items, at) : STOPPED;
        at += end == NO;
    }
    return outcome(&m, at, end, err);
}

/* dx_logline.c - stamp, then one of a few orders of level, thread and logger. The logger is what
 * tells a prefix from prose: a word of a class name's letters, followed by its separator. */
#include "dx_logline.h"
#include "dx_bytes.h"
#include "dx_logwrap.h"

#include <string.h>

#define THREAD_MAX 4096 /* a thread's name is looked for in so many bytes */

static dx_slice from(dx_slice s, size_t n) {
    return dx_slice_sub(s, n, s.n);
}

static dx_slice skip_blanks(dx_slice s) {
    size_t n = 0;
    while (n < s.n && (s.p[n] == ' ' || s.p[n] == '\t'))
        n++;
    return (dx_slice){n == 0 ? s.p : s.p + n, s.n - n};
}

static dx_slice trim_right(dx_slice s) {
    while (s.n > 0 && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t'))
        s.n--;
    return s;
}

/* ---- parts: each moves s behind itself, or leaves it and returns false */

static const char *level_of(char first) {
    switch (first) {
    case 'I': return "INFO";
    case 'W': return "WARN";
    case 'E': return "ERROR";
    case 'D': return "DEBUG";
    case 'F': return "FATAL";
    case 'T': return "TRACE";
    default: return NULL;
    }
}

static bool read_level(dx_slice *s, dx_slice *level) {
    const char *name = s->n < 4 ? NULL : level_of(s->p[0]);
    if (name == NULL || memcmp(s->p, name, 4) != 0)
        return false;
    size_t n = name[4] == '\0' ? 4 : 5;
    if (n == 5 && (s->n < 5 || s->p[4] != name[4]))
        return false;
    if (s->n > n && s->p[n] != ' ' && s->p[n] != '\t')
        return false;
    *level = (dx_slice){s->p, n};
    *s = skip_blanks((dx_slice){s->p + n, s->n - n});
    return true;
}

/* "(123)" or " (File.java:method(123))" behind a logger, as test layouts print it. */
static dx_slice skip_place(dx_slice s) {
    size_t open = dx_slice_starts(s, " (") ? 1 : 0;
    if (s.n <= open || s.p[open] != '(')
        return s;
    ptrdiff_t end = dx_slice_find_char(dx_slice_sub(s, 0, 256), ')', 0);
    if (end < 0)
        return s;
    if ((size_t)end + 1 < s.n && s.p[end + 1] == ')')
        end++;
    return from(s, (size_t)end + 1);
}

/* Letters, digits, '.', '$' and '_'. */
static bool in_logger(char c) {
    static const bool set[256] = {
        ['$'] = 1, ['.'] = 1, ['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1,
        ['6'] = 1, ['7'] = 1, ['8'] = 1, ['9'] = 1, ['A'] = 1, ['B'] = 1, ['C'] = 1, ['D'] = 1,
        ['E'] = 1, ['F'] = 1, ['G'] = 1, ['H'] = 1, ['I'] = 1, ['J'] = 1, ['K'] = 1, ['L'] = 1,
        ['M'] = 1, ['N'] = 1, ['O'] = 1, ['P'] = 1, ['Q'] = 1, ['R'] = 1, ['S'] = 1, ['T'] = 1,
        ['U'] = 1, ['V'] = 1, ['W'] = 1, ['X'] = 1, ['Y'] = 1, ['Z'] = 1, ['_'] = 1, ['a'] = 1,
        ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1, ['g'] = 1, ['h'] = 1, ['i'] = 1,
        ['j'] = 1, ['k'] = 1, ['l'] = 1, ['m'] = 1, ['n'] = 1, ['o'] = 1, ['p'] = 1, ['q'] = 1,
        ['r'] = 1, ['s'] = 1, ['t'] = 1, ['u'] = 1, ['v'] = 1, ['w'] = 1, ['x'] = 1, ['y'] = 1,
        ['z'] = 1,
    };
    return set[(unsigned char)c];
}

/* How many bytes of a logger s begins with. */
static size_t logger_length(dx_slice s) {
    size_t n = 0;
#ifdef __SSE2__
    for (; s.n - n >= 16; n += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(s.p + n));
        __m128i is = dx_bytes_within(_mm_or_si128(v, _mm_set1_epi8(0x20)), 'a', 25);
        is = _mm_or_si128(is, dx_bytes_within(v, '0', 9));
        is = _mm_or_si128(is, _mm_cmpeq_epi8(v, _mm_set1_epi8('.')));
        is = _mm_or_si128(is, _mm_cmpeq_epi8(v, _mm_set1_epi8('$')));
        is = _mm_or_si128(is, _mm_cmpeq_epi8(v, _mm_set1_epi8('_')));
        unsigned others = ~(unsigned)_mm_movemask_epi8(is) & 0xffff;
        if (others != 0)
            return n + (size_t)__builtin_ctz(others);
    }
#endif
    while (n < s.n && in_logger(s.p[n]))
        n++;
    return n;
}

/* A logger with its separator; false also for a word that only begins a sentence. */
static bool read_logger(dx_slice *s, dx_slice *logger) {
    if (s->n == 0 || !dx_is_letter(s->p[0]))
        return false;
    size_t n = logger_length(*s);
    if (n + 1 < s->n && s->p[n] == ':' && s->p[n + 1] == ' ') { /* nearly all of them */
        *logger = (dx_slice){s->p, n};
        *s = (dx_slice){s->p + n + 2, s->n - n - 2};
        return true;
    }
    dx_slice name = dx_slice_sub(*s, 0, n), rest = skip_place(from(*s, n));
    dx_slice padded = skip_blanks(rest);
    if (dx_slice_starts(padded, ": ")) /* Spring pads the logger */
        rest = padded;
    static const dx_slice ends[] = {{": ", 2}, {" - ", 3}, {"- ", 2}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t len = rest.n == ends[i].n - 1 ? rest.n : ends[i].n; /* the line may end before ' ' */
        if (rest.n >= len && memcmp(rest.p, ends[i].p, len) == 0) {
            *logger = name;
            *s = from(rest, len);
            return true;
        }
    }
    return false;
}

/* Log4j2's console adds the context map, even an empty one: "main {}". */
static dx_slice without_context(dx_slice thread) {
    thread = skip_blanks(thread);
    if (thread.n > 0 && thread.p[thread.n - 1] == '}') {
        ptrdiff_t open = dx_slice_rfind_char(thread, '{');
        if (open > 0 && thread.p[open - 1] == ' ')
            thread.n = (size_t)open - 1;
    }
    return thread;
}

/* "thread:Class@123" inside of ZooKeeper's brackets. */
static bool split_class(dx_slice inside, dx_logline *o) {
    ptrdiff_t at = dx_slice_rfind_char(inside, '@');
    ptrdiff_t colon = at < 0 ? -1 : dx_slice_rfind_char(dx_slice_sub(inside, 0, (size_t)at), ':');
    if (colon < 0)
        return false;
    o->logger = dx_slice_sub(inside, (size_t)colon + 1, (size_t)at);
    o->thread = dx_slice_sub(inside, 0, (size_t)colon);
    return true;
}

/* Where "] " stands at or behind at, or -1. */
static ptrdiff_t bracket_end(dx_slice s, size_t at) {
    if (at + 1 >= s.n)
        return -1;
    const char *last = s.p + s.n - 1, *hit = dx_find_pair(s.p + at, last, ']', ' ', 1);
    return hit == last ? -1 : hit - s.p;
}

/* "[thread] logger: message". Threads may have "] " in them, so the first one behind which a logger
 * stands ends the thread. False: there is no such place. */
static bool read_thread_logger(dx_slice s, dx_logline *o) {
    dx_slice head = dx_slice_sub(s, 0, THREAD_MAX);
    for (ptrdiff_t end = 0; (end = bracket_end(head, (size_t)end + 1)) >= 0;) {
        dx_slice rest = skip_blanks((dx_slice){s.p + end + 2, s.n - (size_t)end - 2});
        if (read_logger(&rest, &o->logger)) {
            o->thread = without_context((dx_slice){s.p + 1, (size_t)end - 1});
            o->message = rest;
            return true;
        }
    }
    return false;
}

/* "[thread:Class@123] - message" (ZooKeeper), or a thread without any logger. */
static bool read_thread_only(dx_slice s, dx_logline *o) {
    dx_slice head = dx_slice_sub(s, 0, THREAD_MAX);
    ptrdiff_t end = dx_slice_find(head, "] - ", 1);
    if (end > 0 && split_class(dx_slice_sub(s, 1, (size_t)end), o)) {
        o->message = from(s, (size_t)end + 4);
        return true;
    }
    end = bracket_end(head, 1);
    if (end < 0)
        return false;
    o->thread = without_context(dx_slice_sub(s, 1, (size_t)end));
    o->message = skip_blanks(from(s, (size_t)end + 2));
    return true;
}

/* "1234 --- " of Spring's layout. */
static dx_slice skip_process(dx_slice s) {
    uint64_t pid;
    size_t n = dx_slice_lead_u64(s, &pid);
    return n > 0 && dx_slice_starts(from(s, n), " --- ") ? from(s, n + 5) : s;
}

/* All behind the level. strict: false when no logger is found, as for a line without a stamp. */
static bool read_behind_level(dx_slice s, bool strict, dx_logline *o) {
    s = skip_process(s);
    if (s.n > 0 && s.p[0] == '['
        && (read_thread_logger(s, o) || (!strict && read_thread_only(s, o))))
        return true;
    if (read_logger(&s, &o->logger)) {
        o->message = s;
        return true;
    }
    o->message = s;
    return !strict;
}

/* ---- orders of the parts */

/* "[thread] LEVEL logger - message" (Logback), "[id] - LEVEL [thread] ..." (ZooKeeper). */
static bool read_thread_first(dx_slice s, dx_logline *o) {
    dx_slice head = dx_slice_sub(s, 0, THREAD_MAX);
    for (ptrdiff_t end = 0; (end = bracket_end(head, (size_t)end + 1)) >= 0;) {
        dx_slice rest = skip_blanks(from(s, (size_t)end + 2));
        if (dx_slice_starts(rest, "- "))
            rest = skip_blanks(from(rest, 2));
        if (read_level(&rest, &o->level)) {
            o->thread = dx_slice_sub(s, 1, (size_t)end);
            return read_behind_level(rest, false, o);
        }
    }
    return false;
}

/* "org.example.Foo.method(Foo.java:12)" at the line's end: the logger, and true. */
static bool read_place(dx_slice s, dx_slice *logger) {
    ptrdiff_t open = dx_slice_rfind_char(s, '(');
    if (open < 1 || s.p[s.n - 1] != ')' || dx_slice_find_char(s, ' ', 0) >= 0)
        return false;
    ptrdiff_t dot = dx_slice_rfind_char(dx_slice_sub(s, 0, (size_t)open), '.');
    *logger = dx_slice_sub(s, 0, dot > 0 ? (size_t)dot : (size_t)open);
    return true;
}

/* "| LEVEL | thread | message | place" (FusionInsight). */
static bool read_pipes(dx_slice s, dx_logline *o) {
    dx_slice rest = skip_blanks(from(s, 1));
    if (!read_level(&rest, &o->level) || !dx_slice_starts(rest, "| "))
        return false;
    rest = from(rest, 2);
    ptrdiff_t end = dx_slice_find(dx_slice_sub(rest, 0, THREAD_MAX), " | ", 0);
    if (end < 0)
        return false;
    o->thread = dx_slice_sub(rest, 0, (size_t)end);
    rest = trim_right(from(rest, (size_t)end + 3));
    o->message = rest;
    ptrdiff_t bar = dx_slice_rfind_char(rest, '|');
    if (bar > 0 && rest.p[bar - 1] == ' '
        && read_place(skip_blanks(from(rest, (size_t)bar + 1)), &o->logger))
        o->message = trim_right(dx_slice_sub(rest, 0, (size_t)bar));
    return true;
}

/* Behind the stamp. A line with nothing but a stamp that we know is all message. */
static void read_behind_stamp(dx_slice s, dx_logline *o) {
    s = skip_blanks(s);
    if (dx_slice_starts(s, "- ")) /* ZooKeeper without an id */
        s = skip_blanks(from(s, 2));
    o->message = s;
    if (s.n == 0)
        return;
    if (s.p[0] == '|') {
        read_pipes(s, o);
    } else if (s.p[0] == '[') {
        read_thread_first(s, o);
    } else if (read_level(&s, &o->level)) {
        read_behind_level(s, false, o);
    }
}

/* ---- stamps */

/* "16/04/13 12:46:19" of consoles: the century is ours. */
static size_t read_short_year(dx_slice s, dx_civil *c) {
    char text[32] = "20";
    if (s.n < 17 || s.p[2] != '/' || s.p[5] != '/')
        return 0;
    size_t n = s.n < sizeof text - 2 ? s.n : sizeof text - 2;
    memcpy(text + 2, s.p, n);
    size_t used = dx_civil_read(dx_sn(text, n + 2), c);
    return used < 2 ? 0 : used - 2;
}

/* A stamp at the head of s, in brackets or not; returns its bytes, 0: there is none. */
static size_t read_stamp(dx_slice s, dx_logline *o) {
    dx_civil c;
    size_t open = s.n > 1 && s.p[0] == '[' ? 1 : 0;
    if (s.n < 14 || !dx_is_digit(s.p[open]))
        return 0;
    size_t n = dx_civil_read(from(s, open), &c);
    if (n == 0 && open == 0)
        n = read_short_year(s, &c);
    if (n == 0)
        return 0;
    n += open;
    size_t zone = dx_offset_read(from(s, n), &o->offset_ms);
    o->has_zone = zone > 0;
    o->local_ms = dx_time_from_civil(&c, 0);
    n += zone;
    return n + (open == 1 && n < s.n && s.p[n] == ']');
}

/* "Feb 22, 12:01:46.498 PM<tab>WARN<tab>logger<tab>message", as Cloudera Manager shows lines: no
 * year. */
static bool read_manager_export(dx_slice s, dx_logline *o) {
    ptrdiff_t tab = dx_slice_find_char(dx_slice_sub(s, 0, 40), '\t', 0);
    if (tab < 3 || s.p[tab - 1] != 'M' || (s.p[tab - 2] != 'A' && s.p[tab - 2] != 'P'))
        return false;
    dx_slice rest = from(s, (size_t)tab + 1);
    ptrdiff_t end;
    if (!read_level(&rest, &o->level) || (end = dx_slice_find_char(rest, '\t', 0)) < 0)
        return false;
    o->logger = dx_slice_sub(rest, 0, (size_t)end);
    o->message = from(rest, (size_t)end + 1);
    return true;
}

/* "ipc.RpcServer" or Hadoop's full names, but not what a stack trace begins with. */
static bool names_logger(dx_slice name) {
    ptrdiff_t dot = dx_slice_find_char(name, '.', 0);
    if (dot < 1 || dx_slice_ends(name, "Exception") || dx_slice_ends(name, "Error"))
        return false;
    if (dx_slice_starts(name, "org.apache.hadoop."))
        return true;
    char first = (size_t)dot + 1 < name.n ? name.p[dot + 1] : '\0';
    return name.p[0] >= 'a' && first >= 'A' && first <= 'Z'
           && dx_slice_find_char(name, '.', (size_t)dot + 1) < 0;
}

/* "WARN [thread] logger: message" or "ipc.RpcServer: message", where the stamp was left out. */
static bool read_stampless(dx_slice s, dx_logline *o) {
    if (read_level(&s, &o->level))
        return read_behind_level(s, true, o);
    if (!read_logger(&s, &o->logger) || !names_logger(o->logger))
        return false;
    o->message = s;
    return true;
}

static bool read_bare(dx_slice line, dx_logline *o) {
    if (line.n == 0)
        return false;
    size_t n = read_stamp(line, o);
    if (n > 0) {
        read_behind_stamp(from(line, n), o);
        return true;
    }
    if (!dx_is_letter(line.p[0]))
        return false;
    dx_logline empty = *o;
    if (read_stampless(line, o))
        return true;
    *o = empty;
    if (read_manager_export(line, o))
        return true;
    *o = empty;
    return false;
}

bool dx_logline_read_bare(dx_slice line, dx_logline *out) {
    *out = (dx_logline){.local_ms = DX_TIME_NONE, .message = line};
    return read_bare(line, out);
}

/* ---- lines in a row */

static unsigned digit_at(const char *p) {
    return (unsigned char)*p - (unsigned)'0';
}

/* The milliseconds of "2026-11-30 20:10:07,024 " within its minute; false: it is not written so. */
static bool read_second(dx_slice line, int64_t *ms) {
    const char *p = line.p;
    if (line.n < 24 || p[16] != ':' || (p[19] != ',' && p[19] != '.') || p[23] != ' ')
        return false;
    unsigned tens = digit_at(p + 17), ones = digit_at(p + 18);
    unsigned a = digit_at(p + 20), b = digit_at(p + 21), c = digit_at(p + 22);
    *ms = (int64_t)tens * 10000 + ones * 1000 + a * 100 + b * 10 + c;
    return tens < 6 && ones < 10 && a < 10 && b < 10 && c < 10;
}

/* The place of what stands behind a stamp up to the first ": ", or NULL: too short or too long. */
static dx_logline_head *head_of(dx_logline_memo *memo, dx_slice s, size_t *n) {
    uint64_t end;
    dx_slice room = dx_slice_sub(s, 0, sizeof memo->heads[0].text);
    if (room.n < sizeof end + 2)
        return NULL;
    const char *last = room.p + room.n - 1, *colon = dx_find_pair(room.p, last, ':', ' ', 1);
    if (colon == last || colon - s.p < (ptrdiff_t)sizeof end)
        return NULL;
    memcpy(&end, colon - sizeof end, sizeof end);
    *n = (size_t)(colon - s.p) + 2;
    return &memo->heads[(end + *n) * UINT64_C(0x9e3779b97f4a7c15) >> 56];
}
_Static_assert(DX_LOGLINE_HEADS == 256, "eight bits of a product");

/* Keeps a head that tells all by itself: its thread, if it has one, ends at its first "] ". */
static void keep_head(dx_slice s, size_t n, const dx_logline *l, dx_logline_head *h) {
    dx_slice logger = skip_blanks(from(s, l->level.n));
    size_t thread_at = 0;
    if (logger.n > 0 && logger.p[0] == '[') {
        ptrdiff_t end = bracket_end(logger, 1);
        logger = skip_blanks(from(logger, (size_t)(end + 2)));
        thread_at = (size_t)(l->thread.p - s.p);
    }
    if (logger.p != l->logger.p || l->logger.p + l->logger.n + 2 != s.p + n
        || l->message.p != s.p + n)
        return;
    h->n = (unsigned char)n;
    h->level_n = (unsigned char)l->level.n;
    h->thread_at = (unsigned char)thread_at;
    h->thread_n = (unsigned char)l->thread.n;
    h->logger_at = (unsigned char)(l->logger.p - s.p);
    h->logger_n = (unsigned char)l->logger.n;
    memcpy(h->text, s.p, n);
}

static bool read_head(dx_slice s, dx_logline *o) {
    if (!read_level(&s, &o->level) || s.n == 0 || dx_is_digit(s.p[0]))
        return false;
    if (s.p[0] == '[')
        return read_thread_logger(s, o);
    if (!read_logger(&s, &o->logger))
        return false;
    o->message = s;
    return true;
}

/* The usual line: of the memo's minute, with a level and a logger. False: ask the long way. */
static bool read_usual(dx_slice line, dx_logline_memo *memo, dx_logline *o) {
    int64_t ms;
    size_t n = 0;
    if (!read_second(line, &ms) || !memo->known || memcmp(line.p, memo->minute, 16) != 0)
        return false;
    o->local_ms = memo->minute_ms + ms;
    const dx_slice s = {line.p + 24, line.n - 24};
    dx_logline_head *h = head_of(memo, s, &n);
    if (h == NULL || h->n != n || !dx_same_bytes(h->text, s.p, n)) {
        bool known = read_head(s, o);
        if (known && h != NULL)
            keep_head(s, n, o, h);
        return known;
    }
    o->level = (dx_slice){s.p, h->level_n};
    o->thread = (dx_slice){s.p + h->thread_at, h->thread_n};
    o->logger = (dx_slice){s.p + h->logger_at, h->logger_n};
    o->message = (dx_slice){s.p + n, s.n - n};
    return true;
}

/* A minute that a stamp of the stock form told: "2026-11-30 20:10". */
static void learn_minute(dx_slice line, const dx_logline *l, dx_logline_memo *memo) {
    int64_t ms;
    if (l->local_ms == DX_TIME_NONE || !read_second(line, &ms) || line.p[4] != '-'
        || line.p[7] != '-' || line.p[13] != ':')
        return;
    memcpy(memo->minute, line.p, sizeof memo->minute);
    memo->minute_ms = l->local_ms - ms;
    memo->known = true;
}

bool dx_logline_read_next(dx_slice line, dx_logline_memo *memo, dx_logline *out) {
    *out = (dx_logline){.local_ms = DX_TIME_NONE, .message = line};
    if (read_usual(line, memo, out))
        return true;
    bool known = dx_logline_read_bare(line, out);
    learn_minute(line, out, memo);
    return known;
}

bool dx_logline_read(dx_slice line, dx_logline *out) {
    dx_logwrap w;
    *out = (dx_logline){.local_ms = DX_TIME_NONE, .message = line};
    if (!dx_logwrap_read(line, &w))
        return read_bare(line, out);
    out->message = w.body;
    bool known = read_bare(w.body, out);
    if (out->local_ms == DX_TIME_NONE) {
        out->local_ms = w.local_ms;
        out->has_zone = w.has_zone;
        out->offset_ms = w.offset_ms;
    }
    return known;
}

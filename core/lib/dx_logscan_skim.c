/* dx_logscan_skim.c - leaps over what cannot matter to who wants slow calls alone. A stretch of the
 * input is looked at in blocks, by loops that a compiler makes many bytes at a time of; a block
 * that may have something is then looked at closely. */
#include "dx_logline.h"
#include "dx_logscan_int.h"

#define BLOCK     64u
#define BEHIND    8u           /* bytes behind a block that its loop looks at */
#define STRETCH   (32u * 1024) /* at least so many bytes are looked at in one go */
#define LONG_LINE (14u)        /* whole blocks without a line end: 990 bytes and more */
#define SHORT     512u         /* after so many leaps (TIRED) of fewer bytes than this, */
#define TIRED     4u           /* there are calls everywhere, and so many bytes (RUN) */
#define RUN       (16u * 1024) /* are gone through without a leap */

/* GCC makes one copy of a function for each kind of processor, and the loader takes the best. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)       \
    && !defined(__SANITIZE_ADDRESS__)
#define FOR_EACH_CPU __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_CPU
#endif

typedef struct sight {
    size_t at;     /* of a block that may have something, or where looking ended */
    size_t lines;  /* line ends before it */
    size_t closed; /* blocks in a row without a line end, up to and with it */
    bool hit;
} sight;

/* From block to block, as long as BEHIND bytes stand behind it. What may be there: "too" of a
 * slow-call tag in either case, "Serving as", "VersionInfo" (by two letters of each), or the end of
 * a line so long that it may be a slow call without its head. */
FOR_EACH_CPU static sight look(const char *p, size_t from, size_t n, size_t closed) {
    sight s = {.at = from, .closed = closed};
    for (; n - s.at >= BLOCK + BEHIND; s.at += BLOCK) {
        const char *b = p + s.at;
        unsigned char hit = 0, ends = 0;
        for (size_t i = 0; i < BLOCK; i++) {
            char c = b[i];
            hit |= (unsigned char)(((c | 0x20) == 't') & ((b[i + 1] | 0x20) == 'o')
                                   & ((b[i + 2] | 0x20) == 'o'));
            hit |= (unsigned char)((c == 'S') & (b[i + 6] == 'g'));
            hit |= (unsigned char)((c == 'V') & (b[i + 6] == 'n'));
            ends = (unsigned char)(ends + (c == '\n'));
        }
        s.closed = ends == 0 ? s.closed + 1 : 0;
        s.hit = hit != 0 || s.closed >= LONG_LINE;
        if (s.hit)
            return s;
        s.lines += ends;
    }
    return s;
}

/* Whether one of the texts begins at p, of which n bytes can be looked at. */
static bool matters(const char *p, size_t n) {
    if (n > 3 && (p[0] | 0x20) == 't' && (p[1] | 0x20) == 'o' && (p[2] | 0x20) == 'o')
        return (p[3] | 0x20) == 's' || (p[3] | 0x20) == 'l';
    dx_slice s = {p, n};
    return (p[0] == 'S' && dx_slice_starts(s, "Serving as "))
           || (p[0] == 'V' && dx_slice_starts(s, "VersionInfo"));
}

/* Where something that matters begins in [from, to) of text, or to. */
static size_t find(dx_slice text, size_t from, size_t to) {
    while (from < to && !matters(text.p + from, text.n - from))
        from++;
    return from;
}

static size_t count_lines(dx_slice s) {
    size_t n = 0;
    for (ptrdiff_t at = -1; (at = dx_slice_find_char(s, '\n', (size_t)(at + 1))) >= 0;)
        n++;
    return n;
}

/* Where the line begins that has byte `at`. */
static size_t line_of(dx_slice text, size_t at) {
    return (size_t)(dx_slice_rfind_char(dx_slice_sub(text, 0, at), '\n') + 1);
}

/* The line that has byte `at`, and the one before it, for a message may begin behind its prefix. */
static size_t two_lines(dx_slice text, size_t at) {
    size_t line = line_of(text, at);
    return line == 0 ? 0 : line_of(text, line - 1);
}

static bool read_stamp(dx_slice line, dx_line_stamp *out) {
    dx_logline l;
    if (!dx_logline_read(line, &l) || l.local_ms == DX_TIME_NONE)
        return false;
    *out = (dx_line_stamp){l.local_ms, l.has_zone, l.offset_ms};
    return true;
}

static void find_head(dx_coverage *cov, dx_slice text) {
    for (size_t from = 0; from < text.n && cov->head.local_ms == DX_TIME_NONE;) {
        ptrdiff_t end = dx_slice_find_char(text, '\n', from);
        size_t next = end < 0 ? text.n : (size_t)end;
        read_stamp(dx_slice_sub(text, from, next), &cov->head);
        from = next + 1;
    }
}

static void find_tail(dx_coverage *cov, dx_slice text) {
    for (size_t to = text.n; to > 0;) {
        size_t end = text.p[to - 1] == '\n' ? to - 1 : to, begin = line_of(text, end);
        if (read_stamp(dx_slice_sub(text, begin, end), &cov->tail))
            return;
        to = begin;
    }
}

static void leap(logscan *s, dx_slice text, size_t n, size_t lines) {
    dx_slice over = dx_slice_sub(text, 0, n);
    find_head(s->cov, over);
    find_tail(s->cov, over);
    s->cov->lines += lines;
    dx_input_pass(s->in, n);
}

/* Whether the log goes on in another piece: its last lines may be the head of a call. */
static bool goes_on(const logscan *s) {
    return s->seam != NULL && s->seam->n > 0;
}

/* Over one stretch. False: the next line is to be taken. */
static bool leap_once(logscan *s) {
    dx_slice text = dx_input_ahead(s->in, STRETCH);
    bool all = text.n < STRETCH;
    size_t lines = 0, closed = 0, at = 0;
    for (;;) {
        sight seen = look(text.p, at, text.n, closed);
        lines += seen.lines;
        size_t to = seen.hit ? seen.at + BLOCK : text.n;
        size_t hit = seen.hit && seen.closed >= LONG_LINE ? seen.at : find(text, seen.at, to);
        if (hit < to || !seen.hit) {
            bool end = hit == text.n && all && !goes_on(s);
            size_t upto = end ? text.n : two_lines(text, hit);
            /* lines are counted up to seen.at */
            lines = upto <= seen.at ? lines - count_lines(dx_slice_sub(text, upto, seen.at))
                                    : lines + count_lines(dx_slice_sub(text, seen.at, upto));
            lines += end && text.n > 0 && text.p[text.n - 1] != '\n';
            leap(s, text, upto, lines);
            s->short_leaps = upto < SHORT ? s->short_leaps + 1 : 0;
            s->awake =
                dx_input_bytes_read(s->in) + (hit - upto) + 1 + (s->short_leaps < TIRED ? 0 : RUN);
            return hit == text.n && upto > 0 && (end || !all);
        }
        lines += count_lines(dx_slice_sub(text, seen.at, to));
        closed = seen.closed;
        at = to;
    }
}

dx_status logscan_skim(logscan *s) {
    while (leap_once(s))
        if (s->sink->stop != NULL && s->sink->stop(s->sink->arg))
            return dx_fail(s->err, DX_E_LIMIT, "the scan was stopped");
    return DX_OK;
}

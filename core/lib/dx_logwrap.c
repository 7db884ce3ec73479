/* dx_logwrap.c - see dx_logwrap.h. Each layout is told by its first bytes, so that a line without
 * any costs one look. */
#include "dx_logwrap.h"
#include "dx_escape.h"
#include "dx_time.h"

#include <string.h>

#define NANO_DIGITS 9 /* of a second */

static dx_slice from(dx_slice s, size_t n) {
    return dx_slice_sub(s, n, s.n);
}

/* The bytes before the first blank; moves s behind it. False: there is no blank. */
static bool word(dx_slice *s, dx_slice *out) {
    ptrdiff_t blank = dx_slice_find_char(*s, ' ', 0);
    if (blank < 1)
        return false;
    *out = dx_slice_sub(*s, 0, (size_t)blank);
    *s = from(*s, (size_t)blank + 1);
    return true;
}

/* A stamp with its zone at the head of s; moves s behind it. */
static bool zoned_stamp(dx_slice *s, dx_logwrap *w) {
    dx_civil c;
    size_t n = dx_civil_read(*s, &c);
    if (n == 0)
        return false;
    size_t z = dx_offset_read(from(*s, n), &w->offset_ms);
    if (z == 0)
        return false;
    w->local_ms = dx_time_from_civil(&c, 0);
    w->has_zone = true;
    *s = from(*s, n + z);
    return true;
}

/* ---- Docker's json-file: {"log":"...\n","stream":"stderr","time":"..."} */

/* Bytes of the JSON string that s begins with, up to its closing quote, or -1. */
static ptrdiff_t string_end(dx_slice s) {
    for (ptrdiff_t quote = 0;; quote++) {
        quote = dx_slice_find_char(s, '"', (size_t)quote);
        if (quote < 0)
            return -1;
        ptrdiff_t back = quote;
        while (back > 0 && s.p[back - 1] == '\\')
            back--;
        if ((quote - back) % 2 == 0)
            return quote;
    }
}

/* Takes the escape \c from the end of s. */
static bool drop_escape(dx_slice *s, char c) {
    size_t slashes = 0;
    if (s->n < 2 || s->p[s->n - 1] != c)
        return false;
    while (slashes < s->n - 1 && s->p[s->n - 2 - slashes] == '\\')
        slashes++;
    if (slashes % 2 == 0)
        return false;
    s->n -= 2;
    return true;
}

static dx_slice skip_blanks(dx_slice s) {
    while (s.n > 0 && (s.p[0] == ' ' || s.p[0] == '\t'))
        s = from(s, 1);
    return s;
}

/* What stands behind a key: moves s behind the quote that opens its string. Who writes such lines
 * anew may put blanks between. */
static bool open_string(dx_slice *s, const char *key) {
    dx_slice rest = skip_blanks(*s);
    if (!dx_slice_starts(rest, key))
        return false;
    rest = skip_blanks(from(rest, strlen(key)));
    if (rest.n == 0 || rest.p[0] != ':')
        return false;
    rest = skip_blanks(from(rest, 1));
    if (rest.n == 0 || rest.p[0] != '"')
        return false;
    *s = from(rest, 1);
    return true;
}

/* The string of a member behind the first; empty where there is none. */
static dx_slice member(dx_slice s, const char *key) {
    ptrdiff_t at = dx_slice_find(s, key, 0);
    dx_slice value = at < 0 ? dx_s("") : from(s, (size_t)at);
    return at >= 0 && open_string(&value, key) ? value : dx_s("");
}

/* A member behind the text, or else before it: quotes inside of the text have a backslash. */
static dx_slice either_side(dx_slice line, dx_slice behind, const char *key) {
    dx_slice value = member(behind, key);
    return value.n > 0 ? value : member(line, key);
}

/* Where the line's own text begins. The key comes first, or behind those of the wrapper. */
static bool open_log(dx_slice line, dx_slice *s) {
    *s = from(line, 1);
    if (open_string(s, "\"log\""))
        return true;
    if (!dx_slice_starts(skip_blanks(*s), "\"stream\"")
        && !dx_slice_starts(skip_blanks(*s), "\"time\""))
        return false;
    *s = member(*s, "\"log\"");
    return s->n > 0;
}

static bool read_docker(dx_slice line, dx_logwrap *w) {
    dx_slice s;
    ptrdiff_t end = open_log(line, &s) ? string_end(s) : -1;
    if (end < 0)
        return false;
    w->kind = DX_WRAP_DOCKER;
    w->body = dx_slice_sub(s, 0, (size_t)end);
    w->partial = !drop_escape(&w->body, 'n');
    if (!w->partial)
        drop_escape(&w->body, 'r');
    dx_slice stream = either_side(line, from(s, (size_t)end), "\"stream\"");
    dx_slice stamp = either_side(line, from(s, (size_t)end), "\"time\"");
    w->to_stderr = dx_slice_starts(stream, "stderr\"");
    zoned_stamp(&stamp, w);
    return true;
}

void dx_logwrap_unescape(dx_slice body, dx_buf *out) {
    while (body.n > 0) {
        ptrdiff_t slash = dx_slice_find_char(body, '\\', 0);
        size_t plain = slash < 0 ? body.n : (size_t)slash;
        dx_buf_add(out, body.p, plain);
        body = from(body, plain);
        if (body.n == 0)
            return;
        char text[DX_ESCAPE_ROOM];
        size_t n;
        body = from(body, dx_escape_read(body, text, &n));
        dx_buf_add(out, text, n);
    }
}

/* ---- CRI: "<stamp> stdout|stderr P|F <line>" */

static bool read_cri(dx_slice s, dx_logwrap *w) {
    dx_slice stream, tag;
    if (!zoned_stamp(&s, w) || s.n == 0 || s.p[0] != ' ')
        return false;
    s = from(s, 1);
    if (!word(&s, &stream) || (!dx_slice_is(stream, "stdout") && !dx_slice_is(stream, "stderr")))
        return false;
    w->kind = DX_WRAP_CRI;
    w->to_stderr = dx_slice_is(stream, "stderr");
    if (!word(&s, &tag)) { /* an empty line may come without the blank behind its tag */
        tag = s;
        s = dx_s("");
    }
    if (tag.n == 0 || (tag.p[0] != 'P' && tag.p[0] != 'F'))
        return false;
    w->partial = tag.p[0] == 'P';
    w->body = s;
    return tag.n == 1 || tag.p[1] == ':'; /* tags may be added behind a colon */
}

/* "<stamp> <line>", as kubectl logs --timestamps and docker logs -t show it: a runtime writes
 * nanoseconds, which no log does. */
static bool read_shown(dx_slice s, dx_logwrap *w) {
    size_t digits = 0;
    for (size_t i = 20; i < s.n && dx_is_digit(s.p[i]); i++)
        digits++;
    if (digits < NANO_DIGITS || s.p[19] != '.' || !zoned_stamp(&s, w) || !dx_slice_starts(s, " "))
        return false;
    w->kind = DX_WRAP_CRI;
    w->body = from(s, 1);
    return true;
}

/* "[pod/name/container] <line>" of kubectl logs --prefix. */
static bool read_pod(dx_slice s, dx_logwrap *w) {
    ptrdiff_t end = dx_slice_starts(s, "[pod/") ? dx_slice_find(s, "] ", 0) : -1;
    if (end < 0)
        return false;
    w->kind = DX_WRAP_CRI;
    w->body = from(s, (size_t)end + 2);
    return true;
}

/* ---- syslog and journald */

static bool is_level(dx_slice s) {
    static const char *const levels[] = {"INFO", "WARN", "ERROR", "DEBUG", "FATAL", "TRACE"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (dx_slice_is(s, levels[i]))
            return true;
    return s.n == 0;
}

/* "host program[pid]: line". A level in the host's place says that it is a log4j line with a zone.
 */
static bool read_origin(dx_slice s, dx_logwrap *w) {
    dx_slice host, program;
    if (!word(&s, &host) || is_level(host))
        return false;
    if (!word(&s, &program)) {
        program = s;
        s = dx_s("");
    }
    w->kind = DX_WRAP_SYSLOG;
    w->body = s;
    return program.n > 1 && program.p[0] != '[' && program.p[program.n - 1] == ':';
}

static bool clock_at(dx_slice s) {
    static const char shape[] = "00:00:00";
    if (s.n < 8)
        return false;
    for (size_t i = 0; i < 8; i++)
        if (shape[i] == ':' ? s.p[i] != ':' : s.p[i] < '0' || s.p[i] > '9')
            return false;
    return true;
}

/* "May  1 10:00:00 host program[pid]: line" (RFC 3164, journald's short form): no year. */
static bool read_bsd(dx_slice s, dx_logwrap *w) {
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    if (s.n < 16 || s.p[3] != ' ' || s.p[6] != ' ' || !clock_at(from(s, 7)))
        return false;
    dx_slice rest = from(s, 15);
    if (rest.p[0] == '.') { /* journald's short-precise form */
        size_t n = 1;
        while (n < rest.n && dx_is_digit(rest.p[n]))
            n++;
        rest = from(rest, n);
    }
    if (rest.n == 0 || rest.p[0] != ' ')
        return false;
    for (size_t i = 0; i < 36; i += 3)
        if (memcmp(months + i, s.p, 3) == 0)
            return read_origin(from(rest, 1), w);
    return false;
}

/* Structured data, "-" or "[id name=\"value\"]...", at the head of s; moves s behind it. */
static bool structured_data(dx_slice *s) {
    if (s->n > 0 && s->p[0] == '-') {
        *s = from(*s, 1);
        return true;
    }
    while (s->n > 0 && s->p[0] == '[') {
        ptrdiff_t end = 0;
        do
            end = dx_slice_find_char(*s, ']', (size_t)end + 1);
        while (end > 0 && s->p[end - 1] == '\\');
        if (end < 0)
            return false;
        *s = from(*s, (size_t)end + 1);
        if (s->n == 0 || s->p[0] != '[')
            return true;
    }
    return false;
}

/* "1 stamp host program pid msgid [data] line" (RFC 5424), behind its priority. */
static bool read_rfc5424(dx_slice s, dx_logwrap *w) {
    dx_slice skipped;
    s = from(s, 2);
    if (dx_slice_starts(s, "- "))
        s = from(s, 1);
    else if (!zoned_stamp(&s, w) || !dx_slice_starts(s, " "))
        return false;
    s = from(s, 1);
    for (int i = 0; i < 4; i++) /* host, program, pid, msgid */
        if (!word(&s, &skipped))
            return false;
    if (!structured_data(&s) || (s.n > 0 && s.p[0] != ' '))
        return false;
    s = from(s, 1);
    w->kind = DX_WRAP_SYSLOG;
    w->body = dx_slice_starts(s, "\xef\xbb\xbf") ? from(s, 3) : s;
    return true;
}

static bool read_iso_syslog(dx_slice s, dx_logwrap *w) {
    return zoned_stamp(&s, w) && s.n > 0 && s.p[0] == ' ' && read_origin(from(s, 1), w);
}

static bool read_priority(dx_slice s, dx_logwrap *w) {
    uint64_t priority;
    size_t n = dx_slice_lead_u64(from(s, 1), &priority);
    if (n == 0 || n > 3 || priority > 191 || s.n < n + 2 || s.p[n + 1] != '>')
        return false;
    s = from(s, n + 2);
    return dx_slice_starts(s, "1 ") ? read_rfc5424(s, w) : read_bsd(s, w) || read_iso_syslog(s, w);
}

bool dx_logwrap_read_some(dx_slice line, dx_logwrap *out) {
    dx_logwrap w = {.local_ms = DX_TIME_NONE};
    char c = line.p[0];
    bool good = false;
    if (c == '{')
        good = read_docker(line, &w);
    else if (c == '<')
        good = read_priority(line, &w);
    else if (c == '[')
        good = read_pod(line, &w);
    else if (dx_is_digit(c))
        good = read_cri(line, &w) || read_iso_syslog(line, &w) || read_shown(line, &w);
    else
        good = read_bsd(line, &w);
    if (good)
        *out = w;
    return good;
}

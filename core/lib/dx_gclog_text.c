/* dx_gclog_text.c - numbers, sizes and stamps of garbage-collection logs. */
#include "dx_gclog_int.h"

#include <math.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool at_digit(dx_slice s, size_t i) {
    return i < s.n && is_digit(s.p[i]);
}

/* --- numbers */

size_t gclog_number(dx_slice s, double *v) {
    const size_t most = 18; /* digits: more is no number of a log */
    size_t i = 0;
    double n = 0, unit = 1;
    for (; at_digit(s, i); i++)
        n = n * 10 + (s.p[i] - '0');
    if (i == 0 || i > most)
        return 0;
    if (i < s.n && (s.p[i] == '.' || s.p[i] == ',') && at_digit(s, i + 1)) {
        size_t from = ++i;
        for (; at_digit(s, i); i++) {
            unit /= 10;
            n += (s.p[i] - '0') * unit;
        }
        if (i - from > most)
            return 0;
    }
    *v = n;
    return i;
}

static bool is_number_char(char c) {
    return is_digit(c) || c == '.' || c == ',';
}

static bool strip(dx_slice *s, const char *tail) {
    if (!dx_slice_ends(*s, tail))
        return false;
    s->n -= dx_s(tail).n;
    return true;
}

bool gclog_tail_ms(dx_slice s, double *ms) {
    double unit = 1;
    s = dx_slice_trim(s);
    if (!strip(&s, "ms")) {
        unit = 1000;
        if (!strip(&s, "secs") && !strip(&s, "s"))
            return false;
    }
    s = dx_slice_trim(s);
    size_t from = s.n;
    while (from > 0 && s.n - from < 40 && is_number_char(s.p[from - 1]))
        from--;
    dx_slice digits = dx_slice_sub(s, from, s.n);
    if (gclog_number(digits, ms) != digits.n || digits.n == 0)
        return false;
    *ms *= unit;
    return true;
}

/* --- sizes */

static double unit_of(char c) {
    switch (c) {
    case 'B': return 1;
    case 'K': return 1024;
    case 'M': return 1024.0 * 1024;
    case 'G': return 1024.0 * 1024 * 1024;
    case 'T': return 1024.0 * 1024 * 1024 * 1024;
    default: return 0;
    }
}

static size_t size_read(dx_slice s, int64_t *bytes) {
    double v;
    size_t n = gclog_number(s, &v);
    if (n == 0 || n >= s.n || unit_of(s.p[n]) == 0)
        return 0;
    v *= unit_of(s.p[n]);
    if (!(v < 9e18))
        return 0;
    *bytes = (int64_t)llround(v);
    return n + 1;
}

/* "(16672384K)" */
static size_t paren_size(dx_slice s, int64_t *bytes) {
    if (s.n < 3 || s.p[0] != '(')
        return 0;
    size_t n = size_read(dx_slice_sub(s, 1, s.n), bytes);
    return n > 0 && n + 1 < s.n && s.p[n + 1] == ')' ? n + 2 : 0;
}

size_t gclog_heap_read(dx_slice s, gclog_heap *heap) {
    int64_t first, total = DX_UNKNOWN;
    size_t n = size_read(s, &first);
    if (n == 0)
        return 0;
    n += paren_size(dx_slice_sub(s, n, s.n), &total);
    if (!dx_slice_starts(dx_slice_sub(s, n, s.n), "->")) {
        *heap = (gclog_heap){.before = DX_UNKNOWN, .after = first, .total = total};
        return total == DX_UNKNOWN ? 0 : n;
    }
    n += 2;
    heap->before = first;
    size_t more = size_read(dx_slice_sub(s, n, s.n), &heap->after);
    if (more == 0)
        return 0;
    n += more;
    heap->total = DX_UNKNOWN;
    return n + paren_size(dx_slice_sub(s, n, s.n), &heap->total);
}

size_t gclog_parens(dx_slice s, dx_slice *inside) {
    const size_t longest = 100; /* bounds the work on a line of nothing but '(' */
    size_t depth = 0;
    s = dx_slice_sub(s, 0, longest);
    for (size_t i = 0; i < s.n; i++) {
        depth += s.p[i] == '(';
        if (s.p[i] != ')')
            continue;
        if (depth == 0)
            return 0;
        if (--depth == 0) {
            *inside = dx_slice_sub(s, 1, i);
            return i + 1;
        }
    }
    return 0;
}

/* --- stamps */

static size_t wall_read(dx_slice s, gclog_stamp *stamp) {
    dx_civil c;
    int64_t zone;
    size_t n = dx_civil_read(s, &c);
    size_t z = n == 0 ? 0 : dx_offset_read(dx_slice_sub(s, n, s.n), &zone);
    if (z == 0)
        return 0;
    stamp->wall_ms = dx_time_from_civil(&c, zone);
    stamp->has_zone = true;
    stamp->zone_ms = zone;
    return n + z;
}

/* ":" and the blanks behind it */
static size_t colon(dx_slice s, size_t at) {
    if (at >= s.n || s.p[at] != ':')
        return 0;
    for (at++; at < s.n && s.p[at] == ' ';)
        at++;
    return at;
}

size_t gclog_stamp_read(dx_slice s, gclog_stamp *stamp) {
    size_t blanks = 0;
    double up;
    *stamp = GCLOG_NO_STAMP;
    while (blanks < s.n && s.p[blanks] == ' ')
        blanks++;
    dx_slice text = dx_slice_sub(s, blanks, s.n);
    size_t n = text.n > 4 && is_digit(text.p[0]) ? wall_read(text, stamp) : 0;
    n = n == 0 ? 0 : colon(text, n);
    if (n == 0)
        *stamp = GCLOG_NO_STAMP;
    dx_slice rest = dx_slice_sub(text, n, text.n);
    size_t digits = gclog_number(rest, &up);
    size_t more = digits == 0 ? 0 : colon(rest, digits);
    if (more > 0 && up < 1e12)
        stamp->up_ms = llround(up * 1000);
    return n + more == 0 ? 0 : blanks + n + more;
}

/* "0.068s", "61ms", "1796069897993ms", "1796069897993000000ns": of both clocks, which are told
 * apart by their size: no JVM runs for thirty years. */
static bool ticks(dx_slice s, gclog_stamp *stamp) {
    const double epoch = 1e12;
    double v;
    size_t n = gclog_number(s, &v);
    dx_slice unit = dx_slice_sub(s, n, s.n);
    if (n == 0)
        return false;
    if (dx_slice_is(unit, "s"))
        v *= 1000;
    else if (dx_slice_is(unit, "ns"))
        v /= 1e6;
    else if (!dx_slice_is(unit, "ms"))
        return false;
    if (v >= 9e15)
        return false;
    if (v < epoch)
        stamp->up_ms = llround(v);
    else if (stamp->wall_ms == DX_TIME_NONE)
        stamp->wall_ms = llround(v);
    return true;
}

static bool is_gc_tag(dx_slice s) {
    return dx_slice_is(s, "gc") || dx_slice_starts(s, "gc,") || dx_slice_starts(s, "safepoint");
}

static bool is_level(dx_slice s) {
    static const char *const levels[] = {"info", "debug", "trace", "warning", "error"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (dx_slice_is(s, levels[i]))
            return true;
    return false;
}

/* One decorator; false: nothing that tells unified logging. */
static bool decorator(dx_slice s, gclog_stamp *stamp, bool *gc) {
    gclog_stamp seen = GCLOG_NO_STAMP;
    s = dx_slice_trim(s);
    if (s.n == 0)
        return false;
    if (is_digit(s.p[0]) && wall_read(s, &seen) == s.n) {
        bool local = stamp->wall_ms == DX_TIME_NONE || seen.zone_ms != 0;
        stamp->wall_ms = seen.wall_ms;
        stamp->zone_ms = local ? seen.zone_ms : stamp->zone_ms; /* utctime says nothing of it */
        stamp->has_zone = true;
        return true;
    }
    if (is_digit(s.p[0]) && ticks(s, stamp))
        return true;
    if (is_gc_tag(s))
        *gc = true;
    return *gc || is_level(s);
}

size_t gclog_prefix(dx_slice s, gclog_stamp *stamp, bool *gc) {
    size_t n = 0;
    bool known = false;
    *stamp = GCLOG_NO_STAMP;
    *gc = false;
    while (n < s.n && s.p[n] == '[') {
        ptrdiff_t end = dx_slice_find_char(dx_slice_sub(s, n, n + 300), ']', 0);
        if (end < 0)
            break;
        known |= decorator(dx_slice_sub(s, n + 1, n + (size_t)end), stamp, gc);
        n += (size_t)end + 1;
    }
    if (n < s.n && s.p[n] == ' ')
        n++;
    return known ? n : 0;
}

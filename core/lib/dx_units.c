/* dx_units.c - see dx_units.h. A number is first taken apart into its digits and the signs between
 * them; what a sign means is decided after, from all of them. */
#include "dx_units.h"

#include <math.h>
#include <string.h>

typedef struct digits {
    char text[40];
    size_t n, used;
    struct {
        char kind; /* '.', ',' or ' ' (a no-break space) */
        size_t at; /* digits before it */
    } sign[8];
    size_t nsigns;
} digits;

static bool is_digit(dx_slice s, size_t i) {
    return i < s.n && dx_is_digit(s.p[i]);
}

/* Bytes of a no-break space (U+00A0, U+202F) at i, or 0. */
static size_t space_at(dx_slice s, size_t i) {
    if (i + 2 <= s.n && memcmp(s.p + i, "\xC2\xA0", 2) == 0)
        return 2;
    return i + 3 <= s.n && memcmp(s.p + i, "\xE2\x80\xAF", 3) == 0 ? 3 : 0;
}

/* The digits at the head of s. A sign belongs to them only when a digit follows it. */
static bool take_digits(dx_slice s, digits *d) {
    *d = (digits){.n = 0};
    while (d->used < s.n) {
        if (is_digit(s, d->used)) {
            if (d->n + 1 >= sizeof d->text)
                return false;
            d->text[d->n++] = s.p[d->used++];
            continue;
        }
        char c = s.p[d->used];
        size_t len = c == '.' || c == ',' ? 1 : space_at(s, d->used);
        if (len == 0 || d->n == 0 || !is_digit(s, d->used + len))
            break;
        if (d->nsigns == sizeof d->sign / sizeof d->sign[0])
            return false;
        d->sign[d->nsigns].kind = c == '.' || c == ',' ? c : ' ';
        d->sign[d->nsigns++].at = d->n;
        d->used += len;
    }
    return d->n > 0;
}

/* The first nsigns signs part the digits up to `end` into groups of three, and are alike. */
static bool groups_of_three(const digits *d, size_t nsigns, size_t end) {
    if (nsigns > 0 && d->sign[0].at > 3)
        return false;
    for (size_t i = 0; i < nsigns; i++) {
        size_t next = i + 1 < nsigns ? d->sign[i + 1].at : end;
        if (next - d->sign[i].at != 3 || d->sign[i].kind != d->sign[0].kind)
            return false;
    }
    return true;
}

static bool whole(const digits *d, int64_t *out) {
    return groups_of_three(d, d->nsigns, d->n) && dx_slice_i64(dx_sn(d->text, d->n), out);
}

/* The last sign is a decimal one when it is no space and there is no other like it. */
static bool decimal(const digits *d, double *out) {
    size_t point = d->n, groups = d->nsigns;
    if (groups > 0) {
        char last = d->sign[groups - 1].kind;
        if (last != ' ' && (groups == 1 || d->sign[groups - 2].kind != last)) {
            groups--;
            point = d->sign[groups].at;
        }
    }
    if (!groups_of_three(d, groups, point))
        return false;
    char text[sizeof d->text + 1];
    memcpy(text, d->text, point);
    text[point] = '.';
    memcpy(text + point + 1, d->text + point, d->n - point);
    return dx_slice_f64(dx_sn(text, d->n + 1), out);
}

size_t dx_grouped_lead(dx_slice s, int64_t *out) {
    digits d;
    return take_digits(s, &d) && whole(&d, out) ? d.used : 0;
}

/* 1 for "" and "B", 1024 for "K", "KB", "k", ...; 0: not a unit. */
static double factor_of(dx_slice unit) {
    if (unit.n == 0 || dx_slice_is(unit, "B"))
        return 1;
    if (unit.n > 2 || (unit.n == 2 && unit.p[1] != 'B' && unit.p[1] != 'b'))
        return 0;
    switch (unit.p[0]) {
    case 'K':
    case 'k': return 0x1p10;
    case 'M':
    case 'm': return 0x1p20;
    case 'G':
    case 'g': return 0x1p30;
    case 'T':
    case 't': return 0x1p40;
    case 'P':
    case 'p': return 0x1p50;
    case 'E':
    case 'e': return 0x1p60;
    default: return 0;
    }
}

/* "134217728", "149.4 M", "883.5m": what nearly all servers write. False: ask the long way. */
static bool plain_size(dx_slice s, int64_t *bytes) {
    static const double powers[] = {1, 10, 100, 1000, 10000};
    uint64_t n = 0;
    size_t i = 0, places = 0;
    for (; i < s.n && i < 15 && dx_is_digit(s.p[i]); i++)
        n = n * 10 + (uint64_t)(s.p[i] - '0');
    if (i == 0 || i == 15)
        return false;
    if (i == s.n) {
        *bytes = (int64_t)n;
        return true;
    }
    if (s.p[i] == '.')
        for (i++; places < 4 && i + 1 < s.n && i < 15 && dx_is_digit(s.p[i]); i++, places++)
            n = n * 10 + (uint64_t)(s.p[i] - '0');
    i += i < s.n && s.p[i] == ' ';
    double factor = places == 3 ? 0 : factor_of(dx_slice_sub(s, i, s.n)); /* three may be a group */
    if (factor <= 1)
        return false;
    /* both are exact, so that this is the number that strtod reads */
    double v = (double)n / powers[places] * factor;
    if (v > 0x1p62)
        return false;
    *bytes = (int64_t)v;
    *bytes += v - (double)*bytes >= 0.5; /* as round, without a call */
    return true;
}

bool dx_size_read(dx_slice s, int64_t *bytes) {
    digits d;
    s = dx_slice_trim(s);
    if (plain_size(s, bytes))
        return true;
    if (!take_digits(s, &d))
        return false;
    size_t gap = space_at(s, d.used);
    double factor = factor_of(dx_slice_trim(dx_slice_sub(s, d.used + gap, s.n))), v;
    if (factor == 1)
        return whole(&d, bytes);
    if (factor == 0 || !decimal(&d, &v))
        return false;
    v = round(v * factor);
    if (v > 0x1p63)
        return false;
    *bytes = v == 0x1p63 ? INT64_MAX : (int64_t)v;
    return true;
}

bool dx_throughput_read(dx_slice s, int64_t *bytes_per_s) {
    ptrdiff_t slash = dx_slice_find_char(s, '/', 0);
    if (slash < 0)
        return false;
    dx_slice per = dx_slice_trim(dx_slice_sub(s, (size_t)slash + 1, s.n));
    return (dx_slice_is(per, "sec") || dx_slice_is(per, "second"))
           && dx_size_read(dx_slice_sub(s, 0, (size_t)slash), bytes_per_s);
}

/* The unit at the head of s in ms and its length; 0: there is none. */
static size_t time_unit(dx_slice s, uint64_t *ms) {
    static const struct {
        const char *word;
        uint64_t ms;
    } units[] = {{"days", 86400000}, {"day", 86400000}, {"hrs", 3600000},
                 {"hr", 3600000},    {"mins", 60000},   {"min", 60000},
                 {"secs", 1000},     {"sec", 1000},     {"ms", 1}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (dx_slice_starts(s, units[i].word)) {
            *ms = units[i].ms;
            return strlen(units[i].word);
        }
    return 0;
}

bool dx_duration_read(dx_slice s, int64_t *ms) {
    uint64_t total = 0;
    s = dx_slice_trim(s);
    do {
        uint64_t n, unit;
        size_t len = dx_slice_lead_u64(s, &n);
        s = dx_slice_trim(dx_slice_sub(s, len, s.n));
        size_t word = len == 0 ? 0 : time_unit(s, &unit);
        if (word == 0 || n > (uint64_t)INT64_MAX / unit)
            return false;
        total += n * unit; /* both below 2^63: no overflow */
        if (total > (uint64_t)INT64_MAX)
            return false;
        s = dx_slice_trim(dx_slice_sub(s, word, s.n));
        if (s.n > 0 && s.p[0] != ',')
            return false;
        s = dx_slice_trim(dx_slice_sub(s, 1, s.n));
    } while (s.n > 0);
    *ms = (int64_t)total;
    return true;
}

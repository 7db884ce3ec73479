/* dx_time.c - see dx_time.h. Days are counted with years that begin on 1 March, so that a leap day
 * is the last of its year. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "dx_time.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define DAY_MS 86400000

static bool leap(int year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_in(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && leap(year) ? 29 : days[month - 1];
}

bool dx_civil_ok(const dx_civil *c) {
    return c->year >= 1970 && c->year <= 9999 && c->month >= 1 && c->month <= 12 && c->day >= 1
           && c->day <= days_in(c->year, c->month) && c->hour >= 0 && c->hour <= 23
           && c->minute >= 0 && c->minute <= 59 && c->second >= 0 && c->second <= 60 && c->ms >= 0
           && c->ms <= 999;
}

static int64_t days_before(int year, int month, int day) {
    int64_t y = month <= 2 ? year - 1 : year, m = month <= 2 ? month + 9 : month - 3;
    return y * 365 + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 + day - 1 - 719468;
}

int64_t dx_time_from_civil(const dx_civil *c, int64_t offset_ms) {
    int64_t s = ((int64_t)c->hour * 60 + c->minute) * 60 + c->second;
    return days_before(c->year, c->month, c->day) * DAY_MS + s * 1000 + c->ms - offset_ms;
}

static int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

void dx_time_to_civil(int64_t ms, int64_t offset_ms, dx_civil *c) {
    int64_t local = ms + offset_ms, days = floor_div(local, DAY_MS), rest = local - days * DAY_MS;
    int64_t d = days + 719468, era = floor_div(d, 146097), doe = d - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), m = (5 * doy + 2) / 153;
    c->day = (int)(doy - (153 * m + 2) / 5 + 1);
    c->month = (int)(m < 10 ? m + 3 : m - 9);
    c->year = (int)(yoe + era * 400 + (c->month <= 2));
    c->hour = (int)(rest / 3600000);
    c->minute = (int)(rest / 60000 % 60);
    c->second = (int)(rest / 1000 % 60);
    c->ms = (int)(rest % 1000);
}

int dx_time_weekday(int64_t ms, int64_t offset_ms) {
    int64_t day = floor_div(ms + offset_ms, DAY_MS) + 4; /* 1970-01-01 was a Thursday */
    return (int)(day - floor_div(day, 7) * 7);
}

/* Exactly n digits at s[*at]; moves *at. */
static bool digits(dx_slice s, size_t *at, size_t n, int *out) {
    int v = 0;
    if (*at > s.n || s.n - *at < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        char c = s.p[*at + i];
        if (c < '0' || c > '9')
            return false;
        v = v * 10 + (c - '0');
    }
    *at += n;
    *out = v;
    return true;
}

static bool one_of(dx_slice s, size_t *at, const char *set) {
    if (*at >= s.n || s.p[*at] == '\0' || strchr(set, s.p[*at]) == NULL)
        return false;
    ++*at;
    return true;
}

/* ",567" or ".567123": milliseconds, further digits dropped. */
static void fraction(dx_slice s, size_t *at, int *ms) {
    size_t i = *at;
    int scale = 100, v = 0;
    if (!one_of(s, &i, ",.") || i >= s.n || s.p[i] < '0' || s.p[i] > '9')
        return;
    for (; i < s.n && i - *at <= 9 && s.p[i] >= '0' && s.p[i] <= '9'; i++, scale /= 10)
        v += (s.p[i] - '0') * scale;
    *ms = v;
    *at = i;
}

/* Two digits, or more than 99. */
static unsigned pair(const char *p) {
    unsigned tens = (unsigned char)p[0] - '0', ones = (unsigned char)p[1] - '0';
    return tens > 9 || ones > 9 ? 100 : tens * 10 + ones;
}

/* "2026-11-30 20:10:00,024", as nearly every log writes it; false: it is not that. */
static bool read_stock(const char *p, dx_civil *c) {
    if (p[4] != '-' || p[7] != '-' || (p[10] != ' ' && p[10] != 'T') || p[13] != ':' || p[16] != ':'
        || (p[19] != ',' && p[19] != '.'))
        return false;
    unsigned century = pair(p), year = pair(p + 2), last = (unsigned char)p[22] - '0';
    unsigned month = pair(p + 5), day = pair(p + 8), hour = pair(p + 11), minute = pair(p + 14);
    unsigned second = pair(p + 17), hundredths = pair(p + 20);
    *c = (dx_civil){
        (int)(century * 100 + year),  (int)month, (int)day, (int)hour, (int)minute, (int)second,
        (int)(hundredths * 10 + last)};
    return century < 100 && year < 100 && hundredths < 100 && last < 10 && dx_civil_ok(c);
}

size_t dx_civil_read(dx_slice s, dx_civil *c) {
    dx_civil r = {0};
    size_t at = 0;
    if (s.n >= 23 && (s.n == 23 || !dx_is_digit(s.p[23])) && read_stock(s.p, &r)) {
        *c = r;
        return 23;
    }
    if (!digits(s, &at, 4, &r.year) || !one_of(s, &at, "-/") || !digits(s, &at, 2, &r.month)
        || !one_of(s, &at, "-/") || !digits(s, &at, 2, &r.day) || !one_of(s, &at, " T")
        || !digits(s, &at, 2, &r.hour) || !one_of(s, &at, ":") || !digits(s, &at, 2, &r.minute))
        return 0;
    size_t before = at;
    if (one_of(s, &at, ":") && digits(s, &at, 2, &r.second))
        fraction(s, &at, &r.ms);
    else
        at = before;
    if (!dx_civil_ok(&r))
        return 0;
    *c = r;
    return at;
}

size_t dx_offset_read(dx_slice s, int64_t *offset_ms) {
    int hours, minutes = 0;
    size_t at = 1;
    if (s.n == 0)
        return 0;
    if (s.p[0] == 'Z')
        return *offset_ms = 0, 1;
    if ((s.p[0] != '+' && s.p[0] != '-') || !digits(s, &at, 2, &hours))
        return 0;
    size_t with = at;
    one_of(s, &with, ":");
    if (digits(s, &with, 2, &minutes))
        at = with;
    if (hours > 18 || minutes > 59)
        return 0;
    int64_t ms = ((int64_t)hours * 60 + minutes) * 60000;
    *offset_ms = s.p[0] == '-' ? -ms : ms;
    return at;
}

bool dx_time_read(dx_slice s, int64_t *ms) {
    dx_civil c;
    int64_t offset;
    size_t n = dx_civil_read(s, &c);
    if (n == 0)
        return false;
    dx_slice rest = dx_slice_sub(s, n, s.n);
    if (dx_offset_read(rest, &offset) != rest.n || rest.n == 0)
        return false;
    *ms = dx_time_from_civil(&c, offset);
    return true;
}

static int64_t ask_clock(clockid_t id) {
    struct timespec t = {0};
    clock_gettime(id, &t); /* cannot fail: both clocks are everywhere */
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t dx_time_now(void) {
    return ask_clock(CLOCK_REALTIME);
}

int64_t dx_time_monotonic(void) {
    return ask_clock(CLOCK_MONOTONIC);
}

void dx_time_write(char out[DX_TIME_LEN], int64_t ms, int64_t offset_ms) {
    const int64_t first = -62135596800000 + DAY_MS, last = 253402300799999 - DAY_MS;
    dx_civil c;
    dx_time_to_civil(ms < first ? first : ms > last ? last : ms, offset_ms, &c);
    int n = snprintf(out, DX_TIME_LEN, "%04d-%02d-%02dT%02d:%02d:%02d.%03d", c.year % 10000,
                     c.month % 100, c.day % 100, c.hour % 100, c.minute % 100, c.second % 100,
                     c.ms % 1000);
    if (n < 0 || n + 7 > DX_TIME_LEN)
        return;
    int64_t m = (offset_ms < 0 ? -offset_ms : offset_ms) / 60000;
    if (offset_ms == 0)
        memcpy(out + n, "Z", 2);
    else
        snprintf(out + n, DX_TIME_LEN - (size_t)n, "%c%02u:%02u", offset_ms < 0 ? '-' : '+',
                 (unsigned)(m / 60) % 100, (unsigned)(m % 60));
}

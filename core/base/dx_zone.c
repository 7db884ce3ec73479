/* dx_zone.c - offsets of a zone as a sorted list of instants (TZif), and a yearly rule for the time
 * after the last of them (RFC 8536; the rule is POSIX' TZ string). A fixed offset is a zone without
 * instants. */
#define _POSIX_C_SOURCE 200809L /* readlink, strndup */
#include "dx_zone.h"
#include "dx_mem.h"
#include "dx_str.h"
#include "dx_time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DAY_MS        INT64_C(86400000)
#define FILE_MAX      (1u << 20) /* the largest zoneinfo file has some 4 KB */
#define TRANSITIONS   20000
#define FOLD_DISORDER INT64_C(60000) /* lines of a log are out of order by seconds, not by more */

typedef enum rule_kind { RULE_MONTH_WEEK, RULE_JULIAN, RULE_DAY } rule_kind;

typedef struct rule_date {
    rule_kind kind;
    int month, week, day; /* of RULE_MONTH_WEEK; the others use only day */
    int64_t second;       /* of the day, local; may be negative or over a day */
} rule_date;

typedef struct rule {
    bool set, dst;
    int64_t std_ms, dst_ms;
    rule_date start, end;
} rule;

struct dx_zone {
    char *name;
    int64_t *at_ms;     /* instants, ascending */
    int64_t *offset_ms; /* offset from at_ms[i] on */
    size_t n;
    int64_t first_ms; /* offset before at_ms[0] */
    rule rule;        /* after at_ms[n - 1] */
};

/* ---- POSIX TZ strings: "CET-1CEST,M3.5.0,M10.5.0/3" */

static bool eat(dx_slice *s, char c) {
    if (s->n == 0 || s->p[0] != c)
        return false;
    *s = dx_slice_sub(*s, 1, s->n);
    return true;
}

static bool eat_number(dx_slice *s, int max, int *out) {
    uint64_t v;
    size_t n = dx_slice_lead_u64(*s, &v);
    if (n == 0 || v > (uint64_t)max)
        return false;
    *s = dx_slice_sub(*s, n, s->n);
    *out = (int)v;
    return true;
}

/* "CET" or "<+0330>", three characters at least. */
static bool eat_abbreviation(dx_slice *s) {
    size_t n = 0;
    if (eat(s, '<')) {
        ptrdiff_t end = dx_slice_find_char(*s, '>', 0);
        if (end < 1)
            return false;
        *s = dx_slice_sub(*s, (size_t)end + 1, s->n);
        return true;
    }
    while (n < s->n && dx_is_letter(s->p[n]))
        n++;
    *s = dx_slice_sub(*s, n, s->n);
    return n >= 3;
}

/* [+-]hh[:mm[:ss]] in seconds. */
static bool eat_clock(dx_slice *s, int max_hours, int64_t *seconds) {
    int h, m = 0, sec = 0;
    bool negative = eat(s, '-');
    if (!negative)
        eat(s, '+');
    if (!eat_number(s, max_hours, &h) || (eat(s, ':') && !eat_number(s, 59, &m))
        || (eat(s, ':') && !eat_number(s, 59, &sec)))
        return false;
    *seconds = ((int64_t)h * 60 + m) * 60 + sec;
    if (negative)
        *seconds = -*seconds;
    return true;
}

static bool eat_date(dx_slice *s, rule_date *d) {
    bool good;
    if (!eat(s, ','))
        return false;
    if (eat(s, 'M')) {
        d->kind = RULE_MONTH_WEEK;
        good = eat_number(s, 12, &d->month) && d->month >= 1 && eat(s, '.')
               && eat_number(s, 5, &d->week) && d->week >= 1 && eat(s, '.')
               && eat_number(s, 6, &d->day);
    } else {
        d->kind = eat(s, 'J') ? RULE_JULIAN : RULE_DAY;
        good = eat_number(s, 365, &d->day) && (d->kind == RULE_DAY || d->day >= 1);
    }
    d->second = 7200;
    return good && (!eat(s, '/') || eat_clock(s, 167, &d->second));
}

static bool rule_read(dx_slice s, rule *out) {
    rule r = {.set = true};
    int64_t std, dst;
    if (!eat_abbreviation(&s) || !eat_clock(&s, 24, &std))
        return false;
    r.std_ms = -std * 1000;
    r.dst = s.n > 0;
    if (r.dst) {
        dst = std - 3600;
        if (!eat_abbreviation(&s))
            return false;
        if (s.n > 0 && s.p[0] != ',' && !eat_clock(&s, 24, &dst))
            return false;
        r.dst_ms = -dst * 1000;
        if (!eat_date(&s, &r.start) || !eat_date(&s, &r.end))
            return false;
    }
    if (s.n > 0)
        return false;
    *out = r;
    return true;
}

static int64_t midnight(int year, int month, int day) {
    dx_civil c = {.year = year, .month = month, .day = day};
    return dx_time_from_civil(&c, 0);
}

/* Local milliseconds (as if UTC) at which d falls in a year. */
static int64_t date_in_year(const rule_date *d, int year) {
    int64_t day;
    if (d->kind == RULE_MONTH_WEEK) {
        int64_t first = midnight(year, d->month, 1);
        int64_t next = d->month == 12 ? midnight(year + 1, 1, 1) : midnight(year, d->month + 1, 1);
        int ahead = (d->day - dx_time_weekday(first, 0) + 7) % 7;
        day = first + (ahead + (d->week - 1) * 7) * DAY_MS;
        if (day >= next) /* the fifth means the last */
            day -= 7 * DAY_MS;
    } else {
        bool leap = midnight(year + 1, 1, 1) - midnight(year, 1, 1) == 366 * DAY_MS;
        int n = d->day;
        if (d->kind == RULE_JULIAN) /* counts without 29 February */
            n = d->day - 1 + (leap && d->day >= 60);
        day = midnight(year, 1, 1) + n * DAY_MS;
    }
    return day + d->second * 1000;
}

static int64_t rule_offset(const rule *r, int64_t utc_ms) {
    dx_civil c;
    if (!r->dst)
        return r->std_ms;
    dx_time_to_civil(utc_ms, r->std_ms, &c);
    int64_t start = date_in_year(&r->start, c.year) - r->std_ms;
    int64_t end = date_in_year(&r->end, c.year) - r->dst_ms;
    bool dst = start < end ? utc_ms >= start && utc_ms < end : utc_ms >= start || utc_ms < end;
    return dst ? r->dst_ms : r->std_ms;
}

/* ---- TZif */

typedef struct tzif {
    dx_slice data; /* behind the header */
    uint32_t isut, isstd, leap, times, types, chars;
    size_t time_size;
} tzif;

static uint64_t big_endian(const char *p, size_t n) {
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++)
        v = v << 8 | (unsigned char)p[i];
    return v;
}

static size_t tzif_size(const tzif *t) {
    return (size_t)t->times * (t->time_size + 1) + (size_t)t->types * 6 + t->chars
           + (size_t)t->leap * (t->time_size + 4) + t->isstd + t->isut;
}

static bool tzif_header(dx_slice file, size_t time_size, tzif *t) {
    uint32_t counts[6];
    if (file.n < 44 || !dx_slice_starts(file, "TZif"))
        return false;
    for (size_t i = 0; i < 6; i++) {
        counts[i] = (uint32_t)big_endian(file.p + 20 + i * 4, 4);
        if (counts[i] > TRANSITIONS)
            return false;
    }
    *t = (tzif){dx_slice_sub(file, 44, file.n),
                counts[0],
                counts[1],
                counts[2],
                counts[3],
                counts[4],
                counts[5],
                time_size};
    return t->types > 0 && t->types <= 256 && tzif_size(t) <= t->data.n;
}

static int64_t type_offset(const tzif *t, size_t type) {
    const char *types = t->data.p + (size_t)t->times * (t->time_size + 1);
    int32_t seconds = (int32_t)(uint32_t)big_endian(types + type * 6, 4);
    return (int64_t)seconds * 1000;
}

static int64_t tzif_instant(const tzif *t, size_t i) {
    uint64_t v = big_endian(t->data.p + i * t->time_size, t->time_size);
    int64_t s = t->time_size == 4 ? (int32_t)(uint32_t)v : (int64_t)v;
    const int64_t far = INT64_C(1) << 40; /* some files begin at the big bang */
    return (s < -far ? -far : s > far ? far : s) * 1000;
}

static bool tzif_take(const tzif *t, dx_zone *z) {
    z->at_ms = dx_calloc(t->times, sizeof *z->at_ms);
    z->offset_ms = dx_calloc(t->times, sizeof *z->offset_ms);
    if (z->at_ms == NULL || z->offset_ms == NULL)
        return false;
    for (size_t i = 0; i < t->times; i++) {
        size_t type = (unsigned char)t->data.p[t->times * t->time_size + i];
        z->at_ms[i] = tzif_instant(t, i);
        if (type >= t->types || (i > 0 && z->at_ms[i] < z->at_ms[i - 1]))
            return false;
        z->offset_ms[i] = type_offset(t, type);
    }
    z->n = t->times;
    z->first_ms = type_offset(t, 0);
    return true;
}

static bool zone_from_tzif(dx_slice file, dx_zone *z) {
    tzif t;
    if (!tzif_header(file, 4, &t))
        return false;
    if (file.p[4] < '2')
        return tzif_take(&t, z);
    /* version 2 repeats all of it with 64-bit times, and adds the rule between two line ends */
    dx_slice second = dx_slice_sub(t.data, tzif_size(&t), t.data.n);
    if (!tzif_header(second, 8, &t) || !tzif_take(&t, z))
        return false;
    dx_slice tail = dx_slice_sub(t.data, tzif_size(&t), t.data.n);
    rule_read(dx_slice_trim(tail), &z->rule);
    return true;
}

/* ---- opening by name */

static bool read_file(const char *path, dx_slice *out) {
    char *bytes = dx_calloc(FILE_MAX, 1);
    FILE *f = bytes == NULL ? NULL : fopen(path, "rb");
    if (f == NULL) {
        free(bytes);
        return false;
    }
    *out = dx_sn(bytes, fread(bytes, 1, FILE_MAX, f));
    fclose(f);
    return true;
}

static bool open_path(dx_zone *z, const char *path) {
    dx_slice file;
    if (!read_file(path, &file))
        return false;
    bool good = zone_from_tzif(file, z);
    free((char *)file.p);
    if (!good) {
        free(z->at_ms);
        free(z->offset_ms);
        *z = (dx_zone){.name = z->name};
    }
    return good;
}

/* A name and no way out of the folder of zones. */
static bool safe_name(const char *name) {
    size_t n = strlen(name);
    if (n == 0 || n > 100 || name[0] == '/' || name[0] == '.' || strstr(name, "..") != NULL)
        return false;
    for (const char *p = name; *p != '\0'; p++)
        if (!dx_is_letter(*p) && strchr("0123456789_+-/.", *p) == NULL)
            return false;
    return true;
}

static bool open_iana(dx_zone *z, const char *name) {
    const char *folders[] = {getenv("TZDIR"), "/usr/share/zoneinfo", "/usr/lib/zoneinfo",
                             "/usr/share/lib/zoneinfo"};
    char path[1024];
    if (!safe_name(name))
        return false;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        if (folders[i] == NULL)
            continue;
        int n = snprintf(path, sizeof path, "%s/%s", folders[i], name);
        if (n > 0 && (size_t)n < sizeof path && open_path(z, path))
            return true;
    }
    return false;
}

static bool rename_zone(dx_zone *z, const char *name) {
    char *copy = strdup(name);
    if (copy == NULL)
        return false;
    free(z->name);
    z->name = copy;
    return true;
}

/* The name in the link's target, ".../zoneinfo/Europe/Berlin", where it has one. */
static void name_from_link(dx_zone *z, const char *path) {
    char target[1024];
    ssize_t n = readlink(path, target, sizeof target - 1);
    if (n <= 0)
        return;
    target[n] = '\0';
    const char *name = strstr(target, "zoneinfo/");
    if (name != NULL)
        rename_zone(z, name + strlen("zoneinfo/"));
}

static bool open_local(dx_zone *z) {
    const char *tz = getenv("TZ");
    if (tz == NULL) {
        if (open_path(z, "/etc/localtime"))
            name_from_link(z, "/etc/localtime");
        return true; /* a machine without the file runs on UTC */
    }
    if (*tz == ':')
        tz++;
    if (!rename_zone(z, *tz == '\0' ? "UTC" : tz))
        return false;
    return *tz == '\0' || (*tz == '/' && open_path(z, tz)) || open_iana(z, tz)
           || rule_read(dx_s(tz), &z->rule);
}

static bool open_fixed(dx_zone *z, const char *name) {
    int64_t offset;
    if (dx_str_eq(name, "UTC") || dx_str_eq(name, "GMT"))
        return true;
    size_t n = dx_offset_read(dx_s(name), &offset);
    if (n == 0 || name[n] != '\0')
        return false;
    z->first_ms = offset;
    return true;
}

dx_status dx_zone_open(dx_zone **out, const char *name, dx_err *err) {
    if (name == NULL || *name == '\0')
        return dx_fail(err, DX_E_USAGE, "no zone is named");
    dx_zone *z = dx_calloc(1, sizeof *z);
    if (z == NULL || !rename_zone(z, name)) {
        dx_zone_free(z);
        return dx_fail(err, DX_E_NOMEM, "zone %s: no memory", name);
    }
    bool good =
        open_fixed(z, name) || (dx_str_eq(name, "local") ? open_local(z) : open_iana(z, name));
    if (!good) {
        dx_zone_free(z);
        return dx_fail(err, DX_E_NOTFOUND,
                       "%.100s: no such time zone in this machine's zoneinfo (package tzdata); "
                       "give a name such as Europe/Berlin, or an offset such as +02:00",
                       name);
    }
    *out = z;
    return DX_OK;
}

void dx_zone_free(dx_zone *z) {
    if (z == NULL)
        return;
    free(z->name);
    free(z->at_ms);
    free(z->offset_ms);
    free(z);
}

const char *dx_zone_name(const dx_zone *z) {
    return z->name;
}

/* ---- asking */

int64_t dx_zone_offset(const dx_zone *z, int64_t utc_ms) {
    size_t low = 0, high = z->n; /* the count of instants that are not after utc_ms */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (z->at_ms[middle] <= utc_ms)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == z->n && z->rule.set)
        return rule_offset(&z->rule, utc_ms);
    return low == 0 ? z->first_ms : z->offset_ms[low - 1];
}

bool dx_zone_change(const dx_zone *z, int64_t from_ms, int64_t to_ms, int64_t *at_ms) {
    const int64_t step = DAY_MS / 2, far = 20 * 366 * DAY_MS;
    to_ms = to_ms - from_ms > far ? from_ms + far : to_ms;
    for (int64_t t = from_ms; t < to_ms; t += step) {
        int64_t low = t, high = t + step < to_ms ? t + step : to_ms;
        if (dx_zone_offset(z, high) == dx_zone_offset(z, low))
            continue;
        while (high - low > 1) {
            int64_t middle = low + (high - low) / 2;
            bool before = dx_zone_offset(z, middle) == dx_zone_offset(z, low);
            *(before ? &low : &high) = middle;
        }
        *at_ms = high;
        return true;
    }
    return false;
}

int64_t dx_zone_utc(const dx_zone *z, int64_t local_ms, int64_t prev_utc_ms) {
    /* offsets are less than a day, so these two stand before and after any change near local_ms */
    int64_t before = dx_zone_offset(z, local_ms - DAY_MS);
    int64_t after = dx_zone_offset(z, local_ms + DAY_MS);
    int64_t early = local_ms - before, late = local_ms - after;
    bool early_is = dx_zone_offset(z, early) == before, late_is = dx_zone_offset(z, late) == after;
    if (!early_is)
        return late_is ? late : early; /* neither: the missing hour, counted from before it */
    if (!late_is || prev_utc_ms == DX_TIME_NONE)
        return early;
    return early >= prev_utc_ms - FOLD_DISORDER ? early : late;
}

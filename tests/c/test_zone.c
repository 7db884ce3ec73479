/* test_zone.c - offsets, the hour that comes twice, the hour that is missing, and hostile files. */
#define _XOPEN_SOURCE 700 /* setenv, mkdtemp, P_tmpdir */
#include "dx_time.h"
#include "dx_zone.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

#define HOUR INT64_C(3600000)

static int64_t at(const char *stamp) {
    int64_t ms = DX_TIME_NONE;
    dx_time_read(dx_s(stamp), &ms);
    return ms;
}

static dx_zone *zone(const char *name) {
    dx_zone *z = NULL;
    dx_err err = {0};
    if (dx_zone_open(&z, name, &err) != DX_OK)
        printf("# %s\n", err.msg);
    return z;
}

static void test_fixed(void) {
    static const struct {
        const char *name;
        int64_t offset;
    } rows[] = {{"UTC", 0},
                {"Z", 0},
                {"+02:00", 2 * HOUR},
                {"-0530", -5 * HOUR - HOUR / 2},
                {"+02", 2 * HOUR}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        dx_zone *z = zone(rows[i].name);
        if (ok(z != NULL, "%s opens", rows[i].name)) {
            is_int(dx_zone_offset(z, 1714528984567), rows[i].offset, "its offset");
            is_int(dx_zone_utc(z, 1714528984567, DX_TIME_NONE), 1714528984567 - rows[i].offset,
                   "its instant");
            is_str(dx_zone_name(z), rows[i].name, "its name");
        }
        dx_zone_free(z);
    }
}

static void test_refused(void) {
    static const char *names[] = {"Nowhere/Atall", "../../etc/passwd", "/etc/localtime",
                                  "+2x",           "Europe/../UTC",    "Europe"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        dx_zone *z = NULL;
        dx_err err = {0};
        is_int(dx_zone_open(&z, names[i], &err), DX_E_NOTFOUND, names[i]);
        ok(z == NULL && strstr(err.msg, names[i]) != NULL, "and the message names it");
    }
    dx_zone *z = NULL;
    is_int(dx_zone_open(&z, "", NULL), DX_E_USAGE, "an empty name");
}

static void check_berlin(dx_zone *z) {
    is_int(dx_zone_offset(z, at("2024-03-31T00:59:59Z")), HOUR, "winter until the last second");
    is_int(dx_zone_offset(z, at("2024-03-31T01:00:00Z")), 2 * HOUR, "then summer");
    is_int(dx_zone_offset(z, at("2024-10-27T01:00:00Z")), HOUR, "and winter again");
    is_int(dx_zone_offset(z, at("2061-07-01T12:00:00Z")), 2 * HOUR, "a summer after the table");
    is_int(dx_zone_offset(z, at("2061-12-24T12:00:00Z")), HOUR, "a winter after the table");
    is_int(dx_zone_utc(z, at("2024-07-01T12:00:00Z"), DX_TIME_NONE), at("2024-07-01T10:00:00Z"),
           "a stamp in summer");
    is_int(dx_zone_utc(z, at("2024-03-31T02:30:00Z"), DX_TIME_NONE), at("2024-03-31T01:30:00Z"),
           "a stamp in the missing hour moves forward");
    int64_t twice = at("2024-10-27T02:30:00Z"), first = at("2024-10-27T00:30:00Z");
    is_int(dx_zone_utc(z, twice, DX_TIME_NONE), first, "twice: the first");
    is_int(dx_zone_utc(z, twice, first - 60000), first, "twice, a minute after its predecessor");
    is_int(dx_zone_utc(z, twice, first + 13000), first, "twice, a few seconds out of order");
    is_int(dx_zone_utc(z, twice, first + 29 * 60000), first + HOUR, "twice, after 02:59");
    is_int(dx_zone_utc(z, at("2024-10-27T01:59:59Z"), DX_TIME_NONE), at("2024-10-26T23:59:59Z"),
           "just before the double hour");
    is_int(dx_zone_utc(z, at("2024-10-27T03:00:00Z"), DX_TIME_NONE), at("2024-10-27T02:00:00Z"),
           "just after it");
}

/* The same zone as the system has it, and as a rule alone. */
static void check_changes(const dx_zone *z) {
    int64_t change = 0;
    ok(dx_zone_change(z, at("2026-01-01T00:00:00Z"), at("2026-12-31T00:00:00Z"), &change),
       "a year has a change");
    is_int(change, at("2026-03-29T01:00:00Z"), "in spring");
    ok(dx_zone_change(z, change, at("2026-12-31T00:00:00Z"), &change), "and another");
    is_int(change, at("2026-10-25T01:00:00Z"), "in autumn");
    ok(!dx_zone_change(z, change, at("2026-12-31T00:00:00Z"), &change), "and no more");
}

static void test_berlin(void) {
    dx_zone *z = NULL;
    if (dx_zone_open(&z, "Europe/Berlin", NULL) == DX_OK) {
        check_berlin(z);
        check_changes(z);
    } else {
        ok(true, "Europe/Berlin # SKIP no zoneinfo on this machine");
    }
    dx_zone_free(z);
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    z = zone("local");
    if (ok(z != NULL, "a POSIX rule in TZ")) {
        check_berlin(z);
        check_changes(z);
    }
    dx_zone_free(z);
    unsetenv("TZ");
}

static int64_t rule_offset(const char *tz, const char *stamp) {
    setenv("TZ", tz, 1);
    dx_zone *z = zone("local");
    int64_t offset = z == NULL ? DX_TIME_NONE : dx_zone_offset(z, at(stamp));
    dx_zone_free(z);
    unsetenv("TZ");
    return offset;
}

static void test_rules(void) {
    is_int(rule_offset("", "2024-07-01T00:00:00Z"), 0, "an empty TZ is UTC");
    is_int(rule_offset("<+0545>-5:45", "2024-07-01T00:00:00Z"), 5 * HOUR + HOUR * 3 / 4, "Nepal");
    is_int(rule_offset("AEST-10AEDT,M10.1.0,M4.1.0/3", "2024-01-15T00:00:00Z"), 11 * HOUR,
           "the southern summer spans the new year");
    is_int(rule_offset("AEST-10AEDT,M10.1.0,M4.1.0/3", "2024-07-15T00:00:00Z"), 10 * HOUR,
           "and the southern winter");
    is_int(rule_offset("XXX3YYY,J60,J300", "2024-03-01T05:59:59Z"), -2 * HOUR,
           "J60 is 1 March in a leap year");
    is_int(rule_offset("XXX3YYY,J60,J300", "2024-03-01T04:59:59Z"), -3 * HOUR,
           "and not before 02:00");
    is_int(rule_offset("XXX3YYY,59/0,300", "2023-03-01T03:00:00Z"), -2 * HOUR, "day 59 of 2023");
    is_int(rule_offset("XXX3YYY,59/0,300", "2023-03-01T02:59:59Z"), -3 * HOUR,
           "starts at midnight");
    dx_zone *z = NULL;
    setenv("TZ", "CET-1CEST,M13.5.0,M10.5.0", 1);
    is_int(dx_zone_open(&z, "local", NULL), DX_E_NOTFOUND, "a month 13 is refused");
    unsetenv("TZ");
}

/* One transition at 1,000,000,000 s, from +1 h to +2 h, and no rule. */
static const char SMALL[] = "TZif\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                            "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\2\0\0\0\4"
                            "\x3B\x9A\xCA\0\1"
                            "\0\0\x0E\x10\0\0\0\0\x1C\x20\1\0"
                            "AAA";

static void test_files(void) {
    const char *tmp = getenv("TMPDIR");
    char folder[512], path[600];
    snprintf(folder, sizeof folder, "%s/zone-XXXXXX", tmp == NULL ? P_tmpdir : tmp);
    if (!ok(mkdtemp(folder) != NULL, "a folder for zones"))
        return;
    snprintf(path, sizeof path, "%s/Small", folder);
    setenv("TZDIR", folder, 1);
    bool crashed = false;
    for (size_t n = 0; n <= sizeof SMALL; n++) {
        FILE *f = fopen(path, "wb");
        fwrite(SMALL, 1, n, f);
        fclose(f);
        dx_zone *z = NULL;
        dx_status s = dx_zone_open(&z, "Small", NULL);
        crashed = crashed || (s == DX_OK) != (n == sizeof SMALL);
        if (s == DX_OK) {
            is_int(dx_zone_offset(z, 999999999999), HOUR, "before the only transition");
            is_int(dx_zone_offset(z, 1000000000000), 2 * HOUR, "from it on");
        }
        dx_zone_free(z);
    }
    ok(!crashed, "a zoneinfo file cut at any byte is refused");
    unsetenv("TZDIR");
    remove(path);
    rmdir(folder);
}

int main(void) {
    test_fixed();
    test_refused();
    test_berlin();
    test_rules();
    test_files();
    return done();
}

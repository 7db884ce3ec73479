/* fuzz_time.c - dates and offsets, and zones: an input that begins with "TZif" is a zone's file,
 * one that begins with "TZ" a rule, another is a date or the name of a zone. */
#define _GNU_SOURCE /* setenv, mkdtemp, P_tmpdir */
#include "dx_time.h"
#include "dx_zone.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const size_t fuzz_stretch = 0;

static void ask(const char *name) {
    static const int64_t at[] = {0,
                                 INT64_C(1700000000000),
                                 INT64_C(1711846800000),
                                 INT64_C(1729994400000),
                                 INT64_C(253402300799999),
                                 INT64_C(-5000000000000)};
    dx_zone *z;
    dx_err err;
    if (dx_zone_open(&z, name, &err) != DX_OK)
        return;
    fuzz_touch_string(dx_zone_name(z));
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        dx_zone_offset(z, at[i]);
        dx_zone_utc(z, at[i], DX_TIME_NONE);
        dx_zone_utc(z, at[i], at[i] - 3600000);
    }
    dx_zone_free(z);
}

/* The folder of zones has one, and it is the input's. */
static void file(dx_slice in) {
    static char folder[256], path[300];
    if (folder[0] == '\0') {
        const char *tmp = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/hbdx-zone-XXXXXX", tmp == NULL ? P_tmpdir : tmp);
        fuzz_check(mkdtemp(folder) != NULL);
        snprintf(path, sizeof path, "%s/Zone", folder);
        setenv("TZDIR", folder, 1);
    }
    FILE *f = fopen(path, "wb");
    fuzz_check(f != NULL);
    fwrite(in.p, 1, in.n, f);
    fclose(f);
    ask("Zone");
    unlink(path);
}

static void stamp(dx_slice in) {
    dx_civil c;
    int64_t ms, again;
    char text[DX_TIME_LEN];
    size_t n = dx_civil_read(in, &c);
    fuzz_check(n <= in.n && (n == 0 || dx_civil_ok(&c)));
    n = dx_offset_read(in, &ms);
    fuzz_check(n <= in.n && (n == 0 || (ms > -86400000 && ms < 86400000)));
    if (!dx_time_read(in, &ms))
        return;
    dx_time_write(text, ms, 0);
    if (ms > 86400000 && ms < INT64_C(253402214400000))
        fuzz_check(dx_time_read(dx_s(text), &again) && again == ms);
}

void fuzz_one(dx_slice in) {
    char text[256];
    stamp(in);
    if (dx_slice_starts(in, "TZif"))
        file(in);
    size_t n = in.n < sizeof text - 1 ? in.n : sizeof text - 1;
    if (n > 0)
        memcpy(text, in.p, n);
    text[n] = '\0';
    if (dx_slice_starts(in, "TZ") && n < 200 && strchr(text, '/') == NULL) {
        setenv("TZ", text + 2, 1);
        ask("local");
        unsetenv("TZ");
    } else {
        ask(text);
    }
}

/* dx_scanlog: scan metrics as applications log them, and lines that only look like them. */
#include "dx_scanlog.h"
#include "tap.h"

#include <stdlib.h>
#include <time.h>

static void num(char *out, size_t cap, const char *name, int64_t v) {
    size_t n = strlen(out);
    if (v != DX_UNKNOWN)
        snprintf(out + n, cap - n, "%s%s=%" PRId64, n == 0 ? "" : " ", name, v);
}

/* What was found, in one line; "" when nothing was. */
static void text_of(const dx_scan *s, char *out, size_t cap) {
    out[0] = '\0';
    num(out, cap, "ret", s->returned);
    num(out, cap, "scan", s->scanned);
    num(out, cap, "filt", s->filtered);
    num(out, cap, "reg", s->regions);
    num(out, cap, "rpc", s->rpcs);
    num(out, cap, "retry", s->retries);
    num(out, cap, "bytes", s->bytes);
    num(out, cap, "remote", s->remote_bytes);
    num(out, cap, "nexts", s->between_nexts_ms);
    num(out, cap, "ms", s->took_ms);
    size_t n = strlen(out);
    snprintf(out + n, cap - n, " <%.*s> [%s]", (int)s->table.n, s->table.n == 0 ? "" : s->table.p,
             s->label);
}

static const char *const rows[][2] = {
    /* an application's own words, in any order */
    {"meter:reads probe17 last-day returned=24 scanned=9000 filtered=8976 amp=375.0 regions=2 "
     "rpcs=5 ms=81",
     "ret=24 scan=9000 filt=8976 reg=2 rpc=5 ms=81 <meter:reads> [probe# last-day]"},
    {"rows returned=3200 scanned=41000000 filtered=40996800 regions=180 rpcs=410 bytes=812345 "
     "msBetweenNexts=91000",
     "ret=3200 scan=41000000 filt=40996800 reg=180 rpc=410 bytes=812345 nexts=91000 <> []"},
    {"scan done, ms=12 filtered=1,scanned=3;returned=2 table=acme:bills",
     "ret=2 scan=3 filt=1 ms=12 <acme:bills> [scan done]"},
    {"table=\"bills\" query=open-items took=70ms scanned=10", "scan=10 ms=70 <bills> [open-items]"},
    {"table=bills startRow=anna op=by-day scanned=10", "scan=10 <bills> [by-day]"},
    {"Report for 2024-05-01 (a:b) user bob77@x 12:30 (scanned=5, returned=0)",
     "ret=0 scan=5 <a:b> [Report for # user bob# #]"},
    {"scanned=1,234,567 returned=60, retries=1", "ret=60 scan=1234567 retry=1 <> []"},
    {"scanned=1\xE2\x80\xAF"
     "234 took_ms=9",
     "scan=1234 ms=9 <> []"},
    {"scanned=5 scanned=7 remote_bytes=0", "scan=5 remote=0 <> []"},
    {"10.0.0.5:52344 scanned=5", "scan=5 <> [#]"},
    /* the client's own map */
    {"Metrics 3/9 Stats_V2 multi:{RPC_CALLS=8, ROWS_FILTERED=6, ROWS_SCANNED=10, "
     "BYTES_IN_RESULTS=400, BYTES_IN_REMOTE_RESULTS=100, REMOTE_RPC_CALLS=2, RPC_RETRIES=0, "
     "REGIONS_SCANNED=4, MILLIS_BETWEEN_NEXTS=31}",
     "scan=10 filt=6 reg=4 rpc=8 retry=0 bytes=400 remote=100 nexts=31 <> "
     "[Metrics # Stats_V# multi]"},
    {"{REGIONS_SCANNED=8, REMOTE_RPC_CALLS=8, RPC_CALLS=8}", "reg=8 rpc=8 <> []"},
    /* counters that nobody counted are not zero */
    {"x:{ROWS_SCANNED=0, BYTES_IN_RESULTS=4434, ROWS_FILTERED=0, RPC_CALLS=8, "
     "BYTES_IN_REMOTE_RESULTS=0, REMOTE_RPC_CALLS=8}",
     "rpc=8 bytes=4434 <> [x]"},
    {"returned=9 scanned=0 filtered=3", "ret=9 filt=3 <> []"},
    {"returned=0 scanned=0 filtered=0 bytes=0", "ret=0 scan=0 filt=0 bytes=0 <> []"},
    /* not ours */
    {"scanned 12 rows, returned=3", NULL},
    {"scanned=many returned=3", NULL},
    {"scanned=4.5 returned=3", NULL},
    {"scanned=5/9", NULL},
    {"scanned=12kB", NULL},
    {"scanned=-1", NULL},
    {"planned=5 banned=6", NULL},
    {"{RPC_CALLS=8}", NULL},
    {"RPC_CALLS=8 MY_RPC_CALLS=9", NULL},
    {"=scanned=", NULL},
    {"scanned=", NULL},
    {"", NULL},
};

static void test_rows(void) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        dx_scan s;
        char got[512] = "";
        bool is = dx_scanlog_read(dx_s(rows[i][0]), &s);
        if (is)
            text_of(&s, got, sizeof got);
        ok(is == (rows[i][1] != NULL), "%.70s", rows[i][0]);
        is_str(got, rows[i][1] == NULL ? "" : rows[i][1], "what it says");
    }
}

static void test_label(void) {
    char text[400];
    dx_scan s;
    memset(text, 'a', sizeof text);
    for (size_t i = 9; i < 300; i += 10)
        text[i] = ' ';
    memcpy(text + 300, "z scanned=5", sizeof "z scanned=5");
    ok(dx_scanlog_read(dx_s(text), &s), "a long head");
    ok(strlen(s.label) < sizeof s.label, "leaves a label that fits");
    is_int(strlen(s.label), 61, "of whole words only");
    ok(dx_scanlog_read(dx_sn("a\0b scanned=5", 13), &s) && strcmp(s.label, "a b") == 0,
       "a NUL parts words");
}

/* Pieces of all rows, and rows with one byte changed, in blocks of exactly their size. */
static void test_mangled(void) {
    static const char odd[] = {'\0', '=', ' ', ',', '9', '{', '\xFF', ':'};
    size_t seen = 0;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        size_t n = strlen(rows[r][0]);
        for (size_t i = 0; i < n * (1 + sizeof odd); i++) {
            size_t keep = i < n ? i : n, at = i % n;
            char *copy = malloc(keep + 1);
            memcpy(copy, rows[r][0], keep);
            if (i >= n)
                copy[at] = odd[i / n - 1];
            dx_scan s;
            seen += dx_scanlog_read(dx_sn(copy, keep), &s) && strlen(s.label) < sizeof s.label;
            free(copy);
        }
    }
    ok(seen > 1000, "mangled lines are read within their bounds");
}

/* A value that does not end, in which the next one begins, and so on. */
static void test_linear(void) {
    size_t n = 1u << 20;
    char *m = malloc(n);
    dx_scan s;
    memcpy(m, "scanned=5 ", 10);
    for (size_t i = 10; i < n; i++)
        m[i] = "+table=a"[i % 8];
    clock_t start = clock();
    ok(dx_scanlog_read(dx_sn(m, n), &s) && s.scanned == 5, "a megabyte of tables that are none");
    ok((double)(clock() - start) / CLOCKS_PER_SEC < 5, "costs no more than its length");
    free(m);
}

int main(void) {
    test_linear();
    test_rows();
    test_label();
    test_mangled();
    return done();
}

/* casefile_help.h - what the tests of the case file share: a case in memory, hand-made records, and
 * single values out of SQL. */
#ifndef CASEFILE_HELP_H
#define CASEFILE_HELP_H

#include "dx_casefile.h"
#include "tap.h"

#include <stdlib.h>

#define FAILED (-777)

__attribute__((unused)) static dx_casefile *fresh(void) {
    dx_casefile *c = NULL;
    dx_err err = {0};
    if (dx_casefile_open(&c, NULL, true, &err) != DX_OK) {
        printf("Bail out! %s\n", err.msg);
        exit(1);
    }
    return c;
}

/* The first column of the first row: FAILED when the query fails, -1 for NULL, -2 for no row. */
__attribute__((unused)) static int64_t number_in(dx_casefile *c, const char *sql) {
    dx_cursor *cur;
    dx_err err = {0};
    int64_t n = FAILED;
    if (dx_cursor_open(&cur, c, sql, NULL, 0, &err) != DX_OK) {
        printf("# %s: %s\n", sql, err.msg);
        return FAILED;
    }
    dx_status st = dx_cursor_next(cur, &err);
    if (st == DX_ROW) {
        dx_value v = dx_cursor_value(cur, 0);
        n = v.type == DX_V_NULL ? -1 : v.i;
    } else if (st == DX_DONE) {
        n = -2;
    }
    dx_cursor_close(cur);
    return n;
}

/* The same for a text, copied into a buffer of the caller; "" for NULL. */
__attribute__((unused)) static const char *text_in(dx_casefile *c, const char *sql, char out[256]) {
    dx_cursor *cur;
    dx_err err = {0};
    snprintf(out, 256, "(failed)");
    if (dx_cursor_open(&cur, c, sql, NULL, 0, &err) != DX_OK) {
        printf("# %s: %s\n", sql, err.msg);
        return out;
    }
    if (dx_cursor_next(cur, &err) == DX_ROW) {
        dx_value v = dx_cursor_value(cur, 0);
        snprintf(out, 256, "%.*s", (int)v.s.n, v.s.n == 0 ? "" : v.s.p);
    }
    dx_cursor_close(cur);
    return out;
}

#define is_number(c, sql, want, what) is_int(number_in((c), (sql)), (want), (what))
#define is_text(c, sql, want, what)                                                                \
    do {                                                                                           \
        char is_text_buffer[256];                                                                  \
        is_str(text_in((c), (sql), is_text_buffer), (want), (what));                               \
    } while (0)

/* A Scan of a client at start, 300 ms long. */
__attribute__((unused)) static dx_call scan_call(dx_call_form form, int64_t start, int64_t queue) {
    dx_call call = dx_call_blank(form);
    call.start_ms = start;
    call.proc_ms = 300;
    call.queue_ms = queue;
    call.response_bytes = 16;
    call.method = dx_s("Scan");
    call.client = dx_s("10.0.0.7:4711");
    call.client_address = dx_s("10.0.0.7");
    return call;
}

__attribute__((unused)) static dx_where at_line(uint64_t line, int64_t local_ms, uint64_t hash) {
    return (dx_where){
        .line = line, .offset = line * 100, .local_ms = local_ms, .record_hash = hash};
}

__attribute__((unused)) static int64_t new_source(dx_casefile *c, const char *name,
                                                  const char *kind) {
    int64_t id = 0;
    dx_err err;
    ok(dx_casefile_add_source(c, name, kind, &id, &err) == DX_OK && id > 0, "source %.60s", name);
    return id;
}

#endif

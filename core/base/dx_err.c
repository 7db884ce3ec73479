/* dx_err.c - see dx_err.h. */
#include "dx_err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void mark_cut(char *msg, size_t cap) {
    memcpy(msg + cap - 4, "...", 4);
}

static void set_message(dx_err *err, const char *fmt, va_list ap) {
    int n = vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    if (n < 0)
        err->msg[0] = '\0';
    else if ((size_t)n >= sizeof err->msg)
        mark_cut(err->msg, sizeof err->msg);
}

dx_status dx_fail(dx_err *err, dx_status code, const char *fmt, ...) {
    if (err != NULL) {
        va_list ap;
        va_start(ap, fmt);
        set_message(err, fmt, ap);
        va_end(ap);
        err->code = code;
    }
    return code;
}

void dx_err_prefix(dx_err *err, const char *fmt, ...) {
    if (err == NULL)
        return;
    char old[sizeof err->msg];
    memcpy(old, err->msg, sizeof old);
    va_list ap;
    va_start(ap, fmt);
    set_message(err, fmt, ap);
    va_end(ap);
    size_t used = strlen(err->msg);
    int n = snprintf(err->msg + used, sizeof err->msg - used, ": %s", old);
    if (n < 0 || (size_t)n >= sizeof err->msg - used)
        mark_cut(err->msg, sizeof err->msg);
}

const char *dx_status_name(dx_status code) {
    switch (code) {
    case DX_OK: return "ok";
    case DX_ROW: return "row";
    case DX_DONE: return "done";
    case DX_E_USAGE: return "usage";
    case DX_E_NOMEM: return "nomem";
    case DX_E_IO: return "io";
    case DX_E_PARSE: return "parse";
    case DX_E_LIMIT: return "limit";
    case DX_E_RANGE: return "range";
    case DX_E_NOTFOUND: return "notfound";
    case DX_E_NET: return "net";
    case DX_E_AUTH: return "auth";
    case DX_E_DB: return "db";
    case DX_E_BUG: return "bug";
    }
    return "unknown";
}

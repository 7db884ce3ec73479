/* dx_casefile_read.c - cursors over a SELECT of anyone's. */
#include "dx_casefile_int.h"
#include "dx_mem.h"

#include <stdlib.h>

struct dx_cursor {
    dx_stmt *stmt; /* NULL: the case was closed under it */
    dx_casefile *c;
    dx_cursor *next, **at; /* in the case's list */
    bool done;
};

dx_status dx_cursor_open(dx_cursor **out, dx_casefile *c, const char *sql, const dx_value *binds,
                         size_t n, dx_err *err) {
    dx_cursor *cur = dx_calloc(1, sizeof *cur);
    if (cur == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory for a query");
    dx_status st = dx_case_flush(c, err);
    if (st == DX_OK)
        st = dx_stmt_guarded(&cur->stmt, c, sql, err);
    if (st != DX_OK) {
        free(cur);
        return st;
    }
    for (size_t i = 0; i < n; i++)
        dx_stmt_value(cur->stmt, &binds[i]);
    cur->c = c;
    cur->next = c->cursors;
    cur->at = &c->cursors;
    if (cur->next != NULL)
        cur->next->at = &cur->next;
    c->cursors = cur;
    if ((st = dx_stmt_all_bound(cur->stmt, err)) == DX_OK)
        *out = cur;
    else
        dx_cursor_close(cur);
    return st;
}

void dx_cursor_orphan(dx_cursor *cur) {
    if (cur->stmt == NULL)
        return;
    *cur->at = cur->next;
    if (cur->next != NULL)
        cur->next->at = cur->at;
    dx_stmt_free(cur->stmt);
    cur->stmt = NULL;
}

void dx_cursor_close(dx_cursor *cur) {
    if (cur == NULL)
        return;
    dx_cursor_orphan(cur);
    free(cur);
}

dx_status dx_cursor_next(dx_cursor *cur, dx_err *err) {
    if (cur->stmt == NULL)
        return dx_fail(err, DX_E_USAGE, "the case was closed");
    if (cur->done)
        return DX_DONE;
    dx_status st = dx_stmt_step(cur->stmt, err);
    cur->done = st != DX_ROW;
    return st;
}

int dx_cursor_columns(const dx_cursor *cur) {
    return cur->stmt == NULL ? 0 : dx_stmt_columns(cur->stmt);
}

const char *dx_cursor_name(const dx_cursor *cur, int column) {
    return cur->stmt == NULL ? "" : dx_stmt_name(cur->stmt, column);
}

dx_value dx_cursor_value(const dx_cursor *cur, int column) {
    return cur->stmt == NULL ? (dx_value){.type = DX_V_NULL} : dx_stmt_column(cur->stmt, column);
}

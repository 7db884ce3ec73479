/* fuzz_sql.c - a stranger's SQL on a case: it reads, or is refused, and never runs for long. */
#include "dx_casefile_digest.h"
#include "fuzz_case.h"

#include <string.h>

const size_t fuzz_stretch = 0;

static bool stop(void *arg) {
    int *asked = arg;
    return ++*asked > 20;
}

static void group(dx_casefile *c, const char *where) {
    const char *by[] = {"table"};
    dx_grouping g = {
        .by = by, .n = 1, .from_ms = DX_TIME_NONE, .to_ms = DX_TIME_NONE, .where = where};
    dx_grouped total;
    dx_digest *d;
    dx_err err;
    if (dx_casefile_digest(&d, c, &g, &total, &err) == DX_OK)
        dx_digest_free(d);
}

void fuzz_one(dx_slice in) {
    static dx_casefile *c;
    int asked = 0;
    dx_err err;
    if (c == NULL) {
        fuzz_check(dx_casefile_open(&c, NULL, true, &err) == DX_OK);
        fuzz_fill(c);
    }
    char *sql = malloc(in.n + 1);
    fuzz_check(sql != NULL);
    if (in.n > 0)
        memcpy(sql, in.p, in.n);
    sql[in.n] = '\0';
    dx_casefile_on_progress(c, stop, &asked);
    fuzz_query(c, sql);
    asked = 0;
    group(c, sql);
    dx_casefile_on_progress(c, NULL, NULL);
    free(sql);
    fuzz_check(fuzz_query(c, "SELECT count(*) FROM call"));
}

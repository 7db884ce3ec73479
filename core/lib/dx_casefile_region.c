/* dx_casefile_region.c - which table a region is of, learnt from whatever names it whole. */
#include "dx_casefile_int.h"

#define MAX_REGIONS 1000000 /* remembered as known; more are asked for again */

bool dx_case_region_told(const dx_casefile *c, dx_slice encoded) {
    uint64_t named;
    return encoded.n == 0
           || (c->regions != NULL && dx_map_get(c->regions, encoded, &named) && named != 0);
}

dx_status dx_casefile_learn_region(dx_casefile *c, dx_slice encoded, dx_slice region,
                                   dx_slice table, dx_err *err) {
    static const char sql[] = "INSERT INTO region VALUES(?, ?, ?) ON CONFLICT(encoded) DO UPDATE "
                              "SET name = coalesce(name, excluded.name), "
                              "table_name = coalesce(table_name, excluded.table_name)";
    uint64_t named;
    dx_stmt *s;
    if (encoded.n == 0 || table.n == 0)
        return DX_OK;
    if (c->regions == NULL && (c->regions = dx_map_new()) == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory for the names of regions");
    if (dx_map_get(c->regions, encoded, &named) && (named != 0 || region.n == 0))
        return DX_OK;
    dx_status st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_text(s, encoded);
    dx_stmt_text(s, region);
    dx_stmt_text(s, table);
    if ((st = dx_stmt_run(s, err)) != DX_OK)
        return st;
    c->region_learnt = true;
    if (dx_map_count(c->regions) < MAX_REGIONS && !dx_map_put(c->regions, encoded, region.n > 0))
        return dx_fail(err, DX_E_NOMEM, "no memory for the names of regions");
    return DX_OK;
}

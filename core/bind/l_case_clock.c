/* l_case_clock.c - Lua face of the clocks of logs that are known only when all has been read. */
#include "dx_ingest.h"
#include "l_case.h"

#define CLOCK "hbdx.case.clock" /* a dx_coverage, for set_zone and join */

void l_case_set_clock(lua_State *L, const dx_coverage *cov) {
    *(dx_coverage *)lua_newuserdatauv(L, sizeof *cov, 0) = *cov;
    luaL_setmetatable(L, CLOCK);
    lua_setfield(L, -2, "clock");
}

void l_case_set_offsets(lua_State *L, const dx_ingest_clock *clock) {
    if (clock->n == 0)
        return;
    lua_createtable(L, (int)clock->n + 1, 0);
    for (size_t i = 0; i <= clock->n; i++) {
        lua_createtable(L, 0, 2);
        l_set_integer(L, "offset_ms",
                      i < clock->n ? clock->changes[i].before_ms : clock->end_offset_ms);
        if (i < clock->n)
            l_set_integer(L, "until_ms", clock->changes[i].at_ms);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "offsets");
}

/* [-0, +1, m] */
static void push_clock(lua_State *L, const dx_ingest_clock *clock) {
    lua_createtable(L, 0, 4);
    l_set_integer(L, "offset_ms", clock->end_offset_ms);
    l_set_integer(L, "doubtful", (lua_Integer)clock->doubtful);
    l_set_integer(L, "missing", (lua_Integer)clock->missing);
    l_case_set_offsets(L, clock);
}

static dx_status set_zone(dx_casefile *c, int64_t source, const char *zone, const dx_coverage *cov,
                          const char *origin, dx_ingest_clock *clock, dx_err *err) {
    dx_zone *z = NULL;
    dx_status st = dx_zone_open(&z, zone, err);
    if (st == DX_OK)
        st = dx_ingest_set_zone(c, source, z, origin, cov, clock, err);
    dx_zone_free(z);
    return st;
}

/* case:set_zone(source, zone, clock, origin) -> {offset_ms=, doubtful=, missing=, offsets=}
 *   | nil, message, code
 * clock: of the report of a log that does not tell its offset */
static int l_set_zone(lua_State *L) {
    dx_casefile *c = l_checkopen(L, 1, L_CASE);
    lua_Integer source = luaL_checkinteger(L, 2);
    const char *zone = luaL_checkstring(L, 3), *origin = luaL_checkstring(L, 5);
    const dx_coverage *cov = luaL_checkudata(L, 4, CLOCK);
    dx_ingest_clock clock;
    dx_err err;
    if (set_zone(c, source, zone, cov, origin, &clock, &err) != DX_OK)
        return l_case_fail(L, &err);
    push_clock(L, &clock);
    return 1;
}

#define JOIN_MAX 4096 /* pieces of one log */

/* The pieces at 2, to be collected. [-0, +1, v] */
static dx_ingest_piece *pieces_at(lua_State *L, size_t *n) {
    luaL_checktype(L, 2, LUA_TTABLE);
    *n = (size_t)lua_rawlen(L, 2);
    luaL_argcheck(L, *n >= 1 && *n <= JOIN_MAX, 2, "too many pieces, or none");
    dx_ingest_piece *p = lua_newuserdatauv(L, *n * sizeof *p, 0);
    for (size_t i = 0; i < *n; i++) {
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        luaL_checktype(L, -1, LUA_TTABLE);
        lua_getfield(L, -1, "clock");
        p[i] = (dx_ingest_piece){.source = l_opt_integer(L, -2, "source", 0),
                                 .cov = luaL_checkudata(L, -1, CLOCK), /* kept by the table */
                                 .origin = l_opt_string(L, -2, "origin", "slow calls")};
        lua_pop(L, 2);
    }
    return p;
}

/* case:join({{source=, clock=, origin=}, ...}) -> {{offset_ms=, doubtful=, offsets=}, ...} | false
 *   | nil, message, code
 * the pieces of a rotated log, oldest first, with the clocks of their reports: where these were
 * changed all are placed anew; false: they were not */
static int l_join(lua_State *L) {
    dx_casefile *c = l_checkopen(L, 1, L_CASE);
    size_t n;
    bool changed;
    dx_err err;
    dx_ingest_piece *p = pieces_at(L, &n);
    if (dx_ingest_join(c, p, n, &changed, &err) != DX_OK)
        return l_case_fail(L, &err);
    if (!changed) {
        lua_pushboolean(L, false);
        return 1;
    }
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        push_clock(L, &p[i].clock);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static const luaL_Reg clocks[] = {
    {"join", l_join},
    {"set_zone", l_set_zone},
    {NULL, NULL},
};

void l_case_clocks(lua_State *L) {
    luaL_newmetatable(L, CLOCK);
    luaL_getmetatable(L, L_CASE);
    lua_getfield(L, -1, "__index");
    luaL_setfuncs(L, clocks, 0);
    lua_pop(L, 3);
}

/* l_delta.c - Lua face of counters' growth; registers "hbdx.core.delta". */
#include "dx_delta.h"
#include "l_util.h"

/* Length of the array at idx. [-0, +0, v] */
static size_t length(lua_State *L, int idx) {
    luaL_checktype(L, idx, LUA_TTABLE);
    return (size_t)lua_rawlen(L, idx);
}

/* t[i], an instant in whole milliseconds. [-0, +0, v] */
static int64_t instant(lua_State *L, int idx, const char *what, size_t i) {
    int whole;
    lua_rawgeti(L, idx, (lua_Integer)i);
    lua_Integer v = lua_tointegerx(L, -1, &whole);
    if (!whole || lua_type(L, -1) != LUA_TNUMBER)
        luaL_error(L, "%s[%d]: an integer is expected", what, (int)i);
    lua_pop(L, 1);
    return v;
}

/* The points as an array that Lua owns. [-0, +1, v] */
static const dx_point *points(lua_State *L, size_t n) {
    dx_point *p = lua_newuserdatauv(L, (n + 1) * sizeof *p, 0);
    for (size_t i = 0; i < n; i++) {
        p[i].t_ms = instant(L, 1, "t", i + 1);
        if (lua_rawgeti(L, 2, (lua_Integer)i + 1) != LUA_TNUMBER)
            luaL_error(L, "v[%d]: a number is expected", (int)i + 1);
        p[i].v = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    return p;
}

/* opts.starts as an array that Lua owns. [-0, +1, v] */
static const int64_t *starts(lua_State *L, size_t *n) {
    *n = 0;
    if (!lua_istable(L, 3) || lua_getfield(L, 3, "starts") == LUA_TNIL) {
        lua_settop(L, 4);
        return NULL;
    }
    int list = lua_gettop(L);
    *n = length(L, list);
    int64_t *out = lua_newuserdatauv(L, (*n + 1) * sizeof *out, 0);
    for (size_t i = 0; i < *n; i++)
        out[i] = instant(L, list, "starts", i + 1);
    lua_replace(L, list);
    return out;
}

/* Sets element i of the four arrays on top. [-0, +0, m] */
static void set_delta(lua_State *L, lua_Integer i, const dx_delta *d) {
    lua_pushinteger(L, d->from_ms);
    lua_rawseti(L, -5, i);
    lua_pushinteger(L, d->to_ms);
    lua_rawseti(L, -4, i);
    if (d->quality == DX_Q_OK || d->quality == DX_Q_GAP) {
        lua_pushnumber(L, d->delta);
        lua_rawseti(L, -3, i);
    }
    lua_pushstring(L, dx_quality_name(d->quality));
    lua_rawseti(L, -2, i);
}

/* run(t, v, {starts=, region_sum=, min_step_ms=, gap_factor=}?) -> from, to, delta, quality
 * t: ascending instants; v: the counter's values. Four arrays of #t - 1: delta[i] is what it grew
 * by in from[i]..to[i], nil where quality[i] is neither "ok" nor "gap". */
static int l_run(lua_State *L) {
    size_t n = length(L, 1), nstarts;
    luaL_argcheck(L, length(L, 2) == n, 2, "there must be one value for each instant");
    lua_settop(L, 3);
    dx_delta_opts opts = {.region_sum = l_opt_boolean(L, 3, "region_sum", false),
                          .min_step_ms = l_opt_integer(L, 3, "min_step_ms", 0),
                          .gap_factor = l_opt_number(L, 3, "gap_factor", 0)};
    opts.starts = starts(L, &nstarts);
    opts.nstarts = nstarts;
    const dx_point *p = points(L, n);
    dx_delta *out = lua_newuserdatauv(L, (n + 1) * sizeof *out, 0);
    dx_err err;
    if (dx_delta_run(p, n, &opts, out, &err) != DX_OK)
        return luaL_error(L, "%s", err.msg); /* times that descend, or no memory */
    for (int i = 0; i < 4; i++)
        lua_createtable(L, n < 2 ? 0 : (int)(n - 1), 0);
    for (size_t i = 0; i + 1 < n; i++)
        set_delta(L, (lua_Integer)i + 1, &out[i]);
    return 4;
}

static const luaL_Reg module[] = {
    {"run", l_run},
    {NULL, NULL},
};

int luaopen_hbdx_core_delta(lua_State *L) {
    luaL_newlib(L, module);
    return 1;
}

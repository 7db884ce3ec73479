/* l_case_read.c - reading a case in Lua: rows of any SELECT, points of a series, calls by group.
 * SQL is anyone's and can only read. Whole numbers come as integers, NULL is absent. */
#include "dx_casefile_digest.h"
#include "l_calls.h"
#include "l_case.h"
#include "l_guard.h"

#define CURSOR     "hbdx.case.cursor" /* box of dx_cursor; keeps its case */
#define DIGEST     "hbdx.case.digest" /* box of dx_digest */
#define PARAMS_MAX 10000

L_CLOSER(l_cursor_close, CURSOR, dx_cursor_close)
L_CLOSER(l_digest_close, DIGEST, dx_digest_free)

int l_case_fail(lua_State *L, const dx_err *err) {
    l_guard_check(L);
    return l_fail(L, err);
}

static void push_value(lua_State *L, const dx_value *v) {
    switch (v->type) {
    case DX_V_NULL: lua_pushnil(L); break;
    case DX_V_INT: lua_pushinteger(L, v->i); break;
    case DX_V_REAL: lua_pushnumber(L, v->d); break;
    case DX_V_TEXT:
    case DX_V_BLOB: l_pushslice(L, v->s); break;
    }
}

/* The value on top as a parameter; its text is borrowed from the table at 3. [-1, +0, v] */
static dx_value param(lua_State *L, size_t i) {
    dx_value v = {.type = DX_V_INT};
    if (lua_isinteger(L, -1)) {
        v.i = lua_tointeger(L, -1);
    } else if (lua_isboolean(L, -1)) {
        v.i = lua_toboolean(L, -1);
    } else if (lua_type(L, -1) == LUA_TNUMBER) {
        v.type = DX_V_REAL;
        v.d = lua_tonumber(L, -1);
    } else if (lua_type(L, -1) == LUA_TSTRING) {
        v.type = DX_V_TEXT;
        v.s.p = lua_tolstring(L, -1, &v.s.n);
    } else {
        luaL_argerror(
            L, 3,
            lua_pushfstring(L, "parameter %d: %s cannot be one", (int)i, luaL_typename(L, -1)));
    }
    lua_pop(L, 1);
    return v;
}

/* The parameters at 3 as an array that Lua owns. [-0, +1, v] */
static const dx_value *params(lua_State *L, size_t *n) {
    *n = 0;
    if (!lua_isnoneornil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        *n = (size_t)lua_rawlen(L, 3);
        luaL_argcheck(L, *n <= PARAMS_MAX, 3, "too many parameters");
    }
    dx_value *out = lua_newuserdatauv(L, (*n + 1) * sizeof *out, 0);
    for (size_t i = 0; i < *n; i++) {
        lua_rawgeti(L, 3, (lua_Integer)i + 1);
        out[i] = param(L, i + 1);
    }
    return out;
}

/* A cursor over the SQL at 2 and the parameters at 3, or NULL with err set. [-0, +1, v] */
static dx_cursor *open_cursor(lua_State *L, dx_err *err) {
    dx_casefile *c = l_checkopen(L, 1, L_CASE);
    const char *sql = luaL_checkstring(L, 2);
    size_t n;
    lua_settop(L, 3);
    const dx_value *binds = params(L, &n);
    l_box *box = l_newbox(L, CURSOR);
    dx_cursor *cur;
    l_keepalive(L, -1, 1);
    if (dx_cursor_open(&cur, c, sql, binds, n, err) != DX_OK)
        return NULL;
    box->ptr = cur;
    return cur;
}

/* The next row; false at the end. Raises when the query fails. [-0, +0, v] */
static bool next(lua_State *L, dx_cursor *cur) {
    dx_err err;
    dx_status st = dx_cursor_next(cur, &err);
    if (st == DX_ROW)
        return true;
    if (st != DX_DONE) {
        l_guard_check(L);
        luaL_error(L, "%s", err.msg);
    }
    return false;
}

/* {column = value} [-0, +1, m] */
static void push_record(lua_State *L, const dx_cursor *cur) {
    int n = dx_cursor_columns(cur);
    lua_createtable(L, 0, n);
    for (int i = 0; i < n; i++) {
        dx_value v = dx_cursor_value(cur, i);
        if (v.type == DX_V_NULL)
            continue;
        push_value(L, &v);
        lua_setfield(L, -2, dx_cursor_name(cur, i));
    }
}

/* {value, ...}; NULL leaves a hole [-0, +1, m] */
static void push_array(lua_State *L, const dx_cursor *cur) {
    int n = dx_cursor_columns(cur);
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        dx_value v = dx_cursor_value(cur, i);
        push_value(L, &v);
        lua_rawseti(L, -2, i + 1);
    }
}

/* case:rows(sql, params?) -> {{column = value}, ...} | nil, message, code */
static int l_rows(lua_State *L) {
    dx_err err;
    dx_cursor *cur = open_cursor(L, &err);
    if (cur == NULL)
        return l_case_fail(L, &err);
    lua_toclose(L, -1);
    lua_newtable(L);
    for (lua_Integer i = 1; next(L, cur); i++) {
        push_record(L, cur);
        lua_rawseti(L, -2, i);
    }
    return 1;
}

/* One step of an iterator whose cursor is upvalue 1; at the end the cursor is closed. */
static int step(lua_State *L, void (*push)(lua_State *, const dx_cursor *)) {
    dx_cursor *cur = ((l_box *)lua_touserdata(L, lua_upvalueindex(1)))->ptr;
    if (cur == NULL)
        return luaL_error(L, "these rows have ended");
    if (next(L, cur)) {
        push(L, cur);
        return 1;
    }
    lua_pushcfunction(L, l_cursor_close);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_call(L, 1, 0);
    return 0;
}

static int l_next_record(lua_State *L) {
    return step(L, push_record);
}

static int l_next_array(lua_State *L) {
    return step(L, push_array);
}

/* Pushes what a generic for takes over the cursor on top: the iterator, and the cursor as the
 * value to be closed. [-0, +4, m] */
static void push_iterator(lua_State *L, lua_CFunction step_fn) {
    int cursor = lua_gettop(L);
    lua_pushvalue(L, cursor);
    lua_pushcclosure(L, step_fn, 1);
    lua_pushnil(L);
    lua_pushnil(L);
    lua_pushvalue(L, cursor);
}

/* for row in case:each(sql, params?) do ... end   row: {column = value}
 *   | nil, message, code */
static int l_each(lua_State *L) {
    dx_err err;
    if (open_cursor(L, &err) == NULL)
        return l_case_fail(L, &err);
    push_iterator(L, l_next_record);
    return 4;
}

/* case:select(sql, params?) -> columns, iterator, nil, nil, cursor | nil, message, code
 * local columns, each = case:select(...); for row in each do row[1] ... end */
static int l_select(lua_State *L) {
    dx_err err;
    dx_cursor *cur = open_cursor(L, &err);
    if (cur == NULL)
        return l_case_fail(L, &err);
    int n = dx_cursor_columns(cur);
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushstring(L, dx_cursor_name(cur, i));
        lua_rawseti(L, -2, i + 1);
    }
    lua_insert(L, -2);
    push_iterator(L, l_next_array);
    lua_remove(L, -5);
    return 5;
}

/* case:points(series_id) -> {t_ms, ...}, {value, ...}, ascending | nil, message, code */
static int l_points(lua_State *L) {
    static const char sql[] = "SELECT t_ms, value FROM sample WHERE series_id = ? ORDER BY t_ms";
    luaL_checkinteger(L, 2);
    lua_settop(L, 2);
    lua_createtable(L, 1, 0); /* as open_cursor wants it: case, SQL, parameters */
    lua_insert(L, 2);
    lua_rawseti(L, 2, 1);
    lua_pushstring(L, sql);
    lua_insert(L, 2);
    dx_err err;
    dx_cursor *cur = open_cursor(L, &err);
    if (cur == NULL)
        return l_case_fail(L, &err);
    lua_toclose(L, -1);
    lua_newtable(L);
    lua_newtable(L);
    for (lua_Integer i = 1; next(L, cur); i++) {
        for (int column = 0; column < 2; column++) {
            dx_value v = dx_cursor_value(cur, column);
            push_value(L, &v);
            lua_rawseti(L, column - 3, i);
        }
    }
    return 2;
}

/* --- calls by group --- */

/* A name of digest's by. [-0, +0, v] */
static const char *group_name(lua_State *L, const char *given) {
    for (size_t i = 0; dx_casefile_group_name(i) != NULL; i++)
        if (dx_str_eq(dx_casefile_group_name(i), given))
            return dx_casefile_group_name(i);
    luaL_argerror(L, 2, lua_pushfstring(L, "by: calls cannot be grouped by '%s'", given));
    return NULL;
}

/* by = {"table", ...} of the options at 2; returns how many. [-0, +0, v] */
static size_t grouping(lua_State *L, const char *by[DX_GROUP_KEYS]) {
    static const char *const usual[] = {"table", "method", "client"};
    if (lua_getfield(L, 2, "by") == LUA_TNIL) {
        lua_pop(L, 1);
        for (size_t i = 0; i < 3; i++)
            by[i] = usual[i];
        return 3;
    }
    luaL_argcheck(L, lua_istable(L, -1), 2, "by: table expected");
    size_t n = (size_t)lua_rawlen(L, -1);
    luaL_argcheck(L, n <= DX_GROUP_KEYS, 2, "by: too many keys");
    for (size_t i = 0; i < n; i++) {
        luaL_argcheck(L, lua_rawgeti(L, -1, (lua_Integer)i + 1) == LUA_TSTRING, 2,
                      "by: names expected");
        by[i] = group_name(L, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return n;
}

static void push_group(lua_State *L, const dx_digest_group *g, const dx_grouping *by) {
    lua_createtable(L, 0, 8);
    lua_createtable(L, 0, (int)by->n);
    for (size_t i = 0; i < by->n; i++) {
        dx_value v = dx_casefile_group_key(g->key, i);
        push_value(L, &v);
        lua_setfield(L, -2, by->by[i]);
    }
    lua_setfield(L, -2, "key");
    l_set_integer(L, "calls", (lua_Integer)g->calls);
    l_set_spread(L, "proc_ms", &g->proc_ms);
    l_set_spread(L, "queue_ms", &g->queue_ms);
    l_set_spread(L, "response_bytes", &g->response_bytes);
    l_set_instant(L, "first_ms", g->first_ms);
    l_set_instant(L, "last_ms", g->last_ms);
    l_set_integer(L, "worst", g->worst_ref);
}

/* case:digest{by=, from=, to=, offset=, where=} -> groups, calls, proc_ms | nil, message, code
 * by: {"table", "method", "client"} unless given; from, to: calls that ran in [from, to); offset:
 * ms east of UTC of the clock for "hour", "day", "minute"; where: SQL over the columns of call.
 * groups: {{key = {table = ...}, calls=, proc_ms = {n=, sum=, p50=, p95=, max=, about=}, queue_ms=,
 * response_bytes=, first_ms=, last_ms=, worst = call.id}, ...}, by processing time. */
static int l_digest(lua_State *L) {
    dx_casefile *c = l_checkopen(L, 1, L_CASE);
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        lua_newtable(L);
        lua_replace(L, 2);
    }
    luaL_checktype(L, 2, LUA_TTABLE);
    const char *by[DX_GROUP_KEYS];
    dx_grouping g = {.by = by,
                     .n = grouping(L, by),
                     .from_ms = l_opt_integer(L, 2, "from", DX_TIME_NONE),
                     .to_ms = l_opt_integer(L, 2, "to", DX_TIME_NONE),
                     .offset_ms = l_opt_integer(L, 2, "offset", 0),
                     .where = l_opt_string(L, 2, "where", NULL)};
    l_box *box = l_newbox(L, DIGEST);
    dx_grouped total;
    dx_digest *d;
    dx_err err;
    if (dx_casefile_digest(&d, c, &g, &total, &err) != DX_OK)
        return l_case_fail(L, &err);
    box->ptr = d;
    lua_toclose(L, -1);
    lua_createtable(L, (int)dx_digest_count(d), 0);
    for (size_t i = 0; i < dx_digest_count(d); i++) {
        push_group(L, dx_digest_at(d, i), &g);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_pushinteger(L, (lua_Integer)total.calls);
    lua_pushinteger(L, total.proc_ms);
    return 3;
}

/* --- */

static const luaL_Reg reading[] = {
    {"digest", l_digest}, {"each", l_each},     {"points", l_points},
    {"rows", l_rows},     {"select", l_select}, {NULL, NULL},
};

void l_case_reading(lua_State *L) {
    l_newtype(L, CURSOR, NULL, l_cursor_close);
    l_newtype(L, DIGEST, NULL, l_digest_close);
    luaL_getmetatable(L, L_CASE);
    lua_getfield(L, -1, "__index");
    luaL_setfuncs(L, reading, 0);
    lua_pop(L, 2);
}

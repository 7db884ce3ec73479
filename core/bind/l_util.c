/* l_util.c - see l_util.h. */
#include "l_util.h"

#include "dx_time.h"

#include <math.h>

int l_fail(lua_State *L, const dx_err *err) {
    luaL_pushfail(L);
    lua_pushstring(L, err->msg);
    lua_pushstring(L, dx_status_name(err->code));
    return 3;
}

l_box *l_newbox(lua_State *L, const char *type) {
    l_box *box = lua_newuserdatauv(L, sizeof *box, 1);
    box->ptr = NULL;
    luaL_setmetatable(L, type);
    return box;
}

void *l_checkopen(lua_State *L, int idx, const char *type) {
    l_box *box = luaL_checkudata(L, idx, type);
    if (box->ptr == NULL)
        luaL_argerror(L, idx, lua_pushfstring(L, "this %s is closed", type));
    return box->ptr;
}

void l_keepalive(lua_State *L, int owner, int kept) {
    owner = lua_absindex(L, owner);
    lua_pushvalue(L, kept);
    lua_setiuservalue(L, owner, 1);
}

void l_newtype(lua_State *L, const char *type, const luaL_Reg *methods, lua_CFunction closer) {
    luaL_newmetatable(L, type);
    lua_newtable(L);
    if (methods != NULL)
        luaL_setfuncs(L, methods, 0);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, closer);
    lua_setfield(L, -2, "__gc");
    lua_pushcfunction(L, closer);
    lua_setfield(L, -2, "__close");
    lua_pushstring(L, type); /* getmetatable answers this: scripts cannot reach __gc */
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

dx_slice l_checkslice(lua_State *L, int idx) {
    size_t n;
    const char *p = luaL_checklstring(L, idx, &n);
    return dx_sn(p, n);
}

void l_pushslice(lua_State *L, dx_slice s) {
    lua_pushlstring(L, s.n == 0 ? "" : s.p, s.n);
}

void l_set_integer(lua_State *L, const char *key, lua_Integer v) {
    lua_pushinteger(L, v);
    lua_setfield(L, -2, key);
}

void l_set_instant(lua_State *L, const char *key, int64_t ms) {
    if (ms != DX_TIME_NONE)
        l_set_integer(L, key, ms);
}

void l_set_number(lua_State *L, const char *key, lua_Number v) {
    if (isnan(v))
        return;
    lua_pushnumber(L, v);
    lua_setfield(L, -2, key);
}

void l_set_boolean(lua_State *L, const char *key, bool v) {
    lua_pushboolean(L, v);
    lua_setfield(L, -2, key);
}

void l_set_string(lua_State *L, const char *key, const char *s) {
    if (s == NULL)
        return;
    lua_pushstring(L, s);
    lua_setfield(L, -2, key);
}

static int close_buf(lua_State *L) {
    dx_buf_done(lua_touserdata(L, 1));
    return 0;
}

dx_buf *l_newbuf(lua_State *L, size_t max) {
    dx_buf *b = lua_newuserdatauv(L, sizeof *b, 0);
    dx_buf_init(b, max);
    if (luaL_newmetatable(L, "hbdx.buf")) {
        lua_pushcfunction(L, close_buf);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return b;
}

int l_pushbuf(lua_State *L, dx_buf *b) {
    if (!dx_buf_ok(b))
        return luaL_error(L, "not enough memory");
    l_pushslice(L, dx_buf_slice(b));
    dx_buf_done(b);
    return 1;
}

/* Pushes the field; false (and nothing pushed): there is none. [-0, +(0|1), e] */
static bool field(lua_State *L, int idx, const char *key) {
    if (lua_isnoneornil(L, idx))
        return false;
    luaL_checktype(L, idx, LUA_TTABLE);
    if (lua_getfield(L, idx, key) != LUA_TNIL)
        return true;
    lua_pop(L, 1);
    return false;
}

static int bad_field(lua_State *L, int idx, const char *key, const char *want) {
    const char *got = luaL_typename(L, -1);
    return luaL_argerror(L, idx, lua_pushfstring(L, "%s: %s expected, got %s", key, want, got));
}

lua_Integer l_opt_integer(lua_State *L, int idx, const char *key, lua_Integer otherwise) {
    int whole;
    if (!field(L, idx, key))
        return otherwise;
    lua_Integer value = lua_tointegerx(L, -1, &whole);
    if (!whole || lua_type(L, -1) != LUA_TNUMBER)
        bad_field(L, idx, key, "integer");
    lua_pop(L, 1);
    return value;
}

lua_Number l_opt_number(lua_State *L, int idx, const char *key, lua_Number otherwise) {
    if (!field(L, idx, key))
        return otherwise;
    if (lua_type(L, -1) != LUA_TNUMBER)
        bad_field(L, idx, key, "number");
    lua_Number value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return value;
}

bool l_opt_boolean(lua_State *L, int idx, const char *key, bool otherwise) {
    if (!field(L, idx, key))
        return otherwise;
    if (!lua_isboolean(L, -1))
        bad_field(L, idx, key, "boolean");
    bool value = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return value;
}

const char *l_opt_string(lua_State *L, int idx, const char *key, const char *otherwise) {
    if (!field(L, idx, key))
        return otherwise;
    if (lua_type(L, -1) != LUA_TSTRING)
        bad_field(L, idx, key, "string");
    const char *value = lua_tostring(L, -1);
    lua_pop(L, 1);
    return value;
}

/* Gives the table on top, an error, what it lacks: message and traceback. [-0, +0, m] */
static void complete(lua_State *L) {
    if (lua_getfield(L, -1, "message") == LUA_TNIL) {
        luaL_tolstring(L, -2, NULL);
        lua_setfield(L, -3, "message");
    }
    if (lua_getfield(L, -2, "traceback") == LUA_TNIL) {
        luaL_traceback(L, L, NULL, 1);
        lua_setfield(L, -4, "traceback");
    }
    lua_pop(L, 2);
}

/* Message handler: error -> {message=, traceback=, ...} */
static int record(lua_State *L) {
    lua_settop(L, 1);
    if (!lua_istable(L, 1)) {
        lua_createtable(L, 0, 3);
        luaL_tolstring(L, 1, NULL);
        lua_setfield(L, -2, "message");
    }
    complete(L);
    return 1;
}

/* Message handler: error -> text with its traceback; of a table its message. */
static int traceback(lua_State *L) {
    lua_settop(L, 1);
    if (lua_istable(L, 1) && lua_getfield(L, 1, "message") == LUA_TSTRING)
        lua_replace(L, 1);
    const char *msg = luaL_tolstring(L, 1, NULL);
    luaL_traceback(L, L, msg, 1);
    return 1;
}

static int through(lua_State *L, lua_CFunction handler, int nargs, int nresults) {
    int base = lua_gettop(L) - nargs;
    lua_pushcfunction(L, handler);
    lua_insert(L, base);
    int status = lua_pcall(L, nargs, nresults, base);
    lua_remove(L, base);
    return status;
}

int l_door(lua_State *L, int nargs, int nresults) {
    return through(L, traceback, nargs, nresults);
}

int l_door_record(lua_State *L, int nargs, int nresults) {
    return through(L, record, nargs, nresults);
}

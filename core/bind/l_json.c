/* l_json.c - Lua face of JSON; registers "hbdx.core.json". Integers stay integers. A text that
 * cannot be read gives nil, message, code; a value that JSON cannot hold raises. */
#include "dx_json.h"
#include "l_util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DOC        "hbdx.json.doc"   /* box of dx_json */
#define ARRAY      "hbdx.json.array" /* metatable of a table that is an array even when empty */
#define MAX_DEPTH  200               /* of tables within tables, when encoding */
#define MAX_INDENT 16

L_CLOSER(l_doc_close, DOC, dx_json_free)

/* [-0, +1, m] */
static void push_node(lua_State *L, const dx_json_node *n);

static void push_array(lua_State *L, const dx_json_node *n) {
    lua_Integer i = 0;
    lua_newtable(L);
    for (const dx_json_node *c = dx_json_first(n); c != NULL; c = dx_json_next(c)) {
        push_node(L, c);
        lua_rawseti(L, -2, ++i);
    }
    luaL_setmetatable(L, ARRAY);
}

/* Of a name that stands twice the first counts. */
static void push_object(lua_State *L, const dx_json_node *n) {
    lua_newtable(L);
    for (const dx_json_node *c = dx_json_first(n); c != NULL; c = dx_json_next(c)) {
        l_pushslice(L, dx_json_key(c));
        lua_pushvalue(L, -1);
        bool known = lua_rawget(L, -3) != LUA_TNIL;
        lua_pop(L, 1);
        if (known) {
            lua_pop(L, 1);
            continue;
        }
        push_node(L, c);
        lua_rawset(L, -3);
    }
}

static void push_node(lua_State *L, const dx_json_node *n) {
    luaL_checkstack(L, 8, "JSON nested too deep");
    switch (dx_json_kind(n)) {
    case DX_JSON_NULL: lua_pushlightuserdata(L, NULL); break;
    case DX_JSON_BOOL: lua_pushboolean(L, dx_json_int(n) != 0); break;
    case DX_JSON_INT: lua_pushinteger(L, dx_json_int(n)); break;
    case DX_JSON_REAL: lua_pushnumber(L, dx_json_real(n)); break;
    case DX_JSON_TEXT: l_pushslice(L, dx_json_text(n)); break;
    case DX_JSON_ARRAY: push_array(L, n); break;
    case DX_JSON_OBJECT: push_object(L, n); break;
    }
}

/* decode(text, {lenient=false}) -> value, damage | nil, message, code
 * lenient takes a text that is cut, has trailing commas, or bare NaN; damage tells what was mended,
 * nil: nothing. null is json.null; arrays remember that they are arrays. */
static int l_decode(lua_State *L) {
    dx_slice text = l_checkslice(L, 1);
    bool lenient = l_opt_boolean(L, 2, "lenient", false);
    l_box *box = l_newbox(L, DOC);
    dx_json *doc;
    dx_err err;
    if (dx_json_read(&doc, text, lenient, &err) != DX_OK)
        return l_fail(L, &err);
    box->ptr = doc;
    push_node(L, dx_json_root(doc));
    lua_pushstring(L, dx_json_damage(doc));
    box->ptr = NULL; /* freed now rather than when the collector comes */
    dx_json_free(doc);
    return 2;
}

typedef struct writer {
    lua_State *L;
    dx_buf *out;
    int indent; /* blanks a level, 0: all on one line */
    int depth;
} writer;

/* The value at the top. [-0, +0, m] */
static void write_value(writer *w);

static void new_line(writer *w) {
    if (w->indent > 0)
        dx_buf_addf(w->out, "\n%*s", w->indent * w->depth, "");
}

/* JSON has no NaN and infinities. A real that is whole stays a real: 2.0. */
static void write_real(writer *w, double v) {
    size_t from = w->out->n;
    if (!isfinite(v)) {
        dx_buf_adds(w->out, "null");
        return;
    }
    dx_buf_add_real(w->out, v);
    if (dx_buf_ok(w->out) && strpbrk(w->out->p + from, ".e") == NULL)
        dx_buf_adds(w->out, ".0");
}

/* Whether the table at t is marked as an array, or has an element 1. [-0, +0, m] */
static bool is_array(lua_State *L, int t) {
    bool array = lua_rawgeti(L, t, 1) != LUA_TNIL;
    lua_pop(L, 1);
    if (array || !lua_getmetatable(L, t))
        return array;
    luaL_getmetatable(L, ARRAY);
    array = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return array;
}

static void write_array(writer *w, int t) {
    lua_State *L = w->L;
    lua_Integer n = (lua_Integer)lua_rawlen(L, t), count = 0;
    for (lua_pushnil(L); lua_next(L, t) != 0; lua_pop(L, 1), count++)
        if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 1 || lua_tointeger(L, -2) > n)
            luaL_error(L, "JSON: an array with the key %s", luaL_tolstring(L, -2, NULL));
    if (count != n)
        luaL_error(L, "JSON: an array with holes");
    dx_buf_addc(w->out, '[');
    w->depth++;
    for (lua_Integer i = 1; i <= n; i++) {
        if (i > 1)
            dx_buf_addc(w->out, ',');
        new_line(w);
        lua_rawgeti(L, t, i);
        write_value(w);
        lua_pop(L, 1);
    }
    w->depth--;
    if (n > 0)
        new_line(w);
    dx_buf_addc(w->out, ']');
}

typedef struct member {
    dx_slice name;    /* borrowed from the table */
    lua_Integer rank; /* its place in __order */
} member;

static int by_rank(const void *a, const void *b) {
    const member *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    size_t n = x->name.n < y->name.n ? x->name.n : y->name.n;
    int order = n == 0 ? 0 : memcmp(x->name.p, y->name.p, n);
    return order != 0 ? order : (x->name.n > y->name.n) - (x->name.n < y->name.n);
}

/* Place of a name in the array at `order` (0: there is none), behind all when it is not there. */
static lua_Integer rank_of(lua_State *L, int order, dx_slice name) {
    lua_Integer n = order == 0 ? 0 : (lua_Integer)lua_rawlen(L, order);
    for (lua_Integer i = 1; i <= n; i++) {
        size_t len = 0;
        const char *p = lua_rawgeti(L, order, i) == LUA_TSTRING ? lua_tolstring(L, -1, &len) : NULL;
        lua_pop(L, 1); /* the array keeps the string */
        if (p != NULL && dx_slice_eq(dx_sn(p, len), name))
            return i;
    }
    return n + 1;
}

/* The members of the table at t, in the order to write them: those of its metatable's __order, then
 * the rest by name. [-0, +1, m] */
static const member *push_members(lua_State *L, int t, size_t *n) {
    size_t i = 0;
    *n = 0;
    for (lua_pushnil(L); lua_next(L, t) != 0; lua_pop(L, 1), ++*n)
        if (lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L, "JSON: an object with the key %s (a %s)", luaL_tolstring(L, -2, NULL),
                       luaL_typename(L, -3));
    member *all = lua_newuserdatauv(L, (*n + 1) * sizeof *all, 0);
    int top = lua_gettop(L);
    int order = luaL_getmetafield(L, t, "__order") == LUA_TTABLE ? top + 1 : 0;
    for (lua_pushnil(L); lua_next(L, t) != 0; i++) {
        lua_pop(L, 1);
        dx_slice name = l_checkslice(L, -1);
        all[i] = (member){name, rank_of(L, order, name)};
    }
    qsort(all, *n, sizeof *all, by_rank);
    lua_settop(L, top);
    return all;
}

static void write_object(writer *w, int t) {
    lua_State *L = w->L;
    size_t n;
    const member *all = push_members(L, t, &n);
    dx_buf_addc(w->out, '{');
    w->depth++;
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            dx_buf_addc(w->out, ',');
        new_line(w);
        dx_json_quote(w->out, all[i].name);
        dx_buf_adds(w->out, w->indent > 0 ? ": " : ":");
        l_pushslice(L, all[i].name);
        lua_rawget(L, t);
        write_value(w);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    w->depth--;
    if (n > 0)
        new_line(w);
    dx_buf_addc(w->out, '}');
}

static void write_table(writer *w) {
    int t = lua_gettop(w->L);
    if (w->depth == MAX_DEPTH)
        luaL_error(w->L, "JSON: tables nested deeper than %d, or in a circle", MAX_DEPTH);
    luaL_checkstack(w->L, 12, "JSON nested too deep");
    if (is_array(w->L, t))
        write_array(w, t);
    else
        write_object(w, t);
}

static void write_value(writer *w) {
    lua_State *L = w->L;
    switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN: dx_buf_adds(w->out, lua_toboolean(L, -1) ? "true" : "false"); return;
    case LUA_TNUMBER:
        if (lua_isinteger(L, -1))
            dx_buf_addf(w->out, LUA_INTEGER_FMT, lua_tointeger(L, -1));
        else
            write_real(w, lua_tonumber(L, -1));
        return;
    case LUA_TSTRING: dx_json_quote(w->out, l_checkslice(L, -1)); return;
    case LUA_TTABLE: write_table(w); return;
    case LUA_TLIGHTUSERDATA:
        if (lua_touserdata(L, -1) == NULL) {
            dx_buf_adds(w->out, "null");
            return;
        }
        break;
    default: break;
    }
    luaL_error(L, "JSON: a value of type %s", luaL_typename(L, -1));
}

/* encode(value, {indent=0}) -> text
 * Names are sorted, but those in the metatable's __order come first and in its order. A table with
 * an element 1, or made by json.array, is an array. NaN and infinities become null, bytes that are
 * not UTF-8 become U+FFFD. Raises on holes, circles, functions, names that are no strings. */
static int l_encode(lua_State *L) {
    luaL_checkany(L, 1);
    lua_Integer indent = l_opt_integer(L, 2, "indent", 0);
    luaL_argcheck(L, indent >= 0 && indent <= MAX_INDENT, 2, "indent: 0 to 16");
    writer w = {.L = L, .out = l_newbuf(L, 0), .indent = (int)indent};
    lua_pushvalue(L, 1);
    write_value(&w);
    return l_pushbuf(L, w.out);
}

/* array(t) -> t, an array for encode even when it is empty; without t, a new one */
static int l_array(lua_State *L) {
    if (lua_isnoneornil(L, 1)) {
        lua_settop(L, 0);
        lua_newtable(L);
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    luaL_setmetatable(L, ARRAY);
    return 1;
}

static const luaL_Reg module[] = {
    {"decode", l_decode},
    {"encode", l_encode},
    {"array", l_array},
    {NULL, NULL},
};

int luaopen_hbdx_core_json(lua_State *L) {
    l_newtype(L, DOC, NULL, l_doc_close);
    luaL_newmetatable(L, ARRAY);
    lua_pop(L, 1);
    luaL_newlib(L, module);
    lua_pushlightuserdata(L, NULL);
    lua_setfield(L, -2, "null");
    return 1;
}

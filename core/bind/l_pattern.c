/* l_pattern.c - string functions that a watch can stop; registers "hbdx.core.pattern". They take
 * the place of the stock ones in the whole state, since "s:find()" reaches those of the string
 * library from anywhere. The stock ones stay at hand in pattern.stock. */
#define _GNU_SOURCE /* memmem: linear, whatever the needle */
#include "l_pattern.h"

#include "dx_pattern.h"
#include "l_guard.h"
#include "l_util.h"

#include <string.h>

/* Room for the items of a short pattern, on the C stack. */
typedef union space {
    max_align_t align;
    char bytes[1024];
} space;

static bool go_on(void *ud) {
    (void)ud;
    return !l_guard_fired();
}

/* Reads the pattern at idx into room, or into a userdata that stays on the stack. [-0, +(0|1), v]
 */
static const dx_pattern *read_pattern(lua_State *L, space *room, int idx, bool anchored) {
    dx_slice text = l_checkslice(L, idx);
    size_t size = dx_pattern_size(text.n);
    dx_pattern *p = size <= sizeof *room ? (void *)room : lua_newuserdatauv(L, size, 0);
    dx_err err;
    if (dx_pattern_read(p, text, anchored, &err) != DX_OK)
        luaL_error(L, "%s", err.msg);
    return p;
}

/* True: a match; raises when it was stopped. [-0, +0, v] */
static bool matched(lua_State *L, dx_status st, const dx_err *err) {
    if (st == DX_E_LIMIT) {
        l_guard_check(L);
        luaL_error(L, "%s", err->msg);
    }
    return st == DX_ROW;
}

/* Pushes one capture; without any in the pattern, number 0 is the whole match. [-0, +1, v] */
static void push_capture(lua_State *L, dx_slice s, const dx_match *m, size_t i) {
    if (i >= m->n && i != 0)
        luaL_error(L, "invalid capture index %%%d", (int)i + 1);
    const dx_capture whole = {m->from, m->to, false}, *c = m->n == 0 ? &whole : &m->captures[i];
    if (c->position)
        lua_pushinteger(L, (lua_Integer)c->from + 1);
    else
        l_pushslice(L, dx_slice_sub(s, c->from, c->to));
}

/* Pushes all captures, or the whole match if there are none. [-0, +n, v] */
static int push_captures(lua_State *L, dx_slice s, const dx_match *m, bool or_whole) {
    size_t n = m->n == 0 && or_whole ? 1 : m->n;
    luaL_checkstack(L, (int)n, "too many captures");
    for (size_t i = 0; i < n; i++)
        push_capture(L, s, m, i);
    return (int)n;
}

/* The argument init as an offset; beyond the end: n + 1. [-0, +0, v] */
static size_t start_at(lua_State *L, int idx, size_t n) {
    lua_Integer init = luaL_optinteger(L, idx, 1);
    if (init > 0)
        return (lua_Unsigned)init - 1 > n ? n + 1 : (size_t)init - 1;
    return init == 0 || (lua_Unsigned)0 - (lua_Unsigned)init > n ? 0 : n - (size_t)(-init);
}

static int find_plain(lua_State *L, dx_slice s, dx_slice needle, size_t at) {
    const char *hit = needle.n == 0 ? s.p + at : memmem(s.p + at, s.n - at, needle.p, needle.n);
    if (hit == NULL)
        return luaL_pushfail(L), 1;
    lua_pushinteger(L, hit - s.p + 1);
    lua_pushinteger(L, hit - s.p + (lua_Integer)needle.n);
    return 2;
}

static int find_or_match(lua_State *L, bool find) {
    dx_slice s = l_checkslice(L, 1), text = l_checkslice(L, 2);
    size_t at = start_at(L, 3, s.n);
    dx_patience patience = {go_on, NULL, 0};
    dx_match m;
    dx_err err;
    space room;
    if (at > s.n)
        return luaL_pushfail(L), 1;
    if (find && (lua_toboolean(L, 4) || dx_pattern_plain(text)))
        return find_plain(L, s, text, at);
    const dx_pattern *p = read_pattern(L, &room, 2, true);
    if (!matched(L, dx_pattern_find(p, s, at, &patience, &m, &err), &err))
        return luaL_pushfail(L), 1;
    if (!find)
        return push_captures(L, s, &m, true);
    lua_pushinteger(L, (lua_Integer)m.from + 1);
    lua_pushinteger(L, (lua_Integer)m.to);
    return 2 + push_captures(L, s, &m, false);
}

/* pattern.find(s, pattern, init?, plain?) -> first, last, captures... | nil */
static int l_find(lua_State *L) {
    return find_or_match(L, true);
}

/* pattern.match(s, pattern, init?) -> captures... | nil */
static int l_match(lua_State *L) {
    return find_or_match(L, false);
}

/* A walk over all matches: an empty one right after another does not count. */
typedef struct walk {
    const dx_pattern *p;
    size_t at, last; /* where to look next; where the match before ended, or SIZE_MAX */
    dx_patience patience;
} walk;

static bool next_match(lua_State *L, walk *w, dx_slice s, dx_match *m) {
    dx_err err;
    while (w->at <= s.n
           && matched(L, dx_pattern_find(w->p, s, w->at, &w->patience, m, &err), &err)) {
        w->at = m->to == w->last ? m->from + 1 : m->to;
        if (m->to != w->last) {
            w->last = m->to;
            return true;
        }
        if (dx_pattern_anchored(w->p))
            return false;
    }
    return false;
}

static int gmatch_next(lua_State *L) {
    walk *w = lua_touserdata(L, lua_upvalueindex(3));
    dx_slice s = l_checkslice(L, lua_upvalueindex(1));
    dx_match m;
    return next_match(L, w, s, &m) ? push_captures(L, s, &m, true) : 0;
}

/* for captures... in pattern.gmatch(s, pattern, init?) do ... end */
static int l_gmatch(lua_State *L) {
    dx_slice s = l_checkslice(L, 1), text = l_checkslice(L, 2);
    size_t at = start_at(L, 3, s.n), head = (sizeof(walk) + 15) / 16 * 16;
    dx_err err;
    lua_settop(L, 2);
    walk *w = lua_newuserdatauv(L, head + dx_pattern_size(text.n), 0);
    dx_pattern *p = (void *)((char *)w + head);
    *w = (walk){.p = p, .at = at, .last = SIZE_MAX, .patience = {go_on, NULL, 0}};
    if (dx_pattern_read(p, text, false, &err) != DX_OK)
        return luaL_error(L, "%s", err.msg);
    lua_pushcclosure(L, gmatch_next, 3);
    return 1;
}

/* Adds the replacement text at index 3, "%1" and the like filled in. [-0, +0, v] */
static void add_text(lua_State *L, luaL_Buffer *b, dx_slice s, const dx_match *m) {
    dx_slice r = l_checkslice(L, 3);
    for (size_t i = 0; i < r.n; i++) {
        char c = r.p[i];
        if (c != '%') {
            luaL_addchar(b, c);
        } else if (++i == r.n) {
            luaL_error(L, "invalid use of '%%' in replacement string");
        } else if (r.p[i] == '%') {
            luaL_addchar(b, '%');
        } else if (r.p[i] == '0') {
            luaL_addlstring(b, s.p + m->from, m->to - m->from);
        } else if (r.p[i] > '0' && r.p[i] <= '9') {
            if ((size_t)(r.p[i] - '1') >= m->n && r.p[i] != '1')
                luaL_error(L, "invalid capture index %%%c in replacement string", r.p[i]);
            push_capture(L, s, m, (size_t)(r.p[i] - '1'));
            luaL_addvalue(b);
        } else {
            luaL_error(L, "invalid use of '%%' in replacement string");
        }
    }
}

/* Adds what the table or function at index 3 answers; false or nil: the match itself. [-0, +0, e]
 */
static void add_answer(lua_State *L, luaL_Buffer *b, dx_slice s, const dx_match *m) {
    if (lua_istable(L, 3)) {
        push_capture(L, s, m, 0);
        lua_gettable(L, 3);
    } else {
        lua_pushvalue(L, 3);
        lua_call(L, push_captures(L, s, m, true), 1);
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(b, s.p + m->from, m->to - m->from);
    } else if (!lua_isstring(L, -1)) {
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    } else {
        luaL_addvalue(b);
    }
}

/* pattern.gsub(s, pattern, text | table | function, n?) -> string, number of matches */
static int l_gsub(lua_State *L) {
    dx_slice s = l_checkslice(L, 1);
    size_t copied = 0;
    int type = lua_type(L, 3);
    bool text = type == LUA_TSTRING || type == LUA_TNUMBER;
    luaL_argexpected(L, text || type == LUA_TTABLE || type == LUA_TFUNCTION, 3,
                     "string/function/table");
    lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)s.n + 1), n = 0;
    space room;
    walk w = {.last = SIZE_MAX, .patience = {go_on, NULL, 0}};
    w.p = read_pattern(L, &room, 2, true);
    dx_match m;
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    while (n < most && next_match(L, &w, s, &m)) {
        n++;
        luaL_addlstring(&b, s.p + copied, m.from - copied);
        (text ? add_text : add_answer)(L, &b, s, &m);
        copied = m.to;
        if (dx_pattern_anchored(w.p))
            break;
    }
    luaL_addlstring(&b, s.p + copied, s.n - copied);
    luaL_pushresult(&b);
    lua_pushinteger(L, n);
    return 2;
}

/* pattern.rep(s, n, separator?) -> string; its size is bounded by the memory of the state */
static int l_rep(lua_State *L) {
    dx_slice s = l_checkslice(L, 1), sep = {"", 0};
    lua_Integer n = luaL_checkinteger(L, 2);
    if (!lua_isnoneornil(L, 3))
        sep = l_checkslice(L, 3);
    size_t most = (size_t)LUA_MAXINTEGER;
    if (n <= 0 || s.n + sep.n == 0)
        return lua_pushliteral(L, ""), 1;
    if (s.n > most - sep.n || s.n + sep.n > most / (size_t)n)
        return luaL_error(L, "resulting string too large");
    luaL_Buffer b;
    size_t total = (s.n + sep.n) * (size_t)n - sep.n, used = 0;
    char *out = luaL_buffinitsize(L, &b, total);
    for (lua_Integer i = 0; i < n; i++) {
        memcpy(out + used, s.p, s.n);
        used += s.n;
        if (i + 1 < n && sep.n > 0) {
            memcpy(out + used, sep.p, sep.n);
            used += sep.n;
        }
        if ((i & 4095) == 0)
            l_guard_check(L);
    }
    luaL_pushresultsize(&b, total);
    return 1;
}

static const luaL_Reg module[] = {
    {"find", l_find},   {"gmatch", l_gmatch}, {"gsub", l_gsub},
    {"match", l_match}, {"rep", l_rep},       {NULL, NULL},
};

int luaopen_hbdx_core_pattern(lua_State *L) {
    luaL_newlib(L, module);
    return 1;
}

void l_pattern_install(lua_State *L) {
    lua_getglobal(L, "string");
    lua_newtable(L);
    for (const luaL_Reg *f = module; f->name != NULL; f++) {
        lua_getfield(L, -2, f->name);
        lua_setfield(L, -2, f->name);
    }
    lua_setfield(L, LUA_REGISTRYINDEX, L_STOCK);
    luaL_setfuncs(L, module, 0);
    lua_pop(L, 1);
}

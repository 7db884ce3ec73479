/* l_open.c - see l_open.h. A binding is core/bind/l_NAME.c with luaopen_hbdx_core_NAME in it. */
#include "l_open.h"

#include <lauxlib.h>

/* clang-format off */
#define MODULES(X) \
    X(amp)         \
    X(calls)       \
    X(case)        \
    X(delta)       \
    X(events)      \
    X(follow)      \
    X(guard)       \
    X(http)        \
    X(json)        \
    X(pattern)     \
    X(sys)         \
    X(text)        \
    X(time)
/* clang-format on */

#define DECLARE(name) int luaopen_hbdx_core_##name(lua_State *L);
MODULES(DECLARE)

#define ROW(name) {"hbdx.core." #name, luaopen_hbdx_core_##name},
static const luaL_Reg modules[] = {MODULES(ROW){NULL, NULL}};

void l_preload(lua_State *L) {
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    for (const luaL_Reg *m = modules; m->name != NULL; m++) {
        lua_pushcfunction(L, m->func);
        lua_setfield(L, -2, m->name);
    }
    lua_pop(L, 1);
}

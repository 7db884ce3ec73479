/* l_events.c - the kinds of events, for `explain` and completion; registers "hbdx.core.events". */
#include "dx_events.h"
#include "l_util.h"

/* kinds() -> { {name, meaning, fields = "a,b,c"}, ... } in the order of their ids */
static int l_kinds(lua_State *L) {
    size_t n;
    const dx_event_kind *kinds = dx_event_kinds(&n);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        lua_createtable(L, 0, 3);
        l_set_string(L, "name", kinds[i].name);
        l_set_string(L, "meaning", kinds[i].meaning);
        l_set_string(L, "fields", kinds[i].fields);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static const luaL_Reg module[] = {{"kinds", l_kinds}, {NULL, NULL}};

int luaopen_hbdx_core_events(lua_State *L) {
    luaL_newlib(L, module);
    return 1;
}

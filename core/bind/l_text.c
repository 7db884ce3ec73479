/* l_text.c - Lua face of dx_text; registers "hbdx.core.text". */
#include "dx_text.h"
#include "l_util.h"

/* text.escape(bytes) -> text that is safe on a terminal: controls, invalid UTF-8 and invisible
 * format characters as \xHH */
static int l_escape(lua_State *L) {
    dx_slice s = l_checkslice(L, 1);
    dx_buf *out = l_newbuf(L, 0);
    dx_text_escape(out, s);
    return l_pushbuf(L, out);
}

/* text.width(s) -> columns on a terminal */
static int l_width(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)dx_text_width(l_checkslice(L, 1)));
    return 1;
}

int luaopen_hbdx_core_text(lua_State *L) {
    static const luaL_Reg module[] = {{"escape", l_escape}, {"width", l_width}, {NULL, NULL}};
    luaL_newlib(L, module);
    return 1;
}

/* l_open - the table of contents of hbdx.core: every binding, one row each. */
#ifndef L_OPEN_H
#define L_OPEN_H

#include <lua.h>

/* Puts the opener of every hbdx.core.NAME into package.preload. [-0, +0, m] */
void l_preload(lua_State *L);

#endif

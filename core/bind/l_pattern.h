/* l_pattern - puts string functions that a watch can stop in the place of the stock ones. */
#ifndef L_PATTERN_H
#define L_PATTERN_H

#include <lua.h>

#define L_STOCK "hbdx.stock" /* registry field: the stock functions, for comparison in tests */

/* After the string library has been opened. [-0, +0, m] */
void l_pattern_install(lua_State *L);

#endif

/* dx_repl - lines from a person at a terminal: editing, history, completion, Ctrl-C. What is done
 * with a line is Lua's affair (hbdx.shell). The only user of readline. */
#ifndef DX_REPL_H
#define DX_REPL_H

#include <lua.h>

/* Puts the opener of hbdx.core.repl into package.preload. [-0, +0, m] */
void dx_repl_preload(lua_State *L);

#endif

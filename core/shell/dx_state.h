/* dx_state - the Lua state of the program: its allocator, its libraries, where it finds Lua files.
 */
#ifndef DX_STATE_H
#define DX_STATE_H

#include "dx_err.h"

#include <lua.h>
#include <stdbool.h>

typedef struct dx_state dx_state;

/* home: the folder that holds lua/, playbooks/ and samples/; copied. script: the machine's own Lua
 * modules are found too (after ours). The caller closes. */
DX_MUST_CHECK dx_status dx_state_open(dx_state **out, const char *home, bool script, dx_err *err);
/* "hbdx: message" on stderr; what a terminal would obey is escaped, line ends stay. */
void dx_state_say(const char *message);
void dx_state_close(dx_state *s); /* NULL is fine */

/* Runs fn(L) with ud as its light userdata at index 1. fn returns one integer: the exit status. An
 * error becomes DX_E_BUG with its message and traceback, printed to stderr in full. */
DX_MUST_CHECK dx_status dx_state_run(dx_state *s, lua_CFunction fn, void *ud, int *status,
                                     dx_err *err);

/* The folder of our files into out (a PATH_MAX buffer): $HBDX_HOME, else what hbdx.root beside the
 * binary says, else ../share/hbdx from the binary. DX_E_NOTFOUND: none of them has lua/hbdx. */
DX_MUST_CHECK dx_status dx_state_home(char *out, size_t size, dx_err *err);

#endif

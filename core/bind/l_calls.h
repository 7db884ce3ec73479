/* l_calls - what the bindings of calls and of the case share. */
#ifndef L_CALLS_H
#define L_CALLS_H

#include "dx_calls.h"
#include "dx_mem.h"
#include "l_util.h"

#define L_CALLS "hbdx.calls" /* box of l_calls */

typedef struct l_calls {
    dx_calls *calls;
    dx_arena *names; /* of paths and names */
    dx_calls_file *files;
    size_t n;
} l_calls;

/* The i-th source, from 1 on, of the reader at idx. [-0, +0, v] */
const dx_calls_file *l_calls_file(lua_State *L, int idx, int i_idx);

#endif

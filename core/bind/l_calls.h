/* l_calls - what the bindings of calls and of the case share. */
#ifndef L_CALLS_H
#define L_CALLS_H

#include "dx_calls.h"
#include "dx_calls_live.h"
#include "dx_mem.h"
#include "l_util.h"

#define L_CALLS "hbdx.calls" /* box of l_calls */

typedef struct l_calls {
    dx_calls *calls;
    dx_arena *names; /* of paths and names */
    dx_calls_file *files;
    size_t n;
    dx_calls_live **live; /* of each file, where they are followed; else NULL */
    size_t cap;           /* of both, then */
} l_calls;

/* The i-th source, from 1 on, of the reader at idx. [-0, +0, v] */
const dx_calls_file *l_calls_file(lua_State *L, int idx, int i_idx);

/* Sets field name of the table on top to {n=, sum=, p50=, p95=, max=, about=true|nil}; n 0: the
 * rest is absent; about: p50 and p95 are within 1/128. [-0, +0, m] */
void l_set_spread(lua_State *L, const char *name, const dx_spread *s);

/* --- l_calls_live.c */

void l_calls_close_live(l_calls *c);
/* Gives the type L_CALLS the methods that follow logs. [-0, +0, m] */
void l_calls_following(lua_State *L);

#endif

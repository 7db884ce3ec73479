/* l_follow - what the bindings that follow files share. */
#ifndef L_FOLLOW_H
#define L_FOLLOW_H

#include "dx_follow.h"
#include "l_util.h"

/* The field last of the options at idx: how much of what is there. [-0, +0, v] */
dx_follow_opts l_follow_opts(lua_State *L, int idx);
/* Pushes what is new as a word, and its reason or nil. Returns 2. [-0, +2, m] */
int l_follow_news(lua_State *L, const dx_follow_news *news);

#endif

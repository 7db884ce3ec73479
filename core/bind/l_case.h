/* l_case - what the two files of the case binding share; for them only. */
#ifndef L_CASE_H
#define L_CASE_H

#include "l_util.h"

#define L_CASE "hbdx.case" /* box of dx_casefile */

/* A failure; raises when it is only that an open watch has fired. [-0, +3, v] */
int l_case_fail(lua_State *L, const dx_err *err);
/* Gives the type L_CASE the methods that read. [-0, +0, m] */
void l_case_reading(lua_State *L);

#endif

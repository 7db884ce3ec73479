/* l_case - what the files of the case binding share; for them only. */
#ifndef L_CASE_H
#define L_CASE_H

#include "dx_ingest_clock.h"
#include "l_util.h"

#define L_CASE "hbdx.case" /* box of dx_casefile */

/* A failure; raises when it is only that an open watch has fired. [-0, +3, v] */
int l_case_fail(lua_State *L, const dx_err *err);
/* Gives the type L_CASE the methods that read. [-0, +0, m] */
void l_case_reading(lua_State *L);

/* --- l_case_clock.c */

/* The type of clock in a report; gives the type L_CASE its methods. [-0, +0, m] */
void l_case_clocks(lua_State *L);
/* Sets clock of the table on top: a copy of what a log's lines tell. [-0, +0, m] */
void l_case_set_clock(lua_State *L, const dx_coverage *cov);
/* Sets offsets of the table on top, where clocks were changed. [-0, +0, m] */
void l_case_set_offsets(lua_State *L, const dx_ingest_clock *clock);

#endif

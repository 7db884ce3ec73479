/* l_util - what every binding leans on: the box that owns a C object for Lua, the triple of a
 * failure, options read from a table, and the one protected door through which C calls Lua. */
#ifndef L_UTIL_H
#define L_UTIL_H

#include "dx_buf.h"
#include "dx_err.h"
#include "dx_str.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

#define L_HOME "hbdx.home" /* registry field: the folder that holds lua/, playbooks/, samples/ */

typedef struct l_box {
    void *ptr; /* one owned C object; NULL: closed */
} l_box;

/* The world failed: nil, message, code. [-0, +3, m] */
int l_fail(lua_State *L, const dx_err *err);
/* A closed box of a type made by l_newtype, with room for one kept value. [-0, +1, m] */
l_box *l_newbox(lua_State *L, const char *type);
/* The object in the box at idx; raises when it is of another type or closed. [-0, +0, v] */
void *l_checkopen(lua_State *L, int idx, const char *type);
/* The value at `kept` lives as long as the box at `owner`. [-0, +0, m] */
void l_keepalive(lua_State *L, int owner, int kept);
/* Makes the metatable of a type: methods (NULL: none), and closer as __gc and __close. Once per
 * state and type. [-0, +0, m] */
void l_newtype(lua_State *L, const char *type, const luaL_Reg *methods, lua_CFunction closer);

/* Defines fn: takes the pointer out of the box, then frees it; the second call does nothing. */
#define L_CLOSER(fn, type, free_fn)                                                                \
    static int fn(lua_State *L) {                                                                  \
        l_box *box = luaL_checkudata(L, 1, type);                                                  \
        void *ptr = box->ptr;                                                                      \
        box->ptr = NULL;                                                                           \
        if (ptr != NULL)                                                                           \
            free_fn(ptr);                                                                          \
        return 0;                                                                                  \
    }

/* The string at idx as a slice, borrowed while the value stays where it is. [-0, +0, v] */
dx_slice l_checkslice(lua_State *L, int idx);
/* Pushes bytes; an empty slice is "". [-0, +1, m] */
void l_pushslice(lua_State *L, dx_slice s);

/* Set a field of the table on top; an unknown value sets none. [-0, +0, m] */
void l_set_integer(lua_State *L, const char *key, lua_Integer v);
void l_set_instant(lua_State *L, const char *key, int64_t ms);  /* DX_TIME_NONE: unknown */
void l_set_number(lua_State *L, const char *key, lua_Number v); /* NaN: unknown */
void l_set_boolean(lua_State *L, const char *key, bool v);
void l_set_string(lua_State *L, const char *key, const char *s); /* NULL: unknown */

/* An empty buffer of at most max bytes (0: no bound), owned by a userdata. [-0, +1, m] */
dx_buf *l_newbuf(lua_State *L, size_t max);
/* The bytes of a buffer made by l_newbuf as a string; the buffer is freed. Raises when an append
 * had failed. [-0, +1, v] */
int l_pushbuf(lua_State *L, dx_buf *b);

/* Fields of the table of options at idx; no table, or no field, gives the default. A field of the
 * wrong type raises and is named. A string is borrowed from the table. [-0, +0, v] */
lua_Integer l_opt_integer(lua_State *L, int idx, const char *key, lua_Integer otherwise);
lua_Number l_opt_number(lua_State *L, int idx, const char *key, lua_Number otherwise);
bool l_opt_boolean(lua_State *L, int idx, const char *key, bool otherwise);
const char *l_opt_string(lua_State *L, int idx, const char *key, const char *otherwise);

/* lua_pcall with a traceback: everything that C runs in Lua goes through here. A failure leaves a
 * text, the error's message with its traceback. [-(nargs + 1), +(nresults | 1), -] */
DX_MUST_CHECK int l_door(lua_State *L, int nargs, int nresults);
/* The same door, but an error comes out as a table {message=, traceback=}; one that is a table
 * already keeps its fields. (Without memory for the table it is a string.) */
DX_MUST_CHECK int l_door_record(lua_State *L, int nargs, int nresults);

#endif

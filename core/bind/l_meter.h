/* l_meter - the allocator of a Lua state: counts the bytes in use and refuses beyond a limit. Lua
 * answers a refusal with a full collection, and if that does not help with a memory error. */
#ifndef L_METER_H
#define L_METER_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct l_meter {
    size_t used;  /* bytes that the state holds now */
    size_t limit; /* 0: none */
    bool refused; /* a request was turned down; stays true until someone clears it */
} l_meter;

/* A lua_Alloc; ud is an l_meter. */
void *l_meter_alloc(void *ud, void *ptr, size_t osize, size_t nsize);
/* The meter of a state that was made with l_meter_alloc, else NULL. */
l_meter *l_meter_of(lua_State *L);

#endif

/* l_meter.c - see l_meter.h. */
#include "l_meter.h"

#include <stdlib.h>

void *l_meter_alloc(void *ud, void *ptr, size_t osize, size_t nsize) {
    l_meter *m = ud;
    size_t old = ptr == NULL ? 0 : osize; /* without a block, osize is a type tag */
    if (nsize == 0) {
        free(ptr);
        m->used -= old;
        return NULL;
    }
    if (nsize > old && m->limit != 0 && (m->used > m->limit || nsize - old > m->limit - m->used)) {
        m->refused = true;
        return NULL;
    }
    void *fresh = realloc(ptr, nsize);
    if (fresh != NULL)
        m->used = m->used - old + nsize;
    return fresh;
}

l_meter *l_meter_of(lua_State *L) {
    void *ud;
    return lua_getallocf(L, &ud) == l_meter_alloc ? ud : NULL;
}

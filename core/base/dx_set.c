/* dx_set.c - open addressing; no slot is ever given up, so that probing needs no marks. */
#include "dx_set.h"
#include "dx_mem.h"

#include <stdlib.h>

void dx_set_done(dx_set *s) {
    free(s->slots);
    *s = (dx_set){0};
}

/* The slot that holds v, or the empty one where it would go. */
static size_t slot_of(const uint64_t *slots, size_t nslots, uint64_t v) {
    size_t i = (size_t)v & (nslots - 1);
    while (slots[i] != 0 && slots[i] != v)
        i = (i + 1) & (nslots - 1);
    return i;
}

bool dx_set_has(const dx_set *s, uint64_t v) {
    if (v == 0)
        return s->has_zero;
    return s->nslots > 0 && s->slots[slot_of(s->slots, s->nslots, v)] == v;
}

static bool grow(dx_set *s) {
    size_t n = s->nslots == 0 ? 1024 : s->nslots * 2;
    uint64_t *slots = dx_calloc(n, sizeof *slots);
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < s->nslots; i++)
        if (s->slots[i] != 0)
            slots[slot_of(slots, n, s->slots[i])] = s->slots[i];
    free(s->slots);
    s->slots = slots;
    s->nslots = n;
    return true;
}

bool dx_set_add(dx_set *s, uint64_t v) {
    if (v == 0) {
        s->count += !s->has_zero;
        s->has_zero = true;
        return true;
    }
    if (s->count >= s->nslots / 10 * 7 && !grow(s))
        return false;
    size_t at = slot_of(s->slots, s->nslots, v);
    s->count += s->slots[at] != v;
    s->slots[at] = v;
    return true;
}

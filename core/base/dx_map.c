/* dx_map.c - an index of slots over an array of entries kept in the order of their arrival. */
#include "dx_map.h"
#include "dx_mem.h"

#include <stdlib.h>

typedef struct entry {
    dx_slice key; /* in the arena */
    uint64_t hash, value;
} entry;

struct dx_map {
    entry *entries;
    size_t count, cap;
    size_t *slots; /* 1 + index of an entry; 0: empty */
    size_t nslots; /* a power of two */
    dx_arena *keys;
};

dx_map *dx_map_new(void) {
    dx_map *m = dx_calloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    m->nslots = 16;
    m->slots = dx_calloc(m->nslots, sizeof *m->slots);
    m->keys = dx_arena_new(0);
    if (m->slots == NULL || m->keys == NULL) {
        dx_map_free(m);
        return NULL;
    }
    return m;
}

void dx_map_free(dx_map *m) {
    if (m == NULL)
        return;
    free(m->entries);
    free(m->slots);
    dx_arena_free(m->keys);
    free(m);
}

size_t dx_map_count(const dx_map *m) {
    return m->count;
}

/* The slot that holds key, or the empty one where it would go. */
static size_t slot_of(const dx_map *m, dx_slice key, uint64_t hash) {
    size_t mask = m->nslots - 1, i = (size_t)hash & mask;
    while (m->slots[i] != 0) {
        const entry *e = &m->entries[m->slots[i] - 1];
        if (e->hash == hash && dx_slice_eq(e->key, key))
            break;
        i = (i + 1) & mask;
    }
    return i;
}

bool dx_map_get(const dx_map *m, dx_slice key, uint64_t *value) {
    size_t at = m->slots[slot_of(m, key, dx_hash(key.p, key.n, 0))];
    if (at == 0)
        return false;
    *value = m->entries[at - 1].value;
    return true;
}

static bool grow_slots(dx_map *m) {
    size_t n = m->nslots * 2, mask = n - 1;
    size_t *slots = dx_calloc(n, sizeof *slots);
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < m->count; i++) {
        size_t at = (size_t)m->entries[i].hash & mask;
        while (slots[at] != 0)
            at = (at + 1) & mask;
        slots[at] = i + 1;
    }
    free(m->slots);
    m->slots = slots;
    m->nslots = n;
    return true;
}

bool dx_map_put(dx_map *m, dx_slice key, uint64_t value) {
    uint64_t hash = dx_hash(key.p, key.n, 0);
    size_t at = slot_of(m, key, hash);
    if (m->slots[at] != 0) {
        m->entries[m->slots[at] - 1].value = value;
        return true;
    }
    if ((m->count + 1) * 4 > m->nslots * 3) {
        if (!grow_slots(m))
            return false;
        at = slot_of(m, key, hash);
    }
    void *entries = m->entries;
    if (!dx_grow(&entries, &m->cap, m->count + 1, sizeof *m->entries))
        return false;
    m->entries = entries;
    char *copy = dx_arena_dup(m->keys, key);
    if (copy == NULL)
        return false;
    m->entries[m->count++] = (entry){dx_sn(copy, key.n), hash, value};
    m->slots[at] = m->count;
    return true;
}

bool dx_map_each(const dx_map *m, size_t *at, dx_slice *key, uint64_t *value) {
    if (*at >= m->count)
        return false;
    const entry *e = &m->entries[(*at)++];
    *key = e->key;
    *value = e->value;
    return true;
}

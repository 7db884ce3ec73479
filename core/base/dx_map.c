/* dx_map.c - slots that point to entries, whose keys stand in them: a look-up reads two places. The
 * entries are also kept in the order of their arrival. */
#include "dx_map.h"
#include "dx_mem.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    uint64_t hash, value;
    size_t n; /* bytes of the key */
    char key[];
} entry;

struct dx_map {
    entry **entries; /* in the arena */
    size_t count, cap;
    entry **slots; /* NULL: empty */
    size_t nslots; /* a power of two */
    dx_arena *memory;
};

dx_map *dx_map_new(void) {
    dx_map *m = dx_calloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    m->nslots = 16;
    m->slots = dx_calloc(m->nslots, sizeof *m->slots);
    m->memory = dx_arena_new(0);
    if (m->slots == NULL || m->memory == NULL) {
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
    dx_arena_free(m->memory);
    free(m);
}

size_t dx_map_count(const dx_map *m) {
    return m->count;
}

/* The slot that holds key, or the empty one where it would go. */
static size_t slot_of(const dx_map *m, dx_slice key, uint64_t hash) {
    size_t mask = m->nslots - 1, i = (size_t)hash & mask;
    for (const entry *e; (e = m->slots[i]) != NULL; i = (i + 1) & mask)
        if (e->hash == hash && dx_slice_eq(dx_sn(e->key, e->n), key))
            break;
    return i;
}

bool dx_map_get(const dx_map *m, dx_slice key, uint64_t *value) {
    const entry *e = m->slots[slot_of(m, key, dx_hash(key.p, key.n, 0))];
    if (e == NULL)
        return false;
    *value = e->value;
    return true;
}

static bool grow_slots(dx_map *m) {
    size_t n = m->nslots * 2, mask = n - 1;
    entry **slots = dx_calloc(n, sizeof *slots);
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < m->count; i++) {
        size_t at = (size_t)m->entries[i]->hash & mask;
        while (slots[at] != NULL)
            at = (at + 1) & mask;
        slots[at] = m->entries[i];
    }
    free(m->slots);
    m->slots = slots;
    m->nslots = n;
    return true;
}

static entry *new_entry(dx_map *m, dx_slice key, uint64_t hash, uint64_t value) {
    void *entries = m->entries;
    if (key.n > SIZE_MAX / 2 || !dx_grow(&entries, &m->cap, m->count + 1, sizeof *m->entries))
        return NULL;
    m->entries = entries;
    entry *e = dx_arena_alloc(m->memory, sizeof *e + key.n);
    if (e == NULL)
        return NULL;
    *e = (entry){.hash = hash, .value = value, .n = key.n};
    if (key.n > 0)
        memcpy(e->key, key.p, key.n);
    return e;
}

bool dx_map_put(dx_map *m, dx_slice key, uint64_t value) {
    uint64_t hash = dx_hash(key.p, key.n, 0);
    size_t at = slot_of(m, key, hash);
    if (m->slots[at] != NULL) {
        m->slots[at]->value = value;
        return true;
    }
    if ((m->count + 1) * 4 > m->nslots * 3) {
        if (!grow_slots(m))
            return false;
        at = slot_of(m, key, hash);
    }
    entry *e = new_entry(m, key, hash, value);
    if (e == NULL)
        return false;
    m->entries[m->count++] = m->slots[at] = e;
    return true;
}

bool dx_map_each(const dx_map *m, size_t *at, dx_slice *key, uint64_t *value) {
    if (*at >= m->count)
        return false;
    const entry *e = m->entries[(*at)++];
    *key = dx_sn(e->key, e->n);
    *value = e->value;
    return true;
}

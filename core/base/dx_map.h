/* dx_map - bytes -> 64-bit number, open addressing. Keys are copied into the map. */
#ifndef DX_MAP_H
#define DX_MAP_H

#include "dx_str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dx_map dx_map;

dx_map *dx_map_new(void);    /* NULL: no memory */
void dx_map_free(dx_map *m); /* NULL is fine */
size_t dx_map_count(const dx_map *m);
bool dx_map_get(const dx_map *m, dx_slice key, uint64_t *value);
/* Sets or replaces; false: no memory, then nothing has changed. */
bool dx_map_put(dx_map *m, dx_slice key, uint64_t value);
/* Walks all entries in the order they were first put: start with *at = 0; false at the end.
 * The key is borrowed from the map. */
bool dx_map_each(const dx_map *m, size_t *at, dx_slice *key, uint64_t *value);

#endif

/* dx_mem - memory with checked sizes, and arenas: many small pieces, freed as one. */
#ifndef DX_MEM_H
#define DX_MEM_H

#include "dx_err.h"
#include "dx_str.h"

#include <stddef.h>

/* n * size bytes, zeroed; NULL when there is no memory or the product overflows. Free with free().
 */
void *dx_calloc(size_t n, size_t size);
/* Grows *ptr (of *cap elements) to hold at least `need` elements of `size` bytes, doubling. False:
 * no memory or an overflow; then nothing has changed. */
bool dx_grow(void **ptr, size_t *cap, size_t need, size_t size);

typedef struct dx_arena dx_arena;
/* At most max_bytes in all (0: no bound). NULL: no memory. */
dx_arena *dx_arena_new(size_t max_bytes);
void dx_arena_free(dx_arena *a);  /* NULL is fine */
void dx_arena_reset(dx_arena *a); /* forgets all pieces, keeps one block for reuse */
/* n bytes, aligned for any type, not zeroed; NULL: no memory or over the bound. */
void *dx_arena_alloc(dx_arena *a, size_t n);
/* A NUL-terminated copy of s; NULL: no memory or over the bound. */
char *dx_arena_dup(dx_arena *a, dx_slice s);
size_t dx_arena_used(const dx_arena *a);

#endif

/* dx_mem.c - see dx_mem.h. */
#include "dx_mem.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 65536

void *dx_calloc(size_t n, size_t size) {
    if (size != 0 && n > SIZE_MAX / size)
        return NULL;
    return calloc(n == 0 ? 1 : n, size == 0 ? 1 : size);
}

bool dx_grow(void **ptr, size_t *cap, size_t need, size_t size) {
    if (need <= *cap)
        return true;
    size_t to = *cap < 8 ? 8 : *cap;
    while (to < need) {
        if (to > SIZE_MAX / 2)
            return false;
        to *= 2;
    }
    if (size != 0 && to > SIZE_MAX / size)
        return false;
    void *grown = realloc(*ptr, to * size);
    if (grown == NULL)
        return false;
    *ptr = grown;
    *cap = to;
    return true;
}

typedef struct block {
    struct block *next;
    size_t cap, used;
    alignas(max_align_t) char bytes[];
} block;

struct dx_arena {
    block *head;
    size_t used, max;
};

dx_arena *dx_arena_new(size_t max_bytes) {
    dx_arena *a = dx_calloc(1, sizeof *a);
    if (a != NULL)
        a->max = max_bytes;
    return a;
}

static void free_blocks(block *b) {
    while (b != NULL) {
        block *next = b->next;
        free(b);
        b = next;
    }
}

void dx_arena_free(dx_arena *a) {
    if (a == NULL)
        return;
    free_blocks(a->head);
    free(a);
}

void dx_arena_reset(dx_arena *a) {
    a->used = 0;
    if (a->head == NULL)
        return;
    free_blocks(a->head->next);
    a->head->next = NULL;
    a->head->used = 0;
}

void *dx_arena_alloc(dx_arena *a, size_t n) {
    const size_t align = alignof(max_align_t);
    if (n > SIZE_MAX - sizeof(block) - align)
        return NULL;
    n = (n + align - 1) / align * align;
    if (a->max != 0 && (n > a->max || a->used > a->max - n))
        return NULL;
    if (a->head == NULL || a->head->cap - a->head->used < n) {
        size_t cap = n > BLOCK ? n : BLOCK;
        block *b = malloc(sizeof *b + cap);
        if (b == NULL)
            return NULL;
        *b = (block){.next = a->head, .cap = cap};
        a->head = b;
    }
    void *p = a->head->bytes + a->head->used;
    a->head->used += n;
    a->used += n;
    return p;
}

char *dx_arena_dup(dx_arena *a, dx_slice s) {
    char *p = s.n == SIZE_MAX ? NULL : dx_arena_alloc(a, s.n + 1);
    if (p == NULL)
        return NULL;
    if (s.n > 0)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return p;
}

size_t dx_arena_used(const dx_arena *a) {
    return a->used;
}

/* slowlog_text.h - helpers of the slow-call tests: JSON in C strings is written with ' for " and ~
 * for a backslash. */
#ifndef SLOWLOG_TEXT_H
#define SLOWLOG_TEXT_H

#include "dx_mem.h"
#include "dx_slowlog.h"

#include <stdlib.h>
#include <string.h>

/* s with its quotes and backslashes in place; the caller frees. */
__attribute__((unused)) static char *quoted(const char *s) {
    size_t n = strlen(s);
    char *out = malloc(n + 1);
    if (out == NULL)
        abort();
    for (size_t i = 0; i <= n; i++)
        out[i] = (char)(s[i] == '\'' ? '"' : s[i] == '~' ? '\\' : s[i]);
    return out;
}

/* The same, which stays as long as the arena: a call's texts may lie in it. */
__attribute__((unused)) static dx_slice kept(dx_arena *arena, const char *s) {
    char *text = quoted(s);
    const char *copy = dx_arena_dup(arena, dx_s(text));
    free(text);
    if (copy == NULL)
        abort();
    return dx_s(copy);
}

/* A copy of exactly n bytes on the heap, so that a sanitizer sees a read beyond its end. */
__attribute__((unused)) static char *exact(const char *s, size_t n) {
    char *out = malloc(n == 0 ? 1 : n);
    if (out == NULL)
        abort();
    if (n > 0)
        memcpy(out, s, n);
    return out;
}

#endif

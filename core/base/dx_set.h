/* dx_set - a set of 64-bit numbers that are hashes already: 11 to 27 bytes for each. */
#ifndef DX_SET_H
#define DX_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dx_set {
    uint64_t *slots; /* 0: empty */
    size_t count, nslots;
    bool has_zero;
} dx_set; /* all zero: empty */

void dx_set_done(dx_set *s); /* empty again, and without memory */
bool dx_set_has(const dx_set *s, uint64_t v);
/* False: no memory, then nothing has changed. */
bool dx_set_add(dx_set *s, uint64_t v);

#endif

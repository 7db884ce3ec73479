/* dx_slowlog_text.c - what all readers of a record share: its texts in the arena, and what the name
 * of a region tells. */
#include "dx_region.h"
#include "dx_slowlog_int.h"

#include <string.h>

/* ---- texts */

char *slow_alloc(slow_rec *r, size_t n) {
    char *p = r->no_memory ? NULL : dx_arena_alloc(r->arena, n);
    if (p == NULL)
        r->no_memory = true;
    return p;
}

dx_slice slow_text(slow_rec *r, slow_value v) {
    if ((v.kind != SLOW_STRING && v.kind != SLOW_WORD) || v.raw.n == 0)
        return dx_sn(NULL, 0);
    if (!v.escaped)
        return v.raw;
    char *p = slow_alloc(r, v.raw.n);
    return p == NULL ? dx_sn(NULL, 0) : dx_sn(p, slow_json_unescape(p, v.raw));
}

dx_slice slow_join(slow_rec *r, const dx_slice *parts, size_t n) {
    size_t total = n == 0 ? 0 : n - 1;
    for (size_t i = 0; i < n; i++)
        total += parts[i].n;
    char *p = total == 0 ? NULL : slow_alloc(r, total);
    if (p == NULL)
        return dx_sn(NULL, 0);
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            p[at++] = ',';
        if (parts[i].n > 0)
            memcpy(p + at, parts[i].p, parts[i].n);
        at += parts[i].n;
    }
    return dx_sn(p, total);
}

/* ---- regions */

/* Table names have no comma and the first part of a region's name is its table. */
void slow_table(slow_rec *r, dx_slice name) {
    ptrdiff_t comma = dx_slice_find_char(name, ',', 0);
    if (comma > 0 && r->c.table.n == 0)
        r->c.table = dx_slice_sub(name, 0, (size_t)comma);
}

void slow_region(slow_rec *r, dx_slice name) {
    if (name.n == 0)
        return;
    if (r->c.region.n == 0)
        r->c.region = name;
    if (r->c.encoded.n == 0)
        r->c.encoded = dx_region_tail(name);
    slow_table(r, name);
}

/* dx_calls_scanner.c - which scanner is of which table. Calls come in the order of their log, and
 * so does what they tell: the result depends on no thread. */
#include "dx_calls_int.h"

#define SCANNERS 32768 /* in one half of those that are known */

static dx_slice bytes_of(const uint64_t *id) {
    return dx_sn((const char *)id, sizeof *id);
}

bool calls_scanners_open(calls_scanners *s) {
    return calls_regions_open(&s->young) && calls_regions_open(&s->old);
}

void calls_scanners_done(calls_scanners *s) {
    calls_regions_done(&s->young);
    calls_regions_done(&s->old);
}

bool calls_scanners_learn(calls_scanners *s, uint64_t id, dx_slice table) {
    if (dx_map_count(s->young.of) >= SCANNERS) {
        calls_regions_done(&s->old);
        s->old = s->young;
        s->young = (calls_regions){.of = NULL};
        if (!calls_regions_open(&s->young))
            return false;
    }
    return calls_learn(&s->young, bytes_of(&id), table);
}

dx_slice calls_scanners_table(const calls_scanners *s, uint64_t id) {
    dx_slice table = calls_table_of(&s->young, bytes_of(&id));
    return table.n > 0 ? table : calls_table_of(&s->old, bytes_of(&id));
}

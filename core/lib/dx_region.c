/* dx_region.c - region names, read from the right: the start key in the middle may hold any
 * printable byte, commas and dots too. */
#include "dx_events_match.h"

static bool all_digits(dx_slice s) {
    uint64_t v;
    return dx_slice_u64(s, &v);
}

static bool all_hex(dx_slice s) {
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] >= '0' && s.p[i] <= '9') || (s.p[i] >= 'a' && s.p[i] <= 'f')))
            return false;
    return s.n > 0;
}

bool dx_region_encoded(dx_slice s) {
    return (s.n == 32 && all_hex(s)) || (s.n <= 10 && all_digits(s));
}

/* "table", "ns:table", ".META.", "-ROOT-" */
static bool is_table(dx_slice s) {
    size_t colons = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == ':')
            colons++;
        else if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
                   || c == '_' || c == '-' || c == '.' || (c & 0x80) != 0))
            return false;
    }
    return s.n > 0 && colons <= 1 && s.p[0] != ':' && s.p[s.n - 1] != ':';
}

/* "1699999999999", or with the hex number of a replica, "1699999999999_0001" */
static bool is_id(dx_slice s) {
    ptrdiff_t bar = dx_slice_find_char(s, '_', 0);
    if (bar < 0)
        return all_digits(s);
    dx_slice replica = dx_slice_sub(s, (size_t)bar + 1, s.n);
    bool hex = replica.n == 4;
    for (size_t i = 0; hex && i < replica.n; i++) {
        char c = replica.p[i];
        hex = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
    }
    return hex && all_digits(dx_slice_sub(s, 0, (size_t)bar));
}

bool dx_region_split(dx_slice region, dx_slice *table, dx_slice *encoded) {
    bool dotted = dx_slice_ends(region, ".");
    dx_slice s = dotted ? dx_slice_sub(region, 0, region.n - 1) : region;
    ptrdiff_t first = dx_slice_find_char(s, ',', 0), last = dx_slice_rfind_char(s, ',');
    if (first < 0 || last == first || !is_table(dx_slice_sub(s, 0, (size_t)first)))
        return false;
    dx_slice id = dx_slice_sub(s, (size_t)last + 1, s.n), tail = dx_slice_sub(s, s.n, s.n);
    ptrdiff_t dot = dx_slice_rfind_char(id, '.');
    if (dot >= 0) {
        tail = dx_slice_sub(id, (size_t)dot + 1, id.n);
        id = dx_slice_sub(id, 0, (size_t)dot);
        if (!dx_region_encoded(tail))
            return false;
    } else if (dotted) {
        return false;
    }
    if (!is_id(id))
        return false;
    *table = dx_slice_sub(s, 0, (size_t)first);
    *encoded = tail;
    return true;
}

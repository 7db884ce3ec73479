/* dx_region.c - see dx_region.h. */
#include "dx_region.h"
#include "dx_bytes.h"

#include <stdint.h>
#include <string.h>

static bool all_digits(dx_slice s) {
    uint64_t v;
    return dx_slice_u64(s, &v);
}

static bool is_md5(dx_slice s) {
    return s.n == 32 && dx_hex16(s.p) && dx_hex16(s.p + 16);
}

bool dx_region_encoded(dx_slice s) {
    return is_md5(s) || (s.n <= 10 && all_digits(s));
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

/* "table,key,1699999999999.<32 hex digits>.", as nearly all are, is told from its end. */
static bool split_usual(dx_slice s, dx_slice *table, dx_slice *encoded) {
    if (s.n < 38 || s.p[s.n - 1] != '.' || s.p[s.n - 34] != '.')
        return false;
    const size_t to = s.n - 34;
    size_t last = to;
    while (last > 0 && dx_is_digit(s.p[last - 1]))
        last--;
    if (last == 0 || last == to || to - last > 19 || s.p[--last] != ',')
        return false;
    dx_slice md5 = {s.p + to + 1, 32};
    size_t first = (size_t)dx_slice_find_char(s, ',', 0);
    if (first == last || !is_md5(md5) || !is_table(dx_slice_sub(s, 0, first)))
        return false;
    *table = dx_slice_sub(s, 0, first);
    *encoded = md5;
    return true;
}

bool dx_region_split(dx_slice region, dx_slice *table, dx_slice *encoded) {
    if (split_usual(region, table, encoded))
        return true;
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

/* "hbase:meta,,1" as its raw bytes print, also of a replica "hbase:meta,,1_0001". */
static dx_slice meta_encoded(dx_slice name) {
    if (dx_slice_is(name, "hbase:meta,,1")
        || (dx_slice_starts(name, "hbase:meta,,1_") && name.n == strlen("hbase:meta,,1_0001")))
        return dx_s("1588230740");
    if (dx_slice_is(name, ".META.,,1"))
        return dx_s("1028785192");
    return dx_sn(NULL, 0);
}

/* Catalog regions keep the short form: "hbase:meta,,1.1588230740", "-ROOT-,,0.70236052". */
static dx_slice catalog_encoded(dx_slice name) {
    size_t digits = 0;
    if (!dx_slice_starts(name, "hbase:meta,") && !dx_slice_starts(name, ".META.,")
        && !dx_slice_starts(name, "-ROOT-,"))
        return dx_sn(NULL, 0);
    while (digits < 11 && digits < name.n && name.p[name.n - digits - 1] >= '0'
           && name.p[name.n - digits - 1] <= '9')
        digits++;
    if (digits > 0 && digits < 11 && digits < name.n && name.p[name.n - digits - 1] == '.')
        return dx_slice_sub(name, name.n - digits, name.n);
    return meta_encoded(name);
}

dx_slice dx_region_tail(dx_slice name) {
    if (is_md5(name))
        return name;
    if (name.n > 34 && name.p[name.n - 1] == '.' && name.p[name.n - 34] == '.') {
        dx_slice hex = dx_slice_sub(name, name.n - 33, name.n - 1);
        if (is_md5(hex))
            return hex;
    }
    return catalog_encoded(name);
}

/* dx_jmx_name.c - see dx_jmx_name.h. The patterns are those of HBase's metric sources: Regions,
 * Tables, TableLatencies, TableRequests, Users and WAL. */
#include "dx_jmx_name.h"

#include <string.h>

#define MAX_PROPS     16
#define ENCODED_NAME  32           /* hex digits */
#define META_REGION   "1588230740" /* the encoded name of hbase:meta */
#define TABLE_BEAN    "TableRequests"
#define NAMESPACE     "Namespace_"
#define DEFAULT_SPACE "default"

typedef struct prop {
    dx_slice key, value;
} prop;

/* End of the property that starts at i: its comma, or the end. A quoted value may hold commas. */
static size_t prop_end(dx_slice s, size_t i) {
    bool quoted = false;
    for (; i < s.n; i++) {
        if (quoted && s.p[i] == '\\')
            i++;
        else if (s.p[i] == '"')
            quoted = !quoted;
        else if (s.p[i] == ',' && !quoted)
            break;
    }
    return i < s.n ? i : s.n;
}

/* Key properties sorted by key; 0: s is no list of them, or too long a one. */
static size_t read_props(dx_slice s, prop props[MAX_PROPS]) {
    size_t n = 0;
    for (size_t i = 0; i < s.n;) {
        size_t end = prop_end(s, i);
        dx_slice one = dx_slice_sub(s, i, end);
        ptrdiff_t eq = dx_slice_find_char(one, '=', 0);
        if (eq < 1 || n == MAX_PROPS)
            return 0;
        prop p = {dx_slice_sub(one, 0, (size_t)eq), dx_slice_sub(one, (size_t)eq + 1, one.n)};
        size_t at = n++;
        for (; at > 0; at--) {
            dx_slice before = props[at - 1].key;
            size_t shared = before.n < p.key.n ? before.n : p.key.n;
            int order = memcmp(before.p, p.key.p, shared);
            if (order < 0 || (order == 0 && before.n <= p.key.n))
                break;
            props[at] = props[at - 1];
        }
        props[at] = p;
        i = end + 1;
    }
    return n;
}

/* name=N and sub=S of Hadoop:service=HBase, which has no other properties. */
static bool hbase_names(dx_slice domain, const prop *props, size_t n, dx_slice *name,
                        dx_slice *sub) {
    *sub = dx_s(NULL);
    if (!dx_slice_is(domain, "Hadoop") || (n != 2 && n != 3) || !dx_slice_is(props[0].key, "name")
        || !dx_slice_is(props[1].key, "service") || !dx_slice_is(props[1].value, "HBase"))
        return false;
    *name = props[0].value;
    if (n == 3)
        *sub = props[2].value;
    return n == 2 || dx_slice_is(props[2].key, "sub");
}

static char *put(char *to, dx_slice s) {
    if (s.n > 0)
        memcpy(to, s.p, s.n);
    return to + s.n;
}

static bool join_hbase(dx_slice *bean, dx_slice name, dx_slice sub, dx_arena *arena) {
    *bean = name;
    if (sub.n == 0)
        return true;
    char *p = dx_arena_alloc(arena, name.n + 1 + sub.n);
    if (p == NULL)
        return false;
    *bean = dx_sn(p, name.n + 1 + sub.n);
    put(put(put(p, name), dx_s(".")), sub);
    return true;
}

/* size: of the whole name as it was; sorting does not make it longer. */
static bool join_props(dx_slice *bean, dx_slice domain, const prop *props, size_t n, size_t size,
                       dx_arena *arena) {
    char *start = dx_arena_alloc(arena, size);
    if (start == NULL)
        return false;
    char *p = put(start, domain);
    for (size_t i = 0; i < n; i++) {
        p = put(p, dx_s(i == 0 ? ":" : ","));
        p = put(put(put(p, props[i].key), dx_s("=")), props[i].value);
    }
    *bean = dx_sn(start, (size_t)(p - start));
    return true;
}

/* "<ns>_table_<table>". The first "_table_" ends the namespace: a table may have one, a namespace
 * hardly ever does. */
static bool split_table(dx_jmx_labels *labels, dx_slice s) {
    ptrdiff_t at = dx_slice_find(s, "_table_", 0);
    if (at < 1 || (size_t)at + 7 == s.n)
        return false;
    labels->ns = dx_slice_sub(s, 0, (size_t)at);
    labels->table = dx_slice_sub(s, (size_t)at + 7, s.n);
    if (dx_slice_is(labels->ns, DEFAULT_SPACE))
        labels->ns = dx_s(NULL);
    return true;
}

bool dx_jmx_bean_name(dx_slice *bean, dx_jmx_labels *labels, dx_slice object_name,
                      dx_arena *arena) {
    *labels = (dx_jmx_labels){.name = dx_s(NULL)};
    *bean = object_name;
    prop props[MAX_PROPS];
    dx_slice name, sub;
    ptrdiff_t colon = dx_slice_find_char(object_name, ':', 0);
    if (colon < 0)
        return true;
    dx_slice domain = dx_slice_sub(object_name, 0, (size_t)colon);
    size_t n = read_props(dx_slice_sub(object_name, (size_t)colon + 1, object_name.n), props);
    if (n == 0)
        return true;
    if (!hbase_names(domain, props, n, &name, &sub))
        return join_props(bean, domain, props, n, object_name.n, arena);
    if (dx_slice_starts(sub, TABLE_BEAN "_" NAMESPACE)
        && split_table(labels, dx_slice_sub(sub, sizeof TABLE_BEAN "_" NAMESPACE - 1, sub.n)))
        sub = dx_s(TABLE_BEAN);
    return join_hbase(bean, name, sub, arena);
}

/* Offset of the last occurrence of needle in s, or -1. Near the end in the names we read. */
static ptrdiff_t find_last(dx_slice s, const char *needle) {
    size_t n = strlen(needle);
    for (size_t at = s.n < n ? 0 : s.n - n + 1; at > 0; at--)
        if (s.p[at - 1] == needle[0] && memcmp(s.p + at - 1, needle, n) == 0)
            return (ptrdiff_t)(at - 1);
    return -1;
}

/* Cuts s before the last occurrence of mark, *after is what follows it. */
static bool cut_last(dx_slice *s, const char *mark, dx_slice *after) {
    ptrdiff_t at = find_last(*s, mark);
    if (at < 0)
        return false;
    *after = dx_slice_sub(*s, (size_t)at + strlen(mark), s->n);
    *s = dx_slice_sub(*s, 0, (size_t)at);
    return true;
}

static bool is_encoded(const char *p) {
    unsigned bad = 0;
    for (size_t i = 0; i < ENCODED_NAME; i++) {
        unsigned c = (unsigned char)p[i];
        bad |= (c - '0' > 9) & (c - 'a' > 5);
    }
    return bad == 0;
}

/* Cuts "_region_<encoded>" off the end of s. */
static bool cut_region(dx_slice *s, dx_slice *region) {
    static const char mark[] = "_region_";
    const size_t nmark = sizeof mark - 1;
    size_t n = ENCODED_NAME;
    if (s->n < n + nmark || memcmp(s->p + s->n - n - nmark, mark, nmark) != 0) {
        n = sizeof META_REGION - 1;
        if (!dx_slice_ends(*s, "_region_" META_REGION))
            return false;
    } else if (!is_encoded(s->p + s->n - n)) {
        return false;
    }
    *region = dx_slice_sub(*s, s->n - n, s->n);
    s->n -= n + nmark;
    return true;
}

/* The same before "_store_<family>"; a family may have "_store_" in its name too. */
static bool cut_store(dx_slice *s, dx_slice *region, dx_slice *family) {
    dx_slice left = *s, after;
    while (cut_last(&left, "_store_", &after)) {
        dx_slice rest = left;
        if (cut_region(&rest, region)) {
            *family = dx_slice_sub(*s, left.n + 7, s->n);
            *s = rest;
            return true;
        }
    }
    return false;
}

static bool split_namespace(dx_jmx_labels *labels, dx_slice attribute) {
    dx_slice s = dx_slice_sub(attribute, sizeof NAMESPACE - 1, attribute.n);
    if (!cut_last(&s, "_metric_", &labels->name) || labels->name.n == 0)
        return false;
    if (!cut_region(&s, &labels->region) && !cut_store(&s, &labels->region, &labels->family))
        cut_last(&s, "_columnfamily_", &labels->family);
    return split_table(labels, s);
}

static bool split_user(dx_jmx_labels *labels, dx_slice attribute) {
    dx_slice s = dx_slice_sub(attribute, 5, attribute.n); /* "User_" */
    if (!cut_last(&s, "_metric_", &labels->name) || labels->name.n == 0)
        return false;
    labels->user = s;
    return s.n > 0;
}

static bool split_wal(dx_jmx_labels *labels, dx_slice attribute) {
    if (!dx_slice_ends(attribute, ".appendCount") && !dx_slice_ends(attribute, ".appendSize"))
        return false;
    dx_slice s = attribute;
    cut_last(&s, ".", &labels->name);
    labels->table = s;
    return s.n > 0;
}

void dx_jmx_split(dx_jmx_labels *labels, dx_slice bean, dx_slice attribute) {
    *labels = (dx_jmx_labels){.name = dx_s(NULL)};
    bool split = false;
    if (attribute.n > 0 && attribute.p[0] == 'N' && dx_slice_starts(attribute, NAMESPACE))
        split = split_namespace(labels, attribute);
    else if (dx_slice_is(bean, "RegionServer.Users") && dx_slice_starts(attribute, "User_"))
        split = split_user(labels, attribute);
    else if (dx_slice_is(bean, "RegionServer.WAL"))
        split = split_wal(labels, attribute);
    if (!split)
        *labels = (dx_jmx_labels){.name = attribute};
}

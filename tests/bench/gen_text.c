/* gen_text.c - see gen.h: random numbers, the pieces of a line, and the layouts. Nothing here calls
 * printf, which would take most of the time. */
#include "gen.h"

#include <string.h>

/* ---- random numbers: splitmix64 */

uint64_t gen_random(gen *g) {
    uint64_t z = g->rng += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t gen_below(gen *g, uint64_t n) {
    return (gen_random(g) >> 11) % n;
}

int64_t gen_between(gen *g, int64_t lo, int64_t hi) {
    return lo + (int64_t)gen_below(g, (uint64_t)(hi - lo) + 1);
}

/* ---- text */

void text_bytes(gen_text *t, const char *p, size_t n) {
    if (n > TEXT_MAX - t->n)
        n = TEXT_MAX - t->n;
    memcpy(t->p + t->n, p, n);
    t->n += n;
}

void text_char(gen_text *t, char c) {
    text_bytes(t, &c, 1);
}

void text_put(gen_text *t, const char *s) {
    text_bytes(t, s, strlen(s));
}

void text_u64(gen_text *t, uint64_t v) {
    char digits[20];
    size_t n = sizeof digits;
    do
        digits[--n] = (char)('0' + v % 10);
    while ((v /= 10) > 0);
    text_bytes(t, digits + n, sizeof digits - n);
}

void text_i64(gen_text *t, int64_t v) {
    if (v < 0)
        text_char(t, '-');
    text_u64(t, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

/* At least `width` digits. */
void text_padded(gen_text *t, uint64_t v, int width) {
    char digits[8];
    for (int i = width; i-- > 0; v /= 10)
        digits[i] = (char)('0' + v % 10);
    text_bytes(t, digits, (size_t)width);
}

void text_hex(gen *g, gen_text *t, size_t n) {
    static const char hex[] = "0123456789abcdef";
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++, bits >>= 4) {
        if (i % 16 == 0)
            bits = gen_random(g);
        text_char(t, hex[bits & 15]);
    }
}

/* n / unit with two digits behind the point, or one; none where it is whole and `whole` says so. */
static void put_fraction(gen_text *t, uint64_t n, uint64_t unit, uint64_t tenths, bool whole) {
    text_u64(t, n / unit);
    if (whole && n % unit == 0)
        return;
    text_char(t, '.');
    text_padded(t, n % unit * tenths / unit, tenths == 100 ? 2 : 1);
}

void text_size(gen_text *t, uint64_t n, size_form f) {
    static const char units[] = "KMGT";
    uint64_t unit = 1;
    int at = -1;
    while (n / unit >= 1024 && at < 3)
        unit *= 1024, at++;
    if (at < 0)
        text_u64(t, n);
    else
        put_fraction(t, n, unit, f.tenths, f.whole);
    if (f.blank && (at >= 0 || f.bytes))
        text_char(t, ' ');
    if (at >= 0)
        text_char(t, f.lower ? (char)(units[at] + 32) : units[at]);
    if (f.bytes)
        text_char(t, 'B');
}

/* ---- names */

const char *const gen_families[4] = {"d", "m", "cf1", "raw"};

const char *gen_version(gen_era era) {
    static const char *const names[ERAS] = {"0.94.27", "0.98.24", "1.2.4",          "1.4.13",
                                            "1.7.1",   "2.0.2",   "2.1.0-cdh6.3.2", "2.3.3",
                                            "2.4.17",  "2.5.8",   "2.6.1",          "3.0.0"};
    return names[era];
}

const char *gen_table(unsigned table) {
    static const char *const names[TABLES] = {
        "orders",        "events",       "shop:carts",   "shop:stock", "iot:readings", "iot:alarms",
        "users",         "sessions",     "audit",        "web:pages",  "web:links",    "crawl",
        "billing:lines", "billing:runs", "search-terms", "ads:clicks", "ads:budgets",  "messages",
        "geo:tiles",     "geo:tracks",   "ml.features",  "ml.models",  "t_daily_2026", "tsdb"};
    return names[table];
}

void gen_address(uint64_t client, gen_text *t) {
    if (client % 64 == 7) {
        text_put(t, "2001:db8:0:0:0:0:");
        text_u64(t, client / 640 % 10000);
        text_char(t, ':');
        text_u64(t, client / 64 % 10);
        return;
    }
    text_put(t, "10.");
    text_u64(t, client >> 16 & 255);
    text_char(t, '.');
    text_u64(t, client >> 8 & 255);
    text_char(t, '.');
    text_u64(t, client & 255);
}

uint64_t gen_port(const gen *g) {
    return g->era <= E098 ? 60020 : 16020;
}

void gen_server(const gen *g, gen_text *t) {
    text_put(t, GEN_HOST ",");
    text_u64(t, gen_port(g));
    text_put(t, "," GEN_START);
}

static void put_key(const gen_region *r, bool octal, gen_text *t) {
    static const char hex[] = "0123456789ABCDEF";
    for (size_t i = 0; i < r->raw_n; i++) {
        unsigned c = (unsigned char)r->raw[i];
        if (c >= 0x20 && c < 0x7f && c != '\\') {
            text_char(t, (char)c);
        } else if (octal) {
            text_bytes(t,
                       (const char[]){'\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)),
                                      (char)('0' + (c & 7))},
                       4);
        } else {
            text_bytes(t, (const char[]){'\\', 'x', hex[c >> 4], hex[c & 15]}, 4);
        }
    }
}

void gen_region_name(const gen_region *r, bool octal, gen_text *t) {
    text_put(t, gen_table(r->table));
    text_char(t, ',');
    put_key(r, octal, t);
    text_char(t, ',');
    text_put(t, r->created);
    text_char(t, '.');
    text_put(t, r->encoded);
    text_char(t, '.');
}

static void make_region(gen *g, gen_region *r, unsigned at) {
    gen_text t;
    t.n = 0;
    r->table = at % TABLES;
    if (at >= TABLES) { /* a table's first region has no start key */
        memcpy(r->raw, "user", 4);
        for (r->raw_n = 4; r->raw_n < 8; r->raw_n++)
            r->raw[r->raw_n] = (char)('0' + gen_below(g, 10));
        if (at % 5 == 0)
            for (; r->raw_n < 12; r->raw_n++)
                r->raw[r->raw_n] = (char)gen_below(g, 256);
    }
    text_i64(&t, gen_between(g, INT64_C(1600000000000), INT64_C(1790000000000)));
    memcpy(r->created, t.p, t.n);
    t.n = 0;
    text_hex(g, &t, 32);
    memcpy(r->encoded, t.p, t.n);
}

void gen_init(gen *g, uint64_t seed) {
    memset(g, 0, sizeof *g);
    g->rng = seed;
    g->now = INT64_C(1796069400000); /* 2026-11-30 21:30 */
    for (unsigned i = 0; i < REGIONS; i++)
        make_region(g, &g->regions[i], i);
    g->region = g->regions;
}

void text_path(const gen *g, gen_text *t) {
    const char *table = gen_table(g->region->table), *colon = strchr(table, ':');
    text_put(t, "hdfs://nn1.example.internal:8020/hbase/data/");
    if (colon == NULL)
        text_put(t, "default");
    else
        text_bytes(t, table, (size_t)(colon - table));
    text_char(t, '/');
    text_put(t, colon == NULL ? table : colon + 1);
    text_char(t, '/');
    text_put(t, g->region->encoded);
    text_char(t, '/');
}

void text_wal(gen *g, gen_text *t) {
    text_put(t, g->era == E094 ? "/hbase/.logs/" : "/hbase/WALs/");
    gen_server(g, t);
    text_put(t, "/" GEN_HOST "%2C");
    text_u64(t, gen_port(g));
    text_put(t, "%2C" GEN_START ".");
    text_i64(t, g->now - gen_between(g, 1000, 3600000));
}

void text_datanode(gen *g, gen_text *t) {
    uint64_t node = gen_below(g, 12);
    text_put(t, "DatanodeInfoWithStorage[10.1.0.");
    text_u64(t, 21 + node);
    text_put(t, g->era < E20 ? ":50010,DS-" : ":9866,DS-");
    text_padded(t, 10000000 + node * 7654321 % 80000000, 8);
    text_put(t, "-5f1e-4c1b-9a77-0c8e55a1b2d3,DISK]");
}

void text_pipeline(gen *g, gen_text *t) {
    text_char(t, '[');
    for (int i = 0; i < 3; i++) {
        if (i > 0)
            text_put(t, ", ");
        text_datanode(g, t);
    }
    text_char(t, ']');
}

void text_files(gen *g, gen_text *t) {
    for (uint64_t i = 0, n = 2 + gen_below(g, 7); i < n; i++) {
        if (i > 0)
            text_put(t, ", ");
        text_path(g, t);
        text_put(t, "d/");
        text_hex(g, t, 32);
    }
}

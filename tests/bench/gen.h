/* gen - parts of the generator of logs: what a line is made of (gen_text.c), what lines there are
 * (gen_rows.c), and slow calls (gen_call.c). gen_logs.c mixes them. */
#ifndef GEN_H
#define GEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Generations of RegionServers: each writes other words, in another layout. */
typedef enum gen_era {
    E094, /* 0.94.27 */
    E098, /* 0.98.24 */
    E12,  /* 1.2.4 */
    E14,  /* 1.4.13 */
    E17,  /* 1.7.1 */
    E20,  /* 2.0.2 */
    E21C, /* 2.1 in Cloudera's layout */
    E23,  /* 2.3.3 */
    E24,  /* 2.4.17 */
    E25,  /* 2.5.8 */
    E26,  /* 2.6.1 */
    E30,  /* 3.0.0 */
    ERAS
} gen_era;

#define TEXT_MAX 16384
/* Text that is being written; what does not fit is left out. */
typedef struct gen_text {
    size_t n;
    char p[TEXT_MAX];
} gen_text;

#define TABLES  24
#define REGIONS (TABLES * 32)
typedef struct gen_region {
    unsigned table;
    char raw[16]; /* the start key's bytes */
    size_t raw_n;
    char created[16], encoded[33];
} gen_region;

typedef struct gen {
    uint64_t rng;
    gen_era era;
    int64_t now; /* of the line in work, ms, UTC */
    const gen_region *region;
    unsigned thread;  /* keeps the threads of a scene the same */
    uint64_t number;  /* the last size that was written */
    gen_text message; /* of the record in work */
    gen_region regions[REGIONS];
} gen;

/* --- gen_text.c */

void gen_init(gen *g, uint64_t seed);
uint64_t gen_random(gen *g);
uint64_t gen_below(gen *g, uint64_t n); /* 0 to n - 1 */
int64_t gen_between(gen *g, int64_t lo, int64_t hi);

void text_char(gen_text *t, char c);
void text_put(gen_text *t, const char *s);
void text_bytes(gen_text *t, const char *p, size_t n);
void text_u64(gen_text *t, uint64_t v);
void text_i64(gen_text *t, int64_t v);

void text_padded(gen_text *t, uint64_t v, int width); /* at least so many digits, at most 8 */
void text_hex(gen *g, gen_text *t, size_t n);

typedef struct size_form {
    uint64_t tenths;                 /* 100: two digits behind the point; 10: one */
    bool whole, blank, lower, bytes; /* bytes: "B" behind the unit, also where there is no unit */
} size_form;
void text_size(gen_text *t, uint64_t n, size_form f);

void text_path(const gen *g, gen_text *t); /* the region's folder */
void text_wal(gen *g, gen_text *t);
void text_datanode(gen *g, gen_text *t);
void text_pipeline(gen *g, gen_text *t);
void text_files(gen *g, gen_text *t); /* a compaction's list */

#define GEN_HOST  "rs07.example.internal"
#define GEN_START "1796068800123"
uint64_t gen_port(const gen *g);
extern const char *const gen_families[4];
const char *gen_version(gen_era era);
const char *gen_table(unsigned table);
void gen_server(const gen *g, gen_text *t); /* host,port,startcode */
/* "table,startkey,created.encoded." with \xHH, or with protobuf's octal escapes. */
void gen_region_name(const gen_region *r, bool octal, gen_text *t);
void gen_address(uint64_t client, gen_text *t); /* without port */

/* --- gen_line.c */

/* Writes a template; see gen_rows.c for its codes. */
void gen_template(gen *g, const char *s, gen_text *t);
/* Stamp, level ('I', 'W', 'E'), thread and logger in the era's layout. */
void gen_prefix(gen *g, char level, char role, const char *logger, gen_text *t);
/* Bytes of a message that the era's layout keeps, from its end. */
size_t gen_message_max(gen_era era);

/* --- gen_rows.c */

typedef struct gen_row {
    unsigned eras;    /* bits */
    unsigned weight;  /* of the scene that it begins; 0: goes on with the row before */
    const char *kind; /* the event that hbdx has to find in it; NULL: none */
    char level, role;
    const char *logger, *text;
} gen_row;
extern const gen_row gen_rows[];
extern const size_t gen_row_count;

/* --- gen_call.c */

/* Writes "(responseTooSlow): {...}" of a call of group `group` to g->message and its handler's
 * logger to *logger. Returns a hash of table (when told), method and client. */
uint64_t gen_call(gen *g, uint64_t group, const char **logger);

#endif

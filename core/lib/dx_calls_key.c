/* dx_calls_key.c - what a call is grouped by, and what is told of the longest one. A key is its
 * parts behind each other, each with its kind before it, so that no two keys are confused. */
#include "dx_calls_int.h"
#include "dx_mem.h"
#include "dx_server.h"

#include <stdlib.h>
#include <string.h>

#define MAX_REGIONS 262144 /* beyond, regions that are new have no table of their own */
#define QUARTER_MS  INT64_C(900000)
#define QUARTERS    96 /* of a day */

enum { PART_UNKNOWN, PART_TEXT, PART_NUMBER, PART_ENCODED, PART_SERVER, PART_SOURCE, PART_QUARTER };

typedef enum by_id {
    BY_TABLE,
    BY_METHOD,
    BY_CLIENT,
    BY_CLIENT_PORT,
    BY_USER,
    BY_SERVER,
    BY_SERVER_CLASS,
    BY_SOURCE,
    BY_REGION,
    BY_ENCODED,
    BY_FAMILY,
    BY_FILTERS,
    BY_CACHING,
    BY_BATCH,
    BY_CACHE_BLOCKS,
    BY_HAS_START_ROW,
    BY_HAS_STOP_ROW,
    BY_FULL_RANGE,
    BY_HOUR,
    BY_COUNT
} by_id;

static const char *const by_names[BY_COUNT] = {
    "table",         "method",       "client",     "client_port", "user",
    "server",        "server_class", "source",     "region",      "encoded",
    "family",        "filters",      "caching",    "batch",       "cache_blocks",
    "has_start_row", "has_stop_row", "full_range", "hour"};

const char *dx_calls_group_name(size_t i) {
    return i < BY_COUNT ? by_names[i] : NULL;
}

static bool by_read(calls_by *by, const char *name) {
    for (size_t i = 0; i < BY_COUNT; i++) {
        if (!dx_str_eq(by_names[i], name))
            continue;
        by->of[by->n++] = (unsigned char)i;
        return true;
    }
    return false;
}

dx_status calls_by_read(calls_by *by, const char *const *names, size_t n, dx_err *err) {
    *by = (calls_by){.n = 0};
    if (n > DX_CALLS_KEYS)
        return dx_fail(err, DX_E_USAGE, "calls can be grouped by %d keys at most", DX_CALLS_KEYS);
    for (size_t i = 0; i < n; i++)
        if (!by_read(by, names[i]))
            return dx_fail(err, DX_E_USAGE, "calls cannot be grouped by \"%s\"", names[i]);
    return DX_OK;
}

bool dx_calls_part_of(const dx_calls *c, const char *name, size_t *part) {
    for (size_t i = 0; i < c->by.n; i++) {
        *part = i;
        if (dx_str_eq(by_names[c->by.of[i]], name))
            return true;
    }
    return false;
}

/* --- parts */

static void add_text(dx_buf *out, char kind, dx_slice s) {
    dx_buf_addc(out, s.n == 0 ? PART_UNKNOWN : kind);
    if (s.n > 0)
        dx_pack_text(out, s);
}

static void add_number(dx_buf *out, char kind, int64_t v) {
    dx_buf_addc(out, kind);
    dx_pack_i64(out, v);
}

static void add_known(dx_buf *out, int64_t v) {
    if (v == DX_UNKNOWN)
        dx_buf_addc(out, PART_UNKNOWN);
    else
        add_number(out, PART_NUMBER, v);
}

static void add_tri(dx_buf *out, dx_tri v) {
    add_known(out, v == DX_TRI_UNKNOWN ? DX_UNKNOWN : (int64_t)v);
}

/* Takes the first part off key; false: there is none. */
static bool take_part(dx_unpack *key, int *kind, dx_slice *text, int64_t *number) {
    if (key->rest.n == 0)
        return false;
    *kind = key->rest.p[0];
    *text = (dx_slice){NULL, 0};
    key->rest = dx_slice_sub(key->rest, 1, key->rest.n);
    if (*kind == PART_TEXT || *kind == PART_ENCODED)
        *text = dx_unpack_text(key);
    else if (*kind != PART_UNKNOWN)
        *number = dx_unpack_i64(key);
    return !key->failed;
}

dx_calls_part dx_calls_key_part(dx_slice key, size_t i) {
    dx_unpack in = {key, false};
    dx_slice text;
    int64_t number = 0;
    int kind = PART_UNKNOWN;
    for (size_t k = 0; k <= i; k++)
        if (!take_part(&in, &kind, &text, &number))
            return (dx_calls_part){.type = DX_PART_UNKNOWN};
    if (kind == PART_TEXT)
        return (dx_calls_part){.type = DX_PART_TEXT, .text = text};
    if (kind == PART_NUMBER)
        return (dx_calls_part){.type = DX_PART_NUMBER, .number = number};
    return (dx_calls_part){.type = DX_PART_UNKNOWN};
}

/* --- notes */

void calls_told(const dx_call *call, dx_buf *out) {
    const dx_slice texts[] = {call->user, call->table, call->filters};
    const int64_t numbers[] = {call->start_ms,       call->proc_ms, call->queue_ms,
                               call->response_bytes, call->caching, call->actions};
    const dx_tri truths[] = {call->has_start_row, call->has_stop_row, call->cache_blocks};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        dx_pack_text(out, texts[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        dx_pack_i64(out, numbers[i]);
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        dx_pack_u64(out, (uint64_t)(truths[i] + 1));
    dx_pack_u64(out, call->param_cut);
}

void calls_note(const char *source, uint64_t line, dx_buf *out) {
    dx_pack_text(out, dx_s(source));
    for (int shift = 56; shift >= 0; shift -= 8) /* so that smaller notes are earlier lines */
        dx_buf_addc(out, (char)(line >> shift & 0xff));
}

static uint64_t take_line(dx_unpack *in) {
    uint64_t line = 0;
    in->failed = in->failed || in->rest.n < 8;
    for (size_t i = 0; i < 8 && !in->failed; i++)
        line = line << 8 | (unsigned char)in->rest.p[i];
    in->rest = dx_slice_sub(in->rest, 8, in->rest.n);
    return line;
}

bool dx_calls_note_read(dx_slice note, dx_calls_note *out) {
    dx_unpack in = {note, false};
    dx_slice *const texts[] = {&out->user, &out->table, &out->filters};
    int64_t *const numbers[] = {&out->start_ms,       &out->proc_ms, &out->queue_ms,
                                &out->response_bytes, &out->caching, &out->actions};
    dx_tri *const truths[] = {&out->has_start_row, &out->has_stop_row, &out->cache_blocks};
    out->source = dx_unpack_text(&in);
    out->line = take_line(&in);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = dx_unpack_text(&in);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = dx_unpack_i64(&in);
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        *truths[i] = (dx_tri)((int)dx_unpack_upto(&in, 2) - 1);
    out->param_cut = dx_unpack_upto(&in, 1) == 1;
    return !in.failed && in.rest.n == 0;
}

/* --- keys */

static void add_hour(dx_buf *out, int64_t ms) {
    int64_t quarter = ms / QUARTER_MS - (ms % QUARTER_MS < 0);
    if (ms == DX_TIME_NONE)
        dx_buf_addc(out, PART_UNKNOWN);
    else
        add_number(out, PART_QUARTER, ((quarter % QUARTERS) + QUARTERS) % QUARTERS);
}

static void add_part(dx_buf *out, by_id by, const dx_call *call, size_t source) {
    switch (by) {
    case BY_TABLE:
        if (call->table.n > 0 || call->encoded.n == 0)
            add_text(out, PART_TEXT, call->table);
        else
            add_text(out, PART_ENCODED, call->encoded);
        break;
    case BY_METHOD: add_text(out, PART_TEXT, call->method); break;
    case BY_CLIENT: add_text(out, PART_TEXT, call->client_address); break;
    case BY_CLIENT_PORT: add_text(out, PART_TEXT, call->client); break;
    case BY_USER: add_text(out, PART_TEXT, call->user); break;
    case BY_SERVER: add_number(out, PART_SERVER, (int64_t)source); break;
    case BY_SERVER_CLASS: add_text(out, PART_TEXT, call->server_class); break;
    case BY_SOURCE: add_number(out, PART_SOURCE, (int64_t)source); break;
    case BY_REGION: add_text(out, PART_TEXT, call->region); break;
    case BY_ENCODED: add_text(out, PART_TEXT, call->encoded); break;
    case BY_FAMILY: add_text(out, PART_TEXT, call->families); break;
    case BY_FILTERS: add_text(out, PART_TEXT, call->filters); break;
    case BY_CACHING: add_known(out, call->caching); break;
    case BY_BATCH: add_known(out, call->batch); break;
    case BY_CACHE_BLOCKS: add_tri(out, call->cache_blocks); break;
    case BY_HAS_START_ROW: add_tri(out, call->has_start_row); break;
    case BY_HAS_STOP_ROW: add_tri(out, call->has_stop_row); break;
    case BY_FULL_RANGE: add_tri(out, call->full_range); break;
    case BY_HOUR: add_hour(out, call->start_ms); break;
    case BY_COUNT: break;
    }
}

void calls_key(const calls_by *by, const dx_call *call, size_t source, dx_buf *out) {
    for (size_t i = 0; i < by->n; i++)
        add_part(out, (by_id)by->of[i], call, source);
}

/* The parts of a key as they are. */
static void add_again(dx_buf *out, int kind, dx_slice text, int64_t number) {
    if (kind == PART_TEXT || kind == PART_ENCODED)
        add_text(out, (char)kind, text);
    else if (kind == PART_UNKNOWN)
        dx_buf_addc(out, PART_UNKNOWN);
    else
        add_number(out, (char)kind, number);
}

void calls_key_name(const calls_by *by, dx_slice key, dx_slice table, dx_buf *out) {
    dx_unpack in = {key, false};
    dx_slice text;
    int64_t number = 0;
    int kind;
    for (size_t i = 0; i < by->n && take_part(&in, &kind, &text, &number); i++) {
        if (by->of[i] == BY_TABLE && kind == PART_UNKNOWN)
            add_text(out, PART_TEXT, table);
        else
            add_again(out, kind, text, number);
    }
}

/* --- what is known at the end */

/* What the caller says, else "host,port" of what the log told. */
static dx_slice server_of(const dx_calls_file *f) {
    dx_slice told = dx_s(f->cov.server);
    dx_server_name parts = {.address = told};
    if (f->server != NULL)
        return dx_s(f->server);
    return dx_server_read(told, &parts) ? parts.address : told;
}

static void settle_part(int kind, dx_slice text, int64_t number, const calls_names *names,
                        dx_buf *out) {
    int64_t quarters = names->offset_ms / QUARTER_MS;
    if (kind == PART_QUARTER && names->hours_open) {
        add_number(out, PART_QUARTER, number);
        return;
    }
    switch (kind) {
    case PART_TEXT: add_text(out, PART_TEXT, text); break;
    case PART_NUMBER: add_number(out, PART_NUMBER, number); break;
    case PART_ENCODED: add_text(out, PART_TEXT, calls_table_of(names->regions, text)); break;
    case PART_SERVER: add_text(out, PART_TEXT, server_of(&names->files[number])); break;
    case PART_SOURCE: add_text(out, PART_TEXT, dx_s(names->files[number].name)); break;
    case PART_QUARTER:
        number = ((number + quarters) % QUARTERS + QUARTERS) % QUARTERS;
        add_number(out, PART_NUMBER, number / 4);
        break;
    default: dx_buf_addc(out, PART_UNKNOWN); break;
    }
}

void calls_key_settle(dx_slice key, const size_t *parts, size_t n, const calls_names *names,
                      dx_buf *out) {
    for (size_t i = 0; i < n; i++) {
        dx_unpack in = {key, false};
        dx_slice text = {NULL, 0};
        int64_t number = 0;
        int kind = PART_UNKNOWN;
        for (size_t k = 0; k <= parts[i]; k++)
            if (!take_part(&in, &kind, &text, &number))
                kind = PART_UNKNOWN;
        settle_part(kind, text, number, names, out);
    }
}

bool calls_key_resolved(const calls_by *by, const calls_regions *regions, dx_slice key) {
    dx_unpack in = {key, false};
    dx_slice text;
    int64_t number = 0;
    int kind;
    for (size_t i = 0; i < by->n && take_part(&in, &kind, &text, &number); i++)
        if (kind == PART_ENCODED && calls_table_of(regions, text).n == 0)
            return false;
    return true;
}

static bool good_part(int kind, int64_t number) {
    return kind == PART_UNKNOWN || kind == PART_TEXT || kind == PART_NUMBER
           || (kind == PART_QUARTER && number >= 0 && number < QUARTERS);
}

bool calls_key_good(const void *by, dx_slice key) {
    dx_unpack in = {key, false};
    dx_slice text;
    int64_t number = 0;
    int kind = PART_UNKNOWN;
    size_t n = 0;
    while (good_part(kind, number) && take_part(&in, &kind, &text, &number))
        n++;
    return good_part(kind, number) && !in.failed && in.rest.n == 0
           && n == ((const calls_by *)by)->n;
}

/* --- regions */

bool calls_regions_open(calls_regions *r) {
    r->of = dx_map_new();
    r->index = dx_map_new();
    r->names_of = dx_arena_new(0);
    return r->of != NULL && r->index != NULL && r->names_of != NULL;
}

void calls_regions_done(calls_regions *r) {
    dx_map_free(r->of);
    dx_map_free(r->index);
    dx_arena_free(r->names_of);
    free(r->names);
}

dx_slice calls_table_of(const calls_regions *r, dx_slice encoded) {
    uint64_t at;
    return dx_map_get(r->of, encoded, &at) ? r->names[at] : (dx_slice){NULL, 0};
}

/* Most of what is told has been told just before. */
static bool is_old(calls_regions *r, dx_slice encoded) {
    if (encoded.n != sizeof r->last[0])
        return false;
    char *last = r->last[(unsigned char)(encoded.p[0] * 31 + encoded.p[7] * 7 + encoded.p[15])];
    if (memcmp(last, encoded.p, encoded.n) == 0)
        return true;
    memcpy(last, encoded.p, encoded.n);
    return false;
}

bool calls_learn(calls_regions *r, dx_slice encoded, dx_slice table) {
    uint64_t at;
    void *names = r->names;
    if (encoded.n == 0 || table.n == 0 || is_old(r, encoded) || dx_map_get(r->of, encoded, &at)
        || dx_map_count(r->of) >= MAX_REGIONS)
        return true;
    if (!dx_map_get(r->index, table, &at)) {
        const char *copy = dx_arena_dup(r->names_of, table);
        if (copy == NULL || !dx_grow(&names, &r->cap, r->n + 1, sizeof *r->names))
            return false;
        r->names = names;
        r->names[r->n] = dx_sn(copy, table.n);
        at = r->n++;
        if (!dx_map_put(r->index, table, at))
            return false;
    }
    return dx_map_put(r->of, encoded, at);
}

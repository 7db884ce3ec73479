/* l_calls.c - Lua face of dx_calls: slow calls of logs and dumps as groups, without a case.
 * Registers "hbdx.core.calls". */
#include "l_calls.h"
#include "l_guard.h"

#include <stdlib.h>

#define FILES_MAX 100000

static void free_calls(void *ptr) {
    l_calls *c = ptr;
    l_calls_close_live(c);
    for (size_t i = 0; c->files != NULL && i < c->n; i++)
        dx_calls_file_done(&c->files[i]);
    free(c->files);
    dx_calls_free(c->calls);
    dx_arena_free(c->names);
    free(c);
}

L_CLOSER(l_close, L_CALLS, free_calls)

static void free_digest(void *d) {
    dx_digest_free(d);
}

#define DIGEST "hbdx.calls.digest" /* box of dx_digest */
L_CLOSER(l_digest_close, DIGEST, free_digest)

static int fail(lua_State *L, const dx_err *err) {
    l_guard_check(L);
    return l_fail(L, err);
}

static bool stop(void *arg) {
    (void)arg;
    return l_guard_fired();
}

const dx_calls_file *l_calls_file(lua_State *L, int idx, int i_idx) {
    const l_calls *c = l_checkopen(L, idx, L_CALLS);
    lua_Integer i = luaL_checkinteger(L, i_idx);
    luaL_argcheck(L, i >= 1 && (size_t)i <= c->n, i_idx, "there is no such source");
    return &c->files[i - 1];
}

/* --- reading */

/* The names in field by of the options at idx; the usual ones where there is none. [-0, +0, v] */
static size_t names_of(lua_State *L, int idx, const char *by[DX_CALLS_KEYS]) {
    static const char *const usual[] = {"table", "method", "client"};
    size_t n = 3;
    if (lua_istable(L, idx) && lua_getfield(L, idx, "by") != LUA_TNIL) {
        luaL_argcheck(L, lua_istable(L, -1), idx, "by: table expected");
        n = (size_t)lua_rawlen(L, -1);
        luaL_argcheck(L, n <= DX_CALLS_KEYS, idx, "by: too many keys");
        for (size_t i = 0; i < n; i++) {
            luaL_argcheck(L, lua_rawgeti(L, -1, (lua_Integer)i + 1) == LUA_TSTRING, idx,
                          "by: names expected");
            by[i] = lua_tostring(L, -1); /* kept by the table */
            lua_pop(L, 1);
        }
    } else {
        for (size_t i = 0; i < n; i++)
            by[i] = usual[i];
    }
    return n;
}

/* A text of the table on top, copied; NULL: it has none. [-0, +0, v] */
static const char *text_of(lua_State *L, l_calls *c, const char *key, const char *otherwise) {
    const char *s = l_opt_string(L, -1, key, otherwise);
    const char *copy = s == NULL ? NULL : dx_arena_dup(c->names, dx_s(s));
    if (s != NULL && copy == NULL)
        luaL_error(L, "no memory for the names of sources");
    return copy;
}

/* The sources at 1. [-0, +0, v] */
static void take_files(lua_State *L, l_calls *c) {
    size_t n = (size_t)lua_rawlen(L, 1);
    luaL_argcheck(L, n <= FILES_MAX, 1, "too many sources");
    c->names = dx_arena_new(0);
    c->files = dx_calloc(n, sizeof *c->files);
    if (c->names == NULL || c->files == NULL)
        luaL_error(L, "no memory for the names of sources");
    for (size_t i = 0; i < n; i++) {
        luaL_argcheck(L, lua_rawgeti(L, 1, (lua_Integer)i + 1) == LUA_TTABLE, 1, "tables expected");
        dx_calls_file *f = &c->files[i];
        f->path = text_of(L, c, "path", NULL);
        luaL_argcheck(L, f->path != NULL, 1, "a source has no path");
        f->name = text_of(L, c, "name", f->path);
        f->server = text_of(L, c, "server", NULL);
        f->goes_on = l_opt_boolean(L, -1, "goes_on", false);
        lua_pop(L, 1);
    }
    c->n = n;
}

/* What became of a source. [-0, +1, m] */
static void push_file(lua_State *L, const dx_calls_file *f) {
    const dx_err err = {.code = f->status};
    bool calls =
        f->kind == DX_SOURCE_LOG || f->kind == DX_SOURCE_RING || f->kind == DX_SOURCE_TABLE;
    lua_createtable(L, 0, 5);
    l_set_string(L, "kind", dx_source_kind_name(f->kind));
    l_set_boolean(L, "read", calls && !f->duplicate);
    if (f->duplicate)
        l_set_integer(L, "original", (lua_Integer)f->original + 1);
    if (f->status != DX_OK) {
        l_set_string(L, "message", f->message);
        l_set_string(L, "code", dx_status_name(err.code));
    }
}

/* read({{path=, name=, server=, goes_on=}, ...}, {by=, from=, to=, threads=, identify=}?)
 *   -> calls, files
 *   | nil, message, code
 * goes_on: a log whose first line belongs to the last record of the one before it
 * files: {{kind=, read=, original=, message=, code=}, ...}; read: it is a log or a dump of calls;
 * original: it has the content of that one */
static int l_read(lua_State *L) {
    const char *by[DX_CALLS_KEYS];
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    dx_calls_opts opts = {.by = by,
                          .n = names_of(L, 2, by),
                          .from_ms = l_opt_integer(L, 2, "from", DX_TIME_NONE),
                          .to_ms = l_opt_integer(L, 2, "to", DX_TIME_NONE),
                          .threads = (unsigned)l_opt_integer(L, 2, "threads", 1),
                          .identify = l_opt_boolean(L, 2, "identify", false),
                          .stop = stop};
    dx_err err;
    l_box *box = l_newbox(L, L_CALLS);
    l_calls *c = box->ptr = dx_calloc(1, sizeof *c);
    if (c == NULL)
        return luaL_error(L, "no memory for calls");
    take_files(L, c);
    if (dx_calls_new(&c->calls, &opts, &err) != DX_OK
        || dx_calls_read(c->calls, c->files, c->n, &err) != DX_OK)
        return fail(L, &err);
    lua_createtable(L, (int)c->n, 0);
    for (size_t i = 0; i < c->n; i++) {
        push_file(L, &c->files[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 2;
}

/* calls.live{by=, from=, to=} -> calls | nil, message, code
 * without a source: calls:follow brings them */
static int l_live(lua_State *L) {
    const char *by[DX_CALLS_KEYS];
    lua_settop(L, 1);
    dx_calls_opts opts = {.by = by,
                          .n = names_of(L, 1, by),
                          .from_ms = l_opt_integer(L, 1, "from", DX_TIME_NONE),
                          .to_ms = l_opt_integer(L, 1, "to", DX_TIME_NONE)};
    dx_err err;
    l_box *box = l_newbox(L, L_CALLS);
    l_calls *c = box->ptr = dx_calloc(1, sizeof *c);
    if (c == NULL || (c->names = dx_arena_new(0)) == NULL)
        return luaL_error(L, "no memory for calls");
    return dx_calls_new(&c->calls, &opts, &err) == DX_OK ? 1 : fail(L, &err);
}

/* calls:forgot() -> whether some copies of calls may have been counted twice */
static int l_forgot(lua_State *L) {
    lua_pushboolean(L, dx_calls_forgot(((l_calls *)l_checkopen(L, 1, L_CALLS))->calls));
    return 1;
}

/* calls:set_server(i, name)
 * says whose the i-th source is */
static int l_set_server(lua_State *L) {
    l_calls *c = l_checkopen(L, 1, L_CALLS);
    lua_Integer i = luaL_checkinteger(L, 2);
    luaL_argcheck(L, i >= 1 && (size_t)i <= c->n, 2, "there is no such source");
    const char *name = dx_arena_dup(c->names, l_checkslice(L, 3));
    if (name == NULL)
        return luaL_error(L, "no memory for the name of a server");
    c->files[i - 1].server = name;
    return 0;
}

/* --- groups */

void l_set_spread(lua_State *L, const char *name, const dx_spread *s) {
    lua_createtable(L, 0, 6);
    l_set_integer(L, "n", (lua_Integer)s->n);
    if (s->n > 0) {
        l_set_integer(L, "sum", s->sum);
        l_set_integer(L, "p50", s->p50);
        l_set_integer(L, "p95", s->p95);
        l_set_integer(L, "max", s->max);
        if (!s->exact)
            l_set_boolean(L, "about", true);
    }
    lua_setfield(L, -2, name);
}

static void set_number(lua_State *L, const char *key, int64_t v) {
    if (v != DX_UNKNOWN)
        l_set_integer(L, key, v);
}

static void set_text(lua_State *L, const char *key, dx_slice s) {
    if (s.n == 0)
        return;
    l_pushslice(L, s);
    lua_setfield(L, -2, key);
}

/* calls.note(bytes) -> {file=, line=, user=, table=, ...} of a group's longest call, by its worst
 */
static int l_note(lua_State *L) {
    dx_calls_note w;
    if (!dx_calls_note_read(l_checkslice(L, 1), &w))
        return luaL_argerror(L, 1, "these bytes are no note of a call");
    lua_createtable(L, 0, 15);
    set_text(L, "file", w.source);
    set_number(L, "line", w.line == 0 ? DX_UNKNOWN : (int64_t)w.line);
    set_text(L, "user", w.user);
    set_text(L, "table", w.table);
    set_text(L, "filters", w.filters);
    set_number(L, "start_ms", w.start_ms);
    set_number(L, "proc_ms", w.proc_ms);
    set_number(L, "queue_ms", w.queue_ms);
    set_number(L, "response_bytes", w.response_bytes);
    set_number(L, "caching", w.caching);
    set_number(L, "actions", w.actions);
    set_number(L, "has_start_row", w.has_start_row < 0 ? DX_UNKNOWN : (int64_t)w.has_start_row);
    set_number(L, "has_stop_row", w.has_stop_row < 0 ? DX_UNKNOWN : (int64_t)w.has_stop_row);
    set_number(L, "cache_blocks", w.cache_blocks < 0 ? DX_UNKNOWN : (int64_t)w.cache_blocks);
    set_number(L, "param_cut", w.param_cut);
    return 1;
}

static void pack_spread(dx_buf *b, const dx_spread *s) {
    dx_pack_u64(b, s->n);
    dx_pack_i64(b, s->sum);
    dx_pack_i64(b, s->p50);
    dx_pack_i64(b, s->p95);
    dx_pack_i64(b, s->max);
    dx_pack_u64(b, s->exact);
}

static dx_spread unpack_spread(dx_unpack *in) {
    dx_spread s = {.n = dx_unpack_u64(in)};
    s.sum = dx_unpack_i64(in);
    s.p50 = dx_unpack_i64(in);
    s.p95 = dx_unpack_i64(in);
    s.max = dx_unpack_i64(in);
    s.exact = dx_unpack_u64(in) == 1;
    return s;
}

/* Sets numbers: the spreads and the starts as bytes. [-0, +0, v] */
static void set_numbers(lua_State *L, const dx_digest_group *g) {
    dx_buf *b = l_newbuf(L, 0);
    pack_spread(b, &g->proc_ms);
    pack_spread(b, &g->queue_ms);
    pack_spread(b, &g->response_bytes);
    dx_tally_write(g->hours, b);
    l_pushbuf(L, b);
    lua_setfield(L, -3, "numbers");
    lua_pop(L, 1);
}

/* calls.spreads(bytes) -> {proc_ms = {n=, sum=, p50=, p95=, max=, about=}, queue_ms=,
 *   response_bytes=}
 * by a group's numbers */
static int l_spreads(lua_State *L) {
    dx_unpack in = {l_checkslice(L, 1), false};
    dx_spread proc = unpack_spread(&in), queue = unpack_spread(&in), bytes = unpack_spread(&in);
    luaL_argcheck(L, !in.failed, 1, "these bytes are no numbers of calls");
    lua_createtable(L, 0, 3);
    l_set_spread(L, "proc_ms", &proc);
    l_set_spread(L, "queue_ms", &queue);
    l_set_spread(L, "response_bytes", &bytes);
    return 1;
}

/* calls.hours(bytes, offset) -> {[hours since 1970 of a clock so far east of UTC] = calls}, calls
 * of a group, by its numbers; calls: those whose start is told */
static int l_hours(lua_State *L) {
    const int64_t per_hour = 3600000 / DX_TALLY_UNIT_MS;
    dx_unpack in = {l_checkslice(L, 1), false};
    int64_t east = luaL_checkinteger(L, 2) / DX_TALLY_UNIT_MS;
    dx_tally t = {.n = 0};
    lua_Integer timed = 0;
    for (int i = 0; i < 3; i++)
        unpack_spread(&in);
    if (in.failed || !dx_tally_read(&t, &in)) {
        dx_tally_done(&t);
        return luaL_argerror(L, 1, "these bytes are no numbers of calls");
    }
    lua_newtable(L); /* for lack of memory Lua may raise here, and lose t: a few KiB, once */
    for (size_t i = 0; i < t.n; i++) {
        int64_t at = t.spans[i].at * ((int64_t)1 << t.shift) + east;
        int64_t hour = at / per_hour - (at % per_hour < 0);
        lua_rawgeti(L, -1, hour);
        lua_Integer n = lua_tointeger(L, -1) + (lua_Integer)t.spans[i].n;
        timed += (lua_Integer)t.spans[i].n;
        lua_pop(L, 1);
        lua_pushinteger(L, n);
        lua_rawseti(L, -2, hour);
    }
    dx_tally_done(&t);
    lua_pushinteger(L, timed);
    return 2;
}

static void push_part(lua_State *L, dx_slice key, size_t i) {
    dx_calls_part part = dx_calls_key_part(key, i);
    switch (part.type) {
    case DX_PART_TEXT: l_pushslice(L, part.text); break;
    case DX_PART_NUMBER: lua_pushinteger(L, part.number); break;
    case DX_PART_UNKNOWN: lua_pushnil(L); break;
    }
}

static void push_group(lua_State *L, const dx_digest_group *g, const char *const *by, size_t n) {
    lua_createtable(L, 0, 11);
    lua_createtable(L, 0, (int)n);
    for (size_t i = 0; i < n; i++) {
        push_part(L, g->key, i);
        lua_setfield(L, -2, by[i]);
    }
    lua_setfield(L, -2, "key");
    l_set_integer(L, "calls", (lua_Integer)g->calls);
    if (g->proc_ms.n > 0)
        l_set_integer(L, "proc_sum", g->proc_ms.sum);
    l_set_integer(L, "untimed", (lua_Integer)(g->calls - g->proc_ms.n));
    l_set_instant(L, "first_ms", g->first_ms);
    l_set_instant(L, "last_ms", g->last_ms);
    set_numbers(L, g);
    set_text(L, "worst", g->note);
    if (g->missed_calls > 0) {
        l_set_integer(L, "missed_calls", (lua_Integer)g->missed_calls);
        l_set_integer(L, "missed_ms", g->missed_ms);
    }
}

/* Where the names of by stand among those that were read by. [-0, +0, v] */
static void places(lua_State *L, const dx_calls *c, const char *const *by, size_t n,
                   size_t parts[DX_CALLS_KEYS]) {
    for (size_t i = 0; i < n; i++)
        if (!dx_calls_part_of(c, by[i], &parts[i]))
            luaL_argerror(L, 2, lua_pushfstring(L, "by: the calls were not read by '%s'", by[i]));
}

/* calls:digest{by=, offset=, parts=} -> groups, others | nil, message, code
 * by: some of the names that the calls were read by; offset: ms east of UTC of the clock for hours.
 * groups: {{key = {table = ...}, calls=, untimed=, proc_sum=, first_ms=, last_ms=, numbers=,
 * worst=, missed_calls=, missed_ms=}, ...}, by processing time, whose sum in ms is proc_sum;
 * numbers: bytes for calls.spreads and calls.hours; worst: bytes for calls.note; parts: only groups
 * of so many groups of all names, or more; others: one more for what is in none of them, or nil */
static int l_digest(lua_State *L) {
    const l_calls *c = l_checkopen(L, 1, L_CALLS);
    const char *by[DX_CALLS_KEYS];
    size_t parts[DX_CALLS_KEYS];
    lua_settop(L, 2);
    size_t n = names_of(L, 2, by);
    lua_Integer offset = l_opt_integer(L, 2, "offset", 0);
    lua_Integer parts_least = l_opt_integer(L, 2, "parts", 0);
    places(L, c->calls, by, n, parts);
    l_box *box = l_newbox(L, DIGEST);
    dx_digest *d;
    dx_err err;
    if (dx_calls_digest(c->calls, parts, n, offset, &d, &err) != DX_OK)
        return fail(L, &err);
    box->ptr = d;
    lua_toclose(L, -1);
    lua_newtable(L);
    for (size_t i = 0, at = 0; i < dx_digest_count(d); i++) {
        if (dx_digest_at(d, i)->parts < (uint64_t)parts_least)
            continue;
        push_group(L, dx_digest_at(d, i), by, n);
        lua_rawseti(L, -2, (lua_Integer)++at);
    }
    if (dx_digest_others(d) == NULL)
        return 1;
    push_group(L, dx_digest_others(d), by, 0);
    return 2;
}

/* --- files */

/* calls:pack(meta) -> bytes | nil, message, code */
static int l_pack(lua_State *L) {
    const l_calls *c = l_checkopen(L, 1, L_CALLS);
    dx_slice meta = l_checkslice(L, 2);
    dx_buf *out = l_newbuf(L, 0);
    dx_err err;
    if (dx_calls_write(c->calls, meta, out, &err) != DX_OK)
        return fail(L, &err);
    return l_pushbuf(L, out);
}

/* calls.is_digest(head) -> whether bytes begin as those of calls:pack do */
static int l_is_digest(lua_State *L) {
    lua_pushboolean(L, dx_calls_is_digest(l_checkslice(L, 1)));
    return 1;
}

/* calls:merge(bytes) -> meta | nil, message, code
 * bytes: of calls:pack, by the same names */
static int l_merge(lua_State *L) {
    const l_calls *c = l_checkopen(L, 1, L_CALLS);
    dx_slice bytes = l_checkslice(L, 2), meta;
    dx_err err;
    if (dx_calls_merge(c->calls, bytes, &meta, &err) != DX_OK)
        return fail(L, &err);
    l_pushslice(L, meta);
    return 1;
}

/* --- */

static const luaL_Reg module[] = {
    {"hours", l_hours}, {"is_digest", l_is_digest}, {"live", l_live}, {"note", l_note},
    {"read", l_read},   {"spreads", l_spreads},     {NULL, NULL},
};

static const luaL_Reg methods[] = {
    {"close", l_close}, {"digest", l_digest},         {"forgot", l_forgot}, {"merge", l_merge},
    {"pack", l_pack},   {"set_server", l_set_server}, {NULL, NULL},
};

int luaopen_hbdx_core_calls(lua_State *L) {
    l_newtype(L, L_CALLS, methods, l_close);
    l_calls_following(L);
    l_newtype(L, DIGEST, NULL, l_digest_close);
    luaL_newlib(L, module);
    return 1;
}

/* l_case.c - Lua face of the case file: opening, importing, saving; registers "hbdx.core.case".
 * Reading is in l_case_read.c. */
#include "l_case.h"
#include "dx_ingest.h"
#include "dx_ingest_head.h"
#include "l_calls.h"
#include "l_guard.h"

L_CLOSER(l_close, L_CASE, dx_casefile_close)

static int done(lua_State *L, dx_status st, const dx_err *err) {
    if (st != DX_OK)
        return l_case_fail(L, err);
    lua_pushboolean(L, true);
    return 1;
}

/* --- opening --- */

static bool stop(void *arg) {
    (void)arg;
    return l_guard_fired();
}

/* open(path?, {readonly=}?) -> case | nil, message, code
 * no path: in memory; readonly: the file must exist */
static int l_open(lua_State *L) {
    const char *path = luaL_optstring(L, 1, NULL);
    bool readonly = l_opt_boolean(L, 2, "readonly", false);
    l_box *box = l_newbox(L, L_CASE);
    dx_casefile *c;
    dx_err err;
    if (dx_casefile_open(&c, path, !readonly, &err) != DX_OK)
        return l_case_fail(L, &err);
    box->ptr = c;
    dx_casefile_on_progress(c, stop, NULL);
    return 1;
}

/* case:copy() -> case in memory | nil, message, code */
static int l_copy(lua_State *L) {
    dx_casefile *c = l_checkopen(L, 1, L_CASE), *copy;
    l_box *box = l_newbox(L, L_CASE);
    dx_err err;
    if (dx_casefile_copy(&copy, c, &err) != DX_OK)
        return l_case_fail(L, &err);
    box->ptr = copy;
    dx_casefile_on_progress(copy, stop, NULL);
    return 1;
}

/* schema() -> the SQL of a case's tables, with its comments */
static int l_schema(lua_State *L) {
    lua_pushstring(L, dx_casefile_schema());
    return 1;
}

/* case:save(path) -> true | nil, message, code */
static int l_save(lua_State *L) {
    dx_err err;
    return done(L, dx_casefile_save(l_checkopen(L, 1, L_CASE), luaL_checkstring(L, 2), &err), &err);
}

/* --- importing --- */

/* A text that may be empty where it is not known. [-0, +0, m] */
static void set_told(lua_State *L, const char *key, const char *s) {
    l_set_string(L, key, s == NULL || s[0] == '\0' ? NULL : s);
}

/* [-0, +0, m] */
static void set_order(lua_State *L, const dx_ingest_report *r) {
    const dx_coverage *log = &r->log;
    l_set_integer(L, "out_of_order", (lua_Integer)log->out_of_order);
    l_set_integer(L, "steps_back", (lua_Integer)log->nsteps);
    l_set_instant(L, "end_local_ms", log->end_local_ms);
    l_set_instant(L, "end_ms", r->end_ms);
    l_set_integer(L, "doubtful", (lua_Integer)r->clock.doubtful);
    l_set_integer(L, "missing", (lua_Integer)r->clock.missing);
    l_case_set_offsets(L, &r->clock);
}

/* What was read, as a table; what is not known is absent. [-0, +1, m] */
static int push_report(lua_State *L, const dx_ingest_report *r) {
    const dx_coverage *log = &r->log;
    lua_createtable(L, 0, 32);
    set_order(L, r);
    if (log->lines > 0 && r->offset_origin != NULL)
        l_case_set_clock(L, log);
    l_set_integer(L, "source", r->source);
    l_set_integer(L, "bytes", (lua_Integer)log->bytes);
    l_set_integer(L, "calls", (lua_Integer)log->calls);
    l_set_integer(L, "new_calls", (lua_Integer)r->new_calls);
    l_set_integer(L, "events", (lua_Integer)log->events);
    l_set_integer(L, "scans", (lua_Integer)log->scans);
    l_set_integer(L, "skipped", (lua_Integer)log->skipped);
    l_set_integer(L, "foreign", (lua_Integer)log->foreign);
    l_set_integer(L, "samples", (lua_Integer)r->samples);
    l_set_integer(L, "settings", (lua_Integer)r->settings);
    if (log->lines > 0) {
        l_set_integer(L, "lines", (lua_Integer)log->lines);
        l_set_integer(L, "records", (lua_Integer)log->records);
    }
    set_told(L, "kind", r->kind);
    l_set_boolean(L, "duplicate", r->duplicate);
    l_set_boolean(L, "binary", r->binary);
    set_told(L, "server", r->server);
    set_told(L, "damage", r->damage);
    set_told(L, "version", log->version);
    l_set_instant(L, "first_ms", r->first_ms);
    l_set_instant(L, "last_ms", r->last_ms);
    set_told(L, "offset_origin", r->offset_origin);
    if (r->offset_origin != NULL && !dx_str_eq(r->offset_origin, "unknown")
        && !dx_str_eq(r->offset_origin, "uptime"))
        l_set_instant(L, "offset_ms", r->offset_ms);
    return 1;
}

/* Nothing in here may raise: input and zone belong to nobody. */
static dx_status ingest(dx_casefile *c, dx_status opened, dx_input *in, dx_ingest_opts *opts,
                        const char *zone, dx_ingest_report *report, dx_err *err) {
    dx_zone *z = NULL;
    dx_status st = opened;
    if (st == DX_OK && zone != NULL)
        st = dx_zone_open(&z, zone, err);
    opts->zone = z;
    if (st == DX_OK)
        st = dx_ingest(c, in, opts, report, err);
    dx_zone_free(z);
    dx_input_close(in);
    return st;
}

/* Options at 3 of an import. [-0, +0, v] */
static dx_ingest_opts import_opts(lua_State *L, const char *name) {
    return (dx_ingest_opts){.name = l_opt_string(L, 3, "name", name),
                            .server = l_opt_string(L, 3, "server", NULL),
                            .t_ms = l_opt_integer(L, 3, "t_ms", DX_TIME_NONE),
                            .t_origin = l_opt_string(L, 3, "t_origin", NULL)};
}

#define NEXT_MAX 64 /* pieces that a record may go on in */

typedef struct seam_opts {
    dx_log_seam seam;
    const char *next[NEXT_MAX];
    uint64_t taken[NEXT_MAX];
} seam_opts;

/* The options at 3 of a piece of a rotated log. [-0, +0, v] */
static void seam_at(lua_State *L, seam_opts *s, dx_ingest_opts *opts) {
    *s = (seam_opts){.seam = {.before_local_ms = DX_TIME_NONE}};
    if (!lua_istable(L, 3))
        return;
    if (lua_getfield(L, 3, "next") != LUA_TTABLE) {
        lua_settop(L, 3);
        return;
    }
    lua_Integer skip = l_opt_integer(L, 3, "skip", 0), n = luaL_len(L, -1);
    for (lua_Integer i = 1; i <= n && i <= NEXT_MAX; i++) {
        luaL_argcheck(L, lua_rawgeti(L, -1, i) == LUA_TSTRING, 3, "next: paths expected");
        s->next[s->seam.n++] = lua_tostring(L, -1); /* kept by the table */
        lua_pop(L, 1);
    }
    s->seam.skip = skip < 0 ? 0 : (uint64_t)skip;
    s->seam.before_local_ms = l_opt_integer(L, 3, "before_local_ms", DX_TIME_NONE);
    s->seam.next = s->next;
    s->seam.taken = s->taken;
    opts->seam = &s->seam;
    opts->before_ms = l_opt_integer(L, 3, "before_ms", DX_TIME_NONE);
    opts->follows = l_opt_integer(L, 3, "follows", 0);
    lua_settop(L, 3);
}

/* Sets taken of the table on top: lines of each piece behind that belong to this one. [-0, +0, m]
 */
static void set_taken(lua_State *L, const seam_opts *s) {
    lua_createtable(L, (int)s->seam.n, 0);
    for (size_t i = 0; i < s->seam.n; i++) {
        lua_pushinteger(L, (lua_Integer)s->taken[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "taken");
}

/* case:import_file(path, {name=, server=, t_ms=, t_origin=, zone=, next=, skip=, before_local_ms=,
 *   before_ms=, follows=, again=}?) -> report | nil, message, code
 * path "-" is standard input; again: it is a file, which can be read more than once; next: paths
 * of the pieces of a rotated log behind this one, where it is one. Then skip is how many lines of
 * it the pieces before have had, and before_local_ms, before_ms and follows are end_local_ms,
 * end_ms and source of the piece before; in the report taken is how many lines of each of next
 * belong to this one. */
static int l_import_file(lua_State *L) {
    dx_casefile *c = l_checkopen(L, 1, L_CASE);
    const char *path = luaL_checkstring(L, 2), *zone = l_opt_string(L, 3, "zone", NULL);
    dx_ingest_opts opts = import_opts(L, path);
    dx_ingest_report report;
    seam_opts seam;
    dx_input *in = NULL;
    dx_err err;
    lua_settop(L, 3);
    seam_at(L, &seam, &opts);
    opts.path = l_opt_boolean(L, 3, "again", false) ? path : NULL;
    dx_status st = dx_input_open(&in, path, &err);
    if (ingest(c, st, in, &opts, zone, &report, &err) != DX_OK)
        return l_case_fail(L, &err);
    push_report(L, &report);
    if (opts.seam != NULL)
        set_taken(L, &seam);
    return 1;
}

/* case:import_bytes(bytes, {as import_file}?) -> report | nil, message, code */
static int l_import_bytes(lua_State *L) {
    dx_casefile *c = l_checkopen(L, 1, L_CASE);
    dx_slice bytes = l_checkslice(L, 2);
    const char *zone = l_opt_string(L, 3, "zone", NULL);
    dx_ingest_opts opts = import_opts(L, "(bytes)");
    dx_ingest_report report;
    dx_input *in = NULL;
    dx_err err;
    dx_status st = dx_input_open_bytes(&in, bytes, opts.name, &err);
    if (ingest(c, st, in, &opts, zone, &report, &err) != DX_OK)
        return l_case_fail(L, &err);
    return push_report(L, &report);
}

/* case:import_found(calls, i, {name=, server=, zone=}?) -> report | nil, message, code
 * Files the i-th source that hbdx.core.calls has read, without its calls. */
static int l_import_found(lua_State *L) {
    dx_casefile *c = l_checkopen(L, 1, L_CASE);
    const dx_calls_file *file = l_calls_file(L, 2, 3);
    dx_ingest_opts opts = {.name = l_opt_string(L, 4, "name", file->name),
                           .server = l_opt_string(L, 4, "server", NULL),
                           .t_ms = DX_TIME_NONE};
    const char *zone = l_opt_string(L, 4, "zone", NULL);
    dx_ingest_report report;
    dx_zone *z = NULL;
    dx_err err;
    dx_status st = zone == NULL ? DX_OK : dx_zone_open(&z, zone, &err);
    opts.zone = z;
    if (st == DX_OK)
        st = dx_ingest_found(c, file, &opts, &report, &err);
    dx_zone_free(z);
    return st == DX_OK ? push_report(L, &report) : l_case_fail(L, &err);
}

/* The skipped pieces in field skips of the table at 2. [-0, +0, v] */
static dx_status add_skips(lua_State *L, dx_casefile *c, int64_t source, dx_err *err) {
    dx_status st = DX_OK;
    if (lua_getfield(L, 2, "skips") != LUA_TTABLE)
        return DX_OK;
    for (lua_Integer i = 1; st == DX_OK && lua_rawgeti(L, 3, i) == LUA_TTABLE; i++) {
        lua_Integer count = l_opt_integer(L, 4, "count", 1), line = l_opt_integer(L, 4, "line", 0);
        st = dx_casefile_skip(
            c, source, l_opt_string(L, 4, "reason", ""), count < 0 ? 0 : (uint64_t)count,
            dx_s(l_opt_string(L, 4, "sample", "")), line < 0 ? 0 : (uint64_t)line, err);
        lua_settop(L, 3);
    }
    lua_settop(L, 2);
    return st;
}

static uint64_t count_at(lua_State *L, const char *key) {
    lua_Integer n = l_opt_integer(L, 2, key, 0);
    return n < 0 ? 0 : (uint64_t)n;
}

/* The facts at 2 of a source that was read elsewhere. [-0, +0, v] */
static dx_source_facts facts_at(lua_State *L) {
    return (dx_source_facts){.fingerprint = (uint64_t)l_opt_integer(L, 2, "fingerprint", 0),
                             .bytes = count_at(L, "bytes"),
                             .lines = count_at(L, "lines"),
                             .records = count_at(L, "records"),
                             .understood = count_at(L, "understood"),
                             .skipped = count_at(L, "skipped"),
                             .first_ms = l_opt_integer(L, 2, "first_ms", DX_TIME_NONE),
                             .last_ms = l_opt_integer(L, 2, "last_ms", DX_TIME_NONE),
                             .offset_ms = l_opt_integer(L, 2, "offset_ms", 0),
                             .offset_origin = l_opt_string(L, 2, "offset_origin", NULL),
                             .version = l_opt_string(L, 2, "version", NULL),
                             .coverage = l_opt_string(L, 2, "coverage", NULL),
                             .damage = l_opt_string(L, 2, "damage", NULL)};
}

static dx_status file_source(lua_State *L, dx_casefile *c, dx_source_facts *facts, int64_t *source,
                             int64_t *earlier, dx_err *err) {
    const char *server = l_opt_string(L, 2, "server", NULL);
    dx_status st = dx_casefile_find_source(c, facts->fingerprint, facts->bytes, earlier, err);
    if (st == DX_OK)
        st = dx_casefile_add_source(c, l_opt_string(L, 2, "name", "?"),
                                    l_opt_string(L, 2, "kind", "log"), source, err);
    if (st == DX_OK && server != NULL && server[0] != '\0')
        st = dx_casefile_server(c, dx_s(server), &facts->server, err);
    if (st == DX_OK)
        st = add_skips(L, c, *source, err);
    return st == DX_OK ? dx_casefile_source_facts(c, *source, facts, err) : st;
}

/* case:add_source{name=, kind=, fingerprint=, bytes=, lines=, records=, understood=, skipped=,
 *   first_ms=, last_ms=, offset_ms=, offset_origin=, version=, damage=, server=,
 *   coverage=, skips={{reason=, count=, line=, sample=}, ...}} -> report | nil, message, code
 * Files a source that was read elsewhere. A field of the wrong type raises, and nothing is filed.
 */
static int l_add_source(lua_State *L) {
    dx_casefile *c = l_checkopen(L, 1, L_CASE);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    dx_source_facts facts = facts_at(L);
    int64_t source = 0, earlier = 0;
    dx_err err;
    dx_status st = dx_casefile_begin(c, &err);
    if (st == DX_OK)
        st = file_source(L, c, &facts, &source, &earlier, &err);
    if (st == DX_OK)
        st = dx_casefile_commit(c, &err);
    if (st != DX_OK) {
        dx_casefile_rollback(c);
        return l_case_fail(L, &err);
    }
    lua_createtable(L, 0, 11);
    l_set_integer(L, "source", source);
    l_set_string(L, "kind", l_opt_string(L, 2, "kind", "log"));
    set_told(L, "server", l_opt_string(L, 2, "server", NULL));
    set_told(L, "offset_origin", facts.offset_origin);
    l_set_instant(L, "offset_ms", facts.offset_origin == NULL ? DX_TIME_NONE : facts.offset_ms);
    l_set_instant(L, "first_ms", facts.first_ms);
    l_set_instant(L, "last_ms", facts.last_ms);
    l_set_integer(L, "bytes", (lua_Integer)facts.bytes);
    l_set_integer(L, "skipped", (lua_Integer)facts.skipped);
    l_set_boolean(L, "duplicate", earlier != 0);
    return 1;
}

/* case:set_offset(source, offset_ms, origin) -> true | nil, message, code */
static int l_set_offset(lua_State *L) {
    dx_casefile *c = l_checkopen(L, 1, L_CASE);
    lua_Integer source = luaL_checkinteger(L, 2), offset = luaL_checkinteger(L, 3);
    dx_err err;
    return done(L, dx_casefile_set_offset(c, source, offset, luaL_checkstring(L, 4), &err), &err);
}

/* case:set_start(source, start_ms, origin) -> true | nil, message, code
 * of a log whose stamps count from its JVM's start */
static int l_set_start(lua_State *L) {
    dx_casefile *c = l_checkopen(L, 1, L_CASE);
    lua_Integer source = luaL_checkinteger(L, 2), start = luaL_checkinteger(L, 3);
    dx_err err;
    return done(L, dx_casefile_set_start(c, source, start, luaL_checkstring(L, 4), &err), &err);
}

/* case:set_server(source, name) -> true | nil, message, code */
static int l_set_server(lua_State *L) {
    dx_casefile *c = l_checkopen(L, 1, L_CASE);
    lua_Integer source = luaL_checkinteger(L, 2);
    dx_err err;
    return done(L, dx_casefile_set_server(c, source, l_checkslice(L, 3), &err), &err);
}

/* --- */

/* look(path) -> {kind=, stamp_ms=, goes_on=} | nil, message, code
 * by the head of a file; stamp_ms: the first stamp, as if it were UTC; goes_on: it is text whose
 * first line begins no record */
static int l_look(lua_State *L) {
    dx_ingest_head head;
    dx_err err;
    if (dx_ingest_head_read(luaL_checkstring(L, 1), &head, &err) != DX_OK)
        return l_case_fail(L, &err);
    lua_createtable(L, 0, 3);
    l_set_string(L, "kind", dx_source_kind_name(head.kind));
    l_set_instant(L, "stamp_ms", head.stamp_ms);
    l_set_boolean(L, "goes_on", head.goes_on);
    return 1;
}

/* begins(path, part) -> whether the text of path begins with all of the text of part */
static int l_begins(lua_State *L) {
    lua_pushboolean(L, dx_ingest_head_same(luaL_checkstring(L, 1), luaL_checkstring(L, 2)));
    return 1;
}

static const luaL_Reg module[] = {
    {"begins", l_begins}, {"look", l_look}, {"open", l_open}, {"schema", l_schema}, {NULL, NULL},
};

static const luaL_Reg methods[] = {
    {"add_source", l_add_source},
    {"close", l_close},
    {"copy", l_copy},
    {"import_bytes", l_import_bytes},
    {"import_file", l_import_file},
    {"import_found", l_import_found},
    {"save", l_save},
    {"set_offset", l_set_offset},
    {"set_server", l_set_server},
    {"set_start", l_set_start},
    {NULL, NULL},
};

int luaopen_hbdx_core_case(lua_State *L) {
    l_newtype(L, L_CASE, methods, l_close);
    l_case_clocks(L);
    l_case_reading(L);
    luaL_newlib(L, module);
    return 1;
}

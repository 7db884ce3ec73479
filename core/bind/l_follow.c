/* l_follow.c - Lua face of dx_follow_log: events and calls of a log that is being written, and how
 * to wait between two looks at it. Registers "hbdx.core.follow". */
#define _POSIX_C_SOURCE 200809L /* sigtimedwait, pthread_sigmask, poll */
#include "l_follow.h"
#include "dx_follow_log.h"
#include "dx_mem.h"
#include "dx_region.h"
#include "l_guard.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define FOLLOWED "hbdx.followed" /* box of followed */

typedef struct followed {
    dx_follow_log *log;
    dx_sink sink;
    lua_State *L; /* while a step runs; its list of what is found is at FOUND */
    bool calls;
} followed;

enum { FOUND = 3 };

/* --- what all that follow share */

dx_follow_opts l_follow_opts(lua_State *L, int idx) {
    lua_Integer last = l_opt_integer(L, idx, "last", -1); /* none: all */
    return (dx_follow_opts){.last = last < 0 ? DX_FOLLOW_ALL : (uint64_t)last};
}

int l_follow_news(lua_State *L, const dx_follow_news *news) {
    static const char *const words[] = {"nothing", "more",   "begin",  "text",
                                        "end",     "absent", "refused"};
    lua_pushstring(L, words[news->what]);
    lua_pushstring(L, news->reason);
    return 2;
}

/* --- what is found, as tables */

static void set_slice(lua_State *L, const char *key, dx_slice s) {
    if (s.n == 0)
        return;
    l_pushslice(L, s);
    lua_setfield(L, -2, key);
}

static void set_known(lua_State *L, const char *key, int64_t v) {
    if (v != DX_UNKNOWN)
        l_set_integer(L, key, v);
}

static void set_where(lua_State *L, const dx_where *where) {
    l_set_integer(L, "line", (lua_Integer)where->line);
    l_set_integer(L, "offset", (lua_Integer)where->offset);
    l_set_instant(L, "local_ms", where->local_ms);
    if (where->has_zone)
        l_set_integer(L, "zone_ms", where->offset_ms);
    set_slice(L, "thread", where->thread);
}

static void set_field(lua_State *L, const dx_field *f) {
    if (f->type == DX_FIELD_INT)
        l_set_integer(L, f->name, f->i);
    else if (f->type == DX_FIELD_REAL && isfinite(f->d))
        l_set_number(L, f->name, f->d);
    else if (f->type == DX_FIELD_TEXT)
        set_slice(L, f->name, f->s);
}

/* Adds the table on top to the list. [-1, +0, m] */
static int add_found(lua_State *L) {
    lua_rawseti(L, 1, (lua_Integer)lua_rawlen(L, 1) + 1);
    return 0;
}

typedef struct found {
    const dx_where *where;
    const dx_event *event;
    const dx_call *call;
    const char *skip;
} found;

/* (list, light found) -> nothing; adds {kind=, line=, ..., f={}} */
static int add_event(lua_State *L) {
    const found *what = lua_touserdata(L, 2);
    const dx_event *e = what->event;
    dx_slice table = e->table, encoded = e->encoded, t, id;
    if (e->region.n > 0 && dx_region_split(e->region, &t, &id)) {
        table = table.n == 0 ? t : table;
        encoded = encoded.n == 0 ? id : encoded;
    }
    lua_createtable(L, 0, 12);
    l_set_string(L, "kind", dx_event_kind_of(e->id)->name);
    set_where(L, what->where);
    set_slice(L, "region", e->region);
    set_slice(L, "encoded", encoded);
    set_slice(L, "table_name", table);
    set_slice(L, "family", e->family);
    lua_createtable(L, 0, (int)e->n + 1);
    for (size_t i = 0; i < e->n && i < DX_EVENT_FIELDS; i++)
        set_field(L, &e->fields[i]);
    set_slice(L, "server", e->server);
    lua_setfield(L, -2, "f");
    return add_found(L);
}

/* The same of a call; its scanner, too. */
static int add_call(lua_State *L) {
    const found *what = lua_touserdata(L, 2);
    const dx_call *c = what->call;
    lua_createtable(L, 0, 12);
    l_set_string(L, "kind", "slow_call");
    set_where(L, what->where);
    l_set_instant(L, "start_ms", c->start_ms);
    set_slice(L, "region", c->region);
    set_slice(L, "encoded", c->encoded);
    set_slice(L, "table_name", c->table);
    if (c->has_scanner)
        l_set_integer(L, "scanner", (lua_Integer)c->scanner_id);
    lua_createtable(L, 0, 6);
    set_slice(L, "method", c->method);
    set_slice(L, "client", c->client);
    set_slice(L, "user", c->user);
    set_known(L, "proc_ms", c->proc_ms);
    set_known(L, "queue_ms", c->queue_ms);
    set_known(L, "response_bytes", c->response_bytes);
    lua_setfield(L, -2, "f");
    return add_found(L);
}

static int add_skip(lua_State *L) {
    const found *what = lua_touserdata(L, 2);
    lua_createtable(L, 0, 4);
    l_set_string(L, "skip", what->skip);
    set_where(L, what->where);
    return add_found(L);
}

/* Runs one of these where it may raise: the scan that calls us must not be jumped over. */
static dx_status add(void *arg, lua_CFunction fn, found *what, dx_err *err) {
    followed *f = arg;
    lua_State *L = f->L;
    if (L == NULL)
        return DX_OK;
    lua_pushcfunction(L, fn);
    lua_pushvalue(L, FOUND);
    lua_pushlightuserdata(L, what);
    if (lua_pcall(L, 2, 0, 0) == LUA_OK)
        return DX_OK;
    const char *why = lua_tostring(L, -1);
    dx_status st = dx_fail(err, DX_E_NOMEM, "%s", why == NULL ? "no memory" : why);
    lua_pop(L, 1);
    return st;
}

static dx_status on_event(void *arg, const dx_event *event, const dx_where *where, dx_err *err) {
    return add(arg, add_event, &(found){.where = where, .event = event}, err);
}

static dx_status on_call(void *arg, const dx_call *call, const dx_where *where, dx_err *err) {
    const followed *f = arg;
    return f->calls ? add(arg, add_call, &(found){.where = where, .call = call}, err) : DX_OK;
}

static dx_status on_skip(void *arg, const char *reason, dx_slice sample, const dx_where *where,
                         dx_err *err) {
    (void)sample;
    return add(arg, add_skip, &(found){.where = where, .skip = reason}, err);
}

/* --- a followed log */

static void free_followed(void *ptr) {
    followed *f = ptr;
    dx_follow_log_close(f->log);
    free(f);
}

L_CLOSER(l_close, FOLLOWED, free_followed)

/* follow.open(path, {last=, calls=, gc=}?) -> log | nil, message, code
 * last: bytes of what is there that are read, at most; none: all. calls: give these, too. gc: logs
 * of the garbage collector are not refused. The file need not be there. */
static int l_open(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    dx_follow_opts opts = l_follow_opts(L, 2);
    bool calls = l_opt_boolean(L, 2, "calls", false);
    opts.gc = l_opt_boolean(L, 2, "gc", false);
    l_box *box = l_newbox(L, FOLLOWED);
    dx_err err;
    followed *f = box->ptr = dx_calloc(1, sizeof *f);
    if (f == NULL)
        return luaL_error(L, "no memory to follow a log");
    f->calls = calls;
    f->sink = (dx_sink){.arg = f, .call = on_call, .event = on_event, .skip = on_skip};
    return dx_follow_log_open(&f->log, path, &opts, &f->sink, &err) == DX_OK ? 1 : l_fail(L, &err);
}

/* log:step(now_ms, list) -> what, reason | nil, message, code
 * One step: what is "nothing", "more" (ask again at once), "begin", "text", "end", "absent" or
 * "refused". Appends what was found to list: {kind=, line=, offset=, local_ms=, zone_ms=, thread=,
 * region=, encoded=, table_name=, family=, f={}} (zone_ms: the line tells its zone), of calls also
 * start_ms and scanner, or {skip=, line=} */
static int l_step(lua_State *L) {
    followed *f = l_checkopen(L, 1, FOLLOWED);
    int64_t now_ms = luaL_checkinteger(L, 2);
    dx_follow_news news;
    dx_err err;
    luaL_checktype(L, FOUND, LUA_TTABLE);
    luaL_checkstack(L, 8, "too many values");
    f->L = L;
    dx_status st = dx_follow_log_step(f->log, now_ms, &news, &err);
    f->L = NULL;
    return st == DX_OK ? l_follow_news(L, &news) : l_fail(L, &err);
}

/* log:stop(nil, list) -> true | nil, message, code
 * ends it: what was kept back is appended to list */
static int l_stop(lua_State *L) {
    followed *f = l_checkopen(L, 1, FOLLOWED);
    dx_err err;
    luaL_checktype(L, FOUND, LUA_TTABLE);
    luaL_checkstack(L, 8, "too many values");
    f->L = L;
    dx_status st = dx_follow_log_stop(f->log, &err);
    f->L = NULL;
    lua_pushboolean(L, true);
    return st == DX_OK ? 1 : l_fail(L, &err);
}

/* log:coverage() -> {bytes=, lines=, records=, calls=, events=, scans=, skipped=, foreign=,
 *   first_local_ms=, last_local_ms=, offset_ms=, server=, version=, gc=} of all that was read */
static int l_coverage(lua_State *L) {
    const followed *f = l_checkopen(L, 1, FOLLOWED);
    dx_coverage cov;
    dx_follow_log_coverage(f->log, &cov);
    lua_createtable(L, 0, 14);
    l_set_boolean(L, "gc", dx_follow_log_is_gc(f->log));
    l_set_integer(L, "bytes", (lua_Integer)cov.bytes);
    l_set_integer(L, "lines", (lua_Integer)cov.lines);
    l_set_integer(L, "records", (lua_Integer)cov.records);
    l_set_integer(L, "calls", (lua_Integer)cov.calls);
    l_set_integer(L, "events", (lua_Integer)cov.events);
    l_set_integer(L, "scans", (lua_Integer)cov.scans);
    l_set_integer(L, "skipped", (lua_Integer)cov.skipped);
    l_set_integer(L, "foreign", (lua_Integer)cov.foreign);
    l_set_instant(L, "first_local_ms", cov.first_local_ms);
    l_set_instant(L, "last_local_ms", cov.last_local_ms);
    if (cov.offset_inferred)
        l_set_integer(L, "offset_ms", cov.offset_ms);
    l_set_string(L, "server", cov.server[0] == '\0' ? NULL : cov.server);
    l_set_string(L, "version", cov.version[0] == '\0' ? NULL : cov.version);
    return 1;
}

/* --- waiting */

static const struct {
    int number;
    const char *name;
} ends[] = {{SIGHUP, "HUP"}, {SIGINT, "INT"}, {SIGTERM, "TERM"}};

/* Those of ends that are not ignored, as under nohup or in the background of a script. */
static void signals_of(sigset_t *set) {
    sigemptyset(set);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct sigaction act;
        if (sigaction(ends[i].number, NULL, &act) != 0 || act.sa_handler != SIG_IGN)
            sigaddset(set, ends[i].number);
    }
}

/* follow.hold(on)
 * From now on the signals that end us are only taken by follow.wait; false: no longer. */
static int l_hold(lua_State *L) {
    sigset_t set;
    signals_of(&set);
    luaL_checktype(L, 1, LUA_TBOOLEAN);
    pthread_sigmask(lua_toboolean(L, 1) ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
    return 0;
}

/* Nobody reads any more what we write. */
static bool reader_gone(void) {
    struct pollfd out = {.fd = STDOUT_FILENO};
    return poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLNVAL)) != 0;
}

/* follow.wait(ms) -> nil | number, name
 * Waits so long, or until a signal comes that follow.hold holds: its number and "INT", ...;
 * SIGPIPE's number and "PIPE" when nobody reads standard output any more. */
static int l_wait(lua_State *L) {
    lua_Integer ms = luaL_checkinteger(L, 1);
    luaL_argcheck(L, ms >= 0 && ms <= 3600000, 1, "is no time to wait");
    const struct timespec time = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
    sigset_t set;
    signals_of(&set);
    int number = sigtimedwait(&set, NULL, &time);
    l_guard_check(L);
    if (number < 0) {
        if (!reader_gone())
            return lua_pushnil(L), 1;
        lua_pushinteger(L, SIGPIPE);
        lua_pushliteral(L, "PIPE");
        return 2;
    }
    lua_pushinteger(L, number);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends[i].number == number)
            lua_pushstring(L, ends[i].name);
    return 2;
}

/* --- */

static const luaL_Reg module[] = {
    {"hold", l_hold}, {"open", l_open}, {"wait", l_wait}, {NULL, NULL}};

static const luaL_Reg methods[] = {
    {"close", l_close}, {"coverage", l_coverage}, {"step", l_step}, {"stop", l_stop}, {NULL, NULL}};

int luaopen_hbdx_core_follow(lua_State *L) {
    l_newtype(L, FOLLOWED, methods, l_close);
    luaL_newlib(L, module);
    l_set_integer(L, "PIPE", SIGPIPE);
    return 1;
}

/* l_guard.c - see l_guard.h; registers "hbdx.core.guard". The chain of open watches is the one
 * thing in this program that is global and changes: a signal handler has no other way to reach it.
 */
#define _DEFAULT_SOURCE
#include "l_guard.h"

#include "dx_time.h"
#include "l_meter.h"
#include "l_util.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>

static struct {
    l_watch *volatile top;       /* the innermost */
    lua_State *volatile running; /* the coroutine that runs under it */
    pthread_t thread;            /* that runs Lua: signals of other threads are passed on to it */
    bool listening;
} guard;

/* ---- raising ---- */

static l_reason fired(void) {
    for (const l_watch *w = guard.top; w != NULL; w = w->outer)
        if (w->reason != L_RUNNING)
            return (l_reason)w->reason;
    return L_RUNNING;
}

bool l_guard_fired(void) {
    return fired() != L_RUNNING;
}

static int raise_reason(lua_State *L) {
    luaL_where(L, 0);
    lua_pushstring(L, fired() == L_DEADLINE ? "took longer than it may" : "interrupted");
    lua_concat(L, 2);
    return lua_error(L);
}

void l_guard_check(lua_State *L) {
    if (l_guard_fired())
        raise_reason(L);
}

static void stop(lua_State *L, lua_Debug *ar);

static void hook_running(void) {
    if (guard.running != NULL)
        lua_sethook(guard.running, stop, LUA_MASKCALL | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

/* A hook that outlived its watch takes itself away; a signal in that moment sets it again. */
static void stop(lua_State *L, lua_Debug *ar) {
    (void)ar;
    l_guard_check(L);
    lua_sethook(L, NULL, 0, 0);
    if (l_guard_fired())
        hook_running();
}

/* ---- signals ---- */

static void expire(int64_t now) {
    bool any = false;
    for (l_watch *w = guard.top; w != NULL; w = w->outer) {
        if (w->reason == L_RUNNING && w->deadline_ms != 0 && w->deadline_ms <= now) {
            w->reason = L_DEADLINE;
            any = true;
        }
    }
    if (any)
        hook_running();
}

/* Asks for a signal at the next deadline that is still to come; none: no signal. */
static void set_timer(int64_t now) {
    struct itimerval in = {{0, 0}, {0, 0}};
    int64_t next = 0;
    for (const l_watch *w = guard.top; w != NULL; w = w->outer)
        if (w->reason == L_RUNNING && w->deadline_ms != 0 && (next == 0 || w->deadline_ms < next))
            next = w->deadline_ms;
    if (next != 0) {
        int64_t wait = next > now ? next - now : 1;
        in.it_value.tv_sec = (time_t)(wait / 1000);
        in.it_value.tv_usec = (suseconds_t)(wait % 1000 * 1000);
    }
    setitimer(ITIMER_REAL, &in, NULL);
}

static void on_alarm(int sig) {
    int saved = errno;
    if (!pthread_equal(pthread_self(), guard.thread)) {
        pthread_kill(guard.thread, sig);
    } else {
        int64_t now = dx_time_monotonic();
        expire(now);
        set_timer(now);
    }
    errno = saved;
}

bool l_guard_interrupt(void) {
    bool any = false;
    for (l_watch *w = guard.top; w != NULL; w = w->outer) {
        if (w->interruptible) {
            w->reason = L_INTERRUPT;
            any = true;
        }
    }
    if (any)
        hook_running();
    return any;
}

static void listen_once(void) {
    if (guard.listening)
        return;
    struct sigaction act;
    memset(&act, 0, sizeof act);
    act.sa_handler = on_alarm;
    act.sa_flags = SA_RESTART;
    sigemptyset(&act.sa_mask);
    guard.thread = pthread_self();
    guard.listening = sigaction(SIGALRM, &act, NULL) == 0;
}

/* ---- watches ---- */

void l_watch_open(l_watch *w, lua_State *L, int64_t after_ms, bool interruptible) {
    const int64_t year = INT64_C(31536000000);
    int64_t now = dx_time_monotonic();
    listen_once();
    memset(w, 0, sizeof *w);
    w->home = L;
    w->hook = lua_gethook(L);
    w->mask = lua_gethookmask(L);
    w->count = lua_gethookcount(L);
    w->running = guard.running;
    w->deadline_ms = after_ms <= 0 ? 0 : now + (after_ms < year ? after_ms : year);
    w->interruptible = interruptible;
    w->outer = guard.top;
    guard.running = L;
    atomic_signal_fence(memory_order_release); /* a handler that sees w sees it filled in */
    guard.top = w;
    if (w->deadline_ms != 0)
        set_timer(now);
}

l_reason l_watch_close(l_watch *w) {
    l_reason reason = fired();
    guard.top = w->outer;
    guard.running = w->running;
    lua_sethook(w->home, w->hook == stop ? NULL : w->hook, w->mask, w->count);
    if (l_guard_fired())
        hook_running();
    if (w->deadline_ms != 0)
        set_timer(dx_time_monotonic());
    return reason;
}

/* ---- coroutines and table.move ---- */

/* From now on L is what a signal stops; returns what it was before. */
static lua_State *run_on(lua_State *L) {
    lua_State *before = guard.running;
    guard.running = guard.top == NULL ? NULL : L;
    if (l_guard_fired())
        hook_running();
    return before;
}

/* Resumes co with the nargs values on top of L. Returns how many results lie on L now, or -1 with
 * the error on L. [-nargs, +n, v] */
static int resume(lua_State *L, lua_State *co, int nargs) {
    int n = 0;
    if (!lua_checkstack(co, nargs))
        return lua_pushliteral(L, "too many arguments to resume"), -1;
    lua_xmove(L, co, nargs);
    lua_State *before = run_on(co);
    int status = lua_resume(co, L, nargs, &n);
    run_on(before);
    if (status != LUA_OK && status != LUA_YIELD)
        return lua_xmove(co, L, 1), -1;
    if (lua_checkstack(L, n + 1))
        return lua_xmove(co, L, n), n;
    lua_pop(co, n);
    return lua_pushliteral(L, "too many results to resume"), -1;
}

/* Closes what co left open. False: that failed, the error lies on co. */
static bool close_thread(lua_State *co) {
    lua_State *before = run_on(co);
    int status = lua_resetthread(co);
    run_on(before);
    return status == LUA_OK;
}

/* coroutine.resume(co, ...) -> true, results... | false, error */
static int l_resume(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTHREAD);
    int n = resume(L, lua_tothread(L, 1), lua_gettop(L) - 1);
    lua_pushboolean(L, n >= 0);
    lua_insert(L, n >= 0 ? -(n + 1) : -2);
    return n >= 0 ? n + 1 : 2;
}

static int call_wrapped(lua_State *L) {
    lua_State *co = lua_tothread(L, lua_upvalueindex(1));
    int n = resume(L, co, lua_gettop(L));
    if (n >= 0)
        return n;
    int status = lua_status(co);
    bool died = status != LUA_OK && status != LUA_YIELD;
    if (died && !l_guard_fired() && !close_thread(co)) /* one that was stopped takes no hook more */
        lua_xmove(co, L, 1);
    if (lua_type(L, -1) == LUA_TSTRING) {
        luaL_where(L, 1);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

/* coroutine.close(co) -> true | false, error */
static int l_close(lua_State *L) {
    lua_Debug ar;
    luaL_checktype(L, 1, LUA_TTHREAD);
    lua_State *co = lua_tothread(L, 1);
    bool busy = co == L || (lua_status(co) == LUA_OK && lua_getstack(co, 0, &ar) != 0);
    luaL_argcheck(L, !busy, 1, "cannot close a coroutine that runs");
    l_guard_check(L);
    bool closed = close_thread(co);
    lua_pushboolean(L, closed);
    if (!closed)
        lua_xmove(co, L, 1);
    return closed ? 1 : 2;
}

/* coroutine.wrap(fn) -> function that resumes and passes errors on */
static int l_wrap(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *co = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    lua_pushcclosure(L, call_wrapped, 1);
    return 1;
}

/* table.move(from, first, last, at, to?) -> to */
static int l_move(lua_State *L) {
    lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3);
    lua_Integer at = luaL_checkinteger(L, 4);
    int to = lua_isnoneornil(L, 5) ? 1 : 5;
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, to, LUA_TTABLE);
    if (last >= first) {
        luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements");
        lua_Integer n = last - first + 1;
        luaL_argcheck(L, at <= LUA_MAXINTEGER - n + 1, 4, "destination wraps around");
        bool up = at > last || at <= first || (to != 1 && !lua_compare(L, 1, to, LUA_OPEQ));
        for (lua_Integer k = 0; k < n; k++) {
            lua_Integer i = up ? k : n - 1 - k;
            if ((k & 4095) == 0)
                l_guard_check(L);
            lua_geti(L, 1, first + i);
            lua_seti(L, to, at + i);
        }
    }
    lua_pushvalue(L, to);
    return 1;
}

void l_guard_install(lua_State *L) {
    static const luaL_Reg coroutines[] = {
        {"close", l_close}, {"resume", l_resume}, {"wrap", l_wrap}, {NULL, NULL}};
    lua_getglobal(L, "coroutine");
    luaL_setfuncs(L, coroutines, 0);
    lua_getglobal(L, "table");
    lua_pushcfunction(L, l_move);
    lua_setfield(L, -2, "move");
    lua_pop(L, 2);
}

/* ---- guard.call ---- */

static const char *kind_of(l_reason reason, int status, bool refused) {
    if (reason != L_RUNNING)
        return reason == L_DEADLINE ? "deadline" : "interrupt";
    return status == LUA_ERRMEM || (status == LUA_ERRERR && refused) ? "memory" : "error";
}

/* The error on top becomes {message=, traceback=, kind=}. [-1, +1, m] */
static int push_failure(lua_State *L, const char *kind) {
    if (!lua_istable(L, -1)) {
        lua_createtable(L, 0, 3);
        lua_insert(L, -2);
        lua_setfield(L, -2, "message");
    }
    lua_pushstring(L, kind);
    lua_setfield(L, -2, "kind");
    return 1;
}

/* A state may take so many bytes more, but never more than an outer limit. */
static void narrow(l_meter *m, lua_Integer more) {
    if (m == NULL || more <= 0)
        return;
    size_t limit = m->used + (size_t)more;
    if (limit >= m->used && (m->limit == 0 || limit < m->limit))
        m->limit = limit;
}

/* guard.call(fn, {memory_bytes=, deadline_ms=, interruptible=}, ...) -> true, results...
 *   | false, {message=, traceback=, kind="error|memory|deadline|interrupt", ...}
 * memory_bytes: what fn may allocate beyond what is in use now. An error that is a table keeps its
 * fields. */
static int l_call(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_Integer memory = l_opt_integer(L, 2, "memory_bytes", 0);
    lua_Integer deadline = l_opt_integer(L, 2, "deadline_ms", 0);
    bool interruptible = l_opt_boolean(L, 2, "interruptible", false);
    l_meter none = {0, 0, false}, *meter = l_meter_of(L);
    l_meter before = meter == NULL ? none : *meter;
    l_watch watch;
    lua_remove(L, 2);
    lua_pushboolean(L, true); /* the first result, in place before anything can fail */
    lua_insert(L, 1);
    if (meter != NULL)
        meter->refused = false;
    narrow(meter, memory);
    l_watch_open(&watch, L, deadline, interruptible);
    int status = l_door_record(L, lua_gettop(L) - 2, LUA_MULTRET);
    l_reason reason = l_watch_close(&watch);
    bool refused = meter != NULL && meter->refused;
    if (meter != NULL) {
        meter->limit = before.limit;
        meter->refused = before.refused;
    }
    if (status == LUA_OK)
        return lua_gettop(L);
    lua_pushboolean(L, false);
    lua_replace(L, 1);
    return push_failure(L, kind_of(reason, status, refused)) + 1;
}

/* guard.check(): raises when the call that runs has been ended; for loops that call no Lua */
static int l_check(lua_State *L) {
    l_guard_check(L);
    return 0;
}

/* guard.memory() -> bytes that this Lua state holds */
static int l_memory(lua_State *L) {
    l_meter *meter = l_meter_of(L);
    lua_pushinteger(L, meter == NULL ? 0 : (lua_Integer)meter->used);
    return 1;
}

int luaopen_hbdx_core_guard(lua_State *L) {
    static const luaL_Reg module[] = {
        {"call", l_call}, {"check", l_check}, {"memory", l_memory}, {NULL, NULL}};
    luaL_newlib(L, module);
    return 1;
}

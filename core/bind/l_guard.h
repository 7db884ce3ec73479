/* l_guard - how Lua code that runs too long is stopped. A watch is opened around a call; when its
 * deadline passes (a timer signal) or the user interrupts, a hook is set in the running coroutine
 * that raises at its next instruction, and again if the code catches it, until the watch closes.
 * Long C functions ask l_guard_fired every few thousand steps. Without a signal it costs nothing.
 */
#ifndef L_GUARD_H
#define L_GUARD_H

#include <lua.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum l_reason { L_RUNNING = 0, L_DEADLINE, L_INTERRUPT } l_reason;

typedef struct l_watch {
    struct l_watch *outer;
    lua_State *home, *running; /* the state it was opened in; the coroutine that ran around it */
    int64_t deadline_ms;       /* of the monotonic clock; 0: none */
    bool interruptible;        /* an interrupt ends it */
    volatile sig_atomic_t reason;
    lua_Hook hook; /* of home when it was opened, and put back */
    int mask, count;
} l_watch;

/* Opens a watch inside those that are open already; it must be closed in the same C function, with
 * no jump over it: only a protected call may stand between. after_ms 0: no deadline. */
void l_watch_open(l_watch *w, lua_State *L, int64_t after_ms, bool interruptible);
/* Gives the time back to the outer watch. Returns why it was stopped, its own or an outer reason.
 */
l_reason l_watch_close(l_watch *w);

/* Ends every interruptible watch; false: none is open. May be called from a signal handler. */
bool l_guard_interrupt(void);
/* Has an open watch been ended? Then the caller should stop. */
bool l_guard_fired(void);
/* Raises when an open watch has been ended. [-0, +0, v] */
void l_guard_check(lua_State *L);

/* Replaces coroutine.close, resume and wrap and table.move by functions that a watch can stop.
 * [-0, +0, m] */
void l_guard_install(lua_State *L);

#endif

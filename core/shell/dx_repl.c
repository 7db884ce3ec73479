/* dx_repl.c - see dx_repl.h; registers "hbdx.core.repl". readline's callback interface is used: we
 * wait for input ourselves, with signals let in only there, so that Ctrl-C ends a line at a moment
 * that we choose. readline and signal handlers know no user data, hence the one static state. */
#define _GNU_SOURCE /* ppoll */
#include "dx_repl.h"

#include "l_guard.h"
#include "l_util.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h> /* before readline.h, which forgets it */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#define HISTORY_LINES 5000

static struct {
    lua_State *L;        /* set while a line is read: for completion */
    lua_Integer matches; /* candidates given out so far */
    char *line;          /* what readline handed over, ours; NULL at the end of input */
    bool done;
    int added; /* lines to append to the history file */
    volatile sig_atomic_t pending[NSIG];
} repl;

/* ---- signals ---- */

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGCONT, SIGWINCH};
enum { CAUGHT = sizeof caught / sizeof *caught };

static void on_signal(int sig) {
    repl.pending[sig] = 1;
}

/* While a statement runs: Ctrl-C ends it. */
static void on_interrupt(int sig) {
    if (!l_guard_interrupt())
        repl.pending[sig] = 1;
}

static bool take(int sig) {
    bool was = repl.pending[sig] != 0;
    repl.pending[sig] = 0;
    return was;
}

typedef struct signals {
    struct sigaction before[CAUGHT];
    sigset_t mask; /* as it was: what is let in while waiting */
} signals;

static void catch_signals(signals *s) {
    struct sigaction act;
    sigset_t block;
    memset(&act, 0, sizeof act);
    act.sa_handler = on_signal;
    sigemptyset(&act.sa_mask);
    sigemptyset(&block);
    for (size_t i = 0; i < CAUGHT; i++)
        sigaddset(&block, caught[i]);
    sigprocmask(SIG_BLOCK, &block, &s->mask);
    for (size_t i = 0; i < CAUGHT; i++) {
        sigaction(caught[i], &act, &s->before[i]);
        if (s->before[i].sa_handler == SIG_IGN) /* nohup: it stays ignored */
            sigaction(caught[i], &s->before[i], NULL);
    }
}

static void release_signals(const signals *s) {
    for (size_t i = 0; i < CAUGHT; i++)
        sigaction(caught[i], &s->before[i], NULL);
    sigprocmask(SIG_SETMASK, &s->mask, NULL);
}

/* ---- reading a line ---- */

static void on_line(char *line) {
    repl.line = line;
    repl.done = true;
    rl_callback_handler_remove(); /* at once: it would show the prompt again */
}

/* Ends the line that is being edited, and leaves the terminal as it was. */
static void abandon(void) {
    rl_free_line_state();
    rl_callback_sigcleanup();
    rl_callback_handler_remove();
    fputs("^C\n", rl_outstream);
    fflush(rl_outstream);
}

/* A deadly signal is passed on once the terminal is in order again. */
static void obey(const signals *s, int sig) {
    rl_callback_handler_remove();
    release_signals(s);
    raise(sig);
}

/* False: Ctrl-C, the line is gone. */
static bool handle_signals(const signals *s) {
    if (take(SIGTERM))
        obey(s, SIGTERM);
    if (take(SIGHUP))
        obey(s, SIGHUP);
    if (take(SIGWINCH))
        rl_resize_terminal();
    if (take(SIGCONT)) {
        (*rl_prep_term_function)(1);
        rl_forced_update_display();
    }
    if (!take(SIGINT))
        return true;
    abandon();
    return false;
}

/* True: repl.line is set. False: Ctrl-C. */
static bool edit(const char *prompt) {
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    signals s;
    bool good = true;
    free(repl.line); /* where pushing it had raised */
    repl.line = NULL;
    repl.done = false;
    catch_signals(&s);
    rl_callback_handler_install(prompt, on_line);
    while (good && !repl.done) {
        int n = ppoll(&in, 1, NULL, &s.mask);
        if (n > 0)
            rl_callback_read_char();
        else if (n < 0 && errno != EINTR)
            on_line(NULL);
        if (!repl.done)
            good = handle_signals(&s);
    }
    release_signals(&s);
    return good;
}

/* repl.line(prompt) -> text | nil at the end of input (Ctrl-D) | false after Ctrl-C */
static int l_line(lua_State *L) {
    const char *prompt = luaL_checkstring(L, 1);
    repl.L = L;
    bool good = edit(prompt);
    repl.L = NULL;
    if (!good) {
        lua_pushboolean(L, false);
        return 1;
    }
    lua_pushstring(L, repl.line); /* NULL: nil */
    free(repl.line);
    repl.line = NULL;
    return 1;
}

/* ---- completion ---- */

/* Runs the completer; true: an array of strings is on the stack. [-0, +1, -] */
static bool ask_completer(lua_State *L, int start, int end) {
    if (!lua_checkstack(L, 10))
        return false;
    if (lua_getfield(L, LUA_REGISTRYINDEX, "hbdx.completer") != LUA_TFUNCTION)
        return true;
    lua_pushlstring(L, rl_line_buffer, (size_t)end);
    lua_pushinteger(L, start + 1);
    return l_door(L, 2, 1) == LUA_OK;
}

static char *next_match(const char *text, int state) {
    lua_State *L = repl.L;
    char *copy = NULL;
    (void)text;
    if (state == 0)
        repl.matches = 0;
    if (lua_rawgeti(L, -1, ++repl.matches) == LUA_TSTRING)
        copy = strdup(lua_tostring(L, -1));
    lua_pop(L, 1);
    return copy;
}

/* The completer's array replaces the word; without one, names of files do. */
static char **complete(const char *text, int start, int end) {
    lua_State *L = repl.L;
    char **matches = NULL;
    int top = L == NULL ? 0 : lua_gettop(L);
    rl_attempted_completion_over = 1;
    rl_completion_append_character = '\0';
    if (L == NULL)
        return NULL;
    if (ask_completer(L, start, end) && lua_istable(L, -1))
        matches = rl_completion_matches(text, next_match);
    else
        rl_attempted_completion_over = 0;
    lua_settop(L, top);
    return matches;
}

/* repl.completer(fn): fn(text up to the cursor, where the word begins) -> array of words | nil:
 * names of files */
static int l_completer(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, "hbdx.completer");
    return 0;
}

/* ---- history ---- */

/* repl.remember(text): adds a statement to the history, lines and all */
static int l_remember(lua_State *L) {
    const char *text = luaL_checkstring(L, 1);
    HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    if (last != NULL && strcmp(last->line, text) == 0)
        return 0;
    add_history(text);
    repl.added++;
    return 0;
}

/* repl.read_history(path) -> true | nil, message: there is none, or it cannot be read */
static int l_read_history(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    int failed = read_history(path);
    if (failed == 0)
        history_truncate_file(path, HISTORY_LINES);
    errno = failed;
    repl.added = 0;
    return luaL_fileresult(L, failed == 0, path);
}

/* repl.write_history(path) -> true | nil, message; adds what was remembered since, to a file that
 * is readable by its owner alone */
static int l_write_history(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return luaL_fileresult(L, 0, path);
    close(fd);
    errno = append_history(repl.added, path);
    repl.added = 0;
    return luaL_fileresult(L, errno == 0, path);
}

/* ---- the module ---- */

/* repl.open(): to be called once, before the first line; from now on Ctrl-C ends the statement that
 * runs (guard.call with interruptible), and not the program */
static int l_open(lua_State *L) {
    struct sigaction act;
    sigset_t interrupt;
    (void)L;
    memset(&act, 0, sizeof act);
    act.sa_handler = on_interrupt;
    act.sa_flags = SA_RESTART;
    sigemptyset(&act.sa_mask);
    sigaction(SIGINT, &act, NULL);
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_UNBLOCK, &interrupt, NULL); /* a parent may have left it blocked */
    rl_readline_name = "hbdx";
    rl_outstream = isatty(STDOUT_FILENO) ? stdout : stderr;
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_attempted_completion_function = complete;
    rl_completer_word_break_characters = " \t\n\"\\'><=;+-*/%^~#{}()[],&|";
    rl_completer_quote_characters = "\"'";
    using_history();
    stifle_history(HISTORY_LINES);
    history_write_timestamps = 1; /* so that entries of several lines stay entries */
    history_comment_char = '#';
    setlocale(LC_CTYPE, ""); /* numbers stay those of C */
    return 0;
}

static int open_module(lua_State *L) {
    static const luaL_Reg module[] = {
        {"completer", l_completer},
        {"line", l_line},
        {"open", l_open},
        {"read_history", l_read_history},
        {"remember", l_remember},
        {"write_history", l_write_history},
        {NULL, NULL},
    };
    luaL_newlib(L, module);
    return 1;
}

void dx_repl_preload(lua_State *L) {
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, open_module);
    lua_setfield(L, -2, "hbdx.core.repl");
    lua_pop(L, 1);
}

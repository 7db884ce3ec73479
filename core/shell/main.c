/* main.c - hbdx: finds its files, opens a Lua state, and hands over to hbdx.cli. Two things are
 * done here: --version, which must work without any file, and `hbdx lua`, which runs a script. */
#include "dx_repl.h"
#include "dx_state.h"
#include "dx_str.h"
#include "l_util.h"

#include <stdio.h>
#include <stdlib.h>

enum { EXIT_USAGE = 2, EXIT_INTERNAL = 4 };

typedef struct arguments {
    int n;
    char **v;
} arguments;

/* Pushes a table with argv[from] at index 0. [-0, +1, m] */
static void push_arguments(lua_State *L, const arguments *a, int from) {
    lua_createtable(L, a->n, 1);
    for (int i = from; i < a->n; i++) {
        lua_pushstring(L, a->v[i]);
        lua_rawseti(L, -2, i - from);
    }
}

/* require("hbdx.cli").main(argv) -> exit status */
static int run_cli(lua_State *L) {
    const arguments *a = lua_touserdata(L, 1);
    dx_repl_preload(L);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "hbdx.cli");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "main");
    push_arguments(L, a, 0);
    lua_call(L, 1, 1);
    luaL_checkinteger(L, -1);
    return 1;
}

/* hbdx lua FILE args... with `arg` and `...` set as the lua command does */
static int run_script(lua_State *L) {
    const arguments *a = lua_touserdata(L, 1);
    push_arguments(L, a, 2);
    lua_setglobal(L, "arg");
    if (luaL_loadfile(L, a->v[2]) != LUA_OK) {
        dx_state_say(lua_tostring(L, -1));
        lua_pushinteger(L, EXIT_USAGE);
        return 1;
    }
    luaL_checkstack(L, a->n, "too many arguments");
    for (int i = 3; i < a->n; i++)
        lua_pushstring(L, a->v[i]);
    lua_call(L, a->n - 3, 1);
    lua_pushinteger(L, lua_isinteger(L, -1) ? lua_tointeger(L, -1) : EXIT_SUCCESS);
    return 1;
}

/* A full disk or a closed pipe must not pass for success. */
static int flush(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    perror("hbdx: cannot write to standard output");
    return EXIT_INTERNAL;
}

static int run(arguments *a, bool script) {
    char home[4200];
    dx_state *state = NULL;
    dx_err err;
    int status = EXIT_INTERNAL;
    if (dx_state_home(home, sizeof home, &err) != DX_OK
        || dx_state_open(&state, home, script, &err) != DX_OK)
        dx_state_say(err.msg);
    else if (dx_state_run(state, script ? run_script : run_cli, a, &status, &err) != DX_OK)
        status = EXIT_INTERNAL;
    dx_state_close(state);
    return status;
}

int main(int argc, char **argv) {
    arguments a = {argc, argv};
    if (argc == 2 && dx_str_eq(argv[1], "--version")) {
        puts("hbdx " HBDX_VERSION);
        return flush(EXIT_SUCCESS);
    }
    bool script = argc > 1 && dx_str_eq(argv[1], "lua");
    if (argc > 2 && (dx_str_eq(argv[2], "--help") || dx_str_eq(argv[2], "-h")))
        script = false; /* its help is with the other commands' */
    if (script && argc < 3) {
        fputs("usage: hbdx lua FILE [ARGUMENT...]\n", stderr);
        return EXIT_USAGE;
    }
    return flush(run(&a, script));
}

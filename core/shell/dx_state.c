/* dx_state.c - see dx_state.h. */
#define _POSIX_C_SOURCE 200809L
#include "dx_state.h"

#include "dx_buf.h"
#include "dx_str.h"
#include "dx_text.h"
#include "l_guard.h"
#include "l_meter.h"
#include "l_open.h"
#include "l_pattern.h"
#include "l_util.h"

#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dx_state {
    l_meter meter;
    lua_State *L;
};

/* What main hands through the door. */
typedef struct setup {
    const char *home;
    bool script;
} setup;

/* package.path and package.cpath. A script may use the machine's modules, the product may not. */
static void set_paths(lua_State *L, const setup *s) {
    lua_getglobal(L, "package");
    lua_pushfstring(L, "%s/lua/?.lua;%s/lua/?/init.lua", s->home, s->home);
    if (s->script) {
        lua_pushliteral(L, ";");
        lua_getfield(L, -3, "path");
        lua_concat(L, 3);
    } else {
        lua_pushliteral(L, "");
        lua_setfield(L, -3, "cpath");
    }
    lua_setfield(L, -2, "path");
    lua_pop(L, 1);
}

static int open_libraries(lua_State *L) {
    const setup *s = lua_touserdata(L, 1);
    luaL_openlibs(L);
    set_paths(L, s);
    lua_pushstring(L, s->home);
    lua_setfield(L, LUA_REGISTRYINDEX, L_HOME);
    l_pattern_install(L);
    l_guard_install(L);
    l_preload(L);
    return 0;
}

void dx_state_say(const char *message) {
    dx_buf safe;
    dx_buf_init(&safe, 0);
    dx_slice rest = dx_s(message);
    while (rest.n > 0) {
        ptrdiff_t end = dx_slice_find_char(rest, '\n', 0);
        size_t n = end < 0 ? rest.n : (size_t)end;
        size_t tabs = 0;
        while (tabs < n && rest.p[tabs] == '\t')
            tabs++;
        dx_buf_add(&safe, rest.p, tabs);
        dx_text_escape(&safe, dx_slice_sub(rest, tabs, n));
        rest = dx_slice_sub(rest, n + 1, rest.n);
        if (rest.n > 0)
            dx_buf_addc(&safe, '\n');
    }
    dx_slice text = dx_buf_slice(&safe);
    fprintf(stderr, "hbdx: %.*s\n", (int)text.n, text.p);
    dx_buf_done(&safe);
}

/* What the door left on top. */
static const char *message(lua_State *L) {
    const char *text = lua_tostring(L, -1);
    return text != NULL ? text : "(an error without a message)";
}

dx_status dx_state_open(dx_state **out, const char *home, bool script, dx_err *err) {
    setup with = {home, script};
    dx_state *s = calloc(1, sizeof *s);
    if (s == NULL || (s->L = lua_newstate(l_meter_alloc, &s->meter)) == NULL) {
        free(s);
        return dx_fail(err, DX_E_NOMEM, "no memory for a Lua state");
    }
    lua_pushcfunction(s->L, open_libraries);
    lua_pushlightuserdata(s->L, &with);
    if (l_door(s->L, 1, 0) != LUA_OK) {
        dx_status st = dx_fail(err, DX_E_BUG, "%s", message(s->L));
        dx_state_close(s);
        return st;
    }
    *out = s;
    return DX_OK;
}

void dx_state_close(dx_state *s) {
    if (s == NULL)
        return;
    lua_close(s->L);
    free(s);
}

dx_status dx_state_run(dx_state *s, lua_CFunction fn, void *ud, int *status, dx_err *err) {
    dx_status st = DX_OK;
    lua_pushcfunction(s->L, fn);
    lua_pushlightuserdata(s->L, ud);
    if (l_door(s->L, 1, 1) != LUA_OK) {
        dx_state_say(message(s->L));
        st = dx_fail(err, DX_E_BUG, "%s", message(s->L));
    } else {
        *status = (int)lua_tointeger(s->L, -1);
    }
    lua_pop(s->L, 1);
    return st;
}

static bool has_files(const char *home) {
    char path[4200];
    int n = snprintf(path, sizeof path, "%s/lua/hbdx", home);
    return n > 0 && (size_t)n < sizeof path && access(path, R_OK) == 0;
}

/* The folder of the running binary, without a slash at its end. */
static bool own_folder(char *out, size_t size) {
    ssize_t n = readlink("/proc/self/exe", out, size - 1);
    if (n <= 0)
        return false;
    out[n] = '\0';
    char *slash = strrchr(out, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    return true;
}

/* The first line of <dir>/hbdx.root: written by the build, absent once installed. */
static bool build_tree(const char *dir, char *out, size_t size) {
    char path[4200];
    int n = snprintf(path, sizeof path, "%s/hbdx.root", dir);
    FILE *f = n > 0 && (size_t)n < sizeof path ? fopen(path, "r") : NULL;
    if (f == NULL)
        return false;
    bool got = fgets(out, (int)size, f) != NULL;
    fclose(f);
    if (got)
        out[strcspn(out, "\n")] = '\0';
    return got && has_files(out);
}

dx_status dx_state_home(char *out, size_t size, dx_err *err) {
    char dir[4096];
    const char *given = getenv("HBDX_HOME");
    if (given != NULL && given[0] != '\0') {
        snprintf(out, size, "%s", given);
        if (has_files(out))
            return DX_OK;
        return dx_fail(err, DX_E_NOTFOUND, "HBDX_HOME=%s has no lua/hbdx in it", given);
    }
    if (!own_folder(dir, sizeof dir))
        return dx_fail(err, DX_E_NOTFOUND, "cannot tell where this program lies: set HBDX_HOME");
    if (build_tree(dir, out, size))
        return DX_OK;
    int n = snprintf(out, size, "%s/../share/hbdx", dir);
    if (n > 0 && (size_t)n < size && has_files(out))
        return DX_OK;
    return dx_fail(err, DX_E_NOTFOUND,
                   "cannot find hbdx's Lua files (looked in %s and %s/hbdx.root): set HBDX_HOME to "
                   "the folder that holds lua/, playbooks/ and samples/",
                   out, dir);
}

/* l_calls_live.c - Lua face of dx_calls_live: slow calls of logs that are being written, in a
 * digest of hbdx.core.calls. */
#include "dx_calls_live.h"
#include "l_calls.h"
#include "l_follow.h"

#include <stdlib.h>
#include <string.h>

#define LIVE_MAX 100000

void l_calls_close_live(l_calls *c) {
    for (size_t i = 0; c->live != NULL && i < c->n; i++)
        dx_calls_live_close(c->live[i]);
    free(c->live);
}

/* Room for one more file. */
static bool grow(l_calls *c) {
    void *files = c->files, *live = c->live;
    size_t files_cap = c->cap, live_cap = c->cap;
    bool good = dx_grow(&files, &files_cap, c->n + 1, sizeof *c->files);
    c->files = files;
    if (good)
        good = dx_grow(&live, &live_cap, c->n + 1, sizeof *c->live);
    c->live = live;
    if (good)
        c->cap = live_cap;
    dx_calls_set_files(c->calls, c->files, c->n);
    return good;
}

/* calls:follow(path, {last=, name=}?) -> its index | nil, message, code
 * of what calls.live made; as follow.open */
static int l_follow(lua_State *L) {
    l_calls *c = l_checkopen(L, 1, L_CALLS);
    const char *path = luaL_checkstring(L, 2), *name = l_opt_string(L, 3, "name", path);
    dx_follow_opts opts = l_follow_opts(L, 3);
    dx_err err;
    luaL_argcheck(L, c->live != NULL || c->files == NULL, 1, "these calls have been read");
    luaL_argcheck(L, c->n < LIVE_MAX, 1, "too many files");
    char *kept_path = dx_arena_dup(c->names, dx_s(path));
    char *kept_name = dx_arena_dup(c->names, dx_s(name));
    if (kept_path == NULL || kept_name == NULL || !grow(c))
        return luaL_error(L, "no memory to follow %s", path);
    c->files[c->n] = (dx_calls_file){.path = kept_path, .name = kept_name};
    c->live[c->n] = NULL;
    dx_calls_set_files(c->calls, c->files, c->n + 1);
    if (dx_calls_live_open(&c->live[c->n], c->calls, c->n, &opts, &err) != DX_OK) {
        dx_calls_set_files(c->calls, c->files, c->n);
        return l_fail(L, &err);
    }
    lua_pushinteger(L, (lua_Integer)++c->n);
    return 1;
}

static dx_calls_live *live_of(lua_State *L) {
    l_calls *c = l_checkopen(L, 1, L_CALLS);
    lua_Integer i = luaL_checkinteger(L, 2);
    luaL_argcheck(L, c->live != NULL && i >= 1 && (size_t)i <= c->n, 2, "no such file is followed");
    return c->live[i - 1];
}

/* calls:step(i, now_ms) -> what, reason | nil, message, code
 * as of a log of hbdx.core.follow; what is found goes into the digest */
static int l_step(lua_State *L) {
    dx_calls_live *live = live_of(L);
    dx_follow_news news;
    dx_err err;
    if (dx_calls_live_step(live, luaL_checkinteger(L, 3), &news, &err) != DX_OK)
        return l_fail(L, &err);
    return l_follow_news(L, &news);
}

/* calls:stop(i) -> true | nil, message, code
 * ends the following of a file: what was kept back is counted */
static int l_stop(lua_State *L) {
    dx_err err;
    if (dx_calls_live_stop(live_of(L), &err) != DX_OK)
        return l_fail(L, &err);
    lua_pushboolean(L, true);
    return 1;
}

static const luaL_Reg following[] = {
    {"follow", l_follow},
    {"step", l_step},
    {"stop", l_stop},
    {NULL, NULL},
};

void l_calls_following(lua_State *L) {
    luaL_getmetatable(L, L_CALLS);
    lua_getfield(L, -1, "__index");
    luaL_setfuncs(L, following, 0);
    lua_pop(L, 2);
}

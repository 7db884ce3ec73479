/* l_http.c - Lua face of HTTP; registers "hbdx.core.http". Each answer has its own failure, so that
 * one server that is down hides no other. */
#include "dx_http.h"
#include "dx_mem.h"
#include "l_guard.h"
#include "l_util.h"

#include <stdlib.h>

#define REPLIES  "hbdx.http.replies" /* box of replies */
#define MAX_URLS 10000
#define MAX_MS   86400000 /* a day */

typedef struct replies {
    size_t n;
    const char **urls;
    dx_http_reply *all;
} replies;

static void free_replies(replies *r) {
    for (size_t i = 0; r->all != NULL && i < r->n; i++)
        dx_http_reply_done(&r->all[i]);
    free(r->all);
    free(r->urls);
    free(r);
}

L_CLOSER(l_replies_close, REPLIES, free_replies)

static bool stop(void *ud) {
    (void)ud;
    return l_guard_fired();
}

static replies *new_replies(size_t n) {
    replies *r = dx_calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->n = n;
    r->urls = dx_calloc(n, sizeof *r->urls);
    r->all = dx_calloc(n, sizeof *r->all);
    if (r->urls != NULL && r->all != NULL)
        return r;
    free_replies(r);
    return NULL;
}

static lua_Integer opt_range(lua_State *L, const char *key, lua_Integer max) {
    lua_Integer v = l_opt_integer(L, 2, key, 0);
    if (v < 0 || v > max)
        luaL_argerror(L, 2, lua_pushfstring(L, "%s: 0 to %I", key, max));
    return v;
}

static dx_http_opts read_opts(lua_State *L) {
    return (dx_http_opts){
        .connect_ms = opt_range(L, "connect_ms", MAX_MS),
        .total_ms = opt_range(L, "total_ms", MAX_MS),
        .deadline_ms = opt_range(L, "deadline_ms", MAX_MS),
        .low_speed_bytes = opt_range(L, "low_speed_bytes", 1 << 30),
        .max_bytes = (size_t)opt_range(L, "max_bytes", (lua_Integer)1 << 30),
        .parallel = (size_t)opt_range(L, "parallel", 256),
        .user_agent = l_opt_string(L, 2, "user_agent", NULL),
        .user = l_opt_string(L, 2, "user", NULL),
        .ca_file = l_opt_string(L, 2, "ca_file", NULL),
        .negotiate = l_opt_boolean(L, 2, "negotiate", false),
        .stop = stop,
    };
}

static void push_reply(lua_State *L, const dx_http_reply *r) {
    lua_createtable(L, 0, 9);
    l_set_string(L, "url", r->url);
    l_set_string(L, "status", dx_status_name(r->status));
    if (r->status != DX_OK) {
        l_set_string(L, "error", r->err.msg);
        l_set_string(L, "code", dx_status_name(r->err.code));
    }
    if (r->http_status != 0)
        l_set_integer(L, "http_status", r->http_status);
    if (r->content_type[0] != '\0')
        l_set_string(L, "content_type", r->content_type);
    l_set_integer(L, "took_ms", r->took_ms);
    l_set_instant(L, "date_ms", r->server_date_ms);
    l_pushslice(L, dx_buf_slice(&r->body));
    lua_setfield(L, -2, "body");
}

/* The URLs of the array at 1; borrowed from it. [-0, +0, v] */
static void read_urls(lua_State *L, replies *r) {
    for (size_t i = 0; i < r->n; i++) {
        if (lua_rawgeti(L, 1, (lua_Integer)i + 1) != LUA_TSTRING)
            luaL_argerror(L, 1,
                          lua_pushfstring(L, "URL %d: string expected, got %s", (int)i + 1,
                                          luaL_typename(L, -1)));
        r->urls[i] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
}

/* get(urls, {connect_ms=, total_ms=, deadline_ms=, low_speed_bytes=, max_bytes=, parallel=,
 *   user_agent=, user="name:password", ca_file=, negotiate=}) -> array of {url=, status="ok"|..,
 *   error=, code=, http_status=, content_type=, took_ms=, date_ms=, body=} | nil, message, code
 * Answers come in the order of the urls. A failed one has error and code, and what came of a body.
 * 0 or nothing: the defaults of dx_http.h. */
static int l_get(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    dx_http_opts opts = read_opts(L);
    lua_Unsigned n = lua_rawlen(L, 1);
    luaL_argcheck(L, n <= MAX_URLS, 1, "more than 10000 URLs");
    l_box *box = l_newbox(L, REPLIES);
    replies *r = box->ptr = new_replies((size_t)n);
    dx_err err;
    if (r == NULL)
        return luaL_error(L, "not enough memory");
    read_urls(L, r);
    dx_status st = dx_http_get(r->urls, r->n, &opts, r->all, &err);
    l_guard_check(L);
    if (st != DX_OK)
        return l_fail(L, &err);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < r->n; i++) {
        push_reply(L, &r->all[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
        dx_http_reply_done(&r->all[i]); /* a body need not be there twice */
    }
    return 1;
}

static const luaL_Reg module[] = {{"get", l_get}, {NULL, NULL}};

int luaopen_hbdx_core_http(lua_State *L) {
    l_newtype(L, REPLIES, NULL, l_replies_close);
    luaL_newlib(L, module);
    return 1;
}

/* l_sys.c - the machine as Lua sees it: files, clocks, the terminal, where hbdx lies; registers
 * "hbdx.core.sys". */
#define _DEFAULT_SOURCE /* struct winsize */
#include "dx_fs.h"
#include "dx_input.h"
#include "dx_mem.h"
#include "dx_time.h"
#include "l_guard.h"
#include "l_util.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define LISTING "hbdx.listing" /* box of dx_listing */
#define INPUT   "hbdx.input"   /* box of dx_input */

static void free_listing(dx_listing *l) {
    dx_listing_done(l);
    free(l);
}
L_CLOSER(l_listing_close, LISTING, free_listing)

/* Pushes {name=, type=, link=, size=, mtime_ms=}. [-0, +1, m] */
static void push_entry(lua_State *L, const dx_entry *e) {
    lua_createtable(L, 0, 5);
    l_set_string(L, "name", e->name);
    l_set_string(L, "type", dx_file_type_name(e->type));
    l_set_boolean(L, "link", e->link);
    l_set_integer(L, "size", (lua_Integer)e->size);
    l_set_integer(L, "mtime_ms", e->mtime_ms);
}

/* sys.list(folder) -> array of {name=, type="file|folder|other|broken", link=, size=, mtime_ms=},
 *   sorted by name | nil, message, code
 * The type is that of what a link points to. */
static int l_list(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    l_box *box = l_newbox(L, LISTING);
    dx_listing *l = box->ptr = dx_calloc(1, sizeof *l);
    dx_err err;
    if (l == NULL)
        return luaL_error(L, "not enough memory");
    if (dx_fs_list(l, path, &err) != DX_OK)
        return l_fail(L, &err);
    lua_createtable(L, l->n < 100000 ? (int)l->n : 100000, 0);
    for (size_t i = 0; i < l->n; i++) {
        push_entry(L, &l->entries[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* sys.stat(path) -> {type=, size=, mtime_ms=} | nil, message, code; follows links */
static int l_stat(lua_State *L) {
    dx_entry e;
    dx_err err;
    if (dx_fs_stat(&e, luaL_checkstring(L, 1), &err) != DX_OK)
        return l_fail(L, &err);
    push_entry(L, &e);
    return 1;
}

/* sys.real(path) -> the one name of a file, without links | nil, message, code */
static int l_real(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    dx_buf *out = l_newbuf(L, 0);
    dx_err err;
    return dx_fs_real(out, path, &err) == DX_OK ? l_pushbuf(L, out) : l_fail(L, &err);
}

/* sys.read(path, max_bytes) -> bytes | nil, message, code ("limit": it has more) */
static int l_read(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    lua_Integer max = luaL_checkinteger(L, 2);
    dx_err err;
    luaL_argcheck(L, max > 0, 2, "must be positive");
    dx_buf *out = l_newbuf(L, 0);
    return dx_fs_read(out, path, (size_t)max, &err) == DX_OK ? l_pushbuf(L, out) : l_fail(L, &err);
}

/* sys.write(path, bytes) -> true | nil, message, code; the file is replaced as a whole and is for
 * the owner alone */
static int l_write(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    size_t n;
    const char *bytes = luaL_checklstring(L, 2, &n);
    dx_err err;
    if (dx_fs_write(path, (dx_slice){bytes, n}, &err) != DX_OK)
        return l_fail(L, &err);
    lua_pushboolean(L, true);
    return 1;
}

L_CLOSER(l_input_close, INPUT, dx_input_close)

/* sys.head(path, max_bytes) -> the first bytes of a file, decompressed (at most 64 KiB)
 *   | nil, message, code */
static int l_head(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    lua_Integer max = luaL_checkinteger(L, 2);
    l_box *box = l_newbox(L, INPUT);
    dx_slice head;
    dx_input *in;
    dx_err err;
    luaL_argcheck(L, max > 0, 2, "must be positive");
    if (dx_input_open(&in, path, &err) != DX_OK)
        return l_fail(L, &err);
    box->ptr = in;
    if (dx_input_peek(in, &head, &err) != DX_OK)
        return l_fail(L, &err);
    l_pushslice(L, dx_slice_sub(head, 0, (size_t)max));
    box->ptr = NULL; /* closed now: a folder may have many files */
    dx_input_close(in);
    return 1;
}

/* sys.make_folders(path) -> true | nil, message, code; also those above it, for the owner alone */
static int l_make_folders(lua_State *L) {
    dx_err err;
    if (dx_fs_make_folders(luaL_checkstring(L, 1), &err) != DX_OK)
        return l_fail(L, &err);
    lua_pushboolean(L, true);
    return 1;
}

/* sys.isatty(fd) -> boolean */
static int l_isatty(lua_State *L) {
    lua_Integer fd = luaL_checkinteger(L, 1);
    luaL_argcheck(L, fd >= 0 && fd <= 1023, 1, "is no file descriptor");
    lua_pushboolean(L, isatty((int)fd));
    return 1;
}

/* sys.columns() -> width of the terminal, its height | nil: there is none */
static int l_columns(lua_State *L) {
    struct winsize w;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
        if (isatty(fd) && ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col > 0) {
            lua_pushinteger(L, w.ws_col);
            lua_pushinteger(L, w.ws_row);
            return 2;
        }
    }
    return luaL_pushfail(L), 1;
}

/* sys.getenv(name) -> value | nil: not set, or empty */
static int l_getenv(lua_State *L) {
    const char *value = getenv(luaL_checkstring(L, 1));
    lua_pushstring(L, value != NULL && value[0] != '\0' ? value : NULL);
    return 1;
}

/* sys.monotonic_ms() -> milliseconds since some moment; never goes back */
static int l_monotonic_ms(lua_State *L) {
    lua_pushinteger(L, dx_time_monotonic());
    return 1;
}

/* sys.now_ms() -> milliseconds since 1970, UTC, by this machine's clock */
static int l_now_ms(lua_State *L) {
    lua_pushinteger(L, dx_time_now());
    return 1;
}

/* sys.sleep_ms(ms): may be interrupted where a statement may */
static int l_sleep_ms(lua_State *L) {
    lua_Integer ms = luaL_checkinteger(L, 1);
    luaL_argcheck(L, ms >= 0, 1, "must not be negative");
    struct timespec left = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
    while (nanosleep(&left, &left) != 0)
        l_guard_check(L);
    return 0;
}

/* sys.home() -> the folder that holds lua/, playbooks/ and samples/ */
static int l_home(lua_State *L) {
    lua_getfield(L, LUA_REGISTRYINDEX, L_HOME);
    return 1;
}

/* sys.version() -> "0.1.0" */
static int l_version(lua_State *L) {
    lua_pushliteral(L, HBDX_VERSION);
    return 1;
}

/* sys.processors() -> how many may be used; 1 where nobody tells */
static int l_processors(lua_State *L) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    lua_pushinteger(L, n < 1 ? 1 : n);
    return 1;
}

static const luaL_Reg module[] = {
    {"columns", l_columns},
    {"getenv", l_getenv},
    {"head", l_head},
    {"home", l_home},
    {"isatty", l_isatty},
    {"list", l_list},
    {"make_folders", l_make_folders},
    {"monotonic_ms", l_monotonic_ms},
    {"now_ms", l_now_ms},
    {"read", l_read},
    {"real", l_real},
    {"sleep_ms", l_sleep_ms},
    {"stat", l_stat},
    {"version", l_version},
    {"processors", l_processors},
    {"write", l_write},
    {NULL, NULL},
};

int luaopen_hbdx_core_sys(lua_State *L) {
    l_newtype(L, LISTING, NULL, l_listing_close);
    l_newtype(L, INPUT, NULL, l_input_close);
    luaL_newlib(L, module);
    return 1;
}

/* l_time.c - instants and zones for Lua; registers "hbdx.core.time". Instants are integers:
 * milliseconds since 1970, UTC. A zone is "UTC", "+02:00", "Europe/Berlin" or "local"; nil is UTC.
 */
#include "dx_time.h"
#include "dx_zone.h"
#include "l_util.h"

#define ZONE "hbdx.zone" /* box of dx_zone; opened once per name, kept in upvalue 1 */

L_CLOSER(l_zone_close, ZONE, dx_zone_free)

/* An instant of the years 1 to 9999. [-0, +0, v] */
static int64_t check_instant(lua_State *L, int idx) {
    lua_Integer ms = luaL_checkinteger(L, idx);
    luaL_argcheck(L, ms >= INT64_C(-62135596800000) && ms <= INT64_C(253402300799999), idx,
                  "is no instant in milliseconds");
    return ms;
}

/* The zone named at idx. False: it does not exist, err says why. [-0, +0, v] */
static bool zone(lua_State *L, int idx, const dx_zone **out, dx_err *err) {
    const char *name = luaL_optstring(L, idx, "UTC");
    dx_zone *fresh;
    if (lua_getfield(L, lua_upvalueindex(1), name) != LUA_TNIL) {
        *out = l_checkopen(L, -1, ZONE);
        lua_pop(L, 1);
        return true;
    }
    l_box *box = l_newbox(L, ZONE);
    if (dx_zone_open(&fresh, name, err) != DX_OK)
        return false;
    *out = box->ptr = fresh;
    lua_setfield(L, lua_upvalueindex(1), name);
    lua_pop(L, 1);
    return true;
}

/* text in its own zone, or in z where it names none. */
DX_MUST_CHECK static dx_status parse(dx_slice text, const dx_zone *z, int64_t *ms, dx_err *err) {
    dx_civil c;
    if (dx_time_read(text, ms))
        return DX_OK;
    if (text.n == 0 || dx_civil_read(text, &c) != text.n)
        return dx_fail(err, DX_E_PARSE, "'%.*s' is no date and time like 2024-05-01T02:03:04Z",
                       text.n > 60 ? 60 : (int)text.n, text.n == 0 ? "" : text.p);
    *ms = dx_zone_utc(z, dx_time_from_civil(&c, 0), DX_TIME_NONE);
    return DX_OK;
}

/* time.parse(text, zone?) -> ms | nil, message, code
 * "2024-05-01T02:03:04.567Z", "2024-05-01 02:03:04,567"; zone: of a text that names none */
static int l_parse(lua_State *L) {
    dx_slice text = dx_slice_trim(l_checkslice(L, 1));
    const dx_zone *z;
    int64_t ms;
    dx_err err;
    if (!zone(L, 2, &z, &err) || parse(text, z, &ms, &err) != DX_OK)
        return l_fail(L, &err);
    lua_pushinteger(L, ms);
    return 1;
}

/* time.format(ms, zone?) -> "2024-05-01T02:03:04.567Z", or with the zone's offset
 *   | nil, message, code */
static int l_format(lua_State *L) {
    int64_t ms = check_instant(L, 1);
    char text[DX_TIME_LEN];
    const dx_zone *z;
    dx_err err;
    if (!zone(L, 2, &z, &err))
        return l_fail(L, &err);
    dx_time_write(text, ms, dx_zone_offset(z, ms));
    lua_pushstring(L, text);
    return 1;
}

/* time.civil(ms, zone?) -> {year=, month=, day=, hour=, minute=, second=, ms=, wday=}
 *   | nil, message, code
 * wday: 0 Sunday to 6 Saturday */
static int l_civil(lua_State *L) {
    int64_t ms = check_instant(L, 1);
    const dx_zone *z;
    dx_civil c;
    dx_err err;
    if (!zone(L, 2, &z, &err))
        return l_fail(L, &err);
    int64_t offset = dx_zone_offset(z, ms);
    dx_time_to_civil(ms, offset, &c);
    lua_createtable(L, 0, 8);
    l_set_integer(L, "year", c.year);
    l_set_integer(L, "month", c.month);
    l_set_integer(L, "day", c.day);
    l_set_integer(L, "hour", c.hour);
    l_set_integer(L, "minute", c.minute);
    l_set_integer(L, "second", c.second);
    l_set_integer(L, "ms", c.ms);
    l_set_integer(L, "wday", dx_time_weekday(ms, offset));
    return 1;
}

/* time.offset(zone, ms) -> milliseconds east of UTC at that instant | nil, message, code */
static int l_offset(lua_State *L) {
    int64_t ms = check_instant(L, 2);
    const dx_zone *z;
    dx_err err;
    if (!zone(L, 1, &z, &err))
        return l_fail(L, &err);
    lua_pushinteger(L, dx_zone_offset(z, ms));
    return 1;
}

static const luaL_Reg module[] = {
    {"civil", l_civil}, {"format", l_format}, {"offset", l_offset},
    {"parse", l_parse}, {NULL, NULL},
};

int luaopen_hbdx_core_time(lua_State *L) {
    l_newtype(L, ZONE, NULL, l_zone_close);
    luaL_newlibtable(L, module);
    lua_newtable(L);
    luaL_setfuncs(L, module, 1);
    return 1;
}

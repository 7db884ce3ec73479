/* l_amp.c - Lua face of the arithmetic; registers "hbdx.core.amp".
 * Each takes one table of numbers, all of them given (the defaults are hbdx.amp's), and returns a
 * table. A missing field raises. A number out of range returns nil, message, code. What is unknown
 * (NaN) is absent from the result. */
#include "dx_amp.h"
#include "l_util.h"

static void need(lua_State *L, const char *key) {
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_getfield(L, 1, key) == LUA_TNIL)
        luaL_argerror(L, 1, lua_pushfstring(L, "%s: a number is expected, it is missing", key));
    lua_pop(L, 1);
}

static lua_Integer whole(lua_State *L, const char *key) {
    need(L, key);
    return l_opt_integer(L, 1, key, 0);
}

static lua_Number real(lua_State *L, const char *key) {
    need(L, key);
    return l_opt_number(L, 1, key, 0);
}

static dx_version version(lua_State *L) {
    return (dx_version)l_opt_integer(L, 1, "version", 0);
}

/* heap{heap_bytes, memstore_fraction, lower_limit, cache_fraction, flush_size_bytes,
 * active_regions, families, offheap_memstore_bytes} -> {...}; over_heap_rule is a boolean */
static int l_heap(lua_State *L) {
    dx_heap_in in = {.heap_bytes = whole(L, "heap_bytes"),
                     .memstore_fraction = real(L, "memstore_fraction"),
                     .lower_limit = real(L, "lower_limit"),
                     .cache_fraction = real(L, "cache_fraction"),
                     .flush_size_bytes = whole(L, "flush_size_bytes"),
                     .active_regions = whole(L, "active_regions"),
                     .families = whole(L, "families"),
                     .offheap_memstore_bytes = whole(L, "offheap_memstore_bytes")};
    dx_heap_out out;
    dx_err err;
    if (dx_amp_heap(&in, &out, &err) != DX_OK)
        return l_fail(L, &err);
    lua_createtable(L, 0, 7);
    l_set_integer(L, "memstore_global_bytes", out.memstore_global_bytes);
    l_set_integer(L, "flush_floor_bytes", out.flush_floor_bytes);
    l_set_integer(L, "wanted_bytes", out.wanted_bytes);
    l_set_integer(L, "avg_flush_bytes", out.avg_flush_bytes);
    l_set_integer(L, "regions_at_full_flush", out.regions_at_full_flush);
    l_set_integer(L, "block_cache_bytes", out.block_cache_bytes);
    l_set_boolean(L, "over_heap_rule", out.over_heap_rule);
    return 1;
}

/* get{files, files_with_row, bloom_fp, cache_hit} -> {data_blocks, disk_reads, ..._no_bloom} */
static int l_get(lua_State *L) {
    dx_get_in in = {.files = real(L, "files"),
                    .files_with_row = real(L, "files_with_row"),
                    .bloom_fp = real(L, "bloom_fp"),
                    .cache_hit = real(L, "cache_hit")};
    dx_get_out out;
    dx_err err;
    if (dx_amp_get(&in, &out, &err) != DX_OK)
        return l_fail(L, &err);
    lua_createtable(L, 0, 4);
    l_set_number(L, "data_blocks", out.data_blocks);
    l_set_number(L, "disk_reads", out.disk_reads);
    l_set_number(L, "data_blocks_no_bloom", out.data_blocks_no_bloom);
    l_set_number(L, "disk_reads_no_bloom", out.disk_reads_no_bloom);
    return 1;
}

/* rows{scanned, returned, filtered?, live?} -> {amplification, filtered_share?, dead_share?} */
static int l_rows(lua_State *L) {
    dx_rows_in in = {.scanned = real(L, "scanned"),
                     .returned = real(L, "returned"),
                     .filtered = l_opt_number(L, 1, "filtered", -1),
                     .live = l_opt_number(L, 1, "live", -1)};
    dx_rows_out out;
    dx_err err;
    if (dx_amp_rows(&in, &out, &err) != DX_OK)
        return l_fail(L, &err);
    lua_createtable(L, 0, 3);
    l_set_number(L, "amplification", out.amplification);
    l_set_number(L, "filtered_share", out.filtered_share);
    l_set_number(L, "dead_share", out.dead_share);
    return 1;
}

static void set_share(lua_State *L, const char *key, const dx_queue_share *share) {
    lua_createtable(L, 0, 4);
    l_set_integer(L, "queues", share->queues);
    l_set_integer(L, "handlers", share->handlers);
    l_set_integer(L, "per_queue_min", share->per_queue_min);
    l_set_integer(L, "per_queue_max", share->per_queue_max);
    lua_setfield(L, -2, key);
}

/* queues{handlers, factor, read_ratio, scan_ratio, version?} ->
 * {total, split, write = {queues, handlers, per_queue_min, per_queue_max}, read, scan, idle} */
static int l_queues(lua_State *L) {
    dx_queues_in in = {.handlers = whole(L, "handlers"),
                       .factor = real(L, "factor"),
                       .read_ratio = real(L, "read_ratio"),
                       .scan_ratio = real(L, "scan_ratio"),
                       .version = version(L)};
    dx_queues_out out;
    dx_err err;
    if (dx_amp_queues(&in, &out, &err) != DX_OK)
        return l_fail(L, &err);
    lua_createtable(L, 0, 6);
    l_set_integer(L, "total", out.queues_total);
    l_set_integer(L, "idle_handlers", out.idle_handlers);
    l_set_boolean(L, "split", out.split);
    set_share(L, "write", &out.write);
    set_share(L, "read", &out.read);
    set_share(L, "scan", &out.scan);
    return 1;
}

/* wal{memstore_bytes, blocksize_bytes, multiplier?, version?} -> {wals_to_hold_memstore,
 * hbase_maxlogs, hbase_multiplier} */
static int l_wal(lua_State *L) {
    dx_wal_in in = {.memstore_bytes = whole(L, "memstore_bytes"),
                    .blocksize_bytes = whole(L, "blocksize_bytes"),
                    .multiplier = l_opt_number(L, 1, "multiplier", 0),
                    .version = version(L)};
    dx_wal_out out;
    dx_err err;
    if (dx_amp_wal(&in, &out, &err) != DX_OK)
        return l_fail(L, &err);
    lua_createtable(L, 0, 3);
    l_set_integer(L, "wals_to_hold_memstore", out.wals_to_hold_memstore);
    l_set_integer(L, "hbase_maxlogs", out.hbase_maxlogs);
    l_set_number(L, "hbase_multiplier", out.hbase_multiplier);
    return 1;
}

/* pressure{files, min, blocking} -> number */
static int l_pressure(lua_State *L) {
    double pressure;
    dx_err err;
    if (dx_amp_pressure(whole(L, "files"), whole(L, "min"), whole(L, "blocking"), &pressure, &err)
        != DX_OK)
        return l_fail(L, &err);
    lua_pushnumber(L, pressure);
    return 1;
}

/* throughput{pressure, lower, upper} -> bytes a second; math.huge: no limit */
static int l_throughput(lua_State *L) {
    double limit;
    dx_err err;
    if (dx_amp_throughput(real(L, "pressure"), real(L, "lower"), real(L, "upper"), &limit, &err)
        != DX_OK)
        return l_fail(L, &err);
    lua_pushnumber(L, limit);
    return 1;
}

static const luaL_Reg module[] = {
    {"get", l_get},       {"heap", l_heap}, {"pressure", l_pressure},
    {"queues", l_queues}, {"rows", l_rows}, {"throughput", l_throughput},
    {"wal", l_wal},       {NULL, NULL},
};

int luaopen_hbdx_core_amp(lua_State *L) {
    luaL_newlib(L, module);
    return 1;
}

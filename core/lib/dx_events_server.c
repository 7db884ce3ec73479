/* dx_events_server.c - lines about the process: pauses, sessions, versions, limits, caches, call
 * queues. */
#include "dx_events_match.h"
#include "dx_units.h"

#include <string.h>

/* ---- pauses ---- */

/* Collectors whose time is spent beside the program, not instead of it: "ZGC Cycles", "ZGC Major
 * Cycles", "Shenandoah Cycles", "G1 Concurrent GC". */
static bool is_concurrent(dx_slice bean) {
    return dx_slice_ends(bean, "Cycles") || dx_slice_is(bean, "G1 Concurrent GC");
}

/* "GC pool 'ParNew' had collection(s): count=1 time=48250ms", or NULL when line is none such. */
static bool read_pool(dx_slice line, dx_slice *bean, int64_t *n, int64_t *ms) {
    static const char *const names[] = {"bean", "count", "time", NULL};
    dx_event e = {.n = 0};
    if (!dx_event_match("GC pool '%t' had collection(s): count=%i time=%i%~ms", names, line, &e)
        || e.n != 3)
        return false;
    *bean = e.fields[0].s;
    *n = e.fields[1].i;
    *ms = e.fields[2].i;
    return *n >= 0 && *ms >= 0;
}

/* The lines after the message name the collectors that ran. gc: the one that took longest. No such
 * line and no "No GCs detected" (a cut record): nothing is known of collections. */
static bool pools(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)line;
    dx_slice worst = dx_s("none"), bean;
    int64_t worst_ms = -1, total = 0, runs = 0, n, ms;
    bool known = false;
    for (rest = dx_slice_trim(rest); rest.n > 0; rest = dx_slice_trim(rest)) {
        dx_slice text = dx_event_first_line(rest);
        rest = dx_slice_sub(rest, text.n, rest.n);
        bool ran = read_pool(text, &bean, &n, &ms);
        known = known || ran || dx_slice_starts(text, "No GCs detected");
        if (!ran || is_concurrent(bean) || __builtin_add_overflow(total, ms, &total)
            || __builtin_add_overflow(runs, n, &runs) || ms <= worst_ms)
            continue;
        worst_ms = ms;
        worst = bean;
    }
    if (!known)
        return true;
    dx_event_text(out, "gc", worst);
    dx_event_int(out, "gc_ms", total);
    dx_event_int(out, "gc_count", runs);
    return true;
}

static const dx_event_row pause[] = {
    {.id = DX_EV_PAUSE,
     .pattern = "Detected pause in JVM or host machine%_pause of approximately %i%~ms",
     .names = {"pause_ms"},
     .more = pools},
    {.pattern = NULL},
};

static const dx_event_row sleeper[] = {
    {.id = DX_EV_SLEPT,
     .pattern = "We slept %i%~ms instead of %i%~ms",
     .names = {"slept_ms", "expected_ms"}},
    {.pattern = NULL},
};

static const dx_event_row zookeeper[] = {
    {.id = DX_EV_ZK_EXPIRED,
     .pattern = "Unable to reconnect to ZooKeeper service, session %h has expired",
     .names = {"session"}},
    {.pattern = NULL},
};

static const dx_event_row version[] = {
    {.id = DX_EV_SERVER_VERSION, .pattern = "HBase %v", .names = {"version"}},
    {.pattern = NULL},
};

/* ---- caches ---- */

/* The text of key in "a=1, b=2": the key stands at the head or behind a blank or a comma, its value
 * ends at the next comma (never part of one: the JVM prints these sizes in English). */
static bool value_of(dx_slice s, const char *key, dx_slice *value) {
    size_t n = strlen(key);
    for (ptrdiff_t at = dx_slice_find(s, key, 0); at >= 0;
         at = dx_slice_find(s, key, (size_t)at + 1)) {
        size_t from = (size_t)at + n;
        if (at > 0 && s.p[at - 1] != ' ' && s.p[at - 1] != ',')
            continue;
        ptrdiff_t comma = dx_slice_find_char(s, ',', from);
        *value = dx_slice_sub(s, from, comma < 0 ? s.n : (size_t)comma);
        return true;
    }
    return false;
}

static void put_size(dx_slice s, const char *key, const char *name, dx_event *out) {
    dx_slice v;
    int64_t bytes;
    if (value_of(s, key, &v) && dx_size_read(v, &bytes))
        dx_event_int(out, name, bytes);
}

static void put_counts(dx_slice s, dx_event *out) {
    static const char *const keys[][2] = {
        {"accesses=", "accesses"},
        {"hits=", "hits"},
        {"cachingAccesses=", "caching_accesses"},
        {"cachingHits=", "caching_hits"},
        {"evictions=", "evictions"},
        {"evicted=", "evicted"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        dx_slice v;
        int64_t n;
        if (value_of(s, keys[i][0], &v) && dx_slice_i64(dx_slice_trim(v), &n))
            dx_event_int(out, keys[i][1], n);
    }
}

/* "totalSize" is what is used before 2.4.18 and 2.5.6, and the capacity since, when "usedSize"
 * stands beside it; "max" is the capacity always. */
static bool lru(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)rest;
    dx_slice m = line->message, used;
    if (dx_slice_starts(m, "Stats: "))
        m = dx_slice_sub(m, 7, m.n);
    bool told = value_of(m, "usedSize=", &used);
    bool old = dx_slice_starts(m, "total=") || dx_slice_starts(m, "Total=");
    put_size(m,
             told  ? "usedSize="
             : old ? (m.p[0] == 't' ? "total=" : "Total=")
                   : "totalSize=",
             "used_bytes", out);
    put_size(m, old ? "free=" : "freeSize=", "free_bytes", out);
    put_size(m, "max=", "max_bytes", out);
    put_counts(m, out);
    dx_event_int(out, "cumulative", 1);
    return true;
}

/* Its counters start again after every line. */
static bool bucket(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)rest;
    dx_slice m = line->message, v;
    bool old = value_of(m, "total=", &v);
    put_size(m, "usedSize=", "used_bytes", out);
    put_size(m, old ? "free=" : "freeSize=", "free_bytes", out);
    put_size(m, old ? "total=" : "totalSize=", "max_bytes", out);
    put_counts(m, out);
    dx_event_int(out, "cumulative", 0);
    return true;
}

#define LRU(head)                                                                                  \
    { .id = DX_EV_CACHE_STATS, .pattern = head, .key = "which", .value = "lru", .more = lru }
#define BUCKET(head)                                                                               \
    { .id = DX_EV_CACHE_STATS, .pattern = head, .key = "which", .value = "bucket", .more = bucket }
static const dx_event_row lru_cache[] = {
    LRU("totalSize="),
    LRU("Total="),
    LRU("Stats: total="),
    {.pattern = NULL},
};
static const dx_event_row bucket_cache[] = {
    BUCKET("failedBlockAdditions="),
    BUCKET("BucketCache Stats: "),
    {.pattern = NULL},
};

/* ---- calls ---- */

static const dx_event_row executor[] = {
    {.id = DX_EV_CALL_QUEUES,
     .pattern = "Instantiated %t with queueClass=%_; numCallQueues=%i, maxQueueLength=%i, "
                "handlerCount=%i",
     .names = {"name", "queues", "max_length", "handlers"}},
    {.id = DX_EV_CALL_QUEUES, /* 1.4-1.7: the word "name" instead of the name */
     .pattern = "RpcExecutor %_ using %_ as call queue; numCallQueues=%i; maxQueueLength=%i; "
                "handlerCount=%i",
     .names = {"queues", "max_length", "handlers"}},
    {.pattern = NULL},
};

#define READ_WRITE "%t writeQueues=%i writeHandlers=%i readQueues=%i readHandlers=%i"
static const dx_event_row read_write[] = {
    {.id = DX_EV_CALL_QUEUES,
     .pattern = READ_WRITE " scanQueues=%i scanHandlers=%i",
     .names = {"name", "write_queues", "write_handlers", "read_queues", "read_handlers",
               "scan_queues", "scan_handlers"}},
    {.id = DX_EV_CALL_QUEUES,
     .pattern = READ_WRITE,
     .names = {"name", "write_queues", "write_handlers", "read_queues", "read_handlers"}},
    {.pattern = NULL},
};

static const dx_event_row scheduler[] = {
    {.id = DX_EV_CALL_QUEUES, .pattern = "Using %_ user call queue, count=%i", .names = {"queues"}},
    {.pattern = NULL},
};

#define DROPPED(head)                                                                              \
    {                                                                                              \
        .id = DX_EV_CALL_DROPPED, .pattern = head "%_methodName: %t size: %_ connection: %t %_",   \
        .names = {                                                                                 \
            "method",                                                                              \
            "client"                                                                               \
        }                                                                                          \
    }
static const dx_event_row rpc[] = {
    DROPPED("Dropping timed out call: "),
    DROPPED("Drop timeout call: "),
    DROPPED("Can not complete this request in time, drop it: "),
    {.pattern = NULL},
};

const dx_event_logger dx_event_server_loggers[] = {
    {"JvmPauseMonitor", pause, "Detected pause"},
    {"Sleeper", sleeper, "We slept"},
    {"ClientCnxn", zookeeper, NULL},
    {"VersionInfo", version, "HBase "},
    {"LruBlockCache", lru_cache, "totalSize=|Total=|Stats: "},
    {"LruAdaptiveBlockCache", lru_cache, "totalSize="},
    {"BucketCache", bucket_cache, "failedBlockAdditions=|BucketCache Stats"},
    {"RpcExecutor", executor, "Instantiated |RpcExecutor "},
    {"RWQueueRpcExecutor", read_write, NULL},
    {"SimpleRpcScheduler", scheduler, NULL},
    {"RpcServer", rpc, "(response|(operation|Dropping |Drop timeout|Can not complete"},
    {"HBaseServer", rpc, "(response|(operation"},
    {NULL, NULL, NULL},
};

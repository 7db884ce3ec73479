/* dx_events_server.c - lines about the process: pauses, sessions, versions, limits, caches, call
 * queues. */
#include "dx_events_match.h"
#include "dx_units.h"

#include <math.h>
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

const dx_event_row dx_event_pause[] = {
    {.id = DX_EV_PAUSE,
     .pattern = "Detected pause in JVM or host machine%_pause of approximately %i%~ms",
     .names = {"pause_ms"},
     .more = pools},
    {.pattern = NULL},
};

const dx_event_row dx_event_sleeper[] = {
    {.id = DX_EV_SLEPT,
     .pattern = "We slept %i%~ms instead of %i%~ms",
     .names = {"slept_ms", "expected_ms"}},
    {.pattern = NULL},
};

const dx_event_row dx_event_zookeeper[] = {
    {.id = DX_EV_ZK_EXPIRED,
     .pattern = "Unable to reconnect to ZooKeeper service, session %h has expired",
     .names = {"session"}},
    {.id = DX_EV_ZK_SILENT,
     .pattern = "Client session timed out, have not heard from server in %i%~ms for sessionid %h",
     .names = {"silent_ms", "session"}},
    {.id = DX_EV_ZK_SILENT,
     .pattern = "Client session timed out, have not heard from server in %i%~ms for session id %h",
     .names = {"silent_ms", "session"}},
    {.pattern = NULL},
};

/* The log of a ZooKeeper server: whose sessions these are it does not say. */
const dx_event_row dx_event_zookeeper_server[] = {
    {.id = DX_EV_ZK_SESSION_ENDED,
     .pattern = "Expiring session %h, timeout of %i%~ms exceeded",
     .names = {"session", "timeout_ms"}},
    {.id = DX_EV_ZK_SESSION_ENDED,
     .pattern = "Invalid session %h for client %t, probably expired",
     .names = {"session", "client"}},
    {.pattern = NULL},
};

/* Both fields come as text; a share of 1, printed with a point in every locale. */
static bool occupancy(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)line, (void)rest;
    for (size_t i = 0; i < 2; i++) {
        dx_field *f = &out->fields[i];
        if (!dx_slice_f64(f->s, &f->d))
            return false;
        f->d = round(f->d * 1e6) / 1e4;
        f->type = DX_FIELD_REAL;
    }
    return true;
}

const dx_event_row dx_event_heap_manager[] = {
    {.id = DX_EV_HEAP_OCCUPANCY,
     .pattern = "heapOccupancyPercent %t is above heap occupancy alarm watermark (%t)",
     .names = {"percent", "limit_percent"},
     .key = "side",
     .value = "above",
     .more = occupancy},
    {.id = DX_EV_HEAP_OCCUPANCY,
     .pattern = "heapOccupancyPercent %t is now below the heap occupancy alarm watermark (%t)",
     .names = {"percent", "limit_percent"},
     .key = "side",
     .value = "below",
     .more = occupancy},
    {.pattern = NULL},
};

const dx_event_row dx_event_version[] = {
    {.id = DX_EV_SERVER_VERSION, .pattern = "HBase %v", .names = {"version"}},
    {.pattern = NULL},
};

/* The value of the last such option counts, as for the JVM. */
static dx_slice option(dx_slice args, const char *head) {
    dx_slice value = dx_sn(NULL, 0);
    for (ptrdiff_t at = dx_slice_find(args, head, 0); at >= 0;
         at = dx_slice_find(args, head, (size_t)at + 1)) {
        size_t from = (size_t)at + strlen(head), end = from;
        while (end < args.n && args.p[end] != ',' && args.p[end] != ']' && args.p[end] != ' ')
            end++;
        value = dx_slice_sub(args, from, end);
    }
    return value;
}

/* "[-Xmx16g, -XX:+UseG1GC, ...]"; a layout that keeps 1000 characters may have cut its head. */
static bool jvm_options(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)rest;
    int64_t heap;
    dx_slice args = line->message;
    if (!dx_slice_starts(args, "vmInputArguments=") && (args.n < 990 || !dx_slice_ends(args, "]")))
        return false;
    bool told = dx_size_read(option(args, "-Xmx"), &heap);
    dx_slice collector = option(args, "-XX:+Use");
    if (told)
        dx_event_int(out, "max_heap_bytes", heap);
    static const char *const names[] = {"G1GC", "ConcMarkSweepGC", "ParallelGC", "SerialGC",
                                        "ZGC",  "ShenandoahGC"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char head[32] = "-XX:+Use";
        if (dx_slice_find(args, strcat(head, names[i]), 0) >= 0)
            collector = dx_s(names[i]);
    }
    if (dx_slice_ends(collector, "GC"))
        dx_event_text(out, "collector", collector);
    return out->n > 0;
}

const dx_event_row dx_event_command_line[] = {
    {.id = DX_EV_JVM,
     .pattern = "vmName=%t, vmVendor=%_, vmVersion=%t",
     .names = {"name", "version"}},
    {.id = DX_EV_JVM, .pattern = "", .more = jvm_options},
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
/* The field "table" belongs beside the region. */
static bool of_table(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)line, (void)rest;
    for (size_t i = 0; i < out->n; i++)
        if (dx_str_eq(out->fields[i].name, "table")) {
            out->table = out->fields[i].s;
            memmove(&out->fields[i], &out->fields[i + 1], (--out->n - i) * sizeof out->fields[0]);
        }
    return true;
}

const dx_event_row dx_event_lru_cache[] = {
    LRU("totalSize="),
    LRU("Total="),
    LRU("Stats: total="),
    {.id = DX_EV_CACHE_FAILED,
     .pattern = "Trying to cache too large a block %_ is %i which is larger than %i",
     .names = {"size_bytes", "limit_bytes"},
     .key = "which",
     .value = "lru"},
    {.pattern = NULL},
};
const dx_event_row dx_event_bucket_cache[] = {
    BUCKET("failedBlockAdditions="),
    BUCKET("BucketCache Stats: "),
    {.id = DX_EV_CACHE_LIMITS,
     .pattern = "Started bucket cache; ioengine=%t, capacity=%b, blockSize=%b, writerThreadNum=%i, "
                "writerQLen=%i",
     .names = {"engine", "max_bytes", "block_bytes", "writers", "queue_length"},
     .key = "which",
     .value = "bucket"},
    {.id = DX_EV_CACHE_FAILED, /* to 2.4.7: a line for each block */
     .pattern = "Failed allocation for %_; %t",
     .names = {"reason"},
     .key = "which",
     .value = "bucket"},
    {.id = DX_EV_CACHE_FAILED, /* 2.4.8-2.4.18 */
     .pattern =
         "Most recent failed allocation in %i milliseconds; Table Name = %t, Column Family = "
         "%F, HFile Name",
     .names = {"within_ms", "table"},
     .key = "which",
     .value = "bucket",
     .more = of_table},
    {.id = DX_EV_CACHE_FAILED,
     .pattern =
         "Most recent failed allocation after %i%~ms; Table: %t CF: %F HFile: %_ Message: %t",
     .names = {"within_ms", "table", "reason"},
     .key = "which",
     .value = "bucket",
     .more = of_table},
    {.pattern = NULL},
};

#define LIMIT(p, ...)                                                                              \
    {                                                                                              \
        .id = DX_EV_CACHE_LIMITS, .pattern = p, .names = {__VA_ARGS__}, .key = "which",            \
        .value = "lru"                                                                             \
    }
const dx_event_row dx_event_cache_config[] = {
    LIMIT("Allocating LruBlockCache with maximum size %b", "max_bytes"), /* 0.98 */
    LIMIT("Allocating %_Cache size=%b, blockSize=%b", "max_bytes", "block_bytes"),
    {.id = DX_EV_CACHE_STATS, /* to 2.1, when a store is opened */
     .pattern = "Created cacheConfig%_ blockCache=LruBlockCache{blockCount=%_, currentSize=%b, "
                "freeSize=%b, maxSize=%b,",
     .names = {"used_bytes", "free_bytes", "max_bytes"},
     .key = "which",
     .value = "lru"},
    {.pattern = NULL},
};

/* ---- calls ---- */

const dx_event_row dx_event_executor[] = {
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
const dx_event_row dx_event_read_write[] = {
    {.id = DX_EV_CALL_QUEUES,
     .pattern = READ_WRITE " scanQueues=%i scanHandlers=%i",
     .names = {"name", "write_queues", "write_handlers", "read_queues", "read_handlers",
               "scan_queues", "scan_handlers"}},
    {.id = DX_EV_CALL_QUEUES,
     .pattern = READ_WRITE,
     .names = {"name", "write_queues", "write_handlers", "read_queues", "read_handlers"}},
    {.pattern = NULL},
};

const dx_event_row dx_event_scheduler[] = {
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
const dx_event_row dx_event_rpc[] = {
    DROPPED("Dropping timed out call: "),
    DROPPED("Drop timeout call: "),
    DROPPED("Can not complete this request in time, drop it: "),
    {.id = DX_EV_CLIENT_GONE,
     .pattern = "%_caught a ClosedChannelException, this means that the server %t was processing a "
                "request but the client went away",
     .names = {"address"}},
    {.pattern = NULL},
};

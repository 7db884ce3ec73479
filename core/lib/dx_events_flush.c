/* dx_events_flush.c - lines about memstores and regions: flushes and why they came, what holds
 * writers back, regions that come and go, scanners that expire. */
#include "dx_events_match.h"

#include <string.h>

/* ---- MemStoreFlusher ---- */

#define PRESSURE "Flush of region %R due to global heap pressure"
static const dx_event_row flusher[] = {
    {.id = DX_EV_FLUSH_DELAYED,
     .pattern = "%E has too many store files(%i); delaying flush up to %i%~ms",
     .names = {"store_files", "up_to_ms"}},
    {.id = DX_EV_FLUSH_DELAYED,
     .pattern = "Region %R has too many store files; delaying flush up to %i%~ms",
     .names = {"up_to_ms"}},
    {.id = DX_EV_FLUSH_WAITED,
     .pattern = "Waited %i%~ms on a compaction to clean up %_ proceeding with flush of %R",
     .names = {"waited_ms"}},
    {.id = DX_EV_FLUSH_PRESSURE,
     .pattern = PRESSURE ". Flush type=%t, Total Memstore Heap size=%b, "
                         "Total Memstore Off-Heap size=%b, Region memstore size=%b",
     .names = {"flush_type", "total_bytes", "offheap_bytes", "region_bytes"}},
    {.id = DX_EV_FLUSH_PRESSURE, /* 2.0.0-2.1.8, 2.2.0-2.2.2: no separators */
     .pattern = PRESSURE ". Flush type=%tTotal Memstore Heap size=%b"
                         "Total Memstore Off-Heap size=%b, Region memstore size=%b",
     .names = {"flush_type", "total_bytes", "offheap_bytes", "region_bytes"}},
    {.id = DX_EV_FLUSH_PRESSURE,
     .pattern = PRESSURE ". Total Memstore size=%b, Region memstore size=%b",
     .names = {"total_bytes", "region_bytes"}},
    {.id = DX_EV_FLUSH_PRESSURE, .pattern = PRESSURE "%_"},
    {.id = DX_EV_UPDATES_BLOCKED,
     .pattern = "Blocking updates on %S: the global memstore size %b is >= than blocking %b size",
     .names = {"size_bytes", "limit_bytes"},
     .key = "what",
     .value = "global"},
    {.id = DX_EV_UPDATES_BLOCKED,
     .pattern = "Blocking updates on %S: global memstore heapsize %b is >= than blocking %b size",
     .names = {"size_bytes", "limit_bytes"},
     .key = "what",
     .value = "global"},
    {.id = DX_EV_UPDATES_BLOCKED,
     .pattern = "Blocking updates: global memstore heapsize %b is >= blocking %b",
     .names = {"size_bytes", "limit_bytes"},
     .key = "what",
     .value = "global"},
    {.id = DX_EV_UPDATES_BLOCKED,
     .pattern = "Blocking updates: the global offheap memstore datasize %b is >= blocking %b",
     .names = {"size_bytes", "limit_bytes"},
     .key = "what",
     .value = "global offheap"},
    {.id = DX_EV_UPDATES_BLOCKED,
     .pattern = "Memstore is above high water mark and block %i%~ms",
     .names = {"blocked_ms"},
     .key = "what",
     .value = "global"},
    {.id = DX_EV_UPDATES_UNBLOCKED, .pattern = "Unblocking updates for server %S"},
    {.id = DX_EV_FLUSH_FAILED,
     .pattern = "Cache flush failed for region %R",
     .more = dx_event_reason},
    {.id = DX_EV_FLUSH_FAILED, .pattern = "Cache flush failed", .more = dx_event_reason},
    {.id = DX_EV_HEAP_LIMITS,
     .pattern = "globalMemStoreLimit=%b, globalMemStoreLimitLowMark=%b, maxHeap=%b",
     .names = {"global_memstore_bytes", "low_mark_bytes", "max_heap_bytes"}},
    {.id = DX_EV_HEAP_LIMITS,
     .pattern = "globalMemStoreLimit=%b, globalMemStoreLimitLowMark=%b, Offheap=%y",
     .names = {"global_memstore_bytes", "low_mark_bytes", "offheap"}},
    {.pattern = NULL},
};

/* ---- HRegion ---- */

/* text begins at or before the exception's own words; those of 1.x may be broken over two lines by
 * whoever copied them. */
static void read_too_busy(dx_slice text, dx_event *out) {
    static const char *const limit[] = {"limit_bytes", NULL},
                             *const sizes[] = {"size_bytes", "limit_bytes", NULL},
                             *const none[] = {NULL};
    static const struct {
        const char *pattern;
        const char *const *names;
    } forms[] = {
        {"%_Over memstore limit=%b, regionName=%R, server=%S", limit},
        {"%_Over memstore limit; regionName=%R, server=%S, blockingMemStoreSize=%b", limit},
        {"%_ailed to obtain lock; regionName=%R, server=%S", none},
        {"%_ailed to get a lock in %_regionName=%R, server=%S", none},
    };
    if (dx_event_match("%_Above memstore limit, regionName=%R, server=%S, memstoreSize=%i, "
                       "blockingMemStoreSize=%i",
                       sizes, text, out))
        return;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (dx_event_match(forms[i].pattern, forms[i].names, dx_event_first_line(text), out))
            return;
}

static bool too_busy(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)line;
    dx_event_text(out, "seen_by", dx_s("server"));
    read_too_busy(dx_slice_sub(rest, 0, 4000), out);
    return true;
}

/* What a client says of its batch before the exception: "table=t1, attempt=3/35 failed=200ops"
 * (1.0: "failed 200 ops"; 2.x: "failureCount=200ops"), "Failed 200 actions: ". */
static void read_batch(dx_slice s, dx_event *out) {
    static const struct {
        const char *words, *name;
    } forms[] = {{" attempt=", "attempt"},
                 {" failed=", "ops"},
                 {" failed ", "ops"},
                 {"Failed ", "ops"},
                 {" failureCount=", "ops"}};
    bool counted = false;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        ptrdiff_t at = dx_slice_find(s, forms[i].words, 0);
        uint64_t n;
        bool ops = dx_str_eq(forms[i].name, "ops");
        dx_slice value = dx_slice_sub(s, (size_t)at + strlen(forms[i].words), s.n);
        if (at < 0 || (ops && counted) || dx_slice_lead_u64(value, &n) == 0 || n > INT32_MAX)
            continue;
        dx_event_int(out, forms[i].name, (int64_t)n);
        counted = counted || ops;
    }
    ptrdiff_t table = dx_slice_find(s, " table=", 0);
    ptrdiff_t end = table < 0 ? -1 : dx_slice_find_char(s, ',', (size_t)table);
    if (out->table.n == 0 && end >= 0)
        out->table = dx_slice_sub(s, (size_t)table + 7, (size_t)end);
}

#define TOO_BUSY "RegionTooBusyException: "

/* Before 1.7 the server says nothing when it turns a write away, so the client's word counts. A
 * summary ("RegionTooBusyException: 3 times") gives no reason. */
bool dx_event_client(const dx_logline *line, dx_slice rest, dx_event *out) {
    dx_slice s = line->message;
    ptrdiff_t at = dx_slice_find(s, TOO_BUSY, 0);
    if (at < 0) {
        s = rest;
        at = dx_slice_find(s, TOO_BUSY, 0);
    }
    if (at < 0)
        return false;
    dx_slice before = dx_slice_sub(s, 0, (size_t)at);
    ptrdiff_t nl = dx_slice_rfind_char(before, '\n');
    s = dx_slice_sub(s, (size_t)at, (size_t)at + 4000);
    *out = (dx_event){.id = DX_EV_REGION_TOO_BUSY};
    if (dx_slice_find(s, " memstore limit", 0) >= 0)
        dx_event_text(out, "reason", dx_s("memstore"));
    else if (dx_slice_find(s, " lock", 0) >= 0)
        dx_event_text(out, "reason", dx_s("lock"));
    dx_event_text(out, "seen_by", dx_s("client"));
    read_too_busy(s, out);
    read_batch(dx_slice_sub(before, (size_t)(nl + 1), before.n), out);
    return true;
}

bool dx_event_exception(dx_slice line) {
    ptrdiff_t at = dx_slice_find(line, TOO_BUSY, 0);
    return at >= 0 && dx_slice_find(line, "regionName=", (size_t)at) >= 0;
}

/* Regions that the master makes or owns are closed again at once; they moved nowhere. */
static bool left_server(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)rest;
    static const char *const threads[] = {"RegionOpenAndInit", "PEWorker", "M:", "master/"};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++)
        if (dx_slice_starts(line->thread, threads[i]))
            return false;
    return !dx_slice_is(out->table, "master:store");
}

#define FINISHED "in %ims, sequenceid=%i, compaction requested=%y"
static const dx_event_row region[] = {
    {.id = DX_EV_FLUSH_FINISHED,
     .pattern =
         "Finished flush of dataSize ~%_/%i, heapSize ~%_/%i, currentSize=%_ for %R " FINISHED,
     .names = {"data_bytes", "heap_bytes", "took_ms", "sequence_id", "compaction_requested"}},
    {.id = DX_EV_FLUSH_FINISHED, /* 2.0.0 */
     .pattern = "Finished memstore flush; data size ~%_/%i, heap size ~%_/%i, currentsize=%_ "
                "for %R " FINISHED,
     .names = {"data_bytes", "heap_bytes", "took_ms", "sequence_id", "compaction_requested"}},
    {.id = DX_EV_FLUSH_FINISHED,
     .pattern = "Finished memstore flush of ~%_/%i, currentsize=%_ for region %R " FINISHED,
     .names = {"data_bytes", "took_ms", "sequence_id", "compaction_requested"}},
    {.id = DX_EV_FLUSH_STARTED,
     .pattern = "Flushing %E %i/%i column families, dataSize=%b heapSize=%b",
     .names = {"families", "all_families", "data_bytes", "heap_bytes"}},
    {.id = DX_EV_FLUSH_STARTED,
     .pattern = "Flushing %i/%i column families, dataSize=%b heapSize=%b",
     .names = {"families", "all_families", "data_bytes", "heap_bytes"}},
    {.id = DX_EV_FLUSH_STARTED, /* 2.0.0 */
     .pattern = "Flushing %i/%i column families, memstore data size=%b memstore heap size=%b",
     .names = {"families", "all_families", "data_bytes", "heap_bytes"}},
    {.id = DX_EV_FLUSH_STARTED,
     .pattern = "Flushing %i/%i column families, memstore=%b",
     .names = {"families", "all_families", "data_bytes"}},
    {.id = DX_EV_FLUSH_STARTED,
     .pattern = "Started memstore flush for %R, current region memstore size %b, and %i/%i column",
     .names = {"data_bytes", "families", "all_families"}},
    {.id = DX_EV_FLUSH_STARTED,
     .pattern = "Started memstore flush for %R, current region memstore size %b",
     .names = {"data_bytes"}},
    {.pattern = "Flushing Column Family: "},
    {.pattern = "Flushing stores of "},
    {.pattern = "Finished memstore snapshotting"},
    {.id = DX_EV_FLUSH_REQUESTED,
     .pattern = "Flush requested on %R",
     .key = "cause",
     .value = "size"},
    {.id = DX_EV_FLUSH_REQUESTED, /* the braces: 2.0.0-2.0.1, 2.1.0 */
     .pattern = "Running close preflush of {}%R",
     .key = "cause",
     .value = "close"},
    {.id = DX_EV_FLUSH_REQUESTED,
     .pattern = "Running close preflush of %R",
     .key = "cause",
     .value = "close"},
    {.id = DX_EV_FLUSH_REQUESTED,
     .pattern = "Running extra flush, %_ (carrying snapshot?) %R",
     .key = "cause",
     .value = "close"},
    {.id = DX_EV_UPDATES_BLOCKED, /* 0.94 */
     .pattern = "Blocking updates for '%_' on region %R: memstore size %b is >= than blocking %b "
                "size",
     .names = {"size_bytes", "limit_bytes"},
     .key = "what",
     .value = "region"},
    {.id = DX_EV_UPDATES_UNBLOCKED, .pattern = "Unblocking updates for region %R '%_"},
    {.id = DX_EV_REGION_TOO_BUSY,
     .pattern = "Region is too busy due to exceeding memstore size limit",
     .key = "reason",
     .value = "memstore",
     .more = too_busy},
    {.id = DX_EV_REGION_TOO_BUSY,
     .pattern = "Region is too busy to allow lock acquisition",
     .key = "reason",
     .value = "lock",
     .more = too_busy},
    {.id = DX_EV_REGION_CLOSED, .pattern = "Closed %R", .more = left_server},
    {.pattern = "Closed %R"},
    {.pattern = NULL},
};

/* ---- HRegionServer, RSRpcServices, handlers ---- */

#define CHORE "%_MemstoreFlusherChore requesting flush "
static const dx_event_row server[] = {
    {.id = DX_EV_FLUSH_REQUESTED,
     .pattern = CHORE "of %R because more than max edits, %g, since last flush "
                      "after random delay %g%~ms",
     .names = {"edits", "delay_ms"},
     .key = "cause",
     .value = "max edits"},
    {.id = DX_EV_FLUSH_REQUESTED,
     .pattern = CHORE "of %R because %F has an old edit so flush to free WALs "
                      "after random delay %g%~ms",
     .names = {"delay_ms"},
     .key = "cause",
     .value = "periodic"},
    {.id = DX_EV_FLUSH_REQUESTED,
     .pattern = CHORE "for region %R after a delay of %i",
     .names = {"delay_ms"},
     .key = "cause",
     .value = "periodic"},
    {.id = DX_EV_ABORT,
     .pattern = "***** ABORTING region server %S: %t *****",
     .names = {"reason"}},
    {.id = DX_EV_ABORT, .pattern = "ABORTING region server %S: %t", .names = {"reason"}},
    {.id = DX_EV_SERVER_STARTED, .pattern = "Serving as %S, RpcServer on "},
    {.pattern = "Post open deploy tasks for %_, pid="}, /* "Opened" comes after it */
    {.id = DX_EV_REGION_OPENED, .pattern = "Post open deploy tasks for region=%R, daughter="},
    {.id = DX_EV_REGION_OPENED, .pattern = "Post open deploy tasks for %R"},
    {.id = DX_EV_SCANNER_EXPIRED,
     .pattern = "Scanner %i lease expired on region %R",
     .names = {"scanner_id"}},
    {.id = DX_EV_SCANNER_EXPIRED, .pattern = "Scanner %i lease expired", .names = {"scanner_id"}},
    {.id = DX_EV_FLUSH_REQUESTED, .pattern = "Flushing %R", .key = "cause", .value = "admin"},
    {.pattern = NULL},
};

static const dx_event_row rpc_services[] = {
    {.id = DX_EV_FLUSH_REQUESTED, .pattern = "Flushing %R", .key = "cause", .value = "admin"},
    {.id = DX_EV_SCANNER_EXPIRED,
     .pattern = "Scanner lease %i expired clientIPAndPort=%t, userName=%t, regionInfo=%R",
     .names = {"scanner_id", "client", "user"}},
    {.id = DX_EV_SCANNER_EXPIRED, .pattern = "Scanner lease %i expired", .names = {"scanner_id"}},
    {.id = DX_EV_SCANNER_EXPIRED,
     .pattern = "Scanner %i lease expired on region %R",
     .names = {"scanner_id"}},
    {.id = DX_EV_SCANNER_EXPIRED, .pattern = "Scanner %i lease expired", .names = {"scanner_id"}},
    {.pattern = NULL},
};

static const dx_event_row snapshot[] = {
    {.id = DX_EV_FLUSH_REQUESTED,
     .pattern = "Flush Snapshotting region %R started",
     .key = "cause",
     .value = "snapshot"},
    {.pattern = NULL},
};

static const dx_event_row procedure[] = {
    {.id = DX_EV_FLUSH_REQUESTED,
     .pattern = "Starting region operation on %R",
     .key = "cause",
     .value = "procedure"},
    {.pattern = NULL},
};

static const dx_event_row opener[] = {
    {.id = DX_EV_REGION_OPENED, .pattern = "Opened %R"},
    {.pattern = NULL},
};

const dx_event_logger dx_event_flush_loggers[] = {
    {"MemStoreFlusher", flusher,
     "Region |Flush of region|Blocking updates|Unblocking updates|Memstore is above|Waited |"
     "globalMemStoreLimit"},
    {"HRegion", region,
     "Finished |Flushing |Started memstore|Flush requested|Running close|Running extra|"
     "Blocking updates|Unblocking updates|Region is too busy|Closed "},
    {"HRegionServer", server, "ABORTING|***** ABORTING|Serving as|MemstoreFlusherChore|Scanner "},
    {"RSRpcServices", rpc_services, "Flushing |Scanner "},
    {"FlushSnapshotSubprocedure", snapshot, "Flush Snapshotting"},
    {"FlushRegionCallable", procedure, NULL},
    {"AssignRegionHandler", opener, "Opened "},
    {NULL, NULL, NULL},
};

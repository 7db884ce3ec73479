/* dx_events_flush.c - lines about memstores and regions: flushes and why they came, what holds
 * writers back, regions that come and go, scanners that expire. */
#include "dx_events_match.h"

#include <string.h>

/* ---- MemStoreFlusher ---- */

#define PRESSURE "Flush of region %R due to global heap pressure"
const dx_event_row dx_event_flusher[] = {
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
    {.id = DX_EV_FLUSH_IMPOSSIBLE,
     .pattern = "Above memory mark but there %_ no flushable region",
     .key = "reason",
     .value = "no region can be flushed"},
    {.id = DX_EV_FLUSH_IMPOSSIBLE,
     .pattern = "Excluding unflushable region %R - trying",
     .key = "reason",
     .value = "the region cannot be flushed"},
    {.pattern = "Under global heap pressure: Region %R has too many store files, but is "},
    {.pattern = "Refreshing storefiles of region %R due to global heap pressure"},
    {.pattern = "Flush thread woke up because memory above low water"},
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

static bool too_busy(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)line;
    dx_event_text(out, "seen_by", dx_s("server"));
    dx_event_too_busy(dx_slice_sub(rest, 0, 4000), out);
    return true;
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
const dx_event_row dx_event_region[] = {
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
    {.pattern = "Starting compaction on %F in region %R as an off-peak compaction"},
    {.pattern = "Starting compaction on %F in region %R"},
    {.pattern = "Starting compaction of %F in %R as an off-peak compaction"},
    {.pattern = "Starting compaction of %F in %R"},
    {.pattern = NULL},
};

/* ---- HRegionServer, RSRpcServices, handlers ---- */

#define CHORE "%_MemstoreFlusherChore requesting flush "
const dx_event_row dx_event_server[] = {
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
     .names = {"reason"},
     .more = dx_event_root},
    {.id = DX_EV_ABORT,
     .pattern = "ABORTING region server %S: %t",
     .names = {"reason"},
     .more = dx_event_root},
    {.pattern = "RegionServer abort: loaded coprocessors are"},
    {.pattern = "Dump of metrics as JSON on abort"}, /* megabytes of anything behind it */
    {.pattern = "STOPPED: "},
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

const dx_event_row dx_event_rpc_services[] = {
    {.id = DX_EV_FLUSH_REQUESTED, .pattern = "Flushing %R", .key = "cause", .value = "admin"},
    {.id = DX_EV_SCANNER_EXPIRED,
     .pattern = "Scanner lease %i expired clientIPAndPort=%t, userName=%t, regionInfo=%R",
     .names = {"scanner_id", "client", "user"}},
    {.id = DX_EV_SCANNER_EXPIRED, .pattern = "Scanner lease %i expired", .names = {"scanner_id"}},
    {.id = DX_EV_SCANNER_EXPIRED,
     .pattern = "Scanner %i lease expired on region %R",
     .names = {"scanner_id"}},
    {.id = DX_EV_SCANNER_EXPIRED, .pattern = "Scanner %i lease expired", .names = {"scanner_id"}},
    {.id = DX_EV_SCANNER_MISSING,
     .pattern = "Client tried to access missing scanner %i",
     .names = {"scanner_id"}},
    {.id = DX_EV_LARGE_BATCH,
     .pattern = "Large batch operation detected (greater than %i)%_Requested Number of Rows: %i "
                "Client: %t first region in multi=%R",
     .names = {"limit", "rows", "client"}},
    {.id = DX_EV_COMPACTION_REQUESTED,
     .pattern = "Compacting %R",
     .key = "reason",
     .value = "admin"},
    {.id = DX_EV_REGION_MOVED, .pattern = "Close %R, moving to %t", .names = {"target"}},
    {.pattern = "Close %R without moving"},
    {.pattern = "Close %R"},
    {.pattern = "Open %R"},
    {.pattern = NULL},
};

const dx_event_row dx_event_snapshot[] = {
    {.id = DX_EV_FLUSH_REQUESTED,
     .pattern = "Flush Snapshotting region %R started",
     .key = "cause",
     .value = "snapshot"},
    {.pattern = NULL},
};

const dx_event_row dx_event_procedure[] = {
    {.id = DX_EV_FLUSH_REQUESTED,
     .pattern = "Starting region operation on %R",
     .key = "cause",
     .value = "procedure"},
    {.pattern = NULL},
};

const dx_event_row dx_event_opener[] = {
    {.id = DX_EV_REGION_OPENED, .pattern = "Opened %R"},
    {.pattern = "Open %R"},
    {.pattern = NULL},
};

/* HRegion says it too, and counts. */
const dx_event_row dx_event_closer[] = {
    {.pattern = "Closed %R"},
    {.pattern = "Close %R"},
    {.pattern = NULL},
};

/* ---- splits, merges, moves ---- */

const dx_event_row dx_event_split_request[] = {
    {.id = DX_EV_REGION_SPLIT,
     .pattern = "Region split, %_report to master. Parent=%R, new regions: %t. Split took %d",
     .names = {"daughters", "took_ms"}},
    {.pattern = NULL},
};

const dx_event_row dx_event_merge_request[] = {
    {.id = DX_EV_REGION_MERGED,
     .pattern = "Regions merged, %_report to master. region_a=%t, region_b=%t,merged region=%R. "
                "Region merge took %d",
     .names = {"region_a", "region_b", "took_ms"}},
    {.pattern = NULL},
};

/* "... table=ns:name, ..." of a procedure */
static bool procedure_table(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)rest;
    ptrdiff_t at = dx_slice_find(line->message, " table=", 0);
    ptrdiff_t end = at < 0 ? -1 : dx_slice_find_char(line->message, ',', (size_t)at);
    if (end > 0)
        out->table = dx_slice_sub(line->message, (size_t)at + 7, (size_t)end);
    return true;
}

#define DONE "Finished %_state=SUCCESS%_; "
const dx_event_row dx_event_procedures[] = {
    {.id = DX_EV_REGION_SPLIT,
     .pattern = DONE "SplitTableRegionProcedure table=%_, parent=%E, %t in ",
     .names = {"daughters"},
     .more = procedure_table},
    {.id = DX_EV_REGION_MERGED,
     .pattern = DONE "MergeTableRegionsProcedure table=%_, regions=[%t]",
     .names = {"regions"},
     .more = procedure_table},
    {.pattern = NULL},
};

const dx_event_row dx_event_master[] = {
    {.id = DX_EV_REGION_MOVED,
     .pattern = "balance hri=%R, source=%t, destination=%t",
     .names = {"source", "target"}},
    {.id = DX_EV_REGION_MOVED, /* 1.x */
     .pattern = "balance hri=%R, src=%t, dest=%t",
     .names = {"source", "target"}},
    {.pattern = NULL},
};

const dx_event_row dx_event_balancer[] = {
    {.id = DX_EV_BALANCER_RAN,
     .pattern = "Finished computing new %_omputation took %i%~ms to try %i different "
                "iterations.%_moves %i regions",
     .names = {"took_ms", "steps", "moves"}},
    {.id = DX_EV_BALANCER_RAN,
     .pattern = "Could not find a better%_ried %i different configurations in %i%~ms",
     .names = {"steps", "took_ms"}},
    {.pattern = NULL},
};

/* dx_events_store.c - lines about files: compactions, their throttle, write-ahead logs. A
 * compaction is told by the store (HStore: files and sizes) and again by the queue (CompactSplit:
 * the region's full name); the two become different kinds, so that nobody counts it twice. */
#include "dx_events_match.h"
#include "dx_region.h"
#include "dx_units.h"

#include <string.h>

/* ---- HStore ---- */

static size_t count(dx_slice s, const char *what) {
    size_t n = 0;
    for (ptrdiff_t at = dx_slice_find(s, what, 0); at >= 0; n++)
        at = dx_slice_find(s, what, (size_t)at + strlen(what));
    return n;
}

/* ".../<table>/<encoded>/<family>/<file>": the first such part of a path. */
static void read_path(dx_slice path, dx_event *out) {
    size_t from = 0;
    while (from < path.n) {
        ptrdiff_t slash = dx_slice_find_char(path, '/', from);
        size_t end = slash < 0 ? path.n : (size_t)slash;
        dx_slice part = dx_slice_sub(path, from, end);
        if (part.n == 32 && dx_region_encoded(part)) {
            slash = dx_slice_find_char(path, '/', end + 1);
            dx_slice next = dx_slice_sub(path, end + 1, slash < 0 ? end : (size_t)slash);
            out->encoded = part;
            if (next.n > 0 && next.p[0] != '.')
                out->family = next;
            return;
        }
        from = end + 1;
    }
}

/* "Starting compaction of [path, path] into tmpdir=...": the list is in the message; a layout that
 * keeps 1000 characters may have cut its head, then the number of files is not known. */
static bool list_of_files(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)rest;
    dx_slice m = line->message;
    ptrdiff_t end = dx_slice_find(m, "] into tmpdir=", 0);
    ptrdiff_t open = dx_slice_find_char(m, '[', 0);
    if (dx_slice_starts(m, "Starting compaction of [") && end > open)
        dx_event_int(out, "files",
                     (int64_t)count(dx_slice_sub(m, (size_t)open, (size_t)end), ", ") + 1);
    dx_slice paths = dx_slice_sub(m, 0, end < 0 ? 0 : (size_t)end);
    ptrdiff_t blank = dx_slice_rfind_char(paths, ' ');
    read_path(dx_slice_sub(paths, blank < 0 ? 0 : (size_t)blank, paths.n), out);
    return true;
}

/* "file(size=1.8 G), file(size=1.8 G), total size ..." or "none, total size ...". A list that has a
 * size we cannot read gives no sum. */
static bool list_of_outputs(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)rest;
    dx_slice m = line->message;
    int64_t sum = 0, files = 0;
    bool known = true;
    for (ptrdiff_t at = dx_slice_find(m, "(size=", 0); at >= 0;
         at = dx_slice_find(m, "(size=", (size_t)at + 1)) {
        ptrdiff_t end = dx_slice_find_char(m, ')', (size_t)at);
        int64_t v = 0;
        files++;
        known = known && end > 0 && dx_size_read(dx_slice_sub(m, (size_t)at + 6, (size_t)end), &v)
                && !__builtin_add_overflow(sum, v, &sum);
    }
    if (files == 0 && dx_slice_find(m, " into none, ", 0) < 0)
        return true;
    dx_event_int(out, "output_files", files);
    if (known)
        dx_event_int(out, "output_bytes", sum);
    return true;
}

static const dx_event_row store[] = {
    {.id = DX_EV_COMPACTION_FINISHED,
     .pattern = "Completed%o[ major] compaction of %i%O[ (all)] file(s) in %F of %R into %_ "
                "total size for store is %b. This selection was in queue for %d, and took %d to "
                "execute",
     .names = {"major", "files", "all_files", "store_bytes", "queue_ms", "took_ms"},
     .more = list_of_outputs},
    {.id = DX_EV_COMPACTION_FINISHED, /* 0.94 */
     .pattern = "Completed%o[ major] compaction of %i file(s) in %F of %R into %_, size=%b; "
                "total size for store is %b",
     .names = {"major", "files", "output_bytes", "store_bytes"}},
    {.id = DX_EV_COMPACTION_STARTED,
     .pattern = "Starting compaction of %i file(s) in %F of %R into tmpdir=%_, totalSize=%b",
     .names = {"files", "input_bytes"}},
    {.id = DX_EV_COMPACTION_STARTED,
     .pattern = "%_] into tmpdir=%_, totalSize=%b",
     .names = {"input_bytes"},
     .more = list_of_files},
    {.pattern = "Completed removal of "},
    {.pattern = NULL},
};

/* ---- CompactSplit ---- */

#define REQUEST "regionName=%R, storeName=%F, fileCount=%i, fileSize=%b, priority=%i, time=%_; "
#define REQUEST_NAMES                                                                              \
    { "files", "input_bytes", "priority", "took_ms" }
#define FAILURE(text, how)                                                                         \
    {                                                                                              \
        .id = DX_EV_COMPACTION_FAILED, .pattern = text, .key = "how", .value = how,                \
        .more = dx_event_reason                                                                    \
    }
static const dx_event_row split[] = {
    {.id = DX_EV_COMPACTION_REQUEST_FINISHED,
     .pattern = "Completed compaction region=%R, storeName=%F, priority=%i, startTime=%i; "
                "duration=%d",
     .names = {"priority", "start_ms", "took_ms"}},
    {.id = DX_EV_COMPACTION_REQUEST_FINISHED,
     .pattern = "Completed compaction Request=" REQUEST "duration=%d",
     .names = REQUEST_NAMES},
    {.id = DX_EV_COMPACTION_REQUEST_FINISHED,
     .pattern = "Completed compaction: Request = " REQUEST "duration=%d",
     .names = REQUEST_NAMES},
    {.id = DX_EV_COMPACTION_REQUEST_FINISHED, /* 0.94 */
     .pattern = "completed compaction: " REQUEST "duration=%d",
     .names = REQUEST_NAMES},
    FAILURE("Aborted compaction region=%R, storeName=%F, ", "aborted"),
    FAILURE("Aborted compaction%_egionName=%R, storeName=%F, ", "aborted"),
    FAILURE("Compaction failed region=%R, storeName=%F, ", "failed"),
    FAILURE("Compaction failed%_egionName=%R, storeName=%F, ", "failed"),
    FAILURE("Compaction failed", "failed"),
    FAILURE("Compaction selection failed%_egionName=%R, storeName=%F, ", "selection failed"),
    FAILURE("Compaction selection failed", "selection failed"),
    {.pattern = NULL},
};

/* ---- throttle ---- */

/* A line comes for every compaction; one that never slept was not throttled. */
static bool has_slept(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)line, (void)rest;
    for (size_t i = 0; i < out->n; i++)
        if (dx_str_eq(out->fields[i].name, "sleeps") && out->fields[i].i > 0)
            return true;
    return false;
}

static const dx_event_row throttle[] = {
    {.id = DX_EV_COMPACTION_THROTTLED,
     .pattern = "%N average throughput is %p, slept %i time(s) and total slept time is %i ms. "
                "%i active %_ remaining, total limit is %p",
     .names = {"throughput_bytes_per_s", "sleeps", "slept_ms", "active", "limit_bytes_per_s"},
     .more = has_slept},
    {.pattern = NULL},
};

/* ---- write-ahead logs ---- */

/* "Too many WALs" lists all regions behind its numbers, so a layout that keeps the last 1000
 * characters cuts the numbers off: what is left are encoded names and nothing else. */
static bool only_regions(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)rest;
    dx_slice m = line->message;
    size_t names = 0, hex = 0;
    if (m.n != 1000)
        return false;
    for (size_t i = 0; i <= m.n; i++) {
        char c = i < m.n ? m.p[i] : ' ';
        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')) {
            hex++;
            continue;
        }
        names += hex == 32;
        hex = 0;
    }
    if (names < 8)
        return false;
    dx_event_text(out, "targets", m);
    return true;
}

static const dx_event_row wal[] = {
    {.id = DX_EV_WAL_SLOW_SYNC,
     .pattern = "Slow sync cost: %i ms, current pipelin%_: %t",
     .names = {"took_ms", "pipeline"}},
    {.id = DX_EV_WAL_SLOW_SYNC, .pattern = "Slow sync cost: %i%~ms", .names = {"took_ms"}},
    {.id = DX_EV_WAL_ROLLED,
     .pattern = "Rolled WAL %_ with entries=%i, filesize=%b; new WAL ",
     .names = {"entries", "file_bytes"}},
    {.id = DX_EV_WAL_ROLLED, /* 0.94 */
     .pattern = "Roll %_, entries=%i, filesize=%i.",
     .names = {"entries", "file_bytes"}},
    {.id = DX_EV_WAL_TOO_MANY,
     .pattern = "Too many WALs; count=%i, max=%i; forcing %_flush of %i region%_): %t",
     .names = {"count", "max", "regions", "targets"}},
    {.id = DX_EV_WAL_TOO_MANY,
     .pattern = "Too many hlogs: logs=%i, maxlogs=%i; forcing flush of %i regions(s): %t",
     .names = {"count", "max", "regions", "targets"}},
    {.id = DX_EV_WAL_TOO_MANY, .pattern = "", .more = only_regions},
    {.pattern = NULL},
};

#define WAL_WORDS "Slow sync|Rolled WAL|Roll /|Too many WALs|Too many hlogs"
const dx_event_logger dx_event_store_loggers[] = {
    {"HStore", store, "Completed |Starting compaction"},
    {"Store", store, "Completed |Starting compaction"},
    {"CompactSplit", split, "Completed |Compaction |Aborted "},
    {"CompactSplitThread", split, "Completed |Compaction |Aborted "},
    {"CompactionRequest", split, "completed "},
    {"PressureAwareThroughputController", throttle, NULL},
    {"PressureAwareCompactionThroughputController", throttle, NULL},
    {"PressureAwareFlushThroughputController", throttle, NULL},
    {"AbstractFSWAL", wal, WAL_WORDS},
    {"FSHLog", wal, WAL_WORDS},
    {"AsyncFSWAL", wal, WAL_WORDS},
    {"HLog", wal, WAL_WORDS},
    {NULL, NULL, NULL},
};

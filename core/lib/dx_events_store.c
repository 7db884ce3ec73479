/* dx_events_store.c - lines about files: compactions, their throttle, bulk loads. A
 * compaction is told by the store (HStore: files and sizes) and again by the queue (CompactSplit:
 * the region's full name); the two become different kinds, so that nobody counts it twice. */
#include "dx_bytes.h"
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

/* ".../data/<namespace>/<table>/", the head of a path up to a region; nothing in other layouts. */
static void read_table(dx_slice head, dx_event *out) {
    dx_slice parts[3]; /* from the right */
    for (size_t i = 0; i < 3; i++) {
        ptrdiff_t slash = dx_slice_rfind_char(head, '/');
        if (slash < 0)
            return;
        parts[i] = dx_slice_sub(head, (size_t)slash + 1, head.n);
        head = dx_slice_sub(head, 0, (size_t)slash);
    }
    if (!dx_slice_is(parts[2], "data"))
        return;
    out->path_space = parts[1];
    out->path_table = parts[0];
}

/* Where the first part of a path begins that is an encoded name of 32 digits; -1: none is. */
static ptrdiff_t encoded_in(dx_slice path) {
    const size_t n = 32;
    if (path.n < n)
        return -1;
    if ((path.n == n || path.p[n] == '/') && dx_region_encoded(dx_slice_sub(path, 0, n)))
        return 0;
    if (path.n == n)
        return -1;
    const char *last = path.p + (path.n - n - 1), *slash = path.p; /* last: before an end of path */
    for (; (slash = dx_find_pair(slash, last, '/', '/', n + 1)) < last; slash++)
        if (dx_region_encoded(dx_sn(slash + 1, n)))
            return slash + 1 - path.p;
    return *last == '/' && dx_region_encoded(dx_sn(last + 1, n)) ? last + 1 - path.p : -1;
}

/* ".../<table>/<encoded>/<family>/<file>": the first such part of a path. */
static void read_path(dx_slice path, dx_event *out) {
    ptrdiff_t at = encoded_in(path);
    if (at < 0)
        return;
    const size_t end = (size_t)at + 32;
    ptrdiff_t slash = dx_slice_find_char(path, '/', end + 1);
    dx_slice next = dx_slice_sub(path, end + 1, slash < 0 ? end : (size_t)slash);
    out->encoded = dx_slice_sub(path, (size_t)at, end);
    if (at > 0)
        read_table(dx_slice_sub(path, 0, (size_t)at - 1), out);
    if (next.n > 0 && next.p[0] != '.')
        out->family = next;
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

/* The path that the message begins with behind its first word, or that stands behind '='. */
static bool written_file(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)rest;
    ptrdiff_t slash = dx_slice_find_char(line->message, '/', 0);
    ptrdiff_t end = slash < 0 ? -1 : dx_slice_find_char(line->message, ',', (size_t)slash);
    if (slash >= 0)
        read_path(
            dx_slice_sub(line->message, (size_t)slash, end < 0 ? line->message.n : (size_t)end),
            out);
    return true;
}

/* The field "path" says where it went. */
static bool loaded_file(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)line, (void)rest;
    read_path(out->fields[0].s, out);
    return true;
}

static bool ends_with_region(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)rest;
    return dx_slice_find(line->message, " into", 0) < 0 && out->encoded.n > 0;
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

const dx_event_row dx_event_store[] = {
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
    {.id = DX_EV_COMPACTION_STARTED, /* a line whose end is lost */
     .pattern = "Starting compaction of %i file(s) in %F of %R",
     .names = {"files"},
     .more = ends_with_region},
    {.pattern = "Completed removal of "},
    {.pattern = "Added %_", .more = written_file},
    {.pattern = "Created cacheConfig: "},
    {.pattern = "Store="},
    {.pattern = "Validating hfile at "},
    {.pattern = "Loaded HFile "},
    {.id = DX_EV_BULK_LOADED,
     .pattern = "Successfully loaded %_ (new location: %t)",
     .names = {"path"},
     .more = loaded_file},
    {.id = DX_EV_COMPACTION_SELECTED,
     .pattern = "%F is initiating %o[major]%_ compaction%O[ (all files)]",
     .names = {"major", "all_files"},
     .key = "step",
     .value = "initiated"},
    {.id = DX_EV_COMPACTION_SELECTED, /* 0.96-2.2 */
     .pattern = "%E - %F: Initiating %o[major]%_ compaction%O[ (all files)]",
     .names = {"major", "all_files"},
     .key = "step",
     .value = "initiated"},
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
#define REQUESTED(size, queues)                                                                    \
    {                                                                                              \
        .id = DX_EV_COMPACTION_REQUESTED,                                                          \
        .pattern = size " Compaction requested: %_; Because: %t; " queues,                         \
        .names = {"reason", "long_queue", "short_queue"}, .key = "queue", .value = size            \
    }
#define QUEUES     "compactionQueue=(longCompactions=%i:shortCompactions=%i)"
#define OLD_QUEUES "compaction_queue=(%i:%i)"
const dx_event_row dx_event_split[] = {
    REQUESTED("Small", QUEUES),
    REQUESTED("Small", OLD_QUEUES),
    REQUESTED("Large", QUEUES),
    REQUESTED("Large", OLD_QUEUES),
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

/* ---- policies and limits ---- */

const dx_event_row dx_event_policy[] = {
    {.id = DX_EV_COMPACTION_SELECTED,
     .pattern = "Selecting compaction from %i store files, %i compacting, %i eligible, %i blocking",
     .names = {"store_files", "compacting", "eligible", "blocking_store_files"},
     .key = "step",
     .value = "candidates"},
    {.id = DX_EV_COMPACTION_SELECTED,
     .pattern = "Exploring compaction algorithm has selected %i%_files of size %i",
     .names = {"files", "input_bytes"},
     .key = "step",
     .value = "files"},
    {.id = DX_EV_COMPACTION_SELECTED,
     .pattern = "Default compaction algorithm has selected %i files from %i candidates",
     .names = {"files", "eligible"},
     .key = "step",
     .value = "files"},
    {.id = DX_EV_COMPACTION_REQUESTED,
     .pattern = "Major compaction triggered on %_; time since last major compaction %i%~ms",
     .names = {"since_major_ms"},
     .key = "reason",
     .value = "major period"},
    {.id = DX_EV_COMPACTION_REQUESTED,
     .pattern = "Major compaction triggered on ",
     .key = "reason",
     .value = "major period"},
    {.pattern = NULL},
};

#define FILES                                                                                      \
    "files [%_minFilesToCompact:%i, maxFilesToCompact:%i); ratio %_throttle point %i; "            \
    "major period %i"
#define OLD_FILES "files [%i, %i); ratio %_throttle point %i; major period %i"
#define OF_STORE  "%_ region %E columnFamilyName %F"
#define LIMITS                                                                                     \
    { "min_bytes", "max_bytes", "min_files", "max_files", "throttle_bytes", "major_ms" }
#define SETTINGS(p)                                                                                \
    { .id = DX_EV_COMPACTION_LIMITS, .pattern = p, .names = LIMITS }
const dx_event_row dx_event_configuration[] = {
    SETTINGS("size [minCompactSize:%b, maxCompactSize:%b, %_); " FILES OF_STORE),
    SETTINGS("size [minCompactSize:%b, maxCompactSize:%b, %_); " FILES),
    SETTINGS("size [%b, %b, %_); " OLD_FILES OF_STORE),
    SETTINGS("size [%b, %b, %_); " OLD_FILES),
    SETTINGS("size [%b, %b); " OLD_FILES),
    {.pattern = NULL},
};

const dx_event_row dx_event_compactor[] = {
    {.id = DX_EV_COMPACTION_PROGRESS,
     .pattern = "Compaction progress: %N %i/%i (",
     .names = {"cells_done", "cells"}},
    {.pattern = NULL},
};

const dx_event_row dx_event_store_flusher[] = {
    {.pattern = "Flushed%_", .more = written_file},
    {.pattern = NULL},
};

/* A tool that loads files, not a server: it writes such a file anew, in two. */
const dx_event_row dx_event_bulk_loader[] = {
    {.id = DX_EV_BULK_LOAD_SPLIT,
     .pattern = "HFile at %t no longer fits inside a single region. Splitting",
     .names = {"path"}},
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

const dx_event_row dx_event_throttle[] = {
    {.id = DX_EV_COMPACTION_THROTTLED,
     .pattern = "%N average throughput is %p, slept %i time(s) and total slept time is %i ms. "
                "%i active %_ remaining, total limit is %p",
     .names = {"throughput_bytes_per_s", "sleeps", "slept_ms", "active", "limit_bytes_per_s"},
     .more = has_slept},
    {.pattern = "%_ because current throughput is "}, /* its end sums them up */
    {.id = DX_EV_COMPACTION_LIMITS,
     .pattern = "Compaction throughput configurations, higher bound: %p, lower bound %p, off peak: "
                "%p, tuning period: %i",
     .names = {"higher_bytes_per_s", "lower_bytes_per_s", "off_peak_bytes_per_s", "tuning_ms"}},
    {.pattern = NULL},
};

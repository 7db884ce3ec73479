/* dx_amp.c - see dx_amp.h. HBase keeps its ratios in single precision and rounds as Java does;
 * where a result depends on that (queues, WAL limits), the same is done here. Sizes are worked out
 * in double precision, as a person would, and cut to whole bytes. */
#include "dx_amp.h"

#include <float.h>
#include <math.h>

#define VERSION_DEFAULT 205
#define MAX_BYTES       ((double)INT64_C(9007199254740992)) /* 2^53: exact as a double */

/* --- checks: each names the argument, what it was and what it may be --- */

static dx_status check_real(const char *name, double v, double low, double high, dx_err *err) {
    if (isfinite(v) && v >= low && v <= high)
        return DX_OK;
    return dx_fail(err, DX_E_RANGE, "%s is %g: it must be a number from %g to %g", name, v, low,
                   high);
}

static dx_status check_int(const char *name, int64_t v, int64_t low, int64_t high, dx_err *err) {
    if (v >= low && v <= high)
        return DX_OK;
    return dx_fail(err, DX_E_RANGE, "%s is %lld: it must be from %lld to %lld", name, (long long)v,
                   (long long)low, (long long)high);
}

static dx_status check_version(dx_version version, dx_err *err) {
    return version == 0 ? DX_OK : check_int("version", version, 90, 999, err);
}

static dx_version version_or_default(dx_version version) {
    return version == 0 ? VERSION_DEFAULT : version;
}

/* Whole bytes. A product that misses a whole number by the last bits of its double is that number:
 * 0.7 of 10 GiB is 7516192768 however 0.7 is stored. */
static int64_t cut(double v) {
    double up = ceil(v);
    return (int64_t)(up - v <= v * 4 * DBL_EPSILON ? up : floor(v));
}

/* --- heap --- */

static dx_status heap_check(const dx_heap_in *in, dx_err *err) {
    int64_t max = (int64_t)MAX_BYTES;
    dx_status st = check_int("heap_bytes", in->heap_bytes, 1, max, err);
    if (st == DX_OK)
        st = check_real("memstore_fraction", in->memstore_fraction, 0, 1, err);
    if (st == DX_OK)
        st = check_real("lower_limit", in->lower_limit, 0, 1, err);
    if (st == DX_OK)
        st = check_real("cache_fraction", in->cache_fraction, 0, 1, err);
    if (st == DX_OK)
        st = check_int("flush_size_bytes", in->flush_size_bytes, 1, max, err);
    if (st == DX_OK)
        st = check_int("active_regions", in->active_regions, 0, 1000000000, err);
    if (st == DX_OK)
        st = check_int("families", in->families, 1, 1000, err);
    if (st == DX_OK)
        st = check_int("offheap_memstore_bytes", in->offheap_memstore_bytes, 0, max, err);
    if (st == DX_OK && (double)in->active_regions * (double)in->flush_size_bytes > MAX_BYTES)
        st = dx_fail(err, DX_E_RANGE, "active_regions * flush_size_bytes is more than 2^53 bytes");
    return st;
}

static int percent(double fraction) {
    return (int)((float)fraction * 100.0f);
}

dx_status dx_amp_heap(const dx_heap_in *in, dx_heap_out *out, dx_err *err) {
    dx_status st = heap_check(in, err);
    if (st != DX_OK)
        return st;
    double heap = (double)in->heap_bytes, flush_size = (double)in->flush_size_bytes;
    double global = in->offheap_memstore_bytes > 0 ? (double)in->offheap_memstore_bytes
                                                   : heap * in->memstore_fraction;
    double floor_bytes = global * in->lower_limit;
    double per_region = flush_size;
    if (in->active_regions > 0)
        per_region = fmin(flush_size, floor_bytes / (double)in->active_regions);
    *out = (dx_heap_out){
        .memstore_global_bytes = cut(global),
        .flush_floor_bytes = cut(floor_bytes),
        .wanted_bytes = in->active_regions * in->flush_size_bytes,
        .avg_flush_bytes = cut(per_region / (double)in->families),
        .regions_at_full_flush = cut(floor_bytes / flush_size),
        .block_cache_bytes = cut(heap * in->cache_fraction),
        .over_heap_rule = percent(in->memstore_fraction) + percent(in->cache_fraction) > 80,
    };
    return DX_OK;
}

/* --- reads --- */

dx_status dx_amp_get(const dx_get_in *in, dx_get_out *out, dx_err *err) {
    dx_status st = check_real("files", in->files, 0, 1e9, err);
    if (st == DX_OK)
        st = check_real("files_with_row", in->files_with_row, 0, 1e9, err);
    if (st == DX_OK)
        st = check_real("bloom_fp", in->bloom_fp, 0, 1, err);
    if (st == DX_OK)
        st = check_real("cache_hit", in->cache_hit, 0, 1, err);
    if (st == DX_OK && in->files_with_row > in->files)
        st = dx_fail(err, DX_E_RANGE, "files_with_row is %g: it must not be more than files (%g)",
                     in->files_with_row, in->files);
    if (st != DX_OK)
        return st;
    double miss = 1 - in->cache_hit;
    out->data_blocks = in->files_with_row + (in->files - in->files_with_row) * in->bloom_fp;
    out->disk_reads = out->data_blocks * miss;
    out->data_blocks_no_bloom = in->files;
    out->disk_reads_no_bloom = in->files * miss;
    return DX_OK;
}

/* below 0: not told */
static dx_status check_part(const char *name, double v, double scanned, dx_err *err) {
    if (isfinite(v) && v <= scanned)
        return DX_OK;
    return dx_fail(err, DX_E_RANGE, "%s is %g: of %g scanned rows there cannot be that many", name,
                   v, scanned);
}

/* part of whole, or NaN where one of them was not told */
static double share(double part, double whole) {
    return part < 0 || whole <= 0 ? (double)NAN : part / whole;
}

dx_status dx_amp_rows(const dx_rows_in *in, dx_rows_out *out, dx_err *err) {
    dx_status st = check_real("scanned", in->scanned, 0, 1e18, err);
    if (st == DX_OK)
        st = check_real("returned", in->returned, 0, 1e18, err);
    if (st == DX_OK)
        st = check_part("filtered", in->filtered, in->scanned, err);
    if (st == DX_OK)
        st = check_part("live", in->live, in->scanned, err);
    if (st != DX_OK)
        return st;
    out->amplification = in->scanned / fmax(1, in->returned);
    out->filtered_share = share(in->filtered, in->scanned);
    out->dead_share = in->live < 0 ? (double)NAN : share(in->scanned - in->live, in->scanned);
    return DX_OK;
}

/* --- RPC call queues (RpcExecutor and RWQueueRpcExecutor of HBase) --- */

/* Java's Math.round(n * ratio), both in single precision: halves go up. */
static int64_t java_round(int64_t n, double ratio) {
    float product = (float)n * (float)ratio;
    return (int64_t)floor((double)product + 0.5);
}

static int64_t java_floor(int64_t n, double ratio) {
    float product = (float)n * (float)ratio;
    return (int64_t)floorf(product);
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t writers(int64_t n, double read_ratio) {
    return larger(1, n - larger(1, java_round(n, read_ratio)));
}

static dx_queue_share queue_share(int64_t queues, int64_t handlers) {
    dx_queue_share s = {.queues = queues, .handlers = handlers};
    if (queues > 0) {
        s.per_queue_min = handlers / queues;
        s.per_queue_max = (handlers + queues - 1) / queues;
    }
    return s;
}

/* since 2.4: scans get a queue as soon as a handler falls to them */
static void split_scans(const dx_queues_in *in, int64_t queues, int64_t handlers,
                        dx_queues_out *out) {
    int64_t scan_handlers = java_floor(handlers, in->scan_ratio), scan_queues = 0;
    if (scan_handlers > 0) {
        scan_queues = larger(1, java_floor(queues, in->scan_ratio));
        queues = larger(1, queues - scan_queues);
    }
    out->read = queue_share(queues, handlers - scan_handlers);
    out->scan = queue_share(scan_queues, scan_handlers);
}

/* up to 2.3: handlers are taken from the reads even where no queue is; nobody starts those */
static void split_scans_old(const dx_queues_in *in, int64_t queues, int64_t handlers,
                            dx_version version, dx_queues_out *out) {
    int64_t scan_queues = java_floor(queues, in->scan_ratio);
    int64_t scan_handlers = java_floor(handlers, in->scan_ratio);
    if (queues - scan_queues <= 0)
        scan_queues = scan_handlers = 0;
    queues -= scan_queues;
    handlers -= scan_handlers;
    if (version < 104) {
        handlers = larger(handlers, queues);
        scan_handlers = larger(scan_handlers, scan_queues);
    }
    out->read = queue_share(queues, handlers);
    out->scan = queue_share(scan_queues, scan_queues > 0 ? scan_handlers : 0);
    out->idle_handlers = scan_queues > 0 ? 0 : scan_handlers;
}

static void split_queues(const dx_queues_in *in, int64_t handlers, int64_t queues,
                         dx_version version, dx_queues_out *out) {
    int64_t write_queues = writers(queues, in->read_ratio);
    int64_t write_handlers = writers(handlers, in->read_ratio);
    int64_t read_queues = queues - write_queues;
    int64_t read_handlers = larger(read_queues, handlers - write_handlers);
    out->split = true;
    out->write = queue_share(write_queues, larger(write_queues, write_handlers));
    if (version >= 204)
        split_scans(in, read_queues, read_handlers, out);
    else
        split_scans_old(in, read_queues, read_handlers, version, out);
}

dx_status dx_amp_queues(const dx_queues_in *in, dx_queues_out *out, dx_err *err) {
    dx_status st = check_int("handlers", in->handlers, 1, 1000000, err);
    if (st == DX_OK)
        st = check_real("factor", in->factor, 0, 1, err);
    if (st == DX_OK)
        st = check_real("read_ratio", in->read_ratio, 0, 1, err);
    if (st == DX_OK)
        st = check_real("scan_ratio", in->scan_ratio, 0, 1, err);
    if (st == DX_OK)
        st = check_version(in->version, err);
    if (st != DX_OK)
        return st;
    dx_version version = version_or_default(in->version);
    int64_t handlers = in->handlers, queues = larger(1, java_round(handlers, in->factor));
    bool split = in->read_ratio > 0 && (version >= 104 || queues > 1);
    *out = (dx_queues_out){.split = false};
    if (split && version >= 104) {
        handlers = larger(2, handlers);
        queues = larger(2, java_round(handlers, in->factor));
    }
    if (split)
        split_queues(in, handlers, queues, version, out);
    else
        out->write = queue_share(queues, handlers);
    out->queues_total = out->write.queues + out->read.queues + out->scan.queues;
    return DX_OK;
}

/* --- WALs (AbstractFSWAL and its forerunners) --- */

/* 2 x memstore / roll size: rounded before 2.0, cut since; 32 at least, and always 32 up to 1.1 */
static dx_status max_logs(const dx_wal_in *in, dx_version version, double multiplier,
                          int64_t *max_logs, dx_err *err) {
    int64_t roll_bytes = (int64_t)((float)in->blocksize_bytes * (float)multiplier);
    if (roll_bytes < 1)
        return dx_fail(err, DX_E_RANGE, "blocksize_bytes * multiplier is less than one byte");
    *max_logs = 32;
    if (version < 102)
        return DX_OK;
    double logs = 2 * (double)in->memstore_bytes / (double)roll_bytes;
    logs = version < 200 ? floor(logs + 0.5) : floor(logs);
    if (logs > INT32_MAX)
        return dx_fail(err, DX_E_RANGE, "%g WALs: more than HBase can count", logs);
    *max_logs = larger(32, (int64_t)logs);
    return DX_OK;
}

dx_status dx_amp_wal(const dx_wal_in *in, dx_wal_out *out, dx_err *err) {
    int64_t max = (int64_t)MAX_BYTES, maxlogs = 0;
    dx_status st = check_int("memstore_bytes", in->memstore_bytes, 1, max, err);
    if (st == DX_OK)
        st = check_int("blocksize_bytes", in->blocksize_bytes, 1, max, err);
    if (st == DX_OK)
        st = check_real("multiplier", in->multiplier, 0, 1000, err);
    if (st == DX_OK)
        st = check_version(in->version, err);
    if (st != DX_OK)
        return st;
    dx_version version = version_or_default(in->version);
    double own = version < 200 ? 0.95 : 0.5;
    double given = in->multiplier;
    st = max_logs(in, version, given > 0 ? given : own, &maxlogs, err);
    if (st != DX_OK)
        return st;
    double roll = (double)in->blocksize_bytes * (given > 0 ? given : 0.95);
    *out = (dx_wal_out){.wals_to_hold_memstore = cut((double)in->memstore_bytes / roll),
                        .hbase_maxlogs = maxlogs,
                        .hbase_multiplier = own};
    return DX_OK;
}

/* --- compaction (DefaultStoreFileManager, PressureAwareCompactionThroughputController) --- */

dx_status dx_amp_pressure(int64_t files, int64_t min_files, int64_t blocking, double *out,
                          dx_err *err) {
    dx_status st = check_int("files", files, 0, INT32_MAX, err);
    if (st == DX_OK)
        st = check_int("min_files", min_files, 1, INT32_MAX, err);
    if (st == DX_OK)
        st = check_int("blocking", blocking, 1, INT32_MAX, err);
    if (st != DX_OK)
        return st;
    double over = (double)(files - min_files), room = (double)(blocking - min_files);
    if (over <= 0 || room < 0) /* HBase's quotient is negative then and loses against 0 */
        *out = 0;
    else
        *out = room > 0 ? over / room : (double)INFINITY;
    return DX_OK;
}

dx_status dx_amp_throughput(double pressure, double lower, double upper, double *out, dx_err *err) {
    dx_status st = DX_OK;
    if (!(pressure >= 0)) /* infinite is a pressure too */
        st = dx_fail(err, DX_E_RANGE, "pressure is %g: it must be 0 or more", pressure);
    if (st == DX_OK)
        st = check_real("lower", lower, 0, 1e18, err);
    if (st == DX_OK)
        st = check_real("upper", upper, lower, 1e18, err);
    if (st == DX_OK)
        *out = pressure > 1 ? (double)INFINITY : lower + (upper - lower) * pressure;
    return st;
}

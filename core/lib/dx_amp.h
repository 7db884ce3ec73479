/* dx_amp - the arithmetic of a RegionServer: heap and memstore, read amplification, call queues,
 * WALs. Pure: numbers in, numbers out. A number that is NaN, or outside of what stands beside it,
 * is DX_E_RANGE with a message that names it; then *out is untouched. */
#ifndef DX_AMP_H
#define DX_AMP_H

#include "dx_err.h"

#include <stdbool.h>
#include <stdint.h>

/* HBase's version as major * 100 + minor: 2.5 is 205, 1.4 is 104. */
typedef int64_t dx_version;

/* --- heap: how the global memstore and the write-active regions share it --- */
typedef struct dx_heap_in {
    int64_t heap_bytes;             /* > 0 */
    double memstore_fraction;       /* hbase.regionserver.global.memstore.size; 0.4 */
    double lower_limit;             /* ...size.lower.limit, fraction of the global memstore; 0.95 */
    double cache_fraction;          /* hfile.block.cache.size, on heap; 0.4 */
    int64_t flush_size_bytes;       /* hbase.hregion.memstore.flush.size; 128 MiB */
    int64_t active_regions;         /* regions that take writes; >= 0 */
    int64_t families;               /* written families per region; 1 */
    int64_t offheap_memstore_bytes; /* hbase.regionserver.offheap.global.memstore.size; 0: none */
} dx_heap_in;
typedef struct dx_heap_out {
    int64_t memstore_global_bytes; /* writers block at this size of all memstores */
    int64_t flush_floor_bytes;     /* flushes are forced above it */
    int64_t wanted_bytes;          /* active regions x flush size */
    int64_t avg_flush_bytes; /* a flushed file: flush size, or the region's part of the floor */
    int64_t regions_at_full_flush; /* how many flush by size before the floor is reached */
    int64_t block_cache_bytes;
    bool over_heap_rule; /* less than 20 % of the heap is left: HBase refuses to start */
} dx_heap_out;
/* Off heap, the floor and the limit are of the off-heap memstore. The heap rule is HBase's: whole
 * percents, cut off, must not be more than 80 together (MemorySizeUtil). */
DX_MUST_CHECK dx_status dx_amp_heap(const dx_heap_in *in, dx_heap_out *out, dx_err *err);

/* --- a single-row Get --- */
typedef struct dx_get_in {
    double files, files_with_row; /* 0 <= files_with_row <= files */
    double bloom_fp;              /* 0..1 */
    double cache_hit;             /* 0..1 */
} dx_get_in;
typedef struct dx_get_out {
    double data_blocks, disk_reads;                   /* expected, per Get */
    double data_blocks_no_bloom, disk_reads_no_bloom; /* every file of the store is asked */
} dx_get_out;
DX_MUST_CHECK dx_status dx_amp_get(const dx_get_in *in, dx_get_out *out, dx_err *err);

/* --- a scan's rows: what was walked for what came back --- */
typedef struct dx_rows_in {
    double scanned, returned, filtered; /* rows; filtered < 0: not told */
    double live;                        /* rows that still live, of those scanned; < 0: not told */
} dx_rows_in;
typedef struct dx_rows_out {
    double amplification;  /* scanned / max(1, returned) */
    double filtered_share; /* of the scanned; NaN: not told */
    double dead_share;     /* (scanned - live) / scanned; NaN: not told */
} dx_rows_out;
/* A share of no rows at all is NaN. */
DX_MUST_CHECK dx_status dx_amp_rows(const dx_rows_in *in, dx_rows_out *out, dx_err *err);

/* --- RPC call queues --- */
typedef struct dx_queues_in {
    int64_t handlers;                      /* hbase.regionserver.handler.count; >= 1 */
    double factor, read_ratio, scan_ratio; /* hbase.ipc.server.callqueue.*; 0..1 */
    dx_version version;                    /* rounding changed in 2.4; 0: 205 */
} dx_queues_in;
typedef struct dx_queue_share {
    int64_t queues, handlers;
    int64_t per_queue_min, per_queue_max; /* handlers of one queue */
} dx_queue_share;
typedef struct dx_queues_out {
    int64_t queues_total;
    bool split; /* false: one kind of queue serves all; it stands in write */
    dx_queue_share write, read, scan;
    int64_t idle_handlers; /* <= 2.3: taken from reads for scans and never started */
} dx_queues_out;
/* As RpcExecutor and RWQueueRpcExecutor do it, in single precision with Java's rounding; handler i
 * serves queue i mod queues and never another. Since 2.4 a scan ratio of 1 leaves the read queue
 * without a handler. */
DX_MUST_CHECK dx_status dx_amp_queues(const dx_queues_in *in, dx_queues_out *out, dx_err *err);

/* --- WALs --- */
typedef struct dx_wal_in {
    int64_t memstore_bytes;  /* global memstore; > 0 */
    int64_t blocksize_bytes; /* hbase.regionserver.hlog.blocksize; > 0 */
    double multiplier;  /* hbase.regionserver.logroll.multiplier; 0: 0.95 for wals_to_hold_memstore,
                           the version's own for hbase_maxlogs */
    dx_version version; /* 0: 205 */
} dx_wal_in;
typedef struct dx_wal_out {
    int64_t wals_to_hold_memstore; /* memstore / (blocksize * multiplier), cut off */
    int64_t hbase_maxlogs;         /* hbase.regionserver.maxlogs when it is unset */
    double hbase_multiplier;       /* the version's own */
} dx_wal_out;
/* maxlogs: 32 up to 1.1; since 1.2 twice the memstore by the roll size (block size x multiplier),
 * rounded before 2.0 and cut off since, and 32 at the least (AbstractFSWAL). */
DX_MUST_CHECK dx_status dx_amp_wal(const dx_wal_in *in, dx_wal_out *out, dx_err *err);

/* --- compaction --- */
/* Pressure of a store: 0 up to min_files, else (files - min) / (blocking - min); 0 where min_files
 * is above blocking, infinite where they are the same (StoreEngine, DefaultStoreFileManager). */
DX_MUST_CHECK dx_status dx_amp_pressure(int64_t files, int64_t min_files, int64_t blocking,
                                        double *out, dx_err *err);
/* The throughput limit of the pressure-aware controller, bytes/s: lower + (upper - lower) x
 * pressure; infinite above pressure 1. lower <= upper. */
DX_MUST_CHECK dx_status dx_amp_throughput(double pressure, double lower, double upper, double *out,
                                          dx_err *err);

#endif

--- What each function of hbdx.amp takes and gives: read by amp itself, by help and by the docs.
-- `core` is the name under which the core wants an argument.
---@class hbdx.AmpParam
---@field name string
---@field type string size|ratio|number|integer|version
---@field default any
---@field required boolean?
---@field setting string? what in HBase it stands for
---@field help string
---@field core string?

local HEAP = { name = "heap", type = "size", required = true, core = "heap_bytes",
  help = "the largest size of the JVM's heap (-Xmx)" }
local MEMSTORE = { name = "memstore", type = "ratio", default = 0.4, core = "memstore_fraction",
  setting = "hbase.regionserver.global.memstore.size", help = "part of the heap for all memstores" }
local LOWER = { name = "lower_limit", type = "ratio", default = 0.95,
  setting = "hbase.regionserver.global.memstore.size.lower.limit",
  help = "part of the global memstore above which flushes are forced" }
local CACHE = { name = "cache", type = "ratio", default = 0.4, core = "cache_fraction",
  setting = "hfile.block.cache.size", help = "part of the heap for the on-heap block cache" }
local FLUSH = { name = "flush_size", type = "size", default = "128m", core = "flush_size_bytes",
  setting = "hbase.hregion.memstore.flush.size", help = "memstore of a region that is flushed" }
local VERSION = { name = "version", type = "version", default = "2.5", help = "version of HBase" }

return {
  heap = {
    summary = "How the global memstore and the regions that take writes share a heap.",
    params = {
      HEAP, MEMSTORE, LOWER, CACHE, FLUSH,
      { name = "active_regions", type = "integer", default = 0,
        help = "regions that take writes, not all regions" },
      { name = "families", type = "integer", default = 1,
        help = "column families written in each of them" },
      { name = "offheap_memstore", type = "size", default = 0, core = "offheap_memstore_bytes",
        setting = "hbase.regionserver.offheap.global.memstore.size",
        help = "global memstore off heap (HBase takes this one in MB); 0: on heap" },
    },
    returns = {
      { "memstore_global_bytes", "writers block at this size of all memstores" },
      { "flush_floor_bytes", "flushes are forced above it" },
      { "wanted_bytes", "active regions x flush size" },
      { "avg_flush_bytes", "an average flushed file while all regions are written alike" },
      { "regions_at_full_flush", "so many reach their flush size before the floor is reached" },
      { "block_cache_bytes", "the on-heap block cache" },
      { "over_heap_rule", "true: less than 20 % of the heap is left and HBase refuses to start" },
    },
    source = "MemorySizeUtil, RegionServerAccounting",
    example = 'amp.heap{heap = "32g", active_regions = 200}',
  },
  get_cost = {
    summary = "Expected data blocks and disk reads of one single-row Get.",
    params = {
      { name = "files", type = "number", required = true, help = "HFiles of the store" },
      { name = "files_with_row", type = "number", required = true,
        help = "how many of them have the row" },
      { name = "bloom_fp", type = "ratio", default = 0.01,
        setting = "io.storefile.bloom.error.rate",
        help = "false positives of the bloom filter; 1: no filter that helps" },
      { name = "cache_hit", type = "ratio", required = true,
        help = "hit ratio of the block cache for data blocks, of the window that is looked at" },
    },
    returns = {
      { "data_blocks", "files_with_row + (files - files_with_row) x bloom_fp" },
      { "disk_reads", "data_blocks x (1 - cache_hit)" },
      { "data_blocks_no_bloom", "every file is asked" },
      { "disk_reads_no_bloom", "data_blocks_no_bloom x (1 - cache_hit)" },
    },
    source = "expectation over the files of one store; index blocks count as cached",
    example = "amp.get_cost{files = 16, files_with_row = 2, cache_hit = 0.9}",
  },
  rows = {
    summary = "What a scan walked for what it returned.",
    params = {
      { name = "scanned", type = "number", required = true,
        help = "rows looked at (ROWS_SCANNED)" },
      { name = "returned", type = "number", required = true, help = "rows that came back" },
      { name = "filtered", type = "number", help = "rows dropped by filters (ROWS_FILTERED)" },
      { name = "live", type = "number", help = "of those scanned, rows that are not deleted" },
    },
    returns = {
      { "amplification", "scanned by returned; nothing returned counts as one row" },
      { "filtered_share", "filtered by scanned; absent when unknown" },
      { "dead_share", "scanned and not live, by scanned; absent when unknown" },
    },
    source = "client ScanMetrics; a deleted row counts as scanned, and as filtered under a filter",
    example = "amp.rows{scanned = 53000, returned = 60, live = 43000}",
  },
  queues = {
    summary = "How many call queues there are, and which handlers serve them.",
    params = {
      { name = "handlers", type = "integer", default = 30,
        setting = "hbase.regionserver.handler.count", help = "general handlers" },
      { name = "factor", type = "ratio", default = 0.1,
        setting = "hbase.ipc.server.callqueue.handler.factor", help = "queues a handler" },
      { name = "read_ratio", type = "ratio", default = 0,
        setting = "hbase.ipc.server.callqueue.read.ratio", help = "part of them for reads" },
      { name = "scan_ratio", type = "ratio", default = 0,
        setting = "hbase.ipc.server.callqueue.scan.ratio", help = "part of the reads for scans" },
      VERSION,
    },
    returns = {
      { "total", "call queues in all" },
      { "split", "false: one kind of queue serves all calls, and stands in write" },
      { "write, read, scan", "each {queues, handlers, per_queue_min, per_queue_max}" },
      { "idle_handlers", "up to 2.3: taken from the reads and never started" },
    },
    source = "RpcExecutor, RWQueueRpcExecutor: single precision, Java's rounding",
    example = "amp.queues{handlers = 60, read_ratio = 0.6, scan_ratio = 0.3}",
  },
  wals = {
    summary = "How many WALs hold one full memstore, and what HBase takes as maxlogs.",
    params = {
      { name = "memstore", type = "size", required = true, core = "memstore_bytes",
        help = "the global memstore" },
      { name = "blocksize", type = "size", required = true, core = "blocksize_bytes",
        setting = "hbase.regionserver.hlog.blocksize", help = "block size of a WAL" },
      { name = "multiplier", type = "number",
        setting = "hbase.regionserver.logroll.multiplier",
        help = "a WAL is rolled at this part of its block; else 0.95, and for maxlogs the "
          .. "version's own" },
      VERSION,
    },
    returns = {
      { "wals_to_hold_memstore", "memstore by roll size, cut off" },
      { "hbase_maxlogs", "hbase.regionserver.maxlogs when it is not set" },
      { "hbase_multiplier", "the version's own multiplier" },
    },
    source = "AbstractFSWAL (FSHLog before 2.0)",
    example = 'amp.wals{memstore = "50g", blocksize = "256m"}',
  },
  compaction_pressure = {
    summary = "The compaction pressure of one store; the server's is the largest of its stores.",
    params = {
      { name = "files", type = "integer", required = true, help = "HFiles of the store" },
      { name = "min", type = "integer", default = 3, setting = "hbase.hstore.compaction.min",
        help = "files that make a compaction" },
      { name = "blocking", type = "integer", default = 16,
        setting = "hbase.hstore.blockingStoreFiles", help = "files above which flushes wait" },
    },
    returns = { { "(a number)", "0 up to min; above 1 throughput has no limit" } },
    source = "StoreEngine, DefaultStoreFileManager",
    example = "amp.compaction_pressure{files = 12}",
  },
  compaction_throughput = {
    summary = "The limit of the pressure-aware controller for all compactions of a server.",
    params = {
      { name = "pressure", type = "number", required = true, help = "of the server" },
      { name = "lower", type = "size", default = "50m",
        setting = "hbase.hstore.compaction.throughput.lower.bound", help = "bytes a second" },
      { name = "upper", type = "size", default = "100m",
        setting = "hbase.hstore.compaction.throughput.higher.bound", help = "bytes a second" },
    },
    returns = { { "(a number)", "bytes a second; infinite above pressure 1" } },
    source = "PressureAwareCompactionThroughputController",
    example = "amp.compaction_throughput{pressure = 0.69}",
  },
  regions_for = {
    summary = "How many regions can take writes and still flush at their full size.",
    params = { HEAP, MEMSTORE, LOWER, FLUSH },
    returns = { { "(a number)", "regions" } },
    source = "the flush floor by the flush size",
    example = 'amp.regions_for{heap = "32g", memstore = 0.5}',
  },
  memstore_needed = {
    summary = "The global memstore that lets so many regions flush at their full size.",
    params = {
      { name = "regions", type = "integer", required = true, help = "regions that take writes" },
      { name = "flush_size", type = "size", default = "128m",
        setting = "hbase.hregion.memstore.flush.size",
        help = "memstore of a region that is flushed" },
      LOWER,
      { name = "heap", type = "size", help = "the heap, to learn which part of it that is" },
    },
    returns = {
      { "memstore_bytes", "regions x flush size by lower limit" },
      { "memstore_fraction", "its part of the heap, when the heap is given" },
      { "fits", "true: HBase takes that part at all (0.8 with no block cache beside it)" },
    },
    source = "the inverse of regions_for",
    example = 'amp.memstore_needed{regions = 110, heap = "32g"}',
  },
}

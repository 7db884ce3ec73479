--- Memstores, flushes, and what happens to writers when memstores do not drain.
local OLD = "hadoop:name=RegionServerStatistics,service=RegionServer"
local MIB <const> = 1048576

return {
  bean = "RegionServer.Server",

  ["memstore.size"] = {
    kind = "gauge", unit = "bytes",
    what = "all memstores of the server; since 2.0 their data alone",
    at = { { "memStoreSize" }, { "memstoreSizeMB", bean = OLD, until_ = "0.94", scale = MIB } },
    moves = "writes up, flushes down",
    healthy = "below the flush floor (0.95 x 0.4 of the heap by default); a plateau there is "
      .. "global pressure",
    traps = { "since 2.0 the limits compare memstore.heap_size, which is larger: blocking begins "
      .. "clearly below the limit as seen here" },
    see = { "memstore.heap_size", "flush.queue", "amp.heap",
      "hbase.regionserver.global.memstore.size" },
  },
  ["memstore.heap_size"] = {
    kind = "gauge", unit = "bytes", what = "heap that all memstores take: what the limits look at",
    at = { { "memStoreHeapSize", since = "2.5.6 2.6 3.0.0" } },
    moves = "writes up, flushes down; small cells weigh several times their data",
    healthy = "below the flush floor",
    see = { "memstore.size", "memstore.offheap_size" },
  },
  ["memstore.offheap_size"] = {
    kind = "gauge", unit = "bytes", what = "off-heap memory that all memstores take",
    at = { { "memStoreOffHeapSize", since = "2.5.6 2.6 3.0.0" } },
    moves = "0 unless the global memstore is off heap",
    see = { "memstore.heap_size", "hbase.regionserver.offheap.global.memstore.size" },
  },
  ["flush.queue"] = {
    kind = "gauge", unit = "count", what = "flushes that wait, delayed ones too",
    at = { { "flushQueueLength" }, { "flushQueueSize", bean = OLD, until_ = "0.94" } },
    moves = "global pressure, too many WALs, regions whose stores have too many files",
    healthy = "0, or a few for seconds",
    traps = { "a flush that is put off for too many store files stays in it, and so does a token "
      .. "that only wakes the flusher" },
    see = { "flush.count", "store.max_files", "hbase.hstore.flusher.count" },
  },
  ["flush.output_bytes"] = {
    kind = "counter", unit = "bytes", what = "bytes of HFiles that flushes wrote",
    at = { { "flushedOutputBytes", since = "1.3" } },
    moves = "every flush",
    healthy = "by flush.count it is the average flushed file; far below the flush size says that "
      .. "something other than size makes regions flush",
    see = { "flush.count", "flush.memstore_bytes", "hbase.hregion.memstore.flush.size" },
  },
  ["flush.memstore_bytes"] = {
    kind = "counter", unit = "bytes", what = "bytes of memstores that flushes wrote out",
    at = { { "flushedMemstoreBytes", since = "1.3" } },
    moves = "every flush",
    healthy = "by flush.count: near the flush size when regions flush by size",
    see = { "flush.output_bytes", "flush.count" },
  },
  ["flush.count"] = {
    kind = "counter", unit = "count", what = "flushes of regions that ended",
    at = { { "FlushTime_num_ops" }, { "flushTimeNumOps", bean = OLD, until_ = "0.94" } },
    moves = "region size, global pressure, WAL count, the hourly flush of old edits, closes",
    see = { "flush.output_bytes", "flush_requested" },
  },
  ["flush.time_mean"] = {
    kind = "percentile", unit = "ms", what = "how long a flush took, on average",
    at = { { "FlushTime_mean" } },
    moves = "size, HDFS, compression", see = { "flush.time_max" },
  },
  ["flush.time_max"] = {
    kind = "percentile", unit = "ms", what = "the longest flush",
    at = { { "FlushTime_max" } },
    moves = "a slow DataNode, a pause", see = { "flush.time_mean" },
  },
  ["flush.cells_bytes"] = {
    kind = "counter", unit = "bytes", region_sum = true, what = "bytes of cells flushed",
    at = { { "flushedCellsSize" } },
    moves = "every flush; there before 1.3 too", see = { "flush.output_bytes" },
  },
  ["write.blocked_requests"] = {
    kind = "counter", unit = "count", region_sum = true,
    what = "writes refused because a region's memstore was above its own limit",
    at = { { "blockedRequestCount" } },
    moves = "a region at flush size x block multiplier: its flush is put off or too slow",
    healthy = "0",
    traps = { "exceptions.RegionTooBusyException misses those inside a multi: this one has all" },
    see = { "ipc.region_too_busy", "region_too_busy", "hbase.hregion.memstore.block.multiplier" },
  },
  ["write.blocked_ms"] = {
    kind = "counter", unit = "ms",
    what = "time that handlers were held because all memstores together were at the limit",
    at = { { "updatesBlockedTime" } },
    moves = "global memstore at its limit; the block of a single region leaves it alone",
    healthy = "0",
    traps = { "added for each thread when it is let go: flat while the block lasts, then 30 "
      .. "handlers held 10 s add 300 s at once" },
    see = { "updates_blocked", "memstore.heap_size", "hbase.regionserver.global.memstore.size" },
  },
  ["write.requests"] = {
    kind = "counter", unit = "count", region_sum = true, what = "rows written",
    at = { { "writeRequestCount" }, { "writeRequestsCount", bean = OLD, until_ = "0.94" } },
    moves = "puts, deletes, increments, appends",
    see = { "write.rate", "rpc.mutate" },
  },
  ["write.rate"] = {
    kind = "gauge", unit = "per_s", what = "rows written a second, as the server works it out",
    at = { { "writeRequestRatePerSecond", since = "2.2" },
      { "writeRequestRate", since = "1.3", until_ = "1.7" } },
    moves = "as write.requests",
    traps = { "may be negative or leap when a region comes back; divide write.requests yourself" },
    see = { "write.requests" },
  },
  ["write.without_wal"] = {
    kind = "gauge", unit = "count", what = "mutations without WAL since the regions' last flush",
    at = { { "mutationsWithoutWALCount" } }, reset = "flush",
    moves = "clients that write with SKIP_WAL: a crash loses them",
  },
}

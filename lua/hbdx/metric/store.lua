--- Regions, stores, their files, and the compactions and splits that change them.
local OLD = "hadoop:name=RegionServerStatistics,service=RegionServer"
local MIB <const> = 1048576

return {
  bean = "RegionServer.Server",

  ["region.count"] = {
    kind = "gauge", unit = "count", what = "regions online on the server",
    at = { { "regionCount" }, { "regions", bean = OLD, until_ = "0.94" } },
    moves = "balancing, splits, merges, a server that died beside it",
    healthy = "even between servers; a step explains counters that fall",
    see = { "store.count", "amp.regions_for" },
  },
  ["region.average_size"] = {
    kind = "gauge", unit = "bytes", what = "memstore and files of a region, on average",
    at = { { "averageRegionSize", since = "1.3" } },
    moves = "data that comes in; falls with splits",
    see = { "region.count", "hbase.hregion.max.filesize" },
  },
  ["server.start_ms"] = {
    kind = "gauge", unit = "ms", what = "when the process started, ms since the epoch (startcode)",
    at = { { "regionServerStartTime" } },
    moves = "a restart: all counters begin again at 0",
  },
  ["store.files"] = {
    kind = "gauge", unit = "count", what = "HFiles of all stores of the server",
    at = { { "storeFileCount" }, { "storefiles", bean = OLD, until_ = "0.94" } },
    moves = "each flush adds one a written family, each compaction takes some away",
    healthy = "by store.count it is files per store: 1 to 4 is calm, near the blocking limit "
      .. "flushes will wait",
    traps = { "a sum: one store at its limit is not seen in it; see store.max_files" },
    see = { "store.count", "store.max_files", "compaction.queue",
      "hbase.hstore.blockingStoreFiles" },
  },
  ["store.count"] = {
    kind = "gauge", unit = "count", what = "stores: one a column family of each region",
    at = { { "storeCount" }, { "stores", bean = OLD, until_ = "0.94" } },
    moves = "as region.count",
    see = { "store.files" },
  },
  ["store.max_files"] = {
    kind = "gauge", unit = "count", what = "files of the store that has most",
    at = { { "maxStoreFileCount", since = "2.4.14 2.5.1 2.6" } },
    moves = "as store.files",
    healthy = "well below hbase.hstore.blockingStoreFiles; at one above it flushes wait and it "
      .. "rises no more: the limit holds, and that is the stall",
    see = { "store.files", "hbase.hstore.blockingStoreFiles", "flush_delayed" },
  },
  ["store.size"] = {
    kind = "gauge", unit = "bytes", what = "bytes of all HFiles on disk",
    at = { { "storeFileSize" } },
    moves = "flushes and bulk loads up; compactions that drop cells, and moves, down",
    see = { "store.files" },
  },
  ["store.index_size"] = {
    kind = "gauge", unit = "bytes", what = "root index of all files, kept on heap",
    at = { { "storeFileIndexSize" },
      { "storefileIndexSizeMB", bean = OLD, until_ = "0.94", scale = MIB } },
    moves = "more data, smaller blocks", see = { "store.static_index_size" },
  },
  ["store.static_index_size"] = {
    kind = "gauge", unit = "bytes", what = "all index blocks of all files, uncompressed",
    at = { { "staticIndexSize" },
      { "totalStaticIndexSizeKB", bean = OLD, until_ = "0.94", scale = 1024 } },
    moves = "more data, smaller blocks, longer keys",
    healthy = "fits L1; if not, a Get pays for index blocks too",
    see = { "store.bloom_size", "cache.size" },
  },
  ["store.bloom_size"] = {
    kind = "gauge", unit = "bytes", what = "all bloom blocks of all files, uncompressed",
    at = { { "staticBloomSize" },
      { "totalStaticBloomSizeKB", bean = OLD, until_ = "0.94", scale = 1024 } },
    moves = "more rows; ROWCOL filters most of all",
    see = { "store.static_index_size" },
  },
  ["store.max_file_age"] = {
    kind = "gauge", unit = "ms", what = "age of the oldest HFile",
    at = { { "maxStoreFileAge", since = "1.3" } },
    moves = "falls to 0 when a major compaction has rewritten everything",
    healthy = "at most about hbase.hregion.majorcompaction and its jitter, where that is on",
    see = { "hbase.hregion.majorcompaction" },
  },
  ["store.reference_files"] = {
    kind = "gauge", unit = "count", what = "halves of files that a split left",
    at = { { "numReferenceFiles", since = "1.3" } },
    moves = "a split up, the compaction after it down",
    healthy = "0 a while after a split; a region with references cannot split again",
    see = { "split.requests" },
  },
  ["compaction.queue"] = {
    kind = "gauge", unit = "count", what = "compactions that wait",
    at = { { "compactionQueueLength" },
      { "compactionQueueSize", bean = OLD, until_ = "0.94" } },
    moves = "flushes faster than compactions; a throughput bound; too few threads",
    healthy = "returns to 0; a steady rise foretells slow reads minutes before they show",
    traps = { "those that run are not counted: 0 is also seen in the middle of a stall" },
    see = { "compaction.small_queue", "compaction.large_queue", "store.files" },
  },
  ["compaction.small_queue"] = {
    kind = "gauge", unit = "count", what = "small compactions that wait",
    at = { { "smallCompactionQueueLength", since = "1.3" } },
    moves = "as compaction.queue",
    see = { "compaction.queue", "hbase.regionserver.thread.compaction.small" },
  },
  ["compaction.large_queue"] = {
    kind = "gauge", unit = "count", what = "large compactions that wait",
    at = { { "largeCompactionQueueLength", since = "1.3" } },
    moves = "major compactions, and selections above the throttle size",
    see = { "compaction.queue", "hbase.regionserver.thread.compaction.throttle" },
  },
  ["compaction.input_bytes"] = {
    kind = "counter", unit = "bytes", what = "bytes read by compactions, major ones too",
    at = { { "compactedInputBytes", since = "1.3" } },
    moves = "every compaction, when it ends",
    traps = { "added at the end of a compaction, in one step" },
    see = { "compaction.output_bytes" },
  },
  ["compaction.output_bytes"] = {
    kind = "counter", unit = "bytes", what = "bytes written by compactions, major ones too",
    at = { { "compactedOutputBytes", since = "1.3" } },
    moves = "every compaction, when it ends",
    healthy = "by flush.output_bytes it is the write amplification; its rate near the throughput "
      .. "bound says that the bound holds compaction back",
    traps = { "added at the end of a compaction, in one step" },
    see = { "flush.output_bytes", "hbase.hstore.compaction.throughput.higher.bound" },
  },
  ["compaction.major_input_bytes"] = {
    kind = "counter", unit = "bytes", what = "bytes read by major compactions",
    at = { { "majorCompactedInputBytes", since = "1.3" } },
    moves = "a major compaction, when it ends", see = { "compaction.input_bytes" },
  },
  ["compaction.major_output_bytes"] = {
    kind = "counter", unit = "bytes", what = "bytes written by major compactions",
    at = { { "majorCompactedOutputBytes", since = "1.3" } },
    moves = "a major compaction, when it ends", see = { "compaction.output_bytes" },
  },
  ["compaction.count"] = {
    kind = "counter", unit = "count", what = "compactions that ended, major ones too",
    at = { { "CompactionTime_num_ops", since = "1.3" },
      { "compactionTimeNumOps", bean = OLD, until_ = "0.94" } },
    moves = "every compaction", see = { "compaction.time_max" },
  },
  ["compaction.major_count"] = {
    kind = "counter", unit = "count", what = "major compactions that ended",
    at = { { "MajorCompactionTime_num_ops", since = "1.3" } },
    moves = "the weekly schedule, operators, a compaction that happened to take all files",
    see = { "hbase.hregion.majorcompaction" },
  },
  ["compaction.time_max"] = {
    kind = "percentile", unit = "ms", what = "the longest compaction since the last snapshot",
    at = { { "CompactionTime_max", since = "1.3" } },
    moves = "size of the files, the throughput bound, disks",
    see = { "compaction.count" },
  },
  ["compaction.input_files_mean"] = {
    kind = "percentile", unit = "count", what = "files that a compaction took, on average",
    at = { { "CompactionInputFileCount_mean", since = "1.3" } },
    moves = "towards hbase.hstore.compaction.max when stores lag behind",
    see = { "hbase.hstore.compaction.max" },
  },
  ["compaction.cells_bytes"] = {
    kind = "counter", unit = "bytes", region_sum = true,
    what = "bytes of cells that minor compactions rewrote",
    at = { { "compactedCellsSize" } },
    moves = "as compaction.output_bytes; there before 1.3 too",
    see = { "compaction.output_bytes" },
  },
  ["split.queue"] = {
    kind = "gauge", unit = "count", what = "splits that wait",
    at = { { "splitQueueLength" } },
    moves = "regions that outgrew hbase.hregion.max.filesize", see = { "split.requests" },
  },
  ["split.requests"] = {
    kind = "counter", unit = "count", what = "splits asked for",
    at = { { "splitRequestCount" } },
    moves = "growing regions; on early growth of a table many in a row",
    see = { "store.reference_files", "hbase.hregion.max.filesize" },
  },
}

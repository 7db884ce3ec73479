--- The write-ahead log, HFile reads and writes, and HDFS under them.
local OLD = "hadoop:name=RegionServerStatistics,service=RegionServer"
local WINDOW = "covers what came in since anybody last took a snapshot; 0 means that nothing did"
local WAL, IO <const> = "RegionServer.WAL", "RegionServer.IO"

local metrics = {
  bean = "RegionServer.Server",

  ["wal.files"] = {
    kind = "gauge", unit = "count", what = "WALs not yet archived, the open ones too",
    at = { { "hlogFileCount" } },
    moves = "writes up; flushes of the regions that pin the oldest WAL down",
    healthy = "below hbase.regionserver.maxlogs; at it flushes are forced, small ones mostly",
    traps = { "the open file of each WAL is counted, while maxlogs looks at rolled files only",
      "with several WALs each has its own limit" },
    see = { "wal_too_many", "amp.wals", "hbase.regionserver.maxlogs" },
  },
  ["wal.size"] = {
    kind = "gauge", unit = "bytes", what = "bytes of rolled WALs not yet archived",
    at = { { "hlogFileSize" } },
    moves = "as wal.files",
    traps = { "counted twice in 1.3, 1.4, 2.0 and 2.1" },
    see = { "wal.files" },
  },
  ["wal.slow_appends"] = {
    kind = "counter", unit = "count", what = "appends of more than a second",
    at = { { "slowAppendCount", bean = WAL } },
    moves = "a ring buffer that is full because syncs are slow, or a pause",
    healthy = "0", see = { "wal.sync_p99", "wal_slow_sync" },
  },
  ["wal.appends"] = {
    kind = "counter", unit = "count", what = "edits appended",
    at = { { "appendCount", bean = WAL } }, moves = "writes", see = { "write.requests" },
  },
  ["wal.written_bytes"] = {
    kind = "counter", unit = "bytes", what = "bytes written to WALs",
    at = { { "writtenBytes", bean = WAL, since = "1.3" } },
    moves = "writes", see = { "flush.memstore_bytes" },
  },
  ["wal.roll_requests"] = {
    kind = "counter", unit = "count", what = "rolls asked for, for any reason",
    at = { { "rollRequest", bean = WAL } },
    moves = "size, the hourly roll, slow syncs, lost replicas",
    see = { "wal.slow_sync_rolls", "wal.low_replica_rolls" },
  },
  ["wal.low_replica_rolls"] = {
    kind = "counter", unit = "count", what = "rolls because a pipeline lost a DataNode",
    at = { { "lowReplicaRollRequest", bean = WAL } },
    moves = "a DataNode that died or stalled", healthy = "0",
  },
  ["wal.slow_sync_rolls"] = {
    kind = "counter", unit = "count", what = "rolls to get away from a slow pipeline",
    at = { { "slowSyncRollRequest", bean = WAL, since = "1.7 2.3" } },
    moves = "a slow DataNode or disk", healthy = "0",
    see = { "wal.sync_p99", "hbase.regionserver.wal.slowsync.ms" },
  },
  ["hdfs.local_percent"] = {
    kind = "gauge", unit = "percent", what = "share of the HFiles' blocks with a copy on this host",
    at = { { "percentFilesLocal" },
      { "hdfsBlocksLocalityIndex", bean = OLD, until_ = "0.94" } },
    moves = "moves and restarts down; compactions up",
    healthy = "near 100 on a settled server",
    traps = { "0 also where there is no HFile, no HDFS, or the host's name differs from the "
      .. "DataNode's" },
    see = { "store.size", "io.pread_p99" },
  },
  ["hdfs.hedged_reads"] = {
    kind = "counter", unit = "count", what = "second reads started because the first was slow",
    at = { { "hedgedReads", since = "1.7 2.0" } },
    moves = "slow disks or DataNodes; a threshold near the usual read time",
    see = { "hdfs.hedged_wins", "dfs.client.hedged.read.threshold.millis" },
  },
  ["hdfs.hedged_wins"] = {
    kind = "counter", unit = "count", what = "second reads that came first",
    at = { { "hedgedReadWins", since = "1.7 2.0" } },
    moves = "as hdfs.hedged_reads", healthy = "a small part of the reads; many name a bad disk",
    see = { "hdfs.hedged_reads" },
  },
  ["hdfs.read_bytes"] = {
    kind = "counter", unit = "bytes", what = "bytes read from HDFS by the process",
    at = { { "totalBytesRead", since = "1.7 2.2.5 2.3" } },
    moves = "cache misses, scans, compactions",
    traps = { "declared a gauge by HBase, yet it only grows" }, see = { "hdfs.local_bytes" },
  },
  ["hdfs.local_bytes"] = {
    kind = "counter", unit = "bytes", what = "of these, bytes read from this host",
    at = { { "localBytesRead", since = "1.7 2.2.5 2.3" } },
    moves = "as hdfs.read_bytes", see = { "hdfs.read_bytes", "hdfs.local_percent" },
  },
  ["io.checksum_failures"] = {
    kind = "counter", unit = "count", what = "HFile blocks whose checksum was wrong",
    at = { { "fsChecksumFailureCount", bean = IO, since = "1.4" } },
    moves = "bad disks or memory", healthy = "0",
  },
}

local HISTOGRAMS = {
  ["wal.sync"] = { "SyncTime", WAL, "a WAL sync", "DataNodes, disks, network, pauses" },
  ["wal.append"] = { "AppendTime", WAL, "an append to the WAL's buffer", "a buffer that is full" },
  ["wal.append_bytes"] = { "AppendSize", WAL, "the size of an append", "batches", unit = "bytes" },
  ["io.read"] = { "FsReadTime", IO, "a sequential read of an HFile", "disks, DataNodes",
    since = "1.4" },
  ["io.pread"] = { "FsPReadTime", IO, "a positional read of an HFile: what Gets do",
    "disks, DataNodes, locality", since = "1.4" },
  ["io.write"] = { "FsWriteTime", IO, "a write of an HFile", "DataNodes, network",
    since = "1.4" },
}

for prefix, h in pairs(HISTOGRAMS) do
  local function add(name, suffix, kind, what)
    metrics[prefix .. "_" .. name] = {
      kind = kind, unit = kind == "counter" and "count" or h.unit or "ms", what = what:format(h[3]),
      at = { { h[1] .. suffix, bean = h[2], since = h.since } }, moves = h[4],
      traps = kind == "percentile" and { WINDOW } or nil,
      see = { prefix .. (name == "ops" and "_p99" or "_ops") },
    }
  end
  add("ops", "_num_ops", "counter", "samples of %s")
  add("mean", "_mean", "percentile", "mean of %s")
  add("p99", "_99th_percentile", "percentile", "99th percentile of %s")
  add("max", "_max", "percentile", "largest of %s")
end

return metrics

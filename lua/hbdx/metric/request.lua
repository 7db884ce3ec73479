--- Requests: how many of which kind, and how long the server worked on them.
local OLD = "hadoop:name=RegionServerStatistics,service=RegionServer"
local VICTIM = "the time in the call queue is not in it: a Get that waits 900 ms for a handler and "
  .. "then runs 2 ms counts as 2 ms"
local WINDOW = "covers what came in since anybody last took a snapshot; 0 means that nothing did"
local LIFE = "1.1 and 1.2: min, max and mean since the start, percentiles of the last minutes"

local metrics = {
  bean = "RegionServer.Server",

  ["requests.total"] = {
    kind = "counter", unit = "count", what = "RPC requests, admin ones too",
    at = { { "totalRequestCount" } },
    moves = "calls of clients; a multi of a million rows counts as one",
    see = { "read.requests", "write.requests" },
  },
  ["requests.rows"] = {
    kind = "counter", unit = "count", region_sum = true, what = "rows read and written",
    at = { { "totalRowActionRequestCount", since = "1.4" } },
    moves = "read.requests and write.requests",
    see = { "read.requests", "write.requests" },
  },
  ["read.requests"] = {
    kind = "counter", unit = "count", region_sum = true,
    what = "rows read, about: calls of a region's scanner",
    at = { { "readRequestCount" }, { "readRequestsCount", bean = OLD, until_ = "0.94" } },
    moves = "Gets one by one, scans by each row that they return",
    traps = { "rows that a filter drops are in read.filtered, and this one may stand still beside "
      .. "millions of them", "1.4, 1.7 and 2.0 to 2.2 count results that are not empty" },
    see = { "read.filtered", "rpc.get", "rpc.scan" },
  },
  ["read.filtered"] = {
    kind = "counter", unit = "count", region_sum = true, what = "rows that filters dropped",
    at = { { "filteredReadRequestCount", since = "2.0" } },
    moves = "filters on columns that are not the key",
    healthy = "small beside read.requests; far above it, the key does not fit the question",
    traps = { "a deleted row under a filter counts as filtered" },
    see = { "read.requests", "amp.rows" },
  },
  ["read.rate"] = {
    kind = "gauge", unit = "per_s", what = "rows read a second, as the server works it out",
    at = { { "readRequestRatePerSecond", since = "2.2" },
      { "readRequestRate", since = "1.3", until_ = "1.7" } },
    moves = "as read.requests",
    traps = { "may be negative or leap when a region comes back; divide read.requests yourself" },
    see = { "read.requests" },
  },
  ["rpc.get"] = {
    kind = "counter", unit = "count", what = "Get calls",
    at = { { "rpcGetRequestCount", since = "1.3" } },
    moves = "clients; Gets inside a multi are not in it", see = { "get.ops", "rpc.multi" },
  },
  ["rpc.scan"] = {
    kind = "counter", unit = "count", what = "Scan calls: open, next and close",
    at = { { "rpcScanRequestCount", since = "1.3" } },
    moves = "scans; more calls a scan with smaller batches", see = { "rpc.full_scan", "scan.ops" },
  },
  ["rpc.full_scan"] = {
    kind = "counter", unit = "count", what = "scans that may walk a whole region",
    at = { { "rpcFullScanRequestCount", since = "2.4" } },
    moves = "scans without start or stop row", see = { "rpc.scan" },
  },
  ["rpc.multi"] = {
    kind = "counter", unit = "count", what = "multi calls: batches of reads or writes",
    at = { { "rpcMultiRequestCount", since = "1.3" } },
    moves = "BufferedMutator and batches of Gets", see = { "putbatch.ops" },
  },
  ["rpc.mutate"] = {
    kind = "counter", unit = "count", what = "single mutation calls",
    at = { { "rpcMutateRequestCount", since = "1.3" } },
    moves = "puts and deletes that are not batched", see = { "write.requests" },
  },
  ["scanners.active"] = {
    kind = "gauge", unit = "count", what = "open scanners",
    at = { { "activeScanners", since = "2.5" } },
    moves = "scans; scanners that were never closed until their lease ends",
    see = { "scanners.expired" },
  },
  ["scanners.expired"] = {
    kind = "counter", unit = "count", what = "scanners whose client did not come back in time",
    at = { { "scannerLeaseExpiredCount", since = "2.5" } },
    moves = "clients that work longer on a batch than the lease lasts, or died",
    see = { "scanner_expired", "hbase.client.scanner.timeout.period" },
  },
  ["scan.block_bytes"] = {
    kind = "counter", unit = "bytes", what = "bytes of blocks that requests touched",
    at = { { "blockBytesScannedCount", since = "2.6" } },
    moves = "reads, cached or not", healthy = "near what the answers weigh",
    see = { "ipc.response_bytes_mean" },
  },
}

--- Which spelling a histogram has: { base, since=, until_=, bean= }, the newest first.
local HISTOGRAMS = {
  get = { "single Gets", { "Get" } },
  scan = { "scan calls", { "ScanTime", since = "1.3" } },
  put = { "single Puts", { "Put", since = "1.4" }, { "Mutate", until_ = "1.3" } },
  putbatch = { "batches of Puts", { "PutBatch", since = "1.4" } },
  delete = { "single Deletes", { "Delete" } },
  deletebatch = { "batches of Deletes", { "DeleteBatch", since = "1.4" } },
  increment = { "Increments", { "Increment" } },
  append = { "Appends", { "Append" } },
}

local FIGURES = {
  ops = { "_num_ops", "counter", "count", "how many %s ended" },
  mean = { "_mean", "percentile", "ms", "mean time of %s" },
  median = { "_median", "percentile", "ms", "median time of %s" },
  p95 = { "_95th_percentile", "percentile", "ms", "time within which 95 %% of %s ended" },
  p99 = { "_99th_percentile", "percentile", "ms", "time within which 99 %% of %s ended" },
  max = { "_max", "percentile", "ms", "longest time of %s" },
}

local function spelled(bases, suffix)
  local at = {}
  for i = 2, #bases do
    at[#at + 1] = { bases[i][1] .. suffix, since = bases[i].since, until_ = bases[i].until_ }
  end
  return at
end

local function add_histogram(prefix, bases)
  for name, figure in pairs(FIGURES) do
    local suffix, kind, unit, what = table.unpack(figure)
    metrics[prefix .. "." .. name] = {
      kind = kind, unit = unit, what = what:format(bases[1]), at = spelled(bases, suffix),
      moves = kind == "counter" and "clients" or "files a store, cache misses, disks, pauses",
      traps = kind == "percentile" and { VICTIM, WINDOW, LIFE } or nil,
      see = { prefix .. (name == "ops" and ".p99" or ".ops"), "ipc.queue_time_mean" },
    }
  end
end

for prefix, bases in pairs(HISTOGRAMS) do add_histogram(prefix, bases) end

metrics["scan.size_mean"] = {
  kind = "percentile", unit = "bytes", what = "mean size of a scan call's answer",
  at = { { "ScanSize_mean", since = "1.3" }, { "ScanNext_mean", until_ = "1.2" } },
  moves = "caching, batch and result size of scans; near 0 when filters drop all",
  traps = { WINDOW, "1.1 and 1.2: ScanNext is this size, although it is called a time" },
  see = { "scan.ops", "read.filtered" },
}
metrics["scan.size_max"] = {
  kind = "percentile", unit = "bytes", what = "largest answer of a scan call",
  at = { { "ScanSize_max", since = "1.3" }, { "ScanNext_max", until_ = "1.2" } },
  moves = "hbase.client.scanner.max.result.size", traps = { WINDOW },
  see = { "scan.size_mean" },
}

for prefix, what in pairs { get = "Gets", put = "Puts", delete = "Deletes",
  increment = "Increments", append = "Appends" } do
  metrics[prefix .. ".slow"] = {
    kind = "counter", unit = "count", what = what .. " of more than a second",
    at = { { "slow" .. what:sub(1, -2) .. "Count" } },
    moves = "disks, pauses, many files a store",
    traps = { "threshold hbase.ipc.slow.metric.time since 2.3; batches of Puts and Deletes count "
      .. "from 1.4 to 2.2 only; scans never" },
    see = { prefix .. ".p99", "hbase.ipc.slow.metric.time" },
  }
end

return metrics

--- Metrics with labels: of a region (table and encoded name) and of a table on a server.
local REGIONS <const>, TABLES <const> = "RegionServer.Regions", "RegionServer.Tables"
local STALE_REGION = "refreshed every 45 s; counters are live"
local REOPEN = "begins at 0 when the region opens (kept on the same server since 2.2)"
local SUMMED = "a sum over the table's regions on this server: falls when one leaves"

local metrics = { bean = REGIONS }

-- name, kind, unit, attribute, since, what, moves
local OF_REGION = {
  { "store_files", "gauge", "count", "storeFileCount", nil, "HFiles of a region, all families",
    "flushes up, compactions down" },
  { "stores", "gauge", "count", "storeCount", nil, "stores of a region", "its families" },
  { "memstore", "gauge", "bytes", "memStoreSize", nil, "memstore of a region",
    "writes up, flushes down" },
  { "size", "gauge", "bytes", "storeFileSize", nil, "bytes of a region's HFiles", "data" },
  { "store_refs", "gauge", "count", "storeRefCount", "1.7 2.3", "readers of its files",
    "scanners that are not closed" },
  { "reference_files", "gauge", "count", "numReferenceFiles", "1.3",
    "halves of files that a split left", "splits" },
  { "max_file_age", "gauge", "ms", "maxStoreFileAge", "1.3", "age of its oldest file",
    "falls with a major compaction" },
  { "major_age", "gauge", "ms", "lastMajorCompactionAge", "1.3",
    "time since its last major compaction", "falls with a major compaction" },
  { "read_requests", "counter", "count", "readRequestCount", "1.2", "rows read of a region",
    "clients" },
  { "write_requests", "counter", "count", "writeRequestCount", "1.2", "rows written to a region",
    "clients" },
  { "filtered_reads", "counter", "count", "filteredReadRequestCount", "2.0",
    "rows that filters dropped", "filters on columns that are not the key" },
  { "gets", "counter", "count", "getCount", "1.3", "Gets of a region", "clients" },
  { "scans", "counter", "count", "scanCount", "1.3", "scan calls of a region", "clients" },
  { "puts", "counter", "count", "putCount", "1.4", "Puts of a region", "clients" },
  { "deletes", "counter", "count", "deleteCount", nil, "Deletes of a region", "clients" },
  { "compactions", "counter", "count", "compactionsCompletedCount", nil,
    "compactions of a region that ended", "flushes" },
  { "compactions_failed", "counter", "count", "compactionsFailedCount", "1.3",
    "compactions of a region that failed", "HDFS trouble, a bad file" },
  { "compacted_bytes", "counter", "bytes", "numBytesCompactedCount", nil,
    "bytes that its compactions took", "compactions" },
  { "compacted_files", "counter", "count", "numFilesCompactedCount", nil,
    "files that its compactions took", "compactions" },
  { "compactions_queued", "gauge", "count", "compactionsQueuedCount", "1.3",
    "its compactions that wait", "up and down, though HBase calls it a counter" },
  { "flushes_queued", "gauge", "count", "flushesQueuedCount", "1.3", "its flushes that wait",
    "up and down, though HBase calls it a counter" },
}

for _, row in ipairs(OF_REGION) do
  local name, kind, unit, attribute, since, what, moves = table.unpack(row, 1, 7)
  metrics["region." .. name] = {
    kind = kind, unit = unit, what = what, labels = { "table", "region" }, moves = moves,
    at = { { attribute, since = since } }, reset = kind == "counter" and "region" or nil,
    traps = { kind == "counter" and REOPEN or STALE_REGION },
  }
end
metrics["region.puts"].at[2] = { "mutateCount", until_ = "1.3" }
table.insert(metrics["region.store_files"].traps,
  "the blocking limit is of a store, this is of all families together")
table.insert(metrics["region.major_age"].traps,
  "about 1.7e12 (the age of the epoch) when no file is marked as a major compaction's")

local OF_TABLE = {
  { "read_requests", "counter", "count", { "readRequestCount", since = "1.3", on_use = true },
    "rows read of a table", "clients" },
  { "write_requests", "counter", "count", { "writeRequestCount", since = "1.3", on_use = true },
    "rows written to a table", "clients" },
  { "requests", "counter", "count", { "totalRequestCount", since = "1.3", on_use = true },
    "rows read and written of a table", "clients" },
  { "filtered_reads", "counter", "count",
    { "filteredReadRequestCount", since = "2.2", on_use = true },
    "rows that filters dropped", "filters on columns that are not the key" },
  { "memstore", "gauge", "bytes", { "memStoreSize", since = "2.2", on_use = true },
    "memstores of a table", "writes up, flushes down" },
  { "size", "gauge", "bytes", { "tableSize", since = "1.3", on_use = true },
    "memstores and HFiles of a table", "data" },
  { "store_size", "gauge", "bytes", { "storeFileSize", since = "1.3", on_use = true },
    "HFiles of a table", "data" },
  { "store_files", "gauge", "count", { "storeFileCount", since = "2.2", on_use = true },
    "number of HFiles of a table", "flushes up, compactions down" },
  { "stores", "gauge", "count", { "storeCount", since = "2.2", on_use = true },
    "stores of a table", "regions and families" },
  { "max_store_files", "gauge", "count", { "maxStoreFileCount", since = "2.4.14 2.5.1 2.6" },
    "files of the table's store that has most", "flushes up, compactions down" },
  { "regions", "gauge", "count", { "regionCount", since = "1.7 2.2", on_use = true },
    "regions of a table", "splits, balancing" },
  { "flush_bytes", "counter", "bytes", { "flushedOutputBytes", since = "2.2", on_use = true },
    "bytes that its flushes wrote", "flushes" },
  { "flushes", "counter", "count", { "flushTime_num_ops", since = "2.2", on_use = true },
    "its flushes that ended", "flushes" },
  { "compaction_bytes", "counter", "bytes",
    { "compactedOutputBytes", since = "2.2", on_use = true },
    "bytes that its compactions wrote", "compactions" },
}

for _, row in ipairs(OF_TABLE) do
  local name, kind, unit, at, what, moves = table.unpack(row)
  at.bean = TABLES
  local summed = kind == "counter" and unit == "count" and not at[1]:find("num_ops", 1, true)
  metrics["table." .. name] = {
    kind = kind, unit = unit, what = what .. ", on this server", labels = { "table" },
    at = { at }, moves = moves, region_sum = summed or nil, traps = summed and { SUMMED } or nil,
  }
end
table.insert(metrics["table.memstore"].at,
  { "memstoreSize", bean = TABLES, since = "1.3", until_ = "2.1" })

local FIGURES = { ops = { "_num_ops", "counter", "count", "how many %s ended" },
  mean = { "_mean", "percentile", "ms", "mean time of %s" },
  p99 = { "_99th_percentile", "percentile", "ms", "time within which 99 %% of %s ended" },
  max = { "_max", "percentile", "ms", "longest time of %s" } }

local function add_latency(prefix, attribute, what, unit, since)
  local capital = attribute:gsub("^%l", string.upper)
  for name, figure in pairs(FIGURES) do
    metrics["table." .. prefix .. "_" .. name] = {
      kind = figure[2], unit = figure[2] == "counter" and "count" or unit or figure[3],
      what = (unit and figure[4]:gsub("time", "size") or figure[4]):format(what)
        .. ", one table on this server",
      labels = { "table" }, moves = "clients",
      at = { { capital .. figure[1], bean = "RegionServer.TableRequests", since = "2.6" },
        { attribute .. figure[1], bean = "RegionServer.TableLatencies", since = since,
          until_ = "2.5" } },
    }
  end
end

add_latency("get", "getTime", "Gets", nil, "1.3")
add_latency("scan", "scanTime", "scan calls", nil, "1.3")
add_latency("scan_size", "scanSize", "scan answers", "bytes", "1.3")
add_latency("put", "putTime", "Puts", nil, "1.3")
add_latency("putbatch", "putBatchTime", "batches of Puts", nil, "1.4")
add_latency("delete", "deleteTime", "Deletes", nil, "1.3")

return metrics

--- The attributes that the samples' collector keeps of each bean, in the order in which HBase
-- prints them, with the release that brought or dropped them. The spelling is HBase's; a test of
-- the samples compares it with attributes seen on real servers.
--
-- An entry is an attribute's name; "d name": a double; "h name": a histogram with its counts and
-- times; "s name": one with counts and sizes only. since/till: first and last release, 2.5 as 25.
local beans = {}

local function since(release, names)
  return { names = names, since = release }
end

local function till(release, names)
  return { names = names, till = release }
end

beans.Server = {
  { names = { "regionCount", "storeCount", "hlogFileCount", "hlogFileSize", "storeFileCount" } },
  since(24, { "maxStoreFileCount" }),
  { names = { "memStoreSize" } },
  since(25, { "memStoreHeapSize" }),
  { names = { "storeFileSize", "regionServerStartTime", "averageRegionSize",
              "d percentFilesLocal", "compactionQueueLength", "smallCompactionQueueLength",
              "largeCompactionQueueLength", "flushQueueLength", "blockCacheFreeSize",
              "blockCacheCount", "blockCacheSize", "d blockCacheCountHitPercent",
              "d blockCacheExpressHitPercent" } },
  till(17, { "d readRequestRate", "d writeRequestRate" }),
  since(22, { "d readRequestRatePerSecond", "d writeRequestRatePerSecond" }),
  since(25, { "activeScanners" }),
  { names = { "totalRequestCount", "totalRowActionRequestCount", "readRequestCount" } },
  since(20, { "filteredReadRequestCount" }),
  { names = { "writeRequestCount", "rpcGetRequestCount" } },
  since(24, { "rpcFullScanRequestCount" }),
  { names = { "rpcScanRequestCount", "rpcMultiRequestCount", "rpcMutateRequestCount",
              "blockCacheHitCount" } },
  since(24, { "blockCacheHitCachingCount" }),
  { names = { "blockCacheMissCount" } },
  since(24, { "blockCacheMissCachingCount" }),
  { names = { "blockCacheEvictionCount", "blockCacheFailedInsertionCount",
              "blockCacheDataMissCount", "blockCacheDataHitCount", "updatesBlockedTime",
              "blockedRequestCount", "s CompactionInputFileCount", "compactedOutputBytes",
              "pauseWarnThresholdExceeded", "h ScanTime", "h Put", "s DeleteBatch",
              "s FlushMemstoreSize", "h PutBatch", "s CompactionTime", "h Get",
              "majorCompactedInputBytes", "flushedOutputBytes", "h FlushTime", "s ScanSize",
              "slowGetCount", "flushedMemstoreBytes", "majorCompactedOutputBytes",
              "s FlushOutputSize", "slowPutCount", "pauseInfoThresholdExceeded",
              "compactedInputBytes" } },
  since(26, { "blockBytesScannedCount" }),
}

beans.IPC = {
  { names = { "queueSize", "numCallsInGeneralQueue", "numCallsInReplicationQueue",
              "numCallsInPriorityQueue", "numOpenConnections", "numActiveHandler" } },
  since(22, { "numActiveGeneralHandler", "numActivePriorityHandler" }),
  { names = { "numCallsInWriteQueue", "numCallsInReadQueue", "numCallsInScanQueue",
              "numActiveWriteHandler", "numActiveReadHandler", "numActiveScanHandler",
              "receivedBytes", "h ProcessCallTime", "exceptions.callQueueTooBig", "h QueueCallTime",
              "h TotalCallTime", "exceptions.RegionTooBusyException", "s ResponseSize",
              "exceptions", "exceptions.NotServingRegionException", "sentBytes" } },
}

beans.WAL = {
  { names = { "h SyncTime", "slowAppendCount", "rollRequest", "writtenBytes", "appendCount" } },
  since(23, { "slowSyncRollRequest" }),
}

beans.JvmMetrics = {
  { names = { "d MemHeapUsedM", "d MemHeapMaxM", "GcCount", "GcTimeMillis" } },
}

--- Per table; "Namespace_<ns>_table_<t>_metric_" goes before each.
beans.Tables = {
  { names = { "readRequestCount" } },
  since(22, { "filteredReadRequestCount" }),
  { names = { "writeRequestCount", "storeFileSize" } },
  since(22, { "regionCount", "storeFileCount" }),
  since(24, { "maxStoreFileCount" }),
}

local SUFFIXES = {
  h = { "num_ops", "max", "mean", "99th_percentile" },
  s = { "num_ops", "mean" },
}

local function expand(out, entry)
  local kind, name = entry:match("^([dhs]) (.+)$")
  if SUFFIXES[kind] then
    for _, suffix in ipairs(SUFFIXES[kind]) do out[#out + 1] = { name .. "_" .. suffix } end
  else
    out[#out + 1] = { name or entry, kind == "d" }
  end
end

--- The attributes of a bean in one release: { name, is_double } each.
---@param bean string
---@param release integer -- 2.5.8 is 25
---@return table[]
function beans.of(bean, release)
  local out = {}
  for _, group in ipairs(beans[bean]) do
    if release >= (group.since or 0) and release <= (group.till or 99) then
      for _, entry in ipairs(group.names) do expand(out, entry) end
    end
  end
  return out
end

return beans

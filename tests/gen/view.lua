--- The values of a server's attributes at one instant, by their names in /jmx.
local view = {}

local function floor(x) return (x or 0) // 1 end

local function histograms(v, server)
  for name, w in pairs(server.window) do
    v[name .. "_num_ops"] = floor(server.c[name])
    v[name .. "_max"] = floor(w.max)
    v[name .. "_mean"] = w.n > 0 and floor(w.sum / w.n) or 0
    v[name .. "_99th_percentile"] = floor(w.p99)
  end
end

local function percent(part, all) return all > 0 and 100.0 * part / all or 0 end

local function cache(v, server)
  local c, used = server.c, floor(server:cache_used())
  v.blockCacheSize, v.blockCacheFreeSize = used, floor(server.cache.capacity) - used
  v.blockCacheCount = server:cache_blocks()
  local hits, misses = floor(c.blockCacheHitCount), floor(c.blockCacheMissCount)
  v.blockCacheCountHitPercent = percent(hits, hits + misses)
  hits, misses = floor(c.blockCacheHitCachingCount), floor(c.blockCacheMissCachingCount)
  v.blockCacheExpressHitPercent = percent(hits, hits + misses)
  v.blockCacheFailedInsertionCount = 0
end

-- Gauges of the store files, for the server and for each table.
local function stores(v, server)
  local by_table, names = {}, {}
  v.storeFileCount, v.maxStoreFileCount, v.storeFileSize, v.memStoreSize = 0, 0, 0, 0
  for _, r in ipairs(server.regions) do
    local t = by_table[r.table]
    if not t then
      t = { table = r.table, storeFileSize = 0, regionCount = 0, storeFileCount = 0,
            maxStoreFileCount = 0 }
      by_table[r.table], names[#names + 1] = t, r.table
    end
    t.regionCount, t.storeFileCount = t.regionCount + 1, t.storeFileCount + #r.files
    t.maxStoreFileCount = math.max(t.maxStoreFileCount, #r.files)
    for _, size in ipairs(r.files) do t.storeFileSize = floor(t.storeFileSize + size) end
    v.memStoreSize = v.memStoreSize + r.mem + (r.snapshot or 0)
  end
  table.sort(names)
  v.tables = {}
  for i, name in ipairs(names) do
    local t = by_table[name]
    v.tables[i] = t
    v.storeFileCount, v.storeFileSize = v.storeFileCount + t.storeFileCount,
                                        v.storeFileSize + t.storeFileSize
    v.maxStoreFileCount = math.max(v.maxStoreFileCount, t.maxStoreFileCount)
  end
  v.memStoreHeapSize = floor(v.memStoreSize * server.store.overhead)
  v.memStoreSize = floor(v.memStoreSize)
  v.regionCount, v.storeCount = #server.regions, #server.regions
  v.averageRegionSize = floor((v.storeFileSize + v.memStoreSize) / math.max(1, #server.regions))
end

-- A story may say how requests fall on the tables; shares are of the server's counters.
local function table_requests(v, server)
  for _, t in ipairs(v.tables) do
    local share = server.shares and server.shares[t.table] or {}
    t.readRequestCount = floor(server.c.readRequestCount * (share.read or 0))
    t.writeRequestCount = floor(server.c.writeRequestCount * (share.write or 0))
    t.filteredReadRequestCount = floor(server.c.filteredReadRequestCount * (share.filtered or 0))
  end
end

local function queues(v, server, load)
  local q, busy = load.waiting or {}, load.busy or {}
  local split = server.queues.read_queues ~= nil
  v.numCallsInWriteQueue = split and floor(q.write) or 0
  v.numCallsInReadQueue = split and floor(q.read) or 0
  v.numCallsInScanQueue = 0
  v.numCallsInGeneralQueue = floor(q.write) + floor(q.read)
  v.numCallsInPriorityQueue, v.numCallsInReplicationQueue = floor(q.priority), 0
  v.numActiveWriteHandler = split and floor(busy.write) or 0
  v.numActiveReadHandler = split and floor(busy.read) or 0
  v.numActiveScanHandler = 0
  v.numActiveGeneralHandler = floor(busy.write) + floor(busy.read)
  v.numActivePriorityHandler = floor(busy.priority)
  v.numActiveHandler = v.numActiveGeneralHandler + v.numActivePriorityHandler
  v.queueSize = floor((v.numCallsInGeneralQueue + v.numActiveHandler) * (load.call_bytes or 700))
  v.numOpenConnections = floor(load.connections or 40)
end

local function counters(v, server)
  for name, value in pairs(server.c) do v[name] = v[name] or floor(value) end
  v.totalRowActionRequestCount = v.readRequestCount + v.writeRequestCount
  for _, name in ipairs { "majorCompactedInputBytes", "majorCompactedOutputBytes", "rollRequest",
      "updatesBlockedTime", "blockedRequestCount", "compactedInputBytes", "compactedOutputBytes",
      "flushedOutputBytes", "flushedMemstoreBytes", "pauseWarnThresholdExceeded",
      "pauseInfoThresholdExceeded", "slowAppendCount", "slowSyncRollRequest",
      "exceptions.RegionTooBusyException", "exceptions.NotServingRegionException" } do
    v[name] = v[name] or 0
  end
end

local function jvm(v, server, load)
  v.heap = server.heap
  v.heap_used = floor(server.heap * (load.heap or 0.6))
  v.MemHeapUsedM = floor(v.heap_used / 104.8576) / 10000
  v.MemHeapMaxM = server.heap / 1048576
end

--- now, heap, heap_used and tables are no attributes but what jmx.lua needs beside them.
---@param server gen.server
---@return table
function view.of(server)
  local load, v = server.last, { now = server.now }
  histograms(v, server)
  counters(v, server)
  cache(v, server)
  stores(v, server)
  table_requests(v, server)
  queues(v, server, load)
  jvm(v, server, load)
  v.regionServerStartTime = server:startcode()
  v.percentFilesLocal = load.local_percent or 99.4
  v.compactionQueueLength = #server.store.compactions + (server.extra_compactions or 0)
  v.smallCompactionQueueLength, v.largeCompactionQueueLength = v.compactionQueueLength, 0
  v.flushQueueLength = server.store:flush_queue()
  v.hlogFileCount = floor(load.wals or 12)
  v.hlogFileSize = (v.hlogFileCount - 1) * 134225000
  v.activeScanners = floor(load.scanners or 3)
  local read = (load.get or 0) + (load.mget or 0) + (load.rows or 0)
  v.readRequestRatePerSecond, v.writeRequestRatePerSecond =
    floor(read * 5) / 5.0, floor((load.wrows or 0) * 5) / 5.0
  v.readRequestRate, v.writeRequestRate = v.readRequestRatePerSecond, v.writeRequestRatePerSecond
  return v
end

return view

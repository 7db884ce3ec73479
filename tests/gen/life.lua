--- Log lines of a 2.x RegionServer about itself: start and stop, regions that come and go, WALs,
-- and the cache's report every five minutes.
local java = require "gen.java"

local life = {}

local RS = "regionserver.HRegionServer"

local function main_thread(server)
  return string.format("regionserver/%s:%d", server.host, server.port)
end

local function wal_path(server, stamp)
  return string.format("/hbase/WALs/%s/%s.%d", server:name(),
                       server:name():gsub(",", "%%2C"), stamp)
end

-- default.FPBQ, or default.FPRWQ where reads have queues of their own (rounded as 2.4+ does)
local function queue_lines(server, t)
  local log, q = server.log, server.queues
  local kind = q.read_queues and "FPRWQ" or "FPBQ"
  local per_queue = server.release >= 25 and 10 * (q.handlers // q.count) or 10 * q.handlers
  log:line(t, "INFO", "main", "ipc.RpcExecutor", string.format(
    "Instantiated default.%s.Fifo with queueClass=class java.util.concurrent.LinkedBlockingQueue; "
    .. "numCallQueues=%d, maxQueueLength=%d, handlerCount=%d", kind, q.count, per_queue,
    q.handlers))
  if q.read_queues then
    log:line(t + 1, "INFO", "main", "ipc.RWQueueRpcExecutor", string.format(
      "default.FPRWQ.Fifo writeQueues=%d writeHandlers=%d readQueues=%d readHandlers=%d "
      .. "scanQueues=0 scanHandlers=0", q.count - q.read_queues, q.handlers - q.read_handlers,
      q.read_queues, q.read_handlers))
  end
  log:line(t + 2, "INFO", "main", "ipc.RpcExecutor",
    "Instantiated priority.RWQ.Fifo with queueClass=class java.util.concurrent.LinkedBlockingQueue;"
    .. " numCallQueues=2, maxQueueLength=" .. (server.release >= 25 and 100 or 200)
    .. ", handlerCount=20")
end

local function memory_lines(server, t)
  local log, thread, s = server.log, main_thread(server), server.store
  local cache = server.cache.capacity // 1
  log:line(t + 90, "INFO", "main", "hfile.BlockCacheFactory", string.format(
    "Allocating BlockCache size=%s, blockSize=64 KB", java.bytes(cache)))
  log:line(t + 960, "INFO", thread, RS, "ClusterId : " .. server.cluster_id)
  log:line(t + 1010, "INFO", thread, RS, string.format(
    "reportForDuty to master=%s with isa=%s/%s:%d, startcode=%d", server.master, server.host,
    server.ip, server.port, server:startcode()))
  log:line(t + 1220, "INFO", thread, "regionserver.MemStoreFlusher", string.format(
    "globalMemStoreLimit=%s, globalMemStoreLimitLowMark=%s, Offheap=false",
    java.size(s.upper // 1), java.size(s.lower // 1)))
  log:line(t + 1231, "INFO", thread, "throttle.PressureAwareCompactionThroughputController",
    string.format("Compaction throughput configurations, higher bound: %.2f MB/second, lower bound "
    .. "%.2f MB/second, off peak: unlimited, tuning period: 60000 ms", s.high_bound / 1048576,
    s.low_bound / 1048576))
end

local function wal_lines(server, t)
  local log, thread = server.log, main_thread(server)
  server.wal = { stamp = t + 3100, entries = 0, bytes = 0 }
  log:line(t + 3080, "INFO", thread, "wal.AbstractFSWAL", string.format(
    "WAL configuration: blocksize=256 MB, rollsize=128 MB, prefix=%s, suffix=, logDir=%s/WALs/%s, "
    .. "archiveDir=%s/oldWALs, maxLogs=%d", server:name():gsub(",", "%%2C"), server.root,
    server:name(), server.root, math.max(32, server.store.upper * 2 // 134217728)))
  log:line(t + 3100, "INFO", thread, "wal.AbstractFSWAL", "New WAL "
    .. wal_path(server, server.wal.stamp))
end

--- The process starts: t is the instant of its start code.
function life.start(server, t)
  local log = server.log
  local base = t - 640
  log:line(base, "INFO", "main", RS, "STARTING executorService HRegionServer")
  log:line(base + 4, "INFO", "main", "util.VersionInfo", "HBase " .. server.version)
  log:line(base + 4, "INFO", "main", "util.VersionInfo",
    "From source with checksum " .. server.rng:hex(64))
  log:line(base + 210, "INFO", "main", "util.ServerCommandLine", string.format(
    "vmName=OpenJDK 64-Bit Server VM, vmVendor=Eclipse Adoptium, vmVersion=%s", server.vm))
  log:line(base + 211, "INFO", "main", "util.ServerCommandLine", string.format(
    "vmInputArguments=[-Dproc_regionserver, -XX:OnOutOfMemoryError=kill -9 %%p, -Xms%dg, -Xmx%dg, "
    .. "-XX:+UseG1GC, -XX:MaxGCPauseMillis=100, -Dhbase.log.dir=/var/log/hbase]",
    server.heap // 1073741824, server.heap // 1073741824))
  queue_lines(server, t)
  memory_lines(server, t)
  log:line(t + 1600, "INFO", main_thread(server), RS, string.format(
    "Serving as %s, RpcServer on %s/%s:%d, sessionid=0x%s", server:name(), server.host, server.ip,
    server.port, server.rng:hex(15)))
  wal_lines(server, t)
end

--- The process is told to stop.
function life.stop(server, t)
  local log, thread = server.log, main_thread(server)
  local hook = "Shutdownhook:" .. thread
  log:line(t, "INFO", hook, RS, string.format("***** STOPPING region server '%s' *****",
                                              server:name()))
  log:line(t, "INFO", hook, RS, "STOPPED: Shutdown hook")
  log:line(t + 310, "INFO", thread, RS, "stopping server " .. server:name())
  for i, r in ipairs(server.store.regions) do
    log:line(t + 400 + i * 14, "INFO", string.format("RS_CLOSE_REGION-regionserver/%s:%d-%d",
      server.host, server.port, i % 3), "regionserver.HRegion", "Closed " .. r.name)
  end
  log:line(t + 4100, "INFO", thread, RS, string.format(
    "Exiting; stopping=%s; zookeeper connection closed.", server:name()))
end

local function policy(server)
  local jitter = (server.rng:int(2000, 124000) + server.rng:unit()) / 1e6
  if server.rng:chance(0.5) then jitter = -jitter end
  return string.format("SteppingSplitPolicysuper{IncreasingToUpperBoundRegionSplitPolicy{"
    .. "initialSize=268435456, ConstantSizeRegionSplitPolicy{desiredMaxFileSize=%d, jitterRate=%s}}"
    .. "}, FlushLargeStoresPolicy{flushSizeLowerBound=-1}",
    10737418240 * (1 + jitter) // 1, java.double(jitter))
end

--- A region is opened here.
function life.opened(server, t, r)
  local log, thread = server.log, string.format("RS_OPEN_REGION-regionserver/%s:%d-%d",
    server.host, server.port, server.rng:int(0, 2))
  r.seq = (r.seq or server.rng:int(200000, 900000)) + 3
  log:line(t, "INFO", thread, "handler.AssignRegionHandler", "Open " .. r.name)
  log:line(t + 24, "INFO", thread, "regionserver.HRegion", string.format(
    "Opened %s; next sequenceid=%d; %s", r.encoded, r.seq, policy(server)))
  log:line(t + 27, "INFO", thread, RS, string.format(
    "Post open deploy tasks for %s, pid=%d, masterSystemTime=%d", r.name,
    server.rng:int(2000, 9000), t - 12))
  log:line(t + 41, "INFO", thread, "handler.AssignRegionHandler", "Opened " .. r.name)
end

--- A region leaves for another server.
function life.closed(server, t, r, to)
  local log, thread = server.log, string.format("RS_CLOSE_REGION-regionserver/%s:%d-0",
    server.host, server.port)
  log:line(t, "INFO", thread, "handler.UnassignRegionHandler", "Close " .. r.encoded)
  log:line(t + 3, "INFO", thread, "regionserver.HRegion", "Closing region " .. r.name)
  log:line(t + 88, "INFO", thread, "regionserver.HRegion", "Closed " .. r.name)
  log:line(t + 88, "INFO", thread, RS, string.format(
    "Adding %s move to %s record at close sequenceid=%d", r.encoded, to:name(), r.seq or 2))
  log:line(t + 91, "INFO", thread, "handler.UnassignRegionHandler", "Closed " .. r.name)
end

--- Bytes went into the WAL; it is rolled at 128 MB.
function life.wal(server, t, bytes, entries)
  local w = server.wal
  w.bytes, w.entries = w.bytes + bytes, w.entries + entries
  if w.bytes < 134217728 then return end
  local old = w.stamp
  server.c.rollRequest = (server.c.rollRequest or 0) + 1
  server.wal = { stamp = t, entries = 0, bytes = 0 }
  if not server.wals_logged then return end
  server.log:line(t, "INFO", main_thread(server) .. ".logRoller", "wal.AbstractFSWAL",
    string.format("Rolled WAL %s with entries=%d, filesize=%s; new WAL %s", wal_path(server, old),
    w.entries // 1, java.bytes(w.bytes // 1), wal_path(server, t)))
end

local function percent(part, all)
  return all > 0 and string.format("%.2f%%", 100 * part / all) or "0"
end

--- The cache's totals since the process started.
function life.cache(server, t)
  local c, cache = server.c, server.cache
  local cap, used = cache.capacity // 1, server:cache_used() // 1
  local hits, all = c.blockCacheHitCount // 1, (c.blockCacheHitCount + c.blockCacheMissCount) // 1
  local caching = c.blockCacheHitCachingCount // 1
  local runs = math.max(1, c.blockCacheEvictionCount // 9000)
  local evicted = c.blockCacheEvictionCount // 1
  local new_form = server.version ~= "2.4.17"
  local head = new_form and string.format("totalSize=%s, usedSize=%s", java.bytes(cap),
                                          java.bytes(used))
    or "totalSize=" .. java.bytes(used)
  local caching_all = (caching + c.blockCacheMissCachingCount) // 1
  server.log:line(t, "INFO", "LruBlockCacheStatsExecutor", "hfile.LruBlockCache", string.format(
    "%s, freeSize=%s, max=%s, blockCount=%d, accesses=%d, hits=%d, hitRatio=%s, , "
    .. "cachingAccesses=%d, cachingHits=%d, cachingHitsRatio=%s, evictions=%d, evicted=%d, "
    .. "evictedPerRun=%s", head, java.bytes(cap - used), java.bytes(cap), server:cache_blocks(),
    all, hits, percent(hits, all), caching_all, caching, percent(caching, caching_all),
    evicted > 0 and runs or 0, evicted, java.double(evicted > 0 and evicted / runs or 0)))
end

return life

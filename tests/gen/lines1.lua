--- Log lines of a 1.4 RegionServer: its write path (in place of lines.lua) and its life (in place
-- of life.lua), in the wording of 1.4.13 and 1.4.14.
local java = require "gen.java"

local write, life = {}, {}

local REGION, STORE, RS = "regionserver.HRegion", "regionserver.HStore",
                          "regionserver.HRegionServer"

local function flusher(server) return "MemStoreFlusher." .. server.rng:int(0, 1) end

local function main_thread(server)
  return string.format("regionserver/%s/%s:%d", server.host, server.ip, server.port)
end

-- compaction threads carry the instant of their first use
local function compactor(server)
  return string.format("%s-shortCompactions-%d", main_thread(server), server.boot + 400000)
end

local function hdfs(server, r, rest)
  return string.format("%s/data/%s/%s/%s", server.root, r.path, r.encoded, rest)
end

-- MessageFormat groups digits
local function grouped(n)
  return n < 1000 and tostring(n) or string.format("%d,%03d", n // 1000, n % 1000)
end

function write.old_edit(server, t, d)
  server.log:line(t, "INFO", server:name() .. "_ChoreService_1", RS, string.format(
    "%s-MemstoreFlusherChore requesting flush of %s because %s has an old edit so flush to free "
    .. "WALs after random delay %s ms", server:name(), d.region.name, d.region.family,
    grouped(d.delay)))
end

function write.flush_start(server, t, d)
  d.region.thread = flusher(server)
  server.log:line(t + 1, "INFO", d.region.thread, REGION, string.format(
    "Flushing 1/1 column families, memstore=%s", java.bytes(d.data)))
end

function write.flushed(server, t, d)
  local r, s = d.region, server.store
  r.seq = (r.seq or server.rng:int(200000, 900000)) + d.data // s.cell // 40
  local file = server.rng:hex(32)
  server.log:line(t - 24, "INFO", r.thread, "regionserver.DefaultStoreFlusher", string.format(
    "Flushed, sequenceid=%d, memsize=%s, hasBloomFilter=true, into tmp file %s", r.seq,
    java.size(d.data), hdfs(server, r, ".tmp/" .. r.family .. "/" .. file)))
  server.log:line(t - 6, "INFO", r.thread, STORE, string.format(
    "Added %s, entries=%d, sequenceid=%d, filesize=%s", hdfs(server, r, r.family .. "/" .. file),
    d.data // s.cell, r.seq, java.size(d.size)))
  server.log:line(t, "INFO", r.thread, REGION, string.format(
    "Finished memstore flush of ~%s/%d, currentsize=%s/%d for region %s in %dms, sequenceid=%d, "
    .. "compaction requested=%s", java.bytes(d.data), d.data, java.bytes(d.left // 1),
    d.left // 1, r.name, d.ms, r.seq, tostring(#r.files >= s.compaction_min)))
end

function write.delayed(server, t, d)
  server.log:line(t, "WARN", flusher(server), "regionserver.MemStoreFlusher", string.format(
    "Region %s has too many store files; delaying flush up to %dms", d.region.name, d.wait))
end

function write.compaction_start(server, t, d)
  local r = d.region
  server.log:line(t, "INFO", compactor(server), REGION, string.format(
    "Starting compaction on %s in region %s", r.family, r.name))
  server.log:line(t, "INFO", compactor(server), STORE, string.format(
    "Starting compaction of %d file(s) in %s of %s into tmpdir=%s, totalSize=%s", d.n, r.family,
    r.name, hdfs(server, r, ".tmp"), java.size(d.input // 1)))
end

function write.compacted(server, t, d)
  local r, took, sizes = d.region, math.max(d.stop - d.start, 1), {}
  for i, size in ipairs(d.sizes) do sizes[i] = java.size(size // 1) end
  server.log:line(t, "INFO", compactor(server), STORE, string.format(
    "Completed%s compaction of %d%s file(s) in %s of %s into %s(size=%s), total size for store is "
    .. "%s. This selection was in queue for %s, and took %s to execute.",
    d.major and " major" or "", d.n, d.all and " (all)" or "", r.family, r.name,
    server.rng:hex(32), java.size(d.output), java.size(d.total // 1),
    java.duration(math.max(d.waited, 0)), java.duration(took)))
  server.log:line(t, "INFO", compactor(server), "regionserver.CompactSplitThread", string.format(
    "Completed compaction: Request = regionName=%s, storeName=%s, fileCount=%d, fileSize=%s (%s), "
    .. "priority=%d, time=%d; duration=%s", r.name, r.family, d.n, java.size(d.input // 1),
    table.concat(sizes, ", "), r.priority or 1, (d.start - server.boot) * 1000000 + 413902017,
    java.duration(took)))
end

function life.start(server, t)
  local log = server.log
  log:line(t - 636, "INFO", "main", "util.VersionInfo", "HBase " .. server.version)
  log:line(t - 430, "INFO", "main", "ipc.RpcExecutor", string.format(
    "RpcExecutor  name  using fifo as call queue; numCallQueues=%d; maxQueueLength=%d; "
    .. "handlerCount=%d", server.queues.count, 10 * server.queues.handlers,
    server.queues.handlers))
  log:line(t + 80, "INFO", main_thread(server), "hfile.CacheConfig", string.format(
    "Allocating LruBlockCache size=%s, blockSize=64 KB", java.bytes(server.cache.capacity // 1)))
  log:line(t + 1180, "INFO", main_thread(server), "regionserver.MemStoreFlusher", string.format(
    "globalMemStoreLimit=%s, globalMemStoreLimitLowMark=%s, maxHeap=%s",
    java.size(server.store.upper // 1), java.size(server.store.lower // 1),
    java.size(server.heap)))
  log:line(t + 1600, "INFO", main_thread(server), RS, string.format(
    "Serving as %s, RpcServer on %s/%s:%d, sessionid=0x%s", server:name(), server.host, server.ip,
    server.port, server.rng:hex(15)))
end

--- Bytes went into the WAL; it is rolled at 121.6 MB.
function life.wal(server, t, bytes, entries)
  local w = server.wal
  w.bytes, w.entries = w.bytes + bytes, w.entries + entries
  if w.bytes < 127506841 then return end
  server.c.rollRequest = (server.c.rollRequest or 0) + 1
  server.wal = { stamp = t, entries = 0, bytes = 0 }
  if not server.wals_logged then return end
  local path = string.format("/hbase/WALs/%s/%s.", server:name(),
                             (server:name():gsub(",", "%%2C")))
  server.log:line(t, "INFO", main_thread(server) .. ".logRoller", "wal.FSHLog", string.format(
    "Rolled WAL %s%d with entries=%d, filesize=%s; new WAL %s%d", path, w.stamp, w.entries // 1,
    java.bytes(w.bytes // 1), path, t))
end

--- The cache's totals since the process started.
function life.cache(server, t)
  local c, cap, used = server.c, server.cache.capacity // 1, server:cache_used() // 1
  local hits, all = c.blockCacheHitCount // 1, (c.blockCacheHitCount + c.blockCacheMissCount) // 1
  local caching = c.blockCacheHitCachingCount // 1
  local caching_all = (caching + c.blockCacheMissCachingCount) // 1
  local evicted = c.blockCacheEvictionCount // 1
  local runs = math.max(1, evicted // 700)
  server.log:line(t, "INFO", "LruBlockCacheStatsExecutor", "hfile.LruBlockCache", string.format(
    "totalSize=%s, freeSize=%s, max=%s, blockCount=%d, accesses=%d, hits=%d, hitRatio=%.2f%%, , "
    .. "cachingAccesses=%d, cachingHits=%d, cachingHitsRatio=%.2f%%, evictions=%d, evicted=%d, "
    .. "evictedPerRun=%s", java.bytes(used), java.bytes(cap - used), java.bytes(cap),
    server:cache_blocks(), all, hits, 100 * hits / all, caching_all, caching,
    100 * caching / caching_all, runs, evicted, java.double(evicted / runs)))
end

return { write = write, life = life }

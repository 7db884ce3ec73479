--- Log lines of a 2.x RegionServer about its write path, in the wording of 2.4.17, 2.5.8 and 2.6.1.
-- Each function is named after what store.lua tells; it gets the server, the instant and the data.
local java = require "gen.java"

local lines = {}

local FLUSHER, REGION, STORE = "regionserver.MemStoreFlusher", "regionserver.HRegion",
                               "regionserver.HStore"

local function flusher(server) return "MemStoreFlusher." .. server.rng:int(0, 1) end

local function compactor(server)
  return string.format("regionserver/%s:%d-shortCompactions-0", server.host, server.port)
end

local function hdfs(server, r, rest)
  return string.format("%s/data/%s/%s/%s", server.root, r.path, r.encoded, rest)
end

function lines.old_edit(server, t, d)
  server.log:line(t, "INFO", string.format("regionserver/%s:%d.Chore.1", server.host, server.port),
    "regionserver.HRegionServer", string.format(
    "MemstoreFlusherChore requesting flush of %s because %s/%s has an old edit so flush to free "
    .. "WALs after random delay %d ms", d.region.name, d.region.encoded, d.region.family, d.delay))
end

function lines.pressure(server, t, d)
  d.region.thread = flusher(server)
  server.log:line(t, "INFO", d.region.thread, FLUSHER, string.format(
    "Flush of region %s due to global heap pressure. Flush type=ABOVE_ONHEAP_%s_MARK, Total "
    .. "Memstore Heap size=%s, Total Memstore Off-Heap size=0, Region memstore size=%s",
    d.region.name, d.high and "HIGHER" or "LOWER", java.size(d.total),
    java.size(d.region.mem * server.store.overhead // 1)))
end

function lines.flush_start(server, t, d)
  local r = d.region
  r.thread = r.thread or flusher(server)
  server.log:line(t + 1, "INFO", r.thread, REGION, string.format(
    "Flushing %s 1/1 column families, dataSize=%s heapSize=%s", r.encoded, java.bytes(d.data),
    java.bytes(d.data * server.store.overhead // 1)))
end

--- The number of the last edit in a file: HBase counts edits per region.
local function sequence(server, r, data)
  r.seq = (r.seq or server.rng:int(200000, 900000)) + data // server.store.cell // 40
  return r.seq
end

function lines.flushed(server, t, d)
  local r, s = d.region, server.store
  local seq, file, heap = sequence(server, r, d.data), server.rng:hex(32), d.data * s.overhead // 1
  if server.files_logged then
    server.log:line(t - server.rng:int(12, 30), "INFO", r.thread,
      "regionserver.DefaultStoreFlusher", string.format(
      "Flushed memstore data size=%s at sequenceid=%d (bloomFilter=true), to=%s",
      java.bytes(d.data), seq, hdfs(server, r, ".tmp/" .. r.family .. "/" .. file)))
    server.log:line(t - server.rng:int(2, 9), "INFO", r.thread, STORE, string.format(
      "Added %s, entries=%d, sequenceid=%d, filesize=%s", hdfs(server, r, r.family .. "/" .. file),
      d.data // s.cell, seq, java.size(d.size)))
  end
  server.log:line(t, "INFO", r.thread, REGION, string.format(
    "Finished flush of dataSize ~%s/%d, heapSize ~%s/%d, currentSize=%s/%d for %s in %dms, "
    .. "sequenceid=%d, compaction requested=%s", java.bytes(d.data), d.data, java.bytes(heap), heap,
    java.bytes(d.left // 1), d.left // 1, r.encoded, d.ms, seq,
    tostring(#r.files >= s.compaction_min and not r.queued and not r.compacting)))
  r.thread = nil
end

function lines.delayed(server, t, d)
  server.log:line(t, "WARN", flusher(server), FLUSHER, string.format(
    "%s has too many store files(%d); delaying flush up to %d ms", d.region.encoded, d.files,
    d.wait))
end

function lines.waited(server, t, d)
  server.log:line(t, "INFO", flusher(server), FLUSHER, string.format(
    "Waited %dms on a compaction to clean up 'too many store files'; waited long enough... "
    .. "proceeding with flush of %s", d.ms, d.region.name))
end

function lines.compaction_start(server, t, d)
  local r = d.region
  server.log:line(t, "INFO", compactor(server), REGION, string.format(
    "Starting compaction of %s/%s in %s", r.encoded, r.family, r.name))
  if not server.files_logged then return end
  local list = {}
  for i = 1, d.n do list[i] = hdfs(server, r, r.family .. "/" .. server.rng:hex(32)) end
  server.log:line(t, "INFO", compactor(server), STORE, string.format(
    "Starting compaction of [%s] into tmpdir=%s, totalSize=%s", table.concat(list, ", "),
    hdfs(server, r, ".tmp"), java.size(d.input // 1)))
end

function lines.compacted(server, t, d)
  local r, id = d.region, server.rng:int(1000, 9999)
  local took = math.max(d.stop - d.start, 1)
  local limit = server.store:throughput()
  server.log:line(t - 3, "INFO", compactor(server), "throttle.PressureAwareThroughputController",
    string.format("%s#%s#compaction#%d average throughput is %.2f MB/second, slept %d time(s) and "
    .. "total slept time is %d ms. 0 active operations remaining, total limit is %s",
    r.encoded, r.family, id, d.input / 1048576 / (took / 1000), took // 900, took * 4 // 10,
    limit == math.huge and "unlimited" or string.format("%.2f MB/second", limit / 1048576)))
  server.log:line(t, "INFO", compactor(server), STORE, string.format(
    "Completed%s compaction of %d%s file(s) in %s/%s of %s into %s(size=%s), total size for store "
    .. "is %s. This selection was in queue for %s, and took %s to execute.",
    d.major and " major" or "", d.n, d.all and " (all)" or "", r.encoded, r.family, r.encoded,
    server.rng:hex(32), java.size(d.output), java.size(d.total // 1),
    java.duration(math.max(d.waited, 0)), java.duration(took)))
  server.log:line(t, "INFO", compactor(server), "regionserver.CompactSplit", string.format(
    "Completed compaction region=%s, storeName=%s/%s, priority=%d, startTime=%d; duration=%s",
    r.name, r.encoded, r.family, r.priority or 1,
    d.start - math.max(d.waited, 0), java.duration(took)))
end

local BUSY_TRACE = table.concat({
  "HRegion.checkResources(HRegion.java:5012)", "HRegion.batchMutate(HRegion.java:4490)",
  "HRegion.batchMutate(HRegion.java:4421)", "RSRpcServices.doBatchOp(RSRpcServices.java:1058)",
  "RSRpcServices.doNonAtomicBatchOp(RSRpcServices.java:975)",
  "RSRpcServices.doNonAtomicRegionMutation(RSRpcServices.java:940)",
  "RSRpcServices.multi(RSRpcServices.java:2914)",
}, "\n\tat org.apache.hadoop.hbase.regionserver.")

--- A put is turned away: its region is over its own limit.
function lines.too_busy(server, t, d)
  local r, s = d.region, server.store
  local limit = (r.flush_size or s.flush_size) * s.block_multiplier
  server.log:line(t + server.rng:int(1, 900), "WARN", server:handler("write"), REGION,
    "Region is too busy due to exceeding memstore size limit.",
    string.format("org.apache.hadoop.hbase.RegionTooBusyException: Over memstore limit=%s, "
    .. "regionName=%s, server=%s\n\tat org.apache.hadoop.hbase.regionserver.%s",
    java.human(limit), r.encoded, server:name(), BUSY_TRACE))
end

--- Puts wait: the memstores of the whole server are over their limit. Two handlers' lines.
function lines.unblocked(server, t, d)
  for _ = 1, 2 do
    local thread, start = server:handler("write"), d.since + server.rng:int(3, 400)
    local upper = server.store.upper // 1
    server.log:line(start, "INFO", thread, FLUSHER, string.format(
      "Blocking updates: global memstore heapsize %s is >= blocking %s",
      java.size(upper + server.rng:int(100000, 9000000)), java.size(upper)))
    local waited = 0
    while start + waited < t - 1000 and waited < 60000 do
      waited = waited + 1000 + server.rng:int(0, 3)
      server.log:line(start + waited, "WARN", thread, FLUSHER, string.format(
        "Memstore is above high water mark and block %d ms", waited))
    end
    server.log:line(t + server.rng:int(0, 30), "INFO", thread, FLUSHER,
      "Unblocking updates for server " .. server:name())
  end
end

return lines

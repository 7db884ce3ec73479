--- The kinds of events, as the core reads them from logs, with what a diagnosis draws from each.
local core = require "hbdx.core.events"

local eventdoc = {}

---@class hbdx.EventKind
---@field name string
---@field meaning string
---@field fields string[] unit in the name: "took_ms"
---@field tells string? what follows from it
---@field see string[] metrics and settings

-- name = { what it tells, see... }
local TELLS = {
  flush_requested = { "many with a cause other than size, and small ones: something else than full "
    .. "memstores makes regions flush", "flush.count" },
  flush_finished = { "data_bytes far below the flush size says that flushes are forced",
    "flush.output_bytes", "hbase.hregion.memstore.flush.size" },
  flush_delayed = { "the first link of a stall: its memstore cannot drain, and at the blocking "
    .. "size the region refuses writes", "store.max_files", "hbase.hstore.blockingStoreFiles" },
  flush_pressure = { "more regions take writes than the heap has room for",
    "amp.heap", "hbase.regionserver.global.memstore.size.lower.limit" },
  updates_blocked = { "all writers of the server stand still", "write.blocked_ms",
    "hbase.regionserver.global.memstore.size" },
  region_too_busy = { "with reason memstore, the region's flush is late; with reason lock, a long "
    .. "row lock or a hot row holds it", "write.blocked_requests",
    "hbase.hregion.memstore.block.multiplier" },
  compaction_finished = { "took_ms and output_bytes give the real throughput; a long queue_ms says "
    .. "that compactions wait", "compaction.queue" },
  compaction_throttled = { "slept_ms near the compaction's time: the throughput bound holds it "
    .. "back", "hbase.hstore.compaction.throughput.higher.bound" },
  wal_too_many = { "small flushes all at once; maxlogs is too low for the memstore",
    "amp.wals", "hbase.regionserver.maxlogs" },
  wal_slow_sync = { "many with the same pipeline name a slow DataNode", "wal.sync_p99",
    "hbase.regionserver.wal.slowsync.ms" },
  pause = { "gc_ms is that of all collections together; whatever else was slow then was "
    .. "slow because of it", "pause.warn", "gc.time_ms" },
  gc_pause = { "a failure says that the heap had no room; user_ms far below pause_ms that the host "
    .. "did it (swap, a virtual machine, the kernel); stopped_ms far above it that threads were "
    .. "slow to stop", "gc.time_ms", "pause.warn" },
  slept = { "as pause, seen by a thread that wanted to sleep", "pause.info" },
  zk_expired = { "look for a pause before it, as long as the session",
    "zookeeper.session.timeout" },
  zk_silent = { "with a pause or a slept thread beside it the process was away, else ZooKeeper or "
    .. "the network was", "zk_expired", "pause" },
  zk_session_ended = { "whose session it was the server's own log says (zk_expired)",
    "zk_expired" },
  abort = { "look before the first abort: a pause, an expired session, HDFS that takes no file",
    "zk_expired", "pause", "hdfs_failed", "wal_failed" },
  flush_impossible = { "every region has too many store files: compactions are behind",
    "flush_delayed", "hbase.hstore.blockingStoreFiles" },
  compaction_requested = { "queues that grow say that compactions are behind", "compaction.queue" },
  wal_roll_requested = { "HDFS is slow or lacks DataNodes; each roll makes one more log to keep",
    "wal_slow_sync", "wal_too_many" },
  wal_slow_datanode = { "the slow DataNode by its name", "wal_slow_sync" },
  hdfs_slow = { "what disk write and disk sync tell is the DataNode's own disk; what it sends to "
    .. "the next one is the network or the next one's disk", "wal_slow_sync" },
  heap_occupancy = { "the memstore and block cache are made smaller to give room", "heap_limits" },
  jvm = { "the heap that the limits are parts of", "heap_limits" },
  cache_failed = { "blocks that never fit are read from HDFS again and again", "cache_stats" },
  scanner_missing = { "its lease ran out, or the region moved", "scanner_expired" },
  large_batch = { "a client that batches without a bound", "ipc.queue_time_mean" },
  call_queue_full = { "handlers are busy with other calls, often of one table or of one server",
    "ipc.queue_general", "hbase.regionserver.handler.count" },
  out_of_memory = { "restart the server: it may live on with dead threads", "jvm",
    "heap_limits" },
  region_moved = { "caches are cold and rates step at the new server", "region_opened" },
  task = { "a flush that runs for hours is stuck, not slow", "flush_finished" },
  region_opened = { "sums over regions step, caches are cold", "region.count" },
  region_closed = { "sums over regions fall: no rate over this instant", "region.count" },
  call_queues = { "the split that is in force", "amp.queues" },
  heap_limits = { "the limits that are in force", "amp.heap" },
  cache_stats = { "a second source for the hit ratio, where there is no JMX",
    "cache.hits_caching" },
  scanner_expired = { "a client that is slower than the lease, or dead", "scanners.expired",
    "hbase.client.scanner.timeout.period" },
  call_dropped = { "calls wait longer than their clients do", "ipc.queue_time_mean",
    "ipc.call_dropped" },
}

local function words(list)
  local out = {}
  for word in list:gmatch("[^,%s]+") do out[#out + 1] = word end
  return out
end

local by_name, names = {}, {}
for i, kind in ipairs(core.kinds()) do
  local more = TELLS[kind.name] or {}
  names[i] = kind.name
  by_name[kind.name] = { name = kind.name, meaning = kind.meaning, fields = words(kind.fields),
    tells = more[1], see = { table.unpack(more, 2) } }
end
for name in pairs(TELLS) do assert(by_name[name], name) end

-- Stands among the events of a timeline, but is none.
by_name.slow_call = { name = "slow_call", meaning = "A slow or large RPC, at the time at which it "
  .. "began: hbdx events shows them with --with-calls or --kind slow_call, hbdx slowlog sums up. "
  .. "Where --from, --to, --at or --window choose a time, hbdx slowlog counts each call that ran "
  .. "in it, also one that began before.",
  fields = words "method,client,user,proc_ms,queue_ms,response_bytes,scanner_id",
  tells = "proc_ms is the time in the handler; what waits behind it has its queue_ms grow",
  see = { "call", "responseTooSlow", "queue time", "shape" } }

--- The kinds that have a field, in the order of the core.
---@param field string
---@return string[]
function eventdoc.having(field)
  local list = {}
  for _, kind in ipairs { "slow_call", table.unpack(names) } do
    for _, name in ipairs(by_name[kind].fields) do
      if name == field then list[#list + 1] = kind end
    end
  end
  return list
end

---@param name string of a kind, or slow_call
---@return hbdx.EventKind?
function eventdoc.get(name)
  return by_name[name]
end

--- All kinds of events, in the order of the core.
---@return string[]
function eventdoc.names()
  return names
end

return eventdoc

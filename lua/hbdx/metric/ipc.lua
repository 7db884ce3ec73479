--- The RPC server: calls that wait, handlers that work, calls that are refused.
local OLD_RPC = "hadoop:name=RPCStatistics-*,service=HBase" -- * is the port of the server
local OLD_IPC = "IPC.IPC"                                   -- 0.96 to 1.0
local WINDOW = "covers what came in since anybody last took a snapshot; 0 means that nothing did"
local OK_ONLY = "calls that ended in an exception are not sampled"
local SPLIT = "0 unless a read ratio is set; then general is the sum: do not add them"

local metrics = { bean = "RegionServer.IPC" }

local function gauge(name, attribute, what, more)
  more.kind, more.unit = "gauge", more.unit or "count"
  more.what = what
  more.at = { { attribute, since = more.since } }
  for _, old in ipairs(more.old or {}) do more.at[#more.at + 1] = old end
  more.since, more.old = nil, nil
  metrics[name] = more
end

gauge("ipc.queue_general", "numCallsInGeneralQueue", "calls that wait for a handler", {
  old = { { "numCallsInGeneralQueue", bean = OLD_IPC, until_ = "1.0" },
    { "callQueueLen", bean = OLD_RPC, until_ = "0.94" } },
  moves = "handlers held by slow calls, or more calls than handlers",
  healthy = "0 most of the time; calls that wait in every sample say that no handler is free",
  traps = { "the sum of write, read and scan queues when they are split" },
  see = { "ipc.active_general_handlers", "ipc.queue_time_mean",
    "hbase.regionserver.handler.count" } })
gauge("ipc.queue_write", "numCallsInWriteQueue", "writes that wait for a handler", {
  since = "1.4", moves = "writers that are blocked or slow to sync", traps = { SPLIT },
  healthy = "grows alone when writes block", see = { "ipc.queue_general", "write.blocked_ms" } })
gauge("ipc.queue_read", "numCallsInReadQueue", "reads that wait for a handler", {
  since = "1.4", moves = "slow reads; scans too unless they have queues of their own",
  traps = { SPLIT }, see = { "ipc.queue_general", "ipc.queue_scan" } })
gauge("ipc.queue_scan", "numCallsInScanQueue", "scans that wait for a handler", {
  since = "1.4", moves = "scans, with hbase.ipc.server.callqueue.scan.ratio set", traps = { SPLIT,
    "the call that opens a scanner goes to the read queue" },
  see = { "ipc.queue_read", "hbase.ipc.server.callqueue.scan.ratio" } })
gauge("ipc.queue_priority", "numCallsInPriorityQueue", "priority calls that wait", {
  old = { { "numCallsInPriorityQueue", bean = OLD_IPC, until_ = "1.0" },
    { "priorityCallQueueLen", bean = OLD_RPC, until_ = "0.94" } },
  moves = "hbase:meta and admin calls", healthy = "0: meta that waits stops every client",
  see = { "hbase.regionserver.metahandler.count" } })
gauge("ipc.queue_replication", "numCallsInReplicationQueue", "replication calls that wait", {
  moves = "a peer that sends faster than this server applies",
  see = { "hbase.regionserver.replication.handler.count" } })
gauge("ipc.queue_bytes", "queueSize", "bytes of calls that wait or run", {
  unit = "bytes", old = { { "queueSize", bean = OLD_IPC, until_ = "1.0" } },
  moves = "large batches, calls that pile up",
  healthy = "far below hbase.ipc.server.max.callqueue.size; at it calls are refused",
  see = { "ipc.queue_too_big", "hbase.ipc.server.max.callqueue.size" } })
gauge("ipc.active_handlers", "numActiveHandler", "handlers at work, of all kinds", {
  since = "1.0", moves = "slow calls, blocked writers",
  healthy = "below the number of handlers; all of them in every sample is a full server",
  traps = { "priority and replication handlers are in it" },
  see = { "ipc.active_general_handlers", "hbase.regionserver.handler.count" } })
gauge("ipc.active_general_handlers", "numActiveGeneralHandler", "general handlers at work", {
  since = "1.7 2.2", moves = "slow calls, blocked writers",
  healthy = "below hbase.regionserver.handler.count",
  see = { "ipc.active_handlers", "ipc.queue_general" } })
gauge("ipc.active_priority_handlers", "numActivePriorityHandler", "priority handlers at work", {
  since = "1.7 2.2", moves = "hbase:meta and admin calls", see = { "ipc.queue_priority" } })
gauge("ipc.active_write_handlers", "numActiveWriteHandler", "write handlers at work", {
  since = "1.4", moves = "writes", traps = { SPLIT }, see = { "ipc.queue_write" } })
gauge("ipc.active_read_handlers", "numActiveReadHandler", "read handlers at work", {
  since = "1.4", moves = "reads", traps = { SPLIT }, see = { "ipc.queue_read" } })
gauge("ipc.active_scan_handlers", "numActiveScanHandler", "scan handlers at work", {
  since = "1.4", moves = "scans", traps = { SPLIT }, see = { "ipc.queue_scan" } })
gauge("ipc.connections", "numOpenConnections", "open client connections", {
  old = { { "numOpenConnections", bean = OLD_IPC, until_ = "1.0" },
    { "NumOpenConnections", bean = OLD_RPC, until_ = "0.94" } },
  moves = "clients; one connection each as a rule" })
gauge("ipc.netty_bytes", "nettyDirectMemoryUsage", "direct memory that Netty holds", {
  unit = "bytes", since = "2.2", moves = "large answers, slow clients", see = { "direct.used" } })

local HISTOGRAMS = {
  queue_time = { "QueueCallTime", "RpcQueueTime", "ms", "the wait for a handler",
    "handlers that are held; it is the victims' pain and in no log line of theirs" },
  process_time = { "ProcessCallTime", "RpcProcessingTime", "ms", "the work on a call",
    "slow reads, blocked writers, WAL syncs" },
  total_time = { "TotalCallTime", nil, "ms", "wait and work of a call",
    "as queue time and process time" },
  request_bytes = { "RequestSize", nil, "bytes", "the size of a call", "batches of writes",
    since = "1.2" },
  response_bytes = { "ResponseSize", nil, "bytes", "the size of an answer", "scans and multi Gets",
    since = "1.2" },
}
local FIGURES = {
  ops = { "_num_ops", "NumOps", "counter", "calls sampled for %s" },
  mean = { "_mean", "AvgTime", "percentile", "mean of %s" },
  p99 = { "_99th_percentile", nil, "percentile", "99th percentile of %s" },
  max = { "_max", "MaxTime", "percentile", "longest of %s" },
}

local function add_histogram(prefix, h)
  local base, old_base, unit, what, moves = table.unpack(h, 1, 5)
  for name, figure in pairs(FIGURES) do
    local suffix, old_suffix, kind, words = table.unpack(figure, 1, 4)
    local at = { { base .. suffix, since = h.since },
      { base .. suffix, bean = OLD_IPC, until_ = "1.0" } }
    if old_base and old_suffix then
      at[#at + 1] = { old_base .. old_suffix, bean = OLD_RPC, until_ = "0.94" }
    end
    metrics["ipc." .. prefix .. "_" .. name] = {
      kind = kind, unit = kind == "counter" and "count" or unit, what = words:format(what),
      at = at, moves = kind == "counter" and "calls that ended well" or moves,
      traps = kind == "counter" and { OK_ONLY } or { WINDOW, OK_ONLY },
      see = { "ipc." .. prefix .. (name == "ops" and "_mean" or "_ops") },
    }
  end
end

for prefix, h in pairs(HISTOGRAMS) do add_histogram(prefix, h) end

local function counter(name, attribute, since, what, moves, traps)
  metrics[name] = { kind = "counter", unit = "count", what = what,
    at = { { attribute, since = since } }, moves = moves, traps = traps, healthy = "0" }
end

counter("ipc.exceptions", "exceptions", "1.0", "calls that ended in an exception",
  "all the kinds below; a scanner that expired, a region that moved")
counter("ipc.region_too_busy", "exceptions.RegionTooBusyException", "1.0",
  "calls refused because a region's memstore was over its limit",
  "single writes to such a region",
  { "stays 0 when the writes come in multi calls, as they nearly always do: see "
    .. "write.blocked_requests" })
counter("ipc.not_serving_region", "exceptions.NotServingRegionException", "1.0",
  "calls for a region that is not here", "moves, splits, clients with an old map")
counter("ipc.region_moved", "exceptions.RegionMovedException", "1.0",
  "calls for a region that went elsewhere", "balancing, a restart")
counter("ipc.unknown_scanner", "exceptions.UnknownScannerException", "1.0",
  "next calls on a scanner that is gone", "clients slower than the lease")
counter("ipc.multi_too_large", "exceptions.multiResponseTooLarge", "1.2",
  "multi calls cut short because the answer was too large", "large batches of Gets")
counter("ipc.queue_too_big", "exceptions.callQueueTooBig", "1.3",
  "calls refused because their queue, or all queues by bytes, was full",
  "a server that has been full for long", nil)
counter("ipc.throttled", "exceptions.rpcThrottling", "2.4", "calls put off by a quota", "quotas")
counter("ipc.call_dropped", "exceptions.callDropped", "2.5",
  "calls dropped because their client had given up", "queue times above the client's timeout")
counter("ipc.call_timed_out", "exceptions.callTimedOut", "2.5",
  "calls that outlived their deadline while they ran", "slow calls, short client timeouts")
counter("ipc.codel_dropped", "numGeneralCallsDropped", "1.3", "calls that CoDel dropped",
  "the codel queue type under overload")

metrics["ipc.received_bytes"] = { kind = "counter", unit = "bytes", what = "bytes from clients",
  at = { { "receivedBytes" }, { "receivedBytes", bean = OLD_IPC, until_ = "1.0" },
    { "ReceivedBytes", bean = OLD_RPC, until_ = "0.94" } }, moves = "writes" }
metrics["ipc.sent_bytes"] = { kind = "counter", unit = "bytes", what = "bytes to clients",
  at = { { "sentBytes" }, { "sentBytes", bean = OLD_IPC, until_ = "1.0" },
    { "SentBytes", bean = OLD_RPC, until_ = "0.94" } }, moves = "scans and Gets" }

return metrics

--- One RegionServer of a story: who it is, what it counts, and its log. A story gives the load at
-- an instant; the counters are its integral, so that any two snapshots agree with what happened
-- between them. A restart begins again at zero, a region that leaves takes its counts along.
local jmx = require "gen.jmx"
local life = require "gen.life"
local lines = require "gen.lines"
local logbook = require "gen.logbook"
local store = require "gen.store"
local view = require "gen.view"

---@class gen.server
local Server = {}
Server.__index = Server

-- counter <- rates of the load (per second) that add to it
local FLOWS = {
  rpcGetRequestCount = { "get" }, rpcMultiRequestCount = { "multi" },
  rpcMutateRequestCount = { "put" }, rpcScanRequestCount = { "scan" },
  rpcFullScanRequestCount = { "fullscan" },
  totalRequestCount = { "get", "multi", "put", "scan", "other" },
  readRequestCount = { "get", "mget", "rows" }, filteredReadRequestCount = { "filtered" },
  writeRequestCount = { "wrows" },
  blockCacheHitCachingCount = { "hits" }, blockCacheHitCount = { "hits", "nhits" },
  blockCacheMissCachingCount = { "misses" }, blockCacheMissCount = { "misses", "nmisses" },
  blockCacheEvictionCount = { "evicted" },
  blockCacheDataHitCount = { "data_hits" }, blockCacheDataMissCount = { "misses", "nmisses" },
  receivedBytes = { "in_bytes" }, sentBytes = { "out_bytes" },
  appendCount = { "appends" }, writtenBytes = { "wal_bytes" },
  GcCount = { "gc" }, GcTimeMillis = { "gc_ms" }, blockBytesScannedCount = { "block_bytes" },
  slowGetCount = { "slow_get" }, slowPutCount = { "slow_put" },
  exceptions = { "queue_full" }, ["exceptions.callQueueTooBig"] = { "queue_full" },
}

-- histogram <- rates that add samples to it, and the load's `times` entry for their values
local SAMPLES = {
  Get = { { "get", "mget" }, "get" }, ScanTime = { { "scan" }, "scan" }, Put = { { "put" }, "put" },
  PutBatch = { { "batches" }, "batch" }, DeleteBatch = { { "deletes" }, "delete" },
  ScanSize = { { "scan" }, "scan_size" }, SyncTime = { { "syncs" }, "sync" },
  QueueCallTime = { { "get", "multi", "put", "scan", "other" }, "queue" },
  ProcessCallTime = { { "get", "multi", "put", "scan", "other" }, "process" },
  TotalCallTime = { { "get", "multi", "put", "scan", "other" }, "total" },
  ResponseSize = { { "get", "multi", "put", "scan", "other" }, "response" },
}

local HISTOGRAMS = { "Get", "ScanTime", "Put", "PutBatch", "DeleteBatch", "ScanSize", "SyncTime",
  "QueueCallTime", "ProcessCallTime", "TotalCallTime", "ResponseSize", "FlushTime",
  "FlushMemstoreSize", "FlushOutputSize", "CompactionTime", "CompactionInputFileCount" }

-- sorted, so that a float sum never depends on the order of a hash table
local function sorted_keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end
local FLOW_NAMES, SAMPLE_NAMES = sorted_keys(FLOWS), sorted_keys(SAMPLES)

local DEFAULTS = { port = 16020, version = "2.5.8", heap = 34359738368, offset = 0, sep = "T",
  vm = "17.0.11+9", cluster_id = "", quoted = false, step = 30000, lines = lines, life = life,
  files_logged = true, wals_logged = true, block = 65536, cache_share = 0.4 }

--- opts: folder ("rs-1"), host, ip, boot (ms, when its JVM started), now (ms, where the run
--- begins), rng, regions, load (function (t, server) -> rates per second), store (options of
--- store.lua), queues {handlers, count[, read_handlers, read_queues]}, master, root, slow_ms;
--- any of DEFAULTS.
---@param opts table
---@return gen.server
local function new(opts)
  local s = setmetatable({}, Server)
  for key, value in pairs(DEFAULTS) do s[key] = value end
  for key, value in pairs(opts) do s[key] = value end
  local major, minor = s.version:match("^(%d+)%.(%d+)")
  s.release = tonumber(major) * 10 + tonumber(minor)
  s.log = logbook.new(s.offset, s.sep)
  s.events, s.pace = {}, s.rng:fork("pace")
  s.wal = { stamp = (s.now or 0) - 100000, entries = 0, bytes = 0 }
  s.cache = { capacity = s.heap * s.cache_share, fill = s.heap * s.cache_share * 0.965 }
  local options = { now = s.now, heap = s.heap, regions = s.regions, rng = s.rng:fork("store"),
                    on = function(kind, t, d) s:tell(kind, t, d) end }
  for key, value in pairs(opts.store or {}) do options[key] = value end
  s.store = store.new(options)
  s:zero()
  return s
end

function Server:zero()
  self.c, self.window = {}, {}
  for _, name in ipairs(FLOW_NAMES) do self.c[name] = 0 end
  for _, name in ipairs(HISTOGRAMS) do
    self.c[name] = 0
    self.window[name] = { n = 0, sum = 0, max = 0, p99 = 0 }
  end
end

---@return integer -- ms: HBase takes it when the process has been up for some seconds
function Server:startcode() return self.boot + 2900 end

---@return string -- "host,port,startcode"
function Server:name() return string.format("%s,%d,%d", self.host, self.port, self:startcode()) end

--- A handler's thread name; what: "read" or "write", where they have queues of their own.
---@param what string
---@return string
function Server:handler(what)
  local q = self.queues
  local first, n, queue0, queues, kind = 0, q.handlers, 0, q.count, "FPBQ.Fifo"
  if q.read_queues then
    local writes = q.handlers - q.read_handlers
    kind = "FPRWQ.Fifo." .. what
    if what == "read" then
      first, n, queue0, queues = writes, q.read_handlers, q.count - q.read_queues, q.read_queues
    else
      n, queues = writes, q.count - q.read_queues
    end
  end
  local i = self.rng:int(0, n - 1)
  return string.format("RpcServer.default.%s.handler=%d,queue=%d,port=%d", kind, first + i,
                       queue0 + i % queues, self.port)
end

---@return number -- bytes in the block cache
function Server:cache_used()
  local cache = self.cache
  return math.min(cache.fill, cache.capacity * 0.989) - (cache.slack or 0)
end

---@return integer
function Server:cache_blocks() return self:cache_used() // (self.block * 1.08) end

-- Adds one value to a histogram.
local function sample(server, name, value)
  local w = server.window[name]
  server.c[name] = server.c[name] + 1
  w.n, w.sum = w.n + 1, w.sum + value
  w.max, w.p99 = math.max(w.max, value), math.max(w.p99, value)
end

-- What the write path tells goes into counters and into the log.
function Server:tell(kind, t, d)
  local c = self.c
  if kind == "flushed" then
    c.flushedMemstoreBytes = (c.flushedMemstoreBytes or 0) + d.data
    c.flushedOutputBytes = (c.flushedOutputBytes or 0) + d.size
    sample(self, "FlushTime", d.ms)
    sample(self, "FlushMemstoreSize", d.data)
    sample(self, "FlushOutputSize", d.size)
  elseif kind == "compacted" then
    c.compactedInputBytes = (c.compactedInputBytes or 0) + d.input // 1
    c.compactedOutputBytes = (c.compactedOutputBytes or 0) + d.output // 1
    if d.major then
      c.majorCompactedInputBytes = (c.majorCompactedInputBytes or 0) + d.input // 1
      c.majorCompactedOutputBytes = (c.majorCompactedOutputBytes or 0) + d.output // 1
    end
    sample(self, "CompactionTime", math.max(d.stop - d.start, 1))
    sample(self, "CompactionInputFileCount", d.n)
  elseif kind == "blocked" then
    self.blocked_since = t
  elseif kind == "unblocked" then
    d.since = self.blocked_since
    local writers = self.blocked_writers or 10
    c.updatesBlockedTime = (c.updatesBlockedTime or 0) + (t - d.since) * writers
  end
  if kind == "too_busy" then return self:busy(t, d) end
  local write = self.lines[kind]
  if write then write(self, t, d) end
end

-- Each refused batch is one count; the log gets one line for the first few.
function Server:busy(t, d)
  local n = math.max(1, d.bytes // (self.batch_bytes or 262144))
  self.c.blockedRequestCount = (self.c.blockedRequestCount or 0) + n
  for _ = 1, math.min(n, self.busy_lines or 2) do self.lines.too_busy(self, t, d) end
end

--- fn(server, t) will run at t, before the step that passes it.
---@param t integer
---@param fn fun(server: gen.server, t: integer)
function Server:at(t, fn) table.insert(self.events, { t = t, n = #self.events, fn = fn }) end

local function integrate(server, load, dt)
  local c, s = server.c, dt / 1000
  for _, name in ipairs(FLOW_NAMES) do
    local rate = 0
    for _, part in ipairs(FLOWS[name]) do rate = rate + (load[part] or 0) end
    c[name] = c[name] + rate * s
  end
  for _, name in ipairs(SAMPLE_NAMES) do
    local rate, times = 0, load.times[SAMPLES[name][2]]
    for _, part in ipairs(SAMPLES[name][1]) do rate = rate + (load[part] or 0) end
    local n = rate * s
    c[name] = c[name] + n
    if n > 0 and times then
      local w = server.window[name]
      w.n, w.sum = w.n + n, w.sum + n * times[1]
      w.p99, w.max = math.max(w.p99, times[2]), math.max(w.max, times[3])
    end
  end
  local cache = server.cache
  local bytes = ((load.misses or 0) - (load.evicted or 0) - (load.dropped or 0)) * s * server.block
  cache.fill = math.max(0, math.min(cache.fill + bytes, cache.capacity * 0.985))
end

--- Past time at a steady load, without a write path.
---@param load table
---@param seconds number
function Server:history(load, seconds)
  integrate(self, load, seconds * 1000)
  for _, name in ipairs(HISTOGRAMS) do
    self.window[name] = { n = 0, sum = 0, max = 0, p99 = 0 }
  end
end

-- One step that ends at t.
local function step(server, t)
  local dt = t - server.now
  if dt <= 0 then return end
  local load = server.load(t, server)
  local taken = server.store:step(t, dt, load.write or 0)
  local share = 1
  if (load.write or 0) > 0 then share = taken / (load.write * dt / 1000) end
  load.wrows, load.batches = (load.wrows or 0) * share, (load.batches or 0) * share
  load.multi = (load.multi or 0) * share
  load.appends, load.wal_bytes = load.wrows, taken * 1000 / dt * 1.06
  server.life.wal(server, t, taken * 1.06, load.wrows * dt / 1000)
  integrate(server, load, dt)
  server.last, server.now = load, t
end

--- Runs from its present instant to t.
---@param t integer
function Server:run(t)
  table.sort(self.events, function(a, b)
    if a.t ~= b.t then return a.t < b.t end
    return a.n < b.n
  end)
  while self.now < t do
    local dt = self.step_at and self.step_at(self.now) or self.step
    local next_t = math.min(t, self.now + self.pace:int(dt * 4 // 5, dt * 6 // 5))
    local event = self.events[1]
    if event and event.t <= next_t then next_t = math.max(event.t, self.now) end
    step(self, next_t)
    if event and event.t <= self.now then
      table.remove(self.events, 1)
      event.fn(self, self.now)
    end
  end
end

--- The server as /jmx shows it now; the windows of its histograms begin anew.
---@return string
function Server:snapshot()
  local text = jmx.document(self, view.of(self))
  for _, name in ipairs(HISTOGRAMS) do
    self.window[name] = { n = 0, sum = 0, max = 0, p99 = 0 }
  end
  return text
end

--- The process is stopped and comes up again: counters at 0, an empty cache, a new start code, the
--- same regions.
---@param t integer -- it goes down
---@param boot integer -- its JVM starts
function Server:restart(t, boot)
  self.life.stop(self, t)
  for _, r in ipairs(self.regions) do r.mem, r.due, r.wanted, r.snapshot = 0, nil, nil, nil end
  self.store.queue, self.store.flushing = {}, {}
  self:zero()
  self.boot, self.cache.fill = boot, 0
  self.life.start(self, self:startcode())
  for i, r in ipairs(self.regions) do
    self.life.opened(self, self:startcode() + 4200 + i * 61, r)
  end
end

return { new = new }

--- Writes that stall: refused or blocked writes in JMX and in logs, what held the flushes back, and
-- how the memstore is shared. Gathers; the playbook judges.
local culprit = require "hbdx.pattern.culprit"
local window = require "hbdx.pattern.window"

local stall = {}

local METRICS = { "write.blocked_requests", "write.blocked_ms", "store.max_files", "store.files",
  "store.count", "flush.queue", "flush.count", "flush.output_bytes", "compaction.queue",
  "ipc.queue_write", "ipc.queue_general", "memstore.size", "write.requests", "heap.max",
  "region.count" }

local SLACK_MS = 180000 -- a pause of the sender between two refusals is still one stall

---@class hbdx.Stall
---@field judged integer windows that tell blocked writes
---@field refused number? writes that were refused, by JMX
---@field blocked_ms number? handlers' time in blocked updates, by JMX
---@field refusals hbdx.Event[] "Region is too busy" lines about the memstore
---@field delays hbdx.Event[] flushes delayed by too many store files
---@field blocks hbdx.Event[] global pressure: updates blocked
---@field pressure hbdx.Event[] flushes forced by global pressure
---@field spans hbdx.Span[] when writes stalled
---@field servers hbdx.Server[]

-- A client's log tells of the same refusals as the server's: the server's count, where there are
-- any.
local function in_focus(case, kind)
  local by = { server = {}, client = {} }
  for _, e in ipairs(case:events(kind)) do
    if e.f.reason ~= "lock" and case:in_focus(e.t_ms) then
      table.insert(by[e.f.seen_by == "client" and "client" or "server"], e)
    end
  end
  return #by.server > 0 and by.server or by.client
end

local function stalled(w)
  return (w.d["write.blocked_requests"] or 0) > 0 or (w.d["write.blocked_ms"] or 0) > 0
end

local function from_jmx(case, s)
  s.frames = case:windows(METRICS)
  for _, frame in ipairs(s.frames) do
    local hit = false
    for _, w in ipairs(frame.windows) do
      w.server = frame.server
      if w.d["write.blocked_requests"] or w.d["write.blocked_ms"] then s.judged = s.judged + 1 end
      if stalled(w) and case:in_focus(w.from_ms, w.to_ms) then
        hit, s.windows[#s.windows + 1] = true, w
      else
        s.calm[#s.calm + 1] = w
      end
    end
    if hit then s.server_ids[frame.server.id] = true end
  end
  s.refused = window.sum(s.windows, "write.blocked_requests")
  s.blocked_ms = window.sum(s.windows, "write.blocked_ms")
end

local function instants(s)
  local list = {}
  for _, events in ipairs { s.refusals, s.delays, s.blocks } do
    for _, e in ipairs(events) do
      if e.t_ms then list[#list + 1] = e.t_ms end
      if e.server_id then s.server_ids[e.server_id] = true end
    end
  end
  return list
end

--- Gathers all that the case knows of stalled writes.
---@param case hbdx.Case
---@return hbdx.Stall
function stall.look(case)
  local s = { judged = 0, windows = {}, calm = {}, server_ids = {}, servers = {},
              refusals = in_focus(case, "region_too_busy"), delays = in_focus(case,
                "flush_delayed"),
              blocks = in_focus(case, "updates_blocked"), pressure = in_focus(case,
                "flush_pressure"),
              flushes = case:events "flush_finished" }
  from_jmx(case, s)
  local times = instants(s)
  local spans = window.clusters(times, SLACK_MS)
  table.move(s.windows, 1, #s.windows, #spans + 1, spans)
  s.spans = window.spans(spans, SLACK_MS)
  for _, server in ipairs(case:servers()) do
    if s.server_ids[server.id] then s.servers[#s.servers + 1] = server end
  end
  return s
end

--- The largest store-file count that a flush was delayed at, or that JMX shows in any store.
---@return number? files
---@return table? where
function stall.most_files(s)
  local most, where
  for _, e in ipairs(s.delays) do
    if e.f.store_files and (not most or e.f.store_files > most) then
      most, where = e.f.store_files, e.place
    end
  end
  if most then return most, where end
  for _, frame in ipairs(s.frames) do
    local v, w = window.worst(frame.windows, "store.max_files")
    if v and (not most or v > most) then
      most, where = v, { server = frame.server.short, from_ms = w.from_ms, to_ms = w.to_ms }
    end
  end
  return most, where
end

local function named_often(counts, total)
  local names = {}
  for name, n in pairs(counts) do
    if n >= 0.02 * total then names[#names + 1] = name end
  end
  table.sort(names, function(a, b)
    if counts[a] ~= counts[b] then return counts[a] > counts[b] end
    return a < b
  end)
  return table.move(names, 1, math.min(3, #names), 1, {})
end

--- The tables whose writes were refused, whose flushes waited or were forced, most first; from JMX
-- the table that was written most.
---@return string[] names at most three
function stall.tables_of(case, s)
  local counts, total = {}, 0
  for _, events in ipairs { s.refusals, s.delays, s.pressure } do
    for _, e in ipairs(events) do
      if e.table_name then
        counts[e.table_name], total = (counts[e.table_name] or 0) + 1, total + 1
      end
    end
  end
  if total > 0 then return named_often(counts, total) end
  return { (culprit.busiest_table(case, "table.write_requests")) }
end

local function within(s, e)
  return window.touches(s.spans, e.t_ms)
end

--- Average bytes of a flush in the stall: by log lines, else by JMX.
---@return number? bytes
---@return integer? flushes
function stall.average_flush(s)
  local bytes, n = 0, 0
  for _, e in ipairs(s.flushes) do
    if within(s, e) and e.f.data_bytes then bytes, n = bytes + e.f.data_bytes, n + 1 end
  end
  if n > 0 then return bytes / n, n end
  local out, count = window.sum(s.windows, "flush.output_bytes"), window.sum(s.windows,
    "flush.count")
  if out and count and count > 0 then return out / count, count end
end

local function distinct_regions(s, server_id)
  local seen, n = {}, 0
  for _, events in ipairs { s.flushes, s.pressure, s.refusals } do
    for _, e in ipairs(events) do
      if e.server_id == server_id and e.encoded and not seen[e.encoded] and within(s, e) then
        seen[e.encoded], n = true, n + 1
      end
    end
  end
  return n
end

local function written_regions(case, server_id)
  local n = 0
  for _, row in ipairs(case:labelled "region.write_requests") do
    if row.server_id == server_id and row.grew > 0 then n = n + 1 end
  end
  return n
end

--- Regions that took writes on the server that had most of them, and how we know.
---@return integer? regions
---@return string? how
---@return hbdx.Server?
function stall.active_regions(case, s)
  local best, how, at
  for _, server in ipairs(s.servers) do
    local logged, written = distinct_regions(s, server.id), written_regions(case, server.id)
    local n, by = logged, "distinct regions that flushed or refused"
    if written > logged then n, by = written, "regions whose write count grew" end
    if n > 0 and (not best or n > best) then best, how, at = n, by, server end
  end
  if best and best >= 3 then return best, how, at end
  for _, frame in ipairs(s.frames) do
    local v = window.worst(frame.windows, "region.count")
    if v and (not best or v > best) then
      best, how, at = math.tointeger(v), "online regions: an upper bound", frame.server
    end
  end
  return best, how, at
end

--- Heap of a server in bytes: JMX, else the memstore limit that its log tells at start.
---@return number? bytes
function stall.heap_bytes(case, s, server)
  for _, frame in ipairs(s.frames) do
    if not server or frame.server.id == server.id then
      local v = window.worst(frame.windows, "heap.max") or frame.first["heap.max"]
      if v and v > 0 then return v end
    end
  end
  for _, e in ipairs(case:events "heap_limits") do
    if e.f.max_heap_bytes then return e.f.max_heap_bytes end
    local fraction = case:setting "hbase.regionserver.global.memstore.size"
    if e.f.global_memstore_bytes and fraction and (tonumber(fraction.value) or 0) > 0 then
      return e.f.global_memstore_bytes / fraction.value
    end
  end
end

local function cause(t)
  local words = {}
  if t.global then
    words[1] = "more regions take writes than the global memstore can hold at full flush size, "
            .. "so flushes are forced early and small, and files come faster than compaction "
            .. "merges them"
  end
  if t.held then
    words[#words + 1] = "a store with more files than hbase.hstore.blockingStoreFiles delays "
                     .. "its flush, its memstore fills to flush size x multiplier, and writes "
                     .. "are refused"
  end
  if #words == 0 then words[1] = "memstores fill faster than they are flushed" end
  return table.concat(words, "; ")
end

--- Ends the finding of a stall.
---@param f hbdx.FindingMaker
---@param s hbdx.Stall
---@param verdict string
---@param t table { fixes, global, held, caveats }
---@return hbdx.Finding
function stall.conclude(case, f, s, verdict, t)
  local names = stall.tables_of(case, s)
  local words = #names > 0 and " to " .. table.concat(names, ", ") or ""
  local servers = {}
  for i, server in ipairs(s.servers) do servers[i] = server.short end
  local windows = window.affected(case, s.spans)
  return f:conclude(verdict, {
    severity = "critical",
    summary = ("Writes%s stalled: %s."):format(words,
      windows[1] and windows[1].text or "in an unknown time"),
    cause = cause(t),
    affected = { servers = servers, tables = names, clients = {}, windows = windows },
    fixes = t.fixes, caveats = t.caveats,
    verify = "in the next burst:  hbdx run flush-stall SOURCE",
  })
end

return stall

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
---@field judged integer windows that tell blocked writes, of the time asked about
---@field watched boolean such windows cover the most of the spans
---@field refused number? writes that were refused, by JMX
---@field blocked_ms number? handlers' time in blocked updates, by JMX
---@field refusals hbdx.Event[] "Region is too busy" lines about the memstore
---@field unexplained hbdx.Event[] a client's summaries of such, where nobody tells the reason
---@field batch hbdx.Event? the client's refusal of most operations at once
---@field longest number? ms that a line says updates were blocked
---@field longest_place string? "file:line" of it
---@field hosts table<string, boolean> that clients say refused
---@field delays hbdx.Event[] flushes delayed by too many store files
---@field blocks hbdx.Event[] global pressure: updates blocked
---@field pressure hbdx.Event[] flushes forced by global pressure
---@field spans hbdx.Span[] when writes stalled
---@field servers hbdx.Server[]

local function in_focus(case, kind)
  local list = {}
  for _, e in ipairs(case:events(kind)) do
    if case:in_focus(e.t_ms) then list[#list + 1] = e end
  end
  return list
end

-- A client's log tells of the same refusals as the server's: the server's count, where there are
-- any. A client's summary may leave out whether it was the memstore or a lock.
local function from_refusals(case, s)
  local by = { server = {}, client = {}, unexplained = {}, locked = {} }
  for _, e in ipairs(in_focus(case, "region_too_busy")) do
    local who = e.f.seen_by == "client" and "client" or "server"
    if e.f.reason == "lock" then who = "locked" end
    if who == "client" and not e.f.reason then who = "unexplained" end
    table.insert(by[who], e)
  end
  s.refusals = #by.server > 0 and by.server or by.client
  s.unexplained = #s.refusals == 0 and by.unexplained or {}
  for _, e in ipairs(s.refusals) do
    if (e.f.ops or 0) > (s.batch and s.batch.f.ops or 0) then s.batch = e end
  end
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
      local asked = case:in_focus(w.from_ms, w.to_ms)
      local tells = w.d["write.blocked_requests"] or w.d["write.blocked_ms"]
      if asked and tells then s.judged, s.telling[#s.telling + 1] = s.judged + 1, w end
      if asked and stalled(w) then
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

-- When the logs say that writes were refused, held up or flushes delayed. A line about blocked
-- updates is written at their end.
local function logged_spans(s)
  local list = {}
  for _, events in ipairs { s.refusals, s.delays, s.blocks } do
    for _, e in ipairs(events) do
      if e.t_ms then
        list[#list + 1] = { from_ms = e.t_ms - (e.f.blocked_ms or 0), to_ms = e.t_ms }
      end
      if e.f.seen_by == "client" and e.f.server then
        s.hosts[e.f.server:match("^[^,]+")] = true
      elseif e.server_id then
        s.server_ids[e.server_id] = true
      end
    end
  end
  for _, e in ipairs(s.blocks) do
    local ms = e.f.blocked_ms or 0
    if ms > (s.longest or 0) then s.longest, s.longest_place = ms, e.place end
  end
  return window.spans(list, SLACK_MS)
end

--- Gathers all that the case knows of stalled writes.
---@param case hbdx.Case
---@return hbdx.Stall
function stall.look(case)
  local s = { judged = 0, telling = {}, windows = {}, calm = {}, server_ids = {}, servers = {},
              hosts = {},
              delays = in_focus(case, "flush_delayed"), blocks = in_focus(case, "updates_blocked"),
              pressure = in_focus(case, "flush_pressure"),
              flushes = case:events "flush_finished" }
  from_refusals(case, s)
  from_jmx(case, s)
  local spans = logged_spans(s)
  table.move(s.windows, 1, #s.windows, #spans + 1, spans)
  s.spans = window.spans(spans, SLACK_MS)
  s.watched = window.covered(s.spans, s.telling) >= 0.5
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

--- The most that hbase.hstore.blockingStoreFiles can be, by flushes that waited: they wait above
-- it.
---@param s hbdx.Stall
---@return integer? files nil: no flush waited
function stall.limit_at_most(s)
  local least
  for _, e in ipairs(s.delays) do
    local n = e.f.store_files
    if n and (not least or n < least) then least = n end
  end
  return least and least - 1
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

local function cause(t)
  local words = {}
  if t.global and not t.crowded then
    words[1] = "the global memstore is full: writes come faster than flushes free it"
  elseif t.global then
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
---@param t table { fixes, global, crowded, held, caveats }
---@return hbdx.Finding
function stall.conclude(case, f, s, verdict, t)
  local names = stall.tables_of(case, s)
  local words = #names > 0 and " to " .. table.concat(names, ", ") or ""
  local servers = {}
  for i, server in ipairs(s.servers) do servers[i] = server.short end
  for host in pairs(s.hosts) do servers[#servers + 1] = host end
  table.sort(servers)
  local windows = window.affected(case, s.spans)
  return f:conclude(verdict, {
    severity = "critical",
    summary = ("Writes%s stalled%s."):format(words, windows[1] and "" or ", when is unknown"),
    cause = cause(t),
    affected = { servers = servers, tables = names, clients = {}, windows = windows },
    fixes = t.fixes, caveats = t.caveats,
    verify = "in the next burst: hbdx run flush-stall SOURCE",
  })
end

return stall

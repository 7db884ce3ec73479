--- RPC handlers that are all taken: calls that wait in JMX, and the share of all handler time that
-- one client's slow calls account for in the logs. Gathers; the playbook judges.
local count = require "hbdx.pattern.handlers_count"
local culprit = require "hbdx.pattern.culprit"
local window = require "hbdx.pattern.window"

local handlers = {}

local METRICS = { "ipc.queue_general", "ipc.queue_read", "ipc.queue_scan", "ipc.active_handlers",
  "ipc.active_general_handlers", "pause.info", "pause.warn",
  "ipc.queue_time_mean", "ipc.queue_time_p99", "read.filtered", "read.requests", "rpc.full_scan",
  "scan.ops", "get.ops", "get.p99", "write.blocked_ms", "write.blocked_requests" }

local SLACK_MS = 120000
local ROUNDED = 1.2 -- so much more than all handlers' time may be one of edges and clocks
local READS = { Scan = true, Get = true }

---@class hbdx.Hogging
---@field judged integer windows that tell waiting calls
---@field watched boolean these windows cover the most of the time of the slow reads
---@field busy hbdx.Window[] calls waited, and queue time rose
---@field calm hbdx.Window[]
---@field unclear hbdx.Window[] calls wait, and nobody tells how long or beside how many handlers
---@field paused hbdx.Window[] the JVM stood still in them; they are not judged
---@field spans hbdx.Span[] the busy windows joined
---@field calls hbdx.Call[] slow reads
---@field ranked hbdx.Culprit[] of the calls in the spans (of all, where JMX does not tell)
---@field count integer? handlers of a server
---@field count_origin string?
---@field count_default boolean? no source tells it
---@field count_told boolean? false: HBase's default is assumed, so nothing is concluded from it
---@field count_denied string? what is told of the number and why it cannot be; count is nil then
---@field crowded boolean? more slow reads ran at a time than HBase's default has handlers

local function waiting(w)
  local n
  for _, name in ipairs { "ipc.queue_general", "ipc.queue_read", "ipc.queue_scan" } do
    local v = w.g[name]
    if v then n = math.max(n or 0, v) end
  end
  return n
end
handlers.waiting = waiting

-- A window is busy when the mean queue time of its calls is long, or when calls wait at its end
-- while every handler is taken. nil: calls wait, and neither is told, or the two contradict each
-- other: few waited long, or there are more handlers than are told.
local function is_busy(h, w, usual_ms, p)
  local n, ms = waiting(w), w.g["ipc.queue_time_mean"]
  local active = w.g["ipc.active_general_handlers"] or w.g["ipc.active_handlers"]
  if ms and ms >= p.queue_ms and ms >= p.surge * math.max(usual_ms, 1) then return true end
  if (n or 0) < p.waiting then return false end
  -- more busy ones than HBase's default has: it was set, and nobody told
  local told = h.count_told and not (h.count_default and active and active > h.count)
  local taken = active and told and active >= h.count
  if taken and ms and ms < p.queue_ms then return nil end
  if active and told then return taken end
  if ms then return false end
  return nil
end

-- A pause over ten seconds, or one over a second for every minute of the window.
local function stood_still(w)
  return (w.d["pause.warn"] or 0) > 0 or (w.d["pause.info"] or 0) * 60 > w.seconds
end

local function judge_frame(h, frame, p)
  local usual = window.usual(frame.windows, "ipc.queue_time_mean") or 0
  local values = {}
  for _, w in ipairs(frame.windows) do values[#values + 1] = w.g["ipc.queue_time_mean"] end
  usual = math.min(usual, window.quantile(values, 0.25) or usual)
  for _, w in ipairs(frame.windows) do
    w.server = frame.server
    if stood_still(w) then
      h.paused[#h.paused + 1] = w -- everything waits for a JVM that stands still
    elseif waiting(w) or w.g["ipc.queue_time_mean"] then
      local asked, busy = h.case:in_focus(w.from_ms, w.to_ms), is_busy(h, w, usual, p)
      h.judged = h.judged + (asked and busy ~= nil and 1 or 0)
      local list = asked and busy and h.busy or busy ~= nil and h.calm or h.unclear
      list[#list + 1] = w
    end
  end
end

-- Servers whose windows were busy once are not hogged; p.windows in a row of dumps, or one with
-- calls that wait and time that rose.
local function steady(h, p)
  local per = {}
  for _, w in ipairs(h.busy) do per[w.server.id] = (per[w.server.id] or 0) + 1 end
  local kept = {}
  for _, w in ipairs(h.busy) do
    local both = (waiting(w) or 0) >= p.waiting and (w.g["ipc.queue_time_mean"] or 0) >= p.queue_ms
    if per[w.server.id] >= p.windows or both then
      kept[#kept + 1] = w else h.calm[#h.calm + 1] = w
    end
  end
  h.busy = kept
end

-- Handler time that calls took inside the spans, in ms: a call that reaches over an edge counts by
-- the part that is inside.
local function inside_ms(call, spans)
  if not (call.start_ms and call.proc_ms) then return 0 end
  local ms, to = 0, call.start_ms + call.proc_ms
  for _, s in ipairs(spans) do
    ms = ms + math.max(0, math.min(to, s.to_ms) - math.max(call.start_ms, s.from_ms))
  end
  return ms
end

local function read_calls(case)
  local list = {}
  for _, call in ipairs(case:calls()) do
    local name = culprit.table_of(call) or ""
    if READS[call.method or ""] and not name:find("^hbase:")
       and case:in_focus(call.start_ms, call.start_ms and call.start_ms + (call.proc_ms or 0)) then
      list[#list + 1] = call
    end
  end
  return list
end

local function call_spans(calls)
  local list = {}
  for _, call in ipairs(calls) do
    if call.start_ms and call.proc_ms then
      list[#list + 1] = { from_ms = call.start_ms, to_ms = call.start_ms + call.proc_ms }
    end
  end
  return window.spans(list, SLACK_MS)
end

-- The densest of the spans of calls: most handler time per second, of those longer than ten
-- seconds.
local function densest(calls, spans)
  local best, best_load
  for _, s in ipairs(spans) do
    local ms = 0
    for _, call in ipairs(calls) do ms = ms + inside_ms(call, { s }) end
    local load = ms / math.max(10000, s.to_ms - s.from_ms)
    if not best or load > best_load then best, best_load = s, load end
  end
  return best
end

-- The queue time that calls of the spans waited: median and largest.
local function queue_of(calls)
  local values = {}
  for _, call in ipairs(calls) do values[#values + 1] = call.queue_ms end
  return window.quantile(values, 0.5), window.quantile(values, 1)
end

-- Of the slow calls that a log tells (a ring buffer holds only the last), of any kind, in the time
-- asked about: how many, and what 95 of 100 waited at most; and how many are logged at all.
local function waits_of(case)
  local values, all = {}, case:calls()
  for _, call in ipairs(all) do
    if call.in_log == 1
       and case:in_focus(call.start_ms, call.start_ms and call.start_ms + (call.proc_ms or 0)) then
      values[#values + 1] = call.queue_ms
    end
  end
  return #values, window.quantile(values, 0.95) or 0, #all
end

local function servers_of(h)
  local seen, list = {}, {}
  local function add(server)
    if server and not seen[server.id] then seen[server.id], list[#list + 1] = true, server end
  end
  for _, w in ipairs(h.busy) do add(w.server) end
  if #list == 0 then
    for _, call in ipairs(h.inside) do
      if call.server_id then add(h.case:server(call.server_id)) end
    end
  end
  return list
end

-- Servers whose calls are logged: the others' handlers are no part of the room.
local function logged_servers(calls)
  local seen, n = {}, 0
  for _, call in ipairs(calls) do
    local id = call.server_id
    if id and not seen[id] then seen[id], n = true, n + 1 end
  end
  return math.max(1, n)
end

-- Whether dumps were taken while the slow reads ran, of each server that logs them. Dumps of
-- another time know nothing of them.
local function watched(h, spans)
  local ids, all, servers = {}, 0, 0
  for _, call in ipairs(h.inside) do ids[call.server_id or 0] = true end
  for id in pairs(ids) do
    local windows = {}
    for _, list in ipairs { h.busy, h.calm } do
      for _, w in ipairs(list) do
        if id == 0 or w.server.id == id then windows[#windows + 1] = w end
      end
    end
    all, servers = all + window.covered(spans, windows), servers + 1
  end
  return servers > 0 and all / servers >= 0.5
end

-- Dumps are far apart; where calls begin or end inside the first or last busy window of a span,
-- that is its edge.
local function sharpen(h, calls)
  local shown = {}
  for i, s in ipairs(h.spans) do
    local from, to = s.from_ms, s.to_ms
    for _, w in ipairs(h.busy) do
      for _, c in ipairs(calls) do
        if w.from_ms == s.from_ms and c.from_ms > from and c.from_ms < w.to_ms then
          from = c.from_ms
        end
        if w.to_ms == s.to_ms and c.to_ms < to and c.to_ms > w.from_ms then to = c.to_ms end
      end
    end
    shown[i] = { from_ms = from, to_ms = to }
  end
  return shown
end

--- Gathers all that the case knows of busy handlers.
---@param case hbdx.Case
---@param p table the playbook's parameters
---@return hbdx.Hogging
function handlers.look(case, p)
  local h = { case = case, judged = 0, busy = {}, calm = {}, unclear = {}, paused = {},
    inside = {} }
  count.find(case, h)
  local frames = case:windows(METRICS)
  count.check(h, frames)
  for _, frame in ipairs(frames) do judge_frame(h, frame, p) end
  steady(h, p)
  h.spans = window.spans(h.busy, SLACK_MS)
  h.calls = read_calls(case)
  h.call_spans = call_spans(h.calls)
  local spans = h.spans
  if #spans == 0 then spans = { densest(h.calls, h.call_spans) } end
  for _, call in ipairs(h.calls) do
    if inside_ms(call, spans) > 0 then h.inside[#h.inside + 1] = call end
  end
  h.ranked = culprit.rank(h.inside, function(call) return inside_ms(call, spans) end)
  h.servers = servers_of(h)
  h.queue_p50, h.queue_max = queue_of(h.inside)
  local exact = call_spans(h.inside)
  h.watched = watched(h, exact)
  h.shown = #h.spans > 0 and sharpen(h, exact) or exact
  h.logged, h.logged_wait, h.logged_ever = waits_of(case)
  h.busy_ms = 0
  for _, call in ipairs(h.inside) do h.busy_ms = h.busy_ms + inside_ms(call, exact) end
  local room = window.length(exact) * logged_servers(h.inside)
  if h.count and h.busy_ms > ROUNDED * room * h.count then
    h.crowded = h.count_default
    count.deny(h, ("%.1f slow reads ran at a time"):format(h.busy_ms / room))
  end
  if h.count and room > 0 then h.share = math.min(1, h.busy_ms / (room * h.count)) end
  return h
end

--- The processing time from which on a call is logged, in ms.
---@param case hbdx.Case
---@return number? ms
---@return string? origin
function handlers.threshold(case)
  local s = case:setting "hbase.ipc.warn.response.time"
  if s then return tonumber(s.value), s.origin end
end

return handlers

--- The stops of each JVM, each of them once: what the collector's log tells (gc_pause) and what the
-- server's JvmPauseMonitor tells of the same time (pause) are joined when they are read, since logs
-- come in any order and their clocks are settled late.
local M = {}

-- The monitor sleeps so long between two looks, and its line stands where it woke up: a stop lies
-- between its line and what it says before that, and this.
local SLEEP_MS = 500
local SLACK_MS = 100 -- between the stamps of two logs of one host
-- A start code is some seconds younger than the JVM whose uptime a log counts from.
local START_CODE_MS = 15000

---@class hbdx.Pause one stop of a JVM
---@field t_ms integer? its start, UTC
---@field pause_ms number? how long; the longer of what both tell. nil: its end is lost
---@field server_id integer?
---@field told "gc"|"monitor"|"both"
---@field gc_kind string? of the longest collection in it; stall: only threads that wanted memory
---@field collector string?
---@field cause string?
---@field evacuation_failure boolean there was no room to move what lives
---@field gcs hbdx.Event[] the collector's records of it
---@field monitor hbdx.Event? the server's
---@field threads integer? how many waited in a stall
---@field place string "file:line"

local function ends(e)
  return e.t_ms + (e.f.pause_ms or 0)
end

--- Records of a kind by server; those without a time apart.
local function by_server(list)
  local servers, timeless = {}, {}
  for _, e in ipairs(list) do
    local key = e.server_id or 0
    servers[key] = servers[key] or {}
    local to = e.t_ms and servers[key] or timeless
    to[#to + 1] = e
  end
  return servers, timeless
end

--- The first of the events, which are sorted, that is not before t_ms.
local function first_from(events, t_ms)
  local low, high = 1, #events + 1
  while low < high do
    local middle = (low + high) // 2
    if events[middle].t_ms < t_ms then low = middle + 1 else high = middle end
  end
  return events[low]
end

-- "No GCs detected": a stop that was no collection can be a safepoint only.
local function can_be(gc, monitor)
  if gc.f.gc_kind == "stall" then return false end
  return monitor.f.gc ~= "none" or monitor.f.gc_count ~= 0 or gc.f.gc_kind == "safepoint"
end

--- The monitor's event of a collection: the first that the monitor can have told after it.
local function monitor_of(gc, monitors)
  local rough = gc.origin == "start code"
  local slack = rough and START_CODE_MS or SLACK_MS
  local m = first_from(monitors, ends(gc) - slack)
  local said = m and m.f.pause_ms
  if not said or ends(gc) <= m.t_ms - said - SLEEP_MS - slack then return nil end
  if rough and (gc.f.pause_ms or 0) * 2 < said then return nil end
  return can_be(gc, m) and m or nil
end

local function longest(gcs)
  local best = gcs[1]
  for _, gc in ipairs(gcs) do
    if (gc.f.pause_ms or 0) > (best.f.pause_ms or 0) then best = gc end
  end
  return best
end

local function total(gcs)
  local sum
  for _, gc in ipairs(gcs) do
    if gc.f.pause_ms then sum = (sum or 0) + gc.f.pause_ms end
  end
  return sum
end

local function failed(gcs)
  for _, gc in ipairs(gcs) do
    if gc.f.failure then return true end
  end
  return false
end

local function of_gcs(gcs)
  local worst = longest(gcs)
  return { t_ms = gcs[1].t_ms, pause_ms = total(gcs), server_id = worst.server_id, told = "gc",
    gc_kind = worst.f.gc_kind, collector = worst.f.collector, cause = worst.f.cause,
    evacuation_failure = failed(gcs), gcs = gcs, place = worst.place }
end

local function of_monitor(m)
  local said = m.f.pause_ms
  return { t_ms = m.t_ms and said and m.t_ms - said, pause_ms = said, server_id = m.server_id,
    told = "monitor", collector = m.f.gc ~= "none" and m.f.gc or nil, evacuation_failure = false,
    gcs = {}, monitor = m, place = m.place }
end

local function of_both(m, gcs)
  local p = of_gcs(gcs)
  p.told, p.monitor = "both", m
  p.pause_ms = math.max(p.pause_ms or 0, m.f.pause_ms)
  return p
end

--- Threads that waited for memory at the same time are one stall.
local function add_stall(list, open, gc)
  if open and gc.t_ms <= open.to_ms then
    open.gcs[#open.gcs + 1] = gc
    open.threads = open.threads + 1
    open.to_ms = math.max(open.to_ms, ends(gc))
    open.pause_ms = open.to_ms - open.t_ms
    return open
  end
  local p = of_gcs { gc }
  p.threads, p.to_ms = 1, ends(gc)
  list[#list + 1] = p
  return p
end

--- All of one server.
local function join(list, gcs, monitors)
  local of, stall = {}, nil
  for _, gc in ipairs(gcs) do
    local m = monitor_of(gc, monitors)
    if m then
      of[m] = of[m] or {}
      table.insert(of[m], gc)
    elseif gc.f.gc_kind == "stall" then
      stall = add_stall(list, stall, gc)
    else
      list[#list + 1] = of_gcs { gc }
    end
  end
  for _, m in ipairs(monitors) do
    list[#list + 1] = of[m] and of_both(m, of[m]) or of_monitor(m)
  end
end

local function earlier(a, b)
  if a.t_ms ~= b.t_ms then return (a.t_ms or math.huge) < (b.t_ms or math.huge) end
  return (a.place or "") < (b.place or "")
end

--- All stops, by their start; those without a time come last.
---@param gcs hbdx.Event[] of kind gc_pause, by time
---@param monitors hbdx.Event[] of kind pause, by time
---@return hbdx.Pause[]
function M.joined(gcs, monitors)
  local list = {}
  local by, timeless = by_server(gcs)
  local seen, unseen = by_server(monitors)
  for server, own in pairs(by) do join(list, own, seen[server] or {}) end
  for server, own in pairs(seen) do
    if not by[server] then join(list, {}, own) end
  end
  for _, gc in ipairs(timeless) do list[#list + 1] = of_gcs { gc } end
  for _, m in ipairs(unseen) do list[#list + 1] = of_monitor(m) end
  table.sort(list, earlier)
  for _, p in ipairs(list) do p.to_ms = nil end
  return list
end

return M

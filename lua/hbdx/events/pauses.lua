--- Pauses of the process. The JVM's own monitor and the garbage collector's log may both tell of
-- one; it is then counted by the collector's line. A thread that slept too long is another witness
-- and no pause more, so such lines are counted apart; so is one that waited for memory (a stall).
local pauses = {}

--- Kinds that Tracker:feed needs.
pauses.kinds = { "pause", "gc_pause", "slept" }

local SLACK_MS = 1000 -- the monitor sleeps half a second between looks and writes afterwards
local KEPT = 256      -- collections that one monitor's line may tell of

---@return table
function pauses.new()
  return { count = 0, total_ms = 0, both = 0, slept = 0, by = {} }
end

local Tracker = {}
Tracker.__index = Tracker

--- A tracker for the events of one server, in order of time.
---@param d table of pauses.new
---@param counted fun(e: hbdx.Event)? called for each that is counted
---@return table
function pauses.tracker(d, counted)
  return setmetatable({ d = d, counted = counted or function() end, recent = {}, at = 0 }, Tracker)
end

local function length_of(e) return e.f.pause_ms or e.f.took_ms end

local function count(self, e, label)
  local d, ms = self.d, length_of(e)
  self.counted(e)
  d.count = d.count + 1
  local row = d.by[label] or { count = 0, total_ms = 0 }
  d.by[label] = row
  row.count = row.count + 1
  if not ms then return end
  for _, r in ipairs { d, row } do
    r.total_ms, r.max_ms = r.total_ms + ms, math.max(r.max_ms or ms, ms)
  end
end

local function told_by_collector(self, e)
  if not e.t_ms or not e.f.pause_ms then return false end
  local from_ms = e.t_ms - e.f.pause_ms - SLACK_MS
  for _, gc in pairs(self.recent) do
    if gc.to_ms >= from_ms and gc.from_ms <= e.t_ms then return true end
  end
  return false
end

local function slept(d, ms)
  d.slept = d.slept + 1
  if ms then d.slept_max_ms = math.max(d.slept_max_ms or 0, ms) end
end

--- Takes the next event.
---@param e hbdx.Event
function Tracker:feed(e)
  if e.f.gc_kind == "stall" then
    if e.wanted == 1 then slept(self.d, e.f.pause_ms) end
  elseif e.kind == "gc_pause" then
    if e.t_ms then
      self.at = self.at % KEPT + 1
      self.recent[self.at] = { from_ms = e.t_ms, to_ms = e.t_ms + (length_of(e) or 0) }
    end
    if e.wanted == 1 then count(self, e, e.f.cause or e.f.collector or "collection") end
  elseif e.wanted ~= 1 then
    return
  elseif e.kind == "slept" then
    slept(self.d, e.f.slept_ms)
  elseif e.kind == "pause" then
    if told_by_collector(self, e) then
      self.d.both = self.d.both + 1
    else
      count(self, e, e.f.gc == "none" and "no collection: the host" or e.f.gc or "not told")
    end
  end
end

return pauses

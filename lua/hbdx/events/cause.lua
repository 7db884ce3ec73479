--- Why a flush came. Servers do not say so when they have written it (and say nothing at all of
-- the usual cause, a full memstore, at INFO), so it is inferred from what the log told before and
-- from the thread that wrote the line:
--   thread of a closing region, or "close preflush" on the same thread, or the region
--     is closed next by that thread                                            close
--   pool of snapshots; of flush procedures; opening of a region    snapshot, procedure, open
--   RPC handler that said that it flushes the region                           admin
--   flusher that had just picked the region under global pressure
--     pressure_lower, pressure_upper, or pressure where the mark is not told (1.x)
--   flusher, and the region was on a list of "too many WALs"                   wal_count
--   flusher, and the chore had asked: an old edit; many edits         periodic, max_edits
--   flusher, and none of these                                                 size
-- Picked under pressure goes before what was asked for earlier, since the flusher then takes the
-- region out of its queue; a queued region is not queued again, so WALs and the chore go before
-- size. A request counts once, for the first flush that began after it. Where a line's thread is
-- not known (or a list of regions was cut), the absence of a reason is none: unknown.
local cause = {}

--- From the best to the worst; what is not the server's own doing, and what is not known, last.
cause.order = { "size", "periodic", "max_edits", "wal_count", "pressure_lower", "pressure",
  "pressure_upper", "admin", "close", "snapshot", "procedure", "open", "unknown" }

cause.words = { size = "memstore size", periodic = "periodic (old edit)", max_edits = "max edits",
  wal_count = "WAL count", pressure_lower = "global pressure, lower mark",
  pressure = "global pressure, mark not told", pressure_upper = "global pressure, upper mark",
  admin = "admin", close = "region close", snapshot = "snapshot", procedure = "flush procedure",
  open = "region open (replayed edits)", unknown = "unknown" }

--- Kinds that Tracker:feed needs.
cause.kinds = { "flush_requested", "flush_pressure", "wal_too_many", "flush_finished",
  "region_closed" }

local REACH_MS = 900000 -- a request waits for a flusher: the 90 s of blocked flushes, several times
local CUT_MS = 60000    -- after a cut list of regions, for which a flush may be one of the lost

local THREADS = {
  { "^RS_CLOSE", "close" }, { "snapshot%-pool", "snapshot" }, { "^RS_SNAPSHOT", "snapshot" },
  { "^RS_FLUSH", "procedure" }, { "flush%-proc", "procedure" }, { "^RS_OPEN", "open" },
  { "MemStoreFlusher", "flusher" }, { "cacheFlusher", "flusher" },
}

local function role_of(thread)
  for _, row in ipairs(THREADS) do
    if thread:find(row[1]) then return row[2] end
  end
end

---@class hbdx.FlushTracker
local Tracker = {}
Tracker.__index = Tracker

--- A tracker for the events of one server, in order of time.
---@param emit fun(e: hbdx.Event, cause: string) called once for each flush_finished
---@return hbdx.FlushTracker
function cause.tracker(emit)
  return setmetatable({ emit = emit, marks = {}, picked = {}, held = {} }, Tracker)
end

local function marks_of(self, encoded)
  local m = self.marks[encoded] or {}
  self.marks[encoded] = m
  return m
end

--- Regions that a "too many WALs" line lists: "E, E" or "E[CF,CF],E[CF]".
---@param targets string
---@return string[]
function cause.targets(targets)
  local list = {}
  for name in targets:gsub("%b[]", ""):gmatch("%w+") do
    if name:find("^%x+$") and #name == 32 or name:find("^%d+$") then list[#list + 1] = name end
  end
  return list
end

local function too_many_wals(self, e)
  local list = cause.targets(e.f.targets or "")
  for _, encoded in ipairs(list) do marks_of(self, encoded).wal_count = { t_ms = e.t_ms } end
  if not e.f.regions or #list < e.f.regions then self.cut_ms = e.t_ms end
end

local function requested(self, e)
  if not e.encoded or not e.f.cause then return end
  local name = e.f.cause:gsub(" ", "_")
  marks_of(self, e.encoded)[name] = { t_ms = e.t_ms, thread = e.thread,
    reach = REACH_MS + (e.f.delay_ms or 0) }
end

-- Whether a mark may be why a flush began then.
local function fits(mark, start_ms)
  if not mark then return false end
  if not start_ms or not mark.t_ms then return true end
  return mark.t_ms <= start_ms and start_ms - mark.t_ms <= (mark.reach or REACH_MS)
end

local PRESSURE = { ABOVE_ONHEAP_LOWER_MARK = "pressure_lower",
  ABOVE_OFFHEAP_LOWER_MARK = "pressure_lower", ABOVE_ONHEAP_HIGHER_MARK = "pressure_upper",
  ABOVE_OFFHEAP_HIGHER_MARK = "pressure_upper" }

local function from_queue(self, e, m, start_ms)
  local pick = self.picked[e.thread or ""]
  if pick and pick.encoded == e.encoded and fits(pick, start_ms) then
    return PRESSURE[pick.type or ""] or "pressure"
  end
  for _, name in ipairs { "wal_count", "periodic", "max_edits" } do
    if fits(m[name], start_ms) then return name end
  end
end

-- What the same thread had said that it does.
local function from_thread(e, m, start_ms)
  for _, name in ipairs { "admin", "close", "snapshot", "procedure" } do
    if m[name] and m[name].thread == e.thread and fits(m[name], start_ms) then return name end
  end
end

local function flusher(self, e, m, start_ms)
  local name = from_queue(self, e, m, start_ms)
  if name then return name end
  local cut = self.cut_ms and start_ms and start_ms - self.cut_ms <= CUT_MS
  return (not cut or fits(m.size, start_ms)) and "size" or "unknown"
end

local function infer(self, e, m, start_ms)
  local role = e.thread and role_of(e.thread)
  if role == "flusher" then return flusher(self, e, m, start_ms) end
  if role then return role end
  local name = from_thread(e, m, start_ms)
  if name or e.thread then return name or "unknown" end
  return from_queue(self, e, m, start_ms) or fits(m.size, start_ms) and "size" or "unknown"
end

-- A flush that began uses up what was asked for before.
local function consume(self, e, m, start_ms)
  for name, mark in pairs(m) do
    if not start_ms or not mark.t_ms or mark.t_ms <= start_ms then m[name] = nil end
  end
  if next(m) == nil then self.marks[e.encoded] = nil end
  self.picked[e.thread or ""] = nil
end

local function release(self, encoded, name)
  local e = self.held[encoded]
  self.held[encoded] = nil
  if e then self.emit(e, name) end
end

local function finished(self, e)
  local start_ms = e.t_ms and e.t_ms - (e.f.took_ms or 0)
  if not e.encoded then
    local role = e.thread and role_of(e.thread)
    return self.emit(e, role and role ~= "flusher" and role or "unknown")
  end
  release(self, e.encoded, "unknown")
  local m = marks_of(self, e.encoded)
  local name = infer(self, e, m, start_ms)
  consume(self, e, m, start_ms)
  if name == "unknown" and e.thread then
    self.held[e.encoded] = e -- its region may be closed next
  else
    self.emit(e, name)
  end
end

--- Takes the next event.
---@param e hbdx.Event with thread
function Tracker:feed(e)
  if e.kind == "flush_finished" then
    finished(self, e)
  elseif e.kind == "flush_requested" then
    requested(self, e)
  elseif e.kind == "wal_too_many" then
    too_many_wals(self, e)
  elseif e.kind == "flush_pressure" then
    self.picked[e.thread or ""] = { encoded = e.encoded, t_ms = e.t_ms, type = e.f.flush_type }
  elseif e.kind == "region_closed" and e.encoded then
    local before = self.held[e.encoded]
    release(self, e.encoded, before and before.thread == e.thread and "close" or "unknown")
  end
end

--- Ends: what waited for more is unknown.
function Tracker:done()
  local names = {}
  for encoded in pairs(self.held) do names[#names + 1] = encoded end
  table.sort(names)
  for _, encoded in ipairs(names) do release(self, encoded, "unknown") end
end

return cause

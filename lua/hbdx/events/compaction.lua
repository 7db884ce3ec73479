--- Compactions as they were: the store's line that one starts (what goes in), its line that it has
-- finished (what came out, how long it had waited) and the queue's line of the same (what went in,
-- in 1.x) become one. They share server, region, family and thread.
local compaction = {}

--- Kinds that Tracker:feed needs.
compaction.kinds = { "compaction_started", "compaction_finished", "compaction_request_finished",
  "compaction_failed" }

---@class hbdx.Compaction
---@field e hbdx.Event the line that it is counted by
---@field major boolean? nil: not told
---@field input_bytes integer?
---@field output_bytes integer?
---@field queue_ms integer?
---@field took_ms integer? between the stamps of its lines, else as the line says (whole seconds)

---@class hbdx.CompactionTracker
local Tracker = {}
Tracker.__index = Tracker

--- A tracker for the events of one server, in order of time.
---@param emit fun(c: hbdx.Compaction) called once for each compaction that ended well
---@param unfinished fun(e: hbdx.Event) called for each that was seen to start only
---@return hbdx.CompactionTracker
function compaction.tracker(emit, unfinished)
  return setmetatable({ emit = emit, unfinished = unfinished, open = {}, done_ones = {} }, Tracker)
end

local function key_of(e)
  return table.concat({ e.encoded or "", e.family or "", e.thread or "" }, "\0")
end

local function take(list, key)
  local value = list[key]
  list[key] = nil
  return value
end

local function release(self, key)
  local c = take(self.done_ones, key)
  if c then self.emit(c) end
end

local function took(start, e)
  if start and start.t_ms and e.t_ms then return e.t_ms - start.t_ms end
  return e.f.took_ms
end

local FEED = {}

function FEED.compaction_started(self, key, e)
  release(self, key)
  local before = take(self.open, key)
  if before then self.unfinished(before) end
  self.open[key] = e
end

function FEED.compaction_finished(self, key, e)
  release(self, key)
  local start = take(self.open, key)
  local major = e.f.major
  if major ~= nil then major = major == 1 end
  self.done_ones[key] = { e = e, major = major, output_bytes = e.f.output_bytes,
    queue_ms = e.f.queue_ms, input_bytes = start and start.f.input_bytes, took_ms = took(start, e) }
end

function FEED.compaction_request_finished(self, key, e)
  local c = take(self.done_ones, key)
  local start = take(self.open, key)
  c = c or { e = e, took_ms = took(start, e), input_bytes = start and start.f.input_bytes }
  c.input_bytes = c.input_bytes or e.f.input_bytes
  self.emit(c)
end

function FEED.compaction_failed(self, key)
  release(self, key)
  self.open[key] = nil
end

--- Takes the next event.
---@param e hbdx.Event with thread
function Tracker:feed(e)
  local feed = FEED[e.kind]
  if feed then feed(self, key_of(e), e) end
end

--- Ends: what is still open has not finished.
function Tracker:done()
  for _, c in pairs(self.done_ones) do self.emit(c) end
  for _, e in pairs(self.open) do self.unfinished(e) end
  self.done_ones, self.open = {}, {}
end

return compaction

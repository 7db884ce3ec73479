--- How long regions and servers held writers back. A region stalls from the line that delays its
-- flush until that flush begins (at most as long as the line says), and from one refused write to
-- the next if they are at most 30 s apart. A server stalls from a handler's line that updates are
-- blocked until that handler goes on. Times of one region, or of one server's handlers, overlap:
-- the length is that of their union, never their sum.
local window = require "hbdx.pattern.window"

local stall = {}

--- Kinds that Tracker:feed needs.
stall.kinds = { "flush_delayed", "flush_waited", "flush_finished", "region_closed",
  "region_too_busy", "updates_blocked", "updates_unblocked" }

local REFUSAL_MS = 30000 -- clients come again sooner
local BLOCK_MS = 60000   -- without a line of a handler that waits (it writes one every 5 s or less)

---@class hbdx.StallGroup
---@field server_id integer?
---@field encoded string? nil: the whole server
---@field table_name string?
---@field delayed integer flushes
---@field refused integer writes
---@field blocked integer lines of handlers that wait
---@field first_ms integer? where its first span begins
---@field last_ms integer? where its last span ends
---@field ms integer? length of all; of lines without a time the longest that one tells
---@field spans hbdx.Span[]

---@class hbdx.StallTracker
local Tracker = {}
Tracker.__index = Tracker

--- A tracker for the events of one server, in order of time.
---@param emit fun(g: hbdx.StallGroup) called once for each region and for the server
---@return hbdx.StallTracker
function stall.tracker(emit)
  return setmetatable({ emit = emit, groups = {}, delays = {}, blocks = {}, refusals = {} },
                      Tracker)
end

local function group(self, e)
  local key = e.encoded or e.table_name or ""
  local g = self.groups[key]
  if not g then
    g = { server_id = e.server_id, encoded = e.encoded, table_name = e.table_name, delayed = 0,
      refused = 0, blocked = 0, spans = {} }
    self.groups[key] = g
  end
  g.table_name = g.table_name or e.table_name
  return g
end

local function span(g, from_ms, to_ms)
  if from_ms and to_ms >= from_ms then
    g.spans[#g.spans + 1] = { from_ms = from_ms, to_ms = to_ms }
  end
end

-- The delayed flush of a region began, or never will.
local function flushed(self, encoded, t_ms)
  local delay = encoded and self.delays[encoded]
  if not delay or not t_ms then return end
  self.delays[encoded] = nil
  span(delay.group, delay.from_ms, math.max(delay.from_ms, math.min(t_ms, delay.most_ms or t_ms)))
end

local FEED = {}

function FEED.flush_delayed(self, e)
  local g = group(self, e)
  g.delayed = g.delayed + 1
  if not e.encoded or not e.t_ms then return end
  local delay = self.delays[e.encoded] or { group = g, from_ms = e.t_ms }
  if delay.most_ms and delay.most_ms < e.t_ms then -- how it ended was not seen
    span(g, delay.from_ms, delay.most_ms)
    delay = { group = g, from_ms = e.t_ms }
  end
  delay.most_ms = e.f.up_to_ms and e.t_ms + e.f.up_to_ms
  self.delays[e.encoded] = delay
end

function FEED.flush_finished(self, e)
  flushed(self, e.encoded, e.t_ms and e.t_ms - (e.f.took_ms or 0))
end

function FEED.flush_waited(self, e) flushed(self, e.encoded, e.t_ms) end
function FEED.region_closed(self, e) flushed(self, e.encoded, e.t_ms) end

function FEED.region_too_busy(self, e)
  if e.f.reason == "lock" then return end
  local g = group(self, e)
  g.refused = g.refused + 1
  if not e.t_ms then return end
  local run = self.refusals[g]
  if run and e.t_ms - run.to_ms <= REFUSAL_MS then
    run.to_ms = e.t_ms
  else
    span(g, e.t_ms, e.t_ms)
    self.refusals[g] = g.spans[#g.spans]
  end
end

local function block_key(e) return (e.thread or "") .. "\0" .. (e.encoded or "") end

function FEED.updates_blocked(self, e)
  local g = group(self, e)
  g.blocked = g.blocked + 1
  if not e.t_ms then
    g.told_ms = math.max(g.told_ms or 0, e.f.blocked_ms or 0)
    return
  end
  local from_ms = e.t_ms - (e.f.blocked_ms or 0)
  local key = block_key(e)
  local block = self.blocks[key]
  if block and from_ms - block.to_ms > BLOCK_MS then -- its end was not seen
    span(g, block.from_ms, block.to_ms)
    block = nil
  end
  block = block or { group = g, from_ms = from_ms }
  block.from_ms, block.to_ms = math.min(block.from_ms, from_ms), e.t_ms
  self.blocks[key] = block
end

function FEED.updates_unblocked(self, e)
  local key = block_key(e)
  local block = self.blocks[key]
  if not block or not e.t_ms then return end
  self.blocks[key] = nil
  local seen = e.t_ms - block.to_ms <= BLOCK_MS
  span(block.group, block.from_ms, seen and e.t_ms or block.to_ms)
end

--- Takes the next event.
---@param e hbdx.Event with thread
function Tracker:feed(e)
  local feed = FEED[e.kind]
  if feed then feed(self, e) end
end

--- Ends. A delay whose flush was not seen has no length.
function Tracker:done()
  for _, block in pairs(self.blocks) do span(block.group, block.from_ms, block.to_ms) end
  for _, delay in pairs(self.delays) do span(delay.group, delay.from_ms, delay.from_ms) end
  for _, g in pairs(self.groups) do
    g.spans = window.spans(g.spans)
    g.ms = #g.spans > 0 and window.length(g.spans) or (g.told_ms or 0) > 0 and g.told_ms or nil
    local first, last = g.spans[1], g.spans[#g.spans]
    g.first_ms, g.last_ms = first and first.from_ms, last and last.to_ms
    self.emit(g)
  end
end

return stall

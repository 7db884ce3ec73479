--- Windows in which the block cache's hit ratio fell from what is usual for that server, and
-- whether blocks were evicted meanwhile. A ratio over few requests is no ratio; a fall without
-- evictions is a cold cache (a restart, new files after a compaction), not a sweep.
local window = require "hbdx.pattern.window"

local fall = {}

---@class hbdx.Fall
---@field server hbdx.Server
---@field low hbdx.Window[] fell, while evictions surged
---@field cold hbdx.Window[] fell without evictions
---@field other hbdx.Window[] the rest of those with enough requests
---@field usual number hit percent that is usual for this server
---@field low_percent number? over all low windows together
---@field other_percent number? over the others together
---@field evicted number? a second, in the low windows
---@field evicted_else number? a second, else

local function requests(w)
  local h, m = w.d["cache.hits_caching"], w.d["cache.misses_caching"]
  if not (h and m) then h, m = w.d["cache.hits"], w.d["cache.misses"] end
  if h and m then return h, h + m end
end
fall.requests = requests

--- Hit percent over windows together; nil when nothing was asked.
---@param windows hbdx.Window[]
---@return number?
function fall.percent(windows)
  local hits, all = 0, 0
  for _, w in ipairs(windows) do
    local h, n = requests(w)
    if h then hits, all = hits + h, all + n end
  end
  return all > 0 and 100 * hits / all or nil
end

local function eviction_rate(w)
  local n = w.d["cache.evictions"]
  return n and n / w.seconds
end

-- Windows with enough requests, each with its own hit percent in w.percent.
local function usable(frame, min_requests)
  local list, asked = {}, 0
  for _, w in ipairs(frame.windows) do
    local hits, n = requests(w)
    asked = asked + (n or 0)
    if n and n >= min_requests then
      w.percent = 100 * hits / n
      list[#list + 1] = w
    end
  end
  return list, asked
end

local function percents(list)
  local values = {}
  for i, w in ipairs(list) do values[i] = w.percent end
  return values
end

-- Evictions that are usual: the median rate of the windows that did not fall.
local function usual_evictions(list, floor)
  local values = {}
  for _, w in ipairs(list) do
    local rate = eviction_rate(w)
    if rate and w.percent > floor then values[#values + 1] = rate end
  end
  return window.quantile(values, 0.5) or 0
end

local function surges(w, usual_rate, p)
  local rate = eviction_rate(w)
  return rate and w.d["cache.evictions"] >= p.min_evicted and rate >= p.surge * usual_rate
end

-- One fall: what is usual is what was before it, for afterwards the cache is still filling again.
-- Falls that come back have no before.
local function before_the_fall(r)
  if #window.spans(r.low, 660000) ~= 1 then return r.other end
  local before = {}
  for _, w in ipairs(r.other) do
    if w.to_ms <= r.low[1].from_ms then before[#before + 1] = w end
  end
  return #before >= 3 and before or r.other
end

local function judge(case, frame, p)
  local list, asked = usable(frame, p.min_requests)
  local r = { server = frame.server, low = {}, cold = {}, other = {}, asked = asked,
    usable = #list }
  if #list == 0 then return r end
  r.usual = window.quantile(percents(list), 0.75)
  local floor = r.usual - p.sag
  local usual_rate = usual_evictions(list, floor)
  for _, w in ipairs(list) do
    local kind = w.percent > floor and "other" or surges(w, usual_rate, p) and "low" or "cold"
    if kind ~= "low" or case:in_focus(w.from_ms, w.to_ms) then table.insert(r[kind], w) end
  end
  r.other = before_the_fall(r)
  r.low_percent, r.other_percent = fall.percent(r.low), fall.percent(r.other)
  r.evicted = window.rate(r.low, "cache.evictions")
  r.evicted_else = window.rate(r.other, "cache.evictions")
  return r
end

--- Judges each server's frame.
---@param case hbdx.Case
---@param frames hbdx.Frame[] with cache.* counters
---@param p table { sag = points, surge = times, min_requests, min_evicted }
---@return hbdx.Fall[]
function fall.find(case, frames, p)
  local list = {}
  for i, frame in ipairs(frames) do list[i] = judge(case, frame, p) end
  return list
end

return fall

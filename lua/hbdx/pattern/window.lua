--- Windows between dumps: sums, rates and extremes over some of them, and spans of time made of
-- them. A sum over nothing is nil, not zero.
local time = require "hbdx.core.time"

local window = {}

--- What a counter grew by over windows.
---@param windows hbdx.Window[]
---@param name string metric
---@return number? sum nil: no window tells
---@return number seconds of the windows that tell
function window.sum(windows, name)
  local sum, seconds = nil, 0
  for _, w in ipairs(windows) do
    local d = w.d[name]
    if d then sum, seconds = (sum or 0) + d, seconds + w.seconds end
  end
  return sum, seconds
end

--- Growth per second over windows.
---@param windows hbdx.Window[]
---@param name string
---@return number?
function window.rate(windows, name)
  local sum, seconds = window.sum(windows, name)
  return sum and seconds > 0 and sum / seconds or nil
end

--- The largest value of a gauge (or of a counter's growth per second) and its window.
---@param windows hbdx.Window[]
---@param name string
---@return number?
---@return hbdx.Window?
function window.worst(windows, name)
  local worst, at
  for _, w in ipairs(windows) do
    local v = w.g[name] or w.d[name] and w.d[name] / w.seconds
    if v and v == v and (not worst or v > worst) then worst, at = v, w end
  end
  return worst, at
end

--- The value of which q of the list are smaller or equal (nearest rank); percentiles of HBase are
-- never averaged, so the usual one is a median.
---@param values number[]
---@param q number 0 to 1
---@return number?
function window.quantile(values, q)
  if #values == 0 then return nil end
  local sorted = table.move(values, 1, #values, 1, {})
  table.sort(sorted)
  return sorted[math.max(1, math.ceil(q * #sorted))]
end

--- The median of a gauge over windows.
---@param windows hbdx.Window[]
---@param name string
---@return number?
function window.usual(windows, name)
  local values = {}
  for _, w in ipairs(windows) do
    local v = w.g[name]
    if v and v == v then values[#values + 1] = v end
  end
  return window.quantile(values, 0.5)
end

--- a / b as "times as much": infinite where b is zero and a is not; nil where either is unknown.
---@param a number?
---@param b number?
---@return number?
function window.times(a, b)
  if not a or not b then return nil end
  if b == 0 then return a > 0 and math.huge or 1 end
  return a / b
end

---@class hbdx.Span
---@field from_ms integer
---@field to_ms integer

--- Joins windows (or anything with from_ms and to_ms) that are at most slack_ms apart, in time
-- order.
---@param list hbdx.Span[]
---@param slack_ms number?
---@return hbdx.Span[]
function window.spans(list, slack_ms)
  local sorted = table.move(list, 1, #list, 1, {})
  table.sort(sorted, function(a, b) return a.from_ms < b.from_ms end)
  local spans = {}
  for _, w in ipairs(sorted) do
    local last = spans[#spans]
    if last and w.from_ms <= last.to_ms + (slack_ms or 0) then
      last.to_ms = math.max(last.to_ms, w.to_ms)
    else
      spans[#spans + 1] = { from_ms = w.from_ms, to_ms = w.to_ms }
    end
  end
  return spans
end

--- Spans of instants that are at most slack_ms apart.
---@param instants integer[]
---@param slack_ms number
---@return hbdx.Span[]
function window.clusters(instants, slack_ms)
  local list = {}
  for i, t in ipairs(instants) do list[i] = { from_ms = t, to_ms = t } end
  return window.spans(list, slack_ms)
end

--- Whether [from_ms, to_ms] touches any of the spans.
---@param spans hbdx.Span[]
---@param from_ms integer?
---@param to_ms integer?
---@return boolean
function window.touches(spans, from_ms, to_ms)
  if not from_ms then return false end
  for _, s in ipairs(spans) do
    if from_ms <= s.to_ms and (to_ms or from_ms) >= s.from_ms then return true end
  end
  return false
end

--- The total length of spans.
---@param spans hbdx.Span[]
---@return number ms
function window.length(spans)
  local ms = 0
  for _, s in ipairs(spans) do ms = ms + s.to_ms - s.from_ms end
  return ms
end

--- How much of the spans some windows cover, 0 to 1. An instant is covered by a window that it is
--- in.
---@param spans hbdx.Span[]
---@param windows hbdx.Span[]
---@return number
function window.covered(spans, windows)
  local all, ms = 0, 0
  for _, s in ipairs(spans) do
    local long = math.max(1, s.to_ms - s.from_ms)
    all = all + long
    for _, w in ipairs(window.spans(windows)) do
      local common = math.min(s.from_ms + long, w.to_ms) - math.max(s.from_ms, w.from_ms)
      ms = ms + math.max(0, common)
    end
  end
  return all > 0 and ms / all or 0
end

--- The spans as a finding's affected.windows, with their words in the cluster's zone.
---@param case hbdx.Case
---@param spans hbdx.Span[]
---@return table[]
function window.affected(case, spans)
  local list = {}
  for i, s in ipairs(spans) do
    list[i] = { from_ms = s.from_ms, to_ms = s.to_ms, text = window.text(case, s) }
  end
  return list
end

local function zone_words(offset_ms)
  if offset_ms == 0 then return "UTC" end
  local minutes = math.abs(offset_ms) // 60000
  return ("UTC%s%02d:%02d"):format(offset_ms < 0 and "-" or "+", minutes // 60, minutes % 60)
end
window.zone_words = zone_words

local function clock(c, seconds)
  local s = ("%02d:%02d"):format(c.hour, c.minute)
  return seconds and s .. (":%02d"):format(c.second) or s
end

--- A span's times of day in the cluster's zone: "21:42:06-21:43:53", whole
-- minutes from two on.
---@param case hbdx.Case
---@param s hbdx.Span
---@param with_day boolean? put "11-30 " before it
---@return string
function window.clock(case, s, with_day)
  local offset, seconds = case:offset(), s.to_ms - s.from_ms < 120000
  local a, b = time.civil(s.from_ms + offset), time.civil(s.to_ms + offset)
  local text = clock(a, seconds)
  if s.to_ms - s.from_ms >= 60000 or text ~= clock(b, seconds) then
    text = text .. "-" .. clock(b, seconds)
  end
  return with_day and ("%02d-%02d "):format(a.month, a.day) .. text or text
end

--- A span in words: "2026-11-30 21:42:06-21:43:53 UTC", whole minutes when it is long, "to" between
-- two days.
---@param case hbdx.Case
---@param s hbdx.Span
---@return string
function window.text(case, s)
  local offset, seconds = case:offset(), s.to_ms - s.from_ms < 600000
  local a, b = time.civil(s.from_ms + offset), time.civil(s.to_ms + offset)
  local function day(c) return ("%04d-%02d-%02d"):format(c.year, c.month, c.day) end
  local from, to = clock(a, seconds), "-" .. clock(b, seconds)
  if day(a) ~= day(b) then
    to = (" to %s %s"):format(day(b), clock(b, seconds))
  elseif from == clock(b, seconds) then
    to = ""
  end
  return ("%s %s%s %s"):format(day(a), from, to, zone_words(offset))
end

return window

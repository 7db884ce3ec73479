--- Does it come back at the same time of day? Spans of several days are laid over one another in
-- the cluster's zone.
local time = require "hbdx.core.time"
local window = require "hbdx.pattern.window"

local nightly = {}

local DAY = 86400000

local function local_day(ms, offset) return (ms + offset) // DAY end
local function time_of_day(ms, offset) return (ms + offset) % DAY end

local function clock(ms) return ("%02d:%02d"):format(ms // 3600000, ms // 60000 % 60) end

---@class hbdx.Recurrence
---@field text string "every night 02:00-02:40 UTC (3 of 3 nights)", or the one span in words
---@field days integer days on which it came
---@field of integer days on which that time of day was observed
---@field from_clock string? "02:00"
---@field minutes integer? length of the band
---@field daily boolean it came on at least two days, and on most of those that were observed

-- The days on which any observed window touches the band of the day.
local function observed_days(observed, offset, from, to)
  local days, n = {}, 0
  for _, w in ipairs(observed) do
    for day = local_day(w.from_ms, offset), local_day(w.to_ms, offset) do
      local a, b = day * DAY - offset + from, day * DAY - offset + to
      if w.from_ms < b and w.to_ms > a and not days[day] then days[day], n = true, n + 1 end
    end
  end
  return n
end

-- The band of the day that covers all spans, or nil when they are spread over more than six hours.
local function band(spans, offset)
  local from, to = DAY, 0
  for _, s in ipairs(spans) do
    local a = time_of_day(s.from_ms, offset)
    from, to = math.min(from, a), math.max(to, a + s.to_ms - s.from_ms)
  end
  if to - from <= 6 * 3600000 then return from, to end
end

--- Describes how spans recur.
---@param case hbdx.Case
---@param spans hbdx.Span[]
---@param observed hbdx.Span[] windows in which it could have been seen
---@return hbdx.Recurrence
function nightly.describe(case, spans, observed)
  local offset = case:offset()
  local seen, days = {}, 0
  for _, s in ipairs(spans) do
    local day = local_day(s.from_ms, offset)
    if not seen[day] then seen[day], days = true, days + 1 end
  end
  local from, to = band(spans, offset)
  if days < 2 or not from then
    local texts = {}
    for i = 1, math.min(#spans, 3) do texts[i] = window.text(case, spans[i]) end
    if #spans > 3 then texts[4] = ("and %d more"):format(#spans - 3) end
    return { text = table.concat(texts, ", "), days = days, of = days, daily = false }
  end
  local of = math.max(days, observed_days(observed, offset, from, to))
  local hour = time.civil(spans[1].from_ms + offset).hour
  local word = (hour < 6 or hour >= 21) and "night" or "day"
  return { text = ("every %s %s-%s %s (%d of %d %ss)"):format(word, clock(from), clock(to % DAY),
             window.zone_words(offset), days, of, word),
           days = days, of = of, from_clock = clock(from), minutes = (to - from + 59999) // 60000,
           daily = days * 2 > of }
end

--- When it happened, for the finding: what recurs in one line first, then each span.
---@param case hbdx.Case
---@param spans hbdx.Span[]
---@param r hbdx.Recurrence
---@return table[]
function nightly.affected(case, spans, r)
  local windows = window.affected(case, spans)
  if r.daily then
    table.insert(windows, 1, { text = r.text, from_ms = windows[1].from_ms,
                               to_ms = windows[#windows].to_ms })
  end
  return windows
end

--- The command that looks at the same time again.
---@param id string playbook
---@param r hbdx.Recurrence
---@return string
function nightly.verify(id, r)
  if r.daily then
    return ("tomorrow: hbdx run %s SOURCE --window %s+%dm"):format(id, r.from_clock, r.minutes)
  end
  return ("after the change: hbdx run %s SOURCE"):format(id)
end

return nightly

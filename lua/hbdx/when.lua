--- Times as people type them: RFC 3339, "2026-11-30 21:42", "02:00", "mon 02:00", "-2h". What has
-- no date or no zone is read in the cluster's zone, on the last day that the case covers.
local time = require "hbdx.core.time"

local when = {}

local DAY = 86400000
local LONGEST = 36525 * DAY -- no log goes back a century
local UNITS = { ms = 1, s = 1000, m = 60000, min = 60000, h = 3600000, d = DAY }
local WEEKDAYS = { sun = 0, mon = 1, tue = 2, wed = 3, thu = 4, fri = 5, sat = 6 }

when.help =
  "2026-11-30T21:42:00Z, '2026-11-30 21:42', 02:00, 'mon 02:00', -2h (before the case's end)"

--- A duration: "40m", "90s", "1.5h", "250ms", a century at most.
---@param text string
---@return number? ms
function when.duration(text)
  local n, unit = text:match("^(%d+%.?%d*)(%a+)$")
  local ms = n and UNITS[unit] and tonumber(n) * UNITS[unit]
  return ms and ms <= LONGEST and ms or nil
end

local function clock(text)
  local h, m, s = text:match("^(%d%d?):(%d%d)$"), text:match("^%d%d?:(%d%d)$"), 0
  if not h then h, m, s = text:match("^(%d%d?):(%d%d):(%d%d)$") end
  h, m, s = tonumber(h), tonumber(m), tonumber(s)
  if h and h < 24 and m < 60 and s < 60 then return ((h * 60 + m) * 60 + s) * 1000 end
end

-- An offset as the zone's name: 7200000 -> "+02:00".
local function zone_of(offset_ms)
  local minutes = math.abs(offset_ms) // 60000
  return ("%s%02d:%02d"):format(offset_ms < 0 and "-" or "+", minutes // 60, minutes % 60)
end

-- The last day (in local days since 1970) up to `last` on which that time has come.
local function last_day(of_day, last_local, weekday)
  local day = last_local // DAY
  if day * DAY + of_day > last_local then day = day - 1 end
  if weekday then day = day - (day + 4 - weekday) % 7 end
  return day
end

--- Reads a time.
---@param text string
---@param span table { to_ms = end of the case, offset = of the cluster's zone, ms }
---@return integer? ms UTC
---@return string? message
---@return integer? period ms after which it comes again: the text names no day
function when.parse(text, span)
  local back = text:match("^%-(.+)$")
  if back then
    local ms = when.duration(back)
    if ms and span.to_ms then return math.floor(span.to_ms - ms) end
  end
  local exact = time.parse(text, zone_of(span.offset))
  if exact then return exact end
  local day_name, rest = text:lower():match("^(%a%a%a)%a*%s+(.+)$")
  local of_day = clock(rest or text)
  if of_day and span.to_ms and (not day_name or WEEKDAYS[day_name]) then
    local last_local = span.to_ms + span.offset
    local day = last_day(of_day, last_local, day_name and WEEKDAYS[day_name])
    return day * DAY + of_day - span.offset, nil, day_name and 7 * DAY or DAY
  elseif of_day and not span.to_ms then
    return nil, ("'%s' needs a date: nothing that was read tells a time"):format(text)
  end
  return nil, ("'%s' is no time; write %s"):format(text, when.help)
end

-- "02:00+40m" -> from, to
local function band(text, span)
  local from_text, length = text:match("^(.+)%+(%w+%.?%w*)$")
  local ms = length and when.duration(length)
  if not ms then
    return nil, ("--window takes TIME+LENGTH, such as 02:00+40m, not '%s'"):format(text)
  end
  local from, message = when.parse(from_text, span)
  if not from then return nil, message end
  return from, math.floor(from + ms)
end

-- --from and --to. Of two times one of which names no day, that one is the nearest to the other, so
-- that 23:30 to 00:30 goes over midnight and "mon 02:00" to 04:00 ends on that Monday.
local function bounds(given, span)
  local ms, period = {}, {}
  for _, name in ipairs { "from", "to" } do
    if given[name] then
      local message
      ms[name], message, period[name] = when.parse(given[name], span)
      if not ms[name] then return nil, "--" .. name .. ": " .. message end
    end
  end
  local from, to = ms.from, ms.to
  if from and to then
    if period.to then
      to = from + (to - from) % period.to
    elseif period.from then
      from = to - (to - from) % period.from
    end
    if from >= to then
      return nil, ("--from %s is not before --to %s"):format(given.from, given.to)
    end
  end
  return { from_ms = from, to_ms = to }
end

---@class hbdx.When
---@field from_ms integer? cut what is before
---@field to_ms integer? cut what is after
---@field focus hbdx.Span? only what touches it counts as an incident; the rest is what is usual

--- Reads --from, --to, --at and --window.
---@param given table<string, string>
---@param span table see when.parse
---@return hbdx.When? w
---@return string? message
function when.read(given, span)
  local w, message = bounds(given, span)
  if not w then return nil, message end
  if given.at then
    local at, wrong = when.parse(given.at, span)
    if not at then return nil, "--at: " .. wrong end
    local length = given.window and when.duration(given.window) or 20 * 60000
    if given.window and not when.duration(given.window) then
      return nil, "with --at, --window takes a length such as 20m"
    end
    w.focus = { from_ms = at - length // 2, to_ms = at + length // 2 }
  elseif given.window then
    local from, to = band(given.window, span)
    if not from then return nil, to end
    w.focus = { from_ms = from, to_ms = to }
  end
  return w
end

return when

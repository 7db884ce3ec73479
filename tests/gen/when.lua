--- Instants in milliseconds since 1970 UTC, and their forms in file names and logs. Pure
-- arithmetic: neither the machine's clock nor its zone is asked.
local when = { second = 1000, minute = 60000, hour = 3600000, day = 86400000 }

local function days_of(y, m, d)
  if m <= 2 then y = y - 1 end
  local era = y // 400
  local yoe = y - era * 400
  local doy = (153 * (m + (m > 2 and -3 or 9)) + 2) // 5 + d - 1
  return era * 146097 + yoe * 365 + yoe // 4 - yoe // 100 + doy - 719468
end

local function date_of(days)
  local z = days + 719468
  local era = z // 146097
  local doe = z - era * 146097
  local yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
  local doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
  local mp = (5 * doy + 2) // 153
  local m = mp + (mp < 10 and 3 or -9)
  return yoe + era * 400 + (m <= 2 and 1 or 0), m, doy - (153 * mp + 2) // 5 + 1
end

--- "2026-10-06 02:00" or "2026-10-06 02:00:05" in a zone that is offset minutes east of UTC.
---@param text string
---@param offset integer? -- minutes
---@return integer -- ms
function when.at(text, offset)
  local y, m, d, h, min, s = text:match("^(%d+)-(%d+)-(%d+) (%d+):(%d+):?(%d*)$")
  assert(y, "not an instant: " .. text)
  local day = days_of(tonumber(y), tonumber(m), tonumber(d))
  return day * when.day + tonumber(h) * when.hour + (tonumber(min) - (offset or 0)) * when.minute
         + (tonumber(s) or 0) * 1000
end

-- the civil parts of an instant, as string.format wants them
local function parts(ms, offset)
  local t = ms + (offset or 0) * when.minute
  local y, m, d = date_of(t // when.day)
  return y, m, d, t // when.hour % 24, t // when.minute % 60, t // 1000 % 60, t % 1000
end

--- The stamp of a log line: "2026-10-06T02:00:05,123"; sep is "T" (log4j2) or " ".
---@param ms integer
---@param offset integer -- minutes
---@param sep string
---@return string
function when.stamp(ms, offset, sep)
  local y, m, d, h, min, s, milli = parts(ms, offset)
  return string.format("%04d-%02d-%02d%s%02d:%02d:%02d,%03d", y, m, d, sep, h, min, s, milli)
end

--- For a file name: "2026-10-06T02-00-05Z", or with the zone "2026-10-06T04-00-05+0200".
---@param ms integer
---@param offset integer -- minutes
---@return string
function when.name(ms, offset)
  local y, m, d, h, min, s = parts(ms, offset)
  local zone = "Z"
  if offset ~= 0 then zone = string.format("+%02d%02d", offset // 60, offset % 60) end
  return string.format("%04d-%02d-%02dT%02d-%02d-%02d%s", y, m, d, h, min, s, zone)
end

--- Minutes since local midnight, with the fraction of a minute.
---@param ms integer
---@param offset integer -- minutes
---@return number
function when.minute_of_day(ms, offset)
  return (ms + offset * when.minute) % when.day / when.minute
end

--- Instants from first to last, every so many ms.
---@param first integer
---@param last integer
---@param every integer
---@return integer[]
function when.every(first, last, every)
  local list = {}
  for t = first, last, every do list[#list + 1] = t end
  return list
end

--- Several lists as one, ascending, without doubles.
---@param lists integer[][]
---@return integer[]
function when.merge(lists)
  local seen, all = {}, {}
  for _, list in ipairs(lists) do
    for _, t in ipairs(list) do
      if not seen[t] then seen[t], all[#all + 1] = true, t end
    end
  end
  table.sort(all)
  return all
end

return when

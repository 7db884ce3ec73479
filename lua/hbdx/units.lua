--- Numbers as people read them: one place decides digits, separators and unit words.
local units = {}

--- The units that evidence may carry, and what each means.
units.known = {
  percent = "0 to 100",
  ratio = "0 to 1",
  bytes = "bytes, shown in binary multiples",
  ms = "milliseconds",
  count = "things",
  per_s = "things a second",
  x = "times as much",
  points = "percentage points",
  rows = "rows",
  text = "words",
}

local BINARY = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" }

--- Groups the digits of an integer by thousands: 41200 -> "41,200".
---@param n number rounded to the nearest integer
---@return string
function units.group(n)
  local text = (math.type(n) == "integer" and "%d" or "%.0f"):format(n)
  local sign, digits = text:match("^(%-?)(%d+)$")
  if not digits then return text end
  local head = (#digits - 1) % 3 + 1
  return sign .. digits:sub(1, head) .. digits:sub(head + 1):gsub("%d%d%d", ",%0")
end

--- "1 window", "1,494 flushes".
---@param n number
---@param one string
---@param many string? default: one and an s
---@return string
function units.plural(n, one, many)
  return units.group(n) .. " " .. (n == 1 and one or many or one .. "s")
end

--- A size in binary multiples: 13743895347 -> "12.8 GiB", 65011712 -> "62 MiB".
---@param n number bytes
---@return string
function units.bytes(n)
  local size, unit, sign = math.abs(n), nil, n < 0 and "-" or ""
  for _, name in ipairs(BINARY) do
    if size < 1024 then break end
    size, unit = size / 1024, name
  end
  if not unit then return ("%s%.0f B"):format(sign, size) end
  if unit == "KiB" or unit == "MiB" then
    return sign .. ((size >= 10 and "%.0f" or "%.1f"):format(size)) .. " " .. unit
  end
  return sign .. (("%.2f"):format(size):gsub("%.?0+$", "")) .. " " .. unit
end

--- A duration: 151 -> "151 ms", 4200 -> "4.2 s", 2400000 -> "40 min".
---@param ms number milliseconds
---@return string
function units.duration(ms)
  local size = math.abs(ms)
  if size < 1000 then
    return (ms == math.floor(ms) and "%.0f ms" or "%.1f ms"):format(ms)
  elseif size < 120000 then
    return (ms % 1000 == 0 and "%.0f s" or "%.1f s"):format(ms / 1000)
  elseif size < 7200000 then
    return ("%.0f min"):format(ms / 60000)
  elseif size < 172800000 then
    return ("%.1f h"):format(ms / 3600000)
  end
  return ("%.1f days"):format(ms / 86400000)
end

local function decimals(n)
  local size = math.abs(n)
  if size >= 100 or n == math.floor(n) then return units.group(n) end
  return (size >= 10 and "%.1f" or "%.2f"):format(n)
end

local FORMATS = {
  -- 99.96 is not 100.0
  percent = function(n)
    return (n > 99.9 and n < 100 and "%.2f %%" or "%.1f %%"):format(n)
  end,
  ratio = function(n) return ("%.3f"):format(n) end,
  bytes = units.bytes,
  ms = units.duration,
  count = decimals,
  rows = function(n) return decimals(n) .. " rows" end,
  per_s = function(n) return decimals(n) .. "/s" end,
  x = function(n) return (n == math.huge) and "from none" or decimals(n) .. " x" end,
  points = function(n) return ("%+.1f pts"):format(n) end,
}

--- A value with its unit, for people.
---@param value number|string|nil
---@param unit string? a key of units.known; nil reads as "count"
---@return string "unknown" for nil and NaN
function units.format(value, unit)
  if value == nil or value ~= value then return "unknown" end
  if type(value) ~= "number" then return tostring(value) end
  local format = FORMATS[unit or "count"]
  return format and format(value) or tostring(value)
end

return units

--- How Java, Hadoop and HBase print numbers.
local java = {}

local UNITS = { "K", "M", "G", "T" }

local function scale(n)
  local i, unit = 0, 1
  while n >= unit * 1024 and i < #UNITS do i, unit = i + 1, unit * 1024 end
  return i, unit
end

--- Hadoop's byteDesc: "12 B", "1.52 MB", "128 MB".
---@param n integer
---@return string
function java.bytes(n)
  local i, unit = scale(n)
  if i == 0 then return string.format("%d B", n) end
  local form = n % unit == 0 and "%.0f %sB" or "%.2f %sB"
  return string.format(form, n / unit, UNITS[i])
end

--- Hadoop's binary prefix: "640", "1.5 G", "128 M".
---@param n integer
---@return string
function java.size(n)
  local i, unit = scale(n)
  if i == 0 then return string.format("%d", n) end
  return string.format(n % unit == 0 and "%.0f %s" or "%.1f %s", n / unit, UNITS[i])
end

--- HBase's humanSize: always one decimal.
---@param n integer
---@return string
function java.human(n)
  local i, unit = scale(n)
  if i == 0 then return string.format("%d", n) end
  return string.format("%.1f %s", n / unit, UNITS[i])
end

--- Hadoop's formatTimeDiff: "0sec", "1mins, 3sec".
---@param ms integer
---@return string
function java.duration(ms)
  local s = ms // 1000
  local out = string.format("%dsec", s % 60)
  if s >= 60 then out = string.format("%dmins, %s", s // 60 % 60, out) end
  if s >= 3600 then out = string.format("%dhrs, %s", s // 3600, out) end
  return out
end

-- the shortest digits that read back as x
local function shortest(x)
  for digits = 15, 17 do
    local text = string.format("%." .. digits .. "g", x)
    if tonumber(text) == x then return text end
  end
end

--- Double.toString where it needs no exponent: "97.81", "0.0".
---@param x number -- 0, or 0.001 <= |x| < 1E7
---@return string
function java.double(x)
  if x == 0 then return "0.0" end
  assert(math.abs(x) >= 0.001 and math.abs(x) < 1e7, "double needs an exponent")
  local text = shortest(x)
  return text:find(".", 1, true) and text or text .. ".0"
end

--- Bytes.toStringBinary: printable ASCII but the backslash, else \xHH.
---@param s string
---@return string
function java.binary(s)
  return (s:gsub("[\0-\x1F\\\x7F-\xFF]", function(c)
    return string.format("\\x%02X", c:byte())
  end))
end

--- Bytes between the quotes of protobuf's text format.
---@param s string
---@return string
function java.proto(s)
  local short = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ['"'] = '\\"', ["'"] = "\\'",
                  ["\\"] = "\\\\", ["\a"] = "\\a", ["\b"] = "\\b", ["\f"] = "\\f", ["\v"] = "\\v" }
  return (s:gsub("[\0-\x1F\"'\\\x7F-\xFF]", function(c)
    return short[c] or string.format("\\%03o", c:byte())
  end))
end

--- A JSON string; html: as Gson does with HTML escaping on.
---@param s string
---@param html boolean?
---@return string
function java.quote(s, html)
  s = s:gsub('[\\"]', "\\%0"):gsub("\n", "\\n")
  if html then
    s = s:gsub("[<>&='']", function(c) return string.format("\\u%04x", c:byte()) end)
  end
  return '"' .. s .. '"'
end

return java

--- Typed values as people write them: "32g", "0.4", "3,8,16", "2.5.8".
-- Used for options of commands, arguments of amp and values of settings, so that a size means the
-- same everywhere. A reader returns the value, or nil and what would have been right.
local version = require "hbdx.version"

local value = {}

local SUFFIX = { [""] = 1, b = 1, k = 2 ^ 10, m = 2 ^ 20, g = 2 ^ 30, t = 2 ^ 40, p = 2 ^ 50 }
local MAX_BYTES <const> = 2 ^ 53 -- larger ones are not exact as a double

--- A whole number that a product of decimals misses by its last bits is that number.
local function cut(n)
  local up = math.ceil(n)
  return math.tointeger(up - n <= n * 2 ^ -50 and up or math.floor(n))
end

local function plain_number(text)
  if type(text) == "number" then return text end
  return text:match("^[%d.]+[eE]?[+-]?%d*$") and tonumber(text) or nil
end

--- "32g", "256m", "128MiB", "13.75 GiB", "4096": units are binary, a plain number is bytes.
---@param text string|number
---@return integer? bytes
---@return string? message
function value.size(text)
  local digits, unit = tostring(text):match("^%s*([%d.]+[eE]?%+?%d*)%s*(%a*)%s*$")
  local number = digits and tonumber(digits)
  local factor = unit and SUFFIX[unit:lower():gsub("i?b$", "")]
  if not number or not factor then
    return nil, 'a size such as 32g, 512m, 13.75GiB or a number of bytes is expected'
  end
  local bytes = number * factor
  if bytes > MAX_BYTES then return nil, "that is more than 8 PiB" end
  return cut(bytes)
end

---@param text string|number
---@return number?
---@return string? message
function value.number(text)
  local n = plain_number(text)
  if not n then return nil, "a number of 0 or more is expected" end
  return n
end

---@param text string|number
---@return integer?
---@return string? message
function value.integer(text)
  local n = plain_number(text)
  n = n and math.tointeger(n)
  if not n then return nil, "a whole number of 0 or more is expected" end
  return n
end

--- A part of one: "0.4", or "40%".
---@param text string|number
---@return number?
---@return string? message
function value.ratio(text)
  local percent = type(text) == "string" and text:match("^([%d.]+)%s*%%$")
  local n = plain_number(percent or text)
  if not n then return nil, "a number from 0 to 1 is expected, or one such as 40%" end
  if percent then n = n / 100 end
  if not (n >= 0 and n <= 1) then return nil, "it must be from 0 to 1" end
  return n
end

--- Numbers, separated by commas.
---@param text string|number
---@return number[]?
---@return string? message
function value.list(text)
  local list = {}
  for word in (tostring(text) .. ","):gmatch("%s*([^,]*),") do
    local n = plain_number((word:gsub("%s+$", "")))
    if not n then return nil, "numbers with commas between them are expected" end
    list[#list + 1] = n
  end
  return list
end

--- A version of HBase.
---@param text string|number|hbdx.Version
---@return hbdx.Version?
---@return string? message
function value.version(text)
  local v = version.parse(text)
  if not v then return nil, "a version of HBase is expected, such as 2.5.8 or 1.4" end
  return v
end

--- Bytes for a person: three or four digits, and always one decimal from a gibibyte on.
---@param bytes number
---@return string
function value.size_text(bytes)
  local units = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" }
  local size, at = bytes, 1
  while size >= 1024 and at < #units do size, at = size / 1024, at + 1 end
  local digits
  if at >= 4 then
    digits = ("%.2f"):format(size):gsub("(%.%d)0$", "%1")
  else
    digits = ((at == 1 or size >= 10) and "%.0f" or "%.1f"):format(size)
  end
  return digits .. " " .. units[at]
end

return value

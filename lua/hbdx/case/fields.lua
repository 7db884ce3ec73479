--- An event's own fields: from their JSON to a table, without what cannot be. A line that tells of
-- 30 years, or of a moment that no calendar has, was damaged and does not tell.
local json = require "hbdx.core.json"

local M = {}

local LONGEST <const> = 1e12
local LAST <const> = 253402214400000 -- the last moment that every zone can name

local function can_be(name, value)
  if math.type(value) == nil then return value ~= json.null end
  if name == "start_ms" then return value >= 0 and value < LAST end
  return not name:find("_ms$") or math.abs(value) <= LONGEST
end

--- The fields of an event.
---@param text string? JSON; nil: it has none
---@return table<string, any>
function M.read(text)
  return M.clean(text and json.decode(text) or {})
end

--- Takes out of fields what cannot be.
---@param f table<string, any> changed
---@return table<string, any> f
function M.clean(f)
  for name, value in pairs(f) do
    if not can_be(name, value) then f[name] = nil end
  end
  return f
end

return M

--- The shape of a scan: what its request asks for apart from row keys, which would tear every group
-- apart and are nobody's business. What a request does not tell has no word.
local json = require "hbdx.core.json"

local shape = {}

--- The columns of call that make a shape.
shape.columns = { "filters", "has_start_row", "has_stop_row", "caching", "cache_blocks" }

---@class hbdx.Shape
---@field filters string? class names, joined by commas
---@field has_start_row integer? 0 or 1
---@field has_stop_row integer?
---@field caching integer?
---@field cache_blocks integer?

local function row_word(told, name)
  return told and (told == 1 and name or "no " .. name)
end

--- Whether anything of it is told.
---@param row hbdx.Shape
---@return boolean
function shape.told(row)
  return (row.filters or row.has_start_row or row.has_stop_row or row.caching
    or row.cache_blocks) ~= nil
end

--- In words: "filter PageFilter, no start row, stop row, caching 100, cache_blocks true".
---@param row hbdx.Shape
---@return string? words nil: nothing of it is told
function shape.words(row)
  local list = {}
  local function put(word) if word then list[#list + 1] = word end end
  put(row.filters and "filter " .. row.filters)
  put(row_word(row.has_start_row, "start row"))
  put(row_word(row.has_stop_row, "stop row"))
  put(row.caching and ("caching %d"):format(row.caching))
  put(row.cache_blocks and "cache_blocks " .. (row.cache_blocks == 1 and "true" or "false"))
  return #list > 0 and table.concat(list, ", ") or nil
end

local function truth(v)
  if v == nil then return nil end
  return v == 1
end

--- For machines; what is not told is absent.
---@param row hbdx.Shape
---@return table
function shape.object(row)
  local filters
  if row.filters then
    filters = json.array()
    for name in row.filters:gmatch "[^,]+" do filters[#filters + 1] = name end
  end
  return { filters = filters, start_row = truth(row.has_start_row),
           stop_row = truth(row.has_stop_row), caching = row.caching,
           cache_blocks = truth(row.cache_blocks) }
end

return shape

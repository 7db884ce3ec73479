--- Groups that differ in what is told of their scans' shape alone. A log that cuts its requests
-- tells less than a dump of the ring buffer does: where no two calls contradict each other, the
-- group is one, with all that any of them tells.
local shape = require "hbdx.slowlog.shape"

local M = {}

--- The values of some columns as one text.
---@param columns string[]
---@param key table
---@return string
function M.name(columns, key)
  local parts = {}
  for i, column in ipairs(columns) do
    local v = key[column]
    local text = v ~= nil and tostring(v)
    parts[i] = text and #text .. ":" .. text or "-"
  end
  return table.concat(parts)
end

-- All that the groups tell of the shape; nil where two contradict each other.
local function union(groups)
  local all = {}
  for _, g in ipairs(groups) do
    for _, column in ipairs(shape.columns) do
      local v = g.key[column]
      if v ~= nil and all[column] ~= nil and all[column] ~= v then return nil end
      if v ~= nil then all[column] = v end
    end
  end
  return all
end

local function told(groups)
  local calls = 0
  for _, g in ipairs(groups) do calls = calls + (shape.told(g.key) and g.calls or 0) end
  return calls
end

local function sum_hours(groups)
  local all = {}
  for _, g in ipairs(groups) do
    for at, n in pairs(g.hours) do all[at] = (all[at] or 0) + n end
  end
  return all
end

local function buckets_of(groups, rest)
  local buckets, order = {}, {}
  for _, g in ipairs(groups) do
    local name = M.name(rest, g.key)
    if not buckets[name] then
      buckets[name] = {}
      order[#order + 1] = name
    end
    table.insert(buckets[name], g)
  end
  return buckets, order
end

--- Folds. `shape_calls` of a group is how many of its calls tell something of its shape.
---@param groups table[] by `rest` and the columns of the shape, with their hours
---@param rest string[] the other columns
---@param digest fun(): table[] the groups by `rest`
---@return table[]
function M.run(groups, rest, digest)
  local buckets, order = buckets_of(groups, rest)
  local out, whole = {}, nil
  for _, name in ipairs(order) do
    local bucket = buckets[name]
    local all = #bucket > 1 and union(bucket)
    for _, g in ipairs(bucket) do g.shape_calls = shape.told(g.key) and g.calls or 0 end
    if all then
      whole = whole or buckets_of(digest(), rest)
      local g = whole[name][1]
      for column, v in pairs(all) do g.key[column] = v end
      g.hours, g.shape_calls = sum_hours(bucket), told(bucket)
      bucket = { g }
    end
    table.move(bucket, 1, #bucket, #out + 1, out)
  end
  return out
end

return M

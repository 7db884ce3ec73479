--- The arithmetic of a RegionServer, for playbooks and the shell.
-- Every function takes one table; sizes may be numbers of bytes or text such as "32g". A wrong or
-- missing argument raises; numbers that cannot be computed give nil, message, code. What each
-- takes and gives is in amp.doc, and `help "amp.NAME"` shows it.
local core = require "hbdx.core.amp"
local doc = require "hbdx.amp.doc"
local value = require "hbdx.value"

local amp = { doc = doc }

local READERS = { size = value.size, ratio = value.ratio, number = value.number,
  integer = value.integer, version = value.version }

local function read(name, param, given)
  if given == nil then
    if param.default == nil and param.required then
      error(("amp.%s: %s is missing: %s"):format(name, param.name, param.help), 4)
    end
    given = param.default
  end
  if given == nil then return nil end
  local v, message = READERS[param.type](given)
  if v == nil then error(("amp.%s: %s: %s"):format(name, param.name, message), 4) end
  return param.type == "version" and v.number or v
end

local function known(params, key)
  for _, param in ipairs(params) do
    if param.name == key then return true end
  end
end

--- The arguments of amp.NAME by the names that the core uses.
local function arguments(name, given)
  if type(given) ~= "table" then
    error(("amp.%s: a table of arguments is expected"):format(name), 3)
  end
  local params, read_ones = doc[name].params, {}
  for key in pairs(given) do
    if not known(params, key) then
      error(("amp.%s: it takes no argument %s"):format(name, tostring(key)), 3)
    end
  end
  for _, param in ipairs(params) do
    read_ones[param.core or param.name] = read(name, param, given[param.name])
  end
  return read_ones
end

---@param t table heap=, memstore=, lower_limit=, cache=, flush_size=, active_regions=, families=,
--- offheap_memstore=
---@return table? result see amp.doc.heap
---@return string? message
---@return string? code
function amp.heap(t)
  return core.heap(arguments("heap", t))
end

---@param t table files=, files_with_row=, bloom_fp=, cache_hit=
---@return table? result see amp.doc.get_cost
---@return string? message
---@return string? code
function amp.get_cost(t)
  return core.get(arguments("get_cost", t))
end

---@param t table scanned=, returned=, filtered=, live=
---@return table? result see amp.doc.rows
---@return string? message
---@return string? code
function amp.rows(t)
  return core.rows(arguments("rows", t))
end

---@param t table handlers=, factor=, read_ratio=, scan_ratio=, version=
---@return table? result see amp.doc.queues
---@return string? message
---@return string? code
function amp.queues(t)
  return core.queues(arguments("queues", t))
end

---@param t table memstore=, blocksize=, multiplier=, version=
---@return table? result see amp.doc.wals
---@return string? message
---@return string? code
function amp.wals(t)
  return core.wal(arguments("wals", t))
end

---@param t table files=, min=, blocking=
---@return number? pressure
---@return string? message
---@return string? code
function amp.compaction_pressure(t)
  return core.pressure(arguments("compaction_pressure", t))
end

---@param t table pressure=, lower=, upper=
---@return number? bytes_per_s math.huge: no limit
---@return string? message
---@return string? code
function amp.compaction_throughput(t)
  return core.throughput(arguments("compaction_throughput", t))
end

---@param t table heap=, memstore=, lower_limit=, flush_size=
---@return integer? regions
---@return string? message
---@return string? code
function amp.regions_for(t)
  local a = arguments("regions_for", t)
  a.cache_fraction, a.active_regions, a.families, a.offheap_memstore_bytes = 0, 0, 1, 0
  local out, message, code = core.heap(a)
  if not out then return nil, message, code end
  return out.regions_at_full_flush
end

---@param t table regions=, flush_size=, lower_limit=, heap=
---@return table? result see amp.doc.memstore_needed
---@return string? message
---@return string? code
function amp.memstore_needed(t)
  local a = arguments("memstore_needed", t)
  if a.regions < 0 or a.lower_limit <= 0 then
    return nil, "regions and lower_limit must be more than 0", "range"
  end
  local bytes = a.regions * a.flush_size / a.lower_limit
  if bytes >= 2 ^ 53 then return nil, "that is more than 8 PiB of memstore", "range" end
  bytes = math.ceil(bytes)
  return { memstore_bytes = bytes, memstore_fraction = a.heap and bytes / a.heap,
    fits = a.heap and bytes / a.heap <= 0.8 }
end

return amp

--- The dictionary of metrics: our name for a quantity, and how each HBase spells it.
-- The data is in hbdx/metric/*.lua, one file a subject. A spelling is a bean as the core names it
-- ("RegionServer.Server") and an attribute; they stand in order of preference. `scale` turns the
-- attribute's unit into ours (MemHeapUsedM is MiB, heap.used is bytes): multiply by it.
local version = require "hbdx.version"

local metric = {}

---@class hbdx.Spelling
---@field bean string a "*" in it stands for a port number
---@field name string attribute
---@field since string? "2.4.14 2.5.1 2.6": see hbdx.version
---@field until_ string? the last branch that has it
---@field scale number? our value is the attribute's times this
---@field on_use boolean? there only after it was used once

---@class hbdx.Metric
---@field name string
---@field kind string counter|gauge|percentile|lifetime_percent
---@field unit string percent|ratio|bytes|ms|count|per_s
---@field what string
---@field region_sum boolean a sum over the regions online now: falls when one leaves
---@field reset string process|regions|region|snapshot|flush|master|never
---@field spellings hbdx.Spelling[]
---@field labels string[]? "table", "region": there is a series for each
---@field moves string? what makes it change
---@field healthy string? what it looks like when all is well
---@field traps string[] how it misleads
---@field see string[] metrics, settings, events, amp functions

local PARTS = { "cache", "store", "memstore", "request", "ipc", "wal", "jvm", "label", "master" }
local RESET = { counter = "process", lifetime_percent = "process", percentile = "snapshot",
  gauge = "never" }

local function spellings_of(at, bean)
  local list = {}
  for i, s in ipairs(at) do
    list[i] = { bean = s.bean or bean, name = s[1], since = s.since, until_ = s.until_,
      scale = s.scale, on_use = s.on_use }
  end
  return list
end

local function entry_of(name, raw, bean)
  return {
    name = name, kind = raw.kind, unit = raw.unit, what = raw.what,
    region_sum = raw.region_sum or false,
    reset = raw.reset or raw.region_sum and "regions" or RESET[raw.kind],
    spellings = spellings_of(raw.at, bean), labels = raw.labels, moves = raw.moves,
    healthy = raw.healthy, traps = raw.traps or {}, see = raw.see or {},
  }
end

local function load_all()
  local by_name, by_attribute = {}, {}
  for _, part in ipairs(PARTS) do
    local raw = require("hbdx.metric." .. part)
    for name, one in pairs(raw) do
      if name ~= "bean" then
        assert(not by_name[name], name)
        by_name[name] = entry_of(name, one, raw.bean)
      end
    end
  end
  for name, entry in pairs(by_name) do
    for _, spelling in ipairs(entry.spellings) do
      local key = spelling.name:lower()
      by_attribute[key] = by_attribute[key] or {}
      by_attribute[key][name] = true
    end
  end
  return by_name, by_attribute
end

local by_name, by_attribute = load_all()

---@param name string ours: "cache.evictions"
---@return hbdx.Metric? nil: no such metric
function metric.get(name)
  return by_name[name]
end

---@return string[] sorted
function metric.names()
  local names = {}
  for name in pairs(by_name) do names[#names + 1] = name end
  table.sort(names)
  return names
end

--- The metrics that an attribute of HBase is read for; letter case does not matter.
---@param attribute string "blockCacheEvictionCount"
---@return hbdx.Metric[] by name; empty: none
function metric.spelled(attribute)
  local names, list = {}, {}
  for name in pairs(by_attribute[attribute:lower()] or {}) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do list[i] = by_name[name] end
  return list
end

--- All attribute names that some metric is read from, sorted.
---@return string[]
function metric.attributes()
  local set, names = {}, {}
  for _, entry in pairs(by_name) do
    for _, spelling in ipairs(entry.spellings) do set[spelling.name] = true end
  end
  for name in pairs(set) do names[#names + 1] = name end
  table.sort(names)
  return names
end

--- Does this version have the attribute under that spelling?
---@param spelling hbdx.Spelling
---@param v hbdx.Version
---@return boolean
function metric.in_version(spelling, v)
  if spelling.until_ and v.number > version.parse(spelling.until_).number then return false end
  return version.since(v, spelling.since)
end

return metric

--- The dictionary of settings: what each is, its default in each HBase, and what comes of a value.
-- The data is in hbdx/setting/*.lua: { unit, default, what, ... }. A default is one text, or steps
-- { from_version, text }; false: not set. It is what hbase-default.xml ships, and the code's own
-- where that has nothing. The rules by which HBase bends a value are in hbdx.setting.rules.
local value = require "hbdx.value"
local version = require "hbdx.version"

local setting = {}

---@class hbdx.Setting
---@field name string
---@field unit string bytes|mb|ms|s|count|number|ratio|boolean|text|bucket
---@field what string
---@field steps table[] { from_version, text or false }, oldest first
---@field aliases string[] other names under which HBase looks, with the same meaning
---@field older string[] older names that mean something else
---@field code boolean in the code alone: not in /conf unless it is set
---@field online boolean taken over by update_config, without a restart
---@field since string?
---@field until_ string? the last branch that reads it
---@field table_level string? the attribute of a table or family that goes before it
---@field note string?
---@field see string[]

local PARTS = { "memstore", "compaction", "rpc", "wal" }
local OLDEST <const>, NEWEST <const> = "1.0", "3.0"
local MIB <const> = 1048576

local function entry_of(name, raw)
  local unit, default, what = table.unpack(raw, 1, 3)
  return {
    name = name, unit = unit, what = what,
    steps = type(default) == "table" and default or { { OLDEST, default } },
    aliases = raw.aliases or {}, older = raw.older or {}, code = raw.code or false,
    online = raw.online or false, since = raw.since, until_ = raw.until_,
    table_level = raw.table_level, note = raw.note, see = raw.see or {},
  }
end

local by_name, by_alias = {}, {}
for _, part in ipairs(PARTS) do
  for name, raw in pairs(require("hbdx.setting." .. part)) do
    assert(not by_name[name], name)
    by_name[name] = entry_of(name, raw)
  end
end
for _, entry in pairs(by_name) do
  for _, alias in ipairs(entry.aliases) do by_alias[alias] = entry end
end

--- The entry of a setting; of an alias the setting that it stands for.
---@param name string
---@return hbdx.Setting? nil: not in the dictionary
function setting.get(name)
  return by_name[name] or by_alias[name]
end

--- All names, also aliases and older ones, sorted.
---@return string[]
function setting.names()
  local names = {}
  for name, entry in pairs(by_name) do
    names[#names + 1] = name
    for _, alias in ipairs(entry.aliases) do names[#names + 1] = alias end
    for _, old in ipairs(entry.older) do names[#names + 1] = old end
  end
  table.sort(names)
  return names
end

--- The setting that an older name of another meaning belongs to.
---@param name string
---@return hbdx.Setting?
function setting.older(name)
  for _, entry in pairs(by_name) do
    for _, old in ipairs(entry.older) do
      if old == name then return entry end
    end
  end
end

--- Reads a version; of one that the tables do not have, the nearest branch that they do.
---@param text string|hbdx.Version|nil
---@return hbdx.Version
---@return boolean known false: not told, or not in the tables
function setting.version_from(text)
  local v = text and version.parse(text)
  local oldest, newest = version.parse(OLDEST), version.parse(NEWEST)
  if not v then return newest, false end
  if v.number < oldest.number then return oldest, false end
  if v.number > newest.number then return newest, false end
  return v, true
end

local function step_of(entry, v)
  local text
  for _, step in ipairs(entry.steps) do
    if version.at_least(v, step[1]) then text = step[2] end
  end
  return text
end

local function exists(entry, v)
  if entry.until_ and v.number > version.parse(entry.until_).number then return false end
  return version.since(v, entry.since)
end

local function origin_of(v, known, given)
  if known then return "default of HBase " .. v.branch end
  local told = given and version.parse(given)
  return ("default of HBase %s (%s)"):format(v.branch,
    told and told.branch .. " is not in our tables" or "version not known")
end

--- What HBase takes when nobody sets it.
---@param name string
---@param given string|hbdx.Version|nil version; nil: the newest's default
---@return string? text nil: not set, or no such setting in that version
---@return string origin "default of HBase 2.5", or why there is none
---@return boolean known false: the version is not known, the value that of the nearest
function setting.default(name, given)
  local entry = setting.get(name)
  local v, known = setting.version_from(given)
  if not entry then return nil, "not in our dictionary", known end
  if not exists(entry, v) then return nil, "not in HBase " .. v.branch, known end
  local text = step_of(entry, v)
  local other = text and text:match("^%${(.+)}$")
  if other then text = setting.default(other, given) end
  return text or nil, origin_of(v, known, given), known
end

local function bucket_size(text)
  local n = tonumber(text)
  if not n then return nil end
  return n < 1 and n or math.floor(n * MIB)
end

local function plain(text)
  local n = tonumber((text:gsub("[fFdDlL]$", "")))
  return n and (math.tointeger(n) or n)
end

local BOOLEAN = { ["true"] = true, ["false"] = false }
local READ = {
  bytes = function(text) return plain(text) or value.size(text) end,
  mb = function(text)
    local n = plain(text)
    return n and math.floor(n * MIB)
  end,
  bucket = bucket_size,
  ms = plain, s = plain, count = plain, number = plain, ratio = plain,
  boolean = function(text) return BOOLEAN[text:lower()] end,
  text = function(text) return text end,
}

--- A value as a number of bytes, ms or things, as a boolean, or as the text it is.
---@param name string
---@param text string
---@return number|boolean|string|nil value nil: cannot be read as that
function setting.typed(name, text)
  local entry = setting.get(name) or setting.older(name)
  local trimmed = tostring(text):match("^%s*(.-)%s*$")
  return READ[entry and entry.unit or "text"](trimmed)
end

--- Whether HBase could run with such a value: a share from 0 to 1, a whole number of things, a
--- number where one is expected.
---@param name string
---@param v number|boolean|string|nil of setting.typed
---@return boolean
function setting.sound(name, v)
  local entry = setting.get(name) or setting.older(name)
  local unit = entry and entry.unit or "text"
  if unit == "text" or unit == "boolean" then return v ~= nil end
  if type(v) ~= "number" or v ~= v or math.abs(v) > 2 ^ 63 then return false end
  if unit == "ratio" then return v >= 0 and v <= 1 end
  return unit ~= "count" or math.type(v) == "integer"
end

---@class hbdx.Effective
---@field name string the name that decided
---@field text string?
---@field value number|boolean|string|nil
---@field origin string
---@field note string? what HBase made of it

--- What HBase makes of what is set: names it falls back to, bounds it keeps, values it derives.
---@param name string
---@param lookup fun(name: string): string?, string? what is set, and where; nil: not set
---@param given string|hbdx.Version|nil version
---@return hbdx.Effective? nil: not set and no default
function setting.effective(name, lookup, given)
  return require("hbdx.setting.rules").effective(setting, name, lookup, given)
end

return setting

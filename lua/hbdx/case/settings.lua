--- Which value of a setting is in force in a case, and how we know: told by /conf or a site file,
-- else the default of that version. Names that HBase has renamed are looked up under all of theirs.
local setting = require "hbdx.setting"
local units = require "hbdx.units"
local version = require "hbdx.case.version"

local M = {}

local LONGEST = 60 -- bytes of a value that cannot be, in words

---@class hbdx.SettingValue
---@field name string the name it was found under
---@field text string
---@field value number|boolean|string by the setting's unit: bytes, ms, a number, or the text
---@field origin string "hbase-site.xml:13", "/conf", "default of HBase 2.5"
---@field is_default boolean nobody set it
---@field assumed boolean? no configuration was read, or what it says cannot be: it may well be set,
--- and nothing should follow from the default alone
---@field other string? a contradicting value that another source or line tells

-- The rows of a name that apply to a server: its own first, then those of no server.
local function rows_of(case, name, server_id)
  return case.core:rows([[
    SELECT t.value, t.resource, t.line, t.is_final, t.server_id, s.name AS source, s.kind
    FROM setting t JOIN source s ON s.id = t.source_id
    WHERE t.name = ? AND t.value IS NOT NULL AND (?2 = 0 OR t.server_id IS NULL OR t.server_id = ?2)
    ORDER BY t.server_id IS NULL, s.id, t.id]], { name, server_id or 0 })
end

local function by_hand(row)
  return not (row.resource or ""):find("%-default%.xml$")
end

-- Within a site file the last wins unless an earlier one is final; a value set by hand beats a
-- default that /conf lists.
local function in_force(rows)
  local best
  for _, row in ipairs(rows) do
    if not best or (by_hand(row) and not by_hand(best))
       or (by_hand(row) == by_hand(best) and row.source == best.source and best.is_final ~= 1) then
      best = row
    end
  end
  return best
end

-- Set by HBase itself while it runs, such as the port it got; the spelling is Hadoop's.
local function by_program(row)
  return (row.resource or ""):find("^program") ~= nil
end

-- A line of what a server answered leads nobody anywhere.
local function origin_of(row)
  local named = row.line and not row.source:find("://", 1, true)
  local place = named and ("%s:%d"):format(row.source, row.line) or row.source
  if row.resource and row.resource ~= "" and not row.source:find(row.resource, 1, true) then
    return ("%s via %s"):format(row.resource, place)
  end
  return place
end

local function contradiction(rows, best)
  for _, row in ipairs(rows) do
    if by_hand(row) and row.value ~= best.value and not by_program(best) then
      return ("%s says %s"):format(origin_of(row), row.value)
    end
  end
end

local function told(case, name, server_id)
  local rows = rows_of(case, name, server_id)
  local best = in_force(rows)
  if not best then return nil end
  local number = setting.typed(name, best.value)
  if not setting.sound(name, number) then
    return nil, ("%s says '%s'"):format(origin_of(best), best.value:sub(1, LONGEST))
  end
  return { name = name, text = best.value, value = number, origin = origin_of(best),
           is_default = not by_hand(best), other = contradiction(rows, best) }
end

--- The value in force, its origin, and who contradicts it.
---@param case hbdx.Case
---@param name string
---@param server_id integer?
---@return hbdx.SettingValue?
function M.get(case, name, server_id)
  local key = ("setting %s %s"):format(name, server_id)
  local found = case.cache[key]
  if found ~= nil then return found or nil end
  local unsound
  found, unsound = told(case, name, server_id)
  local entry = setting.get(name)
  for _, alias in ipairs(entry and entry.aliases or {}) do
    if found and not found.is_default then break end
    local other = told(case, alias, server_id)
    if other and not other.is_default then found = other end
  end
  if not found then
    local text, origin = setting.default(name, (version.get(case, server_id)))
    found = text and { name = name, text = text, value = setting.typed(name, text), origin = origin,
                       is_default = true, assumed = unsound ~= nil or not case:has("settings"),
                       other = unsound } or nil
  end
  case.cache[key] = found or false
  return found
end

-- Rows of one name in order; the values that somebody set, each with the first place that says so.
local function values_of(rows)
  local list, seen = {}, {}
  for _, row in ipairs(rows) do
    if by_hand(row) and not by_program(row) and not seen[row.value] then
      list[#list + 1], seen[row.value] = row, true
    end
  end
  return list
end

local function disagreement(name, list)
  local words = {}
  for i = 1, math.min(3, #list) do
    words[i] = ("%s in %s"):format(list[i].value, origin_of(list[i]))
  end
  if #list > 3 then words[4] = "and " .. units.plural(#list - 3, "more value") end
  return ("%s is told differently: %s"):format(name, table.concat(words, ", "))
end

-- Values that HBase could not run with; it must run with others. A default that is the name of
-- another setting is HBase's own way.
local function unsound_words(case, matters)
  local out = {}
  for row in case.core:each [[
      SELECT t.name, t.value, t.resource, t.line, s.name AS source
      FROM setting t JOIN source s ON s.id = t.source_id WHERE t.value IS NOT NULL
      GROUP BY t.name, t.value ORDER BY t.name, t.value]] do
    local v = setting.typed(row.name, row.value)
    local named = not by_hand(row) and row.value:find("${", 1, true)
    if matters(row.name) and not named and not setting.sound(row.name, v) then
      out[#out + 1] = ("%s cannot be '%s' (%s); not used"):format(row.name,
        row.value:sub(1, LONGEST), origin_of(row))
    end
  end
  return out
end

-- Which settings a report tells of, among those that hbdx knows.
local function matter(names)
  local set = {}
  for _, name in ipairs(names or {}) do set[name] = true end
  return function(name) return setting.get(name) and (not names or set[name]) end
end

--- Settings that hbdx knows and that are told with different values: twice in one file, by two
--- sources of one server, or by two servers.
---@param case hbdx.Case
---@param only string[]? names; nil: all
---@return string[] in words, by name
function M.contradictions(case, only)
  local matters = matter(only)
  local by_name, names, out = {}, {}, {}
  for row in case.core:each [[
      SELECT t.name, t.value, t.resource, t.line, s.name AS source
      FROM setting t JOIN source s ON s.id = t.source_id WHERE t.value IS NOT NULL AND t.name IN (
        SELECT name FROM setting WHERE value IS NOT NULL
        GROUP BY name HAVING count(DISTINCT value) > 1)
      ORDER BY t.name, s.id, t.id]] do
    if not by_name[row.name] then by_name[row.name], names[#names + 1] = {}, row.name end
    table.insert(by_name[row.name], row)
  end
  for _, words in ipairs(unsound_words(case, matters)) do out[#out + 1] = words end
  for _, name in ipairs(names) do
    local list = matters(name) and values_of(by_name[name]) or {}
    if #list > 1 then out[#out + 1] = disagreement(name, list) end
  end
  return out
end

return M

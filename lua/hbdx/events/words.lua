--- The own fields of events in words: units are read from the ends of their names.
local eventdoc = require "hbdx.eventdoc"
local time = require "hbdx.core.time"
local units = require "hbdx.units"

local words = {}

-- Truths, as what they say when they hold; when they do not, nothing is said.
local FLAGS = { major = "major", all_files = "of all files", cumulative = "since the start",
  compaction_requested = "compaction requested", offheap = "off heap" }

-- Of no use to somebody who reads.
local SILENT = { sequence_id = true, all_families = true, server = true }

local CALL = { "method", "client", "user", "proc_ms", "queue_ms", "response_bytes" }

-- Ends of names, the longer first: how a number of theirs is written.
local UNITS = {
  { "_bytes_per_s$", function(v) return units.bytes(v) .. "/s" end },
  { "_bytes$", units.bytes },
  { "_ms$", units.duration },
}

-- Of what the field does not name: of several collections of a pause, gc_ms is the sum.
local LABELS = { gc = "longest gc", gc_ms = "all gc" }

-- Kinds whose lines tell whole seconds: "in 0sec".
local IN_SECONDS = { compaction_finished = true, compaction_request_finished = true,
  region_split = true, region_merged = true }

local function label_of(name)
  if LABELS[name] then return LABELS[name] end
  for _, unit in ipairs(UNITS) do
    if name:find(unit[1]) then
      name = name:gsub(unit[1], "")
      break
    end
  end
  return (name:gsub("_", " "))
end

-- What goes over several lines in a log is one here.
local function flat(s) return (s:gsub("%s*\n%s*", " ")) end

local function one(name, value, kind)
  if math.type(value) == nil then return flat(tostring(value)) end
  if name == "took_ms" and value == 0 and IN_SECONDS[kind] then return "under 1 s" end
  if name == "start_ms" then return time.format(value) end
  for _, unit in ipairs(UNITS) do
    if name:find(unit[1]) then return unit[2](value) end
  end
  return math.type(value) == "integer" and units.group(value) or ("%g"):format(value)
end

--- The fields of a kind in their order, then others.
---@param kind string
---@param f table<string, any>
---@return string[]
function words.names(kind, f)
  local doc, seen, list = eventdoc.get(kind), {}, {}
  for _, name in ipairs(doc and doc.fields or CALL) do
    if f[name] ~= nil then list[#list + 1], seen[name] = name, true end
  end
  local rest = {}
  for name in pairs(f) do
    if not seen[name] then rest[#rest + 1] = name end
  end
  table.sort(rest)
  return table.move(rest, 1, #rest, #list + 1, list)
end

--- The fields of one event: "data 3.1 MiB, took 675 ms".
---@param kind string
---@param f table<string, any>
---@return string
function words.of(kind, f)
  local list = {}
  for _, name in ipairs(words.names(kind, f)) do
    if FLAGS[name] then
      if f[name] == 1 then list[#list + 1] = FLAGS[name] end
    elseif not SILENT[name] then
      list[#list + 1] = label_of(name) .. " " .. one(name, f[name], kind)
    end
  end
  return table.concat(list, ", ")
end

local MOST = 3 -- different texts of a field that are shown

--- Adds the fields of an event to a fold of several.
---@param fold table<string, table> empty for the first
---@param f table<string, any>
function words.add(fold, f)
  for name, value in pairs(f) do
    local s = fold[name] or { texts = {} }
    fold[name] = s
    if math.type(value) then
      s.low, s.high = math.min(s.low or value, value), math.max(s.high or value, value)
      s.n = (s.n or 0) + 1
    elseif not s.texts[value] then
      if #s.texts < MOST then
        s.texts[#s.texts + 1], s.texts[value] = value, true
      else
        s.more = true
      end
    end
  end
end

local function range(name, s, kind)
  if not s.low then return flat(table.concat(s.texts, "; ")) .. (s.more and "; others" or "") end
  local low, high = one(name, s.low, kind), one(name, s.high, kind)
  return low == high and low or low .. " to " .. high
end

--- The fields of a fold: "took 34 ms to 1.2 s"; of several texts the first three.
---@param kind string
---@param fold table<string, table>
---@return string
function words.folded(kind, fold)
  local list = {}
  for _, name in ipairs(words.names(kind, fold)) do
    local s = fold[name]
    if FLAGS[name] then
      if s.high == 1 then list[#list + 1] = (s.low == 1 and "" or "some ") .. FLAGS[name] end
    elseif not SILENT[name] and name ~= "start_ms" then
      list[#list + 1] = label_of(name) .. " " .. range(name, s, kind)
    end
  end
  return table.concat(list, ", ")
end

return words

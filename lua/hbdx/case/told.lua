--- What a source's row tells of its lines, from its JSON to a table, without what cannot be: a case
-- may come from anywhere.
local json = require "hbdx.core.json"

local M = {}

local COUNTS = { "calls", "scans", "continuations", "foreign", "out_of_order", "out_of_order_ms",
  "steps_back", "offset_votes", "offset_against", "doubtful", "missing" }
local MOST_OFFSET_MS <const> = 26 * 3600000
local LAST <const> = 253402214400000 -- the last moment that every zone can name

---@class hbdx.Told
---@field calls integer? all counts: nil is none
---@field scans integer? of clients
---@field events table<string, integer>? by kind
---@field continuations integer? lines that belong to a record before them
---@field foreign integer? lines that belong to none
---@field out_of_order integer? lines with a stamp before that of the line above
---@field out_of_order_ms integer? the most of these
---@field steps_back integer? stamps that are 20 minutes or more before that of the line above
---@field offsets table[]? where clocks were changed: { offset_ms, until_ms }, the last without
---@field offset_votes integer? slow-call lines that tell the offset
---@field offset_against integer? and that contradict
---@field doubtful integer? records that a change of the clock may have put elsewhere
---@field missing integer? records of an hour that the zone leaves out

local function count(v)
  return math.type(v) == "integer" and v > 0 and v or nil
end

local function events_of(t)
  if type(t) ~= "table" then return nil end
  local out = {}
  for name, n in pairs(t) do
    if type(name) == "string" then out[name] = count(n) end
  end
  return next(out) and out or nil
end

local function offsets_of(t)
  if type(t) ~= "table" then return nil end
  local out = {}
  for i, o in ipairs(t) do
    local offset = type(o) == "table" and o.offset_ms
    local until_ms = offset and count(o.until_ms)
    local good = math.type(offset) == "integer" and math.abs(offset) <= MOST_OFFSET_MS
      and (not until_ms or until_ms < LAST) and (until_ms ~= nil) == (i < #t)
    if not good then return nil end
    out[i] = { offset_ms = offset, until_ms = until_ms }
  end
  return #out > 1 and out or nil
end

--- The facts of a source.
---@param text string? JSON; nil: there are none
---@return hbdx.Told
function M.read(text)
  local t, out = text and json.decode(text), {}
  if type(t) ~= "table" then return out end
  for _, name in ipairs(COUNTS) do out[name] = count(t[name]) end
  out.events, out.offsets = events_of(t.events), offsets_of(t.offsets)
  return out
end

return M

--- After everything has been read: what does a log's clock show, where the log does not say it?
-- That of other logs of its server, the nearest in time where they do not all show the same, else
-- of all logs where they agree, else this machine's.
local time = require "hbdx.core.time"

local clocks = {}

local OF_SERVER, OF_LOGS, OF_MACHINE = "other logs of the same server", "other logs",
  "this machine's zone"

--- Origins of an offset that are no log's own.
clocks.guesses = { [OF_SERVER] = true, [OF_LOGS] = true, [OF_MACHINE] = true }

local function has_server(entry)
  return entry.server and entry.server ~= ""
end

-- Local stamps that an offset is known of, and those it has at their ends.
local function span_of(e)
  local first = e.offsets and e.offsets[1].offset_ms or e.offset_ms
  return { from = (e.first_ms or 0) + first, to = (e.last_ms or 0) + e.offset_ms, first = first,
    last = e.offset_ms }
end

--- server -> spans of its logs, "" -> the one offset of all logs; false where they disagree.
local function known_offsets(entries)
  local known = {}
  for _, e in ipairs(entries) do
    if e.kind == "log" and e.offset_ms and e.offset_origin and e.offset_origin ~= "unknown" then
      local span = span_of(e)
      if known[""] == nil then known[""] = span.first end
      if known[""] ~= span.first or span.first ~= span.last then known[""] = false end
      if has_server(e) then
        known[e.server] = known[e.server] or {}
        table.insert(known[e.server], span)
      end
    end
  end
  return known
end

-- The offset of the span that is nearest to the stamps [from, to]; whether those before and behind
-- it show the same.
local function nearest(spans, from, to)
  local before, behind
  for _, s in ipairs(spans) do
    if s.from > to then
      if not behind or s.from < behind.from then behind = s end
    elseif not before or s.to > before.to then
      before = s
    end
  end
  if not (before and behind) then return (before and before.last or behind.first), true end
  local nearer = behind.from - to < from - before.to
  return nearer and behind.first or before.last, before.last == behind.first
end

local function offset_text(ms)
  local minutes = math.abs(ms) // 60000
  return ("%s%02d:%02d"):format(ms < 0 and "-" or "+", minutes // 60, minutes % 60)
end
clocks.offset_text = offset_text

local function note(coverage, fmt, ...)
  coverage.notes[#coverage.notes + 1] = fmt:format(...)
end

-- This machine's zone, with its changes where there are any within the log.
local function by_machine(case, e)
  if e.clock then return case:set_zone(e.source, "local", e.clock, OF_MACHINE) end
  local offset = time.offset("local", e.first_ms) or 0
  return case:set_offset(e.source, offset, OF_MACHINE) and { offset_ms = offset }
end

-- What is known of other logs.
local function by_others(case, coverage, known, e)
  local spans = has_server(e) and known[e.server]
  local offset, origin, same = known[""], OF_LOGS, true
  if spans then
    origin, offset, same = OF_SERVER, nearest(spans, e.first_ms, e.last_ms or e.first_ms)
  end
  if not offset or not case:set_offset(e.source, offset, origin) then return false end
  if not same then
    note(coverage, "%s: its server's clock was changed within it or beside it, and no line of it "
      .. "tells when: taken as %s", e.name, offset_text(offset))
  end
  e.first_ms, e.last_ms = e.first_ms - offset, e.last_ms and e.last_ms - offset
  e.offset_ms, e.offset_origin = offset, origin
  return true
end

-- Stamps that clocks were changed at.
local function changes(coverage, e)
  if (e.doubtful or 0) > 0 then
    note(coverage, "%s: %d records are of the time in which its clock was changed, and nothing "
      .. "tells on which side of it: they may be off by the change", e.name, e.doubtful)
  end
  if (e.missing or 0) > 0 then
    note(coverage, "%s: %d records have stamps that the zone leaves out when clocks are changed: "
      .. "is it this log's zone?", e.name, e.missing)
  end
end

-- Logs whose clock other records tell than their own stamps.
local OPEN = { unknown = true, ["slow calls"] = true, ["start code"] = true }

-- The pieces of each rotated log that may be placed together, oldest first.
local function pieces(entries)
  local list, by = {}, {}
  for _, e in ipairs(entries) do
    local set = e.set
    if set and e.kind == "log" and e.clock and not e.duplicate and e.first_ms then
      if not by[set] then
        by[set] = { told = false }
        list[#list + 1] = by[set]
      end
      table.insert(by[set], e)
      by[set].told = by[set].told or e.offset_origin == "slow calls"
      by[set].closed = by[set].closed or not OPEN[e.offset_origin]
    end
  end
  return list
end

-- Rotated logs whose clock was changed: as if they were one log, for the change may be in one piece
-- and the calls that tell it in others.
local function join(case, entries)
  for _, set in ipairs(pieces(entries)) do
    local args = {}
    for i, e in ipairs(set) do
      args[i] = { source = e.source, clock = e.clock,
        origin = e.offset_origin == "unknown" and OF_SERVER or e.offset_origin }
    end
    local found = set.told and not set.closed and #args > 1 and case:join(args)
    for i, clock in ipairs(found or {}) do
      local e = set[i]
      if e.offset_origin == "unknown" then
        local first = clock.offsets and clock.offsets[1].offset_ms or clock.offset_ms
        e.first_ms, e.last_ms = e.first_ms - first, e.last_ms and e.last_ms - clock.offset_ms
      end
      e.offset_ms, e.offset_origin = clock.offset_ms, args[i].origin
      e.offsets, e.doubtful, e.missing = clock.offsets, clock.doubtful, clock.missing
    end
  end
end

--- Gives a clock to the logs that do not tell their zone.
---@param case userdata of hbdx.core.case
---@param coverage hbdx.Coverage
function clocks.offsets(case, coverage)
  join(case, coverage.entries)
  local known, guessed, offset_said = known_offsets(coverage.entries), 0, nil
  for _, e in ipairs(coverage.entries) do
    local open = e.offset_origin == "unknown" and e.first_ms and not e.duplicate
    if open and not by_others(case, coverage, known, e) then
      local found = by_machine(case, e)
      if found then
        guessed, offset_said = guessed + 1, found.offset_ms
        e.offset_ms, e.offset_origin, e.offsets = found.offset_ms, OF_MACHINE, found.offsets
        e.doubtful, e.missing = found.doubtful, found.missing
      end
    end
    e.clock = nil
    changes(coverage, e)
  end
  if guessed > 0 then
    local what = guessed == 1 and "1 log does not tell its" or guessed .. " logs do not tell their"
    note(coverage, "%s zone: taken as %s, this machine's; --log-tz ZONE says it", what,
      offset_text(offset_said))
  end
end

-- How a server's start is told, the surest first. A start code is of some seconds later.
local STARTS = {
  { "JMX", [[SELECT DISTINCT p.value AS start FROM series s JOIN sample p ON p.series_id = s.id
    JOIN server v ON v.id = s.server_id
    WHERE s.bean = 'java.lang:type=Runtime' AND s.name = 'StartTime' AND v.name = ?]] },
  { "start code", [[SELECT DISTINCT start_code AS start FROM snapshot n
    JOIN server v ON v.id = n.server_id WHERE start_code IS NOT NULL AND v.name = ?]] },
  { "start code", [[SELECT DISTINCT json_extract(fields, '$.server') AS name FROM event e
    JOIN server v ON v.id = e.server_id WHERE e.kind = 'server_started' AND v.name = ?]] },
}

--- The one start of a server that the case knows; nil: it knows none, or several.
local function start_of(case, server)
  for _, how in ipairs(STARTS) do
    local rows = case:rows(how[2], { server })
    local start = #rows == 1 and (rows[1].start or (rows[1].name or ""):match(",(%d+)$"))
    start = math.tointeger(tonumber(start))
    if start then return start, how[1] end
    if #rows > 1 then return nil end
  end
end

--- Gives a time to logs of collectors that count from their JVM's start.
---@param case userdata of hbdx.core.case
---@param coverage hbdx.Coverage
function clocks.starts(case, coverage)
  local lost = 0
  for _, e in ipairs(coverage.entries) do
    if e.kind == "gc" and e.offset_origin == "uptime" and not e.duplicate then
      local start, origin = nil, nil
      if has_server(e) then start, origin = start_of(case, e.server) end
      if start and case:set_start(e.source, start, origin) then
        e.offset_origin = origin
      elseif (e.events or 0) > 0 then
        lost = lost + 1
      end
    end
  end
  if lost > 0 then
    coverage.notes[#coverage.notes + 1] = ("%s no wall clock, and it is not known when the JVM "
      .. "started: the pauses have no time; one /jmx dump of each server tells it")
      :format(lost == 1 and "1 GC log has" or lost .. " GC logs have")
  end
end

return clocks

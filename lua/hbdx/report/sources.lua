--- What is known of each source, for people: what it holds by kind, its time, its clock and how
-- that is known, what was not understood. For --verbose.
local layout = require "hbdx.report.layout"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

local sources = {}

local function offset_text(ms)
  local minutes = math.abs(ms) // 60000
  return ("%s%02d:%02d"):format(ms < 0 and "-" or "+", minutes // 60, minutes % 60)
end

local function votes(told)
  local for_it, against = told.offset_votes or 0, told.offset_against or 0
  local lines = for_it > (told.calls or 0) -- a stamp with its zone tells as much as a slow call
    and units.plural(for_it, "slow-call line or zoned stamp", "slow-call lines and zoned stamps")
    or units.plural(for_it, "slow-call line")
  return ("from %s%s"):format(lines,
    against > 0 and (", %s against"):format(units.group(against)) or "")
end

local HOW = { line = "the zone in its stamps", ["--log-tz"] = "given",
  ["start code"] = "from its server's start code" }

--- The offset of a source and how it was found, in words; nil: it has no stamps of its own.
---@param case hbdx.Case
---@param s table of case:sources
---@return string?
function sources.clock(case, s)
  if s.kind ~= "log" or not s.offset_origin then return nil end
  if s.offset_origin == "unknown" then return "offset not known" end
  local told, list = s.told or {}, {}
  for i, o in ipairs(told.offsets or {}) do
    list[i] = o.until_ms and ("%s until %s"):format(offset_text(o.offset_ms),
      window.text(case, { from_ms = o.until_ms, to_ms = o.until_ms }))
      or offset_text(o.offset_ms) .. " from there"
  end
  if #list == 0 then list[1] = offset_text(s.offset_ms or 0) end
  return ("offset %s; %s"):format(table.concat(list, ", "), s.offset_origin == "slow calls"
    and votes(told) or HOW[s.offset_origin] or "that of " .. s.offset_origin)
end

local function kinds(s)
  local told, list, names = s.told or {}, {}, {}
  if (told.calls or 0) > 0 then list[1] = units.plural(told.calls, "slow call") end
  for name in pairs(told.events or {}) do names[#names + 1] = name end
  table.sort(names, function(a, b)
    local x, y = told.events[a], told.events[b]
    if x ~= y then return x > y end
    return a < b
  end)
  for _, name in ipairs(names) do
    list[#list + 1] = ("%s %s"):format(units.group(told.events[name]), name)
  end
  if (told.scans or 0) > 0 then list[#list + 1] = units.plural(told.scans, "client scan") end
  return #list > 0 and table.concat(list, ", ") or nil
end

local function order(s)
  local told, list = s.told or {}, {}
  if (told.out_of_order or 0) > 0 then
    list[1] = ("%s out of order, by %s at most"):format(units.plural(told.out_of_order, "line"),
      units.duration(told.out_of_order_ms))
  end
  if (told.steps_back or 0) > 0 then
    list[#list + 1] = ("stamps step back %s"):format(units.plural(told.steps_back, "time"))
  end
  if (told.doubtful or 0) > 0 then
    list[#list + 1] = ("%s may be off by a change of its clock"):format(
      units.plural(told.doubtful, "record"))
  end
  if (told.missing or 0) > 0 then
    list[#list + 1] = ("%s of an hour that the zone leaves out"):format(
      units.plural(told.missing, "record"))
  end
  return #list > 0 and table.concat(list, "; ") or nil
end

local function lines_of(s)
  if not s.lines then return units.bytes(s.bytes or 0) end
  local told = s.told or {}
  local more = (told.continuations or 0) + (told.foreign or 0)
  if s.lines == 0 and (s.records or 0) > 0 then -- no text of lines: a dump, a configuration
    return ("%s, %s"):format(units.plural(s.records, "record"), units.bytes(s.bytes or 0))
  end
  return ("%s (%s%s), %s"):format(units.plural(s.lines, "line"), units.plural(s.records or 0,
    "record"), more > 0 and (", %s that belong to others or to none"):format(units.group(more))
    or "", units.bytes(s.bytes or 0))
end

local function samples(case, out, ctx, s)
  for _, k in ipairs(case:skipped(s.id)) do
    layout.labelled(ctx, out, "", ("not understood: %s, %s, first at line %s: %s"):format(k.reason,
      units.plural(k.count, "time"), k.line or "?", k.sample or ""), 13)
  end
end

--- Adds the sources that could not be read.
---@param ctx hbdx.ReportContext
---@param out string[]
function sources.unread(ctx, out)
  for _, u in ipairs(ctx.coverage.unread) do
    layout.wrapped(ctx, out, ("not read: %s: %s"):format(u.name, u.message), u.name)
  end
end

-- Names of sources that a line could break.
local function breakable(ctx)
  local names = {}
  for _, s in ipairs(ctx.case:sources()) do
    if #s.name > ctx.width // 2 or s.name:find " " then names[#names + 1] = s.name end
  end
  return names
end

--- Adds what the reader should know, but for the time that was asked for, which heads say.
---@param ctx hbdx.ReportContext
---@param out string[]
function sources.notes(ctx, out)
  local notes = ctx.coverage.notes
  local names = #notes > 0 and breakable(ctx) or nil
  for _, note in ipairs(notes) do
    if note ~= ctx.coverage.asked then layout.wrapped(ctx, out, "note: " .. note, names) end
  end
end

--- Whether no source could be read, so that nothing can be said of what is in them.
---@param coverage hbdx.Coverage
---@return boolean
function sources.none_read(coverage)
  return #coverage.unread > 0 and coverage.files + coverage.duplicates + coverage.passed == 0
end

--- Adds what was not understood.
---@param ctx hbdx.ReportContext
---@param out string[]
function sources.skipped(ctx, out)
  for _, k in ipairs(ctx.case:skipped()) do
    layout.wrapped(ctx, out, ("skipped: %s: %s, %s, first at line %s"):format(k.source, k.reason,
      units.plural(k.count, "time"), k.line or "?"), k.source)
  end
end

--- Adds what is known of each source.
---@param ctx hbdx.ReportContext
---@param out string[]
function sources.add(ctx, out)
  local case = ctx.case
  for _, s in ipairs(case:sources()) do
    local facts = { s.kind, s.server or "no server", lines_of(s) }
    if s.first_ms then
      facts[#facts + 1] = window.text(case, { from_ms = s.first_ms, to_ms = s.last_ms })
    end
    layout.labelled(ctx, out, "source", ("%s: %s"):format(s.name, table.concat(facts, ", ")), 11, 2,
      s.name)
    for _, words in ipairs { sources.clock(case, s) or "", kinds(s) or "", order(s) or "" } do
      if words ~= "" then layout.labelled(ctx, out, "", words, 13) end
    end
    samples(case, out, ctx, s)
  end
end

return sources

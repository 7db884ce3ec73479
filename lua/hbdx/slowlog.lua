--- The digest of slow calls: groups with counts, sums and quantiles. How it is shown, and how it is
-- compared with an earlier one, is beside it in hbdx.slowlog.*.
local check = require "hbdx.check"
local core = require "hbdx.core.calls"
local fold = require "hbdx.slowlog.fold"
local hours = require "hbdx.slowlog.hours"
local shape = require "hbdx.slowlog.shape"

local slowlog = {}

--- What calls may be grouped by, as columns of the case's digest. A region goes by its encoded
-- name: a full one has a row key in it.
slowlog.keys = { table = { "table" }, method = { "method" }, client = { "client" },
  shape = shape.columns, user = { "user" }, server = { "server" }, region = { "encoded" },
  hour = { "hour" } }
slowlog.key_names = { "table", "method", "client", "shape", "user", "server", "region", "hour" }
slowlog.usual = { "table", "method", "client", "shape" }
local MANY = 10000 -- groups that take tens of MB

slowlog.ranks = { "time", "calls", "bytes", "queue" }

---@class hbdx.SlowGroup
---@field ident table the values of digest.by in its order; nil: the calls do not tell it
---@field table string? nil: the calls do not name it
---@field method string?
---@field client string?
---@field calls integer
---@field shape_calls integer? those that tell something of the shape
---@field share number? of the total processing time, 0 to 1
---@field per_s number? calls a second from its first to its last; nil: they are one moment
---@field proc_ms table n, sum, p50, p95, max; nothing but n = 0 where no call tells it
---@field queue_ms table
---@field response_bytes table
---@field first_ms integer?
---@field last_ms integer?
---@field hours table<integer, integer>
---@field worst table of the longest call: place, shape, extra, ...

---@class hbdx.SlowDigest
---@field by string[]
---@field rank string
---@field groups hbdx.SlowGroup[]
---@field calls integer
---@field proc_ms integer
---@field untimed integer of the calls, whose processing time is not told or cannot be
---@field first_ms integer?
---@field last_ms integer?
---@field others table? calls, proc_ms, ...: of all that is in no group, where there are too many
---@field read_ms integer the time that what was read covers

--- Reads "table,client".
---@param words string
---@return string[]? by
---@return string? message
function slowlog.parse_by(words)
  local by, seen = {}, {}
  for name in (words .. ","):gmatch "([^,]*)," do
    if not slowlog.keys[name] then
      return nil, ("--by takes %s, joined by commas, not '%s'%s"):format(
        table.concat(slowlog.key_names, ", "), name, check.meant(name, slowlog.key_names))
    end
    if not seen[name] then by[#by + 1] = name end
    seen[name] = true
  end
  return by
end

-- The longest call: its row where it is in the case, else what the digest keeps of it.
local function worst_of(case, worst)
  local row = type(worst) == "string" and core.note(worst) or case.core:rows([[
    SELECT s.name AS file, c.line, c.start_ms, c.proc_ms, c.queue_ms, c.response_bytes, c.filters,
           c.has_start_row, c.has_stop_row, c.caching, c.cache_blocks, c.actions, c.param_cut,
           c.user, c.table_name AS "table"
    FROM call c JOIN source s ON s.id = c.source_id WHERE c.id = ?]], { worst })[1] or {}
  local extra = {}
  if row.actions then extra[1] = ("%d actions"):format(row.actions) end
  if row.param_cut == 1 then extra[#extra + 1] = "request cut" end
  row.place = row.file and (row.line and row.file .. ":" .. row.line or row.file)
  row.shape, row.extra = shape.words(row), #extra > 0 and table.concat(extra, ", ") or nil
  return row
end

-- The values that a group is known by.
local function ident_of(by, key)
  local ident = {}
  for i, name in ipairs(by) do
    if name == "shape" then
      ident[i] = shape.words(key)
    else
      ident[i] = key[slowlog.keys[name][1]]
    end
  end
  return ident
end

local MEASURES = {
  time = function(g) return g.proc_sum or g.proc_ms.sum end,
  calls = function(g) return g.calls end,
  bytes = function(g) return g.response_bytes.sum end,
  queue = function(g) return g.queue_ms.sum end,
}

-- By their keys; what is not told comes last.
local function before(a, b, n)
  for i = 1, n do
    local x, y = a.ident[i], b.ident[i]
    if x ~= y then
      if x == nil or y == nil then return y == nil end
      if type(x) ~= type(y) then return type(x) == "number" end
      return x < y
    end
  end
  return false
end

--- Puts the costliest group first.
---@param d hbdx.SlowDigest
---@param rank string one of slowlog.ranks
function slowlog.sort(d, rank)
  local measure, measures = MEASURES[rank], {}
  d.rank = rank
  for _, g in ipairs(d.groups) do measures[g] = measure(g) or -1 end
  table.sort(d.groups, function(a, b)
    local x, y = measures[a], measures[b]
    if x ~= y then return x > y end
    return before(a, b, #d.by)
  end)
end

-- The time of the case that is looked at.
local function bounds(case)
  local from, to = case.from_ms, case.to_ms
  if case.focus then -- what is usual has no place in a digest
    from = math.max(from or case.focus.from_ms, case.focus.from_ms)
    to = math.min(to or case.focus.to_ms, case.focus.to_ms)
  end
  return from, to
end

local function read_ms(case, from, to)
  local first, last = case:span()
  if not first then return 0 end
  return math.max(0, math.min(to or last, last) - math.max(from or first, first))
end

local function add_span(d, g)
  if not g.first_ms then return end
  d.first_ms = math.min(d.first_ms or g.first_ms, g.first_ms)
  d.last_ms = math.max(d.last_ms or g.last_ms, g.last_ms)
end

local function per_s(g)
  local timed = 0
  for _, n in pairs(g.hours) do timed = timed + n end
  local ms = g.first_ms and g.last_ms - g.first_ms or 0
  return ms > 0 and timed / ms * 1000 or nil
end

local function finish(g, meta)
  g.note, g.worst = g.worst, nil
  setmetatable(g, meta)
  if g.note and not g.numbers then g.worst = g.worst end -- of a case, which may be closed by then
end

-- The columns that a case's digest must have for groups by these names.
---@param names string[]
---@return string[] columns
function slowlog.columns(names)
  local list = {}
  for _, name in ipairs(names) do
    table.move(slowlog.keys[name], 1, #slowlog.keys[name], #list + 1, list)
  end
  return list
end

-- What is made when it is looked at, since there may be very many groups, of which few are shown.
local function lazy(case, d, offset)
  local make = {
    worst = function(g) return g.note and worst_of(case, g.note) or {} end,
    hours = function(g) return g.numbers and (core.hours(g.numbers, offset)) end,
    ident = function(g) return ident_of(d.by, g.key) end,
    share = function(g)
      return g.proc_ms.sum and (d.proc_ms > 0 and g.proc_ms.sum / d.proc_ms or 0)
    end,
    per_s = per_s,
  }
  for _, measure in ipairs { "proc_ms", "queue_ms", "response_bytes" } do
    make[measure] = function(g)
      for name, v in pairs(core.spreads(g.numbers)) do rawset(g, name, v) end
      return rawget(g, measure)
    end
  end
  local place = {}
  for i, name in ipairs(d.by) do place[name] = i end
  return { __index = function(g, name)
    if place[name] then return g.ident[place[name]] end
    if make[name] then
      local v = make[name](g)
      rawset(g, name, v)
      return v
    end
  end }
end

-- Groups of calls that are beside the case. parts: only those of so many others.
local function beside(case, asked, by, parts)
  local groups, others, why = case.calls_digest.core:digest { by = by, offset = asked.offset,
    parts = parts }
  if not groups then error(others or why, 0) end
  local calls, proc_ms = 0, 0
  for i = 1, #groups + 1 do
    local g = groups[i] or others
    if g then
      calls, proc_ms = calls + g.calls, proc_ms + (g.proc_sum or 0)
      setmetatable(g, asked.lazy)
    end
  end
  return groups, calls, proc_ms, others
end

local function core_digest(case, asked, by, parts)
  if case.calls_digest then return beside(case, asked, by, parts) end
  local groups, calls, proc_ms = case.core:digest { by = by, from = asked.from, to = asked.to,
    offset = asked.offset }
  if not groups then error(calls, 0) end
  return groups, calls, proc_ms
end

-- How many calls are in no sum of processing times.
local function untimed(groups, others)
  local n = others and others.untimed or 0
  for _, g in ipairs(groups) do n = n + (g.untimed or g.calls - g.proc_ms.n) end
  return n
end

-- The groups by asked.by, those of one shape folded.
local function groups_of(case, d, asked)
  local rest, shaped = {}, false
  for _, name in ipairs(d.by) do
    shaped = shaped or name == "shape"
    if name ~= "shape" then rest[#rest + 1] = name end
  end
  rest, asked.by = slowlog.columns(rest), slowlog.columns(d.by)
  local groups, calls, proc_ms, others = core_digest(case, asked, asked.by)
  d.untimed = untimed(groups, others)
  if not case.calls_digest then hours.add(case.core, groups, asked) end
  if shaped then
    groups = fold.run(groups, rest, function() return (core_digest(case, asked, rest, 2)) end)
  end
  return groups, calls, proc_ms, others
end

--- Digests the calls of a case.
---@param case hbdx.Case
---@param opts table? { by = names of slowlog.keys, rank = of slowlog.ranks }
---@return hbdx.SlowDigest
function slowlog.collect(case, opts)
  opts = opts or {}
  local from, to = bounds(case)
  local d = { by = opts.by or slowlog.usual, read_ms = read_ms(case, from, to) }
  if case.calls_digest then case.calls_digest:restrict(from, to) end
  local offset = case:offset()
  local asked = { from = from, to = to, offset = offset, lazy = lazy(case, d, offset) }
  d.groups, d.calls, d.proc_ms, d.others = groups_of(case, d, asked)
  if #d.groups > MANY then collectgarbage("incremental", 110, 200) end -- a tenth of garbage at most
  for _, g in ipairs(d.groups) do
    add_span(d, g)
    finish(g, asked.lazy)
  end
  slowlog.sort(d, opts.rank or "time")
  return d
end

return slowlog

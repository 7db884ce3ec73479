--- The digest of slow calls for machines. Names are stable; a group has a member for each name that
-- it is grouped by, null where the calls do not tell it.
local json = require "hbdx.core.json"
local report = require "hbdx.report.json"
local shape = require "hbdx.slowlog.shape"
local time = require "hbdx.core.time"

local M = {}

local SPREAD = { __order = { "n", "sum", "p50", "p95", "max", "about" } }
local GROUP = { __order = { "table", "method", "client", "shape", "user", "server", "region",
  "hour", "shape_calls", "calls", "share", "per_s", "proc_ms", "queue_ms", "response_bytes",
  "first", "last", "missed_calls", "missed_ms", "worst", "worst_call" } }
local DOC = { __order = { "schema_version", "by", "rank", "calls", "proc_ms_total", "untimed_calls",
  "compared", "groups", "others", "skipped", "coverage" } }

local function spread(s)
  return setmetatable({ n = s.n, sum = s.sum, p50 = s.p50, p95 = s.p95, max = s.max,
    about = s.about }, SPREAD)
end

local function stamp(ms) return ms and time.format(ms) or nil end

local function worst_call(w)
  if not w.place then return nil end
  return { file = w.file, line = w.line, at = stamp(w.start_ms), proc_ms = w.proc_ms,
           queue_ms = w.queue_ms, response_bytes = w.response_bytes, table = w.table,
           user = w.user, scan = w.shape and shape.object(w) or nil }
end

--- A group's values by name; table, method and client are always there.
---@param by string[]
---@param ident table
---@return table
function M.named(by, ident)
  local out = { table = json.null, method = json.null, client = json.null }
  for i, name in ipairs(by) do out[name] = ident[i] == nil and json.null or ident[i] end
  return out
end

local function group_of(by, g)
  local out = M.named(by, g.ident)
  out.calls, out.share, out.per_s = g.calls, g.share or json.null, g.per_s
  if g.shape then out.shape_calls = g.shape_calls end
  out.proc_ms, out.queue_ms = spread(g.proc_ms), spread(g.queue_ms)
  out.response_bytes = spread(g.response_bytes)
  out.first, out.last = stamp(g.first_ms), stamp(g.last_ms)
  out.missed_calls, out.missed_ms = g.missed_calls, g.missed_ms
  local worst = g.worst
  out.worst, out.worst_call = worst.place, worst_call(worst)
  return setmetatable(out, GROUP)
end

-- What is in no group, where there were too many of them.
local function others_of(d)
  local o = d.others
  return o and { calls = o.calls, proc_ms = spread(o.proc_ms), queue_ms = spread(o.queue_ms),
    response_bytes = spread(o.response_bytes) }
end

-- Stands for the groups; as a JSON text it is in no other place, for no text has it unescaped.
local MARK = "\1groups"

--- Writes the digest for machines, with all its groups, one after the other: there may be many.
---@param d hbdx.SlowDigest
---@param ctx hbdx.ReportContext
---@param compared hbdx.SlowCompared? with an earlier digest
---@param put fun(text: string)
function M.write(d, ctx, compared, put)
  local text = json.encode(setmetatable({ schema_version = report.schema_version,
    by = json.array(d.by), rank = d.rank, calls = d.calls, proc_ms_total = d.proc_ms,
    untimed_calls = d.untimed, groups = json.array(#d.groups > 0 and { MARK } or {}),
    others = others_of(d),
    compared = compared and require("hbdx.slowlog.compare").object(compared) or nil,
    skipped = report.skipped(ctx), coverage = report.coverage(ctx) }, DOC), { indent = 2 }) .. "\n"
  local before, after = text, ""
  if #d.groups > 0 then
    local from, to = text:find(json.encode(MARK), 1, true)
    before, after = text:sub(1, from - 1), text:sub(to + 1)
  end
  put(before)
  for i, g in ipairs(d.groups) do
    if i > 1 then put ",\n    " end
    put((json.encode(group_of(d.by, g), { indent = 2 }):gsub("\n", "\n    ")))
  end
  put(after)
end

--- The same as one text.
---@param d hbdx.SlowDigest
---@param ctx hbdx.ReportContext
---@param compared hbdx.SlowCompared?
---@return string
function M.render(d, ctx, compared)
  local parts = {}
  M.write(d, ctx, compared, function(text) parts[#parts + 1] = text end)
  return table.concat(parts)
end

return M

--- The digest of slow calls: groups with counts, sums and exact quantiles, as text and as JSON.
local args = require "hbdx.args"
local json_report = require "hbdx.report.json"
local text = require "hbdx.core.text"
local units = require "hbdx.units"

local slowlog = {}

---@class hbdx.SlowGroup
---@field table string? nil: the calls do not name it
---@field method string?
---@field client string?
---@field calls integer
---@field share number of the total processing time, 0 to 1
---@field proc_ms table sum, p50, p95, max
---@field worst table { place, shape } of the longest call

local function worst_of(case, id)
  local row = case.core:rows([[
    SELECT s.name || ':' || c.line AS place, c.filters, c.has_start_row, c.has_stop_row, c.caching,
           c.cache_blocks, c.number_of_rows, c.actions, c.param_cut, c.user
    FROM call c JOIN source s ON s.id = c.source_id WHERE c.id = ?]], { id })[1] or {}
  local shape = {}
  local function put(cond, word) if cond then shape[#shape + 1] = word end end
  put(row.filters, "filter " .. (row.filters or ""))
  put(row.has_start_row == 0, "no start row")
  put(row.has_stop_row == 0, "no stop row")
  put(row.cache_blocks, "cache_blocks " .. (row.cache_blocks == 1 and "true" or "false"))
  put(row.caching, ("caching %d"):format(row.caching or 0))
  put(row.actions, ("%d actions"):format(row.actions or 0))
  put(row.param_cut == 1, "request cut")
  return { place = row.place, shape = table.concat(shape, ", "), user = row.user }
end

--- Digests the calls of a case.
---@param case hbdx.Case
---@return table digest { groups, calls, proc_ms }
function slowlog.collect(case)
  local list = case.core:digest { by = { "table", "method", "client" }, from = case.from_ms,
    to = case.to_ms }
  local d = { groups = {}, calls = 0, proc_ms = 0 }
  for _, g in ipairs(list) do
    d.calls, d.proc_ms = d.calls + g.calls, d.proc_ms + g.proc_ms.sum
  end
  for i, g in ipairs(list) do
    d.groups[i] = { table = g.key.table, method = g.key.method, client = g.key.client,
      calls = g.calls,
      proc_ms = g.proc_ms, queue_ms = g.queue_ms, response_bytes = g.response_bytes,
      first_ms = g.first_ms, last_ms = g.last_ms,
      share = d.proc_ms > 0 and g.proc_ms.sum / d.proc_ms or 0,
      worst = g.worst and worst_of(case, g.worst) or {} }
  end
  return d
end

local function spread(s)
  return setmetatable({ sum = s.sum, p50 = s.p50, p95 = s.p95, max = s.max },
                      { __order = { "sum", "p50", "p95", "max" } })
end

--- The digest for machines.
---@param d table
---@param ctx hbdx.ReportContext
---@return string
function slowlog.json(d, ctx)
  local json, time = require "hbdx.core.json", require "hbdx.core.time"
  local groups = {}
  for i, g in ipairs(d.groups) do
    groups[i] = setmetatable({ table = g.table or json.null, method = g.method or json.null,
      client = g.client or json.null, calls = g.calls, share = g.share, proc_ms = spread(g.proc_ms),
      queue_ms = spread(g.queue_ms), response_bytes = spread(g.response_bytes),
      first = g.first_ms and time.format(g.first_ms), last = g.last_ms and time.format(g.last_ms),
      worst = g.worst.place }, { __order = { "table", "method", "client", "calls", "share",
        "proc_ms",
      "queue_ms", "response_bytes", "first", "last", "worst" } })
  end
  return json.encode(setmetatable({ schema_version = json_report.schema_version, calls = d.calls,
    proc_ms_total = d.proc_ms, groups = json.array(groups), skipped = json_report.skipped(ctx),
    coverage = json_report.coverage(ctx) },
    { __order = { "schema_version", "calls", "proc_ms_total", "groups", "skipped", "coverage" } }),
    { indent = 2 }) .. "\n"
end

local function ms_row(name, s)
  return ("       %-14s p50 %-10s p95 %-10s max %-10s sum %s"):format(name, units.duration(s.p50),
    units.duration(s.p95), units.duration(s.max), units.duration(s.sum))
end

local function group_text(out, rank, g, width)
  local who = ("%s %s, client %s"):format(g.method or "?", g.table or "(table unknown)", g.client
    or "unknown")
  local head = ("%3d  %5.1f %%  %8s  "):format(rank, 100 * g.share, units.group(g.calls))
  local lines = args.wrap(text.escape(who), width - #head)
  out[#out + 1] = head .. lines[1]
  for i = 2, #lines do out[#out + 1] = (" "):rep(#head) .. lines[i] end
  out[#out + 1] = ms_row("processing", g.proc_ms)
  out[#out + 1] = ms_row("queue", g.queue_ms)
  local b = g.response_bytes
  out[#out + 1] = ("       %-14s p50 %-10s p95 %-10s max %-10s sum %s"):format("response",
    units.bytes(b.p50), units.bytes(b.p95), units.bytes(b.max), units.bytes(b.sum))
  if g.worst.place then
    out[#out + 1] = "       worst          " .. text.escape(g.worst.place)
    if g.worst.shape ~= "" then out[#out + 1] = "                      "
      .. text.escape(g.worst.shape) end
  end
end

local function footer(out, d, ctx)
  local unknown = 0
  for _, g in ipairs(d.groups) do unknown = unknown + (g.table and 0 or g.calls) end
  if unknown > 0 then
    out[#out + 1] =
      ("%s calls do not name their table (continuations of scans, or cut requests)"):format(
      units.group(unknown))
  end
  for _, k in ipairs(ctx.case:skipped()) do
    out[#out + 1] = ("skipped: %s: %s, %s times, first at line %s"):format(text.escape(k.source),
      k.reason,
      units.group(k.count), k.line or "?")
  end
  for _, u in ipairs(ctx.coverage.unread) do
    out[#out + 1] = ("not read: %s: %s"):format(text.escape(u.name), text.escape(u.message))
  end
end

--- The digest for people.
---@param d table
---@param ctx hbdx.ReportContext
---@param top integer groups to show
---@return string
function slowlog.text(d, ctx, top)
  local out = { ("%s slow or large calls, %s ms of processing (%s), %d groups"):format(
    units.group(d.calls), units.group(d.proc_ms), units.duration(d.proc_ms), #d.groups), "" }
  if #d.groups > 0 then out[#out + 1] = "rank  share      calls  method, table, client" end
  for i = 1, math.min(top, #d.groups) do group_text(out, i, d.groups[i], ctx.width) end
  if #d.groups > top then out[#out + 1] =
    ("%d more groups: --top N shows them"):format(#d.groups - top) end
  out[#out + 1] = ""
  footer(out, d, ctx)
  return (table.concat(out, "\n"):gsub("\n+$", "")) .. "\n"
end

return slowlog

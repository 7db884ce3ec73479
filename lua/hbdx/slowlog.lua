--- The digest of slow calls: groups with counts, sums and exact quantiles, as text and as JSON.
local args = require "hbdx.args"
local json_report = require "hbdx.report.json"
local text = require "hbdx.core.text"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

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
  local from, to = case.from_ms, case.to_ms
  if case.focus then -- what is usual has no place in a digest
    from = math.max(from or case.focus.from_ms, case.focus.from_ms)
    to = math.min(to or case.focus.to_ms, case.focus.to_ms)
  end
  local list = case.core:digest { by = { "table", "method", "client" }, from = from, to = to }
  local d = { groups = {}, calls = 0, proc_ms = 0 }
  for _, g in ipairs(list) do
    d.calls, d.proc_ms = d.calls + g.calls, d.proc_ms + g.proc_ms.sum
    if g.first_ms then
      d.first_ms = math.min(d.first_ms or g.first_ms, g.first_ms)
      d.last_ms = math.max(d.last_ms or g.last_ms, g.last_ms)
    end
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

local function group_text(out, rank, g, ctx)
  local who = ("%s %s, client %s"):format(g.method or "?", g.table or "(table unknown)", g.client
    or "unknown")
  local share = ("%.1f %%"):format(100 * g.share)
  if g.calls > 0 and share == "0.0 %" then share = "< 0.1 %" end
  local head = ("%4d  %7s  %8s  "):format(rank, share, units.group(g.calls))
  local lines = args.wrap(text.escape(who), ctx.width - #head)
  out[#out + 1] = head .. lines[1]
  for i = 2, #lines do out[#out + 1] = (" "):rep(#head) .. lines[i] end
  out[#out + 1] = ms_row("processing", g.proc_ms)
  out[#out + 1] = ms_row("queue", g.queue_ms)
  local b = g.response_bytes
  out[#out + 1] = ("       %-14s p50 %-10s p95 %-10s max %-10s sum %s"):format("response",
    units.bytes(b.p50), units.bytes(b.p95), units.bytes(b.max), units.bytes(b.sum))
  local function more(label, words)
    for _, line in ipairs(args.wrap(text.escape(words), ctx.width - 22)) do
      out[#out + 1] = ("       %-14s %s"):format(label, line)
      label = ""
    end
  end
  if g.first_ms then
    more("seen", window.text(ctx.case, { from_ms = g.first_ms, to_ms = g.last_ms }))
  end
  if g.worst.place then more("longest", g.worst.place) end
  if g.worst.shape and g.worst.shape ~= "" then more("", g.worst.shape) end
end

local function footer(out, d, ctx)
  local unknown = 0
  for _, g in ipairs(d.groups) do unknown = unknown + (g.table and 0 or g.calls) end
  if unknown > 0 then
    out[#out + 1] =
      ("%s no table (continuations of scans, or cut requests)"):format(
      units.group(unknown) .. (unknown == 1 and " call names" or " calls name"))
  end
  for _, note in ipairs(ctx.coverage.notes) do
    table.move(args.wrap("note: " .. text.escape(note), ctx.width), 1, 9, #out + 1, out)
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
  local out = { ("%s, %s ms of processing (%s), %s"):format(
    units.plural(d.calls, "slow or large call"), units.group(d.proc_ms),
    units.duration(d.proc_ms), units.plural(#d.groups, "group")) }
  if d.calls == 0 then out[1] = "no slow or large call is in what was read" end
  if d.first_ms then
    out[2] = window.text(ctx.case, { from_ms = d.first_ms, to_ms = d.last_ms })
  end
  out[#out + 1] = ""
  if #d.groups > 0 then
    out[#out + 1] = "rank  of time     calls  method, table, client"
  end
  for i = 1, math.min(top, #d.groups) do group_text(out, i, d.groups[i], ctx) end
  if #d.groups > top then out[#out + 1] =
    ("%s: %s shows them"):format(units.plural(#d.groups - top, "more group"),
      d.more or "--top N") end
  out[#out + 1] = ""
  footer(out, d, ctx)
  return (table.concat(out, "\n"):gsub("\n+$", "")) .. "\n"
end

return slowlog

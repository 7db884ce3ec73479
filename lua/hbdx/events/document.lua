--- The summary of events for machines: stable names, units in them, RFC 3339 in UTC. What is not
-- known is null; counts are never.
local cause = require "hbdx.events.cause"
local json = require "hbdx.core.json"
local json_report = require "hbdx.report.json"
local summary = require "hbdx.events.summary"
local time = require "hbdx.core.time"

local document = {}

-- { name, value, name, value, ... } as an object in that order; nil is null.
local function object(...)
  local t, order = {}, {}
  for i = 1, select("#", ...), 2 do
    local name, value = select(i, ...)
    if value == nil then value = json.null end
    t[name], order[#order + 1] = value, name
  end
  return setmetatable(t, { __order = order })
end

local function total(s)
  if s.n > 0 then return s.sum end
end

local function stamp(ms) return ms and time.format(ms) or nil end

local function flush_row(name, row)
  return object("cause", name, "count", row.count, "bytes", total(row.bytes), "bytes_known",
    row.bytes.n, "average_bytes", summary.average(row.bytes), "longest_ms", row.took_ms.max)
end

local function flushes(d)
  local causes = {}
  for _, name in ipairs(cause.order) do
    local row = d.flushes.causes[name]
    if row.count > 0 then causes[#causes + 1] = flush_row(name, row) end
  end
  local all = d.flushes
  return object("count", all.count, "failed", d.n.flush_failed, "bytes", total(all.bytes),
    "bytes_known", all.bytes.n, "average_bytes", summary.average(all.bytes), "longest_ms",
    all.took_ms.max, "causes", json.array(causes))
end

local function share(part, whole)
  if part.n > 0 and whole.sum > 0 then return part.sum / whole.sum end
end

local function compactions(d)
  local c = d.compactions
  return object("count", c.count, "with_start_only", c.unfinished, "failed", d.n.compaction_failed,
    "major", c.major, "major_known", c.told, "major_share", c.told > 0 and c.major / c.told or nil,
    "major_bytes_share", share(c.major_input_bytes, c.input_bytes),
    "input_bytes", total(c.input_bytes), "input_known", c.input_bytes.n,
    "output_bytes", total(c.output_bytes), "output_known", c.output_bytes.n,
    "throughput_bytes_per_s", c.rated_ms.sum > 0
      and c.rated_bytes.sum * 1000.0 / c.rated_ms.sum or nil,
    "queue_ms", object("sum", total(c.queue_ms), "average", summary.average(c.queue_ms), "max",
      c.queue_ms.max, "known", c.queue_ms.n),
    "throttled", d.n.compaction_throttled, "slept_ms", total(c.slept_ms))
end

local function stalls(d, ctx)
  local groups = {}
  for i, g in ipairs(d.stalls.groups) do
    local server = ctx.case:server(g.server_id)
    groups[i] = object("server", server and server.name, "region", g.encoded, "table",
      g.table_name, "stalled_ms", g.ms, "delayed", g.delayed, "refused", g.refused, "blocked_lines",
      g.blocked, "first", stamp(g.first_ms), "last", stamp(g.last_ms), "spans", #g.spans)
  end
  return object("delayed_flushes", d.n.flush_delayed, "refused_writes", d.stalls.refused,
    "refused_writes_seen_by_clients", d.stalls.refused_seen_by_clients, "refused_for_a_lock",
    d.stalls.refused_lock, "blocked_lines", d.n.updates_blocked, "groups", json.array(groups))
end

local function slow_syncs(d, ctx)
  local nodes, absent = {}, {}
  for i, a in ipairs(d.syncs.absent) do
    absent[i] = object("datanode", a.node, "server", ctx.case:server(a.server_id).name, "pipelines",
      a.pipelines, "own", a.own, "expected", a.expected)
  end
  for i, n in ipairs(d.syncs.nodes) do
    nodes[i] = object("datanode", n.node, "count", n.count, "max_ms", n.max_ms)
  end
  return object("count", d.syncs.count, "max_ms", d.syncs.max_ms, "without_pipeline",
    d.syncs.untold, "pipelines", d.syncs.told, "datanodes", json.array(nodes),
    "absent", json.array(absent))
end

local function pauses(d)
  local p, names, list = d.pauses, {}, {}
  for name in pairs(p.by) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do
    local row = p.by[name]
    list[i] = object("by", name, "count", row.count, "total_ms", row.total_ms, "max_ms", row.max_ms)
  end
  return object("count", p.count, "total_ms", p.total_ms, "max_ms", p.max_ms, "told_twice", p.both,
    "slept", p.slept, "slept_max_ms", p.slept_max_ms, "by", json.array(list))
end

local function by_key(name, list)
  local out = {}
  for i, row in ipairs(list) do
    out[i] = object(name, row.key, "count", row.n, "first", stamp(row.first_ms))
  end
  return json.array(out)
end

local function failures(d, ctx)
  local f, stops = d.failures, {}
  for i, stop in ipairs(f.stops) do
    local server = ctx.case:server(stop.server_id)
    stops[i] = object("server", server and server.name, "time", stamp(stop.t_ms), "reason",
      stop.reason, "root_class", stop.root_class, "root_reason", stop.root_reason, "lines",
      stop.lines)
  end
  return object("stops", json.array(stops), "sessions_expired", f.expired, "zookeeper_silences",
    f.silent, "longest_silence_ms", f.silent_max_ms, "out_of_memory", by_key("what", f.memory),
    "call_queue_full", by_key("server", f.queue_full), "exceptions",
    by_key("root_class", f.exceptions))
end

local function counts(kinds)
  local names = {}
  for name in pairs(kinds) do names[#names + 1] = name end
  table.sort(names)
  local t = {}
  for name, n in pairs(kinds) do t[name] = n end
  return setmetatable(t, { __order = names })
end

local function rows(list, merged, head)
  local out = {}
  for i, row in ipairs(list) do
    local name, value = head(row.key)
    local pairs_of = { name, value == nil and json.null or value }
    for _, column in ipairs(summary.columns) do
      pairs_of[#pairs_of + 1] = column
      pairs_of[#pairs_of + 1] = (merged[row.key or ""] or {})[column] or 0
    end
    pairs_of[#pairs_of + 1], pairs_of[#pairs_of + 2] = "kinds", counts(row.counts)
    out[i] = object(table.unpack(pairs_of))
  end
  return json.array(out)
end

--- The summary as JSON.
---@param d table of summary.collect
---@param ctx hbdx.ReportContext
---@return string
function document.render(d, ctx)
  local c = d.count
  local function server(id) return "server", id and ctx.case:server(id).name end
  local function hour(key) return "hour", key and stamp(key - d.offset) end
  return json.encode(object("schema_version", json_report.schema_version, "events", c.n,
    "without_time", c.untimed, "first", stamp(c.first_ms), "last", stamp(c.last_ms),
    "server_logs", d.logs, -- 0: zeros below are of what nothing could tell
    "left_out", object("without_time", c.left_out_untimed, "without_table", c.left_out_tableless),
    "kinds", counts(d.kinds), "flushes", flushes(d), "compactions", compactions(d),
    "stalls", stalls(d, ctx), "slow_syncs", slow_syncs(d, ctx), "pauses", pauses(d),
    "failures", failures(d, ctx),
    "hours", rows(d.hours, d.by_hour, hour), "servers", rows(d.servers, d.by_server, server),
    "skipped", json_report.skipped(ctx), "notes", json.array(ctx.coverage.notes), "coverage",
    json_report.coverage(ctx)),
    { indent = 2 }) .. "\n"
end

return document

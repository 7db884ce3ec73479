--- The summary's text of what HDFS, ZooKeeper and Java did to servers.
local phrases = require "hbdx.events.phrases"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

local facts, known, line, plural = phrases.facts, phrases.known, phrases.line, phrases.plural

local troubles = {}

local MOST_NODES = 20
local MOST_FAILURES = 10

--- Slow syncs, with the DataNodes of their pipelines.
---@param ctx hbdx.ReportContext
---@param out string[]
---@param d table of summary.collect
function troubles.slow_syncs(ctx, out, d)
  local s = d.syncs
  if s.count == 0 then return end
  line(out, "")
  line(out, "SLOW SYNCS")
  facts(ctx, out, "count", ("%s, longest %s"):format(units.group(s.count),
    known(s.max_ms, units.duration)))
  for i = 1, math.min(MOST_NODES, #s.nodes) do
    local n = s.nodes[i]
    facts(ctx, out, i == 1 and "DataNode" or "", ("%s: in %s of %s (%.0f %%), longest %s"):format(
      n.node, units.group(n.count), units.group(s.told), 100 * n.count / s.told,
      known(n.max_ms, units.duration)))
  end
  if #s.nodes > MOST_NODES then
    facts(ctx, out, "", ("and %s more; --format json has them all"):format(
      units.group(#s.nodes - MOST_NODES)))
  end
  for i, a in ipairs(s.absent) do
    facts(ctx, out, i == 1 and "absent" or "", ("%s: in none of the %s pipelines of %s, %s"):format(
      a.node, units.group(a.pipelines), ctx.case:server_name(a.server_id), a.own
        and "whose own it is" or ("where chance would put it into %.0f"):format(a.expected)))
  end
  if s.untold > 0 then
    facts(ctx, out, "", units.plural(s.untold, "sync tells", "syncs tell") .. " no pipeline")
  end
end

local function stop_words(ctx, stop)
  local words = ctx.case:server_name(stop.server_id)
  if stop.t_ms then
    words = ("%s, %s"):format(words, window.text(ctx.case, { from_ms = stop.t_ms,
      to_ms = stop.t_ms }))
  end
  words = ("%s: %s"):format(words, stop.reason or "no reason is told")
  if stop.root_class then
    words = ("%s; root: %s%s"):format(words, stop.root_class,
      stop.root_reason and ": " .. stop.root_reason:gsub("%s+", " ") or "")
  end
  return stop.lines > 1 and ("%s (the first of %s)"):format(words, plural(stop.lines, "line"))
    or words
end

local function counted(ctx, out, label, rows, unknown)
  for i = 1, math.min(MOST_FAILURES, #rows) do
    facts(ctx, out, i == 1 and label or "", ("%s: %s"):format(rows[i].key or unknown,
      units.group(rows[i].n)))
  end
  if #rows > MOST_FAILURES then
    facts(ctx, out, "", ("and %s more; --format json has them all"):format(
      units.group(#rows - MOST_FAILURES)))
  end
end

--- What broke.
---@param ctx hbdx.ReportContext
---@param out string[]
---@param d table of summary.collect
function troubles.failures(ctx, out, d)
  local f = d.failures
  local zookeeper = f.expired + f.silent > 0
  if #f.stops + #f.memory + #f.queue_full + #f.exceptions == 0 and not zookeeper then return end
  line(out, "")
  line(out, "FAILURES")
  for i = 1, math.min(MOST_FAILURES, #f.stops) do
    facts(ctx, out, i == 1 and "stopped" or "", stop_words(ctx, f.stops[i]))
  end
  if #f.stops > MOST_FAILURES then
    facts(ctx, out, "", ("and %s more; --format json has them all"):format(
      units.group(#f.stops - MOST_FAILURES)))
  end
  if zookeeper then
    local silences = f.silent > 0 and (", silent %s, the longest %s"):format(
      plural(f.silent, "time"), known(f.silent_max_ms, units.duration)) or ""
    facts(ctx, out, "ZooKeeper", plural(f.expired, "session") .. " expired" .. silences)
  end
  counted(ctx, out, "out of memory", f.memory, "not told of what")
  counted(ctx, out, "queue full", f.queue_full, "server not told")
  counted(ctx, out, "exceptions", f.exceptions, "class not told")
end

return troubles

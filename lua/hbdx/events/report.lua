--- The summary of events for people, in 80 columns.
local cause = require "hbdx.events.cause"
local layout = require "hbdx.report.layout"
local phrases = require "hbdx.events.phrases"
local sources = require "hbdx.report.sources"
local summary = require "hbdx.events.summary"
local text = require "hbdx.core.text"
local time = require "hbdx.core.time"
local troubles = require "hbdx.events.troubles"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

local facts, known, line, plural = phrases.facts, phrases.known, phrases.line, phrases.plural

local report = {}

local MOST_STALLS = 10
local MOST_HOURS = 72

-- What could not be told of some of n: ", of 3 of 5".
local function of(s, n)
  return s.n < n and s.n > 0 and (" (%s of %s tell)"):format(units.group(s.n), units.group(n)) or ""
end

local function flush_row(out, label, row)
  local told = row.bytes.n > 0
  line(out, "   %-33s %9s  %10s  %9s  %9s", label, units.group(row.count),
    told and units.bytes(row.bytes.sum) or "unknown",
    told and units.bytes(summary.average(row.bytes)) or "unknown",
    known(row.took_ms.max, units.duration))
end

local function flushes(ctx, out, d)
  local f = d.flushes
  line(out, "FLUSHES")
  if f.count > 0 then
    line(out, "   %-33s %9s  %10s  %9s  %9s", "cause", "count", "bytes", "average", "longest")
    for _, name in ipairs(cause.order) do
      local row = f.causes[name]
      if row.count > 0 then flush_row(out, cause.words[name], row) end
    end
    flush_row(out, "all", f)
  else
    line(out, "   none has finished")
  end
  if d.n.flush_failed > 0 then facts(ctx, out, "failed", units.group(d.n.flush_failed)) end
  if f.bytes.n < f.count then
    facts(ctx, out, "sizes", ("%s of %s tell theirs"):format(units.group(f.bytes.n),
      units.group(f.count)))
  end
end

local function major_words(c)
  local words = c.major > 0 and plural(c.major, "major compaction") or "no major one"
  if c.told < c.count then words = ("%s (%s of %s tell)"):format(words, units.group(c.told),
    units.group(c.count)) end
  if c.major_input_bytes.n > 0 and c.input_bytes.sum > 0 then
    words = words .. (", %.1f %% of the bytes that went in"):format(100 * c.major_input_bytes.sum
      / c.input_bytes.sum)
  end
  return words
end

local function throughput(c)
  if c.rated_ms.sum <= 0 then return "unknown: no compaction tells both its size and its time" end
  return ("%s/s of input, over %s (%s)"):format(
    units.bytes(c.rated_bytes.sum * 1000.0 / c.rated_ms.sum), plural(c.rated_ms.n, "compaction"),
    units.duration(c.rated_ms.sum))
end

local function compactions(ctx, out, d)
  local c = d.compactions
  line(out, "")
  line(out, "COMPACTIONS")
  local words = { units.group(c.count) .. " finished" }
  if c.unfinished > 0 then words[2] = units.group(c.unfinished) .. " with a start only" end
  if d.n.compaction_failed > 0 then
    words[#words + 1] = units.group(d.n.compaction_failed) .. " failed or aborted"
  end
  facts(ctx, out, "count", table.concat(words, ", "))
  if c.count > 0 then
    facts(ctx, out, "major", major_words(c))
    local function bytes(s) return s.n > 0 and units.bytes(s.sum) .. of(s, c.count) or "unknown" end
    facts(ctx, out, "bytes", ("in %s, out %s"):format(bytes(c.input_bytes), bytes(c.output_bytes)))
    facts(ctx, out, "throughput", throughput(c))
    facts(ctx, out, "in queue", c.queue_ms.n == 0 and "unknown"
      or ("average %s, longest %s%s"):format(units.duration(summary.average(c.queue_ms)),
        units.duration(c.queue_ms.max), of(c.queue_ms, c.count)))
  end
  if d.n.compaction_throttled > 0 then
    facts(ctx, out, "throttled", ("%s, slept %s in all"):format(
      plural(d.n.compaction_throttled, "time"), units.duration(c.slept_ms.sum)))
  end
end

local function stall_group(ctx, out, g)
  local who = { ctx.case:server_name(g.server_id) }
  if g.table_name then who[#who + 1] = g.table_name end
  if g.encoded then who[#who + 1] = g.encoded end
  if #who == 1 then who[2] = "whole server" end
  local what = {}
  if g.delayed > 0 then what[1] = plural(g.delayed, "delay") .. " of its flush" end
  if g.refused > 0 then what[#what + 1] = plural(g.refused, "refused write") end
  if g.blocked > 0 then what[#what + 1] = plural(g.blocked, "line") .. " of blocked handlers" end
  local words = ("%s: %s"):format(table.concat(who, " "), table.concat(what, ", "))
  if g.first_ms then
    words = ("%s; %s"):format(words, window.text(ctx.case, { from_ms = g.first_ms,
      to_ms = g.last_ms }))
  end
  facts(ctx, out, g.ms and units.duration(g.ms) or "not told", words)
end

local function stalls(ctx, out, d)
  local s = d.stalls
  line(out, "")
  line(out, "STALLS")
  facts(ctx, out, "delayed", units.plural(d.n.flush_delayed, "flush", "flushes")
    .. ", by too many store files")
  local refused = plural(s.refused, "write") .. ", over the memstore limit"
  if s.refused_seen_by_clients > 0 then
    refused = ("%s; clients tell of %s"):format(refused, units.group(s.refused_seen_by_clients))
  end
  if s.refused_lock > 0 then
    refused = ("%s; %s for a lock"):format(refused, units.group(s.refused_lock))
  end
  facts(ctx, out, "refused", refused)
  facts(ctx, out, "blocked", plural(d.n.updates_blocked, "line") .. " of waiting handlers")
  if #s.groups > 0 then line(out, "   how long") end
  for i = 1, math.min(MOST_STALLS, #s.groups) do stall_group(ctx, out, s.groups[i]) end
  if #s.groups > MOST_STALLS then
    facts(ctx, out, "", ("and %s more; --format json has them all"):format(
      units.group(#s.groups - MOST_STALLS)))
  end
end

local function pauses(ctx, out, d)
  local p = d.pauses
  if p.count + p.slept == 0 then return end
  line(out, "")
  line(out, "PAUSES")
  if p.count > 0 then
    facts(ctx, out, "count", ("%s, %s in all, longest %s"):format(units.group(p.count),
      units.duration(p.total_ms), known(p.max_ms, units.duration)))
  end
  local names = {}
  for name in pairs(p.by) do names[#names + 1] = name end
  table.sort(names, function(a, b)
    if p.by[a].total_ms ~= p.by[b].total_ms then return p.by[a].total_ms > p.by[b].total_ms end
    return a < b
  end)
  for i, name in ipairs(names) do
    local row = p.by[name]
    facts(ctx, out, i == 1 and "by" or "", ("%s: %s, %s, longest %s"):format(name,
      units.group(row.count), units.duration(row.total_ms), known(row.max_ms, units.duration)))
  end
  if p.both > 0 then
    facts(ctx, out, "", units.group(p.both) .. " of them the JVM's own monitor tells, too")
  end
  if p.slept > 0 then
    facts(ctx, out, "threads", ("%s slept too long, the longest %s"):format(
      plural(p.slept, "thread"), known(p.slept_max_ms, units.duration)))
  end
end

local FORMAT = "   %s %7s %7s %8s %7s %9s %10s %6s"
local LABEL = 16 -- columns

local function cut(s, width)
  s = text.escape(s)
  if text.width(s) <= width then return s .. (" "):rep(width - text.width(s)) end
  return s:sub(1, utf8.offset(s, width) - 1) .. "~"
end

local function counts_row(out, label, row, no_log)
  local cells = {}
  for i, column in ipairs(summary.columns) do
    local n = row and row[column] or 0
    cells[i] = no_log and n == 0 and column ~= "pauses" and "?" or units.group(n)
  end
  out[#out + 1] = FORMAT:format(cut(label, LABEL), table.unpack(cells))
end

local function counts(out, d, title, rows, label_of, merged, most)
  line(out, "")
  line(out, FORMAT, cut(title, LABEL), "flushes", "delayed", "refused", "blocked", "compacted",
    "slow syncs", "pauses")
  for i = 1, math.min(most or #rows, #rows) do
    counts_row(out, label_of(rows[i].key), merged[rows[i].key or ""], d.logs == 0)
  end
  if most and #rows > most then
    line(out, "   and %s more; --format json has them all", units.group(#rows - most))
  end
end

local function hour_words(key)
  if not key then return "without a time" end
  local c = time.civil(key)
  return ("%04d-%02d-%02d %02d:00"):format(c.year, c.month, c.day, c.hour)
end

-- How many events of when.
local function found(ctx, c)
  if c.n == 0 then return "no events" end
  local when = c.first_ms and window.text(ctx.case, { from_ms = c.first_ms, to_ms = c.last_ms })
  return ("%s%s%s"):format(plural(c.n, "event"), when and ", " .. when or "", c.untimed > 0
    and (", %s without a time"):format(units.group(c.untimed)) or "")
end

--- The first lines: what could not be read, what time was asked for, how many events there are.
---@param ctx hbdx.ReportContext
---@param c hbdx.EventCount
---@return string[]
function report.head(ctx, c)
  local out = {}
  sources.unread(ctx, out)
  if ctx.coverage.asked then layout.wrapped(ctx, out, ctx.coverage.asked) end
  if not sources.none_read(ctx.coverage) then out[#out + 1] = found(ctx, c) end
  return out
end

-- What to do where there is none.
local function none_words(ctx, with_calls)
  local _, advice = ctx.case:has "events"
  if not advice then return "the sources have events, but none that was asked for" end
  local calls = ctx.case.core:rows("SELECT count(*) AS n FROM call")[1].n
  if calls == 0 or with_calls then return "get " .. advice.get end
  return ("what was read has %s: --with-calls shows them, hbdx slowlog sums them up"):format(
    plural(calls, "slow call"))
end

--- What was left out or not understood.
---@param ctx hbdx.ReportContext
---@param c hbdx.EventCount
---@param with_calls boolean? slow calls were asked for, too
---@return string[]
function report.foot(ctx, c, with_calls)
  local out = {}
  local function put(words) layout.wrapped(ctx, out, words) end
  if c.n == 0 and not sources.none_read(ctx.coverage) then
    put(none_words(ctx, with_calls))
  end
  if c.left_out_untimed > 0 then
    put(("left out: %s without a time"):format(plural(c.left_out_untimed, "event")))
  end
  if c.left_out_tableless > 0 then
    put(("left out: %s whose table is not known"):format(plural(c.left_out_tableless, "event")))
  end
  sources.notes(ctx, out)
  if ctx.verbose then
    sources.add(ctx, out)
  else
    sources.skipped(ctx, out)
  end
  return out
end

-- What only a server tells in its log is unknown without one: none of it is zero.
local function untold(_, out)
  line(out, "FLUSHES, COMPACTIONS, STALLS")
  line(out, "   unknown: no RegionServer log was read")
end

local PARTS = { flushes, compactions, stalls, troubles.slow_syncs, pauses, troubles.failures }
local PARTS_WITHOUT_LOG = { untold, pauses, troubles.failures }

--- The summary for people.
---@param d table of summary.collect
---@param ctx hbdx.ReportContext
---@return string
function report.text(d, ctx)
  local out = report.head(ctx, d.count)
  out[#out + 1] = ""
  if d.count.n > 0 then
    for _, part in ipairs(d.logs > 0 and PARTS or PARTS_WITHOUT_LOG) do part(ctx, out, d) end
    counts(out, d, "hour, " .. window.zone_words(d.offset), d.hours, hour_words, d.by_hour,
      MOST_HOURS)
    counts(out, d, "server", d.servers, function(id) return ctx.case:server_name(id) end,
      d.by_server)
    out[#out + 1] = ""
  end
  local foot = report.foot(ctx, d.count)
  table.move(foot, 1, #foot, #out + 1, out)
  return (table.concat(out, "\n"):gsub("\n+$", "")) .. "\n"
end

return report

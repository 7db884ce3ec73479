--- A few expensive reads hold every RPC handler, and cheap calls wait behind them.
-- Its mark: calls wait in the queue while one client's slow Scans take most of the handlers' time.
-- The victims are never in the log: only processing time is held against its threshold. Slow lines
-- without waiting are no incident, and a silent log proves nothing while its threshold is 10 s.
local culprit = require "hbdx.pattern.culprit"
local finding = require "hbdx.finding"
local fix = require "hbdx.pattern.handlers_fix"
local evidence = require "hbdx.pattern.handlers_evidence"
local handlers = require "hbdx.pattern.handlers"
local nightly = require "hbdx.pattern.nightly"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

local VICTIMS = "the Gets that wait appear in no log: each is fast once it has a handler, and the "
  .. "wait does not count against the threshold"
local DUMPS = "two /jmx dumps of each RegionServer, 11 s or more apart, of the incident"

local function miss_count(f, h)
  f:missing("number of handlers" .. (h.count_denied and " (not " .. h.count_denied .. ")" or ""),
    "hbase-site.xml, or /conf of a RegionServer")
end

-- Nothing waits: ruled out, where that could have been seen.
local function calm(case, f, h, p)
  local threshold = handlers.threshold(case)
  -- a log that its threshold keeps silent rules nothing out, however calm the dumps are
  local silent = h.logged_ever == 0 and (not threshold or threshold >= 10000)
  if h.judged > 0 and not silent and (h.watched or #h.inside == 0) then
    local worst = window.worst(h.calm, "ipc.queue_time_mean")
    f:fact { claim = "mean queue time, worst window", observed = worst, unit = "ms" }
    return f:conclude("ruled_out", { summary =
      "Calls find a free handler; slow lines alone are no incident." })
  elseif h.logged >= p.min_calls and h.logged_wait < p.queue_ms and (h.share or 0) < p.share then
    f:fact { claim = "slow calls that are logged", observed = h.logged }
    f:fact { claim = "wait of 19 in 20 of them", observed = h.logged_wait, unit = "ms" }
    return f:conclude("ruled_out", { summary =
      "The slow calls that are logged did not wait for a handler." })
  end
  if h.judged == 0 or #h.inside > 0 then
    f:missing("call-queue times", DUMPS)
  end
  if h.logged_ever == 0 and (silent or not case:has "calls") then
    f:missing(silent and "slow calls under 10 s" or "slow calls", (fix.trace(case)))
  end
  if h.count_denied then miss_count(f, h) end
  return f:conclude("cannot_tell", { summary = h.judged > 0
    and "No dump shows calls that wait, but what ran between them left no trace." or nil })
end

return {
  id = "handler-hogging",
  title = "Expensive reads hold the RPC handlers",
  category = "read-path",
  severity = "critical",
  symptoms = { "every call is slow at once, even cheap Gets",
    "the slow log shows only a few big scans" },
  needs = { { "ipc.queue_general", "ipc.queue_time_mean", "calls" } },
  params = {
    { name = "waiting", type = "integer", default = 3, min = 1,
      help = "calls in the queue at a dump" },
    { name = "queue_ms", type = "duration", default = 20, min = 1,
      help = "mean queue time of a window" },
    { name = "surge", type = "number", default = 5, min = 1,
      help = "times the queue time of calm windows" },
    { name = "windows", type = "integer", default = 2, min = 1, help = "busy windows of a server" },
    { name = "min_calls", type = "integer", default = 20, min = 1,
      help = "logged calls from which on their waits say that nobody waited" },
    { name = "share", type = "number", default = 0.3, min = 0, max = 1,
      help = "of all handler time, taken by slow reads (0.3: 30 %)" },
  },
  about = "Looks for windows in which calls wait for a handler, and for the client whose slow "
       .. "Scans take most of the handlers' time then. It is confirmed with both and a known "
       .. "number of handlers; from logs alone it is likely at most. A slow log without waiting "
       .. "calls is no incident.",

  diagnose = function(case, p)
    local f, h = finding.new(case), handlers.look(case, p)
    local by_log = #h.busy == 0 and not h.watched and (h.queue_p50 or 0) >= p.queue_ms
                   and (h.crowded or h.share and h.share >= p.share)
    if #h.busy == 0 and not by_log then return calm(case, f, h, p) end
    if not by_log then evidence.queue(f, h, p) end
    local blocked, told = evidence.blocked(h)
    local top = evidence.culprit(f, h, p)
    local held = top and h.share and h.share >= p.share
    if blocked == 0 and not told and not top then
      f:missing("writes that were refused meanwhile (they hold handlers too)", DUMPS)
      f:missing("slow calls of the time", (fix.trace(case)))
      return f:conclude("cannot_tell", { summary =
        "Calls wait for a handler; whether reads or blocked writes hold them is not told." })
    end
    if blocked > 0 and not held then
      f:rule_out("reads that hold handlers",
        units.plural(blocked, "write") .. " refused meanwhile: see flush-stall")
      return f:conclude("ruled_out", { summary =
        "Handlers are held by blocked writes, not by reads." })
    end
    local fixes = fix.list(case, top, h.count)
    if not top then
      local get, visible = fix.trace(case)
      f:missing("client that holds the handlers", get)
      if visible then table.insert(fixes, 1, visible) end
    end
    if by_log then f:missing("call-queue times", DUMPS) end
    if not h.count_told then miss_count(f, h) end
    local r = nightly.describe(case, h.shown, #h.busy > 0 and h.calm or h.shown)
    local servers = {}
    for i, s in ipairs(h.servers) do servers[i] = s.short end
    return f:conclude(held and h.count_told and not by_log and "confirmed" or "likely", {
      summary = (top and "Scans of " .. culprit.words(top) or "Calls that left no trace")
        .. " hold the handlers.",
      cause =
        "each of these calls keeps a handler for as long as it reads; with all handlers taken, "
           .. "every other call waits in the queue",
      affected = { servers = servers, tables = { top and top.table_name },
                   clients = { top and top.client }, windows = nightly.affected(case, h.shown, r) },
      fixes = fixes, caveats = { VICTIMS }, verify = nightly.verify("handler-hogging", r),
    })
  end,
}

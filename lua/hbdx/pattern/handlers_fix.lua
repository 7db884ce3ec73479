--- What to do about hogged handlers: the query first, protection second; and what to switch on when
-- the culprit left no trace.
local amp = require "hbdx.amp"
local culprit = require "hbdx.pattern.culprit"
local handlers = require "hbdx.pattern.handlers"
local snippet = require "hbdx.pattern.snippet"

local fix = {}

local THRESHOLD = "hbase.ipc.warn.response.time"
local RING = "hbase.regionserver.slowlog.buffer.enabled"

local function query_fix(top)
  local table_name = top and top.table_name or "the scanned table"
  local filter = top and culprit.filter(top)
  return {
    what = ("in the job%s: read a bounded range, or an index table"):format(
      top and top.client and " on " .. top.client or ""),
    snippet = "new Scan().withStartRow(from).withStopRow(to)   // in an index table",
    why = (filter and filter .. " on a column that is not in the row key reads" or "a filter reads")
       .. (" every row of %s to drop nearly all of them"):format(table_name),
    expected = "the job reads what it returns; handlers are free",
    risk = "none for the cluster; the job must change",
  }
end

-- The split nearest to the factor that is set which gives scans a queue: until 2.3 few queues leave
-- them none, and take a handler for it all the same.
local function split(case, count)
  local set = case:setting "hbase.ipc.server.callqueue.handler.factor"
  local factor = set and tonumber(set.value) or 0.1
  for _, try in ipairs { factor, 0.2, 0.3, 0.5, 1 } do
    local q = try >= factor and amp.queues { handlers = count, factor = try, read_ratio = 0.6,
      scan_ratio = 0.3, version = case:version() or "2.5" }
    if q and q.scan.queues > 0 and q.scan.handlers > 0 then
      return q, try > factor and try or nil
    end
  end
end

local function queue_fix(case, count)
  local q, factor = split(case, count or 30)
  if not q then return nil end
  local settings = { "hbase.ipc.server.callqueue.read.ratio", "0.6",
    "hbase.ipc.server.callqueue.scan.ratio", "0.3" }
  if factor then
    settings[5], settings[6] = "hbase.ipc.server.callqueue.handler.factor", tostring(factor)
  end
  return {
    what = "as protection from the next such job: call queues of their own for scans (restart)",
    snippet = snippet.properties(table.unpack(settings)),
    why = "scans can then take only the scan handlers, and Gets keep theirs",
    expected = ("of %d handlers: %d write, %d get, %d scan"):format(count or 30,
      q.write.handlers, q.read.handlers, q.scan.handlers),
    risk = "handlers of an idle kind cannot help the others; adjust to measured queue lengths",
  }
end

--- The fixes once handlers are known to be hogged.
---@param case hbdx.Case
---@param top hbdx.Culprit?
---@param count integer? handlers
---@return hbdx.Fix[]
function fix.list(case, top, count)
  return { query_fix(top), queue_fix(case, count) }
end

local function visible(ms, ring, why)
  return {
    what = "make slow calls leave a trace (restart of the RegionServers)",
    snippet = ring and snippet.properties(THRESHOLD, ms, RING, "true")
      or snippet.properties(THRESHOLD, ms),
    why = why .. (ring and "; the ring buffer keeps the whole request" or ""),
    expected = "the next run names client, table and filter",
    risk = "a threshold far under your SLO floods the log",
  }
end

--- How to learn what calls held the handlers: from logs that are there but were not read, or by
-- settings for the next time.
---@param case hbdx.Case
---@return string get
---@return hbdx.Fix? visible the settings
function fix.trace(case)
  local ms, origin = handlers.threshold(case)
  local read = case:has "calls"
  if ms and ms < 10000 and not read then
    return ("the RegionServer logs of the time: calls over %d ms are in them (%s, %s)"):format(ms,
      THRESHOLD, origin)
  end
  local why = "at the default of 10 s, calls of some seconds are never logged"
  local target = 1000
  if ms and ms <= 1000 then
    target = math.max(1, ms // 5)
    why = ("these calls take less than the %d ms from which on they are logged"):format(ms)
  end
  local known = case:setting(RING) ~= nil -- not in every HBase
  return ("the logs of the next incident, with %s at %d%s"):format(THRESHOLD, target,
    known and " and " .. RING .. " at true" or ""), visible(("%d"):format(target), known, why)
end

return fix

--- What to do about hogged handlers: the query first, protection second; and what to switch on when
-- the culprit left no trace.
local amp = require "hbdx.amp"
local culprit = require "hbdx.pattern.culprit"
local snippet = require "hbdx.pattern.snippet"

local fix = {}

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

local function queue_fix(case, count)
  local factor = case:setting "hbase.ipc.server.callqueue.handler.factor"
  local q = amp.queues { handlers = count or 30, factor = factor and tonumber(factor.value) or 0.1,
                         read_ratio = 0.6, scan_ratio = 0.3, version = case:version() or "2.5" }
  return {
    what = "as protection from the next such job: call queues of their own for scans (restart)",
    snippet = snippet.properties("hbase.ipc.server.callqueue.read.ratio", "0.6",
                                 "hbase.ipc.server.callqueue.scan.ratio", "0.3"),
    why = "scans can then take only the scan handlers, and Gets keep theirs",
    expected = q and ("of %d handlers: %d write, %d get, %d scan"):format(count or 30,
      q.write.handlers, q.read.handlers, q.scan.handlers) or nil,
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

--- What makes the culprit visible next time.
---@return hbdx.Fix
function fix.visible()
  return {
    what = "make slow calls leave a trace (restart of the RegionServers)",
    snippet = snippet.properties("hbase.ipc.warn.response.time", "1000",
                                 "hbase.regionserver.slowlog.buffer.enabled", "true"),
    why = "at the default of 10 s, calls of some seconds are never logged; the ring buffer keeps "
       .. "the whole request",
    expected = "the next run names client, table and filter",
    risk = "a threshold far under your SLO floods the log",
  }
end

return fix

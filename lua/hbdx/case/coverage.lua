--- Whether a case can tell something about the time that is asked about, and what to get where it
-- cannot. Evidence of another time is none: with --from, --to, --at or --window only what reaches
-- into that time counts.
local metric = require "hbdx.metric"

local M = {}

local ADVICE = {
  calls = { what = "slow-call lines",
    get =
      "RegionServer logs of the time, or the shell's get_slowlog_responses '*', saved to a file" },
  events = { what = "RegionServer log lines", get = "the RegionServer logs of the time" },
  scans = { what = "client scan metrics",
    get = "an application log with rows returned, scanned and filtered "
       .. "(scan.setScanMetricsEnabled(true))" },
  settings = { what = "the configuration", get = "hbase-site.xml, or /conf of a RegionServer" },
}

-- ?1 and ?2 are the bounds of the time. A log without a stamp can be of any time.
local LOGS = [[SELECT count(*) AS n FROM source WHERE kind = 'log'
  AND ifnull(first_ms, ?1) <= ?2 AND ifnull(last_ms, ?2) >= ?1 ]]

local COUNTED = {
  calls = { LOGS, [[SELECT count(*) AS n FROM call c JOIN source s ON s.id = c.source_id
    WHERE s.kind <> 'log' AND ifnull(c.start_ms, ?1) BETWEEN ?1 AND ?2]] },
  events = { LOGS .. "AND EXISTS (SELECT 1 FROM event WHERE source_id = source.id)" },
  scans = { "SELECT count(*) AS n FROM scan WHERE ifnull(t_ms, ?1) BETWEEN ?1 AND ?2" },
  settings = { "SELECT count(*) AS n FROM setting WHERE ?1 <= ?2" },
}

--- The time that is asked about.
---@param case hbdx.Case
---@return integer from_ms math.mininteger: open
---@return integer to_ms math.maxinteger: open
---@return boolean limited by an option
local function asked(case)
  local focus = case.focus or {}
  local from = math.max(case.from_ms or math.mininteger, focus.from_ms or math.mininteger)
  local to = math.min(case.to_ms or math.maxinteger, focus.to_ms or math.maxinteger)
  return from, to, from > math.mininteger or to < math.maxinteger
end

-- The instants of a server's dumps; a file's time stamp (?5 = 1: leave them out) says when it was
-- copied, and is no instant beside dumps that tell theirs.
local POINTS = [[
  WITH point AS (
    SELECT s.id, p.t_ms FROM series s JOIN sample p ON p.series_id = s.id
    WHERE s.bean = ?1 AND s.name = ?2 AND s.server_id IS NOT NULL
      AND (?5 = 0 OR p.t_ms NOT IN (
        SELECT n.t_ms FROM snapshot n WHERE n.server_id = s.server_id AND n.t_origin = 'mtime'
          AND EXISTS (SELECT 1 FROM snapshot o
                      WHERE o.server_id = s.server_id AND o.t_origin <> 'mtime'))))
  SELECT max(a) AS a, max(i) AS i FROM (
    SELECT count(*) AS a, sum(p.t_ms BETWEEN ?3 AND ?4) AS i FROM point p
    JOIN (SELECT id, max(CASE WHEN t_ms <= ?3 THEN t_ms END) AS low,
                 min(CASE WHEN t_ms >= ?4 THEN t_ms END) AS high FROM point GROUP BY id) e
      ON e.id = p.id AND p.t_ms BETWEEN ifnull(low, ?3) AND ifnull(high, ?4)
    GROUP BY p.id)]]

-- How many points the best server has of a metric about a time: with the last before it and the
-- first behind it, since what lies between two points tells of the time between; and inside of it.
local function points_about(case, m, from, to, placed)
  local around, inside = 0, 0
  for _, spelling in ipairs(m.spellings) do
    local row = case.core:rows(POINTS,
      { spelling.bean, spelling.name, from, to, placed and 1 or 0 })[1]
    around, inside = math.max(around, row.a or 0), math.max(inside, row.i or 0)
  end
  return around, inside
end

local function has_metric(case, name, from, to, limited)
  local m = metric.get(name)
  if not m then error(("no metric is called '%s'"):format(name), 4) end
  local counter = m.kind == "counter"
  local around, inside = points_about(case, m, from, to, limited or counter)
  if around >= 2 or inside >= (counter and 2 or 1) then return true end
  return false, { what = name, get = counter
    and "two /jmx dumps of each RegionServer, 11 s or more apart"
    or "a /jmx dump of each RegionServer" }
end

local function has_records(case, need, from, to)
  for _, sql in ipairs(COUNTED[need]) do
    if case.core:rows(sql, { from, to })[1].n > 0 then return true end
  end
  return false, ADVICE[need]
end

--- See hbdx.case.
---@param case hbdx.Case
---@param need string
---@return boolean
---@return table? advice
function M.has(case, need)
  local from, to, limited = asked(case)
  local has, advice = (COUNTED[need] and has_records or has_metric)(case, need, from, to, limited)
  if not limited or has then return has, advice end
  return false, { what = advice.what .. " of the time asked about",
                  get = advice.get:gsub(" of the time", "") .. ", of that time" }
end

--- How much of the logs of one RegionServer lies in the time that is asked about: the best server's
-- records, and the time from the first to the last of them.
---@param case hbdx.Case
---@return integer records of the logs that reach into that time
---@return integer ms
function M.logged(case)
  local from, to = asked(case)
  local row = case.core:rows([[
    SELECT sum(records) AS n, max(min(last_ms, ?2) - max(first_ms, ?1)) AS ms FROM source
    WHERE kind = 'log' AND first_ms <= ?2 AND last_ms >= ?1
      AND EXISTS (SELECT 1 FROM event WHERE source_id = source.id
                  AND ifnull(fields, '') NOT LIKE '%"seen_by":"client"%')
    GROUP BY server_id ORDER BY ms DESC]], { from, to })[1]
  return row and row.n or 0, row and row.ms or 0
end

return M

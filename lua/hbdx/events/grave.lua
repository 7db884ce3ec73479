--- Grave events that no playbook judges: servers that stopped themselves, memory that ran out,
-- sessions that were lost, long silences, stops and syncs. They are told as they stand in the logs,
-- one row a kind, with its worst event: the longest, or the first where nothing is measured.
local events = require "hbdx.events"
local failures = require "hbdx.events.failures"

local grave = {}

-- From here on HBase itself takes it for grave: jvm.pause.warn-threshold.ms, the Sleeper's limit,
-- hbase.regionserver.wal.roll.on.sync.ms.
local LONG_MS = 10000

---@class hbdx.Grave
---@field kind string of the event
---@field count integer
---@field at_least_ms integer? only those of that length are counted
---@field worst table { server_id, t_ms, file, line, ms, what, reason, root_class, root_reason }

local function worst_of(row)
  local f = events.fields(row.fields)
  return { server_id = row.server_id, t_ms = row.t_ms, file = row.file, line = row.line,
    ms = row.ms, what = f.what, reason = f.reason }
end

-- The events of a kind, or those whose field is a long time, but for some servers': nil where there
-- is none.
local function of_kind(case, filter, kind, field, but)
  local params, ms = { kind }, "NULL"
  if field then ms = ("json_extract(e.fields, '$.%s')"):format(field) end
  local sql = ([[
    SELECT e.t_ms, e.server_id, e.fields, s.name AS file, e.line, %s AS ms, count(*) OVER () AS n
    FROM event e JOIN source s ON s.id = e.source_id WHERE e.kind = ? AND %s]]):format(ms,
    events.condition(filter, params, { kinds = true }))
  if field then
    sql = sql .. (" AND %s >= ?"):format(ms)
    params[#params + 1] = LONG_MS
  end
  for id in pairs(but or {}) do
    sql = sql .. " AND e.server_id IS NOT ?"
    params[#params + 1] = id
  end
  local row = case.core:rows(sql .. [[ ORDER BY ms DESC, e.t_ms IS NULL, e.t_ms, e.source_id,
    e.line LIMIT 1]], params)[1]
  return row and { kind = kind, count = row.n, at_least_ms = field and LONG_MS or nil,
    worst = worst_of(row) }
end

local function stops(case, filter)
  local list, first = failures.stops(case, filter), nil
  for _, stop in ipairs(list) do
    if not first or (stop.t_ms or math.huge) < (first.t_ms or math.huge) then first = stop end
  end
  return first and { kind = "abort", count = #list, worst = first }
end

local function place_of(p)
  local file, line = (p.place or ""):match("^(.*):(%d+)$")
  return file or p.place, math.tointeger(tonumber(line))
end

-- Stops of processes: each once, whoever tells it. They are joined only where one is long. The
-- second: the servers that stood still.
local function pauses(case)
  local bounds = { from_ms = case.from_ms, to_ms = case.to_ms }
  if not (of_kind(case, bounds, "pause", "pause_ms")
          or of_kind(case, bounds, "gc_pause", "pause_ms")) then
    return nil, {}
  end
  local count, worst, servers = 0, nil, {}
  for _, p in ipairs(case:pauses()) do
    local ms = p.gc_kind ~= "stall" and p.pause_ms or 0
    if ms >= LONG_MS and case:in_focus(p.t_ms, p.t_ms and math.ceil(p.t_ms + ms)) then
      count = count + 1
      if p.server_id then servers[p.server_id] = true end
      if not worst or ms > worst.pause_ms then worst = p end
    end
  end
  if not worst then return nil, {} end
  local file, line = place_of(worst)
  return { kind = "pause", count = count, at_least_ms = LONG_MS, worst = { file = file, line = line,
    server_id = worst.server_id, t_ms = worst.t_ms, ms = worst.pause_ms } }, servers
end

--- What is grave in the time that is asked about, the gravest kind first.
---@param case hbdx.Case
---@return hbdx.Grave[]
function grave.collect(case)
  local filter, list = assert(events.filter(case, {})), {}
  local function put(row) list[#list + 1] = row end
  put(stops(case, filter))
  put(of_kind(case, filter, "out_of_memory"))
  put(of_kind(case, filter, "zk_expired"))
  put(of_kind(case, filter, "zk_silent", "silent_ms"))
  local stop, servers = pauses(case)
  put(stop)
  -- a thread that slept too long is another witness of a pause that its server tells
  put(of_kind(case, filter, "slept", "slept_ms", servers))
  put(of_kind(case, filter, "wal_failed"))
  put(of_kind(case, filter, "wal_slow_sync", "took_ms"))
  return list
end

return grave

--- What broke: servers that stopped themselves, ZooKeeper's silence, memory that ran out, clients
-- that were turned away by full call queues, and other exceptions by the class at their root.
-- Lines of one server that stops are one stop: the first tells the reason, and the first trace its
-- root; what comes later follows from it.
local events = require "hbdx.events"

local failures = {}

local SAME_STOP_MS = 600000 -- from one line of a stop to the next

---@class hbdx.Stop
---@field server_id integer?
---@field t_ms integer?
---@field last_ms integer?
---@field reason string?
---@field root_class string?
---@field root_reason string?
---@field lines integer
---@field file string of its first line
---@field line integer?

local function rows(case, filter, kind, columns, tail)
  local params = { kind }
  local sql = ("SELECT %s FROM event e JOIN source s ON s.id = e.source_id WHERE e.kind = ? "
    .. "AND %s %s"):format(columns, events.condition(filter, params, { kinds = true }), tail)
  return case.core:rows(sql, params)
end

local function begins(stop, e)
  if not stop or stop.server_id ~= e.server_id then return true end
  return stop.last_ms and e.t_ms and e.t_ms - stop.last_ms > SAME_STOP_MS
end

--- The chosen stops of servers, by server and time.
---@param case hbdx.Case
---@param filter hbdx.EventFilter
---@return hbdx.Stop[]
function failures.stops(case, filter)
  local list = {}
  local lines = rows(case, filter, "abort", "e.server_id, e.t_ms, e.fields, e.line, s.name AS file",
    "ORDER BY ifnull(e.server_id, -e.source_id), e.t_ms, e.source_id, e.line")
  for _, e in ipairs(lines) do
    local f, stop = events.fields(e.fields), list[#list]
    if begins(stop, e) then
      stop = { server_id = e.server_id, t_ms = e.t_ms, reason = f.reason, lines = 0,
        file = e.file, line = e.line }
      list[#list + 1] = stop
    end
    stop.last_ms, stop.lines = e.t_ms, stop.lines + 1
    if not stop.root_class then stop.root_class, stop.root_reason = f.root_class, f.root_reason end
  end
  return list
end

local function counted(case, filter, kind, field)
  local key = ("json_extract(e.fields, '$.%s')"):format(field)
  return rows(case, filter, kind, key .. " AS key, count(*) AS n, min(e.t_ms) AS first_ms",
    "GROUP BY 1 ORDER BY n DESC, key")
end

local function exceptions(case, filter)
  return rows(case, filter, "exception", [[coalesce(json_extract(e.fields, '$.root_class'),
    json_extract(e.fields, '$.class')) AS key, count(*) AS n, min(e.t_ms) AS first_ms]],
    "GROUP BY 1 ORDER BY n DESC, key")
end

--- What broke among the chosen events.
---@param case hbdx.Case
---@param filter hbdx.EventFilter
---@return table d stops, expired, silent, silent_max_ms, memory, queue_full, exceptions
function failures.collect(case, filter)
  local silent = rows(case, filter, "zk_silent",
    "count(*) AS n, max(json_extract(e.fields, '$.silent_ms')) AS most", "")[1]
  return { stops = failures.stops(case, filter), silent = silent.n, silent_max_ms = silent.most,
    expired = rows(case, filter, "zk_expired", "count(*) AS n", "")[1].n,
    memory = counted(case, filter, "out_of_memory", "what"),
    queue_full = rows(case, filter, "call_queue_full", "e.server_id AS server_id, " ..
      "json_extract(e.fields, '$.server') AS key, count(*) AS n, min(e.t_ms) AS first_ms",
      "GROUP BY 2 ORDER BY n DESC, key"),
    exceptions = exceptions(case, filter) }
end

return failures

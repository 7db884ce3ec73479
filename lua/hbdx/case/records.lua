--- Calls, events and client scan metrics of a case, in order of time, as lists that are read once.
local fields = require "hbdx.case.fields"
local pauses = require "hbdx.case.pauses"

local M = {}

-- What `make` returns, remembered under `key` until the case's next refresh.
local function remember(case, key, make)
  local value = case.cache[key]
  if value == nil then
    value = make()
    case.cache[key] = value
  end
  return value
end

-- " AND <column> between the case's bounds" with its values appended to params.
local function bounds(case, column, params)
  local sql = ""
  if case.from_ms then
    sql = sql .. (" AND %s >= ?"):format(column)
    params[#params + 1] = case.from_ms
  end
  if case.to_ms then
    sql = sql .. (" AND %s <= ?"):format(column)
    params[#params + 1] = case.to_ms
  end
  return sql
end

---@class hbdx.Call
---@field id integer
---@field start_ms integer? UTC
---@field proc_ms integer?
---@field queue_ms integer?
---@field response_bytes integer?
---@field method string?
---@field client string? address without port
---@field table_name string? as told by the record itself
---@field near_table string? told by another call of the same scanner
---@field filters string?
---@field place string "file:line"
---@field told_place string "file:line" of the record that tells most of its param: another one
--- where the line of a log is cut and a dump of the ring buffer has it whole

--- Slow and large calls, by start.
---@param case hbdx.Case
---@param opts table { method, server_id }
---@return hbdx.Call[]
function M.calls(case, opts)
  local params, sql = {}, ""
  for _, column in ipairs { "method", "server_id" } do
    if opts[column] then
      sql = sql .. (" AND c.%s = ?"):format(column)
      params[#params + 1] = opts[column]
    end
  end
  sql = sql .. bounds(case, "c.start_ms", params)
  return remember(case, "calls" .. sql .. table.concat(params, ","), function()
    return case.core:rows([[
      SELECT c.id, c.server_id, c.start_ms, c.proc_ms, c.queue_ms, c.response_bytes, c.block_bytes,
             c.method, c.client_address AS client, c.user, c.table_name,
             n.table_name AS near_table, c.region,
             c.filters, c.has_start_row, c.has_stop_row, c.start_row, c.stop_row, c.caching,
             c.cache_blocks, c.scanner_id, c.param_cut, c.in_log, c.in_dump, c.multi_gets,
             c.multi_mutations, s.name || ':' || c.line AS place,
             coalesce(w.name || ':' || c.told_line, s.name || ':' || c.line) AS told_place
      FROM call c JOIN source s ON s.id = c.source_id
      LEFT JOIN source w ON w.id = c.told_source
      LEFT JOIN scanner n ON n.scanner_id = c.scanner_id AND c.table_name IS NULL
      WHERE 1]] .. sql .. " ORDER BY c.start_ms, c.id", params)
  end)
end

---@class hbdx.Event
---@field t_ms integer? UTC
---@field kind string
---@field server_id integer?
---@field table_name string?
---@field encoded string? region
---@field f table<string, any> the kind's own fields
---@field place string "file:line"
---@field origin string? how the clock of its source is known

--- Events of one kind, by time.
---@param case hbdx.Case
---@param kind string
---@return hbdx.Event[]
function M.events(case, kind)
  return remember(case, "events " .. kind, function()
    local params = { kind }
    local list = case.core:rows([[
      SELECT e.t_ms, e.kind, e.server_id, e.table_name, e.region, e.encoded, e.family, e.fields,
             s.name || ':' || e.line AS place, s.offset_origin AS origin
      FROM event e JOIN source s ON s.id = e.source_id WHERE e.kind = ?]]
      .. bounds(case, "e.t_ms", params) .. " ORDER BY e.t_ms, e.id", params)
    for _, e in ipairs(list) do
      e.f, e.fields = fields.read(e.fields), nil
    end
    return list
  end)
end

--- Stops of the JVMs, by their start; see hbdx.case.pauses.
---@param case hbdx.Case
---@return hbdx.Pause[]
function M.pauses(case)
  return remember(case, "pauses", function()
    return pauses.joined(M.events(case, "gc_pause"), M.events(case, "pause"))
  end)
end

---@class hbdx.ScanMetrics
---@field returned integer?
---@field scanned integer?
---@field filtered integer?
---@field table_name string?
---@field label string?

--- Client scan metrics, by time.
---@param case hbdx.Case
---@return hbdx.ScanMetrics[]
function M.scans(case)
  return remember(case, "scans", function()
    local params = {}
    return case.core:rows([[
      SELECT x.t_ms, x.returned, x.scanned, x.filtered, x.regions, x.rpcs, x.bytes, x.took_ms,
             x.between_nexts_ms, x.table_name, x.label, s.name || ':' || x.line AS place
      FROM scan x JOIN source s ON s.id = x.source_id WHERE 1]]
      .. bounds(case, "x.t_ms", params) .. " ORDER BY x.t_ms, x.id", params)
  end)
end

return M

--- Which HBase a case is from: told by logs or /conf; else the oldest release that has the metrics
-- that its dumps show. /jmx itself has no attribute for it.
local version_of = require "hbdx.version"

local M = {}

-- Attributes of RegionServer.Server by the release that brought them, newest first.
local BROUGHT = {
  { "3.0", "cpRequestCount" },
  { "2.6", "blockBytesScannedCount" },
  { "2.5", "activeScanners" },
  { "2.4", "blockCacheHitCachingCount" },
  { "2.3", "ByteBuffAllocatorTotalBufferCount" },
  { "2.2", "readRequestRatePerSecond" },
  { "2.0", "filteredReadRequestCount" },
  { "1.4", "Put_num_ops" },
  { "1.3", "flushedOutputBytes" },
  { "1.1", "regionServerStartTime" },
}

local TOLD = [[
  SELECT v, count(*) AS n FROM (
    SELECT version AS v FROM server WHERE version IS NOT NULL AND (?1 = 0 OR id = ?1)
    UNION ALL SELECT version FROM source
      WHERE version IS NOT NULL AND version <> '' AND (?1 = 0 OR server_id = ?1)
    UNION ALL SELECT l.value FROM label l JOIN snapshot s ON s.id = l.snapshot_id
      WHERE l.name = 'version' AND (?1 = 0 OR s.server_id = ?1)
    UNION ALL SELECT value FROM setting
      WHERE name = 'hbase.defaults.for.version' AND (?1 = 0 OR server_id IS NULL OR server_id = ?1))
  GROUP BY v ORDER BY n DESC]]

local function by_metrics(case, server_id)
  local names = {}
  for row in case.core:each([[
      SELECT DISTINCT name FROM series
      WHERE bean = 'RegionServer.Server' AND (?1 = 0 OR server_id = ?1)]], { server_id or 0 }) do
    names[row.name] = true
  end
  for _, step in ipairs(BROUGHT) do
    if names[step[2]] then return step[1] end
  end
end

-- The version that is told most often; what is none does not tell.
local function told(case, server_id)
  for _, row in ipairs(case.core:rows(TOLD, { server_id or 0 })) do
    if version_of.parse(row.v) then return row.v end
  end
end

local function find(case, server_id)
  local text = told(case, server_id) or told(case)
  if text then return { text } end
  local version = by_metrics(case, server_id)
  return version and { version, version .. " or later, by its metrics" } or {}
end

--- The version of a server, or of the case.
---@param case hbdx.Case
---@param server_id integer?
---@return string? version "2.5.8"; where only metrics tell, the oldest branch that has them: "2.5"
---@return string? words how to say it
function M.get(case, server_id)
  local key = ("version %s"):format(server_id)
  local found = case.cache[key] or find(case, server_id)
  case.cache[key] = found
  return found[1], found[2] or found[1]
end

return M

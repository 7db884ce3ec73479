--- The master's view, and replication.
local RIT <const>, OLD_RIT <const> = "Master.AssignmentManager", "Master.AssignmentManger"
local REPLICATION <const> = "RegionServer.Replication"

local function rit(attribute)
  return { { attribute, bean = RIT, since = "2.0" }, { attribute, bean = OLD_RIT, until_ = "1.7" },
    { attribute, bean = RIT, until_ = "0.98" } }
end

return {
  bean = "Master.Server",

  ["master.servers"] = {
    kind = "gauge", unit = "count", what = "RegionServers that are online",
    at = { { "numRegionServers" } }, moves = "servers that come and go",
    see = { "master.dead_servers" },
  },
  ["master.dead_servers"] = {
    kind = "gauge", unit = "count", what = "servers that were seen dead",
    at = { { "numDeadRegionServers" } }, moves = "crashes and sessions that expired",
    traps = { "entries stay until the server is back: not those missing now" },
    see = { "master.servers", "zk_expired" },
  },
  ["master.average_load"] = {
    kind = "gauge", unit = "count", what = "regions of a server, on average",
    at = { { "averageLoad" } }, moves = "splits, servers that come and go",
    see = { "region.count" },
  },
  ["master.requests"] = {
    kind = "counter", unit = "count", reset = "master",
    what = "requests that the RegionServers reported",
    at = { { "clusterRequests" } }, moves = "clients",
    traps = { "RPC requests, not rows; begins at 0 with the master" }, see = { "requests.total" },
  },
  ["master.old_wals_bytes"] = {
    kind = "gauge", unit = "bytes", what = "archived WALs that wait for their cleaner",
    at = { { "oldWALsDirSize", since = "2.4.18 2.6 3.0.0" } },
    moves = "replication that lags, cleaners that are stuck",
  },
  ["rit.count"] = {
    kind = "gauge", unit = "count", what = "regions in transition", at = rit("ritCount"),
    moves = "moves, splits, a server's death", healthy = "0, or a few for seconds",
    traps = { "the bean is called AssignmentManger up to 1.7" }, see = { "rit.oldest_ms" },
  },
  ["rit.stuck"] = {
    kind = "gauge", unit = "count", what = "regions in transition for more than a minute",
    at = rit("ritCountOverThreshold"), moves = "a region that cannot open", healthy = "0",
    see = { "rit.count" },
  },
  ["rit.oldest_ms"] = {
    kind = "gauge", unit = "ms", what = "age of the oldest transition", at = rit("ritOldestAge"),
    moves = "as rit.stuck", see = { "rit.count" },
  },
  ["replication.log_queue"] = {
    kind = "gauge", unit = "count", what = "WALs that wait to be shipped",
    at = { { "source.sizeOfLogQueue", bean = REPLICATION, on_use = true } },
    moves = "a peer that is slow or away", healthy = "1 or 2 a peer",
    see = { "replication.age_max" },
  },
  ["replication.shipped_bytes"] = {
    kind = "counter", unit = "bytes", what = "bytes shipped to peers",
    at = { { "source.shippedBytes", bean = REPLICATION, since = "1.3", on_use = true } },
    moves = "writes to replicated families", see = { "replication.log_queue" },
  },
  ["replication.age_max"] = {
    kind = "percentile", unit = "ms", what = "largest age of an edit when it was shipped",
    at = { { "Source.ageOfLastShippedOp_max", bean = REPLICATION, since = "1.3", on_use = true },
      { "source.ageOfLastShippedOp", bean = REPLICATION, until_ = "1.2" } },
    moves = "a peer that is slow; nothing at all while nothing is shipped",
    see = { "replication.log_queue" },
  },
}

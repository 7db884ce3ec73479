--- Slow syncs of write-ahead logs by the DataNodes of their pipelines: the slow node is in most of
-- them. Every node of a pipeline is counted, for the line does not say which one was slow.
--
-- A node that is in no pipeline of a server can be the one at fault, too: HDFS left it out.
--   its own: HDFS puts the first replica onto the writer's own host, so a server whose pipelines
--     never have the DataNode of its host, though others have it, cannot use it
--     (told only where servers and DataNodes go by the same names)
--   another: with N nodes known and r replicas in a pipeline, the first of them the writer's own,
--     chance leaves a node out of n of them with (1 - (r-1)/(N-1))^n. Below one in a thousand it
--     is called absent, but only of five nodes and more, and where nearly all are in the server's
--     pipelines: racks make HDFS leave out many at once.
-- Which nodes there are is known from all pipelines of the case, of any time and kind.
local syncs = {}

local ENOUGH = 10     -- pipelines of a server before an absence means anything
local CHANCE = 0.001
local NODES = 5       -- known at least
local FEW = 0.1       -- of the nodes that are known, at most: more are left out for another reason

---@return table
function syncs.new()
  return { count = 0, untold = 0, told = 0, nodes = {}, by = {}, absent = {}, servers = {},
    known = {} }
end

--- The DataNodes of a pipeline: "[DatanodeInfoWithStorage[10.0.0.7:9866,DS-1,DISK], ...]", or
-- "[10.0.0.7:50010, ...]".
---@param pipeline string
---@return string[] address:port, each once
function syncs.nodes(pipeline)
  local list, seen = {}, {}
  local function put(name)
    if not seen[name] then seen[name], list[#list + 1] = true, name end
  end
  for name in pipeline:gmatch("WithStorage%[([^,]+)") do put((name:gsub("(:%d+)%]+$", "%1"))) end
  if #list == 0 then
    for name in pipeline:gmatch("[^,%s]+") do
      name = name:gsub("^%[([^%[])", "%1"):gsub("(:%d+)%]+$", "%1")
      if name:find(":%d+$") then put(name) end
    end
  end
  return list
end

local function host_of(node) return node:match("^(.*):%d+$") or node end

local function of_server(s, id, nodes)
  if not id then return end
  local server = s.servers[id] or { told = 0, places = 0, nodes = {}, hosts = {} }
  s.servers[id] = server
  server.told, server.places = server.told + 1, server.places + #nodes
  for _, name in ipairs(nodes) do server.nodes[name], server.hosts[host_of(name)] = true, true end
end

--- Kinds whose pipelines say which DataNodes there are.
syncs.kinds = { "wal_slow_sync", "wal_roll_requested", "hdfs_slow" }

--- Notes the DataNodes of any event with a pipeline, chosen or not.
---@param s table
---@param e hbdx.Event
function syncs.know(s, e)
  for _, name in ipairs(syncs.nodes(e.f.pipeline or "")) do s.known[name] = true end
end

--- Counts a wal_slow_sync.
---@param s table
---@param e hbdx.Event
function syncs.add(s, e)
  s.count = s.count + 1
  local took = e.f.took_ms
  if took then s.max_ms = math.max(s.max_ms or took, took) end
  local nodes = syncs.nodes(e.f.pipeline or "")
  if #nodes == 0 then
    s.untold = s.untold + 1
    return
  end
  s.told = s.told + 1
  of_server(s, e.server_id, nodes)
  for _, name in ipairs(nodes) do
    local node = s.by[name] or { node = name, count = 0 }
    s.by[name], s.known[name] = node, true
    node.count = node.count + 1
    if took then node.max_ms = math.max(node.max_ms or took, took) end
  end
end

local function sorted(set)
  local list = {}
  for name in pairs(set) do list[#list + 1] = name end
  table.sort(list)
  return list
end

local function tell(s, server, node, own, expected)
  s.absent[#s.absent + 1] = { node = node, server_id = server.id, own = own, expected = expected,
    pipelines = s.servers[server.id].told }
end

-- The DataNode of the server's own host.
local function find_own(s, server, known)
  local own = s.servers[server.id]
  if not server.host or own.hosts[server.host] then return end
  for _, node in ipairs(known) do
    if host_of(node) == server.host then
      tell(s, server, node, true, own.told)
      return
    end
  end
end

local function find_others(s, server, known)
  local own, list = s.servers[server.id], {}
  local share = (own.places / own.told - 1) / (#known - 1)
  if #known < NODES or share >= 1 or (1 - share) ^ own.told >= CHANCE then return end
  for _, node in ipairs(known) do
    if not own.nodes[node] and host_of(node) ~= server.host then list[#list + 1] = node end
  end
  if #list > math.max(1, FEW * #known) then return end
  for _, node in ipairs(list) do tell(s, server, node, false, own.told * share) end
end

--- Lists the nodes, the most often named first, and the absent ones.
---@param s table
---@param servers hbdx.Server[]
function syncs.finish(s, servers)
  for _, node in pairs(s.by) do s.nodes[#s.nodes + 1] = node end
  table.sort(s.nodes, function(a, b)
    if a.count ~= b.count then return a.count > b.count end
    if a.max_ms ~= b.max_ms then return (a.max_ms or 0) > (b.max_ms or 0) end
    return a.node < b.node
  end)
  local known = sorted(s.known)
  for _, server in ipairs(servers) do
    local own = s.servers[server.id]
    if own and own.told >= ENOUGH then
      find_own(s, server, known)
      find_others(s, server, known)
    end
  end
end

return syncs

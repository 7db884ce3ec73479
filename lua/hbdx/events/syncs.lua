--- Slow syncs of write-ahead logs by the DataNodes of their pipelines: the slow node is in most of
-- them. Every node of a pipeline is counted, for the line does not say which one was slow.
--
-- HDFS puts the first replica onto the writer's own host. A server whose pipelines never have the
-- DataNode of its host, though others have it, cannot use it: that node is called absent. It is
-- told only where servers and DataNodes go by the same names.
local syncs = {}

local ENOUGH = 10 -- pipelines of a server before an absence means anything

---@return table
function syncs.new()
  return { count = 0, untold = 0, nodes = {}, by = {}, absent = {}, servers = {} }
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

local function of_server(s, id, nodes)
  if not id or #nodes == 0 then return end
  local server = s.servers[id] or { told = 0, hosts = {} }
  s.servers[id] = server
  server.told = server.told + 1
  for _, name in ipairs(nodes) do server.hosts[name:match("^(.*):%d+$") or name] = true end
end

--- Counts a wal_slow_sync.
---@param s table
---@param e hbdx.Event
function syncs.add(s, e)
  s.count = s.count + 1
  local took = e.f.took_ms
  if took then s.max_ms = math.max(s.max_ms or took, took) end
  local nodes = syncs.nodes(e.f.pipeline or "")
  if #nodes == 0 then s.untold = s.untold + 1 end
  of_server(s, e.server_id, nodes)
  for _, name in ipairs(nodes) do
    local node = s.by[name] or { node = name, count = 0 }
    s.by[name] = node
    node.count = node.count + 1
    if took then node.max_ms = math.max(node.max_ms or took, took) end
  end
end

local function find_absent(s, server)
  local own = s.servers[server.id]
  if not own or not server.host or own.told < ENOUGH or own.hosts[server.host] then return end
  for _, node in ipairs(s.nodes) do
    if node.node:match("^(.*):%d+$") == server.host then
      s.absent[#s.absent + 1] = { node = node.node, server_id = server.id, pipelines = own.told }
      return
    end
  end
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
  for _, server in ipairs(servers) do find_absent(s, server) end
end

return syncs

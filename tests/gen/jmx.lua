--- A server's state as the answer of /jmx to a narrow query.
local beans = require "gen.beans"
local java = require "gen.java"

local jmx = {}

-- 1.4.11 to 1.6 put every number in quotes (HBASE-24657)
local function number(x, is_double, quoted)
  local text = is_double and java.double(x) or string.format("%d", x // 1)
  return quoted and '"' .. text .. '"' or text
end

local function member(indent, name, text)
  return string.format('%s"%s": %s', indent, name, text)
end

-- modelerType and tags come first, as HBase prints them
local function hbase_head(sub, context, host, tags)
  local modeler = sub == "JvmMetrics" and sub or "RegionServer,sub=" .. sub
  local name = sub == "JvmMetrics" and sub or "RegionServer,sub=" .. sub
  local list = {
    member("      ", "name", java.quote("Hadoop:service=HBase,name=" .. name)),
    member("      ", "modelerType", java.quote(modeler)),
  }
  for _, tag in ipairs(tags or {}) do
    list[#list + 1] = member("      ", "tag." .. tag[1], java.quote(tag[2]))
  end
  list[#list + 1] = member("      ", "tag.Context", java.quote(context))
  list[#list + 1] = member("      ", "tag.Hostname", java.quote(host))
  return list
end

local function plain(sub, server, view, tags)
  local context = sub == "JvmMetrics" and "jvm" or "regionserver"
  local list = hbase_head(sub, context, server.host, tags)
  for _, attr in ipairs(beans.of(sub, server.release)) do
    local value = view[attr[1]]
    assert(value, "no value for " .. attr[1])
    list[#list + 1] = member("      ", attr[1], number(value, attr[2], server.quoted))
  end
  return list
end

local function tables(server, view)
  local list = hbase_head("Tables", "regionserver", server.host)
  local attrs = beans.of("Tables", server.release)
  for _, t in ipairs(view.tables) do
    local namespace, name = t.table:match("^(.-):(.+)$")
    local prefix = string.format("Namespace_%s_table_%s_metric_", namespace or "default",
                                 name or t.table)
    for _, attr in ipairs(attrs) do
      list[#list + 1] = member("      ", prefix .. attr[1],
                               number(t[attr[1]], false, server.quoted))
    end
  end
  list[#list + 1] = member("      ", "numTables", number(#view.tables, false, server.quoted))
  return list
end

local function memory(server, view)
  local list = { member("      ", "name", '"java.lang:type=Memory"'),
                 member("      ", "modelerType", '"sun.management.MemoryImpl"') }
  local usage = { { "committed", view.heap }, { "init", view.heap }, { "max", view.heap },
                  { "used", view.heap_used } }
  local parts = {}
  for i, part in ipairs(usage) do
    parts[i] = member("        ", part[1], number(part[2], false, server.quoted))
  end
  list[3] = member("      ", "HeapMemoryUsage", "{\n" .. table.concat(parts, ",\n") .. "\n      }")
  return list
end

local function runtime(server, view)
  return {
    member("      ", "name", '"java.lang:type=Runtime"'),
    member("      ", "modelerType", '"sun.management.RuntimeImpl"'),
    member("      ", "StartTime", number(server.boot, false, server.quoted)),
    member("      ", "VmName", '"OpenJDK 64-Bit Server VM"'),
    member("      ", "VmVersion", java.quote(server.vm)),
    member("      ", "Uptime", number(view.now - server.boot, false, server.quoted)),
  }
end

-- The order of beans is that of a hash table: its own for each process, the same while it lives.
local function order(list, server)
  local rng = server.rng:fork("bean order " .. server.boot)
  for i = #list, 2, -1 do
    local j = rng:int(1, i)
    list[i], list[j] = list[j], list[i]
  end
  return list
end

--- view: values by attribute name, and now, heap, heap_used, tables.
---@param server gen.server
---@param view table
---@return string
function jmx.document(server, view)
  local names = { { "serverName", server:name() }, { "clusterId", server.cluster_id } }
  local list = {
    plain("Server", server, view, names), plain("IPC", server, view), plain("WAL", server, view),
    plain("JvmMetrics", server, view, { { "ProcessName", "RegionServer" } }),
    memory(server, view), runtime(server, view),
  }
  if server.release >= 22 then list[#list + 1] = tables(server, view) end
  local out = {}
  for i, bean in ipairs(order(list, server)) do
    out[i] = "    {\n" .. table.concat(bean, ",\n") .. "\n    }"
  end
  return '{\n  "beans": [\n' .. table.concat(out, ",\n") .. "\n  ]\n}\n"
end

return jmx

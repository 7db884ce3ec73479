--- hbase-site.xml from a list of names and values.
local site = {}

local ENTITIES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }

local function escape(s) return (s:gsub("[&<>]", ENTITIES)) end

---@param settings string[][] -- { name, value[, comment] } in the file's order
---@return string
function site.xml(settings)
  local out = { '<?xml version="1.0"?>',
                '<?xml-stylesheet type="text/xsl" href="configuration.xsl"?>', "<configuration>" }
  for _, s in ipairs(settings) do
    if s[3] then out[#out + 1] = "  <!-- " .. s[3] .. " -->" end
    out[#out + 1] = string.format("  <property>\n    <name>%s</name>\n    <value>%s</value>\n"
                                  .. "  </property>", escape(s[1]), escape(s[2]))
  end
  out[#out + 1] = "</configuration>\n"
  return table.concat(out, "\n")
end

--- What every site of the samples sets.
---@param domain string
---@return string[][]
function site.base(domain)
  return {
    { "hbase.rootdir", "hdfs://" .. domain .. "/hbase" },
    { "hbase.cluster.distributed", "true" },
    { "hbase.zookeeper.quorum", string.format("zk-1.%s,zk-2.%s,zk-3.%s", domain, domain, domain) },
    { "zookeeper.session.timeout", "60000" },
    { "dfs.client.read.shortcircuit", "true" },
    { "dfs.domain.socket.path", "/var/lib/hadoop-hdfs/dn_socket" },
  }
end

return site

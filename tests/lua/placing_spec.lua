--- Whose a log is, and by which clock, when it does not say so itself.
local clocks = require "hbdx.import.clocks"
local placing = require "hbdx.import.placing"
local time = require "hbdx.core.time"

--- A case that knows some servers and remembers what it was told.
local function fake_case(servers)
  local told = { servers = {}, offsets = {} }
  local case = {}
  function case:rows(sql) -- luacheck: ignore 212
    local wanted, list = sql:find("= 1", 1, true) ~= nil, {}
    for _, s in ipairs(servers) do
      if (s.is_master == 1) == wanted then list[#list + 1] = s end
    end
    return list
  end
  function case:set_server(id, name) -- luacheck: ignore 212
    told.servers[id] = name
    return true
  end
  function case:set_offset(id, ms, origin) -- luacheck: ignore 212
    told.offsets[id] = { ms, origin }
    return true
  end
  return case, told
end

local function coverage(entries)
  for i, e in ipairs(entries) do
    e.source, e.name = i, e.name or ("%s/%d"):format(e.folder or "", i)
  end
  return { entries = entries, notes = {} }
end

describe("placing.servers", function()
  it("gives a log to the one server whose dumps lie nearest", function()
    local case, told = fake_case {}
    placing.servers(case, coverage {
      { kind = "jmx", folder = "x/rs-1/jmx", server = "rs1,16020" },
      { kind = "jmx", folder = "x/rs-2", server = "rs2,16020" },
      { kind = "log", folder = "x/rs-1/logs" },
      { kind = "log", folder = "x/rs-2" },
      { kind = "conf", folder = "x/rs-2/conf" },
      { kind = "conf", folder = "x" },
      { kind = "gc", folder = "x/rs-1/logs" },
    })
    assert.same({ [3] = "rs1,16020", [4] = "rs2,16020", [5] = "rs2,16020", [7] = "rs1,16020" },
      told.servers)
  end)

  it("gives a configuration that several servers have to none of them", function()
    local case, told = fake_case {}
    local c = coverage {
      { kind = "jmx", folder = "rs-1", server = "rs1,16020" },
      { kind = "jmx", folder = "rs-2", server = "rs2,16020" },
      { kind = "conf", folder = "rs-1" },
      { kind = "conf", folder = "rs-2", duplicate = true },
      { kind = "conf", owner = "rs3,16020" },
    }
    c.entries[4].source = 3
    placing.servers(case, c)
    assert.same({ [5] = "rs3,16020" }, told.servers)
  end)

  it("does not take the master for the server", function()
    local case, told = fake_case { { name = "m,16000", is_master = 1 } }
    placing.servers(case, coverage {
      { kind = "jmx", folder = "x", server = "m,16000" },
      { kind = "jmx", folder = "x/jmx", server = "rs,16020" },
      { kind = "log", folder = "x" },
    })
    assert.same({ [3] = "rs,16020" }, told.servers)
  end)

  it("goes by the host in the file's name, then by the folder", function()
    local case, told = fake_case { { name = "rs7.example.com,16020", host = "rs7.example.com" } }
    placing.servers(case, coverage {
      { kind = "log", folder = "", name = "hbase-hbase-regionserver-rs7.example.com.log.2.gz" },
      { kind = "log", folder = "x", name = "x/hbase-root-regionserver-rs8.log" },
      { kind = "log", folder = "x/rs-9/logs" },
      { kind = "gc", folder = "x", name = "x/hbase-root-regionserver-rs8.gc.0.current" },
      { kind = "log", folder = "" },
      { kind = "conf", folder = "" },
    })
    assert.same({ "rs7.example.com,16020", "rs8", "rs-9", "rs8" }, told.servers)
  end)

  it("places dumps of single beans as it does logs", function()
    local case, told = fake_case {}
    placing.servers(case, coverage {
      { kind = "jmx", folder = "x/rs-1", server = "rs1,16020" },
      { kind = "jmx", folder = "x/rs-1/jmx" },
      { kind = "jmx", folder = "x/rs-2", server = "rs2,16020" },
      { kind = "jmx", folder = "x/rs-3/jmx" },
    })
    assert.same({ [2] = "rs1,16020", [4] = "rs-3" }, told.servers)
  end)

  it("leaves alone what says whose it is, and logs of clients", function()
    local case, told = fake_case {}
    placing.servers(case, coverage {
      { kind = "log", folder = "x", server = "rs1,16020" },
      { kind = "log", folder = "x", scans = 12 },
    })
    assert.same({}, told.servers)
  end)
end)

describe("clocks.offsets", function()
  local unknown = { kind = "log", offset_ms = 0, offset_origin = "unknown", first_ms = 1 << 40 }
  local function log(fields)
    local e = {}
    for k, v in pairs(unknown) do e[k] = v end
    for k, v in pairs(fields) do e[k] = v end
    return e
  end

  it("takes the offset of the same server, else of all where they agree", function()
    local case, told = fake_case {}
    clocks.offsets(case, coverage {
      log { server = "a", offset_ms = 3600000, offset_origin = "slow calls" },
      log { server = "a" },
      log { server = "b" },
    })
    assert.same({ [2] = { 3600000, "other logs of the same server" },
      [3] = { 3600000, "other logs" } }, told.offsets)
  end)

  it("falls back to this machine's zone and says so", function()
    local case, told = fake_case {}
    local c = coverage {
      log { server = "a", offset_ms = 3600000, offset_origin = "slow calls" },
      log { server = "b", offset_ms = 7200000, offset_origin = "slow calls" },
      log { server = "c" },
    }
    clocks.offsets(case, c)
    assert.same({ [3] = { time.offset("local", 1 << 40), "this machine's zone" } }, told.offsets)
    assert.truthy(c.notes[1]:find("--log-tz", 1, true))
  end)
end)

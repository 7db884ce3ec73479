--- Sources into a case, with the real core: order, owners, clocks, failures, cases as sources.
local import = require "hbdx.import"
local scratch = require "scratch"

local function shell(fmt, ...)
  assert(os.execute(fmt:format(...)))
end

local function put(path, text)
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
end

local JMX = [[{"beans":[
{"name":"java.lang:type=Runtime","StartTime":1796075000000,"Uptime":%d},
{"name":"Hadoop:service=HBase,name=RegionServer,sub=Server",
 "tag.serverName":"%s,16020,1796075000000","blockCacheEvictionCount":%d}]}]]

local SLOW = [[2026-11-30 22:00:0%d,500 WARN  [RpcServer.default.FPBQ.Fifo.handler=1,queue=0] ]]
  .. [[ipc.RpcServer: (responseTooSlow): {"call":"Multi(org.apache.hadoop.hbase.MultiRequest)",]]
  .. [["starttimems":%d,"responsesize":100,"method":"Multi","param":"region= t1,,1.ab.",]]
  .. [["processingtimems":500,"client":"10.0.0.9:4000","queuetimems":1,"class":"HRegionServer"}]]

local STALL = "2026-11-30 21:10:00,000 INFO  [MemStoreFlusher.0] regionserver.HRegion: "
  .. "Flushing aaa 1/1 column families, dataSize=1 MB heapSize=1 MB\n"

local CONF = "<configuration><property><name>hbase.regionserver.handler.count</name>"
  .. "<value>60</value></property></configuration>"

--- Two servers with dumps; logs beside them; one configuration for both.
local function evidence(dir)
  shell("mkdir -p '%s/rs-1/jmx' '%s/rs-2'", dir, dir)
  put(dir .. "/rs-1/jmx/a.json", JMX:format(60000, "rs1.example", 5))
  put(dir .. "/rs-1/jmx/b.json", JMX:format(80000, "rs1.example", 9))
  put(dir .. "/rs-2/a.json", JMX:format(60000, "rs2.example", 7))
  put(dir .. "/rs-1/x.log", SLOW:format(1, 1796072400000) .. "\n" .. STALL)
  put(dir .. "/rs-2/x.log", STALL)
  put(dir .. "/rs-1/hbase-site.xml", CONF)
  put(dir .. "/rs-2/hbase-site.xml", CONF)
  put(dir .. "/notes.bin", "\0\1\2\3\255binary\0")
end

local function with_evidence(fn)
  local dir = scratch.folder()
  local ok, message = pcall(function()
    evidence(dir)
    fn(dir)
  end)
  shell("rm -rf '%s'", dir)
  assert(ok, message)
end

local function opened(...)
  local case, coverage = import.open(...)
  assert(case, coverage)
  return case, coverage
end

local function one(case, sql)
  return case:rows(sql)[1].n
end

describe("import.open", function()
  it("says of a log that something unknown stands before its lines", function()
    with_evidence(function(dir)
      put(dir .. "/grepped", ("x.log:12:" .. STALL):rep(12) .. "x.log:"
        .. SLOW:format(1, 1796072400000))
      local case, coverage = opened({ dir .. "/grepped" }, { zone = "UTC" })
      assert.matches("no line but those of slow calls begins", table.concat(coverage.notes, "\n"))
      case:close()
      put(dir .. "/plain", STALL:rep(12))
      case, coverage = opened({ dir .. "/plain" }, { zone = "UTC" })
      assert.same({}, coverage.notes)
      case:close()
    end)
  end)

  it("reads a file as a log whose records begin behind a thousand pauses", function()
    with_evidence(function(dir)
      local pauses = ("[9.031s][info][gc] GC(7) Pause Remark 8M->3M(160M) 1.0ms\n"):rep(1500)
      local path = dir .. "/rs-1/x.out"
      put(path, pauses .. SLOW:format(1, 1796072400000) .. "\n")
      local case, coverage = opened({ path }, { zone = "UTC" })
      assert.equal("log", coverage.entries[1].kind)
      assert.equal(1, case:rows("SELECT count(*) AS n FROM call")[1].n)
      assert.equal(1500, case:rows("SELECT count(*) AS n FROM event")[1].n)
      case:close()
      case, coverage = opened({ path }, { zone = "UTC", calls = { by = { "table" }, threads = 1 } })
      assert.equal(1, coverage.calls.core:digest({ by = { "table" } })[1].calls)
      case:close()
    end)
  end)

  it("reads a folder and says whose everything is", function()
    with_evidence(function(dir)
      local case, coverage = opened { dir }
      assert.equal(6, coverage.files)
      assert.equal(1, coverage.duplicates)
      assert.equal(1, coverage.passed)
      assert.same({ dir .. "/notes.bin" }, coverage.passed_names)
      assert.same({}, coverage.unread)
      assert.same({ { name = "rs1.example,16020" }, { name = "rs2.example,16020" } },
        case:rows "SELECT name FROM server ORDER BY name")
      assert.equal(2, one(case,
        "SELECT count(DISTINCT server_id) AS n FROM source WHERE kind = 'log'"))
      assert.equal(1, one(case, "SELECT count(*) AS n FROM setting WHERE server_id IS NULL"))
      case:close()
    end)
  end)

  it("says nothing of an empty file in a folder, but of one that was named", function()
    with_evidence(function(dir)
      put(dir .. "/hbase.out", "")
      local case, coverage = opened { dir }
      assert.same({}, coverage.notes)
      assert.equal(2, coverage.passed)
      case:close()
      case, coverage = opened { dir .. "/hbase.out" }
      assert.matches("empty", coverage.notes[1])
      case:close()
    end)
  end)

  it("says that a master is none of the servers to ask, and names those", function()
    local bean = [[{"beans":[{"name":"Hadoop:service=HBase,name=Master,sub=Server",
      "tag.serverName":"m.example,16000,1796075000000","tag.isActiveMaster":"true",
      "tag.liveRegionServers":"rs1.example,16020,1796075000001;rs2.example,16020,1796075000002",
      "numRegionServers":2}]}]]
    with_evidence(function(dir)
      put(dir .. "/master.json", bean)
      local case, coverage = opened { dir .. "/master.json" }
      assert.equal(1, #coverage.notes)
      assert.matches("m.example,16000 is a master", coverage.notes[1])
      assert.matches("rs1.example, rs2.example: http://HOST:16030", coverage.notes[1])
      case:close()
      case, coverage = opened { dir .. "/master.json", dir .. "/rs-1" }
      assert.same({}, coverage.notes)
      case:close()
    end)
  end)

  it("adds nothing when the same comes again", function()
    with_evidence(function(dir)
      local case = opened { dir }
      local before = one(case, "SELECT count(*) AS n FROM sample") + one(case,
        "SELECT count(*) AS n FROM call") + one(case, "SELECT count(*) AS n FROM event")
      local coverage = assert(import.into(case, { dir }))
      assert.equal(0, coverage.files)
      assert.equal(before, one(case, "SELECT count(*) AS n FROM sample") + one(case,
        "SELECT count(*) AS n FROM call") + one(case, "SELECT count(*) AS n FROM event"))
      case:close()
    end)
  end)

  it("gives a log without a hint of its zone the clock of its neighbours", function()
    with_evidence(function(dir)
      local case = opened { dir }
      local rows = case:rows [[
        SELECT offset_ms AS o, offset_origin AS w FROM source WHERE kind = 'log']]
      for _, row in ipairs(rows) do assert.equal(3600000, row.o, row.w) end
      assert.equal("other logs", rows[2].w)
      case:close()
    end)
  end)

  it("takes the zone that is given", function()
    with_evidence(function(dir)
      local case, coverage = opened({ dir .. "/rs-2/x.log" }, { zone = "+02:00" })
      assert.equal(7200000, case:rows("SELECT offset_ms AS o FROM source")[1].o)
      assert.same({}, coverage.notes)
      case:close()
      local none, _, code = import.open({ dir }, { zone = "Mars/Olympus" })
      assert.is_nil(none)
      assert.equal("usage", code)
    end)
  end)

  it("goes on when a source cannot be read", function()
    with_evidence(function(dir)
      local case, coverage = opened { dir .. "/nowhere", dir .. "/rs-2", "http://u:pw@x/" }
      assert.equal(3, coverage.files)
      assert.equal(2, #coverage.unread)
      assert.equal("notfound", coverage.unread[1].code)
      for _, u in ipairs(coverage.unread) do
        assert.is_nil((u.name .. u.message):find("pw", 1, true))
      end
      case:close()
    end)
  end)
end)

describe("a case as a source", function()
  it("is opened as it is when it is alone", function()
    with_evidence(function(dir)
      local path = dir .. "/../" .. dir:match("[^/]+$") .. ".case"
      local case = opened({ dir }, { path = path })
      case:close()
      local again, coverage = opened { path }
      assert.equal(6, coverage.files)
      assert.equal(2, one(again, "SELECT count(*) AS n FROM server"))
      again:close()
      os.remove(path)
    end)
  end)

  it("is copied when more comes with it, and stays as it was", function()
    with_evidence(function(dir)
      local path, other = dir .. "/one.case", dir .. "/two.case"
      opened({ dir .. "/rs-1" }, { path = path }):close()
      local more, coverage = opened { path, dir .. "/rs-2" }
      assert.equal(2, one(more, "SELECT count(*) AS n FROM server"))
      assert.equal(6, coverage.files)
      more:close()
      local kept = opened({ path, dir .. "/rs-2" }, { path = other })
      assert.equal(2, one(kept, "SELECT count(*) AS n FROM server"))
      kept:close()
      local first = opened { path }
      assert.equal(1, one(first, "SELECT count(*) AS n FROM server"))
      first:close()
    end)
  end)

  it("is not merged with another", function()
    with_evidence(function(dir)
      local a, b = dir .. "/a.case", dir .. "/b.case"
      opened({ dir .. "/rs-1" }, { path = a }):close()
      opened({ dir .. "/rs-2" }, { path = b }):close()
      local case, coverage = opened { a, b }
      assert.equal("usage", coverage.unread[1].code)
      case:close()
    end)
  end)

  it("gives a dump that names no server to its folder, and reads on without any", function()
    local cases = require "hbdx.case"
    local bean = '{"beans":[{"name":"Hadoop:service=HBase,name=RegionServer,sub=IPC",'
      .. '"numCallsInGeneralQueue":%d}]}'
    with_evidence(function(dir)
      shell("mkdir -p '%s/rs-9'", dir)
      put(dir .. "/rs-9/20261130-214855.json", bean:format(7))
      put(dir .. "/20261130-214856.json", bean:format(8))
      local frames = cases.wrap(opened { dir }):windows { "ipc.queue_general" }
      assert.equal(1, #frames)
      assert.equal("rs-9", frames[1].server.name)
      assert.equal(7, frames[1].first["ipc.queue_general"])
    end)
  end)
end)

describe("what is no regular file", function()
  local BIN = os.getenv("HBDX_BIN") or "hbdx"

  -- What hbdx says of it, and its exit status.
  local function says(fmt, ...)
    local pipe = assert(io.popen(("(" .. fmt .. ") 2>&1; echo status $?"):format(...)))
    local text = pipe:read("a")
    pipe:close()
    return text
  end

  it("is read once, from its first byte", function()
    with_evidence(function(dir)
      local log = dir .. "/rs-1/x.log" -- the call is in its first line
      local function tells(fmt, ...)
        local text = says(fmt, ...)
        assert.truthy(text:find("10.0.0.9", 1, true) and text:find("status 0", 1, true), text)
      end
      shell("mkfifo '%s/pipe'", dir)
      tells("cat '%s' | '%s' slowlog -q -", log, BIN)
      tells("cat '%s' | '%s' slowlog -q /dev/stdin", log, BIN)
      tells("cat '%s' | '%s' slowlog -q --threads 2 /dev/fd/3 3<&0", log, BIN)
      tells("cat '%s' | '%s' slowlog -q --from 00:00 /dev/stdin", log, BIN)
      tells("(timeout 60 cp '%s' '%s/pipe' &); timeout 60 '%s' slowlog -q '%s/pipe'", log, dir, BIN,
        dir)
      local dump = says("cat '%s/rs-2/a.json' | '%s' import /dev/stdin -o '%s/x.case'", dir, BIN,
        dir)
      assert.truthy(dump:find("1 file read", 1, true), dump)
    end)
  end)

  it("is refused where it has no end", function()
    with_evidence(function(dir)
      local import_it = "import -o " .. dir .. "/z.case"
      for _, words in ipairs { "diagnose", "slowlog", "events", import_it } do
        local text = says("timeout 60 '%s' %s -q /dev/zero </dev/null", BIN, words)
        assert.truthy(text:find("/dev/zero: is a character device", 1, true), text)
        assert.truthy(text:find("status 3", 1, true), text)
      end
      local text = says("timeout 60 '%s' events -q - </dev/zero", BIN)
      assert.truthy(text:find("is a character device", 1, true), text)
    end)
  end)
end)

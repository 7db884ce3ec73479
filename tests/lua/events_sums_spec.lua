--- hbdx events --summary: slow syncs by DataNode, and what broke. The logs are invented.
local core = require "hbdx.core.case"
local case = require "hbdx.case"
local report = require "hbdx.events.report"
local summary = require "hbdx.events.summary"
local document = require "hbdx.events.document"
local events = require "hbdx.events"
local json = require "hbdx.core.json"
local syncs = require "hbdx.events.syncs"

local function line(seconds, thread, logger, message, level)
  return ("2026-03-02 10:%02d:%02d,%03d %-5s [%s] %s: %s\n"):format(seconds // 60,
    seconds // 1 % 60, seconds * 1000 // 1 % 1000, level or "INFO", thread, logger, message)
end

-- A case of { server = log }.
local function make(logs)
  local c, names = assert(core.open()), {}
  for server in pairs(logs) do names[#names + 1] = server end
  table.sort(names)
  for _, server in ipairs(names) do
    assert(c:import_bytes(logs[server], { name = server .. "/rs.log", server = server,
      zone = "UTC" }))
  end
  return case.wrap(c, "test")
end

local function sums(c)
  return summary.collect(c, assert(events.filter(c, {})))
end

local function context(c)
  return { case = c, width = 80, verbose = false, coverage = { unread = {}, notes = {} } }
end

describe("slow syncs", function()
  it("counts slow syncs by each DataNode of the pipeline", function()
    local function slow(seconds, ms, ...)
      local nodes = {}
      for i, n in ipairs { ... } do
        nodes[i] = ("DatanodeInfoWithStorage[10.0.0.%d:9866,DS-%d,DISK]"):format(n, n)
      end
      return line(seconds, "sync.0", "wal.AbstractFSWAL", ("Slow sync cost: %d ms, current pipeline"
        .. ": [%s]"):format(ms, table.concat(nodes, ", ")))
    end
    local c = make { one = slow(1, 200, 1, 2, 3) .. slow(2, 900, 1, 3, 4) .. slow(3, 300, 3, 5, 6)
      .. line(4, "sync.0", "wal.FSHLog", "Slow sync cost: 150 ms, current pipeline: []") }
    local s = sums(c).syncs
    assert.same({ 4, 900, 1 }, { s.count, s.max_ms, s.untold })
    assert.same({ node = "10.0.0.3:9866", count = 3, max_ms = 900 }, s.nodes[1])
    assert.same({ node = "10.0.0.1:9866", count = 2, max_ms = 900 }, s.nodes[2])
    c:close()
    assert.same({ "10.0.0.1:50010", "10.0.0.2:50010" },
      syncs.nodes "[10.0.0.1:50010, 10.0.0.2:50010]")
    assert.same({ "[::1]:9866" }, syncs.nodes "[DatanodeInfoWithStorage[[::1]:9866,DS-1,DISK]]")
  end)

  it("names a server's own DataNode that its pipelines lack", function()
    local d = syncs.new()
    for _ = 1, 12 do syncs.add(d, { server_id = 1, f = { pipeline = "[rs3:1, rs2:1]" } }) end
    for _ = 1, 12 do syncs.add(d, { server_id = 3, f = { pipeline = "[rs3:1, rs1:1]" } }) end
    syncs.finish(d, { { id = 1, host = "rs1" }, { id = 2, host = "rs2" },
      { id = 3, host = "rs3" } })
    assert.same({ { node = "rs1:1", server_id = 1, pipelines = 12, own = true, expected = 12 } },
      d.absent)
  end)

  it("names another's DataNode that chance would not have left out", function()
    local function fed(pipelines, nodes, known)
      local d = syncs.new()
      for i = 1, pipelines do
        local a, b = i % nodes, (i + 1) % nodes
        syncs.add(d, { server_id = 1, f = { pipeline = ("[rs1:1, n%d:1, n%d:1]"):format(a, b) } })
      end
      for _, name in ipairs(known) do syncs.know(d, { f = { pipeline = "[" .. name .. ":1]" } }) end
      syncs.finish(d, { { id = 1, host = "rs1" } })
      return d.absent
    end
    local absent = fed(40, 7, { "far" })
    assert.same({ 1, "far:1", 40, false, 10.0 }, { #absent, absent[1].node, absent[1].pipelines,
      absent[1].own, absent[1].expected })
    assert.same({}, fed(20, 7, { "far" }), "too few pipelines")
    assert.same({}, fed(40, 7, {}), "no other is known")
    assert.same({}, fed(90, 7, { "far", "off" }), "as many as a rack leaves out")
    assert.same({}, fed(9, 2, { "far" }), "nine pipelines mean nothing")
  end)

  it("knows DataNodes from lines of other times and kinds", function()
    local text = {}
    for i = 1, 60 do
      text[i] = line(i, "sync.0", "wal.FSHLog", ("Slow sync cost: 150 ms, current pipeline: "
        .. "[10.0.0.9:9866, 10.0.0.%d:9866, 10.0.0.%d:9866]"):format(i % 6, (i + 1) % 6))
    end
    local c = make { one = line(0.5, "sync.0", "wal.FSHLog", "Requesting log roll because of low "
      .. "replication, current pipeline: [10.0.0.77:9866]", "WARN") .. table.concat(text) }
    local s = sums(c).syncs
    assert.same({ 60, 1, "10.0.0.77:9866", 60 },
      { s.told, #s.absent, s.absent[1].node, s.absent[1].pipelines })
    c:close()
  end)
end)

local ABORT = line(30, "logRoller", "regionserver.LogRoller", "Aborting", "FATAL")
  .. "java.io.IOException: cannot get log writer\n\tat a.B.c(B.java:1)\nCaused by: "
  .. "org.apache.hadoop.ipc.RemoteException(a.SafeModeException): Cannot create file/x. Name node "
  .. "is in safe mode.\nResources are low on NN.\n\tat d.E.f(E.java:2)\n"
  .. line(31, "logRoller", "regionserver.HRegionServer", "ABORTING region server one,16020,17: IOE "
  .. "in log roller", "FATAL") .. "java.io.IOException: cannot get log writer\n"

describe("what broke", function()
  it("is a stop with its first reason and root, of however many lines", function()
    local c = make { one = ABORT, two = line(700, "rs", "regionserver.HRegionServer",
      "***** ABORTING region server two,16020,17: it must *****", "ERROR") }
    local stops = sums(c).failures.stops
    assert.same({ 2, "log roller", "a.SafeModeException", 2 },
      { #stops, stops[1].reason, stops[1].root_class, stops[1].lines })
    assert.same({ "it must", 1 }, { stops[2].reason, stops[2].lines })
    assert.is_nil(stops[2].root_class)
    c:close()
  end)

  it("is each stop for itself when they are far apart", function()
    local c = make { one = ABORT .. line(1500, "rs", "regionserver.HRegionServer",
      "ABORTING region server one,16020,18: again", "FATAL") }
    local stops = sums(c).failures.stops
    assert.same({ 2, "again" }, { #stops, stops[2].reason })
    c:close()
  end)

  it("is counted by kind and by class, and said in both forms", function()
    local c = make { one = ABORT
      .. line(1, "m", "zookeeper.ClientCnxn", "Client session timed out, have not heard from "
        .. "server in 62195ms for sessionid 0x25")
      .. line(2, "m", "zookeeper.ClientCnxn",
        "Unable to reconnect to ZooKeeper service, session 0x25 has expired")
      .. line(3, "h", "ipc.RpcServer", "cannot read", "WARN")
      .. "java.lang.OutOfMemoryError: Java heap space\n"
      .. line(4, "h", "a.Foo", "failed", "WARN") .. "java.io.IOException: x\n"
      .. line(5, "h", "a.Foo", "failed", "WARN") .. "x.YException: y\nCaused by: "
      .. "java.io.IOException: x\n"
      .. line(6, "p", "client.AsyncProcess", "#1, table=t, attempt=2/35 failed 7 ops, last "
        .. "exception: a.CallQueueTooBigException: Call queue is full, is "
        .. "ipc.server.max.callqueue.size too small? on rs9,16020,17, tracking started x") }
    local d = sums(c)
    local f = d.failures
    assert.same({ 1, 1, 62195 }, { f.expired, f.silent, f.silent_max_ms })
    assert.same({ "Java heap space", 1 }, { f.memory[1].key, f.memory[1].n })
    assert.same({ "java.io.IOException", 2 }, { f.exceptions[1].key, f.exceptions[1].n })
    assert.same({ "rs9,16020,17", 1 }, { f.queue_full[1].key, f.queue_full[1].n })
    local text = report.text(d, context(c))
    for _, words in ipairs { "FAILURES", "1 session expired, silent 1 time, the longest 62.2 s",
      "queue full     rs9,16020,17: 1", "exceptions     java.io.IOException: 2",
      "out of memory  Java heap space: 1" } do
      assert.truthy(text:find(words, 1, true), words .. " is not in\n" .. text)
    end
    for l in text:gmatch("[^\n]+") do assert.is_true(#l <= 80, l) end
    local told = json.decode(document.render(d, context(c))).failures
    assert.same({ "java.io.IOException", "a.SafeModeException", 2 },
      { told.exceptions[1].root_class, told.stops[1].root_class, told.stops[1].lines })
    c:close()
  end)

  it("is nothing where nothing did", function()
    local c = make { one = line(1, "x", "regionserver.HRegion", "Flush requested on "
      .. ("a"):rep(32)) }
    assert.is_nil(report.text(sums(c), context(c)):find("FAILURES", 1, true))
    c:close()
  end)
end)

describe("later calls of a scanner", function()
  local CALL = "(responseTooSlow): {\"call\":\"Scan(x$ScanRequest)\",\"starttimems\":\"%d\","
    .. "\"responsesize\":\"12\",\"method\":\"Scan\",\"param\":\"scanner_id: %s number_of_rows: 5 "
    .. "close_scanner: false\",\"processingtimems\":12345,\"client\":\"10.0.0.5:5\","
    .. "\"queuetimems\":3,\"class\":\"HRegionServer\"%s}"
  local UNSIGNED, OTHER = "12613782349229064192", "12613782349229064193"
  local log = line(12, "h", "ipc.RpcServer", CALL:format(1772445600000, UNSIGNED, ""), "WARN")
    .. line(13, "h", "ipc.RpcServer", CALL:format(1772445601000, UNSIGNED,
      ",\"scandetails\":\"table: t1 region: t1,a,17." .. ("a"):rep(32) .. ".\""), "WARN")
    .. line(14, "h", "ipc.RpcServer", CALL:format(1772445602000, OTHER, ""), "WARN")
    .. line(15, "h", "ipc.HBaseServer", "(responseTooSlow): {\"call\":\"next(-5832961724480487424, "
      .. "1000), rpc version=1\",\"starttimems\":1772445603000,\"responsesize\":1,\"method\":"
      .. "\"next\",\"processingtimems\":12345,\"client\":\"10.0.0.5:5\",\"queuetimems\":0,"
      .. "\"class\":\"HRegionServer\"}", "WARN")

  it("have its table where another tells it, signed or not, as playbooks see them", function()
    local c = make { one = log }
    local seen = {}
    for e in events.each(c, assert(events.filter(c, { calls = true }))) do
      seen[#seen + 1] = { e.table_name or "none", e.f.scanner_id }
    end
    assert.same({ { "t1", UNSIGNED }, { "t1", UNSIGNED }, { "none", OTHER }, { "t1", UNSIGNED } },
      seen)
    for i, call in ipairs(c:calls()) do
      assert.equal(seen[i][1], call.table_name or call.near_table or "none")
    end
    c:close()
  end)
end)

describe("a collector's lines amid a server's log", function()
  it("are pauses, and one with what the monitor tells", function()
    local c = make { one = line(1, "x", "a.B", "a line")
      .. "[2026-03-02T10:00:05.000+0000][9.5s][info][gc] GC(7) Pause Full (System.gc()) "
      .. "11M->9M(16M) 4000.0ms\n"
      .. line(5.2, "JvmPauseMonitor", "util.JvmPauseMonitor", "Detected pause in JVM or host "
        .. "machine (eg GC): pause of approximately 4100ms") .. "GC pool 'G1 Old Generation' had "
      .. "collection(s): count=1 time=4000ms\n" }
    local p = sums(c).pauses
    assert.same({ 1, 1, 4100 }, { p.count, p.both, p.max_ms })
    c:close()
  end)
end)

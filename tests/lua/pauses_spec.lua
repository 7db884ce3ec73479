--- The stops of a JVM, told by its collector's log and by the server's monitor, each counted once.
local case = require "hbdx.case"
local core = require "hbdx.core.case"
local pauses = require "hbdx.case.pauses"
local clocks = require "hbdx.import.clocks"

local NOON = 1714564800000

local function gc(at, ms, fields)
  local f = { pause_ms = ms, gc_kind = "young", collector = "G1", cause = "G1 Evacuation Pause" }
  for k, v in pairs(fields or {}) do f[k] = v end
  return { t_ms = at and NOON + at, server_id = f.server or 1, f = f, origin = f.origin,
    place = ("gc.log:%09d"):format(at or 0) }
end

local function monitor(at, ms, collector, n, server)
  return { t_ms = at and NOON + at, server_id = server or 1, place = "rs.log:" .. (at or "-"),
    f = { pause_ms = ms, gc = collector, gc_count = n } }
end

local function told(list)
  local out = {}
  for i, p in ipairs(list) do
    out[i] = ("%s %s %s"):format(p.t_ms and p.t_ms - NOON, p.told, p.pause_ms)
  end
  return out
end

describe("pauses", function()
  it("joins a collection and the monitor's line on it", function()
    local long = gc(1000, 4800, { failure = "evacuation failure", gc_kind = "full" })
    local list = pauses.joined({ gc(10, 20), long, gc(5900, 30) }, { monitor(5810, 4600, "G1", 1) })
    assert.same({ "10 gc 20", "1000 both 4800", "5900 gc 30" }, told(list))
    local p = list[2]
    assert.equal(long, p.gcs[1])
    assert.same({ "full", "G1", true, 4600 }, { p.gc_kind, p.collector, p.evacuation_failure,
      p.monitor.f.pause_ms })
    assert.is_false(list[1].evacuation_failure)
  end)

  it("takes several collections of one stop as one, of the kind that took longest", function()
    local list = pauses.joined({ gc(1000, 900), gc(1900, 2100, { gc_kind = "full" }) },
      { monitor(4010, 2900, "G1", 2) })
    assert.same({ "1000 both 3000" }, told(list))
    assert.equal("full", list[1].gc_kind)
    assert.equal(2, #list[1].gcs)
  end)

  it("leaves apart what the host did, unless it was a safepoint", function()
    local host = monitor(9000, 5000, "none", 0)
    assert.same({ "3900 gc 50", "4000 monitor 5000" }, told(pauses.joined({ gc(3900, 50) },
      { host })))
    assert.same({ "4000 both 5000.0" }, told(pauses.joined({ gc(4000, 4990.5,
      { gc_kind = "safepoint" }) }, { monitor(9000, 5000.0, "none", 0) })))
  end)

  it("keeps servers apart, and what has no time", function()
    local list = pauses.joined({ gc(1000, 4000), gc(nil, 7) },
      { monitor(5010, 3900, "G1", 1, 2), monitor(nil, 9) })
    assert.same({ "1000 gc 4000", "1110 monitor 3900", "nil gc 7", "nil monitor 9" }, told(list))
  end)

  it("counts threads that wait together as one stall, which is no stop of all", function()
    local stall = { gc_kind = "stall" }
    local list = pauses.joined({ gc(1000, 3000, stall), gc(1500, 100, stall), gc(3900, 600, stall),
      gc(9000, 5, stall) }, { monitor(4600, 1500, "ZGC Pauses", 1) })
    assert.same({ "1000 gc 3500", "3100 monitor 1500", "9000 gc 5" }, told(list))
    assert.equal(3, list[1].threads)
  end)

  it("takes a record without an end for what the monitor says of it", function()
    local cut = gc(1000)
    cut.f.pause_ms = nil
    local by = { monitor(5100, 4000, "G1", 1) }
    assert.same({ "1000 both 4000" }, told(pauses.joined({ cut }, by)))
    assert.same({ "1000 gc nil" }, told(pauses.joined({ cut }, {})))
  end)

  it("is generous where only a start code tells the time of the collector's log", function()
    local rough = { origin = "start code" }
    local list = pauses.joined({ gc(1000, 30, rough), gc(6000, 4800, rough) },
      { monitor(5810, 4600, "G1", 1) })
    assert.same({ "1000 gc 30", "6000 both 4800" }, told(list))
  end)
end)

local SERVER = "2024-05-01 12:00:00,000 INFO  [main] regionserver.HRegionServer: Serving as "
  .. "rs-1,16020,%d, RpcServer on rs-1/10.0.0.1:16020, sessionid=0x1\n"
local PAUSE = "2024-05-01 12:01:05,000 INFO  [JvmPauseMonitor] util.JvmPauseMonitor: Detected "
  .. "pause in JVM or host machine (eg GC): pause of approximately 4900ms\n"
  .. "GC pool 'G1 Old Generation' had collection(s): count=1 time=5000ms\n"
local UPTIME = "[60.000s][info][gc] GC(7) Pause Full (System.gc()) 9M->8M(16M) 5000ms\n"

--- A case with a server's log and the log of its collector; start is what its JMX tells.
local function loaded(start)
  local c = assert(core.open())
  local entries = {}
  local function add(bytes, name)
    local e = assert(c:import_bytes(bytes, { name = name, server = "rs-1,16020" }))
    e.name = name
    entries[#entries + 1] = e
  end
  if start then
    add(([[{"beans":[{"name":"java.lang:type=Runtime","StartTime":%d,"Uptime":5000},
      {"name":"Hadoop:service=HBase,name=RegionServer,sub=Server",
       "tag.serverName":"rs-1,16020,%d"}]}]]):format(start, NOON), "jmx")
  end
  add(SERVER:format(NOON) .. PAUSE, "rs.log")
  add(UPTIME, "gc.log")
  local coverage = { entries = entries, notes = {} }
  clocks.starts(c, coverage)
  return case.wrap(c), coverage
end

describe("case:pauses", function()
  it("places a log without a wall clock by its server's JMX", function()
    local c, coverage = loaded(NOON + 4800)
    assert.same({ "59800 both 5000" }, told(c:pauses()))
    assert.equal("JMX", coverage.entries[3].offset_origin)
    assert.same({}, coverage.notes)
    assert.equal("System.gc()", c:pauses()[1].cause)
    c:close()
  end)

  it("or by its start code", function()
    local c, coverage = loaded()
    assert.same({ "55000 both 5000" }, told(c:pauses()))
    assert.equal("start code", coverage.entries[2].offset_origin)
    c:close()
  end)

  it("says so where nobody knows when the JVM started", function()
    local c <close> = assert(core.open())
    local e = assert(c:import_bytes(UPTIME, { name = "gc.log" }))
    local coverage = { entries = { e }, notes = {} }
    clocks.starts(c, coverage)
    assert.truthy(coverage.notes[1]:find("no wall clock", 1, true))
    assert.same({ "nil gc 5000" }, told(case.wrap(c):pauses()))
  end)
end)

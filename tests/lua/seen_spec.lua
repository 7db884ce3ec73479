--- The part of a report that judges nothing: grave events of the logs. The logs are invented.
local case = require "hbdx.case"
local core = require "hbdx.core.case"
local document = require "hbdx.report.json"
local grave = require "hbdx.events.grave"
local json = require "hbdx.core.json"
local report = require "hbdx.report.text"
local scratch = require "scratch"

local BIN = assert(os.getenv "HBDX_BIN", "HBDX_BIN names the binary")

local function line(clock, level, logger, message)
  return ("2026-03-02 %s,000 %-5s [main] %s: %s\n"):format(clock, level, logger, message)
end

local function silent(clock, ms)
  return line(clock, "INFO", "zookeeper.ClientCnxn", ("Client session timed out, have not heard "
    .. "from server in %dms for sessionid 0x1, closing socket connection"):format(ms))
end

local function slept(clock, ms)
  return line(clock, "WARN", "util.Sleeper", ("We slept %dms instead of 3000ms, this is likely "
    .. "due to a long garbage collecting pause"):format(ms))
end

local function paused(clock, ms)
  return line(clock, "WARN", "util.JvmPauseMonitor", ("Detected pause in JVM or host machine "
    .. "(eg GC): pause of approximately %dms"):format(ms)) .. "No GCs detected\n"
end

local function sync(clock, ms)
  return line(clock, "INFO", "wal.AbstractFSWAL",
    ("Slow sync cost: %d ms, current pipeline: [10.0.0.7:9866]"):format(ms))
end

local ABORT = line("10:20:00", "FATAL", "regionserver.HRegionServer",
    "***** ABORTING region server rs-1,16020,1: log \27[31mroller *****")
  .. "java.io.IOException: cannot get log writer\n"
  .. "\tat org.example.Roller.run(Roller.java:1)\n"
  .. "Caused by: org.example.SafeModeException: Cannot create file/x\27. "
  .. "Name node is in safe mode.\n"
  .. "\tat org.example.Name.check(Name.java:1)\n"
local ALL = silent("10:00:00", 12000) .. silent("10:01:00", 62195) .. silent("10:02:00", 9000)
  .. paused("10:05:00", 11000) .. paused("10:06:00", 49738) .. paused("10:07:00", 9999)
  .. slept("10:06:00", 50631) .. sync("10:10:00", 13924) .. sync("10:11:00", 300)
  .. line("10:12:00", "INFO", "zookeeper.ClientCnxn", "Unable to reconnect to ZooKeeper service, "
    .. "session 0x1 has expired, closing socket connection")
  .. line("10:13:00", "ERROR", "wal.AbstractFSWAL", "sync failed")
  .. ABORT
local SHORT = silent("10:00:00", 9999) .. slept("10:01:00", 9999) .. paused("10:02:00", 9999)
  .. sync("10:03:00", 9999)

local function make(log, other)
  local c = assert(core.open())
  assert(c:import_bytes(log, { name = "rs.log", server = "rs-1", zone = "UTC" }))
  if other then
    assert(c:import_bytes(other, { name = "rs2.log", server = "rs-2", zone = "UTC" }))
  end
  return case.wrap(c, "test")
end

-- The section as text, and as JSON has it.
local function told(log, restrict, other)
  local c = make(log, other)
  if restrict then restrict(c) end
  local ctx = { case = c, name = "x", version = "0", width = 80, verbose = false,
    coverage = { files = 1, bytes = 1, seconds = 0, not_understood = 0, passed = 0, unread = {},
      notes = {} } }
  local result = { findings = {}, failed = 0, seen = grave.collect(c) }
  local text, doc = report.render(result, ctx), json.decode(document.render(result, ctx))
  c:close()
  return text:match("\n(seen, .*)") or "", doc.seen, text
end

local function kinds(list)
  local names = {}
  for i, r in ipairs(list) do names[i] = r.kind end
  return table.concat(names, " ")
end

-- The instant of a clock on that day.
local function at(clock)
  return assert(require("hbdx.core.time").parse("2026-03-02T" .. clock .. "Z"))
end

describe("what no playbook judges", function()
  local text, list = told(ALL)

  it("is one row a kind, the gravest first", function()
    assert.equal("abort zk_expired zk_silent pause wal_failed wal_slow_sync", kinds(list))
    assert.truthy(text:find("^seen, and judged by no playbook\n"), text)
    assert.truthy(text:find("\n   more of it +hbdx events %-%-summary SOURCE\n"), text)
  end)

  it("has the worst of each with its number, server, time and line", function()
    assert.same({ kind = "zk_silent", count = 2, at_least_ms = 10000, worst = { server = "rs-1",
      time = "2026-03-02T10:01:00.000Z", file = "rs.log", line = 2, ms = 62195 } }, list[3])
    assert.equal(49738, list[4].worst.ms)
    assert.equal(2, list[4].count)
    assert.equal(13924, list[6].worst.ms)
    local words = text:gsub("%s+", " ")
    assert.truthy(words:find("ZooKeeper silent 2 times of 10 s or more, the longest 62.2 s: rs-1, "
      .. "2026-03-02 10:01:00 UTC, rs.log:2 ", 1, true), text)
    assert.truthy(words:find("WAL sync slow 1 time of 10 s or more, 13.9 s: rs-1", 1, true), text)
  end)

  it("tells the root of an abort", function()
    assert.equal("org.example.SafeModeException", list[1].worst.root_class)
    local words = text:gsub("%s+", " ")
    assert.truthy(words:find("root: SafeModeException: Cannot create", 1, true), text)
  end)

  it("escapes what is from outside", function()
    assert.is_nil(text:find("\27", 1, true))
    assert.truthy(text:gsub("%s+", " "):find("file/x\\x1b. Name node is in safe", 1, true), text)
  end)

  it("keeps to 80 columns", function()
    for l in text:gmatch("[^\n]+") do assert.truthy(#l <= 80, l) end
  end)

  it("takes a thread that slept only where its server tells no pause", function()
    local _, only = told(slept("10:06:00", 50631))
    assert.equal("slept", kinds(only))
    assert.equal(50631, only[1].worst.ms)
    local _, both = told(ALL, nil, slept("10:30:00", 20000))
    assert.equal("abort zk_expired zk_silent pause slept wal_failed wal_slow_sync", kinds(both))
    assert.same({ 1, "rs-2" }, { both[5].count, both[5].worst.server })
  end)

  it("takes memory that ran out, whose time is not told", function()
    local words, only = told("java.lang.OutOfMemoryError: Java heap space\n"
      .. "\tat org.example.Server.run(Server.java:1)\n")
    assert.equal("out_of_memory", kinds(only))
    assert.truthy(words:gsub("%s+", " "):find("rs.log:1; Java heap space", 1, true), words)
  end)

  it("is nothing where nothing is grave", function()
    local words, none, whole = told(SHORT)
    assert.equal("", words)
    assert.same({}, none)
    assert.is_nil(whole:find("events --summary", 1, true))
  end)

  it("is of the time that is asked about", function()
    local _, cut = told(ALL, function(c) c:restrict(at "10:05:30", at "10:12:30") end)
    assert.equal("zk_expired pause wal_slow_sync", kinds(cut))
    local _, near = told(ALL, function(c)
      c:restrict(nil, nil, { from_ms = at "09:59:00", to_ms = at "10:00:30" })
    end)
    assert.equal("zk_silent", kinds(near))
    assert.equal(12000, near[1].worst.ms)
  end)
end)

describe("hbdx diagnose", function()
  local folder = scratch.folder()
  local file = assert(io.open(folder .. "/rs.log", "w"))
  file:write(ALL)
  file:close()

  local function run(words, source)
    local pipe = assert(io.popen(("'%s' %s '%s' 2>&1; echo status $?"):format(BIN, words,
      source or folder)))
    local out = pipe:read "a"
    pipe:close()
    return out
  end

  it("has it, and its exit status is what it was", function()
    local out = run "diagnose -q"
    assert.truthy(out:find("\nnothing can be told from this yet\n\nseen, and judged by", 1, true),
      out)
    assert.truthy(out:find("status 3", 1, true), out)
  end)

  it("says nothing of clusters that are well", function()
    for _, name in ipairs { "healthy-busy", "healthy-quiet" } do
      local source = require("hbdx.core.sys").home() .. "/samples/" .. name
      assert.is_nil(run("diagnose -q", source):find("seen, and", 1, true))
      assert.truthy(run("diagnose -q --format json", source):find('"seen": []', 1, true))
    end
  end)

  it("leaves it to diagnose: a run of some playbooks has judged nothing else", function()
    assert.is_nil(run("run -q flush-stall"):find("seen, and", 1, true))
    assert.is_nil(run("run -q --format json flush-stall"):find('"seen"', 1, true))
  end)
end)

--- Handler hogging where dumps and logs are of different times, thresholds are told, and the log is
-- of an HBase that does not name its executors.
local case = require "hbdx.case"
local core = require "hbdx.core.case"
local playbook = require "hbdx.playbook"
local runner = require "hbdx.runner"

local START = 1796100000000
local BEANS = [[{"beans":[
{"name":"java.lang:type=Runtime","StartTime":%d,"Uptime":%d},
{"name":"Hadoop:service=HBase,name=RegionServer,sub=Server",
 "tag.serverName":"rs1.example,16020,%d","readRequestCount":%d,"blockedRequestCount":0},
{"name":"Hadoop:service=HBase,name=RegionServer,sub=IPC","numCallsInGeneralQueue":%d,
 "numActiveHandler":%d,"QueueCallTime_mean":%d,"QueueCallTime_num_ops":%d}]}]]

-- Seven dumps, 11 s apart; with busy all but the first two show calls that wait.
local function dumps(list, from_ms, busy, beans)
  for i = 0, 6 do
    local at = from_ms + i * 11000
    local hot = busy and i > 1
    list[#list + 1] = { ("%d.json"):format(at), (beans or BEANS):format(START, at, START, i * 1000,
      hot and 9 or 0, hot and 8 or 0, hot and 400 or 0, 100 * i) }
  end
end

local LINE = "2026-11-30 %02d:%02d:%02d,000 WARN  [RpcServer.default.FPBQ.Fifo.handler=1,queue=0,"
  .. "port=16020] ipc.RpcServer: (responseTooSlow): {\"call\":\"Scan(org.apache.hadoop.hbase."
  .. "ScanRequest)\",\"starttimems\":%d,\"responsesize\":16,\"method\":\"Scan\",\"param\":"
  .. "\"region { type: REGION_NAME value: \\\"t1,,1.%s.\\\" } scan { }\","
  .. "\"processingtimems\":2000,\"client\":\"10.0.0.9:4000\",\"queuetimems\":%d,"
  .. "\"class\":\"HRegionServer\"}"

-- Eight scans at a time of 2 s each, for a minute from from_ms after START.
local function slow_log(from_ms, queue_ms, head)
  local out = { head }
  for second = 0, 58, 2 do
    for i = 1, 8 do
      local t = START + from_ms + second * 1000 + i
      local s = (t + 2000) // 1000
      out[#out + 1] = LINE:format(s // 3600 % 24, s // 60 % 60, s % 60, t, ("%032x"):format(i),
        queue_ms)
    end
  end
  return { "hbase-x-regionserver-rs1.example.log", table.concat(out, "\n") .. "\n",
    server = "rs1.example,16020" }
end

local function site(...)
  local out = { "<configuration>" }
  for _, p in ipairs { ... } do
    out[#out + 1] = ("<property><name>%s</name><value>%s</value></property>"):format(p[1], p[2])
  end
  return { "hbase-site.xml", table.concat(out, "\n") .. "</configuration>",
    server = "rs1.example,16020" }
end

local COUNT = { "hbase.regionserver.handler.count", "8" }

local function judge(files, id)
  local c = assert(core.open())
  for _, f in ipairs(files) do
    assert(c:import_bytes(f[2], { name = f[1], server = f.server, zone = "UTC" }))
  end
  local the_case = case.wrap(c, "test")
  local result = assert(runner.run(the_case, playbook.select(playbook.all(),
    id or "handler-hogging")))
  local f = result.findings[1]
  assert.is_nil(f.error)
  return f
end

local function words(list)
  local out = {}
  for _, item in ipairs(list) do
    for _, v in pairs(item) do out[#out + 1] = tostring(v) end
  end
  return table.concat(out, "\n")
end

describe("handler-hogging", function()
  it("is not ruled out by calm dumps of another time", function()
    local files = { site(COUNT), slow_log(0, 400) }
    dumps(files, 300000)
    local f = judge(files)
    assert.equal("likely", f.verdict)
    assert.same({ "10.0.0.9" }, f.affected.clients)
  end)

  it("is ruled out by calm dumps of the same time", function()
    local files = { site(COUNT), slow_log(0, 0) }
    dumps(files, 0)
    assert.equal("ruled_out", judge(files).verdict)
  end)

  it("does not say calm of a log that tells of waits, where no dump was taken", function()
    -- nobody tells the handlers, so their share is not known
    local log = slow_log(0, 400)
    local files = { { log[1], log[2]:match("^(.-\n.-\n.-\n)"), server = log.server } }
    dumps(files, 300000)
    assert.equal("cannot_tell", judge(files).verdict)
  end)

  it("asks for logs that must exist, not for a threshold that is lower already", function()
    local files = { site(COUNT, { "hbase.ipc.warn.response.time", "250" }) }
    dumps(files, 0, true)
    local f = judge(files)
    assert.equal("likely", f.verdict)
    assert.matches("calls over 250 ms are in them", words(f.missing))
    assert.is_nil(words(f.fixes):find("warn.response.time", 1, true))
  end)

  it("asks for a threshold under the one that let these calls pass", function()
    local files = { site(COUNT, { "hbase.ipc.warn.response.time", "250" }),
      { "x.log", "2026-11-30 22:00:00,000 INFO  [main] x.Y: nothing\n" } }
    dumps(files, 0, true)
    local f = judge(files)
    assert.matches("warn.response.time at 50", words(f.missing))
    assert.matches("<value>50</value>", words(f.fixes))
  end)

  it("does not ask HBase 1.4 for a ring buffer, and gives its scans a queue", function()
    local files = { site(COUNT, { "hbase.defaults.for.version", "1.4.14" }) }
    dumps(files, 0, true)
    local f = judge(files)
    local all = words(f.fixes) .. words(f.missing)
    assert.matches("warn.response.time at 1000", all)
    assert.is_nil(all:find("slowlog.buffer", 1, true))
    assert.matches("callqueue.handler.factor", all)
    assert.matches("of 8 handlers: 3 write, 4 get, 1 scan", all)
  end)

  it("takes the first of three executors without a name for the general one", function()
    local head = {}
    for i, n in ipairs { 8, 20, 3 } do
      head[i] = ("2026-11-30 21:59:00,00%d INFO  [main] ipc.RpcExecutor: RpcExecutor  name  using "
        .. "fifo as call queue; numCallQueues=1; maxQueueLength=80; handlerCount=%d"):format(i, n)
    end
    local f = judge { slow_log(0, 400, table.concat(head, "\n")) }
    assert.equal("likely", f.verdict)
    assert.matches("8 handlers: start of the log", words(f.evidence))
  end)
end)

describe("handler-hogging where too few handlers are told", function()
  local FEW = { "hbase.regionserver.handler.count", "2" }
  local SHORT = BEANS:gsub('_mean":%%d', '_mean":1,"x":%%d')
  local GENERAL = SHORT:gsub("numActiveHandler", "numActiveGeneralHandler")

  local function failed(f)
    local list = {}
    for _, e in ipairs(f.evidence) do
      if e.holds == false then list[#list + 1] = e.claim end
    end
    return list
  end

  it("does not blame who fails a limit of its own", function()
    for _, beans in ipairs { SHORT, GENERAL } do
      local files = { site(FEW), slow_log(0, 0) }
      dumps(files, 0, true, beans)
      local f = judge(files)
      assert.same({}, failed(f))
      assert.is_nil(f.verdict:match("likely") or f.verdict:match("confirmed"))
    end
  end)

  it("says that the number cannot be, and is not sure of the share", function()
    local files = { site(FEW), slow_log(0, 400) }
    dumps(files, 0, true)
    local f = judge(files)
    assert.same({}, failed(f))
    assert.equal("likely", f.verdict)
    assert.matches("not 2: hbase.regionserver.handler.count, .*, yet 8.0 slow reads ran at a time",
      words(f.missing))
  end)

  it("is not sure from the log alone, either", function()
    local f = judge { site(FEW), slow_log(0, 400) }
    assert.equal("cannot_tell", f.verdict)
    assert.matches("not 2: hbase.regionserver.handler.count", words(f.missing))
  end)

  it("takes many more at a time than HBase has by default for a crowd", function()
    local many = slow_log(0, 400)
    many[2] = many[2]:rep(5)
    local f = judge { many }
    assert.equal("likely", f.verdict)
    assert.matches("not 30: default .* yet 40.0 slow reads ran at a time", words(f.missing))
  end)

  it("does not hold the dumps' instants against a long queue time", function()
    local files = { site(COUNT), slow_log(300000, 400) }
    dumps(files, 0)
    dumps(files, 300000, true, (BEANS:gsub('GeneralQueue":', '%01,"x":')))
    local f = judge(files)
    assert.equal("confirmed", f.verdict)
    assert.same({}, failed(f))
  end)
end)

describe("flush-stall", function()
  it("does not hold dumps of another time against the log", function()
    local out = {}
    for i = 1, 30 do
      out[i] = ("2026-11-30 22:00:%02d,000 WARN  [RpcServer.default.FPBQ.Fifo.handler=1,queue=0,"
        .. "port=16020] regionserver.HRegion: Region is too busy due to exceeding memstore size "
        .. "limit.\norg.apache.hadoop.hbase.RegionTooBusyException: Over memstore limit=8.0 M, "
        .. "regionName=%s, server=rs1.example,16020,1"):format(i, ("a"):rep(32))
    end
    local files = { { "x.log", table.concat(out, "\n") .. "\n", server = "rs1.example,16020" } }
    dumps(files, 86400000)
    local f = judge(files, "flush-stall")
    assert.equal("likely", f.verdict)
    assert.is_nil(words(f.evidence):find("JMX", 1, true))
  end)
end)

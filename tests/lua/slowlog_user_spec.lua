--- What hbdx slowlog says beside the groups, as its users see it: what a comparison hides, what is
-- counted twice, what it was not given, and calls that have no table.
local json = require "hbdx.core.json"
local scratch = require "scratch"
local time = require "hbdx.core.time"

local BIN = os.getenv "HBDX_BIN"
local DAY = 1772409600000 -- 2026-03-02T00:00Z

local root = scratch.folder()

local function put(name, content) return scratch.put(root .. "/" .. name, content) end

-- The output on one line, and the status.
local function hbdx(words)
  local pipe = assert(io.popen(("%s %s 2>&1 </dev/null; echo \"status $?\""):format(BIN, words)))
  local out, status = pipe:read("a"):match("^(.*)status (%d+)\n$")
  pipe:close()
  return (out:gsub("%s+", " ")), tonumber(status), out
end

-- A line of a slow call, its stamps at +02:00.
local function call(at, proc, method, more)
  local stamp = time.format(at + proc + 7200000):gsub("T", " "):gsub("%.", ","):gsub("Z", "")
  return stamp .. ' WARN  [RpcServer.handler=3] ipc.RpcServer: (responseTooSlow): {"call":"x",'
    .. ('"starttimems":"%d","responsesize":"9","method":"%s",%s'):format(at, method or "Get",
      more or '"param":"region { type: REGION_NAME value: \\"t,,1.0123456789abcdef0123456789abcdef'
      .. '.\\" }",')
    .. ('"processingtimems":%d,"client":"10.0.0.7:4711","queuetimems":0,"class":"HRegionServer"}\n')
      :format(proc)
end

local function calls(n, at)
  local list = {}
  for i = 1, n do list[i] = call(at + i * 1000, 100) end
  return table.concat(list)
end

describe("hbdx slowlog --since-last on logs that grow", function()
  local state = root .. "/state.json"
  local words = ("slowlog -q --since-last %s %%s %s/now.log"):format(state, root)

  it("says that both contain the old calls, and how to count the new ones alone", function()
    os.remove(state)
    put("now.log", calls(30, DAY))
    assert.is_nil(hbdx(words:format ""):find("both contain", 1, true))
    assert.truthy(hbdx(words:format ""):find(
      "both contain the calls up to 2026-03-02 02:00:30 UTC+02:00, and none came since", 1, true))
    put("now.log", calls(30, DAY) .. calls(30, DAY + 3600000))
    local _, status, out = hbdx(words:format "")
    assert.equal(0, status)
    assert.truthy(out:find("--from '2026-03-02 02:00:31'", 1, true), out) -- on one line
  end)

  it("gives machines the same, and an option that leaves the old calls out", function()
    os.remove(state)
    put("now.log", calls(30, DAY))
    hbdx(words:format "")
    put("now.log", calls(30, DAY) .. calls(40, DAY + 3600000))
    local saved = assert(io.open(state)):read "a"
    local doc = json.decode((select(3, hbdx(words:format "--format json"))))
    assert.same({ ["until"] = "2026-03-02T00:00:30.000Z", from = "2026-03-02 02:00:31" },
      doc.compared.overlap)
    put("state.json", saved)
    doc = json.decode((select(3, hbdx(words:format(("--format json --from '%s'"):format(
      doc.compared.overlap.from))))))
    assert.equal(40, doc.calls)
    assert.is_nil(doc.compared.overlap)
    assert.truthy(hbdx "slowlog --help":find("compared.overlap", 1, true))
  end)
end)

local GC = "2026-03-02T00:00:00.123+0000: 1.234: [GC (Allocation Failure) [PSYoungGen: 100K->10K"
  .. "(200K)] 100K->20K(400K), 0.0123 secs] [Times: user=0.01 sys=0.00, real=0.01 secs]\n"
local SITE = "<configuration><property><name>hbase.ipc.warn.response.time</name>"
  .. "<value>10</value></property></configuration>"

describe("sources that cannot tell", function()
  it("are told apart from logs without a slow call", function()
    for name, content in pairs { ["gc.log"] = GC, ["hbase-site.xml"] = SITE } do
      local path = put(name, content)
      assert.matches("^nothing was read that could tell of slow calls: get RegionServer logs",
        (hbdx("slowlog -q " .. path)))
      os.remove(path)
    end
    local quiet = put("quiet.log", "2026-03-02 00:00:01,000 INFO  [main] regionserver."
      .. "HRegionServer: Serving as rs-1,16020,1772400000000\n")
    assert.matches("^no slow or large call is in what was read", (hbdx("slowlog -q " .. quiet)))
  end)

  it("have no zeros in a summary of events", function()
    local path = put("gc.log", GC)
    local out = hbdx("events -q --summary " .. path)
    assert.matches("FLUSHES, COMPACTIONS, STALLS unknown: no RegionServer log was read", out)
    assert.is_nil(out:find("refused 0", 1, true))
    assert.matches("2026%-03%-02 00:00 %? %? %? %? %? %? 1 ", out)
    local doc = json.decode((select(3, hbdx("events -q --summary --format json " .. path))))
    assert.equal(0, doc.server_logs)
    out = hbdx(("events -q --summary %s %s"):format(path, put("quiet.log", "2026-03-02 00:00:01,000"
      .. " INFO  [main] regionserver.HRegionServer: Serving as rs-1,16020,1772400000000\n")))
    assert.matches("none has finished", out)
  end)

  it("are not asked for where the logs have slow calls alone", function()
    local path = put("now.log", calls(3, DAY))
    assert.matches("what was read has 3 slow calls: %-%-with%-calls shows them",
      (hbdx("events -q " .. path)))
  end)
end)

describe("hbdx slowlog of a time", function()
  it("says that a call across a bound counts on both sides", function()
    local path = put("now.log", call(DAY, 100) .. call(DAY + 50000, 20000)
      .. call(DAY + 90000, 100))
    for _, side in ipairs { "--from 02:01:00", "--to 02:01:00" } do
      assert.matches("^only .- 2 slow or large calls",
        (hbdx(("slowlog -q %s %s"):format(side, path))))
      local out, status = hbdx(("slowlog %s --emit %s/a.digest %s"):format(side, root, path))
      assert.equal(0, status)
      assert.matches("note: a call that ran across a bound .- it counts twice", out)
    end
    assert.is_nil(hbdx(("slowlog --emit %s/a.digest %s"):format(root, path)):find("bound", 1, true))
    assert.matches("across a bound on both sides", (hbdx "slowlog --help"))
    assert.matches("counts each call that ran in it, also one that began before",
      (hbdx "explain slow_call"))
  end)
end)

describe("calls without a table", function()
  local function log(methods)
    local list = {}
    for i, method in ipairs(methods) do list[i] = call(DAY + i * 1000, 100, method, "") end
    return put("now.log", table.concat(list))
  end

  it("are told by why they have none", function()
    local out = hbdx("slowlog -q " .. log { "Scan", "Scan", "Multi", "CreateTable",
      "RegionServerStartup" })
    assert.truthy(out:find("5 calls name no table: 2 of scans (continuations, or cut requests), "
      .. "1 whose request is cut or does not tell it, 2 of methods that are of no table or of the "
      .. "master's (CreateTable, RegionServerStartup)", 1, true), out)
    out = hbdx("slowlog -q " .. log { "GetClusterStatus", "CreateNamespace" })
    assert.is_nil(out:find("continuations", 1, true))
  end)

  it("are not guessed at where the method is not told apart", function()
    assert.matches("1 call names no table %(continuations of scans, cut requests, or methods",
      (hbdx("slowlog -q --by table " .. log { "CreateTable" })))
  end)
end)

describe("a group by one name alone", function()
  it("does not say its name twice", function()
    local path = put("now.log", call(DAY, 100, "Scan", ""))
    for by, words in pairs { table = "1 %(table unknown%)", shape = "1 shape not told",
        region = "1 region not told" } do
      assert.matches(words, (hbdx(("slowlog -q --by %s %s"):format(by, path))))
    end
  end)
end)

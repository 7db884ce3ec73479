--- What few lines and dumps of another time may say: a verdict only as far as they reach.
local case = require "hbdx.case"
local core = require "hbdx.core.case"
local playbook = require "hbdx.playbook"
local runner = require "hbdx.runner"
local time = require "hbdx.core.time"

local FLUSHER, HREGION = "regionserver.MemStoreFlusher: ", "regionserver.HRegion: "
local T0 = time.parse "2026-03-02T10:00:00Z"

local function stamp(s)
  local c = time.civil(T0 + s * 1000)
  return ("2026-03-02 %02d:%02d:%02d,000"):format(c.hour, c.minute, c.second)
end

local function line(s, text) return ("%s INFO  [t] %s\n"):format(stamp(s), text) end

local function flushed(s, mib)
  return line(s, HREGION .. ("Finished memstore flush of ~%d M/%d, currentsize=0/0 for region "
    .. "t1,,1700000000000.00112233445566778899aabbccddeeff. in 90ms, sequenceid=7, compaction "
    .. "requested=false"):format(mib, mib << 20))
end

local function refusal(ops)
  return ("#1, table=t1, attempt=9/35 failed=%dops, last exception: a.b.RegionTooBusyException: "
    .. "Above memstore limit, regionName=t1,,1700000000000.00112233445566778899aabbccddeeff., "
    .. "server=rs7.example,16020,1700000000001, memstoreSize=9, blockingMemStoreSize=8")
    :format(ops)
end

local function dump(s, refused)
  return ([[{"beans":[{"name":"java.lang:type=Runtime","StartTime":%d,"Uptime":%d},
    {"name":"Hadoop:service=HBase,name=RegionServer,sub=Server",
     "tag.serverName":"rs7,16020,%d","blockedRequestCount":%d}]}]])
    :format(T0 - 60000, 60000 + s * 1000, T0 - 60000, refused)
end

--- Runs flush-stall over texts; focus: seconds { from, to }.
local function judge(texts, focus)
  local c = assert(core.open(nil))
  for i, text in ipairs(texts) do
    local opts = { server = "rs7,16020" }
    if type(text) == "table" then text, opts = text[1], text[2] end
    opts.name, opts.zone = "x" .. i, "UTC"
    assert(c:import_bytes(text, opts))
  end
  local the_case = case.wrap(c, "thin")
  if focus then
    the_case:restrict(nil, nil, { from_ms = T0 + focus[1] * 1000, to_ms = T0 + focus[2] * 1000 })
  end
  local result = assert(runner.run(the_case, playbook.select(playbook.all(), "flush-stall")))
  the_case:close()
  return result.findings[1]
end

local function whole_log()
  local lines = {}
  for i = 1, 60 do lines[i] = flushed(i * 5, 120) end
  return table.concat(lines)
end

describe("flush-stall from a few lines", function()
  it("rules nothing out by what an excerpt does not say", function()
    local f = judge { flushed(0, 120) .. flushed(9, 120) }
    assert.equal("cannot_tell", f.verdict)
    assert.truthy(f.missing[1])
    assert.equal("ruled_out", judge { whole_log() }.verdict)
  end)

  it("takes one forced flush for a sign, not for a stall", function()
    local forced = line(301, FLUSHER .. "Flush of region t1,,1700000000000."
      .. "00112233445566778899aabbccddeeff. due to global heap pressure. Total Memstore size=5 G, "
      .. "Region memstore size=200 M")
    assert.equal("cannot_tell", judge { forced }.verdict)
    assert.equal("ruled_out", judge { whole_log() .. forced }.verdict)
  end)

  it("is sure when all writers stood still for long", function()
    local function block(ms)
      return line(40, FLUSHER .. "Memstore is above high water mark and block " .. ms .. "ms")
    end
    local f = judge { block(20000) .. block(20001) .. flushed(80, 8) }
    assert.equal("confirmed", f.verdict)
    assert.same({ T0 + 19999, T0 + 40000 }, -- one stall, however many handlers tell of it
      { f.affected.windows[1].from_ms, f.affected.windows[1].to_ms })
    assert.matches("more regions take writes", f.cause)
    f = judge { block(528) }
    assert.equal("likely", f.verdict)
    assert.matches("writes come faster", f.cause)
  end)

  it("believes a client's batch, and names the server that it names", function()
    local f = judge { line(0, "client.AsyncProcess: " .. refusal(200)) }
    assert.equal("likely", f.verdict)
    assert.same({ "rs7.example" }, f.affected.servers)
    assert.matches("split '0011", f.fixes[1].snippet)
    assert.equal("cannot_tell", judge { line(0, "client.AsyncProcess: " .. refusal(1)) }.verdict)
    assert.equal("cannot_tell", judge { (refusal(1):gsub("^.-(a%.b)", "%1")) }.verdict)
  end)

  it("does not take a summary without a reason, or a lock, for the memstore", function()
    local summary = line(0, "a.Writer: Failed 500 actions: RegionTooBusyException: 500 times,")
    local f = judge { summary }
    assert.equal("cannot_tell", f.verdict)
    assert.matches("memstore or a lock", f.missing[1].what)
    f = judge { line(0, "a.Writer: Failed 500 actions: x.RegionTooBusyException: failed to get a "
      .. "lock in 60000 ms. regionName=00112233445566778899aabbccddeeff, server=rs7,16020,1") }
    assert.equal("cannot_tell", f.verdict)
  end)
end)

describe("evidence of another time", function()
  local dumps = { dump(0, 0), dump(11, 0), dump(22, 5000), dump(33, 9000), dump(44, 9000) }

  it("neither confirms nor rules out", function()
    assert.equal("likely", judge(dumps, { 15, 30 }).verdict)
    assert.equal("ruled_out", judge(dumps, { 2, 9 }).verdict)
    for _, focus in ipairs { { -900, -600 }, { 600, 900 } } do
      local f = judge(dumps, focus)
      assert.equal("cannot_tell", f.verdict)
      assert.matches("of the time asked about", f.missing[1].what)
    end
  end)

  it("does not span a time by when a file was copied", function()
    local late = { server = "rs7,16020", t_ms = T0 + 3600000, t_origin = "mtime" }
    local clockless = dump(0, 9000):gsub('{"name":"java.lang.-},', "", 1)
    local f = judge({ dumps[1], dumps[2], { clockless, late } }, { 900, 1200 })
    assert.equal("cannot_tell", f.verdict)
  end)

  it("counts a log only where it reaches", function()
    assert.equal("ruled_out", judge({ whole_log() }, { 100, 300 }).verdict)
    assert.equal("cannot_tell", judge({ whole_log() }, { 290, 900 }).verdict)
    assert.equal("cannot_tell", judge({ whole_log() }, { 400, 900 }).verdict)
  end)
end)

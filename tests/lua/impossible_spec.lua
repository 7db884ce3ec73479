--- Numbers that cannot be, in dumps and in logs: they do not tell, and nothing follows from them.
local case = require "hbdx.case"
local core = require "hbdx.core.case"
local fields = require "hbdx.case.fields"
local playbook = require "hbdx.playbook"
local runner = require "hbdx.runner"

local START <const> = 1790000000000
local DUMP = [[{"beans":[
 {"name":"java.lang:type=Runtime","modelerType":"x","StartTime":%d,"Uptime":%d},
 {"name":"Hadoop:service=HBase,name=RegionServer,sub=Server","tag.serverName":"rs,16020,1",
  "regionCount":%s,"readRequestCount":%s%s},
 {"name":"Hadoop:service=HBase,name=RegionServer,sub=IPC","numCallsInGeneralQueue":%s,
  "numActiveHandler":%s%s}]}]]

-- A case of dumps a minute apart; each is { regions, reads, server_more, waiting, active,
-- ipc_more }.
local function case_of(dumps)
  local c = assert(core.open())
  for i, d in ipairs(dumps) do
    assert(c:import_bytes(DUMP:format(START, 60000 * i, d[1], d[2], d[3] or "", d[4] or 0,
      d[5] or 0, d[6] or ""), { name = "dump" .. i }))
  end
  return case.wrap(c)
end

local IMPOSSIBLE = { "-1", "9223372036854775807", "-9223372036854775808", "1e308", "NaN",
  "9007199254740994" }

describe("a number that cannot be", function()
  for _, n in ipairs(IMPOSSIBLE) do
    it(n .. " in a dump is not told", function()
      local c = case_of { { 7, 100 }, { n, n }, { 7, 160 } }
      local windows = c:windows({ "region.count", "read.requests" })[1].windows
      assert.is_nil(windows[1].g["region.count"])
      assert.is_nil(windows[1].d["read.requests"])
      assert.is_nil(windows[2].d["read.requests"])
      assert.equal(7, windows[2].g["region.count"])
    end)
  end

  it("is told up to 2^53", function()
    local c = case_of { { 7, 0 }, { 9007199254740992, 9007199254740992 } }
    local w = c:windows({ "region.count", "read.requests" })[1].windows[1]
    assert.equal(9007199254740992, w.g["region.count"])
    assert.equal(9007199254740992, w.d["read.requests"])
  end)

  it("is dropped from the fields of an event", function()
    assert.same({ took_ms = 5, size_bytes = 1e15, start_ms = START, what = "x" }, fields.read(
      ([[{"took_ms":5,"size_bytes":1e15,"start_ms":%d,"what":"x","blocked_ms":9223372036854775807,
      "queue_ms":-2e12,"nothing":null}]]):format(START)))
    assert.same({}, fields.read '{"start_ms":9223372036854775807}')
    assert.same({}, fields.read(nil))
  end)
end)

describe("calls that wait", function()
  local function verdict(dumps)
    local c, book = case_of(dumps), nil
    for _, b in ipairs((playbook.all())) do
      if b.id == "handler-hogging" then book = b end
    end
    local f = assert(runner.run(c, { book })).findings[1]
    c:close()
    assert.is_nil(f.error)
    return f.verdict
  end

  local function dumps_with(server_more, ipc_more)
    local list = {}
    for i = 1, 6 do
      list[i] = { 7, 100 * i, server_more and server_more(i), i > 3 and 50 or 0, 33,
        ipc_more and ipc_more(i) }
    end
    return list
  end

  local function queue_time(i) return (',"QueueCallTime_mean":%d'):format(i > 3 and 500 or 1) end

  it("beside handlers of unknown number, for an unknown time, tell nothing", function()
    assert.equal("cannot_tell", verdict(dumps_with()))
  end)

  it("for long, where nobody tells of refused writes, may wait behind those", function()
    assert.equal("cannot_tell", verdict(dumps_with(nil, queue_time)))
  end)

  it("for long beside refused writes wait behind those", function()
    assert.equal("ruled_out", verdict(dumps_with(function(i)
      return (',"blockedRequestCount":%d'):format(i > 3 and 400 * i or 0)
    end, queue_time)))
  end)

  it("for long, and no write was refused: likely behind reads", function()
    assert.equal("likely", verdict(dumps_with(function() return ',"blockedRequestCount":0' end,
      queue_time)))
  end)
end)

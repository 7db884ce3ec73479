--- Digests of slow calls without a case: the same as with one, from any number of threads, and
-- digests of parts that add up.
local json = require "hbdx.core.json"
local scratch = require "scratch"
local sys = require "hbdx.core.sys"

local BIN = assert(os.getenv "HBDX_BIN", "HBDX_BIN names the binary")
local SAMPLES = sys.home() .. "/samples/"
local HOGGED, STALLED = SAMPLES .. "handler-hogging", SAMPLES .. "flush-stall"
local root

local function slowlog(words)
  local pipe = assert(io.popen(("%s slowlog -q %s 2>&1; echo \"status $?\""):format(BIN, words)))
  local body, status = pipe:read("a"):match("^(.*)status (%d+)\n$")
  pipe:close()
  return body, tonumber(status)
end

local function at(name) return root .. "/" .. name end

-- Emits digests of sources, and of all of them together.
local function emitted(options)
  for name, sources in pairs { one = HOGGED, two = STALLED, all = STALLED .. " " .. HOGGED } do
    assert.equal(0, select(2, slowlog(("%s --emit %s %s"):format(options, at(name), sources))))
  end
end

describe("a digest without a case", function()
  setup(function()
    root = scratch.folder()
  end)
  teardown(function() os.execute("rm -r " .. root) end)

  it("is that of the case", function()
    os.execute(("%s import -q -o %s %s"):format(BIN, at "x.case", HOGGED))
    for _, options in ipairs { "", "--by user,hour", "--by server,region --rank calls" } do
      local function groups(source)
        return json.decode((slowlog(("%s --format json %s"):format(options, source)))).groups
      end
      assert.same(groups(at "x.case"), groups(HOGGED))
    end
  end)

  it("is not written over what is no digest", function()
    local log = assert(io.open(at "kept.log", "w"))
    log:write("2024-05-01 10:00:00,123 WARN  [h] a.B: x\n")
    log:close()
    local out, status = slowlog(("--emit %s %s"):format(at "kept.log", HOGGED))
    assert.equal(3, status)
    assert.matches("is no digest that %-%-emit wrote", out)
    assert.equal(41, #assert(sys.read(at "kept.log", 1000)))
    assert.equal(2, select(2, slowlog("--emit - " .. HOGGED)))
    for _ = 1, 2 do assert.equal(0, select(2, slowlog(("--emit %s %s"):format(at "d", HOGGED)))) end
  end)

  it("reads standard input once, however often it is named", function()
    local log = SAMPLES .. "handler-hogging/rs-1/regionserver.log.gz"
    assert.equal(slowlog("--format json - < " .. log), (slowlog("--format json - - < " .. log)))
  end)

  it("does not depend on the number of threads", function()
    local one = slowlog("--threads 1 --format json " .. STALLED)
    assert.matches('"groups": %[\n', one)
    for _, n in ipairs { 2, 3, 7 } do
      assert.equal(one, (slowlog(("--threads %d --format json %s"):format(n, STALLED))))
    end
    assert.equal(2, select(2, slowlog("--threads 0 " .. STALLED)))
  end)

  it("says where quantiles are near and not exact", function()
    local line = '2024-05-01 10:00:00,123 WARN  [h] ipc.RpcServer: (responseTooSlow): '
      .. '{"method":"Get","processingtimems":%d,"client":"10.0.0.1:5","queuetimems":0,'
      .. '"starttimems":1714557600000,"responsesize":9}\n'
    for _, n in ipairs { 16384, 16385 } do
      local file = assert(io.open(at "many.log", "w"))
      for i = 1, n do file:write(line:format(i)) end
      file:close()
      local group = json.decode((slowlog("--format json " .. at "many.log"))).groups[1]
      local text = slowlog(at "many.log")
      assert.equal(n, group.calls)
      assert.equal(n > 16384 or nil, group.proc_ms.about)
      assert.equal(n > 16384, text:find("p50 ~8.", 1, true) ~= nil, text)
      assert.truthy(math.abs(group.proc_ms.p50 - n // 2) <= n / 2 / 128, group.proc_ms.p50)
    end
  end)

  it("of parts is that of the whole, bit for bit", function()
    for _, options in ipairs { "", "--by table,hour" } do
      emitted(options)
      local merge = ("%s --merge %s --merge %s"):format(options, at "two", at "one")
      assert.equal(0, select(2, slowlog(merge .. " --emit " .. at "sum")))
      assert.equal(sys.read(at "all", 1 << 24), sys.read(at "sum", 1 << 24))
      local merged = json.decode((slowlog(merge .. " --format json")))
      local whole = json.decode((slowlog(("%s --format json %s %s"):format(options, STALLED,
        HOGGED))))
      assert.same(whole.groups, merged.groups)
      assert.same(whole.skipped, merged.skipped)
      assert.equal(whole.calls, merged.calls)
    end
  end)

  it("is added to what is read beside it, and a second time is said to be one", function()
    emitted ""
    local sum = json.decode((slowlog(("--format json --merge %s %s"):format(at "one", STALLED))))
    local whole = json.decode((slowlog("--format json --merge " .. at "all")))
    assert.same(whole.groups, sum.groups)
    assert.matches("counted already",
      (slowlog(("--merge %s --merge %s"):format(at "one", at "one")):gsub("%s+", " ")))
  end)

  it("does not take a case, whose calls are no digest, and says so", function()
    os.execute(("%s import -q -o %s %s"):format(BIN, at "y.case", HOGGED))
    emitted ""
    for _, words in ipairs { "--emit " .. at "z", "--merge " .. at "one" } do
      local out, status = slowlog(words .. " " .. at "y.case")
      assert.equal(2, status)
      assert.matches("not with an address or a case", out)
    end
  end)

  it("refuses files that are none, and times that it does not have", function()
    emitted ""
    local bytes = sys.read(at "one", 1 << 24)
    for _, wrong in ipairs { "", "x", bytes:sub(1, -2), bytes .. "x", (bytes:gsub("1", "2", 1)) } do
      sys.write(at "wrong", wrong)
      local said, status = slowlog("--merge " .. at "wrong")
      assert.equal(3, status)
      assert.matches("not read: ", said)
    end
    local said, status = slowlog("--by user --merge " .. at "one")
    assert.equal(3, status)
    assert.matches("same %-%-by", said)
    assert.equal(2, select(2, slowlog("--from 02:00 --merge " .. at "one")))
  end)
end)

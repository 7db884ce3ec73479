--- The collector as an enemy: with a cycle at nearly every allocation, whatever a binding forgot to
-- anchor is gone before it is used. Each call must give what it gives otherwise.
local core = {}
for _, name in ipairs { "case", "delta", "guard", "json", "pattern", "sys", "text", "time" } do
  core[name] = require("hbdx.core." .. name)
end

local JMX = [[{"beans":[{"name":"java.lang:type=Runtime","StartTime":1000,"Uptime":%d},
{"name":"Hadoop:service=HBase,name=RegionServer,sub=Server","tag.serverName":"rs,16020,1000",
"blockCacheEvictionCount":%d}]}]]

local function case_with_dumps()
  local case = assert(core.case.open())
  for i = 1, 3 do
    assert(case:import_bytes(JMX:format(i * 20000, i * i), { name = "dump " .. i }))
  end
  local out = {}
  for row in case:each("SELECT t_ms, value FROM sample ORDER BY t_ms, value") do
    out[#out + 1] = row.t_ms .. "=" .. row.value
  end
  local id = case:rows("SELECT id FROM series WHERE name = 'blockCacheEvictionCount'")[1].id
  local t, v = case:points(id)
  for _, list in ipairs { { core.delta.run(t, v, {}) } } do
    for _, column in ipairs(list) do out[#out + 1] = table.concat(column, ",") end
  end
  case:close()
  return table.concat(out, " ")
end

local CASES = {
  ["a case, its rows, points and deltas"] = case_with_dumps,
  ["a loop over rows that is left early"] = function()
    local case, seen = assert(core.case.open()), 0
    for row in case:each("SELECT 1 AS a UNION SELECT 2 UNION SELECT 3") do
      seen = seen + row.a
      if row.a == 2 then break end
    end
    case:close()
    return seen
  end,
  ["JSON in and out"] = function()
    local doc = core.json.decode('{"a":[1,2.5,"x\\u00e9",null,{"b":true}],"c":{}}')
    return core.json.encode(doc.a) .. #doc.a[3]
  end,
  ["patterns"] = function()
    local out = {}
    for k, v in core.pattern.gmatch("a=1, b=22, c=333", "(%w+)=(%d+)") do out[#out + 1] = k .. v end
    out[#out + 1] = core.pattern.gsub(("x y "):rep(50), "%w", function(c) return c:rep(3) end)
    out[#out + 1] = core.pattern.gsub("hello", ("l"), { l = "L" })
    return table.concat(out, "|")
  end,
  ["calls that fail, with their tracebacks"] = function()
    local _, e = core.guard.call(function() error({ message = "m" .. 1 }) end, {})
    local _, text = core.guard.call(function() error("t" .. 2, 0) end, {})
    return e.message .. text.message .. text.kind
  end,
  ["coroutines"] = function()
    local out = {}
    for i in coroutine.wrap(function() for i = 1, 5 do coroutine.yield("v" .. i) end end) do
      out[#out + 1] = i
    end
    return table.concat(out)
  end,
  ["folders, files and text"] = function()
    local names = {}
    for i, e in ipairs(core.sys.list(core.sys.home() .. "/lua/hbdx")) do names[i] = e.name end
    local head = core.sys.head(core.sys.home() .. "/LICENSE", 200)
    return table.concat(names, " ") .. #head .. core.text.escape("\27\255" .. head:sub(1, 5))
      .. core.sys.real(core.sys.home() .. "/lua/../lua")
  end,
  ["times in zones"] = function()
    local ms = core.time.parse("2024-07-01 12:00:00", "Europe/Berlin")
    return core.time.format(ms, "Asia/Kolkata") .. core.time.civil(ms, "Europe/Berlin").hour
  end,
}

--- Runs fn with the restless collector: no pause, and steps that are whole cycles. The full cycle
--- before makes the new pause count.
local function stressed(fn)
  local old = collectgarbage("incremental", 1, 1000, 30)
  collectgarbage()
  local ok, got = pcall(fn)
  collectgarbage("incremental", 200, 100, 13)
  collectgarbage(old)
  return ok, got
end

describe("under a collector that never rests", function()
  it("a cycle comes at nearly every allocation", function()
    local cycles = 0
    local function watch()
      setmetatable({}, { __gc = function()
        cycles = cycles + 1
        watch()
      end })
    end
    assert(stressed(function()
      watch()
      for _ = 1, 100 do local _ = {} end
    end))
    assert.truthy(cycles > 50, cycles)
  end)

  for name, fn in pairs(CASES) do
    it(name .. " give the same", function()
      local want = fn()
      local ok, got = stressed(fn)
      assert.is_true(ok, got)
      assert.equal(want, got)
    end)
  end
end)

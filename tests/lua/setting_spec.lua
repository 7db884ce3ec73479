--- The setting dictionary: defaults by version, values as numbers, and what HBase makes of them.
local setting = require "hbdx.setting"
local version = require "hbdx.version"

local UNITS = { bytes = true, mb = true, ms = true, s = true, count = true, number = true,
  ratio = true, boolean = true, text = true, bucket = true }

local function default(name, v)
  return (setting.default(name, v))
end

--- What HBase makes of a set of values.
local function effective(name, set, v)
  return setting.effective(name, function(n) return set[n], "a site file" end, v)
end

describe("a default", function()
  it("is that of the version", function()
    local files <const> = "hbase.hstore.blockingStoreFiles"
    assert.equal("10", default(files, "1.4.14"))
    assert.equal("16", default(files, "2.0.6"))
    assert.equal("16", default(files, "3.0.0-alpha-4"))
    local bound <const> = "hbase.hstore.compaction.throughput.higher.bound"
    for v, text in pairs { ["1.4"] = "20971520", ["1.7.2"] = "104857600", ["2.1.10"] = "20971520",
      ["2.2.7"] = "104857600", ["2.6.1"] = "104857600" } do
      assert.equal(text, default(bound, v), v)
    end
  end)

  it("says where it is from, and flags a version that is not known", function()
    local _, origin, known = setting.default("hfile.block.cache.size", "2.5.8")
    assert.equal("default of HBase 2.5", origin)
    assert.is_true(known)
    local text
    text, origin, known = setting.default("hbase.regionserver.handler.count", nil)
    assert.equal("30", text)
    assert.equal("default of HBase 3.0 (version not known)", origin)
    assert.is_false(known)
    _, origin, known = setting.default("hbase.regionserver.handler.count", "0.94.27")
    assert.equal("default of HBase 1.0 (0.94 is not in our tables)", origin)
    assert.is_false(known)
  end)

  it("is nothing where nothing is set or the version has no such setting", function()
    assert.is_nil(default("hbase.bucketcache.size", "2.5"))
    local text, why = setting.default("hbase.ipc.warn.response.time.scan", "2.5.8")
    assert.is_nil(text)
    assert.equal("not in HBase 2.5", why)
    assert.is_nil(default("hbase.no.such.thing", "2.5"))
    assert.is_nil(default("hbase.regionserver.maxlogs", "2.5"))
    assert.equal("32", default("hbase.regionserver.maxlogs", "1.1"))
  end)

  it("follows another setting, and an alias its own", function()
    assert.equal("10000", default("hbase.regionserver.flush.check.period", "3.0"))
    assert.equal("3", default("hbase.hstore.compactionThreshold", "2.5"))
    local entry = setting.get("hbase.hstore.compactionThreshold")
    assert.equal("hbase.hstore.compaction.min", entry.name)
    assert.equal("hbase.regionserver.wal.slowsync.ms",
      setting.get("hbase.regionserver.hlog.slowsync.ms").name)
  end)
end)

describe("a value", function()
  it("is read by its unit", function()
    for name, pair in pairs {
      ["hbase.hregion.memstore.flush.size"] = { "134217728", 134217728 },
      ["hbase.regionserver.free.heap.min.memory.size"] = { "4g", 4 << 30 },
      ["hbase.regionserver.offheap.global.memstore.size"] = { "2048", 2 << 30 },
      ["hbase.bucketcache.size"] = { "132000", 132000 << 20 },
      ["hbase.hstore.compaction.ratio"] = { "1.2F", 1.2 },
      ["hbase.regionserver.slowlog.buffer.enabled"] = { " TRUE ", true },
      ["hbase.offpeak.start.hour"] = { "-1", -1 },
      ["hfile.block.cache.policy"] = { "TinyLFU", "TinyLFU" },
      ["some.other.key"] = { "17", "17" },
      ["hbase.regionserver.global.memstore.upperLimit"] = { "0.35", 0.35 },
    } do
      assert.equal(pair[2], setting.typed(name, pair[1]), name)
    end
    assert.equal(0.25, setting.typed("hbase.bucketcache.size", "0.25"))
    assert.is_nil(setting.typed("hbase.regionserver.handler.count", "many"))
  end)
end)

describe("what HBase makes of it", function()
  local memstore <const> = "hbase.regionserver.global.memstore.size"

  it("falls back to older names", function()
    local e = effective(memstore, { ["hbase.regionserver.global.memstore.upperLimit"] = "0.45" })
    assert.equal(0.45, e.value)
    assert.equal("hbase.regionserver.global.memstore.upperLimit", e.name)
    assert.equal("a site file", e.origin)
    assert.equal(0.4, effective(memstore, {}, "2.5").value)
    e = effective(memstore .. ".lower.limit", {
      ["hbase.regionserver.global.memstore.lowerLimit"] = "0.36" }, "2.5")
    assert.is_true(math.abs(e.value - 0.9) < 1e-12)
    assert.truthy(e.note:find("part of the heap", 1, true))
    assert.equal(0.95, effective(memstore .. ".lower.limit", {}, "2.5").value)
  end)

  it("bends what is out of bounds, and says so", function()
    local e = effective(memstore, { [memstore] = "0.9" }, "2.5")
    assert.equal(0.4, e.value)
    assert.truthy(e.note:find("takes 0.4", 1, true))
    assert.equal(1, effective(memstore .. ".lower.limit",
      { [memstore .. ".lower.limit"] = "1.2" }).value)
    assert.equal(2, effective("hbase.hstore.compaction.min",
      { ["hbase.hstore.compaction.min"] = "1" }).value)
    e = effective("hbase.regionserver.handler.count",
      { ["hbase.regionserver.handler.count"] = "many" }, "2.5")
    assert.equal(30, e.value)
    assert.truthy(e.note:find("cannot be read", 1, true))
  end)

  it("knows that the older name of compaction.min is dead in 2.0 and 2.1", function()
    local set = { ["hbase.hstore.compactionThreshold"] = "6" }
    assert.equal(6, effective("hbase.hstore.compaction.min", set, "2.5").value)
    assert.equal(6, effective("hbase.hstore.compactionThreshold", set, "1.4").value)
    local e = effective("hbase.hstore.compaction.min", set, "2.1")
    assert.equal(3, e.value)
    assert.truthy(e.note:find("no effect in 2.1", 1, true))
  end)

  it("works out defaults of others", function()
    local flush <const> = "hbase.hregion.memstore.flush.size"
    assert.equal(2 * 10 * 4194304, effective("hbase.regionserver.thread.compaction.throttle",
      { [flush] = "4194304" }, "2.5").value)
    assert.equal(4194304, effective("hbase.hstore.compaction.min.size",
      { [flush] = "4194304" }, "2.5").value)
    assert.equal(500, effective("hbase.ipc.warn.response.time.scan",
      { ["hbase.ipc.warn.response.time"] = "500" }, "2.6").value)
    local length <const> = "hbase.ipc.server.max.callqueue.length"
    assert.equal(300, effective(length, {}, "2.4").value)
    assert.equal(100, effective(length, {}, "2.5").value)
    assert.equal(7, effective(length, { [length] = "7" }, "2.5").value)
  end)
end)

describe("the setting dictionary", function()
  it("is consistent", function()
    local seen = {}
    for _, name in ipairs(setting.names()) do
      assert.is_nil(seen[name], name .. " twice")
      seen[name] = true
      local entry = assert(setting.get(name) or setting.older(name), name)
      assert.truthy(UNITS[entry.unit], name)
      assert.truthy(entry.what, name)
      for _, step in ipairs(entry.steps) do
        assert.truthy(version.parse(step[1]), name)
        assert.truthy(step[2] == false or setting.typed(name, step[2]) ~= nil or
          step[2]:find("^%$"), name)
      end
    end
  end)

  local shared = os.getenv("HBDX_SHARED") or "../shared"
  it("has the defaults that nine real versions ship", function()
    local f = io.open(shared .. "/reference/hbase-defaults.tsv")
    if not f then
      pending("no table of real defaults in " .. shared)
      return
    end
    local columns, wrong, checked = nil, {}, 0
    for line in f:lines() do
      local cells = {}
      for cell in (line .. "\t"):gmatch("([^\t]*)\t") do cells[#cells + 1] = cell end
      columns = columns or cells
      for i = 2, setting.get(cells[1]) and #cells or 0 do
        local text = setting.default(cells[1], columns[i]) or ""
        if cells[i]:find("^%${") then cells[i] = default(cells[i]:match("{(.*)}"), "3.0") end
        if cells[i] ~= "-" and cells[i] ~= "" then
          checked = checked + 1
          if cells[i] ~= text then
            wrong[#wrong + 1] = ("%s in %s: %s, not %s"):format(cells[1], columns[i], cells[i],
              text)
          end
        end
      end
    end
    f:close()
    assert.is_true(checked > 400)
    assert.equal("", table.concat(wrong, "\n"))
  end)
end)

--- Which value of a setting is in force, how we know, and who says otherwise.
local case = require "hbdx.case"
local core = require "hbdx.core.case"

local function site(...)
  local out = { "<configuration>" }
  for _, p in ipairs { ... } do
    out[#out + 1] = ("<property><name>%s</name><value>%s</value>%s</property>"):format(p[1], p[2],
      p.final and "<final>true</final>" or "")
  end
  out[#out + 1] = "</configuration>"
  return table.concat(out, "\n")
end

local function case_of(files)
  local c = assert(core.open())
  for _, f in ipairs(files) do
    assert(c:import_bytes(f[2], { name = f[1], server = f.server }))
  end
  return case.wrap(c, "test")
end

local LIMIT = "hbase.hstore.blockingStoreFiles"

describe("a setting", function()
  it("is told with its file and line", function()
    local s = case_of({ { "hbase-site.xml", site({ LIMIT, "4" }) } }):setting(LIMIT)
    assert.same({ "4", 4, "hbase-site.xml:2", false }, { s.text, s.value, s.origin, s.is_default })
  end)

  it("has the default of its version when nobody set it, and says so", function()
    local one = site({ "hbase.defaults.for.version", "1.4.13" })
    assert.equal(10, case_of({ { "hbase-site.xml", one } }):setting(LIMIT).value)
    local s = case_of({ { "hbase-site.xml", site({ "hbase.defaults.for.version", "2.5.8" }) } })
      :setting(LIMIT)
    assert.equal(16, s.value)
    assert.is_true(s.is_default)
    assert.matches("default of HBase 2.5", s.origin)
  end)

  it("twice in one file: the last counts, unless an earlier one is final", function()
    assert.equal(5, case_of({ { "a.xml", site({ LIMIT, "4" },
      { LIMIT, "5" }) } }):setting(LIMIT).value)
    local c = case_of({ { "a.xml", site({ LIMIT, "4", final = true }, { LIMIT, "5" }) } })
    local s = c:setting(LIMIT)
    assert.equal(4, s.value)
    assert.matches("a.xml:3 says 5", s.other)
    assert.equal(1, #c:contradictions())
  end)

  it("set by hand beats a default that /conf lists", function()
    local conf = '{"properties":[{"key":"' .. LIMIT
      .. '","value":"16","isFinal":false,"resource":"hbase-default.xml"}]}'
    local c = case_of({ { "conf.json", conf }, { "hbase-site.xml", site({ LIMIT, "4" }) } })
    assert.equal(4, c:setting(LIMIT).value)
    assert.same({}, c:contradictions())
  end)

  it("of a live server has no line", function()
    local s = case_of({ { "http://rs:16030/conf", site({ LIMIT, "4" }) } }):setting(LIMIT)
    assert.equal("http://rs:16030/conf", s.origin)
  end)

  it("that HBase set itself while it ran contradicts nobody", function()
    local conf = '{"properties":[{"key":"hbase.regionserver.handler.count","value":"%d",'
      .. '"isFinal":false,"resource":"programatically"}]}'
    local c = case_of({ { "a.json", conf:format(30) }, { "b.json", conf:format(40) } })
    assert.same({}, c:contradictions())
    assert.is_nil(c:setting("hbase.regionserver.handler.count").other)
  end)

  it("is found under the name that HBase used before", function()
    local s = case_of({ { "a.xml", site({ "hbase.hstore.compactionThreshold", "7" }) } })
      :setting("hbase.hstore.compaction.min")
    assert.equal("7", s.text)
  end)

  it("of a version that is none does not tell the version", function()
    for _, text in ipairs { "2.99999999999999999999", "NaN", "x", "2" } do
      local c = case_of({ { "a.xml", site({ "hbase.defaults.for.version", text }) } })
      assert.is_nil((c:version()))
    end
  end)

  it("that HBase could not run with is not used, and said", function()
    local COUNT <const> = "hbase.regionserver.handler.count"
    local SHARE <const> = "hfile.block.cache.size"
    for _, pair in ipairs { { COUNT, "many" }, { COUNT, "1.5" }, { COUNT, "x y" },
      { COUNT, "1e308" }, { COUNT, "-99999999999999999999" }, { SHARE, "40" }, { SHARE, "-1" },
      { SHARE, "NaN" } } do
      local c = case_of({ { "a.xml", site(pair) } })
      local s = c:setting(pair[1])
      assert.equal(pair[1] == COUNT and 30 or 0.4, s.value)
      assert.is_true(s.assumed)
      assert.matches("a.xml:2 says '", s.other)
      assert.same({ ("%s cannot be '%s' (a.xml:2); not used"):format(pair[1], pair[2]) },
        c:contradictions())
    end
    assert.equal(9223372036854775807, case_of({ { "a.xml",
      site({ "hbase.hstore.compaction.max.size", "9223372036854775807" }) } })
      :setting("hbase.hstore.compaction.max.size").value)
  end)

  it("told differently by two sources is reported, of settings that we know", function()
    local c = case_of({ { "rs-1.xml", site({ LIMIT, "4" }, { "my.own", "a" }) },
                        { "rs-2.xml", site({ LIMIT, "16" }, { "my.own", "b" }) } })
    assert.same({ LIMIT .. " is told differently: 4 in rs-1.xml:2, 16 in rs-2.xml:2" },
                c:contradictions())
    assert.same({}, c:contradictions { "hbase.ipc.warn.response.time" })
    assert.equal(1, #c:contradictions { LIMIT })
  end)

  it("counts the values that are too many to be shown", function()
    local files = {}
    for i = 1, 4 do files[i] = { ("rs-%d.xml"):format(i), site({ LIMIT, tostring(i) }) } end
    assert.matches(", and 1 more value$", case_of(files):contradictions()[1])
  end)

  it("that HBase's own defaults take from another one is no mistake", function()
    local conf = '{"properties":[{"key":"hbase.regionserver.flush.check.period","value":'
      .. '"${hbase.server.thread.wakefrequency}","isFinal":false,"resource":"%s"}]}'
    assert.same({}, case_of({ { "conf.json", conf:format "hbase-default.xml" } }):contradictions())
    assert.equal(1, #case_of({ { "conf.json", conf:format "hbase-site.xml" } }):contradictions())
  end)
end)

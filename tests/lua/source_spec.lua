--- From what the user named to the list of things to read.
local scratch = require "scratch"
local source = require "hbdx.import.source"

local function shell(fmt, ...)
  assert(os.execute(fmt:format(...)))
end

local function put(path, text)
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
end

--- A folder for one test; removed afterwards.
local function with_folder(fn)
  local dir = scratch.folder()
  local ok, message = pcall(fn, dir)
  shell("rm -rf '%s'", dir)
  assert(ok, message)
end

local function names(items, dir)
  local list = {}
  for i, item in ipairs(items) do list[i] = item.name:sub(#dir + 2) end
  return list
end

describe("source.expand", function()
  it("takes dumps first, then configurations, then the rest, in order of names", function()
    with_folder(function(dir)
      shell("mkdir -p '%s/rs-1/jmx' '%s/.git'", dir, dir)
      put(dir .. "/rs-1/a.log", "2024-05-01 00:00:00,000 INFO x")
      put(dir .. "/rs-1/jmx/2.json", '{ "beans" : [] }')
      put(dir .. "/rs-1/jmx/1.json", '\xef\xbb\xbf{"beans":[]}')
      put(dir .. "/b.xml", "<configuration/>")
      put(dir .. "/conf.json", '{"properties":[]}')
      put(dir .. "/.hidden", "x")
      put(dir .. "/.git/x", "x")
      local items, notes = source.expand { dir .. "/" }
      assert.same({ "rs-1/jmx/1.json", "rs-1/jmx/2.json", "b.xml", "conf.json", "rs-1/a.log" },
        names(items, dir))
      assert.same({}, notes)
      assert.equal(dir .. "/rs-1", items[5].folder)
      assert.equal("mtime", items[5].t_origin)
    end)
  end)

  it("is not misled by a log that begins like a dump or a configuration", function()
    with_folder(function(dir)
      local line = "2024-05-01 00:00:00,000 INFO  [main] x.Y: "
      put(dir .. "/a.log", "<14>1 2024-05-01T00:00:00.000Z rs-1 hbase 1 - - " .. line .. "z\n")
      put(dir .. "/b.log", '{"log":"' .. line .. '\\"properties\\" \\"beans\\"\\n",'
        .. '"stream":"stdout","time":"2024-05-01T00:00:00.000000000Z"}\n')
      put(dir .. "/c.log", '[main] INFO x.Y - "beans" "properties"\n')
      for _, item in ipairs(source.expand { dir }) do assert.equal(3, item.rank, item.name) end
    end)
  end)

  it("looks through compression", function()
    with_folder(function(dir)
      put(dir .. "/z.json", '{"beans":[]}')
      shell("gzip '%s/z.json'", dir)
      put(dir .. "/a.log", "line")
      local items = source.expand { dir }
      assert.same({ "z.json.gz", "a.log" }, names(items, dir))
    end)
  end)

  it("takes a file once, whatever links lead to it", function()
    with_folder(function(dir)
      shell("mkdir '%s/a'", dir)
      put(dir .. "/a/x.log", "x")
      shell("ln -s ../a '%s/a/loop'", dir)
      shell("ln -s x.log '%s/a/y.log'", dir)
      shell("ln -s nothing '%s/gone'", dir)
      local items, notes = source.expand { dir, dir .. "/a", dir .. "/a/x.log" }
      assert.same({ "a/x.log" }, names(items, dir))
      assert.equal(1, #notes)
      assert.truthy(notes[1].error:find("nothing"))
    end)
  end)

  it("names what it cannot read and goes on", function()
    with_folder(function(dir)
      put(dir .. "/a.log", "x")
      shell("mkfifo '%s/pipe'", dir)
      local items, notes = source.expand { dir .. "/nowhere", dir, "ftp://x/y" }
      assert.same({ "a.log" }, names(items, dir))
      assert.equal("notfound", notes[1].code)
      assert.is_true(notes[2].harmless)
      assert.equal("usage", notes[3].code)
    end)
  end)

  it("leaves cases in folders alone, but opens one that is named", function()
    with_folder(function(dir)
      put(dir .. "/old.case", "SQLite format 3\0 and so on")
      local items, notes = source.expand { dir }
      assert.equal(0, #items)
      assert.is_true(notes[1].harmless)
      items = source.expand { dir .. "/old.case" }
      assert.equal("case", items[1].kind)
    end)
  end)

  it("takes standard input and addresses", function()
    local items = source.expand { "-", "http://rs-1:16030" }
    assert.equal("url", items[1].kind)
    assert.equal("stream", items[2].kind)
  end)

  it("takes a pipe that is named, and does not look into it", function()
    with_folder(function(dir)
      shell("mkfifo '%s/pipe'", dir)
      local items = source.expand { dir .. "/pipe" }
      assert.equal("stream", items[1].kind)
      assert.equal(dir .. "/pipe", items[1].path)
    end)
  end)
end)

describe("source.stamp", function()
  local cases = {
    ["2026-11-30T21-48-55Z.json.gz"] = 1796075335000,
    ["jmx_20261130-214855.json"] = 1796075335000,
    ["jmx-20261130T214855Z"] = 1796075335000,
    ["2026-11-30_21:48.json"] = 1796075280000,
    ["rs-1.1796075335.json"] = 1796075335000,
    ["rs-1.1796075335123.json"] = 1796075335123,
  }
  for name, ms in pairs(cases) do
    it("reads " .. name, function() assert.equal(ms, source.stamp(name)) end)
  end

  it("takes a stamp without Z in the zone that is given", function()
    assert.equal(1796075335000 - 3600000, source.stamp("20261130-214855", "+01:00"))
    assert.equal(1796075335000, source.stamp("20261130-214855Z", "+01:00"))
  end)

  it("sees none where there is none", function()
    for _, name in ipairs { "regionserver.log.2024-05-01", "jmx.json", "20261399-999999.json",
      "rs-12345.log", "hbase-1.2.3.log" } do
      assert.is_nil(source.stamp(name))
    end
  end)
end)

--- The machine, text and time as the core shows them to Lua.
local scratch = require "scratch"
local sys = require "hbdx.core.sys"
local text = require "hbdx.core.text"
local time = require "hbdx.core.time"

describe("sys", function()
  it("lists a folder by name and type", function()
    local list = assert(sys.list(sys.home() .. "/tests"))
    local found
    for i, e in ipairs(list) do
      assert.truthy(i == 1 or list[i - 1].name < e.name)
      found = e.name == "busted.lua" and e or found
    end
    assert.equal("file", found.type)
    assert.is_false(found.link)
    assert.truthy(found.size > 100 and math.type(found.mtime_ms) == "integer")
  end)

  it("says why it cannot look", function()
    local nothing, message, code = sys.list("/no/such/folder")
    assert.is_nil(nothing)
    assert.truthy(message:find("/no/such/folder", 1, true))
    assert.equal("notfound", code)
    assert.equal("notfound", select(3, sys.stat("/no/such")))
    assert.equal("notfound", select(3, sys.real("/no/such")))
    assert.equal("io", select(3, sys.read("/", 10)))
    assert.equal("limit", select(3, sys.read(sys.home() .. "/LICENSE", 10)))
  end)

  it("reads a file whole", function()
    local name = scratch.name()
    local f = assert(io.open(name, "wb"))
    f:write("a\0b\r\n")
    f:close()
    assert.equal("a\0b\r\n", sys.read(name, 5))
    os.remove(name)
  end)

  it("replaces a file as a whole, for the owner alone", function()
    local name = scratch.name()
    os.execute(("touch %s; chmod 644 %s"):format(name, name))
    assert.is_true(sys.write(name, "a\0b"))
    assert.is_true(sys.write(name, "c\0d\n"))
    assert.equal("c\0d\n", sys.read(name, 9))
    local pipe = assert(io.popen("ls -l " .. name .. "*"))
    assert.matches("^%-rw%-%-%-%-%-%-%-[^\n]*\n$", pipe:read "a") -- and nothing beside it
    pipe:close()
    os.remove(name)
    assert.equal("io", select(3, sys.write(sys.home(), "x")))
    assert.equal("io", select(3, sys.write("/dev/null", "x")))
    assert.equal("notfound", select(3, sys.write("/no/such/file", "x")))
  end)

  it("knows clocks and its version", function()
    local before = sys.monotonic_ms()
    sys.sleep_ms(5)
    assert.truthy(sys.monotonic_ms() - before >= 4)
    assert.truthy(math.abs(sys.now_ms() / 1000 - os.time()) < 5)
    assert.truthy(sys.version():find("^%d+%.%d+%.%d+$"))
    assert.is_nil(sys.getenv("HBDX_SURELY_NOT_SET"))
  end)

  it("raises on misuse", function()
    assert.has_error(function() sys.list() end)
    assert.has_error(function() sys.read("x", 0) end)
    assert.has_error(function() sys.isatty(-1) end)
    assert.has_error(function() sys.sleep_ms(-1) end)
  end)
end)

describe("text", function()
  it("shows what could harm a terminal", function()
    assert.equal("a\\x1b[31mb", text.escape("a\27[31mb"))
    assert.equal("grün", text.escape("grün"))
    assert.equal("\\xff", text.escape("\xff"))
    assert.equal("", text.escape(""))
  end)

  it("counts columns", function()
    assert.equal(6, text.width("grün漢"))
  end)
end)

describe("time", function()
  it("reads instants with and without a zone", function()
    assert.equal(1714529784567, time.parse("2024-05-01T02:16:24.567Z"))
    assert.equal(1714529784567, time.parse("2024-05-01 04:16:24,567", "+02:00"))
    assert.equal(1714529784567, time.parse("2024-05-01 04:16:24,567", "Europe/Berlin"))
    assert.equal(1714529784567, time.parse(" 2024-05-01T02:16:24.567Z ", "Europe/Berlin"))
  end)

  it("says why it cannot read", function()
    local nothing, message, code = time.parse("yesterday")
    assert.is_nil(nothing)
    assert.truthy(message:find("yesterday", 1, true))
    assert.equal("parse", code)
    assert.equal("notfound", select(3, time.parse("2024-05-01 00:00:00", "No/Where")))
    assert.equal("parse", select(3, time.parse("")))
  end)

  it("writes instants", function()
    assert.equal("2024-05-01T02:16:24.567Z", time.format(1714529784567))
    assert.equal("2024-05-01T04:16:24.567+02:00", time.format(1714529784567, "Europe/Berlin"))
  end)

  it("names the parts of a local time", function()
    assert.same({ year = 2024, month = 5, day = 1, hour = 4, minute = 16, second = 24, ms = 567,
      wday = 3 }, time.civil(1714529784567, "+02:00"))
  end)

  it("knows when clocks change", function()
    assert.equal(3600000, time.offset("Europe/Berlin", time.parse("2024-01-15T00:00:00Z")))
    assert.equal(7200000, time.offset("Europe/Berlin", time.parse("2024-07-15T00:00:00Z")))
    assert.equal(0, time.offset("UTC", 0))
  end)

  it("raises on what is no instant", function()
    assert.has_error(function() time.format(math.maxinteger) end)
    assert.has_error(function() time.civil("now") end)
  end)
end)

local scratch = require "scratch"
--- The binary as a host of Lua: where it finds files, what a script sees, how errors come out.
local BIN = os.getenv("HBDX_BIN") or "hbdx"

local function quote(s)
  return "'" .. s:gsub("'", "'\\''") .. "'"
end

--- Runs the binary; returns stdout and stderr together, and the exit status.
local function hbdx(arguments, setup)
  local pipe = assert(io.popen((setup or "") .. quote(BIN) .. " " .. arguments .. " 2>&1"))
  local text = pipe:read("a")
  local _, _, status = pipe:close()
  return text, status
end

local function script(text)
  local name = scratch.name()
  local f = assert(io.open(name, "w"))
  f:write(text)
  f:close()
  return name
end

describe("hbdx lua", function()
  it("gives a script its arguments and its exit status", function()
    local name = script("io.write(arg[0] ~= nil and 'named ' or '', arg[1], ' ', ...) return 7")
    local text, status = hbdx("lua " .. name .. " one")
    os.remove(name)
    assert.equal("named one one", text)
    assert.equal(7, status)
  end)

  it("shows a traceback and exits 4 when the script throws", function()
    local name = script("local function deep() error('broken') end deep()")
    local text, status = hbdx("lua " .. name)
    os.remove(name)
    assert.truthy(text:find("broken", 1, true))
    assert.truthy(text:find("stack traceback", 1, true))
    assert.equal(4, status)
  end)

  it("shows what an error says that is a table", function()
    local name = script("error { message = 'torn', code = 'x' }")
    local text, status = hbdx("lua " .. name)
    os.remove(name)
    assert.truthy(text:find("hbdx: torn", 1, true))
    assert.truthy(text:find("stack traceback", 1, true))
    assert.equal(4, status)
  end)

  it("is a usage error without a file", function()
    local text, status = hbdx("lua")
    assert.truthy(text:find("usage", 1, true))
    assert.equal(2, status)
  end)
end)

describe("the binary", function()
  it("tells its version without any file", function()
    local text, status = hbdx("--version", "HBDX_HOME=/nowhere ")
    assert.truthy(text:find("^hbdx %d+%.%d+%.%d+\n$"))
    assert.equal(0, status)
  end)

  it("says what to do when its files are missing", function()
    local text, status = hbdx("help", "HBDX_HOME=/nowhere ")
    assert.truthy(text:find("/nowhere", 1, true))
    assert.equal(4, status)
  end)

  it("fails when standard output cannot be written", function()
    local text, status = hbdx("help > /dev/full", "")
    assert.equal(4, status)
    assert.equal("", text)
  end)

  it("does not take the machine's modules for its own", function()
    local _, status = hbdx("help", "LUA_PATH=/nowhere/?.lua LUA_CPATH=/nowhere/?.so ")
    assert.equal(0, status)
  end)
end)

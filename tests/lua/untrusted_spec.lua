--- Bytes of anybody on every way out: names of files, words of the command line, lines of logs. A
-- terminal that shows the output must obey none of them, and JSON must stay JSON.
local scratch = require "scratch"
local sys = require "hbdx.core.sys"
local json = require "hbdx.core.json"
local say = require "hbdx.say"

local BIN = assert(os.getenv "HBDX_BIN", "HBDX_BIN names the binary")
local EVIL = "e\27[31m\7\226\128\174\194\155x\255" -- ESC, BEL, right-to-left override, C1, no UTF-8

local function quoted(s)
  return "'" .. s:gsub("'", "'\\''") .. "'"
end

-- Runs the binary; an argument may hold any bytes. Both outputs together.
local function hbdx(...)
  local words = { BIN }
  for _, word in ipairs { ... } do words[#words + 1] = quoted(word) end
  local pipe = assert(io.popen(table.concat(words, " ") .. " 2>&1 </dev/null; echo status $?"))
  local out = pipe:read "a"
  pipe:close()
  return out:match("^(.*)status (%d+)\n$")
end

local function folder()
  local path = scratch.name() .. EVIL
  os.execute("mkdir -p " .. quoted(path))
  return path
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  return path
end

local function assert_harmless(out, what)
  assert.is_nil(out:find("[%z\1-\8\11-\31\127]"), what .. ": a control in " .. out)
  assert.is_nil(out:find("\226\128\174", 1, true), what .. ": an override in " .. out)
  assert.is_nil(out:find("\194\155", 1, true), what .. ": a C1 control in " .. out)
  assert.truthy(utf8.len(out), what .. ": no UTF-8: " .. out)
end

local CALL = '2026-11-30 21:42:00,000 WARN  [x] ipc.RpcServer: (responseTooSlow): {"call":"Scan",'
  .. '"processingtimems":12000,"starttimems":1796074920000,"queuetimems":1,"responsesize":9,'
  .. '"method":"Scan","client":"%s:1","param":"region { type: REGION_NAME value: \\"%s,,1.'
  .. '0123456789abcdef0123456789abcdef.\\" }","class":"HRegionServer"}\n'

describe("bytes of anybody", function()
  local dir = folder()
  local log = write(dir .. "/r" .. EVIL .. ".log", CALL:format(EVIL, EVIL))
  write(dir .. "/cut.xml", "<configuration><property>")
  os.execute("ln -s /nowhere " .. quoted(dir .. "/gone" .. EVIL))
  local case = dir .. "/" .. EVIL .. ".case"

  for _, words in ipairs { { "diagnose", "--verbose", dir }, { "slowlog", dir },
    { "import", dir, "-o", case }, { "sql", case, "select * from call, source, skipped" },
    { "sql", case, "select 1 as '" .. EVIL .. "'" }, { "sql", case, EVIL }, { "sql", dir, EVIL },
    { "diagnose", "--" .. EVIL, dir }, { "diagnose", "--param", EVIL, dir },
    { "diagnose", "--at", EVIL, dir }, { "diagnose", "--log-tz", EVIL, dir },
    { "diagnose", "--playbooks", EVIL, dir }, { "run", EVIL, dir }, { "calc", EVIL },
    { "calc", "heap", "--heap", EVIL }, { "explain", EVIL }, { "help", EVIL }, { EVIL }, { dir },
    { "playbook", EVIL }, { "playbook", "show", EVIL }, { "playbook", "check", dir .. "/x.lua" },
    { "lua", dir .. "/x.lua" }, { "diagnose", "http://" .. EVIL .. "/" } } do
    it("are shown and not obeyed: " .. say.safe(words[1] .. " " .. (words[2] or "")), function()
      local out, status = hbdx(table.unpack(words))
      assert_harmless(out, words[1])
      assert.truthy(tonumber(status) <= 3, out)
      assert.is_nil(out:find("traceback", 1, true), out)
    end)
  end

  for _, words in ipairs { { "diagnose", "--format", "json", log },
    { "slowlog", "--format", "json", log } } do
    it("stay JSON: " .. words[1], function()
      local out = hbdx(table.unpack(words))
      assert_harmless(out, words[1])
      assert.is_table(json.decode(out))
    end)
  end

  it("stay JSON, line by line: sql", function()
    local out = hbdx("sql", "--format", "jsonl", case, "select * from call")
    assert_harmless(out, "sql")
    assert.is_string(assert(json.decode(out)).client)
  end)

  it("keep the lines of a message", function()
    assert.equal("a\n  b\\x1b", say.safe("a\n\tb\27"))
  end)
end)

describe("hbdx", function()
  it("says what is wrong with a script or a statement, without a traceback", function()
    local out, status = hbdx("lua", "/nowhere.lua")
    assert.equal("2", status)
    assert.truthy(out:find("^hbdx: cannot open /nowhere.lua"), out)
    local case = scratch.name() .. ".case"
    hbdx("import", "-q", sys.home() .. "/samples/handler-hogging/rs-1", "-o", case)
    out, status = hbdx("sql", case, "select randomblob(1000000000)")
    assert.equal("2", status)
    assert.is_nil(out:find(".lua:", 1, true), out)
  end)
end)

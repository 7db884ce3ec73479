--- The shell on a case: what is at hand and its help, as a feed from a pipe, and at a terminal.
local env = require "hbdx.shell.env"
local help = require "hbdx.shell.help"
local init = require "hbdx.shell"
local scratch = require "scratch"
local sys = require "hbdx.core.sys"

local BIN = os.getenv("HBDX_BIN") or "hbdx"

local LOG = "2026-11-30 21:10:00,000 INFO  [MemStoreFlusher.0] regionserver.HRegion: "
  .. "Flushing aaa 1/1 column families, dataSize=1 MB heapSize=1 MB\n"

local function put(path, text)
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
end

--- A folder with one small log; its own home, so that no history of the user is touched.
local function with_folder(fn)
  local dir = scratch.name()
  assert(os.execute(("mkdir -p '%s/logs/rs-1'"):format(dir)))
  put(dir .. "/logs/rs-1/x.log", LOG)
  local ok, message = pcall(fn, dir)
  os.execute(("rm -rf '%s'"):format(dir))
  assert(ok, message)
end

local function output_of(fmt, ...)
  local pipe = assert(io.popen(fmt:format(...)))
  local text = pipe:read("a")
  local _, _, status = pipe:close()
  return text, status
end

describe("help", function()
  local state = env.new {}

  it("is shown by its bare name, too", function()
    local shown = require("hbdx.shell.print").show(state.env.help, 80)
    assert.matches("diagnose%(%)", shown)
    assert.equal(state.env.help(), shown)
  end)

  it("knows every name that the shell offers", function()
    local known, missing = help.names(), {}
    local function look(prefix, t)
      for name, value in next, t do
        if type(name) == "string" and not known[prefix .. name] then
          missing[#missing + 1] = prefix .. name
        end
        if prefix == "" and type(value) == "table" and (name == "jmx" or name == "slowlog") then
          look(name .. ".", value)
        end
      end
    end
    look("", state.env)
    for name, value in next, state.env.amp do
      if type(value) == "function" and not known["amp." .. name] then
        missing[#missing + 1] = "amp." .. name
      end
    end
    for name, value in next, getmetatable(state.case).__index do
      if type(value) == "function" and not name:find("^__") and not known["case:" .. name] then
        missing[#missing + 1] = "case:" .. name
      end
    end
    table.sort(missing)
    assert.same({}, missing)
  end)

  it("offers nothing that is not there", function()
    local gone = {}
    for name in pairs(help.names()) do
      local first, second = name:match("^([%w_]+)[.:]?([%w_]*)$")
      local value = state.env[first]
      if second ~= "" then value = value and value[second] end
      if value == nil then gone[#gone + 1] = name end
    end
    assert.same({}, gone)
  end)

  it("explains functions, metrics and settings, and says when it cannot", function()
    assert.truthy(help.text("amp.get_cost", 80):find("bloom_fp", 1, true))
    assert.truthy(help.text("case", 80):find("case:servers()", 1, true))
    assert.truthy(help.text("cache.evictions", 80):find("counter", 1, true))
    assert.truthy(help.text(nil, 80):find("diagnose()", 1, true))
    local text, message = help.text("jmx.lastest", 80)
    assert.is_nil(text)
    assert.truthy(message:find("jmx.lastest", 1, true))
  end)

  it("tells all that a finding offers to a playbook, and nothing else", function()
    local maker, told = getmetatable(require("hbdx.finding").new({})).__index, {}
    for _, doc in ipairs(require "hbdx.shell.playbook_doc") do
      local name = doc.name:match("^finding:(.+)$")
      if name then
        told[name] = true
        assert.equal("function", type(maker[name]), name)
        assert.truthy(help.text(doc.name, 80):find(doc.usage, 1, true))
      end
    end
    for name, value in pairs(maker) do
      if type(value) == "function" then assert.truthy(told[name], name) end
    end
    assert.equal(help.text("finding:expect", 80), help.text("f:expect", 80))
  end)

  it("fits its width", function()
    for name in pairs(help.names()) do
      for line in help.text(name, 80):gmatch("[^\n]+") do
        assert.truthy(#line <= 80 or not line:find(" ", 60, true), line)
      end
    end
  end)
end)

describe("jmx", function()
  local state = env.new {}

  it("takes HBase's own names, and says what was perhaps meant", function()
    assert.same({}, state.env.jmx.get "blockCacheEvictionCount")
    for _, n in ipairs { "a", 0, 1.5 } do
      assert.matches("how many groups", select(2, pcall(state.env.slowlog.top, n)))
    end
    local ok, message = pcall(state.env.jmx.get, "cache.eviction")
    assert.is_false(ok)
    assert.truthy(message:find("perhaps cache.evictions", 1, true), message)
  end)
end)

describe("the prompt", function()
  it("shows the case, its servers and what was not read", function()
    with_folder(function(dir)
      local state = env.new {}
      assert.equal("hbdx> ", init.prompt(state))
      state.env.load(dir .. "/logs", dir .. "/nowhere")
      assert.equal("nowhere [1 server, 1 file, 1 not read]> ", init.prompt(state))
    end)
  end)
end)

describe("a feed of statements", function()
  local function feed(dir, text)
    put(dir .. "/feed", text)
    return output_of("cd '%s' && XDG_STATE_HOME='%s' '%s' < feed 2>&1", dir, dir, BIN)
  end

  it("loads, asks and prints without a prompt", function()
    with_folder(function(dir)
      local text, status = feed(dir,
        'load "logs"\n#case:sources()\nfor i = 1, 2 do\n print(i)\nend\n')
      assert.equal(0, status)
      assert.truthy(text:find("read 1 file,", 1, true))
      assert.truthy(text:find("\n1\n1\n2\n", 1, true))
      assert.is_nil(text:find("hbdx>", 1, true))
    end)
  end)

  it("diagnoses and explains", function()
    with_folder(function(dir)
      local text, status = feed(dir, 'load "logs"\ndiagnose()\nhelp "amp.heap"\njmx.latest "x.y"\n')
      assert.equal(2, status)
      assert.truthy(text:find("cannot tell", 1, true))
      assert.truthy(text:find("active_regions", 1, true))
      assert.truthy(text:find("no metric is called 'x.y'", 1, true))
      assert.is_nil(text:find("stack traceback", 1, true))
    end)
  end)

  it("ends at the first failure, and says so", function()
    with_folder(function(dir)
      local text, status = feed(dir, "1\nerror('broken', 0)\n2\n")
      assert.equal("1\nline 2: broken\n", text)
      assert.equal(2, status)
      assert.equal(2, select(2, feed(dir, "x y\n")))
      assert.equal(2, select(2, feed(dir, "for i = 1, 2 do\n")))
    end)
  end)

  it("names the line of the input that failed", function()
    with_folder(function(dir)
      assert.matches("^1\nline 4: attempt to call a nil value",
        (feed(dir, "1\n\n-- so\nslowlog.nothing_of_the_kind()\n2\n")))
      assert.matches("line 3: .*syntax error", (feed(dir, "1\n\nx y\n")))
      assert.matches("line 4: broken", (feed(dir, "1\nfor i = 1, 2 do\n\nerror 'broken'\nend\n")))
    end)
  end)

  it("says what was perhaps meant", function()
    with_folder(function(dir)
      assert.matches("%(field 'tpo'%): did you mean slowlog.top%?",
        (feed(dir, "slowlog.tpo()\n")))
      assert.matches("%(global 'diagnos'%): did you mean diagnose%?", (feed(dir, "diagnos()\n")))
    end)
  end)

  it("ends with 3 where a source could not be read, and says its statuses", function()
    with_folder(function(dir)
      assert.equal(3, select(2, feed(dir, 'load "/no/such"\ndiagnose()\n')))
      assert.equal(3, select(2, feed(dir, 'load "logs"\nload "/no/such"\n1\n')))
      assert.equal(2, select(2, feed(dir, 'load "/no/such"\nerror "broken"\n')))
      assert.matches("with 3 where a source could not be read", (output_of("'%s' --help", BIN)))
    end)
  end)
end)

describe("at a terminal", function()
  local PROMPT <const> = "hbdx> "
  local LIMIT_S <const> = 300 -- for one wait; only what will never come takes so long

  --- What the terminal showed so far, as plain lines.
  local function shown(path)
    local f = assert(io.open(path, "rb"))
    local text = f:read("a")
    f:close()
    return (text:gsub("\r", ""))
  end

  --- Types at the shell. Each step is { what to wait for, what to type then }: a slow machine waits
  --- longer, and nothing is typed before the shell is where it is meant to be. What is waited for
  --- comes after what the step before waited for. No other shell sits at that terminal: one may
  --- end at the Ctrl-C that is meant for ours. Returns all that was shown, once it has left.
  local function typed(dir, steps, prefix)
    local path, from, gone = dir .. "/shown", 1, false
    put(path, "")
    local keys = assert(io.popen(([[
      cd '%s'
      TERM=dumb XDG_STATE_HOME='%s/state' timeout 600 script -qec "exec %s '%s'" /dev/null >>'%s'
      echo "status $?" >>'%s']]):format(dir, dir, prefix or "", BIN, path, path), "w"))
    keys:setvbuf("no")
    local function wait(what)
      local until_ms = sys.monotonic_ms() + LIMIT_S * 1000
      repeat
        local text = shown(path)
        local _, stop = text:find(what, from, true)
        if stop then
          from = stop + 1
          return true
        end
        gone = text:find("status %d") ~= nil
        sys.sleep_ms(10)
      until gone or sys.monotonic_ms() > until_ms
      return false
    end
    local missing
    for _, step in ipairs(steps) do
      if not wait(step[1]) then
        missing = step[1]
        break
      end
      keys:write(step[2])
    end
    missing = missing or not wait("status ") and "status "
    keys:close()
    assert(not missing, ("'%s' was waited for in vain, the terminal showed:\n%s"):format(missing,
      shown(path)))
    return shown(path)
  end

  it("quit leaves, and says that all is well", function()
    with_folder(function(dir)
      assert.truthy(typed(dir, { { PROMPT, "quit\n" } }):find("status 0", 1, true))
    end)
  end)

  local CTRL_C <const> = {
    { PROMPT, "print(3 * 37) while true do end\n" },
    { "\n111\n", "\3" },
    { "interrupted", "" },
    { PROMPT, "half a line" },
    { "half a line", "\3" },
    { PROMPT, "6 * 7\n" },
    { "\n42\n", "" },
    { PROMPT, "\4" },
  }

  it("Ctrl-C ends a statement or a line and not the shell; Ctrl-D leaves", function()
    with_folder(function(dir)
      local text = typed(dir, CTRL_C)
      assert.truthy(text:find("status 0", 1, true), text)
    end)
  end)

  it("Ctrl-C is heard where whoever started the shell had blocked it", function()
    with_folder(function(dir)
      local text = typed(dir, CTRL_C, "env --block-signal=INT")
      assert.truthy(text:find("status 0", 1, true), text)
    end)
  end)

  it("joins lines, completes, and keeps a history for the owner alone", function()
    with_folder(function(dir)
      typed(dir, {
        { PROMPT, "for i = 1, 2 do\n" },
        { "> ", "print(i * 11) end\n" },
        { "\n11\n22\n", "" },
        { PROMPT, "string.revers\t" },
        { "string.reverse(", '"abc")\n' },
        { "\ncba\n", "" },
        { PROMPT, 'x = "http://u:pw@h/"\n' },
        { PROMPT, "\4" },
      })
      local history = output_of("cat '%s/state/hbdx/history'", dir)
      assert.truthy(history:find("for i = 1, 2 do\nprint(i * 11) end\n", 1, true))
      assert.is_nil(history:find("pw", 1, true))
      assert.equal("600\n", (output_of("stat -c %%a '%s/state/hbdx/history'", dir)))
    end)
  end)
end)

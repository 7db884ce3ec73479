--- The parts of the shell that need no case: statements, values, completion.
local complete = require "hbdx.shell.complete"
local eval = require "hbdx.shell.eval"
local print_value = require "hbdx.shell.print"

describe("eval.compile", function()
  local function results(source)
    local chunk = assert(eval.compile(source, _G))
    return { chunk() }
  end

  it("takes expressions, with = or without, and statements", function()
    assert.same({ 3 }, results "1 + 2")
    assert.same({ 3 }, results "=1 + 2")
    assert.same({ 1, nil, 3 }, results "1, nil, 3")
    assert.same({}, results "local x = 1")
    assert.same({ 4 }, results "for i = 4, 9 do return i end")
  end)

  it("knows what is not whole yet", function()
    for _, source in ipairs { "for i = 1, 2 do", "f(", "x =", "if x then", "function a()", "[[a",
      "1 +", "= 1 +" } do
      local chunk, _, incomplete = eval.compile(source, {})
      assert.is_nil(chunk)
      assert.is_true(incomplete, source)
    end
    local chunk, message, incomplete = eval.compile("x y", {})
    assert.is_nil(chunk)
    assert.is_false(incomplete)
    assert.truthy(message:find("shell:1:", 1, true))
  end)

  it("does not load bytecode", function()
    assert.is_nil((eval.compile(string.dump(function() end), {})))
  end)
end)

describe("eval.run", function()
  it("gives results, or an error without our own frames", function()
    local ok, values = eval.run(function() return 1, nil end)
    assert.is_true(ok)
    assert.equal(2, values.n)
    local good, e = eval.run(function() error("no such thing", 0) end)
    assert.is_false(good)
    assert.equal("no such thing", e.message)
    assert.is_nil(e.traceback:find("guard.call", 1, true))
  end)
end)

describe("print.show", function()
  local function show(v) return print_value.show(v, 80) end

  it("shows scalars", function()
    assert.equal("12", show(12))
    assert.equal("0.1", show(0.1))
    assert.equal("1e+20", show(1e20))
    assert.equal("nil", show(nil))
    assert.equal("true", show(true))
  end)

  it("shows text as it is, but safe", function()
    assert.equal("a\nb\\x1b[31m", show "a\nb\27[31m")
  end)

  it("shows small tables on a line and large ones indented", function()
    assert.equal("{}", show {})
    assert.equal('{ 1, "two", three = { 4 } }', show { 1, "two", three = { 4 } })
    assert.equal('{ ["a b"] = 1, [2.5] = 2 }', show { [2.5] = 2, ["a b"] = 1 }:gsub(
      "{ %[2.5%] = 2, (.*) }", "{ %1, [2.5] = 2 }"))
    local long = show { ("x"):rep(50), ("y"):rep(50) }
    assert.equal(4, select(2, long:gsub("\n", "")) + 1)
  end)

  it("ends with tables that hold themselves, with deep and with long ones", function()
    local t = {}
    t.t = t
    assert.equal("{ t = { ... itself } }", show(t))
    local deep = {}
    for _ = 1, 50 do deep = { deep } end
    assert.truthy(show(deep):find("...", 1, true))
    local many = {}
    for i = 1, 1000 do many[i] = i end
    assert.truthy(show(many):find("... 900 more", 1, true))
  end)

  it("shows records as columns", function()
    assert.equal(" a  b\n 1  x\n22  \\x1b", show { { a = 1, b = "x" }, { a = 22, b = "\27" } })
    local rows = {}
    for i = 1, 60 do rows[i] = { n = i } end
    assert.truthy(show(rows):find("... 10 more", 1, true))
  end)

  it("respects __tostring", function()
    assert.equal("me", show(setmetatable({}, { __tostring = function() return "me" end })))
  end)
end)

describe("complete.words", function()
  local env = { jmx = { latest = print, last = 1 }, case = setmetatable({}, { __index = {
    servers = print, name = "x" } }), local_one = 1 }

  local function words(line)
    local start = line:match("()[%w_.:]*$")
    return complete.words(env, line, start)
  end

  it("completes globals, fields and methods", function()
    assert.same({ "jmx" }, words "jm")
    assert.same({ "jmx.last", "jmx.latest(" }, words "print(jmx.la")
    assert.same({ "case:servers(" }, words "case:s")
    assert.same({ "case:servers(" }, words "case:")
    assert.same({ "local", "local_one" }, words "loc")
    assert.same({}, words "nothing.at.all.")
  end)

  it("completes methods of strings, and calls nothing", function()
    env.text = "abc"
    assert.same({ "text:gmatch(", "text:gsub(" }, words "text:g")
    env.trap = setmetatable({}, { __index = function() error "called" end })
    assert.same({}, words "trap.x.y")
  end)

  it("completes metrics between quotes, and leaves files to readline", function()
    local list = words 'jmx.latest "cache.evict'
    assert.same({ "cache.evictions" }, list)
    assert.is_nil(words 'load "sam')
    assert.is_nil(words 'load("x", "sam')
  end)
end)

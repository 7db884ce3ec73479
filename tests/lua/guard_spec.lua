--- Deadlines, memory caps and what comes out of a call that broke them.
local guard = require "hbdx.core.guard"

local function spin()
  while true do end -- luacheck: ignore 542
end

describe("guard.call", function()
  it("passes arguments and results, nil too", function()
    local got = table.pack(guard.call(function(...) return ... end, {}, 1, nil, "x"))
    assert.same({ true, 1, nil, "x", n = 4 }, got)
  end)

  it("gives an error as message and traceback", function()
    local ok, e = guard.call(function() error("broken", 0) end, {})
    assert.is_false(ok)
    assert.equal("broken", e.message)
    assert.equal("error", e.kind)
    assert.truthy(e.traceback:find("guard_spec", 1, true))
  end)

  it("keeps the fields of an error that is a table", function()
    local _, e = guard.call(function() error({ message = "no", code = "x" }) end, {})
    assert.equal("x", e.code)
    assert.equal("no", e.message)
    assert.is_string(e.traceback)
  end)

  it("ends a loop at its deadline", function()
    local ok, e = guard.call(spin, { deadline_ms = 30 })
    assert.is_false(ok)
    assert.equal("deadline", e.kind)
    assert.is_nil(debug.gethook())
  end)

  it("ends a loop that catches errors", function()
    local _, e = guard.call(function()
      pcall(spin)
      while true do pcall(spin) end
    end, { deadline_ms = 30 })
    assert.equal("deadline", e.kind)
  end)

  it("ends a loop inside a coroutine", function()
    local _, wrapped = guard.call(function() coroutine.wrap(spin)() end, { deadline_ms = 30 })
    assert.equal("deadline", wrapped.kind)
    local _, resumed = guard.call(function()
      local co = coroutine.create(spin)
      coroutine.resume(co)
      spin()
    end, { deadline_ms = 30 })
    assert.equal("deadline", resumed.kind)
  end)

  it("ends what a coroutine does while it is closed", function()
    local endless = { __close = spin }
    local function holds_one()
      local handle <close> = setmetatable({}, endless) -- luacheck: ignore 211
      coroutine.yield()
      spin()
    end
    local _, closed = guard.call(function()
      local co = coroutine.create(holds_one)
      coroutine.resume(co)
      coroutine.close(co)
    end, { deadline_ms = 30 })
    assert.equal("deadline", closed.kind)
    local _, died = guard.call(function()
      local step = coroutine.wrap(holds_one)
      step()
      step()
    end, { deadline_ms = 30 })
    assert.equal("deadline", died.kind)
  end)

  it("ends functions of C that run long", function()
    local cases = {
      function() return ("a"):rep(40):find(("a*"):rep(40) .. "b") end,
      function() return ("a"):rep(40):gsub(("a-"):rep(40) .. "b", "") end,
      function() return ("(("):rep(100000):find("%b()" .. ("%b()"):rep(9)) end,
      function() return table.move({}, 1, 1 << 53, 2) end,
    }
    for _, case in ipairs(cases) do
      local _, e = guard.call(case, { deadline_ms = 30 })
      assert.equal("deadline", e.kind)
    end
  end)

  it("nests: the inner deadline ends the inner call alone", function()
    local ok, kind = guard.call(function()
      local _, e = guard.call(spin, { deadline_ms = 20 })
      return e.kind
    end, { deadline_ms = 5000 })
    assert.is_true(ok)
    assert.equal("deadline", kind)
  end)

  it("nests: the outer deadline holds through inner calls", function()
    local _, e = guard.call(function()
      while true do guard.call(spin, { deadline_ms = 5000 }) end
    end, { deadline_ms = 30 })
    assert.equal("deadline", e.kind)
  end)

  it("caps memory, also what a C function asks for", function()
    local cases = {
      function()
        local t = {}
        for i = 1, math.maxinteger do t[i] = i end
        return t
      end,
      function() return ("x"):rep(1 << 30) end,
      function() return ("x"):rep(1000):gsub("x", ("y"):rep(100000)) end,
    }
    for _, case in ipairs(cases) do
      local ok, e = guard.call(case, { memory_bytes = 4000000 })
      assert.is_false(ok)
      assert.equal("memory", e.kind)
    end
    assert.equal(1 << 24, #("x"):rep(1 << 24))
  end)

  it("raises on misuse", function()
    assert.has_error(function() guard.call("no function", {}) end)
    assert.has_error(function() guard.call(spin, { deadline_ms = "soon" }) end)
  end)
end)

describe("coroutines under a watch", function()
  it("still pass values in and out", function()
    local co = coroutine.create(function(a, b)
      local c = coroutine.yield(a + b)
      return c, nil, "end"
    end)
    assert.same({ true, 3 }, { coroutine.resume(co, 1, 2) })
    assert.same({ n = 4, true, "x", nil, "end" }, table.pack(coroutine.resume(co, "x")))
    local ok, message = coroutine.resume(co)
    assert.is_false(ok)
    assert.truthy(message:find("dead", 1, true))
  end)

  it("pass errors on, values that are no strings too", function()
    local ok, e = coroutine.resume(coroutine.create(function() error({ 1 }) end))
    assert.is_false(ok)
    assert.same({ 1 }, e)
    local passed, message = pcall(coroutine.wrap(function() error("broken") end))
    assert.is_false(passed)
    assert.truthy(message:find("broken", 1, true))
  end)

  it("are closed once, and not while they run", function()
    local co = coroutine.create(function()
      local handle <close> = setmetatable({}, { __close = function() error("stuck", 0) end })
      coroutine.yield(handle)
    end)
    coroutine.resume(co)
    assert.same({ false, "stuck" }, { coroutine.close(co) })
    assert.is_true(coroutine.close(co))
    assert.has_error(function() coroutine.close(coroutine.running()) end)
    local outer
    outer = coroutine.create(function()
      return coroutine.resume(coroutine.create(function() coroutine.close(outer) end))
    end)
    local ran, inner = coroutine.resume(outer)
    assert.is_true(ran)
    assert.is_false(inner)
  end)

  it("close what a wrapped function that died left open", function()
    local closed
    local step = coroutine.wrap(function()
      local handle <close> = setmetatable({}, { __close = function() closed = true end })
      error(handle)
    end)
    assert.has_error(step)
    assert.is_true(closed)
  end)
end)

describe("table.move", function()
  it("moves up and down, over itself and into another table", function()
    assert.same({ 1, 1, 2, 3 }, table.move({ 1, 2, 3 }, 1, 3, 2))
    assert.same({ 2, 3, 3 }, table.move({ 1, 2, 3 }, 2, 3, 1))
    assert.same({ 0, 1, 2 }, table.move({ 1, 2 }, 1, 2, 2, { 0 }))
    assert.same({ 5 }, table.move({}, 1, 0, 1, { 5 }))
    assert.has_error(function() table.move({}, 1, math.maxinteger, 2) end)
  end)
end)

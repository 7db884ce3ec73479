local runner = require "hbdx.runner"
local finding = require "hbdx.finding"

local CASE = { has = function(_, need)
  if need == "absent" then return false, { what = "absent", get = "fetch it" } end
  return true
end }

local function book(id, diagnose, needs)
  return { id = id, title = id, category = "c", severity = "warning", params = {}, needs = needs
    or {},
           path = id .. ".lua", diagnose = diagnose }
end

local function gives(verdict, t)
  return function(case) return finding.new(case):conclude(verdict, t) end
end

local function run(books, opts) return assert(runner.run(CASE, books, opts)) end

describe("runner", function()
  it("ranks by verdict, then severity, then id", function()
    local r = run { book("c", gives "ruled_out"), book("b", gives("likely", { severity = "info" })),
      book("a", gives("confirmed", {})), book("d", gives("likely", { severity = "critical" })) }
    local order = {}
    for i, f in ipairs(r.findings) do order[i] = f.playbook end
    assert.same({ "a", "d", "b", "c" }, order)
  end)

  it("says what is missing, without running the playbook", function()
    local f = run({ book("x", error, { "absent" }) }).findings[1]
    assert.equal("cannot_tell", f.verdict)
    assert.same({ { what = "absent", get = "fetch it" } }, f.missing)
  end)

  it("takes one of several alternatives", function()
    assert.equal("ruled_out", run({ book("x", gives "ruled_out",
      { { "absent", "there" } }) }).findings[1].verdict)
  end)

  for name, diagnose in pairs {
    ["throws"] = function() error("boom") end,
    ["throws no text"] = function() error({}) end,
    ["gives nothing"] = function() end,
    ["runs for ever"] = function() while true do end end,
    ["wants all memory"] = function() local t = {} while true do
      t[#t + 1] = ("x"):rep(1 << 16) .. #t end end,
  } do
    it("makes a finding of a playbook that " .. name .. ", and goes on", function()
      local r = run({ book("bad", diagnose), book("good", gives "ruled_out") },
                    { deadline_ms = 300, memory_bytes = 32 << 20 })
      assert.equal(1, r.failed)
      assert.equal(2, #r.findings)
      for _, f in ipairs(r.findings) do
        if f.playbook == "bad" then
          assert.equal("cannot_tell", f.verdict)
          assert.is_string(f.error)
        end
      end
    end)
  end

  it("gives the plan's exit statuses", function()
    local function status(list, fail_on, unread)
      local books = {}
      for i, verdict in ipairs(list) do
        books[i] = book("b" .. i, function(case)
          local f = finding.new(case)
          f:missing("x", "y")
          return f:conclude(verdict)
        end)
      end
      return runner.status(run(books), fail_on, unread or 0)
    end
    assert.equal(0, status({ "ruled_out", "cannot_tell" }, "likely"))
    assert.equal(1, status({ "ruled_out", "likely" }, "likely"))
    assert.equal(0, status({ "ruled_out", "likely" }, "confirmed"))
    assert.equal(1, status({ "confirmed" }, "confirmed"))
    assert.equal(0, status({ "confirmed", "ruled_out" }, "never"))
    assert.equal(3, status({ "cannot_tell" }, "likely"))
    assert.equal(3, status({ "ruled_out" }, "likely", 1))
    assert.equal(1, status({ "confirmed" }, "likely", 1))
    assert.equal(2, runner.status(run { book("x", error), book("y", gives "ruled_out") }, "likely",
      0))
  end)
end)

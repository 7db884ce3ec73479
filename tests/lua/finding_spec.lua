local finding = require "hbdx.finding"

local CASE = { has = function(_, need)
  if need == "calls" then return false, { what = "slow-call lines", get = "the logs" } end
  return true
end }

describe("finding", function()
  local f
  before_each(function() f = finding.new(CASE) end)

  it("keeps what was expected, observed and whether it holds", function()
    assert.is_true(f:expect { claim = "a", observed = 7, at_least = 5, unit = "x" })
    assert.is_false(f:expect { claim = "b", observed = 7, at_most = 5 })
    assert.is_false(f:holds())
    local done = f:conclude("ruled_out")
    assert.same({ true, false }, { done.evidence[1].holds, done.evidence[2].holds })
    assert.equal(">= 5 x", done.evidence[1].limit_text)
  end)

  it("never counts what it could not see as held", function()
    assert.is_nil(f:expect { claim = "a", observed = nil, at_least = 5 })
    assert.is_nil(f:expect { claim = "nan", observed = 0 / 0, at_least = 5 })
    assert.equal(2, f:unknowns())
    assert.is_false(f:holds())
  end)

  it("refuses a cannot_tell that does not say what to get", function()
    assert.has.errors(function() f:conclude("cannot_tell") end)
    f:missing("x", "get y")
    assert.equal("cannot_tell", f:conclude("cannot_tell").verdict)
  end)

  it("takes the case's advice for what it lacks", function()
    assert.is_true(f:needs "events")
    assert.is_false(f:needs "calls")
    assert.same({ { what = "slow-call lines", get = "the logs" } },
      f:conclude("cannot_tell").missing)
  end)

  it("refuses misspelt fields, units, verdicts and fixes without a risk", function()
    assert.has.errors(function() f:expect { claim = "a", observd = 1, at_least = 1 } end)
    assert.has.errors(function() f:expect { claim = "a", observed = 1 } end)
    assert.has.errors(function() f:fact { claim = "a", observed = 1, unit = "furlong" } end)
    assert.has.errors(function() f:conclude("sure") end)
    assert.has.errors(function() f:conclude("likely",
      { fixes = { { what = "x", why = "y" } } }) end)
  end)
end)

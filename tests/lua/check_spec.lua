local check = require "hbdx.check"

describe("check", function()
  it("blames the caller for a wrong argument", function()
    local function public(path) check.arg("path", path, "string") end
    local ok, message = pcall(public, 7)
    assert.is_false(ok)
    assert.matches("'path'.*string expected, got integer", message)
  end)

  it("takes alternatives", function()
    assert.has_no.errors(function() check.arg("x", nil, "string|nil") end)
    assert.has.errors(function() check.arg("x", {}, "string|nil") end)
  end)

  it("finds the nearest name, and none when all are far", function()
    local names = { "cache-eviction", "flush-stall" }
    assert.equal("cache-eviction", check.nearest("cache-evicton", names))
    assert.equal("flush-stall", check.nearest("flushstall", names))
    assert.is_nil(check.nearest("zzz", names))
  end)
end)

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

  it("finds the nearest names, and none when all are far", function()
    local names = { "cache-eviction", "flush-stall" }
    assert.same({ "cache-eviction" }, check.near("cache-evicton", names))
    assert.same({ "flush-stall" }, check.near("flushstall", names))
    assert.same({}, check.near("zzz", names))
  end)

  it("says what was perhaps meant, what holds the word first", function()
    local names = { "region_too_busy", "abort", "flush_finished", "flush_delayed", "flash" }
    assert.equal(": did you mean flush_delayed, flush_finished or flash?",
      check.meant("flush", names))
    assert.equal(": did you mean --abort?", check.meant("abrot", names, "--%s"))
    assert.equal("", check.meant("unheard_of", names))
    assert.equal("", check.meant("z", { "by", "at", "zz" }))
    assert.equal(": did you mean by?", check.meant("bz", { "by", "at", "top" }))
  end)
end)

describe("check.distance", function()
  it("takes two neighbours that were swapped as one slip", function()
    assert.equal(1, check.distance("tpo", "top"))
    assert.equal(2, check.distance("abcd", "badc"))
    assert.equal(3, check.distance("kitten", "sitting"))
  end)
end)

local when = require "hbdx.when"
local time = require "hbdx.core.time"

local END = assert(time.parse "2024-05-01T10:00:00Z") -- a Wednesday
local UTC = { to_ms = END, offset = 0 }
local BERLIN = { to_ms = END, offset = 7200000 }

local function at(text, span) return time.format(assert(when.parse(text, span or UTC))) end

describe("when", function()
  it("reads full stamps", function()
    assert.equal("2024-05-01T02:00:00.000Z", at "2024-05-01T02:00:00Z")
    assert.equal("2024-05-01T00:00:00.000Z", at "2024-05-01T02:00:00+02:00")
    assert.equal("2024-04-30T22:00:00.000Z", at("2024-05-01 00:00", BERLIN))
  end)

  it("takes a clock on the last day that has it, in the cluster's zone", function()
    assert.equal("2024-05-01T02:00:00.000Z", at "02:00")
    assert.equal("2024-04-30T22:30:00.000Z", at "22:30")
    assert.equal("2024-05-01T00:00:00.000Z", at("02:00", BERLIN))
  end)

  it("takes weekdays and distances from the end", function()
    assert.equal("2024-04-29T02:00:00.000Z", at "mon 02:00")
    assert.equal("2024-05-01T02:00:00.000Z", at "Wednesday 02:00")
    assert.equal("2024-04-24T11:00:00.000Z", at "wed 11:00")
    assert.equal("2024-05-01T08:00:00.000Z", at "-2h")
  end)

  for _, text in ipairs { "", "soon", "25:00", "02:60", "foo 02:00", "-2y", "-99999999999h",
    "2024-13-01T00:00:00Z" } do
    it("refuses '" .. text .. "'", function() assert.is_nil((when.parse(text, UTC))) end)
  end

  it("reads a window as a focus, and from and to as bounds", function()
    local w = assert(when.read({ window = "02:00+40m", from = "-9h" }, UTC))
    assert.equal(2400000, w.focus.to_ms - w.focus.from_ms)
    assert.equal(END - 9 * 3600000, w.from_ms)
    w = assert(when.read({ at = "02:00", window = "10m" }, UTC))
    assert.equal(600000, w.focus.to_ms - w.focus.from_ms)
    assert.is_nil((when.read({ window = "02:00" }, UTC)))
  end)

  local function bounds(from, to, span)
    local w = assert(when.read({ from = from, to = to }, span or UTC))
    return time.format(w.from_ms):sub(1, 16) .. " " .. time.format(w.to_ms):sub(1, 16)
  end

  it("goes over midnight where neither time has a day", function()
    assert.equal("2024-04-30T23:30 2024-05-01T00:30", bounds("23:30", "00:30"))
    assert.equal("2024-05-01T02:00 2024-05-01T03:00", bounds("02:00", "03:00"))
    assert.equal("2024-05-01T09:50 2024-05-01T10:30", bounds("09:50", "10:30")) -- beyond the end
    assert.equal("2024-04-30T21:30 2024-04-30T22:30", bounds("23:30", "00:30", BERLIN))
    local night = { to_ms = END - 10 * 3600000 + 600000, offset = 0 } -- 00:10
    assert.equal("2024-04-30T23:30 2024-05-01T00:30", bounds("23:30", "00:30", night))
  end)

  it("takes the time without a day that is next to the other", function()
    assert.equal("2024-04-29T02:00 2024-04-29T04:00", bounds("mon 02:00", "04:00"))
    assert.equal("2024-04-20T22:00 2024-04-21T01:00", bounds("2024-04-20 22:00", "01:00"))
    assert.equal("2024-04-19T23:00 2024-04-20T22:00", bounds("23:00", "2024-04-20 22:00"))
    assert.equal("2024-04-26T23:00 2024-04-29T01:00", bounds("fri 23:00", "mon 01:00"))
  end)

  it("names both times where the first is not before the second", function()
    for _, pair in ipairs { { "2024-05-01 03:00", "2024-05-01 02:00" }, { "02:00", "02:00" },
      { "-1h", "-2h" } } do
      local w, message = when.read({ from = pair[1], to = pair[2] }, UTC)
      assert.is_nil(w)
      assert.equal(("--from %s is not before --to %s"):format(pair[1], pair[2]), message)
    end
  end)

  it("says that a clock needs a date where nothing tells the time", function()
    assert.matches("needs a date", select(2, when.parse("02:00", { offset = 0 })))
  end)
end)

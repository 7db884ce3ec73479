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

  for _, text in ipairs { "", "soon", "25:00", "02:60", "foo 02:00", "-2y",
    "2024-13-01T00:00:00Z" } do
    it("refuses '" .. text .. "'", function() assert.is_nil((when.parse(text, UTC))) end)
  end

  it("reads a window as a focus, and from and to as bounds", function()
    local w = assert(when.read({ window = "02:00+40m", from = "-9h" }, UTC))
    assert.equal(2400000, w.focus.to_ms - w.focus.from_ms)
    assert.equal(END - 9 * 3600000, w.from_ms)
    w = assert(when.read({ at = "02:00", window = "10m" }, UTC))
    assert.equal(600000, w.focus.to_ms - w.focus.from_ms)
    assert.is_nil((when.read({ from = "03:00", to = "02:00" }, UTC)))
    assert.is_nil((when.read({ window = "02:00" }, UTC)))
  end)
end)

local units = require "hbdx.units"

describe("units", function()
  it("writes sizes in binary multiples", function()
    assert.equal("12.8 GiB", units.bytes(13743895347))
    assert.equal("12.16 GiB", units.bytes(13056700579))
    assert.equal("62 MiB", units.bytes(65283502))
    assert.equal("25 GiB", units.bytes(25 * 2 ^ 30))
    assert.equal("0 B", units.bytes(0))
    assert.equal("-1.5 KiB", units.bytes(-1536))
  end)

  it("groups digits", function()
    assert.equal("41,200", units.group(41200))
    assert.equal("999", units.group(999))
    assert.equal("-1,234,567", units.group(-1234567))
  end)

  it("writes durations", function()
    assert.equal("151 ms", units.duration(151))
    assert.equal("4.2 s", units.duration(4200))
    assert.equal("40 min", units.duration(2400000))
    assert.equal("3.0 days", units.duration(3 * 86400000))
  end)

  it("says unknown for nil and NaN, never zero", function()
    assert.equal("unknown", units.format(nil, "bytes"))
    assert.equal("unknown", units.format(0 / 0, "percent"))
    assert.equal("from none", units.format(math.huge, "x"))
  end)

  it("knows each unit that it lists", function()
    for unit in pairs(units.known) do
      assert.is_string(units.format(1, unit))
    end
  end)
end)

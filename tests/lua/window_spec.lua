local nightly = require "hbdx.pattern.nightly"
local window = require "hbdx.pattern.window"
local time = require "hbdx.core.time"

local function ms(text) return assert(time.parse(text)) end

local function span(from, to) return { from_ms = ms(from), to_ms = ms(to) } end

local function case_in(offset) return { offset = function() return offset end } end

local function w(seconds, d, g) return { seconds = seconds, d = d or {}, g = g or {}, why = {} } end

describe("window", function()
  it("sums what can be told, and nothing is nil", function()
    local list = { w(10, { x = 5 }), w(10, {}), w(20, { x = 1 }) }
    assert.same({ 6, 30 }, { window.sum(list, "x") })
    assert.equal(0.2, window.rate(list, "x"))
    assert.is_nil((window.sum(list, "y")))
    assert.is_nil(window.rate({}, "x"))
  end)

  it("takes ranks, never means, of percentiles", function()
    assert.equal(2, window.quantile({ 3, 1, 2 }, 0.5))
    assert.equal(3, window.quantile({ 3, 1, 2 }, 1))
    assert.equal(2, window.usual({ w(1, {}, { p = 1 }), w(1, {}, { p = 2 }), w(1, {},
      { p = 900 }) }, "p"))
    assert.is_nil(window.quantile({}, 0.5))
  end)

  it("compares with nothing without dividing by it", function()
    assert.equal(math.huge, window.times(3, 0))
    assert.equal(1, window.times(0, 0))
    assert.is_nil(window.times(nil, 1))
  end)

  it("joins spans over a slack, and only those", function()
    local list = window.spans({ { from_ms = 30, to_ms = 40 }, { from_ms = 0, to_ms = 10 },
                                { from_ms = 12, to_ms = 20 } }, 5)
    assert.same({ { from_ms = 0, to_ms = 20 }, { from_ms = 30, to_ms = 40 } }, list)
    assert.equal(30, window.length(list))
    assert.is_true(window.touches(list, 20, 25))
    assert.is_false(window.touches(list, 21, 29))
    assert.is_false(window.touches(list, nil))
  end)

  it("tells how much of spans is covered, once where windows overlap", function()
    local spans = { { from_ms = 0, to_ms = 100 }, { from_ms = 200, to_ms = 300 } }
    assert.equal(0.5, window.covered(spans, { { from_ms = 0, to_ms = 80 },
      { from_ms = 50, to_ms = 100 } }))
    assert.equal(0, window.covered(spans, { { from_ms = 100, to_ms = 200 } }))
    assert.equal(1, window.covered({ { from_ms = 5, to_ms = 5 } }, { { from_ms = 0, to_ms = 9 } }))
    assert.equal(0, window.covered({ { from_ms = 5, to_ms = 5 } }, {}))
    assert.equal(0, window.covered({}, { { from_ms = 0, to_ms = 9 } }))
  end)

  it("writes spans in the cluster's zone", function()
    local s = span("2026-11-30T21:42:06Z", "2026-11-30T21:43:53Z")
    assert.equal("2026-11-30 21:42:06-21:43:53 UTC", window.text(case_in(0), s))
    assert.equal("2026-12-01 03:12:06-03:13:53 UTC+05:30", window.text(case_in(19800000), s))
  end)
end)

describe("nightly", function()
  local observed = { span("2026-10-05T00:00:00Z", "2026-10-08T00:00:00Z") }

  it("sees the same hour of several nights", function()
    local r = nightly.describe(case_in(0), { span("2026-10-05T02:00:00Z", "2026-10-05T02:40:00Z"),
      span("2026-10-06T02:05:00Z", "2026-10-06T02:30:00Z"),
      span("2026-10-07T02:00:00Z", "2026-10-07T02:41:00Z") }, observed)
    assert.equal("every night 02:00-02:41 UTC (3 of 3 nights)", r.text)
    assert.is_true(r.daily)
    assert.matches("%-%-window 02:00%+41m", nightly.verify("x", r))
  end)

  it("does not make a habit of one night, nor of scattered hours", function()
    local one = nightly.describe(case_in(0),
      { span("2026-10-05T02:00:00Z", "2026-10-05T02:40:00Z") },
      observed)
    assert.is_false(one.daily)
    local scattered = nightly.describe(case_in(0), {
      span("2026-10-05T02:00:00Z", "2026-10-05T02:40:00Z"),
      span("2026-10-06T15:00:00Z", "2026-10-06T15:30:00Z") }, observed)
    assert.is_false(scattered.daily)
  end)

  it("counts the nights on which it could have been seen", function()
    local r = nightly.describe(case_in(0), { span("2026-10-05T02:00:00Z", "2026-10-05T02:40:00Z"),
      span("2026-10-07T02:00:00Z", "2026-10-07T02:40:00Z") }, observed)
    assert.equal(3, r.of)
    assert.equal(2, r.days)
  end)
end)

--- Events of a recording of a real HBase, against what was counted by other means. The recordings
-- are not part of the project; where they are not beside it, this is skipped and says so.
local case = require "hbdx.case"
local events = require "hbdx.events"
local import = require "hbdx.import"
local summary = require "hbdx.events.summary"
local sys = require "hbdx.core.sys"

local SHARED = (sys.getenv "HBDX_SHARED" or sys.home() .. "/../shared") .. "/captures"

describe("hbdx events on a recorded stall", function()
  if not sys.stat(SHARED) then
    pending("the recordings are not beside the project")
    return
  end

  it("counts exactly", function()
    local c = case.wrap(assert((import.open({ SHARED .. "/flush-stall-2.5.8" }, {}))), "capture")
    local d = summary.collect(c, assert(events.filter(c, {})))
    assert.equal(421, d.flushes.count)
    assert.equal(121, d.n.flush_delayed)
    assert.equal(4795, d.stalls.refused)
    assert.equal(198, d.compactions.count)
    assert.equal(415, d.flushes.causes.size.count)
    assert.equal(2, d.flushes.causes.periodic.count)
    assert.equal(4, d.flushes.causes.close.count)
    assert.equal(4, #d.stalls.groups)
    local n, last = 0, 0
    for e in events.each(c, assert(events.filter(c, { kind = "region_too_busy" }))) do
      assert.is_true(e.t_ms >= last)
      n, last = n + 1, e.t_ms
    end
    assert.equal(4795, n)
    c:close()
  end)
end)

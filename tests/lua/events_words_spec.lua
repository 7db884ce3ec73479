--- The fields of events in words: what they are of, and no more precision than the source has.
local words = require "hbdx.events.words"

describe("the words of an event", function()
  it("do not give the sum of collections to the longest collector", function()
    local f = { pause_ms = 49738, gc = "ParNew", gc_ms = 50064, gc_count = 2 }
    assert.equal("pause 49.7 s, longest gc ParNew, all gc 50.1 s, gc count 2", words.of("pause", f))
  end)

  it("say of whole seconds that none is less than one", function()
    assert.equal("took under 1 s", words.of("compaction_finished", { took_ms = 0 }))
    assert.equal("took 2 s", words.of("compaction_finished", { took_ms = 2000 }))
    assert.equal("took 0 ms", words.of("flush_finished", { took_ms = 0 }))
    local fold = {}
    for _, ms in ipairs { 0, 3000 } do words.add(fold, { took_ms = ms }) end
    assert.equal("took under 1 s to 3 s", words.folded("region_split", fold))
  end)
end)

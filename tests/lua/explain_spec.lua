--- hbdx explain: every name has its page, and every page points at names that have one.
local doc = require "hbdx.amp.doc"
local eventdoc = require "hbdx.eventdoc"
local explain = require "hbdx.explain"
local glossary = require "hbdx.glossary"
local metric = require "hbdx.metric"
local setting = require "hbdx.setting"

local function page(name)
  local text = explain.text(name)
  assert.truthy(text, "no page for " .. name)
  return text
end

local function has(text, ...)
  for _, part in ipairs { ... } do
    assert.truthy(text:find(part, 1, true), ("no %q in\n%s"):format(part, text))
  end
end

describe("explain", function()
  it("knows metrics, by our name and by HBase's", function()
    has(page("cache.evictions"), "blockCacheEvictionCount", "counter", "when the process starts")
    has(page("blockCacheEvictionCount"), "cache.evictions")
    has(page("readRequestCount"), "read.requests", "table.read_requests", "falls when one leaves")
    has(page("Get_75th_percentile"), "get.p99", "Get_75th_percentile")
    has(page("numCallsInGeneralQueue"), "ipc.queue_general")
  end)

  it("knows words as reports show them, and playbooks", function()
    has(page("ruled out"), "ruled_out", "A verdict")
    has(page("write-active regions"), "write-active region")
    has(page("cache-eviction"), "A playbook: ", "hbdx playbook show")
    has(page("else"), "at other times")
    has(page("responseTooSlow"), "hbase.ipc.warn.response.time")
  end)

  it("knows settings, older names, and what ends with the name", function()
    has(page("hbase.hstore.blockingStoreFiles"), "10, from 2.0 on 16")
    has(page("hbase.hstore.compactionThreshold"), "hbase.hstore.compaction.min", "an older name")
    has(page("hbase.regionserver.global.memstore.lowerLimit"), "part of the heap")
    has(page("blockingStoreFiles"), "hbase.hstore.blockingStoreFiles")
    has(page("hbase.hregion.memstore.flush.size"), "128 MiB", "MEMSTORE_FLUSHSIZE")
  end)

  it("knows events, verdicts, words and amp", function()
    has(page("flush_delayed"), "event", "hbase.hstore.blockingStoreFiles")
    has(page("cannot_tell"), "missing")
    has(page("flush floor"), "0.95")
    has(page("amp.get_cost"), "files_with_row", "example", "disk_reads")
    has(page("get_cost"), "amp.get_cost")
  end)

  it("knows what stands in the output of events and slowlog", function()
    for _, word in ipairs { "slow_call", "SLOW_CALL", "rank", "of time", "calls", "processing",
      "queue", "response", "seen", "by hour", "longest", "may lack", "p50", "p95", "shape", "new",
      "worse", "better", "gone", "cause", "periodic (old edit)", "global pressure, lower mark",
      "memstore size", "WAL count", "max edits", "major", "throughput", "in queue", "throttled",
      "delayed", "refused", "blocked", "how long", "compacted", "slow syncs", "SLOW SYNCS",
      "flushes", "pauses", "compactions", "stalls", "failures", "DataNode", "absent", "stopped",
      "kind", "took_ms", "proc_ms" } do
      assert.truthy((explain.text(word)), word)
    end
    assert.matches("in milliseconds", page "proc_ms")
    assert.matches("slow_call", page "proc_ms")
    for _, name in ipairs(eventdoc.names()) do
      for _, field in ipairs(eventdoc.get(name).fields) do assert.truthy((page(field)), field) end
    end
    assert.matches("flush_finished", page "event")
  end)

  it("does not mind letter case and blanks around", function()
    has(page(" STOREFILECOUNT "), "store.files")
  end)

  it("has a page of at most 80 columns for everything", function()
    for _, name in ipairs(explain.names()) do
      for line in page(name):gmatch("[^\n]+") do
        assert.is_true(#line <= 80, ("%s: %d columns: %s"):format(name, #line, line))
      end
    end
  end)

  it("points at nothing that is not there", function()
    local function check(owner, list)
      for _, name in ipairs(list) do
        local known = metric.get(name) or setting.get(name) or eventdoc.get(name)
          or glossary[name] or doc[name:match("^amp%.(.*)$") or ""]
        assert.truthy(known, ("%s sees %s"):format(owner, name))
      end
    end
    for _, name in ipairs(metric.names()) do check(name, metric.get(name).see) end
    for _, name in ipairs(setting.names()) do
      check(name, (setting.get(name) or setting.older(name)).see)
    end
    for _, name in ipairs(eventdoc.names()) do check(name, eventdoc.get(name).see) end
    for name, entry in pairs(glossary) do check(name, { table.unpack(entry, 2) }) end
    for name, entry in pairs(doc) do
      for _, param in ipairs(entry.params) do check("amp." .. name, { param.setting }) end
    end
  end)

  it("suggests what was perhaps meant", function()
    local text, near = explain.text("cache.evictons")
    assert.is_nil(text)
    assert.equal("cache.evictions", near[1])
    local _, held = explain.text("compaction.mi")
    assert.truthy(table.concat(held, " "):find("hbase.hstore.compaction.min", 1, true))
    local _, none = explain.text("qqqqqqqq")
    assert.same({}, none)
  end)
end)

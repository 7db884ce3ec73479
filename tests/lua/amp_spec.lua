--- amp as a playbook or the shell sees it: sizes as text, defaults, misuse, and what is unknown.
local amp = require "hbdx.amp"
local value = require "hbdx.value"
local version = require "hbdx.version"

local GIB <const> = 1 << 30

describe("amp", function()
  it("computes the heap of the brief", function()
    local h = assert(amp.heap { heap = "32g", active_regions = 200 })
    assert.equal(13743895347, h.memstore_global_bytes)
    assert.equal(13056700579, h.flush_floor_bytes)
    assert.equal(25 * GIB, h.wanted_bytes)
    assert.equal(65283502, h.avg_flush_bytes)
    assert.equal(97, h.regions_at_full_flush)
    assert.is_false(h.over_heap_rule)
    assert.is_true(amp.heap { heap = "32g", memstore = 0.5 }.over_heap_rule)
  end)

  it("says how many regions fit, and what memstore a number of regions needs", function()
    assert.equal(97, amp.regions_for { heap = "32g" })
    assert.equal(121, amp.regions_for { heap = 32 * GIB, memstore = 0.5 })
    local need = assert(amp.memstore_needed { regions = 110, heap = "32g" })
    assert.equal(need.memstore_bytes, math.ceil(110 * 128 * 2 ^ 20 / 0.95))
    assert.is_true(need.memstore_fraction > 0.45 and need.memstore_fraction < 0.46 and need.fits)
    local back = amp.regions_for { heap = "32g", memstore = need.memstore_fraction }
    assert.equal(110, back)
    assert.is_false(amp.memstore_needed { regions = 300, heap = "32g" }.fits)
    assert.is_nil(amp.memstore_needed { regions = 10 }.memstore_fraction)
  end)

  it("computes Gets, rows, queues, WALs and compaction", function()
    local get = amp.get_cost { files = 16, files_with_row = 2, cache_hit = 0.9 }
    assert.equal("2.14 0.214 16 1.6", ("%.2f %.3f %g %.1f"):format(get.data_blocks,
      get.disk_reads, get.data_blocks_no_bloom, get.disk_reads_no_bloom))
    local rows = amp.rows { scanned = 53000, returned = 60, live = 43000 }
    assert.is_true(rows.amplification > 883 and rows.amplification < 884)
    assert.is_nil(rows.filtered_share)
    local q = amp.queues { handlers = 60, read_ratio = 0.6, scan_ratio = 0.3 }
    assert.same({ queues = 3, handlers = 26, per_queue_min = 8, per_queue_max = 9 }, q.read)
    assert.is_false(amp.queues { handlers = 10, read_ratio = 0.5, version = "1.3.6" }.split)
    local wals = amp.wals { memstore = "50g", blocksize = "256m" }
    assert.equal(210, wals.wals_to_hold_memstore)
    assert.equal(800, wals.hbase_maxlogs)
    wals = amp.wals { memstore = "50g", blocksize = "256m", version = "1.4" }
    assert.equal(421, wals.hbase_maxlogs)
    local pressure = amp.compaction_pressure { files = 12 }
    assert.is_true(math.abs(amp.compaction_throughput { pressure = pressure } - 88725661.5) < 1)
    assert.equal(math.huge, amp.compaction_throughput { pressure = 1.1 })
  end)

  it("raises on misuse and names the argument", function()
    for word, call in pairs {
      ["heap is missing"] = function() amp.heap {} end,
      ["table of arguments"] = function() amp.heap(32) end,
      ["no argument size"] = function() amp.heap { heap = "1g", size = 1 } end,
      ["heap: a size"] = function() amp.heap { heap = "32x" } end,
      ["cache: it must be from 0 to 1"] = function() amp.heap { heap = "1g", cache = 40 } end,
      ["version: a version"] = function() amp.queues { version = "two" } end,
    } do
      local ok, message = pcall(call)
      assert.is_false(ok)
      assert.truthy(message:find(word, 1, true), message)
      assert.truthy(message:find("amp_spec", 1, true), "blames the caller: " .. message)
    end
  end)

  it("returns nil, message, code for what cannot be computed", function()
    local out, message, code = amp.get_cost { files = 3, files_with_row = 5, cache_hit = 0.9 }
    assert.is_nil(out)
    assert.truthy(message:find("files_with_row", 1, true))
    assert.equal("range", code)
  end)

  it("documents every function, and documents no other", function()
    for name, f in pairs(amp) do
      if type(f) == "function" then
        local doc = assert(amp.doc[name], name .. " has no doc")
        assert.truthy(doc.summary and doc.source and doc.example and #doc.returns > 0, name)
        for _, param in ipairs(doc.params) do assert.truthy(param.help, name) end
      end
    end
    for name, doc in pairs(amp.doc) do
      assert.equal("function", type(amp[name]), name)
      assert.truthy(load("local amp = ... return " .. doc.example))(amp)
    end
  end)
end)

describe("a size", function()
  it("is read with binary units and whole bytes", function()
    for text, bytes in pairs { ["32g"] = 32 * GIB, ["256m"] = 256 << 20, ["128MiB"] = 128 << 20,
      ["13.75g"] = 14763950080, ["4096"] = 4096, ["1 KB"] = 1024, ["0.1k"] = 102, ["2T"] = 2 << 40,
      [" 7b "] = 7 } do
      assert.equal(bytes, value.size(text), text)
    end
    for _, text in ipairs { "", "g", "-1g", "1gg", "1.2.3g", "1e400", "9p", "nan", "0x10" } do
      local n, message = value.size(text)
      assert.is_nil(n, text)
      assert.is_string(message)
    end
  end)

  it("is shown with the digits that tell", function()
    for bytes, text in pairs { [13743895347] = "12.8 GiB", [13056700579] = "12.16 GiB",
      [25 * GIB] = "25.0 GiB", [65283502] = "62 MiB", [0] = "0 B", [1536] = "1.5 KiB",
      [16320875724] = "15.2 GiB", [14763950080] = "13.75 GiB" } do
      assert.equal(text, value.size_text(bytes))
    end
  end)
end)

describe("a version", function()
  it("is read from what HBase and its vendors write", function()
    for text, number in pairs { ["2.5.8"] = 205, ["1.4"] = 104, ["3.0.0-alpha-4"] = 300,
      ["2.1.0-cdh6.3.2"] = 201, ["1.1.2.2.6.5.0-292"] = 101, ["0.94.27"] = 94 } do
      assert.equal(number, assert(version.parse(text), text).number)
    end
    for _, text in ipairs { "", "two", "2", "2.5;8", "20.1", "-" } do
      assert.is_nil(version.parse(text), text)
    end
  end)

  it("knows that branches go on side by side", function()
    local function since(v, releases) return version.since(version.parse(v), releases) end
    local list = "2.4.14 2.5.1 2.6"
    assert.is_true(since("2.4.17", list))
    assert.is_false(since("2.5.0", list))
    assert.is_true(since("2.5.8", list))
    assert.is_true(since("2.6.0", list))
    assert.is_true(since("3.0.0-alpha-4", list))
    assert.is_false(since("2.3.7", list))
    assert.is_false(since("2.0.6", "1.7 2.3"))
    assert.is_true(since("1.7.2", "1.7 2.3"))
    assert.is_false(since("3.0.0-alpha-4", "3.0.0"))
    assert.is_true(since("3.0.0-alpha-4", "3.0"))
    assert.is_true(since("2.5", "2.5.6"))
    assert.is_true(since("0.94.1", nil))
  end)
end)

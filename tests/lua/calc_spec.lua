--- hbdx calc, as a person or a script runs it.
local calc = require "hbdx.calc"

--- Runs `hbdx calc WORDS` inside this process: its exit status, stdout and stderr.
local function run(words)
  local argv, out, err = {}, {}, {}
  for word in words:gmatch("%S+") do argv[#argv + 1] = word end
  local function into(list)
    return { write = function(self, ...)
      for _, s in ipairs { ... } do list[#list + 1] = s end
      return self
    end }
  end
  local stdout, stderr = io.stdout, io.stderr
  io.stdout, io.stderr = into(out), into(err) -- luacheck: ignore
  local ok, status = pcall(calc.main, argv)
  io.stdout, io.stderr = stdout, stderr -- luacheck: ignore
  assert(ok, status)
  return status, table.concat(out), table.concat(err)
end

local function json_of(words)
  local status, out, err = run(words .. " --format json")
  assert.equal(0, status, err)
  return assert(require("hbdx.core.json").decode(out))
end

local function has(text, ...)
  for _, part in ipairs { ... } do
    assert.truthy(text:find(part, 1, true), ("no %q in\n%s"):format(part, text))
  end
end

local HEAP <const> = "heap --heap 32g --active-regions 200"
local GET <const> = "get --files 3,8,16 --files-with-row 2 --bloom-fp 0.01 --cache-hit 0.9"
local QUEUES <const> = "queues --handlers 60 --factor 0.1 --read-ratio 0.6 --scan-ratio 0.3"
local WAL <const> = "wal --memstore 50g --wal-blocksize 256m"

describe("hbdx calc heap", function()
  it("says the figures with their settings", function()
    local status, out, err = run(HEAP)
    assert.equal(0, status)
    assert.equal("", err)
    has(out, "12.8 GiB", "12.16 GiB", "25.0 GiB", "62 MiB", " 97 ",
      "hbase.regionserver.global.memstore.size.lower.limit", "hfile.block.cache.size",
      "hbase.hregion.memstore.flush.size", "2.1 times as many files")
  end)

  it("gives the same as JSON, in whole bytes", function()
    assert.same({ schema_version = 1, memstore_global_bytes = 13743895347,
      flush_floor_bytes = 13056700579, wanted_bytes = 26843545600, avg_flush_bytes = 65283502,
      regions_at_full_flush = 97 }, json_of(HEAP))
  end)

  it("has no wanted size when nobody says how many regions take writes", function()
    local _, out = run("heap --heap 32g --format json")
    has(out, '"wanted_bytes"', "null", '"regions_at_full_flush"')
    local _, text = run("heap --heap 32g")
    has(text, "--active-regions")
    assert.is_nil(text:find("wanted", 1, true))
  end)

  it("refuses what HBase refuses to start with", function()
    local status, out, err = run("heap --heap 32g --memstore 0.5")
    assert.equal(2, status)
    assert.equal("", out)
    has(err, "refuse to start", "0.8")
    assert.equal(0, (run("heap --heap 32g --memstore 0.5 --cache 0.3")))
    assert.equal(2, (run("heap --heap 32g --memstore 0.51 --cache 0.3")))
    assert.equal(0, (run("heap --heap 32g --memstore 0.45 --cache 0.359")))
  end)

  it("takes an option by the setting's name too", function()
    local status, out = run("heap --heap=32g --hbase.regionserver.global.memstore.size=0.5 "
      .. "--hfile.block.cache.size 0.3 --active-regions 110")
    assert.equal(0, status)
    has(out, "15.2 GiB", "13.75 GiB", " 121 ")
  end)
end)

describe("hbdx calc get", function()
  it("shows every number of files", function()
    local status, out = run(GET)
    assert.equal(0, status)
    has(out, "2.01", "2.06", "2.14", "0.201", "0.206", "0.214", "0.3", "0.8", "1.6")
  end)

  it("gives the same as JSON", function()
    local json = json_of(GET)
    assert.same({ "rows", "schema_version" }, (function()
      local keys = {}
      for key in pairs(json) do keys[#keys + 1] = key end
      table.sort(keys)
      return keys
    end)())
    assert.same({ files = 16, data_blocks = 2.14, disk_reads = 0.214, data_blocks_no_bloom = 16,
      disk_reads_no_bloom = 1.6 }, json.rows[3])
    assert.equal(3, #json.rows)
  end)
end)

describe("hbdx calc queues", function()
  it("shows queues, handlers, and handlers a queue", function()
    local status, out = run(QUEUES)
    assert.equal(0, status)
    assert.truthy(out:find("write +2 +24 +12"))
    assert.truthy(out:find("read %(get%) +3 +26 +8 or 9"))
    assert.truthy(out:find("scan +1 +10 +10"))
  end)

  it("gives the same as JSON", function()
    assert.same({ schema_version = 1, queues = { total = 6, write = 2, read = 3, scan = 1 },
      handlers = { write = 24, read = 26, scan = 10 } }, json_of(QUEUES))
  end)

  it("warns of what a split does badly", function()
    local _, old = run("queues --handlers 30 --read-ratio 0.5 --scan-ratio 0.3 --hbase 2.3")
    has(old, "4 handlers are taken", "no queue")
    local _, none = run("queues --scan-ratio 0.3")
    has(none, "does nothing without a split")
    local _, all = run("queues --read-ratio 0.5 --scan-ratio 1")
    has(all, "a read queue has no handler")
  end)
end)

describe("hbdx calc wal", function()
  it("says what holds a memstore, and what HBase would take", function()
    local status, out = run(WAL)
    assert.equal(0, status)
    has(out, " 210 ", " 800 ", "hbase.regionserver.hlog.blocksize",
      "at 0.5 of its block: 400 of")
    assert.same({ schema_version = 1, wals_to_hold_memstore = 210, hbase_maxlogs = 800 },
      json_of(WAL))
    assert.equal(421, json_of(WAL .. " --hbase 1.4").hbase_maxlogs)
    assert.equal(252, json_of("wal --memstore 60g --wal-blocksize 256m").wals_to_hold_memstore)
    local _, small = run(WAL .. " --hbase 1.1.13")
    has(small, " 32 ", "before the memstore is full")
  end)
end)

describe("hbdx calc", function()
  it("names the option that is wrong, and says what is right", function()
    for words, parts in pairs {
      ["heap"] = { "--heap is missing" },
      ["heap --heap x"] = { "--heap x", "a size such as 32g" },
      ["heap --heap -1g"] = { "--heap -1g" },
      ["heap --heap"] = { "--heap" },
      ["heap --heap 32g --cache 40"] = { "--cache 40", "from 0 to 1" },
      ["heap --heap 32g --active-regions 1.5"] = { "--active-regions 1.5", "whole number" },
      ["heap --heap 32g --active-regions 9999999999"] = { "--active-regions is 9999999999" },
      ["heap --hep 32g"] = { "--hep", "--heap" },
      ["heap --heap 32g extra"] = { "extra" },
      ["heap --heap 32"] = { "--heap 32", "32 bytes; write 32g or 32m" },
      ["heap --heap 32g --format xml"] = { "--format", "xml" },
      ["get --files 3,a --files-with-row 1 --cache-hit 0.9"] = { "--files 3,a" },
      ["get --files 3 --files-with-row 5 --cache-hit 0.9"] = { "--files-with-row is 5", "--files" },
      ["heap --heap 32g --memstore 0"] = { "--memstore 0", "above 0" },
      ["heap --heap 32g --lower-limit 0"] = { "--lower-limit 0", "above 0" },
      ["heap --heap 32g --offheap-memstore 9g --hbase 1.4"] = { "HBase 2.0" },
      ["queues --hbase two"] = { "--hbase two", "version" },
      ["wal --memstore 50g --wal-blocksize 0"] = { "--wal-blocksize is 0" },
      ["nothing"] = { "nothing", "heap|get|queues|wal" },
      ["heep"] = { "did you mean heap?" },
    } do
      local status, out, err = run(words)
      assert.equal(2, status, words)
      assert.equal("", out, words)
      has(err, table.unpack(parts))
    end
  end)

  it("fits 80 columns, and its help has every option", function()
    for _, words in ipairs { HEAP, GET, QUEUES, WAL, "queues", "--help",
      "heap --help", "get --help", "queues --help", "wal --help",
      HEAP .. " --offheap-memstore 40g --hbase 2.6" } do
      local _, out = run(words)
      for line in out:gmatch("[^\n]+") do assert.is_true(#line <= 80, line) end
    end
    for _, name in ipairs(calc.names) do
      local status, out = run(name .. " --help")
      assert.equal(0, status)
      for _, option in ipairs(calc.commands[name].options) do has(out, "--" .. option.name) end
    end
  end)

  it("can be called without a command line", function()
    local heap = calc.commands.heap
    local values = assert(calc.values(heap, { heap = "32g", ["active-regions"] = "200" }))
    local result, text = heap.run(values, heap)
    assert.equal(97, result.regions_at_full_flush)
    has(text, "12.16 GiB")
  end)
end)

--- The metric dictionary: complete, consistent, and spelled as real HBase versions spell it.
local metric = require "hbdx.metric"
local version = require "hbdx.version"

local KINDS = { counter = true, gauge = true, percentile = true, lifetime_percent = true }
local UNITS = { percent = true, ratio = true, bytes = true, ms = true, count = true, per_s = true }
local RESETS = { process = true, regions = true, region = true, snapshot = true, flush = true,
  master = true, never = true }

-- What playbooks and the brief name: a rename breaks them.
local PROMISED = [[
  cache.hits_caching cache.misses_caching cache.hits cache.misses cache.evictions
  cache.express_hit_percent cache.hit_percent cache.size cache.free cache.count
  cache.failed_insertions store.files store.count store.max_files store.size region.count
  memstore.size memstore.heap_size flush.queue flush.output_bytes flush.count
  flush.memstore_bytes compaction.queue compaction.input_bytes compaction.output_bytes
  compaction.major_output_bytes compaction.count write.blocked_requests write.blocked_ms
  write.requests read.requests read.filtered requests.total rpc.get rpc.scan rpc.full_scan
  rpc.multi rpc.mutate get.ops get.p99 get.mean get.max scan.ops scan.p99 scan.size_mean put.p99
  putbatch.p99 ipc.active_handlers ipc.active_general_handlers ipc.queue_general ipc.queue_read
  ipc.queue_write ipc.queue_scan ipc.queue_priority ipc.queue_bytes ipc.queue_time_mean
  ipc.queue_time_p99 ipc.queue_time_max ipc.queue_time_ops ipc.process_time_mean
  ipc.process_time_p99 ipc.total_time_p99 ipc.exceptions ipc.region_too_busy ipc.queue_too_big
  wal.files wal.size wal.sync_p99 wal.slow_appends heap.used heap.max gc.time_ms gc.count
  pause.warn pause.info hdfs.local_percent region.store_files region.memstore
  region.write_requests table.read_requests table.write_requests table.store_files ]]

describe("the metric dictionary", function()
  it("has every name that was promised", function()
    for name in PROMISED:gmatch("%S+") do assert.truthy(metric.get(name), name) end
    assert.is_nil(metric.get("cache.hit"))
  end)

  it("says of each what it is, in known words", function()
    for _, name in ipairs(metric.names()) do
      local m = metric.get(name)
      assert.equal(name, m.name)
      assert.truthy(KINDS[m.kind], name .. " kind")
      assert.truthy(UNITS[m.unit], name .. " unit")
      assert.truthy(RESETS[m.reset], name .. " reset")
      assert.truthy(m.what and m.moves and #m.spellings > 0, name)
      assert.equal(m.region_sum, m.reset == "regions", name)
      assert.truthy(not m.region_sum or m.kind == "counter", name)
      for _, s in ipairs(m.spellings) do
        assert.truthy(s.bean and s.name, name)
        for word in ((s.since or "") .. " " .. (s.until_ or "")):gmatch("%S+") do
          assert.truthy(version.parse(word), name .. " " .. word)
        end
      end
    end
  end)

  it("marks the sums over regions, which fall when a region leaves", function()
    for _, name in ipairs { "read.requests", "write.requests", "write.blocked_requests",
      "read.filtered", "flush.cells_bytes", "bloom.requests" } do
      assert.is_true(metric.get(name).region_sum, name)
    end
    for _, name in ipairs { "cache.evictions", "rpc.get", "flush.output_bytes" } do
      assert.is_false(metric.get(name).region_sum, name)
    end
  end)

  it("finds a metric by HBase's own name", function()
    assert.equal("cache.evictions", metric.spelled("blockCacheEvictionCount")[1].name)
    assert.equal("cache.evictions", metric.spelled("BLOCKCACHEEVICTIONCOUNT")[1].name)
    assert.equal("put.p99", metric.spelled("Mutate_99th_percentile")[1].name)
    assert.same({}, metric.spelled("noSuchThing"))
    local names = {}
    for i, m in ipairs(metric.spelled("storeFileCount")) do names[i] = m.name end
    assert.same({ "region.store_files", "store.files", "table.store_files" }, names)
  end)

  it("keeps our unit where an older spelling has another", function()
    local m = metric.get("memstore.size")
    assert.is_nil(m.spellings[1].scale)
    assert.equal("memstoreSizeMB", m.spellings[2].name)
    assert.equal(1048576, m.spellings[2].scale)
  end)
end)

-- Against the attributes that nine real versions showed.
local function table_of(path)
  local f = io.open(path)
  if not f then return nil end
  local columns, beans = {}, {}
  for line in f:lines() do
    local cells = {}
    for cell in (line .. "\t"):gmatch("([^\t]*)\t") do cells[#cells + 1] = cell end
    if line:sub(1, 1) == "#" then
      for i = 3, #cells do columns[i] = version.parse(cells[i]) end
    else
      local at = beans[cells[1]] or { has = {}, seen = {} }
      beans[cells[1]] = at
      at.has[cells[2]] = cells
      for i in pairs(columns) do at.seen[i] = at.seen[i] or (cells[i] or "") ~= "" end
    end
  end
  f:close()
  return { columns = columns, beans = beans }
end

local HBASE <const> = "Hadoop:service=HBase,name="

local function object_name(bean)
  if bean == "RegionServer.TableRequests" then bean = bean .. "_Namespace_*_table_*" end
  if bean:find(":", 1, true) then return bean end
  return HBASE .. bean:gsub("^(%a+)%.", "%1,sub=")
end

local PREFIX = { ["RegionServer.Regions"] = "Namespace_*_table_*_region_*_metric_",
  ["RegionServer.Tables"] = "Namespace_*_table_*_metric_",
  ["RegionServer.TableLatencies"] = "Namespace_*_table_*_metric_" }

local function attribute(s)
  return (PREFIX[s.bean] or "") .. (s.bean:find("^java") and s.name:match("^[^.]+") or s.name)
end

--- The same attribute may have been there, gone, and come back.
local function expected(m, s, v)
  for _, other in ipairs(m.spellings) do
    if other.bean == s.bean and other.name == s.name and metric.in_version(other, v) then
      return true
    end
  end
  return false
end

local function mismatches(real)
  local wrong, checked = {}, 0
  for _, name in ipairs(metric.names()) do
    for _, s in ipairs(metric.get(name).spellings) do
      local bean = real.beans[object_name(s.bean)]
      for i, v in pairs(bean and real.columns or {}) do
        local row = bean.has[attribute(s)]
        local there, should = (row and row[i] or "") ~= "", expected(metric.get(name), s, v)
        checked = checked + 1
        if bean.seen[i] and there ~= should and not (s.on_use and should) then
          wrong[#wrong + 1] = ("%s: %s %s in %s: %s"):format(name, s.bean, s.name, v.text,
            there and "there, not expected" or "expected, not there")
        end
      end
    end
  end
  return wrong, checked
end

describe("the spellings", function()
  local shared = os.getenv("HBDX_SHARED") or "../shared"
  local real = table_of(shared .. "/reference/jmx-attributes.tsv")
  it("are those of nine real versions", function()
    if not real then
      pending("no table of real attributes in " .. shared)
      return
    end
    local wrong, checked = mismatches(real)
    assert.is_true(checked > 2000)
    assert.equal("", table.concat(wrong, "\n"))
  end)
end)

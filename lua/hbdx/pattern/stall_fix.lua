--- What to do about stalled writes, computed for this cluster: the memstore's share and the regions
-- that fit, or settings that are lower than HBase's own, and what not to touch.
local amp = require "hbdx.amp"
local setting = require "hbdx.setting"
local snippet = require "hbdx.pattern.snippet"
local room = require "hbdx.pattern.stall_room"
local stall = require "hbdx.pattern.stall"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

local fix = {}

local QUEUES = { { "flush.queue", "flushes queued" }, { "compaction.queue", "compactions queued" },
  { "ipc.queue_write", "write calls waiting" } }

local function number(case, name)
  local s = case:setting(name)
  return s and tonumber(s.value), s
end

--- The heap as the model sees it with the cluster's settings; nil when the heap or a setting is
-- unknown.
---@param case hbdx.Case
---@param heap number? bytes
---@param regions integer? write-active
---@param flush_size number? bytes
---@return table? model of amp.heap
function fix.model(case, heap, regions, flush_size)
  local memstore = number(case, "hbase.regionserver.global.memstore.size")
  local lower = number(case, "hbase.regionserver.global.memstore.size.lower.limit")
  local cache = number(case, "hfile.block.cache.size")
  if not (heap and memstore and lower and cache and flush_size) then return nil end
  local model = amp.heap { heap = math.floor(heap), memstore = memstore, lower_limit = lower,
    cache = cache, flush_size = math.floor(flush_size), active_regions = regions or 0 }
  if model then model.flush_size = flush_size end
  return model
end

-- About nine tenths of what fits, in tens: room for a region that grows.
local function comfortable(fits)
  if fits < 20 then return fits end
  return math.max(10, (fits * 9 // 10 + 5) // 10 * 10)
end

local function share_fixes(heap, model)
  local half = amp.heap { heap = math.floor(heap), memstore = 0.5, cache = 0.3, active_regions = 0,
                          flush_size = math.tointeger(model.flush_size) }
  if not half then return {} end
  local n = comfortable(half.regions_at_full_flush)
  return {
    { what = "move data blocks off the heap and give the memstore half of it (restart)",
      snippet = snippet.properties("hbase.bucketcache.ioengine", "offheap",
        "hbase.bucketcache.size", ("%d"):format(model.block_cache_bytes >> 20),
          "hfile.block.cache.size", "0.3",
        "hbase.regionserver.global.memstore.size", "0.5"),
      why =
        "flushes are then forced later, so files are larger and fewer; the on-heap cache must go "
         .. "down to 0.3 or less, or HBase refuses to start (memstore + cache over 0.8)",
      expected =
        ("flushes forced above %s instead of %s"):format(units.bytes(half.flush_floor_bytes),
        units.bytes(model.flush_floor_bytes)),
      risk = "the size is that of the on-heap cache now, in MB; that much memory must exist beside "
          .. "the heap (-XX:MaxDirectMemorySize)" },
    { what = ("merge regions until about %d a server take writes"):format(n),
      snippet = "merge_region 'ENCODED_A', 'ENCODED_B'",
      why = "each write-active region then reaches its full flush size before global pressure",
      expected = ("%d x %s = %s, under the floor of %s"):format(n, units.bytes(model.flush_size),
        units.bytes(n * model.flush_size), units.bytes(half.flush_floor_bytes)),
      risk = "merging moves and compacts regions: off-peak, a few at a time" },
  }
end

-- Settings that make stalls by themselves when they are under HBase's own default, by effect.
local LOW = {
  { "hbase.hregion.memstore.flush.size", "fewer, larger files per minute: less to compact" },
  { "hbase.hstore.blockingStoreFiles",
    "flushes wait later; this only returns to HBase's own value" },
  { "hbase.hregion.memstore.block.multiplier", "a burst is refused later" },
}

local function raise(name, default, what, why)
  return { what = ("%s %s, under HBase's own %d"):format(name, what, default),
    snippet = snippet.properties(name, ("%d"):format(default)), why = why,
    risk = "regions must be reopened or the server restarted for it to count" }
end

-- A limit that no configuration tells, but a flush that waited does: it is less than its files.
local function low_limit(s, name, default, why)
  local most = stall.limit_at_most(s)
  if name == "hbase.hstore.blockingStoreFiles" and most and most < default then
    return raise(name, default, ("is %d or less there (a flush waited at %d files)"):format(most,
      most + 1), why)
  end
end

local function low_settings(case, s)
  local list = {}
  for _, low in ipairs(LOW) do
    local name, why = low[1], low[2]
    local value, told = number(case, name)
    local default = tonumber((setting.default(name, (case:version()))))
    if value and default and told.assumed then
      list[#list + 1] = low_limit(s, name, default, why)
    elseif value and default and value < default and not told.is_default then
      list[#list + 1] = raise(name, default, ("is %s (%s)"):format(told.text, told.origin), why)
    end
  end
  return list
end

local function throughput(case)
  local upper, s = number(case, "hbase.hstore.compaction.throughput.higher.bound")
  if not upper then return nil end
  return { what = "let compaction keep pace during the burst",
    snippet = snippet.properties("hbase.hstore.compaction.throughput.higher.bound",
      ("%d"):format(2 * upper)),
    why = ("the limit is %s/s now (%s); compaction is what lets flushes go on"):format(
      units.bytes(upper), s.origin),
    expected = ("up to %s/s as stores near the blocking count"):format(units.bytes(2 * upper)),
    risk = "compaction reads compete with cache misses: watch read p99", now = false }
end

-- For refused writes that neither global pressure nor waiting flushes explain.
local function spread(s)
  local region, several
  for _, e in ipairs(s.refusals) do
    several = several or region and e.encoded and e.encoded ~= region
    region = region or e.encoded
  end
  local one = region and not several
  return { what = one and "spread the writes: all that is known to be refused went to one region"
      or "let the writers back off, and spread them over more regions",
    snippet = one and ("split '%s'"):format(region) or nil,
    why = "a region refuses writes above flush size x multiplier, whatever the others do; keys "
       .. "that grow with time, or too few regions, send all writes to one",
    risk = "a split helps only if the keys fall on both sides of it; else salt or hash them" }
end

--- The fixes for a stall.
---@param case hbdx.Case
---@param s hbdx.Stall
---@param t table { heap = bytes?, model = of fix.model?, pressure = global pressure was seen or
--- more regions take writes than fit, held = flushes waited for compactions }
---@return hbdx.Fix[]
function fix.list(case, s, t)
  local list = low_settings(case, s)
  if t.pressure and t.model then
    table.move(share_fixes(t.heap, t.model), 1, 2, #list + 1, list)
  elseif t.pressure then
    list[#list + 1] = { what = "fewer regions that take writes on this server, or a larger heap",
      why = "the memstores of all regions share one part of the heap; once it is full, all "
         .. "writers wait for flushes",
      risk = "merging moves and compacts regions; a heap needs a restart" }
  elseif not t.held then
    list[#list + 1] = spread(s)
  end
  if t.held or t.model then list[#list + 1] = throughput(case) end
  return list
end

--- The numbers of the model, as evidence: the average flush, the regions that write, what fits.
---@param case hbdx.Case
---@param f hbdx.FindingMaker
---@param s hbdx.Stall
---@return number? heap bytes
---@return table? model of fix.model
---@return boolean crowded more regions take writes than fit: by the model, or by small flushes
function fix.numbers(case, f, s)
  local average, n = room.average_flush(s)
  local regions, how, server = room.active_regions(case, s)
  local heap = room.heap_bytes(case, s, server)
  local size, origin = room.flush_size(case, s)
  local model = fix.model(case, heap, regions, size)
  if average then
    f:fact { claim = "average flush", observed = average, unit = "bytes",
      baseline = size, origin = origin and "flush size, " .. origin,
      where = units.plural(n, "flush", "flushes") }
  end
  if regions then
    f:fact { claim = "write-active regions", observed = regions, where = server and server.short,
             origin = how }
  end
  local too_many = model and regions and regions > model.regions_at_full_flush
                   and how ~= "online regions: an upper bound"
  if model and (too_many or #s.pressure + #s.blocks > 0) then
    f:fact { claim = "flushes forced above", observed = model.flush_floor_bytes, unit = "bytes",
             origin = "0.95 of the global memstore, by the model" }
    f:fact { claim = "regions that fit", observed = model.regions_at_full_flush,
             origin = "at full flush size, by the model" }
    if regions and regions > model.regions_at_full_flush then
      f:fact { claim = "average flush, model", observed = model.avg_flush_bytes,
        unit = "bytes" }
    end
  end
  for _, queue in ipairs(QUEUES) do
    local name, words = queue[1], queue[2]
    local v, w = window.worst(s.windows, name)
    if v and v > 0 then
      f:fact { claim = words, observed = v, baseline = window.usual(s.calm, name),
               where = { server = w.server.short, from_ms = w.from_ms, to_ms = w.to_ms } }
    end
  end
  local small = average and size and average < size / 2
  return heap, model, too_many or small and #s.pressure + #s.blocks > 0 or false
end

--- The standing warning.
fix.warning =
  "do not raise hbase.hstore.blockingStoreFiles above HBase's own to hide the stall: writes go "
           .. "on, files pile up, and every read pays"

return fix

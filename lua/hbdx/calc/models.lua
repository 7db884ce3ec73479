--- What each model of `hbdx calc` answers: the result with the keys of its JSON, and the same as
-- text of 80 columns with the settings that the inputs stand for and what to beware of.
local amp = require "hbdx.amp"
local text = require "hbdx.calc.text"
local value = require "hbdx.value"

local models = {}
local size = value.size_text

local function pick(values, names)
  local t = {}
  for _, name in ipairs(names) do t[name] = values[name] end
  return t
end

--- 0.20099999999999998 -> 0.201
local function tidy(n)
  return tonumber(("%.12g"):format(n))
end

local function too_many_regions(v, h, out)
  out:warn(("%d regions take writes and %d can fill their memstore: flushes are forced and "
    .. "small, %.1f times as many files to compact and to read"):format(v.active_regions,
    h.regions_at_full_flush, v.flush_size / (h.avg_flush_bytes * v.families)))
  local need = amp.memstore_needed { regions = v.active_regions, flush_size = v.flush_size,
    lower_limit = v.lower_limit, heap = v.offheap_memstore == 0 and v.heap or nil }
  if need and need.fits ~= false then
    out:note(("so many would need a memstore of %s%s"):format(size(need.memstore_bytes),
      need.fits and (", %.2f of the heap"):format(need.memstore_fraction) or ""))
  else
    out:note("no memstore that HBase allows holds so many: merge regions, or spread them")
  end
end

local function heap_warnings(v, h, out)
  if not v.given.active_regions then
    out:note("with --active-regions N: what an average flush is when N regions take writes")
  elseif v.active_regions > h.regions_at_full_flush then
    too_many_regions(v, h, out)
  end
  if v.offheap_memstore > 0 then
    out:note(("off heap: the limits are of %s; %s of the heap bounds the overhead as well"):format(
      size(v.offheap_memstore), size(v.heap * v.memstore // 1 | 0)))
  end
end

local function heap_refused(v)
  return ("%g for memstores and %g for the block cache is more than 0.8 of the heap: HBase would "
    .. "refuse to start. Lower hbase.regionserver.global.memstore.size or hfile.block.cache.size; "
    .. "an off-heap BucketCache makes up for a smaller block cache"):format(v.memstore, v.cache)
end

--- What HBase would not take as it is written; nil: nothing.
local function heap_misread(v)
  if v.memstore == 0 then
    return "with --memstore 0 HBase takes 0.4 and only warns of it: it must be above 0"
  elseif v.lower_limit == 0 then
    return "--lower-limit 0: flushes would be forced all the time; it must be above 0"
  elseif v.offheap_memstore > 0 and v.version.number < 200 then
    return "an off-heap memstore needs HBase 2.0 or later (--hbase)"
  end
end

function models.heap(v, command)
  local misread = heap_misread(v)
  if misread then return nil, misread end
  local h, message, code = amp.heap(pick(v, { "heap", "memstore", "lower_limit", "cache",
    "flush_size", "active_regions", "families", "offheap_memstore" }))
  if not h then return nil, message, code end
  if h.over_heap_rule then return nil, heap_refused(v) end
  local counted = v.given.active_regions
  local out = text.new(command, v)
  out:result("global memstore", size(h.memstore_global_bytes), "writers block at this size")
  out:result("flushes forced above", size(h.flush_floor_bytes), "the flush floor")
  out:result("block cache", size(h.block_cache_bytes), "on heap")
  if counted then
    out:result("wanted", size(h.wanted_bytes), ("%d regions x %s"):format(v.active_regions,
      size(v.flush_size)))
    out:result("average flush", size(h.avg_flush_bytes), ("of %s"):format(size(v.flush_size)))
  end
  out:result("regions that fit", ("%d"):format(h.regions_at_full_flush),
    "so many flush at their full size")
  heap_warnings(v, h, out)
  local null = require("hbdx.core.json").null
  return { schema_version = 1, memstore_global_bytes = h.memstore_global_bytes,
    flush_floor_bytes = h.flush_floor_bytes, wanted_bytes = counted and h.wanted_bytes or null,
    avg_flush_bytes = counted and h.avg_flush_bytes or null,
    regions_at_full_flush = h.regions_at_full_flush }, tostring(out)
end

function models.get(v, command)
  local rows, out = {}, text.new(command, v)
  out:line(("  %8s %13s %12s %16s %12s"):format("files", "data blocks", "disk reads",
    "no bloom: blocks", "disk reads"))
  for i, files in ipairs(v.files) do
    local get, message, code = amp.get_cost { files = files, files_with_row = v.files_with_row,
      bloom_fp = v.bloom_fp, cache_hit = v.cache_hit }
    if not get then return nil, message, code end
    rows[i] = { files = files }
    for key, n in pairs(get) do rows[i][key] = tidy(n) end
    out:line(("  %8g %13.4g %12.4g %16.4g %12.4g"):format(files, get.data_blocks, get.disk_reads,
      get.data_blocks_no_bloom, get.disk_reads_no_bloom))
  end
  out:note("a model of one store and one row; index blocks count as cached. A scan over a range "
    .. "cannot use a row bloom: it pays as without")
  return { schema_version = 1, rows = rows }, tostring(out)
end

local function share_line(out, name, share)
  local low, high = share.per_queue_min, share.per_queue_max
  out:line(("  %-12s %8d %10d     %s"):format(name, share.queues, share.handlers,
    share.queues == 0 and "-" or low == high and ("%d"):format(low)
    or ("%d or %d"):format(low, high)))
end

local function queue_warnings(v, q, out)
  if not q.split then
    out:note(v.read_ratio > 0 and "this version does not split a single queue"
      or "without a read ratio all calls share all queues")
    if v.scan_ratio > 0 then out:warn("a scan ratio does nothing without a split") end
  elseif v.scan_ratio > 0 and q.scan.queues == 0 then
    out:warn("the scan ratio gives scans no queue: they go with the Gets")
  end
  if q.idle_handlers > 0 then
    out:warn(("%d handlers are taken from the reads and never started (until 2.3)"):format(
      q.idle_handlers))
  end
  for _, name in ipairs { "write", "read", "scan" } do
    local share = q[name]
    if share.queues > 0 and share.per_queue_min == 0 then
      out:warn(("a %s queue has no handler: its calls are never served"):format(name))
    elseif share.queues > 0 and share.per_queue_min < 3 and q.total > 1 then
      out:warn(("%d handlers a %s queue: as many slow calls block all that wait behind"):format(
        share.per_queue_min, name))
    end
  end
  out:note("a handler serves its own queue and no other, also when that is empty")
end

function models.queues(v, command)
  local q, message, code = amp.queues(pick(v, { "handlers", "factor", "read_ratio", "scan_ratio",
    "version" }))
  if not q then return nil, message, code end
  local out = text.new(command, v)
  out:line(("  %-12s %8s %10s     %s"):format("", "queues", "handlers", "handlers a queue"))
  if q.split then
    share_line(out, "write", q.write)
    share_line(out, "read (get)", q.read)
    share_line(out, "scan", q.scan)
  else
    share_line(out, "all calls", q.write)
  end
  out:line(("  %-12s %8d %10d"):format("in all", q.total,
    q.write.handlers + q.read.handlers + q.scan.handlers))
  queue_warnings(v, q, out)
  return { schema_version = 1,
    queues = { total = q.total, write = q.write.queues, read = q.read.queues,
      scan = q.scan.queues },
    handlers = { write = q.write.handlers, read = q.read.handlers, scan = q.scan.handlers } },
    tostring(out)
end

function models.wal(v, command)
  local w, message, code = amp.wals(pick(v, { "memstore", "blocksize", "multiplier", "version" }))
  if not w then return nil, message, code end
  local given = v.multiplier
  local own = given and given > 0 and given or w.hbase_multiplier
  local mine = given and given > 0 and given or 0.95
  local out = text.new(command, v)
  out:result("WALs for the memstore", ("%d"):format(w.wals_to_hold_memstore),
    ("%s / (block of %s x %g)"):format(size(v.memstore), size(v.blocksize), mine))
  out:result("HBase's own maxlogs", ("%d"):format(w.hbase_maxlogs),
    v.version.number < 102 and "always, up to 1.1"
    or ("HBase %s: 2 x memstore / (block x %g)"):format(v.version.branch, own))
  if own ~= mine then
    out:note(("HBase %s by itself rolls a WAL at %g of its block: %d of these hold the memstore")
      :format(v.version.branch, own, v.memstore // (v.blocksize * own)))
  end
  if w.hbase_maxlogs < w.wals_to_hold_memstore then
    out:warn("flushes are forced by the number of WALs before the memstore is full")
  end
  out:note("more WALs to replay make a longer recovery after a crash; regions flush one after the "
    .. "other, so that WALs pin less than a full memstore")
  return { schema_version = 1, wals_to_hold_memstore = w.wals_to_hold_memstore,
    hbase_maxlogs = w.hbase_maxlogs }, tostring(out)
end

return models

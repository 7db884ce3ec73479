--- How the memstore is shared in a stall: the average flush, regions that take writes, the heap.
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

local room = {}

local AFTER_MS = 180000 -- flushes so long behind a stall are those that ended it

local function within(s, e)
  return window.touches(s.spans, e.t_ms)
end

local function mean_flush(s, spans)
  local bytes, n = 0, 0
  for _, e in ipairs(s.flushes) do
    if e.f.data_bytes and window.touches(spans, e.t_ms) then
      bytes, n = bytes + e.f.data_bytes, n + 1
    end
  end
  if n > 0 then return bytes / n, n end
end

--- Average bytes of a flush in the stall: by log lines, else of the flushes that ended it, else by
--- JMX.
---@return number? bytes
---@return integer? flushes
function room.average_flush(s)
  local mean, n = mean_flush(s, s.spans)
  if mean then return mean, n end
  local behind = {}
  for i, span in ipairs(s.spans) do
    behind[i] = { from_ms = span.from_ms, to_ms = span.to_ms + AFTER_MS }
  end
  mean, n = mean_flush(s, behind)
  if mean then return mean, n end
  local out, count = window.sum(s.windows, "flush.output_bytes"), window.sum(s.windows,
    "flush.count")
  if out and count and count > 0 then return out / count, count end
end

local function distinct_regions(s, server_id)
  local seen, n = {}, 0
  for _, events in ipairs { s.flushes, s.pressure, s.refusals } do
    for _, e in ipairs(events) do
      if e.server_id == server_id and e.encoded and not seen[e.encoded] and within(s, e) then
        seen[e.encoded], n = true, n + 1
      end
    end
  end
  return n
end

local function written_regions(case, server_id)
  local n = 0
  for _, row in ipairs(case:labelled "region.write_requests") do
    if row.server_id == server_id and row.grew > 0 then n = n + 1 end
  end
  return n
end

--- The flush size of a region: told, else by the limit at which a region refused writes, else
-- HBase's own.
---@return number? bytes
---@return string? origin
function room.flush_size(case, s)
  local size = case:setting "hbase.hregion.memstore.flush.size"
  if size and not size.assumed then return tonumber(size.value), size.origin end
  local multiplier = case:setting "hbase.hregion.memstore.block.multiplier"
  local times = multiplier and tonumber(multiplier.value) or 4
  for _, e in ipairs(s.refusals) do
    if e.f.limit_bytes and times > 0 then
      return e.f.limit_bytes / times, ("by the limit of a refused write, %s, and x %g"):format(
        units.bytes(e.f.limit_bytes), times)
    end
  end
  return size and tonumber(size.value), size and size.origin
end

--- Regions that took writes on the server that had most of them, and how we know.
---@return integer? regions
---@return string? how
---@return hbdx.Server?
function room.active_regions(case, s)
  local best, how, at
  for _, server in ipairs(s.servers) do
    local logged, written = distinct_regions(s, server.id), written_regions(case, server.id)
    local n, by = logged, "distinct regions that flushed or refused"
    if written > logged then n, by = written, "regions whose write count grew" end
    if n > 0 and (not best or n > best) then best, how, at = n, by, server end
  end
  if best and best >= 3 then return best, how, at end
  for _, frame in ipairs(s.frames) do
    local v = window.worst(frame.windows, "region.count")
    if v and (not best or v > best) then
      best, how, at = math.tointeger(v), "online regions: an upper bound", frame.server
    end
  end
  return best, how, at
end

--- Heap of a server in bytes: JMX, else by the memstore limit that its log tells at start, or when
--- it blocks writers.
---@return number? bytes
function room.heap_bytes(case, s, server)
  for _, frame in ipairs(s.frames) do
    if not server or frame.server.id == server.id then
      local v = window.worst(frame.windows, "heap.max") or frame.first["heap.max"]
      if v and v > 0 then return v end
    end
  end
  local setting = case:setting "hbase.regionserver.global.memstore.size"
  local fraction = setting and tonumber(setting.value) or 0
  for _, e in ipairs(case:events "heap_limits") do
    if e.f.max_heap_bytes then return e.f.max_heap_bytes end
    if e.f.global_memstore_bytes and fraction > 0 then
      return e.f.global_memstore_bytes / fraction
    end
  end
  for _, e in ipairs(s.blocks) do
    if e.f.what == "global" and e.f.limit_bytes and fraction > 0 then
      return e.f.limit_bytes / fraction
    end
  end
end

return room

--- The write path of one RegionServer in steps: memstores fill, flushes make files, compactions
-- merge them, and writes wait where HBase makes them wait. The rules are HBase 2's own (limits of
-- memstore and store files, who is flushed under pressure, ratio of a compaction); a region has
-- one family. What happens is told to `on(kind, t, data)`; nothing is printed here.
local MiB = 1048576

---@class gen.store
local Store = {}
Store.__index = Store

local DEFAULTS = {
  flush_size = 128 * MiB, block_multiplier = 4, blocking_files = 16, blocking_wait = 90000,
  memstore_share = 0.4, lower_limit = 0.95, flush_interval = 3600000,
  compaction_min = 3, compaction_max = 10, ratio = 1.2, min_size = 128 * MiB,
  low_bound = 50 * MiB, high_bound = 100 * MiB, throttle_point = 2560 * MiB,
  flushers = 2, flush_rate = 60 * MiB, overhead = 1.3, cell = 120, compression = 1.0,
}

--- opts: now (ms), heap (bytes), regions (see tree.lua), rng, on; any of DEFAULTS (sizes in bytes,
--- times in ms, rates in bytes per second; overhead: heap bytes per byte of data).
---@param opts table
---@return gen.store
local function new(opts)
  local s = setmetatable({}, Store)
  for key, value in pairs(DEFAULTS) do s[key] = value end
  for key, value in pairs(opts) do s[key] = value end
  s.upper = s.heap * s.memstore_share // 1
  s.lower = s.upper * s.lower_limit
  s.queue, s.compactions, s.delayed = {}, {}, {}
  s.flushing, s.running = {}, {}
  s.blocked, s.disk = false, 1.0
  local age = math.max(s.flush_interval, 1)
  for _, r in ipairs(s.regions) do r.oldest = s.now - s.rng:int(0, age) end
  return s
end

---@return number -- heap bytes of all memstores
function Store:heap_size()
  local sum = 0
  for _, r in ipairs(self.regions) do sum = sum + r.mem + (r.snapshot or 0) end
  return sum * self.overhead
end

-- A table may have a flush size of its own.
local function limit_of(store, r) return r.flush_size or store.flush_size end

--- Bytes of data arrive over a step; where a region or the server is over its limit they do not.
---@return number -- bytes taken
---@return number -- bytes refused because a region was over its limit
function Store:write(t, bytes)
  if bytes <= 0 then return 0, 0 end
  local total, taken, refused = 0, 0, 0
  for _, r in ipairs(self.regions) do total = total + r.weight end
  for _, r in ipairs(self.regions) do
    local part = bytes * r.weight / total
    if r.mem * self.overhead > limit_of(self, r) * self.block_multiplier then
      refused = refused + part
      if part > 0 then self.on("too_busy", t, { region = r, bytes = part }) end
    elseif part > 0 then
      if r.mem == 0 then r.oldest = t end
      r.mem, taken = r.mem + part, taken + part
    end
    if r.mem * self.overhead > limit_of(self, r) then self:request(r, "size") end
  end
  return taken, refused
end

--- A flush is wanted; one entry a region.
function Store:request(r, why)
  if r.wanted then return end
  r.wanted, r.since = why, nil
  table.insert(self.queue, r)
end

function Store:periodic(t, dt)
  if self.flush_interval <= 0 then return end
  for _, r in ipairs(self.regions) do
    if r.mem > 0 and t - r.oldest > self.flush_interval and not r.due then
      local found = t - self.rng:int(0, dt - 1)
      r.due = found + self.rng:int(0, 300000)
      self.on("old_edit", found, { region = r, delay = r.due - found })
    end
    if r.due and t >= r.due then
      r.due = nil
      if r.mem > 0 then self:request(r, "old") end
    end
  end
end

-- The biggest memstore whose store is not over its file limit, unless another is twice as big.
local function under_pressure(store)
  local best, any
  for _, r in ipairs(store.regions) do
    if not r.snapshot then
      if not any or r.mem > any.mem then any = r end
      if #r.files <= store.blocking_files and (not best or r.mem > best.mem) then best = r end
    end
  end
  if best and any.mem <= 2 * best.mem then return best end
  return any
end

-- The next entry of the queue that may be flushed now; delays those over the file limit.
local function from_queue(store, t)
  for i, r in ipairs(store.queue) do
    local over = #r.files > store.blocking_files
    if over and not r.since then
      r.since = t
      store.on("delayed", t, { region = r, files = #r.files, wait = store.blocking_wait })
      store:want_compaction(r, t)
    elseif not over or t - r.since >= store.blocking_wait then
      if over then store.on("waited", t, { region = r, ms = t - r.since }) end
      table.remove(store.queue, i)
      return r
    end
  end
end

local function start_flush(store, t, r, why)
  r.snapshot, r.mem, r.due, r.wanted = r.mem, 0, nil, nil
  local rate = store.rng:jitter(store.flush_rate, 0.35) / store.flushers * store.disk
  local ms = 40 + store.rng:int(0, 90) + r.snapshot / rate * 1000
  local job = { region = r, data = math.floor(r.snapshot), start = t, ms = math.floor(ms),
                why = why }
  store.on("flush_start", t, job)
  return job
end

local function end_flush(store, job)
  local r = job.region
  local t = job.start + job.ms
  job.size = (job.data * store.compression) // 1
  job.left = r.mem
  r.snapshot = nil
  table.insert(r.files, job.size)
  store.on("flushed", t, job)
  store:want_compaction(r, t)
end

local function unqueue(store, r)
  for i, other in ipairs(store.queue) do
    if other == r then return table.remove(store.queue, i) end
  end
end

-- What one thread does from `from` to t: ends its flush, takes the next, and so on.
local function flush_thread(store, i, from, t)
  while true do
    local job = store.flushing[i]
    if job then
      local stop = job.start + job.ms
      if stop > t then return end
      end_flush(store, job)
      store.flushing[i], from = nil, math.max(from, stop)
    end
    local r, why = store:next_flush(from)
    if not r or r.mem <= 0 then return end
    store.flushing[i] = start_flush(store, from, r, why)
  end
end

function Store:flush(t, dt)
  for i = 1, self.flushers do flush_thread(self, i, t - dt, t) end
end

-- Entries of the queue and flushes against pressure take turns.
function Store:next_flush(t)
  local total = self:heap_size()
  local pressed = total >= self.lower
  self.turn = not self.turn
  if self.turn or not pressed then
    local r = from_queue(self, t)
    if r then return r, r.wanted end
  end
  if not pressed then return nil end
  local r = under_pressure(self)
  if r then
    unqueue(self, r)
    self.on("pressure", t, { region = r, total = total // 1, high = total >= self.upper })
  end
  return r, "pressure"
end

---@return integer -- entries, those delayed included
function Store:flush_queue() return #self.queue end

function Store:want_compaction(r, t)
  if r.compacting or r.queued or #r.files < self.compaction_min then return end
  r.queued = t
  table.insert(self.compactions, r)
end

-- The store with the most files goes first.
local function next_compaction(store)
  local best = 1
  for i, r in ipairs(store.compactions) do
    if #r.files > #store.compactions[best].files then best = i end
  end
  local r = table.remove(store.compactions, best)
  r.priority = store.blocking_files - #r.files
  return r
end

-- Newest files, as many as the ratio lets in; a store over its limit always gives some.
local function select_files(store, r)
  local files, first, sum = r.files, #r.files + 1, 0
  while first > 1 and #files - first + 1 < store.compaction_max do
    local size = files[first - 1]
    if size > store.min_size and size > sum * store.ratio and sum > 0 then break end
    first, sum = first - 1, sum + size
  end
  if #files - first + 1 < store.compaction_min then return nil end
  return first, sum
end

local function start_compaction(store, t, r)
  r.queued = nil
  local first, sum = select_files(store, r)
  if not first then return nil end
  local n = #r.files - first + 1
  r.compacting = { first = first, n = n }
  local job = { region = r, n = n, input = sum, left = sum, start = t, all = first == 1,
                sizes = table.move(r.files, first, #r.files, 1, {}), waited = t - (r.asked or t) }
  store.on("compaction_start", t, job)
  return job
end

local function end_compaction(store, t, job)
  local r = job.region
  local first = r.compacting.first
  for _ = 1, job.n do table.remove(r.files, first) end
  job.output = (job.input * 0.985) // 1
  table.insert(r.files, first, job.output)
  r.compacting = nil
  job.stop = t
  local total = 0
  for _, size in ipairs(r.files) do total = total + size end
  job.total = total
  store.on("compacted", t, job)
  store:want_compaction(r, t)
end

---@return number -- bytes per second for all compactions, math.huge: no limit
function Store:throughput()
  local pressure = 0
  for _, r in ipairs(self.regions) do
    local n = #r.files
    if n > self.compaction_min then
      pressure = math.max(pressure, (n - self.compaction_min)
                                    / (self.blocking_files - self.compaction_min))
    end
  end
  if pressure > 1 then return math.huge end
  return self.low_bound + (self.high_bound - self.low_bound) * pressure
end

--- One thread compacts, at the bound's rate and disk_rate at most.
function Store:compact(t, dt)
  local left = dt / 1000
  while left > 0 do
    local job = self.running[1]
    if not job then
      if #self.compactions == 0 then return end
      local r = next_compaction(self)
      r.asked = r.queued
      self.running[1] = start_compaction(self, math.floor(t - left * 1000), r)
    else
      local rate = math.min(self:throughput(), self.disk_rate or 200 * MiB) * self.disk
      local need = job.left / rate
      job.left, left = job.left - rate * math.min(left, need), left - need
      if left < 0 then return end
      self.running[1] = nil
      end_compaction(self, math.floor(t - left * 1000), job)
    end
  end
end

--- One step that ends at t. Returns bytes of data taken and refused.
---@param t integer
---@param dt integer -- ms
---@param bytes_per_s number
---@return number, number
function Store:step(t, dt, bytes_per_s)
  self:periodic(t, dt)
  self:flush(t, dt)
  self:compact(t, dt)
  local was = self.blocked
  self.blocked = self:heap_size() >= self.upper
  if self.blocked ~= was then self.on(self.blocked and "blocked" or "unblocked", t, {}) end
  if self.blocked then return 0, 0 end
  return self:write(t, bytes_per_s * dt / 1000)
end

return { new = new }

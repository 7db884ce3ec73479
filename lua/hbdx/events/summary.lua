--- Sums over the events of a case: flushes by cause, compactions, stalls, slow syncs by DataNode,
-- pauses, and counts by hour and server. All events of the case are read, since the reason of one
-- may stand before the time that is asked for; only the chosen ones are counted.
local cause = require "hbdx.events.cause"
local compaction = require "hbdx.events.compaction"
local events = require "hbdx.events"
local failures = require "hbdx.events.failures"
local pauses = require "hbdx.events.pauses"
local stall = require "hbdx.events.stall"
local syncs = require "hbdx.events.syncs"

local summary = {}

local COUNTED = { "flush_failed", "compaction_failed", "compaction_throttled", "updates_blocked",
  "flush_delayed" }

---@class hbdx.Sum
---@field n integer numbers that are known
---@field sum number
---@field max number?

local function sum() return { n = 0, sum = 0 } end

-- Whole numbers stay whole as long as 64 bits hold them.
local function add(s, v)
  if not v or v ~= v then return end
  local total = s.sum + v
  if math.type(total) == "integer" and (v >= 0) ~= (total >= s.sum) then total = s.sum + 0.0 + v end
  s.n, s.sum, s.max = s.n + 1, total, math.max(s.max or v, v)
end

---@param s hbdx.Sum
---@return number? average nil: none is known
function summary.average(s)
  return s.n > 0 and s.sum / s.n or nil
end

--- Columns of the counts by hour and by server: each compaction and each pause once, whoever told.
summary.columns = { "flushes", "delayed", "refused", "blocked", "compactions", "slow_syncs",
  "pauses" }

local function tally(d, e, column)
  local function put(rows, key)
    local row = rows[key] or {}
    rows[key] = row
    row[column] = (row[column] or 0) + 1
  end
  local local_ms = e.t_ms and e.t_ms + d.offset
  put(d.by_hour, local_ms and local_ms - local_ms % 3600000 or "")
  put(d.by_server, e.server_id or "")
end

local function on_flush(d, e, name)
  if e.wanted ~= 1 then return end
  tally(d, e, "flushes")
  for _, row in ipairs { d.flushes, d.flushes.causes[name] } do
    row.count = row.count + 1
    add(row.bytes, e.f.data_bytes)
    add(row.took_ms, e.f.took_ms)
  end
end

local function on_compaction(d, c)
  if c.e.wanted ~= 1 then return end
  tally(d, c.e, "compactions")
  local t = d.compactions
  t.count = t.count + 1
  if c.major ~= nil then t.told = t.told + 1 end
  if c.major then t.major = t.major + 1 end
  add(t.input_bytes, c.input_bytes)
  if c.major then add(t.major_input_bytes, c.input_bytes) end
  add(t.output_bytes, c.output_bytes)
  add(t.queue_ms, c.queue_ms)
  if c.input_bytes and c.took_ms and c.took_ms > 0 then
    add(t.rated_bytes, c.input_bytes)
    add(t.rated_ms, c.took_ms)
  end
end

-- The server's own lines of refused writes go before those of clients, which tell of the same.
local function on_refusal(d, t, e)
  local r, by_client = d.stalls, e.f.seen_by == "client"
  if e.f.reason == "lock" then
    r.refused_lock = r.refused_lock + 1
    return
  end
  local name = by_client and "refused_seen_by_clients" or "refused"
  r[name] = r[name] + 1
  if by_client and d.servers_tell then return end
  tally(d, e, "refused")
  t.stall:feed(e)
end

local function empty(case)
  local causes = {}
  for _, name in ipairs(cause.order) do
    causes[name] = { count = 0, bytes = sum(), took_ms = sum() }
  end
  local d = { n = {}, offset = case:offset(), by_hour = {}, by_server = {},
    flushes = { count = 0, bytes = sum(), took_ms = sum(), causes = causes },
    compactions = { count = 0, told = 0, major = 0, unfinished = 0, input_bytes = sum(),
      major_input_bytes = sum(), output_bytes = sum(), queue_ms = sum(), rated_bytes = sum(),
      rated_ms = sum(), slept_ms = sum() },
    stalls = { refused = 0, refused_lock = 0, refused_seen_by_clients = 0, groups = {} },
    syncs = syncs.new(), pauses = pauses.new() }
  for _, kind in ipairs(COUNTED) do d.n[kind] = 0 end
  return d
end

-- The trackers of one server.
local function trackers(d)
  local t = {
    flush = cause.tracker(function(e, name) on_flush(d, e, name) end),
    compaction = compaction.tracker(function(c) on_compaction(d, c) end, function(e)
      if e.wanted == 1 then d.compactions.unfinished = d.compactions.unfinished + 1 end
    end),
    stall = stall.tracker(function(g)
      if g.delayed + g.refused + g.blocked > 0 then table.insert(d.stalls.groups, g) end
    end),
  }
  function t.done()
    t.flush:done()
    t.compaction:done()
    t.stall:done()
  end
  return t
end

local TALLIED = { flush_delayed = "delayed", updates_blocked = "blocked",
  wal_slow_sync = "slow_syncs" }

local function count(d, t, e)
  if d.n[e.kind] then d.n[e.kind] = d.n[e.kind] + 1 end
  if TALLIED[e.kind] then tally(d, e, TALLIED[e.kind]) end
  if e.kind == "compaction_throttled" then add(d.compactions.slept_ms, e.f.slept_ms) end
  if e.kind == "wal_slow_sync" then syncs.add(d.syncs, e) end
  if e.kind == "region_too_busy" then on_refusal(d, t, e) end
end

local STALL_BEGINS = { flush_delayed = true, updates_blocked = true }
local STALL_ENDS = { flush_finished = true, flush_waited = true, region_closed = true,
  updates_unblocked = true }

local function feed(d, t, e)
  t.flush:feed(e)
  t.compaction:feed(e)
  if e.wanted == 1 then count(d, t, e) end
  if e.f.pipeline then syncs.know(d.syncs, e) end
  if STALL_ENDS[e.kind] or STALL_BEGINS[e.kind] and e.wanted == 1 then t.stall:feed(e) end
end

local function kinds()
  local seen, list = {}, {}
  for _, names in ipairs { cause.kinds, compaction.kinds, stall.kinds, COUNTED,
      syncs.kinds } do
    for _, name in ipairs(names) do
      if not seen[name] then seen[name], list[#list + 1] = true, name end
    end
  end
  return list
end

-- By server, each in order of time, with whether it was asked for.
local function each(case, filter)
  local params, list = {}, kinds()
  local wanted = events.condition(filter, params)
  table.move(list, 1, #list, #params + 1, params)
  return case.core:each(([[
    SELECT ifnull(e.server_id, -e.source_id) AS owner, (%s) AS wanted, e.t_ms, e.kind, e.server_id,
           e.encoded, e.table_name, e.family, e.thread, e.fields
    FROM event e WHERE e.kind IN (%s)
    ORDER BY owner, e.t_ms, e.source_id, e.line, e.id]]):format(wanted,
      ("?,"):rep(#list):sub(1, -2)), params)
end

local function by(case, filter, column, params)
  local where = events.condition(filter, params)
  return case.core:rows(("SELECT %s AS key, e.kind AS kind, count(*) AS n FROM event e WHERE %s "
    .. "GROUP BY 1, 2 ORDER BY 1, 2"):format(column, where), params)
end

-- Rows of counts: { key, counts = { kind = n } }.
local function table_of(rows)
  local list = {}
  for _, row in ipairs(rows) do
    local last = list[#list]
    if not last or last.key ~= row.key then
      last = { key = row.key, counts = {} }
      list[#list + 1] = last
    end
    last.counts[row.kind] = row.n
  end
  return list
end

local function floored(offset_ms)
  -- SQLite divides towards zero, hours before 1970 too
  return ("(e.t_ms + (%d) - ((e.t_ms + (%d)) %% 3600000 + 3600000) %% 3600000)"):format(offset_ms,
    offset_ms)
end

--- Sums over the chosen events.
---@param case hbdx.Case
---@param filter hbdx.EventFilter
---@return table d flushes, compactions, stalls, syncs, pauses, failures, hours, servers, kinds, n
function summary.collect(case, filter)
  local d, owner, t = empty(case), nil, nil
  d.servers_tell = case.core:rows([[SELECT EXISTS(SELECT 1 FROM event WHERE
    kind = 'region_too_busy' AND json_extract(fields, '$.seen_by') = 'server') AS yes]])[1].yes == 1
  d.logs = case.core:rows("SELECT count(*) AS n FROM source WHERE kind = 'log'")[1].n
  for e in each(case, filter) do
    if e.owner ~= owner then
      if t then t.done() end
      owner, t = e.owner, trackers(d)
    end
    e.f, e.fields = events.fields(e.fields), nil
    feed(d, t, e)
  end
  if t then t.done() end
  pauses.collect(case, d.pauses, events.matcher(filter), function(p) tally(d, p, "pauses") end)
  table.sort(d.stalls.groups, function(a, b)
    if a.ms ~= b.ms then return (a.ms or 0) > (b.ms or 0) end
    if a.refused ~= b.refused then return a.refused > b.refused end
    return (a.encoded or "") < (b.encoded or "")
  end)
  syncs.finish(d.syncs, case:servers())
  d.failures = failures.collect(case, filter)
  d.count = events.count(case, filter)
  d.kinds = table_of(by(case, filter, "'all'", {}))[1]
  d.kinds = d.kinds and d.kinds.counts or {}
  d.servers = table_of(by(case, filter, "e.server_id", {}))
  d.hours = table_of(by(case, filter, floored(case:offset()), {}))
  return d
end

return summary

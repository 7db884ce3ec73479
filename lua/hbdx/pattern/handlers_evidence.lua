--- Evidence of hogged handlers, line by line: the queue from JMX, the culprit from slow calls.
local culprit = require "hbdx.pattern.culprit"
local handlers = require "hbdx.pattern.handlers"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

local evidence = {}

local function place(w) return { server = w.server.short, from_ms = w.from_ms, to_ms = w.to_ms } end

--- What JMX tells of the busy windows.
---@param f hbdx.FindingMaker
---@param h hbdx.Hogging
---@param p table the playbook's parameters
function evidence.queue(f, h, p)
  local n, at
  for _, w in ipairs(h.busy) do
    local v = handlers.waiting(w)
    if v and (not n or v > n) then n, at = v, w end
  end
  if n and n >= p.waiting then
    f:expect { claim = "calls waiting", observed = n, at_least = p.waiting, where = place(at),
               origin = "parameter waiting" }
  elseif n then -- at the instants of the dumps: the queue time of all that was between tells
    f:fact { claim = "calls waiting", observed = n, where = place(at) }
  end
  -- all executors together, unless the general ones are told apart
  local name = window.worst(h.busy, "ipc.active_general_handlers") and "ipc.active_general_handlers"
    or "ipc.active_handlers"
  local active, w = window.worst(h.busy, name)
  if active then
    f:fact { claim = "busy handlers", observed = active, baseline = window.usual(h.calm, name),
      where = place(w),
      origin = h.count and ("%d handlers: %s"):format(h.count, h.count_origin) }
  end
  local ms, m = window.worst(h.busy, "ipc.queue_time_mean")
  if ms then
    f:expect { claim = "mean queue time", observed = ms, unit = "ms", at_least = p.queue_ms,
      baseline = window.usual(h.calm, "ipc.queue_time_mean"), where = place(m),
      origin = "parameter queue_ms" }
  end
  if #h.paused > 0 then
    f:rule_out("JVM pauses", units.plural(#h.paused, "window") .. " with pauses not counted")
  end
  local filtered, calm = window.rate(h.busy, "read.filtered"), window.rate(h.calm, "read.filtered")
  if filtered and filtered > 0 then
    f:fact { claim = "rows filtered", observed = filtered, unit = "per_s",
      baseline = calm }
  end
end

local function inside(ms, spans)
  for _, s in ipairs(spans) do
    if ms >= s.from_ms and ms <= s.to_ms then return true end
  end
  return false
end

--- Writes that were refused or had to wait in the busy windows: they hold handlers, too.
---@param h hbdx.Hogging
---@return integer n by JMX and by log
---@return boolean told at least half of the windows tell
function evidence.blocked(h)
  local n, told = 0, 0
  for _, w in ipairs(h.busy) do
    local refused, ms = w.d["write.blocked_requests"], w.d["write.blocked_ms"]
    told = told + ((refused or ms) and 1 or 0)
    n = n + math.max(refused or 0, (ms or 0) > 0 and 1 or 0)
  end
  for _, kind in ipairs { "region_too_busy", "updates_blocked" } do
    for _, e in ipairs(h.case:events(kind)) do
      n = n + (e.t_ms and inside(e.t_ms, h.spans) and 1 or 0)
    end
  end
  return n, told * 2 >= #h.busy
end

--- What the slow calls tell of who holds the handlers.
---@param f hbdx.FindingMaker
---@param h hbdx.Hogging
---@param p table the playbook's parameters
---@return hbdx.Culprit? top nil: the calls that are logged are too few to be the cause
function evidence.culprit(f, h, p)
  local top = h.ranked[1]
  if not top then return nil end
  if h.share and h.share < p.share / 3 then
    f:fact { claim = "slow reads' time", observed = 100 * h.share, unit = "percent",
             origin = "too little to be the cause: fast calls, or calls that no log kept" }
    return nil
  end
  f:fact { claim = "slow reads", where = top.place,
           observed = ("%s, %s"):format(units.plural(top.calls, "call"), culprit.words(top)) }
  f:fact { claim = "each took", observed = ("%s to %s ms"):format(units.group(top.shortest_ms),
    units.group(top.longest_ms)) }
  if h.share then
    f:fact { claim = "their handler time", observed = 100 * h.share,
      unit = "percent",
             origin = ("%d handlers: %s"):format(h.count, h.count_origin) }
  end
  f:fact { claim = "largest response", observed = top.largest_bytes, unit = "bytes" }
  f:fact { claim = "mean response", observed = top.response_bytes / top.calls,
           unit = "bytes" }
  f:fact { claim = "filter", observed = culprit.filter(top),
           where = top.filters_place }
  if top.no_stop_row then f:fact { claim = "their range", observed = "no stop row" } end
  f:fact { claim = "their wait, median", observed = h.queue_p50, unit = "ms" }
  f:fact { claim = "their wait, longest", observed = h.queue_max, unit = "ms" }
  local unnamed = 0
  for _, call in ipairs(h.inside) do unnamed = unnamed + (call.table_name and 0 or 1) end
  if unnamed > 0 then
    f:fact { claim = "without a table", observed = unnamed,
             where = "continuations of scanners" }
  end
  return top
end

return evidence

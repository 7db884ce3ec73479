--- Whether a group of slow calls is worse or better than it was, and by which measure.
local judge = {}

judge.factor = 1.5 -- so much more (or less) is worse (or better)
judge.calls = 20 -- fewer do not judge: below, the 95th percentile is the longest call
local SHORTEST_MS = 60000 -- what is read counts as no shorter: a few seconds make no hour

---@class hbdx.SlowMeasure
---@field name string "proc_ms_per_hour" or "proc_ms_p95"
---@field before number?
---@field now number?
---@field times number? now by before
---@field judges boolean there are calls enough
---@field decides boolean? it made the verdict

---@class hbdx.SlowPair
---@field now hbdx.SlowGroup
---@field before table of the saved groups
---@field measures hbdx.SlowMeasure[] processing per hour, p95
---@field verdict string? "worse" or "better"; nil: about the same

-- a / b; nil where either is not told or b is zero.
local function times(a, b)
  if not a or not b or b == 0 then return nil end
  return a / b
end

local function per_hour(sum, read_ms)
  return sum and sum / math.max(read_ms, SHORTEST_MS) * 3600000
end

local function measure(name, before, now, calls)
  return { name = name, before = before, now = now, times = times(now, before),
    judges = calls >= judge.calls }
end

local function way_of(m)
  if not m.judges or not m.times then return nil end
  return m.times >= judge.factor and "worse" or m.times <= 1 / judge.factor and "better" or nil
end

--- Holds a group against the saved one that it is the same as.
---@param d hbdx.SlowDigest
---@param g hbdx.SlowGroup
---@param saved hbdx.SlowSaved
---@param before table one of saved.groups
---@return hbdx.SlowPair
function judge.pair(d, g, saved, before)
  local pair = { now = g, before = before, measures = {
    -- the larger number of calls carries the time, the smaller one the percentile
    measure("proc_ms_per_hour", per_hour(before.proc_ms, saved.read_ms),
      per_hour(g.proc_ms.sum, d.read_ms), math.max(g.calls, before.calls)),
    measure("proc_ms_p95", before.p95, g.proc_ms.p95, math.min(g.calls, before.calls)) } }
  local seen = {}
  for _, m in ipairs(pair.measures) do seen[way_of(m) or "same"] = true end
  pair.verdict = seen.worse and "worse" or seen.better and "better" or nil
  for _, m in ipairs(pair.measures) do m.decides = pair.verdict and way_of(m) == pair.verdict end
  return pair
end

return judge

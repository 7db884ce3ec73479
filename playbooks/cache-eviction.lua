--- A scan reads through the block cache and pushes out the blocks that everybody else needs.
-- Its mark: in the same windows the hit ratio falls from what is usual for that server, evictions
-- surge, and scans run. Any one alone proves nothing: a restart and a compaction make the ratio
-- fall without evictions, a cache that is too small evicts all day, and a ratio over few requests
-- is none.
local culprit = require "hbdx.pattern.culprit"
local finding = require "hbdx.finding"
local nightly = require "hbdx.pattern.nightly"
local sweep = require "hbdx.pattern.sweep"
local units = require "hbdx.units"

local function calm(f, seen)
  if seen.usable == 0 then
    f:missing(("requests to the block cache (%d in all windows)"):format(seen.asked),
              "/jmx dumps of a time with reads; a table in the memstore never asks the cache")
    return f:conclude("cannot_tell")
  elseif seen.usable < 3 then
    f:missing("windows to compare: only " .. seen.usable .. " with enough cache requests",
              "/jmx dumps of the incident and of a calm hour, 11 s or more apart")
    return f:conclude("cannot_tell")
  end
  f:fact { claim = "hit ratio, worst window", observed = seen.worst.percent, unit = "percent",
           baseline = seen.usual, where = sweep.place(seen.worst_server, seen.worst) }
  if seen.cold > 0 then
    f:rule_out("a sweep",
      ("%s fell without a surge of evictions: a cold cache"):format(
        units.plural(seen.cold, "window")))
  end
  return f:conclude("ruled_out", { summary = "No window's hit ratio fell while evictions surged." })
end

return {
  id = "cache-eviction",
  title = "The block cache is swept by a scan",
  category = "read-path",
  severity = "warning",
  symptoms = { "reads slow down in the same hour every night", "the hit ratio heals by morning" },
  needs = { { "cache.hits_caching", "cache.hits" }, { "cache.misses_caching", "cache.misses" },
            "cache.evictions" },
  params = {
    { name = "sag", type = "number", default = 5, min = 0, max = 100,
      help = "points of hit ratio that a window must lose against what is usual for its server" },
    { name = "surge", type = "number", default = 5, min = 1,
      help = "times the usual rate of evictions" },
    { name = "min_requests", type = "integer", default = 500, min = 1,
      help = "cache requests under which a window's ratio is not judged" },
    { name = "min_evicted", type = "integer", default = 100, min = 1,
      help = "evicted blocks under which a window is no surge" },
    { name = "scan_surge", type = "number", default = 3, min = 1,
      help = "times the scan RPCs (or rows read) of other windows" },
  },
  about = "Compares each server's windows with its own: the usual hit ratio is that of its upper "
       .. "quarter. A percentage since start is never used, it hardly moves. That reads became "
       .. "slow is said only where the p99 of Gets shows it.",

  diagnose = function(case, p)
    local f = finding.new(case)
    local seen = sweep.look(case, p)
    if #seen.low == 0 then return calm(f, seen) end
    f:expect { claim = "hit ratio", observed = seen.low_percent, unit = "percent",
               at_most = seen.usual - p.sag, baseline = seen.other_percent,
                 origin = "parameter sag",
               limit_text = ("-%g pts"):format(p.sag), where = sweep.places(seen) }
    for _, w in ipairs(seen.shown) do
      f:fact { claim = "window hit ratio", observed = w.percent, unit = "percent",
               baseline = seen.other_percent, where = sweep.place(w.server, w) }
    end
    f:expect { claim = "blocks evicted", observed = seen.evicted, unit = "per_s",
               baseline = seen.evicted_else, at_least = p.surge * (seen.evicted_else or 0),
               limit_text = ("%g x"):format(p.surge), origin = "parameter surge",
               where = sweep.place(seen.low[1].server, seen.low[1]) }
    local scans, suspect = sweep.scans(case, f, seen, p)
    local harm = sweep.harm(f, seen)
    sweep.alternatives(case, f, seen)
    if scans == false then
      return f:conclude("ruled_out", { summary =
        "The cache is swept, but no scans ran meanwhile." })
    end
    local r = nightly.describe(case, seen.spans, seen.observed)
    local usual = "window hit ratio about " .. units.format(seen.other_percent or seen.usual,
      "percent")
    local who = suspect and culprit.words(suspect) or "a client that the evidence does not name"
    return f:conclude(scans and suspect and suspect.table_name and "confirmed" or "likely", {
      title = r.daily and "The block cache is swept by a nightly scan" or nil,
      severity = harm and "critical" or "warning",
      summary = ("Scans of %s push the working set out of the cache."):format(who),
      cause = "a Scan caches every block it reads unless told not to; one larger than the cache "
           .. "replaces it, and everybody pays to read it back",
      affected = sweep.affected(case, seen, suspect, r),
      fixes = sweep.fixes(case, suspect, usual),
      verify = nightly.verify("cache-eviction", r),
      caveats = not harm
        and { "no effect on the latency of Gets is seen: the reads that miss come back "
                            .. "fast (page cache, SSD), or nobody measured" } or nil,
    })
  end,
}

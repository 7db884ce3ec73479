--- Writes stall because memstores cannot drain: a flush waits while its store has more files than
-- hbase.hstore.blockingStoreFiles, or the global memstore is full of regions too many to fill.
-- Its mark: writes are refused or blocked, together with flushes that wait or are forced. A long
-- compaction queue alone proves nothing: it reads 0 in half of the samples of a real stall.
local evidence = require "hbdx.pattern.stall_evidence"
local finding = require "hbdx.finding"
local stall = require "hbdx.pattern.stall"
local fix = require "hbdx.pattern.stall_fix"

local WHOLE =
  "two /jmx dumps of each RegionServer, 11 s or more apart, or its whole log of the time"

-- A few lines out of a log prove nothing by what they do not say.
local function whole(case, s)
  local records, ms = case:logged()
  return s.judged > 0 or records >= 50 and ms >= 60000
end

-- No write was held up that we know of, or too few.
local function calm(case, f, s)
  if #s.unexplained == 0 and whole(case, s) then
    f:fact { claim = "windows without a refused write",
             observed = s.judged > 0 and s.judged or nil }
    return f:conclude("ruled_out", { summary = #s.spans > 0
      and "A few writes were held up, too few for a stall."
      or "No write was refused and no flush had to wait." })
  end
  local sign = s.refusals[1] or s.unexplained[1] or s.pressure[1]
  if #s.unexplained > 0 then
    f:missing("word of what made the region busy, its memstore or a lock",
      "the server's own log of the time: a client's summary leaves it out")
  end
  f:missing("count of refused and blocked writes"
    .. (sign and " beside what these lines tell" or ""), WHOLE)
  return f:conclude("cannot_tell", { summary = sign and
    ("A sign of it is there (%s), too little to judge by."):format(sign.place) or nil })
end

return {
  id = "flush-stall",
  title = "Writes stall because memstores cannot drain",
  category = "write-path",
  severity = "critical",
  symptoms = { "puts block for seconds to minutes", "RegionTooBusyException at the clients" },
  needs = { { "write.blocked_requests", "write.blocked_ms", "events" } },
  params = {
    { name = "min_refused", type = "integer", default = 10, min = 1,
      help = "refused writes under which there is no stall" },
    { name = "min_blocked_ms", type = "duration", default = 1000, min = 1,
      help = "time that handlers were blocked, summed over handlers" },
    { name = "min_delayed", type = "integer", default = 3, min = 1,
      help = "delayed flushes that count as a sign" },
  },
  about = "Refused writes are counted in blockedRequestCount of the Server bean: the exception "
       .. "counter of the IPC bean stays 0 when they leave inside multi answers. "
       .. "updatesBlockedTime grows only under global pressure, not when one region is at its own "
       .. "limit.",

  diagnose = function(case, p)
    local f, s = finding.new(case), stall.look(case)
    local pressed = #s.pressure > 0 or #s.blocks > 0
    if #s.spans == 0 and not pressed and #s.refusals == 0 then return calm(case, f, s) end
    local refused, surely = evidence.refused(f, s, p)
    local delayed, full = evidence.held(case, f, s, p)
    if not refused and not delayed then return calm(case, f, s) end
    local heap, model, crowded = fix.numbers(case, f, s)
    if #s.pressure > 0 then
      f:fact { claim = "flushes forced early", observed = #s.pressure,
               where = s.pressure[1].place }
    end
    pressed = pressed or (s.blocked_ms or 0) >= p.min_blocked_ms -- grows under global pressure only
    local global, held = pressed or crowded, delayed or full
    if global and not heap then
      f:missing("the heap, for how many regions fit", "a /jmx dump of the RegionServer")
    end
    if not (held or pressed or s.judged > 0) then
      f:missing("sign of why memstores do not drain", WHOLE)
    end
    local sure = surely and (held or pressed)
    return stall.conclude(case, f, s, sure and "confirmed" or "likely", {
      fixes = fix.list(case, s, { heap = heap, model = model, pressure = global, held = held }),
      global = global, crowded = crowded, held = held, caveats = held and { fix.warning } or {} })
  end,
}

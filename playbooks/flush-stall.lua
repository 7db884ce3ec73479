--- Writes stall because memstores cannot drain: a flush waits while its store has more files than
-- hbase.hstore.blockingStoreFiles, or the global memstore is full of regions too many to fill.
-- Its mark: writes are refused or blocked, together with flushes that wait or are forced. A long
-- compaction queue alone proves nothing: it reads 0 in half of the samples of a real stall.
local finding = require "hbdx.finding"
local stall = require "hbdx.pattern.stall"
local fix = require "hbdx.pattern.stall_fix"

local function writes_refused(f, s, p)
  local span = s.spans[1]
  local where = span and { from_ms = span.from_ms, to_ms = s.spans[#s.spans].to_ms }
  local any
  if s.judged > 0 then
    any = f:expect { claim = "writes refused (JMX)", observed = s.refused or 0,
      at_least = p.min_refused, origin = "parameter min_refused", where = where }
    if (s.blocked_ms or 0) > 0 then
      any = f:expect { claim = "handlers' time blocked", observed = s.blocked_ms, unit = "ms",
        at_least = p.min_blocked_ms, origin = "parameter min_blocked_ms", where = where } or any
    end
  end
  if #s.refusals > 0 then
    any = f:expect { claim = "writes refused (log)", observed = #s.refusals,
      at_least = p.min_refused,
      origin = "parameter min_refused", where = s.refusals[1].place } or any
  end
  if #s.blocks > 0 then
    f:fact { claim = "updates blocked, lines", observed = #s.blocks, where = s.blocks[1].place }
    any = true
  end
  return any or false
end

local function flushes_held(case, f, s, p)
  local limit = case:setting "hbase.hstore.blockingStoreFiles"
  local most, where = stall.most_files(s)
  local full
  if most and limit and limit.assumed then
    f:fact { claim = "files in the worst store", observed = most, where = where,
             origin = "no configuration tells the limit; HBase's own is " .. limit.text }
  elseif most and limit then
    -- a flush waits when the count exceeds the limit; the wait itself keeps JMX at the limit
    full = f:expect { claim = "files in the worst store", observed = most,
      at_least = tonumber(limit.value), where = where,
      limit_text = "> " .. limit.text .. " delays", origin = limit.name .. ", " .. limit.origin }
    if limit.other then f:fact { claim = "that limit is contradicted", observed = limit.other } end
  end
  if #s.delays > 0 then
    f:expect { claim = "flushes delayed", observed = #s.delays, at_least = p.min_delayed,
      origin = "parameter min_delayed", where = s.delays[1].place }
  end
  return #s.delays >= p.min_delayed, full or false
end

local function clear(case, f, s)
  if s.judged > 0 or case:has "events" then
    f:fact { claim = "windows without a refused write", observed = s.judged }
    return f:conclude("ruled_out", { summary = "No write was refused and no flush had to wait." })
  end
  f:missing("blocked writes", "two /jmx dumps 11 s apart, or the RegionServer logs of the time")
  return f:conclude("cannot_tell")
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
    if #s.spans == 0 and not pressed then return clear(case, f, s) end
    local refused = writes_refused(f, s, p)
    local delayed, full = flushes_held(case, f, s, p)
    local heap, model, too_many = fix.numbers(case, f, s)
    if #s.blocks + #s.pressure > 0 then
      f:fact { claim = "flushes forced early", observed = #s.pressure,
               where = s.pressure[1] and s.pressure[1].place }
    end
    if not refused and not delayed then
      return f:conclude("ruled_out", { summary =
        "A few writes were held up, too few for a stall." })
    end
    local global = pressed or too_many
    local sure = refused and (delayed or full or pressed)
    return stall.conclude(case, f, s, sure and "confirmed" or "likely", {
      fixes = fix.list(case, heap, model, global), global = global, held = delayed or full,
      caveats = { fix.warning } })
  end,
}

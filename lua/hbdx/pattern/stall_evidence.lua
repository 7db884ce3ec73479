--- What shows that writes stall, as lines of a finding: refused and blocked writes, and flushes
-- that wait.
local stall = require "hbdx.pattern.stall"

local evidence = {}

--- Whether writes were refused or blocked, and whether that is beyond doubt.
---@param f hbdx.FindingMaker
---@param s hbdx.Stall
---@param p table the playbook's parameters
---@return boolean any
---@return boolean surely
function evidence.refused(f, s, p)
  local span, sure = s.spans[1], nil
  local where = span and { from_ms = span.from_ms, to_ms = s.spans[#s.spans].to_ms }
  local function expect(claim, observed, name, unit, place)
    return f:expect { claim = claim, observed = observed, unit = unit, at_least = p[name],
                      origin = "parameter " .. name, where = place }
  end
  -- dumps of another time know nothing of what the log tells
  if (s.refused or 0) > 0 or s.watched then
    sure = expect("writes refused (JMX)", s.refused or 0, "min_refused", nil, where)
    if (s.blocked_ms or 0) > 0 then
      sure = expect("handler time blocked", s.blocked_ms, "min_blocked_ms", "ms", where) or sure
    end
  end
  if #s.refusals > 0 then
    sure = expect("writes refused (log)", #s.refusals, "min_refused", nil, s.refusals[1].place)
           or sure
  end
  local any = sure or #s.blocks > 0
  if s.batch and not sure then
    any = expect("refused in a client's batch", s.batch.f.ops, "min_refused", nil, s.batch.place)
          or any
  end
  if #s.blocks > 0 then
    f:fact { claim = "updates blocked", observed = #s.blocks, where = s.blocks[1].place }
    if (s.longest or 0) > 0 then
      sure = expect("longest block", s.longest, "min_blocked_ms", "ms", s.longest_place) or sure
    end
  end
  return any or false, sure or false
end

--- What is known of a limit that no configuration tells.
---@param s hbdx.Stall
---@param limit hbdx.SettingValue HBase's own
---@return string
function evidence.unknown_limit(s, limit)
  local most = stall.limit_at_most(s)
  return most and ("the limit is %d or less: a flush waited at %d"):format(most, most + 1)
    or "no configuration tells the limit; HBase's own is " .. limit.text
end

--- Whether flushes were delayed, and whether a store is at the blocking count of files.
---@param case hbdx.Case
---@param f hbdx.FindingMaker
---@param s hbdx.Stall
---@param p table the playbook's parameters
---@return boolean delayed
---@return boolean full
function evidence.held(case, f, s, p)
  local limit = case:setting "hbase.hstore.blockingStoreFiles"
  local most, where = stall.most_files(s)
  local full
  if most and limit and limit.assumed then
    f:fact { claim = "files in worst store", observed = most, where = where,
             origin = evidence.unknown_limit(s, limit) }
  elseif most and limit then
    -- a flush waits when the count exceeds the limit; the wait itself keeps JMX at the limit
    full = f:expect { claim = "files in worst store", observed = most,
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

return evidence

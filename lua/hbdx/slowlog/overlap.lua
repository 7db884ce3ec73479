--- Whether a digest and the one that was saved before are of the same time, so that calls of the
--- same logs are in both, and the option that counts only what came since.
local time = require "hbdx.core.time"

local M = {}

---@class hbdx.SlowOverlap
---@field until_ms integer the start of the last call that both can have
---@field more boolean calls came since
---@field from string? "2026-03-02 00:02:00", in the cluster's zone; nil: nothing came since, or
---it cannot be chosen with what was given

local function stamp(ms)
  local c = time.civil(ms)
  return ("%04d-%02d-%02d %02d:%02d:%02d"):format(c.year, c.month, c.day, c.hour, c.minute,
    c.second)
end

--- What both digests can have; nil: nothing, or --from was given.
---@param d hbdx.SlowDigest
---@param saved hbdx.SlowSaved?
---@param given table options
---@param offset_ms integer of the cluster's zone
---@return hbdx.SlowOverlap?
function M.find(d, saved, given, offset_ms)
  local last = saved and saved.last and time.parse(saved.last)
  if given.from or not last or not d.first_ms or d.first_ms > last then return nil end
  local over = { until_ms = math.min(last, d.last_ms), more = d.last_ms > last }
  if over.more and not (given.at or given.window or given.merge) then
    over.from = stamp((last // 1000 + 1) * 1000 + offset_ms)
  end
  return over
end

return M

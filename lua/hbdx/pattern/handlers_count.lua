--- How many RPC handlers a server has: by its configuration, by the start of its log, by HBase's
-- default; and whether that can be.
local window = require "hbdx.pattern.window"

local count = {}

-- 1.4 to 1.7 do not print the names of the executors: the general one comes first of three.
local function is_general(e, unnamed_ms)
  if e.f.name then return e.f.name:find("^default") ~= nil end
  return not (unnamed_ms and e.t_ms) or e.t_ms - unnamed_ms > 500
end

--- Sets h.count, h.count_origin, h.count_told and h.count_default.
---@param case hbdx.Case
---@param h hbdx.Hogging
function count.find(case, h)
  local s = case:setting "hbase.regionserver.handler.count"
  if s and not s.is_default and s.value > 0 then
    h.count, h.count_origin = tonumber(s.value), ("%s, %s"):format(s.name, s.origin)
    h.count_told = true
    return
  end
  local unnamed_ms
  for _, e in ipairs(case:events "call_queues") do
    if is_general(e, unnamed_ms) and e.f.handlers then
      h.count, h.count_origin = e.f.handlers, "start of the log, " .. e.place
      h.count_told = true
    end
    if not e.f.name then unnamed_ms = e.t_ms end
  end
  if not h.count and s and s.value > 0 then
    h.count, h.count_origin, h.count_told = tonumber(s.value), s.origin, not s.assumed
    h.count_default = true
  end
end

--- A number that what ran at once exceeds is not that of the server: an older file, another's.
---@param h hbdx.Hogging
---@param words string what exceeds it
function count.deny(h, words)
  h.count_denied = ("%d: %s, yet %s"):format(h.count, h.count_origin, words)
  h.count, h.count_origin, h.count_told, h.count_default = nil, nil, nil, nil
end

--- Denies a number that the busy general handlers of a dump exceed.
---@param h hbdx.Hogging
---@param frames table[] of Case:windows
function count.check(h, frames)
  local most = 0
  for _, frame in ipairs(frames) do
    most = math.max(most, (window.worst(frame.windows, "ipc.active_general_handlers")) or 0)
  end
  if h.count and most > h.count then count.deny(h, ("%.0f were busy at once"):format(most)) end
end

return count

--- What is read first of the files that are to be followed: their last part tells the clock and
-- where they end, by which a TIME is read, and how much of them it takes to begin there.
local core = require "hbdx.core.follow"
local follow = require "hbdx.follow"
local sys = require "hbdx.core.sys"
local time = require "hbdx.core.time"
local when = require "hbdx.when"

local M = {}

local SLACK_MS = 60000 -- that lines may be out of order by

--- The offset of a zone at a moment of its own clock.
---@param zone string
---@param local_ms integer
---@return integer
function M.offset(zone, local_ms)
  local guess = time.offset(zone, local_ms)
  return time.offset(zone, local_ms - guess)
end

--- What is known of a file that hbdx.core.follow reads, filed in a case.
---@param zone string? of stamps without one
---@return fun(c: userdata, file: hbdx.FollowedFile): table?, string?
function M.report(zone)
  return function(c, file)
    local cov = file.told or file.log:coverage()
    local offset, origin = cov.offset_ms, cov.offset_ms and "slow calls" or "unknown"
    if cov.gc and cov.first_local_ms then origin = "line" end -- its stamps tell their zone
    if zone and cov.last_local_ms and not cov.gc then
      offset, origin = M.offset(zone, cov.last_local_ms), "--log-tz"
    end
    local by = offset or 0
    local report, message = c:add_source { name = file.path, kind = cov.gc and "gc" or "log",
      bytes = cov.bytes, fingerprint = file.number, lines = cov.lines, records = cov.records,
      skipped = cov.skipped, understood = cov.calls + cov.events + cov.scans,
      server = cov.server, version = cov.version,
      first_ms = cov.first_local_ms and cov.first_local_ms - by, offset_ms = by,
      last_ms = cov.last_local_ms and cov.last_local_ms - by, offset_origin = origin,
      skips = file.skips }
    if not report then return nil, message end
    report.server = cov.server and (cov.server:match("^[^,]*,%d+") or cov.server)
    for _, name in ipairs { "lines", "events", "calls", "scans" } do report[name] = cov[name] end
    return report
  end
end

-- Reads the last part of all files; the group is the caller's to close.
local function read(operands, zone)
  local group, message = follow.open(operands, { quiet = true, silent = true,
    report = M.report(zone), last = function() return follow.last end,
    make = function(path, last) return core.open(path, { last = last, gc = true }) end })
  if not group then return nil, message end
  while not group:round(sys.monotonic_ms(), {}) do
    local signal = core.wait(0)
    if signal then
      group:close()
      return nil, signal
    end
  end
  group:stop {}
  group:place()
  return group
end

-- How much of a file it takes to begin at from_ms.
local function needed(group, from_ms)
  local by_path = {}
  for _, file in ipairs(group.files) do by_path[file.path] = file end
  return function(path)
    local file = by_path[path]
    local first = file and file.entry and file.entry.first_ms
    if first and from_ms >= first + SLACK_MS then return follow.last end
  end
end

---@class hbdx.FollowStart
---@field from_ms integer? nil: nothing tells a time yet, and all that comes is new
---@field last fun(path: string): integer? bytes of what is there that reach back to it

--- Reads --from, or a length of time before the files' end.
---@param operands string[]
---@param zone string?
---@param from string
---@param usual boolean? nobody asked for it: it is nothing where the files tell no time
---@return hbdx.FollowStart? start
---@return string|integer? message or the number of a signal that came
function M.start(operands, zone, from, usual)
  local group, message = read(operands, zone)
  if not group then return nil, message end
  local to_ms = group.case.core:rows("SELECT max(last_ms) AS t FROM source")[1].t
  if usual and not to_ms then
    group:close()
    return { last = function() end }
  end
  local w
  w, message = when.read({ from = from }, { to_ms = to_ms or sys.now_ms(),
    offset = group.case:offset() })
  local last = w and needed(group, w.from_ms)
  group:close()
  if not w then return nil, message end
  return { from_ms = w.from_ms, last = last }
end

return M

--- How many of the events that are followed were shown: with --kind or --table not all of them are.
local events = require "hbdx.events"
local units = require "hbdx.units"

---@class hbdx.ShownEvents
---@field events integer
---@field calls integer slow calls, which are no events
local Shown = {}
Shown.__index = Shown

--- Nothing was shown yet.
---@return hbdx.ShownEvents
function Shown.new() return setmetatable({ events = 0, calls = 0 }, Shown) end

--- Counts what is shown.
---@param list hbdx.Event[]
function Shown:add(list)
  for _, e in ipairs(list) do
    local what = e.kind == events.call_kind and "calls" or "events"
    self[what] = self[what] + 1
  end
end

--- "12 events (3 shown), 1 slow call shown"
---@param found integer events in the files
---@return string
function Shown:words(found)
  local words = units.plural(found, "event")
  if self.events ~= found then words = ("%s (%s shown)"):format(words, units.group(self.events)) end
  if self.calls == 0 then return words end
  return ("%s, %s shown"):format(words, units.plural(self.calls, "slow call"))
end

return Shown

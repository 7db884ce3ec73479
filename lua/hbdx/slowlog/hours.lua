--- Calls per hour of each group, and the row of marks that shows them. An hour is one of the
-- cluster's clock; the groups of a digest share one row of hours, so that their marks line up.
local fold = require "hbdx.slowlog.fold"
local sys = require "hbdx.core.sys"

local hours = {}

local HOUR = 3600000
local BLOCKS = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" }
local DIGITS = { "1", "2", "3", "4", "5", "6", "7", "8", "9" }
local STEPS = { 1, 2, 3, 4, 6, 12, 24 } -- hours of one mark; more than a day doubles

--- Gives each group its `hours`: calls by hours since 1970 of the cluster's clock. A call that does
-- not tell its start is in none.
---@param core table the case's storage
---@param groups table[] with their `key`
---@param asked table options of core:digest that gave the groups
function hours.add(core, groups, asked)
  local by_name = {}
  for _, g in ipairs(groups) do
    g.hours = {}
    by_name[fold.name(asked.by, g.key)] = g
  end
  local by = table.move(asked.by, 1, #asked.by, 1, {})
  by[#by + 1] = "clock_hour"
  for _, part in ipairs(core:digest { by = by, from = asked.from, to = asked.to,
      offset = asked.offset }) do
    local at = part.key.clock_hour
    local g = by_name[fold.name(asked.by, part.key)]
    if at and g then g.hours[at] = part.calls end
  end
end

---@class hbdx.HourRow
---@field from_ms integer when its first mark begins, UTC
---@field step integer hours of one mark
---@field n integer marks

--- The row of hours for all groups of a digest; nil: it would be one mark.
---@param from_ms integer?
---@param to_ms integer?
---@param offset integer ms east of UTC
---@param most integer marks that there is room for
---@return hbdx.HourRow?
function hours.row(from_ms, to_ms, offset, most)
  if not from_ms then return nil end
  local first, last = (from_ms + offset) // HOUR, (to_ms + offset) // HOUR
  local i, step = 1, 1
  local function marks() return last // step - first // step + 1 end
  while marks() > most do
    i = i + 1
    step = STEPS[i] or step * 2
  end
  if marks() < 2 then return nil end
  return { from_ms = first // step * step * HOUR - offset, step = step, n = marks(),
           first = first // step }
end

--- The marks of one group: "." for no call, else its calls against its own busiest mark, as eight
-- heights of blocks or as the digits 1 to 9.
---@param row hbdx.HourRow
---@param calls table<integer, integer>
---@param blocks boolean
---@return string
function hours.marks(row, calls, blocks)
  local sums, most = {}, 0
  for hour, n in pairs(calls) do
    local at = hour // row.step - row.first + 1
    sums[at] = (sums[at] or 0) + n
    most = math.max(most, sums[at])
  end
  local steps, out = blocks and BLOCKS or DIGITS, {}
  for at = 1, row.n do
    out[at] = sums[at] and steps[math.ceil(sums[at] / most * #steps)] or blocks and "." or "0"
  end
  return table.concat(out)
end

--- Whether the locale says that the terminal shows UTF-8.
---@param getenv (fun(name: string): string?)? default: this process's
---@return boolean
function hours.blocks(getenv)
  getenv = getenv or sys.getenv
  local locale = getenv "LC_ALL" or getenv "LC_CTYPE" or getenv "LANG" or ""
  return locale:lower():find("utf%-?8") ~= nil
end

return hours

--- The log of one server: lines are written in any order and come out by time, in the layout of
-- the server's release.
local when = require "gen.when"

---@class gen.logbook
---@field private lines table[]
local Logbook = {}
Logbook.__index = Logbook

---@param offset integer -- minutes east of UTC that the JVM's clock shows
---@param sep string -- between date and time: "T" (log4j2) or " "
---@return gen.logbook
local function new(offset, sep)
  return setmetatable({ lines = {}, offset = offset, sep = sep }, Logbook)
end

--- The stock layouts keep the last 1000 characters of a message.
---@param t integer
---@param level string
---@param thread string
---@param logger string -- last two parts of its name
---@param message string
---@param rest string? -- continuation lines (a stack trace), without the last line feed
function Logbook:line(t, level, thread, logger, message, rest)
  if #message > 1000 then message = message:sub(-1000) end
  table.insert(self.lines, { t = t // 1, n = #self.lines, text = string.format("%-5s [%s] %s: %s",
                             level, thread, logger, message), rest = rest })
end

--- A line that no logger wrote, such as the start script's banner.
---@param t integer
---@param text string
function Logbook:bare(t, text)
  table.insert(self.lines, { t = t // 1, n = #self.lines, bare = text })
end

--- All lines from first to last, as one text.
---@param first integer?
---@param last integer?
---@return string
function Logbook:text(first, last)
  table.sort(self.lines, function(a, b)
    if a.t ~= b.t then return a.t < b.t end
    return a.n < b.n
  end)
  local out = {}
  for _, line in ipairs(self.lines) do
    if line.t >= (first or line.t) and line.t <= (last or line.t) then
      out[#out + 1] = line.bare
        or when.stamp(line.t, self.offset, self.sep) .. " " .. line.text
      if line.rest then out[#out + 1] = line.rest end
    end
  end
  out[#out + 1] = ""
  return table.concat(out, "\n")
end

return { new = new }

--- The text of a calculation: its inputs with the settings they stand for, results, warnings.
local value = require "hbdx.value"

local Text = {}
Text.__index = Text

local WIDTH <const> = 80

local function shown(param, v)
  if param.type == "size" then return value.size_text(v) end
  if param.type == "version" then return v.text end
  if param.type == "list" then
    local words = {}
    for i, n in ipairs(v) do words[i] = ("%g"):format(n) end
    return table.concat(words, ",")
  end
  return ("%.10g"):format(v)
end

--- Words in lines of at most WIDTH columns, the later ones set in.
local function wrap(first, words, out)
  local line, indent = first, (" "):rep(#first)
  local empty = true
  for word in words:gmatch("%S+") do
    if not empty and #line + 1 + #word > WIDTH then
      out[#out + 1], line, empty = line, indent, true
    end
    line = line .. (empty and "" or " ") .. word
    empty = false
  end
  out[#out + 1] = line
end

--- A count or a size that is 0 by default stands for "there is none".
local function unused(param, v, values)
  return v == 0 and not values.given[param.name]
    and (param.type == "size" or param.type == "integer")
end

--- Begins with the inputs.
---@param command hbdx.CalcCommand
---@param values table
function Text.new(command, values)
  local self = setmetatable({ lines = {}, notes = {} }, Text)
  local defaults = false
  for _, param in ipairs(command.params) do
    local v = values[param.name]
    if v ~= nil and not unused(param, v, values) then
      defaults = defaults or not values.given[param.name]
      wrap(("  %-14s %10s%s "):format(param.option, shown(param, v),
        values.given[param.name] and " " or "*"), param.setting or param.help, self.lines)
    end
  end
  self.lines[#self.lines + 1] = defaults and "  (* default)\n" or ""
  return self
end

--- One figure: its name, its value, and words about it.
function Text:result(name, figure, words)
  self.lines[#self.lines + 1] = ("  %-22s %10s   %s"):format(name, figure, words)
end

function Text:line(line)
  self.lines[#self.lines + 1] = line
end

function Text:warn(words)
  wrap("  !   ", words, self.notes)
end

function Text:note(words)
  wrap("      ", words, self.notes)
end

function Text:__tostring()
  local out = table.concat(self.lines, "\n") .. "\n"
  if #self.notes > 0 then out = out .. "\n" .. table.concat(self.notes, "\n") .. "\n" end
  return out
end

return Text

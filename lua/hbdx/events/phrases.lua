--- Small pieces of the summary's text.
local layout = require "hbdx.report.layout"
local units = require "hbdx.units"

local phrases = {}

local LABEL = 18 -- columns of what stands before a fact

--- "1 line", "2 lines"
---@param n integer
---@param word string
---@return string
function phrases.plural(n, word)
  return ("%s %s%s"):format(units.group(n), word, n == 1 and "" or "s")
end

---@param value any nil: not known
---@param format fun(value: any): string
---@return string
function phrases.known(value, format) return value and format(value) or "unknown" end

--- Appends a line, without blanks at its end.
---@param out string[]
---@param fmt string of string.format
function phrases.line(out, fmt, ...) out[#out + 1] = (fmt:format(...):gsub("%s+$", "")) end

--- Appends "   label   words", wrapped.
---@param ctx hbdx.ReportContext
---@param out string[]
---@param label string
---@param s string
function phrases.facts(ctx, out, label, s) layout.labelled(ctx, out, label, s, LABEL) end

return phrases

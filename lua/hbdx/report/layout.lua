--- How text reports are laid out: columns, broken lines, places. What came from outside is escaped
-- here, at the last step before it is shown.
local text = require "hbdx.core.text"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

local layout = {}

--- Lines of at most `width` columns, broken at blanks; a longer word is broken inside.
---@param s string escaped here
---@param width integer
---@return string[]
function layout.wrap(s, width)
  local lines, line, used = {}, "", 0
  for word in text.escape(s):gmatch("%S+") do
    local n = text.width(word)
    if line ~= "" and used + 1 + n > width then
      lines[#lines + 1], line = line, ""
    end
    while n > width do
      lines[#lines + 1] = word:sub(1, utf8.offset(word, width + 1) - 1)
      word = word:sub(utf8.offset(word, width + 1))
      n = text.width(word)
    end
    line = line == "" and word or line .. " " .. word
    used = text.width(line)
  end
  lines[#lines + 1] = line
  return lines
end

local function pad(s, width)
  return s .. (" "):rep(math.max(0, width - text.width(s)))
end

--- "   why     text", continued under its first column.
---@param ctx hbdx.ReportContext
---@param out string[]
---@param label string
---@param s string
---@param indent integer? where the text begins
function layout.labelled(ctx, out, label, s, indent)
  indent = indent or 11
  local head = pad("   " .. label, indent)
  for line in (s .. "\n"):gmatch("(.-)\n") do
    for _, piece in ipairs(layout.wrap(line, ctx.width - indent)) do
      out[#out + 1] = head .. piece
      head = (" "):rep(indent)
    end
  end
end

--- A snippet keeps its lines; one that is too long is not broken, so that it can be pasted.
---@param out string[]
---@param s string
function layout.snippet(out, s)
  for line in (s .. "\n"):gmatch("(.-)\n") do
    out[#out + 1] = (" "):rep(9) .. text.escape(line)
  end
end

--- File names without the folder that all sources share.
---@param ctx hbdx.ReportContext
---@param s string
---@return string
function layout.short(ctx, s)
  local at = ctx.prefix ~= "" and s:find(ctx.prefix, 1, true)
  while at do
    s = s:sub(1, at - 1) .. s:sub(at + #ctx.prefix)
    at = s:find(ctx.prefix, at, true)
  end
  return s
end

local function where_words(ctx, where)
  if type(where) ~= "table" then return layout.short(ctx, where or "") end
  local words = { ctx.several and where.server or nil }
  if where.from_ms then words[#words + 1] = window.clock(ctx.case, where, ctx.days > 1) end
  if where.file then words[#words + 1] = where.file .. (where.line and ":" .. where.line or "") end
  return layout.short(ctx, table.concat(words, " "))
end

local function cells_of(ctx, e)
  return {
    text.escape(e.claim),
    text.escape(units.format(e.observed, e.unit)),
    e.baseline ~= nil and "else " .. text.escape(units.format(e.baseline, e.unit)) or "",
    e.limit_text and "limit " .. text.escape(e.limit_text) or "",
    text.escape(where_words(ctx, e.where)),
  }
end

-- The widest cells that still share a column; a wider one pushes its row to the right.
local SHARED = { 25, 12, 16, 16 }

local function column_widths(rows)
  local widths = { 0, 0, 0, 0 }
  for _, row in ipairs(rows) do
    for c, most in ipairs(SHARED) do
      local n = text.width(row[c])
      if n <= most then widths[c] = math.max(widths[c], n) end
    end
  end
  return widths
end

-- One line of evidence in columns; what reaches over the edge goes onto a line of its own.
local function evidence_row(ctx, out, row, widths)
  local line, column = "     ", 5
  for c = 1, 5 do
    if row[c] ~= "" then
      local crowded = c > 1 and text.width(line) > column - 2
      line = (c == 5 or crowded) and line .. "  " or pad(line, column)
      if c > 1 and text.width(line) + text.width(row[c]) > ctx.width then
        out[#out + 1] = (line:gsub("%s+$", ""))
        local pieces = layout.wrap(row[c], ctx.width - 9)
        for i = 1, #pieces - 1 do out[#out + 1] = "         " .. pieces[i] end
        line = "         " .. pieces[#pieces]
      else
        line = line .. row[c]
      end
    end
    if c < 5 and widths[c] > 0 then column = column + widths[c] + 2 end
  end
  out[#out + 1] = (line:gsub("%s+$", ""))
end
--- Evidence in columns.
---@param ctx hbdx.ReportContext
---@param out string[]
---@param list hbdx.Evidence[]
function layout.evidence(ctx, out, list)
  local rows = {}
  for i, e in ipairs(list) do rows[i] = cells_of(ctx, e) end
  local widths = column_widths(rows)
  for i, row in ipairs(rows) do
    evidence_row(ctx, out, row, widths)
    local origin = list[i].origin
    if origin and (ctx.verbose or not origin:find("^parameter")) then
      for _, piece in ipairs(layout.wrap("(" .. layout.short(ctx, origin) .. ")", ctx.width - 9)) do
        out[#out + 1] = "         " .. piece
      end
    end
  end
end

return layout

--- How text reports are laid out: columns, broken lines, places. What came from outside is escaped
-- here, at the last step before it is shown.
local text = require "hbdx.core.text"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

local layout = {}

local SET_IN = (" "):rep(8) -- what is continued, and snippets

-- Adds to lines as much of a word as fills them; gives what is left.
local function break_word(word, width, lines)
  local from, used = 1, 0
  for at, point in utf8.codes(word) do
    local n = text.width(utf8.char(point))
    if used + n > width and used > 0 then
      lines[#lines + 1] = word:sub(from, at - 1)
      from, used = at, 0
    end
    used = used + n
  end
  return word:sub(from)
end

-- Controls, which no escaped text has: a name that stays whole, and its blanks.
local WHOLE, BLANK = "\1", "\2"

-- Marks names, so that they can be copied from what is shown.
local function mark(s, names)
  for _, name in ipairs(type(names) == "table" and names or { names }) do
    name = text.escape(name)
    local marked, at = WHOLE .. name:gsub(" ", BLANK), 1
    local from, to = s:find(name, at, true)
    while from and to >= from do
      s, at = s:sub(1, from - 1) .. marked .. s:sub(to + 1), from + #marked
      from, to = s:find(name, at, true)
    end
  end
  return s
end

--- Lines of at most `width` columns, broken at blanks; a longer word is broken inside, but no name.
---@param s string escaped here
---@param width integer
---@param names (string|string[])? file names in s: they stay whole, and may be wider
---@return string[]
function layout.wrap(s, width, names)
  local lines, line, used = {}, "", 0
  for word in mark(text.escape(s), names):gmatch("%S+") do
    local whole = word:find(WHOLE, 1, true)
    if whole then word = word:gsub(WHOLE, ""):gsub(BLANK, " ") end
    local n = text.width(word)
    if line ~= "" and used + 1 + n > width then
      lines[#lines + 1], line = line, ""
    end
    if n > width and not whole then word = break_word(word, width, lines) end
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
---@param hang integer? how much further its other lines are set in
---@param names (string|string[])? as of layout.wrap
function layout.labelled(ctx, out, label, s, indent, hang, names)
  indent, hang = indent or 11, hang or 0
  local head = pad("   " .. label, indent)
  for line in (s .. "\n"):gmatch("(.-)\n") do
    for _, piece in ipairs(layout.wrap(line, ctx.width - indent - hang, names)) do
      out[#out + 1] = (head .. piece):gsub("%s+$", "")
      head = (" "):rep(indent + hang)
    end
  end
end

--- Words from the first column on.
---@param ctx hbdx.ReportContext
---@param out string[]
---@param s string
---@param names (string|string[])? as of layout.wrap
function layout.wrapped(ctx, out, s, names)
  for _, line in ipairs(layout.wrap(s, ctx.width, names)) do out[#out + 1] = line end
end

--- A snippet keeps its lines; one that is too long is not broken, so that it can be pasted.
---@param out string[]
---@param s string
function layout.snippet(out, s)
  for line in (s .. "\n"):gmatch("(.-)\n") do
    out[#out + 1] = SET_IN .. text.escape(line)
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

-- A place in words. A server is named where there are several and it is not the one (or are not the
-- ones) that the finding's head names already.
local function where_words(ctx, where)
  if type(where) ~= "table" then return layout.short(ctx, where or "") end
  local words = {}
  if ctx.several and where.server ~= ctx.named then words[1] = where.server end
  if where.from_ms then words[#words + 1] = window.clock(ctx.case, where, ctx.days > 1) end
  if where.file then words[#words + 1] = where.file .. (where.line and ":" .. where.line or "") end
  return layout.short(ctx, table.concat(words, " "))
end

---@class hbdx.EvidenceRow
---@field [integer] string claim, observed, else, limit
---@field where string
---@field line boolean the place is a line of a file
---@field origin string? "(hbase-site.xml:21)"
---@field names string[] files in them

-- What is observed and does not hold must not be read as a sign.
local function missed(e)
  if e.holds ~= false then return "" end
  local at_least = e.relation == "at_least" or e.relation == "more_than"
  return at_least and ", not reached" or ", not met"
end

local function row_of(ctx, e)
  local where = where_words(ctx, e.where)
  local told = e.origin and (ctx.verbose or not e.origin:find("^parameter"))
  local file = type(e.where) == "string" and where or type(e.where) == "table" and e.where.file
  local names = { file or nil }
  names[#names + 1] = told and layout.short(ctx, e.origin):match "%S+:%d+$" or nil
  return {
    text.escape(e.claim),
    text.escape(units.format(e.observed, e.unit)),
    e.baseline ~= nil and "else " .. text.escape(units.format(e.baseline, e.unit)) or "",
    e.limit_text and "limit " .. text.escape(e.limit_text) .. missed(e) or "",
    names = names,
    where = text.escape(where), line = type(e.where) == "string" and where:find(":%d+$") ~= nil,
    origin = told and text.escape(("(%s)"):format(layout.short(ctx, e.origin))) or nil,
  }
end

-- What a reader has just read is not said again: the same line of a log, the same origin.
local function without_repeats(rows)
  local origins, place = {}, nil
  for _, row in ipairs(rows) do
    if row.origin and origins[row.origin] then row.origin = nil end
    if row.origin then origins[row.origin] = true end
    local told = row.where
    if row.line and told == place then row.where = "same line" end
    place = told
  end
  return rows
end

-- The widest cells that still share a column; a wider one pushes its row to the right.
local SHARED = { 20, 12, 16, 16 }

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

local function broken(ctx, out, line, cell, names)
  out[#out + 1] = (line:gsub("%s+$", ""))
  local pieces = layout.wrap(cell, ctx.width - #SET_IN, names)
  for i = 1, #pieces - 1 do out[#out + 1] = SET_IN .. pieces[i] end
  return SET_IN .. pieces[#pieces]
end

-- Claim, value, what is usual and the limit, each in its column.
local function cells(ctx, out, row, widths)
  local line, column = "    ", 4
  for c = 1, 4 do
    if row[c] ~= "" then
      local crowded = c > 1 and text.width(line) > column - 2
      line = crowded and line .. "  " or pad(line, column)
      local fits = c == 1 or text.width(line) + text.width(row[c]) <= ctx.width
      line = fits and line .. row[c] or broken(ctx, out, line, row[c])
    end
    if widths[c] > 0 then column = column + widths[c] + 2 end
  end
  return line
end

-- The place and the origin behind the cells: where they fit, else onto lines of their own.
local function tail(ctx, out, line, row)
  for _, more in ipairs { row.where, row.origin or "" } do
    if more ~= "" then
      local fits = text.width(line) + 2 + text.width(more) <= ctx.width
      line = fits and line .. "  " .. more or broken(ctx, out, line, more, row.names)
    end
  end
  return line
end

local function is_short(row)
  return row and row[3] == "" and row[4] == "" and row.where == "" and not row.origin
end

--- Evidence in columns. Facts that are a name and a value share a line.
---@param ctx hbdx.ReportContext
---@param out string[]
---@param list hbdx.Evidence[]
function layout.evidence(ctx, out, list)
  local rows = {}
  for i, e in ipairs(list) do rows[i] = row_of(ctx, e) end
  local widths = column_widths(without_repeats(rows))
  local i = 1
  while rows[i] do
    local line = tail(ctx, out, cells(ctx, out, rows[i], widths), rows[i])
    while is_short(rows[i]) and is_short(rows[i + 1]) do
      local joined = ("%s; %s  %s"):format(line, rows[i + 1][1], rows[i + 1][2])
      if text.width(joined) > ctx.width then break end
      line, i = joined, i + 1
    end
    out[#out + 1] = (line:gsub("%s+$", ""))
    i = i + 1
  end
end

return layout

--- Values for a person's eyes: scalars as they are, short tables on one line, lists of records as
-- columns, deep ones indented and cut. What came from outside is escaped.
local text = require "hbdx.core.text"

local M = {}

local MAX_ROWS, MAX_ITEMS, MAX_DEPTH, MAX_CELL = 50, 100, 6, 44

--- How values of some kinds are shown: { is = function(v), show = function(v, width) }.
M.kinds = {}

local function number(n)
  if math.type(n) == "integer" then return ("%d"):format(n) end
  if n ~= n or n == math.huge or n == -math.huge then return tostring(n) end
  local short = ("%.6g"):format(n)
  return tonumber(short) == n and short or ("%.14g"):format(n)
end

local function quoted(s)
  return '"' .. text.escape((s:gsub('[\\"]', "\\%0"))) .. '"'
end

local function scalar(v)
  if type(v) == "string" then return quoted(v) end
  if type(v) == "number" then return number(v) end
  return text.escape(tostring(v))
end

local function is_name(key)
  return type(key) == "string" and key:find("^[%a_][%w_]*$") ~= nil
end

local RANK = { number = 1, string = 2 }

local function before(a, b)
  local ta, tb = RANK[type(a)] or 3, RANK[type(b)] or 3
  if ta ~= tb then return ta < tb end
  if ta == 3 then return tostring(a) < tostring(b) end
  return a < b
end

--- Keys beyond the list 1..n, sorted.
local function other_keys(t, n)
  local keys = {}
  for key in next, t do
    if not (math.type(key) == "integer" and key >= 1 and key <= n) then keys[#keys + 1] = key end
  end
  table.sort(keys, before)
  return keys
end

local function kind_of(v)
  for _, kind in ipairs(M.kinds) do
    if kind.is(v) then return kind end
  end
end

local nested

local function item(v, state, depth)
  if type(v) ~= "table" then return scalar(v) end
  local meta = getmetatable(v)
  if type(meta) == "table" and meta.__tostring then return text.escape(tostring(v)) end
  if state.open[v] then return "{ ... itself }" end
  if depth >= MAX_DEPTH then return next(v) == nil and "{}" or "{ ... }" end
  return nested(v, state, depth)
end

--- "key = value" of every field, at most MAX_ITEMS of them.
local function fields(t, state, depth)
  local list, n = {}, rawlen(t)
  for i = 1, math.min(n, MAX_ITEMS) do list[i] = item(t[i], state, depth + 1) end
  local keys = other_keys(t, n)
  for i = 1, math.min(#keys, MAX_ITEMS - #list) do
    local key = keys[i]
    local label = is_name(key) and key or "[" .. scalar(key) .. "]"
    list[#list + 1] = label .. " = " .. item(t[key], state, depth + 1)
  end
  local hidden = n + #keys - #list
  if hidden > 0 then list[#list + 1] = ("... %d more"):format(hidden) end
  return list
end

function nested(t, state, depth)
  state.open[t] = true
  local list = fields(t, state, depth)
  state.open[t] = nil
  if #list == 0 then return "{}" end
  local line = "{ " .. table.concat(list, ", ") .. " }"
  local indent = ("  "):rep(depth)
  if not line:find("\n", 1, true) and #indent + text.width(line) <= state.width then return line end
  return "{\n" .. indent .. "  " .. table.concat(list, ",\n" .. indent .. "  ") .. "\n" .. indent
    .. "}"
end

--- The columns of a list of records, those of its metatable's __columns first; nil when it is none.
local function columns_of(list)
  local n, meta = rawlen(list), getmetatable(list)
  if n < 2 or #other_keys(list, n) > 0 then return nil end
  local set, columns = {}, {}
  for i = 1, math.min(n, MAX_ROWS) do
    local row = list[i]
    if type(row) ~= "table" or rawlen(row) > 0 or next(row) == nil then return nil end
    for key in next, row do
      if not is_name(key) then return nil end
      if not set[key] then set[key], columns[#columns + 1] = true, key end
    end
  end
  local rank = {}
  for i, name in ipairs(type(meta) == "table" and meta.__columns or {}) do rank[name] = i end
  table.sort(columns, function(a, b)
    if rank[a] or rank[b] then return (rank[a] or math.huge) < (rank[b] or math.huge) end
    return a < b
  end)
  return columns
end

local function cell(v)
  if v == nil then return "" end
  if type(v) == "table" then return "{ ... }" end
  if math.type(v) == "float" then return ("%.6g"):format(v) end
  local s = type(v) == "string" and text.escape(v) or scalar(v)
  if text.width(s) <= MAX_CELL then return s end
  return s:sub(1, (utf8.offset(s, MAX_CELL - 2) or MAX_CELL - 2) - 1) .. "..."
end

local function padded(s, width, right)
  local gap = (" "):rep(width - text.width(s))
  return right and gap .. s or s .. gap
end

local function measure(list, columns, shown)
  local widths, right = {}, {}
  for c, name in ipairs(columns) do
    widths[c], right[c] = #name, true
    for i = 1, shown do
      local v = list[i][name]
      widths[c] = math.max(widths[c], text.width(cell(v)))
      right[c] = right[c] and (v == nil or type(v) == "number")
    end
  end
  return widths, right
end

--- A list of records as columns; nil when they do not fit.
local function as_columns(list, columns, width)
  local shown = math.min(rawlen(list), MAX_ROWS)
  local widths, right = measure(list, columns, shown)
  local total = 2 * (#columns - 1)
  for _, w in ipairs(widths) do total = total + w end
  if total > width then return nil end
  local lines = {}
  local function add(get)
    local cells = {}
    for c, name in ipairs(columns) do cells[c] = padded(get(name), widths[c], right[c]) end
    lines[#lines + 1] = (table.concat(cells, "  "):gsub("%s+$", ""))
  end
  add(function(name) return name end)
  for i = 1, shown do add(function(name) return cell(list[i][name]) end) end
  if rawlen(list) > shown then
    lines[#lines + 1] = ("... %d more"):format(rawlen(list) - shown)
  end
  return table.concat(lines, "\n")
end

local function plain_string(s)
  local lines = {}
  for line in (s .. "\n"):gmatch("([^\n]*)\n") do
    lines[#lines + 1] = text.escape((line:gsub("\t", "    ")))
  end
  return table.concat(lines, "\n")
end

--- A value as text of at most about `width` columns, without a line end.
---@param v any
---@param width integer
---@return string
function M.show(v, width)
  if type(v) == "string" then return plain_string(v) end
  local kind = kind_of(v)
  if kind then return (kind.show(v, width):gsub("\n+$", "")) end
  if type(v) ~= "table" then return scalar(v) end
  local meta = getmetatable(v)
  local columns = not (type(meta) == "table" and meta.__tostring) and columns_of(v)
  return columns and as_columns(v, columns, width) or item(v, { open = {}, width = width }, 0)
end

return M

--- Checks of arguments and of tables that people write. A misuse raises, with the place of the
-- caller.
local check = {}

--- Raises unless value is of the wanted type.
---@param n integer|string the argument's number, or its name
---@param value any
---@param wanted string a Lua type, or several joined by "|"; "nil" makes it optional
---@param level integer? stack level to blame, as in error(); default: the caller of the caller
function check.arg(n, value, wanted, level)
  local got = math.type(value) == "integer" and "integer" or type(value)
  for one in wanted:gmatch("[^|]+") do
    if got == one or type(value) == one then return end
  end
  error(("bad argument '%s' (%s expected, got %s)"):format(n, wanted:gsub("|", " or "), got),
        (level or 2) + 1)
end

--- The name of `set`'s keys that looks most like `word`, for "did you mean".
---@param word string
---@param names string[]
---@return string? nearest nil when nothing is near
function check.nearest(word, names)
  local best, best_cost
  for _, name in ipairs(names) do
    local cost = check.distance(word:lower(), name:lower())
    if not best_cost or cost < best_cost then best, best_cost = name, cost end
  end
  if best and best_cost <= math.max(2, #word // 3) then return best end
end

--- Edits (insert, delete, replace) that turn a into b.
---@param a string
---@param b string
---@return integer
function check.distance(a, b)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local replaced = diagonal + (a:byte(i) == b:byte(j) and 0 or 1)
      diagonal = row[j]
      row[j] = math.min(replaced, row[j] + 1, row[j - 1] + 1)
    end
  end
  return row[#b]
end

return check

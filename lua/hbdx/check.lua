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

local MOST_NEAR = 5 -- names that are suggested

local function by_cost(a, b)
  if a.cost ~= b.cost then return a.cost < b.cost end
  return a.name < b.name
end

--- Names that look like a word: those that hold it, then those a few letters away.
---@param word string
---@param names string[]
---@return string[] at most 5
function check.near(word, names)
  local low, list = word:lower(), {}
  local most = math.min(#low // 2, math.max(2, #low // 3)) -- a letter alone looks like anything
  for _, name in ipairs(names) do
    local held = #low >= 3 and name:lower():find(low, 1, true)
    local far = math.abs(#name - #low) > most
    local cost = held and (#name - #low) / 100 or not far and check.distance(low, name:lower())
    if cost and cost <= most then
      list[#list + 1] = { name = name, cost = cost }
    end
  end
  table.sort(list, by_cost)
  local near = {}
  for i = 1, math.min(MOST_NEAR, #list) do near[i] = list[i].name end
  return near
end

--- What was perhaps meant by a word that is none of the names: ": did you mean a, b or c?", or
--- nothing.
---@param word string
---@param names string[]
---@param form string? how a name is shown: "--%s"; default: as it is
---@return string
function check.meant(word, names, form)
  local near = check.near(word, names)
  for i, name in ipairs(near) do near[i] = (form or "%s"):format(name) end
  if #near == 0 then return "" end
  local last = table.remove(near)
  return (": did you mean %s?"):format(#near > 0 and table.concat(near, ", ") .. " or " .. last
    or last)
end

--- Edits (insert, delete, replace, swap two neighbours) that turn a into b.
---@param a string
---@param b string
---@return integer
function check.distance(a, b)
  local above, row = {}, {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local last = above
    above, row = row, { [0] = i }
    for j = 1, #b do
      local replaced = above[j - 1] + (a:byte(i) == b:byte(j) and 0 or 1)
      row[j] = math.min(replaced, above[j] + 1, row[j - 1] + 1)
      if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
        row[j] = math.min(row[j], last[j - 2] + 1)
      end
    end
  end
  return row[#b]
end

return check

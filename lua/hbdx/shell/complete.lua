--- Completion at the prompt: globals, fields after a dot, methods after a colon, names of metrics,
-- playbooks and helps between quotes. Nothing is called while completing.
local M = {}

local KEYWORDS = { "and", "break", "do", "else", "elseif", "end", "false", "for", "function",
  "goto", "if", "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until",
  "while" }

local function starts(s, prefix) return s:sub(1, #prefix) == prefix end

local function is_name(key)
  return type(key) == "string" and key:find("^[%a_][%w_]*$") ~= nil
end

--- Adds the string keys of a table and of what stands behind it (__index tables).
local function add_keys(t, list, seen, only_functions)
  for _ = 1, 5 do
    if type(t) ~= "table" then return end
    for key, value in next, t do
      if is_name(key) and not seen[key] and not starts(key, "__")
        and (not only_functions or type(value) == "function") then
        seen[key], list[#list + 1] = type(value), key
      end
    end
    local meta = getmetatable(t)
    t = type(meta) == "table" and rawget(meta, "__index")
  end
end

local function behind(value)
  if type(value) == "string" then return string end
  local meta = getmetatable(value)
  return type(value) == "table" and value or type(meta) == "table" and rawget(meta, "__index")
end

--- The value of a.b.c in env without calling anything.
local function resolve(env, path)
  local value = env
  for name in path:gmatch("[%a_][%w_]*") do
    local t, found = behind(value), nil
    for _ = 1, 5 do
      if type(t) ~= "table" then return nil end
      found = rawget(t, name)
      if found ~= nil then break end
      local meta = getmetatable(t)
      t = type(meta) == "table" and rawget(meta, "__index")
    end
    value = found
    if value == nil then return nil end
  end
  return value
end

local function matching(list, prefix, before, types)
  local out = {}
  table.sort(list)
  for _, name in ipairs(list) do
    if starts(name, prefix) then
      local call = types and types[name] == "function" and "(" or ""
      out[#out + 1] = before .. name .. call
    end
  end
  return out
end

local function names_in_code(env, word)
  local path, separator, prefix = word:match("^(.-)([.:]?)([%w_]*)$")
  local list, seen = {}, {}
  if separator ~= "" then
    add_keys(behind(resolve(env, path)), list, seen, separator == ":")
    return matching(list, prefix, path .. separator, seen)
  end
  add_keys(env, list, seen)
  for _, keyword in ipairs(KEYWORDS) do
    list[#list + 1], seen[keyword] = keyword, "keyword"
  end
  return matching(list, prefix, "", seen)
end

--- What may stand in the quotes after a call of these names.
local TOPICS = {
  load = false, open = false, save = false, -- false: names of files
  help = function()
    local names = require("hbdx.explain").names()
    for name in pairs(require("hbdx.shell.help").names()) do names[#names + 1] = name end
    return names
  end,
  run = function()
    local names = {}
    for i, book in ipairs(require("hbdx.playbook").all()) do names[i] = book.id end
    return names
  end,
  setting = function() return require("hbdx.setting").names() end,
  events = function() return require("hbdx.eventdoc").names() end,
}

--- The name of the function whose string argument is being typed: of `f "ab`, `f("ab`, `f{"ab`.
local function called(line, start)
  return line:sub(1, start - 2):match("([%a_][%w_]*)%s*[({]?[^(){}]*$")
end

---@param env table
---@param line string up to the cursor
---@param start integer where the word begins
---@return string[]? words that may replace it; nil: names of files
function M.words(env, line, start)
  local word, quote = line:sub(start), line:sub(start - 1, start - 1)
  if quote ~= '"' and quote ~= "'" then return names_in_code(env, word) end
  local topic = TOPICS[called(line, start) or ""]
  if topic == false then return nil end
  local list = topic and topic() or require("hbdx.metric").names()
  local seen, unique = {}, {}
  for _, name in ipairs(list) do
    if not seen[name] then seen[name], unique[#unique + 1] = true, name end
  end
  return matching(unique, word, "")
end

return M

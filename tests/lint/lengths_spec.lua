--- Length budgets: functions and files stay short enough to be read at a glance. The counters are
-- our own and are tested on a text of known lengths first.
package.path = require("hbdx.core.sys").home() .. "/tests/?.lua;" .. package.path
local tree = require "lint.tree"

local BUDGET = {
  c = { median = 12, p90 = 35, most = 60, file = 500 },
  lua = { median = 8, p90 = 25, most = 60, file = 300 },
}
local PLAYBOOK_FILE = 120

local function count_lines(text)
  local _, n = text:gsub("\n", "")
  return n
end

--- Does a line begin a function, or the declaration of one?
local function c_head(line)
  return line:find("^[%a_].*%(") and not line:find(" = ", 1, true) and not line:find("^typedef")
    and line:match("([%w_]+)%s*%(")
end

--- Lengths of the functions of a C file as clang-format writes it: from a line that begins in the
--- first column and has a parenthesis, if a brace ends it or one of the next lines before a
--- semicolon or an empty line does, to the next brace in the first column.
local function c_functions(text)
  local list, first, inside, number, name = {}, nil, false, 0, nil
  for line in text:gmatch("([^\n]*)\n") do
    number = number + 1
    if inside then
      if line:find("^}") then
        list[#list + 1] = { name = name, n = number - first + 1 }
        first, inside = nil, false
      end
    else
      if not first then
        name = c_head(line)
        first = name and number
      end
      if first and line:find("{$") then
        inside = true
      elseif line:find("[;}]$") or line == "" then
        first = nil
      end
    end
  end
  return list
end

--- Skips strings and comments; gives each word and where it stands.
local function words(text)
  local at, line = 1, 1
  local function skip(to)
    local _, n = text:sub(at, to):gsub("\n", "")
    line, at = line + n, to + 1
  end
  return function()
    while at <= #text do
      local level = text:match("^%-%-%[(=*)%[", at) or text:match("^%[(=*)%[", at)
      local quote = text:match("^[\"']", at)
      local word = text:match("^[%a_][%w_]*", at)
      if level then
        skip(select(2, text:find("]" .. level .. "]", at, true)) or #text)
      elseif text:find("^%-%-", at) then
        skip((text:find("\n", at, true) or #text + 1) - 1)
      elseif quote then
        local to = at + 1
        while to <= #text and text:sub(to, to) ~= quote do
          to = to + (text:sub(to, to) == "\\" and 2 or 1)
        end
        skip(to)
      elseif word then
        at = at + #word
        return word, line
      else
        skip(at)
      end
    end
  end
end

local OPENS = { ["function"] = true, ["do"] = true, ["if"] = true, ["repeat"] = true }
local CLOSES = { ["end"] = true, ["until"] = true }

--- Lengths of the functions of a Lua file.
local function lua_functions(text)
  local list, open = {}, {}
  for word, line in words(text) do
    if OPENS[word] then
      open[#open + 1] = { word = word, line = line }
    elseif CLOSES[word] then
      local o = assert(table.remove(open), "an end without a beginning")
      if o.word == "function" then
        list[#list + 1] = { name = "line " .. o.line, n = line - o.line + 1 }
      end
    end
  end
  assert(#open == 0, "a block that does not end")
  return list
end

local function quantile(sorted, q) return sorted[math.max(1, math.ceil(q * #sorted))] end

--- Counts all files; gives what is over budget, and the sorted lengths of the functions.
local function measure(files, functions, budget)
  local over, lengths = {}, {}
  for _, path in ipairs(files) do
    local text = tree.read(path)
    local most = path:find("^playbooks/") and PLAYBOOK_FILE or budget.file
    if count_lines(text) > most then
      over[#over + 1] = ("%s has %d lines, %d at most"):format(path, count_lines(text), most)
    end
    for _, f in ipairs(functions(text)) do
      lengths[#lengths + 1] = f.n
      if f.n > budget.most then
        over[#over + 1] = ("%s: %s has %d lines"):format(path, f.name, f.n)
      end
    end
  end
  table.sort(lengths)
  return over, lengths
end

local function within(files, functions, budget)
  local over, lengths = measure(files, functions, budget)
  assert.truthy(#files > 10 and #lengths > 50, "there is nothing to measure")
  assert.same({}, over)
  assert.truthy(quantile(lengths, 0.5) <= budget.median,
    ("the median is %d"):format(quantile(lengths, 0.5)))
  assert.truthy(quantile(lengths, 0.9) <= budget.p90,
    ("a tenth is longer than %d"):format(quantile(lengths, 0.9)))
end

describe("the counters", function()
  it("count functions of C", function()
    local list = c_functions([[
static const int table[] = {
    1,
};
struct x {
    int a;
};
int declared(int a);
int declared_long(int a,
                  int b);
static int one(int a) {
    return a;
}
static int two(int a,
               int b) {
    if (a) {
        return b;
    }
    return a;
}
]])
    assert.same({ { name = "one", n = 3 }, { name = "two", n = 7 } }, list)
  end)

  it("count functions of Lua", function()
    local list = lua_functions([==[
local function a() return "end" end
-- function in a comment
local s = [[ function ]]
function M.b(x)
  if x then
    for i = 1, 2 do print(i) end
  end
  repeat local y = 'it\'s' until y
  while x do x = nil end
  return function() return 1
  end
end
]==])
    table.sort(list, function(x, y) return x.n < y.n end)
    assert.same({ 1, 2, 9 }, { list[1].n, list[2].n, list[3].n })
  end)
end)

describe("the lengths", function()
  it("of C are within the budget", function()
    within(tree.files("core", "%.[ch]$"), c_functions, BUDGET.c)
  end)

  it("of tests in C are within the budget of files and functions", function()
    local files = tree.files("tests/bench", "%.[ch]$", tree.files("tests/c", "%.[ch]$"))
    local over = measure(files, c_functions, BUDGET.c)
    assert.same({}, over)
  end)

  it("of Lua are within the budget", function()
    within(tree.files("playbooks", "%.lua$", tree.files("lua", "%.lua$")), lua_functions,
      BUDGET.lua)
  end)

  it("of every line are within 100 columns", function()
    local text, over = require "hbdx.core.text", {}
    local files = tree.files("lua", "%.lua$", tree.files("core", "%.[ch]$"))
    tree.files("tests", "%.lua$", tree.files("playbooks", "%.lua$", files))
    for _, path in ipairs(files) do
      local number = 0
      for line in tree.read(path):gmatch("([^\n]*)\n") do
        number = number + 1
        if text.width(line) > 100 then over[#over + 1] = path .. ":" .. number end
      end
    end
    assert.same({}, over)
  end)
end)

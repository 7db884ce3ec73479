--- One statement of the shell: is it whole, what does it give, how did it fail.
local check = require "hbdx.check"
local guard = require "hbdx.core.guard"

local M = {}

--- Compiles what was typed: an expression gives its values, "=" before it or not; a text that could
--- go on is incomplete.
---@param source string
---@param env table
---@param line integer? the line of the input that it begins on; default: 1
---@return function? chunk
---@return string? message
---@return boolean? incomplete
function M.compile(source, env, line)
  source = ("\n"):rep((line or 1) - 1) .. source
  local expression = source:match("^%s*=(.*)$")
  local chunk, first = load("return " .. (expression or source), "=shell", "t", env)
  if chunk then return chunk end
  local message = first
  if not expression then chunk, message = load(source, "=shell", "t", env) end
  if chunk then return chunk end
  local open_end = " near <eof>$"
  return nil, message, (first:find(open_end) or message:find(open_end)) ~= nil
end

-- Names of a table, and of what it inherits.
local function names_of(t)
  local names = {}
  while type(t) == "table" do
    for name in next, t do names[#names + 1] = type(name) == "string" and name or nil end
    t = (getmetatable(t) or {}).__index
  end
  return names
end

--- What was perhaps meant where a statement called a name that is not there, as check.meant says
--- it.
---@param message string of Lua
---@param source string the statement
---@param env table
---@return string
function M.meant(message, source, env)
  local kind, name = message:match "attempt to call a nil value %((%a+) '([%w_]+)'%)$"
  if kind == "global" then return check.meant(name, names_of(env)) end
  for owner, member in source:gmatch "([%a_][%w_]*)%s*[.:]%s*([%a_][%w_]*)" do
    if member == name and type(env[owner]) == "table" then
      return check.meant(name, names_of(env[owner]), owner .. ".%s")
    end
  end
  return ""
end

local OURS = { "hbdx.core.guard.call", "lua/hbdx/shell/" }
local WITHIN = "lua/hbdx/[%w_/]+%.lua:%d+: in "

--- The lines of a traceback that the user's own code is in.
local function own_part(traceback)
  local lines = {}
  for line in (traceback or ""):gmatch("[^\n]+") do
    for _, mark in ipairs(OURS) do
      if line:find(mark, 1, true) then return table.concat(lines, "\n") end
    end
    if not line:find(WITHIN) then lines[#lines + 1] = line end
  end
  return table.concat(lines, "\n")
end

--- Runs a chunk so that Ctrl-C ends it.
---@param chunk function
---@return boolean ok
---@return table results_or_error packed results, or {message=, traceback=, kind=}
function M.run(chunk)
  local packed = table.pack(guard.call(chunk, { interruptible = true }))
  if packed[1] then return true, table.pack(table.unpack(packed, 2, packed.n)) end
  local e = packed[2]
  e.traceback = own_part(e.traceback)
  return false, e
end

--- An error as the shell shows it: the place in our own files is of no use to the user.
---@param e table of M.run
---@return string
function M.explain(e)
  if e.kind == "interrupt" then return "interrupted" end
  local message = tostring(e.message):gsub("^[^\n:]*lua/hbdx/[^:\n]*:%d+: ", "")
  local _, depth = e.traceback:gsub("\n", "")
  return depth > 2 and message .. "\n" .. e.traceback or message
end

return M

--- The shell: reads statements, runs them, shows what they give. On a terminal with prompt, history
-- and completion; from a pipe as a plain feed of statements that stops at the first that fails.
local eval = require "hbdx.shell.eval"
local print_value = require "hbdx.shell.print"
local say = require "hbdx.say"
local sys = require "hbdx.core.sys"

local M = {}

local USAGE_ERROR <const>, UNREAD <const> = 2, 3

local function width()
  return math.max(40, math.min(sys.isatty(1) and sys.columns() or 80, 200))
end

local function show(values)
  for i = 1, values.n do io.stdout:write(print_value.show(values[i], width()), "\n") end
  io.stdout:flush()
end

-- An error of a feed, with its line of the input; where Lua names none, that of the statement.
local function placed(message, line)
  local n
  message, n = message:gsub("^shell:", "line ")
  return n == 1 and message or ("line %d: %s"):format(line, message)
end

--- Runs one whole statement and shows what it gives, all of which Ctrl-C may end.
local function perform(state, chunk, source, line)
  local ok, result = eval.run(function()
    local values = table.pack(chunk())
    if values.n > 0 then state.env._ = values[1] end
    show(values)
  end)
  if ok then return true end
  io.stdout:flush()
  local message = eval.explain(result)
  message = message:gsub("^[^\n]+", function(first)
    return first .. eval.meant(first, source, state.env)
  end)
  io.stderr:write(print_value.show(line and placed(message, line) or message, width()), "\n")
  return false
end

--- Reads lines until they are a whole statement. Gives the chunk, or nil and why there is none:
--- "end", "interrupt", or the error in the statement; its text, and the line of the input that it
--- begins on, where a feed counts them.
local function read_statement(state, read)
  local lines = {}
  local function compile()
    local first = state.line and state.line - #lines + 1
    return first, eval.compile(table.concat(lines, "\n"), state.env, first)
  end
  while true do
    local line = read(#lines > 0)
    if line == false then return nil, "interrupt" end
    if line == nil then
      if #lines == 0 then return nil, "end" end
      local first, _, message = compile()
      return nil, message, nil, first
    end
    lines[#lines + 1] = line
    local source = table.concat(lines, "\n")
    if source:find("%S") then
      local first, chunk, message, incomplete = compile()
      if not incomplete then return chunk, message, source, first end
    else
      lines = {}
    end
  end
end

--- A feed of statements without a person: the first failure ends it.
local function feed(state)
  state.line = 0
  local function read()
    local line = io.stdin:read "l"
    state.line = state.line + (line and 1 or 0)
    return line
  end
  while true do
    local chunk, why, source, line = read_statement(state, read)
    if not chunk and why == "end" then return state.unread and UNREAD or 0 end
    if not chunk then
      say.error(placed(why, line))
      return USAGE_ERROR
    end
    if not perform(state, chunk, source, line) then return USAGE_ERROR end
  end
end

--- Where the history is kept; nil: nowhere.
local function history_path()
  local base, home = sys.getenv "XDG_STATE_HOME", sys.getenv "HOME"
  if not base and not home then return nil end
  return (base or home .. "/.local/state") .. "/hbdx/history"
end

--- A statement may hold a secret: an address with a password. Those, and statements that begin with
--- a blank, are not remembered.
local function may_remember(source)
  return not source:find("^%s") and not source:find("://[^/%s\"']*@")
end

local function count(n, word)
  return ("%d %s%s"):format(n, word, n == 1 and "" or "s")
end

--- The prompt: the case, what it is made of, and how much of it there is.
---@param state hbdx.ShellState
---@return string
function M.prompt(state)
  local c = state.coverage
  if c.files == 0 then return "hbdx> " end
  local servers = 0
  for _, s in ipairs(state.case:servers()) do
    if not s.is_master then servers = servers + 1 end
  end
  local name = state.case.name:match("([^/]+)/*$") or state.case.name
  if #name > 30 then name = name:sub(1, 27) .. "..." end
  local live = state.case.name:find("^https?://") and "live, " or ""
  local unread = #c.unread > 0 and (", %d not read"):format(#c.unread) or ""
  return ("%s [%s%s, %s%s]> "):format(require("hbdx.core.text").escape(name), live,
    count(servers, "server"), count(c.files, "file"), unread)
end

--- Kept at once, so that it outlives a shell that is killed; where it cannot be kept, it is not.
local function remember(repl, source, path)
  repl.remember(source)
  if path then repl.write_history(path) end
end

--- "quit" and "exit", with or without parentheses, unless they are names of the user's own.
local function wants_out(state, source)
  local word = source:match("^%s*(%l+)%s*[()]*%s*$")
  return (word == "quit" or word == "exit") and state.env[word] == nil
end

local function converse(state, repl, path)
  local function read(continued)
    local prompt = M.prompt(state)
    return repl.line(continued and (" "):rep(math.max(0, #prompt - 3)) .. ">> " or prompt)
  end
  while true do
    local chunk, why, source = read_statement(state, read)
    if source and may_remember(source) then remember(repl, source, path) end
    if source and wants_out(state, source) then return 0 end
    if chunk then
      perform(state, chunk, source)
    elseif why == "end" then
      io.stdout:write("\n")
      return 0
    elseif why ~= "interrupt" then
      io.stderr:write(print_value.show(why:gsub("^shell:", "line "), width()), "\n")
    end
  end
end

local function at_terminal(state)
  local repl, complete = require "hbdx.core.repl", require "hbdx.shell.complete"
  local path = history_path()
  repl.open()
  repl.completer(function(line, start) return complete.words(state.env, line, start) end)
  if path then
    sys.make_folders(path:match("^(.*)/"))
    repl.read_history(path)
  end
  io.stdout:write(("hbdx %s   help shows what is at hand, Ctrl-D or quit leaves\n"):format(
    sys.version()))
  return converse(state, repl, path)
end

local COMMAND = { name = "", usage = "[OPTION...] [SOURCE...]",
  summary = "The shell: Lua over what was read.",
  details = "At a terminal it has a prompt; from a pipe it runs statements up to the first that "
    .. "fails, whose line is named.\n"
    .. "Exit status: 0; 2 wrong usage, or a statement of a pipe failed; 3 a SOURCE, or with a pipe "
    .. "one that load or open was given, could not be read.",
  examples = { "hbdx samples/cache-eviction", "echo 'load \"logs\" diagnose()' | hbdx" } }

--- hbdx [SOURCE...]
---@param argv string[]
---@return integer status
function M.main(argv)
  local args, session = require "hbdx.args", require "hbdx.session"
  COMMAND.options = session.options
  local given, sources = args.parse(COMMAND, argv)
  if not given then
    say.error(sources)
    return USAGE_ERROR
  end
  if given.help then
    io.stdout:write(args.help(COMMAND))
    return 0
  end
  local samples, wrong = session.samples(given, sources)
  if samples == false then
    say.error(wrong)
    return USAGE_ERROR
  end
  local state = require("hbdx.shell.env").new(given)
  if #sources > 0 then
    local opts = { zone = given["log-tz"], samples = samples }
    table.insert(sources, opts)
    local ok, result = eval.run(function()
      io.stderr:write(say.safe(tostring(state.env.load(table.unpack(sources)))), "\n")
    end)
    if not ok then
      say.error(eval.explain(result))
      return UNREAD
    end
  end
  local status = sys.isatty(0) and at_terminal(state) or feed(state)
  state.case:close()
  return status
end

return M

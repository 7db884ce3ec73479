--- The command line: finds the command, reads its words, runs it. Commands are tables (hbdx.args),
-- from which help, man page and completions are made too.
local args = require "hbdx.args"
local check = require "hbdx.check"

local cli = {}

-- Where the commands are; each module returns a list of them. Read when they are needed, so that
-- the prompt comes up fast.
local MODULES = { diagnose = "hbdx.command.diagnose", run = "hbdx.command.diagnose",
  playbook = "hbdx.command.playbook", import = "hbdx.command.case", sql = "hbdx.command.case",
  slowlog = "hbdx.command.slowlog", events = "hbdx.command.events", calc = "hbdx.command.calc",
  explain = "hbdx.command.explain", help = "hbdx.command.help", lua = "hbdx.command.lua" }

--- The names of the commands, in the order of the help.
cli.names = { "diagnose", "run", "slowlog", "events", "calc", "explain", "playbook", "import",
  "sql", "lua", "help" }

--- A command by its name.
---@param name string
---@return hbdx.Command?
function cli.command(name)
  local module = MODULES[name]
  for _, command in ipairs(module and require(module) or {}) do
    if command.name == name then return command end
  end
end

local function fail(fmt, ...)
  require("hbdx.say").error(fmt:format(...))
  return 2
end

local function dispatch(command, words)
  if command.raw then return command.run({}, words, command) end
  local given, operands = args.parse(command, words)
  if not given then return fail("%s", operands) end
  if given.help then
    io.stdout:write(args.help(command))
    return 0
  end
  return command.run(given, operands, command)
end

-- A first word that is no command: a source for the shell, or a slip.
local function shell(argv)
  local sys = require "hbdx.core.sys"
  local word = argv[1]
  if word and not word:find("^%a+://") and word ~= "-" and not sys.stat(word) then
    return fail("'%s' is neither a command nor a file%s; hbdx help lists the commands", word,
                check.meant(word, cli.names))
  end
  return require("hbdx.shell").main(argv)
end

--- Runs the words of a command line.
---@param argv string[]
---@return integer status see the plan's table of exit statuses
function cli.main(argv)
  local word = argv[1]
  if word == "--version" or word == "-V" then
    io.stdout:write("hbdx ", require("hbdx.core.sys").version(), "\n")
    return 0
  elseif word == "--help" or word == "-h" then
    word = "help"
  elseif word and word:find("^%-.") then
    return fail("there is no option '%s' before a command; hbdx help lists the commands", word)
  end
  local command = word and cli.command(word)
  if not command then return shell(argv) end
  return dispatch(command, table.move(argv, 2, #argv, 1, {}))
end

return cli

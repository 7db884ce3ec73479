--- hbdx calc: the models of amp as commands. Their parameters are amp's own (hbdx.amp.doc), so that
-- an argument has one name, one default and one meaning everywhere; an option may also be called
-- by the setting of HBase that it stands for.
local args = require "hbdx.args"
local check = require "hbdx.check"
local doc = require "hbdx.amp.doc"
local models = require "hbdx.calc.models"
local say = require "hbdx.say"
local value = require "hbdx.value"

local calc = {}

---@class hbdx.CalcCommand
---@field name string "heap"
---@field params hbdx.AmpParam[]
---@field options hbdx.Option[] the same as options of a command line
---@field summary string
---@field run fun(values: table, command: hbdx.CalcCommand): table?, string, string? the result with
--- the keys of the JSON, and the text; or nil, message, code

-- Which model is which; `other` are names under which one would look for an option.
local SPECS = {
  { name = "heap", model = "heap", example = "--heap 32g --active-regions 200",
    other = { memstore = { "memstore-size", "memstore-fraction", "global-memstore" },
      cache = { "block-cache", "cache-size", "cache-fraction" }, active_regions = { "regions" } } },
  { name = "get", model = "get_cost", example = "--files 3,8,16 --files-with-row 2 --cache-hit 0.9",
    types = { files = "list" }, other = { bloom_fp = { "bloom" } } },
  { name = "queues", model = "queues",
    example = "--handlers 60 --read-ratio 0.6 --scan-ratio 0.3" },
  { name = "wal", model = "wals", example = "--memstore 50g --wal-blocksize 256m",
    rename = { blocksize = "wal-blocksize" }, other = { blocksize = { "blocksize" } } },
}

local VALUE = { size = "SIZE", ratio = "RATIO", number = "N", integer = "N", list = "N,N,...",
  version = "VERSION" }
local HBASE = { name = "version", type = "version", default = "2.5", option = "hbase",
  help = "version of HBase: 1.4, 2.5.8, ..." }
local FORMAT = { name = "format", value = "FORMAT", choices = { "text", "json" },
  default = "text", help = "output" }

local function param_of(spec, raw)
  return { name = raw.name, type = spec.types and spec.types[raw.name] or raw.type,
    default = raw.default, required = raw.required, setting = raw.setting, help = raw.help,
    core = raw.core,
    option = spec.rename and spec.rename[raw.name] or raw.name:gsub("_", "-"),
    other = spec.other and spec.other[raw.name] or {} }
end

--- The help has 49 columns for a word.
local function short(name)
  return #name <= 49 and name or "..." .. name:match("^[^.]+%.[^.]+%.(.*)$")
end

local function option_of(param)
  local default = param.default ~= nil and tostring(param.default) or nil
  return { name = param.option, value = VALUE[param.type], default = default,
    help = param.help .. (param.setting and "; stands for " .. short(param.setting) or "")
      .. (param.required and "; must be given" or "") }
end

local function command_of(spec)
  local params, options = {}, {}
  for _, raw in ipairs(doc[spec.model].params) do
    if raw.name ~= "version" then params[#params + 1] = param_of(spec, raw) end
  end
  params[#params + 1] = HBASE
  for i, param in ipairs(params) do options[i] = option_of(param) end
  options[#options + 1] = FORMAT
  return { name = spec.name, params = params, options = options,
    summary = doc[spec.model].summary, example = spec.example, run = models[spec.name] }
end

--- A message of the core names its arguments; here they are options.
local function by_option(command, message)
  for _, param in ipairs(command.params) do
    for _, name in ipairs { param.core or param.name, param.name } do
      message = message:gsub("%f[%w_]" .. name .. "%f[^%w_]", "--" .. param.option, 1)
      if message:find("--" .. param.option, 1, true) then break end
    end
  end
  return message
end

---@type table<string, hbdx.CalcCommand>
calc.commands = {}
--- Their names, in the order of the help.
calc.names = {}
for i, spec in ipairs(SPECS) do
  calc.names[i] = spec.name
  calc.commands[spec.name] = command_of(spec)
end

--- The option that a word stands for: its name, another name for it, or its setting's.
local function canonical(params, word)
  local dashes, name, rest = word:match("^(%-%-)([^=]+)(.*)$")
  if not dashes then return word end
  for _, param in ipairs(params) do
    local fits = name == param.setting
    for _, other in ipairs(param.other or {}) do fits = fits or name == other end
    if fits then return "--" .. param.option .. rest end
  end
  return word
end

-- "32" is meant to be 32g; no size that is asked for is a few bytes.
local function no_slip(bytes, text)
  if bytes == 0 or bytes >= 1024 or not tostring(text):find("^%d+$") then return bytes end
  return nil, ("that is %d bytes; write %sg or %sm"):format(bytes, text, text)
end

--- Texts by option name -> values by argument name.
---@param command hbdx.CalcCommand
---@param given table<string, string>
---@return table? values
---@return string? message
function calc.values(command, given)
  local values = { given = {} }
  for _, param in ipairs(command.params) do
    local text = given[param.option]
    if text == nil and param.required then
      return nil, ("--%s is missing: %s"):format(param.option, param.help)
    elseif text == nil then
      text = param.default
    else
      values.given[param.name] = true
    end
    if text ~= nil then
      local v, message = value[param.type](text)
      if param.type == "size" and v then v, message = no_slip(v, text) end
      if v == nil then
        return nil, ("--%s %s: %s"):format(param.option, text, message)
      end
      values[param.name] = v
    end
  end
  return values
end

local function fail(command, message)
  say.error(("calc %s: %s"):format(command.name, message))
  return 2
end

local function print_json(result)
  local json = require "hbdx.core.json"
  io.stdout:write(json.encode(result, { indent = 2 }), "\n")
end

local function run(command, words)
  for i, word in ipairs(words) do words[i] = canonical(command.params, word) end
  local parser = { name = "calc " .. command.name, options = command.options,
    usage = command.example, summary = command.summary }
  local given, operands = args.parse(parser, words)
  if not given then
    say.error(operands)
    return 2
  end
  if given.help then
    io.stdout:write(args.help(parser))
    return 0
  end
  if operands[1] then return fail(command, ("'%s' is not an option"):format(operands[1])) end
  local values, message = calc.values(command, given)
  if not values then return fail(command, message) end
  local result, text, code = command.run(values, command)
  if not result then
    return fail(command, code == "range" and by_option(command, text) or text)
  end
  if given.format == "json" then
    print_json(result)
  else
    io.stdout:write(text)
  end
  return 0
end

--- The models and an example of each.
---@return string
function calc.overview()
  local out = {}
  for _, name in ipairs(calc.names) do
    local command = calc.commands[name]
    out[#out + 1] = ("  %-7s %s"):format(name, command.summary)
    out[#out + 1] = ("          hbdx calc %s %s"):format(name, command.example)
  end
  out[#out + 1] = "\nhbdx calc MODEL --help shows its options."
  return table.concat(out, "\n")
end

local function usage()
  return "usage: hbdx calc heap|get|queues|wal [OPTION...]\n\n" .. calc.overview() .. "\n"
end

--- Runs `hbdx calc`.
---@param argv string[] the words after "calc"
---@return integer status 0, or 2: wrong usage, or numbers that HBase would refuse
function calc.main(argv)
  local name = argv[1]
  local command = calc.commands[name]
  if command then return run(command, table.move(argv, 2, #argv, 1, {})) end
  if name == "--help" or name == "-h" or name == "help" then
    io.stdout:write(usage())
    return 0
  end
  if name then
    say.error(("calc: there is no model '%s'%s"):format(name, check.meant(name, calc.names)))
  end
  io.stderr:write(usage())
  return 2
end

return calc

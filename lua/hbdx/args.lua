--- Words of a command line -> options and sources, by the tables that commands declare. The same
-- tables make the help, the man page and the completions.
local check = require "hbdx.check"

local args = {}

---@class hbdx.Option
---@field name string long name without dashes
---@field short string? one letter
---@field value string? what its value is called; nil: a flag
---@field many boolean? may be given again; collected into a list
---@field choices string[]? the values it takes
---@field default string? for the help
---@field help string

---@class hbdx.Command
---@field name string
---@field usage string after "hbdx NAME"
---@field summary string one line
---@field details string? more lines for --help
---@field words string? what completion offers as the first operand; "PLAYBOOK": ids
---@field options hbdx.Option[]
---@field examples string[]?
---@field run fun(given: table, operands: string[], command: hbdx.Command): integer

--- Options that every command takes.
args.common = {
  { name = "help", short = "h", help = "show this help and end" },
  { name = "quiet", short = "q", help = "no progress on stderr" },
  { name = "verbose", short = "v", help = "say more: each source and its clock, lines not "
    .. "understood, origins of limits" },
  { name = "color", value = "WHEN", choices = { "auto", "always", "never" }, default = "auto",
    help = "colours; auto: on a terminal and without NO_COLOR" },
}

local function find(command, key, value)
  for _, list in ipairs { command.options, args.common } do
    for _, option in ipairs(list) do
      if option[key] == value then return option end
    end
  end
end

local function all_names(command)
  local names = {}
  for _, list in ipairs { command.options, args.common } do
    for _, option in ipairs(list) do names[#names + 1] = option.name end
  end
  return names
end

local function unknown(command, word, name)
  return nil, ("%s has no option %s%s; hbdx %s --help lists them"):format(command.name, word,
    check.meant(name, all_names(command), "--%s"), command.name)
end

local function accept(given, option, value)
  if option.choices then
    local good = false
    for _, choice in ipairs(option.choices) do good = good or choice == value end
    if not good then
      return nil, ("--%s takes %s, not '%s'%s"):format(option.name,
        table.concat(option.choices, ", "), value, check.meant(value, option.choices))
    end
  end
  if option.many then
    given[option.name] = given[option.name] or {}
    table.insert(given[option.name], value)
  else
    given[option.name] = value
  end
  return true
end

-- One word that begins with dashes; returns how many words it took.
local function take(command, given, words, i)
  local word = words[i]
  local name, value = word:match("^%-%-([^=]+)=(.*)$")
  name = name or word:match("^%-%-(.+)$")
  local option
  if name then
    option = find(command, "name", name)
  else
    option = find(command, "short", word:sub(2, 2))
    if #word > 2 then value = word:sub(3) end
  end
  if not option then return unknown(command, word, name or word:sub(2)) end
  if not option.value then
    if value then return nil, ("--%s takes no value"):format(option.name) end
    given[option.name] = true
    return 1
  end
  local used = 1
  if not value then
    value, used = words[i + 1], 2
    if not value then return nil, ("--%s needs %s"):format(option.name, option.value) end
  end
  local good, message = accept(given, option, value)
  if not good then return nil, message end
  return used
end

--- Reads the words after a command's name. "--" ends the options; "-" is an operand.
---@param command hbdx.Command
---@param words string[]
---@return table? given by option name: true, a text, or a list of texts
---@return string[]|string operands_or_message
function args.parse(command, words)
  local given, operands, i = {}, {}, 1
  while i <= #words do
    local word = words[i]
    if word == "--" then
      table.move(words, i + 1, #words, #operands + 1, operands)
      break
    elseif word:find("^%-.") then
      local used, message = take(command, given, words, i)
      if not used then return nil, message end
      i = i + used
    else
      operands[#operands + 1] = word
      i = i + 1
    end
  end
  return given, operands
end

--- An option as the help shows it: "-h, --help", "    --format FORMAT".
---@param option hbdx.Option
---@return string
function args.label(option)
  return ("%s--%s%s"):format(option.short and "-" .. option.short .. ", " or "    ", option.name,
    option.value and " " .. option.value or "")
end

local function option_lines(list, out)
  for _, option in ipairs(list) do
    local help = option.help
    if option.choices then help = ("%s (%s)"):format(help, table.concat(option.choices, ", ")) end
    if option.default then help = ("%s [%s]"):format(help, option.default) end
    local label = "  " .. args.label(option)
    local lines = args.wrap(help, 48)
    out[#out + 1] = #label <= 30 and ("%-31s%s"):format(label, lines[1]) or label
    for i = #label <= 30 and 2 or 1, #lines do out[#out + 1] = (" "):rep(31) .. lines[i] end
  end
end

--- Text broken at blanks into lines of at most `width` bytes.
---@param text string
---@param width integer
---@return string[]
function args.wrap(text, width)
  local lines, line = {}, ""
  for word in text:gmatch("%S+") do
    if line ~= "" and #line + 1 + #word > width then
      lines[#lines + 1], line = line, word
    else
      line = line == "" and word or line .. " " .. word
    end
  end
  lines[#lines + 1] = line
  return lines
end

--- The help of a command.
---@param command hbdx.Command
---@return string
function args.help(command)
  local out = { ("usage: hbdx %s %s"):format(command.name, command.usage), "" }
  table.move(args.wrap(command.summary, 78), 1, 9, #out + 1, out)
  for line in (command.details and "\n" .. command.details .. "\n" or ""):gmatch("(.-)\n") do
    table.move(args.wrap(line, 78), 1, 99, #out + 1, out)
  end
  out[#out + 1] = "\noptions:"
  option_lines(command.options, out)
  option_lines(args.common, out)
  if command.examples then
    out[#out + 1] = "\nexamples:"
    for _, example in ipairs(command.examples) do out[#out + 1] = "  " .. example end
  end
  return table.concat(out, "\n") .. "\n"
end

return args

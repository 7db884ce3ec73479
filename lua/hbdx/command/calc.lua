--- hbdx calc: the command line's entry for hbdx.calc. Its words are read there, for each model has
-- options of its own; here they stand together, for the man page and completion.
local calc = require "hbdx.calc"

local function add(by_name, list, model, option)
  local seen = by_name[option.name]
  if not seen then
    seen = { name = option.name, value = option.value, choices = option.choices,
      help = model .. ": " .. option.help }
    by_name[option.name], list[#list + 1] = seen, seen
  else
    seen.help = ("%s; %s: %s"):format(seen.help, model, option.help)
    if seen.value ~= option.value then seen.value = seen.value .. "|" .. option.value end
  end
end

local ALL = { hbase = true, format = true } -- options of every model

local function options()
  local by_name, list = {}, {}
  for i, model in ipairs(calc.names) do
    for _, option in ipairs(calc.commands[model].options) do
      if not ALL[option.name] then
        add(by_name, list, model, option)
      elseif i == #calc.names then
        list[#list + 1] = option
      end
    end
  end
  return list
end

return { {
  name = "calc", words = table.concat(calc.names, " "),
  usage = "heap|get|queues|wal [OPTION...]", raw = true,
  summary = "Work out heap and memstore, the cost of a Get, call queues, or WALs.",
  details = calc.overview(), options = options(),
  examples = { "hbdx calc heap --heap 32g --active-regions 200 --format json",
    "hbdx calc queues --handlers 60 --read-ratio 0.6 --scan-ratio 0.3 --hbase 1.4" },
  run = function(_, words) return calc.main(words) end,
} }

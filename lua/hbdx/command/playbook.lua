--- hbdx playbook list, show, check: what diagnoses there are, and what each needs.
local args = require "hbdx.args"
local check = require "hbdx.check"
local playbook = require "hbdx.playbook"
local say = require "hbdx.say"

local function needs_words(needs)
  local list = {}
  for i, need in ipairs(needs) do
    list[i] = type(need) == "table" and table.concat(need, " or ") or need
  end
  return list
end

-- Playbooks come from anybody.
local function write(line) io.stdout:write(say.safe(line), "\n") end

local function list_all(books)
  local width = 8
  for _, book in ipairs(books) do width = math.max(width, #book.id) end
  for _, book in ipairs(books) do
    write(("%-" .. width .. "s  %-10s  %s"):format(book.id, book.category, book.title))
  end
  return 0
end

local function write_list(title, list)
  if #list == 0 then return end
  write("\n" .. title)
  for _, line in ipairs(list) do write("  " .. line) end
end

-- "queue_ms  duration  20 ms  mean queue time ...", what is long continued under itself.
local function param_lines(params)
  local units, lines = require "hbdx.units", {}
  for _, p in ipairs(params) do
    local default = p.type == "duration" and units.duration(p.default) or tostring(p.default)
    local head = ("%-14s %-9s %-8s "):format(p.name, p.type, default)
    for _, piece in ipairs(args.wrap(p.help, 78 - #head)) do
      lines[#lines + 1] = head .. piece
      head = (" "):rep(#head)
    end
  end
  return lines
end

local function show(book)
  write(("%s: %s\n%s, %s"):format(book.id, book.title, book.category, book.path))
  if book.about then write("\n" .. table.concat(args.wrap(book.about, 78), "\n")) end
  write_list("symptoms", book.symptoms)
  write_list("needs (hbdx explain NAME tells of each)", needs_words(book.needs))
  write_list("parameters and their defaults (--param NAME=VALUE changes one)",
    param_lines(book.params))
  return 0
end

local ACTIONS = {
  list = function(books) return list_all(books) end,
  show = function(books, ids)
    if not ids[1] then return nil, "playbook show takes an id" end
    local picked, message = playbook.select(books, ids[1])
    if not picked then return nil, message end
    for _, book in ipairs(picked) do show(book) end
    return 0
  end,
  check = function(_, paths)
    if not paths[1] then return nil, "playbook check takes files" end
    local status = 0
    for _, path in ipairs(paths) do
      local book, message = playbook.load(path)
      write(book and ("%s: good"):format(path) or message)
      if not book then status = 2 end
    end
    return status
  end,
}

return { {
  name = "playbook", words = "list show check", usage = "list | show ID | check FILE...",
  summary = "List the playbooks, show one, or check files of your own.",
  details = "Playbooks are looked for in hbdx's own folder, $XDG_CONFIG_HOME/hbdx/playbooks, "
         .. "the folders of $HBDX_PATH (joined by colons), and --playbooks. A later one replaces "
         .. "an earlier one of the same id. The files that come with hbdx are examples (show names "
         .. "them); what diagnose(case, p) may call, the shell's help \"case\" and help "
         .. "\"finding\" tell.",
  examples = { "hbdx playbook show flush-stall", "hbdx playbook check too-many-regions.lua",
    "echo 'help \"finding\"' | hbdx" },
  options = { { name = "playbooks", value = "DIR", many = true,
    help = "also look in this folder" } },
  run = function(given, operands)
    local action = ACTIONS[operands[1] or "list"]
    if not action then
      say.error(("playbook takes list, show or check, not '%s'%s"):format(operands[1],
        check.meant(operands[1], { "list", "show", "check" })))
      return 2
    end
    local books, errors = playbook.all(given.playbooks)
    for _, e in ipairs(errors) do say.error(e.message) end
    local status, message = action(books, table.move(operands, 2, #operands, 1, {}))
    if not status then say.error(message) end
    return status == 0 and #errors > 0 and 2 or status or 2
  end,
} }

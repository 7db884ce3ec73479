--- hbdx diagnose, hbdx run: playbooks over sources, ranked findings, an exit status.
local check = require "hbdx.check"
local playbook = require "hbdx.playbook"
local runner = require "hbdx.runner"
local say = require "hbdx.say"
local session = require "hbdx.session"

local OPTIONS = session.with {
  { name = "format", value = "FORMAT", choices = { "text", "json" }, default = "text",
    help = "output" },
  { name = "fail-on", value = "VERDICT", choices = { "confirmed", "likely", "never" },
    default = "likely",
    help = "exit 1 when a finding has this verdict or a stronger one" },
  { name = "param", value = "NAME=VALUE", many = true, help = "a parameter of a playbook; "
    .. "hbdx playbook show ID lists them" },
  { name = "playbooks", value = "DIR", many = true,
    help = "also load the playbooks of this folder" },
  { name = "deadline", value = "LENGTH", default = "20s", help = "a playbook may not run longer" },
}

local STATUS = "exit status: 0 nothing found, 1 findings, 2 wrong usage or a playbook failed, "
            .. "3 a source could not be read or nothing could be told, 4 a fault of hbdx."

local function fail(message, status)
  say.error(message)
  return status
end

-- NAME=VALUE texts -> a table; every name must be a parameter of one of the playbooks.
local function params_of(texts, books)
  local params = {}
  for _, text in ipairs(texts or {}) do
    local name, value = text:match("^([%w_]+)=(.*)$")
    if not name then return nil, ("--param takes NAME=VALUE, not '%s'"):format(text) end
    local known, names = false, {}
    for _, book in ipairs(books) do
      for _, param in ipairs(book.params) do
        known, names[#names + 1] = known or param.name == name, param.name
      end
    end
    if not known then
      return nil, ("none of these playbooks has a parameter '%s'%s"):format(name,
        check.meant(name, names))
    end
    params[name] = value
  end
  return params
end

local function books_of(given, wanted)
  local all, errors = playbook.all(given.playbooks)
  for _, e in ipairs(errors) do
    if e.folder then return nil, "--playbooks: " .. e.message end
    say.error(e.message)
  end
  local picked, message = all, nil
  if wanted then picked, message = playbook.select(all, wanted) end
  return picked, message, #errors
end

local function execute(given, sources, wanted)
  local when = require "hbdx.when"
  local deadline = when.duration(given.deadline or "20s")
  if not deadline then return fail("--deadline takes a length such as 20s", 2) end
  local books, message, broken = books_of(given, wanted)
  if not books then return fail(message, 2) end
  local params, wrong = params_of(given.param, books)
  if not params then return fail(wrong, 2) end
  local s, why, status = session.open(given, sources)
  if not s then return fail(why, status) end
  local result, trouble = runner.run(s.case, books,
    { params = params, deadline_ms = math.floor(deadline) })
  if not result then return fail(trouble, 2) end
  result.failed = result.failed + broken
  if not wanted then result.seen = require("hbdx.events.grave").collect(s.case) end
  local report = given.format == "json" and require "hbdx.report.json"
    or require "hbdx.report.text"
  io.stdout:write(report.render(result, session.context(s, given)))
  local code = runner.status(result, given["fail-on"] or "likely", #s.coverage.unread)
  s.case:close()
  return code
end

local diagnose = {
  name = "diagnose", usage = "[OPTION...] SOURCE...",
  summary = "Run every playbook over the sources and rank what they find.",
  details = "What is grave in the logs and judged by no playbook (aborts, memory that ran out, "
    .. "lost sessions, WALs that failed, pauses and syncs of 10 s and more) is told behind the "
    .. "findings, as it stands there; it is no finding, and changes no exit status.\n"
    .. session.times .. "\n" .. STATUS, options = OPTIONS,
  examples = { "hbdx diagnose samples/cache-eviction",
    "hbdx diagnose /var/log/hbase http://rs-1:16030",
               "hbdx diagnose --at 'mon 09:10' --format json incident.case" },
  run = function(given, operands) return execute(given, operands, nil) end,
}

local run = {
  name = "run", words = "PLAYBOOK", usage = "[OPTION...] ID[,ID|GLOB|CATEGORY] SOURCE...",
  summary = "Run some playbooks, named by id, glob or category.",
  details = session.times .. "\n" .. STATUS, options = OPTIONS,
  examples = { "hbdx run flush-stall logs/ --param min_refused=100",
               "hbdx run cache-eviction SOURCE --window 02:00+40m" },
  run = function(given, operands)
    local wanted = table.remove(operands, 1)
    if not wanted then return fail("run takes the id of a playbook, then sources", 2) end
    return execute(given, operands, wanted)
  end,
}

return { diagnose, run }

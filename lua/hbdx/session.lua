--- From the words of a command line to a case: reads the sources, applies the time options, and
-- keeps what the reports need to say about it. Every command that takes SOURCE goes through here.
local case = require "hbdx.case"
local import = require "hbdx.import"
local sys = require "hbdx.core.sys"
local when = require "hbdx.when"
local window = require "hbdx.pattern.window"

local session = {}

--- How sources are read.
session.reading = {
  { name = "log-tz", value = "ZONE",
    help = "zone of log stamps that have none: +02:00 or Europe/Berlin; "
    .. "else it is found from lines that carry both clocks, also where clocks are changed" },
  { name = "samples", value = "N", default = "2", help = "dumps of a live URL, 11 s apart" },
}

--- The options of every command that judges sources.
session.options = {
  session.reading[1],
  { name = "from", value = "TIME", help = "look at nothing before it" },
  { name = "to", value = "TIME", help = "look at nothing after it" },
  { name = "at", value = "TIME", help =
    "the incident was around it: 20 minutes, or --window LENGTH" },
  { name = "window", value = "TIME+LENGTH", help =
    "the incident was then: 02:00+40m; other times are what is usual" },
  session.reading[2],
}

session.times = "TIME is " .. when.help .. ". What has no zone is in the cluster's. A --to without "
  .. "a day is the first such time after --from: --from 23:30 --to 00:30 goes over midnight."

--- Settings by which servers choose what they log: of the others nothing depends in a report of
--- what was logged.
session.logged = { "hbase.ipc.warn.response.time", "hbase.ipc.warn.response.size",
  "hbase.regionserver.wal.slowsync.ms", "hbase.regionserver.hlog.slowsync.ms" }

--- Options with more of them behind.
---@param more hbdx.Option[]
---@param behind hbdx.Option[]? default: session.options
---@return hbdx.Option[]
function session.with(more, behind)
  behind = behind or session.options
  local list = table.move(more, 1, #more, 1, {})
  return table.move(behind, 1, #behind, #list + 1, list)
end

--- Writes to stderr unless --quiet.
---@param given table
---@param fmt string
function session.say(given, fmt, ...)
  if not given.quiet then require("hbdx.say").error(fmt:format(...)) end
end

--- Says which sources could not be read, where the output has no place for it.
---@param s table of session.open
function session.say_unread(s)
  for _, u in ipairs(s.coverage.unread) do
    require("hbdx.say").error(("%s: %s"):format(u.name, u.message))
  end
end

-- What --from, --to, --at and --window come to, in words; nil: all was asked for.
local function asked_words(the_case, w)
  local function at(ms) return window.text(the_case, { from_ms = ms, to_ms = ms }) end
  local words = {}
  if w.from_ms then words[1] = "after " .. at(w.from_ms) end
  if w.to_ms then words[#words + 1] = "before " .. at(w.to_ms) end
  local only = #words > 0 and "only what is " .. table.concat(words, " and ") .. " is looked at"
  local focus = w.focus and "the incident is looked for within " .. window.text(the_case, w.focus)
  return only and focus and focus .. "; " .. only or only or focus or nil
end

-- Whether nothing that was read is of the time that was asked for.
local function beside(w, from, to)
  if not from then return false end
  local a, b = w.from_ms or from, w.to_ms or to
  if w.focus then a, b = math.max(a, w.focus.from_ms), math.min(b, w.focus.to_ms) end
  return a > to or b < from
end

--- How many dumps --samples asks for; an error where no source is a live server to take them of.
---@param given table
---@param sources string[]
---@return integer|nil|false n nil: not asked for; false: an error
---@return string? message
function session.samples(given, sources)
  local asked = given.samples
  if not asked then return nil end
  local n = asked:find("^%d+$") and math.tointeger(tonumber(asked))
  if not n or n < 1 then
    return false, ("--samples takes a whole number from 1 on, not '%s'"):format(asked)
  end
  for _, name in ipairs(sources) do
    if name:find("^https?://") then return n end
  end
  return false, "--samples is for live servers, and no source is an http:// or https:// address"
end

--- Reads sources into a case. nil, message, status on failure.
---@param given table options
---@param sources string[]
---@param path string? the case file to make; nil: in memory
---@return table? s { case, coverage, name }
---@return string? message
---@return integer? status
---@param calls table? { by=, threads= }: of logs their calls alone, where that is enough
---@param settings string[]? what is said only of these; default: of all
function session.open(given, sources, path, calls, settings)
  if #sources == 0 and not given.merge then
    return nil, "no SOURCE is given: a folder, files, a URL, a .case, or -", 2
  end
  local samples, wrong = session.samples(given, sources)
  if samples == false then return nil, wrong, 2 end
  local started = sys.monotonic_ms()
  local c, coverage, code = import.open(sources, { path = path, zone = given["log-tz"],
    samples = samples, say = not given.quiet, calls = calls })
  if not c then return nil, coverage, code == "usage" and 2 or 3 end
  coverage.seconds = (sys.monotonic_ms() - started) / 1000
  local the_case = case.wrap(c, #sources <= 2 and table.concat(sources, " ")
    or ("%s and %d more"):format(sources[1], #sources - 1))
  the_case.calls_digest = coverage.calls
  local from, to = the_case:span()
  local w, message = when.read(given, { from_ms = from, to_ms = to, offset = the_case:offset() })
  if not w then
    the_case:close()
    return nil, message, 2
  end
  local asked = asked_words(the_case, w)
  if beside(w, from, to) then
    the_case:close()
    return nil, ("%s; what was read is of %s"):format(asked,
      window.text(the_case, { from_ms = from, to_ms = to })), 3
  end
  the_case:restrict(w.from_ms, w.to_ms, w.focus)
  coverage.asked = asked
  table.insert(coverage.notes, asked)
  for _, words in ipairs(the_case:contradictions(settings)) do
    table.insert(coverage.notes, words)
  end
  return { case = the_case, coverage = coverage, name = the_case.name }
end

--- Whether stdout gets colours.
---@param given table
---@return boolean
function session.color(given)
  if given.color and given.color ~= "auto" then return given.color == "always" end
  local no_color, term = sys.getenv "NO_COLOR", sys.getenv "TERM"
  return sys.isatty(1) and (no_color == nil or no_color == "") and term ~= "dumb"
end

--- The context that reports take.
---@param s table of session.open
---@param given table
---@return hbdx.ReportContext
function session.context(s, given)
  local columns = sys.isatty(1) and sys.columns() or 80
  return { case = s.case, name = s.name, version = sys.version(), coverage = s.coverage,
           width = math.max(40, math.min(columns or 80, 100)), color = session.color(given),
           verbose = given.verbose or false }
end

return session

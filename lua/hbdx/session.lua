--- From the words of a command line to a case: reads the sources, applies the time options, and
-- keeps what the reports need to say about it. Every command that takes SOURCE goes through here.
local case = require "hbdx.case"
local import = require "hbdx.import"
local sys = require "hbdx.core.sys"
local when = require "hbdx.when"

local session = {}

--- The options of every command that reads sources.
session.options = {
  { name = "log-tz", value = "ZONE",
    help = "zone of log stamps that have none: +02:00 or Europe/Berlin; "
    .. "else it is found from lines that carry both clocks" },
  { name = "from", value = "TIME", help = "look at nothing before it" },
  { name = "to", value = "TIME", help = "look at nothing after it" },
  { name = "at", value = "TIME", help =
    "the incident was around it: 20 minutes, or --window LENGTH" },
  { name = "window", value = "TIME+LENGTH", help =
    "the incident was then: 02:00+40m; other times are what is usual" },
  { name = "samples", value = "N", default = "2", help = "dumps of a live URL, 11 s apart" },
}

session.times = "TIME is " .. when.help .. ". What has no zone is in the cluster's."

--- Options with more of them behind.
---@param more hbdx.Option[]
---@return hbdx.Option[]
function session.with(more)
  local list = table.move(more, 1, #more, 1, {})
  table.move(session.options, 1, #session.options, #list + 1, list)
  return list
end

--- Writes to stderr unless --quiet.
---@param given table
---@param fmt string
function session.say(given, fmt, ...)
  if not given.quiet then io.stderr:write("hbdx: ", fmt:format(...), "\n") end
end

--- Reads sources into a case. nil, message, status on failure.
---@param given table options
---@param sources string[]
---@param path string? the case file to make; nil: in memory
---@return table? s { case, coverage, name }
---@return string? message
---@return integer? status
function session.open(given, sources, path)
  if #sources == 0 then return nil, "no SOURCE is given: a folder, files, a URL, a .case, or -",
    2 end
  local started = sys.monotonic_ms()
  local c, coverage, code = import.open(sources, { path = path, zone = given["log-tz"],
    samples = tonumber(given.samples), say = not given.quiet })
  if not c then return nil, coverage, code == "usage" and 2 or 3 end
  coverage.seconds = (sys.monotonic_ms() - started) / 1000
  local the_case = case.wrap(c, #sources <= 2 and table.concat(sources, " ")
    or ("%s and %d more"):format(sources[1], #sources - 1))
  local from, to = the_case:span()
  local w, message = when.read(given, { from_ms = from, to_ms = to, offset = the_case:offset() })
  if not w then return nil, message, 2 end
  the_case:restrict(w.from_ms, w.to_ms, w.focus)
  for _, words in ipairs(the_case:contradictions()) do table.insert(coverage.notes, words) end
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

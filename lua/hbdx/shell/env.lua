--- What is at hand at the prompt: a state with the open case, and functions over it. All of them
-- are thin callers of the modules that the command line uses too.
local case = require "hbdx.case"
local import = require "hbdx.import"
local print_value = require "hbdx.shell.print"
local session = require "hbdx.session"
local sys = require "hbdx.core.sys"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

local M = {}

---@class hbdx.ShellState
---@field case hbdx.Case
---@field coverage hbdx.Coverage of all that was loaded
---@field unread boolean? a source could not be read, be it since
---@field line integer? of a feed: lines read so far
---@field given table options of the command line
---@field env table

--- A failure of the world, for the prompt: no place in our files.
local function fail(message) error(message, 0) end

local function context(state, width)
  local ctx = session.context(state, state.given)
  ctx.width = width or ctx.width
  return ctx
end

--- samples/... is found wherever hbdx lies.
local function placed(path)
  if path:find("^samples/") and not sys.stat(path) then
    local ours = sys.home() .. "/" .. path
    if sys.stat(ours) then return ours end
  end
  return path
end

--- The words of load: sources, and perhaps a table of options at the end.
local function sources_of(...)
  local list, opts = {}, {}
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    if type(v) == "table" and i == select("#", ...) then
      opts = v
    elseif type(v) == "string" then
      list[i] = placed(v)
    else
      fail 'sources are texts: load "samples/cache-eviction"'
    end
  end
  if #list == 0 then fail 'a source is missing: load "samples/cache-eviction"' end
  local o = { zone = opts.zone or opts.log_tz or nil, samples = opts.samples, say = sys.isatty(2) }
  return list, o
end

local SUMS = { "files", "duplicates", "passed", "bytes", "not_understood", "seconds" }

--- Adds what came in now to what is known of the case.
local function add_coverage(state, new)
  local all = state.coverage
  for _, field in ipairs(SUMS) do all[field] = all[field] + new[field] end
  for _, field in ipairs { "unread", "notes", "passed_names", "entries" } do
    table.move(new[field], 1, #new[field], #all[field] + 1, all[field])
  end
end

local function adopt(state, core, coverage, name)
  if state.case then state.case:close() end
  state.case, state.coverage = case.wrap(core, name), coverage
  coverage.seconds = coverage.seconds or 0
  state.name, state.env.case = state.case.name, state.case
end

local Coverage = { __name = "hbdx.Coverage" }

local function describe(coverage)
  local out = { ("read %s, %s; %s not understood; %d passed over, %d known already"):format(
    units.plural(coverage.files, "file"), units.bytes(coverage.bytes),
    units.plural(coverage.not_understood, "line"), coverage.passed, coverage.duplicates) }
  for _, u in ipairs(coverage.unread) do
    out[#out + 1] = ("not read: %s: %s"):format(u.name, u.message)
  end
  for _, note in ipairs(coverage.notes) do out[#out + 1] = "note: " .. note end
  return table.concat(out, "\n")
end

Coverage.__tostring = describe

local function open(state, ...)
  local list, opts = sources_of(...)
  local started = sys.monotonic_ms()
  local core, coverage = import.open(list, opts)
  if not core then fail(coverage) end
  coverage.seconds = (sys.monotonic_ms() - started) / 1000
  adopt(state, core, coverage, table.concat(list, " "))
  state.unread = state.unread or #coverage.unread > 0
  return setmetatable(coverage, Coverage)
end

local function load(state, ...)
  if state.coverage.files == 0 then return open(state, ...) end
  local list, opts = sources_of(...)
  local started = sys.monotonic_ms()
  local coverage, message = import.into(state.case.core, list, opts)
  if not coverage then fail(message) end
  coverage.seconds = (sys.monotonic_ms() - started) / 1000
  add_coverage(state, coverage)
  state.unread = state.unread or #coverage.unread > 0
  state.case:refresh()
  return setmetatable(coverage, Coverage)
end

local Result = { __name = "hbdx.Result" }
local Digest = { __name = "hbdx.Digest" }

local function diagnose(state, wanted, params)
  local playbook, runner = require "hbdx.playbook", require "hbdx.runner"
  local books, errors = playbook.all(state.given.playbooks)
  for _, e in ipairs(errors) do require("hbdx.say").error(e.message) end
  local message
  if wanted then books, message = playbook.select(books, wanted) end
  if not books then fail(message) end
  local result
  result, message = runner.run(state.case, books, { params = params })
  if not result then fail(message) end
  if not wanted then result.seen = require("hbdx.events.grave").collect(state.case) end
  return setmetatable(result, Result)
end

local function playbooks(state)
  local list = {}
  for i, book in ipairs((require("hbdx.playbook").all(state.given.playbooks))) do
    list[i] = { id = book.id, category = book.category, title = book.title }
  end
  return list
end

local function top(state, n)
  if n ~= nil and not (math.type(n) == "integer" and n > 0) then
    fail "slowlog.top takes how many groups to show: slowlog.top(5)"
  end
  local digest = require("hbdx.slowlog").collect(state.case)
  digest.top, digest.more = n or 10, "slowlog.top(N)"
  return setmetatable(digest, Digest)
end

local COLUMNS = { __columns = { "server", "from", "to", "value", "grew", "per_s", "why" } }

--- The metric of a name, ours or HBase's own.
local function metric_of(name)
  local metric = require "hbdx.metric"
  if type(name) ~= "string" then fail 'a metric is a name: jmx.get "cache.evictions"' end
  local spelled = metric.spelled(name)
  local m = metric.get(name) or #spelled == 1 and spelled[1]
  if m then return m end
  local near = {}
  for i, one in ipairs(spelled) do near[i] = one.name end
  for _, one in ipairs(#near == 0 and require("hbdx.explain").near(name) or {}) do
    if metric.get(one) or #metric.spelled(one) > 0 then near[#near + 1] = one end
  end
  return fail(("no metric is called '%s'%s"):format(name, #near > 0
    and "; perhaps " .. table.concat(near, ", ") or '; Tab after jmx.get " lists them'))
end

--- One record per server and instant or window; value nil where it cannot be told.
local function samples(state, name)
  local time, m = require "hbdx.core.time", metric_of(name)
  local list, counter = {}, m.kind == "counter"
  for _, frame in ipairs(state.case:windows { m.name }) do
    local server = frame.server.short or frame.server.name
    local first = frame.first and frame.first[m.name]
    if first and not counter then list[#list + 1] = { server = server, value = first } end
    for _, w in ipairs(frame.windows) do
      local row = { server = server, to = time.format(w.to_ms) }
      if counter then
        row.from, row.grew, row.why = time.format(w.from_ms), w.d[m.name], w.why[m.name]
        row.per_s = row.grew and w.seconds > 0 and row.grew / w.seconds or nil
      else
        row.value = w.g[m.name]
      end
      list[#list + 1] = row
    end
  end
  return setmetatable(list, COLUMNS)
end

local function latest(state, name)
  local last, order = {}, {}
  for _, row in ipairs(samples(state, name)) do
    if not last[row.server] then order[#order + 1] = row.server end
    if row.value or row.grew or not last[row.server] then last[row.server] = row end
  end
  local list = {}
  for i, server in ipairs(order) do list[i] = last[server] end
  return setmetatable(list, COLUMNS)
end

local function sql(state, statement, ...)
  local rows, message = state.case.core:rows(statement, { ... })
  if not rows then fail(message) end
  return rows
end

local function save(state, path)
  local ok, message = state.case.core:save(path)
  if not ok then fail(message) end
  return path
end

local function help(state, topic)
  if topic ~= nil and type(topic) ~= "string" then
    fail 'help takes a name: help "amp.get_cost"'
  end
  local text, message = require("hbdx.shell.help").text(topic, context(state).width)
  if not text then fail(message) end
  return text
end

local COUNTS = { { "call", "slow or large call" }, { "event", "event" }, { "scan", "client scan" },
  { "snapshot", "JMX dump" }, { "setting", "setting" } }

--- What a case holds, in a few lines.
local function describe_case(c)
  local _, version = c:version()
  local from, to = c:span()
  local servers, counts = {}, {}
  for i, s in ipairs(c:servers()) do servers[i] = s.short .. (s.is_master and " (master)" or "") end
  for _, count in ipairs(COUNTS) do
    local n = c.core:rows("SELECT count(*) AS n FROM " .. count[1])[1].n
    if n > 0 then counts[#counts + 1] = units.plural(n, count[2]) end
  end
  return table.concat({ "case " .. c.name,
    "  servers   " .. (#servers > 0 and table.concat(servers, ", ") or "none yet"),
    "  HBase     " .. (version or "version unknown"),
    "  time      " .. (from and window.text(c, { from_ms = from, to_ms = to }) or "none yet"),
    "  holds     " .. (#counts > 0 and table.concat(counts, ", ") or "nothing: load \"SOURCE\"") },
    "\n")
end

local function has_meta(meta)
  return function(v) return getmetatable(v) == meta end
end

--- How the values of the shell are shown.
local function kinds(state)
  local function report(result, width)
    local ctx = context(state, width)
    return require("hbdx.report.text").render(result, ctx)
  end
  return {
    { is = has_meta(Result), show = report },
    { is = has_meta(Coverage), show = describe },
    { is = function(v) return v == state.case end, show = describe_case },
    { is = function(v) return v == state.env.help end, show = function() return help(state) end },
    { is = has_meta(Digest), show = function(d, width)
      return require("hbdx.slowlog.text").render(d, context(state, width), d.top)
    end },
    { is = function(v)
      return type(v) == "table" and rawget(v, "verdict") and rawget(v, "evidence")
        and rawget(v, "playbook")
    end, show = function(f, width) return report({ findings = { f }, failed = 0 }, width) end },
  }
end

--- The environment of the prompt, on an empty case.
---@param given table options of the command line
---@return hbdx.ShellState
function M.new(given)
  local state = { given = given, env = setmetatable({}, { __index = _G }) }
  local function bound(fn)
    return function(...) return fn(state, ...) end
  end
  local env = state.env
  for name, fn in pairs { load = load, open = open, playbooks = playbooks, sql = sql, save = save,
    help = help, explain = help } do
    env[name] = bound(fn)
  end
  function env.diagnose(params) return diagnose(state, nil, params) end
  function env.run(wanted, params) return diagnose(state, wanted, params) end
  env.slowlog = { top = bound(top) }
  env.jmx = { get = bound(samples), latest = bound(latest) }
  env.amp, env.time = require "hbdx.amp", require "hbdx.core.time"
  print_value.kinds = kinds(state)
  local core, coverage = import.open({}, {})
  if not core then error(coverage, 0) end
  adopt(state, core, coverage, "(empty)")
  return state
end

return M

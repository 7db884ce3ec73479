--- Sources into a case: files, folders, live servers, an existing case. Each source may fail
-- without harm to the others; what could not be read is kept and told. Dumps are read first, then
-- configurations, then logs: the dumps tell whose the others are.
local calls = require "hbdx.import.calls"
local clocks = require "hbdx.import.clocks"
local core = require "hbdx.core.case"
local coverages = require "hbdx.import.coverage"
local placing = require "hbdx.import.placing"
local sets = require "hbdx.import.sets"
local source = require "hbdx.import.source"
local sys = require "hbdx.core.sys"
local time = require "hbdx.core.time"
local units = require "hbdx.units"

local import = {}

local MOST_DIGEST = 1 << 30 -- bytes of a saved one

local note, settle, unread = coverages.note, coverages.settle, coverages.unread

local function import_file(case, item, opts)
  local report, message, code = case:import_file(item.path, sets.seam(item, { name = item.name,
    zone = opts.zone, t_ms = item.t_ms, t_origin = item.t_origin, again = item.kind == "file" }))
  sets.took(item, report)
  return report, message, code
end

-- A digest that was saved, with what it was made of.
local function merge_digest(case, path, coverage)
  local bytes, message, code = sys.read(path, MOST_DIGEST)
  local reports
  if bytes then reports, message, code = coverage.calls:merge(case, bytes) end
  if not reports then return unread(coverage, path, message, code) end
  for _, report in ipairs(reports) do
    coverages.record(coverage, { name = report.name, argument = path }, report)
    if report.duplicate then
      note(coverage, "%s: %s has been counted already: its calls count twice", path, report.name)
    end
  end
end

-- Logs, and all that is neither a dump nor a configuration by its head, for their calls alone.
local function read_calls(case, items, opts, coverage)
  coverage.calls = calls.read(case, items, opts,
    function(item) return import_file(case, item, opts) end,
    function(item, ...) settle(coverage, item, ...) end)
  if coverage.calls.core:forgot() then
    note(coverage, "of so many calls not all are remembered: copies of a log, where there are any, "
      .. "may have been counted twice")
  end
  for _, path in ipairs(opts.calls.merge or {}) do merge_digest(case, path, coverage) end
end

--- The documents of one server; what comes after the first dump belongs to the server it named.
local function read_server(case, item, collected, opts, coverage)
  local server
  for _, document in ipairs(collected.documents) do
    local named = { name = document.name, argument = item.argument }
    local conf = document.kind == "conf"
    local report = settle(coverage, named, case:import_bytes(document.bytes, {
      name = document.name, server = not conf and server or nil, t_ms = document.t_ms,
      t_origin = document.t_origin, zone = opts.zone }))
    if report and conf then report.owner = server end
    if report and report.server and report.server ~= "" then server = server or report.server end
  end
  for _, failure in ipairs(collected.failures) do
    if not failure.optional then
      unread(coverage, failure.name, failure.error, failure.code)
    elseif #collected.documents > 0 then -- of a server that is down one failure says all
      note(coverage, "%s: %s", failure.name, failure.error)
    end
  end
end

local function read_servers(case, items, opts, coverage)
  local bases, by_base = {}, {}
  local collect = require "hbdx.collect"
  for _, item in ipairs(items) do
    local base, message = collect.base(item.argument)
    if not base then
      unread(coverage, item.name:gsub("//[^/]*@", "//"), message, "usage")
    elseif not by_base[base] then
      bases[#bases + 1], by_base[base] = base, item
    end
  end
  if #bases == 0 then return end
  local servers, cost = collect.fetch(bases, { snapshots = opts.samples, apart_ms = opts.apart_ms,
    ca_file = opts.ca_file, negotiate = opts.negotiate, say = opts.say })
  for _, base in ipairs(bases) do
    read_server(case, by_base[base], servers[base], opts, coverage)
  end
  coverage.cost = cost
  opts.say(("cost to the cluster: %s, %.1f MB, %.1f s of its answering; %s repeated")
    :format(units.plural(cost.requests, "request"), cost.bytes / 1e6, cost.server_ms / 1000,
      cost.repeated > 0 and cost.repeated or "none"))
end

local function silent() end

--- What is said while reading goes to stderr, to opts.say, or nowhere.
local function speaker(say)
  if type(say) == "function" then return say end
  if not say then return silent end
  return require("hbdx.say").error
end

local function checked(opts)
  local o = {}
  for k, v in pairs(opts or {}) do o[k] = v end
  o.say = speaker(o.say)
  if o.zone then
    local offset, message = time.offset(o.zone, sys.now_ms())
    if not offset then return nil, message, "usage" end
  end
  if o.samples and (math.type(o.samples) ~= "integer" or o.samples < 1) then
    return nil, "the number of snapshots is a whole number from 1 on", "usage"
  end
  return o
end

--- Says how far it is, once that takes a while.
local function progress(opts, i, n)
  local now = sys.monotonic_ms()
  opts.said_ms = opts.said_ms or now
  if now - opts.said_ms > 2000 then
    opts.said_ms = now
    opts.say(("read %d of %d"):format(i, n))
  end
end

local function read_all(case, items, opts, coverage)
  local urls = {}
  for _, item in ipairs(items) do
    if item.kind == "url" then urls[#urls + 1] = item end
  end
  if #urls > 0 then read_servers(case, urls, opts, coverage) end
  local logs = {}
  for i, item in ipairs(items) do
    if item.kind == "case" then
      unread(coverage, item.name, "only one case can be opened at a time", "usage")
    elseif opts.calls and item.rank == 3 then
      logs[#logs + 1] = item
    elseif item.kind ~= "url" then
      settle(coverage, item, import_file(case, item, opts))
      progress(opts, i, #items)
    end
  end
  if opts.calls then read_calls(case, logs, opts, coverage) end
end

local function take_notes(coverage, notes)
  for _, n in ipairs(notes) do
    if n.harmless then
      coverage.passed = coverage.passed + 1
      table.insert(coverage.passed_names, n.name)
    else
      unread(coverage, n.name, n.error, n.code)
    end
  end
end

--- A master is no RegionServer: when there are only masters, says so and where to look.
local function masters_alone(case, coverage)
  if case:rows("SELECT count(*) AS n FROM server WHERE is_master IS NOT 1")[1].n > 0 then return end
  for _, row in ipairs(case:rows [[
      SELECT v.name, l.value AS live, max(s.t_ms)
      FROM server v JOIN snapshot s ON s.server_id = v.id
      LEFT JOIN label l ON l.snapshot_id = s.id AND l.name = 'tag.liveRegionServers'
      WHERE v.is_master = 1 GROUP BY v.id ORDER BY v.name]]) do
    local hosts = {}
    for host in (row.live or ""):gmatch("([^,;]+),%d+,%d+") do hosts[#hosts + 1] = host end
    local more = #hosts > 5 and (" and %d more"):format(#hosts - 5) or ""
    note(coverage, "%s is a master: the playbooks need RegionServers%s", row.name, #hosts > 0
      and (". Its live ones are on %s%s: http://HOST:16030, unless hbase.regionserver.info.port is "
        .. "set"):format(table.concat(hosts, ", ", 1, math.min(5, #hosts)), more) or "")
  end
end

-- Puts rotated logs in order, and files the pieces that others begin with.
local function take_sets(coverage, items)
  local arranged, copies, said = sets.arrange(items)
  for _, item in ipairs(copies) do
    coverages.record(coverage, item, { kind = "log", duplicate = true })
    note(coverage, "%s: %s begins with the same lines: counted once", item.name, item.copy_of.name)
  end
  table.move(said, 1, #said, #coverage.notes + 1, coverage.notes)
  return arranged
end

local function read_items(case, items, notes, opts)
  local coverage = coverages.new()
  take_notes(coverage, notes)
  items = take_sets(coverage, items)
  read_all(case, items, opts, coverage)
  placing.servers(case, coverage)
  clocks.offsets(case, coverage)
  clocks.starts(case, coverage)
  masters_alone(case, coverage)
  if coverage.calls then coverage.calls:place(coverage.entries) end
  return coverage
end

--- Adds sources to a case.
---@param case userdata of hbdx.core.case
---@param arguments string[] paths, addresses, or "-"
---@param opts table? zone=, samples= (dumps of a live server), say=true|function(text), ca_file=,
--- negotiate=
---@return hbdx.Coverage? coverage
---@return string? message
---@return string? code
function import.into(case, arguments, opts)
  local o, message, code = checked(opts)
  if not o then return nil, message, code end
  local items, notes = source.expand(arguments, o.zone)
  return read_items(case, items, notes, o)
end

--- What an opened case brings along, as coverage.
local function remembered(case, coverage)
  local row = case:rows([[SELECT count(*) AS files, coalesce(sum(bytes), 0) AS bytes,
    coalesce(sum(skipped), 0) AS skipped FROM source WHERE kind <> 'unknown']])[1]
  coverage.files = coverage.files + row.files
  coverage.bytes = coverage.bytes + row.bytes
  coverage.not_understood = coverage.not_understood + row.skipped
end

--- The case to read into, when one of the sources is a case.
local function based_on(item, path, more)
  local old, message, code = core.open(item.path, { readonly = true })
  if not old or not (path or more) then return old, message, code end
  local case, copied
  if path then
    copied, message, code = old:save(path)
    if copied then case, message, code = core.open(path) end
  else
    case, message, code = old:copy()
  end
  old:close()
  return case, message, code
end

--- Takes the first case out of the items.
local function take_case(items)
  for i, item in ipairs(items) do
    if item.kind == "case" then return table.remove(items, i) end
  end
end

--- Reads sources into a new case, or into the one that is among them: alone it is opened as it is,
--- with others a copy is made.
---@param arguments string[]
---@param opts table? as for import.into, and path=: the case file to make or to add to, or calls=
--- { by=, threads=, merge=, identify= }: of logs their calls alone, as a digest, where all sources
--- are files
---@return userdata? case of hbdx.core.case; the caller closes
---@return hbdx.Coverage|string coverage_or_message
---@return string? code
function import.open(arguments, opts)
  local o, message, code = checked(opts)
  if not o then return nil, message, code end
  local items, notes = source.expand(arguments, o.zone)
  local base = take_case(items)
  o.calls = not base and o.calls and calls.only(items) and o.calls or nil
  local case
  if base then
    case, message, code = based_on(base, o.path, #items > 0)
  else
    case, message, code = core.open(o.path)
  end
  if not case then return nil, message, code end
  local known
  if base then
    known = coverages.new()
    remembered(case, known)
  end
  local coverage = read_items(case, items, notes, o)
  for _, field in ipairs(known and { "files", "bytes", "not_understood" } or {}) do
    coverage[field] = coverage[field] + known[field]
  end
  return case, coverage
end

return import

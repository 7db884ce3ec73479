--- After everything has been read: whose is a source that does not say it, and what does a log's
-- clock show? A log, a dump of single beans or a configuration belongs to the one RegionServer
-- whose files lie nearest to it; else to the host in its file's name, else to its folder. A log
-- without a hint of its zone takes that of other logs of its server, else of all logs where they
-- agree, else this machine's.
local time = require "hbdx.core.time"

local placing = {}

local OF_SERVER, OF_LOGS, OF_MACHINE = "other logs of the same server", "other logs",
  "this machine's zone"

--- Origins of an offset that are no log's own.
placing.guesses = { [OF_SERVER] = true, [OF_LOGS] = true, [OF_MACHINE] = true }

local GENERIC = { log = true, logs = true, jmx = true, conf = true, config = true, hbase = true,
  var = true, tmp = true, data = true, [""] = true, ["."] = true, [".."] = true }

local function parent(folder)
  local up = folder:match("^(.*)/[^/]*$")
  if up then return up end
  return folder ~= "" and "" or nil
end

local function masters(case)
  local set = {}
  for _, row in ipairs(case:rows("SELECT name FROM server WHERE is_master = 1")) do
    set[row.name] = true
  end
  return set
end

local function has_server(entry)
  return entry.server and entry.server ~= ""
end

--- folder -> set of the RegionServers that have a file in it or below.
local function servers_by_folder(entries, skip)
  local by = {}
  for _, e in ipairs(entries) do
    local folder = has_server(e) and not skip[e.server] and e.folder or nil
    while folder do
      by[folder] = by[folder] or {}
      by[folder][e.server] = true
      folder = parent(folder)
    end
  end
  return by
end

--- The one server of the nearest folder that has any; nil: there is none, or more than one.
local function nearest(by, folder)
  while folder do
    local set = by[folder]
    if set then
      local one = next(set)
      return next(set, one) == nil and one or nil
    end
    folder = parent(folder)
  end
end

--- The host that HBase's own naming of log files tells: hbase-USER-regionserver-HOST.log.1, and
--- .gc.0.current of its collector's.
---@param name string
---@return string?
function placing.host(name)
  local base = name:match("[^/]*$")
  return base:match("%-regionserver%-(.+)%.gc%f[%W]") or base:match("%-regionserver%-(.+)%.log")
    or base:match("%-regionserver%-(.+)%.out")
end

--- The known server on that host, when there is just one; else the host itself.
local function server_on(case, host)
  local found
  for _, row in ipairs(case:rows("SELECT name, host FROM server WHERE is_master IS NOT 1")) do
    local short = (row.host or ""):match("^[^.]+")
    if row.host == host or (short and short == host:match("^[^.]+")) then
      if found then return host end
      found = row.name
    end
  end
  return found or host
end

--- The nearest folder above with a name that says something.
local function folder_name(folder)
  while folder do
    local last = folder:match("[^/]*$")
    if not GENERIC[last:lower()] then return last end
    folder = parent(folder)
  end
end

local function assign(case, entry, server)
  if server and case:set_server(entry.source, server) then entry.server = server end
end

-- Kinds that are placed by where they lie; of these, kinds that are of one server each.
local LOGS = { log = true, gc = true, ring = true, ["slowlog-table"] = true, jmx = true }
local OF_ONE = { log = true, gc = true, jmx = true }

local function homeless(entry)
  return not has_server(entry) and not entry.duplicate and entry.folder
end

--- source -> the one server that this configuration was found with. The same content at several
--- servers is one source: it then belongs to none, that is to all.
local function owners_of_confs(entries, by)
  local owners, first = {}, {}
  for _, e in ipairs(entries) do
    if e.kind == "conf" then
      local owner = e.owner or nearest(by, e.folder) or false
      if not first[e.source] then owners[e.source], first[e.source] = owner, true end
      if owners[e.source] ~= owner then owners[e.source] = false end
    end
  end
  return owners
end

--- Says whose the logs and configurations are that do not say it themselves.
---@param case userdata of hbdx.core.case
---@param coverage hbdx.Coverage
function placing.servers(case, coverage)
  local by = servers_by_folder(coverage.entries, masters(case))
  for _, e in ipairs(coverage.entries) do
    if homeless(e) and LOGS[e.kind] and (e.scans or 0) == 0 then
      local host = placing.host(e.name)
      -- a folder of several servers names none of them; a dump of calls may hold those of all
      local named = OF_ONE[e.kind] and not by[e.folder] and folder_name(e.folder)
      assign(case, e, nearest(by, e.folder) or host and server_on(case, host) or named)
    end
  end
  by = servers_by_folder(coverage.entries, masters(case))
  local owners = owners_of_confs(coverage.entries, by)
  for _, e in ipairs(coverage.entries) do
    if e.kind == "conf" and not has_server(e) and not e.duplicate then
      assign(case, e, owners[e.source])
    end
  end
end

--- server -> the one offset of its logs, "" -> the one of all logs; false where they disagree.
local function known_offsets(entries)
  local known = {}
  local function add(key, offset)
    if known[key] == nil then known[key] = offset end
    if known[key] ~= offset then known[key] = false end
  end
  for _, e in ipairs(entries) do
    if e.kind == "log" and e.offset_ms and e.offset_origin and e.offset_origin ~= "unknown" then
      add("", e.offset_ms)
      if has_server(e) then add(e.server, e.offset_ms) end
    end
  end
  return known
end

local function offset_text(ms)
  local minutes = math.abs(ms) // 60000
  return ("%s%02d:%02d"):format(ms < 0 and "-" or "+", minutes // 60, minutes % 60)
end

--- Gives a clock to the logs that do not tell their zone.
---@param case userdata of hbdx.core.case
---@param coverage hbdx.Coverage
function placing.offsets(case, coverage)
  local known, guessed, offset_said = known_offsets(coverage.entries), 0, nil
  for _, e in ipairs(coverage.entries) do
    if e.offset_origin == "unknown" and e.first_ms and not e.duplicate then
      local offset, origin = known[e.server or ""], OF_SERVER
      if not offset then offset, origin = known[""], OF_LOGS end
      if not offset then
        offset, origin = time.offset("local", e.first_ms) or 0, OF_MACHINE
        guessed, offset_said = guessed + 1, offset
      end
      if case:set_offset(e.source, offset, origin) then
        e.offset_ms, e.offset_origin = offset, origin
      end
    end
  end
  if guessed > 0 then
    local what = guessed == 1 and "1 log does" or guessed .. " logs do"
    coverage.notes[#coverage.notes + 1] = ("%s not tell its zone: taken as %s, this machine's; "
      .. "--log-tz ZONE says it"):format(what, offset_text(offset_said))
  end
end

-- How a server's start is told, the surest first. A start code is of some seconds later.
local STARTS = {
  { "JMX", [[SELECT DISTINCT p.value AS start FROM series s JOIN sample p ON p.series_id = s.id
    JOIN server v ON v.id = s.server_id
    WHERE s.bean = 'java.lang:type=Runtime' AND s.name = 'StartTime' AND v.name = ?]] },
  { "start code", [[SELECT DISTINCT start_code AS start FROM snapshot n
    JOIN server v ON v.id = n.server_id WHERE start_code IS NOT NULL AND v.name = ?]] },
  { "start code", [[SELECT DISTINCT json_extract(fields, '$.server') AS name FROM event e
    JOIN server v ON v.id = e.server_id WHERE e.kind = 'server_started' AND v.name = ?]] },
}

--- The one start of a server that the case knows; nil: it knows none, or several.
local function start_of(case, server)
  for _, how in ipairs(STARTS) do
    local rows = case:rows(how[2], { server })
    local start = #rows == 1 and (rows[1].start or (rows[1].name or ""):match(",(%d+)$"))
    start = math.tointeger(tonumber(start))
    if start then return start, how[1] end
    if #rows > 1 then return nil end
  end
end

--- Gives a time to logs of collectors that count from their JVM's start.
---@param case userdata of hbdx.core.case
---@param coverage hbdx.Coverage
function placing.starts(case, coverage)
  local lost = 0
  for _, e in ipairs(coverage.entries) do
    if e.kind == "gc" and e.offset_origin == "uptime" and not e.duplicate then
      local start, origin = nil, nil
      if has_server(e) then start, origin = start_of(case, e.server) end
      if start and case:set_start(e.source, start, origin) then
        e.offset_origin = origin
      elseif (e.events or 0) > 0 then
        lost = lost + 1
      end
    end
  end
  if lost > 0 then
    coverage.notes[#coverage.notes + 1] = ("%s no wall clock, and it is not known when the JVM "
      .. "started: the pauses have no time; one /jmx dump of each server tells it")
      :format(lost == 1 and "1 GC log has" or lost .. " GC logs have")
  end
end

return placing

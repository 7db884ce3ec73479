--- After everything has been read: whose is a source that does not say it? The pieces of a rotated
-- log belong to one server. A log, a dump of single beans or a configuration belongs to the one
-- RegionServer whose files lie nearest to it, but for folders and logs beside each other, which are
-- of several; else to the host in its file's name, else to its own name where several logs lie in
-- the folder, else to its folder.
local sets = require "hbdx.import.sets"

local placing = {}

local GENERIC = { log = true, logs = true, jmx = true, conf = true, config = true, hbase = true,
  var = true, tmp = true, data = true, [""] = true, ["."] = true, [".."] = true }

-- Names of logs that say what wrote them, and not where.
local USUAL = { regionserver = true, hbase = true, master = true, server = true, client = true,
  app = true, log = true, [""] = true }

-- Pieces of one log do not overlap by more: threads write a little late.
local AT_ONCE_MS = 600000

-- Names that are relative and names from the root have nothing in common that is known.
local function parent(folder)
  if folder == "" or folder == "/" or folder == ".." or folder:find("/%.%.$") then return nil end
  local up = folder:match("^(.*)/[^/]*$")
  if up == "" then return "/" end
  return up or ""
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

--- folder -> RegionServer -> the entries in it or below that tell it.
local function servers_by_folder(entries, skip)
  local by = {}
  for _, e in ipairs(entries) do
    local folder = has_server(e) and not skip[e.server] and e.folder or nil
    while folder do
      by[folder] = by[folder] or {}
      by[folder][e.server] = by[folder][e.server] or {}
      table.insert(by[folder][e.server], e)
      folder = parent(folder)
    end
  end
  return by
end

-- The name of a log without its folder and what rotation and kind add: what logs of one server
-- share.
local function stem_of(e)
  local name = sets.read_name(e.name:match("[^/]*$"))
  return (name:gsub("%.log$", ""):gsub("%.out$", ""):gsub("%.err$", ""))
end

-- The first folder on the way from `folder` down to where e lies.
local function branch(folder, e)
  if e.folder == folder then return nil end
  local rest = e.folder:sub((folder == "" or folder == "/") and #folder + 1 or #folder + 2)
  return rest:match("^[^/]+")
end

-- Whether two pieces were written at the same time, and so by two servers.
local function at_once(a, b)
  local function stamp(e, ms) return (ms or 0) + (e.offset_ms or 0) end
  local from = math.max(stamp(a, a.first_ms), stamp(b, b.first_ms))
  return math.min(stamp(a, a.last_ms), stamp(b, b.last_ms)) - from > AT_ONCE_MS
end

-- Whether what lies below one folder is of two servers by the names: of folders beside each other
-- (host1/, host2/), or of logs beside each other.
local function apart(folder, e, other)
  local a, b = branch(folder, e), branch(folder, other)
  if a and a == b then return true end -- else it had been found in that folder
  if a and b then return not GENERIC[a:lower()] and not GENERIC[b:lower()] end
  if a or b or e.kind ~= "log" or other.kind ~= "log" then return false end
  return stem_of(e) ~= stem_of(other) or e.set and e.set == other.set and at_once(e, other)
end

local function any_near(folder, e, others)
  for _, other in ipairs(others) do
    if not apart(folder, e, other) then return true end
  end
  return false
end

--- The one server of the nearest folder that has any; nil: there is none, or more than one.
local function nearest(by, e)
  local folder = e.folder
  while folder do
    local one, more
    for server, others in pairs(by[folder] or {}) do
      if any_near(folder, e, others) then one, more = server, one end
    end
    if one then return not more and one or nil end
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
      local owner = e.owner or nearest(by, e) or false
      if not first[e.source] then owners[e.source], first[e.source] = owner, true end
      if owners[e.source] ~= owner then owners[e.source] = false end
    end
  end
  return owners
end

-- The pieces of a rotated log are of one server.
local function share_in_sets(case, entries)
  local told = {}
  for _, e in ipairs(entries) do
    if e.set and has_server(e) then
      local known = told[e.set]
      told[e.set] = (known == nil or known and known.server == e.server) and e or false
    end
  end
  for _, e in ipairs(entries) do
    local known = e.set and told[e.set]
    if known and homeless(e) and not at_once(known, e) then assign(case, e, known.server) end
  end
end

-- folder -> how many logs by their names lie in it; a log and its rotated pieces are one.
local function count_stems(entries)
  local n, seen = {}, {}
  for _, e in ipairs(entries) do
    local key = e.kind == "log" and e.folder and e.folder .. "\0" .. stem_of(e)
    if key and not seen[key] then
      seen[key], n[e.folder] = true, (n[e.folder] or 0) + 1
    end
  end
  return n
end

-- A name for the server of what nothing else tells: that of the log where there are several in its
-- folder, else that of the folder, unless it is of others.
local function named(e, by, stems)
  local stem = stem_of(e)
  if e.kind == "log" and (stems[e.folder] or 0) > 1 and stem:find("%a")
    and not USUAL[stem:lower()] then return stem end
  return not by[e.folder] and folder_name(e.folder) or nil
end

--- Says whose the logs and configurations are that do not say it themselves.
---@param case userdata of hbdx.core.case
---@param coverage hbdx.Coverage
function placing.servers(case, coverage)
  share_in_sets(case, coverage.entries)
  local by = servers_by_folder(coverage.entries, masters(case))
  local stems = count_stems(coverage.entries)
  for _, e in ipairs(coverage.entries) do
    if homeless(e) and LOGS[e.kind] and (e.scans or 0) == 0 then
      local host = placing.host(e.name)
      -- a folder of several servers names none of them; a dump of calls may hold those of all
      local name = OF_ONE[e.kind] and named(e, by, stems)
      local on = host and server_on(case, host)
      if on and (stems[e.folder] or 0) > 1 then
        assign(case, e, on)
      else
        assign(case, e, nearest(by, e) or on or name)
      end
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

return placing

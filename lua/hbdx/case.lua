--- A case as playbooks see it: servers, windows between JMX dumps, calls, events, scans, settings.
-- What is not in the case is nil or an empty list, never zero; why a number cannot be had is told
-- by case:has. SQL stays in here and in the modules beside it.
local check = require "hbdx.check"
local coverage = require "hbdx.case.coverage"
local records = require "hbdx.case.records"
local series = require "hbdx.series"
local settings = require "hbdx.case.settings"
local source_told = require "hbdx.case.told"
local version = require "hbdx.case.version"

---@class hbdx.Case
---@field core table the storage below
---@field name string how the user named it
---@field calls_digest hbdx.ImportedCalls? the calls, where they are not in the storage
local Case = {}
local META = { __index = Case, __name = "hbdx.case" } -- not Case itself: a playbook reaches Case

local M = {}

--- Wraps a storage handle of hbdx.core.case.
---@param core table
---@param name string? shown in reports and in the prompt
---@return hbdx.Case
function M.wrap(core, name)
  check.arg("core", core, "userdata|table")
  return setmetatable({ core = core, name = name or "case", cache = {} }, META)
end

--- Opens a case file, or an empty case in memory.
---@param path string? nil: in memory
---@param opts table? { readonly = boolean }
---@return hbdx.Case? case
---@return string? message
---@return string? code
function M.open(path, opts)
  check.arg("path", path, "string|nil")
  local core, message, code = require("hbdx.core.case").open(path, opts)
  if not core then return nil, message, code end
  return M.wrap(core, path)
end

--- Forgets what was looked up before; to be called after more sources came in.
function Case:refresh()
  self.cache = {}
end

-- What `make` returns, remembered under `key` until the next refresh.
local function remember(self, key, make)
  local value = self.cache[key]
  if value == nil then
    value = make()
    self.cache[key] = value
  end
  return value
end

---@class hbdx.Server
---@field id integer
---@field name string "host,port", or the folder's name where the content does not tell
---@field short string the shortest form that is unique in this case
---@field version string? of HBase
---@field is_master boolean

local function shortest_names(list)
  local count = {}
  local function forms(s)
    local host = s.host or s.name
    return { host:match("^%d+%.%d+%.%d+%.%d+$") or host:match("^[^.,]+") or host, host, s.name }
  end
  for _, s in ipairs(list) do
    for _, form in ipairs(forms(s)) do
      count[form] = count[form] or {}
      count[form][s.id] = true
    end
  end
  for _, s in ipairs(list) do
    s.short = s.name
    for _, form in ipairs(forms(s)) do
      if next(count[form], next(count[form])) == nil then
        s.short = form
        break
      end
    end
  end
end

--- The servers of the case, by name. Masters come with is_master.
---@return hbdx.Server[]
function Case:servers()
  return remember(self, "servers", function()
    local list =
      self.core:rows("SELECT id, name, host, port, version, is_master FROM server ORDER BY name")
    for _, s in ipairs(list) do s.is_master = s.is_master == 1 end
    shortest_names(list)
    return list
  end)
end

--- A server of the case.
---@param id integer?
---@return hbdx.Server?
function Case:server(id)
  local list = self:servers()
  for _, s in ipairs(list) do
    if s.id == id then return s end
  end
end

--- The short name of a server id, "?" for none.
---@param id integer?
---@return string
function Case:server_name(id)
  local s = self:server(id)
  return s and s.short or "?"
end

--- The HBase version of a server, or of the case; see hbdx.case.version.
---@param server_id integer?
---@return string? version "2.5.8"
---@return string? words with how we know, where it is not told
function Case:version(server_id)
  return version.get(self, server_id)
end

--- A configuration value with its origin; see hbdx.case.settings.
---@param name string
---@param server_id integer?
---@return hbdx.SettingValue? nil: neither told nor known to us
function Case:setting(name, server_id)
  check.arg("name", name, "string")
  return settings.get(self, name, server_id)
end

--- Settings that the sources tell differently, in words.
---@param only string[]? names; nil: all
---@return string[]
function Case:contradictions(only)
  return settings.contradictions(self, only)
end

-- Logs whose calls are beside the case; ?1: whether there are any.
local LOGS_BESIDE = [[UNION ALL SELECT min(first_ms), max(last_ms) FROM source
  WHERE ?1 AND kind IN ('log', 'ring', 'slowlog-table')]]

--- The first and last instant of all that the case holds.
---@return integer? from_ms
---@return integer? to_ms
function Case:span()
  local span = remember(self, "span", function()
    return self.core:rows([[
      SELECT min(a) AS a, max(b) AS b FROM (
        SELECT min(t_ms) AS a, max(t_ms) AS b FROM snapshot
          WHERE t_origin <> 'mtime' OR NOT EXISTS (SELECT 1 FROM snapshot WHERE t_origin <> 'mtime')
        UNION ALL SELECT min(start_ms), max(start_ms) FROM call
        UNION ALL SELECT min(first_ms), max(last_ms) FROM event_span
        UNION ALL SELECT min(t_ms), max(t_ms) FROM scan ]] .. LOGS_BESIDE .. ")",
      { self.calls_digest ~= nil })[1] or {}
  end)
  return span.a, span.b
end

--- Restricts what windows, calls, events and scans give to a time; nil lifts a bound.
---@param from_ms integer?
---@param to_ms integer?
---@param focus hbdx.Span? only what touches it counts as the incident; the rest shows what is usual
function Case:restrict(from_ms, to_ms, focus)
  self.from_ms, self.to_ms, self.focus = from_ms, to_ms, focus
  self:refresh()
end

--- Whether something that happened then may count as the incident that is asked about.
---@param from_ms integer?
---@param to_ms integer? nil: an instant
---@return boolean
function Case:in_focus(from_ms, to_ms)
  local f = self.focus
  return not f or from_ms ~= nil and from_ms < f.to_ms and (to_ms or from_ms) > f.from_ms
end

--- Offset of the cluster's clock from UTC, as its logs show it; 0 where they do not tell.
---@return integer offset_ms
function Case:offset()
  return remember(self, "offset", function()
    local row = self.core:rows([[
      SELECT offset_ms AS o, sum(records) AS n FROM source
      WHERE kind = 'log' AND offset_ms IS NOT NULL AND offset_origin <> 'unknown'
      GROUP BY offset_ms ORDER BY n DESC LIMIT 1]])[1]
    return row and row.o or 0
  end)
end

--- Windows between the JMX dumps of each server; see hbdx.series.
---@param names string[] metrics
---@return hbdx.Frame[]
function Case:windows(names)
  check.arg("names", names, "table")
  return series.frames(self, names)
end

--- Samples of a metric that carries labels (tables, regions); see hbdx.series.
---@param name string
---@return table[]
function Case:labelled(name)
  return series.labelled(self, name)
end

--- Slow and large calls, by start; see hbdx.case.records.
---@param opts table? { method, server_id }
---@return hbdx.Call[]
function Case:calls(opts)
  return records.calls(self, opts or {})
end

--- Events of one kind, by time; see hbdx.case.records.
---@param kind string
---@return hbdx.Event[]
function Case:events(kind)
  check.arg("kind", kind, "string")
  return records.events(self, kind)
end

--- Stops of the JVMs, each once, by their start; see hbdx.case.pauses.
---@return hbdx.Pause[]
function Case:pauses()
  return records.pauses(self)
end

--- Client scan metrics, by time; see hbdx.case.records.
---@return hbdx.ScanMetrics[]
function Case:scans()
  return records.scans(self)
end

--- Whether the case can tell something about the time that is asked about: a metric's name,
--- "calls", "events", "scans" or "settings".
---@param need string
---@return boolean
---@return table? advice { what, get } when it cannot
function Case:has(need)
  check.arg("need", need, "string")
  local told = remember(self, "has " .. need, function() return { coverage.has(self, need) } end)
  return told[1], told[2]
end

--- How much of one RegionServer's logs lies in that time; see hbdx.case.coverage.
---@return integer records
---@return integer ms
function Case:logged()
  return coverage.logged(self)
end

--- Sources with their coverage, in the order they were read. told: what they have by kind, the
-- order of their lines, their clocks; see the column coverage.
---@return table[]
function Case:sources()
  local list = self.core:rows [[
    SELECT s.*, v.name AS server FROM source s LEFT JOIN server v ON v.id =
      s.server_id ORDER BY s.id]]
  for _, s in ipairs(list) do s.told, s.coverage = source_told.read(s.coverage), nil end
  return list
end

--- What was skipped, by source and reason.
---@param source integer? of this one only
---@return table[]
function Case:skipped(source)
  return self.core:rows([[
    SELECT s.name AS source, k.reason, k.count, k.line, k.sample
    FROM skipped k JOIN source s ON s.id = k.source_id ]] .. (source and "WHERE s.id = ? " or "")
    .. "ORDER BY k.count DESC, s.id", source and { source } or nil)
end

function Case:close()
  self.core:close()
end

function META:__tostring()
  return ("case %s (%d servers)"):format(self.name, #self:servers())
end

-- What a view lets through to the storage.
local READS = { "rows", "each", "select", "points", "digest" }

--- The same case for a playbook: it reads, and whatever it does to what it is given
--- reaches nobody else.
---@param case hbdx.Case
---@return hbdx.Case
function M.view(case)
  local methods, core, storage = {}, {}, case.core
  for name, method in pairs(Case) do methods[name] = method end
  for _, name in ipairs(READS) do
    core[name] = function(_, ...) return storage[name](storage, ...) end
  end
  function methods.close() error("a playbook may not close the case", 2) end
  return setmetatable({ core = core, name = case.name, cache = {}, from_ms = case.from_ms,
    to_ms = case.to_ms, focus = case.focus }, { __index = methods, __tostring = META.__tostring })
end

return M

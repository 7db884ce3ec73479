--- What is known of an event that comes from a log which is followed: its time, its server, the
-- name and the table of its region; and whether it is one of those that were asked for.
local clock = require "hbdx.follow.clock"
local events = require "hbdx.events"
local fields = require "hbdx.case.fields"

local M = {}

local MOST_NAMES <const> = 200000 -- regions, scanners that are remembered

---@class hbdx.ToldEvents
---@field zone string? of stamps without one
---@field regions table
---@field scanners table
---@field servers table<string, hbdx.Server>
local Told = {}
Told.__index = Told

local function names(most)
  return setmetatable({ n = 0, most = most, of = {} }, { __call = function(self, key, value)
    if self.of[key] then return end
    if self.n >= self.most then self.n, self.of = 0, {} end
    self.n, self.of[key] = self.n + 1, value
  end })
end

--- Learns the names of a region, and the table of a scanner.
---@param e table of hbdx.core.follow
function Told:learn(e)
  if e.encoded and e.table_name then
    local known = self.regions.of[e.encoded]
    if known then
      known.name = known.name or e.region
    else
      self.regions(e.encoded, { table = e.table_name, name = e.region })
    end
  end
  if e.scanner and e.table_name then self.scanners(e.scanner, e.table_name) end
end

local function time_of(self, e, entry)
  if e.kind == events.call_kind then return e.start_ms end
  if not e.local_ms then return nil end
  if e.zone_ms then return e.local_ms - e.zone_ms end
  return e.local_ms - (self.zone and clock.offset(self.zone, e.local_ms) or entry.offset_ms or 0)
end

--- Takes the servers that are known now.
---@param servers hbdx.Server[]
function Told:know(servers)
  self.servers = {}
  for _, s in ipairs(servers) do self.servers[s.name] = s end
end

--- Makes it an event as those of events.each, by what its file and others before it tell.
-- May be done again, where more has become known.
---@param e table of hbdx.core.follow, with its source; changed
function Told:complete(e)
  local entry = e.source.entry
  local region = e.encoded and self.regions.of[e.encoded] or {}
  local server = self.servers[entry.server or ""] or {}
  e.t_ms, e.f = time_of(self, e, entry), fields.clean(e.f)
  e.file, e.source_id = e.source.path, entry.source
  e.server, e.server_id, e.short, e.host = server.name, server.id, server.short, server.host
  e.table_name = e.table_name or region.table or e.scanner and self.scanners.of[e.scanner]
  if not e.region or e.region == e.encoded then e.region = region.name or e.encoded end
end

--- Knows nothing yet.
---@param zone string? of stamps without one
---@return hbdx.ToldEvents
function M.new(zone)
  return setmetatable({ zone = zone, regions = names(MOST_NAMES), scanners = names(MOST_NAMES),
    servers = {} }, Told)
end

--- What the words of a user choose.
---@param given table kind, table, server
---@return (fun(e: table): boolean?)? chosen
---@return string? message a kind is none
function M.chooser(given)
  local kinds, of = {}, given.table and events.pattern(given.table)
  local server = given.server and events.pattern(given.server)
  if given.kind then
    local list, message = events.kinds(given.kind)
    if not list then return nil, message end
    for _, kind in ipairs(list) do kinds[kind] = true end
    kinds[events.call_kind] = true
  end
  local function is_server(e)
    return e.server and (e.server:find(server) or e.short:find(server)
      or (e.host or ""):find(server))
  end
  return function(e)
    return (not given.kind or kinds[e.kind])
      and (not of or e.table_name and e.table_name:find(of))
      and (not server or is_server(e))
  end
end

return M

--- Events of a case, chosen by kind, table, server and time, read in order of time. The timeline,
-- the JSON lines and the summary (hbdx.events.*) all choose through here.
local check = require "hbdx.check"
local eventdoc = require "hbdx.eventdoc"
local fields_of = require "hbdx.case.fields"
local json = require "hbdx.core.json"
local time = require "hbdx.core.time"

local events = {}

--- The kind under which slow and large calls come, with --with-calls.
events.call_kind = "slow_call"

---@class hbdx.EventFilter
---@field kinds string[]? nil: all
---@field table string? a glob
---@field server_ids integer[]? nil: all
---@field from_ms integer?
---@field to_ms integer?
---@field calls boolean? slow and large calls, too

--- A GLOB as a pattern: * and ? stand for what they usually do.
---@param glob string
---@return string
function events.pattern(glob)
  return "^" .. glob:gsub("[%^%$%(%)%%%.%[%]%+%-]", "%%%0"):gsub("%*", ".*"):gsub("%?", ".") .. "$"
end

-- What a glob names of the kinds, added to a list.
local function add_kinds(glob, seen, kinds)
  local pattern, hit = events.pattern(glob), false
  for _, name in ipairs(eventdoc.names()) do
    if name:find(pattern) then
      hit = true
      if not seen[name] then seen[name], kinds[#kinds + 1] = true, name end
    end
  end
  return hit
end

--- Kinds of "flush_*,abort".
---@param list string
---@return string[]? kinds but for slow_call, which is no event
---@return string? message
---@return boolean? calls slow_call is one of them, by its whole name
function events.kinds(list)
  local seen, kinds, calls = {}, {}, false
  for glob in list:gmatch("[^,%s]+") do
    if glob == events.call_kind then
      calls = true
    elseif not add_kinds(glob, seen, kinds) then
      local names = table.move(eventdoc.names(), 1, #eventdoc.names(), 2, { events.call_kind })
      return nil, ("no kind of event is called '%s'%s; hbdx explain event lists them"):format(glob,
        check.meant((glob:gsub("[*?]", "")), names))
    end
  end
  if #kinds == 0 and not calls then
    return nil, "--kind takes kinds such as flush_finished or 'flush_*'"
  end
  return kinds, nil, calls
end

local function servers_of(case, glob)
  local ids, names, pattern = {}, {}, events.pattern(glob)
  for i, s in ipairs(case:servers()) do
    names[i] = s.short
    if s.name:find(pattern) or s.short:find(pattern) or (s.host or ""):find(pattern) then
      ids[#ids + 1] = s.id
    end
  end
  if #ids > 0 then return ids end
  if #names == 0 then return nil, ("no server is called '%s': none is known"):format(glob) end
  return nil, ("no server is called '%s'; there %s %s"):format(glob, #names == 1 and "is" or "are",
    table.concat(names, ", ", 1, math.min(#names, 12)))
end

local function later(a, b) return a and b and math.max(a, b) or a or b end
local function earlier(a, b) return a and b and math.min(a, b) or a or b end

--- What the words of a user choose, within the case's own bounds of time.
---@param case hbdx.Case
---@param given table { kind, table, server, calls }
---@return hbdx.EventFilter? filter
---@return string? message
function events.filter(case, given)
  local focus = case.focus or {}
  local filter = { table = given.table, calls = given.calls,
    from_ms = later(case.from_ms, focus.from_ms), to_ms = earlier(case.to_ms, focus.to_ms) }
  local message, calls
  if given.kind then
    filter.kinds, message, calls = events.kinds(given.kind)
    if not filter.kinds then return nil, message end
    filter.calls = filter.calls or calls
  end
  if given.server then
    filter.server_ids, message = servers_of(case, given.server)
    if not filter.server_ids then return nil, message end
  end
  return filter
end

local function is_in(column, list, params)
  table.move(list, 1, #list, #params + 1, params)
  return (" AND %s IN (%s)"):format(column, ("?,"):rep(#list):sub(1, -2))
end

--- A filter as an SQL condition on the columns of `e`, with its values appended to params.
---@param filter hbdx.EventFilter
---@param params table
---@param without table<string, boolean>? parts to leave out: kinds, table, time
---@return string
function events.condition(filter, params, without)
  local sql, skip = "1", without or {}
  local function put(part, column, value)
    if value and not skip[part] then
      sql = sql .. (" AND e.%s ?"):format(column)
      params[#params + 1] = value
    end
  end
  if filter.kinds and not skip.kinds then
    sql = sql .. is_in("e.kind", filter.kinds, params)
  end
  if filter.server_ids then sql = sql .. is_in("e.server_id", filter.server_ids, params) end
  put("table", "table_name GLOB", filter.table)
  put("time", "t_ms >=", filter.from_ms)
  put("time", "t_ms <=", filter.to_ms)
  return sql
end

--- The same, without the kinds, for what is no row of the events: joined pauses.
---@param filter hbdx.EventFilter
---@return fun(e: table): boolean by t_ms, server_id; nothing of it has a table
function events.matcher(filter)
  local ids = {}
  for _, id in ipairs(filter.server_ids or {}) do ids[id] = true end
  return function(e)
    if filter.table or filter.server_ids and not ids[e.server_id or ""] then return false end
    local t = e.t_ms
    if not t then return not (filter.from_ms or filter.to_ms) end
    return t >= (filter.from_ms or t) and t <= (filter.to_ms or t)
  end
end

local COLUMNS = [[e.id, e.t_ms, e.kind, e.server_id, e.source_id, e.line, e.region, e.encoded,
  e.table_name, e.family, e.thread, e.fields]]

-- Calls with the columns of events. What a continuation of a scan does not tell (its table) is
-- taken from another call of its scanner.
local CALLS = [[
  SELECT c.id AS id, c.start_ms AS t_ms, 'slow_call' AS kind, c.server_id AS server_id,
         c.source_id AS source_id, c.line AS line, c.region AS region, c.encoded AS encoded,
         coalesce(c.table_name, n.table_name) AS table_name, NULL AS family, c.thread AS thread,
         json_object('method', c.method, 'client', c.client, 'user', c.user, 'proc_ms', c.proc_ms,
           'queue_ms', c.queue_ms, 'response_bytes', c.response_bytes, 'scanner_id',
           c.scanner_id) AS fields
  FROM call c LEFT JOIN scanner n ON n.scanner_id = c.scanner_id AND c.table_name IS NULL]]

-- The rows that a filter chooses, as a table in SQL.
local function chosen(filter, params)
  local sql = ("SELECT %s FROM event e WHERE %s"):format(COLUMNS, events.condition(filter, params))
  if filter.calls then
    sql = sql .. (" UNION ALL SELECT %s FROM (%s) e WHERE %s"):format(COLUMNS, CALLS,
      events.condition(filter, params, { kinds = true }))
  end
  return sql
end

--- An event's own fields.
---@param fields string? JSON
---@return table<string, any>
function events.fields(fields)
  return fields_of.read(fields)
end

--- Reads the chosen events by time, those without one last.
---@param case hbdx.Case
---@param filter hbdx.EventFilter
---@return fun(): hbdx.Event? each with server (full name), file, line, thread and id, too
function events.each(case, filter)
  local params = {}
  local rows = case.core:each(([[
    SELECT e.id, e.t_ms, e.kind, e.server_id, e.source_id, e.line, e.encoded, e.table_name,
           e.family, e.thread, e.fields, v.name AS server, s.name AS file,
           coalesce(e.region, r.name, e.encoded) AS region
    FROM (%s) e JOIN source s ON s.id = e.source_id LEFT JOIN server v ON v.id = e.server_id
    LEFT JOIN region r ON r.encoded = e.encoded
    ORDER BY e.t_ms IS NULL, e.t_ms, e.source_id, e.line, e.id]]):format(chosen(filter, params)),
    params)
  return function()
    local e = rows()
    if e then e.f, e.fields = events.fields(e.fields), nil end
    return e
  end
end

---@class hbdx.EventCount
---@field n integer
---@field untimed integer of them, without a time
---@field first_ms integer?
---@field last_ms integer?
---@field left_out_untimed integer not chosen: they have no time, and a time was asked for
---@field left_out_tableless integer not chosen: they name no table, and one was asked for

--- Counts what a filter chooses, and what it had to leave out for lack of knowledge.
---@param case hbdx.Case
---@param filter hbdx.EventFilter
---@return hbdx.EventCount
function events.count(case, filter)
  local function one(sql, params) return case.core:rows(sql, params)[1] end
  local params = {}
  local c = one(("SELECT count(*) AS n, count(*) - count(t_ms) AS untimed, min(t_ms) AS first_ms, "
    .. "max(t_ms) AS last_ms FROM (%s)"):format(chosen(filter, params)), params)
  local function missing(column, part, asked)
    if not asked then return 0 end
    local p = {}
    local where = events.condition(filter, p, { [part] = true })
    local sql = "SELECT count(*) AS n FROM event e WHERE %s AND e.%s IS NULL"
    return one(sql:format(where, column), p).n
  end
  c.left_out_untimed = missing("t_ms", "time", filter.from_ms or filter.to_ms)
  c.left_out_tableless = missing("table_name", "table", filter.table)
  return c
end

local HEAD = { "kind", "time", "server", "region", "table", "file", "line" }

--- One event as an object of JSON on one line. The seven first members are always there, null
-- where they are not known; the kind's own fields stand beside them where the line tells them.
---@param e table of events.each
---@return string
function events.json_line(e)
  local object = { kind = e.kind, time = e.t_ms and time.format(e.t_ms), server = e.server,
    region = e.region, table = e.table_name, file = e.file, line = e.line }
  local order = {}
  for i, name in ipairs(HEAD) do
    order[i] = name
    if object[name] == nil then object[name] = json.null end
  end
  local own = { encoded = e.encoded, family = e.family, thread = e.thread }
  for name, value in pairs(e.f) do
    -- the server that the line names, which need not be the one whose log it is
    own[name == "server" and "named_server" or name] = value
  end
  local names = {}
  for name in pairs(own) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    if object[name] == nil then object[name], order[#order + 1] = own[name], name end
  end
  return json.encode(setmetatable(object, { __order = order })) .. "\n"
end

return events

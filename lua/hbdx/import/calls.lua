--- Logs and dumps of slow calls read for a digest alone: their calls go into groups, and into the
-- case goes only what is known of each source. What turns out to be something else is imported.
local core = require "hbdx.core.calls"
local json = require "hbdx.core.json"
local clocks = require "hbdx.import.clocks"

local M = {}

---@class hbdx.ImportedCalls
---@field core userdata of hbdx.core.calls
---@field list table[] what was read: path, name, server
---@field opts table by=, threads=
---@field from integer? the time that is counted, ms
---@field to integer?
local Calls = {}
Calls.__index = Calls

local function reports_of(case, calls, files, items, opts, import_file)
  local reports = {}
  for i, item in ipairs(items) do
    local f = files[i]
    local report, message, code
    if f.original then
      report = setmetatable({ duplicate = true, new_calls = 0, offset_origin = false },
        { __index = reports[f.original] })
    elseif f.read or item.kind == "stream" then
      report, message, code = case:import_found(calls.core, i, { name = item.name,
        zone = opts.zone })
    else
      report, message, code = import_file(item)
    end
    if report and f.read then report.calls_index = i end
    reports[i] = report
    calls.settle(item, report, message, code)
  end
end

--- Whether all items are files, so that a digest can do without a case.
---@param items hbdx.item[]
---@return boolean
function M.only(items)
  for _, item in ipairs(items) do
    if item.kind ~= "file" and item.kind ~= "stream" then return false end
  end
  return true
end

--- Reads.
---@param case userdata of hbdx.core.case
---@param items hbdx.item[]
---@param opts table zone=, calls = { by=, threads=, identify= }
---@param import_file fun(item: hbdx.item): table?, string?, string?
---@param settle fun(item: hbdx.item, report: table?, message: string?, code: string?)
---@return hbdx.ImportedCalls
function M.read(case, items, opts, import_file, settle)
  local list = {}
  for i, item in ipairs(items) do
    list[i] = { path = item.path, name = item.name,
      goes_on = item.set and item.piece > 1 and item.head.goes_on or nil }
  end
  local reader, files = core.read(list, opts.calls)
  if not reader then error(files, 0) end
  local calls = setmetatable({ core = reader, list = list, opts = opts.calls, settle = settle },
    Calls)
  reports_of(case, calls, files, items, opts, import_file)
  return calls
end

--- Takes the servers that the sources were placed under.
---@param entries table[] of hbdx.Coverage
function Calls:place(entries)
  for _, e in ipairs(entries) do
    if e.calls_index and e.server and e.server ~= "" then
      self.list[e.calls_index].server = e.server
      self.core:set_server(e.calls_index, e.server)
    end
  end
end

--- Reads the same sources again, for calls of one time only.
---@param from integer? ms
---@param to integer?
function Calls:restrict(from, to)
  if from == self.from and to == self.to then return end
  local reader, message = core.read(self.list, { by = self.opts.by, threads = self.opts.threads,
    identify = self.opts.identify, from = from, to = to })
  if not reader then error(message, 0) end
  self.core:close()
  self.core, self.from, self.to = reader, from, to
end

-- Order by name, so that a digest does not depend on the order of its sources.
local function by_name(a, b)
  if a.name ~= b.name then return a.name < b.name end
  return (a.fingerprint or 0) < (b.fingerprint or 0)
end

local FACTS = { "name", "kind", "fingerprint", "bytes", "lines", "records", "understood",
  "skipped", "first_ms", "last_ms", "offset_ms", "offset_origin", "version", "damage", "server",
  "coverage", "skips" }

-- Says of a log's clock what it says itself: what was guessed depends on the logs beside it.
local function unguessed(row)
  if not clocks.guesses[row.offset_origin] then return end
  local by = row.offset_ms or 0
  row.first_ms, row.last_ms = row.first_ms and row.first_ms + by, row.last_ms and row.last_ms + by
  row.offset_ms, row.offset_origin = 0, "unknown"
end

--- The digest as a file.
---@param case userdata of hbdx.core.case
---@return string? bytes
---@return string? message
---@return string? code
function Calls:pack(case)
  local sources = {}
  for _, row in ipairs(case:rows [[SELECT s.*, v.name AS server FROM source s
      LEFT JOIN server v ON v.id = s.server_id WHERE s.kind IN ('log', 'ring', 'slowlog-table')]])
  do
    row.skips = json.array(case:rows(
      "SELECT reason, count, line, sample FROM skipped WHERE source_id = ? ORDER BY reason",
      { row.id }))
    unguessed(row)
    local facts = setmetatable({}, { __order = FACTS })
    for _, name in ipairs(FACTS) do facts[name] = row[name] end
    sources[#sources + 1] = facts
  end
  table.sort(sources, by_name)
  return self.core:pack(json.encode { sources = json.array(sources) })
end

--- Adds a digest that was packed before, and files what it was made of.
---@param case userdata of hbdx.core.case
---@param bytes string
---@return table[]? reports one of each source, as those of an import
---@return string? message
---@return string? code
function Calls:merge(case, bytes)
  local meta, message, code = self.core:merge(bytes)
  if not meta then return nil, message, code end
  local doc, reports = json.decode(meta), {}
  if type(doc) ~= "table" or type(doc.sources) ~= "table" then
    return nil, "it does not say what it was made of", "parse"
  end
  for i, facts in ipairs(doc.sources) do
    reports[i], message, code = case:add_source(facts)
    if not reports[i] then return nil, message, code end
    reports[i].name = facts.name
  end
  return reports
end

return M

--- What an import read, and what not, as it is kept for the reports.
local M = {}

---@class hbdx.Coverage what an import read, and what not
---@field entries table[] one per source that was read: the core's report, with name and argument
---@field files integer sources that were understood
---@field duplicates integer sources whose content was in the case already
---@field passed integer sources with nothing in them that hbdx understands
---@field passed_names string[]
---@field bytes integer
---@field not_understood integer lines
---@field unread table[] {name=, message=, code=}
---@field notes string[] what the reader should know
---@field asked string? the note that tells of what time is asked
---@field calls hbdx.ImportedCalls? the calls of the logs, where they are not in the case
---@field cost table? of live servers: requests, bytes, server_ms, repeated (of the requests)

--- Nothing yet.
---@return hbdx.Coverage
function M.new()
  return { entries = {}, files = 0, duplicates = 0, passed = 0, passed_names = {}, bytes = 0,
    not_understood = 0, unread = {}, notes = {} }
end

--- Files what could not be read.
---@param coverage hbdx.Coverage
---@param name string
---@param message string
---@param code string?
function M.unread(coverage, name, message, code)
  -- the readers below name the file, and so do those who show the message
  if message:sub(1, #name + 2) == name .. ": " then message = message:sub(#name + 3) end
  coverage.unread[#coverage.unread + 1] = { name = name, message = message, code = code }
end

--- Adds a note.
---@param coverage hbdx.Coverage
---@param fmt string
function M.note(coverage, fmt, ...)
  coverage.notes[#coverage.notes + 1] = fmt:format(...)
end

local FEW <const> = 10 -- lines

-- A log of which no line but those of slow calls begins as one does: something that is not known
-- stands before them, and its events are not seen.
local function headless(report)
  local records, calls = report.records or 0, report.calls or 0
  return report.kind == "log" and not report.calls_index and not report.duplicate
    and records <= calls and (report.lines or 0) - records >= FEW
end

--- Files one report of the core.
---@param coverage hbdx.Coverage
---@param item hbdx.item
---@param report table
function M.record(coverage, item, report)
  report.name, report.argument, report.folder = item.name, item.argument, item.folder
  report.path, report.set = item.path, item.set
  coverage.entries[#coverage.entries + 1] = report
  coverage.bytes = coverage.bytes + (report.bytes or 0)
  coverage.not_understood = coverage.not_understood + (report.skipped or 0)
  if report.duplicate then
    coverage.duplicates = coverage.duplicates + 1
  elseif report.kind == "unknown" then
    coverage.passed = coverage.passed + 1
    table.insert(coverage.passed_names, item.name)
    if item.path == item.argument and (report.damage or "") == "" then
      M.note(coverage, "%s: passed over: it is no log, dump or configuration that hbdx knows",
        item.name)
    end
  else
    coverage.files = coverage.files + 1
  end
  if headless(report) then
    M.note(coverage, "%s: no line%s begins with a stamp, a level or a logger: something stands "
      .. "before them that hbdx does not know, and events are not seen; what docker, kubectl, "
      .. "syslog and journald write is taken off", item.name,
      (report.calls or 0) > 0 and " but those of slow calls" or "")
  end
  -- HBase leaves empty files in every folder of logs; only one that was named is worth a word
  local usual = report.damage == "empty" and item.path ~= item.argument
  if report.damage and report.damage ~= "" and not usual then
    -- what is odd is not always the file
    local plain = report.damage == "empty" or report.damage:find "^its? "
    M.note(coverage, plain and "%s: %s" or "%s: damaged: %s", item.name, report.damage)
  end
end

--- Files a report, or why there is none.
---@return table? report
function M.settle(coverage, item, report, message, code)
  if report then
    M.record(coverage, item, report)
  else
    M.unread(coverage, item.name, message, code)
  end
  return report
end

return M

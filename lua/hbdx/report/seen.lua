--- The part of a report that judges nothing: grave events of the logs, as they stand there.
local json = require "hbdx.core.json"
local layout = require "hbdx.report.layout"
local time = require "hbdx.core.time"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

local seen = {}

local LONGEST = 200 -- bytes of a reason: what comes behind is in the log
local INDENT, HANG = 20, 2

local LABELS = {
  abort = "server aborted", out_of_memory = "out of memory", zk_expired = "session expired",
  zk_silent = "ZooKeeper silent", pause = "process paused", slept = "thread slept",
  wal_failed = "WAL failed", wal_slow_sync = "WAL sync slow",
}

-- No more than the beginning of what may be long; no character is cut in two.
local function short(s)
  s = s:gsub("%s+", " ")
  if #s <= LONGEST then return s end
  return (s:sub(1, LONGEST):gsub("[\xC0-\xFF]?[\x80-\xBF]*$", "")) .. "..."
end

local function reason_of(w)
  if w.root_class then
    local class = w.root_class:match("[^.$]+$") or w.root_class
    return short(("root: %s%s"):format(class, w.root_reason and ": " .. w.root_reason or ""))
  end
  local words = { w.what, w.reason }
  if not w.what then words = { w.reason } end
  return #words > 0 and short(table.concat(words, ": ")) or nil
end

local function place_of(ctx, w)
  local words = {}
  local server = ctx.case:server(w.server_id)
  if server then words[1] = server.short end
  if w.t_ms then
    local t = math.floor(w.t_ms)
    words[#words + 1] = window.text(ctx.case, { from_ms = t, to_ms = t })
  end
  local file = layout.short(ctx, w.file or "")
  words[#words + 1] = w.line and ("%s:%d"):format(file, w.line) or file
  return table.concat(words, ", "), words[#words]
end

local function row(ctx, out, r)
  local w, head = r.worst, units.plural(r.count, "time")
  if r.at_least_ms then head = head .. " of " .. units.duration(r.at_least_ms) .. " or more" end
  if w.ms then
    head = ("%s, %s%s"):format(head, r.count > 1 and "the longest " or "", units.duration(w.ms))
  elseif r.count > 1 then
    head = head .. ", the first"
  end
  local place, name = place_of(ctx, w)
  local reason = reason_of(w)
  layout.labelled(ctx, out, LABELS[r.kind] or r.kind, ("%s: %s%s"):format(head, place,
    reason and "; " .. reason or ""), INDENT, HANG, name)
end

--- Appends the section, where there is anything.
---@param ctx hbdx.ReportContext
---@param out string[]
---@param list hbdx.Grave[]? of hbdx.events.grave
function seen.add(ctx, out, list)
  if not list or #list == 0 then return end
  out[#out + 1] = "seen, and judged by no playbook"
  for _, r in ipairs(list) do row(ctx, out, r) end
  layout.labelled(ctx, out, "more of it", "hbdx events --summary SOURCE", INDENT)
  out[#out + 1] = ""
end

--- The same for machines.
---@param ctx hbdx.ReportContext
---@param list hbdx.Grave[]?
---@return table? nil: it was not looked for
function seen.document(ctx, list)
  if not list then return nil end
  local out = {}
  for i, r in ipairs(list) do
    local w = r.worst
    local server = ctx.case:server(w.server_id)
    out[i] = { kind = r.kind, count = r.count, at_least_ms = r.at_least_ms,
      worst = { server = server and server.name, time = w.t_ms and time.format(math.floor(w.t_ms)),
        file = w.file, line = w.line, ms = w.ms, what = w.what, reason = w.reason,
        root_class = w.root_class, root_reason = w.root_reason } }
  end
  return json.array(out)
end

return seen

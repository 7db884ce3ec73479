--- Rotated logs: files of one folder whose names differ by a number, a date or their compression
-- are pieces of one log, and are read oldest first. A name is a hint only: where the first stamps
-- of the files say another order, they are right. A piece that another one begins with (a copy that
-- was left behind when the log was truncated, or the same piece packed) is not read.
local core = require "hbdx.core.case"
local time = require "hbdx.core.time"

local sets = {}

local HOUR_MS = 3600000

---@class hbdx.LogSet the pieces of one rotated log
---@field stem string its path without what rotation adds
---@field items hbdx.item[] oldest first

local PACKED = { "%.gz$", "%.zst$", "%.zstd$" }

-- What rotation adds behind or into a name, the longest first: a pattern with the stem, what tells
-- the order, and what stands behind it.
local D, H = "(%d%d%d%d%-%d%d%-%d%d", "[-_.T]?%d%d"
local DATED = {
  "^(.-)[-_.]" .. D .. H .. "%-%d%d)(.*)$", -- 2026-11-29-14-30
  "^(.-)[-_.]" .. D .. H .. ")(.*)$",
  "^(.-)[-_.]" .. D .. ")(.*)$",
  "^(.-)[-_.](20%d%d[01]%d[0-3]%d[-_.T]?[0-2]%d%d?%d?)(.*)$",
  "^(.-)[-_.](20%d%d[01]%d[0-3]%d)(.*)$",
}

local function dated(name)
  for _, pattern in ipairs(DATED) do
    local stem, date, rest = name:match(pattern)
    local index, tail = (rest or ""):match("^[-_.](%d%d?%d?%d?)(.*)$")
    if not index then index, tail = "", rest end
    -- behind the date nothing, or the ending that was before it
    if stem and stem ~= "" and (tail == "" or tail == ".log" or tail == ".out") then
      return stem .. tail, (date:gsub("%D", "") .. "000000"):sub(1, 12)
        .. ("%05d"):format(math.tointeger(tonumber(index)) or 0)
    end
  end
end

--- A file's name without its folder -> the name that all pieces share, and its place among them: a
-- text that sorts with the oldest first. The log that is being written is the last.
---@param name string
---@return string stem
---@return string place
---@return boolean rotated
function sets.read_name(name)
  for _, pattern in ipairs(PACKED) do name = name:gsub(pattern, "") end
  local stem, place = dated(name)
  if stem then return stem, "1" .. place, true end
  local number
  stem, number = name:match("^(.+)%.(%d%d?%d?%d?)$")
  if stem then
    -- the higher the older; names may be dated and numbered, then the dates are older
    return stem, ("2%05d"):format(99999 - number), true
  end
  return name, "3", false
end

-- Folder and name of an item.
local function parts(item)
  return item.path:match("^(.*/)([^/]*)$") or "", item.path:match("[^/]*$")
end

local function group(items)
  local by, list = {}, {}
  for _, item in ipairs(items) do
    if item.kind == "file" and item.rank == 3 then
      local folder, name = parts(item)
      local stem, place = sets.read_name(name)
      local set = by[folder .. stem]
      if not set then
        set = { stem = folder .. stem, items = {} }
        by[set.stem], list[#list + 1] = set, set
      end
      item.set, item.place = set, place
      set.items[#set.items + 1] = item
    end
  end
  return list
end

local function by_place(a, b)
  if a.place ~= b.place then return a.place < b.place end
  return a.order < b.order
end

-- Whether stamps go back as they do when clocks are put back: by an hour at most, in the first
-- hours of a Sunday.
local function put_back(from, to)
  if from - to > HOUR_MS + 300000 then return false end
  local c = time.civil(to)
  return c.hour < 4 and c.wday == 0
end

-- Whether stamps contradict the order, those that are not known aside.
local function contradicted(items)
  local last
  for _, item in ipairs(items) do
    local at = item.head.stamp_ms
    if at and last and at < last and not put_back(last, at) then return true end
    last = at or last
  end
  return false
end

-- By stamps; a piece without one stays behind the piece it was behind.
local function by_time(items)
  local last, at = math.mininteger, {}
  for i, item in ipairs(items) do
    last = item.head.stamp_ms or last
    at[item] = { last, i }
  end
  table.sort(items, function(a, b)
    local x, y = at[a], at[b]
    if x[1] ~= y[1] then return x[1] < y[1] end
    return x[2] < y[2]
  end)
end

-- Leaves out what is the beginning of another piece.
local function drop_copies(set, copies)
  local by = {} -- first stamp -> pieces that begin then and are no copies
  for _, item in ipairs(set.items) do
    local at = item.head.stamp_ms
    local others = at and by[at] or {}
    for i, other in ipairs(others) do
      if core.begins(item.path, other.path) then
        other.copy_of = item
        table.remove(others, i)
        break
      elseif core.begins(other.path, item.path) then
        item.copy_of = other
        break
      end
    end
    if at and not item.copy_of then
      others[#others + 1] = item
      by[at] = others
    end
  end
  local kept = {}
  for _, item in ipairs(set.items) do
    local list = item.copy_of and copies or kept
    list[#list + 1] = item
  end
  set.items = kept
end

local function settle(set, notes)
  local logs = {}
  for _, item in ipairs(set.items) do
    item.head = core.look(item.path) or { kind = "unknown" }
    if item.head.kind == "log" then
      logs[#logs + 1] = item
    elseif item.head.kind == "unknown" and item.head.goes_on then
      logs[#logs + 1] = item -- one that begins in a long record does not look like a log
    else
      item.set = nil
    end
  end
  set.items = logs
  table.sort(set.items, by_place)
  if contradicted(set.items) then
    by_time(set.items)
    notes[#notes + 1] = ("%s: the names of its pieces say another order than their first lines: "
      .. "read by time, from %s on"):format(set.stem, set.items[1].name)
  end
end

-- Puts the pieces of a set where the first of them was.
local function arrange(items)
  local out, done = {}, {}
  for _, item in ipairs(items) do
    local set = item.set
    if not set then
      out[#out + 1] = item
    elseif not done[set] then
      done[set] = true
      table.move(set.items, 1, #set.items, #out + 1, out)
    end
  end
  return out
end

--- Finds the rotated logs among what is to be read, and puts their pieces in order: each with set.
---@param items hbdx.item[]
---@return hbdx.item[] items without the copies
---@return hbdx.item[] copies each with copy_of, the item that begins with it
---@return string[] notes
function sets.arrange(items)
  local copies, notes = {}, {}
  for _, set in ipairs(group(items)) do
    if #set.items > 1 then
      settle(set, notes)
      drop_copies(set, copies)
    end
    if #set.items < 2 then
      for _, item in ipairs(set.items) do item.set = nil end
    else
      for i, item in ipairs(set.items) do item.piece = i end
    end
  end
  local left = {}
  for _, item in ipairs(items) do
    if not item.copy_of then left[#left + 1] = item end
  end
  return arrange(left), copies, notes
end

--- What import_file needs to know of the pieces before and behind an item.
---@param item hbdx.item
---@param opts table the options, which are completed
---@return table opts
function sets.seam(item, opts)
  local set = item.set
  if not set then return opts end
  opts.next = {}
  for i = item.piece + 1, math.min(#set.items, item.piece + 64) do
    opts.next[#opts.next + 1] = set.items[i].path
  end
  local before = set.last
  opts.skip = item.skip
  if before then
    opts.before_local_ms, opts.before_ms = before.end_local_ms, before.end_ms
    opts.follows = before.source
  end
  return opts
end

--- Takes the report of a piece, for those behind it.
---@param item hbdx.item
---@param report table?
function sets.took(item, report)
  local set = item.set
  if not set or not report then return end
  for i, n in ipairs(report.taken or {}) do
    local behind = set.items[item.piece + i]
    behind.skip = (behind.skip or 0) + n
  end
  if report.kind == "log" and not report.duplicate and report.end_ms then
    set.last = report
  end
end

return sets

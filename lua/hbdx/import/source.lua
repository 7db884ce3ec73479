--- What the user named -> the list of things to read, before any of them is read in full.
-- Folders are walked in the order of names; hidden files are left out; a file or folder that can be
-- reached by two names (links) is taken once, so a link that leads back up does no harm.
local core = require "hbdx.core.case"
local sys = require "hbdx.core.sys"
local time = require "hbdx.core.time"

local source = {}

local MAX_FILES, MAX_DEPTH, HEAD = 20000, 32, 4096
local SQLITE = "SQLite format 3\0"

---@class hbdx.item one thing to read
---@field kind "file"|"stream"|"url"|"case" a stream is read once: standard input, a pipe
---@field argument string what the user named
---@field name string as it is shown
---@field path string?
---@field folder string? where it lies, "" when the user named it without a folder
---@field rank integer 1 JMX, 2 configuration, 3 all else
---@field t_ms integer? the moment its name or its time stamp tells
---@field t_origin string?

---@class hbdx.note something that was not read, and why
---@field argument string
---@field name string
---@field error string
---@field code string
---@field harmless boolean? the user need not care

local RANKS = { jmx = 1, conf = 2 }

--- JMX first and then configurations: they tell whose the logs beside them are. A log may begin as
--- they do: with a syslog's <14>, a thread in brackets, a container's JSON.
local function rank(path, head)
  if not head:find("^[\xef\xbb\xbf%s]*[<{%[]") then return 3 end
  local seen = core.look(path)
  return seen and RANKS[seen.kind] or 3
end

local function instant(y, mo, d, h, mi, s, zone)
  local text = ("%s-%s-%sT%s:%s:%s"):format(y, mo, d, h, mi, s ~= "" and s or "00")
  return (time.parse(zone == "Z" and text .. "Z" or text, zone ~= "Z" and zone or nil))
end

--- The moment in a file's name: 2026-11-30T21-48-55Z, 20261130-214855, or seconds or milliseconds
--- since 1970. Without a Z it is taken in `zone` (nil: UTC).
---@param name string
---@param zone string?
---@return integer? ms
function source.stamp(name, zone)
  local y, mo, d, h, mi, s, z = name:match("%f[%d](%d%d%d%d)%-?(%d%d)%-?(%d%d)[T_%-. ]"
    .. "(%d%d)[%-:_.]?(%d%d)[%-:_.]?(%d?%d?)%f[%D](Z?)")
  local ms = y and #s ~= 1 and instant(y, mo, d, h, mi, s, z == "Z" and "Z" or zone)
  if ms then return ms end
  local digits = name:match("%f[%d]([12]%d%d%d%d%d%d%d%d%d%d?%d?%d?)%f[%D]")
  local n = digits and math.tointeger(digits)
  if n and #digits == 10 then return n * 1000 end
  return n and #digits == 13 and n or nil
end

local function join(folder, name)
  if folder == "" then return name end
  return folder:sub(-1) == "/" and folder .. name or folder .. "/" .. name
end

local Walk = {}
Walk.__index = Walk

function Walk:note(name, message, code, harmless)
  self.notes[#self.notes + 1] = { argument = self.argument, name = name, error = message,
    code = code, harmless = harmless }
end

--- False when this very file or folder has been taken by another name.
function Walk:first_time(path)
  local real = sys.real(path) or path
  if self.seen[real] then return false end
  self.seen[real] = true
  return true
end

--- A pipe is read once and in order: nobody may look at its head before.
function Walk:stream(path, folder)
  self.items[#self.items + 1] = { kind = "stream", argument = self.argument, name = path,
    path = path, folder = folder, rank = 3 }
end

function Walk:file(path, folder, entry, named)
  local base = path:match("[^/]*$")
  local head, message, code = sys.head(path, HEAD)
  if not head then return self:note(path, message, code) end
  local kind = head:sub(1, #SQLITE) == SQLITE and "case" or "file"
  if kind == "case" and not named then
    return self:note(path, "is a case: name it to read it", "usage", true)
  end
  local stamp = source.stamp(base, self.zone)
  self.items[#self.items + 1] = { kind = kind, argument = self.argument, name = path, path = path,
    folder = folder, rank = rank(path, head), t_ms = stamp or entry.mtime_ms,
    t_origin = stamp and "file name" or "mtime" }
end

function Walk:entry(folder, e, depth)
  local path = join(folder, e.name)
  if e.name:sub(1, 1) == "." then return end
  if e.type == "broken" then
    self:note(path, "is a link to nothing", "notfound")
  elseif e.type == "other" then
    self:note(path, "is no regular file", "io", true)
  elseif #self.items >= MAX_FILES then
    self.full = true
  elseif self:first_time(path) then
    if e.type == "folder" then self:folder(path, depth + 1) else self:file(path, folder, e) end
  end
end

function Walk:folder(path, depth)
  if depth > MAX_DEPTH then
    return self:note(path, ("is more than %d folders deep"):format(MAX_DEPTH), "limit")
  end
  local list, message, code = sys.list(path)
  if not list then return self:note(path, message, code) end
  for _, e in ipairs(list) do self:entry(path, e, depth) end
end

function Walk:named(argument)
  local entry, message, code = sys.stat(argument)
  if not entry and argument:find("^samples/") then
    -- those that came with hbdx, wherever it lies
    argument = sys.home() .. "/" .. argument
    entry = sys.stat(argument)
  end
  if not entry then return self:note(argument, message, code) end
  if not self:first_time(argument) then return end
  if entry.type == "folder" then
    local path = #argument > 1 and argument:gsub("/+$", "") or argument
    self:folder(path == "" and "/" or path, 0)
  elseif entry.type == "other" then
    self:stream(argument, argument:match("^(.*)/[^/]*$") or "")
  else
    self:file(argument, argument:match("^(.*)/[^/]*$") or "", entry, true)
  end
end

function Walk:take(argument)
  self.argument = argument
  if argument == "-" then
    if self.seen["-"] then return end -- it is read once
    self.seen["-"] = true
    self.items[#self.items + 1] = { kind = "stream", argument = "-", name = "standard input",
      path = "-", rank = 3 }
  elseif argument:find("^https?://") then
    self.items[#self.items + 1] = { kind = "url", argument = argument, name = argument, rank = 1 }
  elseif argument:find("^%a[%w+]*://") then
    self:note(argument, "hbdx reads http:// and https:// addresses, files and folders", "usage")
  else
    self:named(argument)
  end
end

---@param arguments string[] paths, addresses, or "-"
---@param zone string? of stamps in file names
---@return hbdx.item[] items JMX first, then configurations, then all else; each in order of names
---@return hbdx.note[] notes
function source.expand(arguments, zone)
  local walk = setmetatable({ items = {}, notes = {}, seen = {}, zone = zone }, Walk)
  for _, argument in ipairs(arguments) do walk:take(argument) end
  if walk.full then
    walk:note(walk.argument, ("only the first %d files were read"):format(MAX_FILES), "limit")
  end
  for i, item in ipairs(walk.items) do item.order = i end
  table.sort(walk.items, function(a, b)
    if a.rank ~= b.rank then return a.rank < b.rank end
    return a.order < b.order
  end)
  return walk.items, walk.notes
end

return source

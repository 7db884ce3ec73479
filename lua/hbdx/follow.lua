--- Logs that are being written: which files are followed, what is said of them, and one round over
-- all of them after the other. What is done with what they tell is the caller's.
local case = require "hbdx.case"
local core = require "hbdx.core.case"
local coverages = require "hbdx.import.coverage"
local names = require "hbdx.follow.names"
local clocks = require "hbdx.import.clocks"
local placing = require "hbdx.import.placing"
local say = require "hbdx.say"
local sys = require "hbdx.core.sys"

local follow = {}

local MOST_FILES = 500
local STEPS = 64 -- of one file in a round: 16 MiB
local ALL_STEPS = 256 -- of all of them, so that a signal is soon seen
local ENOUGH = 5000 -- things found in a round, after which another file has its turn
local FORGET_MS = 600000 -- a file of a folder that is gone for so long is let go

--- How long between two rounds, and between two looks for new files of folders, ms.
follow.pause_ms = 250
follow.rescan_ms = 2000
--- What is read of a file that is there, where that is enough: it tells names and clocks.
follow.last = 16 << 20

---@class hbdx.FollowedLog what reads a file: of hbdx.core.follow, or like it
---@field step fun(self, now_ms: integer, list: table): string?, string?
---@field coverage (fun(self): table)?
---@field stop fun(self, now_ms: nil, list: table): boolean?, string?
---@field close fun(self)

---@class hbdx.FollowedFile
---@field path string
---@field number integer its place among the files
---@field key string its path without links
---@field told table? what log:coverage() told last
---@field refused string? why it is not followed
---@field log hbdx.FollowedLog? nil: it is not followed any more
---@field folder string? where it was found; nil: it was named
---@field idle boolean? all that is there has been read
---@field gone_ms integer? since when there is no such file
---@field dirty boolean? it was read since the last place()
---@field entry table? what is known of it: source, server, offset_ms

---@class hbdx.Following
---@field files hbdx.FollowedFile[]
---@field case hbdx.Case? of what is known of the files; after place()
---@field coverage hbdx.Coverage?
local Group = {}
Group.__index = Group

-- What the user must know.
local function warn(self, fmt, ...)
  if not self.opts.silent then say.error(fmt:format(...)) end
end

-- What the user may like to know.
local function speak(self, fmt, ...)
  if not self.opts.quiet then warn(self, fmt, ...) end
end

-- By what name a file is known, whatever it was called.
local function key_of(path) return sys.real(path) or path end

local function add(self, path, opts)
  if self.open >= MOST_FILES then
    if not self.full then warn(self, "more than %d files: the others are not followed",
      MOST_FILES) end
    self.full = true
    return
  end
  local log, message = self.opts.make(path, opts.last)
  if not log then error(message, 0) end
  local file = { path = path, log = log, folder = opts.folder, dirty = true, key = key_of(path),
    number = #self.files + 1 }
  self.files[#self.files + 1], self.by_key[file.key] = file, file
  self.paths[path] = true
  self.open = self.open + 1
  return file
end

--- Looks for files in the folders that were not there before; all of such a file is new.
---@param start boolean? at the start what is there is only read as far as asked
function Group:rescan(start)
  self.rescanned_ms = sys.monotonic_ms()
  local function known(path) return self.paths[path] end
  for _, folder in ipairs(self.folders) do
    local list, message = names.logs(folder, known)
    if message ~= self.unlisted[folder] then
      warn(self, "%s", message or folder .. ": can be read again")
    end
    self.unlisted[folder] = message
    for _, path in ipairs(list) do
      if not self.by_key[key_of(path)] then
        local file = add(self, path, { folder = folder, last = start and self.opts.last(path)
          or nil })
        if file and not start then speak(self, "%s: new, followed, too", path) end
      end
    end
  end
end

-- The files and folders that were named.
local function take(self, operands)
  for _, operand in ipairs(operands) do
    if operand == "-" then
      return nil, "standard input cannot be followed: leave --follow out, or give a file"
    elseif operand:find("^%a[%w+]*://") then
      return nil, ("%s: --follow takes files and folders"):format(operand)
    end
    local entry = sys.stat(operand)
    if entry and entry.type == "folder" then
      self.folders[#self.folders + 1] = operand
    elseif not self.by_key[key_of(operand)] then
      local of = names.rotated_of(operand, operands)
      if of then
        speak(self, "%s: rotated away from %s, and not followed", operand, of)
      else
        add(self, operand, { last = self.opts.last(operand) })
      end
    end
  end
  return true
end

---@class hbdx.FollowOpts
---@field make fun(path: string, last: integer?): hbdx.FollowedLog?, string?
---@field report fun(c: userdata, file: hbdx.FollowedFile): table?, string? files a file in a case
---@field last (fun(path: string): integer?)? bytes of what is there to read; nil: all
---@field quiet boolean? nothing is said of rotation and new files
---@field silent boolean? nor of what cannot be read

--- Begins to follow files and folders.
---@param operands string[]
---@param opts hbdx.FollowOpts
---@return hbdx.Following? group
---@return string? message they cannot be followed
function follow.open(operands, opts)
  local self = setmetatable({ opts = opts, files = {}, by_key = {}, paths = {}, folders = {},
    open = 0, at = 1, unlisted = {}, refused = {} }, Group)
  self.name = table.concat(operands, " ", 1, math.min(2, #operands))
  opts.last = opts.last or function() end
  local good, message = take(self, operands)
  if not good then
    self:close()
    return nil, message
  end
  self:rescan(true)
  return self
end

-- Lets a file go: what it has told stays.
local function leave(self, file)
  if file.log.coverage then file.told = file.log:coverage() end
  file.log:close()
  file.log, file.idle, self.open = nil, true, self.open - 1
end

local NEWS = {}

function NEWS.absent(self, file, reason, now_ms)
  file.gone_ms = now_ms
  if not file.folder then warn(self, "%s: %s: it is waited for", file.path, reason) end
end

function NEWS.begin(self, file)
  if file.gone_ms and not file.folder then speak(self, "%s: is there", file.path) end
  file.gone_ms = nil
end

NEWS["end"] = function(self, file, reason)
  if reason == "renamed" then
    speak(self, "%s: was rotated; the new file of that name is followed", file.path)
  elseif reason == "truncated" then
    speak(self, "%s: was truncated; it is read from its beginning (what was written just before "
      .. "may have been missed)", file.path)
  elseif reason ~= "stopped" then
    warn(self, "%s: cannot be read: %s", file.path, reason)
  end
end

function NEWS.refused(self, file, reason)
  leave(self, file)
  file.refused = reason
  if file.folder then return end -- a folder holds all sorts of files
  self.refused[#self.refused + 1] = file
  warn(self, "%s: %s: not followed", file.path, reason)
end

-- Reads on in a file; returns the steps that it took.
local function advance(self, file, now_ms, list)
  local before, steps = #list, 0
  repeat
    steps = steps + 1
    local what, reason = file.log:step(now_ms, list)
    if not what then error(reason, 0) end
    if what == "text" or what == "end" or #list > before then file.dirty = true end
    if what == "text" and file.gone_ms then file.gone_ms = now_ms end -- its writer has it open
    if NEWS[what] then NEWS[what](self, file, reason, now_ms) end
    file.idle = what == "nothing" or not file.log
  until file.idle or steps >= STEPS or #list - before > ENOUGH
  for i = before + 1, #list do list[i].source = file end
  return steps
end

-- Lets a file of a folder go that has not been there for long.
local function forget(self, file, now_ms)
  local gone = file.folder and file.log and file.gone_ms
  if gone and now_ms - gone > FORGET_MS then
    leave(self, file)
    self.by_key[file.key] = nil
  end
end

--- Reads on in all files, as far as it takes some tenths of a second; the next round goes on there.
---@param now_ms integer of the monotonic clock
---@param list table what was found is appended, each with its source: the file
---@return boolean idle nothing more is there
function Group:round(now_ms, list)
  local idle, steps, n = true, 0, #self.files
  for i = 1, n do
    local at = (self.at + i - 2) % n + 1
    local file = self.files[at]
    if file.log then
      steps = steps + advance(self, file, now_ms, list)
      idle = idle and file.idle
      forget(self, file, now_ms)
    end
    if steps >= ALL_STEPS then
      self.at, idle = at + 1, false
      break
    end
  end
  if #self.folders > 0 and now_ms - self.rescanned_ms > follow.rescan_ms then self:rescan() end
  return idle
end

--- Ends all files: what was kept back is appended to list.
---@param list table
function Group:stop(list)
  for _, file in ipairs(self.files) do
    local before = #list
    if file.log then
      local good, message = file.log:stop(nil, list)
      if not good then error(message, 0) end
      file.dirty = true
    end
    for i = before + 1, #list do list[i].source = file end
  end
end

--- Whether nothing can come any more.
---@return boolean
function Group:over()
  if #self.folders > 0 then return false end
  for _, file in ipairs(self.files) do
    if file.log then return false end
  end
  return true
end

--- Files what is known of the files in a new case: whose they are, and what their clocks say.
function Group:place()
  local c, message = core.open()
  if not c then error(message, 0) end
  local coverage = coverages.new()
  for _, file in ipairs(self.files) do
    if not file.refused then
      local report
      report, message = self.opts.report(c, file)
      if not report then error(message, 0) end
      coverages.record(coverage, { name = file.path, argument = file.path, path = file.path,
        folder = file.path:match("^(.*)/[^/]*$") or "" }, report)
      file.entry, file.dirty = report, false
    end
  end
  for _, file in ipairs(self.refused) do
    coverages.unread(coverage, file.path, file.refused)
  end
  placing.servers(c, coverage)
  clocks.offsets(c, coverage)
  if self.case then self.case:close() end
  self.case, self.coverage = case.wrap(c, self.name), coverage
end

function Group:close()
  for _, file in ipairs(self.files) do
    if file.log then leave(self, file) end
  end
  if self.case then self.case:close() end
  self.case = nil
end

return follow

--- The digest of slow calls of logs that are being written: painted again and again on a terminal,
-- else a block after each interval in which calls came.
local clock = require "hbdx.follow.clock"
local core = require "hbdx.core.calls"
local follow = require "hbdx.follow"
local following = require "hbdx.core.follow"
local say = require "hbdx.say"
local session = require "hbdx.session"
local slowlog = require "hbdx.slowlog"
local sys = require "hbdx.core.sys"
local time = require "hbdx.core.time"
local units = require "hbdx.units"
local when = require "hbdx.when"
local window = require "hbdx.pattern.window"

local M = {}

local SINCE = "-10m" -- of what was there before, from the logs' end
local EVERY_MS <const> = { terminal = 5000, other = 60000 }
local SETTLED_MS <const> = 700 -- then the last record that was there has been taken to be whole

---@class hbdx.LiveSlowlog
---@field group hbdx.Following
---@field calls userdata of hbdx.core.calls
---@field want table by, rank, top
---@field given table
---@field from_ms integer?
---@field screen boolean
---@field every_ms integer
local Live = {}
Live.__index = Live

local function misuse(given)
  for _, name in ipairs { "to", "at", "window", "emit", "merge", "since-last" } do
    if given[name] then return ("--follow takes no --%s"):format(name) end
  end
end

-- --every in ms.
local function interval(given, screen)
  if not given.every then return screen and EVERY_MS.terminal or EVERY_MS.other end
  local ms = when.duration(given.every)
  if ms and ms >= 1000 and ms <= 86400000 then return math.floor(ms) end
  return nil, ("--every takes a length of time from 1s to 1d, not '%s'"):format(given.every)
end

-- A followed file as hbdx.follow wants it.
local function log_of(calls, path, last)
  local i, message = calls:follow(path, { last = last })
  if not i then return nil, message end
  return { step = function(_, now_ms) return calls:step(i, now_ms) end,
    stop = function() return calls:stop(i) end, close = function() calls:stop(i) end }
end

local function open(given, operands, want)
  local screen = sys.isatty(1) and sys.getenv "TERM" ~= "dumb" and given.format ~= "json"
  local every, message = interval(given, screen)
  if not every then return nil, message end
  local start
  start, message = clock.start(operands, given["log-tz"], given.from or SINCE, not given.from)
  if not start then return nil, message end
  local calls
  calls, message = core.live { by = slowlog.columns(want.by), from = start.from_ms }
  if not calls then return nil, message end
  local self = setmetatable({ given = given, want = want, screen = screen, every_ms = every,
    calls = calls, from_ms = start.from_ms, servers = {} }, Live)
  self.group, message = follow.open(operands, { quiet = given.quiet or screen, last = start.last,
    make = function(path, last) return log_of(calls, path, last) end,
    report = function(c, file)
      return c:import_found(calls, file.number, { name = file.path, zone = given["log-tz"] })
    end })
  if not self.group then
    calls:close()
    return nil, message
  end
  return self
end

-- --- the digest as it is now

local function place(self)
  local group = self.group
  group:place()
  group.case.calls_digest = { core = self.calls, restrict = function() end }
  for _, file in ipairs(group.files) do
    local server = file.entry and file.entry.server
    if server and server ~= "" and self.servers[file.number] ~= server then
      self.calls:set_server(file.number, server)
      self.servers[file.number] = server
    end
  end
  for _, file in ipairs(group.files) do
    if file.gone_ms and not file.folder then
      table.insert(group.coverage.notes, file.path .. ": there is no such file; it is waited for")
    end
  end
  if self.from_ms then
    table.insert(group.coverage.notes, 1, ("calls from %s on are counted"):format(
      window.text(group.case, { from_ms = self.from_ms, to_ms = self.from_ms })))
  end
end

local function write(self, text)
  if not io.stdout:write(text) then self.broken = true end
end

-- As many lines as there is room for, over those that are there.
local function paint(self, text, whole)
  local _, rows = sys.columns()
  local lines = {}
  for line in text:gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
  local room = whole and #lines or math.max(4, (rows or 24) - 1)
  if #lines > room then
    lines[room] = ("... %s: a higher window shows them, or a smaller --top"):format(
      units.plural(#lines - room + 1, "more line"))
  end
  write(self, "\27[H")
  for i = 1, math.min(#lines, room) do write(self, lines[i] .. "\27[K\n") end
  write(self, "\27[J")
end

local function head(self)
  local now = sys.now_ms()
  return ("%s, %s followed\n"):format(time.format(now // 1000 * 1000),
    units.plural(#self.group.coverage.entries, "file"))
end

local function put(self, d, ctx, whole)
  if self.given.format == "json" then
    require("hbdx.slowlog.json").write(d, ctx, nil, function(text) write(self, text) end)
    return
  end
  local text = head(self) .. require("hbdx.slowlog.text").render(d, ctx, self.want.top)
  if self.screen then
    paint(self, text, whole)
  else
    write(self, (self.shown and "\n" or "") .. text)
  end
end

-- Shows the digest, where it is on a screen or has changed.
local function show(self, whole)
  place(self)
  local d = slowlog.collect(self.group.case, self.want)
  if not self.screen and self.shown == d.calls then return end
  put(self, d, session.context({ case = self.group.case, coverage = self.group.coverage,
    name = self.group.name }, self.given), whole)
  self.shown = d.calls
  if not io.stdout:flush() then self.broken = true end
end

-- --- running

local function run(self)
  local signal
  local due = self.screen and 0 or sys.monotonic_ms() + SETTLED_MS
  repeat
    local now_ms = sys.monotonic_ms()
    local idle = self.group:round(now_ms, {})
    if idle and now_ms >= due then
      show(self)
      due = now_ms + self.every_ms
    end
    signal = following.wait(idle and follow.pause_ms or 0)
  until signal or self.broken or self.group:over()
  if signal ~= following.PIPE and not self.broken then
    self.group:round(sys.monotonic_ms(), {})
    self.group:stop {}
    show(self, true)
  end
  return self.broken and following.PIPE or signal
end

local function sum_up(self)
  local c, lines = self.group.coverage, 0
  for _, e in ipairs(c.entries) do lines = lines + (e.lines or 0) end
  session.say(self.given, "followed %s: %s, %s, %s not understood",
    units.plural(#c.entries, "file"), units.plural(lines, "line"), units.bytes(c.bytes),
    units.plural(c.not_understood, "line"))
end

--- hbdx slowlog --follow.
---@param given table
---@param operands string[]
---@param want table by, rank, top
---@return integer status
function M.run(given, operands, want)
  local message = misuse(given)
  if #operands == 0 then message = "--follow needs a file or a folder" end
  if message then
    say.error(message)
    return 2
  end
  following.hold(true)
  local self
  self, message = open(given, operands, want)
  if not self then
    following.hold(false)
    if math.type(message) == "integer" then return 128 + message end
    say.error(message)
    return 2
  end
  local signal = run(self)
  if signal ~= following.PIPE then sum_up(self) end
  self.group:close()
  self.calls:close()
  following.hold(false)
  return signal and 128 + signal or 3
end

return M

--- Events of logs that are being written, as they come. What is there first teaches names and
-- clocks; of it the last events are shown, or those since --from.
local clock = require "hbdx.follow.clock"
local core = require "hbdx.core.follow"
local events = require "hbdx.events"
local follow = require "hbdx.follow"
local say = require "hbdx.say"
local session = require "hbdx.session"
local shown = require "hbdx.events.shown"
local sys = require "hbdx.core.sys"
local timeline = require "hbdx.events.timeline"
local told = require "hbdx.events.told"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

local M = {}

local LAST <const> = 10 -- events that were there before
local MOST <const> = 100000 -- the same, with --from

---@class hbdx.LiveEvents
---@field group hbdx.Following
---@field given table
---@field chosen fun(e: table): boolean
---@field told hbdx.ToldEvents
---@field shown hbdx.ShownEvents
---@field from_ms integer?
---@field timeline hbdx.LiveTimeline? nil: JSON lines
local Live = {}
Live.__index = Live

-- --- what is known

local function skipped(e)
  local file = e.source
  file.skips = file.skips or {}
  local one = file.skips[e.skip] or { reason = e.skip, count = 0, line = e.line }
  if one.count == 0 then file.skips[e.skip], file.skips[#file.skips + 1] = one, one end
  one.count = one.count + 1
end

local function by_time(a, b)
  local x, y = a.t_ms or math.huge, b.t_ms or math.huge
  if x ~= y then return x < y end
  if a.source_id ~= b.source_id then return a.source_id < b.source_id end
  return a.line < b.line
end

-- What a file tells of itself, as far as its events depend on it.
local function told_of(cov)
  return ("%s %s %s"):format(cov.server, cov.offset_ms, cov.first_local_ms ~= nil)
end

-- Whether the files have told more of themselves since they were asked last.
local function told_more(self)
  local more = false
  for _, file in ipairs(self.group.files) do
    more = more or not (file.entry or file.refused)
    if file.dirty and file.log then
      more, file.dirty = more or told_of(file.log:coverage()) ~= file.known, false
    end
  end
  return more
end

-- Says of files whose clock was taken otherwise before.
local function say_clocks(self)
  for _, file in ipairs(self.group.files) do
    local offset = file.entry and file.entry.offset_ms
    if offset and file.offset_ms and offset ~= file.offset_ms then
      say.error(("%s: its stamps are read as %s from now on"):format(file.path,
        window.zone_words(offset)))
    end
    file.offset_ms = offset or file.offset_ms
  end
end

-- Looks up what is known of the files, where they told more.
local function place(self, always)
  if not always and not told_more(self) then return end
  for _, file in ipairs(self.group.files) do
    if file.log then
      file.told = file.log:coverage()
      file.known = told_of(file.told)
    end
  end
  self.group:place()
  self.told:know(self.group.case:servers())
  if self.started then say_clocks(self) end
  self.ctx = session.context({ case = self.group.case, coverage = self.group.coverage,
    name = self.group.name }, self.given)
  if self.timeline then self.timeline:know(self.ctx) end
end

-- The events of a list that are chosen, in order of time.
local function choose(self, list)
  local out = {}
  for _, e in ipairs(list) do
    if not e.skip then self.told:learn(e) end
  end
  for _, e in ipairs(list) do
    if e.skip then
      skipped(e)
    else
      self.told:complete(e)
      local late = self.from_ms and (not e.t_ms or e.t_ms < self.from_ms)
      if not late and self.chosen(e) then out[#out + 1] = e end
    end
  end
  table.sort(out, by_time)
  return out
end

-- --- out

local function write(self, text)
  if not io.stdout:write(text) then self.broken = true end
end

local function flush(self)
  if not io.stdout:flush() then self.broken = true end
end

local function show_past(self, list)
  self.shown:add(list)
  if self.timeline then
    self.timeline:past(list)
  else
    for _, e in ipairs(list) do write(self, events.json_line(e)) end
  end
  flush(self)
end

local function show(self, list, now_ms)
  self.shown:add(list)
  for _, e in ipairs(list) do
    if self.timeline then
      self.timeline:take(e, now_ms)
    else
      write(self, events.json_line(e))
    end
  end
  if self.timeline then self.timeline:tick(now_ms) end
  flush(self)
end

-- --- what was there before

-- Keeps the last of what has been found so far; returns how many were let go.
local function keep_last(list, most)
  local more = #list - most
  if more <= 0 then return 0 end
  table.move(list, more + 1, #list, 1)
  for i = #list, most + 1, -1 do list[i] = nil end
  return more
end

-- Reads what is there. nil, signal: one came.
local function read_past(self)
  local past, found, gone = {}, {}, 0
  local most = self.from_ms and MOST or LAST
  repeat
    local signal = core.wait(0)
    if signal then return nil, signal end
    local idle = self.group:round(sys.monotonic_ms(), found)
    if idle or #found > MOST // 4 then
      place(self, true)
      local chosen = choose(self, found)
      table.move(chosen, 1, #chosen, #past + 1, past)
      found = {}
      table.sort(past, by_time)
      gone = gone + keep_last(past, most)
    end
  until idle
  return past, gone
end

-- --- running

local function misuse(given)
  for _, name in ipairs { "summary", "to", "at", "window" } do
    if given[name] then return ("--follow takes no --%s"):format(name) end
  end
end

local function open(given, operands)
  local chosen, message = told.chooser(given)
  if not chosen then return nil, message end
  local start
  if given.from then
    start, message = clock.start(operands, given["log-tz"], given.from)
    if not start then return nil, message end
  end
  local self = setmetatable({ given = given, chosen = chosen, told = told.new(given["log-tz"]),
    shown = shown.new(),
    from_ms = start and start.from_ms }, Live)
  self.group, message = follow.open(operands, { quiet = given.quiet,
    report = clock.report(given["log-tz"]),
    last = start and start.last or function() return follow.last end,
    make = function(path, last)
      return core.open(path, { last = last, calls = given["with-calls"], gc = true })
    end })
  if not self.group then return nil, message end
  return self
end

local function begin(self)
  local past, more = read_past(self)
  if not past then return more end
  if self.from_ms and more > 0 then
    say.error(("the last %s events since then are shown; %s before them are not: hbdx events "
      .. "without --follow shows them"):format(units.group(MOST), units.group(more)))
  end
  place(self, true)
  say_clocks(self)
  self.started = true
  for _, e in ipairs(past) do self.told:complete(e) end -- the last of the files may have told more
  table.sort(past, by_time)
  if self.from_ms then
    session.say(self.given, "events from %s on are shown", window.text(self.group.case,
      { from_ms = self.from_ms, to_ms = self.from_ms }))
  end
  for _, note in ipairs(self.given.quiet and {} or self.group.coverage.notes) do say.error(note) end
  if self.given.format ~= "jsonl" then
    self.timeline = timeline.live(self.ctx, function(s) write(self, s) end, self.given.each)
  end
  self.from_ms = nil -- what comes is new, whatever its clock says
  show_past(self, past)
end

local function go_on(self)
  local signal
  local idle = true
  repeat
    signal = core.wait(idle and follow.pause_ms or 0)
    local list, now_ms = {}, sys.monotonic_ms()
    idle = self.group:round(now_ms, list)
    if signal then self.group:stop(list) end
    place(self)
    show(self, choose(self, list), now_ms)
  until signal or self.broken or self.group:over()
  return signal
end

local function sum_up(self)
  place(self, true)
  local c, lines, found = self.group.coverage, 0, 0
  for _, e in ipairs(c.entries) do
    lines, found = lines + (e.lines or 0), found + (e.events or 0)
  end
  session.say(self.given, "followed %s: %s, %s, %s, %s not understood",
    units.plural(#c.entries, "file"), units.plural(lines, "line"), units.bytes(c.bytes),
    self.shown:words(found), units.plural(c.not_understood, "line"))
  for _, k in ipairs(self.group.case:skipped()) do
    say.error(("%s: %s, %s, first at line %s"):format(k.source, k.reason,
      units.plural(k.count, "time"), k.line or "?"))
  end
end

local function run(self)
  local signal = begin(self)
  if not signal and not self.broken then signal = go_on(self) end
  if self.timeline and not self.broken then
    self.timeline:tick(math.huge)
    flush(self)
  end
  return signal
end

--- hbdx events --follow.
---@param given table
---@param operands string[]
---@return integer status
function M.run(given, operands)
  local message = misuse(given)
  if #operands == 0 then message = "--follow needs a file or a folder" end
  if message then
    say.error(message)
    return 2
  end
  core.hold(true)
  local self
  self, message = open(given, operands)
  if not self then
    core.hold(false)
    if math.type(message) == "integer" then return 128 + message end
    say.error(message)
    return 2
  end
  io.stdout:setvbuf "line"
  local signal = run(self)
  if self.broken then signal = core.PIPE end
  if signal ~= core.PIPE then sum_up(self) end
  self.group:close()
  core.hold(false)
  return signal and 128 + signal or 3
end

return M

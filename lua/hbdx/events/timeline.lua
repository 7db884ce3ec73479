--- The timeline for people: a line an event, days as headings, and floods folded: events of one
-- kind, server and table (of one region, where the table is not known) that follow each other
-- within a minute are one line with their count, whatever else happened between them. Of a log that
-- is followed the first one is a line at once, and those behind it are counted for some seconds.
local layout = require "hbdx.report.layout"
local text = require "hbdx.core.text"
local time = require "hbdx.core.time"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"
local words = require "hbdx.events.words"

local timeline = {}

local GAP_MS = 60000
local REPEAT_MS = 10000 -- a flood that is followed is told of so often
local MOST_OPEN = 10000 -- floods at a time that are followed
local MOST_REGIONS = 100000 -- counted exactly in one fold
local NEVER = { abort = true, server_started = true, zk_expired = true, out_of_memory = true }

local Writer = {}
Writer.__index = Writer

local function clock(self, ms, with_ms)
  local c = time.civil(ms + self.offset)
  return ("%02d:%02d:%02d"):format(c.hour, c.minute, c.second)
    .. (with_ms and (".%03d"):format(c.ms) or "")
end

local function day(self, ms)
  local c = time.civil(ms + self.offset)
  return ("%04d-%02d-%02d"):format(c.year, c.month, c.day)
end

local function put(self, ...) self.write(table.concat { ... } .. "\n") end

-- The time that stands first: that of the last event where the line comes after it, so that what
-- is followed does not run backwards.
local function time_of(entry) return entry.more and entry.last_ms or entry.first_ms end

local function heading(self, entry)
  local ms = time_of(entry)
  local now = ms and day(self, ms) or "without a time"
  if now == self.day then return end
  if self.day then put(self, "") end
  put(self, now, ms and " " .. window.zone_words(self.offset) or "")
  self.day = now
end

-- " until ...", or " since ..." of what came before the line's time.
local function other_end(self, entry)
  if not entry.first_ms or entry.last_ms == entry.first_ms then return "" end
  local ms = entry.more and entry.first_ms or entry.last_ms
  local same = day(self, entry.first_ms) == day(self, entry.last_ms)
  return (" %s %s%s"):format(entry.more and "since" or "until", same and ""
    or day(self, ms) .. " ", clock(self, ms, true))
end

local function subject(entry)
  local e, list = entry.e, {}
  if e.table_name then
    list[1] = e.table_name
  elseif e.encoded or e.region then
    list[1] = "(table unknown)"
  end
  if entry.n_regions > 1 then
    list[#list + 1] = units.group(entry.n_regions) .. " regions"
  elseif entry.n_regions == 1 then
    list[#list + 1] = e.encoded or e.region
  end
  if e.family and entry.one_family then list[#list + 1] = "family " .. e.family end
  return table.concat(list, ", ")
end

-- The place is not broken, so that it can be copied; what is too long for its column begins left
-- of it.
local function add_place(lines, place, indent, self)
  place = text.escape(place)
  local last, width = lines[#lines], text.width(place)
  if text.width(last) + 1 + width <= self.width then
    lines[#lines] = last .. " " .. place
  else
    lines[#lines + 1] = (" "):rep(math.max(0, math.min(indent, self.width - width))) .. place
  end
end

local function render(self, entry)
  heading(self, entry)
  local e = entry.e
  local head = ("%-12s  %s  "):format(time_of(entry) and clock(self, time_of(entry), true) or "-",
    self.names[e.server_id or 0] or self.names[0])
  local count = (entry.n > 1 or entry.more) and (" x %s%s%s"):format(units.group(entry.n),
    entry.more and " more" or "", other_end(self, entry)) or ""
  local what, about = e.kind .. count, subject(entry)
  local own = entry.n > 1 and words.folded(e.kind, entry.fold) or words.of(e.kind, e.f)
  if about ~= "" then what = what .. ", " .. about end
  if own ~= "" then what = what .. ": " .. own end
  local indent = text.width(head)
  local lines = layout.wrap(what, self.width - indent)
  for i, line in ipairs(lines) do lines[i] = (i == 1 and head or (" "):rep(indent)) .. line end
  if self.verbose then add_place(lines, ("(%s:%s)"):format(e.file, e.line or "?"), indent, self) end
  put(self, table.concat(lines, "\n"))
end

-- Writes what no later event can join.
local function drain(self, now_ms)
  while self.first <= self.last do
    local entry = self.queue[self.first]
    if now_ms and not entry.single and now_ms - entry.last_ms <= GAP_MS then return end
    if self.open[entry.key] == entry then self.open[entry.key] = nil end
    render(self, entry)
    self.queue[self.first] = nil
    self.first = self.first + 1
  end
end

local function key_of(e)
  return table.concat({ e.kind, e.server_id and "s" .. e.server_id or "f" .. e.source_id,
    e.table_name and "t" .. e.table_name or "r" .. (e.encoded or e.region or "") }, "\0")
end

local function add(entry, e)
  entry.n = entry.n + 1
  entry.last_ms = e.t_ms
  entry.one_family = entry.one_family and e.family == entry.e.family
  local region = e.encoded or e.region
  if region and not entry.regions[region] and entry.n_regions < MOST_REGIONS then
    entry.regions[region], entry.n_regions = true, entry.n_regions + 1
  end
  words.add(entry.fold, e.f)
end

local function entry_of(key, e, more)
  return { key = key, e = e, n = 0, n_regions = 0, regions = {}, fold = {}, first_ms = e.t_ms,
    one_family = true, more = more }
end

local function begin(self, key, e)
  local entry = entry_of(key, e)
  entry.single = self.unfolded or NEVER[e.kind]
  self.last = self.last + 1
  self.queue[self.last] = entry
  if not entry.single then self.open[key] = entry end
  return entry
end

local function take(self, e)
  if e.t_ms then
    drain(self, e.t_ms)
  elseif not self.untimed then
    drain(self)
    self.untimed = true
  end
  local key = key_of(e)
  local entry = self.open[key]
  if entry and e.t_ms and e.t_ms - entry.last_ms > GAP_MS then entry = nil end
  add(entry or begin(self, key, e), e)
end

-- Names of servers, escaped and as wide as the widest; 0: not known.
local function names_of(case)
  local names, widest = { [0] = "?" }, 1
  for _, s in ipairs(case:servers()) do
    names[s.id] = layout.wrap(s.short, 20)[1]
    widest = math.max(widest, text.width(names[s.id]))
  end
  for id, name in pairs(names) do names[id] = name .. (" "):rep(widest - text.width(name)) end
  return names
end

-- Takes the zone and the names of servers from a case.
local function know(self, ctx)
  self.offset, self.names = ctx.case:offset(), names_of(ctx.case)
end

local function new(ctx, write, unfolded)
  local self = setmetatable({ write = write, width = ctx.width, verbose = ctx.verbose,
    unfolded = unfolded, open = {}, queue = {}, first = 1, last = 0 }, Writer)
  know(self, ctx)
  return self
end

--- Writes events as a timeline.
---@param ctx hbdx.ReportContext
---@param list fun(): table? of events.each
---@param write fun(s: string)
---@param unfolded boolean? a line for each
function timeline.write(ctx, list, write, unfolded)
  local self = new(ctx, write, unfolded)
  for e in list do take(self, e) end
  drain(self)
end

--- A timeline of what is followed.
---@class hbdx.LiveTimeline
local Live = setmetatable({}, { __index = Writer })
Live.__index = Live

--- Begins one.
---@param ctx hbdx.ReportContext
---@param write fun(s: string)
---@param unfolded boolean? a line for each
---@return hbdx.LiveTimeline
function timeline.live(ctx, write, unfolded)
  local self = setmetatable(new(ctx, write, unfolded), Live)
  self.floods = 0
  return self
end

--- Takes names and zone from what is known now; what was counted is written by what was known.
---@param ctx hbdx.ReportContext
function Live:know(ctx)
  self:tick(math.huge)
  know(self, ctx)
end

--- Writes what was there before, folded as any timeline.
---@param list table[] in order of time
function Live:past(list)
  for _, e in ipairs(list) do take(self, e) end
  drain(self)
  self.open, self.queue, self.first, self.last, self.untimed = {}, {}, 1, 0, nil
end

-- Writes what was counted of a flood.
local function tell(self, flood)
  local entry = flood.entry
  flood.entry = nil
  if entry then render(self, entry) end
end

-- The flood that an event belongs to; nil: it is the first of one.
local function flood_of(self, key, e)
  local flood = self.open[key]
  if not flood or (e.t_ms and flood.last_ms and e.t_ms - flood.last_ms > GAP_MS) then return nil end
  return flood
end

--- Writes an event, or counts it where it repeats one that was written.
---@param e hbdx.Event
---@param now_ms integer of the monotonic clock
function Live:take(e, now_ms)
  local key = key_of(e)
  local flood = not (self.unfolded or NEVER[e.kind]) and flood_of(self, key, e)
  if flood then
    flood.entry = flood.entry or entry_of(key, e, true)
    flood.since_ms = flood.entry.n == 0 and now_ms or flood.since_ms
    add(flood.entry, e)
    flood.last_ms, flood.touched_ms = e.t_ms or flood.last_ms, now_ms
    return
  end
  if self.open[key] then
    tell(self, self.open[key])
  else
    self.floods = self.floods + 1
  end
  local single = entry_of(key, e)
  add(single, e)
  render(self, single)
  self.open[key] = { last_ms = e.t_ms, touched_ms = now_ms }
  if self.floods > MOST_OPEN then self:tick(math.huge) end
end

--- Writes what was counted for long enough, and forgets floods that have ended.
---@param now_ms number math.huge: all
function Live:tick(now_ms)
  local due = {}
  for key, flood in pairs(self.open) do
    if flood.entry and now_ms - flood.since_ms >= REPEAT_MS then due[#due + 1] = flood end
    if now_ms - flood.touched_ms > GAP_MS then
      self.open[key], self.floods = nil, self.floods - 1
    end
  end
  table.sort(due, function(a, b)
    local x, y = a.entry.last_ms or 0, b.entry.last_ms or 0
    if x ~= y then return x < y end
    return a.entry.key < b.entry.key
  end)
  for _, flood in ipairs(due) do tell(self, flood) end
end

return timeline

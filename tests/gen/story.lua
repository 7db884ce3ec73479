--- What the stories share: shapes of load over a day, the collector's round, and the files of a
-- server.
local life = require "gen.life"
local site = require "gen.site"
local when = require "gen.when"

local story = {}

--- A broken line through points { x, y } with ascending x, flat outside.
---@param points number[][]
---@param x number
---@return number
function story.curve(points, x)
  local before = points[1]
  for _, p in ipairs(points) do
    if x < p[1] then
      if p == points[1] then return p[2] end
      return before[2] + (p[2] - before[2]) * (x - before[1]) / (p[1] - before[1])
    end
    before = p
  end
  return before[2]
end

--- What a stretch of time is like: -1..1, the same for the whole stretch, another in the next.
---@param s gen.server
---@param what string
---@param t integer
---@param stretch integer -- ms
---@return number
function story.mood(s, what, t, stretch)
  return s.rng:fork(what .. t // stretch):near(0, 1)
end

--- How deep t is in a window: 0 outside, 1 inside, a ramp of `ramp` ms at both ends.
---@param t integer
---@param window integer[] -- first, last
---@param ramp integer
---@return number
function story.depth(t, window, ramp)
  local inside = math.min(t - window[1], window[2] - t)
  return math.max(0, math.min(1, inside / ramp))
end

--- Marks past time: what a server counted since it started, at a steady load. files: bytes that
--- it flushed and compacted, so that these counters do not begin at 0 either.
---@param server gen.server
---@param load table
---@param flushed number -- bytes a second
function story.age(server, load, flushed)
  local seconds = (server.now - server:startcode()) / 1000
  local c = server.c
  server:history(load, seconds)
  local bytes = seconds * flushed // 1
  local flushes = bytes // (110 * 1048576)
  c.flushedMemstoreBytes, c.flushedOutputBytes = bytes, bytes * 96 // 100
  c.compactedInputBytes, c.compactedOutputBytes = bytes * 3, bytes * 29 // 10
  for _, name in ipairs { "FlushTime", "FlushMemstoreSize", "FlushOutputSize" } do
    c[name] = flushes
  end
  c.CompactionTime, c.CompactionInputFileCount = flushes * 2 // 5, flushes * 2 // 5
  c.rollRequest = bytes // 134217728
end

--- The regions of one table on a server.
---@param s gen.server
---@param name string
---@return gen.region[]
function story.of_table(s, name)
  local list = {}
  for _, r in ipairs(s.regions) do
    if r.table == name then list[#list + 1] = r end
  end
  return list
end

--- A region goes from one server to another at t; the counts of its past stay behind.
---@param from gen.server
---@param to gen.server
---@param t integer
---@param region gen.region
---@param share number -- of the first server's region counters that leaves with it
function story.move(from, to, t, region, share)
  from:at(t, function(s, now)
    for i, r in ipairs(s.regions) do
      if r == region then table.remove(s.regions, i) break end
    end
    region.mem, region.wanted, region.due = 0, nil, nil
    for _, name in ipairs { "readRequestCount", "writeRequestCount", "filteredReadRequestCount" } do
      s.c[name] = s.c[name] * (1 - share)
    end
    life.closed(s, now, region, to)
  end)
  to:at(t + 420, function(s, now)
    table.insert(s.regions, region)
    life.opened(s, now, region)
  end)
end

--- A script asks for major compactions of these regions at t; they run one after the other, and the
--- queue holds those that wait.
---@param s gen.server
---@param t integer
---@param regions gen.region[]
---@param each integer -- ms for one
function story.major(s, t, regions, each)
  local stop = t
  for i, r in ipairs(regions) do
    local start = stop
    stop = start + s.rng:int(each * 9 // 10, each * 11 // 10)
    s:at(start, function() s.extra_compactions = #regions - i end)
    s:at(stop, function(_, now)
      local sum, n = 0, #r.files
      for _, bytes in ipairs(r.files) do sum = sum + bytes end
      local size = sum * 0.94 // 1
      local job = { region = r, n = n, input = sum, output = size, total = size, all = true,
                    major = true, start = start, stop = now, waited = start - t }
      s:tell("compaction_start", start, job)
      r.files = { size }
      s:tell("compacted", now, job)
    end)
  end
end

--- Runs the servers through the collector's instants; each is asked some seconds after the one
--- before it. Puts "<folder>/jmx/<stamp>.json.gz" into files.
---@param servers gen.server[]
---@param instants integer[]
---@param files table<string, string>
---@param rng gen.rng
function story.collect(servers, instants, files, rng)
  for _, t in ipairs(instants) do
    local at = t + 2000 + rng:int(0, 1500)
    for _, s in ipairs(servers) do
      at = at + rng:int(300, 1400)
      s:run(at)
      if not s.deaf or not s.deaf(at) then
        local name = when.name(at, s.name_offset or 0)
        files[string.format("%s/jmx/%s.json.gz", s.folder, name)] = s:snapshot()
      end
    end
  end
end

--- The cache's report every five minutes of a server's life.
---@param server gen.server
---@param first integer
---@param last integer
function story.cache_reports(server, first, last)
  local past = (server:startcode() + 1300) % 300000
  local t = first - first % 300000 + past
  while t <= last do
    if t > first then server:at(t, function(s, now) s.life.cache(s, now) end) end
    t = t + 300000
  end
end

--- hbase-site.xml and the log of each server.
---@param servers gen.server[]
---@param settings string[][]
---@param files table<string, string>
function story.files(servers, settings, files)
  for _, s in ipairs(servers) do
    files[s.folder .. "/conf/hbase-site.xml"] = site.xml(settings)
    if s.log_from then
      files[s.folder .. "/regionserver.log.gz"] = s.log:text(s.log_from, s.log_to)
    end
  end
end

return story

--- A week of a time-series table: files pile up, a retention job leaves tombstones, and "the last
-- hour of a sensor" walks through thirty days.
local calls = require "gen.calls"
local server = require "gen.server"
local site = require "gen.site"
local story = require "gen.story"
local tree = require "gen.tree"
local when = require "gen.when"

local at, MiB = when.at, 1048576
local BOUND = 0.86 * MiB
local MAJOR = at("2026-08-30 22:00") -- the last major compaction ended
local FIRST, LAST = at("2026-08-31 03:00"), at("2026-09-07 03:04")
local LIVE = 43200 -- readings of a sensor in thirty days, one a minute
local QUERIES = { { 0, 1.6 }, { 420, 1.7 }, { 540, 2.6 }, { 1080, 2.5 }, { 1440, 1.6 } }

-- Readings of one sensor that are deleted and still in the files: sixty an hour since MAJOR.
local function deleted(t) return math.max(0, (t - MAJOR) // when.hour) * 60 end

-- The job that deletes what is older than thirty days runs at ten past every hour.
local function retention(t)
  local minute = when.minute_of_day(t, 0) % 60
  return minute >= 10 and minute < 24
end

local function nightly(t)
  local minute = when.minute_of_day(t, 0)
  return minute >= 60 and minute < 150
end

local function files_per_store(s)
  local n = 0
  for _, r in ipairs(s.regions) do n = n + #r.files end
  return n / #s.regions
end

-- Time of one query at the server, in ms: rows, and files to merge.
local function query_ms(files, t) return (LIVE + deleted(t)) / 700 * (0.75 + 0.055 * files) end

local function load_at(t, s)
  local n = s.noise
  if not s.counted or t - s.counted > 600000 then s.counted, s.per_store = t, files_per_store(s) end
  local queries = story.curve(QUERIES, when.minute_of_day(t, 0)) * n:near(1, 0.12)
  local ms, night = query_ms(s.per_store, t), nightly(t) and 1 or 0
  local asked = queries * (140 + 9 * s.per_store) + 150 * night
  local miss = 0.298 + 0.012 * story.mood(s, "miss", t, 900000) + 0.012 * night
  local purge = retention(t) and 1 or 0
  local p99 = ms * 2.1 * (1 + 0.12 * story.mood(s, "p99", t, 1800000))
  return {
    scan = queries * 1.2 + 0.6 * night, fullscan = queries, get = 4 + n:near(0, 1),
    rows = queries * 60 + 900 * night, filtered = queries * (LIVE + deleted(t) - 60),
    multi = 9 + 22 * purge, batches = 9, deletes = 22 * purge, wrows = 2900 + 12400 * purge,
    write = 0.55 * MiB * (purge == 1 and 1.35 or 0.9), other = 0.8, syncs = 20,
    in_bytes = 620000, out_bytes = queries * 9000 + 90000 * night, put = 0.2,
    hits = asked * (1 - miss), misses = asked * miss, evicted = asked * miss * 0.985,
    dropped = asked * miss * 0.015, data_hits = asked * (1 - miss) * 0.8,
    nhits = 3, nmisses = 30, gc = 0.3, gc_ms = 8, heap = n:near(0.64, 0.08),
    connections = n:int(70, 78), waiting = { read = n:chance(0.1) and 1 or 0 },
    busy = { read = n:int(0, 3), write = n:int(0, 2) + 2 * purge },
    times = { get = { 2, 14, 50 }, scan = { ms, p99, p99 * 1.5 }, scan_size = { 7600, 0, 0 },
              batch = { 7, 40, 130 }, delete = { 160, 900, 2400 + 900 * n:unit() },
              put = { 2, 9, 20 }, sync = { 3, 11, 42 }, queue = { 0, 1, 6 },
              process = { 20, p99, p99 * 1.5 }, total = { 20, p99, p99 * 1.5 },
              response = { 4000, 0, 0 } },
    call_bytes = 4000, wals = 18, local_percent = 97.2,
  }
end

local function new_server(rng, i, regions)
  local own = rng:fork("rs-" .. i)
  local s = server.new {
    folder = "rs-" .. i, host = "ts" .. i .. ".iot.example", ip = "10.4.6." .. 10 + i,
    boot = at("2026-08-11 05:22:09") + i * 51437, rng = own, noise = own:fork("noise"),
    regions = regions, load = load_at, now = MAJOR, version = "2.4.17", sep = " ", step = 90000,
    heap = 17179869184, cluster_id = "7f42b0d1-5c1e-49a7-a6d3-94e08b6c2f15", slow_ms = 2000,
    master = "tsm.iot.example,16000,1786425640018", root = "hdfs://iot/hbase", vm = "11.0.23+9",
    queues = { handlers = 30, count = 3 }, files_logged = false, wals_logged = true,
    cache_share = 0.25,
    store = { overhead = 1.6, cell = 90, low_bound = BOUND, high_bound = BOUND,
              disk_rate = 60 * MiB },
    shares = { ["sensors:events"] = { read = 0.97, write = 0.99, filtered = 1 },
               devices = { read = 0.03, write = 0.01 } },
  }
  story.age(s, s.load(MAJOR, s), 0.5 * MiB)
  return s
end

local function regions(rng)
  local created = at("2025-11-04 09:00")
  local events = tree.regions(rng:fork("events"), { table = "sensors:events", family = "d",
    keys = tree.keys(760, "sensor%06d#", 700000), files = 1, size = 2.1e9, weight = 1,
    mem = 4000000, created = created })
  local devices = tree.regions(rng:fork("devices"), { table = "devices", family = "i",
    keys = tree.keys(8, "%x", 16), files = 2, size = 3e8, created = created })
  local hands = tree.deal(events, 2)
  for i, part in ipairs(tree.deal(devices, 2)) do
    for _, r in ipairs(part) do table.insert(hands[i], r) end
  end
  return hands
end

-- Large batches of the retention job: slow now and then, and nobody waits for them.
local function purges(s, rng, first, last)
  local events = story.of_table(s, "sensors:events")
  for t = first - first % when.hour + 10 * when.minute, last, when.hour do
    for _ = 1, 7 do
      local r = rng:pick(events)
      calls.finish(s, { start = t + rng:int(0, 800000), proc = rng:int(2010, 3300),
        queue = rng:int(0, 1), bytes = rng:int(900, 2400), method = "Multi", region = r,
        user = "retention", client = "10.4.6.30:" .. 40112 + rng:int(0, 3) * 2,
        row = r.start .. rng:int(1753900000, 1754200000), actions = rng:int(4000, 9000) })
    end
  end
end

-- What the dashboard's own log says of one query in some hundred.
local function app_log(rng, servers_files)
  local out, t, sampled = {}, FIRST, 0
  while t < LAST do
    t = t + rng:int(200000, 520000)
    sampled = sampled + 1
    local gaps = rng:chance(0.3) and rng:int(1, 160) or 0
    local returned = 60 - (gaps > 100 and rng:int(1, 3) or 0)
    local scanned = LIVE - gaps + deleted(t)
    local ms = query_ms(servers_files(t), t) * rng:near(1.12, 0.3) + rng:int(3, 20)
    out[sampled] = string.format("%s INFO  [dash-%d] c.e.dash.SensorDao: sensors:events sensor%06d "
      .. "last-hour returned=%d scanned=%d filtered=%d regions=1 rpcs=2 ms=%d",
      when.stamp(t, 0, " "), rng:int(0, 7), rng:int(1, 699999), returned, scanned,
      scanned - returned, ms // 1)
  end
  return table.concat(out, "\n") .. "\n"
end

local function settings()
  local list = site.base("iot")
  for _, s in ipairs {
    { "hfile.block.cache.size", "0.25" },
    { "hbase.hregion.majorcompaction", "0", "by hand, every few weeks" },
    { "hbase.hstore.compaction.throughput.lower.bound", "1048576", "keep the disks for queries" },
    { "hbase.hstore.compaction.throughput.higher.bound", "1048576" },
    { "hbase.ipc.warn.response.time", "2000" },
  } do list[#list + 1] = s end
  return list
end

local function instants()
  return when.merge { when.every(FIRST, LAST, 6 * when.hour),
                      { at("2026-09-07 01:00"), at("2026-09-07 02:00") } }
end

--- The files of the sample.
---@param rng gen.rng
---@return table<string, string>
return function(rng)
  local files, servers, hands = {}, {}, regions(rng)
  local log_from = at("2026-09-07 01:40")
  for i = 1, 2 do
    local s = new_server(rng, i, hands[i])
    purges(s, rng:fork("purges " .. i), log_from, LAST)
    story.cache_reports(s, log_from, LAST)
    servers[i] = s
  end
  servers[1].log_from, servers[1].log_to = log_from, LAST
  servers[2].log_from, servers[2].log_to = at("2026-09-07 02:30"), LAST
  -- files per store by the hour, for the times that the dashboard sees
  local seen = {}
  for t = FIRST, LAST, 3 * when.hour do
    servers[1]:at(t, function(s, now) seen[now // (3 * when.hour)] = files_per_store(s) end)
  end
  story.collect(servers, instants(), files, rng:fork("collector"))
  for _, s in ipairs(servers) do s:run(LAST) end
  story.files(servers, settings(), files)
  files["app/app.log.gz"] = app_log(rng:fork("app"), function(t)
    return seen[t // (3 * when.hour)] or 12
  end)
  return files
end

--- A calm day of a small cluster: a rolling restart, regions that move, a report. All is well.
local calls = require "gen.calls"
local server = require "gen.server"
local site = require "gen.site"
local story = require "gen.story"
local tree = require "gen.tree"
local when = require "gen.when"

local at, ZONE = when.at, 330
local FIRST, LAST = at("2026-05-12 20:00", ZONE), at("2026-05-13 20:02", ZONE)
local RESTART = at("2026-05-13 03:31:07", ZONE)
local REPORT = { at("2026-05-13 11:00:20", ZONE), at("2026-05-13 11:06:40", ZONE) }
local GETS = { { 0, 18 }, { 360, 22 }, { 540, 75 }, { 780, 90 }, { 1080, 70 }, { 1320, 30 },
               { 1440, 18 } }

local function load_at(t, s)
  local n = s.noise
  local gets = story.curve(GETS, when.minute_of_day(t, ZONE))
  gets = gets * n:near(1 + 0.12 * story.mood(s, "gets", t, 900000), 0.08)
  local age = (t - s:startcode()) / 1000
  local asked, miss = gets * 5, 0.009 + 0.004 * story.mood(s, "miss", t, 600000)
  if age < 43200 then miss = miss + 0.3 / (1 + age / 400) / (1 + age / 400) end
  local report = story.depth(t, REPORT, 30000)
  asked = asked + 900 * report
  miss = miss + 0.25 * report
  return {
    get = gets, rows = gets * 0.5 + 5200 * report, scan = 0.4 + 1.5 * report, put = gets * 0.1,
    multi = gets * 0.1, batches = gets * 0.1, wrows = gets * 2, write = gets * 900, other = 0.8,
    deletes = 0.02, syncs = gets * 0.15, in_bytes = gets * 900,
    out_bytes = gets * 1500 + 800000 * report, hits = asked * (1 - miss), misses = asked * miss,
    evicted = 0, dropped = asked * miss * 0.7, data_hits = asked * 0.4, nhits = 0.2, nmisses = 0.6,
    fullscan = 0.01 * report, block_bytes = gets * 140000 + 12000000 * report, gc = 0.02,
    gc_ms = 0.6, heap = n:near(0.45, 0.1), connections = n:int(14, 19), waiting = {},
    busy = { read = n:int(0, 2), write = n:int(0, 1) },
    times = { get = { 1, 9, 35 }, scan = { 6 + 380 * report, 40 + 1900 * report,
              90 + 2100 * report }, batch = { 4, 21, 60 }, put = { 2, 8, 20 },
              delete = { 2, 9, 20 }, sync = { 2, 9, 31 }, queue = { 0, 0, 2 },
              process = { 2, 24, 90 }, total = { 2, 24, 91 }, scan_size = { 21000, 0, 0 },
              response = { 1300, 0, 0 } },
    call_bytes = 500, wals = 4,
  }
end

local function new_server(rng, i, regions)
  local own = rng:fork("rs-" .. i)
  local s = server.new {
    folder = "rs-" .. i, host = "node" .. i .. ".lab.example", ip = "10.4.14." .. 5 + i, rng = own,
    boot = at("2026-05-02 10:20:11", ZONE) + i * 60221, noise = own:fork("noise"),
    regions = regions, load = load_at, now = FIRST - 3600000, version = "2.6.1", offset = ZONE,
    heap = 8589934592, cluster_id = "a8e3f7c2-1b94-4d60-9f2e-5c70d8b6134a", slow_ms = 1000,
    root = "hdfs://lab/hbase", master = "node0.lab.example,16000,1777697400118",
    queues = { handlers = 30, count = 3 }, store = { cell = 220 },
    shares = { users = { read = 0.6, write = 0.3 }, ["app:events"] = { read = 0.4, write = 0.7 } },
  }
  s.cache.fill = s.cache.capacity * (0.55 + 0.08 * i)
  story.age(s, s.load(FIRST - 3600000, s), 40000)
  story.cache_reports(s, FIRST, LAST)
  return s
end

local function regions(rng)
  local created = at("2025-08-18 12:00", ZONE)
  local users = tree.regions(rng:fork("users"), { table = "users", family = "u", files = 2,
    keys = tree.keys(12, "%x", 16), size = 8e8, weight = 0.3, mem = 2000000, created = created })
  local events = tree.regions(rng:fork("events"), { table = "app:events", family = "e", files = 2,
    keys = tree.keys(10, "%02d", 100), size = 2e9, weight = 1, mem = 9000000, created = created })
  local hands = tree.deal(users, 2)
  for i, part in ipairs(tree.deal(events, 2)) do
    for _, r in ipairs(part) do table.insert(hands[i], r) end
  end
  return hands
end

-- A monthly report reads a table once, through the cache: slow, and there is room for it.
local function report(s, rng)
  local events, ids, client = story.of_table(s, "app:events"), calls.scanner_ids(s),
                              "10.4.14.60:51772"
  for i, r in ipairs(events) do
    local start, id = REPORT[1] + i * 60000 + rng:int(0, 9000), ids()
    local scan = { start = r.start, stop = r.stop, families = "e", caching = 5000,
                   cache_blocks = true, max_bytes = 4194304 }
    calls.finish(s, { start = start, proc = rng:int(1040, 1900), queue = 0, method = "Scan",
      bytes = rng:int(3900000, 4230000), client = client, user = "report", region = r,
      scan = scan, block_bytes = rng:int(5000000, 9000000) })
    calls.finish(s, { start = start + 2400, proc = rng:int(1010, 1500), queue = 0, method = "Scan",
      bytes = rng:int(3900000, 4230000), client = client, user = "report", region = r, scanner = id,
      seq = 0, scan = scan, block_bytes = rng:int(5000000, 9000000) })
  end
end

local function settings()
  local list = site.base("lab")
  for _, s in ipairs {
    { "hbase.ipc.warn.response.time", "1000" },
    { "hbase.ipc.warn.response.time.scan", "1000" },
    { "hbase.regionserver.slowlog.buffer.enabled", "true" },
  } do list[#list + 1] = s end
  return list
end

local function instants()
  return when.merge { when.every(FIRST, LAST, 2 * when.hour),
    { at("2026-05-13 03:25", ZONE), at("2026-05-13 03:35", ZONE), at("2026-05-13 03:40", ZONE),
      at("2026-05-13 11:05", ZONE), at("2026-05-13 11:10", ZONE) } }
end

--- The files of the sample.
---@param rng gen.rng
---@return table<string, string>
return function(rng)
  local files, servers, hands = {}, {}, regions(rng)
  for i = 1, 2 do
    servers[i] = new_server(rng, i, hands[i])
    report(servers[i], rng:fork("report " .. i))
  end
  story.move(servers[2], servers[1], RESTART - 61000, hands[2][3], 0.09)
  story.move(servers[1], servers[2], RESTART + 412000, hands[1][8], 0.1)
  servers[2]:at(RESTART + 303, function(s, t) s:restart(t, t + 26000) end)
  servers[1]:at(at("2026-05-13 16:12:40", ZONE) + 777, function(s)
    s.c.pauseInfoThresholdExceeded = (s.c.pauseInfoThresholdExceeded or 0) + 1
  end)
  servers[1].log_from, servers[1].log_to = at("2026-05-13 02:30", ZONE), REPORT[2] + 1800000
  servers[2].log_from, servers[2].log_to = at("2026-05-13 03:00", ZONE),
                                            at("2026-05-13 06:30", ZONE)
  story.collect(servers, instants(), files, rng:fork("collector"))
  for _, s in ipairs(servers) do s:run(LAST) end
  story.files(servers, settings(), files)
  return files
end

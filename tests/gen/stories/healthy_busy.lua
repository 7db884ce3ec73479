--- A 1.4 cluster at high load, and well: a cache smaller than the data, full queues for moments,
-- compactions that wait a little.
local calls = require "gen.calls"
local lines1 = require "gen.lines1"
local server = require "gen.server"
local site = require "gen.site"
local story = require "gen.story"
local tree = require "gen.tree"
local when = require "gen.when"

local at, MiB, ZONE = when.at, 1048576, 60
local FIRST, LAST = at("2026-01-20 09:00", ZONE), at("2026-01-20 19:02", ZONE)
local LOAD = { { 0, 0.5 }, { 480, 0.6 }, { 600, 0.95 }, { 720, 1 }, { 840, 0.9 }, { 960, 1.05 },
               { 1080, 0.9 }, { 1200, 0.6 }, { 1440, 0.5 } }

local function load_at(t, s)
  local n, level = s.noise, story.curve(LOAD, when.minute_of_day(t, ZONE))
  level = level * n:near(1 + 0.08 * story.mood(s, "level", t, 600000), 0.05)
  local gets, asked = 2900 * level, 2900 * level * 5
  local miss = 0.168 + 0.012 * story.mood(s, "miss", t, 900000) + n:near(0, 0.004)
  local crowded = n:chance(0.18)
  return {
    get = gets, rows = gets * 2.2, scan = 60 * level, multi = 160 * level, batches = 190 * level,
    put = 45 * level, wrows = 9000 * level, write = 5.2 * MiB * level, other = 1.2,
    deletes = 6 * level, syncs = 380 * level, in_bytes = gets * 2600, out_bytes = gets * 3900,
    hits = asked * (1 - miss), misses = asked * miss, evicted = asked * miss * 0.96,
    dropped = asked * miss * 0.04, data_hits = asked * (1 - miss) * 0.5, nhits = 30, nmisses = 90,
    gc = 0.9, gc_ms = 38, heap = n:near(0.78, 0.07), connections = n:int(420, 460),
    slow_get = n:chance(0.02) and 0.02 or 0, waiting = { read = crowded and n:int(1, 14) or 0 },
    busy = { read = crowded and n:int(31, 44) or n:int(9, 30), write = n:int(2, 9),
             priority = n:chance(0.2) and 1 or 0 },
    times = { get = { 3, 24 + 4 * level, 180 }, scan = { 11, 66, 240 }, batch = { 9, 58, 210 },
              put = { 4, 21, 90 }, delete = { 5, 30, 80 }, sync = { 4, 19, 85 },
              queue = { 0, n:int(2, 7), n:int(15, 60) }, process = { 4, 40, 230 },
              total = { 4, 44, 260 }, scan_size = { 41000, 0, 0 }, response = { 4700, 0, 0 } },
    call_bytes = 2600, wals = 26, local_percent = 96.8,
  }
end

local function new_server(rng, i, regions)
  local own = rng:fork("rs-" .. i)
  local s = server.new {
    folder = "rs-" .. i, host = "data0" .. i .. ".legacy.example", ip = "10.4.11." .. 20 + i,
    boot = at("2026-01-02 04:11:50") + i * 77003, rng = own, noise = own:fork("noise"),
    regions = regions, load = load_at, now = FIRST - 1800000, version = "1.4.14", quoted = true,
    offset = ZONE, name_offset = ZONE, sep = " ", step = 10000,
    heap = 21474836480, vm = "25.402-b06", cluster_id = "d2a9be04-6c7f-4f16-8a53-0b91e7c4f628",
    root = "hdfs://legacy/hbase", slow_ms = 1000, lines = lines1.write,
    life = lines1.life, wals_logged = false, queues = { handlers = 60, count = 6 },
    store = { overhead = 1.0, blocking_files = 10, disk_rate = 34 * MiB, cell = 300,
              memstore_share = 0.35, flush_rate = 70 * MiB },
  }
  s.store.throughput = function() return math.huge end -- 1.4 does not bound it by default
  story.age(s, s.load(FIRST - 1800000, s), 3 * MiB)
  story.cache_reports(s, at("2026-01-20 17:00", ZONE), LAST)
  return s
end

local function regions(rng)
  local created = at("2024-05-13 08:00")
  local sessions = tree.regions(rng:fork("sessions"), { table = "sessions", family = "s",
    keys = tree.keys(56, "%03x", 4096), files = 4, size = 3e9, weight = 1, mem = 100000000,
    created = created })
  local users = tree.regions(rng:fork("users"), { table = "users", family = "u",
    keys = tree.keys(120, "%07d", 9999999), files = 3, size = 5e9, weight = 0.1, mem = 30000000,
    created = created })
  local hands = tree.deal(sessions, 2)
  for i, part in ipairs(tree.deal(users, 2)) do
    for _, r in ipairs(part) do table.insert(hands[i], r) end
  end
  return hands
end

-- Slow lines all day: batches of every client, a scan now and then.
local function slow_calls(s, rng, first, last)
  local users, ids = story.of_table(s, "users"), calls.scanner_ids(s)
  for _ = 1, 90 do
    local r, t = rng:pick(s.regions), rng:int(first, last)
    local client = "10.4.12." .. rng:int(10, 40) .. ":" .. rng:int(33000, 60000)
    if rng:chance(0.8) then
      calls.finish(s, { start = t, proc = rng:int(1004, 2600), queue = rng:int(0, 4), user = "app",
        bytes = rng:int(200, 4000), method = "Multi", client = client, region = r,
        row = r.start .. rng:hex(10), actions = rng:int(100, 900) })
    else
      local target = rng:pick(users)
      calls.finish(s, { start = t, proc = rng:int(1010, 3800), queue = rng:int(0, 3), user = "app",
        bytes = rng:int(400000, 2097152), method = "Scan", client = client, region = target,
        scanner = ids(), seq = rng:int(0, 30), scan = { start = target.start, caching = 1000,
        cache_blocks = rng:chance(0.5), max_bytes = 2097152 } })
    end
  end
end

local function settings()
  local list = site.base("legacy")
  for _, s in ipairs {
    { "hbase.regionserver.handler.count", "60" },
    { "hfile.block.cache.size", "0.4" },
    { "hbase.regionserver.global.memstore.size", "0.35" },
    { "hbase.ipc.warn.response.time", "1000" },
  } do list[#list + 1] = s end
  return list
end

--- The files of the sample.
---@param rng gen.rng
---@return table<string, string>
return function(rng)
  local files, servers, hands = {}, {}, regions(rng)
  local log_from = at("2026-01-20 17:20", ZONE)
  for i = 1, 2 do
    servers[i] = new_server(rng, i, hands[i])
    slow_calls(servers[i], rng:fork("calls " .. i), log_from, LAST)
  end
  servers[1].log_from, servers[1].log_to = log_from, LAST
  servers[2].log_from, servers[2].log_to = at("2026-01-20 18:20", ZONE), LAST
  story.collect(servers, when.every(FIRST, LAST, 50 * when.minute), files, rng:fork("collector"))
  for _, s in ipairs(servers) do s:run(LAST) end
  story.files(servers, settings(), files)
  return files
end

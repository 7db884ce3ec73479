--- Three nights of a profile service: at 02:00 a batch job reads `orders` through the block cache.
local calls = require "gen.calls"
local server = require "gen.server"
local site = require "gen.site"
local story = require "gen.story"
local tree = require "gen.tree"
local when = require "gen.when"

local FIRST, LAST = when.at("2026-10-05 21:00"), when.at("2026-10-08 06:10")
local BOOT = when.at("2026-09-12 08:14:07")
local RESTART = when.at("2026-10-07 01:33:20")
local NIGHTS = {
  { when.at("2026-10-06 02:00:08"), when.at("2026-10-06 02:39:40") },
  { when.at("2026-10-07 02:00:06"), when.at("2026-10-07 02:40:31") },
  { when.at("2026-10-08 02:00:11"), when.at("2026-10-08 02:38:52") },
}
local IDLE = { when.at("2026-10-06 03:59:40"), when.at("2026-10-06 05:00:30") }
local MAJOR = { when.at("2026-10-08 05:02:00"), when.at("2026-10-08 05:41:00") }
local GETS = { { 0, 140 }, { 90, 112 }, { 300, 108 }, { 420, 180 }, { 540, 320 }, { 1080, 340 },
               { 1260, 240 }, { 1440, 140 } }
local JOB, EXPORT = "10.4.2.17", "10.4.3.9"

-- 0..1: how much of the batch scan runs on this server
local function sweep(s, t)
  if not s.has_orders then return 0 end
  for _, night in ipairs(NIGHTS) do
    local depth = story.depth(t, night, 45000)
    if depth > 0 then return depth end
  end
  return 0
end

-- Blocks that Gets ask for: which share misses, and what becomes of those that are read in.
local function cache_load(load, s, t, gets)
  local miss = 0.022 + 0.007 * story.mood(s, "miss", t, 420000) + s.noise:near(0, 0.002)
  local asked, age = gets * 9, (t - s:startcode()) / 1000
  local full = s.cache.fill > s.cache.capacity * 0.96
  if age < 86400 then miss = miss + 0.34 / (1 + age / 240) / (1 + age / 240) end
  if s.major and t > MAJOR[1] and t < MAJOR[2] then miss = miss + 0.055 end
  if t > IDLE[1] and t < IDLE[2] then miss, full = 0.47, false end
  load.misses, load.hits = asked * miss, asked * (1 - miss)
  load.evicted = full and math.min(load.misses, s.noise:jitter(12, 0.3) * gets / 110) or 0
  load.dropped = full and load.misses - load.evicted or load.misses * 0.4
  load.data_hits = load.hits * 0.44
  load.nhits, load.nmisses = s.noise:near(0.4, 0.3), s.noise:near(1.6, 0.8)
  s.cache.slack = full and s.cache.capacity * s.noise:unit() * 0.014 or 0
end

-- The scan: its columns are sought one by one, so it asks the cached index 1.58 times a block.
local function add_sweep(load, s, t, depth)
  local mood = story.mood(s, "sweep", t, 300000)
  local blocks = s.noise:jitter(41100 + 2600 * mood, 0.03) * depth
  local gets_missed = load.hits * 0.05 * depth
  load.misses = load.misses + blocks + gets_missed
  load.hits = load.hits - gets_missed + blocks * (1.58 - 0.14 * mood)
  load.evicted = load.evicted + blocks + gets_missed
  load.dropped = 0
  load.rows, load.scan = load.rows + blocks * 4, load.scan + 7 * depth
  load.fullscan = 0.03 * depth
  load.out_bytes = load.out_bytes + blocks * 8192
  local near = function(a, b) return a + (b - a) * depth end
  load.times.get = { near(3, 38), near(21, 146 + 16 * mood), near(94, 870 + 200 * mood) }
  load.times.scan = { near(4, 1840), near(19, 4350), near(70, s.noise:int(4900, 6100)) }
  load.times.scan_size = { near(30000, 37000000), 0, 0 }
  load.times.queue = { near(0, 4), near(2, 36 + 9 * mood), near(11, 160) }
  load.times.process = { near(3, 120), near(24, 3900), near(110, 6100) }
  load.times.total = { near(3, 124), near(25, 3920), near(112, 6110) }
  load.waiting.read = depth * s.noise:int(6, 19)
  load.busy.read, load.scanners = depth * s.noise:int(25, 30), 3 + 20 * depth
  load.gc, load.gc_ms, load.heap = 0.9, 31, s.noise:near(0.74, 0.05)
end

local function load_at(t, s)
  local n, mood = s.noise, story.mood(s, "gets", t, 500000)
  local gets = story.curve(GETS, when.minute_of_day(t, 0)) * n:near(1 + 0.1 * mood, 0.06)
  local p99 = 21 + 3 * mood + (story.mood(s, "gc", t, 300000) > 0.55 and 11 or 0)
  if t > IDLE[1] and t < IDLE[2] then gets = 40 / 3650 end
  local load = {
    get = gets, mget = 0, rows = gets * 0.3, scan = gets * 0.02, put = gets * 0.01,
    multi = gets * 0.05, wrows = gets * 0.8, batches = gets * 0.05, write = gets * 600,
    other = 0.8, syncs = gets * 0.06, in_bytes = gets * 2300, out_bytes = gets * 2600,
    gc = 0.12, gc_ms = 3.1, heap = n:near(0.66, 0.08), connections = n:int(61, 68),
    waiting = { read = n:chance(0.15) and 1 or 0, write = 0 },
    busy = { read = n:int(1, 4), write = n:int(0, 2), priority = n:chance(0.1) and 1 or 0 },
    times = { get = { 3, p99, 4 * p99 + n:int(0, 30) }, scan = { 4, n:int(17, 21), 70 },
              put = { 2, 9, 31 }, batch = { 5, n:int(18, 24), 66 }, sync = { 2, 8, 29 },
              queue = { 0, n:int(1, 3), n:int(6, 14) }, process = { 3, n:int(20, 24), 110 },
              total = { 3, n:int(21, 25), 112 }, scan_size = { 30000, 0, 0 },
              response = { 2600, 0, 0 } },
    call_bytes = 900, wals = 14,
  }
  cache_load(load, s, t, gets)
  local depth = sweep(s, t)
  if depth > 0 then add_sweep(load, s, t, depth) end
  return load
end

local function new_server(rng, i, regions)
  local folder = "rs-" .. i
  local own = rng:fork(folder)
  local s = server.new {
    folder = folder, host = folder, ip = "10.4.1." .. 10 + i, boot = BOOT + i * 41213,
    rng = own, noise = own:fork("noise"), regions = regions, load = load_at, now = FIRST - 600000,
    cluster_id = "5b0c2f6e-93a1-4d55-8e0b-27c4a9d1f3e8", master = "hm-1,16000,1789200818211",
    root = "hdfs://hb-prod/hbase", block = 8192, has_orders = i < 3, slow_ms = 4000,
    queues = { handlers = 60, count = 6, read_handlers = 36, read_queues = 4 },
    log_from = i < 3 and FIRST or when.at("2026-10-06 18:00"), log_to = LAST,
    files_logged = false, store = { flush_interval = 0, overhead = 1.32, cell = 180 },
    shares = { profile = { read = 0.7, write = 0.6 }, orders = { read = i < 3 and 0.2 or 0 },
               sessions = { read = 0.1, write = 0.4 } },
  }
  story.age(s, s.load(FIRST - 600000, s), 120000)
  story.cache_reports(s, FIRST, LAST)
  return s
end

local function regions(rng)
  local created = when.at("2026-03-02 09:30")
  local make = function(table_name, n, form, width, more)
    more.table, more.keys = table_name, tree.keys(n, form, width)
    more.created = created
    return tree.regions(rng:fork(table_name), more)
  end
  local profile = make("profile", 72, "u%08d", 90000000,
    { family = "p", files = 4, size = 2.9e9, weight = 1, mem = 9e7 // 1 })
  local sessions = make("sessions", 60, "%02x", 256, { family = "s", files = 3, size = 8e8,
    weight = 0.8, mem = 9e7 // 1 })
  local orders = make("orders", 140, "%08d", 70000000, { family = "o", files = 2, size = 7e9 })
  local hands = tree.deal(profile, 3)
  for i, part in ipairs(tree.deal(sessions, 3)) do
    for _, r in ipairs(part) do table.insert(hands[i], r) end
  end
  for i, part in ipairs(tree.deal(orders, 2)) do
    for _, r in ipairs(part) do table.insert(hands[i], r) end
  end
  return hands
end

local of_table = story.of_table

-- One worker of the job: opens a region, reads it in pieces of 48 MB, takes the next.
local function worker(s, rng, night, port, take, ids)
  local t, client = night[1] + rng:int(0, 30000), JOB .. ":" .. port
  while t < night[2] - 4000 do
    local r = take()
    local scan = { start = r.start, stop = r.stop, families = "o", caching = 50000,
                   cache_blocks = true, max_bytes = 50331648 }
    local id, seq = ids(), -1
    for _ = 1, rng:int(150, 260) do
      local open = seq < 0
      local proc = open and rng:near(4000, 1900) or rng:near(2780, 1950)
      calls.finish(s, {
        start = t, proc = proc // 1, queue = rng:int(0, 9) // 2 + (rng:chance(0.04) and 31 or 0),
        bytes = 50331648 + rng:int(90000, 260000), method = "Scan", client = client, user = "etl",
        region = r, scan = scan, scanner = not open and id or nil, seq = seq })
      t, seq = t + proc // 1 + rng:int(18, 60), seq + 1
      if t >= night[2] - 4000 then break end
    end
  end
end

local function nightly_job(s, rng)
  local orders, ids, next_region = of_table(s, "orders"), calls.scanner_ids(s), 0
  local take = function()
    next_region = next_region % #orders + 1
    return orders[next_region]
  end
  for _, night in ipairs(NIGHTS) do
    local port = rng:int(41000, 58000)
    for i = 1, 20 do worker(s, rng, night, port + i % 4 * 2, take, ids) end
  end
end

-- Slow calls that are no incident: an evening export that does not cache, and large batches.
local function noise_calls(s, rng)
  local profile, sessions = of_table(s, "profile"), of_table(s, "sessions")
  local ids = calls.scanner_ids(s)
  for day = 0, 2 do
    local t = when.at("2026-10-05 22:30:20") + day * when.day
    for _ = 1, 24 do
      t = t + rng:int(5000, 31000)
      calls.finish(s, { start = t, proc = rng:int(4080, 6900), queue = rng:int(0, 2),
        bytes = rng:int(21000000, 33000000), method = "Scan", client = EXPORT .. ":50122",
        user = "export", region = rng:pick(profile), scanner = ids(), seq = rng:int(3, 90),
        scan = { start = "", caching = 20000, cache_blocks = false, max_bytes = 33554432 } })
    end
  end
  for _ = 1, 26 do
    local r = rng:pick(sessions)
    calls.finish(s, { start = rng:int(FIRST, LAST), proc = rng:int(4020, 7400),
      queue = rng:int(0, 3), bytes = rng:int(300, 900), method = "Multi", user = "web",
      client = "10.4.5." .. rng:int(20, 43) .. ":" .. rng:int(35000, 60000), region = r,
      row = r.start .. rng:hex(14), actions = rng:int(200, 900) })
  end
end

-- Six regions of profile: their old blocks leave the cache with their files.
local function major(s)
  local list = {}
  for i = 1, 6 do list[i] = of_table(s, "profile")[i] end
  s.major = true
  story.major(s, MAJOR[1] + 8417, list, 380000)
end

local SETTINGS = {
  { "hbase.regionserver.handler.count", "60" },
  { "hbase.ipc.server.callqueue.handler.factor", "0.1" },
  { "hbase.ipc.server.callqueue.read.ratio", "0.6", "scans and gets still share the read queues" },
  { "hfile.block.cache.size", "0.4" },
  { "hbase.regionserver.global.memstore.size", "0.4" },
  { "hbase.regionserver.optionalcacheflushinterval", "0" },
  { "hbase.ipc.warn.response.time", "4000" },
  { "hbase.regionserver.slowlog.buffer.enabled", "true" },
  { "hbase.hregion.majorcompaction", "0", "major compactions are started by a script" },
}

local function settings()
  local list = site.base("hb-prod")
  for _, s in ipairs(SETTINGS) do list[#list + 1] = s end
  return list
end

-- Every hour of a night, twice a day, every five minutes around the job.
local function instants()
  local lists = { when.every(when.at("2026-10-07 01:30"), when.at("2026-10-07 01:50"), 300000) }
  for day = 0, 2 do
    local night = when.at("2026-10-06 02:00") + day * when.day
    lists[#lists + 1] = when.every(night - 4 * when.hour, night + 4 * when.hour, when.hour)
    lists[#lists + 1] = when.every(night - 300000, night + 45 * when.minute, 300000)
    if day < 2 then
      lists[#lists + 1] = { night + 8 * when.hour, night + 14 * when.hour }
    end
  end
  return when.merge(lists)
end

--- The files of the sample.
---@param rng gen.rng
---@return table<string, string>
return function(rng)
  local files, servers = {}, {}
  local hands = regions(rng)
  for i = 1, 3 do servers[i] = new_server(rng, i, hands[i]) end
  for i, s in ipairs(servers) do
    local own = rng:fork("calls " .. i)
    if s.has_orders then nightly_job(s, own) end
    noise_calls(s, own)
  end
  servers[3]:at(RESTART + 417, function(s, t) s:restart(t, t + 21000) end)
  story.move(servers[1], servers[3], when.at("2026-10-06 23:10:12") + 655, hands[1][5], 0.03)
  major(servers[2])
  story.collect(servers, instants(), files, rng:fork("collector"))
  for _, s in ipairs(servers) do s:run(LAST) end
  story.files(servers, settings(), files)
  files["rs-1/slowlog-responses.txt.gz"] = calls.dump({ servers[1] },
    when.at("2026-10-08 02:37:50"), 120)
  return files
end

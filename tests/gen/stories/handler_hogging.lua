--- An analytics job filters all of `orders` on a column: its scans hold every handler for forty
-- minutes, and the checkout's Gets wait behind them.
local calls = require "gen.calls"
local server = require "gen.server"
local site = require "gen.site"
local story = require "gen.story"
local tree = require "gen.tree"
local when = require "gen.when"

local at = when.at
local FIRST, LAST = at("2026-11-16 18:00"), at("2026-11-17 03:32")
local JOB = { at("2026-11-17 02:00:14"), at("2026-11-17 02:40:20") }
local REINDEX = { at("2026-11-16 20:05:00"), at("2026-11-16 20:31:00") }
local GETS = { { 0, 330 }, { 120, 290 }, { 210, 285 }, { 1080, 900 }, { 1320, 700 },
               { 1440, 330 } }
local HANDLERS = 30

-- How long a call waits in the queue, in ms: more scans come than there are handlers, and more
-- every minute.
local function queue_wait(s, t)
  local depth = story.depth(t, JOB, 40000)
  if depth == 0 then return 0 end
  local minute = (t - JOB[1]) / when.minute
  local base = story.curve({ { 0, 180 }, { 3, 360 }, { 20, 690 }, { 36, 940 }, { 41, 700 } },
                           minute)
  return depth * base * (1 + 0.07 * story.mood(s, "wait", t, 120000))
end

-- The scans: 35,000 rows a second and handler, of which next to none pass the filter.
local function add_job(load, s, wait, depth)
  local slow = 6480 + 260 * story.mood(s, "scan", s.now, 240000)
  local held = 29 * depth
  load.scan = load.scan + held / 6.5
  load.fullscan = held / 6.5 / 4
  load.filtered = load.filtered + held * s.noise:jitter(35000, 0.05)
  load.rows = load.rows + held * 2.4
  load.nmisses, load.nhits = held * 160, held * 60
  load.get = load.get * (1 - 0.14 * depth)
  load.waiting.read = math.min(292, load.get * wait / 1000 + wait / 250) * s.noise:near(1, 0.04)
  load.busy.read = depth > 0.6 and HANDLERS or load.busy.read + held
  load.scanners = 3 + 38 * depth
  local times = load.times
  times.scan = { slow, slow + 2390, slow + 2500 }
  times.scan_size = { 3100, 0, 0 }
  times.queue = { wait, wait * 1.8, wait * 2.6 }
  times.process = { times.process[1] + 97 * depth, slow + 420, slow + 2500 }
  times.total = { times.process[1] + wait, slow + 420 + wait, slow + 2500 + 2 * wait }
  times.get = { 3, times.get[2] + 1, times.get[3] + 4 }
  load.queue_full = wait > 900 and 1.6 or 0
  load.gc, load.gc_ms, load.heap = 0.7, 22, s.noise:near(0.7, 0.05)
end

local function load_at(t, s)
  local n, mood = s.noise, story.mood(s, "gets", t, 400000)
  local gets = story.curve(GETS, when.minute_of_day(t, 0)) * n:near(1 + 0.07 * mood, 0.05)
  local asked, miss = gets * 6, 0.014 + 0.004 * story.mood(s, "miss", t, 420000)
  local reindex = story.depth(t, REINDEX, 60000)
  local load = {
    get = gets, rows = gets * 0.4 + 2400 * reindex, filtered = gets * 0.02, other = 0.8,
    scan = 3 + 7 * reindex, multi = gets * 0.04, batches = gets * 0.05, wrows = gets * 0.3,
    write = gets * 420, syncs = gets * 0.05, put = gets * 0.02, in_bytes = gets * 500,
    out_bytes = gets * 1700 + 9e5 * reindex, hits = asked * (1 - miss), misses = asked * miss,
    evicted = asked * miss * 0.7, dropped = asked * miss * 0.3, data_hits = asked * 0.4,
    nmisses = 2, nhits = 1, gc = 0.2, gc_ms = 6, heap = n:near(0.63, 0.07),
    connections = n:int(118, 131), waiting = { read = n:chance(0.1) and 1 or 0 },
    busy = { read = n:int(1, 5) + 6 * reindex, priority = n:chance(0.1) and 1 or 0 },
    times = { get = { 2, 4 + mood, 14 + 4 * mood }, scan = { 9 + 500 * reindex, 40 + 820 * reindex,
              90 + 900 * reindex }, scan_size = { 18000, 0, 0 }, batch = { 6, 28, 80 },
              put = { 2, 8, 26 }, sync = { 2, 9, 33 }, queue = { 0, 1, 5 },
              process = { 3, 30 + 700 * reindex, 95 + 880 * reindex },
              total = { 3, 31 + 700 * reindex, 98 + 880 * reindex }, response = { 1800, 0, 0 } },
    call_bytes = 800,
  }
  local depth = story.depth(t, JOB, 40000)
  if depth > 0 then add_job(load, s, queue_wait(s, t), depth) end
  return load
end

local function new_server(rng, i, regions)
  local folder = "rs-" .. i
  local own = rng:fork(folder)
  local s = server.new {
    folder = folder, host = "rs0" .. i .. ".shop.internal", ip = "10.4.6." .. 40 + i, rng = own,
    boot = at("2026-10-28 07:40:31") + i * 93211, noise = own:fork("noise"), regions = regions,
    load = load_at, now = FIRST - 1200000, slow_ms = 500, heap = 25769803776,
    cluster_id = "0e6a3c58-7d21-4f0b-9c64-b8f2a5e7d913", root = "hdfs://shop/hbase",
    master = "hm01.shop.internal,16000,1793173102553", files_logged = false, wals_logged = false,
    queues = { handlers = HANDLERS, count = 3 }, step = 20000,
    store = { flush_interval = 4 * when.hour, overhead = 1.4 },
    shares = { orders = { read = 0.8, write = 0.5, filtered = 0.99 }, cart = { read = 0.1,
               write = 0.5 }, catalog = { read = 0.1, filtered = 0.01 } },
  }
  story.age(s, s.load(FIRST - 1200000, s), 150000)
  return s
end

local function regions(rng)
  local created = at("2026-01-19 11:00")
  local make = function(name, keys, more)
    more.table, more.keys, more.created = name, keys, created
    return tree.deal(tree.regions(rng:fork(name), more), 4)
  end
  local hands = make("orders", tree.keys(180, "%07d", 9000000),
    { files = 3, size = 4e9, weight = 1, mem = 20000000 })
  local cart = make("cart", tree.keys(40, "%02x", 256), { files = 2, size = 6e8, weight = 3,
    mem = 60000000 })
  local catalog = make("catalog", tree.keys(60, "sku%06d", 600000), { files = 1, size = 2e9 })
  for i = 1, 4 do
    for _, r in ipairs(cart[i]) do table.insert(hands[i], r) end
    for _, r in ipairs(catalog[i]) do table.insert(hands[i], r) end
  end
  return hands
end

-- SingleColumnValueFilter(d:status = REFUNDED), as its protobuf bytes
local function refunded()
  local function field(tag, bytes) return string.char(tag, #bytes) .. bytes end
  local comparator = field(10, "org.apache.hadoop.hbase.filter.BinaryComparator")
                     .. field(18, field(10, field(10, "REFUNDED")))
  return { name = "SingleColumnValueFilter", bytes = field(10, "d") .. field(18, "status")
           .. "\x18\x02" .. field(34, comparator) .. "\x28\x01\x30\x01" }
end

-- One of the scans that run at a time: a region in three to five calls, then the next region.
local function scans(s, rng, client, take, ids)
  local t, filter = JOB[1] + rng:int(0, 9000), refunded()
  while t < JOB[2] - 9000 do
    local r, id, seq = take(), ids(), -1
    for _ = 1, rng:int(3, 5) do
      local wait = queue_wait(s, t) * rng:near(1, 0.5)
      local start, proc = t + wait, rng:near(6480, 2480)
      calls.finish(s, { start = start, proc = proc, queue = wait, bytes = rng:int(38, 6200),
        method = "Scan", client = client, user = "bi", region = r, seq = seq,
        scanner = seq >= 0 and id or nil,
        scan = { start = r.start, families = "d", filter = filter, caching = 1000,
                 cache_blocks = false, max_bytes = 2097152 } })
      t, seq = math.floor(start + proc) + rng:int(2, 14), seq + 1
    end
  end
end

local function job(s, rng)
  local orders, ids, i = story.of_table(s, "orders"), calls.scanner_ids(s), 0
  local take = function()
    i = i % #orders + 1
    return orders[i]
  end
  local port = rng:int(41000, 58000)
  for n = 1, 34 do scans(s, rng, "10.4.7.21:" .. port + n % 8 * 2, take, ids) end
end

-- Slow lines under a low threshold that are no incident: a reindexing in the evening, and batches.
local function noise_calls(s, rng)
  local catalog, cart, ids = story.of_table(s, "catalog"), story.of_table(s, "cart"),
                             calls.scanner_ids(s)
  local t = REINDEX[1]
  while t < REINDEX[2] do
    t = t + rng:int(2000, 9000)
    local r = rng:pick(catalog)
    calls.finish(s, { start = t, proc = rng:int(505, 940), queue = 0,
      bytes = rng:int(60000, 190000), method = "Scan", user = "search", region = r,
      client = "10.4.9.14:" .. 44180 + rng:int(0, 5) * 2, scanner = ids(), seq = rng:int(0, 40),
      scan = { start = r.start, caching = 500, cache_blocks = false, max_bytes = 2097152 } })
  end
  for _ = 1, 55 do
    local r = rng:pick(cart)
    calls.finish(s, { start = rng:int(FIRST, JOB[1]), proc = rng:int(505, 1900),
      queue = rng:int(0, 1), bytes = rng:int(150, 700), method = "Multi", user = "web", region = r,
      client = "10.4.5." .. rng:int(20, 31) .. ":" .. rng:int(35000, 60000),
      row = r.start .. rng:hex(12), actions = rng:int(40, 300) })
  end
end

local function settings()
  local list = site.base("shop")
  for _, s in ipairs {
    { "hbase.regionserver.handler.count", "30" },
    { "hbase.ipc.warn.response.time", "500", "was 10000; lowered to find the 02:00 spike" },
    { "hbase.regionserver.slowlog.buffer.enabled", "true" },
    { "hbase.regionserver.optionalcacheflushinterval", "14400000" },
    { "hfile.block.cache.size", "0.4" },
  } do list[#list + 1] = s end
  return list
end

local function instants()
  return when.merge {
    { FIRST, at("2026-11-16 20:20"), at("2026-11-16 22:00"), at("2026-11-17 00:00"),
      at("2026-11-17 01:00") },
    when.every(at("2026-11-17 01:50"), at("2026-11-17 02:50"), 5 * when.minute),
    { at("2026-11-17 03:00"), at("2026-11-17 03:30") },
  }
end

--- The files of the sample.
---@param rng gen.rng
---@return table<string, string>
return function(rng)
  local files, servers, hands = {}, {}, regions(rng)
  for i = 1, 4 do
    local s = new_server(rng, i, hands[i])
    job(s, rng:fork("job " .. i))
    noise_calls(s, rng:fork("noise " .. i))
    story.cache_reports(s, FIRST, LAST)
    servers[i] = s
  end
  -- copied while it happened
  servers[1].log_from, servers[1].log_to = FIRST, at("2026-11-17 02:08:09")
  servers[2].log_from, servers[2].log_to = at("2026-11-17 00:00"), at("2026-11-17 02:04:40")
  servers[4]:at(at("2026-11-17 00:40:11") + 80, function(s)
    s.c.pauseInfoThresholdExceeded = (s.c.pauseInfoThresholdExceeded or 0) + 1
  end)
  story.collect(servers, instants(), files, rng:fork("collector"))
  for _, s in ipairs(servers) do s:run(LAST) end
  story.files(servers, settings(), files)
  files["slowlog-responses.txt.gz"] = calls.dump(servers, at("2026-11-17 02:31:12"), 45)
  return files
end

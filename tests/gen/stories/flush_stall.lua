--- Monday: a marketing send writes to 300 regions a server; memstores are flushed small, files pile
-- up, and puts stall.
local calls = require "gen.calls"
local server = require "gen.server"
local site = require "gen.site"
local story = require "gen.story"
local tree = require "gen.tree"
local when = require "gen.when"

local ZONE, MiB = 120, 1048576
local function at(text) return when.at(text, ZONE) end

local FIRST, LAST = at("2026-09-13 12:00"), at("2026-09-14 10:42")
-- minutes after 09:00, and how much of the send runs
local SEND = { { 0, 0 }, { 5, 0.92 }, { 38, 0.97 }, { 56, 1.08 }, { 76, 1.04 }, { 90, 0.8 },
               { 94, 0 } }
local MORNING = at("2026-09-14 09:00")
-- the disks are busiest here, and flushes crawl
local SLOW_DISK = {
  { at("2026-09-14 10:05:05"), at("2026-09-14 10:06:20") },
  { at("2026-09-14 10:15:40"), at("2026-09-14 10:16:50") },
}

local function send(t) return story.curve(SEND, (t - MORNING) / when.minute) end

local function disk(t)
  for _, slow in ipairs(SLOW_DISK) do
    if t > slow[1] and t < slow[2] then return 0.12 end
  end
  return 1
end

-- How much of the last seconds writes were blocked: 0..1.
local function stalled(s, t)
  local dt = math.min((t - s.now) / 1000, 20)
  local now = s.store.blocked and 1 or 0
  s.stall = (s.stall or 0) + (now - (s.stall or 0)) * math.min(1, dt / 8)
  return s.stall
end

local function write_side(load, s, t)
  local n, share, stall = s.noise, send(t), stalled(s, t)
  local quiet = 0.38 * MiB * (1 + 0.3 * story.mood(s, "quiet", t, 900000))
  load.write = quiet + share * n:jitter(45 * MiB, 0.08)
  load.multi, load.batches, load.wrows = load.write / 285000, load.write / 285000, load.write / 5700
  load.put, load.syncs = 4, 20 + load.multi
  load.in_bytes = load.in_bytes + load.write * 1.1
  load.waiting.write = stall > 0.1 and n:int(20, 60) + stall * 220 // 1
    or share * n:int(0, 9) * n:int(0, 1)
  load.busy.write = stall > 0.1 and 30 or math.max(1, share * n:near(12, 6) // 1)
  local p99 = stall > 0.1 and 900 + 5200 * stall or 20 + 120 * share
  load.times.batch = { 6 + 30 * share + 2400 * stall, p99, p99 * (1 + n:unit()) }
  load.times.put = { 2 + 1800 * stall, 9 + p99 * stall, 30 + 2 * p99 * stall }
  load.times.sync = { 2 + 4 * share, 9 + 40 * share, 30 + 110 * share }
  load.times.process = { 4 + 20 * share + 900 * stall, p99, p99 * 2 }
  load.times.queue = { 2 * share + 700 * stall, 3 + 30 * share + 3100 * stall,
                       12 + 60 * share + 5000 * stall }
  load.times.total = { load.times.process[1] + load.times.queue[1],
                       load.times.process[2] + load.times.queue[2],
                       load.times.process[3] + load.times.queue[3] }
  load.gc, load.gc_ms = 0.2 + share, 6 + 40 * share
  load.wals = 24 + share * 60
  s.store.disk, s.blocked_writers = disk(t), 28
end

local function load_at(t, s)
  local n, mood = s.noise, story.mood(s, "gets", t, 500000)
  local gets = n:jitter(520 + 60 * mood, 0.06)
  local asked, miss = gets * 7, 0.027 + 0.006 * mood + n:near(0, 0.003)
  local load = {
    get = gets, rows = gets * 0.2, scan = 2.5, other = 0.8, in_bytes = gets * 400,
    out_bytes = gets * 2100, hits = asked * (1 - miss), misses = asked * miss,
    evicted = asked * miss * 0.6, dropped = asked * miss * 0.4, data_hits = asked * 0.4,
    nhits = 1, nmisses = 4, heap = n:near(0.62 + 0.2 * send(t), 0.06),
    connections = n:int(210, 240),
    waiting = { read = n:chance(0.2) and 1 or 0 },
    busy = { read = n:int(1, 5), priority = n:chance(0.1) and 1 or 0 },
    times = { get = { 2, 15 + 3 * mood, 60 + 20 * mood }, scan = { 5, 24, 80 },
              scan_size = { 24000, 0, 0 }, response = { 1900, 0, 0 } },
    call_bytes = 90000,
  }
  write_side(load, s, t)
  return load
end

-- Major compactions at night: a queue that is no debt.
local function nightly_script(s)
  local list = {}
  for i = 1, 36 do list[i] = s.regions[i * 7] end
  story.major(s, at("2026-09-14 02:54:00") + 217, list, 24000)
end

-- A stall of more than ten seconds leaves slow calls: the puts that waited it out.
local function slow_puts(s)
  local tell = s.tell
  function s.tell(self, kind, t, d)
    tell(self, kind, t, d)
    if kind ~= "unblocked" or t - d.since < 10500 then return end
    local rng = self.rng:fork("puts " .. t)
    for _ = 1, 24 do
      local r = rng:pick(self.regions)
      local start = d.since + rng:int(0, 900)
      calls.finish(self, { start = start, proc = t - start + rng:int(2, 60), queue = rng:int(0, 40),
        bytes = rng:int(180, 420), method = "Multi", user = "campaign", region = r,
        client = "10.4.8." .. rng:int(11, 26) .. ":" .. rng:int(33000, 60000),
        row = r.start .. rng:hex(8), actions = rng:int(44, 50) })
    end
  end
end

local function new_server(rng, i, regions)
  local folder, own = "rs-" .. i, rng:fork("rs-" .. i)
  local s = server.new {
    folder = folder, host = "hb-" .. i .. ".mkt.example", ip = "10.4.8." .. 100 + i,
    boot = at("2026-08-30 06:12:44") + i * 61307, rng = own, noise = own:fork("noise"),
    regions = regions, load = load_at, now = FIRST - 3600000, offset = ZONE, name_offset = ZONE,
    sep = " ", cluster_id = "c41d7a90-0f52-4e8e-b0ab-6d1f3b8a2e47",
    master = "hb-m.mkt.example,16000,1788063100427", root = "hdfs://mkt/hbase", slow_ms = 10000,
    queues = { handlers = 60, count = 6, read_handlers = 30, read_queues = 3 },
    files_logged = false, wals_logged = false, batch_bytes = 285000, busy_lines = 1,
    step_at = function(now) return send(now) > 0 and 1000 or 20000 end,
    store = { overhead = 2.0, cell = 100, flush_interval = 4 * when.hour,
              low_bound = 10 * MiB, high_bound = 20 * MiB,
              flush_rate = 47.5 * MiB, disk_rate = 20 * MiB },
    shares = { profile = { read = 1, write = 0.93 }, ["campaign:sent"] = { write = 0.07 } },
  }
  story.age(s, s.load(FIRST - 3600000, s), 0.38 * MiB)
  slow_puts(s)
  nightly_script(s)
  return s
end

local function regions(rng)
  local created = at("2026-02-11 10:00")
  local profile = tree.regions(rng:fork("profile"), { table = "profile", family = "p",
    keys = tree.keys(888, "u%08d", 90000000), files = 3, size = 2e8, weight = 1, mem = 16000000,
    created = created })
  local sent = tree.regions(rng:fork("sent"), { table = "campaign:sent", family = "e",
    keys = tree.keys(6, "%02x", 256), files = 3, size = 2e8, weight = 2.4, mem = 2000000,
    flush_size = 16 * MiB, created = created })
  local hands = tree.deal(profile, 3)
  for i, part in ipairs(tree.deal(sent, 3)) do
    for _, r in ipairs(part) do table.insert(hands[i], r) end
  end
  return hands
end

local function instants()
  local lists = { when.every(FIRST, at("2026-09-14 06:00"), 3 * when.hour),
    { at("2026-09-14 08:00"), at("2026-09-14 08:45") },
    when.every(at("2026-09-14 08:55"), at("2026-09-14 10:40"), 5 * when.minute) }
  for _, minute in ipairs { "10:06", "10:16", "10:18" } do
    lists[#lists + 1] = { at("2026-09-14 " .. minute) }
  end
  return when.merge(lists)
end

local function settings()
  local list = site.base("mkt")
  for _, s in ipairs {
    { "hbase.regionserver.handler.count", "60" },
    { "hbase.ipc.server.callqueue.read.ratio", "0.5" },
    { "hfile.block.cache.size", "0.4" },
    { "hbase.regionserver.global.memstore.size", "0.4" },
    { "hbase.hstore.compaction.throughput.lower.bound", "10485760", "from the 2.1 cluster" },
    { "hbase.hstore.compaction.throughput.higher.bound", "20971520" },
    { "hbase.regionserver.optionalcacheflushinterval", "14400000" },
    { "hbase.hregion.majorcompaction", "0" },
  } do list[#list + 1] = s end
  return list
end

--- The files of the sample.
---@param rng gen.rng
---@return table<string, string>
return function(rng)
  local files, servers = {}, {}
  local hands = regions(rng)
  for i = 1, 3 do servers[i] = new_server(rng, i, hands[i]) end
  servers[1].log_from, servers[1].log_to = at("2026-09-14 10:03"), at("2026-09-14 10:21:12")
  servers[2].log_from, servers[2].log_to = at("2026-09-14 10:08:30"), at("2026-09-14 10:15:20")
  story.collect(servers, instants(), files, rng:fork("collector"))
  for _, s in ipairs(servers) do s:run(LAST) end
  story.files(servers, settings(), files)
  return files
end

--- hbdx events: which events are chosen, how they are folded, why flushes came, how long writers
-- were held back. The logs are invented.
local case = require "hbdx.case"
local cause = require "hbdx.events.cause"
local core = require "hbdx.core.case"
local events = require "hbdx.events"
local json = require "hbdx.core.json"
local scratch = require "scratch"
local summary = require "hbdx.events.summary"
local timeline = require "hbdx.events.timeline"

local BIN = assert(os.getenv "HBDX_BIN", "HBDX_BIN names the binary")

local A = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
local B = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
local C = "cccccccccccccccccccccccccccccccc"
local T0 = 1772445600000 -- 2026-03-02T10:00:00Z

local function at(seconds)
  return ("2026-03-02 %02d:%02d:%02d,%03d"):format(10 + seconds // 3600, seconds % 3600 // 60,
    math.floor(seconds) % 60, math.floor(seconds * 1000 + 0.5) % 1000)
end

local function line(seconds, thread, logger, message, level)
  return ("%s %-5s [%s] %s: %s\n"):format(at(seconds), level or "INFO", thread, logger, message)
end

local function flush(seconds, thread, region, bytes, ms)
  return line(seconds, thread, "regionserver.HRegion",
    ("Finished flush of dataSize ~1 MB/%d, heapSize ~1 MB/%d, currentSize=0 B/0 for %s in %dms, "
      .. "sequenceid=9, compaction requested=false"):format(bytes or 1000, bytes or 1000, region,
      ms or 500))
end

local function opened(seconds, encoded, name)
  return line(seconds, "RS_OPEN_REGION-1", "handler.AssignRegionHandler",
    ("Opened %s,,1700000000000.%s."):format(name, encoded))
end

local function busy(seconds, encoded)
  return line(seconds, "RpcServer.default.handler=1", "regionserver.HRegion",
    "Region is too busy due to exceeding memstore size limit.", "WARN")
    .. "org.apache.hadoop.hbase.RegionTooBusyException: Over memstore limit=8.0 M, regionName="
    .. encoded .. ", server=h,16020,1700000000000\n\tat org.apache.hadoop.hbase.X.y(X.java:1)\n"
end

local function delayed(seconds, encoded)
  return line(seconds, "MemStoreFlusher.0", "regionserver.MemStoreFlusher",
    encoded .. " has too many store files(17); delaying flush up to 90000 ms", "WARN")
end

-- A case of { server = log }.
local function make(logs)
  local c = assert(core.open())
  local names = {}
  for server in pairs(logs) do names[#names + 1] = server end
  table.sort(names)
  for _, server in ipairs(names) do
    assert(c:import_bytes(logs[server], { name = server .. "/rs.log", server = server,
      zone = "UTC" }))
  end
  return case.wrap(c, "test")
end

local function context(c)
  return { case = c, width = 80, verbose = false, coverage = { unread = {}, notes = {} } }
end

local function text_of(c, given, unfolded)
  local out = {}
  local filter = assert(events.filter(c, given or {}))
  timeline.write(context(c), events.each(c, filter), function(s) out[#out + 1] = s end, unfolded)
  return table.concat(out)
end

local function sums(c, given)
  return summary.collect(c, assert(events.filter(c, given or {})))
end

local function causes(d)
  local t = {}
  for name, row in pairs(d.flushes.causes) do
    if row.count > 0 then t[name] = row.count end
  end
  return t
end

local function hbdx(words)
  local pipe = assert(io.popen(BIN .. " events -q " .. words .. " 2>&1 </dev/null; echo $?"))
  local out, status = pipe:read("a"):match("^(.-)(%d+)\n$")
  pipe:close()
  return out, tonumber(status)
end

local function file_of(bytes)
  local path = scratch.name()
  local f = assert(io.open(path, "w"))
  f:write(bytes)
  f:close()
  return path
end

describe("the timeline", function()
  it("folds a flood by kind, server and table, whatever else happens between", function()
    local one, two = opened(0, A, "t1") .. opened(0, B, "t2"), opened(0, C, "t1")
    for i = 1, 30 do
      one = one .. busy(i, A) .. busy(i, B) .. (i == 15 and delayed(i, A) or "")
      two = two .. busy(i, C)
    end
    local c = make { one = one, two = two }
    local out = text_of(c, { kind = "region_too_busy,flush_delayed" })
    local _, n = out:gsub("region_too_busy", "")
    assert.equal(3, n)
    assert.matches("10:00:01.000  one  region_too_busy x 30 until 10:00:30.000, t1,", out)
    assert.matches("one  region_too_busy x 30 until 10:00:30.000, t2,", out)
    assert.matches("two  region_too_busy x 30 until 10:00:30.000, t1,", out)
    assert.matches("10:00:15.000  one  flush_delayed, t1, " .. A, out)
    for row in out:gmatch "[^\n]+" do assert.is_true(#row <= 80, row) end
    c:close()
  end)

  it("begins a new line after a minute's silence, and none with --each", function()
    local log = opened(0, A, "t1") .. busy(1, A) .. busy(61, A) .. busy(122, A)
    local c = make { one = log }
    local out = text_of(c, { kind = "region_too_busy" })
    assert.matches("x 2 until 10:01:01", out)
    assert.matches("10:02:02.000  one  region_too_busy, t1", out)
    assert.is_nil(text_of(c, { kind = "region_too_busy" }, true):find " x %d")
    c:close()
  end)

  it("does not take regions of unknown tables for one table", function()
    local log = busy(1, A) .. busy(2, B) .. busy(3, A)
    local c = make { one = log }
    local out = text_of(c)
    assert.matches("x 2 until 10:00:03.000, %(table unknown%),\n +" .. A, out)
    assert.matches("10:00:02.000  one  region_too_busy, %(table unknown%),", out)
    c:close()
  end)

  it("escapes what logs say", function()
    local log = line(1, "main", "regionserver.HRegionServer",
      "***** ABORTING region server h,16020,1: \27[2Jred \226\128\174x *****", "ERROR")
    local c = make { one = log }
    local out = text_of(c)
    assert.is_nil(out:find("\27", 1, true))
    assert.is_nil(out:find("\226\128\174", 1, true))
    assert.matches("abort", out)
    c:close()
  end)

  it("puts events without a time last, and says what a time leaves out", function()
    local c = make { one = delayed(5, A), two = delayed(9, B) }
    local e = { t_ms = nil, kind = "slept", server_id = 1, source_id = 1, f = {}, line = 3 }
    local list = { { t_ms = T0, kind = "slept", server_id = 1, source_id = 1, f = {}, line = 1 }, e,
      { kind = "slept", server_id = 1, source_id = 1, f = { slept_ms = 4 }, line = 4 } }
    local out, i = {}, 0
    timeline.write(context(c), function()
      i = i + 1
      return list[i]
    end, function(s) out[#out + 1] = s end)
    assert.matches("2026%-03%-02 UTC\n10:00:00.000.-\n\nwithout a time\n%- +one  slept x 2",
      table.concat(out))
    c:close()
  end)

  it("holds an hour's flood of many thousand lines in one", function()
    local log = { opened(0, A, "t1") }
    for i = 1, 20000 do log[#log + 1] = busy(1 + i / 10, A) end
    local c = make { one = table.concat(log) }
    assert.matches("x 20,000 until 10:33:21.000", text_of(c))
    assert.equal(20000, sums(c).stalls.refused)
    c:close()
  end)
end)

describe("the choice of events", function()
  local log = opened(0, A, "ns:t1") .. busy(1, A) .. busy(2, B) .. delayed(3, A) .. delayed(400, A)

  it("goes by kind, table, server and time", function()
    local c = make { one = log, two = opened(0, C, "t9") .. delayed(9, C) }
    local function n(given)
      return events.count(c, assert(events.filter(c, given))).n
    end
    assert.equal(7, n {})
    assert.equal(3, n { kind = "flush_*" })
    assert.equal(5, n { kind = "flush_delayed,region_too_busy" })
    assert.equal(4, n { table = "ns:*" })
    assert.equal(2, n { server = "tw?" })
    local count = events.count(c, assert(events.filter(c, { table = "ns:t1" })))
    assert.equal(1, count.left_out_tableless)
    c:restrict(T0 + 3000, T0 + 9000)
    assert.equal(2, n {})
    c:restrict(nil, nil, { from_ms = T0 + 300000, to_ms = T0 + 500000 })
    assert.equal(1, n {})
    c:close()
  end)

  it("names the mistake", function()
    local c = make { one = log }
    local _, message = events.filter(c, { kind = "flush_finish" })
    assert.matches("did you mean flush_finished%?", message)
    _, message = events.filter(c, { kind = "abort,pauze" })
    assert.matches("'pauze': did you mean pause%?", message)
    _, message = events.filter(c, { kind = "slow_cal" })
    assert.matches("did you mean slow_call%?", message)
    _, message = events.filter(c, { server = "three" })
    assert.matches("there is one", message)
    assert.is_nil((events.filter(c, { kind = "" })))
    c:close()
  end)
end)

describe("jsonl", function()
  it("is an object for each event, nothing folded, unknown as null", function()
    local c = make { one = busy(1, A) .. busy(2, A) .. opened(3, B, "t2") .. flush(4, "x", B, 77) }
    local list = {}
    for e in events.each(c, assert(events.filter(c, {}))) do
      local s = events.json_line(e)
      assert.equal(1, select(2, s:gsub("\n", "")))
      list[#list + 1] = assert(json.decode(s))
    end
    assert.equal(4, #list)
    assert.equal("region_too_busy", list[1].kind)
    assert.equal("2026-03-02T10:00:01.000Z", list[1].time)
    assert.equal("one", list[1].server)
    assert.equal("h,16020,1700000000000", list[1].named_server)
    assert.equal(json.null, list[1].table)
    assert.equal(A, list[1].region)
    assert.equal("one/rs.log", list[1].file)
    assert.equal(1, list[1].line)
    assert.equal("t2", list[4].table)
    assert.equal("t2,,1700000000000." .. B .. ".", list[4].region)
    assert.equal(77, list[4].data_bytes)
    c:close()
  end)

  it("has calls only where they are asked for", function()
    local slow = line(5, "RpcServer.handler=1", "ipc.RpcServer",
      '(responseTooSlow): {"call":"Get(a.b.ClientProtos$GetRequest)","starttimems":1772445601000,'
      .. '"responsesize":10,"method":"Get","processingtimems":4000,"client":"10.0.0.9:5000",'
      .. '"queuetimems":3,"class":"HRegionServer"}', "WARN")
    local c = make { one = slow .. delayed(6, A) }
    local function kinds(given)
      local list = {}
      for e in events.each(c, assert(events.filter(c, given))) do
        list[#list + 1] = e.kind .. " " .. (e.f.proc_ms or "")
      end
      return list
    end
    assert.same({ "flush_delayed " }, kinds {})
    assert.same({ "slow_call 4000", "flush_delayed " }, kinds { calls = true })
    assert.same({ "slow_call 4000" }, kinds { calls = true, kind = "pause" })
    assert.same({ "slow_call 4000" }, kinds { kind = "slow_call" })
    assert.same({ "slow_call 4000", "flush_delayed " }, kinds { kind = "slow_call,flush_*" })
    c:close()
  end)
end)

describe("the cause of a flush", function()
  local FLUSHER, CHORE = "MemStoreFlusher.0", "rs.Chore.1"

  local function wals(seconds, targets, n)
    return line(seconds, "rs.logRoller", "wal.AbstractFSWAL",
      ("Too many WALs; count=33, max=32; forcing (partial) flush of %d region(s): %s"):format(n,
        targets))
  end

  local function pressure(seconds, thread, region, mark)
    return line(seconds, thread, "regionserver.MemStoreFlusher",
      ("Flush of region t,,1700000000000.%s. due to global heap pressure. Flush type=%s, Total "
        .. "Memstore Heap size=4.0 G, Total Memstore Off-Heap size=0, Region memstore size=60.0 M")
        :format(region, mark))
  end

  local function chore(seconds, region)
    return line(seconds, CHORE, "regionserver.HRegionServer",
      ("MemstoreFlusherChore requesting flush of t,,1700000000000.%s. because %s/d has an old edit "
        .. "so flush to free WALs after random delay 120000 ms"):format(region, region))
  end

  local function check(wanted, log, from_ms, to_ms)
    local c = make { one = log }
    c:restrict(from_ms, to_ms)
    assert.same(wanted, causes(sums(c)))
    c:close()
  end

  it("is the size where the flusher says nothing else", function()
    check({ size = 2 }, flush(1, FLUSHER, A) .. flush(2, "regionserver60020.cacheFlusher", B))
  end)

  it("is the WAL count for the listed regions, once", function()
    check({ wal_count = 2, size = 2 }, wals(1, A .. "[d,m]," .. B .. "[d]", 2)
      .. flush(5, FLUSHER, A) .. flush(6, FLUSHER, C) .. flush(7, FLUSHER, B)
      .. flush(9, FLUSHER, A))
  end)

  it("is not what came while the flush ran", function()
    check({ size = 1, wal_count = 1 }, wals(4, A, 1) .. flush(5, FLUSHER, A, 1, 2000)
      .. flush(9, FLUSHER, A, 1, 2000))
  end)

  it("is not told for others when the list was cut", function()
    check({ wal_count = 1, unknown = 1, size = 1 }, wals(1, A, 300) .. flush(5, FLUSHER, A)
      .. flush(6, FLUSHER, B) .. flush(90, FLUSHER, B))
  end)

  it("is periodic for a while after the chore has asked", function()
    check({ periodic = 1, size = 2 }, chore(1, A) .. flush(100, FLUSHER, B)
      .. flush(200, FLUSHER, A) .. flush(300, FLUSHER, A))
    check({ size = 1 }, chore(1, A) .. flush(3000, FLUSHER, A))
  end)

  it("is pressure only on the thread that picked the region", function()
    check({ pressure_lower = 1, pressure_upper = 1, size = 1 },
      pressure(1, FLUSHER, A, "ABOVE_ONHEAP_LOWER_MARK") .. flush(2, FLUSHER, A, 1, 500)
      .. pressure(3, "MemStoreFlusher.1", B, "ABOVE_OFFHEAP_HIGHER_MARK")
      .. flush(4, "MemStoreFlusher.1", B) .. pressure(5, "MemStoreFlusher.1", C,
        "ABOVE_ONHEAP_LOWER_MARK") .. flush(6, FLUSHER, C))
    check({ pressure = 1 }, line(1, FLUSHER, "regionserver.MemStoreFlusher",
      "Flush of region t,,1." .. A .. ". due to global heap pressure") .. flush(2, FLUSHER, A))
  end)

  it("is what the thread does", function()
    check({ close = 2, snapshot = 1, procedure = 1, open = 1, admin = 1, unknown = 2 },
      flush(1, "RS_CLOSE_REGION-regionserver/h:16020-0", A)
      .. flush(2, "rs(h,16020,1)-snapshot-pool-0", A)
      .. flush(3, "RS_FLUSH_OPERATIONS-regionserver/h:16020-0", A)
      .. flush(4, "RS_OPEN_REGION-regionserver/h:16020-1", A)
      .. line(5, "RpcServer.handler=3", "regionserver.RSRpcServices",
        "Flushing t,,1700000000000." .. A .. ".") .. flush(6, "RpcServer.handler=3", A)
      .. flush(7, "RpcServer.handler=4", A)
      .. line(8, "splitter", "regionserver.HRegion", "Running close preflush of " .. B)
      .. flush(9, "splitter", B) .. flush(10, "M:0;h:16000", C))
  end)

  it("is the close that follows on the same thread", function()
    local closed = line(3, "odd", "regionserver.HRegion", "Closed t,,1700000000000." .. A .. ".")
    check({ close = 1 }, flush(2, "odd", A) .. closed)
    check({ unknown = 1 }, flush(2, "other", A) .. closed)
  end)

  it("may stand before the time that is asked for", function()
    check({ wal_count = 1 }, wals(1, A, 1) .. flush(5, FLUSHER, A) .. flush(50, FLUSHER, A),
      T0 + 3000, T0 + 10000)
  end)

  it("is of one server", function()
    local c = make { one = wals(1, A, 1), two = flush(5, FLUSHER, A) }
    assert.same({ size = 1 }, causes(sums(c)))
    c:close()
  end)

  it("reads lists of regions", function()
    assert.same({ A, B, "1588230740" }, cause.targets(A .. ", " .. B .. ", 1588230740"))
    assert.same({ A, B }, cause.targets(A .. "[cafe,d1]," .. B .. "[" .. ("d"):rep(32) .. "]"))
  end)
end)

describe("the summary", function()
  local function store(seconds, thread, encoded, extra)
    return line(seconds, thread, "regionserver.HStore",
      ("Completed%s compaction of 3 (all) file(s) in %s/d of %s into f1(size=30.0 M), total size "
        .. "for store is 30.0 M. This selection was in queue for 2sec, and took 4sec to execute.")
        :format(extra or "", encoded, encoded))
  end
  local function start(seconds, thread, encoded)
    return line(seconds, thread, "regionserver.HStore", ("Starting compaction of [hdfs://n/hbase/"
      .. "data/default/t/%s/d/f1, hdfs://n/hbase/data/default/t/%s/d/f2] into tmpdir=hdfs://n/x, "
      .. "totalSize=40.0 M"):format(encoded, encoded))
  end
  local function request(seconds, thread, encoded)
    return line(seconds, thread, "regionserver.CompactSplit",
      ("Completed compaction region=t,,1700000000000.%s., storeName=%s/d, priority=1, "
        .. "startTime=1772445600000; duration=4sec"):format(encoded, encoded))
  end

  it("counts the lines of one compaction once", function()
    local c = make { one = start(1, "long-0", A) .. store(5, "long-0", A, " major")
      .. request(5, "long-0", A) .. store(7, "short-0", B) .. request(7, "short-0", B)
      .. request(9, "short-0", C) .. start(10, "short-0", C) .. line(11, "short-0",
        "regionserver.CompactSplit", "Aborted compaction region=t,,1700000000000." .. C
        .. "., storeName=" .. C .. "/d, priority=1, startTime=1; duration=1sec")
      .. start(12, "short-0", C) }
    local d = sums(c)
    local t = d.compactions
    assert.same({ 3, 1, 2, 1 }, { t.count, t.major, t.told, t.unfinished })
    assert.same({ 2, 4000 }, { t.queue_ms.n, t.queue_ms.sum })
    assert.same({ 1, 40 << 20 }, { t.input_bytes.n, t.input_bytes.sum })
    assert.same({ 2, 60 << 20 }, { t.output_bytes.n, t.output_bytes.sum })
    assert.equal(4000, t.rated_ms.sum)
    assert.equal(1, d.n.compaction_failed)
    assert.equal(3, d.by_server[c:servers()[1].id].compactions)
    c:close()
  end)

  it("measures stalls as spans: handlers that wait together wait once", function()
    local log = {}
    local function say(seconds, handler, message, level)
      log[#log + 1] = line(seconds, "handler=" .. handler, "regionserver.MemStoreFlusher", message,
        level)
    end
    for handler = 1, 5 do
      say(10 + handler / 10, handler,
        "Blocking updates: global memstore heapsize 4.0 G is >= blocking 4.0 G")
    end
    for handler = 1, 5 do
      say(15 + handler / 10, handler, "Memstore is above high water mark and block 5000 ms",
        "WARN")
    end
    for handler = 1, 5 do
      say(20 + handler / 10, handler, "Unblocking updates for server h,16020,1")
    end
    local c = make { one = table.concat(log) }
    local d = sums(c)
    assert.equal(1, #d.stalls.groups)
    assert.equal(10400, d.stalls.groups[1].ms) -- from 10.1 to 20.5
    assert.equal(10, d.stalls.groups[1].blocked)
    c:close()
  end)

  it("takes what lines without a time tell themselves, and knows nothing else of them", function()
    local flusher = "regionserver.MemStoreFlusher: "
    local first = flusher .. "Blocking updates on h,16020,1: the global memstore size 1.3 G is >= "
      .. "than blocking 1.3 G size\n"
    local c = make { one = first .. flusher
      .. "Memstore is above high water mark and block 528ms\n" }
    assert.equal(528, sums(c).stalls.groups[1].ms)
    c:close()
    c = make { one = first }
    assert.is_nil(sums(c).stalls.groups[1].ms)
    c:close()
  end)

  it("measures a delayed flush to its begin, and refusals by their silence", function()
    local c = make { one = delayed(10, A) .. busy(15, A) .. busy(40, A)
      .. flush(60.5, "x", A, 9, 500) .. busy(100, A) .. busy(131, A) .. busy(140, A)
      .. delayed(200, B) }
    local g = sums(c).stalls.groups
    assert.same({ 59000, 5, 1 }, { g[1].ms, g[1].refused, g[1].delayed })
    assert.same({ B, 0 }, { g[2].encoded, g[2].ms })
    c:close()
  end)

  it("takes the servers' refusals before the clients' of the same", function()
    local client = line(1, "app", "client.AsyncProcess", "failed: org.apache.hadoop.hbase."
      .. "RegionTooBusyException: Over memstore limit=8.0 M, regionName=" .. A
      .. ", server=h,16020,1")
    local c = make { one = busy(1, A), app = client }
    local s = sums(c).stalls
    assert.same({ 1, 1, 1 }, { s.refused, s.refused_seen_by_clients, #s.groups })
    c:close()
    c = make { app = client }
    s = sums(c).stalls
    assert.same({ 0, 1, 1 }, { s.refused, s.refused_seen_by_clients, s.groups[1].refused })
    c:close()
  end)

  it("counts a pause once, and huge numbers without wrapping around", function()
    local pause = line(60, "JvmPauseMonitor", "util.JvmPauseMonitor", "Detected pause in JVM or "
      .. "host machine (eg GC): pause of approximately 4000ms", "WARN")
      .. "GC pool 'ParNew' had collection(s): count=1 time=4100ms\n"
    local slept = line(60.1, "rs", "util.Sleeper", "We slept 7000ms instead of 3000ms, this is "
      .. "likely due to a long garbage collecting pause", "WARN")
    local big = math.maxinteger
    local c = make { one = pause .. slept .. flush(70, "MemStoreFlusher.0", A, big)
      .. flush(71, "MemStoreFlusher.0", B, big) }
    local d = sums(c)
    assert.same({ 1, 4000, 1 }, { d.pauses.count, d.pauses.total_ms, d.pauses.slept })
    assert.equal(1, d.pauses.by.ParNew.count)
    assert.is_true(d.flushes.bytes.sum > big)
    assert.equal(2, d.by_hour[T0].flushes)
    c:close()
  end)

  it("takes a collector's line and the monitor's for one pause", function()
    local pauses, joined = require "hbdx.events.pauses", require "hbdx.case.pauses"
    local gcs = { { t_ms = 100000, server_id = 1, f = { pause_ms = 4000, cause = "Full" } } }
    local monitors = { { t_ms = 104300, server_id = 1, f = { pause_ms = 4100, gc = "G1" } },
      { t_ms = 204300, server_id = 1, f = { pause_ms = 3000, gc = "none" } } }
    local fake = { pauses = function() return joined.joined(gcs, monitors) end,
      events = function() return {} end }
    local d, seen = pauses.new(), 0
    pauses.collect(fake, d, function() return true end, function() seen = seen + 1 end)
    -- of one pause that both tell, the longer time
    assert.same({ 2, 1, 7100, 4100, 2 }, { d.count, d.both, d.total_ms, d.max_ms, seen })
  end)
end)

describe("hbdx events", function()
  it("gives the documented exit statuses", function()
    local log = file_of(opened(0, A, "t1") .. busy(1, A))
    local empty = file_of "nothing that we know\n"
    local function status(words) return select(2, hbdx(words)) end
    assert.equal(0, status(log))
    assert.equal(0, status("--summary " .. log))
    assert.equal(0, status(empty))
    assert.equal(3, status(log .. " /nowhere/at/all"))
    for _, words in ipairs { "", "--kind x " .. log, "--server x " .. log, "--format json " .. log,
        "--summary --format jsonl " .. log, "--summary --kind pause " .. log,
        "--from yesterday " .. log, "--fromat " .. log, "--kind x /no/such" } do
      assert.equal(2, status(words), words)
    end
    os.remove(log)
    os.remove(empty)
  end)

  it("says that there is nothing, and what to get", function()
    local empty = file_of "nothing that we know\n"
    for _, words in ipairs { "", "--summary " } do
      local out = hbdx(words .. empty)
      assert.matches("^no events\n\nget the RegionServer logs", out)
    end
    local out = hbdx("--summary --format json " .. empty)
    assert.equal(0, json.decode(out).flushes.count)
    assert.equal("", (hbdx("--format jsonl " .. empty)))
    os.remove(empty)
  end)

  it("says what could not be read before all else, and nothing of what it has not seen", function()
    local log = file_of(opened(0, A, "t1"))
    for _, words in ipairs { "", "--summary " } do
      assert.equal("not read: /no/such: No such file or directory\n", (hbdx(words .. "/no/such")))
      assert.matches("^not read: /no/such: No such file or directory\n1 event, ",
        (hbdx(words .. "/no/such " .. log)))
    end
    assert.equal("hbdx: /no/such: No such file or directory\n",
      (hbdx "--format jsonl /no/such"))
    os.remove(log)
  end)

  it("goes over midnight by clock times, and says of what time it tells", function()
    local log = file_of(opened(14 * 3600 - 60, B, "t1"):gsub("2026%-03%-02", "2026-03-01")
      .. opened(0, A, "t1"))
    local out, status = hbdx("--log-tz UTC --from 23:30 --to 00:30 " .. log)
    assert.equal(0, status)
    assert.equal("only what is after 2026-03-01 23:30:00 UTC and before 2026-03-02 00:30:00 UTC is "
      .. "looked at 1 event, 2026-03-01 23:59:00 UTC", (out:match "^.-UTC\n\n":gsub("%s+", " ")
      :gsub(" $", "")))
    local _, said = out:gsub("only what is", "")
    assert.equal(1, said)
    out, status = hbdx(("--from '2026-03-02 10:00' --to '2026-03-02 09:00' %s"):format(log))
    assert.equal(2, status)
    assert.equal("hbdx: --from 2026-03-02 10:00 is not before --to 2026-03-02 09:00\n", out)
    os.remove(log)
  end)

  it("keeps the place of an event whole", function()
    local log = file_of(opened(0, A, "t1"))
    local long = log .. ("-long"):rep(20) .. " name.log"
    assert(os.rename(log, long))
    local out = hbdx(("-v '%s'"):format(long))
    assert.truthy(out:find(("(%s:1)\n"):format(long), 1, true), out)
    assert.truthy(out:find(("source  %s:\n"):format(long), 1, true)
      or out:find((" %s:\n"):format(long), 1, true), out)
    os.remove(long)
  end)

  it("sums up as JSON what it sums up as text", function()
    local log = file_of(opened(0, A, "t1") .. delayed(1, A) .. busy(2, A)
      .. flush(9, "MemStoreFlusher.0", A, 5 << 20))
    local out = hbdx("--summary --log-tz UTC " .. log)
    assert.matches("memstore size +1 +5.0 MiB +5.0 MiB +500 ms", out)
    assert.matches("delayed +1 flush, by .*refused +1 write, over", out)
    for row in out:gmatch "[^\n]+" do assert.is_true(#row <= 80, row) end
    local d = json.decode((hbdx("--summary --format json --log-tz UTC " .. log)))
    assert.equal("size", d.flushes.causes[1].cause)
    assert.equal(5 << 20, d.flushes.causes[1].bytes)
    assert.equal(7500, d.stalls.groups[1].stalled_ms)
    assert.equal(1, d.hours[1].refused)
    assert.equal("2026-03-02T10:00:00.000Z", d.hours[1].hour)
    assert.equal(1, d.kinds.flush_finished)
    os.remove(log)
  end)
end)

--- Rotated logs: what is one of them by name, in which order it is read, and that its pieces give
-- the records of the whole.
local import = require "hbdx.import"
local scratch = require "scratch"
local sets = require "hbdx.import.sets"

local E = "0123456789abcdef0123456789abcde"

local function shell(fmt, ...)
  assert(os.execute(fmt:format(...)))
end

local function put(path, text)
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
end

local function with_folder(fn)
  local dir = scratch.folder()
  local ok, message = pcall(fn, dir)
  shell("rm -rf '%s'", dir)
  assert(ok, message)
end

local function stamp(s)
  return ("2026-11-30 %02d:%02d:%02d,000 "):format(20 + s // 3600, s // 60 % 60, s % 60)
end

local function flush(s, encoded)
  return stamp(s) .. "INFO  [MemStoreFlusher.0] regionserver.HRegion: Finished flush of dataSize "
    .. "~4 MB/4194304, heapSize ~4 MB/4194304, currentSize=0 B/0 for " .. encoded
    .. " in 12ms, sequenceid=3, compaction requested=false\n"
end

--- Seconds from 20:00 on by a clock that is an hour east of UTC.
local function call(s, more)
  return stamp(s) .. ('WARN  [h=1] ipc.RpcServer: (responseTooSlow): {"call":"Scan(x)",%s'
    .. '"starttimems":%d,"responsesize":12,"method":"Scan","param":"region= t1,a,1.%s0., row=x",%s'
    .. '"processingtimems":500,"client":"10.0.0.%d:50","queuetimems":0,"class":"HRegionServer"}\n')
    :format(more, 1796065200000 + s * 1000 - 500, E, more, s % 200)
end

local function serving(s, host)
  return stamp(s) .. ("INFO  [main] regionserver.HRegionServer: Serving as %s,16020,%d, RpcServer "
    .. "on %s/10.0.0.9:16020, sessionid=0x1\n"):format(host, 1796065200000 + s * 1000 - 3000, host)
end

--- A log in which much hangs together: records over many lines, regions named late.
local function whole_log()
  local out = { serving(0, "rs1") }
  for i = 1, 4 do
    local s = i * 60
    out[#out + 1] = stamp(s) .. "INFO  [MemStoreFlusher.0] regionserver.HRegion: Flushing " .. E
      .. i .. " 1/1 column families, dataSize=4.00 MB heapSize=4.00 MB\n"
    out[#out + 1] = flush(s + 1, E .. i)
    out[#out + 1] = flush(s + 1, E .. i) -- the same again
    out[#out + 1] = call(s + 2, "")
    out[#out + 1] = call(s + 3, "\n")
    out[#out + 1] = stamp(s + 4) .. "WARN  [h=2] regionserver.HRegion: Region is too busy due to "
      .. "exceeding memstore size limit.\norg.apache.hadoop.hbase.RegionTooBusyException: Over "
      .. "memstore limit=8.0 M, regionName=" .. E .. i .. ", server=rs1,16020,1796065197000\n"
      .. "\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)\n"
    out[#out + 1] = stamp(s + 5) .. "INFO  [x] mapreduce.Job: Counters\n\tROWS_SCANNED=700\n"
      .. "\tRPC_CALLS=8\n"
    out[#out + 1] = stamp(s + 6) .. "INFO  [RS_OPEN_REGION-1] handler.AssignRegionHandler: Opened "
      .. "t" .. i .. ",,1700000000000." .. E .. i .. ".\n"
    out[#out + 1] = stamp(s + 7) .. "WARN  [j] util.JvmPauseMonitor: Detected pause in JVM or host "
      .. "machine (eg GC): pause of approximately 2345ms\nGC pool 'ParNew' had collection(s): "
      .. "count=2 time=310ms\n"
  end
  return table.concat(out)
end

local QUERIES = {
  [[SELECT e.t_ms, e.kind, e.region, e.encoded, e.table_name, e.thread, e.fields, e.record_hash,
    v.name AS server FROM event e LEFT JOIN server v ON v.id = e.server_id
    ORDER BY e.t_ms, e.kind, e.record_hash]],
  [[SELECT c.start_ms, c.method, c.client, c.proc_ms, c.table_name, c.region, c.thread,
    v.name AS server FROM call c LEFT JOIN server v ON v.id = c.server_id
    ORDER BY c.start_ms, c.client]],
  "SELECT scanned, rpcs FROM scan ORDER BY t_ms",
  "SELECT encoded, name, table_name FROM region ORDER BY encoded",
  "SELECT sum(lines) AS lines, sum(records) AS records, sum(skipped) AS skipped FROM source",
}

local function records(dir)
  local case, coverage = import.open { dir }
  assert(case, coverage)
  local out = {}
  for i, sql in ipairs(QUERIES) do out[i] = case:rows(sql) end
  case:close()
  return out, coverage
end

local function lines_of(text)
  local lines = {}
  for line in text:gmatch("[^\n]*\n") do lines[#lines + 1] = line end
  return lines
end

--- Pieces of a log, cut behind these lines; the names are of the oldest first.
local function put_pieces(dir, lines, cuts, names)
  local from = 1
  for i, name in ipairs(names) do
    local to = cuts[i] or #lines
    put(dir .. "/" .. name, table.concat(lines, "", from, to))
    from = to + 1
  end
end

describe("a name", function()
  it("is that of the log and what rotation added to it", function()
    local function read(name) return (sets.read_name(name)) end
    for _, name in ipairs { "a.log", "a.log.1", "a.log.12.gz", "a.log.2026-11-29",
      "a.log.2026-11-29-14", "a.log.2026-11-29-14.zst", "a.log-20261129", "a.log-20261129.gz",
      "a.log.2026-11-29.1", "a-2026-11-29-3.log.gz", "a.log.gz", "a.log.20261129-1400" } do
      assert.equal("a.log", read(name), name)
    end
    assert.equal("rs-10.0.0.1.log", read "rs-10.0.0.1.log")
    assert.equal("b.log", read "b.log.3")
  end)

  it("says what is older", function()
    local names = { "a.log.2026-11-28", "a.log.2026-11-29-03", "a.log.2026-11-29-14.gz",
      "a.log-20261130", "a.log.10", "a.log.9", "a.log.1.gz", "a.log" }
    local last = ""
    for _, name in ipairs(names) do
      local _, place = sets.read_name(name)
      assert.truthy(last < place, name)
      last = place
    end
  end)
end)

describe("a rotated log", function()
  it("gives what the log gives, wherever it was cut", function()
    local lines = lines_of(whole_log())
    with_folder(function(dir)
      shell("mkdir -p '%s/rs'", dir)
      put(dir .. "/rs/rs.log", table.concat(lines))
      local want = records(dir .. "/rs")
      assert.equal(8, #want[2])
      for cut = 1, #lines - 1 do
        shell("rm -rf '%s/rs'; mkdir -p '%s/rs'", dir, dir)
        put_pieces(dir .. "/rs", lines, { cut, math.min(cut + 5, #lines - 1) },
          { "rs.log.2026-11-29", "rs.log.1", "rs.log" })
        assert.same(want, records(dir .. "/rs"), "cut behind line " .. cut)
      end
    end)
  end)

  it("may be packed in parts", function()
    local lines = lines_of(whole_log())
    with_folder(function(dir)
      shell("mkdir -p '%s/a' '%s/b'", dir, dir)
      put(dir .. "/a/rs.log", table.concat(lines))
      put_pieces(dir .. "/b", lines, { 17, 18, 40 }, { "rs.log.3", "rs.log.2", "rs.log.1",
        "rs.log" })
      shell("gzip '%s/b/rs.log.3' '%s/b/rs.log.1'", dir, dir)
      assert.same(records(dir .. "/a"), records(dir .. "/b"))
    end)
  end)

  it("may go on with a long record, or with what is none", function()
    local frames = {}
    for i = 1, 3000 do frames[i] = ("\tat a.B.c%d(B.java:%d)\n"):format(i, i) end
    with_folder(function(dir)
      put(dir .. "/rs.log.2", serving(0, "rs1") .. stamp(1)
        .. "INFO  [x] a.B: where this is\n" .. table.concat(frames, "", 1, 1000))
      put(dir .. "/rs.log.1", table.concat(frames, "", 1001) .. flush(2, E .. "1") .. call(2, ""))
      put(dir .. "/rs.log", flush(3, E .. "2"))
      put(dir .. "/rs.log.9", "\0\1\2\255binary\0\n")
      local got, coverage = records(dir)
      assert.equal(3, #got[1])
      assert.equal(0, coverage.not_understood)
      assert.same({ dir .. "/rs.log.9" }, coverage.passed_names)
      for _, e in ipairs(coverage.entries) do
        if e.kind == "log" then assert.equal("rs1,16020", e.server) end
      end
      for threads = 1, 2 do
        local case, digest = import.open({ dir },
          { calls = { by = { "table" }, threads = threads } })
        assert.equal(1, digest.calls.core:digest { by = { "table" } }[1].calls)
        case:close()
      end
    end)
  end)

  it("is read by time where the names say another order, which is said", function()
    local lines = lines_of(whole_log())
    with_folder(function(dir)
      put_pieces(dir, lines, { 17, 40 }, { "rs.log.1", "rs.log.2", "rs.log.3" })
      local got, coverage = records(dir)
      assert.equal(8, #got[2])
      assert.equal(dir .. "/rs.log.1", coverage.entries[1].name)
      assert.truthy(table.concat(coverage.notes, "\n"):find("another order than their first lines",
        1, true))
    end)
  end)

  it("has copies that are counted once", function()
    local lines = lines_of(whole_log())
    with_folder(function(dir)
      shell("mkdir -p '%s/rs'", dir)
      put(dir .. "/rs/rs.log", table.concat(lines))
      local want = records(dir .. "/rs")
      put(dir .. "/rs/rs.log.1", table.concat(lines, "", 1, 23)) -- left behind by copytruncate
      shell("gzip -c '%s/rs/rs.log' > '%s/rs/rs.log.2.gz'", dir, dir)
      local got, coverage = records(dir .. "/rs")
      assert.same(want, got)
      assert.equal(2, coverage.duplicates)
      assert.truthy(table.concat(coverage.notes, "\n"):find("begins with the same lines", 1, true))
    end)
  end)

  it("gives the same digest of calls", function()
    local lines = lines_of(whole_log())
    with_folder(function(dir)
      put_pieces(dir, lines, { 6, 7, 40 }, { "rs.log.3", "rs.log.2", "rs.log.1", "rs.log" })
      for threads = 1, 2 do
        local case, coverage = import.open({ dir },
          { calls = { by = { "table", "method" }, threads = threads } })
        assert(case, coverage)
        local groups = coverage.calls.core:digest { by = { "table", "method" } }
        local calls = 0
        for _, g in ipairs(groups) do calls = calls + g.calls end
        assert.equal(8, calls)
        assert.equal(0, coverage.not_understood)
        assert.equal("rs1,16020", coverage.entries[4].server)
        case:close()
      end
    end)
  end)
end)

local function servers_of(dir)
  local case, coverage = import.open { dir }
  assert(case, coverage)
  local out = {}
  for _, e in ipairs(coverage.entries) do out[e.name:sub(#dir + 2)] = e.server end
  case:close()
  return out
end

describe("logs beside each other", function()
  it("are of the server that one piece of each tells", function()
    with_folder(function(dir)
      put(dir .. "/a.log.1", serving(0, "rs1") .. flush(10, E .. "1"))
      put(dir .. "/a.log", flush(20, E .. "1"))
      put(dir .. "/b.log.1", serving(0, "rs2") .. flush(10, E .. "2"))
      put(dir .. "/b.log", flush(20, E .. "2"))
      assert.same({ ["a.log.1"] = "rs1,16020", ["a.log"] = "rs1,16020", ["b.log.1"] = "rs2,16020",
        ["b.log"] = "rs2,16020" }, servers_of(dir))
    end)
  end)

  it("are not of one server where only one tells", function()
    with_folder(function(dir)
      put(dir .. "/rs-a.log", serving(0, "rs1") .. flush(10, E .. "1"))
      put(dir .. "/rs-b.log", flush(20, E .. "2"))
      put(dir .. "/rs-b.log.1", flush(10, E .. "2"))
      assert.same({ ["rs-a.log"] = "rs1,16020", ["rs-b.log"] = "rs-b", ["rs-b.log.1"] = "rs-b" },
        servers_of(dir))
    end)
  end)

  it("go by their folders where names are the same", function()
    with_folder(function(dir)
      for i = 1, 2 do
        shell("mkdir -p '%s/host%d'", dir, i)
        put(("%s/host%d/regionserver.log.1"):format(dir, i), (i == 1 and serving(0, "rs1") or "")
          .. flush(10, E .. i))
        put(("%s/host%d/regionserver.log"):format(dir, i), flush(20, E .. i))
      end
      assert.same({ ["host1/regionserver.log.1"] = "rs1,16020",
        ["host1/regionserver.log"] = "rs1,16020", ["host2/regionserver.log.1"] = "host2",
        ["host2/regionserver.log"] = "host2" }, servers_of(dir))
    end)
  end)

  it("are two where pieces by their names were written at the same time", function()
    with_folder(function(dir)
      put(dir .. "/rs.1", serving(0, "rs1") .. flush(10, E .. "1") .. flush(5000, E .. "1"))
      put(dir .. "/rs.2", flush(5, E .. "2") .. flush(5001, E .. "2"))
      local got = servers_of(dir)
      assert.equal("rs1,16020", got["rs.1"])
      assert.not_equal("rs1,16020", got["rs.2"])
    end)
  end)
end)

--- A night in which clocks are put back by an hour at 01:00 UTC; a flush every five minutes, whose
-- sequenceid is the second that it is in truth.
local CHANGE = 1792890000

local function night(with_calls)
  local time, lines = require "hbdx.core.time", {}
  for i = -20, 20 do
    local s = CHANGE + i * 300
    local clock = time.format(s * 1000 + (i < 0 and 7200000 or 3600000))
    local at = clock:sub(1, 10) .. " " .. clock:sub(12, 19) .. ",000 "
    lines[#lines + 1] = at .. "INFO  [f.0] regionserver.HRegion: Finished flush of dataSize ~4 MB/"
      .. "4194304, heapSize ~4 MB/4194304, currentSize=0 B/0 for " .. E .. "1 in 12ms, sequenceid="
      .. s .. ", compaction requested=false\n"
    if with_calls and i % 8 == 0 then
      lines[#lines + 1] = at .. ('WARN  [h=1] ipc.RpcServer: (responseTooSlow): {"call":"Get(x)",'
        .. '"starttimems":%d,"responsesize":12,"method":"Get","processingtimems":0,'
        .. '"client":"10.0.0.1:50","queuetimems":0,"class":"HRegionServer"}\n'):format(s * 1000)
    end
  end
  return lines
end

local function misplaced(dir, zone)
  local case, coverage = import.open({ dir }, { zone = zone })
  assert(case, coverage)
  local n = case:rows([[SELECT count(*) AS n FROM event WHERE kind = 'flush_finished'
    AND t_ms / 1000 <> json_extract(fields, '$.sequence_id')]])[1].n
  case:close()
  return n, coverage
end

describe("a rotated log of the night in which clocks are put back", function()
  it("is placed right wherever it was cut", function()
    local lines = night(true)
    with_folder(function(dir)
      for cut = 1, #lines - 1 do
        put_pieces(dir, lines, { cut, math.min(cut + 5, #lines - 1) }, { "rs.log.2", "rs.log.1",
          "rs.log" })
        local n, coverage = misplaced(dir)
        assert.equal(0, n, "cut behind line " .. cut)
        assert.same({}, coverage.notes)
        if (require "hbdx.core.time").offset("Europe/Berlin", 0) then
          assert.equal(0, (misplaced(dir, "Europe/Berlin")), "zone, cut behind line " .. cut)
        end
      end
    end)
  end)

  it("shows its clock and how it was found", function()
    local case_of, sources = require "hbdx.case", require "hbdx.report.sources"
    with_folder(function(dir)
      put(dir .. "/rs.log", table.concat(night(true)))
      local core = assert(import.open { dir })
      local case = case_of.wrap(core, "x")
      local s = case:sources()[1]
      assert.equal("offset +02:00 until 2026-10-25 02:00:00 UTC+01:00, +01:00 from there; from 5 "
        .. "slow-call lines", sources.clock(case, s))
      assert.same({ flush_finished = 41 }, s.told.events)
      assert.equal(5, s.told.calls)
      assert.equal(1, s.told.steps_back)
      core:close()
    end)
  end)

  it("says what is in doubt", function()
    local lines = night(false)
    for _ = 1, 24 do table.remove(lines, 15) end -- from 01:50 by the old clock to 03:10 by the new
    table.insert(lines, 15, (night(false)[28]))  -- but for 02:35 by the new one
    with_folder(function(dir)
      if not (require "hbdx.core.time").offset("Europe/Berlin", 0) then return end
      put(dir .. "/rs.log", table.concat(lines))
      local n, coverage = misplaced(dir, "Europe/Berlin")
      assert.truthy(n > 0)
      assert.truthy(table.concat(coverage.notes, "\n"):find("nothing tells on which side", 1, true))
    end)
  end)
end)

describe("lines out of order", function()
  it("are counted, and do no harm to what hangs together", function()
    local case_of, events = require "hbdx.case", require "hbdx.events"
    local summary = require "hbdx.events.summary"
    local head = "INFO  [rs-shortCompactions-0] regionserver.HStore: "
    local region = E .. "1"
    local started = stamp(10) .. head .. ("Starting compaction of [hdfs://n/hbase/data/default/t/"
      .. "%s/d/f1, hdfs://n/hbase/data/default/t/%s/d/f2] into tmpdir=hdfs://n/x, "
      .. "totalSize=40.0 M\n"):format(region, region)
    local finished = stamp(12) .. head .. ("Completed compaction of 3 (all) file(s) in %s/d of %s "
      .. "into f1(size=30.0 M), total size for store is 30.0 M. This selection was in queue for "
      .. "2sec, and took 1sec to execute.\n"):format(region, region)
    with_folder(function(dir)
      put(dir .. "/rs.log", flush(5, E .. "1") .. finished .. started .. flush(9, E .. "2"))
      local core = assert(import.open { dir })
      local case = case_of.wrap(core, "x")
      local s = case:sources()[1]
      assert.equal(2, s.told.out_of_order)
      assert.equal(2000, s.told.out_of_order_ms)
      assert.equal(5000, (s.first_ms or 0) % 60000)
      assert.equal(12000, (s.last_ms or 0) % 60000)
      local d = summary.collect(case, assert(events.filter(case, {})))
      assert.equal(1, d.compactions.count)
      assert.equal(0, d.compactions.unfinished)
      assert.equal(41943040, d.compactions.input_bytes.sum) -- which the start alone tells
      core:close()
    end)
  end)

  it("come in order of time from several servers", function()
    local case_of, events = require "hbdx.case", require "hbdx.events"
    with_folder(function(dir)
      for i = 1, 2 do
        shell("mkdir -p '%s/host%d'", dir, i)
        local path, region = ("%s/host%d/rs.log"):format(dir, i), E .. i
        put(path .. ".1", flush(10 + i, region) .. flush(13 + i, region))
        put(path, flush(20 - i, region) .. flush(23 - i, region))
      end
      local core = assert(import.open { dir })
      local case, last, n, servers = case_of.wrap(core, "x"), 0, 0, {}
      for e in events.each(case, assert(events.filter(case, {}))) do
        assert.truthy(e.t_ms >= last)
        last, n, servers[e.server] = e.t_ms, n + 1, true
      end
      assert.equal(8, n)
      assert.same({ host1 = true, host2 = true }, servers)
      core:close()
    end)
  end)
end)

--- The digest of slow calls as people and machines see it, and compared with an earlier one, on
-- invented logs.
local compare = require "hbdx.slowlog.compare"
local hours = require "hbdx.slowlog.hours"
local json = require "hbdx.core.json"
local json_report = require "hbdx.slowlog.json"
local scratch = require "scratch"
local session = require "hbdx.session"
local slowlog = require "hbdx.slowlog"
local sys = require "hbdx.core.sys"
local text = require "hbdx.core.text"
local text_report = require "hbdx.slowlog.text"

local BIN = os.getenv "HBDX_BIN"
local DAY = 1772409600000 -- 2026-03-02T00:00Z
local REGION = "%s,,1700000000000.0123456789abcdef0123456789abcde%s."

local function run(command)
  local pipe = assert(io.popen(command .. "; echo \"status $?\"", "r"))
  local out = pipe:read "a"
  pipe:close()
  local body, status = out:match("^(.*)status (%d+)\n$")
  return body, tonumber(status)
end

local root = scratch.folder()

local function put(name, content) return scratch.put(root .. "/" .. name, content) end

-- A line of a slow call; its end is what the log's clock shows.
local function call(c)
  local param = c.param or c.table and ('region { type: REGION_NAME value: \\"%s\\" }'):format(
    REGION:format(c.table, c.region or "0")) or "scanner_id: 7 number_of_rows: 10"
  local ends = c.at + math.min(c.proc, 60000)
  return require("hbdx.core.time").format(ends):gsub("T", " "):gsub("%.", ","):gsub("Z", "")
    .. ' WARN  [RpcServer.handler=3] ipc.RpcServer: (responseTooSlow): {"call":"x",'
    .. ('"starttimems":"%d","responsesize":"%d","method":"%s","param":"%s",'):format(c.at,
      c.bytes or 100, c.method or "Get", param)
    .. ('"processingtimems":%d,"client":"%s:4711","queuetimems":%d,"class":"HRegionServer"}\n')
      :format(c.proc, c.client or "10.0.0.7", c.queue or 0)
end

-- n calls, a second apart.
local function calls(n, c)
  local list = {}
  for i = 1, n do
    list[i] = call(setmetatable({ at = (c.at or DAY) + i * 1000 }, { __index = c }))
  end
  return table.concat(list)
end

local function with(sources, given, fn)
  given["log-tz"] = "UTC"
  local s = assert(session.open(given, sources))
  local ctx = session.context(s, given)
  ctx.width, ctx.blocks = 80, true
  local by = given.by and assert(slowlog.parse_by(given.by))
  local d = slowlog.collect(s.case, { by = by, rank = given.rank })
  local result = fn(d, ctx)
  s.case:close()
  return result
end

local function digest(log, given)
  return with({ put("rs-1.log", log) }, given or {}, function(d) return d end)
end

local function shown(log, given, top)
  local out = with({ put("rs-1.log", log) }, given or {}, function(d, ctx)
    return text_report.render(d, ctx, top or 20)
  end)
  for line in out:gmatch("[^\n]+") do
    assert.is_true(text.width(line) <= 80, line)
    assert.is_nil(line:find("%c"), line)
  end
  return out
end

local function document(log, given)
  return json.decode((with({ put("rs-1.log", log) }, given or {}, function(d, ctx)
    return json_report.render(d, ctx)
  end)))
end

-- Two tables, one client of IPv6, a continuation without a table.
local MIXED = call { at = DAY + 3600000, table = "t1", proc = 900, queue = 5, bytes = 10 }
  .. call { at = DAY + 3660000, table = "t1", proc = 300, queue = 5, bytes = 10 }
  .. call { at = DAY + 7200000, table = "t2", proc = 400, queue = 50, bytes = 900,
            client = "[2001:db8::7]" }
  .. call { at = DAY + 5 * 3600000, method = "Scan", proc = 100, bytes = 5000 }

describe("the groups of a digest", function()
  it("go by table, method, client and shape, the costliest first", function()
    local d = digest(MIXED)
    assert.equal(4, d.calls)
    assert.equal(1700, d.proc_ms)
    local seen = {}
    for i, g in ipairs(d.groups) do
      seen[i] = ("%s %s %s %d"):format(g.table, g.method, g.client, g.calls)
    end
    assert.same({ "t1 Get 10.0.0.7 2", "t2 Get 2001:db8::7 1", "nil Scan 10.0.0.7 1" }, seen)
    local g = d.groups[1]
    assert.equal(1200 / 1700, g.share)
    assert.equal(2 / 60, g.per_s)
    assert.equal(900, g.worst.proc_ms)
    assert.matches("rs%-1%.log:1$", g.worst.place)
    assert.is_nil(d.groups[2].per_s)
  end)

  it("are ranked by what is asked, ties by their key", function()
    local function first(rank) return digest(MIXED, { rank = rank }).groups[1] end
    assert.equal(2, first("calls").calls)
    assert.equal("Scan", first("bytes").method)
    assert.equal("t2", first("queue").table)
    local tie = ""
    for _, name in ipairs { "c", "a", "b" } do
      tie = tie .. call { at = DAY, table = name, proc = 500 }
    end
    tie = tie .. call { at = DAY, proc = 500 }
    local names = {}
    for i, g in ipairs(digest(tie).groups) do names[i] = g.table or "unknown" end
    assert.same({ "a", "b", "c", "unknown" }, names)
  end)

  it("go by other names, also several", function()
    local by_hour = digest(MIXED .. call { at = DAY + 25 * 3600000, table = "t9", proc = 10 },
      { by = "hour" })
    assert.same({ 1, 2, 5 }, { by_hour.groups[1].hour, by_hour.groups[2].hour,
      by_hour.groups[3].hour })
    assert.equal(3, by_hour.groups[1].calls) -- 01:00 of both days
    local regions = digest(call { at = DAY, table = "t", region = "1", proc = 5 }
      .. call { at = DAY, table = "t", region = "2", proc = 6 }, { by = "region,table" })
    assert.equal("0123456789abcdef0123456789abcde2", regions.groups[1].region)
    assert.equal(2, #regions.groups)
    assert.equal(1, #digest(MIXED, { by = "user" }).groups)
    local by, message = slowlog.parse_by "table,clinet"
    assert.is_nil(by)
    assert.matches("did you mean client", message)
    assert.is_nil(slowlog.parse_by "")
    assert.same({ "user", "hour" }, slowlog.parse_by "user,hour,user")
  end)

  it("tell two servers apart", function()
    local a, b = put("a-regionserver-one.log", MIXED), put("b-regionserver-two.log",
      call { at = DAY, table = "t1", proc = 5 })
    local names = with({ a, b }, { by = "server" }, function(d)
      return { d.groups[1].server, d.groups[2].server, #d.groups }
    end)
    assert.equal(2, names[3])
    assert.not_equal(names[1], names[2])
  end)

  it("hold numbers as large as 64 bits, and a start that no calendar has", function()
    local most = math.maxinteger
    local line = call { at = DAY, table = "t", proc = 5, bytes = most }
    local log = line .. line:gsub('"starttimems":"%d+"', '"starttimems":"' .. most .. '"')
    local d = digest(log)
    assert.equal(DAY, d.groups[1].last_ms)
    assert.equal(most, document(log).groups[1].response_bytes.max)
  end)

  it("count calls whose times HBase cannot have written, but not the times", function()
    local longest <const> = 2147483647
    local function times(ms)
      return call { at = DAY, table = "t", proc = ms, queue = ms }
        .. call { at = DAY + 1, table = "t", proc = 10, queue = 1 }
    end
    local d = digest(times(longest))
    assert.same({ 2, longest + 10, 0 }, { d.calls, d.proc_ms, d.untimed })
    for _, ms in ipairs { longest + 1, math.maxinteger } do
      local log = times(ms)
      d = digest(log)
      assert.same({ 2, 10, 1 }, { d.calls, d.proc_ms, d.untimed })
      assert.same({ 10, 1, 2 }, { d.groups[1].proc_ms.max, d.groups[1].queue_ms.max,
        d.groups[1].calls })
      assert.matches("1 call tells no processing time that can be", (shown(log):gsub("%s+", " ")))
      assert.equal(1, document(log).untimed_calls)
      local out = run(("%s slowlog -q --log-tz UTC %s"):format(BIN, put("times.log", log)))
      assert.matches("^2 slow or large calls, 10 ms of processing", out)
      assert.matches("1 call tells no processing time that can be", (out:gsub("%s+", " ")))
    end
    os.remove(root .. "/times.log")
  end)
end)

local SCAN = [[scan { attribute { } %s cache_blocks: %s caching: %d } number_of_rows: 10]]
  .. [[ region { type: REGION_NAME value: \"t,,1700000000000.0123456789abcdef0123456789abcdef.\" }]]

local function scan(cache, caching, at)
  return call { at = at, method = "Scan", proc = 100,
    param = SCAN:format("", cache, caching) }
end

describe("the shape of scans", function()
  it("tears a group apart only where two of them contradict each other", function()
    local untold = call { at = DAY, method = "Scan", table = "t", proc = 100 }
    local one = digest(untold .. scan("false", 10, DAY + 1) .. scan("false", 10, DAY + 2))
    assert.equal(1, #one.groups)
    assert.equal(3, one.groups[1].calls)
    assert.equal(2, one.groups[1].shape_calls)
    assert.matches("caching 10, cache_blocks false", one.groups[1].shape)
    local hour_calls = 0
    for _, n in pairs(one.groups[1].hours) do hour_calls = hour_calls + n end
    assert.equal(3, hour_calls)
    local two = digest(untold .. scan("false", 10, DAY + 1) .. scan("true", 10, DAY + 2))
    assert.equal(3, #two.groups)
  end)

  it("is told in text and in JSON", function()
    local log = call { at = DAY, method = "Scan", table = "t", proc = 90 }
      .. scan("false", 10, DAY + 1)
    local flat = shown(log):gsub("%s+", " ")
    assert.truthy(flat:find("caching 10, cache_blocks false (told by 1 of 2 calls)", 1, true), flat)
    local g = document(log).groups[1]
    assert.equal(1, g.shape_calls)
    assert.equal(10, g.worst_call.scan.caching)
    assert.is_false(g.worst_call.scan.cache_blocks)
  end)
end)

describe("the digest in text", function()
  it("says who, how often, when, and where the worst stands", function()
    local out = shown(MIXED)
    assert.matches("\n   1   70%.6 %%         2  Get t1, client 10%.0%.0%.7\n", out)
    assert.matches("\n       seen           2026%-03%-02 01:00:00%-01:01:00 UTC, 2/min\n", out)
    assert.matches("\n       by hour        █%.%.%.%.\n", out)
    assert.matches("rs%-1%.log:1\n                      900 ms\n", out)
    assert.matches("\n1 call names no table", out)
  end)

  it("marks hours by digits where the terminal is not UTF-8", function()
    local row = assert(hours.row(DAY, DAY + 3 * 3600000, 0, 58))
    local first = DAY // 3600000
    assert.equal("▁..█", hours.marks(row, { [first] = 1, [first + 3] = 100 }, true))
    assert.equal("1009", hours.marks(row, { [first] = 1, [first + 3] = 100 }, false))
    local function locale(t) return hours.blocks(function(name) return t[name] end) end
    assert.is_true(locale { LANG = "de_DE.UTF-8" })
    assert.is_true(locale { LC_CTYPE = "C.utf8", LANG = "C" })
    assert.is_false(locale { LC_ALL = "C", LANG = "de_DE.UTF-8" })
    assert.is_false(locale {})
  end)

  it("finds room for any time, in hours of the cluster's zone", function()
    assert.is_nil(hours.row(nil, nil, 0, 58))
    assert.is_nil(hours.row(DAY, DAY + 1000, 0, 58))
    local half = 5.5 * 3600000 // 1 | 0
    assert.equal(2, hours.row(DAY + 1700000, DAY + 1900000, half, 58).n)
    for _, days in ipairs { 1, 3, 30, 4000, 2000000 } do
      local row = hours.row(DAY, DAY + days * 86400000, 0, 58)
      assert.is_true(row.n <= 58 and row.n >= 20, tostring(row.n))
      assert.is_true(row.from_ms <= DAY)
    end
  end)

  it("does not take what it cannot read for calm", function()
    assert.matches("nothing was read that could tell of slow calls: get ", shown "no log at all\n")
    assert.matches("empty", shown "")
  end)

  it("has something to say without a call, and with one", function()
    local none = shown "2026-03-02 00:00:00,000 INFO  [main] regionserver.HRegionServer: hello\n"
    assert.matches("^no slow or large call", none)
    local one = shown(call { at = DAY, table = "t", proc = 7 })
    assert.matches("^1 slow or large call, 7 ms", one)
    assert.is_nil(one:find("by hour", 1, true))
  end)

  it("escapes what is hostile, and stays within its columns", function()
    local evil = call { at = DAY, method = "Get\27[31m", proc = 5, table = ("w"):rep(200) }
    assert.matches("Get\\x1b%[31m", shown(evil))
    shown(evil, { by = "table,method,client,shape,user,server,region,hour" })
  end)

  it("shows as many groups as are asked for", function()
    local out = shown(MIXED, {}, 1)
    assert.matches("2 more groups: %-%-top N", out)
    assert.is_nil(out:find("\n   2 ", 1, true))
  end)
end)

describe("the digest in JSON", function()
  it("has the documented names, null for what is not told", function()
    local doc = document(MIXED)
    assert.equal(1, doc.schema_version)
    assert.equal(4, doc.calls)
    assert.is_table(doc.skipped)
    assert.is_nil(doc.compared)
    local g = doc.groups[1]
    for _, name in ipairs { "proc_ms", "queue_ms", "response_bytes" } do
      for _, figure in ipairs { "n", "sum", "p50", "p95", "max" } do
        assert.equal("integer", math.type(g[name][figure]))
      end
    end
    assert.same({ "t1", "Get", "10.0.0.7", 2 }, { g.table, g.method, g.client, g.calls })
    assert.equal(json.null, doc.groups[3].table)
    assert.equal("2026-03-02T01:00:00.000Z", g.first)
    assert.equal(1, g.worst_call.line)
    assert.is_nil(g.hours)
  end)

  it("keeps table, method and client when it is grouped by others", function()
    local g = document(MIXED, { by = "hour", rank = "calls" }).groups[1]
    assert.equal(json.null, g.table)
    assert.equal(1, g.hour)
  end)
end)

local state = root .. "/state.json"

-- Runs one digest against the saved one and saves it, as the command does.
local function since(log, given)
  given = given or {}
  local path = put("now.log", log)
  return with({ path }, given, function(d, ctx)
    local saved, message = compare.load(state, d.by)
    assert.is_nil(message)
    local compared = compare.diff(d, saved, state)
    assert(sys.write(state, compare.encode(d, 0)))
    local out = text_report.render(d, ctx, 20, compared)
    for line in out:gmatch("[^\n]+") do assert.is_true(text.width(line) <= 80, line) end
    return { compared = compared, text = out,
             doc = json.decode((json_report.render(d, ctx, compared))).compared }
  end)
end

local function counts(c)
  return { #c.new, #c.gone, #c.worse, #c.better, c.same }
end

describe("a digest since the last", function()
  before_each(function() os.remove(state) end)

  it("has nothing to compare with at first, and no change when nothing changed", function()
    local first = since(MIXED)
    assert.matches("is not there yet", first.text)
    assert.equal(json.null, first.doc.since)
    local again = since(MIXED)
    assert.same({ 0, 0, 0, 0, 3 }, counts(again.compared))
    assert.same({ 0, 0, 0, 0, 3 }, counts(again.doc))
    assert.equal(4, again.doc.since.calls)
  end)

  it("names what is new, gone, worse and better", function()
    local steady = calls(30, { table = "steady", proc = 100 })
    since(steady .. calls(30, { table = "slower", proc = 100 })
      .. calls(30, { table = "faster", proc = 900 }) .. calls(3, { table = "left", proc = 50 })
      .. calls(3, { table = "few", proc = 50 }))
    local now = since(steady .. calls(30, { table = "slower", proc = 250 })
      .. calls(30, { table = "faster", proc = 100 }) .. calls(3, { table = "came", proc = 50 })
      .. calls(3, { table = "few", proc = 5000 }))
    assert.same({ 1, 1, 1, 1, 2 }, counts(now.compared))
    assert.equal("came", now.doc.new[1].table)
    assert.equal("left", now.doc.gone[1].table)
    assert.equal("slower", now.doc.worse[1].table)
    assert.equal("faster", now.doc.better[1].table)
    assert.equal(2.5, now.doc.worse[1].p95_times)
    assert.equal(7500, now.doc.worse[1].now.proc_ms_sum)
    assert.matches("p95 100 ms %-> 250 ms %(2%.50 x%)", (now.text:gsub("%s+", " ")))
  end)

  it("says by what a group is worse, with both figures", function()
    local function of(n, proc) return calls(n, { table = "t", proc = proc }) end
    since(of(30, 100))
    local both = since(of(30, 250))
    assert.same({ "proc_ms_per_hour", "proc_ms_p95" },
      { both.doc.worse[1].decided_by[1].measure, both.doc.worse[1].decided_by[2].measure })
    since(of(30, 1000))
    local fewer = since(of(20, 2000)) -- 1.33 times the time: the p95 decides
    assert.same({ { measure = "proc_ms_p95", before = 1000, now = 2000, times = 2 } },
      fewer.doc.worse[1].decided_by)
    assert.matches("worse +Get t[^\n]*\n +by p95 1 s %-> 2 s %(2 x%); 30 %-> 20 calls, processing",
      fewer.text)
    local few = since(of(10, 20000)) -- too few for a p95
    assert.equal(1, #few.doc.worse[1].decided_by)
    assert.matches("by processing 40 min %-> 3%.3 h an hour %(5 x%); 20 %-> 10 calls, p95",
      (few.text:gsub("%s+", " ")))
  end)

  it("compares per hour of what was read", function()
    local one = { table = "t", proc = 100 }
    since(calls(100, one))
    local longer = since(calls(200, one))
    assert.same({ 0, 0, 0, 0, 1 }, counts(longer.compared))
    local denser = calls(200, one) .. calls(200, one):gsub("starttimems\":\"%d+", function(s)
      return s:sub(1, -2) .. "7"
    end):gsub(",000 WARN", ",007 WARN")
    assert.same({ 0, 0, 1, 0, 0 }, counts(since(denser).compared))
  end)

  it("knows a group whose shape is told in one of them only", function()
    local untold = call { at = DAY, method = "Scan", table = "t", proc = 100 }
    since(untold)
    local told = since(untold .. scan("false", 10, DAY + 1))
    assert.same({ 0, 0, 0, 0, 1 }, counts(told.compared))
  end)

  it("matches names that are no UTF-8", function()
    local odd = call { at = DAY, table = "t", method = "G\xff", proc = 5 }
    since(odd)
    assert.same({ 0, 0, 0, 0, 1 }, counts(since(odd).compared))
  end)

  it("refuses a file that is damaged, another's, or grouped otherwise", function()
    since(MIXED)
    local good = sys.read(state, 1 << 20)
    local function refused(content)
      put("state.json", content)
      local saved, message, code = compare.load(state, slowlog.usual)
      assert.is_nil(saved)
      assert.truthy(message and message:find(state, 1, true), content)
      return message, code
    end
    refused ""
    refused "null"
    refused "{}"
    refused "[1]"
    refused(good:sub(1, #good // 2))
    assert.matches("version 2", refused((good:gsub('"version": 1', '"version": 2'))))
    assert.matches("group 1", refused((good:gsub('"calls": 2,', '"calls": -2,'))))
    refused((good:gsub('"t1"', '{}')))
    refused((good:gsub('"first": "[^"]+"', '"first": "soon"')))
    put("state.json", good)
    assert.equal("usage", select(3, compare.load(state, { "user" })))
    assert.equal("io", select(3, compare.load(root, slowlog.usual)))
  end)
end)

describe("hbdx slowlog", function()
  local log = put("cli.log", MIXED)

  local function hbdx(words) return run(("%s slowlog -q %s 2>&1 </dev/null"):format(BIN, words)) end

  it("compares by --since-last, and keeps the file for its owner", function()
    local path = root .. "/cli.json"
    assert.equal(0, select(2, hbdx(("--since-last %s %s"):format(path, log))))
    local out, status = hbdx(("--since-last %s %s /no/such.log"):format(path, log))
    assert.equal(3, status)
    assert.matches("0 new, 0 worse, 0 better, 0 gone, 3 about", (out:gsub("%s+", " ")))
    assert.matches("^%-rw%-%-%-%-%-%-%-", (run("ls -l " .. path)))
    assert.equal(2, select(2, hbdx(("--by user --since-last %s %s"):format(path, log))))
    out, status = hbdx(("--since-last %s %s"):format(log, log))
    assert.equal(3, status)
    assert.matches("is no digest that %-%-since%-last wrote", out)
    assert.equal(MIXED, sys.read(log, 1 << 20))
    assert.equal(3, select(2, hbdx(("--since-last /no/such/dir %s"):format(log))))
  end)

  it("finds the calls of a log that begins like a configuration", function()
    local path = put("cli.log", "<14>1 2026-03-02T00:00:01.000Z rs-1 hbase 7 - - "
      .. call { at = DAY, proc = 100, table = "t" })
    assert.matches("^1 slow or large call, 100 ms", (hbdx(path)))
  end)

  it("says of a file that was named and is nothing it knows that it was passed over", function()
    local out, status = hbdx(put("cli.log", "all is well\n"))
    assert.equal(0, status)
    assert.matches("cli%.log: passed over: it is no log", (out:gsub("%s+", " ")))
    put("cli.log", MIXED)
  end)

  it("says what could not be read first, and writes no digest of nothing", function()
    local reason = "/no/such: No such file or directory\n"
    assert.equal("not read: " .. reason, (hbdx "/no/such"))
    assert.matches("^not read: " .. reason .. "4 slow or large calls", (hbdx("/no/such " .. log)))
    local path = root .. "/nothing.json"
    local out, status = hbdx(("--emit %s /no/such"):format(path))
    assert.same({ "hbdx: " .. reason, 3 }, { out, status })
    assert.is_nil(sys.stat(path))
    hbdx(("--since-last %s %s"):format(path, log))
    local before = sys.read(path, 1 << 20)
    out, status = hbdx(("--since-last %s /no/such"):format(path))
    assert.same({ "not read: " .. reason, 3 }, { out, status })
    assert.equal(before, sys.read(path, 1 << 20))
    os.remove(path)
  end)

  it("tells of settings only what decides which calls are logged", function()
    local site = '<configuration><property><name>%s</name><value>%d</value></property>'
      .. "<property><name>%s</name><value>%d</value></property></configuration>"
    local names = { "hbase.ipc.warn.response.time", "hbase.regionserver.handler.count" }
    local files = { put("a-site.xml", site:format(names[1], 10, names[2], 10)),
      put("b-site.xml", site:format(names[1], 20, names[2], 20)) }
    local out = hbdx(table.concat(files, " ") .. " " .. log)
    assert.matches("note: hbase.ipc.warn.response.time is told differently", out)
    assert.is_nil(out:find("handler.count", 1, true))
    for _, path in ipairs(files) do os.remove(path) end
  end)

  it("refuses what it does not know", function()
    for _, words in ipairs { "--by nothing", "--rank nothing", "--top 0", "--by ''" } do
      assert.equal(2, select(2, hbdx(words .. " " .. log)), words)
    end
  end)

  it("takes the marks from the locale", function()
    local words = ("%s slowlog -q %s"):format(BIN, log)
    assert.truthy(run("LC_ALL=C.UTF-8 " .. words):find("█....", 1, true))
    assert.truthy(run("LC_ALL=C " .. words):find(" 90000\n", 1, true))
  end)

  it("leaves nothing behind but what it was asked for", function()
    local names = {}
    for i, e in ipairs(sys.list(root)) do names[i] = e.name end
    os.execute("rm -r " .. root)
    assert.same({ "a-regionserver-one.log", "b-regionserver-two.log", "cli.json", "cli.log",
      "now.log", "rs-1.log", "state.json" }, names)
  end)
end)

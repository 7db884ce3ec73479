--- The binding of the case file: what Lua sees of it, and what happens to handles.
local core = require "hbdx.core.case"
local delta = require "hbdx.core.delta"
local guard = require "hbdx.core.guard"
local scratch = require "scratch"

local NOON = 1714564800000
local LOG = table.concat({
  "2024-05-01 14:00:00,000 INFO  [main] regionserver.HRegionServer: Serving as "
    .. "rs-1,16020,1714564799000, RpcServer on rs-1/10.0.0.1:16020, sessionid=0x1",
  "2024-05-01 14:00:00,305 WARN  [RpcServer.handler=7] ipc.RpcServer: (responseTooSlow): "
    .. '{"call":"Scan(x)","starttimems":"1714564800000","responsesize":"16","method":"Scan",'
    .. '"param":"scanner_id: 18446744073709551615 number_of_rows: 100","processingtimems":300,'
    .. '"client":"10.0.0.7:4711","queuetimems":5,"class":"HRegionServer"}',
  "2024-05-01 14:00:02,205 WARN  [RpcServer.handler=7] ipc.RpcServer: (responseTooSlow): "
    .. '{"call":"Get(x)","starttimems":"1714564802000","responsesize":"70","method":"Get",'
    .. '"param":"region= shop:orders,a,1.0123456789abcdef0123456789abcdef., row=a",'
    .. '"processingtimems":200,"client":"10.0.0.8:4711","queuetimems":0,"class":"HRegionServer"}',
  "",
}, "\n")
local DUMP = '{"beans":[{"name":"Hadoop:service=HBase,name=RegionServer,sub=Server",'
  .. '"tag.serverName":"rs-1,16020,1714564799000","blockCacheHitCount":9223372036854775807,'
  .. '"percentFilesLocal":98.5}]}'

local folder

local function path(name)
  return folder .. "/" .. name
end

local function write(name, bytes)
  local f = assert(io.open(path(name), "wb"))
  f:write(bytes)
  f:close()
  return path(name)
end

--- A case in memory with a log in it.
local function loaded()
  local c = assert(core.open())
  local report = assert(c:import_bytes(LOG, { name = "rs-1.log" }))
  return c, report
end

describe("hbdx.core.case", function()
  setup(function()
    folder = scratch.folder()
  end)
  teardown(function()
    os.execute("rm -rf '" .. folder .. "'")
  end)

  it("reports what it imports", function()
    local c, r = loaded()
    assert.same({ "log", 2, 2, 1, 3, 3 }, { r.kind, r.calls, r.new_calls, r.events, r.lines,
      r.records })
    assert.equal("rs-1,16020", r.server)
    assert.same({ 7200000, "slow calls" }, { r.offset_ms, r.offset_origin })
    assert.equal(NOON, r.first_ms)
    assert.is_false(r.duplicate)
    assert.is_nil(r.damage)
    local again = assert(c:import_bytes(LOG, { name = "copy.log" }))
    assert.is_true(again.duplicate)
    assert.equal(r.source, again.source)
    c:close()
  end)

  it("imports files, and says what is wrong with them", function()
    local c <close> = assert(core.open())
    local r = assert(c:import_file(write("a.log", LOG)))
    assert.equal(2, r.calls)
    assert.equal(path("a.log"), c:rows("SELECT name FROM source")[1].name)
    local none, message, code = c:import_file(path("no.log"))
    assert.is_nil(none)
    assert.truthy(message:find("no.log", 1, true))
    assert.equal("io", code)
    assert.equal("io", select(3, c:import_file(folder)))
    assert.equal("notfound", select(3, c:import_bytes(LOG, { zone = "No/Where" })))
    r = assert(c:import_bytes("\0\1\2\3\4\5\6\7"))
    assert.same({ "unknown", true }, { r.kind, r.binary })
    assert.is_nil(r.lines)
  end)

  it("takes a zone and a server from the caller", function()
    local c <close> = assert(core.open())
    local line = "2024-05-01 14:00:00,000 FATAL [main] regionserver.HRegionServer: ABORTING region "
      .. "server rs-1,1,1: x\n"
    local r = assert(c:import_bytes(line, { zone = "+01:00", server = "hint" }))
    assert.same({ 3600000, "--log-tz", "hint" }, { r.offset_ms, r.offset_origin, r.server })
    assert.equal(NOON + 3600000, c:rows("SELECT t_ms FROM event")[1].t_ms)
    assert.is_true(c:set_offset(r.source, 7200000, "me"))
    assert.equal(NOON, c:rows("SELECT t_ms FROM event")[1].t_ms)
    assert.is_true(c:set_server(r.source, "rs-9,16020"))
    assert.equal("rs-9,16020", c:rows("SELECT s.name FROM event e JOIN server s "
      .. "ON s.id = e.server_id")[1].name)
    assert.equal("notfound", select(3, c:set_offset(99, 0, "me")))
    r = assert(c:import_bytes((line:gsub(": x", ": y"))))
    assert.equal("unknown", r.offset_origin)
    assert.is_nil(r.offset_ms)
  end)

  it("gives rows with integers as integers and NULL as nothing", function()
    local c <close> = loaded()
    local row = c:rows("SELECT 9223372036854775807 AS big, 0.5 AS half, 2.0 AS two, NULL AS none, "
      .. "'a' || char(0) || 'b' AS text, x'ff00' AS blob")[1]
    assert.same({ big = math.maxinteger, half = 0.5, two = 2.0, text = "a\0b", blob = "\xff\0" },
      row)
    assert.equal("integer", math.type(row.big))
    assert.equal("float", math.type(row.two))
    assert.same({}, c:rows("SELECT 1 WHERE 0"))
    assert.equal("18446744073709551615",
      c:rows("SELECT scanner_id FROM call WHERE method = 'Scan'")[1].scanner_id)
  end)

  it("binds parameters", function()
    local c <close> = loaded()
    local row = c:rows("SELECT ? AS a, ? AS b, ? AS c, ? AS d",
      { math.mininteger, 1.5, "it's \0", true })[1]
    assert.same({ a = math.mininteger, b = 1.5, c = "it's \0", d = 1 }, row)
    assert.equal("usage", select(3, c:rows("SELECT ?", {})))
    assert.equal("usage", select(3, c:rows("SELECT 1", { 1 })))
    assert.error_matches(function() c:rows("SELECT ?", { {} }) end, "parameter 1: table")
    assert.error_matches(function() c:rows("SELECT 1", 5) end, "table expected")
    assert.error_matches(function() c:rows() end, "string expected")
  end)

  it("walks rows and gives the cursor back on break", function()
    local c <close> = loaded()
    local methods = {}
    for row in c:each("SELECT method FROM call ORDER BY start_ms") do
      methods[#methods + 1] = row.method
    end
    assert.same({ "Scan", "Get" }, methods)
    local step, _, _, cursor = c:each("SELECT 1 UNION SELECT 2")
    for row in step, nil, nil, cursor do
      if row then break end
    end
    assert.error_matches(step, "have ended")
    local columns, each = c:select("SELECT method, table_name FROM call ORDER BY start_ms")
    assert.same({ "method", "table_name" }, columns)
    local seen = {}
    for row in each do seen[#seen + 1] = row[1] .. ":" .. tostring(row[2]) end
    assert.same({ "Scan:nil", "Get:shop:orders" }, seen)
    assert.error_matches(each, "have ended")
  end)

  it("lets nobody write", function()
    local c <close> = loaded()
    for _, sql in ipairs { "DELETE FROM call", "PRAGMA user_version = 2", "ATTACH 'x' AS y",
      "SELECT 1; SELECT 2", "no sql", "" } do
      local none, message, code = c:rows(sql)
      assert.is_nil(none, sql)
      assert.truthy(message:find("^SQL: "), message)
      assert.equal("usage", code)
      assert.equal("usage", select(3, c:each(sql)))
      assert.equal("usage", select(3, c:select(sql)))
    end
    assert.equal(2, c:rows("SELECT count(*) AS n FROM call")[1].n)
  end)

  it("gives points, exact and in order", function()
    local c <close> = assert(core.open())
    for i, t in ipairs { 3000, 1000, 2000 } do
      assert(c:import_bytes(DUMP:gsub("98.5", tostring(90 + i)), { t_ms = t, t_origin = "test" }))
    end
    local id = c:rows("SELECT id FROM series WHERE name = 'blockCacheHitCount'")[1].id
    local t, v = c:points(id)
    assert.same({ 1000, 2000, 3000 }, t)
    assert.same({ math.maxinteger, math.maxinteger, math.maxinteger }, v)
    assert.equal("integer", math.type(v[1]))
    assert.same({ {}, {} }, { c:points(99) })
  end)

  it("groups calls", function()
    local c <close> = loaded()
    local groups, calls, ms = c:digest {}
    assert.same({ 2, 2, 500 }, { #groups, calls, ms })
    assert.same({ method = "Scan", client = "10.0.0.7" }, groups[1].key)
    assert.same({ n = 1, sum = 300, p50 = 300, p95 = 300, max = 300 }, groups[1].proc_ms)
    assert.equal("Scan", c:rows("SELECT method FROM call WHERE id = ?", { groups[1].worst })[1]
      .method)
    groups = c:digest { by = { "table", "server" }, from = NOON + 1000, to = NOON + 3000 }
    assert.same({ table = "shop:orders", server = "rs-1,16020" }, groups[1].key)
    assert.equal(1, #groups)
    groups = c:digest { by = {}, where = "method = 'Scan' OR proc_ms > 250" }
    assert.same({ {}, 1 }, { groups[1].key, groups[1].calls })
    assert.same({}, (c:digest { where = "0" }))
    assert.error_matches(function() c:digest { by = { "row" } } end, "grouped by 'row'")
    assert.error_matches(function() c:digest { by = "table" } end, "table expected")
    assert.error_matches(function() c:digest { from = "x" } end, "from: integer")
    assert.equal("usage", select(3, c:digest { where = "nonsense(" }))
  end)

  it("is saved, opened again and copied", function()
    local c = loaded()
    assert.is_true(c:save(path("a.case")))
    assert.equal("io", select(3, c:save(path("a.case"))))
    c:close()
    local old <close> = assert(core.open(path("a.case"), { readonly = true }))
    assert.equal(2, old:rows("SELECT count(*) AS n FROM call")[1].n)
    assert.equal("usage", select(3, old:import_bytes(LOG)))
    local copy <close> = assert(old:copy())
    assert(copy:import_bytes(DUMP, { t_ms = 1 }))
    assert.equal(2, copy:rows("SELECT count(*) AS n FROM source")[1].n)
    assert.equal(1, old:rows("SELECT count(*) AS n FROM source")[1].n)
    assert.equal("io", select(3, core.open(path("none.case"), { readonly = true })))
    assert.equal("db", select(3, core.open(write("no.case", "hello"))))
    assert.truthy(core.schema():find("CREATE TABLE call"))
  end)

  it("raises when it is closed", function()
    local c = loaded()
    local each = c:each("SELECT 1")
    c:close()
    c:close()
    assert.error_matches(function() c:rows("SELECT 1") end, "closed")
    assert.error_matches(function() c:import_bytes(LOG) end, "closed")
    assert.error_matches(function() c:digest {} end, "closed")
    assert.error_matches(each, "closed")
    assert.error_matches(function() c.rows({}, "SELECT 1") end, "hbdx.case expected")
  end)

  it("keeps a case alive as long as it is walked", function()
    local each = loaded():each("SELECT method FROM call ORDER BY start_ms")
    collectgarbage()
    collectgarbage()
    assert.equal("Scan", each().method)
  end)

  it("is stopped by a deadline", function()
    local c <close> = loaded()
    local endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
      .. "SELECT count(*) FROM n"
    local good, failure = guard.call(function() return c:rows(endless) end, { deadline_ms = 50 })
    assert.is_false(good)
    assert.equal("deadline", failure.kind)
    assert.equal(2, c:rows("SELECT count(*) AS n FROM call")[1].n)
  end)

  it("stands a collector that never rests", function()
    local mode = collectgarbage("incremental", 1, 1000, 1)
    for i = 1, 20 do
      local c = loaded()
      c:import_bytes(DUMP, { t_ms = i })
      for row in c:each("SELECT * FROM call") do
        if row.method == "Get" then break end
      end
      local columns, each = c:select("SELECT *, ? FROM call", { ("x"):rep(100) })
      assert.equal(#columns, #c:rows("SELECT * FROM pragma_table_info('call')") + 1)
      assert.equal(("x"):rep(100), each()[#columns])
      assert.equal(2, #(c:digest {}))
      c:points(1)
      if i % 2 == 0 then c:close() end
    end
    collectgarbage(mode == "generational" and mode or "incremental", 200, 100, 13)
  end)
end)

describe("hbdx.core.delta", function()
  it("tells growth and how far to believe it", function()
    local from, to, grown, quality = delta.run({ 0, 10000, 20000, 21000, 31000 },
      { 5, 7, 3, 4, 9.5 }, {})
    assert.same({ 0, 10000, 20000, 21000 }, from)
    assert.same({ 10000, 20000, 21000, 31000 }, to)
    assert.same({ "ok", "reset", "cached", "ok" }, quality)
    assert.same({ [1] = 2.0, [4] = 5.5 }, grown)
  end)

  it("knows starts, moves and gaps", function()
    local _, _, _, quality = delta.run({ 0, 10000, 20000 }, { 5, 7, 3 }, { starts = { 15000 } })
    assert.same({ "ok", "restart" }, quality)
    _, _, _, quality = delta.run({ 0, 10000 }, { 5, 3 }, { region_sum = true })
    assert.same({ "moved" }, quality)
    _, _, _, quality = delta.run({ 0, 10000, 20000, 60000 }, { 1, 2, 3, 4 }, { gap_factor = 2 })
    assert.equal("gap", quality[3])
    _, _, _, quality = delta.run({ 0, 10000 }, { 1, 2 }, { min_step_ms = 20000 })
    assert.equal("cached", quality[1])
  end)

  it("has nothing to say of fewer than two points", function()
    assert.same({ {}, {}, {}, {} }, { delta.run({}, {}) })
    assert.same({ {}, {}, {}, {} }, { delta.run({ 1 }, { 1 }) })
  end)

  it("raises on misuse", function()
    assert.error_matches(function() delta.run({ 1, 2 }, { 1 }) end, "one value for each")
    assert.error_matches(function() delta.run({ 1.5, 2 }, { 1, 2 }) end, "t%[1%]")
    assert.error_matches(function() delta.run({ 1, 2 }, { 1, "2" }) end, "v%[2%]")
    assert.error_matches(function() delta.run({ 2, 1 }, { 1, 2 }) end, "")
    assert.error_matches(function() delta.run({ 1, 2 }, { 1, 2 }, { starts = { "x" } }) end,
      "starts%[1%]")
    assert.error_matches(function() delta.run({ 1 }, { 1 }, { gap_factor = "x" }) end, "gap_factor")
  end)
end)

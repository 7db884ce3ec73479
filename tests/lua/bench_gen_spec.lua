--- The generator of the benchmarks' logs: the same seed gives the same bytes, and hbdx finds in
--- them what the generator put there, no more and no less.
local core = require "hbdx.core.case"

local GEN = os.getenv("HBDX_BUILD") .. "/bench/gen_logs"

local function output(options)
  local pipe = assert(io.popen(("'%s' %s"):format(GEN, options)))
  local text = pipe:read("a")
  assert(pipe:close(), "gen_logs failed")
  return text
end

local function counts(options)
  local of = {}
  for name, n in output(options .. " --counts"):gmatch("([^\n]+)\t(%d+)\n") do
    of[name] = math.tointeger(n)
  end
  return of
end

local function imported(options)
  local case = assert(core.open(nil))
  local report = assert(case:import_bytes(output(options), { name = "gen.log", server = "rs07" }))
  return case, report
end

local function only_events(of)
  local events = {}
  for name, n in pairs(of) do events[name:match("^event (.+)")or 0] = n end
  events[0] = nil
  return events
end

local function found_events(case)
  local events = {}
  for _, row in ipairs(case:rows("SELECT kind, count(*) AS n FROM event GROUP BY kind")) do
    events[row.kind] = row.n
  end
  return events
end

local function distinct_keys(case)
  return case:rows([[SELECT count(*) AS n FROM (SELECT DISTINCT table_name, method, client_address
                     FROM call)]])[1].n
end

local MIXED, SLOW = "--seed 7 --size 1M", "--seed 7 --size 300K --slow-only --groups 50"

describe("the generator of logs", function()
  it("gives the same bytes for the same seed, others for another", function()
    local text = output(MIXED)
    assert.truthy(#text >= 1000000 and #text < 1100000, #text)
    assert.truthy(text == output(MIXED), "a second run gives other bytes")
    assert.falsy(text == output("--seed 8 --size 1M"))
  end)

  it("writes what hbdx understands to the last line", function()
    local case, report = imported(MIXED)
    local want = counts(MIXED)
    assert.same({ kind = "log", skipped = 0, foreign = 0, lines = want.lines, calls = want.calls,
        bytes = want.bytes, records = want.records, offset = 0 },
      { kind = report.kind, skipped = report.skipped, foreign = report.foreign,
        lines = report.lines, calls = report.calls, bytes = report.bytes,
        records = report.records, offset = report.offset_ms })
    assert.same(only_events(want), found_events(case))
    assert.truthy(want.calls > 150 and want["event flush_finished"] > 100)
    case:close()
  end)

  it("writes slow calls of every generation, and counts their groups", function()
    local case, report = imported(SLOW)
    local want = counts(SLOW)
    assert.same({ want.calls, want.lines }, { report.calls, report.lines })
    assert.equal(want.groups, distinct_keys(case))
    assert.same({}, found_events(case))
    case:close()
  end)

  it("gives each call a group of its own where there are enough", function()
    local options = "--slow-only --era 8 --groups 3000 --calls 3000 --size 1G"
    local case, report = imported(options)
    assert.equal(3000, report.calls)
    assert.equal(counts(options).groups, distinct_keys(case))
    assert.truthy(distinct_keys(case) > 2990, distinct_keys(case))
    case:close()
  end)
end)

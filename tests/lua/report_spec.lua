--- The text report: what stands in the first screen, what is said once, how lines are broken.
local layout = require "hbdx.report.layout"
local playbook = require "hbdx.playbook"
local report = require "hbdx.report.text"
local runner = require "hbdx.runner"
local session = require "hbdx.session"
local sys = require "hbdx.core.sys"

local function report_of(sources, given, books)
  local s = assert(session.open(given or {}, sources))
  local ctx = session.context(s, given or {})
  ctx.width, ctx.color = 80, false
  local result = assert(runner.run(s.case, books or playbook.all(), {}))
  local text = report.render(result, ctx)
  s.case:close()
  return text
end

local function line_of(text, pattern)
  local n = 0
  for line in text:gmatch("([^\n]*)\n") do
    n = n + 1
    if line:find(pattern) then return n end
  end
end

local function context()
  local utc = { offset = function() return 0 end }
  return { case = utc, width = 80, days = 0, several = true, prefix = "", verbose = false }
end

local function evidence(list, ctx)
  local out = {}
  layout.evidence(ctx or context(), out, list)
  return out
end

describe("the text report", function()
  local swept = report_of { sys.home() .. "/samples/cache-eviction" }

  it("has what happened, its evidence and the first fix in a screen of 24 lines", function()
    assert.truthy(line_of(swept, "^   what    Scans of orders by client") <= 8)
    local first, last = line_of(swept, "^   fix "), line_of(swept, "risk: ")
    assert.truthy(line_of(swept, "p99 Get") < first)
    assert.truthy(last < 24, "the first fix ends on line " .. last)
  end)

  it("keeps to 80 columns but for what is to be pasted", function()
    for line in swept:gmatch("[^\n]+") do
      assert.truthy(#line <= 80 or line:find("^        %S"), line)
    end
  end)

  it("says how to get several missing things once", function()
    local text = report_of { sys.home() .. "/samples/cache-eviction/rs-1/regionserver.log.gz" }
    local at = assert(text:find("cache-eviction: no ", 1, true))
    local words = text:sub(at):match("^(.-)\n%s+read%-amp"):gsub("%s+", " ")
    local _, n = words:gsub("two /jmx dumps", "")
    assert.equal(1, n)
    assert.truthy(words:find("no cache.evictions. Get two", 1, true), words)
  end)

  it("says what a likely finding lacks to be sure", function()
    local text = report_of { sys.home() .. "/samples/handler-hogging/rs-1/regionserver.log.gz" }
    assert.truthy(text:find("LIKELY", 1, true), text)
    assert.truthy(text:find("\n   get     call-queue times: two /jmx dumps", 1, true), text)
  end)

  it("tells a playbook that failed from one that cannot tell", function()
    local broken = { id = "x", title = "X", category = "c", severity = "info", symptoms = {},
      needs = {}, params = {}, path = "x.lua", diagnose = function() error("a slip") end }
    local text = report_of({ sys.home() .. "/samples/healthy-quiet" }, {}, { broken })
    assert.truthy(text:find("\n   failed       x: [^\n]*a slip"), text)
    assert.is_nil(text:find("   cannot tell", 1, true))
  end)
end)

describe("evidence", function()
  it("names an origin once, and a line of a log that was just named as the same", function()
    local out = evidence {
      { claim = "a", observed = 1, unit = "count", origin = "site.xml:3", where = "rs.log:7" },
      { claim = "b", observed = 2, unit = "count", origin = "site.xml:3", where = "rs.log:7" },
      { claim = "c", observed = 3, unit = "count", origin = "site.xml:4", where = "rs.log:8" },
    }
    assert.same({ "    a  1  rs.log:7  (site.xml:3)", "    b  2  same line",
      "    c  3  rs.log:8  (site.xml:4)" }, out)
  end)

  it("never takes two windows for a line", function()
    local where = { server = "rs-1", from_ms = 0, to_ms = 35000 }
    local out = evidence { { claim = "a", observed = 1, unit = "count", where = where },
      { claim = "b", observed = 2, unit = "count", where = where } }
    assert.equal(out[1]:gsub("a  1", ""), out[2]:gsub("b  2", ""))
    assert.truthy(out[2]:find("rs-1 00:00:00-00:00:35", 1, true), out[2])
  end)

  it("leaves out the servers that its head names", function()
    local ctx = context()
    ctx.named = "rs-1"
    local where = { server = "rs-1", from_ms = 0, to_ms = 35000 }
    assert.same({ "    a  1  00:00:00-00:00:35" },
      evidence({ { claim = "a", observed = 1, unit = "count", where = where } }, ctx))
  end)

  it("marks a limit that was not reached, and none that is unknown", function()
    local out = evidence {
      { claim = "few", observed = 2, unit = "count", limit_text = ">= 10", relation = "at_least",
        holds = false },
      { claim = "high", observed = 9, unit = "count", limit_text = "<= 5", relation = "at_most",
        holds = false },
      { claim = "many", observed = 11, unit = "count", limit_text = ">= 10",
        relation = "at_least", holds = true },
      { claim = "dark", unit = "count", limit_text = ">= 10", relation = "at_least" },
    }
    assert.same({ "    few   2        limit >= 10, not reached",
      "    high  9        limit <= 5, not met", "    many  11       limit >= 10",
      "    dark  unknown  limit >= 10" }, out)
  end)

  it("joins facts that are a name and a value, and nothing else", function()
    local out = evidence {
      { claim = "mean", observed = 2048, unit = "bytes" },
      { claim = "largest", observed = 4096, unit = "bytes" },
      { claim = "waiting", observed = 9, unit = "count", limit_text = ">= 3", holds = true },
    }
    assert.same({ "    mean     2.0 KiB; largest  4.0 KiB", "    waiting  9        limit >= 3" },
      out)
  end)
end)

describe("layout.wrap", function()
  it("breaks a long word by columns, also where a character takes two", function()
    assert.same({ "abcdef", "gh ij" }, layout.wrap("abcdefgh ij", 6))
    assert.same({ "a", "漢字漢", "字 b" }, layout.wrap("a 漢字漢字 b", 7))
    assert.same({ "漢", "字" }, layout.wrap("漢字", 1))
  end)

  it("keeps names whole, with their blanks, whatever is around them", function()
    local name = "a long/name of a log"
    assert.same({ "not read:", name .. ":", "gone" },
      layout.wrap("not read: " .. name .. ": gone", 9, name))
    assert.same({ "x (" .. name .. "),", name .. " y" },
      layout.wrap(("x (%s), %s y"):format(name, name), 26, { name, "z" }))
    assert.same({ "\\x01a b" }, layout.wrap("\1a b", 4, { "\1a b", "" }))
  end)

  it("takes a word of a megabyte in its stride", function()
    local started = sys.monotonic_ms()
    assert.equal(12500, #layout.wrap(("x"):rep(1000000), 80))
    assert.truthy(sys.monotonic_ms() - started < 10000)
  end)
end)

--- Playbooks of anybody that misbehave: each becomes a finding that says so, and what it did to the
-- case, to modules or to libraries reaches no other playbook and no report.
local case = require "hbdx.case"
local import = require "hbdx.import"
local playbook = require "hbdx.playbook"
local runner = require "hbdx.runner"
local scratch = require "scratch"
local sys = require "hbdx.core.sys"

local SAMPLE = sys.home() .. "/samples/healthy-quiet"
local TEXT = [[return { id = "%s", title = "T", category = "c", symptoms = {}, needs = {},
  params = {}, diagnose = function(case, p) %s end }]]
local WITNESS = [[local f = require("hbdx.finding").new(case)
  f:expect { claim = ("servers"):rep(1), observed = #case:servers(), at_least = 2 }
  f:fact { claim = "a call", observed = (case:calls()[1] or {}).table_name or "none" }
  return f:conclude(f:holds() and "confirmed" or "ruled_out", { title = table.concat { "w" } })]]

local function load(id, body)
  local folder = scratch.folder()
  local path = folder .. "/" .. id .. ".lua"
  local file = assert(io.open(path, "w"))
  file:write(TEXT:format(id, body))
  file:close()
  local book = assert(playbook.load(path))
  return book
end

local core, coverage = assert(import.open({ SAMPLE }, {}))
local the_case = case.wrap(core, "sample")

-- Runs a bad playbook before a good one; the bad one's finding and the good one's.
local function run(body)
  local result = assert(runner.run(the_case, { load("bad", body), load("witness", WITNESS) },
    { deadline_ms = 500 }))
  local by = {}
  for _, f in ipairs(result.findings) do by[f.playbook] = f end
  local ctx = { case = the_case, name = "x", version = "0", coverage = coverage, width = 80,
    color = false, verbose = true }
  for _, format in ipairs { "text", "json" } do
    assert.is_string(require("hbdx.report." .. format).render(result, ctx))
  end
  return by.bad, by.witness
end

coverage.seconds = 0
local _, expected = run "error('x')"

local FAIL = {
  ["a table that is thrown"] = "error({})",
  ["nil that is thrown"] = "error(nil)",
  ["an error of 10 MB"] = "error(('x'):rep(10000000))",
  ["a loop that catches"] = "while true do pcall(function() while true do end end) end",
  ["a pathological pattern"] = "return (('a'):rep(30000)):find('.-.-.-.-.-.-.-b')",
  ["io"] = "return io.open('/etc/passwd')",
  ["the core"] = "return require('hbdx.core.sys')",
  ["a require of no name"] = "return require(nil)",
  ["a module that is not there"] = "return require('hbdx.pattern.nope')",
  ["a case that is closed"] = "case:close()",
  ["storage that is closed"] = "case.core:close()",
  ["a case taken apart"] = "case.core, case.cache, case.servers = nil return case:calls()",
  ["nothing"] = "return nil",
  ["a verdict of its own"] = "return { verdict = 'maybe' }",
  ["a verdict alone"] = "return { verdict = 'confirmed' }",
  ["wrong types"] = [[return { verdict = 'confirmed', evidence = 5, fixes = 'x', affected = 3,
    missing = true, not_cause = 0, caveats = {} }]],
  ["a circle"] = [[local t = {} t[1] = t return { verdict = 'likely', evidence = t, fixes = t,
    affected = t, missing = t, not_cause = t, caveats = t }]],
  ["a function as evidence"] = [[return { verdict = 'likely', evidence = { { claim = print,
    observed = print } }, fixes = {}, affected = {}, missing = {}, not_cause = {}, caveats = {} }]],
  ["a time that is none"] = [[local f = require('hbdx.finding').new(case)
    return f:conclude('likely', { affected = { windows = { { from_ms = 1e300, to_ms = 0/0,
      text = 'x' } } } })]],
  ["a list with holes"] = [[local f = require('hbdx.finding').new(case)
    return f:conclude('likely', { affected = { tables = { 'a', nil, 'b', n = 1 } } })]],
  ["a number as severity"] = [[local f = require('hbdx.finding').new(case):conclude('likely')
    f.severity = 5 return f]],
}

local REACH = {
  ["modules"] = "require('hbdx.finding').new = nil require('hbdx.units').known.count = nil",
  ["the maker of findings"] = [[local f = require('hbdx.finding').new(case)
    f.__index.holds = function() return false end]],
  ["the class of the case"] = "case.__index.servers = function() return {} end",
  ["methods of the case"] = "case.servers = function() return {} end",
  ["what the case remembers"] = "local s = case:servers() for i = #s, 1, -1 do s[i] = nil end",
  ["calls"] = "for _, c in ipairs(case:calls()) do c.table_name = 'forged' end",
  ["libraries"] = "string.rep = nil table.concat = nil math.floor = nil ipairs = nil",
}

describe("a playbook that misbehaves", function()
  for name, body in pairs(FAIL) do
    it("is told: " .. name, function()
      local bad, witness = run(body)
      assert.equal("cannot_tell", bad.verdict)
      assert.is_string(bad.error)
      assert.truthy(#bad.error <= 1000)
      assert.same(expected, witness)
    end)
  end

  for name, body in pairs(REACH) do
    it("reaches nobody through " .. name, function()
      local _, witness = run(body)
      assert.equal("confirmed", witness.verdict)
      assert.same(expected, witness)
    end)
  end

  it("may give numbers that are none", function()
    local bad = run [[local f = require("hbdx.finding").new(case)
      for _, unit in ipairs { "bytes", "ms", "count", "percent", "per_s", "x", "points" } do
        for _, n in ipairs { 0/0, 1/0, -1/0, math.mininteger, 1e308 } do
          f:expect { claim = "c", observed = n, baseline = n, at_least = n, unit = unit }
        end
      end
      return f:conclude("likely")]]
    assert.is_nil(bad.error)
    assert.equal("likely", bad.verdict)
  end)
end)

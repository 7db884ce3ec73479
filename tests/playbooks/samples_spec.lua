--- Every playbook on every sample, against the sample's expected.lua: the right one must fire, with
-- the right culprit and numbers, and no foreign one may. Then the same with half of the evidence: a
-- verdict may become weaker, never wrong.
local case = require "hbdx.case"
local import = require "hbdx.import"
local playbook = require "hbdx.playbook"
local runner = require "hbdx.runner"
local source = require "hbdx.import.source"
local sys = require "hbdx.core.sys"
local time = require "hbdx.core.time"

local FIRES = { confirmed = true, likely = true }
local ROOT = sys.home() .. "/samples"

-- Evidence that is missing may make a verdict weaker, never wrong.
local PARTS = {
  ["every second file"] = function(i) return i % 2 == 0 end,
  ["the other files"] = function(i) return i % 2 == 1 end,
  ["its dumps alone"] = function(_, path) return path:find("/jmx/", 1, true) end,
  ["its logs alone"] = function(_, path) return path:find("%.log%.gz$") end,
  ["one server's files"] = function(_, path) return path:find("/rs-1/", 1, true) end,
}

local function one_of(value, allowed)
  for _, one in ipairs(type(allowed) == "table" and allowed or { allowed }) do
    if one == value then return true end
  end
  return false
end

local function run(sources)
  local core, coverage = assert(import.open(sources, {}))
  local the_case = case.wrap(core, "sample")
  local result = assert(runner.run(the_case, playbook.all()))
  local by = {}
  for _, f in ipairs(result.findings) do by[f.playbook] = f end
  local calls = core:rows("SELECT count(*) AS n FROM call")[1].n
  local zone, offsets = the_case:offset(), {}
  for _, s in ipairs(the_case:sources()) do
    offsets[s.name:match("/samples/[^/]+/(.*)$") or s.name] = s.offset_ms
  end
  the_case:close()
  return by, coverage, calls, zone, offsets
end

-- Every number that the evidence of a finding shows, also inside of words; sizes also in MiB.
local function numbers_of(f)
  local list = {}
  local function add(value)
    if type(value) == "number" then
      list[#list + 1], list[#list + 2] = value, value / 2 ^ 20
    else
      for digits in tostring(value):gmatch("%d[%d,]*%.?%d*") do
        list[#list + 1] = tonumber((digits:gsub(",", "")))
      end
    end
  end
  for _, e in ipairs(f.evidence) do
    add(e.observed)
    add(e.baseline)
  end
  return list
end

local function any_between(list, low, high)
  for _, n in ipairs(list) do
    if n >= low and n <= high then return true end
  end
  return false
end

local function includes(list, wanted, what)
  for _, name in ipairs(wanted or {}) do
    local found = false
    for _, have in ipairs(list or {}) do
      found = found or have == name or name:sub(1, #have + 1) == have .. "."
    end
    assert.is_true(found, ("%s lacks %s; it has %s"):format(what, name,
      table.concat(list or {}, ", ")))
  end
end

local function excludes(list, unwanted, what)
  for _, name in ipairs(unwanted or {}) do
    assert.is_false(one_of(name, list or {}), what .. " must not name " .. name)
  end
end

local function touches(windows, from, to)
  local a, b = assert(time.parse(from)), assert(time.parse(to))
  for _, w in ipairs(windows or {}) do
    if w.from_ms <= b and w.to_ms >= a then return true end
  end
  return false
end

local function evidence_names(f, words)
  for _, word in ipairs(words or {}) do
    local found = false
    for _, e in ipairs(f.evidence) do
      found = found or tostring(e.observed):find(word, 1, true) ~= nil
    end
    assert.is_true(found, "no evidence names " .. word)
  end
end

-- The record that begins at file:line: a line of a log, an object of a dump of the ring buffer.
local function record_at(place)
  local file, line = place:match("^(.*):(%d+)$")
  local pipe = assert(io.popen(("gzip -dc '%s' | tail -n +%s"):format(file, line)))
  local text = assert(pipe:read "L")
  while text:find("^{") and not text:find("\n}") do text = text .. assert(pipe:read "L") end
  pipe:close()
  return text
end

-- What a line of evidence says must stand in the record that it cites.
local function check_cited(f, wanted)
  for _, e in ipairs(f.evidence) do
    if e.claim == wanted[1] then
      local text = record_at(e.where)
      for i = 2, #wanted do
        assert.is_truthy(text:find(wanted[i], 1, true), e.where .. " does not tell " .. wanted[i])
      end
      return
    end
  end
  assert.fail("there is no evidence of " .. wanted[1])
end

local function check_affected(f, wanted)
  evidence_names(f, wanted.filters)
  local a = f.affected
  includes(a.servers, wanted.servers, "servers")
  includes(a.tables, wanted.tables, "tables")
  includes(a.clients, wanted.clients, "clients")
  excludes(a.servers, wanted.not_servers, "servers")
  excludes(a.tables, wanted.not_tables, "tables")
  excludes(a.clients, wanted.not_clients, "clients")
  for _, w in ipairs(wanted.windows or {}) do
    assert.is_true(touches(a.windows, w[1], w[2]), "no window touches " .. w[1])
  end
end

for _, entry in ipairs(assert(sys.list(ROOT))) do
  local chunk = entry.type == "folder" and loadfile(ROOT .. "/" .. entry.name .. "/expected.lua")
  if chunk then
    describe("sample " .. entry.name, function()
      local expected, folder = chunk(), ROOT .. "/" .. entry.name
      local by, coverage, calls, zone, offsets = run { folder }

      it("is read whole", function()
        assert.same({}, coverage.unread)
        assert.equal(0, coverage.not_understood)
        if expected.calls then assert.equal(expected.calls, calls) end
        for name, offset in pairs(expected.zones or {}) do
          assert.equal(offset, offsets[name], name)
        end
        if expected.zone then assert.equal(time.offset(expected.zone, 0), zone) end
      end)

      for id, allowed in pairs(expected.verdict) do
        it(("%s says %s"):format(id, type(allowed) == "table" and table.concat(allowed, " or ")
                                     or allowed), function()
          assert.is_nil(by[id].error)
          assert.is_true(one_of(by[id].verdict, allowed), by[id].verdict)
        end)
      end

      for id, wanted in pairs(expected.affected or {}) do
        it(id .. " names whom it concerns", function() check_affected(by[id], wanted) end)
      end

      for id, list in pairs(expected.numbers or {}) do
        for _, n in ipairs(list) do
          it(("%s shows %s"):format(id, n[1]), function()
            assert.is_true(any_between(numbers_of(by[id]), n[2], n[3]))
          end)
        end
      end

      for id, list in pairs(expected.cited or {}) do
        for _, wanted in ipairs(list) do
          it(("%s cites a line that tells its %s"):format(id, wanted[1]), function()
            check_cited(by[id], wanted)
          end)
        end
      end

      for id, allowed in pairs(expected.severity or {}) do
        it(id .. " has its severity", function()
          assert.is_true(one_of(by[id].severity, allowed), by[id].severity)
        end)
      end

      for part, keep in pairs(PARTS) do
        it("turns no verdict wrong with " .. part, function()
          local kept = {}
          for i, item in ipairs((source.expand({ folder }))) do
            if keep(i, item.path) then kept[#kept + 1] = item.path end
          end
          local weaker = run(kept)
          for id, allowed in pairs(expected.verdict) do
            local verdict = weaker[id].verdict
            local may_fire = one_of("confirmed", allowed) or one_of("likely", allowed)
            if FIRES[verdict] then assert.is_true(may_fire, id .. " fires falsely") end
          end
        end)
      end
    end)
  end
end

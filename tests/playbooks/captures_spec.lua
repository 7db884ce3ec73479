--- The playbooks on recordings of a real HBase with incidents provoked on purpose. They are not
-- part of the project; where they are not beside it, this is skipped and says so. HBDX_SHARED names
-- the folder.
local case = require "hbdx.case"
local import = require "hbdx.import"
local playbook = require "hbdx.playbook"
local runner = require "hbdx.runner"
local slowlog = require "hbdx.slowlog"
local sys = require "hbdx.core.sys"

local SHARED = (sys.getenv "HBDX_SHARED" or sys.home() .. "/../shared") .. "/captures"
local FIRES = { confirmed = true, likely = true }

-- What was counted by other means; culprit: the one playbook that may fire.
local EXPECTED = {
  ["flush-stall-2.5.8"] = { culprit = "flush-stall", calls = 9712, proc_ms = 626917,
    groups = { Multi = { "shop:orders", 9708, 626734, 434 }, Get = { "shop:orders", 2 } },
    numbers = { 4795, 121, 5 }, tables = { "shop:orders" } },
  ["cache-sweep-2.6.1"] = { culprit = "cache-eviction", tables = { "shop:orders" },
    between = { { 91.9, 92.1 }, { 76.4, 76.6 }, { 99.8, 99.99 } } },
  ["hogging-2.5.8"] = { culprit = "handler-hogging", calls = 978, proc_ms = 322656,
    numbers = { 8, 9, 132, 974 }, tables = { "shop:orders" } },
  ["readamp-2.6.1"] = { culprit = "read-amplification", numbers = { 15, 40, 700, 42000, 60 },
    tables = { "iot:events" } },
  ["healthy-3.0.0"] = { cannot_tell = { ["cache-eviction"] = true } },
}

local function shown(f)
  local list = {}
  for _, e in ipairs(f.evidence) do
    for _, v in ipairs { e.observed or 0, e.baseline or 0 } do
      for digits in tostring(v):gsub("(%d),(%d)", "%1%2"):gmatch("%d+%.?%d*") do
        list[#list + 1] = tonumber(digits)
      end
    end
  end
  return list
end

local function has_between(list, low, high)
  for _, n in ipairs(list) do
    if n >= low and n <= high then return true end
  end
  return false
end

local function diagnose(sources)
  local the_case = case.wrap(assert((import.open(sources, {}))), "capture")
  local result = assert(runner.run(the_case, playbook.all()))
  local by = {}
  for _, f in ipairs(result.findings) do by[f.playbook] = f end
  return by, the_case, result
end

local function check_groups(digest, groups)
  for _, g in ipairs(digest.groups) do
    local wanted = groups[g.method]
    if wanted then
      assert.equal(wanted[1], g.table)
      assert.equal(wanted[2], g.calls)
      if wanted[3] then assert.equal(wanted[3], g.proc_ms.sum) end
      if wanted[4] then assert.equal(wanted[4], g.proc_ms.max) end
    end
  end
end

describe("captures", function()
  if not sys.stat(SHARED) then
    pending("the recordings are not beside the project")
    return
  end
  for name, wanted in pairs(EXPECTED) do
    local folder = SHARED .. "/" .. name

    it(name .. " is diagnosed", function()
      local by, the_case, result = diagnose { folder }
      for id, f in pairs(by) do
        assert.is_nil(f.error)
        assert.equal(id == wanted.culprit, FIRES[f.verdict] or false, id .. " says " .. f.verdict)
      end
      for id in pairs(wanted.cannot_tell or {}) do assert.equal("cannot_tell", by[id].verdict) end
      assert.equal(wanted.culprit and 1 or 0, runner.status(result, "likely", 0))
      local f = by[wanted.culprit]
      if f then
        for _, n in ipairs(wanted.numbers or {}) do
          assert.is_true(has_between(shown(f), n, n), "no evidence of " .. n)
        end
        for _, b in ipairs(wanted.between or {}) do
          assert.is_true(has_between(shown(f), b[1], b[2]), "no evidence of " .. b[1])
        end
        assert.same(wanted.tables, f.affected.tables)
      end
      the_case:close()
    end)

    it(name .. " has its slow calls", function()
      local the_case = case.wrap(assert((import.open({ folder }, {}))), "capture")
      local digest = slowlog.collect(the_case)
      if wanted.calls then
        assert.equal(wanted.calls, digest.calls)
        assert.equal(wanted.proc_ms, digest.proc_ms)
      end
      check_groups(digest, wanted.groups or {})
      the_case:close()
    end)

    for _, part in ipairs { "regionserver.log.gz", "jmx" } do
      it(("%s from %s alone is never wrong"):format(name, part), function()
        local by, the_case = diagnose { folder .. "/" .. part }
        for id, f in pairs(by) do
          if FIRES[f.verdict] then assert.equal(wanted.culprit, id) end
          if id == wanted.culprit and f.verdict == "ruled_out" then
            error(id .. " is ruled out from " .. part .. " alone")
          end
        end
        the_case:close()
      end)
    end
  end
end)

--- Every file of the samples, cut and mangled: whatever comes of it is an answer or a clear
-- message, never a raise, and no playbook fires that may not. The places are drawn from a seed, so
-- that a failure comes again; HBDX_MANGLE=N draws N times as many.
local case = require "hbdx.case"
local import = require "hbdx.import"
local playbook = require "hbdx.playbook"
local runner = require "hbdx.runner"
local scratch = require "scratch"
local slowlog = require "hbdx.slowlog"
local sys = require "hbdx.core.sys"

local ROOT = sys.home() .. "/samples"
local TIMES = tonumber(os.getenv "HBDX_MANGLE") or 1

-- Numbers from 1 to n, the same in every run (xorshift; math.random may change with Lua).
local function dice(seed)
  local x = seed * 2654435761 + 88172645463325252
  return function(n)
    x = x ~ x << 13
    x = x ~ x >> 7
    x = x ~ x << 17
    return (x >> 1) % n + 1
  end
end

local GARBAGE = { "\0\0\0\0", "\27]52;c;eA==\7", "\255\254\192\175", "}}}", "{\"a\":[", "\r\n\r\n",
  "<a>", "\226\128\174", ("x"):rep(5000),
  "2026-01-01 00:00:00,000 WARN  [x] y: (responseTooSlow): {" }
local NUMBERS = { "-1", "9223372036854775807", "-9223372036854775808", "1e308", "NaN",
  "99999999999999999999999", "null", "\"x\"" }

local MANGLERS = {
  function(text, roll) return text:sub(1, roll(#text) - 1) end, -- cut
  function(text, roll) -- some bytes are others
    local out, from = {}, 1
    for _ = 1, 1 + #text // 2000 do
      local at = from + roll(3000) - 1
      if at > #text then break end
      out[#out + 1] = text:sub(from, at - 1) .. string.char(roll(256) - 1)
      from = at + 1
    end
    return table.concat(out) .. text:sub(from)
  end,
  function(text, roll) -- something else in between
    for _ = 1, 3 do
      local at = roll(#text)
      text = text:sub(1, at) .. GARBAGE[roll(#GARBAGE)] .. text:sub(at + 1)
    end
    return text
  end,
  function(text, roll) -- a piece is lost
    local at = roll(#text)
    return text:sub(1, at) .. text:sub(at + roll(#text // 2 + 1))
  end,
  function(text, roll) -- a piece stands twice, far from its place
    local at, to = roll(#text), roll(#text)
    return text:sub(1, to) .. text:sub(at, at + roll(2000)) .. text:sub(to + 1)
  end,
  function(text, roll) -- numbers that are none, or none of this
    return (text:gsub("%f[%w]%d+%f[%W]", function()
      return roll(20) == 1 and NUMBERS[roll(#NUMBERS)] or nil
    end))
  end,
}

local function read(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read "a"
  file:close()
  return bytes
end

local function write(path, bytes)
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
end

local function run(command) assert(os.execute(command), command) end

-- The evidence of a sample below a folder of its own, once as it is and once unpacked.
local function copies(name)
  local dir = scratch.name()
  run(("mkdir -p '%s' && cp -r '%s/%s' '%s/packed' && cp -r '%s/packed' '%s/plain'"
    .. " && chmod -R u+w '%s' && gzip -dr '%s/plain'"):format(dir, ROOT, name, dir, dir, dir, dir,
    dir))
  return dir
end

local function files_below(dir, list)
  for _, e in ipairs(assert(sys.list(dir))) do
    local path = dir .. "/" .. e.name
    if e.type == "folder" then files_below(path, list) else list[#list + 1] = path end
  end
  return list
end

-- One round: of the files below `from` about every share-th is mangled, each round otherwise.
local function mangle(from, to, round, share)
  run(("rm -rf '%s' && cp -r '%s' '%s'"):format(to, from, to))
  local mangled = 0
  for i, path in ipairs(files_below(to, {})) do
    local roll = dice(round * 100003 + i)
    if roll(share) == 1 then
      local text = read(path)
      mangled = mangled + 1
      if #text > 0 then write(path, MANGLERS[(i + round) % #MANGLERS + 1](text, roll)) end
    end
  end
  return mangled
end

local function allows(expected, verdict)
  for _, one in ipairs(type(expected) == "table" and expected or { expected }) do
    if one == verdict then return true end
  end
end

local function check(dir, expected)
  local core, coverage = assert(import.open({ dir }, {}))
  coverage.seconds = 0
  for _, u in ipairs(coverage.unread) do assert.truthy(u.message and #u.message > 0, u.name) end
  local the_case = case.wrap(core, "mangled")
  local result = assert(runner.run(the_case, playbook.all()))
  for _, f in ipairs(result.findings) do
    assert.is_nil(f.error, f.playbook .. ": " .. tostring(f.error))
    local fires = f.verdict == "confirmed" or f.verdict == "likely"
    local may = allows(expected[f.playbook], "confirmed") or allows(expected[f.playbook], "likely")
    assert.is_false(fires and not may, ("%s is %s"):format(f.playbook, f.verdict))
  end
  local ctx = { case = the_case, name = "x", version = "0", coverage = coverage, width = 80,
    color = false, verbose = true }
  for _, format in ipairs { "text", "json" } do
    assert.truthy(utf8.len(require("hbdx.report." .. format).render(result, ctx)))
  end
  assert.is_table(slowlog.collect(the_case, { by = slowlog.usual, rank = "time", top = 5 }).groups)
  the_case:close()
end

-- How many files a round mangles: all of them, or one of so many.
local SHARES = { 1, 1, 2, 2, 5, 1 }

describe("mangled", function()
  for _, entry in ipairs(assert(sys.list(ROOT))) do
    local chunk = entry.type == "folder" and loadfile(ROOT .. "/" .. entry.name .. "/expected.lua")
    if chunk then
      it("sample " .. entry.name .. " gives answers, and none that is wrong", function()
        local expected, dir = chunk().verdict, copies(entry.name)
        for round = 1, #SHARES * TIMES do
          local share = SHARES[(round - 1) % #SHARES + 1]
          -- every third round the packed bytes are hit, else what was packed in them
          local from = dir .. (round % 3 == 0 and "/packed" or "/plain")
          assert.truthy(mangle(from, dir .. "/now", round, share) > 0)
          local ok, message = pcall(check, dir .. "/now", expected)
          assert.is_true(ok, ("round %d: %s"):format(round, tostring(message)))
        end
        run(("rm -r '%s'"):format(dir))
      end)
    end
  end
end)

--- What the compiler made of the C library, by nm: subjects that depend on each other along the
-- arrows of tests/lint/layers.lua and in no circle, and no state that anybody may change. What an
-- include allows is seen there; here it is what is called.
package.path = require("hbdx.core.sys").home() .. "/tests/?.lua;" .. package.path
local law = require "lint.layers"
local sys = require "hbdx.core.sys"
local tree = require "lint.tree"

local LIBRARY <const> = (os.getenv "HBDX_BUILD" or "build") .. "/libdx.a"
local FOLDER <const> = "core/lib"

--- Why it cannot be looked at; nil: it can.
local function unable()
  if not sys.stat(LIBRARY) then return "there is no " .. LIBRARY end
  if not os.execute "command -v nm >/dev/null 2>&1" then return "nm is not installed" end
end

---@class lint.Symbol
---@field file string without its folder and end: "dx_calls_run"
---@field name string
---@field class string a letter of nm
---@field section string "*UND*": another file has it

--- All symbols of the library, in nm's System V format: name|value|class|type|size|line|section.
local function symbols()
  local list = {}
  local pipe = assert(io.popen(("nm -A -f sysv '%s' 2>/dev/null"):format(LIBRARY)))
  for line in pipe:lines() do
    local file, name, class, section = line:match(
      ":([%w_]+)%.c%.o[^:]*:([^|]-) *|[^|]*| *([^| ]+) *|[^|]*|[^|]*|[^|]*|(.*)$")
    if file then
      list[#list + 1] = { file = file, name = name, class = class,
        section = section:match "^%s*(.-)%s*$" }
    end
  end
  pipe:close()
  return list
end

--- The subject of a file: its family in the law, or itself.
local function subject(file)
  for key in pairs(law.inside[FOLDER]) do
    if tree.fits(file, { key }) then return key end
  end
  return file
end

--- Who calls whom among the files of the folder: uses[file][other] = a name.
local function uses_of(list)
  local ours, owner, uses = {}, {}, {}
  for _, path in ipairs(tree.files(FOLDER, "%.c$")) do ours[path:match("([^/]+)%.c$")] = true end
  for _, s in ipairs(list) do
    if s.class:find "^[TDBRVW]$" and s.section ~= "*UND*" and ours[s.file] then
      owner[s.name] = s.file
    end
  end
  for _, s in ipairs(list) do
    local other = s.class == "U" and ours[s.file] and owner[s.name]
    if other and other ~= s.file then
      uses[s.file] = uses[s.file] or {}
      uses[s.file][other] = s.name
    end
  end
  return uses
end

--- Is there a row of the law for an arrow from a file to another's subject?
local function lawful(file, other)
  local wanted = subject(other)
  if subject(file) == wanted then return true end
  for key, row in pairs(law.inside[FOLDER]) do
    if tree.fits(file, { key }) then
      for _, header in ipairs(row) do
        if header == other or subject(header) == wanted then return true end
      end
    end
  end
  return false
end

--- All that can be reached from a file.
local function reach(uses, file, seen)
  for other in pairs(uses[file] or {}) do
    if not seen[other] then
      seen[other] = true
      reach(uses, other, seen)
    end
  end
  return seen
end

--- Files of different subjects that reach each other.
local function circles(uses)
  local far, list = {}, {}
  for file in pairs(uses) do far[file] = reach(uses, file, {}) end
  for file, others in pairs(far) do
    for other in pairs(others) do
      if file < other and far[other] and far[other][file] and subject(file) ~= subject(other) then
        list[#list + 1] = file .. " <-> " .. other
      end
    end
  end
  table.sort(list)
  return list
end

--- Variables that can be written to. Names that begin with two underlines are the compiler's.
local function state(list)
  local found = {}
  for _, s in ipairs(list) do
    local writable = s.section == "*COM*" or s.section:find "^%.t?bss" or s.section:find "^%.t?data"
    if writable and not s.section:find "^%.data%.rel%.ro" and not s.name:find "^__"
       and not s.name:find "^%." then
      found[#found + 1] = ("%s: %s in %s"):format(s.file, s.name, s.section)
    end
  end
  return found
end

describe("the objects of the library", function()
  local why = unable()
  local list = why and {} or symbols()

  local function check(what, fn)
    it(what, function()
      if why then return pending(why) end
      fn()
    end)
  end

  check("are all of its files", function()
    local seen, missing = {}, {}
    for _, s in ipairs(list) do seen[s.file] = true end
    for _, folder in ipairs { "core/base", FOLDER } do
      for _, path in ipairs(tree.files(folder, "%.c$")) do
        if not seen[path:match("([^/]+)%.c$")] then missing[#missing + 1] = path end
      end
    end
    assert.same({}, missing)
  end)

  check("use other subjects where the law has an arrow", function()
    local wrong, seen = {}, 0
    for file, others in pairs(uses_of(list)) do
      for other, name in pairs(others) do
        seen = seen + 1
        if not lawful(file, other) then
          wrong[#wrong + 1] = ("%s uses %s of %s"):format(file, name, other)
        end
      end
    end
    table.sort(wrong)
    assert.truthy(seen > 30)
    assert.same({}, wrong)
  end)

  check("go in no circle from subject to subject", function()
    assert.same({}, circles(uses_of(list)))
  end)

  check("hold no state", function() assert.same({}, state(list)) end)

  it("would be seen to go in a circle, and to hold state", function()
    assert.same({ "dx_amp <-> dx_conf", "dx_amp <-> dx_http", "dx_conf <-> dx_http" }, circles {
      dx_amp = { dx_conf = "x" }, dx_conf = { dx_http = "y" }, dx_http = { dx_amp = "z" } })
    assert.same({}, circles { -- one subject
      dx_calls = { dx_calls_run = "x" }, dx_calls_run = { dx_calls = "y" } })
    assert.is_false(lawful("dx_amp", "dx_http"))
    assert.is_true(lawful("dx_calls_run", "dx_digest_group"))
    assert.same({ "a: n in .bss", "a: t in .tdata" }, state {
      { file = "a", name = "n", section = ".bss" },
      { file = "a", name = "t", section = ".tdata" },
      { file = "a", name = "names", section = ".data.rel.ro.local" },
      { file = "a", name = "__odr_asan.x", section = ".bss" } })
  end)
end)

--- The layer law of tests/lint/layers.lua, applied to every C and Lua file. It fails when it finds
-- no files, and when a file is in no layer: what is not looked at is not lawful.
package.path = require("hbdx.core.sys").home() .. "/tests/?.lua;" .. package.path
local law = require "lint.layers"
local tree = require "lint.tree"

local function stem(path) return path:match("([^/]+)%.[ch]$") end
local function folder_of(path) return path:match("^(.*)/[^/]+$") end

--- All that `rules` allows to `name`, whichever of its rows fit.
local function allowed(rules, name)
  local list = {}
  for key, row in pairs(rules or {}) do
    if tree.fits(name, { key }) then table.move(row, 1, #row, #list + 1, list) end
  end
  return list
end

local function c_files()
  local files, home = {}, {}
  for folder in pairs(law.c) do
    for _, path in ipairs(tree.files(folder, "%.[ch]$")) do
      files[#files + 1] = path
      if path:find("%.h$") then home[path:match("[^/]+$")] = folder end
    end
  end
  table.sort(files)
  return files, home
end

--- What is wrong with one #include, or nil.
local function judge_own(path, header, home)
  local from, to = folder_of(path), home[header]
  if not to then return "is no header of ours" end
  if to ~= from then
    return not tree.fits(to, law.c[from]) and "is in a layer that it may not see" or nil
  end
  local own, other = stem(path), stem(header)
  if own == other or tree.fits(other, allowed(law.inside[from], own)) then return nil end
  return "is no arrow of the law"
end

local function judge_system(path, header)
  local owners = law.only[header]
  if owners then
    return not tree.fits(path, owners) and "belongs to " .. table.concat(owners, ", ") or nil
  end
  return not tree.fits(header, law.system) and "is unknown: a third party needs an owner" or nil
end

local function includes(path)
  local next_one = tree.read(path):gmatch("\n%s*#%s*include%s*([\"<])([^\">]+)[\">]")
  return next_one
end

describe("the layers of C", function()
  local files, home = c_files()

  it("has files in every folder", function()
    for folder in pairs(law.c) do assert.truthy(#tree.files(folder, "%.[ch]$") > 0, folder) end
    assert.truthy(#files > 30)
  end)

  it("are kept by every include", function()
    local wrong, seen = {}, 0
    for _, path in ipairs(files) do
      for quote, header in includes(path) do
        seen = seen + 1
        local trouble = quote == '"' and judge_own(path, header, home)
          or quote == "<" and judge_system(path, header)
        if trouble then wrong[#wrong + 1] = ("%s: %s %s"):format(path, header, trouble) end
      end
    end
    assert.truthy(seen > 100)
    assert.same({}, wrong)
  end)

  it("has one file for each third party", function()
    local users = {}
    for _, path in ipairs(files) do
      for quote, header in includes(path) do
        if quote == "<" and law.only[header] and #law.only[header] == 1 then
          users[header] = (users[header] or 0) + 1
        end
      end
    end
    for header, n in pairs(users) do assert.equal(1, n, header) end
  end)

  it("would see a wrong include", function()
    assert.truthy(judge_own("core/base/dx_buf.c", "dx_http.h", home))
    assert.truthy(judge_own("core/base/dx_err.c", "dx_map.h", home))
    assert.truthy(judge_system("core/lib/dx_amp.c", "lua.h"))
    assert.truthy(judge_system("core/lib/dx_amp.c", "openssl/ssl.h"))
    assert.is_nil(judge_own("core/lib/dx_amp.c", "dx_amp.h", home))
  end)
end)

local function level_of(module)
  for level, list in ipairs(law.lua) do
    if tree.fits(module, list) then return level end
  end
end

local function judge_require(module, wanted)
  if not wanted:find("^hbdx") then return "is not ours" end
  local from, to = level_of(module), level_of(wanted)
  if not from then return "cannot be judged: the asking module is in no level" end
  if not to then return "is in no level" end
  if module:find("^playbooks%.") then
    return not tree.fits(wanted, law.playbooks) and "is not for playbooks" or nil
  end
  if to < from or tree.fits(wanted, allowed(law.aside, module)) then return nil end
  return "is no arrow of the law"
end

local function module_of(path)
  return (path:gsub("^lua/", ""):gsub("%.lua$", ""):gsub("/", "."):gsub("%.init$", ""))
end

--- Code without comments, so that prose about require does not count.
local function code(path)
  return (tree.read(path):gsub("%-%-%[%[.-%]%]", ""):gsub("%-%-[^\n]*", ""))
end

describe("the levels of Lua", function()
  local files = tree.files("playbooks", "%.lua$", tree.files("lua", "%.lua$"))

  it("has files", function() assert.truthy(#files > 10) end)

  it("knows every module", function()
    local unknown = {}
    for _, path in ipairs(files) do
      if not level_of(module_of(path)) then unknown[#unknown + 1] = path end
    end
    assert.same({}, unknown)
  end)

  it("are kept by every require", function()
    local wrong, seen = {}, 0
    for _, path in ipairs(files) do
      for wanted in code(path):gmatch("require%s*%(?%s*[\"']([%w_.]+)[\"']") do
        seen = seen + 1
        if wanted:sub(-1) == "." then wanted = wanted .. "x" end -- require("hbdx.metric." .. part)
        local trouble = judge_require(module_of(path), wanted)
        if trouble then wrong[#wrong + 1] = ("%s: %s %s"):format(path, wanted, trouble) end
      end
    end
    assert.truthy(seen > 10)
    assert.same({}, wrong)
  end)

  it("would see a wrong require", function()
    assert.truthy(judge_require("hbdx.check", "hbdx.case"))
    assert.truthy(judge_require("hbdx.check", "hbdx.units"))
    assert.truthy(judge_require("playbooks.x", "hbdx.case"))
    assert.truthy(judge_require("hbdx.check", "socket"))
    assert.is_nil(judge_require("hbdx.cli", "hbdx.core.sys"))
  end)
end)

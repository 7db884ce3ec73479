-- The committed samples are what their stories give, and they stay small.
package.path = "tests/?.lua;" .. package.path
local build = require "gen.build"
local scratch = require "scratch"

local function output_of(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read("a")
  pipe:close()
  return text
end

local function read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read("a")
  file:close()
  return text
end

-- files below dir, sorted, without the two that are written by hand
local function files_of(dir)
  local list = {}
  for path in output_of("cd '" .. dir .. "' && find . -type f | LC_ALL=C sort"):gmatch("[^\n]+") do
    if path ~= "./README.md" and path ~= "./expected.lua" then list[#list + 1] = path:sub(3) end
  end
  return list
end

local function smallest()
  local best, fewest
  for _, name in ipairs(build.names()) do
    local n = #files_of("samples/" .. name)
    if not fewest or n < fewest then best, fewest = name, n end
  end
  return best
end

-- Another gzip may compress the same text otherwise; then the text counts.
local function same(a, b)
  if read(a) == read(b) then return true end
  if not a:find("%.gz$") or output_of("gzip --version"):find("^gzip 1%.") then return false end
  return output_of("gzip -dc '" .. a .. "'") == output_of("gzip -dc '" .. b .. "'")
end

describe("sample generator", function()
  local has_gzip = output_of("command -v gzip") ~= ""

  it("gives the committed files again, byte by byte", function()
    if not has_gzip then return pending("gzip is not installed") end
    local name = smallest()
    local dir = scratch.folder()
    build.write(dir, build.make(name))
    local made, committed = files_of(dir), files_of("samples/" .. name)
    assert.same(committed, made)
    assert.is_true(#made > 10)
    for _, path in ipairs(made) do
      assert.is_true(same(dir .. "/" .. path, "samples/" .. name .. "/" .. path), path)
    end
  end)

  it("gives other files for another seed", function()
    local name = smallest()
    local a, b = build.make(name), build.make(name, 4711)
    local differ = 0
    for path, text in pairs(a) do
      if b[path] ~= text then differ = differ + 1 end
    end
    assert.is_true(differ > 10)
  end)

  it("keeps all samples below 3 MB, each with its story and what is expected", function()
    local bytes = 0
    for _, name in ipairs(build.names()) do
      for _, path in ipairs(files_of("samples/" .. name)) do
        bytes = bytes + #assert(read("samples/" .. name .. "/" .. path))
      end
      assert.is_string(read("samples/" .. name .. "/README.md"), name)
      local expected = dofile("samples/" .. name .. "/expected.lua")
      for _, id in ipairs { "cache-eviction", "flush-stall", "handler-hogging",
          "read-amplification" } do
        assert.is_truthy(expected.verdict[id], name .. " expects nothing of " .. id)
      end
    end
    assert.is_true(bytes > 0 and bytes <= 3 * 1024 * 1024, bytes .. " bytes")
  end)
end)

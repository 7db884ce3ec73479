--- Makes samples: a story and a seed give files, files go to a folder. The same seed gives the
-- same bytes.
local rng = require "gen.rng"

local build = {}

--- The samples and their seeds. A new seed is a new sample: look at it before it is committed.
build.seeds = {
  ["cache-eviction"] = 1017,
  ["flush-stall"] = 2039,
  ["handler-hogging"] = 3061,
  ["healthy-busy"] = 6011,
  ["healthy-quiet"] = 5077,
  ["read-amplification"] = 4093,
}

---@return string[]
function build.names()
  local names = {}
  for name in pairs(build.seeds) do names[#names + 1] = name end
  table.sort(names)
  return names
end

--- The generated files of a sample: path below its folder -> text, not yet compressed.
---@param name string
---@param seed integer?
---@return table<string, string>
function build.make(name, seed)
  local story = require("gen.stories." .. name:gsub("-", "_"))
  return story(rng.new(seed or build.seeds[name]))
end

local function quoted(path)
  assert(not path:find("'", 1, true), "no quotes in paths")
  return "'" .. path .. "'"
end

local function run(command)
  local ok = os.execute(command)
  assert(ok, "failed: " .. command)
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  assert(file:close())
end

--- Writes the files below dir; a path that ends in .gz is compressed by gzip without name and time.
---@param dir string
---@param files table<string, string>
function build.write(dir, files)
  local paths, folders = {}, {}
  for path in pairs(files) do paths[#paths + 1] = path end
  table.sort(paths)
  for _, path in ipairs(paths) do
    local folder = dir .. "/" .. (path:match("^(.*)/") or ".")
    if not folders[folder] then
      folders[folder] = true
      run("mkdir -p " .. quoted(folder))
    end
  end
  local gzip = assert(io.popen("xargs gzip -n -9 -f", "w"))
  for _, path in ipairs(paths) do
    local raw = path:gsub("%.gz$", "")
    write(dir .. "/" .. raw, files[path])
    if raw ~= path then gzip:write(quoted(dir .. "/" .. raw), "\n") end
  end
  assert(gzip:close(), "gzip failed")
end

--- Removes what an earlier run made: everything of the sample but its README.md and expected.lua.
---@param dir string
function build.clear(dir)
  run(string.format("if [ -d %s ]; then find %s -mindepth 1 -maxdepth 1 ! -name README.md "
                    .. "! -name expected.lua -exec rm -rf {} +; fi", quoted(dir), quoted(dir)))
end

return build

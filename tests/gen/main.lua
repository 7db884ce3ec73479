--- lua5.4 tests/gen/main.lua [--out DIR] [--seed N] [NAME...]
-- Writes samples (all, or those named) below DIR, by default samples/ of this tree.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/../?.lua;" .. package.path
local build = require "gen.build"

local out, seed, names = here .. "/../../samples", nil, {}
local i = 1
while arg[i] do
  if arg[i] == "--out" then
    i, out = i + 1, assert(arg[i + 1], "--out needs a folder")
  elseif arg[i] == "--seed" then
    i, seed = i + 1, assert(math.tointeger(tonumber(arg[i + 1])), "--seed needs a number")
  else
    names[#names + 1] = arg[i]
  end
  i = i + 1
end
if #names == 0 then names = build.names() end

for _, name in ipairs(names) do
  assert(build.seeds[name], "no such sample: " .. name)
  local files = build.make(name, seed)
  build.clear(out .. "/" .. name)
  build.write(out .. "/" .. name, files)
  local n, bytes = 0, 0
  for _, text in pairs(files) do n, bytes = n + 1, bytes + #text end
  io.stdout:write(string.format("%s: %d files, %d bytes before compression\n", name, n, bytes))
end

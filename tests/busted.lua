--- Runs busted inside the hbdx binary, so that specs see the core as the product does.
-- hbdx lua tests/busted.lua FILE [busted options]
-- Output is TAP. When busted is missing this fails: a check that cannot run must not pass.
local ok, runner = pcall(require, "busted.runner")
if not ok then
  io.stderr:write("busted is missing (Debian: lua-busted): ", tostring(runner), "\n")
  os.exit(1)
end
-- behind all others, for this file is called as busted is
package.path = package.path .. ";" .. require("hbdx.core.sys").home() .. "/tests/?.lua"
local file = arg[1]
-- luacheck: globals arg
arg = { [0] = arg[0], "--output=TAP", "--no-auto-insulate", table.unpack(arg, 1) }
assert(file, "usage: hbdx lua tests/busted.lua FILE")
runner { standalone = false }

--- hbdx lua: what the help says of it. The binary runs the file itself, before any of hbdx's Lua,
-- so that tests and scripts start from a clean state.
return { {
  name = "lua", usage = "FILE [ARGUMENT...]",
  summary = "Run a Lua file with hbdx's modules at hand; arg holds its arguments.",
  options = {}, examples = { "hbdx lua nightly.lua logs/" },
  run = function()
    require("hbdx.say").error("lua takes a file")
    return 2
  end,
} }

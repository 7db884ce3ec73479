--- The command line. For now it answers `help` alone.
local cli = {}

local MAN = [[
.TH HBDX 1
.SH NAME
hbdx \- incident diagnosis shell for Apache HBase
.SH SYNOPSIS
hbdx [SOURCE...]
]]

local USAGE = "usage: hbdx COMMAND [ARGUMENT...]; hbdx help\n"

---@param argv string[] the words of the command line, from index 1 on
---@return integer status
function cli.main(argv)
  if argv[1] == "help" and argv[2] == "--man" then
    io.stdout:write(MAN)
  elseif argv[1] == "help" and argv[2] == "--completion" then
    io.stdout:write("complete -o default hbdx\n")
  elseif argv[1] == "help" then
    io.stdout:write(USAGE)
  else
    io.stderr:write(USAGE)
    return 2
  end
  return 0
end

return cli

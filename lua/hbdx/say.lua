--- What hbdx says on stderr. A message may quote names and bytes of anybody: it is escaped here, at
-- the last step before it is shown; its line ends stay.
local text = require "hbdx.core.text"

local say = {}

--- A message that a terminal only shows: each line escaped, line ends and indents kept.
---@param message string
---@return string
function say.safe(message)
  return (message:gsub("[^\n]+", function(line)
    local indent, rest = line:match("^(\t*)(.*)$")
    return ("  "):rep(#indent) .. text.escape(rest)
  end))
end

--- "hbdx: message" on stderr.
---@param message string
function say.error(message)
  io.stderr:write("hbdx: ", say.safe(message), "\n")
end

return say

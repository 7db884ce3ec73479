--- Names and folders for specs, below one folder in $TMPDIR that is gone when the tests have ended,
-- however they ended. (os.tmpname knows no $TMPDIR, and leaves a file.)
local sys = require "hbdx.core.sys"

local scratch = {}

local root
local made = 0

-- Runs when the Lua state is closed.
local sentinel = setmetatable({}, { __gc = function()
  if root then os.execute(("chmod -R u+rwX '%s'; rm -rf '%s'"):format(root, root)) end
end })

--- A path at which nothing is.
---@return string
function scratch.name()
  if not root then
    local pipe = assert(io.popen('mktemp -d "${TMPDIR:-/tmp}/hbdx-spec.XXXXXX"'))
    root = assert(pipe:read "l", "no folder for temporary files")
    pipe:close()
  end
  made = made + 1
  return ("%s/%d"):format(root, made)
end

--- A folder in which nothing is.
---@return string
function scratch.folder()
  local path = scratch.name()
  assert(sys.make_folders(path))
  return path
end

--- Writes a file.
---@param path string
---@param content string
---@return string path
function scratch.put(path, content)
  local f = assert(io.open(path, "wb"))
  f:write(content)
  f:close()
  return path
end

scratch.sentinel = sentinel -- lives as long as the module

return scratch

--- The files of the source tree, for the tests of the tree itself.
local sys = require "hbdx.core.sys"

local tree = {}

--- Paths below a folder of the tree, relative to it, whose names match.
---@param folder string "core/lib"
---@param pattern string Lua pattern of the name
---@param list string[]?
---@return string[]
function tree.files(folder, pattern, list)
  list = list or {}
  for _, e in ipairs(sys.list(sys.home() .. "/" .. folder) or {}) do
    local path = folder .. "/" .. e.name
    if e.type == "folder" then
      tree.files(path, pattern, list)
    elseif e.name:find(pattern) then
      list[#list + 1] = path
    end
  end
  return list
end

---@param path string relative to the tree
---@return string
function tree.read(path)
  return assert(sys.read(sys.home() .. "/" .. path, 1 << 24))
end

--- Does a name fit one of these, where "x*" is everything that begins with x?
---@param name string
---@param list string[]
---@return boolean
function tree.fits(name, list)
  for _, one in ipairs(list) do
    if one == name or (one:sub(-1) == "*" and name:sub(1, #one - 1) == one:sub(1, -2)) then
      return true
    end
  end
  return false
end

return tree

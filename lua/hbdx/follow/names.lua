--- Names of log files: which files of a folder are logs that may grow, and which ones were rotated
-- away from another one.
local sys = require "hbdx.core.sys"

local M = {}

local MOST_DEPTH = 32
local PACKED = { gz = true, zst = true, bz2 = true, xz = true, zip = true, lz4 = true }
local KEPT = { old = true, bak = true, prev = true, save = true, orig = true }

local function packed(name)
  return PACKED[(name:match("%.(%w+)$") or ""):lower()] or false
end

--- The name that a file was rotated away from: "rs.log" of "rs.log.1", "rs.log.2026-11-29",
--- "rs.log-20261129.gz", "rs.log.old".
---@param name string
---@param is_there fun(name: string): boolean? whether a file of that name is there
---@return string?
function M.base(name, is_there)
  local at = #name
  while at do
    local base, more = name:sub(1, at - 1), name:sub(at + 1)
    local mark = more:find("^%d") or KEPT[more:match("^%w*"):lower()] or packed(name)
    if at < #name and base ~= "" and mark and is_there(base) then return base end
    at = base:match(".*()[._-]")
  end
end

--- The one of the operands that this one was rotated away from; nil: it was not.
---@param operand string
---@param operands string[]
---@return string?
function M.rotated_of(operand, operands)
  local set = {}
  for _, other in ipairs(operands) do set[other] = true end
  return M.base(operand, function(name) return set[name] end)
end

-- Whether what a link leads to is found without it.
local function within(path, top)
  local real = sys.real(path)
  return real and real:sub(1, #top + 1) == top .. "/"
end

local function walk(folder, depth, seen, list, known)
  local real = sys.real(folder)
  seen.top = seen.top or real
  if depth > MOST_DEPTH or real and seen[real] then return end
  local entries, message = sys.list(folder)
  if not entries then return message end
  seen[real or folder] = true
  local is_file = {}
  for _, e in ipairs(entries) do is_file[e.name] = e.type == "file" end
  local function path_of(name)
    return folder:sub(-1) == "/" and folder .. name or folder .. "/" .. name
  end
  local function is_there(name) return is_file[name] or known(path_of(name)) end
  for _, e in ipairs(entries) do
    local path = path_of(e.name)
    if e.name:sub(1, 1) == "." then
      goto next
    elseif e.type == "folder" then
      walk(path, depth + 1, seen, list, known)
    elseif e.type == "file" and not packed(e.name) and not (e.link and within(path, seen.top))
      and not M.base(e.name, is_there) then
      list[#list + 1] = path
    end
    ::next::
  end
end

--- The files below a folder that may be logs which grow: not those that are hidden, packed or were
--- rotated away.
---@param folder string
---@param known fun(path: string): boolean? whether a file of that name was there before
---@return string[] paths
---@return string? message the folder cannot be read
function M.logs(folder, known)
  local list = {}
  local message = walk(#folder > 1 and folder:gsub("/+$", "") or folder, 0, {}, list, known)
  return list, message
end

return M

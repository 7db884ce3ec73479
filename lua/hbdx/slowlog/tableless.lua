--- Why slow calls name no table: they go on with a scan, their request is cut, or they have none.
local units = require "hbdx.units"

local M = {}

local MOST_NAMED = 4 -- methods

-- Methods of a region, in the names of the protocols before and since 0.96.
local SCANS, OF_A_REGION = {}, {}
for name in ("Scan next close"):gmatch "%a+" do SCANS[name] = true end
for name in ([[Get Mutate Multi BulkLoadHFile PrepareBulkLoad CleanupBulkLoad ExecService
    get getRow getRowWithColumns getClosestRowBefore exists put delete deleteAll multi multiPut
    increment incrementColumnValue append checkAndPut checkAndDelete checkAndMutate mutateRow
    openScanner lockRow unlockRow bulkLoadHFiles execCoprocessor]]):gmatch "%a+" do
  OF_A_REGION[name] = true
end

local function count(d)
  local n = { all = 0, scans = 0, cut = 0, none = 0 }
  local methods, seen = {}, {}
  for _, g in ipairs(d.groups) do
    if not g.table then
      local name = g.method
      local kind = SCANS[name or ""] and "scans" or (not name or OF_A_REGION[name]) and "cut"
        or "none"
      n.all, n[kind] = n.all + g.calls, n[kind] + g.calls
      if kind == "none" and not seen[name] then seen[name], methods[#methods + 1] = true, name end
    end
  end
  return n, methods
end

local function named(methods)
  local words = table.concat(methods, ", ", 1, math.min(#methods, MOST_NAMED))
  return #methods > MOST_NAMED and words .. ", ..." or words
end

--- How many calls name no table, and why; nil: each names one.
---@param d hbdx.SlowDigest grouped by table
---@return string?
function M.words(d)
  local n, methods = count(d)
  if n.all == 0 then return nil end
  local words = units.plural(n.all, "call names", "calls name") .. " no table"
  for _, name in ipairs(d.by) do
    if name == "method" then
      local why = {}
      local function put(some, fmt, ...)
        if some > 0 then why[#why + 1] = units.group(some) .. " " .. fmt:format(...) end
      end
      put(n.scans, "of scans (continuations, or cut requests)")
      put(n.cut, "whose request is cut or does not tell it")
      put(n.none, "of methods that are of no table or of the master's (%s)", named(methods))
      return words .. ": " .. table.concat(why, ", ")
    end
  end
  return words .. " (continuations of scans, cut requests, or methods that are of no table)"
end

return M

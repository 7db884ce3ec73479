--- Who did it: slow calls grouped by table and client, ranked by what they cost. A call whose
-- record does not tell its table has the one that another call of its scanner tells, or none; none
-- is said.
local culprit = {}

---@class hbdx.Culprit
---@field table_name string? nil: not told
---@field client string?
---@field method string?
---@field calls integer
---@field proc_ms integer
---@field response_bytes integer
---@field largest_bytes integer
---@field weight number what it was ranked by
---@field share number weight / weight of all, 0 to 1
---@field filters string? of its first call that tells
---@field filters_place string? file:line of that
---@field longest_ms integer
---@field shortest_ms integer
---@field place string file:line of the longest of its calls that tell their table, if any does
---@field cache_blocks integer? 1 or 0, where a call tells
---@field cache_place string? file:line of that
---@field no_stop_row boolean? an open without a stop row was seen
---@field server_ids table<integer, boolean>

--- The table of a call, as far as it can be known.
---@param call hbdx.Call
---@return string?
function culprit.table_of(call)
  return call.table_name or call.near_table
end

-- What only the records of some calls tell: that of the first, and where it stands.
local function learn(group, call)
  if not group.filters and call.filters then
    group.filters, group.filters_place = call.filters, call.told_place
  end
  if not group.cache_blocks and call.cache_blocks then
    group.cache_blocks, group.cache_place = call.cache_blocks, call.told_place
  end
  group.no_stop_row = group.no_stop_row or call.has_stop_row == 0 or nil
end

-- The longest call stands for its group, but one whose own record names no table does not, where
-- another can.
local function place(group, call, proc)
  local named = call.table_name ~= nil
  if group.place and (group.named and not named
     or group.named == named and proc <= group.placed_ms) then
    return
  end
  group.place, group.named, group.placed_ms = call.place, named, proc
end

local function add(group, call, weight)
  group.calls = group.calls + 1
  group.weight = group.weight + weight
  local proc = call.proc_ms or 0
  group.proc_ms = group.proc_ms + proc
  group.response_bytes = group.response_bytes + (call.response_bytes or 0)
  group.largest_bytes = math.max(group.largest_bytes, call.response_bytes or 0)
  learn(group, call)
  place(group, call, proc)
  group.shortest_ms = math.min(group.shortest_ms, proc)
  group.longest_ms = math.max(group.longest_ms, proc)
  if call.server_id then group.server_ids[call.server_id] = true end
end

-- Clients of one table and one client whose table is unknown in most calls are one group:
-- continuations of the same scanners. So a call without a table joins its client's only known
-- table.
local function tables_of_clients(calls)
  local of, several = {}, {}
  for _, call in ipairs(calls) do
    local name, client = culprit.table_of(call), call.client or "?"
    if name then
      if of[client] and of[client] ~= name then several[client] = true end
      of[client] = name
    end
  end
  return of, several
end

--- Groups calls; the heaviest first.
---@param calls hbdx.Call[]
---@param weigh fun(call: hbdx.Call): number?
---@return hbdx.Culprit[] groups
---@return number total weight of all
function culprit.rank(calls, weigh)
  local groups, list, total = {}, {}, 0
  local of, several = tables_of_clients(calls)
  for _, call in ipairs(calls) do
    local client = call.client or "?"
    local name = culprit.table_of(call) or (not several[client] and of[client]) or nil
    local key = (name or "?") .. "\0" .. client
    local group = groups[key]
    if not group then
      group = { table_name = name, client = call.client, method = call.method, calls = 0,
                proc_ms = 0, response_bytes = 0, largest_bytes = 0, weight = 0, longest_ms = 0,
                shortest_ms = math.maxinteger, server_ids = {} }
      groups[key], list[#list + 1] = group, group
    end
    local weight = weigh(call) or 0
    add(group, call, weight)
    total = total + weight
  end
  for _, group in ipairs(list) do group.share = total > 0 and group.weight / total or 0 end
  table.sort(list, function(a, b)
    if a.weight ~= b.weight then return a.weight > b.weight end
    return (a.table_name or "") .. (a.client or "") < (b.table_name or "") .. (b.client or "")
  end)
  return list, total
end

--- The table whose labelled counter grew most, and its share, from JMX alone.
---@param case hbdx.Case
---@param name string a metric with table labels, such as "table.read_requests"
---@return string? table_name
---@return number? share 0 to 1
function culprit.busiest_table(case, name)
  local grew, total, best = {}, 0, nil
  for _, row in ipairs(case:labelled(name)) do
    if row.table_name and not row.table_name:find("^hbase:") then
      grew[row.table_name] = (grew[row.table_name] or 0) + row.grew
      total = total + row.grew
    end
  end
  for table_name, n in pairs(grew) do
    if n > 0 and (not best or n > grew[best] or n == grew[best] and table_name < best) then
      best = table_name
    end
  end
  return best, best and grew[best] / total
end

--- The filters of a group, without the comparators that they use.
---@param group hbdx.Culprit
---@return string?
function culprit.filter(group)
  local names = {}
  for name in (group.filters or ""):gmatch("[^,]+") do
    if not name:find("Comparator$") then names[#names + 1] = name end
  end
  return #names > 0 and table.concat(names, ", ") or nil
end

--- "shop:orders by client 10.4.2.17", with what is unknown said.
---@param group hbdx.Culprit
---@return string
function culprit.words(group)
  return ("%s by client %s"):format(group.table_name or "a table that its calls do not name",
                                  group.client or "(unknown)")
end

return culprit

--- JMX samples as windows: what each counter grew by between two dumps of a server, with its
-- quality, and what each gauge showed at the window's end. Built on hbdx.core.delta, which decides
-- what a pair of samples is worth; a rate over a restart, a reset or a moved region does not exist
-- here.
local metric = require "hbdx.metric"

local M = {}

---@class hbdx.Window
---@field from_ms integer
---@field to_ms integer
---@field seconds number
---@field d table<string, number> what a counter grew by; nil where it cannot be told
---@field g table<string, number> what a gauge or percentile showed at to_ms
---@field why table<string, string> quality of a counter that has no d: "restart", "reset", "moved",
--- ...
---@field gap boolean the dumps are much further apart than usual

---@class hbdx.Frame
---@field server hbdx.Server
---@field windows hbdx.Window[]
---@field first table<string, number> what each metric showed in the first dump
---@field spelled table<string, string> the bean and attribute that each metric was read from

local function index_of(case)
  local index = case.cache.series_index
  if index then return index end
  index = {}
  for row in case.core:each [[
      SELECT id, server_id, bean, name FROM series
      WHERE server_id IS NOT NULL
        AND table_name IS NULL AND region IS NULL AND family IS NULL AND user IS NULL]] do
    local of_server = index[row.server_id] or {}
    index[row.server_id] = of_server
    of_server[row.bean .. "\0" .. row.name] = row.id
  end
  case.cache.series_index = index
  return index
end

-- No metric of the dictionary is negative (-1 stands for "not known") or counts beyond 2^53; a dump
-- that says so does not tell.
local LARGEST <const> = 2 ^ 53

local function plausible(t, v)
  local n = 0
  for i = 1, #v do
    if v[i] >= 0 and v[i] <= LARGEST then
      n = n + 1
      t[n], v[n] = t[i], v[i]
    end
  end
  for i = #v, n + 1, -1 do t[i], v[i] = nil, nil end
  return t, v
end

-- The points of a metric of a server under the first of its spellings that has any.
local function points_of(case, m, server_id)
  local of_server = index_of(case)[server_id]
  for _, spelling in ipairs(of_server and m.spellings or {}) do
    local id = of_server[spelling.bean .. "\0" .. spelling.name]
    if id then
      local t, v = plausible(case.core:points(id))
      if #t > 0 then
        for i = 1, spelling.scale and #v or 0 do v[i] = v[i] * spelling.scale end
        return t, v, spelling.bean .. " " .. spelling.name
      end
    end
  end
end

local function starts_of(case, server_id)
  local starts = {}
  for row in case.core:each([[
      SELECT DISTINCT start_code AS s FROM snapshot
      WHERE server_id = ? AND start_code IS NOT NULL ORDER BY 1]], { server_id }) do
    starts[#starts + 1] = row.s
  end
  return starts
end

-- A file's time stamp says when it was copied, so a dump that has nothing better makes no window
-- beside dumps that tell their moment.
local function windows_of(case, server_id)
  local list, by_end, last = {}, {}, nil
  for row in case.core:each(
      [[SELECT DISTINCT t_ms AS t FROM snapshot
        WHERE server_id = ?1 AND (t_origin <> 'mtime' OR NOT EXISTS (
          SELECT 1 FROM snapshot WHERE server_id = ?1 AND t_origin <> 'mtime'))
        ORDER BY t_ms]], { server_id }) do
    if last then
      local w = { from_ms = last, to_ms = row.t, seconds = (row.t - last) / 1000,
                  d = {}, g = {}, why = {}, gap = false }
      list[#list + 1], by_end[row.t] = w, w
    end
    last = row.t
  end
  return list, by_end
end

local function put_counter(m, t, v, starts, by_end)
  local from, to, delta, quality = require("hbdx.core.delta").run(t, v,
    { starts = starts, region_sum = m.region_sum or false })
  for i = 1, #from do
    local w = by_end[to[i]]
    if w and w.from_ms == from[i] then
      local q = quality[i]
      w.gap = w.gap or q == "gap"
      if q == "ok" or q == "gap" then w.d[m.name] = delta[i] else w.why[m.name] = q end
    end
  end
end

local function put_gauge(m, t, v, by_end)
  for i = 1, #t do
    local w = by_end[t[i]]
    if w then w.g[m.name] = v[i] end
  end
end

local function within(case, w)
  return (not case.from_ms or w.to_ms > case.from_ms) and (not case.to_ms or w.from_ms < case.to_ms)
end

local function frame_of(case, server, names)
  local list, by_end = windows_of(case, server.id)
  local frame = { server = server, windows = {}, first = {}, spelled = {} }
  local starts = starts_of(case, server.id)
  local any = false
  for _, name in ipairs(names) do
    local m = metric.get(name) or error(("no metric is called '%s'"):format(name), 4)
    local t, v, spelled = points_of(case, m, server.id)
    if t then
      any = true
      frame.spelled[name], frame.first[name] = spelled, v[1]
      if m.kind == "counter" then
        put_counter(m, t, v, starts, by_end)
      else
        put_gauge(m, t, v, by_end)
      end
    end
  end
  for _, w in ipairs(list) do
    if within(case, w) then frame.windows[#frame.windows + 1] = w end
  end
  return any and frame or nil
end

--- One frame for each server that has any of the metrics.
---@param case hbdx.Case
---@param names string[]
---@return hbdx.Frame[]
function M.frames(case, names)
  local key = "frames " .. table.concat(names, " ")
  if case.cache[key] then return case.cache[key] end
  local frames = {}
  for _, server in ipairs(case:servers()) do
    frames[#frames + 1] = frame_of(case, server, names)
  end
  case.cache[key] = frames
  return frames
end

--- What each label of a labelled metric showed first and last, and grew by, per server.
---@param case hbdx.Case
---@param name string
---@return table[] list { server_id, table_name, region, family, first, last, grew, peak, from_ms,
--- to_ms }
function M.labelled(case, name)
  local m = metric.get(name) or error(("no metric is called '%s'"):format(name), 3)
  local from_ms, to_ms = case.from_ms or math.mininteger, case.to_ms or math.maxinteger
  for _, spelling in ipairs(m.spellings) do
    local list = case.core:rows([[
      SELECT s.server_id, s.table_name, s.region, s.family, min(p.t_ms) AS from_ms,
             max(p.t_ms) AS to_ms, min(p.value) AS low, max(p.value) AS peak, s.id AS id
      FROM series s JOIN sample p ON p.series_id = s.id
      WHERE s.bean = ?1 AND s.name = ?2 AND (s.table_name IS NOT NULL OR s.region IS NOT NULL)
        AND p.t_ms BETWEEN ?3 AND ?4 AND p.value BETWEEN 0 AND 9007199254740992
      GROUP BY s.id]], { spelling.bean, spelling.name, from_ms, to_ms })
    if #list > 0 then
      for _, row in ipairs(list) do row.grew = row.peak - row.low end
      return list
    end
  end
  return {}
end

return M

--- Pauses of the processes, summed. What the collector's log and the server's own monitor tell of
-- one pause is joined by the case (hbdx.case.pauses). A thread that slept too long is another
-- witness and no pause more, so such lines are counted apart; so are threads that waited for memory
-- (a stall).
local pauses = {}

--- Kinds of events that Case:pauses and pauses.collect read.
pauses.kinds = { "pause", "gc_pause", "slept" }

---@return table
function pauses.new()
  return { count = 0, total_ms = 0, both = 0, slept = 0, by = {} }
end

local function label_of(p)
  if #p.gcs > 0 then return p.cause or p.collector or "collection" end
  return p.monitor.f.gc == "none" and "no collection: the host" or p.collector or "not told"
end

local function count(d, p)
  local label = label_of(p)
  local row = d.by[label] or { count = 0, total_ms = 0 }
  d.by[label] = row
  d.count, row.count = d.count + 1, row.count + 1
  if p.told == "both" then d.both = d.both + 1 end
  if not p.pause_ms then return end
  for _, r in ipairs { d, row } do
    r.total_ms, r.max_ms = r.total_ms + p.pause_ms, math.max(r.max_ms or 0, p.pause_ms)
  end
end

local function slept(d, threads, ms)
  d.slept = d.slept + threads
  if ms then d.slept_max_ms = math.max(d.slept_max_ms or 0, ms) end
end

--- Sums the pauses of a case that were asked for.
---@param case hbdx.Case
---@param d table of pauses.new
---@param wanted fun(e: table): boolean by t_ms and server_id
---@param counted fun(p: hbdx.Pause) called for each pause of a process
function pauses.collect(case, d, wanted, counted)
  for _, p in ipairs(case:pauses()) do
    if wanted(p) and p.gc_kind == "stall" then
      slept(d, p.threads, p.pause_ms)
    elseif wanted(p) then
      count(d, p)
      counted(p)
    end
  end
  for _, e in ipairs(case:events "slept") do
    if wanted(e) then slept(d, 1, e.f.slept_ms) end
  end
end

return pauses

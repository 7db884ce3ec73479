--- What a read costs, split into factors: files asked per store, blocks that miss the cache, rows
-- walked for each row returned. From JMX, from client scan metrics, and from the configuration.
-- Gathers; the playbook judges.
local amp = require "hbdx.amp"
local fall = require "hbdx.pattern.fall"
local window = require "hbdx.pattern.window"

local readcost = {}

--- What no metric tells, as a caveat.
readcost.deleted = "how many of the dropped rows are deleted ones the metrics do not tell: hbase "
  .. "hfile -m -s on a store file does"

local METRICS = { "store.files", "store.count", "store.max_files", "compaction.queue",
  "cache.hits_caching", "cache.misses_caching", "cache.hits", "cache.misses", "cache.evictions",
  "read.filtered", "read.requests", "scan.p99", "scan.ops", "compaction.count", "flush.count" }

---@class hbdx.ReadCost
---@field by_server table[] { name, files }
---@field files number? of the worst store, last seen
---@field files_first number? of the same, first seen
---@field files_where table?
---@field files_how string?
---@field hit_percent number? over all windows
---@field evicted number? blocks a second
---@field scanned number? rows of one query: median of the worst group
---@field returned number?
---@field filtered number?
---@field scanned_first number? the median of its first tenth
---@field queries integer?
---@field table_name string?
---@field label string?
---@field place string?
---@field jmx_filtered number? rows that filters dropped, over all windows
---@field jmx_returned number? rows read meanwhile

local function files_of(r, frame)
  local windows = frame.windows
  local last = windows[#windows]
  local function at(values)
    if values["store.max_files"] then return values["store.max_files"], "worst store" end
    local files, stores = values["store.files"], values["store.count"]
    if files and stores and stores > 0 then return files / stores, "mean of stores" end
  end
  local now, how = at(last and last.g or frame.first)
  r.by_server[#r.by_server + 1] = { name = frame.server.short, files = now or 0 }
  if now and (not r.files or now > r.files) then
    r.files, r.files_how = now, how
    r.files_first = at(frame.first)
    r.files_where = { server = frame.server.short, from_ms = last and last.from_ms,
                      to_ms = last and last.to_ms }
  end
end

local function from_jmx(case, r)
  local all = {}
  for _, frame in ipairs(case:windows(METRICS)) do
    files_of(r, frame)
    table.move(frame.windows, 1, #frame.windows, #all + 1, all)
  end
  r.windows = all
  r.hit_percent = fall.percent(all)
  r.evicted = window.rate(all, "cache.evictions")
  r.jmx_filtered = window.sum(all, "read.filtered")
  r.jmx_returned = window.sum(all, "read.requests")
end

-- Scans grouped by table and label; only those that tell both numbers.
local function groups_of(scans)
  local groups, list = {}, {}
  for _, s in ipairs(scans) do
    if s.scanned and s.returned then
      local key = (s.table_name or "?") .. "\0" .. (s.label or "")
      local g = groups[key]
      if not g then
        g = { table_name = s.table_name, label = s.label, scans = {}, scanned = 0 }
        groups[key], list[#list + 1] = g, g
      end
      g.scans[#g.scans + 1] = s
      g.scanned = g.scanned + s.scanned
    end
  end
  table.sort(list, function(a, b) return a.scanned > b.scanned end)
  return list
end

local function medians(scans, from, to, field)
  local values = {}
  for i = from, to do values[#values + 1] = scans[i][field] end
  return window.quantile(values, 0.5)
end

-- The last scan that tells the medians, or the rows scanned alone.
local function typical(scans, from, r)
  local best
  for i = from, #scans do
    local s = scans[i]
    if s.scanned == r.scanned and (not best or s.returned == r.returned) then best = s end
  end
  return best
end

local function from_scans(case, r)
  local g = groups_of(case:scans())[1]
  if not g then return end
  local n = #g.scans
  local tenth = math.max(1, n // 10)
  r.queries, r.table_name, r.label = n, g.table_name, g.label
  for _, field in ipairs { "scanned", "returned", "filtered", "took_ms" } do
    r[field] = medians(g.scans, n - tenth + 1, n, field)
  end
  r.place = typical(g.scans, n - tenth + 1, r).place
  r.scanned_first = medians(g.scans, 1, tenth, "scanned")
  r.took_first = medians(g.scans, 1, tenth, "took_ms")
  r.rows = amp.rows { scanned = r.scanned, returned = r.returned, filtered = r.filtered }
end

--- Gathers the cost of reads.
---@param case hbdx.Case
---@return hbdx.ReadCost
function readcost.look(case)
  local r = { by_server = {} }
  from_jmx(case, r)
  from_scans(case, r)
  r.table_name = r.table_name or (require("hbdx.pattern.culprit").busiest_table(case,
    "table.read_requests"))
  return r
end

--- Whom it concerns, for the finding.
---@param r hbdx.ReadCost
---@param p table the playbook's parameters
---@return table
function readcost.affected(r, p)
  local servers = {}
  for _, s in ipairs(r.by_server) do
    if s.files >= p.files then servers[#servers + 1] = s.name end
  end
  return { servers = servers, tables = { r.table_name }, clients = {}, windows = {} }
end

--- The three factors that multiply, in words.
---@param r hbdx.ReadCost
---@return string? nil: one of them cannot be told
function readcost.split(r)
  local cells = readcost.cells(r)
  if not (r.files and r.hit_percent and cells) then return nil end
  return ("%.0f files x %.2f blocks missed x %.0f rows"):format(r.files, 1 - r.hit_percent / 100,
    cells)
end

--- Rows walked for one returned: of client scan metrics, else of the server's filter counter.
---@param r hbdx.ReadCost
---@return number? amplification
---@return string? how
function readcost.cells(r)
  if r.rows then return r.rows.amplification, "client scan metrics" end
  if r.jmx_filtered and r.jmx_returned and r.jmx_filtered > 0 then
    return (r.jmx_filtered + r.jmx_returned) / math.max(1, r.jmx_returned),
           "rows that filters dropped, against rows read (JMX)"
  end
end

--- What holds compaction back, by the configuration: minor compaction waits for more files than
-- HBase's own default.
---@param case hbdx.Case
---@return hbdx.SettingValue?
function readcost.held_back(case)
  local s = case:setting "hbase.hstore.compaction.min"
  local default = tonumber((require("hbdx.setting").default("hbase.hstore.compactionThreshold",
    (case:version())))) or 3
  if s and not s.is_default and (tonumber(s.value) or 0) > 2 * default then return s, default end
end

return readcost

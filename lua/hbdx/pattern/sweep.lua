--- The block cache swept by scans: gathers, over all servers, the windows in which it happened, who
-- scanned, whom it hurt, and what else it could have been.
local amp = require "hbdx.amp"
local culprit = require "hbdx.pattern.culprit"
local fall = require "hbdx.pattern.fall"
local nightly = require "hbdx.pattern.nightly"
local snippet = require "hbdx.pattern.snippet"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

local sweep = {}

local METRICS = { "cache.hits_caching", "cache.misses_caching", "cache.hits", "cache.misses",
  "cache.evictions", "rpc.full_scan", "scan.ops", "read.requests", "get.ops", "get.p99",
  "ipc.queue_general", "ipc.queue_read", "ipc.queue_scan", "compaction.output_bytes" }

---@class hbdx.Sweep
---@field low hbdx.Window[] of all servers, the worst first; each with percent and server
---@field other hbdx.Window[] the other windows of the servers that were swept
---@field spans hbdx.Span[]
---@field observed hbdx.Window[]
---@field servers hbdx.Server[] that were swept

local function tag(windows, server)
  for _, w in ipairs(windows) do w.server = server end
  return windows
end

local function append(list, more)
  table.move(more, 1, #more, #list + 1, list)
end

local function by_percent(a, b) return a.percent < b.percent end

-- The usual ratio of the swept servers, or of all when none was.
local function usual_of(seen, falls)
  local values = {}
  for _, r in ipairs(falls) do
    if r.usual and (#seen.servers == 0 or #r.low > 0) then values[#values + 1] = r.usual end
  end
  return window.quantile(values, 0.5)
end

--- Looks at every server's windows.
---@param case hbdx.Case
---@param p table the playbook's parameters
---@return hbdx.Sweep
function sweep.look(case, p)
  local falls = fall.find(case, case:windows(METRICS), p)
  local seen = { low = {}, other = {}, observed = {}, servers = {}, usable = 0, asked = 0,
    cold = 0 }
  local all = {}
  for _, r in ipairs(falls) do
    seen.usable, seen.asked = seen.usable + r.usable, seen.asked + r.asked
    seen.cold = seen.cold + #r.cold
    append(all, tag(r.low, r.server))
    append(all, tag(r.cold, r.server))
    append(all, tag(r.other, r.server))
    if #r.low > 0 then
      append(seen.low, r.low)
      append(seen.other, r.other)
      seen.servers[#seen.servers + 1] = r.server
    end
  end
  table.sort(all, by_percent)
  table.sort(seen.low, by_percent)
  seen.observed = all
  seen.worst, seen.worst_server = all[1], all[1] and all[1].server
  seen.usual = usual_of(seen, falls)
  seen.spans = window.spans(seen.low, 660000)
  seen.low_percent, seen.other_percent = fall.percent(seen.low), fall.percent(seen.other)
  seen.evicted = window.rate(seen.low, "cache.evictions")
  seen.evicted_else = window.rate(seen.other, "cache.evictions")
  seen.shown = #seen.low <= 3 and #seen.low > 1 and seen.low or {}
  return seen
end

--- Where a window is, for evidence.
---@param server hbdx.Server
---@param w hbdx.Span
---@return table
function sweep.place(server, w)
  return { server = server and server.short, from_ms = w.from_ms, to_ms = w.to_ms }
end

--- Where all low windows are.
---@param seen hbdx.Sweep
---@return table
function sweep.places(seen)
  local names = {}
  for i, s in ipairs(seen.servers) do names[i] = s.short end
  return { server = table.concat(names, ", "), from_ms = seen.spans[1].from_ms,
           to_ms = seen.spans[1].to_ms }
end

local SCANS = { { "rpc.full_scan", "full-scan RPCs" }, { "scan.ops", "scan RPCs" },
                { "read.requests", "rows read" } }

-- The sign of scans that grew most in the low windows: a sweep by ranges shows in the second or
-- third.
local function strongest_sign(seen)
  local best
  for _, sign in ipairs(SCANS) do
    local low, other = window.rate(seen.low, sign[1]), window.rate(seen.other, sign[1])
    if low and other and (low > 0 or other > 0) then
      local times = window.times(low, other)
      if not best or times > best.times then
        best = { words = sign[2], low = low, other = other, times = times }
      end
    end
  end
  return best
end

local function expect_scan_surge(f, seen, p)
  local sign = strongest_sign(seen)
  if not sign then return nil end
  return f:expect { claim = sign.words, observed = sign.low, baseline = sign.other, unit = "per_s",
                    at_least = math.max(p.scan_surge * sign.other, 0.01),
                    limit_text = ("%g x"):format(p.scan_surge), origin = "parameter scan_surge",
                    where = sweep.places(seen) }
end

-- Scan calls that touch the low windows.
local function scan_calls(case, seen)
  local list = {}
  for _, call in ipairs(case:calls { method = "Scan" }) do
    local table_name = culprit.table_of(call)
    if call.start_ms and not (table_name and table_name:find("^hbase:"))
       and window.touches(seen.spans, call.start_ms, call.start_ms + (call.proc_ms or 0)) then
      list[#list + 1] = call
    end
  end
  return list
end

-- The heaviest group that is not known to read past the cache.
local function first_caching(ranked)
  for _, group in ipairs(ranked) do
    if group.cache_blocks ~= 0 then return group end
  end
end

local function bytes_of(call) return math.max(call.response_bytes or 0, call.block_bytes or 0) end

local function suspect_of(case, f, seen)
  local calls = scan_calls(case, seen)
  local top = first_caching(culprit.rank(calls, bytes_of))
  if top then
    f:fact { claim = "slow-scan bytes",
             observed = ("%.0f %% from %s"):format(100 * top.share, culprit.words(top)),
             where = top.place }
    if top.cache_blocks == 1 then
      f:fact { claim = "its Scan says", observed = "cache_blocks: true",
               where = top.cache_place }
    end
  end
  local table_name, share = culprit.busiest_table(case, "table.read_requests")
  if table_name and not (top and top.table_name) then
    f:fact { claim = "rows read, by table", observed = ("%.0f %% from %s"):format(100 * share,
      table_name) }
    top = top or { server_ids = {} }
    top.table_name = table_name
  end
  if not (top and top.client) then
    f:missing("client that scans",
      "RegionServer logs of that time with hbase.ipc.warn.response.time near your SLO, "
      .. "or the ring buffer")
  end
  return top, top and top.calls or 0
end

--- Whether scans ran in the low windows, and whose. false: they did not; nil: it cannot be seen.
---@return boolean? ran
---@return hbdx.Culprit? suspect
function sweep.scans(case, f, seen, p)
  local ran = expect_scan_surge(f, seen, p)
  local suspect, calls = suspect_of(case, f, seen)
  if calls > 0 then ran = true end
  return ran, suspect
end

--- What the low windows did to Gets. True: their p99 rose.
---@return boolean
function sweep.harm(f, seen)
  local p99, at = window.worst(seen.low, "get.p99")
  local usual = window.usual(seen.other, "get.p99")
  local hurt = p99 and usual and p99 >= 2 * usual and p99 - usual >= 5 or false
  if p99 and usual then
    f:fact { claim = "p99 Get", observed = p99, baseline = usual, unit = "ms",
             where = sweep.place(at.server, at) }
  end
  local a, b = window.rate(seen.low, "get.ops"), window.rate(seen.other, "get.ops")
  if a and b and b > 0 and a < 0.8 * b then
    f:fact { claim = "Gets served", observed = a, baseline = b, unit = "per_s",
             where = sweep.places(seen) }
  end
  for _, name in ipairs { "ipc.queue_read", "ipc.queue_general" } do
    local q, w = window.worst(seen.low, name)
    local else_q = window.usual(seen.other, name)
    if q and else_q and q >= 5 and q >= 3 * else_q then
      f:fact { claim = name == "ipc.queue_read" and "reads waiting" or "calls waiting",
               observed = q, baseline = else_q, where = sweep.place(w.server, w) }
      break
    end
  end
  return hurt
end

--- Other explanations, each with what speaks against it.
function sweep.alternatives(_, f, seen)
  local a = window.rate(seen.low, "compaction.output_bytes")
  local b = window.rate(seen.other, "compaction.output_bytes")
  if a and b and a <= 2 * b then
    f:rule_out("compaction", "it wrote no more in these windows than in others")
  end
  local restarts = 0
  for _, w in ipairs(seen.low) do
    for _, q in pairs(w.why) do restarts = restarts + (q == "restart" and 1 or 0) end
  end
  if restarts == 0 then f:rule_out("restart", "start codes are unchanged across these windows") end
  if seen.cold > 0 then
    f:rule_out("a cold cache",
      units.plural(seen.cold, "other window") .. " fell without evictions")
  end
end

---@return table affected of the finding
function sweep.affected(case, seen, suspect, r)
  local servers = {}
  for i, s in ipairs(seen.servers) do servers[i] = s.short end
  local windows = nightly.affected(case, seen.spans, r)
  return { servers = servers, tables = { suspect and suspect.table_name },
           clients = { suspect and suspect.client }, windows = windows }
end

local function queue_fix(case)
  local count = case:setting "hbase.regionserver.handler.count"
  local handlers = count and math.tointeger(count.value) or 30
  local factor = case:setting "hbase.ipc.server.callqueue.handler.factor"
  local version = case:version() or "2.5"
  local q = amp.queues { handlers = handlers, factor = factor and factor.value or 0.1,
                         read_ratio = 0.6, scan_ratio = 0.3, version = version }
  return {
    what = "give scans call queues of their own (restart of the RegionServers)",
    snippet = snippet.properties("hbase.ipc.server.callqueue.read.ratio", "0.6",
                                 "hbase.ipc.server.callqueue.scan.ratio", "0.3"),
    why = "a flood of scans then exhausts only the scan handlers; the cache is not saved by it",
    expected = q and ("of %d handlers: %d write, %d get, %d scan"):format(handlers,
      q.write.handlers,
      q.read.handlers, q.scan.handlers) or nil,
    risk = "handlers of an idle kind cannot help the others; watch the queue lengths per kind",
  }
end

---@return hbdx.Fix[]
function sweep.fixes(case, suspect, usual)
  local where = suspect and suspect.client and "in the job on " .. suspect.client
    or "in the scanning job"
  local fixes = {
    { what = where, snippet = "scan.setCacheBlocks(false)",
      why = "blocks that this scan reads are then not put into the cache",
      expected = usual .. "; no restart", risk = "none known", now = true },
    queue_fix(case),
  }
  if suspect and suspect.table_name then
    fixes[#fixes + 1] = { what = "if the job cannot change: throttle its user on that table",
      snippet = ("set_quota TYPE => THROTTLE, USER => '...',\n"
              .. "  TABLE => '%s', LIMIT => '100req/sec'"):format(suspect.table_name),
      why = "a slower scan replaces fewer blocks at a time", risk = "the job runs longer" }
  end
  return fixes
end

return sweep

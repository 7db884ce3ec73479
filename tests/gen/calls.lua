--- Slow and large calls: their lines in the log and their records in the ring buffer, as 2.4, 2.5,
-- 2.6 and 1.4.13 write them.
local java = require "gen.java"

local calls = {}

---@class gen.call
---@field start integer -- ms, when a handler took it
---@field proc integer -- ms
---@field queue integer -- ms
---@field bytes integer -- of the response
---@field method string -- "Scan", "Get", "Mutate", "Multi"
---@field client string -- "address:port"
---@field user string
---@field region gen.region
---@field row string? -- Get, Mutate, Multi
---@field actions integer? -- Multi
---@field deletes boolean? -- Multi: its mutations are deletes
---@field scanner string? -- a next(): the scanner's id
---@field seq integer? -- a next(): next_call_seq
---@field scan table? -- start, stop, families, filter, caching, cache_blocks, max_bytes
---@field block_bytes integer?

local CLASS = {
  Scan = "ClientProtos$ScanRequest", Get = "ClientProtos$GetRequest",
  Mutate = "ClientProtos$MutateRequest", Multi = "ClientProtos$MultiRequest",
}

local function call_name(server, method)
  local package = server.release >= 20 and "org.apache.hadoop.hbase.shaded.protobuf.generated."
    or "org.apache.hadoop.hbase.protobuf.generated."
  return string.format("%s(%s%s)", method, package, CLASS[method])
end

-- The raw name of a region is what a request carries.
local function raw_name(r)
  return string.format("%s,%s,%d.%s.", r.table, r.start, r.created, r.encoded)
end

local function scan_text(scan)
  local out = { 'attribute { name: "_isolationlevel_" value: "\\000" }' }
  if scan.families then
    table.insert(out, 1, string.format('column { family: "%s" }', scan.families))
  end
  if scan.start ~= "" then out[#out + 1] = 'start_row: "' .. java.proto(scan.start) .. '"' end
  if scan.stop then out[#out + 1] = 'stop_row: "' .. java.proto(scan.stop) .. '"' end
  if scan.filter then
    out[#out + 1] = string.format(
      'filter { name: "org.apache.hadoop.hbase.filter.%s" serialized_filter: "%s" }',
      scan.filter.name, java.proto(scan.filter.bytes))
  end
  out[#out + 1] = string.format("time_range { from: 0 to: 9223372036854775807 } max_versions: %d "
    .. "cache_blocks: %s max_result_size: %d caching: %d include_stop_row: false",
    scan.versions or 1, tostring(scan.cache_blocks), scan.max_bytes, scan.caching)
  return table.concat(out, " ")
end

-- The request in full.
local function scan_param(call)
  if call.scanner then
    return string.format("scanner_id: %s number_of_rows: %d close_scanner: false next_call_seq: %d "
      .. "client_handles_partials: true client_handles_heartbeats: true track_scan_metrics: false "
      .. "renew: false", call.scanner, call.scan.caching, call.seq)
  end
  return string.format('region { type: REGION_NAME value: "%s" } scan { %s } number_of_rows: %d '
    .. "close_scanner: false client_handles_partials: true client_handles_heartbeats: true "
    .. "track_scan_metrics: false", java.proto(raw_name(call.region)), scan_text(call.scan),
    call.scan.caching)
end

-- In the log: cut to 150 characters.
local function log_param(call)
  local text
  local region = java.binary(raw_name(call.region))
  if call.method == "Scan" then
    text = scan_param(call)
  elseif call.method == "Multi" then
    text = string.format("region= %s, for %d action(s) and 1st row key=%s", region, call.actions,
                         java.binary(call.row))
  else
    text = string.format("region= %s, row=%s", region, java.binary(call.row))
  end
  if #text > 150 then text = text:sub(1, 150) .. " <TRUNCATED>" end
  return text
end

-- In the ring buffer: whole, and slightly other words.
local function ring_param(server, call)
  local region = java.binary(raw_name(call.region))
  if call.method == "Scan" then return scan_param(call) end
  if call.method == "Multi" then
    return string.format("region= %s, for %d action(s)", region, call.actions)
  elseif call.method == "Get" or server.release >= 26 or server.version == "2.5.8" then
    return string.format("region= %s, row= %s", region, java.binary(call.row))
  end
  return "region= " .. region
end

-- Where the region of a scan stands in words, for scanners that the server still knows.
local function details(server, call)
  if call.method ~= "Scan" or (server.release < 20 and not call.scanner) then return nil end
  local text = string.format("table: %s region: %s", call.region.table, call.region.name)
  if call.scanner and server.release >= 25 then text = text .. " operation_id: null" end
  return text
end

-- Key orders are those of a Java HashMap with these keys.
local ORDER = { "call", "multi.gets", "starttimems", "responsesize", "method", "param",
  "processingtimems", "blockbytesscanned", "fsreadtime", "client", "multi.service_calls",
  "queuetimems", "class", "multi.mutations", "scandetails" }
local WIDE_ORDER = { "starttimems", "method", "processingtimems", "fsreadtime", "queuetimems",
  "call", "multi.gets", "responsesize", "param", "blockbytesscanned", "client",
  "multi.service_calls", "class", "multi.mutations" }

local function tag(server, call)
  local slow, large = call.proc > server.slow_ms, call.bytes > (server.large_bytes or 104857600)
  if slow and large and server.release > 20 then return "(responseTooLarge & TooSlow)" end
  return large and "(responseTooLarge)" or "(responseTooSlow)"
end

--- The JSON of a log line.
---@param server gen.server
---@param call gen.call
---@return string
function calls.json(server, call)
  local html, wide = server.release < 17, server.release >= 26
  local q = function(s) return java.quote(s, html) end
  local v = {
    call = q(call_name(server, call.method)), starttimems = '"' .. call.start .. '"',
    responsesize = '"' .. call.bytes .. '"', method = q(call.method), param = q(log_param(call)),
    processingtimems = call.proc, client = q(call.client), queuetimems = call.queue,
    class = '"HRegionServer"',
  }
  local scan = details(server, call)
  if scan then v.scandetails = q(scan) end
  if wide then
    v.blockbytesscanned = string.format('"%d"', call.block_bytes or call.bytes)
    v.fsreadtime = string.format('"%d"', call.proc // 3)
  end
  if call.method == "Multi" then
    v["multi.gets"], v["multi.service_calls"], v["multi.mutations"] = 0, 0, call.actions
  end
  local out = {}
  for _, key in ipairs(call.method == "Multi" and wide and WIDE_ORDER or ORDER) do
    if v[key] then out[#out + 1] = '"' .. key .. '":' .. v[key] end
  end
  return "{" .. table.concat(out, ",") .. "}"
end

--- The call ends: a line in the log when it was slow or large enough, and a record to dump.
---@param server gen.server
---@param call gen.call
function calls.finish(server, call)
  for _, name in ipairs { "start", "proc", "queue", "bytes" } do
    call[name] = math.floor(call[name])
  end
  if call.proc <= server.slow_ms and call.bytes <= (server.large_bytes or 104857600) then return end
  server.log:line(call.start + call.proc, "WARN",
    server:handler(call.method == "Multi" and "write" or "read"), "ipc.RpcServer",
    tag(server, call) .. ": " .. calls.json(server, call))
  server.ring = server.ring or {}
  table.insert(server.ring, call)
end

local function record(server, call)
  local out, html = {}, true
  local function add(name, text) out[#out + 1] = string.format('  "%s": %s', name, text) end
  add("startTime", call.start)
  add("processingTime", call.proc)
  add("queueTime", call.queue)
  add("responseSize", call.bytes)
  if server.release >= 26 then
    add("blockBytesScanned", call.block_bytes or call.bytes)
    add("fsReadTime", call.proc // 3)
  end
  add("clientAddress", java.quote(call.client, html))
  add("serverClass", '"HRegionServer"')
  add("methodName", java.quote(call.method, html))
  add("callDetails", java.quote(call_name(server, call.method), html))
  add("param", java.quote(ring_param(server, call), html))
  add("userName", java.quote(call.user, html))
  if call.method == "Multi" then add("multiMutationsCount", call.actions) end
  return "{\n" .. table.concat(out, ",\n") .. "\n}\n"
end

--- Ids of one server's scanners, ascending.
---@param s gen.server
---@return fun(): string
function calls.scanner_ids(s)
  local high, low = s.rng:int(0x10000000, 0x7FFFFFFF), s.rng:int(100000, 900000)
  return function()
    low = low + s.rng:int(1, 40)
    return string.format("%d", high << 32 | low)
  end
end

--- What get_slowlog_responses prints: newest first for each server, limit records each, of the
--- last 256 calls that had ended by t.
---@param servers gen.server[]
---@param t integer
---@param limit integer
---@return string
function calls.dump(servers, t, limit)
  local out = { "Retrieved SlowLog Responses from RegionServers\n" }
  for _, server in ipairs(servers) do
    local ended = {}
    for i, call in ipairs(server.ring or {}) do
      if call.start + call.proc <= t and call.proc > server.slow_ms then
        ended[#ended + 1] = { call = call, stop = call.start + call.proc, n = i }
      end
    end
    table.sort(ended, function(a, b)
      if a.stop ~= b.stop then return a.stop > b.stop end
      return a.n > b.n
    end)
    for i = 1, math.min(limit, 256, #ended) do out[#out + 1] = record(server, ended[i].call) end
  end
  out[#out + 1] = "Took 0.2146 seconds\n"
  return table.concat(out)
end

return calls

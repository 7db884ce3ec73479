--- Reads live servers over HTTP: narrow queries of /jmx, the clock of the server, /conf.
-- Never /jmx without a query: on a busy server that is megabytes, and its Runtime bean holds the
-- command line and class path. Values are cached by the server for 10 s, so two snapshots 11 s
-- apart are the least that shows a rate. What was asked is counted: it costs the cluster something.
local http = require "hbdx.core.http"
local json = require "hbdx.core.json"
local sys = require "hbdx.core.sys"

local collect = {}

local METRICS = "/jmx?qry=Hadoop:service=HBase,*"
local HEAP = "/jmx?get=java.lang:type=Memory::HeapMemoryUsage"
local START = "/jmx?get=java.lang:type=Runtime::StartTime"
local UPTIME = "/jmx?get=java.lang:type=Runtime::Uptime"
local CONF = "/conf"
local APART_MS, AGAIN_MS = 11000, 1500

local PAGES = { jmx = true, conf = true, ["rs-status"] = true, ["master-status"] = true,
  prometheus = true, dump = true, stacks = true, logs = true, logLevel = true }

--- The address of a server, without page, query and slash at the end.
---@param url string
---@return string? base
---@return string? message
function collect.base(url)
  local scheme, host, path = url:match("^(https?)://([^/?#]+)([^?#]*)")
  if not scheme then return nil, url .. ": is no http:// or https:// address with a host" end
  if host:find("@", 1, true) then
    return nil, "a password does not belong into an address: set HBDX_AUTH=user:password instead"
  end
  path = path:gsub("/+$", "")
  local page = path:match("/([^/]*)$")
  if PAGES[page] then path = path:sub(1, -#page - 2) end
  return scheme .. "://" .. host .. path
end

local function options(opts)
  return { connect_ms = opts.connect_ms, total_ms = opts.total_ms, deadline_ms = opts.deadline_ms,
    user = sys.getenv("HBDX_AUTH"), ca_file = opts.ca_file or sys.getenv("HBDX_CA_FILE"),
    negotiate = opts.negotiate }
end

--- Asks every server for every page at once; the answers come back as answers[base][page].
local function ask(cost, bases, pages, opts)
  local urls, answers = {}, {}
  for _, base in ipairs(bases) do
    answers[base] = {}
    for _, page in ipairs(pages) do urls[#urls + 1] = base .. page end
  end
  local replies, message, code = http.get(urls, options(opts))
  for i, url in ipairs(urls) do
    local base = bases[(i - 1) // #pages + 1]
    local reply = replies and replies[i] or { error = message, code = code }
    answers[base][url:sub(#base + 1)] = reply
    cost.requests = cost.requests + 1
    cost.bytes = cost.bytes + #(reply.body or "")
    cost.server_ms = cost.server_ms + (reply.took_ms or 0)
  end
  return answers
end

--- The number of a get= answer, which is one bean with one attribute; nil: it is not there.
local function attribute(reply, name)
  local doc = not reply.error and json.decode(reply.body, { lenient = true })
  local bean = type(doc) == "table" and type(doc.beans) == "table" and doc.beans[1]
  return type(bean) == "table" and math.tointeger(bean[name]) or nil
end

--- When the snapshot was taken, and by whose clock.
local function moment(server, answers)
  server.start_ms = server.start_ms or (answers[START] and attribute(answers[START], "StartTime"))
  local uptime = attribute(answers[UPTIME], "Uptime")
  if server.start_ms and uptime then return server.start_ms + uptime, "server clock" end
  if answers[METRICS].date_ms then return answers[METRICS].date_ms, "Date header" end
  return sys.now_ms(), "this machine's clock"
end

local function fail(server, page, reply)
  local name, message = server.base .. page, reply.error
  if message:sub(1, #name + 2) == name .. ": " then message = message:sub(#name + 3) end
  server.failures[#server.failures + 1] = { name = name, error = message,
    code = reply.code or "net", optional = page ~= METRICS }
end

local function keep(server, page, reply, fields)
  if reply.error then return fail(server, page, reply) end
  fields.name = fields.name or server.base .. page
  fields.bytes = reply.body
  server.documents[#server.documents + 1] = fields
end

local function empty(reply)
  return not reply.error and #reply.body < 200 and not reply.body:find('"name"', 1, true)
end

--- While a server restarts its metrics system no bean is there: those servers are asked once more.
local function again(cost, bases, answers, opts)
  local gone = {}
  for _, base in ipairs(bases) do
    if empty(answers[base][METRICS]) then gone[#gone + 1] = base end
  end
  if #gone == 0 then return end
  sys.sleep_ms(AGAIN_MS)
  local second = ask(cost, gone, { METRICS, UPTIME }, opts)
  for _, base in ipairs(gone) do
    for page, reply in pairs(second[base]) do
      answers[base][page], cost.repeated = reply, cost.repeated + 1
    end
  end
end

local function snapshot(servers, answers, number, total)
  for base, server in pairs(servers) do
    local a = answers[base]
    local t_ms, origin = moment(server, a)
    local name = total > 1 and ("%s/jmx (%d of %d)"):format(base, number, total) or base .. "/jmx"
    keep(server, METRICS, a[METRICS], { kind = "jmx", name = name, t_ms = t_ms,
      t_origin = origin })
    if a[HEAP] then
      keep(server, HEAP, a[HEAP], { kind = "jmx", name = base .. "/jmx (heap)", t_ms = t_ms,
        t_origin = origin })
    end
    if a[CONF] then keep(server, CONF, a[CONF], { kind = "conf", name = base .. "/conf" }) end
  end
end

--- Servers that answered the first time: only they are asked again.
local function alive(bases, servers)
  local list = {}
  for _, base in ipairs(bases) do
    for _, document in ipairs(servers[base].documents) do
      if document.kind == "jmx" then
        list[#list + 1] = base
        break
      end
    end
  end
  return list
end

---@class hbdx.collected
---@field base string
---@field documents table[] {kind=, name=, bytes=, t_ms=, t_origin=}
---@field failures table[] {name=, error=, code=, optional=}

---@param bases string[] addresses as collect.base gives them, each once
---@param opts table? snapshots= (2), apart_ms= (11000), connect_ms=, total_ms=, deadline_ms=,
--- ca_file=, negotiate=, say=function(text)
---@return table<string, hbdx.collected> servers by address
---@return table cost {requests=, bytes=, server_ms=, repeated=}
function collect.fetch(bases, opts)
  opts = opts or {}
  local total, apart = opts.snapshots or 2, opts.apart_ms or APART_MS
  local cost, servers = { requests = 0, bytes = 0, server_ms = 0, repeated = 0 }, {}
  for _, base in ipairs(bases) do servers[base] = { base = base, documents = {}, failures = {} } end
  local asked, pages = bases, { METRICS, START, UPTIME, HEAP, CONF }
  for number = 1, total do
    if number > 1 then
      asked, pages = alive(bases, servers), { METRICS, UPTIME, HEAP }
      if #asked == 0 then break end
      if opts.say then
        opts.say(("waiting %d s for snapshot %d of %d: rates need two that are not cached"):format(
          apart // 1000, number, total))
      end
      sys.sleep_ms(apart)
    end
    local answers, some = ask(cost, asked, pages, opts), {}
    again(cost, asked, answers, opts)
    for _, base in ipairs(asked) do some[base] = servers[base] end
    snapshot(some, answers, number, total)
  end
  return servers, cost
end

return collect

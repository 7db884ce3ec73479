--- A digest against one that was saved before: which groups are new, gone, worse and better. Two
-- digests seldom cover the same time, so processing is compared per hour of what was read.
local json = require "hbdx.core.json"
local judge = require "hbdx.slowlog.judge"
local sys = require "hbdx.core.sys"
local text = require "hbdx.core.text"
local time = require "hbdx.core.time"

local M = {}

local FORMAT, VERSION = "hbdx slowlog digest", 1
local MOST_BYTES = 256 << 20

M.factor, M.calls = judge.factor, judge.calls

---@class hbdx.SlowSaved
---@field by string[]
---@field groups table[] { ident, calls, proc_ms = sum?, p95 = ms? }
---@field calls integer
---@field proc_ms integer
---@field read_ms integer
---@field unread integer sources that could not be read then
---@field first string? of its calls, RFC 3339
---@field last string?

---@class hbdx.SlowCompared
---@field file string
---@field saved hbdx.SlowSaved? nil: there was none yet
---@field new hbdx.SlowGroup[]
---@field gone table[] saved groups
---@field worse hbdx.SlowPair[]
---@field better hbdx.SlowPair[]
---@field same integer
---@field overlap hbdx.SlowOverlap? nil: both cannot have the same calls

-- Text as it survives JSON: what is not UTF-8 would become the same mark everywhere.
local function safe(v) return type(v) == "string" and text.escape(v) or v end

local function name_of(n, ident)
  local parts = {}
  for i = 1, n do
    local v = safe(ident[i])
    parts[i] = v == nil and "-" or ("%d:%s"):format(#tostring(v), v)
  end
  return table.concat(parts)
end

--- The digest as a file keeps it.
---@param d hbdx.SlowDigest
---@param unread integer sources that could not be read
---@return string
function M.encode(d, unread)
  local groups = {}
  for i, g in ipairs(d.groups) do
    local ident = {}
    for k = 1, #d.by do ident[k] = g.ident[k] == nil and json.null or safe(g.ident[k]) end
    groups[i] = { key = json.array(ident), calls = g.calls, proc_ms_sum = g.proc_ms.sum,
                  proc_ms_p95 = g.proc_ms.p95 }
  end
  return json.encode(setmetatable({ format = FORMAT, version = VERSION, by = json.array(d.by),
    first = d.first_ms and time.format(d.first_ms), last = d.last_ms and time.format(d.last_ms),
    read_ms = d.read_ms, unread = unread, calls = d.calls, proc_ms_total = d.proc_ms,
    groups = json.array(groups) }, { __order = { "format", "version", "by", "first", "last" } }),
    { indent = 1 }) .. "\n"
end

local function whole(v, may_lack)
  return v == nil and may_lack or math.type(v) == "integer" and v >= 0
end

local function good_group(g, n)
  if type(g) ~= "table" or type(g.key) ~= "table" or #g.key ~= n then return false end
  for _, v in ipairs(g.key) do
    if type(v) ~= "string" and math.type(v) ~= "integer" and v ~= json.null then return false end
  end
  return whole(g.calls) and whole(g.proc_ms_sum, true) and whole(g.proc_ms_p95, true)
end

local function good_stamp(v) return v == nil or type(v) == "string" and time.parse(v) ~= nil end

-- What is wrong with a document; nil: nothing.
local function fault(doc)
  if type(doc) ~= "table" or doc.format ~= FORMAT then return "is no digest of hbdx slowlog" end
  if doc.version ~= VERSION then
    return ("is a digest of version %s, this hbdx knows %d"):format(
      text.escape(tostring(doc.version)), VERSION)
  end
  if type(doc.by) ~= "table" or type(doc.groups) ~= "table" then return "is damaged: by, groups" end
  for _, name in ipairs(doc.by) do
    if type(name) ~= "string" then return "is damaged: by" end
  end
  for _, name in ipairs { "calls", "proc_ms_total", "read_ms", "unread" } do
    if not whole(doc[name]) then return "is damaged: " .. name end
  end
  if not good_stamp(doc.first) or not good_stamp(doc.last) then return "is damaged: first, last" end
  for i, g in ipairs(doc.groups) do
    if not good_group(g, #doc.by) then return "is damaged: group " .. i end
  end
end

local function told(v)
  if v == json.null then return nil end
  return v
end

local function saved_of(doc)
  local saved = { by = doc.by, calls = doc.calls, proc_ms = doc.proc_ms_total,
    read_ms = doc.read_ms, unread = doc.unread, first = doc.first, last = doc.last, groups = {} }
  for i, g in ipairs(doc.groups) do
    local ident = {}
    for k = 1, #doc.by do ident[k] = told(g.key[k]) end
    saved.groups[i] = { ident = ident, calls = g.calls, proc_ms = g.proc_ms_sum,
      p95 = g.proc_ms_p95 }
  end
  return saved
end

--- Reads a digest that was saved before. nil without a message: there is none yet.
---@param path string
---@param by string[] what the digest that it is compared with is grouped by
---@return hbdx.SlowSaved? saved
---@return string? message
---@return string? code "usage": it is grouped by something else
function M.load(path, by)
  local bytes, message, code = sys.read(path, MOST_BYTES)
  if not bytes then
    if code == "notfound" then return nil end
    return nil, message, code
  end
  local doc, why = json.decode(bytes)
  if doc == nil and not bytes:find "^%s*{" then
    return nil, ("%s is no digest that --since-last wrote; name another file"):format(path), "parse"
  end
  local wrong = doc == nil and "is damaged: " .. why or fault(doc)
  if wrong then
    return nil, ("%s %s; remove it, or name another file"):format(path, wrong), "parse"
  end
  if table.concat(doc.by, ",") ~= table.concat(by, ",") then
    return nil, ("%s is grouped by %s; give --by %s, or another file"):format(path,
      table.concat(doc.by, ","), table.concat(doc.by, ",")), "usage"
  end
  return saved_of(doc)
end

local function put(lists, name, g)
  lists[name] = lists[name] or {}
  table.insert(lists[name], g)
end

-- The values of a group but for its shape.
local function without_shape(by, ident)
  local rest = {}
  for i, name in ipairs(by) do rest[i] = name ~= "shape" and ident[i] or nil end
  return name_of(#by, rest)
end

local function shape_of(by, ident)
  for i, name in ipairs(by) do
    if name == "shape" then return ident[i] end
  end
end

-- A group whose shape one of the digests does not tell is the same group, where there is no other
-- that it could be.
local function loose(by, now, before)
  local olds, news, pairs_ = {}, {}, {}
  for _, g in ipairs(before) do put(olds, without_shape(by, g.ident), g) end
  for _, g in ipairs(now) do put(news, without_shape(by, g.ident), g) end
  for name, list in pairs(news) do
    local old = olds[name]
    if old and #list == 1 and #old == 1
      and not (shape_of(by, list[1].ident) and shape_of(by, old[1].ident)) then
      pairs_[list[1]], pairs_[old[1]] = old[1], list[1]
    end
  end
  return pairs_
end

-- Which saved group each group is, and the other way round.
local function matches(by, now, before)
  local by_name, pairs_, left, left_before = {}, {}, {}, {}
  for _, g in ipairs(before) do by_name[name_of(#by, g.ident)] = g end
  for _, g in ipairs(now) do
    local old = by_name[name_of(#by, g.ident)]
    if old then
      pairs_[g], pairs_[old] = old, g
    else
      left[#left + 1] = g
    end
  end
  for _, g in ipairs(before) do
    if not pairs_[g] then left_before[#left_before + 1] = g end
  end
  for g, other in pairs(loose(by, left, left_before)) do pairs_[g] = other end
  return pairs_
end

--- Compares.
---@param d hbdx.SlowDigest
---@param saved hbdx.SlowSaved? nil: there is none yet
---@param file string its name
---@return hbdx.SlowCompared
function M.diff(d, saved, file)
  local out = { file = file, saved = saved, by = d.by, read_ms = d.read_ms, new = {}, gone = {},
                worse = {}, better = {}, same = 0 }
  if not saved then return out end
  local match = matches(d.by, d.groups, saved.groups)
  for _, g in ipairs(d.groups) do
    local pair = match[g] and judge.pair(d, g, saved, match[g])
    local verdict = not pair and "new" or pair.verdict
    if verdict then
      table.insert(out[verdict], pair or g)
    else
      out.same = out.same + 1
    end
  end
  for _, g in ipairs(saved.groups) do
    if not match[g] then table.insert(out.gone, g) end
  end
  return out
end

local function side(calls, sum, p95, hourly)
  return { calls = calls, proc_ms_sum = sum, proc_ms_p95 = p95, proc_ms_per_hour = hourly }
end

--- The comparison for machines; on the first run `since` is null.
---@param compared hbdx.SlowCompared
---@return table
function M.object(compared)
  local named, saved = require("hbdx.slowlog.json").named, compared.saved
  local out = { file = compared.file, factor = M.factor, min_calls = M.calls,
    read_ms = compared.read_ms, same = compared.same, since = json.null }
  if saved then
    out.since = { calls = saved.calls, proc_ms_total = saved.proc_ms, read_ms = saved.read_ms,
      first = saved.first, last = saved.last, unread = saved.unread }
  end
  local over = compared.overlap
  if over then
    out.overlap = { ["until"] = time.format(over.until_ms),
      from = over.from or json.null }
  end
  local function list(from, fill)
    local groups = {}
    for i, item in ipairs(from) do
      groups[i] = named(compared.by, (item.now or item).ident)
      fill(groups[i], item)
    end
    return json.array(groups)
  end
  local function both(g, p)
    local hourly, p95 = p.measures[1], p.measures[2]
    g.before = side(p.before.calls, p.before.proc_ms, p.before.p95, hourly.before)
    g.now = side(p.now.calls, p.now.proc_ms.sum, p.now.proc_ms.p95, hourly.now)
    g.proc_times, g.p95_times, g.decided_by = hourly.times, p95.times, json.array {}
    for _, m in ipairs(p.measures) do
      if m.decides then
        table.insert(g.decided_by, { measure = m.name, before = m.before, now = m.now,
          times = m.times })
      end
    end
  end
  out.new = list(compared.new, function(g, now)
    g.now = side(now.calls, now.proc_ms.sum, now.proc_ms.p95)
  end)
  out.gone = list(compared.gone, function(g, old)
    g.before = side(old.calls, old.proc_ms, old.p95)
  end)
  out.worse, out.better = list(compared.worse, both), list(compared.better, both)
  return out
end

return M

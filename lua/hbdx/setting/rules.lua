--- What HBase makes of a value: fallbacks to older names, bounds that it keeps silently, and
-- settings whose default is worked out of others. Called through hbdx.setting.effective.
local rules = {}

local MEMSTORE <const> = "hbase.regionserver.global.memstore.size"
local LOWER <const> = MEMSTORE .. ".lower.limit"
local OLD_LOWER <const> = "hbase.regionserver.global.memstore.lowerLimit"
local MIN <const> = "hbase.hstore.compaction.min"
local OLD_MIN <const> = "hbase.hstore.compactionThreshold"
local FLUSH <const> = "hbase.hregion.memstore.flush.size"

--- One name as it is set, or nil.
local function set(ctx, name)
  local text, origin = ctx.lookup(name)
  if text == nil or text == "" then return nil end
  return { name = name, text = text, value = ctx.setting.typed(name, text),
    origin = origin or "set" }
end

local function default(ctx, name)
  local text, origin = ctx.setting.default(name, ctx.version)
  if text == nil then return nil end
  return { name = name, text = text, value = ctx.setting.typed(name, text), origin = origin }
end

local function readable(ctx, found)
  if not found or found.value ~= nil then return found end
  local other = default(ctx, found.name)
  found.value = other and other.value
  found.note = ("%q cannot be read: HBase would fail on it"):format(found.text)
  return found
end

--- The setting itself, else one of its other names, else its default.
local function plain(ctx, name)
  local entry = ctx.setting.get(name)
  local found = set(ctx, name)
  for _, other in ipairs(entry and { entry.name, table.unpack(entry.aliases) } or {}) do
    found = found or set(ctx, other)
  end
  return readable(ctx, found or default(ctx, name))
end

local function number(v)
  if math.type(v) == "float" then return ("%g"):format(v) end
  return tostring(v)
end

local function derived(ctx, name, v, note)
  local from = set(ctx, name)
  if from then return from end
  return v and { name = name, text = number(v), value = v, origin = "worked out by HBase",
    note = note }
end

local function bounded(found, good, replacement, note)
  if good then return found end
  return { name = found.name, text = number(replacement), value = replacement,
    origin = found.origin, note = note }
end

local function memstore(ctx)
  local found = plain(ctx, MEMSTORE)
  local v = found.value
  return bounded(found, type(v) == "number" and v > 0 and v <= 0.8, 0.4,
    ("%s is not above 0 and at most 0.8: HBase takes 0.4"):format(found.text))
end

local function lower_limit(ctx)
  local own = readable(ctx, set(ctx, LOWER))
  if own then
    return bounded(own, own.value and own.value <= 1, 1, "more than 1: HBase takes 1")
  end
  local old = set(ctx, OLD_LOWER)
  if not (old and old.value) then return plain(ctx, LOWER) end
  local upper = memstore(ctx).value
  local share = math.min(old.value, upper) / upper
  return { name = OLD_LOWER, text = old.text, value = share, origin = old.origin,
    note = ("the older name is a part of the heap: %g of %g is %.3g of the global memstore")
      :format(old.value, upper, share) }
end

local function compaction_min(ctx)
  local own, old = set(ctx, MIN), set(ctx, OLD_MIN)
  local shipped = ctx.branch == "2.0" or ctx.branch == "2.1"
  local found = own or not shipped and old or default(ctx, MIN)
  if not own and old and shipped then
    found.note = OLD_MIN .. " has no effect in " .. ctx.branch
      .. ": the shipped defaults set the newer name"
  end
  return bounded(found, type(found.value) == "number" and found.value >= 2, 2,
    "HBase takes at least 2")
end

local function share(ctx, name)
  return math.max(0, math.min(1, plain(ctx, "hbase.ipc.server.callqueue." .. name).value))
end

local function queue_length(ctx)
  local handlers = math.max(1, plain(ctx, "hbase.regionserver.handler.count").value // 1 | 0)
  if ctx.number < 205 then
    return derived(ctx, "hbase.ipc.server.max.callqueue.length", 10 * handlers, "10 x handlers")
  end
  local queues = require("hbdx.amp").queues {
    handlers = handlers, version = ctx.branch,
    factor = share(ctx, "handler.factor"), read_ratio = share(ctx, "read.ratio"),
    scan_ratio = share(ctx, "scan.ratio"),
  }
  return derived(ctx, "hbase.ipc.server.max.callqueue.length",
    queues and 10 * (handlers // queues.total), "10 x handlers of a queue")
end

local function as(other)
  return function(ctx, name)
    local from = plain(ctx, other)
    return set(ctx, name) or from and { name = other, text = from.text, value = from.value,
      origin = from.origin, note = "not set: as " .. other }
  end
end

local RULES = {
  [MEMSTORE] = memstore,
  [LOWER] = lower_limit,
  [MIN] = compaction_min,
  ["hbase.hstore.compaction.min.size"] = as(FLUSH),
  ["hbase.regionserver.thread.compaction.throttle"] = function(ctx, name)
    return derived(ctx, name, 2 * plain(ctx, "hbase.hstore.compaction.max").value
      * plain(ctx, FLUSH).value, "2 x compaction.max x flush size")
  end,
  ["hbase.ipc.server.max.callqueue.length"] = queue_length,
  ["hbase.ipc.warn.response.time.scan"] = as("hbase.ipc.warn.response.time"),
  ["hbase.ipc.warn.response.size.scan"] = as("hbase.ipc.warn.response.size"),
  ["hbase.client.pause.server.overloaded"] = as("hbase.client.pause"),
}

---@param setting table the module hbdx.setting
---@param name string
---@param lookup fun(name: string): string?, string?
---@param given string|hbdx.Version|nil
---@return hbdx.Effective?
function rules.effective(setting, name, lookup, given)
  local v = setting.version_from(given)
  local ctx = { setting = setting, lookup = lookup, version = given, branch = v.branch,
    number = v.number }
  local entry = setting.get(name) or setting.older(name)
  local rule = entry and RULES[entry.name]
  return rule and rule(ctx, entry.name) or plain(ctx, name)
end

return rules

--- hbdx explain: what a name means, be it a metric of ours, an attribute of HBase, a setting, an
-- event, a verdict, a function of amp, or a word that reports use.
local check = require "hbdx.check"
local doc = require "hbdx.amp.doc"
local eventdoc = require "hbdx.eventdoc"
local glossary = require "hbdx.glossary"
local metric = require "hbdx.metric"
local page = require "hbdx.explain.page"
local setting = require "hbdx.setting"

local explain = {}

local function amp_name(name)
  return doc[name] and name or doc[name:match("^amp%.([%w_]+)$") or ""] and name:match("%.(.*)$")
end

-- "Get_95th_percentile" -> the metrics that are read from some figure of the histogram Get
local function of_histogram(attribute)
  local base = attribute:match("^(.-)_[%w.]+_?percentile$") or attribute:match("^(.+)_%a+_?%a*$")
  for _, suffix in ipairs(base and { "_num_ops", "_mean", "_99th_percentile", "_max" } or {}) do
    local list = metric.spelled(base .. suffix)
    if #list > 0 then return list end
  end
  return {}
end

local UNITS = { { "_ms$", "in milliseconds" }, { "_bytes$", "in bytes" }, { "_mb$", "in MB" } }

-- A field of events, which JSON lines have by that name.
local function of_field(name)
  local kinds = eventdoc.having(name)
  if #kinds == 0 then return nil end
  local unit = ""
  for _, u in ipairs(UNITS) do
    if name:find(u[1]) then unit = ", " .. u[2] end
  end
  return page.word(name, { ("A field of events%s, where their lines tell it: hbdx events --format "
    .. "jsonl has it by this name."):format(unit), table.unpack(kinds) })
end

--- Pages that a name could mean, the likeliest first.
local function pages(name)
  local list = {}
  local function add(one) list[#list + 1] = one end
  if metric.get(name) then add(page.metric(metric.get(name))) end
  local known = setting.get(name)
  if known then add(page.setting(known, name)) end
  if not known and setting.older(name) then add(page.setting(setting.older(name), name)) end
  if eventdoc.get(name) then add(page.event(eventdoc.get(name))) end
  if glossary[name] then
    local kinds = name == "event" and table.concat(eventdoc.names(), " ") or nil
    add(page.word(name, glossary[name], kinds))
  end
  if amp_name(name) then add(page.amp(amp_name(name), doc[amp_name(name)])) end
  for _, m in ipairs(metric.spelled(name)) do add(page.metric(m)) end
  if #list == 0 then add(of_field(name)) end
  for _, m in ipairs(#list == 0 and of_histogram(name) or {}) do add(page.metric(m, name)) end
  return list
end

-- A playbook, whose own command tells more.
local function of_playbook(id)
  local book = (require("hbdx.playbook").select((require("hbdx.playbook").all()), id) or {})[1]
  if not book or book.id ~= id then return {} end
  return { page.word(id, { ("A playbook: %s. hbdx playbook show %s tells what it needs, how it "
    .. "judges, and its parameters."):format(book.title, id), "playbook" }) }
end

--- Everything that can be explained, sorted: for completion.
---@return string[]
function explain.names()
  local set, names = {}, {}
  local function take(list)
    for _, name in ipairs(list) do set[name] = true end
  end
  take(metric.names())
  take(metric.attributes())
  take(setting.names())
  take(eventdoc.names())
  set.slow_call = true
  for name in pairs(glossary) do set[name] = true end
  for name in pairs(doc) do set["amp." .. name] = true end
  for name in pairs(set) do names[#names + 1] = name end
  table.sort(names)
  return names
end

--- Names that look like one.
---@param name string
---@return string[] at most 5
function explain.near(name)
  return check.near(name, explain.names())
end

--- The name as we have it, whatever its letter case; or the one name that ends with it after a dot.
local function as_written(name)
  local low, ending, n = "." .. name:lower(), nil, 0
  for _, other in ipairs(explain.names()) do
    local dotted = "." .. other:lower()
    if dotted == low then return other end
    if dotted:sub(-#low) == low then ending, n = other, n + 1 end
  end
  return n == 1 and ending or name
end

--- What a name means, in lines of at most 80 columns.
---@param name string
---@return string? text
---@return string[]? near what was perhaps meant
function explain.text(name)
  local words = name:match("^%s*(.-)%s*$")
  local list = pages(words)
  if #list == 0 then list = pages(as_written(words)) end
  if #list == 0 then list = pages((words:lower():gsub("[%s-]+", "_"))) end
  if #list == 0 then list = pages((words:lower():gsub("s$", ""))) end
  if #list == 0 then list = pages(words:match "^(.-)%s*[,(]" or "") end -- "periodic (old edit)"
  if #list == 0 then list = of_playbook(words) end
  if #list == 0 then return nil, explain.near(words) end
  return table.concat(list, "\n")
end

--- Runs `hbdx explain`.
---@param argv string[] the words after "explain": one name
---@return integer status 0, or 2: no such name
function explain.main(argv)
  local name = table.concat(argv, " ")
  if name == "" then
    io.stderr:write("usage: hbdx explain NAME\n",
      "NAME is a metric, an attribute of /jmx, a setting, an event, a verdict or a word:\n",
      "  hbdx explain cache.evictions\n  hbdx explain hbase.hstore.blockingStoreFiles\n")
    return 2
  end
  local text, near = explain.text(name)
  if text then
    io.stdout:write(text)
    return 0
  end
  require("hbdx.say").error(("nothing here is called '%s'%s"):format(name,
    #near > 0 and "; perhaps " .. table.concat(near, ", ") or ""))
  return 2
end

return explain

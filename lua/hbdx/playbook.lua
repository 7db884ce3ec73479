--- Playbooks: one file each, one returned table, checked when it is loaded. The file runs in a
-- private environment with what a diagnosis needs and nothing that touches the machine.
local check = require "hbdx.check"

local playbook = {}

---@class hbdx.Param
---@field name string
---@field type "integer"|"number"|"boolean"|"string"|"duration"
---@field default any
---@field min number?
---@field max number?
---@field help string

---@class hbdx.Playbook
---@field id string the file's name without ".lua"
---@field title string
---@field category string
---@field severity string? of a firing, unless the finding says otherwise
---@field symptoms string[]
---@field needs (string|string[])[] each a need of Case:has, or alternatives of which one suffices
---@field params hbdx.Param[]
---@field about string? how it judges, when it errs
---@field diagnose fun(case: hbdx.Case, p: table): hbdx.Finding
---@field path string where it was loaded from

local FIELDS = { id = "string", title = "string", category = "string", severity = "string|nil",
  symptoms = "table", needs = "table", params = "table|nil", about = "string|nil",
  references = "table|nil", diagnose = "function" }
local PARAM = { name = "string", type = "string", default = "any", min = "number|nil",
  max = "number|nil", help = "string" }
local PARAM_TYPES = { integer = "integer", number = "number", boolean = "boolean",
  string = "string",
  duration = "number" }

-- What a playbook may require; all of it is pure.
local ALLOWED = { ["hbdx.finding"] = true, ["hbdx.units"] = true, ["hbdx.amp"] = true }

local function copy(t, without)
  local out = {}
  for k, v in pairs(t) do
    if not (without and without[k]) then out[k] = v end
  end
  return out
end

local function deep_copy(t, done)
  if type(t) ~= "table" then return t end
  done = done or {}
  if not done[t] then
    done[t] = {}
    for k, v in pairs(t) do done[t][k] = deep_copy(v, done) end
  end
  return done[t]
end

-- Every playbook has a `require` of its own: what one changes in a module, no other one sees.
local function requirer()
  local loaded = {}
  return function(name)
    local ok = type(name) == "string"
      and (ALLOWED[name] or name:find("^hbdx%.pattern%.[%w_]+$") ~= nil)
    if not ok then
      error(("a playbook may not require '%s': only hbdx.finding, hbdx.units, hbdx.amp and "
             .. "hbdx.pattern.*"):format(tostring(name)), 2)
    end
    if not loaded[name] then
      local found, module = pcall(require, name)
      if not found then error(("there is no module '%s'"):format(name), 2) end
      loaded[name] = deep_copy(module)
    end
    return loaded[name]
  end
end

-- The string functions that search or repeat are replaced by ones that a deadline can interrupt.
local function string_library()
  local lib = copy(string, { dump = true })
  for name, fn in pairs(require "hbdx.core.pattern") do lib[name] = fn end
  return lib
end

local function environment()
  return { assert = assert, error = error, ipairs = ipairs, next = next, pairs = pairs,
           pcall = pcall, select = select, tonumber = tonumber, tostring = tostring, type = type,
           math = copy(math), table = copy(table), utf8 = copy(utf8), string = string_library(),
           require = requirer() }
end

local function fail(path, fmt, ...)
  return nil, path .. ": " .. fmt:format(...), "usage"
end

local function field_error(t, fields, prefix)
  local names = {}
  for name in pairs(fields) do names[#names + 1] = name end
  for key in pairs(t) do
    if not fields[key] then
      return ("unknown field '%s%s'%s"):format(prefix, key,
        type(key) == "string" and check.meant(key, names, "'%s'") or "")
    end
  end
  for key, kind in pairs(fields) do
    local got = math.type(t[key]) or type(t[key])
    if kind ~= "any" and not (kind:find(type(t[key]), 1, true) or kind:find(got, 1, true)) then
      return ("field '%s%s' must be a %s, it is a %s"):format(prefix, key, kind:gsub("|nil", ""),
        got)
    end
  end
end

local function param_error(list)
  for i, param in ipairs(list) do
    local prefix = ("params[%d]."):format(i)
    if type(param) ~= "table" then return prefix .. " must be a table" end
    local wrong = field_error(param, PARAM, prefix)
    if wrong then return wrong end
    local wanted = PARAM_TYPES[param.type]
    if not wanted then return ("field '%stype': there is no type '%s'"):format(prefix,
      param.type) end
    if (math.type(param.default) or type(param.default)) ~= wanted
       and type(param.default) ~= wanted then
      return ("field '%sdefault' must be a %s"):format(prefix, param.type)
    end
  end
end

local function needs_error(list)
  local known = { calls = true, events = true, scans = true, settings = true }
  local metric = require "hbdx.metric"
  for _, need in ipairs(list) do
    for _, one in ipairs(type(need) == "table" and need or { need }) do
      if not known[one] and not metric.get(one) then
        return ("field 'needs': no metric is called '%s'"):format(one)
      end
    end
  end
end

local function check_table(t, path)
  if type(t) ~= "table" then return fail(path, "a playbook returns one table, this is a %s",
    type(t)) end
  local wrong = field_error(t, FIELDS, "") or param_error(t.params or {}) or needs_error(t.needs)
  if wrong then return fail(path, "%s", wrong) end
  local id = path:match("([^/]+)%.lua$")
  if t.id ~= id then return fail(path, "field 'id' is '%s' but the file is called '%s'", t.id,
    id) end
  t.params, t.path, t.severity = t.params or {}, path, t.severity or "warning"
  return t
end

--- Loads one playbook.
---@param path string
---@return hbdx.Playbook? playbook
---@return string? message names the file and the field
---@return string? code
function playbook.load(path)
  check.arg("path", path, "string")
  local text, message, code = require("hbdx.core.sys").read(path, 1 << 20)
  if not text then return nil, message, code end
  local chunk, wrong = load(text, "@" .. path, "t", environment())
  if not chunk then return nil, wrong, "usage" end
  local ok, t = require("hbdx.core.guard").call(chunk,
    { memory_bytes = 64 << 20, deadline_ms = 2000 })
  if not ok then return fail(path, "it failed while loading: %s", t.message) end
  return check_table(t, path)
end

--- The folders that playbooks are looked for in, ours first.
---@param extra string[]? folders of --playbooks
---@return string[]
function playbook.folders(extra)
  local sys = require "hbdx.core.sys"
  local list = { sys.home() .. "/playbooks" }
  local config = sys.getenv "XDG_CONFIG_HOME"
  if not config or config == "" then
    local home = sys.getenv "HOME"
    config = home and home .. "/.config"
  end
  if config then list[#list + 1] = config .. "/hbdx/playbooks" end
  for folder in (sys.getenv "HBDX_PATH" or ""):gmatch("[^:]+") do list[#list + 1] = folder end
  for _, folder in ipairs(extra or {}) do list[#list + 1] = folder end
  return list
end

--- All playbooks of the folders, by id; a later folder's playbook replaces an earlier one of its
-- id.
---@param extra string[]? folders of --playbooks; one that does not exist is an error
---@return hbdx.Playbook[] list
---@return table[] errors { path, message, folder = true: it is one of `extra` that cannot be read }
function playbook.all(extra)
  local sys = require "hbdx.core.sys"
  local by_id, errors = {}, {}
  local folders = playbook.folders(extra)
  for i, folder in ipairs(folders) do
    local entries, message = sys.list(folder)
    if not entries and i > #folders - #(extra or {}) then
      errors[#errors + 1] = { path = folder, message = message, folder = true }
    end
    for _, entry in ipairs(entries or {}) do
      if entry.name:find("^[^.].*%.lua$") and not entry.name:find("_spec%.lua$") then
        local path = folder .. "/" .. entry.name
        local book, wrong = playbook.load(path)
        if book then by_id[book.id] = book else errors[#errors + 1] = { path = path,
          message = wrong } end
      end
    end
  end
  local list = {}
  for _, book in pairs(by_id) do list[#list + 1] = book end
  table.sort(list, function(a, b) return a.id < b.id end)
  return list, errors
end

local function glob(pattern)
  local lua = pattern:gsub("[%^%$%(%)%%%.%[%]%+%-]", "%%%0"):gsub("%*", ".*"):gsub("%?", ".")
  return "^" .. lua .. "$"
end

--- Picks playbooks by ids, globs or categories, comma-separated.
---@param list hbdx.Playbook[]
---@param wanted string "cache-eviction,flush-*,read-path"
---@return hbdx.Playbook[]? picked
---@return string? message
---@return string? code
function playbook.select(list, wanted)
  local picked, taken, names = {}, {}, {}
  for _, book in ipairs(list) do names[#names + 1] = book.id end
  for word in wanted:gmatch("[^,]+") do
    local found = false
    for _, book in ipairs(list) do
      if book.id:find(glob(word)) or book.category == word then
        found = true
        if not taken[book.id] then picked[#picked + 1], taken[book.id] = book, true end
      end
    end
    if not found then
      return nil, ("no playbook is called '%s'%s; hbdx playbook list shows them"):format(word,
        check.meant(word, names, "'%s'")), "usage"
    end
  end
  if #picked == 0 then return nil, "no playbook is named", "usage" end
  return picked
end

local function parse(param, text)
  if param.type == "string" then return text end
  if param.type == "boolean" then
    return ({ ["true"] = true, yes = true, ["1"] = true, ["false"] = false, no = false,
      ["0"] = false })[text]
  end
  if param.type == "duration" then
    local n, unit = text:match("^([%d.]+)(%a*)$")
    local scale = ({ ms = 1, s = 1000, m = 60000, h = 3600000, d = 86400000, [""] = 1 })[unit
      or "?"]
    return n and scale and tonumber(n) and tonumber(n) * scale
  end
  return (param.type == "integer" and math.tointeger or tonumber)(tonumber(text))
end

local function bounds_words(param)
  if param.min and param.max then return ("from %s to %s"):format(param.min, param.max) end
  return param.min and ("%s or more"):format(param.min) or ("%s or less"):format(param.max)
end

--- The parameters of a playbook: its defaults, and over them what was given.
---@param book hbdx.Playbook
---@param given table<string, string> texts by name; names of other playbooks are passed over
---@return table? values
---@return string? message
---@return string? code
function playbook.values(book, given)
  local values = {}
  for _, param in ipairs(book.params) do
    local text = given[param.name]
    local value = param.default
    if text ~= nil then
      value = parse(param, text)
      if value == nil then
        return nil, ("parameter %s of %s must be a %s, not '%s'"):format(param.name, book.id,
          param.type, text),
               "usage"
      end
    end
    if type(value) == "number" and (value < (param.min or -math.huge)
      or value > (param.max or math.huge)) then
      return nil, ("parameter %s of %s must be %s, not %s"):format(param.name, book.id,
        bounds_words(param), value), "usage"
    end
    values[param.name] = value
  end
  return values
end

return playbook

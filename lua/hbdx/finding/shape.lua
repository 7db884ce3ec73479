--- Whether what a playbook gave back is a finding in all its parts. Playbooks are anybody's: what
-- the reports, the ranking and JSON rely on is checked here, once, before they see it.
local units = require "hbdx.units"

local shape = {}

local OPTIONAL = { string = "string|nil", number = "number|nil" }

local WHERE = { server = OPTIONAL.string, file = OPTIONAL.string, metric = OPTIONAL.string,
  line = "integer|nil", from_ms = "time|nil", to_ms = "time|nil" }
local EVIDENCE = { claim = "string", observed = "number|string|nil", unit = "unit|nil",
  baseline = "number|string|nil", limit = "number|string|nil", relation = OPTIONAL.string,
  limit_text = OPTIONAL.string, origin = OPTIONAL.string, holds = "boolean|nil",
  where = "string|where|nil" }
local WINDOW = { from_ms = "time", to_ms = "time", text = "string" }
local FIX = { what = "string", snippet = OPTIONAL.string, why = "string",
  expected = OPTIONAL.string, risk = "string", now = "boolean|nil" }
local FINDING = { verdict = "verdict", severity = "severity|nil", title = OPTIONAL.string,
  cause = OPTIONAL.string, summary = OPTIONAL.string, verify = OPTIONAL.string,
  affected = "table" }

-- The lists of a finding, and of what is affected: what each of their elements is.
local LISTS = { evidence = EVIDENCE, fixes = FIX, caveats = "string",
  missing = { what = "string", get = "string" }, not_cause = { cause = "string", why = "string" } }
local AFFECTED = { servers = "string", tables = "string", clients = "string", windows = WINDOW }

local VERDICTS = { confirmed = true, likely = true, ruled_out = true, cannot_tell = true }
local SEVERITIES = { critical = true, warning = true, info = true }
local LATEST = 253e12 -- the year 9987, in milliseconds

local problem_in_fields

local KINDS = {
  verdict = function(v) return VERDICTS[v] end,
  severity = function(v) return SEVERITIES[v] end,
  unit = function(v) return units.known[v] end,
  integer = function(v) return math.type(v) == "integer" end,
  time = function(v)
    return math.type(v) == "integer" and v > -62e12 and v < LATEST
  end,
  where = function(v) return type(v) == "table" and not problem_in_fields(v, WHERE, "where") end,
}

local function is_one_of(v, kinds)
  for kind in kinds:gmatch("[^|]+") do
    local check = KINDS[kind]
    if check and v ~= nil and check(v) or not check and type(v) == kind then return true end
  end
  return false
end

function problem_in_fields(t, fields, name)
  for field, kinds in pairs(fields) do
    if not is_one_of(t[field], kinds) then
      local wanted = kinds:gsub("|nil", ""):gsub("|", " or ")
      return ("%s.%s must be a %s, it is %s"):format(name, field, wanted,
        type(t[field]) == "string" and "'" .. t[field]:sub(1, 40) .. "'" or tostring(t[field]))
    end
  end
end

local function unknown_field(t, fields, name)
  for key in pairs(t) do
    if not fields[key] then return ("%s has no field '%s'"):format(name, tostring(key)) end
  end
end

local function problem_in_list(list, element, name)
  if type(list) ~= "table" then return ("%s must be a list"):format(name) end
  local n = 0
  for _ in pairs(list) do n = n + 1 end
  for i = 1, n do
    local v, at = list[i], ("%s[%d]"):format(name, i)
    if v == nil then return ("%s must be a list without holes or names"):format(name) end
    local wanted = element == "string" and "string" or "table"
    if type(v) ~= wanted then return ("%s must be a %s, it is a %s"):format(at, wanted, type(v)) end
    local wrong = wanted == "table"
      and (problem_in_fields(v, element, at) or unknown_field(v, element, at))
    if wrong then return wrong end
  end
end

--- What is wrong with a finding; nil: nothing.
---@param f any what a playbook's diagnose returned
---@return string? problem
function shape.problem(f)
  if type(f) ~= "table" or f.verdict == nil then
    return "diagnose returned no finding; end with f:conclude(...)"
  end
  local wrong = problem_in_fields(f, FINDING, "the finding")
  for name, element in pairs(LISTS) do
    wrong = wrong or problem_in_list(f[name], element, name)
  end
  if wrong then return wrong end
  for name, element in pairs(AFFECTED) do
    local list = f.affected[name]
    wrong = wrong or list ~= nil and problem_in_list(list, element, "affected." .. name) or nil
  end
  return wrong
end

return shape

--- A finding in the making: evidence is gathered line by line, then concluded with a verdict from a
-- fixed ladder. Every line of evidence keeps what was observed, against what limit, and where that
-- is from; what could not be seen is unknown, and never counts as held.
local check = require "hbdx.check"
local units = require "hbdx.units"

---@class hbdx.Evidence
---@field claim string what was looked at: "hit ratio in window"
---@field observed number|string|nil nil: unknown
---@field unit string a key of hbdx.units.known
---@field baseline number|string|nil the same at other times ("else ...")
---@field limit number? what it was held against
---@field relation string? "at_least", "at_most", "more_than", "less_than", "equals"
---@field limit_text string? the limit as people say it: "-10 pts", "5 x"
---@field origin string? where the limit is from: a parameter, a setting with its file and line
---@field holds boolean? nil: a fact without a limit, or unknown
---@field where string|table|nil {server, from_ms, to_ms, file, line, metric}, or words

---@class hbdx.Fix
---@field what string what to change, in one line
---@field snippet string? exactly what to write
---@field why string
---@field expected string? effect, computed by a model where there is one
---@field risk string what can go wrong, "none known" where nothing can
---@field now boolean? may be done during the incident

---@class hbdx.Finding
---@field playbook string
---@field verdict "confirmed"|"likely"|"ruled_out"|"cannot_tell"
---@field severity "critical"|"warning"|"info"
---@field title string
---@field cause string?
---@field summary string?
---@field evidence hbdx.Evidence[]
---@field affected table { servers, tables, clients, windows }
---@field fixes hbdx.Fix[]
---@field verify string?
---@field missing table[] { what, get }
---@field not_cause table[] { cause, why }
---@field caveats string[]
---@field error string? the playbook failed

local RELATIONS = {
  at_least = function(a, b) return a >= b end,
  at_most = function(a, b) return a <= b end,
  more_than = function(a, b) return a > b end,
  less_than = function(a, b) return a < b end,
  equals = function(a, b) return a == b end,
}
local SIGN = { at_least = ">= ", at_most = "<= ", more_than = "> ", less_than = "< ", equals = "" }
local EVIDENCE = { claim = "string", observed = "number|string|nil", unit = "string|nil",
  baseline = "number|string|nil", limit_text = "string|nil", origin = "string|nil",
  where = "string|table|nil", at_least = "number|nil", at_most = "number|nil",
  more_than = "number|nil", less_than = "number|nil", equals = "number|string|nil" }
local VERDICTS = { confirmed = true, likely = true, ruled_out = true, cannot_tell = true }
local SEVERITIES = { critical = true, warning = true, info = true }
local CONCLUSION = { title = "string|nil", cause = "string|nil", severity = "string|nil",
  affected = "table|nil", fixes = "table|nil", verify = "string|nil", summary = "string|nil",
  caveats = "table|nil" }
local FIX = { what = "string", snippet = "string|nil", why = "string", expected = "string|nil",
  risk = "string", now = "boolean|nil" }

---@class hbdx.FindingMaker
local Maker = {}
local META = { __index = Maker } -- not Maker itself: a playbook reaches what is in Maker

local finding = {}

--- The verdicts, strongest first.
finding.verdicts = { "confirmed", "likely", "cannot_tell", "ruled_out" }

--- Begins a finding.
---@param case hbdx.Case the case it is about
---@return hbdx.FindingMaker
function finding.new(case)
  return setmetatable({ case = case, evidence = {}, missing_list = {}, not_cause = {},
                        failed = 0, unknown = 0, held = 0 }, META)
end

local function check_fields(t, fields, what, level)
  for key, value in pairs(t) do
    if not fields[key] then error(("%s has no field '%s'"):format(what, key), level + 1) end
    check.arg(what .. "." .. key, value, fields[key], level + 1)
  end
  for key, kind in pairs(fields) do
    if t[key] == nil and not kind:find("nil", 1, true) then
      error(("%s lacks '%s'"):format(what, key), level + 1)
    end
  end
  if t.unit and not units.known[t.unit] then error(("no unit '%s'"):format(t.unit), level + 1) end
end

local function finite(value)
  return value ~= nil and value == value
end

--- Evidence with a limit. True: it holds; false: it does not; nil: it could not be observed.
---@param e table claim, observed, one of at_least, at_most, more_than, less_than, equals; unit,
--- baseline,
--- limit_text, origin, where
---@return boolean?
function Maker:expect(e)
  check_fields(e, EVIDENCE, "evidence", 2)
  local row = { claim = e.claim, observed = e.observed, unit = e.unit or "count",
                baseline = e.baseline, origin = e.origin, where = e.where,
                  limit_text = e.limit_text }
  for name, holds in pairs(RELATIONS) do
    if e[name] ~= nil then
      row.limit, row.relation = e[name], name
      if finite(e.observed) then row.holds = holds(e.observed, e[name]) end
    end
  end
  if row.limit == nil then error("evidence that is expected needs a limit", 2) end
  row.limit_text = row.limit_text or SIGN[row.relation] .. units.format(row.limit, row.unit)
  self.evidence[#self.evidence + 1] = row
  local count = row.holds == nil and "unknown" or row.holds and "held" or "failed"
  self[count] = self[count] + 1
  return row.holds
end

--- Evidence without a limit: context, a culprit, a number of the model.
---@param e table claim, observed, unit, baseline, origin, where
function Maker:fact(e)
  check_fields(e, EVIDENCE, "evidence", 2)
  if e.observed == nil then return end
  self.evidence[#self.evidence + 1] = { claim = e.claim, observed = e.observed,
    baseline = e.baseline,
    unit = e.unit or (type(e.observed) == "number" and "count" or "text"), origin = e.origin,
    where = e.where }
end

--- Something that would have helped and is not in the case, and how to get it.
---@param what string
---@param get string
function Maker:missing(what, get)
  check.arg("what", what, "string")
  check.arg("get", get, "string")
  self.missing_list[#self.missing_list + 1] = { what = what, get = get }
end

--- Adds the case's own advice where it cannot tell `need`. True: it can.
---@param need string see Case:has
---@return boolean
function Maker:needs(need)
  local has, advice = self.case:has(need)
  if not has then self:missing(advice.what, advice.get) end
  return has
end

--- Another explanation that was looked at and is not it.
---@param cause string
---@param why string
function Maker:rule_out(cause, why)
  self.not_cause[#self.not_cause + 1] = { cause = cause, why = why }
end

--- True: everything that was expected holds.
---@return boolean
function Maker:holds()
  return self.failed == 0 and self.unknown == 0 and self.held > 0
end

--- How many expectations could not be observed.
---@return integer
function Maker:unknowns()
  return self.unknown
end

--- Ends the finding.
---@param verdict "confirmed"|"likely"|"ruled_out"|"cannot_tell"
---@param t table? title, cause, severity, affected, fixes, verify, summary, caveats
---@return hbdx.Finding
function Maker:conclude(verdict, t)
  t = t or {}
  if not VERDICTS[verdict] then
    error(("there is no verdict '%s': confirmed, likely, ruled_out, cannot_tell"):format(
      tostring(verdict)), 2)
  end
  check_fields(t, CONCLUSION, "conclusion", 2)
  if t.severity and not SEVERITIES[t.severity] then
    error(("no severity '%s'"):format(t.severity), 2)
  end
  for _, fix in ipairs(t.fixes or {}) do check_fields(fix, FIX, "fix", 2) end
  if verdict == "ruled_out" and self.unknown > 0 and self.held + self.failed == 0 then
    error("ruled_out, although nothing that was expected could be observed: say cannot_tell", 2)
  end
  if verdict == "cannot_tell" and #self.missing_list == 0 then
    error("cannot_tell must say what is missing and how to get it", 2)
  end
  return { verdict = verdict, severity = t.severity, title = t.title, cause = t.cause,
           summary = t.summary, evidence = self.evidence, affected = t.affected or {},
           fixes = t.fixes or {}, verify = t.verify, missing = self.missing_list,
           not_cause = self.not_cause, caveats = t.caveats or {} }
end

return finding

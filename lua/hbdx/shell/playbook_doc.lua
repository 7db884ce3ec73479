--- Help for those who write a playbook: what `diagnose(case, p)` builds and returns. The case is
-- documented with the shell, where it is at hand too. tests/lua/shell_spec.lua holds it to the
-- code.
local units = require "hbdx.units"

local function unit_names()
  local names = {}
  for name in pairs(units.known) do names[#names + 1] = name end
  table.sort(names)
  return table.concat(names, ", ")
end

---@type hbdx.Doc[]
return {
  { name = "finding", usage = 'local finding = require "hbdx.finding"', text =
    "What diagnose(case, p) of a playbook builds and returns: evidence line by line, then a "
    .. "verdict. help \"case\" lists what the case tells, p holds the parameters by name. A "
    .. "playbook may also require hbdx.amp, hbdx.units and hbdx.pattern.*; hbdx playbook show ID "
    .. "tells where the playbooks that come with hbdx lie, as examples." },
  { name = "finding.new", usage = "local f = finding.new(case)", text =
    "Begins a finding." },
  { name = "finding:expect",
    usage = 'f:expect { claim = "regions", observed = n, more_than = 500 }', text =
    "Evidence with a limit: one of more_than, at_least, less_than, at_most, equals. Gives "
    .. "true when it holds, false when not, nil when observed is nil, that is unknown. It may have "
    .. "unit, baseline (shown as \"else\"), limit_text, origin (of the limit) and where: words, "
    .. "or a table with server, from_ms, to_ms, file, line. Units: " .. unit_names() .. "." },
  { name = "finding:fact", usage = 'f:fact { claim = "largest response", observed = n, unit = '
    .. '"bytes" }', text = "Evidence without a limit; nothing is shown when observed is nil." },
  { name = "finding:missing", usage = "f:missing(what, get)", text =
    "Something that is not in the case, and how to get it: read as \"no WHAT. Get GET\"." },
  { name = "finding:needs", usage = 'f:needs "calls"', text =
    "True when the case can tell it (see help \"case:has\"), else f:missing with the case's "
    .. "advice." },
  { name = "finding:rule_out", usage = "f:rule_out(cause, why)", text =
    "Another explanation that was looked at, and what speaks against it." },
  { name = "finding:holds", usage = "f:holds()", text =
    "Whether all that was expected holds and nothing of it is unknown." },
  { name = "finding:unknowns", usage = "f:unknowns()", text =
    "How many expectations could not be observed." },
  { name = "finding:conclude", usage = 'return f:conclude("confirmed", { summary = "..." })', text =
    "Ends the finding: confirmed, likely, ruled_out or cannot_tell, which must say what is "
    .. "missing. The table may have summary, cause, title, severity (critical, warning, info), "
    .. "verify, caveats (a list of words), affected = { servers, tables, clients: lists of names; "
    .. "windows: a list of { from_ms, to_ms, text } } and fixes: a list of { what, why, risk, and "
    .. "perhaps snippet, expected, now }." },
}

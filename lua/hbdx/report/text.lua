--- Findings for a terminal: 80 columns, the strongest first, every limit with its origin.
local layout = require "hbdx.report.layout"
local seen_of = require "hbdx.report.seen"
local coverage_of = require "hbdx.report.sources"
local text = require "hbdx.core.text"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

local report = {}

local INK = { confirmed = "1;31", likely = "1;33", bold = "1", dim = "2" }

---@class hbdx.ReportContext
---@field case hbdx.Case
---@field name string
---@field version string of hbdx
---@field coverage table of hbdx.import: files, bytes, seconds, not_understood, unread
---@field width integer
---@field color boolean
---@field verbose boolean

local function ink(ctx, kind, s)
  return ctx.color and INK[kind] and ("\27[%sm%s\27[0m"):format(INK[kind], s) or s
end

local function names_of(list)
  return table.concat(list or {}, ", ")
end

local function affected_words(f)
  local parts = {}
  if #(f.affected.servers or {}) > 0 then parts[1] = names_of(f.affected.servers) end
  local windows = f.affected.windows or {}
  local texts = {}
  for i = 1, windows[1] and windows[1].text:find("^every") and 1 or math.min(#windows, 2) do
    texts[i] = windows[i].text
  end
  if #texts == 2 and #windows > 2 then texts[3] = ("%d more"):format(#windows - 2) end
  parts[#parts + 1] = texts[1] and table.concat(texts, ", ")
  return table.concat(parts, "; ")
end

local function fixes(ctx, out, list)
  for _, fix in ipairs(list) do
    layout.labelled(ctx, out, "fix", layout.short(ctx, fix.what) .. (fix.snippet and ":" or ""))
    if fix.snippet then layout.snippet(out, fix.snippet) end
    layout.labelled(ctx, out, "", layout.short(ctx, fix.why))
    if fix.expected then layout.labelled(ctx, out, "", "expected: " .. fix.expected) end
    layout.labelled(ctx, out, "", "risk: " .. fix.risk)
  end
end

local function firing(ctx, out, n, f)
  local head = ("%-2d %s  %s   "):format(n, ink(ctx, f.verdict, f.verdict:upper()), f.severity)
  local lines = layout.wrap(f.title, ctx.width - 4 - #f.verdict - #f.severity - 5)
  out[#out + 1] = head .. ink(ctx, "bold", lines[1])
  for i = 2, #lines do out[#out + 1] = "   " .. lines[i] end
  layout.labelled(ctx, out, f.playbook, affected_words(f), math.max(16, #f.playbook + 5))
  if f.summary then layout.labelled(ctx, out, "what", f.summary) end
  ctx.named = names_of(f.affected.servers)
  layout.evidence(ctx, out, f.evidence)
  fixes(ctx, out, f.fixes)
  if f.cause then layout.labelled(ctx, out, "why", f.cause) end
  if f.verify then layout.labelled(ctx, out, "verify", f.verify) end
  for _, n_cause in ipairs(f.not_cause) do
    layout.labelled(ctx, out, "not", ("%s (%s)"):format(n_cause.cause, n_cause.why))
  end
  for _, caveat in ipairs(f.caveats) do layout.labelled(ctx, out, "note", caveat) end
  for _, m in ipairs(f.missing) do
    layout.labelled(ctx, out, "get", ("%s: %s"):format(m.what, m.get))
  end
  out[#out + 1] = ""
end

local function ruled_out(ctx, out, list)
  if #list == 0 then return end
  local names = {}
  for i, f in ipairs(list) do names[i] = f.playbook end
  layout.labelled(ctx, out, "ruled out", names_of(names), 16)
  if not ctx.verbose then return end
  for _, f in ipairs(list) do
    layout.labelled(ctx, out, "", f.playbook .. ": " .. (f.summary or ""), 16)
    ctx.named = nil
    layout.evidence(ctx, out, f.evidence)
    for _, n in ipairs(f.not_cause) do layout.labelled(ctx, out, "  not",
      ("%s (%s)"):format(n.cause, n.why), 16) end
  end
end

-- What is missing, and after it how to get it; said once where one dump or log brings several.
local function missing_words(list)
  local of, gets = {}, {}
  for _, m in ipairs(list) do
    if not of[m.get] then of[m.get], gets[#gets + 1] = {}, m.get end
    table.insert(of[m.get], "no " .. m.what)
  end
  for i, get in ipairs(gets) do
    local what = table.concat(of[get], ", ")
    gets[i] = ("%s. Get %s."):format(i > 1 and what:gsub("^n", "N") or what, get)
  end
  return table.concat(gets, " ")
end

local function cannot_tell(ctx, out, list)
  local label = "cannot tell"
  for _, f in ipairs(list) do
    if not f.error then
      layout.labelled(ctx, out, label, f.playbook .. ": " .. missing_words(f.missing), 16, 2)
      label = ""
    end
  end
  for _, f in ipairs(list) do
    if f.error then
      layout.labelled(ctx, out, "failed", f.playbook .. ": " .. f.error, 16, 2)
      if ctx.verbose then layout.labelled(ctx, out, "", f.traceback or "", 18) end
    end
  end
end

-- What the whole comes to where nothing was found.
local function no_finding(by)
  local open = #by.cannot_tell
  if open == 0 then return "nothing found: every playbook is ruled out" end
  if #by.ruled_out == 0 then return "nothing can be told from this yet" end
  return ("nothing found, but %s cannot tell"):format(units.plural(open, "playbook"))
end

local plural = units.plural

local function header(ctx, out)
  local regionservers, versions, seen = 0, {}, {}
  for _, s in ipairs(ctx.case:servers()) do
    if not s.is_master then regionservers = regionservers + 1 end
    local _, v = ctx.case:version(s.id)
    if v and not seen[v] then seen[v], versions[#versions + 1] = true, v end
  end
  if #versions == 0 then versions[1] = select(2, ctx.case:version()) end
  local facts = { plural(regionservers, "RegionServer"),
    #versions > 0 and "HBase " .. table.concat(versions, ", ") or "HBase version unknown" }
  local from, to = ctx.case:span()
  if from then facts[#facts + 1] = window.text(ctx.case, { from_ms = from, to_ms = to }) end
  local head = ("hbdx %s   %s   "):format(ctx.version, text.escape(ctx.name))
  local lines = layout.wrap(table.concat(facts, ", "), ctx.width - 3)
  if text.width(head .. lines[1]) <= ctx.width and #lines == 1 then
    out[#out + 1] = head .. lines[1]
  else
    out[#out + 1] = (head:gsub("%s+$", ""))
    for _, line in ipairs(lines) do out[#out + 1] = "  " .. line end
  end
end

local function coverage(ctx, out)
  local c = ctx.coverage
  local not_read = #c.unread > 0 and ("; %s could not be read"):format(plural(#c.unread, "source"))
    or ""
  local passed = c.passed > 0 and ("; %s passed over"):format(plural(c.passed, "file")) or ""
  local odd = c.not_understood
  local lines = layout.wrap(("read %s, %s, %.1f s; %s not understood%s%s%s"):format(plural(c.files,
    "file"),
    units.bytes(c.bytes), c.seconds, odd == 0 and "0 lines" or plural(odd, "line"),
    odd > 0 and not ctx.verbose and " (--verbose lists them)" or "", passed, not_read), ctx.width)
  for _, line in ipairs(lines) do out[#out + 1] = line end
  for _, u in ipairs(c.unread) do
    layout.labelled(ctx, out, "unread", ("%s: %s"):format(u.name, u.message), nil, nil, u.name)
  end
  for _, note in ipairs(c.notes) do layout.labelled(ctx, out, "note", note) end
  if ctx.verbose then
    if #c.passed_names > 0 then
      layout.labelled(ctx, out, "passed", "over, for nothing in it is known: "
        .. names_of(c.passed_names), nil, nil, c.passed_names)
    end
    coverage_of.add(ctx, out)
  end
end

-- "logs/rs-1/" when every source lies there; "" when they share no folder.
local function shared_folder(sources)
  local prefix
  for _, s in ipairs(sources) do
    local folder = s.name:match("^.*/") or ""
    prefix = prefix or folder
    while folder:sub(1, #prefix) ~= prefix do prefix = prefix:match("^(.*/)[^/]*/$") or "" end
  end
  -- of an address the slash stays: "/conf" is its page, "conf" would be anything
  return ((prefix or ""):gsub("^(%a+://[^/]+)/$", "%1"))
end

--- A result as text.
---@param result hbdx.Result
---@param ctx hbdx.ReportContext
---@return string
function report.render(result, ctx)
  local out, by = {}, { confirmed = {}, likely = {}, ruled_out = {}, cannot_tell = {} }
  local from, to = ctx.case:span()
  ctx.days = from and (to - from) / 86400000 or 0
  ctx.several = #ctx.case:servers() > 1
  ctx.prefix = shared_folder(ctx.case:sources())
  for _, f in ipairs(result.findings) do table.insert(by[f.verdict], f) end
  header(ctx, out)
  coverage(ctx, out)
  out[#out + 1] = ""
  local n = 0
  for _, verdict in ipairs { "confirmed", "likely" } do
    for _, f in ipairs(by[verdict]) do
      n = n + 1
      firing(ctx, out, n, f)
    end
  end
  if n == 0 then out[#out + 1] = no_finding(by) .. "\n" end
  seen_of.add(ctx, out, result.seen)
  ruled_out(ctx, out, by.ruled_out)
  cannot_tell(ctx, out, by.cannot_tell)
  return table.concat(out, "\n") .. "\n"
end

return report

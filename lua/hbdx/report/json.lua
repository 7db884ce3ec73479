--- Findings for machines: stable names, units in them, RFC 3339 in UTC. What is unknown is absent.
local json = require "hbdx.core.json"
local seen = require "hbdx.report.seen"
local time = require "hbdx.core.time"

local report = {}

report.schema_version = 1

local function stamp(ms) return ms and time.format(ms) or nil end

local function where_of(where)
  if type(where) ~= "table" then return where end
  return { server = where.server, file = where.file, line = where.line, metric = where.metric,
           from = stamp(where.from_ms), to = stamp(where.to_ms) }
end

local function finite(v)
  if v == math.huge or v == -math.huge or v ~= v then return nil end
  return v
end

local function evidence_of(list)
  local out = {}
  for i, e in ipairs(list) do
    out[i] = { claim = e.claim, observed = finite(e.observed), unit = e.unit,
      baseline = finite(e.baseline),
               limit = finite(e.limit), relation = e.relation, limit_text = e.limit_text,
               origin = e.origin, holds = e.holds, where = where_of(e.where) }
  end
  return json.array(out)
end

local function affected_of(a)
  local windows = {}
  for i, w in ipairs(a.windows or {}) do
    windows[i] = { from = stamp(w.from_ms), to = stamp(w.to_ms), text = w.text }
  end
  return { servers = json.array(a.servers or {}), tables = json.array(a.tables or {}),
           clients = json.array(a.clients or {}), windows = json.array(windows) }
end

local ORDER = { __order = { "playbook", "verdict", "severity", "title", "cause", "summary",
  "evidence",
  "affected", "fixes", "verify", "missing", "not_cause", "caveats", "error" } }

local function finding_of(f)
  return setmetatable({ playbook = f.playbook, verdict = f.verdict, severity = f.severity,
    title = f.title,
    cause = f.cause or json.null, summary = f.summary, evidence = evidence_of(f.evidence),
    affected = affected_of(f.affected), fixes = json.array(f.fixes), verify = f.verify or json.null,
    missing = json.array(f.missing), not_cause = json.array(f.not_cause),
    caveats = json.array(f.caveats), error = f.error }, ORDER)
end

-- Where clocks were changed: each offset with the time up to which it holds.
local function offsets_of(list)
  if not list then return nil end
  local out = {}
  for i, o in ipairs(list) do
    out[i] = { offset_ms = o.offset_ms, ["until"] = stamp(o.until_ms) }
  end
  return json.array(out)
end

local function source_of(s)
  local told = s.told or {}
  return { name = s.name, kind = s.kind, server = s.server, bytes = s.bytes, lines = s.lines,
           records = s.records, understood = s.understood, skipped = s.skipped,
           calls = told.calls, scans = told.scans, events = told.events,
           continuations = told.continuations, foreign = told.foreign,
           out_of_order = told.out_of_order, out_of_order_ms = told.out_of_order_ms,
           steps_back = told.steps_back, first = stamp(s.first_ms),
           last = stamp(s.last_ms), offset_ms = s.offset_ms, offset_origin = s.offset_origin,
           offsets = offsets_of(told.offsets), offset_lines = told.offset_votes,
           offset_lines_against = told.offset_against, records_in_doubt = told.doubtful,
           records_left_out = told.missing, version = s.version, damage = s.damage }
end

--- What was read, for machines.
---@param ctx hbdx.ReportContext
---@return table
function report.coverage(ctx)
  local list = {}
  for i, s in ipairs(ctx.case:sources()) do list[i] = source_of(s) end
  for _, u in ipairs(ctx.coverage.unread) do list[#list + 1] = { name = u.name, kind = "unread",
    damage = u.message } end
  return json.array(list)
end

--- What was skipped, by reason.
---@param ctx hbdx.ReportContext
---@return table
function report.skipped(ctx)
  local list = {}
  for i, k in ipairs(ctx.case:skipped()) do
    list[i] = { source = k.source, reason = k.reason, count = k.count, line = k.line,
      sample = k.sample }
  end
  return json.array(list)
end

local ORDER_OF_ALL = { __order = { "schema_version", "hbdx_version", "coverage", "skipped",
  "notes", "findings", "seen" } }

--- A result as JSON.
---@param result hbdx.Result
---@param ctx hbdx.ReportContext
---@return string
function report.render(result, ctx)
  local findings = {}
  for i, f in ipairs(result.findings) do findings[i] = finding_of(f) end
  local doc = setmetatable({ schema_version = report.schema_version, hbdx_version = ctx.version,
    coverage = report.coverage(ctx), skipped = report.skipped(ctx), findings = json.array(findings),
    notes = json.array(ctx.coverage.notes), seen = seen.document(ctx, result.seen) }, ORDER_OF_ALL)
  return json.encode(doc, { indent = 2 }) .. "\n"
end

return report

--- What changed since an earlier digest, for people.
local compare = require "hbdx.slowlog.compare"
local layout = require "hbdx.report.layout"
local text = require "hbdx.slowlog.text"
local time = require "hbdx.core.time"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

local M = {}

local MOST = 10 -- of each kind

local function calls_words(calls, sum)
  return units.plural(calls, "call") .. (sum and ", " .. units.duration(sum) or "")
end

local MEASURES = { proc_ms_per_hour = { "processing", " an hour" }, proc_ms_p95 = { "p95", "" } }

local function change(m)
  local label, each = table.unpack(MEASURES[m.name])
  return ("%s %s -> %s%s (%s)"):format(label, units.duration(m.before), units.duration(m.now),
    each, units.format(m.times, "x"))
end

-- What decided comes first.
local function pair_words(p)
  local by, rest = {}, { ("%s -> %s calls"):format(units.group(p.before.calls),
    units.group(p.now.calls)) }
  for _, m in ipairs(p.measures) do
    local list = m.decides and by or rest
    if m.times then list[#list + 1] = change(m) end
  end
  return ("by %s; %s"):format(table.concat(by, " and by "), table.concat(rest, ", "))
end

local KINDS = {
  { "new", function(g) return calls_words(g.calls, g.proc_ms.sum) end },
  { "worse", pair_words },
  { "better", pair_words },
  { "gone", function(g) return calls_words(g.calls, g.proc_ms) .. " then" end },
}

local function kind_lines(ctx, out, d, name, list, words)
  for i = 1, math.min(MOST, #list) do
    local item = list[i]
    text.more(ctx, out, name, text.who(d.by, (item.now or item).ident))
    text.more(ctx, out, "", words(item))
  end
  if #list > MOST then
    text.more(ctx, out, name, ("%s: --format json lists them"):format(
      units.plural(#list - MOST, "more group")))
  end
end

-- The time of the saved calls.
local function span_words(ctx, saved)
  if not saved.first then return "it had no call" end
  return "its calls: " .. window.text(ctx.case, { from_ms = time.parse(saved.first),
    to_ms = time.parse(saved.last) })
end

-- What may not be told by the figures: the same calls are in both.
local function overlap_words(ctx, over)
  local at = window.text(ctx.case, { from_ms = over.until_ms, to_ms = over.until_ms })
  local words = ("both contain the calls up to %s"):format(at)
  if not over.more then return words .. ", and none came since" end
  words = words .. ", which hides what came since"
  if not over.from then return words .. ": only digests of times apart tell it" end
  return ("%s; to count only that (and calls that were still running): --from '%s'"):format(words,
    over.from)
end

--- Adds the comparison's lines.
---@param out string[]
---@param d hbdx.SlowDigest
---@param ctx hbdx.ReportContext
---@param compared hbdx.SlowCompared
function M.add(out, d, ctx, compared)
  local saved, file = compared.saved, compared.file
  local function put(...) layout.wrapped(ctx, out, ...) end
  out[#out + 1] = ""
  if not saved then
    return put(("since last: %s is not there yet; it is written now"):format(file), file)
  end
  put(("since %s (%s): %d new, %d worse, %d better, %d gone, %d about the same"):format(file,
    span_words(ctx, saved), #compared.new, #compared.worse, #compared.better, #compared.gone,
    compared.same), file)
  local over = compared.overlap
  if over then put(overlap_words(ctx, over), over.from and "--from '" .. over.from .. "'") end
  if #compared.worse + #compared.better > 0 then
    put(("worse, better: processing per hour of what was read, or its p95, is %s times as much or "
      .. "more, or that much less; from %d calls on"):format(compare.factor, compare.calls))
  end
  if saved.unread > 0 then
    put(units.plural(saved.unread, "source") .. " could not be read then")
  end
  for _, kind in ipairs(KINDS) do
    kind_lines(ctx, out, d, kind[1], compared[kind[1]], kind[2])
  end
end

return M

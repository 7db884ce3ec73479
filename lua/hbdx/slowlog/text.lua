--- The digest of slow calls for people. All that came from outside is escaped as it is laid out.
local hours = require "hbdx.slowlog.hours"
local layout = require "hbdx.report.layout"
local sources = require "hbdx.report.sources"
local tableless = require "hbdx.slowlog.tableless"
local text = require "hbdx.core.text"
local units = require "hbdx.units"
local window = require "hbdx.pattern.window"

local M = {}

local wrapped = layout.wrapped
local INDENT = 22 -- where the words of a group's lines begin
local UNKNOWN = { table = "(table unknown)", method = "?", client = "unknown",
                  shape = "shape not told", user = "not told", server = "unknown",
                  region = "not told", hour = "not told" }

local function word(name, value)
  if value == nil then return UNKNOWN[name] end
  if name == "hour" then return ("%02d:00-%02d:59"):format(value, value) end
  return tostring(value)
end

-- "user alice"; the words for what is not told may name it themselves.
local function labelled(name, value)
  local words = word(name, value)
  return value == nil and words:find(name, 1, true) and words or name .. " " .. words
end

-- Only a scan has a shape that could be told.
local function shape_words(value, method)
  if value then return "; " .. value end
  return method == "Scan" and "; " .. UNKNOWN.shape or ""
end

--- The values that a group is known by, in words.
---@param by string[]
---@param ident table
---@return string
function M.who(by, ident)
  local at = {}
  for i, name in ipairs(by) do at[name] = i end
  local list, done = {}, {}
  if at.method and at.table then
    list[1] = word("method", ident[at.method]) .. " " .. word("table", ident[at.table])
    done = { method = true, table = true, shape = true }
  end
  for i, name in ipairs(by) do
    if not done[name] then list[#list + 1] = labelled(name, ident[i]) end
  end
  local words = table.concat(list, ", ")
  if done.shape and at.shape then
    words = words .. shape_words(ident[at.shape], ident[at.method])
  end
  return words
end

-- "       label          words", broken where it is too long.
local function more(ctx, out, label, words)
  local head = ("       %-14s "):format(label)
  for _, line in ipairs(layout.wrap(words, ctx.width - INDENT)) do
    out[#out + 1] = head .. line
    head = (" "):rep(INDENT)
  end
end
M.more = more

local function spread_row(ctx, out, label, s, unit)
  if not s.sum then return more(ctx, out, label, "not told") end
  local near = s.about and "~" or "" -- within 0.8 %, in a group of very many calls
  local words = ("p50 %-10s p95 %-10s max %-10s sum %s"):format(near .. unit(s.p50),
    near .. unit(s.p95), unit(s.max), unit(s.sum))
  if text.width(words) > ctx.width - INDENT then return more(ctx, out, label, words) end
  out[#out + 1] = ("       %-14s %s"):format(label, words)
end

local EVERY = { { 1, "/s" }, { 60, "/min" }, { 3600, "/h" } }

--- "4.2/s", "12/min", "0.30/h".
---@param per_s number
---@return string
function M.rate(per_s)
  for i, every in ipairs(EVERY) do
    local n = per_s * every[1]
    if n >= 1 or i == #EVERY then return units.format(n) .. every[2] end
  end
end

local function share_words(g)
  if not g.share then return "?" end
  local share = ("%.1f %%"):format(100 * g.share)
  return g.share > 0 and share == "0.0 %" and "< 0.1 %" or share
end

local function worst_lines(ctx, out, g, by_shape)
  local w = g.worst
  if not w.place then return end
  -- to be copied, and so never broken
  out[#out + 1] = ("       %-14s %s"):format("longest", text.escape(w.place))
  local list = {}
  if w.proc_ms then list[1] = units.duration(w.proc_ms) end
  if w.shape and not (by_shape and w.shape == g.shape) then list[#list + 1] = w.shape end
  if w.extra then list[#list + 1] = w.extra end
  if #list > 0 then more(ctx, out, "", table.concat(list, ", ")) end
end

local function has(by, wanted)
  for _, name in ipairs(by) do
    if name == wanted then return true end
  end
  return false
end

local function group_lines(out, rank, d, g, ctx, row)
  local head = ("%4d  %7s  %8s  "):format(rank, share_words(g), units.group(g.calls))
  local who = M.who(d.by, g.ident)
  if g.shape and g.shape_calls < g.calls then
    who = ("%s (told by %s of %s)"):format(who, units.group(g.shape_calls),
      units.plural(g.calls, "call"))
  end
  for _, line in ipairs(layout.wrap(who, ctx.width - #head)) do
    out[#out + 1] = head .. line
    head = (" "):rep(#head)
  end
  spread_row(ctx, out, "processing", g.proc_ms, units.duration)
  spread_row(ctx, out, "queue", g.queue_ms, units.duration)
  spread_row(ctx, out, "response", g.response_bytes, units.bytes)
  if g.first_ms then
    local seen = window.text(ctx.case, { from_ms = g.first_ms, to_ms = g.last_ms })
    more(ctx, out, "seen", seen .. (g.per_s and ", " .. M.rate(g.per_s) or ""))
  end
  if row and g.first_ms then
    more(ctx, out, "by hour", hours.marks(row, g.hours, ctx.blocks))
  end
  if g.missed_calls then
    more(ctx, out, "may lack", ("up to %s, %s of processing"):format(
      units.plural(g.missed_calls, "call"), units.duration(g.missed_ms)))
  end
  worst_lines(ctx, out, g, has(d.by, "shape"))
end

local function untimed(ctx, out, d)
  if d.untimed == 0 then return end
  wrapped(ctx, out, ("%s no processing time that can be (cut away, or beyond the 24.8 days that "
    .. "HBase can write): counted, but in no sum"):format(units.plural(d.untimed, "call tells",
    "calls tell")))
end

local function others(ctx, out, d)
  local o = d.others
  if not o then return end
  wrapped(ctx, out, ("%s more, %s of processing, of groups that are too many to be told apart: a "
    .. "group above may lack some of them, and says how many"):format(
      units.plural(o.calls, "call"), units.duration(o.proc_ms.sum or 0)))
end

local function footer(out, d, ctx)
  others(ctx, out, d)
  untimed(ctx, out, d)
  local no_table = has(d.by, "table") and tableless.words(d)
  if no_table then wrapped(ctx, out, no_table) end
  sources.notes(ctx, out)
  if ctx.verbose then
    sources.add(ctx, out)
  else
    sources.skipped(ctx, out)
  end
end

local RANKS = { calls = "number of calls", bytes = "bytes of response", queue = "time in queue" }

-- What the marks of "by hour" stand for.
local function legend(ctx, row)
  local from = window.text(ctx.case, { from_ms = row.from_ms, to_ms = row.from_ms })
  return ("by hour: a mark for every %s from %s on, against the group's own busiest; %s is none")
    :format(row.step == 1 and "hour" or units.plural(row.step, "hour"), from,
      ctx.blocks and "." or "0")
end

local TELLING = { log = true, ring = true, ["slowlog-table"] = true }

-- Whether something was read that has slow calls where there are any.
local function could_tell(case)
  for _, s in ipairs(case:sources()) do
    if TELLING[s.kind] then return true end
  end
  return false
end

-- What is said where there is none: nothing found is not the same as nothing looked at.
local function no_calls(ctx, out)
  if sources.none_read(ctx.coverage) then return end
  if could_tell(ctx.case) then
    out[#out + 1] = "no slow or large call is in what was read"
    return
  end
  local _, advice = ctx.case:has "calls"
  wrapped(ctx, out, ("nothing was read that could tell of slow calls%s"):format(advice
    and ": get " .. advice.get or ""))
end

local function head_lines(out, d, ctx, row)
  sources.unread(ctx, out)
  if ctx.coverage.asked then wrapped(ctx, out, ctx.coverage.asked) end
  if d.calls == 0 then
    return no_calls(ctx, out)
  end
  wrapped(ctx, out, ("%s, %s ms of processing (%s), %s"):format(
    units.plural(d.calls, "slow or large call"), units.group(d.proc_ms),
    units.duration(d.proc_ms), units.plural(#d.groups, "group")))
  if d.first_ms then
    wrapped(ctx, out, window.text(ctx.case, { from_ms = d.first_ms, to_ms = d.last_ms }))
  end
  if RANKS[d.rank] then out[#out + 1] = "ranked by " .. RANKS[d.rank] end
  if row then wrapped(ctx, out, legend(ctx, row)) end
end

--- The digest for people.
---@param d hbdx.SlowDigest
---@param ctx hbdx.ReportContext ctx.blocks: the terminal shows UTF-8; nil: as its locale says
---@param top integer groups to show
---@param compared hbdx.SlowCompared? with an earlier digest
---@return string
function M.render(d, ctx, top, compared)
  ctx = setmetatable({}, { __index = ctx })
  if ctx.blocks == nil then ctx.blocks = hours.blocks() end
  local out, row = {}, hours.row(d.first_ms, d.last_ms, ctx.case:offset(), ctx.width - INDENT)
  head_lines(out, d, ctx, row)
  if compared then require("hbdx.slowlog.compare_text").add(out, d, ctx, compared) end
  out[#out + 1] = ""
  if #d.groups > 0 then
    local head = "rank  of time     calls  "
    for _, line in ipairs(layout.wrap(table.concat(d.by, ", "), ctx.width - #head)) do
      out[#out + 1] = head .. line
      head = (" "):rep(#head)
    end
  end
  for i = 1, math.min(top, #d.groups) do group_lines(out, i, d, d.groups[i], ctx, row) end
  if #d.groups > top then out[#out + 1] =
    ("%s: %s shows them"):format(units.plural(#d.groups - top, "more group"),
      d.more or "--top N") end
  out[#out + 1] = ""
  footer(out, d, ctx)
  return (table.concat(out, "\n"):gsub("\n+$", "")) .. "\n"
end

return M

--- hbdx events: what happened, by time, or summed up.
local events = require "hbdx.events"
local follow_doc = require "hbdx.follow.doc"
local session = require "hbdx.session"

local function fail(message, status)
  require("hbdx.say").error(message)
  return status
end

local function misuse(given)
  local format = given.format or "text"
  if given.summary then
    if format == "jsonl" then return "--summary comes as text or json" end
    for _, name in ipairs { "kind", "with-calls", "each" } do
      if given[name] then return ("--summary takes no --%s"):format(name) end
    end
  elseif format == "json" then
    return "json is for --summary; a timeline comes as text or jsonl"
  end
end

-- Whether slow calls are among what is asked for; nil, message: there is no such kind. Asked before
-- gigabytes are read.
local function calls_asked(given)
  if not given.kind then return given["with-calls"] or false end
  local kinds, message, calls = events.kinds(given.kind)
  if not kinds then return nil, message end
  return given["with-calls"] or calls
end

local function summarise(given, ctx, filter)
  local d = require("hbdx.events.summary").collect(ctx.case, filter)
  if given.format == "json" then
    io.stdout:write(require("hbdx.events.document").render(d, ctx))
  else
    io.stdout:write(require("hbdx.events.report").text(d, ctx))
  end
end

local function write_text(given, ctx, filter)
  local report, timeline = require "hbdx.events.report", require "hbdx.events.timeline"
  local count = events.count(ctx.case, filter)
  local function write(s) io.stdout:write(s) end
  write(table.concat(report.head(ctx, count), "\n") .. "\n")
  if count.n > 0 then
    write "\n"
    timeline.write(ctx, events.each(ctx.case, filter), write, given.each)
  end
  local foot = report.foot(ctx, count, given["with-calls"])
  if #foot > 0 then write("\n" .. table.concat(foot, "\n") .. "\n") end
end

local function run(given, operands)
  local wrong = misuse(given)
  if wrong then return fail(wrong, 2) end
  given["with-calls"], wrong = calls_asked(given)
  if wrong then return fail(wrong, 2) end
  if given.follow then return require("hbdx.events.live").run(given, operands) end
  local s, message, status = session.open(given, operands, nil, nil, session.logged)
  if not s then return fail(message, status) end
  local filter
  filter, message = events.filter(s.case, { kind = given.kind, table = given.table,
    server = given.server, calls = given["with-calls"] })
  if not filter then
    s.case:close()
    return fail(message, 2)
  end
  local ctx = session.context(s, given)
  if given.summary then
    summarise(given, ctx, filter)
  elseif given.format == "jsonl" then
    session.say_unread(s) -- no line of the output could
    for e in events.each(s.case, filter) do io.stdout:write(events.json_line(e)) end
  else
    write_text(given, ctx, filter)
  end
  s.case:close()
  return #s.coverage.unread > 0 and 3 or 0
end

return { {
  name = "events", usage = "[OPTION...] SOURCE...",
  summary = "What happened: flushes, compactions, stalls, pauses and more, by time or summed up.",
  details =
    "As text, events of one kind, server and table that follow each other within a minute are one "
      .. "line with their count; jsonl has one object for each event, with kind, time, server, "
      .. "region, table, file, line (null: not known) and the kind's own fields. hbdx explain KIND "
      .. "tells what they mean. GLOB may have * and ?.\n"
      .. "The summary infers why flushes came from what the log told before and from the threads, "
      .. "counts the store's and the queue's line of a compaction once, and measures stalls as "
      .. "spans of time, never as a sum over handlers. Of slow syncs it counts each DataNode of "
      .. "the pipelines, and names those that a server's should have had and never did.\n"
      .. "With --with-calls, later calls of a scanner have the table that another call of the same "
      .. "scanner names; where none does, none.\n"
      .. follow_doc .. "The last 10 events that were there are shown, or those since --from (but "
      .. "no more than 100,000), then each as it comes: jsonl line by line; as text the first of "
      .. "a flood at once, and each 10 s how many more came, by the time of the last, and since "
      .. "when.\n"
      .. session.times,
  options = session.with {
    { name = "format", value = "FORMAT", choices = { "text", "jsonl", "json" }, default = "text",
      help = "output; json for --summary" },
    { name = "summary", help = "sums: flushes by cause, compactions, stalls, slow syncs, pauses, "
      .. "failures; counts by hour and server" },
    { name = "kind", value = "KIND[,KIND...]", help = "these kinds only; GLOBs" },
    { name = "table", value = "GLOB", help = "events of these tables only" },
    { name = "server", value = "GLOB", help = "events of these servers only: host, or host,port" },
    { name = "with-calls", help = "slow and large calls, too, as kind slow_call; --kind slow_call "
      .. "is these alone" },
    { name = "follow", short = "f",
      help = "go on with what is written to the files, until Ctrl-C" },
    { name = "each", help = "a line for each event, nothing folded" },
  },
  examples = { "hbdx events --kind 'flush_*,region_too_busy' /var/log/hbase",
    "hbdx events --summary logs/",
    "hbdx events --follow --kind 'flush_*,pause,abort' /var/log/hbase",
    "hbdx events --format jsonl logs/ | jq 'select(.kind == \"abort\")'" },
  run = run,
} }

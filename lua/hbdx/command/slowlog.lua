--- hbdx slowlog: a digest of slow and large calls, the costliest group first.
local compare = require "hbdx.slowlog.compare"
local core = require "hbdx.core.calls"
local follow_doc = require "hbdx.follow.doc"
local overlap = require "hbdx.slowlog.overlap"
local say = require "hbdx.say"
local session = require "hbdx.session"
local slowlog = require "hbdx.slowlog"
local sources = require "hbdx.report.sources"
local sys = require "hbdx.core.sys"

local MOST_THREADS = 64
local HEAD = 64 -- bytes that tell what a file is

local function fail(message, status)
  say.error(message)
  return status
end

-- The digest of --since-last that is there; nil, message, status: it cannot be used.
local function earlier(path, by)
  if not path then return nil end
  local saved, message, code = compare.load(path, by)
  if message then return nil, message, code == "usage" and 2 or 3 end
  return saved
end

local ACROSS = "note: a call that ran across a bound of the time is in the digest; where one of "
  .. "the adjacent time is merged with it, it counts twice"

local TIMES = { "from", "to", "at", "window" }

local function times_asked(given)
  for _, name in ipairs(TIMES) do
    if given[name] then return name end
  end
end

-- What --by, --top and --rank ask for.
local function asked(given)
  local by, message = slowlog.usual, nil
  if given.by then by, message = slowlog.parse_by(given.by) end
  if not by then return nil, message end
  local top = math.tointeger(tonumber(given.top or 20))
  if not top or top < 1 then return nil, "--top takes a whole number from 1 on" end
  local threads = sys.processors()
  if given.threads then threads = math.tointeger(tonumber(given.threads)) end
  if not threads or threads < 1 or threads > MOST_THREADS then
    return nil, ("--threads takes a whole number from 1 to %d"):format(MOST_THREADS)
  end
  return { by = by, rank = given.rank or "time", top = top, threads = threads }
end

-- A saved digest has no single calls, so that none of them can be left out.
local function contradiction(given)
  if given.every and not given.follow then return "--every goes with --follow" end
  local time = times_asked(given)
  if time and given.merge then
    return ("--%s has nothing to choose from in a saved digest: give it to --emit"):format(time)
  end
  if given.emit and given["since-last"] then
    return "--emit only writes a digest; compare when they are merged"
  end
end

-- Why --emit does not write there: a log whose name came first by mistake would be lost.
local function not_there(path)
  if not path then return nil end
  if path == "-" then return "--emit takes a file, not standard output", 2 end
  local head = sys.stat(path) and (sys.head(path, HEAD) or "?")
  if not head or head == "" or core.is_digest(head) then return nil end
  return ("--emit: %s is there, and is no digest that --emit wrote; name another file")
    :format(path), 3
end

-- How logs are read without a case in between; nil: they go through one. What comes from standard
-- input or a pipe is read once, and what its times are is known at its end.
local function calls_only(given, operands, want)
  if not given.emit and not given.merge and times_asked(given) then
    for _, operand in ipairs(operands) do
      if operand == "-" or (sys.stat(operand) or {}).type == "other" then return nil end
    end
  end
  return { by = slowlog.columns(want.by), threads = want.threads, merge = given.merge,
    identify = (given.emit or given.merge) ~= nil }
end

-- Writes the digest of --emit.
local function emit(s, path)
  session.say_unread(s)
  local bytes, message = s.case.calls_digest:pack(s.case.core)
  if not bytes then return nil, message end
  return sys.write(path, bytes)
end

local function show(d, ctx, given, want, compared)
  if given.format == "json" then
    require("hbdx.slowlog.json").write(d, ctx, compared, function(text) io.stdout:write(text) end)
  else
    io.stdout:write(require("hbdx.slowlog.text").render(d, ctx, want.top, compared))
  end
end

local function write(s, given, want, saved)
  local path, d = given["since-last"], slowlog.collect(s.case, want)
  local none = sources.none_read(s.coverage) -- a digest of nothing would look like a calm one
  if given.emit and not none then
    if times_asked(given) then session.say(given, ACROSS) end
    return emit(s, given.emit)
  end
  local compared = path and not none and compare.diff(d, saved, path) or nil
  if compared then compared.overlap = overlap.find(d, saved, given, s.case:offset()) end
  if given.emit then
    session.say_unread(s)
  else
    show(d, session.context(s, given), given, want, compared)
  end
  if none and (path or given.emit) then
    session.say(given, "nothing was read: %s is not written", path or given.emit)
  elseif path then
    return sys.write(path, compare.encode(d, #s.coverage.unread))
  end
  return true
end

local function run(given, operands)
  local want, message = asked(given)
  message = message or contradiction(given)
  if message then return fail(message, 2) end
  if given.follow then return require("hbdx.slowlog.live").run(given, operands, want) end
  local wrong, code = not_there(given.emit)
  if wrong then return fail(wrong, code) end
  local saved, why, status = earlier(given["since-last"], want.by)
  if why then return fail(why, status) end
  local s
  s, message, status = session.open(given, operands, nil, calls_only(given, operands, want),
    session.logged)
  if not s then return fail(message, status) end
  if (given.emit or given.merge) and not s.case.calls_digest then
    s.case:close()
    return fail(("--%s goes with logs and shell outputs of slow calls, not with an address or a "
      .. "case"):format(given.emit and "emit" or "merge"), 2)
  end
  local good, trouble = write(s, given, want, saved)
  s.case:close()
  if not good then
    return fail(("--%s: %s"):format(given.emit and "emit" or "since-last", trouble), 3)
  end
  return #s.coverage.unread > 0 and 3 or 0
end

return { {
  name = "slowlog", usage = "[OPTION...] SOURCE...",
  summary = "Digest the slow and large calls: who, on which table, how often, how long.",
  details =
    "Calls are grouped by table, method, client (without its port) and the shape of the scan: "
    .. "filters, start and stop row or none, caching, cache_blocks. A continuation of a scan "
    .. "that does not name its table has the one that an earlier call of its scanner named; "
    .. "where none did, it is unknown, and said to be.\n"
    .. ("With --since-last, a group is worse when its processing time per hour of what was read, "
    .. "or its p95, is %s times what it was or more, and better when it is that much less; "
    .. "the time takes %d calls then or now, the p95 %d each. What decided is said first (JSON: "
    .. "decided_by). FILE is then replaced. "
    .. "Where the logs still hold what the last digest was made of, both contain those calls, and "
    .. "what is new is diluted: that is said, with the --from TIME that counts only what came "
    .. "since (JSON: compared.overlap).\n"):format(compare.factor, compare.calls, compare.calls)
    .. "In a group of more than 16,384 calls p50 and p95 are within 0.8 %: text marks them with ~, "
    .. "JSON with about.\n"
    .. "With --from, --to, --at or --window only the calls of that time are counted, one that ran "
    .. "across a bound on both sides of it: in two adjacent times, and in --merge of their "
    .. "digests, it counts twice.\n" .. session.times .. "\n"
    .. follow_doc .. "Calls from --from on are counted, or from 10 minutes before the end of what "
    .. "was there: a terminal shows the digest anew after each LENGTH, else it is "
    .. "written again where calls came, and at the end; json is one document behind the other.\n"
    .. "Exit status: 0; 2 wrong usage; 3 a source, or FILE, could not be read or written; with "
    .. "--follow 130 after Ctrl-C, 143 after SIGTERM.",
  options = session.with {
    { name = "format", value = "FORMAT", choices = { "text", "json" }, default = "text",
      help = "output" },
    { name = "by", value = "NAME,...", default = table.concat(slowlog.usual, ","),
      help = "group by: " .. table.concat(slowlog.key_names, ", ") .. "; hour is that of the day, "
      .. "in the cluster's zone" },
    { name = "rank", value = "BY", choices = slowlog.ranks, default = "time",
      help = "put first what has most of it: processing time, calls, response bytes, "
      .. "time in queue" },
    { name = "top", value = "N", default = "20", help = "groups to show; json gives all" },
    { name = "follow", short = "f",
      help = "go on with what is written to the files, until Ctrl-C" },
    { name = "every", value = "LENGTH", default = "5s on a terminal, else 1m",
      help = "with --follow, how often the digest is shown" },
    { name = "threads", value = "N", help = "read with so many; default: one a processor" },
    { name = "emit", value = "FILE",
      help = "write nothing but the digest, to FILE: for --merge, there or on another host" },
    { name = "merge", value = "FILE", many = true,
      help = "add a digest that --emit wrote, by the same names; may be given again" },
    { name = "since-last", value = "FILE",
      help = "say what is new, gone, worse and better since the digest in FILE; then keep this "
      .. "one there" },
  },
  examples = { "hbdx slowlog /var/log/hbase/*.log*",
    "hbdx slowlog --by user,hour --rank calls logs/",
    "hbdx slowlog --since-last ~/slow.json /var/log/hbase",
    "hbdx slowlog --follow --top 5 /var/log/hbase",
    "hbdx slowlog --emit rs-1.digest /var/log/hbase",
    "hbdx slowlog --merge rs-1.digest --merge rs-2.digest",
    "hbdx slowlog --format json logs/ | jq '.groups[0]'" },
  run = run,
} }

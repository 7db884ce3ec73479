--- What is at hand in the shell, each with a line and an example. tests/lua/shell_spec.lua walks
-- the shell's environment and fails on a name that is not here.
local M = {}

---@class hbdx.Doc
---@field name string
---@field usage string
---@field text string

--- In the order in which help shows them.
---@type hbdx.Doc[]
M.docs = {
  { name = "load", usage = 'load "SOURCE"', text =
    "Reads sources into the case: a folder, logs, /jmx dumps, hbase-site.xml, http://HOST:16030, a "
    .. "case file. Several may be given, and options in a table: load(\"logs\", { zone = "
    .. "\"+02:00\", samples = 2 }). Gives what was read. Lua's own load is _G.load." },
  { name = "open", usage = 'open "SOURCE"', text =
    "Like load, but leaves the case that is open and begins a new one." },
  { name = "diagnose", usage = "diagnose()", text =
    "Runs every playbook whose needs are met over the case and ranks what they find. Parameters of "
    .. "playbooks may be given: diagnose { min_refused = 100 }." },
  { name = "run", usage = 'run "flush-stall"', text =
    "Runs some playbooks: ids, globs or categories, joined by commas. run(\"flush-stall\", { "
    .. "min_refused = 100 }) sets parameters." },
  { name = "playbooks", usage = "playbooks()", text =
    "The playbooks there are: id, category and title of each." },
  { name = "slowlog", usage = "slowlog.top()", text = "Slow and large calls of the case." },
  { name = "slowlog.top", usage = "slowlog.top(10)", text =
    "The costliest groups of slow calls: who, on which table, with which scan, how often, how "
    .. "long. Gives the digest; its groups are in .groups." },
  { name = "jmx", usage = 'jmx.latest "memstore.size"', text =
    "Metrics of the case. Names are those of hbdx explain; Tab completes them between quotes." },
  { name = "jmx.get", usage = 'jmx.get "cache.evictions"', text =
    "A metric over time: one record per server and window between two dumps. A counter has its "
    .. "growth and growth a second; where it cannot be told, why. A gauge has its value." },
  { name = "jmx.latest", usage = 'jmx.latest "memstore.size"', text =
    "The last known value of a metric on each server." },
  { name = "amp", usage = 'amp.heap{heap = "32g", active_regions = 200}', text =
    "The arithmetic of a RegionServer: heap, reads, call queues, WALs, compactions. help "
    .. "\"amp.heap\" shows what each takes and gives." },
  { name = "sql", usage = 'sql "select kind, count(*) from event group by kind"', text =
    "Asks the case in SQL, reading only. Values for the question marks follow: sql(\"... where "
    .. "kind = ?\", \"flush\"). hbdx sql --schema shows the tables." },
  { name = "save", usage = 'save "incident.case"', text =
    "Writes the case to a new file, which load and every command take as a source." },
  { name = "time", usage = 'time.parse "2024-05-01T02:00:00Z"', text =
    "Instants are milliseconds since 1970 in UTC. time.parse(text, zone), time.format(ms, zone), "
    .. "time.civil(ms, zone), time.offset(zone, ms)." },
  { name = "explain", usage = 'explain "blockCacheEvictionCount"', text =
    "The same as help: what a metric, a setting, an event, a verdict or a word means." },
  { name = "help", usage = 'help "amp.get_cost"', text =
    "What is at hand, or one of it; also a metric, a setting, an event or a word of the reports." },
  { name = "case", usage = "case", text =
    "The case that is open; its functions are called with a colon." },
  { name = "case:servers", usage = "case:servers()", text =
    "The servers of the case: id, name, short name, HBase version, is_master." },
  { name = "case:server", usage = "case:server(1)", text = "The server of that id." },
  { name = "case:server_name", usage = "case:server_name(1)", text =
    "The short name of a server's id." },
  { name = "case:version", usage = "case:version()", text =
    "The HBase version of the case, or of a server's id." },
  { name = "case:setting", usage = 'case:setting "hbase.regionserver.handler.count"', text =
    "A setting with where its value is from: a file, /conf, or the default of that version." },
  { name = "case:contradictions", usage = "case:contradictions()", text =
    "Settings that the sources tell differently, each in words." },
  { name = "case:span", usage = "case:span()", text =
    "The first and last instant of all that the case holds, in ms." },
  { name = "case:restrict", usage = "case:restrict(from_ms, to_ms)", text =
    "Narrows windows, calls, events and scans to a time; without arguments all is seen again. A "
    .. "third argument is the span that counts as the incident." },
  { name = "case:in_focus", usage = "case:in_focus(from_ms, to_ms)", text =
    "Whether something that happened then may count as the incident that is asked about." },
  { name = "case:offset", usage = "case:offset()", text =
    "How many ms the cluster's clock is east of UTC, as its logs show it." },
  { name = "case:windows", usage = 'case:windows { "cache.evictions" }', text =
    "One frame a server: { server, first, windows }. A window between two dumps has from_ms, "
    .. "to_ms, seconds, the growth of counters in d, gauges at its end in g, and in why the "
    .. "reason where a growth cannot be told; each by the metric's name. first has what the first "
    .. "dump showed." },
  { name = "case:labelled", usage = 'case:labelled "region.store_files"', text =
    "A metric that exists per table or region: server_id, table_name, region, family, peak, and "
    .. "how much it grew from from_ms to to_ms." },
  { name = "case:calls", usage = 'case:calls { method = "Scan" }', text =
    "Slow and large calls by their start: start_ms, proc_ms, queue_ms, response_bytes, method, "
    .. "client, user, table_name, near_table (told by another call of its scanner), region, "
    .. "filters, has_start_row, has_stop_row, cache_blocks, place." },
  { name = "case:events", usage = 'case:events "flush_delayed"', text =
    "Events of one kind by time: t_ms, server_id, table_name, region, place, and the kind's own "
    .. "fields in f; help \"KIND\" explains one." },
  { name = "case:pauses", usage = "case:pauses()", text =
    "Stops of the JVMs by their start, each once: what the collector's log and the server's "
    .. "JvmPauseMonitor tell of the same time is joined. pause_ms, gc_kind, collector, cause, "
    .. "evacuation_failure, and in told who tells it." },
  { name = "case:scans", usage = "case:scans()", text =
    "Scan metrics that applications logged: t_ms, returned, scanned, filtered, table_name, label, "
    .. "place." },
  { name = "case:has", usage = 'case:has "calls"', text =
    "Whether the case can tell something, and if not, how to get it: a metric, calls, events, "
    .. "scans, settings." },
  { name = "case:logged", usage = "case:logged()", text =
    "Records and milliseconds of one RegionServer's logs in the time asked about." },
  { name = "case:sources", usage = "case:sources()", text =
    "What was read: lines, records, time span, clock of each; in told what it holds by kind, the "
    .. "order of its lines, and changes of its clock." },
  { name = "case:skipped", usage = "case:skipped()", text =
    "What was not understood, by source and reason, with a sample." },
  { name = "case:refresh", usage = "case:refresh()", text =
    "Forgets what was looked up before; load does it by itself." },
  { name = "case:close", usage = "case:close()", text =
    "Closes the case; open and leaving the shell do it by themselves." },
}

local function of_playbooks() return require "hbdx.shell.playbook_doc" end

local function doc_of(name)
  for _, list in ipairs { M.docs, of_playbooks() } do
    for _, doc in ipairs(list) do
      if doc.name == name then return doc end
    end
  end
end

--- Words broken into lines behind an indent.
local function wrapped(words, indent, width)
  local lines, line = {}, indent
  for word in words:gmatch("%S+") do
    if #line > #indent and #line + 1 + #word > width then
      lines[#lines + 1], line = line, indent
    end
    line = #line > #indent and line .. " " .. word or line .. word
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

--- A table whose functions have help of their own need not be shown beside them.
local function is_parent(name)
  for _, doc in ipairs(M.docs) do
    if doc.name:sub(1, #name + 1) == name .. "." then return true end
  end
end

local function overview(width)
  local out = { "at hand, each with help \"NAME\":" }
  for _, doc in ipairs(M.docs) do
    if not doc.name:find(":", 1, true) and not is_parent(doc.name) then
      local first = doc.text:match("^(.-%.)%s%u") or doc.text
      out[#out + 1] = ("  %s\n%s"):format(doc.usage, wrapped(first, "      ", width))
    end
  end
  out[#out + 1] = wrapped("Any Lua statement or expression goes; lines are joined until a "
    .. "statement is whole. _ is the last value. Tab completes, Ctrl-C ends a statement, Ctrl-D "
    .. "leaves. help \"case\" lists what a case can tell, help \"finding\" what a playbook of "
    .. "your own says with it.", "", width)
  return table.concat(out, "\n")
end

local function members(name, out, width)
  for _, list in ipairs { M.docs, of_playbooks() } do
    for _, doc in ipairs(list) do
      if doc.name:find(name .. "[:.]", 1) == 1 then
        out[#out + 1] = "  " .. doc.usage
        out[#out + 1] = wrapped(doc.text, "      ", width)
      end
    end
  end
end

--- The names of the functions of amp, sorted, from their own table.
local function amp_functions(out, width)
  local names, amp = {}, require "hbdx.amp.doc"
  for name in pairs(amp) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    out[#out + 1] = "  amp." .. name
    out[#out + 1] = wrapped(amp[name].summary, "      ", width)
  end
end

local function of_doc(doc, width)
  local out = { doc.usage, wrapped(doc.text, "  ", width) }
  members(doc.name, out, width)
  if doc.name == "amp" then amp_functions(out, width) end
  return table.concat(out, "\n")
end

--- What a name means: of the shell, else of hbdx explain.
---@param topic string? nil: an overview
---@param width integer
---@return string? text
---@return string? message
function M.text(topic, width)
  if topic == nil then return overview(width) end
  local doc = doc_of(topic) or doc_of((topic:gsub("%.", ":", 1)))
    or doc_of((topic:gsub("^f:", "finding:")))
  if doc then return of_doc(doc, width) end
  local text, near = require("hbdx.explain").text(topic)
  if text then return text end
  return nil, ("nothing here is called '%s'%s"):format(topic, near and #near > 0
    and "; perhaps " .. table.concat(near, ", ") or "; help lists what is at hand")
end

--- All names that have help of the shell's own.
---@return table<string, boolean>
function M.names()
  local set = {}
  for _, doc in ipairs(M.docs) do set[doc.name] = true end
  for name in pairs(require "hbdx.amp.doc") do set["amp." .. name] = true end
  return set
end

return M

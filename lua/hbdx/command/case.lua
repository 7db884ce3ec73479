--- hbdx import, hbdx sql: keep what was gathered in a case file, and ask it in SQL.
local say = require "hbdx.say"
local session = require "hbdx.session"
local sources = require "hbdx.report.sources"
local sys = require "hbdx.core.sys"
local text = require "hbdx.core.text"
local units = require "hbdx.units"

local function fail(message, status)
  say.error(message)
  return status
end

local import = {
  name = "import", usage = "[OPTION...] SOURCE... -o FILE",
  summary = "Read the sources into a case file, which every command takes as a source.",
  details = "All that the sources hold goes into it; the same content twice adds nothing. The file "
    .. "is readable by its owner alone.",
  options = session.with({ { name = "output", short = "o", value = "FILE",
    help = "the case to make or to add to" } }, session.reading),
  examples = { "hbdx import rs-*/ -o incident.case" },
  run = function(given, operands)
    if not given.output then return fail("import takes -o FILE", 2) end
    if given.output == "-" then
      return fail("a case is a file and cannot be written to stdout: -o FILE", 2)
    end
    local fresh = sys.stat(given.output) == nil
    local s, message, status = session.open(given, operands, given.output)
    if not s then return fail(message, status) end
    local c = s.coverage
    session.say_unread(s)
    session.say(given, "%s: %s read, %d known already, %d passed over, %d not read", given.output,
      units.plural(c.files, "file"), c.duplicates, c.passed, #c.unread)
    for _, note in ipairs(c.notes) do session.say(given, "note: %s", note) end
    if given.verbose then
      local out = {}
      sources.add(session.context(s, given), out)
      for _, line in ipairs(out) do io.stderr:write(line, "\n") end
    end
    s.case:close()
    if fresh and c.files == 0 then -- an empty case would look like a calm one
      os.remove(given.output)
      session.say(given, "nothing was read: %s is not made", given.output)
    end
    return #c.unread > 0 and 3 or 0
  end,
}

local function cell(value)
  if value == nil then return "" end
  return (text.escape(tostring(value)))
end

local function cells_of(columns, row)
  local cells = {}
  for i = 1, #columns do cells[i] = cell(row[i]) end
  return table.concat(cells, "\t")
end

local function write_rows(columns, rows)
  io.stdout:write(cells_of(columns, columns), "\n")
  for row in rows do io.stdout:write(cells_of(columns, row), "\n") end
end

local function write_json(columns, rows)
  local json = require "hbdx.core.json"
  for row in rows do
    local object = setmetatable({}, { __order = columns })
    for i, name in ipairs(columns) do object[name] = row[i] end
    io.stdout:write(json.encode(object), "\n")
  end
end

local MAKE = "%s is a folder; make a case of it first: hbdx import %s -o incident.case"
local LIST = "; hbdx sql --schema shows the tables and their columns"

local sql = {
  name = "sql", usage = "CASE 'select ...'",
  summary = "Ask a case in SQL; reading only. --schema shows the tables.",
  details = "CASE is a file that hbdx import made. Columns are joined by tabs; --format jsonl "
    .. "gives one object a line. Columns that end in _ms are milliseconds: lengths, or instants "
    .. "since 1970 in UTC.",
  options = {
    { name = "format", value = "FORMAT", choices = { "tsv", "jsonl" }, default = "tsv",
      help = "output" },
    { name = "schema", help = "show the tables of a case and end" },
  },
  examples = { "hbdx sql incident.case 'select kind, count(*) from event group by kind'",
    "hbdx sql incident.case \"select datetime(start_ms / 1000, 'unixepoch') as utc,",
    "  method, table_name, client, proc_ms from call order by proc_ms desc limit 5\"" },
  run = function(given, operands)
    local core = require "hbdx.core.case"
    if given.schema then
      io.stdout:write(core.schema(), "\n")
      return 0
    end
    if #operands ~= 2 then
      return fail("sql takes a case file and a statement: hbdx sql FILE.case 'select ...'", 2)
    end
    local c, message = core.open(operands[1], { readonly = true })
    if not c then
      local folder = (sys.stat(operands[1]) or {}).type == "folder"
      return fail(folder and MAKE:format(operands[1], operands[1]) or message, 3)
    end
    local columns, rows = c:select(operands[2])
    if not columns then
      c:close()
      return fail(rows .. (rows:find("no such", 1, true) and LIST or ""), 2)
    end
    local write = given.format == "jsonl" and write_json or write_rows
    local ok, trouble = pcall(write, columns, rows)
    c:close()
    if not ok then return fail((tostring(trouble):gsub("^[^\n]-%.lua:%d+: ", "")), 2) end
    return 0
  end,
}

return { import, sql }

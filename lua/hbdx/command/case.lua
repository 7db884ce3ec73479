--- hbdx import, hbdx sql: keep what was gathered in a case file, and ask it in SQL.
local session = require "hbdx.session"
local text = require "hbdx.core.text"

local function fail(message, status)
  io.stderr:write("hbdx: ", message, "\n")
  return status
end

local import = {
  name = "import", usage = "[OPTION...] SOURCE... -o FILE",
  summary = "Read the sources into a case file, which every command takes as a source.",
  details = "The same content twice adds nothing. The file is readable by its owner alone.",
  options = session.with { { name = "output", short = "o", value = "FILE",
    help = "the case to make or to add to" } },
  examples = { "hbdx import rs-*/ -o incident.case" },
  run = function(given, operands)
    if not given.output then return fail("import takes -o FILE", 2) end
    local s, message, status = session.open(given, operands, given.output)
    if not s then return fail(message, status) end
    local c = s.coverage
    session.say(given, "%s: %d files read, %d known already, %d passed over, %d not read",
      given.output,
      c.files, c.duplicates, c.passed, #c.unread)
    for _, u in ipairs(c.unread) do io.stderr:write("hbdx: ", u.name, ": ", u.message, "\n") end
    s.case:close()
    return #c.unread > 0 and 3 or 0
  end,
}

local function cell(value)
  if value == nil then return "" end
  return (text.escape(tostring(value)))
end

local function write_rows(columns, rows)
  io.stdout:write(table.concat(columns, "\t"), "\n")
  local n = 0
  for row in rows do
    local cells = {}
    for i = 1, #columns do cells[i] = cell(row[i]) end
    io.stdout:write(table.concat(cells, "\t"), "\n")
    n = n + 1
  end
  return n
end

local function write_json(columns, rows)
  local json = require "hbdx.core.json"
  for row in rows do
    local object = setmetatable({}, { __order = columns })
    for i, name in ipairs(columns) do object[name] = row[i] end
    io.stdout:write(json.encode(object), "\n")
  end
end

local sql = {
  name = "sql", usage = "CASE 'select ...'",
  summary = "Ask a case in SQL; reading only. --schema shows the tables.",
  details = "Columns are joined by tabs; --format jsonl gives one object a line.",
  options = {
    { name = "format", value = "FORMAT", choices = { "tsv", "jsonl" }, default = "tsv",
      help = "output" },
    { name = "schema", help = "show the tables of a case and end" },
  },
  examples = { "hbdx sql incident.case 'select kind, count(*) from event group by kind'" },
  run = function(given, operands)
    local core = require "hbdx.core.case"
    if given.schema then
      io.stdout:write(core.schema(), "\n")
      return 0
    end
    if #operands ~= 2 then return fail("sql takes a case and a statement", 2) end
    local c, message = core.open(operands[1], { readonly = true })
    if not c then return fail(message, 3) end
    local columns, rows = c:select(operands[2])
    if not columns then
      c:close()
      return fail(rows, 2)
    end
    local write = given.format == "jsonl" and write_json or write_rows
    local ok, trouble = pcall(write, columns, rows)
    c:close()
    if not ok then return fail(tostring(trouble), 2) end
    return 0
  end,
}

return { import, sql }

--- Runs a family of benchmarks; tests/bench/run calls it. A family is a Lua file that returns
-- { commands, rows }; see logs.lua.
local bench = {}

local family, here, build, work, quick = table.unpack(arg, 1, 5)
bench.quick, bench.work = quick == "--quick", work

-- A command that takes longer is not run three times.
local LONG_S, RUNS = bench.quick and 1.5 or 20, 3

local function say(fmt, ...) io.stderr:write(fmt:format(...), "\n") end

local function quoted(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

--- A row that cannot be measured ends here; why becomes its value.
---@param why string
function bench.short(why) error({ short = why }, 0) end

---@param name string a program
function bench.need(name)
  if not os.execute("command -v " .. quoted(name) .. " >/dev/null") then
    bench.short(name .. " is not installed")
  end
end

local function filled(command, names)
  return (command:gsub("{(%w+)}", function(name)
    return quoted(names and names[name] or ({ hbdx = build .. "/hbdx", here = here,
      bench = build .. "/bench", work = work })[name] or error("no name {" .. name .. "}"))
  end))
end

--- What a command prints, without the line's end.
---@param command string with {names}
---@return string
function bench.output(command, names)
  local pipe = assert(io.popen(filled(command, names)))
  local text = pipe:read("a")
  pipe:close()
  return (text:gsub("\n$", ""))
end

--- Runs a command of the shell that has to work.
---@param command string with {names}
---@param names table<string, string>?
function bench.run(command, names)
  command = filled(command, names)
  say("  $ %s", command)
  if not os.execute(command) then bench.short("failed: " .. command) end
end

local function measure_once(command, names, option)
  local wall, user, system, anonymous, resident, status =
    bench.output("{bench}/measure " .. option .. command, names)
      :match("^(%S+) (%S+) (%S+) (%d+) (%d+) (%d+)$")
  if status ~= "0" then bench.short(("exit status %s: %s"):format(status or "?", command)) end
  return { wall = tonumber(wall), cpu = user + system, anonymous = tonumber(anonymous),
    resident = tonumber(resident) }
end

--- Wall and processor seconds of a command without its output: the run with the median of the wall
-- times where it is short, else the only one.
---@param command string with {names}
---@param names table<string, string>?
---@param before string? a command that is not timed, before every run
---@return { wall: number, cpu: number }
function bench.time(command, names, before)
  local runs = {}
  repeat
    if before then bench.run(before, names) end
    runs[#runs + 1] = measure_once(command, names, "")
  until #runs == RUNS or runs[1].wall > LONG_S
  table.sort(runs, function(a, b) return a.wall < b.wall end)
  local m = runs[(#runs + 1) // 2]
  say("  $ %s\n    %.3f s wall, %.3f s processor (%s)", filled(command, names), m.wall, m.cpu,
      #runs == 1 and "one run" or ("median of %d: %.3f to %.3f"):format(#runs, runs[1].wall,
      runs[#runs].wall))
  return m
end

--- Peaks of a command's memory in bytes.
---@return { anonymous: number, resident: number }
function bench.memory(command, names)
  local m = measure_once(command, names, "--memory ")
  say("  $ %s\n    %.1f MB anonymous at most, %.1f MB resident at most, %.1f s",
      filled(command, names), m.anonymous / 1e6, m.resident / 1e6, m.wall)
  return m
end

local made = {}

--- A file that rows share, made once; its bytes are in the page cache then.
---@param name string
---@param command string writes it to stdout
---@param names table<string, string>?
---@return string path, integer bytes
function bench.file(name, command, names)
  local path = work .. "/" .. name
  if not made[name] then
    bench.run(command .. " >{out}", setmetatable({ out = path }, { __index = names }))
    bench.run("cat {out} >/dev/null", { out = path })
    local file = assert(io.open(path, "rb"))
    made[name] = file:seek("end")
    file:close()
  end
  return path, made[name]
end

local function judge(row, value)
  if type(value) ~= "number" then return false end
  if row.floor[1] == "<=" then return value <= row.floor[2] end
  return value >= row.floor[2]
end

local function run_row(row)
  say("%s: %s", row.name, row.about)
  local ok, value = pcall(row.measure, bench)
  if not ok then
    if type(value) ~= "table" then error(value, 0) end
    value = value.short:gsub("%s+", " ")
  end
  local good = judge(row, value)
  local shown = type(value) == "number" and ("%.3f"):format(value) or value
  say("  %s %s (%s %g): %s", shown, row.unit, row.floor[1], row.floor[2], good and "ok" or "short")
  io.stdout:write(table.concat({ "figure", row.name, shown, row.unit,
    ("%s%g"):format(row.floor[1], row.floor[2]), good and "ok" or "short" }, "\t"), "\n")
  io.stdout:flush()
  return good
end

package.path = here .. "/?.lua;" .. package.path
local all = true
for _, row in ipairs(require(family)) do all = run_row(row) and all end
os.exit(all and 0 or 1, true)

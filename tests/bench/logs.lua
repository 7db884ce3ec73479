--- Logs: how fast they are read, against the tools that an operator would take instead.

-- What each row times.
local COMMANDS = {
  digest = "{hbdx} slowlog --threads 1 {file}",
  all_kinds = "{bench}/scan_logs 1 {file}",
  two_threads = "{bench}/scan_logs 2 {file}",
  import = "{hbdx} import -o {work}/bench.case {file}",
  rg = "rg -c 'Too[SL]' {file}",
  zcat = "zcat {file}",
  script = "{python} {here}/slowlog_script.py {file}",
}

-- Bytes of a corpus, calls of the one with many groups.
local SIZE = { full = "512M", quick = "48M" }
local GROUPS = { full = "1000000", quick = "50000" }

local function mixed(b)
  return b.file("mixed.log", "{bench}/gen_logs --slow-share 5 --size {size}",
                { size = SIZE[b.quick and "quick" or "full"] })
end

local function slow_only(b)
  return b.file("slow.log", "{bench}/gen_logs --slow-only --size {size}",
                { size = SIZE[b.quick and "quick" or "full"] })
end

local function zipped(b) return b.file("mixed.log.gz", "gzip -c {file}", { file = mixed(b) }) end

-- Each call is of another group; 2.4 always tells the table.
local function many_groups(b)
  return b.file("groups.log", "{bench}/gen_logs --slow-only --era 8 --groups {n} --calls {n} "
    .. "--size 10G", { n = GROUPS[b.quick and "quick" or "full"] })
end

local function wall(b, name, path, names)
  return b.time(COMMANDS[name], setmetatable({ file = path }, { __index = names })).wall
end

-- The interpreter itself: what is called python3 may be a script that looks for it.
local function python(b)
  b.need("python3")
  return { python = b.output("python3 -c 'import sys; print(sys.executable)'") }
end

return {
  { name = "mixed", unit = "x", floor = { "<=", 2.5 },
    about = "digest of a log with 5 % slow lines, against rg -c on the same file",
    measure = function(b)
      b.need("rg")
      local path = mixed(b)
      return wall(b, "digest", path) / wall(b, "rg", path)
    end },

  { name = "slow_only", unit = "GB/s", floor = { ">=", 1 },
    about = "digest of slow lines only",
    measure = function(b)
      local path, bytes = slow_only(b)
      b.slow_only_wall = wall(b, "digest", path)
      return bytes / b.slow_only_wall / 1e9
    end },

  { name = "slow_only_script", unit = "x", floor = { ">=", 15 },
    about = "the same by a script in Python, against hbdx",
    measure = function(b)
      local names, path = python(b), slow_only(b)
      return wall(b, "script", path, names) / (b.slow_only_wall or wall(b, "digest", path))
    end },

  { name = "all_kinds", unit = "GB/s", floor = { ">=", 1 },
    about = "calls, events and pauses of the mixed log in one pass",
    measure = function(b)
      local path, bytes = mixed(b)
      b.all_kinds_wall = wall(b, "all_kinds", path)
      return bytes / b.all_kinds_wall / 1e9
    end },

  { name = "threads2", unit = "x", floor = { ">=", 1.8 },
    about = "the same with two threads, against one",
    measure = function(b)
      local path = mixed(b)
      local two = wall(b, "two_threads", path)
      return (b.all_kinds_wall or wall(b, "all_kinds", path)) / two
    end },

  { name = "gz", unit = "x", floor = { "<=", 1.15 },
    about = "digest of the mixed log, gzipped, against zcat",
    measure = function(b)
      b.need("zcat")
      b.need("gzip")
      local path = zipped(b)
      return wall(b, "digest", path) / wall(b, "zcat", path)
    end },

  { name = "rss", unit = "MB", floor = { "<=", 96 },
    about = "peak of anonymous memory (a mapped input does not count) on a million groups",
    measure = function(b)
      return b.memory(COMMANDS.digest, { file = many_groups(b) }).anonymous / 1e6
    end },

  { name = "import", unit = "MB/s", floor = { ">=", 300 },
    about = "the mixed log into a case file",
    measure = function(b)
      local path, bytes = mixed(b)
      return bytes / b.time(COMMANDS.import, { file = path }, "rm -f {work}/bench.case").wall / 1e6
    end },
}

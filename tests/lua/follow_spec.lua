--- --follow: logs that are written, rotated, truncated and removed while hbdx reads them. What hbdx
-- writes is waited for, never a time.
local case = require "hbdx.case"
local core = require "hbdx.core.case"
local json = require "hbdx.core.json"
local names = require "hbdx.follow.names"
local scratch = require "scratch"
local sys = require "hbdx.core.sys"
local timeline = require "hbdx.events.timeline"

local BIN = assert(os.getenv "HBDX_BIN", "HBDX_BIN names the binary")
local A = ("a"):rep(32)

local function stamp(seconds)
  return ("2026-03-02 10:%02d:%02d,000"):format(seconds // 60, seconds % 60)
end

local function flush(seconds)
  return ("%s INFO  [f.0] regionserver.HRegion: Finished flush of dataSize ~4 MB/4194304, "
    .. "heapSize ~4 MB/4194304, currentSize=0 B/0 for %s in %dms, sequenceid=3, "
    .. "compaction requested=false\n"):format(stamp(seconds), A, seconds)
end

local T0 <const> = 1772445600000 -- 2026-03-02T10:00:00Z

local function call(seconds)
  return ('%s WARN  [h=1] ipc.RpcServer: (responseTooSlow): {"call":"Get(x)","starttimems":%d,'
    .. '"responsesize":12,"method":"Get","processingtimems":1000,"client":"10.0.0.1:50",'
    .. '"queuetimems":0,"class":"HRegionServer"}\n'):format(stamp(seconds),
    T0 + seconds * 1000 - 1000)
end

local function write(path, text, mode)
  local f = assert(io.open(path, mode or "a"))
  assert(f:write(text))
  f:close()
end

local folder

before_each(function()
  folder = scratch.folder()
end)

after_each(function() os.execute(("rm -rf '%s'"):format(folder)) end)

-- hbdx that runs: its lines are read as they come.
local Run = {}
Run.__index = Run

local function start(words)
  local self = setmetatable({ errors = folder .. "/.stderr" }, Run)
  self.pipe = assert(io.popen(("echo $$; TZ=UTC exec %s %s 2>%s </dev/null"):format(BIN, words,
    self.errors)))
  self.pid = self.pipe:read "n"
  self.pipe:read "l"
  return self
end

function Run:line() return self.pipe:read "l" end

-- The next line with these words.
function Run:find(text)
  for line in self.pipe:lines() do
    if line:find(text, 1, true) then return line end
  end
end

-- The next object: its file's name, line and time of flush.
function Run:event()
  local line = self:line()
  assert.truthy(line, "hbdx has ended")
  local e = json.decode(line)
  return { e.file:match "[^/]*$", e.line, e.took_ms }
end

function Run:said() return sys.read(self.errors, 1 << 20) or "" end

-- Waits until stderr has these words.
function Run:hear(text)
  local last = sys.monotonic_ms() + 60000
  while not self:said():find(text, 1, true) do
    assert(sys.monotonic_ms() < last, ("not said: %s; but %s"):format(text, self:said()))
    sys.sleep_ms(20)
  end
end

function Run:stop(signal)
  assert(os.execute(("kill -%s %d"):format(signal or "INT", self.pid)))
  return self:rest()
end

-- All that is left, and the status.
function Run:rest()
  local rest = self.pipe:read "a"
  local _, _, status = self.pipe:close()
  return status, rest
end

describe("events --follow", function()
  it("gives what is there and what comes, through rotation by rename and by truncation", function()
    local log = folder .. "/rs.log"
    write(log, flush(1) .. flush(2))
    local run = start("events --follow --format jsonl " .. log)
    assert.same({ "rs.log", 1, 1 }, run:event())
    assert.same({ "rs.log", 2, 2 }, run:event())
    write(log, flush(3) .. flush(4):sub(1, 60))
    assert.same({ "rs.log", 3, 3 }, run:event())
    write(log, flush(4):sub(61))
    assert.same({ "rs.log", 4, 4 }, run:event())
    assert(os.rename(log, log .. ".1"))
    write(log .. ".1", flush(5))
    write(log, flush(6))
    assert.same({ "rs.log", 5, 5 }, run:event())
    assert.same({ "rs.log", 1, 6 }, run:event())
    run:hear "rs.log: was rotated"
    write(log, flush(7) .. flush(8) .. flush(9), "w")
    for i = 7, 9 do assert.same({ "rs.log", i - 6, i }, run:event()) end
    run:hear "rs.log: was truncated"
    write(log, flush(10):sub(1, -2))
    local status, rest = run:stop()
    assert.equal(130, status)
    assert.matches('"took_ms":10', rest)
    assert.matches("followed 1 file: 10 lines, .* 10 events, 0 lines not understood", run:said())
  end)

  it("says at its end how many it found and how many it showed", function()
    local log = folder .. "/rs.log"
    write(log, flush(1) .. flush(2), "w")
    local run = start("events --follow --format jsonl --kind abort,flush_started " .. log)
    run:hear "zone" -- the notes come when what was there has been read
    write(log, flush(3))
    sys.sleep_ms(1500)
    run:stop()
    assert.matches("3 events %(0 shown%), 0 lines not understood", run:said())
  end)

  it("shows the last events that were there, or those since --from", function()
    local log, text = folder .. "/rs.log", {}
    for i = 1, 40 do text[i] = flush(i) end
    write(log, table.concat(text))
    local run = start("events --follow --format jsonl " .. log) -- 40 may go on, and comes behind
    for i = 30, 40 do assert.same({ "rs.log", i, i }, run:event()) end
    assert.equal(143, (run:stop "TERM"))
    run = start("events --follow --from 10:00:12 --format jsonl " .. log)
    for i = 12, 40 do assert.same({ "rs.log", i, i }, run:event()) end
    run:stop()
    assert.matches("events from 2026%-03%-02 10:00:12 UTC on are shown", run:said())
    run = start("events --follow --from -5s --kind 'flush_*' --format jsonl " .. log)
    for i = 35, 40 do assert.same({ "rs.log", i, i }, run:event()) end
    run:stop()
  end)

  it("waits for a file that is not there", function()
    local log = folder .. "/rs.log"
    local run = start("events --follow --format jsonl " .. log)
    run:hear "rs.log: No such file or directory: it is waited for"
    write(log, flush(1))
    assert.same({ "rs.log", 1, 1 }, run:event())
    run:hear "rs.log: is there"
    assert(os.remove(log))
    run:hear "is there\nhbdx:"
    assert.equal(130, (run:stop()))
  end)

  it("takes new files of a folder, and leaves out what was rotated away", function()
    local log = folder .. "/rs-1.log"
    write(log, flush(1))
    write(log .. ".1", flush(2))
    write(folder .. "/rs-1.log.2026-03-01", flush(2))
    local run = start("events --follow --format jsonl " .. folder)
    assert.same({ "rs-1.log", 1, 1 }, run:event())
    write(log .. ".2", flush(2))
    write(folder .. "/rs-2.log", flush(3))
    assert.same({ "rs-2.log", 1, 3 }, run:event())
    run:hear "rs-2.log: new, followed, too"
    write(log, flush(4))
    assert.same({ "rs-1.log", 2, 4 }, run:event())
    assert(os.rename(folder .. "/rs-2.log", folder .. "/rs-2.log.1")) -- and no new one for a while
    write(folder .. "/rs-3.log", flush(5))
    assert.same({ "rs-3.log", 1, 5 }, run:event())
    assert.equal(130, (run:stop()))
    assert.matches("followed 3 files", run:said())
  end)

  it("ends quietly when nobody reads any more", function()
    local log = folder .. "/rs.log"
    write(log, flush(1) .. flush(2))
    local pipe = assert(io.popen(("%s events -q --follow --format jsonl %s 2>&1 | head -n 1")
      :format(BIN, log)))
    local out = pipe:read "a"
    pipe:close()
    assert.matches('^[^\n]*"line":1[^\n]*\n$', out)
  end)

  it("writes a timeline at once", function()
    local log = folder .. "/rs.log"
    write(log, flush(1))
    local run = start("events --follow " .. log)
    assert.equal("2026-03-02 UTC", run:line())
    assert.matches("^10:00:01.000  %S+  flush_finished", run:line())
    write(log, flush(2) .. flush(3) .. flush(4))
    run:hear "this machine's"
    local status, rest = run:stop()
    assert.equal(130, status)
    assert.matches("10:00:04.000  %S+  flush_finished x 3 more since 10:00:02.000", rest)
  end)

  it("tells the pauses of a log of the collector, as a reading of it does", function()
    local log, old, new = folder .. "/gc.log", "", ""
    for i = 1, 3 do
      old = old .. ("2026-03-02T10:00:0%d.000+0100: %d.5: [GC pause (G1 Evacuation Pause) (young), "
        .. "0.0%d00000 secs]\n"):format(i, i, i)
      new = new .. ("[2026-03-02T10:01:0%d.000+0100][info][gc] GC(%d) Pause Full (System.gc()) "
        .. "9M->5M(20M) %d.5ms\n"):format(i, i, i)
    end
    write(log, old)
    local run = start("events --follow --format jsonl " .. log)
    local first = json.decode(run:line())
    assert.same({ "gc_pause", "2026-03-02T09:00:01.000Z", "young", 10, 1 }, { first.kind,
      first.time, first.gc_kind, first.pause_ms, first.line })
    run:line()
    run:line()
    assert(os.rename(log, log .. ".0"))
    write(log, "") -- what it is, its first line tells
    run:hear "was rotated"
    write(log, new)
    local pause = json.decode(run:line())
    assert.same({ "full", 1.5, 1 }, { pause.gc_kind, pause.pause_ms, pause.line })
    run:line()
    local last = run:line()
    assert.equal(130, (run:stop()))
    assert.matches("6 lines, .*6 events, 0 lines not understood", run:said())
    local pipe = assert(io.popen(("%s events -q --format jsonl %s"):format(BIN, log)))
    assert.equal(last, pipe:read("a"):match "([^\n]*)\n$")
    pipe:close()
    run = start("slowlog --follow " .. log)
    assert.equal(3, (run:rest()))
    assert.matches("gc.log: it is a log of the garbage collector: not followed", run:said())
  end)

  it("goes on with what a program writes behind pauses", function()
    local log = folder .. "/rs.out"
    write(log, "2026-03-02T10:00:00.500+0000: 1.5: [GC pause (G1 Evacuation Pause) (young), "
      .. "0.0100000 secs]\n")
    local run = start("events --follow --format jsonl " .. log)
    assert.equal("gc_pause", json.decode(run:line()).kind)
    write(log, flush(1) .. flush(2) .. flush(3))
    for i = 1, 3 do assert.same({ "rs.out", i + 1, i }, run:event()) end
    assert.equal(130, (run:stop()))
    assert.matches("4 lines, .*4 events, 0 lines not understood", run:said())
  end)

  it("says what it does not follow", function()
    local log = folder .. "/rs.log"
    write(log, "\x1f\x8b\x08\x01\2\3\4\5")
    local run = start("events --follow " .. log)
    assert.equal(3, (run:rest()))
    assert.matches("rs.log: it is compressed, and does not grow line by line", run:said())
    for words, why in pairs { ["-"] = "standard input cannot be followed",
      ["http://localhost:1"] = "takes files and folders", [""] = "needs a file",
      [log .. " --summary"] = "takes no %-%-summary", [log .. " --to 10:00"] = "takes no %-%-to",
      [log .. " --kind flash"] = "no kind of event is called 'flash'",
      [log .. " --from never"] = "'never' is no time" } do
      run = start("events --follow " .. words)
      assert.equal(2, (run:rest()), words)
      assert.matches(why, run:said())
    end
  end)
end)

describe("slowlog --follow", function()
  it("gives a block when calls came, and the whole at the end", function()
    local log = folder .. "/rs.log"
    write(log, call(1) .. call(700))
    local run = start("slowlog --follow --every 1s " .. log)
    assert.truthy(run:find "1 slow or large call")
    write(log, call(701))
    assert.truthy(run:find "2 slow or large calls")
    assert(os.rename(log, log .. ".1"))
    write(log, call(702))
    assert.truthy(run:find "3 slow or large calls")
    assert.truthy(run:find "note: calls from 2026-03-02 10:01:40 UTC on are counted")
    write(log, call(703))
    local status, rest = run:stop()
    assert.equal(130, status)
    assert.matches("4 slow or large calls", rest)
    assert.matches("followed 1 file: 5 lines", run:said())
  end)

  it("counts all since --from, and writes JSON documents", function()
    local log = folder .. "/rs.log"
    write(log, call(1) .. call(700))
    local run = start("slowlog --follow --every 1s --format json --from 09:00 " .. log)
    assert.truthy(run:find '"calls": 2')
    write(log, call(701))
    assert.truthy(run:find '"calls": 3')
    assert.equal(143, (run:stop "TERM"))
  end)

  it("says what does not go with it", function()
    for words, why in pairs { ["--follow --emit x"] = "takes no %-%-emit",
      ["--every 1s"] = "%-%-every goes with %-%-follow",
      ["--follow --every 1ms"] = "a length of time from 1s" } do
      local run = start(("slowlog %s %s"):format(words, folder))
      assert.equal(2, (run:rest()), words)
      assert.matches(why, run:said())
    end
  end)
end)

describe("a timeline that is followed", function()
  local out, live, c

  before_each(function()
    out, c = {}, case.wrap(assert(core.open()), "test")
    live = timeline.live({ case = c, width = 80 }, function(s) out[#out + 1] = s end)
  end)

  after_each(function() c:close() end)

  local function event(ms, kind)
    return { kind = kind or "region_too_busy", t_ms = T0 + ms, source_id = 1, f = {},
      table_name = "t", line = 1 }
  end

  local function lines()
    local text = table.concat(out):gsub("^2026%-03%-02 UTC\n", "")
    out = {}
    return text
  end

  it("shows the first of a flood at once, and counts the others for ten seconds", function()
    live:take(event(0), 1000)
    assert.equal("10:00:00.000  ?  region_too_busy, t\n", lines())
    for i = 1, 5 do live:take(event(i), 1000 + i) end
    live:tick(11000)
    assert.equal("", lines())
    live:tick(11001)
    assert.equal("10:00:00.005  ?  region_too_busy x 5 more since 10:00:00.001, t\n", lines())
    live:take(event(10000), 12000)
    live:tick(22000)
    assert.equal("10:00:10.000  ?  region_too_busy x 1 more, t\n", lines())
  end)

  it("begins a flood anew after a minute, and keeps back nothing at the end", function()
    live:take(event(0), 1000)
    live:take(event(100), 1000)
    live:take(event(70000), 1000)
    assert.equal("10:00:00.000  ?  region_too_busy, t\n"
      .. "10:00:00.100  ?  region_too_busy x 1 more, t\n"
      .. "10:01:10.000  ?  region_too_busy, t\n", lines())
    live:take(event(70001), 1000)
    live:tick(math.huge)
    assert.equal("10:01:10.001  ?  region_too_busy x 1 more, t\n", lines())
  end)

  it("never runs backwards, and names the day where a flood goes over midnight", function()
    local day_end <const> = 14 * 3600000
    live:take(event(day_end - 3000), 1000)
    live:take(event(day_end - 2000), 1000)
    live:take(event(day_end - 1500, "flush_delayed"), 1000)
    live:take(event(day_end + 5), 1000)
    live:tick(math.huge)
    assert.equal("23:59:57.000  ?  region_too_busy, t\n23:59:58.500  ?  flush_delayed, t\n\n"
      .. "2026-03-03 UTC\n00:00:00.005  ?  region_too_busy x 2 more since 2026-03-02 "
      .. "23:59:58.000, t\n", lines())
  end)

  it("never folds what matters most", function()
    live:take(event(0, "abort"), 1000)
    live:take(event(1, "abort"), 1000)
    local _, n = lines():gsub("abort, t\n", "")
    assert.equal(2, n)
  end)
end)

describe("names of rotated logs", function()
  it("are those of another with a number, a date or a word behind", function()
    local there = { ["rs.log"] = true, ["gc-rs.log"] = true }
    local function base(name) return names.base(name, function(other) return there[other] end) end
    for _, name in ipairs { "rs.log.1", "rs.log.2026-11-29", "rs.log-20261129", "rs.log.12.gz",
      "rs.log.old", "rs.log.2026-11-29.1", "rs.log.gz" } do
      assert.equal("rs.log", base(name), name)
    end
    for _, name in ipairs { "rs.log", "rs.log.audit", "rs-2.log", "rs.out.1", "rs.log2" } do
      assert.is_nil(base(name), name)
    end
  end)
end)

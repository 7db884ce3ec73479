--- The command line as a user meets it: the real binary, its output, its exit statuses.
local json = require "hbdx.core.json"
local scratch = require "scratch"
local sys = require "hbdx.core.sys"

local BIN = assert(os.getenv "HBDX_BIN", "HBDX_BIN names the binary")
local SAMPLES = sys.home() .. "/samples/"

local function shell(command)
  local pipe = assert(io.popen(command .. "; echo \"status $?\"", "r"))
  local out = pipe:read "a"
  pipe:close()
  local body, status = out:match("^(.*)status (%d+)\n$")
  return body, tonumber(status)
end

local function hbdx(words, environment)
  return shell(("%s %s %s 2>&1 </dev/null"):format(environment or "", BIN, words))
end

local function folder()
  return scratch.folder()
end

local function write(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

local MINE = [[
local finding = require "hbdx.finding"
return { id = "mine", title = "Mine", category = "own", symptoms = {}, needs = { "region.count" },
  params = { { name = "limit", type = "integer", default = 1, help = "regions" } },
  diagnose = function(case, p)
    local f = finding.new(case)
    for _, frame in ipairs(case:windows { "region.count" }) do
      f:expect { claim = "regions", observed = frame.first["region.count"], more_than = p.limit }
    end
    return f:conclude(f:holds() and "confirmed" or "ruled_out")
  end }
]]

describe("hbdx", function()
  it("gives the documented exit statuses", function()
    assert.equal(1, select(2, hbdx("diagnose -q " .. SAMPLES .. "flush-stall")))
    assert.equal(0, select(2, hbdx("diagnose -q " .. SAMPLES .. "healthy-quiet")))
    assert.equal(0, select(2, hbdx("diagnose -q --fail-on never " .. SAMPLES .. "flush-stall")))
    assert.equal(3, select(2, hbdx "diagnose -q /nowhere/at/all"))
    assert.equal(3, select(2, hbdx("diagnose -q " .. SAMPLES .. "healthy-quiet /nowhere")))
    for _, words in ipairs { "diagnose", "diagnose --fromat x", "run", "run nothing x", "nonsense",
        "--nonsense", "calc", "slowlog", "playbook show nothing", "import x", "sql" } do
      local out, status = hbdx(words)
      assert.equal(2, status, words .. ": " .. out)
      assert.matches("hbdx", out)
    end
  end)

  it("writes text of at most 80 columns, without controls, on every sample", function()
    for _, entry in ipairs(sys.list(SAMPLES)) do
      if entry.type == "folder" then
        local out = hbdx("diagnose -q -v " .. SAMPLES .. entry.name)
        for line in out:gmatch("[^\n]+") do
          local name = line:match "^ *%l* +(%S+)$" -- a file's name is not broken
          assert.is_true(require("hbdx.core.text").width(line) <= 80
            or name ~= nil and name:find "/" ~= nil, line)
          assert.is_nil(line:find("%c"), line)
        end
      end
    end
  end)

  it("colours only where it is asked to", function()
    local words = "diagnose -q " .. SAMPLES .. "flush-stall"
    assert.is_nil(hbdx(words):find("\27"))
    assert.is_truthy(hbdx(words .. " --color always"):find("\27%["))
    assert.is_nil(hbdx(words .. " --color never", "CLICOLOR_FORCE=1"):find("\27"))
  end)

  it("writes the findings as JSON with the documented names", function()
    local doc = json.decode((hbdx("diagnose -q --format json " .. SAMPLES .. "cache-eviction")))
    assert.equal(1, doc.schema_version)
    assert.is_true(#doc.coverage > 10)
    assert.is_true(#doc.findings >= 4)
    for _, f in ipairs(doc.findings) do
      for _, key in ipairs { "playbook", "verdict", "severity", "title", "evidence", "affected",
          "fixes", "missing" } do
        assert.is_truthy(f[key], f.playbook .. " lacks " .. key)
      end
    end
    local first = doc.findings[1]
    assert.equal("cache-eviction", first.playbook)
    assert.is_string(first.cause)
    assert.is_string(first.verify)
    for _, fix in ipairs(first.fixes) do
      assert.is_string(fix.what)
      assert.is_string(fix.why)
      assert.is_string(fix.risk)
    end
    assert.matches("^2026%-10%-06T02:00:", first.affected.windows[1].from)
  end)

  it("writes the slow calls as JSON with the documented names", function()
    local doc = json.decode((hbdx("slowlog -q --format json " .. SAMPLES .. "handler-hogging")))
    assert.equal(1, doc.schema_version)
    local calls, share = 0, 0
    for _, g in ipairs(doc.groups) do
      calls, share = calls + g.calls, share + g.share
      for _, spread in ipairs { g.proc_ms, g.queue_ms, g.response_bytes } do
        assert.is_true(spread.p50 <= spread.p95 and spread.p95 <= spread.max)
        assert.is_true(spread.max <= spread.sum)
      end
    end
    assert.equal(doc.calls, calls)
    assert.is_true(math.abs(share - 1) < 1e-9)
    assert.is_table(doc.skipped)
  end)

  it("reads standard input, and a file of no telling name", function()
    local path = folder()
    os.execute(("gunzip -c %srs-1/regionserver.log.gz > %s/x"):format(SAMPLES
      .. "handler-hogging/", path))
    local whole = hbdx("slowlog -q " .. path .. "/x")
    local piped = shell(("cat %s/x | %s slowlog -q - 2>&1"):format(path, BIN))
    assert.equal(whole:match("^[%d,]+ slow"), piped:match("^[%d,]+ slow"))
    assert.matches("^[1-9]", whole)
    os.execute("rm -r " .. path)
  end)

  it("keeps a case, adds nothing twice, and answers SQL that only reads", function()
    local path = folder()
    local file = path .. "/x.case"
    for _ = 1, 2 do
      assert.equal(0, select(2, hbdx(("import %shealthy-quiet -o %s"):format(SAMPLES, file))))
    end
    local query = "'select count(*) as n from snapshot'"
    local n = hbdx(("sql %s %s"):format(file, query)):match("n\n(%d+)")
    assert.equal(n,
      (hbdx(("sql %s 'select count(distinct source_id) as n from snapshot'"):format(file))
      :match("n\n(%d+)")))
    assert.equal(2, select(2, hbdx(("sql %s 'delete from snapshot'"):format(file))))
    assert.equal(n, (hbdx(("sql %s %s"):format(file, query)):match("n\n(%d+)")))
    assert.equal(0, select(2, hbdx("diagnose -q " .. file)))
    assert.matches("^%-rw%-%-%-%-%-%-%-", (shell("ls -l " .. file)))
    os.execute("rm -r " .. path)
  end)

  it("takes playbooks of one's own from each of their places", function()
    local path = folder()
    os.execute(("mkdir -p %s/config/hbdx/playbooks"):format(path))
    local words = " -q " .. SAMPLES .. "healthy-quiet"
    write(path .. "/mine.lua", MINE)
    assert.equal(1, select(2, hbdx("run mine --playbooks " .. path .. words)))
    assert.equal(1, select(2, hbdx("run mine" .. words, "HBDX_PATH=" .. path)))
    assert.equal(0, select(2, hbdx("run mine --param limit=100000" .. words, "HBDX_PATH=" .. path)))
    assert.equal(2, select(2, hbdx("run mine --param limt=1" .. words, "HBDX_PATH=" .. path)))
    os.execute(("mv %s/mine.lua %s/config/hbdx/playbooks/"):format(path, path))
    assert.equal(1, select(2, hbdx("run mine" .. words, "XDG_CONFIG_HOME=" .. path .. "/config")))
    assert.equal(2, select(2, hbdx("run mine --playbooks " .. path .. "/absent" .. words)))
    os.execute("rm -r " .. path)
  end)

  it("looks only at the incident that --window names", function()
    local words = "run cache-eviction -q --format json " .. SAMPLES .. "cache-eviction --window "
    local at_night = json.decode((hbdx(words .. "02:00+40m")))
    assert.equal("confirmed", at_night.findings[1].verdict)
    local at_noon = json.decode((hbdx(words .. "05:00+30m")))
    assert.not_equal("confirmed", at_noon.findings[1].verdict)
    assert.not_equal("likely", at_noon.findings[1].verdict)
  end)

  it("says that nothing was read of the time that is asked for", function()
    local out, status = hbdx("diagnose -q --at '2020-01-01 02:00' " .. SAMPLES .. "cache-eviction")
    assert.equal(3, status)
    assert.truthy(out:find("within 2020-01-01 01:50-02:10 UTC; what was read is of 2026-", 1, true),
      out)
    out = hbdx("diagnose -q --at '2026-10-07 02:10' " .. SAMPLES .. "cache-eviction")
    assert.truthy(out:find("is looked for within 2026-10-07 02:00-02:20 UTC", 1, true), out)
  end)

  it("refuses dumps of what is no live server, and a number that is none", function()
    for _, words in ipairs { "diagnose", "events", "slowlog", "import -o x.case", "" } do
      local out, status = hbdx(words .. " " .. SAMPLES .. "healthy-quiet --samples 3")
      assert.equal(2, status, out)
      assert.truthy(out:find("--samples is for live servers", 1, true), out)
      for _, n in ipairs { "x", "0", "-1", "1.5", "99999999999999999999" } do
        out, status = hbdx(("%s http://127.0.0.1:1 --samples=%s"):format(words, n))
        assert.equal(2, status, out)
        assert.truthy(out:find(("from 1 on, not '%s'"):format(n), 1, true), out)
      end
    end
  end)

  it("makes no case called -", function()
    local none = scratch.name()
    assert.equal(3, select(2, hbdx("import /no/such -o " .. none)))
    assert.is_nil(io.open(none), "no case is made of nothing")
    local out, status = hbdx("import -o - " .. SAMPLES .. "healthy-quiet")
    assert.equal(2, status)
    assert.truthy(out:find("cannot be written to stdout", 1, true), out)
    assert.is_nil(sys.stat "-")
  end)

  it("counts slow calls of the time that is asked for", function()
    local words = "slowlog -q --format json " .. SAMPLES .. "cache-eviction"
    local all, some = json.decode((hbdx(words))), json.decode((hbdx(words .. " --at 02:10")))
    assert.truthy(some.calls > 0 and some.calls < all.calls)
  end)

  it("tells of a folder how to make a case of it, and of a slip where the tables are", function()
    assert.truthy(hbdx("sql " .. SAMPLES .. " 'select 1'"):find("hbdx import ", 1, true))
    local path = folder()
    hbdx(("import -q %shealthy-quiet/rs-1/jmx -o %s/x.case"):format(SAMPLES, path))
    assert.truthy(hbdx(("sql %s/x.case 'select a from b'"):format(path)):find("--schema", 1, true))
    os.execute("rm -r " .. path)
  end)

  it("takes the playbook of the README as it stands", function()
    local readme = assert(io.open(sys.home() .. "/README.md")):read "a"
    local path = folder()
    write(path .. "/too-many-regions.lua", readme:match("```lua\n(.-)```"))
    local words = ("run -q too-many-regions --playbooks %s %shealthy-quiet"):format(path, SAMPLES)
    assert.equal(0, select(2, hbdx(words)))
    local out, status = hbdx(words .. " --param limit=1")
    assert.equal(1, status)
    assert.truthy(out:find("regions%s+%d+%s+limit > 1"), out)
    os.execute("rm -r " .. path)
  end)

  it("completes options, their values, models and playbooks", function()
    local path = folder()
    local script = path .. "/words.bash"
    hbdx("help --completion bash >" .. script)
    local function words(line)
      local out = shell(([[bash -c 'source %s; hbdx() { %s "$@"; }; COMP_WORDS=(%s "")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _hbdx; echo "${COMPREPLY[*]}"']]):format(script, BIN,
          line))
      return (out:gsub("\n", ""))
    end
    assert.equal("heap get queues wal", words("hbdx calc"))
    assert.equal("tsv jsonl", words("hbdx sql --format"))
    assert.equal("cache-eviction flush-stall handler-hogging read-amplification",
      words("hbdx run"):gsub("%s+", " "))
    os.execute("rm -r " .. path)
  end)

  it("shows help for every command, in 80 columns, and a man page that names them all", function()
    local cli = require "hbdx.cli"
    local man = hbdx "help --man"
    assert.truthy(man:find("hbdx/history", 1, true))
    assert.matches("no command 'dignose': did you mean diagnose%?", (hbdx "help dignose"))
    assert.equal("usage: hbdx lua FILE", (hbdx("lua --help")):sub(1, 20))
    for _, name in ipairs(cli.names) do
      local out, status = hbdx("help " .. name)
      assert.equal(0, status)
      assert.matches("usage: hbdx " .. name, out)
      assert.is_truthy(man:find("hbdx " .. name, 1, true))
      for line in out:gmatch("[^\n]+") do assert.is_true(#line <= 80, line) end
    end
  end)
end)

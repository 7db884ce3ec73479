--- The layer law, as data. tests/lint/layers_spec.lua fails on every include or require that is not
-- allowed here; an exception is a visible row.
return {
  -- folders of C: what each may include besides itself
  c = {
    ["core/base"] = {},
    ["core/lib"] = { "core/base" },
    ["core/bind"] = { "core/base", "core/lib" },
    ["core/shell"] = { "core/base", "core/bind" },
    ["tests/c"] = { "core/base", "core/lib" },
    ["tests/bench"] = { "core/base", "core/lib" },
    ["tests/fuzz"] = { "core/base", "core/lib" },
  },

  -- the only arrows within a folder; a file may always include its own header. "x*" is every file
  -- whose name begins so, and members of one such family may include its dx_..._int.h.
  inside = {
    ["core/base"] = {
      dx_buf = { "dx_err", "dx_mem", "dx_str" },
      dx_escape = { "dx_str" },
      dx_fs = { "dx_buf", "dx_err", "dx_mem" },
      dx_map = { "dx_mem", "dx_str" },
      dx_mem = { "dx_err", "dx_str" },
      dx_pack = { "dx_buf" },
      dx_sketch = { "dx_mem", "dx_pack" },
      dx_tally = { "dx_mem", "dx_pack" },
      dx_text = { "dx_buf", "dx_str" },
      dx_time = { "dx_str" },
      dx_zone = { "dx_err", "dx_mem", "dx_str", "dx_time" },
    },
    ["core/lib"] = {
      ["dx_calls*"] = { "dx_calls", "dx_calls_int", "dx_digest", "dx_ingest_sniff", "dx_input",
        "dx_logline", "dx_logscan", "dx_logwrap", "dx_server" },
      ["dx_casefile*"] = { "dx_casefile", "dx_casefile_int", "dx_conf", "dx_digest", "dx_events",
        "dx_jmx", "dx_json", "dx_logscan", "dx_region", "dx_scanlog", "dx_server",
        "dx_slowlog" },
      dx_conf = { "dx_json" },
      ["dx_digest*"] = { "dx_digest", "dx_digest_int" },
      ["dx_events*"] = { "dx_events", "dx_events_match", "dx_logline", "dx_region", "dx_server",
        "dx_units" },
      ["dx_gclog*"] = { "dx_gclog", "dx_gclog_int" },
      ["dx_ingest*"] = { "dx_calls", "dx_casefile", "dx_conf", "dx_events", "dx_gclog", "dx_ingest",
        "dx_ingest_gc", "dx_ingest_int", "dx_ingest_sniff", "dx_input", "dx_jmx",
        "dx_logline", "dx_logscan", "dx_scanlog", "dx_slowlog" },
      ["dx_jmx*"] = { "dx_jmx", "dx_jmx_name", "dx_jmx_sniff", "dx_json" },
      ["dx_json*"] = { "dx_json_mend" },
      dx_logline = { "dx_logwrap" },
      ["dx_logscan*"] = { "dx_events", "dx_input", "dx_logline", "dx_logscan", "dx_logscan_int",
        "dx_logwrap", "dx_scanlog", "dx_server", "dx_slowlog" },
      dx_scanlog = { "dx_units" },
      ["dx_slowlog*"] = { "dx_region", "dx_slowlog", "dx_slowlog_int" },
    },
    ["core/bind"] = {
      ["l_*"] = { "l_util" },
      l_calls = { "l_guard" },
      ["l_case*"] = { "l_calls", "l_case", "l_guard" },
      l_guard = { "l_meter" },
      l_http = { "l_guard" },
      l_pattern = { "l_guard" },
      l_sys = { "l_guard" },
    },
    ["core/shell"] = {
      dx_repl = { "dx_state" },
      main = { "dx_repl", "dx_state" },
    },
    ["tests/c"] = { ["*"] = { "*" } },
    ["tests/bench"] = { ["gen_*"] = { "gen" } },
    ["tests/fuzz"] = { ["*"] = { "fuzz", "fuzz_case", "fuzz_digest" } },
  },

  -- headers of third parties: the one file, or the folders, that may include them
  only = {
    ["curl/curl.h"] = { "core/lib/dx_http.c" },
    ["cjson/cJSON.h"] = { "core/lib/dx_json.c" },
    ["sqlite3.h"] = { "core/lib/dx_casefile.c" },
    ["expat.h"] = { "core/lib/dx_conf.c" },
    ["zlib.h"] = { "core/lib/dx_input.c" },
    ["zstd.h"] = { "core/lib/dx_input.c" },
    ["readline/readline.h"] = { "core/shell/dx_repl.c" },
    ["readline/history.h"] = { "core/shell/dx_repl.c" },
    ["lua.h"] = { "core/bind/*", "core/shell/*" },
    ["lauxlib.h"] = { "core/bind/*", "core/shell/*" },
    ["lualib.h"] = { "core/bind/*", "core/shell/*" },
  },

  -- headers of C11 and POSIX
  system = {
    "arpa/inet.h", "assert.h", "ctype.h", "dirent.h", "errno.h", "fcntl.h", "float.h",
    "inttypes.h", "limits.h", "locale.h", "math.h", "netdb.h", "netinet/in.h", "poll.h",
    "pthread.h", "signal.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h",
    "stdint.h", "stdio.h", "stdlib.h", "string.h", "strings.h", "sys/ioctl.h", "sys/mman.h",
    "sys/resource.h", "sys/select.h", "sys/socket.h", "sys/stat.h", "sys/time.h", "sys/types.h",
    "sys/wait.h", "time.h", "unistd.h",
  },

  -- Lua, from the ground up: a module requires what stands on lower levels only
  lua = {
    { "hbdx.core.*" },
    { "hbdx.amp.doc", "hbdx.args", "hbdx.check", "hbdx.import.*", "hbdx.say", "hbdx.units",
      "hbdx.value", "hbdx.version", "hbdx.when" },
    { "hbdx.amp", "hbdx.eventdoc", "hbdx.glossary", "hbdx.metric", "hbdx.metric.*",
      "hbdx.setting", "hbdx.setting.*" },
    { "hbdx.case", "hbdx.case.*", "hbdx.collect", "hbdx.import", "hbdx.series" },
    { "hbdx.finding", "hbdx.finding.*", "hbdx.pattern.*" },
    { "playbooks.*" },
    { "hbdx.playbook", "hbdx.runner" },
    { "hbdx.report.layout" },
    { "hbdx.report.json", "hbdx.report.text" },
    { "hbdx.calc", "hbdx.calc.*", "hbdx.events", "hbdx.events.*", "hbdx.explain",
      "hbdx.explain.*", "hbdx.session", "hbdx.slowlog", "hbdx.slowlog.*" },
    { "hbdx.shell", "hbdx.shell.*" },
    { "hbdx.command.*" },
    { "hbdx.cli" },
  },

  -- the only arrows within a level, or upwards
  aside = {
    ["hbdx.args"] = { "hbdx.check" },
    ["hbdx.value"] = { "hbdx.version" },
    ["hbdx.metric"] = { "hbdx.metric.*" },
    ["hbdx.setting"] = { "hbdx.setting.*" },
    ["hbdx.setting.rules"] = { "hbdx.amp" },
    ["hbdx.case"] = { "hbdx.case.*", "hbdx.series" },
    ["hbdx.case.records"] = { "hbdx.case.fields", "hbdx.case.pauses" },
    ["hbdx.case.settings"] = { "hbdx.case.version" },
    ["hbdx.import"] = { "hbdx.collect" },
    ["hbdx.import.calls"] = { "hbdx.import.placing" },
    ["hbdx.pattern.*"] = { "hbdx.pattern.*" },
    ["hbdx.runner"] = { "hbdx.playbook" },
    ["hbdx.calc"] = { "hbdx.calc.models" },
    ["hbdx.calc.models"] = { "hbdx.calc.text" },
    ["hbdx.events.*"] = { "hbdx.events", "hbdx.events.*" },
    ["hbdx.explain"] = { "hbdx.explain.page" },
    ["hbdx.slowlog"] = { "hbdx.slowlog.*" },
    ["hbdx.slowlog.*"] = { "hbdx.slowlog.*" },
    ["hbdx.shell.*"] = { "hbdx.shell.*" },
    ["hbdx.shell"] = { "hbdx.shell.*" },
    ["hbdx.command.help"] = { "hbdx.cli" },
  },

  -- what a playbook may require, of all that is below it
  playbooks = { "hbdx.amp", "hbdx.finding", "hbdx.pattern.*", "hbdx.units" },
}

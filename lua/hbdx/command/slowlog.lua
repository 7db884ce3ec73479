--- hbdx slowlog: a digest of slow and large calls, the costliest group first.
local say = require "hbdx.say"
local session = require "hbdx.session"
local digest = require "hbdx.slowlog"

return { {
  name = "slowlog", usage = "[OPTION...] SOURCE...",
  summary = "Digest the slow and large calls: who, on which table, how often, how long.",
  details =
    "Calls are grouped by table, method and client (without its port). A continuation of a scan "
         .. "does not name its table; its table is then unknown, and said to be.\n"
           .. "With --at or --window only the calls of that time are counted.\n" .. session.times,
  options = session.with {
    { name = "format", value = "FORMAT", choices = { "text", "json" }, default = "text",
      help = "output" },
    { name = "top", value = "N", default = "20", help = "groups to show; json gives all" },
  },
  examples = { "hbdx slowlog /var/log/hbase/*.log*",
    "hbdx slowlog --format json logs/ | jq '.groups[0]'" },
  run = function(given, operands)
    local s, message, status = session.open(given, operands)
    if not s then
      say.error(message)
      return status
    end
    local top = math.tointeger(tonumber(given.top or 20))
    if not top or top < 1 then
      say.error("--top takes a whole number from 1 on")
      return 2
    end
    local ctx = session.context(s, given)
    local d = digest.collect(s.case)
    io.stdout:write(given.format == "json" and digest.json(d, ctx) or digest.text(d, ctx, top))
    s.case:close()
    return #s.coverage.unread > 0 and 3 or 0
  end,
} }

-- What is true of this sample; see README.md. A verdict may be a list where several are right.
return {
  zone = "UTC",
  verdict = {
    ["cache-eviction"] = "ruled_out",
    ["flush-stall"] = "ruled_out",
    ["handler-hogging"] = "confirmed",
    ["read-amplification"] = { "ruled_out", "cannot_tell" },
  },
  severity = { ["handler-hogging"] = { "critical", "warning" } },
  affected = {
    ["handler-hogging"] = {
      servers = { "rs01.shop.internal", "rs02.shop.internal", "rs03.shop.internal",
                  "rs04.shop.internal" },
      tables = { "orders" }, clients = { "10.4.7.21" }, not_clients = { "10.4.9.14" },
      filters = { "SingleColumnValueFilter" },
      windows = { { "2026-11-17T02:00:14Z", "2026-11-17T02:40:20Z" } },
    },
  },
  -- what evidence must say, whatever its wording: { what, low, high }
  numbers = {
    ["handler-hogging"] = {
      { "handlers busy", 30, 31 },
      { "calls waiting", 75, 240 },
      { "mean queue time in the window, ms", 280, 920 },
      { "rows filtered a second in the window", 940000, 1030000 },
      { "processing time of the job's scans, longest, ms", 8600, 8999 },
      { "bytes of a response, most", 6000, 6200 },
    },
  },
  -- what the record that a line of evidence cites must say: { its claim, ... }
  cited = {
    ["handler-hogging"] = {
      { "slow reads", "orders", "10.4.7.21" },
      { "filter", "SingleColumnValueFilter", "10.4.7.21" },
    },
  },
  calls = 4144,
}

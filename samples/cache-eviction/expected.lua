-- What is true of this sample; see README.md. A verdict may be a list where several are right.
return {
  zone = "UTC",
  verdict = {
    ["cache-eviction"] = "confirmed",
    ["flush-stall"] = "ruled_out",
    ["handler-hogging"] = "ruled_out",
    ["read-amplification"] = { "ruled_out", "cannot_tell" },
  },
  severity = { ["cache-eviction"] = { "critical", "warning" } },
  affected = {
    ["cache-eviction"] = {
      servers = { "rs-1", "rs-2" }, not_servers = { "rs-3" },
      tables = { "orders" }, clients = { "10.4.2.17" }, not_clients = { "10.4.3.9" },
      windows = {
        { "2026-10-06T02:00:08Z", "2026-10-06T02:39:40Z" },
        { "2026-10-07T02:00:06Z", "2026-10-07T02:40:31Z" },
        { "2026-10-08T02:00:11Z", "2026-10-08T02:38:52Z" },
      },
    },
  },
  -- what evidence must say, whatever its wording: { what, low, high }
  numbers = {
    ["cache-eviction"] = {
      { "hit ratio in the window, percent", 60.0, 63.5 },
      { "hit ratio else, percent", 96.9, 98.2 },
      { "evictions a second in the window", 31000, 43000 },
      { "p99 of Get in the window, ms", 138, 160 },
      { "share of slow-scan bytes in the window, percent", 93, 100 },
    },
  },
  -- what the record that a line of evidence cites must say: { its claim, ... }
  cited = {
    ["cache-eviction"] = {
      { "slow-scan bytes", "orders", "10.4.2.17" },
      { "its Scan says", "cache_blocks: true", "orders", "10.4.2.17" },
    },
  },
  calls = 1834,
}

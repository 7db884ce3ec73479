-- What is true of this sample; see README.md. A verdict may be a list where several are right.
return {
  zone = "UTC",
  verdict = {
    ["cache-eviction"] = "ruled_out",
    ["flush-stall"] = "ruled_out",
    ["handler-hogging"] = "ruled_out",
    ["read-amplification"] = "confirmed",
  },
  severity = { ["read-amplification"] = { "warning", "critical" } },
  affected = {
    ["read-amplification"] = {
      servers = { "ts1.iot.example", "ts2.iot.example" }, tables = { "sensors:events" },
    },
  },
  -- what evidence must say, whatever its wording: { what, low, high }
  numbers = {
    ["read-amplification"] = {
      { "rows returned by a query", 60, 60 },
      { "rows scanned by a query, first day", 43300, 45000 },
      { "rows scanned by a query, last day", 52000, 53600 },
      { "files per store of the table, 12 on average", 11.5, 16 },
      { "files in the worst store", 15, 16 },
      { "hit ratio, percent", 68.5, 71 },
    },
  },
  scans = 1692,
  calls = 7,
  -- what the record that a line of evidence cites must say: { its claim, ... }
  cited = { ["read-amplification"] = { { "rows walked for one", "scanned=53028" } } },
}

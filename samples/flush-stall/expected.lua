-- What is true of this sample; see README.md. A verdict may be a list where several are right.
return {
  zone = "+02:00",
  verdict = {
    ["cache-eviction"] = "ruled_out",
    ["flush-stall"] = "confirmed",
    ["handler-hogging"] = { "ruled_out", "cannot_tell" },
    ["read-amplification"] = { "ruled_out", "cannot_tell" },
  },
  severity = { ["flush-stall"] = "critical" },
  affected = {
    ["flush-stall"] = {
      servers = { "hb-1.mkt.example", "hb-2.mkt.example", "hb-3.mkt.example" },
      tables = { "profile" },
      -- blocked; forced flushes run from 07:05
      windows = { { "2026-09-14T07:47:00Z", "2026-09-14T08:31:00Z" } },
    },
  },
  -- what evidence must say, whatever its wording: { what, low, high }
  numbers = {
    ["flush-stall"] = {
      { "forced flush floor, bytes", 13056700579, 13056700579 },
      { "average flush in the window, MiB of data", 38, 43 },
      { "flush size that 298 regions leave each other, MiB", 41, 42 },
      { "regions that fit at full flush size", 97, 97 },
      { "store files in the worst store", 17, 19 },
      { "compaction queue", 280, 298 },
    },
  },
  zones = { ["rs-1/regionserver.log.gz"] = 7200000, ["rs-2/regionserver.log.gz"] = 7200000 },
  calls = 166,
  -- what the record that a line of evidence cites must say: { its claim, ... }
  cited = {
    ["flush-stall"] = {
      { "updates blocked", "Blocking updates" },
      { "longest block", "above high water mark and block 16031 ms" },
      { "files in worst store", "too many store files(18)" },
      { "flushes delayed", "delaying flush" },
    },
  },
}

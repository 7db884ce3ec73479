--- hbdx explain: the command line's entry for hbdx.explain.
return { {
  name = "explain", usage = "NAME",
  summary = "Say what a metric, a setting, an event, a verdict or a word means.",
  details = "NAME may be ours (cache.evictions) or HBase's (blockCacheEvictionCount).",
  options = {},
  examples = { "hbdx explain cache.evictions", "hbdx explain hbase.hstore.blockingStoreFiles",
    "hbdx explain flush_delayed", "hbdx explain amp.heap" },
  run = function(_, operands) return require("hbdx.explain").main(operands) end,
} }

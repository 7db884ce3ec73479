--- The JVM: heap, collections, pauses, threads, files, processors.
local MEMORY <const> = "java.lang:type=Memory"
local SYSTEM <const> = "java.lang:type=OperatingSystem"
local MIB <const> = 1048576

local metrics = {
  bean = "JvmMetrics",

  ["heap.used"] = {
    kind = "gauge", unit = "bytes", what = "heap in use, garbage too",
    at = { { "HeapMemoryUsage.used", bean = MEMORY }, { "MemHeapUsedM", scale = MIB } },
    moves = "a saw: up with work, down with collections",
    healthy = "the low points matter; low points near heap.max foretell long collections",
    see = { "heap.max", "gc.time_ms" },
  },
  ["heap.max"] = {
    kind = "gauge", unit = "bytes", what = "the largest size of the heap (-Xmx)",
    at = { { "HeapMemoryUsage.max", bean = MEMORY },
      { "MemHeapMaxM", since = "1.0", scale = MIB }, { "MemMaxM", scale = MIB } },
    moves = "a restart with other options",
    traps = { "-1 where the JVM has none", "the limits of memstores and cache are parts of it" },
    see = { "heap.used", "amp.heap" },
  },
  ["heap.committed"] = {
    kind = "gauge", unit = "bytes", what = "heap that the JVM holds from the system",
    at = { { "HeapMemoryUsage.committed", bean = MEMORY },
      { "MemHeapCommittedM", scale = MIB } },
    moves = "grows towards heap.max unless -Xms is as large", see = { "heap.max" },
  },
  ["gc.time_ms"] = {
    kind = "counter", unit = "ms", what = "time in collections, all collectors",
    at = { { "GcTimeMillis" } },
    moves = "allocation, a heap that is nearly full, scans with large answers",
    healthy = "a few percent of the time that passes",
    traps = { "concurrent collectors count work beside the program as time too" },
    see = { "gc.count", "pause.warn" },
  },
  ["gc.count"] = {
    kind = "counter", unit = "count", what = "collections, all collectors",
    at = { { "GcCount" } }, moves = "allocation", see = { "gc.time_ms" },
  },
  ["gc.g1_young_ms"] = {
    kind = "counter", unit = "ms", what = "time of G1's young and mixed collections",
    at = { { "CollectionTime",
      bean = "java.lang:name=G1 Young Generation,type=GarbageCollector" } },
    moves = "allocation", see = { "gc.time_ms" },
  },
  ["gc.g1_old_ms"] = {
    kind = "counter", unit = "ms", what = "time of G1's full collections",
    at = { { "CollectionTime", bean = "java.lang:name=G1 Old Generation,type=GarbageCollector" } },
    moves = "a heap that G1 could not clear in time", healthy = "0", see = { "pause.warn" },
  },
  ["pause.info"] = {
    kind = "counter", unit = "count", what = "stops of the JVM of more than 1 s",
    at = { { "pauseInfoThresholdExceeded", bean = "RegionServer.Server", since = "1.4" } },
    moves = "collections, a host that swaps or stalls", healthy = "0",
    see = { "pause.warn", "pause" },
  },
  ["pause.warn"] = {
    kind = "counter", unit = "count", what = "stops of the JVM of more than 10 s",
    at = { { "pauseWarnThresholdExceeded", bean = "RegionServer.Server", since = "1.4" } },
    moves = "as pause.info; near the ZooKeeper session timeout the server is declared dead",
    healthy = "0", see = { "pause.info", "zookeeper.session.timeout" },
  },
  ["threads.runnable"] = {
    kind = "gauge", unit = "count", what = "threads that run or could",
    at = { { "ThreadsRunnable" } }, moves = "work", see = { "threads.blocked" },
  },
  ["threads.blocked"] = {
    kind = "gauge", unit = "count", what = "threads that wait for a lock",
    at = { { "ThreadsBlocked" } }, moves = "contention", healthy = "near 0",
    see = { "threads.runnable" },
  },
  ["log.errors"] = {
    kind = "counter", unit = "count", what = "lines logged at ERROR",
    at = { { "LogError" } }, moves = "trouble of any kind",
    traps = { "log4j 1 alone; stays 0 or is absent elsewhere" },
  },
  ["direct.used"] = {
    kind = "gauge", unit = "bytes", what = "direct memory of NIO buffers",
    at = { { "MemoryUsed", bean = "java.nio:name=direct,type=BufferPool" } },
    moves = "an off-heap BucketCache, the server's buffers",
    traps = { "Netty's own pool may go past it: see ipc.netty_bytes" },
    see = { "ipc.netty_bytes", "hbase.bucketcache.size" },
  },
  ["files.open"] = {
    kind = "gauge", unit = "count", what = "open file descriptors",
    at = { { "OpenFileDescriptorCount", bean = SYSTEM } },
    moves = "store files, connections", see = { "files.max" },
  },
  ["files.max"] = {
    kind = "gauge", unit = "count", what = "file descriptors that the process may open",
    at = { { "MaxFileDescriptorCount", bean = SYSTEM } }, moves = "ulimit",
    see = { "files.open" },
  },
  ["cpu.process"] = {
    kind = "gauge", unit = "ratio", what = "part of the host's processors that the process uses",
    at = { { "ProcessCpuLoad", bean = SYSTEM } }, moves = "work, compression, collections",
    traps = { "-1 or NaN when it is not known" }, see = { "cpu.load" },
  },
  ["cpu.load"] = {
    kind = "gauge", unit = "count", what = "the host's load average over a minute",
    at = { { "SystemLoadAverage", bean = SYSTEM } }, moves = "all processes of the host",
    healthy = "below the number of processors", see = { "cpu.process" },
  },
}

for name, figure in pairs { gc = { "PauseTimeWithGc", "a collection" },
  other = { "PauseTimeWithoutGc", "no collection: the host, swap, a frozen VM" } } do
  metrics["pause." .. name .. "_max"] = {
    kind = "percentile", unit = "ms", what = "longest stop beside " .. figure[2],
    at = { { figure[1] .. "_max", bean = "RegionServer.Server", since = "1.4" } },
    moves = "as pause.info", see = { "pause.info" },
    traps = { "only stops of more than a second are sampled" },
  }
  metrics["pause." .. name .. "_count"] = {
    kind = "counter", unit = "count", what = "stops of more than a second beside " .. figure[2],
    at = { { figure[1] .. "_num_ops", bean = "RegionServer.Server", since = "1.4" } },
    moves = "as pause.info", see = { "pause.info" },
  }
end

return metrics

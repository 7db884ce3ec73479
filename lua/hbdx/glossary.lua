--- Words of ours and of HBase that reports use, each in a sentence or two. { what, see... }
return {
  confirmed = { "A verdict: the cause was seen at work, and nothing else explains it.", "likely",
    "ruled_out", "cannot_tell" },
  likely = { "A verdict: the signs are there, but a link of the chain was not seen. The finding "
    .. "says which, and how to see it.", "confirmed" },
  ruled_out = { "A verdict: what would have to be seen was looked at and is not there.",
    "cannot_tell" },
  cannot_tell = { "A verdict: what is needed is not in the case. It is never the same as nothing "
    .. "found; the finding says what is missing and how to get it.", "coverage" },
  verdict = { "What a playbook comes to: confirmed, likely, ruled_out or cannot_tell.",
    "confirmed", "likely", "ruled_out", "cannot_tell" },

  source = { "One thing to read: a folder, a log, a /jmx dump, a configuration, a case, a URL.",
    "coverage" },
  coverage = { "What was read of each source: bytes, lines, what was understood by kind and what "
    .. "was not, lines out of order, first and last instant, and how its clock lies to UTC and how "
    .. "that is known. --verbose shows it.", "source" },
  case = { "All that was gathered on one incident: samples, calls, events, scans and settings, in "
    .. "memory or in one file.", "source" },
  sample = { "A number that a server showed at an instant.", "series" },
  series = { "The samples of one metric of one server, and of one table or region where it has "
    .. "labels.", "sample", "metric" },
  metric = { "A quantity by a name of ours, bound to the spelling of each HBase version.",
    "series" },
  counter = { "A metric that only grows until its process starts again: its growth over a window "
    .. "is what counts.", "window", "gauge" },
  gauge = { "A metric that shows what is now; between two samples nobody knows.", "counter" },
  percentile = { "A statistic of what came in since anybody last took a snapshot (1.3 and later). "
    .. "Percentiles of two windows or servers cannot be averaged; 0 means that nothing came in.",
    "snapshot" },
  lifetime_percent = { "A percentage since the process started. After days it hardly moves: "
    .. "counters over a window tell more.", "counter" },
  snapshot = { "HBase hands out a histogram's figures and begins them anew: at each read of /jmx "
    .. "at least ten seconds after the last, at each scrape of /prometheus, and for each sink.",
    "percentile" },
  window = { "The time between two dumps of a server, with what each counter grew by in it.",
    "quality" },
  quality = { "What a pair of samples is worth: ok, reset, restart, cached, gap or moved. Only ok "
    .. "and gap give a growth.", "moved", "cached", "gap", "restart" },
  reset = { "A quality: the counter fell although the process is the same.", "quality" },
  restart = { "A quality: the process started between the two samples.", "quality" },
  cached = { "A quality: the samples are so close that HBase answered from its cache of 10 s.",
    "quality" },
  gap = { "A quality: the samples are much further apart than the others of the series.",
    "quality" },
  moved = { "A quality: a sum over the regions that are online fell, since regions left.",
    "quality" },
  call = { "One slow or large RPC that a log or a ring buffer has. Calls that waited long and ran "
    .. "fast are in neither.", "shape", "queue time" },
  shape = { "A call without its row keys: table, method, client, filters, ranges given or not.",
    "call" },
  event = { "A log line that means something to a diagnosis: a flush, a compaction, a pause.",
    "slow_call" },
  setting = { "A configuration value with its origin: a file and line, /conf, or the default of "
    .. "that version." },
  playbook = { "One diagnosis: what it needs, its parameters, and how it judges.", "finding" },
  evidence = { "A claim, what was observed, the limit and where that is from, and the place.",
    "finding" },
  ["else"] = { "In a line of evidence: what the same number is at other times, when nothing is "
    .. "wrong.", "evidence", "limit" },
  limit = { "In a line of evidence: what a number is held against. \"5 x\" is five times what it "
    .. "is at other times, \"-5 pts\" five percentage points under what is usual. --verbose names "
    .. "the parameter that a limit is from.", "evidence", "else" },
  pts = { "Percentage points: a fall from 97 % to 92 % is one of 5.", "limit" },
  finding = { "What a playbook says: verdict, evidence, who is affected, cause, fixes, and how to "
    .. "verify them.", "verdict", "evidence" },

  rank = { "In hbdx slowlog: the place of a group, by what --rank asks for.", "of time" },
  ["of time"] = { "In hbdx slowlog: the group's part of the processing time of all slow calls "
    .. "that were read; share in JSON, 0 to 1.", "processing" },
  calls = { "In hbdx slowlog: how many slow and large calls a group has.", "call", "slow_call" },
  processing = { "In hbdx slowlog: how long a handler worked on a call, without the wait "
    .. "before; proc_ms in JSON.", "queue time", "p95" },
  queue = { "In hbdx slowlog: how long the slow calls themselves had waited for a handler; "
    .. "queue_ms in JSON.", "queue time", "ipc.queue_time_mean" },
  response = { "In hbdx slowlog: the size of the answers; response_bytes in JSON.",
    "responseTooLarge" },
  seen = { "In hbdx slowlog: from a group's first call to its last, and how many came in that "
    .. "time.", "by hour" },
  ["by hour"] = { "In hbdx slowlog: how the calls of a group spread over the hours; each mark "
    .. "is held against the busiest hour of that group.", "seen" },
  longest = { "In hbdx slowlog: file and line of the group's longest call (worst_call in JSON). "
    .. "In the summary of events: the longest one.", "worst" },
  worst = { "In the JSON of hbdx slowlog: where the group's longest call stands, as file:line; "
    .. "worst_call has the call itself.", "longest" },
  ["may lack"] = { "In hbdx slowlog, beyond 20,000 groups: what a group may have lost at most "
    .. "while it was not among the kept ones.", "calls" },
  p50 = { "Half of the values are not above it. ~ before it: within 0.8 %.", "p95" },
  p95 = { "95 of 100 values are not above it. ~ before it: within 0.8 %.", "p50" },
  new = { "With --since-last: a group that the last digest did not have.", "gone", "worse" },
  gone = { "With --since-last: a group of the last digest that is not there now.", "new" },
  worse = { "With --since-last: a group whose processing time per hour of what was read, or "
    .. "whose p95, has grown by half or more; \"by\" says which.", "better", "new", "gone" },
  better = { "With --since-last: a group whose processing time per hour of what was read, or "
    .. "whose p95, has fallen by a third or more.", "worse" },

  cause = { "In the summary of events: why regions were flushed, as it follows from what the "
    .. "log told before and from the thread that wrote the line. Memstore size is the healthy "
    .. "one.", "memstore size", "periodic", "WAL count", "global pressure", "flush_requested" },
  ["memstore size"] = { "A cause of flushes: a region's memstore was full. The usual and "
    .. "healthy one.", "hbase.hregion.memstore.flush.size" },
  periodic = { "A cause of flushes: the oldest edit of a memstore was an hour old.",
    "hbase.regionserver.optionalcacheflushinterval" },
  ["max edits"] = { "A cause of flushes: a memstore had too many edits, however small.",
    "hbase.regionserver.flush.per.changes" },
  ["WAL count"] = { "A cause of flushes: there were too many WALs, and regions with edits in "
    .. "the oldest were flushed, full or not.", "wal_too_many", "hbase.regionserver.maxlogs" },
  ["global pressure"] = { "A cause of flushes: all memstores together were above the lower mark "
    .. "(early flushes) or the upper one (writers block meanwhile).", "flush floor",
    "global memstore", "flush_pressure" },
  admin = { "A cause of flushes: somebody asked for it.", "cause" },
  major = { "In the summary of events: compactions of all files of a store, and their part of "
    .. "the bytes.", "hbase.hregion.majorcompaction" },
  compacted = { "In the summary of events: compactions that finished.", "compaction_finished" },
  throughput = { "In the summary of events: bytes that went into compactions by the time they "
    .. "took, over those that tell both.", "compaction_throttled" },
  ["in queue"] = { "In the summary of events: how long compactions waited for a thread.",
    "compaction.queue" },
  throttled = { "In the summary of events: how often compactions slept to keep within their "
    .. "bound, and for how long.", "compaction_throttled" },
  delayed = { "In the summary of events: flushes that were put off since a store had too many "
    .. "files.", "flush_delayed", "hbase.hstore.blockingStoreFiles" },
  refused = { "In the summary of events: writes that a region turned away since its memstore "
    .. "was at the blocking size.", "region_too_busy" },
  blocked = { "In the summary of events: lines of handlers that wait for global memstore. As a "
    .. "metric, threads.blocked.", "updates_blocked", "threads.blocked" },
  ["how long"] = { "In the summary of events: spans of time in which writers of a region were "
    .. "held back; handlers that wait together wait once.", "delayed", "refused" },
  ["slow syncs"] = { "In the summary of events: syncs of the WAL that took longer than its "
    .. "limit.", "wal_slow_sync" },
  DataNode = { "In the summary of events: in how many of the slow syncs' pipelines a DataNode "
    .. "stood.", "wal_slow_sync", "absent" },
  absent = { "In the summary of events: a DataNode that the pipelines of slow syncs should have "
    .. "had and never did.", "DataNode" },
  stall = { "A time in which writers of a region, or of a whole server, were held back: flushes "
    .. "were delayed, writes refused, handlers blocked.", "how long", "delayed", "refused",
    "blocked" },
  failures = { "In the summary of events: servers that stopped, sessions that expired, memory "
    .. "that ran out, call queues that were full, and exceptions by class.", "stopped",
    "zk_expired", "out_of_memory", "call_queue_full", "exception" },
  stopped = { "In the summary of events: servers that aborted, each with the first reason and "
    .. "its root.", "abort" },
  kind = { "What an event is, such as flush_finished.", "event" },

  responseTooSlow = { "HBase's tag on the log line of a call that ran for longer than "
    .. "hbase.ipc.warn.response.time, 10 s by default. The wait in the queue does not count.",
    "call", "queue time", "hbase.ipc.warn.response.time" },
  responseTooLarge = { "HBase's tag on the log line of a call whose answer was larger than "
    .. "hbase.ipc.warn.response.size, 100 MB by default.", "call" },
  memstore = { "The writes to a store that are in memory only (and in the WAL), until they are "
    .. "flushed to a file.", "memstore.size", "global memstore" },

  ["flush floor"] = { "The size of all memstores above which flushes are forced: 0.95 of the "
    .. "global memstore by default.", "amp.heap",
    "hbase.regionserver.global.memstore.size.lower.limit" },
  ["global memstore"] = { "All memstores of a server together; at this limit all its writers "
    .. "block.", "amp.heap", "write.blocked_ms" },
  ["write-active region"] = { "A region that takes writes. Their number, not that of all regions, "
    .. "decides whether memstores can fill.", "amp.regions_for" },
  ["handler"] = { "A thread that works on calls, taken from its own queue and no other.",
    "amp.queues" },
  ["queue time"] = { "How long a call waited for a handler. No threshold looks at it, so the "
    .. "victims of slow calls are in no slow log.", "ipc.queue_time_mean" },
  ["block cache"] = { "Blocks of HFiles in memory: L1 on the heap, L2 (BucketCache) off it or in "
    .. "files.", "cache.hits_caching" },
  ["sweep"] = { "Reads that bring in more blocks than the cache holds and so throw out what is "
    .. "used all the time.", "cache.evictions" },
  ["read amplification"] = { "What is read for what is returned: files a store x blocks a file x "
    .. "cells a row. Each has its own cure.", "amp.get_cost", "amp.rows" },
  ["tombstone"] = { "The mark of a delete. Until a major compaction it is read, and so is what it "
    .. "hides.", "hbase.hregion.majorcompaction" },
  ["compaction pressure"] = { "How near a store is to its limit of files, 0 to 1; above 1 "
    .. "compactions run without a bound.", "amp.compaction_pressure" },
}

/* dx_events.c - what kinds there are. */
#include "dx_events.h"

#define KIND(id, name, fields, meaning)                                                            \
    { DX_EV_##id, name, meaning, fields }
static const dx_event_kind kinds[] = {
    KIND(FLUSH_REQUESTED, "flush_requested", "cause,delay_ms,edits",
         "A flush was asked for: cause is size, periodic, max edits, admin, close, snapshot or "
         "procedure; most servers log the size cause at DEBUG only."),
    KIND(FLUSH_STARTED, "flush_started", "data_bytes,heap_bytes,families,all_families",
         "A region starts to write its memstores to files; 1.2 to 2.2 do not say which region."),
    KIND(FLUSH_FINISHED, "flush_finished",
         "data_bytes,heap_bytes,took_ms,sequence_id,compaction_requested",
         "A flush has been written: data_bytes left the memstore, not what the file takes."),
    KIND(FLUSH_DELAYED, "flush_delayed", "store_files,up_to_ms",
         "A flush waits for a compaction, since a store has more files than "
         "hbase.hstore.blockingStoreFiles allows."),
    KIND(FLUSH_PRESSURE, "flush_pressure", "flush_type,total_bytes,offheap_bytes,region_bytes",
         "The server's memstores together are too large, and this region was picked to flush."),
    KIND(UPDATES_BLOCKED, "updates_blocked", "what,size_bytes,limit_bytes,blocked_ms",
         "Writers are held back; the lines that tell blocked_ms come from every handler that "
         "waits, so these times overlap and must not be added."),
    KIND(UPDATES_UNBLOCKED, "updates_unblocked", "", "Writers go on."),
    KIND(REGION_TOO_BUSY, "region_too_busy", "reason,seen_by,limit_bytes,size_bytes,ops,attempt",
         "A write was turned away: the region's memstore is over its limit (reason memstore), or "
         "its lock was not to be had in time (reason lock)."),
    KIND(COMPACTION_STARTED, "compaction_started", "files,input_bytes",
         "A store starts to rewrite files into fewer."),
    KIND(COMPACTION_FINISHED, "compaction_finished",
         "major,files,all_files,output_files,output_bytes,store_bytes,queue_ms,took_ms",
         "A store has finished a compaction; all_files is 1 where the line says so and missing "
         "where it does not, since versions before 1.0 never do."),
    KIND(COMPACTION_REQUEST_FINISHED, "compaction_request_finished",
         "files,input_bytes,priority,start_ms,took_ms",
         "The queue's own line on a finished compaction, beside the store's: count one of both. "
         "A priority of 0 or less: the store was over its limit of files."),
    KIND(COMPACTION_FAILED, "compaction_failed", "how,reason",
         "A compaction failed, was not selected for an error, or was aborted (as when its region "
         "closes)."),
    KIND(COMPACTION_THROTTLED, "compaction_throttled",
         "operation,throughput_bytes_per_s,sleeps,slept_ms,active,limit_bytes_per_s",
         "A compaction (or a flush: operation) had to sleep to stay under its throughput limit."),
    KIND(WAL_ROLLED, "wal_rolled", "entries,file_bytes",
         "A write-ahead log was closed for a new one."),
    KIND(WAL_TOO_MANY, "wal_too_many", "count,max,regions,targets",
         "More write-ahead logs than allowed are kept: the regions that hold them (targets) must "
         "flush."),
    KIND(WAL_SLOW_SYNC, "wal_slow_sync", "took_ms,pipeline",
         "HDFS took long to take an edit (100 ms and more by default)."),
    KIND(PAUSE, "pause", "pause_ms,gc,gc_ms,gc_count",
         "The whole process stood still: gc is the collector that took longest; none means that "
         "the host did it (swap, virtual machine, disk)."),
    KIND(SLEPT, "slept", "slept_ms,expected_ms",
         "A thread that wanted a short nap was away much longer: another sign of a pause."),
    KIND(ZK_EXPIRED, "zk_expired", "session",
         "ZooKeeper has given up on this process: it must stop."),
    KIND(ABORT, "abort", "reason,root_class,root_reason",
         "The server stops itself. The first of several tells the reason, and the innermost "
         "exception of its trace (root) the cause; what comes later follows from it."),
    KIND(REGION_OPENED, "region_opened", "", "A region came to this server."),
    KIND(REGION_CLOSED, "region_closed", "", "A region left this server."),
    KIND(SERVER_STARTED, "server_started", "", "The server is up, under the name that it tells."),
    KIND(SERVER_VERSION, "server_version", "version", "The version of HBase that runs."),
    KIND(HEAP_LIMITS, "heap_limits", "global_memstore_bytes,low_mark_bytes,max_heap_bytes,offheap",
         "How much all memstores may hold before flushes are forced and writers blocked."),
    KIND(CALL_QUEUES, "call_queues",
         "name,queues,handlers,max_length,write_queues,write_handlers,read_queues,read_handlers,"
         "scan_queues,scan_handlers",
         "How many call queues and handlers the server made."),
    KIND(CACHE_STATS, "cache_stats",
         "which,used_bytes,free_bytes,max_bytes,accesses,hits,caching_accesses,caching_hits,"
         "evictions,evicted,cumulative",
         "The block cache's numbers, every five minutes: since the start (cumulative 1, lru), or "
         "since the line before (0, bucket)."),
    KIND(SCANNER_EXPIRED, "scanner_expired", "scanner_id,client,user",
         "A client did not come back for its scanner in time."),
    KIND(FLUSH_WAITED, "flush_waited", "waited_ms",
         "A delayed flush has waited as long as it may and goes on without the compaction."),
    KIND(FLUSH_FAILED, "flush_failed", "reason", "A flush could not be written."),
    KIND(CALL_DROPPED, "call_dropped", "method,client",
         "A call waited in its queue until the client had given up, and was not run."),
    KIND(FLUSH_IMPOSSIBLE, "flush_impossible", "reason",
         "The memstores together are too large, and this region, or none at all, can be flushed."),
    KIND(COMPACTION_REQUESTED, "compaction_requested",
         "queue,reason,long_queue,short_queue,since_major_ms",
         "A compaction was put into the short (Small) or the long (Large) queue, whose lengths "
         "stand beside it; or somebody asked for one (reason admin, major period)."),
    KIND(COMPACTION_SELECTED, "compaction_selected",
         "step,store_files,compacting,eligible,blocking_store_files,files,input_bytes,major,"
         "all_files",
         "What a store chose to compact, in up to three DEBUG lines: the candidates, the files, "
         "and that it begins (step candidates, files, initiated)."),
    KIND(COMPACTION_PROGRESS, "compaction_progress", "operation,cells_done,cells",
         "How far a long compaction is, once a minute."),
    KIND(COMPACTION_LIMITS, "compaction_limits",
         "min_bytes,max_bytes,min_files,max_files,throttle_bytes,major_ms,higher_bytes_per_s,"
         "lower_bytes_per_s,off_peak_bytes_per_s,tuning_ms",
         "The limits of a store's compactions, as it is opened, or those of the server's "
         "throughput. A bound that is not there is unlimited."),
    KIND(BULK_LOADED, "bulk_loaded", "path",
         "A file was loaded into a store: of this table and region is the BulkLoadHFile call that "
         "ends with it."),
    KIND(BULK_LOAD_SPLIT, "bulk_load_split", "path",
         "A tool that loads files splits one that no region takes whole: the client writes it "
         "anew; no region is split."),
    KIND(REGION_MOVED, "region_moved", "source,target",
         "A region is sent to another server: by the one that closes it, or by the master."),
    KIND(REGION_SPLIT, "region_split", "daughters,took_ms", "A region became two."),
    KIND(REGION_MERGED, "region_merged", "region_a,region_b,regions,took_ms",
         "Regions became one."),
    KIND(BALANCER_RAN, "balancer_ran", "took_ms,steps,moves",
         "The balancer looked for a better plan; without moves it found none."),
    KIND(WAL_ROLL_REQUESTED, "wal_roll_requested",
         "why,took_ms,threshold_ms,count,threshold,replicas,wanted_replicas,pipeline",
         "A new write-ahead log was asked for because of the DataNodes of the old one: one sync "
         "took too long, too many were slow (slow sync, slow syncs), or replicas are missing (low "
         "replication, too few DataNodes)."),
    KIND(WAL_SLOW_APPEND, "wal_slow_append", "took_ms,edit_bytes",
         "An edit waited long to get into the write-ahead log's buffer."),
    KIND(WAL_SLOW_DATANODE, "wal_slow_datanode", "what,datanode,took_ms,bytes,cause",
         "The asynchronous write-ahead log names the DataNode that was slow, or that it leaves out "
         "from now on (what slow, excluded)."),
    KIND(WAL_FAILED, "wal_failed", "what,reason",
         "A write-ahead log could not be synced, closed or rolled."),
    KIND(WAL_LIMITS, "wal_limits", "block_bytes,roll_bytes,max_logs",
         "At which size write-ahead logs are rolled, and how many may be kept."),
    KIND(HDFS_SLOW, "hdfs_slow", "what,took_ms,threshold_ms,path,block,volume,pipeline",
         "HDFS was slow: its client waited for DataNodes (acknowledgement, flush), or a DataNode "
         "tells why (disk write, disk sync, page cache, send to the next DataNode)."),
    KIND(HDFS_FAILED, "hdfs_failed", "what,datanode,path,block,reason",
         "HDFS could not read or write through a DataNode, and another must do."),
    KIND(HEDGED_READ, "hedged_read", "waited_ms,datanode",
         "A read waited for its DataNode, and a second one was asked."),
    KIND(HEDGED_POOL_FULL, "hedged_pool_full", "",
         "All threads for hedged reads were busy: the read went on without one."),
    KIND(ZK_SILENT, "zk_silent", "silent_ms,session",
         "The process heard nothing from ZooKeeper for so long: it was away itself, or ZooKeeper "
         "was. The session is lost only if zk_expired follows."),
    KIND(ZK_SESSION_ENDED, "zk_session_ended", "session,timeout_ms,client",
         "A ZooKeeper server ended a session, or turned away a client of one that had ended."),
    KIND(HEAP_OCCUPANCY, "heap_occupancy", "percent,limit_percent,side",
         "The heap in use went above the alarm's mark, or came back below it (side)."),
    KIND(JVM, "jvm", "name,version,max_heap_bytes,collector",
         "The Java machine and its options, in two lines."),
    KIND(CACHE_LIMITS, "cache_limits", "which,max_bytes,block_bytes,engine,writers,queue_length",
         "How large a block cache was made: on the heap (lru), or bucket."),
    KIND(CACHE_FAILED, "cache_failed", "which,reason,size_bytes,limit_bytes,within_ms",
         "A block did not fit into the cache: later lines come once a minute for all, earlier ones "
         "for each block."),
    KIND(SCANNER_MISSING, "scanner_missing", "scanner_id",
         "A client asked for a scanner that is not there (any more)."),
    KIND(LARGE_BATCH, "large_batch", "rows,limit,client",
         "One call brought more rows than the server thinks wise; its region is only the first."),
    KIND(CLIENT_GONE, "client_gone", "address",
         "A client had hung up before its answer was ready."),
    KIND(CALL_QUEUE_FULL, "call_queue_full", "limit,ops,attempt",
         "A client was told that the server's call queue is full, by calls or by bytes (limit). "
         "Servers write no line of it."),
    KIND(OUT_OF_MEMORY, "out_of_memory", "what",
         "Java had no memory left. A thread that dies of it may leave a server that lives and does "
         "nothing."),
    KIND(EXCEPTION, "exception", "level,class,reason,root_class,root_reason,logger,message",
         "Any other exception that a log tells; the root is the innermost cause, where that is "
         "another."),
    KIND(TASK, "task", "task,running_ms,status",
         "A task of the server's own page, copied into a log or a note."),
    KIND(GC_PAUSE, "gc_pause",
         "pause_ms,gc_kind,collector,cause,failure,heap_before_bytes,heap_after_bytes,"
         "heap_total_bytes,evacuation_failure_ms,stopped_ms,user_ms,sys_ms",
         "A stop that the collector's own log tells, with its start; gc_kind stall is of one "
         "thread, safepoint is a stop for something else, and without pause_ms its end is lost. "
         "Where a server log has a pause of the same time, both are one: case:pauses()."),
};
_Static_assert(sizeof kinds / sizeof kinds[0] == DX_EV_COUNT - 1, "a kind for each id");

const dx_event_kind *dx_event_kinds(size_t *n) {
    *n = sizeof kinds / sizeof kinds[0];
    return kinds;
}

const dx_event_kind *dx_event_kind_of(dx_event_id id) {
    return id > DX_EV_NONE && id < DX_EV_COUNT ? &kinds[id - 1] : NULL;
}

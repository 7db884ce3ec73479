/* Lines about files and the process; see events_flush.h. */
#ifndef EVENTS_SERVER_H
#define EVENTS_SERVER_H

#include "events_flush.h"

#define PATH "hdfs://nn/hbase/data/acme/bills/" E1

static const row store[] = {
    {"regionserver.Store",
     "Completed major compaction of 3 file(s) in d of " R1 " into 5d1c, size=2.0m; total size for "
     "store is 6.0m",
     "", "compaction_finished " W1 " F=d major=1 files=3 output_bytes=2097152 store_bytes=6291456"},
    {"regionserver.HStore",
     "Completed compaction of 3 file(s) in d of " R1
     " into 5d1c(size=2 M), total size for store is "
     "6 M. This selection was in queue for 0sec, and took 1hrs, 2mins, 3sec to execute.",
     "",
     "compaction_finished " W1 " F=d major=0 files=3 store_bytes=6291456 queue_ms=0 "
     "took_ms=3723000 output_files=1 output_bytes=2097152"},
    {"HStore",
     "Completed major compaction of 9 (all) file(s) in " E1 "/d of " E1
     " into a(size=1.5 M), b(size=512 K), c(size=10), total size for store is 6 M. This selection "
     "was in queue for 1mins, 3sec, and took 8sec to execute.",
     "",
     "compaction_finished E=" E1 " F=d major=1 files=9 all_files=1 store_bytes=6291456 "
     "queue_ms=63000 took_ms=8000 output_files=3 output_bytes=2097162"},
    {"HStore",
     "Completed compaction of 2 file(s) in d of " E1
     " into none, total size for store is 0. This selection was in queue for 0sec, and took 0sec "
     "to "
     "execute.",
     "",
     "compaction_finished E=" E1 " F=d major=0 files=2 store_bytes=0 queue_ms=0 took_ms=0 "
     "output_files=0 output_bytes=0"},
    {"HStore",
     "Completed compaction of 2 file(s) in d of " E1
     " into a(size=?), total size for store is 0. This selection was in queue for 0sec, and took "
     "0sec to execute.",
     "",
     "compaction_finished E=" E1 " F=d major=0 files=2 store_bytes=0 queue_ms=0 took_ms=0 "
     "output_files=1"},
    {"HStore", "Completed removal of 3 unnecessary (expired) file(s) in d; total size is 2 M", "",
     NULL},
    {"HStore",
     "Starting compaction of 3 file(s) in d of " R1 " into tmpdir=" PATH "/.tmp, totalSize=2 M", "",
     "compaction_started " W1 " F=d files=3 input_bytes=2097152"},
    {"Store",
     "Starting compaction of 3 file(s) in d of " R1 " into tmpdir=" PATH
     "/.tmp, seqid=7, totalSize=2.0m",
     "", "compaction_started " W1 " F=d files=3 input_bytes=2097152"},
    {"HStore",
     "Starting compaction of [" PATH "/d/f1, " PATH "/d/f2] into tmpdir=" PATH
     "/.tmp, totalSize=2 M",
     "", "compaction_started E=" E1 " F=d input_bytes=2097152 files=2"},
    {"HStore", "ls/" E1 "/d/f1, " PATH "/d/f2] into tmpdir=" PATH "/.tmp, totalSize=2 M", "",
     "compaction_started E=" E1 " F=d input_bytes=2097152"},
    {"HRegion", "Starting compaction of d in " R1 " as an off-peak compaction", "", NULL},
    /* the queue's own line */
    {"CompactionRequest",
     "completed compaction: regionName=" R1
     ", storeName=d, fileCount=3, fileSize=6.0m (2.0m, 2.0m, "
     "2.0m), priority=4, time=881; duration=8sec",
     "",
     "compaction_request_finished " W1 " F=d files=3 input_bytes=6291456 priority=4 "
     "took_ms=8000"},
    {"CompactSplitThread",
     "Completed compaction: Request = regionName=" R1 ", storeName=d, fileCount=3, fileSize=6 M, "
     "priority=-1, time=881; duration=8sec",
     "",
     "compaction_request_finished " W1 " F=d files=3 input_bytes=6291456 priority=-1 "
     "took_ms=8000"},
    {"CompactSplit",
     "Completed compaction Request=regionName=" R1 ", storeName=d, fileCount=2, fileSize=6 M (4 M, "
     "2 M), priority=1, time=1700000000000; duration=1hrs, 2mins, 3sec",
     "",
     "compaction_request_finished " W1 " F=d files=2 input_bytes=6291456 priority=1 "
     "took_ms=3723000"},
    {"CompactSplit",
     "Completed compaction region=" R1 ", storeName=" E1
     "/d, priority=13, startTime=1700000000000; "
     "duration=0sec",
     "", "compaction_request_finished " W1 " F=d priority=13 start_ms=1700000000000 took_ms=0"},
    {"CompactSplit",
     "Aborted compaction region=" R1 ", storeName=d, priority=13, startTime=1700000000000; "
     "duration=0sec",
     "", "compaction_failed " W1 " F=d how=aborted"},
    {"CompactSplitThread",
     "Aborted compaction: Request = regionName=" R1 ", storeName=d, fileCount=3, fileSize=6 M, "
     "priority=1, time=881; duration=8sec",
     "", "compaction_failed " W1 " F=d how=aborted"},
    {"CompactSplit",
     "Compaction failed region=" R1 ", storeName=" E1 "/d, priority=13, startTime=17",
     "java.io.IOException: no block\n",
     "compaction_failed " W1 " F=d how=failed "
     "reason=java.io.IOException: no block"},
    {"CompactSplitThread",
     "Compaction failed Request = regionName=" R1 ", storeName=d, fileCount=3, fileSize=6 M", "",
     "compaction_failed " W1 " F=d how=failed"},
    {"CompactSplit", "Compaction selection failed Store = d, pri = 3", "",
     "compaction_failed how=selection failed"},
    /* throttle */
    {"PressureAwareCompactionThroughputController",
     "acme:bills,a#b c,1700000000001." E1 ".#d#17 average throughput is 12.50 MB/sec, slept 2 "
     "time(s) and total slept time is 1034 ms. 1 active compactions remaining, total limit is "
     "50.00 "
     "MB/sec",
     "",
     "compaction_throttled R=acme:bills,a#b c,1700000000001." E1 ". E=" E1
     " T=acme:bills F=d operation=compaction throughput_bytes_per_s=13107200 sleeps=2 "
     "slept_ms=1034 active=1 limit_bytes_per_s=52428800"},
    {"throttle.PressureAwareThroughputController",
     R1 "#d#compaction#17 average throughput is 12.50 MB/sec, slept 2 time(s) and total slept time "
        "is 1034 ms. 1 active operations remaining, total limit is unlimited",
     "",
     "compaction_throttled " W1 " F=d operation=compaction throughput_bytes_per_s=13107200 "
     "sleeps=2 slept_ms=1034 active=1"},
    {"throttle.PressureAwareThroughputController",
     E1
     "#d#flush#17 average throughput is 12,50 MB/second, slept 1 time(s) and total slept time is "
     "9 ms. 0 active operations remaining, total limit is 50,00 MB/second",
     "",
     "compaction_throttled E=" E1 " F=d operation=flush throughput_bytes_per_s=13107200 "
     "sleeps=1 slept_ms=9 active=0 limit_bytes_per_s=52428800"},
    {"throttle.PressureAwareThroughputController",
     E1 "#d#compaction#17 average throughput is 12.50 MB/second, slept 0 time(s) and total slept "
        "time is 0 ms. 0 active operations remaining, total limit is unlimited",
     "", NULL},
    /* write-ahead logs */
    {"wal.HLog", "Roll /hbase/.logs/a, entries=81, filesize=1275.  for /hbase/.logs/b", "",
     "wal_rolled entries=81 file_bytes=1275"},
    {"wal.FSHLog", "Rolled WAL /hbase/a with entries=81, filesize=1.5 M; new WAL /hbase/b", "",
     "wal_rolled entries=81 file_bytes=1572864"},
    {"wal.AbstractFSWAL", "Rolled WAL /hbase/a with entries=0, filesize=1.50 MB; new WAL /hbase/b",
     "", "wal_rolled entries=0 file_bytes=1572864"},
    {"wal.AbstractFSWAL", "New WAL /hbase/b", "", NULL},
    {"wal.FSHLog",
     "Too many hlogs: logs=33, maxlogs=32; forcing flush of 2 regions(s): " E1 ", " E2, "",
     "wal_too_many count=33 max=32 regions=2 targets=" E1 ", " E2},
    {"wal.FSHLog", "Too many WALs; count=33, max=32; forcing flush of 2 regions(s): " E1 ", " E2,
     "", "wal_too_many count=33 max=32 regions=2 targets=" E1 ", " E2},
    {"wal.AbstractFSWAL",
     "Too many WALs; count=33, max=32; forcing (partial) flush of 2 region(s): " E1 "[d,m]," E2
     "[d]",
     "", "wal_too_many count=33 max=32 regions=2 targets=" E1 "[d,m]," E2 "[d]"},
    {"wal.FSHLog",
     "Slow sync cost: 312 ms, current pipeline: [Info[10.0.0.21:9866,DS-1,DISK], "
     "Info[b,DS-2,DISK]]",
     "", "wal_slow_sync took_ms=312 pipeline=[Info[10.0.0.21:9866,DS-1,DISK], Info[b,DS-2,DISK]]"},
    {"wal.FSHLog", "Slow sync cost: 312 ms, current pipelin: []", "",
     "wal_slow_sync took_ms=312 pipeline=[]"},
    {"wal.AbstractFSWAL", "Slow sync cost: 312 ms", "", "wal_slow_sync took_ms=312"},
    {"wal.AbstractFSWAL", "Requesting log roll because we exceeded slow sync threshold; count=104",
     "", NULL},
};

static const row server[] = {
    {"util.JvmPauseMonitor",
     "Detected pause in JVM or host machine (eg GC): pause of approximately 2345ms",
     "GC pool 'ParNew' had collection(s): count=2 time=310ms\r\n"
     "GC pool 'ConcurrentMarkSweep' had collection(s): count=1 time=1500ms\n",
     "pause pause_ms=2345 gc=ConcurrentMarkSweep gc_ms=1810 gc_count=3"},
    {"util.JvmPauseMonitor",
     "Detected pause in JVM or host machine (eg GC): pause of approximately 2345ms",
     "GC pool 'ZGC Cycles' had collection(s): count=2 time=9999ms\n",
     "pause pause_ms=2345 gc=none "
     "gc_ms=0 gc_count=0"},
    {"util.JvmPauseMonitor",
     "Detected pause in JVM or host machine (eg GC): pause of approximately 2345ms",
     "No GCs detected\n", "pause pause_ms=2345 gc=none gc_ms=0 gc_count=0"},
    {"util.JvmPauseMonitor",
     "Detected pause in JVM or host machine (eg GC): pause of approximately 2345ms", "",
     "pause pause_ms=2345"},
    {"util.Sleeper",
     "We slept 61234ms instead of 3000ms, this is likely due to a long garbage collecting pause",
     "", "slept slept_ms=61234 expected_ms=3000"},
    {"zookeeper.ClientCnxn",
     "Unable to reconnect to ZooKeeper service, session 0x18f3a has expired, closing socket", "",
     "zk_expired session=0x18f3a"},
    {"zookeeper.ClientCnxn", "Client session timed out, have not heard from server in 60012ms", "",
     NULL},
    {"HRegionServer", "ABORTING region server " S1 ": a: b, quorum=z1:2181 received expired", "",
     "abort S=" S1 " reason=a: b, quorum=z1:2181 received expired"},
    {"HRegionServer", "***** ABORTING region server " S1 ": IOE in log roller *****", "x\n",
     "abort S=" S1 " reason=IOE in log roller"},
    {"HRegionServer", "RegionServer abort: loaded coprocessors are: []", "", NULL},
    {"handler.AssignRegionHandler", "Opened " R1, "", "region_opened " W1},
    {"handler.AssignRegionHandler", "Open " R1, "", NULL},
    {"HRegionServer", "Post open deploy tasks for region=" R1 ", daughter=false", "",
     "region_opened " W1},
    {"HRegionServer", "Post open deploy tasks for " R1, "", "region_opened " W1},
    {"HRegionServer", "Post open deploy tasks for " R1 ", pid=8, masterSystemTime=17", "", NULL},
    {"HRegion", "Closed " R1, "", "region_closed " W1},
    {"HRegion", "Closed master:store,,1." E1 ".", "", NULL},
    {"HRegionServer", "Serving as " S1 ", RpcServer on rs7/10.0.0.7:16020, sessionid=0x1", "",
     "server_started S=" S1},
    {"util.VersionInfo", "HBase 3.0.0-beta-1", "", "server_version version=3.0.0-beta-1"},
    {"util.VersionInfo", "HBase is nice", "", NULL},
    {"MemStoreFlusher", "globalMemStoreLimit=2 G, globalMemStoreLimitLowMark=1.5 G, maxHeap=4 G",
     "",
     "heap_limits global_memstore_bytes=2147483648 low_mark_bytes=1610612736 "
     "max_heap_bytes=4294967296"},
    {"MemStoreFlusher", "globalMemStoreLimit=2 G, globalMemStoreLimitLowMark=1.5 G, Offheap=false",
     "", "heap_limits global_memstore_bytes=2147483648 low_mark_bytes=1610612736 offheap=0"},
    {"ipc.RpcExecutor",
     "Instantiated default.FPBQ.Fifo with queueClass=class java.util.X; numCallQueues=3, "
     "maxQueueLength=300, handlerCount=30",
     "", "call_queues name=default.FPBQ.Fifo queues=3 max_length=300 handlers=30"},
    {"ipc.RpcExecutor",
     "RpcExecutor  name  using fifo as call queue; numCallQueues=3; maxQueueLength=300; "
     "handlerCount=30",
     "", "call_queues queues=3 max_length=300 handlers=30"},
    {"ipc.RWQueueRpcExecutor",
     "default.FPRWQ.Fifo writeQueues=3 writeHandlers=30 readQueues=2 readHandlers=20 scanQueues=1 "
     "scanHandlers=10",
     "",
     "call_queues name=default.FPRWQ.Fifo write_queues=3 write_handlers=30 read_queues=2 "
     "read_handlers=20 scan_queues=1 scan_handlers=10"},
    {"ipc.RWQueueRpcExecutor",
     "RW.default writeQueues=3 writeHandlers=30 readQueues=2 readHandlers=20", "",
     "call_queues name=RW.default write_queues=3 write_handlers=30 read_queues=2 read_handlers=20"},
    {"ipc.SimpleRpcScheduler", "Using default user call queue, count=6", "",
     "call_queues queues=6"},
    {"ipc.SimpleRpcScheduler", "Using deadline as user call queue, count=6", "",
     "call_queues queues=6"},
    /* caches: used, free, capacity, whatever they are called */
    {"hfile.LruBlockCache",
     "Stats: total=2 GB, free=1 GB, max=3 GB, blocks=9, accesses=100, hits=90, hitRatio=90.00%, , "
     "cachingAccesses=80, cachingHits=70, cachingHitsRatio=87.50%, , evictions=2, evicted=31, "
     "evictedPerRun=15.5",
     "",
     "cache_stats which=lru used_bytes=2147483648 free_bytes=1073741824 max_bytes=3221225472 "
     "accesses=100 hits=90 caching_accesses=80 caching_hits=70 evictions=2 evicted=31 "
     "cumulative=1"},
    {"hfile.LruBlockCache",
     "Total=2 GB, free=1 GB, max=3 GB, blockCount=9, accesses=100, hits=90, hitRatio=90.00%, , "
     "cachingAccesses=80, cachingHits=70, cachingHitsRatio=87.50%, evictions=2, evicted=31, "
     "evictedPerRun=NaN",
     "",
     "cache_stats which=lru used_bytes=2147483648 free_bytes=1073741824 max_bytes=3221225472 "
     "accesses=100 hits=90 caching_accesses=80 caching_hits=70 evictions=2 evicted=31 "
     "cumulative=1"},
    {"hfile.LruBlockCache",
     "totalSize=2 GB, freeSize=1 GB, max=3 GB, blockCount=0, accesses=0, hits=0, hitRatio=0, "
     "cachingAccesses=0, cachingHits=0, cachingHitsRatio=0,evictions=29, evicted=0, "
     "evictedPerRun=0.0",
     "",
     "cache_stats which=lru used_bytes=2147483648 free_bytes=1073741824 max_bytes=3221225472 "
     "accesses=0 hits=0 caching_accesses=0 caching_hits=0 evictions=29 evicted=0 cumulative=1"},
    {"hfile.LruBlockCache",
     "totalSize=3 GB, usedSize=2 GB, freeSize=1 GB, max=3 GB, blockCount=9, accesses=100, hits=90, "
     "hitRatio=90.00%, , cachingAccesses=80, cachingHits=70, cachingHitsRatio=87.50%, evictions=2, "
     "evicted=31, evictedPerRun=Infinity",
     "",
     "cache_stats which=lru used_bytes=2147483648 free_bytes=1073741824 max_bytes=3221225472 "
     "accesses=100 hits=90 caching_accesses=80 caching_hits=70 evictions=2 evicted=31 "
     "cumulative=1"},
    {"bucket.BucketCache",
     "BucketCache Stats: failedBlockAdditions=0, total=3 GB, free=1 GB, usedSize=2 GB, cacheSize=1 "
     "GB, accesses=100, hits=90, IOhitsPerSecond=0, IOTimePerHit=0.03, hitRatio=90.00%, "
     "cachingAccesses=80, cachingHits=70, cachingHitsRatio=87.50%, evictions=2, evicted=31",
     "",
     "cache_stats which=bucket used_bytes=2147483648 free_bytes=1073741824 "
     "max_bytes=3221225472 accesses=100 hits=90 caching_accesses=80 caching_hits=70 evictions=2 "
     "evicted=31 cumulative=0"},
    {"bucket.BucketCache",
     "failedBlockAdditions=0, totalSize=3 GB, freeSize=1 GB, usedSize=2 GB, cacheSize=1 GB, "
     "accesses=0, hits=0, IOhitsPerSecond=0, IOTimePerHit=NaN, hitRatio=0,cachingAccesses=0, "
     "cachingHits=0, cachingHitsRatio=0,evictions=2, evicted=31, allocationFailCount=1",
     "",
     "cache_stats which=bucket used_bytes=2147483648 free_bytes=1073741824 "
     "max_bytes=3221225472 accesses=0 hits=0 caching_accesses=0 caching_hits=0 evictions=2 "
     "evicted=31 cumulative=0"},
    /* calls and scanners */
    {"RSRpcServices", "Scanner -58329617 lease expired on region " R1, "",
     "scanner_expired " W1 " scanner_id=-58329617"},
    {"HRegionServer", "Scanner -58329617 lease expired", "",
     "scanner_expired scanner_id=-58329617"},
    {"RSRpcServices",
     "Scanner lease -58329617 expired clientIPAndPort=10.0.0.5:52344, userName=ann, regionInfo=" R1,
     "", "scanner_expired " W1 " scanner_id=-58329617 client=10.0.0.5:52344 user=ann"},
    {"RSRpcServices", "Scanner lease -58329617 expired but no outstanding scanner", "",
     "scanner_expired scanner_id=-58329617"},
    {"ipc.RpcServer",
     "Dropping timed out call: callId: 8 service: ClientService methodName: Get size: 118 "
     "connection: 10.0.0.5:52344 deadline: 17 param: region= x connection: y",
     "", "call_dropped method=Get client=10.0.0.5:52344"},
    {"ipc.RpcServer",
     "Can not complete this request in time, drop it: callId: 8 service: ClientService methodName: "
     "Multi size: 1.2 K connection: fe80::1%eth0:41822 deadline: 17 param: x",
     "", "call_dropped method=Multi client=fe80::1%eth0:41822"},
    {"ipc.RpcServer", "Connection from 10.0.0.5", "", NULL},
    {"com.acme.HRegionCopy", "Closed " R1, "", NULL},
    {"HRegion$1", "Closed " R1, "", "region_closed " W1},
};

#endif

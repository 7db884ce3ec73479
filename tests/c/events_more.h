/* Lines about splits, moves, HDFS, limits, sessions, clients and exceptions, as in events_flush.h.
 */
#ifndef EVENTS_MORE_H
#define EVENTS_MORE_H

#include "events_flush.h"

#define DN   "DatanodeInfoWithStorage[10.1.0.7:9866,DS-1,DISK]"
#define PIPE "[" DN ", DatanodeInfoWithStorage[10.1.0.8:9866,DS-2,SSD]]"
#define CAUSE                                                                                      \
    "java.io.IOException: cannot get log writer\n\tat a.B.c(B.java:1)\nCaused by: "                \
    "org.apache.hadoop.ipc.RemoteException(org.apache.hadoop.hdfs.server.namenode."                \
    "SafeModeException): Cannot create file/x. Name node is in safe mode.\nResources are low. "    \
    "NOTE: more.\n\tat d.E.f(E.java:2)\n\t... 5 more"
#define SAFE                                                                                       \
    "root_class=org.apache.hadoop.hdfs.server.namenode.SafeModeException root_reason=Cannot "      \
    "create file/x. Name node is in safe mode.\nResources are low. NOTE: more."

static const row moves[] = {
    {"MemStoreFlusher", "Above memory mark but there are no flushable regions!", "",
     "flush_impossible reason=no region can be flushed"},
    {"MemStoreFlusher", "Above memory mark but there is no flushable region", "",
     "flush_impossible reason=no region can be flushed"},
    {"MemStoreFlusher",
     "Excluding unflushable region " R1 " - trying to find a different region to flush.", "",
     "flush_impossible " W1 " reason=the region cannot be flushed"},
    {"MemStoreFlusher", "Flush thread woke up because memory above low water=6.1 G", "", NULL},
    {"MemStoreFlusher",
     "Under global heap pressure: Region " R1 " has too many store files, but is 256.0 M vs best "
     "flushable region's 12.1 M. Choosing the bigger.",
     "", NULL},
    {"MemStoreFlusher",
     "Refreshing storefiles of region " R1 " due to global heap pressure. Total memstore off heap "
     "size=0 memstore heap size=6.4 G",
     "", NULL},
    {"CompactSplit",
     "Small Compaction requested: system; Because: MemStoreFlusher.0; "
     "compactionQueue=(longCompactions=1:shortCompactions=3), splitQueue=0",
     "", "compaction_requested reason=MemStoreFlusher.0 long_queue=1 short_queue=3 queue=Small"},
    {"CompactSplitThread",
     "Large Compaction requested: system; Because: User-triggered; compaction_queue=(1:3), "
     "split_queue=0, merge_queue=0",
     "", "compaction_requested reason=User-triggered long_queue=1 short_queue=3 queue=Large"},
    {"RSRpcServices", "Compacting " R1, "", "compaction_requested " W1 " reason=admin"},
    {"RatioBasedCompactionPolicy",
     "Major compaction triggered on store d; time since last major compaction 604900000ms", "",
     "compaction_requested since_major_ms=604900000 reason=major period"},
    {"RatioBasedCompactionPolicy",
     "Major compaction triggered on only store d; to make hdfs blocks local, current "
     "blockLocalityIndex is 0.1 (min 0.7)",
     "", "compaction_requested reason=major period"},
    {"SortedCompactionPolicy",
     "Selecting compaction from 5 store files, 1 compacting, 4 eligible, 16 blocking", "",
     "compaction_selected store_files=5 compacting=1 eligible=4 blocking_store_files=16 "
     "step=candidates"},
    {"ExploringCompactionPolicy",
     "Exploring compaction algorithm has selected 3  files of size 981 starting at candidate #2 "
     "after considering 6 permutations with 3 in ratio",
     "", "compaction_selected files=3 input_bytes=981 step=files"},
    {"ExploringCompactionPolicy",
     "Exploring compaction algorithm has selected 3 files of size 981 because the store might be "
     "stuck",
     "", "compaction_selected files=3 input_bytes=981 step=files"},
    {"RatioBasedCompactionPolicy",
     "Default compaction algorithm has selected 4 files from 9 candidates", "",
     "compaction_selected files=4 eligible=9 step=files"},
    {"HStore", E1 "/d is initiating major compaction (all files)", "",
     "compaction_selected E=" E1 " F=d major=1 all_files=1 step=initiated"},
    {"HStore", "d is initiating minor compaction", "",
     "compaction_selected F=d major=0 step=initiated"},
    {"HStore", E1 " - d: Initiating minor compaction (all files)", "",
     "compaction_selected E=" E1 " F=d major=0 all_files=1 step=initiated"},
    {"HStore", "Starting compaction of 3 file(s) in d of " R1, "",
     "compaction_started " W1 " F=d files=3"},
    {"Compactor",
     "Compaction progress: " E1 "#d#compaction#17 812/9912 (8.20%), rate=51234.11 KB/sec", "",
     "compaction_progress E=" E1 " F=d operation=compaction cells_done=812 cells=9912"},
    {"PressureAwareThroughputController",
     E1 "#d#compaction#17 sleep=517ms because current throughput is 61.02 MB/second", "", NULL},
    {"CompactionConfiguration",
     "size [minCompactSize:128 MB, maxCompactSize:8.00 EB, offPeakMaxCompactSize:8.00 EB); files "
     "[minFilesToCompact:3, maxFilesToCompact:10); ratio 1.200000; off-peak ratio 5.000000; "
     "throttle point 2684354560; major period 604800000, major jitter 0.500000, min locality to "
     "compact 0.000000; tiered compaction: max_age 1, region " E1 " columnFamilyName d",
     "",
     "compaction_limits E=" E1 " F=d min_bytes=134217728 max_bytes=9223372036854775807 "
     "min_files=3 max_files=10 throttle_bytes=2684354560 major_ms=604800000"},
    {"CompactionConfiguration",
     "size [134217728, 99, 99); files [3, 10); ratio 1.2; off-peak ratio 5.0; throttle point 9; "
     "major period 7, major jitter 0.5",
     "",
     "compaction_limits min_bytes=134217728 max_bytes=99 min_files=3 max_files=10 "
     "throttle_bytes=9 major_ms=7"},
    {"CompactionConfiguration",
     "size [134217728, 99); files [3, 10); ratio 1.2; off-peak ratio 5.0; throttle point 9; major "
     "period 7",
     "",
     "compaction_limits min_bytes=134217728 max_bytes=99 min_files=3 max_files=10 "
     "throttle_bytes=9 major_ms=7"},
    {"PressureAwareCompactionThroughputController",
     "Compaction throughput configurations, higher bound: 100.00 MB/second, lower bound 50.00 "
     "MB/second, off peak: unlimited, tuning period: 60000 ms",
     "",
     "compaction_limits higher_bytes_per_s=104857600 lower_bytes_per_s=52428800 tuning_ms=60000"},
    {"HStore",
     "Successfully loaded hdfs://n/tmp/d/ab into " E1 "/d (new location: "
     "hdfs://n/hbase/data/acme/bills/" E1 "/d/77aa)",
     "", "bulk_loaded E=" E1 " F=d path=hdfs://n/hbase/data/acme/bills/" E1 "/d/77aa"},
    {"LoadIncrementalHFiles",
     "HFile at hdfs://n/tmp/A/ab no longer fits inside a single region. Splitting...", "",
     "bulk_load_split path=hdfs://n/tmp/A/ab"},
    {"HStore",
     "Added hdfs://n/hbase/data/acme/bills/" E1 "/d/77aa, entries=1, sequenceid=2, filesize=3.0 M",
     "", NULL},
    {"RSRpcServices", "Close " E1 ", moving to " S1, "", "region_moved E=" E1 " target=" S1},
    {"RSRpcServices", "Close " E1 " without moving", "", NULL},
    {"RSRpcServices", "Open " R1, "", NULL},
    {"AssignRegionHandler", "Open " R1, "", NULL},
    {"UnassignRegionHandler", "Closed " R1, "", NULL},
    {"HRegion", "Starting compaction of d in " R1 " as an off-peak compaction", "", NULL},
    {"HMaster", "balance hri=" E1 ", source=" S1 ", destination=rs8,1,2", "",
     "region_moved E=" E1 " source=" S1 " target=rs8,1,2"},
    {"HMaster", "balance hri=" R1 ", src=" S1 ", dest=rs8,1,2", "",
     "region_moved " W1 " source=" S1 " target=rs8,1,2"},
    {"SplitRequest",
     "Region split, hbase:meta updated, and report to master. Parent=" R1
     ", new regions: a,,1.x., a,m,1.y.. Split took 1sec",
     "", "region_split " W1 " daughters=a,,1.x., a,m,1.y. took_ms=1000"},
    {"ProcedureExecutor",
     "Finished pid=7, state=SUCCESS; SplitTableRegionProcedure table=acme:bills, parent=" E1
     ", daughterA=" E2 ", daughterB=" E2 " in 1.2000 sec",
     "", "region_split E=" E1 " T=acme:bills daughters=daughterA=" E2 ", daughterB=" E2},
    {"RegionMergeRequest",
     "Regions merged, hbase:meta updated, and report to master. region_a=x, region_b=y,merged "
     "region=" R1 ". Region merge took 2sec",
     "", "region_merged " W1 " region_a=x region_b=y took_ms=2000"},
    {"ProcedureExecutor",
     "Finished pid=7, state=SUCCESS, hasLock=false; MergeTableRegionsProcedure table=acme:bills, "
     "regions=[x, y], force=false in 1 sec",
     "", "region_merged T=acme:bills regions=x, y"},
    {"StochasticLoadBalancer",
     "Finished computing new moving plan. Computation took 812 ms to try 4000 different "
     "iterations.  Found a solution that moves 3 regions; Going from a computed imbalance of 0.1",
     "", "balancer_ran took_ms=812 steps=4000 moves=3"},
    {"StochasticLoadBalancer",
     "Could not find a better load balance plan.  Tried 4000 different configurations in 812ms, "
     "and did not find anything with a computed cost less than 1.0",
     "", "balancer_ran steps=4000 took_ms=812"},
};

static const row below[] = {
    {"AbstractFSWAL",
     "Requesting log roll because we exceeded slow sync threshold; time=10312 ms, "
     "threshold=10000 ms, current pipeline: " PIPE,
     "", "wal_roll_requested took_ms=10312 threshold_ms=10000 pipeline=" PIPE " why=slow sync"},
    {"FSHLog",
     "Requesting log roll because we exceeded slow sync threshold; count=104, threshold=100, "
     "current pipeline: []",
     "", "wal_roll_requested count=104 threshold=100 pipeline=[] why=slow syncs"},
    {"FSHLog", "Requesting log roll because of low replication, current pipeline: " PIPE, "",
     "wal_roll_requested pipeline=" PIPE " why=low replication"},
    {"FSHLog", "Requesting log roll because of file size threshold; length=1, logrollsize=1", "",
     NULL},
    {"FSHLog",
     "HDFS pipeline error detected. Found 2 replicas but expecting no less than 3 replicas.  "
     "Requesting close of WAL. current pipeline: " PIPE,
     "", "wal_roll_requested replicas=2 wanted_replicas=3 pipeline=" PIPE " why=low replication"},
    {"HLog",
     "HDFS pipeline error detected. Found 2 replicas but expecting no less than 3 replicas.  "
     "Requesting close of hlog.",
     "", "wal_roll_requested replicas=2 wanted_replicas=3 why=low replication"},
    {"FSHLog",
     "Too many consecutive RollWriter requests, it's a sign of the total number of live datanodes "
     "is lower than the tolerable replicas.",
     "", "wal_roll_requested why=too few DataNodes"},
    {"AbstractFSWAL",
     "WAL configuration: blocksize=256 MB, rollsize=128 MB, prefix=a, suffix=, logDir=b, "
     "archiveDir=c, maxLogs=32",
     "", "wal_limits block_bytes=268435456 roll_bytes=134217728 max_logs=32"},
    {"FSHLog", "WAL/HLog configuration: blocksize=64 MB, rollsize=60.8 MB, enabled=true", "",
     "wal_limits block_bytes=67108864 roll_bytes=63753421"},
    {"AsyncFSWAL", "sync failed", "java.io.IOException: stream already broken",
     "wal_failed what=sync reason=java.io.IOException: stream already broken"},
    {"LogRoller", "Log rolling failed", "java.io.IOException: x",
     "wal_failed what=roll reason=java.io.IOException: x"},
    {"LogRoller", "Aborting", CAUSE, "abort reason=log roller " SAFE},
    {"HRegionServer", "ABORTING region server " S1 ": IOE in log roller", CAUSE,
     "abort S=" S1 " reason=IOE in log roller " SAFE},
    {"HRegionServer", "Dump of metrics as JSON on abort: {", "java.io.IOException: no event", NULL},
    {"MetricsWAL", "x,y=1 took 1523 ms appending an edit to wal; len~=1.5 K", "",
     "wal_slow_append took_ms=1523 edit_bytes=1536"},
    {"MetricsWAL", "x took 1523 ms appending an edit to hlog; editcount=7, len~=1.5k", "",
     "wal_slow_append took_ms=1523 edit_bytes=1536"},
    {"StreamSlowMonitor",
     "Slow datanode: " DN ", data length=65536, duration=7023ms, unfinishedReplicas=1, "
     "lastAckTimestamp=1, monitor name: defaultMonitorName",
     "", "wal_slow_datanode datanode=10.1.0.7:9866 bytes=65536 took_ms=7023 what=slow"},
    {"ExcludeDatanodeManager",
     "Added datanode: " DN " to exclude cache by [slow packet ack] success, current "
     "excludeDNsCache size=1",
     "", "wal_slow_datanode datanode=10.1.0.7:9866 cause=slow packet ack what=excluded"},
    {"DFSClient",
     "Slow ReadProcessor read fields took 35123ms (threshold=30000ms); ack: seqno: 8 reply: "
     "SUCCESS downstreamAckTimeNanos: 0, targets: " PIPE,
     "", "hdfs_slow took_ms=35123 threshold_ms=30000 pipeline=" PIPE " what=acknowledgement"},
    {"hdfs.DataStreamer",
     "Slow ReadProcessor read fields for block BP-1:blk_7_8 took 35123ms (threshold=30000ms); "
     "ack: seqno: 8, targets: []",
     "",
     "hdfs_slow block=BP-1:blk_7_8 took_ms=35123 threshold_ms=30000 pipeline=[] "
     "what=acknowledgement"},
    {"DFSClient", "Slow waitForAckedSeqno took 36001ms (threshold=30000ms)", "",
     "hdfs_slow took_ms=36001 threshold_ms=30000 what=flush"},
    {"DataStreamer",
     "Slow waitForAckedSeqno took 36001ms (threshold=30000ms). File being written: /a/b, block: "
     "BP-1:blk_7_8, Write pipeline datanodes: " PIPE ".",
     "",
     "hdfs_slow took_ms=36001 threshold_ms=30000 path=/a/b block=BP-1:blk_7_8 pipeline=" PIPE
     " what=flush"},
    {"DFSClient", "Execution rejected, Executing in current thread", "", "hedged_pool_full"},
    {"DFSClient", "Waited 151ms to read from " DN "; spawning hedged read", "",
     "hedged_read waited_ms=151 datanode=10.1.0.7:9866"},
    {"DFSClient",
     "Connection failure: Failed to connect to rs8/10.1.0.8:9866 for file /a/b for block "
     "BP-1:blk_7_8:java.net.ConnectException: Connection refused",
     "",
     "hdfs_failed datanode=rs8/10.1.0.8:9866 path=/a/b block=BP-1:blk_7_8 what=connect "
     "reason=java.net.ConnectException: Connection refused"},
    {"DFSClient", "Exception in createBlockOutputStream", "java.io.IOException: Bad connect ack",
     "hdfs_failed what=open pipeline reason=java.io.IOException: Bad connect ack"},
    {"DFSClient", "Exception in createBlockOutputStream", "at a.B.c(B.java:1)",
     "hdfs_failed what=open pipeline"},
    {"DFSClient", "DFSOutputStream ResponseProcessor exception  for block BP-1:blk_7_8",
     "java.io.IOException: Bad response ERROR for block BP-1:blk_7_8 from datanode 10.1.0.7:50010",
     "hdfs_failed block=BP-1:blk_7_8 what=acknowledgement reason=java.io.IOException: Bad response "
     "ERROR for block BP-1:blk_7_8 from datanode 10.1.0.7:50010"},
    {"DFSClient",
     "Error Recovery for block BP-1:blk_7_8 in pipeline 10.1.0.7:50010, 10.1.0.8:50010: bad "
     "datanode 10.1.0.7:50010",
     "", "hdfs_failed block=BP-1:blk_7_8 datanode=10.1.0.7:50010 what=pipeline"},
    {"DFSClient", "Excluding datanode " DN, "", "hdfs_failed datanode=10.1.0.7:9866 what=excluded"},
    {"DataNode", "Slow BlockReceiver write packet to mirror took 812ms (threshold=300ms)", "",
     "hdfs_slow took_ms=812 threshold_ms=300 what=send to the next DataNode"},
    {"DataNode",
     "Slow BlockReceiver write data to disk cost:912ms (threshold=300ms), volume=file:/d/1/, "
     "blockId=77, seqno=8",
     "", "hdfs_slow took_ms=912 threshold_ms=300 volume=file:/d/1/ block=77 what=disk write"},
    {"DataNode",
     "Slow flushOrSync took 1312ms (threshold=300ms), isSync:true, flushTotalNanos=8ns, "
     "volume=file:/d/1/, blockId=77, seqno=8",
     "", "hdfs_slow took_ms=1312 threshold_ms=300 volume=file:/d/1/ block=77 what=disk sync"},
    {"DataNode",
     "dn2:9866:DataXceiver error processing READ_BLOCK operation  src: /10.1.0.1:4 dst: "
     "/10.1.0.2:9866",
     "java.net.SocketTimeoutException: 480000 millis timeout",
     "hdfs_failed datanode=dn2:9866 what=READ_BLOCK reason=java.net.SocketTimeoutException: "
     "480000 millis timeout"},
};

static const row others[] = {
    {"ClientCnxn",
     "Client session timed out, have not heard from server in 62195ms for sessionid 0x25f0, "
     "closing socket connection and attempting reconnect",
     "", "zk_silent silent_ms=62195 session=0x25f0"},
    {"ClientCnxn",
     "Client session timed out, have not heard from server in 62195ms for session id 0x25f0", "",
     "zk_silent silent_ms=62195 session=0x25f0"},
    {"ZooKeeperServer", "Expiring session 0x25f0, timeout of 10000ms exceeded", "",
     "zk_session_ended session=0x25f0 timeout_ms=10000"},
    {"ZooKeeperServer", "Invalid session 0x25f0 for client /10.1.0.7:5, probably expired", "",
     "zk_session_ended session=0x25f0 client=/10.1.0.7:5"},
    {"HeapMemoryManager",
     "heapOccupancyPercent 0.97 is above heap occupancy alarm watermark (0.95)", "",
     "heap_occupancy percent=97.0 limit_percent=95.0 side=above"},
    {"HeapMemoryManager",
     "heapOccupancyPercent 0.5 is now below the heap occupancy alarm watermark (0.95)", "",
     "heap_occupancy percent=50.0 limit_percent=95.0 side=below"},
    {"ServerCommandLine", "vmName=OpenJDK VM, vmVendor=X, vmVersion=11.0.22+7", "",
     "jvm name=OpenJDK VM version=11.0.22+7"},
    {"ServerCommandLine", "vmInputArguments=[-Xmx8g, -XX:+UseG1GC, -XX:+UseNUMA, -Xmx16g, -Dx=y]",
     "", "jvm max_heap_bytes=17179869184 collector=G1GC"},
    {"ServerCommandLine", "env:HBASE_OPTS=-Xmx9g", "", NULL},
    {"CacheConfig", "Allocating LruBlockCache with maximum size 6.4 G", "",
     "cache_limits max_bytes=6871947674 which=lru"},
    {"BlockCacheFactory", "Allocating BlockCache size=6.40 GB, blockSize=64 KB", "",
     "cache_limits max_bytes=6871947674 block_bytes=65536 which=lru"},
    {"BucketCache",
     "Started bucket cache; ioengine=offheap, capacity=64 GB, blockSize=64 KB, writerThreadNum=3, "
     "writerQLen=64, persistencePath=null",
     "",
     "cache_limits engine=offheap max_bytes=68719476736 block_bytes=65536 writers=3 "
     "queue_length=64 which=bucket"},
    {"CacheConfig",
     "Created cacheConfig for d: blockCache=LruBlockCache{blockCount=9, currentSize=61, "
     "freeSize=39, maxSize=100, heapSize=61}, cacheDataOnRead=true",
     "", "cache_stats used_bytes=61 free_bytes=39 max_bytes=100 which=lru"},
    {"BucketCache", "Failed allocation for 77aa_8; a.BucketAllocatorException: too big", "",
     "cache_failed reason=a.BucketAllocatorException: too big which=bucket"},
    {"BucketCache",
     "Most recent failed allocation in 60000 milliseconds; Table Name = bills, Column Family = d, "
     "HFile Name : 77aa",
     "", "cache_failed T=bills F=d within_ms=60000 which=bucket"},
    {"BucketCache",
     "Most recent failed allocation after 60000 ms; Table: bills CF: d HFile: 77aa Message: too "
     "big",
     "", "cache_failed T=bills F=d within_ms=60000 reason=too big which=bucket"},
    {"LruBlockCache", "Trying to cache too large a block 77aa @ 8 is 178 which is larger than 167",
     "", "cache_failed size_bytes=178 limit_bytes=167 which=lru"},
    {"RSRpcServices", "Client tried to access missing scanner -583", "",
     "scanner_missing scanner_id=-583"},
    {"RSRpcServices",
     "Large batch operation detected (greater than 5000) (HBASE-18023). Requested Number of Rows: "
     "25000 Client: svc//10.1.0.7 first region in multi=" R1,
     "", "large_batch " W1 " limit=5000 rows=25000 client=svc//10.1.0.7"},
    {"RpcServer",
     "RpcServer.handler=1: caught a ClosedChannelException, this means that the server "
     "/10.1.0.7:16020 was processing a request but the client went away. The error message was: x",
     "", "client_gone address=/10.1.0.7:16020"},
    /* clients */
    {"client.AsyncProcess",
     "#455, table=bills, attempt=12/35 failed 121 ops, last exception: "
     "org.apache.hadoop.hbase.ipc.RemoteWithExtrasException(org.apache.hadoop.hbase.ipc."
     "RpcServer$CallQueueTooBigException): Call queue is full, is "
     "ipc.server.max.callqueue.size too small? on " S1
     ", tracking started Wed Apr 13 12:45:01 CST 2016, retrying after 20145 ms, replay 121 ops.",
     "", "call_queue_full T=bills S=" S1 " limit=bytes attempt=12 ops=121"},
    {"client.AsyncRequestFutureImpl",
     "id=7, table=bills, attempt=4/16, failureCount=2ops, last "
     "exception=org.apache.hadoop.hbase.CallQueueTooBigException: Call queue is full on " S1
     ", too many items queued ? on " S1 ", tracking started null",
     "", "call_queue_full T=bills S=" S1 " limit=calls attempt=4 ops=2"},
    {"",
     "org.hbase.async.RemoteException: Call queue is full on /0.0.0.0:60020, too many items "
     "queued ?",
     "", "call_queue_full limit=calls"},
    {"CompactionQueue", "Failed to delete a row to re-compact",
     "org.hbase.async.RemoteException: org.apache.hadoop.hbase.RegionTooBusyException: Above "
     "memstore limit, regionName=bills,,<region>, server=<fqdn>,160\n20,14, memstoreSize=2019, "
     "blockingMemStoreSize=536",
     "region_too_busy T=bills reason=memstore seen_by=client size_bytes=2019 limit_bytes=536"},
    /* memory */
    {"RpcServer", "/10.1.0.7:16020 is unable to read call parameter from client 10.1.0.9",
     "java.lang.OutOfMemoryError: Java heap space\n\tat a.B.c(B.java:1)",
     "out_of_memory what=Java heap space"},
    {"", "java.lang.OutOfMemoryError: unable to create new native thread", "",
     "out_of_memory what=unable to create new native thread"},
    /* others */
    {"a.Foo", "it failed", CAUSE,
     "exception class=java.io.IOException reason=cannot get log writer " SAFE
     " logger=a.Foo message=it failed"},
    {"a.Foo", "got x.Y$ZException: b.CError: why", "",
     "exception class=b.CError reason=why logger=a.Foo"},
    {"", "Caused by: a.b.LeaseException: lease '7' does not exist", "",
     "exception class=a.b.LeaseException reason=lease '7' does not exist"},
    {"a.Foo", "an Exception of no class", "", NULL},
    {"HRegion", "Region moves", "\tat a.B.c(B.java:1)", NULL},
    {"", "Flushing acme:bills,,1.x.   RUNNING (since 5hrs, 7mins, 35sec ago)   Flushing d: closing",
     "", "task task=Flushing acme:bills,,1.x. running_ms=18455000 status=Flushing d: closing"},
    {"", "Flushing " R1 "   RUNNING (since 35sec ago)   Flushing d: closing flushed file", "",
     "task " W1 " task=Flushing running_ms=35000 status=Flushing d: closing flushed file"},
};

#endif

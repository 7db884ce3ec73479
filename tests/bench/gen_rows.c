/* gen_rows.c - what a RegionServer says besides slow calls: one row a line, with the event that
 * hbdx has to find in it. A row with a weight begins a scene; those of weight 0 behind it go on
 * with the same region and threads. Codes in texts:
 *   %R region   %E encoded name   %F family   %T table   %Q the region's folder   %S server
 *   %V version   %c client with port   %n[lo,hi] number   %g[lo,hi] number with grouped digits
 *   %B size as "1.52 MB"   %Z as "1.5 G"   %z as "1.5g"   %H as "256.0 M"   %b its bytes again
 *   %d duration   %t throughput   %p percent   %m epoch ms   %i signed id   %x %X hexadecimal
 *   %W write-ahead log   %P pipeline   %D datanode   %l files of a compaction   %% percent sign
 * Threads: h handler, f flusher, c compaction, r log roller, o opener, x closer, k chore, s WAL
 * sync, j pause monitor, l b cache statistics, e leases, z ZooKeeper, m main. */
#include "gen.h"

#define FROM(e)       (((1u << ERAS) - 1) & ~((1u << (e)) - 1))
#define UP_TO(e)      ((1u << ((e) + 1)) - 1)
#define SPAN(a, b)    (FROM(a) & UP_TO(b))
#define ALL           FROM(E094)
#define RS            "regionserver."
#define FRAME(method) "\n\tat org.apache.hadoop.hbase." method

#define TOO_BUSY                                                                                   \
    FRAME("regionserver.HRegion.checkResources(HRegion.java:5012)")                                \
    FRAME("regionserver.HRegion.batchMutate(HRegion.java:4490)")                                   \
    FRAME("regionserver.HRegion.batchMutate(HRegion.java:4421)")                                   \
    FRAME("regionserver.RSRpcServices.batchMutate(RSRpcServices.java:1108)")                       \
    FRAME("regionserver.RSRpcServices.doBatchOp(RSRpcServices.java:1058)")                         \
    FRAME("regionserver.RSRpcServices.doNonAtomicBatchOp(RSRpcServices.java:975)")                 \
    FRAME("regionserver.RSRpcServices.doNonAtomicRegionMutation(RSRpcServices.java:940)")          \
    FRAME("regionserver.RSRpcServices.multi(RSRpcServices.java:2914)")                             \
    FRAME("shaded.protobuf.generated.ClientProtos$ClientService$2.callBlockingMethod("             \
          "ClientProtos.java:43506)")                                                              \
    FRAME("ipc.RpcServer.call(RpcServer.java:392)")                                                \
    FRAME("ipc.CallRunner.run(CallRunner.java:140)")                                               \
    FRAME("ipc.RpcExecutor$Handler.run(RpcExecutor.java:347)")

const gen_row gen_rows[] = {
    /* ---- flushes */
    {UP_TO(E094), 30, "flush_started", 'I', 'f', RS "HRegion",
     "Started memstore flush for %R, current region memstore size %z"},
    {UP_TO(E094), 0, NULL, 'I', 'f', RS "Store",
     "Added %Q%F/%x, entries=%n[2000,900000], sequenceid=%n[9000,9900000], filesize=%z"},
    {UP_TO(E094), 0, "flush_finished", 'I', 'f', RS "HRegion",
     "Finished memstore flush of ~%z/%b, currentsize=%z/%b for region %R in %n[90,9000]ms, "
     "sequenceid=%n[9000,9900000], compaction requested=true"},
    {SPAN(E098, E098), 30, "flush_started", 'I', 'f', RS "HRegion",
     "Started memstore flush for %R, current region memstore size %Z"},
    {SPAN(E12, E17), 30, "flush_started", 'I', 'f', RS "HRegion",
     "Flushing 1/1 column families, memstore=%B"},
    {SPAN(E098, E17), 0, NULL, 'I', 'f', RS "DefaultStoreFlusher",
     "Flushed, sequenceid=%n[9000,9900000], memsize=%Z, hasBloomFilter=true, into tmp file "
     "%Q.tmp/%x"},
    {SPAN(E098, E17), 0, NULL, 'I', 'f', RS "HStore",
     "Added %Q%F/%x, entries=%n[2000,900000], sequenceid=%n[9000,9900000], filesize=%Z"},
    {SPAN(E098, E17), 0, "flush_finished", 'I', 'f', RS "HRegion",
     "Finished memstore flush of ~%B/%b, currentsize=%B/%b for region %R in %n[90,9000]ms, "
     "sequenceid=%n[9000,9900000], compaction requested=false"},
    {SPAN(E20, E21C), 30, "flush_started", 'I', 'f', RS "HRegion",
     "Flushing 1/1 column families, dataSize=%B heapSize=%B"},
    {FROM(E23), 30, "flush_started", 'I', 'f', RS "HRegion",
     "Flushing %E 1/1 column families, dataSize=%B heapSize=%B"},
    {FROM(E20), 0, NULL, 'I', 'f', RS "DefaultStoreFlusher",
     "Flushed memstore data size=%B at sequenceid=%n[9000,9900000] (bloomFilter=true), "
     "to=%Q.tmp/%F/%x"},
    {FROM(E20), 0, NULL, 'I', 'f', RS "HStore",
     "Added %Q%F/%x, entries=%n[2000,900000], sequenceid=%n[9000,9900000], filesize=%Z"},
    {FROM(E20), 0, "flush_finished", 'I', 'f', RS "HRegion",
     "Finished flush of dataSize ~%B/%b, heapSize ~%B/%b, currentSize=%B/%b for %E in "
     "%n[90,9000]ms, sequenceid=%n[9000,9900000], compaction requested=true"},

    /* ---- why they come, and what holds writers back */
    {UP_TO(E098), 6, "flush_requested", 'I', 'k', RS "HRegionServer",
     "%S-MemstoreFlusherChore requesting flush for region %R after a delay of %n[100,20000]"},
    {SPAN(E12, E12), 6, "flush_requested", 'I', 'k', RS "HRegionServer",
     "%S-MemstoreFlusherChore requesting flush of %R because %F has an old edit so flush to free "
     "WALs after random delay %n[100,299000]ms"},
    {SPAN(E14, E17), 6, "flush_requested", 'I', 'k', RS "HRegionServer",
     "%S-MemstoreFlusherChore requesting flush of %R because %F has an old edit so flush to free "
     "WALs after random delay %g[100,299000] ms"},
    {SPAN(E20, E24), 6, "flush_requested", 'I', 'k', RS "HRegionServer",
     "MemstoreFlusherChore requesting flush of %R because %F has an old edit so flush to free WALs "
     "after random delay %n[100,299000] ms"},
    {FROM(E25), 6, "flush_requested", 'I', 'k', RS "HRegionServer",
     "MemstoreFlusherChore requesting flush of %R because %E/%F has an old edit so flush to free "
     "WALs after random delay %n[100,299000] ms"},
    {FROM(E12), 1, "flush_requested", 'I', 'h', RS "RSRpcServices", "Flushing %R"},
    {UP_TO(E098), 2, "flush_pressure", 'I', 'f', RS "MemStoreFlusher",
     "Flush of region %R due to global heap pressure"},
    {SPAN(E12, E17), 2, "flush_pressure", 'I', 'f', RS "MemStoreFlusher",
     "Flush of region %R due to global heap pressure. Total Memstore size=%Z, Region memstore "
     "size=%Z"},
    {SPAN(E20, E21C), 2, "flush_pressure", 'I', 'f', RS "MemStoreFlusher",
     "Flush of region %R due to global heap pressure. Flush type=ABOVE_ONHEAP_LOWER_MARKTotal "
     "Memstore Heap size=%ZTotal Memstore Off-Heap size=0, Region memstore size=%Z"},
    {FROM(E23), 2, "flush_pressure", 'I', 'f', RS "MemStoreFlusher",
     "Flush of region %R due to global heap pressure. Flush type=ABOVE_ONHEAP_HIGHER_MARK, Total "
     "Memstore Heap size=%Z, Total Memstore Off-Heap size=0, Region memstore size=%Z"},
    {UP_TO(E17), 5, "flush_delayed", 'W', 'f', RS "MemStoreFlusher",
     "Region %R has too many store files; delaying flush up to 90000ms"},
    {FROM(E20), 5, "flush_delayed", 'W', 'f', RS "MemStoreFlusher",
     "%E has too many store files(%n[11,60]); delaying flush up to 90000 ms"},
    {ALL, 1, "flush_waited", 'I', 'f', RS "MemStoreFlusher",
     "Waited %n[90001,98000]ms on a compaction to clean up 'too many store files'; waited long "
     "enough... proceeding with flush of %R"},
    {UP_TO(E17), 1, "updates_blocked", 'I', 'h', RS "MemStoreFlusher",
     "Blocking updates on %S: the global memstore size %Z is >= than blocking %Z size"},
    {FROM(E20), 1, "updates_blocked", 'I', 'h', RS "MemStoreFlusher",
     "Blocking updates: global memstore heapsize %Z is >= blocking %Z"},
    {UP_TO(E12), 0, "updates_blocked", 'W', 'h', RS "MemStoreFlusher",
     "Memstore is above high water mark and block %n[1,30000]ms"},
    {FROM(E14), 0, "updates_blocked", 'W', 'h', RS "MemStoreFlusher",
     "Memstore is above high water mark and block %n[1,30000]ms"},
    {ALL, 0, "updates_unblocked", 'I', 'h', RS "MemStoreFlusher",
     "Unblocking updates for server %S"},
    {SPAN(E17, E17), 3, "region_too_busy", 'W', 'h', RS "HRegion",
     "Region is too busy due to exceeding memstore size "
     "limit.\norg.apache.hadoop.hbase.RegionTooBusyException: Above memstore limit, regionName=%R, "
     "server=%S, memstoreSize=%n[536870913,550000000], blockingMemStoreSize=536870912" TOO_BUSY},
    {FROM(E23), 3, "region_too_busy", 'W', 'h', RS "HRegion",
     "Region is too busy due to exceeding memstore size "
     "limit.\norg.apache.hadoop.hbase.RegionTooBusyException: Over memstore limit=512.0 M, "
     "regionName=%E, server=%S" TOO_BUSY},

    /* ---- compactions */
    {SPAN(E098, E17), 8, NULL, 'I', 'c', RS "HRegion", "Starting compaction on %F in region %R"},
    {SPAN(E098, E17), 0, "compaction_started", 'I', 'c', RS "HStore",
     "Starting compaction of %n[3,9] file(s) in %F of %R into tmpdir=%Q.tmp, totalSize=%Z"},
    {SPAN(E14, E17), 0, "compaction_throttled", 'I', 'c',
     "throttle.PressureAwareThroughputController",
     "%R#%F#compaction#%n[1,9000] average throughput is %t, slept %n[1,40] time(s) and total slept "
     "time is %n[90,30000] ms. 0 active operations remaining, total limit is %t"},
    {SPAN(E098, E17), 0, "compaction_finished", 'I', 'c', RS "HStore",
     "Completed compaction of %n[3,9] (all) file(s) in %F of %R into %x(size=%Z), total size for "
     "store is %Z. This selection was in queue for %d, and took %d to execute."},
    {SPAN(E098, E17), 0, "compaction_request_finished", 'I', 'c', RS "CompactSplitThread",
     "Completed compaction: Request = regionName=%R, storeName=%F, fileCount=3, fileSize=%Z (%Z, "
     "%Z, %Z), priority=%n[1,16], time=%n[90000000,90000000000]; duration=%d"},
    {UP_TO(E094), 8, "compaction_finished", 'I', 'c', RS "Store",
     "Completed major compaction of %n[3,9] file(s) in %F of %R into %x, size=%z; total size for "
     "store is %z"},
    {UP_TO(E094), 0, "compaction_request_finished", 'I', 'c', RS "compactions.CompactionRequest",
     "completed compaction: regionName=%R, storeName=%F, fileCount=3, fileSize=%z (%z, %z, %z), "
     "priority=%n[1,16], time=%n[90000000,90000000000]; duration=%d"},
    {FROM(E20), 8, NULL, 'I', 'c', RS "HRegion", "Starting compaction of %F in %R"},
    {FROM(E20), 0, "compaction_started", 'I', 'c', RS "HStore",
     "Starting compaction of [%l] into tmpdir=%Q.tmp, totalSize=%Z"},
    {FROM(E20), 0, NULL, 'I', 'c', "throttle.PressureAwareThroughputController",
     "%E#%F#compaction#%n[1,9000] average throughput is %t, slept 0 time(s) and total slept time "
     "is 0 ms. 0 active operations remaining, total limit is unlimited"},
    {SPAN(E20, E24), 0, "compaction_finished", 'I', 'c', RS "HStore",
     "Completed compaction of %n[3,9] (all) file(s) in %F of %E into %x(size=%Z), total size for "
     "store is %Z. This selection was in queue for %d, and took %d to execute."},
    {FROM(E25), 0, "compaction_finished", 'I', 'c', RS "HStore",
     "Completed major compaction of %n[3,9] file(s) in %E/%F of %E into %x(size=%Z), total size "
     "for store is %Z. This selection was in queue for %d, and took %d to execute."},
    {FROM(E20), 0, "compaction_request_finished", 'I', 'c', RS "CompactSplit",
     "Completed compaction region=%R, storeName=%F, priority=%n[1,16], startTime=%m; duration=%d"},
    {FROM(E12), 0, NULL, 'I', 'c', "backup.HFileArchiver",
     "Archived from FileableStoreFile, %Q%F/%x to "
     "hdfs://nn1.example.internal:8020/hbase/archive/data/%x/%F/%x"},
    {FROM(E20), 2, "compaction_throttled", 'I', 'c', "throttle.PressureAwareThroughputController",
     "%E#%F#compaction#%n[1,9000] average throughput is %t, slept %n[1,40] time(s) and total slept "
     "time is %n[90,30000] ms. %n[0,4] active operations remaining, total limit is %t"},
    {ALL, 1, NULL, 'I', 'c', RS "HStore",
     "Completed removal of %n[1,9] unnecessary (expired) file(s) in %F of %R; total size for store "
     "is %Z"},

    /* ---- write-ahead logs */
    {UP_TO(E094), 6, "wal_rolled", 'I', 'r', "wal.HLog",
     "Roll %W, entries=%n[100,90000], filesize=%n[9000000,130000000].  for %W"},
    {SPAN(E098, E17), 6, "wal_rolled", 'I', 'r', "wal.FSHLog",
     "Rolled WAL %W with entries=%n[100,90000], filesize=%B; new WAL %W"},
    {FROM(E20), 6, "wal_rolled", 'I', 'r', "wal.AbstractFSWAL",
     "Rolled WAL %W with entries=%n[100,90000], filesize=%B; new WAL %W"},
    {SPAN(E098, E17), 14, "wal_slow_sync", 'I', 's', "wal.FSHLog",
     "Slow sync cost: %n[101,4000] ms, current pipeline: %P"},
    {FROM(E20), 14, "wal_slow_sync", 'I', 's', "wal.AbstractFSWAL",
     "Slow sync cost: %n[101,4000] ms, current pipeline: %P"},
    {UP_TO(E098), 1, "wal_too_many", 'I', 'r', "wal.HLog",
     "Too many hlogs: logs=33, maxlogs=32; forcing flush of 2 regions(s): %E, %x"},
    {SPAN(E12, E17), 1, "wal_too_many", 'I', 'r', "wal.FSHLog",
     "Too many WALs; count=33, max=32; forcing flush of 2 regions(s): %E, %x"},
    {SPAN(E20, E23), 1, "wal_too_many", 'I', 'r', "wal.AbstractFSWAL",
     "Too many WALs; count=33, max=32; forcing flush of 2 regions(s): %E, %x"},
    {FROM(E24), 1, "wal_too_many", 'I', 'r', "wal.AbstractFSWAL",
     "Too many WALs; count=129, max=128; forcing (partial) flush of 2 region(s): %E[%F],%x[d,m]"},

    /* ---- pauses and sessions */
    {FROM(E098), 3, "pause", 'I', 'j', "util.JvmPauseMonitor",
     "Detected pause in JVM or host machine (eg GC): pause of approximately %n[1001,9000]ms\nGC "
     "pool 'G1 Young Generation' had collection(s): count=1 time=%n[1000,9000]ms"},
    {FROM(E098), 1, "pause", 'W', 'j', "util.JvmPauseMonitor",
     "Detected pause in JVM or host machine (eg GC): pause of approximately %n[10001,60000]ms\nNo "
     "GCs detected"},
    {ALL, 1, "slept", 'W', 'm', "util.Sleeper",
     "We slept %n[13000,90000]ms instead of 3000ms, this is likely due to a long garbage "
     "collecting pause and it's usually bad, see "
     "http://hbase.apache.org/book.html#trouble.rs.runtime.zkexpired"},
    {ALL, 2, NULL, 'I', 'z', "zookeeper.ClientCnxn",
     "Opening socket connection to server zk%n[1,3].example.internal/10.1.0.%n[11,13]:2181. Will "
     "not attempt to authenticate using SASL (unknown error)"},

    /* ---- regions */
    {FROM(E12), 2, NULL, 'I', 'o', RS "RSRpcServices", "Open %R"},
    {FROM(E23), 2, NULL, 'I', 'o', "handler.AssignRegionHandler", "Open %R"},
    {FROM(E20), 0, NULL, 'I', 'o', RS "HStore",
     "Store=%E/%F,  memstore type=DefaultMemStore, storagePolicy=NONE, verifyBulkLoads=false, "
     "parallelPutCountPrintThreshold=50, encoding=FAST_DIFF, compression=SNAPPY"},
    {FROM(E20), 0, "compaction_limits", 'I', 'o', "compactions.CompactionConfiguration",
     "size [minCompactSize:128 MB, maxCompactSize:8.00 EB, offPeakMaxCompactSize:8.00 EB); files "
     "[minFilesToCompact:3, maxFilesToCompact:10); ratio 1.200000; off-peak ratio 5.000000; "
     "throttle point 2684354560; major period 604800000, major jitter 0.500000, min locality to "
     "compact 0.000000; tiered compaction: max_age 9223372036854775807, incoming window min 6, "
     "compaction policy for tiered window "
     "org.apache.hadoop.hbase.regionserver.compactions.ExploringCompactionPolicy, single output "
     "for minor true, compaction window factory "
     "org.apache.hadoop.hbase.regionserver.compactions.ExponentialCompactionWindowFactory, region "
     "%E columnFamilyName %F"},
    {ALL, 0, NULL, 'I', 'o', RS "HRegion", "Onlined %E; next sequenceid=%n[9000,9900000]"},
    {SPAN(E23, E30), 0, NULL, 'I', 'o', RS "HRegionServer",
     "Post open deploy tasks for %R, pid=%n[900,90000], masterSystemTime=%m"},
    {FROM(E23), 0, "region_opened", 'I', 'o', "handler.AssignRegionHandler", "Opened %R"},
    {UP_TO(E21C), 2, "region_opened", 'I', 'o', RS "HRegionServer",
     "Post open deploy tasks for %R"},
    {ALL, 2, "flush_requested", 'I', 'x', RS "HRegion", "Running close preflush of %R"},
    {ALL, 0, "region_closed", 'I', 'x', RS "HRegion", "Closed %R"},

    /* ---- caches, scanners, calls */
    {UP_TO(E094), 4, "cache_stats", 'I', 'l', "hfile.LruBlockCache",
     "Stats: total=%B, free=%B, max=%B, blocks=%n[9000,90000], accesses=%n[900000,90000000], "
     "hits=%n[900000,9000000], hitRatio=%p, , cachingAccesses=%n[900000,90000000], "
     "cachingHits=%n[900000,9000000], cachingHitsRatio=%p, , evictions=%n[1,900], "
     "evicted=%n[100,900000], evictedPerRun=%n[1,9000].5"},
    {SPAN(E098, E24), 4, "cache_stats", 'I', 'l', "hfile.LruBlockCache",
     "totalSize=%B, freeSize=%B, max=%B, blockCount=%n[9000,90000], accesses=%n[900000,90000000], "
     "hits=%n[900000,9000000], hitRatio=%p, , cachingAccesses=%n[900000,90000000], "
     "cachingHits=%n[900000,9000000], cachingHitsRatio=%p, evictions=%n[1,900], "
     "evicted=%n[100,900000], evictedPerRun=%n[1,9000].5"},
    {FROM(E25), 4, "cache_stats", 'I', 'l', "hfile.LruBlockCache",
     "totalSize=%B, usedSize=%B, freeSize=%B, max=%B, blockCount=%n[9000,90000], "
     "accesses=%n[900000,90000000], hits=%n[900000,9000000], hitRatio=%p, , "
     "cachingAccesses=%n[900000,90000000], cachingHits=%n[900000,9000000], cachingHitsRatio=%p, "
     "evictions=%n[1,900], evicted=%n[100,900000], evictedPerRun=%n[1,9000].5"},
    {FROM(E12), 3, "cache_stats", 'I', 'b', "bucket.BucketCache",
     "failedBlockAdditions=%n[0,9], totalSize=%B, freeSize=%B, usedSize=%B, cacheSize=%B, "
     "accesses=%n[900,9000000], hits=%n[900,900000], IOhitsPerSecond=%n[1,9000], "
     "IOTimePerHit=0.04, hitRatio=%p, cachingAccesses=%n[900,9000000], cachingHits=%n[900,900000], "
     "cachingHitsRatio=%p, evictions=%n[0,9], evicted=%n[0,90000], evictedPerRun=%n[1,9000].0"},
    {UP_TO(E23), 2, "scanner_expired", 'I', 'e', RS "HRegionServer",
     "Scanner %i lease expired on region %R"},
    {FROM(E24), 2, "scanner_expired", 'I', 'e', RS "RSRpcServices",
     "Scanner lease %i expired clientIPAndPort=%c, userName=svc_orders, regionInfo=%R"},
    {SPAN(E14, E17), 2, "call_dropped", 'W', 'h', "ipc.RpcServer",
     "Drop timeout call: callId: %n[1,90000] service: ClientService methodName: Get size: 118 "
     "connection: %c deadline: %m param: region= %R, row=user%n[1000,9999] connection: %c"},
    {FROM(E20), 2, "call_dropped", 'W', 'h', "ipc.RpcServer",
     "Dropping timed out call: callId: %n[1,90000] service: ClientService methodName: Multi size: "
     "1.2 K connection: %c deadline: %m param: region= %R, for %n[1,900] action(s) and 1st row "
     "key=user%n[1000,9999] connection: %c"},
    {FROM(E098), 4, "client_gone", 'W', 'h', "ipc.RpcServer",
     "RpcServer.default.FPBQ.Fifo.handler=29,queue=2,port=16020: caught a ClosedChannelException, "
     "this means that the server /10.1.0.27:16020 was processing a request but the client went "
     "away. The error message was: null"},
    {FROM(E14), 2, "large_batch", 'W', 'h', RS "RSRpcServices",
     "Large batch operation detected (greater than 5000) (HBASE-18023). Requested Number of Rows: "
     "%n[5001,25000] Client: svc_orders//10.0.0.6 first region in multi=%R"},

    /* ---- chatter */
    {ALL, 5, NULL, 'I', 'k', "hbase.ScheduledChore",
     "Chore: CompactionChecker missed its start time"},
    {FROM(E12), 5, "heap_occupancy", 'I', 'k', RS "HeapMemoryManager",
     "heapOccupancyPercent 0.%n[60,99]123456 is now below the heap occupancy alarm watermark "
     "(0.95)"},
    {ALL, 12, NULL, 'I', 'k', RS "Replication",
     "Normal source for cluster 1: Total replicated edits: %n[9000,9900000], current progress: "
     "\nwalGroup [rs07.example.internal%%2C16020]: currently replicating from: %W at position: "
     "%n[1000,130000000]\n"},
    {ALL, 6, NULL, 'I', 'h', "security.Superusers",
     "Connection from %c port: %n[32768,60999] with version info: version: \"%V\" url: "
     "\"git://build.example.internal/hbase\" user: \"build\" src_checksum: \"%x\""},
    {FROM(E20), 10, NULL, 'I', 'h', "hbase.Server",
     "Connection from %c, version=%V, sasl=false, ugi=svc_orders (auth:SIMPLE), "
     "service=ClientService"},
    {ALL, 2, "hdfs_failed", 'W', 'f', "hdfs.DFSClient",
     "Connection failure: Failed to connect to /10.1.0.%n[21,33]:9866 for file %Q%F/%x for block "
     "BP-1183004441-10.1.0.2-1600000000000:blk_%n[1073741825,1079999999]_%n[1001,99999]:java.net."
     "ConnectException: Connection refused\njava.net.ConnectException: Connection refused\n\tat "
     "sun.nio.ch.SocketChannelImpl.checkConnect(Native Method)\n\tat "
     "sun.nio.ch.SocketChannelImpl.finishConnect(SocketChannelImpl.java:716)\n\tat "
     "org.apache.hadoop.net.SocketIOWithTimeout.connect(SocketIOWithTimeout.java:206)\n\tat "
     "org.apache.hadoop.hdfs.DFSInputStream.readWithStrategy(DFSInputStream.java:888)\n\tat "
     "java.io.DataInputStream.read(DataInputStream.java:149)\n\t... 21 more"},

    /* ---- a server starts */
    {ALL, 1, "server_version", 'I', 'm', "util.VersionInfo", "HBase %V"},
    {ALL, 0, "jvm", 'I', 'm', "util.ServerCommandLine",
     "vmInputArguments=[-Dproc_regionserver, -XX:OnOutOfMemoryError=kill, -Xmx32g, -XX:+UseG1GC, "
     "-XX:MaxGCPauseMillis=100, -XX:+ParallelRefProcEnabled, -Dhbase.log.dir=/var/log/hbase, "
     "-Dhbase.root.logger=INFO,RFA]"},
    {FROM(E20), 0, "call_queues", 'I', 'm', "ipc.RpcExecutor",
     "Instantiated default.FPBQ.Fifo with queueClass=class "
     "java.util.concurrent.LinkedBlockingQueue; numCallQueues=3, maxQueueLength=300, "
     "handlerCount=30"},
    {SPAN(E14, E17), 0, "call_queues", 'I', 'm', "ipc.RpcExecutor",
     "RpcExecutor  name  using fifo as call queue; numCallQueues=3; maxQueueLength=300; "
     "handlerCount=30"},
    {UP_TO(E17), 0, "heap_limits", 'I', 'm', RS "MemStoreFlusher",
     "globalMemStoreLimit=12.8 G, globalMemStoreLimitLowMark=12.2 G, maxHeap=32 G"},
    {FROM(E20), 0, "heap_limits", 'I', 'm', RS "MemStoreFlusher",
     "globalMemStoreLimit=12.8 G, globalMemStoreLimitLowMark=12.2 G, Offheap=false"},
    {ALL, 0, "server_started", 'I', 'm', RS "HRegionServer",
     "Serving as %S, RpcServer on rs07.example.internal/10.1.0.27:16020, sessionid=0x%X"},
};
const size_t gen_row_count = sizeof gen_rows / sizeof gen_rows[0];

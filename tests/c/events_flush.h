/* Lines about memstores and regions with what dx_events must make of them. Rows for test_events.c.
 * Each is logger, message, the lines behind it, and: kind, places (R region, E encoded, T table,
 * F family, S server), fields; NULL: no event. All are invented. */
#ifndef EVENTS_FLUSH_H
#define EVENTS_FLUSH_H

#define E1 "00112233445566778899aabbccddeeff"
#define E2 "ffeeddccbbaa99887766554433221100"
#define R1 "acme:bills,m\\x00, k=1. in x,1700000000001." E1 "."
#define S1 "rs7.example.net,16020,1700000000777"
#define W1 "R=" R1 " E=" E1 " T=acme:bills"

typedef struct row {
    const char *logger, *message, *rest, *want;
} row;

static const row flush[] = {
    /* 0.94 to 3.x: finished */
    {"org.apache.hadoop.hbase.regionserver.HRegion",
     "Finished memstore flush of ~64.5m/67633152, currentsize=1.0k/1024 for region " R1
     " in 210ms, sequenceid=12, compaction requested=false",
     "",
     "flush_finished " W1 " data_bytes=67633152 took_ms=210 sequence_id=12 "
     "compaction_requested=0"},
    {"regionserver.HRegion",
     "Finished memstore flush of ~64.50 MB/67633152, currentsize=0 B/0 for region "
     "hbase:meta,,1.1588230740 in 21ms, sequenceid=12, compaction requested=true; wal=null",
     "",
     "flush_finished R=hbase:meta,,1.1588230740 E=1588230740 T=hbase:meta data_bytes=67633152 "
     "took_ms=21 sequence_id=12 compaction_requested=1"},
    {"regionserver.HRegion",
     "Finished memstore flush; data size ~64 MB/67108864, heap size ~70.25 MB/73662464, "
     "currentsize=0 B/0 for " E1 " in 300ms, sequenceid=9, compaction requested=true",
     "",
     "flush_finished E=" E1 " data_bytes=67108864 heap_bytes=73662464 took_ms=300 "
     "sequence_id=9 compaction_requested=1"},
    {"o.a.h.h.regionserver.HRegion",
     "Finished flush of dataSize ~64 MB/67108864, heapSize ~70.25 MB/73662464, currentSize=5 B/5 "
     "for " E1 " in 300ms, sequenceid=9, compaction requested=false; wal=null",
     "",
     "flush_finished E=" E1 " data_bytes=67108864 heap_bytes=73662464 took_ms=300 "
     "sequence_id=9 compaction_requested=0"},
    /* started */
    {"HRegion", "Started memstore flush for " R1 ", current region memstore size 64.5m", "",
     "flush_started " W1 " data_bytes=67633152"},
    {"HRegion",
     "Started memstore flush for " R1 ", current region memstore size 64.50 MB; wal is null, using "
     "passed sequenceid=4",
     "", "flush_started " W1 " data_bytes=67633152"},
    {"HRegion",
     "Started memstore flush for " R1 ", current region memstore size 64.50 MB, and 1/3 column "
     "families' memstores are being flushed.",
     "", "flush_started " W1 " data_bytes=67633152 families=1 all_families=3"},
    {"HRegion", "Flushing 1/2 column families, memstore=64.50 MB; d=60.10 MB", "",
     "flush_started families=1 all_families=2 data_bytes=67633152"},
    {"HRegion",
     "Flushing 2/2 column families, memstore data size=64 MB memstore heap size=70.25 MB", "",
     "flush_started families=2 all_families=2 data_bytes=67108864 heap_bytes=73662464"},
    {"HRegion",
     "Flushing 1/2 column families, dataSize=64 MB heapSize=70.25 MB; d={dataSize=1 B, heapSize=2 "
     "B, offHeapSize=0 B}",
     "", "flush_started families=1 all_families=2 data_bytes=67108864 heap_bytes=73662464"},
    {"HRegion", "Flushing " E1 " 2/2 column families, dataSize=64 MB heapSize=70.25 MB", "",
     "flush_started E=" E1 " families=2 all_families=2 data_bytes=67108864 heap_bytes=73662464"},
    {"HRegion", "Flushing Column Family: d which was occupying 60.10 MB of memstore.", "", NULL},
    /* requested */
    {"HRegion", "Flush requested on " R1, "", "flush_requested " W1 " cause=size"},
    {"HRegion", "Flush requested on " E1, "", "flush_requested E=" E1 " cause=size"},
    {"HRegionServer",
     S1 "-MemstoreFlusherChore requesting flush for region " R1 " after a delay of 7400", "",
     "flush_requested " W1 " delay_ms=7400 cause=periodic"},
    {"HRegionServer",
     S1 "-MemstoreFlusherChore requesting flush of " R1
        " because d has an old edit so flush to free WALs after random delay 97412ms",
     "", "flush_requested " W1 " F=d delay_ms=97412 cause=periodic"},
    {"HRegionServer",
     S1 "-MemstoreFlusherChore requesting flush of " R1
        " because d has an old edit so flush to free WALs after random delay 97,412 ms",
     "", "flush_requested " W1 " F=d delay_ms=97412 cause=periodic"},
    {"HRegionServer",
     S1 "-MemstoreFlusherChore requesting flush of " R1
        " because d has an old edit so flush to free WALs after random delay 97\xE2\x80\xAF"
        "412 ms",
     "", "flush_requested " W1 " F=d delay_ms=97412 cause=periodic"},
    {"HRegionServer",
     "MemstoreFlusherChore requesting flush of " R1 " because " E1
     "/d has an old edit so flush to free WALs after random delay 412 ms",
     "", "flush_requested " W1 " F=d delay_ms=412 cause=periodic"},
    {"HRegionServer",
     "MemstoreFlusherChore requesting flush of " R1
     " because more than max edits, 30000012, since last flush after random delay 97.412 ms",
     "", "flush_requested " W1 " edits=30000012 delay_ms=97412 cause=max edits"},
    {"RSRpcServices", "Flushing " R1, "", "flush_requested " W1 " cause=admin"},
    {"HRegionServer", "Flushing " R1, "", "flush_requested " W1 " cause=admin"},
    {"RSRpcServices", "Flushing all of it", "", NULL},
    {"HRegion", "Running close preflush of " R1, "", "flush_requested " W1 " cause=close"},
    {"HRegion", "Running close preflush of {}" E1, "", "flush_requested E=" E1 " cause=close"},
    {"HRegion", "Running close preflush of " E1, "", "flush_requested E=" E1 " cause=close"},
    {"HRegion", "Running extra flush, 2 (carrying snapshot?) " R1, "",
     "flush_requested " W1 " cause=close"},
    {"snapshot.FlushSnapshotSubprocedure", "Flush Snapshotting region " R1 " started...", "",
     "flush_requested " W1 " cause=snapshot"},
    {"FlushSnapshotSubprocedure", "... Flush Snapshotting region " R1 " completed.", "", NULL},
    {"FlushRegionCallable", "Starting region operation on " R1, "",
     "flush_requested " W1 " cause=procedure"},
    /* delayed, failed */
    {"MemStoreFlusher", "Region " R1 " has too many store files; delaying flush up to 90000ms", "",
     "flush_delayed " W1 " up_to_ms=90000"},
    {"MemStoreFlusher", "Region " E1 " has too many store files; delaying flush up to 90000ms", "",
     "flush_delayed E=" E1 " up_to_ms=90000"},
    {"MemStoreFlusher", E1 " has too many store files(17); delaying flush up to 90000 ms", "",
     "flush_delayed E=" E1 " store_files=17 up_to_ms=90000"},
    {"MemStoreFlusher",
     "Under global heap pressure: Region " R1 " has too many store files, but is 2.0 M vs best "
     "flushable region's 1.1 M. Choosing the bigger.",
     "", NULL},
    {"MemStoreFlusher",
     "Waited 90123ms on a compaction to clean up 'too many store files'; waited long enough... "
     "proceeding with flush of " R1,
     "", "flush_waited " W1 " waited_ms=90123"},
    {"MemStoreFlusher", "Cache flush failed for region " R1, "java.io.IOException: no\n\tat x.y\n",
     "flush_failed " W1 " reason=java.io.IOException: no"},
    {"MemStoreFlusher", "Cache flush failed", "", "flush_failed"},
    /* pressure */
    {"MemStoreFlusher", "Flush of region " R1 " due to global heap pressure", "",
     "flush_pressure " W1},
    {"MemStoreFlusher",
     "Flush of region " R1 " due to global heap pressure. Total Memstore size=2 G, Region memstore "
     "size=1.5 M",
     "", "flush_pressure " W1 " total_bytes=2147483648 region_bytes=1572864"},
    {"MemStoreFlusher",
     "Flush of region " R1 " due to global heap pressure. Flush type=ABOVE_ONHEAP_LOWER_MARKTotal "
     "Memstore Heap size=2 GTotal Memstore Off-Heap size=0, Region memstore size=1.5 M",
     "",
     "flush_pressure " W1 " flush_type=ABOVE_ONHEAP_LOWER_MARK total_bytes=2147483648 "
     "offheap_bytes=0 region_bytes=1572864"},
    {"MemStoreFlusher",
     "Flush of region " R1 " due to global heap pressure. Flush type=ABOVE_OFFHEAP_LOWER_MARKTotal "
     "Memstore Heap size=0Total Memstore Off-Heap size=4 G, Region memstore size=1.5 M",
     "",
     "flush_pressure " W1 " flush_type=ABOVE_OFFHEAP_LOWER_MARK total_bytes=0 "
     "offheap_bytes=4294967296 region_bytes=1572864"},
    {"MemStoreFlusher",
     "Flush of region " R1
     " due to global heap pressure. Flush type=ABOVE_ONHEAP_HIGHER_MARK, Total "
     "Memstore Heap size=2 G, Total Memstore Off-Heap size=0, Region memstore size=1.5 M",
     "",
     "flush_pressure " W1 " flush_type=ABOVE_ONHEAP_HIGHER_MARK total_bytes=2147483648 "
     "offheap_bytes=0 region_bytes=1572864"},
    {"MemStoreFlusher",
     "Flush of region [name removed] due to global heap pressure. Total Memstore size=2 G, Region "
     "memstore size=1.5 M",
     "", "flush_pressure total_bytes=2147483648 region_bytes=1572864"},
};

static const row blocked[] = {
    {"MemStoreFlusher",
     "Blocking updates on " S1 ": the global memstore size 2 G is >= than blocking 1.5 G size", "",
     "updates_blocked S=" S1 " size_bytes=2147483648 limit_bytes=1610612736 what=global"},
    {"MemStoreFlusher",
     "Blocking updates on " S1 ": global memstore heapsize 2 G is >= than blocking 1.5 G size", "",
     "updates_blocked S=" S1 " size_bytes=2147483648 limit_bytes=1610612736 what=global"},
    {"MemStoreFlusher", "Blocking updates: global memstore heapsize 2,0 G is >= blocking 1,5 G", "",
     "updates_blocked size_bytes=2147483648 limit_bytes=1610612736 what=global"},
    {"MemStoreFlusher",
     "Blocking updates: the global offheap memstore datasize 2 G is >= blocking 1.5 G", "",
     "updates_blocked size_bytes=2147483648 limit_bytes=1610612736 what=global offheap"},
    {"MemStoreFlusher", "Memstore is above high water mark and block 5001ms", "",
     "updates_blocked blocked_ms=5001 what=global"},
    {"MemStoreFlusher", "Memstore is above high water mark and block 1001 ms", "",
     "updates_blocked blocked_ms=1001 what=global"},
    {"MemStoreFlusher", "Unblocking updates for server " S1, "", "updates_unblocked S=" S1},
    {"HRegion",
     "Blocking updates for 'IPC Server handler 5 on 60020' on region " R1
     ": memstore size 2.5m is >= than blocking 2.0m size",
     "", "updates_blocked " W1 " size_bytes=2621440 limit_bytes=2097152 what=region"},
    {"HRegion", "Unblocking updates for region " R1 " 'IPC Server handler 5 on 60020'", "",
     "updates_unblocked " W1},
    /* turned away, as the server tells it */
    {"HRegion", "Region is too busy due to exceeding memstore size limit.",
     "org.apache.hadoop.hbase.RegionTooBusyException: Over memstore limit=256.0 M, regionName=" E1
     ", server=" S1 "\n\tat org.apache.Something(Something.java:3)\n",
     "region_too_busy E=" E1 " S=" S1 " reason=memstore seen_by=server limit_bytes=268435456"},
    {"HRegion", "Region is too busy due to exceeding memstore size limit.",
     "RegionTooBusyException: Over memstore limit=256,0 M, regionName=" E1 ", server=" S1,
     "region_too_busy E=" E1 " S=" S1 " reason=memstore seen_by=server limit_bytes=268435456"},
    {"HRegion", "Region is too busy due to exceeding memstore size limit.",
     "RegionTooBusyException: Over memstore limit; regionName=" E1 ", server=" S1
     ", blockingMemStoreSize=256.0 M",
     "region_too_busy E=" E1 " S=" S1 " reason=memstore seen_by=server limit_bytes=268435456"},
    {"HRegion", "Region is too busy due to exceeding memstore size limit.",
     "RegionTooBusyException: Above memstore limit, regionName=" R1 ", server=" S1
     ", memstoreSize=270000000, blockingMemStoreSize=268435456",
     "region_too_busy " W1 " S=" S1
     " reason=memstore seen_by=server size_bytes=270000000 limit_bytes=268435456"},
    {"HRegion", "Region is too busy due to exceeding memstore size limit.", "",
     "region_too_busy reason=memstore seen_by=server"},
    {"HRegion", "Region is too busy to allow lock acquisition.",
     "org.apache.hadoop.hbase.RegionTooBusyException: Failed to obtain lock; regionName=" E1
     ", server=" S1 "\n\tat x",
     "region_too_busy E=" E1 " S=" S1 " reason=lock seen_by=server"},
    /* and as a client does */
    {"o.a.h.h.client.AsyncProcess",
     "#7, table=acme:bills, attempt=3/35 failed=9ops, last exception: "
     "org.apache.hadoop.hbase.RegionTooBusyException: org.apache.hadoop.hbase."
     "RegionTooBusyException: Above memstore limit, regionName=" R1 ", server=" S1
     ", memstoreSize=270000000, blockingMemStoreSize=268435456",
     "\tat x.y(z)\n",
     "region_too_busy " W1 " S=" S1
     " reason=memstore seen_by=client size_bytes=270000000 limit_bytes=268435456 attempt=3 "
     "ops=9"},
    {"client.AsyncProcess",
     "#7, table=bills, attempt=12/35 failed 21 ops, last exception: x.RegionTooBusyException: "
     "Over memstore limit=256.0M, regionName=" E1 ", server=" S1,
     "",
     "region_too_busy E=" E1 " T=bills S=" S1
     " reason=memstore seen_by=client limit_bytes=268435456 attempt=12 ops=21"},
    {"com.acme.Writer", "put failed",
     "Caused by: RegionTooBusyException: failed to get a lock in 60000 ms. regionName=" R1
     ", server=" S1 "\n\tat x\n",
     "region_too_busy " W1 " S=" S1 " reason=lock seen_by=client"},
    {"", "",
     "x.RegionTooBusyException: Above memstore limit, regionName=bills,,<region>, "
     "server=<host>,160\n20,1700000000777, memstoreSize=20, blockingMemStoreSize=5\n",
     "region_too_busy T=bills reason=memstore seen_by=client size_bytes=20 limit_bytes=5"},
    {"com.acme.Writer", "Failed 3 actions: RegionTooBusyException: 3 times,", "",
     "region_too_busy seen_by=client ops=3"},
    {"com.acme.Writer", "it Failed often",
     "Caused by: X: Failed 99999999999 actions: RegionTooBusyException: 3 times,",
     "region_too_busy seen_by=client"},
    {"com.acme.Writer", "Failed 3 actions", "Caused by: RegionTooBusy", NULL},
};

#endif

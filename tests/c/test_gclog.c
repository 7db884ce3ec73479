/* Pauses of each collector in the logs of each JDK, with what makes them hard to read: records over
 * several lines and cut through, two meanings of a stamp, missing clocks, decimal commas. */
#include "gclog_seen.h"

/* --- JDK 8: young collections */

static void test_parnew(void) {
    gives(T0 "[GC (Allocation Failure) " T0
             "[ParNew: 81920K->8192K(92160K), 0.0204080 secs] 204800K->133120K(1048576K), "
             "0.0206090 secs] [Times: user=0.15 sys=0.02, real=0.02 secs] \n",
          "young" AT0 " took=20.609 by=ParNew cause=Allocation Failure before=204800K "
          "after=133120K total=1048576K user=150 sys=20\n",
          "ParNew: the outer heap and the outer duration");
    gives("2031-03-04T07:06:07.890+0200: [GC (GCLocker Initiated GC) "
          "2031-03-04T07:06:07.890+0200: [ParNew: 81920K->8192K(92160K), 0,0204080 secs] "
          "204800K->133120K(1048576K), 0,0206090 secs] [Times: user=0,15 sys=0,02, real=0,02 "
          "secs]\n",
          "young at=1930367167890 took=20.609 by=ParNew cause=GCLocker Initiated GC "
          "before=204800K after=133120K total=1048576K user=150 sys=20\n",
          "a date alone, its zone, decimal commas");
    is_int(facts.zone_ms, 7200000, "the zone");
    gives("512,250: [GC 512,250: [ParNew: 81920K->8192K(92160K), 0,0204080 secs] "
          "204800K->133120K(1048576K), 0,0206090 secs]\n",
          "young up=512250 took=20.609 by=ParNew before=204800K after=133120K total=1048576K\n",
          "the uptime alone, no cause, no times");
    gives("[GC (Allocation Failure)  9216K->1024K(31744K), 0.0031000 secs]\n",
          "young took=3.1 cause=Allocation Failure before=9216K after=1024K total=31744K\n",
          "no stamp and no details");
    gives("2031-03-04T05:06:07.890+0000: 512.250: [GC (Allocation Failure)  "
          "9216K->1024K(31744K), 25788.3097757 secs]\n",
          "young" AT0 " took=2.578831e+07 cause=Allocation Failure before=9216K after=1024K "
          "total=31744K\n",
          "seven hours are not too long");
}

static void test_between(void) {
    gives("{Heap before GC invocations=7 (full 0):\n"
          " par new generation   total 92160K, used 81920K [0x00000006c0000000, "
          "0x00000006c6400000, 0x00000006c6400000)\n" T0 "[GC (Allocation Failure) " T0 "[ParNew\n"
          "Desired survivor size 5242880 bytes, new threshold 6 (max 6)\n"
          "- age   1:    1048576 bytes,    1048576 total\n"
          ": 81920K->8192K(92160K), 0.0204080 secs] 204800K->133120K(1048576K), 0.0206090 secs] "
          "[Times: user=0.15 sys=0.02, real=0.02 secs]\n"
          "Heap after GC invocations=8 (full 0):\n"
          " par new generation   total 92160K, used 8192K [0x00000006c0000000, "
          "0x00000006c6400000, 0x00000006c6400000)\n}\n",
          "young" AT0 " took=20.609 by=ParNew cause=Allocation Failure before=204800K "
          "after=133120K total=1048576K user=150 sys=20\n",
          "ages of survivors and addresses stand in between");
    gives(T0 "[GC pause (G1 Evacuation Pause) (young)\n"
             "Desired survivor size 5242880 bytes, new threshold 15 (max 15)\n"
             " 512.250: [G1Ergonomics (CSet Construction) start choosing CSet, _pending_cards: 9, "
             "predicted base time: 5.10 ms, target pause time: 100.00 ms]\n"
             ", 0.0412000 secs]\n"
             "   [Parallel Time: 15.1 ms, GC Workers: 2]\n"
             "      [GC Worker Start (ms): Min: 512250.1, Avg: 512250.2]\n"
             "   [Eden: 64.0M(64.0M)->0.0B(60.0M) Survivors: 4096.0K->8192.0K Heap: "
             "96.0M(1.0G)->30.5M(1.0G)]\n"
             "Heap after GC invocations=3 (full 0):\n"
             " garbage-first heap   total 1048576K, used 31232K [0x00000006c0000000, "
             "0x00000006c6400000)\n}\n"
             " [Times: user=0.07 sys=0.00, real=0.04 secs] \n",
          "young" AT0 " took=41.2 by=G1 cause=G1 Evacuation Pause before=98304K after=31232K "
          "total=1048576K user=70 sys=0\n",
          "G1's decisions stand before the duration, the heap behind it");
}

static void test_lost(void) {
    gives(T0 "[GC concurrent-mark-start]\n"
             " 600.125: [G1Ergonomics (CSet Construction) start choosing CSet, _pending_cards: 9]\n"
             " 600.126: [G1Ergonomics (CSet Construction) finish choosing CSet, eden: 4 re\n"
             "gions, old: 0 regions]\n"
             ", 0.0644085 secs]\n"
             "   [Parallel Time: 52.2 ms, GC Workers: 8]\n",
          "unknown at=1930367255765 up=600125 took=64.4085\n",
          "a duration without a head counts, from about its first words on");
    gives(T0 "[GC pause (G1 Evacuation Pause) (young) (initial-mark)\n...\n" T0
             "[GC concurrent-root-region-scan-start]\n" T0 "[GC remark " T0
             "[Finalize Marking, 0.0012 secs] " T0 "[GC ref-proc, 0.00\n41234 secs] " T0
             "[Unloading, 0.0112345 secs], 0.0191000 secs]\n"
             " [Times: user=0.11 sys=0.00, real=0.02 secs]\n" T0
             "[GC cleanup 900M->800M(1G), 0.0081000 secs]\n",
          "initial mark" AT0 " by=G1 cause=G1 Evacuation Pause\n"
          "remark" AT0 " took=19.1 by=G1 user=110 sys=0\n"
          "cleanup" AT0 " took=8.1 by=G1 before=921600K after=819200K total=1048576K\n",
          "a head without a duration is a pause of unknown length");
    gives(T0 "[GC (Allocation Failure) " T0 "[ParNew: 81920K->81",
          "young" AT0 " by=ParNew cause=Allocation Failure\n", "the log breaks off");
}

static void test_parallel(void) {
    gives(T0 "[GC (Allocation Failure) [PSYoungGen: 65536K->8192K(74752K)] "
             "131072K->73728K(1048576K), 0.0100000 secs] [Times: user=0.03 sys=0.00, real=0.01 "
             "secs]\n" T0 "[GC (Allocation Failure) --[PSYoungGen: 65536K->65536K(74752K)] "
             "1013760K->1043456K(1048576K), 0.2000000 secs]\n" T0
             "[Full GC (Ergonomics) [PSYoungGen: 8192K->0K(74752K)] [ParOldGen: "
             "973824K->409600K(973824K)] 982016K->409600K(1048576K), [Metaspace: "
             "20480K->20480K(1069056K)], 2.5000000 secs] [Times: user=4.20 sys=0.10, real=2.50 "
             "secs]\n",
          "young" AT0 " took=10 by=Parallel cause=Allocation Failure before=131072K after=73728K "
          "total=1048576K user=30 sys=0\n"
          "young" AT0 " took=200 by=Parallel cause=Allocation Failure failure=promotion failed "
          "before=1013760K after=1043456K total=1048576K\n"
          "full" AT0 " took=2500 by=Parallel cause=Ergonomics before=982016K after=409600K "
          "total=1048576K user=4200 sys=100\n",
          "Parallel: young, without room, full");
    gives("3.5: [Full GC (System.gc()) 3.5: [Tenured: 512K->400K(10944K), 0.0050000 secs] "
          "1500K->400K(15872K), [Metaspace: 2048K->2048K(1056768K)], 0.0051000 secs] [Times: "
          "user=0.00 sys=0.00, real=0.01 secs]\n",
          "full up=3500 took=5.1 by=Serial cause=System.gc() before=1500K after=400K total=15872K "
          "user=0 sys=0\n",
          "Serial; a cause with parentheses");
}

/* --- JDK 8: CMS, G1 */

static void test_cms(void) {
    gives(T0 "[GC (CMS Initial Mark) [1 CMS-initial-mark: 700000K(900000K)] 750000K(1048576K), "
             "0.0029000 secs] [Times: user=0.02 sys=0.00, real=0.00 secs]\n" T0
             "[CMS-concurrent-mark-start]\n" T0
             "[CMS-concurrent-mark: 0.812/0.815 secs] [Times: user=3.20 sys=0.02, real=0.82 "
             "secs]\n"
             " CMS: abort preclean due to time " T0
             "[CMS-concurrent-abortable-preclean: 4.012/5.022 secs] [Times: user=5.10 sys=0.02, "
             "real=5.02 secs]\n" T0 "[GC (CMS Final Remark) [YG occupancy: 41234 K (92160 K)]" T0
             "[Rescan (parallel) , 0.0312 secs]" T0 "[weak refs processing, 0.0001 secs][1 "
             "CMS-remark: 700000K(900000K)] 741234K(1048576K), 0.0485000 secs] [Times: user=0.41 "
             "sys=0.01, real=0.05 secs]\n",
          "initial mark" AT0 " took=2.9 by=CMS cause=CMS Initial Mark after=750000K total=1048576K "
          "user=20 sys=0\n"
          "remark" AT0 " took=48.5 by=CMS cause=CMS Final Remark after=741234K total=1048576K "
          "user=410 sys=10\n",
          "a CMS cycle: its two pauses, and nothing that is concurrent");
    gives("40.5: [GC [1 CMS-initial-mark: 700000K(900000K)] 750000K(1048576K), 0.0007000 secs]\n"
          "41.5: [GC[YG occupancy: 645 K (5568 K)]41.5: [Rescan (parallel) , 0.002 secs]41.5: "
          "[weak refs processing, 0.0027 secs] [1 CMS-remark: 700000K(900000K)] "
          "700645K(1048576K), 0.0049000 secs]\n",
          "initial mark up=40500 took=0.7 by=CMS after=750000K total=1048576K\n"
          "remark up=41500 took=4.9 by=CMS after=700645K total=1048576K\n",
          "the same of JDK 6");
    gives(T0 "[GC (Allocation Failure) " T0
             "[ParNew (promotion failed): 81920K->81920K(92160K), 0.5000000 secs]" T0 "[CMS" T0
             "[CMS-concurrent-mark: 9.643/9.647 secs] [Times: user=20.10 sys=0.41, real=9.65 "
             "secs]\n"
             " (concurrent mode failure): 900000K->500000K(900000K), 12.7000000 secs] "
             "980000K->500000K(1048576K), [Metaspace: 20480K->20480K(1069056K)], 13.2500000 secs] "
             "[Times: user=13.90 sys=0.31, real=13.25 secs]\n",
          "full" AT0 " took=13250 by=CMS cause=Allocation Failure failure=concurrent mode failure "
          "before=980000K after=500000K total=1048576K user=13900 sys=310\n",
          "a concurrent mode failure over two lines is one pause");
    gives(T0 "[GC (Allocation Failure) " T0
             "[ParNew (promotion failed): 81920K->81920K(92160K), 0.5 secs]" T0
             "[CMS: 900000K->500000K(900000K), 3.1 secs] 980000K->500000K(1048576K), [CMS Perm : "
             "20480K->20480K(34000K)], 3.6000000 secs]\n",
          "full" AT0 " took=3600 by=CMS cause=Allocation Failure failure=promotion failed "
          "before=980000K after=500000K total=1048576K\n",
          "a failed promotion, with a permanent generation");
}

static void test_g1(void) {
    gives(T0 "[GC pause (G1 Evacuation Pause) (mixed) (to-space exhausted), 1.8000000 secs]\n"
             "   [Parallel Time: 400.1 ms, GC Workers: 8]\n"
             "   [Other: 1399.0 ms]\n"
             "      [Evacuation Failure: 1312.3 ms]\n"
             "   [Eden: 512.0M(512.0M)->0.0B(400.0M) Survivors: 32.0M->0.0B Heap: "
             "1000.0M(1024.0M)->990,5M(1024.0M)]\n"
             " [Times: user=9.12 sys=0.80, real=1.80 secs] \n" T0
             "[GC pause (G1 Humongous Allocation) (young) (initial-mark), 0.0390000 secs]\n" T0
             "[GC concurrent-mark-end, 2.0012345 secs]\n" T0
             "[GC pause (young) (to-space overflow), 0.5 secs]\n" T0
             "[Full GC (Allocation Failure)  990M->415M(1G), 10.1760410 secs]\n"
             "   [Eden: 0.0B(81.0M)->0.0B(409.0M) Survivors: 0.0B->0.0B Heap: "
             "990.5M(1024.0M)->415.2M(1024.0M)], [Metaspace: 61234K->61200K(1105920K)]\n"
             " [Times: user=14.10 sys=0.41, real=10.18 secs] \n" T0 "[GC concurrent-mark-abort]\n",
          "mixed" AT0 " took=1800 by=G1 cause=G1 Evacuation Pause failure=evacuation failure "
          "before=1024000K after=1014272K total=1048576K evacuation=1312.3 user=9120 sys=800\n"
          "initial mark" AT0 " took=39 by=G1 cause=G1 Humongous Allocation\n"
          "young" AT0 " took=500 by=G1 failure=evacuation failure\n"
          "full" AT0 " took=10176.04 by=G1 cause=Allocation Failure before=1014272K after=425164K "
          "total=1048576K user=14100 sys=410\n",
          "G1: mixed, no space, initial mark, full; the heap to its digits");
    gives("8.5: [GC pause (G1 Evacuation Pause) (young)8.6: [GC concurrent-root-region-scan-end, "
          "0.0081234 secs]\n8.6: [GC concurrent-mark-start]\n, 0.2864000 secs]\n",
          "young up=8500 took=286.4 by=G1 cause=G1 Evacuation Pause\n",
          "concurrent entries cut a pause in two");
    gives(" 3.614: [GC concurrent-string-deduplication, 35.2K->1184.0B(34.1K), avg 96.7%, "
          "0.0001139 secs]\n",
          "", "concurrent work with a heap and seconds is no pause");
}

static void test_safepoint_old(void) {
    gives(T0 "[GC (Allocation Failure)  9216K->1024K(31744K), 0.0100000 secs]\n"
             "2031-03-04T05:06:07.902+0000: 512.262: Total time for which application threads were "
             "stopped: 0.0125000 seconds, Stopping threads took: 0.0001234 seconds\n"
             "2031-03-04T05:06:09.902+0000: 514.262: Total time for which application threads were "
             "stopped: 1,5000000 seconds\n",
          "young" AT0 " took=10 stopped=12.5 cause=Allocation Failure before=9216K after=1024K "
          "total=31744K\n"
          "safepoint at=1930367168402 up=512762 took=1500 stopped=1500\n",
          "the safepoint around a collection is the same pause; its stamp is the end");
}

/* --- unified logging */

static void test_unified(void) {
    gives("[2031-03-04T05:05:00.000+0000][0.003s][info][gc] Using G1\n" U0
          "[gc,start    ] GC(7) Pause Young (Normal) (G1 Evacuation Pause)\n" U0
          "[gc,phases   ] GC(7)   Pre Evacuate Collection Set: 0.3ms\n" U1
          "[gc,heap     ] GC(7) Eden regions: 256->0(250)\n" U1
          "[gc          ] GC(7) Pause Young (Normal) (G1 Evacuation Pause) 900M->700M(1024M) "
          "31.234ms\n" U1 "[gc,cpu      ] GC(7) User=0.40s Sys=0.01s Real=0.03s\n",
          "young" AT0 " took=31.234 by=G1 cause=G1 Evacuation Pause before=921600K after=716800K "
          "total=1048576K user=400 sys=10\n",
          "G1: the stamp is the end, the start line tells the start");
    gives("[0.041s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 8M->3M(160M) "
          "3.322ms\n",
          "young up=38 took=3.322 by=G1 cause=G1 Evacuation Pause before=8192K after=3072K "
          "total=163840K\n",
          "without a start line: the duration before its end; no wall clock");
    gives("[1930367167890ms][512250ms] GC(1) Pause Full (System.gc()) 900M->700M(1024M) 1,5ms\n",
          "full at=1930367167888 up=512248 took=1.5 cause=System.gc() before=921600K after=716800K "
          "total=1048576K\n",
          "other decorators, no tags");
    gives("GC(1) Pause Remark 109M->108M(160M) 0.389ms\n",
          "remark took=0.389 before=111616K after=110592K total=163840K\n", "no decorators at all");
}

static void test_unified_g1(void) {
    gives("[1.500s][info][gc          ] GC(5) To-space exhausted\n"
          "[1.500s][info ][gc             ] GC(5) Pause Young (Concurrent Start) (G1 Humongous "
          "Allocation) 900M->890M(1024M) 500.000ms\n"
          "[1.500s][warning][gc] GC(6) Concurrent Mark Cycle\n"
          "[1.600s][info ][gc,start] GC(7) Pause Young (Mixed) (G1 Evacuation Pause)\n"
          "[1.700s][info ][gc,marking] GC(6) Concurrent Mark Cycle 31.001ms\n"
          "[1.700s][info ][gc] GC(7) Pause Young (Mixed) (G1 Evacuation Pause) (Evacuation "
          "Failure: Allocation) 900M->890M(1024M) 99.5ms\n"
          "[1.800s][info ][gc] GC(8) Pause Young (Prepare Mixed) (G1 Preventive Collection) "
          "(Evacuation Failure: Pinned) 9M->8M(10M) 1ms\n"
          "[1.900s][info ][gc,ergo] Attempting full compaction\n"
          "[2.000s][info ][gc] GC(9) Pause Full (G1 Compaction Pause) 157M->84M(160M) 50ms\n"
          "[2.000s][info ][gc] GC(6) Concurrent Mark Abort\n"
          "[2.000s][info ][gc] GC(6) Pause Cleanup 110M->109M(160M) 0.046ms\n",
          "initial mark up=1000 took=500 by=G1 cause=G1 Humongous Allocation failure=evacuation "
          "failure before=921600K after=911360K total=1048576K\n"
          "mixed up=1600 took=99.5 by=G1 cause=G1 Evacuation Pause failure=evacuation failure "
          "before=921600K after=911360K total=1048576K\n"
          "young up=1799 took=1 by=G1 cause=G1 Preventive Collection before=9216K after=8192K "
          "total=10240K\n"
          "full up=1950 took=50 by=G1 cause=G1 Compaction Pause before=160768K after=86016K "
          "total=163840K\n"
          "cleanup up=2000 took=0.046 by=G1 before=112640K after=111616K total=163840K\n",
          "G1 in JDK 11 to 25: kinds, failures, interleaved ids");
}

static void test_unified_others(void) {
    gives("[0.079s][info][gc,start    ] GC(0) Pause Young (Allocation Failure)\n"
          "[0.090s][info][gc,heap     ] GC(0) PSYoungGen: 40960K(47616K)->6652K(47616K) Eden: "
          "40960K(40960K)->0K(40960K)\n"
          "[0.090s][info][gc          ] GC(0) Pause Young (Allocation Failure) 40M->13M(153M) "
          "11.611ms\n"
          "[0.206s][info][gc] GC(1) Pause Full (Ergonomics) 117M->64M(142M) 7.419ms\n",
          "young up=79 took=11.611 by=Parallel cause=Allocation Failure before=40960K "
          "after=13312K total=156672K\n"
          "full up=199 took=7.419 by=Parallel cause=Ergonomics before=119808K after=65536K "
          "total=145408K\n",
          "Parallel");
    gives("[0.1s][info][gc] Using Shenandoah\n"
          "[0.2s][info][gc] GC(0) Pause Init Mark (unload classes) 0.047ms\n"
          "[0.3s][info][gc] GC(0) Concurrent marking (unload classes) 6.5ms\n"
          "[0.4s][info][gc] GC(0) Pause Final Mark (unload classes) 0.084ms\n"
          "[0.5s][info][gc] GC(0) Pause Init Update Refs 0.010ms\n"
          "[0.6s][info][gc,thread] Cancelling GC: Allocation Failure\n"
          "[0.7s][info][gc,start] GC(1) Pause Degenerated GC (Mark)\n"
          "[0.8s][info][gc] GC(1) Pause Degenerated GC (Mark) 242M->93M(256M) 99.5ms\n",
          "initial mark up=200 took=0.047 by=Shenandoah cause=unload classes\n"
          "remark up=400 took=0.084 by=Shenandoah cause=unload classes\n"
          "phase up=500 took=0.01 by=Shenandoah cause=Init Update Refs\n"
          "degenerated up=700 took=99.5 by=Shenandoah cause=Mark before=247808K after=95232K "
          "total=262144K\n",
          "Shenandoah");
    gives("[0.1s][info][gc] Using Concurrent Mark Sweep\n"
          "[0.2s][info][gc] GC(1) Pause Initial Mark 5M->5M(15M) 0.3ms\n"
          "[0.3s][info][gc] GC(1) Concurrent Mark 20ms\n",
          "initial mark up=200 took=0.3 by=CMS before=5120K after=5120K total=15360K\n",
          "CMS in JDK 11");
}

static void test_unified_z(void) {
    gives("[0.216s][info][gc,start    ] GC(0) Garbage Collection (Warmup)\n"
          "[0.216s][info][gc,phases   ] GC(0) Pause Mark Start 0.011ms\n"
          "[0.220s][info][gc,phases   ] GC(0) Concurrent Mark 21.5ms\n"
          "[0.240s][info][gc,phases   ] GC(0) Pause Mark End 0.015ms\n"
          "[0.247s][info][gc,phases   ] GC(0) Pause Relocate Start 0.008ms\n"
          "[0.260s][info][gc          ] GC(0) Garbage Collection (Warmup) 138M(54%)->102M(40%)\n"
          "[0.311s][info][gc          ] Allocation Stall (RpcServer.handler=3 (x)) 57.828ms\n",
          "initial mark up=216 took=0.011 by=ZGC\n"
          "remark up=240 took=0.015 by=ZGC\n"
          "phase up=247 took=0.008 by=ZGC cause=Relocate Start\n"
          "stall up=253 took=57.828 by=ZGC cause=Allocation Stall thread=RpcServer.handler=3 (x)\n",
          "ZGC: its collections are concurrent, its stalls are of a thread");
    gives("[0.275s][info][gc] GC(3) Minor Collection (Allocation Rate)\n"
          "[0.277s][info][gc,phases] GC(3) y: Pause Mark Start 0.011ms\n"
          "[0.284s][info][gc,phases] GC(3) Y: Pause Mark End 0.012ms\n"
          "[0.290s][info][gc,phases] GC(3) O: Pause Relocate Start (Major) 0.02ms\n"
          "[0.298s][info][gc] GC(3) Minor Collection (Allocation Rate) 104M(41%)->104M(41%) "
          "0.023s\n",
          "initial mark up=277 took=0.011 by=ZGC\n"
          "remark up=284 took=0.012 by=ZGC\n"
          "phase up=290 took=0.02 by=ZGC cause=Relocate Start\n",
          "generational ZGC");
}

static void test_safepoint(void) {
    gives("[5.003s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 8M->3M(160M) 3ms\n"
          "[5.003s][info][safepoint   ] Safepoint \"G1CollectForAllocation\", Time since last: "
          "36178899 ns, Reaching safepoint: 3885 ns, Cleanup: 3696 ns, At safepoint: 3027566 ns, "
          "Total: 3535147 ns\n"
          "[6.000s][info][safepoint   ] Safepoint \"ThreadDump\", Time since last: 508247 ns, "
          "Reaching safepoint: 250000000 ns, At safepoint: 10 ns, Total: 250000010 ns\n"
          "[6.500s][info][safepoint] Application time: 1.0002 seconds\n"
          "[7.000s][info][safepoint] Total time for which application threads were stopped: 0.5 "
          "seconds, Stopping threads took: 0.4 seconds\n",
          "young up=5000 took=3 stopped=3.535147 by=G1 cause=G1 Evacuation Pause before=8192K "
          "after=3072K total=163840K\n"
          "safepoint up=5750 took=250 stopped=250 cause=ThreadDump\n"
          "safepoint up=6500 took=500 stopped=500\n",
          "safepoints of JDK 17 and 11");
    gives("[5.004s][info][safepoint] Total time for which application threads were stopped: "
          "0.0041000 seconds, Stopping threads took: 0.0001 seconds\n"
          "[5.004s][info][gc] GC(0) Pause Young (Allocation Failure) 8M->3M(160M) 3ms\n",
          "young up=5001 took=3 stopped=4.1 cause=Allocation Failure before=8192K after=3072K "
          "total=163840K\n",
          "a safepoint that is told before its collection");
}

/* --- what is none, and what is broken */

static void test_strange(void) {
    gives("OpenJDK 64-Bit Server VM (25.402-b06) for linux-amd64 JRE (1.8.0_402-b06), built on x\n"
          "CommandLine flags: -XX:+PrintGC\n\n[]\n[\n]]]]\nGC(\nGC(99999999999999999999) Pause\n"
          "[GC Worker Start (ms): Min: 1]\n   [Eden: x]\n, 5 secs\n",
          "", "headers, and lines of nothing");
    gives("[1.0s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 8M->3M(160M) ms\n"
          "[1.0s][info][gc] Allocation Stall (x)\n"
          "[1.0s][info][safepoint] Safepoint \"X\", Total: y ns\n"
          "1.0: [GC (Allocation Failure)  9216K->1024K(31744K)]\n"
          "1.0: Total time for which application threads were stopped: -\n",
          "skip GC pause without a duration\nskip stall without a duration\n"
          "skip safepoint without a duration\nskip GC record without a duration\n"
          "skip safepoint without a duration\n",
          "what lacks its duration is told");
}

static void test_is(void) {
    static const char *const gc[] = {T0 "[GC (Allocation Failure) ",
                                     "8,5: [Full GC (x)",
                                     "[GC 5: [ParNew",
                                     T0 "[CMS-concurrent-",
                                     "[0.003s][info][gc] Using G1",
                                     "[0.003s][info][safepoint   ] x",
                                     "GC(3) Pause",
                                     "[2031-03-04T05:06:07.890+0000] GC(173) Old",
                                     "CommandLine flags: -XX",
                                     T0 "Total time for which application threads were stopped: 1"};
    static const char *const other[] = {"2031-03-04 05:06:07,890 INFO  [main] util.X: [GC (x)",
                                        "2031-03-04T05:06:07,890 INFO  [main] util.X: GC(1) Pause",
                                        "GC pool 'ParNew' had collection(s): count=1 time=48250ms",
                                        "[INFO] x",
                                        "[info] x",
                                        "",
                                        "[2031-03-04T05:06:07.890+0000] x",
                                        "512.250: x"};
    bool all = true;
    for (size_t i = 0; i < sizeof gc / sizeof *gc; i++)
        all &= ok(dx_gclog_is(dx_s(gc[i])), "a line of a GC log: %.30s", gc[i]);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        all &= ok(!dx_gclog_is(dx_s(other[i])), "none: %.30s", other[i]);
}

int main(void) {
    test_parnew();
    test_between();
    test_lost();
    test_parallel();
    test_cms();
    test_g1();
    test_safepoint_old();
    test_unified();
    test_unified_g1();
    test_unified_others();
    test_unified_z();
    test_safepoint();
    test_strange();
    test_is();
    return done();
}

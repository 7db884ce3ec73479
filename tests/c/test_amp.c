/* The arithmetic of a RegionServer, to the digit. */
#include "dx_amp.h"
#include "tap.h"

#define KIB (INT64_C(1) << 10)
#define MIB (INT64_C(1) << 20)
#define GIB (INT64_C(1) << 30)

static const dx_heap_in heap32 = {.heap_bytes = 32 * GIB,
                                  .memstore_fraction = 0.4,
                                  .lower_limit = 0.95,
                                  .cache_fraction = 0.4,
                                  .flush_size_bytes = 128 * MIB,
                                  .active_regions = 200,
                                  .families = 1};

static void test_heap(void) {
    dx_heap_out out;
    ok(dx_amp_heap(&heap32, &out, NULL) == DX_OK, "a 32 GiB heap with 200 active regions");
    is_int(out.memstore_global_bytes, INT64_C(13743895347), "global memstore, cut to whole bytes");
    is_int(out.flush_floor_bytes, INT64_C(13056700579), "flushes are forced above");
    is_int(out.wanted_bytes, INT64_C(26843545600), "25.0 GiB wanted");
    is_int(out.avg_flush_bytes, INT64_C(65283502), "62 MiB an average flush");
    is_int(out.regions_at_full_flush, 97, "97 regions fit");
    is_int(out.block_cache_bytes, INT64_C(13743895347), "block cache");
    is_int(out.over_heap_rule, 0, "0.4 + 0.4 is allowed");

    dx_heap_in in = heap32;
    in.memstore_fraction = 0.5;
    in.cache_fraction = 0.3;
    in.active_regions = 110;
    ok(dx_amp_heap(&in, &out, NULL) == DX_OK, "0.5 memstore and 110 regions");
    is_int(out.flush_floor_bytes, INT64_C(16320875724), "floor of 15.2 GiB");
    is_int(out.wanted_bytes, 110 * 128 * MIB, "13.75 GiB wanted");
    is_int(out.avg_flush_bytes, 128 * MIB, "no pressure: a flush is of the flush size");
    is_int(out.regions_at_full_flush, 121, "121 would fit");
    in.families = 2;
    ok(dx_amp_heap(&in, &out, NULL) == DX_OK && out.avg_flush_bytes == 64 * MIB,
       "two families share a region's flush");
    in.active_regions = 0;
    in.families = 1;
    ok(dx_amp_heap(&in, &out, NULL) == DX_OK && out.wanted_bytes == 0
           && out.avg_flush_bytes == 128 * MIB,
       "no active region is no division by zero");
}

static void test_heap_rule(void) {
    static const struct {
        double memstore, cache;
        int over;
    } rule[] = {{0.4, 0.4, 0},    {0.5, 0.3, 0},
                {0.8, 0.0, 0},    {0.41, 0.4, 1},
                {0.5, 0.31, 1},   {0.55, 0.25, 0} /* whole percents, as HBase takes them */,
                {0.45, 0.359, 0}, {0.6, 0.21, 1}};
    for (size_t i = 0; i < sizeof rule / sizeof rule[0]; i++) {
        dx_heap_in in = heap32;
        dx_heap_out out;
        in.memstore_fraction = rule[i].memstore;
        in.cache_fraction = rule[i].cache;
        ok(dx_amp_heap(&in, &out, NULL) == DX_OK && out.over_heap_rule == rule[i].over,
           "memstore %g and cache %g: %s", rule[i].memstore, rule[i].cache,
           rule[i].over ? "HBase would not start" : "fine");
    }
}

static void test_heap_offheap_and_decimals(void) {
    dx_heap_in in = heap32;
    dx_heap_out out;
    in.offheap_memstore_bytes = 40 * GIB;
    ok(dx_amp_heap(&in, &out, NULL) == DX_OK && out.memstore_global_bytes == 40 * GIB
           && out.flush_floor_bytes == 38 * GIB,
       "an off-heap memstore is the limit by itself");
    in = heap32;
    in.heap_bytes = 10 * GIB;
    in.cache_fraction = 0.1;
    in.memstore_fraction = 0.7;
    ok(dx_amp_heap(&in, &out, NULL) == DX_OK, "0.7 of 10 GiB");
    is_int(out.memstore_global_bytes, INT64_C(7516192768), "is a whole number of bytes");
    in.heap_bytes = 100;
    in.memstore_fraction = 0.29;
    ok(dx_amp_heap(&in, &out, NULL) == DX_OK && out.memstore_global_bytes == 29,
       "0.29 of 100 is 29, not 28");
}

static void test_heap_ranges(void) {
    dx_heap_out out;
    dx_err err = {0};
    dx_heap_in in = heap32;
    in.heap_bytes = 0;
    ok(dx_amp_heap(&in, &out, &err) == DX_E_RANGE && strstr(err.msg, "heap_bytes") != NULL,
       "no heap: %s", err.msg);
    in = heap32;
    in.memstore_fraction = (double)NAN;
    ok(dx_amp_heap(&in, &out, &err) == DX_E_RANGE && strstr(err.msg, "memstore_fraction") != NULL,
       "NaN: %s", err.msg);
    in = heap32;
    in.lower_limit = 1.01;
    ok(dx_amp_heap(&in, &out, &err) == DX_E_RANGE && strstr(err.msg, "lower_limit") != NULL,
       "above 1: %s", err.msg);
    in = heap32;
    in.active_regions = -1;
    ok(dx_amp_heap(&in, &out, &err) == DX_E_RANGE && strstr(err.msg, "active_regions") != NULL,
       "negative: %s", err.msg);
    in = heap32;
    in.flush_size_bytes = INT64_MAX;
    ok(dx_amp_heap(&in, &out, &err) == DX_E_RANGE, "a size beyond 2^53 bytes");
    in = heap32;
    in.flush_size_bytes = INT64_C(1) << 53;
    ok(dx_amp_heap(&in, &out, &err) == DX_E_RANGE && strstr(err.msg, "active_regions") != NULL,
       "a product that does not fit: %s", err.msg);
    ok(dx_amp_heap(&in, &out, NULL) == DX_E_RANGE, "no dx_err is fine");
}

static void test_get(void) {
    static const struct {
        double files, blocks, disk, disk_plain;
    } row[] = {{3, 2.01, 0.201, 0.3}, {8, 2.06, 0.206, 0.8}, {16, 2.14, 0.214, 1.6}};
    dx_get_out out;
    for (size_t i = 0; i < 3; i++) {
        dx_get_in in = {row[i].files, 2, 0.01, 0.9};
        ok(dx_amp_get(&in, &out, NULL) == DX_OK, "%g files", row[i].files);
        is_real(out.data_blocks, row[i].blocks, 1e-12, "data blocks");
        is_real(out.disk_reads, row[i].disk, 1e-12, "disk reads");
        is_real(out.data_blocks_no_bloom, row[i].files, 0, "data blocks without bloom");
        is_real(out.disk_reads_no_bloom, row[i].disk_plain, 1e-12, "disk reads without bloom");
    }
    dx_err err = {0};
    dx_get_in in = {3, 4, 0.01, 0.9};
    ok(dx_amp_get(&in, &out, &err) == DX_E_RANGE && strstr(err.msg, "files_with_row") != NULL,
       "more files with the row than files: %s", err.msg);
    in = (dx_get_in){3, 2, 0.01, 90};
    ok(dx_amp_get(&in, &out, &err) == DX_E_RANGE && strstr(err.msg, "cache_hit") != NULL,
       "a percentage for a ratio: %s", err.msg);
    in = (dx_get_in){0, 0, 0.01, 0};
    ok(dx_amp_get(&in, &out, &err) == DX_OK && out.disk_reads == 0, "no file, no read");
}

static void test_rows(void) {
    dx_rows_out out;
    dx_rows_in in = {.scanned = 53000, .returned = 60, .filtered = -1, .live = 43000};
    ok(dx_amp_rows(&in, &out, NULL) == DX_OK, "53,000 rows for 60");
    is_real(out.amplification, 53000.0 / 60, 1e-9, "amplification");
    ok(isnan(out.filtered_share), "the filtered share was not told");
    is_real(out.dead_share, 10000.0 / 53000, 1e-12, "the dead share");
    in = (dx_rows_in){.scanned = 42000, .returned = 0, .filtered = 42000, .live = -1};
    ok(dx_amp_rows(&in, &out, NULL) == DX_OK && out.amplification == 42000
           && out.filtered_share == 1 && isnan(out.dead_share),
       "nothing returned counts as one");
    in = (dx_rows_in){.scanned = 0, .returned = 0, .filtered = 0, .live = 0};
    ok(dx_amp_rows(&in, &out, NULL) == DX_OK && isnan(out.filtered_share) && isnan(out.dead_share),
       "a share of nothing is unknown");
    dx_err err = {0};
    in = (dx_rows_in){.scanned = 10, .returned = 1, .filtered = 11, .live = -1};
    ok(dx_amp_rows(&in, &out, &err) == DX_E_RANGE && strstr(err.msg, "filtered") != NULL,
       "more filtered than scanned: %s", err.msg);
    in.filtered = (double)NAN;
    ok(dx_amp_rows(&in, &out, &err) == DX_E_RANGE, "NaN is refused");
}

static void is_share(dx_queue_share s, int64_t queues, int64_t handlers, int64_t low, int64_t high,
                     const char *what) {
    bool good = ok(s.queues == queues && s.handlers == handlers && s.per_queue_min == low
                       && s.per_queue_max == high,
                   "%s", what);
    if (!good)
        printf("# got %" PRId64 " queues, %" PRId64 " handlers, %" PRId64 "..%" PRId64 "\n",
               s.queues, s.handlers, s.per_queue_min, s.per_queue_max);
}

static void test_queues(void) {
    dx_queues_out out;
    dx_queues_in in = {60, 0.1, 0.6, 0.3, 0};
    ok(dx_amp_queues(&in, &out, NULL) == DX_OK && out.queues_total == 6 && out.split == 1,
       "60 handlers, 6 queues");
    is_share(out.write, 2, 24, 12, 12, "write 2 with 24");
    is_share(out.read, 3, 26, 8, 9, "read 3 with 26");
    is_share(out.scan, 1, 10, 10, 10, "scan 1 with 10");
    in = (dx_queues_in){30, 0.1, 0.7, 0.5, 206};
    ok(dx_amp_queues(&in, &out, NULL) == DX_OK, "30 handlers");
    is_share(out.write, 1, 9, 9, 9, "write");
    is_share(out.read, 1, 11, 11, 11, "read");
    is_share(out.scan, 1, 10, 10, 10, "scan");
    in = (dx_queues_in){30, 0.1, 0, 0.5, 0};
    ok(dx_amp_queues(&in, &out, NULL) == DX_OK && !out.split && out.queues_total == 3,
       "without a read ratio nothing is split");
    is_share(out.write, 3, 30, 10, 10, "all share three queues");
    is_share(out.scan, 0, 0, 0, 0, "no scan queue");
    in = (dx_queues_in){15, 0.1, 0, 0, 0};
    ok(dx_amp_queues(&in, &out, NULL) == DX_OK, "1.5 queues");
    is_share(out.write, 2, 15, 7, 8, "are two: halves go up");
    in = (dx_queues_in){384, 0.2, 0.4, 0, 104};
    ok(dx_amp_queues(&in, &out, NULL) == DX_OK && out.queues_total == 77, "384 handlers, 0.2");
    is_share(out.write, 46, 230, 5, 5, "write");
    is_share(out.read, 31, 154, 4, 5, "read");
}

static void test_queues_by_version(void) {
    dx_queues_out out;
    dx_queues_in in = {30, 0.1, 0.5, 0.3, 203}; /* 3 queues, 2 of them for reads */
    ok(dx_amp_queues(&in, &out, NULL) == DX_OK && out.idle_handlers == 4, "2.3 loses 4 handlers");
    is_share(out.read, 2, 11, 5, 6, "of the readers");
    is_share(out.scan, 0, 0, 0, 0, "as there is no scan queue");
    in.version = 204;
    ok(dx_amp_queues(&in, &out, NULL) == DX_OK && out.idle_handlers == 0, "2.4 does not");
    is_share(out.read, 1, 11, 11, 11, "reads give a queue");
    is_share(out.scan, 1, 4, 4, 4, "to the scans");
    in = (dx_queues_in){10, 0.1, 0.5, 0, 103};
    ok(dx_amp_queues(&in, &out, NULL) == DX_OK && !out.split && out.queues_total == 1,
       "1.3 does not split a single queue");
    in.version = 104;
    ok(dx_amp_queues(&in, &out, NULL) == DX_OK && out.split && out.queues_total == 2,
       "1.4 makes two of it");
    in = (dx_queues_in){20, 0.1, 0.6, 0.9, 205};
    ok(dx_amp_queues(&in, &out, NULL) == DX_OK && out.queues_total == 3,
       "more queues than planned");
    is_share(out.read, 1, 2, 2, 2, "one for reads");
    is_share(out.scan, 1, 10, 10, 10, "one for scans");
    in = (dx_queues_in){1, 0, 1, 1, 205};
    ok(dx_amp_queues(&in, &out, NULL) == DX_OK && out.write.queues == 1, "the smallest of all");
}

static void test_queue_ranges(void) {
    dx_queues_out out;
    dx_err err = {0};
    dx_queues_in in = {0, 0.1, 0, 0, 0};
    ok(dx_amp_queues(&in, &out, &err) == DX_E_RANGE && strstr(err.msg, "handlers") != NULL,
       "no handler: %s", err.msg);
    in = (dx_queues_in){30, 0.1, 1.5, 0, 0};
    ok(dx_amp_queues(&in, &out, &err) == DX_E_RANGE && strstr(err.msg, "read_ratio") != NULL,
       "a ratio above 1: %s", err.msg);
    in = (dx_queues_in){30, 0.1, 0.5, 0, 25};
    ok(dx_amp_queues(&in, &out, &err) == DX_E_RANGE && strstr(err.msg, "version") != NULL,
       "no such version: %s", err.msg);
}

static void test_wal(void) {
    dx_wal_out out;
    dx_wal_in in = {50 * GIB, 256 * MIB, 0, 0};
    ok(dx_amp_wal(&in, &out, NULL) == DX_OK, "a memstore of 50 GiB");
    is_int(out.wals_to_hold_memstore, 210, "fits 210 WALs");
    is_int(out.hbase_maxlogs, 800, "2.5 takes 800");
    is_real(out.hbase_multiplier, 0.5, 0, "its multiplier");
    in.version = 104;
    ok(dx_amp_wal(&in, &out, NULL) == DX_OK && out.hbase_maxlogs == 421
           && out.wals_to_hold_memstore == 210,
       "1.4 takes 421");
    in.version = 101;
    ok(dx_amp_wal(&in, &out, NULL) == DX_OK && out.hbase_maxlogs == 32, "1.1 always takes 32");
    in.version = 0;
    in.memstore_bytes = 60 * GIB;
    ok(dx_amp_wal(&in, &out, NULL) == DX_OK && out.wals_to_hold_memstore == 252, "60 GiB: 252");
    in.multiplier = 0.5;
    ok(dx_amp_wal(&in, &out, NULL) == DX_OK && out.wals_to_hold_memstore == 480
           && out.hbase_maxlogs == 960,
       "a multiplier that is given counts for both");
    in = (dx_wal_in){100 * MIB, 256 * MIB, 0, 0};
    ok(dx_amp_wal(&in, &out, NULL) == DX_OK && out.hbase_maxlogs == 32, "32 at the least");
}

static void test_wal_ranges(void) {
    dx_wal_out out;
    dx_err err = {0};
    dx_wal_in in = {0, 256 * MIB, 0, 0};
    ok(dx_amp_wal(&in, &out, &err) == DX_E_RANGE && strstr(err.msg, "memstore_bytes") != NULL,
       "no memstore: %s", err.msg);
    in = (dx_wal_in){GIB, -1, 0, 0};
    ok(dx_amp_wal(&in, &out, &err) == DX_E_RANGE && strstr(err.msg, "blocksize_bytes") != NULL,
       "a negative block: %s", err.msg);
    in = (dx_wal_in){GIB, 1, 1e-300, 101};
    ok(dx_amp_wal(&in, &out, &err) == DX_E_RANGE, "a roll size of nothing: %s", err.msg);
    in = (dx_wal_in){INT64_C(1) << 53, 1, 1, 0};
    ok(dx_amp_wal(&in, &out, &err) == DX_E_RANGE, "more WALs than an int: %s", err.msg);
}

static void test_compaction(void) {
    double v = -1;
    dx_err err = {0};
    ok(dx_amp_pressure(12, 3, 16, &v, NULL) == DX_OK, "12 files of 3..16");
    is_real(v, 9.0 / 13, 1e-12, "pressure");
    ok(dx_amp_pressure(3, 3, 16, &v, NULL) == DX_OK && v == 0, "none at the minimum");
    ok(dx_amp_pressure(17, 3, 16, &v, NULL) == DX_OK && v > 1, "above 1 over the limit");
    ok(dx_amp_pressure(41, 40, 16, &v, NULL) == DX_OK && v == 0,
       "a minimum above the limit gives none");
    ok(dx_amp_pressure(17, 16, 16, &v, NULL) == DX_OK && isinf(v), "no room between them");
    ok(dx_amp_pressure(-1, 3, 16, &v, &err) == DX_E_RANGE && strstr(err.msg, "files") != NULL,
       "a negative count: %s", err.msg);
    double low = 50.0 * (double)MIB, high = 100.0 * (double)MIB;
    ok(dx_amp_throughput(9.0 / 13, low, high, &v, NULL) == DX_OK, "its limit");
    is_real(v / (double)MIB, 84.615, 0.001, "84.6 MiB/s");
    ok(dx_amp_throughput(0, low, high, &v, NULL) == DX_OK && v == low, "the lower bound at 0");
    ok(dx_amp_throughput(1, low, high, &v, NULL) == DX_OK && v == high, "the upper bound at 1");
    ok(dx_amp_throughput(1.01, low, high, &v, NULL) == DX_OK && isinf(v), "no limit above 1");
    ok(dx_amp_throughput((double)NAN, low, high, &v, &err) == DX_E_RANGE, "NaN: %s", err.msg);
    ok(dx_amp_throughput(0.5, high, low, &v, &err) == DX_E_RANGE && strstr(err.msg, "upper"),
       "bounds the wrong way round: %s", err.msg);
}

int main(void) {
    test_heap();
    test_heap_rule();
    test_heap_offheap_and_decimals();
    test_heap_ranges();
    test_get();
    test_rows();
    test_queues();
    test_queues_by_version();
    test_queue_ranges();
    test_wal();
    test_wal_ranges();
    test_compaction();
    return done();
}

/* gen_line.c - templates, names of threads, and the layouts of the generations. */
#include "gen.h"

#include <string.h>

/* ---- templates */

/* "[lo,hi]" at *s: a number from it; moves *s behind it. */
static int64_t read_range(gen *g, const char **s) {
    int64_t bound[2] = {0, 0};
    const char *p = *s + 1;
    for (int i = 0; i < 2; p++) {
        if (*p == ',' || *p == ']')
            i++;
        else
            bound[i] = bound[i] * 10 + (*p - '0');
    }
    *s = p;
    return gen_between(g, bound[0], bound[1]);
}

static void put_grouped(gen_text *t, uint64_t v) {
    if (v < 1000) {
        text_u64(t, v);
        return;
    }
    put_grouped(t, v / 1000);
    text_char(t, ',');
    text_padded(t, v % 1000, 3);
}

static void put_duration(gen *g, gen_text *t) {
    uint64_t s = gen_below(g, gen_below(g, 8) == 0 ? 900 : 59);
    if (s >= 60) {
        text_u64(t, s / 60);
        text_put(t, "mins, ");
    }
    text_u64(t, s % 60);
    text_put(t, "sec");
}

static void put_decimals(gen *g, gen_text *t, uint64_t below, const char *unit) {
    text_u64(t, gen_below(g, below));
    text_char(t, '.');
    text_padded(t, gen_below(g, 100), 2);
    text_put(t, unit);
}

/* Sizes of memstores and files: mostly some MB, some of GB, some exact. */
static uint64_t some_size(gen *g) {
    switch (gen_below(g, 16)) {
    case 0: return g->number = UINT64_C(134217728);
    case 1: return g->number = (uint64_t)gen_between(g, 1 << 30, INT64_C(12) << 30);
    case 2: return g->number = gen_below(g, 1 << 20);
    default: return g->number = (uint64_t)gen_between(g, 1 << 20, 900 << 20);
    }
}

static void put_value(gen *g, char code, gen_text *t) {
    static const size_form byte_desc = {100, true, true, false, true},
                           prefix = {10, true, true, false, false},
                           old = {10, false, false, true, false},
                           human = {10, false, true, false, false};
    switch (code) {
    case 'B': text_size(t, some_size(g), byte_desc); break;
    case 'Z': text_size(t, some_size(g), prefix); break;
    case 'z': text_size(t, some_size(g), old); break;
    case 'H': text_size(t, some_size(g), human); break;
    case 'b': text_u64(t, g->number); break;
    case 'd': put_duration(g, t); break;
    case 'p': put_decimals(g, t, 100, "%"); break;
    case 't': put_decimals(g, t, 90, g->era < E20 ? " MB/sec" : " MB/second"); break;
    case 'm': text_i64(t, g->now); break;
    case 'x': text_hex(g, t, 32); break;
    case 'X': text_hex(g, t, 15); break;
    case 'i': text_i64(t, (int64_t)gen_random(g)); break;
    case 'W': text_wal(g, t); break;
    case 'P': text_pipeline(g, t); break;
    case 'D': text_datanode(g, t); break;
    case 'l': text_files(g, t); break;
    default: text_char(t, code); break;
    }
}

static void put_name(gen *g, char code, gen_text *t) {
    switch (code) {
    case 'R': gen_region_name(g->region, false, t); break;
    case 'E': text_put(t, g->region->encoded); break;
    case 'F': text_put(t, gen_families[g->region->table % 4]); break;
    case 'T': text_put(t, gen_table(g->region->table)); break;
    case 'Q': text_path(g, t); break;
    case 'S': gen_server(g, t); break;
    case 'V': text_put(t, gen_version(g->era)); break;
    case 'c':
        gen_address(gen_below(g, 400), t);
        text_char(t, ':');
        text_i64(t, gen_between(g, 32768, 60999));
        break;
    default: put_value(g, code, t); break;
    }
}

void gen_template(gen *g, const char *s, gen_text *t) {
    while (*s != '\0') {
        size_t n = strcspn(s, "%");
        text_bytes(t, s, n);
        s += n;
        if (*s == '\0')
            return;
        char code = s[1];
        s += 2;
        if (code == 'n')
            text_i64(t, read_range(g, &s));
        else if (code == 'g')
            put_grouped(t, (uint64_t)read_range(g, &s));
        else
            put_name(g, code, t);
    }
}

/* ---- threads: the names of each part of a server in 0.98, 1.x and 2.x; %k is the scene's number
 */

typedef struct role {
    char role;
    const char *old, *one, *two;
} role;

static const role roles[] = {
    {'h', "B.DefaultRpcServer.handler=%k,queue=2,port=60020",
     "RpcServer.default.FPBQ.Fifo.handler=%k,queue=2,port=16020",
     "RpcServer.default.FPBQ.Fifo.handler=%k,queue=2,port=16020"},
    {'f', "MemStoreFlusher.0", "MemStoreFlusher.1", "MemStoreFlusher.0"},
    {'c', "regionserver60020-smallCompactions-1796068900%k",
     "regionserver/" GEN_HOST "/10.1.0.27:16020-shortCompactions-1796068900%k",
     "regionserver/rs07:16020-shortCompactions-0"},
    {'r', "regionserver60020.logRoller", "regionserver/" GEN_HOST "/10.1.0.27:16020.logRoller",
     "regionserver/rs07:16020.logRoller"},
    {'o', "RS_OPEN_REGION-rs07:60020-1", "RS_OPEN_REGION-rs07:16020-1",
     "RS_OPEN_REGION-regionserver/rs07:16020-1"},
    {'x', "RS_CLOSE_REGION-rs07:60020-0", "RS_CLOSE_REGION-rs07:16020-0",
     "RS_CLOSE_REGION-regionserver/rs07:16020-0"},
    {'k', "regionserver60020.periodicFlusher", GEN_HOST ",16020," GEN_START "_ChoreService_1",
     "regionserver/rs07:16020.Chore.1"},
    {'s', "regionserver60020-WAL.AsyncSyncer0", "sync.3",
     "AsyncFSWAL-0-hdfs://nn1.example.internal:8020/hbase-prefix:" GEN_HOST ",16020," GEN_START},
    {'j', "JvmPauseMonitor", "JvmPauseMonitor", "JvmPauseMonitor"},
    {'l', "LruStats #0", "LruBlockCacheStatsExecutor", "LruBlockCacheStatsExecutor"},
    {'b', "BucketCache Statistics #0", "BucketCacheStatsExecutor", "BucketCacheStatsExecutor"},
    {'e', "regionserver60020.leaseChecker",
     "regionserver/" GEN_HOST "/10.1.0.27:16020.leaseChecker",
     "regionserver/rs07:16020.leaseChecker"},
    {'z', "main-SendThread(zk1.example.internal:2181)",
     "main-SendThread(zk1.example.internal:2181)", "main-SendThread(zk1.example.internal:2181)"},
    {'m', "regionserver60020", "regionserver/" GEN_HOST "/10.1.0.27:16020",
     "regionserver/rs07:16020"},
};

static void put_thread(gen *g, char who, gen_text *t) {
    const role *r = roles;
    while (r->role != who && r->role != 'm')
        r++;
    const char *s = g->era <= E098 ? r->old : g->era <= E17 ? r->one : r->two;
    const char *number = strstr(s, "%k");
    if (number == NULL) {
        text_put(t, s);
        return;
    }
    text_bytes(t, s, (size_t)(number - s));
    text_u64(t, 10 + g->thread % 50);
    text_put(t, number + 2);
}

/* ---- layouts */

/* The full name of a logger that a table gives by its last two parts. */
static void put_full(const char *logger, gen_text *t) {
    static const char *const packages[][2] = {
        {"hbase.Server", "SecurityLogger.org.apache.hadoop."},
        {"hbase.", "org.apache.hadoop."},
        {"regionserver.Replication", "org.apache.hadoop.hbase.replication."},
        {"zookeeper.", "org.apache."},
        {"hdfs.", "org.apache.hadoop."},
        {"wal.", "org.apache.hadoop.hbase.regionserver."},
        {"throttle.", "org.apache.hadoop.hbase.regionserver."},
        {"compactions.", "org.apache.hadoop.hbase.regionserver."},
        {"handler.", "org.apache.hadoop.hbase.regionserver."},
        {"hfile.", "org.apache.hadoop.hbase.io."},
        {"bucket.", "org.apache.hadoop.hbase.io.hfile."},
        {"ipc.HBaseServer", "org.apache.hadoop."},
        {"", "org.apache.hadoop.hbase."},
    };
    size_t i = 0;
    while (strncmp(logger, packages[i][0], strlen(packages[i][0])) != 0)
        i++;
    text_put(t, packages[i][1]);
    text_put(t, logger);
}

/* Days since 1970 as a date of the proleptic Gregorian calendar. */
static void put_date(gen_text *t, int64_t days) {
    int64_t z = days + 719468, era = z / 146097, doe = z % 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    int64_t month = mp < 10 ? mp + 3 : mp - 9;
    text_padded(t, (uint64_t)(yoe + era * 400 + (month <= 2)), 4);
    text_char(t, '-');
    text_padded(t, (uint64_t)month, 2);
    text_char(t, '-');
    text_padded(t, (uint64_t)(doy - (153 * mp + 2) / 5 + 1), 2);
}

static void put_stamp(const gen *g, gen_text *t) {
    uint64_t ms = (uint64_t)g->now % 86400000;
    put_date(t, g->now / 86400000);
    text_char(t, g->era >= E25 ? 'T' : ' ');
    text_padded(t, ms / 3600000, 2);
    text_char(t, ':');
    text_padded(t, ms / 60000 % 60, 2);
    text_char(t, ':');
    text_padded(t, ms / 1000 % 60, 2);
    text_char(t, ',');
    text_padded(t, ms % 1000, 3);
    text_char(t, ' ');
}

void gen_prefix(gen *g, char level, char who, const char *logger, gen_text *t) {
    bool full = g->era == E094 || g->era == E21C;
    const char *name = level == 'I' ? "INFO" : level == 'W' ? "WARN" : "ERROR";
    put_stamp(g, t);
    text_put(t, name);
    text_char(t, ' ');
    if (full) {
        put_full(logger, t);
    } else {
        if (level != 'E')
            text_char(t, ' ');
        text_char(t, '[');
        put_thread(g, who, t);
        text_put(t, "] ");
        text_put(t, logger);
    }
    text_put(t, ": ");
}

size_t gen_message_max(gen_era era) {
    return era >= E14 && era != E21C ? 1000 : TEXT_MAX;
}

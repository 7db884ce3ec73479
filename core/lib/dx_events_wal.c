/* dx_events_wal.c - lines about write-ahead logs and about HDFS below them: slow syncs, rolls, slow
 * and lost DataNodes, hedged reads; and a DataNode's own lines. */
#include "dx_events_match.h"

/* ---- write-ahead logs ---- */

/* "Too many WALs" lists all regions behind its numbers, so a layout that keeps the last 1000
 * characters cuts the numbers off: what is left are encoded names and nothing else. */
static bool only_regions(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)rest;
    dx_slice m = line->message;
    size_t names = 0, hex = 0;
    if (m.n != 1000)
        return false;
    for (size_t i = 0; i <= m.n; i++) {
        char c = i < m.n ? m.p[i] : ' ';
        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')) {
            hex++;
            continue;
        }
        names += hex == 32;
        hex = 0;
    }
    if (names < 8)
        return false;
    dx_event_text(out, "targets", m);
    return true;
}

#define ROLL(words, because, ...)                                                                  \
    {                                                                                              \
        .id = DX_EV_WAL_ROLL_REQUESTED, .pattern = "Requesting log roll because " words,           \
        .names = {__VA_ARGS__}, .key = "why", .value = because                                     \
    }
#define LIMITS(p, last)                                                                            \
    {                                                                                              \
        .id = DX_EV_WAL_LIMITS, .pattern = p, .names = { "block_bytes", "roll_bytes", last }       \
    }
#define FAILED(words, part)                                                                        \
    {                                                                                              \
        .id = DX_EV_WAL_FAILED, .pattern = words, .key = "what", .value = part,                    \
        .more = dx_event_reason                                                                    \
    }
const dx_event_row dx_event_wal[] = {
    {.id = DX_EV_WAL_SLOW_SYNC,
     .pattern = "Slow sync cost: %i ms, current pipelin%_: %t",
     .names = {"took_ms", "pipeline"}},
    {.id = DX_EV_WAL_SLOW_SYNC, .pattern = "Slow sync cost: %i%~ms", .names = {"took_ms"}},
    {.id = DX_EV_WAL_ROLLED,
     .pattern = "Rolled WAL %_ with entries=%i, filesize=%b; new WAL ",
     .names = {"entries", "file_bytes"}},
    {.id = DX_EV_WAL_ROLLED, /* 0.94 */
     .pattern = "Roll %_, entries=%i, filesize=%i.",
     .names = {"entries", "file_bytes"}},
    {.id = DX_EV_WAL_TOO_MANY,
     .pattern = "Too many WALs; count=%i, max=%i; forcing %_flush of %i region%_): %t",
     .names = {"count", "max", "regions", "targets"}},
    {.id = DX_EV_WAL_TOO_MANY,
     .pattern = "Too many hlogs: logs=%i, maxlogs=%i; forcing flush of %i regions(s): %t",
     .names = {"count", "max", "regions", "targets"}},
    ROLL("we exceeded slow sync threshold; time=%i ms, threshold=%i ms, current pipeline: %t",
         "slow sync", "took_ms", "threshold_ms", "pipeline"),
    ROLL("we exceeded slow sync threshold; count=%i, threshold=%i, current pipeline: %t",
         "slow syncs", "count", "threshold", "pipeline"),
    ROLL("of low replication, current pipeline: %t", "low replication", "pipeline"),
    {.pattern = "Requesting log roll because of file size"},
    {.id = DX_EV_WAL_ROLL_REQUESTED,
     .pattern = "HDFS pipeline error detected. Found %i replicas but expecting no less than %i "
                "replicas.%_urrent pipeline: %t",
     .names = {"replicas", "wanted_replicas", "pipeline"},
     .key = "why",
     .value = "low replication"},
    {.id = DX_EV_WAL_ROLL_REQUESTED,
     .pattern = "HDFS pipeline error detected. Found %i replicas but expecting no less than %i ",
     .names = {"replicas", "wanted_replicas"},
     .key = "why",
     .value = "low replication"},
    {.id = DX_EV_WAL_ROLL_REQUESTED,
     .pattern = "Too many consecutive RollWriter requests",
     .key = "why",
     .value = "too few DataNodes"},
    LIMITS("WAL configuration: blocksize=%b, rollsize=%b, %_, maxLogs=%i", "max_logs"),
    LIMITS("WAL configuration: blocksize=%b, rollsize=%b, ", NULL),
    LIMITS("WAL/HLog configuration: blocksize=%b, rollsize=%b, ", NULL),
    FAILED("sync failed", "sync"),
    FAILED("close old writer failed", "close"),
    FAILED("Log rolling failed", "roll"),
    {.pattern = "New WAL "},
    {.pattern = "Closed WAL: "},
    {.id = DX_EV_WAL_TOO_MANY, .pattern = "", .more = only_regions},
    {.pattern = NULL},
};

/* The log roller gives up before the server does, and its record alone may have the whole trace. */
const dx_event_row dx_event_roller[] = {
    {.id = DX_EV_ABORT,
     .pattern = "Aborting",
     .key = "reason",
     .value = "log roller",
     .more = dx_event_root},
    FAILED("Log rolling failed", "roll"),
    FAILED("Failed log close in log roller", "close"),
    FAILED("IOE in log roller", "roll"),
    {.pattern = NULL},
};

const dx_event_row dx_event_wal_metrics[] = {
    {.id = DX_EV_WAL_SLOW_APPEND,
     .pattern = "%_ took %i ms appending an edit to %_len~=%b",
     .names = {"took_ms", "edit_bytes"}},
    {.pattern = NULL},
};

/* ---- DataNodes in fields ---- */

/* "DatanodeInfoWithStorage[10.0.0.7:9866,DS-1,DISK]", "/10.0.0.7:9866" -> "10.0.0.7:9866" */
static dx_slice address_of(dx_slice s) {
    static const char head[] = "DatanodeInfoWithStorage[";
    if (dx_slice_starts(s, head)) {
        ptrdiff_t comma = dx_slice_find_char(s, ',', 0);
        s = dx_slice_sub(s, sizeof head - 1, comma < 0 ? s.n : (size_t)comma);
    }
    return dx_slice_starts(s, "/") ? dx_slice_sub(s, 1, s.n) : s;
}

/* "BP-1-10.0.0.3-16:blk_7_8:java.net.ConnectException: ..." -> the block, and why. */
static void split_block(dx_event *out, dx_field *f) {
    ptrdiff_t name = dx_slice_find(f->s, "blk_", 0);
    size_t end = name < 0 ? f->s.n : (size_t)name + 4;
    while (end < f->s.n && (dx_is_digit(f->s.p[end]) || f->s.p[end] == '_'))
        end++;
    bool colon = end < f->s.n && f->s.p[end] == ':';
    dx_slice why = dx_slice_trim(dx_slice_sub(f->s, end + colon, f->s.n));
    f->s = dx_slice_sub(f->s, 0, end);
    if (why.n > 0)
        dx_event_text(out, "reason", why);
}

/* Makes fields that name DataNodes and blocks the same in all kinds of lines. */
static bool plainly(const dx_logline *line, dx_slice rest, dx_event *out) {
    (void)line, (void)rest;
    for (size_t i = 0, n = out->n; i < n; i++) {
        dx_field *f = &out->fields[i];
        if (dx_str_eq(f->name, "datanode"))
            f->s = address_of(f->s);
        else if (dx_str_eq(f->name, "block"))
            split_block(out, f);
        else if (dx_str_eq(f->name, "pipeline") && dx_slice_ends(f->s, "]."))
            f->s.n--;
    }
    return true;
}

/* Why, behind the message or in the line after it, unless that is a frame already. */
static bool plainly_with_reason(const dx_logline *line, dx_slice rest, dx_event *out) {
    plainly(line, rest, out);
    dx_field *last = out->n == 0 ? NULL : &out->fields[out->n - 1];
    bool told = last != NULL && dx_str_eq(last->name, "reason");
    return told || dx_slice_starts(dx_slice_trim(rest), "at ") || dx_event_reason(line, rest, out);
}

const dx_event_row dx_event_stream_monitor[] = {
    {.id = DX_EV_WAL_SLOW_DATANODE,
     .pattern = "Slow datanode: %t, data length=%i, duration=%i%~ms",
     .names = {"datanode", "bytes", "took_ms"},
     .key = "what",
     .value = "slow",
     .more = plainly},
    {.id = DX_EV_WAL_SLOW_DATANODE,
     .pattern = "Added datanode: %t to exclude cache by [%t] success",
     .names = {"datanode", "cause"},
     .key = "what",
     .value = "excluded",
     .more = plainly},
    {.pattern = NULL},
};

/* ---- the client of HDFS ---- */

#define SLOW(words, part, ...)                                                                     \
    {                                                                                              \
        .id = DX_EV_HDFS_SLOW, .pattern = words, .names = {__VA_ARGS__}, .key = "what",            \
        .value = part, .more = plainly                                                             \
    }
#define LOST(words, part, ...)                                                                     \
    {                                                                                              \
        .id = DX_EV_HDFS_FAILED, .pattern = words, .names = {__VA_ARGS__}, .key = "what",          \
        .value = part, .more = plainly_with_reason                                                 \
    }
#define ACK   "Slow ReadProcessor read fields"
#define FLUSH "Slow waitForAckedSeqno took %i%~ms (threshold=%i%~ms)"
const dx_event_row dx_event_hdfs_client[] = {
    SLOW(ACK " for block %t took %i%~ms (threshold=%i%~ms)%_targets: %t", "acknowledgement",
         "block", "took_ms", "threshold_ms", "pipeline"),
    SLOW(ACK " took %i%~ms (threshold=%i%~ms)%_targets: %t", "acknowledgement", "took_ms",
         "threshold_ms", "pipeline"),
    SLOW(ACK "%_ took %i%~ms", "acknowledgement", "took_ms"),
    SLOW(FLUSH ". File being written: %t, block: %t, Write pipeline datanodes: %t", "flush",
         "took_ms", "threshold_ms", "path", "block", "pipeline"),
    SLOW(FLUSH ". File being written: %t, block: %t", "flush", "took_ms", "threshold_ms", "path",
         "block"),
    SLOW(FLUSH, "flush", "took_ms", "threshold_ms"),
    {.id = DX_EV_HEDGED_POOL_FULL, .pattern = "Execution rejected, Executing in current thread"},
    {.id = DX_EV_HEDGED_READ,
     .pattern = "Waited %i%~ms to read from %t; spawning hedged read",
     .names = {"waited_ms", "datanode"},
     .more = plainly},
    LOST("Connection failure: Failed to connect to %t for file %t for block %t", "connect",
         "datanode", "path", "block"),
    LOST("Failed to connect to %t for block", "connect", "datanode"),
    LOST("Exception in createBlockOutputStream", "open pipeline", NULL),
    LOST("Error Recovery for block %t in pipeline %_: bad datanode %t", "pipeline", "block",
         "datanode"),
    LOST("Error Recovery for %t in pipeline %_, datanode %t is bad", "pipeline", "block",
         "datanode"),
    LOST("Exception for %t", "acknowledgement", "block"),
    LOST("DFSOutputStream ResponseProcessor exception %_for block %t", "acknowledgement", "block"),
    LOST("DataStreamer Exception", "write", NULL),
    LOST("Excluding datanode %t", "excluded", "datanode"),
    {.pattern = "Abandoning "}, /* the line before it says why */
    {.pattern = NULL},
};

/* ---- a DataNode's log ---- */

#define TOOK  " took %i%~ms (threshold=%i%~ms)"
#define BLOCK "%_ blockId=%t,"
const dx_event_row dx_event_data_node[] = {
    SLOW("Slow BlockReceiver write packet to mirror" TOOK ", downstream DNs=%t, blockId=%t,",
         "send to the next DataNode", "took_ms", "threshold_ms", "pipeline", "block"),
    SLOW("Slow BlockReceiver write packet to mirror" TOOK, "send to the next DataNode", "took_ms",
         "threshold_ms"),
    SLOW("Slow BlockReceiver write data to disk cost:%i%~ms (threshold=%i%~ms), volume=%t," BLOCK,
         "disk write", "took_ms", "threshold_ms", "volume", "block"),
    SLOW("Slow BlockReceiver write data to disk cost:%i%~ms (threshold=%i%~ms)", "disk write",
         "took_ms", "threshold_ms"),
    SLOW("Slow flushOrSync" TOOK "%_volume=%t," BLOCK, "disk sync", "took_ms", "threshold_ms",
         "volume", "block"),
    SLOW("Slow flushOrSync" TOOK, "disk sync", "took_ms", "threshold_ms"),
    SLOW("Slow manageWriterOsCache" TOOK, "page cache", "took_ms", "threshold_ms"),
    SLOW("Slow PacketResponder send ack to upstream" TOOK, "acknowledgement", "took_ms",
         "threshold_ms"),
    {.id = DX_EV_HDFS_FAILED,
     .pattern = "%t:DataXceiver error processing %t operation",
     .names = {"datanode", "what"},
     .more = dx_event_reason},
    {.pattern = NULL},
};

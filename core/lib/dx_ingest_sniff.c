/* dx_ingest_sniff.c - see dx_ingest_sniff.h. The surer signs are looked for first: a shell's output
 * may begin with lines of a log, and a log may quote anything. */
#include "dx_ingest_sniff.h"
#include "dx_conf.h"
#include "dx_events.h"
#include "dx_gclog.h"
#include "dx_input.h"
#include "dx_jmx.h"
#include "dx_logline.h"
#include "dx_scanlog.h"
#include "dx_slowlog.h"

#define LINES          200  /* of the head that are looked at for a log's */
#define GC_LINES       2000 /* of the head that must all be a collector's */
#define LINE_MAX_BYTES (1u << 20)
#define SHELL_NOISE    20 /* log records before the output of a shell */

const char *dx_source_kind_name(dx_source_kind kind) {
    static const char *const names[] = {"unknown", "log",  "ring", "slowlog-table",
                                        "jmx",     "conf", "gc"};
    return names[kind];
}

/* --- a log's lines --- */

static bool is_log(dx_slice head) {
    size_t at = 0;
    dx_logline line;
    dx_scan scan;
    for (int i = 0; i < LINES && at < head.n; i++) {
        ptrdiff_t end = dx_slice_find_char(head, '\n', at);
        dx_slice text = dx_slice_sub(head, at, end < 0 ? head.n : (size_t)end);
        if (dx_logline_read(text, &line) || dx_slowlog_tag(text) >= 0 || dx_event_exception(text))
            return true;
        at = end < 0 ? head.n : (size_t)end + 1;
    }
    return dx_scanlog_read(dx_slice_sub(head, 0, at), &scan);
}

/* --- text or not --- */

static bool is_control(unsigned char c) {
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b) || c == 0x7f;
}

/* More than one byte in ten is a control. NULs among a log's lines are no sign: a file has them
 * that was truncated while its writer held it open, or that was open when the power went. */
static bool is_binary(dx_slice head) {
    size_t controls = 0, nuls = 0;
    for (size_t i = 0; i < head.n; i++) {
        controls += is_control((unsigned char)head.p[i]);
        nuls += head.p[i] == '\0';
    }
    if (controls - nuls > head.n / 10)
        return true;
    return controls > head.n / 10 && nuls < head.n && !is_log(head);
}

static bool is_nul(dx_slice head) {
    return head.n > 0 && head.p[0] == '\0' && head.p[head.n - 1] == '\0';
}

/* --- shell output --- */

static bool has(dx_slice head, const char *text) {
    return dx_slice_find(head, text, 0) >= 0;
}

/* More records of a log than a shell says before it answers. */
static bool logs_before(dx_slice head, size_t end) {
    size_t at = 0, records = 0;
    dx_logline line;
    while (at < end && records <= SHELL_NOISE) {
        ptrdiff_t nl = dx_slice_find_char(head, '\n', at);
        size_t to = nl < 0 ? head.n : (size_t)nl;
        records += dx_logline_read(dx_slice_sub(head, at, to), &line) && line.logger.n > 0;
        at = to + 1;
    }
    return records > SHELL_NOISE;
}

static bool is_ring(dx_slice head) {
    static const char *const banners[] = {"Retrieved SlowLog Responses",
                                          "Retrieved LargeLog Responses"};
    for (size_t i = 0; i < sizeof banners / sizeof *banners; i++) {
        ptrdiff_t at = dx_slice_find(head, banners[i], 0);
        if (at == 0 || (at > 0 && head.p[at - 1] == '\n'))
            return !logs_before(head, (size_t)at);
    }
    ptrdiff_t start = dx_slice_find(head, "\"startTime\"", 0);
    return start >= 0 && has(head, "\"processingTime\"") && !logs_before(head, (size_t)start);
}

static bool is_table(dx_slice head) {
    static const char *const cells[] = {"call_details", "client_address",  "method_name",
                                        "start_time",   "processing_time", "queue_time"};
    static const char column[] = " column=info:";
    for (ptrdiff_t at = 0; (at = dx_slice_find(head, column, (size_t)at)) >= 0; at++) {
        dx_slice cell = dx_slice_sub(head, (size_t)at + sizeof column - 1, head.n);
        for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
            if (dx_slice_starts(cell, cells[i]))
                return !logs_before(head, (size_t)at);
    }
    return false;
}

/* --- logs --- */

bool dx_ingest_sniff_record(dx_slice line) {
    dx_logline l;
    return !dx_gclog_is(line) && dx_logline_read(line, &l) && l.level.n > 0;
}

/* Lines of a collector and no record of a program: the reader of logs takes both. A collector's
 * stamp alone looks like a record without a level. */
static bool is_gc(dx_slice head) {
    int gc = 0;
    for (size_t i = 0, at = 0; i < GC_LINES && at < head.n; i++) {
        ptrdiff_t end = dx_slice_find_char(head, '\n', at);
        size_t to = end < 0 ? head.n : (size_t)end;
        dx_slice text = dx_slice_sub(head, at, to);
        if (dx_ingest_sniff_record(text))
            return false;
        gc += dx_gclog_is(text);
        at = to + 1;
    }
    return gc > 0;
}

/* Whether a program's record stands anywhere in a file. Reads up to the first; false where it
 * cannot be read. */
static bool has_record(const char *path) {
    dx_input *in = NULL;
    dx_slice line;
    uint64_t offset;
    bool cut, mixed = false;
    dx_err own; /* whoever reads it says what is wrong with it */
    if (dx_input_open(&in, path, &own) != DX_OK)
        return false;
    dx_input_unhashed(in);
    while (!mixed && dx_input_line(in, LINE_MAX_BYTES, &line, &offset, &cut, &own) == DX_ROW)
        mixed = dx_ingest_sniff_record(line);
    dx_input_close(in);
    return mixed;
}

/* --- */

static const char *hint_for(dx_slice head) {
    if (head.n == 0)
        return "empty";
    if (dx_slice_starts(head, "SQLite format 3"))
        return "an SQLite file; a case is a source by name alone: not from a pipe, nor followed";
    if (dx_slice_starts(head, "\xff\xfe") || dx_slice_starts(head, "\xfe\xff"))
        return "UTF-16 text; make it UTF-8 (iconv -f UTF-16 -t UTF-8)";
    if (dx_slice_starts(head, "<!DOCTYPE html") || dx_slice_starts(head, "<!doctype html")
        || dx_slice_starts(head, "<html"))
        return "HTML: a login or an error page instead of what was asked for?";
    return NULL;
}

dx_source_kind dx_ingest_sniff(dx_slice head, bool *binary, const char **hint) {
    *hint = hint_for(head);
    *binary = is_binary(head);
    if (*binary || head.n == 0)
        return DX_SOURCE_UNKNOWN;
    if (dx_jmx_sniff(head))
        return DX_SOURCE_JMX;
    if (dx_conf_sniff(head))
        return DX_SOURCE_CONF;
    if (is_ring(head))
        return DX_SOURCE_RING;
    if (is_table(head))
        return DX_SOURCE_TABLE;
    if (is_gc(head))
        return DX_SOURCE_GC;
    return is_nul(head) || is_log(head) ? DX_SOURCE_LOG : DX_SOURCE_UNKNOWN;
}

dx_source_kind dx_ingest_sniff_file(const char *path, dx_slice head, bool *binary,
                                    const char **hint) {
    dx_source_kind kind = dx_ingest_sniff(head, binary, hint);
    return kind == DX_SOURCE_GC && path != NULL && has_record(path) ? DX_SOURCE_LOG : kind;
}

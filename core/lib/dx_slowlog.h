/* dx_slowlog - one slow or large RPC call in every form that HBase and its shell write it:
 * "(responseTooSlow): {...}" of 0.92 to 3.x, records of get_slowlog_responses /
 * get_largelog_responses, and rows of scan 'hbase:slowlog'. Nothing here reads files; text comes in
 * whole records. */
#ifndef DX_SLOWLOG_H
#define DX_SLOWLOG_H

#include "dx_err.h"
#include "dx_known.h"
#include "dx_mem.h"
#include "dx_str.h"
#include "dx_time.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum dx_call_form { DX_CALL_LOG, DX_CALL_RING, DX_CALL_TABLE } dx_call_form;

/* All slices are borrowed from the text or the arena given to the decoder, or constants; empty: not
 * told. */
typedef struct dx_call {
    dx_call_form form;
    dx_tri slow, large;        /* by its tag, or the kind of dump */
    int64_t start_ms;          /* UTC, when a handler took the call */
    int64_t proc_ms, queue_ms; /* more than INT32_MAX is no time that HBase writes: not told */
    int64_t response_bytes, block_bytes, fs_read_ms;
    dx_slice method;         /* "Scan", "Multi", "Get", ... as told */
    dx_slice client;         /* "address:port" as told */
    dx_slice client_address; /* without port (split at the last colon) and without %scope */
    dx_slice user, server_class;
    dx_slice table;   /* "ns:table", or "table" in the default namespace; exact */
    dx_slice region;  /* full or encoded name, as printed by HBase (\xHH) */
    dx_slice encoded; /* 32 hex digits (or meta's), when the region's name has them */
    dx_slice row;     /* first row, \xHH form */
    bool has_scanner;
    uint64_t scanner_id;
    /* shape of a scan; told only by an open, unless cut */
    dx_slice start_row, stop_row;       /* \xHH form */
    dx_tri has_start_row, has_stop_row; /* unknown where param was cut before it could be told */
    /* simple class names of filters and comparators, outermost first, each once, joined by "," */
    dx_slice filters;
    dx_slice families; /* joined by "," */
    int64_t caching, batch, limit_rows, max_result_bytes, max_versions, number_of_rows;
    dx_tri cache_blocks, small, reversed, full_range;
    int64_t actions, multi_gets, multi_mutations, multi_service_calls;
    dx_slice operation_id;
    bool param_cut; /* "<TRUNCATED>", or the layout's 1000-character cut */
} dx_call;

/* The offset of a slow-call tag "(responseToo...", "(operationToo..." in message, or -1: one cheap
 * look that a scanner does for every line. */
ptrdiff_t dx_slowlog_tag(dx_slice message);
/* Bytes from `at` (the tag) to the end of its balanced JSON object, 0 when the object is not closed
 * (or not yet begun) in text: then more lines belong to it. Where something else than an object
 * follows, the length of the tag. */
size_t dx_slowlog_extent(dx_slice text, size_t at);

/* A call of which nothing is told but how it was written: no slice, no number, no yes or no. */
dx_call dx_call_blank(dx_call_form form);

/* Which keys came last behind which, for the next record often has them in the same order: only
 * saves time. All zero at first; a scan has one for itself. */
#define DX_SLOWLOG_KEYS 128
typedef struct dx_slowlog_memo {
    const void *keys[DX_SLOWLOG_KEYS][2];
} dx_slowlog_memo;

/* The usual case, in one pass: line begins at a tag, and its object is whole and clean JSON. False:
 * it may be a call all the same; ask dx_slowlog_extent and dx_slowlog_log. *used: bytes up to the
 * object's end. */
bool dx_slowlog_quick(dx_slice line, dx_slowlog_memo *memo, dx_arena *arena, dx_call *out,
                      size_t *used);

/* text begins at a tag; what follows the object is left alone, but give the whole record: an object
 * whose inner quotes lost their backslash is then read by its keys. Slices of out live in text and
 * arena. DX_E_PARSE says what is wrong and at which byte, DX_E_LIMIT that the arena is too small;
 * out is then untouched. A negative number is taken as "not told". */
DX_MUST_CHECK dx_status dx_slowlog_log(dx_slice text, dx_arena *arena, dx_call *out, dx_err *err);
/* A message whose head the layout cut away (1000 characters, ends with "}"): what is left of its
 * keys is read, so that start_ms and proc_ms may be unknown. DX_E_NOTFOUND when it is no slow call.
 */
DX_MUST_CHECK dx_status dx_slowlog_headless(dx_slice text, dx_arena *arena, dx_call *out,
                                            dx_err *err);
/* One JSON object of the ring buffer's shell output. large: the dump was get_largelog_responses. */
DX_MUST_CHECK dx_status dx_slowlog_ring(dx_slice object, dx_tri large, dx_arena *arena,
                                        dx_call *out, dx_err *err);

/* scan 'hbase:slowlog': cells of one row, values with \xHH escapes still in. */
typedef struct dx_slowlog_cell {
    dx_slice qualifier; /* "param", "start_time", ... */
    dx_slice value;
} dx_slowlog_cell;
DX_MUST_CHECK dx_status dx_slowlog_row(const dx_slowlog_cell *cells, size_t n, dx_arena *arena,
                                       dx_call *out, dx_err *err);

#endif

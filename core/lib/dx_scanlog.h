/* dx_scanlog - client scan metrics as applications log them: "returned=60 scanned=42000
 * filtered=41940", or ScanMetrics' own map "{ROWS_SCANNED=..., RPC_CALLS=...}". */
#ifndef DX_SCANLOG_H
#define DX_SCANLOG_H

#include "dx_known.h"
#include "dx_str.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct dx_scan {
    int64_t returned, scanned, filtered; /* rows; DX_UNKNOWN: not told */
    int64_t regions, rpcs, retries;
    int64_t bytes, remote_bytes; /* BYTES_IN_RESULTS, BYTES_IN_REMOTE_RESULTS */
    int64_t between_nexts_ms, took_ms;
    dx_slice table; /* from table=..., or a word that reads "ns:table"; empty: not told */
    char label[64]; /* groups queries: the words of the message before its first pair, without the
                       table; a word is cut at its first digit ("sensor38" -> "sensor#"), so that
                       ids and row keys do not enter. NUL-terminated; "": none */
} dx_scan;

/* True: message carries scan metrics: "scanned=" and a number, or two counters of the map. Pairs
 * come in any order; the first of equal keys counts. Rows scanned 0 beside bytes or rows returned
 * means that the server was not asked for its counters: then scanned and filtered are unknown.
 * table is borrowed from message. */
bool dx_scanlog_read(dx_slice message, dx_scan *out);

#endif

/* dx_scanlog - client scan metrics as applications log them: "returned=60 scanned=42000
 * filtered=41940", or ScanMetrics' own map "{ROWS_SCANNED=..., RPC_CALLS=...}". */
#ifndef DX_SCANLOG_H
#define DX_SCANLOG_H

#include "dx_slowlog.h" /* DX_UNKNOWN */
#include "dx_str.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct dx_scan {
    int64_t returned, scanned, filtered; /* rows; DX_UNKNOWN: not told */
    int64_t regions, rpcs, retries;
    int64_t bytes, remote_bytes; /* BYTES_IN_RESULTS, BYTES_IN_REMOTE_RESULTS */
    int64_t between_nexts_ms, took_ms;
    dx_slice table; /* from table=..., or a word that reads "ns:table"; empty: not told */
    dx_slice
        label; /* words of the message before the first number, without the table: groups queries */
} dx_scan;

/* True: message carries scan metrics (at least rows scanned, or two counters of the map). Slices
 * are borrowed from message. */
bool dx_scanlog_read(dx_slice message, dx_scan *out);

#endif

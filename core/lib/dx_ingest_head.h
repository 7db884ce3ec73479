/* dx_ingest_head - what can be told of a log by its head, before it is read: when it begins, and
 * whether another log begins with it. */
#ifndef DX_INGEST_HEAD_H
#define DX_INGEST_HEAD_H

#include "dx_err.h"
#include "dx_ingest_sniff.h"

#include <stdint.h>

typedef struct dx_ingest_head {
    dx_source_kind kind;
    int64_t
        stamp_ms; /* the first stamp, as if it were UTC, or UTC; DX_TIME_NONE: none in the head */
    bool goes_on; /* its first line begins no record */
} dx_ingest_head;

/* DX_E_IO, DX_E_PARSE: it cannot be read. */
DX_MUST_CHECK dx_status dx_ingest_head_read(const char *path, dx_ingest_head *out, dx_err *err);
/* Whether the text of `path`, decompressed, begins with all of the text of `part`, which is not
 * empty. False also where one of them cannot be read to that end. */
bool dx_ingest_head_same(const char *path, const char *part);

#endif

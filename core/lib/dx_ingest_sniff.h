/* dx_ingest_sniff - what a source is, by its first bytes. */
#ifndef DX_INGEST_SNIFF_H
#define DX_INGEST_SNIFF_H

#include "dx_str.h"

#include <stdbool.h>

typedef enum dx_source_kind {
    DX_SOURCE_UNKNOWN,
    DX_SOURCE_LOG,
    DX_SOURCE_RING,
    DX_SOURCE_TABLE,
    DX_SOURCE_JMX,
    DX_SOURCE_CONF,
    DX_SOURCE_GC
} dx_source_kind;

/* "log", "ring", "slowlog-table", "jmx", "conf", "gc", "unknown": as in the case. */
const char *dx_source_kind_name(dx_source_kind kind);

/* head: the first 64 KiB, or all of it. *binary: it is no text. *hint: what an unknown source seems
 * to be and what to do about it, or NULL. */
dx_source_kind dx_ingest_sniff(dx_slice head, bool *binary, const char **hint);
/* The same of a file: one that begins as a log of the collector, and has a program's record
 * anywhere, is a log, whose reader takes both. path NULL: there is nothing but the head. */
dx_source_kind dx_ingest_sniff_file(const char *path, dx_slice head, bool *binary,
                                    const char **hint);
/* Whether a line is a record of a program, and no collector's. */
bool dx_ingest_sniff_record(dx_slice line);

#endif

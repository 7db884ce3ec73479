/* dx_jmx - a /jmx document of HBase 0.92 to 3.x -> flat samples, indexed once. A document that is
 * cut or has a bare NaN gives all that is whole in it; the damage is reported beside. */
#ifndef DX_JMX_H
#define DX_JMX_H

#include "dx_err.h"
#include "dx_str.h"
#include "dx_time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum dx_jmx_type { DX_JMX_INT, DX_JMX_REAL, DX_JMX_TEXT, DX_JMX_BOOL } dx_jmx_type;

/* Slices live as long as the document. */
typedef struct dx_jmx_sample {
    dx_slice bean; /* canonical: "RegionServer.Server", "Master.AssignmentManager", "JvmMetrics" for
                      Hadoop:service=HBase; else domain ":" key properties sorted by key,
                      "java.lang:name=G1 Old Generation,type=GarbageCollector" */
    dx_slice name; /* attribute; parts of a composite are joined by a dot: "HeapMemoryUsage.max" */
    /* taken out of the attribute's (or the bean's) name: "ns:table", or "table" in the default
     * namespace; a region's encoded name */
    dx_slice table, region, family, user;
    dx_jmx_type type;
    int64_t i;     /* INT, BOOL: exact, 64 bits */
    double d;      /* INT (rounded), REAL (may be NaN or infinite) */
    dx_slice text; /* TEXT */
} dx_jmx_sample;

typedef struct dx_jmx dx_jmx;

/* name is for messages, NULL is fine. DX_E_PARSE: nothing in it is a /jmx document (says what it
 * looks like: HTML, an error body, empty). A damaged document is DX_OK with dx_jmx_damage set. */
DX_MUST_CHECK dx_status dx_jmx_read(dx_jmx **out, dx_slice text, const char *name, dx_err *err);
void dx_jmx_free(dx_jmx *doc); /* NULL is fine */

size_t dx_jmx_count(const dx_jmx *doc);
const dx_jmx_sample *dx_jmx_at(const dx_jmx *doc, size_t i);
/* The sample without labels of that bean and name, or NULL; a hash look-up. */
const dx_jmx_sample *dx_jmx_find(const dx_jmx *doc, const char *bean, const char *name);
size_t dx_jmx_beans(const dx_jmx *doc);
const char *dx_jmx_damage(const dx_jmx *doc); /* NULL: whole. "cut at byte 8123 ...", "bare NaN" */

/* The document's own clock: StartTime + Uptime of the Runtime bean; DX_TIME_NONE: it has none. */
int64_t dx_jmx_time(const dx_jmx *doc);
/* tag.serverName of the RegionServer (or, failing that, the Master): "host,port,startcode"; empty:
 * not told. *is_master: the name is a master's. */
dx_slice dx_jmx_server(const dx_jmx *doc, bool *is_master);

/* True when the head of a document looks like /jmx ("beans" soon after the brace). */
bool dx_jmx_sniff(dx_slice head);

#endif

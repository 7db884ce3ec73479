/* dx_region - the names of regions, "table,startkey,id.encoded.", as HBase prints them. They are
 * read from the right, since a start key may hold any printable byte, commas and dots too. */
#ifndef DX_REGION_H
#define DX_REGION_H

#include "dx_str.h"

#include <stdbool.h>

/* The whole of s is an encoded name: 32 hex digits, or up to 10 decimal ones (meta, and regions of
 * 0.90 and before). */
bool dx_region_encoded(dx_slice s);
/* Its parts, borrowed; false: not a region name. encoded may come out empty (meta's raw name). */
bool dx_region_split(dx_slice region, dx_slice *table, dx_slice *encoded);
/* The encoded name at the end of a name whose head may be anything: 32 hex digits and a dot, or a
 * catalog region's short form; also s itself when it is 32 hex digits. Empty: s does not end like a
 * region's name. */
dx_slice dx_region_tail(dx_slice s);

#endif

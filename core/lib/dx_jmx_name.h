/* dx_jmx_name - what the names in a /jmx document carry: the canonical name of a bean, and table,
 * region, family or user inside of an attribute's name. Inner part of dx_jmx. */
#ifndef DX_JMX_NAME_H
#define DX_JMX_NAME_H

#include "dx_mem.h"
#include "dx_str.h"

#include <stdbool.h>

/* All slices are parts of the name that was read. */
typedef struct dx_jmx_labels {
    dx_slice name; /* the metric */
    dx_slice ns;   /* empty: none, or it stands in the table's name already */
    dx_slice table, region, family, user;
} dx_jmx_labels;

/* The canonical name (see dx_jmx.h), in the arena or part of object_name. A bean of one table
 * ("TableRequests_Namespace_...") gives its table in labels. False: the arena is full. */
bool dx_jmx_bean_name(dx_slice *bean, dx_jmx_labels *labels, dx_slice object_name, dx_arena *arena);

/* Splits an attribute's name; one without labels is its own metric. Read from the right, for a
 * table's name may hold "_table_", "_region_" and the like. */
void dx_jmx_split(dx_jmx_labels *labels, dx_slice bean, dx_slice attribute);

#endif

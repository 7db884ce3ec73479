/* dx_conf - hbase-site.xml, /conf as XML and as JSON -> properties. The only user of expat. */
#ifndef DX_CONF_H
#define DX_CONF_H

#include "dx_err.h"
#include "dx_str.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct dx_property {
    const char *name, *value; /* NUL-terminated, owned by the set; value NULL: <value/> or null */
    const char *resource;     /* "hbase-site.xml", "hbase-default.xml", "programatically", or "" */
    bool is_final;
    unsigned long line; /* where it stands, 0: not told (JSON) */
    size_t earlier;     /* 1 + index of an earlier property of the same name, or 0 */
} dx_property;

typedef struct dx_conf dx_conf;

/* XML or JSON by its first byte, at most 64 MiB (DX_E_LIMIT); name is for messages, NULL is fine.
 * DX_E_PARSE: not a configuration. A document that breaks off or has
 * a broken entry is DX_OK with dx_conf_damage set; its whole properties are there. */
DX_MUST_CHECK dx_status dx_conf_read(dx_conf **out, dx_slice text, const char *name, dx_err *err);
void dx_conf_free(dx_conf *c); /* NULL is fine */
size_t dx_conf_count(const dx_conf *c);
const dx_property *dx_conf_at(const dx_conf *c, size_t i); /* in the document's order; or NULL */
const char *dx_conf_damage(const dx_conf *c); /* NULL: whole; else what is wrong, on which line */
/* True when the head of a document looks like a configuration. */
bool dx_conf_sniff(dx_slice head);

#endif

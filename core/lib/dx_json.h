/* dx_json - decode and encode JSON. The only user of cJSON, around which it mends what HBase's
 * documents do to a strict parser: exact 64-bit integers, bare NaN / Infinity, documents that break
 * off. */
#ifndef DX_JSON_H
#define DX_JSON_H

#include "dx_buf.h"
#include "dx_err.h"
#include "dx_str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum dx_json_type {
    DX_JSON_NULL,
    DX_JSON_BOOL,
    DX_JSON_INT,
    DX_JSON_REAL,
    DX_JSON_TEXT,
    DX_JSON_ARRAY,
    DX_JSON_OBJECT
} dx_json_type;

typedef struct dx_json dx_json;           /* a document; owns its nodes */
typedef struct dx_json_node dx_json_node; /* borrowed from a document */

/* lenient: bare NaN, Infinity, -Infinity, trailing commas and a document that breaks off are taken;
 * what was mended is told by dx_json_damage. Otherwise DX_E_PARSE names the byte. */
DX_MUST_CHECK dx_status dx_json_read(dx_json **out, dx_slice text, bool lenient, dx_err *err);
void dx_json_free(dx_json *doc);                /* NULL is fine */
const char *dx_json_damage(const dx_json *doc); /* NULL: none */
const dx_json_node *dx_json_root(const dx_json *doc);

dx_json_type dx_json_kind(const dx_json_node *n);
int64_t dx_json_int(const dx_json_node *n);   /* INT, BOOL */
double dx_json_real(const dx_json_node *n);   /* INT, REAL */
dx_slice dx_json_text(const dx_json_node *n); /* TEXT; a \u0000 in it has become U+FFFD */
dx_slice dx_json_key(const dx_json_node *n);  /* the member's name, empty outside of an object */
const dx_json_node *dx_json_first(const dx_json_node *n); /* first child, or NULL */
const dx_json_node *dx_json_next(const dx_json_node *n);  /* next sibling, or NULL */
/* Member of an object, or NULL. Linear: for small objects; walk large ones. */
const dx_json_node *dx_json_get(const dx_json_node *n, const char *key);

/* Appends s as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
 * What a terminal would obey (C1 controls, bidirectional and invisible format controls) becomes
 * \uXXXX, so that JSON can be looked at as it is. */
void dx_json_quote(dx_buf *out, dx_slice s);

#endif

/* dx_json.c - the text goes through dx_json_mend, then through cJSON; numbers that cJSON would have
 * rounded are read here from their digits when asked. */
#include "dx_json.h"
#include "dx_json_mend.h"
#include "dx_mem.h"
#include "dx_text.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

struct dx_json {
    cJSON *root;
    dx_buf damage;
};

dx_status dx_json_read(dx_json **out, dx_slice text, bool lenient, dx_err *err) {
    dx_buf mended = {0};
    dx_json *doc = dx_calloc(1, sizeof *doc);
    if (doc == NULL)
        return dx_fail(err, DX_E_NOMEM, "JSON: no memory");
    dx_status status = dx_json_mend(&mended, &doc->damage, text, lenient, err);
    if (status != DX_OK)
        goto out;
    doc->root = cJSON_ParseWithLength(mended.p, mended.n);
    if (doc->root == NULL) {
        status = dx_fail(err, DX_E_NOMEM, "JSON: no memory for the values of %zu bytes", text.n);
        goto out;
    }
    *out = doc;
    doc = NULL;
out:
    dx_buf_done(&mended);
    dx_json_free(doc);
    return status;
}

void dx_json_free(dx_json *doc) {
    if (doc == NULL)
        return;
    cJSON_Delete(doc->root);
    dx_buf_done(&doc->damage);
    free(doc);
}

const char *dx_json_damage(const dx_json *doc) {
    return doc->damage.n > 0 ? doc->damage.p : NULL;
}

static const cJSON *item(const dx_json_node *n) {
    return (const cJSON *)n;
}

static const dx_json_node *node(const cJSON *j) {
    return (const dx_json_node *)j;
}

const dx_json_node *dx_json_root(const dx_json *doc) {
    return node(doc->root);
}

dx_json_type dx_json_kind(const dx_json_node *n) {
    switch (item(n)->type & 0xff) {
    case cJSON_False:
    case cJSON_True: return DX_JSON_BOOL;
    case cJSON_Number: return DX_JSON_INT;
    case cJSON_Array: return DX_JSON_ARRAY;
    case cJSON_Object: return DX_JSON_OBJECT;
    case cJSON_String:
        return item(n)->valuestring[0] == DX_JSON_INT_MARK[0]    ? DX_JSON_INT
               : item(n)->valuestring[0] == DX_JSON_REAL_MARK[0] ? DX_JSON_REAL
                                                                 : DX_JSON_TEXT;
    default: return DX_JSON_NULL;
    }
}

int64_t dx_json_int(const dx_json_node *n) {
    int64_t v = 0;
    switch (item(n)->type & 0xff) {
    case cJSON_True: return 1;
    case cJSON_Number: return (int64_t)item(n)->valuedouble;
    case cJSON_String:
        if (item(n)->valuestring[0] == DX_JSON_INT_MARK[0])
            dx_slice_i64(dx_s(item(n)->valuestring + 1), &v);
        return v;
    default: return 0;
    }
}

double dx_json_real(const dx_json_node *n) {
    double v = 0;
    if (dx_json_kind(n) == DX_JSON_REAL)
        dx_slice_f64(dx_s(item(n)->valuestring + 1), &v);
    else
        v = (double)dx_json_int(n);
    return v;
}

dx_slice dx_json_text(const dx_json_node *n) {
    return dx_json_kind(n) == DX_JSON_TEXT ? dx_s(item(n)->valuestring) : dx_s(NULL);
}

dx_slice dx_json_key(const dx_json_node *n) {
    return dx_s(item(n)->string);
}

const dx_json_node *dx_json_first(const dx_json_node *n) {
    return node(item(n)->child);
}

const dx_json_node *dx_json_next(const dx_json_node *n) {
    return node(item(n)->next);
}

const dx_json_node *dx_json_get(const dx_json_node *n, const char *key) {
    if (dx_json_kind(n) != DX_JSON_OBJECT)
        return NULL;
    const cJSON *j = item(n)->child;
    while (j != NULL && !dx_str_eq(j->string, key))
        j = j->next;
    return node(j);
}

/* "\\uXXXX", a pair of them beyond U+FFFF. */
static void quote_point(dx_buf *out, uint32_t c) {
    if (c <= 0xffff) {
        dx_buf_addf(out, "\\u%04x", (unsigned)c);
        return;
    }
    c -= 0x10000;
    dx_buf_addf(out, "\\u%04x\\u%04x", (unsigned)(0xd800 | c >> 10),
                (unsigned)(0xdc00 | (c & 0x3ff)));
}

/* Appends the character at the head of s that cannot stand for itself; returns its bytes. */
static size_t quote_one(dx_buf *out, dx_slice s) {
    static const char *const letters = "b\bf\fn\nr\rt\t\"\"\\\\";
    unsigned char c = (unsigned char)s.p[0];
    for (const char *l = letters; *l != '\0'; l += 2)
        if ((unsigned char)l[1] == c) {
            dx_buf_addc(out, '\\');
            dx_buf_addc(out, l[0]);
            return 1;
        }
    uint32_t point;
    size_t len = dx_text_decode(s, &point);
    if (len == 0)
        dx_buf_adds(out, DX_JSON_REPLACEMENT);
    else if (!dx_text_harmless(point))
        quote_point(out, point);
    else
        dx_buf_add(out, s.p, len);
    return len == 0 ? 1 : len;
}

/* Most texts stand for themselves. */
static void quote_plain(dx_buf *out, dx_slice s) {
    char *to = out->p + out->n;
    to[0] = '"';
    if (s.n > 0)
        memcpy(to + 1, s.p, s.n);
    memcpy(to + 1 + s.n, "\"", 2);
    out->n += s.n + 2;
}

void dx_json_quote(dx_buf *out, dx_slice s) {
    if (dx_json_plain(s.p, s.n) == s.n) {
        if (dx_buf_reserve(out, s.n + 2))
            quote_plain(out, s);
        return;
    }
    dx_buf_addc(out, '"');
    while (s.n > 0) {
        size_t n = dx_json_plain(s.p, s.n);
        dx_buf_add(out, s.p, n);
        s = dx_slice_sub(s, n, s.n);
        if (s.n > 0)
            s = dx_slice_sub(s, quote_one(out, s), s.n);
    }
    dx_buf_addc(out, '"');
}

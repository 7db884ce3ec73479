/* dx_conf.c - both readers append whole properties only, so that damage costs at most the one it
 * hits. A DOCTYPE ends the reading: Hadoop's files have none, and entities are a way to attack. */
#include "dx_conf.h"
#include "dx_buf.h"
#include "dx_json.h"
#include "dx_map.h"
#include "dx_mem.h"

#include <expat.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES  ((size_t)64 << 20)
#define MAX_DAMAGE 1000 /* bytes of text */

struct dx_conf {
    dx_property *items;
    size_t count, cap;
    dx_arena *strings;
    dx_map *last; /* name -> 1 + index of its last property */
    dx_buf damage;
};

static bool add_property(dx_conf *c, const dx_property *p) {
    void *grown = c->items;
    uint64_t earlier = 0;
    if (!dx_grow(&grown, &c->cap, c->count + 1, sizeof *c->items))
        return false;
    c->items = grown;
    dx_map_get(c->last, dx_s(p->name), &earlier);
    c->items[c->count] = *p;
    c->items[c->count].earlier = (size_t)earlier;
    return dx_map_put(c->last, dx_s(p->name), ++c->count);
}

/* Adds a piece of damage; once there is a page of it, no more. */
DX_PRINTF(2, 3) static void tell(dx_conf *c, const char *fmt, ...) {
    char text[256];
    va_list ap;
    if (c->damage.n > MAX_DAMAGE)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    dx_buf_adds(&c->damage, c->damage.n > 0 ? "; " : "");
    dx_buf_adds(&c->damage, text);
    if (c->damage.n > MAX_DAMAGE)
        dx_buf_adds(&c->damage, "; and more");
}

/* --- XML --- */

typedef enum field { NAME, VALUE, FINAL, SOURCE, FIELDS } field;

static const char *const field_tags[FIELDS] = {"name", "value", "final", "source"};

typedef struct reader {
    dx_conf *conf;
    XML_Parser parser;
    unsigned long first_line; /* lines before the first '<' */
    int depth;
    int property;    /* the depth of the property we are in; 0: in none */
    int field;       /* whose text is read, FIELDS: none */
    bool root, done; /* seen <configuration>; stopped by us */
    dx_buf text[FIELDS];
    bool has[FIELDS];
    unsigned long line;
    dx_status status;
} reader;

static unsigned long line_of(const reader *r) {
    return (unsigned long)XML_GetCurrentLineNumber(r->parser) + r->first_line;
}

static void stop(reader *r, dx_status status) {
    r->status = status;
    r->done = true;
    XML_StopParser(r->parser, XML_FALSE);
}

static void clear_property(reader *r) {
    for (int k = 0; k < FIELDS; k++) {
        dx_buf_clear(&r->text[k]);
        r->has[k] = false;
    }
    r->line = line_of(r);
    r->field = FIELDS;
}

/* Hadoop 3 takes <property name="" value="" final="" source=""/> too. */
static void read_attributes(reader *r, const XML_Char **attributes) {
    for (; attributes[0] != NULL; attributes += 2)
        for (int k = 0; k < FIELDS; k++)
            if (dx_str_eq(attributes[0], field_tags[k])) {
                dx_buf_clear(&r->text[k]);
                dx_buf_adds(&r->text[k], attributes[1]);
                r->has[k] = true;
            }
}

static void start_field(reader *r, const XML_Char *tag) {
    for (int k = 0; k < FIELDS; k++)
        if (dx_str_eq(tag, field_tags[k])) {
            r->field = k;
            dx_buf_clear(&r->text[k]);
            r->has[k] = true;
            if (k == NAME)
                r->line = line_of(r);
        }
}

static bool is_include(const XML_Char *tag) {
    dx_slice s = dx_s(tag);
    return dx_slice_is(s, "include") || dx_slice_ends(s, ":include");
}

static void XMLCALL on_start(void *data, const XML_Char *tag, const XML_Char **attributes) {
    reader *r = data;
    r->depth++;
    if (dx_str_eq(tag, "configuration"))
        r->root = true;
    else if (!r->root)
        stop(r, DX_E_PARSE);
    else if (r->property > 0 && r->depth == r->property + 1)
        start_field(r, tag);
    else if (r->property == 0 && dx_str_eq(tag, "property")) {
        r->property = r->depth;
        clear_property(r);
        read_attributes(r, attributes);
    } else if (is_include(tag))
        tell(r->conf, "line %lu: an include, its file is not read", line_of(r));
}

/* Text of a field without blanks around it; NULL when there is none at all. */
static const char *field_text(reader *r, field k, bool *no_memory) {
    if (!r->has[k] || (r->text[k].n == 0 && !r->text[k].failed))
        return NULL;
    char *copy = dx_buf_ok(&r->text[k])
                     ? dx_arena_dup(r->conf->strings, dx_slice_trim(dx_buf_slice(&r->text[k])))
                     : NULL;
    *no_memory |= copy == NULL;
    return copy;
}

static void end_property(reader *r) {
    bool no_memory = false;
    const char *source = field_text(r, SOURCE, &no_memory);
    dx_property p = {
        .name = field_text(r, NAME, &no_memory),
        .value = field_text(r, VALUE, &no_memory),
        .resource = source == NULL ? "" : source,
        .is_final = dx_str_eq(field_text(r, FINAL, &no_memory), "true"),
        .line = r->line,
    };
    r->property = 0;
    if (no_memory)
        stop(r, DX_E_NOMEM);
    else if (p.name == NULL || p.name[0] == '\0')
        tell(r->conf, "line %lu: a property without a name", r->line);
    else if (!add_property(r->conf, &p))
        stop(r, DX_E_NOMEM);
}

static void XMLCALL on_end(void *data, const XML_Char *tag) {
    reader *r = data;
    (void)tag;
    if (r->depth == r->property)
        end_property(r);
    else if (r->depth == r->property + 1)
        r->field = FIELDS;
    r->depth--;
}

static void XMLCALL on_text(void *data, const XML_Char *text, int n) {
    reader *r = data;
    if (r->field < FIELDS)
        dx_buf_add(&r->text[r->field], text, (size_t)n);
}

static void XMLCALL on_doctype(void *data, const XML_Char *name, const XML_Char *system,
                               const XML_Char *public, int has_subset) {
    (void)name, (void)system, (void)public, (void)has_subset;
    reader *r = data;
    tell(r->conf, "line %lu: a DOCTYPE, which hbdx does not read", line_of(r));
    stop(r, DX_E_PARSE);
}

/* XML starts at its first '<': pasted files have blank lines before. */
static dx_slice skip_lines(dx_slice text, unsigned long *lines) {
    dx_slice s = text;
    if (dx_slice_starts(s, "\xef\xbb\xbf"))
        s = dx_slice_sub(s, 3, s.n);
    for (*lines = 0; s.n > 0 && dx_slice_trim(dx_slice_sub(s, 0, 1)).n == 0;
         s = dx_slice_sub(s, 1, s.n))
        *lines += s.p[0] == '\n';
    return s;
}

static bool is_fragment(dx_slice text) {
    return dx_slice_starts(text, "<property>") || dx_slice_starts(text, "<property ");
}

/* Properties that were pasted without their <configuration> get one. */
static enum XML_Status feed(reader *r, dx_slice text) {
    static const char head[] = "<configuration>", foot[] = "</configuration>";
    if (!is_fragment(text))
        return XML_Parse(r->parser, text.p, (int)text.n, 1);
    tell(r->conf, "properties without <configuration> around them");
    enum XML_Status status = XML_Parse(r->parser, head, sizeof head - 1, 0);
    if (status == XML_STATUS_OK)
        status = XML_Parse(r->parser, text.p, (int)text.n, 0);
    if (status == XML_STATUS_OK)
        status = XML_Parse(r->parser, foot, sizeof foot - 1, 1);
    return status;
}

static dx_status parse_xml(reader *r, dx_slice text) {
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, on_start, on_end);
    XML_SetCharacterDataHandler(r->parser, on_text);
    XML_SetStartDoctypeDeclHandler(r->parser, on_doctype);
    if (feed(r, text) == XML_STATUS_OK || r->done)
        return r->status;
    enum XML_Error code = XML_GetErrorCode(r->parser);
    if (code == XML_ERROR_NO_MEMORY)
        return DX_E_NOMEM;
    tell(r->conf, "line %lu: %s%s", line_of(r), XML_ErrorString(code),
         r->depth > 0 ? ", the rest is not read" : "");
    return DX_OK;
}

static dx_status read_xml(dx_conf *c, dx_slice text, const char *name, dx_err *err) {
    reader r = {.conf = c, .field = FIELDS, .parser = XML_ParserCreate(NULL)};
    text = skip_lines(text, &r.first_line);
    for (int k = 0; k < FIELDS; k++)
        dx_buf_init(&r.text[k], 0);
    dx_status status = r.parser == NULL ? DX_E_NOMEM : parse_xml(&r, text);
    if (r.parser != NULL)
        XML_ParserFree(r.parser);
    for (int k = 0; k < FIELDS; k++)
        dx_buf_done(&r.text[k]);
    if (status == DX_E_NOMEM || !dx_buf_ok(&c->damage))
        return dx_fail(err, DX_E_NOMEM, "%s: no memory", name);
    if (!r.root)
        return dx_fail(err, DX_E_PARSE, "%s: not a configuration: it has no <configuration>%s%s",
                       name, c->damage.n > 0 ? "; " : "", c->damage.n > 0 ? c->damage.p : "");
    return DX_OK;
}

/* --- JSON --- */

/* A value as text; false: it is an array or an object. NULL: null, or no memory. */
static bool value_text(dx_conf *c, const dx_json_node *n, const char **text) {
    dx_buf b;
    bool good = true;
    *text = NULL;
    dx_buf_init(&b, 0);
    switch (dx_json_kind(n)) {
    case DX_JSON_TEXT: *text = dx_arena_dup(c->strings, dx_slice_trim(dx_json_text(n))); break;
    case DX_JSON_BOOL: *text = dx_json_int(n) != 0 ? "true" : "false"; break;
    case DX_JSON_INT: dx_buf_addf(&b, "%" PRId64, dx_json_int(n)); break;
    case DX_JSON_REAL: dx_buf_add_real(&b, dx_json_real(n)); break;
    case DX_JSON_NULL: break;
    default: good = false; break;
    }
    if (b.n > 0)
        *text = dx_arena_dup(c->strings, dx_buf_slice(&b));
    dx_buf_done(&b);
    return good;
}

/* One entry of "properties": {"key": , "value": , "isFinal": , "resource": }. */
static bool add_entry(dx_conf *c, const dx_json_node *n) {
    const dx_json_node *key = dx_json_get(n, "key"), *value = dx_json_get(n, "value");
    const dx_json_node *final = dx_json_get(n, "isFinal"), *resource = dx_json_get(n, "resource");
    dx_property p = {.is_final = final != NULL && dx_json_int(final) != 0};
    bool good = key != NULL && dx_slice_trim(dx_json_text(key)).n > 0 && value_text(c, key, &p.name)
                && (value == NULL || value_text(c, value, &p.value))
                && (resource == NULL || value_text(c, resource, &p.resource));
    if (!good) {
        tell(c, "entry %zu is no property", c->count + 1);
        return true;
    }
    if (p.resource == NULL)
        p.resource = "";
    return p.name != NULL && add_property(c, &p);
}

/* damaged: the last entry may be cut, then without a value it is not whole. */
static bool add_entries(dx_conf *c, const dx_json_node *list, bool damaged) {
    if (dx_json_kind(list) == DX_JSON_OBJECT) /* one, asked for by its name */
        return add_entry(c, list);
    for (const dx_json_node *n = dx_json_first(list); n != NULL; n = dx_json_next(n)) {
        if (damaged && dx_json_next(n) == NULL && dx_json_get(n, "value") == NULL)
            break;
        if (!add_entry(c, n))
            return false;
    }
    return true;
}

static dx_status read_json(dx_conf *c, dx_slice text, const char *name, dx_err *err) {
    dx_json *json = NULL;
    dx_status status = dx_json_read(&json, text, true, err);
    if (status != DX_OK) {
        dx_err_prefix(err, "%s", name);
        return status;
    }
    const dx_json_node *root = dx_json_root(json), *list = dx_json_get(root, "properties");
    if (list == NULL)
        list = dx_json_get(root, "property");
    if (dx_json_damage(json) != NULL)
        tell(c, "%s", dx_json_damage(json));
    if (list == NULL)
        status =
            dx_fail(err, DX_E_PARSE, "%s: not a configuration: JSON without \"properties\"", name);
    else if (!add_entries(c, list, dx_json_damage(json) != NULL) || !dx_buf_ok(&c->damage))
        status = dx_fail(err, DX_E_NOMEM, "%s: no memory", name);
    dx_json_free(json);
    return status;
}

static dx_conf *new_conf(void) {
    dx_conf *c = dx_calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->strings = dx_arena_new(0);
    c->last = dx_map_new();
    if (c->strings != NULL && c->last != NULL)
        return c;
    dx_conf_free(c);
    return NULL;
}

/* text from its first byte that is no blank on. */
static dx_slice skip_blanks(dx_slice text) {
    unsigned long lines;
    return skip_lines(text, &lines);
}

dx_status dx_conf_read(dx_conf **out, dx_slice text, const char *name, dx_err *err) {
    if (name == NULL)
        name = "input";
    if (text.n > MAX_BYTES)
        return dx_fail(err, DX_E_LIMIT, "%s: %zu bytes are too many for a configuration", name,
                       text.n);
    dx_slice start = skip_blanks(text);
    char first = start.n == 0 ? '\0' : start.p[0];
    if (first != '<' && first != '{')
        return dx_fail(err, DX_E_PARSE, "%s: %s", name,
                       first == '\0' ? "empty" : "not a configuration: neither XML nor JSON");
    dx_conf *c = new_conf();
    if (c == NULL)
        return dx_fail(err, DX_E_NOMEM, "%s: no memory", name);
    dx_status status = first == '<' ? read_xml(c, text, name, err) : read_json(c, text, name, err);
    if (status == DX_OK)
        *out = c;
    else
        dx_conf_free(c);
    return status;
}

void dx_conf_free(dx_conf *c) {
    if (c == NULL)
        return;
    free(c->items);
    dx_arena_free(c->strings);
    dx_map_free(c->last);
    dx_buf_done(&c->damage);
    free(c);
}

size_t dx_conf_count(const dx_conf *c) {
    return c->count;
}

const dx_property *dx_conf_at(const dx_conf *c, size_t i) {
    return i < c->count ? &c->items[i] : NULL;
}

const char *dx_conf_damage(const dx_conf *c) {
    return c->damage.n > 0 ? c->damage.p : NULL;
}

bool dx_conf_sniff(dx_slice head) {
    head = skip_blanks(head);
    if (dx_slice_starts(head, "<"))
        return is_fragment(head) || dx_slice_find(head, "<configuration", 0) >= 0
               || dx_slice_find(head, "configuration.xsl", 0) >= 0;
    dx_slice key = skip_blanks(dx_slice_sub(head, 1, head.n));
    return dx_slice_starts(head, "{")
           && (dx_slice_starts(key, "\"properties\"") || dx_slice_starts(key, "\"property\""));
}

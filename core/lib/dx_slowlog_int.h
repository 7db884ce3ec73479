/* dx_slowlog_int.h - what the files of dx_slowlog share, from the ground up: a file calls
 * only what stands above its own part. Nobody else includes it.
 * A record is walked once by a small pull reader of JSON; what depends on other keys (param,
 * scandetails, call) waits as a raw value until the whole object is read. Texts of a finished
 * record live in the caller's arena. */
#ifndef DX_SLOWLOG_INT_H
#define DX_SLOWLOG_INT_H

#include "dx_slowlog.h"

typedef enum slow_kind {
    SLOW_NONE,
    SLOW_WORD, /* a number, true, false, null */
    SLOW_STRING,
    SLOW_OBJECT,
    SLOW_ARRAY
} slow_kind;

typedef struct slow_value {
    slow_kind kind;
    bool escaped; /* of a string: raw has escapes, or line breaks that are not its own */
    dx_slice raw; /* a string without its quotes, a nested value with its brackets */
} slow_value;

typedef struct slow_json {
    const char *begin, *at, *end;
    const char *want; /* NULL, or what was expected at `at`; then nothing more is read */
    bool later;       /* a member or an element has been read */
    bool broken;      /* line breaks stand in the text */
} slow_json;

/* --- dx_slowlog_json.c */

/* text begins with bracket, else j->want is set. */
void slow_json_open(slow_json *j, dx_slice text, char bracket);
/* The next member or element; false at the end, and on an error (j->want). */
bool slow_json_member(slow_json *j, dx_slice *key, slow_value *v);
bool slow_json_element(slow_json *j, slow_value *v);
/* The first '"' of s that is not escaped, or s.n. */
size_t slow_json_quote(dx_slice s);
/* Undoes JSON escapes and drops line breaks; an escape that JSON does not know stays as it is. out
 * has room for raw.n bytes, and may be raw.p. Returns the bytes written. */
size_t slow_json_unescape(char *out, dx_slice raw);

typedef struct slow_rec {
    dx_call c;
    dx_arena *arena;
    dx_slowlog_memo *memo; /* or NULL */
    bool no_memory;        /* sticks: a text did not fit into the arena */
    bool nested;           /* the members read are those of the ring's "scan" */
    slow_value param, details, call, kind, region_name;
} slow_rec;

/* --- dx_slowlog_text.c */

/* n bytes of the arena, or NULL and r->no_memory. */
char *slow_alloc(slow_rec *r, size_t n);
dx_slice slow_text(slow_rec *r, slow_value v); /* of a string or a word, without its escapes */
dx_slice slow_join(slow_rec *r, const dx_slice *parts, size_t n); /* with "," */

/* A region's name in \xHH form, full or encoded: sets region, encoded, table as far as unknown. */
void slow_region(slow_rec *r, dx_slice name);
/* Of a region's name whose end may be missing: the table, when it is there whole. */
void slow_table(slow_rec *r, dx_slice name);

/* --- dx_slowlog_scan.c */

/* The protobuf text of a ScanRequest; r->c.param_cut says whether its end is missing. */
void slow_scan_text(slow_rec *r, dx_slice text);
/* Class names in what Filter.toString printed: "FilterList AND (1/1): [PrefixFilter a]". */
void slow_filter_text(slow_rec *r, dx_slice text);

/* --- dx_slowlog_param.c */

/* param and scandetails, unescaped and in the arena. */
void slow_param(slow_rec *r, dx_slice text);
void slow_details(slow_rec *r, dx_slice text);

/* --- dx_slowlog_rec.c */

void slow_begin(slow_rec *r, dx_arena *arena, dx_call_form form);
/* A member of any form's vocabulary; keys that nobody knows are left alone. */
void slow_assign(slow_rec *r, dx_slice key, slow_value v);
/* Reads all members of an object; false: j->want says what is wrong at j->at. */
bool slow_object(slow_rec *r, slow_json *j, dx_slice object);
/* DX_E_PARSE for the place where j stopped. */
DX_MUST_CHECK dx_status slow_fail_json(const slow_json *j, size_t offset, dx_err *err);

/* --- dx_slowlog_end.c */

/* What follows from the members: method, client_address, table, scan shape. Then *out is the
 * record. What was not told stays unknown; DX_E_LIMIT: the arena is full. */
DX_MUST_CHECK dx_status slow_end(slow_rec *r, dx_call *out, dx_err *err);

#endif

/* dx_pattern - Lua's patterns (manual of Lua 5.4, section 6.4.1) as a matcher that can be stopped.
 * A pattern is read once into items; matching walks the items and backtracks. A short pattern can
 * take time beyond all bounds, so the matcher asks every few thousand steps whether to go on.
 * Differences from the stock functions: a malformed pattern is refused always, also when the
 * subject would not have led there; classes are ASCII's, whatever the locale. */
#ifndef DX_PATTERN_H
#define DX_PATTERN_H

#include "dx_err.h"
#include "dx_str.h"

#include <stdbool.h>
#include <stddef.h>

#define DX_PATTERN_CAPTURES 32  /* at most, as in Lua */
#define DX_PATTERN_DEPTH    200 /* repeated or captured items that may nest, as in Lua */

typedef struct dx_pattern dx_pattern;

/* Bytes that a pattern of that length needs, aligned for any type. */
size_t dx_pattern_size(size_t length);
/* Reads text (borrowed, it must outlive p) into p, which has dx_pattern_size(text.n) bytes.
 * anchored: a '^' at the head ties the match to its start; else it is a plain character. */
DX_MUST_CHECK dx_status dx_pattern_read(dx_pattern *p, dx_slice text, bool anchored, dx_err *err);

typedef struct dx_capture {
    size_t from, to;
    bool position; /* "()": only `from` counts */
} dx_capture;

typedef struct dx_match {
    size_t from, to; /* the whole match */
    size_t n;        /* captures */
    dx_capture captures[DX_PATTERN_CAPTURES];
} dx_match;

/* May the matcher go on? Asked at most every DX_PATTERN_STEPS steps. */
#define DX_PATTERN_STEPS 4096
typedef struct dx_patience {
    bool (*go_on)(void *ud); /* NULL: always */
    void *ud;
    size_t left; /* steps until the next question; starts at 0, kept from call to call */
} dx_patience;

/* Matches at byte `at` exactly. DX_ROW: it does; DX_DONE: it does not; DX_E_LIMIT: stopped, or the
 * pattern is too complex. */
DX_MUST_CHECK dx_status dx_pattern_at(const dx_pattern *p, dx_slice subject, size_t at,
                                      dx_patience *patience, dx_match *out, dx_err *err);
/* The first match at or after byte `at` (at `at` only, when the pattern is anchored). */
DX_MUST_CHECK dx_status dx_pattern_find(const dx_pattern *p, dx_slice subject, size_t at,
                                        dx_patience *patience, dx_match *out, dx_err *err);
bool dx_pattern_anchored(const dx_pattern *p);
/* True when text has no magic character: then it can be looked for as it is. */
bool dx_pattern_plain(dx_slice text);

#endif

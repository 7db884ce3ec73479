/* fuzz_json.c - JSON, strict and lenient; what is read and written again is the same. */
#include "dx_json.h"
#include "fuzz.h"

const size_t fuzz_stretch = 1u << 19;

static void walk(const dx_json_node *n) {
    for (; n != NULL; n = dx_json_next(n)) {
        fuzz_touch(dx_json_key(n));
        switch (dx_json_kind(n)) {
        case DX_JSON_INT:
        case DX_JSON_BOOL: dx_json_int(n); break;
        case DX_JSON_REAL: dx_json_real(n); break;
        case DX_JSON_TEXT: fuzz_touch(dx_json_text(n)); break;
        default: walk(dx_json_first(n)); break;
        }
    }
}

static bool read_one(dx_slice in, bool lenient) {
    dx_json *doc;
    dx_err err;
    dx_status st = dx_json_read(&doc, in, lenient, &err);
    fuzz_check(st == DX_OK || st == DX_E_PARSE || st == DX_E_LIMIT);
    if (st != DX_OK)
        return false;
    fuzz_touch_string(dx_json_damage(doc));
    walk(dx_json_root(doc));
    dx_json_free(doc);
    return true;
}

/* in as a string: the text that comes back is quoted to the same bytes. */
static void quote(dx_slice in) {
    dx_buf once, twice;
    dx_json *doc;
    dx_err err;
    dx_buf_init(&once, 0);
    dx_buf_init(&twice, 0);
    dx_json_quote(&once, in);
    fuzz_check(dx_json_read(&doc, dx_buf_slice(&once), false, &err) == DX_OK);
    dx_json_quote(&twice, dx_json_text(dx_json_root(doc)));
    if (dx_slice_find_char(in, '\0', 0) < 0)
        fuzz_check(dx_slice_eq(dx_buf_slice(&once), dx_buf_slice(&twice)));
    dx_json_free(doc);
    dx_buf_done(&once);
    dx_buf_done(&twice);
}

void fuzz_one(dx_slice in) {
    bool strict = read_one(in, false), lenient = read_one(in, true);
    fuzz_check(lenient || !strict);
    quote(in);
}

/* JSON: exact integers, what HBase does to the grammar, documents that break off or are mangled. */
#include "dx_json.h"
#include "dx_mem.h"
#include "tap.h"

#include <stdlib.h>

static dx_json *read_text(dx_slice text, bool lenient, dx_err *err) {
    dx_json *doc = NULL;
    return dx_json_read(&doc, text, lenient, err) == DX_OK ? doc : NULL;
}

static void write_node(dx_buf *out, const dx_json_node *n);

static void write_children(dx_buf *out, const dx_json_node *n, bool keys) {
    for (const dx_json_node *c = dx_json_first(n); c != NULL; c = dx_json_next(c)) {
        if (c != dx_json_first(n))
            dx_buf_addc(out, ',');
        if (keys) {
            dx_json_quote(out, dx_json_key(c));
            dx_buf_addc(out, ':');
        }
        write_node(out, c);
    }
}

/* The document again, as far as our own reading of it goes; reals as r(...). */
static void write_node(dx_buf *out, const dx_json_node *n) {
    switch (dx_json_kind(n)) {
    case DX_JSON_NULL: dx_buf_adds(out, "null"); break;
    case DX_JSON_BOOL: dx_buf_adds(out, dx_json_int(n) != 0 ? "true" : "false"); break;
    case DX_JSON_INT: dx_buf_addf(out, "%" PRId64, dx_json_int(n)); break;
    case DX_JSON_REAL: dx_buf_addf(out, "r(%.17g)", dx_json_real(n)); break;
    case DX_JSON_TEXT: dx_json_quote(out, dx_json_text(n)); break;
    case DX_JSON_ARRAY:
        dx_buf_addc(out, '[');
        write_children(out, n, false);
        dx_buf_addc(out, ']');
        break;
    case DX_JSON_OBJECT:
        dx_buf_addc(out, '{');
        write_children(out, n, true);
        dx_buf_addc(out, '}');
        break;
    }
}

/* Checks what a text reads as, and its damage (NULL: none; else a part of it). */
static void reads(const char *text, bool lenient, const char *want, const char *damage) {
    dx_err err = {0};
    dx_json *doc = read_text(dx_s(text), lenient, &err);
    if (!ok(doc != NULL, "reads: %.60s", text)) {
        printf("# %s\n", err.msg);
        return;
    }
    dx_buf out;
    dx_buf_init(&out, 0);
    write_node(&out, dx_json_root(doc));
    is_slice(dx_buf_slice(&out), want, "  as it should");
    const char *got = dx_json_damage(doc);
    if (!ok(damage == NULL ? got == NULL : got != NULL && strstr(got, damage) != NULL,
            "  damage: %s", damage == NULL ? "none" : damage))
        printf("# got %s\n", got == NULL ? "none" : got);
    dx_buf_done(&out);
    dx_json_free(doc);
}

static void refuses(const char *text, bool lenient, const char *part) {
    dx_err err = {0};
    dx_json *doc = read_text(dx_s(text), lenient, &err);
    if (!ok(doc == NULL && err.code == DX_E_PARSE && strstr(err.msg, part) != NULL,
            "refuses: %.60s", text))
        printf("# got %s\n", err.msg);
    dx_json_free(doc);
}

static void test_numbers(void) {
    reads("[0,-0,7,-12,999999999999999]", false, "[0,0,7,-12,999999999999999]", NULL);
    reads("[9007199254740993,9223372036854775807,-9223372036854775808]", false,
          "[9007199254740993,9223372036854775807,-9223372036854775808]", NULL);
    reads("9223372036854775808", false, "r(9.2233720368547758e+18)", NULL);
    reads("[1.0,0.1,1.0E8,2.5e-40,-9.536743E-7]", false,
          "[r(1),r(0.10000000000000001),r(100000000),r(2.4999999999999998e-40),"
          "r(-9.5367430000000002e-07)]",
          NULL);
    reads("[\"9223372036854775807\",\"1.5\"]", false, "[\"9223372036854775807\",\"1.5\"]", NULL);
    reads("[NaN,-Infinity]", true, "[r(nan),r(-inf)]", "bare NaN or Infinity at byte 1 and 1 more");
    reads("[007,+1,.5]", true, "[r(7),r(1),r(0.5)]", "number that is not JSON at byte 1");
    reads("[1111111111222222222233333333334444444444555555555566666666667777777777]", true,
          "[null]", "number that is not JSON");
    refuses("[NaN]", false, "byte 1");
    refuses("[007]", false, "byte 1");
    reads("[1,0x10]", true, "[1]", "unreadable from here on at byte 3 (no value)");
}

static void test_strings(void) {
    reads("\"a\\u003d\\n\\/\\\"\\\\\"", false, "\"a=\\n/\\\"\\\\\"", NULL);
    reads("\"\\ud83d\\ude00\"", false, "\"\xf0\x9f\x98\x80\"", NULL);
    reads("\"a\\ud83dx\\u0000b\"", false,
          "\"a\xef\xbf\xbdx\xef\xbf\xbd"
          "b\"",
          NULL);
    reads("\"\xff"
          "12\"",
          false,
          "\"\xef\xbf\xbd"
          "12\"",
          "not UTF-8 at byte 1");
    reads("\"\xc3\xa4\xe2\x82\xac\"", false, "\"\xc3\xa4\xe2\x82\xac\"", NULL);
    reads("\"\xed\xa0\x80\"", true, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"", "and 2 more");
    reads("\"a\tb\"", true, "\"a\\tb\"", "bare control character");
    reads("\"row\\x00\\\\\"", true, "\"row\\\\x00\\\\\"", "unknown escape in a string at byte 4");
    reads("{\"a\":1,\"a\":2}", false, "{\"a\":1,\"a\":2}", NULL);
    refuses("\"a\tb\"", false, "byte 2");
    refuses("\"\\x\"", false, "byte 1");
    dx_err err;
    dx_json *doc = read_text(dx_sn("\"a\0b\"", 5), true, &err);
    ok(doc != NULL, "a NUL byte in a string is read");
    is_slice(dx_json_text(dx_json_root(doc)),
             "a\xef\xbf\xbd"
             "b",
             "and does not cut it");
    dx_json_free(doc);
}

static void test_mending(void) {
    reads(" {\"a\":[1,2,],\"b\":{\"c\":1 , }} ", true, "{\"a\":[1,2],\"b\":{\"c\":1}}",
          "trailing comma at byte 10 and 1 more");
    reads("{\"a\":1 \"b\":[{} {}]}", true, "{\"a\":1,\"b\":[{},{}]}", "missing comma at byte 7");
    reads("{\"a\":1,\"b\":23", true, "{\"a\":1}", "cut off at byte 13");
    reads("{\"a\":1,\"b\":23 ", true, "{\"a\":1,\"b\":23}", "cut off at byte 14");
    reads("{\"a\":[{\"b\":true},{\"c\":tru", true, "{\"a\":[{\"b\":true},{}]}", "cut off");
    reads("{\"a\":1,\"b\":\"x\\u00", true, "{\"a\":1}", "cut off");
    reads("{\"a\":1,\"b\"", true, "{\"a\":1}", "cut off");
    reads("{\"a\":1,\"b\" 2,\"c\":3}", true, "{\"a\":1}", "unreadable from here on at byte 11");
    reads("{\"a\":NaN,\"b\":NaN,", true, "{\"a\":r(nan),\"b\":r(nan)}", "cut off");
    reads("{\"a\":1} {\"a\":2}", true, "{\"a\":1}", "text after the document, left out at byte 8");
    reads("\xef\xbb\xbf{\"a\":1}", false, "{\"a\":1}", NULL);
    reads("load_1({\"a\":[1,]}); ", true, "{\"a\":[1]}", "trailing comma");
    refuses("", true, "ends too early at byte 0");
    refuses(" \r ", true, "ends too early");
    refuses("<html>", true, "byte 0");
    refuses("{\"a\":1}x", false, "after the document at byte 7");
    refuses("{\"a\":1,}", false, "comma before a closing bracket");
    refuses("{\"a\" 1}", false, "no colon at byte 5");
    refuses("{\"a\":1", false, "ends too early at byte 6");
    refuses("[1}", false, "byte 2");
}

static void test_nesting(void) {
    enum { DEEP = 3000 };
    char *text = dx_calloc(DEEP, 2);
    memset(text, '[', DEEP);
    dx_err err;
    dx_json *doc = read_text(dx_sn(text, DEEP), true, &err);
    ok(doc == NULL && err.code == DX_E_PARSE, "too deep a document is refused");
    dx_json_free(doc);
    memset(text, '[', 900);
    memset(text + 900, ']', 900);
    doc = read_text(dx_sn(text, 1800), false, &err);
    ok(doc != NULL, "900 levels are read");
    dx_json_free(doc);
    free(text);
}

static void test_walk(void) {
    dx_err err;
    dx_json *doc =
        read_text(dx_s("{\"n\":9223372036854775807,\"t\":\"x\",\"b\":true}"), false, &err);
    const dx_json_node *root = dx_json_root(doc);
    ok(dx_json_get(root, "n") == dx_json_first(root), "get finds the first member");
    ok(dx_json_get(root, "N") == NULL, "names are exact");
    ok(dx_json_get(dx_json_get(root, "t"), "x") == NULL, "a string has no members");
    is_real(dx_json_real(dx_json_get(root, "n")), 9223372036854775807.0, 0, "an integer as a real");
    is_int(dx_json_int(dx_json_get(root, "b")), 1, "true is 1");
    is_slice(dx_json_key(root), "", "the root has no name");
    is_slice(dx_json_text(dx_json_get(root, "n")), "", "a big integer is no text");
    dx_json_free(doc);
    dx_json_free(NULL);
}

static const char sample[] =
    "{ \"beans\" : [ { \"name\" : \"a:b=c\", \"n\" : 9223372036854775807, \"q\" : \"\\u0041\\\\\","
    " \"r\" : NaN, \"list\" : [ 1.5, null, true, { } ], \"\xc3\xa4\" : -1 }, ], \"x\":\"\\ud83d\" "
    "}";

/* A buffer without slack: the sanitizer sees every byte read past the end. */
static void read_exact(const char *p, size_t n, int *read) {
    char *copy = dx_calloc(n == 0 ? 1 : n, 1);
    memcpy(copy, p, n);
    dx_err err;
    for (int lenient = 0; lenient < 2; lenient++) {
        dx_json *doc = read_text(dx_sn(copy, n), lenient != 0, &err);
        dx_buf out;
        dx_buf_init(&out, 0);
        if (doc != NULL)
            write_node(&out, dx_json_root(doc));
        *read += doc != NULL;
        dx_buf_done(&out);
        dx_json_free(doc);
    }
    free(copy);
}

static void test_mangled(void) {
    int read = 0;
    size_t n = sizeof sample - 1;
    for (size_t i = 0; i <= n; i++)
        read_exact(sample, i, &read);
    is_int(read, (int64_t)n, "every cut but the empty one gives what is whole");
    read = 0;
    char copy[sizeof sample];
    for (size_t i = 0; i < n; i++) {
        memcpy(copy, sample, sizeof copy);
        for (int v = 0; v < 256; v++) {
            copy[i] = (char)v;
            read_exact(copy, n, &read);
        }
    }
    ok(read > (int)n * 200, "every value of every byte is survived");
}

static void test_quote(void) {
    dx_buf out;
    dx_buf_init(&out, 0);
    dx_json_quote(&out, dx_sn("a\"\\\n\x01\0\x7f\xc3\xa4\xff\x1b[m/", 14));
    is_slice(dx_buf_slice(&out), "\"a\\\"\\\\\\n\\u0001\\u0000\x7f\xc3\xa4\xef\xbf\xbd\\u001b[m/\"",
             "quote");
    dx_buf_clear(&out);
    dx_json_quote(&out, dx_s(NULL));
    is_slice(dx_buf_slice(&out), "\"\"", "quote of nothing");
    dx_buf_clear(&out);
    dx_json_quote(&out, dx_s("\xc2\x9b"
                             "31m\xe2\x80\xae\xe2\x81\xa6\xf3\xa0\x80\x81 \xf0\x9f\x90\x98"));
    is_slice(dx_buf_slice(&out), "\"\\u009b31m\\u202e\\u2066\\udb40\\udc01 \xf0\x9f\x90\x98\"",
             "what a terminal would obey is escaped in JSON too");
    dx_buf_done(&out);
}

int main(void) {
    test_numbers();
    test_strings();
    test_mending();
    test_nesting();
    test_walk();
    test_mangled();
    test_quote();
    return done();
}

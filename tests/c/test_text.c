/* test_text - text made safe for a terminal, columns, UTF-8. */
#include "dx_escape.h"
#include "dx_text.h"
#include "tap.h"

static void escapes(const char *bytes, size_t n, const char *want, const char *what) {
    dx_buf b;
    dx_buf_init(&b, 0);
    dx_text_escape(&b, dx_sn(bytes, n));
    is_slice(dx_buf_slice(&b), want, what);
    dx_buf_done(&b);
}
#define ESCAPES(bytes, want, what) escapes(bytes, sizeof(bytes) - 1, want, what)

static void test_escape(void) {
    ESCAPES("", "", "nothing stays nothing");
    ESCAPES("plain ~ text", "plain ~ text", "printable ASCII is kept");
    ESCAPES("\x1b[2J", "\\x1b[2J", "ESC is shown");
    ESCAPES("a\r\n\tb\x7f", "a\\x0d\\x0a\\x09b\\x7f", "C0 and DEL are shown");
    ESCAPES("a\0b", "a\\x00b", "NUL is shown");
    ESCAPES("\xc2\x9b"
            "31m",
            "\\xc2\\x9b31m", "a C1 control in UTF-8 is shown");
    ESCAPES("\x9b"
            "31m",
            "\\x9b31m", "a bare C1 byte is shown");
    ESCAPES("gr\xc3\xbc\xc3\x9f \xe6\xbc\xa2 \xf0\x9f\x90\x98",
            "gr\xc3\xbc\xc3\x9f \xe6\xbc\xa2 \xf0\x9f\x90\x98", "other UTF-8 is kept");
    ESCAPES("\xc0\xaf \xe0\x80\xaf", "\\xc0\\xaf \\xe0\\x80\\xaf", "overlong forms are shown");
    ESCAPES("\xed\xa0\x80", "\\xed\\xa0\\x80", "surrogates are shown");
    ESCAPES("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", "beyond the last code point");
    ESCAPES("\xe6\xbc", "\\xe6\\xbc", "a cut sequence is shown");
    ESCAPES("a\xe2\x80\xae"
            "b",
            "a\\xe2\\x80\\xaeb", "a right-to-left override is shown");
    ESCAPES("a\xe2\x81\xa6"
            "b",
            "a\\xe2\\x81\\xa6b", "a bidi isolate is shown");
    ESCAPES("a\xe2\x80\x8b"
            "b",
            "a\\xe2\\x80\\x8bb", "a zero width space is shown");
    ESCAPES("\xef\xbb\xbf", "\\xef\\xbb\\xbf", "a byte order mark is shown");
}

static void test_width(void) {
    is_int(dx_text_width(dx_s("")), 0, "nothing");
    is_int(dx_text_width(dx_s("abc")), 3, "ASCII");
    is_int(dx_text_width(dx_s("gr\xc3\xbc\xc3\x9f")), 4, "Latin letters are one column");
    is_int(dx_text_width(dx_s("\xe6\xbc\xa2\xe5\xad\x97")), 4, "Han characters are two");
    is_int(dx_text_width(dx_s("\xf0\x9f\x90\x98")), 2, "an emoji is two");
    is_int(dx_text_width(dx_s("e\xcc\x81")), 1, "a combining mark is none");
    is_int(dx_text_width(dx_s("a\x1b\n")), 1, "controls are none");
    is_int(dx_text_width(dx_s("\xff\xfe")), 2, "a stray byte is one");
}

static void test_decode(void) {
    uint32_t c = 0;
    is_int(dx_text_decode(dx_s("\xe2\x82\xac!"), &c), 3, "three bytes");
    is_int(c, 0x20ac, "the euro sign");
    is_int(dx_text_decode(dx_s("\xf4\x8f\xbf\xbf"), &c), 4, "the last code point");
    is_int(c, 0x10ffff, "U+10FFFF");
    is_int(dx_text_decode(dx_s("\x80"), &c), 0, "a continuation begins nothing");
}

static void undone(const char *text, const char *bytes, size_t took) {
    char out[DX_ESCAPE_ROOM];
    size_t n = 0, used = dx_escape_read(dx_s(text), out, &n);
    ok(used == took && dx_slice_is(dx_sn(out, n), bytes), "%s is undone", text);
}

static void test_escapes(void) {
    undone("\\nx", "\n", 2);
    undone("\\\"", "\"", 2);
    undone("\\/", "/", 2);
    undone("\\u0041bc", "A", 6);
    undone("\\u00e9", "\xc3\xa9", 6);
    undone("\\u20AC", "\xe2\x82\xac", 6);
    undone("\\ud83d\\ude00", "\xf0\x9f\x98\x80", 12);
    undone("\\ud83d", "\xef\xbf\xbd", 6);
    undone("\\ud83d\\u0041", "\xef\xbf\xbd", 6);
    undone("\\ude00", "\xef\xbf\xbd", 6);
    undone("\\u00e", "\\", 1);
    undone("\\q", "\\", 1);
    undone("\\", "\\", 1);
}

int main(void) {
    test_escapes();
    test_escape();
    test_width();
    test_decode();
    return done();
}

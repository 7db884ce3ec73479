/* dx_escape.c - see dx_escape.h. */
#include "dx_escape.h"

#include <stdint.h>
#include <string.h>

int dx_hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The code unit of "\uXXXX" at the head of s, or -1. */
static int32_t code_unit(dx_slice s) {
    int32_t v = 0;
    if (s.n < 6 || s.p[0] != '\\' || s.p[1] != 'u')
        return -1;
    for (size_t i = 2; i < 6; i++) {
        int digit = dx_hex_digit(s.p[i]);
        if (digit < 0)
            return -1;
        v = v * 16 + digit;
    }
    return v;
}

static size_t put_utf8(char *out, uint32_t c) {
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    size_t more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    out[0] = (char)(lead[more] | c >> 6 * more);
    for (size_t i = 1; i <= more; i++)
        out[i] = (char)(0x80 | (c >> 6 * (more - i) & 0x3f));
    return more + 1;
}

size_t dx_escape_read(dx_slice s, char out[DX_ESCAPE_ROOM], size_t *n) {
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *at = s.n > 1 ? memchr(names, s.p[1], sizeof names - 1) : NULL;
    int32_t unit = code_unit(s), low = unit < 0 ? -1 : code_unit(dx_slice_sub(s, 6, s.n));
    if (unit < 0) {
        out[0] = at == NULL ? s.p[0] : values[at - names];
        *n = 1;
        return at == NULL ? 1 : 2;
    }
    if (unit >= 0xd800 && unit < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
        *n = put_utf8(out, 0x10000u + (((uint32_t)unit - 0xd800) << 10) + ((uint32_t)low - 0xdc00));
        return 12;
    }
    *n = put_utf8(out, unit >= 0xd800 && unit < 0xe000 ? 0xfffd : (uint32_t)unit);
    return 6;
}

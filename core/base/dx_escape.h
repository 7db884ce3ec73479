/* dx_escape - JSON's escapes undone, one at a time, for texts that no JSON reader gets whole. */
#ifndef DX_ESCAPE_H
#define DX_ESCAPE_H

#include "dx_str.h"

#include <stddef.h>

#define DX_ESCAPE_ROOM 4 /* bytes that one may give; never more than it takes */

/* The escape at the head of s, which begins with a backslash, put to out. *n: bytes written.
 * Returns the bytes it took: both halves of a surrogate pair together, one half alone becomes
 * U+FFFD; of what is no escape only the backslash, kept as it is. */
size_t dx_escape_read(dx_slice s, char out[DX_ESCAPE_ROOM], size_t *n);

int dx_hex_digit(char c); /* 0..15, or -1 */

#endif

/* dx_text - text from outside, made safe for a terminal, and how wide a text is on one. */
#ifndef DX_TEXT_H
#define DX_TEXT_H

#include "dx_buf.h"
#include "dx_str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads one code point at the head of s (not empty). Returns its bytes, or 0: not valid UTF-8 (also
 * surrogates, overlong forms, beyond U+10FFFF). */
size_t dx_text_decode(dx_slice s, uint32_t *point);

/* Whether a terminal shows the point and does nothing else: no control, no bidirectional or other
 * invisible format control. */
bool dx_text_harmless(uint32_t point);

/* Appends s so that it can move no cursor, change no colour and reorder no text: C0 and C1 controls
 * (line ends and tabs too), DEL, bidirectional and other invisible format controls, and every byte
 * that is not valid UTF-8 become \xHH, byte by byte. Other UTF-8 is kept. Check with dx_buf_ok. */
void dx_text_escape(dx_buf *out, dx_slice s);

/* Columns of s on a terminal: 2 for wide East Asian characters and emoji, 0 for combining marks and
 * controls, 1 for all else and for a byte that is not UTF-8. Needs no locale. */
size_t dx_text_width(dx_slice s);

#endif

/* fuzz.h - what the fuzz targets share. A target is one file with a fuzz_one; fuzz.c is the door of
 * libFuzzer. What a reader promises beyond "does not crash" is a fuzz_check in its target. */
#ifndef FUZZ_H
#define FUZZ_H

#include "dx_input.h"
#include "dx_slowlog.h"
#include "dx_str.h"

#include <stdbool.h>
#include <stddef.h>

/* Reads one input of any bytes; in is a copy without a byte to spare. */
void fuzz_one(dx_slice in);

/* Bytes to which some inputs are blown up by repeating a part of them, to see work that grows
 * faster than its input; 0: never. */
extern const size_t fuzz_stretch;

/* Ends the program when a promise is broken. */
void fuzz_require(bool good, const char *promise, const char *file, int line);
#define fuzz_check(promise) fuzz_require((promise), #promise, __FILE__, __LINE__)

/* Looks at every byte, so that a sanitizer sees a borrowed slice that is none. */
void fuzz_touch(dx_slice s);
void fuzz_touch_string(const char *s); /* NULL is fine */
/* The same of a part of whole; an empty one may stand anywhere. */
void fuzz_part(dx_slice part, dx_slice whole);
void fuzz_call(const dx_call *call); /* all texts of it; its numbers are unknown or not negative */

/* Cuts the text before the first c, and c, from *s; all of it where there is none. */
dx_slice fuzz_take(dx_slice *s, char c);
/* The first byte of *s, which it loses; 0: there is none. */
unsigned fuzz_byte(dx_slice *s);

/* An input over a pipe whose reader gets `block` bytes at a time. False: the system has no such
 * pipe, or bytes are too many for one. */
bool fuzz_pipe(dx_input **out, dx_slice bytes, size_t block);

#endif

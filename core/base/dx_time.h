/* dx_time - instants as milliseconds since 1970-01-01T00:00:00Z, without the C library's zone
 * state. */
#ifndef DX_TIME_H
#define DX_TIME_H

#include "dx_str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DX_TIME_NONE INT64_MIN /* "not known"; never a moment */

typedef struct dx_civil {
    int year, month, day;         /* month 1..12, day 1..31 */
    int hour, minute, second, ms; /* second 0..60: a leap second counts as the next minute's 0 */
} dx_civil;

/* True when every field is in its range and the day exists in its month (years 1970 to 9999). */
bool dx_civil_ok(const dx_civil *c);
/* The instant that c names in a zone offset_ms east of UTC. c must be ok. */
int64_t dx_time_from_civil(const dx_civil *c, int64_t offset_ms);
/* ms within 290 million years of 1970. */
void dx_time_to_civil(int64_t ms, int64_t offset_ms, dx_civil *c);
/* 0 Sunday .. 6 Saturday, in the zone offset_ms east of UTC. */
int dx_time_weekday(int64_t ms, int64_t offset_ms);

/* Reads a date and time at the head of s: "2024-05-01 02:03:04,567", "2024/05/01T02:03:04.567"; the
 * seconds may lack, the fraction has up to 9 digits. Returns the bytes used, 0: there is none. */
size_t dx_civil_read(dx_slice s, dx_civil *c);
/* "Z", "+02:00", "-0530", "+02" at the head of s. Returns the bytes used, 0: there is none. */
size_t dx_offset_read(dx_slice s, int64_t *offset_ms);
/* The whole of s: date and time with a zone. False: it is not. */
bool dx_time_read(dx_slice s, int64_t *ms);

/* This machine's clock. */
int64_t dx_time_now(void);
/* Milliseconds since some moment; never goes back. May be asked in a signal handler. */
int64_t dx_time_monotonic(void);

#define DX_TIME_LEN 30 /* bytes that dx_time_write may need, with the NUL */
/* RFC 3339 with milliseconds: "2024-05-01T02:03:04.567Z", or "...+02:00" for an offset of less than
 * a day. An instant before 0001-01-02 or after 9999-12-30 is written as that day's. */
void dx_time_write(char out[DX_TIME_LEN], int64_t ms, int64_t offset_ms);

#endif

/* dx_units - numbers as the log lines of Java programs print them: sizes with a unit, integers with
 * the grouping of a locale, durations in words. A decimal or grouping sign may be '.', ',', a
 * no-break space or a narrow one: the JVM's locale decides, and the line does not say which it was.
 */
#ifndef DX_UNITS_H
#define DX_UNITS_H

#include "dx_str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "1.52 MB", "128 MB", "9.2 K", "1.6g", "512,0 M", "640" -> bytes (binary units, rounded to whole
 * ones); false: not a size. "8.00 EB" is how 2^63 - 1 prints: INT64_MAX. */
bool dx_size_read(dx_slice s, int64_t *bytes);
/* "11.86 MB/sec", "11,86 MB/second" -> bytes per second; false: not one, or "unlimited". */
bool dx_throughput_read(dx_slice s, int64_t *bytes_per_s);
/* "1hrs, 2mins, 3sec", "0sec", "140ms" -> ms; false: not a duration. */
bool dx_duration_read(dx_slice s, int64_t *ms);
/* An integer at the head of s, plain or in groups of three ("287412", "287.412"). Returns the bytes
 * used; 0: there is none, or it has a fraction, or it is too large. */
size_t dx_grouped_lead(dx_slice s, int64_t *out);

#endif

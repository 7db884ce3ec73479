/* dx_zone - a time zone: a fixed offset, or an IANA name read from the system's zoneinfo (TZif). */
#ifndef DX_ZONE_H
#define DX_ZONE_H

#include "dx_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct dx_zone dx_zone;

/* "UTC", "Z", "+02:00", "-0530", "Europe/Berlin", or "local" (TZ, else /etc/localtime).
 * DX_E_NOTFOUND: no such zone, or no zoneinfo on this machine; the message says which. The caller
 * frees. */
DX_MUST_CHECK dx_status dx_zone_open(dx_zone **out, const char *name, dx_err *err);
void dx_zone_free(dx_zone *z); /* NULL is fine */
const char *dx_zone_name(const dx_zone *z);
/* Milliseconds east of UTC at an instant. */
int64_t dx_zone_offset(const dx_zone *z, int64_t utc_ms);
/* The first change of the offset in (from, to]; false: there is none, or it is more than 20 years
 * away. A change that is taken back within 12 hours may be missed. */
bool dx_zone_change(const dx_zone *z, int64_t from_ms, int64_t to_ms, int64_t *at_ms);
/* The instant of a local stamp (as if it were UTC). An hour that comes twice is taken so that the
 * result is not before prev_utc_ms (DX_TIME_NONE: the first of both), but lines that are out of
 * order by up to a minute do not count as the second hour; a stamp in the missing hour is moved
 * forward. */
int64_t dx_zone_utc(const dx_zone *z, int64_t local_ms, int64_t prev_utc_ms);

#endif

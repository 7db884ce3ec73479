/* dx_events_gc - a pause out of a collector's own log as an event. */
#ifndef DX_EVENTS_GC_H
#define DX_EVENTS_GC_H

#include "dx_events.h"
#include "dx_gclog.h"

/* out: a gc_pause, borrowed from p. What p does not know has no field. */
void dx_event_of_pause(const dx_pause *p, dx_event *out);

#endif

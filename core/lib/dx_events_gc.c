/* dx_events_gc.c - see dx_events_gc.h. */
#include "dx_events_gc.h"

#include <math.h>

static dx_field *field(dx_event *e, const char *name, dx_field_type type) {
    dx_field *f = &e->fields[e->n++];
    f->name = name;
    f->type = type;
    return f;
}

static void put_int(dx_event *e, const char *name, int64_t v) {
    if (v != DX_UNKNOWN)
        field(e, name, DX_FIELD_INT)->i = v;
}

static void put_real(dx_event *e, const char *name, double v) {
    if (!isnan(v))
        field(e, name, DX_FIELD_REAL)->d = round(v * 1000) / 1000;
}

static void put_text(dx_event *e, const char *name, dx_slice s) {
    if (s.n > 0)
        field(e, name, DX_FIELD_TEXT)->s = s;
}

_Static_assert(DX_EVENT_FIELDS >= 12, "room for the fields of a pause");

void dx_event_of_pause(const dx_pause *p, dx_event *out) {
    *out = (dx_event){.id = DX_EV_GC_PAUSE};
    put_real(out, "pause_ms", p->took_ms);
    put_text(out, "gc_kind", dx_s(dx_pause_kind_name(p->kind)));
    put_text(out, "collector", dx_s(p->collector));
    put_text(out, "cause", p->cause);
    put_text(out, "failure", dx_s(p->failure));
    put_int(out, "heap_before_bytes", p->heap_before);
    put_int(out, "heap_after_bytes", p->heap_after);
    put_int(out, "heap_total_bytes", p->heap_total);
    put_real(out, "evacuation_failure_ms", p->evacuation_failure_ms);
    put_real(out, "stopped_ms", p->stopped_ms);
    put_real(out, "user_ms", p->user_ms);
    put_real(out, "sys_ms", p->sys_ms);
}

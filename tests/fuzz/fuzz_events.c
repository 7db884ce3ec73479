/* fuzz_events.c - events. The first line of an input is the logger, the second the message, the
 * others are those behind it. */
#include "dx_events.h"
#include "fuzz.h"

const size_t fuzz_stretch = 1u << 19;

/* The places that a line names, be it an event or not. */
static void places(const dx_event *e) {
    const dx_slice texts[] = {e->region, e->encoded,    e->table,     e->family,
                              e->server, e->path_space, e->path_table};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        fuzz_touch(texts[i]);
}

static void event(const dx_event *e) {
    fuzz_check(e->id > DX_EV_NONE && e->id < DX_EV_COUNT && e->n <= DX_EVENT_FIELDS);
    for (size_t i = 0; i < e->n; i++) {
        fuzz_check(e->fields[i].name != NULL);
        if (e->fields[i].type == DX_FIELD_TEXT)
            fuzz_touch(e->fields[i].s);
    }
}

/* Who remembers says the same, also the second time. */
static void remembered(const dx_logline *line, dx_slice rest, const dx_event *e) {
    dx_event_reader *r = dx_event_reader_new();
    dx_event again;
    for (int i = 0; r != NULL && i < 2; i++) {
        dx_event_reader_judge(r, line, rest, &again);
        fuzz_check(again.id == e->id && again.n == e->n);
        fuzz_check(again.encoded.p == e->encoded.p && again.encoded.n == e->encoded.n);
    }
    dx_event_reader_free(r);
}

void fuzz_one(dx_slice in) {
    dx_event e;
    dx_logline line = {.local_ms = DX_TIME_NONE};
    dx_event_exception(in);
    line.logger = fuzz_take(&in, '\n');
    line.message = fuzz_take(&in, '\n');
    bool read = dx_event_read(&line, in, &e);
    places(&e);
    if (read)
        event(&e);
    remembered(&line, in, &e);
}

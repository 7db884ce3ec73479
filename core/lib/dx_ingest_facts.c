/* dx_ingest_facts.c - see dx_ingest_facts.h. */
#include "dx_ingest_facts.h"

#include <inttypes.h>

static void number(dx_buf *out, const char *name, uint64_t v) {
    if (v > 0)
        dx_buf_addf(out, "%s\"%s\":%" PRIu64, out->p[out->n - 1] == '{' ? "" : ",", name, v);
}

static void kinds(dx_buf *out, const dx_coverage *cov) {
    if (cov->events == 0)
        return;
    dx_buf_addf(out, "%s\"events\":{", out->p[out->n - 1] == '{' ? "" : ",");
    for (size_t i = 0; i < DX_EV_COUNT && dx_buf_ok(out); i++) {
        const dx_event_kind *kind = dx_event_kind_of((dx_event_id)i);
        if (kind != NULL)
            number(out, kind->name, cov->kinds[i]);
    }
    dx_buf_addc(out, '}');
}

static void offsets(dx_buf *out, const dx_ingest_clock *clock) {
    if (clock->n == 0)
        return;
    dx_buf_addf(out, "%s\"offsets\":[", out->p[out->n - 1] == '{' ? "" : ",");
    for (size_t i = 0; i < clock->n; i++)
        dx_buf_addf(out, "{\"offset_ms\":%" PRId64 ",\"until_ms\":%" PRId64 "},",
                    clock->changes[i].before_ms, clock->changes[i].at_ms);
    dx_buf_addf(out, "{\"offset_ms\":%" PRId64 "}]", clock->end_offset_ms);
}

void dx_ingest_facts_write(const dx_coverage *cov, const dx_ingest_clock *clock, dx_buf *out) {
    const struct {
        const char *name;
        uint64_t v;
    } rows[] = {{"calls", cov->calls},
                {"scans", cov->scans},
                {"continuations", cov->continuations},
                {"foreign", cov->foreign},
                {"out_of_order", cov->out_of_order},
                {"out_of_order_ms", (uint64_t)cov->out_of_order_ms},
                {"steps_back", cov->nsteps},
                {"offset_votes", cov->offset_inferred ? cov->offset_votes : 0},
                {"offset_against", cov->offset_against},
                {"doubtful", clock->doubtful},
                {"missing", clock->missing}};
    dx_buf_addc(out, '{');
    if (!dx_buf_ok(out))
        return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && dx_buf_ok(out); i++)
        number(out, rows[i].name, rows[i].v);
    if (dx_buf_ok(out))
        kinds(out, cov);
    if (dx_buf_ok(out))
        offsets(out, clock);
    dx_buf_addc(out, '}');
}

uint64_t dx_ingest_samples(const dx_jmx *doc) {
    uint64_t n = 0;
    for (size_t i = 0; i < dx_jmx_count(doc); i++)
        n += dx_jmx_at(doc, i)->type != DX_JMX_TEXT;
    return n;
}

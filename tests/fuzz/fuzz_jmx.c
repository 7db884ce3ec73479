/* fuzz_jmx.c - a /jmx document. */
#include "dx_jmx.h"
#include "fuzz.h"

const size_t fuzz_stretch = 1u << 19;

static void sample(const dx_jmx_sample *s) {
    const dx_slice texts[] = {s->bean, s->name, s->table, s->region, s->family, s->user};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        fuzz_touch(texts[i]);
    if (s->type == DX_JMX_TEXT)
        fuzz_touch(s->text);
}

void fuzz_one(dx_slice in) {
    dx_jmx *doc;
    dx_err err;
    bool master;
    dx_jmx_sniff(in);
    dx_status st = dx_jmx_read(&doc, in, "jmx", &err);
    fuzz_check(st == DX_OK || st == DX_E_PARSE || st == DX_E_LIMIT);
    if (st != DX_OK)
        return;
    for (size_t i = 0; i < dx_jmx_count(doc); i++)
        sample(dx_jmx_at(doc, i));
    fuzz_check(dx_jmx_at(doc, dx_jmx_count(doc)) == NULL);
    fuzz_touch_string(dx_jmx_damage(doc));
    fuzz_touch(dx_jmx_server(doc, &master));
    dx_jmx_time(doc);
    const dx_jmx_sample *s = dx_jmx_find(doc, "JvmMetrics", "MemHeapUsedM");
    fuzz_check(s == NULL || dx_slice_is(s->name, "MemHeapUsedM"));
    dx_jmx_free(doc);
}

/* fuzz_conf.c - hbase-site.xml, and /conf as XML and as JSON. */
#include "dx_conf.h"
#include "fuzz.h"

const size_t fuzz_stretch = 1u << 19;

void fuzz_one(dx_slice in) {
    dx_conf *c;
    dx_err err;
    dx_conf_sniff(in);
    dx_status st = dx_conf_read(&c, in, "conf", &err);
    fuzz_check(st == DX_OK || st == DX_E_PARSE || st == DX_E_LIMIT);
    if (st != DX_OK)
        return;
    for (size_t i = 0; i < dx_conf_count(c); i++) {
        const dx_property *p = dx_conf_at(c, i);
        fuzz_touch_string(p->name);
        fuzz_touch_string(p->value);
        fuzz_touch_string(p->resource);
        fuzz_check(p->earlier <= i);
        fuzz_check(p->earlier == 0 || dx_str_eq(dx_conf_at(c, p->earlier - 1)->name, p->name));
    }
    fuzz_check(dx_conf_at(c, dx_conf_count(c)) == NULL);
    fuzz_touch_string(dx_conf_damage(c));
    dx_conf_free(c);
}

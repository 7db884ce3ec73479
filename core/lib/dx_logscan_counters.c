/* dx_logscan_counters.c - counters of a scan, one a line, as a job's end or ScanMetrics prints
 * them: together they are one record of scan metrics. */
#include "dx_logscan_int.h"

#define COUNTERS_MAX 4096

bool logscan_is_counter(dx_slice line) {
    size_t name = 0;
    uint64_t v;
    while (name < line.n && ((line.p[name] >= 'A' && line.p[name] <= 'Z') || line.p[name] == '_'))
        name++;
    dx_slice value = dx_slice_sub(line, name + 1, line.n);
    return name >= 4 && name < line.n && line.p[name] == '=' && dx_slice_u64(value, &v);
}

dx_status logscan_counters_add(logscan *s, logscan_counters *c, dx_slice line,
                               const dx_where *where) {
    if (c->text.n > COUNTERS_MAX)
        return DX_OK;
    if (c->text.n == 0)
        c->at = *where;
    dx_buf_adds(&c->text, c->text.n == 0 ? "{" : ", ");
    dx_buf_add(&c->text, line.p, line.n);
    if (dx_buf_ok(&c->text))
        return DX_OK;
    return dx_fail(s->err, DX_E_NOMEM, "no memory for the counters of a scan");
}

dx_status logscan_counters_end(logscan *s, logscan_counters *c) {
    dx_scan found;
    dx_status st = DX_OK;
    if (c->text.n == 0)
        return DX_OK;
    dx_buf_addc(&c->text, '}');
    if (dx_scanlog_read(dx_buf_slice(&c->text), &found)) {
        c->at.record_hash = s->sink->unhashed ? 0 : dx_hash(c->text.p, c->text.n, 0);
        st = logscan_scan(s, &found, &c->at);
    }
    dx_buf_clear(&c->text);
    return st;
}

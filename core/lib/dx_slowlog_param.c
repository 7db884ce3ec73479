/* dx_slowlog_param.c - what a request's text (param, scandetails) tells. Three dialects: protobuf
 * text (scans: dx_slowlog_scan.c), "region= NAME, row=ROW" with \xHH escapes (gets, mutations,
 * batches), and a few that name no region. HBase cuts most of them after 150 characters, anywhere:
 * what touches the cut is not taken. */
#include "dx_region.h"
#include "dx_slowlog_int.h"

#include <string.h>

#define MARKER "<TRUNCATED>"

/* Where a region's name ends before `next`: the first place that has both. A start key may hold
 * ", row=" and any other text, but not a dot, 32 hex digits and a dot before it by chance. */
static ptrdiff_t name_end(dx_slice s, const char *next) {
    ptrdiff_t at = dx_slice_find(s, next, 0);
    while (at >= 0 && dx_region_tail(dx_slice_sub(s, 0, (size_t)at)).n == 0)
        at = dx_slice_find(s, next, (size_t)at + 1);
    return at;
}

/* The text log lines print is "row=x", that of the ring buffer "row= x". */
static void set_row(slow_rec *r, dx_slice row) {
    if (r->c.param_cut || row.n == 0)
        return;
    if (r->c.form != DX_CALL_LOG && row.p[0] == ' ')
        row = dx_slice_sub(row, 1, row.n);
    r->c.row = row;
}

/* "423 action(s) and 1st row key=ROW". Releases that wrote "actions" counted regions there. */
static void read_actions(slow_rec *r, dx_slice s) {
    uint64_t n;
    size_t digits = dx_slice_lead_u64(s, &n);
    dx_slice rest = dx_slice_sub(s, digits, s.n);
    if (digits > 0 && dx_slice_starts(rest, " action(s)") && n <= INT64_MAX)
        r->c.actions = (int64_t)n;
    ptrdiff_t row = dx_slice_find(rest, " and 1st row key=", 0);
    if (row >= 0)
        set_row(r, dx_slice_sub(rest, (size_t)row + strlen(" and 1st row key="), rest.n));
}

/* "NAME, row=ROW", "NAME, for N action(s)...", "NAME" */
static void region_text(slow_rec *r, dx_slice s) {
    ptrdiff_t row = name_end(s, ", row="), many = name_end(s, ", for ");
    if (row >= 0 && (many < 0 || row < many)) {
        slow_region(r, dx_slice_sub(s, 0, (size_t)row));
        set_row(r, dx_slice_sub(s, (size_t)row + strlen(", row="), s.n));
    } else if (many >= 0) {
        slow_region(r, dx_slice_sub(s, 0, (size_t)many));
        read_actions(r, dx_slice_sub(s, (size_t)many + strlen(", for "), s.n));
    } else if (!r->c.param_cut && dx_region_tail(s).n > 0) {
        slow_region(r, s);
    } else {
        slow_table(r, s);
    }
}

void slow_param(slow_rec *r, dx_slice s) {
    if (dx_slice_ends(s, MARKER)) {
        r->c.param_cut = true;
        s.n -= strlen(MARKER);
        if (s.n > 0 && s.p[s.n - 1] == ' ') /* belongs to the marker; one vendor leaves it out */
            s.n--;
    }
    if (dx_slice_starts(s, "region="))
        region_text(r, dx_slice_sub(s, dx_slice_starts(s, "region= ") ? 8 : 7, s.n));
    else if (dx_slice_starts(s, "region {") || dx_slice_starts(s, "scan {")
             || dx_slice_starts(s, "scanner_id:"))
        slow_scan_text(r, s);
    else if (dx_slice_starts(s, "type= ") && dx_slice_find(s, ", row=", 0) >= 0)
        set_row(r, dx_slice_sub(s, (size_t)dx_slice_find(s, ", row=", 0) + 6, s.n));
}

/* Where " operation_id: " stands behind a region's name: after what ends like a name, else the last
 * one, or -1. */
static ptrdiff_t id_at(dx_slice s, const char *id) {
    ptrdiff_t at = name_end(s, id), next = at;
    if (at < 0)
        for (next = dx_slice_find(s, id, 0); next >= 0; next = dx_slice_find(s, id, (size_t)at + 1))
            at = next;
    return at;
}

/* "table: T region: NAME operation_id: ID". The table has no blank; the name may have any text. */
void slow_details(slow_rec *r, dx_slice s) {
    static const char region[] = " region: ", id[] = " operation_id: ";
    ptrdiff_t at = dx_slice_find(s, region, 0);
    if (!dx_slice_starts(s, "table: ") || at < 0)
        return;
    r->c.table = dx_slice_sub(s, strlen("table: "), (size_t)at);
    dx_slice name = dx_slice_sub(s, (size_t)at + sizeof region - 1, s.n);
    ptrdiff_t end = id_at(name, id);
    if (end >= 0) {
        dx_slice told = dx_slice_sub(name, (size_t)end + sizeof id - 1, name.n);
        r->c.operation_id = dx_slice_is(told, "null") ? dx_sn(NULL, 0) : told;
        name.n = (size_t)end;
    }
    slow_region(r, name);
}

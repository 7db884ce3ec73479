/* test_slowlog_quick.c - what the quick reader takes is what the thorough one takes, whatever
 * records came before and taught it the order of their keys. */
#include "dx_slowlog.h"
#include "slowlog_text.h"
#include "tap.h"

#include <stdlib.h>

#define HEX "5f2a9c0d71e84b3695cafe1234567890"

/* Members of all generations, well formed, odd, and of nobody's vocabulary. */
static const char *const members[] = {
    "'processingtimems':4711",
    "'processingtimems':'4711'",
    "'processingtimems':-3",
    "'processingtimems':4711.5",
    "'queuetimems':0",
    "'queuetimems':'12'",
    "'queuetimems':1234567890123456789",
    "'queuetimems':'18446744073709551616'",
    "'starttimems':1796069374432",
    "'starttimems':'1796069374432'",
    "'starttimems':253402214400000",
    "'starttimems':null",
    "'responsesize':1192308",
    "'responsesize': 1192308",
    "'responsesize':'1192308 '",
    "'method':'Scan'",
    "'method':'Mu~u006cti'",
    "'method':null",
    "'client':'10.0.0.5:52344'",
    "'client' : '2001:db8:0:0:0:0:0:5:41234'",
    "'class':'HRegionServer'",
    "'call':'Scan(org.apache.X$ScanRequest)'",
    "'call':'next(8396609820567310863, 1000), rpc version=1'",
    "'param':'region= t,a,1697429694523." HEX "., row=user7540'",
    "'param':'region~u003d t,~~x00,1697429694523." HEX "., for 19 action(s) and 1st row key=x'",
    "'param':'scanner_id: 12770306947168620354 number_of_rows: 729 <TRUNCATED>'",
    "'param':'region { type: REGION_NAME value: ~'ns:t,k~~001,1." HEX
    ".~' } scan { start_row: ~'a~'"
    " cache_blocks: false caching: 100 }'",
    "'scandetails':'table: t region: t,,1." HEX ".'",
    "'table':'iot:alarms'",
    "'families':{'m':['ALL']}",
    "'cacheBlocks':true",
    "'timeRange':[0,9223372036854775807]",
    "'multi.gets':0",
    "'row':'user~'1~''",
    "'unheardof':{'a':['}',1]}",
};

static uint32_t next_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* A record of random members in random order; some are cut short. */
static char *record(uint32_t *state) {
    char text[4096] = "(responseTooSlow): {";
    size_t n = next_random(state) % 9;
    for (size_t i = 0; i < n; i++) {
        const char *one = members[next_random(state) % (sizeof members / sizeof *members)];
        if (strlen(text) + strlen(one) + 3 >= sizeof text)
            break;
        strcat(text, i == 0 ? "" : next_random(state) % 20 == 0 ? " , " : ",");
        strcat(text, one);
    }
    strcat(text, next_random(state) % 20 == 0 ? "" : "}");
    char *out = quoted(text);
    if (next_random(state) % 10 == 0)
        out[next_random(state) % (strlen(out) + 1)] = '\0';
    return out;
}

static bool same_texts(const dx_call *a, const dx_call *b) {
    return dx_slice_eq(a->method, b->method) && dx_slice_eq(a->client, b->client)
           && dx_slice_eq(a->client_address, b->client_address) && dx_slice_eq(a->user, b->user)
           && dx_slice_eq(a->server_class, b->server_class) && dx_slice_eq(a->table, b->table)
           && dx_slice_eq(a->region, b->region) && dx_slice_eq(a->encoded, b->encoded)
           && dx_slice_eq(a->row, b->row) && dx_slice_eq(a->start_row, b->start_row)
           && dx_slice_eq(a->stop_row, b->stop_row) && dx_slice_eq(a->filters, b->filters)
           && dx_slice_eq(a->families, b->families)
           && dx_slice_eq(a->operation_id, b->operation_id);
}

static bool same_numbers(const dx_call *a, const dx_call *b) {
    return a->start_ms == b->start_ms && a->proc_ms == b->proc_ms && a->queue_ms == b->queue_ms
           && a->response_bytes == b->response_bytes && a->has_scanner == b->has_scanner
           && a->scanner_id == b->scanner_id && a->caching == b->caching
           && a->number_of_rows == b->number_of_rows && a->actions == b->actions
           && a->multi_gets == b->multi_gets && a->cache_blocks == b->cache_blocks
           && a->has_start_row == b->has_start_row && a->has_stop_row == b->has_stop_row
           && a->full_range == b->full_range && a->param_cut == b->param_cut && a->slow == b->slow;
}

int main(void) {
    dx_slowlog_memo memo = {{{NULL}}};
    dx_arena *one = dx_arena_new(0), *other = dx_arena_new(0);
    uint32_t state = 20261201;
    size_t taken = 0, wrong = 0;
    dx_err err;
    for (size_t round = 0; round < 50000; round++) {
        char *whole = record(&state), *line = exact(whole, strlen(whole));
        dx_slice text = {line, strlen(whole)};
        dx_call quick, thorough;
        dx_arena_reset(one);
        dx_arena_reset(other);
        size_t used;
        if (dx_slowlog_quick(text, &memo, one, &quick, &used)) {
            taken++;
            bool same = used == dx_slowlog_extent(text, 0)
                        && dx_slowlog_log(text, other, &thorough, &err) == DX_OK
                        && same_texts(&quick, &thorough) && same_numbers(&quick, &thorough);
            if (!same && wrong++ == 0)
                printf("# %s\n", whole);
        }
        free(line);
        free(whole);
    }
    is_int((int64_t)wrong, 0, "what is read quickly is what is read thoroughly");
    ok(taken > 5000, "many records are read quickly: %zu", taken);
    dx_arena_free(one);
    dx_arena_free(other);
    return done();
}

/* dx_casefile_call.c - slow calls, of which one may stand in a log, in a copy of that log and in
 * several dumps of the ring buffer. Two things decide what is the same call:
 *   - the text of a log record: its n-th appearance in one log is its n-th in another;
 *   - across logs and dumps the key (start, client, method, queue time, response size): the n-th of
 *     a key in all logs together is the n-th in each dump.
 * So the rows of a key are numbered 1 to N, those of logs first, and N is the largest number of
 * times that all logs together or any one dump have it. */
#include "dx_casefile_int.h"
#include "dx_region.h"

#include <inttypes.h>
#include <stdio.h>

/* The columns that a second sight of a call may fill in, in the order of bind_call. CUT: false
 * wins; OWNER: whose it is, its source's unless told; FILL: the first that is known; MOST: the
 * larger; PARAM: told by param, where one that was not cut wins. CUT comes first, because the
 * others look at it. */
/* clang-format off */
#define COLUMNS(CUT, OWNER, FILL, MOST, PARAM)                                                    \
    CUT(param_cut) OWNER(server_id)                                                               \
    MOST(slow) MOST(large)                                                                        \
    FILL(start_ms) FILL(proc_ms) FILL(queue_ms) FILL(response_bytes) FILL(block_bytes)            \
    FILL(fs_read_ms) FILL(method) FILL(client) FILL(client_address) FILL(user)                    \
    FILL(server_class) FILL(multi_gets) FILL(multi_mutations) FILL(multi_service_calls)           \
    FILL(thread)                                                                                  \
    PARAM(table_name) PARAM(region) PARAM(encoded) PARAM(row) PARAM(scanner_id)                   \
    PARAM(start_row) PARAM(stop_row) PARAM(filters) PARAM(families) PARAM(operation_id)           \
    PARAM(has_start_row) PARAM(has_stop_row) PARAM(full_range) PARAM(cache_blocks) PARAM(small)   \
    PARAM(reversed)                                                                               \
    PARAM(caching) PARAM(batch) PARAM(limit_rows) PARAM(max_result_bytes) PARAM(max_versions)     \
    PARAM(number_of_rows) PARAM(actions)                                                          \
    FILL(record_hash) MOST(in_log) MOST(in_dump)

#define NAME(n)      #n ", "
#define PARAMETER(n) ":" #n ", "
#define SET_CUT(n)   #n "=min(" #n ",:" #n ")"
#define SET_OWNER(n)                                                                               \
    ", " #n "=coalesce(" #n ",(SELECT " #n " FROM source WHERE source.id=source_id),:" #n ")"
#define SET_FILL(n)  ", " #n "=coalesce(" #n ",:" #n ")"
#define SET_MOST(n)  ", " #n "=max(coalesce(" #n ",:" #n "),coalesce(:" #n "," #n "))"
#define SET_PARAM(n)                                                                               \
    ", " #n "=iif(:param_cut<param_cut,coalesce(:" #n "," #n "),coalesce(" #n ",:" #n "))"

static const char insert_sql[] =
    "INSERT INTO call_row(" COLUMNS(NAME, NAME, NAME, NAME, NAME)
    "source_id, line, offset, form, key, occ) "
    "VALUES(" COLUMNS(PARAMETER, PARAMETER, PARAMETER, PARAMETER, PARAMETER) "?, ?, ?, ?, ?, ?)";
/* What a param tells of filters and of caching stands far behind: it is cut off first. */
#define TELLS_MORE                                                                                 \
    ":param_cut<param_cut OR cache_blocks IS NULL AND :cache_blocks IS NOT NULL "                  \
    "OR filters IS NULL AND :filters IS NOT NULL"
static const char merge_sql[] =
    "UPDATE call_row SET " COLUMNS(SET_CUT, SET_OWNER, SET_FILL, SET_MOST, SET_PARAM)
    ", told_source=iif(" TELLS_MORE ",?,told_source), told_line=iif(" TELLS_MORE ",?,told_line) "
    "WHERE id = ?";
/* clang-format on */

/* --- what a call is known by --- */

/* The same on every machine: numbers go in as text. */
static uint64_t add_number(uint64_t hash, int64_t v) {
    char room[21];
    dx_slice text = dx_int_text(room, v);
    room[20] = ',';
    return dx_hash(text.p, text.n + 1, hash);
}

static uint64_t key_of(const dx_call *call, const dx_where *where) {
    uint64_t h = add_number(0, call->start_ms);
    h = dx_hash(call->client.p, call->client.n, h);
    h = dx_hash(",", 1, h);
    h = dx_hash(call->method.p, call->method.n, h);
    h = add_number(h, call->queue_ms);
    h = add_number(h, call->response_bytes);
    if (call->start_ms == DX_TIME_NONE || call->client.n == 0)
        h = add_number(h, (int64_t)(where->record_hash >> 1)); /* too little: its text, too */
    return h;
}

/* A dump's own count of a key. Slow and large calls are two lists of the ring buffer: a call that
 * is both stands once in each. */
static uint64_t count_key(const dx_call *call, uint64_t key) {
    const char list[2] = {(char)('1' + call->slow), (char)('1' + call->large)};
    return call->form == DX_CALL_RING ? dx_hash(list, sizeof list, key) : key;
}

/* --- binding --- */

static void bind_told(dx_stmt *s, const dx_call *call) {
    const int64_t numbers[] = {call->start_ms,       call->proc_ms,     call->queue_ms,
                               call->response_bytes, call->block_bytes, call->fs_read_ms};
    const dx_slice texts[] = {call->method, call->client, call->client_address, call->user,
                              call->server_class};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        dx_stmt_num(s, numbers[i]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        dx_stmt_text(s, texts[i]);
    dx_stmt_num(s, call->multi_gets);
    dx_stmt_num(s, call->multi_mutations);
    dx_stmt_num(s, call->multi_service_calls);
}

/* scanner: room for the digits of 64 bits, which must outlive the statement's run */
static void bind_param(dx_stmt *s, const dx_call *call, char scanner[24]) {
    const dx_slice where[] = {call->table, call->region, call->encoded, call->row};
    const dx_slice shape[] = {call->start_row, call->stop_row, call->filters, call->families,
                              call->operation_id};
    const dx_tri truths[] = {call->has_start_row, call->has_stop_row, call->full_range,
                             call->cache_blocks,  call->small,        call->reversed};
    const int64_t numbers[] = {call->caching,          call->batch,        call->limit_rows,
                               call->max_result_bytes, call->max_versions, call->number_of_rows,
                               call->actions};
    for (size_t i = 0; i < sizeof where / sizeof *where; i++)
        dx_stmt_text(s, where[i]);
    snprintf(scanner, 24, "%" PRIu64, call->scanner_id);
    dx_stmt_string(s, call->has_scanner ? scanner : NULL);
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
        dx_stmt_text(s, shape[i]);
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        dx_stmt_tri(s, truths[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        dx_stmt_num(s, numbers[i]);
}

static int64_t line_of(const dx_where *where) {
    return where->line == 0 ? DX_UNKNOWN : (int64_t)where->line;
}

/* All of COLUMNS, in their order. */
static void bind_call(dx_stmt *s, int64_t server, const dx_call *call, const dx_where *where,
                      char scanner[24]) {
    bool log = call->form == DX_CALL_LOG;
    dx_stmt_int(s, call->param_cut);
    dx_stmt_id(s, server);
    dx_stmt_tri(s, call->slow);
    dx_stmt_tri(s, call->large);
    bind_told(s, call);
    dx_stmt_text(s, where->thread);
    bind_param(s, call, scanner);
    dx_stmt_hash(s, log ? where->record_hash : 0);
    dx_stmt_int(s, log);
    dx_stmt_int(s, !log);
}

/* --- finding and writing --- */

typedef struct sight {
    uint64_t key;
    int64_t occ; /* its number among the calls of that key, when it is a new row */
    int64_t id;  /* the row that is this call already, or 0 */
} sight;

DX_MUST_CHECK static dx_status row_of(dx_casefile *c, sight *out, dx_err *err) {
    static const char sql[] = "SELECT id FROM call_row WHERE key = ? AND occ = ?";
    return dx_case_number(c, sql, (int64_t[]){dx_bits(out->key), out->occ}, 2, &out->id, err);
}

/* The n-th record of this text in the logs. */
DX_MUST_CHECK static dx_status same_record(dx_casefile *c, uint64_t hash, int64_t n, sight *out,
                                           dx_err *err) {
    static const char sql[] = "SELECT id FROM call_row WHERE record_hash = ? ORDER BY id "
                              "LIMIT 1 OFFSET ?";
    return dx_case_number(c, sql, (int64_t[]){dx_bits(hash), n - 1}, 2, &out->id, err);
}

/* n: how often this source has had the record. */
DX_MUST_CHECK static dx_status find_logged(dx_casefile *c, const dx_where *where, int64_t n,
                                           sight *out, dx_err *err) {
    static const char sql[] = "SELECT count(*) FROM call_row WHERE key = ? AND in_log = 1";
    dx_status st = DX_OK;
    if (where->record_hash != 0)
        st = same_record(c, where->record_hash, n, out, err);
    if (st != DX_OK || out->id != 0)
        return st;
    st = dx_case_number(c, sql, (int64_t[]){dx_bits(out->key)}, 1, &n, err);
    out->occ = n + 1;
    return st == DX_OK ? row_of(c, out, err) : st;
}

/* Nothing in the case can be this call. */
static bool surely_new(const dx_casefile *c, const dx_where *where, uint64_t key) {
    const dx_known *k = &c->known_calls;
    return !k->indexed && !dx_set_has(&k->set, key)
           && (where->record_hash == 0 || !dx_set_has(&k->set, where->record_hash));
}

DX_MUST_CHECK static dx_status note_known(dx_casefile *c, const dx_where *where, uint64_t key,
                                          dx_err *err) {
    dx_known *k = &c->known_calls;
    if (k->indexed
        || (dx_set_add(&k->set, key)
            && (where->record_hash == 0 || dx_set_add(&k->set, where->record_hash))))
        return DX_OK;
    return dx_fail(err, DX_E_NOMEM, "no memory for the records of a case");
}

DX_MUST_CHECK static dx_status find(dx_casefile *c, const dx_call *call, const dx_where *where,
                                    sight *out, dx_err *err) {
    bool log = call->form == DX_CALL_LOG;
    *out = (sight){.key = key_of(call, where), .occ = 1};
    uint64_t counted = log ? where->record_hash : count_key(call, out->key);
    int64_t n = 1;
    dx_status st = dx_case_known_calls(c, err);
    if (st == DX_OK && counted != 0)
        st = dx_case_nth(c, counted, &n, err);
    if (st != DX_OK)
        return st;
    if (surely_new(c, where, out->key))
        return note_known(c, where, out->key, err);
    if ((st = dx_case_index_calls(c, err)) != DX_OK)
        return st;
    if (log)
        return find_logged(c, where, n, out, err);
    out->occ = n;
    return row_of(c, out, err);
}

DX_MUST_CHECK static dx_status insert(dx_casefile *c, int64_t source, int64_t server,
                                      const dx_call *call, const dx_where *where, const sight *as,
                                      dx_err *err) {
    static const char *const forms[] = {"log", "ring", "table"};
    char scanner[24];
    dx_stmt *s;
    dx_status st = dx_stmt_cached(&s, c, insert_sql, err);
    if (st != DX_OK)
        return st;
    bind_call(s, server, call, where, scanner);
    dx_stmt_int(s, source);
    dx_stmt_num(s, line_of(where));
    dx_stmt_u64(s, where->offset);
    dx_stmt_string(s, forms[call->form]);
    dx_stmt_u64(s, as->key);
    dx_stmt_int(s, as->occ);
    return dx_stmt_run(s, err);
}

DX_MUST_CHECK static dx_status merge(dx_casefile *c, int64_t source, int64_t server,
                                     const dx_call *call, const dx_where *where, int64_t id,
                                     dx_err *err) {
    char scanner[24];
    dx_stmt *s;
    dx_status st = dx_stmt_cached(&s, c, merge_sql, err);
    if (st != DX_OK)
        return st;
    bind_call(s, server, call, where, scanner);
    dx_stmt_int(s, source);
    dx_stmt_num(s, line_of(where));
    dx_stmt_int(s, id);
    st = dx_stmt_run(s, err);
    if (st == DX_OK && server == 0)
        st = dx_case_note_merged(c, id, err);
    return st;
}

dx_status dx_casefile_add_call(dx_casefile *c, int64_t source, int64_t server, const dx_call *call,
                               const dx_where *where, bool *added, dx_err *err) {
    sight found;
    dx_slice table, encoded, full = {NULL, 0};
    dx_status st = dx_case_enter(c, source, err);
    if (st == DX_OK)
        st = find(c, call, where, &found, err);
    if (st != DX_OK)
        return st;
    *added = found.id == 0;
    st = *added ? insert(c, source, server, call, where, &found, err)
                : merge(c, source, server, call, where, found.id, err);
    if (st != DX_OK || dx_case_region_told(c, call->encoded))
        return st;
    if (dx_region_split(call->region, &table, &encoded))
        full = call->region;
    return dx_casefile_learn_region(c, call->encoded, full, call->table, err);
}

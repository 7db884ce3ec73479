/* dx_scanlog.c - see dx_scanlog.h. A message is looked at word by word only when it has one of the
 * marks of a scan's numbers in it. */
#include "dx_scanlog.h"
#include "dx_units.h"

#include <stddef.h>
#include <string.h>

typedef struct key {
    const char *name;
    size_t at; /* where in dx_scan; NONE: a counter that we only know */
} key;

#define NONE      SIZE_MAX
#define VALUE_MAX 1000
#define FIELD(f)  offsetof(dx_scan, f)
/* What applications write, then the names of the client's ScanMetrics. */
static const key words[] = {
    {"returned", FIELD(returned)},
    {"rows_returned", FIELD(returned)},
    {"rowsReturned", FIELD(returned)},
    {"scanned", FIELD(scanned)},
    {"rows_scanned", FIELD(scanned)},
    {"rowsScanned", FIELD(scanned)},
    {"filtered", FIELD(filtered)},
    {"rows_filtered", FIELD(filtered)},
    {"rowsFiltered", FIELD(filtered)},
    {"regions", FIELD(regions)},
    {"rpcs", FIELD(rpcs)},
    {"retries", FIELD(retries)},
    {"bytes", FIELD(bytes)},
    {"remote_bytes", FIELD(remote_bytes)},
    {"remoteBytes", FIELD(remote_bytes)},
    {"msBetweenNexts", FIELD(between_nexts_ms)},
    {"ms", FIELD(took_ms)},
    {"took_ms", FIELD(took_ms)},
    {"tookMs", FIELD(took_ms)},
    {"took", FIELD(took_ms)},
};
static const key counters[] = {
    {"ROWS_SCANNED", FIELD(scanned)},
    {"ROWS_FILTERED", FIELD(filtered)},
    {"REGIONS_SCANNED", FIELD(regions)},
    {"RPC_CALLS", FIELD(rpcs)},
    {"RPC_RETRIES", FIELD(retries)},
    {"BYTES_IN_RESULTS", FIELD(bytes)},
    {"BYTES_IN_REMOTE_RESULTS", FIELD(remote_bytes)},
    {"MILLIS_BETWEEN_NEXTS", FIELD(between_nexts_ms)},
    {"REMOTE_RPC_CALLS", NONE},
    {"REMOTE_RPC_RETRIES", NONE},
    {"NOT_SERVING_REGION_EXCEPTION", NONE},
    {"BLOCK_BYTES_SCANNED", NONE},
};
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Looked for at each '=', for many messages have some and few have a mark. */
static bool marked(dx_slice m) {
    for (ptrdiff_t eq = dx_slice_find_char(m, '=', 0); eq >= 0;
         eq = dx_slice_find_char(m, '=', (size_t)eq + 1)) {
        char last = eq > 0 ? m.p[eq - 1] : '\0';
        if (last != 'd' && last != 'D' && last != 'S')
            continue;
        dx_slice head = dx_slice_sub(m, 0, (size_t)eq);
        if (dx_slice_ends(head, "canned") || dx_slice_ends(head, "SCANNED")
            || dx_slice_ends(head, "RPC_CALLS") || dx_slice_ends(head, "_RESULTS"))
            return true;
    }
    return false;
}

/* ---- pairs ---- */

static const key *key_of(const key *keys, size_t n, dx_slice name) {
    for (size_t i = 0; i < n; i++)
        if (dx_slice_is(name, keys[i].name))
            return &keys[i];
    return NULL;
}

/* A whole number behind '=', also "1235ms"; no fraction, no other unit. */
static bool number_at(dx_slice m, size_t at, int64_t *v) {
    dx_slice s = dx_slice_sub(m, at, m.n);
    size_t n = dx_grouped_lead(s, v);
    if (n == 0)
        return false;
    if (dx_slice_starts(dx_slice_sub(s, n, s.n), "ms"))
        n += 2;
    return n == s.n || !(is_word(s.p[n]) || s.p[n] == '%' || s.p[n] == '/');
}

typedef struct found {
    size_t first;      /* where the first pair begins that has a number */
    bool scanned;      /* a word for rows scanned, with its number */
    size_t counters;   /* of the map */
    bool remote_calls; /* REMOTE_RPC_CALLS, more than 0 */
} found;

static void take_pair(dx_slice m, size_t from, size_t eq, dx_scan *out, found *f) {
    dx_slice name = dx_slice_sub(m, from, eq);
    const key *k = key_of(words, COUNT(words), name);
    bool counter = k == NULL && (k = key_of(counters, COUNT(counters), name)) != NULL;
    int64_t v;
    if (!number_at(m, eq + 1, &v))
        return;
    if (f->first == NONE)
        f->first = from;
    if (k == NULL)
        return;
    f->counters += counter;
    f->scanned = f->scanned || (!counter && k->at == FIELD(scanned));
    f->remote_calls = f->remote_calls || (v > 0 && dx_str_eq(k->name, "REMOTE_RPC_CALLS"));
    if (k->at == NONE)
        return;
    int64_t *field = (int64_t *)(void *)((char *)out + k->at);
    if (*field == DX_UNKNOWN)
        *field = v;
}

/* ---- the table ---- */

static bool is_name(dx_slice s, bool dotted) {
    for (size_t i = 0; i < s.n; i++)
        if (!is_word(s.p[i]) && !(dotted && (s.p[i] == '.' || s.p[i] == '-')))
            return false;
    return s.n > 0;
}

/* "ns:table" (a name of digits only is a port or a minute); plain: "table" too. */
static bool is_table(dx_slice s, bool plain) {
    ptrdiff_t colon = dx_slice_find_char(s, ':', 0);
    if (colon < 0)
        return plain && is_name(s, true);
    dx_slice ns = dx_slice_sub(s, 0, (size_t)colon), name = dx_slice_sub(s, (size_t)colon + 1, s.n);
    uint64_t number;
    return is_name(ns, false) && is_name(name, true) && !dx_slice_u64(name, &number);
}

/* The value behind '=': up to a blank, a comma or a closing sign, without quotes; empty when it is
 * too long to be a name, so that a message of many '=' and no end is not read over and over. */
static dx_slice value_at(dx_slice m, size_t at) {
    size_t end = at;
    m = dx_slice_sub(m, 0, at + VALUE_MAX + 1);
    while (end < m.n && strchr(" \t\r\n,;)}]", m.p[end]) == NULL && m.p[end] != '\0')
        end++;
    if (end - at > VALUE_MAX)
        return dx_sn(NULL, 0);
    dx_slice v = dx_slice_sub(m, at, end);
    bool quoted = v.n >= 2 && (v.p[0] == '"' || v.p[0] == '\'') && v.p[v.n - 1] == v.p[0];
    return quoted ? dx_slice_sub(v, 1, v.n - 1) : v;
}

/* ---- the label ---- */

static void add_word(char *label, size_t cap, dx_slice word) {
    size_t digit = 0, have = strlen(label);
    while (digit < word.n && !(word.p[digit] >= '0' && word.p[digit] <= '9'))
        digit++;
    bool cut = digit < word.n;
    size_t need = digit + cut + (have > 0);
    if (word.n == 0 || need >= cap - have || memchr(word.p, '\0', digit) != NULL)
        return;
    if (have > 0)
        label[have++] = ' ';
    memcpy(label + have, word.p, digit);
    if (cut)
        label[have + digit++] = '#';
    label[have + digit] = '\0';
}

/* The word without the signs around it. */
static dx_slice bare(dx_slice w) {
    while (w.n > 0 && strchr("([{<\"'", w.p[0]) != NULL && w.p[0] != '\0')
        w = dx_slice_sub(w, 1, w.n);
    while (w.n > 0 && strchr("([{)]}>\"',:;", w.p[w.n - 1]) != NULL && w.p[w.n - 1] != '\0')
        w = dx_slice_sub(w, 0, w.n - 1);
    return w;
}

/* A word of the head: a table, a pair (only a name of the query is kept), or a part of the label.
 */
static void take_word(dx_slice word, dx_scan *out) {
    ptrdiff_t eq = dx_slice_find_char(word, '=', 0);
    dx_slice w = bare(word);
    if (eq >= 0) {
        dx_slice name = bare(dx_slice_sub(word, 0, (size_t)eq));
        if (dx_slice_is(name, "op") || dx_slice_is(name, "query") || dx_slice_is(name, "label"))
            add_word(out->label, sizeof out->label, value_at(word, (size_t)eq + 1));
    } else if (is_table(w, false)) {
        if (out->table.n == 0)
            out->table = w;
    } else if (!dx_slice_eq(w, out->table)) {
        add_word(out->label, sizeof out->label, w);
    }
}

static void read_head(dx_slice head, dx_scan *out) {
    size_t i = 0;
    while (i < head.n) {
        size_t end = i;
        while (end < head.n && strchr(" \t\r\n", head.p[end]) == NULL)
            end++;
        dx_slice word = dx_slice_sub(head, i, end);
        bool of_key = end >= head.n - 1 && dx_slice_is(word, "rows"); /* "rows returned=" */
        if (word.n > 0 && !of_key)
            take_word(word, out);
        i = end + 1;
    }
}

/* ---- all of it ---- */

/* Rows came back, yet none was scanned: the server had not been asked to count, so its counters are
 * no zeros. The same for bytes of remote calls that returned none. */
static void doubt(dx_scan *s, const found *f) {
    if (s->scanned == 0 && (s->bytes > 0 || s->returned > 0)) {
        s->scanned = DX_UNKNOWN;
        if (s->filtered == 0)
            s->filtered = DX_UNKNOWN;
    }
    if (s->remote_bytes == 0 && f->remote_calls && s->bytes > 0)
        s->remote_bytes = DX_UNKNOWN;
}

bool dx_scanlog_read(dx_slice message, dx_scan *out) {
    if (!marked(message))
        return false;
    *out = (dx_scan){DX_UNKNOWN, DX_UNKNOWN, DX_UNKNOWN, DX_UNKNOWN, DX_UNKNOWN, DX_UNKNOWN,
                     DX_UNKNOWN, DX_UNKNOWN, DX_UNKNOWN, DX_UNKNOWN, .label = ""};
    found f = {.first = NONE};
    for (ptrdiff_t at = dx_slice_find_char(message, '=', 0); at >= 0;
         at = dx_slice_find_char(message, '=', (size_t)at + 1)) {
        size_t eq = (size_t)at, from = eq;
        while (from > 0 && is_word(message.p[from - 1]))
            from--;
        if (from == eq)
            continue;
        if (out->table.n == 0 && dx_slice_is(dx_slice_sub(message, from, eq), "table")) {
            dx_slice v = value_at(message, eq + 1);
            if (is_table(v, true))
                out->table = v;
        }
        take_pair(message, from, eq, out, &f);
    }
    if (!f.scanned && f.counters < 2)
        return false;
    read_head(dx_slice_sub(message, 0, f.first), out);
    doubt(out, &f);
    return true;
}

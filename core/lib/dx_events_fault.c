/* dx_events_fault.c - exceptions: of the server's own records, of clients that were turned away,
 * and lines that people paste without the record around them. A trace says its root last, and a
 * remote exception names the one that it carries. */
#include "dx_events_match.h"
#include "dx_server.h"

#include <string.h>

#define TRACE_MAX 16000 /* bytes of a trace in which its root is looked for */

/* ---- names of exceptions ---- */

static bool in_class(char c) {
    return dx_is_letter(c) || dx_is_digit(c) || c == '.' || c == '_' || c == '$';
}

static bool ends_as_fault(dx_slice name) {
    return dx_slice_ends(name, "Exception") || dx_slice_ends(name, "Error");
}

/* The class at the head of s: "java.io.IOException", with a package. Empty: there is none. */
static dx_slice class_at(dx_slice s) {
    size_t n = 0;
    while (n < s.n && in_class(s.p[n]))
        n++;
    dx_slice name = dx_slice_sub(s, 0, n);
    bool is = n > 0 && dx_is_letter(s.p[0]) && dx_slice_find_char(name, '.', 1) > 0
              && ends_as_fault(name);
    return is ? name : dx_sn(NULL, 0);
}

/* ---- traces ---- */

typedef struct fault {
    dx_slice name, reason;
} fault;

/* "a.B: c.D: text" and "a.RemoteException(c.D): text" are a D. */
static fault innermost(dx_slice name, dx_slice behind) {
    for (;;) {
        dx_slice inner = dx_sn(NULL, 0);
        size_t skip = 0;
        if (dx_slice_starts(behind, "(")) {
            inner = class_at(dx_slice_sub(behind, 1, behind.n));
            skip = inner.n + 2;
            if (inner.n > 0 && (behind.n < skip || behind.p[skip - 1] != ')'))
                inner.n = 0;
        } else if (dx_slice_starts(behind, ": ")) {
            inner = class_at(dx_slice_sub(behind, 2, behind.n));
            skip = inner.n + 2;
        }
        if (inner.n == 0)
            break;
        name = inner;
        behind = dx_slice_sub(behind, skip, behind.n);
    }
    if (dx_slice_starts(behind, ":"))
        behind = dx_slice_sub(behind, 1, behind.n);
    return (fault){name, dx_slice_trim(behind)};
}

/* Where the words of an exception end: at its first frame, at its cause, at frames left out. */
static bool ends_words(dx_slice line) {
    line = dx_slice_trim(line);
    return dx_slice_starts(line, "at ") || dx_slice_starts(line, "Caused by: ")
           || dx_slice_starts(line, "Suppressed: ") || dx_slice_starts(line, "...");
}

/* An exception whose class s begins with; its words may go on over lines. */
static fault fault_at(dx_slice s) {
    dx_slice name = class_at(s);
    size_t end = 0;
    for (;;) {
        ptrdiff_t nl = dx_slice_find_char(s, '\n', end);
        if (nl < 0) {
            end = s.n;
            break;
        }
        end = (size_t)nl;
        ptrdiff_t next = dx_slice_find_char(s, '\n', end + 1);
        if (ends_words(dx_slice_sub(s, end + 1, next < 0 ? s.n : (size_t)next)))
            break;
        end++;
    }
    return innermost(name, dx_slice_sub(s, name.n, end));
}

/* The first and the last exception of the lines behind a message; false: there is none. */
static bool read_trace(dx_slice rest, fault *first, fault *root) {
    static const char cause[] = "\nCaused by: ";
    rest = dx_slice_sub(rest, 0, TRACE_MAX);
    while (rest.n > 0 && (rest.p[0] == '\n' || rest.p[0] == ' '))
        rest = dx_slice_sub(rest, 1, rest.n);
    bool headless = dx_slice_starts(rest, cause + 1);
    dx_slice head = dx_slice_sub(rest, headless ? sizeof cause - 2 : 0, rest.n);
    if (class_at(head).n == 0)
        return false;
    *first = *root = fault_at(head);
    for (ptrdiff_t at = dx_slice_find(head, cause, 0); at >= 0;) {
        head = dx_slice_sub(head, (size_t)at + sizeof cause - 1, head.n);
        if (class_at(head).n > 0)
            *root = fault_at(head);
        at = dx_slice_find(head, cause, 0);
    }
    return true;
}

static void put(dx_event *out, const char *name, dx_slice v) {
    if (v.n > 0)
        dx_event_text(out, name, v);
}

static void put_root(dx_event *out, const fault *root) {
    put(out, "root_class", root->name);
    put(out, "root_reason", root->reason);
}

bool dx_event_root(const dx_logline *line, dx_slice rest, dx_event *out) {
    fault first, root;
    (void)line;
    if (read_trace(rest, &first, &root))
        put_root(out, &root);
    return true;
}

/* ---- a region that turned a write away ---- */

/* "regionName=t1,,<region>, server=": whoever masks names often leaves the table's. */
static void read_masked(dx_slice text, dx_event *out) {
    ptrdiff_t at = dx_slice_find(text, "regionName=", 0);
    dx_slice s = dx_slice_sub(text, at < 0 ? text.n : (size_t)at + 11, text.n);
    size_t n = 0;
    while (n < s.n && (in_class(s.p[n]) || s.p[n] == '-' || s.p[n] == ':') && s.p[n] != '$')
        n++;
    if (n > 0 && n + 1 < s.n && s.p[n] == ',' && s.p[n + 1] != ' ')
        out->table = dx_slice_sub(s, 0, n);
}

/* text begins at or before the exception's own words; those of 1.x may be broken over two lines by
 * whoever copied them. */
static void read_too_busy(dx_slice text, dx_event *out) {
    static const char *const limit[] = {"limit_bytes", NULL},
                             *const sizes[] = {"size_bytes", "limit_bytes", NULL},
                             *const none[] = {NULL};
    static const struct {
        const char *pattern;
        const char *const *names;
    } forms[] = {
        {"%_Over memstore limit=%b, regionName=%R, server=%S", limit},
        {"%_Over memstore limit; regionName=%R, server=%S, blockingMemStoreSize=%b", limit},
        {"%_ailed to obtain lock; regionName=%R, server=%S", none},
        {"%_ailed to get a lock in %_regionName=%R, server=%S", none},
    };
    if (dx_event_match("%_Above memstore limit, regionName=%R, server=%S, memstoreSize=%i, "
                       "blockingMemStoreSize=%i",
                       sizes, text, out))
        return;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (dx_event_match(forms[i].pattern, forms[i].names, dx_event_first_line(text), out))
            return;
}

void dx_event_too_busy(dx_slice text, dx_event *out) {
    read_too_busy(text, out);
    if (out->encoded.n == 0 && out->table.n == 0)
        read_masked(text, out);
}

/* What a client says of its batch before the exception: "table=t1, attempt=3/35 failed=200ops"
 * (1.0: "failed 200 ops"; 2.x: "failureCount=200ops"), "Failed 200 actions: ". */
static void read_batch(dx_slice s, dx_event *out) {
    static const struct {
        const char *words, *name;
    } forms[] = {{" attempt=", "attempt"},
                 {" failed=", "ops"},
                 {" failed ", "ops"},
                 {"Failed ", "ops"},
                 {" failureCount=", "ops"}};
    bool counted = false;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        ptrdiff_t at = dx_slice_find(s, forms[i].words, 0);
        uint64_t n;
        bool ops = dx_str_eq(forms[i].name, "ops");
        dx_slice value = dx_slice_sub(s, (size_t)at + strlen(forms[i].words), s.n);
        if (at < 0 || (ops && counted) || dx_slice_lead_u64(value, &n) == 0 || n > INT32_MAX)
            continue;
        dx_event_int(out, forms[i].name, (int64_t)n);
        counted = counted || ops;
    }
    ptrdiff_t table = dx_slice_find(s, " table=", 0);
    ptrdiff_t end = table < 0 ? -1 : dx_slice_find_char(s, ',', (size_t)table);
    if (out->table.n == 0 && end >= 0)
        out->table = dx_slice_sub(s, (size_t)table + 7, (size_t)end);
}

/* s from the exception on, and the part of its line before it. */
static void split_at(dx_slice s, size_t at, dx_slice *words, dx_slice *before) {
    *before = dx_slice_sub(s, 0, at);
    ptrdiff_t nl = dx_slice_rfind_char(*before, '\n');
    *before = dx_slice_sub(*before, (size_t)(nl + 1), before->n);
    *words = dx_slice_sub(s, at, at + 4000);
}

#define TOO_BUSY "RegionTooBusyException: "

/* Before 1.7 the server says nothing when it turns a write away, so the client's word counts. A
 * summary ("RegionTooBusyException: 3 times") gives no reason. */
static bool client_too_busy(dx_slice text, dx_event *out) {
    ptrdiff_t at = dx_slice_find(text, TOO_BUSY, 0);
    dx_slice words, before;
    if (at < 0)
        return false;
    split_at(text, (size_t)at, &words, &before);
    *out = (dx_event){.id = DX_EV_REGION_TOO_BUSY};
    if (dx_slice_find(words, " memstore limit", 0) >= 0)
        dx_event_text(out, "reason", dx_s("memstore"));
    else if (dx_slice_find(words, " lock", 0) >= 0)
        dx_event_text(out, "reason", dx_s("lock"));
    dx_event_text(out, "seen_by", dx_s("client"));
    dx_event_too_busy(words, out);
    read_batch(before, out);
    return true;
}

/* ---- a call queue that took no more ---- */

#define QUEUE_FULL "Call queue is full"

/* The server's name: "full on host,port,code, too many", or what the client says behind it: "small?
 * on host,port,code, tracking started". A bind address ("/0.0.0.0:60020") is none. */
static void read_full_server(dx_slice words, dx_event *out) {
    words = dx_event_first_line(words);
    for (ptrdiff_t at = dx_slice_find(words, " on ", 0); at >= 0;
         at = dx_slice_find(words, " on ", (size_t)at + 1)) {
        dx_slice s = dx_slice_sub(words, (size_t)at + 4, words.n);
        size_t n = 0, commas = 0;
        for (; n < s.n && s.p[n] != ' ' && !(s.p[n] == ',' && commas == 2); n++)
            commas += s.p[n] == ',';
        dx_server_name name;
        s = dx_slice_sub(s, 0, n);
        if (dx_server_read(s, &name) && name.start_code != DX_UNKNOWN) {
            out->server = s;
            return;
        }
    }
}

/* Servers write no line of it: only clients tell. */
static bool client_queue_full(dx_slice text, dx_event *out) {
    ptrdiff_t at = dx_slice_find(text, QUEUE_FULL, 0);
    dx_slice words, before;
    if (at < 0)
        at = dx_slice_find(text, "CallQueueTooBigException", 0);
    if (at < 0)
        return false;
    split_at(text, (size_t)at, &words, &before);
    *out = (dx_event){.id = DX_EV_CALL_QUEUE_FULL};
    if (dx_slice_find(words, "too many items", 0) >= 0)
        dx_event_text(out, "limit", dx_s("calls"));
    else if (dx_slice_find(words, "callqueue.size", 0) >= 0)
        dx_event_text(out, "limit", dx_s("bytes"));
    read_full_server(words, out);
    read_batch(before, out);
    return true;
}

/* ---- any other ---- */

#define OUT_OF_MEMORY "java.lang.OutOfMemoryError"

static bool out_of_memory(dx_slice text, dx_event *out) {
    ptrdiff_t at = dx_slice_find(text, OUT_OF_MEMORY, 0);
    if (at < 0)
        return false;
    dx_slice s = dx_slice_sub(text, (size_t)at, (size_t)at + 4000);
    *out = (dx_event){.id = DX_EV_OUT_OF_MEMORY};
    put(out, "what", dx_event_first_line(fault_at(s).reason));
    return true;
}

/* The first class in a message: "DataStreamer Exception" has none. A word is looked at once. */
static dx_slice from_class(dx_slice message) {
    message = dx_slice_sub(message, 0, TRACE_MAX);
    for (ptrdiff_t at = dx_slice_find(message, "Exception", 0); at >= 0;) {
        size_t from = (size_t)at, to = (size_t)at;
        while (from > 0 && in_class(message.p[from - 1]))
            from--;
        while (to < message.n && in_class(message.p[to]))
            to++;
        dx_slice s = dx_slice_sub(message, from, message.n);
        if (class_at(s).n > 0)
            return s;
        at = dx_slice_find(message, "Exception", to);
    }
    return class_at(message).n > 0 ? message : dx_sn(NULL, 0);
}

static bool any_fault(const dx_logline *line, dx_slice rest, dx_event *out) {
    fault first, root;
    dx_slice told = dx_sn(NULL, 0);
    bool traced = read_trace(rest, &first, &root);
    if (!traced) {
        told = from_class(line->message);
        if (told.n == 0)
            return false;
        first = fault_at(told);
        root = first;
    }
    *out = (dx_event){.id = DX_EV_EXCEPTION};
    put(out, "level", line->level);
    put(out, "class", first.name);
    put(out, "reason", first.reason);
    if (!dx_slice_eq(first.name, root.name) || !dx_slice_eq(first.reason, root.reason))
        put_root(out, &root);
    put(out, "logger", line->logger);
    if (traced)
        put(out, "message", dx_slice_sub(line->message, 0, 200));
    return true;
}

static bool is_quiet(dx_slice level) {
    return dx_slice_is(level, "DEBUG") || dx_slice_is(level, "TRACE");
}

static bool is_grave(dx_slice level) {
    return dx_slice_is(level, "ERROR") || dx_slice_is(level, "FATAL") || dx_slice_is(level, "WARN");
}

/* "Flushing t1,,1.0123…f.   RUNNING (since 5hrs, 7mins, 35sec ago)   Flushing d: closing file", as
 * the server's page of tasks shows it and people paste it. */
static bool read_task(dx_slice line, dx_event *out) {
    static const char *const names[] = {"task", "running_ms", "status", NULL};
    dx_event e = {.id = DX_EV_TASK};
    if (!dx_event_match("%t RUNNING (since %d ago)%t", names, line, &e))
        return false;
    dx_slice task = e.fields[0].s;
    ptrdiff_t blank = dx_slice_find_char(task, ' ', 0);
    dx_slice name = dx_slice_trim(dx_slice_sub(task, blank < 0 ? task.n : (size_t)blank, task.n));
    if (name.n > 0 && dx_event_match("%R", names + 3, name, &e) && e.region.n > 0)
        e.fields[0].s = dx_slice_sub(task, 0, (size_t)blank);
    *out = e;
    return true;
}

/* Whether there is a word of any kind of fault: no other text has one. */
static bool names_fault(dx_slice s) {
    return dx_slice_find(s, "Exception", 0) >= 0 || dx_slice_find(s, "Error", 0) >= 0
           || dx_slice_find(s, QUEUE_FULL, 0) >= 0;
}

bool dx_event_fault(const dx_logline *line, dx_slice rest, bool server, dx_event *out) {
    dx_slice m = line->message;
    bool bare = line->level.n == 0 && line->logger.n == 0, loud = !is_quiet(line->level);
    bool told = dx_slice_find(m, "Exception", 0) >= 0
                || (is_grave(line->level) && dx_slice_find(m, OUT_OF_MEMORY, 0) >= 0);
    if (!told && !bare && (rest.n == 0 || (!names_fault(rest) && !names_fault(m))))
        return false; /* nearly all lines end here */
    if (!server && (client_too_busy(m, out) || client_too_busy(rest, out)))
        return true;
    if (server && dx_slice_find(m, TOO_BUSY, 0) >= 0)
        return false; /* it has a record of its own */
    if (bare && read_task(m, out))
        return true;
    if (!loud)
        return false;
    if (!server && (client_queue_full(m, out) || client_queue_full(rest, out)))
        return true;
    return out_of_memory(m, out) || out_of_memory(rest, out) || any_fault(line, rest, out);
}

bool dx_event_exception(dx_slice line) {
    if (dx_slice_starts(line, "Caused by: "))
        line = dx_slice_sub(line, 11, line.n);
    if (dx_slice_starts(line, "# " OUT_OF_MEMORY))
        return true;
    dx_slice name = class_at(line);
    if (name.n > 0)
        return line.n == name.n || strchr(":( \r", line.p[name.n]) != NULL;
    if (dx_slice_find(line, " RUNNING (since ", 0) >= 0)
        return true;
    ptrdiff_t at = dx_slice_find(line, TOO_BUSY, 0);
    return at >= 0 && dx_slice_find(line, "regionName=", (size_t)at) >= 0;
}

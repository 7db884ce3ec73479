/* dx_jmx.c - walks the decoded document once; samples point into it, only names that are put
 * together get memory of their own. One hash index finds a sample and drops doubles. */
#include "dx_jmx.h"
#include "dx_buf.h"
#include "dx_jmx_name.h"
#include "dx_jmx_sniff.h"
#include "dx_json.h"
#include "dx_mem.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH   8    /* of composites within composites */
#define MAX_NAME    1024 /* bytes of an attribute's name with its parts */
#define MAX_TOLD    200  /* bytes of foreign text in a message of ours */
#define SPARE_NAMES ((size_t)16 << 20)
#define RUNTIME     "java.lang:type=Runtime"

typedef struct slot {
    uint32_t at;   /* 1 + index of a sample; 0: empty */
    uint32_t hash; /* a part of its hash, so that few samples are looked at in vain */
} slot;

struct dx_jmx {
    dx_json *json;
    dx_arena *names;
    dx_jmx_sample *samples;
    size_t count, cap, beans;
    slot *slots;   /* open addressing */
    size_t nslots; /* a power of two */
    dx_buf damage;
};

typedef struct reader {
    dx_jmx *doc;
    dx_jmx_sample like;                /* bean and labels of the samples to come */
    dx_slice ns, short_name, ns_table; /* the last "ns:table" that was put together */
    size_t nameless, odd, twice;
    dx_slice answer; /* an error that the server wrote into a bean */
} reader;

static bool is_error(const dx_json_node *n) {
    const dx_json_node *result = dx_json_get(n, "result");
    return result != NULL && dx_slice_is(dx_json_text(result), "ERROR");
}

static dx_slice error_message(const dx_json_node *n) {
    const dx_json_node *message = dx_json_get(n, "message");
    dx_slice text = message == NULL ? dx_s("(no message)") : dx_json_text(message);
    return dx_slice_sub(text, 0, MAX_TOLD);
}

/* Text that may look like a number and is none: versions, revisions, names, ids. */
static bool is_text_name(dx_slice name) {
    static const char *const ends[] = {"ersion", "evision", "Name", "Id"};
    if (dx_slice_starts(name, "tag."))
        return true;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (dx_slice_ends(name, ends[i]))
            return true;
    return false;
}

/* Releases 1.3.6, 1.4.11 to 1.6 quote every number, others NaN and the infinities. */
static void read_text(dx_jmx_sample *s, dx_slice text) {
    s->type = DX_JMX_TEXT;
    s->text = text;
    bool may = text.n > 0
               && (text.p[0] == '-' || text.p[0] == 'N' || text.p[0] == 'I'
                   || (text.p[0] >= '0' && text.p[0] <= '9'));
    if (!may || is_text_name(s->name))
        return;
    if (dx_slice_i64(text, &s->i)) {
        s->type = DX_JMX_INT;
        s->d = (double)s->i;
    } else if (dx_slice_f64(text, &s->d)) {
        s->type = DX_JMX_REAL;
    }
    if (s->type != DX_JMX_TEXT)
        s->text = dx_s(NULL);
}

static bool add_sample(reader *r, dx_slice name, const dx_json_node *n) {
    dx_jmx *doc = r->doc;
    void *grown = doc->samples;
    if (!dx_grow(&grown, &doc->cap, doc->count + 1, sizeof *doc->samples))
        return false;
    doc->samples = grown;
    dx_jmx_sample *s = &doc->samples[doc->count++];
    *s = r->like;
    s->name = name;
    switch (dx_json_kind(n)) {
    case DX_JSON_TEXT: read_text(s, dx_json_text(n)); break;
    case DX_JSON_REAL:
        s->type = DX_JMX_REAL;
        s->d = dx_json_real(n);
        break;
    default:
        s->type = dx_json_kind(n) == DX_JSON_BOOL ? DX_JMX_BOOL : DX_JMX_INT;
        s->i = dx_json_int(n);
        s->d = (double)s->i;
        break;
    }
    return true;
}

/* ?description=true wraps a value: {"description": "...", "value": ...}; cut in between, it has
 * none. False: n is not wrapped. */
static bool unwrap(const dx_json_node *n, const dx_json_node **value) {
    const dx_json_node *first = dx_json_first(n);
    if (first == NULL || !dx_slice_is(dx_json_key(first), "description"))
        return false;
    *value = dx_json_next(first);
    return *value == NULL
           || (dx_slice_is(dx_json_key(*value), "value") && dx_json_next(*value) == NULL);
}

static bool join(reader *r, dx_slice *name, dx_slice part) {
    char *p = dx_arena_alloc(r->doc->names, name->n + 1 + part.n);
    if (p == NULL)
        return false;
    memcpy(p, name->p, name->n);
    p[name->n] = '.';
    if (part.n > 0)
        memcpy(p + name->n + 1, part.p, part.n);
    *name = dx_sn(p, name->n + 1 + part.n);
    return true;
}

/* Null is no sample: unknown. Arrays are none either (thread ids, system properties). */
static bool add_value(reader *r, dx_slice name, const dx_json_node *n, int depth) {
    dx_json_type kind = dx_json_kind(n);
    const dx_json_node *value;
    if (kind == DX_JSON_OBJECT && unwrap(n, &value))
        return value == NULL || add_value(r, name, value, depth + 1);
    if (kind == DX_JSON_NULL || kind == DX_JSON_ARRAY)
        return true;
    if (name.n > MAX_NAME || depth > MAX_DEPTH) {
        r->odd++;
        return true;
    }
    if (kind != DX_JSON_OBJECT)
        return add_sample(r, name, n);
    for (const dx_json_node *c = dx_json_first(n); c != NULL; c = dx_json_next(c)) {
        dx_slice whole = name, part = dx_json_key(c);
        if (part.n > MAX_NAME)
            r->odd++;
        else if (!join(r, &whole, part) || !add_value(r, whole, c, depth + 1))
            return false;
    }
    return true;
}

/* "ns:table", once for a run of attributes of the same table. */
static bool name_table(reader *r, const dx_jmx_labels *labels) {
    r->like.table = labels->table;
    if (labels->ns.n == 0)
        return true;
    if (!dx_slice_eq(labels->ns, r->ns) || !dx_slice_eq(labels->table, r->short_name)) {
        size_t n = labels->ns.n + 1 + labels->table.n;
        char *p = dx_arena_alloc(r->doc->names, n);
        if (p == NULL)
            return false;
        memcpy(p, labels->ns.p, labels->ns.n);
        p[labels->ns.n] = ':';
        memcpy(p + labels->ns.n + 1, labels->table.p, labels->table.n);
        r->ns = labels->ns;
        r->short_name = labels->table;
        r->ns_table = dx_sn(p, n);
    }
    r->like.table = r->ns_table;
    return true;
}

static bool add_attribute(reader *r, dx_slice key, const dx_json_node *n,
                          const dx_jmx_labels *of_bean) {
    dx_jmx_labels labels;
    dx_jmx_split(&labels, r->like.bean, key);
    if (!name_table(r, labels.table.n > 0 ? &labels : of_bean))
        return false;
    r->like.region = labels.region;
    r->like.family = labels.family;
    r->like.user = labels.user;
    return add_value(r, labels.name, n, 0);
}

static bool is_header(dx_slice key) {
    switch (key.n == 0 ? '\0' : key.p[0]) {
    case 'n': return dx_slice_is(key, "name");
    case 'm': return dx_slice_is(key, "modelerType");
    case 'd': return dx_slice_is(key, "description");
    default: return false;
    }
}

/* The members of a bean; a get= of an attribute that does not exist leaves "result" and "message"
 * among them. */
static bool add_members(reader *r, const dx_json_node *bean, const dx_jmx_labels *labels) {
    for (const dx_json_node *c = dx_json_first(bean); c != NULL; c = dx_json_next(c)) {
        dx_slice key = dx_json_key(c);
        if (is_header(key))
            continue;
        if (key.n == 6 && dx_slice_is(key, "result") && is_error(bean)) {
            r->answer = error_message(bean);
            break;
        }
        if (!add_attribute(r, key, c, labels))
            return false;
    }
    return true;
}

static bool add_bean(reader *r, const dx_json_node *bean) {
    const dx_json_node *name = dx_json_get(bean, "name");
    dx_jmx_labels labels;
    if (name == NULL || dx_json_kind(name) != DX_JSON_TEXT) {
        r->nameless++;
        return true;
    }
    r->doc->beans++;
    return dx_jmx_bean_name(&r->like.bean, &labels, dx_json_text(name), r->doc->names)
           && add_members(r, bean, &labels);
}

static bool add_beans(reader *r, const dx_json_node *list) {
    for (const dx_json_node *c = dx_json_first(list); c != NULL; c = dx_json_next(c))
        if (!add_bean(r, c))
            return false;
    return true;
}

/* Eight bytes a step: names are long, and there are many. */
static uint64_t mix(uint64_t h, dx_slice s) {
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    uint64_t w;
    size_t i = 0;
    for (; s.n - i >= sizeof w; i += sizeof w) {
        memcpy(&w, s.p + i, sizeof w);
        h = (h ^ w) * odd;
        h ^= h >> 32;
    }
    for (w = s.n; i < s.n; i++)
        w = w << 8 | (unsigned char)s.p[i];
    h = (h ^ w) * odd;
    return h ^ h >> 32;
}

static uint64_t hash_of(const dx_jmx_sample *s) {
    uint64_t h = mix(mix(0, s->bean), s->name);
    return mix(mix(mix(mix(h, s->table), s->region), s->family), s->user);
}

static bool same(const dx_jmx_sample *a, const dx_jmx_sample *b) {
    return dx_slice_eq(a->name, b->name) && dx_slice_eq(a->region, b->region)
           && dx_slice_eq(a->table, b->table) && dx_slice_eq(a->family, b->family)
           && dx_slice_eq(a->user, b->user) && dx_slice_eq(a->bean, b->bean);
}

/* The slot of a sample like s, or the empty one where it would go. */
static slot *slot_of(const dx_jmx *doc, const dx_jmx_sample *s, uint64_t hash) {
    size_t mask = doc->nslots - 1, i = (size_t)hash & mask;
    for (;; i = (i + 1) & mask) {
        slot *e = &doc->slots[i];
        if (e->at == 0 || (e->hash == hash >> 32 && same(&doc->samples[e->at - 1], s)))
            return e;
    }
}

/* Indexes the samples; of two alike the first stays. */
static bool index_samples(reader *r) {
    dx_jmx *doc = r->doc;
    size_t kept = 0;
    for (doc->nslots = 16; doc->nslots < doc->count * 2;)
        doc->nslots *= 2;
    doc->slots = doc->count < UINT32_MAX ? dx_calloc(doc->nslots, sizeof *doc->slots) : NULL;
    if (doc->slots == NULL)
        return false;
    for (size_t i = 0; i < doc->count; i++) {
        uint64_t hash = hash_of(&doc->samples[i]);
        slot *e = slot_of(doc, &doc->samples[i], hash);
        if (e->at != 0) {
            if (r->twice++ == 0)
                r->like = doc->samples[i];
            continue;
        }
        if (kept != i)
            doc->samples[kept] = doc->samples[i];
        *e = (slot){(uint32_t)++kept, (uint32_t)(hash >> 32)};
    }
    doc->count = kept;
    return true;
}

static void tell(dx_jmx *doc, const char *text) {
    dx_buf_adds(&doc->damage, doc->damage.n > 0 ? "; " : "");
    dx_buf_adds(&doc->damage, text);
}

static bool tell_damage(const reader *r) {
    dx_jmx *doc = r->doc;
    dx_buf *out = &doc->damage;
    if (dx_json_damage(doc->json) != NULL)
        tell(doc, dx_json_damage(doc->json));
    if (r->answer.n > 0) {
        tell(doc, "the server answered with an error: ");
        dx_buf_add(out, r->answer.p, r->answer.n);
    } else if (doc->beans == 0) {
        tell(doc, "no beans: the server was restarting its metrics, or nothing matches the query; "
                  "ask again in 2 s");
    }
    if (r->nameless > 0) {
        tell(doc, "");
        dx_buf_addf(out, "beans without a name: %zu", r->nameless);
    }
    if (r->odd > 0) {
        tell(doc, "");
        dx_buf_addf(out, "values nested too deep or with too long a name: %zu", r->odd);
    }
    if (r->twice > 0) {
        tell(doc, "");
        dx_slice bean = dx_slice_sub(r->like.bean, 0, MAX_TOLD);
        dx_slice attribute = dx_slice_sub(r->like.name, 0, MAX_TOLD);
        dx_buf_addf(out, "attributes that stand twice, the first taken: %zu (%.*s %.*s)", r->twice,
                    (int)bean.n, bean.p, (int)attribute.n, attribute.p);
    }
    return dx_buf_ok(out);
}

static dx_status read_bare(dx_json **json, dx_slice text, dx_err *err) {
    dx_buf list;
    dx_buf_init(&list, 0);
    text = dx_jmx_head(text);
    dx_buf_addc(&list, '[');
    dx_buf_add(&list, text.p, text.n);
    dx_buf_addc(&list, ']');
    dx_status status = dx_buf_ok(&list) ? dx_json_read(json, dx_buf_slice(&list), true, err)
                                        : dx_fail(err, DX_E_NOMEM, "no memory");
    dx_buf_done(&list);
    return status;
}

static dx_status find_beans(const dx_json_node **beans, const dx_jmx *doc, dx_slice text,
                            const char *name, dx_err *err) {
    const dx_json_node *root = dx_json_root(doc->json);
    *beans = dx_json_kind(root) == DX_JSON_ARRAY ? root : dx_json_get(root, "beans");
    if (*beans == NULL && is_error(root)) {
        dx_slice m = error_message(root);
        return dx_fail(err, DX_E_PARSE, "%s: the server answered with an error: %.*s",
                       name == NULL ? "input" : name, (int)m.n, m.p);
    }
    if (*beans == NULL || dx_json_kind(*beans) != DX_JSON_ARRAY)
        return dx_jmx_refuse(text, name, NULL, err);
    return DX_OK;
}

static dx_status read_document(dx_jmx *doc, dx_slice text, const char *name, dx_err *err) {
    const dx_json_node *beans;
    reader r = {.doc = doc};
    dx_err why;
    dx_status status = dx_jmx_bare(text) ? read_bare(&doc->json, text, &why)
                                         : dx_json_read(&doc->json, text, true, &why);
    if (status == DX_E_PARSE)
        return dx_jmx_refuse(text, name, why.msg, err);
    if (status != DX_OK)
        return dx_fail(err, status, "%s: %s", name == NULL ? "input" : name, why.msg);
    status = find_beans(&beans, doc, text, name, err);
    if (status != DX_OK)
        return status;
    doc->names = dx_arena_new(SPARE_NAMES + (text.n < SIZE_MAX / 8 ? text.n * 4 : 0));
    if (doc->names == NULL || !add_beans(&r, beans) || !index_samples(&r) || !tell_damage(&r))
        return dx_fail(err, DX_E_NOMEM, "%s: no memory for the samples of %zu bytes",
                       name == NULL ? "input" : name, text.n);
    return DX_OK;
}

dx_status dx_jmx_read(dx_jmx **out, dx_slice text, const char *name, dx_err *err) {
    dx_jmx *doc = dx_calloc(1, sizeof *doc);
    if (doc == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory");
    dx_status status = read_document(doc, text, name, err);
    if (status == DX_OK)
        *out = doc;
    else
        dx_jmx_free(doc);
    return status;
}

void dx_jmx_free(dx_jmx *doc) {
    if (doc == NULL)
        return;
    free(doc->slots);
    free(doc->samples);
    dx_arena_free(doc->names);
    dx_json_free(doc->json);
    dx_buf_done(&doc->damage);
    free(doc);
}

size_t dx_jmx_count(const dx_jmx *doc) {
    return doc->count;
}

const dx_jmx_sample *dx_jmx_at(const dx_jmx *doc, size_t i) {
    return i < doc->count ? &doc->samples[i] : NULL;
}

const dx_jmx_sample *dx_jmx_find(const dx_jmx *doc, const char *bean, const char *name) {
    dx_jmx_sample key = {.bean = dx_s(bean), .name = dx_s(name)};
    uint32_t at = slot_of(doc, &key, hash_of(&key))->at;
    return at == 0 ? NULL : &doc->samples[at - 1];
}

size_t dx_jmx_beans(const dx_jmx *doc) {
    return doc->beans;
}

const char *dx_jmx_damage(const dx_jmx *doc) {
    return doc->damage.n > 0 ? doc->damage.p : NULL;
}

int64_t dx_jmx_time(const dx_jmx *doc) {
    const dx_jmx_sample *start = dx_jmx_find(doc, RUNTIME, "StartTime");
    const dx_jmx_sample *uptime = dx_jmx_find(doc, RUNTIME, "Uptime");
    if (start == NULL || uptime == NULL || start->type != DX_JMX_INT || uptime->type != DX_JMX_INT
        || start->i <= 0 || uptime->i < 0 || start->i > INT64_MAX - uptime->i)
        return DX_TIME_NONE;
    return start->i + uptime->i;
}

dx_slice dx_jmx_server(const dx_jmx *doc, bool *is_master) {
    static const struct {
        const char *bean, *name;
        bool master;
    } places[] = {
        {"RegionServer.Server", "tag.serverName", false},
        {"hadoop:name=RegionServer,service=RegionServer", "ServerName", false},     /* 0.94 */
        {"hadoop:name=RegionServer,service=org.apache.hbase", "ServerName", false}, /* 0.92 */
        {"Master.Server", "tag.serverName", true},
        {"hadoop:name=Master,service=Master", "ServerName", true},
        {"hadoop:name=Master,service=org.apache.hbase", "ServerName", true},
    };
    *is_master = false;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const dx_jmx_sample *s = dx_jmx_find(doc, places[i].bean, places[i].name);
        if (s != NULL && s->type == DX_JMX_TEXT && s->text.n > 0) {
            *is_master = places[i].master;
            return s->text;
        }
    }
    return dx_s(NULL);
}

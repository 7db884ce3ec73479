/* dx_calls_out.c - what has been read, as a digest and as a file. A file is a mark with the
 * version, a check sum, and what it covers: the caller's text, the names of the parts of keys, the
 * digest. */
#include "dx_calls_int.h"

#include <string.h>

#define KIND "hbdx slow calls "
#define MARK KIND "1\n"

typedef struct settling {
    const calls_names *names;
    const size_t *parts;
    size_t n;
    dx_buf key;
} settling;

static dx_slice settled_key(void *arg, dx_slice key) {
    settling *s = arg;
    dx_buf_clear(&s->key);
    calls_key_settle(key, s->parts, s->n, s->names, &s->key);
    return dx_buf_slice(&s->key);
}

DX_MUST_CHECK static dx_status settle(dx_digest **out, const dx_calls *c, const size_t *parts,
                                      size_t n, const calls_names *names, dx_err *err) {
    settling s = {.names = names, .parts = parts, .n = n};
    dx_digest *d = dx_digest_new();
    if (d == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory for a digest of calls");
    dx_buf_init(&s.key, 0);
    dx_status st = dx_digest_merge_as(d, c->digest, settled_key, &s, err);
    if (st == DX_OK)
        st = dx_digest_finish(d, err);
    if (st == DX_OK && s.key.failed)
        st = dx_fail(err, DX_E_NOMEM, "no memory for the keys of groups");
    dx_buf_done(&s.key);
    if (st == DX_OK)
        *out = d;
    else
        dx_digest_free(d);
    return st;
}

dx_status dx_calls_digest(const dx_calls *c, const size_t *parts, size_t n, int64_t offset_ms,
                          dx_digest **out, dx_err *err) {
    const calls_names names = {&c->regions, c->files, false, offset_ms};
    return settle(out, c, parts, n, &names, err);
}

/* --- files */

/* Behind the mark: 8 bytes, the lowest first. */
static void add_sum(dx_buf *out, uint64_t sum) {
    for (int shift = 0; shift < 64; shift += 8)
        dx_buf_addc(out, (char)(sum >> shift & 0xff));
}

static uint64_t read_sum(dx_slice bytes) {
    uint64_t sum = 0;
    for (size_t i = 8; i-- > 0;)
        sum = sum << 8 | (unsigned char)bytes.p[i];
    return sum;
}

DX_MUST_CHECK static dx_status write_body(const dx_calls *c, dx_slice meta, dx_buf *body,
                                          dx_err *err) {
    size_t parts[DX_CALLS_KEYS];
    dx_digest *d;
    for (size_t i = 0; i < c->by.n; i++)
        parts[i] = i;
    const calls_names names = {&c->regions, c->files, true, 0};
    dx_status st = settle(&d, c, parts, c->by.n, &names, err);
    if (st != DX_OK)
        return st;
    dx_pack_text(body, meta);
    dx_pack_u64(body, c->by.n);
    for (size_t i = 0; i < c->by.n; i++)
        dx_pack_text(body, dx_s(dx_calls_group_name(c->by.of[i])));
    dx_digest_write(d, body);
    dx_digest_free(d);
    return DX_OK;
}

dx_status dx_calls_write(const dx_calls *c, dx_slice meta, dx_buf *out, dx_err *err) {
    dx_buf body;
    dx_buf_init(&body, 0);
    dx_status st = write_body(c, meta, &body, err);
    dx_buf_adds(out, MARK);
    add_sum(out, dx_hash(body.p, body.n, 0));
    dx_buf_add(out, body.p, body.n);
    if (st == DX_OK && (!dx_buf_ok(&body) || !dx_buf_ok(out)))
        st = dx_fail(err, DX_E_NOMEM, "no memory for a digest as a file");
    dx_buf_done(&body);
    return st;
}

DX_MUST_CHECK static dx_status check_by(const dx_calls *c, dx_unpack *in, dx_err *err) {
    uint64_t n = dx_unpack_upto(in, DX_CALLS_KEYS);
    bool same = n == c->by.n;
    for (uint64_t i = 0; i < n; i++) {
        dx_slice name = dx_unpack_text(in);
        same = same && dx_slice_is(name, dx_calls_group_name(c->by.of[i]));
    }
    return same || in->failed
               ? DX_OK
               : dx_fail(err, DX_E_USAGE, "it is grouped by other names; give the same --by");
}

bool dx_calls_is_digest(dx_slice head) {
    return dx_slice_starts(head, KIND);
}

/* What stands behind the check sum. */
DX_MUST_CHECK static dx_status body_of(dx_slice bytes, dx_slice *body, dx_err *err) {
    const size_t head = strlen(MARK);
    if (!dx_slice_starts(bytes, MARK)) {
        return dx_fail(err, DX_E_PARSE,
                       dx_calls_is_digest(bytes) ? "it is a digest of another version of hbdx"
                                                 : "it is no digest that --emit wrote");
    }
    *body = dx_slice_sub(bytes, head + 8, bytes.n);
    if (bytes.n < head + 8
        || read_sum(dx_slice_sub(bytes, head, head + 8)) != dx_hash(body->p, body->n, 0))
        return dx_fail(err, DX_E_PARSE, "it is damaged: copy it again");
    return DX_OK;
}

dx_status dx_calls_merge(dx_calls *c, dx_slice bytes, dx_slice *meta, dx_err *err) {
    dx_slice body;
    dx_digest *d = NULL;
    dx_status st = body_of(bytes, &body, err);
    if (st != DX_OK)
        return st;
    dx_unpack in = {body, false};
    *meta = dx_unpack_text(&in);
    st = check_by(c, &in, err);
    if (st == DX_OK)
        st = dx_digest_read(&d, &in, err);
    if (st == DX_OK && (in.rest.n > 0 || !dx_digest_each_key(d, calls_key_good, &c->by)))
        st = dx_fail(err, DX_E_PARSE, "it is damaged: its groups are none of ours");
    if (st == DX_OK)
        st = dx_digest_merge(c->digest, d, err);
    if (st == DX_OK)
        st = dx_digest_trim(c->digest, err);
    dx_digest_free(d);
    return st;
}

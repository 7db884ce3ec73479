/* fuzz_digest.h - for the targets whose outcome is a digest of calls: what every digest promises.
 */
#ifndef FUZZ_DIGEST_H
#define FUZZ_DIGEST_H

#include "dx_calls.h"
#include "fuzz.h"

static void fuzz_spread(const dx_spread *s, uint64_t calls) {
    fuzz_check(s->n <= calls && s->p50 <= s->p95 && s->p95 <= s->max);
    fuzz_check(s->n > 0 || (s->sum == 0 && s->max == 0));
}

static void fuzz_group(const dx_digest_group *g, size_t parts) {
    dx_calls_note note;
    fuzz_spread(&g->proc_ms, g->calls);
    fuzz_spread(&g->queue_ms, g->calls);
    fuzz_spread(&g->response_bytes, g->calls);
    for (size_t i = 0; i < parts && g->key.n > 0; i++) {
        dx_calls_part part = dx_calls_key_part(g->key, i);
        if (part.type == DX_PART_TEXT)
            fuzz_part(part.text, g->key);
    }
    if (dx_calls_note_read(g->note, &note)) {
        fuzz_part(note.source, g->note);
        fuzz_part(note.user, g->note);
        fuzz_part(note.table, g->note);
        fuzz_part(note.filters, g->note);
    }
}

/* All groups by the first n names; returns their calls. */
static uint64_t fuzz_groups(const dx_calls *c, size_t n) {
    size_t parts[DX_CALLS_KEYS];
    dx_digest *d;
    dx_err err;
    uint64_t calls = 0;
    for (size_t i = 0; i < n; i++)
        parts[i] = i;
    fuzz_check(dx_calls_digest(c, parts, n, 3600000, &d, &err) == DX_OK);
    for (size_t i = 0; i < dx_digest_count(d); i++) {
        fuzz_group(dx_digest_at(d, i), n);
        calls += dx_digest_at(d, i)->calls;
    }
    const dx_digest_group *others = dx_digest_others(d);
    calls += others == NULL ? 0 : others->calls;
    dx_digest_free(d);
    return calls;
}

/* The same calls whatever they are grouped by; and what --emit writes is what --merge reads, bit
 * for bit. Returns how many calls there are. */
static uint64_t fuzz_calls_kept(const dx_calls *c, const dx_calls_opts *opts) {
    dx_buf first, second;
    dx_calls *again;
    dx_slice meta;
    dx_err err;
    uint64_t calls = fuzz_groups(c, opts->n);
    fuzz_check(fuzz_groups(c, 0) == calls);
    dx_buf_init(&first, 0);
    dx_buf_init(&second, 0);
    fuzz_check(dx_calls_write(c, dx_s("meta"), &first, &err) == DX_OK);
    fuzz_check(dx_calls_new(&again, opts, &err) == DX_OK);
    fuzz_check(dx_calls_read(again, NULL, 0, &err) == DX_OK);
    fuzz_check(dx_calls_merge(again, dx_buf_slice(&first), &meta, &err) == DX_OK);
    fuzz_check(dx_slice_is(meta, "meta") && fuzz_groups(again, opts->n) == calls);
    fuzz_check(dx_calls_write(again, meta, &second, &err) == DX_OK);
    fuzz_check(dx_slice_eq(dx_buf_slice(&first), dx_buf_slice(&second)));
    dx_calls_free(again);
    dx_buf_done(&first);
    dx_buf_done(&second);
    return calls;
}

#endif

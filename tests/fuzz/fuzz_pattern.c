/* fuzz_pattern.c - Lua's patterns with a budget. The first line of an input is the pattern (in
 * brackets of "^" where it is to be tied), all behind it the subject. */
#include "dx_pattern.h"
#include "fuzz.h"

#include <stdlib.h>

#define QUESTIONS 64

const size_t fuzz_stretch = 1u << 16;

static bool go_on(void *ud) {
    unsigned *asked = ud;
    return ++*asked < QUESTIONS;
}

static void match(const dx_match *m, dx_slice subject) {
    fuzz_check(m->from <= m->to && m->to <= subject.n && m->n <= DX_PATTERN_CAPTURES);
    for (size_t i = 0; i < m->n; i++) {
        const dx_capture *c = &m->captures[i];
        fuzz_check(c->from <= subject.n);
        fuzz_check(c->position || (c->from <= c->to && c->to <= subject.n));
    }
}

static void find_all(const dx_pattern *p, dx_slice subject) {
    unsigned asked = 0;
    dx_patience patience = {.go_on = go_on, .ud = &asked};
    dx_match m;
    dx_err err;
    dx_status st = DX_ROW;
    for (size_t at = 0; at <= subject.n && st == DX_ROW; at = m.to > at ? m.to : at + 1) {
        st = dx_pattern_find(p, subject, at, &patience, &m, &err);
        fuzz_check(st == DX_ROW || st == DX_DONE || st == DX_E_LIMIT);
        if (st != DX_ROW)
            break;
        fuzz_check(m.from >= at);
        match(&m, subject);
    }
}

void fuzz_one(dx_slice in) {
    dx_slice text = fuzz_take(&in, '\n');
    dx_err err;
    dx_pattern *p = malloc(dx_pattern_size(text.n));
    fuzz_check(p != NULL);
    for (int anchored = 0; anchored < 2; anchored++)
        if (dx_pattern_read(p, text, anchored != 0, &err) == DX_OK)
            find_all(p, in);
    free(p);
}

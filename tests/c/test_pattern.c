/* test_pattern - Lua's patterns, and that a matcher can be stopped. The comparison with the stock
 * functions is in tests/lua/pattern_spec.lua. */
#include "dx_pattern.h"
#include "tap.h"

#include <stdlib.h>

static dx_pattern *reading(const char *text, dx_status want) {
    dx_pattern *p = malloc(dx_pattern_size(strlen(text)));
    dx_err err;
    if (p == NULL)
        abort();
    dx_status st = dx_pattern_read(p, dx_s(text), true, &err);
    if (st != want)
        ok(false, "reading %s gave %d", text, (int)st);
    return p;
}

static bool never(void *ud) {
    ++*(int *)ud;
    return false;
}

static void finds(const char *text, const char *subject, int from, int to) {
    dx_pattern *p = reading(text, DX_OK);
    dx_patience patience = {NULL, NULL, 0};
    dx_match m = {0};
    dx_err err;
    dx_status st = dx_pattern_find(p, dx_s(subject), 0, &patience, &m, &err);
    if (from < 0)
        ok(st == DX_DONE, "'%s' is not in '%s'", text, subject);
    else
        ok(st == DX_ROW && m.from == (size_t)from && m.to == (size_t)to, "'%s' in '%s'", text,
           subject);
    free(p);
}

static void test_find(void) {
    finds("", "abc", 0, 0);
    finds("b+", "abbbc", 1, 4);
    finds("b-c", "abbbc", 1, 5);
    finds("^b", "ab", -1, 0);
    finds("b$", "abab", 3, 4);
    finds("$b", "a$b", 1, 3);
    finds("[]x]+", "a]x]b", 1, 4);
    finds("[^%s]+", "  ab ", 2, 4);
    finds("[a%-z]+", "bza-b", 1, 4);
    finds("%bxy", "axxbyybz", 1, 6);
    finds("%b''", "a'b'c", 1, 4);
    finds("%f[%w]%w+", "  ab cd", 2, 4);
    finds("(a*)%1", "aaaa", 0, 4);
    finds("x?y", "xxy", 1, 3);
    finds("%D%x%u", "zaZ1cQ", 0, 3);
    finds("%d%x%u", "zaZ1cQ", 3, 6);
    finds("a(b)*", "ab*", 0, 3);
    finds("%a", "\xe4", -1, 0);
}

static void malformed(const char *text) {
    free(reading(text, DX_E_USAGE));
    ok(true, "'%s' is refused", text);
}

static void test_malformed(void) {
    malformed("%");
    malformed("[a");
    malformed("[a%");
    malformed("[");
    malformed("[^]");
    malformed("(a");
    malformed("a)");
    malformed("%1");
    malformed("(a%1)");
    malformed("%0");
    malformed("%bx");
    malformed("%fa");
    char many[2 * (DX_PATTERN_CAPTURES + 1) + 1];
    for (size_t i = 0; i + 1 < sizeof many; i++)
        many[i] = i % 2 == 0 ? '(' : ')';
    many[sizeof many - 1] = '\0';
    malformed(many);
}

static void test_captures(void) {
    dx_pattern *p = reading("()(%a(%a+))()", DX_OK);
    dx_patience patience = {NULL, NULL, 0};
    dx_match m = {0};
    dx_err err;
    is_int(dx_pattern_find(p, dx_s("1 key"), 0, &patience, &m, &err), DX_ROW, "it matches");
    is_int(m.n, 4, "four captures");
    ok(m.captures[0].position && m.captures[0].from == 2, "a position at the start");
    ok(m.captures[1].from == 2 && m.captures[1].to == 5, "the outer one");
    ok(m.captures[2].from == 3 && m.captures[2].to == 5, "the inner one");
    ok(m.captures[3].position && m.captures[3].from == 5, "a position at the end");
    is_int(dx_pattern_at(p, dx_s("1 key"), 1, &patience, &m, &err), DX_DONE, "not just there");
    free(p);
}

static void test_limits(void) {
    char deep[2 * (DX_PATTERN_DEPTH + 50) + 1], subject[200];
    for (size_t i = 0; i + 1 < sizeof deep; i++)
        deep[i] = i % 2 == 0 ? 'a' : '?';
    deep[sizeof deep - 1] = '\0';
    memset(subject, 'a', sizeof subject - 1);
    subject[sizeof subject - 1] = '\0';
    dx_pattern *p = reading(deep, DX_OK), *slow = reading("a*a*a*a*a*a*a*a*b", DX_OK);
    int asked = 0;
    dx_patience patience = {never, &asked, DX_PATTERN_STEPS}, calm = {NULL, NULL, 0};
    dx_match m;
    dx_err err = {0};
    is_int(dx_pattern_find(p, dx_s(""), 0, &calm, &m, &err), DX_E_LIMIT, "too deep");
    is_str(err.msg, "pattern too complex", "and says so");
    is_int(dx_pattern_find(slow, dx_s(subject), 0, &patience, &m, &err), DX_E_LIMIT,
           "an endless match is stopped");
    is_int(asked, 1, "at the first question");
    free(p);
    free(slow);
}

int main(void) {
    test_find();
    test_malformed();
    test_captures();
    test_limits();
    return done();
}

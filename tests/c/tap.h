/* tap.h - a test program in TAP: one line per check, and a plan at the end. */
#ifndef TAP_H
#define TAP_H

#include "dx_str.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_failed;

__attribute__((format(printf, 4, 5), unused)) static bool tap_ok(bool good, const char *file,
                                                                 int line, const char *fmt, ...) {
    va_list ap;
    char words[400]; /* what a check is called may hold what it tests, of any length and bytes */
    va_start(ap, fmt);
    vsnprintf(words, sizeof words, fmt, ap);
    va_end(ap);
    for (char *c = words; *c != '\0'; c++)
        if ((unsigned char)*c < ' ')
            *c = '?';
    printf("%sok %d - %s\n", good ? "" : "not ", ++tap_count, words);
    if (!good) {
        tap_failed++;
        printf("# failed at %s:%d\n", file, line);
    }
    return good;
}

#define ok(cond, ...) tap_ok((cond), __FILE__, __LINE__, __VA_ARGS__)

__attribute__((unused)) static bool tap_is_int(int64_t got, int64_t want, const char *file,
                                               int line, const char *what) {
    bool good = tap_ok(got == want, file, line, "%s", what);
    if (!good)
        printf("# got %" PRId64 ", want %" PRId64 "\n", got, want);
    return good;
}
#define is_int(got, want, what)                                                                    \
    tap_is_int((int64_t)(got), (int64_t)(want), __FILE__, __LINE__, what)

__attribute__((unused)) static bool tap_is_str(dx_slice got, const char *want, const char *file,
                                               int line, const char *what) {
    bool good = tap_ok(dx_slice_is(got, want), file, line, "%s", what);
    if (!good)
        printf("# got \"%.*s\", want \"%s\"\n", (int)got.n, got.n == 0 ? "" : got.p, want);
    return good;
}
#define is_slice(got, want, what) tap_is_str((got), (want), __FILE__, __LINE__, what)
#define is_str(got, want, what)   tap_is_str(dx_s(got), (want), __FILE__, __LINE__, what)

__attribute__((unused)) static bool tap_is_real(double got, double want, double within,
                                                const char *file, int line, const char *what) {
    bool good = tap_ok(fabs(got - want) <= within, file, line, "%s", what);
    if (!good)
        printf("# got %.17g, want %.17g\n", got, want);
    return good;
}
#define is_real(got, want, within, what)                                                           \
    tap_is_real((got), (want), (within), __FILE__, __LINE__, what)

__attribute__((unused)) static int done(void) {
    printf("1..%d\n", tap_count);
    return tap_failed == 0 ? 0 : 1;
}

#endif

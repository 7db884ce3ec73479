/* dx_err - how a function of the core says that it failed.
 * A dx_status is returned and must be looked at; the dx_err beside it says what failed, where, and
 * what to do, in one line for a person. A function that returns DX_OK leaves its dx_err untouched.
 */
#ifndef DX_ERR_H
#define DX_ERR_H

#define DX_MUST_CHECK      __attribute__((warn_unused_result))
#define DX_PRINTF(fmt, va) __attribute__((format(printf, fmt, va)))

typedef enum dx_status {
    DX_OK = 0,
    DX_ROW,     /* a cursor has a row                                                     */
    DX_DONE,    /* a cursor or a stream has ended                                         */
    DX_E_USAGE, /* the caller's argument is wrong                                         */
    DX_E_NOMEM, /* no memory                                                              */
    DX_E_IO,    /* the system refused to read or write                                    */
    DX_E_PARSE, /* the input is not what it should be; the message names file and line    */
    DX_E_LIMIT, /* a cap on size, time or count was reached                               */
    DX_E_RANGE, /* a number is outside of what can be computed                            */
    DX_E_NOTFOUND,
    DX_E_NET,  /* a host did not answer, or answered badly                               */
    DX_E_AUTH, /* a host wants credentials                                               */
    DX_E_DB,   /* SQLite said no                                                         */
    DX_E_BUG   /* an invariant of ours broke                                             */
} dx_status;

typedef struct dx_err {
    dx_status code;
    char msg[512]; /* NUL-terminated; cut with "..." where it was longer */
} dx_err;

/* Fills err (may be NULL) and returns code, so that a failure is one line: return dx_fail(...). */
DX_MUST_CHECK dx_status dx_fail(dx_err *err, dx_status code, const char *fmt, ...) DX_PRINTF(3, 4);

/* Puts "text: " before the message of err, to add the place as an error travels up. */
void dx_err_prefix(dx_err *err, const char *fmt, ...) DX_PRINTF(2, 3);

/* A short word for a status, for machines: "ok", "io", "parse", "limit", ... Never NULL. */
const char *dx_status_name(dx_status code);

#endif

/* dx_http - GET many documents at once, with caps and deadlines at every layer. The only user of
 * libcurl. */
#ifndef DX_HTTP_H
#define DX_HTTP_H

#include "dx_buf.h"
#include "dx_err.h"
#include "dx_time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dx_http_opts {
    int64_t connect_ms;      /* DNS + TCP + TLS of one request; 0: 3000 */
    int64_t total_ms;        /* one request; 0: 15000 */
    int64_t deadline_ms;     /* all of them together, from the call on; 0: 60000 */
    int64_t low_speed_bytes; /* give up under so many bytes a second for 5 s; 0: 1000 */
    size_t max_bytes;        /* of one body, after decompression; 0: 64 MiB */
    size_t parallel;         /* requests under way at once; 0: 8 */
    const char *user_agent;  /* NULL: "hbdx" */
    const char *user;        /* NULL: none; "user:password" from the environment, never from argv */
    const char *ca_file;     /* NULL: the system's */
    bool negotiate;          /* SPNEGO with the caller's ticket */
    bool (*stop)(void *ud);  /* asked a few times a second; true: give up. NULL: never */
    void *stop_ud;
} dx_http_opts;

typedef struct dx_http_reply {
    const char *url;  /* the caller's */
    dx_status status; /* DX_OK: an answer with a 2xx status */
    dx_err err; /* else: which step failed and what to do (401, 403, 404, HTML, TLS, timeout) */
    long http_status; /* 0: no answer */
    char content_type[96];
    int64_t took_ms;
    int64_t server_date_ms; /* of its Date header, DX_TIME_NONE: none */
    dx_buf body;            /* owned by the reply */
} dx_http_reply;

/* Never retries. replies[i] answers urls[i]; each is to be freed with dx_http_reply_done. DX_OK
 * when all have been tried, however they went; an error leaves replies as they were. */
DX_MUST_CHECK dx_status dx_http_get(const char *const *urls, size_t n, const dx_http_opts *opts,
                                    dx_http_reply *replies, dx_err *err);
void dx_http_reply_done(dx_http_reply *r);

#endif

/* dx_http.c - one curl multi handle drives all requests, each with a work of its own. Redirects are
 * followed by hand, for curl cannot be told to stay on a host. */
#define _POSIX_C_SOURCE 200809L /* strcasecmp, strdup */
#include "dx_http.h"
#include "dx_mem.h"
#include "dx_str.h"

#include <curl/curl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define LOW_SPEED_S   5
#define MAX_REDIRECTS 3
#define MAX_HEADERS   ((size_t)256 * 1024) /* bytes of one answer */
#define MAX_SHOWN     200                  /* bytes of a URL in a message */
#define POLL_MS       500

typedef struct work {
    const dx_http_opts *opts;
    dx_http_reply *reply;
    CURL *easy;
    char *url; /* where it is now, after redirects */
    int redirects;
    int64_t started_ms;
    size_t header_bytes;
    bool under_way, too_large;
    char asked[64]; /* the schemes of WWW-Authenticate */
    char text[CURL_ERROR_SIZE];
} work;

static int64_t or_else(int64_t v, int64_t otherwise) {
    return v > 0 ? v : otherwise;
}

static dx_http_opts with_defaults(const dx_http_opts *given) {
    dx_http_opts o = given == NULL ? (dx_http_opts){0} : *given;
    o.connect_ms = or_else(o.connect_ms, 3000);
    o.total_ms = or_else(o.total_ms, 15000);
    o.deadline_ms = or_else(o.deadline_ms, 60000);
    o.low_speed_bytes = or_else(o.low_speed_bytes, 1000);
    o.max_bytes = o.max_bytes == 0 ? (size_t)64 << 20 : o.max_bytes;
    o.parallel = o.parallel == 0 ? 8 : o.parallel;
    o.user_agent = o.user_agent == NULL ? "hbdx" : o.user_agent;
    return o;
}

/* A part of a URL, "" when it has none. The caller frees with curl_free; NULL: no memory or no URL.
 */
static char *url_part(const char *url, CURLUPart part, unsigned flags) {
    CURLU *u = curl_url();
    char *text = NULL;
    if (u != NULL && curl_url_set(u, CURLUPART_URL, url, 0) == CURLUE_OK) {
        curl_url_set(u, CURLUPART_USER, NULL, 0); /* secrets stay out of messages */
        curl_url_set(u, CURLUPART_PASSWORD, NULL, 0);
        curl_url_get(u, part, &text, flags);
    }
    curl_url_cleanup(u);
    return text;
}

static void show(char out[MAX_SHOWN], const char *url) {
    char *text = url_part(url, CURLUPART_URL, 0);
    snprintf(out, MAX_SHOWN, "%s", text == NULL ? "(malformed URL)" : text);
    curl_free(text);
}

static bool same_part(const char *a, const char *b, CURLUPart part) {
    char *x = url_part(a, part, CURLU_DEFAULT_PORT), *y = url_part(b, part, CURLU_DEFAULT_PORT);
    bool same = x != NULL && y != NULL && strcasecmp(x, y) == 0;
    curl_free(x);
    curl_free(y);
    return same;
}

static bool has_scheme(const char *url, const char *scheme) {
    char *text = url_part(url, CURLUPART_SCHEME, 0);
    bool has = text != NULL && strcasecmp(text, scheme) == 0;
    curl_free(text);
    return has;
}

/* The same server: the same host, and the same port, or from http to https. */
static bool same_place(const char *from, const char *to) {
    if (!same_part(from, to, CURLUPART_HOST))
        return false;
    if (same_part(from, to, CURLUPART_SCHEME))
        return same_part(from, to, CURLUPART_PORT);
    return has_scheme(from, "http") && has_scheme(to, "https");
}

static size_t on_body(char *p, size_t size, size_t n, void *data) {
    work *w = data;
    dx_buf *body = &w->reply->body;
    n *= size;
    w->too_large = n > w->opts->max_bytes - body->n;
    if (w->too_large)
        return 0;
    dx_buf_add(body, p, n);
    return dx_buf_ok(body) ? n : 0;
}

/* The value of a header line, or the empty slice. */
static dx_slice header_value(dx_slice line, const char *name) {
    size_t n = strlen(name);
    if (line.n <= n || line.p[n] != ':' || strncasecmp(line.p, name, n) != 0)
        return dx_s(NULL);
    return dx_slice_trim(dx_slice_sub(line, n + 1, line.n));
}

static void read_date(work *w, dx_slice value) {
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)value.n, value.p);
    time_t t = curl_getdate(text, NULL);
    if (t > 0)
        w->reply->server_date_ms = (int64_t)t * 1000;
}

static size_t on_header(char *p, size_t size, size_t n, void *data) {
    work *w = data;
    dx_slice line = dx_sn(p, n * size), value;
    w->header_bytes += line.n;
    if (w->header_bytes > MAX_HEADERS)
        return 0;
    if (dx_slice_starts(line, "HTTP/")) { /* of this answer, not of one before it */
        w->reply->server_date_ms = DX_TIME_NONE;
        w->asked[0] = '\0';
    }
    value = header_value(line, "Date");
    if (value.n > 0 && value.n < 60)
        read_date(w, value);
    value = header_value(line, "WWW-Authenticate");
    if (value.n > 0) {
        size_t used = strlen(w->asked);
        ptrdiff_t blank = dx_slice_find_char(value, ' ', 0);
        value = dx_slice_sub(value, 0, blank < 0 ? value.n : (size_t)blank);
        snprintf(w->asked + used, sizeof w->asked - used, "%s%.*s", used > 0 ? ", " : "",
                 (int)value.n, value.p);
    }
    return line.n;
}

static bool set_limits(work *w) {
    const dx_http_opts *o = w->opts;
    CURL *c = w->easy;
    int64_t left = o->total_ms - (dx_time_monotonic() - w->started_ms);
    int64_t wait = left < o->connect_ms ? left : o->connect_ms;
    bool bad = false;
    bad |= curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)(left > 0 ? left : 1)) != CURLE_OK;
    bad |= curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, (long)(wait > 0 ? wait : 1)) != CURLE_OK;
    bad |= curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, (long)o->low_speed_bytes) != CURLE_OK;
    bad |= curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, (long)LOW_SPEED_S) != CURLE_OK;
    return !bad;
}

static bool set_protocols(CURL *c) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK;
#else
    return curl_easy_setopt(c, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS))
           == CURLE_OK;
#endif
}

static bool set_login(const work *w) {
    const dx_http_opts *o = w->opts;
    unsigned long methods = 0;
    if (o->user == NULL && !o->negotiate)
        return true;
    if (o->user != NULL)
        methods |= CURLAUTH_BASIC | CURLAUTH_DIGEST;
    if (o->negotiate)
        methods |= CURLAUTH_NEGOTIATE;
    return curl_easy_setopt(w->easy, CURLOPT_HTTPAUTH, (long)methods) == CURLE_OK
           && curl_easy_setopt(w->easy, CURLOPT_USERPWD, o->user == NULL ? ":" : o->user)
                  == CURLE_OK;
}

static bool set_up(work *w) {
    CURL *c = w->easy = curl_easy_init();
    bool bad = c == NULL;
    if (bad)
        return false;
    bad |= curl_easy_setopt(c, CURLOPT_URL, w->url) != CURLE_OK;
    bad |= curl_easy_setopt(c, CURLOPT_PRIVATE, (void *)w) != CURLE_OK;
    bad |= curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L) != CURLE_OK;
    bad |= curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L) != CURLE_OK;
    bad |= curl_easy_setopt(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) != CURLE_OK;
    bad |= curl_easy_setopt(c, CURLOPT_ACCEPT_ENCODING, "gzip") != CURLE_OK;
    bad |= curl_easy_setopt(c, CURLOPT_USERAGENT, w->opts->user_agent) != CURLE_OK;
    bad |= curl_easy_setopt(c, CURLOPT_COOKIEFILE, "") != CURLE_OK; /* hadoop.auth, in memory */
    bad |= curl_easy_setopt(c, CURLOPT_ERRORBUFFER, w->text) != CURLE_OK;
    bad |= curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_body) != CURLE_OK;
    bad |= curl_easy_setopt(c, CURLOPT_WRITEDATA, (void *)w) != CURLE_OK;
    bad |= curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, on_header) != CURLE_OK;
    bad |= curl_easy_setopt(c, CURLOPT_HEADERDATA, (void *)w) != CURLE_OK;
    if (w->opts->ca_file != NULL)
        bad |= curl_easy_setopt(c, CURLOPT_CAINFO, w->opts->ca_file) != CURLE_OK;
    return !bad && set_limits(w) && set_protocols(c) && set_login(w);
}

static void fail(work *w, dx_status code, const char *what) {
    char url[MAX_SHOWN];
    show(url, w->url);
    w->reply->status = dx_fail(&w->reply->err, code, "%s: %s", url, what);
}

static void fail_login(work *w) {
    char what[256];
    if (w->opts->user != NULL || w->opts->negotiate)
        snprintf(what, sizeof what, "401, these credentials are not accepted (it takes %s)",
                 w->asked[0] == '\0' ? "others" : w->asked);
    else if (strcasecmp(w->asked, "Negotiate") == 0)
        snprintf(what, sizeof what,
                 "401, it wants Kerberos: get a ticket with kinit, then ask with SPNEGO");
    else
        snprintf(what, sizeof what, "401, it wants credentials (%s): give a user and password",
                 w->asked[0] == '\0' ? "of an unknown kind" : w->asked);
    fail(w, DX_E_AUTH, what);
}

static void judge_status(work *w) {
    char what[64];
    switch (w->reply->http_status) {
    case 401: fail_login(w); break;
    case 403:
        fail(w, DX_E_AUTH,
             "403, this user may not read it: ask for a right to the admin pages "
             "(hbase.security.authentication.spnego.admin.users or .groups)");
        break;
    case 404:
        fail(w, DX_E_NOTFOUND,
             "404, there is no such page: is it an info port of HBase (16030 RegionServer, 16010 "
             "master)? /jmx can be switched off (hbase.http.metrics.servlets)");
        break;
    case 407: fail(w, DX_E_AUTH, "407, the proxy of the environment wants credentials"); break;
    case 503: fail(w, DX_E_NET, "503, it is starting or overloaded: ask again later"); break;
    default:
        snprintf(what, sizeof what, "it answered with status %ld", w->reply->http_status);
        if (w->reply->http_status >= 200 && w->reply->http_status < 300)
            w->reply->status = DX_OK;
        else
            fail(w, DX_E_NET, what);
        break;
    }
}

static void judge_timeout(work *w) {
    char what[128];
    curl_off_t sent = 0;
    curl_easy_getinfo(w->easy, CURLINFO_PRETRANSFER_TIME_T, &sent);
    if (strstr(w->text, "too slow") != NULL)
        snprintf(what, sizeof what, "slower than %" PRId64 " bytes/s for %d s (%zu bytes came)",
                 w->opts->low_speed_bytes, LOW_SPEED_S, w->reply->body.n);
    else if (sent == 0)
        snprintf(what, sizeof what,
                 "no connection within %" PRId64 " ms: host down, firewall, or wrong port",
                 w->opts->connect_ms);
    else
        snprintf(what, sizeof what, "no whole answer within %" PRId64 " ms (%zu bytes came)",
                 w->opts->total_ms, w->reply->body.n);
    fail(w, DX_E_NET, what);
}

static void judge_refused_bytes(work *w) {
    char what[128];
    snprintf(what, sizeof what, "the answer is larger than %zu bytes", w->opts->max_bytes);
    if (w->too_large)
        fail(w, DX_E_LIMIT, what);
    else if (w->header_bytes > MAX_HEADERS)
        fail(w, DX_E_LIMIT, "its headers have no end: no HBase answers so");
    else
        fail(w, DX_E_NOMEM, "no memory for the answer");
}

/* Failures of one sentence; behind TLS curl's own words help. */
static const struct {
    CURLcode code;
    bool tls;
    const char *what;
} plain[] = {
    {CURLE_COULDNT_RESOLVE_HOST, false, "no host of this name is known"},
    {CURLE_COULDNT_RESOLVE_PROXY, false, "the proxy of the environment is not known"},
    {CURLE_COULDNT_CONNECT, false,
     "no connection: is the server up, and is it the info port (16030 RegionServer, 16010 "
     "master)?"},
    {CURLE_UNSUPPORTED_PROTOCOL, false,
     "it does not answer with HTTP: is it an https:// port, or an RPC port?"},
    {CURLE_WEIRD_SERVER_REPLY, false, "it does not answer with HTTP: is it an RPC port?"},
    {CURLE_GOT_NOTHING, false,
     "it closed without an answer: is it an https:// port, or an RPC port?"},
    {CURLE_PARTIAL_FILE, false, "the answer was cut off: ask again"},
    {CURLE_RECV_ERROR, false, "the answer was cut off: ask again"},
    {CURLE_BAD_CONTENT_ENCODING, false, "its gzip cannot be read"},
    {CURLE_SSL_CONNECT_ERROR, true, "is it a plain http:// port?"},
    {CURLE_PEER_FAILED_VERIFICATION, true, "give the file of its certificate authority"},
    {CURLE_SSL_CACERT_BADFILE, true, "the file of authorities cannot be read"},
};

static void judge_curl(work *w, CURLcode code) {
    char what[CURL_ERROR_SIZE + 128];
    size_t i = 0, n = sizeof plain / sizeof plain[0];
    while (i < n && plain[i].code != code)
        i++;
    if (code == CURLE_OPERATION_TIMEDOUT)
        judge_timeout(w);
    else if (code == CURLE_WRITE_ERROR)
        judge_refused_bytes(w);
    else if (i < n && plain[i].tls) {
        snprintf(what, sizeof what, "TLS: %s: %s", w->text, plain[i].what);
        fail(w, DX_E_NET, what);
    } else
        fail(w, code == CURLE_OUT_OF_MEMORY ? DX_E_NOMEM : DX_E_NET,
             i < n ? plain[i].what : curl_easy_strerror(code));
}

/* Points w at the URL of a redirect; false: it is not followed, and the reply says why. */
static bool follow(work *w) {
    char what[MAX_SHOWN + 128], target[MAX_SHOWN];
    char *to = NULL;
    curl_easy_getinfo(w->easy, CURLINFO_REDIRECT_URL, &to);
    if (to == NULL || w->reply->http_status < 300 || w->reply->http_status >= 400) {
        judge_status(w);
        return false;
    }
    show(target, to);
    if (!same_place(w->url, to) || w->redirects == MAX_REDIRECTS) {
        snprintf(what, sizeof what, "%s, which is not followed: %s",
                 w->redirects == MAX_REDIRECTS ? "it redirects without end, now to"
                                               : "it redirects to another place",
                 target);
        fail(w, DX_E_NET, what);
        return false;
    }
    char *copy = strdup(to);
    if (copy == NULL || curl_easy_setopt(w->easy, CURLOPT_URL, copy) != CURLE_OK
        || !set_limits(w)) {
        free(copy);
        fail(w, DX_E_NOMEM, "no memory");
        return false;
    }
    free(w->url);
    w->url = copy;
    w->redirects++;
    w->header_bytes = 0;
    dx_buf_clear(&w->reply->body);
    return true;
}

static void fill_reply(work *w) {
    const char *type = NULL;
    dx_http_reply *r = w->reply;
    curl_easy_getinfo(w->easy, CURLINFO_RESPONSE_CODE, &r->http_status);
    curl_easy_getinfo(w->easy, CURLINFO_CONTENT_TYPE, &type);
    snprintf(r->content_type, sizeof r->content_type, "%s", type == NULL ? "" : type);
    r->took_ms = dx_time_monotonic() - w->started_ms;
}

/* A request that cannot even start has its reply filled here. */
static bool start(work *w, CURLM *multi, const char *url) {
    w->reply->server_date_ms = DX_TIME_NONE;
    w->reply->url = url;
    w->started_ms = dx_time_monotonic();
    dx_buf_init(&w->reply->body, w->opts->max_bytes);
    w->url = strdup(url);
    if (w->url == NULL) {
        w->reply->status = dx_fail(&w->reply->err, DX_E_NOMEM, "no memory");
        return false;
    }
    if (!has_scheme(url, "http") && !has_scheme(url, "https")) {
        fail(w, DX_E_USAGE, "a URL starts with http:// or https://");
        return false;
    }
    w->under_way = set_up(w) && curl_multi_add_handle(multi, w->easy) == CURLM_OK;
    if (!w->under_way)
        fail(w, DX_E_NOMEM, "no memory for the request");
    return w->under_way;
}

/* One transfer has ended; true: it goes on elsewhere. */
static bool goes_on(CURLM *multi, const CURLMsg *m) {
    work *w = NULL;
    CURLcode code = m->data.result;
    curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&w);
    curl_multi_remove_handle(multi, w->easy);
    w->under_way = false;
    fill_reply(w);
    if (code != CURLE_OK)
        judge_curl(w, code);
    else if (follow(w)) {
        w->under_way = curl_multi_add_handle(multi, w->easy) == CURLM_OK;
        if (!w->under_way)
            fail(w, DX_E_NOMEM, "no memory for the request");
    }
    return w->under_way;
}

static size_t reap(CURLM *multi) {
    size_t ended = 0;
    int left;
    for (CURLMsg *m; (m = curl_multi_info_read(multi, &left)) != NULL;)
        if (m->msg == CURLMSG_DONE && !goes_on(multi, m))
            ended++;
    return ended;
}

static void fail_late(work *w, CURLM *multi) {
    char what[128];
    curl_multi_remove_handle(multi, w->easy);
    fill_reply(w);
    snprintf(what, sizeof what, "not done within the %" PRId64 " ms of all requests together",
             w->opts->deadline_ms);
    fail(w, DX_E_LIMIT, what);
}

/* Starts requests as places get free, until all have ended or time is up. */
static void run(CURLM *multi, work *works, const char *const *urls, size_t n,
                const dx_http_opts *opts) {
    int64_t end = dx_time_monotonic() + opts->deadline_ms;
    size_t next = 0, active = 0;
    for (int64_t left; (left = end - dx_time_monotonic()) > 0 && (next < n || active > 0);) {
        int running;
        if (opts->stop != NULL && opts->stop(opts->stop_ud))
            break;
        while (next < n && active < opts->parallel) {
            active += start(&works[next], multi, urls[next]);
            next++;
        }
        if (curl_multi_perform(multi, &running) != CURLM_OK)
            break;
        size_t ended = reap(multi);
        active -= ended;
        if (ended == 0 && active > 0)
            curl_multi_poll(multi, NULL, 0, (int)(left < POLL_MS ? left : POLL_MS), NULL);
    }
    for (size_t i = 0; i < n; i++) {
        if (i >= next)
            start(&works[i], multi, urls[i]);
        if (works[i].under_way)
            fail_late(&works[i], multi);
    }
}

static dx_status check(const char *const *urls, size_t n, const dx_http_opts *o, dx_err *err) {
    for (size_t i = 0; i < n; i++)
        if (urls[i] == NULL)
            return dx_fail(err, DX_E_USAGE, "URL %zu is missing", i + 1);
    bool can = (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_SPNEGO) != 0;
    if (o->negotiate && !can)
        return dx_fail(err, DX_E_USAGE, "this libcurl was built without SPNEGO");
    return DX_OK;
}

static void free_works(work *works, size_t n) {
    for (size_t i = 0; works != NULL && i < n; i++) {
        curl_easy_cleanup(works[i].easy);
        free(works[i].url);
    }
    free(works);
}

/* curl counts its users, so that it may be started and ended around each call. */
dx_status dx_http_get(const char *const *urls, size_t n, const dx_http_opts *opts,
                      dx_http_reply *replies, dx_err *err) {
    dx_http_opts o = with_defaults(opts);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return dx_fail(err, DX_E_NOMEM, "libcurl does not start");
    work *works = dx_calloc(n, sizeof *works);
    CURLM *multi = curl_multi_init();
    dx_status status = check(urls, n, &o, err);
    if (status != DX_OK)
        goto out;
    if (works == NULL || multi == NULL) {
        status = dx_fail(err, DX_E_NOMEM, "no memory for %zu requests", n);
        goto out;
    }
    for (size_t i = 0; i < n; i++) {
        replies[i] = (dx_http_reply){.url = urls[i]};
        works[i].opts = &o;
        works[i].reply = &replies[i];
    }
    run(multi, works, urls, n, &o);
out:
    free_works(works, n);
    curl_multi_cleanup(multi);
    curl_global_cleanup();
    return status;
}

void dx_http_reply_done(dx_http_reply *r) {
    dx_buf_done(&r->body);
}

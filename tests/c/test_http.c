/* HTTP against a small server on the loopback: what is normal, slow, cut, huge, refused, elsewhere.
 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, nanosleep */
#include "dx_http.h"
#include "tap.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* {"beans":[]} */
static const unsigned char gzipped[] = {
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff, 0xab, 0x56, 0x4a, 0x4a, 0x4d, 0xcc,
    0x2b, 0x56, 0xb2, 0x8a, 0x8e, 0xad, 0x05, 0x00, 0xbf, 0xa6, 0xba, 0x1c, 0x0c, 0x00, 0x00, 0x00};

static void sleep_ms(long ms) {
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

static void say(int fd, const char *text) {
    if (write(fd, text, strlen(text)) < 0)
        _exit(0);
}

static void say_huge(int fd) {
    char block[1024];
    memset(block, 'x', sizeof block);
    say(fd, "HTTP/1.1 200 OK\r\n\r\n");
    for (int i = 0; i < 4096; i++)
        if (write(fd, block, sizeof block) < 0)
            return;
}

static void say_gzip(int fd) {
    say(fd, "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf8\r\n"
            "Date: Mon, 30 Nov 2026 21:48:55 GMT\r\nContent-Encoding: gzip\r\n\r\n");
    if (write(fd, gzipped, sizeof gzipped) < 0)
        _exit(0);
}

static void say_headers(int fd) {
    say(fd, "HTTP/1.1 200 OK\r\n");
    for (int i = 0; i < 100000; i++)
        say(fd, "X-More: and more\r\n");
}

/* Goes on until the client has enough of it. */
static void say_drops(int fd) {
    say(fd, "HTTP/1.1 200 OK\r\n\r\n");
    for (;;) {
        say(fd, "x");
        sleep_ms(100);
    }
}

/* Says nothing, until the client leaves. */
static void say_nothing(int fd) {
    char left[256];
    while (read(fd, left, sizeof left) > 0)
        continue;
}

#define OK_HEAD "HTTP/1.1 200 OK\r\nConnection: close\r\n"

static const struct {
    const char *path, *answer;
    void (*say)(int);
} pages[] = {
    {"/ok", OK_HEAD "Content-Length: 12\r\n\r\n{\"beans\":[]}", NULL},
    {"/gzip", NULL, say_gzip},
    {"/huge", NULL, say_huge},
    {"/headers", NULL, say_headers},
    {"/drops", NULL, say_drops},
    {"/cut", OK_HEAD "Content-Length: 100\r\n\r\n{\"beans\":[", NULL},
    {"/told-huge", OK_HEAD "Content-Length: 99999999999\r\n\r\nx", NULL},
    {"/negotiate", "HTTP/1.1 401 No\r\nWWW-Authenticate: Negotiate\r\nContent-Length: 0\r\n\r\n",
     NULL},
    {"/basic",
     "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n", NULL},
    {"/forbidden", "HTTP/1.1 403 No\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
     NULL},
    {"/busy", "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n", NULL},
    {"/odd", "HTTP/1.1 418 No\r\nContent-Length: 0\r\n\r\n", NULL},
    {"/near", "HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 4\r\n\r\ngone", NULL},
    {"/far",
     "HTTP/1.1 302 Found\r\nLocation: http://localhost.invalid/login\r\n"
     "Content-Length: 0\r\n\r\n",
     NULL},
    {"/loop", "HTTP/1.1 302 Found\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n", NULL},
    {"/file", "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
     NULL},
    {"/slow", NULL, say_nothing},
    {"/silent", "", NULL},
    {"/rpc", "\x15\x03\x03 no HTTP at all\n\n", NULL},
};

/* One connection, one request. */
static void answer(int fd) {
    char request[4096];
    size_t n = 0;
    ssize_t got;
    while (n < sizeof request - 1 && (got = read(fd, request + n, sizeof request - 1 - n)) > 0) {
        n += (size_t)got;
        request[n] = '\0';
        if (strstr(request, "\r\n\r\n") != NULL || request[0] == 0x16)
            break;
    }
    request[n] = '\0';
    bool open = strstr(request, "\r\nAuthorization: Basic dTpw\r\n") != NULL;
    char *path = strchr(request, ' ');
    if (request[0] == 0x16) /* a TLS handshake */
        say(fd, "HTTP/1.1 400 Bad Request\r\n\r\n");
    if (request[0] == 0x16 || path == NULL)
        return;
    path[1 + strcspn(path + 1, " ?")] = '\0';
    if (open && dx_slice_is(dx_s(path + 1), "/basic"))
        say(fd, OK_HEAD "Content-Length: 2\r\n\r\nin");
    else {
        for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++)
            if (dx_slice_is(dx_s(path + 1), pages[i].path)) {
                if (pages[i].say != NULL)
                    pages[i].say(fd);
                else
                    say(fd, pages[i].answer);
                return;
            }
        say(fd, "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n");
    }
}

static void serve(int listener) {
    signal(SIGCHLD, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    alarm(300); /* never outlives a test that died */
    for (;;) {
        int fd = accept(listener, NULL, NULL);
        if (fd < 0)
            _exit(0);
        if (fork() == 0) {
            alarm(60);
            answer(fd);
            shutdown(fd, SHUT_WR);
            _exit(0);
        }
        close(fd);
    }
}

static int port;

/* Forks the server; returns its process. */
static pid_t start_server(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&at, sizeof at) != 0
        || listen(listener, 32) != 0 || getsockname(listener, (struct sockaddr *)&at, &n) != 0)
        return -1;
    port = ntohs(at.sin_port);
    pid_t child = fork();
    if (child == 0)
        serve(listener);
    close(listener);
    return child;
}

/* One GET; the reply is to be freed. */
static dx_http_reply get(const char *path, const dx_http_opts *opts) {
    char url[200];
    const char *one = url;
    dx_http_reply r;
    dx_err err;
    snprintf(url, sizeof url, "http://bob:sesame@127.0.0.1:%d%s", port, path);
    if (opts == NULL || opts->user != NULL)
        snprintf(url, sizeof url, "http://127.0.0.1:%d%s", port, path);
    if (!ok(dx_http_get(&one, 1, opts, &r, &err) == DX_OK, "GET %s", path))
        exit(1);
    r.url = NULL;
    return r;
}

static void answers(const char *path, const char *body) {
    dx_http_reply r = get(path, NULL);
    if (!ok(r.status == DX_OK && r.http_status == 200, "  is answered"))
        printf("# %s\n", r.err.msg);
    is_slice(dx_buf_slice(&r.body), body, "  its body");
    dx_http_reply_done(&r);
}

static void fails(const char *path, const dx_http_opts *opts, dx_status status, const char *part) {
    dx_http_reply r = get(path, opts);
    if (!ok(r.status == status && strstr(r.err.msg, part) != NULL, "  fails: %s", part))
        printf("# got %s: %s\n", dx_status_name(r.status), r.err.msg);
    ok(strstr(r.err.msg, "sesame") == NULL && strstr(r.err.msg, "u:p") == NULL,
       "  and keeps the password to itself");
    ok(r.took_ms >= 0 && r.took_ms < 30000, "  in good time");
    dx_http_reply_done(&r);
}

static void test_answers(void) {
    answers("/ok", "{\"beans\":[]}");
    answers("/near", "{\"beans\":[]}");
    dx_http_reply r = get("/gzip", NULL);
    is_int(r.status, DX_OK, "a compressed answer");
    is_slice(dx_buf_slice(&r.body), "{\"beans\":[]}", "is decompressed");
    is_str(r.content_type, "application/json; charset=utf8", "the type");
    is_int(r.server_date_ms, 1796075335000, "the server's date");
    dx_http_reply_done(&r);
    dx_http_opts login = {.user = "u:p"};
    r = get("/basic", &login);
    is_slice(dx_buf_slice(&r.body), "in", "a user and password");
    is_int(r.http_status, 200, "are sent to who asks for them");
    dx_http_reply_done(&r);
}

static void test_failures(void) {
    dx_http_opts wrong = {.user = "u:px"};
    dx_http_opts fast = {.total_ms = 300};
    dx_http_opts small = {.max_bytes = 100000};
    fails("/basic", NULL, DX_E_AUTH, "401, it wants credentials (Basic)");
    fails("/basic", &wrong, DX_E_AUTH, "401, these credentials are not accepted (it takes Basic)");
    fails("/negotiate", NULL, DX_E_AUTH, "kinit");
    fails("/forbidden", NULL, DX_E_AUTH, "403");
    fails("/nothing", NULL, DX_E_NOTFOUND, "404");
    fails("/busy", NULL, DX_E_NET, "503");
    fails("/odd", NULL, DX_E_NET, "status 418");
    fails("/far", NULL, DX_E_NET, "another place, which is not followed: http://localhost.invalid");
    fails("/file", NULL, DX_E_NET, "not followed");
    fails("/loop", NULL, DX_E_NET, "redirects without end");
    fails("/slow", &fast, DX_E_NET, "no whole answer within 300 ms (0 bytes came)");
    fails("/huge", &small, DX_E_LIMIT, "larger than 100000 bytes");
    fails("/headers", NULL, DX_E_LIMIT, "headers have no end");
    fails("/told-huge", NULL, DX_E_NET, "cut off");
    fails("/silent", NULL, DX_E_NET, "without an answer: is it an https:// port, or an RPC port?");
    fails("/rpc", NULL, DX_E_NET, "does not answer with HTTP");
    dx_http_reply r = get("/cut", NULL);
    ok(r.status == DX_E_NET && strstr(r.err.msg, "cut off") != NULL, "a cut answer is a failure");
    is_slice(dx_buf_slice(&r.body), "{\"beans\":[", "what came of it is kept");
    dx_http_reply_done(&r);
}

static void fails_at(const char *url, dx_status status, const char *part) {
    dx_http_reply r;
    dx_err err;
    dx_http_opts o = {.connect_ms = 500, .total_ms = 1000};
    if (!ok(dx_http_get(&url, 1, &o, &r, &err) == DX_OK && r.status == status
                && strstr(r.err.msg, part) != NULL,
            "fails: %s", url))
        printf("# got %s: %s\n", dx_status_name(r.status), r.err.msg);
    dx_http_reply_done(&r);
}

static void test_urls(void) {
    char url[64];
    fails_at("file:///etc/passwd", DX_E_USAGE, "http:// or https://");
    fails_at("ftp://127.0.0.1/x", DX_E_USAGE, "http:// or https://");
    fails_at("rs-1:16030/jmx", DX_E_USAGE, "http:// or https://");
    fails_at("", DX_E_USAGE, "malformed");
    fails_at("http://127.0.0.1:1/jmx", DX_E_NET, "no connection");
    fails_at("http://no-such-host.invalid/", DX_E_NET, "");
    snprintf(url, sizeof url, "https://127.0.0.1:%d/ok", port);
    fails_at(url, DX_E_NET, "TLS: ");
    const char *none = NULL;
    dx_http_reply r;
    dx_err err;
    ok(dx_http_get(&none, 1, NULL, &r, &err) == DX_E_USAGE, "no URL at all is a misuse");
    ok(dx_http_get(NULL, 0, NULL, NULL, &err) == DX_OK, "nothing to get is fine");
}

static void test_many(void) {
    enum { N = 12 };
    char text[N][64];
    const char *urls[N];
    dx_http_reply r[N];
    dx_err err;
    for (int i = 0; i < N; i++) {
        snprintf(text[i], sizeof text[i], "http://127.0.0.1:%d%s", port, i == 3 ? "/slow" : "/ok");
        urls[i] = text[i];
    }
    dx_http_opts o = {.deadline_ms = 3000, .parallel = 3}; /* plenty for the eleven others */
    ok(dx_http_get(urls, N, &o, r, &err) == DX_OK, "twelve at once, three under way");
    for (int i = 0; i < N; i++) {
        ok(r[i].url == urls[i], "reply %d is for its URL", i);
        ok(i == 3 ? r[i].status == DX_E_LIMIT : r[i].status == DX_OK, "  and %s",
           i == 3 ? "late" : "whole");
        dx_http_reply_done(&r[i]);
    }
    o.deadline_ms = 300;
    o.parallel = 1;
    urls[0] = urls[3];
    ok(dx_http_get(urls, 3, &o, r, &err) == DX_OK, "a deadline with requests that wait");
    for (int i = 0; i < 3; i++) {
        ok(r[i].status == DX_E_LIMIT && strstr(r[i].err.msg, "300 ms of all") != NULL, "  late");
        dx_http_reply_done(&r[i]);
    }
}

static void test_slow_drops(void) {
    dx_http_opts o = {.low_speed_bytes = 1000, .total_ms = 50000};
    dx_http_reply r = get("/drops", &o);
    ok(r.status == DX_E_NET && strstr(r.err.msg, "slower than 1000 bytes/s") != NULL,
       "an answer in drops is given up");
    dx_http_reply_done(&r);
}

int main(void) {
    setenv("no_proxy", "*", 1);
    signal(SIGPIPE, SIG_IGN);
    pid_t server = start_server();
    if (!ok(server > 0, "a server on the loopback"))
        return done();
    test_answers();
    test_failures();
    test_urls();
    test_many();
    test_slow_drops();
    kill(server, SIGTERM);
    waitpid(server, NULL, 0);
    return done();
}

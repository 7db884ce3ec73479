/* dx_follow.c - see dx_follow.h. Whether a file is still the one that was read is told by its
 * size, which must not shrink, and by its first bytes, which must stay: a file that was truncated
 * and has grown past the old end between two looks is known by them. */
#define _POSIX_C_SOURCE 200809L /* open, O_CLOEXEC, pread, strdup, st_mtim */
#include "dx_follow.h"
#include "dx_buf.h"
#include "dx_ingest_sniff.h"
#include "dx_mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK       (256u * 1024)
#define BUFFER_KEPT (4u << 20)
#define SNIFF       16384u /* bytes that tell what a file is */
#define HEAD        1024u  /* and of these, that tell whether it is the same */
#define COUNT_STEP  256    /* blocks whose lines are counted in one call: some 10 ms */
#define LINE_MAX    ((size_t)(64u << 20) + 3) /* more than a scan takes: it says that it is cut */

typedef enum state {
    CLOSED,
    COUNTING, /* lines before what is to come */
    OPENED,   /* BEGIN is to be said */
    READING,
    ENDING, /* half a line may be left to give */
    REFUSED
} state;

struct dx_follow {
    char *path;
    dx_follow_opts opts;
    state state;
    bool first;  /* no file has been opened yet */
    bool absent; /* that was said */
    int fd;
    struct stat seen; /* of the open file */
    char head[HEAD];
    size_t nhead;
    bool sniffed;
    bool gc;           /* it is the collector's */
    uint64_t pos;      /* what comes next in the file is read from here */
    uint64_t start;    /* while counting: where to end */
    uint64_t lines;    /* counted */
    dx_buf buf;        /* text that was read */
    size_t given;      /* bytes of it that were handed out with the last news */
    uint64_t offset;   /* of its first byte */
    bool skip;         /* the rest of a line that is too long */
    int64_t quiet;     /* since when nothing came */
    int64_t left;      /* since when the name is another's; -1: it is not */
    int64_t not_until; /* a failed read is not tried again before */
    const char *reason;
    bool anew; /* at the end the same file is read from its beginning */
};

/* --- */

dx_status dx_follow_open(dx_follow **out, const char *path, const dx_follow_opts *opts,
                         dx_err *err) {
    dx_follow *f = dx_calloc(1, sizeof *f);
    if (f == NULL || (f->path = strdup(path)) == NULL) {
        free(f);
        return dx_fail(err, DX_E_NOMEM, "%s: no memory to follow it", path);
    }
    f->opts = *opts;
    if (f->opts.line_max == 0)
        f->opts.line_max = LINE_MAX;
    f->fd = -1;
    f->first = true;
    f->left = -1;
    dx_buf_init(&f->buf, 0);
    *out = f;
    return DX_OK;
}

void dx_follow_close(dx_follow *f) {
    if (f == NULL)
        return;
    if (f->fd >= 0)
        close(f->fd);
    dx_buf_done(&f->buf);
    free(f->path);
    free(f);
}

/* --- what it is */

static size_t leading_nuls(const char *p, size_t n) {
    size_t at = 0;
    while (at < n && p[at] == '\0')
        at++;
    return at;
}

/* Why a file is not followed that begins so; NULL: it is. What was truncated while its writer went
 * on where it was begins with NULs. */
static const char *refusal(dx_follow *f, dx_slice head) {
    bool binary;
    const char *hint;
    head = dx_slice_sub(head, leading_nuls(head.p, head.n), head.n);
    f->sniffed = head.n > 0;
    if (dx_slice_starts(head, "\x1f\x8b") || dx_slice_starts(head, "\x28\xb5\x2f\xfd"))
        return "it is compressed, and does not grow line by line";
    dx_source_kind kind = dx_ingest_sniff(head, &binary, &hint);
    if (hint != NULL && f->sniffed)
        return hint;
    f->gc = kind == DX_SOURCE_GC;
    switch (kind) {
    case DX_SOURCE_GC: return f->opts.gc ? NULL : "it is a log of the garbage collector";
    case DX_SOURCE_RING:
    case DX_SOURCE_TABLE: return "it is the output of a shell";
    case DX_SOURCE_JMX: return "it is a /jmx dump";
    case DX_SOURCE_CONF: return "it is a configuration";
    default: return binary ? "it is no text" : NULL;
    }
}

static ssize_t read_at(int fd, char *p, size_t n, uint64_t at) {
    ssize_t got;
    do
        got = pread(fd, p, n, (off_t)at);
    while (got < 0 && errno == EINTR);
    return got;
}

static void remember_head(dx_follow *f, const char *p, size_t n) {
    f->nhead = n < HEAD ? n : HEAD;
    memcpy(f->head, p, f->nhead);
}

/* The file still begins as it did. Of one that cannot be read the reading will say so. */
static bool same_head(const dx_follow *f) {
    char now[HEAD];
    ssize_t n = f->nhead == 0 ? 0 : read_at(f->fd, now, f->nhead, 0);
    return n < 0 || ((size_t)n == f->nhead && memcmp(now, f->head, f->nhead) == 0);
}

/* --- opening */

static dx_status absent(dx_follow *f, int error, dx_follow_news *news) {
    if (f->absent)
        return DX_OK;
    f->absent = true;
    news->what = DX_FOLLOW_ABSENT;
    news->reason = strerror(error);
    return DX_OK;
}

static dx_status refuse(dx_follow *f, const char *why, dx_follow_news *news) {
    f->state = REFUSED;
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
    news->what = DX_FOLLOW_REFUSED;
    news->reason = why;
    return DX_OK;
}

/* The open file is read from its beginning. */
static void rewind_file(dx_follow *f) {
    f->state = OPENED;
    f->pos = f->lines = f->offset = 0;
    f->nhead = 0;
    f->sniffed = f->skip = false;
    f->given = 0;
    dx_buf_clear(&f->buf);
}

/* Looks at what was opened. */
static dx_status look(dx_follow *f, dx_follow_news *news) {
    char head[SNIFF];
    ssize_t n = read_at(f->fd, head, sizeof head, 0);
    if (n > 0) {
        const char *why = refusal(f, dx_sn(head, (size_t)n));
        if (why != NULL)
            return refuse(f, why, news);
        remember_head(f, head, (size_t)n);
    }
    uint64_t size = (uint64_t)f->seen.st_size;
    if (f->first && f->opts.last < size) {
        f->start = size - f->opts.last;
        f->state = COUNTING;
    }
    f->first = false;
    news->what = DX_FOLLOW_MORE;
    return DX_OK;
}

static dx_status open_file(dx_follow *f, int64_t now_ms, dx_follow_news *news) {
    if (now_ms < f->not_until)
        return DX_OK;
    int fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) {
        f->first = false; /* what comes later is new from its beginning on */
        return absent(f, errno, news);
    }
    f->fd = fd;
    if (fstat(fd, &f->seen) != 0)
        return refuse(f, strerror(errno), news);
    if (!S_ISREG(f->seen.st_mode))
        return refuse(f, "it is no regular file", news);
    f->absent = false;
    f->left = -1;
    f->quiet = now_ms;
    rewind_file(f);
    return look(f, news);
}

/* --- counting what is passed over */

/* Counts the lines of a block, and finds where the first one begins at or behind f->start. */
static bool count_block(dx_follow *f, const char *p, size_t n) {
    const char *end = p + n;
    for (const char *at = p; (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++) {
        f->lines++;
        f->offset = f->pos + (uint64_t)(at - p) + 1;
        if (f->offset >= f->start)
            return true;
        if (at + 1 == end)
            break;
    }
    f->pos += n;
    return false;
}

static dx_status count_lines(dx_follow *f, dx_follow_news *news, dx_err *err) {
    news->what = DX_FOLLOW_MORE;
    if (!dx_buf_reserve(&f->buf, BLOCK))
        return dx_fail(err, DX_E_NOMEM, "%s: no memory to follow it", f->path);
    for (int i = 0; i < COUNT_STEP; i++) {
        ssize_t n = read_at(f->fd, f->buf.p, BLOCK, f->pos);
        if (n <= 0 || count_block(f, f->buf.p, (size_t)n)) {
            f->pos = f->offset; /* of a line without an end, its beginning */
            f->state = OPENED;
            break;
        }
    }
    return DX_OK;
}

/* --- reading */

static void end(dx_follow *f, const char *why, bool anew) {
    f->state = ENDING;
    f->reason = why;
    f->anew = anew;
}

static void forget_given(dx_follow *f) {
    if (f->given == 0)
        return;
    if (f->given == f->buf.n && f->buf.cap > BUFFER_KEPT) { /* of one long line */
        dx_buf_done(&f->buf);
        f->offset += f->given;
        f->given = 0;
        return;
    }
    f->buf.n -= f->given;
    memmove(f->buf.p, f->buf.p + f->given, f->buf.n);
    f->offset += f->given;
    f->given = 0;
}

static dx_status give(dx_follow *f, size_t n, dx_follow_news *news) {
    news->what = DX_FOLLOW_TEXT;
    news->text = dx_sn(f->buf.p, n);
    news->offset = f->offset;
    f->given = n;
    return DX_OK;
}

/* Bytes that are of no line: what is left of one that was too long; the hole of a file that was
 * truncated while its writer went on where it was. */
static size_t useless(dx_follow *f, const char *p, size_t n) {
    if (f->skip) {
        const char *nl = memchr(p, '\n', n);
        f->skip = nl == NULL;
        return nl == NULL ? n : (size_t)(nl - p) + 1;
    }
    return f->buf.n == 0 ? leading_nuls(p, n) : 0;
}

/* Takes in n bytes that stand behind the buffer, and gives what lines they end. */
static dx_status take_in(dx_follow *f, size_t n, dx_follow_news *news) {
    char *p = f->buf.p + f->buf.n;
    if (f->pos == f->nhead && f->nhead < HEAD) {
        size_t more = n < HEAD - f->nhead ? n : HEAD - f->nhead;
        memcpy(f->head + f->nhead, p, more);
        f->nhead += more;
    }
    f->pos += n;
    size_t cut = useless(f, p, n);
    if (cut > 0) {
        f->offset += cut; /* then the buffer is empty */
        memmove(p, p + cut, n - cut);
        n -= cut;
    }
    size_t before = f->buf.n;
    f->buf.n += n;
    ptrdiff_t nl = dx_slice_rfind_char(dx_sn(f->buf.p + before, n), '\n');
    news->what = DX_FOLLOW_MORE;
    if (nl >= 0)
        return give(f, before + (size_t)nl + 1, news);
    if (f->buf.n < f->opts.line_max)
        return DX_OK;
    f->skip = true;
    return give(f, f->buf.n, news);
}

static dx_status read_more(dx_follow *f, int64_t now_ms, dx_follow_news *news, dx_err *err) {
    if (!dx_buf_reserve(&f->buf, BLOCK))
        return dx_fail(err, DX_E_NOMEM, "%s: no memory for a line of %zu bytes", f->path, f->buf.n);
    ssize_t n = read_at(f->fd, f->buf.p + f->buf.n, BLOCK, f->pos);
    if (n < 0) {
        f->not_until = now_ms + DX_FOLLOW_RETRY_MS;
        end(f, strerror(errno), false);
        news->what = DX_FOLLOW_MORE;
    }
    if (n <= 0)
        return DX_OK;
    f->quiet = now_ms;
    if (!f->sniffed) {
        const char *why = refusal(f, dx_sn(f->buf.p + f->buf.n, (size_t)n));
        if (why != NULL)
            return refuse(f, why, news);
    }
    return take_in(f, (size_t)n, news);
}

/* Nothing comes: is the name still this file's? */
static dx_status look_at_name(dx_follow *f, int64_t now_ms, dx_follow_news *news) {
    struct stat named;
    if (stat(f->path, &named) != 0) {
        f->left = -1;
        return absent(f, errno, news); /* its writer may still have it open */
    }
    f->absent = false;
    if (named.st_dev == f->seen.st_dev && named.st_ino == f->seen.st_ino) {
        f->left = -1;
        return DX_OK;
    }
    if (f->left < 0)
        f->left = now_ms;
    int64_t since = f->left > f->quiet ? f->left : f->quiet;
    if (now_ms - since >= DX_FOLLOW_GRACE_MS) {
        end(f, "renamed", false);
        news->what = DX_FOLLOW_MORE;
    }
    return DX_OK;
}

static bool changed(const struct stat *a, const struct stat *b) {
    return a->st_size != b->st_size || a->st_mtim.tv_sec != b->st_mtim.tv_sec
           || a->st_mtim.tv_nsec != b->st_mtim.tv_nsec;
}

static dx_status go_on(dx_follow *f, int64_t now_ms, dx_follow_news *news, dx_err *err) {
    struct stat now;
    if (fstat(f->fd, &now) == 0) {
        bool shrunk = (uint64_t)now.st_size < f->pos;
        if (shrunk || (changed(&now, &f->seen) && !same_head(f))) {
            end(f, "truncated", true);
            news->what = DX_FOLLOW_MORE;
            return DX_OK;
        }
        f->seen = now;
    }
    dx_status st = read_more(f, now_ms, news, err);
    bool idle = st == DX_OK && news->what == DX_FOLLOW_NOTHING;
    return idle ? look_at_name(f, now_ms, news) : st;
}

static dx_status finish(dx_follow *f, dx_follow_news *news) {
    if (f->buf.n > 0)
        return give(f, f->buf.n, news);
    news->what = DX_FOLLOW_END;
    news->reason = f->reason;
    if (f->anew) {
        rewind_file(f);
        return DX_OK;
    }
    close(f->fd);
    f->fd = -1;
    f->state = CLOSED;
    return DX_OK;
}

void dx_follow_stop(dx_follow *f) {
    f->not_until = INT64_MAX;
    if (f->state != CLOSED && f->state != REFUSED)
        end(f, "stopped", false);
}

bool dx_follow_is_gc(const dx_follow *f) {
    return f->gc;
}

dx_status dx_follow_next(dx_follow *f, int64_t now_ms, dx_follow_news *news, dx_err *err) {
    *news = (dx_follow_news){.what = DX_FOLLOW_NOTHING};
    forget_given(f);
    switch (f->state) {
    case CLOSED: return open_file(f, now_ms, news);
    case COUNTING: return count_lines(f, news, err);
    case OPENED:
        *news = (dx_follow_news){DX_FOLLOW_BEGIN, .offset = f->offset, .lines = f->lines};
        f->state = READING;
        return DX_OK;
    case READING: return go_on(f, now_ms, news, err);
    case ENDING: return finish(f, news);
    case REFUSED: break;
    }
    return DX_OK;
}

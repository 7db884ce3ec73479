/* dx_input.c - source (descriptor or memory) -> decoder -> a sliding window of plain bytes, in
 * which lines are found. Files are read and not mapped: a log that is truncated while we look at it
 * would kill the process by a signal, and reading costs less than what follows. */
#define _POSIX_C_SOURCE 200809L /* open, O_CLOEXEC, poll, strdup */
#include "dx_input.h"
#include "dx_mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define RAW_BLOCK  (256u * 1024)
#define WIN_BLOCK  (128u * 1024) /* twice that stays in a core's own cache */
#define PEEK_MAX   (64u * 1024)
#define MAGIC_SIZE 6

typedef enum coding { CODING_UNKNOWN, CODING_PLAIN, CODING_GZIP, CODING_ZSTD } coding;

struct dx_input {
    char *name;
    int fd;           /* -1: bytes of the caller */
    bool owns_fd;     /* not standard input */
    char *block;      /* RAW_BLOCK bytes, where a descriptor is read into */
    dx_slice raw;     /* bytes of the source that the decoder has not taken */
    bool raw_done;    /* the source has ended */
    dx_hasher hasher; /* of the source's bytes: the fingerprint */
    bool unhashed;    /* nobody asks for it */

    coding coding;
    z_stream gz;
    ZSTD_DStream *zst;
    size_t zst_head, zst_want; /* bytes that make a frame's head, what comes next whole */
    bool in_frame;             /* inside of a member or frame: an end of the source here is a cut */

    char *win;
    size_t win_cap, from, to; /* bytes [from, to) are not consumed */
    uint64_t offset;          /* of win[from], after decompression */
    uint64_t decoded;
    bool borrowed;  /* win is the caller's */
    bool done;      /* nothing comes behind the window */
    bool skip_rest; /* the rest of an over-long line is to be skipped */
    dx_status status;
    dx_err err; /* why it ended, when status is an error */
};

void dx_input_unhashed(dx_input *in) {
    in->unhashed = true;
}

uint64_t dx_input_fingerprint(const dx_input *in) {
    return in->unhashed ? 0 : dx_hasher_end(&in->hasher);
}

/* ---- source */

static bool wait_readable(int fd) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int n;
    do
        n = poll(&p, 1, -1);
    while (n < 0 && errno == EINTR);
    return n > 0;
}

static ssize_t read_some(int fd, char *p, size_t n) {
    for (;;) {
        ssize_t got = read(fd, p, n);
        if (got >= 0 || (errno != EINTR && errno != EAGAIN))
            return got;
        if (errno == EAGAIN && !wait_readable(fd))
            return -1;
    }
}

/* Up to room bytes of the descriptor; *n is how many came, 0 at its end. */
static dx_status read_raw(dx_input *in, char *to, size_t room, size_t *n) {
    ssize_t got = read_some(in->fd, to, room);
    *n = got < 0 ? 0 : (size_t)got;
    in->raw_done = got <= 0;
    if (got < 0)
        return dx_fail(&in->err, DX_E_IO, "%s: cannot read: %s", in->name, strerror(errno));
    if (!in->unhashed)
        dx_hasher_add(&in->hasher, to, *n);
    return DX_OK;
}

/* Makes raw hold at least `want` bytes (want <= MAGIC_SIZE or 1) unless the source ends. */
static dx_status need_raw(dx_input *in, size_t want) {
    dx_status s = DX_OK;
    while (s == DX_OK && in->raw.n < want && !in->raw_done) {
        size_t n;
        if (in->raw.n > 0)
            memmove(in->block, in->raw.p, in->raw.n);
        s = read_raw(in, in->block + in->raw.n, RAW_BLOCK - in->raw.n, &n);
        in->raw = dx_sn(in->block, in->raw.n + n);
    }
    return s;
}

/* Reads on to the source's end, so that the fingerprint covers all of it. */
static void drain(dx_input *in) {
    do
        in->raw.n = 0;
    while (need_raw(in, 1) == DX_OK && !in->raw_done);
}

/* ---- decoders: append to the window up to `room` bytes; *n is how many came */

static dx_status damaged(dx_input *in, const char *what) {
    return dx_fail(&in->err, DX_E_PARSE,
                   "%s: %s after %llu bytes of text; what came before is used", in->name, what,
                   (unsigned long long)in->decoded);
}

static dx_status no_decoder(dx_input *in) {
    return dx_fail(&in->err, DX_E_NOMEM, "%s: no memory to unpack it", in->name);
}

/* A format that we recognise and do not read; NULL: none of these. */
static const char *foreign_archive(dx_slice head) {
    static const struct {
        const char *magic, *name;
    } rows[] = {{"PK\003\004", "zip"},
                {"\375"
                 "7zXZ",
                 "xz"},
                {"BZh", "bzip2"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (dx_slice_starts(head, rows[i].magic))
            return rows[i].name;
    return NULL;
}

static dx_status sniff(dx_input *in) {
    dx_status s = need_raw(in, MAGIC_SIZE);
    if (s != DX_OK)
        return s;
    const char *archive = foreign_archive(in->raw);
    if (archive != NULL)
        return dx_fail(&in->err, DX_E_PARSE, "%s: a %s archive; unpack it, then give what is in it",
                       in->name, archive);
    const unsigned char *b = (const unsigned char *)in->raw.p;
    if (dx_slice_starts(in->raw, "\x1f\x8b")) {
        in->coding = CODING_GZIP;
        return inflateInit2(&in->gz, 15 + 16) == Z_OK ? DX_OK : no_decoder(in);
    }
    if (dx_slice_starts(in->raw, "\x28\xb5\x2f\xfd")
        || (in->raw.n >= 4 && (b[0] & 0xf0) == 0x50 && b[1] == 0x2a && b[2] == 0x4d
            && b[3] == 0x18)) {
        in->coding = CODING_ZSTD;
        in->zst = ZSTD_createDStream();
        in->zst_head = in->zst == NULL ? 0 : ZSTD_initDStream(in->zst);
        in->zst_want = in->zst_head;
        return in->zst != NULL && !ZSTD_isError(in->zst_head) ? DX_OK : no_decoder(in);
    }
    in->coding = CODING_PLAIN;
    return DX_OK;
}

/* What was read to see what it is, then straight from the descriptor. */
static dx_status decode_plain(dx_input *in, size_t room, size_t *n) {
    if (in->raw.n == 0 && !in->raw_done)
        return read_raw(in, in->win + in->to, room, n);
    *n = in->raw.n < room ? in->raw.n : room;
    if (*n > 0)
        memcpy(in->win + in->to, in->raw.p, *n);
    in->raw = dx_slice_sub(in->raw, *n, in->raw.n);
    return DX_OK;
}

/* Between two members: zeros are padding, anything else must be a member. */
static dx_status next_member(dx_input *in) {
    dx_status s;
    while ((s = need_raw(in, 2)) == DX_OK && in->raw.n > 0 && in->raw.p[0] == '\0')
        in->raw = dx_slice_sub(in->raw, 1, in->raw.n);
    if (s != DX_OK || in->raw.n == 0)
        return s;
    if (!dx_slice_starts(in->raw, "\x1f\x8b"))
        return damaged(in, "bytes that are not gzip follow the gzip data");
    return inflateReset(&in->gz) == Z_OK ? DX_OK : no_decoder(in);
}

static dx_status decode_gzip(dx_input *in, size_t room, size_t *n) {
    size_t feed = in->raw.n < RAW_BLOCK ? in->raw.n : RAW_BLOCK;
    if (!in->in_frame) {
        dx_status s = next_member(in);
        if (s != DX_OK || in->raw.n == 0)
            return s;
        feed = in->raw.n < RAW_BLOCK ? in->raw.n : RAW_BLOCK;
        in->in_frame = true;
    }
    in->gz.next_in = (Bytef *)in->raw.p; /* not written to: the type lacks a const */
    in->gz.avail_in = (uInt)feed;
    in->gz.next_out = (Bytef *)in->win + in->to;
    in->gz.avail_out = (uInt)room;
    int r = inflate(&in->gz, Z_NO_FLUSH);
    *n = room - in->gz.avail_out;
    in->raw = dx_slice_sub(in->raw, feed - in->gz.avail_in, in->raw.n);
    if (r == Z_STREAM_END)
        in->in_frame = false;
    else if (r == Z_MEM_ERROR)
        return no_decoder(in);
    else if (r != Z_OK && r != Z_BUF_ERROR)
        return damaged(in, "the gzip data is damaged");
    return DX_OK;
}

/* No more than one block at a time: a call that fails tells nothing of the blocks before the broken
 * one. */
static dx_status decode_zstd(dx_input *in, size_t room, size_t *n) {
    /* what it wants is a block and the next one's header of 3 bytes, and one that is damaged would
     * take the block before it along */
    size_t want = in->zst_want > 3 ? in->zst_want - 3 : in->zst_want;
    ZSTD_inBuffer src = {in->raw.p, in->raw.n < want ? in->raw.n : want, 0};
    ZSTD_outBuffer dst = {in->win + in->to, room, 0};
    size_t r = ZSTD_decompressStream(in->zst, &dst, &src);
    *n = dst.pos;
    in->raw = dx_slice_sub(in->raw, src.pos, in->raw.n);
    if (ZSTD_isError(r))
        return damaged(in, "the zstd data is damaged");
    if (src.pos > 0 || dst.pos > 0) /* else r speaks of a frame that has not begun */
        in->in_frame = r != 0;
    in->zst_want = r > 0 ? r : in->zst_head;
    return DX_OK;
}

static dx_status decode(dx_input *in, size_t room, size_t *n) {
    *n = 0;
    dx_status s = in->coding == CODING_UNKNOWN ? sniff(in)
                  : in->coding == CODING_PLAIN ? DX_OK
                                               : need_raw(in, 1);
    if (s != DX_OK)
        return s;
    bool dry = in->raw.n == 0 && (in->coding != CODING_PLAIN || in->raw_done);
    switch (in->coding) {
    case CODING_GZIP: s = decode_gzip(in, room, n); break;
    case CODING_ZSTD: s = decode_zstd(in, room, n); break;
    default: s = decode_plain(in, room, n); break;
    }
    in->decoded += *n;
    if (s == DX_OK && dry && *n == 0)
        s = in->in_frame ? damaged(in, "the compressed data breaks off") : DX_DONE;
    return s;
}

/* ---- window */

static dx_status make_room(dx_input *in) {
    if (in->from > 0 && (in->from == in->to || in->win_cap - in->to < WIN_BLOCK)) {
        memmove(in->win, in->win + in->from, in->to - in->from);
        in->to -= in->from;
        in->from = 0;
    }
    void *p = in->win;
    if (!dx_grow(&p, &in->win_cap, in->to + WIN_BLOCK, 1))
        return dx_fail(&in->err, DX_E_NOMEM, "%s: no memory for a line of %zu bytes", in->name,
                       in->to - in->from);
    in->win = p;
    return DX_OK;
}

static void drop_byte_order_mark(dx_input *in) {
    if (in->to - in->from >= 3 && memcmp(in->win + in->from, "\xef\xbb\xbf", 3) == 0) {
        in->from += 3;
        in->offset += 3;
    }
}

/* Brings more bytes into the window; sets done at the end, and status where it ended badly. */
static void fill(dx_input *in) {
    bool first = in->decoded == 0;
    dx_status s = make_room(in);
    for (size_t room = WIN_BLOCK, n; s == DX_OK && room > 0; room -= n) {
        s = decode(in, room, &n);
        in->to += n;
        if (n > 0 && in->decoded >= 3)
            break; /* a pipe's lines are handed on as they come; 3: a byte order mark */
    }
    if (first)
        drop_byte_order_mark(in);
    if (s == DX_OK)
        return;
    in->done = true;
    in->status = s == DX_DONE ? DX_DONE : s;
    if (s != DX_DONE)
        drain(in);
}

static dx_status ended(const dx_input *in, dx_err *err) {
    return in->status == DX_DONE ? DX_DONE : dx_fail(err, in->status, "%s", in->err.msg);
}

static dx_slice window(const dx_input *in) {
    return in->from == in->to ? dx_s("") : dx_sn(in->win + in->from, in->to - in->from);
}

static void consume(dx_input *in, size_t n) {
    in->from += n;
    in->offset += n;
}

/* ---- the public face */

static dx_status new_input(dx_input **out, const char *name, dx_err *err) {
    dx_input *in = dx_calloc(1, sizeof *in);
    if (in == NULL || (in->name = strdup(name)) == NULL) {
        free(in);
        return dx_fail(err, DX_E_NOMEM, "%s: no memory", name);
    }
    in->fd = -1;
    in->status = DX_DONE;
    *out = in;
    return DX_OK;
}

/* A device such as /dev/zero has no end. A terminal ends by its user, and /dev/null ends at once.
 */
DX_MUST_CHECK static dx_status check_kind(const dx_input *in, mode_t mode, dx_err *err) {
    char first;
    if (S_ISDIR(mode))
        return dx_fail(err, DX_E_IO, "%s: is a folder; give the files in it", in->name);
    if (S_ISBLK(mode))
        return dx_fail(err, DX_E_IO, "%s: is a block device; give a file or a pipe", in->name);
    if (S_ISCHR(mode) && !isatty(in->fd) && read(in->fd, &first, 1) != 0)
        return dx_fail(err, DX_E_IO, "%s: is a character device; give a file or a pipe", in->name);
    return DX_OK;
}

static dx_status open_fd(dx_input *in, const char *path, dx_err *err) {
    struct stat st;
    if (dx_str_eq(path, "-")) {
        in->fd = STDIN_FILENO;
    } else {
        in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        in->owns_fd = in->fd >= 0;
    }
    if (in->fd < 0 || fstat(in->fd, &st) != 0)
        return dx_fail(err, DX_E_IO, "%s: cannot open: %s", in->name, strerror(errno));
    dx_status s = check_kind(in, st.st_mode, err);
    if (s != DX_OK)
        return s;
    in->block = dx_calloc(RAW_BLOCK, 1);
    if (in->block == NULL)
        return dx_fail(err, DX_E_NOMEM, "%s: no memory", in->name);
    return DX_OK;
}

dx_status dx_input_open(dx_input **out, const char *path, dx_err *err) {
    dx_input *in = NULL;
    dx_status s = new_input(&in, dx_str_eq(path, "-") ? "standard input" : path, err);
    if (s == DX_OK)
        s = open_fd(in, path, err);
    if (s == DX_OK)
        *out = in;
    else
        dx_input_close(in);
    return s;
}

dx_status dx_input_open_bytes(dx_input **out, dx_slice bytes, const char *name, dx_err *err) {
    dx_status s = new_input(out, name, err);
    if (s == DX_OK) {
        (*out)->raw = bytes;
        (*out)->raw_done = true;
        dx_hasher_add(&(*out)->hasher, bytes.p, bytes.n);
    }
    return s;
}

dx_status dx_input_open_text(dx_input **out, dx_slice text, const char *name, dx_err *err) {
    dx_status s = new_input(out, name, err);
    if (s == DX_OK) {
        (*out)->win = (char *)text.p; /* not written to: there is nothing to read behind it */
        (*out)->borrowed = (*out)->done = (*out)->raw_done = true;
        (*out)->to = text.n;
    }
    return s;
}

void dx_input_close(dx_input *in) {
    if (in == NULL)
        return;
    if (in->owns_fd)
        close(in->fd);
    if (in->coding == CODING_GZIP)
        inflateEnd(&in->gz);
    ZSTD_freeDStream(in->zst);
    free(in->block);
    if (!in->borrowed)
        free(in->win);
    free(in->name);
    free(in);
}

dx_status dx_input_peek(dx_input *in, dx_slice *head, dx_err *err) {
    while (!in->done && in->to - in->from < PEEK_MAX)
        fill(in);
    *head = dx_slice_sub(window(in), 0, PEEK_MAX);
    if (head->n == 0 && in->status != DX_DONE)
        return ended(in, err);
    return DX_OK;
}

/* Bytes of the window's first line before its '\n', looking no further than limit; false: no '\n'
 * within limit or within the stream. */
static bool find_line(dx_input *in, size_t limit, size_t *n) {
    for (size_t seen = 0;; fill(in)) {
        dx_slice w = dx_slice_sub(window(in), 0, limit);
        ptrdiff_t end = dx_slice_find_char(w, '\n', seen);
        *n = end >= 0 ? (size_t)end : w.n;
        if (end >= 0 || w.n >= limit || in->done)
            return end >= 0;
        seen = w.n;
    }
}

static void skip_line(dx_input *in) {
    size_t n;
    while (!find_line(in, WIN_BLOCK, &n)) {
        consume(in, n);
        if (in->done && in->from == in->to)
            return;
    }
    consume(in, n + 1);
}

dx_status dx_input_line(dx_input *in, size_t max_line, dx_slice *line, uint64_t *offset, bool *cut,
                        dx_err *err) {
    if (in->skip_rest)
        skip_line(in);
    in->skip_rest = false;
    dx_slice w = window(in);
    const char *end = memchr(w.p, '\n', w.n); /* nearly all lines are there, and not too long */
    size_t n = end == NULL ? SIZE_MAX : (size_t)(end - w.p);
    size_t limit = max_line < SIZE_MAX - 2 ? max_line + 2 : SIZE_MAX; /* with "\r\n" */
    bool whole = n < limit || find_line(in, limit, &n);
    if (n == 0 && !whole)
        return ended(in, err);
    *line = (dx_slice){in->win + in->from, n};
    *offset = in->offset;
    consume(in, whole ? n + 1 : n);
    in->skip_rest = !whole && n == limit;
    if (n > 0 && line->p[n - 1] == '\r')
        line->n--;
    *cut = line->n > max_line;
    *line = dx_slice_sub(*line, 0, max_line);
    return DX_ROW;
}

dx_slice dx_input_ahead(dx_input *in, size_t want) {
    while (!in->done && in->to - in->from < want)
        fill(in);
    return window(in);
}

void dx_input_pass(dx_input *in, size_t n) {
    consume(in, n < in->to - in->from ? n : in->to - in->from);
}

dx_status dx_input_slurp(dx_input *in, size_t max, dx_buf *out, dx_err *err) {
    size_t before = out->n;
    for (;;) {
        size_t left = max - (out->n - before);
        dx_slice w = window(in);
        dx_buf_add(out, w.p, w.n < left ? w.n : left);
        if (!dx_buf_ok(out))
            return dx_fail(err, DX_E_NOMEM, "%s: no memory for %zu bytes", in->name, out->n);
        if (w.n > left)
            return dx_fail(err, DX_E_LIMIT, "%s: is larger than %zu bytes", in->name, max);
        consume(in, w.n);
        if (in->done)
            break;
        fill(in);
    }
    return in->status == DX_DONE ? DX_OK : ended(in, err);
}

void dx_input_set_offset(dx_input *in, uint64_t offset) {
    in->offset = offset;
}

uint64_t dx_input_bytes_read(const dx_input *in) {
    return in->offset;
}

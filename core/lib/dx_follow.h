/* dx_follow - a file that is being written, by its name: what is new in it comes as whole lines. A
 * file that was renamed is read to its end before the new one of that name; one that was truncated
 * is read from its beginning. Looks when it is asked, never waits: the caller asks again after a
 * while (some 250 ms), and brings the clock. */
#ifndef DX_FOLLOW_H
#define DX_FOLLOW_H

#include "dx_err.h"
#include "dx_str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DX_FOLLOW_ALL      UINT64_MAX
#define DX_FOLLOW_GRACE_MS 1000 /* a file is left once its name is another's, and it was quiet */
#define DX_FOLLOW_RETRY_MS 5000 /* after a read has failed */

typedef enum dx_follow_what {
    DX_FOLLOW_NOTHING, /* for now */
    DX_FOLLOW_MORE,    /* it is at work: ask again at once */
    DX_FOLLOW_BEGIN, /* a file was opened, or begins anew: text comes from `offset`, line `lines` */
    DX_FOLLOW_TEXT,  /* whole lines, the last of a file perhaps without its end */
    DX_FOLLOW_END,   /* all of the file has come; reason: "renamed", "truncated", ... */
    DX_FOLLOW_ABSENT, /* there is no file of that name, or none that may be read; it is waited for
                       */
    DX_FOLLOW_REFUSED /* what it is does not grow as a log does; nothing more comes */
} dx_follow_what;

typedef struct dx_follow_news {
    dx_follow_what what;
    dx_slice text;      /* borrowed until the next call */
    uint64_t offset;    /* of text, or of what comes, in the file */
    uint64_t lines;     /* before what comes */
    const char *reason; /* of END, ABSENT, REFUSED; borrowed until the next call */
} dx_follow_news;

typedef struct dx_follow_opts {
    uint64_t last;   /* of what is there at the start no more than about so many bytes; only its
                        lines before that are counted */
    size_t line_max; /* bytes of a line, of what is longer the rest is left out; 0: 64 MiB */
    bool gc;         /* logs of the garbage collector, too; else they are refused */
} dx_follow_opts;

typedef struct dx_follow dx_follow;

/* path is copied; the file need not be there. The caller closes. */
DX_MUST_CHECK dx_status dx_follow_open(dx_follow **out, const char *path,
                                       const dx_follow_opts *opts, dx_err *err);
void dx_follow_close(dx_follow *f); /* NULL is fine */
/* What is new; ask until it is NOTHING. now_ms: of a clock that never goes back. Errors are those
 * of memory: what the file system says is news. */
DX_MUST_CHECK dx_status dx_follow_next(dx_follow *f, int64_t now_ms, dx_follow_news *news,
                                       dx_err *err);
/* Gives up the file, if one is open: the half of a last line comes as TEXT, then END. */
void dx_follow_stop(dx_follow *f);
/* What was opened last is a log of the garbage collector. */
bool dx_follow_is_gc(const dx_follow *f);

#endif

/* dx_calls_live - slow calls of logs that are being written, into the digest of a dx_calls as they
 * come. Copies of a log are not known as such: a log that was rotated must not be followed, too. */
#ifndef DX_CALLS_LIVE_H
#define DX_CALLS_LIVE_H

#include "dx_calls.h"
#include "dx_follow.h"

typedef struct dx_calls_live dx_calls_live;

/* The files of a dx_calls that reads none: borrowed until it is freed or until the next call, which
 * may bring more. Each has path and name; the ones before keep what was found in them. */
void dx_calls_set_files(dx_calls *c, dx_calls_file *files, size_t n);
/* Follows the file of that index; c is borrowed. The caller closes, before c is freed. */
DX_MUST_CHECK dx_status dx_calls_live_open(dx_calls_live **out, dx_calls *c, size_t file,
                                           const dx_follow_opts *opts, dx_err *err);
void dx_calls_live_close(dx_calls_live *l); /* NULL is fine */
/* As dx_follow_log_step. At DX_FOLLOW_NOTHING and DX_FOLLOW_END the file's coverage is true. */
DX_MUST_CHECK dx_status dx_calls_live_step(dx_calls_live *l, int64_t now_ms, dx_follow_news *news,
                                           dx_err *err);
/* Ends it; the file's coverage is true then. */
DX_MUST_CHECK dx_status dx_calls_live_stop(dx_calls_live *l, dx_err *err);

#endif

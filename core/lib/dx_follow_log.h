/* dx_follow_log - a log that is being written, by its name: what is new in it is scanned as it
 * comes, file after file, and given to a sink. A record is handed over when the next one begins, or
 * when nothing has come for a while. */
#ifndef DX_FOLLOW_LOG_H
#define DX_FOLLOW_LOG_H

#include "dx_follow.h"
#include "dx_logscan.h"

#define DX_FOLLOW_QUIET_MS 500 /* then the last record is taken to be whole */

typedef struct dx_follow_log dx_follow_log;

/* sink and what it points to are borrowed. The caller closes. */
DX_MUST_CHECK dx_status dx_follow_log_open(dx_follow_log **out, const char *path,
                                           const dx_follow_opts *opts, const dx_sink *sink,
                                           dx_err *err);
void dx_follow_log_close(dx_follow_log *l); /* NULL is fine */
/* One step of dx_follow_next: text has been scanned when it returns. At DX_FOLLOW_NOTHING the last
 * record may have been handed over. Errors are those of memory and of the sink. */
DX_MUST_CHECK dx_status dx_follow_log_step(dx_follow_log *l, int64_t now_ms, dx_follow_news *news,
                                           dx_err *err);
/* Ends it: what was kept back is handed over. */
DX_MUST_CHECK dx_status dx_follow_log_stop(dx_follow_log *l, dx_err *err);
/* Of all that was read, over all files of the name; what stood before it is not counted. Its server
 * and version are those of the last that told them, its clock is that of all together. */
void dx_follow_log_coverage(const dx_follow_log *l, dx_coverage *out);
bool dx_follow_log_is_gc(const dx_follow_log *l); /* see dx_follow_is_gc */

#endif

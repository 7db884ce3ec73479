/* fuzz_logline.c - the prefix of a log line, and what a container wrote before it. */
#include "dx_logline.h"
#include "dx_logwrap.h"
#include "fuzz.h"

const size_t fuzz_stretch = 1u << 19;

static void wrapper(dx_slice in) {
    dx_logwrap w;
    dx_buf text;
    if (!dx_logwrap_read(in, &w))
        return;
    fuzz_part(w.body, in);
    dx_buf_init(&text, 0);
    dx_logwrap_unescape(w.body, &text);
    fuzz_check(dx_buf_ok(&text) && text.n <= w.body.n);
    dx_buf_done(&text);
}

/* Each line of the input, by who remembers those before it. */
static void in_a_row(dx_slice in) {
    dx_logline_memo memo = {.known = false};
    while (in.n > 0) {
        dx_slice line = fuzz_take(&in, '\n');
        dx_logline alone, next;
        bool known = dx_logline_read_bare(line, &alone);
        fuzz_check(dx_logline_read_next(line, &memo, &next) == known);
        fuzz_check(next.local_ms == alone.local_ms && next.level.n == alone.level.n
                   && next.thread.n == alone.thread.n && next.logger.n == alone.logger.n
                   && next.message.p == alone.message.p);
    }
}

void fuzz_one(dx_slice in) {
    dx_logline l;
    bool known = dx_logline_read(in, &l);
    fuzz_part(l.level, in);
    fuzz_part(l.thread, in);
    fuzz_part(l.logger, in);
    fuzz_part(l.message, in);
    fuzz_check(known || (l.level.n == 0 && l.thread.n == 0 && l.logger.n == 0));
    fuzz_check(!known || l.local_ms != DX_TIME_NONE || l.level.n > 0 || l.logger.n > 0);
    wrapper(in);
    in_a_row(in);
}

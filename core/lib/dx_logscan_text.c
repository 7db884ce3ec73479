/* dx_logscan_text.c - what lines tell by themselves: frames of a stack trace, and JSON that comes
 * in pieces. */
#include "dx_logscan_int.h"

bool logscan_is_frame(dx_slice line) {
    size_t n = 0;
    while (n < line.n && (line.p[n] == '\t' || line.p[n] == ' '))
        n++;
    return n > 0 && dx_slice_starts(dx_slice_sub(line, n, line.n), "at ");
}

bool logscan_is_of_trace(dx_slice line) {
    dx_slice s = dx_slice_trim(line);
    return logscan_is_frame(line) || dx_slice_starts(s, "Caused by: ")
           || dx_slice_starts(s, "... ");
}

/* ---- JSON in pieces */

size_t logscan_json_walk(logscan_json *j, dx_slice piece) {
    for (size_t i = 0; i < piece.n; i++) {
        char c = piece.p[i];
        if (j->in_string) {
            if (j->escaped)
                j->escaped = false;
            else if (c == '\\')
                j->escaped = true;
            else if (c == '"')
                j->in_string = false;
        } else if (c == '"') {
            j->in_string = true;
        } else if (c == '{') {
            j->depth++;
        } else if (c == '}' && j->depth > 0 && --j->depth == 0) {
            return i + 1;
        }
    }
    return piece.n;
}

void logscan_json_glue(const logscan_json *j, dx_buf *text, dx_slice piece) {
    bool in_number =
        text->n > 0 && piece.n > 0 && dx_is_digit(text->p[text->n - 1]) && dx_is_digit(piece.p[0]);
    if (!j->in_string && !in_number)
        dx_buf_addc(text, '\n');
}

/* dx_events_steps - a pattern (dx_events_match.h) taken apart, so that nobody looks for its signs
 * line after line. Only for the dx_events_*.c files. */
#ifndef DX_EVENTS_STEPS_H
#define DX_EVENTS_STEPS_H

#include "dx_str.h"

#include <string.h>

typedef enum dx_event_capture {
    DX_CAPTURE_NONE,
    DX_CAPTURE_SELF_ENDING,
    DX_CAPTURE_BOUNDED,
    DX_CAPTURE_FROM_RIGHT,
    DX_CAPTURE_BLANK,
    DX_CAPTURE_OPTIONAL
} dx_event_capture;

/* A part of a pattern: a literal, which may be empty, and the capture behind it. */
typedef struct dx_event_step {
    uint64_t head, mask;      /* the first bytes of the literal, and which these are */
    const char *lit, *choice; /* choice: the text of an optional one */
    size_t lit_n, choice_n;
    const char *name;         /* of the field that it fills, or NULL */
    dx_event_capture capture; /* NONE: the pattern ends behind the literal */
    char type;                /* its letter */
} dx_event_step;

#define DX_EVENT_STEPS 16 /* captures of a pattern, and its end */
/* Returns how many steps they are. Everything is borrowed from the pattern and its names. */
size_t dx_event_take_apart(const char *pattern, const char *const *names,
                           dx_event_step out[DX_EVENT_STEPS]);
/* The first eight bytes, or all that there are: what many literals are told apart by. */
static inline uint64_t dx_event_head(const char *p, size_t n) {
    uint64_t head = 0;
    if (n >= sizeof head)
        memcpy(&head, p, sizeof head);
    else if (n > 0)
        memcpy(&head, p, n);
    return head;
}
/* Whether text begins with the step's literal. */
static inline bool dx_event_begins(const dx_event_step *step, dx_slice text) {
    uint64_t head;
    if (text.n < sizeof head)
        return step->lit_n <= text.n && dx_same_bytes(text.p, step->lit, step->lit_n);
    memcpy(&head, text.p, sizeof head);
    return ((head ^ step->head) & step->mask) == 0
           && (step->lit_n <= sizeof head
               || (step->lit_n <= text.n
                   && dx_same_bytes(text.p + 8, step->lit + 8, step->lit_n - 8)));
}

#endif

/* dx_events_steps.c - see dx_events_steps.h. */
#include "dx_events_steps.h"

#include <string.h>

/* Takes the row's next name. */
static bool named(char type) {
    return type != '\0' && strchr("igyhvoObpdt", type) != NULL;
}

static dx_event_capture capture_of(char type) {
    switch (type) {
    case '\0': return DX_CAPTURE_NONE;
    case 'R':
    case 'N': return DX_CAPTURE_FROM_RIGHT;
    case '~': return DX_CAPTURE_BLANK;
    case 'o':
    case 'O': return DX_CAPTURE_OPTIONAL;
    case 'i':
    case 'g':
    case 'y':
    case 'E':
    case 'h':
    case 'v': return DX_CAPTURE_SELF_ENDING;
    default: return DX_CAPTURE_BOUNDED;
    }
}

size_t dx_event_take_apart(const char *pattern, const char *const *names,
                           dx_event_step out[DX_EVENT_STEPS]) {
    for (size_t n = 1;; n++) {
        dx_event_step *s = out + n - 1;
        *s = (dx_event_step){.lit = pattern, .lit_n = strcspn(pattern, "%")};
        s->head = dx_event_head(pattern, s->lit_n);
        s->mask = dx_event_head("\xff\xff\xff\xff\xff\xff\xff\xff", s->lit_n);
        pattern += s->lit_n;
        if (*pattern == '\0' || n == DX_EVENT_STEPS)
            return n;
        s->type = pattern[1];
        s->capture = capture_of(s->type);
        s->name = named(s->type) ? *names++ : NULL;
        pattern += 2;
        if (s->capture != DX_CAPTURE_OPTIONAL)
            continue;
        s->choice = pattern + 1; /* behind '[' */
        s->choice_n = strcspn(s->choice, "]");
        pattern = s->choice + s->choice_n + 1;
    }
}

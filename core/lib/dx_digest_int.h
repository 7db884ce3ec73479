/* dx_digest_int.h - one group of a digest, for the dx_digest*.c files. */
#ifndef DX_DIGEST_INT_H
#define DX_DIGEST_INT_H

#include "dx_digest.h"
#include "dx_sketch.h"

/* Calls that a digest can have: more is a lie of a file, and any sum of two stays a number. */
#define DIGEST_CALLS_MAX (UINT64_C(1) << 56)

/* Numbers of one field: themselves, or a sketch of them. */
typedef struct digest_numbers {
    int64_t *v; /* NULL where one or none is there, and beside a sketch */
    size_t cap;
    int64_t one; /* the first */
    uint64_t n;
    int64_t sum, max;
    dx_sketch *sketch; /* from DX_DIGEST_EXACT + 1 numbers on */
} digest_numbers;

enum { DIGEST_PROC, DIGEST_QUEUE, DIGEST_BYTES, DIGEST_FIELDS };

typedef struct digest_group {
    dx_digest_group out; /* its key and note are owned by the group */
    uint64_t hash;       /* of the key */
    digest_numbers of[DIGEST_FIELDS];
    dx_tally hours;
    int64_t worst_ms; /* DX_UNKNOWN: no call told its time */
    bool raised;      /* in a merge: what it may lack counts for the other side, too */
} digest_group;

/* --- dx_digest_group.c; false: no memory */

int64_t digest_add(int64_t a, int64_t b);          /* stays at the largest number */
uint64_t digest_add_calls(uint64_t a, uint64_t b); /* stays at DIGEST_CALLS_MAX */
void digest_group_init(digest_group *g, dx_slice key, uint64_t hash);
void digest_group_done(digest_group *g);
DX_MUST_CHECK bool digest_group_add(digest_group *g, const dx_digest_call *call);
DX_MUST_CHECK bool digest_group_note(digest_group *g, dx_slice note);
DX_MUST_CHECK bool digest_group_merge(digest_group *into, const digest_group *from);
/* Fills in what is told of its numbers. */
void digest_group_finish(digest_group *g);
/* Of a finished group: all but its key. */
void digest_group_write(const digest_group *g, dx_buf *out);
/* Into a group that has nothing but a key. False: in->failed, or no memory. */
DX_MUST_CHECK bool digest_group_read(digest_group *g, dx_unpack *in);

#endif

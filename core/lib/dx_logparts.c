/* dx_logparts.c - see dx_logparts.h. */
#include "dx_logparts.h"
#include "dx_logline.h"
#include "dx_logwrap.h"
#include "dx_mem.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define PART_BYTES (512u * 1024) /* of text: it stays in a core's own cache */

typedef struct item {
    struct item *next; /* of its log, ascending */
    void *part;
    uint64_t number;
    bool last; /* of its log */
} item;

typedef struct source {
    dx_input *in;
    bool begun, busy, ended;
    uint64_t handed, taken; /* parts */
    item *ready;
} source;

struct dx_logparts {
    const dx_logparts_job *job;
    source *logs;
    size_t head; /* all before head have been taken over */
    pthread_t caller;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    bool taking;
    size_t ahead; /* bytes that wait */
    atomic_bool stopped;
    dx_status status; /* why all end; DX_OK */
    dx_err err;
};

static dx_status no_memory(dx_err *err) {
    return dx_fail(err, DX_E_NOMEM, "no memory for what is found in a log");
}

bool dx_logparts_stopped(dx_logparts *p) {
    const dx_logparts_job *j = p->job;
    if (j->stop != NULL && pthread_equal(pthread_self(), p->caller) && j->stop(j->arg))
        atomic_store(&p->stopped, true);
    return atomic_load(&p->stopped);
}

/* --- cutting */

/* A line with a level or a logger of its own, and no wrapper before it, ends all that was before
 * it. */
static bool begins_record(dx_slice line) {
    dx_logwrap wrap;
    dx_logline l;
    return !dx_logwrap_read(line, &wrap) && dx_logline_read_bare(line, &l)
           && (l.level.n > 0 || l.logger.n > 0);
}

/* The last place in text where a record begins; 0: there is none but its beginning. */
static size_t cut_of(dx_slice text) {
    ptrdiff_t end = dx_slice_rfind_char(text, '\n');
    while (end > 0) {
        ptrdiff_t before = dx_slice_rfind_char(dx_slice_sub(text, 0, (size_t)end), '\n');
        dx_slice line = dx_slice_sub(text, (size_t)(before + 1), (size_t)end);
        if (line.n > 0 && line.p[line.n - 1] == '\r')
            line.n--;
        if (before >= 0 && begins_record(line))
            return (size_t)(before + 1);
        end = before;
    }
    return 0;
}

/* A part's own copy of text, for the log is read on while it is scanned; NULL: no memory. */
static char *take_text(dx_input *in, size_t n) {
    char *copy = malloc(n);
    if (copy == NULL)
        return NULL;
    memcpy(copy, dx_input_ahead(in, n).p, n);
    dx_input_pass(in, n);
    return copy;
}

/* --- scanning */

static void release(dx_logparts *p, source *s, bool ended) {
    pthread_mutex_lock(&p->lock);
    s->busy = false;
    s->ended = ended;
    pthread_cond_broadcast(&p->moved);
    pthread_mutex_unlock(&p->lock);
}

DX_MUST_CHECK static dx_status scan_text(dx_logparts *p, size_t log, item *it, char *text, size_t n,
                                         dx_err *err) {
    dx_input *in = NULL;
    dx_status st = dx_input_open_text(&in, dx_sn(text, n), "a part of a log", err);
    if (st == DX_OK)
        st = p->job->scan(p->job->arg, log, it->part, in, false, err);
    dx_input_close(in);
    free(text);
    return st;
}

/* What is left of a log, in one piece; nothing where it could not be opened. */
DX_MUST_CHECK static dx_status scan_rest(dx_logparts *p, size_t log, item *it, dx_err *err) {
    source *s = &p->logs[log];
    dx_status st = DX_OK;
    if (s->in != NULL)
        st = p->job->scan(p->job->arg, log, it->part, s->in, true, err);
    it->last = true;
    dx_input_close(s->in);
    s->in = NULL;
    release(p, s, true);
    return st;
}

/* The next part of a log that this thread has for itself until it is released. */
DX_MUST_CHECK static dx_status scan_part(dx_logparts *p, size_t log, item *it, dx_err *err) {
    source *s = &p->logs[log];
    if (!s->begun) {
        s->begun = true;
        dx_status st = p->job->open(p->job->arg, log, it->part, &s->in, err);
        if (st != DX_OK) {
            release(p, s, true);
            return st;
        }
    }
    dx_slice text = s->in == NULL ? dx_sn(NULL, 0) : dx_input_ahead(s->in, PART_BYTES);
    size_t n = text.n < PART_BYTES ? 0 : cut_of(text);
    if (n == 0)
        return scan_rest(p, log, it, err);
    char *copy = take_text(s->in, n);
    release(p, s, false);
    return copy == NULL ? no_memory(err) : scan_text(p, log, it, copy, n, err);
}

/* --- taking over */

static void fail(dx_logparts *p, dx_status st, const dx_err *err) {
    if (p->status == DX_OK) {
        p->status = st;
        p->err = *err;
    }
    atomic_store(&p->stopped, true);
    pthread_cond_broadcast(&p->moved);
}

static void free_item(dx_logparts *p, item *it) {
    if (it != NULL && it->part != NULL)
        p->job->end(it->part);
    free(it);
}

/* The part that comes next, when it is ready. With the lock. */
static item *next_ready(dx_logparts *p) {
    source *s = &p->logs[p->head];
    item *it = p->head < p->job->n ? s->ready : NULL;
    if (it == NULL || it->number != s->taken)
        return NULL;
    s->ready = it->next;
    p->ahead -= p->job->weigh(it->part);
    return it;
}

/* Takes over all that is ready, unless another thread does. With the lock. */
static void take_ready(dx_logparts *p) {
    const dx_logparts_job *j = p->job;
    item *it;
    if (p->taking)
        return;
    p->taking = true;
    while (p->status == DX_OK && (it = next_ready(p)) != NULL) {
        dx_err err;
        size_t log = p->head;
        bool last = it->last;
        pthread_mutex_unlock(&p->lock);
        dx_status st = j->take(j->arg, log, it->part, it->number == 0, last, &err);
        free_item(p, it);
        pthread_mutex_lock(&p->lock);
        p->logs[log].taken++;
        p->head += last;
        if (st != DX_OK)
            fail(p, st, &err);
        pthread_cond_broadcast(&p->moved);
    }
    p->taking = false;
}

static void put_ready(dx_logparts *p, size_t log, item *it) {
    item **to = &p->logs[log].ready;
    while (*to != NULL && (*to)->number < it->number)
        to = &(*to)->next;
    it->next = *to;
    *to = it;
    p->ahead += p->job->weigh(it->part);
    take_ready(p);
}

/* --- threads */

/* The first log with something left that nobody reads; job->n: none for now. With the lock. */
static size_t next_log(const dx_logparts *p, bool *any) {
    const dx_logparts_job *j = p->job;
    *any = false;
    for (size_t i = p->head; i < j->n; i++) {
        const source *s = &p->logs[i];
        *any = *any || !s->ended;
        bool waits = i > 0 && !p->logs[i - 1].ended && j->waits != NULL && j->waits(j->arg, i);
        if (!s->ended && !s->busy && !waits && (i == p->head || p->ahead < j->ahead_max))
            return i;
    }
    return j->n;
}

/* One part from its text to the list of those that are ready. */
static void one_part(dx_logparts *p, size_t log, uint64_t number) {
    dx_err err;
    dx_status st = DX_OK;
    item *it = dx_calloc(1, sizeof *it);
    if (it != NULL)
        it->part = p->job->begin(p->job->arg, log);
    if (it == NULL || it->part == NULL) {
        release(p, &p->logs[log], true);
        st = no_memory(&err);
    } else {
        it->number = number;
        st = scan_part(p, log, it, &err);
    }
    pthread_mutex_lock(&p->lock);
    if (st == DX_OK) {
        put_ready(p, log, it);
    } else {
        free_item(p, it);
        fail(p, st, &err);
    }
    pthread_mutex_unlock(&p->lock);
}

static void *work(void *arg) {
    dx_logparts *p = arg;
    bool any = true;
    pthread_mutex_lock(&p->lock);
    while (p->status == DX_OK) {
        size_t log = next_log(p, &any);
        if (!any)
            break;
        if (log == p->job->n) {
            pthread_cond_wait(&p->moved, &p->lock);
            continue;
        }
        p->logs[log].busy = true;
        uint64_t number = p->logs[log].handed++;
        pthread_mutex_unlock(&p->lock);
        one_part(p, log, number);
        pthread_mutex_lock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void run_threads(dx_logparts *p) {
    pthread_t threads[DX_LOGPARTS_THREADS];
    unsigned started = 0;
    while (started + 1 < p->job->threads && started < DX_LOGPARTS_THREADS) {
        if (pthread_create(&threads[started], NULL, work, p) != 0)
            break; /* fewer do as well */
        started++;
    }
    work(p);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}

static void done(dx_logparts *p) {
    for (size_t i = 0; i < p->job->n; i++) {
        while (p->logs[i].ready != NULL) {
            item *it = p->logs[i].ready;
            p->logs[i].ready = it->next;
            free_item(p, it);
        }
        dx_input_close(p->logs[i].in);
    }
    free(p->logs);
}

dx_status dx_logparts_run(const dx_logparts_job *job, dx_logparts **started, dx_err *err) {
    dx_logparts p = {.job = job, .caller = pthread_self()};
    p.logs = dx_calloc(job->n, sizeof *p.logs);
    if (p.logs == NULL)
        return no_memory(err);
    if (started != NULL)
        *started = &p;
    pthread_mutex_init(&p.lock, NULL); /* with no attributes both cannot fail */
    pthread_cond_init(&p.moved, NULL);
    run_threads(&p);
    pthread_cond_destroy(&p.moved);
    pthread_mutex_destroy(&p.lock);
    done(&p);
    if (p.status != DX_OK && err != NULL)
        *err = p.err;
    return p.status;
}

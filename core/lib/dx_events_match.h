/* dx_events_match - templates of log messages, and the reader that takes values out of them by
 * one. Only for the dx_events_*.c files. */
#ifndef DX_EVENTS_MATCH_H
#define DX_EVENTS_MATCH_H

#include "dx_events.h"
#include "dx_events_steps.h"

/* A pattern is literal text with captures, '%' and one letter. What follows the pattern in the
 * message does not matter. Captures that end where their own form ends:
 *   %i integer   %g integer with the grouping of a locale   %y true or false (1, 0)
 *   %E encoded region name   %h hexadecimal, as text   %v a version, as text
 *   %~ an optional blank   %o[text] optional text: 1 or 0   %O[text] the same: 1 or no field
 * Captures that end where the next literal begins, or with the message:
 *   %b size in bytes   %p throughput in bytes/s ("unlimited": no field)   %d duration in ms
 *   %t text   %_ nothing   %S server   %F family, or "encoded/family"
 *   %R region name or encoded name; %N "region#family#operation#n" of a throttle: the next literal
 *   is looked for from the right, since a start key may hold anything
 * i g y h v o O b p d t take the row's next name; the others go to their places in dx_event. */
typedef struct dx_event_row {
    dx_event_id id; /* DX_EV_NONE: known, and of no interest: no event, no drift */
    const char *pattern;
    const char *names[9];
    const char *key, *value; /* a text field of every event of this row, or NULL */
    /* Looks further; false: this row is not it. May be NULL. */
    bool (*more)(const dx_logline *line, dx_slice rest, dx_event *out);
} dx_event_row;

/* The rows of one logger, tried in order; the array ends with a row without a pattern. */
typedef struct dx_event_logger {
    const char *name; /* the last part of the logger's name */
    const dx_event_row *rows;
    const char *words; /* heads of messages that should be known, parted by '|'; NULL: none */
} dx_event_logger;

/* All loggers, by name in the order of bytes; *n of them. */
const dx_event_logger *dx_event_loggers(size_t *n);

/* dx_events_flush.c */
extern const dx_event_row dx_event_flusher[], dx_event_region[], dx_event_server[],
    dx_event_rpc_services[], dx_event_snapshot[], dx_event_procedure[], dx_event_opener[],
    dx_event_closer[], dx_event_split_request[], dx_event_merge_request[], dx_event_procedures[],
    dx_event_master[], dx_event_balancer[];
/* dx_events_store.c */
extern const dx_event_row dx_event_store[], dx_event_split[], dx_event_policy[],
    dx_event_configuration[], dx_event_compactor[], dx_event_bulk_loader[],
    dx_event_store_flusher[], dx_event_throttle[];
/* dx_events_wal.c */
extern const dx_event_row dx_event_wal[], dx_event_roller[], dx_event_wal_metrics[],
    dx_event_stream_monitor[], dx_event_hdfs_client[], dx_event_data_node[];
/* dx_events_server.c */
extern const dx_event_row dx_event_pause[], dx_event_sleeper[], dx_event_zookeeper[],
    dx_event_zookeeper_server[], dx_event_heap_manager[], dx_event_version[],
    dx_event_command_line[], dx_event_lru_cache[], dx_event_bucket_cache[], dx_event_cache_config[],
    dx_event_executor[], dx_event_read_write[], dx_event_scheduler[], dx_event_rpc[];

/* A record without a row of its own (server: its logger has others): a program that talks to HBase
 * and was turned away, memory that ran out, any other exception; rest matters, since it may stand
 * in the lines behind the message. */
bool dx_event_fault(const dx_logline *line, dx_slice rest, bool server, dx_event *out);
/* Fields and places of a RegionTooBusyException, whose words stand somewhere in text. */
void dx_event_too_busy(dx_slice text, dx_event *out);
/* For `more`: the innermost exception of the trace, as root_class and root_reason. */
bool dx_event_root(const dx_logline *line, dx_slice rest, dx_event *out);

/* Whether text, which begins with the first literal, is such a message. On false, out may have some
 * of it. */
bool dx_event_walk(const dx_event_step *steps, dx_slice text, dx_event *out);
/* The same by a pattern. On false, out is as it was. */
bool dx_event_match(const char *pattern, const char *const *names, dx_slice text, dx_event *out);

/* Append a field; a thirteenth is dropped. Text is cut at 1000 bytes. */
void dx_event_int(dx_event *out, const char *name, int64_t v);
void dx_event_text(dx_event *out, const char *name, dx_slice v);
/* For `more`: the first line behind the message becomes the text field "reason". */
bool dx_event_reason(const dx_logline *line, dx_slice rest, dx_event *out);

/* The first line of s, without blanks at its ends. */
dx_slice dx_event_first_line(dx_slice s);

#endif

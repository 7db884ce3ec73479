/* dx_casefile_jmx.c - JMX dumps: every number a sample of a series, the few texts that matter as
 * labels of the snapshot. */
#include "dx_casefile_int.h"
#include "dx_server.h"

#define MAX_SERIES 400000 /* remembered at once, some 40 MB; more are asked for again */

/* --- snapshots --- */

static int64_t start_code(dx_slice server) {
    dx_server_name name;
    return dx_server_read(server, &name) ? name.start_code : DX_UNKNOWN;
}

DX_MUST_CHECK static dx_status find_snapshot(dx_casefile *c, int64_t server, int64_t t_ms,
                                             int64_t *id, dx_err *err) {
    static const char sql[] = "SELECT id FROM snapshot WHERE server_id IS ? AND t_ms = ? LIMIT 1";
    bool found;
    dx_stmt *s;
    *id = 0;
    dx_status st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_id(s, server);
    dx_stmt_int(s, t_ms);
    return dx_stmt_one(s, id, &found, err);
}

DX_MUST_CHECK static dx_status add_snapshot(dx_casefile *c, int64_t source, int64_t server,
                                            int64_t t_ms, const char *t_origin, int64_t code,
                                            int64_t *id, dx_err *err) {
    static const char add[] = "INSERT INTO snapshot(source_id, server_id, t_ms, t_origin, "
                              "start_code) VALUES(?, ?, ?, ?, ?)";
    static const char fill[] = "UPDATE snapshot SET start_code = coalesce(start_code, ?) "
                               "WHERE id = ?";
    dx_stmt *s;
    dx_status st = find_snapshot(c, server, t_ms, id, err);
    if (st != DX_OK || (st = dx_stmt_cached(&s, c, *id == 0 ? add : fill, err)) != DX_OK)
        return st;
    if (*id != 0) {
        dx_stmt_num(s, code);
        dx_stmt_int(s, *id);
        return dx_stmt_run(s, err);
    }
    dx_stmt_int(s, source);
    dx_stmt_id(s, server);
    dx_stmt_int(s, t_ms);
    dx_stmt_string(s, t_origin);
    dx_stmt_num(s, code);
    if ((st = dx_stmt_run(s, err)) == DX_OK)
        *id = dx_case_last_id(c);
    return st;
}

/* Texts that say which cluster and process this is; the rest would be said again by every dump. */
static bool matters(const dx_jmx_sample *x) {
    static const char *const names[] = {
        "tag.serverName", "tag.isActiveMaster",  "tag.liveRegionServers", "tag.deadRegionServers",
        "tag.clusterId",  "tag.zookeeperQuorum", "tag.isBalancerActive",
    };
    if (dx_slice_is(x->name, "tag.Hostname"))
        return dx_slice_ends(x->bean, ".Server");
    if (dx_slice_is(x->name, "version"))
        return dx_slice_is(x->bean, "Info") || dx_slice_find(x->bean, "name=Info,", 0) >= 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (dx_slice_is(x->name, names[i]))
            return true;
    return false;
}

DX_MUST_CHECK static dx_status add_label(dx_casefile *c, int64_t snapshot, const dx_jmx_sample *x,
                                         dx_err *err) {
    static const char sql[] = "INSERT OR IGNORE INTO label VALUES(?, ?, ?, ?)";
    dx_stmt *s;
    dx_status st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_int(s, snapshot);
    dx_stmt_text(s, x->bean);
    dx_stmt_text(s, x->name);
    dx_stmt_text(s, x->text);
    return dx_stmt_run(s, err);
}

/* --- series --- */

static void bind_series(dx_stmt *s, int64_t server, const dx_jmx_sample *x) {
    dx_stmt_id(s, server);
    dx_stmt_text(s, x->bean);
    dx_stmt_text(s, x->name);
    dx_stmt_text(s, x->table);
    dx_stmt_text(s, x->region);
    dx_stmt_text(s, x->family);
    dx_stmt_text(s, x->user);
}

DX_MUST_CHECK static dx_status find_series(dx_casefile *c, int64_t server, const dx_jmx_sample *x,
                                           int64_t *id, dx_err *err) {
    static const char look[] =
        "SELECT id FROM series WHERE ifnull(server_id, 0) = ifnull(?, 0) AND bean = ? AND name = ? "
        "AND ifnull(table_name, '') = ifnull(?, '') AND ifnull(region, '') = ifnull(?, '') "
        "AND ifnull(family, '') = ifnull(?, '') AND ifnull(user, '') = ifnull(?, '')";
    static const char add[] = "INSERT INTO series(server_id, bean, name, table_name, region, "
                              "family, user) VALUES(?, ?, ?, ?, ?, ?, ?)";
    bool found;
    dx_stmt *s;
    dx_status st = dx_stmt_cached(&s, c, look, err);
    if (st != DX_OK)
        return st;
    bind_series(s, server, x);
    if ((st = dx_stmt_one(s, id, &found, err)) != DX_OK || found)
        return st;
    if ((st = dx_stmt_cached(&s, c, add, err)) != DX_OK)
        return st;
    bind_series(s, server, x);
    if ((st = dx_stmt_run(s, err)) == DX_OK)
        *id = dx_case_last_id(c);
    return st;
}

/* 128 bits of server, bean, name and labels: short keys keep the cache small. */
static void series_key(uint64_t key[2], int64_t server, const dx_jmx_sample *x) {
    const dx_slice parts[] = {x->bean, x->name, x->table, x->region, x->family, x->user};
    uint64_t a = dx_hash(&server, sizeof server, 0), b = dx_hash(&server, sizeof server, ~a);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        a = dx_hash(&parts[i].n, sizeof parts[i].n, dx_hash(parts[i].p, parts[i].n, a));
        b = dx_hash(&parts[i].n, sizeof parts[i].n, dx_hash(parts[i].p, parts[i].n, b));
    }
    key[0] = a;
    key[1] = b;
}

DX_MUST_CHECK static dx_status series_of(dx_casefile *c, int64_t server, const dx_jmx_sample *x,
                                         int64_t *id, dx_err *err) {
    uint64_t key[2], known;
    series_key(key, server, x);
    dx_slice k = dx_sn((const char *)key, sizeof key);
    if (c->series != NULL && dx_map_count(c->series) >= MAX_SERIES) {
        dx_map_free(c->series);
        c->series = NULL;
    }
    if (c->series == NULL && (c->series = dx_map_new()) == NULL)
        return dx_fail(err, DX_E_NOMEM, "no memory for the names of series");
    if (dx_map_get(c->series, k, &known)) {
        *id = (int64_t)known;
        return DX_OK;
    }
    dx_status st = find_series(c, server, x, id, err);
    if (st == DX_OK && !dx_map_put(c->series, k, (uint64_t)*id))
        return dx_fail(err, DX_E_NOMEM, "no memory for the names of series");
    return st;
}

/* --- samples --- */

DX_MUST_CHECK static dx_status add_sample(dx_casefile *c, int64_t server, int64_t t_ms,
                                          const dx_jmx_sample *x, dx_err *err) {
    static const char sql[] = "INSERT OR IGNORE INTO sample VALUES(?, ?, ?)";
    int64_t series;
    dx_stmt *s;
    if (x->type == DX_JMX_REAL && x->d != x->d)
        return DX_OK; /* NaN: not known */
    dx_status st = series_of(c, server, x, &series, err);
    if (st == DX_OK)
        st = dx_stmt_cached(&s, c, sql, err);
    if (st != DX_OK)
        return st;
    dx_stmt_int(s, series);
    dx_stmt_int(s, t_ms);
    if (x->type == DX_JMX_REAL)
        dx_stmt_real(s, x->d);
    else
        dx_stmt_int(s, x->i);
    return dx_stmt_run(s, err);
}

DX_MUST_CHECK static dx_status mark_master(dx_casefile *c, int64_t server, dx_err *err) {
    static const char sql[] = "UPDATE server SET is_master = 1 WHERE id = ?";
    return dx_case_run(c, sql, &server, 1, err);
}

dx_status dx_casefile_add_jmx(dx_casefile *c, int64_t source, int64_t server, int64_t t_ms,
                              const char *t_origin, const dx_jmx *doc, dx_err *err) {
    bool master = false;
    int64_t snapshot;
    dx_slice region = {NULL, 0}, told = dx_jmx_server(doc, &master);
    if (t_ms == DX_TIME_NONE)
        return dx_fail(err, DX_E_USAGE, "a dump without an instant cannot be placed");
    dx_status st =
        add_snapshot(c, source, server, t_ms, t_origin, start_code(told), &snapshot, err);
    if (st == DX_OK && master && server != 0)
        st = mark_master(c, server, err);
    for (size_t i = 0; i < dx_jmx_count(doc) && st == DX_OK; i++) {
        const dx_jmx_sample *x = dx_jmx_at(doc, i);
        if (x->type == DX_JMX_TEXT) {
            st = matters(x) ? add_label(c, snapshot, x, err) : DX_OK;
            continue;
        }
        if (x->region.n > 0 && x->table.n > 0 && !dx_slice_eq(x->region, region)) {
            region = x->region;
            st = dx_casefile_learn_region(c, x->region, dx_s(NULL), x->table, err);
        }
        if (st == DX_OK)
            st = add_sample(c, server, t_ms, x, err);
    }
    return st;
}

/* --- moving --- */

/* One snapshot: its samples go to series of the new server. A series that is left without samples
 * goes. */
DX_MUST_CHECK static dx_status move_snapshot(dx_casefile *c, const int64_t v[3], dx_err *err) {
    static const char *const steps[] = {
        "INSERT OR IGNORE INTO series(server_id, bean, name, table_name, region, family, user) "
        "SELECT ?2, bean, name, table_name, region, family, user FROM series "
        "WHERE ifnull(server_id, 0) = ?1 AND EXISTS "
        "(SELECT 1 FROM sample WHERE series_id = series.id AND t_ms = ?3)",
        "INSERT OR IGNORE INTO sample SELECT n.id, p.t_ms, p.value FROM series s "
        "JOIN sample p ON p.series_id = s.id AND p.t_ms = ?3 "
        "JOIN series n ON n.bean = s.bean AND n.name = s.name AND ifnull(n.server_id, 0) = ?2 "
        "AND ifnull(n.table_name, '') = ifnull(s.table_name, '') "
        "AND ifnull(n.region, '') = ifnull(s.region, '') "
        "AND ifnull(n.family, '') = ifnull(s.family, '') AND ifnull(n.user, '') = "
        "ifnull(s.user, '') WHERE ifnull(s.server_id, 0) = ?1",
        "DELETE FROM sample WHERE t_ms = ?3 AND ?2 <> ?1 AND series_id IN "
        "(SELECT id FROM series WHERE ifnull(server_id, 0) = ?1)",
        "DELETE FROM series WHERE ifnull(server_id, 0) = ?1 AND ?2 <> ?1 AND ?3 = ?3 "
        "AND NOT EXISTS (SELECT 1 FROM sample WHERE series_id = series.id)",
    };
    dx_status st = DX_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && st == DX_OK; i++)
        st = dx_case_run(c, steps[i], v, 3, err);
    return st;
}

dx_status dx_case_move_snapshots(dx_casefile *c, int64_t source, int64_t server, dx_err *err) {
    static const char next[] = "SELECT id, ifnull(server_id, 0), t_ms FROM snapshot "
                               "WHERE source_id = ? AND server_id IS NOT ? LIMIT 1";
    static const char mark[] = "UPDATE snapshot SET server_id = ? WHERE id = ?";
    for (;;) {
        dx_stmt *s;
        dx_status st = dx_stmt_cached(&s, c, next, err);
        if (st != DX_OK)
            return st;
        dx_stmt_int(s, source);
        dx_stmt_int(s, server);
        if ((st = dx_stmt_step(s, err)) != DX_ROW)
            return st == DX_DONE ? DX_OK : st;
        int64_t id = dx_stmt_column(s, 0).i;
        int64_t v[3] = {dx_stmt_column(s, 1).i, server, dx_stmt_column(s, 2).i};
        dx_map_free(c->series);
        c->series = NULL;
        if ((st = move_snapshot(c, v, err)) != DX_OK
            || (st = dx_case_run(c, mark, (int64_t[]){server, id}, 2, err)) != DX_OK)
            return st;
    }
}

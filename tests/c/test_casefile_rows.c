/* Events, scans, settings, regions, JMX dumps; offsets, servers, and calls grouped. */
#include "casefile_help.h"
#include "dx_casefile_digest.h"

static dx_casefile *c;
static dx_err err;

static int64_t server_id(const char *name) {
    int64_t id = 0;
    ok(dx_casefile_server(c, dx_s(name), &id, &err) == DX_OK && id > 0, "server %s", name);
    return id;
}

static void end_source(int64_t source, int64_t server) {
    dx_source_facts f = {.first_ms = 500,
                         .last_ms = 900,
                         .offset_origin = "unknown",
                         .server = server,
                         .version = "2.5.8"};
    ok(dx_casefile_source_facts(c, source, &f, &err) == DX_OK, "facts");
}

static void add_event(int64_t source, dx_event_id id, const char *encoded, dx_where where) {
    dx_event e = {.id = id, .encoded = dx_s(encoded)};
    int64_t t = where.has_zone ? where.local_ms - where.offset_ms : where.local_ms;
    if (dx_casefile_add_event(c, source, 0, t, &e, &where, &err) != DX_OK)
        ok(false, "event: %s", err.msg);
}

static void test_servers(void) {
    c = fresh();
    int64_t a = server_id("rs-1.example.org,16020,1700000000000");
    is_int(server_id("rs-1.example.org,16020"), a, "a start code makes no other server");
    is_number(c, "SELECT port FROM server", 16020, "its port");
    is_text(c, "SELECT host FROM server", "rs-1.example.org", "its host");
    is_int(server_id("rs-1.example.org,16020,1800000000000"), a, "nor does another one");
    int64_t b = server_id("night, of the outage");
    ok(b != a, "a hint is a name");
    is_number(c, "SELECT port FROM server WHERE id = 2", -1, "without a port");
    ok(server_id("h,99999") != server_id("h"), "99999 is no port: the whole is the name");
    int64_t id;
    ok(dx_casefile_server(c, dx_s(""), &id, &err) == DX_E_USAGE, "no name: %s", err.msg);
    dx_casefile_close(c);
}

static void test_repeated_events(void) {
    c = fresh();
    int64_t a = new_source(c, "a.log", "log");
    add_event(a, DX_EV_ABORT, NULL, at_line(1, 100, 1));
    add_event(a, DX_EV_ABORT, NULL, at_line(2, 100, 1));
    add_event(a, DX_EV_PAUSE, NULL, at_line(3, 200, 2));
    end_source(a, server_id("rs-1,1"));
    is_number(c, "SELECT count(*) FROM event", 3, "a line that stands twice in one log is two");
    int64_t b = new_source(c, "a-longer.log", "log");
    add_event(b, DX_EV_ABORT, NULL, at_line(1, 100, 1));
    add_event(b, DX_EV_ABORT, NULL, at_line(2, 100, 1));
    add_event(b, DX_EV_ABORT, NULL, at_line(3, 100, 1));
    add_event(b, DX_EV_PAUSE, NULL, at_line(4, 200, 2));
    add_event(b, DX_EV_PAUSE, NULL, at_line(5, 300, 3));
    end_source(b, server_id("rs-1,1"));
    is_number(c, "SELECT count(*) FROM event", 5, "a longer copy adds what is new in it");
    is_number(c, "SELECT count(*) FROM event WHERE source_id = 2", 2, "as rows of its own");
    int64_t d = new_source(c, "other.log", "log");
    add_event(d, DX_EV_PAUSE, NULL, at_line(4, 200, 2));
    end_source(d, server_id("rs-2,1"));
    is_number(c, "SELECT count(*) FROM event", 6, "the same text of another server is another");
    int64_t e = new_source(c, "whose.log", "log");
    add_event(e, DX_EV_PAUSE, NULL, at_line(4, 200, 2));
    end_source(e, 0);
    is_number(c, "SELECT count(*) FROM event", 6, "whose it is is not known: the same");
    is_number(c, "SELECT count(*) FROM event WHERE server_id IS NULL", 0, "all have their server");
    is_text(c, "SELECT version FROM server WHERE name = 'rs-2,1'", "2.5.8", "and it its version");
    dx_casefile_close(c);
}

static void test_scans(void) {
    c = fresh();
    dx_scan scan = {.returned = 60,
                    .scanned = 42000,
                    .filtered = DX_UNKNOWN,
                    .regions = DX_UNKNOWN,
                    .rpcs = 3,
                    .retries = DX_UNKNOWN,
                    .bytes = INT64_MAX,
                    .remote_bytes = DX_UNKNOWN,
                    .between_nexts_ms = DX_UNKNOWN,
                    .took_ms = 120,
                    .table = {"iot:events", 10},
                    .label = "last hour of sensor#"};
    for (int i = 0; i < 2; i++) {
        int64_t source = new_source(c, "app.log", "log");
        for (int k = 0; k <= i; k++) {
            dx_where where = at_line(9, 5000, 42);
            ok(dx_casefile_add_scan(c, source, 5000, &scan, &where, &err) == DX_OK, "a scan");
        }
        end_source(source, 0);
    }
    is_number(c, "SELECT count(*) FROM scan", 2, "scans of a longer copy are not doubled");
    is_number(c, "SELECT bytes FROM scan", INT64_MAX, "exact to 64 bits");
    is_number(c, "SELECT filtered FROM scan", -1, "what is not told is NULL");
    is_text(c, "SELECT label FROM scan", "last hour of sensor#", "its label");
    dx_casefile_close(c);
}

static void test_fields(void) {
    c = fresh();
    int64_t source = new_source(c, "a.log", "log");
    dx_event e = {.id = DX_EV_FLUSH_FINISHED,
                  .region = dx_s("shop:orders,a,1700000000000.0123456789abcdef0123456789abcdef."),
                  .family = dx_s("d"),
                  .server = dx_s("rs-1,1,2"),
                  .fields = {{.name = "took_ms", .type = DX_FIELD_INT, .i = INT64_MAX},
                             {.name = "share", .type = DX_FIELD_REAL, .d = 0.5},
                             {.name = "nan", .type = DX_FIELD_REAL, .d = NAN},
                             {.name = "cause", .type = DX_FIELD_TEXT, .s = {"a \"b\"\n\xff", 7}}},
                  .n = 4};
    dx_where where = at_line(1, DX_TIME_NONE, 1);
    ok(dx_casefile_add_event(c, source, 0, DX_TIME_NONE, &e, &where, &err) == DX_OK, "an event");
    is_number(c, "SELECT json_extract(fields, '$.took_ms') FROM event", INT64_MAX, "an integer");
    is_number(c, "SELECT json_extract(fields, '$.share') * 10 = 5 FROM event", 1, "a real");
    is_number(c, "SELECT json_type(fields, '$.nan') FROM event", -1, "NaN is not known");
    is_number(c, "SELECT json_extract(fields, '$.cause') LIKE 'a \"b\"_%' FROM event", 1, "a text");
    is_text(c, "SELECT json_extract(fields, '$.server') FROM event", "rs-1,1,2", "its server");
    is_text(c, "SELECT table_name FROM event", "shop:orders", "the table of its region");
    is_text(c, "SELECT encoded FROM event", "0123456789abcdef0123456789abcdef", "the encoded name");
    is_number(c, "SELECT t_ms FROM event", -1, "no stamp is no instant");
    e = (dx_event){.id = DX_EV_NONE};
    ok(dx_casefile_add_event(c, source, 0, 1, &e, &where, &err) == DX_E_USAGE, "%s", err.msg);
    dx_casefile_close(c);
}

/* What a hostile source says is kept as far as it can be, and ends no import. */
static void test_hostile(void) {
    enum { N = 80 * 1024 * 1024 };
    char *text = malloc(N + 1);
    if (text == NULL)
        return;
    memset(text, '\x01', N);
    text[N] = '\0';
    c = fresh();
    int64_t source = new_source(c, text, "log");
    dx_event e = {
        .id = DX_EV_ABORT, .region = {text, N}, .family = {text, N}, .n = DX_EVENT_FIELDS};
    for (size_t i = 0; i < DX_EVENT_FIELDS; i++)
        e.fields[i] = (dx_field){.name = "reason", .type = DX_FIELD_TEXT, .s = {text, N}};
    dx_where where = at_line(UINT64_MAX, INT64_MAX, UINT64_MAX);
    where.thread = (dx_slice){text, N};
    ok(dx_casefile_add_event(c, source, 0, INT64_MAX, &e, &where, &err) == DX_OK, "an event");
    is_number(c, "SELECT json_valid(fields) FROM event", 1, "its fields are JSON");
    is_number(c, "SELECT length(family) FROM event", 1024 * 1024, "long texts are cut");
    dx_call call = scan_call(DX_CALL_LOG, INT64_MAX, INT64_MAX);
    call.client = call.row = call.filters = call.table = (dx_slice){text, N};
    call.proc_ms = INT64_MAX;
    bool added;
    ok(dx_casefile_add_call(c, source, 0, &call, &where, &added, &err) == DX_OK, "a call");
    dx_property p = {.name = text, .value = text, .resource = ""};
    ok(dx_casefile_add_setting(c, source, 0, &p, &err) == DX_OK, "a setting");
    ok(dx_casefile_skip(c, source, "x", 1, (dx_slice){text, N}, 1, &err) == DX_OK, "a skip");
    end_source(source, 0);
    dx_grouping g = {.from_ms = INT64_MAX, .to_ms = INT64_MAX};
    dx_grouped total;
    dx_digest *d = NULL;
    ok(dx_casefile_digest(&d, c, &g, &total, &err) == DX_OK, "sums that overflow are no crash");
    dx_digest_free(d);
    dx_casefile_close(c);
    free(text);
}

/* An encoded name is explained by whoever comes, before or after. */
static void test_regions(void) {
    static const char e1[] = "0123456789abcdef0123456789abcdef";
    static const char e2[] = "fedcba9876543210fedcba9876543210";
    c = fresh();
    int64_t a = new_source(c, "a.log", "log");
    add_event(a, DX_EV_FLUSH_DELAYED, e1, at_line(1, 100, 1));
    add_event(a, DX_EV_FLUSH_DELAYED, e2, at_line(2, 100, 2));
    add_event(a, DX_EV_FLUSH_DELAYED, "1588230740", at_line(3, 100, 3));
    end_source(a, 0);
    is_number(c, "SELECT count(table_name) FROM event", 1, "only hbase:meta is known");
    int64_t b = new_source(c, "b.log", "log");
    dx_event open = {.id = DX_EV_REGION_OPENED,
                     .region = dx_s("shop:orders,a,1.0123456789abcdef0123456789abcdef.")};
    dx_where where = at_line(1, 100, 4);
    ok(dx_casefile_add_event(c, b, 0, 100, &open, &where, &err) == DX_OK, "a region opens");
    end_source(b, 0);
    is_number(c, "SELECT count(*) FROM event WHERE table_name = 'shop:orders'", 2,
              "another log tells the table");
    ok(dx_casefile_learn_region(c, dx_s(e2), dx_s(NULL), dx_s("t2"), &err) == DX_OK, "learn");
    end_source(new_source(c, "x", "jmx"), 0);
    is_text(c, "SELECT table_name FROM event WHERE line = 2", "t2", "or a dump without events");
    ok(dx_casefile_learn_region(c, dx_s(e2), dx_s("t2,,1.x."), dx_s("t9"), &err) == DX_OK, "again");
    is_text(c, "SELECT table_name || ' ' || name FROM region WHERE table_name = 't2'",
            "t2 t2,,1.x.", "a name is added, a table stays");
    dx_call call = scan_call(DX_CALL_LOG, 5, 5);
    call.encoded = call.region = dx_s(e1);
    bool added;
    ok(dx_casefile_add_call(c, b, 0, &call, &where, &added, &err) == DX_OK, "a call");
    end_source(b, 0);
    is_text(c, "SELECT table_name FROM call", "shop:orders", "calls learn it, too");
    dx_casefile_close(c);
}

static void test_offsets(void) {
    c = fresh();
    int64_t a = new_source(c, "a.log", "log");
    dx_where zoned = at_line(2, 7200500, 2);
    zoned.has_zone = true;
    zoned.offset_ms = 3600000;
    add_event(a, DX_EV_PAUSE, NULL, at_line(1, 7200500, 1));
    add_event(a, DX_EV_PAUSE, NULL, zoned);
    end_source(a, 0);
    ok(dx_casefile_set_offset(c, a, 3600000, "slow calls", &err) == DX_OK, "an offset");
    is_number(c, "SELECT t_ms FROM event WHERE line = 1", 3600500, "local stamps move");
    ok(dx_casefile_set_offset(c, a, 7200000, "--log-tz", &err) == DX_OK, "another");
    is_number(c, "SELECT t_ms FROM event WHERE line = 1", 500, "from where they were read");
    is_number(c, "SELECT t_ms FROM event WHERE line = 2", 3600500, "a line with a zone stays");
    is_number(c, "SELECT first_ms FROM source", 500 - 7200000, "the source's span moves, too");
    is_text(c, "SELECT offset_origin FROM source", "--log-tz", "who said so");
    ok(dx_casefile_set_offset(c, a, INT64_MAX, "x", &err) == DX_E_RANGE, "refused: %s", err.msg);
    dx_casefile_close(c);
}

static dx_jmx *jmx(const char *text) {
    dx_jmx *doc = NULL;
    if (dx_jmx_read(&doc, dx_s(text), "x.json", &err) != DX_OK) {
        printf("Bail out! %s\n", err.msg);
        exit(1);
    }
    return doc;
}

static const char dump[] =
    "{\"beans\":[{\"name\":\"Hadoop:service=HBase,name=RegionServer,sub=Server\","
    "\"tag.serverName\":\"rs-1,16020,1700000000000\",\"tag.clusterId\":\"c1\",\"tag.Context\":"
    "\"x\","
    "\"blockCacheHitCount\":9223372036854775807,\"percentFilesLocal\":98.5,\"broken\":NaN},"
    "{\"name\":\"Hadoop:service=HBase,name=RegionServer,sub=Regions\","
    "\"Namespace_shop_table_orders_region_0123456789abcdef0123456789abcdef_metric_storeCount\":2}]"
    "}";

static void test_jmx(void) {
    c = fresh();
    dx_jmx *doc = jmx(dump);
    int64_t server = server_id("rs-1,16020,1700000000000");
    int64_t a = new_source(c, "0200.json", "jmx");
    ok(dx_casefile_add_jmx(c, a, server, 1000, "mtime", doc, &err) == DX_OK, "a dump");
    is_number(c, "SELECT value FROM point WHERE name = 'blockCacheHitCount'", INT64_MAX,
              "integers are exact");
    is_number(c, "SELECT value * 2 = 197 FROM point WHERE name = 'percentFilesLocal'", 1, "a real");
    is_number(c, "SELECT count(*) FROM series WHERE name = 'broken'", 0, "NaN is not known");
    is_text(c, "SELECT table_name FROM series WHERE name = 'storeCount'", "shop:orders", "labels");
    is_text(c, "SELECT table_name FROM region WHERE encoded LIKE '0123%'", "shop:orders",
            "its region was learnt");
    is_text(c, "SELECT value FROM label WHERE name = 'tag.clusterId'", "c1", "a text that matters");
    is_number(c, "SELECT count(*) FROM label WHERE name = 'tag.Context'", 0, "one that does not");
    is_number(c, "SELECT start_code FROM snapshot", 1700000000000, "the start code");
    int64_t before = number_in(c, "SELECT count(*) FROM sample");
    int64_t b = new_source(c, "again.json", "jmx");
    ok(dx_casefile_add_jmx(c, b, server, 1000, "mtime", doc, &err) == DX_OK, "the same instant");
    is_number(c, "SELECT count(*) FROM sample", before, "adds nothing that is there");
    is_number(c, "SELECT count(*) FROM snapshot", 1, "no second snapshot");
    dx_jmx *more = jmx("{\"beans\":[{\"name\":\"Hadoop:service=HBase,name=RegionServer,sub=IPC\","
                       "\"queueSize\":7}]}");
    ok(dx_casefile_add_jmx(c, b, server, 1000, "mtime", more, &err) == DX_OK, "another bean");
    is_number(c, "SELECT count(*) FROM sample", before + 1, "adds its own");
    ok(dx_casefile_add_jmx(c, b, server, 2000, "mtime", more, &err) == DX_OK, "another instant");
    is_number(c,
              "SELECT count(*) FROM sample WHERE series_id = (SELECT id FROM series WHERE "
              "name = 'queueSize')",
              2, "the same series");
    ok(dx_casefile_add_jmx(c, b, server, DX_TIME_NONE, NULL, more, &err) == DX_E_USAGE,
       "no instant: %s", err.msg);
    dx_jmx_free(doc);
    dx_jmx_free(more);
    dx_casefile_close(c);
}

/* A batch that is undone takes its series with it; the cache must not remember them. */
static void test_jmx_undone(void) {
    c = fresh();
    dx_jmx *doc = jmx(dump);
    int64_t server = server_id("rs-1,16020");
    int64_t id = 0;
    for (int i = 0; i < 2; i++) {
        ok(dx_casefile_begin(c, &err) == DX_OK, "a batch");
        ok(dx_casefile_add_source(c, "x", "jmx", &id, &err) == DX_OK, "its source");
        ok(dx_casefile_add_jmx(c, id, server, 1000, "mtime", doc, &err) == DX_OK, "its dump");
        if (i == 0)
            dx_casefile_rollback(c);
        else
            ok(dx_casefile_commit(c, &err) == DX_OK, "committed");
    }
    is_number(c,
              "SELECT count(*) FROM sample LEFT JOIN series ON series.id = series_id "
              "WHERE series.id IS NULL",
              0, "no sample without a series");
    is_number(c, "SELECT count(*) FROM region WHERE table_name = 'shop:orders'", 1,
              "regions are learnt again");
    dx_jmx_free(doc);
    dx_casefile_close(c);
}

static void test_move_server(void) {
    c = fresh();
    dx_jmx *doc = jmx("{\"beans\":[{\"name\":\"Hadoop:service=HBase,name=JvmMetrics\","
                      "\"MemHeapUsedM\":100.5,\"GcCount\":3}]}");
    int64_t hint = server_id("folder");
    int64_t a = new_source(c, "a.json", "jmx"), b = new_source(c, "b.json", "jmx");
    ok(dx_casefile_add_jmx(c, a, hint, 1000, "mtime", doc, &err) == DX_OK, "one dump");
    ok(dx_casefile_add_jmx(c, b, hint, 2000, "mtime", doc, &err) == DX_OK, "another");
    ok(dx_casefile_set_server(c, b, dx_s("rs-2,16020"), &err) == DX_OK, "the second is rs-2's");
    is_number(c, "SELECT count(*) FROM point WHERE server = 'rs-2,16020' AND t_ms = 2000", 2,
              "its samples went along");
    is_number(c, "SELECT count(*) FROM point WHERE server = 'folder' AND t_ms = 1000", 2,
              "the others stayed");
    is_number(c, "SELECT count(*) FROM sample", 4, "none was lost");
    ok(dx_casefile_set_server(c, a, dx_s("rs-2,16020"), &err) == DX_OK, "the first, too");
    is_number(c, "SELECT count(*) FROM point WHERE server = 'rs-2,16020'", 4, "all are rs-2's");
    is_number(c, "SELECT count(*) FROM series", 2, "no series is left without samples");
    ok(dx_casefile_set_server(c, a, dx_s("rs-2,16020"), &err) == DX_OK, "said twice");
    is_number(c, "SELECT count(*) FROM sample", 4, "nothing changes");
    int64_t log = new_source(c, "a.log", "log");
    dx_property p = {.name = "hbase.x", .value = "", .resource = "", .line = 3};
    ok(dx_casefile_add_setting(c, log, hint, &p, &err) == DX_OK, "a setting");
    add_event(log, DX_EV_PAUSE, NULL, at_line(1, 1, 1));
    end_source(log, hint);
    ok(dx_casefile_set_server(c, log, dx_s("rs-2,16020,5"), &err) == DX_OK, "a log's server");
    is_number(c,
              "SELECT count(*) FROM event JOIN server ON server.id = server_id "
              "WHERE server.name = 'rs-2,16020'",
              1, "its events");
    is_number(c,
              "SELECT count(*) FROM setting JOIN server ON server.id = server_id "
              "WHERE server.name = 'rs-2,16020'",
              1, "its settings");
    dx_jmx_free(doc);
    dx_casefile_close(c);
}

static void test_settings(void) {
    c = fresh();
    int64_t source = new_source(c, "hbase-site.xml", "conf");
    const dx_property p[] = {{.name = "a", .value = "", .resource = "", .is_final = true},
                             {.name = "a", .value = NULL, .resource = "x.xml", .line = 4}};
    for (size_t i = 0; i < 2; i++)
        ok(dx_casefile_add_setting(c, source, 0, &p[i], &err) == DX_OK, "a property");
    is_number(c, "SELECT value = '' FROM setting WHERE id = 1", 1, "an empty value is a value");
    is_number(c, "SELECT value FROM setting WHERE id = 2", -1, "none is NULL");
    is_number(c, "SELECT resource FROM setting WHERE id = 1", -1, "no resource told");
    is_number(c, "SELECT is_final FROM setting WHERE id = 1", 1, "final");
    dx_casefile_close(c);
}

static void test_skips_and_copies(void) {
    c = fresh();
    int64_t a = new_source(c, "a.log", "log"), id;
    for (uint64_t i = 5; i < 8; i++)
        ok(dx_casefile_skip(c, a, "JSON is cut", 1, i == 5 ? dx_s("{\"a") : dx_s("x"), i, &err)
               == DX_OK,
           "a skip");
    is_number(c, "SELECT count FROM skipped", 3, "counted");
    is_text(c, "SELECT sample || line FROM skipped", "{\"a5", "with the first sample");
    dx_source_facts f = {
        .fingerprint = UINT64_MAX, .bytes = 123, .first_ms = DX_TIME_NONE, .last_ms = DX_TIME_NONE};
    ok(dx_casefile_source_facts(c, a, &f, &err) == DX_OK, "facts");
    ok(dx_casefile_find_source(c, UINT64_MAX, 123, &id, &err) == DX_OK && id == a, "found again");
    ok(dx_casefile_find_source(c, UINT64_MAX, 124, &id, &err) == DX_OK && id == 0, "another size");
    is_number(c, "SELECT offset_ms FROM source", -1, "no stamps, no offset");
    dx_casefile_close(c);
}

static void test_digest(void) {
    c = fresh();
    int64_t source = new_source(c, "a.log", "log");
    for (int i = 0; i < 10; i++) {
        dx_call call = scan_call(DX_CALL_LOG, 1000 * i, i);
        call.proc_ms = i == 9 ? DX_UNKNOWN : 100 * (i + 1);
        if (i < 5)
            call.table = dx_s("a,b");
        call.method = dx_s(i % 2 == 0 ? "Scan" : "");
        dx_where where = at_line((uint64_t)i, 0, (uint64_t)i + 1);
        bool added;
        ok(dx_casefile_add_call(c, source, 0, &call, &where, &added, &err) == DX_OK, "a call");
    }
    const char *by[] = {"table", "method"};
    dx_grouping g = {.by = by, .n = 2, .from_ms = DX_TIME_NONE, .to_ms = DX_TIME_NONE};
    dx_grouped total;
    dx_digest *d = NULL;
    ok(dx_casefile_digest(&d, c, &g, &total, &err) == DX_OK, "a digest");
    is_int(dx_digest_count(d), 4, "four groups");
    is_int(total.calls, 10, "all calls");
    is_int(total.proc_ms, 4500, "their time");
    is_int(total.proc_told, 9, "one does not tell it");
    const dx_digest_group *top = dx_digest_at(d, 0);
    is_int(top->proc_ms.sum, 1600, "the heaviest first");
    ok(dx_casefile_group_key(top->key, 0).type == DX_V_NULL, "its table is not known");
    is_slice(dx_casefile_group_key(top->key, 1).s, "Scan", "its method is");
    is_int(top->worst_ref, 9, "its worst call");
    ok(dx_casefile_group_key(top->key, 7).type == DX_V_NULL, "no such part");
    dx_digest_free(d);
    g = (dx_grouping){
        .by = NULL, .n = 0, .from_ms = 1100, .to_ms = 3000, .where = "proc_ms > 0 --"};
    ok(dx_casefile_digest(&d, c, &g, &total, &err) == DX_OK, "a window");
    is_int(total.calls, 2, "calls that ran in it: one began before");
    dx_digest_free(d);
    by[0] = "hour";
    g = (dx_grouping){
        .by = by, .n = 1, .from_ms = DX_TIME_NONE, .to_ms = DX_TIME_NONE, .offset_ms = 7200000};
    ok(dx_casefile_digest(&d, c, &g, &total, &err) == DX_OK && dx_digest_count(d) == 1, "by hour");
    is_int(dx_casefile_group_key(dx_digest_at(d, 0)->key, 0).i, 2, "of the clock asked for");
    dx_digest_free(d);
    by[0] = "row";
    ok(dx_casefile_digest(&d, c, &g, &total, &err) == DX_E_USAGE, "no row keys: %s", err.msg);
    by[0] = "table";
    g.where = "1); DELETE FROM call; --";
    ok(dx_casefile_digest(&d, c, &g, &total, &err) == DX_E_USAGE, "no other SQL: %s", err.msg);
    for (size_t i = 0; dx_casefile_group_name(i) != NULL; i++) {
        by[0] = dx_casefile_group_name(i);
        g.where = NULL;
        ok(dx_casefile_digest(&d, c, &g, &total, &err) == DX_OK, "by %s", by[0]);
        dx_digest_free(d);
    }
    dx_casefile_close(c);
}

int main(void) {
    test_servers();
    test_repeated_events();
    test_scans();
    test_fields();
    test_hostile();
    test_regions();
    test_offsets();
    test_jmx();
    test_jmx_undone();
    test_move_server();
    test_settings();
    test_skips_and_copies();
    test_digest();
    return done();
}

/* JMX: names, labels, types and damage, in the spelling of several releases. */
#include "dx_jmx.h"
#include "dx_mem.h"
#include "tap.h"

#include <stdlib.h>

#define ENC "0123456789abcdef0123456789abcdef"

static dx_jmx *read_text(const char *text) {
    dx_jmx *doc = NULL;
    dx_err err = {0};
    if (!ok(dx_jmx_read(&doc, dx_s(text), "a.json", &err) == DX_OK, "reads: %.50s", text))
        printf("# %s\n", err.msg);
    return doc;
}

static bool same_labels(const dx_jmx_sample *s, const char *table, const char *region,
                        const char *family, const char *user) {
    return dx_slice_is(s->table, table) && dx_slice_is(s->region, region)
           && dx_slice_is(s->family, family) && dx_slice_is(s->user, user);
}

/* Checks that one attribute of one bean reads as bean, name and labels. */
static void names(const char *object, const char *attribute, const char *bean, const char *name,
                  const char *table, const char *region, const char *family, const char *user) {
    char text[1024];
    snprintf(text, sizeof text, "{\"beans\":[{\"name\":\"%s\",\"%s\":1}]}", object, attribute);
    dx_jmx *doc = read_text(text);
    const dx_jmx_sample *s = doc == NULL ? NULL : dx_jmx_at(doc, 0);
    if (ok(s != NULL && dx_jmx_count(doc) == 1, "  one sample")) {
        is_slice(s->bean, bean, "  bean");
        is_slice(s->name, name, "  name");
        if (!ok(same_labels(s, table, region, family, user), "  labels"))
            printf("# table %.*s region %.*s family %.*s user %.*s\n", (int)s->table.n, s->table.p,
                   (int)s->region.n, s->region.p, (int)s->family.n, s->family.p, (int)s->user.n,
                   s->user.p);
    }
    dx_jmx_free(doc);
}

#define RS "Hadoop:service=HBase,name=RegionServer,sub="

static void test_beans(void) {
    names(RS "Server", "x", "RegionServer.Server", "x", "", "", "", "");
    names("Hadoop:sub=IPC,name=Master,service=HBase", "x", "Master.IPC", "x", "", "", "", "");
    names("Hadoop:service=HBase,name=JvmMetrics", "x", "JvmMetrics", "x", "", "", "", "");
    names("java.lang:type=GarbageCollector,name=G1 Old Generation", "x",
          "java.lang:name=G1 Old Generation,type=GarbageCollector", "x", "", "", "", "");
    names("hadoop:service=RegionServer,name=RegionServerStatistics", "x",
          "hadoop:name=RegionServerStatistics,service=RegionServer", "x", "", "", "", "");
    names("a.b:name1=Connections,name0=\\\"x,y=z\\\"", "x", "a.b:name0=\"x,y=z\",name1=Connections",
          "x", "", "", "", "");
    names("a:b=c,", "x", "a:b=c", "x", "", "", "", "");
    names("no colon", "x", "no colon", "x", "", "", "", "");
    names("Hadoop:service=NameNode,name=FSNamesystem", "x",
          "Hadoop:name=FSNamesystem,service=NameNode", "x", "", "", "", "");
}

static void test_labels(void) {
    names(RS "Regions", "Namespace_default_table_t_region_" ENC "_metric_storeFileCount",
          "RegionServer.Regions", "storeFileCount", "t", ENC, "", "");
    names(RS "Regions", "Namespace_ns-1_table_a_table_b.c_region_" ENC "_metric_get_max",
          "RegionServer.Regions", "get_max", "ns-1:a_table_b.c", ENC, "", "");
    names(RS "Regions", "Namespace_n_table_x_region_" ENC "_region_" ENC "_metric_m",
          "RegionServer.Regions", "m", "n:x_region_" ENC, ENC, "", "");
    names(RS "Regions", "Namespace_hbase_table_meta_region_1588230740_metric_storeCount",
          "RegionServer.Regions", "storeCount", "hbase:meta", "1588230740", "", "");
    names(RS "Regions", "Namespace_n_table_t_region_" ENC "_store_a_store_b_metric_mixed",
          "RegionServer.Regions", "mixed", "n:t", ENC, "a_store_b", "");
    names(RS "Tables", "Namespace_default_table_my_store_metric_x_metric_regionCount",
          "RegionServer.Tables", "regionCount", "my_store_metric_x", "", "", "");
    names(RS "Tables", "Namespace_n_table_t_columnfamily_cf_metric_storeFileSize",
          "RegionServer.Tables", "storeFileSize", "n:t", "", "cf", "");
    names(RS "TableLatencies", "Namespace_default_table_d_table_metric_putTime_99.9th_percentile",
          "RegionServer.TableLatencies", "putTime_99.9th_percentile", "d_table", "", "", "");
    names(RS "TableRequests_Namespace_n_table_a_table_b", "GetTime_max",
          "RegionServer.TableRequests", "GetTime_max", "n:a_table_b", "", "", "");
    names(RS "TableRequests_Namespace_default_table_t", "GetTime_max", "RegionServer.TableRequests",
          "GetTime_max", "t", "", "", "");
    names(RS "Users", "User_a_metric_b_metric_get_num_ops", "RegionServer.Users", "get_num_ops", "",
          "", "", "a_metric_b");
    names(RS "WAL", "n:t.v2.appendSize", "RegionServer.WAL", "appendSize", "n:t.v2", "", "", "");
    names(RS "WAL", "appendCount", "RegionServer.WAL", "appendCount", "", "", "", "");
    names(RS "IPC", "exceptions.callQueueTooBig", "RegionServer.IPC", "exceptions.callQueueTooBig",
          "", "", "", "");
    names(RS "Regions", "Namespace_nothing", "RegionServer.Regions", "Namespace_nothing", "", "",
          "", "");
    names(RS "Regions", "Namespace__table__metric_", "RegionServer.Regions",
          "Namespace__table__metric_", "", "", "", "");
}

static const char whole[] =
    "{ \"beans\": [ { \"name\": \"java.lang:type=Runtime\", \"StartTime\": \"1700000000000\","
    "  \"Uptime\": 61000, \"SpecVersion\": \"17\", \"Name\": \"42\", \"Args\": [ \"-Xmx1g\" ] },"
    "{ \"name\": \"java.lang:type=Memory\", \"description\": \"d\", \"HeapMemoryUsage\":"
    "  { \"max\": -1, \"used\": 9223372036854775807 }, \"Verbose\": false, \"Gone\": null },"
    "{ \"name\": \"" RS "Server\", \"modelerType\": \"m\", \"tag.serverName\": \"h,16020,7\","
    "  \"tag.odd\": \"12\", \"count\": \"12\", \"ratio\": \"0.5\", \"nan\": \"NaN\", \"bare\": NaN,"
    "  \"text\": \"12 MB\", \"twice\": 1, \"twice\": 2,"
    "  \"told\": { \"description\": \"what\", \"value\": 5 } },"
    "{ \"name\": \"Hadoop:service=HBase,name=Master,sub=Server\","
    "  \"tag.serverName\": \"m,16000,8\" } ] }";

static void test_types(void) {
    dx_jmx *doc = read_text(whole);
    const dx_jmx_sample *s = dx_jmx_find(doc, "java.lang:type=Memory", "HeapMemoryUsage.used");
    ok(s != NULL && s->type == DX_JMX_INT && s->i == INT64_MAX, "a composite's part, exact");
    s = dx_jmx_find(doc, "java.lang:type=Memory", "Verbose");
    ok(s != NULL && s->type == DX_JMX_BOOL && s->i == 0, "a boolean");
    ok(dx_jmx_find(doc, "java.lang:type=Memory", "Gone") == NULL, "null is no sample");
    ok(dx_jmx_find(doc, "java.lang:type=Memory", "description") == NULL, "nor a description");
    s = dx_jmx_find(doc, "RegionServer.Server", "count");
    ok(s != NULL && s->type == DX_JMX_INT && s->i == 12 && s->d == 12, "a quoted integer");
    s = dx_jmx_find(doc, "RegionServer.Server", "ratio");
    ok(s != NULL && s->type == DX_JMX_REAL && s->d == 0.5, "a quoted real");
    s = dx_jmx_find(doc, "RegionServer.Server", "nan");
    ok(s != NULL && s->type == DX_JMX_REAL && isnan(s->d), "a quoted NaN");
    s = dx_jmx_find(doc, "RegionServer.Server", "bare");
    ok(s != NULL && s->type == DX_JMX_REAL && isnan(s->d), "a bare NaN");
    s = dx_jmx_find(doc, "RegionServer.Server", "tag.odd");
    ok(s != NULL && s->type == DX_JMX_TEXT && dx_slice_is(s->text, "12"), "a tag is text");
    s = dx_jmx_find(doc, "java.lang:type=Runtime", "SpecVersion");
    ok(s != NULL && s->type == DX_JMX_TEXT, "a version is text");
    s = dx_jmx_find(doc, "RegionServer.Server", "text");
    ok(s != NULL && s->type == DX_JMX_TEXT, "a number with a unit is text");
    s = dx_jmx_find(doc, "RegionServer.Server", "twice");
    ok(s != NULL && s->i == 1, "of two alike the first");
    s = dx_jmx_find(doc, "RegionServer.Server", "told");
    ok(s != NULL && s->i == 5, "a described value");
    ok(dx_jmx_find(doc, "RegionServer.Server", "") == NULL, "an unknown name");
    is_int(dx_jmx_beans(doc), 4, "beans");
    is_int(dx_jmx_count(doc), 17, "samples");
    ok(strstr(dx_jmx_damage(doc), "bare NaN") != NULL
           && strstr(dx_jmx_damage(doc), "stand twice, the first taken: 1 (RegionServer.Server")
                  != NULL,
       "the damage is told: %s", dx_jmx_damage(doc));
    is_int(dx_jmx_time(doc), 1700000061000, "the document's clock");
    bool master = true;
    is_slice(dx_jmx_server(doc, &master), "h,16020,7", "the server");
    ok(!master, "is a RegionServer");
    dx_jmx_free(doc);
}

/* Checks the server's name, whose it is, and that there is no clock. */
static void server(const char *text, const char *want, bool want_master) {
    dx_jmx *doc = read_text(text);
    bool master = !want_master;
    is_slice(dx_jmx_server(doc, &master), want, "  its server");
    ok(master == want_master, "  master or not");
    is_int(dx_jmx_time(doc), DX_TIME_NONE, "  no clock");
    dx_jmx_free(doc);
}

static void test_server(void) {
    server("{\"beans\":[{\"name\":\"Hadoop:service=HBase,name=Master,sub=Server\","
           "\"tag.serverName\":\"m,1,2\"},{\"name\":\"java.lang:type=Runtime\",\"StartTime\":5}]}",
           "m,1,2", true);
    server(
        "{\"beans\":[{\"name\":\"hadoop:service=Master,name=Master\",\"ServerName\":\"o,1,2\"}]}",
        "o,1,2", true);
    server("{\"beans\":[{\"name\":\"" RS "Server\",\"tag.serverName\":\"\"}]}", "", false);
}

static void damaged(const char *text, size_t samples, const char *part) {
    dx_jmx *doc = read_text(text);
    if (doc == NULL)
        return;
    is_int(dx_jmx_count(doc), (int64_t)samples, "  samples");
    const char *damage = dx_jmx_damage(doc);
    ok(damage != NULL && strstr(damage, part) != NULL, "  damage: %s",
       damage == NULL ? "none" : damage);
    dx_jmx_free(doc);
}

static void test_damage(void) {
    damaged("{\"beans\":[{\"name\":\"a:b=c\",\"x\":1,\"y\":2", 1, "cut off at byte 37");
    damaged("{\"beans\":[{\"name\":\"a:b=c\",\"x\":1}]", 1, "cut off");
    damaged("{\"beans\":[]}", 0, "no beans");
    damaged("{\"beans\":[{\"x\":1},{\"name\":\"a:b=c\",\"x\":1}]}", 1, "without a name: 1");
    damaged("{\"beans\":[{\"name\":\"a:b=c\",\"result\":\"ERROR\",\"message\":\"No attribute\"}]}",
            0, "answered with an error: No attribute");
    damaged("{\"name\" : \"a:b=c\",\"x\":1,}, {\"name\":\"a:b=d\",\"x\":2},", 2, "trailing comma");
    damaged(
        "{\"beans\":[{\"name\":\"a:b=c\",\"x\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":"
        "{\"a\":{\"a\":1}}}}}}}}}}]}",
        0, "nested too deep");
}

static void refuses(const char *text, const char *part) {
    dx_jmx *doc = NULL;
    dx_err err = {0};
    if (!ok(dx_jmx_read(&doc, dx_s(text), "a.json", &err) == DX_E_PARSE
                && strstr(err.msg, part) != NULL && dx_slice_starts(dx_s(err.msg), "a.json: "),
            "refuses: %.40s", text))
        printf("# %s\n", err.msg);
    dx_jmx_free(doc);
}

static void test_refusals(void) {
    refuses("", "empty");
    refuses("<!DOCTYPE html><title>Login</title>", "HTML");
    refuses("{\"result\":\"ERROR\",\"message\":\"query format\"}", "error: query format");
    refuses("{ }", "without \"beans\"");
    refuses("{\"properties\":[]}", "/conf");
    refuses("{\"beans\":7}", "without \"beans\"");
    refuses("\xff\xfe{", "UTF-16");
    refuses("\x1f\x8b\x08", "gzip");
    refuses("2024-05-01 12:00:00,000 INFO", "not a /jmx document (JSON: ");
    ok(dx_jmx_sniff(dx_s("\xef\xbb\xbf {\r\n \"beans\" : [")), "sniff: a document");
    ok(dx_jmx_sniff(dx_s("f_1({\"beans\":[")), "sniff: JSONP");
    ok(dx_jmx_sniff(dx_s("{\"name\" : \"java.lang:type=Memory\",")), "sniff: a pasted bean");
    ok(!dx_jmx_sniff(dx_s("{\"name\" : \"x\", \"a:b=c\":1")), "sniff: another object");
    ok(!dx_jmx_sniff(dx_s("")) && !dx_jmx_sniff(dx_s("{")) && !dx_jmx_sniff(dx_s("{\"beans")),
       "sniff: too little");
}

/* Reads a copy without slack, and looks at every byte of every sample. False: neither named
 * samples, nor a refusal that says why. */
static bool walk(const char *p, size_t n) {
    char *copy = dx_calloc(n == 0 ? 1 : n, 1);
    dx_jmx *doc = NULL;
    dx_err err = {.msg = ""};
    uint64_t sum = 0;
    bool master;
    memcpy(copy, p, n);
    dx_status st = dx_jmx_read(&doc, dx_sn(copy, n), NULL, &err);
    bool good = st == DX_OK || (st == DX_E_PARSE && doc == NULL && err.msg[0] != '\0');
    for (size_t i = 0; doc != NULL && i < dx_jmx_count(doc); i++) {
        const dx_jmx_sample *s = dx_jmx_at(doc, i);
        sum = dx_hash(s->bean.p, s->bean.n, dx_hash(s->name.p, s->name.n, sum));
        sum = dx_hash(s->table.p, s->table.n, dx_hash(s->text.p, s->text.n, sum));
        good = good && s->type <= DX_JMX_BOOL && (s->type == DX_JMX_TEXT || s->text.n == 0);
    }
    if (doc != NULL)
        good = good && dx_jmx_server(doc, &master).n <= n && (sum != 0 || dx_jmx_count(doc) == 0);
    dx_jmx_free(doc);
    free(copy);
    return good;
}

/* About 4 KB: the sample above and a Regions bean. */
static size_t large(char text[8192]) {
    size_t n = sizeof whole - 5; /* without "] }" */
    memcpy(text, whole, n);
    n += (size_t)sprintf(text + n, ", { \"name\": \"" RS "Regions\"");
    for (int i = 0; i < 30; i++)
        n += (size_t)sprintf(text + n, ", \"Namespace_n%d_table_t_region_%032d_metric_m%d\": %d",
                             i / 9, i, i, i * 1000);
    return n + (size_t)sprintf(text + n, " } ] }");
}

static void test_mangled(void) {
    char text[8192], copy[8192];
    size_t n = large(text), wrong = 0;
    dx_err err;
    dx_jmx *all = NULL;
    ok(n > 3000 && dx_jmx_read(&all, dx_sn(text, n), NULL, &err) == DX_OK, "a larger document");
    is_int(dx_jmx_count(all), 17 + 30, "its samples");
    for (size_t i = 0; i <= n; i++)
        wrong += !walk(text, i);
    for (size_t i = 0; i < n; i++) {
        memcpy(copy, text, n);
        copy[i] = (char)(copy[i] ^ (1 << i % 8));
        wrong += !walk(copy, n);
    }
    for (size_t i = 0; i < sizeof whole - 1; i++)
        for (int v = 0; v < 256; v += 3) {
            memcpy(copy, whole, sizeof whole);
            copy[i] = (char)v;
            wrong += !walk(copy, sizeof whole - 1);
        }
    is_int(wrong, 0, "every cut and flipped bits");
    wrong = 0;
    for (size_t i = 0; i < n; i++) {
        dx_jmx *doc = NULL;
        if (dx_jmx_read(&doc, dx_sn(text, i), NULL, &err) != DX_OK)
            continue;
        for (size_t k = 0; k < dx_jmx_count(doc); k++)
            wrong += !dx_slice_eq(dx_jmx_at(doc, k)->name, dx_jmx_at(all, k)->name)
                     || dx_jmx_at(doc, k)->i != dx_jmx_at(all, k)->i
                     || !dx_slice_eq(dx_jmx_at(doc, k)->text, dx_jmx_at(all, k)->text);
        dx_jmx_free(doc);
    }
    is_int((int64_t)wrong, 0, "a cut loses samples and changes none");
    dx_jmx_free(all);
}

int main(void) {
    test_beans();
    test_labels();
    test_types();
    test_server();
    test_damage();
    test_refusals();
    test_mangled();
    return done();
}

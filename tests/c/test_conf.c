/* Configurations: XML and JSON, whole, damaged, hostile. */
#include "dx_buf.h"
#include "dx_conf.h"
#include "dx_mem.h"
#include "tap.h"

#include <stdlib.h>

static dx_conf *read_text(const char *text) {
    dx_conf *c = NULL;
    dx_err err = {0};
    if (!ok(dx_conf_read(&c, dx_s(text), "site.xml", &err) == DX_OK, "reads"))
        printf("# %s\n", err.msg);
    return c;
}

/* Checks one property; value NULL: it has none. */
static void is_property(const dx_conf *c, size_t i, const char *name, const char *value,
                        const char *resource, bool is_final, unsigned long line, size_t earlier) {
    const dx_property *p = dx_conf_at(c, i);
    if (!ok(p != NULL, "property %zu", i))
        return;
    is_str(p->name, name, "  its name");
    ok(value == NULL ? p->value == NULL : dx_str_eq(p->value, value), "  its value: %s",
       p->value == NULL ? "none" : p->value);
    is_str(p->resource, resource, "  its resource");
    ok(p->is_final == is_final, "  final or not");
    is_int((int64_t)p->line, (int64_t)line, "  its line");
    is_int((int64_t)p->earlier, (int64_t)earlier, "  an earlier one");
}

static void test_xml(void) {
    dx_conf *c = read_text("\xef\xbb\xbf\n<?xml version=\"1.0\"?>\n"
                           "<?xml-stylesheet type=\"text/xsl\" href=\"configuration.xsl\"?>\n"
                           "<!-- a comment --><configuration xmlns:xi=\"x\">\n"
                           "<property>\n<name> a.b </name>\n<value>\n ${c}/x &lt;\n</value>\n"
                           "<final>true</final><source>one.xml</source><source>two.xml</source>"
                           "<description>see <name>other</name></description></property>\n"
                           "<property><name>empty</name><value/></property>\n"
                           "<property><name>a.b</name><value><![CDATA[2]]></value>"
                           "<final>false</final></property>\n"
                           "<xi:include href=\"more.xml\"/>\n"
                           "<property name=\"short\" value=\"v\" final=\"true\"/>\n"
                           "<property><value>lost</value></property>\n"
                           "<property><name>a.b</name><value> </value></property>\n"
                           "</configuration>\n");
    if (c == NULL)
        return;
    is_int((int64_t)dx_conf_count(c), 5, "properties");
    is_property(c, 0, "a.b", "${c}/x <", "two.xml", true, 6, 0);
    is_property(c, 1, "empty", NULL, "", false, 11, 0);
    is_property(c, 2, "a.b", "2", "", false, 12, 1);
    is_property(c, 3, "short", "v", "", true, 14, 0);
    is_property(c, 4, "a.b", "", "", false, 16, 3);
    ok(dx_conf_at(c, 5) == NULL, "no more");
    is_str(dx_conf_damage(c),
           "line 13: an include, its file is not read; line 15: a property without a name",
           "damage");
    dx_conf_free(c);
    dx_conf_free(NULL);
}

static void test_json(void) {
    dx_conf *c = read_text("{\"properties\":[{\"key\":\"a\",\"value\":\"1\",\"isFinal\":true,"
                           "\"resource\":\"hbase-site.xml\"},{\"key\":\"b\",\"value\":null},"
                           "{\"value\":\"x\"},{\"key\":\"a\",\"value\":7},{\"key\":\"c\",\"val");
    if (c == NULL)
        return;
    is_int((int64_t)dx_conf_count(c), 3, "properties");
    is_property(c, 0, "a", "1", "hbase-site.xml", true, 0, 0);
    is_property(c, 1, "b", NULL, "", false, 0, 0);
    is_property(c, 2, "a", "7", "", false, 0, 1);
    ok(dx_conf_damage(c) != NULL && strstr(dx_conf_damage(c), "cut off") != NULL
           && strstr(dx_conf_damage(c), "entry 3 is no property") != NULL,
       "damage: %s", dx_conf_damage(c));
    dx_conf_free(c);
    c = read_text(
        "{\"properties\":[{\"key\":\"a\",\"value\":0.4},{\"key\":\"b\",\"value\":1e-7}]}");
    is_property(c, 0, "a", "0.4", "", false, 0, 0);
    is_property(c, 1, "b", "1e-07", "", false, 0, 0);
    dx_conf_free(c);
    c = read_text("{\"property\":{\"key\":\"a\",\"value\":\"1\"}}");
    is_int((int64_t)dx_conf_count(c), 1, "one property asked for by name");
    dx_conf_free(c);
}

static void damaged(const char *text, size_t count, const char *part) {
    dx_conf *c = read_text(text);
    if (c == NULL)
        return;
    is_int((int64_t)dx_conf_count(c), (int64_t)count, "  whole properties");
    ok(dx_conf_damage(c) != NULL && strstr(dx_conf_damage(c), part) != NULL, "  damage: %s",
       dx_conf_damage(c) == NULL ? "none" : dx_conf_damage(c));
    dx_conf_free(c);
}

#define ONE "<property><name>a</name><value>1</value></property>\n"

static void test_damage(void) {
    damaged("<configuration>\n" ONE "<property><name>b</name><value>2", 1, "line 3: ");
    damaged("<configuration>\n" ONE "<property><name>b</value>\n" ONE "</configuration>", 1,
            "line 3: mismatched tag, the rest is not read");
    damaged("<configuration>" ONE "</configuration>\n<x/>", 1, "line 3: junk after");
    damaged(ONE ONE, 2, "without <configuration>");
    damaged("<configuration>\n<property><name>a</name><value>&what;</value></property>", 0,
            "line 2: undefined entity");
    dx_buf many;
    dx_buf_init(&many, 0);
    dx_buf_adds(&many, "<configuration>");
    for (int i = 0; i < 5000; i++)
        dx_buf_adds(&many, "<property/>");
    damaged(many.p, 0, "; and more");
    dx_buf_done(&many);
}

static void refuses(const char *text, const char *part) {
    dx_conf *c = NULL;
    dx_err err = {0};
    if (!ok(dx_conf_read(&c, dx_s(text), "site.xml", &err) == DX_E_PARSE
                && strstr(err.msg, part) != NULL && dx_slice_starts(dx_s(err.msg), "site.xml: "),
            "refuses: %s", part))
        printf("# %s\n", err.msg);
    dx_conf_free(c);
}

static void test_refusals(void) {
    refuses("", "empty");
    refuses("a=b", "neither XML nor JSON");
    refuses("<html><property><name>a</name></property></html>", "no <configuration>");
    refuses("{\"beans\":[]}", "without \"properties\"");
    refuses("<!DOCTYPE c [<!ENTITY a \"x\"><!ENTITY b \"&a;&a;\">]><configuration>" ONE
            "</configuration>",
            "line 1: a DOCTYPE");
    ok(dx_conf_sniff(dx_s("\n<?xml version='1.0'?><!-- x --><configuration>")), "sniff: XML");
    ok(dx_conf_sniff(dx_s("{ \"properties\" : [")), "sniff: JSON");
    ok(dx_conf_sniff(dx_s("<property>\n<name>")), "sniff: a fragment");
    ok(!dx_conf_sniff(dx_s("<html>")) && !dx_conf_sniff(dx_s("")) && !dx_conf_sniff(dx_s("{"))
           && !dx_conf_sniff(dx_s("x <configuration>")),
       "sniff: others");
}

static const char xml[] = "<?xml version=\"1.0\"?><configuration><property><name>k\xc3\xa4</name>"
                          "<value>1 &amp; 2</value><final>true</final></property><property "
                          "name=\"b\" value=\"c\"/></configuration>";
static const char json[] = "{\"properties\":[{\"key\":\"a\",\"value\":\"1\",\"isFinal\":false,"
                           "\"resource\":\"x\"},{\"key\":\"b\",\"value\":2}]}";

/* False: neither whole properties, nor a refusal that says why. */
static bool walk(const char *p, size_t n) {
    char *copy = dx_calloc(n == 0 ? 1 : n, 1);
    dx_conf *c = NULL;
    dx_err err = {.msg = ""};
    memcpy(copy, p, n);
    dx_status st = dx_conf_read(&c, dx_sn(copy, n), NULL, &err);
    bool good = st == DX_OK || (st == DX_E_PARSE && c == NULL && err.msg[0] != '\0');
    for (size_t i = 0; c != NULL && i < dx_conf_count(c); i++)
        good = good && dx_conf_at(c, i)->name[0] != '\0' && dx_conf_at(c, i)->resource != NULL;
    dx_conf_sniff(dx_sn(copy, n));
    dx_conf_free(c);
    free(copy);
    return good;
}

static size_t mangle(const char *text, size_t n) {
    char copy[512];
    size_t wrong = 0;
    for (size_t i = 0; i <= n; i++)
        wrong += !walk(text, i);
    for (size_t i = 0; i < n; i++)
        for (int v = 0; v < 256; v++) {
            memcpy(copy, text, n);
            copy[i] = (char)v;
            wrong += !walk(copy, n);
        }
    return wrong;
}

int main(void) {
    test_xml();
    test_json();
    test_damage();
    test_refusals();
    is_int(mangle(xml, sizeof xml - 1), 0, "XML: every cut and every value of every byte");
    is_int(mangle(json, sizeof json - 1), 0, "JSON: every cut and every value of every byte");
    return done();
}

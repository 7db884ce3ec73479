/* dx_region, dx_server and dx_units: names of regions and servers, and numbers as Java prints them.
 */
#include "dx_region.h"
#include "dx_server.h"
#include "dx_units.h"
#include "tap.h"

#include <stdlib.h>

#define E1 "00112233445566778899aabbccddeeff"

static void split(const char *name, const char *table, const char *encoded) {
    dx_slice t = dx_s("kept"), e = dx_s("kept");
    bool is = dx_region_split(dx_s(name), &t, &e);
    ok(is == (table != NULL), "%s", name);
    is_slice(t, table == NULL ? "kept" : table, "its table");
    is_slice(e, table == NULL ? "kept" : encoded, "its encoded name");
}

static void test_regions(void) {
    split("bills,,1700000000001." E1 ".", "bills", E1);
    split("acme:bills,k\\x00\\x1F,1700000000001." E1 ".", "acme:bills", E1);
    split("bills,a, b={\"c\":1.5}, row=7 of x,1700000000001." E1 ".", "bills", E1);
    split("bills,." E1 ".,1700000000001." E1 ".", "bills", E1);
    split("bills,m,1700000000001_0001." E1 ".", "bills", E1);
    split("bills,m,1700000000001_00AF." E1, "bills", E1);
    split("hbase:meta,,1.1588230740", "hbase:meta", "1588230740");
    split("hbase:meta,,1", "hbase:meta", "");
    split(".META.,,1.1028785192", ".META.", "1028785192");
    split("-ROOT-,,0.70236052", "-ROOT-", "70236052");
    split("bills,m,1700000000001", "bills", "");
    split("bills,,1700000000001." E1 "0.", NULL, NULL);
    split("bills,,1700000000001.00112233445566778899AABBCCDDEEFF.", NULL, NULL);
    split("bills,,17x." E1 ".", NULL, NULL);
    split("bills,,1_001." E1 ".", NULL, NULL);
    split("bills,1700000000001." E1 ".", NULL, NULL);
    split(E1, NULL, NULL);
    split("a b,,1." E1 ".", NULL, NULL);
    split("a:b:c,,1." E1 ".", NULL, NULL);
    split(",,1." E1 ".", NULL, NULL);
    split("", NULL, NULL);
    split(",", NULL, NULL);
    split(".", NULL, NULL);
    split("bills,,1.", NULL, NULL);
}

static void test_sizes(void) {
    static const struct {
        const char *text;
        int64_t bytes; /* -1: not a size */
    } rows[] = {
        {"640", 640},
        {"640 B", 640},
        {"0", 0},
        {"1.52 MB", 1593836},
        {"128 MB", 134217728},
        {"9.2 K", 9421},
        {"1.6g", 1717986918},
        {"512.0M", 536870912},
        {"512,0 M", 536870912},
        {"1,024.5 M", 1074266112},
        {"1.024,5 M", 1074266112},
        {"1\xE2\x80\xAF"
         "024,5\xC2\xA0M",
         1074266112},
        {"1\xE2\x80\xAF"
         "024",
         1024},
        {"1,024", 1024},
        {" 2 kb ", 2048},
        {"3 T", 3298534883328},
        {"8.00 EB", INT64_MAX},
        {"7.99 EB", 9211842821808707338},
        {"9 EB", -1},
        {"9223372036854775807", INT64_MAX},
        {"9223372036854775808", -1},
        {"1.5", -1},
        {"1,02", -1},
        {"-1", -1},
        {"", -1},
        {"M", -1},
        {"1.2.3 M", -1},
        {"12 MX", -1},
        {"12 MBs", -1},
        {"1 ZB", -1},
        {"99999999999999999999999999999999999999999 B", -1},
        {"1,1,1,1,1,1,1,1,1,1 M", -1},
        {"NaN", -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t v = -1;
        ok(dx_size_read(dx_s(rows[i].text), &v) == (rows[i].bytes >= 0), "%s", rows[i].text);
        ok(llabs(v - rows[i].bytes) <= (rows[i].bytes > (1LL << 53) ? 2048 : 0), "is %lld",
           (long long)rows[i].bytes);
    }
}

static void test_more_numbers(void) {
    int64_t v = -1;
    is_int(dx_grouped_lead(dx_s("287,412 ms"), &v), 7, "groups by commas");
    is_int(v, 287412, "their number");
    is_int(dx_grouped_lead(dx_s("1.287.412ms"), &v), 9, "groups by dots");
    is_int(v, 1287412, "their number");
    ok(dx_grouped_lead(dx_s("287\xE2\x80\xAF"
                            "412 ms"),
                       &v)
               == 9
           && v == 287412,
       "by U+202F");
    ok(dx_grouped_lead(dx_s("60, and"), &v) == 2 && v == 60, "a comma of the sentence");
    is_int(dx_grouped_lead(dx_s("4.25"), &v), 0, "a fraction is no integer");
    is_int(dx_grouped_lead(dx_s("1234,567"), &v), 0, "nor is a group of four");
    is_int(dx_grouped_lead(dx_s("1,234.567"), &v), 0, "nor are mixed signs");
    is_int(dx_grouped_lead(dx_s("x"), &v), 0, "nor a letter");
    ok(dx_throughput_read(dx_s("12.50 MB/sec"), &v) && v == 13107200, "MB/sec");
    ok(dx_throughput_read(dx_s("12,50 MB/second"), &v) && v == 13107200, "a decimal comma");
    ok(!dx_throughput_read(dx_s("unlimited"), &v) && !dx_throughput_read(dx_s("5 MB/hour"), &v),
       "no throughput");
    ok(dx_duration_read(dx_s("1hrs, 2mins, 3sec"), &v) && v == 3723000, "three units");
    ok(dx_duration_read(dx_s("0sec"), &v) && v == 0, "nothing");
    ok(dx_duration_read(dx_s("140 ms"), &v) && v == 140, "milliseconds");
    ok(!dx_duration_read(dx_s(""), &v) && !dx_duration_read(dx_s("5"), &v)
           && !dx_duration_read(dx_s("5sec 3"), &v) && !dx_duration_read(dx_s("1weeks"), &v)
           && !dx_duration_read(dx_s("9223372036854775807hrs"), &v)
           && !dx_duration_read(dx_s("9223372036854775807ms, 9223372036854775807ms"), &v),
       "no durations");
}

/* Every piece of a text, in a block of exactly its size, so that a byte too far is seen. */
static void test_pieces(void) {
    static const char text[] = "acme:bills,k,1700000000001." E1 ". 1\xE2\x80\xAF"
                               "024,5\xC2\xA0MB, "
                               "12,50 MB/second 1hrs, 2mins";
    size_t n = sizeof text - 1, seen = 0;
    for (size_t from = 0; from < n; from++)
        for (size_t to = from; to <= n; to++) {
            char *copy = malloc(to - from + (to == from));
            memcpy(copy, text + from, to - from);
            dx_slice s = dx_sn(copy, to - from), t, e;
            int64_t v;
            seen += dx_region_split(s, &t, &e);
            seen += dx_size_read(s, &v) + dx_duration_read(s, &v) + dx_throughput_read(s, &v);
            seen += dx_grouped_lead(s, &v) > 0;
            free(copy);
        }
    ok(seen > 100, "every piece is read within its bounds");
}

static void tail(const char *text, const char *encoded) {
    dx_slice e = dx_region_tail(dx_s(text));
    ok(dx_slice_is(e, encoded), "the encoded name at the end of \"%s\"", text);
}

static void test_tails(void) {
    tail("t,k,1699999999999." E1 ".", E1);
    tail("unreadable " E1 ".", "");
    tail("what.ever." E1 ".", E1);
    tail(E1, E1);
    tail("t,k,1699999999999." E1, "");
    tail("hbase:meta,,1.1588230740", "1588230740");
    tail("hbase:meta,,1", "1588230740");
    tail("hbase:meta,,1_0001", "1588230740");
    tail(".META.,,1", "1028785192");
    tail("-ROOT-,,0.70236052", "70236052");
    tail("t,,1.1588230740", "");
    tail("", "");
}

static void server(const char *text, const char *host, const char *address, int64_t port,
                   int64_t code) {
    dx_server_name n = {.port = -1};
    bool is = dx_server_read(dx_s(text), &n);
    ok(is == (host != NULL), "\"%s\"", text);
    if (!is) {
        is_int(n.port, -1, "  nothing is touched");
        return;
    }
    is_slice(n.host, host, "  host");
    is_slice(n.address, address, "  address");
    is_int(n.port, port, "  port");
    is_int(n.start_code, code, "  start code");
}

static void test_servers(void) {
    server("rs-1.example,16020,1700000000000", "rs-1.example", "rs-1.example,16020", 16020,
           1700000000000);
    server("rs-1.example,16020", "rs-1.example", "rs-1.example,16020", 16020, DX_UNKNOWN);
    server("2001:db8:0:0:0:0:0:5,0,0", "2001:db8:0:0:0:0:0:5", "2001:db8:0:0:0:0:0:5,0", 0, 0);
    server("a,65536,1", NULL, NULL, 0, 0);
    server("a,-1,1", NULL, NULL, 0, 0);
    server("a,1,", NULL, NULL, 0, 0);
    server("a,1,2,3", NULL, NULL, 0, 0);
    server("a,1,9223372036854775808", NULL, NULL, 0, 0);
    server(",1,2", NULL, NULL, 0, 0);
    server("a", NULL, NULL, 0, 0);
    server("", NULL, NULL, 0, 0);
}

int main(void) {
    test_servers();
    test_tails();
    test_regions();
    test_sizes();
    test_more_numbers();
    test_pieces();
    return done();
}

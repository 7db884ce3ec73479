/* fuzz_case.h - a case with something of everything in it, for the targets that ask one. */
#ifndef FUZZ_CASE_H
#define FUZZ_CASE_H

#include "dx_ingest.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

static void fuzz_ingest(dx_casefile *c, const char *name, dx_slice bytes) {
    dx_ingest_opts opts = {.name = name, .t_ms = INT64_C(1700000000000), .t_origin = "mtime"};
    dx_ingest_report report;
    dx_input *in;
    dx_err err;
    fuzz_check(dx_input_open_bytes(&in, bytes, name, &err) == DX_OK);
    dx_status st = dx_ingest(c, in, &opts, &report, &err);
    dx_input_close(in);
    fuzz_check(st == DX_OK || st == DX_E_PARSE || st == DX_E_LIMIT || st == DX_E_RANGE);
    if (st == DX_OK)
        fuzz_touch_string(report.kind);
}

__attribute__((unused)) static void fuzz_fill(dx_casefile *c) {
    static const char log[] =
        "2024-05-01 10:00:00,000 INFO  [main] util.VersionInfo: HBase 2.5.8\n"
        "2024-05-01 10:00:01,000 INFO  [main] regionserver.HRegionServer: Serving as "
        "rs1,16020,1714550400500, RpcServer on rs1/10.0.0.9:16020, sessionid=0x1\n"
        "2024-05-01 10:00:02,000 WARN  [h=1] ipc.RpcServer: (responseTooSlow): "
        "{\"call\":\"Get(x$GetRequest)\",\"starttimems\":\"1714557600000\",\"responsesize\":"
        "\"12\",\"method\":\"Get\",\"param\":\"region= t1,a,1.0123456789abcdef0123456789abcdef., "
        "row=b\",\"processingtimems\":2000,\"client\":\"10.0.0.1:50\",\"queuetimems\":0,"
        "\"class\":\"HRegionServer\"}\n"
        "2024-05-01 10:00:03,000 INFO  [c] c.a.Dao: returned=60 scanned=42000 filtered=41940\n";
    static const char jmx[] =
        "{\"beans\":[{\"name\":\"Hadoop:service=HBase,name=RegionServer,sub=Server\","
        "\"tag.serverName\":\"rs1,16020,1714550400500\",\"blockCacheHitCount\":5,"
        "\"percentFilesLocal\":99.5}]}";
    static const char conf[] =
        "<configuration><property><name>hbase.regionserver.handler.count</name><value>30</value>"
        "</property></configuration>";
    fuzz_ingest(c, "rs1.log", dx_s(log));
    fuzz_ingest(c, "rs1.json", dx_s(jmx));
    fuzz_ingest(c, "hbase-site.xml", dx_s(conf));
}

/* All rows of a query, up to some; false: it is refused or breaks off. */
__attribute__((unused)) static bool fuzz_query(dx_casefile *c, const char *sql) {
    dx_cursor *cur;
    dx_err err;
    dx_status st = DX_ROW;
    if (dx_cursor_open(&cur, c, sql, NULL, 0, &err) != DX_OK)
        return false;
    for (int row = 0; row < 1000 && (st = dx_cursor_next(cur, &err)) == DX_ROW; row++)
        for (int i = 0; i < dx_cursor_columns(cur); i++) {
            dx_value v = dx_cursor_value(cur, i);
            fuzz_touch_string(dx_cursor_name(cur, i));
            if (v.type == DX_V_TEXT || v.type == DX_V_BLOB)
                fuzz_touch(v.s);
        }
    dx_cursor_close(cur);
    return st == DX_ROW || st == DX_DONE;
}

#endif

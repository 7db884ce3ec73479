/* fuzz_ingest.c - anything, recognised by its content and filed into a case. */
#include "fuzz_case.h"

const size_t fuzz_stretch = 0;

void fuzz_one(dx_slice in) {
    dx_casefile *c;
    dx_err err;
    fuzz_check(dx_casefile_open(&c, NULL, true, &err) == DX_OK);
    fuzz_ingest(c, "rs-1/source", in);
    fuzz_ingest(c, "rs-2/source", in);
    fuzz_check(fuzz_query(c, "SELECT count(*) FROM source"));
    dx_casefile_close(c);
}

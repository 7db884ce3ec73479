/* dx_server.c - see dx_server.h. */
#include "dx_server.h"

/* Takes the part up to the next comma, or all of s, off its head. */
static dx_slice take_part(dx_slice *s) {
    ptrdiff_t comma = dx_slice_find_char(*s, ',', 0);
    dx_slice part = dx_slice_sub(*s, 0, comma < 0 ? s->n : (size_t)comma);
    *s = dx_slice_sub(*s, comma < 0 ? s->n : (size_t)comma + 1, s->n);
    return part;
}

bool dx_server_read(dx_slice s, dx_server_name *out) {
    dx_slice rest = s, host = take_part(&rest), port = take_part(&rest);
    uint64_t number, code = 0;
    bool coded = host.n + 1 + port.n < s.n; /* a comma stands behind the port */
    if (host.n == 0 || !dx_slice_u64(port, &number) || number > 65535
        || (coded && (!dx_slice_u64(rest, &code) || code > INT64_MAX)))
        return false;
    *out = (dx_server_name){.host = host,
                            .address = dx_slice_sub(s, 0, host.n + 1 + port.n),
                            .port = (int64_t)number,
                            .start_code = coded ? (int64_t)code : DX_UNKNOWN};
    return true;
}
